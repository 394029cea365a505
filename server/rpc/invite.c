/* SPDX-License-Identifier: ISC */
/*
 * A code is 24 bytes: expiry as u32, 10 random bytes, and the first 10 of
 * HMAC-SHA256(invite key, T("umpire/invite/1") || expiry || random); written
 * in base32 (RFC 4648, lower case) in groups of five.  Exactly one text is a
 * code but for hyphens, spaces and case, since the spare bits must be zero.
 */
#include "server/rpc/invite.h"

#include <stddef.h>
#include <string.h>

#include "common/base/err.h"

#define INVITE_TAG "umpire/invite/1"
#define INVITE_RANDOM 10
#define INVITE_MAC 10
#define INVITE_SIGNED (4 + INVITE_RANDOM)
#define INVITE_LEN (INVITE_SIGNED + INVITE_MAC)
#define INVITE_DIGITS ((8 * INVITE_LEN + 4) / 5)
#define INVITE_GROUP 5

_Static_assert(
    INVITE_TEXT == INVITE_DIGITS + (INVITE_DIGITS - 1) / INVITE_GROUP + 1,
    "the text does not fit");

static const char invite_alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

/* Computes the MAC of a code's first bytes. */
static int
invite_mac(const uint8_t key[KEYFILE_LEN], const uint8_t code[INVITE_LEN],
    uint8_t mac[HASH_LEN])
{
	uint8_t msg[sizeof(INVITE_TAG) + INVITE_SIGNED];

	memcpy(msg, INVITE_TAG, sizeof(INVITE_TAG));
	memcpy(msg + sizeof(INVITE_TAG), code, INVITE_SIGNED);
	return (hash_mac(mac, key, KEYFILE_LEN, msg, sizeof(msg)));
}

/* Five bits of the code from bit number `bit` on; bits past its end are 0. */
static unsigned
invite_bits(const uint8_t code[INVITE_LEN], size_t bit)
{
	unsigned pair = (unsigned)code[bit / 8] << 8;

	if (bit / 8 + 1 < INVITE_LEN)
		pair |= code[bit / 8 + 1];
	return (pair >> (11 - bit % 8) & 31);
}

/* Reads the digits of a text; ERR_DENIED for anything else. */
static int
invite_decode(const char *text, uint8_t code[INVITE_LEN])
{
	uint8_t out[INVITE_LEN] = {0};
	size_t bit, i, n = 0;
	const char *digit;
	unsigned v;

	for (; *text != '\0'; text++) {
		if (*text == '-' || *text == ' ')
			continue;
		v = (unsigned char)*text;
		if (v >= 'A' && v <= 'Z')
			v += 'a' - 'A';
		if ((digit = strchr(invite_alphabet, (int)v)) == NULL ||
		    n == INVITE_DIGITS)
			return (ERR_DENIED);
		v = (unsigned)(digit - invite_alphabet);
		for (i = 0; i < 5; i++) {
			bit = 5 * n + i;
			if ((v >> (4 - i) & 1) == 0)
				continue;
			if (bit >= (size_t)8 * INVITE_LEN)
				return (ERR_DENIED);
			out[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
		}
		n++;
	}
	if (n != INVITE_DIGITS)
		return (ERR_DENIED);
	memcpy(code, out, INVITE_LEN);
	return (0);
}

int
invite_make(
    const uint8_t key[KEYFILE_LEN], uint32_t expiry_s, char out[INVITE_TEXT])
{
	uint8_t code[INVITE_LEN], mac[HASH_LEN];
	size_t i, n = 0;
	int r;

	for (i = 0; i < 4; i++)
		code[i] = (uint8_t)(expiry_s >> (24 - 8 * i));
	if ((r = hash_random(code + 4, INVITE_RANDOM)) != 0 ||
	    (r = invite_mac(key, code, mac)) != 0)
		return (r);
	memcpy(code + INVITE_SIGNED, mac, INVITE_MAC);
	for (i = 0; i < INVITE_DIGITS; i++) {
		if (i > 0 && i % INVITE_GROUP == 0)
			out[n++] = '-';
		out[n++] = invite_alphabet[invite_bits(code, 5 * i)];
	}
	out[n] = '\0';
	return (0);
}

int
invite_check(const uint8_t key[KEYFILE_LEN], const char *text, int64_t now_s,
    uint8_t hash[HASH_LEN])
{
	uint8_t code[INVITE_LEN], differ = 0, mac[HASH_LEN];
	int64_t expiry = 0;
	size_t i;
	int r;

	if ((r = invite_decode(text, code)) != 0 ||
	    (r = invite_mac(key, code, mac)) != 0)
		return (r);
	/* Whoever guesses learns nothing from the time that this takes. */
	for (i = 0; i < INVITE_MAC; i++)
		differ |= (uint8_t)(mac[i] ^ code[INVITE_SIGNED + i]);
	for (i = 0; i < 4; i++)
		expiry = expiry << 8 | code[i];
	if (differ != 0 || now_s > expiry)
		return (ERR_DENIED);
	return (hash_tagged(hash, INVITE_TAG, code, sizeof(code)));
}
