/* SPDX-License-Identifier: ISC */
/*
 * Sentences about orders.  Everything that comes from a record is a
 * stranger's text: callers print what this gives by out_text() or after
 * out_safe().
 */
#include "client/report/describe.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/replica/copy.h"
#include "client/replica/people.h"
#include "client/report/report.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"

#define STORY_DAY_S 86400
#define STORY_HOUR_S 3600
#define STORY_MINUTE_S 60

struct story {
	const struct copy *c;
	struct past *past; /* owned */
	struct people *people; /* owned: who sits or has sat there */
	json_t *gone; /* owned: who was refused; seat, from, to, account */
	char *sides[3]; /* owned; 1 and 2 are used */
};

/* Gathers who joined and was refused: the seat is another's since. */
static json_t *
story_refused(const struct copy *c, const struct past *past)
{
	struct past_entry note, join;
	json_t *list, *one;
	int64_t i, to;

	list = xalloc_json(json_array());
	for (i = 0; i < c->n; i++) {
		if (past_kind(past, i) != ORDER_NOTE || !past_read(c, i, &note))
			continue;
		to = json_integer_value(json_object_get(note.o.args, "to"));
		if (past_kind(past, to) == ORDER_JOIN &&
		    past_read(c, to, &join)) {
			one = xalloc_json(json_object());
			xalloc_set(one, "from", json_integer(to));
			xalloc_set(one, "to", json_integer(i));
			xalloc_set(one, "seat", json_integer(join.ln.seat));
			xalloc_set(one, "account",
			    xalloc_copy(
				json_object_get(join.o.args, "account")));
			xalloc_append(list, one);
			past_entry_clear(&join);
		}
		past_entry_clear(&note);
	}
	return (list);
}

struct story *
story_new(const struct copy *c)
{
	struct story *st;
	json_t *view;
	int i;

	st = xalloc(sizeof(*st));
	st->c = c;
	st->past = past_new(c);
	st->people = people_of(c);
	st->gone = story_refused(c, st->past);
	view = xalloc_json(game_view(copy_game(c)));
	for (i = 1; i <= 2; i++)
		st->sides[i] = report_side(view, i);
	json_decref(view);
	return (st);
}

void
story_free(struct story *st)
{
	if (st == NULL)
		return;
	past_free(st->past);
	people_free(st->people);
	json_decref(st->gone);
	free(st->sides[1]);
	free(st->sides[2]);
	free(st);
}

struct past *
story_past(struct story *st)
{
	return (st->past);
}

bool
describe_has(enum order_kind kind)
{
	switch (kind) {
	case ORDER_FREE:
	case ORDER_CUP:
	case ORDER_PROPOSE:
	case ORDER_OFFER:
	case ORDER_ACCEPT:
	case ORDER_NOTE:
	case ORDER_CLAIM:
	case ORDER_PAUSE:
	case ORDER_RULING:
	case ORDER_STANDING:
	case ORDER_ANSWER:
		return (true);
	default:
		return (false);
	}
}

const char *
story_account(const struct story *st, int seat, int64_t seq)
{
	const json_t *v;
	size_t i;

	json_array_foreach(st->gone, i, v)
	{
		if (json_integer_value(json_object_get(v, "seat")) == seat &&
		    json_integer_value(json_object_get(v, "from")) <= seq &&
		    json_integer_value(json_object_get(v, "to")) > seq)
			return (
			    json_string_value(json_object_get(v, "account")));
	}
	return (game_account(copy_game(st->c), seat));
}

const char *
story_called(struct story *st, const char *account)
{
	return (people_tell(st->people, account));
}

const char *
story_name(const struct story *st, const char *account)
{
	return (people_name(st->people, account));
}

char *
story_who(struct story *st, int seat)
{
	const char *account = "";

	if (seat >= 0 && seat < GAME_SEATS)
		account = game_account(copy_game(st->c), seat);
	if (*account != '\0')
		return (xalloc_str(story_called(st, account)));
	return (seat == 0 ? xalloc_str("the director")
			  : xalloc_printf("seat %d", seat));
}

/* A text of an order's args, "?" if it is not there. */
static const char *
describe_str(const struct order *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o->args, name));

	return (s == NULL ? "?" : s);
}

/* An element of a list as text; a newer umpire may have put in others. */
static const char *
describe_element(const json_t *v)
{
	return (json_is_string(v) ? json_string_value(v) : "?");
}

