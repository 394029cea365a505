/* SPDX-License-Identifier: ISC */
#include "web/web_watch.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/clock.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_game_int.h"
#include "web/web_link.h"

#define WEB_WATCH_ASKING 64 /* watches that are asked for at a time on one */
#define WEB_WATCH_AGAIN_MS 30000 /* until what was refused is tried again */
/* A connection may be without use for so long, at most. */
#define WEB_WATCH_IDLE_S 10

/* A connection. */
struct web_watcher {
	struct web_watches *ws; /* borrowed */
	struct web_link *link; /* owned, but the first; NULL: not yet */
	int64_t n; /* games that were asked for, or are watched, on it */
	int64_t granted; /* those of them that are watched */
	int64_t asking; /* answers that are still to come */
	int64_t most; /* games that it may watch; -1: not known */
	int64_t full_ms; /* monotonic: when that was told */
	int64_t used_ms; /* monotonic: when it had a game last */
	bool was_up;
	bool is_ending; /* it is freed by the next tick */
};

struct web_watches {
	struct web_games *gs; /* borrowed */
	struct web_watcher *all[WEB_CONF_CONNECTIONS]; /* owned */
	int n;
	struct web_game_list wanting; /* the one that waits for longest first */
	int64_t waiting; /* how many those are */
	int64_t watched; /* games that have a watcher */
	int64_t asked; /* watches, for serial numbers */
	int64_t refused_ms; /* monotonic: when a connection was; 0: none */
	bool was_refused; /* the log says so */
	bool is_over; /* nothing is asked for any more */
};

/* What an answer is about; the game may have gone, or have another watch. */
struct web_watch_answer {
	struct web_watcher *w; /* borrowed: it outlives its answers */
	uint8_t id[HASH_LEN];
	int64_t serial;
};

static void web_watch_pump(struct web_watches *ws);

/* A connection's record. */
static struct web_watcher *
web_watcher_new(struct web_watches *ws)
{
	struct web_watcher *w = xalloc(sizeof(*w));

	w->ws = ws;
	w->most = -1;
	w->used_ms = clock_mono_ms();
	ws->all[ws->n++] = w;
	return (w);
}

/* True while it stands. */
static bool
web_watcher_is_up(const struct web_watcher *w)
{
	return (w->link != NULL && web_link_is_up(w->link));
}

/* A game is not watched on its connection any more. */
static void
web_watcher_leave(struct web_game *g)
{
	struct web_watcher *w = g->watcher;

	g->watcher = NULL;
	w->n--;
	w->granted -= g->is_granted;
	g->is_granted = false;
	w->used_ms = clock_mono_ms();
	w->ws->watched--;
}

/* A game does not wait for a watch any more. */
static void
web_watch_unwant(struct web_game *g)
{
	struct web_watches *ws = g->gs->watches;

	TAILQ_REMOVE(&ws->wanting, g, wanting);
	g->wants_watch = false;
	ws->waiting--;
}

/* The answer of game.watch. */
static void
web_watch_answer_cb(void *arg, int r, const json_t *result)
{
	struct web_watch_answer *a = arg;
	struct web_watcher *w = a->w;
	struct web_game *g = web_games_find(w->ws->gs, a->id);

	(void)result;
	w->asking--;
	if (g != NULL && g->watcher == w && g->watch_serial == a->serial) {
		if (r == 0) {
			g->is_granted = true;
			w->granted++;
		} else {
			web_watcher_leave(g);
			log_debug(
			    "game %s is not watched: %s", g->hex, err_text(r));
		}
		if (r == ERR_LIMIT) {
			w->most = w->granted;
			w->full_ms = clock_mono_ms();
			web_watch_want(g);
		}
	}
	free(a);
	web_watch_pump(w->ws);
}

/* Asks for a game's lines on a connection. */
static void
web_watcher_ask(struct web_watcher *w, struct web_game *g)
{
	struct web_watch_answer *a = xalloc(sizeof(*a));

	g->watcher = w;
	g->watch_serial = ++w->ws->asked;
	w->n++;
	w->asking++;
	w->ws->watched++;
	a->w = w;
	a->serial = g->watch_serial;
	memcpy(a->id, g->id, HASH_LEN);
	web_link_call(w->link, "game.watch",
	    xalloc_json(json_pack("{s:s}", "game", g->hex)),
	    web_watch_answer_cb, a);
	/* What came before the watch, on the same connection. */
	web_game_ask_news(g);
}

