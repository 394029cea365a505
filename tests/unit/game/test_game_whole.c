/* SPDX-License-Identifier: ISC */
/*
 * Whole games of all systems, played by chance in every scheme: orders that
 * wait and are agreed or objected to, standing orders that come and go.
 * Each game is saved and read back at every line, and its record verifies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/chance.h"
#include "tests/lib/table.h"

#define WHOLE_FILE_MAX 65536
#define WHOLE_LINES 50 /* a game is ended then */
#define WHOLE_GAMES 1 /* of each system with each setting */
#define WHOLE_GAMES_LONG 3

/* A game and its chance. */
struct whole {
	struct table t;
	const struct rules_system *sys;
	uint64_t seed;
	char *declare; /* owned */
	int waited, objected, acted; /* what has happened */
};

/* A number from 0 to n - 1. */
static unsigned
whole_pick(struct whole *w, unsigned n)
{
	return (chance_pick_cb(&w->seed, n));
}

/* The bytes of a sample of the system as compact JSON; free() frees it. */
static char *
whole_read(const struct rules_system *sys, const char *what)
{
	char path[512], *text;
	struct buf b;
	json_t *v;
	size_t n;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/etc/samples/%s-%s.json",
	    TOP_SRCDIR, sys->id, what);
	if ((f = fopen(path, "rb")) == NULL)
		fail_msg("%s: cannot be opened", path);
	assert_non_null(text = malloc(WHOLE_FILE_MAX));
	n = fread(text, 1, WHOLE_FILE_MAX - 1, f);
	text[n] = '\0';
	assert_int_equal(fclose(f), 0);
	v = table_json(text);
	free(text);
	buf_init(&b, 0);
	js_dump(v, &b);
	json_decref(v);
	text = strdup(buf_str(&b));
	assert_non_null(text);
	buf_clear(&b);
	return (text);
}

/* Opens a game with these settings. */
static void
whole_begin(struct whole *w, const struct rules_system *sys, const char *set)
{
	char more[256], *roster;

	w->sys = sys;
	w->waited = w->objected = w->acted = 0;
	w->declare = whole_read(sys, "evening-declare");
	roster = whole_read(sys, "evening");
	(void)snprintf(more, sizeof(more), "{'system':'%s','rules':'%s'%s}",
	    sys->id, sys->version, set);
	table_begun_with(&w->t, roster, more);
	free(roster);
}

/* After a line: the game is saved and read back. */
static void
whole_line(struct whole *w, int r)
{
	struct table *t = &w->t;

	if (r != 0)
		fail_msg("%s: %d %s: %s in %s", w->sys->id, r, t->e.where,
		    t->e.text, buf_str(&t->text));
	w->waited += t->fx.owes != NULL;
	if (game_phase(t->game) == GAME_PLAY)
		w->acted += (int)json_array_size(t->fx.opened_standing);
	table_reload(t);
}

/* Some seat says beforehand what it will do, or takes that back. */
static void
whole_stand(struct whole *w)
{
	const struct rules_policy *p = w->sys->policies;
	const struct game_standing *s;
	unsigned n = 0, words = 0;
	char text[128];

	if (w->t.game->n_standings > 0 && whole_pick(w, 3) == 0) {
		s = &w->t.game->standings[whole_pick(
		    w, (unsigned)w->t.game->n_standings)];
		if (s->is_withdrawn)
			return;
		whole_line(w,
		    table_try(&w->t, s->seat, ORDER_NOTE,
			json_pack("{s:I, s:s}", "to", (json_int_t)s->seq, "say",
			    "withdraw")));
		return;
	}
	while (p[n].kind != NULL)
		n++;
	p += whole_pick(w, n);
	if (rules_is_secret(w->sys, p->kind) ||
	    game_fact_is(w->t.game, p->kind))
		return;
	while (p->words[words] != NULL)
		words++;
	(void)snprintf(text, sizeof(text), "{'kind':'%s','do':'%s'}", p->kind,
	    p->words[whole_pick(w, words)]);
	whole_line(w, table_stand(&w->t, 1 + (int)whole_pick(w, 2), text));
}

/* Answers the line that waits. */
static void
whole_answer(struct whole *w)
{
	const struct game_owed *o = &w->t.game->owed;
	bool objects = !o->is_final && whole_pick(w, 4) == 0;

	w->objected += objects;
	whole_line(w,
	    table_try(&w->t, o->seat, ORDER_ANSWER,
		json_pack("{s:I, s:s}", "to", (json_int_t)o->seq, "say",
		    objects ? "object" : "agree")));
}

