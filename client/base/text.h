/* SPDX-License-Identifier: ISC */
/* Texts of strangers, and how they are made safe for a terminal. */
#ifndef UMPIRE_CLIENT_BASE_TEXT_H
#define UMPIRE_CLIENT_BASE_TEXT_H

#include <stdbool.h>

#include <jansson.h>

struct buf;

/* A member that is a text, borrowed from it; "" if it is not there. */
const char *text_member(const json_t *object, const char *name);

/* Appends s with what is not plain replaced; line ends stay if may_break. */
void text_clean(struct buf *b, const char *s, bool may_break);

/* A copy of s that is safe for a terminal and has no line ends; free(). */
char *text_safe(const char *s);

/*
 * A path as a word that a shell reads back as it is, for commands that are
 * shown: in quotes where needed; free().
 */
char *text_shell(const char *path);

#endif
