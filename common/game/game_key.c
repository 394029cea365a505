/* SPDX-License-Identifier: ISC */
/* Keys that change while a game goes on (record S4). */
#include <string.h>

#include "common/base/hex.h"
#include "common/game/game_int.h"

/* True if the key signs for seat i, or is its recovery key. */
static bool
game_key_is_of(const struct game *g, int i, const uint8_t key[SIGN_KEY_LEN])
{
	const struct statement_keys *k = &g->seats[game_slot(i)].keys;

	return (game_has_key(g, i, key) ||
	    (game_is_joined(g, i) && k->has_recovery &&
		memcmp(k->recovery, key, SIGN_KEY_LEN) == 0));
}

bool
game_key_sits(const struct game *g, int i, const struct statement_keys *keys)
{
	int k;

	for (k = 0; k < keys->n_keys; k++) {
		if (game_key_is_of(g, i, keys->keys[k]))
			return (true);
	}
	return (keys->has_recovery && game_key_is_of(g, i, keys->recovery));
}

int
game_key_check_new(const struct game *g, int seat,
    const struct statement_keys *keys, const uint8_t key[SIGN_KEY_LEN],
    const char *where, struct errinfo *e)
{
	char name[2 * SIGN_KEY_LEN + 1];
	int i;

	for (i = 0; i < GAME_SLOTS; i++) {
		if (i != seat && game_key_sits(g, game_slot_seat(i), keys))
			return (err_set(e, ERR_ILLEGAL, where,
			    "the key already sits in seat %d",
			    game_slot_seat(i)));
	}
	if (game_witness_is_key(g, key))
		return (
		    err_set(e, ERR_ILLEGAL, where, "the key is the witness's"));
	hex_format(name, key, SIGN_KEY_LEN);
	if (json_object_get(g->past_keys, name) != NULL ||
	    game_has_key(g, seat, key))
		return (err_set(e, ERR_ILLEGAL, where,
		    "the key was valid in this game before"));
	return (0);
}

int
game_key_forget(struct game *g, int seat, const struct statement_keys *keys)
{
	const struct statement_keys *had = &g->seats[seat].keys;
	char name[2 * SIGN_KEY_LEN + 1];
	int i;

	if (g->past_keys == NULL && (g->past_keys = json_object()) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < had->n_keys; i++) {
		if (statement_has_key(keys, had->keys[i]))
			continue;
		hex_format(name, had->keys[i], SIGN_KEY_LEN);
		if (json_object_set_new(g->past_keys, name, json_true()) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

int
game_take_key(struct game *g, int seat, const struct statement *s,
    const uint8_t signer[SIGN_KEY_LEN], int64_t at_ms, struct game_entry *en,
    struct errinfo *e)
{
	struct statement_keys keys;
	int r;

	game_entry_begin(en, g, g->seq + 1, at_ms, ORDER_UNKNOWN, seat);
	if (g->phase == GAME_FINISHED)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is closed; no line may follow"));
	if (!game_is_joined(g, seat))
		return (
		    err_set(e, ERR_ILLEGAL, "seat", "nobody has this seat"));
	if (seat == GAME_WITNESS)
		return (err_set(e, ERR_ILLEGAL, "seat",
		    "the key of the witness never changes"));
	if (memcmp(s->server, g->create.server, SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_ILLEGAL, "statement.server",
		    "not the server of this record"));
	if (strcmp(s->account, g->seats[seat].account) != 0)
		return (err_set(e, ERR_ILLEGAL, "statement.account",
		    "not the account of seat %d, which is \"%s\"", seat,
		    g->seats[seat].account));
	keys = g->seats[seat].keys;
	if ((r = statement_apply(&keys, s, signer, e)) != 0 ||
	    (s->what != STATEMENT_DROP &&
		(r = game_key_check_new(
		     g, seat, &keys, s->key, "statement.key", e)) != 0) ||
	    (r = game_key_forget(g, seat, &keys)) != 0)
		return (r);
	g->seats[seat].keys = keys;
	game_entry_end(en, g);
	return (0);
}
