// SPDX-License-Identifier: ISC
// worker.mjs WORKER PROGRAM [ERRS] <FILES: runs the reader's worker as it is, under
// node, on each record whose path is a line of standard input, with the games
// beside it if it is a tournament's; a line of JSON is given to it as it is,
// with the program where it names none of a scenario.  Prints a line of JSON for
// each with all that the worker said, and how long and how much of the CPU the
// verdict took, in milliseconds.  ERRS: as an engine does that computes wrongly,
// once (trap, bad), each time in the same way (stuck), or in another one (wild).
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";

const [worker, program, errs] = process.argv.slice(2);
const source = readFileSync(worker, "utf8");
const bytes = readFileSync(program);
const hash = createHash("sha256").update(bytes).digest("hex");
const port = {};
let said;

// An engine that may err: a trap is one of the first instance in a verdict, and
// of the next in telling the battle.
let instances = 0;
const erring = (exports) => {
	const n = instances++;
	const trap = (at, f) => (...args) => {
		if (errs === "wild" || errs === "stuck" ||
		    (errs === "trap" && n === at))
			throw new Error(errs === "wild" ? `err ${n}` : "err");
		return f(...args);
	};
	const judge = () => errs === "bad" && n === 0
	    ? 1 : exports.reader_judge();

	return { ...exports, reader_judge: trap(0, judge),
		reader_scenario: trap(0, exports.reader_scenario),
		reader_told: trap(1, exports.reader_told) };
};
const engine = { compile: WebAssembly.compile,
	instantiate: async (module, imports) => ({ exports: erring(
	    (await WebAssembly.instantiate(module, imports)).exports) }) };

// What is a worker's global scope in a browser is a function's here.
new Function("port", "WebAssembly", "postMessage",
    source.replace("onmessage =", "port.onmessage ="))(port, engine, (m) => {
	said.lines += "line" in m;
	if ("verdict" in m) {
		const { user, system } = process.cpuUsage(said.began_cpu);

		said.cpu_ms = (user + system) / 1000;
	}
	Object.assign(said, m);
});

// A record with the games beside it.
const files = (record) => {
	const folder = dirname(record);
	const games = basename(record) !== "tournament.jsonl" ? []
	    : readdirSync(folder).filter((name) => /^[0-9a-f]{64}\./.test(name))
	        .map((name) => join(folder, name));

	return [record, ...games].map((path) => ({ name: basename(path),
	    bytes: readFileSync(path) }));
};

for await (const line of createInterface({ input: process.stdin })) {
	const asked = line.startsWith("{") ? JSON.parse(line)
	    : { program: bytes, hash, files: files(line) };

	if ("scenario" in asked)
		Object.assign(asked, { program: bytes, hash });
	said = { record: line, lines: 0, began_cpu: process.cpuUsage() };
	instances = 0;
	await port.onmessage({ data: asked });
	console.log(JSON.stringify(said));
}