/*
 * A connection has ended: its games are to be watched on another, or on the
 * next; who waits for lines that do not come then is called.
 */
static void
web_watcher_lose(struct web_watcher *w)
{
	struct web_games *gs = w->ws->gs;
	struct web_game *g, *next;

	w->most = -1;
	for (g = TAILQ_FIRST(&gs->used); g != NULL; g = next) {
		/* Those that are called may ask for games: it is not to go. */
		if ((next = TAILQ_NEXT(g, used)) != NULL)
			web_game_hold(next);
		if (web_watch_link(g) == w->link) {
			g->next = -1;
			if (g->watcher != NULL) {
				web_watcher_leave(g);
				web_watch_want(g);
			}
			if (web_game_is_hopeless(g))
				web_game_wake(g, true);
		}
		if (next != NULL)
			web_game_release(next);
	}
	web_watch_pump(w->ws);
}

/* web_link_calls of further connections. */
static void
web_watcher_up_cb(void *arg)
{
	struct web_watcher *w = arg;

	w->was_up = true;
	w->ws->refused_ms = 0;
	w->ws->was_refused = false;
	log_info("connection %d to the umpire stands", w->ws->n);
	web_watch_pump(w->ws);
}

static void
web_watcher_down_cb(void *arg, const struct errinfo *why)
{
	struct web_watcher *w = arg;
	struct web_watches *ws = w->ws;

	/* Where the first stands this one is not wanted there. */
	if (!w->was_up && web_watcher_is_up(ws->all[0])) {
		web_link_stop(w->link);
		w->is_ending = true;
		ws->refused_ms = clock_mono_ms();
		if (!ws->was_refused)
			log_warnx("no further connection to the umpire, %lld "
				  "games are asked for each so often: %s",
			    (long long)ws->waiting, why->text);
		ws->was_refused = true;
	} else if (w->was_up) {
		log_warnx("a connection to the umpire, with %lld games, has "
			  "ended: %s",
		    (long long)w->n, why->text);
	}
	w->was_up = false;
	web_watcher_lose(w);
}

static void
web_watcher_notice_cb(void *arg, const char *method, const json_t *params)
{
	struct web_watcher *w = arg;

	web_games_notice(w->ws->gs, method, params);
}

/* Makes another connection, if there may be one. */
static void
web_watch_more(struct web_watches *ws)
{
	const struct web_watcher *first = ws->all[0];
	struct errinfo e = {.text = ""};
	struct web_link_calls calls = {NULL, web_watcher_up_cb,
	    web_watcher_down_cb, web_watcher_notice_cb};
	struct web_watcher *w;

	if (!web_watcher_is_up(first) ||
	    ws->n >= ws->gs->conf->server_connections ||
	    (ws->refused_ms != 0 &&
		clock_mono_ms() - ws->refused_ms < WEB_WATCH_AGAIN_MS))
		return;
	w = web_watcher_new(ws);
	calls.arg = w;
	if (web_link_another(first->link, &calls, &w->link, &e) != 0) {
		log_errorx("no further connection: %s", e.text);
		ws->refused_ms = clock_mono_ms();
		w->is_ending = true;
	}
}

/*
 * The first connection that may watch another game now; NULL, and whether one
 * more connection would be of use.
 */
static struct web_watcher *
web_watch_room(struct web_watches *ws, bool *needs_more)
{
	const int64_t now_ms = clock_mono_ms();
	struct web_watcher *w;
	int i;

	*needs_more = true;
	for (i = 0; i < ws->n; i++) {
		w = ws->all[i];
		if (!web_watcher_is_up(w)) {
			*needs_more &= w->is_ending;
			continue;
		}
		/* The umpire may have other settings by now. */
		if (w->most >= 0 && now_ms - w->full_ms > WEB_WATCH_AGAIN_MS)
			w->most = -1;
		if (w->most >= 0 && w->n >= w->most)
			continue;
		if (w->asking < WEB_WATCH_ASKING)
			return (w);
		*needs_more = false;
	}
	return (NULL);
}

