/* SPDX-License-Identifier: ISC */
/* Whether an answer carries our part of the dice is game_make_order()'s. */
#include "client/play/reply.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/play.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/game/game.h"

bool
reply_is_owed(const struct play *pl, int64_t *seq, enum order_kind *kind)
{
	const struct battle *b = replica_battle(pl->copy);
	struct game_waits w;
	int64_t line = pl->copy->n - 1;
	size_t i;

	game_waits_owed(play_game(pl), &w);
	for (i = 0; i < w.n; i++) {
		if (pl->seat >= 0 && w.list[i].what == OWED_ANSWER &&
		    w.list[i].seat == pl->seat)
			break;
	}
	if (i == w.n)
		return (false);
	while (line > 0 && battle_entry(b, line)->fate != GAME_FATE_WAITING)
		line--;
	*seq = line;
	*kind = battle_entry(b, line)->kind;
	return (true);
}

bool
reply_is_open(enum order_kind kind)
{
	return (kind == ORDER_DECLARE);
}

bool
reply_is_final(enum order_kind kind)
{
	return (kind == ORDER_COMMIT || kind == ORDER_OPEN ||
	    kind == ORDER_CLAIM || kind == ORDER_ANSWER);
}

int
reply_send(
    struct play *pl, int64_t to, bool is_agreed, const char *why, int64_t *seq)
{
	const struct play_text one = {"why", why};
	json_t *args;

	args = xalloc_json(json_object());
	xalloc_set(args, "to", json_integer(to));
	xalloc_set(args, "say", json_string(is_agreed ? "agree" : "object"));
	return (play_order_with(pl, ORDER_ANSWER, args, &one, 1, NULL, seq));
}
