/* SPDX-License-Identifier: ISC */
/*
 * News is taken until there is none for now, and only then told, that of
 * several games in the order of its times: so what comes after a lost
 * connection is told as it would have been without.
 */
#include "client/play/watch.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <termios.h>
#include <unistd.h>

#include <jansson.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/actions.h"
#include "client/play/commit.h"
#include "client/play/lobby.h"
#include "client/play/play.h"
#include "client/play/reply.h"
#include "client/play/show.h"
#include "client/play/subscription.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "client/report/battle.h"
#include "client/report/report.h"
#include "client/ui/cmd.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/json/js.h"

#define WATCH_EVENTS 1000 /* of the lobby that are put off at most */

/* One game that is watched. */
struct watch_game {
	uint8_t id[HASH_LEN];
	struct play *pl; /* owned; NULL: it failed or is finished */
	struct report *rp; /* owned; NULL before the first line is told */
	int64_t told; /* lines told, or not to be told */
	bool may_open; /* our secret choice, when it waits for that */
	bool may_answer;
	char *due; /* owned: what was ours to do when it was looked at last */
};

struct watch {
	struct cmd_ctx *cx; /* borrowed */
	struct profile *p; /* borrowed */
	enum watch_what what;
	struct subscription *f; /* owned */
	struct watch_game *games; /* owned */
	size_t n;
	struct lobby *lobby; /* owned; NULL for one game */
	bool is_list_due; /* the lists of games are to be compared */
	bool is_begun; /* what there was before is known */
	bool is_back; /* lines that come now are not new */
	json_t *events; /* owned: of the lobby, to be told */
	bool has_told; /* something; what comes is set off by a gap */
	bool is_shown; /* lines were told last, and of this game: */
	uint8_t shown[HASH_LEN];
	int64_t wait_ms; /* how long to try to come back; -1: forever */
	int status; /* of what failed and did not end it */
};

struct watch *
watch_new(
    struct cmd_ctx *cx, struct profile *p, struct link *l, enum watch_what what)
{
	struct watch *w;
	const char *s;
	int64_t n;

	w = xalloc(sizeof(*w));
	w->cx = cx;
	w->p = p;
	w->what = what;
	w->f = subscription_new(l);
	w->events = xalloc_json(json_array());
	w->wait_ms = -1;
	s = opt_get(&cx->opts, "wait");
	if (s != NULL && opt_number(s, 0, INT32_MAX, &n))
		w->wait_ms = n * 1000;
	if (what != WATCH_GAME) {
		w->lobby = lobby_new(
		    l->is_logged_in ? p->account : NULL, what == WATCH_MINE);
		w->is_list_due = true;
		subscription_lobby(w->f, what == WATCH_MINE);
	}
	return (w);
}

/* Frees what belongs to a game but its place in the list. */
static void
watch_end_game(struct watch *w, struct watch_game *g)
{
	if (g->pl != NULL)
		subscription_drop(w->f, g->pl);
	report_free(g->rp);
	play_close(g->pl);
	free(g->due);
	g->rp = NULL;
	g->pl = NULL;
	g->due = NULL;
}

void
watch_free(struct watch *w)
{
	size_t i;

	if (w == NULL)
		return;
	for (i = 0; i < w->n; i++)
		watch_end_game(w, &w->games[i]);
	free(w->games);
	subscription_free(w->f);
	lobby_free(w->lobby);
	json_decref(w->events);
	free(w);
}

/* What is ours to do in a game, as a word to compare; free(). */
static char *
watch_due(const struct play *pl)
{
	struct actions a;
	char *due;

	if (pl->seat < 0 || play_game(pl) == NULL)
		return (xalloc_str(""));
	actions_find(&a, play_game(pl), replica_battle(pl->copy), pl->seat);
	due = a.is_mine || a.has_offer
	    ? xalloc_printf("%lld %s", (long long)a.since, a.what)
	    : xalloc_str("");
	actions_clear(&a);
	return (due);
}

