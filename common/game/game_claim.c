/* SPDX-License-Identifier: ISC */
/*
 * Claims of deadlines, holidays and pauses, the director's rulings, and the
 * ways in which they end a game (record S6.7, S6.8).  A claim without
 * effect is lawful: the claimant cannot know the time of its line.
 */
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_play.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"

#define GAME_RULINGS_MAX 4 /* that wait for accepts at the same time */

void
game_decide_end(struct game *g, int winner, enum game_how how)
{
	g->phase = GAME_OVER;
	g->winner = winner;
	g->how = how;
	game_owed_clear(g);
	game_end_combat(g);
	game_offer_clear(g);
	game_later_end(g);
	game_state_line(g);
}

/* What a claim and a pause need: a game that is played, a clock, a side. */
static int
game_check_clock(const struct game *g, const struct order *o, struct errinfo *e)
{
	int r;

	if ((r = game_check_after(g, o, e)) != 0 ||
	    (r = game_check_phase(g, e)) != 0)
		return (r);
	if (!g->set.has_clock)
		return (err_set(
		    e, ERR_ILLEGAL, "order.kind", "this game has no clock"));
	if (game_side_of(o->seat) == 0)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the director has no clock, and claims nothing"));
	return (0);
}

/*
 * True if a default would answer the open question of the other side, so
 * that a claim has a place and a proof.  Where the rules are not known here,
 * the order itself says so.
 */
static bool
game_claim_answers(const struct game *g, const struct order *o)
{
	const struct game_combat *c = &g->combat;

	if (g->set.clock.then != ORDER_CLOCK_DEFAULT || g->owed.is_owed ||
	    g->later.is_due || !c->is_open || c->is_secret)
		return (false);
	if (!g->has_settings || c->ask_kind[0] == '\0')
		return (g->is_rules_off && o->has_own);
	return (
	    c->ask_side == 3 - game_side_of(o->seat) && game_has_default(g));
}

/* Place and proof of a claim, whether or not it has an effect. */
static int
game_claim_proof(const struct game *g, const struct order *o, bool answers,
    struct errinfo *e)
{
	char place[ORDER_PLACE_MAX + 1];
	uint8_t beta[VRF_BETA_LEN];
	int r;

	if ((o->place != NULL) != answers || o->has_own != answers)
		return (err_set(e, ERR_ILLEGAL, "order.own",
		    answers
			? "a claim that the open question be answered by its "
			  "default has a place and a proof"
			: "a claim has no place and no proof but where a "
			  "default answers the other side's open question"));
	if (!answers)
		return (0);
	if ((r = game_place(g, o->seat, ORDER_CLAIM, o->args, place, e)) != 0)
		return (r);
	if (strcmp(place, o->place) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.place",
		    "the record now calls for the place \"%s\"", place));
	return (game_dice_check_own(g, o, beta, e));
}

/* True if the other side has overstepped its time by then, and only it. */
static bool
game_claim_holds(const struct game *g, int side, int64_t ms)
{
	int64_t deadline = game_clock_deadline(g, 3 - side);

	return (deadline >= 0 && ms >= deadline &&
	    game_clock_deadline(g, side) < 0);
}

/* A claim that what the director has not judged stands (S6.3). */
static int
game_claim_unjudged(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	int64_t to;
	int r;

	if ((r = game_check_after(g, o, l->e)) != 0 ||
	    (r = game_check_phase(g, l->e)) != 0)
		return (r);
	if (game_side_of(o->seat) == 0)
		return (err_set(l->e, ERR_ILLEGAL, "order.seat",
		    "the director claims nothing"));
	r = js_get_int(o->args, "to", &order_at_args, 0, JS_INT_MAX, &to, l->e);
	if (r != 0)
		return (game_illegal(r));
	if (o->place != NULL || o->has_own)
		return (err_set(l->e, ERR_ILLEGAL, "order.own",
		    "a claim of what is not judged has no place and no proof"));
	if (!game_is_judged(g) || to != g->owed.seq)
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "line %lld is no notice of yours that stands, and does not "
		    "wait for the director's judgement or for the witness",
		    (long long)to));
	if (!o->has_now && g->owed.is_dated)
		return (err_set(l->e, ERR_ILLEGAL, "order.now",
		    "missing; line %lld has one, and the week is judged by it",
		    (long long)to));
	if (g->now_ms < game_unjudged_ms(g) ||
	    (o->has_now && o->now_ms < game_unjudged_ms(g)))
		return (0);
	l->fx->entry.claimed = GAME_CLAIMED_AGREED;
	return (game_answer_agreed(g, l, NULL));
}

