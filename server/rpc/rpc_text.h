/* SPDX-License-Identifier: ISC */
/* Erasing what people wrote (record S9). */
#ifndef UMPIRE_SERVER_RPC_RPC_TEXT_H
#define UMPIRE_SERVER_RPC_RPC_TEXT_H

#include "server/rpc/call.h"

extern const struct call_method rpc_text_erase;

/* The notices to those who watch the game, or the tournament. */
extern const struct call_method rpc_game_erased;
extern const struct call_method rpc_tournament_erased;

/* Texts that were erased or lost, on their way into a result. */
struct rpc_text_list {
	json_t *refs; /* owned by the caller */
	int64_t n; /* of the last one */
};

/*
 * Adds one; and writes all, where a result goes on after another member, as
 * member `refs`, with the number of the last as `number`.
 */
int rpc_text_list_cb(void *arg, int64_t n, const uint8_t ref[HASH_LEN])
    __attribute__((warn_unused_result));
void rpc_text_list_write(const struct rpc_text_list *list, const char *refs,
    const char *number, struct buf *raw);

/* The members of a result that say what was erased. */
#define RPC_TEXT_ERASED                                             \
	{"game", SCHEMA_HASH, true, "the game's whole id, or"},     \
	    {"tournament", SCHEMA_HASH, true, "the tournament's"},  \
	    {"ref", SCHEMA_HASH, false, "the text"},                \
	    {"is_new", SCHEMA_BOOL, false, "false: it was before"}, \
	{                                                           \
		"wiped", SCHEMA_BOOL, false,                        \
		    "false: the write-ahead log still has it"       \
	}

/* Reads the params game or tournament, and ref, into a job that erases. */
int rpc_text_fill(struct call_request *rq, struct ledger_job *job,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Answers it. */
int rpc_text_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e) __attribute__((warn_unused_result));

#endif
