/* SPDX-License-Identifier: ISC */
/*
 * Telling what was taken, those of several games and of the lobby in the
 * order of their times.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/lobby.h"
#include "client/play/play.h"
#include "client/play/watch_int.h"
#include "client/replica/copy.h"
#include "client/report/report.h"
#include "client/ui/cmd.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/record.h"

/* The time of a line; what was verified can be read. */
static int64_t
watch_tell_at(const struct copy *c, int64_t seq)
{
	struct record_line ln;
	const char *line;
	struct errinfo e;
	int64_t at_ms;
	size_t len;

	line = copy_get(c, seq, &len);
	if (record_parse(line, len, &ln, &e) != 0)
		return (0);
	at_ms = ln.at_ms;
	record_clear(&ln);
	return (at_ms);
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
		    : watch_tell_at(g->pl->copy, g->told);
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
		g->rp = report_new(o, g->pl->copy);
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

/* Rings the terminal's bell. */
static void
watch_tell_ring(struct watch *w)
{
	if (!opt_has(&w->cx->opts, "quiet"))
		out_ring(&w->cx->out);
}

/* True if an event of the lobby is told where own games are watched. */
static bool
watch_tell_is_wanted(const struct watch *w, const json_t *event)
{
	return (w->what == WATCH_LOBBY || watch_is(event, "invited") ||
	    watch_is(event, "uninvited") || watch_is(event, "left"));
}

/* Tells what happened in the lobby, if that is told here. */
static void
watch_tell_event(struct watch *w, const json_t *event)
{
	if (!watch_tell_is_wanted(w, event))
		return;
	if (w->is_shown)
		out_print(&w->cx->out, "\n");
	w->has_told = true;
	w->is_shown = false;
	lobby_tell(&w->cx->out, w->p, event);
}

void
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
			watch_tell_at(g->pl->copy, g->told) <=
			    lobby_at(event))) {
			watch_tell_line(w, g);
			is_new = true;
			continue;
		}
		is_invited = is_invited || watch_is(event, "invited");
		watch_tell_event(w, event);
		i++;
	}
	if ((is_new && watch_look(w)) || is_invited)
		watch_tell_ring(w);
	(void)fflush(w->cx->out.f); /* cmd_main() looks at the stream's state */
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}
