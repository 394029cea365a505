/* SPDX-License-Identifier: ISC */
/*
 * `umpired --check`: every game is built again from its lines, as a stranger
 * with the exported record would do it, and then held against what is kept
 * beside the record for speed.  It reads only, one game a transaction, so it
 * may run beside the daemon.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/hex.h"
#include "common/record.h"
#include "server/ledger.h"
#include "server/store.h"

/* The run over the database. */
struct ledger_check {
	struct store *st;
	const uint8_t *server;
	struct buf ids; /* of all games, HASH_LEN bytes each */
	int64_t lines;
	int64_t bad; /* games */
	int64_t unchecked; /* games whose rules are not known here */
};

/* One game. */
struct ledger_check_game {
	struct ledger_check *c;
	struct store_game_row row;
	struct verify *v;
	struct buf last; /* the line read last, not verified yet */
	int64_t seq; /* of the next line */
	int64_t at; /* the line that is looked at; -1: none */
	struct game *game; /* as the record gives it; NULL before its end */
	int held; /* secret choices that are kept for it */
	struct errinfo e;
};

/* Notes a game's id. */
static int
ledger_check_id_cb(void *arg, const struct store_game_row *row)
{
	struct ledger_check *c = arg;

	buf_add(&c->ids, row->id, HASH_LEN);
	return (buf_error(&c->ids));
}

/* Checks that a text or blob has its hash, and gives blobs to the verifier. */
static int
ledger_check_side_cb(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	struct ledger_check_game *cg = arg;
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
		hex_encode(hex, hash, HASH_LEN);
		return (err_set(&cg->e, ERR_BAD, NULL,
		    "the %s %.16s does not have its hash",
		    is_blob ? "blob" : "text", hex));
	}
	return (is_blob ? verify_add_blob(cg->v, value, len) : 0);
}

/* Checks that a line is found by what its order is found by. */
static int
ledger_check_keys(struct ledger_check_game *cg, const char *bytes, size_t len)
{
	struct store *st = cg->c->st;
	struct record_line ln;
	struct order o;
	struct buf found;
	int64_t seq;
	int r;

	if ((r = record_parse(bytes, len, &ln, &cg->e)) != 0)
		return (r);
	if (ln.kind != RECORD_ORDER) {
		record_clear(&ln);
		return (0);
	}
	buf_init(&found, 0);
	r = order_parse(ln.text, ln.text_len, &o, &cg->e);
	if (r == 0) {
		r = store_record_find_oid(st, cg->row.gid, o.oid, &found, &seq);
		if (r == 0 && seq != cg->seq)
			r = ERR_NOTFOUND;
		if (r == 0)
			r = store_record_find_nonce(
			    st, cg->row.gid, o.seat, o.nonce);
		if (r == ERR_NOTFOUND)
			r = err_set(&cg->e, ERR_BAD, NULL,
			    "the line is not found by its order or nonce");
		order_clear(&o);
	}
	buf_clear(&found);
	record_clear(&ln);
	return (r);
}

/* Verifies the line read last, knowing the beginning of the next. */
static int
ledger_check_last(struct ledger_check_game *cg, const char *next, size_t len)
{
	if (cg->seq == 0)
		return (0);
	cg->at = cg->seq - 1;
	verify_peek(cg->v, next, len);
	return (verify_line(cg->v, cg->last.data, cg->last.len, &cg->e));
}

/* Takes one line of the game. */
static int
ledger_check_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct ledger_check_game *cg = arg;
	uint8_t hash[HASH_LEN], stored[HASH_LEN];
	int r;

	if ((r = ledger_check_last(cg, bytes, len)) != 0)
		return (r);
	cg->at = cg->seq;
	if (seq != cg->seq)
		return (err_set(&cg->e, ERR_BAD, NULL, "the line is missing"));
	r = store_record_hash(cg->c->st, cg->row.gid, seq, stored);
	if (r == 0)
		r = hash_sha256(hash, bytes, len);
	if (r == 0 && memcmp(hash, stored, HASH_LEN) != 0)
		r = err_set(&cg->e, ERR_BAD, NULL,
		    "the line does not have the hash that is kept with it");
	if (r == 0)
		r = ledger_check_keys(cg, bytes, len);
	if (r != 0)
		return (r);
	buf_reset(&cg->last);
	buf_add(&cg->last, bytes, len);
	cg->seq++;
	cg->c->lines++;
	return (buf_error(&cg->last));
}

/* Holds the lobby's columns against the game. */
static int
ledger_check_row(struct ledger_check_game *cg, const struct game *g)
{
	const struct store_game_row *row = &cg->row;

	if (row->seq == game_seq(g) && row->at_ms == game_at_ms(g) &&
	    row->turn == game_turn(g) &&
	    strcmp(row->system, game_system(g)) == 0 &&
	    strcmp(row->phase, game_phase_name(game_phase(g))) == 0 &&
	    strcmp(row->accounts[0], game_account(g, 1)) == 0 &&
	    strcmp(row->accounts[1], game_account(g, 2)) == 0)
		return (0);
	return (err_set(&cg->e, ERR_BAD, NULL,
	    "what the list of games says is not what the record gives"));
}

/* Checks that a secret choice that is kept is one that was committed. */
static int
ledger_check_held_cb(void *arg, const struct game_held *held)
{
	struct ledger_check_game *cg = arg;
	int r;

	r = game_hold(cg->game, held);
	if (r != 0 && r != ERR_NOMEM)
		return (err_set(&cg->e, ERR_BAD, NULL,
		    "the secret choice that is kept for seat %d is not what "
		    "the record waits for",
		    held->seat));
	cg->held++;
	return (r);
}

