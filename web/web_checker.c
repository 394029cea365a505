/* SPDX-License-Identifier: ISC */
#include "web/web_checker.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "server/base/log.h"
#include "web/web_checker_cup.h"
#include "web/web_conf.h"
#include "web/web_sandbox.h"

#define WEB_CHECKER_NAME "umpire-web-chk"
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEB_CHECKER_MEMORY RLIM_INFINITY /* its shadow takes all there are */
#else
#define WEB_CHECKER_MEMORY ((rlim_t)1 << 30) /* bytes of addresses */
#endif
#define WEB_CHECKER_KEPT 8 /* processes: more than are at work */
#define WEB_CHECKER_NICE 19

/* A process that verifies one tournament, and stays for its next line. */
struct web_checker_slot {
	pid_t pid; /* 0: there is none */
	int fd; /* our end of its socket */
	struct web_checker_job job; /* the last that it had */
	int64_t used; /* of which number that was */
	bool is_busy;
	char *reply; /* owned: a head, and room for the largest */
	size_t n; /* bytes of it so far */
};

/* The fork. */
struct web_checker {
	const struct web_conf *conf;
	int control;
	struct web_checker_slot slots[WEB_CHECKER_KEPT];
	int64_t jobs; /* that were given */
};

/* Reads n bytes of a socket; false: the other end is closed. */
static bool
web_checker_get(int fd, void *at, size_t n)
{
	return (recv(fd, at, n, MSG_WAITALL) == (ssize_t)n);
}

/* Writes n bytes to it; false likewise. */
static bool
web_checker_put(int fd, const void *at, size_t n)
{
	const char *s = at;
	ssize_t done;

	for (; n > 0; s += done, n -= (size_t)done) {
		if ((done = send(fd, s, n, MSG_NOSIGNAL)) <= 0)
			return (false);
	}
	return (true);
}

/* ---- the process of a tournament ---- */

/* Gives up what is not its own, and has bounds from here on. */
static void
web_checker_bound(struct web_checker *k)
{
	const struct rlimit memory = {
	    .rlim_cur = WEB_CHECKER_MEMORY, .rlim_max = WEB_CHECKER_MEMORY};
	sigset_t late;
	size_t i;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* What this bounds it may do without. */
	(void)setrlimit(RLIMIT_AS, &memory);
	/* This is how too much time ends it. */
	(void)sigemptyset(&late);
	(void)sigaddset(&late, SIGXCPU);
	(void)sigprocmask(SIG_UNBLOCK, &late, NULL);
	(void)close(k->control);
	for (i = 0; i < WEB_CHECKER_KEPT; i++) {
		if (k->slots[i].pid != 0)
			(void)close(k->slots[i].fd);
	}
}

/* Verifies its tournament whenever it is told to. */
static void
web_checker_run(struct web_checker *k, int fd)
{
	struct web_checker_cup *m;
	struct web_checker_head head;
	struct web_checker_job job;
	json_t *v;
	char *text;

	web_checker_bound(k);
	m = web_checker_cup_new(k->conf->cache);
	while (web_checker_get(fd, &job, sizeof(job))) {
		memset(&head, 0, sizeof(head));
		v = web_checker_cup_verify(m, &job);
		text = v == NULL ? NULL : xalloc_dump(v);
		json_decref(v);
		if (text != NULL && strlen(text) <= WEB_CHECKER_REPLY) {
			head.is_done = 1;
			head.len = (uint32_t)strlen(text);
		}
		if (!web_checker_put(fd, &head, sizeof(head)) ||
		    !web_checker_put(fd, text, head.len))
			_exit(0);
		free(text);
	}
	_exit(0);
}

/* ---- the fork ---- */

/* Starts a process where there is none; false: that cannot be. */
static bool
web_checker_start(struct web_checker *k, struct web_checker_slot *s)
{
	int both[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) == -1)
		return (false);
	if ((pid = fork()) == 0) {
		(void)close(both[0]);
		web_checker_run(k, both[1]);
	}
	(void)close(both[1]);
	if (pid == -1) {
		(void)close(both[0]);
		return (false);
	}
	s->pid = pid;
	s->fd = both[0];
	return (true);
}