/* Has games watched as far as there is room. */
static void
web_watch_pump(struct web_watches *ws)
{
	struct web_watcher *w;
	struct web_game *g;
	bool needs_more;

	while (!ws->is_over && (g = TAILQ_FIRST(&ws->wanting)) != NULL) {
		if ((w = web_watch_room(ws, &needs_more)) == NULL) {
			if (needs_more)
				web_watch_more(ws);
			return;
		}
		web_watch_unwant(g);
		web_watcher_ask(w, g);
	}
}

void
web_watch_want(struct web_game *g)
{
	struct web_watches *ws = g->gs->watches;

	if (g->watcher != NULL || g->wants_watch || g->is_gone ||
	    g->is_forked || g->readers == 0)
		return;
	g->wants_watch = true;
	TAILQ_INSERT_TAIL(&ws->wanting, g, wanting);
	ws->waiting++;
	web_watch_pump(ws);
}

void
web_watch_end(struct web_game *g)
{
	struct web_watcher *w = g->watcher;

	if (g->wants_watch)
		web_watch_unwant(g);
	if (w == NULL)
		return;
	web_watcher_leave(g);
	if (web_watcher_is_up(w))
		web_link_call(w->link, "game.unwatch",
		    xalloc_json(json_pack("{s:s}", "game", g->hex)),
		    web_link_none, NULL);
	web_watch_pump(w->ws);
}

struct web_link *
web_watch_link(const struct web_game *g)
{
	return (g->watcher != NULL ? g->watcher->link : g->gs->link);
}

bool
web_watch_is_up(const struct web_game *g)
{
	const struct web_link *l = web_watch_link(g);

	return (l != NULL && web_link_is_up(l));
}

void
web_watch_set_link(struct web_watches *ws, struct web_link *l)
{
	ws->all[0]->link = l;
}

void
web_watch_up(struct web_watches *ws)
{
	struct web_game *g;

	ws->refused_ms = 0;
	TAILQ_FOREACH(g, &ws->gs->used, used)
	{
		if (g->readers > 0)
			web_watch_want(g);
		else if (!TAILQ_EMPTY(&g->waits))
			web_game_ask_news(g);
	}
	web_watch_pump(ws);
}

void
web_watch_down(struct web_watches *ws)
{
	web_watcher_lose(ws->all[0]);
}

void
web_watch_tick(struct web_watches *ws)
{
	const int64_t now_ms = clock_mono_ms(), s = ws->gs->conf->watch_s;
	const int64_t idle_ms =
	    1000 * (s < WEB_WATCH_IDLE_S ? s : WEB_WATCH_IDLE_S);
	struct web_watcher *w;
	int i;

	for (i = ws->n - 1; i > 0; i--) {
		w = ws->all[i];
		if (w->n > 0 || w->asking > 0)
			continue;
		if (w->is_ending || now_ms - w->used_ms > idle_ms) {
			web_link_free(w->link);
			free(w);
			ws->all[i] = ws->all[--ws->n];
		}
	}
	web_watch_pump(ws);
}

void
web_watch_count(const struct web_watches *ws, struct web_watch_counts *out)
{
	int i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < ws->n; i++)
		out->connections += web_watcher_is_up(ws->all[i]);
	out->watched = ws->watched;
	out->wanting = ws->waiting;
}

struct web_watches *
web_watch_new(struct web_games *gs)
{
	struct web_watches *ws = xalloc(sizeof(*ws));

	ws->gs = gs;
	TAILQ_INIT(&ws->wanting);
	(void)web_watcher_new(ws); /* the first */
	return (ws);
}

void
web_watch_stop(struct web_watches *ws)
{
	struct web_watcher *w;
	struct web_game *g;

	ws->is_over = true;
	while (ws->n > 1) {
		w = ws->all[--ws->n];
		TAILQ_FOREACH(g, &ws->gs->used, used)
		{
			if (g->watcher == w)
				web_watcher_leave(g);
		}
		/* Answers that are still to come need it. */
		web_link_free(w->link);
		free(w);
	}
}

void
web_watch_free(struct web_watches *ws)
{
	if (ws == NULL)
		return;
	web_watch_stop(ws);
	free(ws->all[0]);
	free(ws);
}
