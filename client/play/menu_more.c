/* SPDX-License-Identifier: ISC */
/*
 * Each of the list's entries says when it is of any use and asks for its own
 * parts; whether what comes of that is lawful, the subcommand says.  The
 * answers are on a tape, so that b goes back by one of them.
 */
#include "client/play/menu_more.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/wordlist.h"
#include "client/base/xalloc.h"
#include "client/play/action.h"
#include "client/play/form_tape.h"
#include "client/play/play.h"
#include "client/play/roll.h"
#include "client/play/show.h"
#include "client/play/takeback.h"
#include "client/replica/adjust.h"
#include "client/report/battle.h"
#include "common/game/game.h"
#include "common/game/game_cup.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/show/upkeep.h"
#include "common/rules/systems/systems.h"

#define MENU_MORE_WORD_MAX 64 /* bytes of a number or id */
#define MENU_MORE_PATH_MAX 4096
#define MENU_MORE_DAYS_MAX 365
#define MENU_MORE_TURNS_MAX 99

/* What the parts of this file pass around. */
struct menu_more {
	struct form_tape *tape;
	struct play *pl;
	const struct game *g;
	const struct rules_system *sys; /* NULL: not known here */
	json_t *roster; /* owned: what is asked about may change; or NULL */
	int side; /* ours; 0: none */
};

/* The key of the next question: the same may be asked more than once; free().
 */
static char *
menu_more_key(const struct menu_more *m)
{
	return (xalloc_printf("%zu", json_array_size(m->tape->steps)));
}

/* Asks for one of the list. */
static int
menu_more_pick(const struct menu_more *m, const char *title,
    struct form_list *l, size_t *pick)
{
	char *key = menu_more_key(m);
	int r;

	l->key = key;
	l->title = title;
	r = form_tape_choice(m->tape, l, -1, pick);
	l->key = NULL;
	free(key);
	return (r);
}

/* The same of labels that are no list yet. */
static int
menu_more_choice(const struct menu_more *m, const char *title,
    const char *const labels[], size_t n, size_t *pick)
{
	struct form_list l = {.n = 0};
	size_t i;
	int r;

	for (i = 0; i < n; i++)
		form_list_add(&l, labels[i], labels[i]);
	r = menu_more_pick(m, title, &l, pick);
	form_list_clear(&l);
	return (r);
}

/* Asks for words. */
static int
menu_more_words(const struct menu_more *m, const char *question, size_t max,
    bool may_be_empty, char **words)
{
	char *key = menu_more_key(m);
	int r;

	r = form_tape_text(m->tape, key, question, max, may_be_empty, words);
	free(key);
	return (r);
}

/* Yes or no; an empty line is a no. */
static int
menu_more_yes(const struct menu_more *m, const char *question, bool *yes)
{
	char *key = menu_more_key(m);
	int r;

	r = form_tape_yes(m->tape, key, question, 0, yes);
	free(key);
	return (r);
}

/* Asks for a text that goes with an action; some may be left out. */
static int
menu_more_text(const struct menu_more *m, const char *question, bool is_needed,
    struct action *a)
{
	int r;

	r = menu_more_words(m, question, RECORD_TEXT_MAX, !is_needed, &a->text);
	if (r == 0 && *a->text == '\0') {
		free(a->text);
		a->text = NULL;
	}
	return (r);
}

/* Asks for a number that is a member of its args. */
static int
menu_more_number(const struct menu_more *m, const char *question, int64_t hi,
    const char *member, json_t *args)
{
	char *key = menu_more_key(m);
	int64_t n = 1;
	int r;

	r = form_tape_number(m->tape, key, question, 1, hi, NULL, &n);
	if (r == 0)
		xalloc_set(args, member, json_integer(n));
	free(key);
	return (r);
}

/* Lists the units of a side, or of both (0), by their ids. */
static void
menu_more_units(const struct menu_more *m, int only, struct form_list *l)
{
	const json_t *side, *u;
	const char *out;
	char *label;
	size_t j;
	int i;

	for (i = 1; i <= 2; i++) {
		if (only != 0 && i != only)
			continue;
		side = json_object_get(m->roster, i == 1 ? "1" : "2");
		json_array_foreach(json_object_get(side, "units"), j, u)
		{
			/* Nothing more can be said of it. */
			if (roster_is_gone(u))
				continue;
			out = text_member(u, "out");
			label = xalloc_printf("%s  %s%s%s%s",
			    text_member(u, "id"), text_member(u, "name"),
			    *out == '\0' ? "" : " (", out,
			    *out == '\0' ? "" : ")");
			form_list_add(l, label, text_member(u, "id"));
			free(label);
		}
	}
}

