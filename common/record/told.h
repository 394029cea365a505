/* SPDX-License-Identifier: ISC */
/*
 * What people are told of a tournament: in JSON and in the database it is the
 * name, everywhere else the enum.
 */
#ifndef UMPIRE_COMMON_RECORD_TOLD_H
#define UMPIRE_COMMON_RECORD_TOLD_H

enum told {
	TOLD_ADMIT, /* director: say whether they may play */
	TOLD_SHUT, /* director: entries may be ended */
	TOLD_CHECKIN, /* check in */
	TOLD_CHECKIN_ENDS, /* a day before that is too late */
	TOLD_START, /* witness, director: draw the lots */
	TOLD_PAIR, /* director: the next round may be paired */
	TOLD_TABLE, /* your table */
	TOLD_BYE, /* you have none */
	TOLD_OPPONENT, /* your opponent has opened the game */
	TOLD_START_ENDS, /* a day before you forfeit */
	TOLD_ROUND_ENDS, /* a day before the round is over */
	TOLD_CLAIM, /* a claim against you */
	TOLD_RULE, /* director: a table awaits a ruling */
	TOLD_ANSWER, /* director: a protest */
	TOLD_PROTEST, /* a protest about your table */
	TOLD_RULING, /* a ruling about you */
	TOLD_RESULT, /* your table, decided by a claim or who is out */
	TOLD_OUT, /* you were not there, and are out */
	TOLD_FINISH, /* director: it may be finished */
	TOLD_OVER, /* the final standings */
	TOLD_OTHER, /* a newer server's */
};

/* "table"; "" for TOLD_OTHER; static. */
const char *told_name(enum told what);

/* What a name means; TOLD_OTHER if it is not known. */
enum told told_of(const char *name);

#endif
