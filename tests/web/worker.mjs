// SPDX-License-Identifier: ISC
// worker.mjs WORKER PROGRAM <FILES: runs the reader's worker as it is, under
// node, on each record whose path is a line of standard input, with the games
// beside it if it is a tournament's; prints a line of JSON for each with all
// that the worker said.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";

const [worker, program] = process.argv.slice(2);
const source = readFileSync(worker, "utf8");
const bytes = readFileSync(program);
const port = {};
let said;

// What is a worker's global scope in a browser is a function's here.
new Function("port", "postMessage",
    source.replace("onmessage =", "port.onmessage ="))(port, (m) => {
	said.lines += "line" in m;
	Object.assign(said, m);
});
for await (const record of createInterface({ input: process.stdin })) {
	const began = performance.now();

	said = { record, lines: 0 };
	const folder = dirname(record);
	const games = basename(record) !== "tournament.jsonl" ? []
	    : readdirSync(folder).filter((name) => /^[0-9a-f]{64}\./.test(name))
	        .map((name) => join(folder, name));
	await port.onmessage({ data: { program: bytes,
	    files: [record, ...games].map((path) => ({ name: basename(path),
	        bytes: readFileSync(path) })) } });
	said.ms = performance.now() - began;
	console.log(JSON.stringify(said));
}
