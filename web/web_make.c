/* SPDX-License-Identifier: ISC */
#include "web/web_make.h"

#include <sys/queue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "server/base/log.h"
#include "web/page/page.h"
#include "web/web_body.h"
#include "web/web_cache.h"
#include "web/web_conf.h"
#include "web/web_erased.h"
#include "web/web_game.h"
#include "web/web_link.h"
#include "web/web_past.h"
#include "web/web_png.h"
#include "web/web_site.h"
#include "web/web_static.h"
#include "web/web_text.h"

#define WEB_MAKE_KEY 256
#define WEB_MAKE_MAX ((size_t)256 << 20) /* bytes of a body */
#define WEB_MAKE_SHORT \
	"The game is still being verified.  Try again in a moment."
#define WEB_MAKE_NAME 80 /* of a file that is saved */

/* Somebody who waits for it. */
struct web_made {
	TAILQ_ENTRY(web_made) next;
	struct web_making *m;
	struct web_request *rq;
};
TAILQ_HEAD(web_mades, web_made);

/* A body in the making. */
struct web_making {
	TAILQ_ENTRY(web_making) next;
	struct web_make *mk; /* borrowed */
	struct web_game *g; /* held; NULL: the picture needs it no more */
	char key[WEB_MAKE_KEY];
	char etag[WEB_ETAG];
	struct web_mades mades;
	struct page_site ps;
	struct page_game pg; /* whose texts are these: */
	char id[2 * HASH_LEN + 1];
	char evidence[2 * HASH_LEN + 32];
	char *title; /* owned */
	char *doubt; /* owned */
	struct page_work *page; /* owned; NULL */
	struct web_text *text; /* owned; NULL */
	struct web_body_work *squeeze; /* owned; NULL */
	struct web_past_job *past; /* its game is read up to a line; NULL */
	struct web_drawing *drawing; /* its picture is being made; NULL */
	struct web_head head; /* of the picture */
	struct web_body *body; /* owned; NULL: not yet */
	struct buf out;
	bool has_words;
	bool is_picture; /* a PNG is to be made of it */
	bool is_plain; /* it is not to be gzipped: parts of it are asked for */
	bool is_short; /* lines are missing still: it is not kept */
};
TAILQ_HEAD(web_makings, web_making);

struct web_make {
	struct web_site *s; /* borrowed */
	struct event *turn; /* owned */
	struct web_makings all; /* that have their turns */
	struct web_makings
	    drawn; /* whose pictures are being made, or games read */
	int64_t slowest_us; /* of steps */
	/* web_make_game()'s */
	struct page_game pg;
	char id[2 * HASH_LEN + 1];
	char evidence[2 * HASH_LEN + 32];
	char *doubt; /* owned */
};

/* How a route is made: a kind of page, or of text. */
static bool
web_make_kind(const struct web_target *t, int *page, int *text)
{
	*page = *text = -1;
	switch (t->route->what) {
	case WEB_GAME:
		*page = PAGE_GAME;
		break;
	case WEB_TURN:
		*page = PAGE_TURN;
		break;
	case WEB_COMBAT:
		*page = PAGE_COMBAT;
		break;
	case WEB_PART:
		*page = t->part == 'c' ? PAGE_PART
		    : t->part == 't'   ? PAGE_LINES
				       : PAGE_NOW;
		break;
	case WEB_DICE:
		*page = PAGE_DICE;
		break;
	case WEB_CSV:
		*page = PAGE_CSV;
		break;
	case WEB_FEED:
		*page = PAGE_FEED;
		break;
	case WEB_CARD:
	case WEB_PNG:
		*page = PAGE_CARD;
		break;
	case WEB_EMBED:
		*page = PAGE_EMBED;
		break;
	case WEB_RECORD:
		*text = WEB_TEXT_RECORD;
		break;
	case WEB_LOG_TEXT:
		*text = WEB_TEXT_PLAIN;
		break;
	case WEB_LOG_MARKDOWN:
		*text = WEB_TEXT_MARKDOWN;
		break;
	case WEB_LOG_JSON:
		*text = WEB_TEXT_JSON;
		break;
	default:
		return (false);
	}
	return (true);
}

