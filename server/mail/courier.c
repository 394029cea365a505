/* SPDX-License-Identifier: ISC */
/*
 * Two sockets, to the program and to what starts it, and one timer, which the
 * state explains: either an answer is late, or a program that should finish.  A
 * program that says what it should not is killed; the jobs that it had in hand
 * count as lost.
 */
#include "server/mail/courier.h"

#include <sys/socket.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <poll.h>
#include <stdlib.h>

#include "common/base/buf.h"
#include "server/base/log.h"
#include "server/mail/spawner.h"

enum courier_state {
	COURIER_AWAY, /* none runs, or it will not for long */
	COURIER_READY,
	COURIER_RENEWING, /* told to finish, and another one to come */
	COURIER_FINISHING, /* told to finish */
};

struct courier {
	struct courier_events events;
	enum courier_state state;
	struct spawner *spawner; /* borrowed; NULL: none, or it has died */
	struct event control; /* from the spawner */
	struct event wire; /* from the program */
	struct event timer;
	int64_t silent_ms; /* how long it may be silent with jobs in hand */
	size_t in_hand; /* jobs without an answer */
	char packet[COURIER_PACKET];
};

/* Sets the timer, or stops it with -1. */
static void
courier_set_timer(struct courier *c, int64_t ms)
{
	const struct timeval tv = {
	    .tv_sec = ms / 1000, .tv_usec = 1000 * (ms % 1000)};

	if (ms == -1)
		(void)event_del(&c->timer);
	else if (event_add(&c->timer, &tv) == -1)
		log_errorx("no memory for a timer");
}

/* Tells the spawner something; reading finds out if it is gone. */
static void
courier_tell(struct courier *c, char what)
{
	if (c->spawner != NULL)
		(void)send(
		    c->spawner->control, &what, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Goes on without a spawner. */
static void
courier_lose(struct courier *c)
{
	(void)event_del(&c->control);
	(void)event_del(&c->wire);
	courier_set_timer(c, -1);
	c->spawner = NULL;
	c->state = COURIER_AWAY;
	c->in_hand = 0;
	c->events.ended(c->events.arg);
}

/* Ends a program that should have gone on. */
static void
courier_kill(struct courier *c, const char *why)
{
	log_warnx("the courier %s", why);
	if (c->state == COURIER_FINISHING) {
		/* The spawner no longer listens, but it sees this. */
		(void)shutdown(c->spawner->wire, SHUT_RDWR);
		courier_lose(c);
		return;
	}
	c->state = COURIER_AWAY;
	courier_set_timer(c, -1);
	courier_tell(c, SPAWNER_KILL);
}

/* True if a socket that gave nothing is shut: an empty packet gives the same.
 */
static bool
courier_is_shut(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN | POLLRDHUP};

	return (poll(&p, 1, 0) == 1 &&
	    (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0);
}

/*
 * Takes the answers that came: more than those to all jobs is nonsense.
 * Returns false if no program can answer on the socket any longer.
 */
static bool
courier_take(struct courier *c)
{
	struct courier_message answer = {.doc = NULL};
	ssize_t n;
	int i;

	for (i = 0; i < COURIER_JOBS && c->spawner != NULL; i++) {
		n = recv(c->spawner->wire, c->packet, sizeof(c->packet),
		    MSG_DONTWAIT | MSG_TRUNC);
		if (n == -1)
			return (true);
		if (n == 0 && courier_is_shut(c->spawner->wire))
			return (false);
		if (c->state == COURIER_AWAY)
			continue;
		if ((size_t)n > sizeof(c->packet) ||
		    courier_message_read(c->packet, (size_t)n, &answer, NULL) !=
			0 ||
		    !answer.is_answer) {
			courier_kill(c, "sent nonsense");
		} else {
			if (c->in_hand > 0)
				c->in_hand--;
			if (c->state == COURIER_READY)
				courier_set_timer(
				    c, c->in_hand > 0 ? c->silent_ms : -1);
			c->events.answered(c->events.arg, &answer);
		}
		courier_message_clear(&answer);
	}
	return (true);
}

/*
 * Reads from the program.  One that shuts its end of the socket down does so
 * for all that would follow it: the spawner is told to start no more.
 */
static void
courier_wire_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;

	(void)fd;
	(void)what;
	if (courier_take(c))
		return;
	if (c->state != COURIER_FINISHING) {
		log_errorx("the courier has closed its socket: restart "
			   "umpired to resume notices");
		courier_tell(c, SPAWNER_KILL);
		(void)shutdown(c->spawner->control, SHUT_WR);
	}
	courier_lose(c);
}

/* Reads from the spawner. */
static void
courier_control_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;
	ssize_t n;
	char word;

	(void)what;
	/* What the program said before its end comes first. */
	(void)courier_take(c);
	if (c->spawner == NULL)
		return;
	n = recv(fd, &word, 1, MSG_DONTWAIT);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n != 1) {
		if (c->state != COURIER_FINISHING) {
			log_errorx("the process that starts the courier has "
				   "died: restart "
				   "umpired to resume notices");
			(void)shutdown(c->spawner->wire, SHUT_RDWR);
		}
		courier_lose(c);
	} else if (c->state == COURIER_FINISHING) {
		/* Its own end follows. */
	} else if (word == SPAWNER_STARTED) {
		c->state = COURIER_READY;
		c->events.ready(c->events.arg);
	} else {
		courier_set_timer(c, -1);
		c->state = COURIER_AWAY;
		c->in_hand = 0;
		c->events.ended(c->events.arg);
	}
}

