/* SPDX-License-Identifier: ISC */
#include "client/report/tournament_verdict.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/clocks.h"
#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"

int
tournament_verdict_make(struct tournament_verdict *tv, const char *name,
    const char *bytes, size_t len, const struct verify_former_set *before,
    const struct verify_tournament_options *opt, struct errinfo *e)
{
	struct verify_tournament_options with = *opt;
	int r;

	memset(tv, 0, sizeof(*tv));
	tv->name = name;
	tv->bytes = bytes;
	tv->len = len;
	with.is_whole = true;
	r = verify_former_bytes(
	    bytes, len, before, &with, &tv->rep, &tv->t, &tv->why);
	tv->is_bad = r == ERR_BAD;
	if (r == 0 || r == ERR_BAD)
		return (0);
	*e = tv->why;
	return (r);
}

void
tournament_verdict_clear(struct tournament_verdict *tv)
{
	tournament_free(tv->t);
	tv->t = NULL;
}

int
tournament_verdict_status(const struct tournament_verdict *tv)
{
	if (tv->is_bad)
		return (VERDICT_BAD);
	return (tv->rep.is_unchecked ? VERDICT_UNCHECKED : VERDICT_GOOD);
}

char *
tournament_verdict_doubt(const struct tournament_verdict *tv)
{
	if (!tv->is_bad)
		return (NULL);
	return (xalloc_printf("bad at line %lld: %s%s%s",
	    (long long)tv->rep.file_line, tv->why.where,
	    tv->why.where[0] == '\0' ? "" : ": ", tv->why.text));
}

/* A word for the verdict. */
static const char *
tournament_verdict_word(const struct tournament_verdict *tv)
{
	if (tv->is_bad)
		return ("bad");
	return (tv->rep.is_unchecked ? "unchecked" : "good");
}

json_t *
tournament_verdict_json(const struct tournament_verdict *tv)
{
	const struct verify_tournament_report *rep = &tv->rep;
	json_t *v, *state = NULL;
	struct buf b;
	int bad = 0;

	v = json_pack("{s:s, s:I, s:i, s:I, s:b}", "verdict",
	    tournament_verdict_word(tv), "lines", (json_int_t)rep->lines,
	    "games", rep->games, "dice", (json_int_t)rep->rolls, "over",
	    rep->is_over);
	if (tv->is_bad) {
		bad |= json_object_set_new(
		    v, "line", json_integer(rep->file_line));
		bad |=
		    json_object_set_new(v, "where", json_string(tv->why.where));
		bad |= json_object_set_new(v, "why", json_string(tv->why.text));
	} else if (rep->is_unchecked) {
		bad |= json_object_set_new(
		    v, "line", json_integer(rep->unchecked_line));
		bad |= json_object_set_new(
		    v, "why", json_string(rep->unchecked.text));
	}
	buf_init(&b, 0);
	if (!tv->is_bad && tv->t != NULL && tournament_view(tv->t, &b) == 0)
		state = json_loadb(b.data, b.len, 0, NULL);
	buf_clear(&b);
	if (state != NULL) {
		bad |= json_object_set_new(v, "tournament", state);
		bad |= json_object_set_new(
		    v, "clocks", clocks_tournament_json(tv->bytes, tv->len));
	}
	return (xalloc_json(js_made(v, bad)));
}

/* The text of a record's side lines with this reference; new, NULL. */
static char *
tournament_verdict_text(const struct tournament_verdict *tv, const char *ref)
{
	const char *at = tv->bytes, *end = at + tv->len;
	char hex[2 * HASH_LEN + 1], *text = NULL;
	struct record_side side;
	struct record_span s;

	while (text == NULL && record_next(&at, end, &s)) {
		if (!record_is_side(s.bytes, s.len) ||
		    record_side_parse(s.bytes, s.len, &side, NULL) != 0)
			continue;
		hex_format(hex, side.hash, HASH_LEN);
		if (!side.is_blob && strcmp(hex, ref) == 0)
			text = xalloc_strn(side.value, side.len);
		record_side_clear(&side);
	}
	return (text);
}

/* What directors decided and why, a line each. */
static void
tournament_verdict_rulings(
    struct out *o, const json_t *state, const struct tournament_verdict *tv)
{
	const json_t *list = json_object_get(state, "rulings"), *v;
	char *s, *why;
	size_t i;

	json_array_foreach(list, i, v)
	{
		why = tournament_verdict_text(tv, js_str(v, "why"));
		s = xalloc_printf("line %lld: %s, by %s: %s",
		    (long long)js_int(v, "line"), js_str(v, "form"),
		    js_str(v, "by"), why == NULL ? "(erased)" : why);
		out_mark(o, i == 0 ? "rulings" : "", s);
		free(s);
		free(why);
	}
}

/* Whether the director is among the entrants. */
static bool
tournament_verdict_plays(const json_t *state)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(state, "entrants"), i, v)
	{
		if (strcmp(js_str(v, "account"), js_str(state, "director")) ==
		    0)
			return (true);
	}
	return (false);
}

