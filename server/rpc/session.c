/* SPDX-License-Identifier: ISC */
/*
 * The life of a connection.  All that happens to it goes through
 * session_run(): go on with the handshake or take what came, read watched
 * games, write, then say what to wait for.  A session that is behind with its
 * answers or its reading is not read from, and nothing of it is dropped.  What
 * may run out meanwhile is in session_clock.c, how much it may ask for in
 * session_rate.c.
 */
#include "server/rpc/session_int.h"

#include <sys/socket.h>

#include <errno.h>
#include <event2/event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/record/rpc.h"
#include "server/base/names.h"
#include "server/net/presence.h"
#include "server/rpc/io.h"
#include "server/store/access.h"
#include "server/store/store.h"

#define SESSION_READ 16384 /* bytes of a TLS record */
#define SESSION_READS 4 /* records read in one turn */
#define SESSION_LINES 32 /* requests taken in one turn */
#define SESSION_TURN_US 1000 /* after which no other one is taken in it */
#define SESSION_TURN_WITNESS_US 8000 /* of one who answers for many */
#define SESSION_WRITES 16 /* records written in one turn */
#define SESSION_TURN_HEAVY_US 200 /* likewise of one that asks for much */
#define SESSION_WRITES_HEAVY 2
#define SESSION_ROOM 262144 /* output beyond which nothing is taken */
#define SESSION_PROGRESS 65536 /* bytes that renew SESSION_CLOCK_SEND */
#define SESSION_KEEP 16384 /* memory that an empty output may keep */
#define SESSION_LINGER_MS 2000
#define SESSION_LINGER_MAX 1048576 /* bytes dropped at most */
#define SESSION_FAULTS 20 /* of one session, that are logged */

/* Logs formatted text at a level. */
static void __attribute__((format(printf, 2, 3)))
session_print(enum log_level level, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_vprint(level, fmt, ap);
	va_end(ap);
}

void
session_log(const struct session *s, enum log_level level, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!log_is_on(level))
		return;
	va_start(ap, fmt);
	if (vsnprintf(text, sizeof(text), fmt, ap) < 0)
		text[0] = '\0';
	va_end(ap);
	session_print(level, "session %llu %s%s%s: %s",
	    (unsigned long long)s->id, s->sock.peer, s->is_logged_in ? " " : "",
	    s->account, text);
}

bool
session_is_open(const struct session *s)
{
	return (s->state == SESSION_OPEN || s->state == SESSION_ENDING);
}

/* Bytes of output that wait. */
static size_t
session_waiting(const struct session *s)
{
	return (s->out.len - s->sent);
}

bool
session_has_room(const struct session *s)
{
	return (session_waiting(s) < SESSION_ROOM);
}

/* True if another request may be taken now. */
static bool
session_may_take(const struct session *s)
{
	return (s->state == SESSION_OPEN && !s->is_held &&
	    s->clocks[SESSION_CLOCK_RATE] == 0 &&
	    (int64_t)s->pending < s->io->live.max_requests &&
	    session_has_room(s));
}

void
session_kick(struct session *s)
{
	const struct timeval now = {0, 0};

	if (s->state == SESSION_CLOSED) {
		event_active(&s->io->reap, EV_TIMEOUT, 0);
		return;
	}
	/* One that waits for its turn already would lose its place. */
	if (event_pending(&s->work_ev, EV_TIMEOUT, NULL))
		return;
	/*
	 * By a timer, since libevent runs what event_active() adds before it
	 * looks at sockets again: one busy session would starve the others.
	 */
	if (event_add(&s->work_ev, &now) == -1)
		event_active(&s->work_ev, EV_TIMEOUT, 0);
}

