/* SPDX-License-Identifier: ISC */
/* Output that more than one subcommand needs. */
#include "client/play/tell.h"
#include "common/rules/systems/systems.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/actions.h"
#include "client/play/answer.h"
#include "client/play/play.h"
#include "client/replica/copy.h"
#include "client/replica/people.h"
#include "client/report/report.h"
#include "client/report/rosters.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/record.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"

#define TELL_MINE "It is your move" /* sentences that stand out */

/* A blob of the game by its hash in hex, new; NULL if it is not held. */
static json_t *
tell_blob(const struct play *pl, const char *hex)
{
	const char *value = hex == NULL ? NULL : copy_text(pl->copy, hex);
	json_t *blob = NULL;

	if (value == NULL ||
	    js_load(value, strlen(value), JS_DEPTH_RECORD, &blob, NULL) != 0)
		return (NULL);
	return (blob);
}

void
tell_rosters(struct play *pl, bool is_long)
{
	struct rosters *rs;

	if ((rs = rosters_new(pl->copy)) == NULL) {
		out_print(
		    &pl->cx->out, "  (the rosters cannot be read here)\n");
		return;
	}
	rosters_print(&pl->cx->out, rs, pl->seat, is_long);
	rosters_free(rs);
}

void
tell_rulings(struct out *o, const json_t *view)
{
	json_t *rulings = json_object_get(view, "rulings"), *v;
	const char *label = "rulings", *name;
	char *s;

	json_object_foreach(rulings, name, v)
	{
		s = xalloc_dump(v);
		out_print(o, "  %-8s %s = %s\n", label, name, s);
		free(s);
		label = "";
	}
}

char *
tell_event_words(const json_t *args)
{
	const char *event = json_string_value(json_object_get(args, "event"));
	const json_t *round = json_object_get(args, "round");
	const json_t *table = json_object_get(args, "table");
	struct buf b;

	buf_init(&b, 0);
	if (event != NULL)
		buf_puts(&b, event);
	if (json_is_integer(round))
		buf_printf(&b, "%sround %lld", b.len == 0 ? "" : ", ",
		    (long long)json_integer_value(round));
	if (json_is_integer(table))
		buf_printf(&b, "%stable %lld", b.len == 0 ? "" : ", ",
		    (long long)json_integer_value(table));
	return (xalloc_take(&b));
}

void
tell_event(struct out *o, const json_t *args)
{
	char *s = tell_event_words(args);

	if (*s != '\0') {
		out_print(o, "  event    ");
		out_text(o, 11, 11, s);
	}
	free(s);
}

void
tell_settings(struct play *pl)
{
	struct out *o = &pl->cx->out;
	json_t *args, *blob;
	const char *name;
	const json_t *v;
	size_t i;

	if (game_is_sealed(play_game(pl)))
		out_print(o,
		    "  secrets  sealed: each player keeps and opens "
		    "the own choices\n");
	args = copy_create_args(pl->copy);
	tell_event(o, args);
	json_array_foreach(json_object_get(args, "tables"), i, v)
	{
		blob = tell_blob(pl, json_string_value(v));
		name = json_string_value(json_object_get(blob, "blob"));
		out_print(o, "  data     the game's own %s: %.8s...\n",
		    name != NULL && strcmp(name, "bag") == 0 ? "bag" : "tables",
		    json_string_value(v));
		json_decref(blob);
	}
	json_decref(args);
}

void
tell_moves(struct play *pl, const struct actions *m)
{
	struct out *o = &pl->cx->out;
	struct record_line ln;
	struct errinfo e;
	const char *line;
	char when[32], *form, *s;
	const json_t *v;
	bool is_asked;
	size_t i, len;

	/* `umpire play` says that itself, and numbers the commands. */
	json_array_foreach(m->says, i, v)
	{
		if (pl->cx->io != NULL)
			break;
		if (strncmp(json_string_value(v), TELL_MINE,
			strlen(TELL_MINE)) == 0)
			out_title(o, "%s", json_string_value(v));
		else
			out_text(o, 0, 0, json_string_value(v));
	}
	if (m->since >= 0 && m->since < pl->copy->n) {
		line = copy_get(pl->copy, m->since, &len);
		if (record_parse(line, len, &ln, &e) == 0) {
			out_print(o,
			    "The game has been waiting since %s (line %lld).\n",
			    out_time(when, ln.at_ms), (long long)m->since);
			record_clear(&ln);
		}
	}
	if (json_array_size(m->commands) == 0 || pl->cx->io != NULL)
		return;
	out_print(
	    o, "Type%s:\n", json_array_size(m->commands) > 1 ? " one of" : "");
	is_asked = m->ask != NULL &&
	    !answer_has_words(json_object_get(m->ask, "options"));
	/* What only JSON could say is asked for step by step. */
	if (is_asked) {
		s = play_command(pl, "decide", "");
		out_print(o, "  %s\n", s);
		free(s);
	}
	json_array_foreach(m->commands, i, v)
	{
		if (!is_asked ||
		    strstr(json_string_value(v), " --decision ") == NULL)
			out_print(o, "  %s\n", json_string_value(v));
	}
	if (is_asked) {
		out_print(o,
		    "It asks for the answer; scripts say it as JSON: "
		    "umpire show --json\nhas examples.\n");
	} else if (m->ask != NULL) {
		form = answer_form(
		    json_string_value(json_object_get(m->ask, "kind")),
		    json_object_get(m->ask, "options"));
		s = play_command(pl, "decide", form);
		out_print(o, "In general: %s\n", s);
		free(s);
		free(form);
	}
}

