/* SPDX-License-Identifier: ISC */
/*
 * What programs and people take home of a game: its record, and the battle as
 * `umpire log` tells it, some lines at a time.
 */
#ifndef UMPIRE_WEB_WEB_TEXT_H
#define UMPIRE_WEB_WEB_TEXT_H

#include <stdbool.h>

#include "common/base/err.h"

struct buf;
struct replica;
struct web_text;

enum web_text_kind {
	WEB_TEXT_RECORD, /* as umpire export writes it */
	WEB_TEXT_PLAIN,
	WEB_TEXT_MARKDOWN,
	WEB_TEXT_JSON,
};

/* c, which has a line, must stay as it is until it is freed.  New. */
struct web_text *web_text_new(
    enum web_text_kind kind, const struct replica *c, const char *doubt);

/* Goes on for a few milliseconds, appending to out.  ERR_NOMEM. */
int web_text_step(struct web_text *t, struct buf *out, bool *is_done)
    __attribute__((warn_unused_result));

void web_text_free(struct web_text *t);

#endif
