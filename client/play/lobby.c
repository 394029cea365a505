/* SPDX-License-Identifier: ISC */
/*
 * A lobby is a map from games to the rows that were taken last.  Everything
 * in a row is the server's: members are read by kind and range, and nothing
 * but those members is kept or told.
 */
#include "client/play/lobby.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/display.h"
#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/profile.h"
#include "client/report/people.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"

#define LOBBY_GAMES_MAX 20000 /* that are known at once */
#define LOBBY_MARGIN_MS 600000 /* how far back lists are read */
#define LOBBY_TEXT_MAX 256 /* bytes of a text in a row */
#define LOBBY_LIST_PAGE 200 /* games of one list */
#define LOBBY_TEXT_SHORT 8 /* digits of a game without a nickname */
#define LOBBY_TEXT_INDENT 18 /* columns before what an event says */

enum lobby_phase {
	LOBBY_MUSTER,
	LOBBY_PLAY,
	LOBBY_OVER,
	LOBBY_FINISHED,
	LOBBY_HALTED,
};

/* The phases' names in their order, ended by NULL. */
static const char *const lobby_phases[] = {
    "muster", "play", "over", "finished", "halted", NULL};

struct lobby {
	char *account; /* owned; NULL: nobody */
	bool is_mine;
	bool is_known; /* the lists have been read once */
	json_t *games; /* owned: id in hex -> row */
	int64_t newest_ms; /* the highest time of a row; -1: none */
};

struct lobby *
lobby_new(const char *account, bool is_mine)
{
	struct lobby *lb;

	lb = xalloc(sizeof(*lb));
	lb->account = account == NULL ? NULL : xalloc_str(account);
	lb->is_mine = is_mine;
	lb->games = xalloc_json(json_object());
	lb->newest_ms = -1;
	return (lb);
}

void
lobby_free(struct lobby *lb)
{
	if (lb == NULL)
		return;
	json_decref(lb->games);
	free(lb->account);
	free(lb);
}

/* The phase of a row that was read. */
static enum lobby_phase
lobby_phase(const json_t *row)
{
	const char *s = text_member(row, "phase");
	size_t i;

	for (i = 0; lobby_phases[i] != NULL; i++) {
		if (strcmp(lobby_phases[i], s) == 0)
			break;
	}
	return ((enum lobby_phase)i);
}

/* True if nothing will happen in a game again. */
static bool
lobby_is_done(const json_t *row)
{
	return (lobby_phase(row) >= LOBBY_FINISHED);
}

/* True if a row says that the account is invited. */
static bool
lobby_is_invited(const json_t *row)
{
	return (json_is_true(json_object_get(row, "invited")));
}

int64_t
lobby_at(const json_t *row)
{
	const char *s = text_member(row, "at");
	int64_t ms;

	return (clock_parse(s, strlen(s), &ms) == 0 ? ms : -1);
}

/* All who sit in a game, and the director; new. */
static json_t *
lobby_people(const json_t *row)
{
	const json_t *sides = json_object_get(row, "players"), *list, *v;
	const char *director = text_member(row, "director");
	json_t *people;
	size_t i, j;

	people = xalloc_json(json_array());
	json_array_foreach(sides, i, list)
	{
		json_array_foreach(list, j, v)
		    xalloc_append(people, xalloc_copy(v));
	}
	if (*director != '\0')
		xalloc_append(people, xalloc_json_str(director));
	return (people);
}

/* True if a list of texts holds this one. */
static bool
lobby_holds(const json_t *list, const char *text)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (strcmp(json_string_value(v), text) == 0)
			return (true);
	}
	return (false);
}

/* True if our own account sits in a game (NULL: no game). */
static bool
lobby_is_in(const struct lobby *lb, const json_t *row)
{
	json_t *people;
	bool is_in;

	if (lb->account == NULL || row == NULL)
		return (false);
	people = lobby_people(row);
	is_in = lobby_holds(people, lb->account);
	json_decref(people);
	return (is_in);
}

