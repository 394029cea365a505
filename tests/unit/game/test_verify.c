/* SPDX-License-Identifier: ISC */
/*
 * Verifying: the two sample records, every one-bit change of them, and
 * exports whose side lines do not hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/record/record.h"

#define DUAL TOP_SRCDIR "/tests/record/sample-dual-1.jsonl"
#define LIVE TOP_SRCDIR "/tests/record/sample-live-1.jsonl"
#define DUAL_HEAD \
	"f0b0d87ce910159d4f968f4f5c399c043cb93f0035d86729c68a16a374a9ab1c"
#define LIVE_HEAD \
	"abba47fb7c5378ef83cbb14d7c79cf7e51e52c34667b8205e364ea58b1658baf"

static const struct verify_options no_rules = {
    .no_rules = true, .head_seq = -1};

/* Reads a whole file; the caller frees it. */
static char *
read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *p;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*len = (size_t)ftell(f);
	rewind(f);
	p = malloc(*len + 1);
	assert_non_null(p);
	assert_int_equal(fread(p, 1, *len, f), *len);
	p[*len] = '\0';
	fclose(f);
	return (p);
}

/* Verifies the bytes of a sample with an edit applied. */
static int
verify_edit(const char *path, const char *from, const char *to,
    struct verify_report *rep, struct errinfo *e)
{
	size_t len, at;
	char *p = read_file(path, &len), *q, *hit;
	int r;

	q = malloc(len + strlen(to) + 1);
	assert_non_null(q);
	hit = strstr(p, from);
	assert_non_null(hit);
	at = (size_t)(hit - p);
	memcpy(q, p, at);
	memcpy(q + at, to, strlen(to));
	memcpy(
	    q + at + strlen(to), hit + strlen(from), len - at - strlen(from));
	r = verify_bytes(
	    q, len - strlen(from) + strlen(to), &no_rules, rep, NULL, e);
	free(p);
	free(q);
	return (r);
}

/* A sample is good but for its rules, and ends with the head it must. */
static void
check_sample(const char *path, const char *head, int64_t lines)
{
	struct verify_report rep;
	struct errinfo e = {0};
	struct game *g = NULL;
	uint8_t h[HASH_LEN];
	size_t len;
	char *p = read_file(path, &len);
	int r;

	r = verify_bytes(p, len, &no_rules, &rep, &g, &e);
	if (r != 0)
		print_message("# line %lld: %s: %s\n", (long long)rep.file_line,
		    e.where, e.text);
	assert_int_equal(r, 0);
	assert_true(rep.is_unchecked);
	assert_non_null(strstr(rep.unchecked.text, "--no-rules"));
	assert_true(rep.is_finished);
	assert_int_equal(rep.lines, lines);
	assert_int_equal(rep.rolls, 2);
	assert_int_equal(hex_parse(h, HASH_LEN, head, 64), 0);
	assert_memory_equal(rep.head, h, HASH_LEN);
	assert_int_equal(game_phase(g), GAME_FINISHED);
	game_free(g);
	free(p);
}

static void
sample_dual_1_is_good_without_rules(void **state)
{
	(void)state;
	check_sample(DUAL, DUAL_HEAD, 10);
}

static void
sample_live_1_is_good_without_rules(void **state)
{
	(void)state;
	check_sample(LIVE, LIVE_HEAD, 11);
}

/* Its combat is a stand-in without events, which the rules do not give. */
static void
sample_dual_1_is_bad_with_rules(void **state)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {0};
	size_t len;
	char *p = read_file(DUAL, &len);

	(void)state;
	assert_int_equal(verify_bytes(p, len, &opt, &rep, NULL, &e), ERR_BAD);
	assert_int_equal(rep.file_line, 6);
	assert_string_equal(e.where, "events");
	free(p);
}

static void
an_empty_file_is_bad(void **state)
{
	struct verify_report rep;
	struct errinfo e = {0};

	(void)state;
	assert_int_equal(
	    verify_bytes("", 0, &no_rules, &rep, NULL, &e), ERR_BAD);
}

