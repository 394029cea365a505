/* SPDX-License-Identifier: ISC */
/* The records of an evening, or of an event, in a table. */
#include "client/cmd/verdicts.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/replica/recordfile.h"
#include "client/report/battle.h"
#include "client/report/tournament_verdict.h"
#include "client/report/verdict.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/tournament/tournament.h"

/* One record. */
struct verdicts_row {
	char *name; /* owned, as all texts here */
	char *verdict;
	char *end; /* how it ended */
	char *winner;
	char *looks; /* what wants looking at */
	char *event; /* NULL: none */
	int64_t lines;
	int64_t rolls;
	int status;
	bool has_game;
	uint8_t game[HASH_LEN];
	uint8_t server[SIGN_KEY_LEN];
	json_t *v; /* owned: for programs */
};

struct verdicts {
	struct verdicts_row *rows; /* owned; n of them */
	size_t n;
	bool is_event; /* it was asked whether they belong together */
	bool is_together;
};

struct verdicts *
verdicts_new(void)
{
	return (xalloc(sizeof(struct verdicts)));
}

void
verdicts_free(struct verdicts *t)
{
	struct verdicts_row *row;
	size_t i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n; i++) {
		row = &t->rows[i];
		free(row->name);
		free(row->verdict);
		free(row->end);
		free(row->winner);
		free(row->looks);
		free(row->event);
		json_decref(row->v);
	}
	free(t->rows);
	free(t);
}

/* A new row, zero but for its name, status and verdict. */
static struct verdicts_row *
verdicts_row(
    struct verdicts *t, const char *name, int status, const char *verdict)
{
	struct verdicts_row *row;

	t->rows = realloc(t->rows, (t->n + 1) * sizeof(*t->rows));
	if (t->rows == NULL)
		xalloc_die();
	row = &t->rows[t->n++];
	memset(row, 0, sizeof(*row));
	row->name = xalloc_str(name);
	row->status = status;
	row->verdict = xalloc_str(verdict);
	return (row);
}

/* The words of what wants looking at: "unfinished, forfeit"; free(). */
static char *
verdicts_looks(const json_t *looks)
{
	const json_t *v;
	const char *what, *last = "";
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(looks, i, v)
	{
		what = js_str(v, "what");
		if (strcmp(what, last) != 0)
			buf_printf(&b, "%s%s", i == 0 ? "! " : ", ", what);
		last = what;
	}
	return (xalloc_take(&b));
}

void
verdicts_add(struct verdicts *t, const struct verdict *vd)
{
	struct verdicts_row *row;
	const char *how;

	row = verdicts_row(t, vd->name, verdict_status(vd), verdict_word(vd));
	row->v = verdict_json(vd);
	row->lines = vd->rep.lines;
	row->rolls = vd->rep.rolls;
	if (vd->g == NULL)
		return;
	row->has_game = true;
	memcpy(row->game, game_id(vd->g), HASH_LEN);
	memcpy(row->server, game_server(vd->g), SIGN_KEY_LEN);
	if (game_settings(vd->g)->event != NULL)
		row->event = xalloc_str(game_settings(vd->g)->event);
	if (!vd->has_overview)
		return;
	how = game_how_name(game_how(vd->g));
	row->end = xalloc_str(how == NULL ? "open" : how);
	if (game_winner(vd->g) > 0)
		row->winner =
		    battle_players(vd->overview.b, game_winner(vd->g));
	row->looks = verdicts_looks(vd->overview.looks);
}

void
verdicts_add_tournament(
    struct verdicts *t, const char *name, const struct tournament_verdict *tv)
{
	struct verdicts_row *row;

	row = verdicts_row(t, name, tournament_verdict_status(tv),
	    tournament_verdict_word(tv));
	row->v = tournament_verdict_json(tv);
	xalloc_set(row->v, "name", xalloc_json_str(name));
	row->lines = tv->rep.lines;
	row->rolls = tv->rep.rolls;
	if (tv->view == NULL)
		return;
	row->has_game = true;
	memcpy(row->game, tournament_id(tv->t), HASH_LEN);
	memcpy(row->server, tournament_server(tv->t), SIGN_KEY_LEN);
	row->event = xalloc_str(js_str(tv->view, "event"));
	row->end = xalloc_str(tv->rep.is_over ? "over" : "unfinished");
	row->looks = verdicts_looks(tv->looks.list);
}

void
verdicts_add_other(struct verdicts *t, const char *name, int status,
    const char *what, json_t *v)
{
	verdicts_row(t, name, status, what)->v = v;
}

