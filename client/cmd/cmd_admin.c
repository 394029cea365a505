/* SPDX-License-Identifier: ISC */
/*
 * umpire admin: what an operator does to a daemon of this machine, over its
 * local socket.  No profile is needed: the kernel says who asks.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/local_call.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/base/utf8.h"
#include "common/crypt/base32.h"
#include "common/crypt/vrf.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define CMD_ADMIN_SOCKET "/run/umpired/admin.sock"
#define CMD_ADMIN_DIGITS 4 /* of a game's id at least */
#define CMD_ADMIN_SHORT 8 /* that are shown */

/* Asks the daemon; 0 with *result new, or an exit status. */
static int
cmd_admin_call(const struct cmd_ctx *cx, const char *method, json_t *params,
    json_t **result)
{
	const char *path = opt_get(&cx->opts, "socket");
	struct errinfo e = {.text = ""};
	bool is_answer;
	int r;

	if (path == NULL)
		path = CMD_ADMIN_SOCKET;
	r = local_call(path, method, params, result, &is_answer, &e);
	if (r == 0)
		return (EX_OK);
	if (r == ERR_NOTFOUND && !is_answer) {
		out_error("%s", e.text);
		return (EX_UNAVAILABLE);
	}
	if (r == ERR_TOOBIG && !is_answer) {
		out_error("%s", e.text);
		return (EX_USAGE);
	}
	return (cmd_fail(r, &e));
}

/* Checks a game as typed. */
static int
cmd_admin_game(const struct cmd_ctx *cx, const char *s)
{
	size_t n = strlen(s), i;

	for (i = 0; i < n && isxdigit((unsigned char)s[i]); i++)
		continue;
	if (i == n && n >= CMD_ADMIN_DIGITS && n <= 2 * (size_t)HASH_LEN)
		return (EX_OK);
	return (cmd_usage(cx,
	    "'%s' is not the id of a game, or at least its first %d digits; "
	    "`umpire show` tells it",
	    s, CMD_ADMIN_DIGITS));
}

/* umpire admin close GAME */
static int
cmd_admin_close(struct cmd_ctx *cx, const char *why)
{
	const char *game = cmd_arg(cx, 1), *what;
	char *question;
	json_t *result;
	int status;

	if ((status = cmd_admin_game(cx, game)) != 0)
		return (status);
	question = xalloc_printf(
	    "The game or tournament %s ends here, without a result if it was "
	    "not over, and nothing may follow.  Close it?",
	    game);
	status = cmd_confirm(cx, question);
	free(question);
	if (status != 0 ||
	    (status = cmd_admin_call(cx, "admin.close",
		 xalloc_json(json_pack("{s:s, s:s}", "game", game, "why", why)),
		 &result)) != 0)
		return (status);
	what = json_object_get(result, "tournament") != NULL ? "tournament"
							     : "game";
	out_print(&cx->out, "The %s %.*s is closed, in line %lld.\n", what,
	    CMD_ADMIN_SHORT, text_member(result, what),
	    (long long)js_int(result, "seq"));
	if (cx->out.is_json)
		out_json(&cx->out, result);
	else
		json_decref(result);
	return (EX_OK);
}

/* umpire admin erase GAME REF */
static int
cmd_admin_erase(struct cmd_ctx *cx, const char *why)
{
	const char *game = cmd_arg(cx, 1), *ref = cmd_arg(cx, 2);
	uint8_t hash[HASH_LEN];
	json_t *result;
	int status;

	if ((status = cmd_admin_game(cx, game)) != 0)
		return (status);
	if (hex_parse(hash, HASH_LEN, ref, strlen(ref)) != 0)
		return (cmd_usage(cx,
		    "'%s' is not the ref of a text, 64 digits; `umpire log "
		    "--json` tells it",
		    ref));
	status = cmd_confirm(cx,
	    "The words go for good, from the database, its log and what is "
	    "sent.  Erase them?");
	if (status != 0 ||
	    (status = cmd_admin_call(cx, "admin.erase",
		 xalloc_json(json_pack(
		     "{s:s, s:s, s:s}", "game", game, "ref", ref, "why", why)),
		 &result)) != 0)
		return (status);
	out_print(&cx->out, "%s%s\n",
	    json_is_true(json_object_get(result, "is_new")) ? "Erased."
							    : "Erased before.",
	    json_is_true(json_object_get(result, "wiped")) ||
		    !json_is_true(json_object_get(result, "is_new"))
		? ""
		: "  They are gone from the write-ahead log, too, once who "
		  "reads it now is done; the daemon sees to that.");
	if (cx->out.is_json)
		out_json(&cx->out, result);
	else
		json_decref(result);
	return (EX_OK);
}

