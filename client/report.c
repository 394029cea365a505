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
#include "client/past.h"
#include "client/story.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/clock.h"
#include "common/game/game.h"
#include "common/js.h"
#include "common/order.h"
#include "common/record.h"
#include "common/rules/render.h"
#include "common/rules/rules.h"

#define REPORT_INDENT 24 /* columns before a line's sentence */

struct report {
	struct out *o;
	const struct copy *c;
	struct story *st; /* owned; of the first told lines of the copy */
	int64_t told; /* lines of the copy that st knows */
	const struct rules_system *sys; /* NULL: unknown here */
	struct render *rd; /* of the combat that is told */
	char *sides[3]; /* owned; 1 and 2 are used */
	char *asked; /* owned: kind of the question asked last, "" if none */
	int64_t next; /* line to go on with */
	enum order_kind owing; /* of the line that owed an answer last */
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
	rp->owing = ORDER_UNKNOWN;
	rp->st = story_new(c);
	rp->told = c->n;
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
	story_free(rp->st);
	render_free(rp->rd);
	free(rp);
}

int
report_combats(const struct report *rp)
{
	return (rp->combat);
}

/* Who gave a line's order, for people; free(). */
static char *
report_author(const struct report *rp, const struct record_line *ln)
{
	return (xalloc_str(story_account(rp->st, ln->seat, ln->seq)));
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

/* True for the line of an order that belongs to a combat. */
static bool
report_is_fought(const struct report *rp, const struct record_line *ln,
    const struct order *o)
{
	if (o->kind == ORDER_ANSWER)
		return (
		    report_is_combat(rp->owing) || rp->owing == ORDER_CLAIM);
	if (o->kind == ORDER_CLAIM)
		return (json_array_size(ln->events) > 0 || ln->owes != NULL);
	return (report_is_combat(o->kind));
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

/* Appends {"seat","standing"} of a standing order that was opened. */
static void
report_opened_standing(json_t *list, int seat, const json_t *from)
{
	const char *text = json_string_value(json_object_get(from, "text"));
	json_t *said, *v;

	if (text == NULL ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &said, NULL) != 0)
		return;
	v = xalloc_json(json_object());
	xalloc_set(v, "seat", json_integer(seat));
	xalloc_set(v, "standing", said);
	xalloc_append(list, v);
}

/*
 * What a line opens: both choices where secrets are held, or the one that an
 * `open` order brings; then standing orders that act; new.
 */
static json_t *
report_opened(const struct record_line *ln, const struct order *o)
{
	const json_t *v;
	json_t *list;
	size_t i;
	int seat;

	list = xalloc_json(json_array());
	if (o->kind == ORDER_OPEN)
		report_opened_one(list, ln->seat, o->args);
	json_array_foreach(ln->opened, i, v)
	{
		seat = (int)json_integer_value(json_object_get(v, "seat"));
		/* The second commit opens two choices, and they are first. */
		if (o->kind == ORDER_COMMIT && i < 2)
			report_opened_one(list, seat, v);
		else
			report_opened_standing(list, seat, v);
	}
	return (list);
}

/* Prints the standing orders that a line opens. */
static void
report_standing(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	const char *kind, *word;
	json_t *list, *v;
	char *line, *who;
	size_t i;

	list = report_opened(ln, o);
	json_array_foreach(list, i, v)
	{
		kind = json_string_value(
		    json_object_get(json_object_get(v, "standing"), "kind"));
		word = json_string_value(
		    json_object_get(json_object_get(v, "standing"), "do"));
		if (json_object_get(v, "standing") == NULL)
			continue;
		who = report_who(
		    rp, (int)json_integer_value(json_object_get(v, "seat")));
		line = xalloc_printf("standing order of %s%s: %s %s", who,
		    o->kind == ORDER_CLOSE ? ", which never acted" : "",
		    kind == NULL ? "?" : kind, word == NULL ? "?" : word);
		out_print(rp->o, "%*s", REPORT_INDENT, "");
		out_text(rp->o, REPORT_INDENT, REPORT_INDENT + 2, line);
		free(line);
		free(who);
	}
	json_decref(list);
}

/* Prints who has to answer before a line goes on. */
static void
report_owes(struct report *rp, const struct record_line *ln)
{
	char *who;

	if (ln->owes == NULL)
		return;
	who = report_who(
	    rp, (int)json_integer_value(json_object_get(ln->owes, "seat")));
	out_print(rp->o, "%*swaits until %s agrees\n", REPORT_INDENT, "", who);
	free(who);
}

/* Prints what became of a line later. */
static void
report_marks(struct report *rp, const struct record_line *ln)
{
	struct past *past = story_past(rp->st);
	int64_t by = past_taken_back(past, ln->seq);
	bool is_objected;

	if (by >= 0)
		out_print(rp->o, "%*s(taken back by line %lld)\n",
		    REPORT_INDENT, "", (long long)by);
	by = past_answer(past, ln->seq, &is_objected);
	if (is_objected)
		out_print(rp->o, "%*s(void: objected to in line %lld)\n",
		    REPORT_INDENT, "", (long long)by);
	switch (past_fate(past, ln->seq, &by)) {
	case PAST_OPEN:
		out_print(rp->o, "%*s(open)\n", REPORT_INDENT, "");
		break;
	case PAST_LAPSED:
		out_print(rp->o, "%*s(lapsed)\n", REPORT_INDENT, "");
		break;
	default:
		break;
	}
}

/* Prints an order of the kinds that story.h tells, after its stamp. */
static void
report_story(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	const char *why = story_why(rp->c, o);
	const struct past_entry en = {*ln, *o};
	char *line, *s;

	s = story_line(rp->st, &en);
	if (why == NULL)
		line = xalloc_str(s);
	else
		line = xalloc_printf("%s%s \"%s\"", s,
		    json_object_get(o->args, "for") == NULL ? ":" : ", for",
		    why);
	out_text(rp->o, REPORT_INDENT, REPORT_INDENT + 2, line);
	free(line);
	free(s);
}

/* Prints the heading and first line of a combat's line. */
static void
report_begin(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	int side = game_side_of(ln->seat);
	char when[32], *who;

	out_print(rp->o, "\n");
	rp->wants_gap = false;
	if (o->kind == ORDER_DECLARE)
		out_title(rp->o, "Combat %d, turn %d: %s attack", rp->combat,
		    rp->turn, rp->sides[side]);
	out_print(rp->o, "%4lld  %s  ", (long long)ln->seq,
	    out_time(when, ln->at_ms));
	if (!report_is_combat(o->kind)) {
		report_story(rp, ln, o);
		return;
	}
	who = report_author(rp, ln);
	out_print(rp->o, "%s ", who);
	report_verb(rp, o->kind);
	free(who);
}

/* A combat's line: declare, decide, commit or open, answer, claim. */
static void
report_combat(struct report *rp, const struct record_line *ln,
    const struct order *o, bool is_told)
{
	if (o->kind == ORDER_DECLARE) {
		rp->combat++;
		render_free(rp->rd);
		rp->rd = NULL;
	}
	if (is_told) {
		report_begin(rp, ln, o);
		report_marks(rp, ln);
		report_standing(rp, ln, o);
		report_events(rp, ln->events);
		report_owes(rp, ln);
	} else {
		report_follow(rp, ln->events);
	}
	report_ask(rp, ln->events);
	rp->wants_gap = is_told;
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
	char *line, *who;

	ref = json_string_value(json_object_get(o->args, "ref"));
	text = ref == NULL ? NULL : copy_text(rp->c, ref);
	who = report_author(rp, ln);
	/* What is not for us is not held, and neither is what was erased. */
	line = xalloc_printf("%s%s: %s", who,
	    json_object_get(o->args, "to") == NULL ? "" : ", to the own side",
	    text != NULL                                 ? text
		: json_object_get(o->args, "to") == NULL ? "(erased)"
							 : "(not held here)");
	report_stamp(rp, ln);
	out_text(rp->o, REPORT_INDENT, REPORT_INDENT, line);
	free(line);
	free(who);
}

/* Everything else that a player does, in a sentence. */
static void
report_other(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	char *who;
	const char *side = rp->sides[game_side_of(ln->seat)];

	report_stamp(rp, ln);
	if (story_has(o->kind)) {
		report_story(rp, ln, o);
		/* Dice of a free roll stand in the sentence. */
		report_events(rp, ln->events);
		report_marks(rp, ln);
		report_owes(rp, ln);
		return;
	}
	who = report_author(rp, ln);
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
		report_owes(rp, ln);
		break;
	case ORDER_RESIGN:
		out_print(rp->o, "%s resigns%s\n", who,
		    rp->turn == 0 ? ": the game is cancelled" : "");
		break;
	case ORDER_CLOSE:
		out_print(rp->o, "%s closes the game\n", who);
		report_standing(rp, ln, o);
		break;
	default:
		out_print(rp->o, "%s: %s\n", who, o->kind_name);
		report_events(rp, ln->events);
		break;
	}
	report_marks(rp, ln);
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

/* Adds to a line's object what became of it, and what players agreed on. */
static void
report_json_deal(struct report *rp, json_t *v, const struct record_line *ln,
    const struct order *o)
{
	static const char *const refs[] = {"why", "for", NULL};
	const char *why = story_why(rp->c, o), *fate;
	bool is_objected;
	json_t *args;
	int64_t by;
	size_t i;

	if (story_has(o->kind)) {
		args = xalloc_copy(o->args);
		/* The text itself is told, not its hash. */
		for (i = 0; refs[i] != NULL; i++)
			(void)json_object_del(args, refs[i]);
		xalloc_set(v, "args", args);
		xalloc_set(
		    v, "why", why == NULL ? json_null() : xalloc_json_str(why));
	}
	if (*(fate = story_fate(rp->st, ln->seq, &by)) != '\0') {
		xalloc_set(v, "fate", json_string(fate));
		xalloc_set(v, "by", by < 0 ? json_null() : json_integer(by));
	}
	if (o->kind == ORDER_CLAIM)
		xalloc_set(v, "effective",
		    json_boolean(
			past_is_effective(story_past(rp->st), ln->seq)));
	if (ln->owes != NULL)
		xalloc_set(
		    v, "owes", xalloc_copy(json_object_get(ln->owes, "seat")));
	by = past_taken_back(story_past(rp->st), ln->seq);
	if (by >= 0)
		xalloc_set(v, "taken_back", json_integer(by));
	by = past_answer(story_past(rp->st), ln->seq, &is_objected);
	if (is_objected)
		xalloc_set(v, "objected", json_integer(by));
}

/* One line as JSON for programs; new. */
static json_t *
report_json(
    struct report *rp, const struct record_line *ln, const struct order *o)
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
	    json_string(story_account(rp->st, ln->seat, ln->seq)));
	xalloc_set(v, "turn", json_integer(rp->turn));
	if (o == NULL)
		return (v);
	if (report_is_fought(rp, ln, o))
		xalloc_set(v, "combat", json_integer(rp->combat));
	if (o->kind == ORDER_OPEN || ln->opened != NULL)
		xalloc_set(v, "opened", report_opened(ln, o));
	if (o->kind == ORDER_UPKEEP)
		xalloc_set(v, "args", xalloc_copy(o->args));
	ref = json_string_value(json_object_get(o->args, "ref"));
	text = ref == NULL ? NULL : copy_text(rp->c, ref);
	if (o->kind == ORDER_CHAT) {
		xalloc_set(
		    v, "text", text == NULL ? json_null() : json_string(text));
		if (json_object_get(o->args, "to") != NULL)
			xalloc_set(v, "to",
			    xalloc_copy(json_object_get(o->args, "to")));
	}
	report_json_deal(rp, v, ln, o);
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
	const struct past *past = story_past(rp->st);
	int64_t i;

	if (o->kind == ORDER_TURN_END)
		rp->turn++;
	if (o->kind == ORDER_READY && ln->has_pool && rp->turn == 0)
		rp->turn = 1;
	if (o->kind != ORDER_ACCEPT)
		return;
	/* A turn that was ended may be taken back. */
	for (i = 0; i < ln->seq; i++) {
		if (past_kind(past, i) == ORDER_TURN_END &&
		    past_taken_back(past, i) == ln->seq)
			rp->turn--;
	}
}

/* Tells one order. */
static void
report_order(struct report *rp, const struct record_line *ln,
    const struct order *o, bool is_told)
{
	if (report_is_fought(rp, ln, o))
		report_combat(rp, ln, o, is_told);
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
	is_combat = has_order && report_is_fought(rp, ln, &o);
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
	if (has_order && ln->owes != NULL)
		rp->owing = o.kind == ORDER_ANSWER ? rp->owing : o.kind;
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

	/* Lines that have come since may end what was open. */
	if (rp->told != rp->c->n) {
		story_free(rp->st);
		rp->st = story_new(rp->c);
		rp->told = rp->c->n;
	}
	for (; rp->next <= to; rp->next++) {
		line = copy_get(rp->c, rp->next, &len);
		/* A line of a newer format has nothing to tell here. */
		if (record_parse(line, len, &ln, &e) != 0)
			continue;
		report_one(rp, &ln, rp->next >= from, combat, list);
		record_clear(&ln);
	}
}
