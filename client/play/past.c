/* SPDX-License-Identifier: ISC */
/*
 * One pass over the orders of a copy, which were all verified before they
 * came into it: an accept that stands there was lawful, so what it did needs
 * no second judgement.  What lapsed is what is no longer open and was ended
 * by nobody.  Claims and former values need the state line by line, for which
 * the record is verified once more.
 */
#include "client/play/past.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "client/replica/copy.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order_kind.h"

struct past_line {
	enum order_kind kind;
	int seat; /* -1: no order */
	int64_t to; /* line that the order speaks of; -1 */
	enum past_fate fate;
	int64_t fate_by; /* -1 */
	int64_t taken_back; /* -1 */
	int64_t from; /* a takeback's or a void ruling's; -1 */
	int64_t answer; /* of a line that owes; -1 */
	bool is_objected;
	bool is_adjust; /* it changes units, or would */
	bool is_effective; /* a claim */
	unsigned accepted; /* bits of the seats that accepted a ruling */
	json_t *before; /* owned; NULL */
};

struct past {
	const struct copy *c;
	struct past_line *lines; /* owned; n */
	int64_t n;
	bool is_replayed;
};

bool
past_read(const struct copy *c, int64_t seq, struct past_entry *en)
{
	struct errinfo e;
	const char *line;
	size_t len;

	memset(en, 0, sizeof(*en));
	if (seq < 0 || seq >= c->n)
		return (false);
	line = copy_get(c, seq, &len);
	if (record_parse(line, len, &en->ln, &e) != 0) {
		memset(en, 0, sizeof(*en));
		return (false);
	}
	if (en->ln.kind == RECORD_ORDER &&
	    order_parse(en->ln.text, en->ln.text_len, &en->o, &e) == 0)
		return (true);
	record_clear(&en->ln);
	memset(en, 0, sizeof(*en));
	return (false);
}

void
past_entry_clear(struct past_entry *en)
{
	order_clear(&en->o);
	record_clear(&en->ln);
	memset(en, 0, sizeof(*en));
}

/* The line of that number, NULL if there is none. */
static struct past_line *
past_get(const struct past *p, int64_t seq)
{
	return (seq < 0 || seq >= p->n ? NULL : &p->lines[seq]);
}

/* A number of an order's args; -1 if it is not there. */
static int64_t
past_int(const struct order *o, const char *name)
{
	int64_t v = -1;

	if (js_opt_int(o->args, name, NULL, 0, JS_INT_MAX, &v, NULL) != 0)
		return (-1);
	return (v);
}

/* True for what a takeback undoes; the rest of the record stays as it is. */
static bool
past_is_undone(const struct past_line *l)
{
	switch (l->kind) {
	case ORDER_DECLARE:
	case ORDER_DECIDE:
	case ORDER_COMMIT:
	case ORDER_OPEN:
	case ORDER_ANSWER:
	case ORDER_UPKEEP:
	case ORDER_FREE:
	case ORDER_TURN_END:
	case ORDER_CLAIM:
		return (true);
	case ORDER_ACCEPT:
		return (l->is_adjust);
	default:
		return (false);
	}
}

/* Marks all from a line on as taken back by line `by`. */
static void
past_undo(struct past *p, int64_t from, int64_t by)
{
	int64_t i;

	for (i = from < 0 ? by : from; i < by; i++) {
		if (p->lines[i].taken_back < 0 && past_is_undone(&p->lines[i]))
			p->lines[i].taken_back = by;
	}
}

/* An accept: of an offer, at once; of a ruling, with the second seat. */
static void
past_accept(struct past *p, int64_t seq, struct past_line *l)
{
	struct past_line *to = past_get(p, l->to);

	if (to == NULL || to->fate == PAST_NONE)
		return;
	if (to->kind == ORDER_RULING) {
		to->accepted |= 1u << l->seat;
		if ((to->accepted & 6u) != 6u)
			return;
	}
	to->fate = PAST_ACCEPTED;
	to->fate_by = seq;
	l->is_adjust = to->is_adjust;
	if (to->from >= 0)
		past_undo(p, to->from, seq);
}

/* A note: somebody declines or withdraws. */
static void
past_note(
    struct past *p, int64_t seq, struct past_line *l, const struct order *o)
{
	const char *say = json_string_value(json_object_get(o->args, "say"));
	struct past_line *to = past_get(p, l->to);

	if (say == NULL || to == NULL || to->fate == PAST_NONE)
		return;
	if (strcmp(say, "decline") == 0)
		to->fate = PAST_DECLINED;
	else if (strcmp(say, "withdraw") == 0)
		to->fate = PAST_WITHDRAWN;
	to->fate_by = seq;
}

