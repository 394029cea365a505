/* SPDX-License-Identifier: ISC */
#include "client/cmd/tournament_folder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/recordfile.h"
#include "client/report/tournament_verdict.h"
#include "client/report/verdict.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/record/record.h"

#define TOURNAMENT_FOLDER_MAX ((size_t)1 << 30) /* bytes of a game */
#define TOURNAMENT_FOLDER_STEP_MS 200 /* between words of how far it is */

char *
tournament_folder_path(const char *word)
{
	struct stat st;
	char *path;

	if (stat(word, &st) != 0 || !S_ISDIR(st.st_mode))
		return (NULL);
	path = xalloc_printf("%s/%s", word, TOURNAMENT_FOLDER_FILE);
	if (stat(path, &st) == 0)
		return (path);
	free(path);
	return (NULL);
}

/* Where records are looked for. */
struct tournament_folder {
	char *folder; /* owned: of the tournament */
	const struct tournament_before *before; /* and theirs */
	pthread_mutex_t lock; /* games are read on all CPUs: of */
	struct errinfo why; /* which file could not be read */
};

/* Reads the record of a game, or of a tournament.  ERR_NOTFOUND. */
static int
tournament_folder_read(const char *folder, const uint8_t hash[HASH_LEN],
    struct buf *b, struct errinfo *e)
{
	char id[2 * HASH_LEN + 1], *path;
	int r = ERR_NOTFOUND;

	hex_format(id, hash, HASH_LEN);
	path = xalloc_printf("%s/%s.jsonl", folder, id);
	if (file_exists(path))
		r = file_read_regular(path, TOURNAMENT_FOLDER_MAX, b, e);
	free(path);
	/* A file that cannot be read says nothing of the game. */
	return (r == 0 || r == ERR_NOTFOUND ? r : ERR_IO);
}

/* verify_tournament_games: the file of a game in one of the folders. */
static int
tournament_folder_read_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	struct tournament_folder *f = arg;
	struct errinfo e = {.text = ""};
	struct buf b;
	size_t i;
	int r;

	buf_init(&b, 0);
	r = tournament_folder_read(f->folder, game, &b, &e);
	for (i = 0; r == ERR_NOTFOUND && i < f->before->n; i++)
		r = tournament_folder_read(
		    f->before->all[i].folder, game, &b, &e);
	if (r == ERR_IO) {
		(void)pthread_mutex_lock(&f->lock);
		f->why = e;
		(void)pthread_mutex_unlock(&f->lock);
	}
	if (r == 0) {
		*len = b.len;
		*bytes = xalloc_strn(buf_str(&b), b.len);
	}
	buf_clear(&b);
	return (r);
}

/* verify_tournament_options: tells how far it is; arg is when it last did. */
static void
tournament_folder_progress_cb(
    void *arg, int64_t lines, size_t read, size_t games)
{
	const int64_t now_ms = clock_mono_ms();
	int64_t *last_ms = arg;
	char *s;

	if (now_ms - *last_ms < TOURNAMENT_FOLDER_STEP_MS)
		return;
	*last_ms = now_ms;
	s = xalloc_printf("verifying: line %lld, %zu of %zu games",
	    (long long)lines, read, games);
	out_progress_now(s);
	free(s);
}

void
tournament_folder_before_init(struct tournament_before *b)
{
	memset(b, 0, sizeof(*b));
}

void
tournament_folder_before_clear(struct tournament_before *b)
{
	while (b->n > 0) {
		b->n--;
		free(b->all[b->n].name);
		free(b->all[b->n].folder);
		buf_clear(&b->all[b->n].bytes);
	}
}

/* The folder in which a file lies; new. */
static char *
tournament_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (slash == NULL ? xalloc_str(".")
			      : xalloc_strn(path, (size_t)(slash - path)));
}

int
tournament_folder_before_add(struct tournament_before *b, const char *word)
{
	char *path = tournament_folder_path(word);
	struct buf *bytes;
	int status;

	if (b->n == VERIFY_FORMER_MAX) {
		free(path);
		out_error(
		    "--before is given %d times at most", VERIFY_FORMER_MAX);
		return (EX_USAGE);
	}
	if (path == NULL)
		path = xalloc_str(word);
	bytes = &b->all[b->n].bytes;
	buf_init(bytes, 0);
	status = recordfile_read(path, bytes);
	if (status == 0 && !record_is_tournament(buf_str(bytes), bytes->len)) {
		out_error("'%s' is not the record of a tournament", path);
		status = EX_DATAERR;
	}
	if (status == 0) {
		b->all[b->n].name = xalloc_str(word);
		b->all[b->n++].folder = tournament_folder_of(path);
	} else {
		buf_clear(bytes);
	}
	free(path);
	return (status);
}

/* Adds what is continued, if it lies in the folder under its number. */
static bool
tournament_folder_before_lies(struct tournament_before *b, const char *folder,
    const struct terms_continues *c)
{
	struct buf *bytes = &b->all[b->n].bytes;

	if (b->n == VERIFY_FORMER_MAX)
		return (false);
	buf_init(bytes, 0);
	if (tournament_folder_read(folder, c->tournament, bytes, NULL) != 0) {
		buf_clear(bytes);
		return (false);
	}
	b->all[b->n++].folder = xalloc_str(folder);
	return (true);
}

/* Finds what is continued, in the folder if it is not there yet. */
static bool
tournament_folder_before_find(struct tournament_before *b, const char *folder,
    const struct terms_continues *c, struct verify_former_set *set,
    struct verify_former_record *f)
{
	if (verify_former_find(set, c, f) == 0)
		return (true);
	if (!tournament_folder_before_lies(b, folder, c))
		return (false);
	for (; set->n < b->n; set->n++) {
		set->records[set->n].bytes = buf_str(&b->all[set->n].bytes);
		set->records[set->n].len = b->all[set->n].bytes.len;
	}
	return (verify_former_find(set, c, f) == 0);
}

