/* SPDX-License-Identifier: ISC */
/*
 * A game's state as JSON and back: the snapshot that is kept beside the
 * record.  The settings are not saved but read again from the create order;
 * an open combat is its facts, rolls and decisions, run again.  A member is
 * written only while it says something, so that older snapshots read the
 * same.
 *
 * Not written are what the create order says, what no later line can need
 * (what a takeback would put back once play is over), and the texts of
 * standing orders that are not open, which lie beside the record.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/game/game_play.h"
#include "common/json/field.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/record/record.h"
#include "common/rules/combat.h"
#include "common/rules/facts.h"
#include "common/rules/roster.h"

#define GAME_KEEP_MS_MAX INT64_C(10000000000000) /* left on a clock */
#define GAME_KEEP_DAYS_MAX 366

/* Orders that may wait for an answer. */
static const enum order_kind game_snapshot_kinds[] = {ORDER_DECLARE,
    ORDER_DECIDE, ORDER_COMMIT, ORDER_OPEN, ORDER_UPKEEP, ORDER_FREE,
    ORDER_CLAIM};
static const char *const game_snapshot_kind_names[] = {
    "declare", "decide", "commit", "open", "upkeep", "free", "claim", NULL};

#define WHOLE .hi = JS_INT_MAX
#define SMALL .hi = INT32_MAX

static const struct field game_fields[] = {
    FIELD(game, seq, "seq", FIELD_NUMBER, WHOLE),
    FIELD(game, at_ms, "at_ms", FIELD_NUMBER, WHOLE),
    FIELD(game, head, "head", FIELD_HEX),
    FIELD(game, state_seq, "state", FIELD_NUMBER, WHOLE),
    FIELD(game, phase, "phase", FIELD_INT, .hi = GAME_HALTED),
    FIELD(game, is_halted, "halted", FIELD_BOOL),
    FIELD(game, has_ready, "has_ready", FIELD_BOOL),
    FIELD(game, pool, "pool", FIELD_HEX),
    FIELD(game, epoch, "epoch", FIELD_INT, SMALL),
    FIELD(game, turn, "turn", FIELD_INT, SMALL),
    FIELD_END,
};

static const struct field game_refused_fields[] = {
    FIELD(game, refused, "refused", FIELD_SET, .hi = ORDER_ACCOUNT_MAX),
    FIELD(game, past_keys, "past_keys", FIELD_SET, .hi = 2 * SIGN_KEY_LEN),
    FIELD(game, past_dice, "past_dice", FIELD_SET, .hi = 2 * VRF_KEY_LEN),
    FIELD(game, objected, "objected", FIELD_OBJECT, .may = true),
    FIELD(game, objections, "objections", FIELD_OBJECT, .may = true),
    FIELD_END,
};

static const struct field game_joined_fields[] = {
    FIELD(game, joined, "joined", FIELD_NUMBER, .hi = RECORD_BLOB_MAX,
	.may = true),
    FIELD(game, spent, "spent", FIELD_SET, .hi = FACTS_ID_MAX),
    FIELD_END,
};

static const struct field game_seat_fields[] = {
    FIELD_SIZED(game_seat, keys.keys[0], SIGN_KEY_LEN, "key", FIELD_HEX),
    FIELD(game_seat, dice_key, "dice_key", FIELD_HEX),
    FIELD(game_seat, account, "account", FIELD_ID),
    FIELD(game_seat, close_seq, "close", FIELD_NUMBER, .lo = -1, WHOLE),
    FIELD(game_seat, ready_beta, "ready", FIELD_HEX,
	.flag = offsetof(struct game_seat, is_ready)),
    FIELD(game_seat, next_dice, "next_dice", FIELD_HEX,
	.flag = offsetof(struct game_seat, has_next)),
    FIELD(game_seat, n_dice_keys, "dice_keys", FIELD_INT, .hi = 2, .may = true),
    FIELD(game_seat, join_seq, "join", FIELD_LINE, .may = true),
    FIELD(game_seat, keys.recovery, "recovery", FIELD_HEX,
	.flag = offsetof(struct game_seat, keys.has_recovery)),
    FIELD(game_seat, keys.n, "kn", FIELD_NUMBER, WHOLE, .may = true),
    FIELD_END,
};

static const struct field game_secret_fields[] = {
    FIELD(game_secret, seat, "seat", FIELD_INT, .lo = 1, .hi = GAME_SEATS - 1),
    FIELD(game_secret, seq, "seq", FIELD_NUMBER, WHOLE),
    FIELD(game_secret, commit, "commit", FIELD_HEX),
    FIELD(game_secret, own_beta, "own", FIELD_HEX),
    FIELD(game_secret, state_before, "before", FIELD_NUMBER, WHOLE, .may = true,
	.first = -1),
    FIELD(game_secret, salt, "salt", FIELD_HEX,
	.flag = offsetof(struct game_secret, is_open)),
    FIELD(game_secret, text, "text", FIELD_TEXT,
	.flag = offsetof(struct game_secret, is_open)),
    FIELD_END,
};

