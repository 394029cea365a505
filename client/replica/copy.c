/* SPDX-License-Identifier: ISC */
/*
 * The copy of a game.  What is in the file was verified when it was added
 * and is verified again when it is read: a copy that changed on disk is
 * noticed.  Talking to the server is sync.c's and send.c's.
 */
#include "client/replica/copy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/standing.h"
#include "client/ui/opt.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define COPY_FILE_MAX ((size_t)1 << 30) /* bytes of one game's lines */

/* Adds a line that was verified to memory; at_ms is 0 if it is unknown. */
static void
copy_remember(struct copy *c, const char *line, size_t len,
    const uint8_t hash[HASH_LEN], int64_t at_ms)
{
	struct copy_line *index;
	size_t n = (size_t)c->n;

	if (n == c->cap) {
		c->cap = n == 0 ? 64 : 2 * n;
		index = xalloc(c->cap * sizeof(*index));
		if (n > 0)
			memcpy(index, c->index, n * sizeof(*index));
		free(c->index);
		c->index = index;
	}
	c->index[n].off = c->lines.len;
	c->index[n].len = len;
	memcpy(c->index[n].hash, hash, HASH_LEN);
	c->index[n].at_ms = at_ms;
	buf_add(&c->lines, line, len);
	buf_putc(&c->lines, '\n');
	c->n++;
}

/* Notes where and why the server's record does not continue the copy. */
static int
copy_forked(struct copy *c, enum copy_what what, int64_t seq,
    const uint8_t *there, const char *why, struct errinfo *e)
{
	struct copy_fork *f = &c->fork;
	char text[sizeof(f->why.text)];

	/* why may point into f or e. */
	memset(text, 0, sizeof(text));
	strncpy(text, why, sizeof(text) - 1);
	free(f->line);
	memset(f, 0, sizeof(*f));
	f->what = what;
	f->seq = seq;
	f->at_ms = clock_wall_ms();
	if (seq >= 0 && seq < c->n) {
		f->has_here = true;
		memcpy(f->here, c->index[seq].hash, HASH_LEN);
	}
	if (there != NULL) {
		f->has_there = true;
		memcpy(f->there, there, HASH_LEN);
	}
	(void)err_set(&f->why, ERR_FORK, NULL, "%s", text);
	return (err_set(e, ERR_FORK, NULL, "%s", text));
}

bool
copy_is_proof(const struct copy_fork *f)
{
	return (f->line != NULL);
}

bool
copy_line_place(
    const char *line, size_t len, uint8_t game[HASH_LEN], int64_t *seq)
{
	bool is_good;
	json_t *root;

	if (js_load(line, len, JS_DEPTH_RECORD, &root, NULL) != 0)
		return (false);
	is_good = js_get_hex(root, "game", NULL, game, HASH_LEN, NULL) == 0 &&
	    js_get_int(root, "seq", NULL, 0, JS_INT_MAX, seq, NULL) == 0;
	json_decref(root);
	return (is_good);
}

/*
 * True if the server signed this line, for this place of this game.  One
 * that is signed and is no line at all has no better place.
 */
static bool
copy_is_signed(const struct copy *c, int64_t seq, const char *line, size_t len)
{
	uint8_t game[HASH_LEN];
	int64_t at;

	if (c->p == NULL || !c->p->has_pin ||
	    record_check_mark(line, len, c->p->pin) != 0)
		return (false);
	return (!copy_line_place(line, len, game, &at) ||
	    (at == seq && memcmp(game, c->id, HASH_LEN) == 0));
}

/*
 * Notes that line seq, as the server gave it, is not what it must be: `what`
 * if the server signed it, and nonsense otherwise.
 */
static int
copy_accuse(struct copy *c, enum copy_what what, int64_t seq, const char *line,
    size_t len, const uint8_t hash[HASH_LEN], const struct errinfo *why,
    struct errinfo *e)
{
	struct copy_fork *f = &c->fork;
	struct errinfo place = *why;

	if (!copy_is_signed(c, seq, line, len))
		return (copy_forked(c, COPY_NONSENSE, seq, hash,
		    "it is not what the server's key has signed for this place",
		    e));
	(void)copy_forked(c, what, seq, hash, place.text, e);
	memcpy(f->why.where, place.where, sizeof(f->why.where));
	f->line = xalloc_strn(line, len);
	f->len = len;
	return (ERR_FORK);
}