/* What does not hold of a game, for people; NULL: all is well.  free(). */
static char *
web_make_doubt(const struct web_game *g)
{
	if (g->trouble != NULL)
		return (xalloc_str(g->trouble));
	return (verdict_doubt(replica_report(g->c), NULL));
}

const struct page_game *
web_make_game(struct web_make *mk, const struct web_game *g)
{
	free(mk->doubt);
	mk->doubt = web_make_doubt(g);
	(void)snprintf(mk->id, sizeof(mk->id), "%.*s", g->digits, g->hex);
	mk->evidence[0] = '\0';
	if (g->evidence != NULL)
		(void)snprintf(mk->evidence, sizeof(mk->evidence),
		    "/g/%s/evidence.jsonl", mk->id);
	mk->pg = (struct page_game){
	    .b = replica_battle(g->c),
	    .id = mk->id,
	    .gid = g->hex,
	    .seq = g->c->n - 1,
	    .epoch = g->erasures,
	    .total = g->total > g->c->n ? g->total : g->c->n,
	    .is_cut = g->is_full,
	    .at_ms = g->at_ms,
	    .title = g->title,
	    .doubt = mk->doubt,
	    .evidence = mk->evidence,
	    .is_damaged = g->is_damaged,
	    .is_recovering = g->is_recovering,
	    .sheets = g->sheets,
	};
	return (&mk->pg);
}

/* True if no more of it is to be expected. */
static bool
web_make_is_over(const struct web_game *g)
{
	const struct game *gm = replica_game(g->c);

	return (game_phase(gm) == GAME_OVER || game_phase(gm) == GAME_FINISHED);
}

/* True for what says how old it is: whole pages, of what may change. */
static bool
web_make_says_age(const struct web_route *rt)
{
	return (rt->csp != WEB_CSP_DATA && rt->keep != WEB_KEEP_EVER &&
	    rt->what != WEB_PART);
}

/*
 * Marks what is said beside the lines: what the umpire's account of the game
 * lacks, whether there is proof of that, and, of pages, that it is away.
 */
static void
web_make_marks(struct web_make *mk, const struct web_target *t,
    const struct web_game *g, char *out, size_t max)
{
	const int64_t away_ms =
	    web_make_says_age(t->route) ? web_site_away_ms(mk->s) : 0;
	const char *p = g->trouble;
	const char *still = g->is_damaged ? "-d" : g->is_recovering ? "-r" : "";
	char away[24] = "", trouble[16] = "";
	uint32_t h = 2166136261U;

	if (away_ms > 0)
		(void)snprintf(away, sizeof(away), "-away%lld",
		    (long long)away_ms / 60000);
	for (; p != NULL && *p != '\0'; p++)
		h = (h ^ (unsigned char)*p) * 16777619U;
	if (g->trouble != NULL || g->evidence != NULL)
		(void)snprintf(trouble, sizeof(trouble), "-%08x%s", h,
		    g->evidence == NULL ? "" : "e");
	(void)snprintf(out, max, "%s%s%s", still, trouble, away);
}

/* The name under which the cache has a body, and its ETag. */
static void
web_make_name(struct web_make *mk, const struct web_target *t,
    const struct web_game *g, char *key, char *etag)
{
	const bool is_picture = t->route->what == WEB_PNG;
	/* Pages that were made before name pictures. */
	const bool is_bare =
	    mk->s->png != NULL && !is_picture && !web_png_is_up(mk->s->png);
	/* A line's picture stays as it is when others come. */
	const int64_t seq = is_picture ? t->n : g->c->n - 1;
	char head[9], marks[48];

	/* What was erased is never shown of it, so it never changes. */
	if (t->route->keep == WEB_KEEP_EVER) {
		(void)snprintf(key, WEB_MAKE_KEY, "%d %s %lld", t->route->what,
		    g->hex, (long long)t->n);
		(void)snprintf(etag, WEB_ETAG, "%.8s-%lld-%s", g->hex,
		    (long long)t->n, web_static_mark(mk->s->files));
		return;
	}
	hex_format(head, replica_hash(g->c, seq), 4);
	web_make_marks(mk, t, g, marks, sizeof(marks));
	(void)snprintf(etag, WEB_ETAG, "%s-%lld-%lld-%.6s%s%s", head,
	    (long long)seq, (long long)g->erasures,
	    web_static_mark(mk->s->files), is_bare ? "-bare" : "", marks);
	(void)snprintf(key, WEB_MAKE_KEY, "%d %s %lld %c%lld %s %d",
	    t->route->what, g->hex, (long long)t->n,
	    t->part == '\0' ? '-' : t->part, (long long)t->as_of, etag,
	    g->digits);
}