static const struct field game_combat_fields[] = {
    FIELD(game_combat, declare_seq, "declare", FIELD_NUMBER, WHOLE),
    FIELD(game_combat, side, "side", FIELD_INT, .lo = 1, .hi = 2),
    FIELD(game_combat, id, "id", FIELD_ID),
    FIELD(game_combat, k, "k", FIELD_INT, .lo = 1, SMALL),
    FIELD(game_combat, step, "step", FIELD_INT, .lo = 1, SMALL),
    FIELD(game_combat, ask_seq, "ask", FIELD_NUMBER, .lo = -1, WHOLE),
    FIELD(game_combat, ask_side, "ask_side", FIELD_INT, .hi = 2),
    FIELD(game_combat, n_events, "events", FIELD_COUNT, WHOLE),
    FIELD(game_combat, facts, "facts", FIELD_OBJECT),
    FIELD(game_combat, decisions, "decisions", FIELD_ARRAY),
    FIELD(
	game_combat, n_objections, "objections", FIELD_INT, SMALL, .may = true),
    FIELD_END,
};

static const struct field game_offer_fields[] = {
    FIELD(game_offer, seq, "seq", FIELD_LINE),
    FIELD(game_offer, seat, "seat", FIELD_INT, .hi = GAME_SEATS - 1),
    FIELD(game_offer, what, "what", FIELD_WORD, .words = game_offer_names),
    FIELD(game_offer, args, "args", FIELD_OBJECT),
    FIELD_SIZED(game_offer, is_accepted[1], 2, "accepted", FIELD_FLAGS),
    FIELD_SIZED(game_offer, is_accepted[3], GAME_SEATS - 3, "accepted_more",
	FIELD_FLAGS),
    FIELD(game_offer, is_accepted[0], "accepted_0", FIELD_BOOL, .may = true),
    FIELD_END,
};

/* Where turns are activations; of the game, and before a line. */
#define GAME_ROUNDS(s)                                                        \
	FIELD(s, rounds.ended, "rounds", FIELD_INT, SMALL, .may = true),      \
	    FIELD(                                                            \
		s, rounds.passes, "passes", FIELD_INT, .hi = 1, .may = true), \
	    FIELD(s, rounds.has_acted, "acted", FIELD_BOOL, .may = true)
static const struct field game_rounds_fields[] = {
    GAME_ROUNDS(game),
    FIELD_END,
};

/* A later round, and whose accepts the line before it has. */
static const struct field game_later_fields[] = {
    FIELD(game_later, asked_seq, "asked", FIELD_LINE, .may = true, .first = -1),
    FIELD(game_later, is_accepted, "accepted", FIELD_FLAGS),
    FIELD_END,
};

static const struct field game_undo_fields[] = {
    FIELD(game_undo, seq, "seq", FIELD_LINE),
    FIELD(game_undo, turn, "turn", FIELD_INT, SMALL),
    FIELD(game_undo, truce, "truce", FIELD_INT, SMALL, .may = true),
    GAME_ROUNDS(game_undo),
    FIELD(game_undo, units, "units", FIELD_OBJECT, .may = true),
    FIELD(game_undo, cup, "cup", FIELD_ID, .may = true),
    FIELD(game_undo, chits, "chits", FIELD_ARRAY, .may = true),
    FIELD_END,
};

static const struct field game_cup_fields[] = {
    FIELD(game_cup, name, "cup", FIELD_ID),
    FIELD(game_cup, seq, "seq", FIELD_LINE),
    FIELD(game_cup, in, "in", FIELD_ARRAY),
    FIELD(game_cup, out, "out", FIELD_ARRAY),
    FIELD_END,
};

static const struct field game_standing_fields[] = {
    FIELD(game_standing, seq, "seq", FIELD_LINE),
    FIELD(game_standing, ask, "ask", FIELD_LINE),
    FIELD(
	game_standing, seat, "seat", FIELD_INT, .lo = 1, .hi = GAME_SEATS - 1),
    FIELD(game_standing, commit, "commit", FIELD_HEX),
    FIELD(game_standing, is_withdrawn, "withdrawn", FIELD_BOOL, .may = true),
    FIELD(game_standing, is_lost, "lost", FIELD_BOOL, .may = true),
    FIELD(game_standing, salt, "salt", FIELD_HEX,
	.flag = offsetof(struct game_standing, is_open)),
    FIELD_SIZED(game_standing, text, GAME_STANDING_TEXT_MAX + 1, "text",
	FIELD_TEXT, .flag = offsetof(struct game_standing, is_open)),
    FIELD(game_standing, passed, "passed", FIELD_SET, .hi = GAME_KIND_MAX),
    FIELD_END,
};

