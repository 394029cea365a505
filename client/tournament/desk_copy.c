/* SPDX-License-Identifier: ISC */
/*
 * The copy of a tournament.  Lines are verified when they are added to the
 * file and again when they are read from it, so a copy that has changed on
 * disk is noticed.  Only pairings are not worked out again where a checkpoint
 * covers them.
 */
#include "client/tournament/desk_copy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/tournament/desk_checkpoint.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_former.h"

#define DESK_COPY_LINES ".tournament"
#define DESK_COPY_SIDE ".tournament-side"
#define DESK_COPY_BEFORE ".tournament-before"

/* Notes where and why the server's record does not continue the copy. */
static int
desk_copy_forked(struct desk_copy *c, enum desk_wrong what, int64_t seq,
    const char *why, struct errinfo *e)
{
	struct errinfo text = {.text = ""};

	(void)err_set(&text, ERR_FORK, NULL, "%s", why);
	free(c->fork.line);
	memset(&c->fork, 0, sizeof(c->fork));
	c->fork.what = what;
	c->fork.seq = seq;
	c->fork.at_ms = clock_wall_ms();
	c->fork.why = text;
	return (err_set(e, ERR_FORK, NULL, "%s", text.text));
}

/* The same for a line: proof only if the server signed it, for that place. */
static int
desk_copy_forked_line(struct desk_copy *c, enum desk_wrong what, int64_t seq,
    const char *line, size_t len, const struct errinfo *why, struct errinfo *e)
{
	const struct errinfo place = *why;
	int r;

	if (!c->p->has_pin || !desk_is_signed(c->p->pin, c->id, seq, line, len))
		return (desk_copy_forked(c, DESK_NONSENSE, seq,
		    "the server's key has not signed it for this place", e));
	r = desk_copy_forked(c, what, seq, place.text, e);
	memcpy(c->fork.why.where, place.where, sizeof(place.where));
	c->fork.line = xalloc_strn(line, len);
	return (r);
}

/* Adds the line at `off` of c->lines, which was verified, to the index. */
static void
desk_copy_index(struct desk_copy *c, size_t off, size_t len)
{
	const size_t n = (size_t)c->n;

	c->index = xalloc_more(c->index, n, sizeof(*c->index));
	c->index[n].off = off;
	c->index[n].len = len;
	c->n++;
}

/*
 * Takes a side line in memory, if it is what its hash says; false if it is held
 * already.
 */
static int
desk_copy_put_side(struct desk_copy *c, const char *line, size_t len,
    bool *is_new, struct errinfo *e)
{
	char hex[2 * HASH_LEN + 1];
	struct record_side s;
	int r;

	if ((r = record_side_parse(line, len, &s, e)) != 0)
		return (r);
	hex_format(hex, s.hash, HASH_LEN);
	record_side_clear(&s);
	*is_new = json_object_get(c->sides, hex) == NULL;
	if (*is_new)
		xalloc_set(c->sides, hex, json_stringn(line, len));
	return (0);
}

/* Appends what a file of the copy holds beyond what has been read. */
static int
desk_copy_tail(const struct desk_copy *c, const char *suffix, struct buf *b,
    struct errinfo *e)
{
	int r = profile_game_read(c->p, c->id, suffix, b->len, b, e);

	return (r == ERR_NOTFOUND && b->len == 0 ? 0 : r);
}

/* Says that our own file is not what it was. */
static int
desk_copy_damaged(const struct desk_copy *c, const char *suffix, int64_t line,
    const struct errinfo *why, struct errinfo *e)
{
	char *path;
	int r;

	path = profile_game_path(c->p, c->id, suffix);
	r = err_set(e, ERR_BAD, NULL,
	    "your copy '%s' is damaged at line %lld: %s", path, (long long)line,
	    why->text);
	free(path);
	return (r);
}

/*
 * Verifies what a tournament goes back to, by its line 0 and what is held of
 * that, and has v continue it.  trusts: its pairings are not worked out again.
 */
