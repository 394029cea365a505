/* SPDX-License-Identifier: ISC */
/*
 * Two ends of a SEQPACKET socket, a fixed struct each way.  The starter blocks
 * all signals: what a terminal or a service manager sends to the daemon is not
 * for it, and it lives as long as the socket does.  One program at a time is
 * all that is ever wanted, so neither side has to name it.
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
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "server/base/child.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/courier/courier_message.h"

#define SPAWNER_PROGRAM "umpired-courier"
#define SPAWNER_NAME "umpired-starter"
#define SPAWNER_WAIT_MS 5000 /* that a start may take */
#define SPAWNER_END_MS 1000 /* that a program may take to end */

enum starter_what {
	STARTER_START,
	SPAWNER_KILL,
	STARTER_RELOAD,
	SPAWNER_STARTED, /* value: the process; with a descriptor */
	STARTER_FAILED, /* value: errno */
	SPAWNER_ENDED, /* value: status */
};

struct starter_message {
	uint32_t what;
	uint32_t number; /* of the start that is asked for, or answered */
	int32_t value;
};

/* The daemon's end. */
struct spawner {
	pid_t pid;
	int fd;
	uint32_t number; /* of the last start */
};

/* The other end. */
struct spawner_loop {
	int fd;
	int signals; /* SIGCHLD */
	const struct conf *conf;
	struct conf *owned; /* the same, once it was read again */
	int (*load)(void *arg, struct conf **out, struct errinfo *e);
	void *arg;
	pid_t child; /* -1: none */
};

/* A descriptor beside a message. */
union starter_control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

/*
 * Sends a message, and a descriptor unless it is -1, without waiting; false
 * with errno.
 */
static bool
starter_send(int to, const struct starter_message *m, int fd)
{
	union starter_control control;
	struct iovec iov = {
	    .iov_base = (void *)(uintptr_t)m, .iov_len = sizeof(*m)};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	struct cmsghdr *c;
	ssize_t n;

	memset(&control, 0, sizeof(control));
	if (fd != -1) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	while ((n = sendmsg(to, &msg, MSG_DONTWAIT | MSG_NOSIGNAL)) == -1 &&
	    errno == EINTR)
		continue;
	return (n == (ssize_t)sizeof(*m));
}

/*
 * Receives a message, and a descriptor or -1, without waiting; fd may be NULL:
 * then the system closes all that come.  ERR_PENDING, ERR_CLOSED.
 */
static int
starter_receive(int from, struct starter_message *m, int *fd)
{
	union starter_control control;
	struct iovec iov = {.iov_base = m, .iov_len = sizeof(*m)};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	const struct cmsghdr *c;
	ssize_t n;

	if (fd != NULL) {
		*fd = -1;
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
	}
	n = recvmsg(from, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return (ERR_PENDING);
	if (n != (ssize_t)sizeof(*m))
		return (ERR_CLOSED);
	c = fd == NULL ? NULL : CMSG_FIRSTHDR(&msg);
	if (c != NULL && c->cmsg_level == SOL_SOCKET &&
	    c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(c), sizeof(int));
	return (0);
}

/* Waits until a descriptor is readable; false if that takes too long. */
static bool
starter_wait(int fd, int64_t until_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int64_t left_ms;
	int n;

	do {
		left_ms = until_ms - clock_mono_ms();
		n = poll(&p, 1, left_ms < 0 ? 0 : (int)left_ms);
	} while (n == -1 && errno == EINTR);
	return (n == 1);
}

/* ---- the starter's process ---- */

/* The program's path in our own folder; new, or NULL with errno. */
static char *
starter_beside(void)
{
	char self[PATH_MAX], *slash, *path;
	ssize_t n;

	if ((n = readlink("/proc/self/exe", self, sizeof(self) - 1)) == -1)
		return (NULL);
	self[n] = '\0';
	if ((slash = strrchr(self, '/')) == NULL) {
		errno = ENOENT;
		return (NULL);
	}
	*slash = '\0';
	if (asprintf(&path, "%s/" SPAWNER_PROGRAM, self) == -1) {
		errno = ENOMEM;
		return (NULL);
	}
	return (path);
}

int
starter_find(const struct conf *conf, char **out, struct errinfo *e)
{
	char *path;

	path =
	    conf->courier[0] != '\0' ? strdup(conf->courier) : starter_beside();
	if (path == NULL && (conf->courier[0] != '\0' || errno == ENOMEM))
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	if (path == NULL)
		return (err_set(e, ERR_CONFIG, "",
		    "courier: name the program, since /proc/self/exe does not "
		    "say which folder it is in: %s",
		    strerror(errno)));
	*out = path;
	return (0);
}

/* Writes what the program must know to its socket; an errno or 0. */
static int
starter_tell(const struct conf *conf, int fd)
{
	struct buf line;
	int error = ENOMEM;
	json_t *v;

	v = json_pack("{s:b, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s}",
	    "core_dumps", (int)conf->core_dumps, "notify_command",
	    conf->notify_command, "smtp_url", conf->smtp_url, "smtp_from",
	    conf->smtp_from, "smtp_user", conf->smtp_user, "smtp_password_file",
	    conf->smtp_password_file, "smtp_ca", conf->smtp_ca,
	    "webhook_networks", conf->webhook_networks, "webhook_ports",
	    conf->webhook_ports, "webhook_connect",
	    (json_int_t)conf->webhook_connect, "webhook_ca", conf->webhook_ca);
	if (v == NULL)
		return (ENOMEM);
	buf_init(&line, COURIER_WIRE_LINE);
	js_dump(v, &line);
	buf_putc(&line, '\n');
	json_decref(v);
	/* A new socket holds more than settings can have. */
	if (buf_error(&line) == 0)
		error = send(fd, line.data, line.len,
			    MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)line.len
		    ? 0
		    : ENOBUFS;
	buf_clear(&line);
	return (error);
}

/* Starts the program, with a socket whose other end is *fd; an errno or 0. */
static int
starter_run(struct spawner_loop *l, int *fd)
{
	static const char *const env[] = {"LANG=C.UTF-8", NULL};
	/* Its standard error is the log. */
	struct child c = {.name = SPAWNER_PROGRAM, .env = env, .has_log = true};
	struct errinfo e;
	int error, r, fds[2];
	char *path = NULL;

	if (l->child != -1)
		return (EBUSY);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == -1)
		return (errno);
	r = starter_find(l->conf, &path, &e);
	c.path = path;
	c.input = fds[1];
	if (r != 0)
		error = r == ERR_NOMEM ? ENOMEM : ENOENT;
	else if ((error = starter_tell(l->conf, fds[0])) == 0)
		error = child_start(&c, &l->child);
	if (error != 0) {
		l->child = -1;
		(void)close(fds[0]);
	} else {
		*fd = fds[0];
	}
	(void)close(fds[1]);
	free(path);
	return (error);
}

