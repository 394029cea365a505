/* SPDX-License-Identifier: ISC */
/* Lines into sentences: what happens around combats. */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/doc.h"
#include "client/report/report_int.h"
#include "client/report/stated.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "common/rules/show/render.h"

/* Gives a row to the document. */
static void
report_row_cb(void *arg, const struct render_row *row)
{
	struct report *rp = arg;

	rp->d->row(rp->d, row);
}

/* Follows a row that is not told. */
static void
report_follow_cb(void *arg, const struct render_row *row)
{
	(void)arg;
	(void)row;
}

/* The renderer of the combat that is told, or of what is between combats. */
static struct render *
report_renderer(struct report *rp)
{
	if (rp->rd != NULL)
		return (rp->rd);
	if ((rp->rd = render_new(rp->sys)) == NULL)
		xalloc_die();
	render_know(rp->rd, game_roster(battle_game(rp->b)));
	/* Readers do not type commands. */
	if (rp->d->is_whole)
		render_hide_ids(rp->rd);
	return (rp->rd);
}

void
report_events(struct report *rp, const json_t *events, bool is_told)
{
	struct render_row row = {.kind = RENDER_ROW_TEXT, .lead = ""};
	struct render_sink sink = {.arg = rp};
	const json_t *v;
	size_t i;
	char *s;

	if (rp->sys == NULL) {
		for (i = 0; is_told && i < json_array_size(events); i++) {
			s = xalloc_dump(json_array_get(events, i));
			row.text = row.rest = s;
			rp->d->row(rp->d, &row);
			free(s);
		}
		return;
	}
	(void)report_renderer(rp);
	sink.row_cb = is_told ? report_row_cb : report_follow_cb;
	json_array_foreach(events, i, v) render_rows(rp->rd, v, &sink);
	if (sink.error != 0)
		xalloc_die();
}

/* Tells an entry, after the empty line that it wants. */
static void
report_put(
    struct report *rp, struct doc_entry *en, const struct record_line *ln)
{
	const struct game_entry *was = battle_entry(rp->b, ln->seq);

	en->seq = ln->seq;
	en->at_ms = ln->at_ms;
	en->has_now = was->has_now;
	en->now_ms = was->now_ms;
	if (rp->wants_gap)
		rp->d->gap(rp->d);
	rp->wants_gap = false;
	rp->d->entry(rp->d, en);
}

void
report_entry(struct report *rp, const struct record_line *ln, const char *text)
{
	struct doc_entry en = {.text = text};

	const struct game_entry *was = battle_entry(rp->b, ln->seq);

	en.is_undone = was->taken_back >= 0 || was->fate == GAME_FATE_OBJECTED;
	report_put(rp, &en, ln);
}

/* Tells a further sentence, and frees it. */
static void
report_more(struct report *rp, char *text)
{
	rp->d->more(rp->d, text);
	free(text);
}

/* Who sits in a seat that a line names, for people; borrowed. */
static const char *
report_who(const struct report *rp, const json_t *seat)
{
	const char *account;

	account =
	    game_account(battle_game(rp->b), (int)json_integer_value(seat));
	return (*account == '\0' ? "nobody yet"
				 : rp->b->called(rp->b->arg, account));
}

void
report_standing(struct report *rp, const struct battle_line *bl)
{
	const char *kind, *word;
	const json_t *said;
	json_t *list, *v;
	size_t i;

	list = report_opened(&bl->ln, &bl->o);
	json_array_foreach(list, i, v)
	{
		if ((said = json_object_get(v, "standing")) == NULL)
			continue;
		kind = js_str(said, "kind");
		word = js_str(said, "do");
		report_more(rp,
		    xalloc_printf("standing order of %s%s: %s %s",
			report_who(rp, json_object_get(v, "seat")),
			bl->o.kind == ORDER_CLOSE ? ", which never acted" : "",
			kind == NULL ? "?" : kind, word == NULL ? "?" : word));
	}
	json_decref(list);
}

void
report_owes(struct report *rp, const struct record_line *ln)
{
	if (ln->owes != NULL &&
	    battle_entry(rp->b, ln->seq)->fate == GAME_FATE_WAITING)
		report_more(rp,
		    xalloc_printf("waits until %s agrees",
			report_who(rp, json_object_get(ln->owes, "seat"))));
}

char *
report_fate(const struct game_entry *en)
{
	if (en->taken_back >= 0)
		return (xalloc_printf(
		    "taken back by line %lld", (long long)en->taken_back));
	if (en->fate == GAME_FATE_OBJECTED)
		return (xalloc_printf(
		    "void: objected to in line %lld", (long long)en->fate_by));
	return (NULL);
}