void
tell_order(struct play *pl, int64_t seq)
{
	struct out *o = &pl->cx->out;
	struct report *rp;
	struct actions m;
	json_t *v, *view, *lines;
	char *profile;

	/* `umpire play` tells each line once, whoever wrote it. */
	if (pl->cx->io != NULL && !o->is_json)
		return;
	view = people_view(pl->copy);
	profile = cmd_profile_words(pl->cx);
	actions_find(&m, view, pl->seat, profile, pl->name);
	actions_suggest(&m, play_game(pl), pl->seat, profile, pl->name);
	rp = report_new(o, pl->copy);
	if (o->is_json) {
		lines = xalloc_json(json_array());
		report_lines(rp, seq, pl->copy->n - 1, 0, lines);
		v = xalloc_json(json_object());
		xalloc_set(v, "seq", json_integer(seq));
		xalloc_set(
		    v, "game", xalloc_copy(json_object_get(view, "game")));
		xalloc_set(v, "name", xalloc_json_str(pl->name));
		xalloc_set(v, "lines", lines);
		xalloc_set(v, "me",
		    pl->seat < 0 ? json_null() : json_integer(pl->seat));
		xalloc_set(
		    v, "phase", xalloc_copy(json_object_get(view, "phase")));
		xalloc_set(v, "commands", xalloc_copy(m.commands));
		out_json(o, v);
	} else {
		report_lines(rp, seq, pl->copy->n - 1, 0, NULL);
		out_print(o, "\n");
		tell_moves(pl, &m);
	}
	report_free(rp);
	actions_clear(&m);
	free(profile);
	json_decref(view);
}

bool
tell_is_owed(const struct play *pl, const char *what)
{
	const json_t *seat, *side, *v;
	bool is_owed = false;
	const char *s;
	json_t *view;
	size_t i;

	view = people_view(pl->copy);
	json_array_foreach(json_object_get(view, "owed"), i, v)
	{
		s = json_string_value(json_object_get(v, "what"));
		seat = json_object_get(v, "seat");
		side = json_object_get(v, "side");
		if (s == NULL || strcmp(s, what) != 0 || pl->seat < 0)
			continue;
		if (seat != NULL && json_integer_value(seat) == pl->seat)
			is_owed = true;
		if (seat == NULL && pl->seat > 0 &&
		    json_integer_value(side) == game_side_of(pl->seat))
			is_owed = true;
	}
	json_decref(view);
	return (is_owed);
}

int
tell_not_now(const struct play *pl, const char *text)
{
	const json_t *v;
	struct actions m;
	json_t *view;
	size_t i;

	view = people_view(pl->copy);
	actions_find(&m, view, pl->seat, "", pl->name);
	out_error("%s", text);
	json_array_foreach(m.says, i, v) out_note("%s", json_string_value(v));
	actions_clear(&m);
	json_decref(view);
	return (EX_DATAERR);
}

void
tell_facts(struct play *pl, const json_t *facts)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	struct render *rd;
	json_t *event;
	struct buf b;

	if (sys == NULL || (rd = render_new(sys)) == NULL)
		return;
	event = xalloc_json(json_object());
	xalloc_set(event, "e", json_string("combat"));
	/* jansson takes the other object as one that it may change. */
	if (json_object_update(event, (json_t *)(uintptr_t)facts) != 0)
		(void)xalloc_json(NULL);
	buf_init(&b, 0);
	render_event(rd, event, &b);
	out_print(&pl->cx->out, "%s", buf_str(&b));
	buf_clear(&b);
	render_free(rd);
	json_decref(event);
}
