/* SPDX-License-Identifier: ISC */
/*
 * A job holds no game: lines that come meanwhile are taken, which changes
 * nothing of those before them.  So a game may also go, and is asked for anew
 * with each slice.
 */
#include "web/web_past.h"

#include <sys/queue.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/game/verify.h"
#include "server/base/log.h"
#include "web/page/page.h"
#include "web/web_conf.h"
#include "web/web_game.h"
#include "web/web_games.h"
#include "web/web_make.h"
#include "web/web_site.h"

#define WEB_PAST_WAITING 16 /* jobs at a time */
#define WEB_PAST_JOB_US 10000000 /* processor time of one */
#define WEB_PAST_KEPT_S 30 /* for which its lines are kept */
#define WEB_PAST_SVG ((size_t)1 << 20) /* bytes at most */

/* Somebody who waits; the first is at work. */
struct web_past_job {
	TAILQ_ENTRY(web_past_job) next;
	struct web_past *p; /* borrowed */
	char hex[2 * HASH_LEN + 1];
	int64_t n;
	int64_t us; /* processor time that it took */
	web_past_done *done;
	void *arg;
};
TAILQ_HEAD(web_past_jobs, web_past_job);

struct web_past {
	struct web_site *s; /* borrowed */
	struct event *turn; /* owned: the next slice, after a rest if need be */
	struct event *tidy; /* owned: nobody has asked for long */
	struct web_past_jobs jobs;
	size_t n_jobs;
	int64_t slowest_us;
	/* Lines 0 .. lines-1 of a game; NULL: of none. */
	struct verify *v; /* owned */
	char hex[2 * HASH_LEN + 1]; /* that game */
	int64_t lines;
	size_t side; /* bytes of side lines that it was given */
	struct replica *c; /* of a slice: that game's, borrowed */
	struct battle battle; /* it as it was then */
};

/* struct battle's calls: what depends on lines, the rest is the game's. */
static struct verify *
web_past_verify_cb(void *arg)
{
	const struct web_past *p = arg;

	return (p->v);
}

static const char *
web_past_line_cb(void *arg, int64_t seq, size_t *len)
{
	const struct web_past *p = arg;

	return (
	    seq < 0 || seq >= p->lines ? NULL : replica_get(p->c, seq, len));
}

static const char *
web_past_text_cb(void *arg, const char *hex)
{
	const struct web_past *p = arg;

	return (replica_text(p->c, hex));
}

static enum battle_lack
web_past_lack_cb(void *arg, const char *hex)
{
	const struct web_past *p = arg;

	return (replica_lack(p->c, hex));
}

static const char *
web_past_called_cb(void *arg, const char *account)
{
	const struct battle *b = replica_battle(((struct web_past *)arg)->c);

	return (b->called(b->arg, account));
}

static const char *
web_past_name_cb(void *arg, const char *account)
{
	const struct battle *b = replica_battle(((struct web_past *)arg)->c);

	return (b->name(b->arg, account));
}

/* Forgets the lines. */
static void
web_past_forget(struct web_past *p)
{
	verify_free(p->v);
	p->v = NULL;
	p->lines = 0;
}

/* Nobody has asked for long. */
static void
web_past_tidy_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_past *p = arg;

	(void)fd;
	(void)what;
	if (TAILQ_EMPTY(&p->jobs))
		web_past_forget(p);
}

/* Has the next slice after so many microseconds. */
static void
web_past_soon(struct web_past *p, int64_t us)
{
	const struct timeval tv = {.tv_sec = (time_t)(us / 1000000),
	    .tv_usec = (suseconds_t)(us % 1000000)};
	const struct timeval kept = {.tv_sec = WEB_PAST_KEPT_S};

	if (TAILQ_EMPTY(&p->jobs))
		(void)evtimer_add(p->tidy, &kept);
	if (!TAILQ_EMPTY(&p->jobs) || us > 0)
		(void)evtimer_add(p->turn, &tv);
}

/* Takes a job out. */
static void
web_past_remove(struct web_past_job *job)
{
	TAILQ_REMOVE(&job->p->jobs, job, next);
	job->p->n_jobs--;
	free(job);
}

/* Ends the first job. */
static void
web_past_end(struct web_past *p, int r, struct buf *svg)
{
	struct web_past_job *job = TAILQ_FIRST(&p->jobs);

	job->done(job->arg, r, svg);
	web_past_remove(job);
}

/* Has a verifier of the game that is not beyond line n.  ERR_NOMEM. */
static int
web_past_begin(struct web_past *p, const struct web_past_job *job)
{
	static const struct verify_options opt = {.head_seq = -1};
	const char *side = buf_str(&p->c->side);
	int r;

	if (p->v != NULL && strcmp(p->hex, job->hex) == 0 &&
	    p->lines <= job->n + 1 && p->side == p->c->side.len &&
	    (p->lines == 0 ||
		memcmp(verify_hash(p->v, p->lines - 1),
		    replica_hash(p->c, p->lines - 1), HASH_LEN) == 0))
		return (0);
	web_past_forget(p);
	memcpy(p->hex, job->hex, sizeof(p->hex));
	p->side = p->c->side.len;
	if ((r = verify_new(&opt, &p->v)) != 0)
		return (r);
	if ((r = verify_add_blobs(p->v, side, p->side)) != 0)
		web_past_forget(p);
	return (r);
}