/* Names joined by commas; free(). */
static char *
cmd_admin_names(const json_t *list)
{
	const json_t *v;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(list, i, v)
	    buf_printf(&b, "%s%s", i == 0 ? "" : ", ", json_string_value(v));
	return (xalloc_take(&b));
}

/* Tells what was proposed where, and what everybody does next. */
static void
cmd_admin_key_tell(struct cmd_ctx *cx, const json_t *result)
{
	const char *to = text_member(result, "to"), *game;
	char mark[FINGERPRINT_LEN + 1] = "?", *names;
	uint8_t key[SIGN_KEY_LEN];
	const json_t *v;
	size_t i;

	if (js_get_hex(result, "key", NULL, key, sizeof(key), NULL) == 0)
		base32_fingerprint(mark, key);
	json_array_foreach(json_object_get(result, "games"), i, v)
	{
		game = text_member(v, "game");
		names = cmd_admin_names(json_object_get(v, "waits_for"));
		out_title(&cx->out, "game %.*s, seat %lld", CMD_ADMIN_SHORT,
		    game, (long long)js_int(v, "seat"));
		out_print(&cx->out,
		    "  proposed for %s in line %lld; it waits for %s\n", to,
		    (long long)js_int(v, "seq"),
		    *names == '\0' ? "nobody" : names);
		out_print(&cx->out, "  umpire accept %.*s %lld\n",
		    CMD_ADMIN_SHORT, game, (long long)js_int(v, "seq"));
		free(names);
	}
	json_array_foreach(json_object_get(result, "skipped"), i, v)
	    out_print(&cx->out, "not in game %.*s, seat %lld: %s\n",
		CMD_ADMIN_SHORT, text_member(v, "game"),
		(long long)js_int(v, "seat"), text_member(v, "why"));
	if (json_array_size(json_object_get(result, "games")) == 0)
		return;
	out_print(&cx->out,
	    "The others are told of it; each accepts or declines by the "
	    "command above.  They\nmay ask %s to read out the key, which "
	    "`umpire keys` shows there:\n  %s\nOnce all have accepted in a "
	    "game, `umpire todo` tells everybody to be ready again.\n",
	    to, mark);
}

/* umpire admin key ACCOUNT KEY TOURNAMENT: there an account keeps its place. */
static int
cmd_admin_key_cup(struct cmd_ctx *cx, const char *account, const char *key,
    const char *cup, const char *why)
{
	json_t *params, *result;
	const json_t *v;
	char *names;
	size_t i;
	int status;

	if (cup == NULL)
		return (cmd_usage(
		    cx, "a key, and no card, is for a tournament: which one?"));
	if ((status = cmd_admin_game(cx, cup)) != 0)
		return (status);
	params = xalloc_json(json_pack("{s:s, s:s, s:s, s:s}", "account",
	    account, "key", key, "game", cup, "why", why));
	status = cmd_admin_call(cx, "admin.key", params, &result);
	if (status != 0)
		return (status);
	json_array_foreach(json_object_get(result, "tournaments"), i, v)
	{
		names = cmd_admin_names(json_object_get(v, "waits_for"));
		out_print(&cx->out,
		    "Proposed for %s in line %lld; a director has to accept it "
		    "(%s):\n  umpire tournament rule %.*s accept %lld --why "
		    "TEXT\n",
		    account, (long long)js_int(v, "seq"),
		    *names == '\0' ? "there is none" : names, CMD_ADMIN_SHORT,
		    text_member(v, "tournament"), (long long)js_int(v, "seq"));
		free(names);
	}
	if (cx->out.is_json)
		out_json(&cx->out, result);
	else
		json_decref(result);
	return (EX_OK);
}

/* umpire admin key ACCOUNT CARD [GAME] */
static int
cmd_admin_key(struct cmd_ctx *cx, const char *why)
{
	const char *account = cmd_arg(cx, 1), *card = cmd_arg(cx, 2);
	const char *game = cmd_arg(cx, 3), *colon = strchr(card, ':');
	char to[ORDER_ACCOUNT_MAX + 1];
	uint8_t key[VRF_KEY_LEN], sign[SIGN_KEY_LEN];
	json_t *params, *result;
	int status;

	if (!order_is_account(account))
		return (cmd_usage(cx, "'%s' cannot be an account", account));
	if (hex_parse(sign, SIGN_KEY_LEN, card, strlen(card)) == 0)
		return (cmd_admin_key_cup(cx, account, card, game, why));
	if (colon == NULL || colon - card > ORDER_ACCOUNT_MAX ||
	    hex_parse(key, VRF_KEY_LEN, colon + 1, strlen(colon + 1)) != 0)
		return (cmd_usage(cx,
		    "'%s' is not a card, ACCOUNT:DICEKEY, which the player who "
		    "is to have the seat prints with `keys card`",
		    card));
	(void)snprintf(to, sizeof(to), "%.*s", (int)(colon - card), card);
	if (game != NULL && (status = cmd_admin_game(cx, game)) != 0)
		return (status);
	params = xalloc_json(json_pack("{s:s, s:s, s:s, s:s}", "account",
	    account, "to", to, "dice_key", colon + 1, "why", why));
	if (game != NULL)
		xalloc_set(params, "game", json_string(game));
	status = cmd_admin_call(cx, "admin.key", params, &result);
	if (status != 0)
		return (status);
	cmd_admin_key_tell(cx, result);
	status = json_array_size(json_object_get(result, "games")) > 0
	    ? EX_OK
	    : EX_DATAERR;
	if (cx->out.is_json)
		out_json(&cx->out, result);
	else
		json_decref(result);
	return (status);
}

