/* SPDX-License-Identifier: ISC */
/*
 * The program is in a process group of its own, which is killed when it has
 * ended, or must.  Its limits are set before it gets the first byte.
 */
#include "web/web_painter.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "server/base/child.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_sandbox.h"

#define WEB_PAINTER_NAME "umpire-web-png"
#define WEB_PAINTER_MEMORY ((rlim_t)512 << 20) /* bytes of addresses */
#define WEB_PAINTER_FILES 64 /* descriptors */

/* The keeper, and the painter that it forks. */
struct web_painter {
	const struct web_conf *conf;
	int control;
	int keeper; /* its socket; the painter has none */
	int signals; /* SIGCHLD */
	char *svg; /* room for the largest */
	size_t n_svg;
	char *png; /* likewise, and a byte */
	size_t n_png;
	pid_t child;
	size_t sent; /* bytes of svg that it has */
	int in; /* to the program; -1: it has all */
	int out; /* from it; -1: it has closed it */
};

/* Reads n bytes of the control socket; false: the other end is closed. */
static bool
web_painter_read(const struct web_painter *p, void *at, size_t n)
{
	ssize_t got = n == 0 ? 0 : recv(p->control, at, n, MSG_WAITALL);

	return (got >= 0 && (size_t)got == n);
}

/* Writes n bytes to it; false likewise. */
static bool
web_painter_write(const struct web_painter *p, const void *at, size_t n)
{
	const char *s = at;
	ssize_t done;

	for (; n > 0; s += done, n -= (size_t)done) {
		done = send(p->control, s, n, MSG_NOSIGNAL);
		if (done <= 0)
			return (false);
	}
	return (true);
}

/* Closes a descriptor that is open. */
static void
web_painter_close(int *fd)
{
	if (*fd != -1)
		(void)close(*fd);
	*fd = -1;
}

/* Sets what the program may use. */
static void
web_painter_limit(const struct web_painter *p)
{
	const rlim_t s = (rlim_t)(p->conf->picture_ms + 999) / 1000;
	const struct rlimit none = {.rlim_cur = 0},
			    time = {.rlim_cur = s, .rlim_max = s},
			    memory = {.rlim_cur = WEB_PAINTER_MEMORY,
				.rlim_max = WEB_PAINTER_MEMORY},
			    files = {.rlim_cur = WEB_PAINTER_FILES,
				.rlim_max = WEB_PAINTER_FILES};

	/* It may have ended. */
	(void)prlimit(p->child, RLIMIT_CPU, &time, NULL);
	(void)prlimit(p->child, RLIMIT_AS, &memory, NULL);
	(void)prlimit(p->child, RLIMIT_NOFILE, &files, NULL);
	(void)prlimit(p->child, RLIMIT_FSIZE, &none, NULL);
	(void)prlimit(p->child, RLIMIT_CORE, &none, NULL);
}

/* Starts the program; false if that cannot be. */
static bool
web_painter_start(struct web_painter *p)
{
	static const char *const argv[] = {"rsvg-convert", "--format=png",
	    "--width=1200", "--height=630", NULL};
	static const char *const env[] = {
	    "LANG=C.UTF-8", "PATH=/usr/bin:/bin", NULL};
	int in[2] = {-1, -1}, out[2] = {-1, -1};
	struct child c = {.path = p->conf->rsvg_convert,
	    .argv = argv,
	    .env = env,
	    .folder = "/"};
	bool done;

	done = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
	    fcntl(in[1], F_SETFL, O_NONBLOCK) == 0 &&
	    fcntl(out[0], F_SETFL, O_NONBLOCK) == 0;
	c.input = in[0];
	c.output = out[1];
	done = done && child_start(&c, &p->child) == 0;
	web_painter_close(&in[0]);
	web_painter_close(&out[1]);
	p->in = in[1];
	p->out = out[0];
	p->sent = p->n_png = 0;
	if (done) {
		web_painter_limit(p);
	} else {
		web_painter_close(&p->in);
		web_painter_close(&p->out);
	}
	return (done);
}

/* Gives it what it takes now. */
static void
web_painter_give(struct web_painter *p)
{
	ssize_t n;

	n = write(p->in, p->svg + p->sent, p->n_svg - p->sent);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	/* What it does not read it does not need. */
	p->sent = n == -1 ? p->n_svg : p->sent + (size_t)n;
	if (p->sent == p->n_svg)
		web_painter_close(&p->in);
}