/* True for two arrays of accounts, no more than a game has seats. */
static bool
lobby_is_players(const json_t *sides)
{
	const json_t *list, *v;
	size_t i, j, n = 0;

	if (json_array_size(sides) != 2)
		return (false);
	json_array_foreach(sides, i, list)
	{
		if (!json_is_array(list))
			return (false);
		n += json_array_size(list);
		if (n >= GAME_SEATS)
			return (false);
		json_array_foreach(list, j, v)
		{
			if (!json_is_string(v) ||
			    !order_is_account(json_string_value(v)))
				return (false);
		}
	}
	return (true);
}

/* Reads a text that is not too long to keep for every game. */
static int
lobby_read_text(
    const json_t *row, const char *name, const char **s, struct errinfo *e)
{
	struct js_at at = {.name = "game"};

	if (js_get_str(row, name, &at, s, e) != 0)
		return (ERR_REQUEST);
	if (strlen(*s) > LOBBY_TEXT_MAX)
		return (js_fail_member(&at, name, e, "is too long"));
	return (0);
}

/*
 * Copies the names of the accounts that sit there, for people; they may be
 * missing.
 */
static void
lobby_read_names(const json_t *row, json_t *v)
{
	const json_t *names = json_object_get(row, "names"), *name, *account;
	json_t *people, *known;
	size_t i;

	people = lobby_people(row);
	known = xalloc_json(json_object());
	json_array_foreach(people, i, account)
	{
		name = json_object_get(names, json_string_value(account));
		if (json_is_string(name) &&
		    display_is_name(json_string_value(name)))
			xalloc_set(known, json_string_value(account),
			    xalloc_copy(name));
	}
	json_decref(people);
	xalloc_set(v, "names", known);
}

/*
 * Reads a row of the server's: *out is new and holds what we know.
 * ERR_REQUEST if it makes no sense.
 */
static int
lobby_read(const json_t *row, json_t **out, struct errinfo *e)
{
	static const char *const members[] = {"game", "system", "phase",
	    "players", "director", "turn", "event", "seq", "at"};
	struct js_at at = {.name = "game"};
	uint8_t id[HASH_LEN];
	bool is_gone = false, is_invited = false;
	const json_t *players;
	const char *s;
	int64_t n;
	json_t *v;
	int phase;
	size_t i;

	if (js_get_hex(row, "game", &at, id, HASH_LEN, e) != 0 ||
	    js_opt_bool(row, "gone", &at, &is_gone, e) != 0)
		return (ERR_REQUEST);
	if (is_gone) {
		*out = xalloc_json(json_pack(
		    "{s:o, s:b}", "game", js_hex(id, HASH_LEN), "gone", 1));
		return (0);
	}
	if (js_opt_bool(row, "invited", &at, &is_invited, e) != 0 ||
	    lobby_read_text(row, "system", &s, e) != 0 ||
	    js_get_enum(row, "phase", &at, lobby_phases, &phase, e) != 0 ||
	    js_get_array(row, "players", &at, &players, e) != 0 ||
	    lobby_read_text(row, "event", &s, e) != 0 ||
	    lobby_read_text(row, "at", &s, e) != 0 ||
	    lobby_read_text(row, "director", &s, e) != 0 ||
	    js_get_int(row, "turn", &at, 0, JS_INT_MAX, &n, e) != 0 ||
	    js_get_int(row, "seq", &at, 0, JS_INT_MAX, &n, e) != 0)
		return (ERR_REQUEST);
	if ((*s != '\0' && !order_is_account(s)) || !lobby_is_players(players))
		return (err_set(e, ERR_REQUEST, "game.players",
		    "these are not the players of a game"));
	v = xalloc_json(json_object());
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		xalloc_set(v, members[i],
		    xalloc_copy(json_object_get(row, members[i])));
	if (json_is_object(json_object_get(row, "names")))
		lobby_read_names(row, v);
	if (is_invited)
		xalloc_set(v, "invited", json_true());
	*out = v;
	return (0);
}

