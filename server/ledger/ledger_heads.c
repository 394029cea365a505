/* SPDX-License-Identifier: ISC */
/*
 * The file beside the database with the last line of every game: a backup that
 * is put back in the database's place is older than it.  A line of text for
 * each new last line is added after the commit and before any answer; on disk
 * it is within a second.  Now and then the file is written anew, with one line
 * a game.  Its lines, each with a game's id, a number and a hash:
 *
 *   head   the last line that the game had
 *   done   nothing after this line will come back: whatever "head" said before
 *          it, the game may go on from it, if the database has it
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

#define LEDGER_HEADS_FIRST "umpire heads 1"
#define LEDGER_HEADS_SYNC_MS 1000
#define LEDGER_HEADS_SIZE (4 * INT64_C(1048576)) /* that is no trouble */
#define LEDGER_HEADS_LINE 256 /* more than any has */

/* Reads one line of the file: true if it is whole. */
static bool
ledger_heads_parse(const char *line, struct ledger_head *h)
{
	char game[2 * HASH_LEN + 1], hash[2 * HASH_LEN + 1], what[5];
	int end = 0;

	if (sscanf(line, "%4[a-z] %64[0-9a-f] %" SCNd64 " %64[0-9a-f]%n", what,
		game, &h->seq, hash, &end) != 4 ||
	    strcmp(line + end, "\n") != 0 || h->seq < 0 ||
	    hex_parse(h->game, HASH_LEN, game, strlen(game)) != 0 ||
	    hex_parse(h->hash, HASH_LEN, hash, strlen(hash)) != 0)
		return (false);
	h->is_done = strcmp(what, "done") == 0;
	return (h->is_done || strcmp(what, "head") == 0);
}

/* Adds a line that was read. */
static int
ledger_heads_put(
    struct ledger_head_list *list, size_t *room, const struct ledger_head *h)
{
	struct ledger_head *all;

	if (list->n == *room) {
		*room = *room == 0 ? 1024 : 2 * *room;
		all = realloc(list->all, *room * sizeof(*all));
		if (all == NULL)
			return (ERR_NOMEM);
		list->all = all;
	}
	list->all[list->n] = *h;
	list->all[list->n].order = list->n;
	list->n++;
	return (0);
}

/* By game, then as they stand in the file. */
static int
ledger_heads_compare(const void *a, const void *b)
{
	const struct ledger_head *x = a, *y = b;
	const int by = memcmp(x->game, y->game, HASH_LEN);

	return (by != 0 ? by : x->order < y->order ? -1 : x->order > y->order);
}

int
ledger_heads_read(const char *path, struct ledger_head_list *list)
{
	char line[LEDGER_HEADS_LINE];
	struct ledger_head h;
	size_t room = 0;
	FILE *f;
	int r = 0;

	memset(list, 0, sizeof(*list));
	if ((f = fopen(path, "re")) == NULL)
		return (errno == ENOENT ? ERR_NOTFOUND : ERR_IO);
	if (fgets(line, sizeof(line), f) == NULL ||
	    strcmp(line, LEDGER_HEADS_FIRST "\n") != 0)
		r = ERR_NOTFOUND;
	/* What a machine that fell did not write is not there. */
	while (r == 0 && fgets(line, sizeof(line), f) != NULL) {
		if (ledger_heads_parse(line, &h))
			r = ledger_heads_put(list, &room, &h);
	}
	if (r == 0 && ferror(f) != 0)
		r = ERR_IO;
	(void)fclose(f);
	if (r != 0)
		ledger_heads_clear(list);
	else if (list->n > 0)
		qsort(list->all, list->n, sizeof(*list->all),
		    ledger_heads_compare);
	return (r);
}

void
ledger_heads_clear(struct ledger_head_list *list)
{
	free(list->all);
	memset(list, 0, sizeof(*list));
}

/* Says once that the file cannot be written, and once that it can. */
static void
ledger_heads_note(struct ledger_heads *hs, bool is_good)
{
	if (is_good && hs->is_ailing)
		log_info("\"%s\" is written again", hs->path);
	if (!is_good && !hs->is_ailing)
		log_errorx("cannot write \"%s\": %s; without it a backup that "
			   "is put back may not be noticed",
		    hs->path, strerror(errno));
	hs->is_ailing = !is_good;
}

void
ledger_heads_add(struct ledger *l, bool is_done, const uint8_t game[HASH_LEN],
    int64_t seq, const uint8_t hash[HASH_LEN])
{
	struct buf *b = &l->heads.waiting;

	buf_puts(b, is_done ? "done " : "head ");
	buf_hex(b, game, HASH_LEN);
	buf_printf(b, " %" PRId64 " ", seq);
	buf_hex(b, hash, HASH_LEN);
	buf_putc(b, '\n');
}

