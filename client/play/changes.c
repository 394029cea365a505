/* SPDX-License-Identifier: ISC */
/* The list comes from the record alone, so that anybody can make it. */
#include "client/play/changes.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"

/* Adds whose a line is: the seat, the account, its name if it has one. */
static void
changes_who(const struct battle *b, json_t *v, int64_t seq)
{
	const int seat = battle_entry(b, seq)->seat;
	const char *account = battle_account(b, seat, seq);
	const char *name = b->name(b->arg, account);

	xalloc_set(v, "seat", json_integer(seat));
	xalloc_set(v, "account", xalloc_json_str(account));
	if (name != NULL)
		xalloc_set(v, "display", xalloc_json_str(name));
}

/* The accounts that accepted line seq, in their order; new array. */
static json_t *
changes_by(const struct battle *b, int64_t seq)
{
	const int64_t n = battle_lines(b);
	const struct game_entry *en;
	json_t *list, *v;
	int64_t i;

	list = xalloc_json(json_array());
	for (i = seq + 1; i < n; i++) {
		en = battle_entry(b, i);
		if (en->kind != ORDER_ACCEPT || en->to != seq)
			continue;
		v = xalloc_json(json_object());
		xalloc_set(v, "seq", json_integer(i));
		changes_who(b, v, i);
		xalloc_append(list, v);
	}
	return (list);
}

/* What joins, {"id","joins","side","unit"}, or goes; new. */
static json_t *
changes_whole(const json_t *u)
{
	json_t *one = xalloc_copy(u), *unit;

	if (json_object_get(u, "joins") == NULL)
		return (one);
	unit = xalloc_copy(u);
	(void)json_object_del(unit, "joins");
	(void)json_object_del(unit, "side");
	(void)json_object_clear(one);
	xalloc_set(one, "id", json_incref(json_object_get(u, "id")));
	xalloc_set(one, "joins", json_incref(json_object_get(u, "joins")));
	xalloc_set(one, "side", json_incref(json_object_get(u, "side")));
	xalloc_set(one, "unit", unit);
	return (one);
}

/* The changes from what to what: [{"id","field","from","to"}]; new. */
static json_t *
changes_changes(const json_t *units, const json_t *before)
{
	const json_t *entry, *from, *u;
	const char *id, *name;
	json_t *list, *one, *v;
	size_t i;

	list = xalloc_json(json_array());
	json_array_foreach(units, i, u)
	{
		if (json_object_get(u, "joins") != NULL ||
		    json_object_get(u, "gone") != NULL) {
			xalloc_append(list, changes_whole(u));
			continue;
		}
		id = json_string_value(json_object_get(u, "id"));
		entry = id == NULL ? NULL : json_object_get(before, id);
		js_foreach(u, name, v)
		{
			if (strcmp(name, "id") == 0)
				continue;
			from = json_object_get(entry, name);
			one = json_pack("{s:s?, s:s, s:O?, s:O}", "id", id,
			    "field", name, "from", from, "to", v);
			xalloc_append(list, one);
		}
	}
	return (list);
}

/* One entry for programs; new. */
static json_t *
changes_json(const struct battle *b, const struct battle_line *bl)
{
	const struct game_entry *en = battle_entry(b, bl->ln.seq);
	const json_t *from = json_object_get(bl->o.args, "from");
	const json_t *units = json_object_get(bl->o.args, "units");
	const json_t *what = json_object_get(bl->o.args, "what");
	const char *why = battle_why(b, &bl->o);
	char at[CLOCK_AT_LEN + 1];
	int64_t undone;
	json_t *v;

	v = xalloc_json(json_object());
	xalloc_set(v, "seq", json_integer(en->seq));
	clock_format(at, bl->ln.at_ms);
	xalloc_set(v, "at", json_string(at));
	changes_who(b, v, en->seq);
	xalloc_set(v, "what",
	    what == NULL ? json_string("ruling") : xalloc_copy(what));
	xalloc_set(v, "state", json_string(describe_fate(en->fate)));
	xalloc_set(
	    v, "by", en->fate_by < 0 ? json_null() : json_integer(en->fate_by));
	xalloc_set(v, "accepted", changes_by(b, en->seq));
	xalloc_set(v, "why", why == NULL ? json_null() : xalloc_json_str(why));
	if (units != NULL)
		xalloc_set(v, "changes", changes_changes(units, en->before));
	if (from != NULL)
		xalloc_set(v, "from", xalloc_copy(from));
	undone = battle_entry(b, en->fate_by < 0 ? en->seq : en->fate_by)
		     ->taken_back;
	if (undone >= 0)
		xalloc_set(v, "taken_back", json_integer(undone));
	return (v);
}

