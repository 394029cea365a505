/* SPDX-License-Identifier: ISC */
/*
 * Lines and side lines for a message: whole, in order, each once, and never
 * more than a message can hold.
 */
#include "server/store/record_page.h"

#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "tests/lib/db.h"

#define BIG (RECORD_LINE_MAX - 1) /* bytes of the longest line */

/* Puts a line of n bytes, all quotes but its ends: the worst to write. */
static void
put_line(struct store *st, int64_t gid, int64_t seq, size_t n)
{
	uint8_t oid[HASH_LEN], nonce[HASH_LEN];
	char *bytes = malloc(n);
	struct store_line line = {.gid = gid, .seq = seq, .len = n};

	assert_non_null(bytes);
	memset(bytes, '"', n);
	bytes[0] = (char)('a' + seq % 26);
	line.bytes = bytes;
	line.oid = db_hash_of(oid, (int)seq + 1);
	line.nonce = db_hash_of(nonce, (int)seq + 1);
	line.seat = 1;
	db_hash_of(line.hash, (int)seq + 1);
	assert_int_equal(store_record_insert(st, &line), 0);
	free(bytes);
}

/* Puts a blob of n bytes, told apart by i, that a line names. */
static void
put_blob(struct store *st, int64_t gid, int64_t seq, int i, size_t n)
{
	uint8_t hash[HASH_LEN];
	char *bytes = malloc(n);

	assert_non_null(bytes);
	memset(bytes, '"', n);
	(void)snprintf(bytes, n, "%d", i);
	db_hash_of(hash, i);
	assert_int_equal(
	    store_blob_insert(st, hash, bytes, n, "anna", 1000), 0);
	assert_int_equal(store_side_name(st, gid, seq, true, hash), 0);
	free(bytes);
}

/* Puts a text, told apart by i, that a line names. */
static void
put_text(struct store *st, int64_t gid, int64_t seq, int i, const char *text)
{
	uint8_t ref[HASH_LEN], salt[HASH_LEN];

	db_hash_of(ref, i);
	db_hash_of(salt, i);
	assert_int_equal(
	    store_text_insert(st, gid, ref, salt, text, strlen(text), 0), 0);
	assert_int_equal(store_side_name(st, gid, seq, false, ref), 0);
}

/* A game, and an account for blobs, in a transaction that stays open. */
static int64_t
begin(struct db *p)
{
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "anna", 900), 0);
	return (db_add_game(p->st, 1, "play", 1000));
}

/* The strings of one of the lists. */
static json_t *
list_of(const struct buf *b)
{
	struct buf text;
	json_t *list;

	assert_int_equal(buf_error(b), 0);
	buf_init(&text, 0);
	buf_putc(&text, '[');
	buf_add(&text, b->data, b->len);
	buf_putc(&text, ']');
	list = json_loadb(text.data, text.len, 0, NULL);
	buf_clear(&text);
	assert_non_null(list);
	return (list);
}

static size_t
count_of(const struct buf *b)
{
	json_t *list = list_of(b);
	const size_t n = json_array_size(list);

	json_decref(list);
	return (n);
}

/* Fails unless all of it fits into one message with room to spare. */
static void
fits(const struct record_page *ln)
{
	assert_true(ln->lines.len + ln->side.len + ln->omitted.len + 1000 <
	    RPC_REPLY_MAX);
}

static void
no_line_gives_nothing(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;

	assert_int_equal(db_ask(p->st, "SELECT count(*) FROM record"), 0);
	record_page_init(&ln);
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 100, STORE_SIDE_NONE, &ln), 0);
	assert_int_equal(ln.next, 0);
	assert_int_equal(ln.lines.len, 0);
	assert_int_equal(ln.side.len, 0);
	assert_int_equal(record_page_read(p->st, gid + 1, 7, 100, 0, &ln), 0);
	assert_int_equal(ln.next, 7);
	record_page_clear(&ln);
}