/* Starts the program and answers. */
static void
starter_answer(struct spawner_loop *l, uint32_t number)
{
	struct starter_message m = {.number = number};
	int fd = -1;

	m.value = starter_run(l, &fd);
	m.what = m.value == 0 ? SPAWNER_STARTED : STARTER_FAILED;
	if (m.value == 0)
		m.value = l->child;
	/* If it cannot be told, the program finds nobody at its socket. */
	(void)starter_send(l->fd, &m, fd);
	if (fd != -1)
		(void)close(fd);
}

/* Reads the settings again; with an error in them they stay as they were. */
static void
spawner_read(struct spawner_loop *l)
{
	struct errinfo e = {.text = ""};
	struct conf *conf;
	int r;

	if ((r = l->load(l->arg, &conf, &e)) != 0) {
		log_errorx("the courier's settings stay as they were: %s",
		    e.text[0] == '\0' ? err_text(r) : e.text);
		return;
	}
	conf_free(l->owned);
	l->owned = conf;
	l->conf = conf;
}

/* Does what the daemon says; false once it is gone. */
static bool
spawner_obey(struct spawner_loop *l)
{
	struct starter_message m;
	int r;

	if ((r = starter_receive(l->fd, &m, NULL)) != 0)
		return (r == ERR_PENDING);
	switch (m.what) {
	case STARTER_START:
		starter_answer(l, m.number);
		return (true);
	case SPAWNER_KILL:
		if (l->child != -1)
			(void)kill(l->child, SIGKILL);
		return (true);
	case STARTER_RELOAD:
		spawner_read(l);
		return (true);
	default:
		return (false);
	}
}

/* Takes note of a program that has ended. */
static void
spawner_reap(struct spawner_loop *l)
{
	struct starter_message m = {.what = SPAWNER_ENDED};
	struct signalfd_siginfo si;
	int status;

	while (read(l->signals, &si, sizeof(si)) == (ssize_t)sizeof(si))
		continue;
	if (l->child == -1 || waitpid(l->child, &status, WNOHANG) != l->child)
		return;
	l->child = -1;
	m.value = status;
	(void)starter_send(l->fd, &m, -1);
}

/* Ends the program as its daemon's death does, and in the end by force. */
static void
spawner_end(struct spawner_loop *l)
{
	const int64_t until_ms = clock_mono_ms() + SPAWNER_END_MS;

	if (l->child != -1)
		(void)kill(l->child, SIGUSR1);
	while (l->child != -1 && starter_wait(l->signals, until_ms))
		spawner_reap(l);
	if (l->child != -1) {
		(void)kill(l->child, SIGKILL);
		(void)waitpid(l->child, NULL, 0);
	}
}

