/* SPDX-License-Identifier: ISC */
/*
 * The terms of a tournament, member by member (record S15.4), and what must
 * agree among them.
 */
#include "common/tournament/terms.h"

#include <string.h>

#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/entry.h"

#define TERMS_YEAR_S 31536000
#define TERMS_MONTH_S 2592000
#define TERMS_DAY_S 86400

const char *const terms_formats[] = {
    "swiss", "roundrobin", "knockout", "swiss+knockout", NULL};
const char *const terms_lates[] = {"director", "draw", "lose", "points", NULL};

static const struct js_at *const terms_at = &order_at_args;

bool
terms_has_swiss(const struct terms *t)
{
	return (t->format == TERMS_SWISS || t->format == TERMS_SWISS_KNOCKOUT);
}

bool
terms_has_knockout(const struct terms *t)
{
	return (
	    t->format == TERMS_KNOCKOUT || t->format == TERMS_SWISS_KNOCKOUT);
}

/* Reads a small number that may be missing. */
static int
terms_opt_int(const json_t *v, const char *name, const struct js_at *at, int lo,
    int hi, int *out, struct errinfo *e)
{
	int64_t n = *out;
	int r;

	if ((r = js_opt_int(v, name, at, lo, hi, &n, e)) == 0)
		*out = (int)n;
	return (r);
}

/* Reads a number that must be there. */
static int
terms_get_int(const json_t *v, const char *name, const struct js_at *at, int lo,
    int hi, int *out, struct errinfo *e)
{
	int64_t n;
	int r;

	if ((r = js_get_int(v, name, at, lo, hi, &n, e)) == 0)
		*out = (int)n;
	return (r);
}

/* Reads one of two words that may be missing: true for the second. */
static int
terms_opt_word(const json_t *v, const char *name, const struct js_at *at,
    const char *first, const char *second, bool *out, struct errinfo *e)
{
	const char *const words[] = {first, second, NULL};
	int i = *out ? 1 : 0, r;

	if ((r = js_opt_enum(v, name, at, words, &i, e)) == 0)
		*out = i == 1;
	return (r);
}

/* Reads an instant. */
static int
terms_instant(const char *s, const char *name, const struct js_at *at,
    int64_t *ms, struct errinfo *e)
{
	if (clock_parse(s, strlen(s), ms) == 0)
		return (0);
	return (js_fail_member(
	    at, name, e, "not a time as \"2026-11-20T18:04:00.000Z\""));
}

/* Reads who directs, and who may. */
static int
terms_read_directors(const json_t *args, struct terms *t, struct errinfo *e)
{
	static const char *const known[] = {
	    "account", "key", "keys", "kn", "kprev", "recovery", NULL};
	const struct js_at at = {terms_at, "director", 0};
	const json_t *v, *list = NULL;
	size_t i, k;
	int r;

	if ((r = js_get_object(args, "director", terms_at, &v, e)) != 0 ||
	    (r = js_members(v, &at, known, e)) != 0 ||
	    (r = order_account_parse(v, &at, &t->director, e)) != 0 ||
	    (r = js_opt_array(args, "deputies", terms_at, &list, e)) != 0)
		return (r);
	if (json_array_size(list) > TERMS_DEPUTIES_MAX)
		return (js_fail_member(terms_at, "deputies", e,
		    "at most %d accounts", TERMS_DEPUTIES_MAX));
	json_array_foreach(list, i, v)
	{
		const char *s = json_string_value(v);

		if (s == NULL || !order_is_account(s))
			return (js_fail_member(terms_at, "deputies", e,
			    "not a list of account names"));
		for (k = 0; k < i && strcmp(t->deputies[k], s) != 0; k++)
			continue;
		if (k < i || strcmp(s, t->director.account) == 0)
			return (js_fail_member(terms_at, "deputies", e,
			    "\"%.32s\" is named twice", s));
		t->deputies[i] = s;
	}
	t->n_deputies = json_array_size(list);
	return (0);
}

int
terms_witness_parse(const json_t *v, const struct js_at *at,
    struct terms_witness *w, struct errinfo *e)
{
	static const char *const known[] = {
	    "account", "key", "dice_key", "kn", "kprev", NULL};
	struct order_join j = {0};
	int r;

	if ((r = js_members(v, at, known, e)) != 0 ||
	    (r = order_player_parse(v, at, &j, e)) != 0)
		return (r);
	w->account = j.account;
	memcpy(w->key, j.key, SIGN_KEY_LEN);
	memcpy(w->dice_key, j.dice_key, VRF_KEY_LEN);
	return (0);
}

