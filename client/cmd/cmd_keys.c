/* SPDX-License-Identifier: ISC */
/*
 * umpire keys: the account's keys, one a device; adding and dropping them, and
 * the way back for who has lost them.
 * The new key is on disk before the server hears of it, so that a lost answer
 * loses nothing: the same command tries the same key again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/keys_dice.h"
#include "client/cmd/keys_words.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/dice_keys.h"
#include "client/profile/file.h"
#include "client/profile/known.h"
#include "client/profile/profile.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/crypt/keyfile.h"
#include "common/json/js.h"
#include "common/record/statement.h"

/* Says what it means that the account has no recovery key. */
static void
cmd_keys_tell_none(struct cmd_ctx *cx, const struct profile *p)
{
	out_print(&cx->out,
	    "This account was registered without a recovery key, and none gets "
	    "one later:\nkeys that are lost cannot be brought back, nor be "
	    "taken back from a thief.  So:\n"
	    "  keep a backup of %s\n"
	    "  a second device gets a copy of that folder\n"
	    "  if the keys are gone, or somebody else has them: a new account, "
	    "from\n    umpire init --profile NAME\n"
	    "  whose card (umpire keys card) lets the operator propose it for "
	    "your seats, to\n  which the other players must agree\n",
	    p->data_dir);
}

/* Lists the account's keys. */
static int
cmd_keys_list(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	const uint8_t *own = p->keys.sign.public_key;
	char mark[FINGERPRINT_LEN + 1];
	struct statement_keys k;
	json_t *list, *marks;
	bool is_own, is_strange = false;
	int i, status;

	if ((status = link_login(l)) != 0 ||
	    (status = account_keys(l, true, &k)) != 0)
		return (status);
	list = xalloc_json(json_array());
	marks = xalloc_json(json_array());
	for (i = 0; i < k.n_keys; i++) {
		base32_fingerprint(mark, k.keys[i]);
		is_own = memcmp(k.keys[i], own, SIGN_KEY_LEN) == 0;
		if (!known_has(p, k.keys[i]))
			is_strange = true;
		out_print(&cx->out, "%s  %s\n", mark,
		    is_own ? "this device's"
			: known_has(p, k.keys[i])
			? "another device's"
			: "not known to this profile");
		xalloc_append(list, js_hex(k.keys[i], SIGN_KEY_LEN));
		xalloc_append(marks, xalloc_json_str(mark));
	}
	if (is_strange)
		out_hint(&cx->out,
		    "Look on your other device whether `umpire keys` shows it "
		    "there as that\ndevice's: if so, umpire keys trust KEY; if "
		    "not, umpire keys recover\n");
	if (k.has_recovery)
		out_hint(&cx->out,
		    "Should they be lost or stolen: umpire keys recover\n");
	else
		cmd_keys_tell_none(cx, p);
	if (!cx->out.is_json) {
		json_decref(list);
		json_decref(marks);
		return (EX_OK);
	}
	list = xalloc_json(json_pack("{s:o, s:I, s:o, s:o}", "keys", list, "kn",
	    (json_int_t)k.n, "kprev", js_hex(k.prev, HASH_LEN), "fingerprints",
	    marks));
	if (k.has_recovery)
		xalloc_set(list, "recovery", js_hex(k.recovery, SIGN_KEY_LEN));
	out_json(&cx->out, list);
	return (EX_OK);
}

/* Gives the profile the new key, made at the first attempt. */
static int
cmd_keys_make(struct profile *p, struct errinfo *e)
{
	char *path = profile_path(p, "sign.key.new");
	uint8_t secret[KEYFILE_LEN];
	struct sign_key key;
	int r;

	memset(&key, 0, sizeof(key));
	r = keyfile_read(path, secret, e);
	if (r == ERR_NOTFOUND) {
		if ((r = sign_key_make(&key)) == 0)
			r = keyfile_write(path, key.seed, e);
	} else if (r == 0) {
		r = sign_key_from_seed(&key, secret);
	}
	if (r == 0) {
		p->keys.sign = key;
		/* The old ones, should there be any, are not to be loaded. */
		p->has_keys = true;
	}
	explicit_bzero(secret, sizeof(secret));
	sign_key_clear(&key);
	free(path);
	return (r);
}

