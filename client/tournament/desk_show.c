/* SPDX-License-Identifier: ISC */
/* umpire tournament show: how it stands, and what may be done. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_tables.h"
#include "client/tournament/desk_terms.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

#define DESK_SHOW_RULINGS 3 /* of each, the newest */
#define DESK_SHOW_DEPTH 16 /* of a line's JSON */

/* Where it stands, in a sentence; free(). */
static char *
desk_show_phase(const struct desk *d)
{
	switch (tournament_phase(d->t)) {
	case TOURNAMENT_ENTRIES:
		return (xalloc_str("open to enter"));
	case TOURNAMENT_CHECKIN:
		return (xalloc_str("entries have ended; check-in"));
	case TOURNAMENT_PLAY:
		return (xalloc_printf("round %d of %d", tournament_paired(d->t),
		    tournament_rounds(d->t)));
	case TOURNAMENT_OVER:
		break;
	}
	return (xalloc_str("over"));
}

/* Whether an entrant is admitted, in a word or two. */
static const char *
desk_show_admitted(const json_t *v, bool is_before)
{
	if (json_is_true(json_object_get(v, "former")))
		return (is_before ? "to enter" : "not here");
	if (json_is_true(json_object_get(v, "withdrawn")))
		return ("withdrawn");
	if (json_is_true(json_object_get(v, "waits")))
		return ("waits");
	return (json_is_true(json_object_get(v, "admitted")) ? "yes" : "no");
}

/* Who has entered. */
static void
desk_show_entrants(const struct desk *d, const json_t *view)
{
	const bool is_before = tournament_phase(d->t) < TOURNAMENT_PLAY;
	const char *cells[6];
	struct out_table *t;
	const json_t *v;
	char *number;
	size_t i;

	if (json_array_size(json_object_get(view, "entrants")) == 0) {
		out_print(&d->cx->out, "Nobody has entered yet.\n");
		return;
	}
	t = out_table_new((const char *const[]){
	    ">NO.", "ENTRANT", "CLUB", "ADMITTED", "CHECKED IN", NULL});
	json_array_foreach(json_object_get(view, "entrants"), i, v)
	{
		number = xalloc_printf("%lld", (long long)js_int(v, "number"));
		cells[0] = number;
		cells[1] = desk_called(d, (int)js_int(v, "number"));
		cells[2] = text_member(v, "club");
		cells[3] = desk_show_admitted(v, is_before);
		cells[4] =
		    json_is_true(json_object_get(v, "checked_in")) ? "yes" : "";
		out_table_line(t, cells);
		free(number);
	}
	out_table_end(&d->cx->out, t);
}

/* What was said in a line, as the reason that its order names; free(). */
static char *
desk_show_words(const struct desk *d, int64_t seq)
{
	const struct desk_line *at = &d->copy->index[seq];
	json_t *line = NULL, *order = NULL;
	const char *text, *why;
	uint8_t ref[HASH_LEN];
	char *words = NULL, *safe;

	if (js_load(buf_str(&d->copy->lines) + at->off, at->len,
		DESK_SHOW_DEPTH, &line, NULL) == 0 &&
	    (text = js_str(line, "order")) != NULL &&
	    js_load(text, strlen(text), DESK_SHOW_DEPTH, &order, NULL) == 0 &&
	    (why = js_str(json_object_get(order, "args"), "why")) != NULL &&
	    hex_parse(ref, HASH_LEN, why, strlen(why)) == 0)
		words = desk_copy_text(d->copy, ref);
	json_decref(line);
	json_decref(order);
	safe = text_safe(words == NULL ? "(the words are not here)" : words);
	free(words);
	return (safe);
}

