/* SPDX-License-Identifier: ISC */
/* Whole records: a file that somebody sends is judged, never trusted. */
#include "common/game/game.h"
#include "common/game/verify.h"

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct game *g;
	struct errinfo e;
	int r;

	for (opt.no_rules = false;; opt.no_rules = true) {
		g = NULL;
		r = verify_bytes((const char *)data, size, &opt, &rep, &g, &e);
		FUZZ_MUST(r == 0 || size == 0 || rep.file_line > 0);
		FUZZ_MUST(r != 0 || rep.lines > 0);
		game_free(g);
		if (opt.no_rules)
			return (0);
	}
}
