/* SPDX-License-Identifier: ISC */
/*
 * tournament.heads tells where the server stands, tournament.heal takes what it
 * lacks.  What is told of a copy is its last line, as its file has it; a copy
 * is only opened where the server has something else.
 */
#include "client/tournament/desk_heal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/heal.h"
#include "client/replica/heal_call.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_former.h"
#include "client/tournament/desk_send.h"
#include "client/ui/out_terminal.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"

/* In the line of a create order. */
#define DESK_HEAL_NAMES "\\\"tournament\\\":\\\""

/* How commands call the tournament of a copy; free(). */
static char *
desk_heal_name(const struct desk_copy *c)
{
	const struct tournament *t = desk_copy_state(c);

	return (desk_name(
	    c->p, c->id, t == NULL ? "" : tournament_terms(t)->event));
}

/* ---- giving back ---- */

/* A tournament whose lines are given. */
struct desk_heal {
	struct link *l;
	const struct desk_copy *c;
	struct heal_call call;
	struct conn_error *ce;
};

/* Adds what a line names beside the record, if the copy has it. */
static int
desk_heal_put_side(void *arg, const char *hex)
{
	struct desk_heal *h = arg;
	const char *line = json_string_value(json_object_get(h->c->sides, hex));
	uint8_t hash[HASH_LEN];
	char *value;
	int r;

	if (line == NULL)
		return (0);
	if (line[2] != 'b') {
		heal_call_put(&h->call, h->call.texts, json_string(line));
		return (0);
	}
	if (hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0 ||
	    (value = desk_copy_text(h->c, hash)) == NULL)
		return (0);
	r = heal_call_blob(h->l, value, h->ce);
	free(value);
	return (r);
}

/* Gives what was put together. */
static int
desk_heal_give(struct desk_heal *h)
{
	return (heal_call_give(&h->call, h->l, "tournament.heal", "tournament",
	    js_hex(h->c->id, HASH_LEN), h->ce));
}

/* Gives all lines from number `from` on, in as many calls as it takes. */
static int
desk_heal_lines(struct link *l, const struct desk_copy *c, int64_t from,
    struct conn_error *ce)
{
	struct desk_heal h = {.l = l, .c = c, .ce = ce};
	const char *line;
	int64_t seq;
	size_t len;
	int r = 0;

	heal_call_begin(&h.call);
	for (seq = from; r == 0 && seq < c->n; seq++) {
		line = desk_copy_get(c, seq, &len);
		if (heal_call_is_full(&h.call, line, len))
			r = desk_heal_give(&h);
		heal_call_line(&h.call, line, len);
		if (r == 0)
			r = heal_call_refs(
			    &h.call, line, len, desk_heal_put_side, &h);
	}
	if (r == 0)
		r = desk_heal_give(&h);
	heal_call_clear(&h.call);
	return (r);
}

/* Says that a tournament takes no orders yet, and why. */
static void
desk_heal_tell_waits(const char *name)
{
	out_note("The server takes no orders in the tournament '%s' yet: an "
		 "old backup was put\nback, and others may hold lines that it "
		 "lacks.  They come back when those people\ndo; you need do "
		 "nothing.",
	    name);
}

/*
 * Tells the server where the copy ends, which it asks of all while it recovers;
 * true if it still does.
 */
static bool
desk_heal_again(struct link *l, const struct desk_copy *c)
{
	struct conn_error ce;
	bool is_waiting;
	json_t *result, *row;

	row = json_pack("{s:[{s:o, s:I, s:o}]}", "tournaments", "tournament",
	    js_hex(c->id, HASH_LEN), "seq", (json_int_t)c->n - 1, "head",
	    js_hex(desk_copy_hash(c, c->n - 1), HASH_LEN));
	if (link_call(l, "tournament.heads", xalloc_json(row), &result, &ce) !=
	    0) {
		conn_error_clear(&ce);
		return (false);
	}
	row = json_array_get(json_object_get(result, "tournaments"), 0);
	is_waiting = json_is_true(json_object_get(row, "recovering"));
	json_decref(result);
	return (is_waiting);
}

/* Says what was given back. */
static void
desk_heal_tell(const struct desk_copy *c, int64_t from, bool is_waiting)
{
	char *name = desk_heal_name(c);

	if (from == 0)
		out_note(
		    "The server had lost the tournament '%s', as it does "
		    "when an old backup is put\nback.  Your copy has given "
		    "it back; you need do nothing.",
		    name);
	else
		out_note("The server had lost %lld line%s of the tournament "
			 "'%s', as it does when an\nold backup is put back.  "
			 "Your copy has given them back; you need do nothing.",
		    (long long)(c->n - from), c->n - from == 1 ? "" : "s",
		    name);
	if (is_waiting)
		desk_heal_tell_waits(name);
	free(name);
}

