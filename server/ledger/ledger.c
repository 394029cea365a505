/* SPDX-License-Identifier: ISC */
/*
 * The ledger's thread: the queue, the batches, and what happens to a batch
 * that cannot be stored.  Orders are ledger_order.c's.
 */
#include "server/ledger/ledger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "common/game/game_take.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/ledger/precompute_cache.h"
#include "server/store/kept.h"
#include "server/store/store.h"

#define LEDGER_LOOK_MS 60000
#define LEDGER_WIPE_MS 1000 /* until the log is tried again */
#define LEDGER_REFUSAL_MAX 1024 /* far above any */

struct ledger_job *
ledger_job_new(enum ledger_op op)
{
	struct ledger_job *job;

	job = calloc(1, sizeof(*job));
	if (job == NULL)
		return (NULL);
	job->op = op;
	job->head_seq = -1;
	buf_init(&job->line, RECORD_LINE_MAX);
	buf_init(&job->refusal, LEDGER_REFUSAL_MAX);
	return (job);
}

void
ledger_job_free(struct ledger_job *job)
{
	size_t i;

	if (job == NULL)
		return;
	order_clear(&job->order);
	entry_clear(&job->entry);
	vrf_memo_clear(&job->checked);
	vrf_memo_clear(&job->thrown);
	json_decref(job->open);
	json_decref(job->guests);
	json_decref(job->rows);
	json_decref(job->lines);
	json_decref(job->side);
	json_decref(job->held);
	free(job->brought.prevs);
	free(job->text);
	for (i = 0; i < job->n_texts; i++)
		free(job->texts[i].value);
	free(job->blob);
	free(job->told);
	json_decref(job->given);
	json_decref(job->skipped);
	json_decref(job->paired);
	buf_clear(&job->line);
	buf_clear(&job->refusal);
	free(job);
}

/* Lends a blob to the game code (struct game_blobs). */
static int
ledger_blob_get(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	struct ledger *l = arg;
	int r;

	buf_reset(&l->blob);
	r = kept_blob(l->store, hash, &l->blob);
	if (r != 0)
		return (r);
	*bytes = buf_str(&l->blob);
	*len = l->blob.len;
	return (buf_error(&l->blob));
}

/* Whether no account has the key, as one of its keys or its recovery key. */
static int
ledger_register_key(struct ledger *l, struct ledger_job *job,
    const uint8_t key[SIGN_KEY_LEN], const char *at, const char *what)
{
	char other[ORDER_ACCOUNT_MAX + 1];
	int r;

	r = store_account_of_key(l->store, key, other);
	if (r == 0)
		return (err_set(&job->e, ERR_EXISTS, at,
		    "the %s belongs to another account", what));
	return (r == ERR_NOTFOUND ? 0 : ledger_fault(l, r, "find a key"));
}

/* Makes an account. */
static int
ledger_register(struct ledger *l, struct ledger_job *job)
{
	int r;

	r = store_account_find(l->store, job->account);
	if (r == 0)
		return (err_set(&job->e, ERR_EXISTS, "account",
		    "the name \"%s\" is taken", job->account));
	if (r != ERR_NOTFOUND)
		return (ledger_fault(l, r, "find an account"));
	r = ledger_register_key(l, job, job->key, "key", "key");
	if (r == 0 && job->has_recovery)
		r = ledger_register_key(
		    l, job, job->recovery, "recovery", "recovery key");
	if (r != 0 || (r = ledger_limit_disk(l, &job->e)) != 0)
		return (r);
	r = store_account_insert(l->store, job->account, job->display, job->key,
	    job->has_recovery ? job->recovery : NULL,
	    job->has_invite ? job->invite : NULL, clock_wall_ms());
	if (r == ERR_DENIED)
		return (err_set(&job->e, r, "invite",
		    "the invite code has already been used; ask for a new "
		    "one"));
	return (r == 0 ? 0 : ledger_fault(l, r, "store an account"));
}

