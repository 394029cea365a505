/* SPDX-License-Identifier: ISC */
/*
 * Runs a combat once for every outcome of its dice, or for as many as are
 * asked for, and adds up what the system's outcome() says of each run.  All
 * sums are of small whole numbers times a weight: 1 in a sample, so that its
 * sums are exact on every machine, and the outcome's probability in a walk.
 */
#include "common/rules/show/odds.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/question.h"
#include "common/rules/show/odds_dice.h"
#include "common/rules/show/odds_layer.h"

#define ODDS_Z 1.959963984540054 /* the normal distribution's 97.5 % point */
#define ODDS_STEP 4096 /* runs between two words on progress */
#define ODDS_PROBES 256 /* runs that estimate the size of a walk */
#define ODDS_PROBES_SEED 1
#define ODDS_FAR 16 /* budgets; a walk estimated as longer is not begun */
#define ODDS_TRY 250000 /* runs that a walk may take in which outcomes meet */
#define ODDS_MATTERS 4096 /* bytes that may matter where outcomes meet */

static const char odds_random_word[] = "random";

/*
 * Sums of a number: of what it is more than in the first run, so that what is
 * the same in all has no variance, and rounding takes little of a small one.
 */
struct odds_spread {
	double first;
	double sum, square;
};

/* Sums of one unit. */
struct odds_unit_sums {
	double ends[ODDS_ENDS_MAX];
	double losses[ODDS_LOSS_MAX + 2];
	struct odds_spread loss;
};

/* Sums over all runs. */
struct odds_sums {
	struct odds_unit_sums units[RULES_OUTCOME_UNITS_MAX];
	struct {
		struct odds_spread loss, hits;
	} sides[2];
	double whole[ODDS_WHOLE_MAX];
	double other;
	double asked[2][RULES_POLICIES_MAX];
	double weight;
	double ways; /* outcomes of the dice */
};

/* All that the runs need. */
struct odds_work {
	struct combat *c; /* borrowed */
	const struct rules_system *sys;
	const struct odds_policy *policy;
	const struct odds_progress *progress; /* or NULL */
	struct odds *out; /* the figures; of units, ids and sides */
	struct errinfo *e;
	size_t n_ends;
	uint64_t runs; /* that were added up */
	uint64_t walked; /* and those that met others */
	/* A walk: what it goes on from, and where outcomes meet next. */
	const struct odds_layer_node *from;
	size_t depth, met; /* meetings before it; in this run */
	bool has_met; /* this run ended there */
	bool is_met; /* some run came to a meeting */
	struct odds_layer next;
	bool is_asked[2][RULES_POLICIES_MAX]; /* in this run */
	uint64_t used[2][RULES_POLICIES_MAX]; /* likewise: bits of answers */
	struct combat_policy decider;
	struct odds_dice dice;
	struct rules_outcome outcome;
	struct odds_sums sums;
};

/* ---- policies ---- */

/* Returns the index of a kind among the policies, or -1. */
static int
odds_policy_find(const struct rules_system *sys, const char *kind)
{
	const struct rules_policy *p = rules_policy_find(sys, kind);

	return (p == NULL ? -1 : (int)(p - sys->policies));
}

/* Refuses a word, and lists those of its kind. */
static int
odds_policy_refuse(
    const struct rules_policy *p, const struct js_at *at, struct errinfo *e)
{
	char list[256] = "";
	size_t i, n = 0;

	for (i = 0; p->words[i] != NULL && n < sizeof(list); i++)
		n += (size_t)snprintf(
		    list + n, sizeof(list) - n, "%s, ", p->words[i]);
	return (js_fail_member(
	    at, p->kind, e, "must be one of %s%s", list, odds_random_word));
}

/* Reads the words of an object, by kind, for the sides from..to. */
static int
odds_policy_read(const struct rules_system *sys, const json_t *words,
    const struct js_at *at, size_t from, size_t to, struct odds_policy *out,
    struct errinfo *e)
{
	const char *text;
	const struct rules_policy *p;
	const json_t *v;
	size_t i, side;
	int word;

