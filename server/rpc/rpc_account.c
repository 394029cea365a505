/* SPDX-License-Identifier: ISC */
/*
 * Making accounts and logging in.  A login is proved by a signature over the
 * connection's exporter (record S12).  Guessing is bounded by address and by
 * account; a key that is the account's is never refused for what others
 * tried in its name.
 */
#include "server/rpc/rpc_account.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/utf8.h"
#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/ledger/ledger.h"
#include "server/net/limits.h"
#include "server/net/presence.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/invite.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/store.h"

/* What both methods are given. */
struct rpc_account_proof {
	const char *account; /* borrowed from the params */
	uint8_t key[SIGN_KEY_LEN];
	uint8_t sig[SIGN_LEN];
};

/* Reads the params that both methods have. */
static int
rpc_account_read(
    const json_t *params, struct rpc_account_proof *p, struct errinfo *e)
{
	const struct js_at *at = call_at();
	int r;

	if ((r = js_get_str(params, "account", at, &p->account, e)) != 0 ||
	    (r = js_get_hex(params, "key", at, p->key, sizeof(p->key), e)) !=
		0 ||
	    (r = js_get_hex(params, "sig", at, p->sig, sizeof(p->sig), e)) != 0)
		return (r);
	if (!order_is_account(p->account))
		return (js_fail_member(at, "account", e,
		    "an account's name is 1 to 32 of a-z, 0-9, \".\", \"_\" "
		    "and \"-\", the first a letter or digit"));
	return (0);
}

/* Checks the login signature: exporter, server key, u8 length, account. */
static int
rpc_account_check(
    struct session *s, const struct rpc_account_proof *p, struct errinfo *e)
{
	uint8_t msg[TLS_EXPORTER_LEN + SIGN_KEY_LEN + 1 + ORDER_ACCOUNT_MAX];
	const size_t len = strlen(p->account);
	uint8_t *at = msg;
	int r;

	if ((r = session_exporter(s)) != 0)
		return (err_set(e, r, "", "%s", err_text(r)));
	memcpy(at, s->exporter, TLS_EXPORTER_LEN);
	at += TLS_EXPORTER_LEN;
	memcpy(at, s->io->shared->identity.public_key, SIGN_KEY_LEN);
	at += SIGN_KEY_LEN;
	*at++ = (uint8_t)len;
	memcpy(at, p->account, len);
	at += len;
	if ((r = sign_key_check(p->key)) != 0)
		return (err_set(
		    e, r, "params.key", "not an Ed25519 key that may be used"));
	r = sign_check(p->key, SIGN_TAG_LOGIN, msg, (size_t)(at - msg), p->sig);
	if (r == ERR_SIGNATURE)
		(void)err_set(e, r, "params.sig",
		    "the login signature does not hold for this connection");
	return (r);
}

/* Notes who is logged in.  ERR_NOMEM: the same as before. */
static int
rpc_account_set(
    struct session *s, const char *account, const uint8_t key[SIGN_KEY_LEN])
{
	struct presence *presence = s->io->shared->presence;
	int r;

	if ((r = presence_enter(presence, account)) != 0)
		return (r);
	if (s->is_logged_in)
		presence_leave(presence, s->account);
	memset(s->account, 0, sizeof(s->account));
	memcpy(s->account, account, strlen(account));
	memcpy(s->key, key, SIGN_KEY_LEN);
	s->is_logged_in = true;
	game_feed_refresh(s);
	session_log(s, LOG_INFO, "logged in");
	return (0);
}

/* Counts a failed login of the address and of the account. */
static void
rpc_account_count(const struct session *s, const char *account)
{
	struct limits *limits = s->io->shared->limits;
	const int64_t now_ms = clock_mono_ms();

	limits_count(limits, LIMITS_FAILURE_ADDRESS, s->sock.address,
	    LIMITS_ADDRESS, now_ms);
	limits_count(
	    limits, LIMITS_FAILURE_ACCOUNT, account, strlen(account), now_ms);
}

/* The result of a login; name "": the account has none.  New. */
static json_t *
rpc_account_result(const char *account, const char *name)
{
	return (json_pack("{s:s, s:s*}", "account", account, "name",
	    *name == '\0' ? NULL : name));
}

