/* SPDX-License-Identifier: ISC */
/* The state for programs and people: game_view(). */
#include <string.h>

#include "common/clock.h"
#include "common/game/game_int.h"
#include "common/js.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

/* The seats and who sits in them; new. */
static json_t *
game_view_seats(const struct game *g)
{
	const struct game_seat *s;
	json_t *list = json_array(), *v;
	int i;

	for (i = 0; list != NULL && i < GAME_SEATS; i++) {
		if (!game_is_seat(g, i))
			continue;
		s = &g->seats[i];
		v = json_pack("{s:i, s:i, s:b, s:s, s:b, s:b}", "seat", i,
		    "side", game_side_of(i), "joined", s->is_joined, "account",
		    s->account, "ready", s->is_ready, "closed",
		    s->close_seq >= 0);
		if (json_array_append_new(list, v) != 0) {
			json_decref(list);
			list = NULL;
		}
	}
	return (list);
}

/* A time as text; new, null if it is not known. */
static json_t *
game_view_at(int64_t at_ms)
{
	char at[CLOCK_AT_LEN + 1];

	if (at_ms < 0)
		return (json_null());
	clock_format(at, at_ms);
	return (json_string(at));
}

/* The time of the line since which something is owed; -1: not known. */
static int64_t
game_view_since(const struct game *g, int64_t since)
{
	if (since == g->seq)
		return (g->at_ms);
	if (since == g->state_seq)
		return (g->state_at_ms);
	if (g->owed.is_owed && since == g->owed.seq && g->owed.at_ms > 0)
		return (g->owed.at_ms);
	if (g->combat.is_open && since == g->combat.ask_seq &&
	    g->combat.ask_at_ms > 0)
		return (g->combat.ask_at_ms);
	return (-1);
}

/*
 * Appends a debt, new, to owed, with since_at and, if the clock of the side
 * runs, until.
 */
static int
game_view_add(const struct game *g, json_t *owed, int side, json_t *v)
{
	int64_t since = json_integer_value(json_object_get(v, "since")), until;
	int bad;

	bad = json_object_set_new(
	    v, "since_at", game_view_at(game_view_since(g, since)));
	until = game_deadline_ms(g, side);
	if (until >= 0)
		bad |= json_object_set_new(v, "until", game_view_at(until));
	if (bad != 0) {
		json_decref(v);
		return (ERR_NOMEM);
	}
	return (json_array_append_new(owed, v) == 0 ? 0 : ERR_NOMEM);
}

/* Appends {"seat"|"side":n,"what":...,"since":...} to owed. */
static int
game_view_owe(const struct game *g, json_t *owed, const char *who, int n,
    const char *what, int64_t since)
{
	return (game_view_add(g, owed,
	    strcmp(who, "side") == 0 ? n : game_side_of(n),
	    json_pack("{s:i, s:s, s:I}", who, n, "what", what, "since",
		(json_int_t)since)));
}

/* Appends a question that a side owes an answer to, as {"side","what",...}. */
static int
game_view_question(
    const struct game *g, json_t *owed, int side, const char *what)
{
	const struct game_combat *c = &g->combat;
	json_t *ask, *v;
	int r;

	ask = combat_asked_of(
	    c->run, side == c->side ? COMBAT_ATTACKER : COMBAT_DEFENDER);
	if (ask == NULL)
		return (ERR_NOMEM);
	v = json_pack("{s:i, s:s, s:I, s:I, s:O, s:O, s:O}", "side", side,
	    "what", what, "since", (json_int_t)c->ask_seq, "ask",
	    (json_int_t)c->ask_seq, "as", json_object_get(ask, "side"), "kind",
	    json_object_get(ask, "kind"), "options",
	    json_object_get(ask, "options"));
	r = game_view_add(g, owed, side, v);
	json_decref(ask);
	return (r);
}

/*
 * What both sides owe of a secret question: who has committed shows, what
 * they chose does not.
 */
static int
game_view_secret(const struct game *g, json_t *owed)
{
	const struct game_combat *c = &g->combat;
	enum order_kind kind;
	int64_t ask;
	int r = 0, side;

	for (side = 1; r == 0 && side <= 2; side++) {
		kind = game_secret_owed(g, side, &ask);
		if (kind == ORDER_UNKNOWN)
			continue;
		if (kind == ORDER_COMMIT && c->run != NULL)
			r = game_view_question(g, owed, side, "commit");
		else
			r = game_view_owe(
			    g, owed, "side", side, order_kind_name(kind), ask);
	}
	return (r);
}

/* The open question of a combat. */
static int
game_view_ask(const struct game *g, json_t *owed)
{
	const struct game_combat *c = &g->combat;

	if (c->is_secret)
		return (game_view_secret(g, owed));
	if (c->run == NULL)
		return (game_view_owe(
		    g, owed, "side", c->ask_side, "decide", c->declare_seq));
	return (game_view_question(g, owed, c->ask_side, "decide"));
}

/* What is owed by each seat before the game starts. */
static int
game_view_muster(const struct game *g, json_t *owed)
{
	bool is_full = game_is_full(g);
	int i, r = 0;

	for (i = 0; r == 0 && i < GAME_SEATS; i++) {
		if (!game_is_seat(g, i))
			continue;
		if (!g->seats[i].is_joined)
			r = game_view_owe(g, owed, "seat", i, "join", 0);
		else if (is_full && !g->seats[i].is_ready)
			r = game_view_owe(
			    g, owed, "seat", i, "ready", g->state_seq);
	}
	return (r);
}

