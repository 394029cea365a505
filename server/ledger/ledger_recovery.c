/* SPDX-License-Identifier: ISC */
/*
 * A backup that was put back lacks lines that players have seen.  While they
 * may still come back (ledger_heal.c) the game takes no orders, so that no line
 * stands in the place of another; nobody's time runs.  That is a row of
 * "standstill"; what is kept in memory follows from those rows and from what
 * the file of last lines said at the start.
 *
 * So it is with tournaments, of which rows of "tournament_wait" say that.
 *
 * A game ends its recovery well when it has the line that the file names, and
 * all texts that are held for it.  Else a line `restored` ends it (record
 * S4.3): after a time, when the operator says so or, if it is not known how
 * many lines there were, when everybody who sits in it has no more than we
 * have.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define LEDGER_RECOVERY_AGAIN_MS 60000 /* after a job that failed */

/* The name of the file by which the operator's word comes; malloc()ed. */
static char *
ledger_recovery_path(const char *database)
{
	char *path;

	return (asprintf(&path, "%s.restored", database) == -1 ? NULL : path);
}

int
ledger_recovery_declare(const char *database, struct errinfo *e)
{
	char *path = ledger_recovery_path(database);
	int fd, r = 0;

	if (path == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd == -1 || fsync(fd) == -1)
		r = err_set(e, ERR_IO, "", "cannot write \"%s\": %s", path,
		    strerror(errno));
	if (fd != -1)
		(void)close(fd);
	free(path);
	return (r);
}

/* By game. */
static int
ledger_recovery_compare(const void *a, const void *b)
{
	const struct ledger_missing *x = a, *y = b;

	return (memcmp(x->game, y->game, HASH_LEN));
}

struct ledger_missing *
ledger_recovery_find(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_recovery *rec = &l->recovery;
	struct ledger_missing key, *m;

	if (rec->n == 0)
		return (NULL);
	memcpy(key.game, id, HASH_LEN);
	m = bsearch(
	    &key, rec->all, rec->n, sizeof(key), ledger_recovery_compare);
	return (m == NULL || m->is_over ? NULL : m);
}

int
ledger_recovery_check(
    struct ledger *l, const uint8_t id[HASH_LEN], struct errinfo *e)
{
	if (ledger_recovery_find(l, id) == NULL)
		return (0);
	return (err_set(e, ERR_RECOVERING, "", "%s", err_text(ERR_RECOVERING)));
}

