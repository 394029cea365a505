/* SPDX-License-Identifier: ISC */
/*
 * What people are called.  Everybody chooses a name for people beside the
 * account, so it is a stranger's text, and may be that of somebody else.
 * Here it is told whether a name can stand by itself: what could be taken for
 * another's stands with the account, "Anna K. (anna)", and what is no name is
 * not shown at all.  An account without a name is called by the account.
 */
#ifndef UMPIRE_CLIENT_REPORT_PEOPLE_H
#define UMPIRE_CLIENT_REPORT_PEOPLE_H

#include <stdbool.h>

#include <jansson.h>

struct battle;
struct people;

/* Makes an empty one. */
struct people *people_new(void);

/* Frees it; NULL is allowed. */
void people_free(struct people *p);

/*
 * Says that there is such an account, and what it is called; NULL, or what is
 * no name: by the account.  The last word on an account counts.
 */
void people_add(struct people *p, const char *account, const char *name);

/*
 * The same for what a server's list says: a text or a list (of lists) of
 * accounts, and an object of their names; each may be NULL.
 */
void people_add_list(
    struct people *p, const json_t *accounts, const json_t *names);

/* Those who sit or have sat in a game, as its record says; new. */
struct people *people_of(const struct battle *b);

/* What to call an account, among all that are known; borrowed from p. */
const char *people_tell(struct people *p, const char *account);

/* The name alone, for programs; NULL if there is none.  Borrowed. */
const char *people_name(const struct people *p, const char *account);

/*
 * The state of a game (game_view()), its seats with `display`, the name of
 * their account, where there is one; new.
 */
json_t *people_view(const struct battle *b);

#endif
