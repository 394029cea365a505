/* SPDX-License-Identifier: ISC */
/*
 * Identifying the server.  The certificate proves nothing; the server's
 * identity key signs the exporter of each connection (record S12), and the
 * profile holds the one key that is accepted.
 */
#include "client/net/link.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/display.h"
#include "client/base/xalloc.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define LINK_AHEAD_MS 600000 /* record S3: as far as `now` may be ahead */
#define LINK_APART_MS 120000 /* record S6.6: clients warn beyond */
#define LINK_TRIES 6
#define LINK_FIRST_MS 100 /* first pause; each later one is twice as long */
#define LINK_WAIT_S 30 /* seconds for an answer, without UMPIRE_TIMEOUT */

void
link_close(struct link *l)
{
	if (l == NULL)
		return;
	conn_close(l->conn);
	json_decref(l->hello);
	free(l->display);
	free(l->host);
	free(l->port);
	free(l);
}

/* Asks server.hello and checks that its key signs this connection. */
static int
link_hello(struct link *l, struct errinfo *e)
{
	struct js_at at = {.name = "server.hello"};
	struct conn_error ce;
	uint8_t sig[SIGN_LEN];
	int64_t protocol;
	json_t *hello;
	int r;

	if (conn_call(l->conn, "server.hello", NULL, &hello, &ce) != 0) {
		r = err_set(e, ce.r, NULL, "%s", ce.e.text);
		conn_error_clear(&ce);
		return (r);
	}
	json_decref(l->hello);
	l->hello = hello;
	if (js_get_int(hello, "protocol", &at, 0, JS_INT_MAX, &protocol, e) !=
		0 ||
	    js_get_hex(hello, "server", &at, l->server, SIGN_KEY_LEN, e) != 0 ||
	    js_get_hex(hello, "server_dice", &at, l->server_dice, VRF_KEY_LEN,
		e) != 0 ||
	    js_get_hex(hello, "sig", &at, sig, SIGN_LEN, e) != 0)
		return (err_set(e, ERR_REQUEST, NULL,
		    "what answers there is not umpired: %s", e->text));
	if (protocol != 1)
		return (err_set(e, ERR_REQUEST, NULL,
		    "the server speaks version %lld of the protocol: this "
		    "umpire is too old for it",
		    (long long)protocol));
	if (sign_check(l->server, SIGN_TAG_HELLO, conn_exporter(l->conn),
		CONN_EXPORTER_LEN, sig) != 0)
		return (err_set(e, ERR_SERVER, NULL,
		    "the server does not prove that the identity key is its "
		    "own: somebody may sit between you and it"));
	return (0);
}

/* Refuses a server with another key than the pinned one. */
static int
link_other_key(const struct link *l)
{
	char pin[2 * SIGN_KEY_LEN + 1], key[2 * SIGN_KEY_LEN + 1];

	hex_format(pin, l->p->pin, SIGN_KEY_LEN);
	hex_format(key, l->server, SIGN_KEY_LEN);
	if (l->p->is_invited) {
		out_error("this is not the server that you are invited to: it "
			  "has another identity key");
		out_note("invited  %s", pin);
		out_note("this one %s", key);
		out_note("Nothing was sent.  Ask whoever invited you for the "
			 "address once more, by\nother means.");
		return (EX_NOPERM);
	}
	out_error("this is not your server: it has another identity key");
	out_note("pinned   %s", pin);
	out_note("this one %s", key);
	out_note("Nothing was sent.  If the operator confirms by other means "
		 "that the key was\nreplaced: umpire init --server-key KEY");
	return (EX_NOPERM);
}

