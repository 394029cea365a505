/* SPDX-License-Identifier: ISC */
/*
 * Who may see and join a game: invitations and blocks.  None of it is in the
 * record, so what is refused for it is refused without a signature and may
 * be tried again.
 */
#include <string.h>

#include "common/base/clock.h"
#include "common/game/game_newcomer.h"
#include "common/game/game_offer.h"
#include "common/json/js.h"
#include "server/ledger/ledger_int.h"
#include "server/store/access.h"
#include "server/store/store.h"

/* Looks at a game as an account that is logged in. */
static int
ledger_admit_view(struct ledger *l, const uint8_t game[HASH_LEN],
    const char *account, struct store_game_row *row, struct access *v)
{
	int r;

	r = store_game_find(l->store, game, row);
	if (r == 0)
		r = access_get(l->store, row, account, clock_wall_ms(), v);
	if (r == 0 && !v->is_known)
		r = ERR_NOTFOUND;
	return (r);
}

int
ledger_admit_see(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct game *g = lo->lg == NULL ? NULL : lo->lg->game;
	struct store_game_row row;
	struct access v;
	int r;

	/* Most games are open to everybody, and in memory. */
	if (g != NULL && !game_is_private(g) && game_delay_turns(g) == 0 &&
	    game_delay_minutes(g) == 0)
		return (0);
	r = ledger_admit_view(lo->l, job->order.game, job->account, &row, &v);
	if (r == ERR_NOTFOUND)
		return (r);
	if (r != 0)
		return (ledger_fault(lo->l, r, "find who sits in a game"));
	if (v.is_delayed)
		return (err_set(&job->e, ERR_DENIED, "order.game",
		    "the game is shown with a delay; until it is over only "
		    "those who sit in it may give it orders"));
	return (0);
}

/* An account that wants to sit with others, or is to be invited by one. */
struct ledger_admit_blocks {
	struct ledger *l;
	const char *account;
};

/* ERR_DENIED if an account that sits in the game has blocked another. */
static int
ledger_admit_block_cb(void *arg, int seat, const char *account)
{
	const struct ledger_admit_blocks *b = arg;
	int r;

	(void)seat;
	r = store_block_find(b->l->store, account, b->account);
	if (r == ERR_NOTFOUND)
		return (0);
	return (r == 0 ? ERR_DENIED : r);
}

int
ledger_admit_join(struct ledger_order *lo, const char *account)
{
	struct ledger_admit_blocks b = {lo->l, account};
	struct ledger_job *job = lo->job;
	struct store_game_row row;
	struct access v;
	bool is_witness;
	int r;

	r = ledger_admit_view(lo->l, job->order.game, account, &row, &v);
	/* The players have named the witness in create, by its key. */
	is_witness = job->order.seat == GAME_WITNESS &&
	    game_witness(lo->lg->game) != NULL &&
	    memcmp(game_witness(lo->lg->game), job->key, SIGN_KEY_LEN) == 0;
	if (r == 0 && row.is_invited && !is_witness && !v.is_invited &&
	    !v.is_seated)
		return (err_set(&job->e, ERR_DENIED, "order.game",
		    "this game is by invitation only; ask one of its players "
		    "for "
		    "one"));
	if (r == 0 && game_is_refused(lo->lg->game, account))
		r = ERR_DENIED;
	if (r == 0 && !is_witness)
		r = store_game_seats(
		    lo->l->store, lo->gid, ledger_admit_block_cb, &b);
	if (r == ERR_DENIED)
		return (err_set(&job->e, r, "order.game",
		    "the players of this game do not admit this account"));
	return (r == 0 ? 0 : ledger_fault(lo->l, r, "find who may join"));
}

/* Whether there is an account to be invited. */
static int
ledger_admit_may_invite(
    struct ledger *l, struct ledger_job *job, const char *account)
{
	int r;

	r = store_account_find(l->store, account);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "account",
		    "there is no account \"%s\"", account));
	return (r == 0 ? 0 : ledger_fault(l, r, "find an account"));
}

/*
 * Stores an invitation, unless the invited account has blocked the inviter:
 * that is kept quiet, or blocking would be announced to those it is against.
 * *is_blocked may be NULL.
 */
static int
ledger_admit_put(struct ledger *l, const struct ledger_job *job, int64_t gid,
    const char *account, int64_t at_ms, bool *is_blocked)
{
	int r;

	r = store_block_find(l->store, account, job->account);
	if (is_blocked != NULL)
		*is_blocked = r == 0;
	return (r != ERR_NOTFOUND
		? r
		: store_invite(l->store, gid, account, at_ms));
}