	for (i = 0; sys->policies[i].kind != NULL; i++) {
		p = &sys->policies[i];
		if ((v = json_object_get(words, p->kind)) == NULL)
			continue;
		text = json_is_string(v) ? json_string_value(v) : "";
		word = rules_policy_word(p, text);
		if (word == -1 && strcmp(text, odds_random_word) == 0)
			word = ODDS_RANDOM;
		else if (word == -1)
			return (odds_policy_refuse(p, at, e));
		for (side = from; side <= to; side++) {
			out->word[side][i] = word;
			out->is_given[side][i] = true;
		}
	}
	return (0);
}

int
odds_policy_parse(const struct rules_system *sys, const json_t *policy,
    struct odds_policy *out, struct errinfo *e)
{
	const struct js_at at = {.name = "policy"};
	const char *known[RULES_POLICIES_MAX + 3] = {NULL};
	struct odds_policy made = {.word = {{0}}};
	struct js_at at_side = {.up = &at};
	const json_t *words;
	size_t n, side;
	int r;

	for (n = 0; sys->policies[n].kind != NULL; n++)
		known[n] = sys->policies[n].kind;
	assert(n <= RULES_POLICIES_MAX);
	known[n] = question_side(COMBAT_ATTACKER);
	known[n + 1] = question_side(COMBAT_DEFENDER);
	if (policy != NULL) {
		if ((r = js_members(policy, &at, known, e)) != 0)
			return (r);
		if ((r = odds_policy_read(sys, policy, &at, 0, 1, &made, e)) !=
		    0)
			return (r);
	}
	known[n] = NULL;
	for (side = 0; policy != NULL && side < 2; side++) {
		at_side.name = question_side((enum combat_side)side);
		words = json_object_get(policy, at_side.name);
		if (words == NULL)
			continue;
		if ((r = js_members(words, &at_side, known, e)) != 0)
			return (r);
		if ((r = odds_policy_read(
			 sys, words, &at_side, side, side, &made, e)) != 0)
			return (r);
	}
	*out = made;
	return (0);
}

const char *
odds_policy_random(const struct rules_system *sys,
    const struct odds_policy *policy, enum combat_side *side)
{
	size_t i, s;

	for (i = 0; sys->policies[i].kind != NULL; i++) {
		for (s = 0; s < 2; s++) {
			if (policy->word[s][i] != ODDS_RANDOM)
				continue;
			*side = (enum combat_side)s;
			return (sys->policies[i].kind);
		}
	}
	return (NULL);
}

const char *
odds_policy_word(const struct rules_system *sys, size_t policy, int word)
{
	if (word == ODDS_RANDOM)
		return (odds_random_word);
	return (sys->policies[policy].words[word]);
}

/* question_pick: of the generator. */
static uint32_t
odds_pick_cb(void *arg, uint32_t n)
{
	return (odds_dice_pick(arg, n));
}

/*
 * Answers as was answered before.  ERR_NOTFOUND if none of those answers is
 * lawful here that this run has not used yet.
 */
static int
odds_repeat(struct odds_work *w, const struct combat *c,
    const struct question *q, size_t kind, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const json_t *said = w->policy->said[q->side][kind];
	uint64_t *used = &w->used[q->side][kind];
	size_t i, n = json_array_size(said);
	struct errinfo e;
	int r;

	for (i = 0; i < n && i < ODDS_SAID_MAX; i++) {
		if ((*used >> i & 1) != 0)
			continue;
		r = question_read(
		    c, q, json_array_get(said, i), a, room, n_room, &e);
		if (r == 0)
			*used |= UINT64_C(1) << i;
		if (r != ERR_INVALID)
			return (r);
	}
	return (ERR_NOTFOUND);
}

/* combat_policy: answers as the policy says. */
static int
odds_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	struct odds_work *w = arg;
	const struct question_pick pick = {odds_pick_cb, &w->dice};
	int kind, r, word;

	if ((kind = odds_policy_find(w->sys, q->kind)) == -1)
		return (err_set(w->e, ERR_FAULT, NULL,
		    "no policy answers \"%s\"", q->kind));
	w->is_asked[q->side][kind] = true;
	r = odds_repeat(w, c, q, (size_t)kind, a, room, n_room);
	if (r != ERR_NOTFOUND)
		return (r);
	memset(a, 0, sizeof(*a));
	word = w->policy->word[q->side][kind];
	if (word == ODDS_RANDOM)
		return (question_sample(c, q, &pick, a, room, n_room));
	return (w->sys->policy(c, q, word, a, room, n_room));
}

/* ---- adding up ---- */