/* Pins the key of a server that is met for the first time. */
static int
link_pin(struct cmd_ctx *cx, struct link *l)
{
	struct errinfo e = {.text = ""};
	char key[2 * SIGN_KEY_LEN + 1], mark[FINGERPRINT_LEN + 1];
	int r;

	hex_format(key, l->server, SIGN_KEY_LEN);
	base32_fingerprint(mark, l->server);
	if (!cx->may_trust) {
		if (!out_can_ask()) {
			out_error("the server '%s' is not known yet, and there "
				  "is no terminal to ask on",
			    l->p->server);
			out_note(
			    "its identity key: %s\nfingerprint: %s", key, mark);
			out_note("Compare it with the one that the operator "
				 "published, then:\numpire init --server-key "
				 "KEY\nOr type the same again with --trust, "
				 "which takes it as it is.");
			return (EX_NOPERM);
		}
		out_error("first connection to '%s'; its identity key is\n"
			  "%s\nfingerprint %s",
		    l->p->server, key, mark);
		if (!out_ask("Is that the key that the operator published?")) {
			out_error("nothing was sent: the server stays unknown");
			out_note("Ask its operator for the key.  Then type the "
				 "command again and say yes,\nor pin it: "
				 "umpire init --server-key KEY");
			return (EX_NOPERM);
		}
	}
	memcpy(l->p->pin, l->server, SIGN_KEY_LEN);
	l->p->has_pin = true;
	if ((r = profile_save(l->p, &e)) != 0)
		return (cmd_fail(r, &e));
	if (cx->may_trust)
		out_note(
		    "pinned the identity key of '%s': %s", l->p->server, key);
	return (0);
}

/* Saves server and key of an invitation, now that the server has proved it. */
static int
link_save_invited(struct link *l)
{
	struct errinfo e = {.text = ""};
	int r;

	if ((r = profile_save(l->p, &e)) != 0)
		return (cmd_fail(r, &e));
	l->p->is_invited = false;
	out_note("pinned the identity key of '%s', which the invitation has",
	    l->p->server);
	return (0);
}

/* Prints why there is no connection; returns the exit status. */
static int
link_no_conn(const struct link *l, int r, const struct errinfo *e)
{
	int status;

	status = cmd_fail(r, e);
	switch (r) {
	case ERR_NOTFOUND:
		out_note("Check the name: umpire init --server HOST[:PORT]");
		return (EX_NOHOST);
	case ERR_CLOSED:
	case ERR_TIMEOUT:
	case ERR_IO:
		if (strstr(e->text, "closed the connection") != NULL ||
		    strstr(e->text, "connection was lost") != NULL)
			out_note("A server that closes at once may be full, or "
				 "was asked too often: wait a minute.");
		else
			out_note("Is umpired running there, and is the port "
				 "right?");
		return (EX_UNAVAILABLE);
	case ERR_BUSY:
		out_note("Try again in a moment.");
		return (EX_TEMPFAIL);
	case ERR_TLS:
		out_note("Does umpired listen at '%s' port %s?  It must speak "
			 "TLS 1.3.",
		    l->host, l->port);
		return (EX_UNAVAILABLE);
	case ERR_SERVER:
		out_note("Nothing was sent.");
		return (EX_NOPERM);
	default:
		return (status);
	}
}

int
link_open(struct cmd_ctx *cx, struct profile *p, struct link **out)
{
	const char *wait = getenv("UMPIRE_TIMEOUT");
	struct errinfo e = {.text = ""};
	int64_t wait_s;
	struct link *l;
	int r, status = 0;

	if (cx->is_offline)
		return (cmd_usage(
		    cx, "this needs the server: leave out --offline"));
	/* One failure is enough for a run that opens many games. */
	if (cx->offline != 0)
		return (cx->offline);
	if (p->server == NULL) {
		out_error("profile '%s' names no server", p->name);
		out_note("Set it: umpire init --server HOST[:PORT]");
		cx->offline = EX_CONFIG;
		return (EX_CONFIG);
	}
	l = xalloc(sizeof(*l));
	l->p = p;
	if (wait == NULL || !opt_number(wait, 1, 3600, &wait_s))
		wait_s = LINK_WAIT_S;
	l->wait_ms = wait_s * 1000;
	if (profile_split(p->server, &l->host, &l->port, &e) != 0) {
		(void)cmd_fail(ERR_CONFIG, &e);
		link_close(l);
		return (EX_CONFIG);
	}
	out_progress("waiting for the server");
	r = conn_open(l->host, l->port, l->wait_ms, &l->conn, &e);
	if (r == 0)
		r = link_hello(l, &e);
	out_progress_end();
	if (r != 0)
		status = link_no_conn(l, r, &e);
	else if (!p->has_pin)
		status = link_pin(cx, l);
	else if (memcmp(p->pin, l->server, SIGN_KEY_LEN) != 0)
		status = link_other_key(l);
	else if (p->is_invited)
		status = link_save_invited(l);
	cx->offline = status;
	if (status != 0)
		link_close(l);
	else
		*out = l;
	return (status);
}