/* What the file said of a game; NULL. */
static const struct ledger_head *
ledger_recovery_target(const struct ledger *l, const uint8_t id[HASH_LEN])
{
	const struct ledger_head_list *list = &l->recovery.targets;
	size_t lo = 0, hi = list->n, mid;
	int by;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		by = memcmp(list->all[mid].game, id, HASH_LEN);
		if (by == 0)
			return (&list->all[mid]);
		if (by < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (NULL);
}

/* ---- what is in memory, out of the database ---- */

/* Adds a game, or a tournament, to the list; NULL without memory. */
static struct ledger_missing *
ledger_recovery_add(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_missing *m, *all;

	all = realloc(l->recovery.all, (l->recovery.n + 1) * sizeof(*all));
	if (all == NULL)
		return (NULL);
	l->recovery.all = all;
	m = &all[l->recovery.n++];
	memset(m, 0, sizeof(*m));
	memcpy(m->game, id, HASH_LEN);
	return (m);
}

/* Gives a game the last line that the file named. */
static void
ledger_recovery_aim(struct ledger_missing *m, const struct ledger_head *h)
{
	if (h == NULL)
		return;
	m->has_target = true;
	m->seq = h->seq;
	memcpy(m->hash, h->hash, HASH_LEN);
}

/* Adds one by its row, if it is one of those that wait. */
static int
ledger_recovery_add_row(struct ledger *l, const uint8_t game[HASH_LEN],
    bool is_tournament, int64_t from_ms, const char *why)
{
	const bool is_behind = strcmp(why, STORE_WHY_BEHIND) == 0;
	struct ledger_missing *m;

	if (!is_behind && strcmp(why, STORE_WHY_RESTORED) != 0)
		return (0);
	if ((m = ledger_recovery_add(l, game)) == NULL)
		return (ERR_NOMEM);
	m->is_tournament = is_tournament;
	m->from_ms = from_ms;
	if (is_behind)
		ledger_recovery_aim(m, ledger_recovery_target(l, game));
	if (l->recovery.n_here++ == 0 || from_ms < l->recovery.first_ms)
		l->recovery.first_ms = from_ms;
	return (0);
}

/* Adds a game that has one. */
static int
ledger_recovery_row_cb(
    void *arg, const uint8_t game[HASH_LEN], int64_t from_ms, const char *why)
{
	return (ledger_recovery_add_row(arg, game, false, from_ms, why));
}

/* Adds a tournament that has one. */
static int
ledger_recovery_tournament_cb(
    void *arg, const uint8_t id[HASH_LEN], int64_t from_ms, const char *why)
{
	return (ledger_recovery_add_row(arg, id, true, from_ms, why));
}

/* Empties the list. */
static void
ledger_recovery_empty(struct ledger_recovery *rec)
{
	size_t i;

	for (i = 0; i < rec->n; i++)
		json_decref(rec->all[i].accounts);
	free(rec->all);
	rec->all = NULL;
	rec->n = rec->n_here = 0;
}

/* ERR_NOTFOUND if there is nothing of a game, or tournament. */
static int
ledger_recovery_is_here(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct store_tournament_row tournament;
	struct store_game_row game;
	int r;

	r = store_game_find(l->store, id, &game);
	return (r == ERR_NOTFOUND
		? store_tournament_find(l->store, id, &tournament)
		: r);
}

/* Makes the list anew. */
static int
ledger_recovery_load(struct ledger *l)
{
	const struct ledger_head_list *list = &l->recovery.targets;
	struct ledger_recovery *rec = &l->recovery;
	struct ledger_missing *m;
	size_t i;
	int r;

	ledger_recovery_empty(rec);
	r = store_standstill_each(l->store, ledger_recovery_row_cb, l);
	if (r == 0)
		r = store_tournament_wait_each(
		    l->store, ledger_recovery_tournament_cb, l);
	for (i = 0; r == 0 && i < list->n; i++) {
		r = ledger_recovery_is_here(l, list->all[i].game);
		if (r != ERR_NOTFOUND)
			continue;
		if ((m = ledger_recovery_add(l, list->all[i].game)) == NULL)
			return (ERR_NOMEM);
		m->is_gone = true;
		ledger_recovery_aim(m, &list->all[i]);
		r = 0;
	}
	if (rec->n > 0)
		qsort(rec->all, rec->n, sizeof(*rec->all),
		    ledger_recovery_compare);
	return (r);
}

void
ledger_recovery_keep(struct ledger *l)
{
	l->recovery.was_changed |= l->recovery.is_changed;
	l->recovery.is_changed = false;
}

int
ledger_recovery_undo(struct ledger *l)
{
	if (!l->recovery.is_changed)
		return (0);
	l->recovery.is_changed = false;
	return (ledger_recovery_load(l));
}

/* Notes that all games and tournaments recover. */
static int
ledger_recovery_note_all(struct ledger *l)
{
	const int64_t now_ms = clock_wall_ms();
	int r;

	r = store_standstill_begin_all(l->store, now_ms);
	return (r == 0 ? store_tournament_wait_begin_all(l->store, now_ms) : r);
}

int
ledger_recovery_all(struct ledger *l)
{
	int r;

	log_warnx("a line was brought that this server has signed and does not "
		  "have: all of it was set back to an earlier state; games "
		  "take no orders until their players have told what they "
		  "have");
	r = ledger_recovery_note_all(l);
	l->recovery.is_changed = true;
	return (r == 0 ? ledger_recovery_load(l) : r);
}

int
ledger_recovery_back(struct ledger *l, const uint8_t id[HASH_LEN],
    bool is_tournament, int64_t gid)
{
	const char *why = ledger_recovery_target(l, id) == NULL
	    ? STORE_WHY_RESTORED
	    : STORE_WHY_BEHIND;
	int r;

	r = is_tournament
	    ? store_tournament_wait_begin(l->store, gid, clock_wall_ms(), why)
	    : store_standstill_begin(l->store, gid, clock_wall_ms(), why);
	l->recovery.is_changed = true;
	return (r == 0 ? ledger_recovery_load(l) : r);
}

/* ---- how it begins ---- */

/* The database, compared with what the file says. */
struct ledger_recovery_start {
	struct ledger *l;
	int64_t now_ms;
	size_t at; /* of targets: the next to be looked at */
	size_t kept; /* of targets: those of which lines may come */
	size_t n_behind;
	size_t n_gone;
};

/* Looks whether a line of the file is in the database. */
static int
ledger_recovery_has(struct ledger *l, const struct store_head *at,
    const struct ledger_head *h, bool *has, bool *is_other)
{
	uint8_t hash[HASH_LEN];
	int r;

	r = at->is_tournament
	    ? store_tournament_hash(l->store, at->gid, h->seq, hash)
	    : store_record_hash(l->store, at->gid, h->seq, hash);
	*has = r == 0 && memcmp(hash, h->hash, HASH_LEN) == 0;
	*is_other = r == 0 && !*has;
	return (r == ERR_NOTFOUND ? 0 : r);
}

/*
 * The lines of the file about one game from `at` on: its last one, and whether
 * it was said since that no more will come, by a line that is there (NULL:
 * none is).
 */
static int
ledger_recovery_group(struct ledger_recovery_start *rs,
    const struct store_head *is, struct ledger_head *last, bool *is_done)
{
	const struct ledger_head_list *list = &rs->l->recovery.targets;
	const struct ledger_head *h = &list->all[rs->at];
	bool has = false, is_other;
	int r = 0;

	*last = *h;
	*is_done = false;
	for (; r == 0 && rs->at < list->n &&
	     memcmp(list->all[rs->at].game, last->game, HASH_LEN) == 0;
	     rs->at++) {
		h = &list->all[rs->at];
		if (!h->is_done) {
			*last = *h;
			*is_done = false;
		} else if (is != NULL) {
			r = ledger_recovery_has(rs->l, is, h, &has, &is_other);
			*is_done |= has;
		}
	}
	return (r);
}

/* Leaves out what the file says of games that are not there. */
static int
ledger_recovery_skip(struct ledger_recovery_start *rs, const uint8_t *before)
{
	struct ledger_head_list *list = &rs->l->recovery.targets;
	struct ledger_head last;
	bool is_done;
	int r;

	while (rs->at < list->n &&
	    (before == NULL ||
		memcmp(list->all[rs->at].game, before, HASH_LEN) < 0)) {
		if ((r = ledger_recovery_group(rs, NULL, &last, &is_done)) != 0)
			return (r);
		list->all[rs->kept++] = last;
		rs->n_gone++;
	}
	return (0);
}

/* Says that a line stands in the place of another that was signed. */
static void
ledger_recovery_contradict(
    const struct store_head *head, const struct ledger_head *h)
{
	char id[2 * HASH_LEN + 1], hash[2 * HASH_LEN + 1];

	hex_format(id, head->game, HASH_LEN);
	hex_format(hash, h->hash, HASH_LEN);
	log_errorx("equivocation: %s %.16s had another line %" PRId64
		   " once, with the hash %s; whoever holds it can prove that",
	    head->is_tournament ? "tournament" : "game", id, h->seq, hash);
}

/* Why a game, or a tournament, takes no orders.  ERR_NOTFOUND if it does. */
static int
ledger_recovery_why(
    struct ledger *l, const struct store_head *head, char why[STORE_WHY_MAX])
{
	return (head->is_tournament
		? store_tournament_wait_why(l->store, head->gid, why)
		: store_standstill_why(l->store, head->gid, why));
}

/* Compares one game. */
static int
ledger_recovery_head_cb(void *arg, const struct store_head *head)
{
	struct ledger_recovery_start *rs = arg;
	struct ledger *l = rs->l;
	struct ledger_head_list *list = &l->recovery.targets;
	struct ledger_head last;
	char why[STORE_WHY_MAX];
	bool is_done, has, is_other = false;
	int r;

	if ((r = ledger_recovery_skip(rs, head->game)) != 0 ||
	    rs->at == list->n ||
	    memcmp(list->all[rs->at].game, head->game, HASH_LEN) != 0)
		return (r);
	if ((r = ledger_recovery_group(rs, head, &last, &is_done)) != 0 ||
	    is_done)
		return (r);
	if (last.seq <= head->seq) {
		r = ledger_recovery_has(l, head, &last, &has, &is_other);
		if (r != 0)
			return (r);
		if (is_other)
			ledger_recovery_contradict(head, &last);
		/* Its texts may be missing still. */
		r = ledger_recovery_why(l, head, why);
		if (r == 0 && !is_other && strcmp(why, STORE_WHY_BEHIND) == 0)
			list->all[rs->kept++] = last;
		return (r == ERR_NOTFOUND ? 0 : r);
	}
	list->all[rs->kept++] = last;
	rs->n_behind++;
	return (head->is_tournament
		? store_tournament_wait_begin(
		      l->store, head->gid, rs->now_ms, STORE_WHY_BEHIND)
		: store_standstill_begin(
		      l->store, head->gid, rs->now_ms, STORE_WHY_BEHIND));
}

/* Finds which games have fewer lines than the file says. */
static int
ledger_recovery_compare_all(struct ledger *l, bool *is_new)
{
	struct ledger_recovery_start rs = {.l = l, .now_ms = clock_wall_ms()};
	int r;

	r = store_heads_each(l->store, ledger_recovery_head_cb, &rs);
	if (r == 0)
		r = ledger_recovery_skip(&rs, NULL);
	l->recovery.targets.n = rs.kept;
	*is_new |= rs.n_behind > 0;
	if (r == 0 && rs.n_behind + rs.n_gone > 0)
		log_warnx("an old database was put back: of %zu games or "
			  "tournaments lines are missing, and %zu are not "
			  "there at all; they "
			  "take no orders until their players have brought "
			  "what is missing, see \"Restoring a backup\" in "
			  "umpired(8)",
		    rs.n_behind, rs.n_gone);
	return (r);
}

/*
 * Reads the file and makes of it which games recover, in a transaction;
 * *is_new if there is something to be stored.
 */
static int
ledger_recovery_find_all(struct ledger *l, bool is_told, bool *is_new)
{
	bool is_lost;
	int r;

	r = ledger_heads_read(l->heads.path, &l->recovery.targets);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	is_lost = r == ERR_NOTFOUND;
	r = store_heads_kept(l->store);
	*is_new = r == ERR_NOTFOUND;
	if (*is_new)
		r = store_heads_keep(l->store, clock_wall_ms());
	if (r != 0)
		return (r);
	is_lost = is_lost && !*is_new;
	if (!is_lost && !is_told)
		return (ledger_recovery_compare_all(l, is_new));
	*is_new = true;
	l->recovery.targets.n = 0;
	log_warnx("%s; games take no orders until their players have told "
		  "what they have, see \"Restoring a backup\" in umpired(8)",
	    is_told ? "a backup was put back, as --restored has said"
		    : "the file with the last line of each game is missing");
	return (ledger_recovery_note_all(l));
}

int
ledger_recovery_begin(struct ledger *l, const char *database, struct errinfo *e)
{
	bool is_told, is_new = false;
	int r;

	if ((l->recovery.path = ledger_recovery_path(database)) == NULL ||
	    asprintf(&l->heads.path, "%s.heads", database) == -1) {
		l->heads.path = NULL;
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	}
	is_told = access(l->recovery.path, F_OK) == 0;
	r = store_begin(l->store);
	if (r == 0)
		r = ledger_recovery_find_all(l, is_told, &is_new);
	/* A disk that is full keeps nobody from reading. */
	if (r == 0 && is_new)
		r = store_commit(l->store);
	else
		store_rollback(l->store);
	if (r == 0)
		r = ledger_recovery_load(l);
	if (r == 0 && (r = ledger_heads_write(l)) == ERR_IO)
		r = 0; /* it is logged, and tried again */
	if (r != 0) {
		store_rollback(l->store);
		return (err_set(e, r, NULL,
		    "cannot compare \"%s\" with \"%s\": %s", database,
		    l->heads.path,
		    r == ERR_STORAGE ? store_reason(l->store) : err_text(r)));
	}
	if (is_told)
		(void)unlink(l->recovery.path);
	return (0);
}

void
ledger_recovery_clear(struct ledger *l)
{
	ledger_heads_close(l);
	ledger_heads_clear(&l->recovery.targets);
	ledger_recovery_empty(&l->recovery);
	free(l->recovery.path);
	memset(&l->recovery, 0, sizeof(l->recovery));
}

/* ---- after a batch, and by time ---- */

/* Adds a new last line to the file, unless a later one is waited for. */
static void
ledger_recovery_note(struct ledger *l, const uint8_t game[HASH_LEN],
    int64_t seq, const uint8_t hash[HASH_LEN])
{
	const struct ledger_missing *m = ledger_recovery_find(l, game);

	if (m == NULL || !m->has_target || seq >= m->seq)
		ledger_heads_add(l, false, game, seq, hash);
}

/* The same of a line whose hash is not at hand. */
static void
ledger_recovery_note_line(struct ledger *l, const uint8_t game[HASH_LEN],
    int64_t seq, const struct buf *line)
{
	uint8_t hash[HASH_LEN];

	if (hash_sha256(hash, line->data, line->len) == 0)
		ledger_recovery_note(l, game, seq, hash);
}

/* Takes out of the list what is over. */
static void
ledger_recovery_sweep(struct ledger *l)
{
	struct ledger_recovery *rec = &l->recovery;
	struct ledger_missing *m;
	size_t i, n = 0;

	rec->n_here = 0;
	for (i = 0; i < rec->n; i++) {
		m = &rec->all[i];
		if (m->is_over) {
			ledger_heads_add(
			    l, false, m->game, m->end_seq, m->end_hash);
			json_decref(m->accounts);
			continue;
		}
		if (!m->is_gone &&
		    (rec->n_here++ == 0 || m->from_ms < rec->first_ms))
			rec->first_ms = m->from_ms;
		rec->all[n++] = *m;
	}
	rec->n = n;
	if (rec->n_here == 0)
		rec->is_ended = false;
}

void
ledger_recovery_settle(struct ledger *l, bool is_stored)
{
	struct ledger_recovery *rec = &l->recovery;
	const struct ledger_slot *slot;
	size_t i, j;
	int r;

	if (!is_stored) {
		rec->is_changed |= rec->was_changed;
		rec->was_changed = false;
		if ((r = ledger_recovery_undo(l)) != 0)
			log_errorx(
			    "cannot read which games recover: %s", err_text(r));
		return;
	}
	for (i = 0; i < l->n_slots; i++) {
		slot = &l->slots[i];
		for (j = 0; j < slot->n_more; j++)
			ledger_recovery_note_line(l, slot->more[j].game,
			    slot->more[j].seq, &slot->more[j].line);
		if (slot->is_new)
			ledger_recovery_note(l, slot->job->order.game,
			    slot->job->seq, slot->hash);
		if (slot->is_new && slot->fault.len > 0)
			ledger_recovery_note_line(l, slot->job->order.game,
			    slot->job->seq + 1, &slot->fault);
	}
	if (rec->was_changed)
		ledger_recovery_sweep(l);
	rec->was_changed = false;
	ledger_heads_flush(l);
}

/* Takes the answer of a job that was asked for. */
static void
ledger_recovery_done_cb(struct ledger_job *job, void *arg)
{
	struct ledger *l = arg;

	l->recovery.is_asked = false;
	l->recovery.next_ms = clock_mono_ms();
	if (job->r != 0) {
		l->recovery.next_ms += LEDGER_RECOVERY_AGAIN_MS;
		log_errorx("cannot end the recovery of games: %s",
		    job->e.text[0] == '\0' ? err_text(job->r) : job->e.text);
	}
	ledger_job_free(job);
}

int64_t
ledger_recovery_due_ms(const struct ledger *l)
{
	const struct ledger_recovery *rec = &l->recovery;
	int64_t left, again;

	if (rec->n_here == 0 || rec->is_asked)
		return (INT64_MAX);
	left = rec->is_ended
	    ? 0
	    : rec->first_ms + l->conf.limits.recovery_ms - clock_wall_ms();
	again = rec->next_ms - clock_mono_ms();
	if (left < again)
		left = again;
	return (left < 0 ? 0 : left);
}

void
ledger_recovery_look(struct ledger *l)
{
	struct ledger_job *job;

	if (ledger_recovery_due_ms(l) > 0)
		return;
	if ((job = ledger_job_new(LEDGER_RESTORED)) == NULL)
		return;
	job->is_all = true;
	job->done = ledger_recovery_done_cb;
	job->arg = l;
	l->recovery.is_asked = true;
	if (ledger_submit(l, job) != 0) {
		l->recovery.is_asked = false;
		ledger_job_free(job);
	}
}
