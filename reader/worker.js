"use strict";
// SPDX-License-Identifier: ISC
// Runs the program: on a record, or on a tournament and its games, and says
// what came out; then on lines that come after it; and on the odds of a combat.
// All that the program may ask of the outside is here: the time, which it must
// not judge by, a place for messages, an end, and to say how far it is.
//
// What it is given, one after the other:
//   { program, hash, files: [{ name, bytes }] }   the record first
//   { program, hash, url, name }    a record that is fetched
//   { program, hash, scenario }     a text, as `umpire odds` reads
//   { more }                        a line that follows the record
//   { odds }                        the number of a combat of the record
// program is its bytes, or where to fetch it; hash is its SHA-256, without
// which it is not run.  `want: []` with a record asks for the verdict alone,
// `seq` for the hash of a line of it, too.
//
// What it says: { fetched, of } bytes and { line, of, read, games } on the way;
// { status, verdict, proof, head }, { luck }, { combats }, { told },
// { done: true, memory } of a record, head that of line seq ("": there is none),
// memory in bytes; { status, proof } of a line; { odds, picture } of odds; { refused }
// if the program is another, and { fault } if anything failed.
const STDERR = 2, BADF = 8, EVERY_MS = 100;
const TRIES_MAX = 4; // of a record, until something comes out twice
const decoder = new TextDecoder(), encoder = new TextEncoder();
let c = null; // what the program exports
let made = { hash: "", module: null }; // the program whose hash was right
let said_ms = 0, said = "", lines = 0;
let given = []; // the files of the record that was judged
let followed = false; // lines came after it

// SHA-256 (FIPS 180-4).  Browsers have one, but not for pages that come over
// plain HTTP.
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
			const [a, b, d, , e, f, g] = v;
			const t = (v[7] + k[i] + w[i] +
			    (right(e, 6) ^ right(e, 11) ^ right(e, 25)) +
			    ((e & f) ^ (~e & g))) | 0;
			v.pop();
			v.unshift((t +
			    (right(a, 2) ^ right(a, 13) ^ right(a, 22)) +
			    ((a & b) ^ (a & d) ^ (b & d))) | 0);
			v[4] = (v[4] + t) | 0;
		}
		for (let i = 0; i < 8; i++)
			h[i] = (h[i] + v[i]) | 0;
	}
	return h.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
};

// ---- what the program may ask ----

const view = () => new DataView(c.memory.buffer);

const wasi = {
	clock_time_get: (id, precision, out) => {
		view().setBigUint64(out, BigInt(Date.now()) * 1000000n, true);
		return 0;
	},
	fd_write: (fd, iov, n, out) => {
		let got = 0;

		if (fd !== STDERR)
			return BADF;
		for (let i = 0; i < n; i++) {
			const at = view().getUint32(iov + 8 * i, true);
			const len = view().getUint32(iov + 8 * i + 4, true);

			said += decoder.decode(
			    new Uint8Array(c.memory.buffer, at, len));
			got += len;
		}
		view().setUint32(out, got, true);
		return 0;
	},
	proc_exit: (status) => {
		throw new Error(`it ended with ${status}: ${said}`);
	},
};

// True now and then, so that there are not too many messages.
const isTime = () => {
	const now = Date.now();

	if (now < said_ms + EVERY_MS)
		return false;
	said_ms = now;
	return true;
};

const page = {
	progress: (line, read, games) => {
		if (isTime())
			postMessage({ line: Number(line), of: lines, read,
			    games });
	},
};

// ---- bytes ----

// The bytes at an address, in the pieces in which they came.
const fetched = async (url) => {
	const response = await fetch(url);
	if (!response.ok)
		throw new Error(`${url} could not be fetched: the server ` +
		    `answered ${response.status}`);
	const reader = response.body.getReader();
	const of = Number(response.headers.get("Content-Length") ?? 0);
	const pieces = [];
	for (let got = 0;;) {
		const { done, value } = await reader.read();
		if (done)
			return pieces;
		pieces.push(value);
		got += value.length;
		if (isTime())
			postMessage({ fetched: got, of });
	}
};

// Pieces as one.
const joined = (pieces) => {
	const whole = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
	let at = 0;

	for (const piece of pieces) {
		whole.set(piece, at);
		at += piece.length;
	}
	return whole;
};

// How many lines end in some bytes.
const ended = (bytes) => {
	let n = 0;

	for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1))
		n++;
	return n;
};

// Puts pieces into the program's memory: [where, how many bytes].
const give = (pieces) => {
	const len = pieces.reduce((n, p) => n + p.length, 0);
	const start = c.reader_room(len);
	let at = start;

	for (const piece of pieces) {
		new Uint8Array(c.memory.buffer).set(piece, at);
		at += piece.length;
	}
	return [start, len];
};

