/* SPDX-License-Identifier: ISC */
/*
 * Lines of a record: strict reading, the one way of writing, marks, side
 * lines.  A line is read member by member in the order that the format
 * fixes, then written again in the compact form and compared, so that there
 * is one sequence of bytes for one line.
 */
#include "common/record/record.h"

#include <assert.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/json/js_put.h"

#define RECORD_IN_ORDER 1U
#define RECORD_IN_KEY 2U
#define RECORD_IN_SERVER 4U

/* Whose records a member occurs in, by enum record_of. */
#define RECORD_GAMES 1U
#define RECORD_TOURNAMENTS 2U
#define RECORD_BOTH 3U

/* Members of a line in their order (S2, S15.1), and the kinds they occur in. */
static const struct record_member {
	const char *name;
	unsigned of;
	unsigned kinds;
	json_type type;
	bool is_optional;
} record_members[] = {
    {"v", RECORD_BOTH, 7, JSON_INTEGER, false},
    {"game", RECORD_GAMES, 7, JSON_STRING, false},
    {"tournament", RECORD_TOURNAMENTS, 7, JSON_STRING, false},
    {"seq", RECORD_BOTH, 7, JSON_INTEGER, false},
    {"prev", RECORD_BOTH, 7, JSON_STRING, false},
    {"at", RECORD_BOTH, 7, JSON_STRING, false},
    {"kind", RECORD_BOTH, 7, JSON_STRING, false},
    {"seat", RECORD_GAMES, RECORD_IN_ORDER | RECORD_IN_KEY, JSON_INTEGER,
	false},
    {"by", RECORD_TOURNAMENTS, RECORD_IN_ORDER | RECORD_IN_KEY, JSON_STRING,
	false},
    {"key", RECORD_BOTH, RECORD_IN_ORDER | RECORD_IN_KEY, JSON_STRING, false},
    {"order", RECORD_BOTH, RECORD_IN_ORDER, JSON_STRING, false},
    {"statement", RECORD_BOTH, RECORD_IN_KEY, JSON_STRING, false},
    {"sig", RECORD_BOTH, RECORD_IN_ORDER | RECORD_IN_KEY, JSON_STRING, false},
    {"what", RECORD_BOTH, RECORD_IN_SERVER, JSON_STRING, false},
    {"data", RECORD_BOTH, RECORD_IN_SERVER, JSON_OBJECT, false},
    {"dice", RECORD_BOTH, RECORD_IN_ORDER, JSON_OBJECT, true},
    {"owes", RECORD_GAMES, RECORD_IN_ORDER, JSON_OBJECT, true},
    {"opened", RECORD_GAMES, RECORD_IN_ORDER, JSON_ARRAY, true},
    {"pool", RECORD_BOTH, 7, JSON_STRING, true},
    {"events", RECORD_BOTH, RECORD_IN_ORDER | RECORD_IN_SERVER, JSON_ARRAY,
	false},
    {"mark", RECORD_BOTH, 7, JSON_STRING, false},
};

#define RECORD_MEMBERS (sizeof(record_members) / sizeof(record_members[0]))

/* The member that has the id, by enum record_of. */
static const char *const record_ids[] = {"game", "tournament"};

static const char *const record_kinds[] = {"order", "key", "server", NULL};

/* Checks that the line is of this format; a later one is read no further. */
static int
record_check_version(const json_t *root, struct errinfo *e)
{
	const json_t *v = json_object_get(root, "v");

	if (json_is_integer(v) && json_integer_value(v) > 1)
		return (err_set(
		    e, ERR_NEWER, "v", "the format is of a newer umpire"));
	if (!json_is_integer(v) || json_integer_value(v) != 1)
		return (err_set(e, ERR_MALFORMED, "v", "missing, or not 1"));
	return (0);
}

/* Finds the kind that a line says it is of. */
static int
record_read_kind(const json_t *root, enum record_kind *kind, struct errinfo *e)
{
	const char *s = js_str(root, "kind");
	int i;

	if (s == NULL)
		return (err_set(e, ERR_MALFORMED, "kind", "missing"));
	if (js_get_enum(root, "kind", NULL, record_kinds, &i, NULL) != 0)
		return (err_set(e, ERR_NEWER, "kind",
		    "lines of the kind \"%.32s\" are made by a newer umpire",
		    s));
	*kind = (enum record_kind)i;
	return (0);
}