int
link_sign(const struct link *l, const char *account, uint8_t sig[SIGN_LEN])
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_add(&b, conn_exporter(l->conn), CONN_EXPORTER_LEN);
	buf_add(&b, l->server, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)strlen(account));
	buf_puts(&b, account);
	if ((r = buf_error(&b)) == 0)
		r = sign_make(
		    &l->p->keys.sign, SIGN_TAG_LOGIN, b.data, b.len, sig);
	buf_clear(&b);
	return (r);
}

void
link_take_display(struct link *l, const json_t *result)
{
	const char *name = js_str(result, "name");

	free(l->display);
	/* It is written into records: it is only ever what is shown of them. */
	l->display =
	    name == NULL || !display_is_name(name) ? NULL : xalloc_str(name);
}

int
link_try_login(struct link *l, struct conn_error *ce)
{
	uint8_t sig[SIGN_LEN];
	json_t *params, *result;
	int r;

	memset(ce, 0, sizeof(*ce));
	/* The signature covers this very connection. */
	if ((ce->r = profile_load_keys(l->p, &ce->e)) != 0 ||
	    ((l->conn == NULL || conn_is_dead(l->conn)) &&
		(ce->r = link_again(l, &ce->e)) != 0))
		return (ce->r);
	if ((r = link_sign(l, l->p->account, sig)) != 0) {
		ce->r = err_set(&ce->e, r, NULL, "%s", err_text(r));
		return (r);
	}
	params = xalloc_json(json_pack("{s:o, s:o, s:o}", "account",
	    xalloc_json_str(l->p->account), "key",
	    js_hex(l->p->keys.sign.public_key, SIGN_KEY_LEN), "sig",
	    js_hex(sig, SIGN_LEN)));
	if ((r = link_call(l, "account.login", params, &result, ce)) == 0) {
		link_take_display(l, result);
		json_decref(result);
		l->is_logged_in = true;
	}
	return (r);
}

int
link_need_account(const struct profile *p)
{
	if (p->account != NULL)
		return (0);
	out_error("profile '%s' has no account yet", p->name);
	out_note("umpire register NAME makes one on this server");
	return (EX_CONFIG);
}

int
link_login(struct link *l)
{
	struct conn_error ce;
	int status;

	if (l->is_logged_in)
		return (0);
	if ((status = link_need_account(l->p)) != 0)
		return (status);
	if (link_try_login(l, &ce) != 0) {
		status = link_fail(&ce);
		if (ce.is_answer && ce.r == ERR_DENIED)
			out_note(
			    "`umpire register %s` makes the account with this "
			    "profile's key,\nif the name is still free.  If it "
			    "is yours by other keys: umpire keys recover",
			    l->p->account);
		conn_error_clear(&ce);
	}
	return (status);
}

int
link_call(struct link *l, const char *method, json_t *params, json_t **result,
    struct conn_error *ce)
{
	memset(ce, 0, sizeof(*ce));
	if (l->conn == NULL)
		ce->r = err_set(&ce->e, ERR_CLOSED, NULL,
		    "there is no connection to the server");
	else if (conn_is_dead(l->conn))
		ce->r = link_again(l, &ce->e);
	if (ce->r != 0) {
		json_decref(params);
		return (ce->r);
	}
	return (conn_call(l->conn, method, params, result, ce));
}

int
link_again(struct link *l, struct errinfo *e)
{
	bool was_logged_in = l->is_logged_in;
	struct conn_error ce;
	int r;

	conn_close(l->conn);
	l->conn = NULL;
	l->is_logged_in = false;
	l->serial++;
	if ((r = conn_open(l->host, l->port, l->wait_ms, &l->conn, e)) == 0)
		r = link_hello(l, e);
	if (r == 0 && memcmp(l->p->pin, l->server, SIGN_KEY_LEN) != 0)
		r = err_set(e, ERR_SERVER, NULL,
		    "another server answers now: its identity key is not the "
		    "pinned one");
	if (r == 0 && was_logged_in && link_try_login(l, &ce) != 0) {
		r = err_set(e, ce.r, NULL, "%s", ce.e.text);
		conn_error_clear(&ce);
	}
	l->is_logged_in = was_logged_in;
	if (r != 0) {
		conn_close(l->conn);
		l->conn = NULL;
	}
	return (r);
}