/* Reads the witness, which is there exactly where the options name one. */
static int
terms_read_witness(const json_t *args, struct terms *t, struct errinfo *e)
{
	const struct js_at at = {terms_at, "witness", 0};
	const json_t *v = NULL;
	size_t i;
	int r;

	if ((r = js_opt_object(args, "witness", terms_at, &v, e)) != 0)
		return (r);
	if ((v != NULL) != t->set.has_witness)
		return (js_fail_member(terms_at, "witness", e,
		    "must be there exactly if options.witness is"));
	if (v == NULL)
		return (0);
	if ((r = terms_witness_parse(v, &at, &t->witness, e)) != 0)
		return (r);
	t->has_witness = true;
	if (memcmp(t->witness.key, t->set.witness, SIGN_KEY_LEN) != 0)
		return (js_fail_member(
		    &at, "key", e, "not the key that options.witness names"));
	for (i = 0; i < t->n_deputies &&
	     strcmp(t->deputies[i], t->witness.account) != 0;
	     i++)
		continue;
	if (i < t->n_deputies ||
	    strcmp(t->witness.account, t->director.account) == 0)
		return (js_fail_member(
		    &at, "account", e, "a witness is no director"));
	return (0);
}

/* Reads who meets whom, and how often. */
static int
terms_read_format(const json_t *args, struct terms *t, struct errinfo *e)
{
	static const int most[] = {30, 2, 0, 30};
	int format, r;

	r = js_get_enum(args, "format", terms_at, terms_formats, &format, e);
	if (r != 0)
		return (r);
	t->format = (enum terms_format)format;
	if (format == TERMS_KNOCKOUT) {
		if (json_object_get(args, "rounds") != NULL)
			return (js_fail_member(terms_at, "rounds", e,
			    "a knockout has as many as it needs"));
	} else if ((r = terms_get_int(args, "rounds", terms_at, 1, most[format],
			&t->rounds, e)) != 0)
		return (r);
	if ((r = terms_opt_int(args, "cut", terms_at, 2, 32, &t->cut, e)) !=
		0 ||
	    (r = js_opt_bool(args, "third", terms_at, &t->has_third, e)) != 0 ||
	    (r = js_opt_bool(
		 args, "concurrent", terms_at, &t->is_concurrent, e)) != 0)
		return (r);
	if ((t->cut != 0) != (t->format == TERMS_SWISS_KNOCKOUT) ||
	    (t->cut & (t->cut - 1)) != 0)
		return (js_fail_member(terms_at, "cut", e,
		    "2, 4, 8, 16 or 32, exactly where a Swiss is followed by "
		    "a knockout"));
	if (json_object_get(args, "third") != NULL && !terms_has_knockout(t))
		return (js_fail_member(
		    terms_at, "third", e, "only where there is a knockout"));
	if (json_object_get(args, "concurrent") != NULL &&
	    t->format != TERMS_ROUNDROBIN)
		return (js_fail_member(
		    terms_at, "concurrent", e, "only in a round robin"));
	return (0);
}

/* Reads one scenario. */
static int
terms_read_scenario(const json_t *v, const struct js_at *at,
    struct terms_scenario *s, struct errinfo *e)
{
	static const char *const known[] = {
	    "name", "roster", "rulings", "tables", NULL};
	uint8_t hash[HASH_LEN];
	size_t i;
	int r;

	if ((r = js_members(v, at, known, e)) != 0 ||
	    (r = js_get_str(v, "name", at, &s->name, e)) != 0 ||
	    (r = js_get_hex(v, "roster", at, hash, HASH_LEN, e)) != 0 ||
	    (r = js_get_object(v, "rulings", at, &s->rulings, e)) != 0 ||
	    (r = js_get_array(v, "tables", at, &s->tables, e)) != 0)
		return (r);
	s->roster = json_object_get(v, "roster");
	if (!order_is_event(s->name))
		return (js_fail_member(
		    at, "name", e, "not 1 to 64 printable ASCII characters"));
	for (i = 0; i < json_array_size(s->tables); i++) {
		if (js_element_hex(s->tables, i, hash, HASH_LEN) != 0)
			return (js_fail_member(
			    at, "tables", e, "not a list of blob hashes"));
	}
	return (0);
}

