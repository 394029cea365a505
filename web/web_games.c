/* SPDX-License-Identifier: ISC */
#include "web/web_games.h"

#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "web/web_conf.h"
#include "web/web_game.h"
#include "web/web_game_int.h"
#include "web/web_link.h"
#include "web/web_store.h"
#include "web/web_watch.h"

#define WEB_GAMES_TICK_MS 100
#define WEB_GAMES_AGAIN_MS 30000 /* then one is asked for all the same */
#define WEB_GAMES_SLOTS 1024 /* of the table at first, a power of two */
#define WEB_GAMES_ERASED ((size_t)16 << 20) /* bytes of what was erased */
#define WEB_GAMES_BUSY 64 /* games in use that are looked at for room */

/* The slot of a game in the table. */
static struct web_game **
web_games_slot(struct web_games *gs, const uint8_t id[HASH_LEN])
{
	uint32_t at;

	/* Ids are hashes: any of their bytes will do. */
	memcpy(&at, id, sizeof(at));
	return (&gs->slots[at & (gs->n_slots - 1)]);
}

struct web_game *
web_games_find(struct web_games *gs, const uint8_t id[HASH_LEN])
{
	struct web_game *g;

	for (g = *web_games_slot(gs, id); g != NULL; g = g->chain) {
		if (memcmp(g->id, id, HASH_LEN) == 0)
			break;
	}
	return (g);
}

/* Makes the table so large that chains are short. */
static void
web_games_grow(struct web_games *gs)
{
	struct web_game *g, **slot;

	if (gs->slots != NULL && (size_t)gs->counts.games < gs->n_slots)
		return;
	gs->n_slots = gs->slots == NULL ? WEB_GAMES_SLOTS : 2 * gs->n_slots;
	free(gs->slots);
	gs->slots = xalloc(gs->n_slots * sizeof(*gs->slots));
	TAILQ_FOREACH(g, &gs->used, used)
	{
		slot = web_games_slot(gs, g->id);
		g->chain = *slot;
		*slot = g;
	}
}

/* Takes a game into the table, as the one that was used last. */
static void
web_games_add(struct web_games *gs, struct web_game *g)
{
	struct web_game **slot;

	web_games_grow(gs);
	slot = web_games_slot(gs, g->id);
	g->chain = *slot;
	*slot = g;
	TAILQ_INSERT_HEAD(&gs->used, g, used);
	gs->counts.games++;
}

void
web_games_queue(struct web_game *g)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!g->is_due) {
		g->is_due = true;
		TAILQ_INSERT_TAIL(&g->gs->due, g, due);
	}
	/* By a timer: what comes from outside has its turn before. */
	if (!evtimer_pending(g->gs->pump, NULL))
		(void)evtimer_add(g->gs->pump, &now);
}

/* Gives a game up; nobody may have it. */
static void
web_games_drop(struct web_games *gs, struct web_game *g)
{
	struct web_game **at = web_games_slot(gs, g->id);

	gs->calls.going(gs->calls.arg, g);
	web_watch_end(g);
	if (g->is_due)
		TAILQ_REMOVE(&gs->due, g, due);
	while (*at != g)
		at = &(*at)->chain;
	*at = g->chain;
	TAILQ_REMOVE(&gs->used, g, used);
	gs->bytes -= g->bytes;
	gs->counts.games--;
	web_game_free(g);
}

/*
 * Gives games up, those unused for longest first, until there is room.  Of
 * those that are in use it looks at some only: where all are there is no room.
 */
static void
web_games_make_room(struct web_games *gs)
{
	const size_t max = (size_t)gs->conf->games_memory << 20;
	struct web_game *g;
	int busy = 0;

	while (gs->bytes > max && busy < WEB_GAMES_BUSY &&
	    (g = TAILQ_LAST(&gs->used, web_game_list)) != NULL) {
		if (web_game_is_idle(g)) {
			web_games_drop(gs, g);
		} else {
			busy++;
			TAILQ_REMOVE(&gs->used, g, used);
			TAILQ_INSERT_HEAD(&gs->used, g, used);
		}
	}
}

