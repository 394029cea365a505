/* SPDX-License-Identifier: ISC */
/*
 * The program: its command line, its place in the system, and the exit status.
 * Everything happens in one thread, in one loop.
 */
#include <sys/prctl.h>
#include <sys/resource.h>

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "server/base/log.h"
#include "web/page/page.h"
#include "web/web_admin.h"
#include "web/web_cache.h"
#include "web/web_check.h"
#include "web/web_conf.h"
#include "web/web_cup.h"
#include "web/web_feed.h"
#include "web/web_find.h"
#include "web/web_forget.h"
#include "web/web_game.h"
#include "web/web_games.h"
#include "web/web_http.h"
#include "web/web_link.h"
#include "web/web_list.h"
#include "web/web_make.h"
#include "web/web_painter.h"
#include "web/web_past.h"
#include "web/web_png.h"
#include "web/web_route.h"
#include "web/web_sandbox.h"
#include "web/web_site.h"
#include "web/web_static.h"
#include "web/web_stream.h"

#define MAIN_CONF SYSCONFDIR "/umpire-web.conf"
#define MAIN_KEY_FILE 4096 /* bytes of the file of a kept key, at most */

enum main_mode {
	MAIN_RUN,
	MAIN_CHECK,
	MAIN_PRINT_CONFIG,
	MAIN_ROUTES,
};

struct main_options {
	enum main_mode mode;
	const char *path;
	const char **overrides; /* owned */
	size_t n;
};

/* What runs. */
struct main_web {
	struct web_site site;
	struct web_admin *admin;
	struct event *signals[2];
	char *csp; /* owned: of /verify */
	char *host; /* owned */
	char *port; /* owned */
	int lock; /* of the cache; -1 */
	bool has_key;
	uint8_t key[SIGN_KEY_LEN];
};

static const char main_usage[] =
    "usage: umpire-web [-c file] [-o key=value]... [--check]\n"
    "       umpire-web --print-config | --routes | --help | --version\n";

/* The exit status that says what kind of failure r is. */
static int
main_status(int r)
{
	switch (r) {
	case 0:
		return (EX_OK);
	case ERR_CONFIG:
	case ERR_MALFORMED:
		return (EX_CONFIG);
	case ERR_NOTFOUND:
		return (EX_NOINPUT);
	case ERR_BUSY:
		return (EX_TEMPFAIL);
	case ERR_IO:
		return (EX_IOERR);
	default:
		return (EX_SOFTWARE);
	}
}

/* Says why it ends; returns the exit status. */
static int
main_fail(int r, const struct errinfo *e)
{
	(void)fprintf(stderr, "umpire-web: %s%s%s\n", e->where,
	    e->where[0] == '\0' ? "" : ": ",
	    e->text[0] == '\0' ? err_text(r) : e->text);
	return (main_status(r));
}

/* Prints the table of addresses: tests and crawls go by it. */
static void
main_routes(void)
{
	const struct web_route *rt;
	size_t i, n;

	rt = web_route_all(&n);
	for (i = 0; i < n; i++)
		(void)printf("%s\t%s\t%s\t%s\t%s\t%s\n", rt[i].pattern,
		    rt[i].type, web_route_keep_name(rt[i].keep),
		    web_route_csp_name(rt[i].csp), rt[i].query, rt[i].about);
}

/* Reads the command line; -1, or the status to end with. */
static int
main_options(int argc, char **argv, struct main_options *opt)
{
	enum { CHECK = 256, PRINT, ROUTES, HELP, VERSION_OF };
	static const struct option longs[] = {
	    {"check", no_argument, NULL, CHECK},
	    {"print-config", no_argument, NULL, PRINT},
	    {"routes", no_argument, NULL, ROUTES},
	    {"help", no_argument, NULL, HELP},
	    {"version", no_argument, NULL, VERSION_OF}, {NULL, 0, NULL, 0}};
	int c;

	opt->overrides = xalloc((size_t)argc * sizeof(*opt->overrides));
	while ((c = getopt_long(argc, argv, "c:o:", longs, NULL)) != -1) {
		switch (c) {
		case 'c':
			opt->path = optarg;
			break;
		case 'o':
			opt->overrides[opt->n++] = optarg;
			break;
		case CHECK:
			opt->mode = MAIN_CHECK;
			break;
		case PRINT:
			opt->mode = MAIN_PRINT_CONFIG;
			break;
		case ROUTES:
			opt->mode = MAIN_ROUTES;
			break;
		case HELP:
			(void)fputs(main_usage, stdout);
			return (EX_OK);
		case VERSION_OF:
			(void)puts("umpire-web " PACKAGE_VERSION);
			return (EX_OK);
		default:
			(void)fputs(main_usage, stderr);
			return (EX_USAGE);
		}
	}
	if (optind < argc) {
		(void)fputs(main_usage, stderr);
		return (EX_USAGE);
	}
	return (-1);
}