/* Who ended it and how, for people; free(). */
static char *
changes_end(const struct battle *b, int64_t seq)
{
	const struct game_entry *en = battle_entry(b, seq), *by;
	json_t *list, *v;
	struct buf out;
	char *who;
	size_t i;

	buf_init(&out, 0);
	by = battle_entry(b, en->fate_by);
	list = changes_by(b, seq);
	buf_puts(&out, describe_fate(en->fate));
	if (en->fate == GAME_FATE_ACCEPTED && json_array_size(list) > 0) {
		json_array_foreach(list, i, v)
		    buf_printf(&out, " %s %s", i == 0 ? "by" : "and",
			b->called(b->arg,
			    json_string_value(json_object_get(v, "account"))));
		buf_printf(&out, " (line %lld)", (long long)en->fate_by);
	} else if (en->fate_by >= 0) {
		who = battle_who(b, by->seat);
		buf_printf(
		    &out, " by %s (line %lld)", who, (long long)en->fate_by);
		free(who);
	}
	if (by->taken_back >= 0)
		buf_printf(&out, ", taken back by line %lld",
		    (long long)by->taken_back);
	json_decref(list);
	return (xalloc_take(&out));
}

/* Prints one entry. */
static void
changes_print(
    struct out *o, const struct battle *b, const struct battle_line *bl)
{
	const json_t *units = json_object_get(bl->o.args, "units");
	const char *why = battle_why(b, &bl->o);
	const int64_t seq = bl->ln.seq;
	char when[32], *end, *s, *who;

	who = battle_who(b, bl->ln.seat);
	out_print(o, "%4lld  %s  %s %s:\n%24s", (long long)seq,
	    out_time(when, bl->ln.at_ms), who,
	    bl->o.kind == ORDER_RULING ? "rules"
		: units != NULL        ? "proposes"
				       : "asks for",
	    "");
	s = units != NULL ? describe_units(battle_game(b), units,
				battle_entry(b, seq)->before)
			  : describe_offer(b, seq);
	out_text(o, 24, 26, s);
	if (why != NULL) {
		out_print(o, "%24swhy: ", "");
		out_text(o, 29, 29, why);
	}
	end = changes_end(b, seq);
	out_print(o, "%24s%s\n", "", end);
	free(end);
	free(who);
	free(s);
}

/* True for what changes something by agreement. */
static bool
changes_is_listed(const struct order *o)
{
	const char *what = json_string_value(json_object_get(o->args, "what"));

	if (o->kind == ORDER_PROPOSE)
		return (true);
	if (o->kind == ORDER_OFFER)
		return (what != NULL && strcmp(what, "takeback") == 0);
	return (o->kind == ORDER_RULING &&
	    (json_object_get(o->args, "units") != NULL ||
		json_object_get(o->args, "void") != NULL));
}

void
changes_list(struct out *o, const struct battle *b)
{
	const int64_t lines = battle_lines(b);
	struct battle_line bl;
	json_t *list;
	int64_t i, n = 0;

	list = xalloc_json(json_array());
	for (i = 0; i < lines; i++) {
		if (!battle_read(b, i, &bl))
			continue;
		if (changes_is_listed(&bl.o)) {
			n++;
			if (o->is_json)
				xalloc_append(list, changes_json(b, &bl));
			else
				changes_print(o, b, &bl);
		}
		battle_clear(&bl);
	}
	if (n == 0)
		out_print(o, "Nothing has been changed by agreement.\n");
	if (o->is_json)
		out_json(o, json_incref(list));
	json_decref(list);
}
