/* SPDX-License-Identifier: ISC */
/*
 * Sentences about orders.  Everything that comes from a record is a
 * stranger's text: callers print what this gives by out_text() or after
 * text_safe().
 */
#include "client/report/describe.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_standing.h"
#include "common/json/js.h"
#include "common/rules/show/render.h"
#include "common/rules/show/scene.h"
#include "common/rules/systems/systems.h"

#define DESCRIBE_FIGHTERS 3 /* units of a side that are named at most */

bool
describe_has(enum order_kind kind)
{
	switch (kind) {
	case ORDER_FREE:
	case ORDER_CUP:
	case ORDER_PROPOSE:
	case ORDER_OFFER:
	case ORDER_ACCEPT:
	case ORDER_NOTE:
	case ORDER_DICE_KEY:
	case ORDER_CLAIM:
	case ORDER_PAUSE:
	case ORDER_RULING:
	case ORDER_STANDING:
	case ORDER_ANSWER:
		return (true);
	default:
		return (false);
	}
}

/* A text of an order's args, "?" if it is not there. */
static const char *
describe_str(const struct order *o, const char *name)
{
	const char *s = js_str(o->args, name);

	return (s == NULL ? "?" : s);
}

/* An element of a list as text; a newer umpire may have put in others. */
static const char *
describe_element(const json_t *v)
{
	return (json_is_string(v) ? json_string_value(v) : "?");
}

/* A number of an order's args, -1 if it is not there. */
static long long
describe_int(const struct order *o, const char *name)
{
	const json_t *v = json_object_get(o->args, name);

	return (json_is_integer(v) ? (long long)json_integer_value(v) : -1);
}

/* What knows the units' names of a game (NULL: none); render_free(). */
static struct render *
describe_names(const struct game *g)
{
	const struct rules_system *sys =
	    g == NULL ? NULL : systems_find(game_system(g));
	struct render *rd;

	if (sys == NULL)
		return (NULL);
	if ((rd = render_new(sys)) == NULL)
		xalloc_die();
	render_know(rd, game_roster(g));
	return (rd);
}

/* Parts of a unit: "(b-1 elite sp 4, b-2 raw sp 3)"; free(). */
static char *
describe_parts(const json_t *parts)
{
	const json_t *part;
	const char *name;
	struct buf b;
	json_t *v;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(parts, i, part)
	{
		buf_puts(&b, i == 0 ? "(" : ", ");
		buf_puts(&b, js_str(part, "id") == NULL ? "?" : "");
		js_foreach(part, name, v)
		{
			if (strcmp(name, "id") == 0 && json_is_string(v))
				buf_puts(&b, json_string_value(v));
			else if (json_is_string(v))
				buf_printf(&b, " %s", json_string_value(v));
			else if (json_is_integer(v))
				buf_printf(&b, " %s %lld", name,
				    (long long)json_integer_value(v));
			else if (json_is_true(v))
				buf_printf(&b, " %s", name);
		}
	}
	buf_putc(&b, ')');
	return (xalloc_take(&b));
}

/* A value of a roster entry: words and numbers as they are; free(). */
static char *
describe_value(const json_t *v)
{
	if (json_is_object(json_array_get(v, 0)))
		return (describe_parts(v));
	if (v == NULL || json_is_null(v))
		return (xalloc_str("none"));
	if (json_is_string(v))
		return (xalloc_str(json_string_value(v)));
	if (json_is_boolean(v))
		return (xalloc_str(json_is_true(v) ? "yes" : "no"));
	return (xalloc_dump(v));
}

/*
 * What joins, and with what: "Cossacks (don) joins side 2 (Russians): arm
 * cavalry".  Its id is to be typed from now on.
 */