int
link_need(struct link *l)
{
	struct errinfo e = {.text = ""};
	int r;

	if (l->conn != NULL && !conn_is_dead(l->conn))
		return (0);
	return ((r = link_again(l, &e)) == 0 ? 0 : link_no_conn(l, r, &e));
}

/* How long a limit wants one to wait; 0: waiting does not help. */
static int64_t
link_wait_ms(const struct conn_error *ce)
{
	return (js_int(ce->data, "wait_ms"));
}

bool
link_is_passing(const struct conn_error *ce)
{
	if (!ce->is_answer)
		return (true);
	switch (ce->r) {
	case ERR_STORAGE:
	case ERR_BUSY:
	case ERR_INTERNAL:
	case ERR_TIMEOUT:
	case ERR_LOGIN:
		return (true);
	case ERR_LIMIT:
		/* One that does not pass by itself names no time to wait. */
		return (link_wait_ms(ce) > 0);
	default:
		return (false);
	}
}

bool
link_is_fault(const struct conn_error *ce)
{
	if (ce->is_answer)
		return (link_is_passing(ce));
	switch (ce->r) {
	case ERR_CLOSED:
	case ERR_TIMEOUT:
	case ERR_BUSY:
	case ERR_TLS:
		return (true);
	default:
		return (false);
	}
}

/* The server's clock as it was told last; INT64_MIN if it was not. */
static int64_t
link_time_ms(const struct link *l)
{
	const json_t *v = json_object_get(l->hello, "time");
	int64_t ms;

	if (!json_is_string(v) ||
	    clock_parse(json_string_value(v), json_string_length(v), &ms) != 0)
		return (INT64_MIN);
	return (ms);
}

int64_t
link_lapsed_ms(const struct link *l)
{
	const int64_t days = js_int(l->hello, "muster_days");
	/* By the server's clock, which is the one that counts. */
	const int64_t now_ms = link_time_ms(l);

	if (days < 1 || now_ms == INT64_MIN)
		return (INT64_MIN);
	return (now_ms - days * 86400000);
}

int64_t
link_earlier_ms(struct link *l)
{
	struct conn_error ce;
	int64_t ms = link_time_ms(l);
	json_t *hello;

	if (ms == INT64_MIN || ms >= clock_wall_ms())
		return (clock_wall_ms());
	/* It may be that time has passed since it was told. */
	if (link_call(l, "server.hello", NULL, &hello, &ce) != 0) {
		conn_error_clear(&ce);
		return (clock_wall_ms());
	}
	json_decref(l->hello);
	l->hello = hello;
	ms = link_time_ms(l);
	return (ms != INT64_MIN && ms < clock_wall_ms() ? ms : clock_wall_ms());
}

/* How far ahead of the server's our clock is; 0: not too far for an order. */
static int64_t
link_ahead_ms(const struct link *l)
{
	const int64_t ms = link_time_ms(l);
	int64_t by_ms;

	if (ms == INT64_MIN)
		return (0);
	by_ms = clock_wall_ms() - ms;
	return (by_ms > LINK_AHEAD_MS ? by_ms : 0);
}

int
link_check_clock(struct link *l)
{
	json_t *hello;
	int64_t by_s;
	int status;

	if (link_ahead_ms(l) == 0)
		return (0);
	/* It may be that time has passed since the connection was made. */
	status = link_ask(l, "server.hello", NULL, &hello);
	if (status != 0)
		return (status);
	json_decref(l->hello);
	l->hello = hello;
	if ((by_s = link_ahead_ms(l) / 1000) == 0)
		return (0);
	out_error("this machine's clock is %lld %s ahead of the server's; "
		  "nothing was signed",
	    (long long)(by_s < 7200 ? by_s / 60 : by_s / 3600),
	    by_s < 7200 ? "minutes" : "hours");
	out_note("An order says when it was signed.  Set the clock right, then "
		 "type the command\nagain.  If it is right, tell the operator "
		 "that the server's is not.");
	return (EX_TEMPFAIL);
}

