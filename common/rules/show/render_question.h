/* SPDX-License-Identifier: ISC */
/* The words of questions, in the log and when they are open. */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_QUESTION_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_QUESTION_H

#include <stdbool.h>

#include <jansson.h>

struct buf;
struct render;

/* Adds who is asked for what; false if the question has no form. */
bool render_question_asked(
    const struct render *rd, const json_t *asked, struct buf *b);

/*
 * Appends an open question {"side","kind","options"} and the ways to answer
 * it, in words: what is asked, by whom, and what may be said.
 */
void render_question(struct render *rd, const json_t *asked, struct buf *out);

#endif