/* A new place in the list of games. */
static struct watch_game *
watch_place(struct watch *w, const uint8_t id[HASH_LEN])
{
	w->games = xalloc_more(w->games, w->n, sizeof(*w->games));
	memset(&w->games[w->n], 0, sizeof(*w->games));
	memcpy(w->games[w->n].id, id, HASH_LEN);
	return (&w->games[w->n++]);
}

void
watch_add(struct watch *w, struct play *pl, int64_t from)
{
	const struct opt_set *set = &w->cx->opts;
	struct watch_game *g;

	g = watch_place(w, pl->copy->id);
	g->pl = pl;
	g->told = from;
	g->may_open = true;
	g->may_answer =
	    opt_has(set, "answer") || opt_has(set, "answer-declarations");
	g->due = watch_due(pl);
	subscription_add(w->f, pl);
}

/* Finds a game by its play; NULL if it is not there. */
static struct watch_game *
watch_find(struct watch *w, const struct play *pl)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->games[i].pl == pl)
			return (&w->games[i]);
	}
	return (NULL);
}

/*
 * Opens a secret choice of ours that waits for it.  What fails is told once
 * and not tried again: the watch goes on.
 */
static void
watch_open(struct watch_game *g)
{
	int64_t seq;

	if (g->may_open && commit_is_due(g->pl))
		g->may_open = link_login(g->pl->link) == 0 &&
		    commit_open(g->pl, &seq) == 0;
}

/*
 * Agrees to what waits for our seat, as far as the options say so.  What
 * fails is told once and not tried again, as with opening.
 */
static void
watch_answer(struct watch_game *g)
{
	const struct opt_set *set = &g->pl->cx->opts;
	enum order_kind kind;
	int64_t seq, to;

	if (!g->may_answer || !reply_is_owed(g->pl, &to, &kind) ||
	    (kind == ORDER_DECLARE && !opt_has(set, "answer-declarations")))
		return;
	/* What is so on a table only people can see. */
	if (game_fact_owed(play_game(g->pl)) != NULL ||
	    game_is_judged(play_game(g->pl)))
		return;
	g->may_answer = link_login(g->pl->link) == 0 &&
	    reply_send(g->pl, to, true, NULL, &seq) == 0;
	if (g->may_answer)
		out_note("You agreed to line %lld (%s), by line %lld.",
		    (long long)to, order_kind_name(kind), (long long)seq);
}

/* Does what is ours to do unattended; one leads to the other. */
static void
watch_act(struct watch_game *g)
{
	int64_t n;

	do {
		n = g->pl->copy->n;
		watch_answer(g);
		watch_open(g);
	} while (g->pl->copy->n > n && !game_is_finished(play_game(g->pl)));
}

/* Looks what is ours to do; true if something has become so. */
static bool
watch_look(struct watch *w)
{
	bool is_new = false;
	char *due;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->games[i].pl == NULL)
			continue;
		due = watch_due(w->games[i].pl);
		if (*due != '\0' && strcmp(due, w->games[i].due) != 0)
			is_new = true;
		free(w->games[i].due);
		w->games[i].due = due;
	}
	return (is_new);
}

/* True if an event of the lobby is of this kind. */
static bool
watch_is(const json_t *event, const char *what)
{
	return (strcmp(json_string_value(json_object_get(event, "what")),
		    what) == 0);
}