/* Reads what every game is played by. */
static int
terms_read_games(const json_t *args, struct terms *t, struct errinfo *e)
{
	const struct js_at list_at = {terms_at, "scenarios", 0};
	struct js_at at = {&list_at, NULL, 0};
	const json_t *list, *v;
	int r;

	if ((r = js_get_str(args, "system", terms_at, &t->system, e)) != 0 ||
	    (r = js_get_str(args, "rules", terms_at, &t->rules, e)) != 0 ||
	    (r = order_settings_parse(args, &t->set, e)) != 0)
		return (r);
	if (json_object_get(json_object_get(args, "options"), "seats") != NULL)
		return (js_fail_member(terms_at, "options.seats", e,
		    "the games of a tournament have two"));
	r = js_get_array(args, "scenarios", terms_at, &list, e);
	if (r != 0)
		return (r);
	if (json_array_size(list) < 1 ||
	    json_array_size(list) > TERMS_SCENARIOS_MAX)
		return (js_fail_member(terms_at, "scenarios", e,
		    "a list of 1 to %d", TERMS_SCENARIOS_MAX));
	json_array_foreach(list, at.index, v)
	{
		r = terms_read_scenario(v, &at, &t->scenarios[at.index], e);
		if (r != 0)
			return (r);
	}
	t->n_scenarios = json_array_size(list);
	return (js_opt_bool(args, "mirror", terms_at, &t->is_mirror, e));
}

/* Reads what results are worth. */
static int
terms_read_points(const json_t *args, struct terms *t, struct errinfo *e)
{
	static const char *const known[] = {"win", "draw", "loss", NULL};
	const struct js_at at = {terms_at, "points", 0};
	struct terms_points *p = &t->points;
	const json_t *v = NULL;
	bool is_half = false;
	int r;

	*p = (struct terms_points){.win = 2, .draw = 1};
	t->resign = 500;
	if ((r = js_opt_object(args, "points", terms_at, &v, e)) != 0)
		return (r);
	if (v != NULL &&
	    ((r = js_members(v, &at, known, e)) != 0 ||
		(r = terms_get_int(v, "win", &at, 0, 20, &p->win, e)) != 0 ||
		(r = terms_get_int(v, "draw", &at, 0, 20, &p->draw, e)) != 0 ||
		(r = terms_get_int(v, "loss", &at, 0, 20, &p->loss, e)) != 0))
		return (r);
	if (p->loss > p->draw || p->draw >= p->win ||
	    2 * p->draw > p->win + p->loss)
		return (js_fail_member(terms_at, "points", e,
		    "loss is not above draw, draw is below win, and two draws "
		    "are not above a win and a loss"));
	if (json_object_get(args, "bye") == NULL)
		return (js_fail_member(terms_at, "bye", e, "is missing"));
	if ((r = terms_opt_word(
		 args, "bye", terms_at, "win", "draw", &is_half, e)) != 0)
		return (r);
	p->bye = is_half ? p->draw : p->win;
	is_half = false;
	if ((r = terms_opt_word(args, "bye_points", terms_at, "zero", "half",
		 &is_half, e)) != 0)
		return (r);
	p->asked = is_half ? p->draw : 0;
	return (
	    terms_opt_int(args, "resign", terms_at, 0, 1000, &t->resign, e));
}

bool
terms_may_tie(enum terms_format format, enum tiebreak tie)
{
	switch (tie) {
	case TIEBREAK_BH:
	case TIEBREAK_BH_C1:
	case TIEBREAK_BH_C2:
	case TIEBREAK_BH_M1:
	case TIEBREAK_FB:
		return (
		    format == TERMS_SWISS || format == TERMS_SWISS_KNOCKOUT);
	case TIEBREAK_SB:
	case TIEBREAK_DE:
		return (format != TERMS_KNOCKOUT);
	default:
		return (true);
	}
}

/* The tie-breaks where the terms name none. */
static void
terms_default_ties(struct terms *t)
{
	static const enum tiebreak swiss[] = {TIEBREAK_DE, TIEBREAK_BH_C1,
	    TIEBREAK_BH, TIEBREAK_BPA, TIEBREAK_WON};
	static const enum tiebreak roundrobin[] = {
	    TIEBREAK_DE, TIEBREAK_SB, TIEBREAK_WON, TIEBREAK_BPA};
	size_t i;

	if (terms_has_swiss(t)) {
		memcpy(t->ties, swiss, sizeof(swiss));
		t->n_ties = sizeof(swiss) / sizeof(swiss[0]);
	} else if (t->format == TERMS_ROUNDROBIN) {
		memcpy(t->ties, roundrobin, sizeof(roundrobin));
		t->n_ties = sizeof(roundrobin) / sizeof(roundrobin[0]);
	}
	for (i = 0; t->is_mirror && i < t->n_ties; i++) {
		if (t->ties[i] == TIEBREAK_BPA)
			t->ties[i] = TIEBREAK_BP;
	}
}

