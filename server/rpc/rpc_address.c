/* SPDX-License-Identifier: ISC */
/*
 * Where an account wants to be told what waits for it.  An address is used
 * once the code that was sent there was said; how many codes are sent is
 * bounded by account and by address, since nobody knows yet whose it is.
 * Addresses stand in no log.
 */
#include "server/rpc/rpc_address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/base/address.h"
#include "server/ledger/ledger.h"
#include "server/net/limits.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/store_notice.h"

#define RPC_ADDRESS_DAY 1440 /* minutes */
#define RPC_ADDRESS_OFFSET 840 /* minutes: UTC+14 is the farthest */

#define RPC_ADDRESS_KIND "{\"type\":\"string\",\"enum\":[\"mail\",\"webhook\"]}"
#define RPC_ADDRESS_QUIET                                                    \
	"{\"type\":[\"object\",\"null\"],\"properties\":{"                   \
	"\"offset\":{\"type\":\"integer\"},\"from\":{\"type\":\"integer\"}," \
	"\"to\":{\"type\":\"integer\"}}}"
#define RPC_ADDRESS_MINUTE \
	"{\"type\":\"integer\",\"minimum\":0,\"maximum\":1439}"

/* What a code is made of: nothing that is easily read as another. */
static const char rpc_address_letters[] = "23456789abcdefghjkmnpqrstuvwxyz";

/* Writes a time; NULL if there is none. */
static const char *
rpc_address_at(char out[CLOCK_AT_LEN + 1], int64_t at_ms)
{
	if (at_ms < 0)
		return (NULL);
	clock_format(out, at_ms);
	return (out);
}

/* Adds one address to the list. */
static int
rpc_address_list_cb(void *arg, const struct store_address *a)
{
	const int64_t until_ms =
	    a->code[0] == '\0' ? -1 : a->at_ms + LEDGER_CODE_MS;
	char at[4][CLOCK_AT_LEN + 1];
	json_t *v;

	clock_format(at[0], a->at_ms);
	v = json_pack("{s:s, s:s, s:b, s:s, s:s*, s:s*, s:s*, s:s*}", "kind",
	    store_channel_names[a->kind], "value", a->value, "confirmed",
	    (int)a->is_confirmed, "at", at[0], "code_until",
	    rpc_address_at(at[1], until_ms), "sent_at",
	    rpc_address_at(at[2], a->sent_ms), "failed_at",
	    rpc_address_at(at[3], a->failed_ms), "error",
	    a->failed_ms < 0 ? NULL : a->error);
	return (json_array_append_new(arg, v) == -1 ? ERR_NOMEM : 0);
}

/* Whether a kind is offered. */
static bool
rpc_address_is_offered(const struct session *s, enum store_channel kind)
{
	const struct conf_live *live = &s->io->live;

	return (kind == STORE_CHANNEL_MAIL ? live->offers_mail != 0
					   : live->offers_webhooks != 0);
}

/* The kinds that are offered; new. */
static json_t *
rpc_address_offered(const struct session *s)
{
	json_t *list = json_array();
	int i;

	for (i = STORE_CHANNEL_MAIL; i < STORE_CHANNELS; i++) {
		if (rpc_address_is_offered(s, (enum store_channel)i))
			call_append(&list, json_string(store_channel_names[i]));
	}
	return (list);
}

/* Quiet hours; new, null if there are none. */
static json_t *
rpc_address_write_quiet(const struct store_quiet *quiet)
{
	if (!quiet->has_quiet)
		return (json_null());
	return (json_pack("{s:i, s:i, s:i}", "offset", quiet->offset_min,
	    "from", quiet->from_min, "to", quiet->to_min));
}

