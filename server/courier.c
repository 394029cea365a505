/* SPDX-License-Identifier: ISC */
/*
 * One socket, one process, one timer.  The timer means what the state says:
 * when to wait no longer for an answer, when to look again whether the process
 * has ended, when to start another, when to wait no longer for one that should
 * finish.  A program that says
 * what it should not is killed: what it had in hand counts as lost.
 */
#include "server/courier.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/child.h"
#include "common/frame.h"
#include "common/js.h"
#include "common/log.h"
#include "server/conf.h"
#include "server/courier_wire.h"

#define COURIER_NAME "umpired-courier"
#define COURIER_REAP_MS 20 /* between looks whether it has ended */
#define COURIER_PAUSE_MS 500 /* before it is started again */
#define COURIER_PAUSE_MAX_MS 60000

enum courier_state {
	COURIER_IDLE, /* none runs and none shall */
	COURIER_RUNNING,
	COURIER_ENDING, /* told to finish */
	COURIER_DYING, /* killed, not yet gone */
	COURIER_PAUSING, /* another one is started after a while */
};

struct courier {
	struct event_base *base;
	struct courier_events events;
	enum courier_state state;
	char *path; /* of the program; owned, as the next */
	char *settings; /* the first line; NULL: none shall run */
	pid_t pid;
	int fd; /* -1: none */
	struct event readable; /* of fd */
	struct event writable;
	struct event timer;
	struct frame in;
	struct buf out;
	int64_t pause_ms; /* before the next start */
	int64_t silent_ms; /* that it may be with jobs in hand */
	size_t in_hand; /* jobs without an answer */
};

static void courier_start(struct courier *c);

/* Sets the timer. */
static void
courier_set_timer(struct courier *c, int64_t ms)
{
	const struct timeval tv = {
	    .tv_sec = ms / 1000, .tv_usec = 1000 * (ms % 1000)};

	if (event_add(&c->timer, &tv) == -1)
		log_errorx("no memory for a timer");
}

/* Closes the socket and forgets what was on its way. */
static void
courier_hang_up(struct courier *c)
{
	if (c->fd == -1)
		return;
	(void)event_del(&c->readable);
	(void)event_del(&c->writable);
	(void)close(c->fd);
	c->fd = -1;
	c->in_hand = 0;
	frame_clear(&c->in);
	buf_clear(&c->out);
}

/* Looks whether the process has ended, and goes on. */
static void
courier_reap(struct courier *c)
{
	int status = 0;

	if (waitpid(c->pid, &status, WNOHANG) == 0) {
		courier_set_timer(c, COURIER_REAP_MS);
		return;
	}
	c->pid = -1;
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		log_warnx("the courier ended by signal %d", WTERMSIG(status));
	else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		log_warnx(
		    "the courier ended with status %d", WEXITSTATUS(status));
	if (c->settings == NULL) {
		c->state = COURIER_IDLE;
		c->events.ended(c->events.arg);
		return;
	}
	c->state = COURIER_PAUSING;
	courier_set_timer(c, c->pause_ms);
	c->events.ended(c->events.arg);
}

/*
 * Ends a process that cannot be talked to any more.  Its end is told later,
 * from the loop, since the caller may be one who is told.
 */
static void
courier_kill(struct courier *c)
{
	courier_hang_up(c);
	(void)kill(c->pid, SIGKILL);
	c->state = COURIER_DYING;
	courier_set_timer(c, COURIER_REAP_MS);
}

/* The same for one that should have gone on; the next comes after a while. */
static void
courier_fail(struct courier *c, const char *why)
{
	if (c->pause_ms == 0)
		c->pause_ms = COURIER_PAUSE_MS;
	else if (c->pause_ms < COURIER_PAUSE_MAX_MS / 2)
		c->pause_ms *= 2;
	else
		c->pause_ms = COURIER_PAUSE_MAX_MS;
	log_warnx("the courier %s%s", why,
	    c->settings == NULL ? "" : "; another is started");
	courier_kill(c);
}

