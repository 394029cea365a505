/* SPDX-License-Identifier: ISC */
/*
 * What the files of a witness share.  Functions that return an int give 0 or
 * ERR_*, and w->e says why: if the store failed (is_broken) that ends the
 * program, else the connection.
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_INT_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/witness/witness.h"
#include "client/witness/witness_cups.h"
#include "client/witness/witness_game.h"
#include "client/witness/witness_speak.h"
#include "client/witness/witness_store.h"
#include "client/witness/witness_wire.h"
#include "common/base/buf.h"
#include "common/base/err.h"

struct cmd_ctx;
struct link;
struct witness_doubt;
struct profile;
struct rpc_reply;

#define WITNESS_RETRY_MS 1000 /* before what passes is asked again */
#define WITNESS_RECOVERING_MS 30000 /* likewise while a game recovers */
#define WITNESS_HEAL_MS 10000 /* before what was given back is given again */
#define WITNESS_LATER_MS                                    \
	3600000 /* before what may be mended is tried again \
		 */

/* How the server speaks of games, or of tournaments. */
struct witness_kind {
	const char *noun;
	const char *member; /* "game": that names the id */
	const char *list; /* "games" */
	const char *watch, *unwatch, *record, *heads, *heal;
};

/* A game or a tournament that is to be given back. */
struct witness_behind {
	int64_t gid;
	bool is_cup;
};

/* A game whose lines the server took back, but has not shown since. */
struct witness_healed {
	int64_t gid;
	int64_t pause_ms; /* how long it is left alone */
	int64_t until_ms; /* monotonic: from when on it is given them again */
};

/* A word on its way. */
struct witness_sending {
	int64_t gid;
	uint8_t id[HASH_LEN];
	struct witness_word w; /* owned */
};

struct witness {
	struct cmd_ctx *cx; /* borrowed */
	struct profile *p; /* borrowed */
	struct link *l; /* owned; NULL before the first connection */
	struct witness_wire wire;
	struct witness_store *store; /* owned */
	struct witness_games games;
	struct witness_cups cups;
	struct witness_speaker speaker;
	struct checker *checker; /* owned; NULL: a single CPU */
	bool is_careful; /* on this connection each check is waited for */
	json_t *join; /* owned */
	int64_t *due; /* owned: games that are to be looked at */
	size_t n_due;
	struct witness_sending *words; /* owned: to be sent, in this order */
	size_t n_words;
	bool is_asking; /* games are left that are not watched yet: */
	bool asked_cup; /* tournaments, which come first */
	int64_t asked_gid; /* the last that was asked for */
	bool is_telling; /* last lines are told, up to those of this game: */
	bool told_cup; /* or this tournament */
	int64_t told_gid;
	enum witness_state told_state; /* of the games that it is among */
	bool has_told; /* all of them, on this connection */
	int64_t tell_ms; /* monotonic: when they are told again */
	struct witness_behind
	    *behind; /* owned: to be given back, tournaments first */
	size_t n_behind;
	struct witness_healed *healed; /* owned: those that were, of late */
	size_t n_healed;
	int64_t
	    heal_next; /* the next line of the first of them; -1: not begun */
	json_t *heal_blobs; /* owned: hashes of its blobs to be given first */
	struct witness_doubt *doubts; /* owned: lines that do not hold */
	size_t n_doubts;
	int64_t odd_gid; /* 0, or a game of which the server has shown */
	int64_t odd_seq; /* another line than is held, of this number: */
	struct buf odd;
	const struct witness_desk *desk; /* borrowed */
	int64_t cup_ms; /* monotonic: when tournaments are asked about */
	int64_t begun_wall_ms; /* both clocks when it began */
	int64_t begun_mono_ms;
	int64_t dirty_ms; /* monotonic: since when something is not committed */
	int64_t heard; /* lines */
	bool has_listed; /* all games where it sits */
	bool has_stopped; /* in a game, meanwhile */
	bool is_broken; /* the store failed: e says how */
	struct errinfo e;
};

/* Says what the store said; ERR_IO. */
int witness_broken(struct witness *w) __attribute__((warn_unused_result));

