/* SPDX-License-Identifier: ISC */
/* Watching the lobby. */
#include "server/rpc/rpc_lobby.h"

#include <stdbool.h>

#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/rpc/lobby_feed.h"
#include "server/rpc/session.h"

/* Answers lobby.watch. */
static int
rpc_lobby_handle_watch(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	bool is_mine = false, wants_erased = false;
	int r;

	if ((r = js_opt_bool(rq->params, "mine", call_at(), &is_mine, e)) !=
		0 ||
	    (r = js_opt_bool(
		 rq->params, "erased", call_at(), &wants_erased, e)) != 0)
		return (r);
	if (is_mine && !rq->s->is_logged_in)
		return (err_set(e, ERR_LOGIN, "params.mine",
		    "log in first; these are an account's games"));
	if ((*result = json_object()) == NULL)
		return (ERR_NOMEM);
	lobby_feed_watch(rq->s, is_mine, wants_erased);
	return (0);
}

/* Answers lobby.unwatch. */
static int
rpc_lobby_handle_unwatch(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	(void)e;
	if ((*result = json_object()) == NULL)
		return (ERR_NOMEM);
	lobby_feed_unwatch(rq->s);
	return (0);
}

static const struct call_field rpc_lobby_none[] = {
    {.name = NULL},
};

const struct call_method rpc_lobby_watch = {
    .name = "lobby.watch",
    .what = "Sends a notice for each change in the list of games.",
    .params = CALL_FIELDS(
	{"mine", SCHEMA_BOOL, true,
	    "true: only games of the account that is logged in"},
	{"erased", SCHEMA_BOOL, true,
	    "true: also texts that are erased, wherever they could be read"}),
    .result = rpc_lobby_none,
    .errors = CALL_ERRORS(ERR_LOGIN),
    .handle = rpc_lobby_handle_watch,
};

const struct call_method rpc_lobby_unwatch = {
    .name = "lobby.unwatch",
    .what = "Ends watching the lobby.",
    .result = rpc_lobby_none,
    .handle = rpc_lobby_handle_unwatch,
};

static const struct call_field rpc_lobby_game_params[] = {
    {"game", SCHEMA_HASH, false, "the game's id"},
    {"gone", SCHEMA_BOOL, true, "true: it is gone; nothing else is given"},
    {"invited", SCHEMA_BOOL, true, "true: the account is invited to it"},
    {"system", SCHEMA_TEXT, true, "this and the rest as in game.list"},
    {"phase", SCHEMA_TEXT, true, "as in game.list"},
    {"seats", SCHEMA_ARRAY(SCHEMA_TEXT), true, "as in game.list"},
    {"players", SCHEMA_ARRAY(SCHEMA_ARRAY(SCHEMA_TEXT)), true,
	"as in game.list"},
    {"director", SCHEMA_TEXT, true, "as in game.list"},
    {"witness", SCHEMA_TEXT, true, "as in game.list"},
    {"names", SCHEMA_OBJECT, true, "as in game.list"},
    {"turn", SCHEMA_INT, true, "as in game.list"},
    {"event", SCHEMA_TEXT, true, "as in game.list"},
    {"title", SCHEMA_TEXT, true, "as in game.list"},
    {"now", SCHEMA_TEXT, true, "as in game.list"},
    {"result", SCHEMA_OR_NULL("object"), true, "as in game.list"},
    {"seq", SCHEMA_INT, true, "as in game.list"},
    {"at", SCHEMA_TIME, true, "as in game.list"},
    {.name = NULL},
};

const struct call_method rpc_lobby_game = {
    .name = "lobby.game",
    .what = "A game of the lobby that has changed.",
    .params = rpc_lobby_game_params,
};
