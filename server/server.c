/* SPDX-License-Identifier: ISC */
/*
 * What owns everything.  Threads only ever post to each other.  The order of
 * an end is: no more connections; sessions answer what they took, within
 * stop_timeout; the ledger writes what it holds; the io threads take its
 * last answers and end.  A ledger that failed ends the server in the same
 * way, with nothing more acknowledged.
 */
#include "server/server.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <jansson.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/crypt/keyfile.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/ledger/ledger.h"
#include "server/ledger/precompute_cache.h"
#include "server/mail/mailer.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/net/presence.h"
#include "server/net/tls.h"
#include "server/rpc/admin.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/listener.h"
#include "server/rpc/lobby_feed.h"
#include "server/rpc/rpc_key.h"
#include "server/rpc/show_cache.h"
#include "server/rpc/worker.h"

/* One io thread, and what is said to it and by it when it ends. */
struct server_thread {
	struct server *sv;
	struct io *io;
	pthread_t id;
	bool is_started;
	bool is_told; /* stop was posted */
	sem_t stopped; /* it takes no more requests */
	struct mailbox_mail stop;
	struct mailbox_mail quit;
	struct mailbox_mail drained;
};

struct server {
	const struct conf *conf; /* as at the start; borrowed */
	struct io_shared shared;
	struct event_base *base;
	struct mailbox *mailbox;
	struct listener *listener;
	struct mailer *mailer;
	struct admin *admin; /* borrowed; NULL: none */
	struct tls_config *tls;
	struct server_thread *threads; /* owned: conf->io_threads of them */
	struct io **ios; /* the same, for the listener */
	atomic_bool has_ios; /* all of them are made */
	int64_t stop_timeout_s;
	struct event stop_timer;
	size_t n_draining; /* threads with sessions left; one for notices */
	bool is_running;
	bool is_stopping;
	atomic_bool is_told; /* stop was posted */
	struct mailbox_mail stop;
	atomic_int failure; /* ERR_* of the ledger, 0: none */
};

/* Other settings on their way to an io thread. */
struct server_news {
	struct mailbox_mail mail;
	struct conf_live live;
	struct tls_config *tls; /* a reference */
};

/* The limits that the settings, which were checked, put on peers. */
static struct limits_settings
server_limits(const struct conf *conf)
{
	struct limits_settings l = {
	    .connections = conf->max_connections,
	    .per_address = conf->max_per_address,
	    .request_rate = conf->request_rate,
	    .request_burst = conf->request_burst,
	    .address_rate = conf->address_rate,
	    .address_burst = conf->address_burst,
	    .penalty_s =
		{
		    [LIMITS_FAULT_HANDSHAKE] = conf->penalty_handshake,
		    [LIMITS_FAULT_TIMEOUT] = conf->penalty_timeout,
		    [LIMITS_FAULT_MALFORMED] = conf->penalty_malformed,
		    [LIMITS_FAULT_FLOOD] = conf->penalty_flood,
		},
	    .penalty_min_s = conf->penalty_min,
	    /* Less would shut nobody out. */
	    .penalty_max_s = conf->penalty_max > conf->penalty_min
		? conf->penalty_max
		: conf->penalty_min,
	    .failure_burst = conf->failure_burst,
	    .failure_decay = conf->failure_decay,
	    .register_burst = conf->register_burst,
	    .register_decay = conf->register_decay,
	    .gateway_rate = conf->gateway_rate,
	    .gateway_burst = conf->gateway_burst,
	    .gateway_connections = conf->gateway_connections,
	    .write_quota = conf->write_quota,
	    .witnesses = conf->live.witnesses,
	    .witness_rate = conf->witness_rate,
	    .witness_burst = conf->witness_burst,
	    .witness_quota = conf->witness_quota,
	};
	int64_t startups[3] = {0, 0, 0};

	if (conf_split_startups(conf->max_startups, startups) == 0) {
		l.startups_begin = startups[0];
		l.startups_rate = startups[1];
		l.startups_full = startups[2];
	}
	if (net_list_read(conf->penalty_exempt, &l.exempt, NULL) != 0)
		l.exempt.n = 0;
	if (net_list_read(conf->gateways, &l.gateways, NULL) != 0)
		l.gateways.n = 0;
	return (l);
}