static void
side_lines_are_checked(void **state)
{
	struct verify_report rep;
	struct errinfo e = {0};

	(void)state;
	/* A changed text, a salt, a blob, the order of their members. */
	assert_int_equal(
	    verify_edit(DUAL, "Viel Gl", "Viel gl", &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, 11);
	assert_int_equal(
	    verify_edit(DUAL, "\"salt\":\"a0", "\"salt\":\"a1", &rep, &e),
	    ERR_BAD);
	assert_int_equal(
	    verify_edit(DUAL, "2nd J\xc3\xa4ger", "3rd J\xc3\xa4ger", &rep, &e),
	    ERR_BAD);
	assert_int_equal(rep.file_line, 12);
	/* White space in a side line. */
	assert_int_equal(
	    verify_edit(DUAL, "{\"text\":", "{ \"text\":", &rep, &e), ERR_BAD);
}

static void
a_missing_text_is_erased_and_good(void **state)
{
	struct verify_report rep;
	struct errinfo e = {0};
	size_t len;
	char *p = read_file(DUAL, &len), *text, *blob;
	int r;

	(void)state;
	text = strstr(p, "{\"text\":");
	blob = strstr(p, "{\"blob\":");
	assert_non_null(text);
	assert_non_null(blob);
	memmove(text, blob, strlen(blob) + 1);
	r = verify_bytes(p, strlen(p), &no_rules, &rep, NULL, &e);
	assert_int_equal(r, 0);
	free(p);
}

static void
a_missing_blob_is_not_checkable(void **state)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {0};
	size_t len;
	char *p = read_file(DUAL, &len);
	int r;

	(void)state;
	len = (size_t)(strstr(p, "{\"blob\":") - p);
	r = verify_bytes(p, len, &opt, &rep, NULL, &e);
	assert_int_equal(r, 0);
	assert_true(rep.is_unchecked);
	assert_string_equal(rep.unchecked.where, "args.roster");
	free(p);
}

static void
a_side_line_that_nobody_names_is_bad(void **state)
{
	static const char text[] = "hello";
	uint8_t ref[HASH_LEN], salt[RECORD_SALT_LEN] = {0};
	struct verify_report rep;
	struct errinfo e = {0};
	struct buf b;
	size_t len;
	char *p = read_file(DUAL, &len), *side;

	(void)state;
	assert_int_equal(record_text_ref(ref, salt, text, 5), 0);
	side = strstr(p, "{\"text\":");
	buf_init(&b, 0);
	buf_add(&b, p, (size_t)(side - p));
	record_write_text(&b, ref, salt, text, 5);
	buf_putc(&b, '\n');
	assert_int_equal(
	    verify_bytes(b.data, b.len, &no_rules, &rep, NULL, &e), ERR_BAD);
	assert_int_equal(rep.file_line, 11);
	assert_non_null(strstr(e.text, "names"));
	buf_clear(&b);
	free(p);
}

static void
head_and_server_options_are_held_against_the_record(void **state)
{
	struct verify_options opt = no_rules;
	struct verify_report rep;
	struct errinfo e = {0};
	uint8_t h[HASH_LEN], other[SIGN_KEY_LEN] = {1};
	size_t len;
	char *p = read_file(DUAL, &len);

	(void)state;
	assert_int_equal(hex_parse(h, HASH_LEN, DUAL_HEAD, 64), 0);
	opt.head = h;
	opt.head_seq = 9;
	assert_int_equal(verify_bytes(p, len, &opt, &rep, NULL, &e), 0);
	opt.head_seq = 8;
	assert_int_equal(verify_bytes(p, len, &opt, &rep, NULL, &e), ERR_BAD);
	opt.head_seq = 10;
	assert_int_equal(verify_bytes(p, len, &opt, &rep, NULL, &e), ERR_BAD);
	opt = no_rules;
	opt.server = other;
	assert_int_equal(verify_bytes(p, len, &opt, &rep, NULL, &e), ERR_BAD);
	assert_int_equal(rep.file_line, 1);
	free(p);
}

