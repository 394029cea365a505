/* SPDX-License-Identifier: ISC */
/*
 * Inside of session.h: what its files call of each other.  session.c is the
 * life of a connection and its turns, session_clock.c what can run out, and
 * session_rate.c how much it may ask for.
 */
#ifndef UMPIRE_SERVER_RPC_SESSION_INT_H
#define UMPIRE_SERVER_RPC_SESSION_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/rpc/session.h"

/* ---- session.c ---- */

/* Ends a session with an error that belongs to no request. */
void session_refuse(struct session *s, int r, const char *text);

/* Says what to wait for: the socket's events, and the timer. */
void session_update(struct session *s);

/* One turn of the session.  is_readable: the socket may have input. */
void session_run(struct session *s, bool is_readable);

/* ---- session_clock.c ---- */

/* Starts a clock of so many seconds. */
void session_clock_start(
    struct session *s, enum session_clock clock, int64_t seconds);

/*
 * Starts a clock of a start-up.  In a crowd it runs faster, so that those who
 * say nothing do not keep others out for long; a second is left to anybody.
 */
void session_clock_start_up(
    struct session *s, enum session_clock clock, int64_t seconds);

/* Stops a clock. */
void session_clock_stop(struct session *s, enum session_clock clock);

/* Sets the timer to the next clock that runs out. */
void session_clock_arm(struct session *s);

/* Of the timer: some clock may have run out. */
void session_clock_cb(int fd, short what, void *arg);

/* ---- session_rate.c ---- */

/*
 * Moves the session's events behind those of all others if it is found to ask
 * for much, or back.  True if it has just been found so: it is the others'
 * turn then.  Its timer stays where it is, so that others who are busy without
 * end do not keep it from its deadlines, nor from a turn now and then.
 */
bool session_gives_way(struct session *s);

/*
 * Lets a heavy session wait for its turn behind all others.  is_due: it has
 * waited for long, or has not had one for long.  It is not kept waiting without
 * end, yet those that come first so are few.
 */
void session_wait(struct session *s, bool is_due, int64_t now_ms);

/* Counts a handshake that the peer broke off, if it had begun. */
void session_break_off(const struct session *s);

/*
 * Charges work of a turn: a handshake's, whatever came, since reading what is
 * no request costs as well, and what was asked for.  A little of it waits for
 * more, or for session_pay().
 */
void session_charge(struct session *s, int64_t spent_us);

/* Charges what is left of it, at the end of a session. */
void session_pay(struct session *s);

/*
 * Lets a session rest that has sent something and no request, as if it had sent
 * one, if the rates allow none.
 */
void session_rest(struct session *s);

#endif
