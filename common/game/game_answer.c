/* SPDX-License-Identifier: ISC */
/*
 * The order answer (record S5, S6.3): the other side agrees, and what waited
 * goes on, with dice of both in live-1; or it objects, and what waited is void.
 */
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_play.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/rules/combat.h"

/*
 * Whether dice fall if the answer agrees.  Where a question or a fact comes
 * first they do not by its proof: in live-1 the roll waits for another answer,
 * and with a witness for its answer.
 */
static int
game_answer_owed_rolls(const struct game *g)
{
	if (g->owed.is_witness)
		return (1);
	if (!game_sides_answer(g) || g->owed.is_facts)
		return (0);
	if (!game_is_combat(g->owed.kind))
		return (1);
	if (g->is_rules_off || g->combat.run == NULL)
		return (ERR_MISSING);
	return (combat_status(g->combat.run) == COMBAT_ROLLING);
}

int
game_answer_rolls(const struct game *g)
{
	return (g->owed.is_owed ? game_answer_owed_rolls(g) : ERR_STALE);
}

/*
 * S3, S6.3: place and other stand together, in an answer of live-1 that
 * agrees and lets dice fall, and only there.
 */
static int
game_answer_proof(const struct game *g, const struct order *o, bool agrees,
    uint8_t beta[VRF_BETA_LEN], struct errinfo *e)
{
	int r;

	if (o->has_other != (o->place != NULL) ||
	    (o->has_other && (!agrees || !g->set.is_live)))
		return (err_set(e, ERR_ILLEGAL, "order.other",
		    "place and proof go together, in an answer of \"live-1\" "
		    "that agrees"));
	r = agrees ? game_answer_owed_rolls(g) : 0;
	if (r < 0 && r != ERR_MISSING)
		return (r);
	if (r >= 0 && o->has_other != (r == 1))
		return (err_set(e, ERR_ILLEGAL, "order.other",
		    r == 1 ? "dice fall upon this answer: it carries place and "
			     "proof"
			   : "no dice fall upon this answer: it carries no "
			     "proof"));
	if (!o->has_other)
		return (0);
	if (strcmp(o->place, g->owed.place) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.place",
		    "the line that waits has the place \"%s\"", g->owed.place));
	r = game_dice_check(g, o, GAME_DICE_OTHER, o->place, o->other, beta);
	if (r == ERR_PROOF)
		r = err_set(e, ERR_ILLEGAL, "order.other",
		    "the proof does not hold for this place and dice key");
	return (r);
}

/* Reads answer's args and checks that this is the line that waits. */
static int
game_answer_args(const struct game *g, const struct order *o, bool *agrees,
    struct errinfo *e)
{
	static const char *const says[] = {"agree", "object", NULL};
	uint8_t why[HASH_LEN];
	bool has_why;
	int64_t to;
	int say, r;

	if ((r = js_get_int(
		 o->args, "to", &order_at_args, 0, JS_INT_MAX, &to, e)) != 0 ||
	    (r = js_get_enum(o->args, "say", &order_at_args, says, &say, e)) !=
		0 ||
	    (r = js_opt_hex(o->args, "why", &order_at_args, why, sizeof(why),
		 &has_why, e)) != 0)
		return (game_illegal(r));
	if (!g->owed.is_owed || to != g->owed.seq || o->seat != g->owed.seat)
		return (err_set(e, ERR_STALE, "order.args.to",
		    "no answer to this line is awaited from this seat"));
	if (say == 0 && has_why)
		return (err_set(e, ERR_ILLEGAL, "order.args.why",
		    "only an objection says why"));
	*agrees = say == 0;
	if (!*agrees && g->owed.is_final)
		return (err_set(e, ERR_ILLEGAL, "order.args.say",
		    "nothing is left to agree: answer \"agree\""));
	return (0);
}

/* The other side has agreed: what waited goes on. */
static int
game_answer_agree(struct game *g, const struct game_line *l,
    const struct game_owed *w, const uint8_t *other_beta)
{
	struct game_go go = {.kind = w->kind,
	    .by = w->by,
	    .place = w->place,
	    .other_beta = other_beta,
	    .is_answer = true,
	    .answerer = w->is_facts ? 3 - game_side_of(w->by) : w->seat,
	    .is_final = true, /* what is agreed is not objected to again */
	    .l = l};

	memcpy(go.own_beta, w->own_beta, VRF_BETA_LEN);
	if (w->kind == ORDER_UPKEEP)
		return (game_upkeep_go(g, &go, w->args));
	if (w->kind == ORDER_FREE)
		return (game_roll_go(g, &go, w->args));
	return (game_go_on(g, &go));
}

/* Takes what waits for an answer out of the game; w->args is owned. */
static void
game_answer_take(struct game *g, const struct game_line *l, enum game_fate fate,
    struct game_owed *w)
{
	*w = g->owed;
	w->args = json_incref(w->args);
	l->fx->entry.to = w->seq;
	l->fx->entry.to_fate = fate;
	if (!game_is_combat(w->kind))
		l->fx->entry.combat = -1;
	game_owed_clear(g);
}

int
game_answer_agreed(
    struct game *g, const struct game_line *l, const uint8_t *other_beta)
{
	struct game_owed w;
	int r;

	game_answer_take(g, l, GAME_FATE_AGREED, &w);
	r = game_answer_agree(g, l, &w, other_beta);
	json_decref(w.args);
	return (r);
}

/* What waited is void, and its place unused: w was taken out. */
static int
game_answer_end(struct game *g, const struct game_owed *w)
{
	struct game_combat *c = &g->combat;

	game_state_line(g);
	if (!game_is_combat(w->kind) || w->kind == ORDER_DECLARE)
		game_undo_void(g, w->seq);
	if (w->kind == ORDER_DECLARE) {
		game_end_combat(g);
	} else if (game_is_combat(w->kind)) {
		c->ask_seq = w->ask_seq;
		c->ask_side = w->ask_side;
		c->n_events = w->n_events;
		if (!g->is_rules_off)
			return (game_play_undecide(g, w->n_decisions));
	}
	return (0);
}

int
game_answer_void(struct game *g)
{
	struct game_owed w = g->owed;

	game_owed_clear(g);
	w.args = NULL;
	return (game_answer_end(g, &w));
}

int
game_answer(struct game *g, const struct game_line *l)
{
	uint8_t other[VRF_BETA_LEN];
	struct game_owed w;
	bool agrees = false;
	int r;

	if ((r = game_answer_args(g, l->o, &agrees, l->e)) != 0)
		return (r);
	if ((r = game_answer_proof(g, l->o, agrees, other, l->e)) != 0)
		return (r);
	if (agrees)
		return (
		    game_answer_agreed(g, l, l->o->has_other ? other : NULL));
	game_answer_take(g, l, GAME_FATE_OBJECTED, &w);
	json_decref(w.args);
	if ((r = game_fact_objected(g, &w, l->o->seat)) != 0)
		return (r);
	return (game_answer_end(g, &w));
}
