/* SPDX-License-Identifier: ISC */
/*
 * Following games, and the lobby, as they go on: notices on one connection,
 * which is tried when nothing comes for too long and made anew, with longer
 * and longer pauses, when it is lost.  Nothing waits here: the caller polls
 * subscription_fd() beside what else it waits for, at most
 * subscription_wait_ms(), then takes news by subscription_next() until there
 * are none.
 *
 * Lines are fetched and verified like any others (play.h): a notice only says
 * that there are some.  So each line is news once, in order, also across
 * connections.  The lobby has no numbers: after SUBSCRIPTION_BACK its rows
 * have to be compared with what is known (lobby.h).
 *
 *	f = subscription_new(play_take_link(pl));
 *	subscription_add(f, pl);
 *	for (;;) {
 *		while ((what = subscription_next(f, &news)) !=
 * SUBSCRIPTION_NOTHING)
 *			...
 *		poll() of subscription_fd(f) (-1: none) up to
 * subscription_wait_ms(f)
 *	}
 */
#ifndef UMPIRE_CLIENT_PLAY_SUBSCRIPTION_H
#define UMPIRE_CLIENT_PLAY_SUBSCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "common/base/err.h"

struct subscription;
struct link;
struct play;

enum subscription_what {
	SUBSCRIPTION_NOTHING, /* for now: wait */
	SUBSCRIPTION_LINES, /* a game's copy has new lines */
	SUBSCRIPTION_ROW, /* a notice of the lobby */
	SUBSCRIPTION_LOST, /* the connection is lost; said once */
	SUBSCRIPTION_BACK, /* it is there again; said once */
	SUBSCRIPTION_FAILED, /* a game that is no longer followed; told
				already */
	SUBSCRIPTION_REFUSED, /* there will be no other connection */
};

struct subscription_news {
	struct play *pl; /* SUBSCRIPTION_LINES, SUBSCRIPTION_FAILED */
	int64_t from; /* SUBSCRIPTION_LINES: the first new line; the last is n -
			 1 */
	int status; /* SUBSCRIPTION_FAILED: exit status of what was told */
	json_t *row; /* SUBSCRIPTION_ROW: owned by the caller */
	int r; /* SUBSCRIPTION_LOST, SUBSCRIPTION_REFUSED: why */
	struct errinfo e;
};

/* Begins with a connection, which it takes over. */
struct subscription *subscription_new(struct link *l);

/* Closes the connection and frees; NULL is allowed.  Plays stay. */
void subscription_free(struct subscription *f);

/*
 * Follows a game that is open (borrowed; without a connection of its own)
 * from its copy's last line on.  What was written into the copy's files
 * meanwhile, by another process or another struct play, is news too.
 * Nothing is asked yet: subscription_next() does that.
 */
void subscription_add(struct subscription *f, struct play *pl);

/* Ends that, before the play is closed; the connection stays here. */
void subscription_drop(struct subscription *f, struct play *pl);

/* Asks for the lobby's notices, too; is_mine: those of our own games. */
void subscription_lobby(struct subscription *f, bool is_mine);

/* Descriptor to wait on for reading; -1 while there is no connection. */
int subscription_fd(const struct subscription *f);

/* How long to wait at most before subscription_next() is called again; 0: not.
 */
int subscription_wait_ms(const struct subscription *f);

/*
 * Takes the next news and returns what it is.  It asks what has to be asked
 * and fetches lines, each within the connection's deadline, but waits for no
 * notice.  Of a game whose line is news, news->pl has the connection
 * (pl->link) until the next call about f, so that orders can be sent on it; a
 * new connection that this needed is noticed.
 */
enum subscription_what subscription_next(
    struct subscription *f, struct subscription_news *news);

/*
 * Gives a game that is followed the connection until the next call about f.
 * False if it is lost; link_need() makes a new one.
 */
bool subscription_lend(struct subscription *f, struct play *pl);

/*
 * Looks for new lines of all games at the next subscription_next(), without a
 * notice: after a subcommand has sent something.
 */
void subscription_look(struct subscription *f);

/*
 * Somebody waits: where the connection is lost it is tried at once, and the
 * pauses begin again.
 */
void subscription_hurry(struct subscription *f);

/* When the connection was lost, monotonic ms; -1 while there is one. */
int64_t subscription_lost_ms(const struct subscription *f);

/*
 * The connection, borrowed, to ask something else on it; NULL while there is
 * none.
 */
struct link *subscription_link(struct subscription *f);

/*
 * Says that the connection was of use, as new lines do: should it be lost
 * now, the first pause is short again.
 */
void subscription_praise(struct subscription *f);

/*
 * Takes a fault of the connection that something else asked on it brought;
 * false, and nothing, for final answers.
 */
bool subscription_fault(struct subscription *f, const struct conn_error *ce);

#endif
