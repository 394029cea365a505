/* SPDX-License-Identifier: ISC */
/* Rosters with losses: what they hold, in numbers and in words. */
#include "client/report/rosters.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

/* What a unit has left, out of play or not. */
static int64_t
rosters_left(const struct rosters *rs, const json_t *unit)
{
	const char *out = js_str(unit, "out");

	if (out != NULL && strcmp(rs->sys->game->removed, out) == 0)
		return (0);
	return (rs->sys->game->worth(unit));
}

const json_t *
rosters_find(const json_t *units, const char *id)
{
	const json_t *u;
	const char *s;
	size_t i;

	json_array_foreach(units, i, u)
	{
		s = js_str(u, "id");
		if (s != NULL && strcmp(s, id) == 0)
			return (u);
	}
	return (NULL);
}

/* Reads one side of rosters as they now are; players is stolen. */
static void
rosters_read(struct rosters *rs, const json_t *sides, int number, char *players)
{
	struct rosters_side *side = &rs->sides[number - 1];
	const char *key = number == 1 ? "1" : "2";
	const json_t *o, *units, *v;
	struct rosters_unit *u;
	size_t i;

	o = json_object_get(sides, key);
	units = json_object_get(o, "units");
	side->name = battle_side_named(js_str(o, "name"), number);
	side->players = players;
	if (json_array_size(json_object_get(o, "commanders")) > 0)
		side->commanders = json_object_get(o, "commanders");
	side->units = xalloc((json_array_size(units) + 1) * sizeof(*u));
	json_array_foreach(units, i, v)
	{
		u = &side->units[side->n_units++];
		u->now = v;
		u->id = js_str(v, "id");
		u->name = js_str(v, "name");
		u->out = js_str(v, "out");
		u->is_gone = roster_is_gone(v);
		u->id = u->id == NULL ? "" : u->id;
		u->name = u->name == NULL ? "" : u->name;
		u->before = json_object_get(rs->began, u->id);
		u->has_joined = json_object_get(rs->joined, u->id) != NULL;
		u->left = rosters_left(rs, v);
		u->began = u->before == NULL ? -1 : rosters_left(rs, u->before);
		if (u->began < 0 || side->began < 0)
			side->began = -1;
		else
			side->began += u->began;
		if (u->out == NULL)
			side->in_play += u->left;
		else
			side->away += u->left;
	}
	if (side->began >= 0)
		side->lost = side->began - side->in_play - side->away;
	side->worth = roster_worth(rs->sys, units, rs->began);
}

/* Makes rosters without sides; NULL if it is not known what counts. */
static struct rosters *
rosters_begin(const struct rules_system *sys)
{
	const struct rules_show *show = show_list_find(sys);
	struct rosters *rs;

	if (show == NULL || show->losses == NULL)
		return (NULL);
	rs = xalloc(sizeof(*rs));
	rs->sys = sys;
	rs->show = show;
	rs->what = show->losses->what;
	return (rs);
}

struct rosters *
rosters_given(const struct rules_system *sys, const json_t *sides)
{
	struct rosters *rs;

	if ((rs = rosters_begin(sys)) == NULL)
		return (NULL);
	rs->is_given = true;
	rosters_read(rs, sides, 1, xalloc_str(""));
	rosters_read(rs, sides, 2, xalloc_str(""));
	return (rs);
}

/* Keeps what one line let join. */
static void
rosters_join(struct rosters *rs, const json_t *units)
{
	const json_t *u;
	size_t i;

	json_array_foreach(units, i, u)
	{
		if (json_object_get(u, "joins") != NULL)
			xalloc_set(rs->joined, js_str(u, "id"), xalloc_copy(u));
	}
}

/*
 * False for a line that brings no unit, as its bytes show: in a long game most
 * agreed changes do not, and to read each takes its time.  A name that is
 * written with escapes is read.
 */
static bool
rosters_may_join(const struct battle *b, int64_t seq)
{
	const char *line;
	size_t len;

	line = b->line(b->arg, seq, &len);
	return (line != NULL &&
	    (memmem(line, len, "joins", 5) != NULL ||
		memmem(line, len, "\\u", 2) != NULL));
}

/* Finds what has joined: ids have one meaning in a record (S5.2). */
static void
rosters_find_joined(struct rosters *rs, const struct battle *b)
{
	const int64_t lines = battle_lines(b);
	const struct game_entry *en;
	struct battle_line bl;
	int64_t i;

	rs->joined = xalloc_json(json_object());
	for (i = 0; i < lines; i++) {
		en = battle_entry(b, i);
		if (en->kind != ORDER_ACCEPT || !en->is_adjust ||
		    en->to_fate != GAME_FATE_ACCEPTED || en->taken_back >= 0 ||
		    !rosters_may_join(b, en->to) ||
		    !battle_read(b, en->to, &bl))
			continue;
		rosters_join(rs, json_object_get(bl.o.args, "units"));
		battle_clear(&bl);
	}
}

