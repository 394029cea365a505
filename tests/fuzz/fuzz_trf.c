/* SPDX-License-Identifier: ISC */
/*
 * TRF files: what is read is written in a form that is read as the same; what
 * is not has a reason, and a line.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/pairing/crosstable.h"
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