static void
describe_joining(struct buf *b, const struct game *g, const json_t *u)
{
	const char *list = js_str(u, "joins"), *name = js_str(u, "name");
	const int side = (int)js_int(u, "side");
	bool is_first = true;
	json_t *v;
	char *s;

	if (name != NULL)
		buf_printf(b, "%s (%s)", name, js_str(u, "id"));
	else
		buf_puts(b, js_str(u, "id"));
	buf_printf(b, " joins side %d", side);
	if (g != NULL && game_side_name(g, side) != NULL) {
		s = battle_side(g, side);
		buf_printf(b, " (%s)", s);
		free(s);
	}
	if (list != NULL && strcmp(list, "commanders") == 0)
		buf_puts(b, " as a commander");
	js_foreach(u, name, v)
	{
		if (strcmp(name, "id") == 0 || strcmp(name, "joins") == 0 ||
		    strcmp(name, "side") == 0 ||
		    (strcmp(name, "name") == 0 && json_is_string(v)))
			continue;
		s = describe_value(v);
		buf_printf(b, "%s%s %s", is_first ? ": " : ", ", name, s);
		is_first = false;
		free(s);
	}
}

/* That a unit goes for good, and why, if that is said. */
static void
describe_going(struct buf *b, const char *called, const json_t *u)
{
	const char *out = js_str(u, "out");

	buf_printf(b, "%s is taken away for good", called);
	if (out != NULL)
		buf_printf(b, ": %s", out);
}

/* True if units only change: nothing joins, and nothing goes for good. */
static bool
describe_is_change(const json_t *units)
{
	const json_t *u;
	size_t i;

	json_array_foreach(units, i, u)
	{
		if (json_object_get(u, "joins") != NULL ||
		    json_object_get(u, "gone") != NULL)
			return (false);
	}
	return (true);
}

/* From what to what a unit changes. */
static void
describe_changing(struct buf *b, const json_t *u, const json_t *entry)
{
	bool is_first = true;
	const char *name;
	char *from, *to;
	json_t *v;

	js_foreach(u, name, v)
	{
		if (strcmp(name, "id") == 0)
			continue;
		from = describe_value(json_object_get(entry, name));
		to = describe_value(v);
		buf_printf(b, "%s%s ", is_first ? ": " : ", ", name);
		/* A member that was missing had a default, or no value. */
		if (entry != NULL && strcmp(from, to) != 0)
			buf_printf(b, "%s -> ", from);
		buf_puts(b, to);
		is_first = false;
		free(from);
		free(to);
	}
}

char *
describe_units(const struct game *g, const json_t *units, const json_t *before)
{
	const bool is_change = describe_is_change(units);
	struct render *rd = describe_names(g);
	const char *called, *id;
	const json_t *u;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(units, i, u)
	{
		id = js_str(u, "id");
		if (id == NULL)
			continue;
		called = rd == NULL ? id : render_name(rd, id);
		buf_puts(&b, b.len == 0 ? "" : "; ");
		if (json_object_get(u, "joins") != NULL)
			describe_joining(&b, g, u);
		else if (json_object_get(u, "gone") != NULL)
			describe_going(&b, called, u);
		else {
			buf_printf(
			    &b, "%s%s", called, is_change ? "" : " changes");
			describe_changing(&b, u, json_object_get(before, id));
		}
	}
	render_free(rd);
	return (xalloc_take(&b));
}

char *
describe_adjust(const struct game *g, const char *verb, const json_t *units,
    const json_t *before)
{
	char *s, *words = describe_units(g, units, before);

	s = xalloc_printf(
	    "%s %s", describe_is_change(units) ? verb : "that", words);
	free(words);
	return (s);
}

/* A number of things: "1 day", "3 days"; free(). */
static char *
describe_count(long long n, const char *one)
{
	return (xalloc_printf("%lld %s%s", n, one, n == 1 ? "" : "s"));
}

/* "victory for red", of a side out of a record; free(). */
static char *
describe_victory(const struct battle *bt, long long side)
{
	char *name, *s;

	name = side == 1 || side == 2 ? battle_side(battle_game(bt), (int)side)
				      : xalloc_str("nobody");
	s = xalloc_printf("victory for %s", name);
	free(name);
	return (s);
}

/* What a free roll rolls: "2d6", "2 from the cup events"; free(). */
static char *
describe_dice(const struct order *o)
{
	if (json_object_get(o->args, "cup") != NULL)
		return (xalloc_printf("%lld from the cup %s",
		    describe_int(o, "draw"), describe_str(o, "cup")));
	return (xalloc_printf(
	    "%lldd%lld", describe_int(o, "dice"), describe_int(o, "sides")));
}

