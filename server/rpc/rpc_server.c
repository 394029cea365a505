/* SPDX-License-Identifier: ISC */
/* Who the server is, and what it can be asked. */
#include "server/rpc/rpc_server.h"

#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "common/record/schema.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "server/rpc/discover.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/store.h"

/* The rule systems that games can be made of; new. */
static json_t *
rpc_server_systems(void)
{
	const struct rules_system *const *all = systems_all();
	json_t *list = json_array();
	size_t i;

	for (i = 0; all[i] != NULL; i++)
		call_append(&list,
		    json_pack("{s:s, s:s, s:s}", "id", all[i]->id, "rules",
			all[i]->version, "name", all[i]->name));
	return (list);
}

/*
 * The accounts whose programs may be the third hand in games, with their keys;
 * *out is new.  One with several keys is left out: a game names one, which
 * never changes.
 */
static int
rpc_server_witnesses(const struct io *io, json_t **out)
{
	const struct names *names = &io->live.witnesses;
	struct statement_keys keys;
	json_t *list = json_array();
	size_t i;
	int r = 0;

	for (i = 0; i < names->n && r == 0; i++) {
		r = store_account_keys(io->reader, names->list[i], &keys);
		if (r == 0 && keys.n_keys == 1)
			call_append(&list,
			    json_pack("{s:s, s:o}", "account", names->list[i],
				"key", js_hex(keys.keys[0], SIGN_KEY_LEN)));
		if (r == ERR_NOTFOUND)
			r = 0;
	}
	if (r == 0 && list == NULL)
		r = ERR_NOMEM;
	if (r == 0)
		*out = list;
	else
		json_decref(list);
	return (r);
}

/* Answers server.hello. */
static int
rpc_server_handle_hello(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	static const char *const policies[] = {"open", "invite", "closed"};
	const struct io *io = rq->s->io;
	const struct io_shared *shared = io->shared;
	char at[CLOCK_AT_LEN + 1];
	uint8_t sig[SIGN_LEN];
	json_t *limits, *witnesses;
	int r;

	if ((r = session_exporter(rq->s)) == 0)
		r = sign_make(&shared->identity, SIGN_TAG_HELLO,
		    rq->s->exporter, sizeof(rq->s->exporter), sig);
	if (r != 0)
		return (err_set(e, r, "", "%s", err_text(r)));
	if ((r = rpc_server_witnesses(io, &witnesses)) != 0)
		return (r);
	clock_format(at, clock_wall_ms());
	limits = json_pack("{s:i, s:i, s:i, s:i}", "request", RPC_REQUEST_MAX,
	    "reply", RPC_REPLY_MAX, "blob", RECORD_BLOB_MAX, "text",
	    RECORD_TEXT_MAX);
	*result =
	    json_pack("{s:i, s:s, s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:I, s:o}",
		"protocol", 1, "software", "umpired " PACKAGE_VERSION, "server",
		js_hex(shared->identity.public_key, SIGN_KEY_LEN),
		"server_dice", js_hex(shared->dice.public_key, VRF_KEY_LEN),
		"sig", js_hex(sig, sizeof(sig)), "time", at, "policy",
		policies[io->live.policy], "systems", rpc_server_systems(),
		"limits", limits, "muster_days",
		(json_int_t)io->live.muster_days, "witnesses", witnesses);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/*
 * Answers rpc.discover.  Its text takes a hundred times as long to make as the
 * request that asks for it, and never changes.
 */
static int
rpc_server_handle_discover(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct buf *text = &rq->s->io->discover;
	json_t *document;

	(void)result;
	(void)e;
	if (text->len == 0) {
		if ((document = discover_document(rq->s->io->table)) == NULL)
			return (ERR_NOMEM);
		js_dump(document, text);
		json_decref(document);
		if (buf_error(text) != 0) {
			buf_clear(text);
			return (ERR_NOMEM);
		}
	}
	buf_add(&rq->s->io->raw, text->data, text->len);
	return (CALL_RAW);
}

static const struct call_field rpc_server_hello_result[] = {
    {"protocol", SCHEMA_INT, false, "1"},
    {"software", SCHEMA_TEXT, false, "program and version"},
    {"server", SCHEMA_KEY, false, "the server's identity key"},
    {"server_dice", SCHEMA_DICE_KEY, false, "with which the server rolls"},
    {"sig", SCHEMA_SIG, false, "the hello signature"},
    {"time", SCHEMA_TIME, false, "the server's clock"},
    {"policy", "{\"enum\":[\"open\",\"invite\",\"closed\"]}", false,
	"who may register"},
    {"systems", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"rule systems: id, rules, name"},
    {"limits", SCHEMA_OBJECT, false,
	"bytes at most: request, reply, blob, text"},
    {"muster_days", SCHEMA_INT, false,
	"days after which a game that has not begun lapses; 0: never"},
    {"witnesses", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"who may be the third hand for dice: account, key"},
    {.name = NULL},
};

const struct call_method rpc_server_hello = {
    .name = "server.hello",
    .what = "Says who the server is and proves it.",
    .result = rpc_server_hello_result,
    .errors = CALL_ERRORS(ERR_STORAGE),
    .handle = rpc_server_handle_hello,
};

const struct call_method rpc_server_discover = {
    .name = "rpc.discover",
    .what = "Gives the methods as an OpenRPC document.",
    .handle = rpc_server_handle_discover,
};