void
report_marks(struct report *rp, int64_t seq)
{
	const struct game_entry *en = battle_entry(rp->b, seq);

	char *fate = report_fate(en);

	if (fate != NULL)
		report_more(rp, xalloc_printf("(%s)", fate));
	free(fate);
	if (en->fate == GAME_FATE_OPEN || en->fate == GAME_FATE_LAPSED)
		report_more(rp, xalloc_printf("(%s)", describe_fate(en->fate)));
}

char *
report_sentence(const struct report *rp, const struct battle_line *bl)
{
	const char *why = battle_why(rp->b, &bl->o);
	char *line, *s;

	s = describe_line(rp->b, bl);
	if (why == NULL)
		return (s);
	line = xalloc_printf("%s%s \"%s\"", s,
	    json_object_get(bl->o.args, "for") == NULL ? ":" : ", for", why);
	free(s);
	return (line);
}

/* A chat: what was said, or why that is not here. */
static void
report_chat(
    struct report *rp, const struct battle_line *bl, const char *account)
{
	bool is_own = json_object_get(bl->o.args, "to") != NULL;
	struct doc_entry en = {.is_raw = true};
	const char *ref;
	char *who;

	ref = js_str(bl->o.args, "ref");
	en.text = ref == NULL ? NULL : rp->b->text(rp->b->arg, ref);
	if (en.text == NULL)
		en.text = battle_lack_words(rp->b, ref == NULL ? "" : ref);
	who =
	    xalloc_printf("%s%s", account, is_own ? ", to their own side" : "");
	en.who = who;
	report_put(rp, &en, &bl->ln);
	free(who);
}

/* What an order does, in a sentence; free(). */
static char *
report_plain(struct report *rp, const struct battle_line *bl, const char *who)
{
	const char *side = rp->sides[game_side_of(bl->ln.seat)];
	const char *act, *unit;
	int round;

	switch (bl->o.kind) {
	case ORDER_CREATE:
		return (xalloc_printf("%s opens the game, in seat %d (%s)", who,
		    bl->ln.seat, side));
	case ORDER_JOIN:
		if (bl->ln.seat == GAME_WITNESS)
			return (xalloc_printf("%s joins as the witness", who));
		return (xalloc_printf(
		    "%s joins, in seat %d (%s)", who, bl->ln.seat, side));
	case ORDER_READY:
		return (xalloc_printf("%s is ready", who));
	case ORDER_TURN_END:
		round = battle_entry(rp->b, bl->ln.seq)->ends_round;
		if (round > 0)
			return (xalloc_printf(
			    "%s ends turn %d and round %d: neither side acted",
			    who, rp->turn - 1, round));
		return (xalloc_printf("%s ends turn %d%s", who, rp->turn - 1,
		    battle_entry(rp->b, bl->ln.seq)->has_passed ? " and passes"
								: ""));
	case ORDER_UPKEEP:
		act = js_str(bl->o.args, "do");
		unit = js_str(bl->o.args, "unit");
		if (unit != NULL && rp->sys != NULL)
			unit = render_name(report_renderer(rp), unit);
		return (xalloc_printf("%s orders %s: %s", who,
		    unit == NULL ? "a unit" : unit, act == NULL ? "?" : act));
	case ORDER_RESIGN:
		return (xalloc_printf("%s resigns%s", who,
		    rp->turn == 0 ? ": the game is cancelled" : ""));
	case ORDER_CLOSE:
		return (xalloc_printf("%s closes the game", who));
	default:
		return (describe_has(bl->o.kind)
			? report_sentence(rp, bl)
			: xalloc_printf("%s: %s", who, bl->o.kind_name));
	}
}