/* Answers address.list. */
static int
rpc_address_handle_list(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct store *st = rq->s->io->reader;
	struct store_quiet quiet;
	json_t *list;
	int r;

	(void)e;
	if ((list = json_array()) == NULL)
		return (ERR_NOMEM);
	r = store_address_each(st, rq->s->account, rpc_address_list_cb, list);
	if (r == 0)
		r = store_quiet_get(st, rq->s->account, &quiet);
	if (r != 0) {
		json_decref(list);
		return (r);
	}
	*result =
	    json_pack("{s:o, s:o, s:o}", "offered", rpc_address_offered(rq->s),
		"addresses", list, "quiet", rpc_address_write_quiet(&quiet));
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Reads which kind is meant. */
static int
rpc_address_read_kind(
    const json_t *params, enum store_channel *kind, struct errinfo *e)
{
	static const char *const kinds[] = {"mail", "webhook", NULL};
	int i, r;

	r = js_get_enum(params, "kind", call_at(), kinds, &i, e);
	if (r != 0)
		return (r);
	*kind = i == 0 ? STORE_CHANNEL_MAIL : STORE_CHANNEL_WEBHOOK;
	return (0);
}

/* Answers what set, confirm and drop ask for when the ledger has. */
static int
rpc_address_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	const bool is_confirmed = job->address_op == LEDGER_ADDRESS_CONFIRM;

	(void)rq;
	if (job->is_wrong) {
		*e = job->e;
		js_within(call_at(), e);
		return (ERR_DENIED);
	}
	*result = json_pack("{s:s}", "kind", store_channel_names[job->kind]);
	if (job->address_op != LEDGER_ADDRESS_DROP &&
	    json_object_set_new(
		*result, "confirmed", json_boolean(is_confirmed)) == -1)
		return (ERR_NOMEM);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Refuses a port, and says which will do. */
static int
rpc_address_fail_port(const struct session *s, struct errinfo *e)
{
	const struct address_ports *p = &s->io->live.webhook_ports;
	char list[ADDRESS_PORTS_MAX * 7 + 1] = "";
	size_t i, n = 0;

	for (i = 0; i < p->n && n < sizeof(list); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%u",
		    i == 0              ? ""
			: i + 1 == p->n ? " or "
					: ", ",
		    p->list[i]);
	return (js_fail_member(call_at(), "value", e,
	    "this server's webhooks go to port %s only", list));
}

/* Checks the form of an address and copies it into the job. */
static int
rpc_address_read_value(const struct session *s, const json_t *params,
    struct ledger_job *job, struct errinfo *e)
{
	const struct js_at *at = call_at();
	const char *value;
	int r;

	if ((r = js_get_str(params, "value", at, &value, e)) != 0)
		return (r);
	if (job->kind == STORE_CHANNEL_MAIL && !address_is_mail(value))
		return (js_fail_member(at, "value", e,
		    "not a mail address that can be used here: plain letters, "
		    "digits and ._%%+- before the @, a domain after it"));
	if (job->kind == STORE_CHANNEL_WEBHOOK && !address_is_url(value))
		return (js_fail_member(at, "value", e,
		    "not a URL that can be used here: https://, at most "
		    "%d plain characters, no user name, no #",
		    STORE_ADDRESS_MAX));
	if (job->kind == STORE_CHANNEL_WEBHOOK &&
	    !address_has_port(&s->io->live.webhook_ports, value))
		return (rpc_address_fail_port(s, e));
	if (strlen(value) > STORE_ADDRESS_MAX)
		return (ERR_INTERNAL);
	memcpy(job->value, value, strlen(value) + 1);
	return (0);
}

/*
 * The hash by which codes to an address are counted: of a mail address in
 * lower case, without what follows a + and without dots before the @, since
 * at many servers that reaches the same person.
 */
static int
rpc_address_hash(const struct ledger_job *job, uint8_t hash[HASH_LEN])
{
	char text[STORE_ADDRESS_MAX + 1];
	const char *c;
	bool is_local = true, is_tag = false;
	size_t n = 0;

	if (job->kind != STORE_CHANNEL_MAIL)
		return (hash_sha256(hash, job->value, strlen(job->value)));
	for (c = job->value; *c != '\0'; c++) {
		if (*c == '@')
			is_local = is_tag = false;
		if (is_local && *c == '+')
			is_tag = true;
		if (is_tag || (is_local && *c == '.'))
			continue;
		text[n++] = *c;
		if (*c >= 'A' && *c <= 'Z')
			text[n - 1] = (char)(*c - 'A' + 'a');
	}
	return (hash_sha256(hash, text, n));
}

/* Makes a code: each of its letters as likely as any other. */
static int
rpc_address_make_code(char code[STORE_CODE_LEN + 1])
{
	const size_t letters = sizeof(rpc_address_letters) - 1;
	uint8_t byte;
	size_t n = 0;
	int r;

	while (n < STORE_CODE_LEN) {
		if ((r = hash_random(&byte, 1)) != 0)
			return (r);
		if (byte < 256 / letters * letters)
			code[n++] = rpc_address_letters[byte % letters];
	}
	code[n] = '\0';
	return (0);
}

/* Fills in the job of address.set. */
static int
rpc_address_fill_set(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct limits *limits = rq->s->io->shared->limits;
	size_t len;
	int64_t now_ms;
	uint8_t hash[HASH_LEN];
	int r;

	job->address_op = LEDGER_ADDRESS_SET;
	if ((r = rpc_address_read_kind(rq->params, &job->kind, e)) != 0 ||
	    (r = rpc_address_read_value(rq->s, rq->params, job, e)) != 0)
		return (r);
	if (!rpc_address_is_offered(rq->s, job->kind))
		return (err_set(e, ERR_DENIED, "params.kind",
		    job->kind == STORE_CHANNEL_MAIL
			? "this server sends no mail"
			: "this server calls no webhooks"));
	len = strlen(rq->s->account);
	now_ms = clock_mono_ms();
	if ((r = rpc_address_hash(job, hash)) != 0)
		return (r);
	if (limits_allowed(
		limits, LIMITS_ADDRESS_SET, rq->s->account, len, now_ms) != 0)
		return (err_set(e, ERR_LIMIT, "",
		    "the account has asked for too many codes; try again in "
		    "an hour"));
	if (limits_allowed(
		limits, LIMITS_ADDRESS_VALUE, hash, sizeof(hash), now_ms) != 0)
		return (err_set(e, ERR_LIMIT, "params.value",
		    "too many codes were sent to this address; try again "
		    "tomorrow"));
	limits_count(limits, LIMITS_ADDRESS_SET, rq->s->account, len, now_ms);
	limits_count(limits, LIMITS_ADDRESS_VALUE, hash, sizeof(hash), now_ms);
	return (rpc_address_make_code(job->code));
}

/* Fills in the job of address.confirm. */
static int
rpc_address_fill_confirm(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const char *c;
	char letter;
	size_t n = 0;
	int r;

	job->address_op = LEDGER_ADDRESS_CONFIRM;
	job->is_any = json_object_get(rq->params, "kind") == NULL;
	if (!job->is_any &&
	    (r = rpc_address_read_kind(rq->params, &job->kind, e)) != 0)
		return (r);
	if ((r = js_get_str(rq->params, "code", call_at(), &c, e)) != 0)
		return (r);
	/* As people type it: capitals, blanks and hyphens do not count. */
	for (; *c != '\0'; c++) {
		letter = *c;
		if (letter == ' ' || letter == '-')
			continue;
		if (letter >= 'A' && letter <= 'Z')
			letter = (char)(letter - 'A' + 'a');
		if (n == STORE_CODE_LEN ||
		    strchr(rpc_address_letters, letter) == NULL)
			break;
		job->code[n++] = letter;
	}
	if (*c != '\0' || n != STORE_CODE_LEN)
		return (js_fail_member(call_at(), "code", e,
		    "not a code: a code is %d letters and digits, without 0, "
		    "1, i, l and o",
		    STORE_CODE_LEN));
	return (0);
}

/* Fills in the job of address.drop. */
static int
rpc_address_fill_drop(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	job->address_op = LEDGER_ADDRESS_DROP;
	return (rpc_address_read_kind(rq->params, &job->kind, e));
}

/* Fills in the job of address.quiet: all three params, or none. */
static int
rpc_address_fill_quiet(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct store_quiet *quiet = &job->quiet;
	const struct js_at *at = call_at();
	const json_t *params = rq->params;
	int64_t from, offset, to;
	int r;

	job->address_op = LEDGER_ADDRESS_QUIET;
	quiet->has_quiet = json_object_size(params) > 0;
	if (!quiet->has_quiet)
		return (0);
	if ((r = js_get_int(params, "offset", at, -RPC_ADDRESS_OFFSET,
		 RPC_ADDRESS_OFFSET, &offset, e)) != 0 ||
	    (r = js_get_int(
		 params, "from", at, 0, RPC_ADDRESS_DAY - 1, &from, e)) != 0 ||
	    (r = js_get_int(
		 params, "to", at, 0, RPC_ADDRESS_DAY - 1, &to, e)) != 0)
		return (r);
	if (from == to)
		return (js_fail_member(at, "to", e,
		    "is the same as from, which leaves no quiet hours"));
	quiet->offset_min = (int)offset;
	quiet->from_min = (int)from;
	quiet->to_min = (int)to;
	return (0);
}

/* Answers address.quiet when the ledger has. */
static int
rpc_address_finish_quiet(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)e;
	*result =
	    json_pack("{s:o}", "quiet", rpc_address_write_quiet(&job->quiet));
	return (*result == NULL ? ERR_NOMEM : 0);
}

