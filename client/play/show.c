/* SPDX-License-Identifier: ISC */
/* Output that more than one subcommand needs. */
#include "client/play/show.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/action.h"
#include "client/play/actions.h"
#include "client/play/decision.h"
#include "client/play/play.h"
#include "client/play/rosters_print.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/report.h"
#include "client/report/rosters.h"
#include "client/report/sketch.h"
#include "client/ui/barchart.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/scene.h"
#include "common/rules/show/upkeep.h"
#include "common/rules/systems/systems.h"

void
show_rosters(struct play *pl, bool is_long)
{
	struct rosters *rs;

	if ((rs = rosters_new(replica_battle(pl->copy))) == NULL) {
		out_print(
		    &pl->cx->out, "  (the rosters cannot be read here)\n");
		return;
	}
	rosters_print(&pl->cx->out, rs, pl->seat, is_long);
	rosters_free(rs);
}

void
show_rulings(struct out *o, const struct game *g)
{
	json_t *rulings = xalloc_json(game_rulings(g)), *v;
	const char *label = "rulings", *name;
	char *s;

	json_object_foreach(rulings, name, v)
	{
		s = xalloc_dump(v);
		out_print(o, "  %-8s %s = %s\n", label, name, s);
		free(s);
		label = "";
	}
	json_decref(rulings);
}

void
show_event(struct out *o, const json_t *args)
{
	char *s = describe_event(args);

	if (*s != '\0')
		out_row(o, "event", s);
	free(s);
}

void
show_settings(struct play *pl)
{
	struct out *o = &pl->cx->out;
	json_t *args, *blob;
	const char *name;
	const json_t *v;
	size_t i;

	if (game_is_sealed(play_game(pl)))
		out_print(o,
		    "  secrets  sealed: players keep and open their own "
		    "choices\n");
	args = replica_create_args(pl->copy);
	show_event(o, args);
	json_array_foreach(json_object_get(args, "tables"), i, v)
	{
		blob = play_blob(pl, json_string_value(v));
		name = json_string_value(json_object_get(blob, "blob"));
		out_print(o, "  data     the game's own %s: %.8s...\n",
		    name != NULL && strcmp(name, "bag") == 0 ? "bag" : "tables",
		    json_string_value(v));
		json_decref(blob);
	}
	json_decref(args);
}

void
show_says(struct out *o, const struct actions *a)
{
	size_t i;

	for (i = 0; i < a->n_says; i++) {
		if (a->says[i].is_mine)
			out_title(o, "%s", a->says[i].text);
		else
			out_text(o, 0, 0, a->says[i].text);
	}
}

void
show_actions(struct play *pl, const struct actions *a)
{
	const json_t *options = json_object_get(a->ask, "options");
	const bool is_asked = a->ask != NULL && !decision_has_words(options);
	struct out *o = &pl->cx->out;
	char when[32], *form, *profile, *s;
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	bool has_upkeep = false;
	size_t i, n = is_asked ? 1 : 0;

	/* `umpire play` says that itself, and numbers its commands. */
	if (pl->cx->io == NULL)
		show_says(o, a);
	if (a->since >= 0)
		out_print(o,
		    "The game has been waiting since %s (line %lld).\n",
		    out_time(when,
			battle_entry(replica_battle(pl->copy), a->since)
			    ->at_ms),
		    (long long)a->since);
	if (a->n == 0 || pl->cx->io != NULL)
		return;
	/* What only JSON could say is asked for step by step. */
	for (i = 0; i < a->n; i++)
		n += !is_asked || a->list[i].args == NULL;
	/* Whoever may end the turn may see to their units. */
	for (i = 0; i < a->n && sys != NULL; i++)
		has_upkeep |= a->list[i].kind == ACTION_END_TURN &&
		    upkeep_orders(sys)->name != NULL;
	n += has_upkeep;
	out_print(o, "Type%s:\n", n > 1 ? " one of" : "");
	if (is_asked) {
		s = play_command(pl, "decide", "");
		out_print(o, "  %s\n", s);
		free(s);
	}
	profile = cmd_profile_words(pl->cx);
	for (i = 0; i < a->n; i++) {
		if (is_asked && a->list[i].args != NULL)
			continue;
		s = action_command(&a->list[i], profile, pl->name);
		out_print(o, "  %s\n", s);
		free(s);
	}
	if (has_upkeep) {
		s = play_command(pl, "upkeep", "UNIT DO");
		out_print(o, "  %s\n", s);
		free(s);
	}
	free(profile);
	if (is_asked) {
		out_print(o,
		    "It asks for the answer; scripts give it as JSON: umpire "
		    "show --json\nhas examples.\n");
	} else if (a->ask != NULL) {
		form = decision_form(
		    json_string_value(json_object_get(a->ask, "kind")),
		    options);
		s = play_command(pl, "decide", form);
		out_print(o, "In general: %s\n", s);
		free(s);
		free(form);
	}
}

