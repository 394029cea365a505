"use strict";
// SPDX-License-Identifier: ISC
// Gives records to the program, each in a worker of its own, and shows what it
// says.  It judges nothing by itself: it compares the program's hash, and that
// is all it knows of what is checked.
(() => {
	const PROGRAM_HASH = "@PROGRAM-HASH@";
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
	let worker = null; // what runs now
	let abandon = () => {}; // ends it
	let taken = 0; // how often something was given

	// ---- the program ----

	// SHA-256 (FIPS 180-4).  Browsers have one, but not for pages that come
	// over plain HTTP.
	const sha256 = (bytes) => {
		const primes = [];
		for (let n = 2; primes.length < 64; n++)
			if (primes.every((p) => n % p !== 0))
				primes.push(n);
		const fraction = (x) => Math.floor((x % 1) * 2 ** 32) >>> 0;
		const k = primes.map((p) => fraction(Math.cbrt(p)));
		const h = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
		const size = (bytes.length + 9 + 63) & ~63;
		const padded = new Uint8Array(size);
		padded.set(bytes);
		padded[bytes.length] = 0x80;
		const view = new DataView(padded.buffer);
		view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
		view.setUint32(size - 4, bytes.length << 3);
		const right = (x, n) => (x >>> n) | (x << (32 - n));
		const w = new Int32Array(64);
		for (let at = 0; at < size; at += 64) {
			for (let i = 0; i < 16; i++)
				w[i] = view.getInt32(at + 4 * i);
			for (let i = 16; i < 64; i++) {
				const a = w[i - 15], b = w[i - 2];
				w[i] = w[i - 16] + w[i - 7] +
				    (right(a, 7) ^ right(a, 18) ^ (a >>> 3)) +
				    (right(b, 17) ^ right(b, 19) ^ (b >>> 10));
			}
			const v = h.slice();
			for (let i = 0; i < 64; i++) {
				const [a, b, c, , e, f, g] = v;
				const t = (v[7] + k[i] + w[i] +
				    (right(e, 6) ^ right(e, 11) ^ right(e, 25)) +
				    ((e & f) ^ (~e & g))) | 0;
				v.pop();
				v.unshift((t +
				    (right(a, 2) ^ right(a, 13) ^ right(a, 22)) +
				    ((a & b) ^ (a & c) ^ (b & c))) | 0);
				v[4] = (v[4] + t) | 0;
			}
			for (let i = 0; i < 8; i++)
				h[i] = (h[i] + v[i]) | 0;
		}
		return h.map((x) => (x >>> 0).toString(16).padStart(8, "0"))
		    .join("");
	};

	// The program's bytes; an Error if they are not those of this page.
	const programBytes = () => {
		let text;
		try {
			text = atob($("program").textContent.trim());
		} catch (e) {
			text = "";
		}
		const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
		if (sha256(bytes) !== PROGRAM_HASH)
			throw new Error("The program inside this page was " +
			    "changed: its SHA-256 is not the one that the " +
			    "page was made with.  Nothing was run.  Get the " +
			    "page again from where its release is.");
		return bytes;
	};

	// ---- what is shown ----

	const show = (kind, head, means) => {
		$("found").hidden = false;
		$("found").className = kind;
		$("result").textContent = head;
		$("means").textContent = means;
	};

	const clear = () => {
		for (const id of ["found", "dice", "told"])
			$(id).hidden = true;
		for (const id of ["result", "means", "verdict"])
			$(id).textContent = "";
		$("told").srcdoc = "";
		$("luck").replaceChildren();
	};

	const number = (x, digits) =>
		x === null ? "–" : x.toFixed(digits);

	// A table of what `umpire luck` counts.
	const showLuck = (luck) => {
		const table = document.createElement("table");
		const row = (cells, tag) => {
			const tr = table.insertRow();
			for (const cell of cells) {
				const td = document.createElement(tag);
				td.textContent = cell;
				tr.append(td);
			}
		};

		table.createCaption().textContent = "For each kind of roll and " +
		    "side: how many dice, what they showed on average, what " +
		    "fair dice show, and the chance that fair dice are so far " +
		    "from that or farther.";
		row(["roll", "die", "side", "dice", "average", "fair", "chance"],
		    "th");
		for (const k of luck.kinds)
			row([k.kind || k.for, `d${k.sides}`,
			    k.side === 0 ? "director" : k.side, k.dice,
			    number(k.mean, 2), number(k.even, 2),
			    number(k.p_mean, 3)], "td");
		$("luck").replaceChildren(table);
		$("dice").hidden = luck.kinds.length === 0;
	};

	const showTold = (html) => {
		$("told").hidden = html === "";
		$("told").srcdoc = html;
	};

	// ---- checking ----

	const stop = () => {
		if (worker !== null)
			worker.terminate();
		worker = null;
		$("work").hidden = true;
	};

	// How far the worker is, out of so many lines.
	const showProgress = (name, { line, read, games }, lines) => {
		$("bar").value = line;
		$("at").textContent = `${name}: line ${line} of ${lines}` +
		    (games > 0 ? `, ${read} of ${games} games` : "");
	};

	// Checks a job, [{name, bytes}], the record first; ends with
	// [kind, head, means].
	const check = (job) => new Promise((done) => {
		const [{ name, bytes }] = job;
		let program, result;
		const fail = (why) => {
			stop();
			done(["bad", "The check could not be made", why]);
		};

		stop();
		clear();
		try {
			program = programBytes();
		} catch (e) {
			done(["bad", "Nothing was checked", e.message]);
			return;
		}
		const lines = bytes.reduce((n, c) => n + (c === 10), 0);
		$("work").hidden = false;
		$("bar").max = lines;
		$("bar").value = 0;
		$("at").textContent = name;
		const source = URL.createObjectURL(new Blob(
		    [$("worker").textContent], { type: "text/javascript" }));
		worker = new Worker(source);
		URL.revokeObjectURL(source);
		abandon = () => {
			stop();
			clear();
			done(["doubt", "Stopped",
			    "Nothing is known of this record."]);
		};
		worker.onmessage = ({ data }) => {
			if ("line" in data) {
				showProgress(name, data, lines);
			} else if ("status" in data) {
				result = RESULTS[data.status];
				show(...result);
				$("verdict").textContent = data.verdict;
				$("at").textContent = "telling the battle";
				$("bar").removeAttribute("value");
			} else if ("luck" in data) {
				showLuck(data.luck);
			} else if ("told" in data) {
				showTold(data.told);
				stop();
				done(result);
			} else {
				fail(data.fault);
			}
		};
		worker.onerror = (e) => fail(e.message);
		worker.postMessage({ program, files: job });
	});

	// Reads the files of a job, the record first.
	const read = (files) => Promise.all(files.map(async (file) => ({
		name: file.name,
		bytes: new Uint8Array(await file.arrayBuffer()),
	})));

	// Checks a job and shows what came out.
	const run = async (files) => {
		const result = await check(await read(files));
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

	const take = async (files) => {
		const all = jobs(files.filter((f) => f.name.endsWith(".jsonl")));
		const mine = ++taken;

		$("list").replaceChildren();
		$("many").hidden = all.length < 2;
		if (all.length === 0) {
			stop();
			clear();
			show("doubt", "Nothing to check",
			    "A record's name ends in .jsonl.");
		}
		for (const job of all) {
			const result = await run(job);
			const item = document.createElement("li");
			const again = document.createElement("button");

			if (mine !== taken)
				return;
			item.className = result[0];
			again.type = "button";
			again.textContent = job[0].name;
			again.addEventListener("click", () => run(job));
			item.append(again, ` ${result[1]}`);
			$("list").append(item);
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
