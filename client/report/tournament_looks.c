/* SPDX-License-Identifier: ISC */
/*
 * What a line decided is read from the line; whether it still holds is asked of
 * the tournament as the last line leaves it.
 */
#include "client/report/tournament_looks.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/ruling.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/entry.h"
#include "common/tournament/entry_kind.h"
#include "common/tournament/terms.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_tournament.h"

#define TOURNAMENT_LOOKS_ROWS 12 /* of a kind that people are told */

/* The kinds, in the order in which they are told. */
static const struct tournament_looks_kind {
	const char *what; /* for programs */
	const char *label; /* for people */
	bool is_whole; /* all of them are told */
} tournament_looks_kinds[] = {
    {"plays", "plays", true},
    {"lots", "lots", true},
    {"restored", "lost", true},
    {"fault", "fault", true},
    {"closed", "closed", true},
    {"operator-key", "keys", true},
    {"older", "older", true},
    {"ruling", "rulings", true},
    {"by-hand", "by hand", true},
    {"forfeit", "forfeit", false},
    {"unruled", "unruled", false},
    {"awaited", "to rule", false},
    {"claim", "claims", false},
    {"protest", "protest", false},
    {"changed", "changed", false},
    {"missing", "not here", false},
    {"unchecked", "not read", false},
};

/* Going through a record. */
struct tournament_looks_work {
	struct tournament_looks *l;
	const struct tournament *t;
	const json_t *view;
	json_t *texts; /* owned: those that are there, by hash */
	json_t *named; /* owned: a set of those that lines name */
	json_t *given; /* owned: the line and how of results, by leg */
	json_t *found[sizeof(tournament_looks_kinds) /
	    sizeof(tournament_looks_kinds[0])]; /* owned: of each kind */
};

void
tournament_looks_init(struct tournament_looks *l)
{
	memset(l, 0, sizeof(*l));
	l->games = xalloc_json(json_array());
	l->list = xalloc_json(json_array());
}

void
tournament_looks_clear(struct tournament_looks *l)
{
	json_decref(l->games);
	json_decref(l->list);
	memset(l, 0, sizeof(*l));
}

void
tournament_looks_seen_cb(void *arg, const struct verify_tournament_seen *seen)
{
	struct tournament_looks *l = arg;
	json_t *v;

	v = xalloc_json(json_pack("{s:o, s:I, s:b, s:b, s:b, s:b, s:b, s:i}",
	    "game", xalloc_json(js_hex(seen->game, HASH_LEN)), "line",
	    (json_int_t)seen->seq, "is_missing", seen->r == ERR_MISSING,
	    "is_unchecked", seen->r == ERR_NEWER, "restored", seen->is_restored,
	    "fault", seen->is_faulty, "closed", seen->is_closed, "changes",
	    seen->changes));
	if (seen->r == ERR_NEWER)
		xalloc_set(v, "why", xalloc_json_str(seen->why->text));
	xalloc_append(l->games, v);
	l->changes += seen->changes;
	l->missing_in_games += seen->texts_missing;
}