/* web_link_calls. */
static void
main_up_cb(void *arg)
{
	struct main_web *m = arg;
	const uint8_t *key = web_link_key(m->site.link);
	struct errinfo e = {.text = ""};
	char *path, *text;

	hex_format(m->site.key, key, SIGN_KEY_LEN);
	if (!m->has_key) {
		/* From now on it must be this one. */
		log_info("the server's key is %s", m->site.key);
		path = xalloc_printf("%s/server.key", m->site.conf->cache);
		text = xalloc_printf("%s\n", m->site.key);
		if (file_write(path, text, strlen(text), 0600, &e) != 0)
			log_errorx("the key was not kept: %s", e.text);
		free(text);
		free(path);
		m->has_key = true;
		web_games_set_key(m->site.games, key);
		web_cup_set_key(m->site.cups, key);
	}
	log_info("connected to %s", m->site.conf->server);
	if (m->site.list != NULL)
		web_list_stale(m->site.list);
	web_link_call(m->site.link, "lobby.watch",
	    xalloc_json(json_pack("{s:b}", "erased", 1)), web_link_none, NULL);
	web_games_link_up(m->site.games);
	web_forget_up(m->site.forget);
}

static void
main_down_cb(void *arg, const struct errinfo *why)
{
	struct main_web *m = arg;

	log_warnx("no connection to %s: %s", m->site.conf->server, why->text);
	web_games_link_down(m->site.games);
}

static void
main_notice_cb(void *arg, const char *method, const json_t *params)
{
	struct main_web *m = arg;
	const char *hex = js_str(params, "game");

	/* Also what was made of a game that is not in memory any more. */
	if (strcmp(method, "game.erased") == 0 ||
	    strcmp(method, "tournament.erased") == 0)
		web_list_erased(m->site.list);
	if (strcmp(method, "game.erased") == 0 && hex != NULL) {
		web_cache_drop(m->site.cache, hex);
		web_feed_stale(m->site.feeds);
	}
	if (strcmp(method, "lobby.game") == 0)
		web_list_stale(m->site.list);
	else if (strncmp(method, "tournament.", 11) == 0)
		web_cup_notice(m->site.cups, method, params);
	else
		web_games_notice(m->site.games, method, params);
}

/* web_game_calls. */
static void
main_lines_cb(void *arg, struct web_game *g, int64_t from)
{
	struct main_web *m = arg;

	(void)from;
	web_stream_lines(m->site.streams, g);
}

static void
main_erased_cb(void *arg, struct web_game *g)
{
	struct main_web *m = arg;

	web_cache_drop(m->site.cache, g->hex);
	web_feed_stale(m->site.feeds);
	web_stream_erased(m->site.streams, g);
}

static void
main_going_cb(void *arg, struct web_game *g)
{
	struct main_web *m = arg;

	web_stream_going(m->site.streams, g);
}

/* SIGTERM, SIGINT. */
static void
main_signal_cb(evutil_socket_t fd, short what, void *arg)
{
	struct main_web *m = arg;

	(void)what;
	log_info("ending: %s", strsignal((int)fd));
	web_http_stop(m->site.http);
	(void)event_base_loopbreak(m->site.base);
}

/* The key that the server must have: of the settings, or that was kept. */
static int
main_key(struct main_web *m, struct errinfo *e)
{
	const char *key = m->site.conf->server_key;
	struct buf b;
	char *path;
	int r = 0;

	buf_init(&b, MAIN_KEY_FILE);
	if (key[0] == '\0') {
		path = xalloc_printf("%s/server.key", m->site.conf->cache);
		if (file_exists(path))
			r = file_read(path, MAIN_KEY_FILE, &b, e);
		free(path);
		key = buf_str(&b);
	}
	if (r == 0 && key[0] != '\0') {
		if (hex_parse(m->key, SIGN_KEY_LEN, key, strcspn(key, "\n")) !=
		    0)
			r = err_set(e, ERR_CONFIG, "server_key",
			    "\"%s\" is not a key of 64 hex digits", key);
		m->has_key = r == 0;
	}
	if (m->has_key)
		hex_format(m->site.key, m->key, SIGN_KEY_LEN);
	buf_clear(&b);
	return (r);
}

