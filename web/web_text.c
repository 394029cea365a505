/* SPDX-License-Identifier: ISC */
#include "web/web_text.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/overview.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"

#define WEB_TEXT_LINES 8 /* that a step tells, and */
#define WEB_TEXT_LOOKS 100 /* that it goes through for the end */
#define WEB_TEXT_BYTES 262144 /* of a record that a step copies */
#define WEB_TEXT_SHORT 8 /* digits by which umpire log calls a game */

struct web_text {
	enum web_text_kind kind;
	const struct replica *c; /* borrowed */
	const struct battle *b; /* borrowed */
	const char *doubt; /* borrowed; NULL */
	struct out o;
	char *text; /* owned: what o writes to */
	size_t len;
	struct doc *d; /* owned; NULL */
	struct report *rp; /* owned; NULL */
	struct overview ov; /* for the end, once has_overview */
	struct replica_export *export; /* owned; NULL */
	bool has_overview;
	int64_t next;
	int64_t end;
};

/* The writer of a kind. */
static struct doc *
web_text_doc(enum web_text_kind kind, struct out *o)
{
	return (
	    kind == WEB_TEXT_MARKDOWN ? doc_markdown_new(o) : doc_text_new(o));
}

struct web_text *
web_text_new(
    enum web_text_kind kind, const struct replica *c, const char *doubt)
{
	struct web_text *t = xalloc(sizeof(*t));
	char name[2 * HASH_LEN + 1];

	t->kind = kind;
	t->c = c;
	t->b = replica_battle(c);
	t->doubt = doubt;
	t->end = battle_lines(t->b);
	if (kind == WEB_TEXT_RECORD) {
		t->export = replica_export_new(c);
		return (t);
	}
	t->o.width = OUT_WIDTH;
	if ((t->o.f = open_memstream(&t->text, &t->len)) == NULL)
		xalloc_die();
	t->d = web_text_doc(kind, &t->o);
	t->rp = report_new_doc(t->d, t->b);
	if (kind == WEB_TEXT_JSON)
		return (t);
	hex_format(name, game_id(battle_game(t->b)), HASH_LEN);
	name[WEB_TEXT_SHORT] = '\0';
	report_want_turns(t->rp);
	report_heading(t->rp, name);
	if (doubt != NULL)
		t->d->warn(t->d, doubt);
	return (t);
}

/* Appends some lines as elements of an array. */
static void
web_text_json(struct web_text *t, int64_t to, struct buf *out)
{
	json_t *list = xalloc_json(json_array());
	const json_t *v;
	char *text;
	size_t i;

	if (t->next == 0)
		buf_putc(out, '[');
	report_lines(t->rp, t->next, to, 0, list);
	json_array_foreach(list, i, v)
	{
		text = xalloc_dump(v);
		if (out->data[out->len - 1] != '[')
			buf_puts(out, ",\n");
		buf_puts(out, text);
		free(text);
	}
	json_decref(list);
	if (to + 1 >= t->end)
		buf_puts(out, "]\n");
}

/* Ends a document, when all that it needs is there; true. */
static bool
web_text_end(struct web_text *t, struct buf *out)
{
	if (t->has_overview)
		report_end_known(t->d, &t->ov, t->doubt);
	t->d->finish(t->d);
	if (fclose(t->o.f) != 0)
		xalloc_die();
	t->o.f = NULL;
	buf_add(out, t->text, t->len);
	return (true);
}

int
web_text_step(struct web_text *t, struct buf *out, bool *is_done)
{
	int64_t to = t->next + WEB_TEXT_LINES - 1;

	*is_done = false;
	if (t->kind == WEB_TEXT_RECORD) {
		*is_done = replica_export_step(t->export, WEB_TEXT_BYTES, out);
		return (buf_error(out));
	}
	if (t->has_overview) {
		if (overview_step(&t->ov, WEB_TEXT_LOOKS))
			*is_done = web_text_end(t, out);
		return (buf_error(out));
	}
	if (to >= t->end)
		to = t->end - 1;
	if (t->kind == WEB_TEXT_JSON)
		web_text_json(t, to, out);
	else
		report_lines(t->rp, 0, to, 0, NULL);
	t->next = to + 1;
	if (t->next < t->end)
		return (buf_error(out));
	if (t->kind == WEB_TEXT_JSON) {
		*is_done = true;
	} else if (t->d->is_whole) {
		t->has_overview = true;
		overview_begin(&t->ov, t->b);
	} else {
		report_counted(t->d, t->b);
		*is_done = web_text_end(t, out);
	}
	return (buf_error(out));
}

void
web_text_free(struct web_text *t)
{
	if (t == NULL)
		return;
	replica_export_free(t->export);
	overview_clear(&t->ov);
	report_free(t->rp);
	if (t->d != NULL)
		t->d->free(t->d);
	if (t->o.f != NULL)
		(void)fclose(t->o.f); /* it is not read any more */
	free(t->text);
	free(t);
}
