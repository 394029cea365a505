/* SPDX-License-Identifier: ISC */
#include "client/ui/text_columns.h"

#include <string.h>

#include <utf8proc.h>

#include "common/base/utf8.h"

int
text_columns(const char *s, size_t n)
{
	uint32_t cp;
	size_t len;
	int w = 0;

	for (; n > 0; s += len, n -= len) {
		if ((len = utf8_get(s, n, &cp)) == 0)
			return (w);
		w += utf8proc_charwidth((utf8proc_int32_t)cp);
	}
	return (w);
}

int
text_width(const char *s)
{
	return (text_columns(s, strlen(s)));
}
