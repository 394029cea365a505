/* SPDX-License-Identifier: ISC */
/*
 * Terms for people: whoever enters, and whoever signs them, reads these lines
 * and no other, so nothing that binds may be missing.
 */
#include "client/tournament/desk_terms.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/play/settings.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/half.h"
#include "common/tournament/terms.h"

#define DESK_TERMS_DAY_S 86400

/* Prints a row, and frees its text. */
static void
desk_terms_row(struct out *o, const char *label, char *text)
{
	out_row(o, label, text);
	free(text);
}

/* Who meets whom. */
static char *
desk_terms_format(const struct terms *t)
{
	struct buf b;

	buf_init(&b, 0);
	switch (t->format) {
	case TERMS_SWISS:
		buf_printf(&b, "Swiss, %d round%s", t->rounds,
		    t->rounds == 1 ? "" : "s");
		break;
	case TERMS_ROUNDROBIN:
		buf_printf(&b, "round robin, everybody meets everybody %s%s",
		    t->rounds == 1 ? "once" : "twice",
		    t->is_concurrent ? ", all rounds at once" : "");
		break;
	case TERMS_KNOCKOUT:
		buf_puts(&b, "knockout: who loses is out");
		break;
	case TERMS_SWISS_KNOCKOUT:
		buf_printf(&b,
		    "Swiss, %d round%s, then a knockout of the best %d",
		    t->rounds, t->rounds == 1 ? "" : "s", t->cut);
		break;
	}
	if (t->has_third)
		buf_puts(&b, ", with a game for the third place");
	if (t->is_mirror)
		buf_puts(&b, "; two games a table, with sides swapped");
	return (xalloc_take(&b));
}

/* What who has no opponent scores. */
static const char *
desk_terms_bye(const struct terms *t)
{
	if (t->format == TERMS_ROUNDROBIN)
		return ("who has no opponent in a round scores nothing");
	return (t->points.bye == t->points.win ? "the bye counts a win"
					       : "the bye counts a draw");
}

/* What results are worth. */
static void
desk_terms_points(struct out *o, const struct terms *t)
{
	char win[HALF_TEXT], draw[HALF_TEXT], loss[HALF_TEXT];
	struct buf b;
	size_t i;

	desk_terms_row(o, "points",
	    xalloc_printf(
		"win %s, draw %s, loss %s; %s; a forfeit that is lost "
		"0.  Who gives up is taken to have lost at least %d.%d %% of "
		"the army",
		half_text(win, t->points.win), half_text(draw, t->points.draw),
		half_text(loss, t->points.loss), desk_terms_bye(t),
		t->resign / 10, t->resign % 10));
	buf_init(&b, 0);
	for (i = 0; i < t->n_ties; i++)
		buf_printf(&b, "%s%s", i == 0 ? "" : ", ",
		    tiebreak_def(t->ties[i])->code);
	buf_printf(&b, "%s%s", t->n_ties == 0 ? "" : ", then ",
	    t->parts_by_lot ? "by lot" : "a rank is shared");
	desk_terms_row(o, "ties", xalloc_take(&b));
}

/* Who may enter, and until when. */
static void
desk_terms_entry(struct out *o, const struct terms *t)
{
	char when[32], *s;
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "until %s, %d at most%s", out_time(when, t->until_ms),
	    t->max, t->admits ? "; the director admits" : "");
	if (t->late > 0)
		buf_printf(&b,
		    "; late for rounds up to %d, rounds missed "
		    "count 0%s",
		    t->late, t->late_half ? ", the last a half" : "");
	desk_terms_row(o, "entries", xalloc_take(&b));
	desk_terms_row(o, "seeds",
	    xalloc_str(t->is_rated ? "by ratings that the director gives"
				   : "by lots, from the keys of all who check "
				     "in"));
	s = duration_words(t->checkin_s);
	desk_terms_row(o, "check-in",
	    xalloc_printf("%s after entries end; who does not check in does "
			  "not play",
		s));
	free(s);
}

/* What becomes of a table that is late; free(). */
static char *
desk_terms_late(const struct terms *t)
{
	switch (t->late_rule) {
	case TERMS_LATE_DIRECTOR:
		return (xalloc_str("the director rules"));
	case TERMS_LATE_DRAW:
		return (xalloc_str("it is a draw"));
	case TERMS_LATE_LOSE:
		return (xalloc_str("both lose"));
	case TERMS_LATE_POINTS:
		break;
	}
	return (xalloc_printf("who is ahead by %d battle point%s wins, else it "
			      "is a draw",
	    t->margin, t->margin == 1 ? "" : "s or more"));
}

