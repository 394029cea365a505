/* SPDX-License-Identifier: ISC */
#include "web/web_check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "client/base/xalloc.h"
#include "server/base/log.h"

/* A job that is out. */
struct web_check_job {
	uint8_t id[HASH_LEN];
	bool is_out;
	web_check_done *done; /* NULL: nobody waits */
	void *arg;
};

struct web_check {
	int fd; /* -1: it is the bufferevent's, or closed */
	struct bufferevent *bev; /* owned; NULL: there is no process */
	struct web_check_job jobs[WEB_CHECKER_JOBS];
};

int
web_check_new(
    const struct web_conf *conf, struct web_check **out, struct errinfo *e)
{
	struct web_check *k;
	int fd, r;

	*out = NULL;
	if ((r = web_checker_new(conf, &fd, e)) != 0)
		return (r);
	k = xalloc(sizeof(*k));
	k->fd = fd;
	*out = k;
	return (0);
}

/* Says what became of the job. */
static void
web_check_end(struct web_check_job *j, const json_t *verdict)
{
	web_check_done *done = j->done;

	j->is_out = false;
	j->done = NULL;
	if (done != NULL)
		done(j->arg, verdict);
}

/* Goes on without a process. */
static void
web_check_lose(struct web_check *k)
{
	size_t i;

	log_errorx("the process that verifies tournaments with their games has "
		   "ended: none is until umpire-web is started again");
	bufferevent_free(k->bev);
	k->bev = NULL;
	for (i = 0; i < WEB_CHECKER_JOBS; i++) {
		if (k->jobs[i].is_out)
			web_check_end(&k->jobs[i], NULL);
	}
}

/* The job of a tournament; NULL: there is none. */
static struct web_check_job *
web_check_find(struct web_check *k, const uint8_t id[HASH_LEN])
{
	size_t i;

	for (i = 0; i < WEB_CHECKER_JOBS; i++) {
		if (k->jobs[i].is_out &&
		    memcmp(k->jobs[i].id, id, HASH_LEN) == 0)
			return (&k->jobs[i]);
	}
	return (NULL);
}

/* Takes a reply; false: there is none yet, or no process any more. */
static bool
web_check_reply(struct web_check *k)
{
	struct evbuffer *in = bufferevent_get_input(k->bev);
	struct web_checker_head head;
	struct web_check_job *j;
	json_t *v = NULL;

	if (evbuffer_copyout(in, &head, sizeof(head)) != (ssize_t)sizeof(head))
		return (false);
	j = web_check_find(k, head.id);
	if (head.len > WEB_CHECKER_REPLY || j == NULL) {
		web_check_lose(k);
		return (false);
	}
	if (evbuffer_get_length(in) < sizeof(head) + head.len)
		return (false);
	(void)evbuffer_drain(in, sizeof(head));
	if (head.is_done != 0 && head.len > 0)
		v = json_loadb((const char *)evbuffer_pullup(in, head.len),
		    head.len, 0, NULL);
	(void)evbuffer_drain(in, head.len);
	if (v == NULL)
		log_warnx("a tournament could not be verified with its games");
	web_check_end(j, v);
	json_decref(v);
	return (true);
}

/* It has written. */
static void
web_check_read_cb(struct bufferevent *bev, void *arg)
{
	(void)bev;
	while (web_check_reply(arg))
		continue;
}

/* Its end of the socket was closed. */
static void
web_check_event_cb(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0)
		web_check_lose(arg);
}

void
web_check_start(struct web_check *k, struct event_base *base)
{
	if (evutil_make_socket_nonblocking(k->fd) != 0 ||
	    (k->bev = bufferevent_socket_new(
		 base, k->fd, BEV_OPT_CLOSE_ON_FREE)) == NULL)
		xalloc_die();
	k->fd = -1;
	bufferevent_setcb(
	    k->bev, web_check_read_cb, NULL, web_check_event_cb, k);
	if (bufferevent_enable(k->bev, EV_READ | EV_WRITE) != 0)
		xalloc_die();
}

void
web_check_free(struct web_check *k)
{
	if (k == NULL)
		return;
	if (k->bev != NULL)
		bufferevent_free(k->bev);
	if (k->fd != -1)
		(void)close(k->fd);
	free(k);
}

bool
web_check_is_up(const struct web_check *k)
{
	return (k->bev != NULL);
}

void
web_check_begin(struct web_check *k, const struct web_checker_job *job,
    web_check_done *done, void *arg)
{
	struct web_check_job *j = k->jobs;

	while (j->is_out)
		j++;
	memcpy(j->id, job->id, HASH_LEN);
	j->is_out = true;
	j->done = done;
	j->arg = arg;
	if (bufferevent_write(k->bev, job, sizeof(*job)) != 0)
		xalloc_die();
}

void
web_check_forget(struct web_check *k)
{
	size_t i;

	for (i = 0; i < WEB_CHECKER_JOBS; i++)
		k->jobs[i].done = NULL;
}