/* A number of an order's args, -1 if it is not there. */
static long long
describe_int(const struct order *o, const char *name)
{
	const json_t *v = json_object_get(o->args, name);

	return (json_is_integer(v) ? (long long)json_integer_value(v) : -1);
}

const char *
story_why(const struct copy *c, const struct order *o)
{
	const char *ref, *text;

	ref = json_string_value(json_object_get(o->args, "why"));
	if (ref == NULL)
		ref = json_string_value(json_object_get(o->args, "for"));
	if (ref == NULL)
		return (NULL);
	text = copy_text(c, ref);
	return (text == NULL ? "(erased)" : text);
}

/* A value of a roster entry: words and numbers as they are; free(). */
static char *
describe_value(const json_t *v)
{
	if (v == NULL || json_is_null(v))
		return (xalloc_str("none"));
	if (json_is_string(v))
		return (xalloc_str(json_string_value(v)));
	if (json_is_boolean(v))
		return (xalloc_str(json_is_true(v) ? "yes" : "no"));
	return (xalloc_dump(v));
}

/* Appends the changes of one unit. */
static void
story_unit(struct buf *b, const json_t *unit, const json_t *before)
{
	const json_t *old;
	bool is_first = true;
	const char *name;
	char *from, *to;
	json_t *v;

	buf_printf(b, "%s: ", json_string_value(json_object_get(unit, "id")));
	/* jansson's iterators know no const. */
	json_object_foreach((json_t *)(uintptr_t)unit, name, v)
	{
		if (strcmp(name, "id") == 0)
			continue;
		old = json_object_get(before, name);
		from = describe_value(old);
		to = describe_value(v);
		buf_printf(b, "%s%s ", is_first ? "" : ", ", name);
		/* What was not said before was not there, or a default. */
		if (before != NULL && strcmp(from, to) != 0)
			buf_printf(b, "%s -> ", from);
		buf_puts(b, to);
		is_first = false;
		free(from);
		free(to);
	}
}

char *
describe_units(const json_t *units, const json_t *before)
{
	const json_t *u;
	const char *id;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(units, i, u)
	{
		id = json_string_value(json_object_get(u, "id"));
		if (id == NULL)
			continue;
		buf_puts(&b, b.len == 0 ? "" : "; ");
		story_unit(&b, u, json_object_get(before, id));
	}
	return (xalloc_take(&b));
}

/* A number of things: "1 day", "3 days"; free(). */
static char *
describe_count(long long n, const char *one)
{
	return (xalloc_printf("%lld %s%s", n, one, n == 1 ? "" : "s"));
}

/* A length of time in the largest unit that fits; free(). */
static char *
story_time(long long s)
{
	if (s % STORY_DAY_S == 0)
		return (describe_count(s / STORY_DAY_S, "day"));
	if (s % STORY_HOUR_S == 0)
		return (describe_count(s / STORY_HOUR_S, "hour"));
	if (s % STORY_MINUTE_S == 0)
		return (describe_count(s / STORY_MINUTE_S, "minute"));
	return (describe_count(s, "second"));
}

/* How a side is called, for a number out of a record. */
static const char *
story_side(const struct story *st, long long side)
{
	return (side == 1 || side == 2 ? st->sides[side] : "nobody");
}

/* What a free roll rolls: "2d6", "2 from the cup events"; free(). */
static char *
describe_dice(const struct order *o)
{
	if (json_object_get(o->args, "cup") != NULL)
		return (xalloc_printf("%lld from the cup %s",
		    describe_int(o, "draw"), describe_str(o, "cup")));
	return (xalloc_printf(
	    "%lldd%lld", describe_int(o, "dice"), describe_int(o, "sides")));
}

