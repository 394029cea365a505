/* SPDX-License-Identifier: ISC */
/*
 * One order, in the order of checks that record S5 gives.  What can refuse
 * it comes before game_take() or inside it, before the dice; whatever fails
 * after that is the server's failure (ERR_STORAGE), never an answer, since
 * an answer would tell the dice.
 */
#include <string.h>

#include "common/base/clock.h"
#include "common/game/game_clock.h"
#include "common/game/game_take.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

#define LEDGER_ORDER_AHEAD_MS 600000 /* record S3: `now` ahead of the time */

static const uint8_t ledger_order_zeros[HASH_LEN];

/* Signs the final refusal (record S5) and gives r, its reason. */
static int
ledger_order_refuse(struct ledger_order *lo, int r)
{
	struct ledger_job *job = lo->job;
	const char *why;
	int failed;

	why = r == ERR_STALE ? "stale"
	    : r == ERR_NONCE ? "nonce-used"
			     : "illegal";
	buf_reset(&job->refusal);
	record_write_refusal(&job->refusal, RECORD_OF_GAME, job->order.oid,
	    job->order.game, why, job->head_seq, job->head, clock_wall_ms());
	failed = buf_error(&job->refusal);
	if (failed == 0)
		failed = sign_make(lo->l->conf.identity, SIGN_TAG_REFUSAL,
		    job->refusal.data, job->refusal.len, job->refusal_sig);
	return (failed != 0 ? failed : r);
}

/*
 * Says that what is stored of the game is not whole, unless that is known;
 * gives ERR_BAD or ERR_DAMAGED.
 */
static int
ledger_order_misfit(struct ledger_order *lo, const char *what)
{
	struct store_game_row row;
	struct errinfo why;
	int r;

	(void)err_set(&why, ERR_BAD, "", "%s", what);
	r = store_game_find(lo->l->store, lo->job->order.game, &row);
	if (r == 0)
		r = ledger_game_misfit(lo->l, &row, false, &why, &lo->job->e);
	return (ledger_fault(lo->l, r, "find a game"));
}

/* Finds game and head without reading the game's state. */
static int
ledger_order_locate(struct ledger_order *lo)
{
	struct ledger *l = lo->l;
	struct ledger_job *job = lo->job;
	struct store_game_row row;
	int64_t last;
	int r;

	lo->lg = ledger_game_find(l, job->order.game);
	if (lo->lg != NULL) {
		lo->gid = lo->lg->gid;
		job->head_seq = game_seq(lo->lg->game);
		memcpy(job->head, game_head(lo->lg->game), HASH_LEN);
		return (0);
	}
	r = store_game_find(l->store, job->order.game, &row);
	if (r == ERR_NOTFOUND)
		return (r);
	if (r == 0)
		r = store_record_last(l->store, row.gid, &last, job->head);
	if (r == ERR_NOTFOUND || r == ERR_STORAGE ||
	    (r == 0 && last != row.seq))
		return (ledger_order_misfit(
		    lo, "its last line is not the one that is kept as such"));
	if (r != 0)
		return (ledger_fault(lo->l, r, "find a game"));
	lo->gid = row.gid;
	job->head_seq = row.seq;
	return (0);
}

/* Whether a line that is stored is still the one that it was. */
static int
ledger_order_check_line(
    struct ledger_order *lo, int64_t seq, const struct buf *line)
{
	uint8_t got[HASH_LEN], hash[HASH_LEN];
	int r;

	r = hash_sha256(got, line->data, line->len);
	if (r == 0)
		r = store_record_hash(lo->l->store, lo->gid, seq, hash);
	if (r == 0 && memcmp(got, hash, HASH_LEN) != 0)
		return (ledger_order_misfit(
		    lo, "a line does not have the hash that is kept with it"));
	return (r == 0 ? 0 : ledger_fault(lo->l, r, "read a line's hash"));
}

