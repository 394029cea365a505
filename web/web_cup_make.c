/* SPDX-License-Identifier: ISC */
/*
 * Pages of tournaments in the making: each once, however many ask, and a step a
 * turn, since those of a tournament of a thousand take a while.  Until they are
 * made their tournament takes no lines, so that all of a page tells the same.
 */
#include <sys/queue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_tournament.h"
#include "web/page/page.h"
#include "web/web_body.h"
#include "web/web_cache.h"
#include "web/web_check.h"
#include "web/web_conf.h"
#include "web/web_cup_int.h"
#include "web/web_site.h"

/* Somebody who waits for it. */
struct web_cup_made {
	TAILQ_ENTRY(web_cup_made) next;
	struct web_cup_making *m;
	struct web_request *rq;
};
TAILQ_HEAD(web_cup_mades, web_cup_made);

struct web_cup_making {
	TAILQ_ENTRY(web_cup_making) next;
	struct web_cup *c; /* borrowed: it stays, and takes no line */
	char key[WEB_CUP_KEY];
	char etag[WEB_ETAG];
	enum web_what what;
	int64_t n;
	int digits; /* of its address */
	bool is_short;
	struct web_cup_mades mades;
	struct page_site ps;
	struct page_cup_in in; /* whose texts are these: */
	struct page_cup_check check;
	char id[2 * HASH_LEN + 1];
	char proof[2 * HASH_LEN + 33];
	char mark[48];
	char *doubt, *why; /* owned; NULL */
	struct page_cup_work *page; /* owned; NULL: not begun */
	struct buf out;
	struct web_body_work *squeeze; /* owned; NULL: it is not done */
};

/* page_cup_in.text: a text by its hash. */
static const char *
web_cup_make_text_cb(void *arg, const char *hex)
{
	const struct web_cup *c = arg;

	return (js_str(c->values, hex));
}

/* page_cup_in.game: what was found of a game. */
static enum page_cup_game
web_cup_make_game_cb(void *arg, const char *hex)
{
	return (web_cup_check_told(arg, hex));
}

/* Which page a request is for. */
static enum page_cup
web_cup_make_page(enum web_what what)
{
	switch (what) {
	case WEB_CUP_STANDINGS:
		return (PAGE_CUP_STANDINGS);
	case WEB_CUP_CROSSTABLE:
		return (PAGE_CUP_CROSSTABLE);
	case WEB_CUP_ROUND:
		return (PAGE_CUP_ROUND);
	case WEB_CUP_WHY:
		return (PAGE_CUP_WHY);
	default:
		return (PAGE_CUP_SHOW);
	}
}

/* A text of its own, if there is one. */
static char *
web_cup_make_copy(const char *text)
{
	return (text == NULL ? NULL : xalloc_str(text));
}

/* Notes what the page is told, as it is now. */
static void
web_cup_make_tell(struct web_cup_making *m)
{
	struct web_cup *c = m->c;
	const struct web_cup_check *k = &c->check;

	m->ps = *web_site_page(c->cs->s);
	free(m->doubt);
	free(m->why);
	m->doubt = web_cup_make_copy(c->trouble);
	m->why = web_cup_make_copy(k->why);
	m->check = (struct page_cup_check){
	    .is_there = web_check_is_up(c->cs->s->check),
	    .is_done = k->is_done,
	    .is_bad = k->is_bad,
	    .lines = k->lines,
	    .at_ms = k->at_ms,
	    .dice = k->dice,
	    .named = k->games,
	    .has = k->has,
	    .why = m->why};
	(void)snprintf(m->id, sizeof(m->id), "%.*s", m->digits, c->hex);
	(void)snprintf(
	    m->proof, sizeof(m->proof), "/t/%s/evidence.jsonl", m->id);
	web_cup_mark(c, m->mark, sizeof(m->mark));
	m->in = (struct page_cup_in){
	    .t = verify_tournament_state(c->v),
	    .id = m->id,
	    .text = web_cup_make_text_cb,
	    .game = web_cup_make_game_cb,
	    .arg = c,
	    .check = &m->check,
	    .mark = m->mark,
	    .view = c->view,
	    .record = c->lines.data,
	    .record_len = c->lines.len,
	    .lines = c->n,
	    .total = m->is_short && c->n >= c->total ? c->n + 1 : c->total,
	    .doubt = m->doubt,
	    .evidence = c->evidence == NULL ? "" : m->proof,
	    .at_ms = c->at_ms,
	};
}

