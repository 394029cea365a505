/* SPDX-License-Identifier: ISC */
#include "web/web_store.h"

#include <sys/queue.h>
#include <sys/stat.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/record/record.h"
#include "server/base/log.h"

#define WEB_STORE_FILE ((size_t)1 << 30) /* bytes of a file at most */

/* A file. */
struct web_store_file {
	TAILQ_ENTRY(web_store_file) used;
	char hex[2 * HASH_LEN + 1];
	size_t size;
};
TAILQ_HEAD(web_store_files, web_store_file);

struct web_store {
	char *folder; /* owned */
	struct web_store_files used; /* the newest first */
	size_t max;
	size_t bytes;
};

/* The path of a game's file; free(). */
static char *
web_store_path(const struct web_store *s, const char *hex)
{
	return (xalloc_printf("%s/%s", s->folder, hex));
}

/* The file of a game; NULL: there is none. */
static struct web_store_file *
web_store_file(const struct web_store *s, const char *hex)
{
	struct web_store_file *f;

	TAILQ_FOREACH(f, &s->used, used)
	{
		if (strcmp(f->hex, hex) == 0)
			break;
	}
	return (f);
}

/* Notes that a game's file has so many bytes, and is in use. */
static size_t
web_store_note(struct web_store *s, const char *hex, size_t size)
{
	struct web_store_file *f = web_store_file(s, hex);

	if (f == NULL) {
		f = xalloc(sizeof(*f));
		memcpy(f->hex, hex, sizeof(f->hex));
	} else {
		TAILQ_REMOVE(&s->used, f, used);
	}
	TAILQ_INSERT_HEAD(&s->used, f, used);
	s->bytes += size - f->size;
	f->size = size;
	return (size);
}

/* Finds what a former process has left. */
static void
web_store_scan(struct web_store *s)
{
	const struct dirent *d;
	uint8_t id[HASH_LEN];
	struct stat st;
	char *path;
	DIR *dir;

	if ((dir = opendir(s->folder)) == NULL)
		return;
	while ((d = readdir(dir)) != NULL) {
		path = web_store_path(s, d->d_name);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			if (strlen(d->d_name) == 2 * HASH_LEN &&
			    hex_parse(id, HASH_LEN, d->d_name, 2 * HASH_LEN) ==
				0)
				(void)web_store_note(
				    s, d->d_name, (size_t)st.st_size);
			else
				(void)unlink(path); /* half a file */
		}
		free(path);
	}
	(void)closedir(dir); /* it was read only */
}

int
web_store_new(const char *name, const char *folder, size_t max,
    struct web_store **out, struct errinfo *e)
{
	struct web_store *s = xalloc(sizeof(*s));
	int r;

	TAILQ_INIT(&s->used);
	s->max = max;
	s->folder = xalloc_printf("%s/%s", folder, name);
	if ((r = file_make_dirs(s->folder, e)) != 0) {
		web_store_free(s);
		return (r);
	}
	web_store_scan(s);
	*out = s;
	return (0);
}

void
web_store_free(struct web_store *s)
{
	struct web_store_file *f;

	if (s == NULL)
		return;
	while ((f = TAILQ_FIRST(&s->used)) != NULL) {
		TAILQ_REMOVE(&s->used, f, used);
		free(f);
	}
	free(s->folder);
	free(s);
}

size_t
web_store_read(struct web_store *s, const char *hex, struct buf *out)
{
	struct errinfo e = {.text = ""};
	char *path;
	size_t n;

	if (web_store_file(s, hex) == NULL)
		return (0);
	path = web_store_path(s, hex);
	if (file_read_regular(path, WEB_STORE_FILE, out, &e) != 0) {
		buf_reset(out);
		web_store_drop(s, hex);
		free(path);
		return (0);
	}
	free(path);
	n = out->len;
	/* Half a line is what a crash has left. */
	while (out->len > 0 && out->data[out->len - 1] != '\n')
		out->len--;
	if (out->len < n)
		return (web_store_put(s, hex, out->data, out->len));
	return (web_store_note(s, hex, n));
}

size_t
web_store_add(struct web_store *s, const char *hex, const char *p, size_t n)
{
	const struct web_store_file *f = web_store_file(s, hex);
	char *path = web_store_path(s, hex);
	const size_t was = f == NULL ? 0 : f->size;

	file_jot(path, p, n);
	free(path);
	return (web_store_note(s, hex, was + n));
}

size_t
web_store_put(struct web_store *s, const char *hex, const char *p, size_t n)
{
	char *path = web_store_path(s, hex), *other;

	other = xalloc_printf("%s.new", path);
	file_cache(other, p, n);
	if (rename(other, path) == -1) {
		/* What must not stay does not. */
		log_warn("'%s' cannot be written anew", path);
		(void)unlink(other);
		(void)unlink(path);
		n = 0;
	}
	free(other);
	free(path);
	return (web_store_note(s, hex, n));
}

void
web_store_drop(struct web_store *s, const char *hex)
{
	struct web_store_file *f = web_store_file(s, hex);
	char *path = web_store_path(s, hex);

	(void)unlink(path); /* then there is none */
	free(path);
	if (f == NULL)
		return;
	TAILQ_REMOVE(&s->used, f, used);
	s->bytes -= f->size;
	free(f);
}

void
web_store_trim(struct web_store *s)
{
	while (s->bytes > s->max && !TAILQ_EMPTY(&s->used))
		web_store_drop(s, TAILQ_LAST(&s->used, web_store_files)->hex);
}

int
web_store_find(
    const struct web_store *s, const char *digits, char hex[2 * HASH_LEN + 1])
{
	const struct web_store_file *f;
	int n = 0;

	TAILQ_FOREACH(f, &s->used, used)
	{
		if (strncmp(f->hex, digits, strlen(digits)) == 0) {
			memcpy(hex, f->hex, sizeof(f->hex));
			n++;
		}
	}
	return (n);
}

size_t
web_store_bytes(const struct web_store *s)
{
	return (s->bytes);
}

void
web_store_lines(struct buf *out, const struct replica *c)
{
	const char *p = c->side.data, *end = p + c->side.len, *lf;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL;
	     p = lf + 1) {
		if (record_is_side(p, (size_t)(lf - p)))
			buf_add(out, p, (size_t)(lf - p) + 1);
	}
	buf_add(out, c->lines.data, c->lines.len);
}