/* What is said. */
static int
menu_more_say(const struct menu_more *m, struct action *a)
{
	return (menu_more_text(m, "What do you say?", true, a));
}

/* Which dice, and what for. */
static int
menu_more_roll(const struct menu_more *m, struct action *a)
{
	int64_t dice, sides;
	char *s;
	int r;

	while ((r = menu_more_words(m, "Which dice, such as 2d6?",
		    MENU_MORE_WORD_MAX, false, &s)) == 0 &&
	    !roll_dice(s, &dice, &sides)) {
		m->tape->io->say(m->tape->io->arg, 0,
		    "Those are not dice: type 2d6, 1d100 or the like.");
		form_tape_undo(m->tape);
		free(s);
	}
	if (r != 0)
		return (r);
	free(s);
	xalloc_set(a->args, "dice", json_integer(dice));
	xalloc_set(a->args, "sides", json_integer(sides));
	return (menu_more_text(m, "What for?", false, a));
}

/* How many chits out of which cup, and what for. */
static int
menu_more_draw(const struct menu_more *m, struct action *a)
{
	struct form_list l = {.n = 0};
	const struct game_cup *cups;
	size_t i, left, n, pick = 0;
	char *label;
	int r;

	cups = game_cups(m->g, &n);
	for (i = 0; i < n; i++) {
		left = json_array_size(cups[i].in);
		label = xalloc_printf("%s  %zu chit%s left", cups[i].name, left,
		    left == 1 ? "" : "s");
		form_list_add(&l, label, cups[i].name);
		free(label);
	}
	r = menu_more_pick(m, "Out of which cup?", &l, &pick);
	if (r == 0) {
		xalloc_set(a->args, "cup", xalloc_json_str(l.values[pick]));
		r = menu_more_number(m, "How many?", ROLL_MAX, "draw", a->args);
	}
	form_list_clear(&l);
	return (r == 0 ? menu_more_text(m, "What for?", false, a) : r);
}

/* Asks for a battalion of a unit, by the member that lists them. */
static int
menu_more_battalion(const struct menu_more *m, const json_t *unit, json_t *args)
{
	struct form_list l = {.n = 0};
	const json_t *v;
	size_t i, pick;
	char *s;
	int r;

	json_array_foreach(json_object_get(unit, "battalions"), i, v)
	{
		s = xalloc_printf(
		    "%s  %s", text_member(v, "id"), text_member(v, "name"));
		form_list_add(&l, s, text_member(v, "id"));
		free(s);
	}
	if (l.n == 0) {
		if ((r = menu_more_words(m, "Which battalion?",
			 MENU_MORE_WORD_MAX, false, &s)) != 0)
			return (r);
		xalloc_set(args, "battalion", xalloc_json_str(s));
		free(s);
		return (0);
	}
	if ((r = menu_more_pick(m, "Which battalion?", &l, &pick)) == 0)
		xalloc_set(args, "battalion", xalloc_json_str(l.values[pick]));
	form_list_clear(&l);
	return (r);
}

/* What a unit does. */
static int
menu_more_upkeep(const struct menu_more *m, struct action *a)
{
	const struct upkeep_order *o = upkeep_orders(m->sys);
	struct form_list units = {.n = 0}, orders = {.n = 0};
	size_t unit, order, i;
	char *s;
	int r;

	menu_more_units(m, m->side, &units);
	for (i = 0; o[i].name != NULL; i++) {
		s = xalloc_printf("%s  %s", o[i].name, o[i].what);
		form_list_add(&orders, s, o[i].name);
		free(s);
	}
	if ((r = menu_more_pick(m, "Which unit?", &units, &unit)) == 0 &&
	    (r = menu_more_pick(m, "What does it do?", &orders, &order)) == 0) {
		xalloc_set(
		    a->args, "unit", xalloc_json_str(units.values[unit]));
		xalloc_set(a->args, "do", xalloc_json_str(o[order].name));
		if (o[order].has_battalion)
			r = menu_more_battalion(m,
			    adjust_entry(m->roster, units.values[unit]),
			    a->args);
	}
	form_list_clear(&units);
	form_list_clear(&orders);
	return (r);
}

/* What a member of a unit is now, in a few words; free(). */
static char *
menu_more_now(const json_t *v)
{
	if (json_is_string(v))
		return (xalloc_str(json_string_value(v)));
	if (json_is_boolean(v))
		return (xalloc_str(json_is_true(v) ? "yes" : "no"));
	if (json_is_integer(v))
		return (
		    xalloc_printf("%lld", (long long)json_integer_value(v)));
	return (xalloc_str(v == NULL ? "not set" : "a list"));
}