/* Appends an event about a row; account may be NULL. */
static void
lobby_event(
    json_t *events, const char *what, const json_t *row, const char *account)
{
	json_t *v;

	if (events == NULL)
		return;
	v = xalloc_json(json_object());
	xalloc_set(v, "what", json_string(what));
	if (account != NULL)
		xalloc_set(v, "account", xalloc_json_str(account));
	if (json_object_update_missing(v, (json_t *)(uintptr_t)row) == -1)
		xalloc_die();
	(void)json_object_del(v, "invited"); /* it need not be there */
	xalloc_append(events, v);
}

/* Finds what has happened to a game of our own. */
static void
lobby_differ_own(const struct lobby *lb, const json_t *old, const json_t *row,
    json_t *events)
{
	const bool is_in = lobby_is_in(lb, row);
	const bool was_invited = old != NULL && lobby_is_invited(old);

	if (lobby_is_invited(row) && !was_invited)
		lobby_event(events, "invited", row, NULL);
	if (was_invited && !lobby_is_invited(row) && !is_in)
		lobby_event(events, "uninvited", row, NULL);
	if (lobby_is_in(lb, old) && !is_in)
		lobby_event(events, "left", row, lb->account);
}

/* Finds who has come and gone. */
static void
lobby_differ_people(const json_t *old, const json_t *row, json_t *events)
{
	json_t *before, *now, *v;
	size_t i;

	now = lobby_people(row);
	if (old == NULL) {
		lobby_event(events, "opened", row,
		    json_array_size(now) == 1
			? json_string_value(json_array_get(now, 0))
			: NULL);
		json_decref(now);
		return;
	}
	before = lobby_people(old);
	json_array_foreach(before, i, v)
	{
		if (!lobby_holds(now, json_string_value(v)))
			lobby_event(events, "left", row, json_string_value(v));
	}
	json_array_foreach(now, i, v)
	{
		if (!lobby_holds(before, json_string_value(v)))
			lobby_event(
			    events, "joined", row, json_string_value(v));
	}
	json_decref(before);
	json_decref(now);
}

/* Finds how far a game has come; what lies between is told, too. */
static void
lobby_differ_phase(const json_t *old, const json_t *row, json_t *events)
{
	const enum lobby_phase from =
	    old == NULL ? LOBBY_MUSTER : lobby_phase(old);
	const enum lobby_phase to = lobby_phase(row);
	const bool has_begun =
	    json_integer_value(json_object_get(row, "turn")) > 0;

	if (from >= to)
		return;
	if (from == LOBBY_MUSTER && has_begun)
		lobby_event(events, "begun", row, NULL);
	if (from < LOBBY_OVER && (to == LOBBY_OVER || to == LOBBY_FINISHED))
		lobby_event(
		    events, has_begun ? "over" : "cancelled", row, NULL);
	if (to == LOBBY_FINISHED)
		lobby_event(events, "closed", row, NULL);
	if (to == LOBBY_HALTED)
		lobby_event(events, "halted", row, NULL);
}

/* Takes a row that was read (stolen); events may be NULL. */
static int
lobby_apply(struct lobby *lb, json_t *row, json_t *events, struct errinfo *e)
{
	const char *hex = text_member(row, "game");
	const json_t *old = json_object_get(lb->games, hex);
	const int64_t at_ms = lobby_at(row);

	if (json_is_true(json_object_get(row, "gone"))) {
		if (old != NULL)
			lobby_event(events,
			    lobby_is_invited(old) ? "uninvited" : "gone", old,
			    NULL);
		(void)json_object_del(lb->games, hex); /* it may be unknown */
		json_decref(row);
		return (0);
	}
	/* Notices that a list has overtaken tell nothing. */
	if (old != NULL &&
	    json_integer_value(json_object_get(row, "seq")) <
		json_integer_value(json_object_get(old, "seq"))) {
		json_decref(row);
		return (0);
	}
	if (old == NULL && json_object_size(lb->games) >= LOBBY_GAMES_MAX) {
		json_decref(row);
		return (err_set(e, ERR_TOOBIG, NULL,
		    "the server has more than %d games to watch",
		    LOBBY_GAMES_MAX));
	}
	if (lb->is_mine) {
		lobby_differ_own(lb, old, row, events);
	} else {
		lobby_differ_people(old, row, events);
		lobby_differ_phase(old, row, events);
	}
	if (at_ms > lb->newest_ms)
		lb->newest_ms = at_ms;
	xalloc_set(lb->games, hex, row);
	return (0);
}

