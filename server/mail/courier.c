/* SPDX-License-Identifier: ISC */
/*
 * One socket, one process, one timer.  The timer means what the state says:
 * when to wait no longer for an answer, when to start another, when to wait no
 * longer for one that should finish.  The process is the starter's, which
 * tells of its end.  A program that says what it should not is killed: what it
 * had in hand counts as lost.
 */
#include "server/mail/courier.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "common/base/frame.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/courier/courier_message.h"
#include "server/mail/spawner.h"

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
	struct spawner *spawner; /* borrowed; NULL: none can be started */
	struct event told; /* by the starter */
	bool is_watching; /* told is added */
	char *path; /* of the program; owned; NULL: none shall run */
	bool is_configured; /* settings were given before */
	bool has_ended; /* the starter said so; it may have left answers */
	int status; /* of its end; -1: nobody knows */
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

/* Goes on after the end of the process. */
static void
courier_reap(struct courier *c)
{
	const int status = c->status;

	c->has_ended = false;
	if (status != -1 && WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		log_warnx("the courier ended by signal %d", WTERMSIG(status));
	else if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) != 0)
		log_warnx(
		    "the courier ended with status %d", WEXITSTATUS(status));
	if (c->path == NULL) {
		c->state = COURIER_IDLE;
		c->events.ended(c->events.arg);
		return;
	}
	c->state = COURIER_PAUSING;
	courier_set_timer(c, c->pause_ms);
	c->events.ended(c->events.arg);
}

/* Takes note of an end; one of which nobody waits is of no interest. */
static void
courier_note_end(struct courier *c, int status)
{
	if (c->state == COURIER_IDLE || c->state == COURIER_PAUSING)
		return;
	c->has_ended = true;
	c->status = status;
	/* Otherwise what it has said is read first, up to its end. */
	if (c->state == COURIER_DYING)
		courier_reap(c);
}

/* Takes what the starter says. */
static void
courier_told_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;
	int r, status;

	(void)fd;
	(void)what;
	if ((r = starter_take(c->spawner, &status)) == 0) {
		courier_note_end(c, status);
	} else if (r == ERR_CLOSED) {
		log_errorx("what starts the courier has died: no notices are "
			   "sent until umpired is started again");
		(void)event_del(&c->told);
		c->is_watching = false;
		courier_note_end(c, -1);
	}
}

/*
 * Ends a process that cannot be talked to any more.  Its end is told later,
 * from the loop, since the caller may be one who is told.
 */
static void
courier_kill(struct courier *c)
{
	courier_hang_up(c);
	starter_kill(c->spawner);
	c->state = COURIER_DYING;
	if (c->has_ended)
		courier_set_timer(c, 0);
	else
		(void)event_del(&c->timer);
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
	    c->path == NULL ? "" : "; another is started");
	courier_kill(c);
}

int
courier_read_answer(const char *line, size_t len, struct courier_answer *out)
{
	static const char *const known[] = {
	    "id", "ok", "retry", "own", "error", "cause", NULL};
	struct courier_answer a = {.ok = false};
	const char *cause = "", *error = "";
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
	    (r = js_get_str(v, "error", NULL, &error, NULL)) == 0 &&
	    (r = js_get_str(v, "cause", NULL, &cause, NULL)) == 0) {
		/* Held to what may go into a log and to a terminal. */
		(void)err_set(&e, ERR_IO, "", "%s", error);
		n = strlen(e.text);
		if (n == 0 || n > STORE_ERROR_MAX)
			r = ERR_INVALID;
		else
			memcpy(a.error, e.text, n + 1);
		(void)err_set(&e, ERR_IO, "", "%s", cause);
		n = strlen(e.text);
		if (n > STORE_ERROR_MAX)
			r = ERR_INVALID;
		else
			memcpy(a.cause, e.text, n + 1);
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
courier_new(struct event_base *base, struct spawner *spawner,
    const struct courier_events *events, int64_t silent_ms,
    struct courier **out)
{
	struct courier *c;

	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (ERR_NOMEM);
	c->base = base;
	c->spawner = spawner;
	c->events = *events;
	c->silent_ms = silent_ms;
	c->fd = -1;
	frame_init(&c->in, COURIER_WIRE_ANSWER);
	buf_init(&c->out, 0);
	if (event_assign(&c->timer, base, -1, 0, courier_timer_cb, c) == -1)
		goto fail;
	if (spawner != NULL) {
		if (event_assign(&c->told, base, starter_fd(spawner),
			EV_READ | EV_PERSIST, courier_told_cb, c) == -1 ||
		    event_add(&c->told, NULL) == -1)
			goto fail;
		c->is_watching = true;
	}
	*out = c;
	return (0);
fail:
	free(c);
	return (ERR_NOMEM);
}

void
courier_free(struct courier *c)
{
	if (c == NULL)
		return;
	if (c->fd != -1)
		courier_kill(c);
	(void)event_del(&c->timer);
	if (c->is_watching)
		(void)event_del(&c->told);
	free(c->path);
	free(c);
}

/* Has a process and its socket made; an errno or 0. */
static int
courier_open(struct courier *c)
{
	int error;
	pid_t pid;

	if (c->spawner == NULL)
		return (ENOTSUP);
	if ((error = spawner_start(c->spawner, &pid, &c->fd)) != 0)
		return (error);
	log_debug("the courier is process %d", (int)pid);
	c->has_ended = false;
	(void)event_assign(&c->readable, c->base, c->fd, EV_READ | EV_PERSIST,
	    courier_read_cb, c);
	(void)event_assign(
	    &c->writable, c->base, c->fd, EV_WRITE, courier_write_cb, c);
	return (0);
}

/* Starts the program. */
static void
courier_start(struct courier *c)
{
	int error;

	if (c->spawner != NULL && !c->is_watching) {
		log_errorx("the courier is not started, since what starts it "
			   "has died: start umpired again");
		c->state = COURIER_IDLE;
		return;
	}
	if ((error = courier_open(c)) != 0) {
		log_errorx("the courier \"%s\" cannot be started: %s; see "
			   "\"courier\" in umpired.conf(5); it is tried again "
			   "in %d s",
		    c->path, strerror(error), COURIER_PAUSE_MAX_MS / 1000);
		c->state = COURIER_PAUSING;
		courier_set_timer(c, COURIER_PAUSE_MAX_MS);
		return;
	}
	c->state = COURIER_RUNNING;
	if (event_add(&c->readable, NULL) == -1) {
		courier_fail(c, "gets no memory");
		return;
	}
	c->events.ready(c->events.arg);
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
courier_configure(struct courier *c, const struct conf *conf, int64_t timeout_s,
    struct errinfo *e)
{
	const bool is_wanted = conf->notify_command[0] != '\0' ||
	    conf->smtp_url[0] != '\0' || conf->webhooks != 0;
	char *path = NULL;
	int r;

	if (is_wanted && (r = starter_find(conf, &path, e)) != 0)
		return (r);
	free(c->path);
	c->path = path;
	/* It has been born with the first ones. */
	if (c->is_configured && c->spawner != NULL)
		starter_reload(c->spawner);
	c->is_configured = true;
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
	free(c->path);
	c->path = NULL;
	if (c->state == COURIER_PAUSING) {
		(void)event_del(&c->timer);
		c->state = COURIER_IDLE;
	}
	if (c->state == COURIER_IDLE)
		c->events.ended(c->events.arg);
	else
		courier_end(c, timeout_s);
}
