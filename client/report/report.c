/* SPDX-License-Identifier: ISC */
/*
 * Going through a record: which lines are told, in which turn and combat
 * they stand.  What happens in a combat is told by the renderer of the rules
 * library, what happens around it by report_line.c, and how all that looks
 * is the document's.
 */
#include "client/report/report.h"
#include "common/rules/systems/systems.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/play/tell.h"
#include "client/replica/copy.h"
#include "client/replica/people.h"
#include "client/report/describe.h"
#include "client/report/doc.h"
#include "client/report/report_end.h"
#include "client/report/report_int.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_row.h"

#define REPORT_SHORT 8 /* digits of a game's number */

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

char *
report_players(const struct copy *c, int side)
{
	const struct game *g = copy_game(c);
	struct people *people = people_of(c);
	const char *account;
	struct buf b;
	int seat;

	buf_init(&b, 0);
	for (seat = 1; seat <= game_seats(g); seat++) {
		account = game_account(g, seat);
		if (game_side_of(seat) == side && *account != '\0')
			buf_printf(&b, "%s%s", b.len == 0 ? "" : ", ",
			    people_tell(people, account));
	}
	people_free(people);
	return (xalloc_take(&b));
}

struct report *
report_new_doc(struct doc *d, const struct copy *c)
{
	const struct game *g = copy_game(c);
	struct report *rp;
	json_t *view;
	int i;

	rp = xalloc(sizeof(*rp));
	rp->d = d;
	rp->c = c;
	rp->sys = systems_find(game_system(g));
	rp->asked = xalloc_str("");
	rp->owing = ORDER_UNKNOWN;
	rp->headed = -1;
	rp->undone = -1;
	rp->st = story_new(c);
	rp->told = c->n;
	view = xalloc_json(game_view(g));
	for (i = 0; i < 3; i++)
		rp->sides[i] =
		    i == 0 ? xalloc_str("director") : report_side(view, i);
	json_decref(view);
	return (rp);
}

struct report *
report_new(struct out *o, const struct copy *c)
{
	struct report *rp;

	rp = report_new_doc(doc_text_new(o), c);
	rp->has_doc = true;
	return (rp);
}

void
report_want_turns(struct report *rp)
{
	rp->has_turns = true;
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
	if (rp->has_doc)
		doc_free(rp->d);
	free(rp);
}

int
report_combats(const struct report *rp)
{
	return (rp->combat);
}

char *
report_author(const struct report *rp, const struct record_line *ln)
{
	return (xalloc_str(
	    story_called(rp->st, story_account(rp->st, ln->seat, ln->seq))));
}

char *
report_who(const struct report *rp, int seat)
{
	const char *account = game_account(copy_game(rp->c), seat);

	return (xalloc_str(
	    *account == '\0' ? "nobody yet" : story_called(rp->st, account)));
}

/* The result of a combat, as it is collected. */
struct report_outcome {
	json_t *list; /* borrowed */
	bool is_in; /* the word before it was there */
};

/* When the first line was written. */
static int64_t
report_begun(const struct report *rp)
{
	struct record_line ln;
	struct errinfo e;
	const char *line;
	int64_t at_ms = game_at_ms(copy_game(rp->c));
	size_t len;

	line = copy_get(rp->c, 0, &len);
	if (record_parse(line, len, &ln, &e) == 0) {
		at_ms = ln.at_ms;
		record_clear(&ln);
	}
	return (at_ms);
}

void
report_heading(struct report *rp, const char *name)
{
	struct doc_title t = {.name = name};
	const struct game *g = copy_game(rp->c);
	char *event, *result, *who[2], hex[2 * HASH_LEN + 1];
	json_t *args, *view;
	int i;

	/* What is published calls the game by its number, as everybody may. */
	hex_format(hex, game_id(g), HASH_LEN);
	hex[REPORT_SHORT] = '\0';
	if (doc_is_whole(rp->d))
		t.name = hex;
	view = xalloc_json(game_view(g));
	t.result = result = report_end_result(view, NULL);
	json_decref(view);
	t.system = game_system(g);
	t.rules = rp->sys == NULL ? t.system : rp->sys->name;
	args = copy_create_args(rp->c);
	t.event = event = tell_event_words(args);
	json_decref(args);
	for (i = 0; i < 2; i++) {
		who[i] = report_players(rp->c, i + 1);
		t.sides[i] = rp->sides[i + 1];
		t.players[i] = *who[i] == '\0' ? "nobody yet" : who[i];
	}
	t.director = story_called(rp->st, game_account(g, 0));
	t.to_ms = game_at_ms(g);
	t.from_ms = report_begun(rp);
	doc_title(rp->d, &t);
	for (i = 0; i < 2; i++)
		free(who[i]);
	free(result);
	free(event);
}