/* Checks that what is held of a secret choice (record S8) is there. */
static int
ledger_check_held(struct ledger_check_game *cg)
{
	int r;

	cg->game = verify_take_game(cg->v);
	r = store_secret_each(cg->c->st, cg->row.gid, ledger_check_held_cb, cg);
	if (r == 0 && cg->held == 0 && game_has_held(cg->game))
		r = err_set(&cg->e, ERR_BAD, NULL,
		    "the secret choice that was committed is not kept");
	game_free(cg->game);
	cg->game = NULL;
	return (r);
}

/* Holds what is kept beside the record against what the record gives. */
static int
ledger_check_state(struct ledger_check_game *cg, const struct buf *snapshot)
{
	const struct game *g = verify_game(cg->v);
	struct buf state;
	int r;

	cg->at = -1;
	if (verify_report(cg->v)->is_unchecked) {
		cg->c->unchecked++;
		return (0);
	}
	if ((r = ledger_check_row(cg, g)) != 0)
		return (r);
	buf_init(&state, 0);
	r = game_save(g, &state);
	if (r == 0 &&
	    (state.len != snapshot->len ||
		memcmp(state.data, snapshot->data, state.len) != 0))
		r = err_set(&cg->e, ERR_BAD, NULL,
		    "the state that is kept is not what the record gives");
	buf_clear(&state);
	return (r == 0 ? ledger_check_held(cg) : r);
}

/* Reads and verifies a game that is found. */
static int
ledger_check_record(struct ledger_check_game *cg)
{
	struct store *st = cg->c->st;
	int r;

	r = store_side_each(
	    st, cg->row.gid, 0, INT64_MAX, ledger_check_side_cb, cg);
	if (r == 0)
		r = store_record_each(
		    st, cg->row.gid, 0, INT64_MAX, ledger_check_line_cb, cg);
	if (r == 0)
		r = ledger_check_last(cg, "", 0);
	if (r == 0)
		r = verify_end(cg->v, &cg->e);
	return (r);
}

/* Prints what is wrong with a game. */
static void
ledger_check_print(
    const struct ledger_check_game *cg, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];

	hex_encode(hex, id, HASH_LEN);
	printf("game %s: ", hex);
	if (cg->at >= 0)
		printf("line %" PRId64 ": ", cg->at);
	if (cg->e.where[0] != '\0')
		printf("%s: ", cg->e.where);
	printf("%s\n", cg->e.text);
}

/* Checks one game within a transaction; what is bad is printed. */
static int
ledger_check_game(struct ledger_check *c, const uint8_t id[HASH_LEN])
{
	const struct verify_options opt = {.server = c->server, .head_seq = -1};
	struct ledger_check_game cg = {.c = c, .at = -1};
	struct buf snapshot;
	int r;

	buf_init(&snapshot, 0);
	buf_init(&cg.last, RECORD_LINE_MAX);
	r = store_game_find(c->st, id, &cg.row, &snapshot);
	if (r == ERR_NOTFOUND)
		r = err_set(&cg.e, ERR_BAD, NULL, "there is no state of it");
	if (r == 0)
		r = verify_new(&opt, &cg.v);
	if (r == 0)
		r = ledger_check_record(&cg);
	if (r == 0)
		r = ledger_check_state(&cg, &snapshot);
	if (r == ERR_BAD || r == ERR_MALFORMED || r == ERR_TOOBIG ||
	    r == ERR_INVALID || r == ERR_NEWER) {
		ledger_check_print(&cg, id);
		c->bad++;
		r = 0;
	}
	verify_free(cg.v);
	buf_clear(&cg.last);
	buf_clear(&snapshot);
	return (r);
}

/* Checks all games. */
static int
ledger_check_all(struct ledger_check *c)
{
	size_t i;
	int r;

	r = store_game_each(c->st, NULL, NULL, NULL, -1, INT64_MAX, INT64_MAX,
	    ledger_check_id_cb, c);
	for (i = 0; r == 0 && i < c->ids.len; i += HASH_LEN) {
		r = store_begin(c->st);
		if (r != 0)
			break;
		r = ledger_check_game(c, (const uint8_t *)c->ids.data + i);
		store_rollback(c->st);
	}
	return (r);
}

int
ledger_check(
    const char *database, const uint8_t server[SIGN_KEY_LEN], struct errinfo *e)
{
	struct ledger_check c = {.server = server};
	struct errinfo why;
	int r;

	if ((r = store_open_reader(database, &c.st, e)) != 0)
		return (r);
	buf_init(&c.ids, 0);
	r = store_check(c.st, &why);
	if (r == ERR_BAD) {
		printf("database: %s\n", why.text);
		c.bad++;
		r = 0;
	} else if (r != 0 && e != NULL) {
		*e = why;
	}
	if (r == 0 && (r = ledger_check_all(&c)) != 0)
		(void)err_set(e, r, NULL, "cannot check \"%s\": %s (%s)",
		    database, err_text(r), store_reason(c.st));
	if (r == 0) {
		printf("games: %zu, lines: %" PRId64 ", wrong: %" PRId64,
		    c.ids.len / HASH_LEN, c.lines, c.bad);
		if (c.unchecked > 0)
			printf(", not checked against their rules: %" PRId64,
			    c.unchecked);
		printf("\n");
		if (c.bad > 0)
			r = err_set(e, ERR_BAD, NULL,
			    "the database does not agree with itself");
	}
	buf_clear(&c.ids);
	store_close(c.st);
	return (r);
}