static int
desk_copy_go_back(const struct desk_copy *c, struct verify_tournament *v,
    const char *line, size_t len, bool trusts, struct errinfo *e)
{
	const struct verify_tournament_options opt = {
	    .no_games = true, .trusts_old = trusts};
	struct verify_tournament_report rep;
	struct verify_former_set set;
	struct tournament *old;
	struct buf first;
	int r;

	if (c->before.len == 0)
		return (0);
	buf_init(&first, 0);
	buf_add(&first, line, len);
	buf_putc(&first, '\n');
	if (buf_error(&first) != 0)
		xalloc_die();
	r = verify_former_split(c->before.data, c->before.len, &set);
	if (r == 0)
		r = verify_former(
		    buf_str(&first), first.len, &set, &opt, &old, &rep, e);
	buf_clear(&first);
	if (r == ERR_NOMEM)
		xalloc_die();
	if (r == 0)
		verify_tournament_continue(v, old);
	return (r);
}

/* Reads what it goes back to, once there are lines. */
static int
desk_copy_read_before(struct desk_copy *c, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const char *lf;
	int r;

	lf = c->lines.len == 0 ? NULL
			       : memchr(c->lines.data, '\n', c->lines.len);
	if (lf == NULL)
		return (0);
	if ((r = desk_copy_tail(c, DESK_COPY_BEFORE, &c->before, e)) != 0)
		return (r);
	r = desk_copy_go_back(c, c->v, c->lines.data,
	    (size_t)(lf - c->lines.data), c->checked > 0, &why);
	return (
	    r == 0 ? 0 : desk_copy_damaged(c, DESK_COPY_BEFORE, 1, &why, e));
}

/* Takes in what the files hold beyond what was read before. */
static int
desk_copy_read(struct desk_copy *c, struct errinfo *e)
{
	size_t at = c->side.len, len;
	struct errinfo why = {.text = ""};
	const char *end, *p;
	int64_t line = 0;
	bool is_new;
	int r;

	if ((r = desk_copy_tail(c, DESK_COPY_SIDE, &c->side, e)) != 0)
		return (r);
	for (; r == 0 && at < c->side.len; at += len + 1) {
		p = c->side.data + at;
		line++;
		if ((end = memchr(p, '\n', c->side.len - at)) == NULL)
			break; /* what a crash left */
		len = (size_t)(end - p);
		if (desk_copy_put_side(c, p, len, &is_new, &why) != 0)
			r = desk_copy_damaged(c, DESK_COPY_SIDE, line, &why, e);
	}
	/* Half a line is written again in full. */
	if (r == 0 && at < c->side.len)
		r = profile_game_write(
		    c->p, c->id, DESK_COPY_SIDE, c->side.data, at, e);
	c->side.len = at;
	at = c->lines.len;
	if (r != 0 ||
	    (r = desk_copy_tail(c, DESK_COPY_LINES, &c->lines, e)) != 0)
		return (r);
	if (at == 0) {
		c->checked = desk_checkpoint_read(c->p, c->id, &c->lines);
		if ((r = desk_copy_read_before(c, e)) != 0)
			return (r);
	}
	for (; at < c->lines.len; at += len + 1) {
		p = c->lines.data + at;
		if ((end = memchr(p, '\n', c->lines.len - at)) == NULL)
			break;
		len = (size_t)(end - p);
		verify_tournament_trust(c->v, at + len < c->checked);
		if ((r = verify_tournament_add(c->v, p, len, &why)) != 0) {
			r = desk_copy_damaged(
			    c, DESK_COPY_LINES, c->n + 1, &why, e);
			break;
		}
		desk_copy_index(c, at, len);
	}
	if (r == 0 && at < c->lines.len)
		r = profile_game_write(
		    c->p, c->id, DESK_COPY_LINES, c->lines.data, at, e);
	verify_tournament_trust(c->v, false);
	c->lines.len = at;
	c->is_kept = c->is_kept || c->n > 0;
	return (r);
}

/* Makes one without lines, in memory. */
static int
desk_copy_new(const struct profile *p, const uint8_t id[HASH_LEN],
    struct desk_copy **out, struct errinfo *e)
{
	struct desk_copy *c = xalloc(sizeof(*c));
	int r;

	c->p = p;
	memcpy(c->id, id, HASH_LEN);
	c->lock = -1;
	buf_init(&c->lines, 0);
	buf_init(&c->before, 0);
	buf_init(&c->side, 0);
	c->sides = xalloc_json(json_object());
	*out = c;
	r = verify_tournament_new(p->has_pin ? p->pin : NULL, &c->v);
	return (r == 0 ? 0 : err_set(e, r, NULL, "%s", err_text(r)));
}

