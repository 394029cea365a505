/* SPDX-License-Identifier: ISC */
/*
 * What is followed is a list that outlives connections: for each new one all
 * of it is asked for again and every game is fetched once, so that it does not
 * matter where the last one left off.  A connection counts as back only when
 * it has answered all that.
 */
#include "client/play/subscription.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/backoff.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/replica/heal.h"
#include "client/replica/replica.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/json/js.h"

#define SUBSCRIPTION_NOTICES 256 /* taken at once */

/* One game. */
struct subscription_game {
	struct play *pl; /* borrowed */
	bool is_asked; /* on the present connection */
	bool is_due; /* there may be lines that the copy lacks */
	int64_t told; /* lines that were news, or there at the start */
	int status; /* not 0: it failed, which was told */
};

struct subscription {
	struct link *link; /* owned */
	struct profile *p; /* borrowed: that of the link at first */
	int64_t serial; /* of the connection on which things were asked */
	struct subscription_game *games; /* owned */
	size_t n;
	struct play *lent; /* has the connection now; NULL */
	bool wants_lobby;
	bool is_mine;
	bool is_lobby_asked;
	struct errinfo why; /* of subscription_fault() */
	bool is_lost;
	int64_t lost_ms; /* monotonic */
	int64_t again_ms; /* when to connect next */
	struct backoff pause; /* before that */
};

struct subscription *
subscription_new(struct link *l)
{
	struct subscription *f;

	f = xalloc(sizeof(*f));
	f->link = l;
	f->p = l->p;
	f->serial = l->serial;
	f->lost_ms = -1;
	backoff_begin(&f->pause);
	(void)err_set(&f->why, ERR_CLOSED, NULL, "the connection is lost");
	return (f);
}

/* Takes the connection back from the play that has it. */
static void
subscription_take_back(struct subscription *f)
{
	if (f->lent != NULL)
		(void)play_take_link(f->lent); /* it is f->link */
	f->lent = NULL;
	f->link->p = f->p;
}

/* Gives a play the connection. */
static void
subscription_give(struct subscription *f, struct play *pl)
{
	pl->link = f->link;
	f->link->p = pl->p;
	f->lent = pl;
}

void
subscription_free(struct subscription *f)
{
	if (f == NULL)
		return;
	subscription_take_back(f);
	link_close(f->link);
	free(f->games);
	free(f);
}

void
subscription_add(struct subscription *f, struct play *pl)
{
	f->games = xalloc_more(f->games, f->n, sizeof(*f->games));
	f->games[f->n++] =
	    (struct subscription_game){.pl = pl, .told = pl->copy->n};
}

void
subscription_drop(struct subscription *f, struct play *pl)
{
	struct conn_error ce;
	json_t *params, *result;
	bool was_asked;
	size_t i;

	subscription_take_back(f);
	for (i = 0; i < f->n && f->games[i].pl != pl; i++)
		continue;
	if (i == f->n)
		return;
	was_asked = f->games[i].is_asked;
	f->n--;
	memmove(f->games + i, f->games + i + 1, (f->n - i) * sizeof(*f->games));
	if (!was_asked || f->is_lost)
		return;
	params = xalloc_json(
	    json_pack("{s:o}", "game", js_hex(pl->copy->id, HASH_LEN)));
	/* Notices that still come are of no game; a fault shows again. */
	if (link_call(f->link, "game.unwatch", params, &result, &ce) == 0)
		json_decref(result);
	else
		conn_error_clear(&ce);
}

void
subscription_lobby(struct subscription *f, bool is_mine)
{
	f->wants_lobby = true;
	f->is_mine = is_mine;
	f->is_lobby_asked = false;
}

/* Has everything asked for and fetched again. */
static void
subscription_forget(struct subscription *f)
{
	size_t i;

	f->serial = f->link->serial;
	f->is_lobby_asked = false;
	for (i = 0; i < f->n; i++)
		f->games[i].is_asked = false;
}

