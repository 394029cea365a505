"use strict";
// SPDX-License-Identifier: ISC
// Has a record checked by the program that players use, in a worker; it judges
// nothing by itself.
(() => {
	const button = document.getElementById("verify");
	const verdict = document.getElementById("verdict");
	const WORDS = {
		0: ["good", "It holds: every line, signature, proof and die."],
		1: ["bad", "It does not hold."],
		2: ["doubt", "Not all of it can be checked here. What could be " +
		    "checked holds."],
	};

	if (button === null || typeof WebAssembly !== "object")
		return;
	const tell = (kind, text) => {
		verdict.className = kind;
		verdict.textContent = text;
	};
	button.hidden = false;
	button.addEventListener("click", () => {
		const { worker, program, hash, record } = button.dataset;
		const w = new Worker(worker);
		const end = (kind, text) => {
			tell(kind, text);
			button.disabled = false;
			w.terminate();
		};

		button.disabled = true;
		tell("", "Fetching the record and the program ...");
		w.onmessage = ({ data }) => {
			if ("status" in data) {
				const [kind, text] = WORDS[data.status];
				end(kind, data.status === 0 ? text
				    : `${text} ${data.verdict}`);
			} else if ("line" in data) {
				tell("", `Line ${data.line} ...`);
			} else if ("fault" in data) {
				end("bad", `It could not be checked: ${data.fault}`);
			}
		};
		w.onerror = (e) =>
			end("bad", `It could not be checked: ${e.message}`);
		w.postMessage({ program, hash, url: record });
	});
})();
