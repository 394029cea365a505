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

/* The place of a check-in now, and the proof over it. */
static int
tournament_make_own(const struct tournament *t, const struct game_keys *keys,
    const char *by, char place[16], uint8_t own[VRF_PROOF_LEN],
    struct errinfo *e)
{
	const int number = tournament_number(t, by);
	uint8_t beta[VRF_BETA_LEN];
	struct buf b;
	int r;

	if (number == 0 ||
	    memcmp(keys->dice.public_key, tournament_dice_key_of(t, number),
		VRF_KEY_LEN) != 0)
		return (err_set(e, ERR_MISSING, NULL,
		    "the dice key with which you entered is not here"));
	tournament_checkin_place(t, place);
	buf_init(&b, 0);
	if ((r = tournament_lots_input(t, "umpire/own/1", place, &b)) == 0)
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

	if (kind == ENTRY_CHECKIN) {
		r = tournament_make_own(t, keys, by, place, own, e);
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
