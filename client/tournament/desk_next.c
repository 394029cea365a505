/* SPDX-License-Identifier: ISC */
/* What may be done next in a tournament, as commands to type. */
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

json_t *
desk_owed(const struct desk *d)
{
	json_t *rows = NULL;
	struct buf b;

	buf_init(&b, 0);
	if (tournament_owed_write(
		d->t, d->account, clock_wall_ms(), NULL, &b) != 0 ||
	    js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &rows, NULL) != 0)
		xalloc_die();
	buf_clear(&b);
	return (rows);
}

json_t *
desk_view(const struct desk *d)
{
	json_t *view = NULL;
	struct buf b;

	buf_init(&b, 0);
	if (tournament_view(d->t, &b) != 0 ||
	    js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &view, NULL) != 0)
		xalloc_die();
	buf_clear(&b);
	return (view);
}

/* Prints a line of what may be done. */
static void
desk_next_line(const struct desk *d, int *n, const char *verb,
    const char *words, const char *why)
{
	char *s;

	s = desk_command(d, verb, words);
	out_print(&d->cx->out, "%s%s%s%s\n",
	    (*n)++ == 0 ? "Next: " : "  or: ", s, *why == '\0' ? "" : "   # ",
	    why);
	free(s);
}

/* What a row of what is owed asks for. */
static void
desk_next_row(const struct desk *d, const json_t *row, int *n)
{
	const char *what = text_member(row, "what");
	char words[64] = "";

	if (strcmp(what, "admit") == 0) {
		(void)snprintf(words, sizeof(words), "%lld",
		    (long long)js_int(row, "entrant"));
		desk_next_line(d, n, "admit", words,
		    tournament_account(d->t, (int)js_int(row, "entrant")));
	} else if (strcmp(what, "rule") == 0) {
		(void)snprintf(words, sizeof(words), "table %lld.%lld",
		    (long long)js_int(row, "round"),
		    (long long)js_int(row, "table"));
		desk_next_line(d, n, "rule", words, "a ruling is awaited");
	} else if (strcmp(what, "answer") == 0) {
		(void)snprintf(words, sizeof(words), "answer %lld",
		    (long long)js_int(row, "line"));
		desk_next_line(d, n, "rule", words, "a protest");
	} else if (strcmp(what, "shut") == 0) {
		desk_next_line(d, n, "shut", "", "ends the entries");
	} else {
		desk_next_line(d, n, what, "", "");
	}
}

void
desk_next(const struct desk *d)
{
	json_t *rows;
	const json_t *row;
	size_t i;
	int n = 0;

	rows = desk_owed(d);
	json_array_foreach(rows, i, row) desk_next_row(d, row, &n);
	json_decref(rows);
}
