/* SPDX-License-Identifier: ISC */
/*
 * Taking orders (record S15.5): the checks that all have in common, in the
 * order of S5, and who takes which kind.
 */
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

#define TOURNAMENT_IN_ENTRIES (1U << TOURNAMENT_ENTRIES)
#define TOURNAMENT_IN_CHECKIN (1U << TOURNAMENT_CHECKIN)
#define TOURNAMENT_IN_PLAY (1U << TOURNAMENT_PLAY)
#define TOURNAMENT_IN_OVER (1U << TOURNAMENT_OVER)
#define TOURNAMENT_IN_BEFORE (TOURNAMENT_IN_ENTRIES | TOURNAMENT_IN_CHECKIN)
#define TOURNAMENT_IN_RUNNING (TOURNAMENT_IN_BEFORE | TOURNAMENT_IN_PLAY)

enum tournament_by {
	TOURNAMENT_BY_ANYBODY, /* also who is not here yet */
	TOURNAMENT_BY_HERE,
	TOURNAMENT_BY_DIRECTOR,
};

/* Who gives a kind, and when; what is done already is stale. */
static const struct tournament_kind {
	unsigned phases;
	unsigned stale; /* phases in which it was done already */
	enum tournament_by by;
	int (*take)(struct tournament *t, const struct tournament_line *l);
	const char *when; /* for people, where it has a time of its own */
} tournament_kinds[] = {
    [ENTRY_DEPUTY] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_ANYBODY,
	tournament_deputy},
    [ENTRY_ENTER] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_ANYBODY,
	tournament_enter},
    [ENTRY_ADMIT] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_DIRECTOR,
	tournament_admit},
    [ENTRY_WITHDRAW] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_HERE,
	tournament_withdraw},
    [ENTRY_BYE] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_HERE,
	tournament_bye},
    [ENTRY_DICE_KEY] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_HERE,
	tournament_dice_key},
    [ENTRY_SHUT] = {TOURNAMENT_IN_ENTRIES,
	TOURNAMENT_IN_CHECKIN | TOURNAMENT_IN_PLAY | TOURNAMENT_IN_OVER,
	TOURNAMENT_BY_HERE, tournament_shut, "entries end once"},
    [ENTRY_CHECKIN] = {TOURNAMENT_IN_CHECKIN, 0, TOURNAMENT_BY_HERE,
	tournament_checkin,
	"one checks in between the end of entries and the lots"},
    [ENTRY_START] = {TOURNAMENT_IN_CHECKIN,
	TOURNAMENT_IN_PLAY | TOURNAMENT_IN_OVER, TOURNAMENT_BY_HERE,
	tournament_start, "lots are drawn once entries have ended"},
    [ENTRY_PAIR] = {TOURNAMENT_IN_PLAY, 0, TOURNAMENT_BY_HERE, tournament_pair,
	"rounds are paired once lots are drawn"},
    [ENTRY_CLAIM] = {TOURNAMENT_IN_PLAY, 0, TOURNAMENT_BY_HERE,
	tournament_claim, "a table is claimed once its round is paired"},
    [ENTRY_PROTEST] = {TOURNAMENT_IN_PLAY, 0, TOURNAMENT_BY_HERE,
	tournament_protest, "one protests about a round that is paired"},
    [ENTRY_RULING] = {TOURNAMENT_IN_RUNNING, 0, TOURNAMENT_BY_DIRECTOR,
	tournament_ruling},
    [ENTRY_STOP] = {TOURNAMENT_IN_PLAY, 0, TOURNAMENT_BY_DIRECTOR,
	tournament_stop, "only what is in play is stopped"},
    [ENTRY_FINISH] = {TOURNAMENT_IN_PLAY, TOURNAMENT_IN_OVER,
	TOURNAMENT_BY_HERE, tournament_finish,
	"it is finished once its rounds are over"},
    [ENTRY_SAY] = {TOURNAMENT_IN_RUNNING | TOURNAMENT_IN_OVER, 0,
	TOURNAMENT_BY_HERE, tournament_say},
};

