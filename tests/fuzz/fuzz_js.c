/* SPDX-License-Identifier: ISC */
/*
 * JSON of the strict profile: the check on the bytes and the parser agree,
 * and what was read is written in a form that reads back as the same value.
 */
#include "common/base/buf.h"
#include "common/json/js.h"

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	json_t *v, *again;
	struct errinfo e;
	struct buf out;
	int r;

	r = js_check(text, size, JS_DEPTH_RECORD, &e);
	if (r != 0) {
		FUZZ_MUST(js_load(text, size, JS_DEPTH_RECORD, &v, &e) == r);
		return (0);
	}
	FUZZ_MUST(js_load(text, size, JS_DEPTH_RECORD, &v, &e) == 0);
	buf_init(&out, 0);
	js_dump(v, &out);
	FUZZ_MUST(out.len > 0);
	r = js_load(out.data, out.len, JS_DEPTH_RECORD, &again, &e);
	FUZZ_MUST(r == 0);
	FUZZ_MUST(json_equal(v, again));
	json_decref(again);
	json_decref(v);
	buf_clear(&out);
	return (0);
}
