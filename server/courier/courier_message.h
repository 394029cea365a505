/* SPDX-License-Identifier: ISC */
/*
 * What umpired and umpired-courier say to each other: a packet of JSON each, of
 * one form at both ends.  The daemon sends jobs; the courier answers each once,
 * in any order.
 *
 *   {"id","channel":"mail","to","subject","body"}
 *   {"id","channel":"webhook","to","body"}
 *   {"id","channel":"command","body"}
 *
 *   {"id","ok":true}
 *   {"id","ok":false,"retry","own","error","cause"}
 *
 * own: the fault is this server's, and says nothing about the address.
 * error: what the player is told; cause: what the log says, if that differs.
 */
#ifndef UMPIRE_SERVER_COURIER_COURIER_MESSAGE_H
#define UMPIRE_SERVER_COURIER_COURIER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct buf;

#define COURIER_PACKET 262144 /* bytes of a packet */
#define COURIER_BODY 65536 /* bytes of a job's body */
#define COURIER_ERROR 160 /* bytes of an answer's error */
#define COURIER_SUBJECT 78 /* bytes of a subject */
#define COURIER_JOBS 16 /* jobs in hand at a time */

enum courier_channel {
	COURIER_CHANNEL_COMMAND,
	COURIER_CHANNEL_MAIL,
	COURIER_CHANNEL_WEBHOOK,
	COURIER_CHANNELS,
};

/* What became of a job. */
struct courier_verdict {
	bool ok;
	bool may_retry; /* not ok: another try may succeed */
	bool is_own; /* not ok by this server's fault, not the address's */
	/* Not ok: nobody shall learn why, nor how soon that was known. */
	bool is_concealed;
	char error[COURIER_ERROR + 1]; /* not ok: plain text for people */
	char cause[COURIER_ERROR + 1]; /* only for the log; may be "" */
};

/* A job or an answer; the texts are borrowed, from `doc` if it was read. */
struct courier_message {
	json_t *doc; /* owned; NULL if it was not read */
	int64_t id; /* 0 and up; of no other job in hand */
	bool is_answer;
	/* A job. */
	enum courier_channel channel;
	const char *to; /* address or URL; NULL for a command */
	const char *subject; /* of a mail; else NULL */
	const char *body; /* of a mail: text; else JSON */
	/* An answer. */
	struct courier_verdict verdict;
};

/* Appends a message; failures stay in the buffer. */
void courier_message_write(struct buf *out, const struct courier_message *m);

/*
 * Reads a message.  Neither end believes the other in what a header, an SMTP
 * command, a request or a log line is made of: what is unknown, left out or
 * of a wrong form is ERR_MALFORMED or ERR_INVALID; ERR_NOMEM.  *out is to be
 * cleared.
 */
int courier_message_read(const char *text, size_t len,
    struct courier_message *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees what a message that was read holds. */
void courier_message_clear(struct courier_message *m);

/*
 * Verdicts: it was not done, for the formatted reason; not, for the reason
 * that the verdict has, which becomes the cause of another one that may be
 * tried again; not, by this server's own fault, and may be tried again.
 */
void courier_verdict_fail(struct courier_verdict *v, bool may_retry,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void courier_verdict_conceal(struct courier_verdict *v, const char *error);
void courier_verdict_fail_own(struct courier_verdict *v, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
