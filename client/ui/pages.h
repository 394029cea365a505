/* SPDX-License-Identifier: ISC */
/*
 * A text that is to be read before something is asked: shown a page at a
 * time, so that none of it leaves the screen unseen.
 */
#ifndef UMPIRE_CLIENT_UI_PAGES_H
#define UMPIRE_CLIENT_UI_PAGES_H

#include "client/ui/ask.h"

struct out;

/*
 * Shows a text that is safe for a terminal and ends with a line end.  An
 * empty line shows the next page, b the one before it; what is asked next has
 * room below the last.  As ask.h: ERR_CLOSED if the reader quits, ASK_BACK if
 * they go back from the first page (Ctrl-C is a way back, too).
 */
int pages_show(struct out *o, const struct ask_io *io, const char *text)
    __attribute__((warn_unused_result));

#endif
