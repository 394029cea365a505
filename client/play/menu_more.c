/* SPDX-License-Identifier: ISC */
/*
 * Commands by questions.  Each of the list's entries says when it is of any
 * use and asks for its own words; whether what comes of that is lawful, the
 * subcommand says.
 */
#include "client/play/menu_more.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/words.h"
#include "client/base/xalloc.h"
#include "client/play/play.h"
#include "client/play/roll.h"
#include "client/play/takeback.h"
#include "client/play/tell.h"
#include "client/play/upkeep.h"
#include "client/report/report.h"
#include "client/ui/ask_list.h"
#include "common/game/game.h"
#include "common/record/record.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#define MENU_MORE_WORD_MAX 64 /* bytes of a number or id */
#define MENU_MORE_PATH_MAX 4096
#define MENU_MORE_DAYS_MAX 365
#define MENU_MORE_TURNS_MAX 9999
#define MENU_MORE_LABELS 256 /* units that are listed at most */

/* What the parts of this file pass around. */
struct more {
	const struct ask_io *io;
	struct play *pl;
	const struct rules_system *sys; /* NULL: not known here */
	const json_t *view; /* borrowed */
	bool is_turn; /* it is our turn, and no combat is open */
	bool is_play; /* the game is being played */
	int side; /* ours; 0: none */
};

/* A list of labels with what each stands for. */
struct menu_more_list {
	char *labels[MENU_MORE_LABELS]; /* owned */
	const json_t *values[MENU_MORE_LABELS]; /* borrowed */
	size_t n;
};

/* Adds to the list; label is stolen. */
static void
menu_more_add(struct menu_more_list *l, char *label, const json_t *value)
{
	if (l->n == MENU_MORE_LABELS) {
		free(label);
		return;
	}
	l->labels[l->n] = label;
	l->values[l->n++] = value;
}

/* Frees its labels. */
static void
menu_more_clear(struct menu_more_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->labels[i]);
}

/* Asks for one of the list. */
static int
menu_more_pick(const struct more *m, const char *title,
    struct menu_more_list *l, size_t *pick)
{
	return (ask_choice(
	    m->io, title, (const char *const *)l->labels, l->n, -1, pick));
}

/* A text of an object; "" if it is not there. */
static const char *
menu_more_str(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return (s == NULL ? "" : s);
}

/* Asks for a text and adds it, after its option (NULL: none). */
static int
menu_more_text(const struct more *m, const char *question, size_t max,
    const char *option, json_t *words)
{
	char *s;
	int r;

	if ((r = ask_text(m->io, question, max, option != NULL, &s)) != 0)
		return (r);
	if (*s != '\0') {
		if (option != NULL)
			words_add(words, option);
		words_add(words, s);
	}
	free(s);
	return (0);
}

/* Asks why, which may stay unsaid. */
static int
more_why(const struct more *m, json_t *words)
{
	return (menu_more_text(m, "Why?", RECORD_TEXT_MAX, "--why", words));
}

/* Asks for a number and adds it. */
static int
menu_more_number(
    const struct more *m, const char *question, int64_t hi, json_t *words)
{
	int64_t n = 1;
	char *s;
	int r;

	if ((r = ask_number(m->io, question, 1, hi, false, &n)) != 0)
		return (r);
	s = xalloc_printf("%lld", (long long)n);
	words_add(words, s);
	free(s);
	return (0);
}

/* Lists the units of a side, or of both (0). */
static void
menu_more_units(const struct more *m, int only, struct menu_more_list *l)
{
	const json_t *side, *u;
	const char *out;
	int i;
	size_t j;

	for (i = 1; i <= 2; i++) {
		if (only != 0 && i != only)
			continue;
		side = json_object_get(
		    json_object_get(m->view, "roster"), i == 1 ? "1" : "2");
		json_array_foreach(json_object_get(side, "units"), j, u)
		{
			out = menu_more_str(u, "out");
			menu_more_add(l,
			    xalloc_printf("%s  %s%s%s%s",
				menu_more_str(u, "id"),
				menu_more_str(u, "name"),
				*out == '\0' ? "" : " (",
				*out == '\0' ? "" : out,
				*out == '\0' ? "" : ")"),
			    u);
		}
	}
}

/* say -- TEXT */
static int
menu_more_say(const struct more *m, json_t *words)
{
	words_add(words, "--");
	return (menu_more_text(m, "What?", RECORD_TEXT_MAX, NULL, words));
}