int
lobby_take(
    struct lobby *lb, const json_t *row, json_t *events, struct errinfo *e)
{
	json_t *v;
	int r;

	if ((r = lobby_read(row, &v, e)) != 0)
		return (r);
	/* Until the lists have been read nothing can be compared. */
	if (!lb->is_known) {
		json_decref(v);
		return (0);
	}
	return (lobby_apply(lb, v, events, e));
}

/* Orders rows by their time, then by their game, for qsort(). */
static int
lobby_compare_cb(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;
	const int64_t at_x = lobby_at(*x), at_y = lobby_at(*y);

	if (at_x != at_y)
		return (at_x < at_y ? -1 : 1);
	return (strcmp(text_member(*x, "game"), text_member(*y, "game")));
}

/* Forgets finished games that no list will show again. */
static void
lobby_prune(struct lobby *lb)
{
	const char *hex;
	json_t *row;
	void *next;

	json_object_foreach_safe(lb->games, next, hex, row)
	{
		if (lobby_is_done(row) &&
		    lobby_at(row) < lb->newest_ms - 2 * LOBBY_MARGIN_MS)
			(void)json_object_del(lb->games, hex); /* is there */
	}
}

/* What is asked of game.list. */
struct lobby_list_ask {
	const char *account; /* NULL: any */
	const char *phase; /* NULL: any */
	const char *prefix; /* NULL: any */
	bool is_invited;
	bool is_new; /* only recent rows */
};

/* The params for a page; new. */
static json_t *
lobby_list_params(const struct lobby_list_ask *ask, const char *more)
{
	json_t *params =
	    xalloc_json(json_pack("{s:i}", "limit", LOBBY_LIST_PAGE));

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
		    json_object_get(rows, text_member(row, "game")) != NULL)
			json_decref(row);
		else
			xalloc_set(rows, text_member(row, "game"), row);
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
		/* A page without games that promises more would never end. */
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
		if (json_object_get(rows, hex) == NULL)
			xalloc_set(rows, hex,
			    json_pack("{s:s, s:b}", "game", hex, "gone", 1));
	}
	return (0);
}

/*
 * Asks for all lists, and for the games that are known and in none of them:
 * rows by their ids are put into `rows`.  ERR_* with *ce filled.  Of finished
 * games only as many are asked for as may have ended since something was last
 * heard.
 */
static int
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

int
lobby_compare(
    struct lobby *lb, struct link *l, json_t *events, struct conn_error *ce)
{
	json_t **list, *row, *rows;
	size_t i, n = 0;
	const char *hex;
	int r;

	rows = xalloc_json(json_object());
	if ((r = lobby_gather(lb, l, rows, ce)) != 0) {
		json_decref(rows);
		return (r);
	}
	list = xalloc((json_object_size(rows) + 1) * sizeof(json_t *));
	json_object_foreach(rows, hex, row) list[n++] = json_incref(row);
	qsort(list, n, sizeof(json_t *), lobby_compare_cb);
	for (i = 0; i < n; i++) {
		if (r != 0)
			json_decref(list[i]);
		else
			r = lobby_apply(
			    lb, list[i], lb->is_known ? events : NULL, &ce->e);
	}
	free(list);
	json_decref(rows);
	lb->is_known = true;
	lobby_prune(lb);
	ce->r = r;
	return (r);
}

void
lobby_each_own(const struct lobby *lb,
    void (*each)(void *arg, const uint8_t id[HASH_LEN]), void *arg)
{
	uint8_t id[HASH_LEN];
	const char *hex;
	json_t *row;

	json_object_foreach(lb->games, hex, row)
	{
		if (!lobby_is_done(row) && lobby_is_in(lb, row) &&
		    hex_parse(id, HASH_LEN, hex, strlen(hex)) == 0)
			each(arg, id);
	}
}

