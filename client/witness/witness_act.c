/* SPDX-License-Identifier: ISC */
/*
 * What a witness does when it has heard all that came: its checks are waited
 * for, then the words that are due in the games are made, their proofs on all
 * CPUs.
 */
#include <string.h>

#include "client/base/xalloc.h"
#include "client/witness/witness_int.h"
#include "common/base/buf.h"
#include "common/crypt/checker.h"

#define WITNESS_ACT_JOBS 32 /* made at a time; their games stay in memory */

_Static_assert(WITNESS_ACT_JOBS < WITNESS_GAMES, "none puts another away");

void
witness_push(
    struct witness *w, const struct witness_row *row, struct witness_word *word)
{
	struct witness_sending *s;
	size_t i;

	for (i = 0; i < w->n_words; i++) {
		if (w->words[i].gid == row->gid)
			return; /* it is there, and one at a time */
	}
	w->words = xalloc_more(w->words, w->n_words, sizeof(*w->words));
	s = &w->words[w->n_words++];
	s->gid = row->gid;
	memcpy(s->id, row->id, HASH_LEN);
	s->w = *word;
	/* Moved: what is left can be cleared. */
	buf_init(&word->text, 0);
}

int
witness_settle(struct witness *w)
{
	int r;

	if ((r = checker_wait(w->checker)) == 0)
		return (0);
	witness_games_clear(&w->games);
	witness_cups_clear(&w->cups);
	w->is_careful = true;
	w->has_listed = false;
	if (witness_store_rollback(w->store) != 0)
		return (witness_broken(w));
	return (err_set(&w->e, ERR_REQUEST, NULL,
	    "a line that came does not hold (%s): all are read once more, each "
	    "by itself",
	    err_text(r)));
}

void
witness_act(struct witness *w, const struct witness_row *row)
{
	size_t i;

	if (row->is_cup || row->n == 0 || row->n <= row->told)
		return;
	for (i = 0; i < w->n_due; i++) {
		if (w->due[i] == row->gid)
			return;
	}
	w->due = xalloc_more(w->due, w->n_due, sizeof(*w->due));
	w->due[w->n_due++] = row->gid;
}

/* Looks at a game again at that time. */
static int
witness_act_later(
    struct witness *w, const struct witness_row *row, int64_t due_ms)
{
	if (witness_store_set_due(w->store, row->gid, due_ms) != 0)
		return (witness_broken(w));
	return (0);
}

/* Goes on where no word was made, for that reason. */
static int
witness_act_failed(struct witness *w, struct witness_row *row, int r,
    int64_t due_ms, const struct errinfo *e)
{
	switch (r) {
	case ERR_BAD:
		return (witness_leave(w, row, WITNESS_STOPPED, e->text));
	case ERR_DENIED:
		return (witness_leave(w, row, WITNESS_LEFT, e->text));
	case ERR_NOTFOUND:
		return (witness_act_later(w, row, due_ms));
	case ERR_NOMEM:
		return (r);
	case ERR_IO:
		return (witness_broken(w));
	default:
		/* Such as a dice key that is not at hand. */
		witness_log(w, "waits", row, row->n - 1,
		    "cannot make an order: %s", e->text);
		return (witness_act_later(
		    w, row, w->speaker.now_ms + WITNESS_LATER_MS));
	}
}

/*
 * Sends the word of a game that waits again, or finds the next one: *is_due,
 * and *job is how it is made.
 */
static int
witness_act_one(
    struct witness *w, int64_t gid, struct witness_speak_job *job, bool *is_due)
{
	struct errinfo e = {.text = ""};
	int64_t due_ms = INT64_MAX;
	struct witness_word word;
	struct witness_game *g;
	struct witness_row row;
	int r;

	*is_due = false;
	if (witness_store_get(w->store, gid, &row) != 0)
		return (witness_broken(w));
	/* What came since may have changed it. */
	if (row.state != WITNESS_FOLLOWED || row.n <= row.told ||
	    witness_wire_waits(&w->wire, WITNESS_ASK_WORD, gid))
		return (0);
	r = witness_store_open_word(w->store, gid, &word);
	if (r == 0)
		witness_push(w, &row, &word);
	witness_word_clear(&word);
	if (r != ERR_NOTFOUND)
		return (r == 0 ? 0 : witness_broken(w));
	r = witness_games_want(&w->games, &row, &g, &e);
	if (r == 0 &&
	    (r = witness_speak(&w->speaker, &row, g, job, &due_ms, &e)) != 0)
		witness_speak_clear(job);
	if (r != 0)
		return (witness_act_failed(w, &row, r, due_ms, &e));
	*is_due = true;
	return (0);
}

/* Keeps a word that was made, to be sent. */
static int
witness_act_keep(struct witness *w, struct witness_speak_job *job)
{
	struct witness_word word;
	struct witness_game *g;
	int r;

	r = witness_speak_keep(&w->speaker, job, &word);
	if (r != 0)
		return (
		    witness_act_failed(w, &job->row, r, job->due_ms, &job->e));
	/* It is in memory. */
	if (witness_games_want(&w->games, &job->row, &g, &job->e) == 0)
		g->own = job->own;
	witness_push(w, &job->row, &word);
	witness_word_clear(&word);
	return (0);
}

/* Does some of what is due. */
static int
witness_act_some(struct witness *w, const int64_t *gids, size_t n)
{
	struct witness_speak_job jobs[WITNESS_ACT_JOBS];
	size_t i, n_jobs = 0;
	int held, r = 0;
	bool is_due;

	for (i = 0; i < n && r == 0; i++) {
		r = witness_act_one(w, gids[i], &jobs[n_jobs], &is_due);
		n_jobs += (size_t)(r == 0 && is_due);
	}
	for (i = 0; i < n_jobs && r == 0; i++)
		r = checker_do(w->checker, witness_speak_make, &jobs[i]);
	/* It may have read a game from its lines. */
	if ((held = witness_settle(w)) != 0 && r == 0)
		r = held;
	for (i = 0; i < n_jobs; i++) {
		if (r == 0)
			r = witness_act_keep(w, &jobs[i]);
		witness_speak_clear(&jobs[i]);
	}
	return (r);
}

int
witness_act_all(struct witness *w)
{
	size_t from, n;
	int r;

	r = witness_settle(w);
	for (from = 0; r == 0 && from < w->n_due; from += n) {
		n = w->n_due - from;
		if (n > WITNESS_ACT_JOBS)
			n = WITNESS_ACT_JOBS;
		r = witness_act_some(w, w->due + from, n);
	}
	w->n_due = 0;
	return (r);
}