/* roll DICE --for TEXT */
static int
menu_more_roll(const struct more *m, json_t *words)
{
	int64_t dice, sides;
	char *s;
	int r;

	while ((r = ask_text(m->io, "Which dice, such as 2d6?",
		    MENU_MORE_WORD_MAX, false, &s)) == 0 &&
	    !roll_dice(s, &dice, &sides)) {
		m->io->say(m->io->arg, 0, "These are no dice: 2d6, 1d100 ...");
		free(s);
	}
	if (r != 0)
		return (r);
	words_add(words, s);
	free(s);
	return (
	    menu_more_text(m, "What for?", RECORD_TEXT_MAX, "--for", words));
}

/* roll --cup NAME N --for TEXT */
static int
menu_more_draw(const struct more *m, json_t *words)
{
	struct menu_more_list l = {.n = 0};
	const json_t *v;
	size_t i, left = 0, pick = 0;
	int r;

	json_array_foreach(json_object_get(m->view, "cups"), i, v)
	{
		left = json_array_size(json_object_get(v, "in"));
		menu_more_add(&l,
		    xalloc_printf("%s  %zu chit%s left",
			menu_more_str(v, "cup"), left, left == 1 ? "" : "s"),
		    v);
	}
	if ((r = menu_more_pick(m, "Out of which cup?", &l, &pick)) == 0) {
		words_add(words, "--cup");
		words_add(words, menu_more_str(l.values[pick], "cup"));
		r = menu_more_number(m, "How many?", ROLL_MAX, words);
	}
	if (r == 0)
		r = menu_more_text(
		    m, "What for?", RECORD_TEXT_MAX, "--for", words);
	menu_more_clear(&l);
	return (r);
}

/* Asks for a battalion of a unit, by the member that lists them. */
static int
menu_more_battalion(const struct more *m, const json_t *unit, json_t *words)
{
	struct menu_more_list l = {.n = 0};
	const json_t *v;
	size_t i, pick;
	int r;

	json_array_foreach(json_object_get(unit, "battalions"), i, v)
	{
		menu_more_add(&l,
		    xalloc_printf("%s  %s", menu_more_str(v, "id"),
			menu_more_str(v, "name")),
		    v);
	}
	if (l.n == 0)
		return (menu_more_text(
		    m, "Which battalion?", MENU_MORE_WORD_MAX, NULL, words));
	if ((r = menu_more_pick(m, "Which battalion?", &l, &pick)) == 0)
		words_add(words, menu_more_str(l.values[pick], "id"));
	menu_more_clear(&l);
	return (r);
}