/* Answers account.login. */
static int
rpc_account_handle_login(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct session *s = rq->s;
	struct limits *limits = s->io->shared->limits;
	struct rpc_account_proof p;
	int64_t now_ms = clock_mono_ms();
	char name[STORE_NAME];
	int r;

	if ((r = rpc_account_read(rq->params, &p, e)) != 0)
		return (r);
	if (limits_allowed(limits, LIMITS_FAILURE_ADDRESS, s->sock.address,
		LIMITS_ADDRESS, now_ms) != 0)
		return (err_set(e, ERR_LIMIT, "",
		    "too many failed logins from your address; try later"));
	r = store_account_has_key(s->io->reader, p.account, p.key);
	if (r == ERR_NOTFOUND) {
		if (limits_allowed(limits, LIMITS_FAILURE_ACCOUNT, p.account,
			strlen(p.account), now_ms) != 0)
			return (err_set(e, ERR_LIMIT, "",
			    "too many failed logins for this account; try "
			    "later"));
		rpc_account_count(s, p.account);
		return (err_set(e, ERR_DENIED, "params.key",
		    "no account \"%s\" has this key", p.account));
	}
	if (r == 0 && (r = rpc_account_check(s, &p, e)) == ERR_SIGNATURE)
		rpc_account_count(s, p.account);
	if (r != 0)
		return (r);
	if ((r = store_account_name(s->io->reader, p.account, name)) != 0)
		return (r);
	if ((*result = rpc_account_result(p.account, name)) == NULL)
		return (ERR_NOMEM);
	return (rpc_account_set(s, p.account, p.key));
}

/* Reads the name for people into the job. */
static int
rpc_account_read_name(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	const char *at, *name = "";
	size_t left, n;
	uint32_t cp;
	int r;

	if ((r = js_opt_str(params, "name", call_at(), &name, e)) != 0)
		return (r);
	left = strlen(name);
	if (left >= sizeof(job->display))
		return (js_fail_member(call_at(), "name", e,
		    "has more than %zu bytes", sizeof(job->display) - 1));
	for (at = name; left > 0; at += n, left -= n) {
		n = utf8_get(at, left, &cp);
		if (n == 0 || !utf8_is_plain(cp))
			return (js_fail_member(call_at(), "name", e,
			    "holds a character that is not plain text"));
	}
	memcpy(job->display, name, strlen(name) + 1);
	return (0);
}

/* Looks whether the policy lets somebody in, and reads the code. */
static int
rpc_account_admit(const struct session *s, const json_t *params,
    struct ledger_job *job, struct errinfo *e)
{
	const char *code = NULL;
	int r;

	if ((r = js_opt_str(params, "invite", call_at(), &code, e)) != 0)
		return (r);
	switch ((enum conf_policy)s->io->live.policy) {
	case CONF_POLICY_OPEN:
		return (0);
	case CONF_POLICY_CLOSED:
		return (err_set(
		    e, ERR_DENIED, "", "this server takes no new accounts"));
	case CONF_POLICY_INVITE:
		break;
	}
	if (code == NULL)
		return (err_set(e, ERR_DENIED, "params.invite",
		    "this server requires a one-time code; ask whoever runs "
		    "it"));
	r = invite_check(s->io->shared->invite_key, code,
	    clock_wall_ms() / 1000, job->invite);
	if (r == ERR_DENIED)
		return (err_set(e, r, "params.invite",
		    "the one-time code is not one of this server's, or has "
		    "expired"));
	job->has_invite = r == 0;
	return (r);
}

/* Answers account.register when the ledger has. */
static int
rpc_account_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)e;
	session_log(rq->s, LOG_INFO, "registered \"%s\"", job->account);
	*result = rpc_account_result(job->account, job->display);
	if (*result == NULL)
		return (ERR_NOMEM);
	return (rpc_account_set(rq->s, job->account, job->key));
}

/*
 * A key that has an account already makes no other, whatever the policy is;
 * whoever has proved that it is theirs may hear which one.
 */
static int
rpc_account_known(const struct session *s, const struct rpc_account_proof *p,
    struct errinfo *e)
{
	char name[ORDER_ACCOUNT_MAX + 1];
	int r;