/* An answer to a line that owes. */
static void
past_answers(
    struct past *p, int64_t seq, struct past_line *l, const struct order *o)
{
	const char *say = json_string_value(json_object_get(o->args, "say"));
	struct past_line *to = past_get(p, l->to);

	if (to == NULL)
		return;
	to->answer = seq;
	to->is_objected = say != NULL && strcmp(say, "object") == 0;
}

/* Reads one line. */
static void
past_line(struct past *p, int64_t seq, const struct past_entry *en)
{
	struct past_line *l = &p->lines[seq];
	const struct order *o = &en->o;

	l->kind = o->kind;
	l->seat = en->ln.seat;
	l->to = past_int(o, "to");
	switch (o->kind) {
	case ORDER_PROPOSE:
	case ORDER_OFFER:
		l->fate = PAST_LAPSED;
		l->from = past_int(o, "from");
		l->is_adjust = json_object_get(o->args, "units") != NULL;
		break;
	case ORDER_RULING:
		l->fate = PAST_LAPSED;
		l->from = past_int(o, "from");
		l->is_adjust = json_object_get(o->args, "units") != NULL;
		/* What answers a claim is in force at once. */
		if (json_object_get(o->args, "claim") != NULL) {
			l->fate = PAST_ACCEPTED;
			l->fate_by = seq;
		}
		break;
	case ORDER_ACCEPT:
		past_accept(p, seq, l);
		break;
	case ORDER_NOTE:
		past_note(p, seq, l, o);
		break;
	case ORDER_ANSWER:
		past_answers(p, seq, l, o);
		break;
	default:
		break;
	}
}

/* What the game still holds as open has not lapsed. */
static void
past_mark_open(struct past *p)
{
	const json_t *v;
	struct past_line *l;
	json_t *view;
	size_t i;

	view = xalloc_json(game_view(copy_game(p->c)));
	json_array_foreach(json_object_get(view, "offers"), i, v)
	{
		l = past_get(p, json_integer_value(json_object_get(v, "seq")));
		if (l != NULL && l->fate == PAST_LAPSED)
			l->fate = PAST_OPEN;
	}
	json_decref(view);
}

struct past *
past_new(const struct copy *c)
{
	struct past_entry en;
	struct past *p;
	int64_t i;

	p = xalloc(sizeof(*p));
	p->c = c;
	p->n = c->n;
	p->lines = xalloc((size_t)c->n * sizeof(*p->lines) + 1);
	for (i = 0; i < p->n; i++) {
		p->lines[i].kind = ORDER_UNKNOWN;
		p->lines[i].seat = -1;
		p->lines[i].to = p->lines[i].from = -1;
		p->lines[i].fate_by = p->lines[i].taken_back = -1;
		p->lines[i].answer = -1;
		if (past_read(c, i, &en)) {
			past_line(p, i, &en);
			past_entry_clear(&en);
		}
	}
	if (copy_game(c) != NULL)
		past_mark_open(p);
	return (p);
}

void
past_free(struct past *p)
{
	int64_t i;

	if (p == NULL)
		return;
	for (i = 0; i < p->n; i++)
		json_decref(p->lines[i].before);
	free(p->lines);
	free(p);
}

enum order_kind
past_kind(const struct past *p, int64_t seq)
{
	const struct past_line *l = past_get(p, seq);

	return (l == NULL ? ORDER_UNKNOWN : l->kind);
}

int
past_seat(const struct past *p, int64_t seq)
{
	const struct past_line *l = past_get(p, seq);

	return (l == NULL ? -1 : l->seat);
}

enum past_fate
past_fate(const struct past *p, int64_t seq, int64_t *by)
{
	const struct past_line *l = past_get(p, seq);

	*by = l == NULL ? -1 : l->fate_by;
	return (l == NULL ? PAST_NONE : l->fate);
}

int64_t
past_taken_back(const struct past *p, int64_t seq)
{
	const struct past_line *l = past_get(p, seq);

	return (l == NULL ? -1 : l->taken_back);
}

int64_t
past_answer(const struct past *p, int64_t seq, bool *is_objected)
{
	const struct past_line *l = past_get(p, seq);

	*is_objected = l != NULL && l->is_objected;
	return (l == NULL ? -1 : l->answer);
}

