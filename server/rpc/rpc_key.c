/* SPDX-License-Identifier: ISC */
/*
 * The keys of accounts.  A statement needs no login: it is signed, and whoever
 * has lost all keys but the recovery key cannot log in.
 */
#include "server/rpc/rpc_key.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/schema.h"
#include "common/record/statement.h"
#include "server/base/log.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/store.h"

/* A letter to an io thread. */
struct rpc_key_mail {
	struct mailbox_mail mail;
	char account[ORDER_ACCOUNT_MAX + 1];
};

/* Ends the sessions of one io thread whose keys are dropped. */
static void
rpc_key_take_changed(struct mailbox_mail *mail, void *arg)
{
	struct rpc_key_mail *km = (struct rpc_key_mail *)(void *)mail;
	struct session *s;
	struct io *io = arg;

	/* One that is logged in leaves the list only later. */
	TAILQ_FOREACH(s, &io->sessions, link)
	{
		if (!s->is_logged_in || strcmp(s->account, km->account) != 0 ||
		    store_account_has_key(io->reader, s->account, s->key) == 0)
			continue;
		session_log(s, LOG_INFO, "the key was dropped");
		session_end(s);
	}
	free(km);
}

void
rpc_key_changed(struct io *io, const char *account)
{
	struct rpc_key_mail *km;

	if ((km = malloc(sizeof(*km))) == NULL) {
		log_errorx("without memory a connection of \"%s\" by a key "
			   "that was dropped may stay; it can give no orders",
		    account);
		return;
	}
	km->mail.take = rpc_key_take_changed;
	km->mail.arg = io;
	memcpy(km->account, account, strlen(account) + 1);
	mailbox_post(io->mailbox, &km->mail);
}

/*
 * Whether the key may sign anything for the account: strangers do not get as
 * far as the ledger.  What was stated before may be sent again.
 */
static int
rpc_key_check_signer(struct store *st, const struct statement *s,
    const uint8_t key[SIGN_KEY_LEN], struct errinfo *e)
{
	struct statement_keys keys;
	int r;

	r = store_account_keys(st, s->account, &keys);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	if (r == 0 &&
	    (s->n <= keys.n || statement_has_key(&keys, key) ||
		(keys.has_recovery &&
		    memcmp(keys.recovery, key, SIGN_KEY_LEN) == 0)))
		return (0);
	return (err_set(e, ERR_DENIED, "params.key",
	    "no account \"%s\" has this key", s->account));
}

/* Reads a statement, its signature checked, into the job. */
static int
rpc_key_read(struct store *st, const json_t *params, struct ledger_job *job,
    struct errinfo *e)
{
	const struct js_at *at = call_at();
	struct statement s;
	const char *text;
	int r;

	if ((r = js_get_str(params, "statement", at, &text, e)) != 0 ||
	    (r = js_get_hex(
		 params, "key", at, job->key, sizeof(job->key), e)) != 0 ||
	    (r = js_get_hex(
		 params, "sig", at, job->sig, sizeof(job->sig), e)) != 0)
		return (r);
	if ((r = statement_parse(text, strlen(text), &s, e)) != 0)
		return (r);
	memcpy(job->account, s.account, strlen(s.account) + 1);
	r = rpc_key_check_signer(st, &s, job->key, e);
	statement_clear(&s);
	if (r != 0)
		return (r);
	r = sign_key_check(job->key) != 0
	    ? ERR_SIGNATURE
	    : sign_check(job->key, SIGN_TAG_KEY, text, strlen(text), job->sig);
	if (r == ERR_SIGNATURE)
		return (err_set(e, r, "params.sig",
		    "the statement is not signed by the key"));
	if (r == 0 && (job->text = strdup(text)) == NULL)
		r = ERR_NOMEM;
	return (r);
}

/* Fills in the job of account.key. */
static int
rpc_key_fill(struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct limits *limits = rq->s->io->shared->limits;
	const uint8_t *address = rq->s->sock.address;
	const int64_t now_ms = clock_mono_ms();

	if (limits_allowed(
		limits, LIMITS_REGISTER, address, LIMITS_ADDRESS, now_ms) != 0)
		return (err_set(e, ERR_LIMIT, "",
		    "too many accounts and keys from your address; try "
		    "later"));
	limits_count(limits, LIMITS_REGISTER, address, LIMITS_ADDRESS, now_ms);
	return (rpc_key_read(rq->s->io->reader, rq->params, job, e));
}