/* Takes a side line into memory; *is_new says that it was not held. */
static int
copy_take_side(struct copy *c, const char *line, size_t len, bool *is_new,
    struct errinfo *e)
{
	char hex[2 * HASH_LEN + 1];
	struct record_side s;
	json_t *o;
	int r;

	if ((r = record_side_parse(line, len, &s, e)) != 0)
		return (r);
	hex_format(hex, s.hash, HASH_LEN);
	*is_new = json_object_get(c->side, hex) == NULL;
	if (*is_new) {
		if (s.is_blob)
			r = verify_add_blob(c->v, s.value, s.len);
		if (r == 0) {
			o = xalloc_json(json_object());
			xalloc_set(o, "line", json_stringn(line, len));
			xalloc_set(o, "value", json_stringn(s.value, s.len));
			xalloc_set(o, "blob", json_boolean(s.is_blob));
			xalloc_set(c->side, hex, o);
		} else {
			r = err_set(e, r, NULL, "side line: %s", err_text(r));
		}
	}
	record_side_clear(&s);
	return (r);
}

/* Takes in what the side file holds beyond what was read. */
static int
copy_read_side(struct copy *c, struct errinfo *e)
{
	struct buf b;
	const char *p, *end;
	bool is_new;
	char *path;
	int r;

	path = profile_game_path(c->p, c->id, ".side");
	buf_init(&b, 0);
	r = file_read(path, COPY_FILE_MAX, &b, e);
	if (r == ERR_NOTFOUND)
		r = 0;
	p = buf_str(&b) + (c->side_off < b.len ? c->side_off : b.len);
	while (r == 0 && (end = strchr(p, '\n')) != NULL) {
		struct errinfo why = {.text = ""};

		r = copy_take_side(c, p, (size_t)(end - p), &is_new, &why);
		if (r != 0)
			r = err_set(e, ERR_BAD, NULL,
			    "your copy '%s' is damaged at byte %zu: %s", path,
			    (size_t)(p - buf_str(&b)), why.text);
		p = end + 1;
		c->side_off = (size_t)(p - b.data);
	}
	/* Half a line is what a crash left. */
	if (r == 0 && c->side_off < b.len)
		r = file_write(path, b.data, c->side_off, 0600, e);
	buf_clear(&b);
	free(path);
	return (r);
}

/* Reads when the lines from number `from` on arrived, as far as known. */
static void
copy_read_times(struct copy *c, int64_t from)
{
	char number[24], *path;
	struct errinfo e;
	const char *end, *p, *sep;
	struct buf b;
	int64_t at_ms, seq;

	path = profile_game_path(c->p, c->id, ".times");
	buf_init(&b, 0);
	/* Without it they are unknown, as those of older copies are. */
	if (file_read(path, COPY_FILE_MAX, &b, &e) != 0)
		buf_reset(&b);
	for (p = buf_str(&b); (end = strchr(p, '\n')) != NULL; p = end + 1) {
		sep = memchr(p, ' ', (size_t)(end - p));
		if (sep == NULL || (size_t)(sep - p) >= sizeof(number))
			continue;
		memset(number, 0, sizeof(number));
		memcpy(number, p, (size_t)(sep - p));
		/* Half a line is what a crash left. */
		if (opt_number(number, from, c->n - 1, &seq) &&
		    clock_parse(sep + 1, (size_t)(end - sep - 1), &at_ms) == 0)
			c->index[seq].at_ms = at_ms;
	}
	buf_clear(&b);
	free(path);
}

/* Appends when line seq arrived. */
static void
copy_write_time(const struct copy *c, int64_t seq, struct buf *b)
{
	char at[CLOCK_AT_LEN + 1];

	if (c->index[seq].at_ms == 0)
		return;
	clock_format(at, c->index[seq].at_ms);
	buf_printf(b, "%lld %s\n", (long long)seq, at);
}

/* Keeps when the last line arrived; that is not worth waiting for the disk. */
static void
copy_note_time(const struct copy *c)
{
	struct buf b;
	char *path;

	path = profile_game_path(c->p, c->id, ".times");
	buf_init(&b, 0);
	copy_write_time(c, c->n - 1, &b);
	if (buf_error(&b) == 0)
		file_jot(path, b.data, b.len);
	buf_clear(&b);
	free(path);
}

/*
 * Says why line number c->n of the own file does not hold: the first one may
 * only be of another server.
 */
