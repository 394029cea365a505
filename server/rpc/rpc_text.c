/* SPDX-License-Identifier: ISC */
/* Erasing what people wrote; the ledger does it. */
#include "server/rpc/rpc_text.h"

#include <string.h>

#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/rpc/rpc_game.h"
#include "server/store/access.h"
#include "server/store/store.h"

int
rpc_text_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct store_game_row row;
	struct access v;
	int r;

	if ((r = js_get_hex(
		 rq->params, "ref", call_at(), job->ref, HASH_LEN, e)) != 0 ||
	    (r = rpc_game_find(rq, &row, &v, e)) != 0)
		return (r);
	memcpy(job->game, row.id, HASH_LEN);
	return (0);
}

int
rpc_text_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)e;
	*result = json_pack("{s:o, s:o, s:b, s:b}", "game",
	    js_hex(job->game, HASH_LEN), "ref", js_hex(job->ref, HASH_LEN),
	    "is_new", !job->is_repeat, "wiped", job->is_wiped);
	return (*result == NULL ? ERR_NOMEM : 0);
}

const struct call_method rpc_text_erase = {
    .name = "text.erase",
    .what = "Erases a text of one's own from the server.",
    .params =
	CALL_FIELDS({RPC_GAME_PARAM}, {"ref", SCHEMA_HASH, false, "the text"}),
    .result = CALL_FIELDS(RPC_TEXT_ERASED),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_DENIED, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_text_fill,
    .finish = rpc_text_finish,
    .op = LEDGER_ERASE,
};

const struct call_method rpc_game_erased = {
    .name = "game.erased",
    .what = "A text of a watched game was erased.",
    .params = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's id"},
	{"ref", SCHEMA_HASH, false, "the text"}),
};
