/* SPDX-License-Identifier: ISC */
/*
 * Names and texts of the error codes, and the one place where a reason for
 * people is put together.  A reason often quotes what came from outside, so
 * it is made plain here, once.
 */
#include "common/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/base/utf8.h"

struct err_word {
	const char *name; /* in the protocol */
	const char *text; /* for people */
};

/* By the negated code. */
static const struct err_word err_words[] = {
    [0] = {"none", "no error"},
    [-ERR_NOMEM] = {"no-memory", "out of memory"},
    [-ERR_TOOBIG] = {"too-big", "too big"},
    [-ERR_IO] = {"io", "input or output failed"},
    [-ERR_EXISTS] = {"exists", "already exists"},
    [-ERR_NOTFOUND] = {"not-found", "not found"},
    [-ERR_MALFORMED] = {"malformed", "malformed"},
    [-ERR_INVALID] = {"invalid", "a value is not acceptable"},
    [-ERR_SIGNATURE] = {"signature", "the signature does not hold"},
    [-ERR_PROOF] = {"proof", "the proof does not hold"},
    [-ERR_FORK] = {"fork", "the record has a different history"},
    [-ERR_STALE] = {"stale", "the record has moved on"},
    [-ERR_ILLEGAL] = {"illegal", "not lawful now"},
    [-ERR_NONCE] = {"nonce-used", "the nonce was used before"},
    [-ERR_PENDING] = {"pending", "a decision is owed first"},
    [-ERR_DICE] = {"dice", "a roll is needed and there are no dice"},
    [-ERR_NEWER] = {"newer", "made by a newer umpire"},
    [-ERR_MISSING] = {"missing", "a roster, table or bag is not at hand"},
    [-ERR_FAULT] = {"fault", "the rules code is at fault"},
    [-ERR_BAD] = {"bad", "the record does not hold"},
    [-ERR_STORAGE] = {"storage",
	"not known to be on disk; send the same bytes again"},
    [-ERR_BUSY] = {"busy", "no room for the request now; send it again"},
    [-ERR_DENIED] = {"denied", "not allowed"},
    [-ERR_LOGIN] = {"login", "log in first"},
    [-ERR_SERVER] = {"other-server", "the order is for another server"},
    [-ERR_METHOD] = {"method", "no such method"},
    [-ERR_TLS] = {"tls", "tls failed"},
    [-ERR_CLOSED] = {"closed", "the other end closed the connection"},
    [-ERR_TIMEOUT] = {"timeout", "the time is up"},
    [-ERR_CONFIG] = {"config", "the configuration is wrong"},
    [-ERR_LIMIT] = {"limit", "a limit of the server is reached"},
    [-ERR_INTERNAL] = {"internal", "internal error"},
    [-ERR_REQUEST] = {"request", "not a JSON-RPC 2.0 request"},
    [-ERR_DAMAGED] = {"damaged",
	"the game is damaged on the server; its operator must repair it"},
    [-ERR_CLOCK] = {"clock",
	"the server's clock is not right; it takes no orders until it is"},
    [-ERR_RECOVERING] = {"recovering",
	"an old backup of the server was put back and lines of the game may "
	"be missing; it takes no orders until players have brought them"},
};

/* Finds the words for r; those of ERR_INTERNAL if r is not a code at all. */
static const struct err_word *
err_find(int r)
{
	const int n = sizeof(err_words) / sizeof(err_words[0]);

	if (r > 0 || r <= -n)
		r = ERR_INTERNAL;
	return (&err_words[-r]);
}

const char *
err_text(int r)
{
	return (err_find(r)->text);
}

const char *
err_name(int r)
{
	return (err_find(r)->name);
}

/* Copies as many whole characters as fit, those not plain as '?'. */
static void
err_copy(char *out, size_t size, const char *s)
{
	size_t len = strlen(s), n, used = 0;
	uint32_t cp;

	while (len > 0) {
		n = utf8_get(s, len, &cp);
		if (used + (n == 0 ? 1 : n) >= size)
			break;
		if (n == 0 || !utf8_is_plain(cp)) {
			out[used++] = '?';
		} else {
			memcpy(out + used, s, n);
			used += n;
		}
		s += n == 0 ? 1 : n;
		len -= n == 0 ? 1 : n;
	}
	out[used] = '\0';
}

int
err_vset(
    struct errinfo *e, int r, const char *where, const char *fmt, va_list ap)
{
	char text[2 * sizeof(e->text)];
	struct errinfo new;

	if (e == NULL)
		return (r);
	if (vsnprintf(text, sizeof(text), fmt, ap) < 0)
		text[0] = '\0';
	err_copy(new.where, sizeof(new.where), where == NULL ? "" : where);
	err_copy(new.text, sizeof(new.text), text);
	*e = new;
	return (r);
}

int
err_set(struct errinfo *e, int r, const char *where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)err_vset(e, r, where, fmt, ap);
	va_end(ap);
	return (r);
}
