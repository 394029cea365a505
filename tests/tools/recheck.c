/* SPDX-License-Identifier: ISC */
/*
 * recheck FOLDER CACHE SEED STEPS: holds umpire-web's checker of a tournament
 * that remembers what it verified against one that does not.
 *
 * In each step the files of CACHE change by chance: how many lines of the
 * tournament of FOLDER are judged, a digit in one of them, whether what it goes
 * back to (before.jsonl) is there, and of its games how many lines are there,
 * and a digit.  Both must then come to the same verdict.  It prints how many
 * did, and what was found again; 1: one did not.
 */
#include <sys/stat.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "web/web_checker.h"
#include "web/web_checker_cup.h"

#define RECHECK_FILE ((size_t)1 << 26)
#define RECHECK_GAMES 256

struct recheck_file {
	char name[2 * HASH_LEN + 1];
	struct buf lines, sides; /* owned */
	int n; /* lines, */
	int has; /* of which so many are there, */
	bool is_bent; /* with another digit */
};

struct recheck {
	const char *folder, *cache;
	struct web_checker_job job;
	struct recheck_file cup, before, games[RECHECK_GAMES];
	size_t n_games;
	bool has_before;
};

/* Ends the program: it cannot do as the test asks. */
static void __attribute__((noreturn)) recheck_die(const char *what)
{
	(void)fprintf(stderr, "recheck: %s\n", what);
	exit(64);
}

/* Some number below n. */
static int
recheck_any(int n)
{
	return (n <= 0 ? 0 : (int)(random() % n));
}

/* Reads a record, its side lines apart. */
static void
recheck_read(const char *folder, const char *file, struct recheck_file *f)
{
	char *path = xalloc_printf("%s/%s", folder, file);
	struct record_span s;
	const char *at, *end;
	struct errinfo e;
	struct buf b;
	bool is_side;

	buf_init(&b, 0);
	buf_init(&f->lines, 0);
	buf_init(&f->sides, 0);
	f->n = 0;
	if (file_read_regular(path, RECHECK_FILE, &b, &e) != 0)
		recheck_die(path);
	at = b.data;
	end = at + b.len;
	while (record_next(&at, end, &s)) {
		is_side = record_is_side(s.bytes, s.len);
		buf_add(is_side ? &f->sides : &f->lines, s.bytes, s.len + 1);
		f->n += !is_side;
	}
	f->has = f->n;
	f->is_bent = false;
	buf_clear(&b);
	free(path);
}

/* Reads all that lies in the folder. */
static void
recheck_read_all(struct recheck *rc)
{
	const struct dirent *d;
	struct recheck_file *f;
	DIR *dir = opendir(rc->folder);

	if (dir == NULL)
		recheck_die("no such folder");
	while ((d = readdir(dir)) != NULL) {
		if (strcmp(d->d_name, "tournament.jsonl") == 0)
			recheck_read(rc->folder, d->d_name, &rc->cup);
		if (strcmp(d->d_name, "before.jsonl") == 0)
			recheck_read(rc->folder, d->d_name, &rc->before);
		if (strlen(d->d_name) != 2 * HASH_LEN + strlen(".jsonl") ||
		    rc->n_games == RECHECK_GAMES)
			continue;
		f = &rc->games[rc->n_games];
		memcpy(f->name, d->d_name, 2 * HASH_LEN);
		recheck_read(rc->folder, d->d_name, f);
		if (!record_is_tournament(f->lines.data, f->lines.len)) {
			rc->n_games++;
			continue;
		}
		/* One that it goes back to: before.jsonl has its lines. */
		buf_clear(&f->lines);
		buf_clear(&f->sides);
	}
	(void)closedir(dir);
}

/* How many bytes the first lines of a record have. */
static size_t
recheck_upto(const struct buf *b, int lines)
{
	const char *at = b->data, *end = at + b->len;
	struct record_span s;

	while (lines-- > 0 && record_next(&at, end, &s))
		continue;
	return ((size_t)(at - b->data));
}

/* Writes a file of the cache: b, with another digit if that is asked for. */
static void
recheck_write(const struct recheck *rc, const char *folder, const char *name,
    struct buf *b, size_t from, bool is_bent)
{
	char *path = xalloc_printf("%s/%s/%s", rc->cache, folder, name);
	struct errinfo e;
	size_t i = 0;
	int tries;

	for (tries = 0; is_bent && tries < 100; tries++) {
		i = from + (size_t)recheck_any((int)(b->len - from));
		if (b->data[i] >= '0' && b->data[i] < '9')
			break;
	}
	if (is_bent && tries < 100)
		b->data[i]++;
	if (file_write(path, b->data, b->len, 0600, &e) != 0)
		recheck_die(path);
	free(path);
}