/* Reads what parts equals. */
static int
terms_read_ties(const json_t *args, struct terms *t, struct errinfo *e)
{
	const json_t *list = NULL, *v;
	enum tiebreak tie;
	size_t i, k;
	int r;

	if ((r = js_opt_array(args, "ties", terms_at, &list, e)) != 0 ||
	    (r = js_opt_bool(args, "lots", terms_at, &t->parts_by_lot, e)) != 0)
		return (r);
	if (list == NULL) {
		terms_default_ties(t);
		return (0);
	}
	json_array_foreach(list, i, v)
	{
		if (i >= TIEBREAK_N || !json_is_string(v) ||
		    tiebreak_find(json_string_value(v), json_string_length(v),
			&tie) != 0 ||
		    strcmp(tiebreak_def(tie)->code, json_string_value(v)) != 0)
			return (js_fail_member(terms_at, "ties", e,
			    "not a list of codes of tie-breaks"));
		for (k = 0; k < i && t->ties[k] != tie; k++)
			continue;
		if (k < i)
			return (js_fail_member(terms_at, "ties", e,
			    "\"%s\" is listed twice", json_string_value(v)));
		if (!terms_may_tie(t->format, tie))
			return (js_fail_member(terms_at, "ties", e,
			    "\"%s\" says nothing in this format",
			    json_string_value(v)));
		t->ties[i] = tie;
	}
	t->n_ties = json_array_size(list);
	return (0);
}

/* Reads who may enter, and until when. */
static int
terms_read_entry(const json_t *args, struct terms *t, struct errinfo *e)
{
	static const char *const known[] = {
	    "until", "max", "admit", "late", "late_points", NULL};
	static const char *const admits[] = {"open", "director", NULL};
	static const char *const seeds[] = {"lots", "rating", NULL};
	const struct js_at at = {terms_at, "entry", 0};
	const char *until;
	const json_t *v;
	int admit, seed, r;

	if ((r = js_get_object(args, "entry", terms_at, &v, e)) != 0 ||
	    (r = js_members(v, &at, known, e)) != 0 ||
	    (r = js_get_str(v, "until", &at, &until, e)) != 0 ||
	    (r = terms_instant(until, "until", &at, &t->until_ms, e)) != 0 ||
	    (r = terms_get_int(
		 v, "max", &at, 2, TERMS_ENTRANTS_MAX, &t->max, e)) != 0 ||
	    (r = js_get_enum(v, "admit", &at, admits, &admit, e)) != 0 ||
	    (r = terms_opt_int(v, "late", &at, 0, 30, &t->late, e)) != 0 ||
	    (r = terms_opt_word(v, "late_points", &at, "zero", "half",
		 &t->late_half, e)) != 0 ||
	    (r = js_get_enum(args, "seed", terms_at, seeds, &seed, e)) != 0)
		return (r);
	if (t->late > 0 && !terms_has_swiss(t))
		return (js_fail_member(
		    &at, "late", e, "only a Swiss takes late entries"));
	t->admits = admit == 1;
	t->is_rated = seed == 1;
	return (0);
}

/* Reads the dates before which rounds are not paired. */
static int
terms_read_dates(const json_t *args, struct terms *t, struct errinfo *e)
{
	const json_t *list = NULL, *v;
	size_t i;
	int r;

	r = js_opt_array(args, "dates", terms_at, &list, e);
	if (r != 0 || list == NULL)
		return (r);
	if (json_array_size(list) < 1 ||
	    json_array_size(list) > TERMS_DATES_MAX)
		return (js_fail_member(terms_at, "dates", e,
		    "a list of 1 to %d times", TERMS_DATES_MAX));
	json_array_foreach(list, i, v)
	{
		r = terms_instant(json_is_string(v) ? json_string_value(v) : "",
		    "dates", terms_at, &t->dates[i], e);
		if (r != 0)
			return (r);
		if (i > 0 && t->dates[i] <= t->dates[i - 1])
			return (js_fail_member(
			    terms_at, "dates", e, "each must be later"));
	}
	t->n_dates = json_array_size(list);
	return (0);
}

