/* SPDX-License-Identifier: ISC */
/*
 * Which dice keys an account has given is told by its games alone: of the keys
 * that the words give, the last that any of them had is the present one.  A
 * new key is on disk before the first game has it, so that the same command
 * goes on with the same key where it was interrupted.
 */
#include "client/cmd/keys_dice.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/keys_words.h"
#include "client/play/play.h"
#include "client/profile/dice_keys.h"
#include "client/replica/replica.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_list.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

#define KEYS_DICE_AHEAD 16 /* numbers beyond the last that are looked for */

/* What the account's games are looked through for. */
struct keys_dice {
	const uint8_t *seed; /* NULL: no words */
	struct vrf_key *keys; /* owned: number i is keys[i - 1] */
	uint32_t n; /* that have been derived */
	uint32_t last; /* the highest number that a game had; 0: none */
	uint32_t spent; /* the highest that a game had, and has no longer */
	bool is_begun; /* key was being given before */
	bool is_spent; /* and a game had it, and has it no longer */
	json_t *games; /* owned: those that go on */
	json_t *given; /* owned: {"game", "seq"} */
	json_t *cups; /* owned: {"tournament", "seq"} */
	struct vrf_key key; /* the one that is given */
	int absent; /* games whose dice fall by a key that is not here */
};

/* What is done with each game. */
typedef int keys_dice_fn(struct play *pl, struct keys_dice *d);

/* Begins. */
static void
keys_dice_init(struct keys_dice *d, const uint8_t *seed)
{
	memset(d, 0, sizeof(*d));
	d->seed = seed;
	d->games = xalloc_json(json_array());
	d->given = xalloc_json(json_array());
	d->cups = xalloc_json(json_array());
}

/* Wipes and frees what it holds. */
static void
keys_dice_clear(struct keys_dice *d)
{
	if (d->n > 0)
		explicit_bzero(d->keys, d->n * sizeof(d->keys[0]));
	free(d->keys);
	vrf_key_clear(&d->key);
	json_decref(d->games);
	json_decref(d->given);
	json_decref(d->cups);
}

/* Dice key number i of the words. */
static const struct vrf_key *
keys_dice_number(struct keys_dice *d, uint32_t i)
{
	struct vrf_key *more;

	while (d->n < i) {
		/* Not moved by realloc(), which would leave secrets behind. */
		more = xalloc((d->n + 1) * sizeof(*more));
		if (d->n > 0) {
			memcpy(more, d->keys, d->n * sizeof(*more));
			explicit_bzero(d->keys, d->n * sizeof(*more));
		}
		free(d->keys);
		d->keys = more;
		if (words_dice(d->seed, d->n + 1, &d->keys[d->n]) != 0)
			xalloc_die();
		d->n++;
	}
	return (&d->keys[i - 1]);
}

/* The number of a dice key of the words; 0: it is none of them. */
static uint32_t
keys_dice_find(struct keys_dice *d, const uint8_t key[VRF_KEY_LEN])
{
	uint32_t i;

	for (i = 1; i <= d->last + KEYS_DICE_AHEAD; i++) {
		if (memcmp(keys_dice_number(d, i)->public_key, key,
			VRF_KEY_LEN) == 0)
			return (i);
	}
	return (0);
}

/* Adds the account's games in a phase to those that go on. */
static int
keys_dice_list(struct link *l, const char *phase, json_t *games)
{
	struct js_at at = {.name = "game.list"};
	struct errinfo e = {.text = ""};
	const char *more = NULL;
	const json_t *rows, *v;
	json_t *params, *result = NULL, *last = NULL;
	uint8_t id[HASH_LEN];
	size_t i;
	int r, status;

	do {
		params = xalloc_json(json_pack("{s:s, s:s, s:i}", "account",
		    l->p->account, "phase", phase, "limit", 200));
		if (more != NULL)
			xalloc_set(params, "before", xalloc_json_str(more));
		if ((status = link_ask(l, "game.list", params, &result)) != 0)
			break;
		json_decref(last); /* more was of it */
		last = result;
		more = NULL;
		if ((r = js_get_array(result, "games", &at, &rows, &e)) == 0)
			r = js_opt_str(result, "more", &at, &more, &e);
		json_array_foreach(rows, i, v)
		{
			if (r != 0)
				break;
			r = js_get_hex(v, "game", &at, id, HASH_LEN, &e);
			if (r == 0)
				xalloc_append(games, js_hex(id, HASH_LEN));
		}
		if (r != 0)
			status = cmd_fail_answer(&e);
	} while (status == 0 && more != NULL && json_array_size(rows) > 0);
	json_decref(last);
	return (status);
}

