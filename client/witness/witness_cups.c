/* SPDX-License-Identifier: ISC */
#include "client/witness/witness_cups.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_tournament.h"

/*
 * Of more entrants rounds are taken as the server paired them: games must not
 * wait, and whoever has a copy, or the record, works them out again.
 */
#define WITNESS_CUPS_ENTRANTS 128

/* Frees a place. */
static void
witness_cups_free(struct witness_cups *cs, size_t i)
{
	verify_tournament_free(cs->list[i].v);
	memset(&cs->list[i], 0, sizeof(cs->list[i]));
}

void
witness_cups_clear(struct witness_cups *cs)
{
	size_t i;

	for (i = 0; i < WITNESS_CUPS; i++)
		witness_cups_free(cs, i);
}

void
witness_cups_drop(struct witness_cups *cs, int64_t gid)
{
	size_t i;

	for (i = 0; i < WITNESS_CUPS; i++) {
		if (cs->list[i].gid == gid)
			witness_cups_free(cs, i);
	}
}

/* Reads what the store holds, whose pairings were looked at when they came. */
static int
witness_cups_read(struct witness_cups *cs, const struct witness_row *row,
    struct verify_tournament *v, struct errinfo *e)
{
	struct buf b;
	int64_t seq;
	int r = 0;

	verify_tournament_trust(v, true);
	buf_init(&b, 0);
	for (seq = 0; r == 0 && seq < row->n; seq++) {
		buf_reset(&b);
		r = witness_store_line(cs->store, row->gid, seq, &b);
		if (r == 0 &&
		    (r = verify_tournament_add(v, b.data, b.len, e)) != 0)
			r = err_set(e, r == ERR_NOMEM ? r : ERR_BAD, NULL,
			    "what is kept of line %lld does not hold",
			    (long long)seq);
	}
	buf_clear(&b);
	return (r);
}

int
witness_cups_want(struct witness_cups *cs, const struct witness_row *row,
    struct verify_tournament **out, struct errinfo *e)
{
	struct verify_tournament *v;
	struct tournament *t;
	size_t i, at = 0;
	int r;

	for (i = 0; i < WITNESS_CUPS; i++) {
		if (cs->list[i].gid == row->gid) {
			at = i;
			break;
		}
		if (cs->list[i].used < cs->list[at].used)
			at = i;
	}
	if (cs->list[at].gid != row->gid) {
		witness_cups_free(cs, at);
		if ((r = verify_tournament_new(cs->server, &v)) != 0)
			return (r);
		if ((r = witness_cups_read(cs, row, v, e)) != 0) {
			verify_tournament_free(v);
			return (r);
		}
		cs->list[at].gid = row->gid;
		cs->list[at].v = v;
	}
	cs->list[at].used = ++cs->count;
	v = cs->list[at].v;
	t = verify_tournament_state(v);
	verify_tournament_trust(
	    v, t != NULL && tournament_entrants(t) > WITNESS_CUPS_ENTRANTS);
	*out = v;
	return (0);
}
