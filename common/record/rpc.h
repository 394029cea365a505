/* SPDX-License-Identifier: ISC */
/*
 * JSON-RPC 2.0 messages, one object a line, and the one table of the
 * protocol's error codes (umpire-protocol.7).
 */
#ifndef UMPIRE_COMMON_RECORD_RPC_H
#define UMPIRE_COMMON_RECORD_RPC_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct buf;

#define RPC_REQUEST_MAX 65536 /* bytes of a request, without LF */
#define RPC_VALUES_MAX 4096 /* objects, arrays, members and such of one */
#define RPC_ID_MAX                                                 \
	256 /* bytes of an id that is text: it is kept, and echoed \
	     */
#define RPC_REPLY_MAX 1048576 /* bytes of a reply or notice, without LF */

/* A request as it came; rpc_request_clear() frees it. */
struct rpc_request {
	json_t *root; /* owned: the whole message */
	const json_t *id; /* borrowed from root; NULL for a notification */
	const char *method; /* borrowed */
	json_t *params; /* borrowed: an object; empty if none was sent */
};

/*
 * Reads one request.  ERR_MALFORMED (not JSON of the profile), ERR_INVALID
 * (not a JSON-RPC 2.0 request; a batch, params that are not an object, an id
 * that is too long and unknown members are among these), ERR_TOOBIG (too many
 * values), ERR_NOMEM.  After ERR_INVALID *id_out, if id_out is not NULL, is the
 * request's id where it could be read, new, else NULL; otherwise it is NULL.
 * The answer to ERR_INVALID is JSON-RPC's -32600: rpc_write_error() with
 * ERR_REQUEST, since ERR_INVALID itself stands for -32602, bad params.
 */
int rpc_request_parse(const char *line, size_t len, struct rpc_request *rq,
    json_t **id_out, struct errinfo *e) __attribute__((warn_unused_result));

/* Frees what rpc_request_parse() gave. */
void rpc_request_clear(struct rpc_request *rq);

/*
 * What follows appends to *out; failures stay in the buffer, whose contents
 * then end in the middle of a message.
 */

/* Appends a request with its LF; params is borrowed, NULL for none. */
void rpc_write_request(
    struct buf *out, int64_t id, const char *method, const json_t *params);

/* Appends a reply with its LF; id (NULL: null) and result are borrowed. */
void rpc_write_result(struct buf *out, const json_t *id, const json_t *result);

/*
 * Appends an error reply with its LF: code and data.name of ERR_* r (see
 * rpc_code()), message and data.where from e (may be NULL; where "" is left
 * out), and the members of data (borrowed, may be NULL) beside them but for
 * any called "name" or "where".
 */
void rpc_write_error(struct buf *out, const json_t *id, int r,
    const struct errinfo *e, const json_t *data);

/* Appends a notice (a request without id) with its LF. */
void rpc_write_notice(
    struct buf *out, const char *method, const json_t *params);

/*
 * The JSON-RPC code of an ERR_* code: -32700 ... or a small positive one.
 * ERR_NOMEM is answered as ERR_BUSY, and what a client can do nothing about
 * (ERR_IO, ERR_DICE, ERR_BAD, ERR_TLS, ERR_CLOSED, ERR_CONFIG) as
 * ERR_INTERNAL, the name in data too.
 */
int rpc_code(int r);

/* The ERR_* code of a JSON-RPC code; ERR_INTERNAL for one not known. */
int rpc_err(int code);

/*
 * A reply or notice as a client reads it; rpc_reply_clear() frees it.  Its
 * texts are as the server sent them, control characters too; err_set() makes
 * them fit for a terminal.
 */
struct rpc_reply {
	json_t *root; /* owned */
	int64_t id; /* -1: a notice, or an error without id */
	const char *method; /* notice: borrowed; else NULL */
	const json_t *params; /* notice: borrowed, an object or NULL */
	json_t *result; /* borrowed; NULL for errors and notices */
	int code; /* error's code, 0 if none */
	int r; /* rpc_err(code), 0 if none */
	const char *message; /* borrowed; error only */
	const char *where; /* borrowed; "" if none */
	const json_t *data; /* borrowed; error's data or NULL */
};

/* Reads one reply or notice.  ERR_MALFORMED, ERR_INVALID, ERR_NOMEM. */
int rpc_reply_parse(const char *line, size_t len, struct rpc_reply *rp,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Frees what rpc_reply_parse() gave. */
void rpc_reply_clear(struct rpc_reply *rp);

#endif
