/* SPDX-License-Identifier: ISC */
/*
 * A queue of checks.  Whoever finds it full takes one out and does it, so that
 * no thread ever waits for another while there is work.
 */
#include "common/crypt/checker.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"

#define CHECKER_THREADS 15
#define CHECKER_ROOM 256 /* checks that wait */
#define CHECKER_MESSAGE 2048 /* bytes; longer ones are checked at once */

/* One check, or other work. */
struct checker_job {
	checker_work *work; /* NULL: a check */
	void *arg; /* borrowed */
	const char *tag; /* static; NULL: a proof */
	uint8_t key[VRF_KEY_LEN];
	uint8_t given[VRF_PROOF_LEN]; /* signature or proof */
	size_t n;
	uint8_t message[CHECKER_MESSAGE];
};

struct checker {
	pthread_mutex_t lock; /* of all below but threads */
	pthread_cond_t is_due; /* a check, or the end */
	pthread_cond_t is_idle; /* nothing is due, and nobody at work */
	struct checker_job jobs[CHECKER_ROOM]; /* a ring */
	size_t first;
	size_t n;
	size_t n_busy; /* threads with a check in hand */
	bool is_ending;
	int r; /* of the first check that failed */
	pthread_t threads[CHECKER_THREADS];
	size_t n_threads;
};

/* Does the first check; called with the lock, which it gives up meanwhile. */
static void
checker_step(struct checker *c)
{
	const struct checker_job *from = &c->jobs[c->first];
	uint8_t beta[VRF_BETA_LEN];
	struct checker_job job;
	int r;

	memcpy(&job, from, offsetof(struct checker_job, message) + from->n);
	c->first = (c->first + 1) % CHECKER_ROOM;
	c->n--;
	c->n_busy++;
	(void)pthread_mutex_unlock(&c->lock);
	if (job.work != NULL)
		r = job.work(job.arg);
	else if (job.tag != NULL)
		r = sign_check(job.key, job.tag, job.message, job.n, job.given);
	else
		r = vrf_check(job.key, job.message, job.n, job.given, beta);
	(void)pthread_mutex_lock(&c->lock);
	if (c->r == 0)
		c->r = r;
	c->n_busy--;
	if (c->n_busy == 0 && c->n == 0)
		(void)pthread_cond_broadcast(&c->is_idle);
}

/* A thread: does checks until the end. */
static void *
checker_run_cb(void *arg)
{
	struct checker *c = arg;

	(void)pthread_mutex_lock(&c->lock);
	for (;;) {
		while (c->n == 0 && !c->is_ending)
			(void)pthread_cond_wait(&c->is_due, &c->lock);
		if (c->n == 0)
			break;
		checker_step(c);
	}
	(void)pthread_mutex_unlock(&c->lock);
	return (NULL);
}

int
checker_new(struct checker **out)
{
	struct checker *c;
	cpu_set_t cpus;
	int n;

	*out = NULL;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == -1 ||
	    (n = CPU_COUNT(&cpus) - 1) == 0)
		return (0);
	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (ERR_NOMEM);
	/* Linux has no way for these two to fail. */
	(void)pthread_mutex_init(&c->lock, NULL);
	(void)pthread_cond_init(&c->is_due, NULL);
	(void)pthread_cond_init(&c->is_idle, NULL);
	/* With fewer threads, or none, it does the same. */
	while (n-- > 0 && c->n_threads < CHECKER_THREADS &&
	    pthread_create(
		&c->threads[c->n_threads], NULL, checker_run_cb, c) == 0)
		c->n_threads++;
	*out = c;
	return (0);
}

int
checker_wait(struct checker *c)
{
	int r;

	if (c == NULL)
		return (0);
	(void)pthread_mutex_lock(&c->lock);
	while (c->n > 0)
		checker_step(c);
	while (c->n_busy > 0)
		(void)pthread_cond_wait(&c->is_idle, &c->lock);
	r = c->r;
	c->r = 0;
	(void)pthread_mutex_unlock(&c->lock);
	return (r);
}

int
checker_end(struct checker *c)
{
	size_t i;
	int r;

	if (c == NULL)
		return (0);
	(void)pthread_mutex_lock(&c->lock);
	c->is_ending = true;
	(void)pthread_cond_broadcast(&c->is_due);
	while (c->n > 0)
		checker_step(c);
	(void)pthread_mutex_unlock(&c->lock);
	for (i = 0; i < c->n_threads; i++)
		(void)pthread_join(c->threads[i], NULL);
	r = c->r;
	(void)pthread_cond_destroy(&c->is_idle);
	(void)pthread_cond_destroy(&c->is_due);
	(void)pthread_mutex_destroy(&c->lock);
	free(c);
	return (r);
}

/* Gives the next free place of the queue; called with the lock. */
static struct checker_job *
checker_place(struct checker *c)
{
	while (c->n == CHECKER_ROOM)
		checker_step(c);
	return (&c->jobs[(c->first + c->n++) % CHECKER_ROOM]);
}

/* Puts a check into the queue. */
static void
checker_put(struct checker *c, const char *tag, const void *key, size_t keylen,
    const void *given, size_t givenlen, const void *p, size_t n)
{
	struct checker_job *job;

	(void)pthread_mutex_lock(&c->lock);
	job = checker_place(c);
	job->work = NULL;
	job->tag = tag;
	memcpy(job->key, key, keylen);
	memcpy(job->given, given, givenlen);
	memcpy(job->message, p, n);
	job->n = n;
	(void)pthread_cond_signal(&c->is_due);
	(void)pthread_mutex_unlock(&c->lock);
}

int
checker_sign(struct checker *c, const uint8_t key[SIGN_KEY_LEN],
    const char *tag, const void *p, size_t n, const uint8_t sig[SIGN_LEN])
{
	if (c == NULL || n > CHECKER_MESSAGE)
		return (sign_check(key, tag, p, n, sig));
	checker_put(c, tag, key, SIGN_KEY_LEN, sig, SIGN_LEN, p, n);
	return (0);
}

int
checker_vrf(struct checker *c, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	if (c == NULL || n > CHECKER_MESSAGE)
		return (vrf_check(key, alpha, n, proof, beta));
	checker_put(c, NULL, key, VRF_KEY_LEN, proof, VRF_PROOF_LEN, alpha, n);
	return (vrf_output(proof, beta));
}

int
checker_do(struct checker *c, checker_work *work, void *arg)
{
	struct checker_job *job;

	if (c == NULL)
		return (work(arg));
	(void)pthread_mutex_lock(&c->lock);
	job = checker_place(c);
	job->work = work;
	job->arg = arg;
	job->n = 0;
	(void)pthread_cond_signal(&c->is_due);
	(void)pthread_mutex_unlock(&c->lock);
	return (0);
}