/* Those that they put on what is new. */
static struct ledger_limits
server_ledger_limits(const struct conf *conf)
{
	return ((struct ledger_limits){.max_muster = conf->max_muster,
	    .muster_ms = conf->live.muster_days * 86400000,
	    .min_free_mib = conf->min_free_disk,
	    .recovery_ms = conf->recovery_s * 1000});
}

/* Reads the three keys. */
static int
server_read_keys(struct server *sv, struct errinfo *e)
{
	const struct conf *conf = sv->conf;
	uint8_t secret[KEYFILE_LEN];
	int r;

	if ((r = keyfile_read(conf->identity_key, secret, e)) != 0)
		goto out;
	if ((r = sign_key_from_seed(&sv->shared.identity, secret)) != 0) {
		(void)err_set(e, r, "", "identity_key \"%s\" cannot be used",
		    conf->identity_key);
		goto out;
	}
	if ((r = keyfile_read(conf->dice_key, secret, e)) != 0)
		goto out;
	if ((r = vrf_key_from_secret(&sv->shared.dice, secret)) != 0) {
		(void)err_set(e, r, "", "dice_key \"%s\" is not a dice key",
		    conf->dice_key);
		goto out;
	}
	r = keyfile_read(conf->invite_key, sv->shared.invite_key, e);
out:
	explicit_bzero(secret, sizeof(secret));
	return (r);
}

/*
 * How many io threads there are to tell; on the ledger's thread, which may have
 * lines before the first is made: then nobody can have asked for them.
 */
static int64_t
server_io_count(const struct server *sv)
{
	return (atomic_load(&sv->has_ios) ? sv->conf->io_threads : 0);
}

/* Tells the watchers of a new line; on the ledger's thread. */
static void
server_published_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    const char *line, size_t len)
{
	struct server *sv = arg;
	const int64_t n = server_io_count(sv);
	int64_t i;

	(void)line;
	(void)len;
	for (i = 0; i < n; i++)
		game_feed_publish(sv->ios[i], game, seq);
}

/* True if an io thread was asked for a game's state; on the ledger's thread. */
static bool
server_wants_cb(void *arg, int64_t gid)
{
	const struct server *sv = arg;
	const int64_t n = server_io_count(sv);
	int64_t i;

	for (i = 0; i < n; i++) {
		if (show_cache_is_wanted(sv->ios[i]->show_cache, gid))
			return (true);
	}
	return (false);
}

/* Gives those threads the state of a game; on the ledger's thread. */
static void
server_stated_cb(
    void *arg, int64_t gid, int64_t seq, const char *text, size_t len)
{
	struct server *sv = arg;
	const int64_t n = server_io_count(sv);
	int64_t i;

	for (i = 0; i < n; i++)
		show_cache_send(sv->ios[i]->show_cache, gid, seq, text, len);
}

/* Tells the watchers of the lobby; on the ledger's thread. */
static void
server_listed_cb(void *arg, const struct ledger_listed *ev)
{
	struct server *sv = arg;
	const int64_t n = server_io_count(sv);
	int64_t i;

	for (i = 0; i < n; i++)
		lobby_feed_publish(sv->ios[i], ev);
}

/* Tells the watchers of a text that was erased; on the ledger's thread. */
static void
server_erased_cb(void *arg, const struct ledger_erased *ev)
{
	struct server *sv = arg;
	const int64_t n = server_io_count(sv);
	int64_t i;

	for (i = 0; i < n; i++) {
		game_feed_erase(sv->ios[i], ev);
		lobby_feed_erase(sv->ios[i], ev);
	}
}