/* Asks for one change of a unit: "strength=4". */
static int
menu_more_change(const struct menu_more *m, const json_t *unit, json_t *words)
{
	const struct schema_row *f;
	struct form_list l = {.n = 0};
	char *now, *s, *value;
	size_t i, pick;
	int r;

	for (i = 0; (f = schema_field(m->sys->unit, i)) != NULL; i++) {
		if (json_is_object(
			json_array_get(json_object_get(unit, f->name), 0)))
			continue;
		now = menu_more_now(json_object_get(unit, f->name));
		s = xalloc_printf("%s  now %s", f->name, now);
		form_list_add(&l, s, f->name);
		free(s);
		free(now);
	}
	now = menu_more_now(json_object_get(unit, "out"));
	s = xalloc_printf("out  now %s; a word takes it out of play, none "
			  "brings it back",
	    now);
	form_list_add(&l, s, "out");
	free(s);
	free(now);
	form_list_add(&l, "gone  yes takes it away for good", "gone");
	if ((r = menu_more_pick(m, "What about it?", &l, &pick)) == 0 &&
	    (r = menu_more_words(m, "What should it become?",
		 MENU_MORE_PATH_MAX, false, &value)) == 0) {
		s = xalloc_printf("%s=%s", l.values[pick], value);
		wordlist_add(words, s);
		free(s);
		free(value);
	}
	form_list_clear(&l);
	return (r);
}

/* Changes of units, as they are typed: UNIT FIELD=VALUE ... */
static int
menu_more_changes(const struct menu_more *m, json_t **units)
{
	struct form_list l = {.n = 0};
	struct errinfo e = {.text = ""};
	json_t *words = xalloc_json(json_array());
	const char **list;
	bool is_more = true;
	size_t i, n, pick;
	int r = 0;

	menu_more_units(m, 0, &l);
	while (r == 0 && is_more) {
		if ((r = menu_more_pick(m, "Which unit?", &l, &pick)) != 0)
			break;
		wordlist_add(words, l.values[pick]);
		if ((r = menu_more_change(m,
			 adjust_entry(m->roster, l.values[pick]), words)) == 0)
			r = menu_more_yes(m, "Another change?", &is_more);
	}
	form_list_clear(&l);
	n = json_array_size(words);
	list = xalloc((n + 1) * sizeof(*list));
	for (i = 0; i < n; i++)
		list[i] = wordlist_get(words, i);
	if (r == 0 &&
	    (r = adjust_parse(m->roster, (int)n, list, units, &e)) != 0) {
		out_error("%s", e.text);
		out_note("Nothing was sent.");
	}
	free(list);
	json_decref(words);
	return (r);
}

/* Changes, and why. */
static int
menu_more_adjust(const struct menu_more *m, struct action *a)
{
	int r;

	json_decref(a->args);
	a->args = NULL;
	r = menu_more_changes(m, &a->args);
	return (r == 0 ? menu_more_text(m, "Why?", false, a) : r);
}

/* The file of what joins, and why. */
static int
menu_more_join(const struct menu_more *m, struct action *a)
{
	int r;

	json_decref(a->args);
	a->args = NULL;
	r = menu_more_words(m, "Which file are they in?", MENU_MORE_PATH_MAX,
	    false, &a->answer);
	return (r == 0 ? menu_more_text(m, "Why?", false, a) : r);
}

/* Asks for one of the lines that can be taken back. */
static int
menu_more_takeback(const struct menu_more *m, json_t *args)
{
	struct form_list l = {.n = 0};
	size_t pick = 0;
	int r = ASK_BACK;

	takeback_choices(m->pl, &l);
	if (l.n == 0)
		m->tape->io->say(
		    m->tape->io->arg, 0, "Nothing can be taken back now.");
	else
		r = menu_more_pick(
		    m, "From where on (with everything after it)?", &l, &pick);
	if (r == 0)
		xalloc_set(args, "from",
		    json_integer(strtoll(l.values[pick], NULL, 10)));
	form_list_clear(&l);
	return (r);
}

