/* SPDX-License-Identifier: ISC */
/*
 * The clocks of a session: how they are started and stopped, the one timer
 * that waits for whichever is next, and what becomes of a session when one
 * has run out.  Deadlines are absolute: a peer that sends a byte now and then
 * gains nothing.
 */
#include "server/rpc/session_int.h"

#include <sys/socket.h>

#include <event2/event.h>

#include "common/base/clock.h"
#include "common/base/err.h"
#include "server/rpc/io.h"

#define SESSION_LATE_MS 1000 /* by which a deadline is put off */

/* Starts a clock of so many milliseconds. */
static void
session_clock_set(struct session *s, enum session_clock clock, int64_t ms)
{
	const int64_t now_ms = clock_mono_ms();

	s->clocks[clock] = now_ms + ms;
	s->latest[clock] = now_ms + 2 * ms;
}

void
session_clock_start(
    struct session *s, enum session_clock clock, int64_t seconds)
{
	session_clock_set(s, clock, 1000 * seconds);
}

void
session_clock_start_up(
    struct session *s, enum session_clock clock, int64_t seconds)
{
	int64_t ms = 10 * seconds * limits_patience(s->io->shared->limits);

	session_clock_set(s, clock, ms < 1000 ? 1000 : ms);
}

void
session_clock_stop(struct session *s, enum session_clock clock)
{
	s->clocks[clock] = 0;
}

void
session_clock_arm(struct session *s)
{
	struct timeval tv;
	int64_t next = 0, wait_ms;
	size_t i;

	for (i = 0; i < SESSION_CLOCKS; i++) {
		if (s->clocks[i] != 0 && (next == 0 || s->clocks[i] < next))
			next = s->clocks[i];
	}
	/* A timer that is early looks again; so most turns leave it alone. */
	if (next == 0 || (s->timer_ms != 0 && s->timer_ms <= next))
		return;
	if ((wait_ms = next - clock_mono_ms()) < 0)
		wait_ms = 0;
	tv.tv_sec = wait_ms / 1000;
	tv.tv_usec = (wait_ms % 1000) * 1000;
	if (event_add(&s->timer_ev, &tv) == -1) {
		session_log(s, LOG_WARN, "closed: cannot make an event");
		session_close(s);
		return;
	}
	s->timer_ms = next;
}

/*
 * True if what a clock waits for may have come, but we have not looked, since
 * others went first.
 */
static bool
session_is_late(const struct session *s, enum session_clock clock)
{
	char byte;

	if (!s->has_yielded || clock_mono_ms() >= s->latest[clock] ||
	    (clock != SESSION_CLOCK_HANDSHAKE && clock != SESSION_CLOCK_FIRST &&
		clock != SESSION_CLOCK_FRAME && clock != SESSION_CLOCK_GUEST))
		return (false);
	return (s->has_more ||
	    recv(s->sock.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0);
}

/* Ends a session that keeps a place from those who log in, if there are few. */
static void
session_expire_guest(struct session *s)
{
	if (s->is_logged_in || limits_is_gateway(s->sock.address))
		return;
	if (s->pending > 0 || !limits_is_scarce(s->io->shared->limits))
		session_clock_start(
		    s, SESSION_CLOCK_GUEST, s->io->live.login_timeout);
	else
		session_refuse(s, ERR_TIMEOUT,
		    "the server is full; only clients that log in may stay "
		    "connected");
}

/* Acts upon one clock that ran out. */
static void
session_expire(struct session *s, enum session_clock clock)
{
	if (session_is_late(s, clock)) {
		s->clocks[clock] = clock_mono_ms() + SESSION_LATE_MS;
		return;
	}
	session_clock_stop(s, clock);
	switch (clock) {
	case SESSION_CLOCK_HANDSHAKE:
		session_log(s, LOG_INFO, "the handshake took too long");
		session_blame(s, LIMITS_FAULT_TIMEOUT);
		session_close(s);
		break;
	case SESSION_CLOCK_FIRST:
		session_blame(s, LIMITS_FAULT_TIMEOUT);
		session_refuse(s, ERR_TIMEOUT, "no request came in time");
		break;
	case SESSION_CLOCK_FRAME:
		session_blame(s, LIMITS_FAULT_TIMEOUT);
		session_refuse(s, ERR_TIMEOUT,
		    "the rest of the request did not come in time");
		break;
	case SESSION_CLOCK_GUEST:
		session_expire_guest(s);
		break;
	case SESSION_CLOCK_IDLE:
		if (s->pending > 0 || s->watched.count > 0 || s->lobby.is_on)
			session_clock_start(s, clock, s->io->live.idle_timeout);
		else
			session_refuse(
			    s, ERR_TIMEOUT, "no request for too long");
		break;
	case SESSION_CLOCK_SEND:
		session_log(s, LOG_INFO, "reads too slowly");
		session_blame(s, LIMITS_FAULT_TIMEOUT);
		session_close(s);
		break;
	case SESSION_CLOCK_RATE:
	case SESSION_CLOCK_TURN:
		/* It is stopped; a turn follows. */
		break;
	case SESSION_CLOCK_LINGER:
	case SESSION_CLOCKS:
		session_close(s);
		break;
	}
}

void
session_clock_cb(int fd, short what, void *arg)
{
	struct session *s = arg;
	const int64_t now_ms = clock_mono_ms();
	const bool is_due = s->clocks[SESSION_CLOCK_TURN] != 0 &&
	    s->clocks[SESSION_CLOCK_TURN] <= now_ms;
	size_t i;

	(void)fd;
	(void)what;
	s->timer_ms = 0;
	for (i = 0; i < SESSION_CLOCKS && s->state != SESSION_CLOSED; i++) {
		if (s->clocks[i] != 0 && s->clocks[i] <= now_ms)
			session_expire(s, (enum session_clock)i);
	}
	if (s->state == SESSION_CLOSED)
		return;
	if (!s->has_yielded)
		session_run(s, false);
	else
		session_wait(s, is_due, now_ms);
}
