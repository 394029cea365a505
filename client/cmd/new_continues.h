/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament new --continues: the terms are those of the tournament that
 * is continued, but for what has to be said anew.
 */
#ifndef UMPIRE_CLIENT_CMD_NEW_CONTINUES_H
#define UMPIRE_CLIENT_CMD_NEW_CONTINUES_H

#include <jansson.h>

struct cmd_ctx;
struct desk_former;
struct link;
struct profile;

/*
 * Reads what --continues names into f, refuses options that say what cannot
 * change, and fills terms with those of f, without what is to be said anew; of
 * that it knows --deputy.  blobs becomes what they name.  Prints what fails; 0,
 * or an exit status.
 */
int new_continues_read(struct cmd_ctx *cx, const struct profile *p,
    struct desk_former *f, json_t *terms, json_t *blobs)
    __attribute__((warn_unused_result));

/* Has what a witness otherwise brings in the terms be as it was, if any is. */
void new_continues_keep(const struct desk_former *f, json_t *terms);

/*
 * Gives the server what is continued, if anything is (f->t is not NULL).
 * Prints what fails; 0, or an exit status.
 */
int new_continues_bring(struct link *l, const struct desk_former *f)
    __attribute__((warn_unused_result));

#endif
