/* SPDX-License-Identifier: ISC */
/*
 * Texts of standing orders that somebody holds, against the record (S8.1): was
 * one passed over while it stood?
 */
#include <stdlib.h>
#include <string.h>

#include "common/game/game_take.h"
#include "common/game/verify_int.h"

int
verify_add_opened(struct verify *v, const struct verify_opened *o)
{
	struct verify_text *texts;
	char *text;
	size_t i;

	for (i = 0; i < v->n_texts; i++) {
		if (memcmp(v->texts[i].salt, o->salt, HASH_LEN) == 0 &&
		    (o->seq < 0 || v->texts[i].seq == o->seq) &&
		    strcmp(v->texts[i].text, o->text) == 0)
			return (0);
	}
	texts = realloc(v->texts, (v->n_texts + 1) * sizeof(*texts));
	if (texts == NULL)
		return (ERR_NOMEM);
	v->texts = texts;
	if ((text = strdup(o->text)) == NULL)
		return (ERR_NOMEM);
	texts += v->n_texts++;
	texts->seq = o->seq;
	texts->is_known = false;
	memcpy(texts->salt, o->salt, HASH_LEN);
	texts->text = text;
	return (0);
}

int
verify_check_texts(struct verify *v, int64_t seq, struct errinfo *e)
{
	struct verify_text *t;
	size_t i;
	int r;

	for (i = 0; i < v->n_texts; i++) {
		t = &v->texts[i];
		r = game_check_passed(
		    v->game, t->seq < 0 ? seq : t->seq, t->salt, t->text, e);
		if (r == ERR_NOTFOUND || r == ERR_MISSING)
			continue;
		t->is_known = true;
		if (t->seq < 0)
			t->seq = seq;
		if (r == ERR_ILLEGAL)
			v->passed = i + 1;
		if (r != 0)
			return (r);
	}
	return (0);
}

int
verify_find_texts(struct verify *v, struct errinfo *e)
{
	struct verify_text *t;
	int64_t seq;
	int r;

	for (t = v->texts; t < v->texts + v->n_texts; t++) {
		for (seq = 0; t->seq < 0 && seq < v->rep.lines; seq++) {
			r = game_check_passed(
			    v->game, seq, t->salt, t->text, e);
			if (r != ERR_NOTFOUND && r != ERR_MISSING)
				t->seq = seq;
		}
	}
	return (verify_check_texts(v, -1, e));
}

bool
verify_passed(const struct verify *v, struct verify_opened *o)
{
	const struct verify_text *t;

	if (v->passed == 0)
		return (false);
	t = &v->texts[v->passed - 1];
	o->seq = t->seq;
	memcpy(o->salt, t->salt, HASH_LEN);
	o->text = t->text;
	return (true);
}