/* Ends a process, and what it remembers with it. */
static void
web_checker_end(struct web_checker_slot *s)
{
	(void)kill(s->pid, SIGKILL);
	while (waitpid(s->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	(void)close(s->fd);
	s->pid = 0;
}

/* Tells what became of a job; without is_done it came to nothing. */
static void
web_checker_tell(struct web_checker *k, const struct web_checker_job *job,
    const char *text, uint32_t len, bool is_done)
{
	struct web_checker_head head = {.is_done = is_done, .len = len};

	memcpy(head.id, job->id, HASH_LEN);
	if (!web_checker_put(k->control, &head, sizeof(head)) ||
	    !web_checker_put(k->control, text, len))
		_exit(0);
}

/* True if a process is that of a job. */
static bool
web_checker_is_of(
    const struct web_checker_slot *s, const struct web_checker_job *job)
{
	return (s->pid != 0 && memcmp(s->job.id, job->id, HASH_LEN) == 0 &&
	    memcmp(s->job.server, job->server, SIGN_KEY_LEN) == 0);
}

/*
 * The process for a job: its tournament's, a new one, or that of another
 * tournament, which was not asked for longest.  NULL: all are at work.
 */
static struct web_checker_slot *
web_checker_choose(struct web_checker *k, const struct web_checker_job *job)
{
	struct web_checker_slot *s, *best = NULL;
	size_t i;

	for (i = 0; i < WEB_CHECKER_KEPT; i++) {
		s = &k->slots[i];
		if (web_checker_is_of(s, job))
			return (s->is_busy ? NULL : s);
		if (!s->is_busy &&
		    (best == NULL ||
			(best->pid != 0 &&
			    (s->pid == 0 || s->used < best->used))))
			best = s;
	}
	if (best != NULL && best->pid != 0)
		web_checker_end(best);
	return (best);
}

/* Takes a job. */
static void
web_checker_take(struct web_checker *k)
{
	struct web_checker_slot *s;
	struct web_checker_job job;

	if (!web_checker_get(k->control, &job, sizeof(job)))
		_exit(0);
	s = web_checker_choose(k, &job);
	if (s == NULL || (s->pid == 0 && !web_checker_start(k, s))) {
		web_checker_tell(k, &job, NULL, 0, false);
		return;
	}
	s->job = job;
	s->used = ++k->jobs;
	s->is_busy = true;
	s->n = 0;
	/* If it is dead, that is heard. */
	(void)web_checker_put(s->fd, &job, sizeof(job));
}

/* Takes what a process writes; false: it has ended, or makes no sense. */
static bool
web_checker_hear(struct web_checker *k, struct web_checker_slot *s)
{
	struct web_checker_head head;
	size_t want = sizeof(head);
	ssize_t n;

	if (s->n >= sizeof(head)) {
		memcpy(&head, s->reply, sizeof(head));
		want += head.len;
	}
	n = recv(s->fd, s->reply + s->n, want - s->n, 0);
	if (n <= 0 || !s->is_busy)
		return (false);
	s->n += (size_t)n;
	if (s->n < sizeof(head))
		return (true);
	memcpy(&head, s->reply, sizeof(head));
	if (head.len > WEB_CHECKER_REPLY)
		return (false);
	if (s->n < sizeof(head) + head.len)
		return (true);
	s->is_busy = false;
	web_checker_tell(
	    k, &s->job, s->reply + sizeof(head), head.len, head.is_done != 0);
	return (true);
}

/* Waits, and takes what there is. */
static void
web_checker_turn(struct web_checker *k)
{
	struct pollfd at[WEB_CHECKER_KEPT + 1];
	struct web_checker_slot *s;
	size_t i;

	for (i = 0; i < WEB_CHECKER_KEPT; i++) {
		at[i] = (struct pollfd){
		    .fd = k->slots[i].pid == 0 ? -1 : k->slots[i].fd,
		    .events = POLLIN};
	}
	at[i] = (struct pollfd){.fd = k->control, .events = POLLIN};
	if (poll(at, WEB_CHECKER_KEPT + 1, -1) <= 0)
		return;
	for (i = 0; i < WEB_CHECKER_KEPT; i++) {
		s = &k->slots[i];
		if (at[i].revents == 0 || web_checker_hear(k, s))
			continue;
		web_checker_end(s);
		if (s->is_busy)
			web_checker_tell(k, &s->job, NULL, 0, false);
		s->is_busy = false;
	}
	if (at[i].revents != 0)
		web_checker_take(k);
}

/* Keeps only the log and the control socket, and gives up what it can. */
static bool
web_checker_confine(struct web_checker *k)
{
	const unsigned fd = (unsigned)k->control;
	struct errinfo e = {.text = ""};

	(void)prctl(PR_SET_NAME, WEB_CHECKER_NAME, 0, 0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)setpriority(PRIO_PROCESS, 0, WEB_CHECKER_NICE);
	if (fd > STDERR_FILENO + 1)
		(void)close_range(STDERR_FILENO + 1, fd - 1, 0);
	(void)close_range(fd + 1, UINT_MAX, 0);
	if (web_sandbox_enter_checker((enum web_conf_sandbox)k->conf->sandbox,
		k->conf->cache, &e) == 0)
		return (true);
	log_errorx(
	    "tournaments cannot be verified with their games: %s", e.text);
	return (false);
}

/* Runs the fork. */
static void
web_checker_main(struct web_checker *k)
{
	struct web_checker_head head = {.is_done = 1};
	size_t i;

	if (!web_checker_confine(k))
		_exit(1);
	for (i = 0; i < WEB_CHECKER_KEPT; i++)
		k->slots[i].reply = xalloc(sizeof(head) + WEB_CHECKER_REPLY);
	/* The first reply is to nothing: it says that it is ready. */
	if (!web_checker_put(k->control, &head, sizeof(head)))
		_exit(0);
	for (;;)
		web_checker_turn(k);
}

int
web_checker_new(const struct web_conf *conf, int *fd, struct errinfo *e)
{
	struct web_checker k = {.conf = conf};
	struct web_checker_head head;
	sigset_t all, before;
	int both[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) == -1)
		return (err_set(e, ERR_IO, "",
		    "tournaments cannot be verified: %s", strerror(errno)));
	k.control = both[1];
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if ((pid = fork()) == 0)
		web_checker_main(&k);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(both[1]);
	if (pid != -1 &&
	    recv(both[0], &head, sizeof(head), MSG_WAITALL) ==
		(ssize_t)sizeof(head)) {
		*fd = both[0];
		return (0);
	}
	(void)close(both[0]);
	return (err_set(e, ERR_INTERNAL, "",
	    "the process that verifies tournaments cannot be started"));
}
