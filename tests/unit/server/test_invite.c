/* SPDX-License-Identifier: ISC */
/* One-time codes: what is taken, and that nothing near to it is. */
#include "server/rpc/invite.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

#define NOW 1700000000
#define EXPIRY 1700086400

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
static const uint8_t key[KEYFILE_LEN] = {1, 2, 3};

/* Makes a code by the key. */
static void
make(char code[INVITE_TEXT])
{
	assert_int_equal(invite_make(key, EXPIRY, code), 0);
}

/* Fails unless the text is refused and the hash left alone. */
static void
refuses(const char *text)
{
	uint8_t before[HASH_LEN], hash[HASH_LEN];

	memset(hash, 0x5a, sizeof(hash));
	memcpy(before, hash, sizeof(hash));
	if (invite_check(key, text, NOW, hash) != ERR_DENIED)
		fail_msg("taken: \"%s\"", text);
	assert_memory_equal(hash, before, sizeof(hash));
}

static void
a_code_is_taken_by_the_key_that_made_it(void **state)
{
	char code[INVITE_TEXT];
	uint8_t hash[HASH_LEN];

	(void)state;
	make(code);
	assert_int_equal(strlen(code), INVITE_TEXT - 1);
	assert_int_equal(
	    strspn(code, "abcdefghijklmnopqrstuvwxyz234567-"), INVITE_TEXT - 1);
	assert_int_equal(invite_check(key, code, NOW, hash), 0);
}

static void
another_key_does_not_take_it(void **state)
{
	uint8_t other[KEYFILE_LEN], hash[HASH_LEN];
	char code[INVITE_TEXT];
	size_t i;

	(void)state;
	make(code);
	for (i = 0; i < 8 * sizeof(other); i++) {
		memcpy(other, key, sizeof(other));
		other[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_int_equal(
		    invite_check(other, code, NOW, hash), ERR_DENIED);
	}
}

static void
it_is_good_until_its_last_second(void **state)
{
	char code[INVITE_TEXT];
	uint8_t hash[HASH_LEN];

	(void)state;
	make(code);
	assert_int_equal(invite_check(key, code, 0, hash), 0);
	assert_int_equal(invite_check(key, code, EXPIRY, hash), 0);
	assert_int_equal(invite_check(key, code, EXPIRY + 1, hash), ERR_DENIED);
	assert_int_equal(invite_check(key, code, INT64_MAX, hash), ERR_DENIED);
	assert_int_equal(invite_make(key, UINT32_MAX, code), 0);
	assert_int_equal(invite_check(key, code, UINT32_MAX, hash), 0);
	assert_int_equal(
	    invite_check(key, code, (int64_t)UINT32_MAX + 1, hash), ERR_DENIED);
}

static void
it_may_be_typed_as_people_type(void **state)
{
	char code[INVITE_TEXT], text[2 * INVITE_TEXT];
	uint8_t hash[HASH_LEN], want[HASH_LEN];
	size_t i, n = 0;

	(void)state;
	make(code);
	assert_int_equal(invite_check(key, code, NOW, want), 0);
	for (i = 0; code[i] != '\0'; i++) {
		if (code[i] != '-')
			text[n++] = (char)toupper((unsigned char)code[i]);
	}
	text[n] = '\0';
	assert_int_equal(invite_check(key, text, NOW, hash), 0);
	assert_memory_equal(hash, want, HASH_LEN);
	for (i = n = 0; code[i] != '\0'; i++) {
		text[n++] = ' ';
		text[n++] = code[i];
	}
	text[n] = '\0';
	assert_int_equal(invite_check(key, text, NOW, hash), 0);
	assert_memory_equal(hash, want, HASH_LEN);
}

static void
every_other_digit_anywhere_is_refused(void **state)
{
	char code[INVITE_TEXT], text[INVITE_TEXT];
	size_t d, i;

	(void)state;
	make(code);
	for (i = 0; code[i] != '\0'; i++) {
		if (code[i] == '-')
			continue;
		for (d = 0; alphabet[d] != '\0'; d++) {
			if (alphabet[d] == code[i])
				continue;
			memcpy(text, code, sizeof(text));
			text[i] = alphabet[d];
			refuses(text);
		}
	}
}

static void
what_is_too_short_or_too_long_is_refused(void **state)
{
	char code[INVITE_TEXT], text[INVITE_TEXT + 1];
	size_t n;

	(void)state;
	make(code);
	for (n = 0; n < INVITE_TEXT - 1; n++) {
		memcpy(text, code, n);
		text[n] = '\0';
		refuses(text);
	}
	memcpy(text, code, INVITE_TEXT);
	for (n = 0; alphabet[n] != '\0'; n++) {
		text[INVITE_TEXT - 1] = alphabet[n];
		text[INVITE_TEXT] = '\0';
		refuses(text);
	}
}

static void
what_is_no_digit_is_refused(void **state)
{
	char code[INVITE_TEXT], text[INVITE_TEXT];
	int c;

	(void)state;
	make(code);
	for (c = 1; c < 256; c++) {
		if (isalpha(c) || (c >= '2' && c <= '7') || c == '-' ||
		    c == ' ')
			continue;
		memcpy(text, code, sizeof(text));
		text[3] = (char)c;
		refuses(text);
	}
	refuses("");
	refuses("-");
}

static void
two_codes_differ_and_so_do_their_hashes(void **state)
{
	char a[INVITE_TEXT], b[INVITE_TEXT];
	uint8_t hash_a[HASH_LEN], hash_b[HASH_LEN];

	(void)state;
	make(a);
	make(b);
	assert_string_not_equal(a, b);
	assert_int_equal(invite_check(key, a, NOW, hash_a), 0);
	assert_int_equal(invite_check(key, b, NOW, hash_b), 0);
	assert_memory_not_equal(hash_a, hash_b, HASH_LEN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_code_is_taken_by_the_key_that_made_it),
	    cmocka_unit_test(another_key_does_not_take_it),
	    cmocka_unit_test(it_is_good_until_its_last_second),
	    cmocka_unit_test(it_may_be_typed_as_people_type),
	    cmocka_unit_test(every_other_digit_anywhere_is_refused),
	    cmocka_unit_test(what_is_too_short_or_too_long_is_refused),
	    cmocka_unit_test(what_is_no_digit_is_refused),
	    cmocka_unit_test(two_codes_differ_and_so_do_their_hashes),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