/* The life of the process. */
static void
starter_live(struct spawner_loop *l)
{
	struct pollfd p[2] = {
	    {.fd = l->fd, .events = POLLIN}, {.events = POLLIN}};
	bool is_alone = false;
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	p[1].fd = l->signals;
	while (l->signals != -1 && !is_alone) {
		if (poll(p, 2, -1) == -1)
			continue;
		if (p[1].revents != 0)
			spawner_reap(l);
		if (p[0].revents != 0)
			is_alone = !spawner_obey(l);
	}
	spawner_end(l);
}

/* What the fork does: only the socket is left of all descriptors. */
static void
spawner_main(struct spawner_loop *l)
{
	const int fd = STDERR_FILENO + 1;

	(void)prctl(PR_SET_NAME, SPAWNER_NAME, 0, 0, 0);
	if (l->fd == fd || dup3(l->fd, fd, O_CLOEXEC) == fd) {
		(void)close_range((unsigned)fd + 1, UINT_MAX, 0);
		l->fd = fd;
		starter_live(l);
	}
	_exit(0);
}

/* ---- the daemon's process ---- */

int
spawner_new(const struct conf *conf,
    int (*load)(void *arg, struct conf **out, struct errinfo *e), void *arg,
    struct spawner **out)
{
	struct spawner_loop l = {
	    .conf = conf, .load = load, .arg = arg, .child = -1};
	sigset_t all, before;
	struct spawner *s;
	int fds[2];

	if ((s = calloc(1, sizeof(*s))) == NULL)
		return (ERR_NOMEM);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) == -1) {
		free(s);
		return (ERR_IO);
	}
	l.fd = fds[1];
	s->fd = fds[0];
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if ((s->pid = fork()) == 0) {
		/* It may have a number that the other one keeps. */
		(void)close(s->fd);
		spawner_main(&l);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(fds[1]);
	if (s->pid == -1) {
		(void)close(fds[0]);
		free(s);
		return (ERR_IO);
	}
	*out = s;
	return (0);
}

void
spawner_free(struct spawner *s)
{
	const int64_t until_ms = clock_mono_ms() + SPAWNER_WAIT_MS;
	struct starter_message m;
	int r = ERR_PENDING;

	if (s == NULL)
		return;
	(void)shutdown(s->fd, SHUT_WR);
	/* The end of what it says is its own. */
	while (r != ERR_CLOSED && starter_wait(s->fd, until_ms))
		r = starter_receive(s->fd, &m, NULL);
	(void)close(s->fd);
	if (r != ERR_CLOSED)
		log_warnx("what starts the courier does not end");
	while (
	    r == ERR_CLOSED && waitpid(s->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	free(s);
}

pid_t
starter_pid(const struct spawner *s)
{
	return (s->pid);
}

int
starter_fd(const struct spawner *s)
{
	return (s->fd);
}

int
spawner_start(struct spawner *s, pid_t *pid, int *fd)
{
	struct starter_message m = {
	    .what = STARTER_START, .number = ++s->number};
	const int64_t until_ms = clock_mono_ms() + SPAWNER_WAIT_MS;
	int got, r;

	if (!starter_send(s->fd, &m, -1))
		return (errno);
	while (starter_wait(s->fd, until_ms)) {
		if ((r = starter_receive(s->fd, &m, &got)) == ERR_PENDING)
			continue;
		if (r != 0)
			return (EPIPE);
		if (m.what == SPAWNER_STARTED && m.number == s->number) {
			/*
			 * We had no descriptor left for the socket, which the
			 * system has closed: the program finds nobody there.
			 */
			if (got == -1)
				return (EMFILE);
			*pid = m.value;
			*fd = got;
			return (0);
		}
		/* An answer that came too late, or the end of such a one. */
		if (got != -1)
			(void)close(got);
		if (m.what == STARTER_FAILED && m.number == s->number)
			return (m.value);
	}
	return (ETIMEDOUT);
}

int
starter_take(struct spawner *s, int *status)
{
	struct starter_message m;
	int fd, r;

	if ((r = starter_receive(s->fd, &m, &fd)) != 0)
		return (r);
	if (fd != -1)
		(void)close(fd);
	if (m.what != SPAWNER_ENDED)
		return (ERR_PENDING);
	*status = m.value;
	return (0);
}

/* Says something that has no answer; that it is gone is found by reading. */
static void
spawner_say(struct spawner *s, enum starter_what what)
{
	const struct starter_message m = {.what = (uint32_t)what};

	(void)starter_send(s->fd, &m, -1);
}

void
starter_kill(struct spawner *s)
{
	spawner_say(s, SPAWNER_KILL);
}

void
starter_reload(struct spawner *s)
{
	spawner_say(s, STARTER_RELOAD);
}