int
desk_copy_open(const struct profile *p, const uint8_t id[HASH_LEN],
    struct desk_copy **out, struct errinfo *e)
{
	struct desk_copy *c;
	int r;

	r = desk_copy_new(p, id, &c, e);
	c->is_kept = profile_game_has(p, id, DESK_COPY_LINES);
	if (r == 0 && c->is_kept) {
		out_progress("checking your copy of the tournament");
		r = desk_copy_lock(c, e);
		out_progress_end();
		desk_copy_unlock(c);
	}
	if (r != 0)
		desk_copy_close(c);
	else
		*out = c;
	return (r);
}

void
desk_copy_close(struct desk_copy *c)
{
	if (c == NULL)
		return;
	/* Not if a newer umpire is needed to judge some of it. */
	if (c->is_kept && !c->is_shut && c->lines.len > c->checked &&
	    desk_copy_state(c) != NULL)
		desk_checkpoint_write(c->p, c->id, &c->lines);
	desk_copy_unlock(c);
	verify_tournament_free(c->v);
	buf_clear(&c->lines);
	buf_clear(&c->before);
	buf_clear(&c->side);
	json_decref(c->sides);
	free(c->index);
	free(c->fork.line);
	free(c);
}

int
desk_copy_lock(struct desk_copy *c, struct errinfo *e)
{
	int r;

	if (!c->is_kept || c->lock != -1)
		return (0);
	if ((r = profile_game_lock(c->p, c->id, &c->lock, e)) != 0)
		return (r);
	if ((r = desk_copy_read(c, e)) != 0)
		desk_copy_unlock(c);
	return (r);
}

void
desk_copy_unlock(struct desk_copy *c)
{
	if (c->lock == -1)
		return;
	(void)close(c->lock); /* it holds no bytes */
	c->lock = -1;
}

int
desk_copy_keep(struct desk_copy *c, struct errinfo *e)
{
	char *games;
	int r;

	if (c->is_kept)
		return (0);
	games = profile_path(c->p, "games");
	r = file_make_dirs(games, e);
	free(games);
	if (r != 0 || (r = profile_game_lock(c->p, c->id, &c->lock, e)) != 0)
		return (r);
	if (profile_game_has(c->p, c->id, DESK_COPY_LINES))
		r = err_set(e, ERR_BUSY, NULL,
		    "another umpire has just made its copy of this "
		    "tournament; type the same again");
	if (r == 0)
		r = profile_game_write(
		    c->p, c->id, DESK_COPY_SIDE, c->side.data, c->side.len, e);
	if (r == 0 && c->before.len > 0)
		r = profile_game_write(c->p, c->id, DESK_COPY_BEFORE,
		    c->before.data, c->before.len, e);
	if (r == 0)
		r = profile_game_write(c->p, c->id, DESK_COPY_LINES,
		    c->lines.data, c->lines.len, e);
	c->is_kept = r == 0;
	desk_copy_unlock(c);
	return (r);
}

/* Verifies and adds the next line. */
static int
desk_copy_add_next(
    struct desk_copy *c, const char *line, size_t len, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const size_t at = c->lines.len;
	int r = 0;

	if (c->n == 0)
		r = desk_copy_go_back(c, c->v, line, len, false, &why);
	if (r == 0)
		r = verify_tournament_add(c->v, line, len, &why);
	if (r != 0) {
		if (r == ERR_NOMEM)
			xalloc_die();
		c->is_shut = true;
		return (desk_copy_forked_line(
		    c, DESK_UNLAWFUL, c->n, line, len, &why, e));
	}
	buf_add(&c->lines, line, len);
	buf_putc(&c->lines, '\n');
	if (buf_error(&c->lines) != 0)
		xalloc_die();
	desk_copy_index(c, at, len);
	if (!c->is_kept)
		return (0);
	r = profile_game_append(
	    c->p, c->id, DESK_COPY_LINES, c->lines.data + at, len + 1, e);
	/* The memory is ahead of the file, and is of no further use. */
	c->is_shut = c->is_shut || r != 0;
	return (r);
}

int
desk_copy_add(struct desk_copy *c, int64_t seq, const char *line, size_t len,
    struct errinfo *e)
{
	const struct errinfo two = {
	    .text = "the server gives another line with this number"};
	const bool had_lock = c->lock != -1;
	uint8_t hash[HASH_LEN];
	int r;