int
session_send(struct session *s, const void *p, size_t n)
{
	int r;

	if (!session_is_open(s))
		return (0);
	if (session_waiting(s) + n > (size_t)s->io->live.max_output)
		return (ERR_LIMIT);
	if (s->sent > 0 && s->sent >= s->out.len / 2) {
		buf_drain(&s->out, s->sent);
		s->sent = 0;
	}
	if (session_waiting(s) == 0) {
		s->progress = 0;
		session_clock_start(
		    s, SESSION_CLOCK_SEND, s->io->live.send_timeout);
	}
	buf_add(&s->out, p, n);
	if ((r = buf_error(&s->out)) != 0) {
		/* What was there before is whole and may still be sent. */
		s->out.error = 0;
		return (r);
	}
	return (0);
}

int
session_reply(struct session *s)
{
	struct buf *out = &s->io->reply;
	int r;

	if ((r = buf_error(out)) != 0)
		return (r);
	return (session_send(s, out->data, out->len));
}

void
session_fail(struct session *s, const json_t *id, int r,
    const struct errinfo *e, const json_t *data)
{
	struct buf *out = &s->io->reply;

	buf_reset(out);
	rpc_write_error(out, id, r, e, data);
	r = session_reply(s);
	if (r == ERR_NOMEM || r == ERR_TOOBIG) {
		buf_reset(out);
		rpc_write_error(out, id, ERR_BUSY, NULL, NULL);
		r = session_reply(s);
	}
	if (r != 0) {
		session_log(
		    s, LOG_WARN, "closed: cannot be answered: %s", err_text(r));
		session_close(s);
	}
}

enum log_level
session_fault_level(struct session *s)
{
	if (s->faults == SESSION_FAULTS)
		return (LOG_DEBUG);
	if (++s->faults == SESSION_FAULTS)
		session_log(s, LOG_INFO, "its next faults are not logged");
	return (LOG_INFO);
}

int
session_access(
    struct session *s, const struct store_game_row *row, struct access *v)
{
	return (access_get(s->io->reader, row, s->account, clock_wall_ms(), v));
}

int
session_find(struct session *s, const uint8_t id[HASH_LEN],
    struct store_game_row *row, struct access *v)
{
	int r;

	if ((r = store_game_find(s->io->reader, id, row)) != 0 ||
	    (r = session_access(s, row, v)) != 0)
		return (r);
	return (v->is_known ? 0 : ERR_NOTFOUND);
}

int
session_exporter(struct session *s)
{
	int r;

	if (s->has_exporter)
		return (0);
	if ((r = tls_exporter(&s->tls, s->exporter)) != 0)
		return (r);
	s->has_exporter = true;
	return (0);
}

/* Notes that the session has come so far as to ask for something. */
static void
session_settle(struct session *s)
{
	if (s->is_starting)
		limits_settle(s->io->shared->limits);
	s->is_starting = false;
}

void
session_close(struct session *s)
{
	size_t i;

	if (s->state == SESSION_CLOSED)
		return;
	session_log(s, LOG_DEBUG, "closed");
	s->state = SESSION_CLOSED;
	(void)event_del(&s->read_ev);
	(void)event_del(&s->write_ev);
	(void)event_del(&s->work_ev);
	(void)event_del(&s->timer_ev);
	for (i = 0; s->io->feeds[i] != NULL; i++)
		s->io->feeds[i]->clear(s);
	session_pay(s);
	tls_clear(&s->tls);
	(void)close(s->sock.fd);
	s->sock.fd = -1;
	session_settle(s);
	limits_disconnect(s->io->shared->limits, s->sock.address);
	if (s->is_logged_in)
		presence_leave(s->io->shared->presence, s->account);
	TAILQ_REMOVE(&s->io->sessions, s, link);
	TAILQ_INSERT_TAIL(&s->io->dead, s, link);
	session_kick(s);
}

void
session_free(struct session *s)
{
	frame_clear(&s->in);
	buf_clear(&s->out);
	free(s);
}

void
session_end(struct session *s)
{
	if (s->state == SESSION_HANDSHAKE) {
		session_close(s);
	} else if (s->state == SESSION_OPEN) {
		s->state = SESSION_ENDING;
		session_clock_stop(s, SESSION_CLOCK_FIRST);
		session_clock_stop(s, SESSION_CLOCK_FRAME);
		session_clock_stop(s, SESSION_CLOCK_GUEST);
		session_clock_stop(s, SESSION_CLOCK_IDLE);
		session_kick(s);
	}
}