/* The policy of /verify, which shows a page of its own within a frame. */
static void
main_csp(struct main_web *m)
{
	const char *csp = web_route_csp(WEB_CSP_PAGE), *at;
	struct buf b;

	buf_init(&b, 0);
	if (page_verify_styles(&b) != 0)
		xalloc_die();
	at = strstr(csp, "style-src 'self'") + strlen("style-src 'self'");
	m->csp = xalloc_printf("%.*s%s%s%s", (int)(at - csp), csp,
	    b.len > 0 ? " " : "", buf_str(&b), at);
	buf_clear(&b);
	web_http_verify_csp(m->site.http, m->csp);
}

/*
 * Makes the loop.  evhttp stops and starts reading for each request: with a
 * list of changes the kernel is told only of what differs when the loop waits.
 */
static struct event_base *
main_loop(void)
{
	struct event_config *how = event_config_new();
	struct event_base *base = NULL;

	if (how != NULL &&
	    event_config_set_flag(how, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST) ==
		0)
		base = event_base_new_with_config(how);
	if (how != NULL)
		event_config_free(how);
	return (base);
}

/*
 * Makes the cache's folder and takes it: two processes that write to the same
 * files would spoil them.  No other process that was started before has it.
 */
static int
main_cache(struct main_web *m, struct errinfo *e)
{
	const char *folder = m->site.conf->cache;
	char *path;
	int r;

	if ((r = file_make_dirs(folder, e)) != 0)
		return (r);
	path = xalloc_printf("%s/lock", folder);
	r = file_lock_now(path, &m->lock, e);
	free(path);
	if (r == ERR_BUSY)
		r = err_set(
		    e, r, "cache", "another umpire-web uses \"%s\"", folder);
	return (r);
}

/* Makes all parts. */
static int
main_begin(struct main_web *m, const struct web_conf *conf, struct errinfo *e)
{
	const struct web_link_calls link_calls = {
	    m, main_up_cb, main_down_cb, main_notice_cb};
	const struct web_games_calls game_calls = {
	    m, main_lines_cb, main_erased_cb, main_going_cb};
	struct web_site *s = &m->site;
	struct profile p = {.server = conf->server};
	int r;

	s->conf = conf;
	if ((r = web_png_new(conf, &s->png, e)) != 0 ||
	    (r = file_make_dirs(conf->cache, e)) != 0 ||
	    (r = web_check_new(conf, &s->check, e)) != 0)
		return (r);
	if ((s->base = main_loop()) == NULL)
		return (err_set(e, ERR_INTERNAL, "", "no event loop"));
	if ((r = profile_split(p.server, &m->host, &m->port, e)) != 0)
		return (err_set(e, ERR_CONFIG, "server", "%s", e->text));
	if ((r = main_cache(m, e)) != 0 || (r = main_key(m, e)) != 0 ||
	    (r = web_static_new(conf->wasm, conf->reader, &s->files, e)) != 0 ||
	    (r = web_games_open(s->base, conf, &game_calls, &s->games, e)) != 0)
		return (r);
	if ((r = web_cup_open_all(s, &s->cups, e)) != 0)
		return (r);
	if (m->has_key) {
		web_games_set_key(s->games, m->key);
		web_cup_set_key(s->cups, m->key);
	}
	s->cache = web_cache_new((size_t)conf->cache_memory << 20);
	web_png_start(s->png, s->base);
	web_check_start(s->check, s->base);
	s->find = web_find_new(s);
	s->list = web_list_new(s);
	s->make = web_make_new(s);
	s->past = web_past_new(s);
	s->streams = web_stream_open_all(s);
	s->forget = web_forget_new(s);
	s->feeds = web_feed_open_all(s);
	if ((r = web_http_new(s->base, conf, web_site_serve, s, &s->http, e)) !=
		0 ||
	    (r = web_admin_new(s, conf->admin_socket, &m->admin, e)) != 0)
		return (r);
	main_csp(m);
	r = web_link_new(s->base, m->host, m->port, m->has_key ? m->key : NULL,
	    &link_calls, &s->link, e);
	if (r != 0)
		return (r);
	web_games_set_link(s->games, s->link);
	m->signals[0] = evsignal_new(s->base, SIGTERM, main_signal_cb, m);
	m->signals[1] = evsignal_new(s->base, SIGINT, main_signal_cb, m);
	if (m->signals[0] == NULL || m->signals[1] == NULL ||
	    event_add(m->signals[0], NULL) != 0 ||
	    event_add(m->signals[1], NULL) != 0)
		return (err_set(e, ERR_INTERNAL, "", "no signals"));
	return (web_http_announce(s->http, e));
}

