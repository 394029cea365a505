/* SPDX-License-Identifier: ISC */
/* umpire init: makes a profile's keys and settings. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/keys_words.h"
#include "client/play/play.h"
#include "client/profile/file.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/json/js.h"
#include "common/record/order.h"

/* Takes server and key of an invitation over; 0, or an exit status. */
static int
cmd_init_invited(struct cmd_ctx *cx, struct profile *p, const char *word)
{
	struct errinfo e = {.text = ""};
	struct invitation inv;
	int r, status = 0;

	if (opt_has(&cx->opts, "server") || opt_has(&cx->opts, "server-key"))
		return (cmd_usage(cx,
		    "an invitation has server and key: leave out --server and "
		    "--server-key"));
	if (invitation_read(word, &inv, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	/* Nobody gets a profile away from its server by an address. */
	if ((r = invitation_take(&inv, p, &e)) != 0) {
		status = cmd_fail(r, &e);
		out_note("A profile has one server; another is made by\numpire "
			 "init --profile NAME ADDRESS");
	}
	invitation_clear(&inv);
	return (status);
}

/* Takes the options over into the profile. */
static int
cmd_init_options(struct cmd_ctx *cx, struct profile *p)
{
	struct errinfo e = {.text = ""};
	char *host, *port;
	const char *s;
	int status;

	if ((s = cmd_arg(cx, 0)) != NULL &&
	    (status = cmd_init_invited(cx, p, s)) != 0)
		return (status);
	if ((s = opt_get(&cx->opts, "server")) != NULL) {
		if (profile_split(s, &host, &port, &e) != 0)
			return (cmd_usage(cx, "%s", e.text));
		free(host);
		free(port);
		free(p->server);
		p->server = xalloc_str(s);
	}
	if ((s = opt_get(&cx->opts, "server-key")) != NULL) {
		if (!invitation_key(s, p->pin))
			return (cmd_usage(cx,
			    "--server-key takes an identity key: 64 hex "
			    "digits"));
		p->has_pin = true;
	}
	if ((s = opt_get(&cx->opts, "account")) != NULL) {
		if (!order_is_account(s))
			return (cmd_usage(cx,
			    "'%s' cannot be an account: small letters, "
			    "digits, '.', '_' and '-', at most 32",
			    s));
		free(p->account);
		p->account = xalloc_str(s);
	}
	return (0);
}

/* Says what to keep safe. */
static void
cmd_init_backup(struct out *o, const struct profile *p)
{
	char *base, *slash;

	base = xalloc_str(p->data_dir);
	if ((slash = strstr(base, "/umpire/")) != NULL)
		*slash = '\0';
	out_print(o, "\n");
	out_title(o, "Back up now; whoever loses these keys loses the games.");
	out_print(o,
	    "Without the words neither the opponent nor the server can "
	    "replace them.  Back\nup this whole folder, which also gets your "
	    "copies of the games, and keep the\nbackup where nobody else can "
	    "read it: whoever has the keys can play in your\nname.\n"
	    "  %s\n"
	    "For instance, now and after each evening:\n"
	    "  tar -C %s -czf umpire-%s.tar.gz umpire/%s\n",
	    p->data_dir, base, p->name, p->name);
	free(base);
}

/* Prints where everything is. */
static void
cmd_init_tell(struct cmd_ctx *cx, const struct profile *p, bool is_new)
{
	struct out *o = &cx->out;
	char *sign, *dice, *words, key[2 * SIGN_KEY_LEN + 1];
	char mark[FINGERPRINT_LEN + 1];

	sign = profile_path(p, "sign.key");
	dice = profile_path(p, "dice.key");
	hex_format(key, p->keys.sign.public_key, SIGN_KEY_LEN);
	base32_fingerprint(mark, p->keys.sign.public_key);
	if (o->is_json)
		out_json(o,
		    xalloc_json(json_pack("{s:s, s:b, s:s, s:s, s:o, "
					  "s:s, s:s, s:s, s:s?, s:s?}",
			"profile", p->name, "new", is_new, "key", key,
			"fingerprint", mark, "dice_key",
			js_hex(p->keys.dice.public_key, VRF_KEY_LEN),
			"sign_key_file", sign, "dice_key_file", dice, "back_up",
			p->data_dir, "server", p->server, "account",
			p->account)));
	out_title(o, "Profile '%s'%s", p->name,
	    is_new ? "" : ": the keys were there and are kept");
	out_print(o,
	    "  signing key  %s\n"
	    "  dice key     %s\n"
	    "  settings     %s/config\n"
	    "  public key   %s\n"
	    "  fingerprint  %s\n",
	    sign, dice, p->config_dir, key, mark);
	if (is_new) {
		cmd_init_backup(o, p);
	} else
		out_print(o, "  back up      %s\n", p->data_dir);
	words = cmd_profile_words(cx);
	if (p->server == NULL)
		out_print(
		    o, "\nNext: umpire%s init --server HOST[:PORT]\n", words);
	else
		out_print(o, "\nNext: umpire%s register %s\n", words,
		    p->account == NULL ? "NAME" : p->account);
	if (cmd_arg(cx, 0) != NULL)
		out_print(o, "Then: umpire%s join %s\n", words, cmd_arg(cx, 0));
	/* Who says a name on a new computer may have had it for long. */
	if (p->server != NULL && p->account != NULL && is_new)
		out_print(o,
		    "Or, if '%s' is yours already, by the words that you wrote "
		    "down then:\n  umpire%s keys recover\n",
		    p->account, words);
	free(words);
	free(sign);
	free(dice);
}

/*
 * Says what depends on the missing keys, and asks twice before new ones are
 * made.  0, or an exit status.
 */
static int
cmd_init_lost(struct cmd_ctx *cx, const struct profile *p)
{
	const bool is_told = opt_has(&cx->opts, "new-keys");
	uint8_t(*ids)[HASH_LEN];
	struct errinfo e;
	char *games, *has, *recovery;
	size_t n = 0;

	if (profile_games(p, &ids, &n, &e) == 0)
		free(ids);
	has = p->account == NULL ? xalloc_str("")
				 : xalloc_printf("account '%s'", p->account);
	games = n == 0 ? xalloc_str("")
		       : xalloc_printf("%s%zu game%s",
			     *has == '\0' ? "" : " and ", n, n == 1 ? "" : "s");
	out_error("profile '%s' has %s%s, but its keys are missing", p->name,
	    has, games);
	free(games);
	free(has);
	out_note("Restore your backup: the files sign.key and dice.key belong "
		 "into\n%s",
	    p->data_dir);
	recovery = profile_path(p, "recovery.pub");
	if (p->account != NULL && file_exists(recovery))
		out_note("Or, by the words that init showed: umpire keys "
			 "recover");
	free(recovery);
	out_note(
	    "New keys made by init do not help: they can neither log in to "
	    "that account nor\nplay those games.");
	if (!is_told && !out_can_ask()) {
		out_note("To make new ones anyway: umpire init --new-keys");
		return (EX_CONFIG);
	}
	if (!is_told && !out_ask("Make new keys anyway?")) {
		out_error("no keys were made");
		return (EX_USAGE);
	}
	if (out_can_ask() && !(is_told && cx->is_sure) &&
	    !out_ask("Without a backup of the old ones those games are lost.  "
		     "Give them up?")) {
		out_error("no keys were made");
		return (EX_USAGE);
	}
	return (0);
}

/* Makes what is missing and saves the settings. */
static int
cmd_init_run(struct cmd_ctx *cx)
{
	struct errinfo e = {.text = ""};
	struct profile *p;
	bool is_lost, is_new;
	int r, status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	/* They are for paper, and what programs read gets kept. */
	if (!profile_exists(p) && cx->out.is_json) {
		profile_free(p);
		return (cmd_usage(cx,
		    "new keys come with words to write down: make them "
		    "without --json"));
	}
	/* If one key is left, the other is not made again. */
	is_lost = !profile_exists(p) && profile_is_bereft(p);
	if (is_lost && (status = cmd_init_lost(cx, p)) == 0) {
		/* The account belongs to the old key. */
		free(p->account);
		p->account = NULL;
		free(p->display);
		p->display = NULL;
	}
	if (status == 0 && (status = cmd_init_options(cx, p)) == 0) {
		r = profile_make(p, &is_new, keys_words_show, cx, &e);
		if (r == ERR_CLOSED) {
			out_error("no keys were made");
			status = EX_USAGE;
		} else if (r != 0 || (r = profile_save(p, &e)) != 0)
			status = cmd_fail(r, &e);
		else
			cmd_init_tell(cx, p, is_new);
		if (status == EX_IOERR)
			status = EX_CANTCREAT;
	}
	profile_free(p);
	return (status);
}

static const struct opt_def cmd_init_opts[] = {
    {"server", 0, "HOST[:PORT]", false, "the server to play on"},
    {"server-key", 0, "KEY", false, "its identity key, as published"},
    {"account", 0, "NAME", false, "your account's name there"},
    {"new-keys", 0, NULL, false, "make new keys although old ones were lost"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_init = {
    .opts = cmd_init_opts,
    .min_args = 0,
    .max_args = 1,
    .run = cmd_init_run,
};