const text = (len) => decoder.decode(
    new Uint8Array(c.memory.buffer, c.reader_text(), len));
const json = (len) => len === 0 ? null : JSON.parse(text(len));

// ---- what it is asked ----

// Begins with a new instance, with memory of its own.
const begin = async () => {
	c = null;
	said = "";
	const instance = await WebAssembly.instantiate(made.module,
	    { wasi_snapshot_preview1: wasi, page });
	c = instance.exports;
	c._initialize();
};

// Starts the program anew; false if it is not the one with that hash.
const start = async ({ program, hash }) => {
	c = null;
	given = [];
	followed = false;
	if (made.hash !== hash) {
		const bytes = typeof program === "string"
		    ? joined(await fetched(program)) : program;

		if (sha256(bytes) !== hash) {
			postMessage({ refused: "The program was changed: its " +
			    "SHA-256 is not the one that the page was made " +
			    "with.  Nothing was run." });
			return false;
		}
		made = { hash, module: await WebAssembly.compile(bytes) };
	}
	await begin();
	return true;
};

// A file for the program, in pieces.
const add = (name, pieces) => {
	const [called] = give([encoder.encode(name)]);
	const [at, len] = give(pieces);

	c.reader_add(called, at, len);
};

// Judges a record once: { status, verdict }.
const judge = (files) => {
	for (const file of files)
		add(file.name, file.pieces ?? [file.bytes]);
	const status = c.reader_judge();
	return { status, verdict: text(c.reader_verdict()) };
};

// Judges a record.  Not every browser computes rightly at all times: WebKit 2.50
// ends one check in a hundred with a trap, and rarely one with another verdict,
// while it compiles a function that runs (with JSC_useBBQJIT=0 it never did).  No
// wrong sum makes a record good, but nobody is to be accused by one: all else has
// to come out twice.
const judged = async (files) => {
	const seen = [];

	for (let tries = 0; tries < TRIES_MAX; tries++) {
		let now = null, fault = null;

		if (tries > 0)
			await begin();
		try {
			now = judge(files);
		} catch (e) {
			fault = e;
		}
		if (now?.status === 0)
			return now;
		const what = now === null ? fault.message : JSON.stringify(now);
		if (seen.includes(what)) {
			if (now === null)
				throw fault;
			return now;
		}
		seen.push(what);
	}
	throw new Error("This browser computes wrongly: something else comes " +
	    "out each time.  Take another one, or umpire verify.");
};

// What the program says, of what it was given; once more if that ends in a trap.
const told = async (ask) => {
	try {
		return ask();
	} catch (e) {
		if (followed)
			throw e;
		await begin();
		if (given.length > 0)
			judge(given);
		return ask();
	}
};

const record = async (asked) => {
	const files = asked.files ??
	    [{ name: asked.name, pieces: await fetched(asked.url) }];
	const want = asked.want ?? ["luck", "combats", "told"];

	lines = (files[0].pieces ?? [files[0].bytes])
	    .reduce((n, piece) => n + ended(piece), 0);
	const { status, verdict } = await judged(files);
	given = files;
	const proof = json(c.reader_proof());
	const head = "seq" in asked ? text(c.reader_head(asked.seq)) : "";
	postMessage({ status, verdict, proof, head });
	if (want.includes("luck"))
		postMessage({ luck: await told(() => json(c.reader_luck())) });
	if (want.includes("combats"))
		postMessage({ combats: await told(
		    () => json(c.reader_combats())) });
	if (want.includes("told"))
		postMessage({ told: await told(() => text(c.reader_told())) });
	postMessage({ done: true, memory: c.memory.buffer.byteLength });
};

const odds = async (ask) => {
	postMessage(await told(() => ({ odds: json(ask()),
		picture: text(c.reader_picture()) })));
};

const answer = async (asked) => {
	try {
		if ("program" in asked && !await start(asked))
			return;
		if (c === null)
			throw new Error("there is no record to go on from");
		if ("more" in asked) {
			followed = true;
			const status = c.reader_more(
			    ...give([encoder.encode(asked.more)]));
			postMessage({ status, proof: json(c.reader_proof()) });
		} else if ("scenario" in asked) {
			await odds(() => c.reader_scenario(
			    ...give([encoder.encode(asked.scenario)])));
		} else if ("odds" in asked) {
			await odds(() => c.reader_odds(asked.odds));
		} else {
			await record(asked);
		}
	} catch (e) {
		c = null; // what failed in the middle is not gone on with
		postMessage({ fault: String(e.message) });
	}
};

// One after the other.
let last = Promise.resolve();
onmessage = ({ data }) => (last = last.then(() => answer(data)));
