/* SPDX-License-Identifier: ISC */
/*
 * common/crypt/expand.c against the record's vectors (S7), by exhaustion of its
 * ranges, and at its limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/err.h>

#include "common/base/err.h"
#include "common/crypt/expand.h"
#include "common/crypt/hash.h"

#include "tests/lib/failing.h"
#include "tests/lib/vectors.h"

static const uint8_t beta_one[32] = {1};

/* Opens a stream whose very next value is the given one. */
static void
script_value(struct expand *x, unsigned value)
{
	expand_init_roll(x, beta_one, "script", 6);
	x->block[30] = (uint8_t)(value >> 8);
	x->block[31] = (uint8_t)value;
	x->used = 15;
}

static void
expand_gives_the_first_block_of_the_record(void **state)
{
	const json_t *v;
	json_t *root;
	struct expand x;
	uint8_t beta[32], message[32], block[32], mac[32];
	unsigned value;

	(void)state;
	root = vectors_load(VECTORS_DICE);
	v = vectors_get(root, "block0", JSON_OBJECT);
	vectors_hex(v, "beta", beta, sizeof(beta));
	vectors_hex(v, "message", message, sizeof(message));
	vectors_hex(v, "block", block, sizeof(block));
	assert_int_equal(
	    hash_mac(mac, beta, sizeof(beta), message, sizeof(message)), 0);
	assert_memory_equal(mac, block, sizeof(block));
	expand_init_roll(
	    &x, beta, vectors_str(v, "label"), vectors_unsigned(v, "sides"));
	assert_int_equal(expand_uniform(&x, 6, &value), 0);
	assert_memory_equal(x.block, block, sizeof(block));
	assert_int_equal(value, 0xa107 % 6);
	assert_int_equal(expand_uniform(&x, 6, &value), 0);
	assert_int_equal(value, 0xaaa8 % 6);
	json_decref(root);
}

static void
expand_writes_length_range_and_number_big_endian(void **state)
{
	static const uint8_t message[] = "umpire/draw/1\0\0\5chits"
					 "\3\xe7\1\2\3\4";
	struct expand x;
	uint8_t want[32];
	unsigned value;

	(void)state;
	expand_init_draw(&x, beta_one, "chits", 999);
	x.next = 0x01020304;
	assert_int_equal(expand_uniform(&x, 32768, &value), 0);
	assert_int_equal(sizeof(message) - 1, 14 + 2 + 5 + 2 + 4);
	assert_int_equal(hash_mac(want, beta_one, sizeof(beta_one), message,
			     sizeof(message) - 1),
	    0);
	assert_memory_equal(x.block, want, sizeof(want));
	assert_int_equal(value, (want[0] << 8 | want[1]) % 32768);
	assert_int_equal(x.next, 0x01020305);
}

/* Checks one roll of the vectors, whole and as the start of a longer one. */
static void
vector_roll(const json_t *v, const uint8_t beta[32])
{
	const json_t *dice;
	uint16_t got[EXPAND_DICE_MAX];
	const char *label;
	unsigned sides, count;
	size_t i;

	label = vectors_str(v, "label");
	sides = vectors_unsigned(v, "sides");
	count = vectors_unsigned(v, "count");
	dice = vectors_get(v, "dice", JSON_ARRAY);
	assert_int_equal(json_array_size(dice), count);
	assert_int_equal(expand_roll(beta, label, sides, count, got), 0);
	for (i = 0; i < count; i++)
		assert_int_equal(
		    got[i], json_integer_value(json_array_get(dice, i)));
	assert_int_equal(
	    expand_roll(beta, label, sides, EXPAND_DICE_MAX, got), 0);
	for (i = 0; i < count; i++)
		assert_int_equal(
		    got[i], json_integer_value(json_array_get(dice, i)));
}

