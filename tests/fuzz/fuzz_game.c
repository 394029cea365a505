/* SPDX-License-Identifier: ISC */
/*
 * Orders of a game that has begun, one a line: a seat's digit, a letter for
 * the kind, the args.  What is refused changes nothing, what is taken makes
 * a record that verifies, and a saved game is read back as it was.
 */
#include "tests/fuzz/asserts.h"
#include "tests/unit/table.h"

/* Gives an order to the game, and checks that it holds together. */
static void
fuzz_game_order(struct table *t, int seat, unsigned kind, json_t *args)
{
	struct buf a, b;

	if (table_make(t, seat, kind % ORDER_UNKNOWN, args) != 0)
		return;
	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(t, &a);
	if (table_take(t, seat) == 0)
		table_reload(t);
	else {
		table_save(t, &b);
		FUZZ_MUST(strcmp(buf_str(&a), buf_str(&b)) == 0);
	}
	buf_clear(&a);
	buf_clear(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size, *lf;
	const struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct table t;
	json_t *args;
	struct buf b;

	table_begun(&t);
	for (; p < end && t.n_lines < 30; p = lf == end ? end : lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		lf = lf == NULL ? end : lf;
		if (lf - p < 4 ||
		    js_load(p + 2, (size_t)(lf - p - 2), 15, &args, NULL) != 0)
			continue;
		fuzz_game_order(&t, p[0] == '1' ? 1 : 2,
		    (unsigned char)p[1] - (unsigned)'a', args);
	}
	buf_init(&b, 0);
	table_export(&t, &b);
	FUZZ_MUST(verify_bytes(b.data, b.len, &opt, &rep, NULL, NULL) == 0);
	FUZZ_MUST(!rep.is_unchecked && rep.lines == (int64_t)t.n_lines);
	buf_clear(&b);
	table_clear(&t);
	return (0);
}