/* Feeds every one-bit change of a line to a verifier that stands before it. */
static unsigned long
flip_line(struct verify *v, char *line, size_t len, unsigned step)
{
	struct errinfo e = {0};
	unsigned long tried = 0;
	size_t bit;
	int r;

	for (bit = 0; bit < 8 * len; bit += step) {
		line[bit / 8] ^= (char)(1 << bit % 8);
		r = verify_line(v, line, len, &e);
		if (r != ERR_BAD)
			print_message("# bit %zu of line: %d\n", bit, r);
		assert_int_equal(r, ERR_BAD);
		line[bit / 8] ^= (char)(1 << bit % 8);
		tried++;
	}
	return (tried);
}

/*
 * One-bit changes all over the lines of a record are refused.  UMPIRE_BITS
 * sets the step (1: every bit), or else a part is taken.
 */
static void
flip_record(const char *path)
{
	const char *s = getenv("UMPIRE_BITS");
	unsigned step = s != NULL           ? (unsigned)strtoul(s, NULL, 10)
	    : getenv("UMPIRE_SLOW") != NULL ? 41
	    : getenv("UMPIRE_LONG") != NULL ? 3
					    : 5;
	struct errinfo e = {0};
	struct verify *v;
	unsigned long tried = 0;
	size_t len, n;
	char *p = read_file(path, &len), *at = p, *lf;

	assert_int_equal(verify_new(&no_rules, &v), 0);
	while (!record_is_side(at, strlen(at))) {
		lf = strchr(at, '\n');
		assert_non_null(lf);
		n = (size_t)(lf - at);
		tried += flip_line(v, at, n, step);
		assert_int_equal(verify_line(v, at, n, &e), 0);
		at = lf + 1;
	}
	assert_true(tried * step > 50000);
	verify_free(v);
	free(p);
}

static void
flipped_bits_of_a_dual_1_line_are_refused(void **state)
{
	(void)state;
	flip_record(DUAL);
}

static void
flipped_bits_of_a_live_1_line_are_refused(void **state)
{
	(void)state;
	flip_record(LIVE);
}

/* Line ends and side lines, through the whole file. */
static void
every_flipped_bit_between_lines_is_refused(void **state)
{
	struct verify_report rep;
	struct errinfo e = {0};
	const size_t every = getenv("UMPIRE_SLOW") != NULL ? 160 : 16;
	size_t len, i, from;
	char *p = read_file(DUAL, &len);
	unsigned bit;

	(void)state;
	from = (size_t)(strstr(p, "{\"text\":") - p);
	for (i = 0; i < len; i++) {
		if (p[i] != '\n' && (i < from || i % every != 0))
			continue;
		for (bit = 0; bit < 8; bit++) {
			p[i] ^= (char)(1 << bit);
			assert_int_equal(
			    verify_bytes(p, len, &no_rules, &rep, NULL, &e),
			    ERR_BAD);
			p[i] ^= (char)(1 << bit);
		}
	}
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sample_dual_1_is_good_without_rules),
	    cmocka_unit_test(sample_live_1_is_good_without_rules),
	    cmocka_unit_test(sample_dual_1_is_bad_with_rules),
	    cmocka_unit_test(an_empty_file_is_bad),
	    cmocka_unit_test(side_lines_are_checked),
	    cmocka_unit_test(a_missing_text_is_erased_and_good),
	    cmocka_unit_test(a_missing_blob_is_not_checkable),
	    cmocka_unit_test(a_side_line_that_nobody_names_is_bad),
	    cmocka_unit_test(
		head_and_server_options_are_held_against_the_record),
	    cmocka_unit_test(flipped_bits_of_a_dual_1_line_are_refused),
	    cmocka_unit_test(flipped_bits_of_a_live_1_line_are_refused),
	    cmocka_unit_test(every_flipped_bit_between_lines_is_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
