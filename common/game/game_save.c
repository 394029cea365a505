/* SPDX-License-Identifier: ISC */
/*
 * A game's state as JSON and back: the snapshot that is kept beside the
 * record.  The settings are not saved but read again from the create order;
 * an open combat is its facts, rolls and decisions, run again.  What is
 * not there is not written, so that older snapshots read the same; the parts
 * that play by turns added are in game_keep.c.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/json/js_put.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

static const char *const game_hows[] = {"cancel", "resign", "stopped", "closed",
    "draw", "agreed", "forfeit", "ruling", NULL};

/* One seat.  Its join is of no use once a ready stands (S5.2). */
static void
game_save_seat(const struct game *g, int seat, struct buf *out)
{
	const struct game_seat *s = &g->seats[seat];

	js_put_open(out, NULL, '{');
	js_put_int(out, "seat", seat);
	js_put_hex(out, "key", s->key, SIGN_KEY_LEN);
	js_put_hex(out, "dice_key", s->dice_key, VRF_KEY_LEN);
	js_put_str(out, "account", s->account);
	js_put_int(out, "close", s->close_seq);
	if (s->is_ready)
		js_put_hex(out, "ready", s->ready_beta, VRF_BETA_LEN);
	if (g->phase == GAME_MUSTER && !g->has_ready && s->join_seq > 0)
		js_put_int(out, "join", s->join_seq);
	js_put_close(out, '}');
}

/* The seats that are taken. */
static void
game_save_seats(const struct game *g, struct buf *out)
{
	int i;

	js_put_open(out, "seats", '[');
	for (i = 0; i < GAME_SEATS; i++) {
		if (g->seats[i].is_joined)
			game_save_seat(g, i, out);
	}
	js_put_close(out, ']');
}

/* The counters of this turn's places. */
static void
game_save_counts(const struct game *g, struct buf *out)
{
	const struct game_count *c;
	size_t i;

	js_put_open(out, "counts", '[');
	for (i = 0; i < g->n_counts; i++) {
		c = &g->counts[i];
		js_put_open(out, NULL, '[');
		js_put_str(out, NULL, c->id);
		js_put_int(out, NULL, c->n);
		if (c->is_upkeep)
			js_put_bool(out, NULL, true);
		js_put_close(out, ']');
	}
	js_put_close(out, ']');
}

/* One side's commit of a secret question. */
static void
game_save_secret(
    const struct game *g, const struct game_secret *s, struct buf *out)
{
	js_put_open(out, NULL, '{');
	js_put_int(out, "seat", s->seat);
	js_put_int(out, "seq", s->seq);
	js_put_hex(out, "commit", s->commit, HASH_LEN);
	js_put_hex(out, "own", s->own_beta, VRF_BETA_LEN);
	if (s->state_before != g->combat.ask_seq)
		js_put_int(out, "before", s->state_before);
	if (g->set.is_sealed && s->is_open) {
		js_put_hex(out, "salt", s->salt, sizeof(s->salt));
		js_put_str(out, "text", s->text);
	}
	js_put_close(out, '}');
}

/*
 * The commits of a secret question.  What is held is not in it: a snapshot is
 * what the record's lines say.
 */
static void
game_save_secrets(const struct game *g, struct buf *out)
{
	const struct game_secret *s;
	int side;

	js_put_open(out, "secrets", '[');
	for (side = 1; side <= 2; side++) {
		s = &g->combat.secrets[side];
		if (s->is_committed)
			game_save_secret(g, s, out);
	}
	js_put_close(out, ']');
}

/* The open combat; null if there is none. */
static void
game_save_combat(const struct game *g, struct buf *out)
{
	const struct game_combat *c = &g->combat;
	json_t *rolls;

	if (!c->is_open) {
		js_put_null(out, "combat");
		return;
	}
	if (c->run == NULL || combat_rolls(c->run, 0, &rolls) != 0)
		rolls = NULL;
	js_put_open(out, "combat", '{');
	js_put_int(out, "declare", c->declare_seq);
	js_put_int(out, "side", c->side);
	js_put_str(out, "id", c->id);
	js_put_int(out, "k", c->k);
	js_put_int(out, "step", c->step);
	js_put_int(out, "ask", c->ask_seq);
	js_put_int(out, "ask_side", c->ask_side);
	js_put_int(out, "events", (int64_t)c->n_events);
	js_put_json(out, "facts", c->facts);
	js_put_json(out, "decisions", c->decisions);
	js_put_new(out, "rolls", rolls);
	if (c->is_secret)
		game_save_secrets(g, out);
	/* A question of the last state line was asked when that was written. */
	if (c->ask_at_ms > 0 && c->ask_seq != g->state_seq)
		js_put_int(out, "ask_at", c->ask_at_ms);
	js_put_close(out, '}');
}