/* What a claim does that holds (S6.7). */
static int
game_claim_do(struct game *g, const struct game_line *l, bool answers)
{
	struct game_effects *fx = l->fx;
	const int side = game_side_of(l->o->seat);

	if (answers) {
		fx->entry.claimed = GAME_CLAIMED_DEFAULT;
		return (game_go_default(g, l));
	}
	fx->entry.claimed = GAME_CLAIMED_DIRECTOR;
	if (g->owed.is_owed && g->set.is_director) {
		/* S6.3: the director answers with their own dice key. */
		g->owed.seat = 0;
		game_state_line(g);
	} else if (!g->owed.is_owed &&
	    g->set.clock.then == ORDER_CLOCK_DIRECTOR) {
		g->clock.claim_seq = g->seq + 1;
		g->clock.claim_side = side;
		game_state_line(g);
	} else {
		fx->entry.claimed = GAME_CLAIMED_GAME;
		game_decide_end(g, side, GAME_FORFEIT);
	}
	return (0);
}

/*
 * A claim in two lines: a notice, and after so long a second line, which names
 * it.  Neither clock alone makes it hold: the line's and the claimant's do.
 */
static int
game_claim_noticed(struct game *g, const struct game_line *l, bool is_second)
{
	const struct order *o = l->o;
	const int side = game_side_of(o->seat);
	bool answers, holds;
	int r;

	if (!o->has_now)
		return (err_set(l->e, ERR_ILLEGAL, "order.now",
		    "missing; a claim says when it was signed"));
	answers = is_second && game_claim_answers(g, o);
	if ((r = game_claim_proof(g, o, answers, l->e)) != 0)
		return (r);
	holds = game_claim_holds(g, side, g->now_ms) &&
	    game_claim_holds(g, side, o->now_ms);
	if (is_second) {
		l->fx->entry.to = g->clock.notices[side].seq;
		return (holds && game_notice_is_over(g, side, o->now_ms)
			? game_claim_do(g, l, answers)
			: 0);
	}
	if (!holds || g->clock.notices[side].seq >= 0)
		return (0);
	l->fx->entry.claimed = GAME_CLAIMED_NOTICE;
	return (game_notice_begin(g, side, o->now_ms));
}

int
game_claim(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	const int side = game_side_of(o->seat);
	const json_t *to = json_object_get(o->args, "to");
	const bool is_noticed = g->set.has_clock && g->set.clock.notice_s > 0;
	bool answers;
	int r;

	if (json_is_integer(to) && game_silent_seq(g) >= 0 &&
	    json_integer_value(to) == game_silent_seq(g))
		return (game_witness_silence(g, l));
	if (to != NULL &&
	    !(is_noticed && json_is_integer(to) && side != 0 &&
		json_integer_value(to) >= 0 &&
		json_integer_value(to) == g->clock.notices[side].seq))
		return (game_claim_unjudged(g, l));
	if ((r = game_check_clock(g, o, l->e)) != 0)
		return (r);
	if (is_noticed)
		return (game_claim_noticed(g, l, to != NULL));
	answers = game_claim_answers(g, o);
	if ((r = game_claim_proof(g, o, answers, l->e)) != 0)
		return (r);
	return (game_claim_holds(g, side, g->now_ms)
		? game_claim_do(g, l, answers)
		: 0);
}

