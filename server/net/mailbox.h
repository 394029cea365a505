/* SPDX-License-Identifier: ISC */
/*
 * How threads speak to a thread that runs an event loop: they post a mail,
 * which carries the function that the loop then calls.  Posting needs no
 * memory and cannot fail.
 */
#ifndef UMPIRE_SERVER_NET_MAILBOX_H
#define UMPIRE_SERVER_NET_MAILBOX_H

#include <sys/queue.h>

#include <stdbool.h>

struct event_base;
struct mailbox;

/* A mail; it is embedded in what it carries. */
struct mailbox_mail {
	STAILQ_ENTRY(mailbox_mail) link; /* the mailbox's own */
	/*
	 * Called in the receiving loop, once for each time that it was
	 * posted; the mail belongs to it.
	 */
	void (*take)(struct mailbox_mail *mail, void *arg);
	void *arg;
};

/*
 * Makes a mailbox that is emptied in base's loop.  *out is new.  ERR_NOMEM,
 * ERR_IO.
 */
int mailbox_new(struct event_base *base, struct mailbox **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed.  Nothing may be waiting in it. */
void mailbox_free(struct mailbox *mb);

/* Posts a mail that is in no mailbox now.  Any thread may call it. */
void mailbox_post(struct mailbox *mb, struct mailbox_mail *mail);

/*
 * Takes all that waits now, without waiting for the loop; true if there was
 * any.  Only for the thread that runs the loop, or after its end.
 */
bool mailbox_take(struct mailbox *mb);

#endif
