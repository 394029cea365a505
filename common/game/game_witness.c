/* SPDX-License-Identifier: ISC */
/* The witness: what it gives, its silence, its notes (record S6.9). */
#include "common/game/game_witness.h"

#include <string.h>

#include "common/game/game_int.h"
#include "common/json/field.h"
#include "common/json/js.h"
#include "common/json/js_put.h"

static const struct field game_witness_fields[] = {
    FIELD(game_witness, is_out, "out", FIELD_BOOL, .may = true),
    FIELD(game_witness, lines, "lines", FIELD_ARRAY, .may = true),
    FIELD(game_witness, silences, "silences", FIELD_ARRAY, .may = true),
    FIELD(game_witness, answered, "answered", FIELD_ARRAY, .may = true),
    FIELD_END,
};

void
game_witness_clear(struct game *g)
{
	json_decref(g->witness.lines);
	json_decref(g->witness.silences);
	json_decref(g->witness.answered);
	memset(&g->witness, 0, sizeof(g->witness));
}

/* True for a list of lines up to seq, ascending. */
static bool
game_witness_is_list(const json_t *list, int64_t seq)
{
	int64_t last = -1, n;
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		n = json_integer_value(v);
		if (!json_is_integer(v) || n <= last || n > seq)
			return (false);
		last = n;
	}
	return (true);
}

void
game_witness_save(const struct game *g, struct buf *out)
{
	if (!g->set.has_witness)
		return;
	js_put_open(out, "witness", '{');
	field_write(game_witness_fields, &g->witness, out);
	js_put_close(out, '}');
}

int
game_witness_load(struct game *g, const json_t *v, struct errinfo *e)
{
	struct game_witness *w = &g->witness;
	const json_t *one = NULL;
	int r;

	if ((r = js_opt_object(v, "witness", NULL, &one, e)) != 0)
		return (r);
	if ((one != NULL) != g->set.has_witness)
		return (err_set(e, ERR_INVALID, "witness", "bad"));
	if (one == NULL)
		return (0);
	r = field_read(game_witness_fields, one, g->seq, w, e);
	if (r == 0 &&
	    (!game_witness_is_list(w->lines, g->seq) ||
		!game_witness_is_list(w->silences, g->seq) ||
		!game_witness_is_list(w->answered, g->seq)))
		r = err_set(e, ERR_INVALID, "witness", "bad");
	return (r);
}

/* Where a line stands in a list, or would. */
static size_t
game_witness_find(const json_t *list, int64_t seq)
{
	size_t lo = 0, hi = json_array_size(list), mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (json_integer_value(json_array_get(list, mid)) < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

/* True if a line is in a list. */
static bool
game_witness_has(const json_t *list, int64_t seq)
{
	const json_t *v = json_array_get(list, game_witness_find(list, seq));

	return (v != NULL && json_integer_value(v) == seq);
}

/* Adds a line to a list, which is made when it is needed.  ERR_NOMEM. */
static int
game_witness_add(json_t **list, int64_t seq)
{
	if (*list == NULL && (*list = json_array()) == NULL)
		return (ERR_NOMEM);
	return (json_array_insert_new(*list, game_witness_find(*list, seq),
		    json_integer((json_int_t)seq)) == 0
		? 0
		: ERR_NOMEM);
}

const uint8_t *
game_witness(const struct game *g)
{
	return (
	    g->set.has_witness && !g->witness.is_out ? g->set.witness : NULL);
}

bool
game_had_witness(const struct game *g)
{
	return (g->set.has_witness);
}

bool
game_sides_answer(const struct game *g)
{
	return (g->set.is_live && game_witness(g) == NULL);
}

int64_t
game_silent_seq(const struct game *g)
{
	return (
	    g->owed.is_owed && g->owed.seat == GAME_WITNESS ? g->owed.seq : -1);
}

int64_t
game_silent_ms(const struct game *g)
{
	return (game_silent_seq(g) >= 0 && g->owed.at_ms > 0
		? g->owed.at_ms + g->set.witness_s * 1000
		: -1);
}

bool
game_is_stand_in(const struct game *g)
{
	return (g->owed.is_owed && g->owed.is_witness &&
	    g->owed.seat != GAME_WITNESS);
}

bool
game_witness_is_key(const struct game *g, const uint8_t key[SIGN_KEY_LEN])
{
	return (g->set.has_witness &&
	    memcmp(g->set.witness, key, SIGN_KEY_LEN) == 0);
}

int
game_witness_check(
    const struct game *g, const struct order *o, struct errinfo *e)
{
	if (o->seat != GAME_WITNESS)
		return (0);
	switch (o->kind) {
	case ORDER_CHAT:
	case ORDER_NOTE:
		return (0);
	case ORDER_JOIN:
	case ORDER_READY:
	case ORDER_ANSWER:
	case ORDER_DICE_KEY:
		if (!g->witness.is_out)
			return (0);
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the game goes on without its witness, who only chats and "
		    "notes"));
	default:
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "a witness gives no order of the kind \"%s\"",
		    order_kind_name(o->kind)));
	}
}

