/* SPDX-License-Identifier: ISC */
/*
 * The record of a tournament of another server, which one here is to continue
 * (record S21.4).  It comes in parts, each of which follows upon the one
 * before; when all of it is here it leaves the ledger to be verified whole, by
 * the thread of ledger_pairer.c, and is kept if it is good.
 */
#include <inttypes.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept_former.h"
#include "server/store/store.h"

/* Beyond what 1,000 entrants and 30 rounds come to. */
#define LEDGER_FORMER_BYTES INT64_C(67108864)

/* Unused ones of an account. */
#define LEDGER_FORMER_UNUSED VERIFY_FORMER_MAX
#define LEDGER_FORMER_UNUSED_BYTES (2 * LEDGER_FORMER_BYTES)

/* Hashes a line. */
static int
ledger_former_hash_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	(void)seq;
	return (hash_sha256(arg, bytes, len));
}

/* The hash of a row's last line; zeros if it has none. */
static int
ledger_former_hash(struct ledger *l, const struct store_former_row *row,
    uint8_t hash[HASH_LEN])
{
	memset(hash, 0, HASH_LEN);
	return (row->lines == 0
		? 0
		: store_former_each(l->store, row->fid, row->lines - 1,
		      row->lines - 1, ledger_former_hash_cb, hash));
}

/* Makes room: what the account brought first and nobody uses goes. */
static int
ledger_former_room(struct ledger *l, const struct ledger_job *job)
{
	int64_t n, bytes, oldest;
	int r;

	while ((r = store_former_unused(
		    l->store, job->account, &n, &bytes, &oldest)) == 0 &&
	    n > 0 &&
	    (n >= LEDGER_FORMER_UNUSED ||
		bytes > LEDGER_FORMER_UNUSED_BYTES - LEDGER_FORMER_BYTES)) {
		if ((r = store_former_drop(l->store, oldest)) != 0)
			break;
	}
	return (r);
}

/* The row of what the account brings, which may have to be begun. */
static int
ledger_former_begin(
    struct ledger *l, struct ledger_job *job, struct store_former_row *row)
{
	const bool is_asked = json_array_size(job->lines) == 0;
	const bool begins = !is_asked && !job->brought.is_judged;
	int r;

	r = store_former_begun(l->store, job->account, row);
	if (r == 0 &&
	    (memcmp(row->id, job->game, HASH_LEN) != 0 ||
		memcmp(row->head, job->brought.head, HASH_LEN) != 0 ||
		row->seq != job->brought.seq)) {
		/* What was begun before is given up. */
		if (!begins || (r = store_former_drop(l->store, row->fid)) == 0)
			r = ERR_NOTFOUND;
	}
	if (r != ERR_NOTFOUND)
		return (r);
	memset(row, 0, sizeof(*row));
	row->fid = -1;
	if (!begins)
		return (0); /* it is asked how far it is, or was given up */
	memcpy(row->id, job->game, HASH_LEN);
	memcpy(row->head, job->brought.head, HASH_LEN);
	row->seq = job->brought.seq;
	if ((r = ledger_limit_disk(l, &job->e)) != 0 ||
	    (r = ledger_former_room(l, job)) != 0)
		return (r);
	return (store_former_insert(l->store, job->account, row));
}

/* Adds the lines that are new. */
static int
ledger_former_add(
    struct ledger *l, struct ledger_job *job, struct store_former_row *row)
{
	const int64_t first = job->brought.first;
	uint8_t hash[HASH_LEN];
	const json_t *v;
	size_t i;
	int r;

	if (first > row->lines)
		return (err_set(&job->e, ERR_MISSING, "lines",
		    "line %" PRId64 " is the next that is missing here",
		    row->lines));
	if ((r = ledger_former_hash(l, row, hash)) != 0)
		return (r);
	json_array_foreach(job->lines, i, v)
	{
		if (first + (int64_t)i < row->lines)
			continue; /* it came before */
		/* The caller has held the others against each other. */
		if (job->added == 0 &&
		    memcmp(hash, job->brought.prevs + i * HASH_LEN, HASH_LEN) !=
			0)
			return (err_set(&job->e, ERR_INVALID, "lines",
			    "line %" PRId64 " does not follow upon the one "
			    "that is here",
			    row->lines));
		if (row->lines > row->seq)
			return (err_set(&job->e, ERR_INVALID, "lines",
			    "line %" PRId64 " is to be the last", row->seq));
		row->bytes += (int64_t)json_string_length(v);
		if (row->bytes > LEDGER_FORMER_BYTES)
			return (err_set(&job->e, ERR_LIMIT, "",
			    "its lines come to more than %" PRId64 " bytes",
			    LEDGER_FORMER_BYTES));
		r = store_former_line(l->store, row->fid, row->lines,
		    json_string_value(v), json_string_length(v));
		if (r != 0)
			return (r);
		row->lines++;
		job->added++;
		job->written += (int64_t)json_string_length(v);
	}
	return (job->added == 0 ? 0 : store_former_update(l->store, row));
}