/* Checks that the members are those of the kind, in their order. */
static int
record_check_members(
    json_t *root, enum record_of of, enum record_kind kind, struct errinfo *e)
{
	const struct record_member *m;
	void *iter;
	size_t i;

	iter = json_object_iter(root);
	for (i = 0; i < RECORD_MEMBERS; i++) {
		m = &record_members[i];
		if ((m->kinds & (1U << kind)) == 0 || (m->of & (1U << of)) == 0)
			continue;
		if (iter == NULL ||
		    strcmp(json_object_iter_key(iter), m->name) != 0) {
			if (m->is_optional)
				continue;
			return (err_set(e, ERR_MALFORMED, m->name,
			    "missing, or not in its place in the line"));
		}
		if (json_typeof(json_object_iter_value(iter)) != m->type)
			return (err_set(
			    e, ERR_MALFORMED, m->name, "of the wrong type"));
		iter = json_object_iter_next(root, iter);
	}
	if (iter != NULL)
		return (err_set(e, ERR_MALFORMED, "",
		    "member \"%.32s\" does not belong there",
		    json_object_iter_key(iter)));
	if (json_object_get(root, "dice") != NULL &&
	    json_object_get(root, "owes") != NULL)
		return (err_set(e, ERR_MALFORMED, "owes",
		    "a line has dice or owes them, not both"));
	return (0);
}

/* Reads a hex member that is known to be a string. */
static int
record_read_hex(const json_t *root, const char *name, uint8_t *out, size_t n,
    struct errinfo *e)
{
	const json_t *v;

	v = json_object_get(root, name);
	if (v == NULL ||
	    hex_parse(out, n, json_string_value(v), json_string_length(v)) != 0)
		return (err_set(e, ERR_MALFORMED, name,
		    "not %zu lower-case hex digits", 2 * n));
	return (0);
}

/* Reads the members that every kind has. */
static int
record_read_common(struct record_line *ln, enum record_of of, struct errinfo *e)
{
	const json_t *root = ln->root, *at;
	json_t *event;
	void *iter;
	size_t i;
	int r;

	r = record_read_hex(root, record_ids[of], ln->game, HASH_LEN, e);
	if (r != 0)
		return (r);
	ln->seq = js_int(root, "seq");
	if (ln->seq < 0)
		return (err_set(e, ERR_MALFORMED, "seq", "negative"));
	if ((r = record_read_hex(root, "prev", ln->prev, HASH_LEN, e)) != 0)
		return (r);
	at = json_object_get(root, "at");
	if (clock_parse(
		json_string_value(at), json_string_length(at), &ln->at_ms) != 0)
		return (err_set(e, ERR_MALFORMED, "at",
		    "not a time as 2026-11-20T17:01:01.042Z"));
	if (json_object_get(root, "pool") != NULL) {
		ln->has_pool = true;
		r = record_read_hex(root, "pool", ln->pool, HASH_LEN, e);
		if (r != 0)
			return (r);
	}
	ln->events = json_object_get(root, "events");
	/* The first member of each, e, names its kind. */
	json_array_foreach(ln->events, i, event)
	{
		iter = json_object_iter(event);
		if (iter == NULL ||
		    strcmp(json_object_iter_key(iter), "e") != 0 ||
		    !json_is_string(json_object_iter_value(iter)))
			return (err_set(e, ERR_MALFORMED, "events",
			    "event %zu does not begin with its kind", i));
	}
	ln->dice = json_object_get(root, "dice");
	ln->owes = json_object_get(root, "owes");
	ln->opened = json_object_get(root, "opened");
	return (record_read_hex(root, "mark", ln->mark, SIGN_LEN, e));
}

bool
record_is_seat(int64_t n)
{
	return ((n >= 0 && n <= RECORD_SEAT_MAX) || n == RECORD_WITNESS);
}

/* Reads which seat a line is of. */
static int
record_read_seat(struct record_line *ln, struct errinfo *e)
{
	const json_int_t seat = js_int(ln->root, "seat");

	if (!record_is_seat(seat))
		return (
		    err_set(e, ERR_MALFORMED, "seat", "not 0 to 16, or 254"));
	ln->seat = (int)seat;
	return (0);
}