/* Verifies for a slice of time, one game; then others have their turn. */
static void
web_games_pump_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_games *gs = arg;
	struct web_game *g = TAILQ_FIRST(&gs->due);
	const int64_t began_us = clock_thread_us();
	/* On a busy machine a slice may be cut: then others have waited. */
	const int64_t until_us = clock_mono_us() + gs->conf->slice_us;
	int64_t n, us;
	bool is_more = true;

	(void)fd;
	(void)what;
	/* Those that are being shown wait. */
	while (g != NULL && g->busy > 0) {
		TAILQ_REMOVE(&gs->due, g, due);
		g->is_due = false;
		g->is_held = true;
		g = TAILQ_FIRST(&gs->due);
	}
	if (g == NULL)
		return;
	TAILQ_REMOVE(&gs->due, g, due);
	g->is_due = false;
	n = g->c->n;
	while (is_more && clock_mono_us() < until_us) {
		web_game_fill(g);
		is_more = web_game_take(g);
	}
	if ((us = clock_thread_us() - began_us) > gs->counts.slowest_us)
		gs->counts.slowest_us = us;
	web_game_save(g);
	web_game_weigh(g);
	if (is_more && g->bytes > (size_t)gs->conf->game_memory << 20) {
		web_game_fill_up(g);
		web_game_weigh(g);
		is_more = false;
	}
	if (is_more) {
		web_games_queue(g);
	} else {
		if (g->c->n > n)
			g->at_ms = clock_wall_ms();
		web_game_caught_up(g);
	}
	if (g->c->n > n && g->synced_ms > 0)
		gs->calls.lines(gs->calls.arg, g, n);
	if (!is_more && (web_game_is_whole(g) || web_game_is_hopeless(g)))
		web_game_wake(g, true);
	if (!TAILQ_EMPTY(&gs->due))
		web_games_queue(TAILQ_FIRST(&gs->due));
	web_games_make_room(gs);
}