/* Adds a number of one run. */
static void
odds_spread_add(
    const struct odds_work *w, struct odds_spread *s, double x, double weight)
{
	if (w->runs == 0)
		s->first = x;
	x -= s->first;
	s->sum += weight * x;
	s->square += weight * x * x;
}

/* Adds what became of one unit. */
static int
odds_add_unit(struct odds_work *w, size_t i, double weight)
{
	struct odds_unit_sums *sums = &w->sums.units[i];
	struct odds_unit *unit = &w->out->units[i];
	int end = w->outcome.units[i].end, loss = w->outcome.units[i].loss;
	const char *id = w->outcome.units[i].id;

	if (w->runs == 0) {
		unit->id = id;
		unit->side = w->outcome.units[i].side;
	}
	if (unit->id != id || end < 0 || (size_t)end >= w->n_ends || loss < 0)
		return (err_set(w->e, ERR_FAULT, NULL,
		    "the outcome of \"%s\" makes no sense", id));
	sums->ends[end] += weight;
	sums->losses[loss > ODDS_LOSS_MAX ? ODDS_LOSS_MAX + 1 : loss] += weight;
	odds_spread_add(w, &sums->loss, loss, weight);
	return (0);
}

/* Adds one run, with its weight and the outcomes that it stands for. */
static int
odds_add(struct odds_work *w, double weight, double ways)
{
	struct odds_sums *sums = &w->sums;
	double loss[2] = {0, 0};
	struct odds *out = w->out;
	size_t i, k, n, side;
	const char *word;
	int r;

	w->sys->outcome(w->c, &w->outcome);
	word = w->outcome.whole;
	if (w->runs == 0)
		w->out->n_units = w->outcome.n_units;
	if (w->outcome.n_units != w->out->n_units)
		return (err_set(w->e, ERR_FAULT, NULL,
		    "the outcome tells of other units than before"));
	for (i = 0; i < w->outcome.n_units; i++) {
		if ((r = odds_add_unit(w, i, weight)) != 0)
			return (r);
		loss[w->outcome.units[i].side] += w->outcome.units[i].loss;
	}
	for (side = 0; side < 2; side++) {
		odds_spread_add(w, &sums->sides[side].loss, loss[side], weight);
		odds_spread_add(
		    w, &sums->sides[side].hits, w->outcome.hits[side], weight);
		for (k = 0; w->sys->policies[k].kind != NULL; k++) {
			if (w->is_asked[side][k])
				sums->asked[side][k] += weight;
		}
	}
	for (k = 0; k < out->n_whole; k++) {
		if (strncmp(out->whole[k].word, word, ODDS_WORD_MAX) == 0)
			break;
	}
	if (k == out->n_whole && k < ODDS_WHOLE_MAX) {
		n = strnlen(word, ODDS_WORD_MAX);
		memcpy(out->whole[k].word, word, n);
		out->whole[k].word[n] = '\0';
		out->n_whole++;
	}
	if (k == ODDS_WHOLE_MAX)
		w->sums.other += weight;
	else
		w->sums.whole[k] += weight;
	sums->weight += weight;
	sums->ways += ways;
	w->runs++;
	return (0);
}

/* Fights the combat once with the dice as they are. */
static int
odds_run(struct odds_work *w)
{
	int r;

	memset(w->is_asked, 0, sizeof(w->is_asked));
	memset(w->used, 0, sizeof(w->used));
	w->met = 0;
	w->has_met = false;
	combat_reset(w->c);
	odds_dice_begin(&w->dice);
	if ((r = combat_run(w->c, &w->dice.source, w->e)) != 0)
		return (r);
	if (combat_status(w->c) != COMBAT_RESOLVED)
		return (
		    err_set(w->e, ERR_FAULT, NULL, "the combat does not end"));
	return (0);
}

/* Tells of progress now and then. */
static int
odds_tell(const struct odds_work *w, double done)
{
	const uint64_t done_so_far = w->out->is_exact ? w->walked : w->runs;

	if (w->progress == NULL || done_so_far % ODDS_STEP != 0)
		return (0);
	return (w->progress->tell(w->progress->arg, done));
}

/* ---- figures ---- */

/* A square root, by Newton's method; librules does without libm. */
static double
odds_sqrt(double x)
{
	double next, root = x > 1 ? x : 1;

	if (x <= 0)
		return (0);
	/* It falls until rounding stops it. */
	for (;;) {
		next = (root + x / root) / 2;
		if (next >= root)
			return (root);
		root = next;
	}
}

