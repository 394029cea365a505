/* SPDX-License-Identifier: ISC */
/*
 * The clocks of the sides (record S6.7): how much time counts between two
 * instants, and what each line does to what is left.  All of it follows from
 * the times in the record; nothing here asks what time it is.
 *
 * What is left is that of the last line.  A side that runs has its `since`
 * there; a side that has run out has it where its time ended, so that lines
 * which are not moves do not give it its grace again.
 */
#include "common/game/game_int.h"

#define GAME_DAY_MS INT64_C(86400000)
#define GAME_WEEK_MS (7 * GAME_DAY_MS)
/* 1970-01-01 was a Thursday: three days of its week were over. */
#define GAME_EPOCH_MS (3 * GAME_DAY_MS)
/* What is left never grows above this, about 317 years. */
#define GAME_LEFT_MAX_MS INT64_C(10000000000000)

/* How many days of a week count. */
static int
game_days(unsigned skip)
{
	int d, n = 0;

	for (d = 0; d < 7; d++)
		n += (skip >> d & 1) == 0;
	return (n);
}

/* The time that counts from a Monday before 1970 to t. */
static int64_t
game_counted_to(unsigned skip, int64_t t)
{
	int64_t rest = (t + GAME_EPOCH_MS) % GAME_WEEK_MS;
	int64_t n = (t + GAME_EPOCH_MS) / GAME_WEEK_MS * game_days(skip);
	int d;

	n *= GAME_DAY_MS;
	for (d = 0; rest > 0; d++, rest -= GAME_DAY_MS) {
		if ((skip >> d & 1) == 0)
			n += rest < GAME_DAY_MS ? rest : GAME_DAY_MS;
	}
	return (n);
}

int64_t
game_clock_counted(unsigned skip, int64_t from, int64_t to)
{
	if (to <= from)
		return (0);
	return (game_counted_to(skip, to) - game_counted_to(skip, from));
}

int64_t
game_clock_reach(unsigned skip, int64_t from, int64_t need)
{
	int64_t week = game_days(skip) * GAME_DAY_MS, rest, t;
	int d;

	if (need <= 0)
		return (from);
	/* The earliest instant is in a day that counts, or at its end. */
	rest = game_counted_to(skip, from) + need;
	t = (rest - 1) / week * GAME_WEEK_MS - GAME_EPOCH_MS;
	rest -= (rest - 1) / week * week;
	for (d = 0; (skip >> d & 1) != 0 || rest > GAME_DAY_MS; d++) {
		if ((skip >> d & 1) == 0)
			rest -= GAME_DAY_MS;
		t += GAME_DAY_MS;
	}
	return (t + rest);
}

/* From when on the time of a side counts that has run since `since`. */
static int64_t
game_clock_from(const struct game *g, const struct game_clock_side *s)
{
	int64_t from = s->since;

	if (from < s->away_until)
		from = s->away_until;
	if (from < g->clock.paused_until)
		from = g->clock.paused_until;
	return (from);
}

/* When a side that runs has used up so much; at once, if it is nothing. */
static int64_t
game_clock_when(
    const struct game *g, const struct game_clock_side *s, int64_t need)
{
	if (need <= 0)
		return (s->since);
	return (
	    game_clock_reach(g->set.clock.skip, game_clock_from(g, s), need));
}

void
game_clock_count(struct game *g, int64_t at_ms)
{
	struct game_clock_side *s;
	int64_t used;
	int side;

	for (side = 1; side <= 2; side++) {
		s = &g->clock.sides[side];
		if (s->since < 0)
			continue;
		used = game_clock_counted(
		    g->set.clock.skip, game_clock_from(g, s), at_ms);
		if (used <= s->left && s->left > 0) {
			s->left -= used;
			s->since = at_ms;
		} else {
			s->since = game_clock_when(g, s, s->left);
			s->left = 0;
		}
	}
}

/*
 * True while the game waits for a side, whether or not its clock may run; a
 * later round is left aside.
 */
static bool
game_waits_for(const struct game *g, int side)
{
	const struct game_combat *c = &g->combat;
	int64_t ask;

	if (g->phase != GAME_PLAY || g->later.is_due)
		return (false);
	if (g->owed.is_owed)
		return (game_side_of(g->owed.seat) == side);
	if (!c->is_open || c->is_loose)
		return (game_side(g) == side);
	if (c->is_secret)
		return (game_secret_owed(g, side, &ask) != ORDER_UNKNOWN);
	return (c->ask_side == side);
}

/* True while a later round waits for a ready of a side. */
static bool
game_waits_ready(const struct game *g, int side)
{
	int i;

	for (i = 1; g->phase == GAME_PLAY && i < GAME_SEATS; i++) {
		if (game_side_of(i) == side && game_later_owes(g, i))
			return (true);
	}
	return (false);
}

