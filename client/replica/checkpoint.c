/* SPDX-License-Identifier: ISC */
/*
 * A checkpoint is written after the lines that it covers have been synced.  It
 * is not synced itself: if a crash tears it, its MAC does not match.
 */
#include "client/replica/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/crypt/keyfile.h"
#include "common/game/verify.h"

static const char checkpoint_of_game[] = "umpire/checkpoint/1";

/* The beginning of the file; what the verifier knew follows, then the MAC. */
struct checkpoint_head {
	uint8_t server[SIGN_KEY_LEN]; /* the profile's pin */
	uint8_t game[HASH_LEN];
	uint64_t lines_len;
	uint8_t lines[HASH_LEN]; /* hash of so many bytes; likewise side */
	uint64_t side_len;
	uint8_t side[HASH_LEN];
};

int
checkpoint_mac(const struct profile *p, const char *label, const void *bytes,
    size_t n, uint8_t mac[HASH_LEN])
{
	uint8_t key[HASH_LEN], seed[KEYFILE_LEN];
	struct errinfo e;
	char *path;
	int r;

	path = profile_path(p, "sign.key");
	if ((r = keyfile_read(path, seed, &e)) == 0 &&
	    (r = hash_mac(key, seed, sizeof(seed), label, strlen(label) + 1)) ==
		0)
		r = hash_mac(mac, key, sizeof(key), bytes, n);
	explicit_bzero(seed, sizeof(seed));
	explicit_bzero(key, sizeof(key));
	free(path);
	return (r);
}

/* Fills in the head for the first bytes of the lines and side lines. */
static int
checkpoint_head(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *lines, size_t lines_len, const char *side, size_t side_len,
    struct checkpoint_head *h)
{
	int r;

	memset(h, 0, sizeof(*h));
	if (p->has_pin)
		memcpy(h->server, p->pin, SIGN_KEY_LEN);
	memcpy(h->game, id, HASH_LEN);
	h->lines_len = lines_len;
	h->side_len = side_len;
	if ((r = hash_sha256(h->lines, lines, lines_len)) != 0)
		return (r);
	return (hash_sha256(h->side, side, side_len));
}

bool
checkpoint_read(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines, const struct buf *side, struct checkpoint *cp,
    struct buf *saved)
{
	struct checkpoint_head h, must;
	uint8_t mac[HASH_LEN];
	struct errinfo e;
	bool fits;

	if (profile_game_read(p, id, ".checkpoint", 0, saved, &e) != 0 ||
	    saved->len < sizeof(h) + HASH_LEN)
		return (false);
	saved->len -= HASH_LEN;
	memcpy(&h, saved->data, sizeof(h));
	fits = checkpoint_mac(
		   p, checkpoint_of_game, saved->data, saved->len, mac) == 0 &&
	    memcmp(mac, saved->data + saved->len, HASH_LEN) == 0 &&
	    h.lines_len <= lines->len && h.side_len <= side->len &&
	    checkpoint_head(p, id, lines->data, h.lines_len, side->data,
		h.side_len, &must) == 0 &&
	    memcmp(&h, &must, sizeof(h)) == 0;
	if (fits) {
		cp->lines = h.lines_len;
		cp->side = h.side_len;
		buf_drain(saved, sizeof(h));
	}
	return (fits);
}

void
checkpoint_write(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines, const struct buf *side, struct verify *v)
{
	struct checkpoint_head h;
	uint8_t mac[HASH_LEN];
	struct buf b;
	char *path;

	buf_init(&b, 0);
	if (checkpoint_head(
		p, id, lines->data, lines->len, side->data, side->len, &h) != 0)
		return;
	buf_add(&b, &h, sizeof(h));
	if (verify_save(v, &b) == 0 &&
	    checkpoint_mac(p, checkpoint_of_game, b.data, b.len, mac) == 0) {
		buf_add(&b, mac, HASH_LEN);
		path = profile_game_path(p, id, ".checkpoint");
		if (buf_error(&b) == 0)
			file_cache(path, b.data, b.len);
		free(path);
	}
	buf_clear(&b);
}