/* Frees all parts. */
static void
main_end(struct main_web *m)
{
	struct web_site *s = &m->site;
	int i;

	/* Answers that are still to come find all else in its place. */
	if (s->games != NULL)
		web_games_stop(s->games);
	web_link_free(s->link);
	s->link = NULL;
	if (s->games != NULL)
		web_games_set_link(s->games, NULL);
	web_admin_free(m->admin);
	web_feed_close_all(s->feeds);
	web_forget_free(s->forget);
	web_cup_close_all(s->cups);
	web_make_free(s->make);
	web_past_free(s->past);
	web_png_free(s->png);
	web_check_free(s->check);
	web_http_free(s->http);
	web_games_close(s->games);
	web_stream_close_all(s->streams);
	web_list_free(s->list);
	web_find_free(s->find);
	web_cache_free(s->cache);
	web_static_free(s->files);
	for (i = 0; i < 2; i++) {
		if (m->signals[i] != NULL)
			event_free(m->signals[i]);
	}
	if (s->base != NULL)
		event_base_free(s->base);
	if (m->lock != -1)
		(void)close(m->lock); /* it was only locked */
	free(m->csp);
	free(m->host);
	free(m->port);
}

/* As many descriptors as there may be connections, and no core files. */
static int
main_limits(const struct web_conf *conf, struct errinfo *e)
{
	const rlim_t wanted =
	    (rlim_t)conf->max_connections + conf->server_connections + 64;
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) == -1)
		return (err_set(
		    e, ERR_INTERNAL, "", "getrlimit: %s", strerror(errno)));
	if (rl.rlim_cur < wanted) {
		rl.rlim_cur = rl.rlim_max < wanted ? rl.rlim_max : wanted;
		if (setrlimit(RLIMIT_NOFILE, &rl) == -1)
			return (err_set(e, ERR_INTERNAL, "", "setrlimit: %s",
			    strerror(errno)));
	}
	if (rl.rlim_cur < wanted)
		return (err_set(e, ERR_CONFIG, "max_connections",
		    "%lld connections need %lld descriptors, and the limit is "
		    "%lld",
		    (long long)conf->max_connections, (long long)wanted,
		    (long long)rl.rlim_max));
	return (0);
}

/*
 * Goes round until a signal.  Whoever asks for anything waits for the turn that
 * runs: the longest is counted, without what others had of the processor.
 */
static void
main_turns(struct main_web *m)
{
	int64_t from_us = clock_thread_us(), us;

	while (event_base_loop(m->site.base, EVLOOP_ONCE) == 0 &&
	    !event_base_got_break(m->site.base)) {
		us = clock_thread_us();
		if (us - from_us > m->site.slowest_turn_us)
			m->site.slowest_turn_us = us - from_us;
		from_us = us;
	}
}

/* Looks whether the files that settings name can be read. */
static int
main_check_files(const struct web_conf *conf, struct errinfo *e)
{
	struct web_static *files = NULL;
	int r = web_static_new(conf->wasm, conf->reader, &files, e);

	web_static_free(files);
	return (r);
}

/* Runs until a signal. */
static int
main_run(const struct web_conf *conf, bool is_check)
{
	struct errinfo e = {.text = ""};
	struct main_web m = {.lock = -1};
	int r;

	log_set_level((enum log_level)conf->log_level);
	(void)signal(SIGPIPE, SIG_IGN);
	if ((r = main_limits(conf, &e)) == 0)
		r = web_painter_check(conf, &e);
	if (r == 0 && is_check)
		r = main_check_files(conf, &e);
	else if (r == 0 && (r = main_begin(&m, conf, &e)) == 0 &&
	    (r = web_sandbox_enter(
		 (enum web_conf_sandbox)conf->sandbox, conf->cache, &e)) == 0) {
		log_info("ready at %s", conf->listen);
		main_turns(&m);
	}
	if (r != 0)
		(void)main_fail(r, &e);
	main_end(&m);
	return (main_status(r));
}

int
main(int argc, char **argv)
{
	struct main_options opt = {.mode = MAIN_RUN};
	struct errinfo e = {.text = ""};
	struct web_conf *conf = NULL;
	struct buf b;
	int r, status;

	if ((status = main_options(argc, argv, &opt)) >= 0) {
		free(opt.overrides);
		return (status);
	}
	if (opt.mode == MAIN_ROUTES) {
		main_routes();
		free(opt.overrides);
		return (EX_OK);
	}
	if (opt.mode == MAIN_PRINT_CONFIG) {
		buf_init(&b, 0);
		web_conf_print(&b);
		(void)fputs(buf_str(&b), stdout);
		buf_clear(&b);
		free(opt.overrides);
		return (EX_OK);
	}
	if (opt.path == NULL && file_exists(MAIN_CONF))
		opt.path = MAIN_CONF;
	r = web_conf_load(opt.path, opt.overrides, opt.n, &conf, &e);
	status =
	    r != 0 ? main_fail(r, &e) : main_run(conf, opt.mode == MAIN_CHECK);
	web_conf_free(conf);
	free(opt.overrides);
	return (status);
}