/* What is owed while the game is played. */
static int
game_view_play(const struct game *g, json_t *owed)
{
	json_t *last;
	int r;

	if (g->owed.is_owed) {
		r = game_view_owe(
		    g, owed, "seat", g->owed.seat, "answer", g->owed.seq);
		last = json_array_get(owed, json_array_size(owed) - 1);
		if (r == 0 &&
		    json_object_set_new(last, "may_object",
			json_boolean(!g->owed.is_final)) != 0)
			r = ERR_NOMEM;
	} else if (g->combat.is_open && !g->combat.is_loose) {
		r = game_view_ask(g, owed);
	} else {
		r = game_view_owe(
		    g, owed, "side", game_side(g), "turn", g->state_seq);
	}
	if (r == 0 && g->clock.claim_seq >= 0)
		r = game_view_owe(
		    g, owed, "seat", 0, "ruling", g->clock.claim_seq);
	return (r);
}

/* What is owed at the end: a close by one seat of each side. */
static int
game_view_close(const struct game *g, json_t *owed)
{
	bool closed[3] = {false, false, false};
	int i, r = 0;

	for (i = 1; i < GAME_SEATS; i++) {
		if (g->seats[i].close_seq >= 0)
			closed[game_side_of(i)] = true;
	}
	for (i = 1; r == 0 && i < GAME_SEATS; i++) {
		if (g->seats[i].is_joined && !closed[game_side_of(i)])
			r = game_view_owe(
			    g, owed, "seat", i, "close", g->state_seq);
	}
	return (r);
}

/* What is owed, and by whom; new. */
static json_t *
game_view_owed(const struct game *g)
{
	json_t *owed = json_array();
	int r = 0;

	if (owed == NULL)
		return (NULL);
	switch (g->phase) {
	case GAME_MUSTER:
		r = game_view_muster(g, owed);
		break;
	case GAME_PLAY:
		r = game_view_play(g, owed);
		break;
	case GAME_OVER:
	case GAME_HALTED:
		r = game_view_close(g, owed);
		break;
	case GAME_FINISHED:
		break;
	}
	if (r != 0) {
		json_decref(owed);
		owed = NULL;
	}
	return (owed);
}

/* The open combat with all its events; new, null if there is none. */
static json_t *
game_view_combat(const struct game *g)
{
	const struct game_combat *c = &g->combat;
	json_t *events;

	if (!c->is_open)
		return (json_null());
	if (c->run == NULL)
		events = json_array();
	else if (combat_events(c->run, 0, &events) != 0)
		return (NULL);
	/* Of what waits for an answer no more than the lines tell. */
	while (g->owed.is_owed && json_array_size(events) > c->n_events)
		(void)json_array_remove(events, c->n_events);
	return (json_pack("{s:I, s:i, s:o}", "declare",
	    (json_int_t)c->declare_seq, "side", c->side, "events", events));
}

/* The result; new, null while the game is undecided. */
static json_t *
game_view_result(const struct game *g)
{
	json_t *winner;

	if (g->how == NULL)
		return (json_null());
	winner = g->winner == 0 ? json_null() : json_integer(g->winner);
	return (json_pack("{s:o, s:s}", "winner", winner, "how", g->how));
}

/* The rulings in force; what create says where the system is unknown. */
static json_t *
game_view_rulings(const struct game *g)
{
	if (g->has_settings)
		return (rules_settings_rulings(&g->settings));
	return (json_deep_copy(g->set.rulings));
}

json_t *
game_view(const struct game *g)
{
	char at[CLOCK_AT_LEN + 1];
	json_t *roster, *view;

	clock_format(at, g->at_ms);
	roster = g->roster == NULL ? json_null() : roster_json(g->roster);
	view = json_pack(
	    "{s:o, s:o, s:s, s:s, s:o, s:s, s:s, s:o, s:i, s:i, s:i, s:I, "
	    "s:o, s:s, s:o, s:i, s:s?, s:o, s:o, s:o, s:o}",
	    "game", js_hex(g->create.game, HASH_LEN), "server",
	    js_hex(g->create.server, SIGN_KEY_LEN), "system", g->set.system,
	    "rules", g->set.rules, "rulings", game_view_rulings(g), "scheme",
	    g->set.is_live ? "live-1" : "dual-1", "phase",
	    game_phase_name(g->phase), "seats", game_view_seats(g), "turn",
	    g->turn, "round", (g->turn + 1) / 2, "side",
	    g->turn == 0 ? 0 : game_side(g), "seq", (json_int_t)g->seq, "head",
	    js_hex(g->head, HASH_LEN), "at", at, "pool",
	    js_hex(g->pool, HASH_LEN), "epoch", g->epoch, "event", g->set.event,
	    "roster", roster, "combat", game_view_combat(g), "owed",
	    game_view_owed(g), "result", game_view_result(g));
	if (view != NULL && game_state_view(g, view) != 0) {
		json_decref(view);
		view = NULL;
	}
	return (view);
}
