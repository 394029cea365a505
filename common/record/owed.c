/* SPDX-License-Identifier: ISC */
#include "common/record/owed.h"

#include <string.h>

/* In the order of enum owed. */
static const struct owed_words owed_table[] = {
    {"join", "a player", "a seat is free", "A seat waits for you"},
    {"ready", "say ready", "say that you are ready",
	"A game waits for you to say that you are ready"},
    {"accept", "accept lost lines", "lines were lost: accept that they are",
	"The server has lost lines of a game, which waits for you to accept "
	"that"},
    {"turn", "your turn", "your turn", "It is your turn"},
    {"decide", "a decision", "a decision", "A combat waits for your decision"},
    {"commit", "a secret choice", "a secret choice",
	"A combat waits for your secret choice"},
    {"open", "open your choice", "your secret choice is to be opened",
	"A combat waits for you to open your choice"},
    {"answer", "an answer", "an answer",
	"A game waits for your answer to what was done or said"},
    {"ruling", "a ruling", "a ruling", "A claim waits for your ruling"},
    {"close", "close", "the game is over: close it",
	"The game is over and waits for you to close it"},
    {"offer", "an offer", "an offer waits for you",
	"An offer waits for your answer"},
    {"newcomer", "somebody for a seat",
	"the operator would give a seat to somebody: accept or decline",
	"The operator would give a seat of a game to somebody else, which "
	"waits "
	"for your word"},
    {"notice", "a move, or it is claimed",
	"your time is over: move, or the other side may claim it",
	"Your time is over: move, or the other side may claim it"},
    {"claim", "their time", "the other side's time is over: you may claim it",
	"The other side's time is over: you may claim it"},
    {"silence", "the witness is silent",
	"the witness does not answer: claim that, and a side answers instead",
	"The witness does not answer: you may claim that"},
    {"invitation", "an invitation", "you are invited", "You are invited"},
    {"lapsed", "lapsed", "it has lapsed because nobody came: cancel it",
	"A game has lapsed because nobody came"},
    {"", "", "something waits for you", "Something waits for you"},
};

const struct owed_words *
owed_words(enum owed owed)
{
	return (&owed_table[owed]);
}

enum owed
owed_of(const char *name)
{
	int i;

	for (i = 0; i < OWED_OTHER; i++) {
		if (strcmp(owed_table[i].name, name) == 0)
			break;
	}
	return ((enum owed)i);
}
