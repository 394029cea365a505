/* SPDX-License-Identifier: ISC */
/* Nothing is worked out here: each line's entry says what it did. */
#include "client/report/overview.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/stated.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

#define OVERVIEW_APART_MS 120000 /* of a claim's two clocks */

void
overview_look(
    struct overview *ov, const char *what, int64_t line, const char *fmt, ...)
{
	va_list ap;
	json_t *v;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	v = xalloc_json(json_pack("{s:s}", "what", what));
	if (line >= 0)
		xalloc_set(v, "line", json_integer(line));
	xalloc_set(v, "text", xalloc_json_str(s));
	xalloc_append(ov->looks, v);
	free(s);
}

/* Counts a text that a line names and that nobody here holds, once. */
static void
overview_text(struct overview *ov, json_t *seen, const char *ref)
{
	if (ref == NULL || json_object_get(seen, ref) != NULL)
		return;
	xalloc_set(seen, ref, json_true());
	ov->missing += ov->b->text(ov->b->arg, ref) == NULL;
}

/* Counts the text of an order, or of a line of the server. */
static void
overview_texts(struct overview *ov, json_t *seen, int64_t seq)
{
	const char *name = order_kind_row(battle_entry(ov->b, seq)->kind)->text;
	struct record_line ln;
	struct battle_line bl;
	const char *line;
	size_t len;

	if (battle_entry(ov->b, seq)->kind != ORDER_UNKNOWN) {
		if (name != NULL && battle_read(ov->b, seq, &bl)) {
			overview_text(ov, seen, js_str(bl.o.args, name));
			battle_clear(&bl);
		}
		return;
	}
	line = ov->b->line(ov->b->arg, seq, &len);
	if (line == NULL || record_parse(line, len, &ln, NULL) != 0)
		return;
	if (ln.kind == RECORD_SERVER) {
		if (strcmp(ln.what, "closed") == 0 ||
		    battle_entry(ov->b, seq)->given >= 0)
			overview_text(ov, seen, js_str(ln.data, "why"));
		if (strcmp(ln.what, "fault") == 0)
			ov->fault = seq;
	}
	record_clear(&ln);
}

/* Counts a line for its side. */
static void
overview_count(struct overview *ov, const struct game_entry *en)
{
	struct overview_side *s = &ov->sides[game_side_of(en->seat)];
	const bool is_in_force = en->fate == GAME_FATE_ACCEPTED;

	switch (en->kind) {
	case ORDER_ANSWER:
		s->objections += en->to_fate == GAME_FATE_OBJECTED;
		s->stand_ins += en->to >= 0 && game_side_of(en->seat) != 0 &&
		    battle_entry(ov->b, en->to)->waits_for == GAME_WITNESS;
		ov->judged += en->seat == 0;
		break;
	case ORDER_OFFER:
		s->takebacks += en->offer == GAME_OFFER_TAKEBACK && is_in_force;
		break;
	case ORDER_PROPOSE:
		s->changes += is_in_force;
		break;
	case ORDER_RULING:
		s->rulings += is_in_force;
		s->idle_rulings += !is_in_force;
		break;
	case ORDER_CLAIM:
		s->claims += en->claimed > GAME_CLAIMED_NOTICE &&
		    en->claimed != GAME_CLAIMED_SILENCE;
		s->idle_claims += en->claimed == GAME_CLAIMED_NOTHING;
		s->notices += en->claimed == GAME_CLAIMED_NOTICE;
		ov->unjudged += en->claimed == GAME_CLAIMED_AGREED;
		s->silences += en->claimed == GAME_CLAIMED_SILENCE;
		break;
	case ORDER_NOTE:
		ov->anew += en->said == GAME_SAID_ANEW;
		break;
	default:
		break;
	}
	if (en->how == GAME_FORFEIT)
		ov->forfeit = en->seq;
}

/* True if the clock of who signed a line and the server's were apart. */
static bool
overview_is_apart(const struct game_entry *en)
{
	const int64_t by_ms = en->at_ms - en->now_ms;

	return (en->has_now &&
	    (by_ms > OVERVIEW_APART_MS || -by_ms > OVERVIEW_APART_MS));
}

/* True if the witness has noted that a notice's time has passed. */
static bool
overview_has_passed(const struct overview *ov, int64_t notice)
{
	int64_t i;

	for (i = notice + 1; notice >= 0 && i < battle_lines(ov->b); i++) {
		if (battle_entry(ov->b, i)->said == GAME_SAID_PASSED &&
		    battle_entry(ov->b, i)->to == notice)
			return (true);
	}
	return (false);
}

