/* SPDX-License-Identifier: ISC */
/*
 * What somebody is waited for to do, with the words for each: in JSON and in
 * the database it is the name, everywhere else the enum.
 */
#ifndef UMPIRE_COMMON_RECORD_OWED_H
#define UMPIRE_COMMON_RECORD_OWED_H

enum owed {
	/* What a game waits for (common/game, game_waiting()). */
	OWED_JOIN,
	OWED_READY,
	OWED_ACCEPT, /* that lines were lost (record S4.3) */
	OWED_TURN,
	OWED_DECIDE,
	OWED_COMMIT,
	OWED_OPEN,
	OWED_ANSWER, /* whether one may object the game says */
	OWED_RULING,
	OWED_CLOSE,
	OWED_OFFER, /* one that may be accepted */
	OWED_NEWCOMER, /* that somebody else has a seat (record S4.2) */
	OWED_NOTICE, /* the other side will claim the time (record S6.7) */
	/* What the server adds (game.todo, notices). */
	OWED_CLAIM, /* the other side's time is over: it may be claimed */
	OWED_SILENCE, /* the witness's silence may be claimed (record S6.9) */
	OWED_INVITATION,
	OWED_LAPSED,
	OWED_OTHER, /* a newer server's; its name is not known here */
};

/* What is said of each; no text is NULL. */
struct owed_words {
	const char *name; /* "turn"; "" for OWED_OTHER */
	const char *brief; /* for a list of games: "a decision" */
	const char *todo; /* for `umpire todo`: "the game is over: close it" */
	const char *mail; /* a sentence without its end */
};

/* The words for what is owed, static. */
const struct owed_words *owed_words(enum owed owed);

/* What a name means; OWED_OTHER if it is not known. */
enum owed owed_of(const char *name);

#endif