/*
 * Shuts our end and drops what still comes: closing at once with bytes unread
 * would reset the connection, and the peer might lose our last words.
 */
static void
session_linger(struct session *s)
{
	size_t i;

	tls_shutdown(&s->tls);
	if (shutdown(s->sock.fd, SHUT_WR) == -1) {
		session_close(s);
		return;
	}
	s->state = SESSION_LINGER;
	for (i = 0; i < SESSION_CLOCKS; i++)
		session_clock_stop(s, (enum session_clock)i);
	s->clocks[SESSION_CLOCK_LINGER] = clock_mono_ms() + SESSION_LINGER_MS;
}

/* Drops what comes after the end. */
static void
session_drop(struct session *s)
{
	char piece[SESSION_READ];
	ssize_t n;

	n = recv(s->sock.fd, piece, sizeof(piece), 0);
	if (n > 0)
		s->dropped += (size_t)n;
	if (n == 0 || s->dropped > SESSION_LINGER_MAX ||
	    (n == -1 && errno != EAGAIN && errno != EINTR))
		session_close(s);
}

/*
 * Looks at the peer's first byte before TLS does.  0 if it may be TLS's,
 * ERR_PENDING if it has not come; else the session has been ended.
 */
static int
session_greet(struct session *s)
{
	uint8_t first;
	ssize_t n;

	if (s->is_greeted)
		return (0);
	n = recv(s->sock.fd, &first, 1, MSG_PEEK);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return (ERR_PENDING);
	if (n != 1) {
		session_close(s);
		return (ERR_CLOSED);
	}
	if (!tls_is_hello(first)) {
		session_log(s, LOG_INFO, "does not speak TLS");
		session_blame(s, LIMITS_FAULT_HANDSHAKE);
		session_linger(s);
		return (ERR_TLS);
	}
	s->is_greeted = true;
	return (0);
}

/* Goes on with the handshake. */
static void
session_shake(struct session *s)
{
	struct errinfo e = {0};
	enum tls_want want = TLS_WANT_READ;
	int64_t begun_us;
	int r;

	if (session_greet(s) != 0)
		return;
	begun_us = s->sock.is_exempt ? 0 : clock_thread_us();
	r = tls_handshake(&s->tls, &want, &e);
	if (!s->sock.is_exempt)
		session_charge(s, clock_thread_us() - begun_us);
	if (r == ERR_PENDING) {
		s->wants_write = want == TLS_WANT_WRITE;
		return;
	}
	if (r != 0) {
		session_log(s, r == ERR_CLOSED ? LOG_DEBUG : LOG_INFO,
		    "handshake: %s", e.text[0] == '\0' ? err_text(r) : e.text);
		if (r == ERR_CLOSED) {
			session_break_off(s);
			session_close(s);
			return;
		}
		session_blame(s, LIMITS_FAULT_HANDSHAKE);
		/* The alert that says why is on its way. */
		session_linger(s);
		return;
	}
	s->wants_write = false;
	s->state = SESSION_OPEN;
	session_clock_stop(s, SESSION_CLOCK_HANDSHAKE);
	session_clock_start_up(
	    s, SESSION_CLOCK_FIRST, s->io->live.login_timeout);
	session_clock_start(s, SESSION_CLOCK_GUEST, s->io->live.login_timeout);
	session_clock_start(s, SESSION_CLOCK_IDLE, s->io->live.idle_timeout);
}

void
session_refuse(struct session *s, int r, const char *text)
{
	struct errinfo e;

	(void)err_set(&e, r, "", "%s", text);
	session_log(s, LOG_INFO, "%s", text);
	session_fail(s, NULL, r, &e, NULL);
	session_end(s);
}

