/* SPDX-License-Identifier: ISC */
/*
 * JSON of the strict profile: what passes is what jansson makes of it, and is
 * written in a form that reads back as the same value.
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

	if (js_load(text, size, JS_DEPTH_RECORD, &v, &e) != 0)
		return (0);
	again = json_loadb(
	    text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
	FUZZ_MUST(json_equal(v, again));
	json_decref(again);
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