/* Moves one file of the profile over another; true if there was none. */
static bool
cmd_keys_move(const struct profile *p, const char *from, const char *to)
{
	char *a = profile_path(p, from), *b = profile_path(p, to);
	bool is_done = !file_exists(a) || rename(a, b) == 0;

	free(a);
	free(b);
	return (is_done);
}

/*
 * Makes the dice key the first of the words; one that is another is kept.
 * Which one the games have is seen once they can be looked at.
 */
static int
cmd_keys_dice(
    struct profile *p, const uint8_t seed[WORDS_SEED_LEN], struct errinfo *e)
{
	struct vrf_key dice;
	int r;

	memset(&dice, 0, sizeof(dice));
	if ((r = words_dice(seed, 1, &dice)) == 0)
		r = dice_keys_use(p, &dice, e);
	vrf_key_clear(&dice);
	return (r);
}

/* Makes the new keys those of the profile. */
static int
cmd_keys_install(
    struct profile *p, const uint8_t seed[WORDS_SEED_LEN], struct errinfo *e)
{
	const struct statement_keys none = {.n_keys = 0};
	int r;

	r = cmd_keys_dice(p, seed, e);
	if (r == 0 && !cmd_keys_move(p, "sign.key", "sign.key.old"))
		r = err_set(e, ERR_IO, NULL, "cannot move the old key away");
	if (r == 0 && !cmd_keys_move(p, "sign.key.new", "sign.key"))
		r = err_set(e, ERR_IO, NULL, "cannot put the new key there");
	if (r == 0 && (r = profile_write_recovery(p, e)) == 0)
		r = known_keep(p, &none, e);
	return (r);
}

/* Has the server take the new key by the word of the recovery key. */
static int
cmd_keys_reset(struct link *l, const struct sign_key *recovery)
{
	const struct profile *p = l->p;
	struct statement_keys k;
	struct conn_error ce;
	char *path;
	int status;

	/* Its answer may have been lost the last time. */
	if (link_try_login(l, &ce) == 0)
		return (EX_OK);
	conn_error_clear(&ce);
	if ((status = account_keys(l, false, &k)) != 0 ||
	    (status = account_state(l, &k, STATEMENT_RESET,
		 p->keys.sign.public_key, recovery)) != EX_NOPERM)
		return (status);
	/* The words were another account's: nothing came of the key. */
	path = profile_path(p, "sign.key.new");
	(void)unlink(path);
	free(path);
	out_note("These are not the words of '%s': a letter may be wrong, or "
		 "`umpire init`\nshowed them for another account.",
	    p->account);
	return (status);
}

/*
 * Says that the words that were shown with a profile are not those that it has
 * now, if there were some.
 */
static void
cmd_keys_tell_words(
    const struct profile *p, bool had, const uint8_t was[SIGN_KEY_LEN])
{
	if (had && memcmp(was, p->recovery, SIGN_KEY_LEN) != 0)
		out_note("The words that `umpire init` showed on this device "
			 "are worth nothing: cross them\nout, and keep those "
			 "that you typed.");
}

/* Takes the recovery key over from the words. */
static int
cmd_keys_seed(struct profile *p, const uint8_t seed[WORDS_SEED_LEN],
    struct sign_key *recovery)
{
	int r;

	if ((r = words_recovery(seed, recovery)) == 0) {
		memcpy(p->recovery, recovery->public_key, SIGN_KEY_LEN);
		p->has_recovery = true;
	}
	return (r);
}

/*
 * Says so, where this profile can still log in to an account that no words
 * bring back.  0, or an exit status.
 */
static int
cmd_keys_may_recover(struct cmd_ctx *cx, struct profile *p)
{
	struct errinfo e = {.text = ""};
	struct statement_keys k;
	struct conn_error ce;
	struct link *l = NULL;
	int status = 0;

	if (profile_load_keys(p, &e) != 0 || p->has_recovery)
		return (0);
	/* A connection of its own: the other logs in by the new key. */
	if ((status = link_open(cx, p, &l)) != 0)
		return (status);
	if (link_try_login(l, &ce) != 0)
		conn_error_clear(&ce);
	else if ((status = account_keys(l, true, &k)) == 0 && !k.has_recovery) {
		out_error("account '%s' has no recovery key; `umpire keys` "
			  "says what that means",
		    p->account);
		status = EX_CONFIG;
	}
	link_close(l);
	return (status);
}