/* Checks one draw of the vectors. */
static void
vector_draw(const json_t *v, const uint8_t beta[32])
{
	const json_t *bag, *chits;
	const char *ids[64];
	uint16_t picks[64];
	unsigned n, count;
	size_t i;

	bag = vectors_get(v, "bag", JSON_ARRAY);
	chits = vectors_get(v, "chits", JSON_ARRAY);
	n = (unsigned)json_array_size(bag);
	count = vectors_unsigned(v, "count");
	assert_in_range(n, 1, 64);
	assert_int_equal(json_array_size(chits), count);
	for (i = 0; i < n; i++)
		ids[i] = json_string_value(json_array_get(bag, i));
	assert_int_equal(
	    expand_draw(beta, vectors_str(v, "label"), ids, n, count, picks),
	    0);
	for (i = 0; i < count; i++)
		assert_string_equal(
		    ids[picks[i]], json_string_value(json_array_get(chits, i)));
}

static void
expand_gives_every_roll_and_draw_of_the_record(void **state)
{
	const json_t *all, *v;
	json_t *root;
	uint8_t beta[32];
	size_t i;
	unsigned rolls = 0, draws = 0;

	(void)state;
	root = vectors_load(VECTORS_DICE);
	all = vectors_get(root, "expand", JSON_ARRAY);
	json_array_foreach(all, i, v)
	{
		vectors_hex(v, "beta", beta, sizeof(beta));
		if (json_object_get(v, "bag") != NULL) {
			vector_draw(v, beta);
			draws++;
		} else {
			vector_roll(v, beta);
			rolls++;
		}
	}
	assert_int_equal(rolls, 10);
	assert_int_equal(draws, 5);
	json_decref(root);
}

/* Counts what all 65,536 values give for m; the caller's counts are zero. */
static void
count_all_values(unsigned m, unsigned *counts, unsigned *rejected)
{
	struct expand x, opened;
	unsigned value, got;

	*rejected = 0;
	script_value(&opened, 0);
	for (value = 0; value < 65536; value++) {
		x = opened;
		x.block[30] = (uint8_t)(value >> 8);
		x.block[31] = (uint8_t)value;
		assert_int_equal(expand_uniform(&x, m, &got), 0);
		if (x.next != 0) {
			(*rejected)++;
			continue;
		}
		if (got != value % m)
			fail();
		counts[got]++;
	}
}

static void
expand_uniform_maps_all_values_evenly(void **state)
{
	static const unsigned more[] = {128, 200, 216, 255, 256, 257, 360, 400,
	    500, 512, 666, 900, 999, 1000, 4096, 32768, 65534, 65535};
	unsigned *counts;
	unsigned i, k, m, rejected;

	(void)state;
	counts = malloc(65536 * sizeof(counts[0]));
	assert_non_null(counts);
	for (i = 1; i <= 100 + sizeof(more) / sizeof(more[0]); i++) {
		m = i <= 100 ? i : more[i - 101];
		memset(counts, 0, 65536 * sizeof(counts[0]));
		count_all_values(m, counts, &rejected);
		assert_int_equal(rejected, 65536 % m);
		for (k = 0; k < m; k++)
			assert_int_equal(counts[k], 65536 / m);
	}
	free(counts);
}

static void
expand_uniform_rejects_from_the_limit_on(void **state)
{
	static const struct {
		unsigned m;
		unsigned value;
		bool taken;
	} cases[] = {
	    {6, 65531, true},
	    {6, 65532, false},
	    {6, 65535, false},
	    {10, 65529, true},
	    {10, 65530, false},
	    {20, 65519, true},
	    {20, 65520, false},
	    {1000, 64999, true},
	    {1000, 65000, false},
	    {1000, 65535, false},
	    {32769, 32768, true},
	    {32769, 32769, false},
	    {65535, 65534, true},
	    {65535, 65535, false},
	    {32768, 65535, true},
	    {1, 65535, true},
	    {2, 65535, true},
	};
	struct expand x;
	unsigned got;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		script_value(&x, cases[i].value);
		assert_int_equal(expand_uniform(&x, cases[i].m, &got), 0);
		assert_int_equal(x.next == 0, cases[i].taken);
		assert_true(got < cases[i].m);
		if (cases[i].taken)
			assert_int_equal(got, cases[i].value % cases[i].m);
	}
}

