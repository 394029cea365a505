/* SPDX-License-Identifier: ISC */
/*
 * umpire export: a record as a file that anybody can verify.  With
 * --server-only it is written as the server tells it, unchecked, which is
 * how a second history is secured as evidence.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/record.h"

/* True if the export goes to standard output. */
static bool
cmd_export_is_printed(const struct cmd_ctx *cx)
{
	const char *path = opt_get(&cx->opts, "output");

	return (path == NULL || strcmp(path, "-") == 0);
}

#define CMD_EXPORT_MAX ((size_t)1 << 30) /* bytes of a file of evidence */

/*
 * Writes evidence against the server beside the export: path.evidence,
 * path.evidence-2 and so on, whose names are added to *files.
 */
static int
cmd_export_evidence(const json_t *kept, const char *path, json_t *files)
{
	struct errinfo e = {.text = ""};
	const json_t *v;
	struct buf b;
	char *to;
	size_t i;
	int r = 0;

	json_array_foreach(kept, i, v)
	{
		if (i == 0)
			to = xalloc_printf("%s.evidence", path);
		else
			to = xalloc_printf("%s.evidence-%zu", path, i + 1);
		buf_init(&b, 0);
		r = file_read(json_string_value(v), CMD_EXPORT_MAX, &b, &e);
		/* It may reveal a standing order, which is still secret. */
		if (r == 0)
			r = file_write(to, buf_str(&b), b.len, 0600, &e);
		buf_clear(&b);
		if (r == 0)
			xalloc_append(files, xalloc_json_str(to));
		free(to);
		if (r != 0) {
			(void)cmd_fail(r, &e);
			return (EX_CANTCREAT);
		}
	}
	return (0);
}

/*
 * Writes the export to the file of -o, or to standard output; head is that of
 * a copy, NULL without one; kept (borrowed) are the files of evidence about
 * this game.
 */
static int
cmd_export_write(struct cmd_ctx *cx, struct buf *b, int64_t lines,
    const uint8_t *head, const json_t *kept)
{
	const char *path = opt_get(&cx->opts, "output");
	char mark[FINGERPRINT_LEN + 1] = "";
	struct errinfo e = {.text = ""};
	json_t *files, *v;
	size_t i;
	int r, status;

	if (cmd_export_is_printed(cx)) {
		out_bytes(&cx->out, buf_str(b), b->len);
		/* A stream cannot hold it. */
		json_array_foreach(kept, i, v) out_note(
		    "Evidence against the server is kept beside the copy:\n%s",
		    json_string_value(v));
		return (EX_OK);
	}
	if ((r = file_write(path, buf_str(b), b->len, 0644, &e)) != 0) {
		(void)cmd_fail(r, &e);
		return (EX_CANTCREAT);
	}
	files = xalloc_json(json_array());
	status = cmd_export_evidence(kept, path, files);
	v = xalloc_json(
	    json_pack("{s:o, s:I, s:O}", "file", xalloc_json_str(path), "lines",
		(json_int_t)lines, "evidence", files));
	if (head != NULL) {
		base32_fingerprint(mark, head);
		xalloc_set(v, "head", js_hex(head, HASH_LEN));
		xalloc_set(v, "fingerprint", xalloc_json_str(mark));
	}
	if (cx->out.is_json)
		out_json(&cx->out, v);
	else
		json_decref(v);
	out_print(&cx->out,
	    "Wrote %lld lines to %s; check them: umpire verify %s\n",
	    (long long)lines, path, path);
	if (head != NULL)
		out_print(&cx->out, "Fingerprint of the last one: %lld:%s\n",
		    (long long)lines - 1, mark);
	json_array_foreach(files, i, v) out_print(&cx->out,
	    "Evidence against the server is beside it; check it:\n  umpire "
	    "verify --evidence %s\n",
	    json_string_value(v));
	json_decref(files);
	return (status);
}

/* Adds a page's lines to *out and its side lines to the object side. */
static int64_t
cmd_export_page(const json_t *page, struct buf *out, json_t *side)
{
	char hex[2 * HASH_LEN + 1], *key;
	struct record_side s;
	struct errinfo e;
	const json_t *v;
	const char *line;
	size_t i;

	json_array_foreach(json_object_get(page, "lines"), i, v)
	{
		if (json_is_string(v)) {
			buf_add(
			    out, json_string_value(v), json_string_length(v));
			buf_putc(out, '\n');
		}
	}
	json_array_foreach(json_object_get(page, "side"), i, v)
	{
		line = json_string_value(v);
		if (line == NULL ||
		    record_side_parse(line, json_string_length(v), &s, &e) != 0)
			continue;
		hex_format(hex, s.hash, HASH_LEN);
		/* Texts stand before blobs, each kind sorted by its hash. */
		key = xalloc_printf("%d%s", s.is_blob ? 1 : 0, hex);
		xalloc_set(side, key, json_string(line));
		free(key);
		record_side_clear(&s);
	}
	return ((int64_t)json_array_size(json_object_get(page, "lines")));
}

