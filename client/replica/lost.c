/* SPDX-License-Identifier: ISC */
/* What is lost to the server is not lost to us. */
#include "client/replica/lost.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/outbox.h"
#include "client/replica/replica.h"
#include "client/replica/sync.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"

/* The path of the record as it was; free(). */
static char *
lost_path(const struct profile *p, const uint8_t id[HASH_LEN], int64_t seq)
{
	char *path, *suffix;

	suffix = xalloc_printf(".lost-%lld", (long long)seq);
	path = profile_game_path(p, id, suffix);
	free(suffix);
	return (path);
}

char *
lost_find(const struct profile *p, const uint8_t id[HASH_LEN], int64_t seq)
{
	char *path = lost_path(p, id, seq);

	if (file_exists(path))
		return (path);
	free(path);
	return (NULL);
}

/* Writes the record as it is to its file, *path, which is new. */
static int
lost_keep(const struct replica *c, char **path, struct errinfo *e)
{
	struct buf b;
	int r;

	*path = lost_path(c->p, c->id, c->fork.seq);
	buf_init(&b, 0);
	if ((r = replica_export(c, &b, e)) == 0)
		r = file_write(*path, buf_str(&b), b.len, 0600, e);
	buf_clear(&b);
	return (r);
}

/* Says what was set aside, of `lines` lines, and what is to be done. */
static void
lost_tell(const struct replica *c, int64_t seq, int64_t lines, const char *path,
    const char *proof)
{
	char *name = profile_nick(c->p, c->id);

	out_error("the server says in line %lld%s%s that the lines from there "
		  "on were lost; your copy\nhas %lld of them",
	    (long long)seq, name == NULL ? "" : " of ",
	    name == NULL ? "" : name, (long long)lines);
	out_note("They are kept as they were, with the proof that the server "
		 "signed them:\n%s\n%s",
	    path, proof);
	out_note("The game goes on once all players have accepted that they "
		 "are lost.  You need not:\nlook at both first "
		 "(`umpire show` tells them), then decide.");
	free(name);
}

/* Sets the lines aside, all or none. */
static int
lost_move(struct replica *c, struct errinfo *e)
{
	const int64_t seq = c->fork.seq, lines = c->n - seq;
	const struct outbox ob = outbox_game(c->p, c->id);
	char *path = NULL, *proof = NULL;
	int r;

	if ((r = replica_lock(c, e)) != 0)
		return (r);
	if ((r = evidence_keep(c, &proof, e)) == 0 &&
	    (r = lost_keep(c, &path, e)) == 0 &&
	    (r = outbox_drop(&ob, seq, e)) == 0 &&
	    (r = replica_rewind(c, seq, e)) == 0)
		lost_tell(c, seq, lines, path, proof);
	free(path);
	free(proof);
	replica_unlock(c);
	return (r);
}

int
lost_set_aside(struct link *l, struct replica *c, struct conn_error *ce)
{
	conn_error_clear(ce);
	memset(ce, 0, sizeof(*ce));
	if ((ce->r = lost_move(c, &ce->e)) != 0)
		return (ce->r);
	return (sync_copy(l, c, ce));
}
