/* SPDX-License-Identifier: ISC */
/*
 * What waits for an account: what its seats owe, offers that it may answer,
 * invitations.  All of it is what the game itself waits for, so that it can
 * never say another thing than game.show does.
 */
#include "server/rpc/rpc_todo.h"

#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/ledger/ledger.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_game.h"
#include "server/rpc/rpc_list.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/store.h"

#define RPC_TODO_GAMES 200 /* games of one reply */
#define RPC_TODO_ROWS 500 /* beyond which no further game is begun */
#define RPC_TODO_US 5000 /* likewise: other sessions wait meanwhile */

/* The reply being made. */
struct rpc_todo {
	struct session *s;
	json_t *todo; /* owned */
	int n; /* games so far */
	int64_t begun_us; /* when it was asked for */
	struct rpc_list_cursor last; /* the last game */
	bool has_more;
	/* Games whose kept state does not fit their record. */
	uint8_t misfits[LEDGER_MEND_MAX][HASH_LEN];
	size_t n_misfits;
};

/* One game of it. */
struct rpc_todo_game {
	struct rpc_todo *list;
	const struct store_game_row *row;
	const struct game *game; /* as it is on disk */
	int seats[3]; /* the account's first seat of each side; -1: none */
};

/* The accounts that play against a side, each once; new. */
static json_t *
rpc_todo_opponents(const struct rpc_todo_game *g, int side)
{
	json_t *list = json_array();
	const char *account;
	bool is_new;
	int i, k;

	for (i = 1; i < GAME_SEATS; i++) {
		account = game_account(g->game, i);
		is_new = *account != '\0' && game_side_of(i) != side;
		for (k = 1; is_new && k < i; k++)
			is_new = game_side_of(k) == side ||
			    strcmp(game_account(g->game, k), account) != 0;
		if (is_new)
			call_append(&list, json_string(account));
	}
	return (list);
}

/* A list of opponents, and what they are called. */
struct rpc_todo_names {
	const json_t *opponents; /* borrowed */
	json_t *names; /* borrowed: account -> its name for people */
};

/* Notes one account's name for people, if it is an opponent's. */
static int
rpc_todo_name_cb(void *arg, int seat, const char *account, const char *name)
{
	const struct rpc_todo_names *n = arg;
	const json_t *v;
	size_t i;

	(void)seat;
	json_array_foreach(n->opponents, i, v)
	{
		if (*name != '\0' &&
		    strcmp(json_string_value(v), account) == 0 &&
		    json_object_set_new(n->names, account, json_string(name)) ==
			-1)
			return (ERR_NOMEM);
	}
	return (0);
}

/* Adds "opponents" and "names". */
static int
rpc_todo_add_opponents(const struct rpc_todo_game *g, int side, json_t *v)
{
	struct rpc_todo_names n = {NULL, json_object()};
	json_t *opponents = rpc_todo_opponents(g, side);
	int r = ERR_NOMEM;

	n.opponents = opponents;
	if (opponents != NULL && n.names != NULL)
		r = store_account_people(
		    g->list->s->io->reader, g->row->gid, rpc_todo_name_cb, &n);
	if (r == 0 &&
	    (json_object_set(v, "opponents", opponents) == -1 ||
		json_object_set(v, "names", n.names) == -1))
		r = ERR_NOMEM;
	json_decref(opponents);
	json_decref(n.names);
	return (r);
}

/* Adds one thing to do; until_ms may be -1. */
static int
rpc_todo_add(struct rpc_todo_game *g, int seat, enum owed owed, int64_t since,
    int64_t since_ms, int64_t until_ms)
{
	const struct store_game_row *row = g->row;
	const char *what = owed_words(owed)->name, *fact;
	char at[CLOCK_AT_LEN + 1];
	json_t *v;
	int r;

	clock_format(at, since_ms);
	v = json_pack("{s:o, s:s, s:s, s:s, s:i, s:s, s:I, s:s}", "game",
	    js_hex(row->id, HASH_LEN), "system", row->system, "event",
	    row->event, "phase", row->phase, "seat", seat, "what", what,
	    "since", (json_int_t)since, "since_at", at);
	if (v == NULL)
		return (ERR_NOMEM);
	r = rpc_todo_add_opponents(g, game_side_of(seat), v);
	if (r == 0 && until_ms >= 0) {
		clock_format(at, until_ms);
		r = json_object_set_new(v, "until", json_string(at));
	}
	fact = owed == OWED_ANSWER ? game_fact_owed(g->game) : NULL;
	if (r == 0 && owed == OWED_ANSWER)
		r = json_object_set_new(
		    v, "may_object", json_boolean(game_may_object(g->game)));
	if (r == 0 && fact != NULL)
		r = json_object_set_new(v, "kind", json_string(fact));
	if (r == 0 && owed == OWED_INVITATION)
		r = json_object_set_new(v, "invitation", json_true());
	if (r == 0)
		r = json_array_append(g->list->todo, v);
	json_decref(v);
	return (r == -1 ? ERR_NOMEM : r);
}

