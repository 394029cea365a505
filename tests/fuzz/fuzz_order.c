/* SPDX-License-Identifier: ISC */
/* Order texts, and the settings of a game in create and join. */
#include "common/record/order.h"

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct order_create c;
	struct order_join j;
	struct errinfo e;
	struct order o;

	if (order_parse((const char *)data, size, &o, &e) != 0)
		return (0);
	FUZZ_MUST(size >= ORDER_TEXT_MIN && size <= ORDER_TEXT_MAX);
	FUZZ_MUST(json_is_object(o.args));
	if (o.kind == ORDER_CREATE && order_create_parse(&o, &c, &e) == 0)
		FUZZ_MUST(c.seats >= 2 && c.seats <= 16);
	if (o.kind == ORDER_JOIN && order_join_parse(&o, &j, &e) == 0)
		FUZZ_MUST(j.seat == o.seat);
	order_clear(&o);
	return (0);
}