/* Takes a line without a request, which costs as much as one. */
static void
session_take_blank(struct session *s)
{
	int64_t wait_ms;

	if (session_admit(s, &wait_ms) == 0)
		return;
	session_log(
	    s, s->is_flooding ? LOG_DEBUG : LOG_INFO, "too many blank lines");
	s->is_flooding = true;
}

/*
 * Takes whole lines while there are any and may be, and the turn is not over;
 * one is taken of each turn, so that it goes on.  True if it stopped for want
 * of bytes.
 */
static bool
session_take_lines(struct session *s, int64_t until_us, int *taken)
{
	const char *line;
	size_t len;
	int r;

	while (*taken < SESSION_LINES) {
		if (!session_may_take(s) ||
		    (*taken > 0 && clock_mono_us() > until_us))
			return (false);
		r = frame_next(&s->in, &line, &len);
		if (r == ERR_NOTFOUND)
			return (true);
		if (r != 0) {
			session_blame(s, LIMITS_FAULT_MALFORMED);
			session_refuse(s, r, "a request is too long");
			return (false);
		}
		(*taken)++;
		session_clock_stop(s, SESSION_CLOCK_FRAME);
		if (len == 0) {
			session_take_blank(s);
			continue;
		}
		session_clock_stop(s, SESSION_CLOCK_FIRST);
		session_settle(s);
		session_clock_start(
		    s, SESSION_CLOCK_IDLE, s->io->live.idle_timeout);
		s->io->take_line(s, line, len);
	}
	return (false);
}

/* Reads one record into the frame; true if there may be more. */
static bool
session_read(struct session *s)
{
	char piece[SESSION_READ];
	struct errinfo e = {0};
	enum tls_want want = TLS_WANT_READ;
	size_t n;
	int r;

	r = tls_read(&s->tls, piece, sizeof(piece), &n, &want, &e);
	if (r == ERR_PENDING) {
		s->wants_write = want == TLS_WANT_WRITE;
		s->has_more = false;
		return (false);
	}
	s->wants_write = false;
	s->has_more = r == 0;
	if (r == ERR_CLOSED && !s->tls.is_broken) {
		/* Its end is shut; it may still read what it asked for. */
		session_end(s);
		return (false);
	}
	if (r != 0) {
		session_log(
		    s, r == ERR_CLOSED ? LOG_DEBUG : LOG_INFO, "%s", e.text);
		session_close(s);
		return (false);
	}
	if ((r = frame_feed(&s->in, piece, n)) == ERR_TOOBIG) {
		session_blame(s, LIMITS_FAULT_MALFORMED);
		session_refuse(s, r, "a request is too long");
		return (false);
	}
	if (r != 0) {
		session_log(s, LOG_WARN, "closed: out of memory");
		session_close(s);
		return (false);
	}
	return (true);
}

/* How long the session may take requests before others go on. */
static int64_t
session_turn_us(const struct session *s)
{
	if (s->has_yielded)
		return (SESSION_TURN_HEAVY_US);
	return (names_has(&s->io->live.witnesses, s->account)
		? SESSION_TURN_WITNESS_US
		: SESSION_TURN_US);
}

/*
 * Takes requests, and reads more of them if there may be more to read; how many
 * lines there were.
 */
static int
session_take(struct session *s)
{
	const int64_t until_us = clock_mono_us() + session_turn_us(s);
	int n, taken = 0;

	for (n = 0; n < SESSION_READS; n++) {
		if (!session_take_lines(s, until_us, &taken)) {
			s->has_more = true;
			break;
		}
		if (!s->has_more || (n > 0 && clock_mono_us() > until_us) ||
		    !session_read(s))
			break;
	}
	return (taken);
}