char *
describe_brief(struct story *st, int64_t seq)
{
	char *dice, *s, *who;
	struct past_entry en;

	if (!past_read(st->c, seq, &en))
		return (xalloc_printf("line %lld", (long long)seq));
	who = story_who(st, en.ln.seat);
	switch (en.o.kind) {
	case ORDER_DECLARE:
		s = xalloc_printf("%s declares a combat", who);
		break;
	case ORDER_TURN_END:
		s = xalloc_printf("%s ends the turn", who);
		break;
	case ORDER_UPKEEP:
		s = xalloc_printf("%s orders %s: %s", who,
		    describe_str(&en.o, "unit"), describe_str(&en.o, "do"));
		break;
	case ORDER_FREE:
		dice = describe_dice(&en.o);
		s = xalloc_printf("%s %s %s", who,
		    json_object_get(en.o.args, "cup") == NULL ? "rolls"
							      : "draws",
		    dice);
		free(dice);
		break;
	case ORDER_ACCEPT:
		dice = describe_offer(st, describe_int(&en.o, "to"));
		s = xalloc_printf("%s accepts %s", who, dice);
		free(dice);
		break;
	default:
		s = xalloc_printf("%s: %s", who, en.o.kind_name);
		break;
	}
	free(who);
	past_entry_clear(&en);
	return (s);
}

/* "taking back line 14 (anna ends the turn) and what came after it". */
static char *
describe_takeback(struct story *st, int64_t from)
{
	char *brief, *s;

	brief = past_kind(st->past, from) == ORDER_ACCEPT
	    ? xalloc_str("an agreed change")
	    : describe_brief(st, from);
	s = xalloc_printf("taking back line %lld (%s) and what came after it",
	    (long long)from, brief);
	free(brief);
	return (s);
}

/* What a ruling says; free(). */
static char *
describe_ruling(struct story *st, const struct order *o)
{
	const json_t *units = json_object_get(o->args, "units");
	char *s, *words;

	if (json_object_get(o->args, "void") != NULL)
		return (describe_takeback(st, describe_int(o, "from")));
	if (units != NULL) {
		words = describe_units(units, NULL);
		s = xalloc_printf("changing %s", words);
		free(words);
		return (s);
	}
	if (json_object_get(o->args, "result") != NULL)
		return (describe_int(o, "result") == 0
			? xalloc_str("a draw")
			: xalloc_printf("victory for %s",
			      story_side(st, describe_int(o, "result"))));
	if (json_object_get(o->args, "claim") == NULL)
		return (xalloc_str("what is said in words"));
	if (strcmp(describe_str(o, "do"), "forfeit") == 0)
		return (xalloc_printf("the silent side loses (claim of line "
				      "%lld)",
		    describe_int(o, "claim")));
	words = story_time(describe_int(o, "extend_s"));
	s = xalloc_printf("%s more for the silent side (claim of line %lld)",
	    words, describe_int(o, "claim"));
	free(words);
	return (s);
}

/* What an offer or a proposal holds; free(). */
static char *
describe_offered(struct story *st, const struct order *o)
{
	const char *what = describe_str(o, "what");
	char *s, *words;

	if (strcmp(what, "draw") == 0)
		return (xalloc_str("a draw"));
	if (strcmp(what, "victory") == 0)
		return (xalloc_printf("victory for %s",
		    story_side(st, describe_int(o, "winner"))));
	if (strcmp(what, "takeback") == 0)
		return (describe_takeback(st, describe_int(o, "from")));
	if (strcmp(what, "roster") == 0)
		return (xalloc_printf(
		    "other rosters (%.8s...)", describe_str(o, "roster")));
	if (strcmp(what, "adjust") == 0) {
		words = describe_units(json_object_get(o->args, "units"), NULL);
		s = xalloc_printf("changing %s", words);
	} else if (strcmp(what, "pause") == 0) {
		words = describe_count(describe_int(o, "days"), "day");
		s = xalloc_printf("a pause of %s", words);
	} else if (strcmp(what, "truce") == 0) {
		words = describe_count(describe_int(o, "turns"), "turn");
		s = xalloc_printf("that no combat is declared for %s", words);
	} else {
		return (xalloc_str(what));
	}
	free(words);
	return (s);
}

char *
describe_offer(struct story *st, int64_t seq)
{
	struct past_entry en;
	char *s;

	if (!past_read(st->c, seq, &en))
		return (xalloc_printf("line %lld", (long long)seq));
	if (en.o.kind == ORDER_RULING)
		s = describe_ruling(st, &en.o);
	else if (en.o.kind == ORDER_STANDING)
		s = xalloc_str("a standing order");
	else
		s = describe_offered(st, &en.o);
	past_entry_clear(&en);
	return (s);
}

const char *
describe_fate(struct story *st, int64_t seq, int64_t *by)
{
	switch (past_fate(st->past, seq, by)) {
	case PAST_OPEN:
		return ("open");
	case PAST_ACCEPTED:
		return ("accepted");
	case PAST_DECLINED:
		return ("declined");
	case PAST_WITHDRAWN:
		return ("withdrawn");
	case PAST_LAPSED:
		return ("lapsed");
	default:
		return ("");
	}
}

