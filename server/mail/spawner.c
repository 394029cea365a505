/* SPDX-License-Identifier: ISC */
/*
 * The fork keeps the program's end of the wire open, so that the daemon needs
 * no other one when the program is started again.  Packets that the last
 * program had not read by then are dropped: the daemon, which learns of the
 * end, takes them for lost.  The fork blocks all signals: those that a terminal
 * or a service manager sends are for the daemon, and it lives as long as that.
 */
#include "server/mail/spawner.h"

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "server/base/child.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/courier/courier_message.h"

#define SPAWNER_PROGRAM "umpired-courier"
#define SPAWNER_NAME "umpired-spawner"
#define SPAWNER_PAUSE_MS 500 /* before it is started again; then twice that */
#define SPAWNER_PAUSE_MAX_MS 60000
#define SPAWNER_END_MS 1000 /* that it may take to end without a daemon */
#define SPAWNER_WAIT_MS 5000 /* that the fork may take to end */

/* The fork. */
struct spawner_loop {
	int control;
	int wire; /* the program's end */
	int signals; /* SIGCHLD */
	const char *path; /* of the settings, as conf_load() has them */
	const char *const *overrides;
	size_t n_overrides;
	const char **argv; /* owned: of the program */
	struct conf *conf; /* owned; NULL: they were never readable */
	pid_t child; /* -1: none */
	int64_t started_ms;
	int64_t pause_ms; /* the last one */
	int64_t due_ms; /* when to start one; -1: not */
	bool is_renewing; /* the program was told to finish */
};