/* When a line was written; 0 if that can no longer be read. */
static int
rpc_todo_line_ms(struct rpc_todo_game *g, int64_t seq, int64_t *at_ms)
{
	int r;

	*at_ms = 0;
	r = store_record_at(g->list->s->io->reader, g->row->gid, seq, at_ms);
	return (r == ERR_NOTFOUND ? 0 : r);
}

/*
 * Adds that the other side's time may be claimed, or that notice may be given
 * of that; not while the notice of ours still runs.
 */
static int
rpc_todo_claim(struct rpc_todo_game *g)
{
	const int64_t now_ms = clock_wall_ms();
	int64_t at_ms, deadline_ms, seq;
	int r = 0, side;

	for (side = 1; r == 0 && side <= 2; side++) {
		deadline_ms = game_deadline_ms(g->game, 3 - side);
		if (g->seats[side] < 0 || deadline_ms < 0 ||
		    now_ms < deadline_ms ||
		    game_deadline_ms(g->game, side) >= 0)
			continue;
		seq = game_notice_seq(g->game, side);
		if (seq >= 0 && now_ms < game_notice_until_ms(g->game, side))
			continue;
		if (seq < 0)
			seq = g->row->seq;
		if ((r = rpc_todo_line_ms(g, seq, &at_ms)) == 0)
			r = rpc_todo_add(
			    g, g->seats[side], OWED_CLAIM, seq, at_ms, -1);
	}
	return (r);
}

/* Adds that the witness's silence may be claimed, for each side of ours. */
static int
rpc_todo_silence(struct rpc_todo_game *g)
{
	const int64_t from_ms = game_silent_ms(g->game);
	const int64_t seq = game_silent_seq(g->game);
	int64_t at_ms;
	int r = 0, side;

	if (from_ms < 0 || clock_wall_ms() < from_ms)
		return (0);
	for (side = 1; r == 0 && side <= 2; side++) {
		if (g->seats[side] >= 0 &&
		    (r = rpc_todo_line_ms(g, seq, &at_ms)) == 0)
			r = rpc_todo_add(
			    g, g->seats[side], OWED_SILENCE, seq, at_ms, -1);
	}
	return (r);
}

/* Adds what the account's seats owe, then the offers that they may answer. */
static int
rpc_todo_owed(struct rpc_todo_game *g)
{
	const bool is_round = game_is_round(g->game);
	struct game_waits waits;
	const struct game_wait *w;
	int64_t answered = -1, at_ms;
	size_t i;
	int r, seat;

	game_waiting(g->game, &waits);
	for (i = 0; i < waits.n; i++) {
		w = &waits.list[i];
		seat = w->seat < 0 ? g->seats[w->side] : w->seat;
		if (w->seat >= 0 &&
		    !game_wait_is_for(g->game, w, g->list->s->account))
			continue;
		/* A ruling asks two seats, which may be one account's. */
		if (seat < 0 || (w->what == OWED_OFFER && w->since == answered))
			continue;
		/* S6.5: no offer is accepted in a round. */
		if (w->what == OWED_OFFER && is_round)
			continue;
		if (w->what == OWED_OFFER)
			answered = w->since;
		if ((r = rpc_todo_line_ms(g, w->since, &at_ms)) != 0 ||
		    (r = rpc_todo_add(
			 g, seat, w->what, w->since, at_ms, w->until_ms)) != 0)
			return (r);
	}
	if ((r = rpc_todo_silence(g)) != 0)
		return (r);
	return (rpc_todo_claim(g));
}

