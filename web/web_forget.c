/* SPDX-License-Identifier: ISC */
#include "web/web_forget.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/base/xalloc.h"
#include "common/json/js.h"
#include "server/base/log.h"
#include "web/web_cup.h"
#include "web/web_games.h"
#include "web/web_link.h"
#include "web/web_site.h"
#include "web/web_store.h"

#define WEB_FORGET_MOST 100 /* that the umpire is asked about at once */

struct web_forget {
	struct web_site *s; /* borrowed */
	struct web_store_id *ids; /* owned: those of its turn; NULL */
	size_t n;
	size_t first, at; /* those that were asked about last, up to the next */
	bool is_of_cups; /* else of games, which come first */
};

static void web_forget_ask(struct web_forget *f);

struct web_forget *
web_forget_new(struct web_site *s)
{
	struct web_forget *f = xalloc(sizeof(*f));

	f->s = s;
	return (f);
}

void
web_forget_free(struct web_forget *f)
{
	if (f == NULL)
		return;
	free(f->ids);
	free(f);
}

/* Begins with all games that are kept, or all tournaments. */
static void
web_forget_begin(struct web_forget *f, bool is_of_cups)
{
	free(f->ids);
	f->is_of_cups = is_of_cups;
	f->at = 0;
	f->ids = is_of_cups ? web_cup_ids(f->s->cups, &f->n)
			    : web_games_ids(f->s->games, &f->n);
	web_forget_ask(f);
}

/* Takes what is told of one that was asked about; others are left out. */
static void
web_forget_take(struct web_forget *f, size_t i, const json_t *row)
{
	const int64_t erasures = js_int(row, "erasures");
	const char *hex = js_str(row, f->is_of_cups ? "tournament" : "game");

	if (i >= f->at || hex == NULL || strcmp(hex, f->ids[i].hex) != 0 ||
	    erasures <= 0)
		return;
	if (f->is_of_cups)
		web_cup_erased(f->s->cups, hex, erasures);
	else
		web_games_erased(f->s->games, hex, erasures);
}

/* The answer: goes on with the next. */
static void
web_forget_answer_cb(void *arg, int r, const json_t *result)
{
	struct web_forget *f = arg;
	const json_t *row;
	size_t i;

	/* The next connection begins anew. */
	if (r == ERR_CLOSED || r == ERR_TIMEOUT)
		return;
	if (r != 0)
		log_warnx(
		    "the umpire does not say what was erased: %s", err_name(r));
	json_array_foreach(
	    json_object_get(result, f->is_of_cups ? "tournaments" : "games"), i,
	    row) web_forget_take(f, f->first + i, row);
	web_forget_ask(f);
}

/* Asks about the next. */
static void
web_forget_ask(struct web_forget *f)
{
	static const char zeros[] = "00000000000000000000000000000000"
				    "00000000000000000000000000000000";
	json_t *list;
	size_t i;

	if (f->at >= f->n) {
		if (!f->is_of_cups)
			web_forget_begin(f, true);
		return;
	}
	f->first = f->at;
	list = xalloc_json(json_array());
	for (i = 0; i < WEB_FORGET_MOST && f->at < f->n; i++, f->at++) {
		/* Whether lines are the same is not what is asked. */
		xalloc_append(list,
		    json_pack("{s:s, s:i, s:s}",
			f->is_of_cups ? "tournament" : "game",
			f->ids[f->at].hex, "seq", 0, "head", zeros));
	}
	web_link_call(f->s->link,
	    f->is_of_cups ? "tournament.heads" : "game.heads",
	    xalloc_json(json_pack(
		"{s:o}", f->is_of_cups ? "tournaments" : "games", list)),
	    web_forget_answer_cb, f);
}

void
web_forget_up(struct web_forget *f)
{
	/* What was asked on the connection before has its answer. */
	web_forget_begin(f, false);
}