/*
 * The records that a tournament goes back to.  One that was typed and is none
 * of these is of no use: false, and says so.
 */
static bool
tournament_folder_before_set(struct tournament_before *b, const char *folder,
    struct buf *bytes, struct verify_former_set *set)
{
	const char *at = buf_str(bytes);
	struct verify_former_record f;
	bool used[VERIFY_FORMER_MAX] = {false};
	struct terms_continues c;
	size_t i, n, len = bytes->len;

	for (i = 0; i < b->n; i++) {
		set->records[i].bytes = buf_str(&b->all[i].bytes);
		set->records[i].len = b->all[i].bytes.len;
	}
	set->n = b->n;
	for (n = 0;
	     n < VERIFY_FORMER_MAX && verify_former_named(at, len, &c) == 0 &&
	     tournament_folder_before_find(b, folder, &c, set, &f);
	     n++) {
		for (i = 0; i < b->n; i++)
			used[i] |= set->records[i].bytes == f.bytes;
		at = f.bytes;
		len = f.len;
	}
	for (i = 0; i < b->n; i++) {
		if (b->all[i].name == NULL || used[i])
			continue;
		out_error("'%s' is not the tournament that it continues",
		    b->all[i].name);
		return (false);
	}
	return (true);
}

bool
tournament_folder_may_go_on(const char *path, struct buf *bytes)
{
	char *folder = tournament_folder_of(path);
	char *file = xalloc_printf("%s/%s", folder, TOURNAMENT_FOLDER_FILE);
	const char *at = buf_str(bytes);
	struct terms_continues c;
	struct record_line ln;
	struct record_span s;
	bool may_go_on = false;
	struct buf b;
	int i, r;

	buf_init(&b, 0);
	r = file_read_regular(file, TOURNAMENT_FOLDER_MAX, &b, NULL);
	if (!record_next(&at, at + bytes->len, &s) ||
	    record_parse_tournament(s.bytes, s.len, &ln, NULL) != 0)
		goto out;
	for (i = 0; r == 0 && !may_go_on && i < VERIFY_FORMER_MAX &&
	     verify_former_named(buf_str(&b), b.len, &c) == 0;
	     i++) {
		may_go_on = memcmp(c.tournament, ln.game, HASH_LEN) == 0;
		buf_reset(&b);
		r = tournament_folder_read(folder, c.tournament, &b, NULL);
	}
	record_clear(&ln);
out:
	buf_clear(&b);
	free(file);
	free(folder);
	return (may_go_on);
}

int
tournament_folder_judge(const char *path, struct buf *bytes,
    struct tournament_before *before, struct verify_tournament_options *opt,
    struct tournament_verdict *tv)
{
	struct tournament_folder f = {
	    .folder = tournament_folder_of(path),
	    .before = before,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	};
	struct errinfo e = {.text = ""};
	int64_t last_ms = clock_mono_ms();
	struct verify_former_set set;
	char *doubt;
	int r;

	memset(tv, 0, sizeof(*tv));
	if (!tournament_folder_before_set(before, f.folder, bytes, &set)) {
		free(f.folder);
		return (VERDICT_BAD);
	}
	opt->games.read = tournament_folder_read_cb;
	opt->games.arg = &f;
	opt->is_parallel = true;
	opt->progress = tournament_folder_progress_cb;
	opt->progress_arg = &last_ms;
	out_progress("verifying");
	r = tournament_verdict_make(
	    tv, path, buf_str(bytes), bytes->len, &set, opt, &e);
	free(f.folder);
	out_progress_end();
	if (r == ERR_IO && f.why.text[0] != '\0')
		return (cmd_fail(ERR_NOTFOUND, &f.why));
	if (r != 0)
		return (cmd_fail(r, &e));
	if ((doubt = tournament_verdict_doubt(tv)) != NULL)
		out_error("%s: %s", path, doubt);
	free(doubt);
	return (0);
}

/* Tells how what is not checkable can be checked. */
static void
tournament_folder_hint(const struct tournament_verdict *tv, const char *path,
    const struct verify_tournament_options *opt)
{
	const json_t *v;
	char *folder, *shell;
	size_t i;

	if (tv->rep.is_unchecked && opt->may_be_cut) {
		folder = tournament_folder_of(path);
		shell = text_shell(folder);
		out_note("%s beside it says that it goes on from this "
			 "tournament.  `umpire verify %s` judges both.",
		    TOURNAMENT_FOLDER_FILE, shell);
		free(shell);
		free(folder);
	}
	json_array_foreach(tv->looks.list, i, v)
	{
		if (strcmp(text_member(v, "what"), "missing") != 0)
			continue;
		out_note("A game is looked for beside the tournament, in a "
			 "file named after its 64 digits: GAME.jsonl.  `umpire "
			 "tournament export` writes them.");
		return;
	}
}

int
tournament_folder_verify(struct out *o, const char *path, struct buf *bytes,
    struct tournament_before *before, struct verify_tournament_options *opt)
{
	struct tournament_verdict tv;
	int status;

	status = tournament_folder_judge(path, bytes, before, opt, &tv);
	if (status == 0) {
		if (o->is_json)
			out_json(o, tournament_verdict_json(&tv));
		else if (!tv.is_bad)
			tournament_verdict_print(o, &tv);
		if (!o->is_json && !tv.is_bad)
			tournament_folder_hint(&tv, path, opt);
		status = tournament_verdict_status(&tv);
	}
	tournament_verdict_clear(&tv);
	return (status);
}
