/* SPDX-License-Identifier: ISC */
/*
 * `umpired --check` of tournaments: each is read from its lines as a stranger
 * with the exported record would read them, every pairing worked out again, and
 * then held against what stands beside them, and against the last lines of its
 * games.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/record/record.h"
#include "common/tournament/tournament_game.h"
#include "common/tournament/verify_tournament.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept.h"
#include "server/store/kept_former.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* One tournament. */
struct ledger_check_cup {
	struct store *st;
	struct store_tournament_row row;
	struct verify_tournament *v; /* owned */
	int64_t lines;
	int64_t at; /* the line that is read; -1: none */
	size_t games; /* rows of them */
	bool is_unchecked; /* a newer umpired has to judge it */
	struct game_blobs blobs;
	struct buf blob; /* the last that was lent */
	struct errinfo *e;
};

/* Says what is wrong. */
static int ledger_check_cup_bad(struct ledger_check_cup *c, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));

static int
ledger_check_cup_bad(struct ledger_check_cup *c, const char *fmt, ...)
{
	char text[sizeof(c->e->text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return (err_set(c->e, ERR_BAD, NULL, "%s", text));
}

/* Checks that a line is found by what it is looked for by. */
static int
ledger_check_cup_find(struct ledger_check_cup *c, const char *bytes, size_t len)
{
	struct record_line ln;
	struct entry o;
	struct buf found;
	uint8_t hash[HASH_LEN];
	int64_t seq;
	int r;

	r = record_parse_tournament(bytes, len, &ln, c->e);
	/* Of a newer umpired's line there is no more to be told. */
	if (r != 0)
		return (r == ERR_NEWER ? 0 : r);
	r = store_tournament_hash(c->st, c->row.tid, c->at, hash);
	if (r == 0 && memcmp(hash, ln.hash, HASH_LEN) != 0)
		r = ledger_check_cup_bad(
		    c, "the hash that is kept with the line is another");
	if (r == 0 && ln.kind == RECORD_ORDER &&
	    (r = entry_parse(ln.text, ln.text_len, &o, c->e)) == 0) {
		buf_init(&found, 0);
		r = store_tournament_find_oid(
		    c->st, c->row.tid, o.oid, &found, &seq);
		if (r == 0 && seq != c->at)
			r = ERR_NOTFOUND;
		if (r == 0)
			r = store_tournament_find_nonce(
			    c->st, c->row.tid, ln.by, o.nonce);
		if (r == ERR_NOTFOUND)
			r = ledger_check_cup_bad(
			    c, "the line is not found by its order or nonce");
		buf_clear(&found);
		entry_clear(&o);
	}
	record_clear(&ln);
	return (r);
}

/* Verifies, from what is kept, what the tournament goes back to. */
static int
ledger_check_cup_former(
    struct ledger_check_cup *c, const char *bytes, size_t len)
{
	const struct verify_tournament_options opt = {.no_games = true};
	struct store_former_row rows[VERIFY_FORMER_MAX];
	struct verify_tournament_report rep;
	struct verify_former_set set;
	struct terms_continues at;
	struct tournament *old;
	struct buf line, kept;
	size_t n;
	int r;

	buf_init(&line, 0);
	buf_init(&kept, 0);
	buf_add(&line, bytes, len);
	buf_putc(&line, '\n');
	r = verify_former_named(buf_str(&line), line.len, &at);
	if (r == ERR_NOTFOUND) {
		r = 0; /* it is the first of its kind */
		goto out;
	}
	if ((r = kept_former_find(c->st, &at, rows, &n)) == 0 &&
	    (r = kept_former_read(c->st, rows, n, &kept)) == 0 &&
	    (r = verify_former_split(buf_str(&kept), kept.len, &set)) == 0)
		r = verify_former(
		    buf_str(&line), line.len, &set, &opt, &old, &rep, c->e);
	if (r == ERR_NOTFOUND)
		r = ledger_check_cup_bad(
		    c, "the tournament that it continues is not kept");
	if (r == 0)
		verify_tournament_continue(c->v, old);
out:
	buf_clear(&line);
	buf_clear(&kept);
	return (r);
}

/* Reads one line. */
static int
ledger_check_cup_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct ledger_check_cup *c = arg;
	int r;

	c->at++;
	if (seq != c->at)
		return (ledger_check_cup_bad(
		    c, "the next line has the number %" PRId64, seq));
	if ((seq == 0 && (r = ledger_check_cup_former(c, bytes, len)) != 0) ||
	    (r = verify_tournament_add(c->v, bytes, len, c->e)) != 0)
		return (r);
	c->lines++;
	return (ledger_check_cup_find(c, bytes, len));
}

/* Compares what lists of tournaments tell with the tournament. */
static int
ledger_check_cup_row(struct ledger_check_cup *c, const struct tournament *t)
{
	const struct store_tournament_row *row = &c->row;
	struct store_tournament_row want;

	ledger_tournament_row(t, &want);
	if (row->seq == want.seq && row->at_ms == want.at_ms &&
	    row->round == want.round && row->rounds == want.rounds &&
	    row->entrants == want.entrants &&
	    row->is_private == want.is_private &&
	    strcmp(row->phase, want.phase) == 0 &&
	    strcmp(row->event, want.event) == 0 &&
	    strcmp(row->system, want.system) == 0 &&
	    strcmp(row->format, want.format) == 0 &&
	    strcmp(row->director, want.director) == 0)
		return (0);
	return (ledger_check_cup_bad(c,
	    "what the list of tournaments says is not what the record gives"));
}

/* Checks who is said to be here. */
static int
ledger_check_cup_here_cb(void *arg, const char *account, int number)
{
	struct ledger_check_cup *c = arg;
	const struct tournament *t = verify_tournament_state(c->v);

	if (tournament_number(t, account) == number)
		return (0);
	return (ledger_check_cup_bad(
	    c, "\"%s\" is not entrant %d as the record says", account, number));
}

/* Checks that everybody who has entered is said to be here. */
static int
ledger_check_cup_entrants(
    struct ledger_check_cup *c, const struct tournament *t)
{
	const char *account;
	int i, r;

	r = store_tournament_accounts(
	    c->st, c->row.tid, ledger_check_cup_here_cb, c);
	for (i = 1; r == 0 && i <= tournament_entrants(t); i++) {
		if (tournament_is_former(t, i))
			continue;
		account = tournament_account(t, i);
		r = store_tournament_is_here(c->st, c->row.tid, account);
		/* Of an account that is not on this server nothing is kept. */
		if (r == ERR_NOTFOUND &&
		    store_account_find(c->st, account) == ERR_NOTFOUND)
			r = 0;
		if (r == ERR_NOTFOUND)
			r = ledger_check_cup_bad(
			    c, "entrant %d, \"%s\", is not kept", i, account);
	}
	return (r);
}

/* game_blobs: what is kept of a blob. */
static int
ledger_check_cup_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	struct ledger_check_cup *c = arg;
	int r;

	buf_reset(&c->blob);
	if ((r = kept_blob(c->st, hash, &c->blob)) != 0)
		return (r);
	*bytes = buf_str(&c->blob);
	*len = c->blob.len;
	return (buf_error(&c->blob));
}

