/* SPDX-License-Identifier: ISC */
/*
 * A tournament, verified: the verdict, what its director decided, and where it
 * stands.
 */
#include "client/cmd/tournament_verdict.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/recordfile.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"

#define TOURNAMENT_VERDICT_MAX ((size_t)1 << 30) /* bytes of a game */
#define TOURNAMENT_VERDICT_STEP_MS 200 /* between words of how far it is */

char *
tournament_verdict_path(const char *word)
{
	struct stat st;
	char *path;

	if (stat(word, &st) != 0 || !S_ISDIR(st.st_mode))
		return (NULL);
	path = xalloc_printf("%s/%s", word, TOURNAMENT_VERDICT_FILE);
	if (stat(path, &st) == 0)
		return (path);
	free(path);
	return (NULL);
}

/* verify_tournament_games: the file of a game in the folder. */
static int
tournament_verdict_read_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	const char *folder = arg;
	char id[2 * HASH_LEN + 1], *path;
	struct buf b;
	int r;

	hex_format(id, game, HASH_LEN);
	path = xalloc_printf("%s/%s.jsonl", folder, id);
	buf_init(&b, 0);
	if (!file_exists(path))
		r = ERR_NOTFOUND;
	else
		r = file_read(path, TOURNAMENT_VERDICT_MAX, &b, NULL);
	free(path);
	if (r == 0) {
		*len = b.len;
		*bytes = xalloc_strn(buf_str(&b), b.len);
	}
	buf_clear(&b);
	return (r);
}

/* verify_tournament_options: tells how far it is; arg is when it last did. */
static void
tournament_verdict_progress_cb(
    void *arg, int64_t lines, size_t read, size_t games)
{
	const int64_t now_ms = clock_mono_ms();
	int64_t *last_ms = arg;
	char *s;

	if (now_ms - *last_ms < TOURNAMENT_VERDICT_STEP_MS)
		return;
	*last_ms = now_ms;
	s = xalloc_printf("verifying: line %lld, %zu of %zu games",
	    (long long)lines, read, games);
	out_progress_now(s);
	free(s);
}

/* A word for the verdict. */
static const char *
tournament_verdict_word(int r, const struct verify_tournament_report *rep)
{
	if (r == ERR_BAD)
		return ("bad");
	return (rep->is_unchecked ? "unchecked" : "good");
}

/* For programs. */
static int
tournament_verdict_json(struct out *o, int r, const struct tournament *t,
    const struct verify_tournament_report *rep, const struct errinfo *e)
{
	json_t *v, *state = NULL;
	struct buf b;
	int bad = 0;

	v = json_pack("{s:s, s:I, s:i, s:I, s:b}", "verdict",
	    tournament_verdict_word(r, rep), "lines", (json_int_t)rep->lines,
	    "games", rep->games, "dice", (json_int_t)rep->rolls, "over",
	    rep->is_over);
	if (r == ERR_BAD) {
		bad |= json_object_set_new(
		    v, "line", json_integer(rep->file_line));
		bad |= json_object_set_new(v, "where", json_string(e->where));
		bad |= json_object_set_new(v, "why", json_string(e->text));
	} else if (rep->is_unchecked) {
		bad |= json_object_set_new(
		    v, "line", json_integer(rep->unchecked_line));
		bad |= json_object_set_new(
		    v, "why", json_string(rep->unchecked.text));
	}
	buf_init(&b, 0);
	if (r == 0 && t != NULL && tournament_view(t, &b) == 0)
		state = json_loadb(b.data, b.len, 0, NULL);
	buf_clear(&b);
	if (state != NULL)
		bad |= json_object_set_new(v, "tournament", state);
	out_json(o, xalloc_json(js_made(v, bad)));
	return (0);
}

/* The text of a record's side lines with this reference; new, NULL. */
static char *
tournament_verdict_text(const struct buf *bytes, const char *ref)
{
	const char *at = buf_str((struct buf *)(uintptr_t)bytes);
	const char *end = at + bytes->len;
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
    struct out *o, const json_t *state, const struct buf *bytes)
{
	const json_t *list = json_object_get(state, "rulings"), *v;
	char *s, *why;
	size_t i;

	json_array_foreach(list, i, v)
	{
		why = tournament_verdict_text(bytes, js_str(v, "why"));
		s = xalloc_printf("line %lld: %s, by %s: %s",
		    (long long)js_int(v, "line") + 1, js_str(v, "form"),
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
		    (long long)js_int(v, "line") + 1);
		out_mark(o, "by hand", s);
		free(s);
	}
	json_array_foreach(json_object_get(state, "protests"), i, v)
	{
		if (json_is_true(json_object_get(v, "answered")))
			continue;
		s = xalloc_printf("about round %lld, in line %lld: no answer",
		    (long long)js_int(v, "round"),
		    (long long)js_int(v, "line") + 1);
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

/* For people. */
static void
tournament_verdict_print(struct out *o, const char *name,
    const struct buf *bytes, const struct tournament *t,
    const struct verify_tournament_report *rep)
{
	char head[2 * HASH_LEN + 1];
	json_t *state;
	struct buf b;

	out_title(o, "%s: %s, %s", name,
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
	tournament_verdict_rulings(o, state, bytes);
	tournament_verdict_standings(o, t, state);
	json_decref(state);
}

int
tournament_verdict(struct out *o, const char *path, const struct buf *bytes,
    struct verify_tournament_options *opt)
{
	struct verify_tournament_report rep;
	struct tournament *t = NULL;
	struct errinfo e = {.text = ""};
	const char *slash = strrchr(path, '/');
	int64_t last_ms = clock_mono_ms();
	char *folder;
	int r;

	folder = slash == NULL ? xalloc_str(".")
			       : xalloc_strn(path, (size_t)(slash - path));
	opt->games.read = tournament_verdict_read_cb;
	opt->games.arg = folder;
	opt->is_parallel = true;
	opt->progress = tournament_verdict_progress_cb;
	opt->progress_arg = &last_ms;
	out_progress("verifying");
	r = verify_tournament_bytes(buf_str((struct buf *)(uintptr_t)bytes),
	    bytes->len, opt, &rep, &t, &e);
	free(folder);
	out_progress_end();
	if (r != 0 && r != ERR_BAD)
		return (cmd_fail(r, &e));
	if (o->is_json)
		(void)tournament_verdict_json(o, r, t, &rep, &e);
	else if (r == 0)
		tournament_verdict_print(o, path, bytes, t, &rep);
	if (r == ERR_BAD)
		out_error("%s: bad at line %lld: %s%s%s", path,
		    (long long)rep.file_line, e.where,
		    e.where[0] == '\0' ? "" : ": ", e.text);
	tournament_free(t);
	return (r == ERR_BAD       ? RECORDFILE_BAD
		: rep.is_unchecked ? CMD_UNCHECKED
				   : EX_OK);
}
