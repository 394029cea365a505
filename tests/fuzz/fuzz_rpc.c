/* SPDX-License-Identifier: ISC */
/* JSON-RPC messages as the server and the client read them. */
#include "common/base/buf.h"
#include "common/record/rpc.h"

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct rpc_request rq;
	struct rpc_reply rp;
	struct errinfo e;
	struct buf out;
	json_t *id;
	int r;

	r = rpc_request_parse(text, size, &rq, &id, &e);
	if (r == 0) {
		FUZZ_MUST(json_is_object(rq.params) && rq.method != NULL);
		buf_init(&out, RPC_REPLY_MAX + 1);
		rpc_write_result(&out, rq.id, rq.params);
		FUZZ_MUST(out.len > 0);
		buf_clear(&out);
		rpc_request_clear(&rq);
	} else {
		json_decref(id);
	}
	if (rpc_reply_parse(text, size, &rp, &e) == 0) {
		FUZZ_MUST(rp.code == 0 || rp.r != 0);
		rpc_reply_clear(&rp);
	}
	return (0);
}