/* Appends what was rolled or drawn. */
static void
describe_rolled(struct buf *b, const json_t *dice)
{
	const json_t *roll, *v, *list;
	long long sum = 0;
	size_t i, j;

	json_array_foreach(json_object_get(dice, "rolls"), i, roll)
	{
		list = json_object_get(roll, "dice");
		buf_puts(b, i == 0 ? ":" : ";");
		json_array_foreach(list, j, v)
		{
			buf_printf(
			    b, " %lld", (long long)json_integer_value(v));
			sum += json_integer_value(v);
		}
		if (json_array_size(list) > 1)
			buf_printf(b, " (together %lld)", sum);
		json_array_foreach(json_object_get(roll, "chits"), j, v)
		    buf_printf(b, " %s", describe_element(v));
	}
}

/* A free roll or draw. */
static void
story_free_roll(struct buf *b, const struct past_entry *en)
{
	bool is_draw = json_object_get(en->o.args, "cup") != NULL;
	char *dice = describe_dice(&en->o);

	if (en->ln.owes != NULL)
		buf_puts(b, is_draw ? "wants to draw " : "wants to roll ");
	else
		buf_puts(b, is_draw ? "draws " : "rolls ");
	buf_puts(b, dice);
	describe_rolled(b, en->ln.dice);
	free(dice);
}

/* What is done with a cup. */
static void
describe_cup(struct buf *b, const struct order *o)
{
	const json_t *items = json_object_get(o->args, "items"), *v;
	const char *act = describe_str(o, "do"), *cup = describe_str(o, "cup");
	size_t i;

	if (strcmp(act, "make") == 0) {
		buf_printf(
		    b, "makes the cup %s of %zu:", cup, json_array_size(items));
	} else if (strcmp(act, "return") == 0) {
		buf_printf(b, "puts back into the cup %s:", cup);
	} else {
		buf_printf(b, "puts everything back into the cup %s", cup);
	}
	json_array_foreach(items, i, v)
	    buf_printf(b, " %s", describe_element(v));
}

/* Accepting; where a ruling needs both, whether it is in force. */
static void
describe_accept(struct story *st, struct buf *b, const struct past_entry *en)
{
	int64_t to = describe_int(&en->o, "to"), by;
	char *offer;

	offer = describe_offer(st, to);
	if (past_kind(st->past, to) == ORDER_RULING) {
		buf_printf(b, "accepts the ruling of line %lld, %s",
		    (long long)to, offer);
		if (past_fate(st->past, to, &by) == PAST_ACCEPTED &&
		    by == en->ln.seq)
			buf_puts(b, ": it is in force");
	} else {
		buf_printf(b, "accepts line %lld, %s", (long long)to, offer);
	}
	free(offer);
}

/* Refusing a joiner. */
static void
story_refuse(struct story *st, struct buf *b, int64_t to)
{
	const char *account = story_account(st, past_seat(st->past, to), to);

	buf_printf(b, "refuses %s, who joined in line %lld",
	    story_called(st, account), (long long)to);
}

/* Declining, withdrawing, refusing a joiner. */
static void
describe_note(struct story *st, struct buf *b, const struct order *o)
{
	const char *say = describe_str(o, "say");
	int64_t to = describe_int(o, "to");
	char *offer;

	if (strcmp(say, "refuse") == 0) {
		story_refuse(st, b, to);
		return;
	}
	offer = describe_offer(st, to);
	buf_printf(b, "%ss line %lld, %s",
	    strcmp(say, "decline") == 0 ? "decline" : "withdraw", (long long)to,
	    offer);
	free(offer);
}

/* True if a claim that took effect in this line left it to the director. */
static bool
story_is_directors(const struct story *st, int64_t seq)
{
	bool is_objected, is_owed = false;
	struct past_entry en;
	const char *name, *word;
	json_t *view;
	int64_t i, by;

	/* Where an answer is owed it is silence that counts, else the clock. */
	for (i = seq - 1; i >= 0 && !is_owed; i--) {
		if (!past_read(st->c, i, &en))
			continue;
		by = past_answer(st->past, i, &is_objected);
		is_owed = en.ln.owes != NULL && (by < 0 || by > seq) &&
		    past_taken_back(st->past, i) < 0;
		past_entry_clear(&en);
	}
	view = xalloc_json(game_view(copy_game(st->c)));
	name = is_owed ? "silence" : "then";
	word = json_string_value(json_object_get(
	    is_owed ? view : json_object_get(view, "clock"), name));
	is_owed = word != NULL && strcmp(word, "director") == 0;
	json_decref(view);
	return (is_owed);
}