/* upkeep UNIT DO [BATTALION] */
static int
menu_more_upkeep(const struct more *m, json_t *words)
{
	const struct upkeep_order *o = upkeep_orders(m->sys);
	struct menu_more_list units = {.n = 0}, orders = {.n = 0};
	size_t unit, order, i;
	int r;

	menu_more_units(m, m->side, &units);
	for (i = 0; o[i].name != NULL; i++)
		menu_more_add(&orders,
		    xalloc_printf("%s  %s", o[i].name, o[i].what), NULL);
	if ((r = menu_more_pick(m, "Which unit?", &units, &unit)) == 0 &&
	    (r = menu_more_pick(m, "What does it do?", &orders, &order)) == 0) {
		words_add(words, menu_more_str(units.values[unit], "id"));
		words_add(words, o[order].name);
		if (o[order].has_battalion)
			r = menu_more_battalion(m, units.values[unit], words);
	}
	menu_more_clear(&units);
	menu_more_clear(&orders);
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
menu_more_change(const struct more *m, const json_t *unit, json_t *words)
{
	const struct schema_row *f;
	const char *names[MENU_MORE_LABELS];
	struct menu_more_list l = {.n = 0};
	char *now, *s, *value;
	size_t i, pick;
	int r;

	for (i = 0; l.n + 1 < MENU_MORE_LABELS &&
	     (f = schema_field(m->sys->unit, i)) != NULL;
	     i++) {
		if (json_is_object(
			json_array_get(json_object_get(unit, f->name), 0)))
			continue;
		now = menu_more_now(json_object_get(unit, f->name));
		names[l.n] = f->name;
		menu_more_add(
		    &l, xalloc_printf("%s  now %s", f->name, now), NULL);
		free(now);
	}
	now = menu_more_now(json_object_get(unit, "out"));
	names[l.n] = "out";
	menu_more_add(&l,
	    xalloc_printf("out  now %s; a word takes it out of play, none "
			  "brings it back",
		now),
	    NULL);
	free(now);
	if ((r = menu_more_pick(m, "What of it?", &l, &pick)) == 0 &&
	    (r = ask_text(m->io, "What shall it be?", MENU_MORE_PATH_MAX, false,
		 &value)) == 0) {
		s = xalloc_printf("%s=%s", names[pick], value);
		words_add(words, s);
		free(s);
		free(value);
	}
	menu_more_clear(&l);
	return (r);
}

/* UNIT FIELD=VALUE ... */
static int
menu_more_changes(const struct more *m, json_t *words)
{
	struct menu_more_list l = {.n = 0};
	bool is_more = true;
	size_t pick;
	int r = 0;

	menu_more_units(m, 0, &l);
	while (r == 0 && is_more) {
		if ((r = menu_more_pick(m, "Which unit?", &l, &pick)) != 0)
			break;
		words_add(words, menu_more_str(l.values[pick], "id"));
		if ((r = menu_more_change(m, l.values[pick], words)) == 0)
			r = ask_yes(m->io, "Another change?", 0, &is_more);
	}
	menu_more_clear(&l);
	return (r);
}

/* adjust UNIT FIELD=VALUE ... --why TEXT */
static int
menu_more_adjust(const struct more *m, json_t *words)
{
	int r;

	r = menu_more_changes(m, words);
	return (r == 0 ? more_why(m, words) : r);
}

/* Asks for one of the lines that can be taken back. */
static int
menu_more_takeback(const struct more *m, json_t *words)
{
	int64_t from;
	char *s;
	int r;

	if ((r = takeback_pick(m->io, m->pl, &from)) != 0)
		return (r);
	s = xalloc_printf("%lld", (long long)from);
	words_add(words, s);
	free(s);
	return (0);
}

/* ruling result 1|2|draw */
static int
more_result(const struct more *m, json_t *words)
{
	static const char *const results[] = {"1", "2", "draw"};
	const char *labels[3] = {NULL, NULL, "Nobody has won"};
	char *names[2];
	size_t i, pick;
	int r;

	for (i = 0; i < 2; i++) {
		names[i] = report_side(m->view, (int)i + 1);
		labels[i] = names[i];
	}
	r = ask_choice(m->io, "Who has won?", labels, 3, -1, &pick);
	if (r == 0)
		words_add(words, results[pick]);
	for (i = 0; i < 2; i++)
		free(names[i]);
	return (r);
}

/* ruling WHAT [WORD ...] --why TEXT */
static int
menu_more_ruling(const struct more *m, json_t *words)
{
	static const char *const labels[] = {
	    "A line and all after it are taken back", "Units are changed",
	    "The game ends", "Something else, in words"};
	static const char *const verbs[] = {
	    "void", "adjust", "result", "words"};
	size_t pick;
	int r;

	r = ask_choice(m->io, "You rule:", labels, 4, -1, &pick);
	if (r != 0)
		return (r);
	words_add(words, verbs[pick]);
	if (pick == 0)
		r = menu_more_takeback(m, words);
	else if (pick == 1)
		r = menu_more_changes(m, words);
	else if (pick == 2)
		r = more_result(m, words);
	return (r == 0 ? more_why(m, words) : r);
}

/* offer WHAT [WORD] --why TEXT */
static int
menu_more_offer(const struct more *m, json_t *words)
{
	static const char *const labels[] = {"a draw", "victory for you",
	    "victory for the other side", "to take something back",
	    "a truce for some turns", "a pause for some days"};
	size_t pick, n = sizeof(labels) / sizeof(labels[0]);
	int r;

	if (!json_is_object(json_object_get(m->view, "clock")))
		n--;
	if ((r = ask_choice(m->io, "You offer:", labels, n, -1, &pick)) != 0)
		return (r);
	switch (pick) {
	case 0:
		words_add(words, "draw");
		break;
	case 1:
	case 2:
		words_add(words, "victory");
		words_add(words, pick == 1 ? "mine" : "theirs");
		break;
	case 3:
		words_add(words, "takeback");
		r = menu_more_takeback(m, words);
		break;
	case 4:
		words_add(words, "truce");
		r = menu_more_number(
		    m, "How many turns?", MENU_MORE_TURNS_MAX, words);
		break;
	default:
		words_add(words, "pause");
		r = menu_more_number(
		    m, "How many days?", MENU_MORE_DAYS_MAX, words);
		break;
	}
	return (r == 0 ? more_why(m, words) : r);
}

/* roster FILE --why TEXT */
static int
menu_more_roster(const struct more *m, json_t *words)
{
	int r;

	r = menu_more_text(m, "In which file are the rosters?",
	    MENU_MORE_PATH_MAX, NULL, words);
	return (r == 0 ? more_why(m, words) : r);
}

/* holiday DAYS */
static int
menu_more_holiday(const struct more *m, json_t *words)
{
	return (
	    menu_more_number(m, "How many days?", MENU_MORE_DAYS_MAX, words));
}

/* What needs no words. */
static int
more_nothing(const struct more *m, json_t *words)
{
	(void)m;
	(void)words;
	return (0);
}

/* A player may always talk. */
static bool
more_if_always(const struct more *m)
{
	(void)m;
	return (true);
}

/* It is the own turn, and no combat is open. */
static bool
more_if_turn(const struct more *m)
{
	return (m->is_turn);
}

/* So, and there are cups. */
static bool
more_if_cups(const struct more *m)
{
	return (m->is_turn &&
	    json_array_size(json_object_get(m->view, "cups")) > 0);
}

/* So, and the system has upkeep orders. */
static bool
more_if_upkeep(const struct more *m)
{
	return (m->is_turn && m->sys != NULL &&
	    upkeep_orders(m->sys)->name != NULL);
}

/* The game is played, and we direct it. */
static bool
more_if_director(const struct more *m)
{
	return (m->is_play && m->pl->seat == 0);
}

/* The game is played, and we have a side. */
static bool
more_if_side(const struct more *m)
{
	return (m->is_play && m->side != 0);
}

/* So, and the rosters can be read here. */
static bool
more_if_units(const struct more *m)
{
	return (more_if_side(m) && m->sys != NULL &&
	    json_is_object(json_object_get(m->view, "roster")));
}

/* So, and a clock runs. */
static bool
more_if_clock(const struct more *m)
{
	return (more_if_side(m) &&
	    json_is_object(json_object_get(m->view, "clock")));
}

/* It has not begun. */
static bool
more_if_muster(const struct more *m)
{
	return (game_phase(play_game(m->pl)) == GAME_MUSTER && m->side != 0);
}

/* So, and we opened it. */
static bool
more_if_opener(const struct more *m)
{
	return (game_phase(play_game(m->pl)) == GAME_MUSTER &&
	    play_is_opener(m->pl));
}

static const struct {
	const char *label;
	const char *verb;
	bool (*is_for)(const struct more *m);
	int (*ask)(const struct more *m, json_t *words);
} menu_more_all[] = {
    {"Say something", "say", more_if_always, menu_more_say},
    {"Roll dice", "roll", more_if_turn, menu_more_roll},
    {"Draw from a cup", "roll", more_if_cups, menu_more_draw},
    {"Give a unit an upkeep order", "upkeep", more_if_upkeep, menu_more_upkeep},
    {"Change units by agreement", "adjust", more_if_units, menu_more_adjust},
    {"Offer a draw, a takeback ...", "offer", more_if_side, menu_more_offer},
    {"Give a ruling", "ruling", more_if_director, menu_more_ruling},
    {"Propose other rosters", "roster", more_if_muster, menu_more_roster},
    {"Take holidays", "holiday", more_if_clock, menu_more_holiday},
    {"Resign", "resign", more_if_side, more_nothing},
    {"Call the game off", "cancel", more_if_opener, more_nothing},
};

#define MENU_MORE_ALL (sizeof(menu_more_all) / sizeof(menu_more_all[0]))

int
menu_more_ask(const struct ask_io *io, struct play *pl, json_t **words)
{
	struct more m = {.io = io, .pl = pl};
	const char *labels[MENU_MORE_ALL];
	size_t at[MENU_MORE_ALL], i, n = 0, pick;
	json_t *view, *list;
	int r;

	view = xalloc_json(game_view(play_game(pl)));
	m.view = view;
	m.sys = systems_find(game_system(play_game(pl)));
	m.is_turn = tell_is_owed(pl, "turn");
	m.is_play = game_phase(play_game(pl)) == GAME_PLAY;
	m.side = pl->seat < 1 ? 0 : game_side_of(pl->seat);
	for (i = 0; i < MENU_MORE_ALL; i++) {
		if (!menu_more_all[i].is_for(&m))
			continue;
		labels[n] = menu_more_all[i].label;
		at[n++] = i;
	}
	list = xalloc_json(json_array());
	r = ask_choice(io, NULL, labels, n, -1, &pick);
	if (r == 0) {
		words_add(list, menu_more_all[at[pick]].verb);
		r = menu_more_all[at[pick]].ask(&m, list);
	}
	json_decref(view);
	if (r == 0)
		*words = list;
	else
		json_decref(list);
	return (r);
}

int
more_fill(const struct ask_io *io, json_t *words)
{
	static const struct {
		const char *word;
		const char *question;
	} holes[] = {
	    {"TEXT", "Why?"},
	    {"FILE", "Which file?"},
	};
	size_t i, j;
	char *s;
	int r;

	for (i = 1; i < json_array_size(words); i++) {
		for (j = 0; j < sizeof(holes) / sizeof(holes[0]); j++) {
			if (strcmp(words_get(words, i), holes[j].word) != 0)
				continue;
			if ((r = ask_text(io, holes[j].question,
				 RECORD_TEXT_MAX, false, &s)) != 0)
				return (r);
			if (json_array_set_new(words, i, xalloc_json_str(s)) !=
			    0)
				(void)xalloc_json(NULL);
			free(s);
		}
	}
	return (0);
}
