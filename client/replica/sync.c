/* SPDX-License-Identifier: ISC */
/*
 * game.record, page by page.  The first page begins with the last line that
 * the copy holds, so that a server with another history shows at once.
 */
#include "client/replica/sync.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/replica/replica.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define SYNC_GONE 256 /* texts that a full reply says are erased, or lost */

/* Texts that the server no longer has, as told so far. */
struct sync_gone {
	json_t *erased; /* owned: refs; likewise lost */
	json_t *lost;
	int64_t erasures; /* what to ask for next; likewise losses */
	int64_t losses;
	bool is_more; /* a list went on */
};

/* A reply of game.record, read. */
struct sync_page {
	json_t *root; /* owned */
	const json_t *lines;
	const json_t *side; /* NULL: none */
	const json_t *omitted; /* NULL: none */
	const json_t *erased; /* NULL: none; likewise lost */
	const json_t *lost;
	int64_t erasures;
	int64_t losses;
	int64_t seq;
	uint8_t head[HASH_LEN];
	int64_t next; /* -1: none */
};

/* Reads what a reply says of texts that are not there. */
static int
sync_read_gone(struct sync_page *pg, const struct js_at *at, struct errinfo *e)
{
	int r;

	if ((r = js_opt_array(pg->root, "erased", at, &pg->erased, e)) != 0 ||
	    (r = js_opt_int(pg->root, "erasures", at, 0, JS_INT_MAX,
		 &pg->erasures, e)) != 0 ||
	    (r = js_opt_array(pg->root, "lost", at, &pg->lost, e)) != 0)
		return (r);
	return (
	    js_opt_int(pg->root, "losses", at, 0, JS_INT_MAX, &pg->losses, e));
}

/*
 * Asks for lines from number `from` on, and if gone is not NULL for texts that
 * are not there any more.
 */
static int
sync_ask(struct link *l, const struct replica *c, int64_t from,
    const struct sync_gone *gone, struct sync_page *pg, struct conn_error *ce)
{
	struct js_at at = {.name = "game.record"};
	uint8_t id[HASH_LEN];
	json_t *params;
	int r;

	memset(pg, 0, sizeof(*pg));
	pg->next = -1;
	params = xalloc_json(json_pack("{s:o, s:I, s:b}", "game",
	    js_hex(c->id, HASH_LEN), "from", (json_int_t)from, "side", true));
	if (gone != NULL) {
		pg->erasures = gone->erasures;
		pg->losses = gone->losses;
		xalloc_set(params, "erased", json_integer(gone->erasures));
		xalloc_set(params, "lost", json_integer(gone->losses));
	}
	if ((r = link_call(l, "game.record", params, &pg->root, ce)) != 0)
		return (r);
	if (js_get_hex(pg->root, "game", &at, id, HASH_LEN, &ce->e) == 0 &&
	    js_get_array(pg->root, "lines", &at, &pg->lines, &ce->e) == 0 &&
	    js_opt_array(pg->root, "side", &at, &pg->side, &ce->e) == 0 &&
	    js_opt_array(pg->root, "omitted", &at, &pg->omitted, &ce->e) == 0 &&
	    sync_read_gone(pg, &at, &ce->e) == 0 &&
	    js_get_int(pg->root, "seq", &at, 0, JS_INT_MAX, &pg->seq, &ce->e) ==
		0 &&
	    js_get_hex(pg->root, "head", &at, pg->head, HASH_LEN, &ce->e) ==
		0 &&
	    js_opt_int(pg->root, "next", &at, from + 1, JS_INT_MAX, &pg->next,
		&ce->e) == 0 &&
	    memcmp(id, c->id, HASH_LEN) == 0)
		return (0);
	json_decref(pg->root);
	ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
	    "the server's answer makes no sense: %s",
	    ce->e.text[0] == '\0' ? "another game" : ce->e.text);
	return (ce->r);
}

/* Fetches a blob that did not fit into the page. */
static int
sync_blob(
    struct link *l, struct replica *c, const char *hex, struct conn_error *ce)
{
	struct js_at at = {.name = "blob.get"};
	uint8_t hash[HASH_LEN];
	json_t *params, *result;
	const char *value;
	struct buf b;
	int r;

	if (hex == NULL || hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0)
		return (0);
	params = xalloc_json(json_pack("{s:s}", "hash", hex));
	if ((r = link_call(l, "blob.get", params, &result, ce)) != 0) {
		/* Without it the rules cannot be run, which verify says. */
		if (ce->is_answer && r == ERR_NOTFOUND) {
			conn_error_clear(ce);
			return (0);
		}
		return (r);
	}
	buf_init(&b, 0);
	if ((r = js_get_str(result, "value", &at, &value, &ce->e)) == 0) {
		record_write_blob(&b, hash, value, strlen(value));
		r = replica_add_side(c, buf_str(&b), b.len, &ce->e);
	}
	ce->r = r;
	buf_clear(&b);
	json_decref(result);
	return (r);
}

/* Takes a page's side lines in. */
static int
sync_side(struct link *l, struct replica *c, const struct sync_page *pg,
    struct conn_error *ce)
{
	const json_t *v;
	size_t i;
	int r = 0;