/* A claim and what it led to. */
static void
story_claim(struct story *st, struct buf *b, const struct past_entry *en)
{
	bool is_effective = past_is_effective(st->past, en->ln.seq);

	buf_puts(b, "claims that the other side's time has run out: ");
	if (!is_effective)
		buf_puts(b, "it has not, and nothing follows");
	else if (en->ln.dice != NULL || json_array_size(en->ln.events) > 0 ||
	    en->ln.owes != NULL)
		buf_puts(b, "it has, and the usual answer is taken");
	else if (story_is_directors(st, en->ln.seq))
		buf_puts(b, "it has, and the director has to act");
	else
		buf_puts(b, "it has, and the game is lost");
}

/* Answering what was owed. */
static void
story_answer(struct story *st, struct buf *b, const struct past_entry *en)
{
	int64_t to = describe_int(&en->o, "to");

	if (strcmp(describe_str(&en->o, "say"), "object") == 0)
		buf_printf(b,
		    "objects to line %lld: it is void, and nothing "
		    "was drawn",
		    (long long)to);
	else
		buf_printf(b, "agrees to line %lld", (long long)to);
	if (past_kind(st->past, to) == ORDER_FREE)
		describe_rolled(b, en->ln.dice);
}

/* A standing order: its text, once it is public. */
static void
story_standing(struct story *st, struct buf *b, int64_t seq)
{
	const json_t *v;
	json_t *view;
	size_t i;

	buf_puts(b, "leaves a standing order");
	view = xalloc_json(game_view(copy_game(st->c)));
	json_array_foreach(json_object_get(view, "standing"), i, v)
	{
		if (json_integer_value(json_object_get(v, "seq")) != seq ||
		    json_object_get(v, "kind") == NULL)
			continue;
		buf_printf(b, ": %s %s",
		    json_string_value(json_object_get(v, "kind")),
		    json_string_value(json_object_get(v, "do")));
	}
	json_decref(view);
}

/* Holidays and the end of a pause. */
static void
story_pause(struct buf *b, const struct order *o)
{
	char *days;

	if (strcmp(describe_str(o, "do"), "resume") == 0) {
		buf_puts(b, "ends the pause");
		return;
	}
	days = describe_count(describe_int(o, "days"), "day");
	buf_printf(b, "takes %s of holiday", days);
	free(days);
}

char *
describe_line(struct story *st, const struct past_entry *en)
{
	const struct order *o = &en->o;
	struct buf b;
	char *offer = NULL, *who;

	buf_init(&b, 0);
	who = story_who(st, en->ln.seat);
	buf_printf(&b, "%s ", who);
	free(who);
	switch (o->kind) {
	case ORDER_FREE:
		story_free_roll(&b, en);
		break;
	case ORDER_CUP:
		describe_cup(&b, o);
		break;
	case ORDER_PROPOSE:
		offer = describe_offered(st, o);
		buf_printf(&b, "proposes %s", offer);
		break;
	case ORDER_OFFER:
		offer = describe_offered(st, o);
		buf_printf(&b, "%s %s",
		    json_object_get(o->args, "from") == NULL ? "offers"
							     : "asks for",
		    offer);
		break;
	case ORDER_RULING:
		offer = describe_ruling(st, o);
		buf_printf(&b, "rules: %s", offer);
		break;
	case ORDER_ACCEPT:
		describe_accept(st, &b, en);
		break;
	case ORDER_NOTE:
		describe_note(st, &b, o);
		break;
	case ORDER_CLAIM:
		story_claim(st, &b, en);
		break;
	case ORDER_PAUSE:
		story_pause(&b, o);
		break;
	case ORDER_STANDING:
		story_standing(st, &b, en->ln.seq);
		break;
	case ORDER_ANSWER:
		story_answer(st, &b, en);
		break;
	default:
		buf_puts(&b, o->kind_name);
		break;
	}
	free(offer);
	return (xalloc_take(&b));
}