	if (c->is_shut)
		return (err_set(e, ERR_FORK, NULL, "%s", c->fork.why.text));
	if ((r = desk_copy_lock(c, e)) != 0)
		return (r);
	if ((r = hash_sha256(hash, line, len)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	else if (seq < 0 || seq > c->n)
		r = desk_copy_forked(
		    c, DESK_NONSENSE, seq, "the server left out lines", e);
	else if (seq == c->n)
		r = desk_copy_add_next(c, line, len, e);
	else if (memcmp(hash, desk_copy_hash(c, seq), HASH_LEN) != 0)
		r = desk_copy_forked_line(
		    c, DESK_TWO_LINES, seq, line, len, &two, e);
	if (!had_lock)
		desk_copy_unlock(c);
	return (r);
}

/* Takes a side line that the server gave. */
static int
desk_copy_add_side(
    struct desk_copy *c, const char *line, size_t len, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const size_t at = c->side.len;
	bool is_new;

	if (desk_copy_put_side(c, line, len, &is_new, &why) != 0)
		return (desk_copy_forked(c, DESK_NONSENSE, c->n, why.text, e));
	if (!is_new)
		return (0);
	buf_add(&c->side, line, len);
	buf_putc(&c->side, '\n');
	if (!c->is_kept)
		return (0);
	return (profile_game_append(
	    c->p, c->id, DESK_COPY_SIDE, c->side.data + at, len + 1, e));
}

int
desk_copy_of(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *held, struct desk_copy **out, struct errinfo *e)
{
	const char *at = held->data, *end = at + held->len;
	struct record_span span;
	struct desk_copy *c;
	int r;

	r = desk_copy_new(p, id, &c, e);
	if (r == 0)
		verify_tournament_trust(c->v, true);
	while (r == 0 && record_next(&at, end, &span))
		r = record_is_side(span.bytes, span.len)
		    ? desk_copy_add_side(c, span.bytes, span.len, e)
		    : desk_copy_add(c, c->n, span.bytes, span.len, e);
	if (r != 0) {
		desk_copy_close(c);
		return (r == ERR_FORK ? err_set(e, ERR_BAD, NULL,
					    "what is kept does not hold")
				      : r);
	}
	verify_tournament_trust(c->v, false);
	*out = c;
	return (0);
}

/* A reply of tournament.record, read. */
struct desk_copy_page {
	json_t *root; /* owned */
	const json_t *lines;
	const json_t *side; /* NULL: none */
	const json_t *omitted; /* NULL: none */
	int64_t seq;
	uint8_t head[HASH_LEN];
};

/* Asks for lines from number `from` on. */
static int
desk_copy_ask(struct link *l, const struct desk_copy *c, int64_t from,
    struct desk_copy_page *pg, struct conn_error *ce)
{
	struct js_at at = {.name = "tournament.record"};
	uint8_t id[HASH_LEN];
	json_t *params;
	int r;

	memset(pg, 0, sizeof(*pg));
	params = xalloc_json(json_pack("{s:o, s:I, s:b}", "tournament",
	    js_hex(c->id, HASH_LEN), "from", (json_int_t)from, "side", true));
	r = link_call(l, "tournament.record", params, &pg->root, ce);
	if (r != 0)
		return (r);
	if (js_get_hex(pg->root, "tournament", &at, id, HASH_LEN, &ce->e) ==
		0 &&
	    js_get_array(pg->root, "lines", &at, &pg->lines, &ce->e) == 0 &&
	    js_opt_array(pg->root, "side", &at, &pg->side, &ce->e) == 0 &&
	    js_opt_array(pg->root, "omitted", &at, &pg->omitted, &ce->e) == 0 &&
	    js_get_int(pg->root, "seq", &at, 0, JS_INT_MAX, &pg->seq, &ce->e) ==
		0 &&
	    js_get_hex(pg->root, "head", &at, pg->head, HASH_LEN, &ce->e) ==
		0 &&
	    memcmp(id, c->id, HASH_LEN) == 0)
		return (0);
	json_decref(pg->root);
	ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
	    "the server's answer makes no sense: %s",
	    ce->e.text[0] == '\0' ? "another tournament" : ce->e.text);
	return (ce->r);
}

/* Fetches a blob that did not fit into the page. */
static int
desk_copy_blob(struct link *l, struct desk_copy *c, const json_t *hash,
    struct conn_error *ce)
{
	const char *hex = json_string_value(hash), *value;
	uint8_t id[HASH_LEN];
	json_t *result;
	struct buf b;
	int r;