/* True where a game goes on, by what is known of it. */
static bool
keys_dice_goes_on(const struct play *pl)
{
	const struct game *g = play_game(pl);

	return (g != NULL && pl->seat >= 0 &&
	    (game_phase(g) == GAME_MUSTER || game_phase(g) == GAME_PLAY));
}

/* True if the list has the game already. */
static bool
keys_dice_has(const struct keys_dice *d, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	const json_t *v;
	size_t i;

	hex_format(hex, id, HASH_LEN);
	json_array_foreach(d->games, i, v)
	{
		if (strcmp(json_string_value(v), hex) == 0)
			return (true);
	}
	return (false);
}

/*
 * Adds the games that go on by our own copies: a server that helps a thief
 * would leave one out.
 */
static int
keys_dice_own(struct cmd_ctx *cx, struct keys_dice *d, const struct profile *p)
{
	struct errinfo e = {.text = ""};
	uint8_t(*ids)[HASH_LEN];
	struct profile *one;
	struct play *pl;
	int r, status = 0;
	size_t i, n;

	if ((r = profile_games(p, &ids, &n, &e)) != 0)
		return (cmd_fail(r, &e));
	for (i = 0; i < n && status == 0; i++) {
		if (keys_dice_has(d, ids[i]))
			continue;
		if ((status = play_profile(cx, &one)) != 0 ||
		    (status = play_open_copy(cx, one, ids[i], &pl)) != 0)
			break;
		if (keys_dice_goes_on(pl))
			xalloc_append(d->games, js_hex(ids[i], HASH_LEN));
		play_close(pl);
	}
	free(ids);
	return (status);
}

/* Asks which of the account's games go on. */
static int
keys_dice_ask(struct cmd_ctx *cx, struct keys_dice *d, struct link *l)
{
	int status;

	if ((status = link_login(l)) != 0 ||
	    (status = keys_dice_list(l, "muster", d->games)) != 0 ||
	    (status = keys_dice_list(l, "play", d->games)) != 0)
		return (status);
	return (keys_dice_own(cx, d, l->p));
}

