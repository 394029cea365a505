/* SPDX-License-Identifier: ISC */
/*
 * What tournaments wait for, in the words of people, each with what to type.
 * The server says it; games of a tournament tell their own moves.
 */
#include "client/tournament/desk_todo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/duration.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/cmd.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"

#define DESK_TODO_DIGITS 8 /* digits of one without a nickname */

/* Adds what one tournament waits for. */
static int
desk_todo_add(
    const struct profile *p, const json_t *cup, json_t *rows, struct errinfo *e)
{
	struct js_at at = {.name = "tournament.todo"};
	uint8_t id[HASH_LEN];
	const json_t *waits, *v;
	json_t *row;
	char *name;
	size_t i;
	int r;

	if ((r = js_get_hex(cup, "tournament", &at, id, HASH_LEN, e)) != 0 ||
	    (r = js_get_array(cup, "waits", &at, &waits, e)) != 0)
		return (r);
	name = desk_name(p, id, text_member(cup, "event"));
	json_array_foreach(waits, i, v)
	{
		row = xalloc_json(json_pack("{s:o, s:s, s:s, s:s}",
		    "tournament", js_hex(id, HASH_LEN), "name", name, "event",
		    text_member(cup, "event"), "phase",
		    text_member(cup, "phase")));
		if (!json_is_object(v)) {
			json_decref(row);
			free(name);
			return (err_set(e, ERR_REQUEST, at.name,
			    "what waits is no object"));
		}
		if (json_object_update_missing(row, (json_t *)(uintptr_t)v) !=
		    0)
			xalloc_die();
		xalloc_append(rows, row);
	}
	free(name);
	return (0);
}

int
desk_todo_ask(struct link *l, const struct profile *p, json_t *rows)
{
	struct js_at at = {.name = "tournament.todo"};
	struct errinfo e = {.text = ""};
	json_t *result = NULL;
	const json_t *cups;
	struct conn_error ce;
	int r, status = 0;
	size_t i;

	r = link_call(l, "tournament.todo", json_object(), &result, &ce);
	if (r != 0) {
		/* An older server runs none. */
		status = r == ERR_METHOD && ce.is_answer ? 0 : link_fail(&ce);
		conn_error_clear(&ce);
		return (status);
	}
	r = js_get_array(result, "tournaments", &at, &cups, &e);
	for (i = 0; r == 0 && i < json_array_size(cups); i++)
		r = desk_todo_add(p, json_array_get(cups, i), rows, &e);
	if (r != 0)
		status = cmd_fail_answer(&e);
	else if (json_is_false(json_object_get(result, "complete")))
		out_note("Not all of your tournaments are told: the server had "
			 "no time for more.");
	json_decref(result);
	return (status);
}

/* Prints a time, and how far off it is. */
static void
desk_todo_when(struct out *o, const char *label, int64_t now, int64_t ms)
{
	char when[32], *words = duration_due(now, ms);

	out_print(o, "  %s  %s, %s\n", label, out_time(when, ms), words);
	free(words);
}

/* A time of a row, if it has that. */
static void
desk_todo_time(
    struct out *o, const json_t *row, const char *member, const char *label)
{
	const char *s = text_member(row, member);
	int64_t ms;

	if (clock_parse(s, strlen(s), &ms) == 0)
		desk_todo_when(o, label, clock_wall_ms(), ms);
}

/* The words for one's own table, which one has to come to. */
static char *
desk_todo_play(const json_t *row)
{
	const bool is_open = *text_member(row, "game") != '\0';

	return (xalloc_printf("%s against %s: %s",
	    json_is_true(json_object_get(row, "play_off"))
		? "the table is drawn; play one more game"
		: "play",
	    text_member(row, "opponent"),
	    json_object_get(row, "notice") != NULL
		? "a claim says that you have not come; come before it counts"
		: is_open ? "the game is open, come to it"
			  : "whoever comes first opens the game"));
}

/* The words for a claim. */
static const char *
desk_todo_claim(const json_t *row)
{
	const char *ground = text_member(row, "ground");
	const bool stands = json_object_get(row, "notice") != NULL;

	if (strcmp(ground, "absent") == 0)
		return (stands ? "the notice has stood: claim the table"
			       : "somebody has not come in time; you may give "
				 "notice of a claim");
	if (strcmp(ground, "late") == 0)
		return (stands ? "the notice has stood: claim what the round's "
				 "end brings"
			       : "the round is over time; you may give notice "
				 "of a claim");
	return (stands ? "the notice has stood: claim the result"
		       : "no director has ruled; you may give notice of a "
			 "claim");
}