int
courier_read_answer(const char *line, size_t len, struct courier_answer *out)
{
	static const char *const known[] = {
	    "id", "ok", "retry", "own", "error", NULL};
	struct courier_answer a = {.ok = false};
	const char *error = "";
	struct errinfo e;
	json_t *v;
	size_t n;
	int r;

	if ((r = js_load(line, len, 1, &v, NULL)) != 0)
		return (r);
	if ((r = js_members(v, NULL, known, NULL)) == 0 &&
	    (r = js_get_int(v, "id", NULL, 0, JS_INT_MAX, &a.id, NULL)) == 0)
		r = js_get_bool(v, "ok", NULL, &a.ok, NULL);
	if (r == 0 && !a.ok &&
	    (r = js_get_bool(v, "retry", NULL, &a.may_retry, NULL)) == 0 &&
	    (r = js_get_bool(v, "own", NULL, &a.is_own, NULL)) == 0 &&
	    (r = js_get_str(v, "error", NULL, &error, NULL)) == 0) {
		/* Held to what may go into a log and to a terminal. */
		(void)err_set(&e, ERR_IO, "", "%s", error);
		n = strlen(e.text);
		if (n == 0 || n > STORE_ERROR_MAX)
			r = ERR_INVALID;
		else
			memcpy(a.error, e.text, n + 1);
	}
	json_decref(v);
	if (r == 0)
		*out = a;
	return (r);
}

/* Takes the answers that came; false if they make no sense. */
static bool
courier_take(struct courier *c)
{
	struct courier_answer a;
	const char *line;
	size_t len;
	int r;

	while ((r = frame_next(&c->in, &line, &len)) == 0) {
		if (courier_read_answer(line, len, &a) != 0)
			return (false);
		c->pause_ms = 0;
		if (c->in_hand > 0)
			c->in_hand--;
		if (c->state == COURIER_RUNNING && c->in_hand > 0)
			courier_set_timer(c, c->silent_ms);
		else if (c->state == COURIER_RUNNING)
			(void)event_del(&c->timer);
		c->events.answered(c->events.arg, &a);
		if (c->fd == -1)
			return (true);
	}
	return (r == ERR_NOTFOUND);
}

/* Reads what the courier says. */
static void
courier_read_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;
	char piece[4096];
	ssize_t n;

	(void)what;
	n = recv(fd, piece, sizeof(piece), MSG_DONTWAIT);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0 && frame_feed(&c->in, piece, (size_t)n) != ERR_NOMEM &&
	    courier_take(c))
		return;
	if (n > 0)
		courier_fail(c, "says what it should not");
	else if (c->state == COURIER_ENDING)
		courier_kill(c);
	else
		courier_fail(c, "has died");
}

/* Writes what waits for it. */
static void
courier_write_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;
	ssize_t n = 0;

	(void)what;
	if (c->out.len > 0)
		n = send(
		    fd, c->out.data, c->out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	/* That it has gone is found when it is read from. */
	if (n == -1 && errno != EAGAIN && errno != EINTR)
		return;
	if (n > 0)
		buf_drain(&c->out, (size_t)n);
	if (c->out.len > 0) {
		if (event_add(&c->writable, NULL) == -1)
			courier_fail(c, "cannot be written to");
	} else if (c->state == COURIER_ENDING) {
		(void)shutdown(fd, SHUT_WR);
	}
}

/* What the timer means is in the state. */
static void
courier_timer_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;

	(void)fd;
	(void)what;
	switch (c->state) {
	case COURIER_ENDING:
		log_warnx("the courier has not finished in time");
		courier_kill(c);
		break;
	case COURIER_DYING:
		courier_reap(c);
		break;
	case COURIER_PAUSING:
		courier_start(c);
		break;
	case COURIER_RUNNING:
		courier_fail(c, "does not answer");
		break;
	case COURIER_IDLE:
		break;
	}
}