/* Does something with each game, also if others fail; the last such status. */
static int
keys_dice_walk(struct cmd_ctx *cx, struct keys_dice *d, keys_dice_fn *fn)
{
	struct link *l = NULL;
	uint8_t id[HASH_LEN];
	struct profile *p;
	struct play *pl;
	int one, status = 0;
	const char *hex;
	const json_t *v;
	size_t i;

	json_array_foreach(d->games, i, v)
	{
		hex = json_string_value(v);
		if (hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		if ((one = play_profile(cx, &p)) != 0 ||
		    (one = play_open_id(cx, p, l, id, PLAY_ONLINE, &pl)) != 0) {
			l = NULL;
			status = one;
			continue;
		}
		if (keys_dice_goes_on(pl) && (one = fn(pl, d)) != 0)
			status = one;
		l = play_take_link(pl);
		play_close(pl);
	}
	link_close(l);
	return (status);
}

/* True if a game had a dice key that neither counts nor waits there now. */
static bool
keys_dice_is_past(
    const struct game *g, int seat, const uint8_t key[VRF_KEY_LEN])
{
	const uint8_t *next = game_next_dice_key(g, seat);

	return (game_had_dice_key(g, key) &&
	    memcmp(game_dice_key(g, seat), key, VRF_KEY_LEN) != 0 &&
	    (next == NULL || memcmp(next, key, VRF_KEY_LEN) != 0));
}

/* Notes which keys of ours a game had, and which it will not take again. */
static void
keys_dice_history(struct play *pl, struct keys_dice *d)
{
	const struct game *g = play_game(pl);
	const uint8_t *key;
	uint32_t i;

	if (d->is_begun && keys_dice_is_past(g, pl->seat, d->key.public_key))
		d->is_spent = true;
	for (i = 1; d->seed != NULL && i <= d->last + KEYS_DICE_AHEAD; i++) {
		key = keys_dice_number(d, i)->public_key;
		if (i > d->last && game_had_dice_key(g, key))
			d->last = i;
		if (i > d->spent && keys_dice_is_past(g, pl->seat, key))
			d->spent = i;
	}
}

/* Looks at the dice keys of a game; those of the words that count are kept. */
static int
keys_dice_look(struct play *pl, struct keys_dice *d)
{
	const struct game *g = play_game(pl);
	const uint8_t *counts[] = {
	    game_dice_key(g, pl->seat), game_next_dice_key(g, pl->seat)};
	struct errinfo e = {.text = ""};
	struct vrf_key k;
	uint32_t i;
	int r = 0;

	keys_dice_history(pl, d);
	for (i = 0; i < 2 && r == 0; i++) {
		if (counts[i] == NULL)
			continue;
		r = dice_keys_find(pl->p, counts[i], &k, &e);
		if (r == 0) {
			vrf_key_clear(&k);
		} else if (r == ERR_NOTFOUND && d->seed != NULL &&
		    keys_dice_find(d, counts[i]) != 0) {
			r = dice_keys_keep(pl->p,
			    keys_dice_number(d, keys_dice_find(d, counts[i])),
			    &e);
		} else if (r == ERR_NOTFOUND) {
			d->absent++;
			return (0);
		}
	}
	return (r == 0 ? 0 : cmd_fail(r, &e));
}

int
keys_dice_restore(struct cmd_ctx *cx, struct profile *p, struct link *l,
    const uint8_t seed[WORDS_SEED_LEN])
{
	struct errinfo e = {.text = ""};
	struct keys_dice d;
	int r, status;

	keys_dice_init(&d, seed);
	if ((status = keys_dice_ask(cx, &d, l)) == 0)
		status = keys_dice_walk(cx, &d, keys_dice_look);
	if (d.last > 0 &&
	    (r = dice_keys_use(p, keys_dice_number(&d, d.last), &e)) != 0)
		status = cmd_fail(r, &e);
	if (d.last > 1)
		out_print(&cx->out,
		    "Your dice fall by dice key number %u of the words.\n",
		    (unsigned)d.last);
	if (d.absent > 0)
		out_note("In %d game%s dice fall by a key that is not of the "
			 "words, so it may be a\nthief's: umpire keys "
			 "new-dice-key",
		    d.absent, d.absent == 1 ? "" : "s");
	keys_dice_clear(&d);
	return (status);
}

/* Gives the key in a game, unless it has it. */
static int
keys_dice_give(struct play *pl, struct keys_dice *d)
{
	const struct game *g = play_game(pl);
	const uint8_t *next = game_next_dice_key(g, pl->seat);
	const uint8_t *key = d->key.public_key;
	char hex[2 * HASH_LEN + 1];
	char *ready;
	int64_t seq;
	int status;

	if (memcmp(game_dice_key(g, pl->seat), key, VRF_KEY_LEN) == 0 ||
	    (next != NULL && memcmp(next, key, VRF_KEY_LEN) == 0) ||
	    play_is_lapsed(pl))
		return (0);
	status = play_order(pl, ORDER_DICE_KEY,
	    xalloc_json(
		json_pack("{s:o}", "dice_key", js_hex(key, VRF_KEY_LEN))),
	    NULL, &seq);
	if (status != 0) {
		out_note("That was about game '%s'.", pl->name);
		return (status);
	}
	hex_format(hex, pl->copy->id, HASH_LEN);
	xalloc_append(d->given,
	    xalloc_json(
		json_pack("{s:s, s:I}", "game", hex, "seq", (json_int_t)seq)));
	g = play_game(pl);
	ready = play_command(pl, "ready", "");
	if (memcmp(game_dice_key(g, pl->seat), key, VRF_KEY_LEN) != 0)
		out_print(&pl->cx->out,
		    "  %s: when the turn ends; then each says again\n"
		    "      %s\n",
		    pl->name, ready);
	else if (game_is_round(g))
		out_print(&pl->cx->out,
		    "  %s: at once; each says again\n      %s\n", pl->name,
		    ready);
	else
		out_print(&pl->cx->out, "  %s: at once\n", pl->name);
	free(ready);
	return (0);
}

/*
 * Chooses the key that is given: one that was begun; the last of the words,
 * if another device gave it; or a new one, also where a game has lost the one
 * that it would be to a thief's, and takes it no more.  *is_taken: the second
 * of these.
 */
static int
keys_dice_choose(
    struct keys_dice *d, struct profile *p, bool *is_taken, struct errinfo *e)
{
	uint32_t i;
	int r;

	*is_taken = false;
	if (d->is_begun && !d->is_spent)
		return (0);
	if (d->is_begun && (r = dice_keys_end(p, e)) != 0)
		return (r);
	if (d->seed == NULL) {
		if ((r = vrf_key_make(&d->key)) != 0)
			return (r);
	} else {
		i = keys_dice_find(d, p->keys.dice.public_key);
		*is_taken = d->last > i && d->last > d->spent;
		if (d->last > i)
			i = *is_taken ? d->last - 1 : d->last;
		d->key = *keys_dice_number(d, i + 1);
	}
	return (dice_keys_begin(p, &d->key, e));
}

/* Gives the key in a tournament that we have entered, unless it has it. */
static int
keys_dice_give_cup(struct desk *t, struct keys_dice *d)
{
	const uint8_t *key = d->key.public_key;
	int64_t seq;
	int status;

	if (t->number == 0 || tournament_phase(t->t) == TOURNAMENT_OVER ||
	    memcmp(tournament_dice_key_of(t->t, t->number), key, VRF_KEY_LEN) ==
		0)
		return (0);
	/* Whoever knew the others' parts could choose the lots (S15.3). */
	if (tournament_phase(t->t) == TOURNAMENT_CHECKIN) {
		out_note("In the tournament '%s' dice keys stay as they are "
			 "until its lots are drawn.",
		    t->name);
		return (EX_TEMPFAIL);
	}
	status = desk_order(t, ENTRY_DICE_KEY,
	    xalloc_json(
		json_pack("{s:o}", "dice_key", js_hex(key, VRF_KEY_LEN))),
	    NULL, 0, &seq);
	if (status != 0) {
		out_note("That was about the tournament '%s'.", t->name);
		return (status);
	}
	xalloc_append(d->cups,
	    xalloc_json(json_pack("{s:o, s:I}", "tournament",
		js_hex(tournament_id(t->t), HASH_LEN), "seq",
		(json_int_t)seq)));
	out_print(&t->cx->out,
	    "  tournament %s: in games that are opened from now on\n", t->name);
	return (0);
}

/* Gives it in all tournaments; goes on after failures: the last is returned. */
static int
keys_dice_give_cups(struct cmd_ctx *cx, struct link *l, struct keys_dice *d)
{
	int last = 0, status;
	struct profile *p;
	uint8_t id[HASH_LEN];
	struct desk *t;
	const json_t *v;
	json_t *rows;
	size_t i;

	status = desk_list_fetch(l, l->p->account, NULL, &rows);
	if (status != 0)
		return (status);
	json_array_foreach(rows, i, v)
	{
		if (js_get_hex(v, "tournament", NULL, id, HASH_LEN, NULL) !=
			0 ||
		    strcmp(text_member(v, "phase"), "over") == 0)
			continue;
		if ((status = play_profile(cx, &p)) == 0 &&
		    (status = desk_open_id(cx, p, NULL, id, DESK_ORDER, &t)) ==
			0) {
			status = keys_dice_give_cup(t, d);
			desk_close(t);
		}
		last = status != 0 ? status : last;
	}
	json_decref(rows);
	return (last);
}

/* Says what came of it. */
static void
keys_dice_done(struct cmd_ctx *cx, const struct profile *p,
    const struct keys_dice *d, bool is_taken)
{
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:o, s:b, s:O, s:O}",
			"account", p->account, "dice_key",
			js_hex(d->key.public_key, VRF_KEY_LEN), "taken_over",
			is_taken, "games", d->given, "tournaments", d->cups)));
	if (is_taken)
		out_hint(&cx->out,
		    "This is the dice key that another device of yours has "
		    "given; it is here, too,\nnow.  Should it be the one that "
		    "was stolen: umpire keys new-dice-key\n");
	else if (json_array_size(d->given) == 0)
		out_print(&cx->out, "No game that goes on was without it.\n");
	out_print(&cx->out,
	    "Your next games have this dice key.  %s\nBack up %s\n",
	    d->seed == NULL ? "Nothing else brings it back."
			    : "The words are worth the same as before.",
	    p->data_dir);
}

