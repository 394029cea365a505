/* SPDX-License-Identifier: ISC */
/* Output that more than one subcommand needs. */
#include "client/tell.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/answer.h"
#include "client/copy.h"
#include "client/moves.h"
#include "client/out.h"
#include "client/play.h"
#include "client/report.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/game/game.h"
#include "common/js.h"
#include "common/record.h"
#include "common/rules/render.h"
#include "common/rules/rules.h"

#define TELL_COLUMNS 16
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

/* The rosters that the game began with, new; NULL if they are not held. */
static json_t *
tell_first_roster(const struct play *pl, const json_t *view)
{
	return (tell_blob(
	    pl, json_string_value(json_object_get(view, "roster_blob"))));
}

/* The unit of an array with this id, borrowed; NULL if there is none. */
static const json_t *
tell_unit(const json_t *units, const char *id)
{
	const json_t *u;
	const char *s;
	size_t i;

	json_array_foreach(units, i, u)
	{
		s = json_string_value(json_object_get(u, "id"));
		if (s != NULL && strcmp(s, id) == 0)
			return (u);
	}
	return (NULL);
}

/* A value for a table; one that has changed is "now/before".  free(). */
static char *
tell_cell(const json_t *v, const json_t *before)
{
	const json_t *one;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	if (json_is_integer(v)) {
		buf_printf(&b, "%lld", (long long)json_integer_value(v));
		if (json_is_integer(before) && !json_equal(v, before))
			buf_printf(
			    &b, "/%lld", (long long)json_integer_value(before));
	} else if (json_is_string(v)) {
		buf_puts(&b, json_string_value(v));
	} else if (json_is_true(v)) {
		buf_puts(&b, "yes");
	}
	json_array_foreach(v, i, one)
	{
		if (json_is_string(one))
			buf_printf(&b, "%s%s", i == 0 ? "" : ",",
			    json_string_value(one));
	}
	return (xalloc_take(&b));
}

/* True for a list of objects, which no cell of a table can hold. */
static bool
tell_is_parts(const json_t *v)
{
	return (json_is_object(json_array_get(v, 0)));
}

/*
 * Appends a battalion or commander: its id and what is said of it, strength
 * as "3/4" where one hit of four is taken.
 */
static void
tell_part(struct buf *b, const json_t *part)
{
	const json_t *hits = json_object_get(part, "hits");
	const char *name;
	json_t *v;

	/* jansson's iterators know no const. */
	json_object_foreach((json_t *)(uintptr_t)part, name, v)
	{
		if (strcmp(name, "id") == 0)
			buf_puts(b, json_string_value(v));
		else if (strcmp(name, "name") == 0)
			buf_printf(b, " (%s)", json_string_value(v));
		else if (strcmp(name, "sp") == 0)
			buf_printf(b, " %lld/%lld",
			    (long long)(json_integer_value(v) -
				json_integer_value(hits)),
			    (long long)json_integer_value(v));
		else if (json_is_string(v))
			buf_printf(b, " %s", json_string_value(v));
		else if (json_is_true(v))
			buf_printf(b, " %s", name);
		else if (json_is_integer(v) && strcmp(name, "hits") != 0)
			buf_printf(b, " %s %lld", name,
			    (long long)json_integer_value(v));
	}
}

/* Prints a list of parts after its heading. */
static void
tell_list(struct out *o, const char *heading, const json_t *parts)
{
	const json_t *part;
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	json_array_foreach(parts, i, part)
	{
		buf_puts(&b, i == 0 ? "" : ", ");
		tell_part(&b, part);
	}
	out_print(o, "  %s: ", heading);
	s = xalloc_take(&b);
	out_text(o, (int)strlen(heading) + 4, 6, s);
	free(s);
}

/* Prints what the units are made of, behind their table. */
static void
tell_parts(struct out *o, const struct rules_system *sys, const json_t *units)
{
	const json_t *u, *v;
	size_t i, j;

	json_array_foreach(units, i, u)
	{
		for (j = 0; j < sys->n_fields; j++) {
			v = json_object_get(u, sys->fields[j].name);
			if (tell_is_parts(v))
				tell_list(o,
				    json_string_value(json_object_get(u, "id")),
				    v);
		}
	}
}

/* True if a member says something in one of the units. */
static bool
tell_is_used(const json_t *units, const char *name)
{
	const json_t *u, *v;
	size_t i;

	json_array_foreach(units, i, u)
	{
		v = json_object_get(u, name);
		if (tell_is_parts(v))
			return (false);
		if (v != NULL && !json_is_null(v) && !json_is_false(v) &&
		    (!json_is_array(v) || json_array_size(v) > 0))
			return (true);
	}
	return (false);
}

/* One member's heading: in capitals, numbers to the right; free(). */
static char *
tell_heading(const json_t *units, const char *name)
{
	const json_t *v = json_object_get(json_array_get(units, 0), name);
	char *s, *p;

	s = xalloc_printf("%s%s",
	    json_is_integer(v)              ? ">"
		: strcmp(name, "name") == 0 ? "~"
					    : "",
	    name);
	for (p = s; *p != '\0'; p++) {
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 'a' + 'A');
		if (*p == '_')
			*p = ' ';
	}
	return (s);
}