/*
 * True for a part that is asked for as it was before words in it were erased:
 * what is left of it is the answer, but the address has none any more.
 */
static bool
web_make_was_erased(
    struct web_make *mk, const struct web_target *t, const struct web_game *g)
{
	int64_t from, to;
	int page, text;

	if (t->epoch >= g->erasures || !web_make_kind(t, &page, &text) ||
	    page_span(web_make_game(mk, g), (enum page_kind)page, t->n,
		t->as_of, &from, &to) != 0)
		return (false);
	return (web_erased_of(g->gone, g->c, from, to) > t->epoch);
}

/* Fills in what a reply says beside the body. */
static void
web_make_head(struct web_make *mk, const struct web_request *rq,
    const struct web_game *g, const char *etag, bool is_short,
    struct web_head *head, char *file)
{
	const struct web_route *rt = rq->t.route;
	const bool is_over = web_make_is_over(g);
	const char *ending;

	memset(head, 0, sizeof(*head));
	head->status = 200;
	head->type = rt->type;
	head->keep = web_route_keep(rt->keep, is_over);
	head->csp = rt->csp;
	head->is_open = rt->is_open;
	head->is_noindex = !is_over;
	head->etag = etag;
	head->takes_range = rt->what == WEB_RECORD;
	head->refresh_s = rt->what == WEB_GAME ? rq->t.refresh : 0;
	if (rt->what == WEB_RECORD || rt->what == WEB_CSV) {
		ending = rt->what == WEB_RECORD ? "jsonl" : "csv";
		(void)snprintf(
		    file, WEB_MAKE_NAME, "umpire-%.12s.%s", g->hex, ending);
		head->file = file;
	}
	if (rt->what == WEB_PART && web_make_was_erased(mk, &rq->t, g))
		head->status = 410;
	/*
	 * Until the umpire has said how many texts were erased nobody is told
	 * that what they have from before is still the same.
	 */
	if (g->synced_ms == 0 && rt->keep != WEB_KEEP_EVER)
		head->etag = NULL;
	if (is_short) {
		head->keep = "no-store";
		head->etag = NULL;
		head->refresh_s = 2;
	}
	/* The page is shown still, and says how old it is. */
	if (web_make_says_age(rt) && web_site_away_ms(mk->s) > 0) {
		head->status = 503;
		head->retry_s = 10;
		head->keep = "no-store";
	}
}

/* Replies to one request with a body that is there. */
static void
web_make_send(struct web_make *mk, struct web_request *rq,
    const struct web_game *g, const char *etag, bool is_short,
    struct web_body *body)
{
	char file[WEB_MAKE_NAME];
	struct web_head head;

	web_make_head(mk, rq, g, etag, is_short, &head, file);
	web_http_reply(rq, &head, body);
}

/* Frees what is not wanted any more, or was sent. */
static void
web_making_free(struct web_making *m)
{
	struct web_made *md;

	if (m->drawing != NULL || m->past != NULL) {
		TAILQ_REMOVE(&m->mk->drawn, m, next);
		web_png_cancel(m->drawing);
		web_past_cancel(m->past);
	} else {
		TAILQ_REMOVE(&m->mk->all, m, next);
	}
	while ((md = TAILQ_FIRST(&m->mades)) != NULL) {
		TAILQ_REMOVE(&m->mades, md, next);
		md->rq->gone = NULL;
		free(md);
	}
	page_work_free(m->page);
	web_text_free(m->text);
	web_body_work_free(m->squeeze);
	web_body_unref(m->body);
	buf_clear(&m->out);
	free(m->title);
	free(m->doubt);
	if (m->g != NULL)
		web_game_release(m->g);
	free(m);
}