json_t *
show_commands(const struct play *pl, const struct actions *a)
{
	char *profile = cmd_profile_words(pl->cx), *s;
	json_t *list = xalloc_json(json_array());
	size_t i;

	for (i = 0; i < a->n; i++) {
		s = action_command(&a->list[i], profile, pl->name);
		xalloc_append(list, xalloc_json_str(s));
		free(s);
	}
	free(profile);
	return (list);
}

void
show_order(struct play *pl, int64_t seq)
{
	const struct game *g = play_game(pl);
	struct out *o = &pl->cx->out;
	struct actions a;
	struct report *rp;
	json_t *v, *lines;

	/* `umpire play` tells each line once, whoever wrote it. */
	if (pl->cx->io != NULL && !o->is_json)
		return;
	actions_find(&a, g, replica_battle(pl->copy), pl->seat);
	actions_suggest(&a, g, pl->seat);
	rp = report_new(o, replica_battle(pl->copy));
	if (o->is_json) {
		lines = xalloc_json(json_array());
		report_lines(rp, seq, pl->copy->n - 1, 0, lines);
		v = json_pack("{s:I, s:o, s:o, s:o, s:o, s:s, s:o}", "seq",
		    (json_int_t)seq, "game", js_hex(game_id(g), HASH_LEN),
		    "name", xalloc_json_str(pl->name), "lines", lines, "me",
		    pl->seat < 0 ? json_null() : json_integer(pl->seat),
		    "phase", game_phase_name(game_phase(g)), "commands",
		    show_commands(pl, &a));
		out_json(o, xalloc_json(v));
	} else {
		report_lines(rp, seq, pl->copy->n - 1, 0, NULL);
		out_print(o, "\n");
		show_actions(pl, &a);
	}
	report_free(rp);
	actions_clear(&a);
}

bool
show_is_owed(const struct play *pl, enum owed what)
{
	struct game_waits waits;
	size_t i;

	game_waits_owed(play_game(pl), &waits);
	for (i = 0; i < waits.n; i++) {
		if (waits.list[i].what == what &&
		    actions_is_ours(&waits.list[i], pl->seat))
			return (true);
	}
	return (false);
}

const char *
show_no_turn(const struct play *pl)
{
	const struct game *g = play_game(pl);

	if (game_phase(g) == GAME_MUSTER)
		return ("the game has not begun");
	if (game_phase(g) != GAME_PLAY)
		return ("the game is over");
	return (game_side(g) == game_side_of(pl->seat)
		? "something else comes first in your turn"
		: "it is not your turn");
}

int
show_not_now(const struct play *pl, const char *text)
{
	struct actions a;
	size_t i;

	actions_find(&a, play_game(pl), replica_battle(pl->copy), pl->seat);
	out_error("%s", text);
	for (i = 0; i < a.n_says; i++)
		out_note("%s", a.says[i].text);
	actions_clear(&a);
	return (EX_DATAERR);
}

int
show_asked_anew(const struct play *pl)
{
	return (
	    show_not_now(pl, "something else is asked now; nothing was sent"));
}

json_t *
show_declared(const json_t *facts)
{
	json_t *event = xalloc_json(json_object());

	xalloc_set(event, "e", json_string("combat"));
	/* jansson takes the other object as one that it may change. */
	if (json_object_update(event, (json_t *)(uintptr_t)facts) != 0)
		xalloc_die();
	return (xalloc_json(json_pack("[o]", event)));
}

void
show_facts(struct play *pl, const json_t *facts)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	struct render *rd;
	json_t *events;
	struct buf b;

	if (sys == NULL || (rd = render_new(sys)) == NULL)
		return;
	events = show_declared(facts);
	buf_init(&b, 0);
	render_know(rd, game_roster(play_game(pl)));
	render_event(rd, json_array_get(events, 0), &b);
	out_print(&pl->cx->out, "%s", buf_str(&b));
	buf_clear(&b);
	render_free(rd);
	json_decref(events);
}

void
show_drawing(struct play *pl, const json_t *facts)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	json_t *events = show_declared(facts);
	struct out *o = &pl->cx->out;
	struct scene *s = NULL;
	struct buf b;

	if (sys == NULL ||
	    scene_make(sys, game_roster(play_game(pl)), events, &s) != 0)
		s = NULL;
	json_decref(events);
	if (s == NULL)
		return;
	buf_init(&b, 0);
	if (!out_can_draw(o) ||
	    !sketch_draw_write(s, &b, o->columns, barchart_has_blocks()))
		sketch_text_write(s, &b, o->columns);
	out_print(o, "\n%s\n", buf_str(&b));
	buf_clear(&b);
	scene_free(s);
}

void
show_failed(struct cmd_ctx *cx, const uint8_t id[HASH_LEN], const char *others)
{
	char hex[2 * HASH_LEN + 1], *nick = NULL;
	struct errinfo e;
	struct profile *p;

	if (profile_open(cx->profile, &p, &e) == 0) {
		nick = profile_nick(p, id);
		profile_free(p);
	}
	hex_format(hex, id, HASH_LEN);
	out_note("(That was about game %.8s%s%s%s; the others are %s.)", hex,
	    nick == NULL ? "" : ", '", nick == NULL ? "" : nick,
	    nick == NULL ? "" : "'", others);
	free(nick);
}
