/* SPDX-License-Identifier: ISC */
#include "client/cmd/new_witness.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/duration.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/hex.h"
#include "common/crypt/sign.h"
#include "common/json/js.h"

#define NEW_WITNESS_NONE "none"

/* The value of --witness that names one; NULL. */
static const char *
new_witness_named(const struct cmd_ctx *cx)
{
	const char *s = opt_get(&cx->opts, "witness");

	return (s == NULL || strcmp(s, NEW_WITNESS_NONE) == 0 ? NULL : s);
}

/* True if a word is a key, not an account. */
static bool
new_witness_is_key(const char *s)
{
	uint8_t key[SIGN_KEY_LEN];

	return (hex_parse(key, sizeof(key), s, strlen(s)) == 0);
}

void
new_witness_set(json_t *terms, const char *key)
{
	const json_t *clock = json_object_get(terms, "clock");
	json_t *options = json_object_get(terms, "options");

	if (options == NULL) {
		options = xalloc_json(json_object());
		xalloc_set(terms, "options", options); /* stolen, borrowed */
	}
	xalloc_set(options, "witness", xalloc_json_str(key));
	/* Nobody's clock runs while it is silent. */
	if (clock != NULL)
		xalloc_set(options, "witness_s",
		    json_integer(duration_notice(js_int(clock, "first_s"))));
	xalloc_set(terms, "scheme", json_string("live-1"));
	/* It answers for dice, never for what is declared. */
	if (json_object_get(terms, "confirm") == NULL)
		xalloc_set(terms, "confirm", json_true());
}

int
new_witness_read(struct cmd_ctx *cx, json_t *terms)
{
	const char *word = opt_get(&cx->opts, "witness");
	const char *scheme = opt_get(&cx->opts, "scheme");
	json_t *options = json_object_get(terms, "options");
	const char *name = new_witness_named(cx);

	if (name != NULL && scheme != NULL && strcmp(scheme, "live-1") != 0)
		return (cmd_usage(cx,
		    "with a witness the scheme is live-1: leave out --scheme"));
	if (name != NULL && opt_has(&cx->opts, "check") &&
	    !new_witness_is_key(name))
		return (cmd_usage(cx,
		    "--check asks no server: with it --witness takes the "
		    "witness's key"));
	/* A rematch had one: without live-1 there is none. */
	if (word != NULL ||
	    strcmp(text_member(terms, "scheme"), "live-1") != 0) {
		(void)json_object_del(options, "witness");
		(void)json_object_del(options, "witness_s");
	}
	if (json_object_size(options) == 0)
		(void)json_object_del(terms, "options");
	if (name != NULL)
		new_witness_set(terms, name);
	return (0);
}

/* The row of the server's list that a word names; NULL. */
static const json_t *
new_witness_find(const json_t *list, const char *word)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (strcmp(text_member(v, "account"), word) == 0 ||
		    strcmp(text_member(v, "key"), word) == 0)
			return (v);
	}
	return (NULL);
}

/* Finds the key of the witness that --witness names. */
static int
new_witness_resolve(const json_t *list, const char *word, json_t *terms)
{
	const json_t *row = new_witness_find(list, word);

	if (row != NULL) {
		new_witness_set(terms, text_member(row, "key"));
		return (0);
	}
	if (new_witness_is_key(word)) {
		out_note(
		    "Warning: the server names no witness with that key; "
		    "if nobody runs one for\nit, the game does not begin.");
		return (0);
	}
	out_error("this server names no witness '%s'", word);
	if (json_array_size(list) == 0)
		out_note("It names none at all.  Its operator does so by the "
			 "setting `witnesses`.");
	else
		out_note("It names '%s'.",
		    text_member(json_array_get(list, 0), "account"));
	return (EX_DATAERR);
}

/* Proposes the server's witness, and says what that means. */
static void
new_witness_propose(struct cmd_ctx *cx, const json_t *row, json_t *terms)
{
	const char *account = text_member(row, "account");
	char *s;

	if (cx->is_sure || !cmd_can_ask(cx)) {
		out_note("Dice are from two hands.  This server has a witness, "
			 "'%s': with --witness %s\nno operator who plays can "
			 "foresee a roll.",
		    account, account);
		return;
	}
	s = xalloc_printf("This server has a witness, '%s': a program that has "
			  "a hand in every roll, at once and without knowing "
			  "the sides.  With it dice come from three hands, and "
			  "not even the operator in league with a player can "
			  "foresee one; each combat that is declared waits for "
			  "the other side to agree to it.",
	    account);
	out_text(&cx->out, 0, 0, s);
	free(s);
	if (cmd_ask(cx, "Open the game with the witness?"))
		new_witness_set(terms, text_member(row, "key"));
}

int
new_witness_choose(
    struct cmd_ctx *cx, const struct link *l, json_t *terms, bool is_rematch)
{
	const json_t *list = json_object_get(l->hello, "witnesses");
	const char *name = new_witness_named(cx);

	if (name != NULL)
		return (new_witness_resolve(list, name, terms));
	if (!is_rematch && json_array_size(list) > 0 &&
	    opt_get(&cx->opts, "witness") == NULL &&
	    opt_get(&cx->opts, "scheme") == NULL)
		new_witness_propose(cx, json_array_get(list, 0), terms);
	return (0);
}
