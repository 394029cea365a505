/* SPDX-License-Identifier: ISC */
/*
 * The file "known": a key a line, in hex.  A line that is no key says nothing;
 * so does a file that cannot be read, since less is then known.
 */
#include "client/profile/known.h"

#include <stdlib.h>
#include <string.h>

#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/record/order.h"

#define KNOWN_FILE_MAX 65536
#define KNOWN_MARK_DIGITS (FINGERPRINT_BITS / 5)
#define KNOWN_CODE_DIGITS 56
#define KNOWN_CHECK_LEN 3 /* bytes of a code that say that it is right */
#define KNOWN_CODE_TAG "umpire/device/1"

#define KNOWN_HEX (2 * SIGN_KEY_LEN)

const uint8_t *
known_find(const struct statement_keys *k, const char *typed)
{
	uint8_t mark[(5 * KNOWN_MARK_DIGITS + 7) / 8], key[SIGN_KEY_LEN];
	const size_t n = sizeof(mark) - 1;
	const bool is_mark = base32_read(typed, mark, KNOWN_MARK_DIGITS) == 0;
	int i;

	if (!is_mark && hex_parse(key, SIGN_KEY_LEN, typed, strlen(typed)) != 0)
		return (NULL);
	for (i = 0; i < k->n_keys; i++) {
		/* The last byte is half of the fingerprint's. */
		if (is_mark ? memcmp(k->keys[i], mark, n) == 0 &&
			    (k->keys[i][n] & 0xf0) == mark[n]
			    : memcmp(k->keys[i], key, SIGN_KEY_LEN) == 0)
			return (k->keys[i]);
	}
	return (NULL);
}

/* Reads the file: the keys that k has, if k is given, into *out. */
static void
known_read(
    const struct profile *p, const struct statement_keys *k, struct buf *out)
{
	char *path = profile_path(p, "known");
	uint8_t key[SIGN_KEY_LEN];
	const char *at, *end;
	struct buf b;

	buf_init(&b, 0);
	if (file_read(path, KNOWN_FILE_MAX, &b, NULL) == 0) {
		at = buf_str(&b);
		for (; (end = strchr(at, '\n')) != NULL; at = end + 1) {
			if (hex_parse(key, SIGN_KEY_LEN, at,
				(size_t)(end - at)) != 0 ||
			    (k != NULL && !statement_has_key(k, key)))
				continue;
			buf_add(out, at, KNOWN_HEX + 1);
		}
	}
	buf_clear(&b);
	free(path);
}

bool
known_has(const struct profile *p, const uint8_t key[SIGN_KEY_LEN])
{
	char hex[KNOWN_HEX + 1];
	struct buf b;
	bool is_known;

	if (memcmp(key, p->keys.sign.public_key, SIGN_KEY_LEN) == 0)
		return (true);
	hex_format(hex, key, SIGN_KEY_LEN);
	buf_init(&b, 0);
	known_read(p, NULL, &b);
	is_known = buf_error(&b) == 0 && strstr(buf_str(&b), hex) != NULL;
	buf_clear(&b);
	return (is_known);
}

/* Replaces the file. */
static int
known_write(const struct profile *p, const struct buf *b, struct errinfo *e)
{
	char *path = profile_path(p, "known");
	int r = buf_error(b);

	if (r == 0)
		r = file_write(path, b->data, b->len, 0600, e);
	free(path);
	return (r);
}

int
known_add(
    const struct profile *p, const uint8_t key[SIGN_KEY_LEN], struct errinfo *e)
{
	struct buf b;
	int r = 0;

	if (known_has(p, key))
		return (0);
	buf_init(&b, 0);
	known_read(p, NULL, &b);
	buf_hex(&b, key, SIGN_KEY_LEN);
	buf_putc(&b, '\n');
	r = known_write(p, &b, e);
	buf_clear(&b);
	return (r);
}

int
known_keep(
    const struct profile *p, const struct statement_keys *k, struct errinfo *e)
{
	struct buf all, kept;
	int r = 0;

	buf_init(&all, 0);
	buf_init(&kept, 0);
	known_read(p, NULL, &all);
	known_read(p, k, &kept);
	if (kept.len != all.len)
		r = known_write(p, &kept, e);
	buf_clear(&all);
	buf_clear(&kept);
	return (r);
}

/* What a code ends with: it is for this account, whose words are these. */
static int
known_check(const struct profile *p, const uint8_t key[SIGN_KEY_LEN],
    uint8_t check[HASH_LEN])
{
	uint8_t in[2 * SIGN_KEY_LEN + ORDER_ACCOUNT_MAX];
	const size_t len = strlen(p->account);

	memcpy(in, key, SIGN_KEY_LEN);
	memcpy(in + SIGN_KEY_LEN, p->recovery, SIGN_KEY_LEN);
	memcpy(in + 2 * SIGN_KEY_LEN, p->account, len);
	return (hash_tagged(check, KNOWN_CODE_TAG, in, 2 * SIGN_KEY_LEN + len));
}

int
known_code(const struct profile *p, char code[KNOWN_CODE_LEN + 1])
{
	uint8_t bytes[SIGN_KEY_LEN + HASH_LEN];
	int r;

	memcpy(bytes, p->keys.sign.public_key, SIGN_KEY_LEN);
	r = known_check(p, p->keys.sign.public_key, bytes + SIGN_KEY_LEN);
	if (r == 0)
		base32_write(code, bytes, KNOWN_CODE_DIGITS, 4);
	return (r);
}

int
known_code_parse(
    const struct profile *p, const char *code, uint8_t key[SIGN_KEY_LEN])
{
	uint8_t bytes[SIGN_KEY_LEN + KNOWN_CHECK_LEN], check[HASH_LEN];
	int r;

	if ((r = base32_read(code, bytes, KNOWN_CODE_DIGITS)) != 0 ||
	    (r = known_check(p, bytes, check)) != 0)
		return (r);
	if (memcmp(bytes + SIGN_KEY_LEN, check, KNOWN_CHECK_LEN) != 0)
		return (ERR_DENIED);
	memcpy(key, bytes, SIGN_KEY_LEN);
	return (0);
}
