/* SPDX-License-Identifier: ISC */
/* Lines of a record as JSON for programs. */
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/replica/copy.h"
#include "client/report/describe.h"
#include "client/report/report_int.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

/* Appends {"seat","decision"} of a choice that was opened. */
static void
report_json_choice(json_t *list, int seat, const json_t *from)
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
report_json_standing(json_t *list, int seat, const json_t *from)
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

json_t *
report_opened(const struct record_line *ln, const struct order *o)
{
	const json_t *v;
	json_t *list;
	size_t i;
	int seat;

	list = xalloc_json(json_array());
	if (o->kind == ORDER_OPEN)
		report_json_choice(list, ln->seat, o->args);
	json_array_foreach(ln->opened, i, v)
	{
		seat = (int)json_integer_value(json_object_get(v, "seat"));
		/* The second commit opens two choices, and they are first. */
		if (o->kind == ORDER_COMMIT && i < 2)
			report_json_choice(list, seat, v);
		else
			report_json_standing(list, seat, v);
	}
	return (list);
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

	if (describe_has(o->kind)) {
		args = xalloc_copy(o->args);
		/* The text itself is told, not its hash. */
		for (i = 0; refs[i] != NULL; i++)
			(void)json_object_del(args, refs[i]);
		xalloc_set(v, "args", args);
		xalloc_set(
		    v, "why", why == NULL ? json_null() : xalloc_json_str(why));
	}
	if (*(fate = describe_fate(rp->st, ln->seq, &by)) != '\0') {
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

json_t *
report_json(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	char at[CLOCK_AT_LEN + 1];
	const char *account, *ref, *text;
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
	account = story_account(rp->st, ln->seat, ln->seq);
	xalloc_set(v, "account", json_string(account));
	if (story_name(rp->st, account) != NULL)
		xalloc_set(
		    v, "display", xalloc_json_str(story_name(rp->st, account)));
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