/* Adds something of a kind: what and, if there are any, members (stolen). */
static void tournament_looks_add(struct tournament_looks_work *w,
    const char *what, json_t *members, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void
tournament_looks_add(struct tournament_looks_work *w, const char *what,
    json_t *members, const char *fmt, ...)
{
	json_t *v = xalloc_json(json_pack("{s:s}", "what", what));
	va_list ap;
	size_t i;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	if (members != NULL && json_object_update(v, members) != 0)
		xalloc_die();
	json_decref(members);
	xalloc_set(v, "text", xalloc_json_str(s));
	free(s);
	for (i = 0; strcmp(tournament_looks_kinds[i].what, what) != 0; i++)
		continue;
	xalloc_append(w->found[i], v);
}

/* Members that name a line. */
static json_t *
tournament_looks_line(int64_t line)
{
	return (xalloc_json(json_pack("{s:I}", "line", (json_int_t)line)));
}

/* A text that lines name: what it says, or that it is gone. */
static const char *
tournament_looks_text(const struct tournament_looks_work *w, const char *ref)
{
	const char *s = ref == NULL ? NULL : js_str(w->texts, ref);

	return (s == NULL ? "(erased)" : s);
}

/* The account of a number that somebody else wrote. */
static const char *
tournament_looks_account(const struct tournament_looks_work *w, int64_t number)
{
	return (number >= 1 && number <= tournament_entrants(w->t)
		? tournament_account(w->t, (int)number)
		: "nobody");
}

/* What is told to a text. */
struct tournament_looks_words {
	const struct tournament_looks_work *w;
	struct buf b;
};

/* ruling_told.text. */
static void
tournament_looks_text_cb(void *arg, const char *text)
{
	struct tournament_looks_words *words = arg;

	buf_puts(&words->b, text);
}

/* ruling_told.entrant. */
static void
tournament_looks_entrant_cb(void *arg, int64_t number)
{
	struct tournament_looks_words *words = arg;

	buf_puts(&words->b, tournament_looks_account(words->w, number));
}

/* Begins with a text. */
static struct ruling_told
tournament_looks_words(
    const struct tournament_looks_work *w, struct tournament_looks_words *words)
{
	words->w = w;
	buf_init(&words->b, 0);
	return ((struct ruling_told){.text = tournament_looks_text_cb,
	    .entrant = tournament_looks_entrant_cb,
	    .arg = words,
	    .has_legs = tournament_terms(w->t)->is_mirror});
}

/* Where a leg is, by an object that has these members; free(). */
static char *
tournament_looks_place(const struct tournament_looks_work *w, const json_t *v)
{
	struct tournament_looks_words words;
	const struct ruling_told to = tournament_looks_words(w, &words);

	ruling_tell_place(
	    &to, js_int(v, "round"), js_int(v, "table"), js_int(v, "leg"));
	return (xalloc_take(&words.b));
}

/* ---- lines ---- */

/* What a director decided, and why. */
static void
tournament_looks_ruling(struct tournament_looks_work *w,
    const struct record_line *ln, const struct entry *o)
{
	struct tournament_looks_words words;
	struct ruling_told to;
	const char *form;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)o->args, form, v)
	{
		if (strcmp(form, "why") == 0)
			continue;
		to = tournament_looks_words(w, &words);
		ruling_tell(&to, form, v);
		tournament_looks_add(w, "ruling",
		    xalloc_json(json_pack("{s:I, s:s, s:s}", "line",
			(json_int_t)ln->seq, "form", form, "by", ln->by)),
		    "line %lld: %s, by %s: %s", (long long)ln->seq,
		    buf_str(&words.b), ln->by,
		    tournament_looks_text(w, js_str(o->args, "why")));
		buf_clear(&words.b);
	}
}

/* What the server says of itself and of its operator. */
static void
tournament_looks_server(
    struct tournament_looks_work *w, const struct record_line *ln)
{
	const char *why = tournament_looks_text(w, js_str(ln->data, "why"));

	if (strcmp(ln->what, "restored") == 0)
		tournament_looks_add(w, "restored",
		    tournament_looks_line(ln->seq),
		    "line %lld: lines may have been lost before it",
		    (long long)ln->seq);
	if (strcmp(ln->what, "fault") == 0)
		tournament_looks_add(w, "fault", tournament_looks_line(ln->seq),
		    "line %lld: the server failed in the line before, and the "
		    "tournament was halted",
		    (long long)ln->seq);
	if (strcmp(ln->what, "closed") == 0)
		tournament_looks_add(w, "closed",
		    tournament_looks_line(ln->seq),
		    "line %lld: the operator ended the record: %s",
		    (long long)ln->seq, why);
	if (strcmp(ln->what, "operator-key") == 0)
		tournament_looks_add(w, "operator-key",
		    tournament_looks_line(ln->seq),
		    "line %lld: the operator proposed new keys for %s%s: %s",
		    (long long)ln->seq, text_member(ln->data, "account"),
		    tournament_proposed(w->t, ln->seq) != NULL
			? ", which nobody has accepted"
			: "",
		    why);
}

/* Remembers by which line and how a leg came to its result. */
static void
tournament_looks_given(
    struct tournament_looks_work *w, int64_t line, const json_t *v)
{
	char *place =
	    xalloc_printf("%lld/%lld/%lld", (long long)js_int(v, "round"),
		(long long)js_int(v, "table"), (long long)js_int(v, "leg"));

