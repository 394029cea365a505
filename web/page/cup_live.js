"use strict";
// SPDX-License-Identifier: ISC
// The page is whole without this.  With it a tournament that goes on comes by
// itself: how it stands is asked for again and again while somebody looks, and
// the page is read anew when that has changed.
(() => {
	const POLL_MS = 5000, JITTER_MS = 1000;
	const { cup } = document.body.dataset;
	const $ = (id) => document.getElementById(id);
	const say = document.createElement("p");
	let last = document.body.dataset.mark;
	let timer = null, isBusy = false, isOver = false;

	// Puts the fresh page in the place of the old; where somebody reads, and
	// what they have reached by the keyboard, stays.
	const put = (page) => {
		const fresh = page.getElementById("main"), old = $("main");
		const focus = document.activeElement;
		const href = old.contains(focus) ? focus.getAttribute("href") : null;

		if (fresh === null)
			return;
		document.title = page.title;
		old.replaceChildren(...fresh.childNodes);
		last = page.body.dataset.mark;
		if (href !== null)
			(old.querySelector(`[href="${CSS.escape(href)}"]`) || old)
			    .focus({ preventScroll: true });
	};

	const look = async () => {
		const reply = await fetch(`/t/${cup}/at`);

		if (!reply.ok)
			return;
		const at = await reply.json();
		if (at.mark !== last) {
			// Not all that look ask in the same moment.
			await new Promise((done) =>
			    setTimeout(done, Math.random() * JITTER_MS));
			const page = await fetch(location.pathname,
			    { cache: "no-cache" });
			if (!page.ok)
				return;
			put(new DOMParser().parseFromString(await page.text(),
			    "text/html"));
			if (say.textContent !== at.now)
				say.textContent = at.now;
		}
		isOver = at.over && at.mark === last;
	};

	const poll = () => {
		if (isBusy)
			return;
		isBusy = true;
		look().catch(() => {}).finally(() => {
			isBusy = false;
			if (isOver)
				stop();
		});
	};

	const start = () => {
		if (timer === null && !document.hidden && !isOver)
			timer = setInterval(poll, POLL_MS);
	};

	const stop = () => {
		clearInterval(timer);
		timer = null;
	};

	say.className = "sr";
	say.setAttribute("role", "status");
	document.body.append(say);
	document.addEventListener("visibilitychange", () => {
		if (document.hidden) {
			stop();
		} else {
			poll();
			start();
		}
	});
	start();
})();
