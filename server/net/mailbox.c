/* SPDX-License-Identifier: ISC */
/*
 * A list under a lock and an eventfd that wakes the loop.  The whole list is
 * taken at once, so that the lock is held for a few instructions and mails
 * posted meanwhile wait for the next round.
 */
#include "server/net/mailbox.h"

#include <sys/eventfd.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/err.h"

STAILQ_HEAD(mailbox_list, mailbox_mail);

struct mailbox {
	pthread_mutex_t lock; /* of list */
	struct mailbox_list list;
	int fd; /* readable when there is something in list */
	struct event event;
};

/* Takes what waits. */
static void
mailbox_wake_cb(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)mailbox_take(arg);
}

int
mailbox_new(struct event_base *base, struct mailbox **out)
{
	struct mailbox *mb;
	int r = ERR_NOMEM;

	if ((mb = calloc(1, sizeof(*mb))) == NULL)
		return (ERR_NOMEM);
	STAILQ_INIT(&mb->list);
	if (pthread_mutex_init(&mb->lock, NULL) != 0)
		goto fail;
	if ((mb->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) == -1) {
		r = ERR_IO;
		goto fail_lock;
	}
	if (event_assign(&mb->event, base, mb->fd, EV_READ | EV_PERSIST,
		mailbox_wake_cb, mb) == -1 ||
	    event_add(&mb->event, NULL) == -1)
		goto fail_fd;
	*out = mb;
	return (0);
fail_fd:
	(void)close(mb->fd);
fail_lock:
	(void)pthread_mutex_destroy(&mb->lock);
fail:
	free(mb);
	return (r);
}

void
mailbox_free(struct mailbox *mb)
{
	if (mb == NULL)
		return;
	(void)event_del(&mb->event);
	(void)close(mb->fd);
	(void)pthread_mutex_destroy(&mb->lock);
	free(mb);
}

void
mailbox_post(struct mailbox *mb, struct mailbox_mail *mail)
{
	const uint64_t one = 1;
	bool was_empty;

	(void)pthread_mutex_lock(&mb->lock);
	was_empty = STAILQ_EMPTY(&mb->list);
	STAILQ_INSERT_TAIL(&mb->list, mail, link);
	/*
	 * Under the lock, so that the mailbox outlives the write if its owner
	 * frees it on this very mail.
	 */
	while (was_empty && write(mb->fd, &one, sizeof(one)) == -1 &&
	    errno == EINTR)
		continue;
	(void)pthread_mutex_unlock(&mb->lock);
}

bool
mailbox_take(struct mailbox *mb)
{
	struct mailbox_list list = STAILQ_HEAD_INITIALIZER(list);
	struct mailbox_mail *mail;
	uint64_t count;
	bool had;

	/*
	 * Before the lock, so that whoever has posted is mostly gone from it;
	 * what is posted in between is taken now, and at worst wakes us for
	 * nothing later.  Empty already if nothing was posted.
	 */
	while (read(mb->fd, &count, sizeof(count)) == -1 && errno == EINTR)
		continue;
	(void)pthread_mutex_lock(&mb->lock);
	STAILQ_CONCAT(&list, &mb->list);
	(void)pthread_mutex_unlock(&mb->lock);
	had = !STAILQ_EMPTY(&list);
	while ((mail = STAILQ_FIRST(&list)) != NULL) {
		STAILQ_REMOVE_HEAD(&list, link);
		mail->take(mail, mail->arg);
	}
	return (had);
}