/* Answers account.key when the ledger has. */
static int
rpc_key_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)e;
	session_log(rq->s, LOG_INFO, "key statement %lld of \"%s\"%s",
	    (long long)job->seq, job->account, job->is_repeat ? ", again" : "");
	*result = json_pack(
	    "{s:s, s:I}", "account", job->account, "n", (json_int_t)job->seq);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/*
 * Answers account.keys.  Who has lost all keys needs the number of the last
 * statement to make the next one; the keys are the account's own affair.
 */
static int
rpc_key_handle_list(struct call_request *rq, json_t **result, struct errinfo *e)
{
	const struct session *s = rq->s;
	struct statement_keys keys;
	const char *account = NULL;
	json_t *list;
	int i, r;

	r = js_opt_str(rq->params, "account", call_at(), &account, e);
	if (r != 0)
		return (r);
	if (account == NULL && !s->is_logged_in)
		return (err_set(e, ERR_LOGIN, "", "log in first"));
	r = store_account_keys(
	    s->io->reader, account == NULL ? s->account : account, &keys);
	if (r == ERR_NOTFOUND)
		return (err_set(e, r, "params.account",
		    "there is no account of that name"));
	if (r != 0)
		return (r);
	*result = json_pack("{s:I, s:o}", "kn", (json_int_t)keys.n, "kprev",
	    js_hex(keys.prev, HASH_LEN));
	if (*result == NULL)
		return (ERR_NOMEM);
	if (account != NULL)
		return (0);
	list = json_array();
	for (i = 0; i < keys.n_keys; i++)
		call_append(&list, js_hex(keys.keys[i], SIGN_KEY_LEN));
	r = list == NULL || json_object_set_new(*result, "keys", list) != 0 ||
		(keys.has_recovery &&
		    json_object_set_new(*result, "recovery",
			js_hex(keys.recovery, SIGN_KEY_LEN)) != 0)
	    ? ERR_NOMEM
	    : 0;
	if (r != 0) {
		json_decref(*result);
		*result = NULL;
	}
	return (r);
}

const struct call_method rpc_key_state = {
    .name = "account.key",
    .what = "Takes a key statement, for the account and all of its games.",
    .params = CALL_FIELDS(
	{"statement", SCHEMA_TEXT, false, "its text (umpire-record.7, S4)"},
	{"key", SCHEMA_KEY, false, "the key that signed it"},
	{"sig", SCHEMA_SIG, false, "the signature"}),
    .result =
	CALL_FIELDS({"account", SCHEMA_ACCOUNT, false, "whose keys changed"},
	    {"n", SCHEMA_INT, false, "number of the statement"}),
    .errors =
	CALL_ERRORS(ERR_DENIED, ERR_EXISTS, ERR_STALE, ERR_ILLEGAL, ERR_NEWER,
	    ERR_CLOCK, ERR_TOOBIG, ERR_SIGNATURE, ERR_LIMIT, ERR_STORAGE),
    .fill = rpc_key_fill,
    .finish = rpc_key_finish,
    .op = LEDGER_KEY,
    .is_held = true,
};

const struct call_method rpc_key_list = {
    .name = "account.keys",
    .what = "Gives the keys of the logged-in account.",
    .params = CALL_FIELDS({"account", SCHEMA_ACCOUNT, true,
	"any account's last statement alone, which needs no login"}),
    .result = CALL_FIELDS(
	{"kn", SCHEMA_INT, false, "number of its last key statement, or 0"},
	{"kprev", SCHEMA_HASH, false, "its hash, or zeros"},
	{"keys", SCHEMA_ARRAY(SCHEMA_KEY), true, "its keys, ascending"},
	{"recovery", SCHEMA_KEY, true, "its recovery key, if it has one"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_NOTFOUND, ERR_STORAGE),
    .handle = rpc_key_handle_list,
};