/* web_request.gone: one of those that wait has left. */
static void
web_make_gone_cb(void *arg)
{
	struct web_made *md = arg;

	TAILQ_REMOVE(&md->m->mades, md, next);
	md->m->mk->s->waiting--;
	free(md);
}

/* Has a request wait for it. */
static void
web_making_join(struct web_making *m, struct web_request *rq)
{
	struct web_made *md = xalloc(sizeof(*md));

	md->m = m;
	md->rq = rq;
	rq->gone = web_make_gone_cb;
	rq->arg = md;
	m->mk->s->waiting++;
	TAILQ_INSERT_TAIL(&m->mades, md, next);
}

/* All who wait have it, or an error. */
static void
web_making_tell(struct web_making *m, int status, const char *why)
{
	struct web_request *rq;
	struct web_made *md;

	while ((md = TAILQ_FIRST(&m->mades)) != NULL) {
		TAILQ_REMOVE(&m->mades, md, next);
		rq = md->rq;
		rq->gone = NULL;
		m->mk->s->waiting--;
		free(md);
		if (m->body != NULL && m->g == NULL)
			web_http_reply(rq, &m->head, m->body);
		else if (m->body != NULL)
			web_make_send(
			    m->mk, rq, m->g, m->etag, m->is_short, m->body);
		else
			web_site_error(m->mk->s, rq, status, why);
	}
}

/* web_png_done. */
static void
web_making_drawn_cb(void *arg, int r, struct buf *png)
{
	struct web_making *m = arg;

	TAILQ_REMOVE(&m->mk->drawn, m, next);
	TAILQ_INSERT_TAIL(&m->mk->all, m, next);
	m->drawing = NULL;
	if (r == 0) {
		m->body = web_body_plain(png);
		m->body->has_words = m->has_words;
		web_cache_put(m->mk->s->cache, m->key, m->body);
	}
	web_making_tell(m, 503, "The picture cannot be made now.");
	web_making_free(m);
}

/* Has its picture made, for which somebody waits; true if that cannot be. */
static bool
web_making_draw(struct web_making *m)
{
	struct web_make *mk = m->mk;
	char file[WEB_MAKE_NAME];

	m->drawing = web_png_draw(mk->s->png, &m->out, web_making_drawn_cb, m);
	if (m->drawing == NULL) {
		web_making_tell(m, 503, "Too many pictures are asked for.");
		return (true);
	}
	TAILQ_REMOVE(&mk->all, m, next);
	TAILQ_INSERT_TAIL(&mk->drawn, m, next);
	/* The game goes on meanwhile. */
	web_make_head(mk, TAILQ_FIRST(&m->mades)->rq, m->g, m->etag, false,
	    &m->head, file);
	page_work_free(m->page);
	m->page = NULL;
	web_game_release(m->g);
	m->g = NULL;
	return (false);
}

/* web_past_done. */
static void
web_making_past_cb(void *arg, int r, struct buf *svg)
{
	struct web_making *m = arg;
	struct web_make *mk = m->mk;

	m->past = NULL;
	TAILQ_REMOVE(&mk->drawn, m, next);
	TAILQ_INSERT_TAIL(&mk->all, m, next);
	if (r == 0 && !TAILQ_EMPTY(&m->mades)) {
		m->out = *svg;
		buf_init(svg, svg->max);
		m->has_words = true;
		m->drawing =
		    web_png_draw(mk->s->png, &m->out, web_making_drawn_cb, m);
	}
	if (m->drawing != NULL) {
		TAILQ_REMOVE(&mk->all, m, next);
		TAILQ_INSERT_TAIL(&mk->drawn, m, next);
		return;
	}
	if (r == ERR_NOTFOUND)
		web_making_tell(m, 404, "There is no such line any more.");
	else
		web_making_tell(m, 503, "The picture cannot be made now.");
	web_making_free(m);
}