static void
expand_uniform_takes_a_value_even_of_one(void **state)
{
	struct expand a, b;
	unsigned x, y, i;

	(void)state;
	expand_init_draw(&a, beta_one, "chits", 40);
	expand_init_draw(&b, beta_one, "chits", 40);
	/* Three blocks' worth, so that a new block comes of it too. */
	for (i = 0; i < 48; i++) {
		assert_int_equal(expand_uniform(&a, 1, &x), 0);
		assert_int_equal(x, 0);
		assert_int_equal(expand_uniform(&b, 32768, &y), 0);
	}
	assert_int_equal(a.next, 3);
	assert_int_equal(a.used, 16);
	assert_int_equal(expand_uniform(&a, 65535, &x), 0);
	assert_int_equal(expand_uniform(&b, 65535, &y), 0);
	assert_int_equal(x, y);
	assert_int_equal(a.next, 4);
}

static void
expand_uniform_refuses_other_ranges(void **state)
{
	struct expand x, before;
	unsigned got = 77;

	(void)state;
	expand_init_roll(&x, beta_one, "free", 6);
	before = x;
	assert_int_equal(expand_uniform(&x, 0, &got), ERR_INVALID);
	assert_int_equal(expand_uniform(&x, 65536, &got), ERR_INVALID);
	assert_int_equal(expand_uniform(&x, UINT32_MAX, &got), ERR_INVALID);
	assert_int_equal(got, 77);
	assert_memory_equal(&x, &before, sizeof(x));
}

static void
expand_streams_outside_their_range_give_nothing(void **state)
{
	struct expand x;
	char label[EXPAND_LABEL_MAX + 2];
	unsigned got = 77;

	(void)state;
	memset(label, 'l', sizeof(label));
	label[EXPAND_LABEL_MAX + 1] = '\0';
	expand_init_roll(&x, beta_one, label, 6);
	assert_int_equal(expand_uniform(&x, 6, &got), ERR_INVALID);
	expand_init_draw(&x, beta_one, label, 6);
	assert_int_equal(expand_uniform(&x, 6, &got), ERR_INVALID);
	label[EXPAND_LABEL_MAX] = '\0';
	expand_init_roll(&x, beta_one, label, 1);
	assert_int_equal(expand_uniform(&x, 6, &got), ERR_INVALID);
	expand_init_roll(&x, beta_one, label, EXPAND_SIDES_MAX + 1);
	assert_int_equal(expand_uniform(&x, 6, &got), ERR_INVALID);
	expand_init_draw(&x, beta_one, label, 0);
	assert_int_equal(expand_uniform(&x, 6, &got), ERR_INVALID);
	expand_init_draw(&x, beta_one, label, EXPAND_BAG_MAX + 1);
	assert_int_equal(expand_uniform(&x, 6, &got), ERR_INVALID);
	assert_int_equal(got, 77);
	expand_init_roll(&x, beta_one, label, EXPAND_SIDES_MAX);
	assert_int_equal(expand_uniform(&x, 6, &got), 0);
	expand_init_draw(&x, beta_one, label, EXPAND_BAG_MAX);
	assert_int_equal(expand_uniform(&x, 6, &got), 0);
}

static void
expand_values_hang_on_beta_label_range_and_kind(void **state)
{
	struct expand x[6];
	uint8_t beta_two[32] = {2};
	char longest[EXPAND_LABEL_MAX + 1];
	unsigned v[6][16], i, j;

	(void)state;
	memset(longest, 'l', EXPAND_LABEL_MAX);
	longest[EXPAND_LABEL_MAX] = '\0';
	expand_init_roll(&x[0], beta_one, "a", 6);
	expand_init_roll(&x[1], beta_two, "a", 6);
	expand_init_roll(&x[2], beta_one, "b", 6);
	expand_init_roll(&x[3], beta_one, "a", 7);
	expand_init_draw(&x[4], beta_one, "a", 6);
	expand_init_roll(&x[5], beta_one, longest, 6);
	for (i = 0; i < 6; i++) {
		for (j = 0; j < 16; j++)
			assert_int_equal(
			    expand_uniform(&x[i], 32768, &v[i][j]), 0);
	}
	for (i = 0; i < 6; i++) {
		for (j = 0; j < i; j++)
			assert_memory_not_equal(v[i], v[j], sizeof(v[i]));
	}
}