/* Changes something, and writes all anew. */
static void
recheck_step(struct recheck *rc)
{
	struct recheck_file *f = &rc->games[recheck_any((int)rc->n_games)];
	struct buf b;
	char *path;
	size_t i;

	rc->job.lines =
	    recheck_any(3) > 0 ? rc->cup.n : 1 + recheck_any(rc->cup.n);
	rc->cup.is_bent = recheck_any(6) == 0;
	rc->has_before = recheck_any(5) > 0;
	f->has = recheck_any(3) > 0 ? f->n : recheck_any(f->n + 1);
	f->is_bent = recheck_any(4) == 0;
	buf_init(&b, 0);
	if (rc->has_before)
		buf_add(&b, rc->before.lines.data, rc->before.lines.len);
	i = b.len;
	buf_add(&b, rc->cup.lines.data, rc->cup.lines.len);
	recheck_write(rc, "cups", rc->cup.name, &b, i, rc->cup.is_bent);
	for (i = 0; i < rc->n_games; i++) {
		f = &rc->games[i];
		buf_clear(&b);
		buf_add(&b, f->lines.data, recheck_upto(&f->lines, f->has));
		buf_add(&b, f->sides.data, f->sides.len);
		if (f->has > 0) {
			recheck_write(rc, "lines", f->name, &b, 0, f->is_bent);
			continue;
		}
		path = xalloc_printf("%s/lines/%s", rc->cache, f->name);
		(void)unlink(path);
		free(path);
	}
	buf_clear(&b);
}

/*
 * A verdict without what tells how it was come by, of which *found is; null if
 * there is none.
 */
static json_t *
recheck_verdict(
    struct web_checker_cup *m, const struct recheck *rc, int64_t *found)
{
	json_t *v = web_checker_cup_verify(m, &rc->job);

	if (v == NULL)
		return (json_null());
	*found += js_int(v, "found");
	(void)json_object_del(v, "found");
	(void)json_object_del(v, "verified");
	return (v);
}

/* Makes the folders of the cache, and what names the tournament. */
static void
recheck_begin(struct recheck *rc)
{
	const size_t len = recheck_upto(&rc->cup.lines, 1);
	struct record_line ln;
	struct errinfo e;
	char *path;

	if (len == 0 ||
	    record_parse_tournament(rc->cup.lines.data, len - 1, &ln, NULL) !=
		0 ||
	    record_first_server(rc->cup.lines.data, len - 1, rc->job.server) !=
		0)
		recheck_die("no tournament.jsonl");
	memcpy(rc->job.id, ln.game, HASH_LEN);
	hex_format(rc->cup.name, ln.game, HASH_LEN);
	record_clear(&ln);
	path = xalloc_printf("%s/cups", rc->cache);
	if (file_make_dirs(path, &e) != 0)
		recheck_die(path);
	free(path);
	path = xalloc_printf("%s/lines", rc->cache);
	if (file_make_dirs(path, &e) != 0)
		recheck_die(path);
	free(path);
}

int
main(int argc, char *argv[])
{
	static struct recheck rc;
	struct web_checker_cup *remembers, *fresh;
	int64_t found = 0, none = 0;
	int differ = 0, good = 0, i;
	json_t *had, *now;

	if (argc != 5)
		recheck_die("recheck FOLDER CACHE SEED STEPS");
	rc.folder = argv[1];
	rc.cache = argv[2];
	srandom((unsigned)atoi(argv[3]));
	recheck_read_all(&rc);
	recheck_begin(&rc);
	remembers = web_checker_cup_new(rc.cache);
	for (i = 0; i < atoi(argv[4]); i++) {
		recheck_step(&rc);
		fresh = web_checker_cup_new(rc.cache);
		had = recheck_verdict(remembers, &rc, &found);
		now = recheck_verdict(fresh, &rc, &none);
		web_checker_cup_free(fresh);
		good += json_is_object(now) &&
		    strcmp(js_str(now, "verdict"), "bad") != 0;
		if (!json_equal(had, now)) {
			differ++;
			(void)json_dumpf(
			    had, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
			(void)printf(" is remembered, not ");
			(void)json_dumpf(
			    now, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
			(void)printf("\n");
		}
		json_decref(had);
		json_decref(now);
	}
	web_checker_cup_free(remembers);
	(void)printf(
	    "%d checks, %d not bad, %lld games found again, %d differ\n", i,
	    good, (long long)found, differ);
	return (differ > 0);
}