/* Reads the members of order and key lines, or of server lines. */
static int
record_read_author(struct record_line *ln, enum record_of of, struct errinfo *e)
{
	const json_t *root = ln->root, *v;
	int r;

	if (ln->kind == RECORD_SERVER) {
		ln->what = js_str(root, "what");
		ln->data = json_object_get(root, "data");
		return (0);
	}
	if (of == RECORD_OF_TOURNAMENT)
		ln->by = js_str(root, "by");
	else if ((r = record_read_seat(ln, e)) != 0)
		return (r);
	r = record_read_hex(root, "key", ln->key, SIGN_KEY_LEN, e);
	if (r != 0)
		return (r);
	v = json_object_get(
	    root, ln->kind == RECORD_ORDER ? "order" : "statement");
	ln->text = json_string_value(v);
	ln->text_len = json_string_length(v);
	return (record_read_hex(root, "sig", ln->sig, SIGN_LEN, e));
}

int
record_check_compact(const json_t *root, const char *bytes, size_t len,
    size_t max, struct errinfo *e)
{
	struct buf b;
	int r;

	buf_init(&b, max);
	js_dump(root, &b);
	r = buf_error(&b);
	if (r == ERR_TOOBIG ||
	    (r == 0 && (b.len != len || memcmp(b.data, bytes, len) != 0)))
		r = err_set(e, ERR_MALFORMED, "",
		    len > 0 && bytes[len - 1] == '\r'
			? "it ends in CR LF: a program has rewritten the file, "
			  "so take another copy"
			: "not written in the compact form of a line");
	buf_clear(&b);
	return (r);
}

/* Reads a line of a game's record, or of a tournament's. */
static int
record_parse_of(enum record_of of, const char *bytes, size_t len,
    struct record_line *ln, struct errinfo *e)
{
	struct record_line line = {0};
	int r;

	if (len + 1 > RECORD_LINE_MAX)
		return (err_set(e, ERR_TOOBIG, "",
		    "a line has at most %d bytes", RECORD_LINE_MAX));
	r = js_load(bytes, len, JS_DEPTH_RECORD, &line.root, e);
	if (r != 0)
		return (r);
	if (!json_is_object(line.root)) {
		r = err_set(e, ERR_MALFORMED, "", "not a JSON object");
		goto fail;
	}
	if ((r = record_check_version(line.root, e)) != 0 ||
	    (r = record_read_kind(line.root, &line.kind, e)) != 0 ||
	    (r = record_check_members(line.root, of, line.kind, e)) != 0 ||
	    (r = record_read_common(&line, of, e)) != 0 ||
	    (r = record_read_author(&line, of, e)) != 0)
		goto fail;
	r = record_check_compact(line.root, bytes, len, RECORD_LINE_MAX, e);
	if (r != 0 || (r = hash_sha256(line.hash, bytes, len)) != 0)
		goto fail;
	*ln = line;
	return (0);
fail:
	json_decref(line.root);
	return (r);
}

int
record_parse(
    const char *bytes, size_t len, struct record_line *ln, struct errinfo *e)
{
	return (record_parse_of(RECORD_OF_GAME, bytes, len, ln, e));
}

int
record_parse_tournament(
    const char *bytes, size_t len, struct record_line *ln, struct errinfo *e)
{
	return (record_parse_of(RECORD_OF_TOURNAMENT, bytes, len, ln, e));
}

int
record_parse_newer(const char *bytes, size_t len, enum record_of of,
    struct record_line *ln, struct errinfo *e)
{
	const char *kind;
	const json_t *at;
	json_t *root;
	int r;

	if ((r = js_load(bytes, len, JS_DEPTH_RECORD, &root, e)) != 0)
		return (r == ERR_NOMEM ? r : ERR_MALFORMED);
	at = json_object_get(root, "at");
	kind = js_str(root, "kind");
	if ((r = record_check_compact(root, bytes, len, RECORD_LINE_MAX, e)) !=
		0 ||
	    js_get_hex(root, record_ids[of], NULL, ln->game, HASH_LEN, e) !=
		0 ||
	    js_get_int(root, "seq", NULL, 0, JS_INT_MAX, &ln->seq, e) != 0 ||
	    js_get_hex(root, "prev", NULL, ln->prev, HASH_LEN, e) != 0)
		r = r == ERR_NOMEM ? r : ERR_MALFORMED;
	else if (!json_is_string(at) ||
	    clock_parse(
		json_string_value(at), json_string_length(at), &ln->at_ms) != 0)
		r = err_set(e, ERR_MALFORMED, "at", "not a time");
	else if (kind == NULL)
		r = err_set(e, ERR_MALFORMED, "kind", "missing");
	else if (ln->seq == 0 && strcmp(kind, "order") != 0)
		r = err_set(e, ERR_MALFORMED, "kind",
		    "the first line must be a create order");
	json_decref(root);
	return (r);
}