/* Puts together what each unit began with, or joined with. */
static void
rosters_begin_units(struct rosters *rs)
{
	static const char *const sides[] = {"1", "2"};
	const json_t *units, *v;
	const char *id;
	size_t i, k;

	rs->began = xalloc_json(json_object());
	for (i = 0; i < 2; i++) {
		units = json_object_get(
		    json_object_get(
			json_object_get(rs->first, "sides"), sides[i]),
		    "units");
		json_array_foreach(units, k, v)
		{
			if ((id = js_str(v, "id")) != NULL)
				xalloc_set(rs->began, id, xalloc_copy(v));
		}
	}
	if (json_object_update(rs->began, rs->joined) != 0)
		xalloc_die();
}

struct rosters *
rosters_new(const struct battle *b)
{
	const struct game *g = battle_game(b);
	char hex[2 * HASH_LEN + 1];
	const char *value;
	struct rosters *rs;

	if (game_roster(g) == NULL ||
	    (rs = rosters_begin(systems_find(game_system(g)))) == NULL)
		return (NULL);
	hex_format(hex, game_roster_blob(g), HASH_LEN);
	/* Without what the game began with, losses are not known. */
	if ((value = b->text(b->arg, hex)) != NULL &&
	    js_load(value, strlen(value), JS_DEPTH_RECORD, &rs->first, NULL) !=
		0)
		rs->first = NULL;
	rosters_find_joined(rs, b);
	rosters_begin_units(rs);
	rosters_read(rs, game_roster(g), 1, battle_players(b, 1));
	rosters_read(rs, game_roster(g), 2, battle_players(b, 2));
	return (rs);
}

void
rosters_free(struct rosters *rs)
{
	int i;

	if (rs == NULL)
		return;
	for (i = 0; i < 2; i++) {
		free(rs->sides[i].name);
		free(rs->sides[i].players);
		free(rs->sides[i].units);
	}
	json_decref(rs->first);
	json_decref(rs->joined);
	json_decref(rs->began);
	free(rs);
}

const json_t *
rosters_named(const struct rosters *rs, const json_t *unit, const char *name)
{
	const char *id = js_str(unit, name);

	if (id == NULL || rs->show->losses->parts == NULL)
		return (NULL);
	return (
	    rosters_find(json_object_get(unit, rs->show->losses->parts), id));
}

/* Appends what a part is called, the id that is typed for it, and its role. */
static void
rosters_put_part(struct buf *b, const json_t *part, const char *role)
{
	const char *id = js_str(part, "id"), *name = js_str(part, "name");

	buf_puts(b, name != NULL && *name != '\0' ? name : id);
	if (name != NULL && *name != '\0' && strcmp(name, id) != 0)
		buf_printf(b, " (%s)", id);
	if (role != NULL)
		buf_printf(b, " (%s)", role);
}

char *
rosters_parts(const struct rosters *rs, const json_t *unit, const json_t *parts)
{
	const json_t *hits, *part;
	const struct schema_row *row;
	const char *name, *role;
	struct buf b;
	size_t i, k;
	json_t *v;

	buf_init(&b, 0);
	json_array_foreach(parts, i, part)
	{
		buf_puts(&b, i == 0 ? "" : ", ");
		/* The member by which a unit names this part, such as lead. */
		role = NULL;
		for (k = 0; unit != NULL && role == NULL &&
		     (row = schema_field(rs->sys->unit, k)) != NULL;
		     k++) {
			if (rosters_named(rs, unit, row->name) == part)
				role = row->name;
		}
		rosters_put_part(&b, part, role);
		hits = json_object_get(part, "hits");
		js_foreach(part, name, v)
		{
			if (strcmp(name, "id") == 0 ||
			    strcmp(name, "name") == 0)
				continue;
			if (strcmp(name, "sp") == 0)
				buf_printf(&b, " %lld/%lld",
				    (long long)(json_integer_value(v) -
					json_integer_value(hits)),
				    (long long)json_integer_value(v));
			else if (json_is_string(v))
				buf_printf(&b, " %s", json_string_value(v));
			else if (json_is_true(v))
				buf_printf(&b, " %s", name);
			else if (json_is_integer(v) &&
			    strcmp(name, "hits") != 0)
				buf_printf(&b, " %s %lld", name,
				    (long long)json_integer_value(v));
		}
	}
	return (xalloc_take(&b));
}

