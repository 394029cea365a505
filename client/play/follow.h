/* SPDX-License-Identifier: ISC */
/*
 * Following games, and the lobby, as they go on: notices upon one connection,
 * which is tried when nothing comes for too long and made anew, with longer
 * and longer pauses, when it is lost.  Nothing waits here: the caller polls
 * follow_fd() beside what else he waits for, at most follow_wait_ms(), then
 * takes news by follow_next() until there are none.
 *
 * Lines are fetched and verified like any others (play.h): a notice only
 * says that there are some.  So each line is news once, in order, also across
 * connections.  The lobby has no numbers: after FOLLOW_BACK its rows have to
 * be compared with what is known (lobby.h).
 *
 *	f = follow_new(play_take_link(pl));
 *	follow_add(f, pl);
 *	for (;;) {
 *		while ((what = follow_next(f, &news)) != FOLLOW_NOTHING)
 *			...
 *		poll() of follow_fd(f) (-1: none) up to follow_wait_ms(f)
 *	}
 */
#ifndef UMPIRE_CLIENT_PLAY_FOLLOW_H
#define UMPIRE_CLIENT_PLAY_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "common/base/err.h"

struct follow;
struct link;
struct play;

enum follow_what {
	FOLLOW_NOTHING, /* for now: wait */
	FOLLOW_LINES, /* a game's copy has new lines */
	FOLLOW_ROW, /* a notice of the lobby */
	FOLLOW_LOST, /* the connection is lost; said once */
	FOLLOW_BACK, /* it is there again; said once */
	FOLLOW_FAILED, /* a game that is not followed any more; told already */
	FOLLOW_REFUSED, /* there will be no connection any more */
};

struct follow_news {
	struct play *pl; /* FOLLOW_LINES, FOLLOW_FAILED */
	int64_t from; /* FOLLOW_LINES: the first new line; the last is n - 1 */
	int status; /* FOLLOW_FAILED: exit status of what was told */
	json_t *row; /* FOLLOW_ROW: owned by the caller */
	int r; /* FOLLOW_LOST, FOLLOW_REFUSED: why */
	struct errinfo e;
};

/* Begins upon a connection, which it takes over. */
struct follow *follow_new(struct link *l);

/* Closes the connection and frees; NULL is allowed.  Plays stay. */
void follow_free(struct follow *f);

/*
 * Follows a game that is open (borrowed; without a connection of its own)
 * from its copy's last line on.  What was written into the copy's files
 * meanwhile, by another process or another struct play, is news too.
 * Nothing is asked yet: follow_next() does that.
 */
void follow_add(struct follow *f, struct play *pl);

/* Ends that, before the play is closed; the connection stays here. */
void follow_drop(struct follow *f, struct play *pl);

/* Asks for the lobby's notices, too; is_mine: those of the own games. */
void follow_lobby(struct follow *f, bool is_mine);

/* Descriptor to wait on for reading; -1 while there is no connection. */
int follow_fd(const struct follow *f);

/* How long to wait at most before follow_next() is called again; 0: not. */
int follow_wait_ms(const struct follow *f);

/*
 * Takes the next news and returns what they are.  It asks what has to be
 * asked and fetches lines, each within the connection's deadline, but waits
 * for no notice.  Of a game whose line is news, news->pl has the connection
 * (pl->link) until the next call about f, so that orders can be sent on it;
 * a new connection that this needed is noticed.
 */
enum follow_what follow_next(struct follow *f, struct follow_news *news);

/*
 * Gives a game that is followed the connection until the next call about f.
 * False if it is lost: who needs it may make it anew (link_need()).
 */
bool follow_lend(struct follow *f, struct play *pl);

/*
 * Looks for new lines of all games at the next follow_next(), without a
 * notice: after a subcommand has sent something.
 */
void follow_look(struct follow *f);

/*
 * Somebody waits: where the connection is lost it is tried at once, and the
 * pauses begin anew.
 */
void follow_hurry(struct follow *f);

/* When the connection was lost, monotonic ms; -1 while there is one. */
int64_t follow_lost_ms(const struct follow *f);

/*
 * The connection, borrowed, to ask something else on it; NULL while there is
 * none.
 */
struct link *follow_link(struct follow *f);

/*
 * Says that the connection was of use, as new lines do: should it be lost
 * now, the first pause is short again.
 */
void follow_praise(struct follow *f);

/*
 * Takes a fault of the connection that something else asked on it brought;
 * false, and nothing, for final answers.
 */
bool follow_fault(struct follow *f, const struct conn_error *ce);

#endif