/* Takes the next line.  ERR_BAD: it holds no more, which cannot be. */
static int
web_past_line(struct web_past *p)
{
	struct errinfo e = {.text = ""};
	const char *line, *next;
	size_t len, len_next;
	int r;

	if (p->lines + 1 < p->c->n) {
		next = replica_get(p->c, p->lines + 1, &len_next);
		verify_peek(p->v, next, len_next);
	}
	line = replica_get(p->c, p->lines, &len);
	if ((r = verify_line(p->v, line, len, &e)) != 0) {
		log_errorx("game %s: line %lld is good no more: %s", p->hex,
		    (long long)p->lines, e.text);
		web_past_forget(p);
		return (r);
	}
	p->lines++;
	return (0);
}

/* Draws the game as it is in the verifier. */
static int
web_past_draw(struct web_past *p, const struct web_game *g, struct buf *svg)
{
	struct page_game pg = *web_make_game(p->s->make, g);
	const struct page_site ps = *web_site_page(p->s);
	struct page_work *w;
	bool is_done = false;
	int r;

	pg.b = &p->battle;
	pg.seq = p->lines - 1;
	pg.total = p->lines;
	pg.sheets = NULL;
	if ((r = page_work_new(PAGE_CARD, &ps, &pg, 0, pg.seq, &w)) != 0)
		return (r);
	while (r == 0 && !is_done)
		r = page_work_step(w, svg, &is_done);
	page_work_free(w);
	return (r);
}

/* Goes on with the first job until a time; true: it is done with. */
static bool
web_past_step(struct web_past *p, struct web_past_job *job, int64_t until_us)
{
	struct web_game *g = web_games_get(p->s->games, job->hex);
	struct buf svg;
	int r = 0;

	buf_init(&svg, WEB_PAST_SVG);
	if (g == NULL || g->c == NULL || job->n >= g->c->n) {
		web_past_end(p, g == NULL ? ERR_BUSY : ERR_NOTFOUND, &svg);
		return (true);
	}
	p->c = g->c;
	r = web_past_begin(p, job);
	while (r == 0 && p->lines <= job->n && clock_thread_us() < until_us)
		r = web_past_line(p);
	if (r == 0 && p->lines > job->n)
		r = web_past_draw(p, g, &svg);
	else if (r == 0)
		return (false);
	web_past_end(p, r == 0 ? 0 : ERR_BUSY, &svg);
	buf_clear(&svg);
	return (true);
}

/* A slice. */
static void
web_past_turn_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_past *p = arg;
	struct web_past_job *job = TAILQ_FIRST(&p->jobs);
	const int64_t from_us = clock_thread_us();
	int64_t us, spent;
	struct buf none;

	(void)fd;
	(void)what;
	/* That was a rest. */
	if (job == NULL)
		return;
	spent = job->us;
	if (web_past_step(p, job, from_us + p->s->conf->slice_us))
		job = NULL;
	us = clock_thread_us() - from_us;
	if (us > p->slowest_us)
		p->slowest_us = us;
	if (job != NULL && (job->us += us) > WEB_PAST_JOB_US) {
		/* Who asks again has it go on. */
		buf_init(&none, 0);
		web_past_end(p, ERR_BUSY, &none);
		job = NULL;
	}
	web_past_soon(p, job != NULL ? 0 : spent + us);
}

struct web_past_job *
web_past_ask(struct web_past *p, const char *hex, int64_t n,
    web_past_done *done, void *arg)
{
	struct web_past_job *job;

	if (p->n_jobs >= WEB_PAST_WAITING)
		return (NULL);
	job = xalloc(sizeof(*job));
	job->p = p;
	(void)snprintf(job->hex, sizeof(job->hex), "%s", hex);
	job->n = n;
	job->done = done;
	job->arg = arg;
	TAILQ_INSERT_TAIL(&p->jobs, job, next);
	p->n_jobs++;
	if (!evtimer_pending(p->turn, NULL))
		web_past_soon(p, 0);
	return (job);
}

void
web_past_cancel(struct web_past_job *job)
{
	if (job != NULL)
		web_past_remove(job);
}

int64_t
web_past_slowest(struct web_past *p)
{
	const int64_t us = p->slowest_us;

	p->slowest_us = 0;
	return (us);
}

struct web_past *
web_past_new(struct web_site *s)
{
	struct web_past *p = xalloc(sizeof(*p));

	p->s = s;
	TAILQ_INIT(&p->jobs);
	p->battle = (struct battle){
	    .arg = p,
	    .verify = web_past_verify_cb,
	    .line = web_past_line_cb,
	    .text = web_past_text_cb,
	    .lack = web_past_lack_cb,
	    .called = web_past_called_cb,
	    .name = web_past_name_cb,
	};
	p->turn = evtimer_new(s->base, web_past_turn_cb, p);
	p->tidy = evtimer_new(s->base, web_past_tidy_cb, p);
	if (p->turn == NULL || p->tidy == NULL)
		xalloc_die();
	return (p);
}

void
web_past_free(struct web_past *p)
{
	if (p == NULL)
		return;
	while (!TAILQ_EMPTY(&p->jobs))
		web_past_remove(TAILQ_FIRST(&p->jobs));
	web_past_forget(p);
	event_free(p->turn);
	event_free(p->tidy);
	free(p);
}
