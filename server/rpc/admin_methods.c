/* SPDX-License-Identifier: ISC */
/*
 * What the methods of the operator's socket take and give.  Who asks and why is
 * logged by admin.c; nothing here is trusted more than what comes from TLS.
 */
#include "server/rpc/admin_methods.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/base/utf8.h"
#include "common/crypt/vrf.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"
#include "server/rpc/call.h"

#define ADMIN_DIGITS_MIN 4

/* Reads the first digits of a game's id. */
static int
admin_game(
    const json_t *params, char digits[2 * HASH_LEN + 1], struct errinfo *e)
{
	const char *s;
	size_t i, n;
	int r;

	if ((r = js_get_str(params, "game", call_at(), &s, e)) != 0)
		return (r);
	n = strlen(s);
	for (i = 0; i < n && isxdigit((unsigned char)s[i]); i++)
		continue;
	if (i < n || n < ADMIN_DIGITS_MIN || n > 2 * (size_t)HASH_LEN)
		return (js_fail_member(call_at(), "game", e,
		    "must be the id of a game, or at least the first %d of "
		    "its digits",
		    ADMIN_DIGITS_MIN));
	for (i = 0; i <= n; i++)
		digits[i] = (char)tolower((unsigned char)s[i]);
	return (0);
}

/* Reads an account's name. */
static int
admin_account(const json_t *params, const char *name,
    char out[ORDER_ACCOUNT_MAX + 1], struct errinfo *e)
{
	const char *s;
	int r;

	if ((r = js_get_str(params, name, call_at(), &s, e)) != 0)
		return (r);
	if (!order_is_account(s))
		return (js_fail_member(
		    call_at(), name, e, "must be an account's name"));
	memcpy(out, s, strlen(s) + 1);
	return (0);
}

/* Reads why; what stands in the record is checked again by the ledger. */
static int
admin_why(const json_t *params, const char **why, struct errinfo *e)
{
	const char *s;
	int r;

	if ((r = js_get_str(params, "why", call_at(), &s, e)) != 0)
		return (r);
	if (*s == '\0')
		return (js_fail_member(
		    call_at(), "why", e, "must not be empty: say why"));
	if (strlen(s) > RECORD_TEXT_MAX)
		return (js_fail_member(call_at(), "why", e,
		    "has %zu bytes; at most %d are allowed", strlen(s),
		    RECORD_TEXT_MAX));
	*why = s;
	return (0);
}

/* The same, as the text of a job. */
static int
admin_text(const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	const char *why;
	int r;

	if ((r = admin_why(params, &why, e)) != 0)
		return (r);
	if ((job->texts[0].value = strdup(why)) == NULL)
		return (ERR_NOMEM);
	job->texts[0].len = strlen(why);
	job->n_texts = 1;
	return (0);
}

/* What a result names: the game of the job, or its tournament. */
static const char *
admin_what(const struct ledger_job *job)
{
	return (job->is_tournament ? "tournament" : "game");
}

/* admin.close */
static int
admin_close_fill(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	int r;

	if ((r = admin_game(params, job->digits, e)) != 0)
		return (r);
	return (admin_text(params, job, e));
}

static json_t *
admin_close_finish(const struct ledger_job *job)
{
	return (json_pack("{s:o, s:I}", admin_what(job),
	    js_hex(job->game, HASH_LEN), "seq", (json_int_t)job->seq));
}

/* admin.erase */
static int
admin_erase_fill(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	const char *why;
	int r;

	if ((r = admin_game(params, job->digits, e)) != 0 ||
	    (r = js_get_hex(params, "ref", call_at(), job->ref, HASH_LEN, e)) !=
		0 ||
	    (r = admin_why(params, &why, e)) != 0)
		return (r);
	job->is_operator = true;
	return (0);
}

static json_t *
admin_erase_finish(const struct ledger_job *job)
{
	return (json_pack("{s:o, s:o, s:b, s:b}", admin_what(job),
	    js_hex(job->game, HASH_LEN), "ref", js_hex(job->ref, HASH_LEN),
	    "is_new", !job->is_repeat, "wiped", job->is_wiped));
}

