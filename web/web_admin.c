/* SPDX-License-Identifier: ISC */
#include "web/web_admin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "web/web_cache.h"
#include "web/web_cup.h"
#include "web/web_games.h"
#include "web/web_http.h"
#include "web/web_link.h"
#include "web/web_make.h"
#include "web/web_past.h"
#include "web/web_png.h"
#include "web/web_site.h"
#include "web/web_socket.h"
#include "web/web_stream.h"
#include "web/web_watch.h"

#define WEB_ADMIN_BACKLOG 16
#define WEB_ADMIN_HEADERS 8192
#define WEB_ADMIN_WAIT_S 30

struct web_admin {
	struct web_site *s; /* borrowed */
	struct evhttp *evhttp; /* owned */
	char *path; /* owned */
};

/* Replies with text. */
static void
web_admin_reply(struct evhttp_request *req, int status, const struct buf *b)
{
	struct evbuffer *out = evbuffer_new();

	if (out == NULL || buf_error(b) != 0 ||
	    evbuffer_add(out, b->data, b->len) != 0)
		xalloc_die();
	(void)evhttp_add_header(evhttp_request_get_output_headers(req),
	    "Content-Type", "text/plain; charset=utf-8");
	evhttp_send_reply(req, status, NULL, out);
	evbuffer_free(out);
}

/* A number, as Prometheus reads it. */
static void
web_admin_number(struct buf *b, const char *name, const char *type, int64_t n)
{
	buf_printf(b, "# TYPE umpire_web_%s %s\numpire_web_%s %lld\n", name,
	    type, name, (long long)n);
}

/* /metrics. */
static void
web_admin_metrics_cb(struct evhttp_request *req, void *arg)
{
	struct web_admin *a = arg;
	struct web_http_counts *h = web_http_counts(a->s->http);
	struct web_cup_counts c;
	struct web_games_counts g;
	struct web_watch_counts w;
	int64_t made, failed;
	struct buf b;
	int i;

	web_games_count(a->s->games, &g, &w);
	web_cup_count(a->s->cups, &c);
	buf_init(&b, 0);
	web_admin_number(&b, "umpire_up", "gauge", web_link_is_up(a->s->link));
	web_admin_number(&b, "umpire_away_ms", "gauge", web_site_away_ms(a->s));
	web_admin_number(&b, "connections", "gauge", h->connections);
	web_admin_number(
	    &b, "streams", "gauge", web_stream_count(a->s->streams));
	web_admin_number(&b, "waiting", "gauge", a->s->waiting);
	web_admin_number(&b, "accepted_total", "counter", h->accepted);
	web_admin_number(&b, "turned_away_total", "counter", h->turned_away);
	web_admin_number(&b, "requests_total", "counter", h->requests);
	web_admin_number(&b, "refused_total", "counter", h->refused);
	web_admin_number(&b, "limited_total", "counter", h->limited);
	web_admin_number(&b, "late_total", "counter", h->late);
	web_admin_number(&b, "dropped_total", "counter", h->dropped);
	buf_puts(&b, "# TYPE umpire_web_replies_total counter\n");
	for (i = 2; i < 6; i++)
		buf_printf(&b,
		    "umpire_web_replies_total{status=\"%dxx\"} %lld\n", i,
		    (long long)h->status[i]);
	web_admin_number(&b, "slowest_reply_us", "gauge", h->slowest_us);
	h->slowest_us = 0;
	web_admin_number(&b, "games", "gauge", g.games);
	web_admin_number(&b, "watched", "gauge", w.watched);
	web_admin_number(&b, "unwatched", "gauge", w.wanting);
	web_admin_number(&b, "umpire_connections", "gauge", w.connections);
	web_admin_number(&b, "notices_total", "counter", g.notices);
	web_admin_number(&b, "games_bytes", "gauge", g.bytes);
	web_admin_number(&b, "disk_bytes", "gauge", g.disk);
	web_admin_number(&b, "verified_lines_total", "counter", g.verified);
	web_admin_number(&b, "forks_total", "counter", g.forks);
	web_admin_number(&b, "slowest_slice_us", "gauge", g.slowest_us);
	web_admin_number(
	    &b, "slowest_step_us", "gauge", web_make_slowest(a->s->make));
	web_admin_number(
	    &b, "slowest_past_us", "gauge", web_past_slowest(a->s->past));
	web_admin_number(&b, "slowest_turn_us", "gauge", a->s->slowest_turn_us);
	a->s->slowest_turn_us = 0;
	web_admin_number(
	    &b, "bodies", "gauge", (int64_t)web_cache_count(a->s->cache));
	web_admin_number(
	    &b, "bodies_bytes", "gauge", (int64_t)web_cache_bytes(a->s->cache));
	web_admin_number(&b, "tournaments", "gauge", c.cups);
	web_admin_number(&b, "tournaments_bytes", "gauge", c.bytes);
	web_admin_number(&b, "tournaments_disk_bytes", "gauge", c.disk);
	web_admin_number(&b, "tournament_lines_total", "counter", c.verified);
	web_admin_number(&b, "tournament_forks_total", "counter", c.forks);
	web_admin_number(&b, "tournaments_checking", "gauge", c.checking);
	web_admin_number(&b, "tournament_checks_total", "counter", c.checks);
	web_admin_number(
	    &b, "tournament_games_verified_total", "counter", c.games_verified);
	web_admin_number(
	    &b, "tournament_games_found_total", "counter", c.games_found);
	web_admin_number(
	    &b, "slowest_tournament_check_ms", "gauge", c.slowest_check_ms);
	web_admin_number(
	    &b, "slowest_tournament_slice_us", "gauge", c.slowest_us);
	web_admin_number(
	    &b, "slowest_tournament_page_us", "gauge", c.slowest_page_us);
	web_png_count(a->s->png, &made, &failed);
	web_admin_number(&b, "pictures_total", "counter", made);
	web_admin_number(&b, "picture_failures_total", "counter", failed);
	web_admin_reply(req, 200, &b);
	buf_clear(&b);
}

