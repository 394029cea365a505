/* SPDX-License-Identifier: ISC */
/*
 * The own copy of a game: what continues it is taken and kept, nothing else
 * is, and what a crash or another process leaves is coped with.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/game/verify_int.h"
#include "tests/lib/table.h"

#define HELLO "ddaf01bba4995018de5cb08cc10a1bcd67704211d3d0390046cef1d0b1e2db75"

/* The side line of the text "hello" (a vector of umpire-record.7). */
static const char hello[] =
    "{\"text\":\"" HELLO "\",\"salt\":\"000102030405060708090a0b0c0d0e0f10"
    "1112131415161718191a1b1c1d1e1f\",\"value\":\"hello\"}";

static char dir[] = "/tmp/umpire-copy.XXXXXX";

/* A game with a combat, and a player's profile that pins its server. */
struct desk {
	struct table t;
	struct profile *p;
};

/* Makes the game and the profile. */
static int
setup(void **state)
{
	struct desk *d = xalloc(sizeof(*d));
	struct errinfo e = {.text = ""};
	bool is_new;

	(void)snprintf(dir, sizeof(dir), "/tmp/umpire-copy.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(setenv("HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_DATA_HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", dir, 1), 0);
	assert_int_equal(profile_open("anna", &d->p, &e), 0);
	assert_int_equal(profile_make(d->p, &is_new, NULL, NULL, &e), 0);
	table_begun(&d->t);
	table_play(&d->t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&d->t);
	memcpy(d->p->pin, d->t.server.public_key, SIGN_KEY_LEN);
	d->p->has_pin = true;
	*state = d;
	return (0);
}

/* Removes everything. */
static int
teardown(void **state)
{
	struct desk *d = *state;
	pid_t pid;

	profile_free(d->p);
	table_clear(&d->t);
	free(d);
	if ((pid = fork()) == 0) {
		(void)execlp("rm", "rm", "-rf", dir, (char *)NULL);
		_exit(127);
	}
	return (waitpid(pid, NULL, 0) == pid ? 0 : -1);
}

/* Opens the copy, which must work. */
static struct replica *
open_copy(struct desk *d)
{
	struct errinfo e = {.text = ""};
	struct replica *c = NULL;

	if (replica_open(d->p, game_id(d->t.game), &c, &e) != 0)
		fail_msg("%s", e.text);
	return (c);
}

/* Line i of the server's record, without LF. */
static const char *
line_of(const struct table *t, size_t i, size_t *len)
{
	*len = t->starts[i + 1] - t->starts[i] - 1;
	return (t->record.data + t->starts[i]);
}

/* Gives the copy the blobs of the game. */
static void
add_blobs(struct desk *d, struct replica *c)
{
	uint8_t hash[HASH_LEN];
	struct errinfo e = {.text = ""};
	const char *name;
	struct buf b;
	json_t *s;

	json_object_foreach(d->t.blobs, name, s)
	{
		buf_init(&b, 0);
		assert_int_equal(
		    hex_parse(hash, HASH_LEN, name, strlen(name)), 0);
		record_write_blob(
		    &b, hash, json_string_value(s), json_string_length(s));
		assert_int_equal(
		    replica_add_side(c, buf_str(&b), b.len, &e), 0);
		buf_clear(&b);
	}
}

/* Gives the copy line i of the record. */
static int
add_line(struct desk *d, struct replica *c, size_t i, struct errinfo *e)
{
	const char *line;
	size_t len;

	line = line_of(&d->t, i, &len);
	return (replica_add(c, (int64_t)i, line, len, "", e));
}

/* Gives the copy lines up to n, which must all be taken. */
static void
add_lines(struct desk *d, struct replica *c, size_t n)
{
	struct errinfo e = {.text = ""};
	size_t i;

	for (i = (size_t)c->n; i < n; i++) {
		if (add_line(d, c, i, &e) != 0)
			fail_msg("line %zu: %s: %s", i, e.where, e.text);
	}
}

/* A copy on disk with the first n lines. */
static struct replica *
kept_copy(struct desk *d, size_t n)
{
	struct errinfo e = {.text = ""};
	struct replica *c = open_copy(d);

	add_blobs(d, c);
	add_lines(d, c, n);
	assert_int_equal(replica_keep(c, &e), 0);
	assert_true(c->is_kept);
	return (c);
}

/* How far apart the bytes are that a test changes; further with UMPIRE_SLOW. */
static size_t
stride(size_t n)
{
	return (getenv("UMPIRE_SLOW") != NULL && getenv("UMPIRE_LONG") == NULL
		? 16 * n + 1
		: n);
}

static void
lines_are_taken_kept_and_read_again(void **state)
{
	struct desk *d = *state;
	struct replica *c = kept_copy(d, 2), *again;
	const char *a, *b;
	size_t i, alen, blen;

	add_lines(d, c, d->t.n_lines);
	again = open_copy(d);
	assert_true(again->is_kept);
	assert_int_equal(again->n, d->t.n_lines);
	for (i = 0; i < d->t.n_lines; i++) {
		a = line_of(&d->t, i, &alen);
		b = replica_get(again, (int64_t)i, &blen);
		assert_int_equal(alen, blen);
		assert_memory_equal(a, b, alen);
	}
	assert_memory_equal(
	    game_head(replica_game(again)), game_head(d->t.game), HASH_LEN);
	assert_false(replica_report(again)->is_unchecked);
	replica_close(c);
	replica_close(again);
}

static void
a_copy_that_is_not_kept_leaves_no_file(void **state)
{
	struct desk *d = *state;
	struct replica *c = open_copy(d), *again;

	add_blobs(d, c);
	add_lines(d, c, d->t.n_lines);
	again = open_copy(d);
	assert_int_equal(again->n, 0);
	assert_null(replica_game(again));
	replica_close(c);
	replica_close(again);
}

static void
a_line_that_is_held_may_come_again_but_only_the_same(void **state)
{
	struct desk *d = *state;
	struct replica *c = kept_copy(d, d->t.n_lines);
	struct errinfo e = {.text = ""};
	const char *line;
	char *other;
	size_t len;

	assert_int_equal(add_line(d, c, 0, &e), 0);
	assert_int_equal(add_line(d, c, 3, &e), 0);
	line = line_of(&d->t, 3, &len);
	other = xalloc_strn(line, len);
	other[len - 5] ^= 1;
	assert_int_equal(replica_add(c, 3, other, len, "", &e), ERR_FORK);
	assert_int_equal(c->fork.seq, 3);
	assert_true(c->fork.has_here);
	assert_true(c->fork.has_there);
	assert_memory_not_equal(c->fork.here, c->fork.there, HASH_LEN);
	assert_int_equal(c->n, d->t.n_lines);
	free(other);
	replica_close(c);
}

static void
a_gap_is_no_continuation(void **state)
{
	struct desk *d = *state;
	struct replica *c = kept_copy(d, 2);
	struct errinfo e = {.text = ""};

	assert_int_equal(add_line(d, c, 3, &e), ERR_FORK);
	assert_non_null(strstr(e.text, "left out lines"));
	assert_int_equal(c->n, 2);
	add_lines(d, c, 3);
	replica_close(c);
}

/* What is on disk of the lines. */
static char *
lines_on_disk(struct desk *d)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	char *path;

	buf_init(&b, 0);
	path = profile_game_path(d->p, game_id(d->t.game), ".jsonl");
	assert_int_equal(file_read(path, 1 << 24, &b, &e), 0);
	free(path);
	return (xalloc_take(&b));
}

