/* SPDX-License-Identifier: ISC */
#include "common/pairing/bracket.h"

int
bracket_size(int n)
{
	int size = 1;

	while (size < n)
		size *= 2;
	return (size);
}

int
bracket_rounds(int n)
{
	int rounds = 0, size;

	for (size = bracket_size(n); size > 1; size /= 2)
		rounds++;
	return (rounds);
}

void
bracket_fill(int n, int *slots)
{
	int i, m, size = bracket_size(n);

	/* Each of m becomes the pair of itself and what is left to 2m + 1. */
	slots[0] = 1;
	for (m = 1; m < size; m *= 2)
		for (i = m - 1; i >= 0; i--) {
			slots[2 * i + 1] = 2 * m + 1 - slots[i];
			slots[2 * i] = slots[i];
		}
	for (i = 0; i < size; i++)
		if (slots[i] > n)
			slots[i] = 0;
}

int
bracket_side(int a, int had_a, int b, int had_b, int initial)
{
	int low = a < b ? a : b;

	if (had_a != had_b)
		return (had_a < had_b ? a : b);
	if (low % 2 == (initial == 1 ? 1 : 0))
		return (low);
	return (a < b ? b : a);
}
