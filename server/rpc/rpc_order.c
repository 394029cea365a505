/* SPDX-License-Identifier: ISC */
/*
 * Orders to games.  Their form and signature are checked in the io thread,
 * so that the ledger's thread, of which there is one, only does what must be
 * done in order.
 */
#include "server/rpc/rpc_order.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/sign.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"
#include "common/record/schema.h"
#include "server/ledger/ledger.h"
#include "server/net/limits.h"
#include "server/rpc/io.h"
#include "server/rpc/precompute.h"
#include "server/rpc/session.h"

#define RPC_ORDER_TEXTS \
	(sizeof(((struct ledger_job *)0)->texts) / sizeof(struct ledger_text))

/* Refuses an order that does not belong to the method. */
static int
rpc_order_check_kind(
    const struct call_method *method, enum order_kind kind, struct errinfo *e)
{
	const struct call_method *right = &rpc_order_order;

	if (kind == ORDER_CREATE)
		right = &rpc_order_create;
	else if (kind == ORDER_JOIN)
		right = &rpc_order_join;
	if (right == method)
		return (0);
	return (err_set(e, ERR_INVALID, "params.order.kind",
	    "an order of this kind is sent with %s", right->name));
}

/* Finds the key that must have signed. */
static int
rpc_order_key(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct js_at order = {.up = call_at(), .name = "order"};
	const struct js_at args = {.up = &order, .name = "args"};
	uint8_t given[SIGN_KEY_LEN];
	bool has;
	int r;

	if ((r = js_opt_hex(rq->params, "key", call_at(), given, sizeof(given),
		 &has, e)) != 0)
		return (r);
	if (job->order.kind != ORDER_CREATE && job->order.kind != ORDER_JOIN) {
		memcpy(job->key, has ? given : rq->s->key, sizeof(job->key));
		return (0);
	}
	if ((r = js_get_hex(job->order.args, "key", &args, job->key,
		 sizeof(job->key), e)) != 0)
		return (r);
	if (has && memcmp(given, job->key, sizeof(given)) != 0)
		return (err_set(e, ERR_INVALID, "params.key",
		    "must be the order's own args.key"));
	return (0);
}

/* Checks server key and signature. */
static int
rpc_order_check(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct order *o = &job->order;
	int r;

	if (memcmp(o->server, rq->s->io->shared->identity.public_key,
		SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_SERVER, "params.order.server",
		    "the order is for another server"));
	if ((r = sign_key_check(job->key)) != 0)
		return (err_set(
		    e, r, "params.key", "not an Ed25519 key that may be used"));
	r = sign_check(job->key, SIGN_TAG_ORDER, o->text, o->len, job->sig);
	if (r == ERR_SIGNATURE)
		(void)err_set(e, r, "params.sig",
		    "the signature is not of this order by this key");
	return (r);
}

/* Reads one of the texts that go with the order. */
static int
rpc_order_read_text(const json_t *v, const struct js_at *at,
    struct ledger_text *t, struct errinfo *e)
{
	static const char *const known[] = {"salt", "value", NULL};
	const char *value;
	int r;

	if (!json_is_object(v))
		return (js_fail(at, e, "must be an object"));
	if ((r = js_members(v, at, known, e)) != 0 ||
	    (r = js_get_hex(v, "salt", at, t->salt, sizeof(t->salt), e)) != 0 ||
	    (r = js_get_str(v, "value", at, &value, e)) != 0)
		return (r);
	t->len = strlen(value);
	if (t->len > RECORD_TEXT_MAX) {
		(void)js_fail_member(at, "value", e,
		    "a text has at most %d bytes", RECORD_TEXT_MAX);
		return (ERR_TOOBIG);
	}
	if ((r = record_text_ref(t->ref, t->salt, value, t->len)) != 0)
		return (r);
	return ((t->value = strdup(value)) == NULL ? ERR_NOMEM : 0);
}

/* Reads what goes with a commit or a standing order (record S8). */
static int
rpc_order_read_open(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	static const char *const known[] = {"salt", "text", NULL};
	const struct js_at at = {.up = call_at(), .name = "open"};
	uint8_t salt[RECORD_SALT_LEN];
	const json_t *open = NULL;
	const char *text;
	int r;

	if ((r = js_opt_object(params, "open", call_at(), &open, e)) != 0)
		return (r);
	if (open == NULL)
		return (0);
	if (job->order.kind != ORDER_COMMIT &&
	    job->order.kind != ORDER_STANDING)
		return (js_fail(
		    &at, e, "goes only with a commit or a standing order"));
	if ((r = js_members(open, &at, known, e)) != 0 ||
	    (r = js_get_hex(open, "salt", &at, salt, sizeof(salt), e)) != 0 ||
	    (r = js_get_str(open, "text", &at, &text, e)) != 0)
		return (r);
	if (strlen(text) > GAME_HELD_MAX)
		return (js_fail_member(&at, "text", e,
		    "a choice or standing order has at most %d bytes",
		    GAME_HELD_MAX));
	job->open = json_deep_copy(open);
	return (job->open == NULL ? ERR_NOMEM : 0);
}