/* Works a probability out. */
static void
odds_share(const struct odds_work *w, double sum, struct odds_share *out)
{
	const double z = ODDS_Z;
	double half, mid, n = (double)w->runs, p;

	p = (double)(sum / w->sums.weight);
	out->p = out->low = out->high = p;
	if (w->out->is_exact)
		return;
	mid = (p + z * z / (2 * n)) / (1 + z * z / n);
	half = z / (1 + z * z / n) *
	    odds_sqrt(p * (1 - p) / n + z * z / (4 * n * n));
	/* Rounding must not put a bound beyond the figure. */
	out->low = mid - half < p && p > 0 ? mid - half : p;
	out->high = mid + half > p && p < 1 ? mid + half : p;
}

/* Works a mean out. */
static void
odds_mean(const struct odds_work *w, const struct odds_spread *s,
    struct odds_mean *out)
{
	double more = s->sum / w->sums.weight, variance;
	double half, n = (double)w->runs;

	variance = s->square / w->sums.weight - more * more;
	if (variance < 0)
		variance = 0; /* by rounding */
	if (!w->out->is_exact)
		variance = variance * w->runs / (w->runs - 1);
	out->mean = out->low = out->high = s->first + more;
	out->variance = variance;
	if (w->out->is_exact)
		return;
	half = ODDS_Z * odds_sqrt(out->variance / n);
	out->low -= half;
	out->high += half;
}

/* Works out the figures of all sums. */
static void
odds_figures(const struct odds_work *w)
{
	const struct odds_sums *sums = &w->sums;
	struct odds *out = w->out;
	size_t i, k;

	for (i = 0; i < out->n_units; i++) {
		for (k = 0; k < w->n_ends; k++)
			odds_share(
			    w, sums->units[i].ends[k], &out->units[i].ends[k]);
		for (k = 0; k < ODDS_LOSS_MAX + 2; k++)
			odds_share(w, sums->units[i].losses[k],
			    &out->units[i].losses[k]);
		odds_mean(w, &sums->units[i].loss, &out->units[i].loss);
	}
	for (i = 0; i < 2; i++) {
		odds_mean(w, &sums->sides[i].loss, &out->sides[i].loss);
		odds_mean(w, &sums->sides[i].hits, &out->sides[i].hits);
		for (k = 0; w->sys->policies[k].kind != NULL; k++)
			odds_share(w, sums->asked[i][k], &out->asked[i][k]);
	}
	for (i = 0; i < out->n_whole; i++)
		odds_share(w, sums->whole[i], &out->whole[i].share);
	odds_share(w, sums->other, &out->other);
	out->runs = w->runs;
	if (out->is_exact)
		out->runs = sums->ways < (double)ODDS_MOST
		    ? (uint64_t)sums->ways
		    : ODDS_MOST;
	out->walked = w->walked;
}

/* ---- the two ways ---- */

/* Makes ready for runs; the caller calls odds_end() after success. */
static int
odds_begin(struct combat *c, const struct odds_policy *policy,
    const struct odds_progress *progress, bool is_exact, struct odds_work **out,
    struct errinfo *e)
{
	struct odds_work *w;

	if ((w = calloc(1, sizeof(*w))) == NULL)
		return (ERR_NOMEM);
	if ((w->out = calloc(1, sizeof(*w->out))) == NULL) {
		free(w);
		return (ERR_NOMEM);
	}
	w->c = c;
	w->sys = combat_system(c);
	w->policy = policy;
	w->progress = progress;
	w->out->is_exact = is_exact;
	w->e = e;
	while (w->sys->ends[w->n_ends] != NULL)
		w->n_ends++;
	assert(w->n_ends <= ODDS_ENDS_MAX);
	w->decider.decide = odds_decide_cb;
	w->decider.arg = w;
	combat_set_policy(c, &w->decider);
	*out = w;
	return (0);
}

/* Gives the figures if r is 0, and puts everything back; returns r. */
static int
odds_end(struct odds_work *w, int r, struct odds *out)
{
	if (r == 0) {
		odds_figures(w);
		*out = *w->out;
	}
	combat_set_policy(w->c, NULL);
	combat_reset(w->c);
	odds_layer_clear(&w->next);
	free(w->out);
	free(w);
	return (r);
}

