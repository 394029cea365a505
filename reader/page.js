"use strict";
// SPDX-License-Identifier: ISC
// Gives records to the program, each in a worker of its own (worker.js says what
// is said between the two), and shows what came out.  It judges nothing by
// itself.
(() => {
	const PROGRAM_HASH = "@PROGRAM-HASH@";
	const SHOWN_MAX = 2 << 20; // letters of a battle that are shown at once
	const ROWS_MAX = 200; // records that hold and have a row of their own
	const $ = (id) => document.getElementById(id);
	const RESULTS = {
		0: ["good", "This record holds",
		    "Every line, signature, proof and die was checked, and " +
		    "every combat fought again."],
		1: ["bad", "This record does not hold",
		    "Something in it is not what a server and its players " +
		    "can have written.  What is told below ends before it."],
		2: ["doubt", "Not all of this record can be checked here",
		    "What could be checked holds."],
	};
	let worker = null; // what runs now, or waits for questions
	let abandon = () => {}; // ends it
	let taken = 0; // how often something was given
	let address = null; // of the battle as a file

	// ---- what is shown ----

	const show = (kind, head, means) => {
		$("found").hidden = false;
		$("found").className = kind;
		$("result").textContent = head;
		$("means").textContent = means;
	};

	const clear = () => {
		for (const id of ["found", "verdict", "dice", "odds", "told",
		    "keep", "whole"])
			$(id).hidden = true;
		for (const id of ["result", "means", "verdict", "weighed",
		    "cost"])
			$(id).textContent = "";
		for (const id of ["luck", "combat", "chances"])
			$(id).replaceChildren();
		$("told").srcdoc = "";
		$("picture").hidden = true;
		$("picture").src = "";
		if (address !== null)
			URL.revokeObjectURL(address);
		address = null;
	};

	const number = (x, digits) => x === null ? "–" : x.toFixed(digits);

	// A table: what it shows, in a paragraph above it, since a caption would
	// be no wider than the table; a row of heads; rows of cells of which
	// the first is the row's head.
	const table = (caption, heads, rows) => {
		const above = document.createElement("p");
		const made = document.createElement("table");
		const box = document.createElement("div");
		const row = (cells, tagOf) => {
			const tr = made.insertRow();

			cells.forEach((cell, i) => {
				const td = document.createElement(tagOf(i));

				if (td.tagName === "TH")
					td.scope = tagOf(1) === "th" ? "col"
					    : "row";
				td.textContent = cell;
				tr.append(td);
			});
		};

		above.className = "caption";
		above.textContent = caption;
		row(heads, () => "th");
		for (const cells of rows)
			row(cells, (i) => i === 0 ? "th" : "td");
		// A wide one is scrolled by itself, by keys, too.
		box.className = "wide";
		box.tabIndex = 0;
		box.setAttribute("role", "group");
		box.setAttribute("aria-label", caption);
		made.setAttribute("aria-label", caption);
		box.append(made);
		return [above, box];
	};

	// What `umpire luck` counts.
	const showLuck = (luck) => {
		if (luck === null || luck.kinds.length === 0)
			return;
		$("luck").replaceChildren(...table("For each kind of roll and " +
		    "side: how many dice, what they showed on average, what " +
		    "fair dice show, and the chance that fair dice are so far " +
		    "from that or farther.",
		["roll", "die", "side", "dice", "average", "fair", "chance"],
		luck.kinds.map((k) => [k.kind || k.for, `d${k.sides}`,
		    k.side === 0 ? "director" : k.side, k.dice,
		    number(k.mean, 2), number(k.even, 2),
		    number(k.p_mean, 3)])));
		$("dice").hidden = false;
	};

	const percent = ({ p, low, high }) => {
		const say = (x) => x > 0 && x < 0.0001 ? "<0.01"
		    : x < 1 && x > 0.9999 ? ">99.99" : (100 * x).toFixed(2);

		return low === high ? `${say(p)}\u00a0%`
		    : `${say(p)}\u00a0% (${say(low)} to ${say(high)})`;
	};

	// What `umpire odds` works out.
	const showOdds = (odds, picture) => {
		if ("wrong" in odds) {
			$("weighed").textContent = `No odds: ${odds.wrong}.`;
			return;
		}
		const whole = odds.combat.map((o) => [o.outcome, percent(o)]);
		if (odds.other.p > 0)
			whole.push(["other", percent(odds.other)]);
		const tables = table("The combat as a whole",
		    ["outcome", "chance"], whole);
		for (const side of ["attacker", "defender"]) {
			const units = odds.units.filter((u) => u.side === side);
			const ends = Object.keys(units[0]?.ends ?? {})
			    .filter((end) =>
			        units.some((u) => u.ends[end].p > 0));
			const loss = odds.sides[side].loss.mean;

			tables.push(...table(`The ${side}: ${number(loss, 2)} ` +
			    `${odds.lost} lost on average, and how each unit ` +
			    "ends", ["unit", "lost", ...ends.map((e) =>
			    e.replaceAll("-", " "))], units.map((u) => [
			    u.name ?? u.id, number(u.loss.mean, 2),
			    ...ends.map((e) => percent(u.ends[e]))])));
		}
		$("weighed").textContent = `${odds.name}, ${odds.how}.`;
		$("chances").replaceChildren(...tables);
		$("picture").src = "data:image/svg+xml;charset=utf-8," +
		    encodeURIComponent(picture);
		$("picture").hidden = false;
	};

	const showCombats = (combats) => {
		if (combats.length === 0)
			return;
		for (const { n, turn, side } of combats)
			$("combat").add(new Option(
			    `Combat ${n}, turn ${turn}: ${side} attack`, n));
		$("odds").hidden = false;
	};

	// The battle: in a frame unless it is so long that it would fill this
	// machine's memory, and as a file.
	const showTold = (html, name) => {
		if (html === "")
			return;
		address = URL.createObjectURL(
		    new Blob([html], { type: "text/html" }));
		$("save").href = address;
		$("save").download = name.replace(/(\.jsonl)?$/, ".html");
		$("keep").hidden = false;
		$("whole").hidden = html.length <= SHOWN_MAX;
		$("size").textContent = (html.length / 1e6).toFixed(1);
		$("unfold").onclick = () => {
			$("whole").hidden = true;
			$("told").hidden = false;
			$("told").srcdoc = html;
			$("told").focus();
		};
		if (html.length <= SHOWN_MAX) {
			$("told").hidden = false;
			$("told").srcdoc = html;
		}
	};

	// ---- checking ----

	const stop = () => {
		if (worker !== null)
			worker.terminate();
		worker = null;
		$("work").hidden = true;
		$("weigh").disabled = true;
	};

	const showProgress = (name, { line, of, read, games }) => {
		$("bar").max = of;
		$("bar").value = line;
		$("at").textContent = `${name}: line ${line} of ${of}` +
		    (games > 0 ? `, ${read} of ${games} games` : "");
	};

	// Starts a worker, which waits for what it is given.
	const begin = () => {
		const source = URL.createObjectURL(new Blob(
		    [$("worker").textContent], { type: "text/javascript" }));

		worker = new Worker(source);
		$("weigh").disabled = false;
		URL.revokeObjectURL(source);
	};

	// The program's bytes; none if they are no base64.
	const programBytes = () => {
		try {
			return Uint8Array.from(
			    atob($("program").textContent.trim()),
			    (letter) => letter.charCodeAt(0));
		} catch (e) {
			return new Uint8Array(0);
		}
	};

	// Shows what the worker says of the job that is named; done is given
	// [kind, head, means] once all is said.
	const listen = (name, done) => {
		const began_ms = Date.now();
		let result;

		const end = (...what) => {
			stop();
			done(what);
		};
		worker.onmessage = ({ data }) => {
			if ("line" in data) {
				showProgress(name, data);
			} else if ("status" in data) {
				result = RESULTS[data.status];
				show(...result);
				$("verdict").textContent = data.verdict;
				$("verdict").hidden = false;
				$("at").textContent = "telling the battle";
				$("bar").removeAttribute("value");
			} else if ("luck" in data) {
				showLuck(data.luck);
			} else if ("combats" in data) {
				showCombats(data.combats);
			} else if ("told" in data) {
				showTold(data.told, name);
			} else if ("done" in data) {
				// It waits: odds may be asked for.
				$("work").hidden = true;
				$("cost").textContent = "This took " +
				    `${((Date.now() - began_ms) / 1e3).toFixed(1)}` +
				    ` s and ${Math.ceil(data.memory / 1e6)} MB ` +
				    "of memory.";
				done(result);
			} else if ("odds" in data) {
				$("work").hidden = true;
				showOdds(data.odds, data.picture);
			} else if ("refused" in data) {
				end("bad", "Nothing was checked",
				    `${data.refused}  Get this page again ` +
				    "from where its release is.");
			} else {
				end("bad", "The check could not be made",
				    data.fault);
			}
		};
		worker.onerror = (e) => end("bad",
		    "The check could not be made", e.message);
	};

	// Checks a job, [{name, bytes}], the record first; ends with
	// [kind, head, means].
	const check = (job) => new Promise((done) => {
		const [{ name }] = job;

		abandon();
		clear();
		begin();
		abandon = () => {
			abandon = () => {};
			stop();
			clear();
			done(["doubt", "Stopped",
			    "Nothing is known of this record."]);
		};
		listen(name, done);
		$("work").hidden = false;
		$("bar").removeAttribute("value");
		$("at").textContent = name;
		const program = programBytes();
		worker.postMessage({ program, hash: PROGRAM_HASH, files: job },
		    [program.buffer, ...job.map((file) => file.bytes.buffer)]);
	});

	// Reads the files of a job, the record first.
	const read = (files) => Promise.all(files.map(async (file) => ({
		name: file.name,
		bytes: new Uint8Array(await file.arrayBuffer()),
	})));

	// Checks a job and shows what came out.
	const run = async (files) => {
		let result;

		try {
			result = await check(await read(files));
		} catch (e) {
			abandon();
			clear();
			result = ["bad", "The check could not be made",
			    `${files[0].name} cannot be read: ${e.message}`];
		}
		show(...result);
		return result;
	};

	// What is to be checked: each record by itself, but a tournament with
	// its games.
	const jobs = (files) => {
		const cup = files.find((f) => f.name === "tournament.jsonl");

		return cup === undefined ? files.map((f) => [f])
		    : [[cup, ...files.filter((f) => f !== cup)]];
	};

	// A row for a record that was checked, which can be looked at again.
	const row = (job, [kind, head]) => {
		const item = document.createElement("li");
		const again = document.createElement("button");

		item.className = kind;
		again.type = "button";
		again.textContent = job[0].name;
		again.addEventListener("click", () => run(job));
		item.append(again, ` ${head}`);
		return item;
	};

	// How many there are of each kind.
	const tally = ({ good, bad, doubt }, all) => {
		const n = good + bad + doubt;

		return `${n} of ${all} checked: ${good} hold, ${bad} do not, ` +
		    `${doubt} cannot be checked in full here.` +
		    (good > ROWS_MAX ? `  Of those that hold, the first ` +
		    `${ROWS_MAX} are listed.` : "");
	};

	const take = async (files) => {
		const all = jobs(files.filter((f) => f.name.endsWith(".jsonl")));
		const mine = ++taken;
		const found = { good: 0, bad: 0, doubt: 0 };

		$("list").replaceChildren();
		$("tally").textContent = "";
		$("many").hidden = all.length < 2;
		if (all.length === 0) {
			abandon();
			clear();
			show("doubt", "Nothing to check",
			    "A record's name ends in .jsonl.");
		}
		for (const job of all) {
			const result = await run(job);

			if (mine !== taken)
				return;
			found[result[0]]++;
			$("tally").textContent = tally(found, all.length);
			if (result[0] !== "good" || found.good <= ROWS_MAX)
				$("list").append(row(job, result));
		}
	};

	// The files of what was dropped, those of folders too.
	const dropped = async (entry) => {
		if (entry.isFile)
			return [await new Promise((y, n) => entry.file(y, n))];
		const reader = entry.createReader(), found = [];
		for (;;) {
			const some = await new Promise((y, n) =>
				reader.readEntries(y, n));
			if (some.length === 0)
				return found;
			for (const e of some)
				found.push(...await dropped(e));
		}
	};

	$("rung").textContent = location.protocol === "file:"
	    ? "This is the second of three ways to check a record:"
	    : "This is the first of three ways to check a record, as it came " +
	      "from a server; saved to a disk it is the second:";
	for (const id of ["files", "folder"])
		$(id).addEventListener("change", (e) =>
			take(Array.from(e.target.files)));
	$("stop").addEventListener("click", () => {
		taken++;
		abandon();
		$("files").focus();
	});
	$("weigh").addEventListener("click", () => {
		const checked = abandon;

		abandon = () => {
			stop();
			$("weighed").textContent = "Stopped.  For other odds " +
			    "choose the record again.";
			abandon = checked;
		};
		$("chances").replaceChildren();
		$("picture").hidden = true;
		$("weighed").textContent = "";
		$("work").hidden = false;
		$("bar").removeAttribute("value");
		$("at").textContent = "walking all dice of the combat";
		worker.postMessage({ odds: Number($("combat").value) });
	});
	document.addEventListener("dragover", (e) => e.preventDefault());
	document.addEventListener("drop", async (e) => {
		e.preventDefault();
		const entries = Array.from(e.dataTransfer.items)
		    .map((item) => item.webkitGetAsEntry())
		    .filter((entry) => entry !== null);
		const found = await Promise.all(entries.map(dropped));
		take(found.flat());
	});
})();