/* The times of a round. */
static void
desk_terms_times(struct out *o, const struct terms *t)
{
	char *start = duration_words(t->start_s);
	char *round = duration_words(t->round_s);
	char *gap = duration_words(t->gap_s);
	char *notice = duration_words(t->notice_s);
	char *review = duration_words(t->review_s);
	char *ruling = duration_words(t->ruling_s);
	char *protest = duration_words(t->protest_s);
	char *late = desk_terms_late(t);
	char when[32];
	size_t i;

	desk_terms_row(o, "start",
	    xalloc_printf("both must be at the table %s after the pairing; "
			  "else it is lost by forfeit, on a claim (%s after "
			  "its notice)",
		start, notice));
	desk_terms_row(o, "round",
	    xalloc_printf("%s from the pairing%s; of a table not done then, on "
			  "a claim: %s",
		round,
		t->is_concurrent ? " for each round that there is, all "
				   "together"
				 : "",
		late));
	if (!t->is_concurrent)
		desk_terms_row(o, "between",
		    t->gap_s == 0
			? xalloc_str("no time: the next round may be paired at "
				     "once")
			: xalloc_printf(
			      "%s from the last result to the next pairing",
			      gap));
	for (i = 0; i < t->n_dates; i++)
		desk_terms_row(o, i == 0 ? "dates" : "",
		    xalloc_printf("round %zu not before %s", i + 1,
			out_time(when, t->dates[i])));
	desk_terms_row(o, "protests",
	    t->protest_s == 0
		? xalloc_str("hold nothing up")
		: xalloc_printf("hold up the next pairing, and the end, until "
				"a director answers, %s at most",
		      protest));
	desk_terms_row(o, "no-show",
	    xalloc_printf("%d in a row: withdrawn", t->out_after));
	desk_terms_row(o, "end",
	    xalloc_printf("%s after the last result; a director who is silent "
			  "is not waited for after %s",
		t->review_s == 0 ? "at once" : review, ruling));
	free(start);
	free(round);
	free(gap);
	free(notice);
	free(review);
	free(ruling);
	free(protest);
	free(late);
}

/* A scenario, with what is not usual in it; free(). */
static char *
desk_terms_scenario(const struct terms *t, size_t i)
{
	const struct terms_scenario *s = &t->scenarios[i];
	json_t *rulings = xalloc_copy(s->rulings), *value;
	const char *name;
	struct buf b;
	char *text;

	buf_init(&b, 0);
	buf_printf(
	    &b, "%s%s", s->name, t->n_scenarios == 1 ? " in every round" : "");
	json_object_foreach(rulings, name, value)
	{
		text = json_is_string(value)
		    ? xalloc_str(json_string_value(value))
		    : xalloc_dump(value);
		buf_printf(&b, "; %s: %s", name,
		    json_is_true(value)        ? "yes"
			: json_is_false(value) ? "no"
					       : text);
		free(text);
	}
	json_decref(rulings);
	if (json_array_size(s->tables) > 0)
		buf_puts(&b, "; not with the built-in tables or bag");
	return (xalloc_take(&b));
}

void
desk_terms_print(struct out *o, const struct terms *t)
{
	struct order_create set = t->set;
	struct buf b;
	size_t i;

	out_row(o, "event", t->event);
	desk_terms_row(o, "format", desk_terms_format(t));
	out_row(o, "rules", t->rules);
	for (i = 0; i < t->n_scenarios; i++)
		desk_terms_row(
		    o, i == 0 ? "fought" : "", desk_terms_scenario(t, i));
	buf_init(&b, 0);
	buf_printf(&b, "%s", t->director.account);
	for (i = 0; i < t->n_deputies; i++)
		buf_printf(
		    &b, "%s%s", i == 0 ? "; deputies: " : ", ", t->deputies[i]);
	desk_terms_row(o, "director", xalloc_take(&b));
	if (t->has_witness)
		desk_terms_row(o, "dice",
		    xalloc_printf("from three hands: the acting player's, the "
				  "server's and the witness's (%s)",
			t->witness.account));
	else
		out_row(o, "dice",
		    t->set.is_live ? "from three hands: both players' and the "
				     "server's"
				   : "from two hands: the acting player's and "
				     "the server's");
	desk_terms_entry(o, t);
	desk_terms_points(o, t);
	desk_terms_times(o, t);
	if (t->byes > 0)
		desk_terms_row(o, "byes",
		    xalloc_printf("%d may be asked for, worth %s", t->byes,
			t->points.asked > 0 ? "a draw" : "nothing"));
	if (t->apart > 0)
		desk_terms_row(o, "clubs",
		    t->apart == 1
			? xalloc_str("members of one club do not meet in round "
				     "1, where that can be")
			: xalloc_printf("members of one club do not meet in "
					"rounds 1 to %d, where that can be",
			      t->apart));
	desk_terms_row(o, "pairing",
	    xalloc_str(t->pairs_director
		    ? "by the rule, and a director starts each round"
		    : "by the rule; anybody may start a round that is due"));
	if (t->set.is_private)
		out_row(o, "private",
		    "only those who are in it see it and its games; who has "
		    "its address may enter");
	if (t->set.is_sealed)
		out_row(o, "secrets",
		    "sealed: players keep and open their own choices");
	if (t->set.has_director)
		out_row(o, "umpire", "a director sits in each game");
	set.is_private = false; /* said so */
	settings_print(o, &set, false);
	if (!t->set.has_clock)
		out_row(o, "clock", "none: only the round ends a game");
}

