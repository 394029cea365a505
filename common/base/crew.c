/* SPDX-License-Identifier: ISC */
#include "common/base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "common/base/err.h"

#define CREW_THREADS 15

enum crew_step { CREW_DUE, CREW_BEGUN, CREW_DONE };

struct crew {
	crew_job *job;
	void *arg;
	size_t n;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t is_done; /* some job */
	unsigned char *steps; /* owned */
	size_t next; /* before it none is due */
	size_t n_done;
	bool is_ending;
	pthread_t threads[CREW_THREADS];
	size_t n_threads;
};

/* Does a job that is due; called with the lock, which it gives up meanwhile. */
static void
crew_do(struct crew *c, size_t i)
{
	c->steps[i] = CREW_BEGUN;
	(void)pthread_mutex_unlock(&c->lock);
	c->job(c->arg, i);
	(void)pthread_mutex_lock(&c->lock);
	c->steps[i] = CREW_DONE;
	c->n_done++;
	(void)pthread_cond_broadcast(&c->is_done);
}

/* Finds the first job that is due; false if there is none. */
static bool
crew_due(struct crew *c, size_t *i)
{
	while (c->next < c->n && c->steps[c->next] != CREW_DUE)
		c->next++;
	*i = c->next;
	return (c->next < c->n);
}

/* A thread: does jobs until none is due. */
static void *
crew_run_cb(void *arg)
{
	struct crew *c = arg;
	size_t i;

	(void)pthread_mutex_lock(&c->lock);
	while (!c->is_ending && crew_due(c, &i))
		crew_do(c, i);
	(void)pthread_mutex_unlock(&c->lock);
	return (NULL);
}

int
crew_new(
    size_t n, crew_job *job, void *arg, bool is_parallel, struct crew **out)
{
	struct crew *c;
	cpu_set_t cpus;
	int spare = 0;

	if ((c = calloc(1, sizeof(*c))) == NULL ||
	    (c->steps = calloc(n + 1, 1)) == NULL) {
		free(c);
		return (ERR_NOMEM);
	}
	c->n = n;
	c->job = job;
	c->arg = arg;
	/* Linux has no way for these two to fail. */
	(void)pthread_mutex_init(&c->lock, NULL);
	(void)pthread_cond_init(&c->is_done, NULL);
	if (is_parallel && n > 1 &&
	    sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		spare = CPU_COUNT(&cpus) - 1;
	/* With fewer threads, or none, it does the same. */
	while (spare-- > 0 && c->n_threads < CREW_THREADS &&
	    pthread_create(&c->threads[c->n_threads], NULL, crew_run_cb, c) ==
		0)
		c->n_threads++;
	*out = c;
	return (0);
}

void
crew_free(struct crew *c)
{
	size_t i;

	if (c == NULL)
		return;
	(void)pthread_mutex_lock(&c->lock);
	c->is_ending = true;
	(void)pthread_mutex_unlock(&c->lock);
	for (i = 0; i < c->n_threads; i++)
		(void)pthread_join(c->threads[i], NULL);
	(void)pthread_cond_destroy(&c->is_done);
	(void)pthread_mutex_destroy(&c->lock);
	free(c->steps);
	free(c);
}

void
crew_need(struct crew *c, size_t i)
{
	size_t other;

	(void)pthread_mutex_lock(&c->lock);
	while (c->steps[i] != CREW_DONE) {
		if (c->steps[i] == CREW_DUE)
			crew_do(c, i);
		else if (crew_due(c, &other))
			crew_do(c, other);
		else
			(void)pthread_cond_wait(&c->is_done, &c->lock);
	}
	(void)pthread_mutex_unlock(&c->lock);
}

size_t
crew_done(struct crew *c)
{
	size_t n;

	(void)pthread_mutex_lock(&c->lock);
	n = c->n_done;
	(void)pthread_mutex_unlock(&c->lock);
	return (n);
}
