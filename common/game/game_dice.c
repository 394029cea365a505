/* SPDX-License-Identifier: ISC */
/*
 * From places and keys to dice (record S6): bases, contributions, pools,
 * alpha, and the source of rolls that a line's beta is.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/crypt/checker.h"
#include "common/crypt/expand.h"
#include "common/crypt/vrf_memo.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_play.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/rolls.h"

int
game_base(const uint8_t game[HASH_LEN], const uint8_t pool[HASH_LEN],
    const char *place, uint8_t base[HASH_LEN])
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, game, HASH_LEN);
	buf_add(&b, pool, HASH_LEN);
	buf_u16(&b, (unsigned)strlen(place));
	buf_puts(&b, place);
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(base, "umpire/base/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
game_dice_pool0(const struct game *g, uint8_t pool[HASH_LEN])
{
	struct buf b;
	int i, n, r;

	n = 0;
	for (i = 0; i < GAME_SLOTS; i++)
		n += game_is_seat(g, game_slot_seat(i));
	buf_init(&b, 0);
	buf_add(&b, g->create.game, HASH_LEN);
	buf_u8(&b, g->set.is_live ? 2 : 1);
	buf_add(&b, g->set.server_dice, VRF_KEY_LEN);
	buf_u8(&b, (unsigned)n);
	for (i = 0; i < GAME_SLOTS; i++) {
		if (!game_is_seat(g, game_slot_seat(i)))
			continue;
		buf_u8(&b, (unsigned)game_slot_seat(i));
		buf_add(&b, g->seats[i].dice_key, VRF_KEY_LEN);
	}
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(pool, "umpire/start/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
game_dice_move(const uint8_t pool[HASH_LEN], const uint8_t *betas, size_t n,
    uint8_t moved[HASH_LEN])
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, pool, HASH_LEN);
	buf_add(&b, betas, n * VRF_BETA_LEN);
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(moved, "umpire/pool/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
game_dice_restore(
    const uint8_t pool[HASH_LEN], int64_t seq, uint8_t moved[HASH_LEN])
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, pool, HASH_LEN);
	buf_u64(&b, (uint64_t)seq);
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(moved, "umpire/restored/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
game_dice_rekey(const uint8_t pool[HASH_LEN], int seat,
    const uint8_t key[VRF_KEY_LEN], uint8_t moved[HASH_LEN])
{
	uint8_t bytes[HASH_LEN + 1 + VRF_KEY_LEN];

	memcpy(bytes, pool, HASH_LEN);
	bytes[HASH_LEN] = (uint8_t)seat;
	memcpy(bytes + HASH_LEN + 1, key, VRF_KEY_LEN);
	return (hash_tagged(moved, "umpire/rekey/1", bytes, sizeof(bytes)));
}

int
game_dice_input(const uint8_t game[HASH_LEN], const uint8_t pool[HASH_LEN],
    const char *tag, const char *place, uint8_t input[VRF_MEMO_MAX], size_t *n)
{
	size_t t = strlen(tag) + 1;
	int r;

	memcpy(input, tag, t);
	r = game_base(game, pool, place, input + t);
	if (r == 0)
		*n = t + HASH_LEN;
	return (r);
}

int
game_dice_alpha(const uint8_t game[HASH_LEN], const uint8_t pool[HASH_LEN],
    const char *place, const uint8_t own_beta[VRF_BETA_LEN],
    const uint8_t *other_beta, uint8_t alpha[VRF_MEMO_MAX], size_t *n)
{
	static const char tag[] = "umpire/dice/1";
	size_t at;
	int r;

	if ((r = game_dice_input(game, pool, tag, place, alpha, &at)) != 0)
		return (r);
	memcpy(alpha + at, own_beta, VRF_BETA_LEN);
	at += VRF_BETA_LEN;
	if (other_beta != NULL) {
		memcpy(alpha + at, other_beta, VRF_BETA_LEN);
		at += VRF_BETA_LEN;
	}
	*n = at;
	return (0);
}

int
game_dice_check(const struct game *g, const struct order *o, const char *tag,
    const char *place, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	const uint8_t *const key = game_dice_key(g, o->seat);
	uint8_t input[VRF_MEMO_MAX];
	size_t n;
	int r;

	r = game_dice_input(g->create.game, g->pool, tag, place, input, &n);
	if (r != 0)
		return (r);
	if (vrf_memo_find_check(o->memo, key, input, n, proof, beta))
		return (0);
	return (checker_vrf(o->checker, key, input, n, proof, beta));
}

int
game_dice_make(const struct game *g, const struct vrf_key *k, const char *tag,
    const char *place, struct vrf_memo *memo, uint8_t proof[VRF_PROOF_LEN])
{
	uint8_t input[VRF_MEMO_MAX], beta[VRF_BETA_LEN];
	size_t n;
	int r;

	r = game_dice_input(g->create.game, g->pool, tag, place, input, &n);
	if (r != 0)
		return (r);
	if (memo == NULL)
		return (vrf_prove(k, input, n, proof, beta));
	if ((r = vrf_memo_prove(memo, k, input, n)) == 0)
		memcpy(proof, memo->proof, VRF_PROOF_LEN);
	return (r);
}

int
game_dice_throw(
    const struct game *g, const struct game_go *go, struct game_throw *t)
{
	const struct game_dice *dice = go->l->dice;
	uint8_t alpha[VRF_MEMO_MAX];
	size_t n;
	int r;

	r = game_dice_alpha(g->create.game, g->pool, go->place, go->own_beta,
	    go->other_beta, alpha, &n);
	if (r != 0)
		return (r);
	memcpy(t->place, go->place, strlen(go->place) + 1);
	return (dice->prove(dice->arg, alpha, n, t->proof, t->beta));
}

int
game_dice_roll(const struct game_throw *t, const char *label, unsigned sides,
    unsigned n, uint16_t *dice, json_t **roll)
{
	json_t *values, *made;
	unsigned i;
	int bad = 0, r;

	if ((r = expand_roll(t->beta, label, sides, n, dice)) != 0)
		return (r);
	values = json_array();
	for (i = 0; i < n; i++)
		bad |= json_array_append_new(values, json_integer(dice[i]));
	made = json_pack("{s:s, s:i, s:o}", "label", label, "sides", (int)sides,
	    "dice", values);
	if ((made = js_made(made, bad)) == NULL)
		return (ERR_NOMEM);
	*roll = made;
	return (0);
}

/* combat_dice: rolls by expansion. */
static int
game_dice_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	const struct game_throw *t = arg;
	int r;

	r = expand_roll(t->beta, label, sides, count, dice);
	if (r == ERR_INVALID)
		r = err_set(e, ERR_FAULT, "",
		    "the rules asked for a roll \"%.96s\" of %u dice with %u "
		    "sides",
		    label, count, sides);
	return (r);
}

