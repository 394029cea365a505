/* SPDX-License-Identifier: ISC */
#include "web/web_site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "server/base/log.h"
#include "web/web_body.h"
#include "web/web_cache.h"
#include "web/web_conf.h"
#include "web/web_cup.h"
#include "web/web_feed.h"
#include "web/web_find.h"
#include "web/web_game.h"
#include "web/web_games.h"
#include "web/web_link.h"
#include "web/web_list.h"
#include "web/web_make.h"
#include "web/web_png.h"
#include "web/web_static.h"
#include "web/web_stream.h"

#define WEB_SITE_AWAY_MS 2000 /* a restart of the umpire's takes less */
#define WEB_SITE_PAGE_MS 250 /* that a page waits for all lines */
#define WEB_SITE_DATA_MS 5000 /* likewise what is of no use without them */
#define WEB_SITE_RETRY_S 2 /* after which a game may have been read */
#define WEB_SITE_MARK 8 /* bytes of a hash, as an ETag */
#define WEB_SITE_EVIDENCE ((size_t)1 << 28) /* bytes of a file */

static const char web_site_robots[] = "User-agent: *\n"
				      "Disallow: /u/\n"
				      "Disallow: /g/*/events$\n"
				      "Disallow: /g/*/at$\n"
				      "Disallow: /g/*/p/\n"
				      "Disallow: /*?\n";

/* A request about a game, on its way. */
struct web_visit {
	struct web_site *s;
	struct web_request *rq;
	struct web_finding *finding; /* NULL: it was found */
	struct web_game *g; /* that it waits for; NULL */
	struct web_wait wait;
	int64_t since_ms; /* monotonic: waits since */
};

int64_t
web_site_away_ms(const struct web_site *s)
{
	const int64_t down_ms = web_link_down_ms(s->link);
	int64_t ms;

	if (down_ms == 0)
		return (0);
	ms = clock_mono_ms() - down_ms;
	return (ms < WEB_SITE_AWAY_MS ? 0 : ms);
}

const struct page_site *
web_site_page(struct web_site *s)
{
	static struct page_site ps;

	memset(&ps, 0, sizeof(ps));
	web_static_page(s->files, &ps);
	ps.base = s->conf->base;
	ps.title = s->conf->title;
	ps.key = s->key;
	ps.now_ms = clock_wall_ms();
	ps.away_ms = web_site_away_ms(s);
	ps.has_png = web_png_is_up(s->png);
	return (&ps);
}

/* The page of an error; new. */
static struct web_body *
web_site_wrong(struct web_site *s, int status, const char *why)
{
	const struct page_site *ps = web_site_page(s);
	const bool is_kept = ps->away_ms == 0;
	struct web_body *body = NULL;
	char *key;
	struct buf b;

	/* What many ask for in vain costs no more than what is there. */
	key = xalloc_printf("error %d %s %s", status, s->key, why);
	if (is_kept && (body = web_cache_find(s->cache, key)) != NULL) {
		free(key);
		return (web_body_ref(body));
	}
	buf_init(&b, 0);
	if (page_error(ps, status, why, &b) != 0)
		xalloc_die();
	body = web_body_gzip(&b);
	if (is_kept)
		web_cache_put(s->cache, key, body);
	free(key);
	return (body);
}

void
web_site_later(struct web_site *s, struct web_request *rq, int status,
    int64_t retry_s, const char *why)
{
	const struct web_head head = {.status = status,
	    .type = "text/html; charset=utf-8",
	    .keep = "no-store",
	    .csp = WEB_CSP_PAGE,
	    .is_noindex = true,
	    .retry_s = retry_s};
	struct web_body *body = web_site_wrong(s, status, why);

	web_http_reply(rq, &head, body);
	web_body_unref(body);
}

void
web_site_error(
    struct web_site *s, struct web_request *rq, int status, const char *why)
{
	web_site_later(
	    s, rq, status, status == 503 ? WEB_SITE_RETRY_S : 0, why);
}

void
web_site_moved(struct web_site *s, struct web_request *rq, const char *to)
{
	const struct web_head head = {.status = 301,
	    .keep = "public, max-age=60",
	    .csp = WEB_CSP_DATA,
	    .location = to};

	(void)s;
	web_http_reply(rq, &head, NULL);
}

/* Replies with a body that depends on nothing but its bytes. */
static void
web_site_send(struct web_request *rq, struct web_body *body)
{
	const struct web_route *rt = rq->t.route;
	const struct web_head head = {.status = 200,
	    .type = rt->type,
	    .keep = web_route_keep(rt->keep, false),
	    .csp = rt->csp,
	    .is_open = rt->is_open,
	    .etag = body->etag};

	web_http_reply(rq, &head, body);
}