/* Answers with the line of an order that was recorded before. */
static int
ledger_order_repeat(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	int r;

	r = ledger_order_check_line(lo, job->seq, &job->line);
	if (r != 0)
		buf_reset(&job->line);
	job->is_repeat = r == 0;
	return (r);
}

/*
 * Says why the order is of another history: its sender has one, unless ours is
 * damaged.
 */
static int
ledger_order_fork(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const int64_t after = job->order.after;
	uint8_t hash[HASH_LEN];
	struct buf line;
	int r;

	buf_init(&line, RECORD_LINE_MAX);
	r = store_record_get(lo->l->store, lo->gid, after, &line, hash);
	if (r == ERR_NOTFOUND)
		r = ledger_order_misfit(lo, "a line is missing");
	else if (r != 0)
		r = ledger_fault(lo->l, r, "read a line");
	else
		r = ledger_order_check_line(lo, after, &line);
	buf_clear(&line);
	if (r != 0)
		return (r);
	return (err_set(&job->e, ERR_FORK, "order.head",
	    "line %lld has a different hash here: one of us has a different "
	    "history of this game",
	    (long long)after));
}

/* The order's head must be the hash of its line `after`. */
static int
ledger_order_check_head(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	uint8_t hash[HASH_LEN];
	int r = 0;

	if (o->after > job->head_seq)
		return (err_set(&job->e, ERR_FORK, "order.after",
		    "the record here ends with line %lld",
		    (long long)job->head_seq));
	if (o->after == job->head_seq)
		memcpy(hash, job->head, HASH_LEN);
	else
		r = store_record_hash(lo->l->store, lo->gid, o->after, hash);
	if (r == ERR_NOTFOUND ||
	    (r == 0 && memcmp(hash, o->head, HASH_LEN) != 0))
		return (ledger_order_fork(lo));
	return (r == 0 ? 0 : ledger_fault(lo->l, r, "read a line's hash"));
}

int
ledger_order_check_account(
    struct ledger *l, struct ledger_job *job, const struct order_join *who)
{
	const char *account = who->account;
	struct statement_keys keys;
	int i, r;

	if (strcmp(account, job->account) != 0)
		return (err_set(&job->e, ERR_ILLEGAL, "order.args.account",
		    "\"%s\" is not the account that is logged in, which is"
		    " \"%s\"",
		    account, job->account));
	r = store_account_keys(l->store, account, &keys);
	if (r != 0)
		return (ledger_fault(l, r, "find the keys of an account"));
	if (!statement_has_key(&keys, who->key))
		return (err_set(&job->e, ERR_ILLEGAL, "order.args.key",
		    "the account \"%s\" has no such key", account));
	if (who->keys.n != keys.n ||
	    memcmp(who->keys.prev, keys.prev, HASH_LEN) != 0)
		return (err_set(&job->e, ERR_ILLEGAL, "order.args.kn",
		    "the account's last key statement is number %lld",
		    (long long)keys.n));
	if (who->keys.has_recovery != keys.has_recovery ||
	    (keys.has_recovery &&
		memcmp(who->keys.recovery, keys.recovery, SIGN_KEY_LEN) != 0))
		return (err_set(&job->e, ERR_ILLEGAL, "order.args.recovery",
		    "must be the account's recovery key, and absent if it has "
		    "none"));
	for (i = 0; i < keys.n_keys; i++) {
		if (who->keys.n_keys != keys.n_keys ||
		    !statement_has_key(&who->keys, keys.keys[i]))
			return (err_set(&job->e, ERR_ILLEGAL, "order.args.keys",
			    "must be all other keys of the account"));
	}
	return (0);
}