/* Adds an invitation, if there is a seat to take. */
static int
rpc_todo_invitation(struct rpc_todo_game *g)
{
	int64_t at_ms;
	int i, r, seat = -1;

	for (i = 0; i < GAME_SEATS && seat < 1; i++) {
		if (game_is_seat(g->game, i) && !game_is_joined(g->game, i))
			seat = i;
	}
	if (seat < 0)
		return (0);
	r = store_invite_find(
	    g->list->s->io->reader, g->row->gid, g->list->s->account, &at_ms);
	if (r != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	return (rpc_todo_add(g, seat, OWED_INVITATION, 0, at_ms, -1));
}

/* Notes the account's first seat of each side. */
static void
rpc_todo_find_seats(struct rpc_todo_game *g)
{
	int i;

	g->seats[0] = g->seats[1] = g->seats[2] = -1;
	for (i = GAME_SEATS - 1; i >= 0; i--) {
		if (strcmp(game_account(g->game, i), g->list->s->account) == 0)
			g->seats[game_side_of(i)] = i;
	}
}

/*
 * Adds that a game has lapsed, for whoever opened it: nobody else can be
 * expected to clear it away.
 */
static int
rpc_todo_lapsed(struct rpc_todo_game *g)
{
	const char *account = g->list->s->account;
	char opener[STORE_ACCOUNT_MAX + 1];
	int64_t others;
	int r, seat;

	r = store_list_others(g->list->s->io->reader, g->row->gid,
	    rpc_list_lapsed_ms(g->list->s), &others, opener);
	if (r != 0 || strcmp(opener, account) != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	/* A director cannot cancel it: there is nothing to do. */
	seat = g->seats[1] >= 0 ? g->seats[1] : g->seats[2];
	if (seat < 0)
		return (0);
	return (
	    rpc_todo_add(g, seat, OWED_LAPSED, g->row->seq, g->row->at_ms, -1));
}

/* True if there is enough for one reply. */
static bool
rpc_todo_is_full(const struct rpc_todo *list)
{
	return (list->n == RPC_TODO_GAMES ||
	    json_array_size(list->todo) >= RPC_TODO_ROWS ||
	    (list->n > 0 && clock_thread_us() - list->begun_us > RPC_TODO_US));
}

/* Takes one game; 1 ends the list, since there are more. */
static int
rpc_todo_cb(void *arg, const struct store_game_row *row)
{
	struct rpc_todo *list = arg;
	struct rpc_todo_game g = {.list = list, .row = row};
	struct errinfo e = {.text = ""};
	bool is_lapsed;
	struct access see;
	struct game *game;
	int r;

	if (rpc_todo_is_full(list)) {
		list->has_more = true;
		return (1);
	}
	if ((r = session_access(list->s, row, &see)) != 0)
		return (r);
	is_lapsed = strcmp(rpc_list_phase(list->s, row), "lapsed") == 0;
	if (!see.is_known || (is_lapsed && !see.is_seated))
		return (0);
	list->n++;
	list->last.listed_ms = row->listed_ms;
	memcpy(list->last.id, row->id, HASH_LEN);
	r = store_standstill_find(list->s->io->reader, row->gid);
	if (r == 0)
		r = ERR_DAMAGED;
	else if (r == ERR_NOTFOUND)
		r = rpc_game_load(list->s, row->id, &game, &e);
	/* One that does not fit is left out, and to be mended. */
	if (r == ERR_BAD && list->n_misfits < LEDGER_MEND_MAX)
		memcpy(list->misfits[list->n_misfits++], row->id, HASH_LEN);
	/* A damaged one waits for the operator, who has been told. */
	if (r == ERR_BAD || r == ERR_NOTFOUND || r == ERR_DAMAGED)
		return (0);
	if (r != 0)
		return (r);
	g.game = game;
	rpc_todo_find_seats(&g);
	if (is_lapsed)
		r = rpc_todo_lapsed(&g);
	else if (see.is_seated)
		r = rpc_todo_owed(&g);
	else
		r = rpc_todo_invitation(&g);
	game_free(game);
	return (r);
}

/*
 * Answers with the games before a cursor; where some have to be mended first,
 * later, but not more than once.
 */
static int
rpc_todo_answer(struct call_request *rq, const int64_t before[2],
    call_finish *finish, json_t **result)
{
	struct rpc_todo list = {.s = rq->s, .begun_us = clock_thread_us()};
	char more[RPC_LIST_CURSOR];
	int r;

	if ((list.todo = json_array()) == NULL)
		return (ERR_NOMEM);
	r = store_list_open(rq->s->io->reader, rq->s->account, before[0],
	    before[1], rpc_todo_cb, &list);
	if (r >= 0 && list.n_misfits > 0 && finish != NULL)
		r = rpc_game_mend(
		    rq, list.misfits, list.n_misfits, before, finish);
	else if (r > 0)
		r = 0;
	if (r != 0) {
		json_decref(list.todo);
		return (r);
	}
	rpc_list_write_cursor(more, &list.last);
	*result = json_pack("{s:o, s:s*}", "todo", list.todo, "more",
	    list.has_more ? more : NULL);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Answers when games were mended. */
static int
rpc_todo_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	if (job->r != 0 && job->r != ERR_DAMAGED) {
		*e = job->e;
		return (job->r);
	}
	return (rpc_todo_answer(rq, job->before, NULL, result));
}

/* Answers game.todo. */
static int
rpc_todo_handle_list(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	int64_t at[2] = {INT64_MAX, INT64_MAX};
	const char *before = NULL;
	int r;

	if ((r = js_opt_str(rq->params, "before", call_at(), &before, e)) !=
		0 ||
	    (before != NULL &&
		(r = rpc_list_read_cursor(
		     rq->s->io->reader, before, &at[0], &at[1], e)) != 0))
		return (r);
	return (rpc_todo_answer(rq, at, rpc_todo_finish, result));
}

const struct call_method rpc_todo_list = {
    .name = "game.todo",
    .what = "Lists what waits for the account in its games.",
    .params =
	CALL_FIELDS({"before", SCHEMA_TEXT, true, "an earlier reply's more"}),
    .result = CALL_FIELDS(
	{"todo", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	    "game, system, event, phase, seat, what, since, since_at, until, "
	    "opponents, names, may_object, kind, invitation of each"},
	{"more", SCHEMA_TEXT, true, "if there are more: the value for before"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_TOOBIG, ERR_STORAGE),
    .needs_login = true,
    .handle = rpc_todo_handle_list,
};
