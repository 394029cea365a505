"use strict";
// SPDX-License-Identifier: ISC
// Runs the program on one record, or on a tournament and its games, and says
// what came out.  All that the program
// may ask of the outside is here: the time, which it must not judge by, a place
// for messages, an end, and to say how far it is.
const STDERR = 2, BADF = 8, EVERY_MS = 100;

onmessage = async (message) => {
	const { program, files } = message.data;
	const decoder = new TextDecoder();
	let memory, said = "", told_ms = 0;
	const view = () => new DataView(memory.buffer);

	const wasi = {
		clock_time_get: (id, precision, out) => {
			view().setBigUint64(out, BigInt(Date.now()) * 1000000n,
			    true);
			return 0;
		},
		fd_write: (fd, iov, n, out) => {
			let got = 0;

			if (fd !== STDERR)
				return BADF;
			for (let i = 0; i < n; i++) {
				const at = view().getUint32(iov + 8 * i, true);
				const len =
				    view().getUint32(iov + 8 * i + 4, true);

				said += decoder.decode(
				    new Uint8Array(memory.buffer, at, len));
				got += len;
			}
			view().setUint32(out, got, true);
			return 0;
		},
		proc_exit: (status) => {
			throw new Error(`it ended with ${status}: ${said}`);
		},
	};
	const page = {
		progress: (line, read, games) => {
			const now = Date.now();

			if (now < told_ms + EVERY_MS)
				return;
			told_ms = now;
			postMessage({ line: Number(line), read, games });
		},
	};

	try {
		const { instance } = await WebAssembly.instantiate(program,
		    { wasi_snapshot_preview1: wasi, page });
		const c = instance.exports;
		const give = (given) => {
			const at = c.reader_room(given.length);

			new Uint8Array(memory.buffer).set(given, at);
			return at;
		};
		const text = (len) => decoder.decode(
		    new Uint8Array(memory.buffer, c.reader_text(), len));

		memory = c.memory;
		c._initialize();
		for (const { name, bytes } of files)
			c.reader_add(give(new TextEncoder().encode(name)),
			    give(bytes), bytes.length);
		const status = c.reader_judge();
		postMessage({ status, verdict: text(c.reader_verdict()) });
		const luck = c.reader_luck();
		if (luck > 0)
			postMessage({ luck: JSON.parse(text(luck)) });
		const told = c.reader_told();
		postMessage({ told: told > 0 ? text(told) : "" });
	} catch (e) {
		postMessage({ fault: String(e.message) });
	}
};
