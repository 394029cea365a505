/* SPDX-License-Identifier: ISC */
/*
 * What was answered of a declaration that is put together by questions, until
 * there is another: games/<id>.draft, mode 0600.  It is of no use but to spare
 * typing, so that a fault of its file is as if there were none.
 */
#ifndef UMPIRE_CLIENT_REPLICA_DRAFT_H
#define UMPIRE_CLIENT_REPLICA_DRAFT_H

#include <jansson.h>

struct replica;

/* The draft of a game as form_declare() left it, new; NULL: there is none. */
json_t *draft_load(const struct replica *c);

/* Keeps one in the place of the former; NULL: none. */
void draft_save(const struct replica *c, const json_t *draft);

#endif