/* Whether a row belongs to those before it; says what does not. */
static bool
verdicts_belongs(const struct verdicts *t, size_t i)
{
	const struct verdicts_row *row = &t->rows[i], *first = NULL;
	size_t j;

	if (!row->has_game) {
		out_error("%s: no game that can be told: it belongs to no "
			  "event",
		    row->name);
		return (false);
	}
	if (row->event == NULL) {
		out_error("%s: the game names no event", row->name);
		return (false);
	}
	for (j = 0; j < i; j++) {
		if (!t->rows[j].has_game || t->rows[j].event == NULL)
			continue;
		if (first == NULL)
			first = &t->rows[j];
		if (memcmp(t->rows[j].game, row->game, HASH_LEN) == 0) {
			out_error("%s: the same game as %s", row->name,
			    t->rows[j].name);
			return (false);
		}
	}
	if (first == NULL)
		return (true);
	if (strcmp(first->event, row->event) != 0) {
		out_error("%s: of another event, \"%s\" where %s has \"%s\"",
		    row->name, row->event, first->name, first->event);
		return (false);
	}
	if (memcmp(first->server, row->server, SIGN_KEY_LEN) != 0) {
		out_error(
		    "%s: of another server than %s", row->name, first->name);
		return (false);
	}
	return (true);
}

int
verdicts_event(struct verdicts *t)
{
	bool belongs;
	size_t i;

	t->is_event = t->is_together = true;
	for (i = 0; i < t->n; i++) {
		belongs = verdicts_belongs(t, i);
		if (t->rows[i].v != NULL)
			xalloc_set(
			    t->rows[i].v, "belongs", json_boolean(belongs));
		t->is_together = t->is_together && belongs;
	}
	return (t->is_together ? 0 : RECORDFILE_BAD);
}

/* For programs. */
static void
verdicts_print_json(struct out *o, struct verdicts *t)
{
	json_t *list = xalloc_json(json_array()), *v;
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (t->rows[i].v != NULL)
			xalloc_append(list, json_incref(t->rows[i].v));
	}
	v = xalloc_json(json_pack("{s:o}", "records", list));
	if (t->is_event)
		xalloc_set(v, "together", json_boolean(t->is_together));
	out_json(o, v);
}

/* How much of the names is a folder that they share. */
static size_t
verdicts_folder(const struct verdicts *t)
{
	const char *first = t->rows[0].name, *slash;
	size_t i, n;

	for (n = strlen(first); n > 0; n = (size_t)(slash - first)) {
		slash = memrchr(first, '/', n);
		if (slash == NULL)
			return (0);
		for (i = 1; i < t->n; i++) {
			if (strncmp(t->rows[i].name, first,
				(size_t)(slash - first) + 1) != 0)
				break;
		}
		if (i == t->n)
			return ((size_t)(slash - first) + 1);
	}
	return (0);
}

void
verdicts_print(struct out *o, struct verdicts *t)
{
	const char *cells[7];
	struct verdicts_row *row;
	char *lines, *rolls;
	struct out_table *table;
	size_t i, folder;

	if (o->is_json) {
		verdicts_print_json(o, t);
		return;
	}
	/* It would be all that is left of the names in a narrow table. */
	folder = t->n == 0 ? 0 : verdicts_folder(t);
	table = out_table_new((const char *const[]){"~RECORD", "VERDICT", "END",
	    "~WINNER", ">LINES", ">DICE", "~LOOK AT", NULL});
	for (i = 0; i < t->n; i++) {
		row = &t->rows[i];
		lines = xalloc_printf("%lld", (long long)row->lines);
		rolls = xalloc_printf("%lld", (long long)row->rolls);
		cells[0] = row->name + folder;
		cells[1] = row->verdict;
		cells[2] = row->end == NULL ? "" : row->end;
		cells[3] = row->winner == NULL ? "" : row->winner;
		cells[4] = row->lines == 0 ? "" : lines;
		cells[5] = row->lines == 0 ? "" : rolls;
		cells[6] = row->looks == NULL ? "" : row->looks;
		out_table_line(table, cells);
		free(lines);
		free(rolls);
	}
	out_table_end(o, table);
	if (t->is_event && t->is_together)
		out_print(o,
		    "All %zu are of one event and one server, and no game is "
		    "among them twice.\n",
		    t->n);
}

int
verdicts_status(const struct verdicts *t)
{
	int status = EX_OK, s;
	size_t i;

	for (i = 0; i < t->n; i++) {
		s = t->rows[i].status;
		if (s == RECORDFILE_BAD)
			return (s);
		if (s > status)
			status = s;
	}
	return (status);
}