/* Keeps a blob, within what the account may put. */
static int
ledger_put_blob(struct ledger *l, struct ledger_job *job)
{
	int64_t used;
	int r;

	r = store_blob_used(l->store, job->account, &used);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_LOGIN, NULL,
		    "there is no account \"%s\"", job->account));
	if (r != 0)
		return (ledger_fault(l, r, "find an account"));
	r = store_blob_find(l->store, job->blob_hash);
	if (r != 0 && r != ERR_NOTFOUND)
		return (ledger_fault(l, r, "find a blob"));
	if (r == ERR_NOTFOUND &&
	    (int64_t)job->blob_len > l->conf.blob_quota - used)
		return (err_set(&job->e, ERR_LIMIT, "value",
		    "the account's blobs come to %lld bytes; %lld are allowed",
		    (long long)used, (long long)l->conf.blob_quota));
	if (r == ERR_NOTFOUND && (r = ledger_limit_disk(l, &job->e)) != 0)
		return (r);
	r = store_blob_insert(l->store, job->blob_hash, job->blob,
	    job->blob_len, job->account, clock_wall_ms());
	return (r == 0 ? 0 : ledger_fault(l, r, "store a blob"));
}

/* Runs what a job asks for, in a savepoint that is open. */
static int
ledger_run_op(struct ledger *l, struct ledger_slot *slot)
{
	switch (slot->job->op) {
	case LEDGER_ORDER:
		return (ledger_order_run(l, slot));
	case LEDGER_TOURNAMENT:
		return (ledger_entry_run(l, slot));
	case LEDGER_REGISTER:
		return (ledger_register(l, slot->job));
	case LEDGER_KEY:
		return (ledger_key_run(l, slot));
	case LEDGER_BLOB:
		return (ledger_put_blob(l, slot->job));
	case LEDGER_INVITE:
		return (ledger_admit_invite(l, slot));
	case LEDGER_BLOCK:
		return (ledger_admit_block(l, slot->job));
	case LEDGER_ADDRESS:
		return (ledger_address_run(l, slot->job));
	case LEDGER_NOTICE:
		return (ledger_notice_run(l, slot->job));
	case LEDGER_CLOSE:
		return (ledger_server_close(l, slot));
	case LEDGER_SEAT:
		return (ledger_seat_run(l, slot));
	case LEDGER_ERASE:
		return (ledger_erase_run(l, slot));
	case LEDGER_HEADS:
		return (ledger_recovery_heads(l, slot));
	case LEDGER_HEAL:
		return (ledger_heal_run(l, slot));
	case LEDGER_FORMER:
		return (ledger_former_run(l, slot));
	case LEDGER_RESTORED:
		return (ledger_recovery_restored(l, slot));
	case LEDGER_MEND:
		return (ledger_game_mend(l, slot->job));
	}
	return (ERR_INTERNAL);
}

/* Empties a job's answer. */
static void
ledger_clear_job(struct ledger_job *job)
{
	buf_clear(&job->line);
	buf_clear(&job->refusal);
	memset(&job->e, 0, sizeof(job->e));
	job->seq = 0;
	job->written = 0;
	job->is_repeat = false;
	job->has_dice = false;
	job->phase = NULL;
	job->is_wiped = false;
	job->is_wrong = false;
	job->is_recovering = false;
	job->added = 0;
	job->ended = 0;
	job->brought.is_complete = job->brought.is_bad = false;
	job->head_seq = -1;
	json_decref(job->given);
	json_decref(job->skipped);
	job->given = job->skipped = NULL;
}

/* The same, and sets it to ERR_STORAGE. */
static void
ledger_fail_job(struct ledger_job *job)
{
	ledger_clear_job(job);
	job->r = err_set(&job->e, ERR_STORAGE, NULL,
	    "it may not be on disk; send the same bytes again");
}

/*
 * Forgets the lines that a job wrote which has failed: nobody is told of them,
 * and nothing in memory may be built on them.
 */
static void
ledger_unwrite(struct ledger *l, struct ledger_slot *slot)
{
	if (slot->n_more == 0)
		return;
	ledger_key_clear(slot);
	slot->is_listed = false;
	memset(&slot->listed, 0, sizeof(slot->listed));
	ledger_game_drop_batch(l);
}

/* Runs one job in its savepoint, once, as ledger_run(). */
static int
ledger_run_once(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	int r;

	l->misfit.is_set = false;
	if ((r = store_savepoint(l->store)) != 0)
		return (r);
	job->r = ledger_run_op(l, slot);
	if (job->r == ERR_NOMEM || job->r == ERR_IO)
		return (job->r);
	if (!store_is_open_transaction(l->store))
		return (ERR_STORAGE);
	if (job->r == 0) {
		ledger_recovery_keep(l);
		return (store_release(l->store));
	}
	if ((r = store_rollback_savepoint(l->store)) != 0 ||
	    (r = ledger_recovery_undo(l)) != 0)
		return (r);
	ledger_unwrite(l, slot);
	if (job->r == ERR_STORAGE)
		ledger_fail_job(job);
	return (0);
}