void
web_games_notice(struct web_games *gs, const char *method, const json_t *params)
{
	const char *hex = js_str(params, "game");
	uint8_t id[HASH_LEN];
	struct web_game *g;

	if (hex == NULL || hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return;
	if ((g = web_games_find(gs, id)) == NULL) {
		/* It is read anew when somebody asks. */
		if (strcmp(method, "game.erased") == 0)
			web_store_drop(gs->store, hex);
		return;
	}
	if (strcmp(method, "game.entry") == 0 &&
	    json_is_integer(json_object_get(params, "seq"))) {
		gs->counts.notices++;
		if (js_int(params, "seq") < g->c->n)
			return;
		if (js_int(params, "seq") + 1 > g->total)
			g->total = js_int(params, "seq") + 1;
		web_game_ask_news(g);
	} else if (strcmp(method, "game.erased") == 0) {
		web_game_ask_news(g);
	}
}

struct web_store_id *
web_games_ids(const struct web_games *gs, size_t *n)
{
	return (web_store_ids(gs->store, n));
}

void
web_games_erased(struct web_games *gs, const char *hex, int64_t erasures)
{
	uint8_t id[HASH_LEN];
	struct web_game *g;

	if (hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return;
	if ((g = web_games_find(gs, id)) != NULL) {
		if (g->is_recalled || g->erasures < erasures)
			web_game_ask_news(g);
	} else if (web_game_recalled(gs, hex) < erasures) {
		/* Its lines may still show that the server tells others. */
		if (web_games_get(gs, hex) == NULL)
			web_store_drop(gs->store, hex);
	}
}

/* Each so often: those who waited for too long, and watches without use. */
static void
web_games_tick_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_games *gs = arg;
	const int64_t now_ms = clock_mono_ms();
	struct web_game *g, *next;

	(void)fd;
	(void)what;
	for (g = TAILQ_FIRST(&gs->used); g != NULL; g = next) {
		next = TAILQ_NEXT(g, used);
		if (!TAILQ_EMPTY(&g->waits)) {
			/* They may ask for games: the next is not to go. */
			if (next != NULL)
				web_game_hold(next);
			web_game_wake(g, false);
			if (next != NULL)
				web_game_release(next);
		}
		if (g->watcher != NULL && g->readers == 0 &&
		    now_ms - g->used_ms > gs->conf->watch_s * 1000)
			web_watch_end(g);
		/* Streams of a game that could not be watched. */
		if (g->watcher == NULL && g->readers > 0 && !g->is_forked &&
		    now_ms - g->synced_ms > WEB_GAME_FRESH_MS) {
			web_watch_want(g);
			web_game_ask_news(g);
		}
	}
	web_watch_tick(gs->watches);
}

void
web_games_link_up(struct web_games *gs)
{
	web_watch_up(gs->watches);
}

void
web_games_link_down(struct web_games *gs)
{
	web_watch_down(gs->watches);
}

struct web_game *
web_games_get(struct web_games *gs, const char *hex)
{
	uint8_t id[HASH_LEN];
	struct web_game *g;

	/* Lines of another server are not to be taken for good. */
	if (!gs->profile.has_pin ||
	    hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return (NULL);
	web_games_make_room(gs);
	if ((g = web_games_find(gs, id)) != NULL) {
		TAILQ_REMOVE(&gs->used, g, used);
		TAILQ_INSERT_HEAD(&gs->used, g, used);
		g->used_ms = clock_mono_ms();
		/* Nobody is told that a game begins or ends to be damaged. */
		if (!web_game_is_whole(g) ||
		    g->used_ms - g->synced_ms > WEB_GAMES_AGAIN_MS)
			web_game_ask_news(g);
		return (g);
	}
	/* All of them are in use. */
	if (gs->bytes > (size_t)gs->conf->games_memory << 20)
		return (NULL);
	if ((g = web_game_new(gs, id)) == NULL)
		return (NULL);
	web_games_add(gs, g);
	web_game_weigh(g);
	if (g->from_disk)
		web_games_queue(g);
	else
		web_game_ask(g);
	return (g);
}

struct web_game *
web_games_held(struct web_games *gs, const char *hex)
{
	uint8_t id[HASH_LEN];

	if (hex == NULL || hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return (NULL);
	return (web_games_find(gs, id));
}

bool
web_games_has(struct web_games *gs, const char *hex)
{
	uint8_t id[HASH_LEN];

	return (hex_parse(id, HASH_LEN, hex, strlen(hex)) == 0 &&
	    web_games_find(gs, id) != NULL);
}

void
web_games_yield(struct web_games *gs, struct web_game *g)
{
	TAILQ_REMOVE(&gs->used, g, used);
	TAILQ_INSERT_TAIL(&gs->used, g, used);
}

int
web_games_kept(
    struct web_games *gs, const char *digits, char hex[2 * HASH_LEN + 1])
{
	return (web_store_find(gs->store, digits, hex));
}

void
web_games_count(struct web_games *gs, struct web_games_counts *out,
    struct web_watch_counts *watches)
{
	web_watch_count(gs->watches, watches);
	*out = gs->counts;
	out->bytes = (int64_t)gs->bytes;
	out->disk = (int64_t)web_store_bytes(gs->store);
	gs->counts.slowest_us = 0;
}

void
web_games_set_link(struct web_games *gs, struct web_link *l)
{
	gs->link = l;
	web_watch_set_link(gs->watches, l);
}

void
web_games_stop(struct web_games *gs)
{
	web_watch_stop(gs->watches);
}

void
web_games_set_key(struct web_games *gs, const uint8_t key[SIGN_KEY_LEN])
{
	memcpy(gs->profile.pin, key, SIGN_KEY_LEN);
	gs->profile.has_pin = true;
}

int
web_games_open(struct event_base *base, const struct web_conf *conf,
    const struct web_games_calls *calls, struct web_games **out,
    struct errinfo *e)
{
	const struct timeval often = {.tv_usec = WEB_GAMES_TICK_MS * 1000};
	struct web_games *gs = xalloc(sizeof(*gs));
	int r;

	gs->base = base;
	gs->conf = conf;
	gs->calls = *calls;
	TAILQ_INIT(&gs->used);
	TAILQ_INIT(&gs->due);
	web_games_grow(gs);
	gs->watches = web_watch_new(gs);
	gs->profile.data_dir = conf->cache;
	gs->pump = evtimer_new(base, web_games_pump_cb, gs);
	gs->tick = event_new(base, -1, EV_PERSIST, web_games_tick_cb, gs);
	if (gs->pump == NULL || gs->tick == NULL ||
	    event_add(gs->tick, &often) != 0)
		xalloc_die();
	r = web_store_new("lines", conf->cache, (size_t)conf->cache_disk << 20,
	    &gs->store, e);
	if (r == 0)
		r = web_store_new(
		    "erased", conf->cache, WEB_GAMES_ERASED, &gs->gone, e);
	if (r != 0)
		web_games_close(gs);
	else
		*out = gs;
	return (r);
}

void
web_games_close(struct web_games *gs)
{
	if (gs == NULL)
		return;
	while (!TAILQ_EMPTY(&gs->used))
		web_games_drop(gs, TAILQ_FIRST(&gs->used));
	web_watch_free(gs->watches);
	free(gs->slots);
	event_free(gs->pump);
	event_free(gs->tick);
	web_store_free(gs->store);
	web_store_free(gs->gone);
	free(gs);
}