/* Takes what it has written; false: that is too much. */
static bool
web_painter_take(struct web_painter *p)
{
	ssize_t n = 1;

	while (n > 0 && p->out != -1) {
		n = read(
		    p->out, p->png + p->n_png, WEB_PAINTER_PNG + 1 - p->n_png);
		if (n == 0)
			web_painter_close(&p->out);
		if (n > 0 && (p->n_png += (size_t)n) > WEB_PAINTER_PNG)
			return (false);
	}
	return (true);
}

/* True if it has ended; it is not waited for yet, so its number is its own. */
static bool
web_painter_has_ended(const struct web_painter *p, bool *is_good)
{
	struct signalfd_siginfo seen;
	siginfo_t si = {.si_pid = 0};

	while (read(p->signals, &seen, sizeof(seen)) == (ssize_t)sizeof(seen))
		continue;
	if (waitid(P_PID, (id_t)p->child, &si, WEXITED | WNOHANG | WNOWAIT) ==
		-1 ||
	    si.si_pid == 0)
		return (false);
	*is_good = si.si_code == CLD_EXITED && si.si_status == 0;
	return (true);
}

/* Ends it and all that it has started. */
static void
web_painter_end(struct web_painter *p)
{
	(void)kill(-p->child, SIGKILL);
	while (waitpid(p->child, NULL, 0) == -1 && errno == EINTR)
		continue;
	web_painter_close(&p->in);
	web_painter_close(&p->out);
}

/* Has the program make one picture. */
static enum web_painter_status
web_painter_paint(struct web_painter *p)
{
	const int64_t until_ms = clock_mono_ms() + p->conf->picture_ms;
	enum web_painter_status status = WEB_PAINTER_DONE;
	struct pollfd at[4];
	bool is_good = false, is_over = false;
	int64_t left_ms;

	if (!web_painter_start(p))
		return (WEB_PAINTER_UNSTARTED);
	while (!is_over) {
		at[0] = (struct pollfd){.fd = p->control};
		at[1] = (struct pollfd){.fd = p->in, .events = POLLOUT};
		at[2] = (struct pollfd){.fd = p->out, .events = POLLIN};
		at[3] = (struct pollfd){.fd = p->signals, .events = POLLIN};
		if ((left_ms = until_ms - clock_mono_ms()) <= 0) {
			status = WEB_PAINTER_LATE;
			break;
		}
		if (poll(at, 4, (int)left_ms) <= 0)
			continue;
		if (at[0].revents != 0) {
			web_painter_end(p);
			_exit(0);
		}
		if (at[3].revents != 0)
			is_over = web_painter_has_ended(p, &is_good);
		if (at[1].revents != 0)
			web_painter_give(p);
		if ((at[2].revents != 0 || is_over) && !web_painter_take(p)) {
			status = WEB_PAINTER_LARGE;
			break;
		}
	}
	web_painter_end(p);
	if (is_over && status == WEB_PAINTER_DONE && !is_good)
		status = WEB_PAINTER_FAILED;
	return (status);
}

/* Keeps only the log and both sockets, and gives up what it can. */
static bool
web_painter_confine(struct web_painter *p)
{
	unsigned first = (unsigned)p->control, last = (unsigned)p->keeper;
	struct errinfo e = {.text = ""};
	sigset_t set;

	if (first > last) {
		first = (unsigned)p->keeper;
		last = (unsigned)p->control;
	}
	(void)prctl(PR_SET_NAME, WEB_PAINTER_NAME, 0, 0, 0);
	if (first > STDERR_FILENO + 1)
		(void)close_range(STDERR_FILENO + 1, first - 1, 0);
	if (last > first + 1)
		(void)close_range(first + 1, last - 1, 0);
	(void)close_range(last + 1, UINT_MAX, 0);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	p->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	p->svg = malloc(WEB_PAINTER_SVG);
	p->png = malloc(WEB_PAINTER_PNG + 1);
	if (p->signals == -1 || p->svg == NULL || p->png == NULL) {
		log_warn("pictures cannot be made");
		return (false);
	}
	if (web_sandbox_enter_painter((enum web_conf_sandbox)p->conf->sandbox,
		p->conf->rsvg_convert, &e) == 0)
		return (true);
	log_errorx("pictures cannot be made: %s", e.text);
	return (false);
}

