/* SPDX-License-Identifier: ISC */
/*
 * Tournaments that name the witness.  Their lines are kept, so that a server
 * which has lost some gets them back before those of its games (record S21.3).
 * For a day after all have checked in the lots are the witness's alone to draw
 * (S17).  Whether that is due, and which tournaments there are, is asked every
 * minute.
 */
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/witness/witness_int.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_tournament.h"

#define WITNESS_CUP_MS 60000 /* between two questions */

void
witness_cup_begin(struct witness *w)
{
	w->cup_ms = clock_mono_ms();
}

int
witness_cup_next(struct witness *w, struct witness_row *row, const char *line,
    size_t len, const json_t *side)
{
	struct errinfo e = {.text = ""};
	struct verify_tournament *v;
	const struct tournament *t;
	int r;

	r = witness_cups_want(&w->cups, row, &v, &e);
	if (r == ERR_BAD)
		return (witness_leave(w, row, WITNESS_STOPPED, e.text));
	if (r != 0)
		return (r == ERR_IO ? witness_broken(w) : r);
	if ((r = witness_hear_side(w, row->gid, side, NULL)) != 0)
		return (r);
	if ((r = verify_tournament_add(v, line, len, &e)) != 0) {
		witness_cups_drop(&w->cups, row->gid);
		if (r == ERR_NOMEM)
			return (r);
		if (record_check_mark(line, len, w->cups.server) != 0)
			return (witness_hear_nonsense(
			    w, "a line that it did not sign"));
		return (witness_accuse(w, row, row->n, line, len, e.text));
	}
	if ((r = witness_hear_keep(w, row, line, len)) != 0)
		return (r);
	/* What a newer umpire has to judge is kept by its marks alone. */
	t = verify_tournament_state(v);
	if (t != NULL && tournament_phase(t) == TOURNAMENT_OVER)
		return (witness_leave(w, row, WITNESS_FINISHED, "over"));
	return (0);
}

int
witness_cup(struct witness *w)
{
	const struct witness_asked a = {.what = WITNESS_ASK_CUP};

	if (clock_mono_ms() < w->cup_ms || !witness_wire_has_room(&w->wire, 1))
		return (0);
	w->cup_ms = clock_mono_ms() + WITNESS_CUP_MS;
	return (witness_wire_ask(
	    &w->wire, "tournament.todo", json_object(), &a, &w->e));
}

/*
 * Holds a tournament from now on, if it does not yet, and draws its lots, if
 * they are what it waits for.
 */
static int
witness_cup_look(struct witness *w, const json_t *cup)
{
	const json_t *waits = json_object_get(cup, "waits"), *v;
	struct witness_row row;
	uint8_t id[HASH_LEN];
	size_t i;
	int r;

	if (js_get_hex(cup, "tournament", NULL, id, HASH_LEN, NULL) != 0)
		return (witness_hear_nonsense(w, "a tournament"));
	if ((r = witness_meet(w, true, id)) != 0)
		return (r);
	if (witness_store_find(w->store, id, &row) != 0)
		return (witness_broken(w));
	json_array_foreach(waits, i, v)
	{
		if (strcmp(text_member(v, "what"), "start") != 0 ||
		    row.state == WITNESS_STOPPED)
			continue;
		if (w->desk->draw(w->cx, id) == EX_OK)
			witness_log(w, "lots", &row, -1, "drawn");
		else
			witness_log(
			    w, "waits", &row, -1, "the lots are not drawn yet");
	}
	return (0);
}

int
witness_cup_heard(struct witness *w, const struct rpc_reply *rp)
{
	const json_t *cups, *v;
	size_t i;
	int r = 0;

	/* A server without tournaments has none to tell. */
	if (rp->code != 0)
		return (0);
	cups = json_object_get(rp->result, "tournaments");
	json_array_foreach(cups, i, v)
	{
		if (r == 0)
			r = witness_cup_look(w, v);
	}
	return (r);
}