static int
copy_damaged(const struct copy *c, const char *path, const char *line,
    size_t len, int r, const struct errinfo *why, struct errinfo *e)
{
	char game[2 * HASH_LEN + 1], key[2 * SIGN_KEY_LEN + 1];
	struct record_line ln;
	struct order o;

	if (c->n == 0 && strcmp(why->where, "order.server") == 0 &&
	    record_parse(line, len, &ln, NULL) == 0) {
		if (ln.text != NULL &&
		    order_parse(ln.text, ln.text_len, &o, NULL) == 0) {
			hex_format(key, o.server, SIGN_KEY_LEN);
			hex_format(game, c->id, HASH_LEN);
			r = err_set(e, ERR_SERVER, NULL,
			    "your copy of game %.8s is of another server than "
			    "this profile's, with the identity key %s",
			    game, key);
			order_clear(&o);
		}
		record_clear(&ln);
		if (r == ERR_SERVER)
			return (r);
	}
	return (err_set(e, r == ERR_NOMEM ? r : ERR_BAD, NULL,
	    "your copy '%s' is damaged at line %lld: %s", path,
	    (long long)c->n + 1, why->text));
}

/* Takes in what the file of lines holds beyond what was read. */
static int
copy_read_lines(struct copy *c, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const int64_t before = c->n;
	uint8_t hash[HASH_LEN];
	const char *p, *end;
	struct buf b;
	size_t len;
	char *path;
	int r;

	path = profile_game_path(c->p, c->id, ".jsonl");
	buf_init(&b, 0);
	r = file_read(path, COPY_FILE_MAX, &b, e);
	if (r == ERR_NOTFOUND && c->n == 0)
		r = 0;
	if (r == 0 && b.len < c->lines.len)
		r = err_set(e, ERR_BAD, NULL,
		    "your copy '%s' has become shorter", path);
	if (r == 0)
		c->is_kept = c->is_kept || b.len > 0;
	p = buf_str(&b) + (r == 0 ? c->lines.len : b.len);
	while (r == 0 && (end = strchr(p, '\n')) != NULL) {
		len = (size_t)(end - p);
		verify_peek(c->v, end + 1, strcspn(end + 1, "\n"));
		if ((r = verify_line(c->v, p, len, &why)) != 0 ||
		    (r = hash_sha256(hash, p, len)) != 0)
			r = copy_damaged(c, path, p, len, r, &why, e);
		else
			copy_remember(c, p, len, hash, 0);
		p = end + 1;
	}
	/* Half a line is what a crash left; it is written again in full. */
	if (r == 0 && b.len > c->lines.len)
		r = file_write(path, c->lines.data, c->lines.len, 0600, e);
	buf_clear(&b);
	free(path);
	if (r == 0 && c->n > before)
		copy_read_times(c, before);
	return (r);
}