static void
lines_come_in_order_and_as_they_are(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	json_t *list;
	const char *line;
	size_t i;

	for (i = 0; i < 20; i++)
		put_line(p->st, gid, (int64_t)i, 10 + i);
	record_page_init(&ln);
	assert_int_equal(record_page_read(p->st, gid, 3, 12, 0, &ln), 0);
	assert_int_equal(ln.next, 13);
	list = list_of(&ln.lines);
	assert_int_equal(json_array_size(list), 10);
	for (i = 0; i < 10; i++) {
		line = json_string_value(json_array_get(list, i));
		assert_int_equal(strlen(line), 13 + i);
		assert_int_equal(line[0], 'a' + 3 + i);
		assert_int_equal(line[12], '"');
	}
	json_decref(list);
	/* Used again, it keeps nothing of the time before. */
	assert_int_equal(record_page_read(p->st, gid, 19, 19, 0, &ln), 0);
	assert_int_equal(count_of(&ln.lines), 1);
	assert_int_equal(ln.next, 20);
	assert_int_equal(record_page_read(p->st, gid, 15, 1000, 0, &ln), 0);
	assert_int_equal(ln.next, 20);
	record_page_clear(&ln);
}

static void
the_longest_line_always_fits(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	int with_side;

	put_line(p->st, gid, 0, BIG);
	put_line(p->st, gid, 1, BIG);
	record_page_init(&ln);
	for (with_side = 0; with_side < 2; with_side++) {
		assert_int_equal(record_page_read(p->st, gid, 0, 1,
				     (unsigned)with_side, &ln),
		    0);
		assert_int_equal(count_of(&ln.lines), 1);
		assert_int_equal(ln.next, 1);
		fits(&ln);
	}
	record_page_clear(&ln);
}

static void
a_message_is_filled_but_not_over(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	int64_t next = 0;
	int i, rounds = 0;

	for (i = 0; i < 40; i++)
		put_line(p->st, gid, i, 30000 + 300 * (size_t)i);
	record_page_init(&ln);
	while (next < 40) {
		assert_int_equal(
		    record_page_read(p->st, gid, next, 39, 0, &ln), 0);
		assert_int_equal(count_of(&ln.lines), ln.next - next);
		fits(&ln);
		if (ln.next < 40)
			assert_true(ln.lines.len > RPC_REPLY_MAX / 2);
		next = ln.next;
		rounds++;
	}
	assert_int_equal(next, 40);
	assert_in_range(rounds, 3, 6);
	record_page_clear(&ln);
}

static void
many_short_lines_are_cut_by_their_number(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	int i;

	for (i = 0; i < 2100; i++)
		put_line(p->st, gid, i, 3);
	record_page_init(&ln);
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 2099, STORE_SIDE_NONE, &ln), 0);
	assert_int_equal(count_of(&ln.lines), ln.next);
	assert_in_range(ln.next, 1000, 2099);
	record_page_clear(&ln);
}

static void
side_lines_come_once_each_texts_first(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	json_t *list;
	const char *v;
	int i;

	for (i = 0; i < 3; i++)
		put_line(p->st, gid, i, 30);
	put_blob(p->st, gid, 0, 5, 30);
	put_blob(p->st, gid, 1, 4, 30);
	put_blob(p->st, gid, 2, 5, 30);
	put_text(p->st, gid, 1, 9, "nine \n \x01 \"");
	put_text(p->st, gid, 2, 8, "eight");
	record_page_init(&ln);
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 2, STORE_SIDE_NONE, &ln), 0);
	list = list_of(&ln.side);
	assert_int_equal(json_array_size(list), 4);
	for (i = 0; i < 4; i++) {
		v = json_string_value(json_array_get(list, (size_t)i));
		assert_int_equal(
		    strncmp(v, i < 2 ? "{\"text\":" : "{\"blob\":", 8), 0);
		if (i % 2 == 1)
			assert_true(strcmp(json_string_value(json_array_get(
					       list, (size_t)i - 1)),
					v) < 0);
	}
	v = json_string_value(json_array_get(list, 1));
	assert_non_null(strstr(v, "\"value\":\"nine \\n \\u0001 \\\"\"}"));
	json_decref(list);
	/* Only what these lines name. */
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 0, STORE_SIDE_NONE, &ln), 0);
	assert_int_equal(count_of(&ln.side), 1);
	assert_int_equal(record_page_read(p->st, gid, 0, 2, 0, &ln), 0);
	assert_int_equal(ln.side.len, 0);
	record_page_clear(&ln);
}

