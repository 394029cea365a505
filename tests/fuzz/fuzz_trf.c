/* SPDX-License-Identifier: ISC */
/*
 * TRF files: what is read is written in a form that is read as the same; what
 * is not has a reason.  Standings come of every tournament, and each value of
 * a tie-break is the sum of its addends.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/pairing/tiebreak.h"
#include "common/pairing/trf.h"

#include "tests/fuzz/fuzz.h"

/* Two that must be the same, but for the numbers of their lines. */
static void
must_agree(const struct trf *a, const struct trf *b)
{
	const struct crosstable *s = a->table, *t = b->table;
	size_t i;
	int r;

	FUZZ_MUST(s->n_players == t->n_players && s->rounds == t->rounds);
	FUZZ_MUST(s->initial == t->initial && a->n_lines == b->n_lines);
	FUZZ_MUST(memcmp(&s->points, &t->points, sizeof(s->points)) == 0);
	FUZZ_MUST(crosstable_paired(s) == crosstable_paired(t));
	FUZZ_MUST(s->n_apart == t->n_apart);
	FUZZ_MUST(s->n_corrections == t->n_corrections);
	for (i = 0; i < s->n_players; i++) {
		FUZZ_MUST(s->players[i].number == t->players[i].number);
		FUZZ_MUST(s->players[i].rating == t->players[i].rating);
		FUZZ_MUST(strcmp(a->players[i].name, b->players[i].name) == 0);
		for (r = 0; r <= s->n_rounds; r++)
			FUZZ_MUST(crosstable_score(s, i, r) ==
			    crosstable_score(t, i, r));
	}
}

/* Standings by all tie-breaks: in order, and each value has its addends. */
static void
must_rank(const struct trf *t, bool is_roundrobin)
{
	struct tiebreak_in in = {.table = t->table,
	    .rounds = crosstable_paired(t->table),
	    .is_roundrobin = is_roundrobin};
	struct tiebreak_addend *a;
	struct standing *rows;
	enum tiebreak ties[TIEBREAK_N];
	struct errinfo e;
	size_t i, k, m, n = t->table->n_players, n_ties = 0;
	int64_t sum;

	for (i = 0; i < TIEBREAK_N; i++)
		if (i != TIEBREAK_BP && i != TIEBREAK_BPA &&
		    !(is_roundrobin &&
			tiebreak_def((enum tiebreak)i)->is_of_swiss))
			ties[n_ties++] = (enum tiebreak)i;
	rows = calloc(n + 1, sizeof(*rows));
	FUZZ_MUST(rows != NULL);
	FUZZ_MUST(standings_make(&in, ties, n_ties, NULL, rows, &e) == 0);
	for (i = 0; i < n; i++) {
		FUZZ_MUST(i == 0 || rows[i].points <= rows[i - 1].points);
		FUZZ_MUST(rows[i].rank == (int)i + 1 ||
		    rows[i].rank == rows[i - 1].rank);
		FUZZ_MUST(
		    rows[i].value[0] >= 0 && rows[i].value[0] <= (int64_t)n);
		for (k = 1; k < n_ties; k++) {
			FUZZ_MUST(tiebreak_addends(&in, ties[k], rows[i].player,
				      &a, &m) == 0);
			for (sum = 0; m > 0; m--)
				sum += a[m - 1].is_cut ? 0 : a[m - 1].value;
			FUZZ_MUST(sum == rows[i].value[k]);
			free(a);
		}
	}
	free(rows);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trf *t, *again;
	struct errinfo e = {.text = ""};
	struct buf out;
	int r;

	if ((r = trf_read((const char *)data, size, &t, &e)) != 0) {
		FUZZ_MUST(e.text[0] != '\0' || r == ERR_NOMEM);
		return (0);
	}
	if (t->table->n_players < 64) {
		must_rank(t, false);
		must_rank(t, true);
	}
	buf_init(&out, 0);
	trf_write(t, &out);
	if ((r = buf_error(&out)) == 0) {
		r = trf_read(buf_str(&out), out.len, &again, &e);
		FUZZ_MUST(r == 0);
		must_agree(t, again);
		trf_free(again);
	}
	FUZZ_MUST(r == 0 || r == ERR_TOOBIG);
	trf_free(t);
	buf_clear(&out);
	return (0);
}
