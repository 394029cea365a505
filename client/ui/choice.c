/* SPDX-License-Identifier: ISC */
/* Commands as choices: which words stand for which verb. */
#include "client/ui/choice.h"
#include "common/rules/systems/systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/words.h"
#include "client/base/xalloc.h"
#include "client/play/actions.h"
#include "client/play/answer_tell.h"
#include "client/play/kept.h"
#include "client/play/play.h"
#include "client/report/describe.h"
#include "client/report/report.h"
#include "common/game/game.h"
#include "common/rules/rules.h"

#define CHOICE_HERE "." /* the game's name in the commands of moves.h */
#define CHOICE_MINE "It is your move" /* sentences that stand out */

/* Verbs that stand alone, and their labels. */
static const struct {
	const char *verb;
	const char *label;
} choice_labels[] = {
    {"declare", "Declare a combat"},
    {"end-turn", "End the turn"},
    {"ready", "Say that you are ready"},
    {"open", "Open your secret choice"},
    {"claim", "Claim that their time is over"},
    {"join", "Take the free seat"},
};

/* Adds a choice; label and words are stolen. */
static void
choice_add(struct choices *c, char *label, json_t *words)
{
	struct choice *list;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (json_equal(c->list[i].words, words)) {
			free(label);
			json_decref(words);
			return;
		}
	}
	list = xalloc((c->n + 1) * sizeof(*list));
	if (c->n > 0)
		memcpy(list, c->list, c->n * sizeof(*list));
	list[c->n].label = label;
	list[c->n].words = words;
	free(c->list);
	c->list = list;
	c->n++;
}

/* The words after the first as one text with a capital; free(). */
static char *
choice_sentence(const json_t *words, const char *between)
{
	const char *verb = words_get(words, 1);
	json_t *rest;
	char *s, *text;
	size_t i;

	rest = xalloc_json(json_array());
	for (i = 2; i < json_array_size(words); i++)
		words_add(rest, words_get(words, i));
	text = words_join(rest);
	json_decref(rest);
	s = xalloc_printf("%s%s%s", verb, *text == '\0' ? "" : between, text);
	free(text);
	if (*s >= 'a' && *s <= 'z')
		*s = (char)(*s - 'a' + 'A');
	return (s);
}

/* "Accept line 14: a draw"; free(). */
static char *
choice_offer(struct story *st, const char *verb, const char *line)
{
	char *about, *s;

	about = describe_offer(st, strtoll(line, NULL, 10));
	s = xalloc_printf("%s line %s: %s",
	    strcmp(verb, "accept") == 0        ? "Accept"
		: strcmp(verb, "decline") == 0 ? "Decline"
					       : "Withdraw",
	    line, about);
	free(about);
	return (s);
}

/* What an answer means, else its words; free(). */
static char *
choice_answer(struct play *pl, const json_t *view, const json_t *asked,
    const json_t *words)
{
	json_t *rest = xalloc_copy(words);
	char *s;

	(void)json_array_remove(rest, 0); /* it is there */
	s = answer_tell(
	    systems_find(game_system(play_game(pl))), view, asked, rest);
	json_decref(rest);
	return (s != NULL ? s : choice_sentence(words, ": "));
}

/* True if the answers that are listed are all that there are. */
static bool
choice_is_whole(const json_t *asked)
{
	json_t *options = json_object_get(asked, "options"), *v;
	const char *name;

	if (json_object_size(options) != 1)
		return (false);
	json_object_foreach(options, name, v)
	{
		if (json_object_get(v, "one") == NULL)
			return (false);
	}
	return (true);
}

/* The label of a command; free(). */
static char *
choice_label(struct story *st, struct play *pl, const json_t *view,
    const json_t *asked, const json_t *words)
{
	const char *verb = words_get(words, 0);
	char *s, *rest;
	size_t i;

	for (i = 0; i < sizeof(choice_labels) / sizeof(choice_labels[0]); i++) {
		if (strcmp(verb, choice_labels[i].verb) == 0)
			return (xalloc_str(choice_labels[i].label));
	}
	if (strcmp(verb, "decide") == 0)
		return (choice_answer(pl, view, asked, words));
	if (strcmp(verb, "answer") == 0)
		return (choice_sentence(words, " "));
	if (strcmp(verb, "accept") == 0 || strcmp(verb, "decline") == 0 ||
	    strcmp(verb, "withdraw") == 0)
		return (choice_offer(st, verb, words_get(words, 1)));
	if (strcmp(verb, "close") == 0)
		return (xalloc_str(game_phase(play_game(pl)) == GAME_PLAY
			? "Agree to stop without a result"
			: "Sign the result and close the game"));
	if (strcmp(verb, "ruling") == 0) {
		rest = choice_sentence(words, " ");
		s = xalloc_printf("Rule: %s", rest);
		free(rest);
		return (s);
	}
	return (words_join(words));
}