/* Cuts the sessions of keys that were dropped; on the ledger's thread. */
static void
server_rekeyed_cb(void *arg, const char *account)
{
	struct server *sv = arg;
	const int64_t n = server_io_count(sv);
	int64_t i;

	for (i = 0; i < n; i++)
		rpc_key_changed(sv->ios[i], account);
}

/* Ends the server because the ledger cannot go on; on its thread. */
static void
server_failed_cb(void *arg, const struct errinfo *e)
{
	struct server *sv = arg;

	log_errorx("stopping: %s", e->text);
	atomic_store(&sv->failure, ERR_STORAGE);
	server_stop(sv);
}

/* Looks for notices because there may be some; on any thread. */
static void
server_waiting_cb(void *arg)
{
	const struct server *sv = arg;

	mailer_poke(sv->mailer);
}

/* The same because an account has gone. */
static void
server_left_cb(void *arg, const char *account)
{
	(void)account;
	server_waiting_cb(arg);
}

/* Posts that a thread has no sessions left; on that thread. */
static void
server_drained_cb(void *arg)
{
	struct server_thread *t = arg;

	mailbox_post(t->sv->mailbox, &t->drained);
}

/* Notes that a thread has no sessions left, or that notices are done with. */
static void
server_note_drained(void *arg)
{
	struct server *sv = arg;

	if (--sv->n_draining == 0)
		(void)event_base_loopbreak(sv->base);
}

/* Takes the word of a thread. */
static void
server_take_drained(struct mailbox_mail *mail, void *arg)
{
	(void)mail;
	server_note_drained(arg);
}

/* Tells an io thread's loop to stop, in that thread. */
static void
server_take_io_stop(struct mailbox_mail *mail, void *arg)
{
	struct server_thread *t = arg;

	(void)mail;
	worker_stop(t->io);
	(void)sem_post(&t->stopped);
}

/* Ends an io thread's loop, in that thread. */
static void
server_take_io_quit(struct mailbox_mail *mail, void *arg)
{
	(void)mail;
	worker_quit(arg);
}

/* Tells the io threads to take no more requests, once. */
static void
server_tell_stop(struct server *sv)
{
	struct server_thread *t;
	int64_t i;

	for (i = 0; i < sv->conf->io_threads; i++) {
		t = &sv->threads[i];
		if (!t->is_started || t->is_told)
			continue;
		t->is_told = true;
		mailbox_post(t->io->mailbox, &t->stop);
	}
}

/* Begins the end of the server. */
static void
server_take_stop(struct mailbox_mail *mail, void *arg)
{
	struct server *sv = arg;
	const struct timeval tv = {.tv_sec = sv->stop_timeout_s};

	(void)mail;
	sv->is_stopping = true;
	if (!sv->is_running)
		return;
	listener_stop(sv->listener);
	admin_stop(sv->admin);
	log_info("stopping");
	if (event_add(&sv->stop_timer, &tv) == -1) {
		(void)event_base_loopbreak(sv->base);
		return;
	}
	server_tell_stop(sv);
	mailer_stop(sv->mailer, sv->stop_timeout_s, server_note_drained, sv);
}

/* Waits no longer for clients. */
static void
server_stop_timer_cb(int fd, short what, void *arg)
{
	struct server *sv = arg;

	(void)fd;
	(void)what;
	log_warnx("some clients did not read their answers in time, or some "
		  "notices were not sent");
	(void)event_base_loopbreak(sv->base);
}

void
server_stop(struct server *sv)
{
	if (!atomic_exchange(&sv->is_told, true))
		mailbox_post(sv->mailbox, &sv->stop);
}

/* The body of an io thread. */
static void *
server_thread_main(void *arg)
{
	struct server_thread *t = arg;

	worker_run(t->io);
	return (NULL);
}