/* Names each line whose answer somebody kept back, as the witness says. */
static void
overview_answered(struct overview *ov)
{
	const struct game_entry *en;
	int64_t i;

	for (i = 0; i < battle_lines(ov->b); i++) {
		en = battle_entry(ov->b, i);
		if (en->said == GAME_SAID_ANSWERED)
			overview_look(ov, "witness", i,
			    "the witness says in line %lld that it had "
			    "answered line %lld: somebody kept that back, and "
			    "other dice fell",
			    (long long)i, (long long)en->to);
	}
}

/* A game that was lost by its clock: was that one clock's word? */
static void
overview_forfeit(struct overview *ov)
{
	const struct game_entry *claim = battle_entry(ov->b, ov->forfeit);
	const struct game_entry *notice;

	/* What a director ruled on is the claim before it. */
	if (claim->kind == ORDER_RULING)
		claim = battle_entry(ov->b, claim->to);
	if (!overview_has_passed(ov, claim->to))
		overview_look(ov, "forfeit", ov->forfeit,
		    "line %lld ends the game by the clock, and no witness "
		    "noted that the time was over",
		    (long long)ov->forfeit);
	notice = claim->to >= 0 ? battle_entry(ov->b, claim->to) : claim;
	if (overview_is_apart(claim) || overview_is_apart(notice))
		overview_look(ov, "clocks", claim->seq,
		    "the claim, line %lld%s, was recorded more than two "
		    "minutes before or after it was signed",
		    (long long)claim->seq,
		    notice == claim ? "" : ", or its notice");
}

/* Names each seat that went to somebody else, or to somebody's new keys. */
static void
overview_newcomers(struct overview *ov)
{
	const struct game_entry *en, *by;
	json_t *v;
	int64_t i;

	for (i = 0; i < battle_lines(ov->b); i++) {
		en = battle_entry(ov->b, i);
		if (en->given < 0 || en->kind != ORDER_UNKNOWN ||
		    en->fate != GAME_FATE_ACCEPTED)
			continue;
		by = battle_entry(ov->b, en->fate_by);
		v = json_pack("{s:I, s:I, s:i, s:o, s:o}", "line",
		    (json_int_t)i, "accepted", (json_int_t)en->fate_by, "seat",
		    en->given, "left", xalloc_json_str(by->account), "came",
		    xalloc_json_str(en->account));
		xalloc_append(ov->newcomers, xalloc_json(v));
		overview_look(ov, "operator-key", en->fate_by,
		    strcmp(by->account, en->account) == 0
			? "the operator and all others gave seat %d to new "
			  "keys of %s in line %lld, which moved the dice"
			: "the operator and all others gave seat %d of %s to "
			  "somebody else in line %lld, which moved the dice",
		    en->given, ov->b->called(ov->b->arg, by->account),
		    (long long)en->fate_by);
	}
}

/* Names each line that says that lines were lost; the last may still wait. */
static void
overview_restored(struct overview *ov)
{
	const int64_t last = battle_proof(ov->b)->restored_seq;
	int64_t i;
	char *who;

	for (i = 0; i < battle_lines(ov->b); i++) {
		if (!battle_entry(ov->b, i)->is_restored)
			continue;
		who = i == last ? stated_unaccepted(battle_game(ov->b), ov->b)
				: NULL;
		overview_look(ov, "restored", i,
		    "lines were lost from %lld on%s%s", (long long)i,
		    who == NULL ? "" : ", not yet accepted by ",
		    who == NULL ? "" : who);
		free(who);
	}
}

/* Adds what the lines alone show that wants looking at. */
static void
overview_find(struct overview *ov)
{
	const struct verify_report *rep = battle_proof(ov->b);
	const struct game *g = battle_game(ov->b);

	if (!rep->is_finished)
		overview_look(ov, "unfinished", -1,
		    game_how(g) == GAME_UNDECIDED
			? "the game is not finished"
			: "the game is decided, but not yet closed by both "
			  "sides");
	if (ov->fault >= 0)
		overview_look(ov, "fault", ov->fault,
		    "the rules failed on the server, which line %lld says, and "
		    "the game was halted",
		    (long long)ov->fault);
	overview_restored(ov);
	overview_newcomers(ov);
	overview_answered(ov);
	if (ov->forfeit >= 0)
		overview_forfeit(ov);
}

void
overview_begin(struct overview *ov, const struct battle *b)
{
	memset(ov, 0, sizeof(*ov));
	ov->b = b;
	ov->forfeit = ov->fault = -1;
	ov->looks = xalloc_json(json_array());
	ov->newcomers = xalloc_json(json_array());
	ov->seen = xalloc_json(json_object());
}

