"use strict";
// SPDX-License-Identifier: ISC
// Has records checked, and odds worked out, by the program that players use, in
// a worker; it judges nothing by itself.
(() => {
	const $ = (id) => document.getElementById(id);
	const verdict = $("verdict");
	const WORDS = {
		0: ["good", "It holds: every line, signature, proof and die."],
		1: ["bad", "It does not hold."],
		2: ["doubt", "Not all of it can be checked here. What could be " +
		    "checked holds."],
	};
	let worker = null;

	const tell = (kind, text) => {
		verdict.className = kind;
		verdict.textContent = text;
	};

	// Starts the program on what it is asked; on() takes what it says, and
	// end() is called once it says no more.
	const run = ({ worker: path, program, hash }, asked, on, end) => {
		const stop = (why) => {
			if (why)
				tell("bad", `It could not be done: ${why}`);
			worker.terminate();
			end();
		};

		worker = new Worker(path);
		worker.onmessage = ({ data }) => {
			if ("fault" in data || "refused" in data)
				stop(data.fault || data.refused);
			else if ("done" in data || "odds" in data) {
				on(data);
				stop("");
			} else
				on(data);
		};
		worker.onerror = (e) => stop(e.message || "it did not start");
		worker.postMessage({ program, hash, ...asked });
	};

	const showStatus = ({ status, verdict: said }, lines) => {
		const [kind, text] = WORDS[status];

		tell(kind, status === 0 ? text + lines : `${text} ${said}`);
	};

	const showProgress = (data) => {
		if ("line" in data)
			tell("", `Line ${data.line}` +
			    (data.of > 0 ? ` of ${data.of} ...` : " ..."));
	};

	// ---- the button of a game's page ----

	const button = $("verify");

	// Why a record is not the one that the page was made of; "" if it is.
	const other = ({ proof, head }) => {
		const made = button.dataset;

		if (proof === null || proof.game !== made.game)
			return "This is not the record of this game, but of " +
			    "another.";
		if (head === "")
			return `This record ends at line ${proof.lines - 1}, ` +
			    `and this page at line ${made.seq}. It may be an ` +
			    "older copy.";
		return head === made.head ? ""
		    : "This is not the record that this page was made of: " +
		    `line ${made.seq} is another.`;
	};

	const showRecord = (data) => {
		const why = data.status === 1 ? "" : other(data);

		if (why !== "")
			tell("bad", why + (data.status === 0 ?
			    " By itself it holds." : ""));
		else
			showStatus(data, data.status !== 0 ? ""
			    : ` ${data.proof.lines} lines, ` +
			    `${data.proof.dice} dice. It says of the game: ` +
			    `${data.proof.now}.`);
	};

	const start = () => {
		button.disabled = true;
		tell("", "Fetching the record and the program ...");
		run(button.dataset, { url: button.dataset.record, want: [],
		    name: "record.jsonl", seq: Number(button.dataset.seq) },
		    (data) => {
			if ("status" in data)
				showRecord(data);
			else
				showProgress(data);
		}, () => {
			button.disabled = false;
		});
	};

	// ---- /verify ----

	const showTold = (html, name) => {
		if (html === "")
			return;
		$("save").href = URL.createObjectURL(
		    new Blob([html], { type: "text/html" }));
		$("save").download = name.replace(/(\.jsonl)?$/, ".html");
		$("keep").hidden = false;
		$("told").hidden = false;
		$("told").srcdoc = html;
	};

	const check = async (chosen) => {
		const all = Array.from(chosen);
		const cup = all.find((f) => f.name === "tournament.jsonl");
		const first = cup || all[0];

		for (const id of ["said", "keep", "told"])
			$(id).hidden = true;
		if (first === undefined)
			return;
		if (cup === undefined && all.length > 1) {
			tell("doubt", "Choose one record, or all files of a " +
			    "tournament's folder.");
			return;
		}
		tell("", "Reading ...");
		const files = await Promise.all([first,
		    ...all.filter((f) => f !== first)].map(async (f) => ({
			name: f.name,
			bytes: new Uint8Array(await f.arrayBuffer()),
		})));
		$("stop").hidden = false;
		$("files").disabled = true;
		run($("check").dataset, { files, want: ["told"] }, (data) => {
			if ("status" in data) {
				showStatus(data, "");
				$("said").hidden = false;
				$("said").textContent = data.verdict;
			} else if ("told" in data)
				showTold(data.told, first.name);
			else
				showProgress(data);
		}, () => {
			$("stop").hidden = true;
			$("files").disabled = false;
		});
	};

	// ---- /odds ----

	const table = (caption, heads, rows) => {
		const box = document.createElement("div");
		const t = document.createElement("table");
		const head = t.createTHead().insertRow();

		t.createCaption().textContent = caption;
		t.className = "units";
		for (const text of heads) {
			const th = document.createElement("th");
			th.scope = "col";
			th.textContent = text;
			head.append(th);
		}
		const body = t.createTBody();
		for (const cells of rows) {
			const tr = body.insertRow();
			cells.forEach((text, i) => {
				const td = document.createElement(
				    i === 0 ? "th" : "td");
				if (i === 0)
					td.scope = "row";
				td.textContent = text;
				tr.append(td);
			});
		}
		box.className = "wide";
		box.tabIndex = 0;
		box.setAttribute("role", "group");
		box.setAttribute("aria-label", caption);
		box.append(t);
		return box;
	};

	const percent = ({ p, low, high }) => {
		const say = (x) => x > 0 && x < 0.0001 ? "<0.01"
		    : x < 1 && x > 0.9999 ? ">99.99" : (100 * x).toFixed(2);

		return low === high ? `${say(p)} %`
		    : `${say(p)} % (${say(low)} to ${say(high)})`;
	};

	const showOdds = (odds) => {
		if ("wrong" in odds) {
			tell("bad", `No odds: ${odds.wrong}.`);
			return;
		}
		const tables = [table("The combat as a whole",
		    ["Outcome", "Chance"],
		    odds.combat.map((o) => [o.outcome, percent(o)]))];
		for (const side of ["attacker", "defender"]) {
			const units = odds.units.filter((u) => u.side === side);
			const ends = Object.keys(units[0]?.ends ?? {})
			    .filter((e) => units.some((u) => u.ends[e].p > 0));

			tables.push(table(`The ${side}: how each unit ends`,
			    ["Unit", "Lost on average",
			    ...ends.map((e) => e.replaceAll("-", " "))],
			    units.map((u) => [u.name ?? u.id,
			    u.loss.mean.toFixed(2),
			    ...ends.map((e) => percent(u.ends[e]))])));
		}
		tell("", `${odds.name}, ${odds.how}.`);
		$("chances").replaceChildren(...tables);
	};

	const weigh = () => {
		$("go").disabled = true;
		$("chances").replaceChildren();
		tell("", "Working it out ...");
		run($("weigh").dataset, { scenario: $("scenario").value },
		    (data) => {
			if ("odds" in data)
				showOdds(data.odds);
		}, () => {
			$("go").disabled = false;
		});
	};

	if (verdict === null || typeof WebAssembly !== "object")
		return;
	if (button !== null) {
		button.hidden = false;
		button.addEventListener("click", start);
	}
	if ($("check") !== null) {
		$("check").hidden = false;
		$("files").addEventListener("change",
		    (e) => check(e.target.files));
		$("stop").addEventListener("click", () => {
			worker.terminate();
			$("stop").hidden = true;
			$("files").disabled = false;
			tell("doubt", "Stopped: nothing is known of this record.");
		});
	}
	if ($("weigh") !== null) {
		const examples = document.querySelectorAll("[data-example]");

		$("weigh").hidden = false;
		$("scenario").value = examples[0].textContent;
		$("go").addEventListener("click", weigh);
		for (const pre of examples) {
			const use = document.createElement("button");
			use.type = "button";
			use.textContent = "Take this";
			use.addEventListener("click", () => {
				$("scenario").value = pre.textContent;
				$("scenario").focus();
			});
			pre.after(use);
		}
	}
})();
