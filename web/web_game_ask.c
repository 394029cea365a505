/* SPDX-License-Identifier: ISC */
#include "web/web_game_int.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_erased.h"
#include "web/web_game.h"
#include "web/web_link.h"
#include "web/web_watch.h"

#define WEB_GAME_ASK_ERASED 256 /* texts that one answer names at most */
#define WEB_GAME_ASK_PAGE 200 /* lines that are asked for at a time */

/* A game that an answer is about may have gone: answers name it by its id. */
struct web_game_ask_answer {
	struct web_games *gs; /* borrowed */
	uint8_t id[HASH_LEN];
};

/* What an answer needs; new. */
static struct web_game_ask_answer *
web_game_ask_answer(const struct web_game *g)
{
	struct web_game_ask_answer *a = xalloc(sizeof(*a));

	a->gs = g->gs;
	memcpy(a->id, g->id, HASH_LEN);
	return (a);
}

/* The game of an answer, which this frees; NULL: it has gone. */
static struct web_game *
web_game_ask_answered(struct web_game_ask_answer *a)
{
	struct web_game *g = web_games_find(a->gs, a->id);

	free(a);
	return (g);
}

/* A blob that was too long for the reply. */
static void
web_game_ask_blob_cb(void *arg, int r, const json_t *result)
{
	struct web_game *g = web_game_ask_answered(arg);
	const char *value;
	uint8_t hash[HASH_LEN];

	if (g == NULL)
		return;
	g->omitted--;
	value = js_str(result, "value");
	/* One that takes more than it may is not shown whole. */
	if (r == 0 && value != NULL &&
	    g->blobs.len < (size_t)g->gs->conf->game_memory << 20 &&
	    record_blob_hash(hash, value, strlen(value)) == 0) {
		record_write_blob(&g->blobs, hash, value, strlen(value));
		buf_putc(&g->blobs, '\n');
	}
	if (g->omitted > 0)
		return;
	/* Before the lines that name them. */
	buf_add(&g->blobs, g->queue.data + g->taken, g->queue.len - g->taken);
	if (buf_error(&g->blobs) != 0)
		xalloc_die();
	buf_clear(&g->queue);
	g->queue = g->blobs;
	g->taken = 0;
	buf_init(&g->blobs, 0);
	web_games_queue(g);
}

/* Puts the texts of an array into the queue. */
static void
web_game_ask_put(struct web_game *g, const json_t *list, size_t from)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (i < from || !json_is_string(v) ||
		    memchr(json_string_value(v), '\n', json_string_length(v)) !=
			NULL)
			continue;
		buf_add(&g->queue, json_string_value(v), json_string_length(v));
		buf_putc(&g->queue, '\n');
	}
}

/* Asks for the blobs that a reply left out. */
static void
web_game_ask_blobs(struct web_game *g, const json_t *omitted)
{
	const json_t *v;
	size_t i;

	json_array_foreach(omitted, i, v)
	{
		if (!json_is_string(v))
			continue;
		g->omitted++;
		web_link_call(web_watch_link(g), "blob.get",
		    xalloc_json(json_pack("{s:O}", "hash", v)),
		    web_game_ask_blob_cb, web_game_ask_answer(g));
	}
}

/*
 * Notes the texts that were erased, each with its number; if some that nobody
 * here could read were, too, with that of the last of them all.  False: there
 * are more than have been erased since they were asked for.
 */
static bool
web_game_ask_erased(struct web_game *g, const json_t *result)
{
	const json_t *list = json_object_get(result, "erased"), *v;
	const int64_t n = (int64_t)json_array_size(list), was = g->told;
	int64_t told;
	size_t i;

	if (!json_is_integer(json_object_get(result, "erasures")))
		return (true);
	told = js_int(result, "erasures");
	if (n > 0 && (n > told - was || told > WEB_ERASED_MAX))
		return (false);
	/* The umpire may have gone back since: its word counts. */
	if (g->is_recalled) {
		web_erased_free(g->gone);
		g->gone = web_erased_new();
		g->is_recalled = false;
		g->is_renumbered = true;
	}
	g->told = told;
	json_array_foreach(list, i, v)
	{
		web_erased_add(g->gone, json_string_value(v),
		    told == was + n ? was + (int64_t)i + 1 : told);
		xalloc_append(g->erased, xalloc_copy(v));
	}
	if (n >= WEB_GAME_ASK_ERASED)
		g->wants_more = true;
	return (true);
}