static void
a_line_with_one_bit_changed_is_refused_and_changes_nothing(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	const char *line;
	char *before, *after, *other;
	struct replica *c;
	size_t i, len;

	line = line_of(&d->t, 4, &len);
	/* Every tenth byte: the others are test_verify's. */
	for (i = 0; i < len; i += 10) {
		c = kept_copy(d, 4);
		before = lines_on_disk(d);
		other = xalloc_strn(line, len);
		other[i] ^= 1;
		assert_int_equal(
		    replica_add(c, 4, other, len, "", &e), ERR_FORK);
		assert_int_equal(c->n, 4);
		assert_int_equal(c->fork.seq, 4);
		after = lines_on_disk(d);
		assert_string_equal(before, after);
		free(before);
		free(after);
		free(other);
		replica_close(c);
	}
}

static void
another_servers_record_is_refused(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c;

	d->p->pin[0] ^= 1;
	c = open_copy(d);
	add_blobs(d, c);
	assert_int_equal(add_line(d, c, 0, &e), ERR_FORK);
	assert_int_equal(c->n, 0);
	replica_close(c);
}

static void
the_servers_head_must_continue_the_copy(void **state)
{
	struct desk *d = *state;
	struct replica *c = kept_copy(d, 3);
	uint8_t head[HASH_LEN];

	memcpy(head, replica_hash(c, 2), HASH_LEN);
	assert_int_equal(replica_check_head(c, 2, head), 0);
	assert_int_equal(replica_check_head(c, 3, head), 0);
	assert_int_equal(
	    replica_check_head(c, 1, replica_hash(c, 1)), ERR_FORK);
	assert_int_equal(c->fork.what, REPLICA_BEHIND);
	assert_int_equal(c->fork.seq, 1);
	assert_false(c->fork.has_there);
	assert_false(replica_is_proof(&c->fork));
	head[31] ^= 1;
	assert_int_equal(replica_check_head(c, 2, head), ERR_FORK);
	assert_int_equal(c->fork.what, REPLICA_NONSENSE);
	assert_memory_equal(c->fork.there, head, HASH_LEN);
	assert_false(replica_is_proof(&c->fork));
	replica_close(c);
}