bool
game_clock_owes(const struct game *g, int side)
{
	return (g->set.has_clock && g->clock.claim_seq < 0 &&
	    (game_waits_for(g, side) || game_waits_ready(g, side)));
}

int64_t
game_clock_deadline(const struct game *g, int side)
{
	const struct game_clock_side *s = &g->clock.sides[side];

	if (s->since < 0 || !game_clock_owes(g, side))
		return (-1);
	return (game_clock_when(
	    g, s, s->left + g->set.clock.grace_s * INT64_C(1000)));
}

int64_t
game_deadline_ms(const struct game *g, int side)
{
	return (side == 1 || side == 2 ? game_clock_deadline(g, side) : -1);
}

const struct game_clock *
game_clock(const struct game *g)
{
	return (g->set.has_clock && g->phase != GAME_MUSTER ? &g->clock : NULL);
}

int64_t
game_claim_seq(const struct game *g)
{
	return (g->clock.claim_seq);
}

bool
game_left_ms(const struct game *g, int side, int64_t *left_ms)
{
	const struct order_clock *k = &g->set.clock;

	*left_ms = g->clock.sides[side].left;
	return (!k->is_side && *left_ms == k->first_s * 1000);
}

/* ---- notices (S6.7) ---- */

/* From now to `until` a side's time does not count, or a pause lasts. */
static int
game_notice_stop(
    const struct game *g, struct game_notice *n, int64_t until, bool is_pause)
{
	json_t *stop;

	if (until <= g->now_ms)
		return (0);
	if (n->stops == NULL && (n->stops = json_array()) == NULL)
		return (ERR_NOMEM);
	stop = json_pack("[I, I, b]", (json_int_t)g->now_ms, (json_int_t)until,
	    (int)is_pause);
	return (json_array_append_new(n->stops, stop) == 0 ? 0 : ERR_NOMEM);
}

/* What of the time since a notice counts. */
static int64_t
game_notice_counted(
    const struct game *g, const struct game_notice *n, int64_t from, int64_t to)
{
	const unsigned skip = g->set.clock.skip;
	const json_t *stop;
	int64_t begin, end, counted = 0;
	size_t i;

	json_array_foreach(n->stops, i, stop)
	{
		begin = json_integer_value(json_array_get(stop, 0));
		end = json_integer_value(json_array_get(stop, 1));
		if (begin > to)
			break;
		counted += game_clock_counted(skip, from, begin);
		if (from < end)
			from = end;
	}
	return (counted + game_clock_counted(skip, from, to));
}

int
game_notice_begin(struct game *g, int side, int64_t now_ms)
{
	struct game_notice *n = &g->clock.notices[side];
	int r;

	n->seq = g->seq + 1;
	n->at_ms = g->now_ms;
	n->now_ms = now_ms;
	r = game_notice_stop(g, n, g->clock.sides[3 - side].away_until, false);
	if (r == 0)
		r = game_notice_stop(g, n, g->clock.paused_until, true);
	return (r);
}

bool
game_notice_is_over(const struct game *g, int side, int64_t now_ms)
{
	const struct game_notice *n = &g->clock.notices[side];
	const int64_t ms = 1000 *
	    (game_notice_is_unwitnessed(g, side) ? GAME_WITNESS_WEEK_S
						 : g->set.clock.notice_s);

	return (game_notice_counted(g, n, n->at_ms, g->now_ms) >= ms &&
	    game_notice_counted(g, n, n->now_ms, now_ms) >= ms);
}

void
game_notice_end(struct game *g)
{
	int side;

	for (side = 1; side <= 2; side++) {
		json_decref(g->clock.notices[side].stops);
		g->clock.notices[side] = (struct game_notice){.seq = -1};
	}
}

bool
game_notice_is_unwitnessed(const struct game *g, int side)
{
	return (game_witness(g) != NULL && !g->clock.notices[side].is_passed);
}

int64_t
game_notice_seq(const struct game *g, int side)
{
	return (side == 1 || side == 2 ? g->clock.notices[side].seq : -1);
}

int64_t
game_notice_until_ms(const struct game *g, int side)
{
	const struct game_notice *n = &g->clock.notices[side];
	const int64_t ms = g->set.clock.notice_s * 1000;
	const json_t *stop;
	int64_t from = n->at_ms, until, counted = 0, begin;
	size_t i;

	if (n->seq < 0)
		return (-1);
	until = game_clock_reach(g->set.clock.skip, from, ms);
	json_array_foreach(n->stops, i, stop)
	{
		begin = json_integer_value(json_array_get(stop, 0));
		if (begin >= until)
			break;
		counted += game_clock_counted(g->set.clock.skip, from, begin);
		if (from < json_integer_value(json_array_get(stop, 1)))
			from = json_integer_value(json_array_get(stop, 1));
		until = game_clock_reach(g->set.clock.skip, from, ms - counted);
	}
	return (until);
}