/* Gives a row to the document. */
static void
report_row_cb(void *arg, const struct render_row *row)
{
	struct report *rp = arg;

	doc_row(rp->d, row);
}

/* Follows a row that is not told. */
static void
report_follow_cb(void *arg, const struct render_row *row)
{
	(void)arg;
	(void)row;
}

/* Runs events through the renderer. */
static void
report_render(struct report *rp, const json_t *events, bool is_told)
{
	struct render_sink sink = {.arg = rp};
	const json_t *v;
	size_t i;

	if (rp->rd == NULL) {
		if ((rp->rd = render_new(rp->sys)) == NULL)
			(void)xalloc_json(NULL);
		/* Readers type no commands. */
		if (doc_is_whole(rp->d))
			render_hide_ids(rp->rd);
	}
	sink.row_cb = is_told ? report_row_cb : report_follow_cb;
	json_array_foreach(events, i, v) render_rows(rp->rd, v, &sink);
	if (sink.error != 0)
		(void)xalloc_json(NULL);
}

void
report_events(struct report *rp, const json_t *events)
{
	struct render_row row = {.kind = RENDER_ROW_TEXT};
	const json_t *v;
	size_t i;
	char *s;

	if (rp->sys != NULL) {
		report_render(rp, events, true);
		return;
	}
	json_array_foreach(events, i, v)
	{
		s = xalloc_dump(v);
		row.text = row.rest = s;
		row.lead = "";
		doc_row(rp->d, &row);
		free(s);
	}
}

/* Follows events that are not told, for the names of units. */
static void
report_follow(struct report *rp, const json_t *events)
{
	if (rp->sys != NULL && json_array_size(events) > 0)
		report_render(rp, events, false);
}

bool
report_is_combat(enum order_kind kind)
{
	return (kind == ORDER_DECLARE || kind == ORDER_DECIDE ||
	    kind == ORDER_COMMIT || kind == ORDER_OPEN);
}

bool
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

/* Notes the question that a combat's line ends with, or that it is over. */
static void
report_note(struct report *rp, const json_t *events)
{
	const char *e, *kind;
	const json_t *v;
	size_t i;

	json_array_foreach(events, i, v)
	{
		e = json_string_value(json_object_get(v, "e"));
		kind = json_string_value(json_object_get(v, "kind"));
		if (e != NULL && strcmp(e, "result") == 0)
			rp->is_over = true;
		if (e == NULL || strcmp(e, "ask") != 0 || kind == NULL)
			continue;
		free(rp->asked);
		rp->asked = out_safe(kind);
	}
}

/* What a combat's order does: "anna declares"; free(). */
static char *
report_verb(
    const struct report *rp, const struct record_line *ln, enum order_kind kind)
{
	const char *colon = *rp->asked == '\0' ? "" : ": ";
	char *s, *who;

	who = report_author(rp, ln);
	switch (kind) {
	case ORDER_DECLARE:
		s = xalloc_printf("%s declares", who);
		break;
	case ORDER_COMMIT:
		s = xalloc_printf(
		    "%s commits to a secret choice%s%s", who, colon, rp->asked);
		break;
	case ORDER_OPEN:
		s = xalloc_printf(
		    "%s opens the secret choice%s%s", who, colon, rp->asked);
		break;
	default:
		s = xalloc_printf("%s decides", who);
		break;
	}
	free(who);
	return (s);
}

/* Collects the sentences below a result. */
static void
report_outcome_cb(void *arg, const struct render_row *row)
{
	struct report_outcome *oc = arg;

	if (row->kind == RENDER_ROW_RESULT)
		oc->is_in = true;
	else if (row->kind == RENDER_ROW_TEXT && oc->is_in)
		xalloc_append(oc->list, xalloc_json_str(row->text));
}

/*
 * How the combat that line seq declares ended, an array of sentences, empty
 * if it has not ended; new.  It is run through a renderer of its own, since
 * its lines have yet to be told.
 */