/* Drops games that are finished, or no longer ours. */
static void
watch_drop(struct watch *w)
{
	uint8_t id[HASH_LEN];
	struct watch_game *g;
	const json_t *v;
	const char *hex;
	size_t i, j;

	for (i = 0; i < w->n && w->what == WATCH_MINE; i++) {
		g = &w->games[i];
		if (g->pl != NULL && play_game(g->pl) != NULL &&
		    game_is_finished(play_game(g->pl)))
			watch_end_game(w, g);
	}
	json_array_foreach(w->events, i, v)
	{
		hex = json_string_value(json_object_get(v, "game"));
		if ((!watch_is(v, "left") && !watch_is(v, "gone")) ||
		    hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		for (j = 0; j < w->n; j++) {
			if (memcmp(w->games[j].id, id, HASH_LEN) != 0)
				continue;
			watch_end_game(w, &w->games[j]);
			/* Should it come back, it is a new one. */
			memset(w->games[j].id, 0, HASH_LEN);
		}
	}
	(void)json_array_clear(w->events);
}

/* Opens one of our own games that is not watched yet. */
static void
watch_open_cb(void *arg, const uint8_t id[HASH_LEN])
{
	struct watch *w = arg;
	struct profile *p;
	struct play *pl;
	int status;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (memcmp(w->games[i].id, id, HASH_LEN) == 0)
			return;
	}
	if ((status = play_profile(w->cx, &p)) == 0)
		status = play_open_copy(w->cx, p, id, &pl);
	if (status == 0) {
		watch_add(w, pl, 0);
		return;
	}
	show_failed(w->cx, id, "watched");
	if (w->status != EX_PROTOCOL)
		w->status = status;
	/* It keeps its place, so that it is not tried again. */
	(void)watch_place(w, id);
}

/* Compares the lists of games with what is known. */
static int
watch_compare(struct watch *w)
{
	struct link *l = subscription_link(w->f);
	struct conn_error ce;
	int status = 0;

	if (l == NULL)
		return (0);
	if (lobby_compare(w->lobby, l, w->events, &ce) == 0) {
		w->is_list_due = false;
		subscription_praise(w->f);
		if (w->what == WATCH_MINE)
			lobby_each_own(w->lobby, watch_open_cb, w);
	} else {
		if (!subscription_fault(w->f, &ce))
			status = link_fail(&ce);
		conn_error_clear(&ce);
	}
	return (status);
}

/* All is known that there was before: what comes from now on is told. */
static void
watch_begin(struct watch *w)
{
	struct watch_game *g;
	size_t i, n = 0;

	w->is_begun = true;
	for (i = 0; i < w->n; i++) {
		g = &w->games[i];
		if (g->pl == NULL)
			continue;
		n++;
		if (w->what == WATCH_MINE && !opt_has(&w->cx->opts, "all"))
			g->told = g->pl->copy->n;
		if (play_game(g->pl) != NULL && subscription_lend(w->f, g->pl))
			watch_act(g);
	}
	if (w->what == WATCH_LOBBY)
		out_note("Watching the lobby; Ctrl-C ends it.");
	else if (w->what == WATCH_MINE)
		out_note("Watching %zu game%s; Ctrl-C ends it.", n,
		    n == 1 ? "" : "s");
	(void)watch_look(w); /* what has waited before rings no bell */
}

/* Takes lines that have come. */
static void
watch_take_lines(struct watch *w, const struct subscription_news *news)
{
	struct watch_game *g = watch_find(w, news->pl);

	if (g == NULL)
		return;
	/* Lines that were told are lost: others stand in their place. */
	if (news->from < g->told) {
		report_free(g->rp);
		g->rp = NULL;
		g->told = news->from;
	}
	watch_act(g);
	if (!w->is_back && w->is_begun)
		send_check_clock(g->pl->copy, g->pl->copy->n - 1);
}

/* A game can no longer be watched, which was told. */
static int
watch_take_failed(struct watch *w, const struct subscription_news *news)
{
	struct watch_game *g = watch_find(w, news->pl);

	if (w->what == WATCH_GAME || g == NULL)
		return (news->status);
	out_note(
	    "(That was about %s, which is no longer watched; the others are.)",
	    g->pl->name);
	if (w->status != EX_PROTOCOL)
		w->status = news->status;
	watch_end_game(w, g);
	return (0);
}

/* Takes a notice of the lobby. */
static void
watch_take_row(struct watch *w, struct subscription_news *news)
{
	struct errinfo e = {.text = ""};

	if (lobby_take(w->lobby, news->row, w->events, &e) != 0)
		out_note("A notice of the lobby makes no sense: %s", e.text);
	else if (w->what == WATCH_MINE)
		lobby_each_own(w->lobby, watch_open_cb, w);
	json_decref(news->row);
}