/* Takes what there is, and keeps the clock of what has come in part. */
static void
session_input(struct session *s, bool is_readable)
{
	const int64_t begun_us = s->sock.is_exempt ? 0 : clock_thread_us();
	bool is_read, is_partial;

	if (is_readable)
		s->has_more = true;
	is_read = s->has_more && session_may_take(s);
	if (session_take(s) > 0)
		s->is_asked = true;
	else if (is_read)
		session_rest(s);
	if (!s->sock.is_exempt)
		session_charge(s, clock_thread_us() - begun_us);
	if (s->state != SESSION_OPEN)
		return;
	is_partial = s->in.in.len > s->in.taken;
	if (!is_partial || !session_may_take(s)) {
		session_clock_stop(s, SESSION_CLOCK_FRAME);
	} else if (s->clocks[SESSION_CLOCK_FRAME] == 0) {
		session_clock_start(
		    s, SESSION_CLOCK_FRAME, s->io->live.request_timeout);
	}
	/* An idle session keeps no memory for input. */
	if (!is_partial)
		frame_clear(&s->in);
}

/* Writes what waits, as far as the socket takes it. */
static void
session_write(struct session *s)
{
	const int most = s->has_yielded ? SESSION_WRITES_HEAVY : SESSION_WRITES;
	struct errinfo e = {0};
	enum tls_want want = TLS_WANT_WRITE;
	size_t done;
	int n, r;

	s->send_wants_read = false;
	for (n = 0; n < most && session_waiting(s) > 0; n++) {
		r = tls_write(&s->tls, s->out.data + s->sent,
		    session_waiting(s), &done, &want, &e);
		if (r == ERR_PENDING) {
			s->send_wants_read = want == TLS_WANT_READ;
			return;
		}
		if (r != 0) {
			session_log(s, r == ERR_CLOSED ? LOG_DEBUG : LOG_INFO,
			    "%s", e.text);
			session_close(s);
			return;
		}
		s->sent += done;
		s->progress += done;
		if (s->progress >= SESSION_PROGRESS) {
			s->progress = 0;
			session_clock_start(
			    s, SESSION_CLOCK_SEND, s->io->live.send_timeout);
		}
	}
	if (session_waiting(s) > 0 &&
	    s->has_yielded) /* we stopped, not the peer */
		session_clock_start(
		    s, SESSION_CLOCK_SEND, s->io->live.send_timeout);
	if (session_waiting(s) > 0)
		return;
	session_clock_stop(s, SESSION_CLOCK_SEND);
	s->sent = 0;
	if (s->out.cap > SESSION_KEEP)
		buf_clear(&s->out);
	else
		buf_reset(&s->out);
}

/* As session_write(); adds what it took to *asked_us if it was asked for. */
static void
session_output(struct session *s, int64_t *asked_us)
{
	const bool is_charged = s->is_asked && !s->sock.is_exempt;
	const int64_t begun_us = is_charged ? clock_thread_us() : 0;

	session_write(s);
	if (is_charged)
		*asked_us += clock_thread_us() - begun_us;
	if (session_waiting(s) == 0)
		s->is_asked = false;
}

/* Adds or deletes one event; the session is closed if that fails. */
static void
session_want(
    struct session *s, struct event *ev, bool *is_added, bool is_wanted)
{
	if (s->state == SESSION_CLOSED || *is_added == is_wanted)
		return;
	if ((is_wanted ? event_add(ev, NULL) : event_del(ev)) == -1) {
		session_log(s, LOG_WARN, "closed: cannot make an event");
		session_close(s);
		return;
	}
	*is_added = is_wanted;
}

void
session_update(struct session *s)
{
	const bool is_shaking = s->state == SESSION_HANDSHAKE;
	const bool is_sending = session_is_open(s) && session_waiting(s) > 0;
	bool read, write;

	read = (is_shaking && !s->wants_write) || s->state == SESSION_LINGER ||
	    s->send_wants_read || (session_may_take(s) && !s->wants_write);
	write = (is_shaking && s->wants_write) ||
	    (is_sending && !s->send_wants_read) ||
	    (session_may_take(s) && s->wants_write);
	session_want(s, &s->read_ev, &s->is_reading, read);
	session_want(s, &s->write_ev, &s->is_writing, write);
	if (s->state != SESSION_CLOSED)
		session_clock_arm(s);
}

