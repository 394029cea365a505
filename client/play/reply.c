/* SPDX-License-Identifier: ISC */
/* Whether an answer carries our part of the dice is game_make_order()'s. */
#include "client/play/reply.h"

#include "client/base/xalloc.h"
#include "client/play/play.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/game/game.h"

bool
reply_is_owed(const struct play *pl, int64_t *seq, enum order_kind *kind)
{
	struct game_waits w;
	size_t i;

	game_waits_owed(play_game(pl), &w);
	for (i = 0; i < w.n; i++) {
		if (pl->seat < 0 || w.list[i].what != OWED_ANSWER ||
		    w.list[i].seat != pl->seat)
			continue;
		*seq = w.list[i].since;
		*kind = battle_entry(replica_battle(pl->copy), *seq)->kind;
		return (true);
	}
	return (false);
}

int
reply_send(
    struct play *pl, int64_t to, bool is_agreed, const char *why, int64_t *seq)
{
	const struct outbox_text one = {"why", why};
	json_t *args = json_pack("{s:I, s:s}", "to", (json_int_t)to, "say",
	    is_agreed ? "agree" : "object");

	return (play_order_with(
	    pl, ORDER_ANSWER, xalloc_json(args), &one, 1, NULL, seq));
}