/*
 * True if the server may have reason to keep the tournament from us: then what
 * it says is no sign that anything was lost.
 */
static bool
desk_heal_is_hidden(const struct desk_copy *c)
{
	const struct tournament *t = desk_copy_state(c);

	return (t == NULL ||
	    (tournament_terms(t)->set.is_private &&
		!tournament_is_here(t, c->p->account)));
}

/* Gives the server what it lacks. */
static int
desk_heal_back(struct link *l, struct desk_copy *c, struct conn_error *ce)
{
	const int64_t from = c->fork.what == DESK_GONE ? 0 : c->fork.seq + 1;
	struct conn_error why;
	int r;

	r = desk_heal_lines(l, c, from, &why);
	/* With the tournament it may have lost the one that it continues. */
	if (r == ERR_MISSING && why.is_answer && from == 0 &&
	    c->before.len > 0) {
		conn_error_clear(&why);
		if ((r = desk_former_bring(l, &c->before, &why)) == 0)
			r = desk_heal_lines(l, c, from, &why);
	}
	if (r == 0) {
		desk_heal_tell(c, from, desk_heal_again(l, c));
		conn_error_clear(ce);
		return (desk_copy_sync(l, c, ce));
	}
	if (why.is_answer && r == ERR_FORK) {
		/* Its lines say what it has now; nobody signs an answer. */
		conn_error_clear(ce);
		r = desk_copy_sync(l, c, ce);
	} else if (link_is_fault(&why)) {
		conn_error_clear(ce);
		*ce = why;
		return (r);
	} else {
		if (r != ERR_METHOD)
			out_note("The server does not take them back: %s.",
			    why.e.text);
		r = ERR_FORK;
	}
	conn_error_clear(&why);
	return (r);
}

/* ---- setting aside ---- */

/* True if the server's line says that ours from its number on were lost. */
static bool
desk_heal_is_lost(const struct desk_copy *c)
{
	const struct desk_fork *f = &c->fork;

	return (f->what == DESK_TWO_LINES && f->line != NULL && f->seq > 0 &&
	    desk_is_lost(
		f->line, strlen(f->line), desk_copy_hash(c, f->seq - 1)));
}

/* Says what was set aside, of `lines` lines, and what is to be done. */
static void
desk_heal_tell_lost(const struct desk_copy *c, int64_t seq, int64_t lines,
    const char *path, const char *proof)
{
	char *name = desk_heal_name(c);

	out_error("the server says in line %lld of '%s' that the lines from "
		  "there on were lost;\nyour copy has %lld of them",
	    (long long)seq, name, (long long)lines);
	out_note("They are kept as they were, with the proof that the server "
		 "signed them:\n%s\n%s",
	    path, proof);
	out_note("Nobody has to accept that in a tournament.  What it now "
		 "waits for you to do again,\n`umpire todo` tells: check in, "
		 "claim, or play a table that was drawn anew.");
	free(name);
}

/* Sets the lines aside, all or none. */
static int
desk_heal_move(struct desk_copy *c, struct errinfo *e)
{
	const int64_t seq = c->fork.seq, lines = c->n - seq;
	char *path = NULL, *proof = NULL, *suffix;
	struct buf b;
	int r;

	if ((r = desk_copy_keep(c, e)) != 0 || (r = desk_copy_lock(c, e)) != 0)
		return (r);
	suffix = xalloc_printf(".tournament-lost-%lld", (long long)seq);
	path = profile_game_path(c->p, c->id, suffix);
	free(suffix);
	buf_init(&b, 0);
	desk_copy_export(c, &b);
	if ((r = desk_copy_prove(c, &proof, e)) == 0 &&
	    (r = file_write(path, buf_str(&b), b.len, 0600, e)) == 0 &&
	    (r = desk_send_drop(c, seq, e)) == 0 &&
	    (r = desk_copy_rewind(c, seq, e)) == 0)
		desk_heal_tell_lost(c, seq, lines, path, proof);
	buf_clear(&b);
	free(path);
	free(proof);
	desk_copy_unlock(c);
	return (r);
}