	if (hex == NULL || hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0 ||
	    json_object_get(c->sides, hex) != NULL)
		return (0);
	r = link_call(l, "blob.get",
	    xalloc_json(json_pack("{s:s}", "hash", hex)), &result, ce);
	if (r != 0)
		return (r);
	buf_init(&b, 0);
	if ((value = js_str(result, "value")) != NULL) {
		record_write_blob(&b, id, value, strlen(value));
		r = ce->r = desk_copy_add_side(c, buf_str(&b), b.len, &ce->e);
	}
	buf_clear(&b);
	json_decref(result);
	return (r);
}

/* Fetches one of those that it goes back to: the one so many steps away. */
static int
desk_copy_fetch_before(struct link *l, struct desk_copy *c, int back,
    const struct terms_continues *to, struct conn_error *ce)
{
	json_t *params, *result;
	const json_t *lines, *v;
	int64_t from = 0;
	size_t i;
	int r = 0;

	while (r == 0 && from <= to->seq) {
		params = xalloc_json(json_pack("{s:o, s:i, s:I, s:I}",
		    "tournament", js_hex(c->id, HASH_LEN), "former", back,
		    "from", (json_int_t)from, "to", (json_int_t)to->seq));
		r = link_call(l, "tournament.record", params, &result, ce);
		if (r != 0)
			return (r);
		lines = json_object_get(result, "lines");
		json_array_foreach(lines, i, v)
		{
			buf_add(&c->before, json_string_value(v),
			    json_string_length(v));
			buf_putc(&c->before, '\n');
		}
		if (buf_error(&c->before) != 0)
			xalloc_die();
		if (json_array_size(lines) == 0)
			r = ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
			    "the server withholds lines of the tournament that "
			    "this one continues");
		from += (int64_t)json_array_size(lines);
		json_decref(result);
	}
	return (r);
}

/* Fetches all that a tournament goes back to, by its line 0. */
static int
desk_copy_fetch(struct link *l, struct desk_copy *c, const char *line,
    size_t len, struct conn_error *ce)
{
	struct verify_former_record rec;
	struct terms_continues to;
	struct buf first;
	size_t at;
	int back, r = 0;

	if (c->before.len > 0)
		return (0);
	buf_init(&first, 0);
	buf_add(&first, line, len);
	buf_putc(&first, '\n');
	if (buf_error(&first) != 0)
		xalloc_die();
	if (verify_former_named(buf_str(&first), first.len, &to) == 0) {
		for (back = 1; r == 0 && back <= VERIFY_FORMER_MAX; back++) {
			at = c->before.len;
			r = desk_copy_fetch_before(l, c, back, &to, ce);
			if (r != 0)
				break;
			rec.bytes = c->before.data + at;
			rec.len = c->before.len - at;
			if (!verify_former_is(&rec, &to))
				r = ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
				    "the server gives other lines of the "
				    "tournament that this one continues than "
				    "those that its first line names");
			else if (verify_former_named(rec.bytes, rec.len, &to) !=
			    0)
				break;
		}
	}
	buf_clear(&first);
	if (r != 0)
		buf_reset(&c->before);
	return (r);
}

/* Takes a whole page in, whose line 0 has number `from`. */
static int
desk_copy_take(struct link *l, struct desk_copy *c,
    const struct desk_copy_page *pg, int64_t from, struct conn_error *ce)
{
	const json_t *v = json_array_get(pg->lines, 0);
	size_t i;
	int r = 0;

	if (c->n == 0 && from == 0 && json_is_string(v) &&
	    (r = desk_copy_fetch(
		 l, c, json_string_value(v), json_string_length(v), ce)) != 0)
		return (r);
	json_array_foreach(pg->lines, i, v)
	{
		if (r == 0 && json_is_string(v))
			r = ce->r = desk_copy_add(c, from + (int64_t)i,
			    json_string_value(v), json_string_length(v),
			    &ce->e);
	}
	json_array_foreach(pg->side, i, v)
	{
		if (r == 0 && json_is_string(v))
			r = ce->r = desk_copy_add_side(c, json_string_value(v),
			    json_string_length(v), &ce->e);
	}
	json_array_foreach(pg->omitted, i, v)
	{
		if (r == 0)
			r = desk_copy_blob(l, c, v, ce);
	}
	if (r == 0 && pg->seq < c->n - 1)
		r = ce->r = desk_copy_forked(c, DESK_BEHIND, pg->seq,
		    "the server has fewer lines than your copy", &ce->e);
	if (r == 0 && pg->seq == c->n - 1 &&
	    memcmp(pg->head, desk_copy_hash(c, pg->seq), HASH_LEN) != 0)
		r = ce->r = desk_copy_forked(c, DESK_NONSENSE, pg->seq,
		    "the server gives another hash for this line", &ce->e);
	return (r);
}