/* admin.key for a tournament, where the account stays. */
static int
admin_key_fill_tournament(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	int r;

	if (json_object_get(params, "to") != NULL ||
	    json_object_get(params, "dice_key") != NULL)
		return (js_fail_member(
		    call_at(), "key", e, "stands without to and dice_key"));
	if ((r = admin_account(params, "account", job->former, e)) != 0 ||
	    (r = js_get_hex(params, "key", call_at(), job->new_key,
		 SIGN_KEY_LEN, e)) != 0 ||
	    (r = admin_game(params, job->digits, e)) != 0)
		return (r);
	return (admin_text(params, job, e));
}

/* admin.key */
static int
admin_key_fill(const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	int r;

	if (json_object_get(params, "key") != NULL)
		return (admin_key_fill_tournament(params, job, e));
	if ((r = admin_account(params, "account", job->former, e)) != 0 ||
	    (r = admin_account(params, "to", job->other, e)) != 0 ||
	    (r = js_get_hex(params, "dice_key", call_at(), job->dice_key,
		 VRF_KEY_LEN, e)) != 0)
		return (r);
	if (vrf_key_check(job->dice_key) != 0)
		return (js_fail_member(call_at(), "dice_key", e,
		    "is not a dice key: a digit may be wrong"));
	if (json_object_get(params, "game") != NULL &&
	    (r = admin_game(params, job->digits, e)) != 0)
		return (r);
	return (admin_text(params, job, e));
}

static json_t *
admin_key_finish(const struct ledger_job *job)
{
	if (job->is_tournament)
		return (json_pack("{s:s, s:o, s:O}", "account", job->former,
		    "key", js_hex(job->new_key, SIGN_KEY_LEN), "tournaments",
		    job->given));
	return (json_pack("{s:s, s:s, s:o, s:O, s:O}", "account", job->former,
	    "to", job->other, "key", js_hex(job->new_key, SIGN_KEY_LEN),
	    "games", job->given, "skipped", job->skipped));
}

/* admin.restored */
static int
admin_restored_fill(
    const json_t *params, struct ledger_job *job, struct errinfo *e)
{
	const char *why;
	int r;

	job->is_operator = true;
	job->is_all = json_object_get(params, "game") == NULL;
	if (!job->is_all && (r = admin_game(params, job->digits, e)) != 0)
		return (r);
	return (admin_why(params, &why, e));
}

static json_t *
admin_restored_finish(const struct ledger_job *job)
{
	return (json_pack("{s:I}", "games", (json_int_t)job->ended));
}

#define ADMIN_PARAMS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct admin_method admin_methods[] = {
    {"admin.close", ADMIN_PARAMS("game", "why"), LEDGER_CLOSE, admin_close_fill,
	admin_close_finish},
    {"admin.erase", ADMIN_PARAMS("game", "ref", "why"), LEDGER_ERASE,
	admin_erase_fill, admin_erase_finish},
    {"admin.key",
	ADMIN_PARAMS("account", "to", "dice_key", "key", "game", "why"),
	LEDGER_SEAT, admin_key_fill, admin_key_finish},
    {"admin.restored", ADMIN_PARAMS("game", "why"), LEDGER_RESTORED,
	admin_restored_fill, admin_restored_finish},
};

const struct admin_method *
admin_method_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(admin_methods) / sizeof(admin_methods[0]); i++) {
		if (strcmp(admin_methods[i].name, name) == 0)
			return (&admin_methods[i]);
	}
	return (NULL);
}

const char *
admin_method_why(const json_t *params)
{
	return (js_str(params, "why"));
}

void
admin_method_tell(
    const struct admin_method *m, const struct ledger_job *job, struct buf *out)
{
	char ref[2 * HASH_LEN + 1];

	buf_puts(out, m->name + strlen("admin."));
	if (job->op == LEDGER_SEAT)
		buf_printf(out, " %s to %s%s", job->former,
		    job->other[0] == '\0' ? "another key" : job->other,
		    job->digits[0] == '\0' ? " in all games" : " in");
	if (job->digits[0] != '\0')
		buf_printf(out, " %s", job->digits);
	else if (job->op == LEDGER_RESTORED)
		buf_puts(out, " all games and tournaments");
	if (job->op != LEDGER_ERASE)
		return;
	hex_format(ref, job->ref, HASH_LEN);
	buf_printf(out, " %s", ref);
}