static void
expand_roll_refuses_what_is_out_of_range(void **state)
{
	uint16_t dice[EXPAND_DICE_MAX] = {77};
	char label[EXPAND_LABEL_MAX + 2];

	(void)state;
	memset(label, 'l', sizeof(label));
	label[EXPAND_LABEL_MAX + 1] = '\0';
	assert_int_equal(expand_roll(beta_one, "x", 6, 0, dice), ERR_INVALID);
	assert_int_equal(
	    expand_roll(beta_one, "x", 6, EXPAND_DICE_MAX + 1, dice),
	    ERR_INVALID);
	assert_int_equal(
	    expand_roll(beta_one, "x", 6, UINT32_MAX, dice), ERR_INVALID);
	assert_int_equal(expand_roll(beta_one, "x", 0, 1, dice), ERR_INVALID);
	assert_int_equal(expand_roll(beta_one, "x", 1, 1, dice), ERR_INVALID);
	assert_int_equal(
	    expand_roll(beta_one, "x", EXPAND_SIDES_MAX + 1, 1, dice),
	    ERR_INVALID);
	/* 65,542 is 6 in 16 bits. */
	assert_int_equal(
	    expand_roll(beta_one, "x", 65542, 1, dice), ERR_INVALID);
	assert_int_equal(expand_roll(beta_one, label, 6, 1, dice), ERR_INVALID);
	assert_int_equal(dice[0], 77);
	assert_int_equal(expand_roll(beta_one, label + 1, 6, 1, dice), 0);
	assert_int_equal(expand_roll(beta_one, "", 6, 1, dice), 0);
	assert_int_equal(
	    expand_roll(beta_one, "x", EXPAND_SIDES_MAX, EXPAND_DICE_MAX, dice),
	    0);
}

static void
expand_roll_gives_no_more_dice_than_asked(void **state)
{
	uint16_t dice[20], all[20];
	unsigned count, i;

	(void)state;
	assert_int_equal(expand_roll(beta_one, "x", 6, 20, all), 0);
	for (count = 1; count < 20; count++) {
		memset(dice, 0, sizeof(dice));
		assert_int_equal(expand_roll(beta_one, "x", 6, count, dice), 0);
		for (i = 0; i < 20; i++)
			assert_int_equal(dice[i], i < count ? all[i] : 0);
	}
}

/*
 * 60,000 dice of fixed betas: chi-square with 5 degrees of freedom is above
 * 20.5 or below 0.2 about once in 500 times, and this is one time for ever.
 */
static void
expand_roll_is_fair_on_a_fixed_seed(void **state)
{
	uint16_t dice[EXPAND_DICE_MAX];
	uint8_t beta[32] = {0};
	double chi = 0, d;
	unsigned counts[7] = {0};
	unsigned i, j;

	(void)state;
	for (i = 0; i < 60; i++) {
		beta[0] = (uint8_t)i;
		assert_int_equal(
		    expand_roll(beta, "chi", 6, EXPAND_DICE_MAX, dice), 0);
		for (j = 0; j < EXPAND_DICE_MAX; j++) {
			assert_in_range(dice[j], 1, 6);
			counts[dice[j]]++;
		}
	}
	for (i = 1; i <= 6; i++) {
		d = counts[i] - 10000.0;
		chi += d * d / 10000.0;
	}
	assert_true(chi > 0.2);
	assert_true(chi < 20.5);
}