/*
 * Runs one job in its savepoint; again where a game had to be mended first.  0
 * if the job has its answer; a failure ends the whole batch.
 */
static int
ledger_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	const int64_t begun_us = clock_thread_us();
	uint8_t mended[HASH_LEN];
	int i, r;

	for (i = 0;; i++) {
		r = ledger_run_once(l, slot);
		if (r != 0 || !l->misfit.is_set)
			break;
		ledger_clear_job(job);
		/* The rest are left to the next job. */
		if (i == 2 * LEDGER_MEND_MAX) {
			ledger_fail_job(job);
			break;
		}
		/* What does not match even then is past help. */
		if (i > 0 && memcmp(mended, l->misfit.game, HASH_LEN) == 0)
			l->misfit.is_lost = true;
		memcpy(mended, l->misfit.game, HASH_LEN);
		if ((r = ledger_renew_misfit(l)) != 0)
			break;
	}
	job->spent_us = clock_thread_us() - begun_us;
	return (r);
}

/* Adds a byte to a hash. */
static uint64_t
ledger_stir(uint64_t h, uint8_t byte)
{
	h = (h ^ byte) * UINT64_C(0x9e3779b97f4a7c15);
	return (h ^ h >> 32);
}

/*
 * The flow that a job waits in: that of the logged-in account, and one each for
 * all who are not and for what the daemon itself wants.  What a witness gives
 * has one for each game: only there one word has to come after another.
 */
static struct ledger_flow *
ledger_flow(struct ledger *l, const struct ledger_job *job)
{
	uint64_t h = l->seed;
	const char *s;
	size_t i;

	if (job->op == LEDGER_REGISTER ||
	    ((job->op == LEDGER_MEND || job->op == LEDGER_HEAL) &&
		job->account[0] == '\0'))
		return (&l->flows[LEDGER_STRANGERS]);
	if (job->account[0] == '\0')
		return (&l->flows[LEDGER_OWN]);
	for (s = job->account; *s != '\0'; s++)
		h = ledger_stir(h, (uint8_t)*s);
	/* For a witness whole games wait, so each of them has its turn. */
	for (i = 0; i < HASH_LEN && job->is_witness; i++)
		h = ledger_stir(h, job->order.game[i]);
	return (&l->flows[h % LEDGER_FLOWS]);
}

/*
 * True if one more job may wait in a flow.  The first may if there is any room;
 * with more a flow may have an eighth of the room that is left.  So a few who
 * send all that they can do not fill it: it takes as many as there is room for.
 */
static bool
ledger_has_room(const struct ledger *l, const struct ledger_flow *fl)
{
	size_t room;

	if (l->waiting >= l->conf.queue_max)
		return (false);
	room = l->conf.queue_max - l->waiting;
	return (fl->waiting == 0 || fl->waiting < room / LEDGER_SHARE);
}

/*
 * Takes one of the jobs that wait into the batch: one of each flow in turn, so
 * that an account with one job waits for one of everybody else's at most.  All
 * jobs of an account are in one flow, so they stay in their order.
 */
static struct ledger_slot *
ledger_take(struct ledger *l)
{
	struct ledger_slot *slot = &l->slots[l->n_slots++];
	struct ledger_flow *fl;

	pthread_mutex_lock(&l->lock);
	fl = TAILQ_FIRST(&l->ready);
	TAILQ_REMOVE(&l->ready, fl, ready);
	slot->job = fl->first;
	fl->first = fl->first->next;
	fl->waiting--;
	l->waiting--;
	if (fl->waiting > 0)
		TAILQ_INSERT_TAIL(&l->ready, fl, ready);
	pthread_mutex_unlock(&l->lock);
	slot->job->next = NULL;
	return (slot);
}

/*
 * Runs the jobs of a batch as one transaction.  It is full after a time, since
 * none of it is answered before all is stored; there is always one job, to be
 * told what became of it.
 */