	json_array_foreach(pg->side, i, v)
	{
		if (r == 0 && json_is_string(v))
			r = ce->r = replica_add_side(c, json_string_value(v),
			    json_string_length(v), &ce->e);
	}
	json_array_foreach(pg->omitted, i, v)
	{
		if (r == 0)
			r = sync_blob(l, c, json_string_value(v), ce);
	}
	return (r);
}

/* Takes line i of a page in, whose line 0 has number `from`. */
static int
sync_line(struct replica *c, const struct sync_page *pg, int64_t from, size_t i,
    struct conn_error *ce)
{
	const json_t *v = json_array_get(pg->lines, i);
	const char *next;

	next = json_string_value(json_array_get(pg->lines, i + 1));
	if (!json_is_string(v))
		ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
		    "the server's answer makes no sense: a line is not text");
	else
		ce->r = replica_add(c, from + (int64_t)i, json_string_value(v),
		    json_string_length(v), next == NULL ? "" : next, &ce->e);
	return (ce->r);
}

/* Takes a whole page in, and checks the head that it names. */
static int
sync_take(struct link *l, struct replica *c, const struct sync_page *pg,
    int64_t from, struct conn_error *ce)
{
	const size_t n = json_array_size(pg->lines);
	struct sync_page last;
	size_t i;
	int r;

	if ((r = replica_check_head(c, pg->seq, pg->head)) == 0) {
		/* No side lines are kept of another history. */
		if (from < c->n && n > 0 &&
		    (r = sync_line(c, pg, from, 0, ce)) != 0)
			return (r);
		if ((r = sync_side(l, c, pg, ce)) != 0)
			return (r);
		for (i = 0; i < n; i++) {
			/*
			 * What follows may change how a line is judged, so
			 * the last one of a page waits for the next page.
			 */
			if (i > 0 && i + 1 == n && pg->next >= 0)
				break;
			if ((r = sync_line(c, pg, from, i, ce)) != 0)
				return (r);
		}
		/* Another process may have taken in even newer lines. */
		if (c->n == pg->seq + 1)
			r = replica_check_head(c, pg->seq, pg->head);
	} else if (c->fork.what == REPLICA_NONSENSE && n > 0 &&
	    (r = sync_line(c, pg, from, 0, ce)) == 0) {
		/* The line is one of ours, whatever hash it is said to have. */
		r = ERR_FORK;
	}
	if (r == ERR_FORK && c->fork.what == REPLICA_BEHIND) {
		/*
		 * Having fewer lines is no lie, but the last must be one of
		 * ours.
		 */
		if ((r = sync_ask(l, c, pg->seq, NULL, &last, ce)) != 0)
			return (r);
		if (json_array_size(last.lines) > 0)
			r = sync_line(c, &last, pg->seq, 0, ce);
		json_decref(last.root);
		if (r != 0 && r != ERR_FORK)
			return (r);
		r = ERR_FORK;
	}
	if (r == ERR_FORK)
		ce->r = err_set(&ce->e, r, NULL, "%s", c->fork.why.text);
	return (r);
}

/* Compares lines from .. end - 1 with ours: ERR_FORK at the first that differs.
 */
static int
sync_compare(struct link *l, struct replica *c, int64_t from, int64_t end,
    struct conn_error *ce)
{
	struct sync_page pg;
	size_t i, n = 1;
	int r = 0;

	while (r == 0 && from < end && n > 0) {
		if ((r = sync_ask(l, c, from, NULL, &pg, ce)) != 0)
			return (r);
		n = json_array_size(pg.lines);
		for (i = 0; r == 0 && i < n && from + (int64_t)i < end; i++)
			r = sync_line(c, &pg, from, i, ce);
		from += (int64_t)n;
		json_decref(pg.root);
	}
	return (r);
}

/*
 * Finds the first line that differs, where one does: it says whether lines were
 * lost, and later ones do not.  Goes back further each time.  The proof that
 * there is stays unless there is one of an earlier line.
 */
static void
sync_first(struct link *l, struct replica *c)
{
	struct replica_fork was = c->fork;
	int64_t end = was.seq, from, step = 8;
	struct conn_error ce = {.r = 0};
	int r;

	c->fork.line = NULL;
	do {
		from = end > step ? end - step : 0;
		r = sync_compare(l, c, from, end, &ce);
		conn_error_clear(&ce);
		memset(&ce, 0, sizeof(ce));
		end = from;
		step *= 4;
	} while (r == ERR_FORK && from > 0 && c->fork.seq == from);
	if (r == ERR_FORK && c->fork.what == REPLICA_TWO_LINES) {
		free(was.line);
	} else {
		free(c->fork.line);
		c->fork = was;
	}
}

/* Adds a reply's list of texts; a line names at most one. */
static int
sync_add_gone(const struct sync_page *pg, const json_t *refs, json_t *all,
    struct conn_error *ce)
{
	const json_t *v;
	size_t i;

