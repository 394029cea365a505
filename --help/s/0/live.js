"use strict";
// SPDX-License-Identifier: ISC
// The page is whole without this.  With it a game that goes on comes by itself:
// the server says which part has changed, and that part is asked for as HTML.
(() => {
	const JITTER_MS = 1000, POLL_MS = 5000, AGAIN_MS = 30000;
	const { game } = document.body.dataset;
	const $ = (id) => document.getElementById(id);
	const now = $("now"), live = $("live"), say = $("say");
	let last = Number(document.body.dataset.seq);
	let stream = null, poll = null, is_over = false, work = Promise.resolve();

	const wait = (ms) => new Promise((done) => setTimeout(done, ms));

	// The elements that an address gives: a turn that was taken back and
	// played again has several.
	const fetchPart = async (part) => {
		const reply = await fetch(`/g/${game}/p/${part}`);

		if (!reply.ok)
			return [];
		const page = new DOMParser().parseFromString(await reply.text(),
		    "text/html");
		return Array.from(page.body.children);
	};

	// What somebody has opened or closed stays so, where they read stays
	// where it is.
	const put = (fresh, parent) => {
		const old = $(fresh.id);
		const open = old === null ? [] :
		    Array.from(old.querySelectorAll("details"), (d) => d.open);

		fresh.classList.add("fresh");
		if (old === null) {
			parent.append(fresh);
			return;
		}
		if (old.open !== undefined)
			fresh.open = old.open;
		fresh.querySelectorAll("details").forEach((d, i) => {
			if (i < open.length)
				d.open = open[i];
		});
		const focus = document.activeElement;
		const id = old.contains(focus) ? focus.id ||
		    focus.getAttribute("href") : "";
		old.replaceWith(fresh);
		if (id !== "")
			(document.getElementById(id) || fresh.querySelector(
			    `[href="${CSS.escape(id)}"]`) || $("main"))
			    .focus({ preventScroll: true });
	};

	// A line has come: its combat if that is here, else its turn.
	const refresh = async (line) => {
		const [name] = line.part.split("@");

		await wait(Math.random() * JITTER_MS);
		const whole = name.startsWith("c") && $(name) === null;
		const part = whole ? `t${line.turn}@${line.seq}` : line.part;
		const [told, panel] = await Promise.all([fetchPart(part),
		    fetchPart(`now@${line.seq}`)]);
		for (const fresh of told)
			put(fresh, $("turns"));
		for (const fresh of panel)
			put(fresh, $("main"));
		if (line.say)
			say.textContent = line.say;
	};

	const take = (line) => {
		if (line.seq <= last)
			return;
		last = line.seq;
		work = work.then(() => refresh(line)).catch(() => {});
	};

	const stop = () => {
		if (stream !== null)
			stream.close();
		clearInterval(poll);
		stream = poll = null;
		live.hidden = true;
	};

	// Without a stream the line that is the last is asked for again and again.
	const startPoll = () => {
		if (poll !== null)
			return;
		poll = setInterval(async () => {
			const reply = await fetch(`/g/${game}/at`).catch(() => null);

			if (reply === null || !reply.ok)
				return;
			const at = await reply.json();
			take({ seq: at.seq, turn: at.turn, say: at.now,
			    part: `t${at.turn}@${at.seq}` });
		}, POLL_MS);
	};

	// One stream, and none while nobody looks: a browser has few connections
	// for each site.
	const start = () => {
		if (stream !== null || document.hidden || is_over)
			return;
		if (!("EventSource" in window)) {
			startPoll();
			return;
		}
		stream = new EventSource(`/g/${game}/events?after=${last}`);
		stream.addEventListener("open", () => {
			live.hidden = false;
		});
		stream.addEventListener("line", (e) => take(JSON.parse(e.data)));
		stream.addEventListener("erased", () => location.reload());
		stream.addEventListener("over", () => {
			is_over = true;
			stop();
		});
		stream.addEventListener("error", () => {
			live.hidden = true;
			// A stream that may come again does so by itself.
			if (stream === null || stream.readyState !== 2)
				return;
			stop();
			startPoll();
			setTimeout(() => {
				stop();
				start();
			}, AGAIN_MS);
		});
	};

	// An address that leads into a turn that is folded opens it.
	const unfold = () => {
		const to = $(decodeURIComponent(location.hash.slice(1)));

		for (let e = to; e !== null; e = e.parentElement)
			if (e.tagName === "DETAILS")
				e.open = true;
		if (to !== null)
			to.scrollIntoView();
	};

	document.addEventListener("visibilitychange",
	    () => (document.hidden ? stop() : start()));
	window.addEventListener("hashchange", unfold);
	if (location.hash.length > 1)
		unfold();
	if (now !== null && live !== null)
		start();
})();