void
record_clear(struct record_line *ln)
{
	json_decref(ln->root);
	memset(ln, 0, sizeof(*ln));
}

int
record_read_mark(const char *bytes, size_t len, uint8_t hash[HASH_LEN],
    uint8_t mark[SIGN_LEN])
{
	const char *tail;

	if (len < RECORD_MARK_TAIL)
		return (ERR_MALFORMED);
	tail = bytes + len - RECORD_MARK_TAIL;
	if (memcmp(tail, ",\"mark\":\"", 9) != 0 ||
	    memcmp(bytes + len - 2, "\"}", 2) != 0 ||
	    hex_parse(mark, SIGN_LEN, tail + 9, 2 * SIGN_LEN) != 0)
		return (ERR_MALFORMED);
	return (hash_sha256(hash, bytes, len - RECORD_MARK_TAIL));
}

int
record_check_mark(
    const char *bytes, size_t len, const uint8_t server[SIGN_KEY_LEN])
{
	uint8_t mark[SIGN_LEN], h[HASH_LEN];
	int r;

	if ((r = record_read_mark(bytes, len, h, mark)) != 0)
		return (r);
	return (sign_check(server, SIGN_TAG_MARK, h, sizeof(h), mark));
}

/* Appends ,"name": and the value, if there is one. */
static void
record_put_json(struct buf *out, const char *name, const json_t *v)
{
	if (v != NULL)
		js_put_json(out, name, v);
}

/* Appends all members before the mark. */
static void
record_put_parts(const struct record_parts *p, struct buf *out)
{
	buf_puts(out, "{\"v\":1");
	js_put_hex(out, record_ids[p->of], p->game, HASH_LEN);
	js_put_int(out, "seq", p->seq);
	js_put_hex(out, "prev", p->prev, HASH_LEN);
	js_put_at(out, "at", p->at_ms);
	js_put_str(out, "kind", record_kinds[p->kind]);
	if (p->kind == RECORD_SERVER) {
		js_put_str(out, "what", p->what);
		record_put_json(out, "data", p->data);
	} else {
		if (p->of == RECORD_OF_TOURNAMENT)
			js_put_str(out, "by", p->by);
		else
			js_put_int(out, "seat", p->seat);
		js_put_hex(out, "key", p->key, SIGN_KEY_LEN);
		buf_printf(out, ",\"%s\":",
		    p->kind == RECORD_ORDER ? "order" : "statement");
		js_dump_string(p->text, p->text_len, out);
		js_put_hex(out, "sig", p->sig, SIGN_LEN);
	}
	record_put_json(out, "dice", p->dice);
	record_put_json(out, "owes", p->owes);
	record_put_json(out, "opened", p->opened);
	if (p->pool != NULL)
		js_put_hex(out, "pool", p->pool, HASH_LEN);
	record_put_json(out, "events", p->events);
}

int
record_write_unmarked(const struct record_parts *p, struct buf *out)
{
	struct buf b;
	int r;

	buf_init(&b, RECORD_LINE_MAX - 1 - RECORD_MARK_TAIL);
	record_put_parts(p, &b);
	if ((r = buf_error(&b)) == 0)
		buf_add(out, b.data, b.len);
	buf_clear(&b);
	return (r != 0 ? r : buf_error(out));
}

int
record_write(const struct record_parts *p, const struct sign_key *server,
    struct buf *out, uint8_t hash[HASH_LEN])
{
	uint8_t h[HASH_LEN], mark[SIGN_LEN];
	struct buf b;
	int r;

	buf_init(&b, RECORD_LINE_MAX - 1);
	if ((r = record_write_unmarked(p, &b)) != 0 ||
	    (r = hash_sha256(h, b.data, b.len)) != 0 ||
	    (r = sign_make(server, SIGN_TAG_MARK, h, sizeof(h), mark)) != 0)
		goto out;
	js_put_hex(&b, "mark", mark, SIGN_LEN);
	buf_putc(&b, '}');
	if ((r = buf_error(&b)) != 0 ||
	    (r = hash_sha256(h, b.data, b.len)) != 0)
		goto out;
	buf_add(out, b.data, b.len);
	if ((r = buf_error(out)) == 0)
		memcpy(hash, h, HASH_LEN);
out:
	buf_clear(&b);
	return (r);
}

