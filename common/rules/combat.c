/* SPDX-License-Identifier: ISC */
/*
 * The conversation: facts parsed once, what was rolled and decided kept in
 * fixed tables, and a run that starts at the beginning every time.  A run
 * consumes what is recorded in order; only behind its end are rolls taken
 * from the dice source and decisions from the policy.  What the rules ask
 * for a second time must be what they asked for the first time; else they
 * are at fault.
 */
#include "common/rules/combat.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/rolls.h"
#include "common/rules/rulekit.h"
#include "common/rules/rules.h"

/* One decision. */
struct combat_given {
	enum combat_side side;
	const char *kind; /* static, the question's */
	int number[QUESTION_MEMBERS_MAX];
	bool has_text;
	char text[RULES_NAME_MAX + 1];
	uint16_t first; /* index into items */
	uint16_t n;
	uint16_t rolls; /* rolls made before it was asked for */
};

struct combat {
	const struct rules_system *sys;
	const struct rules_settings *settings; /* borrowed */
	void *facts; /* owned */
	void *state; /* owned */
	const struct combat_policy *policy; /* borrowed, or NULL */
	combat_sink *sink;
	void *sink_arg;
	enum combat_status status;
	int failed; /* what the last run failed with, or 0 */

	/* What was said; kept from run to run. */
	struct rolls rolls;
	struct combat_given given[COMBAT_GIVEN_MAX];
	struct question_item items[COMBAT_ITEMS_MAX];
	size_t n_given, n_items;

	/* Within a run. */
	const struct combat_dice *source; /* NULL: no new rolls */
	enum combat_status stop; /* why the rules were told to stop */
	struct errinfo *e;
	size_t rec_at, given_at; /* how many were consumed */
	size_t chit_at; /* chits consumed of record rec_at - 1 */
	int sink_error; /* first failure of the sink */

	/*
	 * The open question is asked[asked_at]; of two in secret the
	 * attacker's is asked[0].  Their ids are copied into asked_ids.
	 */
	struct question asked[2];
	size_t asked_at;
	const char *asked_ids[2][QUESTION_MEMBERS_MAX][QUESTION_IDS_MAX];
};

int
combat_new(const struct rules_system *sys,
    const struct rules_settings *settings, const json_t *facts,
    struct combat **out, struct errinfo *e)
{
	struct combat *c;
	int r;

	assert(settings->sys == sys);
	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (ERR_NOMEM);
	c->sys = sys;
	c->settings = settings;
	c->facts = calloc(1, sys->facts_size);
	c->state = calloc(1, sys->state_size);
	if (c->facts == NULL || c->state == NULL)
		r = ERR_NOMEM;
	else
		r = sys->parse(facts, settings, c->facts, e);
	if (r != 0) {
		combat_free(c);
		return (r);
	}
	*out = c;
	return (0);
}

void
combat_free(struct combat *c)
{
	if (c == NULL)
		return;
	free(c->facts);
	free(c->state);
	free(c);
}

const struct rules_system *
combat_system(const struct combat *c)
{
	return (c->sys);
}

const void *
combat_facts(const struct combat *c)
{
	return (c->facts);
}

void *
combat_state(const struct combat *c)
{
	return (c->state);
}

const void *
combat_data(const struct combat *c)
{
	return (c->settings->data);
}

int
combat_ruling(const struct combat *c, size_t index)
{
	assert(index < c->sys->n_rulings);
	return (c->settings->rulings[index]);
}

void
combat_set_policy(struct combat *c, const struct combat_policy *p)
{
	c->policy = p;
}

void
combat_set_sink(struct combat *c, combat_sink *sink, void *arg)
{
	c->sink = sink;
	c->sink_arg = arg;
}

/* Something was added or taken back: the last run no longer says anything. */
static void
combat_changed(struct combat *c)
{
	c->status = COMBAT_NEW;
	c->failed = 0;
}

void
combat_reset(struct combat *c)
{
	rolls_forget(&c->rolls, 0);
	c->n_given = c->n_items = 0;
	combat_changed(c);
}

