/* SPDX-License-Identifier: ISC */
/*
 * The io thread's state and loop.  Closed sessions wait in a list until the
 * loop comes back to them, since their own callbacks may be on the stack,
 * and until the ledger has given every answer that points to them.
 */
#include "server/rpc/worker.h"

#include <assert.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "common/record/rpc.h"
#include "server/net/mailbox.h"
#include "server/net/tls.h"
#include "server/rpc/dispatch.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/lobby_feed.h"
#include "server/rpc/session.h"
#include "server/rpc/show_cache.h"
#include "server/rpc/tournament_cache.h"
#include "server/store/store.h"

#define WORKER_RESERVE 16384 /* kept for replies when memory runs out */
#define WORKER_SHOW_CACHE \
	4194304 /* bytes of answers of game.show that are kept */

/* Frees closed sessions, and says when the last one has gone. */
static void
worker_reap_cb(int fd, short what, void *arg)
{
	struct io *io = arg;
	struct session *next, *s;

	(void)fd;
	(void)what;
	for (s = TAILQ_FIRST(&io->dead); s != NULL; s = next) {
		next = TAILQ_NEXT(s, link);
		if (s->pending > 0)
			continue;
		TAILQ_REMOVE(&io->dead, s, link);
		session_free(s);
	}
	if (io->is_stopping && TAILQ_EMPTY(&io->sessions) &&
	    io->drained != NULL) {
		io->drained(io->drained_arg);
		io->drained = NULL;
	}
}

/* Makes an event loop of which only its own thread knows. */
static struct event_base *
worker_new_base(void)
{
	struct event_config *config;
	struct event_base *base = NULL;

	if ((config = event_config_new()) == NULL)
		return (NULL);
	/* After each turn of a heavy session it looks who else has come. */
	if (event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK) == 0 &&
	    event_config_set_max_dispatch_interval(
		config, NULL, 1, IO_PRIORITY_HEAVY) == 0)
		base = event_base_new_with_config(config);
	event_config_free(config);
	if (base != NULL &&
	    event_base_priority_init(base, IO_PRIORITIES) != 0) {
		event_base_free(base);
		return (NULL);
	}
	return (base);
}

/* Keeps some memory in a buffer, which it does not give back. */
static int
worker_reserve(struct buf *b)
{
	static const char zeros[WORKER_RESERVE];
	int r;

	buf_add(b, zeros, sizeof(zeros));
	r = buf_error(b);
	buf_reset(b);
	return (r);
}

void
worker_bind(struct io *io)
{
	static const struct session_feed *const feeds[] = {
	    &game_feed, &lobby_feed, NULL};

	io->table = &dispatch_table;
	io->take_line = dispatch_line;
	io->feeds = feeds;
}

int
worker_new(const struct io_shared *shared, const struct conf *conf,
    struct tls_config *tls, int64_t number, struct io **out, struct errinfo *e)
{
	struct io *io;
	int r = ERR_NOMEM;

	if ((io = calloc(1, sizeof(*io))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	io->shared = shared;
	io->live = conf->live;
	io->tls = tls_config_ref(tls);
	io->next_id = (uint64_t)number + 1;
	io->id_step = (uint64_t)conf->io_threads;
	TAILQ_INIT(&io->sessions);
	TAILQ_INIT(&io->dead);
	buf_init(&io->reply, RPC_REPLY_MAX + 1);
	buf_init(&io->raw, RPC_REPLY_MAX);
	buf_init(&io->discover, RPC_REPLY_MAX);
	worker_bind(io);
	if (worker_reserve(&io->reply) != 0 ||
	    show_cache_new(WORKER_SHOW_CACHE, &io->show_cache) != 0 ||
	    tournament_cache_new(&io->tournament_cache) != 0 ||
	    (io->base = worker_new_base()) == NULL ||
	    event_assign(&io->reap, io->base, -1, 0, worker_reap_cb, io) ==
		-1 ||
	    game_feed_init(io) != 0 || lobby_feed_init(io) != 0) {
		r = err_set(e, ERR_NOMEM, "", "out of memory");
		goto fail;
	}
	if ((r = mailbox_new(io->base, &io->mailbox)) != 0) {
		(void)err_set(e, r, "", "a thread cannot be set up");
		goto fail;
	}
	if ((r = store_open_reader(conf->database, &io->reader, e)) != 0)
		goto fail;
	*out = io;
	return (0);
fail:
	worker_free(io);
	return (r);
}

void
worker_free(struct io *io)
{
	if (io == NULL)
		return;
	assert(TAILQ_EMPTY(&io->sessions) && TAILQ_EMPTY(&io->dead));
	store_close(io->reader);
	show_cache_free(io->show_cache);
	tournament_cache_free(io->tournament_cache);
	game_feed_free(io);
	lobby_feed_clear(io);
	mailbox_free(io->mailbox);
	if (io->base != NULL)
		event_base_free(io->base);
	tls_config_unref(io->tls);
	buf_clear(&io->reply);
	buf_clear(&io->raw);
	buf_clear(&io->discover);
	free(io);
}

void
worker_run(struct io *io)
{
	struct session *s;

	(void)event_base_loop(io->base, EVLOOP_NO_EXIT_ON_EMPTY);
	while (mailbox_take(io->mailbox))
		continue;
	/* Answers that came last go out if their sockets take them. */
	(void)event_base_loop(io->base, EVLOOP_NONBLOCK);
	while ((s = TAILQ_FIRST(&io->sessions)) != NULL)
		session_close(s);
	worker_reap_cb(-1, 0, io);
}

void
worker_stop(struct io *io)
{
	struct session *next, *s;

	io->is_stopping = true;
	for (s = TAILQ_FIRST(&io->sessions); s != NULL; s = next) {
		next = TAILQ_NEXT(s, link);
		session_end(s);
	}
	event_active(&io->reap, EV_TIMEOUT, 0);
}

void
worker_quit(struct io *io)
{
	(void)event_base_loopbreak(io->base);
}

void
worker_reload(
    struct io *io, const struct conf_live *live, struct tls_config *tls)
{
	tls_config_unref(io->tls);
	io->tls = tls_config_ref(tls);
	io->live = *live;
}