static void
half_a_line_that_a_crash_left_is_dropped(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c;
	const char *line;
	char *path, *bytes;
	size_t len;

	replica_close(kept_copy(d, 3));
	path = profile_game_path(d->p, game_id(d->t.game), ".jsonl");
	line = line_of(&d->t, 3, &len);
	assert_int_equal(file_append(path, line, len / 2, &e), 0);
	free(path);
	path = profile_game_path(d->p, game_id(d->t.game), ".side");
	assert_int_equal(file_append(path, "{\"text\":\"", 9, &e), 0);
	free(path);
	c = open_copy(d);
	assert_int_equal(c->n, 3);
	add_lines(d, c, d->t.n_lines);
	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	replica_close(c);
	bytes = lines_on_disk(d);
	assert_int_equal(strlen(bytes), d->t.record.len);
	assert_memory_equal(bytes, d->t.record.data, d->t.record.len);
	free(bytes);
	c = open_copy(d);
	assert_int_equal(c->n, d->t.n_lines);
	assert_string_equal(replica_text(c, HELLO), "hello");
	replica_close(c);
}

static void
a_copy_that_was_changed_on_disk_is_noticed(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = NULL;
	char *bytes, *path;

	replica_close(kept_copy(d, d->t.n_lines));
	bytes = lines_on_disk(d);
	bytes[d->t.starts[2] + 300] ^= 1;
	path = profile_game_path(d->p, game_id(d->t.game), ".jsonl");
	assert_int_equal(file_write(path, bytes, strlen(bytes), 0600, &e), 0);
	assert_int_equal(
	    replica_open(d->p, game_id(d->t.game), &c, &e), ERR_BAD);
	assert_non_null(strstr(e.text, "line 3"));
	assert_null(c);
	free(path);
	free(bytes);
}

static void
what_another_process_added_is_taken_in(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *a = kept_copy(d, 2), *b = open_copy(d);

	add_lines(d, b, 5);
	/* a does not know of line 2 yet, and is given line 5 all the same. */
	assert_int_equal(add_line(d, a, 5, &e), 0);
	assert_int_equal(a->n, 6);
	assert_int_equal(replica_lock(b, &e), 0);
	assert_int_equal(b->n, 6);
	replica_unlock(b);
	replica_close(a);
	replica_close(b);
}