int
combat_refuse(struct combat *c, const char *where, const char *fmt, ...)
{
	char text[sizeof(c->e->text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return (err_set(c->e, ERR_INVALID, where, "%s", text));
}

int
combat_fault(struct combat *c, const char *fmt, ...)
{
	char text[sizeof(c->e->text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return (err_set(c->e, ERR_FAULT, NULL, "%s", text));
}

bool
combat_is_told(const struct combat *c)
{
	return (c->sink != NULL);
}

bool
combat_is_walked(const struct combat *c)
{
	return (c->source != NULL && c->source->meet != NULL);
}

bool
combat_knows_alike(const struct combat *c)
{
	return (c->source != NULL && c->source->knows_alike != NULL &&
	    c->source->knows_alike(c->source->arg));
}

void
combat_alike(struct combat *c, const uint16_t *kinds, size_t n)
{
	if (c->source != NULL && c->source->alike != NULL)
		c->source->alike(c->source->arg, kinds, n);
}

int
combat_meet(struct combat *c, unsigned at, const void *matters, size_t len)
{
	if (!combat_is_walked(c))
		return (0);
	return (c->source->meet(c->source->arg, at, matters, len));
}

/* Tells the sink of an event; its first failure ends the run at its end. */
static void
combat_tell(struct combat *c, const struct event *ev)
{
	if (c->sink != NULL && c->sink_error == 0)
		c->sink_error = c->sink(c->sink_arg, c, ev);
}

void
combat_emit_event(
    struct combat *c, const char *e, const struct event_field *fields, size_t n)
{
	const struct event ev = {
	    .kind = EVENT_OTHER,
	    .e = e,
	    .fields = fields,
	    .n_fields = n,
	};

	combat_tell(c, &ev);
}

void
combat_change_event(struct combat *c, struct event_field who, const char *what,
    const char *why, const struct event_field *more, size_t n)
{
	struct event_field fields[3 + COMBAT_CHANGE_MORE];

	assert(n <= COMBAT_CHANGE_MORE);
	fields[0] = who;
	fields[1] = event_text("what", what);
	fields[2] = event_text("why", why);
	if (n > 0)
		memcpy(&fields[3], more, n * sizeof(*more));
	combat_emit(c, "change", fields, 3 + n);
}

/* True if a draw has begun whose recorded chits were not all taken. */
static bool
combat_has_chits(const struct combat *c)
{
	const struct rolls_rec *rec;

	if (c->rec_at == 0)
		return (false);
	rec = &c->rolls.recs[c->rec_at - 1];
	return (rec->sides == 0 && c->chit_at < rec->n);
}

/* Takes a roll from the dice source and records it. */
static int
combat_roll_new(struct combat *c, const char *label, unsigned n, unsigned sides)
{
	uint16_t *dice = &c->rolls.dice[c->rolls.n_dice];
	unsigned i;
	int r;

	if (n == 0 || sides < 2 || sides > ROLLS_SIDES_MAX ||
	    !rolls_fits(&c->rolls, label, sides, n))
		return (combat_fault(
		    c, "the rules may not roll \"%s\" here", label));
	if (c->source == NULL) {
		c->stop = COMBAT_ROLLING;
		return (ERR_DICE);
	}
	if ((r = c->source->roll(
		 c->source->arg, label, sides, n, dice, c->e)) != 0)
		return (r);
	for (i = 0; i < n; i++) {
		if (dice[i] < 1 || dice[i] > sides)
			return (combat_fault(
			    c, "the dice of \"%s\" are out of range", label));
	}
	rolls_add(&c->rolls, label, sides, n);
	return (0);
}

int
combat_roll(struct combat *c, uint16_t *dice, unsigned n, unsigned sides,
    const char *fmt, ...)
{
	char label[COMBAT_LABEL_MAX + 2]; /* one more: too long is seen */
	const struct rolls_rec *rec;
	va_list ap;
	int r;

	va_start(ap, fmt);
	(void)vsnprintf(label, sizeof(label), fmt, ap);
	va_end(ap);
	if (c->rec_at == c->rolls.n_recs &&
	    (r = combat_roll_new(c, label, n, sides)) != 0)
		return (r);
	rec = &c->rolls.recs[c->rec_at];
	if (strcmp(rec->label, label) != 0 || rec->sides != sides ||
	    rec->n != n || combat_has_chits(c))
		return (combat_fault(c,
		    "the rules roll \"%s\" where \"%s\" is recorded", label,
		    rec->label));
	c->rec_at++;
	memcpy(dice, &c->rolls.dice[rec->first], n * sizeof(*dice));
	combat_emit(c, "roll",
	    EVENT_FIELDS(event_text("label", rec->label),
		event_int("sides", sides), event_dice("dice", dice, n)));
	return (0);
}

/*
 * Takes one more chit from the dice source and records it: in the last
 * record, which drew already, or in one of its own.
 */
static int
combat_draw_new(struct combat *c, bool is_first, const char *label,
    const char *const *ids, unsigned n)
{
	struct rolls *t = &c->rolls;
	uint16_t had[COMBAT_CHITS_MAX], pick = 0;
	size_t i, n_had = is_first ? 0 : t->recs[t->n_recs - 1].n;
	int r;

	if (n == 0 || n > ROLLS_BAG_MAX || n_had >= n ||
	    (is_first ? !rolls_fits(t, label, 0, 1)
		      : t->n_chits == COMBAT_CHITS_MAX))
		return (combat_fault(
		    c, "the rules may not draw \"%s\" here", label));
	if (c->source == NULL) {
		c->stop = COMBAT_ROLLING;
		return (ERR_DICE);
	}
	for (i = 0; i < n_had; i++)
		had[i] = t->chits[t->recs[t->n_recs - 1].first + i].index;
	if ((r = c->source->draw(c->source->arg, label, ids, n, had,
		 (unsigned)n_had, &pick, c->e)) != 0)
		return (r);
	if (pick >= n || !js_is_id(ids[pick]))
		return (combat_fault(
		    c, "the chit drawn for \"%s\" is in no bag", label));
	if (is_first)
		rolls_add_draw(t, label, n);
	rolls_add_chit(t, ids[pick]);
	t->chits[t->n_chits - 1].index = pick;
	return (0);
}

/* Takes the next recorded chit of rec: finds it in the bag. */
static int
combat_chit(struct combat *c, const struct rolls_rec *rec,
    const char *const *ids, unsigned n, uint16_t *pick)
{
	struct rolls_chit *chits = &c->rolls.chits[rec->first];
	struct rolls_chit *chit = &chits[c->chit_at];
	unsigned i;
	size_t j;

	/* Where it was found before it is likely to be still. */
	i = chit->index;
	if (i >= n || strcmp(ids[i], chit->id) != 0)
		for (i = 0; i < n && strcmp(ids[i], chit->id) != 0; i++)
			;
	if (i == n)
		return (combat_fault(c, "chit \"%s\" of \"%s\" is in no bag",
		    chit->id, rec->label));
	for (j = 0; j < c->chit_at; j++) {
		if (chits[j].index == i)
			return (combat_fault(
			    c, "chit \"%s\" is drawn twice", chit->id));
	}
	c->chit_at++;
	*pick = chit->index = (uint16_t)i;
	return (0);
}

int
combat_draw(struct combat *c, const char *label, const char *const *ids,
    unsigned n, uint16_t *pick)
{
	const struct rolls_rec *rec;
	bool is_first;
	int r;

	/* The label drawn from last goes on; another one begins. */
	rec = c->rec_at > 0 ? &c->rolls.recs[c->rec_at - 1] : NULL;
	is_first =
	    rec == NULL || rec->sides > 0 || strcmp(rec->label, label) != 0;
	if (c->rec_at == c->rolls.n_recs && !combat_has_chits(c) &&
	    (r = combat_draw_new(c, is_first, label, ids, n)) != 0)
		return (r);
	if (is_first && combat_has_chits(c))
		return (combat_fault(c,
		    "the rules draw \"%s\" before the end of \"%s\"", label,
		    rec->label));
	if (is_first) {
		rec = &c->rolls.recs[c->rec_at++];
		c->chit_at = 0;
	}
	if (strcmp(rec->label, label) != 0 || rec->sides != 0 ||
	    rec->bag != n || c->chit_at == rec->n)
		return (combat_fault(c,
		    "the rules draw \"%s\" where \"%s\" is recorded", label,
		    rec->label));
	if ((r = combat_chit(c, rec, ids, n, pick)) != 0)
		return (r);
	combat_emit(c, "draw",
	    EVENT_FIELDS(event_text("label", rec->label), event_int("bag", n),
		event_texts("chits", &ids[*pick], 1)));
	return (0);
}

/* Keeps a question for those who ask what is owed. */
static void
combat_keep(struct combat *c, const struct question *q, size_t at)
{
	struct question_member *m;
	size_t i;

	c->asked[at] = *q;
	for (i = 0; i < q->n_members; i++) {
		m = &c->asked[at].members[i];
		if (m->n_ids > 0)
			memcpy(c->asked_ids[at][i], m->ids,
			    m->n_ids * sizeof(m->ids[0]));
		m->ids = c->asked_ids[at][i];
	}
}

/* Space for the list of a new decision. */
static struct question_item *
combat_room(struct combat *c, size_t *n)
{
	*n = COMBAT_ITEMS_MAX - c->n_items;
	return (&c->items[c->n_items]);
}

/* Records an answer whose list, if it has one, lies in combat_room(). */
static void
combat_record(
    struct combat *c, const struct question *q, const struct question_answer *a)
{
	struct combat_given *g = &c->given[c->n_given++];

	assert(a->n_items <= COMBAT_ITEMS_MAX - c->n_items);
	g->side = q->side;
	g->kind = q->kind;
	memcpy(g->number, a->number, sizeof(g->number));
	g->has_text = a->text != NULL;
	if (g->has_text)
		(void)snprintf(g->text, sizeof(g->text), "%s", a->text);
	g->first = (uint16_t)c->n_items;
	g->n = (uint16_t)a->n_items;
	g->rolls = (uint16_t)c->rec_at;
	c->n_items += a->n_items;
}

/* Has the policy answer. */
static int
combat_ask_policy(struct combat *c, const struct question *q)
{
	struct question_answer a = {.n_items = 0};
	struct question_item *room;
	size_t n;
	int r;

	room = combat_room(c, &n);
	if ((r = c->policy->decide(c->policy->arg, c, q, &a, room, n)) != 0)
		return (r);
	a.items = room;
	if (a.n_items > n || c->n_given == COMBAT_GIVEN_MAX ||
	    !question_holds(c, q, &a))
		return (
		    combat_fault(c, "the policy's %s is not lawful", q->kind));
	combat_record(c, q, &a);
	return (0);
}

/* Gives the next recorded answer, which must be one to this question. */
static int
combat_take(
    struct combat *c, const struct question *q, struct question_answer *a)
{
	struct combat_given *g = &c->given[c->given_at++];

	if (g->side != q->side || strcmp(g->kind, q->kind) != 0)
		return (combat_fault(c,
		    "the rules ask for \"%s\" where \"%s\" is recorded",
		    q->kind, g->kind));
	g->rolls = (uint16_t)c->rec_at;
	memcpy(a->number, g->number, sizeof(a->number));
	a->text = g->has_text ? g->text : NULL;
	a->items = &c->items[g->first];
	a->n_items = g->n;
	return (0);
}

/*
 * Asks n questions at once and gives their answers; nobody is told of an
 * answer before all are in.
 */
static int
combat_put(struct combat *c, const struct question *q, size_t n,
    struct question_answer *a)
{
	struct event ev = {.kind = EVENT_ASK};
	size_t i;
	int r;

	for (i = 0; i < n; i++) {
		ev.question = &q[i];
		combat_tell(c, &ev);
	}
	for (i = 0; i < n; i++) {
		if (c->given_at == c->n_given && c->policy == NULL) {
			combat_keep(c, &q[0], 0);
			combat_keep(c, &q[n - 1], n - 1);
			c->asked_at = i;
			c->stop = COMBAT_PENDING;
			return (ERR_PENDING);
		}
		if (c->given_at == c->n_given &&
		    (r = combat_ask_policy(c, &q[i])) != 0)
			return (r);
		if ((r = combat_take(c, &q[i], &a[i])) != 0)
			return (r);
	}
	ev.kind = EVENT_DECISION;
	for (i = 0; i < n; i++) {
		ev.question = &q[i];
		ev.answer = &a[i];
		combat_tell(c, &ev);
	}
	return (0);
}

int
combat_decide(struct combat *c, enum combat_side side, const char *kind,
    const struct question_member *members, size_t n_members,
    struct question_answer *a)
{
	struct question q = {.side = side, .kind = kind};
	size_t i;

	if (n_members > QUESTION_MEMBERS_MAX)
		return (combat_fault(c, "\"%s\" has too many members", kind));
	for (i = 0; i < n_members; i++) {
		if (members[i].n_ids > QUESTION_IDS_MAX)
			return (combat_fault(
			    c, "\"%s\" has too many options", kind));
		q.members[i] = members[i];
	}
	q.n_members = n_members;
	return (combat_put(c, &q, 1, a));
}

int
combat_decide_bool(struct combat *c, enum combat_side side, const char *kind,
    const char *name, bool *answer)
{
	const struct question_member m = {
	    .name = name, .shape = QUESTION_ONE, .is_bool = true};
	struct question_answer a;
	int r;

	if ((r = combat_decide(c, side, kind, &m, 1, &a)) == 0)
		*answer = a.number[0];
	return (r);
}

int
combat_decide_rule(struct combat *c, enum combat_side side, const char *kind,
    const struct question_rule *rule, struct question_answer *a)
{
	const struct question q = {.side = side, .kind = kind, .rule = rule};

	return (combat_put(c, &q, 1, a));
}

int
combat_decide_secret(struct combat *c, const char *kind,
    const struct question_member members[2], struct question_answer answers[2])
{
	struct question q[2] = {
	    {.side = COMBAT_ATTACKER, .kind = kind, .is_secret = true},
	    {.side = COMBAT_DEFENDER, .kind = kind, .is_secret = true},
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		if (members[i].n_ids > QUESTION_IDS_MAX)
			return (combat_fault(
			    c, "\"%s\" has too many options", kind));
		q[i].members[0] = members[i];
		q[i].n_members = 1;
	}
	return (combat_put(c, q, 2, answers));
}

/* Runs the rules once; c->stop says whether they were told to stop. */
static int
combat_pass(struct combat *c, const struct combat_dice *dice, struct errinfo *e)
{
	const struct event begin = {.kind = EVENT_COMBAT};
	const struct event end = {.kind = EVENT_RESULT};
	int r;

	memset(c->state, 0, c->sys->state_size);
	c->source = dice;
	c->e = e;
	c->stop = COMBAT_RESOLVED;
	c->rec_at = c->given_at = c->chit_at = 0;
	c->sink_error = 0;
	combat_tell(c, &begin);
	r = c->sys->run(c);
	if (c->stop != COMBAT_RESOLVED)
		r = 0;
	else if (r == 0 &&
	    (c->rec_at < c->rolls.n_recs || c->given_at < c->n_given ||
		combat_has_chits(c)))
		r = combat_fault(c, "the rules end before what is recorded");
	else if (r == 0)
		combat_tell(c, &end);
	c->source = NULL;
	c->e = NULL;
	return (r != 0 ? r : c->sink_error);
}

int
combat_run(struct combat *c, const struct combat_dice *dice, struct errinfo *e)
{
	int r;

	combat_changed(c);
	if ((r = combat_pass(c, dice, e)) != 0) {
		c->failed = r;
		return (r);
	}
	c->status = c->stop;
	return (0);
}

enum combat_status
combat_status(const struct combat *c)
{
	return (c->status);
}

const struct question *
combat_question(const struct combat *c)
{
	assert(c->status == COMBAT_PENDING);
	return (&c->asked[c->asked_at]);
}

/* Returns the question of a side among those that are open. */
static const struct question *
combat_question_of(const struct combat *c, enum combat_side side)
{
	const struct question *q = combat_question(c);

	if (q->is_secret)
		return (&c->asked[side == COMBAT_ATTACKER ? 0 : 1]);
	assert(q->side == side);
	return (q);
}

enum combat_side
combat_asked_side(const struct combat *c)
{
	return (combat_question(c)->side);
}

const char *
combat_asked_kind(const struct combat *c)
{
	return (combat_question(c)->kind);
}

json_t *
combat_asked(const struct combat *c)
{
	return (combat_asked_of(c, combat_asked_side(c)));
}

bool
combat_asked_secret(const struct combat *c)
{
	return (combat_question(c)->is_secret);
}

json_t *
combat_asked_of(const struct combat *c, enum combat_side side)
{
	json_t *o = json_object();

	return (js_made(o, question_ask(c, combat_question_of(c, side), o)));
}

int
combat_check_of(const struct combat *c, enum combat_side side,
    const json_t *decision, struct errinfo *e)
{
	struct question_item room[COMBAT_ITEMS_MAX];
	struct question_answer a;

	return (question_read(c, combat_question_of(c, side), decision, &a,
	    room, COMBAT_ITEMS_MAX, e));
}

int
combat_answer(struct combat *c, const json_t *decision, struct errinfo *e)
{
	const struct question *q;
	struct question_answer a;
	struct question_item *room;
	size_t n;
	int r;

	if (c->status != COMBAT_PENDING)
		return (
		    err_set(e, ERR_INVALID, "decision", "no decision is owed"));
	room = combat_room(c, &n);
	q = combat_question(c);
	if ((r = question_read(c, q, decision, &a, room, n, e)) != 0)
		return (r);
	if (c->n_given == COMBAT_GIVEN_MAX)
		return (err_set(e, ERR_FAULT, NULL, "too many decisions"));
	combat_record(c, q, &a);
	combat_changed(c);
	return (0);
}

int
combat_decision(
    const struct combat *c, const struct question_answer *a, json_t **decision)
{
	json_t *o = json_object();

	o = js_made(o, question_write(c, combat_question(c), a, o));
	if (o == NULL)
		return (ERR_NOMEM);
	*decision = o;
	return (0);
}

int
combat_sample(
    const struct combat *c, const struct question_pick *p, json_t **decision)
{
	const struct question *q = combat_question(c);
	struct question_item room[COMBAT_ITEMS_MAX];
	struct question_answer a;
	int r;

	if ((r = question_sample(c, q, p, &a, room, COMBAT_ITEMS_MAX)) != 0)
		return (r);
	return (combat_decision(c, &a, decision));
}

int
combat_policy_answer(const struct combat *c, int word, json_t **decision)
{
	const struct question *q = combat_question(c);
	struct question_item room[COMBAT_ITEMS_MAX];
	struct question_answer a = {.items = room};
	const struct rules_policy *p;
	int r;

	p = rules_policy_find(c->sys, q->kind);
	if (p == NULL || rules_policy_text(p, word) == NULL)
		return (ERR_NOTFOUND);
	r = c->sys->policy(c, q, word, &a, room, COMBAT_ITEMS_MAX);
	if (r != 0)
		return (r);
	a.items = room;
	if (a.n_items > COMBAT_ITEMS_MAX || !question_holds(c, q, &a))
		return (ERR_FAULT);
	return (combat_decision(c, &a, decision));
}

void
combat_unanswer(struct combat *c)
{
	assert(c->n_given > 0);
	assert(c->given[c->n_given - 1].rolls == c->rolls.n_recs);
	c->n_given--;
	c->n_items = c->given[c->n_given].first;
	combat_changed(c);
}

/* Lists in *units (new) whom the events from number `from` on remove. */
static int
combat_find_removed(struct combat *c, size_t from, json_t **units)
{
	json_t *events, *list, *unit, *v;
	const char *what;
	int bad = 0, r;
	size_t i;

	if ((r = combat_events(c, from, &events)) != 0)
		return (r);
	list = json_array();
	json_array_foreach(events, i, v)
	{
		what = json_string_value(json_object_get(v, "what"));
		unit = json_object_get(v, "unit");
		if (what != NULL && strcmp(what, c->sys->game->removed) == 0 &&
		    unit != NULL)
			bad |= json_array_append(list, unit);
	}
	json_decref(events);
	if (list == NULL || bad != 0) {
		json_decref(list);
		return (ERR_NOMEM);
	}
	*units = list;
	return (0);
}

int
combat_removed_by(
    struct combat *c, const json_t *decision, json_t **units, struct errinfo *e)
{
	json_t *before, *found = NULL;
	int again, r;
	size_t n;

	if ((r = combat_events(c, 0, &before)) != 0)
		return (r);
	n = json_array_size(before);
	json_decref(before);
	if ((r = combat_answer(c, decision, e)) != 0)
		return (r);
	if ((r = combat_run(c, NULL, e)) == 0)
		r = combat_find_removed(c, n, &found);
	combat_unanswer(c);
	if ((again = combat_run(c, NULL, e)) != 0)
		r = again;
	if (r != 0)
		json_decref(found);
	else
		*units = found;
	return (r);
}

/* A sink that makes JSON of events from number `from` on. */
struct combat_list {
	json_t *events; /* owned by combat_events() */
	size_t from;
	size_t seen;
};

/* Appends one event to a struct combat_list. */
static int
combat_list_cb(void *arg, const struct combat *c, const struct event *ev)
{
	struct combat_list *list = arg;

	if (list->seen++ < list->from)
		return (0);
	if (json_array_append_new(list->events, event_json(c->sys, c, ev)) != 0)
		return (ERR_NOMEM);
	return (0);
}

int
combat_events(struct combat *c, size_t from, json_t **out)
{
	const struct combat_policy *policy = c->policy;
	struct combat_list list = {.from = from};
	combat_sink *sink = c->sink;
	void *arg = c->sink_arg;
	int r;

	if ((list.events = json_array()) == NULL)
		return (ERR_NOMEM);
	c->policy = NULL;
	c->sink = combat_list_cb;
	c->sink_arg = &list;
	r = combat_pass(c, NULL, NULL);
	c->policy = policy;
	c->sink = sink;
	c->sink_arg = arg;
	if (r == ERR_FAULT && c->failed == ERR_FAULT)
		r = c->sink_error;
	if (r != 0) {
		json_decref(list.events);
		return (r);
	}
	*out = list.events;
	return (0);
}

json_t *
combat_result(const struct combat *c)
{
	assert(c->status == COMBAT_RESOLVED);
	return (c->sys->result(c));
}

size_t
combat_roll_count(const struct combat *c)
{
	return (c->rolls.n_recs);
}

int
combat_rolls(const struct combat *c, size_t from, json_t **out)
{
	json_t *list;

	if ((list = rolls_json(&c->rolls, from)) == NULL)
		return (ERR_NOMEM);
	*out = list;
	return (0);
}

int
combat_restore_rolls(struct combat *c, const json_t *rolls, struct errinfo *e)
{
	int r;

	assert(c->status == COMBAT_NEW && c->rolls.n_recs == 0);
	if ((r = rolls_restore(&c->rolls, rolls, e)) != 0)
		rolls_forget(&c->rolls, 0);
	return (r);
}

void
combat_forget_rolls(struct combat *c, size_t n)
{
	rolls_forget(&c->rolls, n);
	while (c->n_given > 0 && c->given[c->n_given - 1].rolls > n)
		c->n_items = c->given[--c->n_given].first;
	combat_changed(c);
}
