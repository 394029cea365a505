/* SPDX-License-Identifier: ISC */
/*
 * Lines and side lines of a record: one that is taken is exactly what
 * writing it again gives.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"

#include "tests/fuzz/fuzz.h"

/* Checks that *out holds these bytes, and frees it. */
static void
fuzz_record_same(struct buf *out, const char *text, size_t len)
{
	FUZZ_MUST(out->len == len && memcmp(out->data, text, len) == 0);
	buf_clear(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct record_line ln;
	struct record_side s;
	struct errinfo e;
	struct buf out;

	buf_init(&out, 0);
	if (record_parse(text, size, &ln, &e) == 0) {
		js_dump(ln.root, &out);
		fuzz_record_same(&out, text, size);
		record_clear(&ln);
	}
	if (record_side_parse(text, size, &s, &e) == 0) {
		FUZZ_MUST(record_is_side(text, size));
		if (s.is_blob)
			record_write_blob(&out, s.hash, s.value, s.len);
		else
			record_write_text(&out, s.hash, s.salt, s.value, s.len);
		fuzz_record_same(&out, text, size);
		record_side_clear(&s);
	}
	return (0);
}
