/* SPDX-License-Identifier: ISC */
/* JSON straight into a buffer: commas, and the same form as js_dump()'s. */
#include "common/json/js_put.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"

static void
commas_stand_between_values_and_nowhere_else(void **state)
{
	const uint8_t bytes[] = {0x00, 0xaf};
	json_t *v = json_pack("{s:[i,s],s:{}}", "a", 1, "[", "b");
	struct buf b;

	(void)state;
	assert_non_null(v);
	buf_init(&b, 0);
	js_put_open(&b, NULL, '{');
	js_put_open(&b, "none", '[');
	js_put_close(&b, ']');
	js_put_open(&b, "list", '[');
	js_put_int(&b, NULL, -1);
	js_put_str(&b, NULL, "{");
	js_put_bool(&b, NULL, true);
	js_put_open(&b, NULL, '{');
	js_put_close(&b, '}');
	js_put_open(&b, NULL, '[');
	js_put_null(&b, NULL);
	js_put_close(&b, ']');
	js_put_close(&b, ']');
	js_put_str(&b, "str", "a \"[\"");
	js_put_str(&b, "no str", NULL);
	js_put_bool(&b, "bool", false);
	js_put_hex(&b, "hex", bytes, sizeof(bytes));
	js_put_hex(&b, "no hex", bytes, 0);
	js_put_at(&b, "at", 1);
	js_put_json(&b, "json", v);
	js_put_json(&b, "no json", NULL);
	js_put_new(&b, "new", v);
	js_put_null(&b, "null");
	js_put_close(&b, '}');
	assert_int_equal(buf_error(&b), 0);
	assert_string_equal(buf_str(&b),
	    "{\"none\":[],\"list\":[-1,\"{\",true,{},[null]],"
	    "\"str\":\"a \\\"[\\\"\",\"no str\":null,\"bool\":false,"
	    "\"hex\":\"00af\",\"no hex\":\"\","
	    "\"at\":\"1970-01-01T00:00:00.001Z\","
	    "\"json\":{\"a\":[1,\"[\"],\"b\":{}},\"no json\":null,"
	    "\"new\":{\"a\":[1,\"[\"],\"b\":{}},\"null\":null}");
	buf_clear(&b);
}

static void
integers_are_written_as_printf_has_them(void **state)
{
	static const int64_t ns[] = {0, 1, -1, 9, 10, -10, 99, 100,
	    INT64_C(9007199254740991), -INT64_C(9007199254740991), INT64_MAX,
	    INT64_MIN + 1, INT64_MIN};
	char want[32];
	struct buf b;
	size_t i;

	(void)state;
	buf_init(&b, 0);
	for (i = 0; i < sizeof(ns) / sizeof(ns[0]); i++) {
		buf_reset(&b);
		js_dump_int(ns[i], &b);
		(void)snprintf(want, sizeof(want), "%lld", (long long)ns[i]);
		assert_string_equal(buf_str(&b), want);
	}
	buf_clear(&b);
}

static void
failures_stay_in_the_buffer(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	js_put_open(&b, NULL, '{');
	js_put_new(&b, "new", NULL);
	assert_int_equal(buf_error(&b), ERR_NOMEM);
	js_put_int(&b, "n", 1);
	js_put_close(&b, '}');
	assert_int_equal(b.len, 1);
	buf_fail(&b, ERR_TOOBIG);
	assert_int_equal(buf_error(&b), ERR_NOMEM);
	buf_clear(&b);
	buf_init(&b, 8);
	js_put_open(&b, NULL, '{');
	js_put_str(&b, "name", "value");
	js_put_close(&b, '}');
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(commas_stand_between_values_and_nowhere_else),
	    cmocka_unit_test(integers_are_written_as_printf_has_them),
	    cmocka_unit_test(failures_stay_in_the_buffer),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