int
courier_new(struct event_base *base, const struct courier_events *events,
    int64_t silent_ms, struct courier **out)
{
	struct courier *c;

	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (ERR_NOMEM);
	c->base = base;
	c->events = *events;
	c->silent_ms = silent_ms;
	c->pid = -1;
	c->fd = -1;
	frame_init(&c->in, COURIER_WIRE_ANSWER);
	buf_init(&c->out, 0);
	if (event_assign(&c->timer, base, -1, 0, courier_timer_cb, c) == -1) {
		free(c);
		return (ERR_NOMEM);
	}
	*out = c;
	return (0);
}

void
courier_free(struct courier *c)
{
	if (c == NULL)
		return;
	courier_hang_up(c);
	(void)event_del(&c->timer);
	if (c->pid != -1) {
		(void)kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) == -1 && errno == EINTR)
			continue;
	}
	free(c->path);
	free(c->settings);
	free(c);
}

/* Starts the program with fd as its standard input; an errno or 0. */
static int
courier_spawn(const char *path, int fd, pid_t *pid)
{
	static const char *const env[] = {"LANG=C.UTF-8", NULL};
	/* Its standard error is the log. */
	const struct child c = {.path = path,
	    .name = COURIER_NAME,
	    .env = env,
	    .input = fd,
	    .has_log = true};

	return (child_start(&c, pid));
}

/* Makes a process and its socket; an errno or 0. */
static int
courier_open(struct courier *c)
{
	int fds[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == -1)
		return (errno);
	error = courier_spawn(c->path, fds[1], &c->pid);
	(void)close(fds[1]);
	if (error != 0) {
		(void)close(fds[0]);
		c->pid = -1;
		return (error);
	}
	c->fd = fds[0];
	(void)event_assign(&c->readable, c->base, c->fd, EV_READ | EV_PERSIST,
	    courier_read_cb, c);
	(void)event_assign(
	    &c->writable, c->base, c->fd, EV_WRITE, courier_write_cb, c);
	buf_puts(&c->out, c->settings);
	return (0);
}

/* Starts the program. */
static void
courier_start(struct courier *c)
{
	int error;

	if ((error = courier_open(c)) != 0) {
		log_errorx("the courier \"%s\" cannot be started: %s", c->path,
		    strerror(error));
		c->state = COURIER_PAUSING;
		courier_set_timer(c, COURIER_PAUSE_MAX_MS);
		return;
	}
	c->state = COURIER_RUNNING;
	if (buf_error(&c->out) != 0 || event_add(&c->readable, NULL) == -1) {
		courier_fail(c, "gets no memory");
		return;
	}
	log_debug("the courier is process %d", (int)c->pid);
	courier_write_cb(c->fd, EV_WRITE, c);
	if (c->state == COURIER_RUNNING)
		c->events.ready(c->events.arg);
}

/*
 * Finds the program: beside our own if the settings name none.  NULL: no
 * memory, or our own is not to be found.
 */
static char *
courier_find(const struct conf *conf)
{
	char self[PATH_MAX], *slash, *path;
	ssize_t n;

	if (conf->courier[0] != '\0')
		return (strdup(conf->courier));
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n <= 0)
		return (NULL);
	self[n] = '\0';
	if ((slash = strrchr(self, '/')) == NULL)
		return (NULL);
	*slash = '\0';
	if (asprintf(&path, "%s/" COURIER_NAME, self) == -1)
		return (NULL);
	return (path);
}

