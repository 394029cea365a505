/* SPDX-License-Identifier: ISC */
/*
 * Any tournament that a TRF file can tell has a next round that keeps what is
 * absolute, or none; its matchings are proved while it is made.
 */
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/dutch.h"
#include "common/pairing/trf.h"

#include "tests/fuzz/fuzz.h"

#define FUZZ_DUTCH_PLAYERS 40

/* C1 and who is here, of a table. */
static void
fuzz_dutch_table(const struct crosstable *t, const struct entrant_field *f,
    const struct dutch_table *table, int round)
{
	const struct cross_game *g;
	int r;

	FUZZ_MUST(table->a >= 0 && table->b >= 0 && table->a != table->b);
	FUZZ_MUST((size_t)table->a < f->n && (size_t)table->b < f->n);
	FUZZ_MUST(f->entrants[table->a].is_here);
	FUZZ_MUST(f->entrants[table->b].is_here);
	FUZZ_MUST(!crosstable_is_apart(t, table->a, table->b, round));
	for (r = 1; r < round && r <= t->n_rounds; r++) {
		g = crosstable_game(t, (size_t)table->a, r);
		FUZZ_MUST(g->opponent != table->b ||
		    !crosstable_is_played((enum cross_result)g->result));
	}
}

/* Everybody who is here is paired once. */
static void
fuzz_dutch_round(const struct crosstable *t, const struct entrant_field *f,
    const struct dutch_round *d, int round)
{
	size_t here, i;

	for (i = here = 0; i < f->n; i++)
		here += f->entrants[i].is_here;
	FUZZ_MUST(here == 2 * d->n_tables + (d->bye >= 0));
	for (i = 0; i < d->n_tables; i++)
		fuzz_dutch_table(t, f, &d->tables[i], round);
	for (i = 0; d->bye >= 0 && i < f->rounds; i++)
		FUZZ_MUST(!f->entrants[d->bye].rounds[i].paired ||
		    f->entrants[d->bye].rounds[i].opponent >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct errinfo e = {.text = ""};
	struct entrant_field f;
	struct dutch_round d;
	struct trf *t;
	int r, round;

	if (trf_read((const char *)data, size, &t, &e) != 0)
		return (0);
	if (t->table->n_players <= FUZZ_DUTCH_PLAYERS) {
		round = crosstable_paired(t->table) + 1;
		if (entrant_field_load(&f, t->table, round) == 0) {
			r = dutch_pair(&f, NULL, &d);
			FUZZ_MUST(
			    r == 0 || r == ERR_NOTFOUND || r == ERR_NOMEM);
			if (r == 0) {
				fuzz_dutch_round(t->table, &f, &d, round);
				dutch_clear(&d);
			}
			entrant_field_clear(&f);
		}
	}
	trf_free(t);
	return (0);
}