static void
lines_are_given_up_until_their_side_lines_fit(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	int64_t next = 0;
	int i;

	/* Each line brings a blob of 160,000 bytes as it is written. */
	for (i = 0; i < 12; i++) {
		put_line(p->st, gid, i, 1000);
		put_blob(p->st, gid, i, i + 1, RECORD_BLOB_MAX);
	}
	record_page_init(&ln);
	while (next < 12) {
		assert_int_equal(record_page_read(p->st, gid, next, 11,
				     STORE_SIDE_NONE, &ln),
		    0);
		assert_true(ln.next > next);
		assert_int_equal(count_of(&ln.side), ln.next - next);
		assert_int_equal(ln.omitted.len, 0);
		fits(&ln);
		next = ln.next;
	}
	assert_int_equal(next, 12);
	record_page_clear(&ln);
}

static void
what_one_line_names_too_much_of_is_named_instead(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	json_t *list;
	size_t i;

	put_line(p->st, gid, 0, BIG);
	put_line(p->st, gid, 1, 10);
	put_text(p->st, gid, 0, 500, "words");
	for (i = 0; i < 240; i++)
		put_blob(p->st, gid, 0, (int)i + 1, RECORD_BLOB_MAX);
	record_page_init(&ln);
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 1, STORE_SIDE_NONE, &ln), 0);
	assert_int_equal(ln.next, 1);
	fits(&ln);
	list = list_of(&ln.omitted);
	assert_int_equal(json_array_size(list) + count_of(&ln.side), 241);
	assert_true(count_of(&ln.side) >= 3);
	for (i = 0; i < json_array_size(list); i++)
		assert_int_equal(
		    json_string_length(json_array_get(list, i)), 64);
	json_decref(list);
	/* The next one has none of it. */
	assert_int_equal(
	    record_page_read(p->st, gid, 1, 1, STORE_SIDE_NONE, &ln), 0);
	assert_int_equal(ln.omitted.len, 0);
	record_page_clear(&ln);
}

static void
a_failed_allocation_is_told_and_leaves_nothing_half(void **state)
{
	struct db *p = *state;
	const int64_t gid = begin(p);
	struct record_page ln;
	long failures;

	assert_int_equal(db_add_line(p->st, gid, 0, 1, NULL), 0);
	put_blob(p->st, gid, 0, 1, 500);
	failures = atomic_load(&faulty.alloc_failures);
	record_page_init(&ln);
	atomic_store(&faulty.alloc_left, 0);
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 0, STORE_SIDE_NONE, &ln),
	    ERR_NOMEM);
	assert_true(atomic_load(&faulty.alloc_failures) > failures);
	atomic_store(&faulty.alloc_left, -1);
	assert_int_equal(
	    record_page_read(p->st, gid, 0, 0, STORE_SIDE_NONE, &ln), 0);
	assert_int_equal(count_of(&ln.lines), 1);
	assert_int_equal(count_of(&ln.side), 1);
	record_page_clear(&ln);
}

int
main(void)
{
#define WITH_STORE(test) \
	cmocka_unit_test_setup_teardown(test, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    WITH_STORE(no_line_gives_nothing),
	    WITH_STORE(lines_come_in_order_and_as_they_are),
	    WITH_STORE(the_longest_line_always_fits),
	    WITH_STORE(a_message_is_filled_but_not_over),
	    WITH_STORE(many_short_lines_are_cut_by_their_number),
	    WITH_STORE(side_lines_come_once_each_texts_first),
	    WITH_STORE(lines_are_given_up_until_their_side_lines_fit),
	    WITH_STORE(what_one_line_names_too_much_of_is_named_instead),
	    WITH_STORE(a_failed_allocation_is_told_and_leaves_nothing_half),
	};

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