/* Runs the painter. */
static void
web_painter_main(struct web_painter *p)
{
	struct web_painter_head head = {.status = WEB_PAINTER_DONE};
	uint32_t len;

	while (web_painter_write(p, &head, sizeof(head)) &&
	    web_painter_write(p, p->png, head.len) &&
	    web_painter_read(p, &len, sizeof(len)) && len <= WEB_PAINTER_SVG &&
	    web_painter_read(p, p->svg, len)) {
		p->n_svg = len;
		head.status = (uint32_t)web_painter_paint(p);
		head.len =
		    head.status == WEB_PAINTER_DONE ? (uint32_t)p->n_png : 0;
	}
	_exit(0);
}

/* Waits until the painter has ended; ends if umpire-web does before. */
static void
web_painter_wait(struct web_painter *p, pid_t painter)
{
	struct signalfd_siginfo seen;
	struct pollfd at[2];

	while (waitpid(painter, NULL, WNOHANG) == 0) {
		at[0] = (struct pollfd){.fd = p->keeper, .events = POLLIN};
		at[1] = (struct pollfd){.fd = p->signals, .events = POLLIN};
		(void)poll(at, 2, -1);
		/* The painter sees the end of its own socket. */
		if (at[0].revents != 0)
			_exit(0);
		while (read(p->signals, &seen, sizeof(seen)) ==
		    (ssize_t)sizeof(seen))
			continue;
	}
}

/* Runs the process that keeps a painter. */
static void
web_painter_keep(struct web_painter *p)
{
	char byte = 0;
	pid_t painter;

	if (!web_painter_confine(p))
		_exit(1);
	do {
		if ((painter = fork()) == 0) {
			web_painter_close(&p->keeper);
			web_painter_main(p);
		}
		if (painter != -1)
			web_painter_wait(p, painter);
		if (send(p->keeper, &byte, 1, MSG_NOSIGNAL) != 1 ||
		    recv(p->keeper, &byte, 1, 0) != 1)
			break;
		/* Nobody has read what is left there, nor writes to it. */
		while (
		    recv(p->control, p->svg, WEB_PAINTER_SVG, MSG_DONTWAIT) > 0)
			continue;
	} while (true);
	_exit(0);
}

int
web_painter_check(const struct web_conf *conf, struct errinfo *e)
{
	const char *path = conf->rsvg_convert;
	struct stat st;

	if (path[0] == '\0')
		return (0);
	if (path[0] != '/')
		return (err_set(e, ERR_CONFIG, "rsvg_convert",
		    "\"%s\" does not begin with a slash", path));
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return (err_set(e, ERR_CONFIG, "rsvg_convert",
		    "\"%s\" is not a program", path));
	if (access(path, X_OK) == -1)
		return (err_set(e, ERR_CONFIG, "rsvg_convert",
		    "\"%s\" cannot be run: %s", path, strerror(errno)));
	return (0);
}

int
web_painter_new(
    const struct web_conf *conf, int *fd, int *keeper, struct errinfo *e)
{
	struct web_painter p = {.conf = conf, .in = -1, .out = -1};
	struct web_painter_head head;
	sigset_t all, before;
	int both[2], life[2];
	bool is_ready;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) == -1)
		return (err_set(e, ERR_IO, "", "pictures cannot be made: %s",
		    strerror(errno)));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, life) == -1) {
		(void)close(both[0]);
		(void)close(both[1]);
		return (err_set(e, ERR_IO, "", "pictures cannot be made: %s",
		    strerror(errno)));
	}
	p.control = both[1];
	p.keeper = life[1];
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if ((pid = fork()) == 0)
		web_painter_keep(&p);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(both[1]);
	(void)close(life[1]);
	is_ready = pid != -1 &&
	    recv(both[0], &head, sizeof(head), MSG_WAITALL) ==
		(ssize_t)sizeof(head);
	if (is_ready) {
		*fd = both[0];
		*keeper = life[0];
		return (0);
	}
	(void)close(both[0]);
	(void)close(life[0]);
	return (err_set(e, ERR_INTERNAL, "",
	    "the process that makes pictures cannot be started"));
}
