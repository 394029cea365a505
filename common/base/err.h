/* SPDX-License-Identifier: ISC */
/*
 * The one list of error codes.  A function that can fail returns 0 or one of
 * these negative codes, and where a person needs a reason it also fills a
 * struct errinfo.  Lower layers return; the layer that decides what to do
 * logs or answers.
 */
#ifndef UMPIRE_COMMON_BASE_ERR_H
#define UMPIRE_COMMON_BASE_ERR_H

#include <stdarg.h>

enum err {
	ERR_NOMEM = -1, /* an allocation failed; nothing was changed */
	ERR_TOOBIG = -2, /* over a size limit that is part of the contract */
	ERR_IO = -3, /* a system call on a file or socket failed */
	ERR_EXISTS = -4, /* the thing to be made already exists */
	ERR_NOTFOUND = -5, /* the thing named is not there */
	ERR_MALFORMED = -6, /* the bytes do not have the form they must have */
	ERR_INVALID = -7, /* well formed, but a value is not acceptable */
	ERR_SIGNATURE = -8, /* an Ed25519 signature or key does not hold */
	ERR_PROOF = -9, /* a VRF proof or key does not hold */
	ERR_FORK = -10, /* the order's head is of another history */
	ERR_STALE = -11, /* final refusal: the record has moved on */
	ERR_ILLEGAL = -12, /* final refusal: not lawful in this state */
	ERR_NONCE = -13, /* final refusal: seat and nonce were used before */
	ERR_PENDING = -14, /* a decision is owed before the run can go on */
	ERR_DICE = -15, /* a roll is needed and no dice source was given */
	ERR_NEWER = -16, /* made by a newer umpire; cannot be judged here */
	ERR_MISSING = -17, /* a blob that is needed is not at hand */
	ERR_FAULT = -18, /* the rules code broke its own contract */
	ERR_BAD = -19, /* verify: the record does not hold */
	ERR_STORAGE = -20, /* not on disk: unknown, send the same bytes again */
	ERR_BUSY = -21, /* no room for the request now; send it again */
	ERR_DENIED = -22, /* the caller may not do this */
	ERR_LOGIN = -23, /* the method needs a login first */
	ERR_SERVER = -24, /* the order is for another server */
	ERR_METHOD = -25, /* no such method */
	ERR_TLS = -26, /* TLS failed */
	ERR_CLOSED = -27, /* the other end closed the connection */
	ERR_TIMEOUT = -28, /* a deadline passed */
	ERR_CONFIG = -29, /* the configuration is wrong */
	ERR_LIMIT = -30, /* a rate or count limit of the server */
	ERR_INTERNAL = -31, /* our own fault */
	ERR_REQUEST = -32, /* no JSON-RPC 2.0 request */
	ERR_DAMAGED = -33, /* what is stored of the game does not hold */
	ERR_CLOCK =
	    -34, /* the server's clock is in doubt: unknown, again later */
	ERR_RECOVERING = -35, /* lines may be lost: unknown, again later */
};

/*
 * Why and where something failed, for a person; no secrets, no full stop.
 * What err_set() writes is well-formed UTF-8 without control characters, so
 * that it can go to a terminal or into a reply as it is.
 *
 * The place is the path of a member of what the caller gave, such as
 * "sides.1.units[0].strength".  What is checked of an order has its root
 * where the order stands, in a line or beside its texts: "order.seat",
 * "order.args.to", "open.text", "dice".  A caller that passes on a part of
 * what it was given itself puts the part's own place before (js_within()).
 */
struct errinfo {
	char where[96]; /* place in the input, "" if none */
	char text[200]; /* lower-case sentence */
};

/*
 * Returns a short text for r (an ERR_* code, or 0: "no error"); never NULL.
 */
const char *err_text(int r);

/*
 * Returns the name of r as the protocol writes it ("stale", "storage",
 * "busy", ...); never NULL.
 */
const char *err_name(int r);

/*
 * Fills *e (which may be NULL) with the formatted text and the place where
 * ("" or NULL: none); text that is too long is cut, and bytes that are not
 * plain text become '?'.  The arguments may point into *e.  Returns r, so
 * that a caller can write `return (err_set(e, ERR_INVALID, where, "..."));`.
 */
int err_set(struct errinfo *e, int r, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* As err_set(), with a va_list. */
int err_vset(struct errinfo *e, int r, const char *where, const char *fmt,
    va_list ap) __attribute__((format(printf, 4, 0)));

#endif
