/* SPDX-License-Identifier: ISC */
/*
 * Lines into sentences.  What happens in a combat is told by the renderer of
 * the rules library; here is what happens around it.
 */
#include "client/report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/copy.h"
#include "client/out.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/clock.h"
#include "common/game/game.h"
#include "common/js.h"
#include "common/order.h"
#include "common/record.h"
#include "common/rules/render.h"
#include "common/rules/rules.h"

struct report {
	struct out *o;
	const struct copy *c;
	const struct rules_system *sys; /* NULL: unknown here */
	struct render *rd; /* of the combat that is told */
	char *sides[3]; /* owned; 1 and 2 are used */
	char *asked; /* owned: kind of the question asked last, "" if none */
	int64_t next; /* line to go on with */
	int combat; /* combats so far */
	int turn; /* 0 before play */
	bool wants_gap; /* a combat was told last */
};

char *
report_side(const json_t *view, int side)
{
	const char *key = side == 1 ? "1" : "2", *name;

	name = json_string_value(json_object_get(
	    json_object_get(json_object_get(view, "roster"), key), "name"));
	if (name == NULL || *name == '\0')
		return (xalloc_printf("side %d", side));
	return (out_safe(name));
}

struct report *
report_new(struct out *o, const struct copy *c)
{
	const struct game *g = copy_game(c);
	struct report *rp;
	json_t *view;
	int i;

	rp = xalloc(sizeof(*rp));
	rp->o = o;
	rp->c = c;
	rp->sys = rules_find(game_system(g));
	rp->asked = xalloc_str("");
	view = xalloc_json(game_view(g));
	for (i = 0; i < 3; i++)
		rp->sides[i] =
		    i == 0 ? xalloc_str("director") : report_side(view, i);
	json_decref(view);
	return (rp);
}

void
report_free(struct report *rp)
{
	int i;

	if (rp == NULL)
		return;
	for (i = 0; i < 3; i++)
		free(rp->sides[i]);
	free(rp->asked);
	render_free(rp->rd);
	free(rp);
}

int
report_combats(const struct report *rp)
{
	return (rp->combat);
}

/* Who sits in a seat, for people; free(). */
static char *
report_who(const struct report *rp, int seat)
{
	const char *account = game_account(copy_game(rp->c), seat);

	return (xalloc_str(*account == '\0' ? "nobody yet" : account));
}

void
report_heading(struct report *rp, const char *name)
{
	const struct game *g = copy_game(rp->c);
	char *one, *two;

	one = report_who(rp, 1);
	two = report_who(rp, 2);
	out_title(rp->o, "%s: %s, %s (%s) against %s (%s)", name,
	    game_system(g), rp->sides[1], one, rp->sides[2], two);
	free(one);
	free(two);
}

/* Prints "  12  2026-11-20 18:04  " before a line's sentence. */
static void
report_stamp(struct report *rp, const struct record_line *ln)
{
	char when[32];

	if (rp->wants_gap)
		out_print(rp->o, "\n");
	rp->wants_gap = false;
	out_print(rp->o, "%4lld  %s  ", (long long)ln->seq,
	    out_time(when, ln->at_ms));
}

/* Prints events by the renderer. */
static void
report_events(struct report *rp, const json_t *events)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	if (rp->sys == NULL) {
		json_array_foreach(events, i, v)
		{
			s = xalloc_dump(v);
			out_text(rp->o, 0, 4, s);
			free(s);
		}
		return;
	}
	if (rp->rd == NULL && (rp->rd = render_new(rp->sys)) == NULL)
		(void)xalloc_json(NULL);
	buf_init(&b, 0);
	json_array_foreach(events, i, v) render_event(rp->rd, v, &b);
	out_print(rp->o, "%s", buf_str(&b));
	buf_clear(&b);
}

/* Follows events that are not printed, for the names of units. */
static void
report_follow(struct report *rp, const json_t *events)
{
	const json_t *v;
	struct buf b;
	size_t i;

	if (rp->sys == NULL || json_array_size(events) == 0)
		return;
	if (rp->rd == NULL && (rp->rd = render_new(rp->sys)) == NULL)
		(void)xalloc_json(NULL);
	buf_init(&b, 0);
	json_array_foreach(events, i, v) render_event(rp->rd, v, &b);
	buf_clear(&b);
}

/* True for the orders that a combat is made of. */
static bool
report_is_combat(enum order_kind kind)
{
	return (kind == ORDER_DECLARE || kind == ORDER_DECIDE ||
	    kind == ORDER_COMMIT || kind == ORDER_OPEN);
}

/* Notes the question that a combat's line ends with. */
static void
report_ask(struct report *rp, const json_t *events)
{
	const char *e, *kind;
	const json_t *v;
	size_t i;

	json_array_foreach(events, i, v)
	{
		e = json_string_value(json_object_get(v, "e"));
		kind = json_string_value(json_object_get(v, "kind"));
		if (e == NULL || strcmp(e, "ask") != 0 || kind == NULL)
			continue;
		free(rp->asked);
		rp->asked = out_safe(kind);
	}
}