/* Takes what game.record says. */
static int
web_game_ask_record(struct web_game *g, const json_t *result)
{
	const json_t *lines = json_object_get(result, "lines"), *v;
	struct js_at at = {.name = "game.record"};
	struct errinfo e = {.text = ""};
	uint8_t head[HASH_LEN];
	size_t skip = 0, had;
	int64_t seq;
	int r = 0;

	if (js_get_int(result, "seq", &at, 0, JS_INT_MAX, &seq, &e) != 0 ||
	    js_get_hex(result, "head", &at, head, HASH_LEN, &e) != 0 ||
	    !json_is_array(lines)) {
		web_game_trouble(g, "the server's answer makes no sense");
		return (ERR_FORK);
	}
	g->total = seq + 1;
	/* It is asked for some lines at a time, so that none takes long. */
	g->next = g->asked + (int64_t)json_array_size(lines) < g->total
	    ? g->asked + (int64_t)json_array_size(lines)
	    : -1;
	/* The last line that is held comes again: it must be the same. */
	if (g->asked < g->c->n && json_array_size(lines) > 0) {
		v = json_array_get(lines, 0);
		skip = 1;
		r = replica_add(g->c, g->asked, json_string_value(v),
		    json_string_length(v), "", &e);
	}
	if (r == 0)
		r = replica_check_head(g->c, seq, head);
	if (r == 0 && json_array_size(lines) == skip && g->total > g->c->n) {
		web_game_trouble(
		    g, "the server withholds lines that it says it has");
		return (ERR_FORK);
	}
	if (r == ERR_FORK && g->c->fork.what == REPLICA_BEHIND) {
		web_game_trouble(g, g->c->fork.why.text);
		g->total = g->c->n;
		return (ERR_FORK);
	}
	if (r != 0) {
		web_game_fork(g);
		return (ERR_FORK);
	}
	if (!web_game_ask_erased(g, result)) {
		web_game_trouble(g, "the server's answer makes no sense");
		return (ERR_FORK);
	}
	g->is_damaged = json_is_true(json_object_get(result, "damaged"));
	g->is_recovering = json_is_true(json_object_get(result, "recovering"));
	if (g->is_full) {
		g->next = -1;
		g->total = g->c->n;
		return (0);
	}
	web_game_ask_put(g, json_object_get(result, "side"), 0);
	had = g->queue.len;
	web_game_ask_put(g, lines, skip);
	/* Else it would be asked for the same again and again. */
	if (g->queue.len == had && json_array_size(lines) > skip) {
		web_game_trouble(g, "the server's answer makes no sense");
		g->next = -1;
		return (ERR_FORK);
	}
	web_game_ask_blobs(g, json_object_get(result, "omitted"));
	return (0);
}

/* The answer of game.record. */
static void
web_game_ask_record_cb(void *arg, int r, const json_t *result)
{
	struct web_game *g = web_game_ask_answered(arg);

	if (g == NULL)
		return;
	g->is_asking = false;
	if (r == ERR_NOTFOUND) {
		g->is_gone = true;
		if (g->c->n > 0)
			web_game_trouble(
			    g, "the server does not know this game any more");
	} else if (r != 0) {
		log_debug("game %s: %s", g->hex, err_text(r));
	} else {
		g->is_gone = false;
		r = web_game_ask_record(g, result);
		if (r == 0) {
			free(g->trouble);
			g->trouble = NULL;
		} else {
			/* As far as it goes it is up to date. */
			g->synced_ms = clock_mono_ms();
		}
	}
	if (r == 0 || g->wants_more || g->starts_over) {
		if (g->omitted == 0)
			web_games_queue(g);
		return;
	}
	web_game_wake(g, true);
}

void
web_game_ask(struct web_game *g)
{
	if (g->is_forked || g->starts_over || g->is_asking || g->omitted > 0 ||
	    !web_watch_is_up(g)) {
		g->wants_more = g->is_asking || g->omitted > 0;
		return;
	}
	g->wants_more = false;
	g->asked = g->next >= 0 ? g->c->n : g->c->n > 0 ? g->c->n - 1 : 0;
	g->next = -1;
	g->is_asking = true;
	web_link_call(web_watch_link(g), "game.record",
	    xalloc_json(json_pack("{s:s, s:I, s:I, s:b, s:I}", "game", g->hex,
		"from", (json_int_t)g->asked, "to",
		(json_int_t)(g->asked + WEB_GAME_ASK_PAGE), "side", 1, "erased",
		(json_int_t)g->told)),
	    web_game_ask_record_cb, web_game_ask_answer(g));
}

void
web_game_ask_news(struct web_game *g)
{
	if (g->from_disk || g->taken < g->queue.len)
		g->wants_more = true;
	else
		web_game_ask(g);
}