/* Starts the ledger. */
static int
server_start_ledger(struct server *sv, struct errinfo *e)
{
	const struct ledger_config config = {
	    .database = sv->conf->database,
	    .identity = &sv->shared.identity,
	    .dice = &sv->shared.dice,
	    .queue_max = (size_t)sv->conf->queue_max,
	    .batch_us = LEDGER_BATCH_US,
	    .blob_quota = sv->conf->blob_quota,
	    .limits = server_ledger_limits(sv->conf),
	    .published = server_published_cb,
	    .waiting = server_waiting_cb,
	    .channels = mailer_channels(sv->conf),
	    .notify_delay_ms = 1000 * sv->conf->notify_delay,
	    .listed = server_listed_cb,
	    .rekeyed = server_rekeyed_cb,
	    .erased = server_erased_cb,
	    .wants = server_wants_cb,
	    .stated = server_stated_cb,
	    .precompute_cache = sv->shared.precompute_cache,
	    .failed = server_failed_cb,
	    .arg = sv,
	};

	return (ledger_start(&config, &sv->shared.ledger, e));
}

/* Makes the io threads' states. */
static int
server_make_threads(struct server *sv, struct errinfo *e)
{
	const size_t n = (size_t)sv->conf->io_threads;
	struct server_thread *t;
	size_t i;
	int r;

	sv->threads = calloc(n, sizeof(*sv->threads));
	sv->ios = calloc(n, sizeof(*sv->ios));
	if (sv->threads == NULL || sv->ios == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	for (i = 0; i < n; i++) {
		t = &sv->threads[i];
		t->sv = sv;
		if (sem_init(&t->stopped, 0, 0) == -1)
			return (err_set(e, ERR_NOMEM, "", "out of memory"));
		r = worker_new(
		    &sv->shared, sv->conf, sv->tls, (int64_t)i, &t->io, e);
		if (r != 0)
			return (r);
		t->io->drained = server_drained_cb;
		t->io->drained_arg = t;
		t->stop.take = server_take_io_stop;
		t->quit.take = server_take_io_quit;
		t->stop.arg = t;
		t->quit.arg = t->io;
		t->drained.take = server_take_drained;
		t->drained.arg = sv;
		sv->ios[i] = t->io;
	}
	sv->n_draining = n + 1;
	atomic_store(&sv->has_ios, true);
	return (0);
}

/* Starts the io threads, so that signals stay with the caller's thread. */
static int
server_start_threads(struct server *sv, struct errinfo *e)
{
	struct server_thread *t = sv->threads;
	sigset_t all, before;
	int64_t i;
	int error = 0;

	(void)sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
		return (
		    err_set(e, ERR_INTERNAL, "", "a thread cannot be started"));
	for (i = 0; error == 0 && i < sv->conf->io_threads; i++, t++) {
		error = pthread_create(&t->id, NULL, server_thread_main, t);
		t->is_started = error == 0;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0)
		return (
		    err_set(e, ERR_NOMEM, "", "a thread cannot be started"));
	return (0);
}

/* Sets up what all else needs. */
static int
server_init(struct server *sv, struct spawner *spawner, struct errinfo *e)
{
	const struct limits_settings limits = server_limits(sv->conf);

	/* jansson's hash must be seeded before there are threads. */
	json_object_seed(0);
	sv->stop.take = server_take_stop;
	sv->stop.arg = sv;
	sv->stop_timeout_s = sv->conf->live.stop_timeout;
	if ((sv->base = event_base_new()) == NULL ||
	    mailbox_new(sv->base, &sv->mailbox) != 0 ||
	    event_assign(&sv->stop_timer, sv->base, -1, 0, server_stop_timer_cb,
		sv) == -1 ||
	    limits_new(&limits, &sv->shared.limits) != 0 ||
	    precompute_cache_new(
		PRECOMPUTE_CACHE_GAMES, &sv->shared.precompute_cache) != 0 ||
	    presence_new(server_left_cb, sv, &sv->shared.presence) != 0 ||
	    mailer_new(sv->base, sv->mailbox, spawner, &sv->mailer) != 0)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	return (0);
}

int
server_new(const struct conf *conf, struct spawner *spawner,
    struct server **out, struct errinfo *e)
{
	struct server *sv;
	int r;

	if ((sv = calloc(1, sizeof(*sv))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	sv->conf = conf;
	atomic_init(&sv->has_ios, false);
	atomic_init(&sv->is_told, false);
	atomic_init(&sv->failure, 0);
	if ((r = server_init(sv, spawner, e)) != 0 ||
	    (r = server_read_keys(sv, e)) != 0 ||
	    (r = tls_config_new(conf->tls_cert, conf->tls_key, &sv->tls, e)) !=
		0 ||
	    (r = listener_new(
		 conf->listen, sv->shared.limits, &sv->listener, e)) != 0 ||
	    (r = server_start_ledger(sv, e)) != 0 ||
	    (r = mailer_start(sv->mailer, conf, sv->shared.ledger,
		 sv->shared.presence, sv->shared.limits, e)) != 0 ||
	    (r = server_make_threads(sv, e)) != 0 ||
	    (r = server_start_threads(sv, e)) != 0) {
		server_free(sv);
		return (r);
	}
	*out = sv;
	return (0);
}

/*
 * Ends the ledger and then the io threads, which take its last answers.  The
 * ledger may only go when no thread gives it anything any more.
 */
static void
server_end_threads(struct server *sv)
{
	struct server_thread *t;
	int64_t i, n = sv->threads == NULL ? 0 : sv->conf->io_threads;

	if (n > 0)
		server_tell_stop(sv);
	for (i = 0; i < n; i++) {
		t = &sv->threads[i];
		while (t->is_started && sem_wait(&t->stopped) == -1)
			continue;
	}
	ledger_stop(sv->shared.ledger);
	sv->shared.ledger = NULL;
	for (i = 0; i < n; i++) {
		t = &sv->threads[i];
		if (!t->is_started)
			continue;
		mailbox_post(t->io->mailbox, &t->quit);
		(void)pthread_join(t->id, NULL);
		t->is_started = false;
	}
}

void
server_free(struct server *sv)
{
	int64_t i;

	if (sv == NULL)
		return;
	if (sv->listener != NULL)
		listener_stop(sv->listener);
	admin_stop(sv->admin);
	server_end_threads(sv);
	/* It takes what is in the mailbox; some of that is the threads'. */
	mailer_free(sv->mailer);
	for (i = 0; sv->threads != NULL && i < sv->conf->io_threads; i++) {
		worker_free(sv->threads[i].io);
		(void)sem_destroy(&sv->threads[i].stopped);
	}
	free(sv->threads);
	free(sv->ios);
	listener_free(sv->listener);
	tls_config_unref(sv->tls);
	limits_free(sv->shared.limits);
	precompute_cache_free(sv->shared.precompute_cache);
	presence_free(sv->shared.presence);
	mailbox_free(sv->mailbox);
	if (sv->base != NULL)
		event_base_free(sv->base);
	sign_key_clear(&sv->shared.identity);
	vrf_key_clear(&sv->shared.dice);
	explicit_bzero(sv->shared.invite_key, sizeof(sv->shared.invite_key));
	free(sv);
}

int
server_admit(struct server *sv, struct admin *admin, struct errinfo *e)
{
	int r;

	if ((r = admin_start(
		 admin, sv->base, sv->mailbox, sv->shared.ledger)) != 0)
		return (err_set(e, r, "", "out of memory"));
	sv->admin = admin;
	return (0);
}

struct event_base *
server_base(struct server *sv)
{
	return (sv->base);
}

struct presence *
server_presence(const struct server *sv)
{
	return (sv->shared.presence);
}

uint16_t
server_port(const struct server *sv)
{
	return (listener_port(sv->listener, 0));
}

/* Writes the ports into the file that the settings name, whole or not. */
static int
server_write_ports(struct server *sv, struct errinfo *e)
{
	const char *path = sv->conf->port_file;
	char *temporary;
	FILE *f;
	size_t i;
	bool ok;

	if (path[0] == '\0')
		return (0);
	if (asprintf(&temporary, "%s.new", path) == -1)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	ok = (f = fopen(temporary, "we")) != NULL;
	for (i = 0; ok && i < listener_count(sv->listener); i++)
		ok = fprintf(f, "%u\n", listener_port(sv->listener, i)) > 0;
	if (f != NULL && fclose(f) != 0)
		ok = false;
	ok = ok && rename(temporary, path) == 0;
	if (!ok) {
		(void)err_set(e, ERR_IO, "",
		    "cannot write port_file \"%s\": %s", path, strerror(errno));
		(void)unlink(temporary);
	}
	free(temporary);
	return (ok ? 0 : ERR_IO);
}

int
server_run(struct server *sv, int (*begin)(void *arg, struct errinfo *e),
    void *arg, struct errinfo *e)
{
	int r;

	if ((r = server_write_ports(sv, e)) != 0 ||
	    (begin != NULL && (r = begin(arg, e)) != 0))
		return (r);
	if ((r = listener_start(
		 sv->listener, sv->ios, (size_t)sv->conf->io_threads)) != 0)
		return (err_set(e, r, "", "out of memory"));
	listener_log(sv->listener);
	sv->is_running = true;
	if (!sv->is_stopping)
		(void)event_base_dispatch(sv->base);
	(void)event_del(&sv->stop_timer);
	listener_stop(sv->listener);
	admin_stop(sv->admin);
	server_end_threads(sv);
	sv->is_running = false;
	if ((r = atomic_load(&sv->failure)) != 0)
		(void)err_set(e, r, "", "the ledger failed");
	else
		log_info("stopped");
	return (r);
}

/* Takes other settings, in an io thread. */
static void
server_take_news(struct mailbox_mail *mail, void *arg)
{
	struct server_news *news = (struct server_news *)(void *)mail;

	worker_reload(arg, &news->live, news->tls);
	tls_config_unref(news->tls);
	free(news);
}

/* Tells the io threads of other settings. */
static void
server_tell(struct server *sv, const struct conf_live *live)
{
	struct server_news *news;
	int64_t i;

	for (i = 0; i < sv->conf->io_threads; i++) {
		if ((news = calloc(1, sizeof(*news))) == NULL) {
			log_errorx("settings not reread everywhere: out of "
				   "memory; send SIGHUP again");
			return;
		}
		news->mail.take = server_take_news;
		news->mail.arg = sv->ios[i];
		news->live = *live;
		news->tls = tls_config_ref(sv->tls);
		mailbox_post(sv->ios[i]->mailbox, &news->mail);
	}
}

void
server_reload(struct server *sv, const struct conf *conf)
{
	const struct limits_settings limits = server_limits(conf);
	const struct ledger_limits fresh = server_ledger_limits(conf);
	const struct conf_key *keys;
	struct tls_config *tls;
	struct errinfo e = {0};
	size_t i, n;

	keys = conf_keys(&n);
	for (i = 0; i < n; i++) {
		if (conf_needs_restart(sv->conf, conf, i))
			log_warnx(
			    "setting \"%s\" takes effect at the next start",
			    keys[i].name);
	}
	if (tls_config_new(conf->tls_cert, conf->tls_key, &tls, &e) == 0) {
		tls_config_unref(sv->tls);
		sv->tls = tls;
	} else {
		log_errorx("the certificate stays as it was: %s", e.text);
	}
	log_set_level((enum log_level)conf->log_level);
	limits_set(sv->shared.limits, &limits);
	ledger_set_limits(sv->shared.ledger, &fresh);
	sv->stop_timeout_s = conf->live.stop_timeout;
	server_tell(sv, &conf->live);
	mailer_reload(sv->mailer, conf);
	log_info("settings reread");
}