	xalloc_set(w->given, place,
	    xalloc_json(json_pack("{s:I, s:s}", "line", (json_int_t)line, "how",
		text_member(v, "how"))));
	free(place);
}

/* A line of the record. */
static void
tournament_looks_read(
    struct tournament_looks_work *w, const struct record_line *ln)
{
	const json_t *event;
	struct entry o;
	size_t i;
	int r = 0;

	if (ln->kind == RECORD_SERVER) {
		r = entry_name_hash(json_object_get(ln->data, "why"), w->named);
		tournament_looks_server(w, ln);
		if (strcmp(ln->what, "result") == 0)
			tournament_looks_given(w, ln->seq, ln->data);
	}
	if (ln->kind == RECORD_ORDER &&
	    entry_parse(ln->text, ln->text_len, &o, NULL) == 0) {
		const char *text = entry_kind_row(o.kind)->text;

		if (text != NULL)
			r = entry_name_hash(
			    json_object_get(o.args, text), w->named);
		if (o.kind == ENTRY_RULING)
			tournament_looks_ruling(w, ln, &o);
		entry_clear(&o);
	}
	if (r != 0)
		xalloc_die();
	json_array_foreach(ln->events, i, event)
	{
		if (strcmp(text_member(event, "e"), "result") == 0)
			tournament_looks_given(w, ln->seq, event);
	}
}

/* Keeps the texts that lie behind the lines. */
static void
tournament_looks_texts(
    struct tournament_looks_work *w, const char *bytes, size_t len)
{
	const char *at = bytes, *end = bytes + len;
	char hex[2 * HASH_LEN + 1];
	struct record_side side;
	struct record_span s;

	while (record_next(&at, end, &s)) {
		if (!record_is_side(s.bytes, s.len) ||
		    record_side_parse(s.bytes, s.len, &side, NULL) != 0)
			continue;
		hex_format(hex, side.hash, HASH_LEN);
		if (!side.is_blob)
			xalloc_set(w->texts, hex,
			    xalloc_json(json_stringn(side.value, side.len)));
		record_side_clear(&side);
	}
}

/* Goes through the record; texts come last in it, and are needed first. */
static void
tournament_looks_lines(
    struct tournament_looks_work *w, const char *bytes, size_t len)
{
	const char *at = bytes, *end = bytes + len, *ref;
	struct record_line ln;
	struct record_span s;
	json_t *v;

	tournament_looks_texts(w, bytes, len);
	while (record_next(&at, end, &s)) {
		if (record_is_side(s.bytes, s.len) ||
		    record_parse_tournament(s.bytes, s.len, &ln, NULL) != 0)
			continue;
		tournament_looks_read(w, &ln);
		record_clear(&ln);
	}
	json_object_foreach(w->named, ref, v) w->l->missing +=
	    json_object_get(w->texts, ref) == NULL;
}

/* ---- the tournament as it stands ---- */

/* Why somebody lost by forfeit, by the word of the line. */
static const char *
tournament_looks_how(const char *how)
{
	static const char *const words[][2] = {
	    {"absent", "not come"},
	    {"late", "over time"},
	    {"unruled", "no ruling came"},
	    {"out", "gone out"},
	    {"ruling", "by a ruling"},
	    {"resign", "resigned before both had moved"},
	    {"cancel", "called off before play"},
	    {"forfeit", "by the clock of the game"},
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i][0], how) == 0)
			return (words[i][1]);
	}
	return ("in the record that this one continues");
}