/* Says that the account is back. */
static void
cmd_keys_recovered(struct cmd_ctx *cx, const struct profile *p)
{
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:o}", "account", p->account,
			"key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN))));
	out_hint(&cx->out,
	    "'%s' is yours again: all other keys have ended, in every game "
	    "that goes on.\nThe words are worth the same as before.  Back up "
	    "%s\nYour games that go on, and all of them:\n"
	    "  umpire games\n  umpire games --account %s\n",
	    p->account, p->data_dir, p->account);
}

/* Replaces all keys of the account. */
static int
cmd_keys_recover(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	struct errinfo e = {.text = ""};
	uint8_t seed[WORDS_SEED_LEN], was[SIGN_KEY_LEN];
	struct sign_key recovery;
	bool had;
	int r, status;

	memset(&recovery, 0, sizeof(recovery));
	if ((status = cmd_keys_may_recover(cx, p)) != 0 ||
	    (status = keys_words_read(seed)) != 0)
		return (status);
	had = p->has_recovery;
	memcpy(was, p->recovery, SIGN_KEY_LEN);
	if ((r = cmd_keys_seed(p, seed, &recovery)) != 0 ||
	    (r = cmd_keys_make(p, &e)) != 0)
		status = cmd_fail(r, &e);
	if (status == 0 && (status = cmd_keys_reset(l, &recovery)) == 0 &&
	    (r = cmd_keys_install(p, seed, &e)) != 0)
		status = cmd_fail(r, &e);
	if (status == 0) {
		cmd_keys_recovered(cx, p);
		cmd_keys_tell_words(p, had, was);
		/* Perhaps not all that its dice fall by is back. */
		status = keys_dice_restore(cx, p, l, seed);
		if (status != 0)
			out_note(
			    "Not all of your games could be looked at for "
			    "your dice keys; once that works:\numpire keys "
			    "recover");
	}
	explicit_bzero(seed, sizeof(seed));
	sign_key_clear(&recovery);
	return (status);
}

/* On the new device: takes the words, and prints the code of its key. */
static int
cmd_keys_offer(struct cmd_ctx *cx, struct profile *p)
{
	struct errinfo e = {.text = ""};
	uint8_t seed[WORDS_SEED_LEN], (*ids)[HASH_LEN];
	char code[KNOWN_CODE_LEN + 1], mark[FINGERPRINT_LEN + 1];
	uint8_t was[SIGN_KEY_LEN];
	struct sign_key recovery;
	bool had;
	size_t n;
	int r, status;

	/* Their dice key would be gone. */
	if ((r = profile_games(p, &ids, &n, &e)) != 0)
		return (cmd_fail(r, &e));
	free(ids);
	if (n > 0) {
		out_error("profile '%s' has games of its own; a device is "
			  "added from a new profile (--profile NAME)",
		    p->name);
		return (EX_USAGE);
	}
	if ((status = keys_words_read(seed)) != 0)
		return (status);
	had = p->has_recovery;
	memcpy(was, p->recovery, SIGN_KEY_LEN);
	memset(&recovery, 0, sizeof(recovery));
	if ((r = cmd_keys_seed(p, seed, &recovery)) != 0 ||
	    (r = cmd_keys_dice(p, seed, &e)) != 0 ||
	    (r = profile_write_recovery(p, &e)) != 0)
		status = cmd_fail(r, &e);
	explicit_bzero(seed, sizeof(seed));
	sign_key_clear(&recovery);
	if (status != 0)
		return (status);
	if (known_code(p, code) != 0)
		return (EX_SOFTWARE);
	base32_fingerprint(mark, p->keys.sign.public_key);
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:s, s:o}", "account",
			p->account, "code", code, "key",
			js_hex(p->keys.sign.public_key, SIGN_KEY_LEN))));
	out_print(&cx->out,
	    "This device's key is %s.\nOn a device that plays as '%s':\n"
	    "  umpire keys add \\\n    %s\n",
	    mark, p->account, code);
	out_hint(&cx->out,
	    "Then, here, look at that device's key and trust it: umpire keys"
	    "\n");
	cmd_keys_tell_words(p, had, was);
	return (EX_OK);
}

/* Says what became of a key. */
static int
cmd_keys_done(struct cmd_ctx *cx, const struct profile *p,
    const uint8_t key[SIGN_KEY_LEN], const char *what)
{
	char mark[FINGERPRINT_LEN + 1];

	base32_fingerprint(mark, key);
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:o}", "account", p->account,
			"key", js_hex(key, SIGN_KEY_LEN))));
	out_print(&cx->out, "%s %s\n", mark, what);
	return (EX_OK);
}

