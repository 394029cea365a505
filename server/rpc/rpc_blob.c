/* SPDX-License-Identifier: ISC */
/*
 * Blobs: rosters, tables and bags that orders name by their hash (record
 * S9).  Only their form is looked at here; what is in them is checked where
 * an order names them.
 */
#include "server/rpc/rpc_blob.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/schema.h"
#include "server/ledger/ledger.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/kept.h"
#include "server/store/store.h"

/* Answers blob.put when the ledger has. */
static int
rpc_blob_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)e;
	*result = json_pack("{s:o}", "hash", js_hex(job->blob_hash, HASH_LEN));
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Fills in the job of blob.put: an object with "blob" first (record S9). */
static int
rpc_blob_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	static const char where[] = "params.value";
	const char *first = NULL, *kind, *value;
	struct errinfo why = {0};
	json_t *blob;
	int r;

	if ((r = js_get_str(rq->params, "value", call_at(), &value, e)) != 0)
		return (r);
	job->blob_len = strlen(value);
	if (job->blob_len > RECORD_BLOB_MAX)
		return (err_set(e, ERR_TOOBIG, where,
		    "a blob has at most %d bytes", RECORD_BLOB_MAX));
	r = js_load(value, job->blob_len, JS_DEPTH_RECORD, &blob, &why);
	if (r != 0)
		return (err_set(e, r, where, "%s", why.text));
	if (json_is_object(blob))
		first = json_object_iter_key(json_object_iter(blob));
	if (first == NULL || strcmp(first, "blob") != 0 ||
	    (kind = json_string_value(json_object_get(blob, first))) == NULL ||
	    (strcmp(kind, "roster") != 0 && strcmp(kind, "tables") != 0 &&
		strcmp(kind, "bag") != 0))
		r = err_set(e, ERR_INVALID, where,
		    "must be an object that begins with \"blob\": \"roster\", "
		    "\"tables\" or \"bag\"");
	json_decref(blob);
	if (r != 0)
		return (r);
	if ((job->blob = strdup(value)) == NULL)
		return (ERR_NOMEM);
	return (record_blob_hash(job->blob_hash, value, job->blob_len));
}

/* Answers blob.get. */
static int
rpc_blob_handle_get(struct call_request *rq, json_t **result, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	struct buf bytes;
	json_t *value;
	int r;

	if ((r = js_get_hex(
		 rq->params, "hash", call_at(), hash, sizeof(hash), e)) != 0)
		return (r);
	buf_init(&bytes, RECORD_BLOB_MAX);
	r = access_blob(rq->s->io->reader, hash, rq->s->account);
	if (r == 0)
		r = kept_blob(rq->s->io->reader, hash, &bytes);
	if (r == ERR_NOTFOUND)
		(void)err_set(e, r, "params.hash", "no such blob");
	if (r == ERR_BAD)
		r = err_set(e, ERR_STORAGE, "params.hash",
		    "what is kept of the blob does not have this hash");
	if (r == 0 && (r = buf_error(&bytes)) == 0) {
		value =
		    json_stringn(bytes.len == 0 ? "" : bytes.data, bytes.len);
		*result = json_pack("{s:o}", "value", value);
		r = *result == NULL ? ERR_NOMEM : 0;
	}
	buf_clear(&bytes);
	return (r);
}

const struct call_method rpc_blob_put = {
    .name = "blob.put",
    .what = "Stores a roster, tables or a bag.",
    .params = CALL_FIELDS({"value", "{\"type\":\"string\",\"maxLength\":40000}",
	false, "the blob's bytes, at most 40,000"}),
    .result = CALL_FIELDS({"hash", SCHEMA_HASH, false, "the blob's hash"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_TOOBIG, ERR_LIMIT, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_blob_fill,
    .finish = rpc_blob_finish,
    .op = LEDGER_BLOB,
};

const struct call_method rpc_blob_get = {
    .name = "blob.get",
    .what = "Gives a blob.",
    .params = CALL_FIELDS({"hash", SCHEMA_HASH, false, "the blob's hash"}),
    .result = CALL_FIELDS({"value", SCHEMA_TEXT, false, "the blob's bytes"}),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_STORAGE),
    .handle = rpc_blob_handle_get,
};
