/* SPDX-License-Identifier: ISC */
/*
 * A game on the table: the profile, the connection, the copy brought up to
 * date, and which seat is ours.  Every subcommand about one game begins with
 * play_open(), which also says if an order waits for its answer: commands that
 * only read leave it alone, those that give orders ask first.
 */
#ifndef UMPIRE_CLIENT_PLAY_PLAY_H
#define UMPIRE_CLIENT_PLAY_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/replica/outbox.h"
#include "client/ui/cmd.h"
#include "common/crypt/hash.h"
#include "common/crypt/vrf.h"
#include "common/record/order.h"

struct conn_error;
struct replica;
struct game;
struct link;
struct profile;

#define PLAY_PASSING (-1) /* no exit status: it may do later */

struct play {
	struct cmd_ctx *cx; /* borrowed */
	struct profile *p; /* owned */
	struct link *link; /* owned; NULL: offline */
	struct replica *copy; /* owned */
	char *name; /* owned: how commands call the game */
	int seat; /* ours; -1: none */
	json_t *sent; /* owned: one that waited, and has a line now */
	int64_t sent_seq; /* its line */
	bool has_news; /* a person had it sent, and has not seen its line yet */
	bool is_closing; /* play_close() signs an agreed result */
	struct cmd_ctx *owner; /* borrowed: whose cx this is, while a
				* subcommand inside uses the game; NULL */
	int64_t rests_on; /* last line when it was opened, or of our order */
};

/*
 * Opens the profile without its keys.  Prints what fails; 0, or an exit
 * status.  *p is new.
 */
int play_profile(struct cmd_ctx *cx, struct profile **p)
    __attribute__((warn_unused_result));

/*
 * Opens the game that the word names: a nickname, or the first four or more
 * digits of its number, looked for among our own copies first and then on the
 * server; or an invitation (invitation.h), of which a profile without a server
 * takes server and key.  Prints what fails; 0, or an exit status.  *out is new,
 * but inside of `umpire play` (cx->table), whose own game is brought up to date
 * and used until play_close().
 */
int play_open(struct cmd_ctx *cx, const char *word, enum play_need need,
    struct play **out) __attribute__((warn_unused_result));

/*
 * Opens a game by its id with a profile and a connection, which it takes over
 * also if it fails (link may be NULL: offline).  An agreed result that waits
 * for us is signed (play_finish.c): at once if no order is to follow, else by
 * play_close(), so that the order does not come too late.
 */
int play_open_id(struct cmd_ctx *cx, struct profile *p, struct link *link,
    const uint8_t id[HASH_LEN], enum play_need need, struct play **out)
    __attribute__((warn_unused_result));

/*
 * True if the server no longer takes the game for open: it did not begin, and
 * nothing has happened in it for long.  False offline.
 */
bool play_is_lapsed(const struct play *pl);

/*
 * Opens a game's own copy as it is, which may be empty, with a profile whose
 * server's key is pinned and which it takes over also if it fails: nothing is
 * asked or sent.  The caller brings the copy up to date (subscription.h).
 */
int play_open_copy(struct cmd_ctx *cx, struct profile *p,
    const uint8_t id[HASH_LEN], struct play **out)
    __attribute__((warn_unused_result));

/* Takes the connection out of it; the caller closes it.  NULL: offline. */
struct link *play_take_link(struct play *pl);

/*
 * Closes and frees, or gives the game back to `umpire play`; NULL is allowed.
 */
void play_close(struct play *pl);

/* The game as it stands; never NULL. */
const struct game *play_game(const struct play *pl);

/*
 * Logs in if this profile can: a private game is there only for those who
 * sit in it, and a delayed one comes late to all others.  Without a login one
 * sees what everybody sees.  True if we are logged in.
 */
bool play_log_in(struct link *l, const struct profile *p);

/*
 * Reads the game, or the tournament, that an invitation names, if it is for
 * this profile.  0, or an exit status.
 */