/* Takes all the news there is; an exit status if that is the end. */
static int
watch_take(struct watch *w)
{
	struct subscription_news news;
	int status = 0;

	while (status == 0) {
		switch (subscription_next(w->f, &news)) {
		case SUBSCRIPTION_NOTHING:
			if (!w->is_list_due || subscription_lost_ms(w->f) >= 0)
				return (0);
			status = watch_compare(w);
			break;
		case SUBSCRIPTION_LINES:
			watch_take_lines(w, &news);
			break;
		case SUBSCRIPTION_ROW:
			watch_take_row(w, &news);
			/* A flood is told, not kept, also at the beginning. */
			if (json_array_size(w->events) >= WATCH_EVENTS)
				return (0);
			break;
		case SUBSCRIPTION_LOST:
			out_note("%s; connecting again ...", news.e.text);
			break;
		case SUBSCRIPTION_BACK:
			out_note("The connection is back.");
			w->is_list_due = w->lobby != NULL;
			w->is_back = true;
			break;
		case SUBSCRIPTION_FAILED:
			status = watch_take_failed(w, &news);
			break;
		case SUBSCRIPTION_REFUSED:
			status = cmd_fail(news.r, &news.e);
			break;
		}
	}
	return (status);
}

/* Finds the game whose next line to be told is the oldest; NULL: none. */
static struct watch_game *
watch_tell_oldest(struct watch *w)
{
	struct watch_game *best = NULL, *g;
	int64_t at_ms, best_ms = 0;
	size_t i;

	for (i = 0; i < w->n; i++) {
		g = &w->games[i];
		if (g->pl == NULL || g->told >= g->pl->copy->n)
			continue;
		/* Of one game nothing has to be compared. */
		at_ms = w->what == WATCH_GAME
		    ? 0
		    : battle_entry(replica_battle(g->pl->copy), g->told)->at_ms;
		if (best == NULL || at_ms < best_ms) {
			best = g;
			best_ms = at_ms;
		}
	}
	return (best);
}

/* Tells the next line of a game. */
static void
watch_tell_line(struct watch *w, struct watch_game *g)
{
	struct out *o = &w->cx->out;
	const bool is_first = g->rp == NULL;
	json_t *list = NULL, *v;
	size_t i;

	if (is_first)
		g->rp = report_new(o, replica_battle(g->pl->copy));
	if (o->is_json) {
		list = xalloc_json(json_array());
	} else if (w->what == WATCH_MINE &&
	    (!w->is_shown || memcmp(w->shown, g->id, HASH_LEN) != 0)) {
		if (w->has_told)
			out_print(o, "\n");
		if (is_first)
			report_heading(g->rp, g->pl->name);
		else
			out_title(o, "%s", g->pl->name);
	}
	w->has_told = w->is_shown = true;
	memcpy(w->shown, g->id, HASH_LEN);
	report_lines(g->rp, g->told, g->told, 0, list);
	g->told++;
	json_array_foreach(list, i, v)
	{
		if (w->what == WATCH_MINE) {
			xalloc_set(v, "game",
			    js_hex(game_id(play_game(g->pl)), HASH_LEN));
			xalloc_set(v, "name", xalloc_json_str(g->pl->name));
		}
		out_json(o, xalloc_copy(v));
	}
	json_decref(list);
}

/* Tells what happened in the lobby, if that is told here. */
static void
watch_tell_event(struct watch *w, const json_t *event)
{
	if (w->what != WATCH_LOBBY && !watch_is(event, "invited") &&
	    !watch_is(event, "uninvited") && !watch_is(event, "left"))
		return;
	if (w->is_shown)
		out_print(&w->cx->out, "\n");
	w->has_told = true;
	w->is_shown = false;
	lobby_text(&w->cx->out, w->p, event);
}

/*
 * Tells all that there is to tell, the oldest first, whatever signals come.
 * What happened in the lobby comes after the line that it happened by.
 */