/* Takes over what became of the verifying. */
static int
ledger_former_judged(
    struct ledger *l, struct ledger_job *job, struct store_former_row *row)
{
	struct store_former_row other;
	int r = job->brought.judged;

	job->brought.is_judged = false;
	if (r == 0 && row->lines == row->seq + 1) {
		/* Somebody else may have brought it meanwhile. */
		if (store_former_find(l->store, row->id, row->head, &other) ==
		    0) {
			r = store_former_drop(l->store, row->fid);
			*row = other;
			return (r);
		}
		row->is_good = true;
		return (store_former_update(l->store, row));
	}
	if (r == 0 || r == ERR_NOTFOUND)
		return (0); /* something else was begun meanwhile */
	if (r != ERR_BAD)
		return (r);
	/* What is bad is not kept, which the savepoint of an error would do. */
	job->brought.is_bad = true;
	job->e = job->brought.why;
	return (store_former_drop(l->store, row->fid));
}

int
ledger_former_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct store_former_row row;
	int r;

	if (!job->brought.is_judged)
		job->added = job->written = 0;
	r = store_former_find(l->store, job->game, job->brought.head, &row);
	if (r == ERR_NOTFOUND)
		r = ledger_former_begin(l, job, &row);
	if (r == 0 && row.fid >= 0 && !row.is_good && job->brought.is_judged)
		r = ledger_former_judged(l, job, &row);
	else if (r == 0 && !row.is_good && row.fid >= 0 &&
	    (r = ledger_order_admit(job)) == 0) {
		r = ledger_former_add(l, job, &row);
		slot->is_parked = r == 0 && row.lines == row.seq + 1;
	}
	if (r != 0)
		return (r == ERR_MISSING || r == ERR_INVALID || r == ERR_LIMIT
			? r
			: ledger_fault(l, r, "keep the lines of a tournament"));
	job->seq = row.lines - 1;
	job->brought.is_complete = row.is_good;
	return (0);
}

int
ledger_former_verify(struct store *st, const char *account,
    const uint8_t id[HASH_LEN], const uint8_t head[HASH_LEN], struct errinfo *e)
{
	struct store_former_row rows[VERIFY_FORMER_MAX + 1];
	struct verify_tournament_options opt = {
	    .no_games = true, .is_cut = true};
	struct verify_tournament_report rep;
	struct errinfo why = {.text = ""};
	struct verify_former_set set;
	struct terms_continues c;
	struct tournament *t = NULL;
	struct buf bytes, older;
	size_t n = 0;
	int r;

	buf_init(&bytes, 0);
	buf_init(&older, 0);
	r = store_former_begun(st, account, &rows[0]);
	/* Something else may have been begun meanwhile. */
	if (r == 0 &&
	    (memcmp(rows[0].id, id, HASH_LEN) != 0 ||
		memcmp(rows[0].head, head, HASH_LEN) != 0 ||
		rows[0].lines != rows[0].seq + 1))
		r = ERR_NOTFOUND;
	if (r != 0 || (r = kept_former_read(st, rows, 1, &bytes)) != 0)
		goto out;
	opt.head_seq = rows[0].seq;
	opt.head = rows[0].head;
	if (verify_former_named(buf_str(&bytes), bytes.len, &c) == 0) {
		r = kept_former_find(st, &c, rows + 1, &n);
		if (r == ERR_NOTFOUND || n == VERIFY_FORMER_MAX)
			r = err_set(e, ERR_BAD, "",
			    "it continues another tournament itself, which is "
			    "not here: bring that first");
		else if (r == 0)
			r = kept_former_read(st, rows + 1, n, &older);
	}
	if (r != 0 ||
	    (r = verify_former_split(buf_str(&older), older.len, &set)) != 0)
		goto out;
	r = verify_former_bytes(
	    buf_str(&bytes), bytes.len, &set, &opt, &rep, &t, &why);
	if (r == ERR_BAD)
		(void)err_set(e, r, "", "line %" PRId64 ": %.30s%s%.100s",
		    rep.file_line - 1, why.where,
		    why.where[0] == '\0' ? "" : ": ", why.text);
	else if (r == 0 && t == NULL)
		r = err_set(e, ERR_BAD, "",
		    "line %" PRId64 " is of a newer umpire: %.100s",
		    rep.unchecked_line - 1, rep.unchecked.text);
	else if (r == 0 && tournament_phase(t) != TOURNAMENT_PLAY)
		r = err_set(e, ERR_BAD, "",
		    "only what has been started and is not over can be "
		    "continued, and it is in the phase \"%s\"",
		    tournament_phases[tournament_phase(t)]);
out:
	tournament_free(t);
	buf_clear(&bytes);
	buf_clear(&older);
	return (r);
}