int play_find_invited(struct cmd_ctx *cx, struct profile *p, const char *word,
    uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * Finds the game of a word, without opening it; *link may be NULL and is
 * opened when the server has to be asked.  0, or an exit status.
 */
int play_find(struct cmd_ctx *cx, struct profile *p, struct link **link,
    const char *word, uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * Makes, signs, sends and records an order of our seat; args is stolen.
 * text, if not NULL, goes beside it: its ref becomes args.ref.  Prints what
 * fails.  0 with the number of its line, or an exit status.  One that waited,
 * has a line now and says the same is not sent twice; one that still waits
 * and says the same is sent in the place of this one, and any other is not
 * signed before it has an answer: EX_TEMPFAIL.
 */
int play_order(struct play *pl, enum order_kind kind, json_t *args,
    const char *text, int64_t *seq) __attribute__((warn_unused_result));

/*
 * As play_order() with n texts, each under its own member, and with what
 * goes beside the order as `open` (borrowed, NULL: none).  What play_open()
 * sent says the same if its args are equal but for the refs, and its texts.
 */
int play_order_with(struct play *pl, enum order_kind kind, json_t *args,
    const struct outbox_text *texts, size_t n, const json_t *open, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * True if play_open() has just sent an earlier order that says the same as
 * this one would (args NULL: any of this kind).
 */
bool play_is_sent(const struct play *pl, enum order_kind kind,
    const json_t *args, const char *text);

/* The same for an order with these texts, as play_order_with() has them. */
bool play_is_sent_with(const struct play *pl, enum order_kind kind,
    const json_t *args, const struct outbox_text *texts, size_t n);

/*
 * Locks the copy, which is kept from then on, and takes the lines that other
 * processes have added; replica_unlock() ends it.  Prints what fails; 0, or
 * an exit status.
 */
int play_lock(struct play *pl) __attribute__((warn_unused_result));

/*
 * Sends an order that waits (a pending file's object), or finds what came of
 * it if another process has sent it while this one was about to; 0, or an
 * exit status.
 */
int play_resend(struct play *pl, const json_t *root)
    __attribute__((warn_unused_result));

/* The seat that our key sits in; -1: none. */
int play_find_seat(const struct play *pl);

/* Forgets a secret choice that is open by now. */
void play_tidy(struct play *pl);

/* Brings the copy up to date; 0, or an exit status. */
int play_sync(struct play *pl) __attribute__((warn_unused_result));

/*
 * As play_sync(), but a fault after which a new connection may do
 * (link_is_fault()) is not printed: PLAY_PASSING.  *ce is to be cleared in
 * any case.
 */
int play_try_sync(struct play *pl, struct conn_error *ce)
    __attribute__((warn_unused_result));

/* A blob of the game by its hash in hex (NULL: none), new; NULL: not held. */
json_t *play_blob(const struct play *pl, const char *hex);

/* True if we opened the game, rather than joined it. */
bool play_is_opener(const struct play *pl);

/* A command about this game, as the player types it: free(). */
char *play_command(const struct play *pl, const char *verb, const char *words);

/*
 * Takes a seat, with this dice key, whoever is to agree to that having done so;
 * we are logged in.  Prints what fails; 0, or an exit status.
 */
int play_join(struct play *pl, int seat, const uint8_t dice_key[VRF_KEY_LEN])
    __attribute__((warn_unused_result));

/*
 * True if the game was decided by an offer that our seat made or accepted, and
 * waits for our seat to close it.
 */
bool play_finish_is_due(const struct play *pl);

/*
 * Closes such a game, and says why.  Prints what fails.  0 with the number of
 * its line, or an exit status.
 */
int play_finish(struct play *pl, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * Does that if it is due and we are logged in, beside another command whose
 * exit status it leaves alone: what fails is told.  Nothing is done while
 * another order waits to be sent.
 */
void play_finish_try(struct play *pl);

#endif