/*
 * Prints what an operator needs to give us a seat: the account, and the dice
 * key, which no server knows of an account.
 */
static int
cmd_keys_card(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	char hex[2 * VRF_KEY_LEN + 1], mark[FINGERPRINT_LEN + 1], *card;
	struct statement_keys k;
	int status;

	/* Without an account there is nothing to seat. */
	if ((status = link_login(l)) != 0 ||
	    (status = account_keys(l, true, &k)) != 0)
		return (status);
	hex_format(hex, p->keys.dice.public_key, VRF_KEY_LEN);
	base32_fingerprint(mark, k.keys[0]);
	card = xalloc_printf("%s:%s", p->account, hex);
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:s, s:o}", "account",
			p->account, "card", card, "key",
			js_hex(k.keys[0], SIGN_KEY_LEN))));
	out_print(&cx->out,
	    "Send this line to the operator, who can propose you for a seat "
	    "with it:\n%s\nThe others are asked whether the key is yours, and "
	    "may have you read it out:\n%s\n",
	    card, mark);
	free(card);
	return (EX_OK);
}

/* On a device of the account: adds the key of a code. */
static int
cmd_keys_add(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	struct errinfo e = {.text = ""};
	char mark[FINGERPRINT_LEN + 1];
	uint8_t key[SIGN_KEY_LEN];
	struct statement_keys k;
	int r, status;

	if (!p->has_recovery) {
		out_error(
		    "account '%s' has no words; copy the profile's folder "
		    "to the other device",
		    p->account);
		return (EX_CONFIG);
	}
	if ((r = known_code_parse(p, cmd_arg(cx, 1), key)) != 0) {
		out_error(r == ERR_DENIED
			? "the code is mistyped, or was made for another "
			  "account or with other words"
			: "this is not a code: 56 letters and digits, which "
			  "`keys add` prints on the new device");
		return (EX_DATAERR);
	}
	base32_fingerprint(mark, key);
	if ((status = link_login(l)) != 0 ||
	    (status = account_keys(l, true, &k)) != 0)
		return (status);
	/* Its answer may have been lost the last time. */
	if (!statement_has_key(&k, key)) {
		if (!cx->is_sure && out_can_ask() &&
		    !out_ask("The new device must say that its key is %s.  Let "
			     "it play as '%s'?",
			mark, p->account)) {
			out_error("no key was added");
			return (EX_USAGE);
		}
		status =
		    account_state(l, &k, STATEMENT_ADD, key, &p->keys.sign);
		if (status != 0)
			return (status);
	}
	if ((r = known_add(p, key, &e)) != 0)
		return (cmd_fail(r, &e));
	return (cmd_keys_done(
	    cx, p, key, "plays in your name from now on, in every game."));
}

/* Finds a key of the account as typed.  0, or an exit status. */
static int
cmd_keys_find(struct cmd_ctx *cx, struct link *l, struct statement_keys *k,
    const uint8_t **key)
{
	int status;

	if ((status = link_login(l)) != 0 ||
	    (status = account_keys(l, true, k)) != 0)
		return (status);
	if ((*key = known_find(k, cmd_arg(cx, 1))) != NULL)
		return (EX_OK);
	out_error("account '%s' has no key '%s'; `umpire keys` lists them",
	    l->p->account, cmd_arg(cx, 1));
	return (EX_DATAERR);
}

/* Ends one key. */
static int
cmd_keys_drop(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	struct errinfo e = {.text = ""};
	struct statement_keys k;
	const uint8_t *key;
	bool is_own;
	int i, r, status;

	if ((status = cmd_keys_find(cx, l, &k, &key)) != 0)
		return (status);
	is_own = memcmp(key, p->keys.sign.public_key, SIGN_KEY_LEN) == 0;
	if (!cx->is_sure && out_can_ask() &&
	    !out_ask(is_own
		    ? "This device will no longer play as '%s'.  Go on?"
		    : "That device will no longer play as '%s'.  Go on?",
		p->account)) {
		out_error("no key was dropped");
		return (EX_USAGE);
	}
	status = account_state(l, &k, STATEMENT_DROP, key, &p->keys.sign);
	if (status != 0)
		return (status);
	cmd_keys_done(
	    cx, p, key, "has ended, in every game; what it has signed stands.");
	/* Should it ever be listed again it is not to be believed. */
	i = (int)((key - k.keys[0]) / SIGN_KEY_LEN);
	memmove(k.keys[i], k.keys[k.n_keys - 1], SIGN_KEY_LEN);
	k.n_keys--;
	r = known_keep(p, &k, &e);
	return (r == 0 ? EX_OK : cmd_fail(r, &e));
}