int
desk_heal_copy(struct link *l, struct desk_copy *c, struct conn_error *ce)
{
	int r = ERR_FORK;

	if ((c->fork.what == DESK_BEHIND || c->fork.what == DESK_GONE) &&
	    !desk_heal_is_hidden(c))
		r = desk_heal_back(l, c, ce);
	if (r != ERR_FORK || ce->is_answer || c->fork.what != DESK_TWO_LINES)
		return (r);
	desk_copy_first(l, c);
	if (!desk_heal_is_lost(c))
		return (r);
	conn_error_clear(ce);
	memset(ce, 0, sizeof(*ce));
	if ((ce->r = desk_heal_move(c, &ce->e)) != 0)
		return (ce->r);
	return (desk_copy_sync(l, c, ce));
}

/* ---- all of them ---- */

/* Opens a copy that the server's record does not fit, and mends that. */
static int
desk_heal_one(
    struct link *l, const struct profile *p, const uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	struct desk_copy *c;
	int r, status = 0;
	char *name;

	if (desk_copy_open(p, id, &c, &e) != 0)
		return (0); /* whoever opens it is told */
	r = desk_copy_sync(l, c, &ce);
	if (r == ERR_FORK && !ce.is_answer)
		r = desk_heal_copy(l, c, &ce);
	if (r == ERR_FORK && !ce.is_answer && c->fork.line != NULL) {
		status = desk_copy_accuse(c);
		name = desk_heal_name(c);
		out_note("(That was about the tournament '%s'.)", name);
		free(name);
	}
	/* Games of ours belong to it. */
	if (r == 0 && c->n > 0)
		r = desk_copy_keep(c, &e);
	conn_error_clear(&ce);
	desk_copy_close(c);
	return (status == EX_PROTOCOL ? status : 0);
}

/* Says that one of which all that we hold is there takes no orders yet. */
static void
desk_heal_tell_waiting(const struct profile *p, const uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	struct desk_copy *c;
	char *name;

	if (desk_copy_open(p, id, &c, &e) != 0)
		return;
	name = desk_heal_name(c);
	desk_heal_tell_waits(name);
	free(name);
	desk_copy_close(c);
}

/* Takes one answer of tournament.heads. */
static int
desk_heal_take(void *arg, const json_t *row)
{
	struct link *l = arg;
	const struct profile *p = l->p;
	const char *is = js_str(row, "is");
	uint8_t id[HASH_LEN];

	if (is == NULL ||
	    js_get_hex(row, "tournament", NULL, id, HASH_LEN, NULL) != 0)
		return (0);
	if (strcmp(is, "same") != 0)
		return (desk_heal_one(l, p, id));
	if (json_is_true(json_object_get(row, "recovering")))
		desk_heal_tell_waiting(p, id);
	return (0);
}

/* Finds the tournament that a game of ours belongs to, by its first line. */
static bool
desk_heal_of_game(
    const struct profile *p, const uint8_t game[HASH_LEN], uint8_t id[HASH_LEN])
{
	char *path = profile_game_path(p, game, ".jsonl"), *at;
	char line[RECORD_LINE_MAX + 2];
	bool is_one = false;
	FILE *f;

	if ((f = fopen(path, "re")) != NULL) {
		if (fgets(line, sizeof(line), f) != NULL &&
		    (at = strstr(line, DESK_HEAL_NAMES)) != NULL) {
			at += strlen(DESK_HEAL_NAMES);
			is_one = strlen(at) >= 2 * (size_t)HASH_LEN &&
			    hex_parse(id, HASH_LEN, at, 2 * (size_t)HASH_LEN) ==
				0;
		}
		(void)fclose(f);
	}
	free(path);
	return (is_one);
}

/* Makes copies of the tournaments of our games that we have none of. */
static void
desk_heal_adopt(struct link *l, const struct profile *p)
{
	uint8_t(*games)[HASH_LEN], id[HASH_LEN];
	struct errinfo e = {.text = ""};
	size_t i, n;

	if (profile_games(p, &games, &n, &e) != 0)
		return;
	for (i = 0; i < n; i++) {
		if (desk_heal_of_game(p, games[i], id) &&
		    !profile_game_has(p, id, ".tournament"))
			(void)desk_heal_one(l, p, id);
	}
	free(games);
}

int
desk_heal(struct link *l, const struct profile *p)
{
	static const struct heal_kind kind = {"tournament.heads", "tournaments",
	    "tournament", ".tournament", desk_heal_take};
	struct errinfo e = {.text = ""};
	uint8_t(*ids)[HASH_LEN];
	int status;
	size_t n;

	desk_heal_adopt(l, p);
	if (desk_copy_list(p, &ids, &n, &e) != 0)
		return (0);
	status = heal_compare(l, p, &kind, ids, n, l);
	free(ids);
	return (status);
}
