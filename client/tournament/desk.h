/* SPDX-License-Identifier: ISC */
/*
 * A tournament on the table: the profile, the connection, the copy brought up
 * to date, and what we are in it.  Every subcommand about one tournament begins
 * with desk_open().
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/replica/outbox.h"
#include "client/ui/cmd.h"
#include "common/crypt/hash.h"
#include "common/tournament/entry_kind.h"
#include "common/tournament/tournament.h"

struct desk_copy;
struct link;
struct people;
struct profile;
struct trf;

/* What a subcommand about a tournament needs. */
enum desk_need {
	DESK_READ, /* our own copy will do if the server is away */
	DESK_ONLINE, /* the server is needed, but no login */
	DESK_ORDER, /* and a login, to give orders */
};

struct desk {
	struct cmd_ctx *cx; /* borrowed */
	struct profile *p; /* owned */
	struct link *link; /* owned; NULL: offline */
	struct desk_copy *copy; /* owned; it has lines */
	struct tournament *t; /* borrowed: as the lines of the copy leave it */
	char *name; /* owned: how commands call the tournament */
	const char *account; /* ours, borrowed; "": none */
	int number; /* of our entrant; 0: none */
	bool is_director;
	struct people *people; /* owned: of the first people_n lines */
	int64_t people_n;
	json_t *sent; /* owned: an order that waited, and has a line now */
	int64_t sent_seq; /* its line */
};

/*
 * Opens the tournament that the word names (desk_find()).  An order that waits
 * for its answer is sent again first where need is DESK_ORDER.  Prints what
 * fails; 0, or an exit status.  *out is new.
 */
int desk_open(struct cmd_ctx *cx, const char *word, enum desk_need need,
    struct desk **out) __attribute__((warn_unused_result));

/*
 * The same by its id, with a profile and a connection (NULL: it is made, or
 * offline), which it takes over also if it fails.
 */
int desk_open_id(struct cmd_ctx *cx, struct profile *p, struct link *link,
    const uint8_t id[HASH_LEN], enum desk_need need, struct desk **out)
    __attribute__((warn_unused_result));

/* Closes and frees; NULL is allowed. */
void desk_close(struct desk *d);

/* Brings it up to date; prints what fails.  0, or an exit status. */
int desk_sync(struct desk *d) __attribute__((warn_unused_result));

/*
 * Makes, signs, sends and records an order of our account; args is stolen.
 * The n texts go beside it.  Prints what fails.  0 with the number of its line,
 * or an exit status: EX_DATAERR for a refusal, after which what may be done is
 * told (desk_next()).
 */
int desk_order(struct desk *d, enum entry_kind kind, json_t *args,
    const struct outbox_text *texts, size_t n, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * Opens a new tournament by its terms, the args of `create`, which are
 * stolen: written to disk, then sent.  p and link are taken over also if it
 * fails.  0 and *out, new, or an exit status.
 */
int desk_create(struct cmd_ctx *cx, struct profile *p, struct link *link,
    json_t *terms, struct desk **out) __attribute__((warn_unused_result));

/*
 * What an entrant is called, by their number: a name for people, with the
 * account where it could be another's.  Borrowed until the next order.
 */
const char *desk_called(const struct desk *d, int number);

/* A command about this tournament, as people type it; free(). */
char *desk_command(const struct desk *d, const char *verb, const char *words);

/* ---- desk_direct.c ---- */

/*
 * Says that only a director does that ("admits"), or that it is not the time
 * for it, and what may be done instead; 0, or an exit status.
 */
int desk_need_director(const struct desk *d, const char *what)
    __attribute__((warn_unused_result));
int desk_need_phase(const struct desk *d, enum tournament_phase phase,
    const char *what) __attribute__((warn_unused_result));

/* The entrant of a number, an account or a name; 0, and says so. */
int desk_entrant(struct desk *d, const char *word);

/* ---- desk_tables.c, desk_standings.c ---- */

/* The round of --round, or the last one that was paired; prints what fails. */
int desk_round(const struct desk *d, int *round)
    __attribute__((warn_unused_result));

/* As tournament_sheet_trf(), with the names of people. */
int desk_trf(const struct desk *d, int rounds, bool with_next, struct trf **out,
    int **numbers) __attribute__((warn_unused_result));

/* ---- desk_find.c ---- */

/*
 * Finds a tournament: an invitation; the first four or more digits of its
 * number; or its event's name or the beginning of that, in which case and
 * whatever is no letter or digit do not count.  Own copies first, then the
 * server's.  *link may be NULL and is made where it is needed.  0, or an exit
 * status.
 */
int desk_find(struct cmd_ctx *cx, struct profile *p, struct link **link,
    const char *word, uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/* The event of a copy, by its first line alone; new, NULL: it has none. */
char *desk_find_event(const struct profile *p, const uint8_t id[HASH_LEN]);

/* An event's name as a word: "autumn-cup"; free(). */
char *desk_slug(const char *event);

/* How commands call a tournament: a word of its event, or digits; free(). */
char *desk_name(
    const struct profile *p, const uint8_t id[HASH_LEN], const char *event);

/* ---- desk_next.c ---- */

/*
 * The state of the tournament as tournament_view() has it; and what waits for
 * our account, as tournament_owed_write() has it.  Each is new.
 */
json_t *desk_view(const struct desk *d);
json_t *desk_owed(const struct desk *d);

/* How many entrants have this member of the state as true. */
int desk_count(const struct desk *d, const char *member);

/*
 * How many legs of the round that was paired last, or of all of them where they
 * are played at once, have no result, of *all.
 */
int desk_open_legs(const struct desk *d, int *all);

/*
 * Prints what may be done next, a command a line, for who we are: "Next: ...".
 * Nothing if nothing waits for us; then it says for what all wait.
 */
void desk_next(const struct desk *d);

/* The same, unless a spreadsheet or a page was asked for. */
void desk_next_text(const struct desk *d);

#endif
