/* SPDX-License-Identifier: ISC */
/* Texts by game, the last used first, in a table of a fixed size. */
#include "server/shown.h"

#include <sys/queue.h>

#include <stdlib.h>
#include <string.h>

#include "server/io.h"
#include "server/mailbox.h"

#define SHOWN_BUCKETS 1024
#define SHOWN_PART 8 /* no text takes more than this part of all */

/* One game's text, in one piece of memory. */
struct shown_entry {
	TAILQ_ENTRY(shown_entry) used;
	LIST_ENTRY(shown_entry) bucket;
	int64_t gid;
	int64_t seq;
	size_t len;
	char text[];
};

/* A text on its way. */
struct shown_mail {
	struct mailbox_mail mail;
	int64_t gid;
	int64_t seq;
	size_t len;
	char text[];
};

TAILQ_HEAD(shown_entries, shown_entry);
LIST_HEAD(shown_bucket, shown_entry);

struct shown {
	struct shown_entries entries; /* the last used first; owned */
	struct shown_bucket buckets[SHOWN_BUCKETS];
	size_t bytes; /* this and all entries */
	size_t max;
};

int
shown_new(size_t max, struct shown **out)
{
	struct shown *sh;

	if ((sh = calloc(1, sizeof(*sh))) == NULL)
		return (ERR_NOMEM);
	TAILQ_INIT(&sh->entries);
	sh->bytes = sizeof(*sh);
	sh->max = max;
	*out = sh;
	return (0);
}

/* The bucket of a game; their numbers follow on each other. */
static struct shown_bucket *
shown_bucket_of(struct shown *sh, int64_t gid)
{
	return (&sh->buckets[(uint64_t)gid % SHOWN_BUCKETS]);
}

/* Takes an entry out and frees it. */
static void
shown_remove(struct shown *sh, struct shown_entry *en)
{
	TAILQ_REMOVE(&sh->entries, en, used);
	LIST_REMOVE(en, bucket);
	sh->bytes -= sizeof(*en) + en->len;
	free(en);
}

void
shown_free(struct shown *sh)
{
	struct shown_entry *en;

	if (sh == NULL)
		return;
	while ((en = TAILQ_FIRST(&sh->entries)) != NULL)
		shown_remove(sh, en);
	free(sh);
}

/* Finds the entry of a game; NULL. */
static struct shown_entry *
shown_entry_of(struct shown *sh, int64_t gid)
{
	struct shown_entry *en;

	LIST_FOREACH(en, shown_bucket_of(sh, gid), bucket)
	{
		if (en->gid == gid)
			return (en);
	}
	return (NULL);
}

bool
shown_find(
    struct shown *sh, int64_t gid, int64_t seq, const char **text, size_t *len)
{
	struct shown_entry *en = shown_entry_of(sh, gid);

	if (en == NULL || en->seq != seq)
		return (false);
	TAILQ_REMOVE(&sh->entries, en, used);
	TAILQ_INSERT_HEAD(&sh->entries, en, used);
	*text = en->text;
	*len = en->len;
	return (true);
}

void
shown_put(
    struct shown *sh, int64_t gid, int64_t seq, const char *text, size_t len)
{
	struct shown_entry *en = shown_entry_of(sh, gid);

	if (en != NULL)
		shown_remove(sh, en);
	if (sh->bytes > sh->max || len > sh->max / SHOWN_PART)
		return;
	while (sh->bytes + sizeof(*en) + len > sh->max) {
		en = TAILQ_LAST(&sh->entries, shown_entries);
		if (en == NULL)
			return;
		shown_remove(sh, en);
	}
	if ((en = malloc(sizeof(*en) + len)) == NULL)
		return;
	en->gid = gid;
	en->seq = seq;
	en->len = len;
	memcpy(en->text, text, len);
	TAILQ_INSERT_HEAD(&sh->entries, en, used);
	LIST_INSERT_HEAD(shown_bucket_of(sh, gid), en, bucket);
	sh->bytes += sizeof(*en) + len;
}

/* Where a game is noted. */
static _Atomic int64_t *
shown_wanted_of(struct shown_wanted *w, int64_t gid)
{
	return (&w->gids[(uint64_t)gid % SHOWN_WANTED]);
}

void
shown_want(struct shown_wanted *w, int64_t gid)
{
	_Atomic int64_t *at = shown_wanted_of(w, gid);

	/* Most ask for what others have asked for. */
	if (atomic_load_explicit(at, memory_order_relaxed) != gid)
		atomic_store(at, gid);
}

bool
shown_is_wanted(struct shown_wanted *w, int64_t gid)
{
	return (atomic_load(shown_wanted_of(w, gid)) == gid);
}

/* Keeps a text that came, in the io thread. */
static void
shown_take(struct mailbox_mail *mail, void *arg)
{
	struct shown_mail *sm = (struct shown_mail *)(void *)mail;
	struct io *io = arg;
	const struct shown_entry *en = shown_entry_of(io->shown, sm->gid);

	/* A newer one may have been made meanwhile. */
	if (en == NULL || en->seq < sm->seq)
		shown_put(io->shown, sm->gid, sm->seq, sm->text, sm->len);
	free(sm);
}

void
shown_publish(
    struct io *io, int64_t gid, int64_t seq, const char *text, size_t len)
{
	int64_t wanted = gid;
	struct shown_mail *sm;

	if (!atomic_compare_exchange_strong(
		shown_wanted_of(&io->wanted, gid), &wanted, 0) ||
	    (sm = malloc(sizeof(*sm) + len)) == NULL)
		return;
	sm->mail.take = shown_take;
	sm->mail.arg = io;
	sm->gid = gid;
	sm->seq = seq;
	sm->len = len;
	memcpy(sm->text, text, len);
	io_post(io, &sm->mail);
}

size_t
shown_bytes(const struct shown *sh)
{
	return (sh->bytes);
}