bool
past_is_undoable(const struct past *p, int64_t seq)
{
	const struct past_line *l = past_get(p, seq);

	if (l == NULL || l->taken_back >= 0 || l->is_objected)
		return (false);
	return (l->kind == ORDER_DECLARE || l->kind == ORDER_UPKEEP ||
	    l->kind == ORDER_FREE || l->kind == ORDER_TURN_END ||
	    (l->kind == ORDER_ACCEPT && l->is_adjust));
}

/* The entries that a list of changes names, as the game has them; new. */
static json_t *
past_entries(const struct game *g, const json_t *units)
{
	static const char *const lists[] = {"units", "commanders"};
	const json_t *u, *v, *sides;
	json_t *view, *out;
	const char *id, *s;
	size_t i, j, k;
	int side;

	view = xalloc_json(game_view(g));
	sides = json_object_get(view, "roster");
	out = xalloc_json(json_object());
	json_array_foreach(units, i, u)
	{
		id = json_string_value(json_object_get(u, "id"));
		for (k = 0; id != NULL && k < 4; k++) {
			side = k < 2 ? 1 : 2;
			json_array_foreach(
			    json_object_get(
				json_object_get(sides, side == 1 ? "1" : "2"),
				lists[k % 2]),
			    j, v)
			{
				s = json_string_value(json_object_get(v, "id"));
				if (s != NULL && strcmp(s, id) == 0)
					xalloc_set(out, id, xalloc_copy(v));
			}
		}
	}
	json_decref(view);
	return (out);
}

/* Looks at the state before a line. */
static void
past_look(struct past *p, int64_t seq, const struct game *g)
{
	struct past_line *l = &p->lines[seq], *to = past_get(p, l->to);
	struct past_entry en;
	int64_t deadline;
	int side;

	if (l->kind == ORDER_CLAIM) {
		if (!past_read(p->c, seq, &en))
			return;
		side = game_side_of(l->seat);
		deadline = side == 0 ? -1 : game_deadline_ms(g, 3 - side);
		l->is_effective = deadline >= 0 && en.ln.at_ms >= deadline &&
		    game_deadline_ms(g, side) < 0;
		past_entry_clear(&en);
		return;
	}
	/* Its own line first, then the one that brings it in force. */
	if (l->kind == ORDER_ACCEPT && l->is_adjust && to != NULL)
		seq = l->to;
	else if (!l->is_adjust || l->kind == ORDER_ACCEPT)
		return;
	if (past_read(p->c, seq, &en)) {
		json_decref(p->lines[seq].before);
		p->lines[seq].before =
		    past_entries(g, json_object_get(en.o.args, "units"));
		past_entry_clear(&en);
	}
}

/* Gives the blobs of the copy to another verifier. */
static bool
past_give_blobs(const struct past *p, struct verify *v)
{
	const json_t *side, *value;
	const char *hash;
	json_t *one;

	side = p->c->side;
	/* jansson's iterators know no const. */
	json_object_foreach((json_t *)(uintptr_t)side, hash, one)
	{
		value = json_object_get(one, "value");
		if (json_is_true(json_object_get(one, "blob")) &&
		    verify_add_blob(v, json_string_value(value),
			json_string_length(value)) != 0)
			return (false);
	}
	return (true);
}

/* Goes through the record again and looks at the states between lines. */
static void
past_replay(struct past *p)
{
	struct verify_options opt = {.head_seq = -1};
	struct errinfo e;
	const char *line, *next;
	struct verify *v;
	size_t len, next_len;
	int64_t i;

	if (p->is_replayed)
		return;
	p->is_replayed = true;
	if (verify_new(&opt, &v) != 0)
		(void)xalloc_json(NULL);
	for (i = past_give_blobs(p, v) ? 0 : p->n; i < p->n; i++) {
		if (verify_game(v) != NULL)
			past_look(p, i, verify_game(v));
		line = copy_get(p->c, i, &len);
		if (i + 1 < p->n) {
			next = copy_get(p->c, i + 1, &next_len);
			verify_peek(v, next, next_len);
		}
		/* It was verified before; nothing can be told otherwise. */
		if (verify_line(v, line, len, &e) != 0)
			break;
	}
	verify_free(v);
}

bool
past_is_effective(struct past *p, int64_t seq)
{
	const struct past_line *l = past_get(p, seq);

	if (l == NULL || l->kind != ORDER_CLAIM)
		return (false);
	past_replay(p);
	return (l->is_effective);
}

const json_t *
past_before(struct past *p, int64_t seq)
{
	const struct past_line *l = past_get(p, seq);

	if (l == NULL || !l->is_adjust)
		return (NULL);
	past_replay(p);
	return (l->before);
}