/* Goes on with one for a step; true when it is done with. */
static bool
web_making_step(struct web_making *m)
{
	bool is_done = false;
	int r = 0;

	if (m->squeeze != NULL) {
		m->body = web_body_work_step(m->squeeze);
	} else {
		if (m->page != NULL)
			r = page_work_step(m->page, &m->out, &is_done);
		else
			r = web_text_step(m->text, &m->out, &is_done);
		if (r != 0) {
			log_errorx(
			    "game %s: %s: %s", m->g->hex, m->key, err_text(r));
			web_making_tell(m, 500, "This page cannot be made.");
			return (true);
		}
		if (!is_done)
			return (false);
		m->has_words = m->page == NULL || page_work_has_words(m->page);
		if (m->is_picture)
			return (web_making_draw(m));
		if (m->is_plain)
			m->body = web_body_plain(&m->out);
		else
			m->squeeze = web_body_work_new(&m->out);
	}
	if (m->body == NULL)
		return (false);
	m->body->has_words = m->has_words;
	if (!m->is_short)
		web_cache_put(m->mk->s->cache, m->key, m->body);
	web_making_tell(m, 0, NULL);
	return (true);
}

/* Has the next turn soon. */
static void
web_make_soon(struct web_make *mk)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!TAILQ_EMPTY(&mk->all) && !evtimer_pending(mk->turn, NULL))
		(void)evtimer_add(mk->turn, &now);
}

/* Each in turn goes on for a step, until the slice is over. */
static void
web_make_turn_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_make *mk = arg;
	const int64_t until_us = clock_mono_us() + mk->s->conf->slice_us;
	struct web_making *m;
	int64_t from_us, us;

	(void)fd;
	(void)what;
	do {
		from_us = clock_thread_us();
		if ((m = TAILQ_FIRST(&mk->all)) == NULL)
			return;
		/* Nobody waits any more. */
		if (TAILQ_EMPTY(&m->mades) || web_making_step(m)) {
			web_making_free(m);
		} else if (m->drawing == NULL) {
			TAILQ_REMOVE(&mk->all, m, next);
			TAILQ_INSERT_TAIL(&mk->all, m, next);
		}
		us = clock_thread_us() - from_us;
		if (us > mk->slowest_us)
			mk->slowest_us = us;
	} while (clock_mono_us() < until_us);
	web_make_soon(mk);
}

/* Begins a body.  ERR_NOTFOUND: there is nothing to make it of. */
static int
web_making_begin(
    struct web_making *m, const struct web_target *t, int page, int text)
{
	struct web_make *mk = m->mk;

	m->ps = *web_site_page(mk->s);
	m->pg = *web_make_game(mk, m->g);
	m->doubt = mk->doubt;
	mk->doubt = NULL;
	memcpy(m->id, mk->id, sizeof(m->id));
	memcpy(m->evidence, mk->evidence, sizeof(m->evidence));
	m->title = xalloc_str(m->g->title);
	m->pg.id = m->id;
	m->pg.evidence = m->evidence;
	m->pg.title = m->title;
	if (t->route->what == WEB_PART) {
		if (t->as_of > m->pg.seq)
			return (ERR_NOTFOUND);
		m->pg.seq = t->as_of;
	}
	if (page < 0) {
		m->text =
		    web_text_new((enum web_text_kind)text, m->g->c, m->doubt);
		return (0);
	}
	return (page_work_new(
	    (enum page_kind)page, &m->ps, &m->pg, t->n, t->as_of, &m->page));
}

/* Replies with a line's own bytes. */
static void
web_make_line(
    struct web_make *mk, struct web_request *rq, const struct web_game *g)
{
	const char *line, *etag;
	struct web_body *body;
	char key[WEB_MAKE_KEY], tag[WEB_ETAG];
	struct buf b;
	size_t len;