/* Orders two keys, for qsort(). */
static int
cmd_export_compare_cb(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return (strcmp(*x, *y));
}

/* Appends the side lines in their order. */
static void
cmd_export_side(json_t *side, struct buf *out)
{
	const char **keys, *key;
	size_t i, n = 0;
	json_t *v;

	keys = xalloc((json_object_size(side) + 1) * sizeof(*keys));
	json_object_foreach(side, key, v) keys[n++] = key;
	qsort(keys, n, sizeof(*keys), cmd_export_compare_cb);
	for (i = 0; i < n; i++) {
		buf_puts(out, js_str(side, keys[i]));
		buf_putc(out, '\n');
	}
	free(keys);
}

/* Fetches the blobs that a page left out. */
static int
cmd_export_omitted(struct link *l, const json_t *page, json_t *side)
{
	uint8_t hash[HASH_LEN];
	json_t *params, *result;
	const char *hex, *value;
	const json_t *v;
	struct buf b;
	char *key;
	size_t i;
	int status;

	json_array_foreach(json_object_get(page, "omitted"), i, v)
	{
		hex = json_string_value(v);
		if (hex == NULL ||
		    hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		params = xalloc_json(json_pack("{s:s}", "hash", hex));
		status = link_ask(l, "blob.get", params, &result);
		if (status != 0)
			return (status);
		value = js_str(result, "value");
		buf_init(&b, 0);
		if (value != NULL) {
			record_write_blob(&b, hash, value, strlen(value));
			key = xalloc_printf("1%s", hex);
			xalloc_set(side, key, json_string(buf_str(&b)));
			free(key);
		}
		buf_clear(&b);
		json_decref(result);
	}
	return (0);
}

/* Fetches the whole record as the server tells it. */
static int
cmd_export_fetch(
    struct link *l, const uint8_t id[HASH_LEN], struct buf *out, int64_t *lines)
{
	json_t *page, *params, *side;
	int64_t from = 0, next;
	int status = 0;

	side = xalloc_json(json_object());
	*lines = 0;
	while (status == 0 && from >= 0) {
		params = xalloc_json(json_pack("{s:o, s:I, s:b}", "game",
		    js_hex(id, HASH_LEN), "from", (json_int_t)from, "side", 1));
		status = link_ask(l, "game.record", params, &page);
		if (status != 0)
			break;
		*lines += cmd_export_page(page, out, side);
		status = cmd_export_omitted(l, page, side);
		next = js_int(page, "next");
		from = next > from ? next : -1;
		json_decref(page);
	}
	if (status == 0)
		cmd_export_side(side, out);
	json_decref(side);
	return (status);
}

/* Exports what the server tells, without looking at our own copy. */
static int
cmd_export_server(struct cmd_ctx *cx)
{
	struct link *l = NULL;
	uint8_t id[HASH_LEN];
	struct profile *p;
	struct buf b;
	int64_t lines;
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	buf_init(&b, 0);
	if ((status = play_find(cx, p, &l, cmd_arg(cx, 0), id)) == 0 &&
	    (l != NULL || (status = link_open(cx, p, &l)) == 0) &&
	    (status = cmd_export_fetch(l, id, &b, &lines)) == 0)
		status = cmd_export_write(cx, &b, lines, NULL, NULL);
	buf_clear(&b);
	link_close(l);
	profile_free(p);
	return (status);
}

/* Exports our own copy, or a game that is fetched and checked for this. */
static int
cmd_export_run(struct cmd_ctx *cx)
{
	struct errinfo e = {.text = ""};
	struct play *pl;
	struct buf b;
	json_t *kept;
	int r, status;

	/* Signed bytes must stay, even those that would drive a terminal. */
	if (cmd_export_is_printed(cx) && cx->out.is_tty) {
		out_error("a record is not written to a terminal, which it "
			  "could control");
		out_note("Write it to a file, umpire export %s -o FILE,\n"
			 "or send it through a pipe.",
		    cmd_arg(cx, 0));
		return (EX_USAGE);
	}
	if (opt_has(&cx->opts, "server-only"))
		return (cmd_export_server(cx));
	status = play_open(cx, cmd_arg(cx, 0), PLAY_READ, &pl);
	if (status != 0)
		return (status);
	buf_init(&b, 0);
	kept = evidence_list(pl->p, pl->copy->id);
	if ((r = replica_export(pl->copy, &b, &e)) != 0)
		status = cmd_fail(r, &e);
	else
		status = cmd_export_write(
		    cx, &b, pl->copy->n, game_head(play_game(pl)), kept);
	json_decref(kept);
	buf_clear(&b);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_export_opts[] = {
    {"output", 'o', "FILE", false, "write to FILE"},
    {"server-only", 0, NULL, false, "as the server tells it, unchecked"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_export = {
    .opts = cmd_export_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_export_run,
};