	r = store_account_of_key(s->io->reader, p->key, name);
	if (r != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	if (strcmp(name, p->account) == 0)
		return (err_set(e, ERR_EXISTS, "params.account",
		    "this key already has the account \"%s\"", name));
	return (err_set(e, ERR_EXISTS, "params.key",
	    "the key belongs to the account \"%s\", and a key has only one",
	    name));
}

/* Reads the account's recovery key, which is none of its others. */
static int
rpc_account_read_recovery(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	int r;

	r = js_opt_hex(params, "recovery", call_at(), job->recovery,
	    sizeof(job->recovery), &job->has_recovery, e);
	if (r != 0 || !job->has_recovery)
		return (r);
	if (sign_key_check(job->recovery) != 0 ||
	    memcmp(job->recovery, job->key, SIGN_KEY_LEN) == 0)
		return (js_fail_member(call_at(), "recovery", e,
		    "must be another Ed25519 key that may be used"));
	return (0);
}

/* Fills in the job of account.register. */
static int
rpc_account_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct limits *limits = rq->s->io->shared->limits;
	const uint8_t *address = rq->s->sock.address;
	const int64_t now_ms = clock_mono_ms();
	struct rpc_account_proof p;
	int r;

	if (limits_allowed(
		limits, LIMITS_REGISTER, address, LIMITS_ADDRESS, now_ms) != 0)
		return (err_set(e, ERR_LIMIT, "",
		    "too many attempts to register from your address; try "
		    "later"));
	limits_count(limits, LIMITS_REGISTER, address, LIMITS_ADDRESS, now_ms);
	if ((r = rpc_account_read(rq->params, &p, e)) != 0 ||
	    (r = rpc_account_read_name(rq->params, job, e)) != 0 ||
	    (r = rpc_account_check(rq->s, &p, e)) != 0 ||
	    (r = rpc_account_known(rq->s, &p, e)) != 0 ||
	    (r = rpc_account_admit(rq->s, rq->params, job, e)) != 0)
		return (r);
	memcpy(job->account, p.account, strlen(p.account) + 1);
	memcpy(job->key, p.key, sizeof(job->key));
	return (rpc_account_read_recovery(rq->params, job, e));
}

static const struct call_field rpc_account_result_fields[] = {
    {"account", SCHEMA_ACCOUNT, false, "the account, logged in"},
    {"name", SCHEMA_TEXT, true, "its name for people, if it has one"},
    {.name = NULL},
};

const struct call_method rpc_account_register = {
    .name = "account.register",
    .what = "Makes an account with its first key and logs in.",
    .params = CALL_FIELDS({"account", SCHEMA_ACCOUNT, false, "the name wanted"},
	{"name", "{\"type\":\"string\",\"maxLength\":64}", true,
	    "the name for people, at most 64 bytes"},
	{"key", SCHEMA_KEY, false, "the account's first key"},
	{"sig", SCHEMA_SIG, false, "the login signature by that key"},
	{"recovery", SCHEMA_KEY, true,
	    "the key that may reset all others: given now or never"},
	{"invite", SCHEMA_TEXT, true,
	    "a one-time code, where the policy is invite"}),
    .result = rpc_account_result_fields,
    .errors = CALL_ERRORS(
	ERR_EXISTS, ERR_DENIED, ERR_SIGNATURE, ERR_LIMIT, ERR_STORAGE),
    .fill = rpc_account_fill,
    .finish = rpc_account_finish,
    .op = LEDGER_REGISTER,
    .is_held = true,
};

const struct call_method rpc_account_login = {
    .name = "account.login",
    .what = "Logs in.",
    .params = CALL_FIELDS({"account", SCHEMA_ACCOUNT, false, "the account"},
	{"key", SCHEMA_KEY, false, "one of the account's keys"},
	{"sig", SCHEMA_SIG, false, "the login signature by it"}),
    .result = rpc_account_result_fields,
    .errors = CALL_ERRORS(ERR_DENIED, ERR_SIGNATURE, ERR_LIMIT, ERR_STORAGE),
    .handle = rpc_account_handle_login,
};