/* Makes a game of what is kept of it; *game is new. */
static int
ledger_check_cup_load(
    struct ledger_check_cup *c, const uint8_t id[HASH_LEN], struct game **game)
{
	struct errinfo why = {.text = ""};
	struct store_game_row row;
	struct buf snapshot;
	bool fits;
	int r;

	buf_init(&snapshot, 0);
	r = store_game_load(c->st, id, &row, &snapshot, &fits);
	if (r == 0)
		r = kept_make(&row, &snapshot, fits, &c->blobs, game, &why);
	buf_clear(&snapshot);
	return (r);
}

/* Holds a game against the lines of its tournament. */
static int
ledger_check_cup_game_cb(void *arg, const struct store_tournament_game *g)
{
	struct ledger_check_cup *c = arg;
	const struct tournament *t = verify_tournament_state(c->v);
	struct tournament_place place;
	struct tournament_look look;
	char hex[2 * HASH_LEN + 1];
	struct game *game = NULL;
	json_t *data = NULL;
	int r;

	c->games++;
	hex_format(hex, g->game, HASH_LEN);
	if (tournament_find_game(t, g->game, &place) != 0)
		return (ledger_check_cup_bad(
		    c, "no line names the game %.16s", hex));
	r = ledger_check_cup_load(c, g->game, &game);
	/* What is wrong with a game is said of the game. */
	if (r == ERR_BAD || r == ERR_NOTFOUND)
		return (0);
	if (r != 0)
		return (r);
	r = tournament_look_at(game, tournament_terms(t)->resign, &look);
	if (r == ERR_MISSING)
		r = 0;
	if (r == 0 && look.is_over)
		r = tournament_result_data(t, g->game, &look, &data);
	if (r == 0 && data != NULL)
		r = ledger_check_cup_bad(
		    c, "the game %.16s is over, which no line tells", hex);
	json_decref(data);
	game_free(game);
	return (r);
}

/* Checks what stands beside the lines. */
static int
ledger_check_cup_state(struct ledger_check_cup *c)
{
	const struct tournament *t = verify_tournament_state(c->v);
	int r;

	c->at = -1;
	if (c->lines == 0)
		return (ledger_check_cup_bad(c, "it has no lines"));
	if ((c->is_unchecked = t == NULL))
		return (0);
	if ((r = ledger_check_cup_row(c, t)) != 0 ||
	    (r = ledger_check_cup_entrants(c, t)) != 0 ||
	    (r = store_tournament_games(
		 c->st, c->row.tid, ledger_check_cup_game_cb, c)) != 0)
		return (r);
	if (c->games != tournament_games(t))
		return (ledger_check_cup_bad(c,
		    "%zu games are kept of %zu that its lines name", c->games,
		    tournament_games(t)));
	return (0);
}

int
ledger_check_tournament(struct store *st, const uint8_t server[SIGN_KEY_LEN],
    const uint8_t id[HASH_LEN], int64_t *lines, int64_t *at, bool *is_unchecked,
    struct errinfo *e)
{
	struct ledger_check_cup c = {.st = st, .at = -1, .e = e};
	int r;

	c.blobs = (struct game_blobs){ledger_check_cup_blob_cb, &c};
	buf_init(&c.blob, 0);
	if ((r = store_tournament_find(st, id, &c.row)) != 0 ||
	    (r = verify_tournament_new(server, &c.v)) != 0)
		return (r);
	r = store_tournament_each(
	    st, c.row.tid, 0, INT64_MAX, ledger_check_cup_line_cb, &c);
	if (r == 0)
		r = ledger_check_cup_state(&c);
	verify_tournament_free(c.v);
	buf_clear(&c.blob);
	*lines += c.lines;
	*at = c.at;
	*is_unchecked = c.is_unchecked;
	return (r);
}