/* Prints what a combat's order does: "declares". */
static void
report_verb(struct report *rp, enum order_kind kind)
{
	const char *colon = *rp->asked == '\0' ? "" : ": ";

	switch (kind) {
	case ORDER_DECLARE:
		out_print(rp->o, "declares\n");
		break;
	case ORDER_COMMIT:
		out_print(rp->o, "commits to a secret choice%s%s\n", colon,
		    rp->asked);
		break;
	case ORDER_OPEN:
		out_print(
		    rp->o, "opens the secret choice%s%s\n", colon, rp->asked);
		break;
	default:
		out_print(rp->o, "decides\n");
		break;
	}
}

/* Appends {"seat","decision"} of a choice that was opened. */
static void
report_opened_one(json_t *list, int seat, const json_t *from)
{
	const char *text = json_string_value(json_object_get(from, "text"));
	json_t *decision, *v;

	if (text == NULL ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &decision, NULL) != 0)
		return;
	v = xalloc_json(json_object());
	xalloc_set(v, "seat", json_integer(seat));
	xalloc_set(v, "decision", decision);
	xalloc_append(list, v);
}

/*
 * What a line opens: both choices where secrets are held, or the one that an
 * `open` order brings; new.
 */
static json_t *
report_opened(const struct record_line *ln, const struct order *o)
{
	const json_t *v;
	json_t *list;
	size_t i;

	list = xalloc_json(json_array());
	if (o->kind == ORDER_OPEN)
		report_opened_one(list, ln->seat, o->args);
	json_array_foreach(ln->opened, i, v)
	{
		report_opened_one(list,
		    (int)json_integer_value(json_object_get(v, "seat")), v);
	}
	return (list);
}

/* A combat's line: declare, decide, commit or open. */
static void
report_combat(struct report *rp, const struct record_line *ln,
    enum order_kind kind, bool is_told)
{
	char *who = report_who(rp, ln->seat);
	int side = game_side_of(ln->seat);
	char when[32];

	if (kind == ORDER_DECLARE) {
		rp->combat++;
		render_free(rp->rd);
		rp->rd = NULL;
	}
	if (is_told) {
		out_print(rp->o, "\n");
		if (kind == ORDER_DECLARE)
			out_title(rp->o, "Combat %d, turn %d: %s attack",
			    rp->combat, rp->turn, rp->sides[side]);
		out_print(rp->o, "%4lld  %s  %s ", (long long)ln->seq,
		    out_time(when, ln->at_ms), who);
		report_verb(rp, kind);
		report_events(rp, ln->events);
	} else {
		report_follow(rp, ln->events);
	}
	report_ask(rp, ln->events);
	rp->wants_gap = is_told;
	free(who);
}

/* An upkeep order: which unit does what. */
static void
report_upkeep(struct report *rp, const struct order *o, const char *who)
{
	const char *act = json_string_value(json_object_get(o->args, "do"));
	const char *unit = json_string_value(json_object_get(o->args, "unit"));
	char *line, *safe;

	line = xalloc_printf("%s orders %s: %s", who,
	    unit == NULL ? "a unit" : unit, act == NULL ? "?" : act);
	safe = out_safe(line);
	out_print(rp->o, "%s\n", safe);
	free(safe);
	free(line);
}

/* A chat: what was said, if it was not erased. */
static void
report_chat(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	const char *ref, *text;
	char *who;

	ref = json_string_value(json_object_get(o->args, "ref"));
	text = ref == NULL ? NULL : copy_text(rp->c, ref);
	who = report_who(rp, ln->seat);
	report_stamp(rp, ln);
	out_print(rp->o, "%s: ", who);
	out_text(
	    rp->o, 26 + (int)strlen(who), 24, text == NULL ? "(erased)" : text);
	free(who);
}

/* Everything else that a player does, in a sentence. */
static void
report_other(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	char *who = report_who(rp, ln->seat);
	const char *side = rp->sides[game_side_of(ln->seat)];

	report_stamp(rp, ln);
	switch (o->kind) {
	case ORDER_CREATE:
		out_print(rp->o, "%s opens the game, in seat %d (%s)\n", who,
		    ln->seat, side);
		break;
	case ORDER_JOIN:
		out_print(
		    rp->o, "%s joins, in seat %d (%s)\n", who, ln->seat, side);
		break;
	case ORDER_READY:
		out_print(rp->o, "%s is ready\n", who);
		if (rp->turn == 1 && ln->has_pool)
			out_print(rp->o, "%24sturn 1: %s\n", "", rp->sides[1]);
		break;
	case ORDER_TURN_END:
		out_print(rp->o, "%s ends turn %d\n", who, rp->turn - 1);
		report_events(rp, ln->events);
		out_print(rp->o, "%24sturn %d: %s\n", "", rp->turn,
		    rp->sides[rp->turn % 2 == 1 ? 1 : 2]);
		break;
	case ORDER_UPKEEP:
		report_upkeep(rp, o, who);
		report_events(rp, ln->events);
		break;
	case ORDER_RESIGN:
		out_print(rp->o, "%s resigns%s\n", who,
		    rp->turn == 0 ? ": the game is cancelled" : "");
		break;
	case ORDER_CLOSE:
		out_print(rp->o, "%s closes the game\n", who);
		break;
	default:
		out_print(rp->o, "%s: %s\n", who, o->kind_name);
		report_events(rp, ln->events);
		break;
	}
	free(who);
}

