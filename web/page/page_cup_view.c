/* SPDX-License-Identifier: ISC */
/*
 * The state of a tournament as its pages need it: parts of it are written by
 * the tournament, and read again, each in a step of its own.
 */
#include <stdlib.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/tournament/tournament.h"
#include "web/page/page_cup_int.h"

#define PAGE_CUP_VIEW_RULINGS 100 /* the newest: all are in the record */

struct page_cup_view {
	json_t *json; /* owned */
	int at; /* the next part: entrants, rulings, standings, rounds */
	struct buf text; /* of the part, which is read in the next step */
	bool is_whole;
};

struct page_cup_view *
page_cup_view_new(void)
{
	struct page_cup_view *v = xalloc(sizeof(*v));

	v->json = xalloc_json(json_pack("{s:[]}", "pairings"));
	buf_init(&v->text, 0);
	return (v);
}

void
page_cup_view_free(struct page_cup_view *v)
{
	if (v == NULL)
		return;
	json_decref(v->json);
	buf_clear(&v->text);
	free(v);
}

bool
page_cup_view_is_whole(const struct page_cup_view *v)
{
	return (v->is_whole);
}

const json_t *
page_cup_view_json(const struct page_cup_view *v)
{
	return (v->json);
}

/* Writes the next part. */
static void
page_cup_view_write(struct page_cup_view *v, const struct tournament *t)
{
	static const enum tournament_piece pieces[] = {
	    TOURNAMENT_PIECE_ENTRANTS, TOURNAMENT_PIECE_RULINGS,
	    TOURNAMENT_PIECE_STANDINGS};
	const int others = (int)(sizeof(pieces) / sizeof(pieces[0]));
	int r;

	if (v->at < others)
		r = tournament_view_piece(
		    t, pieces[v->at], PAGE_CUP_VIEW_RULINGS, &v->text);
	else
		r = tournament_view_piece(
		    t, TOURNAMENT_PIECE_ROUND, v->at - others + 1, &v->text);
	if (r == ERR_NOTFOUND)
		v->is_whole = true;
	else if (r != 0)
		xalloc_die();
}

/* Reads it. */
static void
page_cup_view_read(struct page_cup_view *v)
{
	json_t *part = xalloc_json(
	    json_loadb(v->text.data, v->text.len, JSON_ALLOW_NUL, NULL));

	if (json_object_get(part, "tables") != NULL)
		xalloc_append(json_object_get(v->json, "pairings"), part);
	else if (json_object_update(v->json, part) != 0)
		xalloc_die();
	else
		json_decref(part);
	buf_clear(&v->text);
	v->at++;
}

bool
page_cup_view_step(struct page_cup_view *v, const struct tournament *t)
{
	if (v->is_whole)
		return (true);
	if (v->text.len > 0)
		page_cup_view_read(v);
	else
		page_cup_view_write(v, t);
	return (v->is_whole);
}