/* A leg, as the view has it, at a place whose members v has. */
static void
tournament_looks_leg(struct tournament_looks_work *w, const json_t *leg,
    const json_t *place, const char *one, const char *two)
{
	const char *result = text_member(leg, "result");
	const json_t *given, *notice = json_object_get(leg, "notice");
	json_t *members = xalloc_copy(place);
	char *where = tournament_looks_place(w, place), *key;
	const char *how;

	key = xalloc_printf("%lld/%lld/%lld", (long long)js_int(place, "round"),
	    (long long)js_int(place, "table"), (long long)js_int(place, "leg"));
	given = json_object_get(w->given, key);
	free(key);
	how = text_member(given, "how");
	if (given != NULL && *result != '\0')
		xalloc_set(
		    members, "line", json_integer(js_int(given, "line")));
	if (strcmp(result, "--") == 0)
		tournament_looks_add(w, "forfeit", json_incref(members),
		    "%s: %s and %s, %s", where, one, two,
		    tournament_looks_how(how));
	else if (*result == '+' || *result == '-')
		tournament_looks_add(w, "forfeit", json_incref(members),
		    "%s: %s, %s", where, *result == '+' ? two : one,
		    tournament_looks_how(how));
	else if (*result == '?')
		tournament_looks_add(w, "awaited", json_incref(members),
		    "%s: a ruling is awaited", where);
	else if (strcmp(how, "unruled") == 0 && *result != '\0')
		tournament_looks_add(w, "unruled", json_incref(members),
		    "%s: battle points decided, as no ruling came", where);
	if (notice != NULL)
		tournament_looks_add(w, "claim", json_incref(members),
		    "%s: notice in line %lld, without an effect so far", where,
		    (long long)json_integer_value(notice));
	json_decref(members);
	free(where);
}

/* The legs of all tables. */
static void
tournament_looks_legs(struct tournament_looks_work *w)
{
	const json_t *round, *table, *leg;
	const char *a, *b;
	size_t i, k, n;
	json_t *place;

	json_array_foreach(json_object_get(w->view, "pairings"), i, round)
	    json_array_foreach(json_object_get(round, "tables"), k, table)
		json_array_foreach(json_object_get(table, "legs"), n, leg)
	{
		a = tournament_looks_account(w, js_int(table, "a"));
		b = tournament_looks_account(w, js_int(table, "b"));
		place = xalloc_json(json_pack("{s:I, s:I, s:i}", "round",
		    (json_int_t)js_int(round, "round"), "table",
		    (json_int_t)js_int(table, "table"), "leg", (int)n + 1));
		tournament_looks_leg(
		    w, leg, place, n == 0 ? a : b, n == 0 ? b : a);
		json_decref(place);
	}
}

/* True if one of a table's legs was played. */
static bool
tournament_looks_played(const json_t *table)
{
	const json_t *leg;
	const char *s;
	size_t i;

	json_array_foreach(json_object_get(table, "legs"), i, leg)
	{
		s = text_member(leg, "result");
		if (*s == '1' || *s == '2' || *s == '=')
			return (true);
	}
	return (false);
}

/* The round before this one in which two had met; 0: none. */
static int64_t
tournament_looks_met(
    const struct tournament_looks_work *w, int64_t before, int64_t a, int64_t b)
{
	const json_t *round, *table;
	size_t i, k;

	json_array_foreach(json_object_get(w->view, "pairings"), i, round)
	{
		if (js_int(round, "round") >= before)
			break;
		json_array_foreach(json_object_get(round, "tables"), k, table)
		{
			if (((js_int(table, "a") == a &&
				 js_int(table, "b") == b) ||
				(js_int(table, "a") == b &&
				    js_int(table, "b") == a)) &&
			    tournament_looks_played(table))
				return (js_int(round, "round"));
		}
	}
	return (0);
}

/* Rounds that a director paired, and who had met before (C1). */
static void
tournament_looks_by_hand(struct tournament_looks_work *w)
{
	const json_t *round, *table;
	int64_t n, met, a, b;
	json_t *members;
	struct buf words;
	size_t i, k;

	json_array_foreach(json_object_get(w->view, "pairings"), i, round)
	{
		if (!json_is_true(json_object_get(round, "by_hand")))
			continue;
		n = js_int(round, "round");
		members = xalloc_json(json_pack("{s:I, s:I, s:[]}", "line",
		    (json_int_t)js_int(round, "line"), "round", (json_int_t)n,
		    "met_before"));
		buf_init(&words, 0);
		json_array_foreach(json_object_get(round, "tables"), k, table)
		{
			a = js_int(table, "a");
			b = js_int(table, "b");
			if ((met = tournament_looks_met(w, n, a, b)) == 0)
				continue;
			buf_printf(&words,
			    "; at table %lld %s and %s, who had met in round "
			    "%lld",
			    (long long)js_int(table, "table"),
			    tournament_looks_account(w, a),
			    tournament_looks_account(w, b), (long long)met);
			xalloc_append(json_object_get(members, "met_before"),
			    json_integer(js_int(table, "table")));
		}
		tournament_looks_add(w, "by-hand", members,
		    "round %lld, in line %lld%s", (long long)n,
		    (long long)js_int(round, "line"), buf_str(&words));
		buf_clear(&words);
	}
}