/* Adds who is on a side of a combat, the first of them by name. */
static void
describe_fighters(
    struct buf *b, const struct scene *sc, enum scene_row row, const char *word)
{
	const struct scene_group *gr;
	size_t i, j, n = 0;

	for (i = 0; i < sc->n_groups; i++) {
		gr = &sc->groups[i];
		for (j = gr->first; gr->row == row && j < gr->end; j++) {
			if (++n <= DESCRIBE_FIGHTERS)
				buf_printf(b, "%s%s", n == 1 ? word : ", ",
				    sc->nodes[j].name);
		}
	}
	if (n > DESCRIBE_FIGHTERS)
		buf_printf(b, " and %zu more", n - DESCRIBE_FIGHTERS);
}

/*
 * Whom a declaration has fight whom: ": Old Guard against Landwehr"; free().
 */
static char *
describe_fight(const struct battle *bt, const json_t *events)
{
	const struct rules_system *sys =
	    systems_find(game_system(battle_game(bt)));
	struct scene *sc = NULL;
	struct buf b;

	buf_init(&b, 0);
	if (sys != NULL &&
	    scene_make(sys, game_roster(battle_game(bt)), events, &sc) != 0)
		xalloc_die();
	if (sc != NULL) {
		describe_fighters(&b, sc, SCENE_ATTACKING, ": ");
		describe_fighters(&b, sc, SCENE_DEFENDING, " against ");
	}
	scene_free(sc);
	return (xalloc_take(&b));
}

char *
describe_brief(const struct battle *bt, int64_t seq)
{
	char *dice, *fight, *s, *who;
	struct battle_line en;
	struct render *rd;
	const char *unit;

	if (!battle_read(bt, seq, &en))
		return (xalloc_printf("line %lld", (long long)seq));
	who = battle_who_then(bt, en.ln.seat, seq);
	switch (en.o.kind) {
	case ORDER_DECLARE:
		fight = describe_fight(bt, en.ln.events);
		s = xalloc_printf("%s declares a combat%s", who, fight);
		free(fight);
		break;
	case ORDER_TURN_END:
		s = xalloc_printf("%s ends the turn", who);
		break;
	case ORDER_UPKEEP:
		rd = describe_names(battle_game(bt));
		unit = describe_str(&en.o, "unit");
		s = xalloc_printf("%s orders %s: %s", who,
		    rd == NULL ? unit : render_name(rd, unit),
		    describe_str(&en.o, "do"));
		render_free(rd);
		break;
	case ORDER_FREE:
		dice = describe_dice(&en.o);
		s = xalloc_printf("%s %s %s", who,
		    json_object_get(en.o.args, "cup") == NULL ? "rolls"
							      : "draws",
		    dice);
		free(dice);
		break;
	case ORDER_ACCEPT:
		dice = describe_offer(bt, describe_int(&en.o, "to"));
		s = xalloc_printf("%s accepts %s", who, dice);
		free(dice);
		break;
	default:
		s = xalloc_printf("%s: %s", who, en.o.kind_name);
		break;
	}
	free(who);
	battle_clear(&en);
	return (s);
}

/* "line 14 (anna ends the turn) and what came after it", taken back; free(). */
static char *
describe_takeback(const struct battle *bt, int64_t from)
{
	char *brief, *s;

	brief = battle_entry(bt, from)->kind == ORDER_ACCEPT
	    ? xalloc_str("an agreed change")
	    : describe_brief(bt, from);
	s = xalloc_printf(
	    "line %lld (%s) and what came after it", (long long)from, brief);
	free(brief);
	return (s);
}

/* The same as a thing that is offered or ruled; free(). */
static char *
describe_taking(const struct battle *bt, int64_t from)
{
	char *s, *words = describe_takeback(bt, from);

	s = xalloc_printf("taking back %s", words);
	free(words);
	return (s);
}

