/* SPDX-License-Identifier: ISC */
#include "web/web_store.h"

#include <sys/queue.h>
#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/record/record.h"
#include "server/base/log.h"

#define WEB_STORE_FILE ((size_t)1 << 30) /* bytes of a file at most */
#define WEB_STORE_SLOTS 1024 /* of the table at first, a power of two */
#define WEB_STORE_TAIL 65536 /* bytes in which the last line is looked for */

/* A file. */
struct web_store_file {
	TAILQ_ENTRY(web_store_file) used;
	struct web_store_file *chain; /* in its slot of the table */
	int64_t at_s; /* when it was written last, as it was found */
	char hex[2 * HASH_LEN + 1];
	size_t size;
};
TAILQ_HEAD(web_store_files, web_store_file);

struct web_store {
	char *folder; /* owned */
	struct web_store_files used; /* the newest first */
	struct web_store_file **slots; /* owned: heads of chains */
	size_t n_slots; /* a power of two */
	size_t n;
	size_t max;
	size_t bytes;
};

/* The path of a game's file; free(). */
static char *
web_store_path(const struct web_store *s, const char *hex)
{
	return (xalloc_printf("%s/%s", s->folder, hex));
}

/* The slot of a file in the table: ids are hashes. */
static struct web_store_file **
web_store_slot(const struct web_store *s, const char *hex)
{
	char digits[9];

	(void)snprintf(digits, sizeof(digits), "%.8s", hex);
	return (&s->slots[strtoul(digits, NULL, 16) & (s->n_slots - 1)]);
}

/* The file of a game; NULL: there is none. */
static struct web_store_file *
web_store_file(const struct web_store *s, const char *hex)
{
	struct web_store_file *f;

	for (f = *web_store_slot(s, hex); f != NULL; f = f->chain) {
		if (strcmp(f->hex, hex) == 0)
			break;
	}
	return (f);
}

/* Makes the table so large that chains are short. */
static void
web_store_grow(struct web_store *s)
{
	struct web_store_file *f, **slot;

	if (s->slots != NULL && s->n < s->n_slots)
		return;
	s->n_slots = s->slots == NULL ? WEB_STORE_SLOTS : 2 * s->n_slots;
	free(s->slots);
	s->slots = xalloc(s->n_slots * sizeof(struct web_store_file *));
	TAILQ_FOREACH(f, &s->used, used)
	{
		slot = web_store_slot(s, f->hex);
		f->chain = *slot;
		*slot = f;
	}
}

/* Notes that a game's file has so many bytes, and is in use. */
static size_t
web_store_note(struct web_store *s, const char *hex, size_t size)
{
	struct web_store_file *f = web_store_file(s, hex), **slot;

	if (f == NULL) {
		web_store_grow(s);
		f = xalloc(sizeof(*f));
		memcpy(f->hex, hex, sizeof(f->hex));
		slot = web_store_slot(s, hex);
		f->chain = *slot;
		*slot = f;
		s->n++;
	} else {
		TAILQ_REMOVE(&s->used, f, used);
	}
	TAILQ_INSERT_HEAD(&s->used, f, used);
	s->bytes += size - f->size;
	f->size = size;
	return (size);
}

/* Orders files: what was written last first, for qsort(). */
static int
web_store_compare_cb(const void *a, const void *b)
{
	const struct web_store_file *const *x = a, *const *y = b;

	return ((*x)->at_s < (*y)->at_s ? 1 : (*x)->at_s > (*y)->at_s ? -1 : 0);
}

/* Puts files into the order in which they were written. */
static void
web_store_sort(struct web_store *s)
{
	struct web_store_file **all, *f;
	size_t i, n = 0;

	all = xalloc((s->n + 1) * sizeof(*all));
	while ((f = TAILQ_FIRST(&s->used)) != NULL) {
		TAILQ_REMOVE(&s->used, f, used);
		all[n++] = f;
	}
	qsort(all, n, sizeof(struct web_store_file *), web_store_compare_cb);
	for (i = 0; i < n; i++)
		TAILQ_INSERT_TAIL(&s->used, all[i], used);
	free(all);
}