/* Compares lines from .. end - 1; ERR_FORK at the first that differs. */
static int
desk_copy_compare(
    struct link *l, struct desk_copy *c, int64_t from, int64_t end)
{
	struct desk_copy_page pg;
	struct conn_error ce = {.r = 0};
	const json_t *v;
	size_t i, n = 1;
	int r = 0;

	while (r == 0 && from < end && n > 0) {
		if ((r = desk_copy_ask(l, c, from, &pg, &ce)) != 0)
			break;
		n = json_array_size(pg.lines);
		json_array_foreach(pg.lines, i, v)
		{
			if (r == 0 && from + (int64_t)i < end &&
			    json_is_string(v))
				r = desk_copy_add(c, from + (int64_t)i,
				    json_string_value(v), json_string_length(v),
				    &ce.e);
		}
		from += (int64_t)n;
		json_decref(pg.root);
	}
	conn_error_clear(&ce);
	return (r);
}

int
desk_copy_sync(struct link *l, struct desk_copy *c, struct conn_error *ce)
{
	const bool had_lock = c->lock != -1;
	struct desk_copy_page pg;
	bool is_more = true;
	int64_t before, from;
	int r;

	memset(ce, 0, sizeof(*ce));
	if ((r = ce->r = desk_copy_lock(c, &ce->e)) != 0)
		return (r);
	/* The last line that is held shows another history at once. */
	from = c->n > 0 ? c->n - 1 : 0;
	while (r == 0 && is_more) {
		before = c->n;
		if ((r = desk_copy_ask(l, c, from, &pg, ce)) != 0)
			break;
		r = desk_copy_take(l, c, &pg, from, ce);
		is_more = r == 0 && c->n <= pg.seq;
		json_decref(pg.root);
		if (is_more && c->n == before)
			r = ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
			    "the server withholds lines that it says it has");
		from = c->n;
	}
	/* Having fewer lines is no lie, but the last must be one of ours. */
	if (r == ERR_FORK && !ce->is_answer && c->fork.what == DESK_BEHIND)
		(void)desk_copy_compare(l, c, c->fork.seq, c->fork.seq + 1);
	if (r == ERR_NOTFOUND && ce->is_answer && c->n > 0) {
		ce->is_answer = false;
		r = ce->r = desk_copy_forked(c, DESK_GONE, c->n - 1,
		    "the server does not know this tournament", &ce->e);
	}
	if (!had_lock)
		desk_copy_unlock(c);
	return (r);
}

void
desk_copy_first(struct link *l, struct desk_copy *c)
{
	struct desk_fork was = c->fork;
	int64_t end = was.seq, from, step = 8;
	int r;

	c->fork.line = NULL;
	do {
		from = end > step ? end - step : 0;
		r = desk_copy_compare(l, c, from, end);
		end = from;
		step *= 4;
	} while (r == ERR_FORK && from > 0 && c->fork.seq == from);
	if (r == ERR_FORK && c->fork.what == DESK_TWO_LINES) {
		free(was.line);
	} else {
		free(c->fork.line);
		c->fork = was;
	}
}

int
desk_copy_again(const struct desk_copy *c, int64_t n,
    struct verify_tournament **v, struct errinfo *e)
{
	const char *line;
	int64_t seq;
	size_t len;
	int r;

