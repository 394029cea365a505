/* SPDX-License-Identifier: ISC */
/*
 * Telling what happens in games and in the lobby as it happens, unattended:
 * the loop of `umpire watch`.
 */
#ifndef UMPIRE_CLIENT_PLAY_WATCH_H
#define UMPIRE_CLIENT_PLAY_WATCH_H

#include <signal.h>
#include <stdint.h>

struct cmd_ctx;
struct link;
struct play;
struct profile;
struct watch;

enum watch_what {
	WATCH_GAME, /* one game, until it is finished */
	WATCH_MINE, /* all games of the account, new ones too */
	WATCH_LOBBY, /* the list of games */
};

/*
 * Begins with a connection (taken over) of a profile (borrowed), which is
 * logged in for WATCH_MINE.  Options are read from cx, which outlives it.
 */
struct watch *watch_new(struct cmd_ctx *cx, struct profile *p, struct link *l,
    enum watch_what what);

/* Adds a game (taken over) of which lines are told from number `from` on. */
void watch_add(struct watch *w, struct play *pl, int64_t from);

/*
 * Tells until nothing is left to watch; returns an exit status.  From here on
 * Ctrl-C ends the program with status 0, between two lines.
 */
int watch_run(struct watch *w);

/*
 * From here on Ctrl-C ends the program with status 0; *old is for sigaction(),
 * which ends that.
 */
void watch_interruptible(struct sigaction *old);

/* Frees it; NULL is allowed. */
void watch_free(struct watch *w);

#endif
