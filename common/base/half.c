/* SPDX-License-Identifier: ISC */
#include "common/base/half.h"

#include <stdio.h>
#include <string.h>

const char *
half_text(char text[HALF_TEXT], int half)
{
	const int n = half < 0 ? -half : half;

	(void)snprintf(text, HALF_TEXT, "%s%d%s", half < 0 ? "-" : "", n / 2,
	    n % 2 == 0 ? "" : ".5");
	return (text);
}

bool
half_read(const char *s, size_t len, int most, int *half)
{
	int n = 0;
	size_t i;

	if (len == 3 && strncmp(s, "1/2", len) == 0) {
		if (most < 1)
			return (false);
		*half = 1;
		return (true);
	}
	for (i = 0; i < len && s[i] >= '0' && s[i] <= '9'; i++) {
		n = 10 * n + 2 * (s[i] - '0');
		if (n > most)
			return (false);
	}
	if (i == 0)
		return (false);
	if (len - i == 2 && strncmp(s + i, ".5", 2) == 0)
		n++;
	else if (i != len && (len - i != 2 || strncmp(s + i, ".0", 2) != 0))
		return (false);
	if (n > most)
		return (false);
	*half = n;
	return (true);
}
