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
 * no pager can be started, which is said if it was asked for.
 */
bool pager_show(const char *text, size_t len);

#endif