/* The words of a command of moves.h, without "umpire" and the game; new. */
static json_t *
choice_words(const char *command)
{
	struct errinfo e;
	json_t *words;

	if (words_split(command, &words, &e) != 0)
		return (NULL);
	/* umpire VERB . WORD ... */
	if (strcmp(words_get(words, 2), CHOICE_HERE) == 0)
		(void)json_array_remove(words, 2); /* it is there */
	(void)json_array_remove(words, 0);
	return (words);
}

/* Takes what moves.h found. */
static void
choice_take(struct choices *c, struct play *pl, const json_t *view,
    const struct actions *m)
{
	struct story *st = story_new(pl->copy);
	const json_t *v;
	json_t *words;
	size_t i;

	json_array_foreach(m->commands, i, v)
	{
		if ((words = choice_words(json_string_value(v))) == NULL)
			continue;
		/* A file is asked for by whoever has none. */
		if (strcmp(words_get(words, 0), "declare") == 0)
			(void)json_array_remove(words, 1);
		choice_add(c, choice_label(st, pl, view, m->ask, words), words);
	}
	story_free(st);
	if (m->ask != NULL && !(m->has_answers && choice_is_whole(m->ask))) {
		words = xalloc_json(json_array());
		words_add(words, "decide");
		choice_add(c,
		    xalloc_str(
			m->has_answers ? "Answer otherwise ..." : "Answer ..."),
		    words);
	}
}

/* Puts an order that waits before all others: they have to wait for it. */
static void
choice_kept(struct choices *c, const struct play *pl)
{
	char *words;
	json_t *send;

	if ((words = kept_find(pl->copy)) == NULL)
		return;
	send = xalloc_json(json_array());
	words_add(send, "send");
	choice_add(c,
	    xalloc_printf(
		"Send the order again that waits for its answer, %s", words),
	    send);
	free(words);
}

void
choice_find(struct choices *c, struct play *pl)
{
	const struct game *g = play_game(pl);
	struct actions m;
	json_t *view, *words;

	memset(c, 0, sizeof(*c));
	view = xalloc_json(game_view(g));
	actions_find(&m, view, pl->seat, "", CHOICE_HERE);
	c->says = xalloc_copy(m.says);
	c->is_mine = m.is_mine || m.has_offer;
	c->is_secret = m.is_secret;
	c->is_over = game_phase(g) != GAME_MUSTER &&
	    game_phase(g) != GAME_PLAY && !m.is_mine;
	choice_kept(c, pl);
	choice_take(c, pl, view, &m);
	if (pl->seat >= 0 && !c->is_over) {
		words = xalloc_json(json_array());
		words_add(words, CHOICE_MORE);
		choice_add(c, xalloc_str("Something else ..."), words);
	}
	actions_clear(&m);
	json_decref(view);
}

void
choice_clear(struct choices *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		free(c->list[i].label);
		json_decref(c->list[i].words);
	}
	free(c->list);
	json_decref(c->says);
	memset(c, 0, sizeof(*c));
}

/* Prints whose turn it is. */
static void
choice_turn(struct play *pl)
{
	const struct game *g = play_game(pl);
	json_t *view;
	char *name;

	if (game_phase(g) != GAME_PLAY)
		return;
	view = xalloc_json(game_view(g));
	name = report_side(view, game_side(g));
	out_print(&pl->cx->out, "Turn %d, round %d: %s.\n", game_turn(g),
	    (game_turn(g) + 1) / 2, name);
	free(name);
	json_decref(view);
}

void
choice_tell(const struct choices *c, struct play *pl)
{
	struct out *o = &pl->cx->out;
	int width = snprintf(NULL, 0, "%zu", c->n);
	const char *s;
	const json_t *v;
	size_t i;

	choice_turn(pl);
	json_array_foreach(c->says, i, v)
	{
		s = json_string_value(v);
		if (strncmp(s, CHOICE_MINE, strlen(CHOICE_MINE)) == 0)
			out_title(o, "%s", s);
		else
			out_text(o, 0, 0, s);
	}
	out_print(o, "\n");
	for (i = 0; i < c->n; i++) {
		out_print(o, "  %*zu  ", width, i + 1);
		out_text(o, width + 4, width + 4, c->list[i].label);
	}
}

bool
choice_is_same(const struct choices *a, const struct choices *b)
{
	size_t i;

	if (a->n != b->n)
		return (false);
	for (i = 0; i < a->n; i++) {
		if (!json_equal(a->list[i].words, b->list[i].words))
			return (false);
	}
	return (true);
}
