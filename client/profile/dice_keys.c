/* SPDX-License-Identifier: ISC */
/*
 * Files of dice keys.  None is ever written over: what a game may still need
 * is moved aside, and a file is there before another goes.
 */
#include "client/profile/dice_keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/hex.h"
#include "common/crypt/keyfile.h"

#define DICE_KEYS_NOW "dice.key"
#define DICE_KEYS_NEW "dice.key.new"
#define DICE_KEYS_DIGITS 8 /* bytes of the public key in a name */

/* The name of the file that keeps a key; new. */
static char *
dice_keys_name(const uint8_t key[VRF_KEY_LEN])
{
	char hex[2 * DICE_KEYS_DIGITS + 1];

	/* The first byte of a point is 02 or 03 and tells little. */
	hex_format(hex, key + 1, DICE_KEYS_DIGITS);
	return (xalloc_printf("%s.%s", DICE_KEYS_NOW, hex));
}

/* Loads the key of one file; key (NULL: any) is what it must be. */
static int
dice_keys_read(const struct profile *p, const char *file, const uint8_t *key,
    struct vrf_key *k, struct errinfo *e)
{
	char *path = profile_path(p, file);
	uint8_t secret[KEYFILE_LEN];
	int r;

	memset(k, 0, sizeof(*k));
	if ((r = keyfile_read(path, secret, e)) == 0 &&
	    vrf_key_from_secret(k, secret) != 0)
		r = err_set(
		    e, ERR_CONFIG, NULL, "'%s' does not hold a key", path);
	else if (r == ERR_MALFORMED)
		r = ERR_CONFIG;
	if (r == 0 && key != NULL &&
	    memcmp(k->public_key, key, VRF_KEY_LEN) != 0)
		r = ERR_NOTFOUND;
	if (r != 0)
		vrf_key_clear(k);
	explicit_bzero(secret, sizeof(secret));
	free(path);
	return (r);
}

int
dice_keys_find(const struct profile *p, const uint8_t key[VRF_KEY_LEN],
    struct vrf_key *k, struct errinfo *e)
{
	static const char *const others[] = {
	    DICE_KEYS_NOW, DICE_KEYS_NEW, "dice.key.old"};
	char *name = dice_keys_name(key);
	size_t i;
	int r;

	r = dice_keys_read(p, name, key, k, e);
	free(name);
	for (i = 0; r == ERR_NOTFOUND && i < sizeof(others) / sizeof(others[0]);
	     i++)
		r = dice_keys_read(p, others[i], key, k, e);
	return (r);
}

int
dice_keys_keep(
    const struct profile *p, const struct vrf_key *k, struct errinfo *e)
{
	struct vrf_key had;
	char *name, *path;
	int r;

	if ((r = dice_keys_find(p, k->public_key, &had, e)) == 0)
		vrf_key_clear(&had);
	if (r != ERR_NOTFOUND)
		return (r);
	name = dice_keys_name(k->public_key);
	path = profile_path(p, name);
	r = keyfile_write(path, k->secret, e);
	free(path);
	free(name);
	return (r);
}

/* Moves dice.key aside, under the name that keeps it. */
static int
dice_keys_aside(const struct profile *p, struct errinfo *e)
{
	char *from = profile_path(p, DICE_KEYS_NOW), *name, *to;
	struct vrf_key k;
	int r;

	if ((r = dice_keys_read(p, DICE_KEYS_NOW, NULL, &k, e)) == 0) {
		name = dice_keys_name(k.public_key);
		to = profile_path(p, name);
		if (rename(from, to) != 0)
			r = err_set(e, ERR_IO, NULL, "cannot move '%s': %s",
			    from, strerror(errno));
		free(name);
		free(to);
		vrf_key_clear(&k);
	} else if (r == ERR_NOTFOUND) {
		r = 0;
	}
	free(from);
	return (r);
}

/* Has the profile have it, where it is loaded. */
static void
dice_keys_load(struct profile *p, const struct vrf_key *k)
{
	if (p->has_keys)
		p->keys.dice = *k;
}

int
dice_keys_use(struct profile *p, const struct vrf_key *k, struct errinfo *e)
{
	struct vrf_key now;
	char *path;
	int r;

	r = dice_keys_read(p, DICE_KEYS_NOW, k->public_key, &now, e);
	if (r == 0)
		vrf_key_clear(&now);
	if (r == ERR_NOTFOUND && (r = dice_keys_aside(p, e)) == 0) {
		path = profile_path(p, DICE_KEYS_NOW);
		r = keyfile_write(path, k->secret, e);
		free(path);
	}
	if (r == 0)
		dice_keys_load(p, k);
	return (r);
}

int
dice_keys_begun(const struct profile *p, struct vrf_key *k, struct errinfo *e)
{
	return (dice_keys_read(p, DICE_KEYS_NEW, NULL, k, e));
}

int
dice_keys_begin(
    const struct profile *p, const struct vrf_key *k, struct errinfo *e)
{
	char *path = profile_path(p, DICE_KEYS_NEW);
	int r = keyfile_write(path, k->secret, e);

	free(path);
	return (r);
}

int
dice_keys_end(const struct profile *p, struct errinfo *e)
{
	char *path = profile_path(p, DICE_KEYS_NEW);
	int r = 0;

	if (unlink(path) != 0)
		r = err_set(e, ERR_IO, NULL, "cannot remove '%s': %s", path,
		    strerror(errno));
	free(path);
	return (r);
}
