"use strict";
// SPDX-License-Identifier: ISC
// The page is whole without this.  With it a game that goes on comes by itself:
// the server says which part has changed, and that part is asked for as HTML.
(() => {
	const JITTER_MS = 1000, POLL_MS = 5000, AGAIN_MS = 30000;
	const RETRY_MS = 2000, TRIES = 5, BEHIND = 3;
	const { game } = document.body.dataset;
	const $ = (id) => document.getElementById(id);
	const now = $("now"), live = $("live"), say = $("say");
	let last = Number(document.body.dataset.seq);
	// How many texts of the game were erased before this page was made: parts
	// are asked for by addresses that say so, which no cache has with words
	// that are erased.
	let epoch = Number(document.body.dataset.epoch);
	let stream = null, poll = null, is_over = false, work = Promise.resolve();
	let is_renewing = false, behind = 0;
	// The turn that was told last.
	let turn = Number.parseInt($("turns")?.lastElementChild?.id.slice(1), 10) ||
	    0;

	const wait = (ms) => new Promise((done) => setTimeout(done, ms));

	// True if a gateway answers that has the last line that is known here.
	const isThere = async () => {
		const reply = await fetch(`/g/${game}/at`).catch(() => null);

		return reply !== null && reply.ok &&
		    (await reply.json()).seq >= last;
	};

	// The elements that an address gives: a turn that was taken back and
	// played again has several.  410: words in it were erased, and this is
	// what is left.  Another gateway of the site may not have it yet.  While
	// none does it is asked for again and again: nobody tells of it twice.
	const fetchPart = async (name) => {
		for (let tries = 1;; tries++) {
			const suffix = epoch > 0 ? `.${epoch}` : "";
			const reply = await fetch(
			    `/g/${game}/p/${name}@${last}${suffix}`)
			    .catch(() => null);

			if (reply?.ok || reply?.status === 410) {
				const page = new DOMParser().parseFromString(
				    await reply.text(), "text/html");

				return Array.from(page.body.children);
			}
			if (reply?.status < 500 && reply.status !== 429 &&
			    tries >= TRIES && await isThere())
				return [];
			await wait(tries < TRIES ? RETRY_MS : AGAIN_MS);
		}
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

	// Parts have changed: a combat is put in its place if that is here, else
	// its turn is.
	const refresh = async (names, words) => {
		await wait(Math.random() * JITTER_MS);
		const told = await Promise.all(names.map(fetchPart));

		for (const fresh of told[0])
			put(fresh, $("main"));
		for (const fresh of told.slice(1).flat())
			put(fresh, $("turns"));
		if (words)
			say.textContent = words;
	};

	// One after the other; "now" is how the game stands.
	const change = (names, words) => {
		work = work.then(() => refresh(["now", ...names], words))
		    .catch(() => {});
	};

	const take = (line) => {
		if (line.seq <= last)
			return;
		const [name] = line.part.split("@");

		last = line.seq;
		turn = line.turn;
		change([name.startsWith("c") && $(name) === null ?
		    `t${turn}` : name], line.say);
	};

	// All of the page is to be read anew, once there is one without what was
	// erased: a cache may have it as it was for a while.
	const renew = async () => {
		const reply = await fetch(location.pathname, { cache: "reload" })
		    .catch(() => null);
		const page = new DOMParser().parseFromString(
		    reply === null ? "" : await reply.text(), "text/html");

		if (Number(page.body.dataset.epoch) > epoch)
			location.reload();
		else
			setTimeout(renew, AGAIN_MS);
	};
	const startRenewing = () => {
		if (!is_renewing)
			renew();
		is_renewing = true;
	};

	// Words were erased: the parts that had them are told anew, or all of the
	// page if they may stand anywhere.  Without a number it is another record.
	const drop = (gone) => {
		if (gone.epoch === undefined) {
			location.reload();
		} else if (gone.epoch > epoch && gone.parts === undefined) {
			startRenewing();
		} else if (gone.epoch > epoch) {
			epoch = gone.epoch;
			change([...new Set(gone.parts)].filter((name) =>
			    $(name) !== null));
		}
	};

	// What another has asked for: where the game is.  Fewer lines than are
	// here may be what a cache has; if it stays so it is another record.
	const hear = (at) => {
		behind = at.seq < last ? behind + 1 : 0;
		if (behind > BEHIND) {
			location.reload();
			return;
		}
		if (at.epoch > epoch)
			startRenewing();
		if (at.seq <= last)
			return;
		const to = Number.parseInt(at.part.slice(1), 10);
		const names = [];

		for (let t = Math.min(turn, to); t <= to; t++)
			names.push(`t${t}`);
		last = at.seq;
		turn = to;
		change(names, at.now);
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
			hear(await reply.json());
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
		stream = new EventSource(
		    `/g/${game}/events?after=${last}&epoch=${epoch}`);
		stream.addEventListener("open", () => {
			live.hidden = false;
		});
		stream.addEventListener("line", (e) => take(JSON.parse(e.data)));
		stream.addEventListener("erased", (e) => drop(JSON.parse(e.data)));
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
