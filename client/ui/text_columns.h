/* SPDX-License-Identifier: ISC */
/* The columns of texts, which the terminal's kind of letters decide. */
#ifndef UMPIRE_CLIENT_UI_TEXT_COLUMNS_H
#define UMPIRE_CLIENT_UI_TEXT_COLUMNS_H

#include <stddef.h>

/* The columns that n bytes of safe text, or all of it, take on a terminal. */
int text_columns(const char *s, size_t n);
int text_width(const char *s);

#endif
