/* SPDX-License-Identifier: ISC */
/*
 * umpire todo: what waits for us in all games and tournaments on the profile's
 * server.  The server says it; `umpire games` tells what our own copies say.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/actions.h"
#include "client/play/duration.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/replica/heal.h"
#include "client/replica/replica.h"
#include "client/report/people.h"
#include "client/tournament/desk_todo.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "common/record/owed.h"

#define CMD_TODO_SHORT 8 /* digits of a game without a nickname */
#define CMD_TODO_NOTHING 1 /* --status: nothing is owed */

/* Adds a page's entries to rows; each must be of a game, by its number. */
static int
cmd_todo_take(const json_t *list, json_t *rows, struct errinfo *e)
{
	struct js_at at = {.name = "game.todo"};
	uint8_t id[HASH_LEN];
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (js_get_hex(v, "game", &at, id, HASH_LEN, e) != 0)
			return (ERR_REQUEST);
		xalloc_append(rows, xalloc_copy(v));
	}
	return (0);
}

/*
 * Asks the server, page after page; adds to rows.  A page has nothing if
 * nothing waits in the games that the server had time for.
 */
static int
cmd_todo_fetch(struct link *l, json_t *rows)
{
	struct js_at at = {.name = "game.todo"};
	struct errinfo e = {.text = ""};
	const char *more = NULL, *before;
	const json_t *list;
	json_t *last = NULL, *params, *result = NULL;
	int r, status = 0;

	do {
		params = xalloc_json(json_object());
		if (more != NULL)
			xalloc_set(params, "before", json_string(more));
		if ((status = link_ask(l, "game.todo", params, &result)) != 0)
			break;
		before = more;
		more = NULL;
		if ((r = js_get_array(result, "todo", &at, &list, &e)) == 0 &&
		    (r = js_opt_str(result, "more", &at, &more, &e)) == 0 &&
		    (r = cmd_todo_take(list, rows, &e)) == 0 && more != NULL &&
		    before != NULL && strcmp(more, before) == 0)
			r = err_set(
			    &e, ERR_REQUEST, NULL, "the list does not end");
		if (r != 0)
			status = cmd_fail_answer(&e);
		json_decref(last); /* before was of it */
		last = result;
	} while (status == 0 && more != NULL);
	json_decref(last);
	return (status);
}

/* Adds to each row what we call the game. */
static void
cmd_todo_name(const struct profile *p, json_t *rows)
{
	uint8_t id[HASH_LEN];
	const char *hex;
	json_t *row;
	size_t i;
	char *nick;

	json_array_foreach(rows, i, row)
	{
		hex = text_member(row, "game");
		nick = NULL;
		if (hex_parse(id, HASH_LEN, hex, strlen(hex)) == 0)
			nick = profile_nick(p, id);
		xalloc_set(row, "name",
		    nick == NULL ? json_null() : json_string(nick));
		free(nick);
	}
}

/* A time of a row in milliseconds; -1 if it is not there. */
static int64_t
cmd_todo_time(const json_t *row, const char *name)
{
	const char *s = text_member(row, name);
	int64_t ms;

	return (clock_parse(s, strlen(s), &ms) == 0 ? ms : -1);
}

/* True if two rows are of the same game. */
static bool
cmd_todo_is_game(const json_t *a, const json_t *b)
{
	return (a != NULL && b != NULL &&
	    strcmp(text_member(a, "game"), text_member(b, "game")) == 0);
}

/* True if two rows are offers in the same game. */
static bool
cmd_todo_is_same(const json_t *a, const json_t *b)
{
	return (cmd_todo_is_game(a, b) &&
	    strcmp(text_member(a, "what"), "offer") == 0 &&
	    strcmp(text_member(b, "what"), "offer") == 0);
}

/* Prints what answers an offer, or any of several. */
static void
cmd_todo_answers(struct out *o, const json_t *row, const char *profile,
    const char *called, size_t count)
{
	const json_int_t seq = js_int(row, "since");
	static const char *const verbs[] = {"accept", "decline"};
	size_t i;

	for (i = 0; i < 2; i++) {
		out_print(o, "  umpire%s %s %s ", profile, verbs[i], called);
		if (count > 1)
			out_print(o, "LINE\n");
		else
			out_print(o, "%" JSON_INTEGER_FORMAT "\n", seq);
	}
}

/*
 * Adds to each row that waits for the word that something is so on the table
 * what is said to be so, which our own copy of the game tells; *l comes back.
 */