/* Appends what people are called, with commas. */
static void
lobby_text_join(struct buf *b, const json_t *list, struct people *people)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v) buf_printf(b, "%s%s", i == 0 ? "" : ", ",
	    people_tell(people, json_string_value(v)));
}

/* Appends what happened. */
static void
lobby_text_sentence(struct buf *b, const json_t *event, const char *called,
    struct people *names)
{
	const json_t *sides = json_object_get(event, "players");
	const char *what = text_member(event, "what");
	const char *account = text_member(event, "account");
	const char *title = text_member(event, "event");
	json_t *people;

	if (strcmp(what, "opened") == 0 && *account == '\0') {
		people = lobby_people(event);
		buf_puts(b, "there is a new game of ");
		lobby_text_join(b, people, names);
		json_decref(people);
	} else if (strcmp(what, "opened") == 0) {
		buf_printf(b, "%s opened a game", people_tell(names, account));
	} else if (strcmp(what, "joined") == 0 || strcmp(what, "left") == 0) {
		buf_printf(b, "%s %s", people_tell(names, account), what);
	} else if (strcmp(what, "begun") == 0) {
		buf_puts(b, "play begins, ");
		lobby_text_join(b, json_array_get(sides, 0), names);
		buf_puts(b, " against ");
		lobby_text_join(b, json_array_get(sides, 1), names);
	} else if (strcmp(what, "over") == 0) {
		buf_puts(b, "the game is over");
	} else if (strcmp(what, "closed") == 0) {
		buf_puts(b, "the game is closed");
	} else if (strcmp(what, "cancelled") == 0) {
		buf_puts(b, "the game was called off");
	} else if (strcmp(what, "halted") == 0) {
		buf_puts(b, "the game is halted: its rules failed");
	} else if (strcmp(what, "invited") == 0) {
		buf_printf(b, "you are invited: umpire join %s", called);
	} else if (strcmp(what, "uninvited") == 0) {
		buf_puts(b, "you are no longer invited");
	} else {
		buf_puts(b, "you can no longer see the game");
	}
	if (strcmp(what, "opened") == 0 || strcmp(what, "invited") == 0)
		buf_printf(b, " (%s%s%s)", text_member(event, "system"),
		    *title == '\0' ? "" : ", ", title);
}

void
lobby_text(struct out *o, const struct profile *p, const json_t *event)
{
	const char *hex = text_member(event, "game");
	char *called, *nick = NULL, when[32];
	uint8_t id[HASH_LEN];
	struct people *names;
	struct buf b;
	json_t *v;

	if (hex_parse(id, HASH_LEN, hex, strlen(hex)) == 0)
		nick = profile_nick(p, id);
	if (o->is_json) {
		v = xalloc_copy(event);
		xalloc_set(v, "name",
		    nick == NULL ? json_null() : xalloc_json_str(nick));
		out_json(o, v);
		free(nick);
		return;
	}
	called = nick != NULL
	    ? xalloc_str(nick)
	    : xalloc_strn(hex,
		  strlen(hex) < LOBBY_TEXT_SHORT ? strlen(hex)
						 : LOBBY_TEXT_SHORT);
	buf_init(&b, 0);
	buf_printf(&b, "%s: ", called);
	names = people_new();
	people_add_list(names, json_object_get(event, "players"),
	    json_object_get(event, "names"));
	people_add_list(names, json_object_get(event, "director"),
	    json_object_get(event, "names"));
	people_add_list(names, json_object_get(event, "account"),
	    json_object_get(event, "names"));
	lobby_text_sentence(&b, event, called, names);
	people_free(names);
	out_print(o, "%-16s  ",
	    lobby_at(event) < 0 ? "" : out_time(when, lobby_at(event)));
	out_text(o, LOBBY_TEXT_INDENT, LOBBY_TEXT_INDENT, buf_str(&b));
	buf_clear(&b);
	free(called);
	free(nick);
}
