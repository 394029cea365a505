/* SPDX-License-Identifier: ISC */
/*
 * It is written after the lines that it covers have been synced, and is not
 * synced itself: if a crash tears it, it does not fit.
 */
#include "client/tournament/desk_checkpoint.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/checkpoint.h"
#include "common/base/buf.h"
#include "common/tournament/verify_tournament.h"

#define DESK_CHECKPOINT_FILE ".tournament-checkpoint"

/* The whole file. */
struct desk_checkpoint {
	char sources[2 * HASH_LEN]; /* verify_tournament_sources */
	uint8_t server[SIGN_KEY_LEN]; /* the profile's pin */
	uint8_t tournament[HASH_LEN];
	uint64_t lines_len;
	uint8_t lines[HASH_LEN]; /* hash of so many bytes */
	uint8_t mac[HASH_LEN]; /* of all before */
};

/* Fills in what must stand there for the first bytes of the lines. */
static int
desk_checkpoint_make(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *lines, size_t len, struct desk_checkpoint *cp)
{
	int r;

	memset(cp, 0, sizeof(*cp));
	memcpy(cp->sources, verify_tournament_sources, sizeof(cp->sources));
	if (p->has_pin)
		memcpy(cp->server, p->pin, SIGN_KEY_LEN);
	memcpy(cp->tournament, id, HASH_LEN);
	cp->lines_len = len;
	if ((r = hash_sha256(cp->lines, lines, len)) != 0)
		return (r);
	return (checkpoint_mac(p, "umpire/checkpoint-tournament/1", cp,
	    offsetof(struct desk_checkpoint, mac), cp->mac));
}

size_t
desk_checkpoint_read(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines)
{
	struct desk_checkpoint is, must;
	struct errinfo e;
	struct buf b;
	bool fits;

	buf_init(&b, 0);
	fits = profile_game_read(p, id, DESK_CHECKPOINT_FILE, 0, &b, &e) == 0 &&
	    b.len == sizeof(is);
	if (fits) {
		memcpy(&is, b.data, sizeof(is));
		fits = is.lines_len <= lines->len &&
		    desk_checkpoint_make(
			p, id, lines->data, is.lines_len, &must) == 0 &&
		    memcmp(&is, &must, sizeof(is)) == 0;
	}
	buf_clear(&b);
	return (fits ? is.lines_len : 0);
}

void
desk_checkpoint_write(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines)
{
	struct desk_checkpoint cp;
	char *path;

	if (desk_checkpoint_make(p, id, lines->data, lines->len, &cp) != 0)
		return;
	path = profile_game_path(p, id, DESK_CHECKPOINT_FILE);
	file_cache(path, &cp, sizeof(cp));
	free(path);
}
