/* SPDX-License-Identifier: ISC */
/*
 * Key statements (record S4): one changes the keys of an account, and stands
 * in all of its games that go on, in one transaction.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/hex.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

#define LEDGER_KEY_AHEAD_MS (10 * 60 * INT64_C(1000))

/* A game of the account, and its seat there. */
struct ledger_key_game {
	uint8_t id[HASH_LEN];
	int seat;
};

/* A statement on its way into the games of its account. */
struct ledger_key {
	struct ledger *l;
	struct ledger_slot *slot;
	int64_t now_ms;
	struct ledger_key_game *games; /* owned */
	size_t n_games;
};

/* Adds one game to the list. */
static int
ledger_key_game_cb(void *arg, const uint8_t game[HASH_LEN], int seat)
{
	struct ledger_key *lk = arg;
	struct ledger_key_game *games;

	games = realloc(lk->games, (lk->n_games + 1) * sizeof(*games));
	if (games == NULL)
		return (ERR_NOMEM);
	lk->games = games;
	games += lk->n_games++;
	memcpy(games->id, game, HASH_LEN);
	games->seat = seat;
	return (0);
}

/* Writes the line of one statement into one game. */
static int
ledger_key_write(struct ledger_key *lk, struct ledger_game *lg, int seat,
    const struct statement *s, const struct store_statement *as)
{
	struct game *g = lg->game;
	struct record_parts p = {.game = game_id(g),
	    .seq = game_seq(g) + 1,
	    .prev = game_head(g),
	    .kind = RECORD_KEY,
	    .seat = seat,
	    .key = as->key,
	    .text = as->text,
	    .text_len = strlen(as->text),
	    .sig = as->sig};
	struct store_line line = {.gid = lg->gid, .seq = p.seq};
	struct ledger_tournament *cup;
	struct ledger_more *more;
	struct game_entry en;
	int r;

	p.at_ms = lk->now_ms;
	r = ledger_tournament_of(lk->l, lg, &cup, &lk->slot->job->e);
	/* A damaged tournament keeps nobody from having keys. */
	if (r == ERR_DAMAGED)
		memset(&lk->slot->job->e, 0, sizeof(lk->slot->job->e));
	else if (r != 0)
		return (r);
	ledger_tournament_date(lg, cup, &p.at_ms);
	r = game_take_key(g, seat, s, as->key, p.at_ms, &en, &lk->slot->job->e);
	if (r != 0)
		return (r);
	game_entry_clear(&en);
	if ((more = ledger_server_more(lk->slot)) == NULL)
		return (ERR_NOMEM);
	memcpy(more->game, p.game, HASH_LEN);
	more->seq = p.seq;
	r = record_write(&p, lk->l->conf.identity, &more->line, line.hash);
	if (r != 0)
		return (r);
	line.bytes = more->line.data;
	line.len = more->line.len;
	if ((r = store_record_insert(lk->l->store, &line)) != 0)
		return (r);
	lk->slot->job->written += (int64_t)line.len;
	game_advance(g, p.at_ms, line.hash);
	return (0);
}

/*
 * Writes all statements into a game that do not stand there yet: the new one,
 * and what was stated while the game was damaged.
 */
static int
ledger_key_catch_up_seat(struct ledger_key *lk, struct ledger_game *lg,
    int seat, const char *account)
{
	struct ledger_job *job = lk->slot->job;
	uint8_t key[SIGN_KEY_LEN], sig[SIGN_LEN];
	struct store_statement as = {.key = key, .sig = sig};
	struct statement s;
	struct buf text;
	bool is_new = false;
	int64_t n;
	int r = 0;

	buf_init(&text, 0);
	for (n = game_stated(lg->game, seat) + 1; r == 0; n++) {
		buf_reset(&text);
		r = store_account_statement(
		    lk->l->store, account, n, &text, key, sig);
		if (r != 0)
			break;
		as.text = buf_str(&text);
		r = statement_parse(as.text, text.len, &s, &job->e);
		if (r != 0)
			break;
		r = ledger_key_write(lk, lg, seat, &s, &as);
		statement_clear(&s);
		is_new = true;
	}
	buf_clear(&text);
	if (r == ERR_NOTFOUND)
		r = 0;
	if (r == 0 && is_new)
		r = ledger_game_store(lk->l, lg->gid, lg->game);
	return (r);
}

/* The same for a game of the job's account, unless it takes no lines now. */
static int
ledger_key_catch_up(struct ledger_key *lk, const struct ledger_key_game *kg)
{
	struct ledger_job *job = lk->slot->job;
	struct ledger_game *lg;
	int r;

	/* When it is whole again it is caught up with. */
	if (ledger_recovery_find(lk->l, kg->id) != NULL)
		return (0);
	r = ledger_game_get(lk->l, kg->id, &lg, &job->e);
	if (r == ERR_DAMAGED) {
		memset(&job->e, 0, sizeof(job->e));
		return (0);
	}
	return (r != 0
		? r
		: ledger_key_catch_up_seat(lk, lg, kg->seat, job->account));
}

