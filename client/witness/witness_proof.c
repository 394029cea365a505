/* SPDX-License-Identifier: ISC */
/*
 * What a witness holds of a game is made a copy as players have it, for the
 * file of evidence, which is the same for all (evidence.h); of tournaments
 * those who have such copies do that (struct witness_desk).
 */
#include <stdlib.h>
#include <string.h>

#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/replica.h"
#include "client/witness/witness_int.h"
#include "common/base/buf.h"
#include "common/game/verify.h"
#include "common/record/record.h"

/* Adds a blob of the store. */
static int
witness_proof_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char *value, size_t len)
{
	record_write_blob(arg, hash, value, len);
	buf_putc(arg, '\n');
	return (0);
}

/* Appends all that the store holds of a game, as an export has it. */
static int
witness_proof_read(
    struct witness *w, const struct witness_row *row, struct buf *b)
{
	int64_t seq;
	int r = 0;

	for (seq = 0; r == 0 && seq < row->n; seq++) {
		r = witness_store_line(w->store, row->gid, seq, b);
		buf_putc(b, '\n');
	}
	if (r == 0)
		r = witness_store_each_blob(
		    w->store, row->gid, witness_proof_blob_cb, b);
	if (r == 0)
		r = buf_error(b);
	return (r == 0 || r == ERR_NOMEM ? r : witness_broken(w));
}

/* Makes a copy of those bytes, in memory, if all of the lines hold. */
static int
witness_proof_copy(struct witness *w, const struct witness_row *row,
    const struct buf *b, struct replica **out, struct errinfo *e)
{
	const struct verify_options opt = {.head_seq = -1, .server = w->p->pin};
	struct verify_report rep;
	struct verify *v = NULL;
	int r;

	r = verify_held(b->data, b->len, &opt, &rep, &v, e);
	if (r == ERR_NOMEM || v == NULL || rep.lines < row->n) {
		verify_free(v);
		return (r == ERR_NOMEM ? r
				       : err_set(e, ERR_BAD, NULL,
					     "what is kept does not hold"));
	}
	if ((r = replica_of(b->data, b->len, row->n, v, out, e)) != 0)
		return (r);
	(*out)->p = w->p;
	return (0);
}

int
witness_proof(struct witness *w, const struct witness_row *row, int64_t seq,
    const char *line, size_t len, char **path, struct errinfo *e)
{
	struct buf b, shown;
	struct replica *c;
	int r;

	buf_init(&b, 0);
	r = witness_proof_read(w, row, &b);
	if (r == 0 && row->is_cup) {
		buf_init(&shown, 0);
		buf_add(&shown, line, len);
		r = w->desk->prove(w->p, row->id, &b, seq, &shown, path, e);
		buf_clear(&shown);
		buf_clear(&b);
		return (r);
	}
	if (r == 0)
		r = witness_proof_copy(w, row, &b, &c, e);
	buf_clear(&b);
	if (r != 0)
		return (r);
	r = replica_add(c, seq, line, len, "", e);
	if (r == ERR_FORK && replica_is_proof(&c->fork))
		r = evidence_keep(c, path, e);
	else if (r != ERR_NOMEM)
		r = err_set(e, ERR_BAD, NULL, "it contradicts nothing");
	replica_close(c);
	return (r);
}