/* One side commits its card. */
static void
whole_commit(struct whole *w)
{
	const struct game_combat *c = &w->t.game->combat;
	int side = c->secrets[1].is_committed ? 2
	    : c->secrets[2].is_committed      ? 1
					      : 1 + (int)whole_pick(w, 2);
	uint8_t salt[RECORD_SALT_LEN] = {0}, h[HASH_LEN];
	char text[80];
	json_t *open;

	salt[0] = (uint8_t)w->t.n_lines;
	(void)snprintf(text, sizeof(text),
	    "{\"kind\":\"tactic\",\"tactic\":\"%s\"}",
	    side == c->side ? "hasty-attack" : "hold");
	assert_int_equal(record_secret(h, game_id(w->t.game), side, c->ask_seq,
			     salt, text, strlen(text)),
	    0);
	open = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text", text);
	w->t.open = open;
	whole_line(w,
	    table_try(&w->t, side, ORDER_COMMIT,
		json_pack("{s:I, s:o}", "ask", (json_int_t)c->ask_seq, "commit",
		    js_hex(h, HASH_LEN))));
	w->t.open = NULL;
	json_decref(open);
}

/* Answers the open question by chance. */
static void
whole_decide(struct whole *w)
{
	const struct question_pick pick = {chance_pick_cb, &w->seed};
	const struct game_combat *c = &w->t.game->combat;
	json_t *decision;

	assert_int_equal(combat_sample(c->run, &pick, &decision), 0);
	whole_line(w,
	    table_try(&w->t, c->ask_side, ORDER_DECIDE,
		json_pack("{s:I, s:o}", "ask", (json_int_t)c->ask_seq,
		    "decision", decision)));
}

/* The side in turn attacks if the sample's units can, or ends its turn. */
static void
whole_turn(struct whole *w)
{
	struct table *t = &w->t;

	if (game_side(t->game) == 1 && whole_pick(w, 4) > 0 &&
	    table_try(t, 1, ORDER_DECLARE, table_json(w->declare)) == 0) {
		whole_line(w, 0);
		return;
	}
	whole_line(w,
	    table_try(t, game_side(t->game), ORDER_TURN_END, table_json("{}")));
}

/* Plays a game and verifies it. */
static void
whole_play(struct whole *w)
{
	struct table *t = &w->t;
	const struct game_combat *c;

	while (t->n_lines < WHOLE_LINES) {
		c = &t->game->combat;
		if (whole_pick(w, 4) == 0)
			whole_stand(w);
		else if (t->game->owed.is_owed)
			whole_answer(w);
		else if (c->is_open && c->is_secret)
			whole_commit(w);
		else if (c->is_open)
			whole_decide(w);
		else
			whole_turn(w);
	}
	whole_line(w, table_try(t, 1, ORDER_RESIGN, table_json("{}")));
	whole_line(w, table_try(t, 1, ORDER_CLOSE, table_json("{}")));
	whole_line(w, table_try(t, 2, ORDER_CLOSE, table_json("{}")));
	assert_int_equal(t->n_standing, 0);
	table_verify(t);
	free(w->declare);
	table_clear(t);
}

static void
games_of_all_systems_verify(void **state)
{
	static const char *const settings[] = {"", ",'confirm':true",
	    ",'scheme':'live-1'", ",'scheme':'live-1','confirm':true",
	    ",'confirm':'facts'", ",'scheme':'live-1','confirm':'facts'"};
	const struct rules_system *const *sys;
	const bool is_slow = getenv("UMPIRE_SLOW") != NULL;
	int acted = 0, game, games, objected = 0, waited = 0;
	struct whole w;
	size_t i;

	(void)state;
	games = getenv("UMPIRE_LONG") != NULL ? WHOLE_GAMES_LONG : WHOLE_GAMES;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
			/* One in four of a system, by turns. */
			if (is_slow &&
			    (i + (size_t)(sys - systems_all())) % 4 != 0)
				continue;
			for (game = 0; game < games; game++) {
				w.seed = 100 * i + (uint64_t)game;
				whole_begin(&w, *sys, settings[i]);
				whole_play(&w);
				if (i == 0)
					assert_int_equal(w.waited, 0);
				waited += w.waited;
				objected += w.objected;
				acted += w.acted;
			}
		}
	}
	print_message("# %d lines waited, %d objections, %d orders opened\n",
	    waited, objected, acted);
	assert_true(waited > 0 && objected > 0 && acted > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(games_of_all_systems_verify),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
