/* SPDX-License-Identifier: ISC */
/*
 * What several subcommands print: rosters, what just happened, and what may
 * be typed next.
 */
#ifndef UMPIRE_CLIENT_PLAY_SHOW_H
#define UMPIRE_CLIENT_PLAY_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/crypt/hash.h"
#include "common/record/owed.h"

struct cmd_ctx;
struct actions;
struct game;
struct out;
struct play;

/*
 * Prints both sides' rosters with their losses (client/report/rosters.h);
 * is_long: all units with names and ratings, however many they are.
 */
void show_rosters(struct play *pl, bool is_long);

/* Prints the rulings in force, one a line; nothing where there are none. */
void show_rulings(struct out *o, const struct game *g);

/*
 * Prints what else the game agreed on that is not the usual: sealed secrets,
 * tables or a bag of its own.
 */
void show_settings(struct play *pl);

/* Prints them, if there are any. */
void show_event(struct out *o, const json_t *args);

/* Prints what the game waits for; that it is our move stands out. */
void show_says(struct out *o, const struct actions *a);

/*
 * Prints who owes what, the open question if it is ours, and the commands
 * that we may type.
 */
void show_actions(struct play *pl, const struct actions *a);

/* The commands of a list of actions, as texts; new. */
json_t *show_commands(const struct play *pl, const struct actions *a);

/*
 * After an order of ours that is line seq: prints what was recorded from it
 * on, and what comes next.  In JSON one object:
 * {"seq","game","name","lines","me","phase","commands"}.
 */
void show_order(struct play *pl, int64_t seq);

/* True if the game waits for us to do this. */
bool show_is_owed(const struct play *pl, enum owed what);

/*
 * Prints that something cannot be done now, and what the game waits for;
 * returns EX_DATAERR.
 */
int show_not_now(const struct play *pl, const char *text);

/* The same where the question that we answer is no longer asked. */
int show_asked_anew(const struct play *pl);

/* Why it is not our turn, or nothing can be done in it now. */
const char *show_no_turn(const struct play *pl);

/* Prints the complete facts of a combat, as the record will hold them. */
void show_facts(struct play *pl, const json_t *facts);

/* Draws them for a terminal: who stands against whom. */
void show_drawing(struct play *pl, const json_t *facts);

/* The events that a combat of these facts begins with: an array, new. */
json_t *show_declared(const json_t *facts);

/*
 * Says below an error which of several games it was about, and what becomes of
 * the others: "listed".
 */
void show_failed(
    struct cmd_ctx *cx, const uint8_t id[HASH_LEN], const char *others);

#endif