static void
cmd_todo_look(struct cmd_ctx *cx, struct link **l, json_t *rows)
{
	uint8_t id[HASH_LEN];
	struct profile *p;
	struct play *pl;
	const char *hex;
	json_t *row;
	char *said;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		hex = text_member(row, "game");
		if (*text_member(row, "kind") == '\0' || *l == NULL ||
		    hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0 ||
		    play_profile(cx, &p) != 0)
			continue;
		/* Where that fails, which was said, the kind has to do. */
		if (play_open_id(cx, p, *l, id, PLAY_READ, &pl) != 0) {
			*l = NULL;
			continue;
		}
		said = actions_fact(play_game(pl), replica_battle(pl->copy));
		if (said != NULL)
			xalloc_set(row, "said", json_string(said));
		free(said);
		*l = play_take_link(pl);
		play_close(pl);
	}
}

/* The words for what is owed, static: of an answer, what it may be. */
static const char *
cmd_todo_words(const json_t *row, enum owed what)
{
	const json_t *v = json_object_get(row, "may_object");

	if (what == OWED_OTHER)
		return (text_member(row, "what"));
	if (what == OWED_ANSWER && json_is_boolean(v))
		return (json_is_true(v) ? "an answer: agree or object"
					: "an answer: agree, and dice fall");
	return (owed_words(what)->todo);
}

/* Prints what is owed. */
static void
cmd_todo_what(struct out *o, const json_t *row, enum owed what)
{
	const char *kind = text_member(row, "kind");
	const char *said = text_member(row, "said");
	char *safe;

	if (*kind == '\0') {
		out_print(o, "  %s\n", cmd_todo_words(row, what));
		return;
	}
	if (*said != '\0') {
		out_print(o, "  ");
		out_text(o, 2, 2, said);
		out_print(o, "  agree to that, or object\n");
		return;
	}
	safe = text_safe(kind);
	out_print(
	    o, "  agree or object to what your opponent says: %s\n", safe);
	free(safe);
}

/* What we call the game of a row; free(). */
static char *
cmd_todo_called(const json_t *row)
{
	const char *name = text_member(row, "name");

	return (*name != '\0' ? xalloc_str(name)
			      : xalloc_printf("%.*s", CMD_TODO_SHORT,
				    text_member(row, "game")));
}

/* Prints the game of a row, and against whom it is. */
static void
cmd_todo_head(
    struct out *o, const json_t *row, struct people *people, const char *called)
{
	const char *event = text_member(row, "event");
	const json_t *v;
	struct buf b;
	char *words;
	size_t i;

	buf_init(&b, 0);
	buf_printf(&b, "%s: %s%s%s", called, text_member(row, "system"),
	    *event == '\0' ? "" : ", ", event);
	json_array_foreach(json_object_get(row, "opponents"), i, v)
	{
		if (json_is_string(v))
			buf_printf(&b, "%s%s", i == 0 ? " against " : ", ",
			    people_tell(people, json_string_value(v)));
	}
	words = text_safe(buf_str(&b));
	buf_clear(&b);
	out_title(o, "%s", words);
	free(words);
}

/* Prints one of a row's times. */
static void
cmd_todo_when(struct out *o, const char *label, int64_t now, int64_t ms)
{
	char when[32], *words = duration_due(now, ms);

	out_print(o, "  %s  %s, %s\n", label, out_time(when, ms), words);
	free(words);
}

/* Prints what is owed and its times; count is how many offers it stands for. */
static void
cmd_todo_print(struct out *o, const json_t *row, size_t count)
{
	const int64_t now = clock_wall_ms();
	const int64_t since = cmd_todo_time(row, "since_at");
	const int64_t until = cmd_todo_time(row, "until");

	if (count > 1)
		out_print(o, "  %zu offers wait for you\n", count);
	else
		cmd_todo_what(o, row, owed_of(text_member(row, "what")));
	if (since >= 0)
		cmd_todo_when(o, "since", now, since < now ? since : now - 1);
	if (until >= 0)
		cmd_todo_when(o, "until", now, until);
}