/* What is ruled, and why. */
static int
menu_more_ruling(const struct menu_more *m, struct action *a)
{
	static const char *const labels[] = {
	    "A line and all after it are taken back", "Units are changed",
	    "The game ends", "Something else, in words"};
	const char *winners[3] = {NULL, NULL, "Nobody has won"};
	char *names[2];
	json_t *units;
	size_t pick, won;
	int r;

	r = menu_more_choice(m, "Your ruling:", labels, 4, &pick);
	if (r == 0 && pick == 0) {
		xalloc_set(a->args, "void", json_true());
		r = menu_more_takeback(m, a->args);
	} else if (r == 0 && pick == 1) {
		if ((r = menu_more_changes(m, &units)) == 0)
			xalloc_set(a->args, "units", units);
	} else if (r == 0 && pick == 2) {
		winners[0] = names[0] = battle_side(m->g, 1);
		winners[1] = names[1] = battle_side(m->g, 2);
		r = menu_more_choice(m, "Who has won?", winners, 3, &won);
		if (r == 0)
			xalloc_set(a->args, "result",
			    json_integer(won == 2 ? 0 : (json_int_t)won + 1));
		free(names[0]);
		free(names[1]);
	}
	/* A ruling always has a reason. */
	return (r == 0 ? menu_more_text(m, "Why?", true, a) : r);
}

/* What is offered, and why. */
static int
menu_more_offer(const struct menu_more *m, struct action *a)
{
	static const struct {
		const char *label, *what, *winner;
	} all[] = {
	    {"a draw", "draw", NULL},
	    {"victory for you", "victory", "mine"},
	    {"victory for the other side", "victory", "theirs"},
	    {"to take something back", "takeback", NULL},
	    {"a truce for some turns", "truce", NULL},
	    {"to play on without the witness", "witness-out", NULL},
	    {"a pause for some days", "pause", NULL},
	};
	const char *labels[sizeof(all) / sizeof(all[0])];
	size_t i, n = 0, pick, which[sizeof(all) / sizeof(all[0])];
	int r;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if ((i == 5 && game_witness(m->g) == NULL) ||
		    (i == 6 && !game_settings(m->g)->has_clock))
			continue;
		which[n] = i;
		labels[n++] = all[i].label;
	}
	if ((r = menu_more_choice(m, "Your offer:", labels, n, &pick)) != 0)
		return (r);
	pick = which[pick];
	xalloc_set(a->args, "what", json_string(all[pick].what));
	if (all[pick].winner != NULL)
		xalloc_set(a->args, "winner", json_string(all[pick].winner));
	if (pick == 3)
		r = menu_more_takeback(m, a->args);
	else if (pick == 4)
		r = menu_more_number(m, "How many turns?", MENU_MORE_TURNS_MAX,
		    "turns", a->args);
	else if (pick == 6)
		r = menu_more_number(
		    m, "How many days?", MENU_MORE_DAYS_MAX, "days", a->args);
	return (r == 0 ? menu_more_text(m, "Why?", false, a) : r);
}

/* The file, and why. */
static int
menu_more_roster(const struct menu_more *m, struct action *a)
{
	int r;

	r = menu_more_words(m, "Which file are the rosters in?",
	    MENU_MORE_PATH_MAX, false, &a->answer);
	return (r == 0 ? menu_more_text(m, "Why?", false, a) : r);
}

/* How many days. */
static int
menu_more_holiday(const struct menu_more *m, struct action *a)
{
	xalloc_set(a->args, "do", json_string("holiday"));
	return (menu_more_number(
	    m, "How many days?", MENU_MORE_DAYS_MAX, "days", a->args));
}

/* What an entry of the list needs, all at once. */
#define MENU_MORE_TURN 0x1U /* it is our turn, and no combat is open */
#define MENU_MORE_CUPS 0x2U /* there are cups */
#define MENU_MORE_UPKEEP 0x4U /* the system has upkeep orders */
#define MENU_MORE_ROSTER 0x8U /* the rosters can be read here */
#define MENU_MORE_PLAY 0x10U /* the game is played */
#define MENU_MORE_SIDE 0x20U /* we have a side */
#define MENU_MORE_DIRECTOR 0x40U /* we direct it */
#define MENU_MORE_MUSTER 0x80U /* it has not begun */
#define MENU_MORE_CLOCK 0x100U /* a clock runs */
#define MENU_MORE_OPENER 0x200U /* we opened it */