/* Gives the connection up. */
static void
subscription_lose(struct subscription *f)
{
	conn_close(f->link->conn);
	f->link->conn = NULL;
	if (!f->is_lost)
		f->lost_ms = clock_mono_ms();
	f->is_lost = true;
	f->again_ms = clock_mono_ms() + backoff_next(&f->pause);
}

/* Gives it up, and says so. */
static enum subscription_what
subscription_say_lost(struct subscription *f, struct subscription_news *news,
    int r, const struct errinfo *e)
{
	subscription_lose(f);
	news->r = r;
	news->e = *e;
	return (SUBSCRIPTION_LOST);
}

/*
 * True if the copy's last line, as game.watch answers, is the last there is,
 * and was news.
 */
static bool
subscription_is_current(const struct subscription_game *g, const json_t *result)
{
	const struct replica *c = g->pl->copy;
	struct js_at at = {.name = "game.watch"};
	uint8_t head[HASH_LEN];
	struct errinfo e;
	int64_t seq;

	return (c->n > 0 && c->n == g->told &&
	    js_get_int(result, "seq", &at, 0, JS_INT_MAX, &seq, &e) == 0 &&
	    js_get_hex(result, "head", &at, head, HASH_LEN, &e) == 0 &&
	    seq == c->n - 1 &&
	    memcmp(head, replica_hash(c, seq), HASH_LEN) == 0);
}

/*
 * Asks for the notices of a game.  0, also if the game is lost to us, which
 * was then told; else a fault of the connection is in *ce.
 */
static int
subscription_ask_game(
    struct subscription *f, struct subscription_game *g, struct conn_error *ce)
{
	struct conn_error more;
	json_t *params, *result;
	int r;

	params = xalloc_json(
	    json_pack("{s:o}", "game", js_hex(g->pl->copy->id, HASH_LEN)));
	r = link_call(f->link, "game.watch", params, &result, ce);
	g->is_asked = r == 0;
	g->is_due = true;
	if (r == 0) {
		g->is_due = !subscription_is_current(g, result);
		json_decref(result);
		return (0);
	}
	/* A limit on watches holds for as long as the others are watched. */
	if (link_is_fault(ce) && !(ce->is_answer && r == ERR_LIMIT))
		return (r);
	/* The copy knows best how the server's record is wrong. */
	subscription_give(f, g->pl);
	g->status = play_try_sync(g->pl, &more);
	subscription_take_back(f);
	if (g->status == 0)
		g->status =
		    ce->r == ERR_LIMIT ? link_fail_briefly(ce) : link_fail(ce);
	conn_error_clear(ce);
	if (g->status == PLAY_PASSING) {
		g->status = 0;
		*ce = more;
		return (ce->r);
	}
	conn_error_clear(&more);
	return (0);
}

/* Asks for all that was not asked for on this connection. */
static int
subscription_ask(struct subscription *f, struct conn_error *ce)
{
	json_t *params, *result;
	size_t i;
	int r;

	if (f->serial != f->link->serial)
		subscription_forget(f);
	if (f->wants_lobby && !f->is_lobby_asked) {
		params = xalloc_json(json_pack("{s:b}", "mine", f->is_mine));
		r = link_call(f->link, "lobby.watch", params, &result, ce);
		if (r != 0)
			return (r);
		json_decref(result);
		f->is_lobby_asked = true;
	}
	for (i = 0; i < f->n; i++) {
		if (f->games[i].is_asked || f->games[i].status != 0)
			continue;
		if ((r = subscription_ask_game(f, &f->games[i], ce)) != 0)
			return (r);
	}
	return (0);
}

