/* SPDX-License-Identifier: ISC */
/*
 * JSON of the strict profile: what passes is what jansson makes of it, and is
 * written in a form that reads back as the same value.  What does not pass
 * has a place in the text.
 */
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_place.h"

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	json_t *v, *again;
	struct js_place place;
	struct errinfo e;
	struct buf out;
	int r;

	/* Whatever the text is, a path leads to a place in it. */
	(void)err_set(&e, 0, "sides.1.units[1].name", "%s", "");
	js_place_find(text, size, &e, size % 2 == 0, &place);
	FUZZ_MUST(place.line > 0 && place.column > 0);
	if (js_load(text, size, JS_DEPTH_RECORD, &v, &e) != 0) {
		js_place_find(text, size, &e, false, &place);
		FUZZ_MUST(
		    place.line > 0 && place.line + place.column <= size + 2);
		return (0);
	}
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