/* Makes a body of bytes of our own, which this takes. */
static struct web_body *
web_site_body(struct buf *b)
{
	uint8_t hash[HASH_LEN];
	struct web_body *body;

	if (buf_error(b) != 0 || hash_sha256(hash, b->data, b->len) != 0)
		xalloc_die();
	body = web_body_gzip(b);
	hex_format(body->etag, hash, WEB_SITE_MARK);
	return (body);
}

/* Appends a line for each word of a list. */
static void
web_site_each(struct buf *b, const char *name, const char *list)
{
	size_t n;

	for (list += strspn(list, " \t"); *list != '\0';
	     list += n + strspn(list + n, " \t")) {
		n = strcspn(list, " \t");
		buf_printf(b, "%s: %.*s\n", name, (int)n, list);
	}
}

/* Writes robots.txt. */
static void
web_site_robots_txt(const struct web_conf *conf, struct buf *b)
{
	buf_puts(b, web_site_robots);
	if (conf->robots_refused[0] == '\0')
		return;
	buf_putc(b, '\n');
	web_site_each(b, "User-agent", conf->robots_refused);
	buf_puts(b, "Disallow: /\n");
}

/* Writes security.txt (RFC 9116). */
static void
web_site_security_txt(const struct web_conf *conf, struct buf *b)
{
	web_site_each(b, "Contact", conf->security_contact);
	buf_printf(b, "Expires: %sT00:00:00Z\n", conf->security_expires);
	if (conf->base[0] != '\0')
		buf_printf(
		    b, "Canonical: %s/.well-known/security.txt\n", conf->base);
}

/* True if there is a security.txt, and it holds still. */
static bool
web_site_is_secure(struct web_site *s)
{
	char at[64];
	int64_t ms;

	(void)snprintf(
	    at, sizeof(at), "%sT00:00:00.000Z", s->conf->security_expires);
	if (clock_parse(at, strlen(at), &ms) != 0)
		return (false);
	if (ms > clock_wall_ms())
		return (true);
	if (!s->has_expired)
		log_warnx("security_expires is over: there is no "
			  "security.txt any more");
	s->has_expired = true;
	return (false);
}

/*
 * Replies with what is the same for all and always; it says nothing of how long
 * the umpire has been away, since it may be kept for long.
 */
static void
web_site_fixed(struct web_site *s, struct web_request *rq)
{
	const enum web_what what = rq->t.route->what;
	struct page_site ps = *web_site_page(s);
	struct web_body *body;
	char key[96];
	struct buf b;

	/* Of a first start the key of the umpire is not known at once. */
	(void)snprintf(key, sizeof(key), "fixed %d %s", what, s->key);
	if ((body = web_cache_find(s->cache, key)) != NULL) {
		web_site_send(rq, body);
		return;
	}
	buf_init(&b, 0);
	ps.away_ms = 0;
	if (what == WEB_ROBOTS)
		web_site_robots_txt(s->conf, &b);
	else if (what == WEB_SECURITY)
		web_site_security_txt(s->conf, &b);
	else if (page_fixed(&ps,
		     what == WEB_ODDS ? PAGE_FIXED_ODDS : PAGE_FIXED_VERIFY,
		     &b) != 0)
		xalloc_die();
	body = web_site_body(&b);
	web_cache_put(s->cache, key, body);
	web_site_send(rq, body);
	web_body_unref(body);
}

/* Replies with a file that never changes. */
static void
web_site_static(struct web_site *s, struct web_request *rq)
{
	struct web_head head = {.status = 200,
	    .keep = web_route_keep(rq->t.route->keep, false),
	    .csp = rq->t.route->csp};
	struct web_body *body;

	body = web_static_find(s->files, rq->t.hash, rq->t.file, &head.type);
	if (body == NULL) {
		web_site_error(s, rq, 404, "There is no such file.");
		return;
	}
	head.etag = body->etag;
	/* It is one to be kept. */
	if (strncmp(head.type, "text/html", 9) == 0)
		head.file = rq->t.file;
	web_http_reply(rq, &head, body);
}

/* Replies with proof against the server. */
static void
web_site_evidence(
    struct web_site *s, struct web_request *rq, const struct web_game *g)
{
	struct errinfo e = {.text = ""};
	struct web_body *body;
	struct buf b;

