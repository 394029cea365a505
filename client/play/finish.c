/* SPDX-License-Identifier: ISC */
/* Whose result it is comes from the record: the offer and who accepted it. */
#include "client/play/finish.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/past.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "client/replica/copy.h"
#include "client/replica/send.h"
#include "client/report/describe.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* How a game was decided by agreement. */
struct finish {
	int64_t offer, accept; /* lines */
	int by, with; /* the seats that offered and accepted */
	bool is_draw;
};

/* Finds the line by which something was accepted last. */
static bool
finish_find_accept(const struct copy *c, struct finish *f)
{
	struct past_entry en;
	bool is_found = false;
	int64_t i;

	for (i = c->n - 1; i >= 0 && !is_found; i--) {
		if (!past_read(c, i, &en))
			continue;
		if (en.o.kind == ORDER_ACCEPT) {
			f->accept = i;
			f->with = en.ln.seat;
			f->offer = json_integer_value(
			    json_object_get(en.o.args, "to"));
			is_found = true;
		}
		past_entry_clear(&en);
	}
	return (is_found);
}

/* True if the line that was accepted offers a result. */
static bool
finish_read_offer(const struct copy *c, struct finish *f)
{
	struct past_entry en;
	const char *what;
	bool is_result;

	if (f->offer < 0 || f->offer >= c->n || !past_read(c, f->offer, &en))
		return (false);
	what = json_string_value(json_object_get(en.o.args, "what"));
	f->by = en.ln.seat;
	f->is_draw = what != NULL && strcmp(what, "draw") == 0;
	is_result = en.o.kind == ORDER_OFFER && what != NULL &&
	    (f->is_draw || strcmp(what, "victory") == 0);
	past_entry_clear(&en);
	return (is_result);
}

/* True if the game's result is one that was offered and accepted. */
static bool
finish_is_agreed(const struct game *g)
{
	json_t *view = xalloc_json(game_view(g));
	const char *how = json_string_value(
	    json_object_get(json_object_get(view, "result"), "how"));
	bool is;

	is = how != NULL &&
	    (strcmp(how, "draw") == 0 || strcmp(how, "agreed") == 0);
	json_decref(view);
	return (is);
}

/* As finish_is_due(), with how it came to that. */
static bool
finish_find(const struct play *pl, struct finish *f)
{
	const struct game *g = play_game(pl);

	return (pl->seat > 0 && game_phase(g) == GAME_OVER &&
	    !game_is_halted(g) && finish_is_agreed(g) &&
	    tell_is_owed(pl, "close") && finish_find_accept(pl->copy, f) &&
	    finish_read_offer(pl->copy, f) &&
	    (f->by == pl->seat || f->with == pl->seat));
}

bool
finish_is_due(const struct play *pl)
{
	struct finish f;

	return (finish_find(pl, &f));
}

/* Says that the game was closed for us, and why. */
static void
finish_tell(const struct play *pl, const struct finish *f, int64_t seq)
{
	const char *what = f->is_draw ? "draw" : "victory";
	struct story *st = story_new(pl->copy);
	char *other;

	other = story_who(st, f->by == pl->seat ? f->with : f->by);
	if (f->by == pl->seat)
		out_note("%s accepted the %s that you offered in '%s' (line "
			 "%lld),\nso umpire has closed the game for you (line "
			 "%lld).",
		    other, what, pl->name, (long long)f->accept,
		    (long long)seq);
	else
		out_note("You accepted the %s that %s offered in '%s' (line "
			 "%lld),\nso umpire has closed the game for you (line "
			 "%lld).",
		    what, other, pl->name, (long long)f->accept,
		    (long long)seq);
	free(other);
	story_free(st);
}

int
finish_close(struct play *pl, int64_t *seq)
{
	struct finish f;
	int status;

	if (!finish_find(pl, &f))
		return (tell_not_now(pl, "no agreed result waits for you"));
	status =
	    play_order(pl, ORDER_CLOSE, xalloc_json(json_object()), NULL, seq);
	if (status == 0)
		finish_tell(pl, &f, *seq);
	return (status);
}

void
finish_try(struct play *pl)
{
	struct send_pending sp;
	struct errinfo e;
	int64_t seq;
	char *command;

	if (pl->link == NULL || !pl->link->is_logged_in || !finish_is_due(pl))
		return;
	/* What waits to be sent goes first, and nothing beside it. */
	if (send_load(pl->copy, &sp, &e) == 0) {
		send_clear(&sp);
		return;
	}
	if (finish_close(pl, &seq) == 0)
		return;
	command = play_command(pl, "close", "");
	out_note("The agreed result stands; umpire could only not close the "
		 "game for you.\nNext: %s",
	    command);
	free(command);
}
