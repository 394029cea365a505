/* SPDX-License-Identifier: ISC */
#include "web/web_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/json/js.h"
#include "web/web_cup.h"
#include "web/web_games.h"
#include "web/web_link.h"
#include "web/web_site.h"

#define WEB_FIND_DIGITS 12 /* of an address, at least */
#define WEB_FIND_SLOTS 4096
#define WEB_FIND_MS 5000 /* for so long an answer counts */
#define WEB_FIND_ROWS 20
#define WEB_FIND_ASKING 256 /* questions at a time */

/* An answer that is kept. */
struct web_find_slot {
	enum web_find_what what;
	char digits[2 * HASH_LEN + 1];
	struct web_found found;
	int64_t until_ms; /* monotonic */
};

struct web_find {
	struct web_site *s; /* borrowed */
	struct web_find_slot *slots; /* owned */
	int asking;
};

/* A question on its way. */
struct web_finding {
	struct web_find *fi;
	enum web_find_what what;
	char digits[2 * HASH_LEN + 1];
	web_find_answer *answer; /* NULL: it was taken back */
	void *arg;
};

struct web_find *
web_find_new(struct web_site *s)
{
	struct web_find *fi = xalloc(sizeof(*fi));

	fi->s = s;
	fi->slots = xalloc(WEB_FIND_SLOTS * sizeof(*fi->slots));
	return (fi);
}

void
web_find_free(struct web_find *fi)
{
	if (fi == NULL)
		return;
	free(fi->slots);
	free(fi);
}

/* Where an answer would be kept. */
static struct web_find_slot *
web_find_slot(struct web_find *fi, enum web_find_what what, const char *digits)
{
	uint32_t h = 2166136261U + (uint32_t)what;

	for (; *digits != '\0'; digits++)
		h = (h ^ (unsigned char)*digits) * 16777619U;
	return (&fi->slots[h % WEB_FIND_SLOTS]);
}

/* How many digits at their begin two ids share. */
static int
web_find_shared(const char *a, const char *b)
{
	int n = 0;

	while (a[n] != '\0' && a[n] == b[n])
		n++;
	return (n);
}

/* Reads what a list says of those that begin like that. */
static void
web_find_read(enum web_find_what what, const char *digits, const json_t *games,
    struct web_found *f)
{
	const char *name = what == WEB_FIND_GAME ? "game" : "tournament";
	const char *hex, *title;
	const json_t *v;
	size_t i, n = 0;

	memset(f, 0, sizeof(*f));
	f->digits = WEB_FIND_DIGITS;
	json_array_foreach(games, i, v)
	{
		hex = js_str(v, name);
		if (hex == NULL || strlen(hex) != 2 * HASH_LEN ||
		    strncmp(hex, digits, strlen(digits)) != 0)
			continue;
		n++;
		memcpy(f->hex, hex, sizeof(f->hex));
		title = js_str(v, "title");
		/* It may be cut within a character: then it is left out. */
		if (title != NULL && strlen(title) < sizeof(f->title))
			(void)snprintf(f->title, sizeof(f->title), "%s", title);
	}
	f->r = n == 0 ? ERR_NOTFOUND : n > 1 ? ERR_EXISTS : 0;
	f->games = f->r == ERR_EXISTS && what == WEB_FIND_GAME ? games : NULL;
	json_array_foreach(games, i, v)
	{
		hex = js_str(v, name);
		if (f->r != 0 || hex == NULL || strcmp(hex, f->hex) == 0)
			continue;
		if (web_find_shared(hex, f->hex) >= f->digits)
			f->digits = web_find_shared(hex, f->hex) + 1;
	}
}

/* The answer of game.list or tournament.list. */
static void
web_find_list_cb(void *arg, int r, const json_t *result)
{
	struct web_finding *q = arg;
	struct web_find_slot *slot = web_find_slot(q->fi, q->what, q->digits);
	struct web_found f = {.r = ERR_CLOSED};

	q->fi->asking--;
	if (r == 0) {
		web_find_read(q->what, q->digits,
		    json_object_get(result,
			q->what == WEB_FIND_GAME ? "games" : "tournaments"),
		    &f);
		if (f.games == NULL) {
			slot->what = q->what;
			memcpy(slot->digits, q->digits, sizeof(q->digits));
			slot->found = f;
			slot->until_ms = clock_mono_ms() + WEB_FIND_MS;
		}
	}
	if (q->answer != NULL)
		q->answer(q->arg, &f);
	free(q);
}

/* How many on the disk begin like that, and the id of one of them. */
static int
web_find_on_disk(struct web_find *fi, enum web_find_what what,
    const char *digits, char hex[2 * HASH_LEN + 1])
{
	return (what == WEB_FIND_GAME
		? web_games_kept(fi->s->games, digits, hex)
		: web_cup_kept(fi->s->cups, digits, hex));
}

/* What can be said while the umpire is away. */
static void
web_find_kept(struct web_find *fi, enum web_find_what what, const char *digits,
    struct web_found *f)
{
	int n;

	memset(f, 0, sizeof(*f));
	n = web_find_on_disk(fi, what, digits, f->hex);
	f->digits = WEB_FIND_DIGITS;
	while (n == 1 && f->digits < 2 * HASH_LEN) {
		char other[2 * HASH_LEN + 1], cut[2 * HASH_LEN + 1];

		(void)snprintf(cut, sizeof(cut), "%.*s", f->digits, f->hex);
		if (web_find_on_disk(fi, what, cut, other) == 1)
			break;
		f->digits++;
	}
	/* Whether there are others nobody can say. */
	f->r = n == 1 ? 0 : ERR_CLOSED;
}

struct web_finding *
web_find_ask(struct web_find *fi, enum web_find_what what, const char *digits,
    web_find_answer *answer, void *arg)
{
	struct web_find_slot *slot = web_find_slot(fi, what, digits);
	char cut[WEB_FIND_DIGITS + 1];
	struct web_finding *q;
	struct web_found f = {.r = ERR_BUSY};

	if (slot->what == what && strcmp(slot->digits, digits) == 0 &&
	    (slot->until_ms > clock_mono_ms() ||
		(slot->found.r == 0 && !web_link_is_up(fi->s->link)))) {
		answer(arg, &slot->found);
		return (NULL);
	}
	if (!web_link_is_up(fi->s->link)) {
		f.r = ERR_CLOSED;
		web_find_kept(fi, what, digits, &f);
		answer(arg, &f);
		return (NULL);
	}
	if (fi->asking >= WEB_FIND_ASKING) {
		answer(arg, &f);
		return (NULL);
	}
	q = xalloc(sizeof(*q));
	q->fi = fi;
	q->what = what;
	memcpy(q->digits, digits, strlen(digits) + 1);
	q->answer = answer;
	q->arg = arg;
	fi->asking++;
	(void)snprintf(cut, sizeof(cut), "%.*s", WEB_FIND_DIGITS, digits);
	web_link_call(fi->s->link,
	    what == WEB_FIND_GAME ? "game.list" : "tournament.list",
	    xalloc_json(
		json_pack("{s:s, s:i}", "prefix", cut, "limit", WEB_FIND_ROWS)),
	    web_find_list_cb, q);
	return (q);
}

void
web_find_cancel(struct web_finding *q)
{
	if (q != NULL)
		q->answer = NULL;
}