int
game_save(const struct game *g, struct buf *out)
{
	if ((g->is_rules_off && !g->is_halted) || g->roster == NULL)
		return (ERR_FAULT);
	buf_putc(out, '{');
	js_put_int(out, "v", 1);
	js_put_str(out, "create", g->create_text);
	js_put_int(out, "seq", g->seq);
	js_put_int(out, "at_ms", g->at_ms);
	js_put_hex(out, "head", g->head, HASH_LEN);
	js_put_int(out, "state", g->state_seq);
	js_put_int(out, "phase", (int)g->phase);
	js_put_bool(out, "halted", g->is_halted);
	js_put_bool(out, "has_ready", g->has_ready);
	js_put_hex(out, "pool", g->pool, HASH_LEN);
	js_put_int(out, "epoch", g->epoch);
	js_put_int(out, "turn", g->turn);
	game_save_seats(g, out);
	game_save_counts(g, out);
	js_put_json(out, "roster", roster_value(g->roster));
	game_save_combat(g, out);
	js_put_int(out, "winner", g->winner);
	js_put_str(out, "how", g->how);
	if (g->commits != NULL)
		js_put_json(out, "commits", g->commits);
	game_keep_write(g, out);
	buf_putc(out, '}');
	return (buf_error(out));
}

/* Reads the create order's text back. */
static int
game_load_create(struct game *g, const char *text, struct errinfo *e)
{
	int r;

	if ((g->create_text = strdup(text)) == NULL)
		return (ERR_NOMEM);
	r = order_parse(g->create_text, strlen(text), &g->create, e);
	if (r == 0)
		r = order_create_parse(&g->create, &g->set, e);
	return (r);
}

/* Reads the seats back. */
static int
game_load_seats(struct game *g, const json_t *list, struct errinfo *e)
{
	struct game_seat *s;
	const char *account;
	const json_t *v;
	int64_t seat;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		r = js_get_int(v, "seat", NULL, 0, GAME_SEATS - 1, &seat, e);
		if (r != 0)
			return (r);
		s = &g->seats[seat];
		s->is_joined = true;
		if ((r = js_get_hex(v, "key", NULL, s->key, SIGN_KEY_LEN, e)) !=
			0 ||
		    (r = js_get_hex(v, "dice_key", NULL, s->dice_key,
			 VRF_KEY_LEN, e)) != 0 ||
		    (r = js_get_str(v, "account", NULL, &account, e)) != 0 ||
		    (r = js_get_int(v, "close", NULL, -1, JS_INT_MAX,
			 &s->close_seq, e)) != 0 ||
		    (r = js_opt_hex(v, "ready", NULL, s->ready_beta,
			 VRF_BETA_LEN, &s->is_ready, e)) != 0 ||
		    (r = js_opt_int(
			 v, "join", NULL, 0, g->seq, &s->join_seq, e)) != 0)
			return (r);
		if (!order_is_account(account))
			return (err_set(e, ERR_INVALID, "account", "bad"));
		memcpy(s->account, account, strlen(account) + 1);
	}
	return (0);
}

/* Reads the counters back. */
static int
game_load_counts(struct game *g, const json_t *list, struct errinfo *e)
{
	const json_t *v;
	const char *id;
	json_int_t n;
	bool is_upkeep;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		id = json_string_value(json_array_get(v, 0));
		n = json_integer_value(json_array_get(v, 1));
		if (id == NULL || !js_is_id(id) || n < 1)
			return (err_set(e, ERR_INVALID, "counts", "bad"));
		is_upkeep = json_is_true(json_array_get(v, 2));
		if ((r = game_place_count(g, id, is_upkeep)) != 0)
			return (r);
		g->counts[g->n_counts - 1].n = (int)n;
	}
	return (0);
}