	if (rq->t.n >= g->c->n && rq->t.n < g->total) {
		web_site_error(mk->s, rq, 503, WEB_MAKE_SHORT);
		return;
	}
	if (rq->t.n >= g->c->n) {
		web_site_error(mk->s, rq, 404, "There is no such line yet.");
		return;
	}
	web_make_name(mk, &rq->t, g, key, tag);
	etag = tag;
	line = replica_get(g->c, rq->t.n, &len);
	buf_init(&b, 0);
	buf_add(&b, line, len);
	buf_putc(&b, '\n');
	body = web_body_gzip(&b);
	web_make_send(mk, rq, g, etag, false, body);
	web_body_unref(body);
}

/* Replies with where the game is. */
static void
web_make_at(
    struct web_make *mk, struct web_request *rq, const struct web_game *g)
{
	const struct page_game *pg = web_make_game(mk, g);
	char key[WEB_MAKE_KEY], etag[WEB_ETAG], part[48];
	struct web_body *body;
	struct buf b, now;
	json_t *v;
	char *text;

	web_make_name(mk, &rq->t, g, key, etag);
	buf_init(&now, 0);
	if (page_now(pg, &now) != 0)
		xalloc_die();
	(void)snprintf(part, sizeof(part), "t%d@%lld",
	    page_where(pg, pg->seq).turn, (long long)pg->seq);
	v = xalloc_json(json_pack("{s:I, s:s, s:i, s:o, s:b, s:I}", "seq",
	    (json_int_t)pg->seq, "part", part, "turn",
	    game_turn(battle_game(pg->b)), "now",
	    xalloc_json_str(buf_str(&now)), "over", web_make_is_over(g),
	    "epoch", (json_int_t)g->erasures));
	buf_clear(&now);
	text = xalloc_dump(v);
	json_decref(v);
	buf_init(&b, 0);
	buf_printf(&b, "%s\n", text);
	free(text);
	body = web_body_gzip(&b);
	web_make_send(mk, rq, g, etag, false, body);
	web_body_unref(body);
}

/* Replies to who asks for a picture that there is none of; false: there is. */
static bool
web_make_is_no_picture(
    struct web_make *mk, struct web_request *rq, const struct web_game *g)
{
	if (mk->s->png == NULL)
		web_site_error(mk->s, rq, 404, "There are no pictures here.");
	else if (rq->t.n >= g->c->n)
		web_site_error(mk->s, rq, 404, "There is no such line yet.");
	else
		return (false);
	return (true);
}

/*
 * Begins a picture of the game as it was after an earlier line; false if too
 * many wait.
 */
static bool
web_making_look_back(struct web_making *m, struct web_request *rq)
{
	struct web_make *mk = m->mk;
	char file[WEB_MAKE_NAME];

	m->past = web_past_ask(
	    mk->s->past, m->g->hex, rq->t.n, web_making_past_cb, m);
	if (m->past == NULL)
		return (false);
	TAILQ_REMOVE(&mk->all, m, next);
	TAILQ_INSERT_TAIL(&mk->drawn, m, next);
	web_make_head(mk, rq, m->g, m->etag, false, &m->head, file);
	web_game_release(m->g);
	m->g = NULL;
	return (true);
}

/* The one that makes a body already; NULL. */
static struct web_making *
web_make_find(struct web_make *mk, const char *key, bool is_short)
{
	struct web_makings *lists[] = {&mk->all, &mk->drawn};
	struct web_making *m;
	size_t i;

	for (i = 0; i < 2; i++) {
		TAILQ_FOREACH(m, lists[i], next)
		{
			if (strcmp(m->key, key) == 0 && m->is_short == is_short)
				return (m);
		}
	}
	return (NULL);
}