/* Says how it stands, for scripts. */
static int
web_cup_make_at(struct web_cup_making *m)
{
	char *text;
	struct buf now;
	json_t *v;

	buf_init(&now, 0);
	if (page_cup_now(&m->in, &now) != 0)
		xalloc_die();
	v = xalloc_json(
	    json_pack("{s:I, s:s, s:o, s:b}", "seq", (json_int_t)m->c->n - 1,
		"mark", m->mark, "now", xalloc_json_str(buf_str(&now)), "over",
		tournament_phase(m->in.t) == TOURNAMENT_OVER));
	buf_clear(&now);
	text = xalloc_dump(v);
	json_decref(v);
	buf_printf(&m->out, "%s\n", text);
	free(text);
	return (buf_error(&m->out));
}

/* Frees one for which nobody waits. */
static void
web_cup_make_free(struct web_cup_making *m)
{
	struct web_cup *c = m->c;

	TAILQ_REMOVE(&c->cs->makings, m, next);
	page_cup_free(m->page);
	web_body_work_free(m->squeeze);
	buf_clear(&m->out);
	free(m->doubt);
	free(m->why);
	free(m);
	/* It may take lines again. */
	if (--c->making == 0 && c->is_due)
		web_cup_queue(c);
}

/* All who wait have it, or, without a body, an error. */
static void
web_cup_make_reply(struct web_cup_making *m, int r, struct web_body *body)
{
	struct web_site *s = m->c->cs->s;
	struct web_cup_made *md;
	struct web_request *rq;

	while ((md = TAILQ_FIRST(&m->mades)) != NULL) {
		TAILQ_REMOVE(&m->mades, md, next);
		rq = md->rq;
		rq->gone = NULL;
		s->waiting--;
		free(md);
		if (body != NULL)
			web_cup_send(m->c, rq, body, m->is_short);
		/* What is not there yet may be among the rest. */
		else if (r == ERR_NOTFOUND && m->is_short)
			web_cup_nothing(m->c, rq);
		else if (r == ERR_NOTFOUND)
			web_site_error(
			    s, rq, 404, "The tournament has no such part.");
		else
			web_site_error(s, rq, 500, "This page cannot be made.");
	}
}

/* Goes on with what is sent: 0, or why there is none. */
static int
web_cup_make_write(struct web_cup_making *m, bool *is_done)
{
	int r = 0;

	if (m->page == NULL) {
		web_cup_make_tell(m);
		if (m->what == WEB_CUP_AT) {
			*is_done = true;
			return (web_cup_make_at(m));
		}
		r = page_cup_new(web_cup_make_page(m->what), &m->ps, &m->in,
		    (int)m->n, &m->page);
	}
	return (r != 0 ? r : page_cup_step(m->page, &m->out, is_done));
}

/* Goes on for a step; true when it is done with. */
static bool
web_cup_make_step(struct web_cup_making *m)
{
	struct web_cup *c = m->c;
	struct web_body *body;
	bool is_done = false;
	int r;

	if (c->view == NULL)
		c->view = page_cup_view_new();
	if (!page_cup_view_is_whole(c->view)) {
		if (page_cup_view_step(c->view, verify_tournament_state(c->v)))
			web_cup_weigh(c);
		return (false);
	}
	if (m->squeeze == NULL) {
		if ((r = web_cup_make_write(m, &is_done)) != 0) {
			web_cup_make_reply(m, r, NULL);
			return (true);
		}
		if (is_done)
			m->squeeze = web_body_work_new(&m->out);
		return (false);
	}
	if ((body = web_body_work_step(m->squeeze)) == NULL)
		return (false);
	/* What it lacks is soon there. */
	if (!m->is_short) {
		memcpy(body->etag, m->etag, sizeof(body->etag));
		web_cache_put(c->cs->s->cache, m->key, body);
	}
	web_cup_make_reply(m, 0, body);
	web_body_unref(body);
	return (true);
}

