/* SPDX-License-Identifier: ISC */
/* Lines into sentences: what happens around combats. */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/replica/copy.h"
#include "client/report/describe.h"
#include "client/report/doc.h"
#include "client/report/report_int.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

void
report_entry(struct report *rp, const struct record_line *ln, const char *text)
{
	struct doc_entry en = {.seq = ln->seq, .at_ms = ln->at_ms};

	if (rp->wants_gap)
		doc_gap(rp->d);
	rp->wants_gap = false;
	en.text = text;
	en.is_undone = past_taken_back(story_past(rp->st), ln->seq) >= 0;
	doc_entry(rp->d, &en);
}

/* Tells a further sentence, and frees it. */
static void
report_more(struct report *rp, char *text)
{
	doc_more(rp->d, text);
	free(text);
}

void
report_standing(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	const char *kind, *word;
	json_t *list, *v;
	char *who;
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
		report_more(rp,
		    xalloc_printf("standing order of %s%s: %s %s", who,
			o->kind == ORDER_CLOSE ? ", which never acted" : "",
			kind == NULL ? "?" : kind, word == NULL ? "?" : word));
		free(who);
	}
	json_decref(list);
}

void
report_owes(struct report *rp, const struct record_line *ln)
{
	char *who;

	if (ln->owes == NULL)
		return;
	who = report_who(
	    rp, (int)json_integer_value(json_object_get(ln->owes, "seat")));
	report_more(rp, xalloc_printf("waits until %s agrees", who));
	free(who);
}

void
report_marks(struct report *rp, const struct record_line *ln)
{
	struct past *past = story_past(rp->st);
	int64_t by = past_taken_back(past, ln->seq);
	bool is_objected;

	if (by >= 0)
		report_more(rp,
		    xalloc_printf("(taken back by line %lld)", (long long)by));
	by = past_answer(past, ln->seq, &is_objected);
	if (is_objected)
		report_more(rp,
		    xalloc_printf(
			"(void: objected to in line %lld)", (long long)by));
	switch (past_fate(past, ln->seq, &by)) {
	case PAST_OPEN:
		doc_more(rp->d, "(open)");
		break;
	case PAST_LAPSED:
		doc_more(rp->d, "(lapsed)");
		break;
	default:
		break;
	}
}

char *
report_story(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	const char *why = story_why(rp->c, o);
	const struct past_entry en = {*ln, *o};
	char *line, *s;

	s = describe_line(rp->st, &en);
	if (why == NULL)
		return (s);
	line = xalloc_printf("%s%s \"%s\"", s,
	    json_object_get(o->args, "for") == NULL ? ":" : ", for", why);
	free(s);
	return (line);
}

/* An upkeep order: which unit does what; free(). */
static char *
report_upkeep(const struct order *o, const char *who)
{
	const char *act = json_string_value(json_object_get(o->args, "do"));
	const char *unit = json_string_value(json_object_get(o->args, "unit"));

	return (xalloc_printf("%s orders %s: %s", who,
	    unit == NULL ? "a unit" : unit, act == NULL ? "?" : act));
}

/* A chat: what was said, if it was not erased. */
static void
report_chat(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	bool is_own = json_object_get(o->args, "to") != NULL;
	struct doc_entry en = {.seq = ln->seq, .at_ms = ln->at_ms};
	const char *ref, *text;
	char *account, *who;

	ref = json_string_value(json_object_get(o->args, "ref"));
	text = ref == NULL ? NULL : copy_text(rp->c, ref);
	account = report_author(rp, ln);
	who = xalloc_printf("%s%s", account, is_own ? ", to the own side" : "");
	/* What is not for us is not held, and neither is what was erased. */
	if (text == NULL)
		text = is_own ? "(not held here)" : "(erased)";
	en.who = who;
	en.text = text;
	en.is_raw = true;
	if (rp->wants_gap)
		doc_gap(rp->d);
	rp->wants_gap = false;
	doc_entry(rp->d, &en);
	free(who);
	free(account);
}

