/* SPDX-License-Identifier: ISC */
/*
 * How much a session may ask for: its requests and the work they make are
 * counted in limits, and what is over the rates waits.  One that asks for much
 * lets all others go first, but gets a turn now and then.
 */
#include "server/rpc/session_int.h"

#include <event2/event.h>

#include "common/base/clock.h"
#include "server/rpc/io.h"

#define SESSION_OWED_US 200 /* work that is charged together */
#define SESSION_STARVE_MS 1000 /* of waiting after which it is starved */
#define SESSION_STARVED_MS 50 /* between two starved ones that are served */
#define SESSION_REST_MS 200 /* at least, where nothing was asked for */

int
session_admit(struct session *s, int64_t *wait_ms)
{
	const int64_t now_ms = clock_mono_ms();
	int r;

	if (s->sock.is_exempt)
		return (0);
	r = limits_request(s->io->shared->limits, s->sock.address, s->account,
	    now_ms, wait_ms);
	if (r != 0)
		s->clocks[SESSION_CLOCK_RATE] = now_ms + *wait_ms;
	return (r);
}

void
session_blame(const struct session *s, enum limits_fault fault)
{
	if (!s->is_logged_in && !s->sock.is_exempt)
		limits_penalize(s->io->shared->limits, s->sock.address, fault,
		    clock_mono_ms());
}

void
session_break_off(const struct session *s)
{
	if (!s->sock.is_exempt && tls_is_begun(&s->tls))
		limits_break_off(
		    s->io->shared->limits, s->sock.address, clock_mono_ms());
}

/* Asks whether the session has become one that asks for much, or is none. */
static void
session_weigh(struct session *s)
{
	const int64_t now_ms = clock_mono_ms();

	if (s->sock.is_exempt)
		return;
	s->is_heavy = limits_is_heavy(
	    s->io->shared->limits, s->sock.address, s->account, now_ms);
	s->is_waiting = false;
	s->clocks[SESSION_CLOCK_TURN] =
	    s->is_heavy ? now_ms + SESSION_STARVE_MS : 0;
}

bool
session_gives_way(struct session *s)
{
	struct event *const events[] = {&s->read_ev, &s->write_ev, &s->work_ev};
	size_t i;

	session_weigh(s);
	if (s->is_heavy == s->has_yielded)
		return (false);
	s->has_yielded = s->is_heavy;
	/* Events that are added, or about to run, cannot be moved. */
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		(void)event_del(events[i]);
		(void)event_priority_set(
		    events[i], s->is_heavy ? IO_PRIORITY_HEAVY : IO_PRIORITY);
	}
	s->is_reading = s->is_writing = false;
	session_update(s);
	session_kick(s);
	return (s->is_heavy);
}

void
session_wait(struct session *s, bool is_due, int64_t now_ms)
{
	if (is_due && s->is_waiting && now_ms >= s->io->starved_ms) {
		s->io->starved_ms = now_ms + SESSION_STARVED_MS;
		session_run(s, true);
		return;
	}
	if (is_due || !s->is_waiting)
		s->clocks[SESSION_CLOCK_TURN] = now_ms + SESSION_STARVE_MS;
	s->is_waiting = true;
	session_kick(s);
	session_clock_arm(s);
}

void
session_charge(struct session *s, int64_t spent_us)
{
	struct limits *limits = s->io->shared->limits;
	int64_t now_ms, wait_ms;

	if (s->sock.is_exempt)
		return;
	s->owed_us += spent_us;
	if (s->owed_us < SESSION_OWED_US && s->clocks[SESSION_CLOCK_RATE] == 0)
		return;
	now_ms = clock_mono_ms();
	limits_charge(limits, s->sock.address, s->account, s->owed_us, now_ms);
	s->owed_us = 0;
	if (s->clocks[SESSION_CLOCK_RATE] == 0)
		return;
	/* A request was refused, which cost something, too. */
	wait_ms = limits_wait_ms(limits, s->sock.address, s->account, now_ms);
	if (s->clocks[SESSION_CLOCK_RATE] < now_ms + wait_ms)
		s->clocks[SESSION_CLOCK_RATE] = now_ms + wait_ms;
}

void
session_pay(struct session *s)
{
	if (s->owed_us > 0)
		limits_charge(s->io->shared->limits, s->sock.address,
		    s->account, s->owed_us, clock_mono_ms());
	s->owed_us = 0;
}

void
session_rest(struct session *s)
{
	const int64_t now_ms = clock_mono_ms();
	int64_t wait_ms;

	if (s->sock.is_exempt || s->clocks[SESSION_CLOCK_RATE] != 0)
		return;
	wait_ms = limits_wait_ms(
	    s->io->shared->limits, s->sock.address, s->account, now_ms);
	if (wait_ms == 0)
		return;
	s->clocks[SESSION_CLOCK_RATE] =
	    now_ms + (wait_ms < SESSION_REST_MS ? SESSION_REST_MS : wait_ms);
}