/* Gives a side more time. */
static void
game_clock_add(struct game_clock_side *s, int64_t ms, int64_t most)
{
	/* What is left may lie above a cap only by a ruling. */
	if (s->left < most)
		s->left = ms < most - s->left ? s->left + ms : most;
}

void
game_clock_extend(struct game *g, int side, int64_t seconds)
{
	game_clock_count(g, g->now_ms);
	game_clock_add(&g->clock.sides[side], seconds * 1000, GAME_LEFT_MAX_MS);
	g->clock.claim_seq = -1;
}

int
game_clock_pause(struct game *g, int64_t days)
{
	int r = 0, side;

	game_clock_count(g, g->now_ms);
	g->clock.paused_until = g->now_ms + days * GAME_DAY_MS;
	for (side = 1; r == 0 && side <= 2; side++) {
		if (g->clock.notices[side].seq >= 0)
			r = game_notice_stop(g, &g->clock.notices[side],
			    g->clock.paused_until, true);
	}
	return (r);
}

int
game_clock_resume(struct game *g)
{
	json_t *stop;
	size_t i;
	int side;

	game_clock_count(g, g->now_ms);
	g->clock.paused_until = g->now_ms;
	for (side = 1; side <= 2; side++) {
		json_array_foreach(g->clock.notices[side].stops, i, stop)
		{
			if (json_is_true(json_array_get(stop, 2)) &&
			    json_integer_value(json_array_get(stop, 1)) >
				g->now_ms &&
			    json_array_set_new(stop, 1,
				json_integer((json_int_t)g->now_ms)) != 0)
				return (ERR_NOMEM);
		}
	}
	return (0);
}

int
game_clock_holiday(struct game *g, int side, int64_t days)
{
	struct game_clock_side *s = &g->clock.sides[side];
	struct game_notice *n = &g->clock.notices[3 - side];

	game_clock_count(g, g->now_ms);
	if (s->away_until < g->now_ms)
		s->away_until = g->now_ms;
	s->away_until += days * GAME_DAY_MS;
	s->holidays -= days;
	return (n->seq < 0 ? 0 : game_notice_stop(g, n, s->away_until, false));
}

void
game_clock_restored(struct game *g)
{
	int side;

	game_notice_end(g);
	g->clock.claim_seq = -1;
	for (side = 1; game_clock(g) != NULL && side <= 2; side++) {
		g->clock.sides[side].since = -1;
		if (!g->set.clock.is_side)
			g->clock.sides[side].left = g->set.clock.first_s * 1000;
	}
}

void
game_clock_start(struct game *g, int64_t at_ms)
{
	struct game_clock_side *s;
	int side;

	g->clock.paused_until = 0;
	g->clock.claim_seq = -1;
	game_notice_end(g);
	for (side = 1; g->set.has_clock && side <= 2; side++) {
		s = &g->clock.sides[side];
		s->left = g->set.clock.first_s * 1000;
		s->holidays = g->set.clock.holidays;
		s->away_until = 0;
		s->since = game_clock_owes(g, side) ? at_ms : -1;
	}
}

void
game_clock_settle(struct game *g, int64_t at_ms, bool is_state, bool is_move)
{
	const struct order_clock *k = &g->set.clock;
	struct game_clock *c = &g->clock;
	struct game_clock_side *s;
	bool owes, ran;
	int side;

	if (!g->set.has_clock || g->phase < GAME_PLAY)
		return;
	game_clock_count(g, at_ms);
	if (is_move || g->phase != GAME_PLAY)
		game_notice_end(g);
	if ((is_state && c->claim_seq != g->seq + 1) ||
	    g->phase == GAME_FINISHED)
		c->claim_seq = -1;
	for (side = 1; side <= 2; side++) {
		s = &c->sides[side];
		ran = s->since >= 0;
		owes = game_clock_owes(g, side);
		/* A claim that waits for a ruling stops a clock, no move. */
		if (k->is_side && ran && g->phase == GAME_PLAY &&
		    !g->later.was_due && !game_waits_for(g, side))
			game_clock_add(s, k->add_s * 1000,
			    k->cap_s == 0 ? GAME_LEFT_MAX_MS : k->cap_s * 1000);
		if (!k->is_side && owes && is_move)
			s->left = k->first_s * 1000;
		if (!owes)
			s->since = -1;
		else if (!ran || is_move)
			s->since = at_ms;
	}
}
