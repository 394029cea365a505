/* SPDX-License-Identifier: ISC */
/*
 * To pair a thousand entrants takes seconds, in which no other game may wait.
 * So an order that needs a pairing leaves the ledger, which goes on; this
 * thread makes the tournament of what is stored, works the pairing out, and
 * hands the order back with it.  The ledger takes the pairing only if no line
 * upon which it rests has come since.  The record of a tournament that one here
 * is to continue is verified by a second thread of this kind, so that no round
 * waits for that; and a third makes long tournaments of their lines that are
 * not in memory, as after a start, when an order needs one.
 */
#include <sys/resource.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept_tournament.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define LEDGER_PAIRER_NICE 5 /* games go before */
#define LEDGER_PAIRER_FRESH_MS 10000 /* what was made is not made again */

struct ledger_pairer {
	struct ledger *l; /* borrowed */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Under the lock. */
	struct ledger_job *first, *last; /* that wait */
	struct ledger_job *job; /* whose pairing is worked out */
	bool is_ready; /* the thread runs, and has its priority */
	bool is_stopping;
	bool is_left; /* the thread was not waited for */
	/* The thread's own. */
	struct store *reader;
	/* The last that was worked out, for those who ask for the same. */
	uint8_t tournament[HASH_LEN];
	int64_t rests_seq; /* -1: none */
	json_t *paired;
	/* The tournament that was made last, when; and itself until it is given
	 * away. */
	uint8_t made[HASH_LEN];
	int64_t made_ms;
	struct tournament *fresh;
};

/* What threads still use that were not waited for. */
#define LEDGER_PAIRER_LEFT 3
static struct ledger_pairer *ledger_pairer_left[LEDGER_PAIRER_LEFT];

/* Answers a job that is not done. */
static void
ledger_pairer_refuse(struct ledger_job *job)
{
	job->r = err_set(
	    &job->e, ERR_BUSY, "", "the server is stopping; send it again");
	job->done(job, job->arg);
}

/* Works a pairing out, if it is not that which was worked out last. */
static int
ledger_pairer_work(struct ledger_pairer *p, const struct tournament *t)
{
	json_t *paired;
	int r;

	if (p->paired != NULL && p->rests_seq == tournament_rests_seq(t) &&
	    memcmp(p->tournament, tournament_id(t), HASH_LEN) == 0)
		return (0);
	if ((r = tournament_work_pairing(t, &paired)) != 0)
		return (r);
	json_decref(p->paired);
	p->paired = paired;
	p->rests_seq = tournament_rests_seq(t);
	memcpy(p->tournament, tournament_id(t), HASH_LEN);
	return (0);
}

/*
 * Finds the pairing that a job waits for, which may be answered meanwhile: what
 * is needed of it was copied.  ERR_NOTFOUND: there is none to be found.
 */
static int
ledger_pairer_find(
    struct ledger_pairer *p, const uint8_t id[HASH_LEN], int64_t round)
{
	struct errinfo why = {.text = ""};
	struct store_tournament_row row;
	struct tournament *t = NULL;
	char hex[2 * HASH_LEN + 1];
	int r;

	r = store_tournament_find(p->reader, id, &row);
	if (r == 0)
		r = kept_tournament(p->reader, &row, true, &t, &why);
	if (r == 0 && round > 0 && round != tournament_paired(t) + 1)
		r = ERR_NOTFOUND; /* it was paired meanwhile */
	if (r == 0)
		r = ledger_pairer_work(p, t);
	tournament_free(t);
	if (r != 0 && r != ERR_NOTFOUND) {
		hex_format(hex, id, HASH_LEN);
		log_errorx("tournament %.16s cannot be paired: %s", hex,
		    why.text[0] == '\0' ? err_text(r) : why.text);
	}
	return (r);
}

/*
 * Makes a tournament of its lines.  Jobs that wanted the same one meanwhile
 * find it in the ledger, or there where the first one's is.
 */
static int
ledger_pairer_make(struct ledger_pairer *p, const uint8_t id[HASH_LEN])
{
	struct errinfo why = {.text = ""};
	struct store_tournament_row row;
	int r;

	if (p->made_ms != 0 && memcmp(p->made, id, HASH_LEN) == 0 &&
	    clock_mono_ms() - p->made_ms < LEDGER_PAIRER_FRESH_MS)
		return (0);
	p->made_ms = 0;
	if ((r = store_tournament_find(p->reader, id, &row)) != 0 ||
	    (r = kept_tournament(p->reader, &row, true, &p->fresh, &why)) != 0)
		return (r);
	memcpy(p->made, id, HASH_LEN);
	p->made_ms = clock_mono_ms();
	return (0);
}

/*
 * Hands a job back.  Where no pairing was found it goes without, and the ledger
 * finds out why.
 */
static void
ledger_pairer_return(struct ledger_pairer *p, struct ledger_job *job, int r,
    const struct errinfo *why)
{
	if (job->is_waiting) {
		job->is_waiting = false;
		job->has_waited = true;
		if (p->fresh != NULL)
			ledger_tournament_made(p->l, p->fresh);
		p->fresh = NULL;
		job->pairings--; /* it has had none */
	} else if (job->op == LEDGER_FORMER) {
		job->brought.is_judged = true;
		job->brought.judged = r;
		job->brought.why = *why;
	} else if (r == 0) {
		json_decref(job->paired);
		/* Nobody else has it while the ledger does. */
		job->paired = json_deep_copy(p->paired);
		job->rests_seq = p->rests_seq;
	}
	job->pairings++;
	if (ledger_resubmit(p->l, job) != 0)
		ledger_pairer_refuse(job);
}