static void
expand_draw_gives_the_same_chits_for_every_order_of_the_bag(void **state)
{
	const char *ids[40];
	const char *want[40];
	const char *swap;
	char names[40][4];
	uint16_t picks[40];
	unsigned i, j, turn;
	uint32_t seed = 1;

	(void)state;
	for (i = 0; i < 40; i++) {
		names[i][0] = 'c';
		names[i][1] = (char)('0' + i / 10);
		names[i][2] = (char)('0' + i % 10);
		names[i][3] = '\0';
		ids[i] = names[i];
	}
	assert_int_equal(expand_draw(beta_one, "chits", ids, 40, 40, picks), 0);
	for (i = 0; i < 40; i++)
		want[i] = ids[picks[i]];
	for (turn = 0; turn < 100; turn++) {
		for (i = 39; i > 0; i--) {
			seed = seed * 1664525 + 1013904223;
			j = (seed >> 16) % (i + 1);
			swap = ids[i];
			ids[i] = ids[j];
			ids[j] = swap;
		}
		assert_int_equal(
		    expand_draw(beta_one, "chits", ids, 40, 40, picks), 0);
		for (i = 0; i < 40; i++)
			assert_ptr_equal(ids[picks[i]], want[i]);
	}
}

static void
expand_draw_sorts_by_unsigned_bytes(void **state)
{
	/* In this order they are sorted; the last two begin with C3 and FF. */
	static const char *const sorted[] = {"", "0", "10", "9", "A", "a", "a.",
	    "a0", "aa", "z", "\xc3\xa9", "\xff"};
	const unsigned n = sizeof(sorted) / sizeof(sorted[0]);
	const char *ids[12];
	uint16_t want[12], picks[12];
	unsigned i;

	(void)state;
	assert_int_equal(n, 12);
	assert_int_equal(expand_draw(beta_one, "x", sorted, n, n, want), 0);
	for (i = 0; i < n; i++)
		ids[i] = sorted[n - 1 - i];
	assert_int_equal(expand_draw(beta_one, "x", ids, n, n, picks), 0);
	for (i = 0; i < n; i++)
		assert_int_equal(picks[i], n - 1 - want[i]);
}

static void
expand_draw_chit_by_chit_is_one_stream(void **state)
{
	static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g"};
	unsigned left[7] = {0, 1, 2, 3, 4, 5, 6};
	struct expand x;
	uint16_t all[7], some[7];
	unsigned i, j, value;

	(void)state;
	assert_int_equal(expand_draw(beta_one, "x", ids, 7, 7, all), 0);
	expand_init_draw(&x, beta_one, "x", 7);
	for (i = 0; i < 7; i++) {
		assert_int_equal(expand_uniform(&x, 7 - i, &value), 0);
		assert_int_equal(left[value], all[i]);
		for (j = value; j + 1 < 7 - i; j++)
			left[j] = left[j + 1];
		memset(some, 0xff, sizeof(some));
		assert_int_equal(
		    expand_draw(beta_one, "x", ids, 7, i + 1, some), 0);
		for (j = 0; j < 7; j++)
			assert_int_equal(some[j], j <= i ? all[j] : 0xffff);
	}
}

static void
expand_draw_empties_the_largest_bag(void **state)
{
	static char names[EXPAND_BAG_MAX][5];
	const char *ids[EXPAND_BAG_MAX + 1];
	uint16_t picks[EXPAND_BAG_MAX];
	bool seen[EXPAND_BAG_MAX] = {false};
	unsigned i;

	(void)state;
	for (i = 0; i < EXPAND_BAG_MAX; i++) {
		names[i][0] = 'c';
		names[i][1] = (char)('0' + i / 100);
		names[i][2] = (char)('0' + i / 10 % 10);
		names[i][3] = (char)('0' + i % 10);
		ids[i] = names[i];
	}
	ids[EXPAND_BAG_MAX] = "one more";
	assert_int_equal(expand_draw(beta_one, "x", ids, EXPAND_BAG_MAX,
			     EXPAND_BAG_MAX, picks),
	    0);
	for (i = 0; i < EXPAND_BAG_MAX; i++) {
		assert_in_range(picks[i], 0, EXPAND_BAG_MAX - 1);
		assert_false(seen[picks[i]]);
		seen[picks[i]] = true;
	}
	picks[0] = 77;
	assert_int_equal(
	    expand_draw(beta_one, "x", ids, EXPAND_BAG_MAX + 1, 1, picks),
	    ERR_INVALID);
	assert_int_equal(picks[0], 77);
}