static json_t *
report_outcome(const struct report *rp, int64_t seq)
{
	struct report_outcome oc = {xalloc_json(json_array()), false};
	struct render_sink sink = {.row_cb = report_outcome_cb, .arg = &oc};
	struct record_line ln;
	struct render *rd;
	struct errinfo e;
	const char *line;
	const json_t *v;
	size_t i, len;

	if (rp->sys == NULL)
		return (oc.list);
	if ((rd = render_new(rp->sys)) == NULL)
		(void)xalloc_json(NULL);
	for (; seq < rp->c->n && !oc.is_in; seq++) {
		line = copy_get(rp->c, seq, &len);
		if (record_parse(line, len, &ln, &e) != 0)
			continue;
		json_array_foreach(ln.events, i, v) render_rows(rd, v, &sink);
		record_clear(&ln);
		/* Another one begins only when this has ended. */
		if (seq + 1 < rp->c->n &&
		    past_kind(story_past(rp->st), seq + 1) == ORDER_DECLARE)
			break;
	}
	render_free(rd);
	return (oc.list);
}

/* Tells the heading of a combat that line ln declares. */
static void
report_head(struct report *rp, const struct record_line *ln)
{
	struct doc_head head = {.n = rp->combat};
	const char *side = rp->sides[game_side_of(ln->seat)];
	json_t *outcome = NULL;
	char *line;

	/* Below the heading of its turn the turn needs no saying. */
	if (rp->has_turns && doc_is_whole(rp->d))
		line = xalloc_printf("Combat %d: %s attack", rp->combat, side);
	else
		line = xalloc_printf("Combat %d, turn %d: %s attack",
		    rp->combat, rp->turn, side);
	head.undone = rp->undone = past_taken_back(story_past(rp->st), ln->seq);
	if (doc_is_whole(rp->d) && head.undone < 0)
		outcome = report_outcome(rp, ln->seq);
	head.text = line;
	head.outcome = outcome;
	doc_combat(rp->d, &head);
	json_decref(outcome);
	free(line);
}

/* Tells the heading and first line of a combat's line. */
static void
report_begin(
    struct report *rp, const struct record_line *ln, const struct order *o)
{
	const struct doc_head more = {.n = rp->combat, .undone = rp->undone};
	char *line;

	rp->wants_gap = false;
	if (o->kind == ORDER_DECLARE)
		report_head(rp, ln);
	else
		doc_combat_more(rp->d, &more);
	if (report_is_combat(o->kind))
		line = report_verb(rp, ln, o->kind);
	else
		line = report_story(rp, ln, o);
	report_entry(rp, ln, line);
	free(line);
}

/* A combat's line: declare, decide, commit or open, answer, claim. */
static void
report_combat(struct report *rp, const struct record_line *ln,
    const struct order *o, bool is_told)
{
	if (o->kind == ORDER_DECLARE) {
		rp->combat++;
		rp->is_over = false;
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
	report_note(rp, ln->events);
	rp->wants_gap = is_told;
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

/* Begins the turn of the next line, if it is another. */
static void
report_turn(struct report *rp)
{
	char *s;

	if (!rp->has_turns || rp->turn == rp->headed)
		return;
	doc_combat_end(rp->d);
	if (rp->turn > 0) {
		s = xalloc_printf("Turn %d%s: %s", rp->turn,
		    rp->turn <= rp->most_headed ? ", again" : "",
		    rp->sides[rp->turn % 2 == 1 ? 1 : 2]);
		doc_turn(rp->d, s);
		free(s);
		rp->wants_gap = false;
	} else if (doc_is_whole(rp->d)) {
		doc_turn(rp->d, "Before the first turn");
	}
	rp->headed = rp->turn;
	if (rp->most_headed < rp->turn)
		rp->most_headed = rp->turn;
}

/* Tells one order. */
static void
report_order(struct report *rp, const struct record_line *ln,
    const struct order *o, bool is_told)
{
	if (report_is_fought(rp, ln, o)) {
		report_combat(rp, ln, o, is_told);
	} else if (is_told) {
		if (rp->is_over)
			doc_combat_end(rp->d);
		report_other(rp, ln, o);
	}
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
	if (is_wanted && list == NULL && (has_order || ln->what != NULL))
		report_turn(rp);
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
