/* SPDX-License-Identifier: ISC */
/*
 * Going through a record: which lines are told, in which turn and combat
 * they stand.  What happens in a combat is told by the renderer of the rules
 * library, what happens around it by report_line.c, and how all that looks
 * is the document's.
 */
#include "client/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/doc.h"
#include "client/report/report_end.h"
#include "client/report/report_int.h"
#include "client/report/report_sheet.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/scene.h"
#include "common/rules/systems/systems.h"

#define REPORT_SHORT 8 /* digits of a game's number */

struct report *
report_new_doc(struct doc *d, const struct battle *b)
{
	const struct game *g = battle_game(b);
	struct report *rp;

	rp = xalloc(sizeof(*rp));
	rp->d = d;
	rp->b = b;
	rp->sys = systems_find(game_system(g));
	rp->asked = xalloc_str("");
	rp->headed = -1;
	rp->odds_left = REPORT_SHEET_ODDS_ALL;
	rp->sides[0] = xalloc_str("director");
	rp->sides[1] = battle_side(g, 1);
	rp->sides[2] = battle_side(g, 2);
	return (rp);
}

struct report *
report_new(struct out *o, const struct battle *b)
{
	struct report *rp;

	rp = report_new_doc(doc_text_new(o), b);
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
	free(rp->fate);
	render_free(rp->rd);
	if (rp->has_doc)
		rp->d->free(rp->d);
	free(rp);
}

void
report_keep_sheets(struct report *rp, struct report_sheets *ss)
{
	rp->sheets = ss;
}

void
report_go(struct report *rp, int64_t seq, int turn, int combats)
{
	rp->next = seq;
	rp->turn = turn;
	rp->combat = combats;
	rp->is_over = false;
	rp->undone = -1;
}

int
report_combats(const struct report *rp)
{
	return (rp->combat);
}

void
report_heading(struct report *rp, const char *name)
{
	struct doc_title t = {.name = name};
	const struct game *g = battle_game(rp->b);
	char *event, *result, *who[2], hex[2 * HASH_LEN + 1];
	struct battle_line first;
	int i;

	/* A published document names the game by its number, as anyone can. */
	hex_format(hex, game_id(g), HASH_LEN);
	hex[REPORT_SHORT] = '\0';
	if (rp->d->is_whole)
		t.name = hex;
	t.result = result = report_end_result(game_phase(g), game_how(g),
	    game_winner(g) == 0 ? NULL : rp->sides[game_winner(g)]);
	t.system = game_system(g);
	t.rules = rp->sys == NULL ? t.system : rp->sys->name;
	t.to_ms = t.from_ms = game_at_ms(g);
	(void)battle_read(rp->b, 0, &first); /* then it says nothing */
	if (first.o.args != NULL)
		t.from_ms = first.ln.at_ms;
	t.event = event = describe_event(first.o.args);
	battle_clear(&first);
	for (i = 0; i < 2; i++) {
		who[i] = battle_players(rp->b, i + 1);
		t.sides[i] = rp->sides[i + 1];
		t.players[i] = *who[i] == '\0' ? "nobody yet" : who[i];
	}
	t.director = rp->b->called(rp->b->arg, game_account(g, 0));
	rp->d->title(rp->d, &t);
	for (i = 0; i < 2; i++)
		free(who[i]);
	free(result);
	free(event);
}

/*
 * The events of the combat that line seq declares, up to its result or as far
 * as it went, an array; new.  Its lines have yet to be told.
 */
static json_t *
report_ahead(const struct report *rp, int64_t seq)
{
	json_t *events = xalloc_json(json_array()), *v;
	const int64_t n = battle_lines(rp->b);
	struct battle_line bl;
	bool is_over = false;
	const char *e;
	size_t i;

	for (; seq < n && !is_over; seq++) {
		if (!battle_read(rp->b, seq, &bl))
			continue;
		json_array_foreach(bl.ln.events, i, v)
		{
			e = js_str(v, "e");
			is_over =
			    is_over || (e != NULL && strcmp(e, "result") == 0);
			xalloc_append(events, json_incref(v));
		}
		battle_clear(&bl);
		/* Another one begins only when this has ended. */
		if (battle_entry(rp->b, seq + 1)->kind == ORDER_DECLARE)
			break;
	}
	return (events);
}

/* Tells the heading of a combat that line ln declares. */
static void
report_head(struct report *rp, const struct record_line *ln)
{
	struct doc_head head = {.n = rp->combat};
	const char *side = rp->sides[game_side_of(ln->seat)];
	struct report_sheet *made = NULL;
	const struct report_sheet *sheet = NULL;
	struct scene *scene = NULL;
	json_t *events;
	char *line;

	/* Below the heading of its turn the turn needs no saying. */
	if (rp->has_turns && rp->d->is_whole)
		line = xalloc_printf("Combat %d: %s attack", rp->combat, side);
	else
		line = xalloc_printf("Combat %d, turn %d: %s attack",
		    rp->combat, rp->turn, side);
	free(rp->fate);
	head.fate = rp->fate = report_fate(battle_entry(rp->b, ln->seq));
	if (rp->d->is_whole && head.fate == NULL && rp->sys != NULL) {
		events = report_ahead(rp, ln->seq);
		if (scene_make(rp->sys, game_roster(battle_game(rp->b)), events,
			&scene) != 0)
			xalloc_die();
		json_decref(events);
	}
	if (head.fate == NULL && rp->sheets != NULL)
		sheet = report_sheets_get(rp->sheets, rp->b, rp->sys, ln->seq);
	else if (head.fate == NULL)
		sheet = made = report_sheet_new(
		    rp->b, rp->sys, ln->seq, REPORT_SHEET_ODDS, &rp->odds_left);
	head.text = line;
	head.outcome = sheet == NULL ? "" : report_sheet_outcome(sheet);
	head.scene = scene;
	rp->d->combat(rp->d, &head);
	scene_free(scene);
	if (sheet != NULL) {
		report_sheet_tell(sheet, rp->d);
		rp->d->gap(rp->d);
	}
	report_sheet_free(made);
	free(line);
}