/* The probability of the outcome that the dice show. */
static double
odds_weight(const struct odds_work *w)
{
	const struct odds_layer_node *from = w->from;
	double weight = w->dice.ways / w->dice.count;

	if (from == NULL)
		return (weight);
	return (from->weight * weight * from->path_count / from->path_ways);
}

/* How many outcomes it stands for. */
static double
odds_ways(const struct odds_work *w)
{
	const struct odds_layer_node *from = w->from;

	if (from == NULL)
		return (w->dice.ways);
	return (from->ways * w->dice.ways / from->path_ways);
}

/*
 * Where outcomes meet: the next meeting after what the walk goes on from ends
 * the run, which goes on with those that came there like it.
 */
static int
odds_meet_cb(void *arg, unsigned at, const void *matters, size_t len)
{
	unsigned char bytes[ODDS_MATTERS];
	struct odds_work *w = arg;
	size_t n = 0;
	int r;

	w->is_met = true;
	if (w->met++ < w->depth)
		return (0);
	if (len >
	    sizeof(bytes) - sizeof(w->is_asked) - sizeof(w->used) - sizeof(at))
		return (err_set(
		    w->e, ERR_FAULT, NULL, "too much matters in the combat"));
	memcpy(bytes, w->is_asked, sizeof(w->is_asked));
	n += sizeof(w->is_asked);
	memcpy(bytes + n, w->used, sizeof(w->used));
	n += sizeof(w->used);
	memcpy(bytes + n, &at, sizeof(at));
	n += sizeof(at);
	memcpy(bytes + n, matters, len);
	if ((r = odds_layer_add(&w->next, bytes, n + len, &w->dice,
		 odds_weight(w), odds_ways(w))) != 0)
		return (r);
	w->has_met = true;
	return (ERR_NOTFOUND);
}

/*
 * Estimates from a few combats how many outcomes there are: the mean of what
 * each would make of them is right on average (Knuth, 1975).
 */
static int
odds_estimate(struct odds_work *w, double *outcomes)
{
	double sum = 0;
	int i, r;

	odds_dice_seed(&w->dice, ODDS_PROBES_SEED);
	w->dice.meet = odds_meet_cb;
	w->dice.meet_arg = w;
	w->depth = SIZE_MAX; /* it goes to the end */
	for (i = 0; i < ODDS_PROBES; i++) {
		if ((r = odds_run(w)) != 0)
			return (r);
		sum += w->dice.count;
	}
	w->depth = 0;
	*outcomes = sum / ODDS_PROBES;
	return (0);
}

/* A walk that is gone in steps. */
struct odds_walk {
	struct odds_work *w; /* owned */
	struct odds_layer layer; /* those that are gone on from */
	size_t i; /* and the one of them; none of the first walk */
	uint64_t budget; /* runs of all steps, */
	uint64_t asked; /* and what the caller set */
};

/* Begins with all outcomes that begin as `from` (NULL: all). */
static void
odds_walk_from(struct odds_work *w, const struct odds_layer_node *from)
{
	odds_dice_walk(&w->dice);
	w->dice.meet = odds_meet_cb;
	w->dice.meet_arg = w;
	w->from = from;
	if (from != NULL)
		odds_dice_walk_from(
		    &w->dice, from->shows, from->sides, from->n);
}

/* Fights the outcome that the dice show, to its end or where it meets others.
 */
static int
odds_walk_run(struct odds_work *w)
{
	int r = odds_run(w);

	if (r == 0)
		r = odds_add(w, odds_weight(w), odds_ways(w));
	else if (w->has_met || w->dice.is_nothing)
		r = 0;
	if (r == 0)
		r = odds_tell(w, (double)w->sums.weight);
	return (r);
}

/* Goes on to what meets next; false: there is nothing more. */
static bool
odds_walk_on(struct odds_walk *k)
{
	struct odds_work *w = k->w;

	if (k->i < k->layer.n) {
		odds_walk_from(w, k->layer.nodes[k->i++]);
		return (true);
	}
	odds_layer_clear(&k->layer);
	if (w->next.n == 0)
		return (false);
	k->layer = w->next;
	memset(&w->next, 0, sizeof(w->next));
	w->depth++;
	odds_walk_from(w, k->layer.nodes[0]);
	k->i = 1;
	return (true);
}