void
session_run(struct session *s, bool is_readable)
{
	const struct session_feed *const *feeds = s->io->feeds;
	int64_t asked_us = 0;
	bool is_behind = false;
	size_t i;
	int r;

	if (session_gives_way(s))
		return;
	if (s->state == SESSION_HANDSHAKE)
		session_shake(s);
	else if (s->state == SESSION_LINGER && is_readable)
		session_drop(s);
	if (s->state == SESSION_OPEN)
		session_input(s, is_readable);
	for (i = 0; feeds[i] != NULL && s->state == SESSION_OPEN; i++) {
		if ((r = feeds[i]->pump(s, &asked_us)) != 0) {
			session_log(s, LOG_WARN, "closed: %s: %s",
			    feeds[i]->what, err_text(r));
			session_close(s);
		}
		is_behind = is_behind || feeds[i]->is_behind(s);
	}
	if (asked_us > 0)
		s->is_asked = true;
	if (session_is_open(s))
		session_output(s, &asked_us);
	if (asked_us > 0)
		session_charge(s, asked_us);
	if (s->state == SESSION_ENDING && s->pending == 0 &&
	    session_waiting(s) == 0)
		session_linger(s);
	if (s->state == SESSION_CLOSED)
		return;
	session_update(s);
	if (s->state == SESSION_OPEN &&
	    ((s->has_more && session_may_take(s)) ||
		(session_has_room(s) && is_behind)))
		session_kick(s);
}

/* The socket is readable. */
static void
session_read_cb(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	session_run(arg, true);
}

/* The socket is writable. */
static void
session_write_cb(int fd, short what, void *arg)
{
	struct session *s = arg;

	(void)fd;
	(void)what;
	session_run(s, s->wants_write);
}

/* session_kick() was called. */
static void
session_work_cb(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	session_run(arg, false);
}

/* Makes a session of a socket; what fails leaves the socket open. */
static int
session_new(
    struct io *io, const struct session_socket *sock, struct session **out)
{
	struct session *s;
	int r = ERR_NOMEM;

	if ((s = calloc(1, sizeof(*s))) == NULL)
		return (ERR_NOMEM);
	s->io = io;
	s->sock = *sock;
	s->is_starting = true;
	frame_init(&s->in, RPC_REQUEST_MAX);
	buf_init(&s->out, 0);
	TAILQ_INIT(&s->watched.current);
	TAILQ_INIT(&s->watched.behind);
	if ((r = tls_init(&s->tls, io->tls, sock->fd)) != 0)
		goto fail;
	if (event_assign(&s->read_ev, io->base, sock->fd, EV_READ | EV_PERSIST,
		session_read_cb, s) == -1 ||
	    event_assign(&s->write_ev, io->base, sock->fd,
		EV_WRITE | EV_PERSIST, session_write_cb, s) == -1 ||
	    event_assign(&s->work_ev, io->base, -1, 0, session_work_cb, s) ==
		-1 ||
	    event_assign(&s->timer_ev, io->base, -1, 0, session_clock_cb, s) ==
		-1) {
		r = ERR_NOMEM;
		goto fail;
	}
	*out = s;
	return (0);
fail:
	tls_clear(&s->tls);
	free(s);
	return (r);
}

void
session_open(struct io *io, const struct session_socket *sock)
{
	struct session *s;

	if (io->is_stopping || session_new(io, sock, &s) != 0) {
		if (!io->is_stopping)
			log_warnx("%s: closed: out of memory", sock->peer);
		(void)close(sock->fd);
		limits_settle(io->shared->limits);
		limits_disconnect(io->shared->limits, sock->address);
		return;
	}
	s->id = io->next_id;
	io->next_id += io->id_step;
	TAILQ_INSERT_TAIL(&io->sessions, s, link);
	session_log(s, LOG_DEBUG, "connected");
	session_clock_start_up(
	    s, SESSION_CLOCK_HANDSHAKE, io->live.handshake_timeout);
	session_run(s, false);
}