int
game_pause(struct game *g, const struct game_line *l)
{
	static const char *const words[] = {"holiday", "resume", NULL};
	const struct order *o = l->o;
	int side = game_side_of(o->seat), word, r;
	int64_t days, left = g->clock.sides[side].holidays;

	if ((r = game_check_clock(g, o, l->e)) != 0 ||
	    (r = game_check_owed(g, ERR_STALE, l->e)) != 0)
		return (r);
	r = js_get_enum(o->args, "do", &order_at_args, words, &word, l->e);
	if (r == 0 && word == 0)
		r = js_get_int(
		    o->args, "days", &order_at_args, 1, 366, &days, l->e);
	if (r != 0)
		return (game_illegal(r));
	if (word == 0) {
		if (days > left)
			return (err_set(l->e, ERR_ILLEGAL, "order.args.days",
			    "side %d has %lld days of holiday left", side,
			    (long long)left));
		return (game_clock_holiday(g, side, days));
	}
	if (json_object_get(o->args, "days") != NULL)
		return (err_set(l->e, ERR_ILLEGAL, "order.args.days",
		    "resuming takes no days"));
	if (g->now_ms >= g->clock.paused_until)
		return (err_set(l->e, ERR_ILLEGAL, "order.args.do",
		    "there is no pause to end"));
	return (game_clock_resume(g));
}

/* What a ruling does, as its args say it. */
enum game_ruling_what {
	GAME_RULING_WORDS,
	GAME_RULING_VOID,
	GAME_RULING_UNITS,
	GAME_RULING_RESULT,
	GAME_RULING_FORFEIT, /* of a claim */
	GAME_RULING_EXTEND, /* of a claim */
};

struct game_ruling_args {
	enum game_ruling_what what;
	int64_t from; /* void */
	const json_t *units; /* borrowed */
	int64_t winner; /* result */
	int64_t claim;
	int64_t extend_s;
};

/* Exactly this many members besides `why`. */
static int
game_ruling_members(const json_t *args, size_t n, struct errinfo *e)
{
	if (json_object_size(args) == n + 1)
		return (0);
	return (js_fail(&order_at_args, e,
	    "a ruling says one thing: void and from, units, result, claim "
	    "and do, or words alone"));
}

/* Reads a ruling on a claim. */
static int
game_ruling_claim(
    const json_t *args, struct game_ruling_args *a, struct errinfo *e)
{
	static const char *const words[] = {"forfeit", "extend", NULL};
	const struct js_at *at = &order_at_args;
	int word, r;

	r = js_get_int(args, "claim", at, 0, JS_INT_MAX, &a->claim, e);
	if (r == 0)
		r = js_get_enum(args, "do", at, words, &word, e);
	if (r != 0)
		return (r);
	a->what = word == 0 ? GAME_RULING_FORFEIT : GAME_RULING_EXTEND;
	if (a->what == GAME_RULING_EXTEND)
		r = js_get_int(
		    args, "extend_s", at, 60, 31536000, &a->extend_s, e);
	return (r != 0 ? r : game_ruling_members(args, 2U + (word == 1), e));
}

/* Reads a ruling's args: `why`, and what one of the forms has. */
static int
game_ruling_read(
    const json_t *args, struct game_ruling_args *out, struct errinfo *e)
{
	const struct js_at *at = &order_at_args;
	struct game_ruling_args a = {.what = GAME_RULING_WORDS};
	uint8_t why[HASH_LEN];
	bool is_void = false;
	size_t n = 0;
	int r;

	if ((r = js_get_hex(args, "why", at, why, HASH_LEN, e)) != 0)
		return (r);
	if (json_object_get(args, "void") != NULL) {
		a.what = GAME_RULING_VOID;
		n = 2;
		r = js_get_bool(args, "void", at, &is_void, e);
		if (r == 0 && !is_void)
			r = js_fail_member(at, "void", e, "must be true");
		if (r == 0)
			r = js_get_int(
			    args, "from", at, 0, JS_INT_MAX, &a.from, e);
	} else if (json_object_get(args, "units") != NULL) {
		a.what = GAME_RULING_UNITS;
		n = 1;
		r = js_get_array(args, "units", at, &a.units, e);
	} else if (json_object_get(args, "result") != NULL) {
		a.what = GAME_RULING_RESULT;
		n = 1;
		r = js_get_int(args, "result", at, 0, 2, &a.winner, e);
	} else if (json_object_get(args, "claim") != NULL) {
		r = game_ruling_claim(args, &a, e);
		n = json_object_size(args) - 1;
	}
	if (r == 0)
		r = game_ruling_members(args, n, e);
	if (r == 0)
		*out = a;
	return (r);
}