/* What a job is about. */
struct ledger_pairer_task {
	bool is_former; /* what an account has brought is to be verified */
	bool is_wanted; /* a tournament is to be made */
	char account[ORDER_ACCOUNT_MAX + 1];
	uint8_t id[HASH_LEN];
	uint8_t head[HASH_LEN]; /* of what was brought */
	int64_t round; /* to be paired; 0 */
};

/*
 * Waits for a job, which is then in hand, and copies what it is about: at the
 * end it may be answered, and gone, as soon as the lock is.  False at the end.
 */
static bool
ledger_pairer_wait(struct ledger_pairer *p, struct ledger_pairer_task *task)
{
	const struct entry *o;
	bool is_job;

	pthread_mutex_lock(&p->lock);
	while (p->first == NULL && !p->is_stopping)
		pthread_cond_wait(&p->wake, &p->lock);
	p->job = p->is_stopping ? NULL : p->first;
	if (p->job != NULL) {
		p->first = p->job->next;
		o = &p->job->entry;
		task->is_wanted = p->job->is_waiting;
		task->is_former = p->job->op == LEDGER_FORMER;
		memcpy(task->account, p->job->account, sizeof(task->account));
		memcpy(task->id,
		    task->is_wanted       ? p->job->wanted
			: task->is_former ? p->job->game
					  : o->tournament,
		    HASH_LEN);
		memcpy(task->head, p->job->brought.head, HASH_LEN);
		task->round =
		    p->job->op == LEDGER_TOURNAMENT && o->kind == ENTRY_PAIR
		    ? js_int(o->args, "round")
		    : 0;
	}
	is_job = p->job != NULL;
	pthread_mutex_unlock(&p->lock);
	return (is_job);
}

/* The thread. */
static void *
ledger_pairer_cb(void *arg)
{
	struct ledger_pairer *p = arg;
	struct ledger_pairer_task task;
	struct errinfo why;
	struct ledger_job *job;
	int r;

	/* Of this thread alone; without it rounds are paired all the same. */
	(void)setpriority(PRIO_PROCESS, 0, LEDGER_PAIRER_NICE);
	pthread_mutex_lock(&p->lock);
	p->is_ready = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	while (ledger_pairer_wait(p, &task)) {
		memset(&why, 0, sizeof(why));
		if (task.is_wanted)
			r = ledger_pairer_make(p, task.id);
		else if (task.is_former)
			r = ledger_former_verify(
			    p->reader, task.account, task.id, task.head, &why);
		else
			r = ledger_pairer_find(p, task.id, task.round);
		pthread_mutex_lock(&p->lock);
		job = p->job;
		p->job = NULL;
		pthread_mutex_unlock(&p->lock);
		if (job == NULL)
			return (NULL); /* nobody waits for it any more */
		ledger_pairer_return(p, job, r, &why);
	}
	return (NULL);
}

int
ledger_pairer_start(struct ledger *l, const char *database,
    struct ledger_pairer **out, struct errinfo *e)
{
	struct ledger_pairer *p;
	sigset_t all, old;
	int r, rc;

	if ((p = calloc(1, sizeof(*p))) == NULL)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	p->l = l;
	p->rests_seq = -1;
	if ((r = store_open_reader(database, &p->reader, e)) != 0) {
		free(p);
		return (r);
	}
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&p->thread, NULL, ledger_pairer_cb, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc == 0) {
		/* The sandbox, which comes next, lets nobody do that. */
		pthread_mutex_lock(&p->lock);
		while (!p->is_ready)
			pthread_cond_wait(&p->wake, &p->lock);
		pthread_mutex_unlock(&p->lock);
		*out = p;
		return (0);
	}
	p->is_stopping = true;
	ledger_pairer_free(p);
	return (err_set(
	    e, ERR_IO, NULL, "cannot start a thread: %s", strerror(rc)));
}

void
ledger_pairer_take(struct ledger_pairer *p, struct ledger_job *job)
{
	bool is_stopping;

	job->next = NULL;
	pthread_mutex_lock(&p->lock);
	is_stopping = p->is_stopping;
	if (!is_stopping) {
		if (p->first == NULL)
			p->first = job;
		else
			p->last->next = job;
		p->last = job;
		pthread_cond_signal(&p->wake);
	}
	pthread_mutex_unlock(&p->lock);
	if (is_stopping)
		ledger_pairer_refuse(job);
}

void
ledger_pairer_stop(struct ledger_pairer *p)
{
	struct ledger_job *job;
	size_t i;

	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->is_stopping = true;
	job = p->job;
	p->is_left = job != NULL;
	for (i = 0; p->is_left && i < LEDGER_PAIRER_LEFT; i++) {
		if (ledger_pairer_left[i] == NULL) {
			ledger_pairer_left[i] = p;
			break;
		}
	}
	p->job = NULL;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	/* It takes seconds, which the end of the daemon has not. */
	if (job != NULL) {
		(void)pthread_detach(p->thread);
		ledger_pairer_refuse(job);
	} else {
		(void)pthread_join(p->thread, NULL);
	}
	while ((job = p->first) != NULL) {
		p->first = job->next;
		ledger_pairer_refuse(job);
	}
}

void
ledger_pairer_free(struct ledger_pairer *p)
{
	if (p == NULL || p->is_left)
		return;
	store_close(p->reader);
	json_decref(p->paired);
	tournament_free(p->fresh);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->wake);
	free(p);
}
