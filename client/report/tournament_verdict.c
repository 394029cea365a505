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

/* Looks at one that holds. */
static void
tournament_verdict_look(struct tournament_verdict *tv)
{
	struct buf b;

	buf_init(&b, 0);
	if (tournament_view(tv->t, &b) != 0)
		xalloc_die();
	tv->view = xalloc_json(json_loadb(b.data, b.len, 0, NULL));
	buf_clear(&b);
	tournament_looks_find(&tv->looks, tv->t, tv->view, tv->bytes, tv->len);
}

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
	tournament_looks_init(&tv->looks);
	with.is_whole = true;
	if (!opt->no_games) {
		with.seen = tournament_looks_seen_cb;
		with.seen_arg = &tv->looks;
	}
	r = verify_former_bytes(
	    bytes, len, before, &with, &tv->rep, &tv->t, &tv->why);
	tv->is_bad = r == ERR_BAD;
	if (r == 0 && tv->t != NULL)
		tournament_verdict_look(tv);
	if (r == 0 || r == ERR_BAD)
		return (0);
	*e = tv->why;
	return (r);
}

void
tournament_verdict_clear(struct tournament_verdict *tv)
{
	tournament_free(tv->t);
	json_decref(tv->view);
	tournament_looks_clear(&tv->looks);
	tv->t = NULL;
	tv->view = NULL;
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
	return (verdict_bad(tv->rep.file_line, &tv->why));
}

const char *
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
	json_t *v;
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
	v = xalloc_json(js_made(v, bad));
	if (tv->view != NULL) {
		xalloc_set(v, "tournament", json_incref(tv->view));
		tournament_looks_json(&tv->looks, v);
		xalloc_set(
		    v, "clocks", clocks_tournament_json(tv->bytes, tv->len));
	}
	return (v);
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

/* Why one cannot be judged here. */
static void
tournament_verdict_unchecked(struct out *o, const struct tournament_verdict *tv)
{
	char *s = xalloc_printf("line %lld: %s",
	    (long long)tv->rep.unchecked_line, tv->rep.unchecked.text);

	out_row(o, "why", s);
	free(s);
	out_row(
	    o, "", "the chain, the marks and all that could be checked hold");
}

void
tournament_verdict_print(struct out *o, const struct tournament_verdict *tv)
{
	const struct verify_tournament_report *rep = &tv->rep;
	const json_t *state = tv->view;
	char head[2 * HASH_LEN + 1];

	out_title(o, "%s: %s, %s", tv->name,
	    rep->is_unchecked ? "not checkable here" : "good",
	    rep->is_over ? "over" : "unfinished");
	if (rep->is_unchecked)
		tournament_verdict_unchecked(o, tv);
	if (state == NULL)
		return;
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
	tournament_looks_print(o, &tv->looks);
	if (json_array_size(tv->looks.list) == 0 && !rep->is_unchecked)
		out_row(o, "look at", "nothing: no more than its games");
	clocks_tournament_print(o, tv->bytes, tv->len);
	tournament_verdict_standings(o, tv->t, state);
}
