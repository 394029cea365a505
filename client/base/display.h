/* SPDX-License-Identifier: ISC */
/* Names that people see. */
#ifndef UMPIRE_CLIENT_BASE_DISPLAY_H
#define UMPIRE_CLIENT_BASE_DISPLAY_H

#include <stdbool.h>

#define DISPLAY_NAME 64 /* bytes of a name */

/*
 * True for what is shown as a name: letters, digits, '.', '-', ''' and '_' in
 * words with one blank between them, of which one is a letter, at most
 * DISPLAY_NAME bytes and 40 columns.
 */
bool display_is_name(const char *name);

#endif