/* Reads the commits of a secret question back. */
static int
game_load_secrets(struct game *g, const json_t *list, struct errinfo *e)
{
	struct game_secret *s;
	const char *text;
	const json_t *v;
	int64_t seat;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		text = NULL;
		if ((r = js_get_int(
			 v, "seat", NULL, 1, GAME_SEATS - 1, &seat, e)) != 0)
			return (r);
		s = &g->combat.secrets[game_side_of((int)seat)];
		s->seat = (int)seat;
		s->is_committed = true;
		s->state_before = g->combat.ask_seq;
		if ((r = js_get_int(
			 v, "seq", NULL, 0, JS_INT_MAX, &s->seq, e)) != 0 ||
		    (r = js_opt_int(v, "before", NULL, 0, JS_INT_MAX,
			 &s->state_before, e)) != 0 ||
		    (r = js_get_hex(
			 v, "commit", NULL, s->commit, HASH_LEN, e)) != 0 ||
		    (r = js_get_hex(
			 v, "own", NULL, s->own_beta, VRF_BETA_LEN, e)) != 0 ||
		    (r = js_opt_hex(v, "salt", NULL, s->salt, sizeof(s->salt),
			 &s->is_open, e)) != 0 ||
		    (r = js_opt_str(v, "text", NULL, &text, e)) != 0)
			return (r);
		if (s->is_open != (text != NULL) ||
		    (text != NULL && strlen(text) > GAME_HELD_MAX))
			return (err_set(e, ERR_INVALID, "secrets", "bad"));
		if (text != NULL)
			memcpy(s->text, text, strlen(text) + 1);
	}
	return (0);
}

/* An order that waits for an answer must be one of the combat that is open. */
static int
game_load_check_owed(const struct game *g, struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	const struct game_owed *w = &g->owed;

	if (!w->is_owed)
		return (0);
	if (w->args != NULL ? c->is_open
			    : !c->is_open ||
		    w->n_decisions > json_array_size(c->decisions) ||
		    w->n_events > c->n_events)
		return (err_set(e, ERR_INVALID, "owed", "bad"));
	return (0);
}

/* Reads the open combat back. */
static int
game_load_combat(struct game *g, const json_t *saved, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	const json_t *facts, *decisions, *rolls, *secrets = NULL;
	int64_t side, k, step, ask_side, n;
	const char *id;
	int r;

	if (json_is_null(saved))
		return (game_load_check_owed(g, e));
	if ((r = js_get_int(saved, "declare", NULL, 0, JS_INT_MAX,
		 &c->declare_seq, e)) != 0 ||
	    (r = js_get_int(saved, "side", NULL, 1, 2, &side, e)) != 0 ||
	    (r = js_get_str(saved, "id", NULL, &id, e)) != 0 ||
	    (r = js_get_int(saved, "k", NULL, 1, INT32_MAX, &k, e)) != 0 ||
	    (r = js_get_int(saved, "step", NULL, 1, INT32_MAX, &step, e)) !=
		0 ||
	    (r = js_get_int(
		 saved, "ask", NULL, -1, JS_INT_MAX, &c->ask_seq, e)) != 0 ||
	    (r = js_get_int(saved, "ask_side", NULL, 0, 2, &ask_side, e)) !=
		0 ||
	    (r = js_opt_int(saved, "ask_at", NULL, 0, JS_INT_MAX, &c->ask_at_ms,
		 e)) != 0 ||
	    (r = js_opt_array(saved, "secrets", NULL, &secrets, e)) != 0 ||
	    (r = game_load_secrets(g, secrets, e)) != 0 ||
	    (r = js_get_int(saved, "events", NULL, 0, JS_INT_MAX, &n, e)) !=
		0 ||
	    (r = js_get_object(saved, "facts", NULL, &facts, e)) != 0 ||
	    (r = js_get_array(saved, "decisions", NULL, &decisions, e)) != 0 ||
	    (r = js_get_array(saved, "rolls", NULL, &rolls, e)) != 0)
		return (r);
	if (!js_is_id(id))
		return (err_set(e, ERR_INVALID, "combat.id", "bad"));
	memcpy(c->id, id, strlen(id) + 1);
	c->is_open = true;
	c->side = (int)side;
	c->k = (int)k;
	c->step = (int)step;
	c->ask_side = (int)ask_side;
	c->n_events = (size_t)n;
	c->is_secret = secrets != NULL;
	c->facts = json_deep_copy(facts);
	c->decisions = json_deep_copy(decisions);
	if (c->facts == NULL || c->decisions == NULL)
		return (ERR_NOMEM);
	if (c->ask_seq >= 0 && c->ask_seq == g->state_seq && g->state_at_ms > 0)
		c->ask_at_ms = g->state_at_ms;
	if ((r = game_load_check_owed(g, e)) != 0)
		return (r);
	return (game_play_rebuild(g, rolls, e));
}