/* What one row waits for, and its command after `umpire tournament`. */
static void
desk_todo_words(const json_t *row, const char *cup, char **words, char **type)
{
	const char *what = text_member(row, "what");
	const json_int_t round = js_int(row, "round");
	const json_int_t entrant = js_int(row, "entrant");
	const json_int_t line = js_int(row, "line");

	*words = *type = NULL;
	if (strcmp(what, "admit") == 0) {
		*words = xalloc_printf(
		    "say whether entrant %lld may play", (long long)entrant);
		*type = xalloc_printf("admit %s %lld", cup, (long long)entrant);
	} else if (strcmp(what, "shut") == 0) {
		*words = xalloc_str("the time for entries is over: end them");
	} else if (strcmp(what, "checkin") == 0) {
		*words = xalloc_str("check in: who does not is not in");
	} else if (strcmp(what, "start") == 0) {
		*words = xalloc_str("draw the lots, and begin");
	} else if (strcmp(what, "pair") == 0) {
		*words = xalloc_printf("pair round %lld", (long long)round);
	} else if (strcmp(what, "play") == 0) {
		*words = desk_todo_play(row);
	} else if (strcmp(what, "umpire") == 0) {
		*words = xalloc_str("take the umpire's seat of its game");
		*type = xalloc_printf("play %s", cup);
	} else if (strcmp(what, "claim") == 0) {
		*words = xalloc_str(desk_todo_claim(row));
		*type = xalloc_printf("claim %s %lld.%lld", cup,
		    (long long)round, (long long)js_int(row, "table"));
	} else if (strcmp(what, "rule") == 0) {
		*words = xalloc_str("it waits for your ruling");
		*type = xalloc_printf("rule %s result %lld.%lld", cup,
		    (long long)round, (long long)js_int(row, "table"));
	} else if (strcmp(what, "answer") == 0) {
		*words = xalloc_printf(
		    "answer the protest of line %lld", (long long)line);
		*type =
		    xalloc_printf("rule %s answer %lld", cup, (long long)line);
	} else if (strcmp(what, "finish") == 0) {
		*words = xalloc_str("all is played: finish it");
	} else {
		*words = xalloc_str(what);
		*type = xalloc_printf("show %s", cup);
	}
	if (*type == NULL)
		*type = xalloc_printf("%s %s", what, cup);
}

/* Prints one thing that a tournament waits for. */
static void
desk_todo_row(
    struct out *o, const json_t *row, const char *profile, const char *cup)
{
	const json_int_t leg = js_int(row, "leg");
	char *words, *type, *line, game[32] = "";

	desk_todo_words(row, cup, &words, &type);
	if (leg > 1)
		(void)snprintf(
		    game, sizeof(game), ", game %lld", (long long)leg);
	if (json_object_get(row, "table") != NULL)
		line = xalloc_printf("round %lld, table %lld%s: %s",
		    (long long)js_int(row, "round"),
		    (long long)js_int(row, "table"), game, words);
	else
		line = xalloc_str(words);
	out_print(o, "  ");
	out_text(o, 2, 2, line);
	if (*text_member(row, "stands") != '\0')
		desk_todo_time(o, row, "stands", "claim");
	else
		desk_todo_time(o, row, "until", "until");
	desk_todo_time(o, row, "ends", "ends ");
	out_print(o, "  umpire%s tournament %s\n", profile, type);
	free(line);
	free(words);
	free(type);
}

int
desk_todo_fetch(struct desk *d, json_t **rows)
{
	json_t *all = xalloc_json(json_array()), *own, *v;
	char hex[2 * HASH_LEN + 1];
	int status;
	size_t i;

	if ((status = desk_todo_ask(d->link, d->p, all)) != 0) {
		json_decref(all);
		return (status);
	}
	hex_format(hex, d->copy->id, HASH_LEN);
	own = xalloc_json(json_array());
	json_array_foreach(all, i, v)
	{
		if (strcmp(text_member(v, "tournament"), hex) == 0)
			xalloc_append(own, xalloc_copy(v));
	}
	json_decref(all);
	*rows = own;
	return (0);
}

void
desk_todo_tell(struct cmd_ctx *cx, const json_t *rows)
{
	char *profile = cmd_profile_words(cx), *safe;
	const char *id, *last = "";
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		id = text_member(row, "tournament");
		if (strcmp(id, last) != 0) {
			safe = text_safe(text_member(row, "event"));
			out_print(&cx->out, "%s", i > 0 ? "\n" : "");
			out_title(&cx->out, "%s, a tournament", safe);
			free(safe);
		}
		last = id;
		desk_todo_row(&cx->out, row, profile, text_member(row, "name"));
	}
	free(profile);
}
