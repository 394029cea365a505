/* SPDX-License-Identifier: ISC */
/*
 * A line that does not hold may be one in which the rules failed on the server,
 * and not here: the `fault` line after it says so (record S4.4).  So the server
 * is asked what follows before it is accused.  Meanwhile, and on the next
 * connections, the line that it has shown is kept: if it shows another with
 * this number then, it has signed two.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/witness/witness_int.h"
#include "common/json/js.h"
#include "common/record/rpc.h"

/* A line that does not hold as it stands. */
struct witness_doubt {
	int64_t gid;
	struct buf line;
	struct errinfo why;
};

/* Finds the one of a game; NULL. */
static struct witness_doubt *
witness_doubt_find(const struct witness *w, int64_t gid)
{
	size_t i;

	for (i = 0; i < w->n_doubts; i++) {
		if (w->doubts[i].gid == gid)
			return (&w->doubts[i]);
	}
	return (NULL);
}

/* Ends one. */
static void
witness_doubt_end(struct witness *w, struct witness_doubt *d)
{
	buf_clear(&d->line);
	*d = w->doubts[--w->n_doubts];
}

void
witness_doubt_clear(struct witness *w)
{
	while (w->n_doubts > 0)
		witness_doubt_end(w, w->doubts);
	free(w->doubts);
	w->doubts = NULL;
}

/* Has the line come again. */
static int
witness_doubt_later(struct witness *w, struct witness_row *row)
{
	if (witness_store_set_told(w->store, row, -1) != 0 ||
	    witness_store_set_due(w->store, row->gid,
		w->speaker.now_ms + 10 * WITNESS_RETRY_MS) != 0)
		return (witness_broken(w));
	return (0);
}

/* Asks what follows the line; later, with the line, if that is not possible. */
static int
witness_doubt_ask(struct witness *w, struct witness_row *row)
{
	const struct witness_asked a = {
	    .what = WITNESS_ASK_AHEAD, .gid = row->gid};

	if (witness_wire_waits(&w->wire, WITNESS_ASK_AHEAD, row->gid))
		return (0);
	if (!witness_wire_has_room(&w->wire, 1))
		return (witness_doubt_later(w, row));
	return (witness_wire_ask(&w->wire, "game.record",
	    xalloc_json(
		json_pack("{s:o, s:I, s:I}", "game", js_hex(row->id, HASH_LEN),
		    "from", (json_int_t)row->n, "to", (json_int_t)row->n + 1)),
	    &a, &w->e));
}

int
witness_doubt(struct witness *w, struct witness_row *row, const char *line,
    size_t len, const struct errinfo *why)
{
	struct witness_doubt *d;

	w->doubts = xalloc_more(w->doubts, w->n_doubts, sizeof(*w->doubts));
	d = &w->doubts[w->n_doubts++];
	d->gid = row->gid;
	d->why = *why;
	buf_init(&d->line, 0);
	buf_add(&d->line, line, len);
	if (buf_error(&d->line) != 0)
		return (ERR_NOMEM);
	return (witness_doubt_ask(w, row));
}

/* Accuses the server of the line that it has shown. */
static int
witness_doubt_accuse(struct witness *w, struct witness_row *row,
    struct witness_doubt *d, const char *why)
{
	int r;

	r = witness_accuse(w, row, row->n, d->line.data, d->line.len, why);
	witness_doubt_end(w, d);
	return (r);
}

int
witness_doubt_hear(struct witness *w, struct witness_row *row, const char *line,
    size_t len, bool *is_doubted)
{
	struct witness_doubt *d = witness_doubt_find(w, row->gid);

	*is_doubted = d != NULL;
	if (d == NULL)
		return (0);
	if (d->line.len == len && memcmp(d->line.data, line, len) == 0)
		return (witness_doubt_ask(w, row));
	return (witness_doubt_accuse(w, row, d, d->why.text));
}

/* Takes the line and the one after it, which says that the rules failed. */
static int
witness_doubt_take(struct witness *w, struct witness_row *row,
    struct witness_doubt *d, const char *next, size_t len)
{
	struct errinfo e = {.text = ""};
	struct witness_game *g;
	int r;

	if ((r = witness_games_want(&w->games, row, &g, &e)) != 0)
		return (r == ERR_IO ? witness_broken(w) : r);
	verify_peek(g->v, next, len);
	if ((r = witness_game_take(g, d->line.data, d->line.len, &e)) == 0) {
		r = witness_hear_keep(w, row, d->line.data, d->line.len);
		if (r != 0)
			return (r);
		witness_doubt_end(w, d);
		d = NULL;
		if ((r = witness_game_take(g, next, len, &e)) == 0 &&
		    (r = witness_settle(w)) == 0 &&
		    (r = witness_hear_keep(w, row, next, len)) == 0) {
			witness_log(w, "fault", row, row->n - 1,
			    "the server says that its rules failed in line "
			    "%lld",
			    (long long)row->n - 2);
			return (witness_hear_after(w, row, g));
		}
	}
	if (r == ERR_NOMEM || w->is_broken)
		return (r);
	if (witness_settle(w) != 0)
		return (ERR_REQUEST);
	witness_games_drop(&w->games, row->gid);
	if (d != NULL)
		return (witness_doubt_accuse(w, row, d, e.text));
	return (witness_accuse(w, row, row->n, next, len, e.text));
}

int
witness_doubt_looked(
    struct witness *w, struct witness_row *row, const struct rpc_reply *rp)
{
	struct witness_doubt *d = witness_doubt_find(w, row->gid);
	const json_t *lines = NULL, *line, *next;

	if (d == NULL)
		return (0);
	if (rp->code != 0 && rp->r != ERR_NOTFOUND) {
		witness_log(w, "waits", row, row->n,
		    "the line does not hold, and what follows is not told: %s",
		    rp->message);
		return (witness_doubt_later(w, row));
	}
	if (rp->code == 0 &&
	    js_get_array(rp->result, "lines", NULL, &lines, NULL) != 0)
		return (err_set(&w->e, ERR_REQUEST, NULL,
		    "the server's answer makes no sense: a record"));
	line = json_array_get(lines, 0);
	next = json_array_get(lines, 1);
	if (json_is_string(line) && json_is_string(next) &&
	    json_string_length(line) == d->line.len &&
	    memcmp(json_string_value(line), d->line.data, d->line.len) == 0 &&
	    verify_is_fault(json_string_value(next), json_string_length(next)))
		return (witness_doubt_take(w, row, d, json_string_value(next),
		    json_string_length(next)));
	return (witness_doubt_accuse(w, row, d, d->why.text));
}