/* What a combat's line does: "anna declares"; free(). */
static char *
report_verb(const struct report *rp, const struct battle_line *bl)
{
	const char *colon = *rp->asked == '\0' ? "" : ": ", *who;

	who = rp->b->called(
	    rp->b->arg, battle_account(rp->b, bl->ln.seat, bl->ln.seq));
	switch (bl->o.kind) {
	case ORDER_DECLARE:
		return (xalloc_printf("%s declares", who));
	case ORDER_DECIDE:
		return (xalloc_printf("%s decides", who));
	case ORDER_COMMIT:
		return (xalloc_printf("%s commits to a secret choice%s%s", who,
		    colon, rp->asked));
	case ORDER_OPEN:
		return (xalloc_printf(
		    "%s opens the secret choice%s%s", who, colon, rp->asked));
	default:
		return (report_sentence(rp, bl));
	}
}

/* A combat's line: declare, decide, commit or open, answer, claim. */
static void
report_combat(struct report *rp, const struct battle_line *bl, bool is_told)
{
	struct doc_head more;
	const char *e, *kind;
	const json_t *v;
	char *line;
	size_t i;

	if (bl->o.kind == ORDER_DECLARE) {
		rp->combat++;
		rp->is_over = false;
		rp->undone = battle_entry(rp->b, bl->ln.seq)->taken_back;
		render_free(rp->rd);
		rp->rd = NULL;
	}
	if (is_told) {
		rp->wants_gap = false;
		more = (struct doc_head){
		    .n = rp->combat, .fate = rp->fate, .outcome = ""};
		if (bl->o.kind == ORDER_DECLARE)
			report_head(rp, &bl->ln);
		else
			rp->d->combat_more(rp->d, &more);
		line = report_verb(rp, bl);
		report_entry(rp, &bl->ln, line);
		free(line);
		report_marks(rp, bl->ln.seq);
		report_standing(rp, bl);
		report_events(rp, bl->ln.events, true);
		report_owes(rp, &bl->ln);
	} else {
		/* For the names of units. */
		report_events(rp, bl->ln.events, false);
	}
	json_array_foreach(bl->ln.events, i, v)
	{
		e = js_str(v, "e");
		kind = js_str(v, "kind");
		if (e != NULL && strcmp(e, "result") == 0)
			rp->is_over = true;
		if (e == NULL || strcmp(e, "ask") != 0 || kind == NULL)
			continue;
		free(rp->asked);
		rp->asked = text_safe(kind);
	}
	rp->wants_gap = is_told;
}

/* Begins the turn of the next line, if it is another. */
static void
report_turn(struct report *rp)
{
	char *s;

	if (!rp->has_turns || rp->turn == rp->headed)
		return;
	rp->d->combat_end(rp->d);
	if (rp->turn > 0) {
		s = xalloc_printf("Turn %d%s: %s", rp->turn,
		    rp->turn <= rp->most_headed ? ", again" : "",
		    rp->sides[rp->turn % 2 == 1 ? 1 : 2]);
		rp->d->turn(rp->d, s);
		free(s);
		rp->wants_gap = false;
	} else if (rp->d->is_whole) {
		rp->d->turn(rp->d, "Before the first turn");
	}
	rp->headed = rp->turn;
	if (rp->most_headed < rp->turn)
		rp->most_headed = rp->turn;
}

/* Tells or follows one line. */
static void
report_one(struct report *rp, const struct record_line *ln, bool is_wanted,
    int combat, json_t *list)
{
	const struct game_entry *en = battle_entry(rp->b, ln->seq);
	struct battle_line bl = {.ln = *ln};
	bool has_order, is_other, is_told;
	struct errinfo e;

	has_order = ln->kind == RECORD_ORDER &&
	    order_parse(ln->text, ln->text_len, &bl.o, &e) == 0;
	is_other = ln->kind == RECORD_SERVER || ln->kind == RECORD_KEY;
	/* The number that this line's combat will have. */
	if (combat != 0 &&
	    (en->combat < 0 ||
		combat != rp->combat + (en->kind == ORDER_DECLARE ? 1 : 0)))
		is_wanted = false;
	is_told = is_wanted && list == NULL;
	if (is_told && (has_order || is_other))
		report_turn(rp);
	rp->turn = en->turn;
	if (has_order && en->combat >= 0) {
		report_combat(rp, &bl, is_told);
	} else if (is_told && (has_order || is_other)) {
		/* Nor is what took it back a part of it. */
		if (rp->is_over || (rp->undone >= 0 && ln->seq >= rp->undone))
			rp->d->combat_end(rp->d);
		if (has_order)
			report_other(rp, &bl);
		else if (ln->kind == RECORD_KEY)
			report_key(rp, ln);
		else
			report_server(rp, ln);
	}
	if (is_wanted && list != NULL)
		xalloc_append(
		    list, report_json(rp, ln, has_order ? &bl.o : NULL));
	if (has_order)
		order_clear(&bl.o);
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
		line = rp->b->line(rp->b->arg, rp->next, &len);
		/* A line of a newer format has nothing to tell here. */
		if (line == NULL || record_parse(line, len, &ln, &e) != 0)
			continue;
		report_one(rp, &ln, rp->next >= from, combat, list);
		record_clear(&ln);
	}
}
