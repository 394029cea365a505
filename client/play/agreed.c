/* SPDX-License-Identifier: ISC */
/* The list comes from the record alone, so that anybody can make it. */
#include "client/play/agreed.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/replica/copy.h"
#include "client/report/describe.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"

/* What the parts of this file pass around. */
struct agreed {
	struct out *o; /* borrowed */
	const struct copy *c; /* borrowed */
	struct story *st;
};

/* Adds whose a line is: the seat, the account, its name if it has one. */
static void
agreed_who(const struct agreed *a, json_t *v, const struct record_line *ln)
{
	const char *account = story_account(a->st, ln->seat, ln->seq);
	const char *name = story_name(a->st, account);

	xalloc_set(v, "seat", json_integer(ln->seat));
	xalloc_set(v, "account", xalloc_json_str(account));
	if (name != NULL)
		xalloc_set(v, "display", xalloc_json_str(name));
}

/* The accounts that accepted line seq, in their order; new array. */
static json_t *
agreed_by(const struct agreed *a, int64_t seq, int64_t *at_ms)
{
	const struct past *past = story_past(a->st);
	struct past_entry en;
	json_t *list, *v;
	int64_t i;

	list = xalloc_json(json_array());
	*at_ms = -1;
	for (i = seq + 1; i < a->c->n; i++) {
		if (past_kind(past, i) != ORDER_ACCEPT ||
		    !past_read(a->c, i, &en))
			continue;
		if (json_integer_value(json_object_get(en.o.args, "to")) ==
		    seq) {
			v = xalloc_json(json_object());
			xalloc_set(v, "seq", json_integer(i));
			agreed_who(a, v, &en.ln);
			xalloc_append(list, v);
			*at_ms = en.ln.at_ms;
		}
		past_entry_clear(&en);
	}
	return (list);
}

/* The changes from what to what: [{"id","field","from","to"}]; new. */
static json_t *
agreed_changes(const json_t *units, const json_t *before)
{
	const json_t *entry, *from, *u;
	const char *id, *name;
	json_t *list, *one, *v;
	size_t i;

	list = xalloc_json(json_array());
	json_array_foreach(units, i, u)
	{
		id = json_string_value(json_object_get(u, "id"));
		entry = id == NULL ? NULL : json_object_get(before, id);
		/* jansson's iterators know no const. */
		json_object_foreach((json_t *)(uintptr_t)u, name, v)
		{
			if (strcmp(name, "id") == 0)
				continue;
			from = json_object_get(entry, name);
			one = xalloc_json(json_object());
			xalloc_set(one, "id",
			    id == NULL ? json_null() : xalloc_json_str(id));
			xalloc_set(one, "field", xalloc_json_str(name));
			xalloc_set(one, "from",
			    from == NULL ? json_null() : xalloc_copy(from));
			xalloc_set(one, "to", xalloc_copy(v));
			xalloc_append(list, one);
		}
	}
	return (list);
}

/* One entry for programs; new. */
static json_t *
agreed_json(struct agreed *a, const struct past_entry *en, int64_t seq)
{
	const json_t *units = json_object_get(en->o.args, "units");
	const json_t *what = json_object_get(en->o.args, "what");
	const char *why = story_why(a->c, &en->o);
	char at[CLOCK_AT_LEN + 1];
	int64_t at_ms, by;
	json_t *v;

	v = xalloc_json(json_object());
	xalloc_set(v, "seq", json_integer(seq));
	clock_format(at, en->ln.at_ms);
	xalloc_set(v, "at", json_string(at));
	agreed_who(a, v, &en->ln);
	xalloc_set(v, "what",
	    what == NULL ? json_string("ruling") : xalloc_copy(what));
	xalloc_set(v, "state", json_string(describe_fate(a->st, seq, &by)));
	xalloc_set(v, "by", by < 0 ? json_null() : json_integer(by));
	xalloc_set(v, "accepted", agreed_by(a, seq, &at_ms));
	xalloc_set(v, "why", why == NULL ? json_null() : xalloc_json_str(why));
	if (units != NULL)
		xalloc_set(v, "changes",
		    agreed_changes(units, past_before(story_past(a->st), seq)));
	if (json_object_get(en->o.args, "from") != NULL)
		xalloc_set(v, "from",
		    xalloc_copy(json_object_get(en->o.args, "from")));
	by = past_taken_back(story_past(a->st), by < 0 ? seq : by);
	if (by >= 0)
		xalloc_set(v, "taken_back", json_integer(by));
	return (v);
}