/* Takes up a file that is there. */
static void
web_store_found(struct web_store *s, const char *hex, const struct stat *st)
{
	(void)web_store_note(s, hex, (size_t)st->st_size);
	web_store_file(s, hex)->at_s = (int64_t)st->st_mtim.tv_sec;
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
				web_store_found(s, d->d_name, &st);
			else
				(void)unlink(path); /* it is none of ours */
		}
		free(path);
	}
	(void)closedir(dir); /* it was read only */
	web_store_sort(s);
}

int
web_store_new(const char *name, const char *folder, size_t max,
    struct web_store **out, struct errinfo *e)
{
	struct web_store *s = xalloc(sizeof(*s));
	int r;

	TAILQ_INIT(&s->used);
	s->max = max;
	web_store_grow(s);
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
	free(s->slots);
	free(s->folder);
	free(s);
}

size_t
web_store_size(struct web_store *s, const char *hex)
{
	const struct web_store_file *f = web_store_file(s, hex);

	return (f == NULL ? 0 : web_store_note(s, hex, f->size));
}

size_t
web_store_part(struct web_store *s, const char *hex, size_t from, size_t most,
    struct buf *out)
{
	char *path = web_store_path(s, hex), *p = xalloc(most);
	ssize_t n = -1;
	int fd;

	if ((fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) != -1) {
		n = pread(fd, p, most, (off_t)from);
		(void)close(fd); /* it was read only */
	}
	if (n > 0)
		buf_add(out, p, (size_t)n);
	free(p);
	free(path);
	return (n > 0 ? (size_t)n : 0);
}

int64_t
web_store_last(struct web_store *s, const char *hex)
{
	const struct web_store_file *f = web_store_file(s, hex);
	const size_t size = f == NULL ? 0 : f->size;
	struct record_line ln;
	int64_t seq = -1;
	const char *p, *lf;
	struct buf b;
	size_t left;

	buf_init(&b, 0);
	if (size > 0)
		(void)web_store_part(s, hex,
		    size > WEB_STORE_TAIL ? size - WEB_STORE_TAIL : 0,
		    WEB_STORE_TAIL, &b);
	for (left = b.len; left > 0 && seq < 0; left = (size_t)(lf - b.data)) {
		/* What is behind the last end is half a line. */
		if ((lf = memrchr(b.data, '\n', left)) == NULL || lf == b.data)
			break;
		p = memrchr(b.data, '\n', (size_t)(lf - b.data));
		p = p == NULL ? b.data : p + 1;
		if (record_is_side(p, (size_t)(lf - p)) ||
		    record_parse(p, (size_t)(lf - p), &ln, NULL) != 0)
			continue;
		seq = ln.seq;
		record_clear(&ln);
	}
	buf_clear(&b);
	return (seq);
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
	struct web_store_file *f = web_store_file(s, hex), **at;
	char *path = web_store_path(s, hex);

	(void)unlink(path); /* then there is none */
	free(path);
	if (f == NULL)
		return;
	for (at = web_store_slot(s, hex); *at != f; at = &(*at)->chain)
		continue;
	*at = f->chain;
	TAILQ_REMOVE(&s->used, f, used);
	s->bytes -= f->size;
	s->n--;
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

struct web_store_id *
web_store_ids(const struct web_store *s, size_t *n)
{
	struct web_store_id *ids = xalloc((s->n + 1) * sizeof(*ids));
	const struct web_store_file *f;

	*n = 0;
	TAILQ_FOREACH(f, &s->used, used)
	memcpy(ids[(*n)++].hex, f->hex, sizeof(f->hex));
	return (ids);
}

size_t
web_store_bytes(const struct web_store *s)
{
	return (s->bytes);
}