/* Tells of a ruling or a protest, of which one knows by mail. */
static void
desk_show_said(const struct desk *d, const json_t *v, bool is_ruling)
{
	const int64_t line = js_int(v, "line");
	char *words = desk_show_words(d, line), *s;

	if (is_ruling)
		s = xalloc_printf("line %lld  ruling of %s (%s): %s",
		    (long long)line, text_member(v, "by"),
		    text_member(v, "form"), words);
	else
		s = xalloc_printf("line %lld  protest of %s, round %lld%s: %s",
		    (long long)line, desk_called(d, (int)js_int(v, "entrant")),
		    (long long)js_int(v, "round"),
		    json_is_true(json_object_get(v, "answered")) ? ", answered"
								 : "",
		    words);
	out_print(&d->cx->out, "  ");
	out_text(&d->cx->out, 2, 4, s);
	free(s);
	free(words);
}

/* The newest rulings and protests, with their words. */
static void
desk_show_rulings(const struct desk *d, const json_t *view)
{
	const json_t *rulings = json_object_get(view, "rulings");
	const json_t *protests = json_object_get(view, "protests");
	const size_t n = json_array_size(rulings),
		     m = json_array_size(protests);
	const bool is_long = opt_has(&d->cx->opts, "rulings");
	size_t i = is_long || n < DESK_SHOW_RULINGS ? 0 : n - DESK_SHOW_RULINGS;
	size_t k = is_long || m < DESK_SHOW_RULINGS ? 0 : m - DESK_SHOW_RULINGS;

	if (n + m == 0)
		return;
	out_print(&d->cx->out, "Rulings and protests%s:\n",
	    i + k > 0 ? ", the newest (--rulings: all)" : "");
	/* In the order of their lines. */
	while (i < n || k < m) {
		const json_t *a = json_array_get(rulings, i);
		const json_t *b = json_array_get(protests, k);
		const bool is_ruling = b == NULL ||
		    (a != NULL && js_int(a, "line") < js_int(b, "line"));

		desk_show_said(d, is_ruling ? a : b, is_ruling);
		i += is_ruling;
		k += !is_ruling;
	}
}

/* Shows it. */
static int
desk_show_run(struct cmd_ctx *cx)
{
	struct out *o = &cx->out;
	char hex[2 * HASH_LEN + 1];
	char *address, *phase;
	struct desk *d;
	json_t *view;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_READ, &d)) != 0)
		return (status);
	view = desk_view(d);
	if (o->is_json) {
		xalloc_set(
		    view, "terms", xalloc_copy(tournament_terms(d->t)->args));
		xalloc_set(view, "waits", desk_owed(d));
		out_json(o, json_incref(view));
	}
	phase = desk_show_phase(d);
	out_title(o, "%s: %s", text_member(view, "event"), phase);
	free(phase);
	if (tournament_former(d->t) != NULL && !o->is_json) {
		hex_format(
		    hex, tournament_id(tournament_former(d->t)), HASH_LEN);
		out_print(o,
		    "It goes on with tournament %.8s of a server that "
		    "stopped, after its line %lld.%s\n",
		    hex, (long long)tournament_seq(tournament_former(d->t)),
		    tournament_phase(d->t) == TOURNAMENT_ENTRIES
			? "  Who played there enters, and has the same number."
			: "");
	}
	if (opt_has(&cx->opts, "terms"))
		desk_terms_print(o, tournament_terms(d->t));
	else if (!o->is_json && tournament_paired(d->t) > 0)
		desk_tables_print(d, tournament_paired(d->t));
	else
		desk_show_entrants(d, view);
	if (!o->is_json && !opt_has(&cx->opts, "terms"))
		desk_show_rulings(d, view);
	if (tournament_phase(d->t) == TOURNAMENT_ENTRIES &&
	    (address = invitation_text(d->p, d->copy->id)) != NULL) {
		out_print(o, "Its address, for all who want to enter:\n  %s\n",
		    address);
		free(address);
	}
	if (!o->is_json)
		desk_next(d);
	json_decref(view);
	desk_close(d);
	return (0);
}

static const struct opt_def desk_show_opts[] = {
    {"terms", 0, NULL, false, "the terms, which all who enter agree to"},
    {"rulings", 0, NULL, false, "all rulings and protests, not the newest"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_show = {
    .opts = desk_show_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_show_run,
};