/* One line of log; row and seq may be NULL and -1. */
void witness_log(struct witness *w, const char *event,
    const struct witness_row *row, int64_t seq, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Reads both clocks. */
void witness_clock(struct witness *w);

/* Puts a word of a game, which is moved, among those to be sent. */
void witness_push(struct witness *w, const struct witness_row *row,
    struct witness_word *word);

/* Notes that something may be due in a game, if all of its lines are held. */
void witness_act(struct witness *w, const struct witness_row *row);

/*
 * Does what is due in the games that were noted: words that wait are sent
 * again, or the next ones are made, on all CPUs.
 */
int witness_act_all(struct witness *w) __attribute__((warn_unused_result));

/*
 * Waits until all that was heard is checked.  ERR_REQUEST if something does
 * not hold: then nothing since the last commit was heard, and it is heard once
 * more on the next connection, each line by itself.
 */
int witness_settle(struct witness *w) __attribute__((warn_unused_result));

/* Asks the server for a game's lines from the next on. */
int witness_watch(struct witness *w, const struct witness_row *row)
    __attribute__((warn_unused_result));

/*
 * Asks for a list of games: 0, those to which the account is invited, then
 * those where it sits, by phase; before as in game.list, or NULL.
 */
int witness_list(struct witness *w, int64_t which, const char *before)
    __attribute__((warn_unused_result));

/* The words for games, or for tournaments. */
const struct witness_kind *witness_kind(bool is_cup);

/* Adds a game, or a tournament, that is heard of, and watches it. */
int witness_meet(struct witness *w, bool is_cup, const uint8_t id[HASH_LEN])
    __attribute__((warn_unused_result));

/* Ends following a game, and says so. */
int witness_leave(struct witness *w, struct witness_row *row,
    enum witness_state state, const char *why)
    __attribute__((warn_unused_result));

/* Stops in a game, since the server showed this line as number seq. */
int witness_accuse(struct witness *w, struct witness_row *row, int64_t seq,
    const char *line, size_t len, const char *why)
    __attribute__((warn_unused_result));

/*
 * The next line of a game does not hold, for that reason: keeps it, and asks
 * what follows, which may be that the rules failed.
 */
int witness_doubt(struct witness *w, struct witness_row *row, const char *line,
    size_t len, const struct errinfo *why) __attribute__((warn_unused_result));

/*
 * Looks whether the next line of a game is in doubt: *is_doubted, and it is not
 * to be taken.  Another than was shown before accuses the server.
 */
int witness_doubt_hear(struct witness *w, struct witness_row *row,
    const char *line, size_t len, bool *is_doubted)
    __attribute__((warn_unused_result));

/* Takes the answer to what follows: a `fault` line, or it is accused. */
int witness_doubt_looked(struct witness *w, struct witness_row *row,
    const struct rpc_reply *rp) __attribute__((warn_unused_result));

/* Frees all. */
void witness_doubt_clear(struct witness *w);

/* Says that the server makes no sense; ERR_REQUEST. */
int witness_hear_nonsense(struct witness *w, const char *what)
    __attribute__((warn_unused_result));

/*
 * Keeps the blobs that a line brings, and gives them to the game's verifier
 * (NULL: none); texts are no business of a witness.
 */
int witness_hear_side(struct witness *w, int64_t gid, const json_t *side,
    struct verify *v) __attribute__((warn_unused_result));

/* Keeps a line that the game's verifier has taken. */
int witness_hear_keep(struct witness *w, struct witness_row *row,
    const char *line, size_t len) __attribute__((warn_unused_result));

/* Does what follows from the last line of a game. */
int witness_hear_after(struct witness *w, struct witness_row *row,
    const struct witness_game *g) __attribute__((warn_unused_result));

/* Takes a notice or an answer. */
int witness_hear(struct witness *w, const struct rpc_reply *rp,
    const struct witness_asked *a) __attribute__((warn_unused_result));

/* Asks where the server stands, by a line of a game. */
int witness_heal_look(struct witness *w, const struct witness_row *row,
    int64_t seq) __attribute__((warn_unused_result));

/* Puts a game among those to be given back; the server's last line is seq. */
int witness_heal_add(struct witness *w, const struct witness_row *row,
    int64_t seq) __attribute__((warn_unused_result));

/* Notes that the server has all of a game's lines. */
void witness_heal_kept(struct witness *w, int64_t gid);

/* Takes the answer; and puts a game that is gone from there among those to be
 * given back. */
int witness_heal_looked(struct witness *w, struct witness_row *row,
    const struct rpc_reply *rp, const struct witness_asked *a)
    __attribute__((warn_unused_result));
int witness_heal_gone(struct witness *w, const struct witness_row *row)
    __attribute__((warn_unused_result));

/* True if a game is among those to be given back. */
bool witness_heal_is_behind(const struct witness *w, int64_t gid);

/* Takes the next line of a tournament. */
int witness_cup_next(struct witness *w, struct witness_row *row,
    const char *line, size_t len, const json_t *side)
    __attribute__((warn_unused_result));

/* Asks, when it is time, what tournaments wait for; takes the answer. */
void witness_cup_begin(struct witness *w);
int witness_cup(struct witness *w) __attribute__((warn_unused_result));
int witness_cup_heard(struct witness *w, const struct rpc_reply *rp)
    __attribute__((warn_unused_result));

/* Begins to tell the server the last lines of all games. */
void witness_heads_begin(struct witness *w);

/* Tells the next of them, if there is room, and begins anew when it is time. */
int witness_heads(struct witness *w) __attribute__((warn_unused_result));

/* Takes the answer to some. */
int witness_heads_told(struct witness *w, const struct rpc_reply *rp,
    const struct witness_asked *a) __attribute__((warn_unused_result));

/*
 * Writes the proof that the server has signed a line that cannot stand beside
 * those that are held: *path is where, new.  ERR_BAD: it is none, e says why.
 */
int witness_proof(struct witness *w, const struct witness_row *row, int64_t seq,
    const char *line, size_t len, char **path, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Gives the next piece of what the server lacks, if there is room. */
int witness_heal(struct witness *w) __attribute__((warn_unused_result));

/* Takes the answer to one. */
int witness_heal_given(struct witness *w, const struct rpc_reply *rp)
    __attribute__((warn_unused_result));

#endif
