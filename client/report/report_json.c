/* SPDX-License-Identifier: ISC */
/* Lines of a record as JSON for programs. */
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/report_int.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"

/* Appends {"seat", WHAT} of a choice or a standing order that was opened. */
static void
report_json_opened(json_t *list, int seat, const char *what, const json_t *from)
{
	const char *text = js_str(from, "text");
	json_t *said;

	if (text == NULL ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &said, NULL) != 0)
		return;
	xalloc_append(list, json_pack("{s:i, s:o}", "seat", seat, what, said));
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
		report_json_opened(list, ln->seat, "decision", o->args);
	json_array_foreach(ln->opened, i, v)
	{
		seat = (int)js_int(v, "seat");
		/* The second commit opens two choices, and they are first. */
		report_json_opened(list, seat,
		    o->kind == ORDER_COMMIT && i < 2 ? "decision" : "standing",
		    v);
	}
	return (list);
}

/* Adds what became of a line that others answer, and by which line. */
static void
report_json_fate(json_t *v, const struct game_entry *en)
{
	const char *fate = describe_fate(en->fate);

	if (*fate == '\0')
		return;
	xalloc_set(v, "fate", json_string(fate));
	xalloc_set(
	    v, "by", en->fate_by < 0 ? json_null() : json_integer(en->fate_by));
}

/* Adds when an order or a statement was signed, by its author's clock. */
static void
report_json_now(
    json_t *v, const struct record_line *ln, const struct game_entry *en)
{
	char now[CLOCK_AT_LEN + 1];
	bool has_now = en->has_now;
	int64_t now_ms = en->now_ms;
	struct statement s;

	if (ln->kind == RECORD_KEY &&
	    statement_parse(ln->text, ln->text_len, &s, NULL) == 0) {
		has_now = true;
		now_ms = s.now_ms;
		statement_clear(&s);
	}
	if (!has_now)
		return;
	clock_format(now, now_ms);
	xalloc_set(v, "now", json_string(now));
}

/* A line of the server; new. */
static json_t *
report_json_server(const struct report *rp, const struct record_line *ln,
    const char *at, const struct game_entry *en)
{
	json_t *v;

	v = xalloc_json(json_pack("{s:I, s:s, s:s, s:s, s:O}", "seq",
	    (json_int_t)ln->seq, "at", at, "kind", "server", "what", ln->what,
	    "data", ln->data));
	if (en->given >= 0) {
		xalloc_set(v, "seat", json_integer(en->given));
		xalloc_set(v, "account", xalloc_json_str(en->account));
		xalloc_set(v, "former",
		    xalloc_json_str(battle_account(rp->b, en->given, ln->seq)));
	}
	report_json_fate(v, en);
	return (v);
}

json_t *
report_json(const struct report *rp, const struct record_line *ln,
    const struct order *o)
{
	/* In the order of enum battle_lack. */
	static const char *const lacks[] = {"unknown", "erased", "lost"};
	const struct game_entry *en = battle_entry(rp->b, ln->seq);
	const char *account, *name, *ref, *text;
	char at[CLOCK_AT_LEN + 1];
	json_t *args, *v;

	clock_format(at, ln->at_ms);
	if (ln->kind == RECORD_SERVER)
		return (report_json_server(rp, ln, at, en));
	account = battle_account(rp->b, ln->seat, ln->seq);
	v = xalloc_json(
	    json_pack("{s:I, s:s, s:s, s:i, s:s}", "seq", (json_int_t)ln->seq,
		"at", at, "kind", o == NULL ? "key" : o->kind_name, "seat",
		ln->seat, "account", account));
	if ((name = rp->b->name(rp->b->arg, account)) != NULL)
		xalloc_set(v, "display", xalloc_json_str(name));
	xalloc_set(v, "turn", json_integer(rp->turn));
	report_json_now(v, ln, en);
	if (o == NULL)
		return (v);
	if (en->combat >= 0)
		xalloc_set(v, "combat", json_integer(rp->combat));
	if (o->kind == ORDER_OPEN || ln->opened != NULL)
		xalloc_set(v, "opened", report_opened(ln, o));
	if (o->kind == ORDER_UPKEEP)
		xalloc_set(v, "args", xalloc_copy(o->args));
	if (o->kind == ORDER_CHAT) {
		ref = js_str(o->args, "ref");
		text = ref == NULL ? NULL : rp->b->text(rp->b->arg, ref);
		xalloc_set(
		    v, "text", text == NULL ? json_null() : json_string(text));
		if (json_object_get(o->args, "to") != NULL)
			xalloc_set(v, "to",
			    xalloc_copy(json_object_get(o->args, "to")));
	}
	if (describe_has(o->kind)) {
		args = xalloc_copy(o->args);
		/* The text itself is shown, not its hash. */
		(void)json_object_del(args, "why");
		(void)json_object_del(args, "for");
		xalloc_set(v, "args", args);
		ref = battle_why_ref(o);
		text = ref == NULL ? NULL : rp->b->text(rp->b->arg, ref);
		xalloc_set(v, "why",
		    text == NULL ? json_null() : xalloc_json_str(text));
	}
	/* Whoever wants words erased names them so. */
	ref = order_kind_row(o->kind)->text;
	ref = ref == NULL ? NULL : js_str(o->args, ref);
	if (ref != NULL)
		xalloc_set(v, "ref", json_string(ref));
	if (ref != NULL && rp->b->text(rp->b->arg, ref) == NULL)
		xalloc_set(v, "lacks",
		    json_string(lacks[rp->b->lack(rp->b->arg, ref)]));
	report_json_fate(v, en);
	if (o->kind == ORDER_CLAIM) {
		xalloc_set(v, "effective",
		    json_boolean(en->claimed > GAME_CLAIMED_NOTICE));
		xalloc_set(v, "notice",
		    json_boolean(en->claimed == GAME_CLAIMED_NOTICE));
	}
	if (ln->owes != NULL)
		xalloc_set(
		    v, "owes", xalloc_copy(json_object_get(ln->owes, "seat")));
	if (en->taken_back >= 0)
		xalloc_set(v, "taken_back", json_integer(en->taken_back));
	if (en->fate == GAME_FATE_OBJECTED)
		xalloc_set(v, "objected", json_integer(en->fate_by));
	if (ln->dice != NULL)
		xalloc_set(v, "dice", xalloc_copy(ln->dice));
	xalloc_set(v, "events",
	    ln->events == NULL ? json_array() : xalloc_copy(ln->events));
	return (v);
}