/* Reads whom a create order invites. */
static int
rpc_order_read_guests(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	struct js_at at = {.name = "invite"}, element = {.up = &at};
	const json_t *list = NULL, *v;
	int r;

	at.up = call_at();
	if ((r = js_opt_array(params, "invite", call_at(), &list, e)) != 0)
		return (r);
	if (list == NULL)
		return (0);
	if (json_array_size(list) > LEDGER_INVITES)
		return (js_fail(&at, e, "more than %d accounts are invited",
		    LEDGER_INVITES));
	json_array_foreach(list, element.index, v)
	{
		if (!json_is_string(v) ||
		    !order_is_account(json_string_value(v)))
			return (js_fail(&element, e, "not an account's name"));
	}
	job->guests = json_deep_copy(list);
	return (job->guests == NULL ? ERR_NOMEM : 0);
}

int
rpc_order_read_texts(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	const json_t *texts = NULL;
	struct js_at at = {.up = NULL}, list = {.name = "texts"};
	size_t i;
	int r;

	list.up = call_at();
	at.up = &list;
	if ((r = js_opt_array(params, "texts", call_at(), &texts, e)) != 0)
		return (r);
	if (json_array_size(texts) > RPC_ORDER_TEXTS)
		return (
		    js_fail(&list, e, "more than %zu texts", RPC_ORDER_TEXTS));
	for (i = 0; i < json_array_size(texts); i++) {
		at.index = i;
		r = rpc_order_read_text(
		    json_array_get(texts, i), &at, &job->texts[i], e);
		if (r != 0)
			return (r);
		job->n_texts = i + 1;
	}
	return (0);
}

/* Reads an order into its job. */
static int
rpc_order_read(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct session *s = rq->s;
	const char *text;
	int r;

	if ((r = js_get_str(rq->params, "order", call_at(), &text, e)) != 0 ||
	    (r = js_get_hex(rq->params, "sig", call_at(), job->sig,
		 sizeof(job->sig), e)) != 0)
		return (r);
	if ((job->text = strdup(text)) == NULL)
		return (ERR_NOMEM);
	if ((r = order_parse(job->text, strlen(text), &job->order, e)) != 0) {
		js_within(call_at(), e);
		return (r);
	}
	memcpy(job->account, s->account, sizeof(job->account));
	job->is_witness = names_has(&s->io->live.witnesses, s->account);
	if (!s->sock.is_exempt)
		job->quota_wait_ms = limits_write_wait_ms(
		    s->io->shared->limits, s->account, clock_mono_ms());
	if ((r = rpc_order_check_kind(rq->method, job->order.kind, e)) != 0 ||
	    (r = rpc_order_key(rq, job, e)) != 0 ||
	    (r = rpc_order_check(rq, job, e)) != 0 ||
	    (r = rpc_order_read_open(rq->params, job, e)) != 0 ||
	    (r = rpc_order_read_guests(rq->params, job, e)) != 0)
		return (r);
	return (rpc_order_read_texts(rq->params, job, e));
}

/* Fills in the job of an order, for each of the three methods. */
static int
rpc_order_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct io_shared *shared = rq->s->io->shared;
	int r;

	if ((r = rpc_order_read(rq, job, e)) == 0)
		precompute_try(shared->precompute_cache, &shared->dice, job,
		    &rq->s->precompute_lost);
	return (r);
}

/* Logs that a game was opened, has begun or is over. */
static void
rpc_order_log(const struct session *s, const struct ledger_job *job)
{
	char hex[2 * HASH_LEN + 1];

	if (job->phase == NULL)
		return;
	hex_format(hex, job->order.game, HASH_LEN);
	if (job->order.kind == ORDER_CREATE)
		session_log(s, LOG_INFO, "opened game %.16s", hex);
	else
		session_log(
		    s, LOG_INFO, "game %.16s: phase %s", hex, job->phase);
}

int
rpc_order_failed(
    struct call_request *rq, const struct ledger_job *job, struct errinfo *e)
{
	int r;