static int
ledger_run_all(struct ledger *l)
{
	const int64_t now_ms = clock_wall_ms();
	struct ledger_slot *slot;
	int64_t spent_us = 0;
	bool has_begun;
	int r;

	r = store_begin(l->store);
	ledger_clock_look(&l->clock);
	if (r == 0)
		r = ledger_clock_note(l);
	if (r == 0)
		r = ledger_notice_clock(l, now_ms);
	/* Each attempt to begin may take long: all who wait share one. */
	has_begun = r == 0;
	do {
		slot = ledger_take(l);
		if (r == 0)
			r = ledger_run(l, slot);
		spent_us += slot->job->spent_us;
	} while (l->n_slots < l->most &&
	    (!has_begun || (r == 0 && spent_us < l->conf.batch_us)));
	if (r == 0)
		r = store_commit(l->store);
	if (r == 0)
		l->clock_ms = now_ms;
	return (r);
}

/* Logs that storing fails, and that it works again, once each. */
static void
ledger_note(struct ledger *l, int r)
{
	if (r == 0 && l->is_ailing)
		log_info("storing works again");
	if (r != 0 && !l->is_ailing)
		log_errorx("cannot store: %s (%s)", err_name(r),
		    store_reason(l->store));
	l->is_ailing = r != 0;
}

/* Ends the ledger's work: what the disk holds is no longer known. */
static void
ledger_break(struct ledger *l)
{
	struct errinfo e;

	pthread_mutex_lock(&l->lock);
	l->is_broken = true;
	pthread_mutex_unlock(&l->lock);
	(void)err_set(&e, ERR_IO, NULL,
	    "the database cannot be written safely: %s",
	    store_reason(l->store));
	l->conf.failed(l->conf.arg, &e);
}

/*
 * Tells those who work ahead of the ledger how a game stands now, or that it
 * is not known.
 */
static void
ledger_tell_cache(
    struct ledger *l, const struct ledger_slot *slot, bool is_sure)
{
	const uint8_t *id = slot->job->order.game;
	const struct ledger_game *lg;
	struct game_ahead a;
	size_t i;

	if (l->conf.precompute_cache == NULL)
		return;
	for (i = 0; i < slot->n_more; i++) {
		if (!slot->more[i].is_tournament)
			precompute_cache_drop(
			    l->conf.precompute_cache, slot->more[i].game);
	}
	if (slot->job->op != LEDGER_ORDER)
		return;
	lg = is_sure ? ledger_game_find(l, id) : NULL;
	if (lg == NULL) {
		precompute_cache_drop(l->conf.precompute_cache, id);
		return;
	}
	game_ahead_get(lg->game, &a);
	precompute_cache_put(l->conf.precompute_cache, &a);
	if (slot->is_new)
		precompute_cache_note(l->conf.precompute_cache, id,
		    slot->job->order.kind, slot->job->has_dice);
}

/* Lets the state of a game out, if somebody has asked for it. */
static void
ledger_state(struct ledger *l, const uint8_t id[HASH_LEN])
{
	const struct ledger_game *lg;

	if (l->conf.wants == NULL || (lg = ledger_game_find(l, id)) == NULL ||
	    !l->conf.wants(l->conf.arg, lg->gid))
		return;
	buf_reset(&l->snapshot);
	game_view_write(lg->game, &l->snapshot);
	if (buf_error(&l->snapshot) == 0)
		l->conf.stated(l->conf.arg, lg->gid, game_seq(lg->game),
		    l->snapshot.data, l->snapshot.len);
	buf_reset(&l->snapshot);
}

/* Lets the new lines of a committed job out. */
static void
ledger_publish(struct ledger *l, const struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	const int64_t begun_us = clock_thread_us();
	size_t i;

	/* A client that is told of a line may ask at once how the game stands.
	 */
	if (slot->is_new)
		ledger_state(l, job->order.game);
	for (i = 0; i < slot->n_more; i++)
		ledger_state(l, slot->more[i].game);
	job->spent_us += clock_thread_us() - begun_us;
	for (i = 0; i < slot->n_more; i++)
		l->conf.published(l->conf.arg, slot->more[i].game,
		    slot->more[i].seq, slot->more[i].line.data,
		    slot->more[i].line.len);
	if (slot->is_rekeyed && l->conf.rekeyed != NULL)
		l->conf.rekeyed(l->conf.arg,
		    slot->rekeyed[0] != '\0' ? slot->rekeyed : job->account);
	if (slot->is_new)
		l->conf.published(l->conf.arg, job->order.game, job->seq,
		    job->line.data, job->line.len);
	if (slot->is_new && slot->fault.len > 0)
		l->conf.published(l->conf.arg, job->order.game, job->seq + 1,
		    slot->fault.data, slot->fault.len);
	if (slot->is_erased && l->conf.erased != NULL)
		l->conf.erased(l->conf.arg, &slot->erased);
	/* After the lines, for those who stop watching a game because of it. */
	if (slot->is_listed && l->conf.listed != NULL)
		l->conf.listed(l->conf.arg, &slot->listed);
}