/* Begins a walk. */
static int
odds_walk_begin(struct odds_walk *k, struct combat *c,
    const struct odds_policy *policy, uint64_t budget,
    const struct odds_progress *progress, struct errinfo *e)
{
	const struct rules_system *sys = combat_system(c);
	const struct js_at at = {.name = "policy"};
	struct js_at at_side = {.up = &at};
	enum combat_side side;
	const char *kind;
	double outcomes;
	int i, r;

	if ((kind = odds_policy_random(sys, policy, &side)) != NULL) {
		/* It is said of both sides, or of one. */
		at_side.name = question_side(side);
		i = odds_policy_find(sys, kind);
		return (js_fail_member(
		    policy->word[0][i] == policy->word[1][i] ? &at : &at_side,
		    kind, e,
		    "\"random\" leaves answers to chance: the odds can only be "
		    "sampled then"));
	}
	memset(k, 0, sizeof(*k));
	if ((r = odds_begin(c, policy, progress, true, &k->w, e)) != 0)
		return (r);
	k->budget = k->asked = budget;
	if ((r = odds_estimate(k->w, &outcomes)) != 0) {
		return (odds_end(k->w, r, NULL));
	}
	/* Where outcomes meet it says little, and a try must not take long. */
	if (!k->w->is_met && outcomes > (double)budget * ODDS_FAR)
		k->budget = 0;
	else if (k->w->is_met && outcomes > (double)budget && budget > ODDS_TRY)
		k->budget = budget / 8 > ODDS_TRY ? budget / 8 : ODDS_TRY;
	odds_walk_from(k->w, NULL);
	return (0);
}

int
odds_walk_new(struct combat *c, const struct odds_policy *policy,
    uint64_t budget, const struct odds_progress *progress,
    struct odds_walk **out, struct errinfo *e)
{
	struct odds_walk *k;
	int r;

	if ((k = calloc(1, sizeof(*k))) == NULL)
		return (ERR_NOMEM);
	if ((r = odds_walk_begin(k, c, policy, budget, progress, e)) != 0)
		free(k);
	else
		*out = k;
	return (r);
}

int
odds_walk_step(struct odds_walk *k, uint64_t runs)
{
	struct odds_work *w = k->w;
	int r;

	for (; runs > 0; runs--) {
		if (w->walked++ == k->budget)
			return (err_set(w->e, ERR_TOOBIG, NULL,
			    "the dice have more than %llu outcomes",
			    (unsigned long long)k->asked));
		if ((r = odds_walk_run(w)) != 0)
			return (r);
		if (!odds_dice_next(&w->dice) && !odds_walk_on(k))
			return (0);
	}
	return (ERR_BUSY);
}

/* Ends a walk: r as of odds_end(). */
static int
odds_walk_over(struct odds_walk *k, int r, struct odds *out)
{
	odds_layer_clear(&k->layer);
	return (odds_end(k->w, r, out));
}

void
odds_walk_end(struct odds_walk *k, struct odds *out)
{
	(void)odds_walk_over(k, 0, out);
	free(k);
}

void
odds_walk_free(struct odds_walk *k)
{
	if (k == NULL)
		return;
	(void)odds_walk_over(k, ERR_BUSY, NULL);
	free(k);
}

int
odds_exact(struct combat *c, const struct odds_policy *policy, uint64_t budget,
    const struct odds_progress *progress, struct odds *out, struct errinfo *e)
{
	struct odds_walk k;
	int r;

	if ((r = odds_walk_begin(&k, c, policy, budget, progress, e)) != 0)
		return (r);
	return (odds_walk_over(&k, odds_walk_step(&k, UINT64_MAX), out));
}

int
odds_sample(struct combat *c, const struct odds_policy *policy, uint64_t n,
    uint64_t seed, const struct odds_progress *progress, struct odds *out,
    struct errinfo *e)
{
	struct odds_work *w;
	int r;

	assert(n >= ODDS_SAMPLES_MIN);
	if ((r = odds_begin(c, policy, progress, false, &w, e)) != 0)
		return (r);
	w->out->seed = seed;
	odds_dice_seed(&w->dice, seed);
	while (r == 0 && w->runs < n) {
		if ((r = odds_run(w)) == 0 && (r = odds_add(w, 1, 1)) == 0)
			r = odds_tell(w, (double)w->runs / (double)n);
	}
	return (odds_end(w, r, out));
}