int
ledger_key_catch_up_all(struct ledger *l, struct ledger_slot *slot,
    struct ledger_game *lg, int64_t now_ms)
{
	struct ledger_key lk = {.l = l, .slot = slot, .now_ms = now_ms};
	char hex[2 * HASH_LEN + 1];
	int r, seat;

	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (!game_is_joined(lg->game, seat) ||
		    game_is_finished(lg->game))
			continue;
		r = ledger_key_catch_up_seat(
		    &lk, lg, seat, game_account(lg->game, seat));
		if (r == ERR_STALE || r == ERR_ILLEGAL) {
			hex_format(hex, game_id(lg->game), HASH_LEN);
			log_errorx("game %.16s: seat %d has other key "
				   "statements than its account",
			    hex, seat);
			memset(&slot->job->e, 0, sizeof(slot->job->e));
		} else if (r != 0) {
			return (r);
		}
	}
	return (0);
}

/* Whether the account has stated this before, in the same bytes. */
static bool
ledger_key_is_known(struct ledger *l, const struct ledger_job *job, int64_t n)
{
	uint8_t key[SIGN_KEY_LEN], sig[SIGN_LEN];
	struct buf text;
	bool is_same;

	buf_init(&text, 0);
	is_same = store_account_statement(
		      l->store, job->account, n, &text, key, sig) == 0 &&
	    strcmp(buf_str(&text), job->text) == 0;
	buf_clear(&text);
	return (is_same);
}

/* Checks a statement against the account. */
static int
ledger_key_check(struct ledger_key *lk, const struct statement *s)
{
	struct ledger *l = lk->l;
	struct ledger_job *job = lk->slot->job;
	char other[ORDER_ACCOUNT_MAX + 1];
	struct statement_keys keys;
	int r;

	if (memcmp(s->server, l->conf.identity->public_key, SIGN_KEY_LEN) != 0)
		return (err_set(&job->e, ERR_ILLEGAL, "statement.server",
		    "the statement is for another server"));
	r = store_account_keys(l->store, job->account, &keys);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_DENIED, "statement.account",
		    "there is no account \"%s\"", job->account));
	if (r != 0)
		return (ledger_fault(l, r, "find an account"));
	if (s->n <= keys.n && ledger_key_is_known(l, job, s->n)) {
		job->is_repeat = true;
		return (0);
	}
	if ((r = statement_apply(&keys, s, job->key, &job->e)) != 0)
		return (r);
	if (s->now_ms > lk->now_ms + LEDGER_KEY_AHEAD_MS)
		return (err_set(&job->e, ERR_CLOCK, "statement.now",
		    "the statement's clock is more than ten minutes ahead of "
		    "the server's"));
	if (s->what == STATEMENT_DROP)
		return (0);
	/* Keys that were lost or stolen are no matter of room. */
	if (s->what == STATEMENT_ADD &&
	    (r = ledger_limit_disk(l, &job->e)) != 0)
		return (r);
	r = store_account_of_key(l->store, s->key, other);
	if (r == 0)
		return (err_set(&job->e, ERR_EXISTS, "statement.key",
		    "the key belongs to an account, or did once; make a new "
		    "one"));
	return (r == ERR_NOTFOUND ? 0 : ledger_fault(l, r, "find a key"));
}

/* Stores a statement that was checked, and writes it into the games. */
static int
ledger_key_store(struct ledger_key *lk, const struct statement *s)
{
	struct ledger *l = lk->l;
	struct ledger_job *job = lk->slot->job;
	const struct store_statement as = {job->text, job->key, job->sig};
	size_t i;
	int r;

	r = store_account_state(l->store, s, &as, lk->now_ms);
	if (r == 0)
		r = store_account_games(
		    l->store, job->account, ledger_key_game_cb, lk);
	for (i = 0; r == 0 && i < lk->n_games; i++)
		r = ledger_key_catch_up(lk, &lk->games[i]);
	if (r == 0)
		r = ledger_tournament_state(l, lk->slot, lk->now_ms);
	if (r == 0)
		return (0);
	/* Some games may have gone on to lines that there will not be. */
	ledger_game_drop_batch(l);
	/* What one of them does not take the account does not get. */
	if (l->misfit.is_set || r == ERR_ILLEGAL)
		return (r);
	return (ledger_fault(l, r, "store a key statement"));
}

int
ledger_key_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_key lk = {.l = l, .slot = slot};
	struct ledger_job *job = slot->job;
	struct statement s;
	int r;

	ledger_key_clear(slot);
	if ((r = ledger_clock_read(&l->clock, &lk.now_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	r = statement_parse(job->text, strlen(job->text), &s, &job->e);
	if (r != 0)
		return (r);
	if ((r = ledger_key_check(&lk, &s)) == 0 && !job->is_repeat)
		r = ledger_key_store(&lk, &s);
	if (r == 0) {
		job->seq = s.n;
		slot->is_rekeyed = !job->is_repeat;
	}
	statement_clear(&s);
	free(lk.games);
	if (r != 0)
		ledger_key_clear(slot);
	return (r);
}

void
ledger_key_clear(struct ledger_slot *slot)
{
	size_t i;

	for (i = 0; i < slot->n_more; i++)
		buf_clear(&slot->more[i].line);
	free(slot->more);
	slot->more = NULL;
	slot->n_more = 0;
	slot->is_rekeyed = false;
	slot->rekeyed[0] = '\0';
}