/* Runs a batch and answers all of it. */
static void
ledger_batch(struct ledger *l)
{
	struct ledger_slot *slot;
	struct ledger_job *job;
	bool is_parked;
	int r, wiped = 0;
	size_t i;

	l->batch++;
	l->has_waiting = false;
	r = ledger_run_all(l);
	l->jobs += (int64_t)l->n_slots;
	if (r != 0) {
		ledger_note(l, r);
		store_rollback(l->store);
		ledger_game_drop_batch(l);
	} else {
		ledger_note(l, 0);
		if (l->has_waiting && l->conf.waiting != NULL)
			l->conf.waiting(l->conf.arg);
		if ((wiped = ledger_erase_wipe(l)) != 0)
			ledger_note(l, wiped);
	}
	ledger_clock_settle(l, r == 0);
	ledger_recovery_settle(l, r == 0);
	for (i = 0; i < l->n_slots; i++) {
		slot = &l->slots[i];
		job = slot->job;
		ledger_tell_cache(l, slot, r == 0);
		if (r != 0)
			ledger_fail_job(job);
		else
			ledger_publish(l, slot);
		slot->job = NULL;
		job->is_wiped = !l->wants_wipe;
		is_parked = slot->is_parked && r == 0;
		slot->is_parked = false;
		slot->is_new = slot->is_listed = slot->is_erased = false;
		memset(&slot->listed, 0, sizeof(slot->listed));
		buf_clear(&slot->fault);
		ledger_key_clear(slot);
		if (is_parked && job->is_waiting)
			ledger_clear_job(job);
		if (is_parked)
			ledger_pairer_take(job->is_waiting ? l->maker
				: job->op == LEDGER_FORMER ? l->reader
							   : l->pairer,
			    job);
		else
			job->done(job, job->arg);
	}
	l->n_slots = 0;
	if (r == 0) {
		r = store_checkpoint(l->store);
		if (r != 0)
			ledger_note(l, r);
		ledger_heads_sync(l);
	}
	ledger_recovery_look(l);
	if (r == ERR_IO || wiped == ERR_IO)
		ledger_break(l);
}

/* Answers a batch without running it. */
static void
ledger_refuse_batch(struct ledger *l)
{
	struct ledger_slot *slot;
	struct ledger_job *job;

	for (; l->most > 0; l->most--) {
		slot = ledger_take(l);
		job = slot->job;
		slot->job = NULL;
		l->n_slots = 0;
		ledger_fail_job(job);
		job->done(job, job->arg);
	}
}

/*
 * Looks at the clock, and empties the log, while no orders come; when orders
 * begin or cease to be taken that is stored, since the time counts for those
 * who gave none, too.
 */
static void
ledger_look(struct ledger *l)
{
	int r;

	if ((r = ledger_erase_wipe(l)) != 0) {
		ledger_note(l, r);
		if (r == ERR_IO)
			ledger_break(l);
		return;
	}
	ledger_heads_sync(l);
	ledger_recovery_look(l);
	ledger_clock_look(&l->clock);
	if (!ledger_clock_is_due(&l->clock))
		return;
	if ((r = store_begin(l->store)) == 0 && (r = ledger_clock_note(l)) == 0)
		r = store_commit(l->store);
	ledger_note(l, r);
	if (r != 0)
		store_rollback(l->store);
	ledger_clock_settle(l, r == 0);
	if (r == ERR_IO)
		ledger_break(l);
}

/* How long to wait for jobs before something else is to be looked at. */
static int64_t
ledger_patience_ms(const struct ledger *l)
{
	const int64_t due_ms = ledger_recovery_due_ms(l);

	if (l->wants_wipe || l->heads.is_dirty)
		return (LEDGER_WIPE_MS);
	return (due_ms < LEDGER_LOOK_MS ? due_ms + 1 : LEDGER_LOOK_MS);
}

