/* SPDX-License-Identifier: ISC */
#include "web/web_luck.h"

#include <string.h>

#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/luck.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "web/page/page.h"
#include "web/web_game.h"
#include "web/web_games.h"
#include "web/web_site.h"

#define WEB_LUCK_LINES 200 /* that are read at a time */

/* Counts a game anew, if its lines are few enough; true: its count is good. */
static bool
web_luck_game(struct web_game *g, int64_t *left)
{
	struct luck *l;
	int side;

	if (g->lucky_n == g->c->n)
		return (true);
	if (g->c->n > *left)
		return (false);
	*left -= g->c->n;
	l = luck_new(replica_battle(g->c));
	for (side = 1; side <= 2; side++) {
		g->lucky[side - 1].dice = (int64_t)l->all[side].n;
		g->lucky[side - 1].pips = l->all[side].pips;
		g->lucky[side - 1].variance = l->all[side].variance;
	}
	g->lucky_n = g->c->n;
	luck_free(l);
	return (true);
}

/* The side that an account has for itself; 0: none. */
static int
web_luck_side(const struct game *g, const char *account)
{
	const char *who;
	int seat, side = 0, others[3] = {0};

	for (seat = 1; seat <= game_seats(g); seat++) {
		who = game_account(g, seat);
		if (strcmp(who, account) == 0)
			side = game_side_of(seat);
		else if (*who != '\0')
			others[game_side_of(seat)]++;
	}
	return (others[side] > 0 ? 0 : side);
}

void
web_luck_count(struct web_site *s, const char *account, const json_t *games,
    struct page_luck *out)
{
	int64_t left = WEB_LUCK_LINES;
	struct web_game *g;
	const json_t *row;
	size_t i;
	int side;

	memset(out, 0, sizeof(*out));
	json_array_foreach(games, i, row)
	{
		g = web_games_held(s->games, js_str(row, "game"));
		if (g == NULL || g->trouble != NULL || web_game_is_short(g) ||
		    (side = web_luck_side(replica_game(g->c), account)) == 0 ||
		    !web_luck_game(g, &left))
			continue;
		if (g->lucky[side - 1].dice == 0)
			continue;
		out->games++;
		out->dice += g->lucky[side - 1].dice;
		out->pips += g->lucky[side - 1].pips;
		out->variance += g->lucky[side - 1].variance;
	}
}
