/* SPDX-License-Identifier: ISC */
/*
 * What a page asks: to judge a record, or a tournament with its games, as
 * `umpire verify` does, and to tell a game's battle as `umpire log` does.  All
 * of it is umpire's own code; this only holds the bytes, and gives texts back.
 * A page uses each instance for one verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/luck.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "client/report/tournament_verdict.h"
#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"

#define READER_SHORT                                            \
	8 /* digits by which a game is called, as in umpire log \
	   */

/* A file that the page has given. */
struct reader_file {
	char *name; /* owned; without folders */
	struct buf bytes;
};

/* What the page has given; there is one of it in each instance. */
static struct reader {
	struct reader_file *files; /* owned, n of them */
	size_t n;
	struct verdict game; /* of the first file, */
	struct tournament_verdict tournament; /* or if it is a tournament's */
	bool is_tournament;
	char *text; /* owned: what the page reads next */
	size_t len;
} reader;

/* The page's: so many lines of the first file hold, so many games were read. */
__attribute__((import_module("page"), import_name("progress"))) void
reader_progress(int64_t lines, size_t read, size_t games);

/* verify_options.progress. */
static void
reader_progress_cb(void *arg, int64_t line)
{
	(void)arg;
	reader_progress(line, 0, 0);
}

/* verify_tournament_options.progress. */
static void
reader_games_cb(void *arg, int64_t lines, size_t read, size_t games)
{
	(void)arg;
	reader_progress(lines, read, games);
}

/* ---- what the page calls ---- */

void *reader_room(size_t n);
void reader_add(char *name, char *bytes, size_t len);
int reader_judge(void);
const char *reader_text(void);
size_t reader_verdict(void);
size_t reader_told(void);
size_t reader_luck(void);

/* Room for n bytes of the page's, and a NUL. */
void *
reader_room(size_t n)
{
	return (xalloc(n + 1));
}

/* Where the last text is, whose length its maker returned. */
const char *
reader_text(void)
{
	return (reader.text);
}

/* Takes over a file: its name, which ends with a NUL, and its bytes. */
void
reader_add(char *name, char *bytes, size_t len)
{
	struct reader_file *f;

	reader.files =
	    xalloc_more(reader.files, reader.n, sizeof(*reader.files));
	f = &reader.files[reader.n++];
	f->name = name;
	buf_init(&f->bytes, 0);
	buf_add(&f->bytes, bytes, len);
	free(bytes);
	if (buf_error(&f->bytes) != 0)
		xalloc_die();
}

/* verify_tournament_games: a game that the page gave. */
static int
reader_game_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	char name[2 * HASH_LEN + sizeof(".jsonl")];
	const struct reader_file *f;
	size_t i;

	(void)arg;
	hex_format(name, game, HASH_LEN);
	memcpy(name + 2 * HASH_LEN, ".jsonl", sizeof(".jsonl"));
	for (i = 1; i < reader.n; i++) {
		f = &reader.files[i];
		if (strcmp(f->name, name) != 0)
			continue;
		*len = f->bytes.len;
		*bytes = xalloc_strn(f->bytes.data, f->bytes.len);
		return (0);
	}
	return (ERR_NOTFOUND);
}

/* The other files that are tournaments, which the first may go back to. */
static void
reader_before(struct verify_former_set *set)
{
	const struct reader_file *f;
	size_t i;

	for (i = 1; i < reader.n && set->n < VERIFY_FORMER_MAX; i++) {
		f = &reader.files[i];
		if (!verify_tournament_is(f->bytes.data, f->bytes.len))
			continue;
		set->records[set->n].bytes = f->bytes.data;
		set->records[set->n++].len = f->bytes.len;
	}
}

/*
 * Judges the first file: a record, or a tournament's, whose games, and what it
 * goes back to, are the other files.  The exit status of `umpire verify`.
 */
int
reader_judge(void)
{
	static const struct verdict_asked asked = {
	    .opt = {.head_seq = -1, .progress = reader_progress_cb}};
	static const struct verify_tournament_options opt = {.head_seq = -1,
	    .games = {.read = reader_game_cb},
	    .progress = reader_games_cb};
	struct reader_file *f = &reader.files[0];
	struct verify_former_set before = {.n = 0};
	struct errinfo e = {.text = ""};
	int r;

	reader.is_tournament =
	    verify_tournament_is(buf_str(&f->bytes), f->bytes.len);
	reader_before(&before);
	if (reader.is_tournament)
		r = tournament_verdict_make(&reader.tournament, f->name,
		    buf_str(&f->bytes), f->bytes.len, &before, &opt, &e);
	else
		r = verdict_make(&reader.game, f->name, &f->bytes, &asked, &e);
	if (r != 0)
		xalloc_die();
	return (reader.is_tournament
		? tournament_verdict_status(&reader.tournament)
		: verdict_status(&reader.game));
}

/* A stream whose text the page then reads; reader_end() closes it. */
static void
reader_begin(struct out *o)
{
	free(reader.text);
	reader.text = NULL;
	memset(o, 0, sizeof(*o));
	o->width = OUT_WIDTH;
	o->f = open_memstream(&reader.text, &reader.len);
	if (o->f == NULL)
		xalloc_die();
}

static size_t
reader_end(struct out *o)
{
	if (fclose(o->f) != 0)
		xalloc_die();
	return (reader.len);
}

/* What `umpire verify` says, as it says it. */
size_t
reader_verdict(void)
{
	const struct verdict *vd = &reader.game;
	struct out o;
	char *doubt;

	reader_begin(&o);
	if (reader.is_tournament)
		doubt = tournament_verdict_doubt(&reader.tournament);
	else
		doubt = vd->is_bad ? verdict_doubt(&vd->rep, &vd->why) : NULL;
	if (doubt != NULL)
		out_print(&o, "%s: %s\n", reader.files[0].name, doubt);
	else if (reader.is_tournament)
		tournament_verdict_print(&o, &reader.tournament);
	else
		verdict_print(&o, vd);
	free(doubt);
	return (reader_end(&o));
}

/* The battle as a page of its own; 0: nothing of it can be told. */
size_t
reader_told(void)
{
	const struct verdict *vd = &reader.game;
	char name[2 * HASH_LEN + 1], *doubt;
	struct report *rp;
	struct out o;
	struct doc *d;

	if (vd->g == NULL)
		return (0);
	reader_begin(&o);
	hex_format(name, game_id(vd->g), HASH_LEN);
	name[READER_SHORT] = '\0';
	doubt = verdict_doubt(&vd->rep, vd->is_bad ? &vd->why : NULL);
	d = doc_html_new(&o);
	rp = report_new_doc(d, vd->b);
	report_want_turns(rp);
	report_heading(rp, name);
	if (doubt != NULL)
		d->warn(d, doubt);
	report_lines(rp, 0, battle_lines(vd->b) - 1, 0, NULL);
	report_end(d, vd->b, doubt);
	d->finish(d);
	report_free(rp);
	d->free(d);
	free(doubt);
	return (reader_end(&o));
}

/* How the dice fell, for programs, as `umpire luck --json` counts them. */
size_t
reader_luck(void)
{
	struct luck *l;
	struct out o;

	if (reader.game.g == NULL || reader.game.is_bad)
		return (0);
	reader_begin(&o);
	o.is_json = true;
	l = luck_new(reader.game.b);
	out_json(&o, luck_json(l));
	luck_free(l);
	return (reader_end(&o));
}