/* umpire admin restored [GAME] */
static int
cmd_admin_restored(struct cmd_ctx *cx, const char *why)
{
	const char *game = cmd_arg(cx, 1);
	json_t *params, *result;
	long long n;
	int status;

	if (game != NULL && (status = cmd_admin_game(cx, game)) != 0)
		return (status);
	status = cmd_confirm(cx,
	    "Lines that nobody has brought yet are given up: what was begun is "
	    "void, and all players of a game have to accept that.  Go on "
	    "without them?");
	if (status != 0)
		return (status);
	params = xalloc_json(json_pack("{s:s}", "why", why));
	if (game != NULL)
		xalloc_set(params, "game", json_string(game));
	status = cmd_admin_call(cx, "admin.restored", params, &result);
	if (status != 0)
		return (status);
	n = (long long)js_int(result, "games");
	if (n == 0)
		out_print(&cx->out, "No game or tournament lacks lines.\n");
	else
		out_print(&cx->out,
		    "%lld game%s without them; `umpire todo` tells the players "
		    "what to do.\n",
		    n,
		    n == 1 ? " or tournament goes on"
			   : "s or tournaments go on");
	if (cx->out.is_json)
		out_json(&cx->out, result);
	else
		json_decref(result);
	return (EX_OK);
}

/* What may follow `admin`. */
static const struct {
	const char *name;
	int least; /* words after it; likewise most */
	int most;
	const char *usage;
	int (*run)(struct cmd_ctx *cx, const char *why);
} cmd_admin_verbs[] = {
    {"close", 1, 1, "umpire admin close GAME --why TEXT", cmd_admin_close},
    {"erase", 2, 2, "umpire admin erase GAME REF --why TEXT", cmd_admin_erase},
    {"key", 2, 3,
	"umpire admin key ACCOUNT CARD [GAME] --why TEXT, or ACCOUNT KEY "
	"TOURNAMENT",
	cmd_admin_key},
    {"restored", 0, 1, "umpire admin restored [GAME] --why TEXT",
	cmd_admin_restored},
};

/* Does what was asked. */
static int
cmd_admin_run(struct cmd_ctx *cx)
{
	const size_t n = sizeof(cmd_admin_verbs) / sizeof(cmd_admin_verbs[0]);
	const char *verb = cmd_arg(cx, 0), *why = opt_get(&cx->opts, "why");
	const int words = cx->opts.n_operands - 1;
	size_t i = 0;

	while (i < n && strcmp(cmd_admin_verbs[i].name, verb) != 0)
		i++;
	if (i == n)
		return (cmd_usage(cx,
		    "an operator can close, erase, key and restored, not '%s'",
		    verb));
	if (words < cmd_admin_verbs[i].least || words > cmd_admin_verbs[i].most)
		return (cmd_usage(cx, "%s", cmd_admin_verbs[i].usage));
	if (why == NULL || *why == '\0')
		return (cmd_usage(cx, "say why, for the log%s: --why TEXT",
		    strcmp(verb, "close") == 0 || strcmp(verb, "key") == 0
			? " and the players"
			: ""));
	if (strlen(why) > RECORD_TEXT_MAX)
		return (cmd_usage(cx,
		    "--why has %zu bytes; at most %d are "
		    "allowed",
		    strlen(why), RECORD_TEXT_MAX));
	if (!utf8_is_valid(why, strlen(why)))
		return (cmd_usage(cx, "--why is not UTF-8"));
	return (cmd_admin_verbs[i].run(cx, why));
}

static const struct opt_def cmd_admin_opts[] = {
    {"why", 0, "TEXT", false, "why, for the log and the players"},
    {"socket", 0, "PATH", false, "the daemon's socket (" CMD_ADMIN_SOCKET ")"},
    {.name = NULL},
};

const struct cmd cmd_admin = {
    .opts = cmd_admin_opts,
    .min_args = 1,
    .max_args = 4,
    .run = cmd_admin_run,
};