static const struct {
	const char *label;
	enum action_kind kind;
	unsigned needs;
	int (*ask)(const struct menu_more *m, struct action *a); /* or NULL */
} menu_more_all[] = {
    {"Say something", ACTION_SAY, 0, menu_more_say},
    {"Roll dice", ACTION_ROLL, MENU_MORE_TURN, menu_more_roll},
    {"Draw from a cup", ACTION_ROLL, MENU_MORE_TURN | MENU_MORE_CUPS,
	menu_more_draw},
    {"Give a unit an upkeep order", ACTION_UPKEEP,
	MENU_MORE_TURN | MENU_MORE_UPKEEP, menu_more_upkeep},
    {"Change units by agreement", ACTION_ADJUST,
	MENU_MORE_PLAY | MENU_MORE_SIDE | MENU_MORE_ROSTER, menu_more_adjust},
    {"Bring reinforcements", ACTION_ADJUST,
	MENU_MORE_PLAY | MENU_MORE_SIDE | MENU_MORE_ROSTER, menu_more_join},
    {"Offer a draw, a takeback ...", ACTION_OFFER,
	MENU_MORE_PLAY | MENU_MORE_SIDE, menu_more_offer},
    {"Give a ruling", ACTION_RULING, MENU_MORE_PLAY | MENU_MORE_DIRECTOR,
	menu_more_ruling},
    {"Propose other rosters", ACTION_ROSTER, MENU_MORE_MUSTER | MENU_MORE_SIDE,
	menu_more_roster},
    {"Take holidays", ACTION_HOLIDAY,
	MENU_MORE_PLAY | MENU_MORE_SIDE | MENU_MORE_CLOCK, menu_more_holiday},
    {"Resign", ACTION_RESIGN, MENU_MORE_PLAY | MENU_MORE_SIDE, NULL},
    {"Call the game off", ACTION_CANCEL, MENU_MORE_MUSTER | MENU_MORE_OPENER,
	NULL},
};

#define MENU_MORE_ALL (sizeof(menu_more_all) / sizeof(menu_more_all[0]))

/* What there is of MENU_MORE_*. */
static unsigned
menu_more_has(const struct menu_more *m)
{
	const enum game_phase phase = game_phase(m->g);
	unsigned has = 0;
	size_t n;

	if (show_is_owed(m->pl, OWED_TURN))
		has |= MENU_MORE_TURN;
	(void)game_cups(m->g, &n);
	if (n > 0)
		has |= MENU_MORE_CUPS;
	if (m->sys != NULL && upkeep_orders(m->sys)->name != NULL)
		has |= MENU_MORE_UPKEEP;
	if (m->sys != NULL && m->roster != NULL)
		has |= MENU_MORE_ROSTER;
	if (phase == GAME_PLAY)
		has |= MENU_MORE_PLAY;
	if (phase == GAME_MUSTER)
		has |= MENU_MORE_MUSTER;
	has |= m->side != 0 ? MENU_MORE_SIDE : 0;
	has |= m->pl->seat == 0 ? MENU_MORE_DIRECTOR : 0;
	has |= game_settings(m->g)->has_clock ? MENU_MORE_CLOCK : 0;
	has |= play_is_opener(m->pl) ? MENU_MORE_OPENER : 0;
	return (has);
}

/* Asks which entry of the list, and for its parts. */
static int
menu_more_run(const struct menu_more *m, struct action *a)
{
	const unsigned has = menu_more_has(m);
	const char *labels[MENU_MORE_ALL];
	size_t at[MENU_MORE_ALL], i, n = 0, pick;
	int r;

	for (i = 0; i < MENU_MORE_ALL; i++) {
		if ((menu_more_all[i].needs & has) != menu_more_all[i].needs)
			continue;
		labels[n] = menu_more_all[i].label;
		at[n++] = i;
	}
	*a = (struct action){.seq = -1};
	if ((r = menu_more_choice(m, NULL, labels, n, &pick)) != 0)
		return (r);
	a->kind = menu_more_all[at[pick]].kind;
	a->args = xalloc_json(json_object());
	if (menu_more_all[at[pick]].ask != NULL)
		r = menu_more_all[at[pick]].ask(m, a);
	if (r != 0)
		action_clear(a);
	return (r);
}

int
menu_more_ask(struct form_tape *tape, struct play *pl, struct action *a)
{
	const struct game *g = play_game(pl);
	struct menu_more m = {.tape = tape,
	    .pl = pl,
	    .g = g,
	    .sys = systems_find(game_system(g)),
	    .side = pl->seat < 1 ? 0 : game_side_of(pl->seat)};
	int r;

	if (game_roster(g) != NULL)
		m.roster = xalloc_copy(game_roster(g));
	do {
		form_tape_rewind(tape);
		r = menu_more_run(&m, a);
	} while (r == ASK_BACK && form_tape_back(tape));
	json_decref(m.roster);
	return (r);
}