static void
expand_draw_refuses_what_is_out_of_range(void **state)
{
	static const char *const ids[] = {"a", "b", "c"};
	static const char *const twice[] = {"b", "c", "a", "b"};
	static const char *const same[] = {"a", "a"};
	char label[EXPAND_LABEL_MAX + 2];
	uint16_t picks[4] = {77, 77, 77, 77};

	(void)state;
	memset(label, 'l', sizeof(label));
	label[EXPAND_LABEL_MAX + 1] = '\0';
	assert_int_equal(
	    expand_draw(beta_one, "x", ids, 0, 0, picks), ERR_INVALID);
	assert_int_equal(
	    expand_draw(beta_one, "x", ids, 3, 0, picks), ERR_INVALID);
	assert_int_equal(
	    expand_draw(beta_one, "x", ids, 3, 4, picks), ERR_INVALID);
	assert_int_equal(
	    expand_draw(beta_one, label, ids, 3, 1, picks), ERR_INVALID);
	assert_int_equal(
	    expand_draw(beta_one, "x", twice, 4, 1, picks), ERR_INVALID);
	assert_int_equal(
	    expand_draw(beta_one, "x", same, 2, 2, picks), ERR_INVALID);
	assert_int_equal(picks[0], 77);
	assert_int_equal(expand_draw(beta_one, label + 1, ids, 3, 1, picks), 0);
	assert_int_equal(picks[1], 77);
}

static void
expand_without_memory_may_be_asked_again(void **state)
{
	static const char *const ids[] = {"a", "b", "c"};
	struct expand x, y;
	uint16_t got[3] = {77, 77, 77};
	unsigned a = 77, b;
	long n;
	int r;

	(void)state;
	expand_init_roll(&x, beta_one, "x", 6);
	y = x;
	assert_int_equal(expand_uniform(&y, 6, &b), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		failing_after(n);
		r = expand_uniform(&x, 6, &a);
		failing_after(-1);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_int_equal(a, r == 0 ? b : 77);
		assert_int_equal(ERR_peek_error(), 0);
	}
	assert_true(n > 1);
	assert_memory_equal(&x, &y, sizeof(x));
	failing_after(0);
	assert_int_equal(expand_roll(beta_one, "x", 6, 3, got), ERR_NOMEM);
	assert_int_equal(expand_draw(beta_one, "x", ids, 3, 3, got), ERR_NOMEM);
	failing_after(-1);
	assert_int_equal(got[0], 77);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(expand_gives_the_first_block_of_the_record),
	    cmocka_unit_test(expand_writes_length_range_and_number_big_endian),
	    cmocka_unit_test(expand_gives_every_roll_and_draw_of_the_record),
	    cmocka_unit_test(expand_uniform_maps_all_values_evenly),
	    cmocka_unit_test(expand_uniform_rejects_from_the_limit_on),
	    cmocka_unit_test(expand_uniform_takes_a_value_even_of_one),
	    cmocka_unit_test(expand_uniform_refuses_other_ranges),
	    cmocka_unit_test(expand_streams_outside_their_range_give_nothing),
	    cmocka_unit_test(expand_values_hang_on_beta_label_range_and_kind),
	    cmocka_unit_test(expand_roll_refuses_what_is_out_of_range),
	    cmocka_unit_test(expand_roll_gives_no_more_dice_than_asked),
	    cmocka_unit_test(expand_roll_is_fair_on_a_fixed_seed),
	    cmocka_unit_test(
		expand_draw_gives_the_same_chits_for_every_order_of_the_bag),
	    cmocka_unit_test(expand_draw_sorts_by_unsigned_bytes),
	    cmocka_unit_test(expand_draw_chit_by_chit_is_one_stream),
	    cmocka_unit_test(expand_draw_empties_the_largest_bag),
	    cmocka_unit_test(expand_draw_refuses_what_is_out_of_range),
	    cmocka_unit_test(expand_without_memory_may_be_asked_again),
	};

	if (!failing_install())
		return (1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
