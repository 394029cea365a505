/* SPDX-License-Identifier: ISC */
/*
 * The state for programs and people: game_view_write(), and game_view(), which
 * reads back what that writes.  All of it follows from the record up to the
 * last line; what only the server holds, the text of a standing order that is
 * not open, is never in it.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

/* A number; null if it is none. */
static void
game_view_number(struct buf *out, const char *name, bool is, int64_t n)
{
	if (is)
		js_put_int(out, name, n);
	else
		js_put_null(out, name);
}

/* A time; null if it is not known. */
static void
game_view_at(struct buf *out, const char *name, int64_t ms)
{
	if (ms >= 0)
		js_put_at(out, name, ms);
	else
		js_put_null(out, name);
}

/* The seats and who sits in them. */
static void
game_view_seats(const struct game *g, struct buf *out)
{
	const struct game_seat *s;
	int i;

	js_put_open(out, "seats", '[');
	for (i = 0; i < GAME_SLOTS; i++) {
		if (!game_is_seat(g, game_slot_seat(i)))
			continue;
		s = &g->seats[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seat", game_slot_seat(i));
		js_put_int(out, "side", game_side_of(game_slot_seat(i)));
		js_put_bool(out, "joined", s->is_joined);
		js_put_str(out, "account", s->account);
		js_put_bool(out, "ready", s->is_ready);
		js_put_bool(out, "closed", s->close_seq >= 0);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/*
 * One debt as {"seat"|"side":n,"what":...,"since":...}, what its kind adds (of
 * a question "ask", "as", "kind", "options"), since_at and, if the clock of the
 * side runs, until.
 */
static void
game_view_owe(const struct game *g, const struct game_wait *w, struct buf *out)
{
	json_t *ask = NULL;

	js_put_open(out, NULL, '{');
	if (w->seat >= 0)
		js_put_int(out, "seat", w->seat);
	else
		js_put_int(out, "side", w->side);
	js_put_str(out, "what", owed_words(w->what)->name);
	js_put_int(out, "since", w->since);
	if (g->combat.run != NULL &&
	    (w->what == OWED_DECIDE || w->what == OWED_COMMIT)) {
		if ((ask = game_question(g, w->side)) == NULL)
			buf_fail(out, ERR_NOMEM);
		js_put_int(out, "ask", g->combat.ask_seq);
		js_put_json(out, "as", json_object_get(ask, "side"));
		js_put_json(out, "kind", json_object_get(ask, "kind"));
		js_put_json(out, "options", json_object_get(ask, "options"));
		json_decref(ask);
	}
	game_view_at(out, "since_at", w->since_ms);
	if (w->until_ms >= 0)
		js_put_at(out, "until", w->until_ms);
	if (w->what == OWED_ANSWER)
		js_put_bool(out, "may_object", game_may_object(g));
	if (w->what == OWED_ANSWER && game_silent_ms(g) >= 0)
		js_put_at(out, "silent_at", game_silent_ms(g));
	js_put_close(out, '}');
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
	js_put_open(out, "combat", '{');
	js_put_int(out, "declare", c->declare_seq);
	js_put_int(out, "side", c->side);
	js_put_new(
	    out, "events", game_combat_events(g, &events) == 0 ? events : NULL);
	js_put_close(out, '}');
}

/* The result; null while the game is undecided. */
static void
game_view_result(const struct game *g, struct buf *out)
{
	if (g->how == GAME_UNDECIDED) {
		js_put_null(out, "result");
		return;
	}
	js_put_open(out, "result", '{');
	game_view_number(out, "winner", g->winner != 0, g->winner);
	js_put_str(out, "how", game_how_name(g->how));
	js_put_close(out, '}');
}

/* One offer, with what its args say. */
static void
game_view_offer(const struct game_offer *f, struct buf *out)
{
	const char *name;
	json_t *arg;
	int seat;

	js_put_open(out, NULL, '{');
	js_put_int(out, "seq", f->seq);
	js_put_int(out, "seat", f->seat);
	js_put_int(out, "side", game_side_of(f->seat));
	js_put_str(out, "what", game_offer_names[f->what]);
	json_object_foreach(f->args, name, arg)
	{
		if (strcmp(name, "what") != 0 && strcmp(name, "seat") != 0)
			js_put_json(out, name, arg);
	}
	if (f->what == GAME_OFFER_RULING || f->what == GAME_OFFER_SEAT) {
		/* Whose accepts it has. */
		js_put_open(out, "accepted", '[');
		for (seat = 0; seat < GAME_SEATS; seat++) {
			if (f->is_accepted[seat])
				js_put_int(out, NULL, seat);
		}
		js_put_close(out, ']');
	}
	js_put_close(out, '}');
}

/* The clock of one side. */
static void
game_view_side(
    const struct game *g, const char *name, int side, struct buf *out)
{
	const struct game_clock_side *s = &g->clock.sides[side];
	const int64_t deadline = game_deadline_ms(g, side);

	js_put_open(out, name, '{');
	js_put_int(out, "left_s", s->left / 1000);
	js_put_int(out, "holidays", s->holidays);
	js_put_bool(out, "running", s->since >= 0);
	if (deadline >= 0)
		js_put_at(out, "deadline", deadline);
	if (s->away_until > g->at_ms)
		js_put_at(out, "away_until", s->away_until);
	/* The other side's notice that it will claim this time. */
	if (game_notice_seq(g, 3 - side) >= 0) {
		js_put_int(out, "notice", game_notice_seq(g, 3 - side));
		js_put_at(
		    out, "notice_until", game_notice_until_ms(g, 3 - side));
	}
	js_put_close(out, '}');
}

/* The clocks; null where none has begun. */
static void
game_view_clocks(const struct game *g, struct buf *out)
{
	if (game_clock(g) == NULL) {
		js_put_null(out, "clocks");
		return;
	}
	js_put_open(out, "clocks", '{');
	game_view_side(g, "1", 1, out);
	game_view_side(g, "2", 2, out);
	if (g->clock.paused_until > g->at_ms)
		js_put_at(out, "paused_until", g->clock.paused_until);
	js_put_close(out, '}');
}

/* The cups. */
static void
game_view_cups(const struct game *g, struct buf *out)
{
	const struct game_cup *c;
	size_t i;

	js_put_open(out, "cups", '[');
	for (i = 0; i < g->n_cups; i++) {
		c = &g->cups[i];
		js_put_open(out, NULL, '{');
		js_put_str(out, "cup", c->name);
		js_put_json(out, "in", c->in);
		js_put_json(out, "out", c->out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* The standing orders. */
static void
game_view_standing(const struct game *g, struct buf *out)
{
	const struct game_standing *s;
	const char *kind, *word;
	json_t *said;
	size_t i;
	int r;

	js_put_open(out, "standing", '[');
	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		js_put_open(out, NULL, '{');
		js_put_int(out, "seq", s->seq);
		js_put_int(out, "seat", s->seat);
		js_put_int(out, "side", game_side_of(s->seat));
		js_put_bool(out, "withdrawn", s->is_withdrawn);
		js_put_bool(out, "acted", s->is_open);
		r = game_standing_read(s, &said, &kind, &word);
		if (r == 0) {
			js_put_str(out, "kind", kind);
			js_put_str(out, "do", word);
			json_decref(said);
		} else if (r == ERR_NOMEM) {
			buf_fail(out, r);
		}
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* What play by turns adds. */
static void
game_view_turns(const struct game *g, struct buf *out)
{
	const struct order_create *c = &g->set;
	size_t i;

	if (c->confirms_facts)
		js_put_str(out, "confirm", "facts");
	else
		js_put_bool(out, "confirm", c->is_confirm);
	js_put_bool(out, "private", c->is_private);
	js_put_str(out, "secret", c->is_sealed ? "sealed" : "held");
	js_put_str(out, "silence", c->is_director ? "director" : "forfeit");
	js_put_json(out, "clock", c->clock_json);
	/* Defaults are written out. */
	js_put_open(out, "options", '{');
	js_put_int(out, "seats", c->seats);
	js_put_bool(out, "director", c->has_director);
	js_put_bool(out, "takeback", c->may_take_back);
	if (c->owner_fields != NULL)
		js_put_json(out, "owner_fields", c->owner_fields);
	if (c->delay >= 0)
		js_put_int(out, "delay", c->delay);
	if (c->delay_minutes >= 0)
		js_put_int(out, "delay_minutes", c->delay_minutes);
	if (c->has_witness) {
		js_put_hex(out, "witness", c->witness, SIGN_KEY_LEN);
		js_put_int(out, "witness_s", c->witness_s);
	}
	js_put_close(out, '}');
	js_put_hex(out, "roster_blob", g->roster_blob, HASH_LEN);
	game_view_at(
	    out, "state_at", g->phase == GAME_FINISHED ? -1 : g->state_at_ms);
	js_put_open(out, "offers", '[');
	for (i = 0; i < g->n_offers; i++)
		game_view_offer(&g->offers[i], out);
	js_put_close(out, ']');
	game_view_clocks(g, out);
	game_view_cups(g, out);
	game_view_standing(g, out);
	game_view_number(out, "truce", game_truce(g) > 0, g->truce);
	game_view_number(
	    out, "adjudication", g->clock.claim_seq >= 0, g->clock.claim_seq);
	if (c->confirms_facts)
		js_put_new(out, "objections", game_objections(g));
	if (c->has_witness)
		js_put_bool(out, "witness_out", g->witness.is_out);
}

void
game_view_write(const struct game *g, struct buf *out)
{
	struct game_waits waits;
	size_t i;

	buf_putc(out, '{');
	js_put_hex(out, "game", g->create.game, HASH_LEN);
	js_put_hex(out, "server", g->create.server, SIGN_KEY_LEN);
	js_put_str(out, "system", g->set.system);
	js_put_str(out, "rules", g->set.rules);
	js_put_new(out, "rulings", game_rulings(g));
	js_put_str(out, "scheme", g->set.is_live ? "live-1" : "dual-1");
	js_put_str(out, "phase", game_phase_name(g->phase));
	game_view_seats(g, out);
	js_put_int(out, "turn", g->turn);
	js_put_int(out, "round", game_round(g));
	js_put_int(out, "side", g->turn == 0 ? 0 : game_side(g));
	js_put_int(out, "seq", g->seq);
	js_put_hex(out, "head", g->head, HASH_LEN);
	js_put_at(out, "at", g->at_ms);
	js_put_hex(out, "pool", g->pool, HASH_LEN);
	js_put_int(out, "epoch", g->epoch);
	js_put_str(out, "event", g->set.event);
	js_put_json(out, "roster", game_roster(g));
	game_view_combat(g, out);
	game_waits_owed(g, &waits);
	js_put_open(out, "owed", '[');
	for (i = 0; i < waits.n; i++)
		game_view_owe(g, &waits.list[i], out);
	js_put_close(out, ']');
	game_view_result(g, out);
	game_view_turns(g, out);
	buf_putc(out, '}');
}

json_t *
game_view(const struct game *g)
{
	json_t *view = NULL;
	struct buf text;

	buf_init(&text, 0);
	game_view_write(g, &text);
	/* What was written can be read, unless memory runs out. */
	if (buf_error(&text) != 0 ||
	    js_load(text.data, text.len, JS_DEPTH_RPC, &view, NULL) != 0)
		view = NULL;
	buf_clear(&text);
	return (view);
}
