/* SPDX-License-Identifier: ISC */
/*
 * Graphs of any form and weights, changed and searched again: each run ends in
 * a proof, of its result or that there is none.
 */
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/matching.h"

#include "tests/fuzz/fuzz.h"

#define FUZZ_MATCHING_MAX 24 /* vertices */
#define FUZZ_MATCHING_BITS 70

/* What is left of the bytes. */
struct fuzz_bytes {
	const uint8_t *p;
	size_t n;
};

/* The next byte; 0 behind the last. */
static unsigned
fuzz_matching_byte(struct fuzz_bytes *b)
{
	if (b->n == 0)
		return (0);
	b->n--;
	return (*b->p++);
}

/* Sets the edges of u to all before `end`; a byte an edge. */
static void
fuzz_matching_edges(struct matching *m, struct fuzz_bytes *b, const int *gone,
    size_t u, size_t end)
{
	uint64_t weight[4];
	unsigned byte;
	size_t v;

	for (v = 0; v < end; v++) {
		if (v == u || gone[v])
			continue;
		byte = fuzz_matching_byte(b);
		memset(weight, 0, sizeof(weight));
		weight[0] = byte % 16;
		weight[1] = byte / 16 % 4;
		FUZZ_MUST(matching_words(m) <= 4);
		FUZZ_MUST(
		    matching_set(m, u, v, byte < 64 ? NULL : weight) == 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int gone[FUZZ_MATCHING_MAX] = {0};
	struct fuzz_bytes b = {data, size};
	struct matching *m;
	size_t mate, n, u;
	int r, turns;

	if (size < 2)
		return (0);
	n = 1 + fuzz_matching_byte(&b) % FUZZ_MATCHING_MAX;
	if ((r = matching_new(&m, n, FUZZ_MATCHING_BITS)) != 0) {
		FUZZ_MUST(r == ERR_NOMEM);
		return (0);
	}
	for (u = 1; u < n; u++)
		fuzz_matching_edges(m, &b, gone, u, u);
	for (turns = 0; turns < 40 && (r = matching_solve(m)) == 0; turns++) {
		u = fuzz_matching_byte(&b);
		if (b.n == 0)
			break;
		if (gone[u % n])
			continue;
		mate = matching_mate(m, u % n);
		FUZZ_MUST(mate < n && !gone[mate]);
		if (u >= 128) {
			u %= n;
			matching_remove(m, u, mate);
			gone[u] = gone[mate] = 1;
		} else {
			u %= n;
			matching_loosen(m, u);
			fuzz_matching_edges(m, &b, gone, u, n);
		}
	}
	FUZZ_MUST(r == 0 || r == ERR_NOTFOUND || r == ERR_NOMEM);
	matching_free(m);
	return (0);
}