void
web_make_reply(struct web_make *mk, struct web_request *rq, struct web_game *g)
{
	const bool is_short = web_game_is_short(g);
	char key[WEB_MAKE_KEY], etag[WEB_ETAG];
	struct web_making *m;
	struct web_body *body;
	int page, text, r;

	if (rq->t.route->what == WEB_LINE) {
		web_make_line(mk, rq, g);
		return;
	}
	if (rq->t.route->what == WEB_AT) {
		web_make_at(mk, rq, g);
		return;
	}
	if (!web_make_kind(&rq->t, &page, &text)) {
		web_site_error(mk->s, rq, 404, "There is no such page.");
		return;
	}
	/* Half a record is none; a page says what it lacks. */
	if (is_short && rq->t.route->csp == WEB_CSP_DATA) {
		web_site_error(mk->s, rq, 503, WEB_MAKE_SHORT);
		return;
	}
	if (g->is_full && rq->t.route->csp == WEB_CSP_DATA) {
		web_site_error(mk->s, rq, 503,
		    "The record is longer than is read here: the umpire has "
		    "all of it.");
		return;
	}
	if (rq->t.route->what == WEB_PART && rq->t.epoch > g->erasures) {
		web_site_error(mk->s, rq, 404, "There is no such part yet.");
		return;
	}
	if (rq->t.route->what == WEB_PNG && web_make_is_no_picture(mk, rq, g))
		return;
	web_make_name(mk, &rq->t, g, key, etag);
	if (!is_short && (body = web_cache_find(mk->s->cache, key)) != NULL) {
		web_make_send(mk, rq, g, etag, false, body);
		return;
	}
	if (rq->t.route->what == WEB_PNG && !web_png_is_up(mk->s->png)) {
		web_site_error(
		    mk->s, rq, 503, "The picture cannot be made now.");
		return;
	}
	if ((m = web_make_find(mk, key, is_short)) != NULL) {
		web_making_join(m, rq);
		return;
	}
	m = xalloc(sizeof(*m));
	m->mk = mk;
	m->g = g;
	m->is_short = is_short;
	m->is_picture = rq->t.route->what == WEB_PNG;
	m->is_plain = rq->t.route->what == WEB_RECORD;
	memcpy(m->key, key, sizeof(m->key));
	memcpy(m->etag, etag, sizeof(m->etag));
	TAILQ_INIT(&m->mades);
	buf_init(&m->out, WEB_MAKE_MAX);
	web_game_hold(g);
	TAILQ_INSERT_TAIL(&mk->all, m, next);
	if (m->is_picture && rq->t.n < g->c->n - 1) {
		if (web_making_look_back(m, rq)) {
			web_making_join(m, rq);
			return;
		}
		web_making_free(m);
		web_site_error(
		    mk->s, rq, 503, "Too many pictures are asked for.");
		return;
	}
	if ((r = web_making_begin(m, &rq->t, page, text)) != 0) {
		web_making_free(m);
		/* It may be among the lines that are still to come. */
		if (r == ERR_NOTFOUND && is_short)
			web_site_error(mk->s, rq, 503, WEB_MAKE_SHORT);
		else if (r == ERR_NOTFOUND)
			web_site_error(
			    mk->s, rq, 404, "The game has no such part.");
		else
			web_site_error(
			    mk->s, rq, 500, "This page cannot be made.");
		return;
	}
	web_making_join(m, rq);
	web_make_soon(mk);
}

int64_t
web_make_slowest(struct web_make *mk)
{
	const int64_t us = mk->slowest_us;

	mk->slowest_us = 0;
	return (us);
}

struct web_make *
web_make_new(struct web_site *s)
{
	struct web_make *mk = xalloc(sizeof(*mk));

	mk->s = s;
	TAILQ_INIT(&mk->all);
	TAILQ_INIT(&mk->drawn);
	if ((mk->turn = evtimer_new(s->base, web_make_turn_cb, mk)) == NULL)
		xalloc_die();
	return (mk);
}

void
web_make_free(struct web_make *mk)
{
	if (mk == NULL)
		return;
	while (!TAILQ_EMPTY(&mk->all))
		web_making_free(TAILQ_FIRST(&mk->all));
	while (!TAILQ_EMPTY(&mk->drawn))
		web_making_free(TAILQ_FIRST(&mk->drawn));
	event_free(mk->turn);
	free(mk->doubt);
	free(mk);
}
