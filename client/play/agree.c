/* SPDX-License-Identifier: ISC */
/* Whether an answer carries our part of the dice is game_make_order()'s. */
#include "client/play/agree.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/past.h"
#include "client/play/play.h"
#include "client/replica/copy.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"

/* The line that owes an answer to our seat; -1 if there is none. */
static int64_t
agree_find(const struct play *pl)
{
	const json_t *v;
	int64_t found = -1;
	const char *what;
	json_t *view;
	size_t i;

	view = xalloc_json(game_view(play_game(pl)));
	json_array_foreach(json_object_get(view, "owed"), i, v)
	{
		what = json_string_value(json_object_get(v, "what"));
		if (what == NULL || strcmp(what, "answer") != 0 ||
		    pl->seat < 0 ||
		    json_integer_value(json_object_get(v, "seat")) != pl->seat)
			continue;
		found = json_integer_value(json_object_get(v, "since"));
	}
	json_decref(view);
	return (found);
}

bool
agree_is_owed(const struct play *pl, int64_t *seq, enum order_kind *kind)
{
	struct past_entry en;
	int64_t to = agree_find(pl);

	/* Other lines may have come since; the last that owes is meant. */
	for (; to >= 0; to--) {
		if (!past_read(pl->copy, to, &en))
			continue;
		if (en.ln.owes != NULL) {
			*seq = to;
			*kind = en.o.kind;
			past_entry_clear(&en);
			return (true);
		}
		past_entry_clear(&en);
	}
	return (false);
}

bool
agree_is_open(enum order_kind kind)
{
	return (kind == ORDER_DECLARE);
}

bool
agree_is_final(enum order_kind kind)
{
	return (kind == ORDER_COMMIT || kind == ORDER_OPEN ||
	    kind == ORDER_CLAIM || kind == ORDER_ANSWER);
}

int
agree_send(
    struct play *pl, int64_t to, bool is_agreed, const char *why, int64_t *seq)
{
	const struct play_text one = {"why", why};
	json_t *args;

	args = xalloc_json(json_object());
	xalloc_set(args, "to", json_integer(to));
	xalloc_set(args, "say", json_string(is_agreed ? "agree" : "object"));
	return (play_order_with(pl, ORDER_ANSWER, args, &one, 1, NULL, seq));
}
