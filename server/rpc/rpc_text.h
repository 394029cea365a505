/* SPDX-License-Identifier: ISC */
/* Erasing what people wrote (record S9). */
#ifndef UMPIRE_SERVER_RPC_RPC_TEXT_H
#define UMPIRE_SERVER_RPC_RPC_TEXT_H

#include "server/rpc/call.h"

extern const struct call_method rpc_text_erase;

/* The notice to those who watch the game. */
extern const struct call_method rpc_game_erased;

/* The members of a result that say what was erased. */
#define RPC_TEXT_ERASED                                             \
	{"game", SCHEMA_HASH, false, "the game's whole id"},        \
	    {"ref", SCHEMA_HASH, false, "the text"},                \
	    {"is_new", SCHEMA_BOOL, false, "false: it was before"}, \
	{                                                           \
		"wiped", SCHEMA_BOOL, false,                        \
		    "false: the write-ahead log still has it"       \
	}

/* Reads the params game and ref into a job that erases. */
int rpc_text_fill(struct call_request *rq, struct ledger_job *job,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Answers it. */
int rpc_text_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e) __attribute__((warn_unused_result));

#endif
