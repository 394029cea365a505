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
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

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
		cells[3] = json_is_true(json_object_get(v, "former"))
		    ? (is_before ? "to enter" : "not here")
		    : json_is_true(json_object_get(v, "admitted")) ? "yes"
		    : is_before                                    ? "no"
								   : "";
		cells[4] =
		    json_is_true(json_object_get(v, "checked_in")) ? "yes" : "";
		out_table_line(t, cells);
		free(number);
	}
	out_table_end(&d->cx->out, t);
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
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_show = {
    .opts = desk_show_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_show_run,
};