	r = verify_tournament_new(c->p->has_pin ? c->p->pin : NULL, v);
	if (r != 0)
		return (err_set(e, r, NULL, "%s", err_text(r)));
	verify_tournament_trust(*v, true);
	if (n > 0) {
		line = desk_copy_get(c, 0, &len);
		r = desk_copy_go_back(c, *v, line, len, true, e);
	}
	for (seq = 0; r == 0 && seq < n; seq++) {
		line = desk_copy_get(c, seq, &len);
		r = verify_tournament_add(*v, line, len, e);
	}
	verify_tournament_trust(*v, false);
	if (r == ERR_NOMEM)
		xalloc_die();
	if (r != 0)
		verify_tournament_free(*v);
	return (r);
}

int
desk_copy_rewind(struct desk_copy *c, int64_t n, struct errinfo *e)
{
	const size_t len = c->index[n - 1].off + c->index[n - 1].len + 1;
	struct verify_tournament *v;
	int r;

	if ((r = desk_copy_again(c, n, &v, e)) != 0)
		return (r);
	r = profile_game_write(
	    c->p, c->id, DESK_COPY_LINES, c->lines.data, len, e);
	if (r != 0) {
		verify_tournament_free(v);
		return (r);
	}
	verify_tournament_free(c->v);
	c->v = v;
	c->lines.len = len;
	c->checked = 0; /* what is on the disk covers what is gone */
	c->n = n;
	c->is_shut = false;
	return (0);
}

struct tournament *
desk_copy_state(const struct desk_copy *c)
{
	return (c->n == 0 ? NULL : verify_tournament_state(c->v));
}

const char *
desk_copy_get(const struct desk_copy *c, int64_t seq, size_t *len)
{
	*len = c->index[seq].len;
	return (c->lines.data + c->index[seq].off);
}

const uint8_t *
desk_copy_hash(const struct desk_copy *c, int64_t seq)
{
	return (verify_tournament_hash(c->v, seq));
}

char *
desk_copy_text(const struct desk_copy *c, const uint8_t hash[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1], *value = NULL;
	struct record_side s;
	const json_t *line;

	hex_format(hex, hash, HASH_LEN);
	line = json_object_get(c->sides, hex);
	/* It was checked when it was taken in. */
	if (line != NULL &&
	    record_side_parse(json_string_value(line), json_string_length(line),
		&s, NULL) == 0) {
		value = xalloc_strn(s.value, s.len);
		record_side_clear(&s);
	}
	return (value);
}

/* Orders side lines: texts before blobs, each by hash, as their bytes do. */
static int
desk_copy_compare_cb(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const bool is_text_x = (*x)[2] == 't', is_text_y = (*y)[2] == 't';

	if (is_text_x != is_text_y)
		return (is_text_x ? -1 : 1);
	return (strcmp(*x, *y));
}

void
desk_copy_export(const struct desk_copy *c, struct buf *out)
{
	const char **list, *hex;
	size_t i, n = 0;
	json_t *line;

	buf_add(out, c->lines.data, c->lines.len);
	list = xalloc((json_object_size(c->sides) + 1) * sizeof(*list));
	json_object_foreach(c->sides, hex, line)
	{
		if (verify_tournament_names(c->v, hex))
			list[n++] = json_string_value(line);
	}
	qsort(list, n, sizeof(*list), desk_copy_compare_cb);
	for (i = 0; i < n; i++)
		buf_printf(out, "%s\n", list[i]);
	free(list);
	if (buf_error(out) != 0)
		xalloc_die();
}

int
desk_copy_raw(const struct profile *p, const uint8_t id[HASH_LEN],
    struct buf *out, struct errinfo *e)
{
	static const char *const more[] = {DESK_COPY_BEFORE, DESK_COPY_SIDE};
	struct buf b;
	size_t i;
	int r;

	buf_init(&b, 0);
	r = profile_game_read(p, id, DESK_COPY_LINES, 0, &b, e);
	for (i = 0; i < 2 && r == 0; i++) {
		buf_add(out, b.data, b.len);
		buf_reset(&b);
		r = profile_game_read(p, id, more[i], 0, &b, e);
		r = r == ERR_NOTFOUND ? 0 : r;
	}
	buf_add(out, b.data, b.len);
	buf_clear(&b);
	return (r == 0 ? buf_error(out) : r);
}

int
desk_copy_list(const struct profile *p, uint8_t (**ids)[HASH_LEN], size_t *n,
    struct errinfo *e)
{
	return (profile_list(p, DESK_COPY_LINES, NULL, ids, n, e));
}
