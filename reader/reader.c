/* SPDX-License-Identifier: ISC */
/*
 * What a page asks: to judge a record as `umpire verify` does, and to tell its
 * battle as `umpire log` does.  All of it is umpire's own code; this only holds
 * the bytes, and gives texts back.  A page uses each instance once.
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
#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"

#define READER_SHORT                                            \
	8 /* digits by which a game is called, as in umpire log \
	   */

/* What the page has given; there is one of it in each instance. */
static struct reader {
	const char *name; /* of the file, for people */
	struct buf record;
	struct verdict verdict;
	char *text; /* owned: what the page reads next */
	size_t len;
} reader;

/* The page's: line number `line` of the file holds. */
__attribute__((import_module("page"), import_name("progress"))) void
reader_progress(int64_t line);

/* verify_options.progress. */
static void
reader_progress_cb(void *arg, int64_t line)
{
	(void)arg;
	reader_progress(line);
}

/* ---- what the page calls ---- */

void *reader_room(size_t n);
int reader_judge(char *name, char *bytes, size_t len);
const char *reader_text(void);
size_t reader_verdict(void);
size_t reader_told(void);
size_t reader_luck(void);

/* Room for n bytes of the page's. */
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

/*
 * Judges the record in `len` bytes (taken over, as the name is, which ends
 * with a NUL): the exit status of `umpire verify`.
 */
int
reader_judge(char *name, char *bytes, size_t len)
{
	static const struct verdict_asked asked = {
	    .opt = {.head_seq = -1, .progress = reader_progress_cb}};
	struct errinfo e = {.text = ""};

	reader.name = name;
	buf_init(&reader.record, 0);
	buf_add(&reader.record, bytes, len);
	free(bytes);
	if (buf_error(&reader.record) != 0 ||
	    verdict_make(&reader.verdict, name, &reader.record, &asked, &e) !=
		0)
		xalloc_die();
	return (verdict_status(&reader.verdict));
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
	const struct verdict *vd = &reader.verdict;
	struct out o;
	char *doubt;

	reader_begin(&o);
	if (vd->is_bad) {
		doubt = verdict_doubt(&vd->rep, &vd->why);
		out_print(&o, "%s: %s\n", reader.name, doubt);
		free(doubt);
	} else {
		verdict_print(&o, vd);
	}
	return (reader_end(&o));
}

/* The battle as a page of its own; 0: nothing of it can be told. */
size_t
reader_told(void)
{
	const struct verdict *vd = &reader.verdict;
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

	if (reader.verdict.g == NULL || reader.verdict.is_bad)
		return (0);
	reader_begin(&o);
	o.is_json = true;
	l = luck_new(reader.verdict.b);
	out_json(&o, luck_json(l));
	luck_free(l);
	return (reader_end(&o));
}