/* Takes the lock and what other processes have added. */
static int
copy_lock_files(struct copy *c, struct errinfo *e)
{
	char *path;
	int r;

	path = profile_game_path(c->p, c->id, ".lock");
	r = file_lock(path, &c->lock, e);
	free(path);
	if (r != 0)
		return (r);
	/* Our standing orders first: no line may have passed one over. */
	if ((r = standing_give(c, c->v)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	if (r != 0 || (r = copy_read_side(c, e)) != 0 ||
	    (r = copy_read_lines(c, e)) != 0)
		copy_unlock(c);
	return (r);
}

int
copy_open(const struct profile *p, const uint8_t id[HASH_LEN],
    struct copy **out, struct errinfo *e)
{
	struct verify_options opt;
	struct copy *c;
	char *path;
	int r = 0;

	c = xalloc(sizeof(*c));
	c->p = p;
	c->lock = -1;
	memcpy(c->id, id, HASH_LEN);
	buf_init(&c->lines, 0);
	c->side = xalloc_json(json_object());
	memset(&opt, 0, sizeof(opt));
	opt.head_seq = -1;
	opt.server = p->has_pin ? p->pin : NULL;
	if ((r = verify_new(&opt, &c->v)) != 0) {
		r = err_set(e, r, NULL, "%s", err_text(r));
		goto out;
	}
	path = profile_game_path(p, id, ".jsonl");
	c->is_kept = file_exists(path);
	free(path);
	if (c->is_kept) {
		out_progress("checking your copy of the game");
		r = copy_lock_files(c, e);
		out_progress_end();
		copy_unlock(c);
	}
out:
	if (r != 0)
		copy_close(c);
	else
		*out = c;
	return (r);
}

/* Takes one line of an export, which was verified or stands after those. */
static int
copy_of_line(
    struct copy *c, const char *line, size_t len, int64_t n, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	struct record_side s;
	bool is_named, is_new;
	int r = 0;

	if (c->n < n) {
		if ((r = hash_sha256(hash, line, len)) == 0)
			copy_remember(c, line, len, hash, 0);
		else
			r = err_set(e, r, NULL, "%s", err_text(r));
	} else if (record_is_side(line, len) &&
	    record_side_parse(line, len, &s, e) == 0) {
		is_named = verify_is_named(c->v, s.hash);
		record_side_clear(&s);
		if (is_named)
			r = copy_take_side(c, line, len, &is_new, e);
	}
	return (r);
}

int
copy_of(const char *bytes, size_t len, int64_t n, struct verify *v,
    struct copy **out, struct errinfo *e)
{
	const char *end = bytes + len, *lf, *p;
	const struct game *g = verify_game(v);
	struct copy *c;
	int r = 0;

	c = xalloc(sizeof(*c));
	c->lock = -1;
	c->v = v;
	buf_init(&c->lines, 0);
	c->side = xalloc_json(json_object());
	if (g != NULL)
		memcpy(c->id, game_id(g), HASH_LEN);
	for (p = bytes; r == 0 && p < end; p = lf + 1) {
		if ((lf = memchr(p, '\n', (size_t)(end - p))) == NULL)
			break;
		r = copy_of_line(c, p, (size_t)(lf - p), n, e);
	}
	if (r != 0)
		copy_close(c);
	else
		*out = c;
	return (r);
}

void
copy_close(struct copy *c)
{
	if (c == NULL)
		return;
	copy_unlock(c);
	verify_free(c->v);
	buf_clear(&c->lines);
	free(c->index);
	free(c->fork.line);
	json_decref(c->side);
	free(c);
}

int
copy_lock(struct copy *c, struct errinfo *e)
{
	if (!c->is_kept || c->lock != -1)
		return (0);
	return (copy_lock_files(c, e));
}

void
copy_unlock(struct copy *c)
{
	if (c->lock == -1)
		return;
	(void)close(c->lock); /* it holds no bytes */
	c->lock = -1;
}

int
copy_keep(struct copy *c, struct errinfo *e)
{
	const char *key;
	struct buf side, times;
	char *games, *path;
	json_t *o;
	int64_t seq;
	int r;

	if (c->is_kept)
		return (0);
	games = profile_path(c->p, "games");
	r = file_make_dirs(games, e);
	free(games);
	if (r != 0)
		return (r);
	path = profile_game_path(c->p, c->id, ".lock");
	r = file_lock(path, &c->lock, e);
	free(path);
	if (r != 0)
		return (r);
	buf_init(&side, 0);
	json_object_foreach(c->side, key, o)
	{
		buf_puts(&side, json_string_value(json_object_get(o, "line")));
		buf_putc(&side, '\n');
	}
	/* The side lines first: the lines cannot be checked without them. */
	path = profile_game_path(c->p, c->id, ".side");
	r = file_write(path, buf_str(&side), side.len, 0600, e);
	free(path);
	if (r == 0) {
		path = profile_game_path(c->p, c->id, ".jsonl");
		r = file_write(path, buf_str(&c->lines), c->lines.len, 0600, e);
		free(path);
	}
	if (r == 0) {
		c->is_kept = true;
		c->side_off = side.len;
	}
	buf_init(&times, 0);
	for (seq = 0; r == 0 && seq < c->n; seq++)
		copy_write_time(c, seq, &times);
	if (times.len > 0 && buf_error(&times) == 0) {
		path = profile_game_path(c->p, c->id, ".times");
		file_jot(path, times.data, times.len);
		free(path);
	}
	buf_clear(&times);
	buf_clear(&side);
	copy_unlock(c);
	return (r);
}

int
copy_add_side(struct copy *c, const char *line, size_t len, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	bool had_lock = c->lock != -1, is_new;
	struct buf b;
	char *path;
	int r;

	if ((r = copy_lock(c, e)) != 0)
		return (r);
	if ((r = copy_take_side(c, line, len, &is_new, &why)) != 0) {
		r = copy_forked(c, COPY_NONSENSE, c->n, NULL, why.text, e);
	} else if (is_new && c->is_kept) {
		path = profile_game_path(c->p, c->id, ".side");
		buf_init(&b, 0);
		buf_add(&b, line, len);
		buf_putc(&b, '\n');
		if ((r = buf_error(&b)) == 0)
			r = file_append(path, b.data, b.len, e);
		if (r == 0)
			c->side_off += b.len;
		buf_clear(&b);
		free(path);
	}
	if (!had_lock)
		copy_unlock(c);
	return (r);
}

/* Verifies and adds the next line. */
static int
copy_add_next(struct copy *c, const char *line, size_t len,
    const uint8_t hash[HASH_LEN], struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	uint8_t game[HASH_LEN];
	int64_t place;
	struct buf b;
	char *path;
	int r;

	if (copy_line_place(line, len, game, &place) &&
	    memcmp(game, c->id, HASH_LEN) != 0)
		return (copy_forked(c, COPY_NONSENSE, c->n, hash,
		    "the server gave another game's line", e));
	if ((r = verify_line(c->v, line, len, &why)) != 0) {
		if (r == ERR_NOMEM)
			return (err_set(e, r, NULL, "%s", err_text(r)));
		/* What is signed may have been taken in half. */
		r = copy_accuse(
		    c, COPY_UNLAWFUL, c->n, line, len, hash, &why, e);
		c->is_shut = copy_is_proof(&c->fork);
		return (r);
	}
	if (c->is_kept) {
		path = profile_game_path(c->p, c->id, ".jsonl");
		buf_init(&b, 0);
		buf_add(&b, line, len);
		buf_putc(&b, '\n');
		if ((r = buf_error(&b)) == 0)
			r = file_append(path, b.data, b.len, e);
		buf_clear(&b);
		free(path);
		if (r != 0)
			return (r);
	}
	copy_remember(c, line, len, hash, clock_wall_ms());
	if (c->is_kept)
		copy_note_time(c);
	return (0);
}

int
copy_add(struct copy *c, int64_t seq, const char *line, size_t len,
    const char *next, struct errinfo *e)
{
	const struct errinfo two = {
	    .text = "the server tells another line with this number"};
	bool had_lock = c->lock != -1;
	uint8_t hash[HASH_LEN];
	int r;

	if (c->is_shut)
		return (err_set(e, ERR_FORK, NULL, "%s", c->fork.why.text));
	if ((r = copy_lock(c, e)) != 0)
		return (r);
	verify_peek(c->v, next, strlen(next));
	if ((r = hash_sha256(hash, line, len)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	else if (seq < 0 || seq > c->n)
		r = copy_forked(c, COPY_NONSENSE, seq, hash,
		    "the server left lines out", e);
	else if (seq == c->n)
		r = copy_add_next(c, line, len, hash, e);
	else if (memcmp(hash, c->index[seq].hash, HASH_LEN) != 0)
		r = copy_accuse(
		    c, COPY_TWO_LINES, seq, line, len, hash, &two, e);
	if (!had_lock)
		copy_unlock(c);
	return (r);
}

int
copy_check_head(struct copy *c, int64_t seq, const uint8_t head[HASH_LEN])
{
	struct errinfo e;

	if (c->is_shut)
		return (ERR_FORK);
	if (seq < c->n - 1)
		return (copy_forked(c, COPY_BEHIND, seq, NULL,
		    "the server has fewer lines than your copy", &e));
	if (seq == c->n - 1 && memcmp(head, c->index[seq].hash, HASH_LEN) != 0)
		return (copy_forked(c, COPY_NONSENSE, seq, head,
		    "the server names another hash for this line", &e));
	return (0);
}

int
copy_lost(struct copy *c, struct errinfo *e)
{
	return (copy_forked(c, COPY_GONE, c->n - 1, NULL,
	    "the server does not know this game", e));
}

const struct game *
copy_game(const struct copy *c)
{
	return (c->n == 0 ? NULL : verify_game(c->v));
}

const struct verify_report *
copy_report(const struct copy *c)
{
	return (verify_report(c->v));
}

const char *
copy_get(const struct copy *c, int64_t seq, size_t *len)
{
	*len = c->index[seq].len;
	return (c->lines.data + c->index[seq].off);
}

json_t *
copy_create_args(const struct copy *c)
{
	struct record_line ln;
	json_t *args = NULL;
	const char *line;
	struct errinfo e;
	struct order o;
	size_t len;

	if (c->n == 0)
		return (NULL);
	line = copy_get(c, 0, &len);
	if (record_parse(line, len, &ln, &e) != 0)
		return (NULL);
	if (ln.text != NULL && order_parse(ln.text, ln.text_len, &o, &e) == 0) {
		args = json_deep_copy(o.args);
		order_clear(&o);
	}
	record_clear(&ln);
	return (args);
}

const char *
copy_text(const struct copy *c, const char *hex)
{
	return (json_string_value(
	    json_object_get(json_object_get(c->side, hex), "value")));
}

/* Orders two hashes in hex, for qsort(). */
static int
copy_compare_cb(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return (strcmp(*x, *y));
}

int
copy_export(const struct copy *c, struct buf *out, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	const char **keys, *key;
	bool is_blob;
	size_t i, n = 0;
	json_t *v;
	int kind, r;

	keys = xalloc((json_object_size(c->side) + 1) * sizeof(*keys));
	json_object_foreach(c->side, key, v)
	{
		if (hex_parse(hash, HASH_LEN, key, strlen(key)) == 0 &&
		    verify_is_named(c->v, hash))
			keys[n++] = key;
	}
	qsort(keys, n, sizeof(*keys), copy_compare_cb);
	buf_add(out, c->lines.data, c->lines.len);
	for (kind = 0; kind < 2; kind++) {
		for (i = 0; i < n; i++) {
			v = json_object_get(c->side, keys[i]);
			is_blob = json_is_true(json_object_get(v, "blob"));
			if (is_blob != (kind == 1))
				continue;
			buf_puts(
			    out, json_string_value(json_object_get(v, "line")));
			buf_putc(out, '\n');
		}
	}
	free(keys);
	if ((r = buf_error(out)) != 0)
		return (err_set(e, r, NULL, "%s", err_text(r)));
	return (0);
}

/* A side line and the key that it is sorted by. */
struct copy_raw {
	const char *line; /* borrowed */
	size_t len;
};

/* Orders side lines: texts, then blobs, each by hash, for qsort(). */
static int
copy_raw_compare_cb(const void *a, const void *b)
{
	const struct copy_raw *x = a, *y = b;
	bool is_blob_x = strncmp(x->line, "{\"blob\"", 7) == 0;
	bool is_blob_y = strncmp(y->line, "{\"blob\"", 7) == 0;
	size_t n = x->len < y->len ? x->len : y->len;

	if (is_blob_x != is_blob_y)
		return (is_blob_x ? 1 : -1);
	/* What stands before the hash is the same in both. */
	return (memcmp(x->line, y->line, n));
}

/* Appends the side lines whose hash the lines name, sorted, each once. */
static void
copy_raw_side(const char *side, struct buf *out)
{
	const char *lines = buf_str(out), *end, *p;
	char hex[2 * HASH_LEN + 1];
	struct copy_raw *all;
	struct buf found;
	size_t i, n = 0;

	all = xalloc((strlen(side) / 2 + 1) * sizeof(*all));
	for (p = side; (end = strchr(p, '\n')) != NULL; p = end + 1) {
		/* {"text":"<hash>... and {"blob":"<hash>... */
		if (end - p < 9 + 2 * HASH_LEN ||
		    !record_is_side(p, (size_t)(end - p)))
			continue;
		memcpy(hex, p + 9, 2 * HASH_LEN);
		hex[2 * HASH_LEN] = '\0';
		if (strstr(lines, hex) == NULL)
			continue;
		all[n].line = p;
		all[n++].len = (size_t)(end - p) + 1;
	}
	qsort(all, n, sizeof(*all), copy_raw_compare_cb);
	buf_init(&found, 0);
	for (i = 0; i < n; i++) {
		if (i > 0 && copy_raw_compare_cb(&all[i - 1], &all[i]) == 0)
			continue;
		buf_add(&found, all[i].line, all[i].len);
	}
	buf_add(out, buf_str(&found), found.len);
	buf_clear(&found);
	free(all);
}

int
copy_read_raw(const struct profile *p, const uint8_t id[HASH_LEN],
    struct buf *out, struct errinfo *e)
{
	char *path, *end;
	struct buf side;
	int r;

	path = profile_game_path(p, id, ".jsonl");
	r = file_read(path, COPY_FILE_MAX, out, e);
	free(path);
	if (r != 0)
		return (r);
	/* Half a line is what a crash left. */
	(void)buf_str(out);
	end = out->len == 0 ? NULL : memrchr(out->data, '\n', out->len);
	out->len = end == NULL ? 0 : (size_t)(end - out->data) + 1;
	path = profile_game_path(p, id, ".side");
	buf_init(&side, 0);
	r = file_read(path, COPY_FILE_MAX, &side, e);
	free(path);
	if (r == 0)
		copy_raw_side(buf_str(&side), out);
	else if (r == ERR_NOTFOUND)
		r = 0;
	buf_clear(&side);
	if (r == 0 && (r = buf_error(out)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	return (r);
}
