/* SPDX-License-Identifier: ISC */
/*
 * Graphs on standard input: a line "VERTICES EDGES", then "U V WEIGHT" an edge.
 * For each it prints the weight of the best perfect matching, or "none".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/err.h"
#include "common/pairing/matching.h"
#include "common/pairing/wide.h"

/* Where a weight begins: it crosses into a second word. */
#define MATCHER_AT 50
#define MATCHER_WIDTH 40

/* Ends the program, with why. */
static void
matcher_die(const char *why)
{
	fprintf(stderr, "matcher: %s\n", why);
	exit(1);
}

/* Reads a graph's edges into m, and into weights for the sum. */
static void
matcher_read(struct matching *m, uint64_t *weights, size_t n, size_t edges)
{
	uint64_t *w, weight;
	size_t u, v;

	if ((w = calloc(matching_words(m), sizeof(*w))) == NULL)
		matcher_die("no memory");
	for (; edges > 0; edges--) {
		if (scanf("%zu %zu %" SCNu64, &u, &v, &weight) != 3 || u >= n ||
		    v >= n || u == v)
			matcher_die("no edge");
		wide_zero(w, matching_words(m));
		if (wide_put(w, matching_words(m), MATCHER_AT, MATCHER_WIDTH,
			weight) != 0 ||
		    matching_set(m, u, v, w) != 0)
			matcher_die("a weight is too big");
		weights[u * n + v] = weights[v * n + u] = weight;
	}
	free(w);
}

int
main(void)
{
	size_t edges, mate, n, v;
	uint64_t sum, *weights;
	struct matching *m;
	int r;

	while (scanf("%zu %zu", &n, &edges) == 2) {
		if (matching_new(&m, n, MATCHER_AT + MATCHER_WIDTH) != 0 ||
		    (weights = calloc(n * n, sizeof(*weights))) == NULL)
			matcher_die("no memory, or no vertices");
		matcher_read(m, weights, n, edges);
		if ((r = matching_solve(m)) == ERR_NOTFOUND)
			printf("none\n");
		else if (r != 0)
			matcher_die(err_text(r));
		else {
			for (v = 0, sum = 0; v < n; v++) {
				mate = matching_mate(m, v);
				sum += mate > v ? weights[v * n + mate] : 0;
			}
			printf("%" PRIu64 "\n", sum);
		}
		matching_free(m);
		free(weights);
	}
	return (0);
}