/* Prints a line of the server. */
static void
report_server(struct report *rp, const struct record_line *ln)
{
	char *s;

	report_stamp(rp, ln);
	s = xalloc_dump(ln->data);
	out_print(rp->o, "the server, %s: ", ln->what);
	out_text(rp->o, 38 + (int)strlen(ln->what), 24, s);
	free(s);
}

/* One line as JSON for programs; new. */
static json_t *
report_json(const struct report *rp, const struct record_line *ln,
    const struct order *o)
{
	char at[CLOCK_AT_LEN + 1];
	const char *ref, *text;
	json_t *v;

	v = xalloc_json(json_object());
	clock_format(at, ln->at_ms);
	xalloc_set(v, "seq", json_integer(ln->seq));
	xalloc_set(v, "at", json_string(at));
	if (ln->kind == RECORD_SERVER) {
		xalloc_set(v, "kind", json_string("server"));
		xalloc_set(v, "what", json_string(ln->what));
		xalloc_set(v, "data", xalloc_copy(ln->data));
		return (v);
	}
	xalloc_set(v, "kind", json_string(o == NULL ? "key" : o->kind_name));
	xalloc_set(v, "seat", json_integer(ln->seat));
	xalloc_set(v, "account",
	    json_string(game_account(copy_game(rp->c), ln->seat)));
	xalloc_set(v, "turn", json_integer(rp->turn));
	if (o == NULL)
		return (v);
	if (report_is_combat(o->kind))
		xalloc_set(v, "combat", json_integer(rp->combat));
	if (o->kind == ORDER_OPEN || ln->opened != NULL)
		xalloc_set(v, "opened", report_opened(ln, o));
	if (o->kind == ORDER_UPKEEP)
		xalloc_set(v, "args", xalloc_copy(o->args));
	ref = json_string_value(json_object_get(o->args, "ref"));
	text = ref == NULL ? NULL : copy_text(rp->c, ref);
	if (o->kind == ORDER_CHAT)
		xalloc_set(
		    v, "text", text == NULL ? json_null() : json_string(text));
	if (ln->dice != NULL)
		xalloc_set(v, "dice", xalloc_copy(ln->dice));
	xalloc_set(v, "events",
	    ln->events == NULL ? json_array() : xalloc_copy(ln->events));
	return (v);
}

/* Counts turns. */
static void
report_count(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	if (o->kind == ORDER_TURN_END)
		rp->turn++;
	if (o->kind == ORDER_READY && ln->has_pool && rp->turn == 0)
		rp->turn = 1;
}

/* Tells one order. */
static void
report_order(struct report *rp, const struct record_line *ln,
    const struct order *o, bool is_told)
{
	if (report_is_combat(o->kind))
		report_combat(rp, ln, o->kind, is_told);
	else if (is_told && o->kind == ORDER_CHAT)
		report_chat(rp, ln, o);
	else if (is_told)
		report_other(rp, ln, o);
}

/* Tells or follows one line; true if it belongs to a combat. */
static void
report_one(struct report *rp, const struct record_line *ln, bool is_wanted,
    int combat, json_t *list)
{
	struct order o;
	struct errinfo e;
	bool has_order, is_combat, is_it;

	has_order = ln->kind == RECORD_ORDER &&
	    order_parse(ln->text, ln->text_len, &o, &e) == 0;
	is_combat = has_order && report_is_combat(o.kind);
	/* The number that this line's combat will have. */
	is_it = combat == 0 ||
	    (is_combat &&
		combat == rp->combat + (o.kind == ORDER_DECLARE ? 1 : 0));
	is_wanted = is_wanted && is_it;
	if (has_order) {
		report_count(rp, ln, &o);
		report_order(rp, ln, &o, is_wanted && list == NULL);
	} else if (is_wanted && list == NULL && ln->kind == RECORD_SERVER) {
		report_server(rp, ln);
	}
	if (is_wanted && list != NULL)
		xalloc_append(list, report_json(rp, ln, has_order ? &o : NULL));
	if (has_order)
		order_clear(&o);
}

void
report_lines(
    struct report *rp, int64_t from, int64_t to, int combat, json_t *list)
{
	struct record_line ln;
	struct errinfo e;
	const char *line;
	size_t len;

	for (; rp->next <= to; rp->next++) {
		line = copy_get(rp->c, rp->next, &len);
		/* A line of a newer format has nothing to tell here. */
		if (record_parse(line, len, &ln, &e) != 0)
			continue;
		report_one(rp, &ln, rp->next >= from, combat, list);
		record_clear(&ln);
	}
}