/* Prints what may be typed about n rows of one game. */
static void
cmd_todo_type(struct cmd_ctx *cx, const json_t *rows, size_t from, size_t n,
    const char *profile, const char *called)
{
	const json_t *row = json_array_get(rows, from);
	enum owed what = owed_of(text_member(row, "what"));
	size_t count = 0, i;

	out_print(&cx->out, "  umpire%s %s %s\n", profile,
	    what == OWED_INVITATION   ? "join"
		: what == OWED_LAPSED ? "cancel"
				      : "show",
	    called);
	for (i = from; i < from + n; i++) {
		row = json_array_get(rows, i);
		what = owed_of(text_member(row, "what"));
		if (what == OWED_CLAIM || what == OWED_SILENCE)
			out_print(
			    &cx->out, "  umpire%s claim %s\n", profile, called);
		if (what != OWED_OFFER && what != OWED_NEWCOMER)
			continue;
		/* Whoever answers has looked at what they agree to. */
		count++;
		if (!cmd_todo_is_same(row, json_array_get(rows, i + 1)))
			cmd_todo_answers(&cx->out, row, profile, called, count);
	}
}

/* Prints what waits in one game: n rows. */
static void
cmd_todo_game(struct cmd_ctx *cx, const json_t *rows, size_t from, size_t n,
    struct people *people, const char *profile)
{
	char *called = cmd_todo_called(json_array_get(rows, from));
	const json_t *row;
	size_t count = 1, i;

	cmd_todo_head(&cx->out, json_array_get(rows, from), people, called);
	for (i = from; i < from + n; i++) {
		row = json_array_get(rows, i);
		/* The last of several offers in a game stands for all. */
		if (cmd_todo_is_same(row, json_array_get(rows, i + 1))) {
			count++;
			continue;
		}
		cmd_todo_print(&cx->out, row, count);
		count = 1;
	}
	cmd_todo_type(cx, rows, from, n, profile, called);
	free(called);
}

/* Tells what is owed, in games and in tournaments. */
static void
cmd_todo_tell(struct cmd_ctx *cx, const json_t *rows, const json_t *cups)
{
	struct people *people;
	const json_t *row;
	size_t i, n;
	json_t *all;
	char *profile;

	if (cx->out.is_json) {
		all = xalloc_copy(rows);
		json_array_foreach(cups, i, row)
		    xalloc_append(all, xalloc_copy(row));
		out_json(&cx->out, all);
		return;
	}
	profile = cmd_profile_words(cx);
	people = people_new();
	json_array_foreach(rows, i, row) people_add_list(people,
	    json_object_get(row, "opponents"), json_object_get(row, "names"));
	for (i = 0; i < json_array_size(rows); i += n) {
		n = 1;
		while (cmd_todo_is_game(
		    json_array_get(rows, i), json_array_get(rows, i + n)))
			n++;
		if (i > 0)
			out_print(&cx->out, "\n");
		cmd_todo_game(cx, rows, i, n, people, profile);
	}
	if (json_array_size(rows) > 0 && json_array_size(cups) > 0)
		out_print(&cx->out, "\n");
	desk_todo_tell(cx, cups);
	if (json_array_size(rows) == 0 && json_array_size(cups) == 0)
		out_print(&cx->out, "Nothing waits for you.\n");
	people_free(people);
	free(profile);
}

/* Asks and tells. */
static int
cmd_todo_run(struct cmd_ctx *cx)
{
	struct link *l = NULL;
	struct profile *p;
	json_t *rows, *cups;
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	rows = xalloc_json(json_array());
	cups = xalloc_json(json_array());
	if ((status = link_open(cx, p, &l)) == 0 &&
	    (status = link_login(l)) == 0) {
		if (heal_when_due(l, p, NULL) == EX_PROTOCOL)
			cx->has_proof = true;
		if ((status = cmd_todo_fetch(l, rows)) == 0)
			status = desk_todo_ask(l, p, cups);
	}
	if (status == 0) {
		if (opt_has(&cx->opts, "status")) {
			if (json_array_size(rows) == 0 &&
			    json_array_size(cups) == 0)
				status = CMD_TODO_NOTHING;
		} else {
			cmd_todo_name(p, rows);
			cmd_todo_look(cx, &l, rows);
			cmd_todo_tell(cx, rows, cups);
		}
	}
	json_decref(rows);
	json_decref(cups);
	link_close(l);
	profile_free(p);
	return (status);
}

static const struct opt_def cmd_todo_opts[] = {
    {"status", 0, NULL, false, "print nothing; status 0: something, 1: not"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_todo = {
    .opts = cmd_todo_opts,
    .min_args = 0,
    .max_args = 0,
    .run = cmd_todo_run,
};