/* Whether what a ruling does could be done now. */
static int
game_ruling_check(
    const struct game *g, const struct game_ruling_args *a, struct errinfo *e)
{
	if (a->what == GAME_RULING_VOID && !game_undo_reaches(g, a->from))
		return (err_set(e, ERR_STALE, "order.args.from",
		    "line %lld cannot be taken back, or not any more",
		    (long long)a->from));
	if (a->what == GAME_RULING_UNITS)
		return (game_illegal(game_adjust_check(g, a->units, e)));
	return (0);
}

int
game_ruling(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_ruling_args a = {.what = GAME_RULING_WORDS};
	struct game_entry *en = &l->fx->entry;
	size_t i, n = 0;
	int r;

	if (o->seat != 0)
		return (err_set(l->e, ERR_ILLEGAL, "order.seat",
		    "only the director gives rulings"));
	if ((r = game_check_after(g, o, l->e)) != 0 ||
	    (r = game_check_phase(g, l->e)) != 0 ||
	    (r = game_check_owed(g, ERR_STALE, l->e)) != 0)
		return (r);
	if ((r = game_ruling_read(o->args, &a, l->e)) != 0)
		return (game_illegal(r));
	if (a.what != GAME_RULING_FORFEIT && a.what != GAME_RULING_EXTEND) {
		/* It waits for the accepts of seats 1 and 2. */
		for (i = 0; i < g->n_offers; i++)
			n += g->offers[i].what == GAME_OFFER_RULING;
		if (n >= GAME_RULINGS_MAX)
			return (err_set(l->e, ERR_ILLEGAL, "",
			    "%d rulings wait for an answer; withdraw one first",
			    GAME_RULINGS_MAX));
		if ((r = game_ruling_check(g, &a, l->e)) != 0 ||
		    (r = game_offer_add(g, o, GAME_OFFER_RULING, en)) != 0)
			return (r);
		game_state_line(g);
		return (0);
	}
	/* On a claim it is in force at once. */
	if (a.claim != g->clock.claim_seq)
		return (err_set(l->e, ERR_STALE, "order.args.claim",
		    "line %lld is not a claim that waits for a ruling",
		    (long long)a.claim));
	en->offer = GAME_OFFER_RULING;
	en->to = a.claim;
	en->fate = GAME_FATE_ACCEPTED;
	en->fate_by = en->seq;
	if (a.what == GAME_RULING_FORFEIT) {
		game_decide_end(g, g->clock.claim_side, GAME_FORFEIT);
		return (0);
	}
	game_clock_extend(g, 3 - g->clock.claim_side, a.extend_s);
	game_state_line(g);
	return (0);
}

int
game_ruling_do(struct game *g, const struct game_offer *f, struct errinfo *e)
{
	struct game_ruling_args a = {.what = GAME_RULING_WORDS};
	int r;

	if ((r = game_ruling_read(f->args, &a, e)) != 0)
		return (game_illegal(r));
	if (a.what == GAME_RULING_UNITS && g->combat.is_open &&
	    !g->combat.is_loose)
		return (err_set(e, ERR_ILLEGAL, "",
		    "a combat is open; units are changed when it is over"));
	if ((r = game_ruling_check(g, &a, e)) != 0)
		return (r);
	if (a.what == GAME_RULING_RESULT) {
		game_decide_end(g, (int)a.winner, GAME_RULED);
		return (0);
	}
	if (a.what == GAME_RULING_UNITS &&
	    ((r = game_undo_begin(g)) != 0 ||
		(r = game_adjust_do(g, a.units)) != 0))
		return (r);
	return (0);
}