/* ---- the calendar ---- */

/* Rounds that there are at most; 0: that hangs on who enters. */
static int
desk_terms_rounds(const struct terms *t)
{
	int n = 0, cut;

	if (!terms_has_swiss(t))
		return (0);
	for (cut = t->cut; cut > 1; cut /= 2)
		n++;
	return (t->rounds + n);
}

/* Prints one row: what is over at the latest then. */
static void
desk_terms_date(struct out *o, const char *label, const char *what, int64_t ms)
{
	char when[32];

	desk_terms_row(
	    o, label, xalloc_printf("%s  %s", out_time(when, ms), what));
}

void
desk_terms_calendar(struct out *o, const struct terms *t)
{
	const int n = desk_terms_rounds(t);
	int64_t ms = t->until_ms;
	char *label;
	int i;

	out_title(o, "The calendar that they make, at the latest:");
	desk_terms_date(o, "entries", "end, and check-in begins", ms);
	ms += 1000 * t->checkin_s;
	desk_terms_date(o, "check-in", "ends, and lots are drawn", ms);
	for (i = 1; i <= n && i <= 12; i++) {
		if (i > 1)
			ms += 1000 * t->gap_s;
		if ((size_t)i <= t->n_dates && t->dates[i - 1] > ms)
			ms = t->dates[i - 1];
		label = xalloc_printf("round %d", i);
		desk_terms_date(o, label, "is paired", ms);
		free(label);
		ms += 1000 * (t->round_s + t->notice_s);
	}
	if (n == 0)
		out_row(o, "rounds",
		    "as many as the entrants make; each takes what is said "
		    "above");
	if (n > 12)
		out_row(o, "", "and so on");
	else if (n > 0)
		desk_terms_date(
		    o, "final", "standings", ms + 1000 * t->review_s);
}

/* ---- warnings ---- */

/* Of the games' clock against the round's time. */
static void
desk_terms_warn_clock(const struct terms *t)
{
	const struct order_clock *c = &t->set.clock;
	char *first, *round;

	if (!t->set.has_clock) {
		out_note("Warning: games have no clock, so nothing but the end "
			 "of the round moves a slow one.");
		return;
	}
	first = duration_words(c->first_s);
	round = duration_words(t->round_s);
	if (c->is_side && 2 * c->first_s > t->round_s)
		out_note("Warning: a round has %s, and the clocks of its games "
			 "let both sides think for %s each: a game may not be "
			 "over when its round is.",
		    round, first);
	else if (!c->is_side && 8 * c->first_s > t->round_s)
		out_note("Warning: a round has %s, and each order of its games "
			 "may take %s: a game of eight orders is over its "
			 "round's time.",
		    round, first);
	free(first);
	free(round);
}

/* True if ties are parted by it. */
static bool
desk_terms_has_tie(const struct terms *t, enum tiebreak tie)
{
	size_t i;

	for (i = 0; i < t->n_ties && t->ties[i] != tie; i++)
		continue;
	return (i < t->n_ties);
}

/* Of how long it may take where that hangs on who enters. */
static void
desk_terms_warn_length(const struct terms *t)
{
	const int all = t->max + t->max % 2 - 1;
	char *round, *whole;

	if (t->format != TERMS_ROUNDROBIN || all * t->rounds < 8)
		return;
	round = duration_words(t->round_s);
	whole = duration_words(
	    (t->round_s + (t->is_concurrent ? 0 : t->gap_s)) * all * t->rounds);
	out_note("Warning: %d entrants, as may be, have %d rounds of %s each, "
		 "%s in all%s: --max makes them fewer.",
	    t->max, all * t->rounds, round, whole,
	    t->is_concurrent ? ", and all of their games at once" : "");
	free(round);
	free(whole);
}