/* Says something to the daemon. */
static void
spawner_say(const struct spawner_loop *l, char what)
{
	(void)send(l->control, &what, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Reads the settings; with an error in them they stay as they were. */
static void
spawner_read(struct spawner_loop *l)
{
	struct errinfo e = {.text = ""};
	struct conf *conf;
	int r;

	r = conf_load(l->path, l->overrides, l->n_overrides, &conf, &e);
	if (r != 0) {
		log_errorx("the courier's settings stay as they were: %s",
		    e.text[0] == '\0' ? err_text(r) : e.text);
		return;
	}
	conf_free(l->conf);
	l->conf = conf;
	log_set_level((enum log_level)conf->log_level);
}

/*
 * True if the program, which reads the settings by itself, would read those
 * that umpired runs with.  If there is an error in them it says so itself.
 */
static bool
spawner_is_current(const struct spawner_loop *l)
{
	struct errinfo e;
	struct conf *conf;
	bool is_same;

	if (conf_load(l->path, l->overrides, l->n_overrides, &conf, &e) != 0)
		return (true);
	is_same = conf_is_same(l->conf, conf);
	conf_free(conf);
	return (is_same);
}

/* Starts the program, if the settings name a way to send notices. */
static void
spawner_start(struct spawner_loop *l)
{
	static const char *const env[] = {"LANG=C.UTF-8", NULL};
	/* Its standard error is the log. */
	struct child c = {
	    .argv = l->argv, .env = env, .input = l->wire, .has_log = true};
	char beside[PATH_MAX + sizeof(SPAWNER_PROGRAM)], *slash, byte;
	ssize_t n;
	int error = ENOENT;

	l->due_ms = -1;
	if (l->conf == NULL ||
	    (l->conf->notify_command[0] == '\0' &&
		l->conf->smtp_url[0] == '\0' && l->conf->webhooks == 0))
		return;
	if (!spawner_is_current(l)) {
		log_errorx("the courier is not started: the settings were "
			   "changed but not reread; send umpired SIGHUP");
		l->due_ms = clock_mono_ms() + SPAWNER_PAUSE_MAX_MS;
		return;
	}
	while (recv(l->wire, &byte, 1, MSG_DONTWAIT) == 1)
		continue;
	c.path = l->conf->courier;
	if (c.path[0] == '\0') {
		n = readlink("/proc/self/exe", beside, PATH_MAX);
		beside[n == -1 ? 0 : n] = '\0';
		slash = strrchr(beside, '/');
		memcpy(slash == NULL ? beside : slash + 1, SPAWNER_PROGRAM,
		    sizeof(SPAWNER_PROGRAM));
		c.path = beside;
	}
	if (c.path[0] == '/')
		error = child_start(&c, &l->child);
	if (error == 0) {
		log_debug("the courier is process %d", (int)l->child);
		l->started_ms = clock_mono_ms();
		spawner_say(l, SPAWNER_STARTED);
		return;
	}
	log_errorx("the courier \"%s\" cannot be started: %s; see \"courier\" "
		   "in umpired.conf(5); it is tried again in %d s",
	    c.path, strerror(error), SPAWNER_PAUSE_MAX_MS / 1000);
	l->child = -1;
	l->due_ms = clock_mono_ms() + SPAWNER_PAUSE_MAX_MS;
}

/* Takes note of a program that has ended; another is started after a while. */
static void
spawner_reap(struct spawner_loop *l)
{
	const int64_t now_ms = clock_mono_ms();
	struct signalfd_siginfo si;
	int status;

	while (read(l->signals, &si, sizeof(si)) == (ssize_t)sizeof(si))
		continue;
	if (l->child == -1 || waitpid(l->child, &status, WNOHANG) != l->child)
		return;
	l->child = -1;
	if (!l->is_renewing || status != 0)
		log_warnx("the courier has died (%s %d)",
		    WIFSIGNALED(status) ? "signal" : "status",
		    WIFSIGNALED(status) ? WTERMSIG(status)
					: WEXITSTATUS(status));
	if (l->is_renewing)
		l->pause_ms = 0;
	else if (l->pause_ms == 0 ||
	    now_ms - l->started_ms > SPAWNER_PAUSE_MAX_MS)
		l->pause_ms = SPAWNER_PAUSE_MS;
	else if (l->pause_ms < SPAWNER_PAUSE_MAX_MS / 2)
		l->pause_ms *= 2;
	else
		l->pause_ms = SPAWNER_PAUSE_MAX_MS;
	l->is_renewing = false;
	l->due_ms = now_ms + l->pause_ms;
	spawner_say(l, SPAWNER_ENDED);
}

/* Does what the daemon says; false once the daemon is gone. */
static bool
spawner_obey(struct spawner_loop *l)
{
	ssize_t n;
	char what;

	n = recv(l->control, &what, 1, MSG_DONTWAIT);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return (true);
	if (n != 1)
		return (false);
	if (what == SPAWNER_RENEW) {
		spawner_read(l);
		l->is_renewing = l->child != -1;
		if (l->child == -1)
			l->due_ms = clock_mono_ms();
		else
			(void)kill(l->child, SIGTERM);
	} else if (what == SPAWNER_KILL && l->child != -1) {
		(void)kill(l->child, SIGKILL);
	}
	return (true);
}

/*
 * Has the program finish.  Once the daemon is gone it ends by itself, or by
 * force.
 */
static void
spawner_end(struct spawner_loop *l)
{
	/* Of the wire only that the daemon has closed it is of interest. */
	struct pollfd p[2] = {
	    {.fd = l->signals, .events = POLLIN}, {.fd = l->wire}};
	int64_t now_ms, until_ms = -1;

	l->is_renewing = true;
	if (l->child != -1)
		(void)kill(l->child, SIGTERM);
	while (l->child != -1) {
		now_ms = clock_mono_ms();
		if (until_ms != -1 && now_ms >= until_ms)
			(void)kill(l->child, SIGKILL);
		if (poll(p, until_ms == -1 ? 2 : 1,
			until_ms == -1 ? -1 : SPAWNER_END_MS) > 0)
			spawner_reap(l);
		if (until_ms == -1 && p[1].revents != 0)
			until_ms = now_ms + SPAWNER_END_MS;
	}
}

/* Runs the fork: only the log and the two sockets are left to it. */
static void
spawner_main(struct spawner_loop *l)
{
	const unsigned a =
	    (unsigned)(l->control < l->wire ? l->control : l->wire);
	const unsigned b =
	    (unsigned)(l->control < l->wire ? l->wire : l->control);
	struct pollfd p[2] = {
	    {.fd = l->control, .events = POLLIN}, {.events = POLLIN}};
	int64_t left_ms;
	sigset_t set;

	(void)prctl(PR_SET_NAME, SPAWNER_NAME, 0, 0, 0);
	(void)close_range(STDERR_FILENO + 1, a - 1, 0);
	(void)close_range(a + 1, b - 1, 0);
	(void)close_range(b + 1, UINT_MAX, 0);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	p[1].fd = l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (l->signals == -1) {
		log_warn("cannot start couriers");
		_exit(1);
	}
	l->due_ms = 0;
	do {
		left_ms = l->due_ms - clock_mono_ms();
		if (l->due_ms != -1 && left_ms <= 0) {
			spawner_start(l);
			continue;
		}
		if (poll(p, 2, l->due_ms == -1 ? -1 : (int)left_ms) > 0 &&
		    p[1].revents != 0)
			spawner_reap(l);
	} while (spawner_obey(l));
	spawner_end(l);
	_exit(0);
}

int
spawner_new(const char *path, const char *const overrides[], size_t n_overrides,
    struct spawner **out)
{
	const int room = COURIER_PACKET;
	struct spawner_loop l = {.path = path,
	    .overrides = overrides,
	    .n_overrides = n_overrides,
	    .child = -1};
	int control[2] = {-1, -1}, wire[2] = {-1, -1};
	sigset_t all, before;
	struct spawner *s;
	size_t i, n = 0;

	s = calloc(1, sizeof(*s));
	l.argv = calloc(2 * n_overrides + 4, sizeof(*l.argv));
	if (s == NULL || l.argv == NULL) {
		free(s);
		free(l.argv);
		return (ERR_NOMEM);
	}
	l.argv[n++] = SPAWNER_PROGRAM;
	if (path != NULL) {
		l.argv[n++] = "-c";
		l.argv[n++] = path;
	}
	for (i = 0; i < n_overrides; i++) {
		l.argv[n++] = "-o";
		l.argv[n++] = overrides[i];
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) == -1 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, wire) == -1 ||
	    setsockopt(wire[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room)) ==
		-1)
		goto fail;
	s->control = control[0];
	s->wire = wire[0];
	l.control = control[1];
	l.wire = wire[1];
	spawner_read(&l);
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if ((s->pid = fork()) == 0)
		spawner_main(&l);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	conf_free(l.conf);
	if (s->pid == -1)
		goto fail;
	(void)close(control[1]);
	(void)close(wire[1]);
	free(l.argv);
	*out = s;
	return (0);
fail:
	for (i = 0; i < 2; i++) {
		(void)close(control[i]);
		(void)close(wire[i]);
	}
	free(l.argv);
	free(s);
	return (ERR_IO);
}

void
spawner_free(struct spawner *s)
{
	const int64_t until_ms = clock_mono_ms() + SPAWNER_WAIT_MS;
	struct pollfd p = {.events = POLLIN};
	int64_t left_ms;
	ssize_t n = 1;
	char what;

	if (s == NULL)
		return;
	p.fd = s->control;
	(void)shutdown(s->control, SHUT_WR);
	/* The program ends at once without it. */
	(void)close(s->wire);
	while (n == 1 && (left_ms = until_ms - clock_mono_ms()) > 0) {
		if (poll(&p, 1, (int)left_ms) == 1)
			n = recv(s->control, &what, 1, 0);
	}
	(void)close(s->control);
	if (n == 1)
		log_warnx("the process that starts the courier does not end");
	while (n != 1 && waitpid(s->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	free(s);
}