/* The first line: what the program must know; NULL without memory. */
static char *
courier_settings(const struct conf *conf)
{
	struct buf line;
	char *text;
	json_t *v;

	v = json_pack("{s:b, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}",
	    "core_dumps", (int)conf->core_dumps, "notify_command",
	    conf->notify_command, "smtp_url", conf->smtp_url, "smtp_from",
	    conf->smtp_from, "smtp_user", conf->smtp_user, "smtp_password_file",
	    conf->smtp_password_file, "smtp_ca", conf->smtp_ca,
	    "webhook_networks", conf->webhook_networks, "webhook_ca",
	    conf->webhook_ca);
	if (v == NULL)
		return (NULL);
	buf_init(&line, COURIER_WIRE_LINE);
	js_dump(v, &line);
	buf_putc(&line, '\n');
	json_decref(v);
	text = buf_take(&line, NULL);
	buf_clear(&line);
	return (text);
}

/* Tells one that runs to finish. */
static void
courier_end(struct courier *c, int64_t timeout_s)
{
	switch (c->state) {
	case COURIER_RUNNING:
		c->state = COURIER_ENDING;
		c->pause_ms = 0;
		courier_set_timer(c, 1000 * timeout_s);
		courier_write_cb(c->fd, EV_WRITE, c);
		break;
	case COURIER_PAUSING:
		c->pause_ms = 0;
		courier_set_timer(c, 0);
		break;
	case COURIER_IDLE:
	case COURIER_ENDING:
	case COURIER_DYING:
		break;
	}
}

int
courier_configure(struct courier *c, const struct conf *conf, int64_t timeout_s)
{
	const bool is_wanted = conf->notify_command[0] != '\0' ||
	    conf->smtp_url[0] != '\0' || conf->webhooks != 0;
	char *path = is_wanted ? courier_find(conf) : NULL;
	char *settings = is_wanted ? courier_settings(conf) : NULL;

	if (is_wanted && (path == NULL || settings == NULL)) {
		free(path);
		free(settings);
		return (ERR_NOMEM);
	}
	free(c->path);
	free(c->settings);
	c->path = path;
	c->settings = settings;
	if (c->state == COURIER_IDLE && is_wanted)
		courier_start(c);
	else if (c->state == COURIER_PAUSING && !is_wanted) {
		(void)event_del(&c->timer);
		c->state = COURIER_IDLE;
	} else
		courier_end(c, timeout_s);
	return (0);
}

bool
courier_is_ready(const struct courier *c)
{
	return (c->state == COURIER_RUNNING);
}

int
courier_send(struct courier *c, const struct courier_job *job)
{
	json_t *v;
	int bad = 0;

	if (c->state != COURIER_RUNNING)
		return (ERR_BUSY);
	v = json_pack("{s:I, s:s}", "id", (json_int_t)job->id, "channel",
	    store_channel_names[job->channel]);
	if (job->channel != STORE_CHANNEL_COMMAND)
		bad |= json_object_set_new(v, "to", json_string(job->to));
	if (job->channel == STORE_CHANNEL_MAIL)
		bad |= json_object_set_new(
		    v, "subject", json_string(job->subject));
	bad |= json_object_set_new(v, "body", json_string(job->body));
	if (bad != 0) {
		json_decref(v);
		return (ERR_NOMEM);
	}
	js_dump(v, &c->out);
	buf_putc(&c->out, '\n');
	json_decref(v);
	if (buf_error(&c->out) != 0) {
		/* Part of a line may be there, which cannot be taken back. */
		courier_fail(c, "gets no memory");
		return (ERR_NOMEM);
	}
	if (event_add(&c->writable, NULL) == -1) {
		courier_fail(c, "gets no memory");
		return (ERR_NOMEM);
	}
	if (c->in_hand++ == 0)
		courier_set_timer(c, c->silent_ms);
	return (0);
}

void
courier_finish(struct courier *c, int64_t timeout_s)
{
	free(c->settings);
	c->settings = NULL;
	if (c->state == COURIER_PAUSING) {
		(void)event_del(&c->timer);
		c->state = COURIER_IDLE;
	}
	if (c->state == COURIER_IDLE)
		c->events.ended(c->events.arg);
	else
		courier_end(c, timeout_s);
}