static void
watch_tell(struct watch *w)
{
	bool is_invited = false, is_new = false;
	const json_t *event;
	struct watch_game *g;
	sigset_t set, old;
	size_t i = 0;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, &old);
	for (;;) {
		g = watch_tell_oldest(w);
		event = json_array_get(w->events, i);
		if (g == NULL && event == NULL)
			break;
		if (event == NULL ||
		    (g != NULL &&
			battle_entry(replica_battle(g->pl->copy), g->told)
				->at_ms <= lobby_at(event))) {
			watch_tell_line(w, g);
			is_new = true;
			continue;
		}
		is_invited = is_invited || watch_is(event, "invited");
		watch_tell_event(w, event);
		i++;
	}
	if (((is_new && watch_look(w)) || is_invited) &&
	    !opt_has(&w->cx->opts, "quiet"))
		out_ring(&w->cx->out);
	(void)fflush(
	    w->cx->out.f); /* cmds_main() looks at the stream's state */
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

/* True if the connection has been lost for longer than was asked for. */
static bool
watch_is_over(const struct watch *w, int64_t *left_ms)
{
	const int64_t lost_ms = subscription_lost_ms(w->f);

	*left_ms = -1;
	if (w->wait_ms < 0 || lost_ms < 0)
		return (false);
	*left_ms = lost_ms + w->wait_ms - clock_mono_ms();
	return (*left_ms <= 0);
}

/* Waits until something may have come. */
static void
watch_wait(const struct watch *w, int64_t left_ms)
{
	struct pollfd pfd = {.fd = subscription_fd(w->f), .events = POLLIN};
	int ms = subscription_wait_ms(w->f);

	if (left_ms >= 0 && left_ms < ms)
		ms = (int)left_ms;
	/* Waiting for a negative descriptor is in vain; errors show later. */
	(void)poll(&pfd, 1, ms);
}

/*
 * Tells what has come, and drops what is done with.  While the connection is
 * lost something older may be missing that another game or the lobby has: all
 * but a game that is watched alone waits for it.
 */
static void
watch_go_on(struct watch *w, bool is_end)
{
	const bool is_lost = subscription_lost_ms(w->f) >= 0;

	if (!is_lost && !w->is_begun)
		watch_begin(w);
	if (w->is_begun && (!is_lost || is_end || w->what == WATCH_GAME))
		watch_tell(w);
	if (!is_lost) {
		watch_drop(w);
		w->is_back = false;
	}
}

/* Tells what comes until there is nothing left to watch. */
static int
watch_loop(struct watch *w)
{
	bool is_over = false;
	int64_t left_ms;
	int status;

	while (!is_over) {
		status = watch_take(w);
		is_over = watch_is_over(w, &left_ms);
		watch_go_on(w, is_over || status != 0);
		if (status != 0 || ferror(w->cx->out.f) != 0)
			return (status);
		if (w->what == WATCH_GAME &&
		    game_is_finished(play_game(w->games[0].pl)))
			return (EX_OK);
		if (!is_over)
			watch_wait(w, left_ms);
	}
	out_error("the connection did not come back in time");
	return (EX_UNAVAILABLE);
}

/* Ends the program on Ctrl-C: all that was told is out. */
static void
watch_stop_cb(int sig)
{
	struct termios t;

	(void)sig;
	/* The shell's prompt is to stand on a line of its own. */
	if (tcgetattr(STDERR_FILENO, &t) == 0 &&
	    write(STDERR_FILENO, "\n", 1) == -1)
		_exit(EX_OK);
	_exit(EX_OK);
}

void
watch_interruptible(struct sigaction *old)
{
	struct sigaction act;

	memset(&act, 0, sizeof(act));
	act.sa_handler = watch_stop_cb;
	(void)sigemptyset(&act.sa_mask);
	if (sigaction(SIGINT, NULL, old) == 0 && old->sa_handler != SIG_IGN)
		(void)sigaction(SIGINT, &act, NULL);
}

int
watch_run(struct watch *w)
{
	struct sigaction old;
	int status;

	/* A line once begun is told whole: watch_tell() holds it off. */
	watch_interruptible(&old);
	status = watch_loop(w);
	(void)sigaction(SIGINT, &old, NULL);
	return (status != 0 ? status : w->status);
}
