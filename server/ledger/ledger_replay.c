/* SPDX-License-Identifier: ISC */
/*
 * A line is verified when the next is known, since a fault line changes what
 * the one before it means (common/game/verify.h).
 */
#include "server/ledger/ledger_replay.h"

#include <string.h>

#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/record/record.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

/* Checks that a text or blob has its hash, and gives blobs to the verifier. */
static int
ledger_replay_side_cb(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	struct ledger_replay *rp = arg;
	uint8_t got[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	int r;

	if (is_blob)
		r = record_blob_hash(got, value, len);
	else
		r = record_text_ref(got, salt, value, len);
	if (r != 0)
		return (r);
	if (memcmp(got, hash, HASH_LEN) != 0) {
		hex_format(hex, hash, HASH_LEN);
		return (err_set(&rp->e, ERR_BAD, NULL,
		    "the %s %.16s does not have its hash",
		    is_blob ? "blob" : "text", hex));
	}
	return (is_blob ? verify_add_blob(rp->v, value, len) : 0);
}

/* Notes for which side an order names a text, as ledger_text_write() does. */
static int
ledger_replay_text(struct ledger_replay *rp, const struct order *o)
{
	uint8_t ref[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	const json_t *before;
	int side;

	if (!ledger_text_ref(o, ref, &side))
		return (0);
	hex_format(hex, ref, HASH_LEN);
	before = json_object_get(rp->texts, hex);
	if (before != NULL && json_integer_value(before) != side)
		side = 0;
	return (json_object_set_new(rp->texts, hex, json_integer(side)) == -1
		? ERR_NOMEM
		: 0);
}

/* Looks at what a line holds. */
static int
ledger_replay_look(struct ledger_replay *rp, const char *bytes, size_t len)
{
	struct record_line ln;
	struct order o;
	int r;

	if ((r = record_parse(bytes, len, &ln, &rp->e)) != 0)
		return (r);
	if (ln.kind != RECORD_ORDER) {
		if (rp->look != NULL)
			r = rp->look(rp->arg, rp->seq, NULL, &rp->e);
		record_clear(&ln);
		return (r);
	}
	r = order_parse(ln.text, ln.text_len, &o, &rp->e);
	if (r == 0) {
		r = ledger_replay_text(rp, &o);
		if (r == 0 && rp->look != NULL)
			r = rp->look(rp->arg, rp->seq, &o, &rp->e);
		order_clear(&o);
	}
	record_clear(&ln);
	return (r);
}

/* Notes the line that was verified if play began or a turn ended with it. */
static int
ledger_replay_turn(struct ledger_replay *rp)
{
	const struct game *g = verify_game(rp->v);
	const size_t n = json_array_size(rp->turns);
	bool is_new;

	if (n == 0)
		is_new = game_phase(g) == GAME_PLAY;
	else
		is_new = (size_t)game_turns_ended(g) >= n;
	if (!is_new)
		return (0);
	return (json_array_append_new(rp->turns, json_integer(rp->at)) == -1
		? ERR_NOMEM
		: 0);
}

/* Verifies the line read last, knowing the beginning of the next. */
static int
ledger_replay_last(struct ledger_replay *rp, const char *next, size_t len)
{
	int r;

	if (rp->seq == 0)
		return (0);
	rp->at = rp->seq - 1;
	verify_peek(rp->v, next, len);
	r = verify_line(rp->v, rp->last.data, rp->last.len, &rp->e);
	return (r == 0 ? ledger_replay_turn(rp) : r);
}

/* Takes one line of the game. */
static int
ledger_replay_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct ledger_replay *rp = arg;
	uint8_t hash[HASH_LEN], stored[HASH_LEN];
	int r;

	if ((r = ledger_replay_last(rp, bytes, len)) != 0)
		return (r);
	rp->at = rp->seq;
	if (seq != rp->seq)
		return (err_set(&rp->e, ERR_BAD, NULL, "the line is missing"));
	r = store_record_hash(rp->st, rp->gid, seq, stored);
	if (r == 0)
		r = hash_sha256(hash, bytes, len);
	if (r == 0 && memcmp(hash, stored, HASH_LEN) != 0)
		r = err_set(&rp->e, ERR_BAD, NULL,
		    "the line does not have the hash that is kept with it");
	if (r == 0)
		r = ledger_replay_look(rp, bytes, len);
	if (r != 0)
		return (r);
	buf_reset(&rp->last);
	buf_add(&rp->last, bytes, len);
	rp->seq++;
	return (buf_error(&rp->last));
}

int
ledger_replay_run(struct ledger_replay *rp)
{
	const struct verify_options opt = {
	    .server = rp->server, .head_seq = -1};
	int r;

	buf_init(&rp->last, RECORD_LINE_MAX);
	rp->seq = 0;
	rp->at = -1;
	rp->turns = json_array();
	rp->texts = json_object();
	if (rp->turns == NULL || rp->texts == NULL)
		return (ERR_NOMEM);
	if ((r = verify_new(&opt, &rp->v)) != 0)
		return (r);
	r = store_side_each(rp->st, rp->gid, 0, INT64_MAX, STORE_SIDE_ALL,
	    ledger_replay_side_cb, rp);
	if (r == 0)
		r = store_record_each(
		    rp->st, rp->gid, 0, INT64_MAX, ledger_replay_line_cb, rp);
	if (r == 0)
		r = ledger_replay_last(rp, "", 0);
	if (r == 0)
		r = verify_end(rp->v, &rp->e);
	/* What is not there in its form does not hold either. */
	if (r == ERR_STORAGE && store_is_unfit(rp->st))
		r = err_set(&rp->e, ERR_BAD, NULL, "it cannot be read: %s",
		    store_reason(rp->st));
	return (r);
}

bool
ledger_replay_is_bad(int r)
{
	return (r == ERR_BAD || r == ERR_MALFORMED || r == ERR_TOOBIG ||
	    r == ERR_INVALID || r == ERR_NEWER);
}

void
ledger_replay_clear(struct ledger_replay *rp)
{
	verify_free(rp->v);
	rp->v = NULL;
	buf_clear(&rp->last);
	json_decref(rp->turns);
	json_decref(rp->texts);
	rp->turns = rp->texts = NULL;
}