bool
overview_step(struct overview *ov, int64_t lines)
{
	const int64_t n = battle_lines(ov->b);

	for (; ov->next < n && lines > 0; lines--) {
		overview_count(ov, battle_entry(ov->b, ov->next));
		overview_texts(ov, ov->seen, ov->next++);
	}
	if (ov->next < n)
		return (false);
	if (ov->seen == NULL)
		return (true);
	json_decref(ov->seen);
	ov->seen = NULL;
	/* Others of the director's answers were for who kept silent. */
	ov->judged -= (int)battle_proof(ov->b)->director_answers;
	overview_find(ov);
	return (true);
}

void
overview_init(struct overview *ov, const struct battle *b)
{
	overview_begin(ov, b);
	(void)overview_step(ov, battle_lines(b)); /* all of them */
}

void
overview_clear(struct overview *ov)
{
	json_decref(ov->looks);
	json_decref(ov->newcomers);
	json_decref(ov->seen);
	memset(ov, 0, sizeof(*ov));
}

/* Appends "2 claims", if there are any. */
static void
overview_add(struct buf *b, int n, const char *what, const char *more)
{
	if (n > 0)
		buf_printf(b, "%s%d %s%s%s", b->len == 0 ? "" : ", ", n, what,
		    n == 1 ? "" : "s", more);
}

char *
overview_side_words(const struct overview *ov, int side)
{
	const struct overview_side *s = &ov->sides[side];
	struct buf b;

	buf_init(&b, 0);
	overview_add(&b, s->objections, "objection", "");
	overview_add(&b, s->takebacks, "takeback", "");
	overview_add(&b, s->changes, "agreed change", "");
	overview_add(&b, s->rulings, "ruling", "");
	overview_add(&b, s->idle_rulings, "ruling", " not in force");
	overview_add(&b, s->notices, "notice", " of a claim");
	overview_add(&b, s->claims, "claim", " with effect");
	overview_add(&b, s->idle_claims, "claim", " without effect");
	overview_add(&b, s->silences, "claim", " of the witness's silence");
	overview_add(&b, s->stand_ins, "answer", " in its stead");
	if (b.len == 0)
		buf_puts(&b,
		    side == 0 ? "no rulings"
			      : "no objections, takebacks, changes or claims");
	return (xalloc_take(&b));
}

char *
overview_director_words(const struct overview *ov)
{
	const int64_t n = battle_proof(ov->b)->director_answers;
	struct buf b;

	buf_init(&b, 0);
	if (n > 0)
		buf_printf(&b,
		    "director answered %lld %s in a silent player's place",
		    (long long)n, n == 1 ? "time" : "times");
	if (ov->judged > 0)
		buf_printf(&b, "%sdirector judged %d %s",
		    b.len == 0 ? "" : "; ", ov->judged,
		    ov->judged == 1 ? "time" : "times");
	if (ov->unjudged > 0)
		buf_printf(&b,
		    "%s%d %s because the director did not judge in time",
		    b.len == 0 ? "" : "; ", ov->unjudged,
		    ov->unjudged == 1 ? "line stands" : "lines stand");
	if (ov->anew > 0)
		buf_printf(&b, "%sthe witness lost what it had kept %d %s",
		    b.len == 0 ? "" : "; ", ov->anew,
		    ov->anew == 1 ? "time" : "times");
	if (b.len > 0)
		return (xalloc_take(&b));
	buf_clear(&b);
	return (NULL);
}

json_t *
overview_result_json(const struct overview *ov)
{
	const struct game *g = battle_game(ov->b);
	const char *how = game_how_name(game_how(g));
	json_t *winner = json_null();

	if (game_winner(g) > 0)
		winner = json_integer(game_winner(g));
	return (xalloc_json(
	    json_pack("{s:s?, s:o}", "how", how, "winner", winner)));
}

json_t *
overview_sides_json(const struct overview *ov)
{
	const struct game *g = battle_game(ov->b);
	const struct overview_side *s;
	json_t *list = xalloc_json(json_array()), *v;
	char *name, *who;
	int i;

	for (i = 1; i <= 2; i++) {
		s = &ov->sides[i];
		name = battle_side(g, i);
		who = battle_players(ov->b, i);
		v = json_pack("{s:i, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:i}",
		    "side", i, "name", xalloc_json_str(name), "players",
		    xalloc_json_str(who), "objections", s->objections,
		    "takebacks", s->takebacks, "changes", s->changes, "notices",
		    s->notices, "claims", s->claims, "claims_without_effect",
		    s->idle_claims);
		if (game_had_witness(g)) {
			xalloc_set(v, "silences", json_integer(s->silences));
			xalloc_set(v, "stand_ins", json_integer(s->stand_ins));
		}
		xalloc_append(list, xalloc_json(v));
		free(who);
		free(name);
	}
	return (list);
}
