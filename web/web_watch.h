/* SPDX-License-Identifier: ISC */
/*
 * Which games the umpire tells of, and over which connection: the first, on
 * which all else is asked for, too, and further ones when as many games are
 * watched on each of them as the umpire lets a connection watch.  A game is
 * watched on one alone, and asked for on that one.
 */
#ifndef UMPIRE_WEB_WEB_WATCH_H
#define UMPIRE_WEB_WEB_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct web_game;
struct web_games;
struct web_link;
struct web_watches;

/* Makes it for the games gs (borrowed). */
struct web_watches *web_watch_new(struct web_games *gs);

/* Ends all further connections; nothing more is asked for. */
void web_watch_stop(struct web_watches *ws);

/* Frees it, when there is no game any more; NULL is allowed. */
void web_watch_free(struct web_watches *ws);

/* The first connection, borrowed; NULL: there is none any more. */
void web_watch_set_link(struct web_watches *ws, struct web_link *l);

/* The first connection stands, or has ended. */
void web_watch_up(struct web_watches *ws);
void web_watch_down(struct web_watches *ws);

/*
 * Has the umpire tell of a game's lines, now or as soon as a connection has
 * room.  What came before is asked for.
 */
void web_watch_want(struct web_game *g);

/* Ends that. */
void web_watch_end(struct web_game *g);

/* The connection that a game is asked for on; borrowed. */
struct web_link *web_watch_link(const struct web_game *g);

/* True while it stands. */
bool web_watch_is_up(const struct web_game *g);

/* Each so often: connections without use, and games without a watch. */
void web_watch_tick(struct web_watches *ws);

/* For /metrics. */
struct web_watch_counts {
	int64_t connections; /* to the umpire */
	int64_t watched; /* games */
	int64_t wanting; /* that have readers, and no watch yet */
};
void web_watch_count(
    const struct web_watches *ws, struct web_watch_counts *out);

#endif