/* /healthz. */
static void
web_admin_health_cb(struct evhttp_request *req, void *arg)
{
	struct web_admin *a = arg;
	const bool is_up = web_link_is_up(a->s->link);
	struct buf b;

	buf_init(&b, 0);
	buf_puts(&b, is_up ? "ok\n" : "the umpire does not answer\n");
	web_admin_reply(req, is_up ? 200 : 503, &b);
	buf_clear(&b);
}

int
web_admin_new(struct web_site *s, const char *path, struct web_admin **out,
    struct errinfo *e)
{
	struct evconnlistener *listener;
	struct web_admin *a;
	int fd, r;

	*out = NULL;
	if (path[0] == '\0')
		return (0);
	if ((r = web_socket_unix(path, 0600, &fd, e)) != 0)
		return (r);
	a = xalloc(sizeof(*a));
	a->s = s;
	a->path = xalloc_str(path);
	a->evhttp = evhttp_new(s->base);
	listener = evconnlistener_new(s->base, NULL, NULL,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, WEB_ADMIN_BACKLOG,
	    fd);
	if (a->evhttp == NULL || listener == NULL ||
	    evhttp_bind_listener(a->evhttp, listener) == NULL ||
	    evhttp_set_cb(a->evhttp, "/healthz", web_admin_health_cb, a) != 0 ||
	    evhttp_set_cb(a->evhttp, "/metrics", web_admin_metrics_cb, a) != 0)
		xalloc_die();
	evhttp_set_max_headers_size(a->evhttp, WEB_ADMIN_HEADERS);
	evhttp_set_max_body_size(a->evhttp, 0);
	evhttp_set_allowed_methods(a->evhttp, EVHTTP_REQ_GET);
	evhttp_set_timeout(a->evhttp, WEB_ADMIN_WAIT_S);
	*out = a;
	return (0);
}

void
web_admin_free(struct web_admin *a)
{
	if (a == NULL)
		return;
	evhttp_free(a->evhttp);
	(void)unlink(a->path); /* the next one replaces it */
	free(a->path);
	free(a);
}