bool
rosters_is_parts(const json_t *v)
{
	return (json_is_object(json_array_get(v, 0)));
}

bool
rosters_is_counted(const struct rosters *rs, const char *name)
{
	const char *const *counted = rs->show->losses->counted;

	if (strcmp(name, "name") == 0)
		return (true);
	for (; counted != NULL && *counted != NULL; counted++) {
		if (strcmp(*counted, name) == 0)
			return (true);
	}
	return (false);
}

/* Appends a word after others. */
static void
rosters_add(struct buf *b, const char *word)
{
	buf_printf(b, "%s%s", b->len == 0 ? "" : ", ", word);
}

/* Appends a member that is true, or a list of words. */
static void
rosters_add_flag(struct buf *b, const char *name, const json_t *v)
{
	const json_t *one;
	size_t i;

	if (json_is_true(v))
		rosters_add(b, name);
	json_array_foreach(v, i, one)
	{
		if (json_is_string(one))
			rosters_add(b, json_string_value(one));
	}
}

char *
rosters_flags(const struct rosters *rs, const struct rosters_unit *u)
{
	const struct schema_row *row;
	const char *name;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	if (u->has_joined)
		rosters_add(&b, "joined");
	if (u->out != NULL)
		rosters_add(&b, u->out);
	if (u->is_gone)
		rosters_add(&b, "for good");
	for (i = 0; (row = schema_field(rs->sys->unit, i)) != NULL; i++) {
		name = row->name;
		if (!rosters_is_parts(json_object_get(u->now, name)))
			rosters_add_flag(
			    &b, name, json_object_get(u->now, name));
	}
	return (xalloc_take(&b));
}

char *
rosters_words(const struct rosters *rs, const struct rosters_unit *u)
{
	const struct schema_row *row;
	const char *name;
	const json_t *v;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	for (i = 0; (row = schema_field(rs->sys->unit, i)) != NULL; i++) {
		name = row->name;
		v = json_object_get(u->now, name);
		if (rosters_is_counted(rs, name) || rosters_is_parts(v) ||
		    rosters_named(rs, u->now, name) != NULL)
			continue;
		if (json_is_integer(v))
			buf_printf(&b, "%s%s %lld", b.len == 0 ? "" : ", ",
			    name, (long long)json_integer_value(v));
		else if (json_is_string(v) &&
		    (strcmp(name, "arm") == 0 || strcmp(name, "type") == 0 ||
			strcmp(name, "state") == 0 ||
			strcmp(name, "battery") == 0))
			rosters_add(&b, json_string_value(v));
		else if (json_is_string(v))
			buf_printf(&b, "%s%s %s", b.len == 0 ? "" : ", ", name,
			    json_string_value(v));
		else
			rosters_add_flag(&b, name, v);
	}
	return (xalloc_take(&b));
}

/* A number for programs; null if it is not known. */
static json_t *
rosters_number(int64_t n, bool is_known)
{
	return (is_known ? json_integer(n) : json_null());
}

json_t *
rosters_json(const struct rosters *rs)
{
	const struct rosters_side *side;
	const struct rosters_unit *u;
	json_t *list, *sides, *v;
	bool is_known;
	size_t i, k;

	sides = xalloc_json(json_object());
	for (i = 0; i < 2; i++) {
		side = &rs->sides[i];
		is_known = side->began >= 0;
		list = xalloc_json(json_array());
		for (k = 0; k < side->n_units; k++) {
			u = &side->units[k];
			v = xalloc_json(json_pack("{s:o, s:o, s:I}", "id",
			    xalloc_json_str(u->id), "began",
			    rosters_number(u->began, u->began >= 0), "left",
			    (json_int_t)u->left));
			if (u->has_joined)
				xalloc_set(v, "joined", json_true());
			if (u->out != NULL)
				xalloc_set(v, "out", xalloc_json_str(u->out));
			if (u->is_gone)
				xalloc_set(v, "gone", json_true());
			xalloc_append(list, v);
		}
		xalloc_set(sides, i == 0 ? "1" : "2",
		    json_pack("{s:o, s:I, s:I, s:o, s:I, s:o}", "began",
			rosters_number(side->began, is_known), "in_play",
			(json_int_t)side->in_play, "away",
			(json_int_t)side->away, "lost",
			rosters_number(side->lost, is_known), "worth",
			(json_int_t)side->worth, "units", list));
	}
	return (xalloc_json(
	    json_pack("{s:s, s:o}", "what", rs->what, "sides", sides)));
}