/* Waits no longer: for what, the state says. */
static void
courier_timer_cb(int fd, short what, void *arg)
{
	struct courier *c = arg;

	(void)fd;
	(void)what;
	courier_kill(c,
	    c->state == COURIER_READY ? "does not answer"
				      : "has not finished in time");
}

int
courier_new(struct event_base *base, struct spawner *spawner,
    const struct courier_events *events, int64_t silent_ms,
    struct courier **out)
{
	struct courier *c;

	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (ERR_NOMEM);
	c->spawner = spawner;
	c->events = *events;
	c->silent_ms = silent_ms;
	if (event_assign(&c->timer, base, -1, 0, courier_timer_cb, c) == -1)
		goto fail;
	if (spawner != NULL) {
		if (event_assign(&c->control, base, spawner->control,
			EV_READ | EV_PERSIST, courier_control_cb, c) == -1 ||
		    event_assign(&c->wire, base, spawner->wire,
			EV_READ | EV_PERSIST, courier_wire_cb, c) == -1 ||
		    event_add(&c->control, NULL) == -1)
			goto fail;
		if (event_add(&c->wire, NULL) == -1) {
			(void)event_del(&c->control);
			goto fail;
		}
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
	if (c->spawner != NULL) {
		(void)event_del(&c->control);
		(void)event_del(&c->wire);
	}
	(void)event_del(&c->timer);
	free(c);
}

bool
courier_is_ready(const struct courier *c)
{
	return (c->state == COURIER_READY);
}

int
courier_send(struct courier *c, const struct courier_message *job)
{
	struct buf packet;
	ssize_t n = -1;
	int r;

	if (c->state != COURIER_READY)
		return (ERR_BUSY);
	buf_init(&packet, COURIER_PACKET);
	courier_message_write(&packet, job);
	if ((r = buf_error(&packet)) == 0)
		n = send(c->spawner->wire, packet.data, packet.len,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
	buf_clear(&packet);
	if (r != 0)
		return (r);
	/* Full, or nobody can read it: the event loop then finds its end. */
	if (n == -1 && errno == EPIPE)
		(void)shutdown(c->spawner->wire, SHUT_RDWR);
	if (n == -1)
		return (ERR_BUSY);
	if (c->in_hand++ == 0)
		courier_set_timer(c, c->silent_ms);
	return (0);
}

void
courier_renew(struct courier *c, int64_t timeout_s)
{
	if (c->state == COURIER_READY) {
		c->state = COURIER_RENEWING;
		courier_set_timer(c, 1000 * timeout_s);
	}
	courier_tell(c, SPAWNER_RENEW);
}

void
courier_finish(struct courier *c, int64_t timeout_s)
{
	if (c->spawner == NULL) {
		c->events.ended(c->events.arg);
		return;
	}
	c->state = COURIER_FINISHING;
	courier_set_timer(c, 1000 * timeout_s);
	(void)shutdown(c->spawner->control, SHUT_WR);
}