static void
side_lines_must_be_what_their_hash_says(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = kept_copy(d, 2), *again;
	char *bad = xalloc_str(hello);

	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	bad[strlen(bad) - 3] = 'a';
	assert_int_equal(replica_add_side(c, bad, strlen(bad), &e), ERR_FORK);
	again = open_copy(d);
	assert_string_equal(replica_text(again, HELLO), "hello");
	assert_null(replica_text(again, "00"));
	replica_close(again);
	replica_close(c);
	free(bad);
}

static void
the_export_verifies_and_holds_only_what_is_named(void **state)
{
	const struct verify_options opt = {.head_seq = -1};
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = kept_copy(d, d->t.n_lines);
	struct verify_report rep;
	struct buf b, raw, want;

	buf_init(&b, 0);
	buf_init(&raw, 0);
	buf_init(&want, 0);
	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	assert_int_equal(replica_export(c, &b, &e), 0);
	table_export(&d->t, &want);
	assert_string_equal(buf_str(&b), buf_str(&want));
	if (verify_bytes(b.data, b.len, &opt, &rep, NULL, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	assert_false(rep.is_unchecked);
	assert_int_equal(rep.combats, 1);
	assert_int_equal(
	    replica_read_raw(d->p, game_id(d->t.game), &raw, &e), 0);
	assert_string_equal(buf_str(&raw), buf_str(&want));
	buf_clear(&b);
	buf_clear(&raw);
	buf_clear(&want);
	replica_close(c);
}

/* What is on disk of one of a copy's files; *len may be NULL. */
static char *
file_on_disk(struct desk *d, const char *suffix, size_t *len)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	char *path;

	buf_init(&b, 0);
	path = profile_game_path(d->p, game_id(d->t.game), suffix);
	if (file_read(path, 1 << 24, &b, &e) != 0)
		fail_msg("%s", e.text);
	free(path);
	if (len != NULL)
		*len = b.len;
	return (xalloc_take(&b));
}

/* Puts bytes there. */
static void
put_on_disk(struct desk *d, const char *suffix, const char *p, size_t len)
{
	char *path;

	path = profile_game_path(d->p, game_id(d->t.game), suffix);
	file_cache(path, p, len);
	free(path);
}

/* Opens the copy: n lines, of which so many need not be verified. */
static void
opens_with(struct desk *d, int64_t n, int64_t checked)
{
	struct replica *c = open_copy(d);
	uint8_t hash[HASH_LEN];
	const char *line;
	size_t len;

	assert_int_equal(c->n, n);
	assert_int_equal(c->checked, checked);
	assert_int_equal(replica_report(c)->lines, n);
	assert_false(replica_report(c)->is_unchecked);
	line = replica_get(c, n - 1, &len);
	assert_int_equal(hash_sha256(hash, line, len), 0);
	assert_memory_equal(game_head(replica_game(c)), hash, HASH_LEN);
	assert_memory_equal(replica_hash(c, n - 1), hash, HASH_LEN);
	replica_close(c);
}

/* Writes a checkpoint made by other sources, with the MAC that fits. */
static void
put_other_sources(struct desk *d, const char *bytes, size_t len)
{
	static const char label[] = "umpire/checkpoint/1";
	char *at, *other = xalloc(len);
	uint8_t key[HASH_LEN];

	memcpy(other, bytes, len);
	at = memmem(other, len, verify_sources, strlen(verify_sources));
	assert_non_null(at);
	*at ^= 1;
	assert_int_equal(profile_load_keys(d->p, NULL), 0);
	assert_int_equal(hash_mac(key, d->p->keys.sign.seed, SIGN_KEY_LEN,
			     label, sizeof(label)),
	    0);
	assert_int_equal(hash_mac((uint8_t *)other + len - HASH_LEN, key,
			     HASH_LEN, other, len - HASH_LEN),
	    0);
	put_on_disk(d, ".checkpoint", other, len);
	opens_with(d, 3, 0);
	/* That this is what the sources alone do: */
	*at ^= 1;
	assert_int_equal(hash_mac((uint8_t *)other + len - HASH_LEN, key,
			     HASH_LEN, other, len - HASH_LEN),
	    0);
	assert_memory_equal(other, bytes, len);
	free(other);
}

static void
a_text_that_was_erased_is_gone_for_good(void **state)
{
	static const char mark[] = "{\"gone\":\"" HELLO "\"}";
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = kept_copy(d, 2), *other, *again;
	char *before, *after;
	const char *blob;
	bool was_here;
	size_t len, n;

	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	before = file_on_disk(d, ".side", &len);
	assert_non_null(strstr(before, "hello"));
	other = open_copy(d);
	assert_int_equal(replica_erase(c, HELLO, &was_here, &e), 0);
	assert_true(was_here);
	assert_null(replica_text(c, HELLO));
	assert_int_equal(replica_lack(c, HELLO), BATTLE_LACK_ERASED);
	after = file_on_disk(d, ".side", &n);
	/* Where another process has read to is still the end of a line. */
	assert_int_equal(n, len);
	assert_null(strstr(after, "hello"));
	assert_null(strstr(after, "000102030405060708"));
	assert_int_equal(replica_erase(c, HELLO, &was_here, &e), 0);
	assert_false(was_here);
	add_lines(d, other, 3);
	assert_string_equal(replica_text(other, HELLO), "hello");
	assert_int_equal(replica_erase(other, HELLO, &was_here, &e), 0);
	assert_null(replica_text(other, HELLO));
	replica_close(other);
	/* Nobody brings it back, nor has a blob taken away. */
	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	assert_null(replica_text(c, HELLO));
	blob = json_object_iter_key(json_object_iter(d->t.blobs));
	assert_int_equal(replica_erase(c, blob, &was_here, &e), 0);
	assert_false(was_here);
	assert_non_null(replica_text(c, blob));
	assert_int_equal(replica_erase(c, "00", &was_here, &e), 0);
	assert_int_equal(replica_add_side(c, mark, strlen(mark), &e), ERR_FORK);
	replica_close(c);
	again = open_copy(d);
	assert_int_equal(again->n, 3);
	assert_null(replica_text(again, HELLO));
	assert_int_equal(replica_lack(again, HELLO), BATTLE_LACK_ERASED);
	replica_close(again);
	/* A crash in the middle: what is half gone goes. */
	memcpy(strstr(before, "{\"text\""), "{\"gone", 6);
	put_on_disk(d, ".side", before, len);
	again = open_copy(d);
	assert_null(replica_text(again, HELLO));
	replica_close(again);
	free(after);
	after = file_on_disk(d, ".side", &n);
	assert_int_equal(n, len);
	assert_null(strstr(after, "hello"));
	free(after);
	free(before);
}

static void
a_text_that_was_lost_may_come_back(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = kept_copy(d, 2);
	json_t *lost;

	/* Of what no line names nothing is noted. */
	assert_int_equal(replica_lose(c, HELLO, &e), 0);
	assert_int_equal(replica_lack(c, HELLO), BATTLE_LACK_UNKNOWN);
	table_play(&d->t, 1, ORDER_CHAT, "{'ref':'" HELLO "'}");
	add_lines(d, c, d->t.n_lines);
	assert_int_equal(replica_lack(c, HELLO), BATTLE_LACK_UNKNOWN);
	assert_int_equal(replica_lose(c, HELLO, &e), 0);
	assert_int_equal(replica_lack(c, HELLO), BATTLE_LACK_LOST);
	replica_close(c);
	c = open_copy(d);
	lost = replica_lost_texts(c);
	assert_int_equal(json_array_size(lost), 1);
	json_decref(lost);
	assert_null(replica_text(c, HELLO));
	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	assert_string_equal(replica_text(c, HELLO), "hello");
	assert_int_equal(replica_lose(c, HELLO, &e), 0);
	replica_close(c);
	c = open_copy(d);
	assert_string_equal(replica_text(c, HELLO), "hello");
	lost = replica_lost_texts(c);
	assert_int_equal(json_array_size(lost), 0);
	json_decref(lost);
	replica_close(c);
}

static void
what_was_verified_is_not_verified_again(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = kept_copy(d, 3);
	char *bytes, *lines;
	size_t len, n;

	replica_close(c);
	opens_with(d, 3, 3);
	bytes = file_on_disk(d, ".checkpoint", &len);
	/* A crash before the next checkpoint: the lines beyond are verified. */
	c = open_copy(d);
	add_lines(d, c, 5);
	assert_int_equal(replica_add_side(c, hello, strlen(hello), &e), 0);
	replica_close(c);
	put_on_disk(d, ".checkpoint", bytes, len);
	opens_with(d, 5, 3);
	opens_with(d, 5, 5);
	c = open_copy(d);
	assert_string_equal(replica_text(c, HELLO), "hello");
	add_lines(d, c, d->t.n_lines);
	replica_close(c);
	opens_with(d, (int64_t)d->t.n_lines, (int64_t)d->t.n_lines);
	/* Fewer lines than it covers. */
	lines = file_on_disk(d, ".jsonl", &n);
	put_on_disk(d, ".jsonl", lines, d->t.starts[4]);
	opens_with(d, 4, 0);
	free(lines);
	free(bytes);
}

static void
a_checkpoint_with_any_byte_changed_is_not_believed(void **state)
{
	struct desk *d = *state;
	char *bytes;
	size_t i, len;

	replica_close(kept_copy(d, 3));
	bytes = file_on_disk(d, ".checkpoint", &len);
	for (i = 0; i < len; i += stride(1)) {
		bytes[i] ^= (char)(1 << i % 8);
		put_on_disk(d, ".checkpoint", bytes, len);
		opens_with(d, 3, 0);
		bytes[i] ^= (char)(1 << i % 8);
	}
	for (i = 0; i < len; i += 1 + len / 50) {
		put_on_disk(d, ".checkpoint", bytes, i);
		opens_with(d, 3, 0);
	}
	put_other_sources(d, bytes, len);
	put_on_disk(d, ".checkpoint", bytes, len);
	opens_with(d, 3, 3);
	free(bytes);
}

static void
a_changed_byte_of_the_files_is_found_beside_a_checkpoint(void **state)
{
	struct desk *d = *state;
	struct errinfo e;
	struct replica *c;
	char *bytes, *kept;
	size_t i, len, n;
	int r;

	replica_close(kept_copy(d, 3));
	kept = file_on_disk(d, ".checkpoint", &n);
	bytes = file_on_disk(d, ".jsonl", &len);
	for (i = 0; i < len; i += stride(3)) {
		bytes[i] ^= 1;
		put_on_disk(d, ".jsonl", bytes, len);
		r = replica_open(d->p, game_id(d->t.game), &c, &e);
		if (r != ERR_SERVER &&
		    (r != ERR_BAD || strstr(e.text, "damaged at line") == NULL))
			fail_msg("byte %zu: %d %s", i, r, e.text);
		bytes[i] ^= 1;
		put_on_disk(d, ".checkpoint", kept, n);
	}
	put_on_disk(d, ".jsonl", bytes, len);
	opens_with(d, 3, 3);
	free(bytes);
	bytes = file_on_disk(d, ".side", &len);
	for (i = 0; i < len; i += stride(3)) {
		bytes[i] ^= 1;
		put_on_disk(d, ".side", bytes, len);
		assert_int_equal(
		    replica_open(d->p, game_id(d->t.game), &c, &e), ERR_BAD);
		bytes[i] ^= 1;
		put_on_disk(d, ".checkpoint", kept, n);
	}
	free(bytes);
	free(kept);
}

static void
a_checkpoint_is_of_one_profile_server_and_game(void **state)
{
	static const char *const suffixes[] = {
	    ".jsonl", ".side", ".checkpoint"};
	struct desk *d = *state, other = {.p = NULL};
	struct errinfo e = {.text = ""};
	char *bytes, *from, *mine, *to;
	uint8_t id[HASH_LEN];
	struct replica *c;
	size_t i, len;
	bool is_new;

	/* Another profile's, of the same copy. */
	replica_close(kept_copy(d, 3));
	mine = file_on_disk(d, ".checkpoint", NULL);
	assert_int_equal(profile_open("bert", &other.p, &e), 0);
	assert_int_equal(profile_make(other.p, &is_new, NULL, NULL, &e), 0);
	memcpy(other.p->pin, d->p->pin, SIGN_KEY_LEN);
	other.p->has_pin = true;
	other.t = d->t;
	replica_close(kept_copy(&other, 3));
	bytes = file_on_disk(&other, ".checkpoint", &len);
	assert_memory_not_equal(
	    bytes + len - HASH_LEN, mine + len - HASH_LEN, HASH_LEN);
	put_on_disk(d, ".checkpoint", bytes, len);
	opens_with(d, 3, 0);
	free(bytes);
	profile_free(other.p);
	/* Another game's, whatever its files say. */
	memcpy(id, game_id(d->t.game), HASH_LEN);
	id[0] ^= 1;
	for (i = 0; i < 3; i++) {
		from = profile_game_path(d->p, game_id(d->t.game), suffixes[i]);
		to = profile_game_path(d->p, id, suffixes[i]);
		assert_int_equal(link(from, to), 0);
		free(from);
		free(to);
	}
	assert_int_equal(replica_open(d->p, id, &c, &e), 0);
	assert_int_equal(c->n, 3);
	assert_int_equal(c->checked, 0);
	replica_close(c);
	put_on_disk(d, ".checkpoint", mine, len);
	/* Another server's: the pin has changed since. */
	opens_with(d, 3, 3);
	d->p->pin[0] ^= 1;
	assert_int_not_equal(replica_open(d->p, game_id(d->t.game), &c, &e), 0);
	d->p->pin[0] ^= 1;
	opens_with(d, 3, 3);
	/* Without the key there is none, and no error. */
	from = profile_path(d->p, "sign.key");
	assert_int_equal(unlink(from), 0);
	opens_with(d, 3, 0);
	free(from);
	free(mine);
}

static void
what_cannot_be_checked_has_no_checkpoint(void **state)
{
	struct desk *d = *state;
	struct errinfo e = {.text = ""};
	struct replica *c = open_copy(d);
	char *path;

	add_lines(d, c, 3);
	assert_int_equal(replica_keep(c, &e), 0);
	assert_true(replica_report(c)->is_unchecked);
	replica_close(c);
	path = profile_game_path(d->p, game_id(d->t.game), ".checkpoint");
	assert_false(file_exists(path));
	free(path);
	c = open_copy(d);
	assert_int_equal(c->n, 3);
	assert_true(replica_report(c)->is_unchecked);
	replica_close(c);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    TEST(lines_are_taken_kept_and_read_again),
	    TEST(a_copy_that_is_not_kept_leaves_no_file),
	    TEST(a_line_that_is_held_may_come_again_but_only_the_same),
	    TEST(a_gap_is_no_continuation),
	    TEST(a_line_with_one_bit_changed_is_refused_and_changes_nothing),
	    TEST(another_servers_record_is_refused),
	    TEST(the_servers_head_must_continue_the_copy),
	    TEST(half_a_line_that_a_crash_left_is_dropped),
	    TEST(a_copy_that_was_changed_on_disk_is_noticed),
	    TEST(what_another_process_added_is_taken_in),
	    TEST(side_lines_must_be_what_their_hash_says),
	    TEST(the_export_verifies_and_holds_only_what_is_named),
	    TEST(a_text_that_was_erased_is_gone_for_good),
	    TEST(a_text_that_was_lost_may_come_back),
	    TEST(what_was_verified_is_not_verified_again),
	    TEST(a_checkpoint_with_any_byte_changed_is_not_believed),
	    TEST(a_changed_byte_of_the_files_is_found_beside_a_checkpoint),
	    TEST(a_checkpoint_is_of_one_profile_server_and_game),
	    TEST(what_cannot_be_checked_has_no_checkpoint),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