/* Writes, marks and stores the order's line; the game then goes on to it. */
static int
ledger_order_write_line(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	const struct game_effects *fx = &lo->fx;
	struct game *g = lo->lg->game;
	struct record_parts p = {.game = o->game,
	    .seq = game_seq(g) + 1,
	    .prev = game_head(g),
	    .at_ms = o->at_ms,
	    .kind = RECORD_ORDER,
	    .seat = o->seat,
	    .key = job->key,
	    .text = o->text,
	    .text_len = o->len,
	    .sig = job->sig,
	    .dice = fx->dice,
	    .owes = fx->owes,
	    .opened = fx->opened,
	    .pool = fx->has_pool ? fx->pool : NULL,
	    .events = fx->events};
	struct store_line line = {.gid = lo->gid,
	    .seq = p.seq,
	    .oid = o->oid,
	    .seat = o->seat,
	    .nonce = o->nonce,
	    .pool = fx->place_pool,
	    .place = fx->place[0] != '\0' ? fx->place : NULL};
	int r;

	buf_reset(&job->line);
	r = record_write(&p, lo->l->conf.identity, &job->line, line.hash);
	if (r != 0)
		return (r);
	line.bytes = job->line.data;
	line.len = job->line.len;
	if ((r = store_record_insert(lo->l->store, &line)) != 0 ||
	    (r = ledger_text_write(lo, p.seq)) != 0)
		return (r);
	if (lo->account != NULL &&
	    (r = store_game_seat(
		 lo->l->store, lo->gid, o->seat, lo->account)) != 0)
		return (r);
	game_advance(g, p.at_ms, line.hash);
	memcpy(lo->slot->hash, line.hash, HASH_LEN);
	job->seq = p.seq;
	job->has_dice = fx->dice != NULL;
	return (0);
}

/* The rules failed after the dice: the line that says so (record S4.4). */
static int
ledger_order_write_fault(struct ledger_order *lo)
{
	struct game *g = lo->lg->game;
	struct buf *out = &lo->slot->fault;
	struct record_parts p = {.game = lo->job->order.game,
	    .seq = game_seq(g) + 1,
	    .prev = game_head(g),
	    .at_ms = game_at_ms(g),
	    .kind = RECORD_SERVER,
	    .what = "fault"};
	struct store_line line = {.gid = lo->gid, .seq = p.seq};
	struct game_effects fx;
	json_t *data, *events;
	int r;

	log_errorx("the rules failed in line %lld of a game of \"%s\": %s",
	    (long long)game_seq(g), game_rules(g), lo->fx.fault);
	events = json_array();
	data = json_pack(
	    "{s:I, s:s}", "seq", (json_int_t)game_seq(g), "text", lo->fx.fault);
	r = ERR_NOMEM;
	if (data == NULL || events == NULL)
		goto out;
	p.data = data;
	p.events = events;
	r = game_take_server(g, p.what, data, p.at_ms, &fx, NULL);
	game_effects_clear(&fx);
	if (r != 0)
		goto out;
	buf_reset(out);
	r = record_write(&p, lo->l->conf.identity, out, line.hash);
	if (r != 0)
		goto out;
	line.bytes = out->data;
	line.len = out->len;
	if ((r = store_record_insert(lo->l->store, &line)) != 0)
		goto out;
	game_advance(g, p.at_ms, line.hash);
out:
	json_decref(data);
	json_decref(events);
	return (r);
}

/* Notes that play began with the line, or a turn ended. */
static int
ledger_order_write_turn(struct ledger_order *lo)
{
	const struct game *g = lo->lg->game;
	struct store *st = lo->l->store;

	if (lo->phase == GAME_MUSTER && game_phase(g) == GAME_PLAY)
		return (store_turn_insert(st, lo->gid, 0, lo->job->seq));
	if (lo->fx.is_turn_end)
		return (store_turn_insert(
		    st, lo->gid, game_turns_ended(g), lo->job->seq));
	return (0);
}

