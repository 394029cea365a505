/* SPDX-License-Identifier: ISC */
#include "web/web_static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "web/page/page.h"
#include "web/page/page_static.h"
#include "web/web_body.h"

#define WEB_STATIC_FILE ((size_t)64 << 20) /* bytes at most */
#define WEB_STATIC_DIGITS 16 /* of a hash in an address */

/* A file. */
struct web_file {
	const char *name;
	const char *type;
	char hash[2 * HASH_LEN + 1];
	char *address; /* owned; NULL: there is no such file */
	struct web_body *body; /* owned */
};

enum {
	WEB_FILE_CSS,
	WEB_FILE_ICON,
	WEB_FILE_LIVE,
	WEB_FILE_CUP,
	WEB_FILE_VERIFY,
	WEB_FILE_WORKER,
	WEB_FILE_WASM,
	WEB_FILE_READER,
	WEB_FILES,
};

struct web_static {
	struct web_file files[WEB_FILES];
	char mark[7];
};

/* Takes a file's bytes. */
static int
web_static_take(struct web_static *st, int i, const char *name,
    const char *type, struct buf *b)
{
	struct web_file *f = &st->files[i];
	uint8_t hash[HASH_LEN];
	int r;

	f->name = name;
	f->type = type;
	if ((r = hash_sha256(hash, b->data, b->len)) != 0)
		return (r);
	hex_format(f->hash, hash, HASH_LEN);
	f->address =
	    xalloc_printf("/s/%.*s/%s", WEB_STATIC_DIGITS, f->hash, name);
	f->body = web_body_gzip(b);
	(void)snprintf(f->body->etag, sizeof(f->body->etag), "%.*s",
	    WEB_STATIC_DIGITS, f->hash);
	return (0);
}

/* Takes a file at a path, unless that is "". */
static int
web_static_read(struct web_static *st, int i, const char *name,
    const char *type, const char *path, struct errinfo *e)
{
	struct buf b;
	int r = 0;

	buf_init(&b, 0);
	if (path[0] != '\0' &&
	    (r = file_read(path, WEB_STATIC_FILE, &b, e)) == 0)
		r = web_static_take(st, i, name, type, &b);
	buf_clear(&b);
	return (r);
}

int
web_static_new(const char *wasm, const char *reader, struct web_static **out,
    struct errinfo *e)
{
	static const struct {
		const char *name, *type, *text;
	} built[] = {
	    [WEB_FILE_CSS] = {"umpire.css", "text/css; charset=utf-8",
		page_look},
	    [WEB_FILE_ICON] = {"icon.svg", "image/svg+xml", page_icon},
	    [WEB_FILE_LIVE] = {"live.js", "text/javascript; charset=utf-8",
		page_live},
	    [WEB_FILE_CUP] = {"cup_live.js", "text/javascript; charset=utf-8",
		page_cup_live},
	    [WEB_FILE_VERIFY] = {"verify.js", "text/javascript; charset=utf-8",
		page_verify},
	    [WEB_FILE_WORKER] = {"worker.js", "text/javascript; charset=utf-8",
		page_worker},
	};
	struct web_static *st = xalloc(sizeof(*st));
	uint8_t hash[HASH_LEN];
	struct buf b, all;
	int i, r = 0;

	buf_init(&all, 0);
	buf_init(&b, 0);
	for (i = 0; r == 0 && i < WEB_FILE_WASM; i++) {
		buf_puts(&b, built[i].text);
		r = web_static_take(st, i, built[i].name, built[i].type, &b);
		buf_puts(&all, st->files[i].hash);
	}
	if (r == 0)
		r = web_static_read(st, WEB_FILE_WASM, "umpire.wasm",
		    "application/wasm", wasm, e);
	if (r == 0)
		r = web_static_read(st, WEB_FILE_READER, "umpire-reader.html",
		    "text/html; charset=utf-8", reader, e);
	buf_puts(&all, st->files[WEB_FILE_WASM].hash);
	buf_puts(&all, st->files[WEB_FILE_READER].hash);
	if (r == 0 && (r = hash_sha256(hash, all.data, all.len)) == 0)
		hex_format(st->mark, hash, (sizeof(st->mark) - 1) / 2);
	buf_clear(&b);
	buf_clear(&all);
	if (r != 0)
		web_static_free(st);
	else
		*out = st;
	return (r);
}

void
web_static_free(struct web_static *st)
{
	int i;

	if (st == NULL)
		return;
	for (i = 0; i < WEB_FILES; i++) {
		web_body_unref(st->files[i].body);
		free(st->files[i].address);
	}
	free(st);
}

void
web_static_page(const struct web_static *st, struct page_site *ps)
{
	ps->css = st->files[WEB_FILE_CSS].address;
	ps->icon = st->files[WEB_FILE_ICON].address;
	ps->cup_js = st->files[WEB_FILE_CUP].address;
	ps->live_js = st->files[WEB_FILE_LIVE].address;
	ps->verify_js = st->files[WEB_FILE_VERIFY].address;
	ps->worker_js = st->files[WEB_FILE_WORKER].address;
	ps->wasm = st->files[WEB_FILE_WASM].body == NULL
	    ? ""
	    : st->files[WEB_FILE_WASM].address;
	ps->reader = st->files[WEB_FILE_READER].body == NULL
	    ? ""
	    : st->files[WEB_FILE_READER].address;
	ps->wasm_hash = st->files[WEB_FILE_WASM].hash;
}

struct web_body *
web_static_find(const struct web_static *st, const char *hash, const char *name,
    const char **type)
{
	const struct web_file *f;
	int i;

	for (i = 0; i < WEB_FILES; i++) {
		f = &st->files[i];
		if (f->body != NULL && strcmp(f->name, name) == 0 &&
		    strncmp(f->hash, hash, WEB_STATIC_DIGITS) == 0) {
			*type = f->type;
			return (f->body);
		}
	}
	return (NULL);
}

const char *
web_static_mark(const struct web_static *st)
{
	return (st->mark);
}
