/* SPDX-License-Identifier: ISC */
/*
 * Tournaments that name the witness: for a day after all have checked in the
 * lots are the witness's alone to draw (record S17).  Whether that is due is
 * asked every minute; who runs this program draws them.
 */
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/witness/witness_int.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"

#define WITNESS_CUP_MS 60000 /* between two questions */

void
witness_cup_begin(struct witness *w)
{
	w->cup_ms = clock_mono_ms();
}

int
witness_cup(struct witness *w)
{
	const struct witness_asked a = {.what = WITNESS_ASK_CUP};

	if (w->draw == NULL || clock_mono_ms() < w->cup_ms ||
	    !witness_wire_has_room(&w->wire, 1))
		return (0);
	w->cup_ms = clock_mono_ms() + WITNESS_CUP_MS;
	return (witness_wire_ask(
	    &w->wire, "tournament.todo", json_object(), &a, &w->e));
}

/* Draws the lots of a tournament, if they are what it waits for. */
static void
witness_cup_look(struct witness *w, const json_t *cup)
{
	const json_t *waits = json_object_get(cup, "waits"), *v;
	const char *hex = text_member(cup, "tournament");
	uint8_t id[HASH_LEN];
	size_t i;
	int status;

	json_array_foreach(waits, i, v)
	{
		if (strcmp(text_member(v, "what"), "start") != 0 ||
		    hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		status = w->draw(w->cx, id);
		if (status == EX_OK)
			witness_log(w, "lots", NULL, -1,
			    "drawn in the tournament %.12s", hex);
		else
			witness_log(w, "waits", NULL, -1,
			    "the lots of the tournament %.12s are not drawn "
			    "yet",
			    hex);
	}
}

int
witness_cup_heard(struct witness *w, const struct rpc_reply *rp)
{
	const json_t *cups, *v;
	size_t i;

	/* A server without tournaments has none to tell. */
	if (rp->code != 0)
		return (0);
	cups = json_object_get(rp->result, "tournaments");
	json_array_foreach(cups, i, v) witness_cup_look(w, v);
	return (0);
}