/* Asks whether to go on. */
static int
keys_dice_confirm(struct cmd_ctx *cx, const struct keys_dice *d)
{
	const size_t n = json_array_size(d->games);

	if (cx->is_sure || !out_can_ask() ||
	    out_ask("Give your seats in %zu game%s another dice key?", n,
		n == 1 ? "" : "s"))
		return (0);
	out_error("no dice key was given");
	return (EX_USAGE);
}

/* Gives a dice key, with words or without any. */
static int
keys_dice_run(
    struct cmd_ctx *cx, struct profile *p, struct link *l, const uint8_t *seed)
{
	struct errinfo e = {.text = ""};
	bool is_taken = false;
	struct keys_dice d;
	int r, status;

	keys_dice_init(&d, seed);
	r = dice_keys_begun(p, &d.key, &e);
	d.is_begun = r == 0;
	if (r != 0 && r != ERR_NOTFOUND) {
		status = cmd_fail(r, &e);
		goto out;
	}
	if ((status = keys_dice_ask(cx, &d, l)) != 0)
		goto out;
	if ((status = keys_dice_walk(cx, &d, keys_dice_look)) != 0) {
		out_note("Not all games that go on could be looked at: no dice "
			 "key was given.");
		goto out;
	}
	if ((status = keys_dice_confirm(cx, &d)) != 0)
		goto out;
	if ((r = keys_dice_choose(&d, p, &is_taken, &e)) != 0) {
		status = cmd_fail(r, &e);
		goto out;
	}
	status = keys_dice_walk(cx, &d, keys_dice_give);
	r = keys_dice_give_cups(cx, l, &d);
	status = status != 0 ? status : r;
	/* The next games have it whatever becomes of the others. */
	if ((r = dice_keys_use(p, &d.key, &e)) != 0 ||
	    (status == 0 && (r = dice_keys_end(p, &e)) != 0))
		status = cmd_fail(r, &e);
	else if (status != 0)
		out_note("Not all games and tournaments that go on have the "
			 "new dice key; your next games\nhave it.  The same "
			 "command gives it to the others, once they take "
			 "it:\numpire keys new-dice-key");
	else
		keys_dice_done(cx, p, &d, is_taken);
out:
	keys_dice_clear(&d);
	return (status);
}

