/* SPDX-License-Identifier: ISC */
/*
 * A client's connection, which lives in one io thread: TLS, lines in and
 * out, deadlines and bounds.  It ends only through session_close() and is
 * freed by the loop when no answer is owed to it any longer.
 */
#ifndef UMPIRE_SERVER_RPC_SESSION_H
#define UMPIRE_SERVER_RPC_SESSION_H

#include <sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event_struct.h>
#include <jansson.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/base/frame.h"
#include "common/crypt/sign.h"
#include "common/record/order.h"
#include "server/base/log.h"
#include "server/net/limits.h"
#include "server/net/tls.h"

struct io;
struct game_feed_watch;
struct session;
struct store_game_row;
struct access;

TAILQ_HEAD(session_watches, game_feed_watch);

/* The games that a session watches; game_feed's own. */
struct session_games {
	struct session_watches current; /* all that is there was sent */
	struct session_watches behind; /* lines wait to be read */
	size_t count;
};

/* How a session watches the lobby; lobby_feed's own. */
struct session_lobby {
	LIST_ENTRY(session) link;
	bool is_on;
	bool is_mine; /* only games of the account that is logged in */
	bool wants_erased; /* texts that were erased, wherever */
	uint64_t next; /* number of the event to look at next */
};

/* What is sent to sessions unasked. */
struct session_feed {
	const char *what; /* for the log */
	/*
	 * Writes what waits into the session's output while it has room, a
	 * little at a time.  What time of the processor that took which was
	 * asked for is added to *asked_us.  ERR_*: the session is closed, since
	 * nothing may be left out.
	 */
	int (*pump)(struct session *s, int64_t *asked_us);
	/* True if something waits to be written. */
	bool (*is_behind)(const struct session *s);
	/* Ends all that the session watches. */
	void (*clear)(struct session *s);
};

enum session_state {
	SESSION_HANDSHAKE, /* TLS is being agreed on */
	SESSION_OPEN, /* requests are read */
	SESSION_ENDING, /* what is owed is answered, nothing is read */
	SESSION_LINGER, /* our end is shut; the peer's bytes are dropped */
	SESSION_CLOSED, /* to be freed */
};

/* What can run out, each at a time of its own; 0: not running. */
enum session_clock {
	SESSION_CLOCK_HANDSHAKE,
	SESSION_CLOCK_FIRST, /* the first request */
	SESSION_CLOCK_FRAME, /* the rest of a request */
	SESSION_CLOCK_GUEST, /* nobody has logged in; others may want to */
	SESSION_CLOCK_IDLE,
	SESSION_CLOCK_SEND,
	SESSION_CLOCK_LINGER,
	SESSION_CLOCK_RATE, /* a request was refused: none is taken before */
	SESSION_CLOCK_TURN, /* of a heavy one, which has had none for long */
	SESSION_CLOCKS,
};

#define SESSION_PEER 64 /* "[address]:port" and a terminator */

/* A socket with what is known of its other end. */
struct session_socket {
	int fd;
	uint8_t address[LIMITS_ADDRESS]; /* counted in the table of limits */
	bool is_exempt; /* from penalties and rates */
	char peer[SESSION_PEER]; /* for the log */
};