void
web_cup_make_turn(struct web_cups *cs)
{
	const int64_t until_us = clock_mono_us() + cs->s->conf->slice_us;
	struct web_cup_making *m;
	int64_t from_us, us;

	do {
		from_us = clock_thread_us();
		if ((m = TAILQ_FIRST(&cs->makings)) == NULL)
			return;
		/* Nobody waits any more. */
		if (TAILQ_EMPTY(&m->mades) || web_cup_make_step(m)) {
			web_cup_make_free(m);
		} else {
			TAILQ_REMOVE(&cs->makings, m, next);
			TAILQ_INSERT_TAIL(&cs->makings, m, next);
		}
		us = clock_thread_us() - from_us;
		if (us > cs->counts.slowest_page_us)
			cs->counts.slowest_page_us = us;
	} while (clock_mono_us() < until_us);
	web_cup_make_soon(cs);
}

/* web_request.gone: one of those that wait has left. */
static void
web_cup_make_gone_cb(void *arg)
{
	struct web_cup_made *md = arg;

	TAILQ_REMOVE(&md->m->mades, md, next);
	md->m->c->cs->s->waiting--;
	free(md);
}

void
web_cup_make_ask(struct web_cup *c, struct web_request *rq, const char *key,
    const char *etag)
{
	const bool is_short = web_cup_read_is_short(c);
	struct web_cups *cs = c->cs;
	struct web_cup_making *m;
	struct web_cup_made *md;

	TAILQ_FOREACH(m, &cs->makings, next)
	{
		if (m->c == c && strcmp(m->key, key) == 0 &&
		    m->is_short == is_short)
			break;
	}
	if (m == NULL) {
		m = xalloc(sizeof(*m));
		m->c = c;
		(void)snprintf(m->key, sizeof(m->key), "%s", key);
		(void)snprintf(m->etag, sizeof(m->etag), "%s", etag);
		m->what = rq->t.route->what;
		m->n = rq->t.n;
		m->digits = c->digits;
		m->is_short = is_short;
		TAILQ_INIT(&m->mades);
		buf_init(&m->out, 0);
		TAILQ_INSERT_TAIL(&cs->makings, m, next);
		c->making++;
	}
	md = xalloc(sizeof(*md));
	md->m = m;
	md->rq = rq;
	rq->gone = web_cup_make_gone_cb;
	rq->arg = md;
	cs->s->waiting++;
	TAILQ_INSERT_TAIL(&m->mades, md, next);
	web_cup_make_soon(cs);
}

void
web_cup_make_anew(struct web_cup *c)
{
	struct web_cup_making *m;

	TAILQ_FOREACH(m, &c->cs->makings, next)
	{
		if (m->c != c)
			continue;
		page_cup_free(m->page);
		web_body_work_free(m->squeeze);
		m->page = NULL;
		m->squeeze = NULL;
		buf_reset(&m->out);
	}
}

void
web_cup_make_stop(struct web_cups *cs)
{
	struct web_cup_making *m;
	struct web_cup_made *md;

	while ((m = TAILQ_FIRST(&cs->makings)) != NULL) {
		while ((md = TAILQ_FIRST(&m->mades)) != NULL) {
			TAILQ_REMOVE(&m->mades, md, next);
			md->rq->gone = NULL;
			free(md);
		}
		web_cup_make_free(m);
	}
}
