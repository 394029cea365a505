/* SPDX-License-Identifier: ISC */
/*
 * umpire keys: the account's keys, and the way back for who has lost them.
 * The new key is on disk before the server hears of it, so that a lost answer
 * loses nothing: the same command tries the same key again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <termios.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/crypt/keyfile.h"
#include "common/json/js.h"
#include "common/record/statement.h"

#define CMD_KEYS_LINE 256 /* far more than the words have */

/* Lists the account's keys. */
static int
cmd_keys_list(struct cmd_ctx *cx, const struct profile *p, struct link *l)
{
	char own[2 * SIGN_KEY_LEN + 1], mark[FINGERPRINT_LEN + 1];
	uint8_t bytes[SIGN_KEY_LEN];
	json_t *marks, *result;
	const json_t *list, *v;
	const char *key;
	size_t i;
	int status;

	if ((status = link_login(l)) != 0 ||
	    (status = link_ask(
		 l, "account.keys", xalloc_json(json_object()), &result)) != 0)
		return (status);
	hex_format(own, p->keys.sign.public_key, SIGN_KEY_LEN);
	list = json_object_get(result, "keys");
	marks = xalloc_json(json_array());
	json_array_foreach(list, i, v)
	{
		key = json_string_value(v);
		if (key == NULL ||
		    hex_parse(bytes, sizeof(bytes), key, strlen(key)) != 0) {
			xalloc_append(marks, json_null());
			continue;
		}
		base32_fingerprint(mark, bytes);
		xalloc_append(marks, xalloc_json_str(mark));
		out_print(&cx->out, "%s%s\n  %s\n", mark,
		    strcmp(key, own) == 0 ? "  (this profile's)" : "", key);
	}
	xalloc_set(result, "fingerprints", marks);
	out_print(&cx->out, "%s\n",
	    js_str(result, "recovery") == NULL
		? "There is no recovery key: a lost key is lost."
		: "Should they be lost or stolen: umpire keys recover");
	if (cx->out.is_json)
		out_json(&cx->out, result);
	else
		json_decref(result);
	return (EX_OK);
}

