/* SPDX-License-Identifier: ISC */
#include "client/play/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/decision_text.h"
#include "client/play/pending.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/rules/systems/systems.h"

/* What is said of those that need no more words, by enum action_kind. */
static const char *const menu_labels[] = {
    [ACTION_DECLARE] = "Declare a combat",
    [ACTION_END_TURN] = "End the turn",
    [ACTION_OPEN] = "Open your secret choice",
    [ACTION_AGREE] = "Agree",
    [ACTION_OBJECT] = "Object",
    [ACTION_READY] = "Say that you are ready",
    [ACTION_CLOSE] = "Sign the result and close the game",
    [ACTION_JOIN] = "Take the free seat",
    [ACTION_JOIN_DIRECTOR] = "Take the free seat",
    [ACTION_FORFEIT] = "Rule: Forfeit --why TEXT",
    [ACTION_EXTEND] = "Rule: Extend 1d --why TEXT",
    [ACTION_MORE] = "Something else ...",
};

/* True if the answers that are listed are all that there are. */
static bool
menu_is_whole(const json_t *asked)
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

/* What an answer means, else its words with a capital; free(). */
static char *
menu_answer(struct play *pl, const json_t *asked, const struct action *a)
{
	const struct game *g = play_game(pl);
	size_t kind;
	char *s;

	s = decision_text(
	    systems_find(game_system(g)), game_roster(g), asked, a->args);
	if (s != NULL)
		return (s);
	kind = strcspn(a->answer, " ");
	s = xalloc_printf("%.*s%s%s", (int)kind, a->answer,
	    a->answer[kind] == '\0' ? "" : ":", a->answer + kind);
	if (*s >= 'a' && *s <= 'z')
		*s = (char)(*s - 'a' + 'A');
	return (s);
}

/* The label of an action; free(). */
static char *
menu_label(const struct menu *m, struct play *pl, const struct action *a,
    const struct menu *old)
{
	const struct actions *was = &old->actions;
	char *about, *s;
	size_t i;

	switch (a->kind) {
	case ACTION_DECIDE:
		if (a->args != NULL)
			return (menu_answer(pl, m->actions.ask, a));
		return (
		    xalloc_str(m->actions.has_answers ? "Answer otherwise ..."
						      : "Answer ..."));
	case ACTION_ACCEPT:
	case ACTION_DECLINE:
	case ACTION_WITHDRAW:
		for (i = 0; i < was->n; i++) {
			if (action_is_same(&was->list[i], a))
				return (xalloc_str(old->labels[i]));
		}
		about = describe_offer(replica_battle(pl->copy), a->seq);
		s = xalloc_printf("%s line %lld: %s",
		    a->kind == ACTION_ACCEPT        ? "Accept"
			: a->kind == ACTION_DECLINE ? "Decline"
						    : "Withdraw",
		    (long long)a->seq, about);
		free(about);
		return (s);
	case ACTION_SEND:
		about = pending_find(pl->copy);
		s = xalloc_printf(
		    "Send again the order that waits for its answer, %s",
		    about == NULL ? "" : about);
		free(about);
		return (s);
	case ACTION_CLOSE:
		if (game_phase(play_game(pl)) == GAME_PLAY)
			return (xalloc_str("Agree to stop without a result"));
		break;
	case ACTION_CLAIM:
		return (xalloc_str(
		    actions_claim(play_game(pl), game_side_of(pl->seat))));
	default:
		break;
	}
	return (xalloc_str(menu_labels[a->kind]));
}

void
menu_find(struct menu *m, struct play *pl, const struct menu *old)
{
	const enum game_phase phase = game_phase(play_game(pl));
	struct actions *a = &m->actions;
	struct action send;
	size_t i;

	memset(m, 0, sizeof(*m));
	actions_find(a, play_game(pl), replica_battle(pl->copy), pl->seat);
	m->is_over = phase != GAME_MUSTER && phase != GAME_PLAY && !a->is_mine;
	if (a->ask != NULL && !(a->has_answers && menu_is_whole(a->ask)))
		actions_add(a, ACTION_DECIDE, game_question_seq(play_game(pl)),
		    NULL, NULL);
	/* An order that waits holds up all others. */
	if (pending_is_there(pl->copy)) {
		actions_add(a, ACTION_SEND, -1, NULL, NULL);
		send = a->list[a->n - 1];
		memmove(a->list + 1, a->list, (a->n - 1) * sizeof(*a->list));
		a->list[0] = send;
	}
	if (pl->seat >= 0 && !m->is_over)
		actions_add(a, ACTION_MORE, -1, NULL, NULL);
	m->labels = xalloc((a->n + 1) * sizeof(*m->labels));
	for (i = 0; i < a->n; i++)
		m->labels[i] = menu_label(m, pl, &a->list[i], old);
}

void
menu_clear(struct menu *m)
{
	size_t i;

	for (i = 0; i < m->actions.n; i++)
		free(m->labels[i]);
	free(m->labels);
	actions_clear(&m->actions);
	memset(m, 0, sizeof(*m));
}

void
menu_show(const struct menu *m, struct play *pl)
{
	const int width = snprintf(NULL, 0, "%zu", m->actions.n);
	const struct game *g = play_game(pl);
	struct out *o = &pl->cx->out;
	char *name;
	size_t i;

	if (game_phase(g) == GAME_PLAY) {
		name = battle_side(g, game_side(g));
		out_print(o, "Turn %d, round %d: %s.\n", game_turn(g),
		    game_round(g), name);
		free(name);
	}
	show_says(o, &m->actions);
	out_print(o, "\n");
	for (i = 0; i < m->actions.n; i++) {
		out_print(o, "  %*zu  ", width, i + 1);
		out_text(o, width + 4, width + 4, m->labels[i]);
	}
}

bool
menu_is_same(const struct menu *a, const struct menu *b)
{
	const struct actions *x = &a->actions, *y = &b->actions;
	size_t i;

	if (x->n != y->n || x->n_says != y->n_says)
		return (false);
	for (i = 0; i < x->n; i++) {
		if (!action_is_same(&x->list[i], &y->list[i]))
			return (false);
	}
	for (i = 0; i < x->n_says; i++) {
		if (strcmp(x->says[i].text, y->says[i].text) != 0)
			return (false);
	}
	return (true);
}