/* Draws the dice that a sentence has told. */
static void
report_dice(struct report *rp, const struct record_line *ln)
{
	const json_t *roll;
	size_t i;

	if (json_array_size(ln->events) > 0)
		return;
	json_array_foreach(json_object_get(ln->dice, "rolls"), i, roll)
	    doc_dice(rp->d, json_integer_value(json_object_get(roll, "sides")),
		json_object_get(roll, "dice"));
}

/* An order of the kinds that story.h tells. */
static void
report_told(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	char *line;

	line = report_story(rp, ln, o);
	report_entry(rp, ln, line);
	free(line);
	report_dice(rp, ln);
	report_events(rp, ln->events);
	report_marks(rp, ln);
	report_owes(rp, ln);
}

/* What the other kinds do, in a sentence; free(). */
static char *
report_plain(const struct report *rp, const struct record_line *ln,
    const struct order *o, const char *who)
{
	const char *side = rp->sides[game_side_of(ln->seat)];

	switch (o->kind) {
	case ORDER_CREATE:
		return (xalloc_printf(
		    "%s opens the game, in seat %d (%s)", who, ln->seat, side));
	case ORDER_JOIN:
		return (xalloc_printf(
		    "%s joins, in seat %d (%s)", who, ln->seat, side));
	case ORDER_READY:
		return (xalloc_printf("%s is ready", who));
	case ORDER_TURN_END:
		return (xalloc_printf("%s ends turn %d", who, rp->turn - 1));
	case ORDER_UPKEEP:
		return (report_upkeep(o, who));
	case ORDER_RESIGN:
		return (xalloc_printf("%s resigns%s", who,
		    rp->turn == 0 ? ": the game is cancelled" : ""));
	case ORDER_CLOSE:
		return (xalloc_printf("%s closes the game", who));
	default:
		return (xalloc_printf("%s: %s", who, o->kind_name));
	}
}

void
report_other(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	char *line, *who;

	if (o->kind == ORDER_CHAT) {
		report_chat(rp, ln, o);
		return;
	}
	if (describe_has(o->kind)) {
		report_told(rp, ln, o);
		return;
	}
	who = report_author(rp, ln);
	line = report_plain(rp, ln, o, who);
	report_entry(rp, ln, line);
	if (o->kind == ORDER_CLOSE)
		report_standing(rp, ln, o);
	report_events(rp, ln->events);
	if (!rp->has_turns && rp->turn > 0 &&
	    (o->kind == ORDER_TURN_END ||
		(o->kind == ORDER_READY && ln->has_pool)))
		report_more(rp,
		    xalloc_printf("turn %d: %s", rp->turn,
			rp->sides[rp->turn % 2 == 1 ? 1 : 2]));
	report_owes(rp, ln);
	report_marks(rp, ln);
	free(line);
	free(who);
}

/* What a line of the server says, in words; free(). */
static char *
report_served(const struct record_line *ln)
{
	const json_t *d = ln->data;
	const char *text, *why;
	char *dump, *s;

	why = json_string_value(json_object_get(d, "why"));
	text = json_string_value(json_object_get(d, "text"));
	if (strcmp(ln->what, "closed") == 0 && why != NULL)
		return (xalloc_printf("the server closes the game: %s", why));
	if (strcmp(ln->what, "fault") == 0 && text != NULL)
		return (xalloc_printf("the server's rules failed in line %lld, "
				      "and the game is halted: %s",
		    (long long)json_integer_value(json_object_get(d, "seq")),
		    text));
	dump = xalloc_dump(d);
	s = xalloc_printf("the server, %s: %s", ln->what, dump);
	free(dump);
	return (s);
}

void
report_server(struct report *rp, const struct record_line *ln)
{
	char *s;

	if (rp->is_over)
		doc_combat_end(rp->d);
	s = report_served(ln);
	report_entry(rp, ln, s);
	free(s);
}
