/* SPDX-License-Identifier: ISC */
/* Making orders: what a person's machine asks before it sends one. */
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_make.h"
#include "common/tournament/tournament_int.h"

const uint8_t *
tournament_dice_key_of(const struct tournament *t, int number)
{
	return (t->entrants[number - 1].dice_key);
}

const uint8_t *
tournament_display(const struct tournament *t, int number)
{
	const struct tournament_entrant *x = &t->entrants[number - 1];

	return (x->has_name ? x->name : NULL);
}

bool
tournament_checks_in(const struct tournament *t, int number)
{
	const struct tournament_entrant *x = tournament_entrant(t, number);

	return (x != NULL && !x->is_late && tournament_is_admitted(t, x));
}

bool
tournament_has_checked_in(const struct tournament *t, int number)
{
	const struct tournament_entrant *x = tournament_entrant(t, number);

	return (x != NULL && x->has_checked_in);
}

bool
tournament_takes_bye(const struct tournament *t, int number, int round)
{
	const struct tournament_entrant *x = tournament_entrant(t, number);

	return (x != NULL && round > 0 && round < TOURNAMENT_ROUNDS_SWISS &&
	    x->takes_bye[round]);
}

const uint8_t *
tournament_lots_key(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	if (a == NULL)
		return (NULL);
	if (a->number > 0)
		return (tournament_dice_key_of(t, a->number));
	return (tournament_is_witness(t, account) ? t->witness.dice_key : NULL);
}

/* True for an order with a part in the lots: a check-in, the witness's start.
 */
static bool
tournament_make_has_own(const struct tournament *t, const char *by,
    enum entry_kind kind, int64_t now_ms)
{
	return (kind == ENTRY_CHECKIN ||
	    (kind == ENTRY_START && tournament_is_witness(t, by) &&
		now_ms < tournament_start_ms(t) + 1000 * TOURNAMENT_ALONE_S));
}

/* The place of that, and the proof over it. */
static int
tournament_make_own(const struct tournament *t, const struct game_keys *keys,
    const char *by, enum entry_kind kind, char place[16],
    uint8_t own[VRF_PROOF_LEN], struct errinfo *e)
{
	const uint8_t *key = tournament_lots_key(t, by);
	uint8_t beta[VRF_BETA_LEN];
	struct buf b;
	int r;

	if (key == NULL || memcmp(keys->dice.public_key, key, VRF_KEY_LEN) != 0)
		return (err_set(e, ERR_MISSING, NULL,
		    "the dice key with which you entered is not here"));
	buf_init(&b, 0);
	if (kind == ENTRY_CHECKIN) {
		tournament_checkin_place(t, place);
		r = tournament_lots_input(t, "umpire/own/1", place, &b);
	} else {
		r = tournament_lots_own(t, place, &b);
	}
	if (r == 0)
		r = vrf_prove(&keys->dice, b.data, b.len, own, beta);
	buf_clear(&b);
	return (r);
}

int
tournament_make_order(const struct tournament *t, const char *by,
    const struct game_keys *keys, enum entry_kind kind, const json_t *args,
    int64_t now_ms, struct buf *text, uint8_t sig[SIGN_LEN], struct errinfo *e)
{
	struct entry_parts p = {.server = t->create.server,
	    .now_ms = now_ms,
	    .tournament = t->create.tournament,
	    .by = by,
	    .after = t->seq,
	    .head = t->head,
	    .kind = kind,
	    .args = args};
	uint8_t own[VRF_PROOF_LEN];
	char place[16];
	int r;

	if (tournament_make_has_own(t, by, kind, now_ms)) {
		r = tournament_make_own(t, keys, by, kind, place, own, e);
		if (r != 0)
			return (r);
		p.place = place;
		p.own = own;
	}
	if ((r = entry_write(&p, text)) == 0)
		r = sign_make(
		    &keys->sign, ENTRY_TAG, text->data, text->len, sig);
	return (r == 0 ? 0 : err_set(e, r, NULL, "%s", err_text(r)));
}