/* Lines that are good only as they were read once (S19.7). */
static void
tournament_looks_older(struct tournament_looks_work *w)
{
	int64_t first;
	const int n = tournament_older(w->t, &first);
	char *which;

	if (n == 0)
		return;
	which = n == 1 ? xalloc_printf("line %lld holds", (long long)first)
		       : xalloc_printf("%d lines, the first of them %lld, hold",
			     n, (long long)first);
	tournament_looks_add(w, "older", tournament_looks_line(first),
	    "%s only as rules were read before 2026-11-28T14:00:00Z: see when "
	    "%s came",
	    which, n == 1 ? "it" : "they");
	free(which);
}

/* Who directs and plays, and what was asked of directors in vain. */
static void
tournament_looks_people(struct tournament_looks_work *w)
{
	const json_t *v;
	char *where;
	size_t i;

	json_array_foreach(json_object_get(w->view, "entrants"), i, v)
	{
		if (!json_is_true(json_object_get(v, "former")) &&
		    tournament_is_director(w->t, text_member(v, "account")))
			tournament_looks_add(w, "plays",
			    xalloc_json(json_pack(
				"{s:s}", "account", text_member(v, "account"))),
			    "%s directs and plays, too",
			    text_member(v, "account"));
	}
	if (json_is_true(json_object_get(w->view, "lots_without_witness")))
		tournament_looks_add(
		    w, "lots", NULL, "drawn without the witness");
	json_array_foreach(json_object_get(w->view, "protests"), i, v)
	{
		if (json_is_true(json_object_get(v, "answered")))
			continue;
		where = tournament_looks_place(w, v);
		tournament_looks_add(w, "protest",
		    tournament_looks_line(js_int(v, "line")),
		    "line %lld, by %s, about %s: no answer",
		    (long long)js_int(v, "line"),
		    tournament_looks_account(w, js_int(v, "entrant")), where);
		free(where);
	}
}

/* ---- games ---- */

/* What one of the games told, or that it could not. */
static void
tournament_looks_game(struct tournament_looks_work *w, const json_t *game,
    const json_t *members, const char *where)
{
	const int64_t changes = js_int(game, "changes");
	const char *hex = text_member(game, "game");

	if (json_is_true(json_object_get(game, "is_missing")))
		tournament_looks_add(
		    w, "missing", xalloc_copy(members), "%s: %s", where, hex);
	if (json_is_true(json_object_get(game, "is_unchecked")))
		tournament_looks_add(w, "unchecked", xalloc_copy(members),
		    "%s: the game %.12s: %s", where, hex,
		    text_member(game, "why"));
	if (json_is_true(json_object_get(game, "restored")))
		tournament_looks_add(w, "restored", xalloc_copy(members),
		    "%s: the game %.12s has lost lines", where, hex);
	if (json_is_true(json_object_get(game, "fault")))
		tournament_looks_add(w, "fault", xalloc_copy(members),
		    "%s: the rules failed on the server in the game %.12s",
		    where, hex);
	if (json_is_true(json_object_get(game, "closed")))
		tournament_looks_add(w, "closed", xalloc_copy(members),
		    "%s: the operator ended the record of the game %.12s",
		    where, hex);
	if (changes > 0)
		tournament_looks_add(w, "changed", xalloc_copy(members),
		    "%s: %lld change%s of units by agreement, in the game "
		    "%.12s",
		    where, (long long)changes, changes == 1 ? "" : "s", hex);
}