/*
 * Waits for jobs, with the lock held; every minute it looks at the clock, so
 * that the log says in time if that is wrong.
 */
static void
ledger_wait(struct ledger *l)
{
	struct timespec until;
	int64_t now_ms;

	while (l->waiting == 0 && !l->is_stopping) {
		now_ms = clock_mono_ms() + ledger_patience_ms(l);
		until.tv_sec = (time_t)(now_ms / 1000);
		until.tv_nsec = (long)(now_ms % 1000) * 1000000;
		if (pthread_cond_timedwait(&l->wake, &l->lock, &until) !=
		    ETIMEDOUT)
			continue;
		if (l->is_broken)
			continue;
		pthread_mutex_unlock(&l->lock);
		ledger_look(l);
		pthread_mutex_lock(&l->lock);
	}
}

/* The ledger's thread. */
static void *
ledger_thread_cb(void *arg)
{
	struct ledger *l = arg;
	bool is_broken;

	for (;;) {
		pthread_mutex_lock(&l->lock);
		ledger_wait(l);
		/* A job that comes later may go first, but does not keep it
		 * open. */
		l->most = l->waiting < LEDGER_BATCH ? l->waiting : LEDGER_BATCH;
		l->conf.channels = l->channels;
		l->conf.notify_delay_ms = l->notify_delay_ms;
		l->conf.limits = l->limits;
		is_broken = l->is_broken;
		pthread_mutex_unlock(&l->lock);
		if (l->most == 0)
			return (NULL);
		if (is_broken)
			ledger_refuse_batch(l);
		else
			ledger_batch(l);
	}
}

/* Frees what ledger_start() made, except the thread. */
static void
ledger_free(struct ledger *l)
{
	size_t i;

	ledger_pairer_free(l->pairer);
	ledger_pairer_free(l->reader);
	ledger_pairer_free(l->maker);
	for (i = 0; i < LEDGER_MADE; i++)
		tournament_free(l->made[i]);
	ledger_game_drop_all(l);
	store_close(l->store);
	ledger_limit_close(l);
	buf_clear(&l->blob);
	buf_clear(&l->snapshot);
	ledger_clock_clear(&l->clock);
	ledger_recovery_clear(l);
	pthread_cond_destroy(&l->wake);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* Starts the thread, which takes no signals. */
static int
ledger_start_thread(struct ledger *l)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&l->thread, NULL, ledger_thread_cb, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return (rc);
}

