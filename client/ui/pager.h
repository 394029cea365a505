/* SPDX-License-Identifier: ISC */
/* The program by which somebody reads what is longer than their terminal. */
#ifndef UMPIRE_CLIENT_UI_PAGER_H
#define UMPIRE_CLIENT_UI_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* False if the environment's PAGER is empty or "cat": nothing is paged. */
bool pager_is_wanted(void);

/*
 * Shows text of len bytes in $PAGER, or less, or more, and waits until the
 * reader leaves.  False, and nothing was shown, if it fits on the screen or
 * no pager can be started; *is_missing if that was $PAGER.
 */
bool pager_show(const char *text, size_t len, bool *is_missing);

#endif