/* All of them, in the order of their lines. */
static void
tournament_looks_games(struct tournament_looks_work *w)
{
	struct tournament_place place;
	uint8_t id[HASH_LEN];
	const json_t *game;
	json_t *members;
	char *where;
	size_t i;

	json_array_foreach(w->l->games, i, game)
	{
		if (js_get_hex(game, "game", NULL, id, HASH_LEN, NULL) != 0 ||
		    tournament_find_game(w->t, id, &place) != 0)
			continue;
		members = xalloc_json(json_pack("{s:I, s:i, s:i, s:i, s:s}",
		    "line", (json_int_t)js_int(game, "line"), "round",
		    place.round, "table", place.table, "leg", place.leg, "game",
		    text_member(game, "game")));
		where = tournament_looks_place(w, members);
		tournament_looks_game(w, game, members, where);
		free(where);
		json_decref(members);
	}
}

void
tournament_looks_find(struct tournament_looks *l, const struct tournament *t,
    const json_t *view, const char *bytes, size_t len)
{
	const size_t n =
	    sizeof(tournament_looks_kinds) / sizeof(tournament_looks_kinds[0]);
	struct tournament_looks_work w = {.l = l, .t = t, .view = view};
	size_t i;

	w.texts = xalloc_json(json_object());
	w.named = xalloc_json(json_object());
	w.given = xalloc_json(json_object());
	for (i = 0; i < n; i++)
		w.found[i] = xalloc_json(json_array());
	tournament_looks_lines(&w, bytes, len);
	tournament_looks_people(&w);
	tournament_looks_older(&w);
	tournament_looks_by_hand(&w);
	tournament_looks_legs(&w);
	tournament_looks_games(&w);
	for (i = 0; i < n; i++) {
		if (json_array_extend(l->list, w.found[i]) != 0)
			xalloc_die();
		json_decref(w.found[i]);
	}
	json_decref(w.texts);
	json_decref(w.named);
	json_decref(w.given);
}

/* ---- telling ---- */

/* The rows of one kind. */
static void
tournament_looks_print_kind(struct out *o, const struct tournament_looks *l,
    const struct tournament_looks_kind *kind)
{
	const json_t *v;
	size_t i, n = 0;
	char *s;

	json_array_foreach(l->list, i, v)
	{
		if (strcmp(text_member(v, "what"), kind->what) != 0)
			continue;
		if (kind->is_whole || n < TOURNAMENT_LOOKS_ROWS)
			out_mark(o, n == 0 ? kind->label : "",
			    text_member(v, "text"));
		n++;
	}
	if (kind->is_whole || n <= TOURNAMENT_LOOKS_ROWS)
		return;
	s = xalloc_printf(
	    "and %zu more, see --json", n - TOURNAMENT_LOOKS_ROWS);
	out_mark(o, "", s);
	free(s);
}

void
tournament_looks_print(struct out *o, const struct tournament_looks *l)
{
	const size_t n =
	    sizeof(tournament_looks_kinds) / sizeof(tournament_looks_kinds[0]);
	struct buf b;
	size_t i;

	for (i = 0; i < n; i++)
		tournament_looks_print_kind(o, l, &tournament_looks_kinds[i]);
	if (l->missing == 0 && l->missing_in_games == 0)
		return;
	buf_init(&b, 0);
	if (l->missing > 0)
		buf_printf(&b, "%lld %s of the tournament",
		    (long long)l->missing, l->missing == 1 ? "text" : "texts");
	if (l->missing_in_games > 0)
		buf_printf(&b, "%s%lld %s of its games",
		    l->missing > 0 ? " and " : "",
		    (long long)l->missing_in_games,
		    l->missing_in_games == 1 ? "text" : "texts");
	buf_printf(&b, " %s not here: erased%s",
	    l->missing + l->missing_in_games == 1 ? "is" : "are",
	    l->missing_in_games > 0 ? ", lost, or for one side alone"
				    : " or lost");
	out_row(o, "missing", buf_str(&b));
	buf_clear(&b);
}

void
tournament_looks_json(const struct tournament_looks *l, json_t *v)
{
	xalloc_set(v, "looks", json_incref(l->list));
	xalloc_set(v, "changes", json_integer(l->changes));
	xalloc_set(v, "texts_missing", json_integer(l->missing));
	xalloc_set(
	    v, "texts_missing_in_games", json_integer(l->missing_in_games));
}