int
ledger_admit_create(struct ledger_order *lo)
{
	const json_t *v;
	size_t i;
	int r;

	json_array_foreach(lo->job->guests, i, v)
	{
		r = ledger_admit_may_invite(
		    lo->l, lo->job, json_string_value(v));
		if (r != 0) {
			memcpy(lo->job->e.where, "invite", sizeof("invite"));
			return (r);
		}
	}
	return (0);
}

/*
 * Invites the account that has the key of the game's witness, so that it hears
 * of the game and may see a private one.  A key of nobody here may get an
 * account later, or be that of a mistake: whoever sits there sees that it does
 * not join.
 */
static int
ledger_admit_witness(struct ledger_order *lo)
{
	const uint8_t *key = game_witness(lo->lg->game);
	char account[STORE_ACCOUNT_MAX + 1];
	int r;

	if (key == NULL)
		return (0);
	r = store_account_of_key(lo->l->store, key, account);
	if (r == 0)
		r = store_invite(
		    lo->l->store, lo->gid, account, lo->job->order.at_ms);
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
ledger_admit_open(struct ledger_order *lo)
{
	const struct ledger_job *job = lo->job;
	const struct game *g = lo->lg->game;
	const struct store_game_row row = {.gid = lo->gid,
	    .is_private = game_is_private(g),
	    .is_invited = job->guests != NULL,
	    .delay_turns = game_delay_turns(g),
	    .delay_minutes = game_delay_minutes(g)};
	const json_t *v;
	size_t i;
	int r;

	if ((r = store_game_set_view(lo->l->store, &row)) != 0 ||
	    (r = ledger_admit_witness(lo)) != 0)
		return (r);
	json_array_foreach(job->guests, i, v)
	{
		r = ledger_admit_put(lo->l, job, lo->gid, json_string_value(v),
		    job->order.at_ms, NULL);
		if (r != 0)
			return (r);
	}
	return (0);
}

int
ledger_admit_newcomer(struct ledger_order *lo)
{
	const struct order *o = &lo->job->order;
	const struct game_offer *f;
	struct statement_keys keys;
	struct order_join j;
	int r;

	f = game_newcomer_find(lo->lg->game, js_int(o->args, "to"));
	if (o->kind != ORDER_ACCEPT || f == NULL)
		return (0);
	if ((r = order_newcomer_parse(f->args, NULL, &j, NULL)) != 0)
		return (r);
	r = store_account_keys(lo->l->store, j.account, &keys);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	if (r == 0 && keys.n == j.keys.n &&
	    memcmp(keys.prev, j.keys.prev, HASH_LEN) == 0)
		return (0);
	return (err_set(&lo->job->e, ERR_STALE, "order.args.to",
	    "\"%s\" has changed their keys since: the operator has to propose "
	    "them anew",
	    j.account));
}

/* Whose seat is freed. */
struct ledger_admit_seat {
	int seat;
	char account[ORDER_ACCOUNT_MAX + 1];
};

/* Finds who sits in the seat; 1 ends the search. */
static int
ledger_admit_seat_cb(void *arg, int seat, const char *account)
{
	struct ledger_admit_seat *as = arg;

	if (seat != as->seat || strlen(account) > ORDER_ACCOUNT_MAX)
		return (0);
	memcpy(as->account, account, strlen(account) + 1);
	return (1);
}

int
ledger_admit_write(struct ledger_order *lo)
{
	const int given = lo->fx.given_seat;
	struct ledger_admit_seat as = {
	    .seat = given >= 0 ? given : lo->fx.freed_seat};
	struct store *st = lo->l->store;
	const char *account;
	int r;

	if (lo->phase == GAME_MUSTER &&
	    game_phase(lo->lg->game) != GAME_MUSTER &&
	    (r = store_invite_end(st, lo->gid)) != 0)
		return (r);
	if (as.seat < 0)
		return (0);
	r = store_game_seats(st, lo->gid, ledger_admit_seat_cb, &as);
	if (r < 0)
		return (r);
	memcpy(lo->slot->listed.account, as.account, sizeof(as.account));
	/* They know of a private game no more than any other stranger. */
	if ((r = store_uninvite(st, lo->gid, as.account)) != 0 ||
	    (r = store_game_unseat(st, lo->gid, as.seat)) != 0)
		return (r);
	if (given < 0)
		return (0);
	account = game_account(lo->lg->game, given);
	return (store_game_seat(st, lo->gid, given, account));
}

/* Corrects who is told of the invitations to a job's game. */
static int
ledger_admit_tell(struct ledger *l, struct ledger_job *job)
{
	struct ledger_game *lg;
	int r;

	r = ledger_game_get(l, job->game, &lg, &job->e);
	return (r == 0 ? ledger_notice_game(l, lg, -1) : r);
}

/*
 * Notes for whom an invitation job changes what the list shows.  One that
 * changes nothing is not noted: nobody is to hear of a game that way.
 */
static void
ledger_admit_list(struct ledger_slot *slot)
{
	struct ledger_listed *ev = &slot->listed;

	memcpy(ev->game, slot->job->game, HASH_LEN);
	memcpy(ev->account, slot->job->other, sizeof(ev->account));
	ev->is_invite = true;
	slot->is_listed = true;
}

/* Invites an account to a game that may be joined. */
static int
ledger_admit_invite_to(
    struct ledger *l, struct ledger_slot *slot, struct store_game_row *row)
{
	struct ledger_job *job = slot->job;
	bool is_blocked = false;
	int64_t at_ms, n;
	int r;

	if (strcmp(row->phase, "muster") != 0)
		return (err_set(&job->e, ERR_DENIED, "game",
		    "the game has begun; nobody can be invited any more"));
	if (ledger_limit_is_lapsed(l, GAME_MUSTER, row->at_ms))
		return (err_set(&job->e, ERR_DENIED, "game",
		    "the game has lapsed; nobody can join it any more"));
	if ((r = ledger_admit_may_invite(l, job, job->other)) != 0)
		return (r);
	r = store_invite_find(l->store, row->gid, job->other, &at_ms);
	if (r == 0)
		return (0);
	if (r == ERR_NOTFOUND)
		r = store_invite_count(l->store, row->gid, &n);
	if (r == 0 && n >= LEDGER_INVITES)
		return (err_set(&job->e, ERR_LIMIT, "account",
		    "%d accounts are already invited to the game; take back an "
		    "invitation first",
		    LEDGER_INVITES));
	row->is_invited = true;
	if (r == 0)
		r = ledger_admit_put(
		    l, job, row->gid, job->other, clock_wall_ms(), &is_blocked);
	if (r == 0)
		r = store_game_set_view(l->store, row);
	if (r == 0)
		r = ledger_admit_tell(l, job);
	if (r != 0)
		return (ledger_fault(l, r, "store an invitation"));
	if (!is_blocked)
		ledger_admit_list(slot);
	return (0);
}

/* Takes an invitation back; a missing one is not a failure. */
static int
ledger_admit_withdraw(struct ledger *l, struct ledger_slot *slot,
    const struct store_game_row *row)
{
	/* Later nobody but the players hears of it: it has ended already. */
	const bool is_muster = strcmp(row->phase, "muster") == 0;
	const struct ledger_job *job = slot->job;
	int64_t at_ms;
	int r;

	r = store_invite_find(l->store, row->gid, job->other, &at_ms);
	if (r == ERR_NOTFOUND)
		return (0);
	if (r == 0)
		r = store_uninvite(l->store, row->gid, job->other);
	if (r == 0 && is_muster)
		r = ledger_admit_tell(l, slot->job);
	if (r != 0)
		return (ledger_fault(l, r, "take an invitation back"));
	if (is_muster)
		ledger_admit_list(slot);
	return (0);
}

int
ledger_admit_invite(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct store_game_row row;
	struct access v;
	int r;

	r = ledger_admit_view(l, job->game, job->account, &row, &v);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "game", "no such game"));
	if (r != 0)
		return (ledger_fault(l, r, "find who sits in a game"));
	if (!v.is_seated)
		return (err_set(&job->e, ERR_DENIED, "game",
		    "only those who sit in a game can invite others to it"));
	return (job->is_on ? ledger_admit_invite_to(l, slot, &row)
			   : ledger_admit_withdraw(l, slot, &row));
}

int
ledger_admit_block(struct ledger *l, struct ledger_job *job)
{
	int64_t n;
	int r;

	if (!job->is_on) {
		r = store_unblock(l->store, job->account, job->other);
		return (r == 0 ? 0 : ledger_fault(l, r, "end a block"));
	}
	r = store_account_find(l->store, job->other);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "account",
		    "there is no account \"%s\"", job->other));
	if (r == 0)
		r = store_block_find(l->store, job->account, job->other);
	if (r == 0)
		return (0);
	if (r == ERR_NOTFOUND)
		r = store_block_count(l->store, job->account, &n);
	if (r == 0 && n >= LEDGER_BLOCKS)
		return (err_set(&job->e, ERR_LIMIT, "account",
		    "%d accounts are already blocked; unblock one first",
		    LEDGER_BLOCKS));
	if (r == 0)
		r = store_block(l->store, job->account, job->other);
	if (r == 0)
		r = store_notice_block(l->store, job->account, job->other);
	return (r == 0 ? 0 : ledger_fault(l, r, "store a block"));
}