/* combat_dice: the next chit of a draw; the stream just goes on (S7). */
static int
game_dice_draw_cb(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e)
{
	const struct game_throw *t = arg;
	uint16_t picks[EXPAND_BAG_MAX];
	int r;

	(void)had; /* the same stream gives the earlier ones again */
	if (nhad >= n || n > EXPAND_BAG_MAX)
		return (err_set(e, ERR_FAULT, "",
		    "the rules drew more chits than the bag holds"));
	r = expand_draw(t->beta, label, ids, n, nhad + 1, picks);
	if (r == ERR_INVALID)
		r = err_set(e, ERR_FAULT, "",
		    "the rules asked for a draw \"%.96s\" that cannot be",
		    label);
	if (r == 0)
		*pick = picks[nhad];
	return (r);
}

void
game_dice_source(const struct game_throw *t, struct combat_dice *src)
{
	*src = (struct combat_dice){
	    .roll = game_dice_roll_cb,
	    .draw = game_dice_draw_cb,
	    .arg = (void *)(uintptr_t)t, /* only read by the callbacks */
	};
}

int
game_dice_tell(const struct game *g, const struct game_throw *t, json_t *rolls,
    struct game_effects *fx)
{
	fx->dice = json_pack("{s:s, s:o, s:o}", "place", t->place, "proof",
	    js_hex(t->proof, VRF_PROOF_LEN), "rolls", rolls);
	memcpy(fx->place, t->place, sizeof(fx->place));
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	return (fx->dice == NULL ? ERR_NOMEM : 0);
}

/* Rolls one recorded roll again. */
static int
game_dice_again_roll(const struct game_throw *t, const json_t *roll,
    json_t **out, struct errinfo *e)
{
	static const char *const known[] = {"label", "sides", "dice", NULL};
	const struct js_at at = {NULL, "dice.rolls", 0};
	uint16_t dice[EXPAND_DICE_MAX];
	const char *label;
	const json_t *list;
	int64_t sides;
	size_t n;
	int r;

	if (js_members(roll, &at, known, e) != 0 ||
	    js_get_str(roll, "label", &at, &label, e) != 0 ||
	    js_get_int(roll, "sides", &at, 2, EXPAND_SIDES_MAX, &sides, e) !=
		0 ||
	    js_get_array(roll, "dice", &at, &list, e) != 0)
		return (ERR_BAD);
	n = json_array_size(list);
	if (n < 1 || n > EXPAND_DICE_MAX)
		return (err_set(e, ERR_BAD, "dice", "a roll of %zu dice", n));
	r = game_dice_roll(t, label, (unsigned)sides, (unsigned)n, dice, out);
	if (r != 0)
		return (err_set(e, r == ERR_NOMEM ? r : ERR_BAD, "dice",
		    "the roll \"%.96s\" cannot be made", label));
	return (0);
}

