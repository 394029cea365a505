/* SPDX-License-Identifier: ISC */
/* common/crypt/base32.c; what must come out is from another program. */
#include "common/crypt/base32.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/hex.h"
#include "common/crypt/hash.h"

static void
fingerprints_are_the_first_hundred_bits(void **state)
{
	/* SHA-256 of "abc" and of nothing, and both ends. */
	static const struct {
		const char *hex, *mark;
	} list[] = {
	    {"ba7816bf8f01cfea414140de5dae2223"
	     "b00361a396177a9cb410ff61f20015ad",
		"Q9W1D-FWF07-7YMGA-183F5"},
	    {"e3b0c44298fc1c149afbf4c8996fb924"
	     "27ae41e4649b934ca495991b7852b855",
		"WERC8-GMRZG-E196Q-VYK49"},
	    {"00000000000000000000000000000000"
	     "00000000000000000000000000000000",
		"00000-00000-00000-00000"},
	    {"ffffffffffffffffffffffffffffffff"
	     "ffffffffffffffffffffffffffffffff",
		"ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ"},
	};
	uint8_t hash[HASH_LEN];
	char mark[FINGERPRINT_LEN + 1];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		assert_int_equal(
		    hex_parse(hash, HASH_LEN, list[i].hex, strlen(list[i].hex)),
		    0);
		base32_fingerprint(mark, hash);
		assert_string_equal(mark, list[i].mark);
		/* Bit 100 is the last that counts. */
		hash[12] ^= 0x0f;
		base32_fingerprint(mark, hash);
		assert_string_equal(mark, list[i].mark);
		hash[12] ^= 0x10;
		base32_fingerprint(mark, hash);
		assert_string_not_equal(mark, list[i].mark);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fingerprints_are_the_first_hundred_bits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