/* Prints the units of one side as a table. */
static void
tell_units(struct out *o, const struct rules_system *sys, const json_t *units,
    const json_t *before)
{
	const char *names[TELL_COLUMNS + 1] = {"id"};
	char *headings[TELL_COLUMNS + 1] = {NULL}, *cells[TELL_COLUMNS];
	const json_t *u, *old;
	struct out_table *t;
	size_t i, j, n = 1;

	for (i = 0; i < sys->n_fields && n + 1 < TELL_COLUMNS; i++) {
		if (tell_is_used(units, sys->fields[i].name))
			names[n++] = sys->fields[i].name;
	}
	if (tell_is_used(units, "out"))
		names[n++] = "out";
	for (i = 0; i < n; i++)
		headings[i] = tell_heading(units, names[i]);
	t = out_table_new((const char *const *)headings);
	json_array_foreach(units, j, u)
	{
		old = tell_unit(
		    before, json_string_value(json_object_get(u, "id")));
		for (i = 0; i < n; i++)
			cells[i] = tell_cell(json_object_get(u, names[i]),
			    json_object_get(old, names[i]));
		out_table_line(t, (const char *const *)cells);
		for (i = 0; i < n; i++)
			free(cells[i]);
	}
	out_table_end(o, t);
	for (i = 0; i < n; i++)
		free(headings[i]);
}

void
tell_rosters(struct play *pl, const json_t *view)
{
	struct out *o = &pl->cx->out;
	const struct rules_system *sys = rules_find(game_system(play_game(pl)));
	const json_t *roster = json_object_get(view, "roster"), *units, *before;
	const json_t *commanders;
	const char *account, *key;
	json_t *first;
	char *name;
	int side;

	if (sys == NULL || !json_is_object(roster)) {
		out_print(o, "  (the rosters cannot be read here)\n");
		return;
	}
	first = tell_first_roster(pl, view);
	for (side = 1; side <= 2; side++) {
		key = side == 1 ? "1" : "2";
		name = report_side(view, side);
		account = game_account(play_game(pl), side);
		out_print(o, "\n");
		out_title(o, "%s%s%s%s%s", name, *account == '\0' ? "" : " (",
		    account, *account == '\0' ? "" : ")",
		    pl->seat > 0 && game_side_of(pl->seat) == side
			? ", your side"
			: "");
		units = json_object_get(json_object_get(roster, key), "units");
		before = json_object_get(
		    json_object_get(json_object_get(first, "sides"), key),
		    "units");
		tell_units(o, sys, units, before);
		tell_parts(o, sys, units);
		commanders =
		    json_object_get(json_object_get(roster, key), "commanders");
		if (json_array_size(commanders) > 0)
			tell_list(o, "commanders", commanders);
		free(name);
	}
	json_decref(first);
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

void
tell_event(struct out *o, const json_t *args)
{
	const char *event = json_string_value(json_object_get(args, "event"));
	const json_t *round = json_object_get(args, "round");
	const json_t *table = json_object_get(args, "table");
	struct buf b;
	char *s;

	buf_init(&b, 0);
	if (event != NULL)
		buf_puts(&b, event);
	if (json_is_integer(round))
		buf_printf(&b, "%sround %lld", b.len == 0 ? "" : ", ",
		    (long long)json_integer_value(round));
	if (json_is_integer(table))
		buf_printf(&b, "%stable %lld", b.len == 0 ? "" : ", ",
		    (long long)json_integer_value(table));
	s = xalloc_take(&b);
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
tell_moves(struct play *pl, const struct moves *m)
{
	struct out *o = &pl->cx->out;
	struct record_line ln;
	struct errinfo e;
	const char *line;
	char when[32], *form, *s;
	const json_t *v;
	size_t i, len;

	json_array_foreach(m->says, i, v)
	{
		if (strncmp(json_string_value(v), TELL_MINE,
			strlen(TELL_MINE)) == 0)
			out_title(o, "%s", json_string_value(v));
		else
			out_text(o, 0, 0, json_string_value(v));
	}
	if (m->since >= 0 && m->since < pl->copy->n) {
		line = copy_get(pl->copy, m->since, &len);
		if (record_parse(line, len, &ln, &e) == 0) {
			out_print(o, "The game waits since %s (line %lld).\n",
			    out_time(when, ln.at_ms), (long long)m->since);
			record_clear(&ln);
		}
	}
	if (json_array_size(m->commands) == 0)
		return;
	out_print(
	    o, "Type%s:\n", json_array_size(m->commands) > 1 ? " one of" : "");
	json_array_foreach(m->commands, i, v)
	    out_print(o, "  %s\n", json_string_value(v));
	if (m->ask != NULL) {
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
	struct moves m;
	json_t *v, *view, *lines;
	char *profile;

	view = xalloc_json(game_view(play_game(pl)));
	profile = cmd_profile_words(pl->cx);
	moves_find(&m, view, pl->seat, profile, pl->name);
	moves_suggest(&m, play_game(pl), pl->seat, profile, pl->name);
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
	moves_clear(&m);
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

	view = xalloc_json(game_view(play_game(pl)));
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
	struct moves m;
	json_t *view;
	size_t i;

	view = xalloc_json(game_view(play_game(pl)));
	moves_find(&m, view, pl->seat, "", pl->name);
	out_error("%s", text);
	json_array_foreach(m.says, i, v) out_note("%s", json_string_value(v));
	moves_clear(&m);
	json_decref(view);
	return (EX_DATAERR);
}

void
tell_facts(struct play *pl, const json_t *facts)
{
	const struct rules_system *sys = rules_find(game_system(play_game(pl)));
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
