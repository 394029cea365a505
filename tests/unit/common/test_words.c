/* SPDX-License-Identifier: ISC */
/* common/crypt/words.c against vectors that another program has made. */
#include "common/crypt/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "common/base/hex.h"
#include "common/json/js.h"

#include "tests/lib/vectors.h"

/* A member of a vector must be these bytes. */
static void
must_be(const json_t *v, const char *name, const uint8_t *p, size_t n)
{
	char hex[2 * 64 + 1];

	hex_format(hex, p, n);
	assert_string_equal(hex, js_str(v, name));
}

static void
keys_come_out_of_words(void **state)
{
	json_t *root = json_load_file(
	    TOP_SRCDIR "/tests/record/key-vectors.json", 0, NULL);
	const json_t *list = json_object_get(root, "words"), *v, *dice, *d;
	uint8_t seed[WORDS_SEED_LEN];
	char words[WORDS_LEN + 1];
	struct sign_key sign;
	struct vrf_key vrf;
	size_t i, k;

	(void)state;
	assert_int_equal(json_array_size(list), 3);
	json_array_foreach(list, i, v)
	{
		assert_int_equal(words_parse(js_str(v, "words"), seed), 0);
		must_be(v, "seed", seed, sizeof(seed));
		words_format(words, seed);
		assert_string_equal(words, js_str(v, "words"));
		assert_int_equal(words_recovery(seed, &sign), 0);
		must_be(v, "recovery", sign.public_key, SIGN_KEY_LEN);
		must_be(v, "recovery_secret", sign.seed, 32);
		dice = json_object_get(v, "dice_keys");
		json_array_foreach(dice, k, d)
		{
			assert_int_equal(
			    words_dice(seed, (uint32_t)(k + 1), &vrf), 0);
			must_be(d, "secret", vrf.secret, VRF_SECRET_LEN);
			must_be(d, "dice_key", vrf.public_key, VRF_KEY_LEN);
			vrf_key_clear(&vrf);
		}
		sign_key_clear(&sign);
	}
	json_decref(root);
}

static void
words_are_read_as_people_type_them(void **state)
{
	static const char *const bad[] = {"", "0", "u",
	    "000G-40R4-0M30-E209-185G-R38E-1W81-24G",
	    "000G-40R4-0M30-E209-185G-R38E-1W81-24GK0",
	    "000G-40R4-0M30-E209-185G-R38E-1W81-24GU",
	    "000G.40R4.0M30.E209.185G.R38E.1W81.24GK"};
	uint8_t seed[WORDS_SEED_LEN], again[WORDS_SEED_LEN];
	size_t i;

	(void)state;
	assert_int_equal(
	    words_parse("000G-40R4-0M30-E209-185G-R38E-1W81-24GK", seed), 0);
	assert_int_equal(
	    words_parse(" oO0g40r4 0m30 e2o9-l85g r38e iw8124gk ", again), 0);
	assert_memory_equal(seed, again, sizeof(seed));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(words_parse(bad[i], again), ERR_INVALID);
	assert_memory_equal(seed, again, sizeof(seed));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_come_out_of_words),
	    cmocka_unit_test(words_are_read_as_people_type_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