/* What a ruling says; free(). */
static char *
describe_ruling(const struct battle *bt, const struct order *o, int64_t seq)
{
	static const struct {
		long long s;
		const char *name;
	} lengths[] = {
	    {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
	const json_t *units = json_object_get(o->args, "units");
	char *s, *words;
	long long n;
	size_t i;

	if (json_object_get(o->args, "void") != NULL)
		return (describe_taking(bt, describe_int(o, "from")));
	if (units != NULL) {
		return (describe_adjust(battle_game(bt), "changing", units,
		    battle_entry(bt, seq)->before));
	}
	if (json_object_get(o->args, "result") != NULL)
		return (describe_int(o, "result") == 0
			? xalloc_str("a draw")
			: describe_victory(bt, describe_int(o, "result")));
	if (json_object_get(o->args, "claim") == NULL)
		return (xalloc_str("what is said in words"));
	if (strcmp(describe_str(o, "do"), "forfeit") == 0)
		return (xalloc_printf("the silent side loses (claim of line "
				      "%lld)",
		    describe_int(o, "claim")));
	n = describe_int(o, "extend_s");
	for (i = 0; n % lengths[i].s != 0;)
		i++;
	words = describe_count(n / lengths[i].s, lengths[i].name);
	s = xalloc_printf("%s more for the silent side (claim of line %lld)",
	    words, describe_int(o, "claim"));
	free(words);
	return (s);
}

/* What an offer or a proposal holds; free(). */
static char *
describe_offered(const struct battle *bt, const struct order *o, int64_t seq)
{
	const char *what = describe_str(o, "what");
	char *s, *words;

	if (strcmp(what, "draw") == 0)
		return (xalloc_str("a draw"));
	if (strcmp(what, "victory") == 0)
		return (describe_victory(bt, describe_int(o, "winner")));
	if (strcmp(what, "takeback") == 0)
		return (describe_taking(bt, describe_int(o, "from")));
	if (strcmp(what, "roster") == 0)
		return (xalloc_printf(
		    "other rosters (%.8s...)", describe_str(o, "roster")));
	if (strcmp(what, "adjust") == 0) {
		return (describe_adjust(battle_game(bt), "changing",
		    json_object_get(o->args, "units"),
		    battle_entry(bt, seq)->before));
	} else if (strcmp(what, "pause") == 0) {
		words = describe_count(describe_int(o, "days"), "day");
		s = xalloc_printf("a pause of %s", words);
	} else if (strcmp(what, "truce") == 0) {
		words = describe_count(describe_int(o, "turns"), "turn");
		s = xalloc_printf("that no combat is declared for %s", words);
	} else if (strcmp(what, "witness-out") == 0) {
		return (xalloc_str("to play on without the witness"));
	} else {
		return (xalloc_str(what));
	}
	free(words);
	return (s);
}

char *
describe_newcomer(const struct battle *bt, int64_t seq, const json_t *data)
{
	const struct game_entry *en = battle_entry(bt, seq);
	const char *had = battle_account(bt, en->given, seq), *why;
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "give seat %d", en->given);
	if (strcmp(had, en->account) != 0)
		buf_printf(&b, ", which is %s's,", bt->called(bt->arg, had));
	buf_printf(&b, " to %s", bt->called(bt->arg, en->account));
	if (strcmp(had, en->account) == 0)
		buf_puts(&b, ", who has new keys");
	why = data == NULL ? NULL : js_str(data, "why");
	why = why == NULL ? NULL : bt->text(bt->arg, why);
	if (why != NULL)
		buf_printf(&b, ": \"%s\"", why);
	return (xalloc_take(&b));
}

char *
describe_offer(const struct battle *bt, int64_t seq)
{
	const struct game_entry *to = battle_entry(bt, seq);
	struct battle_line en;
	char *s, *about;

	if (to != NULL && to->given >= 0 && to->kind == ORDER_UNKNOWN) {
		about = describe_newcomer(bt, seq, NULL);
		s = xalloc_printf("to %s", about);
		free(about);
		return (s);
	}

	if (to != NULL && to->is_restored)
		return (xalloc_printf(
		    "that lines were lost from line %lld on", (long long)seq));
	if (!battle_read(bt, seq, &en))
		return (xalloc_printf("line %lld", (long long)seq));
	if (en.o.kind == ORDER_RULING)
		s = describe_ruling(bt, &en.o, seq);
	else if (en.o.kind == ORDER_STANDING)
		s = xalloc_str("a standing order");
	else
		s = describe_offered(bt, &en.o, seq);
	battle_clear(&en);
	return (s);
}

const char *
describe_fate(enum game_fate fate)
{
	switch (fate) {
	case GAME_FATE_OPEN:
		return ("open");
	case GAME_FATE_ACCEPTED:
		return ("accepted");
	case GAME_FATE_DECLINED:
		return ("declined");
	case GAME_FATE_WITHDRAWN:
		return ("withdrawn");
	case GAME_FATE_LAPSED:
		return ("lapsed");
	default:
		return ("");
	}
}

/* Appends what was rolled or drawn. */
static void
describe_rolled(struct buf *b, const json_t *dice)
{
	const json_t *roll, *v, *list;
	long long sum = 0;
	size_t i, j;

	json_array_foreach(json_object_get(dice, "rolls"), i, roll)
	{
		list = json_object_get(roll, "dice");
		buf_puts(b, i == 0 ? ":" : ";");
		json_array_foreach(list, j, v)
		{
			buf_printf(
			    b, " %lld", (long long)json_integer_value(v));
			sum += json_integer_value(v);
		}
		if (json_array_size(list) > 1)
			buf_printf(b, " (together %lld)", sum);
		json_array_foreach(json_object_get(roll, "chits"), j, v)
		    buf_printf(b, " %s", describe_element(v));
	}
}

/* What is done with a cup. */
static void
describe_cup(struct buf *b, const struct order *o)
{
	const json_t *items = json_object_get(o->args, "items"), *v;
	const char *act = describe_str(o, "do"), *cup = describe_str(o, "cup");
	size_t i;

	if (strcmp(act, "make") == 0) {
		buf_printf(b, "makes the cup %s from %zu:", cup,
		    json_array_size(items));
	} else if (strcmp(act, "return") == 0) {
		buf_printf(b, "puts back into the cup %s:", cup);
	} else {
		buf_printf(b, "puts everything back into the cup %s", cup);
	}
	json_array_foreach(items, i, v)
	    buf_printf(b, " %s", describe_element(v));
}

/* Accepting; where a ruling needs both, whether it is in force. */
static void
describe_accept(const struct battle *bt, struct buf *b, int64_t seq, int64_t to)
{
	const struct game_entry *en = battle_entry(bt, to);
	char *offer;

	offer = describe_offer(bt, to);
	if (en->kind == ORDER_RULING)
		buf_printf(b, "accepts the ruling of line %lld, %s%s",
		    (long long)to, offer,
		    en->fate == GAME_FATE_ACCEPTED && en->fate_by == seq
			? ": it is in force"
			: "");
	else
		buf_printf(b, "accepts line %lld, %s", (long long)to, offer);
	free(offer);
	if (en->given < 0 || en->fate_by != seq ||
	    en->fate != GAME_FATE_ACCEPTED)
		return;
	buf_printf(b, ": %s has the seat from here on, and new dice fall",
	    bt->called(bt->arg, en->account));
	if (battle_entry(bt, seq)->from >= 0)
		buf_printf(b, "; all from line %lld on is void",
		    (long long)battle_entry(bt, seq)->from);
}

/* Declining, withdrawing, refusing a joiner. */
static void
describe_note(const struct battle *bt, struct buf *b, const struct order *o)
{
	const char *say = describe_str(o, "say");
	int64_t to = describe_int(o, "to");
	char *offer;

	if (strcmp(say, "passed") == 0) {
		buf_printf(b,
		    "notes that the time of the notice in line %lld has passed",
		    (long long)to);
		return;
	}
	if (strcmp(say, "answered") == 0) {
		buf_printf(b,
		    "notes that it had answered line %lld: somebody kept that "
		    "back",
		    (long long)to);
		return;
	}
	if (strcmp(say, "anew") == 0) {
		buf_printf(b,
		    "notes that it no longer holds what it said up to line "
		    "%lld",
		    (long long)to);
		return;
	}
	if (strcmp(say, "refuse") == 0) {
		buf_printf(b, "refuses %s, who joined in line %lld",
		    bt->called(bt->arg, battle_entry(bt, to)->account),
		    (long long)to);
		return;
	}
	offer = describe_offer(bt, to);
	buf_printf(b, "%ss line %lld, %s",
	    strcmp(say, "decline") == 0 ? "decline" : "withdraw", (long long)to,
	    offer);
	free(offer);
}

/* A claim that the witness is silent. */
static void
describe_silence(const struct battle *bt, struct buf *b,
    const struct battle_line *bl, int64_t to)
{
	const struct game_entry *en = battle_entry(bt, bl->ln.seq);
	char *who;

	buf_printf(b, "claims that the witness does not answer line %lld: ",
	    (long long)to);
	if (en->claimed != GAME_CLAIMED_SILENCE) {
		buf_puts(b, "it still has time");
		return;
	}
	who = battle_who(bt, en->stand_in);
	buf_printf(b, "%s answers in its stead", who);
	free(who);
}

/* Until when the other side may move, of a notice that stands. */
static void
describe_standing_notice(
    const struct battle *bt, struct buf *b, const struct battle_line *bl)
{
	const struct game *g = battle_game(bt);
	const int side = game_side_of(bl->ln.seat);
	char *name, when[32];

	if (game_notice_seq(g, side) != bl->ln.seq)
		return;
	name = battle_side(g, 3 - side);
	buf_printf(b, ": %s may move until %s, then it may be claimed", name,
	    out_time(when, game_notice_until_ms(g, side)));
	free(name);
}

/* A free roll, a draw or what is said to somebody else's line. */
static void
describe_said(
    const struct battle *bt, struct buf *b, const struct battle_line *bl)
{
	static const char *const claimed[] = {
	    [GAME_CLAIMED_NOTICE] = "this is notice of it",
	    [GAME_CLAIMED_DEFAULT] = "the usual answer is taken",
	    [GAME_CLAIMED_DIRECTOR] = "the director has to act",
	    [GAME_CLAIMED_GAME] = "the game is lost",
	};
	const struct order *o = &bl->o;
	int64_t to = describe_int(o, "to");
	const enum game_claimed claim = battle_entry(bt, bl->ln.seq)->claimed;
	bool is_draw;
	char *s;

	switch (o->kind) {
	case ORDER_FREE:
		is_draw = json_object_get(o->args, "cup") != NULL;
		s = describe_dice(o);
		buf_printf(b, "%s%s%s", bl->ln.owes != NULL ? "wants to " : "",
		    is_draw ? "draw" : "roll", bl->ln.owes != NULL ? "" : "s");
		buf_printf(b, " %s", s);
		describe_rolled(b, bl->ln.dice);
		free(s);
		break;
	case ORDER_ANSWER:
		if (strcmp(describe_str(o, "say"), "object") == 0)
			buf_printf(b, "objects to line %lld: it is void, %s",
			    (long long)to,
			    battle_entry(bt, to)->kind == ORDER_DECIDE
				? "and the question is open again"
				: "and no dice have fallen");
		else
			buf_printf(b, "agrees to line %lld", (long long)to);
		if (battle_entry(bt, to)->kind == ORDER_FREE)
			describe_rolled(b, bl->ln.dice);
		break;
	case ORDER_CLAIM:
		if (to >= 0 &&
		    battle_entry(bt, to)->waits_for == GAME_WITNESS) {
			describe_silence(bt, b, bl, to);
			break;
		}
		if (to >= 0 && battle_entry(bt, to)->kind == ORDER_CLAIM) {
			buf_printf(b, "claims after the notice in line %lld: ",
			    (long long)to);
			if (claim == GAME_CLAIMED_NOTHING)
				buf_puts(
				    b, "it is too early, and nothing follows");
			else
				buf_printf(b, "no move has come, and %s",
				    claimed[claim]);
			break;
		}
		if (to >= 0) {
			buf_printf(b,
			    "claims that line %lld stands without a judgement: "
			    "%s",
			    (long long)to,
			    claim == GAME_CLAIMED_AGREED
				? "it was not judged in time, and stands"
				: "the director still has time");
			break;
		}
		buf_puts(
		    b, "claims that the other side's time has run out: it has");
		if (claim == GAME_CLAIMED_NOTHING)
			buf_printf(b, " not%s, and nothing follows",
			    game_settings(battle_game(bt))->clock.notice_s > 0
				? " by both clocks"
				: "");
		else
			buf_printf(b, ", and %s", claimed[claim]);
		if (claim == GAME_CLAIMED_NOTICE)
			describe_standing_notice(bt, b, bl);
		break;
	default:
		if (strcmp(describe_str(o, "do"), "resume") == 0) {
			buf_puts(b, "ends the pause");
			break;
		}
		s = describe_count(describe_int(o, "days"), "day");
		buf_printf(b, "takes %s of holiday", s);
		free(s);
		break;
	}
}

char *
describe_line(const struct battle *bt, const struct battle_line *bl)
{
	const struct order *o = &bl->o;
	const int64_t seq = bl->ln.seq;
	const struct game_standing *list;
	const char *kind, *word;
	char *offer = NULL, *who;
	json_t *root;
	struct buf b;
	size_t i, n;

	buf_init(&b, 0);
	who = battle_who_then(bt, bl->ln.seat, bl->ln.seq);
	buf_printf(&b, "%s ", who);
	free(who);
	switch (o->kind) {
	case ORDER_FREE:
	case ORDER_ANSWER:
	case ORDER_CLAIM:
	case ORDER_PAUSE:
		describe_said(bt, &b, bl);
		break;
	case ORDER_CUP:
		describe_cup(&b, o);
		break;
	case ORDER_PROPOSE:
		offer = describe_offered(bt, o, seq);
		buf_printf(&b, "proposes %s", offer);
		break;
	case ORDER_OFFER:
		if (strcmp(describe_str(o, "what"), "takeback") == 0) {
			offer = describe_takeback(bt, describe_int(o, "from"));
			buf_printf(&b, "asks to take back %s", offer);
			break;
		}
		offer = describe_offered(bt, o, seq);
		buf_printf(&b, "offers %s", offer);
		break;
	case ORDER_RULING:
		offer = describe_ruling(bt, o, seq);
		buf_printf(&b, "rules: %s", offer);
		break;
	case ORDER_ACCEPT:
		describe_accept(bt, &b, seq, describe_int(o, "to"));
		break;
	case ORDER_NOTE:
		describe_note(bt, &b, o);
		break;
	case ORDER_DICE_KEY:
		buf_puts(&b, "gives a new dice key");
		break;
	case ORDER_STANDING:
		buf_puts(&b, "leaves a standing order");
		/* Its text, once it is public. */
		list = game_standings(battle_game(bt), &n);
		for (i = 0; i < n; i++) {
			if (list[i].seq != seq ||
			    game_standing_read(&list[i], &root, &kind, &word) !=
				0)
				continue;
			buf_printf(&b, ": %s %s", kind, word);
			json_decref(root);
		}
		break;
	default:
		buf_puts(&b, o->kind_name);
		break;
	}
	free(offer);
	return (xalloc_take(&b));
}

char *
describe_event(const json_t *args)
{
	const char *event = js_str(args, "event");
	const json_t *round = json_object_get(args, "round");
	const json_t *table = json_object_get(args, "table");
	const char *tournament = js_str(args, "tournament");
	struct buf b;

	buf_init(&b, 0);
	if (event != NULL)
		buf_puts(&b, event);
	if (json_is_integer(round))
		buf_printf(&b, "%sround %lld", b.len == 0 ? "" : ", ",
		    (long long)json_integer_value(round));
	if (json_is_integer(table))
		buf_printf(&b, "%stable %lld", b.len == 0 ? "" : ", ",
		    (long long)json_integer_value(table));
	/* The number tells it from a name that anybody may give. */
	if (tournament != NULL)
		buf_printf(&b, " (tournament %.8s)", tournament);
	return (xalloc_take(&b));
}

const char *
describe_hands(const struct order_create *c)
{
	if (c->has_witness)
		return ("from three hands (live-1 with a witness)");
	return (c->is_live ? "from three hands (live-1)"
			   : "from two hands (dual-1)");
}

const char *
describe_hands_now(const struct game *g)
{
	if (game_had_witness(g) && game_witness(g) == NULL)
		return ("from three hands (live-1, its witness is out)");
	return (describe_hands(game_settings(g)));
}