struct session {
	TAILQ_ENTRY(session) link;
	struct io *io;
	uint64_t id; /* for the log */
	enum session_state state;
	struct session_socket sock;
	struct tls tls;
	struct event read_ev;
	struct event write_ev;
	struct event work_ev; /* set to go on from the loop */
	struct event timer_ev;
	bool is_starting; /* counted so in the table of limits */
	bool is_heavy; /* it asks for much: others go first */
	bool has_yielded; /* the events' priority says so */
	bool is_waiting; /* for a turn that it was told to take */
	bool is_greeted; /* the peer's first byte was looked at */
	bool is_reading; /* read_ev is added; likewise write_ev */
	bool is_writing;
	bool wants_write; /* TLS must write before it reads on */
	bool send_wants_read; /* TLS must read before it writes on */
	bool has_more; /* input may be had without the socket's saying so */
	int64_t clocks[SESSION_CLOCKS]; /* deadlines, monotonic ms */
	int64_t latest[SESSION_CLOCKS]; /* to when they may be put off */
	int64_t timer_ms; /* when timer_ev fires */
	struct frame in;
	struct buf out;
	size_t sent; /* bytes of out that are gone */
	size_t progress; /* bytes gone since SESSION_CLOCK_SEND was set */
	bool is_asked; /* some of what waits in out was asked for */
	size_t dropped; /* bytes dropped in SESSION_LINGER */
	size_t pending; /* answers that the ledger owes */
	int64_t owed_us; /* work that was not charged yet */
	unsigned faults; /* its own, that were logged */
	bool is_flooding; /* it went over a rate, which was logged */
	bool is_held; /* nothing more is taken until one is answered */
	bool has_exporter; /* exporter was made: session_exporter() */
	uint8_t exporter[TLS_EXPORTER_LEN];
	bool is_logged_in;
	char account[ORDER_ACCOUNT_MAX + 1]; /* "" before */
	uint8_t key[SIGN_KEY_LEN]; /* of the login */
	unsigned precompute_lost; /* VRF work that has led to no line
				     (precompute.h) */
	struct session_games watched;
	struct session_lobby lobby;
};

/*
 * Opens a session upon a socket that is counted in the table of limits, as one
 * that starts up; both are its own from here on, also when it fails, which it
 * logs.
 */
void session_open(struct io *io, const struct session_socket *sock);

/*
 * Closes it at once: events, socket and watches go, the memory later.
 * Closing twice is harmless.
 */
void session_close(struct session *s);

/* Frees a closed session to which no answer is owed. */
void session_free(struct session *s);

/* Sends what stands in the io's reply buffer, as session_send(). */
int session_reply(struct session *s) __attribute__((warn_unused_result));

/*
 * Answers with an error, to no request if id is NULL; data may be NULL.  The
 * session is closed if even that cannot be.
 */
void session_fail(struct session *s, const json_t *id, int r,
    const struct errinfo *e, const json_t *data);

/* The level for one more fault of the client's: a flood does not fill logs. */
enum log_level session_fault_level(struct session *s);

/* What the session may see of a game now (access.h). */
int session_access(struct session *s, const struct store_game_row *row,
    struct access *v) __attribute__((warn_unused_result));

/*
 * Finds a game, and what the session may see of it.  ERR_NOTFOUND also if it
 * may not know of the game.
 */
int session_find(struct session *s, const uint8_t id[HASH_LEN],
    struct store_game_row *row, struct access *v)
    __attribute__((warn_unused_result));

/* Takes no more requests, answers what was taken, then closes. */
void session_end(struct session *s);

/* False once it is closed or closing and no reply can leave. */
bool session_is_open(const struct session *s);

/* True while the output has room for another reply or notice. */
bool session_has_room(const struct session *s);

/*
 * Adds bytes to the output, all or none.  ERR_NOMEM; ERR_LIMIT if too much
 * waits already.
 */
int session_send(struct session *s, const void *p, size_t n)
    __attribute__((warn_unused_result));

/*
 * Takes a request from the rates that the session is held to.  ERR_LIMIT: none
 * is taken before *wait_ms have passed.
 */
int session_admit(struct session *s, int64_t *wait_ms)
    __attribute__((warn_unused_result));

/* Gives the session's address a penalty, unless it is logged in or exempt. */
void session_blame(const struct session *s, enum limits_fault fault);

/*
 * Makes the channel binding, s->exporter, when it is first asked for: most
 * connections that come and go never do.  ERR_TLS.
 */
int session_exporter(struct session *s) __attribute__((warn_unused_result));

/*
 * Lets the loop go on with the session: output, waiting lines, input; or free
 * it, if it is closed.
 */
void session_kick(struct session *s);

/* Logs a message with the session's name before it. */
void session_log(const struct session *s, enum log_level level, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

#endif
