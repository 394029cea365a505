/* SPDX-License-Identifier: ISC */
/*
 * Lists of games that go on are asked for whole; of those that are finished
 * only as many as may have ended since something was heard last.
 */
#include <string.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/lobby_int.h"
#include "common/json/js.h"

#define LOBBY_LIST_PAGE 200 /* games of one list */

/* What is asked of game.list. */
struct lobby_list_ask {
	const char *account; /* NULL: any */
	const char *phase; /* NULL: any */
	const char *prefix; /* NULL: any */
	bool is_invited;
	bool is_new; /* only rows of late */
};

/* The params for a page; new. */
static json_t *
lobby_list_params(const struct lobby_list_ask *ask, const char *more)
{
	json_t *params;

	params = xalloc_json(json_object());
	xalloc_set(params, "limit", json_integer(LOBBY_LIST_PAGE));
	if (ask->account != NULL)
		xalloc_set(params, "account", xalloc_json_str(ask->account));
	if (ask->phase != NULL)
		xalloc_set(params, "phase", json_string(ask->phase));
	if (ask->prefix != NULL)
		xalloc_set(params, "prefix", json_string(ask->prefix));
	if (ask->is_invited)
		xalloc_set(params, "invited", json_true());
	if (more != NULL)
		xalloc_set(params, "before", xalloc_json_str(more));
	return (params);
}

/* Takes a page's rows into `rows`; *is_end if the rest is too old. */
static int
lobby_list_page(struct lobby *lb, const struct lobby_list_ask *ask,
    const json_t *games, json_t *rows, bool *is_end, struct errinfo *e)
{
	const json_t *v;
	json_t *row;
	size_t i;
	int r;

	json_array_foreach(games, i, v)
	{
		if ((r = lobby_read(v, &row, e)) != 0)
			return (r);
		if (ask->is_new && lb->newest_ms < 0)
			lb->newest_ms = lobby_at(row);
		if (ask->is_new &&
		    lobby_at(row) < lb->newest_ms - LOBBY_MARGIN_MS)
			*is_end = true;
		if (ask->is_invited)
			xalloc_set(row, "invited", json_true());
		if (*is_end ||
		    json_object_get(rows, lobby_str(row, "game")) != NULL)
			json_decref(row);
		else
			xalloc_set(rows, lobby_str(row, "game"), row);
	}
	if (json_object_size(rows) > LOBBY_GAMES_MAX)
		return (err_set(e, ERR_TOOBIG, NULL,
		    "the server has more than %d games to watch",
		    LOBBY_GAMES_MAX));
	return (0);
}

/* Asks for a list, page after page. */
static int
lobby_list_pages(struct lobby *lb, struct link *l,
    const struct lobby_list_ask *ask, json_t *rows, struct conn_error *ce)
{
	struct js_at at = {.name = "game.list"};
	json_t *last = NULL, *result;
	const char *more = NULL;
	const json_t *games;
	bool is_end = false;
	int r = 0;

	do {
		r = link_call(
		    l, "game.list", lobby_list_params(ask, more), &result, ce);
		json_decref(last); /* more was of it */
		last = NULL;
		if (r != 0)
			return (r);
		last = result;
		more = NULL;
		r = js_get_array(result, "games", &at, &games, &ce->e);
		if (r == 0)
			r = js_opt_str(result, "more", &at, &more, &ce->e);
		if (r == 0)
			r = lobby_list_page(
			    lb, ask, games, rows, &is_end, &ce->e);
		/* A page without games, and more behind it, would never end. */
		if (r == 0 && more != NULL && json_array_size(games) == 0)
			r = err_set(&ce->e, ERR_REQUEST, NULL,
			    "the server's list of games does not end");
	} while (r == 0 && more != NULL && !is_end);
	json_decref(last);
	if (r != 0)
		ce->r = r == ERR_TOOBIG ? r : ERR_REQUEST;
	return (ce->r);
}

/* Asks for the games that are known and in none of the lists. */
static int
lobby_list_seek(
    struct lobby *lb, struct link *l, json_t *rows, struct conn_error *ce)
{
	struct lobby_list_ask ask = {.account = NULL};
	const char *hex;
	json_t *row;
	int r;

	json_object_foreach(lb->games, hex, row)
	{
		if (json_object_get(rows, hex) != NULL || lobby_is_done(row))
			continue;
		ask.prefix = hex;
		if ((r = lobby_list_pages(lb, l, &ask, rows, ce)) != 0)
			return (r);
		if (json_object_get(rows, hex) == NULL) {
			row = xalloc_json(json_object());
			xalloc_set(row, "game", json_string(hex));
			xalloc_set(row, "gone", json_true());
			xalloc_set(rows, hex, row);
		}
	}
	return (0);
}

int
lobby_gather(
    struct lobby *lb, struct link *l, json_t *rows, struct conn_error *ce)
{
	struct lobby_list_ask ask = {
	    .account = lb->is_mine ? lb->account : NULL};
	struct lobby_list_ask invited = {.is_invited = true};
	int i, r = 0;

	memset(ce, 0, sizeof(*ce));
	for (i = LOBBY_MUSTER; r == 0 && i <= LOBBY_OVER; i++) {
		ask.phase = lobby_phases[i];
		r = lobby_list_pages(lb, l, &ask, rows, ce);
	}
	ask.phase = NULL;
	ask.is_new = true;
	if (r == 0)
		r = lobby_list_pages(lb, l, &ask, rows, ce);
	if (r == 0 && lb->is_mine)
		r = lobby_list_pages(lb, l, &invited, rows, ce);
	return (r == 0 ? lobby_list_seek(lb, l, rows, ce) : r);
}