static const struct field game_clock_side_fields[] = {
    FIELD(game_clock_side, left, "left", FIELD_NUMBER, .hi = GAME_KEEP_MS_MAX),
    FIELD(game_clock_side, since, "since", FIELD_NUMBER, .lo = -1, WHOLE),
    FIELD(game_clock_side, away_until, "away", FIELD_NUMBER, WHOLE),
    FIELD(game_clock_side, holidays, "holidays", FIELD_NUMBER,
	.hi = GAME_KEEP_DAYS_MAX),
    FIELD_END,
};

static const struct field game_notice_fields[] = {
    FIELD(game_notice, seq, "seq", FIELD_LINE),
    FIELD(game_notice, at_ms, "at", FIELD_NUMBER, WHOLE),
    FIELD(game_notice, now_ms, "now", FIELD_NUMBER, WHOLE),
    FIELD(game_notice, is_passed, "passed", FIELD_BOOL, .may = true),
    FIELD(game_notice, stops, "stops", FIELD_ARRAY, .may = true),
    FIELD_END,
};
static const struct field game_clock_fields[] = {
    FIELD(game_clock, paused_until, "paused", FIELD_NUMBER, WHOLE, .may = true),
    FIELD(game_clock, claim_seq, "claim", FIELD_LINE, .may = true, .first = -1),
    FIELD(game_clock, claim_side, "claim_side", FIELD_INT, .lo = 1, .hi = 2,
	.may = true),
    FIELD_END,
};

/* Before the kind of the order, and behind it. */
static const struct field game_owed_fields[] = {
    FIELD(game_owed, seq, "seq", FIELD_LINE),
    FIELD(game_owed, seat, "seat", FIELD_INT, .hi = GAME_WITNESS),
    FIELD(game_owed, place, "place", FIELD_TEXT),
    FIELD(game_owed, own_beta, "own", FIELD_HEX),
    FIELD_END,
};
static const struct field game_owed_more_fields[] = {
    FIELD(game_owed, by, "by", FIELD_INT, .lo = 1, .hi = GAME_SEATS - 1),
    FIELD(game_owed, ask_seq, "ask", FIELD_LINE, .lo = -1),
    FIELD(game_owed, ask_side, "ask_side", FIELD_INT, .hi = 2),
    FIELD(game_owed, n_decisions, "decisions", FIELD_COUNT, SMALL),
    FIELD(game_owed, n_events, "events", FIELD_COUNT, SMALL),
    FIELD(game_owed, at_ms, "at", FIELD_NUMBER, WHOLE, .may = true),
    FIELD(game_owed, args, "args", FIELD_OBJECT, .may = true),
    FIELD(game_owed, is_final, "opened", FIELD_BOOL, .may = true),
    FIELD(game_owed, is_facts, "facts", FIELD_BOOL, .may = true),
    FIELD(game_owed, is_judged, "judged", FIELD_BOOL, .may = true),
    FIELD(game_owed, is_dated, "dated", FIELD_BOOL, .may = true),
    FIELD(game_owed, is_witness, "witness", FIELD_BOOL, .may = true),
    FIELD_END,
};

/* ---- writing ---- */

/* What a seat has besides one key, if anything. */
static void
game_save_keys(const struct statement_keys *k, struct buf *out)
{
	int i;

	if (k->n > 0)
		js_put_hex(out, "kprev", k->prev, HASH_LEN);
	if (k->n_keys < 2)
		return;
	js_put_open(out, "keys", '[');
	for (i = 1; i < k->n_keys; i++)
		js_put_hex(out, NULL, k->keys[i], SIGN_KEY_LEN);
	js_put_close(out, ']');
}