void
report_other(struct report *rp, const struct battle_line *bl)
{
	const enum order_kind kind = bl->o.kind;
	const struct record_line *ln = &bl->ln;
	const bool is_described = describe_has(kind);
	const json_t *roll;
	const char *who;
	char *line;
	size_t i;

	who =
	    rp->b->called(rp->b->arg, battle_account(rp->b, ln->seat, ln->seq));
	if (kind == ORDER_CHAT) {
		report_chat(rp, bl, who);
		return;
	}
	line = report_plain(rp, bl, who);
	report_entry(rp, ln, line);
	free(line);
	/* The sentence has told the dice of its own. */
	if (is_described && json_array_size(ln->events) == 0)
		json_array_foreach(json_object_get(ln->dice, "rolls"), i, roll)
		    rp->d->dice(rp->d, js_int(roll, "sides"),
			json_object_get(roll, "dice"));
	if (kind == ORDER_CLOSE)
		report_standing(rp, bl);
	report_events(rp, ln->events, true);
	if (is_described)
		report_marks(rp, ln->seq);
	if (!rp->has_turns && rp->turn > 0 &&
	    (kind == ORDER_TURN_END || (kind == ORDER_READY && ln->has_pool)))
		report_more(rp,
		    xalloc_printf("turn %d: %s", rp->turn,
			rp->sides[rp->turn % 2 == 1 ? 1 : 2]));
	report_owes(rp, ln);
	if (!is_described)
		report_marks(rp, ln->seq);
}

/* Lines were lost: what that did, and who has accepted it. */
static void
report_restored(struct report *rp, const struct record_line *ln,
    const struct game_entry *en)
{
	char *s;

	report_entry(rp, ln,
	    "the server has lost lines that stood here: what was open is void, "
	    "and new dice fall");
	if (en->fate == GAME_FATE_OPEN &&
	    (s = stated_unaccepted(battle_game(rp->b), rp->b)) != NULL) {
		report_more(rp, xalloc_printf("not yet accepted by %s", s));
		free(s);
	} else if (en->fate == GAME_FATE_ACCEPTED) {
		report_more(rp,
		    xalloc_printf("accepted by all in line %lld",
			(long long)en->fate_by));
	} else {
		report_more(rp, xalloc_str("never accepted by all"));
	}
}

/* Somebody else is to have a seat, and what became of that. */
static void
report_newcomer(struct report *rp, const struct record_line *ln,
    const struct game_entry *en)
{
	char *about = describe_newcomer(rp->b, ln->seq, ln->data), *s;

	s = xalloc_printf("the operator would %s", about);
	report_entry(rp, ln, s);
	free(s);
	free(about);
	s = stated_undecided(battle_game(rp->b), rp->b, ln->seq);
	if (s != NULL)
		report_more(rp, xalloc_printf("not yet accepted by %s", s));
	else if (en->fate_by >= 0)
		report_more(rp,
		    xalloc_printf("%s in line %lld",
			en->fate == GAME_FATE_ACCEPTED ? "accepted by all"
						       : "declined",
			(long long)en->fate_by));
	else
		report_more(rp, xalloc_str("never accepted by all"));
	free(s);
}

void
report_key(struct report *rp, const struct record_line *ln)
{
	static const char *const says[] = {
	    [STATEMENT_ADD] = "adds a key",
	    [STATEMENT_DROP] = "ends a key",
	    [STATEMENT_RESET] = "has a new key, in the place of all others",
	};
	const char *account = battle_account(rp->b, ln->seat, ln->seq);
	struct statement st;
	struct errinfo e;
	bool is_known;
	char *s;

	if (statement_parse(ln->text, ln->text_len, &st, &e) != 0)
		return;
	is_known = st.what != STATEMENT_UNKNOWN;
	s = xalloc_printf("%s %s", rp->b->called(rp->b->arg, account),
	    is_known ? says[st.what]
		     : "changes keys in a way that this version does not know");
	statement_clear(&st);
	report_entry(rp, ln, s);
	free(s);
}

void
report_server(struct report *rp, const struct record_line *ln)
{
	const struct game_entry *en = battle_entry(rp->b, ln->seq);
	const json_t *d = ln->data;
	const char *text, *why;
	char *dump, *s;

	why = js_str(d, "why");
	text = js_str(d, "text");
	if (en->is_restored) {
		report_restored(rp, ln, en);
		return;
	}
	if (en->given >= 0) {
		report_newcomer(rp, ln, en);
		return;
	}
	if (strcmp(ln->what, "closed") == 0 && why != NULL) {
		why = rp->b->text(rp->b->arg, why);
		s = xalloc_printf("the server closes the game%s%s%s",
		    why == NULL ? "; why is not held here" : ": \"",
		    why == NULL ? "" : why, why == NULL ? "" : "\"");
	} else if (strcmp(ln->what, "fault") == 0 && text != NULL) {
		s = xalloc_printf("the server's rules failed in line %lld, "
				  "and the game is halted: %s",
		    (long long)js_int(d, "seq"), text);
	} else {
		dump = xalloc_dump(d);
		s = xalloc_printf("the server, %s: %s", ln->what, dump);
		free(dump);
	}
	report_entry(rp, ln, s);
	free(s);
}