int
keys_dice_new(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	uint8_t seed[WORDS_SEED_LEN];
	struct sign_key recovery;
	int status;

	if (!p->has_recovery)
		return (keys_dice_run(cx, p, l, NULL));
	if ((status = keys_words_read(seed)) != 0)
		return (status);
	memset(&recovery, 0, sizeof(recovery));
	if (words_recovery(seed, &recovery) != 0) {
		status = EX_SOFTWARE;
	} else if (memcmp(recovery.public_key, p->recovery, SIGN_KEY_LEN) !=
	    0) {
		out_error("these are not the words of '%s': a letter may be "
			  "wrong",
		    p->account);
		status = EX_DATAERR;
	} else {
		status = keys_dice_run(cx, p, l, seed);
	}
	sign_key_clear(&recovery);
	explicit_bzero(seed, sizeof(seed));
	return (status);
}

int
keys_dice_tell(struct cmd_ctx *cx, struct link *l)
{
	struct keys_dice d;
	int status;

	keys_dice_init(&d, NULL);
	if ((status = keys_dice_ask(cx, &d, l)) == 0)
		status = keys_dice_walk(cx, &d, keys_dice_look);
	if (d.absent > 0)
		out_note("In %d game%s your dice fall by a newer dice key, "
			 "which is not here yet:\numpire keys new-dice-key",
		    d.absent, d.absent == 1 ? "" : "s");
	keys_dice_clear(&d);
	return (status);
}