/* Reads the plain members back. */
static int
game_load_plain(struct game *g, const json_t *v, struct errinfo *e)
{
	int64_t phase, epoch, turn, winner;
	int r, how = -1;

	if ((r = js_get_int(v, "seq", NULL, 0, JS_INT_MAX, &g->seq, e)) != 0 ||
	    (r = js_get_int(v, "at_ms", NULL, 0, JS_INT_MAX, &g->at_ms, e)) !=
		0 ||
	    (r = js_get_hex(v, "head", NULL, g->head, HASH_LEN, e)) != 0 ||
	    (r = js_get_int(
		 v, "state", NULL, 0, JS_INT_MAX, &g->state_seq, e)) != 0 ||
	    (r = js_get_int(v, "phase", NULL, 0, GAME_HALTED, &phase, e)) !=
		0 ||
	    (r = js_get_bool(v, "halted", NULL, &g->is_halted, e)) != 0 ||
	    (r = js_get_bool(v, "has_ready", NULL, &g->has_ready, e)) != 0 ||
	    (r = js_get_hex(v, "pool", NULL, g->pool, HASH_LEN, e)) != 0 ||
	    (r = js_get_int(v, "epoch", NULL, 0, INT32_MAX, &epoch, e)) != 0 ||
	    (r = js_get_int(v, "turn", NULL, 0, INT32_MAX, &turn, e)) != 0 ||
	    (r = js_get_int(v, "winner", NULL, 0, 2, &winner, e)) != 0)
		return (r);
	if (!json_is_null(json_object_get(v, "how"))) {
		r = js_get_enum(v, "how", NULL, game_hows, &how, e);
		if (r != 0)
			return (r);
		g->how = game_hows[how];
	}
	g->now_ms = g->at_ms;
	g->phase = (enum game_phase)phase;
	g->epoch = (int)epoch;
	g->turn = (int)turn;
	g->winner = (int)winner;
	return (0);
}

/* Reads a whole snapshot into a game that was just made. */
static int
game_load_all(struct game *g, const json_t *v, const struct game_blobs *blobs,
    struct errinfo *e)
{
	const json_t *seats, *counts, *commits = NULL, *roster, *combat;
	struct errinfo why;
	const char *text;
	int r;

	if ((r = js_get_str(v, "create", NULL, &text, e)) != 0 ||
	    (r = game_load_create(g, text, e)) != 0 ||
	    (r = game_open_rules(g, blobs, false, e)) != 0 ||
	    (r = game_load_plain(g, v, e)) != 0 ||
	    (r = js_get_array(v, "seats", NULL, &seats, e)) != 0 ||
	    (r = game_load_seats(g, seats, e)) != 0 ||
	    (r = js_get_array(v, "counts", NULL, &counts, e)) != 0 ||
	    (r = game_load_counts(g, counts, e)) != 0 ||
	    (r = js_opt_object(v, "commits", NULL, &commits, e)) != 0 ||
	    (r = js_get_object(v, "roster", NULL, &roster, e)) != 0 ||
	    (r = roster_restore(g->sys, roster, &g->roster, e)) != 0)
		return (r);
	if (commits != NULL && (g->commits = json_deep_copy(commits)) == NULL)
		return (ERR_NOMEM);
	if ((r = game_keep_load(g, v, e)) != 0)
		return (r);
	combat = json_object_get(v, "combat");
	if (combat == NULL)
		return (err_set(e, ERR_INVALID, "combat", "missing"));
	if (g->is_halted) {
		(void)err_set(&why, ERR_NEWER, "",
		    "the rules code failed, which halted the game");
		game_uncheckable(g, ERR_NEWER, &why);
	}
	return (game_load_combat(g, combat, e));
}

int
game_load(const char *bytes, size_t len, const struct game_blobs *blobs,
    struct game **out, struct errinfo *e)
{
	struct game *g;
	json_t *v;
	int i, r;

	if ((r = js_load(bytes, len, JS_DEPTH_RPC, &v, e)) != 0)
		return (r);
	if ((g = calloc(1, sizeof(*g))) == NULL) {
		json_decref(v);
		return (ERR_NOMEM);
	}
	g->combat.ask_seq = -1;
	g->clock.claim_seq = -1;
	g->clock.sides[1].since = g->clock.sides[2].since = -1;
	g->blobs = *blobs;
	for (i = 0; i < GAME_SEATS; i++)
		g->seats[i].close_seq = -1;
	r = game_load_all(g, v, blobs, e);
	json_decref(v);
	if (r != 0) {
		game_free(g);
		return (r);
	}
	*out = g;
	return (0);
}
