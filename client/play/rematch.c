/* SPDX-License-Identifier: ISC */
/* What a rematch takes over, out of the copy of the former game. */
#include "client/play/rematch.h"

#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/play/play.h"
#include "client/play/settings.h"
#include "client/replica/replica.h"
#include "client/ui/out_terminal.h"
#include "common/game/game.h"
#include "common/json/js.h"

/* The accounts in other seats, each once; new. */
static json_t *
rematch_others(const struct game *g, int seat)
{
	const char *account, *own = game_account(g, seat);
	json_t *list, *seen;
	int i;

	list = xalloc_json(json_array());
	seen = xalloc_json(json_object());
	for (i = 0; i < GAME_SEATS; i++) {
		account = game_account(g, i);
		if (*account == '\0' || strcmp(account, own) == 0 ||
		    json_object_get(seen, account) != NULL)
			continue;
		xalloc_set(seen, account, json_true());
		xalloc_append(list, json_string(account));
	}
	json_decref(seen);
	return (list);
}

/* Takes everything out of the copy; false if some of it is not there. */
static bool
rematch_take(const struct play *pl, struct rematch *rm)
{
	json_t *args, *blob, *hash;
	const json_t *v;
	bool is_whole = true;
	size_t i;

	if ((args = replica_create_args(pl->copy)) == NULL)
		return (false);
	rm->seat = pl->seat;
	rm->system = xalloc_copy(json_object_get(args, "system"));
	rm->rulings = xalloc_copy(json_object_get(args, "rulings"));
	rm->terms = settings_of(args);
	rm->others = rematch_others(play_game(pl), pl->seat);
	rm->tables = xalloc_json(json_array());
	json_array_foreach(json_object_get(args, "tables"), i, v)
	{
		if ((blob = play_blob(pl, json_string_value(v))) == NULL)
			is_whole = false;
		else
			xalloc_append(rm->tables, blob);
	}
	/* Both sides may have agreed to other rosters than create's. */
	hash = js_hex(game_roster_blob(play_game(pl)), HASH_LEN);
	if ((rm->roster = play_blob(pl, json_string_value(hash))) == NULL)
		is_whole = false;
	json_decref(hash);
	json_decref(args);
	return (is_whole);
}

int
rematch_read(struct cmd_ctx *cx, const char *word, struct rematch *rm)
{
	struct play *pl;
	int status;

	memset(rm, 0, sizeof(*rm));
	if ((status = play_open(cx, word, PLAY_READ, &pl)) != 0)
		return (status);
	if (pl->seat < 0) {
		out_error("you did not sit in the game '%s'", word);
		out_note("A rematch needs a game of your own: `umpire games` "
			 "lists them.");
		status = EX_DATAERR;
	} else if (!rematch_take(pl, rm)) {
		out_error(
		    "your copy of '%s' lacks its rosters or tables", word);
		out_note("Open the game with `umpire new --roster FILE`.");
		rematch_clear(rm);
		status = EX_DATAERR;
	}
	play_close(pl);
	return (status);
}

void
rematch_clear(struct rematch *rm)
{
	json_decref(rm->system);
	json_decref(rm->rulings);
	json_decref(rm->tables);
	json_decref(rm->terms);
	json_decref(rm->roster);
	json_decref(rm->others);
	memset(rm, 0, sizeof(*rm));
}

json_t *
rematch_roster(const struct rematch *rm, int64_t seat)
{
	json_t *roster = xalloc_copy(rm->roster), *sides, *one, *two;

	if (rm->seat == 0 || seat == 0 || rm->seat % 2 != seat % 2)
		return (roster);
	sides = json_object_get(roster, "sides");
	one = xalloc_copy(json_object_get(sides, "1"));
	two = xalloc_copy(json_object_get(sides, "2"));
	xalloc_set(sides, "1", two);
	xalloc_set(sides, "2", one);
	return (roster);
}