/* Checks that the chits of a draw are in the order of their ranks. */
static int
game_dice_check_ranks(
    const json_t *chits, const uint16_t *picks, size_t n, struct errinfo *e)
{
	const char *a, *b;
	size_t i, j;

	for (i = 0; i < n; i++) {
		a = json_string_value(json_array_get(chits, i));
		if (a == NULL || !js_is_id(a))
			return (err_set(
			    e, ERR_BAD, "dice", "a chit without an id"));
		for (j = 0; j < i; j++) {
			b = json_string_value(json_array_get(chits, j));
			if (strcmp(a, b) == 0 ||
			    (strcmp(a, b) < 0) != (picks[i] < picks[j]))
				return (err_set(e, ERR_BAD, "dice",
				    "the chits \"%s\" and \"%s\" cannot have "
				    "been drawn in this order",
				    b, a));
		}
	}
	return (0);
}

/* Draws one recorded draw again, as far as that goes without its bag. */
static int
game_dice_again_draw(const struct game_throw *t, const json_t *draw,
    json_t **out, struct errinfo *e)
{
	static const char *const known[] = {"label", "bag", "chits", NULL};
	const struct js_at at = {NULL, "dice.rolls", 0};
	char names[EXPAND_BAG_MAX][5];
	const char *ids[EXPAND_BAG_MAX];
	uint16_t picks[EXPAND_BAG_MAX];
	const char *label;
	const json_t *chits;
	int64_t bag, i;
	size_t n;
	int r;

	if (js_members(draw, &at, known, e) != 0 ||
	    js_get_str(draw, "label", &at, &label, e) != 0 ||
	    js_get_int(draw, "bag", &at, 1, EXPAND_BAG_MAX, &bag, e) != 0 ||
	    js_get_array(draw, "chits", &at, &chits, e) != 0)
		return (ERR_BAD);
	n = json_array_size(chits);
	if (n < 1 || n > (size_t)bag)
		return (err_set(e, ERR_BAD, "dice", "%zu chits of a bag", n));
	for (i = 0; i < bag; i++) {
		names[i][0] = 'c';
		names[i][1] = (char)('0' + i / 100);
		names[i][2] = (char)('0' + i / 10 % 10);
		names[i][3] = (char)('0' + i % 10);
		names[i][4] = '\0';
		ids[i] = names[i];
	}
	r = expand_draw(t->beta, label, ids, (unsigned)bag, (unsigned)n, picks);
	if (r != 0)
		return (err_set(e, r == ERR_NOMEM ? r : ERR_BAD, "dice",
		    "the draw \"%.96s\" cannot be made", label));
	if ((r = game_dice_check_ranks(chits, picks, n, e)) != 0)
		return (r);
	*out = json_deep_copy(draw);
	return (*out == NULL ? ERR_NOMEM : 0);
}

int
game_dice_again(const struct game_throw *t, const json_t *dice, json_t **rolls,
    struct errinfo *e)
{
	const json_t *list, *roll;
	json_t *labels, *again, *one;
	const char *label;
	size_t i;
	int r = ERR_NOMEM;

	list = json_object_get(dice, "rolls");
	if (!json_is_array(list) || json_array_size(list) == 0)
		return (err_set(e, ERR_BAD, "dice.rolls", "no rolls"));
	labels = json_object();
	again = json_array();
	if (labels == NULL || again == NULL)
		goto fail;
	json_array_foreach(list, i, roll)
	{
		label = js_str(roll, "label");
		if (label == NULL || !rolls_is_label(label) ||
		    json_object_get(labels, label) != NULL) {
			r = err_set(e, ERR_BAD, "dice.rolls",
			    "a label is missing, malformed or used twice");
			goto fail;
		}
		if (json_object_set_new(labels, label, json_true()) != 0)
			goto fail;
		if (json_object_get(roll, "bag") != NULL)
			r = game_dice_again_draw(t, roll, &one, e);
		else
			r = game_dice_again_roll(t, roll, &one, e);
		if (r != 0)
			goto fail;
		r = ERR_NOMEM;
		if (json_array_append_new(again, one) != 0)
			goto fail;
	}
	json_decref(labels);
	*rolls = again;
	return (0);
fail:
	json_decref(labels);
	json_decref(again);
	return (r);
}

int
game_dice_check_own(const struct game *g, const struct order *o,
    uint8_t beta[VRF_BETA_LEN], struct errinfo *e)
{
	int r;

	r = game_dice_check(g, o, GAME_DICE_OWN, o->place, o->own, beta);
	if (r == ERR_PROOF)
		r = err_set(e, ERR_ILLEGAL, "order.own",
		    "the proof does not hold for this place and dice key");
	return (r);
}