	buf_init(&b, 0);
	if (g->evidence == NULL) {
		web_site_error(s, rq, 404,
		    "There is no evidence: the server has told one history "
		    "of this game.");
	} else if (file_read(g->evidence, WEB_SITE_EVIDENCE, &b, &e) != 0) {
		web_site_error(s, rq, 500, "The evidence cannot be read.");
	} else {
		body = web_site_body(&b);
		web_site_send(rq, body);
		web_body_unref(body);
	}
	buf_clear(&b);
}

/* Replies about a game that is there, or as far as it is. */
static void
web_site_game(struct web_site *s, struct web_request *rq, struct web_game *g)
{
	if (rq->t.route->what == WEB_EVIDENCE)
		web_site_evidence(s, rq, g);
	else if (g->c->n == 0 && g->is_gone)
		web_site_error(s, rq, 404, "There is no such game.");
	else if (g->c->n == 0 && !web_link_is_up(s->link))
		web_site_error(s, rq, 503, "The umpire does not answer.");
	else if (g->c->n == 0)
		web_site_error(s, rq, 503,
		    g->trouble != NULL ? g->trouble
				       : "The game is being read.  Try again "
					 "in a moment.");
	else if (rq->t.route->what == WEB_EVENTS)
		web_stream_reply(s->streams, rq, g);
	else
		web_make_reply(s->make, rq, g);
}

/* web_request.gone: whoever asked has left. */
static void
web_visit_gone_cb(void *arg)
{
	struct web_visit *v = arg;

	web_find_cancel(v->finding);
	if (v->g != NULL)
		web_game_unwait(v->g, &v->wait);
	v->s->waiting--;
	free(v);
}

/* web_wait.ready: the game is there, or time is over. */
static void
web_visit_ready_cb(void *arg, struct web_game *g)
{
	struct web_visit *v = arg;
	struct web_request *rq = v->rq;
	struct web_site *s = v->s;

	rq->gone = NULL;
	s->waiting--;
	free(v);
	web_site_game(s, rq, g);
}

/* Replies with the address that a game has now. */
static void
web_visit_move(
    struct web_site *s, struct web_request *rq, const struct web_found *f)
{
	const char *uri = web_http_uri(rq), *rest;
	char *to;

	rest = uri + 3 + strlen(rq->t.id);
	to = xalloc_printf("%.3s%.*s%s%s", uri, f->digits, f->hex,
	    rq->t.wants_slash ? "/" : "", rest);
	web_site_moved(s, rq, to);
	free(to);
}

/* True for an address of a tournament. */
static bool
web_site_is_cup(const struct web_target *t)
{
	return (t->route->what >= WEB_CUP && t->route->what <= WEB_CUP_RECORD);
}

/* Replies where there is no game, or more than one, or it is elsewhere. */
static void
web_visit_lost(
    struct web_site *s, struct web_request *rq, const struct web_found *f)
{
	const struct web_head head = {.status = 300,
	    .type = "text/html; charset=utf-8",
	    .keep = "no-store",
	    .is_noindex = true,
	    .csp = WEB_CSP_PAGE};
	struct web_body *body;
	struct buf b;

	if (f->games != NULL) {
		buf_init(&b, 0);
		if (page_choice(web_site_page(s), f->games, 2 * HASH_LEN, &b) !=
		    0)
			xalloc_die();
		body = web_body_gzip(&b);
		web_http_reply(rq, &head, body);
		web_body_unref(body);
	} else if (f->r == ERR_NOTFOUND || f->r == ERR_EXISTS) {
		web_site_error(s, rq, 404,
		    web_site_is_cup(&rq->t) ? "There is no such tournament."
					    : "There is no such game.");
	} else if (f->r != 0) {
		web_site_error(s, rq, 503, "The umpire does not answer.");
	} else if ((int)strlen(rq->t.id) != f->digits || rq->t.wants_slash) {
		web_visit_move(s, rq, f);
	} else {
		web_site_error(
		    s, rq, 503, "Too many games are being read at once.");
	}
}

/* True if something is asked for that comes later than what is here. */
static bool
web_site_is_ahead(const struct web_target *t, const struct web_game *g)
{
	switch (t->route->what) {
	case WEB_PART:
		return (t->as_of >= g->c->n || t->epoch > g->erasures);
	case WEB_LINE:
	case WEB_DICE:
	case WEB_PNG:
		return (t->n >= g->c->n);
	case WEB_EVENTS:
		return (t->after >= g->c->n || t->epoch > g->erasures);
	default:
		return (false);
	}
}