	*e = job->e;
	js_within(call_at(), e);
	r = job->r;
	if ((rq->data = json_object()) == NULL)
		return (ERR_NOMEM);
	if (r == ERR_LIMIT && job->quota_wait_ms > 0 &&
	    json_object_set_new(rq->data, "wait_ms",
		json_integer((json_int_t)job->quota_wait_ms)) == -1)
		return (ERR_NOMEM);
	if (job->open_games > 0 &&
	    json_object_set_new(rq->data, "open_games",
		json_integer((json_int_t)job->open_games)) == -1)
		return (ERR_NOMEM);
	if (job->refusal.len > 0 &&
	    json_object_set_new(rq->data, "refusal",
		json_pack("{s:o, s:o}", "text",
		    json_stringn(job->refusal.data, job->refusal.len), "sig",
		    js_hex(job->refusal_sig, SIGN_LEN))) == -1)
		return (ERR_NOMEM);
	if ((r == ERR_FORK || job->refusal.len > 0) &&
	    json_object_set_new(rq->data, "head",
		json_pack("{s:I, s:o}", "seq", (json_int_t)job->head_seq,
		    "hash", js_hex(job->head, HASH_LEN))) == -1)
		return (ERR_NOMEM);
	return (r);
}

void
rpc_order_write(const struct ledger_job *job, struct buf *out)
{
	buf_puts(out, "{\"line\":");
	js_dump_string(job->line.data, job->line.len, out);
	buf_printf(out, ",\"seq\":%lld,\"repeat\":%s}", (long long)job->seq,
	    job->is_repeat ? "true" : "false");
}

/* Answers when the ledger has. */
static int
rpc_order_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	struct buf *raw = &rq->s->io->raw;

	(void)result;
	precompute_done(job, &rq->s->precompute_lost);
	if (job->r != 0)
		return (rpc_order_failed(rq, job, e));
	rpc_order_log(rq->s, job);
	rpc_order_write(job, raw);
	return (CALL_RAW);
}

/* What all three methods take, and the texts besides. */
#define RPC_ORDER_PARAMS                                               \
	{"order", SCHEMA_TEXT, false, "the order, 2 to 16,384 bytes"}, \
	    {"sig", SCHEMA_SIG, false, "over the order"},              \
	{                                                              \
		"key", SCHEMA_KEY, true, "the key that signed"         \
	}
#define RPC_ORDER_PARAM_TEXTS                       \
	"texts", SCHEMA_ARRAY(SCHEMA_OBJECT), true, \
	    "texts that the order names, four at most: salt and value each"

const struct call_field rpc_order_result[] = {
    {"line", SCHEMA_TEXT, false, "the record's line, without its LF"},
    {"seq", SCHEMA_INT, false, "its number"},
    {"repeat", SCHEMA_BOOL, false, "true if it was recorded before"},
    {.name = NULL},
};

static const int rpc_order_errors[] = {ERR_LOGIN, ERR_TOOBIG, ERR_SIGNATURE,
    ERR_SERVER, ERR_DENIED, ERR_NOTFOUND, ERR_FORK, ERR_STALE, ERR_ILLEGAL,
    ERR_NONCE, ERR_MISSING, ERR_LIMIT, ERR_CLOCK, ERR_DAMAGED, ERR_RECOVERING,
    ERR_STORAGE, 0};

const struct call_method rpc_order_create = {
    .name = "game.create",
    .what = "Opens a game with a create order.",
    .params = CALL_FIELDS(RPC_ORDER_PARAMS, {RPC_ORDER_PARAM_TEXTS},
	{"invite", SCHEMA_ARRAY(SCHEMA_ACCOUNT), true,
	    "only these accounts, and those invited later, may join"}),
    .result = rpc_order_result,
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_TOOBIG, ERR_SIGNATURE, ERR_SERVER,
	ERR_NOTFOUND, ERR_ILLEGAL, ERR_MISSING, ERR_LIMIT, ERR_CLOCK,
	ERR_RECOVERING, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_order_fill,
    .finish = rpc_order_finish,
    .op = LEDGER_ORDER,
};

const struct call_method rpc_order_join = {
    .name = "game.join",
    .what = "Takes a seat with a join order.",
    .params = CALL_FIELDS(RPC_ORDER_PARAMS, {RPC_ORDER_PARAM_TEXTS}),
    .result = rpc_order_result,
    .errors = rpc_order_errors,
    .needs_login = true,
    .fill = rpc_order_fill,
    .finish = rpc_order_finish,
    .op = LEDGER_ORDER,
};

const struct call_method rpc_order_order = {
    .name = "game.order",
    .what = "Gives any other order to a game.",
    .params = CALL_FIELDS(RPC_ORDER_PARAMS,
	{"open", SCHEMA_OBJECT, true,
	    "beside a standing order, or a commit where secrets are held: salt "
	    "and text"},
	{RPC_ORDER_PARAM_TEXTS}),
    .result = rpc_order_result,
    .errors = rpc_order_errors,
    .needs_login = true,
    .fill = rpc_order_fill,
    .finish = rpc_order_finish,
    .op = LEDGER_ORDER,
};
