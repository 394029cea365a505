/* SPDX-License-Identifier: ISC */
/*
 * Our own standing orders, of which the record has only commitments until
 * they act (record S8.1): games/<id>.standing, mode 0600.  An entry is on the
 * disk before its order is sent, and stays.
 */
#ifndef UMPIRE_CLIENT_REPLICA_STANDING_H
#define UMPIRE_CLIENT_REPLICA_STANDING_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/record/record.h"

struct battle;
struct profile;
struct verify;

/* An entry that was made; standing_clear() frees it. */
struct standing {
	uint8_t commit[HASH_LEN];
	json_t *open; /* owned: {"salt","text"}, as it goes beside the order */
};

/* The text of a standing order: {"kind":...,"do":...}; free(). */
char *standing_text(const char *kind, const char *word);

/*
 * Draws a salt and adds an entry for an order that rests on the last line,
 * while the copy is locked; entries whose orders never reached the record are
 * dropped.  ERR_EXISTS if an order is pending, ERR_BAD if the file is damaged,
 * ERR_IO.
 */
int standing_make(const struct profile *p, const struct battle *b, int seat,
    const char *text, struct standing *s, struct errinfo *e)
    __attribute__((warn_unused_result));
void standing_clear(struct standing *s);

/*
 * Loads the entries: an array of {"seat","ask","commit","salt","text"}, empty
 * where there is no file.  ERR_BAD, ERR_IO.  *list is new.
 */
int standing_load(const struct profile *p, const uint8_t id[HASH_LEN],
    json_t **list, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The text of the standing order of line seq, out of the entries; borrowed,
 * NULL if it is not there.
 */
const char *standing_find(
    const struct battle *b, const json_t *list, int64_t seq);

/*
 * The same as {"seq","salt","text"} each, for those whose lines stand in the
 * record: what `umpire verify --opened` takes.  New.
 */
json_t *standing_opened(const struct battle *b, const json_t *list);

/*
 * Gives the texts to a verifier, which then refuses a line that passes one of
 * them over.  A file that cannot be read is left alone.  ERR_NOMEM.
 */
int standing_give(const struct profile *p, const uint8_t id[HASH_LEN],
    struct verify *v) __attribute__((warn_unused_result));

#endif