/* Keeps the text of a standing order, or forgets those that are public. */
static int
ledger_order_write_standing(struct ledger_order *lo)
{
	struct store *st = lo->l->store;
	struct game_standing_text t;
	const json_t *v;
	size_t i;
	int r;

	if (lo->fx.has_standing) {
		t = lo->fx.standing;
		t.seq = lo->job->seq;
		return (store_standing_insert(st, lo->gid, &t));
	}
	if (game_is_finished(lo->lg->game))
		return (store_standing_clear(st, lo->gid));
	json_array_foreach(lo->fx.opened_standing, i, v)
	{
		r = store_standing_delete(st, lo->gid, json_integer_value(v));
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Keeps a secret choice, or forgets those no longer waiting for anything. */
static int
ledger_order_write_secret(struct ledger_order *lo)
{
	struct store *st = lo->l->store;
	int r = 0;

	if (lo->fx.has_held)
		r = store_secret_insert(st, lo->gid, &lo->fx.held);
	else if (lo->had_held && !game_has_held(lo->lg->game))
		r = store_secret_delete(st, lo->gid);
	return (r);
}

/*
 * Stores all of an order that was taken.  The dice are known from here on:
 * a failure is ours, and the game in memory is no longer what is on disk.
 */
static int
ledger_order_write(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	size_t n, i;
	const bool is_new = job->order.kind == ORDER_CREATE;
	struct ledger_slot *slot = lo->slot;
	enum game_phase phase;
	int r;

	r = ledger_order_write_line(lo);
	if (r == 0 && lo->fx.is_fault)
		r = ledger_order_write_fault(lo);
	if (r == 0 && (r = ledger_order_write_secret(lo)) == 0 &&
	    (r = ledger_order_write_standing(lo)) == 0 &&
	    (r = ledger_order_write_turn(lo)) == 0 &&
	    (r = ledger_admit_write(lo)) == 0 &&
	    (r = ledger_game_store(lo->l, lo->gid, lo->lg->game)) == 0 &&
	    (r = ledger_tournament_follow(lo)) == 0)
		r = ledger_notice_game(
		    lo->l, lo->lg, game_side_of(job->order.seat));
	if (r != 0) {
		ledger_game_drop(lo->l, lo->lg);
		if (lo->cup != NULL)
			ledger_tournament_drop(lo->l, lo->cup);
		return (ledger_fault(lo->l, r, "store an order"));
	}
	slot->is_new = true;
	n = job->line.len + slot->fault.len;
	for (i = 0; i < job->n_texts; i++)
		n += job->texts[i].len;
	/* The state of a game is stored again and again in its place. */
	if (is_new)
		n += lo->l->snapshot.len;
	job->written += (int64_t)n;
	phase = game_phase(lo->lg->game);
	/* ledger_admit_write() has noted whose seat was freed. */
	memcpy(slot->listed.game, job->order.game, HASH_LEN);
	slot->listed.has_begun =
	    !is_new && lo->phase == GAME_MUSTER && phase != GAME_MUSTER;
	if (is_new || phase != lo->phase)
		job->phase = game_phase_name(phase);
	slot->is_listed = is_new || phase != lo->phase || lo->account != NULL ||
	    lo->fx.freed_seat >= 0 || lo->fx.given_seat >= 0;
	return (0);
}

int
ledger_order_check_now(int64_t order_ms, int64_t now_ms, struct errinfo *e)
{
	char at[2][CLOCK_AT_LEN + 1];

	if (order_ms <= now_ms + LEDGER_ORDER_AHEAD_MS)
		return (0);
	clock_format(at[0], order_ms);
	clock_format(at[1], now_ms);
	return (err_set(e, ERR_CLOCK, "order.now",
	    "%s by your machine's clock, but it is %s here; set your clock "
	    "right",
	    at[0], at[1]));
}

/*
 * Gives a new line its time, if there is one to be trusted and the order's own
 * (record S3) is not ahead of it, and no other line may belong in its place.
 */
static int
ledger_order_now(struct ledger_order *lo, int64_t *now_ms)
{
	const struct order *o = &lo->job->order;
	struct errinfo *e = &lo->job->e;
	int r;

	if ((r = ledger_recovery_check(lo->l, o->game, e)) != 0)
		return (r);
	if ((r = ledger_clock_read(&lo->l->clock, now_ms)) != 0)
		return (err_set(e, r, "", "%s", err_text(r)));
	if (!o->has_now)
		return (err_set(e, ERR_CLOCK, "order.now",
		    "missing; a newer umpire says when an order was signed"));
	return (ledger_order_check_now(o->now_ms, *now_ms, e));
}

/*
 * A claim of time in which no orders were taken is refused: what passed then
 * counts against nobody.
 */
static int
ledger_order_check_claim(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct game *g = lo->lg->game;
	const int side = 3 - game_side_of(job->order.seat);
	const int64_t now_ms = job->order.at_ms;
	int64_t lost_ms, notice_ms, until_ms;
	char at[32];
	int r;

	if (job->order.kind != ORDER_CLAIM)
		return (0);
	until_ms = game_deadline_ms(g, side);
	if (until_ms < 0 || now_ms < until_ms)
		return (0);
	r = ledger_lost_ms(lo->l, lo->gid, side, now_ms, &lost_ms);
	if (r == ERR_BAD || r == ERR_MALFORMED)
		return (ledger_order_misfit(lo, "a line does not hold"));
	if (r != 0)
		return (ledger_fault(lo->l, r, "count lost time"));
	/* Nor does what was lost behind a notice on which the claim rests. */
	notice_ms = game_notice_until_ms(g, 3 - side);
	if (now_ms >= until_ms + lost_ms && notice_ms >= 0 &&
	    now_ms >= notice_ms &&
	    json_object_get(job->order.args, "to") != NULL) {
		r = store_standstill_lost(lo->l->store, lo->gid,
		    game_clock(g)->notices[3 - side].at_ms, now_ms, &lost_ms);
		if (r != 0)
			return (ledger_fault(lo->l, r, "count lost time"));
		until_ms = notice_ms;
	}
	if (now_ms >= until_ms + lost_ms)
		return (0);
	clock_format(at, until_ms + lost_ms);
	(void)err_set(&job->e, ERR_ILLEGAL, "order.kind",
	    "for %lld min of that time no orders could be given here, and "
	    "those do not count: claim from %s on",
	    (long long)((lost_ms + 59999) / 60000), at);
	return (ledger_order_refuse(lo, ERR_ILLEGAL));
}

/* Opens a game: the checks that only the daemon can make, then game.h's. */
static int
ledger_order_open(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	struct order_create c;
	struct game *g;
	int r;

	if ((r = ledger_order_now(lo, &job->order.at_ms)) != 0)
		return (r);
	r = order_create_parse(o, &c, &job->e);
	if (r == 0)
		r = ledger_order_check_account(lo->l, job, &c.who);
	if (r == 0 &&
	    memcmp(c.server_dice, lo->l->conf.dice->public_key, VRF_KEY_LEN) !=
		0)
		r = err_set(&job->e, ERR_ILLEGAL, "order.args.server_dice",
		    "this is not the server's dice key");
	if (r == 0 && c.has_tournament)
		r = ledger_tournament_check_create(lo, &c);
	if (r == 0 && (r = ledger_text_check_blobs(lo)) == 0 &&
	    (r = ledger_admit_create(lo)) == 0 &&
	    (lo->cup != NULL || (r = ledger_limit_muster(lo->l, job)) == 0) &&
	    (r = ledger_limit_disk(lo->l, &job->e)) == 0)
		r = game_create(
		    o, job->key, &lo->l->blobs, true, &g, &lo->fx, &job->e);
	if (r == ERR_INVALID || r == ERR_NEWER || r == ERR_ILLEGAL)
		return (ledger_order_refuse(lo, ERR_ILLEGAL));
	if (r == ERR_MISSING || r == ERR_DENIED || r == ERR_NOTFOUND ||
	    r == ERR_LIMIT || r == ERR_RECOVERING || r == ERR_DAMAGED)
		return (r);
	if (r != 0)
		return (ledger_fault(lo->l, r, "open a game"));
	r = store_game_insert(lo->l->store, o->game, c.system,
	    c.event == NULL ? "" : c.event, c.who.account, o->at_ms, &lo->gid);
	if (r != 0) {
		game_free(g);
		return (ledger_fault(lo->l, r, "store a game"));
	}
	if ((r = ledger_game_put(lo->l, lo->gid, g, &lo->lg)) != 0)
		return (r);
	if ((r = ledger_admit_open(lo)) != 0) {
		ledger_game_drop(lo->l, lo->lg);
		return (ledger_fault(lo->l, r, "store who may see a game"));
	}
	lo->account = c.who.account;
	return (ledger_order_write(lo));
}

int
ledger_order_admit(struct ledger_job *job)
{
	const int64_t minutes = (job->quota_wait_ms + 59999) / 60000;
	const bool is_long = minutes > 180;

	if (minutes == 0)
		return (0);
	return (err_set(&job->e, ERR_LIMIT, "",
	    "your account has written as much as it may in a day; wait for "
	    "%lld %s",
	    (long long)(is_long ? (minutes + 59) / 60 : minutes),
	    is_long ? "hours" : "min"));
}

/* A create order: its game, and so the order, may be there already. */
static int
ledger_order_create(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	uint8_t hash[HASH_LEN];
	int r;

	job->head_seq = -1;
	memcpy(job->head, ledger_order_zeros, HASH_LEN);
	r = ledger_order_locate(lo);
	if (r == 0) {
		r = store_record_get(
		    lo->l->store, lo->gid, 0, &job->line, hash);
		if (r != 0)
			return (ledger_fault(lo->l, r, "read a line"));
		job->seq = 0;
		return (ledger_order_repeat(lo));
	}
	if (r != ERR_NOTFOUND)
		return (r);
	if ((r = ledger_order_admit(job)) != 0 ||
	    (r = ledger_text_check(lo)) != 0)
		return (r);
	return (ledger_order_open(lo));
}

/*
 * Asks the daemon's dice key for its proof over alpha (record S6.4), or takes
 * it as it was made ahead.
 */
static int
ledger_order_prove(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct ledger_order *lo = arg;
	const struct vrf_key *k = lo->l->conf.dice;

	if (vrf_memo_find_proof(
		&lo->job->thrown, k->public_key, alpha, n, proof, beta))
		return (0);
	return (vrf_prove(k, alpha, n, proof, beta));
}

/*
 * A game whose state is known but not all that it waits with can be spoken in
 * and given up.
 */
static int
ledger_order_check_lost(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;

	if (!lo->lg->is_lost || job->order.kind == ORDER_CHAT ||
	    job->order.kind == ORDER_RESIGN ||
	    game_check_held(lo->lg->game, NULL) == 0)
		return (0);
	return (err_set(&job->e, ERR_DAMAGED, "", "%s", err_text(ERR_DAMAGED)));
}

/* Lets the game take an order that is new, and stores what comes of it. */
static int
ledger_order_take(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	const struct game_dice dice = {ledger_order_prove, lo};
	struct order_join j;
	int r;

	r = ledger_game_get(lo->l, o->game, &lo->lg, &job->e);
	if (r != 0)
		return (ledger_fault(lo->l, r, "read a game"));
	if (ledger_tournament_await_of(lo->l, lo->slot, lo->lg))
		return (ERR_BUSY);
	/* Before the dice: what ends the game has a line there, too. */
	r = ledger_tournament_of(lo->l, lo->lg, &lo->cup, &job->e);
	if (r != 0)
		return (ledger_fault(lo->l, r, "read a tournament"));
	if ((r = ledger_order_check_lost(lo)) != 0 ||
	    (lo->cup == NULL && (r = ledger_limit_order(lo)) != 0))
		return (r);
	if (o->kind == ORDER_JOIN) {
		r = order_join_parse(o, &j, &job->e);
		if (r == 0)
			r = ledger_order_check_account(lo->l, job, &j);
		if (r == 0 && lo->cup != NULL)
			r = ledger_tournament_check_join(lo, &j);
		if (r == ERR_INVALID || r == ERR_NEWER || r == ERR_ILLEGAL)
			return (ledger_order_refuse(lo, ERR_ILLEGAL));
		/* Who enters plays whoever they are paired with. */
		if (r == 0 && lo->cup == NULL)
			r = ledger_admit_join(lo, j.account);
		if (r != 0)
			return (r);
		lo->account = j.account;
	}
	if ((r = ledger_text_check_blobs(lo)) != 0)
		return (r);
	if ((r = ledger_order_now(lo, &job->order.at_ms)) != 0)
		return (r);
	ledger_tournament_date(lo->lg, lo->cup, &job->order.at_ms);
	if ((r = ledger_order_check_claim(lo)) != 0)
		return (r);
	if ((r = ledger_admit_newcomer(lo)) == ERR_STALE)
		return (ledger_order_refuse(lo, r));
	if (r != 0)
		return (ledger_fault(lo->l, r, "find the keys of an account"));
	lo->phase = game_phase(lo->lg->game);
	lo->had_held = game_has_held(lo->lg->game);
	job->order.open = job->open;
	job->order.memo = &job->checked;
	r = game_take(lo->lg->game, o, job->key, &dice, NULL, &lo->fx, &job->e);
	if (r == ERR_STALE)
		return (ledger_order_refuse(lo, ERR_STALE));
	if (r == ERR_ILLEGAL || r == ERR_NEWER)
		return (ledger_order_refuse(lo, ERR_ILLEGAL));
	if (r == ERR_MISSING)
		return (r);
	if (r != 0) {
		/* Nothing may be built on what was left half done. */
		ledger_game_drop(lo->l, lo->lg);
		return (ledger_fault(lo->l, r, "take an order"));
	}
	return (ledger_order_write(lo));
}

/* Any order but create. */
static int
ledger_order_next(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	int64_t now_ms;
	int r;

	r = ledger_order_locate(lo);
	/* Of a game that is gone nobody knows who may know of it. */
	if (r == ERR_NOTFOUND &&
	    ledger_recovery_check(lo->l, o->game, &job->e) != 0)
		return (ERR_RECOVERING);
	if (r == 0)
		r = ledger_admit_see(lo);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "order.game", "no such game"));
	if (r != 0)
		return (r);
	if (o->after > job->head_seq &&
	    (r = ledger_recovery_check(lo->l, o->game, &job->e)) != 0)
		return (r);
	if ((r = ledger_order_check_head(lo)) != 0)
		return (r);
	r = store_record_find_oid(
	    lo->l->store, lo->gid, o->oid, &job->line, &job->seq);
	if (r == 0)
		return (ledger_order_repeat(lo));
	if (r != ERR_NOTFOUND)
		return (ledger_fault(lo->l, r, "find an order"));
	if ((r = ledger_order_now(lo, &now_ms)) != 0 ||
	    (r = ledger_order_admit(job)) != 0 ||
	    (r = ledger_text_check(lo)) != 0)
		return (r);
	r = store_record_find_nonce(lo->l->store, lo->gid, o->seat, o->nonce);
	if (r == 0) {
		(void)err_set(&job->e, ERR_NONCE, "order.nonce",
		    "seat %d has already used this nonce in the game", o->seat);
		return (ledger_order_refuse(lo, ERR_NONCE));
	}
	if (r != ERR_NOTFOUND)
		return (ledger_fault(lo->l, r, "find a nonce"));
	return (ledger_order_take(lo));
}

int
ledger_order_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct ledger_order lo = {.l = l, .slot = slot, .job = job, .gid = -1};
	int r;

	ledger_key_clear(slot);
	if (memcmp(job->order.server, l->conf.identity->public_key,
		SIGN_KEY_LEN) != 0)
		return (err_set(&job->e, ERR_SERVER, "order.server",
		    "the order is for another server"));
	if (job->order.kind == ORDER_CREATE)
		r = ledger_order_create(&lo);
	else
		r = ledger_order_next(&lo);
	game_effects_clear(&lo.fx);
	if (r != 0)
		ledger_key_clear(slot);
	return (r);
}
