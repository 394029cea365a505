/* SPDX-License-Identifier: ISC */
/*
 * What umpired and umpired-courier say to each other: a line of JSON each.
 * The daemon's first line is the settings, all others are jobs; the courier
 * answers each job once, in any order.
 *
 *   {"core_dumps","notify_command","smtp_url","smtp_from","smtp_user",
 *    "smtp_password_file","smtp_ca","webhook_networks","webhook_ports",
 *    "webhook_connect","webhook_ca"}
 *   {"id","channel":"mail","to","subject","body"}
 *   {"id","channel":"webhook","to","body"}
 *   {"id","channel":"command","body"}
 *
 *   {"id","ok":true}
 *   {"id","ok":false,"retry","own","error","cause"}
 *
 * own: the fault is this server's, and says nothing about the address.
 * error: what the player is told; cause: what the log says, if it is another.
 *
 * This header is both ends'; courier_wire.c is the courier's.
 */
#ifndef UMPIRE_SERVER_COURIER_COURIER_MESSAGE_H
#define UMPIRE_SERVER_COURIER_COURIER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "server/base/address.h"
#include "server/base/net.h"

struct buf;

#define COURIER_WIRE_LINE 262144 /* bytes of a line to the courier */
#define COURIER_WIRE_ANSWER 1024 /* bytes of a line to the daemon */
#define COURIER_WIRE_BODY 65536 /* bytes of a job's body */
#define COURIER_WIRE_ERROR 160 /* bytes of an answer's error */
#define COURIER_WIRE_SUBJECT 78 /* bytes of a subject */
#define COURIER_WIRE_CONNECT 20 /* seconds to reach a receiver, at most */
#define COURIER_WIRE_JOBS 16 /* jobs in hand at one time */

enum courier_wire_channel {
	COURIER_WIRE_COMMAND,
	COURIER_WIRE_MAIL,
	COURIER_WIRE_WEBHOOK,
};

/* The settings; the texts are borrowed from `doc`. */
struct courier_wire_settings {
	json_t *doc; /* owned */
	bool core_dumps;
	const char *notify_command; /* "": none; likewise the others */
	const char *smtp_url;
	const char *smtp_from;
	const char *smtp_user;
	const char *smtp_password_file;
	const char *smtp_ca;
	struct net_list webhook_networks;
	struct address_ports webhook_ports;
	int64_t webhook_connect; /* seconds */
	const char *webhook_ca;
};

/* A job; the texts are borrowed from `doc`. */
struct courier_wire_job {
	json_t *doc; /* owned */
	int64_t id;
	enum courier_wire_channel channel;
	const char *to; /* address or URL; NULL for a command */
	const char *subject; /* of a mail; else NULL */
	const char *body;
	size_t body_len;
};

/* What became of a job. */
struct courier_wire_verdict {
	bool ok;
	bool may_retry; /* not ok: another try may succeed */
	bool is_own; /* not ok by this server's fault, not the address's */
	/* Not ok: nobody shall learn why, nor how soon that was known. */
	bool is_concealed;
	char error[COURIER_WIRE_ERROR + 1]; /* not ok: plain text for people */
	char cause[COURIER_WIRE_ERROR + 1]; /* for the log alone; may be "" */
};

/*
 * Reads a line; what it does not know, leaves out or cannot hold is
 * ERR_MALFORMED or ERR_INVALID; ERR_NOMEM.  *out is to be cleared.
 */
int courier_wire_read_settings(const char *line, size_t len,
    struct courier_wire_settings *out, struct errinfo *e)
    __attribute__((warn_unused_result));
int courier_wire_read_job(const char *line, size_t len,
    struct courier_wire_job *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Free what they hold. */
void courier_wire_clear_settings(struct courier_wire_settings *s);
void courier_wire_clear_job(struct courier_wire_job *job);

/* Appends an answer and its line end; failures stay in the buffer. */
void courier_wire_answer(
    struct buf *out, int64_t id, const struct courier_wire_verdict *v);

/*
 * Verdicts: it was done; not, for the formatted reason; not, for the reason
 * that the verdict has, which becomes the cause of another one that may be
 * tried again; not, by this server's own fault, and may be tried again.
 */
void courier_wire_succeed(struct courier_wire_verdict *v);
void courier_wire_fail(struct courier_wire_verdict *v, bool may_retry,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void courier_wire_conceal(struct courier_wire_verdict *v, const char *error);
void courier_wire_fail_own(struct courier_wire_verdict *v, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
