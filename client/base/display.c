/* SPDX-License-Identifier: ISC */
/* Which texts may be shown as a person's name. */
#include "client/base/display.h"

#include <string.h>

#include <utf8proc.h>

#include "common/base/utf8.h"

#define DISPLAY_COLUMNS 40 /* of a name */

/* The kinds of characters in a name. */
enum display_char { DISPLAY_NONE, DISPLAY_BLANK, DISPLAY_SIGN, DISPLAY_LETTER };

static enum display_char
display_char(uint32_t cp)
{
	if (cp == ' ')
		return (DISPLAY_BLANK);
	if (cp == '.' || cp == '-' || cp == '\'' || cp == '_' || cp == 0x2019)
		return (DISPLAY_SIGN);
	if (!utf8_is_plain(cp))
		return (DISPLAY_NONE);
	switch (utf8proc_category((utf8proc_int32_t)cp)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LO:
		return (DISPLAY_LETTER);
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ND:
		return (DISPLAY_SIGN);
	default:
		return (DISPLAY_NONE);
	}
}

bool
display_is_name(const char *name)
{
	size_t len = strlen(name), n;
	bool has_letter = false, was_blank = true;
	enum display_char what;
	int columns = 0;
	uint32_t cp;

	if (len > DISPLAY_NAME)
		return (false);
	for (; len > 0; name += n, len -= n) {
		if ((n = utf8_get(name, len, &cp)) == 0 ||
		    (what = display_char(cp)) == DISPLAY_NONE ||
		    (what == DISPLAY_BLANK && was_blank))
			return (false);
		was_blank = what == DISPLAY_BLANK;
		has_letter = has_letter || what == DISPLAY_LETTER;
		columns += utf8proc_charwidth((utf8proc_int32_t)cp);
	}
	return (has_letter && !was_blank && columns <= DISPLAY_COLUMNS);
}