/* What may be done in a phase, for who was refused. */
static const char *const tournament_now[] = {
    [TOURNAMENT_ENTRIES] =
	"entries are open: enter, withdraw, or, as a director, shut",
    [TOURNAMENT_CHECKIN] = "check-in runs: checkin, or start once all have, or "
			   "the time for it is over",
    [TOURNAMENT_PLAY] = "it is in play: pair, play, claim or protest, and "
			"finish after the last round",
    [TOURNAMENT_OVER] = "it is over: only say is left",
};

/* Refuses who has no part in it, with what they could do. */
static int
tournament_refuse_stranger(
    const struct tournament *t, const struct tournament_line *l)
{
	static const char none[] = "the account has no part in this tournament";

	if (t->phase == TOURNAMENT_OVER)
		return (tournament_illegal(
		    l, "order.by", "%s, and it is over", none));
	return (tournament_illegal(l, "order.by", "%s: %s", none,
	    t->phase == TOURNAMENT_ENTRIES ? "it may enter"
		: tournament_takes_late(t) ? "it may enter late"
					   : "entries have ended"));
}

/* Checks that the author is here, and signs with a key of theirs. */
static int
tournament_check_author(const struct tournament *t,
    const struct tournament_line *l, enum tournament_by by)
{
	const struct tournament_account *a = tournament_author(t, l->o);

	if (a == NULL)
		return (by == TOURNAMENT_BY_ANYBODY
			? 0
			: tournament_refuse_stranger(t, l));
	if (!statement_has_key(&a->keys, l->key))
		return (tournament_illegal(l, "order.by",
		    "the key does not belong to the account \"%s\"", a->name));
	if (by == TOURNAMENT_BY_DIRECTOR && !a->is_director)
		return (tournament_illegal(l, "order.by",
		    "only a director does: %s, or a deputy who has come",
		    t->terms.director.account));
	return (0);
}

/* Checks that the kind may be given now. */
static int
tournament_check_phase(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_kind *kind)
{
	if (t->is_closed)
		return (tournament_illegal(l, "", "the record has ended"));
	if ((kind->stale & 1U << t->phase) != 0)
		return (err_set(l->e, ERR_STALE, "order.kind",
		    "this was done already; %s", tournament_now[t->phase]));
	if ((kind->phases & 1U << t->phase) == 0)
		return (t->phase == TOURNAMENT_OVER || kind->when == NULL
			? tournament_illegal(
			      l, "order.kind", "%s", tournament_now[t->phase])
			: tournament_illegal(l, "order.kind", "%s; %s",
			      kind->when, tournament_now[t->phase]));
	if (t->is_halted && l->o->kind != ENTRY_SAY)
		return (tournament_illegal(l, "order.kind",
		    "the tournament was halted by a fault: only say is left"));
	return (0);
}

/* True for what changes nothing upon which a pairing rests. */
static bool
tournament_is_idle(enum entry_kind kind)
{
	return (kind == ENTRY_SAY || kind == ENTRY_DEPUTY ||
	    kind == ENTRY_DICE_KEY || kind == ENTRY_PROTEST);
}

int
tournament_take(struct tournament *t, const struct tournament_line *l)
{
	const struct entry *o = l->o;
	const struct tournament_kind *kind;
	int r;

	memset(l->fx, 0, sizeof(*l->fx));
	if ((r = entry_check_known(o, l->e)) != 0)
		return (r);
	if (o->kind == ENTRY_CREATE)
		return (tournament_illegal(
		    l, "order.kind", "the tournament is there already"));
	kind = &tournament_kinds[o->kind];
	if ((r = tournament_check_author(t, l, kind->by)) != 0 ||
	    (r = tournament_final(entry_check_kind(o, l->e))) != 0 ||
	    (r = tournament_check_phase(t, l, kind)) != 0)
		return (r);
	if ((l->fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	t->at_ms = l->at_ms;
	t->now_ms = o->now_ms;
	if ((r = kind->take(t, l)) == 0 && !tournament_is_idle(o->kind))
		t->rests_seq = t->seq + 1;
	return (r);
}