void
link_warn_clock(struct link *l)
{
	struct conn_error ce;
	json_t *hello;
	int64_t by_ms, minutes;

	if (l->is_clock_told || link_time_ms(l) == INT64_MIN)
		return;
	by_ms = clock_wall_ms() - link_time_ms(l);
	if (by_ms > LINK_APART_MS) {
		/* It may be that time has passed since it was told. */
		if (link_call(l, "server.hello", NULL, &hello, &ce) != 0) {
			conn_error_clear(&ce);
			return;
		}
		json_decref(l->hello);
		l->hello = hello;
		by_ms = clock_wall_ms() - link_time_ms(l);
	}
	if (link_time_ms(l) == INT64_MIN || llabs(by_ms) <= LINK_APART_MS)
		return;
	l->is_clock_told = true;
	minutes = llabs(by_ms) / 60000;
	out_note("Warning: this machine's clock is %lld %s %s the server's, by "
		 "which deadlines go.\nSet it right; if it is right, tell the "
		 "operator that the server's is not.",
	    (long long)(minutes < 120 ? minutes : minutes / 60),
	    minutes < 120 ? "minutes" : "hours",
	    by_ms < 0 ? "behind" : "ahead of");
}

int
link_insist(struct link *l, const char *method, const json_t *params,
    json_t **result, struct conn_error *ce)
{
	int64_t until = clock_mono_ms() + 2 * l->wait_ms;
	unsigned pause_ms = LINK_FIRST_MS;
	struct errinfo e;
	int i, r;

	for (i = 0;; i++) {
		r = link_call(l, method, xalloc_copy(params), result, ce);
		if (r == 0 || !link_is_passing(ce) || i + 1 >= LINK_TRIES ||
		    clock_mono_ms() > until)
			return (r);
		(void)usleep(pause_ms * 1000);
		pause_ms *= 2;
		if (!ce->is_answer || r == ERR_TIMEOUT || r == ERR_LOGIN) {
			/* If it fails, so will the next try. */
			r = link_again(l, &e);
			if (r == ERR_SERVER) {
				ce->r = r;
				ce->e = e;
				return (r);
			}
		}
		conn_error_clear(ce);
	}
}

/* Prints why a request failed, and what to do if with_hint. */
static int
link_tell(const struct conn_error *ce, bool with_hint)
{
	struct errinfo e = ce->e;
	int status;

	/* The server's own words for this are for programs. */
	if (ce->is_answer && ce->r == ERR_STORAGE)
		(void)err_set(&e, ce->r, NULL,
		    "the server cannot say whether that is on its disk");
	status = cmd_fail(ce->r, &e);
	switch (ce->r) {
	case ERR_LIMIT:
	case ERR_STORAGE:
	case ERR_BUSY:
	case ERR_TIMEOUT:
	case ERR_CLOSED:
		if (with_hint && (ce->r != ERR_LIMIT || link_wait_ms(ce) > 0))
			out_note("Try again in a moment.");
		break;
	default:
		break;
	}
	return (status);
}

int
link_fail(const struct conn_error *ce)
{
	return (link_tell(ce, true));
}

int
link_fail_briefly(const struct conn_error *ce)
{
	return (link_tell(ce, false));
}

int
link_ask(struct link *l, const char *method, json_t *params, json_t **result)
{
	struct conn_error ce;
	int status = 0;

	if (link_call(l, method, params, result, &ce) != 0) {
		status = link_fail(&ce);
		conn_error_clear(&ce);
	}
	return (status);
}

int
link_put_blob(struct link *l, const json_t *blob, uint8_t hash[HASH_LEN],
    struct buf *side)
{
	struct conn_error ce;
	json_t *params, *result;
	struct buf b;
	int status = 0;

	buf_init(&b, 0);
	js_dump(blob, &b);
	if (record_blob_hash(hash, buf_str(&b), b.len) != 0)
		xalloc_die();
	record_write_blob(side, hash, buf_str(&b), b.len);
	params = xalloc_json(json_pack("{s:s}", "value", buf_str(&b)));
	buf_clear(&b);
	if (link_insist(l, "blob.put", params, &result, &ce) == 0) {
		json_decref(result);
	} else {
		status = link_fail(&ce);
		conn_error_clear(&ce);
	}
	json_decref(params);
	return (status);
}