	json_array_foreach(refs, i, v) xalloc_append(all, xalloc_copy(v));
	if (json_array_size(all) > (size_t)pg->seq + 1)
		ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
		    "the server's answer makes no sense: more texts are gone "
		    "than there are lines");
	return (ce->r);
}

/* Notes which texts a reply says are not there. */
static int
sync_note_gone(
    const struct sync_page *pg, struct sync_gone *gone, struct conn_error *ce)
{
	int r;

	if ((r = sync_add_gone(pg, pg->erased, gone->erased, ce)) != 0 ||
	    (r = sync_add_gone(pg, pg->lost, gone->lost, ce)) != 0)
		return (r);
	gone->is_more = json_array_size(pg->erased) >= SYNC_GONE ||
	    json_array_size(pg->lost) >= SYNC_GONE;
	gone->erasures = pg->erasures;
	gone->losses = pg->losses;
	return (0);
}

/* Drops them, once all lines that name them are here. */
static int
sync_erase(struct replica *c, const json_t *erased, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	bool was_here;
	const char *hex;
	const json_t *v;
	size_t i, n = 0;
	char *name;
	int r = 0;

	json_array_foreach(erased, i, v)
	{
		hex = json_string_value(v);
		if (r != 0 || hex == NULL ||
		    hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		r = replica_erase(c, hex, &was_here, e);
		n += was_here;
	}
	if (n == 0)
		return (r);
	name = c->p == NULL ? NULL : profile_nick(c->p, c->id);
	out_note("%zu text%s%s%s %s erased: your copy no longer has %s.", n,
	    n == 1 ? "" : "s", name == NULL ? "" : " of ",
	    name == NULL ? "" : name, n == 1 ? "was" : "were",
	    n == 1 ? "it" : "them");
	free(name);
	return (r);
}

/* True if a list of refs has this one. */
static bool
sync_has(const json_t *refs, const char *hex)
{
	const json_t *v;
	size_t i;

	json_array_foreach(refs, i, v)
	{
		if (json_is_string(v) && strcmp(json_string_value(v), hex) == 0)
			return (true);
	}
	return (false);
}

/* Fetches a text that somebody has brought back to the server. */
static int
sync_back(
    struct link *l, struct replica *c, const char *hex, struct conn_error *ce)
{
	struct sync_page pg;
	int64_t seq;
	size_t len;
	int r;

	for (seq = 0; seq < c->n; seq++) {
		const char *line = replica_get(c, seq, &len);

		if (memmem(line, len, hex, strlen(hex)) != NULL)
			break;
	}
	if (seq == c->n)
		return (0);
	if ((r = sync_ask(l, c, seq, NULL, &pg, ce)) != 0)
		return (r);
	r = sync_side(l, c, &pg, ce);
	json_decref(pg.root);
	return (r);
}

/* Notes what was lost, and fetches what is back. */
static int
sync_lose(struct link *l, struct replica *c, const json_t *lost,
    struct conn_error *ce)
{
	json_t *missed = replica_lost_texts(c);
	const json_t *v;
	size_t i;
	int r = 0;

	json_array_foreach(missed, i, v)
	{
		if (r == 0 && !sync_has(lost, json_string_value(v)))
			r = sync_back(l, c, json_string_value(v), ce);
	}
	json_decref(missed);
	json_array_foreach(lost, i, v)
	{
		if (r == 0 && json_is_string(v))
			r = ce->r =
			    replica_lose(c, json_string_value(v), &ce->e);
	}
	return (r);
}

int
sync_copy(struct link *l, struct replica *c, struct conn_error *ce)
{
	bool is_first = true, is_more = true;
	struct sync_gone gone = {.erased = xalloc_json(json_array()),
	    .lost = xalloc_json(json_array())};
	int64_t from, before;
	struct sync_page pg;
	int r = 0;

	memset(ce, 0, sizeof(*ce));
	from = c->n > 0 ? c->n - 1 : 0;
	while (r == 0 && is_more) {
		before = c->n;
		if ((r = sync_ask(l, c, from, &gone, &pg, ce)) != 0)
			break;
		if ((r = sync_take(l, c, &pg, from, ce)) == 0 &&
		    (r = sync_note_gone(&pg, &gone, ce)) == 0) {
			is_more = c->n <= pg.seq;
			if (is_more && c->n == before && !is_first)
				r = ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
				    "the server withholds lines that it says "
				    "it has");
			from = c->n;
			/* There may be more than one page of those, too. */
			if (!is_more && gone.is_more) {
				is_more = true;
				from = c->n - 1;
			}
		}
		is_first = false;
		json_decref(pg.root);
	}
	if (r == 0)
		r = ce->r = sync_erase(c, gone.erased, &ce->e);
	if (r == 0)
		r = sync_lose(l, c, gone.lost, ce);
	json_decref(gone.erased);
	json_decref(gone.lost);
	if (r == ERR_FORK && !ce->is_answer &&
	    c->fork.what == REPLICA_TWO_LINES)
		sync_first(l, c);
	if (r == ERR_NOTFOUND && ce->is_answer && c->n > 0) {
		ce->is_answer = false;
		r = ce->r = replica_lost(c, &ce->e);
	}
	return (r);
}