int
record_secret(uint8_t commit[HASH_LEN], const uint8_t game[HASH_LEN], int seat,
    int64_t ask, const uint8_t salt[RECORD_SALT_LEN], const char *text,
    size_t len)
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, game, HASH_LEN);
	buf_u8(&b, (unsigned)seat);
	buf_u64(&b, (uint64_t)ask);
	buf_add(&b, salt, RECORD_SALT_LEN);
	buf_add(&b, text, len);
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(commit, "umpire/secret/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
record_text_ref(uint8_t ref[HASH_LEN], const uint8_t salt[RECORD_SALT_LEN],
    const char *text, size_t len)
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, salt, RECORD_SALT_LEN);
	buf_add(&b, text, len);
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(ref, "umpire/text/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
record_blob_hash(uint8_t hash[HASH_LEN], const char *bytes, size_t len)
{
	return (hash_tagged(hash, "umpire/blob/1", bytes, len));
}

void
record_write_text(struct buf *out, const uint8_t ref[HASH_LEN],
    const uint8_t salt[RECORD_SALT_LEN], const char *text, size_t len)
{
	buf_putc(out, '{');
	js_put_hex(out, "text", ref, HASH_LEN);
	js_put_hex(out, "salt", salt, RECORD_SALT_LEN);
	buf_puts(out, ",\"value\":");
	js_dump_string(text, len, out);
	buf_putc(out, '}');
}

void
record_write_blob(struct buf *out, const uint8_t hash[HASH_LEN],
    const char *bytes, size_t len)
{
	buf_putc(out, '{');
	js_put_hex(out, "blob", hash, HASH_LEN);
	buf_puts(out, ",\"value\":");
	js_dump_string(bytes, len, out);
	buf_putc(out, '}');
}

bool
record_is_tournament(const char *bytes, size_t len)
{
	static const char begins[] = "{\"v\":", then[] = ",\"tournament\":\"";
	size_t n = sizeof(begins) - 1;

	if (len < n || memcmp(bytes, begins, n) != 0)
		return (false);
	while (n < len && bytes[n] >= '0' && bytes[n] <= '9')
		n++;
	return (len - n >= sizeof(then) &&
	    memcmp(bytes + n, then, sizeof(then) - 1) == 0);
}

bool
record_is_side(const char *bytes, size_t len)
{
	return (len >= 8 &&
	    (memcmp(bytes, "{\"text\":", 8) == 0 ||
		memcmp(bytes, "{\"blob\":", 8) == 0));
}

/* Checks members, types and hash of a side line that was parsed. */
static int
record_side_read(struct record_side *s, struct errinfo *e)
{
	static const char *const text_names[] = {"text", "salt", "value"};
	static const char *const blob_names[] = {"blob", "value"};
	const char *const *names;
	uint8_t h[HASH_LEN];
	const json_t *v;
	void *iter;
	size_t i, n;
	int r;

	s->is_blob = json_object_get(s->root, "blob") != NULL;
	names = s->is_blob ? blob_names : text_names;
	n = s->is_blob ? 2 : 3;
	iter = json_object_iter(s->root);
	for (i = 0; i < n; i++) {
		if (iter == NULL ||
		    strcmp(json_object_iter_key(iter), names[i]) != 0 ||
		    !json_is_string(json_object_iter_value(iter)))
			return (err_set(e, ERR_MALFORMED, names[i],
			    "missing, or not in its place in the line"));
		iter = json_object_iter_next(s->root, iter);
	}
	if (iter != NULL)
		return (err_set(
		    e, ERR_MALFORMED, "", "a member does not belong there"));
	v = json_object_get(s->root, "value");
	s->value = json_string_value(v);
	s->len = json_string_length(v);
	if ((r = record_read_hex(s->root, names[0], s->hash, HASH_LEN, e)) != 0)
		return (r);
	if (s->is_blob) {
		if (s->len > RECORD_BLOB_MAX)
			return (err_set(e, ERR_TOOBIG, "value",
			    "a blob has at most %d bytes", RECORD_BLOB_MAX));
		r = record_blob_hash(h, s->value, s->len);
	} else {
		if (s->len > RECORD_TEXT_MAX)
			return (err_set(e, ERR_TOOBIG, "value",
			    "a text has at most %d bytes", RECORD_TEXT_MAX));
		r = record_read_hex(
		    s->root, "salt", s->salt, RECORD_SALT_LEN, e);
		if (r != 0)
			return (r);
		r = record_text_ref(h, s->salt, s->value, s->len);
	}
	if (r != 0)
		return (r);
	if (memcmp(h, s->hash, HASH_LEN) != 0)
		return (err_set(
		    e, ERR_MALFORMED, names[0], "the hash is not the value's"));
	return (0);
}

int
record_side_parse(
    const char *bytes, size_t len, struct record_side *s, struct errinfo *e)
{
	struct record_side side = {0};
	int r;

	if (len + 1 > RECORD_SIDE_MAX)
		return (err_set(e, ERR_TOOBIG, "",
		    "a side line has at most %d bytes", RECORD_SIDE_MAX));
	r = js_load(bytes, len, JS_DEPTH_RECORD, &side.root, e);
	if (r != 0)
		return (r);
	if (!json_is_object(side.root))
		r = err_set(e, ERR_MALFORMED, "", "not a JSON object");
	else if ((r = record_side_read(&side, e)) == 0)
		r = record_check_compact(
		    side.root, bytes, len, RECORD_SIDE_MAX, e);
	if (r != 0) {
		json_decref(side.root);
		return (r);
	}
	*s = side;
	return (0);
}

void
record_side_clear(struct record_side *s)
{
	json_decref(s->root);
	memset(s, 0, sizeof(*s));
}

void
record_write_refusal(struct buf *out, enum record_of of,
    const uint8_t oid[HASH_LEN], const uint8_t game[HASH_LEN], const char *why,
    int64_t seq, const uint8_t head[HASH_LEN], int64_t at_ms)
{
	buf_puts(out, "{\"v\":1");
	js_put_hex(out, "oid", oid, HASH_LEN);
	js_put_hex(out, record_ids[of], game, HASH_LEN);
	js_put_str(out, "why", why);
	js_put_int(out, "seq", seq);
	js_put_hex(out, "head", head, HASH_LEN);
	js_put_at(out, "at", at_ms);
	buf_putc(out, '}');
}

bool
record_side_follows(const struct record_side *last, const struct record_side *s)
{
	if (last->root == NULL)
		return (true);
	if (last->is_blob == s->is_blob)
		return (memcmp(last->hash, s->hash, HASH_LEN) < 0);
	return (!last->is_blob);
}

bool
record_next(const char **at, const char *end, struct record_span *s)
{
	const char *lf;

	if (*at == end)
		return (false);
	lf = memchr(*at, '\n', (size_t)(end - *at));
	s->bytes = *at;
	s->len = (size_t)((lf == NULL ? end : lf) - *at);
	*at = lf == NULL ? end : lf + 1;
	return (true);
}

int
record_first_server(const char *bytes, size_t len, uint8_t server[SIGN_KEY_LEN])
{
	json_t *line, *order = NULL;
	const json_t *s;
	int r;

	if ((r = js_load(bytes, len, JS_DEPTH_RPC, &line, NULL)) != 0)
		return (r);
	s = json_object_get(line, "order");
	r = ERR_MALFORMED;
	if (json_is_string(s))
		r = js_load(json_string_value(s), json_string_length(s),
		    JS_DEPTH_RPC, &order, NULL);
	if (r == 0)
		r = js_get_hex(
		    order, "server", NULL, server, SIGN_KEY_LEN, NULL);
	json_decref(order);
	json_decref(line);
	return (r);
}

int
record_name_hashes(const json_t *args, json_t *set)
{
	struct {
		json_t *in;
		void *iter;
		size_t i;
	} stack[JS_DEPTH_RECORD + 1];
	uint8_t h[HASH_LEN];
	const char *hex;
	json_t *next;
	size_t n = 0;

	stack[n].in = (json_t *)(uintptr_t)args; /* iterators want it so */
	stack[n].iter = json_object_iter(stack[n].in);
	stack[n++].i = 0;
	while (n > 0) {
		if (json_is_array(stack[n - 1].in)) {
			next =
			    json_array_get(stack[n - 1].in, stack[n - 1].i++);
		} else {
			next = json_object_iter_value(stack[n - 1].iter);
			stack[n - 1].iter = json_object_iter_next(
			    stack[n - 1].in, stack[n - 1].iter);
		}
		if (next == NULL) {
			n--;
		} else if (json_is_object(next) || json_is_array(next)) {
			stack[n].in = next;
			stack[n].iter = json_object_iter(next);
			stack[n++].i = 0;
		} else if ((hex = json_string_value(next)) != NULL &&
		    hex_parse(h, HASH_LEN, hex, json_string_length(next)) ==
			0 &&
		    json_object_set_new(set, hex, json_true()) != 0) {
			return (ERR_NOMEM);
		}
	}
	return (0);
}
