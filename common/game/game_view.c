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
 * Adds to a debt, new, the question that a side owes an answer to: "ask",
 * "as", "kind", "options".
 */
static int
game_view_question(const struct game *g, int side, json_t *v)
{
	const struct game_combat *c = &g->combat;
	json_t *ask;
	int bad;

	ask = combat_asked_of(
	    c->run, side == c->side ? COMBAT_ATTACKER : COMBAT_DEFENDER);
	if (ask == NULL)
		return (ERR_NOMEM);
	bad = json_object_set_new(v, "ask", json_integer(c->ask_seq));
	bad |= json_object_set(v, "as", json_object_get(ask, "side"));
	bad |= json_object_set(v, "kind", json_object_get(ask, "kind"));
	bad |= json_object_set(v, "options", json_object_get(ask, "options"));
	json_decref(ask);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/*
 * One debt as {"seat"|"side":n,"what":...,"since":...}, what its kind adds,
 * since_at and, if the clock of the side runs, until; new.
 */
static json_t *
game_view_owe(const struct game *g, const struct game_wait *w)
{
	bool is_asked = g->combat.run != NULL &&
	    (strcmp(w->what, "decide") == 0 || strcmp(w->what, "commit") == 0);
	json_t *v;
	int bad = 0;

	v = json_pack("{s:i, s:s, s:I}", w->seat >= 0 ? "seat" : "side",
	    w->seat >= 0 ? w->seat : w->side, "what", w->what, "since",
	    (json_int_t)w->since);
	if (is_asked)
		bad = game_view_question(g, w->side, v);
	bad |= json_object_set_new(
	    v, "since_at", game_view_at(game_view_since(g, w->since)));
	if (w->until_ms >= 0)
		bad |=
		    json_object_set_new(v, "until", game_view_at(w->until_ms));
	if (strcmp(w->what, "answer") == 0)
		bad |= json_object_set_new(
		    v, "may_object", json_boolean(!g->owed.is_final));
	if (bad != 0) {
		json_decref(v);
		return (NULL);
	}
	return (v);
}

/* What is owed, and by whom; new. */
static json_t *
game_view_owed(const struct game *g)
{
	struct game_waits waits;
	json_t *owed = json_array();
	size_t i;

	game_waits_owed(g, &waits);
	for (i = 0; owed != NULL && i < waits.n; i++) {
		if (json_array_append_new(
			owed, game_view_owe(g, &waits.list[i])) != 0) {
			json_decref(owed);
			owed = NULL;
		}
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