/* Reads how long things may take, and what becomes of them then. */
static int
terms_read_times(const json_t *args, struct terms *t, struct errinfo *e)
{
	const struct js_at *const at = terms_at;
	int late, r;

	t->gap_s = t->notice_s = TERMS_DAY_S;
	t->review_s = t->protest_s = 2 * TERMS_DAY_S;
	t->ruling_s = 14 * TERMS_DAY_S;
	t->margin = 100;
	t->out_after = 1;
	if ((r = js_get_int(args, "checkin_s", at, 3600, TERMS_YEAR_S,
		 &t->checkin_s, e)) != 0 ||
	    (r = js_get_int(args, "start_s", at, 3600, TERMS_YEAR_S,
		 &t->start_s, e)) != 0 ||
	    (r = js_opt_int(
		 args, "gap_s", at, 0, TERMS_MONTH_S, &t->gap_s, e)) != 0 ||
	    (r = terms_read_dates(args, t, e)) != 0 ||
	    (r = js_get_int(args, "round_s", at, TERMS_DAY_S, TERMS_YEAR_S,
		 &t->round_s, e)) != 0 ||
	    (r = js_get_enum(args, "late", at, terms_lates, &late, e)) != 0 ||
	    (r = terms_opt_int(args, "margin", at, 1, 1000, &t->margin, e)) !=
		0 ||
	    (r = js_opt_int(args, "notice_s", at, 0, 7 * TERMS_DAY_S,
		 &t->notice_s, e)) != 0 ||
	    (r = terms_opt_int(args, "byes", at, 0, 9, &t->byes, e)) != 0 ||
	    (r = terms_opt_int(
		 args, "out_after", at, 1, 9, &t->out_after, e)) != 0 ||
	    (r = terms_opt_int(args, "apart", at, 0, 30, &t->apart, e)) != 0 ||
	    (r = terms_opt_word(args, "pair", at, "anybody", "director",
		 &t->pairs_director, e)) != 0 ||
	    (r = js_opt_int(args, "review_s", at, 0, TERMS_MONTH_S,
		 &t->review_s, e)) != 0 ||
	    (r = js_opt_int(args, "protest_s", at, 0, TERMS_MONTH_S,
		 &t->protest_s, e)) != 0 ||
	    (r = js_opt_int(args, "ruling_s", at, TERMS_DAY_S, TERMS_YEAR_S,
		 &t->ruling_s, e)) != 0)
		return (r);
	t->late_rule = (enum terms_late)late;
	return (0);
}

/* Reads which tournament of another server goes on here (S21.4). */
static int
terms_read_continues(const json_t *args, struct terms *t, struct errinfo *e)
{
	static const char *const known[] = {
	    "tournament", "server", "seq", "line", NULL};
	const struct js_at at = {terms_at, "continues", 0};
	struct terms_continues *c = &t->continues;
	const json_t *v = NULL;
	int r;

	r = js_opt_object(args, "continues", terms_at, &v, e);
	if (r != 0 || v == NULL)
		return (r);
	if ((r = js_members(v, &at, known, e)) != 0 ||
	    (r = js_get_hex(
		 v, "tournament", &at, c->tournament, HASH_LEN, e)) != 0 ||
	    (r = js_get_hex(v, "server", &at, c->server, SIGN_KEY_LEN, e)) !=
		0 ||
	    (r = js_get_int(v, "seq", &at, 0, JS_INT_MAX, &c->seq, e)) != 0 ||
	    (r = js_get_hex(v, "line", &at, c->line, HASH_LEN, e)) != 0)
		return (r);
	t->has_continues = true;
	return (0);
}

int
terms_parse(const struct entry *o, struct terms *out, struct errinfo *e)
{
	const json_t *const args = o->args;
	struct terms t = {.args = args};
	int r;

	if ((r = entry_check_known(o, e)) != 0 ||
	    (r = js_get_str(args, "event", terms_at, &t.event, e)) != 0)
		return (r);
	if (!order_is_event(t.event))
		return (js_fail_member(terms_at, "event", e,
		    "not 1 to 64 printable ASCII characters"));
	/* The director sits in no game; what names one needs options.director.
	 */
	t.set.who.seat = 1;
	if ((r = terms_read_directors(args, &t, e)) != 0 ||
	    (r = terms_read_games(args, &t, e)) != 0 ||
	    (r = terms_read_witness(args, &t, e)) != 0 ||
	    (r = terms_read_format(args, &t, e)) != 0 ||
	    (r = terms_read_points(args, &t, e)) != 0 ||
	    (r = terms_read_ties(args, &t, e)) != 0 ||
	    (r = terms_read_entry(args, &t, e)) != 0 ||
	    (r = terms_read_times(args, &t, e)) != 0 ||
	    (r = terms_read_continues(args, &t, e)) != 0)
		return (r);
	*out = t;
	return (0);
}
