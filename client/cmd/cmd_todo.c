/* SPDX-License-Identifier: ISC */
/*
 * umpire todo: what waits for us in all games on the profile's server.  The
 * server says it; `umpire games` tells what our own copies say.
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
#include "client/replica/people.h"
#include "client/replica/replica.h"
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

/* Asks the server, page after page; adds to rows. */
static int
cmd_todo_fetch(struct link *l, json_t *rows)
{
	struct js_at at = {.name = "game.todo"};
	struct errinfo e = {.text = ""};
	const json_t *list;
	const char *more = NULL;
	json_t *last = NULL, *params, *result = NULL;
	int status = 0;

	do {
		params = xalloc_json(json_object());
		if (more != NULL)
			xalloc_set(params, "before", json_string(more));
		json_decref(last); /* more was of it */
		status = link_ask(l, "game.todo", params, &result);
		if (status != 0)
			return (status);
		last = result;
		more = NULL;
		if (js_get_array(result, "todo", &at, &list, &e) != 0 ||
		    js_opt_str(result, "more", &at, &more, &e) != 0 ||
		    cmd_todo_take(list, rows, &e) != 0) {
			status = cmd_fail_answer(&e);
			more = NULL;
		}
	} while (more != NULL && json_array_size(list) > 0);
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

/* True if two rows are offers in the same game. */
static bool
cmd_todo_is_same(const json_t *a, const json_t *b)
{
	return (a != NULL && b != NULL &&
	    strcmp(text_member(a, "what"), "offer") == 0 &&
	    strcmp(text_member(b, "what"), "offer") == 0 &&
	    strcmp(text_member(a, "game"), text_member(b, "game")) == 0);
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

/* Prints what is owed. */
static void
cmd_todo_what(struct out *o, const json_t *row, enum owed what)
{
	const char *kind = text_member(row, "kind");
	const char *said = text_member(row, "said");
	char *safe;

	if (*kind == '\0') {
		out_print(o, "  %s\n",
		    what == OWED_OTHER ? text_member(row, "what")
				       : owed_words(what)->todo);
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

/*
 * Prints one row: the game, what is owed, the times, what to type.  count is
 * how many offers it stands for.
 */
static void
cmd_todo_print(struct cmd_ctx *cx, const json_t *row, struct people *people,
    const char *profile, size_t count)
{
	const enum owed what = owed_of(text_member(row, "what"));
	const char *event = text_member(row, "event");
	const int64_t now = clock_wall_ms();
	int64_t since = cmd_todo_time(row, "since_at");
	int64_t until = cmd_todo_time(row, "until");
	const char *name = text_member(row, "name");
	char when[32], *called, *words;
	const json_t *v;
	struct buf b;
	size_t i;

	called = *name != '\0'
	    ? xalloc_str(name)
	    : xalloc_printf("%.*s", CMD_TODO_SHORT, text_member(row, "game"));
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
	out_title(&cx->out, "%s", words);
	free(words);
	if (count > 1)
		out_print(&cx->out, "  %zu offers wait for you\n", count);
	else
		cmd_todo_what(&cx->out, row, what);
	if (since >= 0) {
		words = duration_due(now, since < now ? since : now - 1);
		out_print(&cx->out, "  since  %s, %s\n", out_time(when, since),
		    words);
		free(words);
	}
	if (until >= 0) {
		words = duration_due(now, until);
		out_print(&cx->out, "  until  %s, %s\n", out_time(when, until),
		    words);
		free(words);
	}
	out_print(&cx->out, "  umpire%s %s %s\n", profile,
	    what == OWED_INVITATION   ? "join"
		: what == OWED_LAPSED ? "cancel"
				      : "show",
	    called);
	/* Whoever answers has looked at what they agree to, and at its line. */
	if (what == OWED_OFFER)
		cmd_todo_answers(&cx->out, row, profile, called, count);
	free(called);
}

/* Tells what is owed. */
static void
cmd_todo_tell(struct cmd_ctx *cx, const json_t *rows)
{
	const json_t *row;
	size_t i, count = 1;
	struct people *people;
	char *profile;

	if (cx->out.is_json) {
		out_json(&cx->out, xalloc_copy(rows));
		return;
	}
	profile = cmd_profile_words(cx);
	people = people_new();
	json_array_foreach(rows, i, row) people_add_list(people,
	    json_object_get(row, "opponents"), json_object_get(row, "names"));
	json_array_foreach(rows, i, row)
	{
		/* The last of several offers in a game stands for all. */
		if (cmd_todo_is_same(row, json_array_get(rows, i + 1))) {
			count++;
			continue;
		}
		if (i + 1 > count)
			out_print(&cx->out, "\n");
		cmd_todo_print(cx, row, people, profile, count);
		count = 1;
	}
	if (json_array_size(rows) == 0)
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
	json_t *rows;
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	rows = xalloc_json(json_array());
	if ((status = link_open(cx, p, &l)) == 0 &&
	    (status = link_login(l)) == 0 &&
	    (status = cmd_todo_fetch(l, rows)) == 0) {
		if (opt_has(&cx->opts, "status")) {
			if (json_array_size(rows) == 0)
				status = CMD_TODO_NOTHING;
		} else {
			cmd_todo_name(p, rows);
			cmd_todo_look(cx, &l, rows);
			cmd_todo_tell(cx, rows);
		}
	}
	json_decref(rows);
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