/* Tries to come back when it is time for that. */
static enum subscription_what
subscription_again(struct subscription *f, struct subscription_news *news)
{
	struct conn_error ce;
	struct errinfo e = {.text = ""};
	int r;

	if (clock_mono_ms() < f->again_ms)
		return (SUBSCRIPTION_NOTHING);
	/* The play that had the connection may have made a new one. */
	r = f->link->conn != NULL ? 0 : link_again(f->link, &e);
	if (r == 0) {
		if ((r = subscription_ask(f, &ce)) == 0) {
			f->is_lost = false;
			f->lost_ms = -1;
			return (SUBSCRIPTION_BACK);
		}
		e = ce.e;
		if (!link_is_fault(&ce))
			r = ERR_SERVER;
		conn_error_clear(&ce);
	}
	subscription_lose(f);
	news->r = r;
	news->e = e;
	/* Another server, or one that does not let us in: it stays so. */
	return (r == ERR_SERVER || r == ERR_DENIED || r == ERR_CONFIG
		? SUBSCRIPTION_REFUSED
		: SUBSCRIPTION_NOTHING);
}

/* Notes what a notice of a game's line says, or of a text that was erased. */
static void
subscription_note(struct subscription *f, const json_t *params, bool is_erased)
{
	struct js_at at = {.name = "notice"};
	uint8_t id[HASH_LEN];
	int64_t seq = JS_INT_MAX;
	struct errinfo e;
	size_t i;

	if (js_get_hex(params, "game", &at, id, HASH_LEN, &e) != 0 ||
	    (!is_erased &&
		js_get_int(params, "seq", &at, 0, JS_INT_MAX, &seq, &e) != 0))
		return;
	for (i = 0; i < f->n; i++) {
		if (memcmp(f->games[i].pl->copy->id, id, HASH_LEN) == 0 &&
		    f->games[i].pl->copy->n <= seq)
			f->games[i].is_due = true;
	}
}

/*
 * Takes the notices that have come: 0 and *row new if one is of the lobby,
 * ERR_NOTFOUND if there are none or there have been many, ERR_* if the
 * connection is lost.
 */
static int
subscription_notices(struct subscription *f, json_t **row, struct errinfo *e)
{
	char method[64];
	json_t *params;
	int n, r;

	for (n = 0; n < SUBSCRIPTION_NOTICES; n++) {
		r = conn_notice(f->link->conn, 0, method, &params, e);
		if (r == ERR_TIMEOUT)
			return (ERR_NOTFOUND);
		if (r != 0)
			return (r);
		subscription_praise(f);
		if (strcmp(method, "lobby.game") == 0 && f->wants_lobby) {
			*row = params;
			return (0);
		}
		/*
		 * Notices of other kinds are for newer clients than this one.
		 */
		if (strcmp(method, "game.entry") == 0)
			subscription_note(f, params, false);
		else if (strcmp(method, "game.erased") == 0)
			subscription_note(f, params, true);
		json_decref(params);
	}
	return (ERR_NOTFOUND);
}

/* Fetches what a game lacks, and says what that brought. */
static enum subscription_what
subscription_fetch(struct subscription *f, struct subscription_game *g,
    struct subscription_news *news)
{
	enum subscription_what what = SUBSCRIPTION_NOTHING;
	struct conn_error ce;
	int status;

	subscription_give(f, g->pl);
	status = play_try_sync(g->pl, &ce);
	if (status == PLAY_PASSING) {
		subscription_take_back(f);
		what = subscription_say_lost(f, news, ce.r, &ce.e);
	} else {
		g->is_due = false;
		g->status = status;
	}
	conn_error_clear(&ce);
	/* What stands in the place of lines that were lost is news. */
	if (g->pl->copy->rewound >= 0 && g->pl->copy->rewound < g->told)
		g->told = g->pl->copy->rewound;
	g->pl->copy->rewound = -1;
	if (status == 0 && g->pl->copy->n > g->told) {
		subscription_praise(f);
		news->pl = g->pl;
		news->from = g->told;
		g->told = g->pl->copy->n;
		what = SUBSCRIPTION_LINES;
	}
	return (what);
}

