/* SPDX-License-Identifier: ISC */
/* Erasing what people wrote; the ledger does it. */
#include "server/rpc/rpc_text.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/rpc/rpc_game.h"
#include "server/rpc/rpc_tournament.h"
#include "server/store/access.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

int
rpc_text_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct store_tournament_row tournament;
	struct store_game_row row;
	struct access v;
	int r;

	if ((r = js_get_hex(
		 rq->params, "ref", call_at(), job->ref, HASH_LEN, e)) != 0)
		return (r);
	job->is_tournament = json_object_get(rq->params, "tournament") != NULL;
	if (job->is_tournament && json_object_get(rq->params, "game") != NULL)
		return (js_fail_member(call_at(), "tournament", e,
		    "the text is of a game or of a tournament: name one"));
	if (job->is_tournament) {
		r = rpc_tournament_find(rq, &tournament, e);
		if (r == 0)
			memcpy(job->game, tournament.id, HASH_LEN);
		return (r);
	}
	if ((r = rpc_game_find(rq, &row, &v, e)) != 0)
		return (r);
	memcpy(job->game, row.id, HASH_LEN);
	return (0);
}

int
rpc_text_list_cb(void *arg, int64_t n, const uint8_t ref[HASH_LEN])
{
	struct rpc_text_list *list = arg;

	list->n = n;
	return (json_array_append_new(list->refs, js_hex(ref, HASH_LEN)) == 0
		? 0
		: ERR_NOMEM);
}

void
rpc_text_list_write(const struct rpc_text_list *list, const char *refs,
    const char *number, struct buf *raw)
{
	buf_printf(raw, ",\"%s\":", refs);
	js_dump(list->refs, raw);
	buf_printf(raw, ",\"%s\":%lld", number, (long long)list->n);
}

int
rpc_text_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)e;
	*result = json_pack("{s:o, s:o, s:b, s:b}",
	    job->is_tournament ? "tournament" : "game",
	    js_hex(job->game, HASH_LEN), "ref", js_hex(job->ref, HASH_LEN),
	    "is_new", !job->is_repeat, "wiped", job->is_wiped);
	return (*result == NULL ? ERR_NOMEM : 0);
}

const struct call_method rpc_text_erase = {
    .name = "text.erase",
    .what = "Erases a text of one's own from the server.",
    .params =
	CALL_FIELDS({"game", SCHEMA_GAME, true,
			"the game's id, or a prefix of it that no other has"},
	    {"tournament", SCHEMA_GAME, true,
		"or a tournament's, instead of a game"},
	    {"ref", SCHEMA_HASH, false, "the text"}),
    .result = CALL_FIELDS(RPC_TEXT_ERASED),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_DENIED, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_text_fill,
    .finish = rpc_text_finish,
    .op = LEDGER_ERASE,
};

const struct call_method rpc_tournament_erased = {
    .name = "tournament.erased",
    .what = "A text of a tournament was erased.",
    .params =
	CALL_FIELDS({"tournament", SCHEMA_HASH, false, "the tournament's id"},
	    {"ref", SCHEMA_HASH, false, "the text"},
	    {"erasures", SCHEMA_INT, false, "its number among those erased"}),
};

const struct call_method rpc_game_erased = {
    .name = "game.erased",
    .what = "A text of a game was erased.",
    .params = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's id"},
	{"ref", SCHEMA_HASH, false, "the text"},
	{"erasures", SCHEMA_INT, false, "its number among those erased"}),
};