/* Knows one key. */
static int
cmd_keys_trust(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	struct errinfo e = {.text = ""};
	struct statement_keys k;
	const uint8_t *key;
	int r, status;

	if ((status = cmd_keys_find(cx, l, &k, &key)) != 0)
		return (status);
	if ((r = known_add(p, key, &e)) != 0)
		return (cmd_fail(r, &e));
	status = cmd_keys_done(
	    cx, p, key, "is known: your next games will have it, too.");
	return (status == 0 ? keys_dice_tell(cx, l) : status);
}

/* What may follow `keys`. */
static const struct {
	const char *name; /* NULL: nothing */
	bool has_arg; /* one more argument */
	bool is_new; /* needs no key of the profile's yet */
	int (*run)(struct cmd_ctx *cx, struct profile *p, struct link *l);
} cmd_keys_verbs[] = {
    {NULL, false, false, cmd_keys_list},
    {"recover", false, true, cmd_keys_recover},
    {"add", true, false, cmd_keys_add},
    {"drop", true, false, cmd_keys_drop},
    {"trust", true, false, cmd_keys_trust},
    {"new-dice-key", false, false, keys_dice_new},
    {"card", false, false, cmd_keys_card},
};

/* Says so, if somebody typed the words where others can read them. */
static bool
cmd_keys_has_words(const struct cmd_ctx *cx)
{
	uint8_t seed[WORDS_SEED_LEN];
	bool has = false;
	int i;

	for (i = 0; i < 2 && !has; i++)
		has = cmd_arg(cx, i) != NULL &&
		    words_parse(cmd_arg(cx, i), seed) == 0;
	explicit_bzero(seed, sizeof(seed));
	if (!has)
		return (false);
	out_error("words do not belong into a command, which other programs "
		  "and the shell's\nhistory see");
	out_note("Type the command without them, as `umpire keys recover`: it "
		 "asks.  Take the line out\nof your shell's history.");
	return (true);
}

/* Does what was asked. */
static int
cmd_keys_run(struct cmd_ctx *cx)
{
	const char *what = cmd_arg(cx, 0);
	const bool has_arg = what != NULL && cmd_arg(cx, 1) != NULL;
	const bool is_offer =
	    what != NULL && strcmp(what, "add") == 0 && !has_arg;
	const size_t n = sizeof(cmd_keys_verbs) / sizeof(cmd_keys_verbs[0]);
	struct errinfo e = {.text = ""};
	struct link *l = NULL;
	struct profile *p;
	size_t i = 0;
	int r, status;

	if (what != NULL)
		for (i = 1; i < n && strcmp(cmd_keys_verbs[i].name, what) != 0;
		     i++)
			continue;
	if (cmd_keys_has_words(cx))
		return (EX_USAGE);
	if (i == n || (cmd_keys_verbs[i].has_arg != has_arg && !is_offer))
		return (cmd_usage(cx,
		    "umpire keys, umpire keys recover, umpire keys add [CODE], "
		    "umpire keys drop KEY, umpire keys trust KEY, umpire keys "
		    "new-dice-key or umpire keys card"));
	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	status = link_need_account(p);
	if (status != 0 && what != NULL)
		out_note("To get one back: umpire init --server HOST[:PORT] "
			 "--account NAME");
	if (status == 0) {
		if (!cmd_keys_verbs[i].is_new &&
		    (r = profile_load_keys(p, &e)) != 0)
			status = cmd_fail(r, &e);
		else if (is_offer)
			status = cmd_keys_offer(cx, p);
		else if ((status = link_open(cx, p, &l)) == 0)
			status = cmd_keys_verbs[i].run(cx, p, l);
	}
	link_close(l);
	profile_free(p);
	return (status);
}

const struct cmd cmd_keys = {
    .opts = NULL,
    .min_args = 0,
    .max_args = 2,
    .run = cmd_keys_run,
};