/* Reads the words, which are not shown as they are typed. */
static int
cmd_keys_words(uint8_t seed[WORDS_SEED_LEN])
{
	char line[CMD_KEYS_LINE];
	struct termios was, now;
	bool is_hidden = false;
	size_t n = 0;
	char c;
	int r;

	if (out_can_ask()) {
		out_note(
		    "Type the words that `umpire init` showed; they do not "
		    "appear as you type.");
		if (tcgetattr(STDIN_FILENO, &was) == 0) {
			now = was;
			now.c_lflag &= ~(tcflag_t)ECHO;
			is_hidden =
			    tcsetattr(STDIN_FILENO, TCSAFLUSH, &now) == 0;
		}
	}
	/* Byte by byte: a buffer of stdio's would keep them. */
	while (
	    n < sizeof(line) - 1 && read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
		line[n++] = c;
	line[n] = '\0';
	if (is_hidden)
		(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
	r = words_parse(line, seed);
	explicit_bzero(line, sizeof(line));
	if (r == 0)
		return (EX_OK);
	out_error("these are not the words: 32 letters and digits, in eight "
		  "groups of four");
	return (EX_DATAERR);
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

/* Makes the new keys those of the profile. */
static int
cmd_keys_install(
    struct profile *p, const uint8_t seed[WORDS_SEED_LEN], struct errinfo *e)
{
	char *path = profile_path(p, "dice.key");
	struct vrf_key dice;
	int r;

	memset(&dice, 0, sizeof(dice));
	r = words_dice(seed, 1, &dice);
	if (r == 0 &&
	    (!cmd_keys_move(p, "dice.key", "dice.key.old") ||
		!cmd_keys_move(p, "sign.key", "sign.key.old")))
		r = err_set(e, ERR_IO, NULL, "cannot move the old keys away");
	if (r == 0)
		r = keyfile_write(path, dice.secret, e);
	if (r == 0 && !cmd_keys_move(p, "sign.key.new", "sign.key"))
		r = err_set(e, ERR_IO, NULL, "cannot put the new key there");
	if (r == 0)
		r = profile_write_recovery(p, e);
	vrf_key_clear(&dice);
	free(path);
	return (r);
}

/* Has the server take the new key by the word of the recovery key. */
static int
cmd_keys_reset(struct link *l, const struct sign_key *recovery)
{
	const struct profile *p = l->p;
	struct statement_parts sp = {.server = l->server,
	    .account = p->account,
	    .what = STATEMENT_RESET,
	    .key = p->keys.sign.public_key,
	    .now_ms = clock_wall_ms()};
	uint8_t prev[HASH_LEN], sig[SIGN_LEN];
	struct conn_error ce;
	json_t *params, *result;
	struct buf b;
	int64_t kn;
	int r, status;

	/* Its answer may have been lost the last time. */
	if (link_try_login(l, &ce) == 0)
		return (EX_OK);
	conn_error_clear(&ce);
	params = xalloc_json(json_pack("{s:s}", "account", p->account));
	status = link_ask(l, "account.keys", params, &result);
	if (status != 0)
		return (status);
	r = js_get_int(result, "kn", NULL, 0, JS_INT_MAX - 1, &kn, NULL);
	if (r == 0)
		r = js_get_hex(result, "kprev", NULL, prev, HASH_LEN, NULL);
	json_decref(result);
	if (r != 0) {
		out_error("the server does not say how to go on");
		return (EX_PROTOCOL);
	}
	sp.n = kn + 1;
	sp.prev = prev;
	buf_init(&b, 0);
	if ((r = statement_write(&sp, &b)) == 0)
		r = sign_make(recovery, SIGN_TAG_KEY, b.data, b.len, sig);
	if (r != 0) {
		buf_clear(&b);
		return (EX_SOFTWARE);
	}
	params = xalloc_json(json_pack("{s:s, s:o, s:o}", "statement",
	    buf_str(&b), "key", js_hex(recovery->public_key, SIGN_KEY_LEN),
	    "sig", js_hex(sig, SIGN_LEN)));
	buf_clear(&b);
	if ((status = link_ask(l, "account.key", params, &result)) == 0)
		json_decref(result);
	return (status);
}

/* Replaces all keys of the account. */
static int
cmd_keys_recover(struct cmd_ctx *cx, struct profile *p, struct link *l)
{
	struct errinfo e = {.text = ""};
	uint8_t seed[WORDS_SEED_LEN];
	struct sign_key recovery;
	int r, status;

	memset(&recovery, 0, sizeof(recovery));
	if ((status = cmd_keys_words(seed)) != 0)
		return (status);
	if ((r = words_recovery(seed, &recovery)) != 0 ||
	    (r = cmd_keys_make(p, &e)) != 0)
		status = cmd_fail(r, &e);
	if (status == 0 && (status = cmd_keys_reset(l, &recovery)) == 0) {
		memcpy(p->recovery, recovery.public_key, SIGN_KEY_LEN);
		p->has_recovery = true;
		if ((r = cmd_keys_install(p, seed, &e)) != 0)
			status = cmd_fail(r, &e);
	}
	explicit_bzero(seed, sizeof(seed));
	sign_key_clear(&recovery);
	if (status != 0)
		return (status);
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:o}", "account", p->account,
			"key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN))));
	out_print(&cx->out,
	    "'%s' is yours again: all other keys have ended, in every game "
	    "that goes on.\nThe words are worth the same as before.  Back up "
	    "%s\n",
	    p->account, p->data_dir);
	return (EX_OK);
}

/* Lists or replaces. */
static int
cmd_keys_run(struct cmd_ctx *cx)
{
	const char *what = cmd_arg(cx, 0);
	struct errinfo e = {.text = ""};
	struct link *l = NULL;
	struct profile *p;
	int r, status;

	if (what != NULL && strcmp(what, "recover") != 0)
		return (cmd_usage(cx, "umpire keys, or umpire keys recover"));
	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((status = link_need_account(p)) == 0) {
		if (what == NULL && (r = profile_load_keys(p, &e)) != 0)
			status = cmd_fail(r, &e);
		if (status == 0)
			status = link_open(cx, p, &l);
		if (status == 0)
			status = what == NULL ? cmd_keys_list(cx, p, l)
					      : cmd_keys_recover(cx, p, l);
	}
	link_close(l);
	profile_free(p);
	return (status);
}

const struct cmd cmd_keys = {
    .opts = NULL,
    .min_args = 0,
    .max_args = 1,
    .run = cmd_keys_run,
};