/* Of times that are over, or too short for people. */
static void
desk_terms_warn_early(const struct terms *t, int64_t now_ms)
{
	const int n = desk_terms_rounds(t);
	int64_t ms = t->until_ms + 1000 * t->checkin_s;
	char when[32];
	size_t i;

	if (t->until_ms <= now_ms)
		out_note("Warning: the time for entries is over already.");
	if (t->checkin_s < DESK_TERMS_DAY_S)
		out_note("Warning: check-in is shorter than a day: who reads "
			 "mail once a day may be out before they know.");
	if (t->start_s >= t->round_s)
		out_note("Warning: who has not come forfeits only when the "
			 "round is over: --start is no shorter than "
			 "--round-time.");
	else if (t->start_s < DESK_TERMS_DAY_S)
		out_note("Warning: --start is shorter than a day: a table may "
			 "be lost by a mail that was not read in time.");
	if (t->notice_s == 0)
		out_note("Warning: without notice a claim has effect at once, "
			 "before whom it is about can have read of it.");
	for (i = 0; i < t->n_dates; i++) {
		if (t->dates[i] <= ms && i == 0)
			out_note("Warning: check-in may not be over at the "
				 "date of round 1, %s.",
			    out_time(when, t->dates[i]));
		else if (i > 0 &&
		    t->dates[i] <
			t->dates[i - 1] + 1000 * (t->round_s + t->gap_s))
			out_note("Warning: the date of round %zu, %s, comes "
				 "before round %zu must be over: with a late "
				 "table it begins later.",
			    i + 1, out_time(when, t->dates[i]), i);
	}
	if (t->n_dates > 0 && n > 0 && (int)t->n_dates < n)
		out_note("From round %zu on there are no dates: each is paired "
			 "once the one before it is over.",
		    t->n_dates + 1);
	if (n > 0 && (int)t->n_dates > n)
		out_note("Warning: %zu dates for %d rounds: the last ones say "
			 "nothing.",
		    t->n_dates, n);
}

/* Of points that reward what nobody may mean. */
static void
desk_terms_warn_points(const struct terms *t)
{
	if (t->points.draw == t->points.loss)
		out_note("Warning: a draw counts no more than a loss.");
	if (t->points.loss > 0)
		out_note("A loss has points, but not one by forfeit: who does "
			 "not come gets none.");
	if (t->resign == 0 &&
	    (desk_terms_has_tie(t, TIEBREAK_BP) ||
		desk_terms_has_tie(t, TIEBREAK_BPA) ||
		t->late_rule == TERMS_LATE_POINTS))
		out_note("Warning: battle points count, and who gives up early "
			 "saves the rest of the army (--give-up 0).");
	if (t->late_rule == TERMS_LATE_LOSE)
		out_note("Warning: who is behind loses nothing more by letting "
			 "the time run out: then both lose (--over-time "
			 "lose).");
}

void
desk_terms_warn(const struct terms *t, int64_t now_ms)
{
	if (t->format == TERMS_SWISS && t->rounds >= t->max)
		out_note("Warning: %d rounds, and %d entrants at most have %d "
			 "opponents: there will be fewer rounds.",
		    t->rounds, t->max, t->max - 1);
	else if (terms_has_swiss(t) && t->rounds > 4)
		out_note("For %d rounds at least %d must check in; with fewer "
			 "there are fewer rounds.",
		    t->rounds, t->rounds + 1);
	if (t->cut > t->max)
		out_note("Warning: a knockout of the best %d, and %d entrants "
			 "at most: it will be smaller.",
		    t->cut, t->max);
	desk_terms_warn_length(t);
	desk_terms_warn_early(t, now_ms);
	desk_terms_warn_clock(t);
	desk_terms_warn_points(t);
	if (t->gap_s == 0 && !t->is_concurrent)
		out_note("Warning: without a gap nobody has time to protest, "
			 "to withdraw or to ask for a bye between rounds.");
	if (t->late_rule == TERMS_LATE_DIRECTOR && t->n_deputies == 0)
		out_note("Warning: every table that is late waits for you "
			 "alone: there is no deputy.");
	if (t->n_scenarios == 1 && !t->is_mirror)
		out_note("One scenario, once a table: if its sides are not "
			 "equal, --mirror has both play both%s.",
		    desk_terms_has_tie(t, TIEBREAK_BPA)
			? "; ties by BPA compare within a side"
			: "");
	if ((int)t->n_scenarios > desk_terms_rounds(t) &&
	    desk_terms_rounds(t) > 0)
		out_note("Warning: %zu scenarios for %d rounds: the last ones "
			 "are not fought.",
		    t->n_scenarios, desk_terms_rounds(t));
	if (t->n_deputies == 0)
		out_note("There is no deputy (--deputy ACCOUNT): who plays and "
			 "directs cannot rule on their own table.");
}