int
ledger_start(
    const struct ledger_config *conf, struct ledger **out, struct errinfo *e)
{
	pthread_condattr_t steady;
	int64_t newest_ms = 0;
	struct ledger *l;
	size_t i;
	int r, rc;

	l = calloc(1, sizeof(*l));
	if (l == NULL)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	l->conf = *conf;
	l->conf.database = NULL; /* no longer needed */
	TAILQ_INIT(&l->ready);
	l->channels = conf->channels;
	l->notify_delay_ms = conf->notify_delay_ms;
	l->limits = conf->limits;
	l->disk_fd = -1;
	l->heads.fd = -1;
	buf_init(&l->heads.waiting, 0);
	l->clock_ms = INT64_MAX; /* the first batch looks */
	l->blobs = (struct game_blobs){ledger_blob_get, l};
	buf_init(&l->blob, RECORD_BLOB_MAX);
	buf_init(&l->snapshot, 0);
	TAILQ_INIT(&l->games);
	TAILQ_INIT(&l->tournaments);
	for (i = 0; i < LEDGER_BUCKETS; i++)
		LIST_INIT(&l->buckets[i]);
	for (i = 0; i < LEDGER_BATCH; i++)
		buf_init(&l->slots[i].fault, RECORD_LINE_MAX);
	pthread_mutex_init(&l->lock, NULL);
	(void)pthread_condattr_init(&steady);
	(void)pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
	pthread_cond_init(&l->wake, &steady);
	(void)pthread_condattr_destroy(&steady);
	if ((r = hash_random(&l->seed, sizeof(l->seed))) != 0) {
		(void)err_set(e, r, NULL, "%s", err_text(r));
		goto fail;
	}
	r = store_open_writer(conf->database, false, &l->store, e);
	if (r != 0)
		goto fail;
	if ((r = ledger_limit_open(l, conf->database, e)) != 0 ||
	    (r = ledger_renew(l, e)) != 0 ||
	    (r = ledger_recovery_begin(l, conf->database, e)) != 0)
		goto fail;
	/* Whoever ran before may have been killed before that. */
	l->wants_wipe = true;
	if ((r = ledger_erase_wipe(l)) != 0) {
		(void)err_set(e, r, NULL, "cannot empty the log of \"%s\": %s",
		    conf->database, store_reason(l->store));
		goto fail;
	}
	r = store_record_newest(l->store, &newest_ms);
	if (r == 0 || r == ERR_NOTFOUND || r == ERR_STORAGE)
		r = store_standstill_find(l->store, -1);
	if (r != 0 && r != ERR_NOTFOUND) {
		(void)err_set(e, r, NULL, "cannot read \"%s\": %s",
		    conf->database, store_reason(l->store));
		goto fail;
	}
	r = ledger_clock_begin(&l->clock, conf->database, r == 0, newest_ms);
	if (r != 0) {
		(void)err_set(e, r, NULL, "out of memory");
		goto fail;
	}
	if ((r = ledger_pairer_start(l, conf->database, &l->pairer, e)) != 0 ||
	    (r = ledger_pairer_start(l, conf->database, &l->reader, e)) != 0 ||
	    (r = ledger_pairer_start(l, conf->database, &l->maker, e)) != 0)
		goto fail;
	rc = ledger_start_thread(l);
	if (rc != 0) {
		r = err_set(
		    e, ERR_IO, NULL, "cannot start a thread: %s", strerror(rc));
		goto fail;
	}
	*out = l;
	return (0);
fail:
	ledger_pairer_stop(l->pairer);
	ledger_pairer_stop(l->reader);
	ledger_pairer_stop(l->maker);
	ledger_free(l);
	return (r);
}

int
ledger_submit(struct ledger *l, struct ledger_job *job)
{
	struct ledger_flow *fl = ledger_flow(l, job);
	int r = ERR_BUSY;

	pthread_mutex_lock(&l->lock);
	if (!l->is_stopping && !l->is_broken && ledger_has_room(l, fl)) {
		job->next = NULL;
		if (fl->waiting == 0) {
			fl->first = job;
			TAILQ_INSERT_TAIL(&l->ready, fl, ready);
		} else {
			fl->last->next = job;
		}
		fl->last = job;
		fl->waiting++;
		l->waiting++;
		pthread_cond_signal(&l->wake);
		r = 0;
	}
	pthread_mutex_unlock(&l->lock);
	return (r);
}

int
ledger_resubmit(struct ledger *l, struct ledger_job *job)
{
	struct ledger_flow *fl = ledger_flow(l, job);
	int r = ERR_BUSY;

	pthread_mutex_lock(&l->lock);
	if (!l->is_stopping && !l->is_broken) {
		job->next = fl->first;
		fl->first = job;
		if (fl->waiting == 0) {
			fl->last = job;
			TAILQ_INSERT_TAIL(&l->ready, fl, ready);
		}
		fl->waiting++;
		l->waiting++;
		pthread_cond_signal(&l->wake);
		r = 0;
	}
	pthread_mutex_unlock(&l->lock);
	return (r);
}

void
ledger_set_notify(struct ledger *l, unsigned channels, int64_t notify_delay_ms)
{
	pthread_mutex_lock(&l->lock);
	l->channels = channels;
	l->notify_delay_ms = notify_delay_ms;
	pthread_mutex_unlock(&l->lock);
}

void
ledger_set_limits(struct ledger *l, const struct ledger_limits *limits)
{
	pthread_mutex_lock(&l->lock);
	l->limits = *limits;
	pthread_mutex_unlock(&l->lock);
}

void
ledger_stop(struct ledger *l)
{
	if (l == NULL)
		return;
	ledger_pairer_stop(l->pairer);
	ledger_pairer_stop(l->reader);
	ledger_pairer_stop(l->maker);
	pthread_mutex_lock(&l->lock);
	l->is_stopping = true;
	pthread_cond_signal(&l->wake);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	if (l->jobs > 0)
		log_info("the ledger did %lld jobs in %lld transactions",
		    (long long)l->jobs, (long long)l->batch);
	ledger_free(l);
}
