/* SPDX-License-Identifier: ISC */
/*
 * The state for programs and people: game_view_write(), and game_view(), which
 * reads back what that writes.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/json/js_put.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"
#include "common/rules/side.h"

/* The seats and who sits in them. */
static void
game_view_seats(const struct game *g, struct buf *out)
{
	const struct game_seat *s;
	int i;

	js_put_open(out, "seats", '[');
	for (i = 0; i < GAME_SEATS; i++) {
		if (!game_is_seat(g, i))
			continue;
		s = &g->seats[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seat", i);
		js_put_int(out, "side", game_side_of(i));
		js_put_bool(out, "joined", s->is_joined);
		js_put_str(out, "account", s->account);
		js_put_bool(out, "ready", s->is_ready);
		js_put_bool(out, "closed", s->close_seq >= 0);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
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
 * The question that a side owes an answer to, as members of its debt: "ask",
 * "as", "kind", "options".
 */
static void
game_view_question(const struct game *g, int side, struct buf *out)
{
	const struct game_combat *c = &g->combat;
	json_t *ask;

	ask = combat_asked_of(
	    c->run, side == c->side ? COMBAT_ATTACKER : COMBAT_DEFENDER);
	if (ask == NULL) {
		buf_fail(out, ERR_NOMEM);
		return;
	}
	js_put_int(out, "ask", c->ask_seq);
	js_put_json(out, "as", json_object_get(ask, "side"));
	js_put_json(out, "kind", json_object_get(ask, "kind"));
	js_put_json(out, "options", json_object_get(ask, "options"));
	json_decref(ask);
}

/*
 * One debt as {"seat"|"side":n,"what":...,"since":...}, what its kind adds,
 * since_at and, if the clock of the side runs, until.
 */
static void
game_view_owe(const struct game *g, const struct game_wait *w, struct buf *out)
{
	const bool is_asked = g->combat.run != NULL &&
	    (strcmp(w->what, "decide") == 0 || strcmp(w->what, "commit") == 0);
	const int64_t since_ms = game_view_since(g, w->since);

	js_put_open(out, NULL, '{');
	if (w->seat >= 0)
		js_put_int(out, "seat", w->seat);
	else
		js_put_int(out, "side", w->side);
	js_put_str(out, "what", w->what);
	js_put_int(out, "since", w->since);
	if (is_asked)
		game_view_question(g, w->side, out);
	if (since_ms >= 0)
		js_put_at(out, "since_at", since_ms);
	else
		js_put_null(out, "since_at");
	if (w->until_ms >= 0)
		js_put_at(out, "until", w->until_ms);
	if (strcmp(w->what, "answer") == 0)
		js_put_bool(out, "may_object", !g->owed.is_final);
	js_put_close(out, '}');
}

/* What is owed, and by whom. */
static void
game_view_owed(const struct game *g, struct buf *out)
{
	struct game_waits waits;
	size_t i;

	game_waits_owed(g, &waits);
	js_put_open(out, "owed", '[');
	for (i = 0; i < waits.n; i++)
		game_view_owe(g, &waits.list[i], out);
	js_put_close(out, ']');
}

/* The open combat with all its events; null if there is none. */
static void
game_view_combat(const struct game *g, struct buf *out)
{
	const struct game_combat *c = &g->combat;
	json_t *events;

	if (!c->is_open) {
		js_put_null(out, "combat");
		return;
	}
	if (c->run == NULL)
		events = json_array();
	else if (combat_events(c->run, 0, &events) != 0)
		events = NULL;
	/* Of what waits for an answer no more than the lines tell. */
	while (g->owed.is_owed && json_array_size(events) > c->n_events)
		(void)json_array_remove(events, c->n_events);
	js_put_open(out, "combat", '{');
	js_put_int(out, "declare", c->declare_seq);
	js_put_int(out, "side", c->side);
	js_put_new(out, "events", events);
	js_put_close(out, '}');
}

/* The result; null while the game is undecided. */
static void
game_view_result(const struct game *g, struct buf *out)
{
	if (g->how == NULL) {
		js_put_null(out, "result");
		return;
	}
	js_put_open(out, "result", '{');
	if (g->winner == 0)
		js_put_null(out, "winner");
	else
		js_put_int(out, "winner", g->winner);
	js_put_str(out, "how", g->how);
	js_put_close(out, '}');
}

/* The rulings in force; what create says where the system is unknown. */
static void
game_view_rulings(const struct game *g, struct buf *out)
{
	if (g->has_settings)
		js_put_new(
		    out, "rulings", rules_settings_rulings(&g->settings));
	else
		js_put_json(out, "rulings", g->set.rulings);
}

void
game_view_write(const struct game *g, struct buf *out)
{
	buf_putc(out, '{');
	js_put_hex(out, "game", g->create.game, HASH_LEN);
	js_put_hex(out, "server", g->create.server, SIGN_KEY_LEN);
	js_put_str(out, "system", g->set.system);
	js_put_str(out, "rules", g->set.rules);
	game_view_rulings(g, out);
	js_put_str(out, "scheme", g->set.is_live ? "live-1" : "dual-1");
	js_put_str(out, "phase", game_phase_name(g->phase));
	game_view_seats(g, out);
	js_put_int(out, "turn", g->turn);
	js_put_int(out, "round", (g->turn + 1) / 2);
	js_put_int(out, "side", g->turn == 0 ? 0 : game_side(g));
	js_put_int(out, "seq", g->seq);
	js_put_hex(out, "head", g->head, HASH_LEN);
	js_put_at(out, "at", g->at_ms);
	js_put_hex(out, "pool", g->pool, HASH_LEN);
	js_put_int(out, "epoch", g->epoch);
	js_put_str(out, "event", g->set.event);
	js_put_json(
	    out, "roster", g->roster == NULL ? NULL : roster_value(g->roster));
	game_view_combat(g, out);
	game_view_owed(g, out);
	game_view_result(g, out);
	game_state_write(g, out);
	buf_putc(out, '}');
}

/* Reads what one of the writers writes of a game; new. */
static json_t *
game_view_read(
    const struct game *g, void (*write)(const struct game *, struct buf *))
{
	json_t *view = NULL;
	struct buf text;

	buf_init(&text, 0);
	write(g, &text);
	/* What was written can be read, but for want of memory. */
	if (buf_error(&text) != 0 ||
	    js_load(text.data, text.len, JS_DEPTH_RPC, &view, NULL) != 0)
		view = NULL;
	buf_clear(&text);
	return (view);
}

json_t *
game_view(const struct game *g)
{
	return (game_view_read(g, game_view_write));
}

/* What game_view_waits() reads back. */
static void
game_view_write_waits(const struct game *g, struct buf *out)
{
	buf_putc(out, '{');
	game_view_seats(g, out);
	game_view_owed(g, out);
	game_state_write_offers(g, out);
	buf_putc(out, '}');
}

json_t *
game_view_waits(const struct game *g)
{
	return (game_view_read(g, game_view_write_waits));
}