/* Goes through the games that have something to say. */
static enum subscription_what
subscription_games(struct subscription *f, struct subscription_news *news)
{
	enum subscription_what what;
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (f->games[i].status == 0 && f->games[i].is_due) {
			what = subscription_fetch(f, &f->games[i], news);
			if (what != SUBSCRIPTION_NOTHING)
				return (what);
		}
		if (f->games[i].status != 0) {
			news->pl = f->games[i].pl;
			news->status = f->games[i].status;
			subscription_drop(f, f->games[i].pl);
			return (SUBSCRIPTION_FAILED);
		}
	}
	return (SUBSCRIPTION_NOTHING);
}

enum subscription_what
subscription_next(struct subscription *f, struct subscription_news *news)
{
	struct errinfo e = {.text = ""};
	enum subscription_what what;
	struct conn_error ce;
	int r;

	memset(news, 0, sizeof(*news));
	subscription_take_back(f);
	if (f->is_lost)
		return (subscription_again(f, news));
	if (f->link->conn == NULL)
		return (subscription_say_lost(f, news, ERR_CLOSED, &f->why));
	if ((r = subscription_ask(f, &ce)) != 0) {
		what = subscription_say_lost(f, news, r, &ce.e);
		if (!link_is_fault(&ce))
			what = SUBSCRIPTION_REFUSED;
		conn_error_clear(&ce);
		return (what);
	}
	/* It is told; what is followed goes on. */
	if (heal_when_due(f->link, f->p, NULL) == EX_PROTOCOL && f->n > 0)
		f->games[0].pl->cx->has_proof = true;
	r = subscription_notices(f, &news->row, &e);
	if (r == 0)
		return (SUBSCRIPTION_ROW);
	if (r != ERR_NOTFOUND)
		return (subscription_say_lost(f, news, r, &e));
	what = subscription_games(f, news);
	if (what != SUBSCRIPTION_NOTHING)
		return (what);
	if ((r = conn_check(f->link->conn, &e)) != 0)
		return (subscription_say_lost(f, news, r, &e));
	return (SUBSCRIPTION_NOTHING);
}

bool
subscription_lend(struct subscription *f, struct play *pl)
{
	subscription_take_back(f);
	subscription_give(f, pl);
	return (!f->is_lost && f->link->conn != NULL);
}

void
subscription_look(struct subscription *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		f->games[i].is_due = true;
	subscription_hurry(f);
}

void
subscription_hurry(struct subscription *f)
{
	f->again_ms = clock_mono_ms();
	backoff_begin(&f->pause);
}

int
subscription_fd(const struct subscription *f)
{
	return (f->link->conn == NULL ? -1 : conn_fd(f->link->conn));
}

int
subscription_wait_ms(const struct subscription *f)
{
	int64_t left, until_ms;
	size_t i;

	if (f->is_lost) {
		until_ms = f->again_ms;
	} else {
		if (f->link->conn == NULL || f->serial != f->link->serial ||
		    conn_has_line(f->link->conn))
			return (0);
		for (i = 0; i < f->n; i++) {
			if (!f->games[i].is_asked || f->games[i].is_due)
				return (0);
		}
		until_ms = conn_check_ms(f->link->conn);
		if (heal_due_ms(f->link) < until_ms - clock_mono_ms())
			until_ms = clock_mono_ms() + heal_due_ms(f->link);
	}
	left = until_ms - clock_mono_ms();
	return (left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left);
}

int64_t
subscription_lost_ms(const struct subscription *f)
{
	return (f->lost_ms);
}

struct link *
subscription_link(struct subscription *f)
{
	subscription_take_back(f);
	return (f->is_lost || f->link->conn == NULL ? NULL : f->link);
}

void
subscription_praise(struct subscription *f)
{
	backoff_begin(&f->pause);
}

bool
subscription_fault(struct subscription *f, const struct conn_error *ce)
{
	if (!link_is_fault(ce))
		return (false);
	f->why = ce->e;
	/* subscription_next() finds that it is gone, and says so. */
	conn_close(f->link->conn);
	f->link->conn = NULL;
	return (true);
}