/* Who ended it and how, for people; free(). */
static char *
agreed_end(struct agreed *a, int64_t seq)
{
	const char *fate;
	int64_t at_ms, by, undone;
	char *line, *names, *s;
	json_t *list, *v;
	size_t i;

	fate = describe_fate(a->st, seq, &by);
	list = agreed_by(a, seq, &at_ms);
	names = xalloc_str("");
	json_array_foreach(list, i, v)
	{
		s = xalloc_printf("%s%s%s", names, i == 0 ? "" : " and ",
		    story_called(a->st,
			json_string_value(json_object_get(v, "account"))));
		free(names);
		names = s;
	}
	undone = by < 0 ? -1 : past_taken_back(story_past(a->st), by);
	if (strcmp(fate, "accepted") == 0 && *names != '\0')
		line = xalloc_printf(
		    "accepted by %s (line %lld)", names, (long long)by);
	else if (by >= 0) {
		s = story_who(a->st, past_seat(story_past(a->st), by));
		line = xalloc_printf(
		    "%s by %s (line %lld)", fate, s, (long long)by);
		free(s);
	} else
		line = xalloc_str(fate);
	if (undone >= 0) {
		s = xalloc_printf(
		    "%s, taken back by line %lld", line, (long long)undone);
		free(line);
		line = s;
	}
	json_decref(list);
	free(names);
	return (line);
}

/* Prints one entry. */
static void
agreed_print(struct agreed *a, const struct past_entry *en, int64_t seq)
{
	const json_t *units = json_object_get(en->o.args, "units");
	const char *why = story_why(a->c, &en->o);
	struct out *o = a->o;
	char when[32], *end, *s, *who;

	who = story_who(a->st, en->ln.seat);
	out_print(
	    o, "%4lld  %s  ", (long long)seq, out_time(when, en->ln.at_ms));
	s = xalloc_printf("%s %s", who,
	    en->o.kind == ORDER_RULING ? "rules"
		: units != NULL        ? "proposes"
				       : "asks for");
	out_print(o, "%s:", s);
	free(s);
	s = units != NULL
	    ? describe_units(units, past_before(story_past(a->st), seq))
	    : describe_offer(a->st, seq);
	end = agreed_end(a, seq);
	out_print(o, "\n%24s", "");
	out_text(o, 24, 26, s);
	if (why != NULL) {
		out_print(o, "%24swhy: ", "");
		out_text(o, 29, 29, why);
	}
	out_print(o, "%24s%s\n", "", end);
	free(end);
	free(who);
	free(s);
}

/* True for what changes something by agreement. */
static bool
agreed_is_listed(const struct order *o)
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
agreed_list(struct out *o, const struct copy *c)
{
	struct agreed a = {.o = o, .c = c};
	struct past_entry en;
	json_t *list;
	int64_t i, n = 0;

	a.st = story_new(c);
	list = xalloc_json(json_array());
	for (i = 0; i < c->n; i++) {
		if (!past_read(c, i, &en))
			continue;
		if (agreed_is_listed(&en.o)) {
			n++;
			if (o->is_json)
				xalloc_append(list, agreed_json(&a, &en, i));
			else
				agreed_print(&a, &en, i);
		}
		past_entry_clear(&en);
	}
	if (n == 0)
		out_print(o, "Nothing was changed by agreement.\n");
	if (o->is_json)
		out_json(o, json_incref(list));
	json_decref(list);
	story_free(a.st);
}