/* What else somebody should look at. */
static void
tournament_verdict_marks(struct out *o, const json_t *state)
{
	const json_t *v;
	char *s;
	size_t i;

	if (tournament_verdict_plays(state))
		out_mark(o, "plays", "the director does, too");
	if (json_is_true(json_object_get(state, "lots_without_witness")))
		out_mark(o, "lots", "drawn without the witness");
	json_array_foreach(json_object_get(state, "pairings"), i, v)
	{
		if (!json_is_true(json_object_get(v, "by_hand")))
			continue;
		s = xalloc_printf("round %lld, in line %lld",
		    (long long)js_int(v, "round"),
		    (long long)js_int(v, "line"));
		out_mark(o, "by hand", s);
		free(s);
	}
	json_array_foreach(json_object_get(state, "protests"), i, v)
	{
		if (json_is_true(json_object_get(v, "answered")))
			continue;
		s = xalloc_printf("about round %lld, in line %lld: no answer",
		    (long long)js_int(v, "round"),
		    (long long)js_int(v, "line"));
		out_mark(o, "protest", s);
		free(s);
	}
}

/* How many legs came to each result. */
static void
tournament_verdict_results(struct out *o, const json_t *state)
{
	int played = 0, drawn = 0, forfeits = 0, both = 0, awaited = 0;
	const json_t *round, *table, *leg;
	size_t i, k, n;
	const char *s;

	json_array_foreach(json_object_get(state, "pairings"), i, round)
	    json_array_foreach(json_object_get(round, "tables"), k, table)
		json_array_foreach(json_object_get(table, "legs"), n, leg)
	{
		if ((s = js_str(leg, "result")) == NULL)
			continue;
		played += *s == '1' || *s == '2';
		drawn += *s == '=';
		forfeits += *s == '+' || strcmp(s, "-") == 0;
		both += strcmp(s, "--") == 0;
		awaited += *s == '?';
	}
	out_print(o,
	    "  results  %d won, %d drawn, %d by forfeit, %d forfeited by both, "
	    "%d to be ruled\n",
	    played, drawn, forfeits, both, awaited);
}

/* The account of a number. */
static const char *
tournament_verdict_name(const struct tournament *t, const json_t *row)
{
	return (tournament_account(
	    t, (int)json_integer_value(json_array_get(row, 1))));
}

/* Half points as people write them: 3, 2.5. */
static char *
tournament_verdict_points(const json_t *v)
{
	const json_int_t half = json_integer_value(v);

	return (xalloc_printf(
	    "%lld%s", (long long)half / 2, half % 2 == 0 ? "" : ".5"));
}

/* Who stands where. */
static void
tournament_verdict_standings(
    struct out *o, const struct tournament *t, const json_t *state)
{
	const json_t *rows = json_object_get(state, "standings"), *row;
	char *points;
	size_t i;

	if (json_array_size(rows) == 0)
		return;
	out_print(o, "\n");
	json_array_foreach(rows, i, row)
	{
		points = tournament_verdict_points(json_array_get(row, 2));
		out_print(o, "  %4lld  %-32s %6s\n",
		    (long long)json_integer_value(json_array_get(row, 0)),
		    tournament_verdict_name(t, row), points);
		free(points);
	}
}

void
tournament_verdict_print(struct out *o, const struct tournament_verdict *tv)
{
	const struct verify_tournament_report *rep = &tv->rep;
	const struct tournament *t = tv->t;
	char head[2 * HASH_LEN + 1];
	json_t *state;
	struct buf b;

	out_title(o, "%s: %s, %s", tv->name,
	    rep->is_unchecked ? "not checkable here" : "good",
	    rep->is_over ? "over" : "unfinished");
	if (rep->is_unchecked)
		out_print(o, "  line %lld: %s\n",
		    (long long)rep->unchecked_line, rep->unchecked.text);
	if (t == NULL)
		return;
	buf_init(&b, 0);
	if (tournament_view(t, &b) != 0)
		xalloc_die();
	state = xalloc_json(json_loadb(b.data, b.len, 0, NULL));
	buf_clear(&b);
	hex_format(head, rep->head, HASH_LEN);
	out_row(o, "event", js_str(state, "event"));
	out_print(o, "  format   %s, %lld of %lld rounds paired\n",
	    js_str(state, "format"), (long long)js_int(state, "round"),
	    (long long)js_int(state, "rounds"));
	out_row(o, "director", js_str(state, "director"));
	out_print(o, "  head     %lld:%s\n", (long long)rep->lines - 1, head);
	out_print(o,
	    "  lines    %lld\n  games    %d verified\n"
	    "  dice     %lld checked\n",
	    (long long)rep->lines, rep->games, (long long)rep->rolls);
	tournament_verdict_results(o, state);
	tournament_verdict_marks(o, state);
	tournament_verdict_rulings(o, state, tv);
	clocks_tournament_print(o, tv->bytes, tv->len);
	tournament_verdict_standings(o, t, state);
	json_decref(state);
}