/* Writes all of some bytes. */
static bool
ledger_heads_put_all(int fd, const char *p, size_t n)
{
	ssize_t done;

	for (; n > 0; p += done, n -= (size_t)done) {
		if ((done = write(fd, p, n)) == -1) {
			if (errno != EINTR)
				return (false);
			done = 0;
		}
	}
	return (true);
}

void
ledger_heads_flush(struct ledger *l)
{
	struct ledger_heads *hs = &l->heads;
	bool is_good;

	if (hs->waiting.len == 0 && buf_error(&hs->waiting) == 0)
		return;
	is_good = hs->fd != -1 && buf_error(&hs->waiting) == 0 &&
	    ledger_heads_put_all(hs->fd, hs->waiting.data, hs->waiting.len);
	if (buf_error(&hs->waiting) != 0)
		errno = ENOMEM;
	/* What is missing comes with the rest: the file is written anew. */
	if (!is_good)
		hs->size = INT64_MAX;
	else if (hs->size != INT64_MAX)
		hs->size += (int64_t)hs->waiting.len;
	ledger_heads_note(hs, is_good);
	buf_clear(&hs->waiting);
	hs->is_dirty = true;
}

/* Adds the last line of one game to a file that is being written. */
static int
ledger_heads_write_cb(void *arg, const struct store_head *head)
{
	struct ledger *l = arg;
	const struct ledger_missing *m = ledger_recovery_find(l, head->game);

	if (m == NULL || !m->has_target || m->seq <= head->seq)
		ledger_heads_add(l, false, head->game, head->seq, head->hash);
	return (buf_error(&l->heads.waiting));
}

/* Makes that the name of a file is on disk. */
static void
ledger_heads_sync_folder(const char *path)
{
	char *copy = strdup(path);
	int fd = -1;

	if (copy != NULL)
		fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd != -1) {
		(void)fsync(fd);
		(void)close(fd);
	}
	free(copy);
}

int
ledger_heads_write(struct ledger *l)
{
	struct ledger_heads *hs = &l->heads;
	const struct ledger_missing *m;
	char *new;
	int fd = -1, r;
	size_t i;

	if (asprintf(&new, "%s.new", hs->path) == -1)
		return (ERR_NOMEM);
	buf_clear(&hs->waiting);
	buf_puts(&hs->waiting, LEDGER_HEADS_FIRST "\n");
	for (i = 0; i < l->recovery.n; i++) {
		m = &l->recovery.all[i];
		if (m->has_target)
			ledger_heads_add(l, false, m->game, m->seq, m->hash);
	}
	r = store_heads_each(l->store, ledger_heads_write_cb, l);
	if (r == 0)
		r = buf_error(&hs->waiting);
	if (r == ERR_NOMEM)
		errno = ENOMEM;
	if (r == 0) {
		fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (fd == -1 ||
		    !ledger_heads_put_all(
			fd, hs->waiting.data, hs->waiting.len) ||
		    fdatasync(fd) == -1 || rename(new, hs->path) == -1)
			r = ERR_IO;
	}
	if (r == 0) {
		ledger_heads_sync_folder(hs->path);
		if (hs->fd != -1)
			(void)close(hs->fd);
		hs->fd = fd;
		hs->size = (int64_t)hs->waiting.len;
		hs->most = hs->size < LEDGER_HEADS_SIZE / 4 ? LEDGER_HEADS_SIZE
							    : 4 * hs->size;
		hs->is_dirty = false;
	} else {
		if (fd != -1)
			(void)close(fd);
		hs->size = INT64_MAX;
		hs->is_dirty = true;
	}
	ledger_heads_note(hs, r == 0);
	buf_clear(&hs->waiting);
	free(new);
	return (r);
}

void
ledger_heads_sync(struct ledger *l)
{
	struct ledger_heads *hs = &l->heads;
	const int64_t now_ms = clock_mono_ms();

	if (!hs->is_dirty || now_ms - hs->synced_ms < LEDGER_HEADS_SYNC_MS)
		return;
	hs->synced_ms = now_ms;
	/* What fails is logged, and tried again. */
	if (hs->size > hs->most && ledger_heads_write(l) != 0)
		return;
	if (fdatasync(hs->fd) == -1)
		ledger_heads_note(hs, false);
	else
		hs->is_dirty = false;
}

void
ledger_heads_close(struct ledger *l)
{
	if (l->heads.fd != -1) {
		(void)fdatasync(l->heads.fd);
		(void)close(l->heads.fd);
	}
	l->heads.fd = -1;
	buf_clear(&l->heads.waiting);
	free(l->heads.path);
	l->heads.path = NULL;
}
