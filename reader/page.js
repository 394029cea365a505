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
	let waiting = []; // files that are still to be checked

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

	// Checks the bytes of one record.
	const check = (name, bytes) => {
		let program;

		stop();
		clear();
		try {
			program = programBytes();
		} catch (e) {
			show("bad", "Nothing was checked", e.message);
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
		worker.onmessage = ({ data }) => {
			if ("line" in data) {
				$("bar").value = data.line;
				$("at").textContent = `${name}: line ` +
				    `${data.line} of ${lines}`;
			} else if ("status" in data) {
				show(...RESULTS[data.status]);
				$("verdict").textContent = data.verdict;
				$("at").textContent = "telling the battle";
				$("bar").removeAttribute("value");
			} else if ("luck" in data) {
				showLuck(data.luck);
			} else if ("told" in data) {
				showTold(data.told);
				stop();
			} else {
				stop();
				show("bad", "The check could not be made",
				    data.fault);
			}
		};
		worker.onerror = (e) => {
			stop();
			show("bad", "The check could not be made", e.message);
		};
		worker.postMessage({ program, name, bytes },
		    [program.buffer, bytes.buffer]);
	};

	const take = async (files) => {
		waiting = Array.from(files);
		if (waiting.length === 0)
			return;
		const file = waiting.shift();
		check(file.name, new Uint8Array(await file.arrayBuffer()));
	};

	$("rung").textContent = location.protocol === "file:"
	    ? "This is the second of three ways to check a record:"
	    : "This is the first of three ways to check a record, as it came " +
	      "from a server; saved to a disk it is the second:";
	$("files").addEventListener("change", (e) => take(e.target.files));
	$("stop").addEventListener("click", () => {
		stop();
		clear();
		show("doubt", "Stopped", "Nothing is known of this record.");
	});
	document.addEventListener("dragover", (e) => e.preventDefault());
	document.addEventListener("drop", (e) => {
		e.preventDefault();
		take(e.dataTransfer.files);
	});
})();