const struct call_method rpc_address_list = {
    .name = "address.list",
    .what = "Lists where and when the account is told what waits for it.",
    .result = CALL_FIELDS({"offered", SCHEMA_ARRAY(RPC_ADDRESS_KIND), false,
			      "kinds of address that this server sends to"},
	{"addresses", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	    "kind, value, confirmed, at, code_until, sent_at, failed_at, error "
	    "of each"},
	{"quiet", RPC_ADDRESS_QUIET, false,
	    "when the account is not told: minutes ahead of UTC, and from and "
	    "to as minutes of the day there"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_STORAGE),
    .needs_login = true,
    .handle = rpc_address_handle_list,
};

static const struct call_field rpc_address_result[] = {
    {"kind", RPC_ADDRESS_KIND, false, "as given"},
    {"confirmed", SCHEMA_BOOL, false, "whether it is used now"},
    {.name = NULL},
};

const struct call_method rpc_address_set = {
    .name = "address.set",
    .what = "Sends a code to an address, in place of the one of that kind.",
    .params =
	CALL_FIELDS({"kind", RPC_ADDRESS_KIND, false, "the kind of address"},
	    {"value", SCHEMA_TEXT, false, "the address"}),
    .result = rpc_address_result,
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_DENIED, ERR_LIMIT, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_address_fill_set,
    .finish = rpc_address_finish,
    .op = LEDGER_ADDRESS,
};

const struct call_method rpc_address_confirm = {
    .name = "address.confirm",
    .what = "Confirms an address by its code; it is used from then on.",
    .params = CALL_FIELDS(
	{"kind", RPC_ADDRESS_KIND, true, "the kind; without it any"},
	{"code", SCHEMA_TEXT, false, "the code that was sent there"}),
    .result = rpc_address_result,
    .errors = CALL_ERRORS(
	ERR_LOGIN, ERR_NOTFOUND, ERR_EXISTS, ERR_DENIED, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_address_fill_confirm,
    .finish = rpc_address_finish,
    .op = LEDGER_ADDRESS,
};

const struct call_method rpc_address_drop = {
    .name = "address.drop",
    .what = "Removes the address of a kind; nothing is sent there again.",
    .params =
	CALL_FIELDS({"kind", RPC_ADDRESS_KIND, false, "the kind of address"}),
    .result = CALL_FIELDS({"kind", RPC_ADDRESS_KIND, false, "as given"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_address_fill_drop,
    .finish = rpc_address_finish,
    .op = LEDGER_ADDRESS,
};

const struct call_method rpc_address_quiet = {
    .name = "address.quiet",
    .what = "Sets the hours in which the account is not told, or none.",
    .params = CALL_FIELDS(
	{"offset", "{\"type\":\"integer\",\"minimum\":-840,\"maximum\":840}",
	    true, "minutes by which the clock of from and to is ahead of UTC"},
	{"from", RPC_ADDRESS_MINUTE, true,
	    "the minute of the day that is quiet"},
	{"to", RPC_ADDRESS_MINUTE, true, "the first that is not"}),
    .result = CALL_FIELDS(
	{"quiet", RPC_ADDRESS_QUIET, false, "as stored; null for none"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_address_fill_quiet,
    .finish = rpc_address_finish_quiet,
    .op = LEDGER_ADDRESS,
};
