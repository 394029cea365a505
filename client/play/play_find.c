/* SPDX-License-Identifier: ISC */
/* Which game a word of the command line means. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "client/ui/out_terminal.h"
#include "common/base/hex.h"
#include "common/json/js.h"

#define PLAY_PREFIX_MIN 4

bool
play_log_in(struct link *l, const struct profile *p)
{
	struct conn_error ce;

	if (l->is_logged_in || p->account == NULL || !profile_exists(p))
		return (l->is_logged_in);
	if (link_try_login(l, &ce) != 0)
		conn_error_clear(&ce);
	return (l->is_logged_in);
}

/* Lists up to two games that begin with these digits. */
static int
play_list_server(struct link *l, const char *word, json_t **result)
{
	return (link_ask(l, "game.list",
	    xalloc_json(json_pack(
		"{s:o, s:i}", "prefix", xalloc_json_str(word), "limit", 2)),
	    result));
}

/* Asks the server for games that begin with these digits. */
static int
play_find_server(struct link *l, const struct profile *p, const char *word,
    uint8_t id[HASH_LEN])
{
	struct js_at at = {.name = "game.list"};
	struct errinfo e = {.text = ""};
	const json_t *games;
	json_t *result;
	int status;

	if ((status = play_list_server(l, word, &result)) != 0)
		return (status);
	if (json_array_size(json_object_get(result, "games")) == 0 &&
	    !l->is_logged_in && play_log_in(l, p)) {
		json_decref(result);
		if ((status = play_list_server(l, word, &result)) != 0)
			return (status);
	}
	if (js_get_array(result, "games", &at, &games, &e) != 0) {
		status = cmd_fail_answer(&e);
	} else if (json_array_size(games) == 0) {
		out_error("there is no game '%s', here or on the server", word);
		out_note("`umpire games` lists yours, `umpire games --all` "
			 "all of the server's.");
		status = EX_NOINPUT;
	} else if (json_array_size(games) > 1) {
		out_error("more than one game on the server begins with '%s': "
			  "type more digits",
		    word);
		status = EX_USAGE;
	} else if (js_get_hex(json_array_get(games, 0), "game", &at, id,
		       HASH_LEN, &e) != 0) {
		status = cmd_fail_answer(&e);
	}
	json_decref(result);
	return (status);
}

int
play_find_invited(struct cmd_ctx *cx, struct profile *p, const char *word,
    uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	struct invitation inv;
	int r, status = 0;

	if (invitation_read(word, &inv, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	if ((r = invitation_take(&inv, p, &e)) != 0) {
		status = cmd_fail(r, &e);
		out_note("Nothing was sent.  A profile has one server; another "
			 "is made by\numpire init --profile NAME ADDRESS");
	}
	memcpy(id, inv.game, HASH_LEN);
	invitation_clear(&inv);
	return (status);
}

int
play_find(struct cmd_ctx *cx, struct profile *p, struct link **link,
    const char *word, uint8_t id[HASH_LEN])
{
	size_t hits, len = strlen(word);
	struct errinfo e = {.text = ""};
	int r, status;

	if (invitation_is(word))
		return (play_find_invited(cx, p, word, id));
	if (profile_find_nick(p, word, id))
		return (0);
	if (strspn(word, "0123456789abcdef") != len) {
		out_error("you have no game called '%s'", word);
		out_note("`umpire games` lists your games; name others by "
			 "their digits.");
		return (EX_NOINPUT);
	}
	if (len < PLAY_PREFIX_MIN || len > 2 * HASH_LEN)
		return (cmd_usage(cx,
		    "'%s' is not a game: type a nickname, or at least four "
		    "digits of its number",
		    word));
	if (hex_parse(id, HASH_LEN, word, len) == 0)
		return (0);
	if ((r = profile_find_digits(p, word, id, &hits, &e)) != 0)
		return (cmd_fail(r, &e));
	if (hits == 1)
		return (0);
	if (hits > 1)
		return (cmd_usage(cx,
		    "more than one of your games begins with '%s': type more "
		    "digits",
		    word));
	if (*link == NULL && (status = link_open(cx, p, link)) != 0)
		return (status);
	return (play_find_server(*link, p, word, id));
}