/* The seats that are taken. */
static void
game_save_seats(const struct game *g, struct buf *out)
{
	struct game_seat s;
	int i;

	js_put_open(out, "seats", '[');
	for (i = 0; i < GAME_SLOTS; i++) {
		s = g->seats[i];
		if (!s.is_joined)
			continue;
		/* Nobody can be refused once a ready stands (S5.2). */
		if (g->phase != GAME_MUSTER || g->has_ready)
			s.join_seq = 0;
		js_put_open(out, NULL, '{');
		js_put_int(out, "seat", game_slot_seat(i));
		field_write(game_seat_fields, &s, out);
		game_save_keys(&s.keys, out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* The counters of this turn's places. */
static void
game_save_counts(const struct game *g, struct buf *out)
{
	const struct game_count *c;
	size_t i;

	js_put_open(out, "counts", '[');
	for (i = 0; i < g->n_counts; i++) {
		c = &g->counts[i];
		js_put_open(out, NULL, '[');
		js_put_str(out, NULL, c->id);
		js_put_int(out, NULL, c->n);
		if (c->is_upkeep)
			js_put_bool(out, NULL, true);
		js_put_close(out, ']');
	}
	js_put_close(out, ']');
}

/*
 * The commits of a secret question.  What is held is not in it: a snapshot is
 * what the record's lines say.
 */
static void
game_save_secrets(const struct game *g, struct buf *out)
{
	struct game_secret s;
	int side;

	js_put_open(out, "secrets", '[');
	for (side = 1; side <= 2; side++) {
		s = g->combat.secrets[side];
		if (!s.is_committed)
			continue;
		if (s.state_before == g->combat.ask_seq)
			s.state_before = -1;
		s.is_open = s.is_open && g->set.is_sealed;
		js_put_open(out, NULL, '{');
		field_write(game_secret_fields, &s, out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* The open combat; null if there is none. */
static void
game_save_combat(const struct game *g, struct buf *out)
{
	const struct game_combat *c = &g->combat;
	json_t *rolls;

	if (!c->is_open) {
		js_put_null(out, "combat");
		return;
	}
	if (c->run == NULL || combat_rolls(c->run, 0, &rolls) != 0)
		rolls = NULL;
	js_put_open(out, "combat", '{');
	field_write(game_combat_fields, c, out);
	js_put_new(out, "rolls", rolls);
	if (c->is_secret)
		game_save_secrets(g, out);
	/* A question of the last state line was asked when that was written. */
	if (c->ask_at_ms > 0 && c->ask_seq != g->state_seq)
		js_put_int(out, "ask_at", c->ask_at_ms);
	js_put_close(out, '}');
}

/* The seats with free rolls, and how many. */
static void
game_save_frees(const struct game *g, struct buf *out)
{
	bool has_any = false;
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (g->frees[i] <= 0)
			continue;
		if (!has_any)
			js_put_open(out, "frees", '[');
		has_any = true;
		js_put_open(out, NULL, '[');
		js_put_int(out, NULL, i);
		js_put_int(out, NULL, g->frees[i]);
		js_put_close(out, ']');
	}
	if (has_any)
		js_put_close(out, ']');
}

/* The clocks. */
static void
game_save_clock(const struct game *g, struct buf *out)
{
	struct game_clock c = g->clock;
	int side;

	if (c.claim_seq < 0)
		c.claim_side = 0;
	js_put_open(out, "clock", '{');
	js_put_open(out, "1", '{');
	field_write(game_clock_side_fields, &c.sides[1], out);
	js_put_close(out, '}');
	js_put_open(out, "2", '{');
	field_write(game_clock_side_fields, &c.sides[2], out);
	js_put_close(out, '}');
	field_write(game_clock_fields, &c, out);
	for (side = 1; side <= 2; side++) {
		if (c.notices[side].seq < 0)
			continue;
		js_put_open(out, side == 1 ? "notice_1" : "notice_2", '{');
		field_write(game_notice_fields, &c.notices[side], out);
		js_put_close(out, '}');
	}
	js_put_close(out, '}');
}

/* What play by turns adds: written only while it says something. */
static void
game_save_turns(const struct game *g, struct buf *out)
{
	const struct game_owed *w = &g->owed;

	if (memcmp(g->roster_blob, g->set.roster, HASH_LEN) != 0)
		js_put_hex(out, "roster_blob", g->roster_blob, HASH_LEN);
	if (g->turns_ended != (g->turn > 0 ? g->turn - 1 : 0))
		js_put_int(out, "turns_ended", g->turns_ended);
	/*
	 * When the last state line was written, if that is not the last line.
	 * Nothing needs it once the game is closed.
	 */
	if (g->phase != GAME_FINISHED && g->state_seq != g->seq &&
	    g->state_at_ms != -1)
		js_put_int(out, "state_at", g->state_at_ms);
	game_save_frees(g, out);
	if (g->truce != 0)
		js_put_int(out, "truce", g->truce);
	field_write(game_rounds_fields, g, out);
	field_write_list(game_offer_fields, "offers", g->offers, g->n_offers,
	    sizeof(*g->offers), out);
	if (g->phase == GAME_PLAY)
		field_write_list(game_undo_fields, "undos", g->undos,
		    g->n_undos, sizeof(*g->undos), out);
	if (g->phase == GAME_PLAY)
		field_write(game_joined_fields, g, out);
	field_write_list(
	    game_cup_fields, "cups", g->cups, g->n_cups, sizeof(*g->cups), out);
	field_write_list(game_standing_fields, "standings", g->standings,
	    g->n_standings, sizeof(*g->standings), out);
	if (game_clock(g) != NULL)
		game_save_clock(g, out);
	field_write(game_refused_fields, g, out);
	game_witness_save(g, out);
	game_worth_save(g, out);
	if (g->later.is_due) {
		js_put_open(out, "later", '{');
		field_write(game_later_fields, &g->later, out);
		js_put_close(out, '}');
	}
	if (!w->is_owed)
		return;
	js_put_open(out, "owed", '{');
	field_write(game_owed_fields, w, out);
	js_put_str(out, "kind", order_kind_name(w->kind));
	field_write(game_owed_more_fields, w, out);
	/* The question that is open again if it is objected to. */
	if (w->ask_seq >= 0 && g->combat.ask_kind[0] != '\0')
		js_put_str(out, "asked", g->combat.ask_kind);
	js_put_close(out, '}');
}

int
game_save(const struct game *g, struct buf *out)
{
	if ((g->is_rules_off && !g->is_halted) || g->roster == NULL)
		return (ERR_FAULT);
	buf_putc(out, '{');
	js_put_int(out, "v", 1);
	js_put_str(out, "create", g->create_text);
	field_write(game_fields, g, out);
	game_save_seats(g, out);
	game_save_counts(g, out);
	js_put_json(out, "roster", roster_value(g->roster));
	game_save_combat(g, out);
	js_put_int(out, "winner", g->winner);
	js_put_str(out, "how", game_how_name(g->how));
	if (g->commits != NULL)
		js_put_json(out, "commits", g->commits);
	game_save_turns(g, out);
	buf_putc(out, '}');
	return (buf_error(out));
}

/* ---- reading ---- */

/* The snapshot is damaged. */
static int
game_load_bad(struct errinfo *e, const char *where)
{
	return (err_set(e, ERR_INVALID, where, "bad"));
}

/* Reads what a seat has besides one key. */
static int
game_load_keys(struct statement_keys *k, const json_t *v, struct errinfo *e)
{
	const json_t *more = NULL;
	size_t i;
	int r;

	k->n_keys = 1;
	if ((r = js_opt_array(v, "keys", NULL, &more, e)) != 0 ||
	    (k->n > 0 &&
		(r = js_get_hex(v, "kprev", NULL, k->prev, HASH_LEN, e)) != 0))
		return (r);
	if (json_array_size(more) >= STATEMENT_KEYS_MAX)
		return (game_load_bad(e, "keys"));
	for (i = 0; i < json_array_size(more); i++, k->n_keys++) {
		r = js_element_hex(more, i, k->keys[k->n_keys], SIGN_KEY_LEN);
		if (r != 0)
			return (game_load_bad(e, "keys"));
	}
	return (0);
}

/* Reads the seats back. */
static int
game_load_seats(struct game *g, const json_t *list, struct errinfo *e)
{
	struct game_seat *s;
	const json_t *v;
	int64_t seat;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		r = js_get_int(v, "seat", NULL, 0, GAME_WITNESS, &seat, e);
		if (r != 0)
			return (r);
		if (game_slot((int)seat) < 0)
			return (game_load_bad(e, "seats"));
		s = &g->seats[game_slot((int)seat)];
		s->is_joined = true;
		if ((r = field_read(game_seat_fields, v, g->seq, s, e)) != 0 ||
		    (r = game_load_keys(&s->keys, v, e)) != 0)
			return (r);
	}
	return (0);
}

/* Reads the counters back. */
static int
game_load_counts(struct game *g, const json_t *list, struct errinfo *e)
{
	const json_t *v;
	const char *id;
	json_int_t n;
	bool is_upkeep;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		id = json_string_value(json_array_get(v, 0));
		n = json_integer_value(json_array_get(v, 1));
		if (id == NULL || !js_is_id(id) || n < 1)
			return (game_load_bad(e, "counts"));
		is_upkeep = json_is_true(json_array_get(v, 2));
		if ((r = game_place_count(g, id, is_upkeep)) != 0)
			return (r);
		g->counts[g->n_counts - 1].n = (int)n;
	}
	return (0);
}

/* Reads the counts of free rolls back. */
static int
game_load_frees(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *list = NULL, *one;
	json_int_t seat, n;
	size_t i;
	int r;

	if ((r = js_opt_array(v, "frees", NULL, &list, e)) != 0)
		return (r);
	json_array_foreach(list, i, one)
	{
		seat = json_integer_value(json_array_get(one, 0));
		n = json_integer_value(json_array_get(one, 1));
		if (seat < 1 || seat >= GAME_SEATS || n < 1 || n > INT32_MAX)
			return (game_load_bad(e, "frees"));
		g->frees[seat] = (int)n;
	}
	return (0);
}

/* Checks the args of an offer as far as those who read them rely on it. */
static int
game_load_check_offer(
    const struct game *g, const struct game_offer *f, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	struct order_join j;
	const json_t *units, *v;
	const char *id;
	int64_t n;
	size_t i;
	int r;

	switch (f->what) {
	case GAME_OFFER_VICTORY:
		return (js_get_int(f->args, "winner", NULL, 1, 2, &n, e));
	case GAME_OFFER_TAKEBACK:
		return (js_get_int(f->args, "from", NULL, 0, g->seq, &n, e));
	case GAME_OFFER_PAUSE:
		return (js_get_int(
		    f->args, "days", NULL, 1, GAME_KEEP_DAYS_MAX, &n, e));
	case GAME_OFFER_TRUCE:
		return (js_get_int(f->args, "turns", NULL, 1, 99, &n, e));
	case GAME_OFFER_ADJUST:
		r = js_get_array(f->args, "units", NULL, &units, e);
		if (r != 0)
			return (r);
		json_array_foreach(units, i, v)
		{
			id = js_str(v, "id");
			if (id == NULL || !js_is_id(id))
				return (game_load_bad(e, "offers"));
		}
		return (0);
	case GAME_OFFER_ROSTER:
		return (js_get_hex(f->args, "roster", NULL, hash, HASH_LEN, e));
	case GAME_OFFER_SEAT:
		if ((r = order_newcomer_parse(f->args, NULL, &j, e)) != 0)
			return (r);
		return (j.seat != f->seat || !game_is_joined(g, j.seat)
			? game_load_bad(e, "offers")
			: 0);
	default:
		return (0);
	}
}

/*
 * Checks what a takeback would put back: entries of units that there are, or
 * null for those that joined.
 */
static int
game_load_check_undo(
    const struct game *g, const struct game_undo *u, struct errinfo *e)
{
	const char *id;
	json_t *v;

	json_object_foreach(u->units, id, v)
	{
		if ((!json_is_object(v) && !json_is_null(v)) ||
		    roster_find(g->roster, id, NULL) == NULL)
			return (game_load_bad(e, "undos"));
	}
	if ((u->cup[0] == '\0') != (u->chits == NULL))
		return (game_load_bad(e, "undos"));
	return (u->chits == NULL ? 0 : game_cup_check_items(u->chits, NULL, e));
}

/* Reads the lists back whose elements are a line's; two of them ascend. */
static int
game_load_lists(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_standing *s;
	void *list = NULL;
	size_t i;
	int r;

	r = field_read_list(game_offer_fields, v, "offers", g->seq,
	    sizeof(*g->offers), &list, &g->n_offers, e);
	g->offers = list;
	for (i = 0; r == 0 && i < g->n_offers; i++)
		r = game_load_check_offer(g, &g->offers[i], e);
	if (r != 0)
		return (r);
	list = NULL;
	r = field_read_list(game_undo_fields, v, "undos", g->seq,
	    sizeof(*g->undos), &list, &g->n_undos, e);
	g->undos = list;
	for (i = 0; r == 0 && i < g->n_undos; i++) {
		r = game_load_check_undo(g, &g->undos[i], e);
		if (r == 0 && i > 0 && g->undos[i].seq <= g->undos[i - 1].seq)
			r = game_load_bad(e, "undos");
	}
	if (r != 0)
		return (r);
	list = NULL;
	r = field_read_list(game_standing_fields, v, "standings", g->seq,
	    sizeof(*g->standings), &list, &g->n_standings, e);
	g->standings = list;
	for (i = 0; r == 0 && i < g->n_standings; i++) {
		s = &g->standings[i];
		s->is_held = s->is_open;
		if (s->ask >= s->seq || (i > 0 && s->seq <= s[-1].seq))
			r = game_load_bad(e, "standings");
	}
	return (r);
}

/* Reads one cup back, whose items are in it or out, none twice. */
static int
game_load_cup(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_cup *c, read = {.seq = 0};
	json_t *all = NULL;
	int r;

	if ((r = field_read(game_cup_fields, v, g->seq, &read, e)) != 0)
		goto out;
	r = ERR_NOMEM;
	if ((all = json_copy(read.in)) == NULL ||
	    json_array_extend(all, read.out) != 0)
		goto out;
	if ((r = game_cup_check_items(all, NULL, e)) != 0)
		goto out;
	if (game_cup_find(g, read.name) != NULL) {
		r = game_load_bad(e, "cups");
	} else if ((c = game_cup_add(g, read.name)) == NULL ||
	    json_array_extend(c->in, read.in) != 0 ||
	    json_array_extend(c->out, read.out) != 0) {
		r = ERR_NOMEM;
	} else {
		c->seq = read.seq;
	}
out:
	json_decref(all);
	json_decref(read.in);
	json_decref(read.out);
	return (r);
}

/* What does not count of the time since a notice is pairs and a flag. */
static bool
game_load_is_stops(const json_t *stops)
{
	const json_t *v;
	size_t i;

	json_array_foreach(stops, i, v)
	{
		if (json_array_size(v) != 3 ||
		    !json_is_integer(json_array_get(v, 0)) ||
		    !json_is_integer(json_array_get(v, 1)) ||
		    !json_is_boolean(json_array_get(v, 2)))
			return (false);
	}
	return (true);
}

/* Reads the clocks back. */
static int
game_load_clock(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_clock *c = &g->clock;
	const json_t *one = NULL, *sides[3], *notice;
	int i, r;

	if ((r = js_opt_object(v, "clock", NULL, &one, e)) != 0)
		return (r);
	if ((one != NULL) != (game_clock(g) != NULL))
		return (game_load_bad(e, "clock"));
	if (one == NULL)
		return (0);
	if ((r = js_get_object(one, "1", NULL, &sides[1], e)) != 0 ||
	    (r = js_get_object(one, "2", NULL, &sides[2], e)) != 0 ||
	    (r = field_read(
		 game_clock_side_fields, sides[1], 0, &c->sides[1], e)) != 0 ||
	    (r = field_read(
		 game_clock_side_fields, sides[2], 0, &c->sides[2], e)) != 0 ||
	    (r = field_read(game_clock_fields, one, g->seq, c, e)) != 0)
		return (r);
	if ((c->claim_seq >= 0) != (c->claim_side != 0))
		return (game_load_bad(e, "clock"));
	for (i = 1; i <= 2; i++) {
		notice = NULL;
		r = js_opt_object(
		    one, i == 1 ? "notice_1" : "notice_2", NULL, &notice, e);
		if (r == 0 && notice != NULL)
			r = field_read(game_notice_fields, notice, g->seq,
			    &c->notices[i], e);
		if (r != 0)
			return (r);
		if (!game_load_is_stops(c->notices[i].stops))
			return (game_load_bad(e, "clock"));
	}
	return (0);
}

/* Reads the order that waits for an answer back. */
static int
game_load_owed(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_owed *w = &g->owed;
	const json_t *one = NULL;
	const char *asked = "";
	int kind, r;

	if ((r = js_opt_object(v, "owed", NULL, &one, e)) != 0 || one == NULL)
		return (r);
	if ((r = field_read(game_owed_fields, one, g->seq, w, e)) != 0 ||
	    (r = js_get_enum(
		 one, "kind", NULL, game_snapshot_kind_names, &kind, e)) != 0 ||
	    (r = field_read(game_owed_more_fields, one, g->seq, w, e)) != 0 ||
	    (r = js_opt_str(one, "asked", NULL, &asked, e)) != 0)
		return (r);
	w->kind = game_snapshot_kinds[kind];
	if (strlen(asked) > GAME_KIND_MAX || g->phase != GAME_PLAY ||
	    (w->args != NULL) != !game_is_combat(w->kind) ||
	    (w->seat > 2 && (w->seat != GAME_WITNESS || !w->is_witness)) ||
	    (w->is_witness && game_witness(g) == NULL))
		return (game_load_bad(e, "owed"));
	memcpy(g->combat.ask_kind, asked, strlen(asked) + 1);
	w->is_owed = true;
	return (0);
}

/* Reads a later round back. */
static int
game_load_later(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *one = NULL;
	int r;

	if ((r = js_opt_object(v, "later", NULL, &one, e)) != 0 || one == NULL)
		return (r);
	if (!g->has_ready || g->phase > GAME_PLAY)
		return (game_load_bad(e, "later"));
	g->later.is_due = true;
	return (field_read(game_later_fields, one, g->seq, &g->later, e));
}

/* Reads back what play by turns adds. */
static int
game_load_turns(struct game *g, const json_t *v, struct errinfo *e)
{
	int64_t turns = g->turn > 0 ? g->turn - 1 : 0, truce = 0;
	const json_t *list = NULL, *one;
	bool has;
	size_t i;
	int r;

	memcpy(g->roster_blob, g->set.roster, HASH_LEN);
	g->state_at_ms = g->state_seq == g->seq ? g->at_ms : -1;
	if ((r = js_opt_hex(v, "roster_blob", NULL, g->roster_blob, HASH_LEN,
		 &has, e)) != 0 ||
	    (r = js_opt_int(v, "turns_ended", NULL, 0, INT32_MAX, &turns, e)) !=
		0 ||
	    (r = js_opt_int(v, "state_at", NULL, 0, JS_INT_MAX, &g->state_at_ms,
		 e)) != 0 ||
	    (r = js_opt_int(v, "truce", NULL, 0, INT32_MAX, &truce, e)) != 0 ||
	    (r = game_load_frees(g, v, e)) != 0 ||
	    (r = game_load_lists(g, v, e)) != 0 ||
	    (r = field_read(game_joined_fields, v, g->seq, g, e)) != 0 ||
	    (r = field_read(game_rounds_fields, v, g->seq, g, e)) != 0 ||
	    (r = js_opt_array(v, "cups", NULL, &list, e)) != 0)
		return (r);
	g->turns_ended = (int)turns;
	g->truce = (int)truce;
	json_array_foreach(list, i, one)
	{
		if ((r = game_load_cup(g, one, e)) != 0)
			return (r);
	}
	if ((r = game_load_clock(g, v, e)) != 0 ||
	    (r = field_read(game_refused_fields, v, g->seq, g, e)) != 0 ||
	    (r = game_witness_load(g, v, e)) != 0 ||
	    (r = game_worth_load(g, v, e)) != 0 ||
	    (r = game_load_later(g, v, e)) != 0)
		return (r);
	return (game_load_owed(g, v, e));
}

/* Reads the commits of a secret question back. */
static int
game_load_secrets(struct game *g, const json_t *list, struct errinfo *e)
{
	struct game_secret s;
	const json_t *v;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		memset(&s, 0, sizeof(s));
		s.is_committed = true;
		s.state_before = g->combat.ask_seq;
		if ((r = field_read(game_secret_fields, v, g->seq, &s, e)) != 0)
			return (r);
		g->combat.secrets[game_side_of(s.seat)] = s;
	}
	return (0);
}

/* Reads the open combat back. */
static int
game_load_combat(struct game *g, const json_t *saved, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	const struct game_owed *w = &g->owed;
	const json_t *rolls, *secrets = NULL;
	int r;

	if (saved == NULL)
		return (err_set(e, ERR_INVALID, "combat", "missing"));
	if (!json_is_null(saved)) {
		if ((r = field_read(game_combat_fields, saved, g->seq, c, e)) !=
			0 ||
		    (r = js_opt_int(saved, "ask_at", NULL, 0, JS_INT_MAX,
			 &c->ask_at_ms, e)) != 0 ||
		    (r = js_opt_array(saved, "secrets", NULL, &secrets, e)) !=
			0 ||
		    (r = game_load_secrets(g, secrets, e)) != 0 ||
		    (r = js_get_array(saved, "rolls", NULL, &rolls, e)) != 0)
			return (r);
		c->is_open = true;
		c->is_secret = secrets != NULL;
		if (c->ask_seq >= 0 && c->ask_seq == g->state_seq &&
		    g->state_at_ms > 0)
			c->ask_at_ms = g->state_at_ms;
	}
	/* An order that waits must be one of the combat that is open. */
	if (w->is_owed &&
	    (w->args != NULL ? c->is_open
			     : !c->is_open ||
			w->n_decisions > json_array_size(c->decisions) ||
			w->n_events > c->n_events))
		return (game_load_bad(e, "owed"));
	return (c->is_open ? game_play_rebuild(g, rolls, e) : 0);
}

/* Reads a whole snapshot into a game that was just made. */
static int
game_load_all(struct game *g, const json_t *v, const struct game_blobs *blobs,
    struct errinfo *e)
{
	const json_t *seats, *counts, *commits = NULL, *roster;
	struct errinfo why;
	const char *text;
	int64_t winner;
	int r, how;

	if ((r = js_get_str(v, "create", NULL, &text, e)) != 0)
		return (r);
	if ((g->create_text = strdup(text)) == NULL)
		return (ERR_NOMEM);
	if ((r = order_parse(g->create_text, strlen(text), &g->create, e)) !=
		0 ||
	    (r = order_create_parse(&g->create, &g->set, e)) != 0 ||
	    (r = game_open_rules(g, blobs, false, e)) != 0 ||
	    (r = field_read(game_fields, v, 0, g, e)) != 0 ||
	    (r = js_get_int(v, "winner", NULL, 0, 2, &winner, e)) != 0)
		return (r);
	if (!json_is_null(json_object_get(v, "how"))) {
		r = js_get_enum(v, "how", NULL, game_how_names, &how, e);
		if (r != 0)
			return (r);
		g->how = (enum game_how)(how + 1);
	}
	g->winner = (int)winner;
	g->now_ms = g->at_ms;
	if ((r = js_get_array(v, "seats", NULL, &seats, e)) != 0 ||
	    (r = game_load_seats(g, seats, e)) != 0 ||
	    (r = js_get_array(v, "counts", NULL, &counts, e)) != 0 ||
	    (r = game_load_counts(g, counts, e)) != 0 ||
	    (r = js_opt_object(v, "commits", NULL, &commits, e)) != 0 ||
	    (r = js_get_object(v, "roster", NULL, &roster, e)) != 0 ||
	    (r = roster_restore(g->sys, roster, &g->roster, e)) != 0)
		return (r);
	if (commits != NULL && (g->commits = json_deep_copy(commits)) == NULL)
		return (ERR_NOMEM);
	if ((r = game_load_turns(g, v, e)) != 0)
		return (r);
	if (g->is_halted) {
		(void)err_set(&why, ERR_NEWER, "",
		    "the rules code failed, which halted the game");
		game_uncheckable(g, ERR_NEWER, &why);
	}
	return (game_load_combat(g, json_object_get(v, "combat"), e));
}

int
game_load(const char *bytes, size_t len, const struct game_blobs *blobs,
    struct game **out, struct errinfo *e)
{
	struct game *g;
	json_t *v;
	int i, r;

	if ((r = js_load(bytes, len, JS_DEPTH_RPC, &v, e)) != 0)
		return (r);
	if ((g = calloc(1, sizeof(*g))) == NULL) {
		json_decref(v);
		return (ERR_NOMEM);
	}
	g->combat.ask_seq = -1;
	g->clock.claim_seq = -1;
	g->later.asked_seq = -1;
	game_notice_end(g);
	g->clock.sides[1].since = g->clock.sides[2].since = -1;
	g->blobs = *blobs;
	for (i = 0; i < GAME_SLOTS; i++)
		g->seats[i].close_seq = -1;
	r = game_load_all(g, v, blobs, e);
	json_decref(v);
	if (r != 0) {
		game_free(g);
		return (r);
	}
	*out = g;
	return (0);
}