int
game_witness_check_join(
    const struct game *g, const struct order_join *j, struct errinfo *e)
{
	const struct statement_keys *k = &j->keys;
	int i;

	if (j->seat == GAME_WITNESS) {
		if (k->n_keys == 1 && game_witness_is_key(g, j->key))
			return (0);
		return (err_set(e, ERR_ILLEGAL, "order.args.key",
		    "seat %d is joined with the key that the game names for "
		    "its witness, and no other",
		    GAME_WITNESS));
	}
	for (i = 0; i < k->n_keys; i++) {
		if (game_witness_is_key(g, k->keys[i]))
			break;
	}
	if (i == k->n_keys &&
	    !(k->has_recovery && game_witness_is_key(g, k->recovery)))
		return (0);
	return (err_set(e, ERR_ILLEGAL, "order.args.key",
	    "the key is the witness's, who does not play"));
}

int
game_witness_spoke(struct game *g, const struct order *o)
{
	if (o->seat != GAME_WITNESS)
		return (0);
	return (game_witness_add(&g->witness.lines, g->seq + 1));
}

int
game_witness_silence(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_owed *w = &g->owed;
	int r;

	if ((r = game_check_after(g, o, l->e)) != 0 ||
	    (r = game_check_phase(g, l->e)) != 0)
		return (r);
	if (game_side_of(o->seat) == 0)
		return (err_set(l->e, ERR_ILLEGAL, "order.seat",
		    "the director claims nothing"));
	if (o->place != NULL || o->has_own)
		return (err_set(l->e, ERR_ILLEGAL, "order.own",
		    "a claim on the witness's silence has no place and no "
		    "proof"));
	if (!o->has_now)
		return (err_set(l->e, ERR_ILLEGAL, "order.now",
		    "missing; a claim says when it was signed"));
	l->fx->entry.to = w->seq;
	if (g->now_ms < game_silent_ms(g) || o->now_ms < game_silent_ms(g))
		return (0);
	if ((r = game_witness_add(&g->witness.silences, w->seq)) != 0)
		return (r);
	w->seat = 3 - game_side_of(w->by);
	l->fx->entry.claimed = GAME_CLAIMED_SILENCE;
	l->fx->entry.stand_in = w->seat;
	game_state_line(g);
	return (0);
}

/* Says that a notice has stood for its time by the witness's clock. */
static int
game_witness_passed(struct game *g, int64_t to, struct errinfo *e)
{
	struct game_notice *n = g->clock.notices;
	int side;

	for (side = 1; side <= 2 && n[side].seq != to; side++)
		continue;
	if (side > 2)
		return (err_set(e, ERR_STALE, "order.args.to",
		    "line %lld is no notice that stands", (long long)to));
	if (n[side].is_passed)
		return (err_set(e, ERR_ILLEGAL, "order.args.to",
		    "the witness has said so of line %lld before",
		    (long long)to));
	n[side].is_passed = true;
	return (0);
}

/* Says that it had answered a line on which silence was claimed. */
static int
game_witness_answered(struct game *g, int64_t to, struct errinfo *e)
{
	if (!game_witness_has(g->witness.silences, to))
		return (err_set(e, ERR_ILLEGAL, "order.args.to",
		    "no silence was claimed on line %lld", (long long)to));
	if (game_witness_has(g->witness.answered, to))
		return (err_set(e, ERR_ILLEGAL, "order.args.to",
		    "the witness has said so of line %lld before",
		    (long long)to));
	return (game_witness_add(&g->witness.answered, to));
}

int
game_witness_note(
    struct game *g, const struct game_line *l, enum game_said said, int64_t to)
{
	l->fx->entry.said = said;
	if (l->o->seat != GAME_WITNESS)
		return (err_set(l->e, ERR_ILLEGAL, "order.args.say",
		    "only the witness notes that"));
	switch (said) {
	case GAME_SAID_PASSED:
		return (game_witness_passed(g, to, l->e));
	case GAME_SAID_ANSWERED:
		return (game_witness_answered(g, to, l->e));
	case GAME_SAID_ANEW:
		if (game_witness_has(g->witness.lines, to))
			return (0);
		return (err_set(l->e, ERR_ILLEGAL, "order.args.to",
		    "line %lld is not the witness's", (long long)to));
	case GAME_SAID_NOTHING:
		break;
	}
	return (err_set(l->e, ERR_ILLEGAL, "order.args.say",
	    "a witness notes \"passed\", \"answered\" or \"anew\""));
}