/* web_find_answer. */
static void
web_visit_found_cb(void *arg, const struct web_found *f)
{
	struct web_visit *v = arg;
	struct web_request *rq = v->rq;
	struct web_site *s = v->s;
	const bool is_here = f->r == 0 && (int)strlen(rq->t.id) == f->digits &&
	    !rq->t.wants_slash;
	struct web_game *g = NULL;
	int64_t ms;

	v->finding = NULL;
	if (is_here && !web_site_is_cup(&rq->t))
		g = web_games_get(s->games, f->hex);
	if (g != NULL) {
		g->digits = f->digits;
		if (strcmp(g->title, f->title) != 0 && f->title[0] != '\0') {
			free(g->title);
			g->title = xalloc_str(f->title);
		}
		if (!web_game_is_whole(g) ||
		    (web_site_is_ahead(&rq->t, g) && web_game_renew(g))) {
			ms = rq->t.route->csp == WEB_CSP_DATA
			    ? WEB_SITE_DATA_MS
			    : WEB_SITE_PAGE_MS;
			v->g = g;
			v->wait.ready = web_visit_ready_cb;
			v->wait.arg = v;
			v->wait.until_ms = clock_mono_ms() + ms;
			web_game_wait(g, &v->wait);
			return;
		}
	}
	rq->gone = NULL;
	s->waiting--;
	free(v);
	if (g != NULL)
		web_site_game(s, rq, g);
	else if (is_here && web_site_is_cup(&rq->t))
		web_cup_reply(s->cups, rq, f->hex, f->digits);
	else
		web_visit_lost(s, rq, f);
}

/* Replies to a request about a game. */
static void
web_site_visit(struct web_site *s, struct web_request *rq)
{
	struct web_finding *q;
	struct web_visit *v;

	if (s->waiting >= s->conf->max_waiting) {
		web_site_error(s, rq, 503, "Too many ask at once.");
		return;
	}
	v = xalloc(sizeof(*v));
	v->s = s;
	v->rq = rq;
	rq->gone = web_visit_gone_cb;
	rq->arg = v;
	s->waiting++;
	q = web_find_ask(s->find,
	    web_site_is_cup(&rq->t) ? WEB_FIND_CUP : WEB_FIND_GAME, rq->t.id,
	    web_visit_found_cb, v);
	/* It may be over already, and v be gone. */
	if (q != NULL)
		v->finding = q;
}

/* Replies with the address without what does not belong to it. */
static void
web_site_bare(struct web_site *s, struct web_request *rq)
{
	struct buf to;

	buf_init(&to, 0);
	web_route_bare(web_http_uri(rq), &to);
	if (buf_error(&to) != 0)
		xalloc_die();
	web_site_moved(s, rq, buf_str(&to));
	buf_clear(&to);
}

void
web_site_serve(void *arg, struct web_request *rq)
{
	static const struct web_head nothing = {
	    .status = 204, .keep = "public, max-age=3600", .csp = WEB_CSP_DATA};
	struct web_site *s = arg;
	int64_t late_s;

	if ((late_s = web_http_late_s(rq)) > 0) {
		web_site_later(s, rq, 429, late_s,
		    "You ask for more than one reader may.  Wait a moment.");
		return;
	}
	if (rq->t.route == NULL) {
		web_site_error(
		    s, rq, 404, "No page of this site has that address.");
		return;
	}
	if (rq->t.has_stray) {
		web_site_bare(s, rq);
		return;
	}
	switch (rq->t.route->what) {
	case WEB_LOBBY:
	case WEB_LIVE:
	case WEB_EVENT:
	case WEB_PLAYER:
		if (s->waiting >= s->conf->max_waiting)
			web_site_error(s, rq, 503, "Too many ask at once.");
		else
			web_list_reply(s->list, rq);
		break;
	case WEB_STATIC:
		web_site_static(s, rq);
		break;
	case WEB_ICON:
		web_http_reply(rq, &nothing, NULL);
		break;
	case WEB_SECURITY:
		if (!web_site_is_secure(s)) {
			web_site_error(s, rq, 404,
			    "No page of this site has that address.");
			break;
		}
		web_site_fixed(s, rq);
		break;
	case WEB_ROBOTS:
	case WEB_VERIFY:
	case WEB_ODDS:
		web_site_fixed(s, rq);
		break;
	case WEB_PLAYER_FEED:
	case WEB_EVENT_FEED:
		if (s->waiting >= s->conf->max_waiting)
			web_site_error(s, rq, 503, "Too many ask at once.");
		else
			web_feed_reply(s->feeds, rq);
		break;
	default:
		web_site_visit(s, rq);
	}
}
