/* SPDX-License-Identifier: ISC */
/*
 * What subcommands about one game share.  The order of things is fixed: find
 * the game, read the own copy, send what is unanswered, fetch what is new,
 * and only then sign anything.
 */
#include "client/play.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/copy.h"
#include "client/file.h"
#include "client/link.h"
#include "client/out.h"
#include "client/profile.h"
#include "client/secret.h"
#include "client/send.h"
#include "client/sync.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/clock.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/hex.h"
#include "common/js.h"
#include "common/record.h"

#define PLAY_PREFIX_MIN 4
#define PLAY_SHORT 8 /* digits by which a game without nick is called */
#define PLAY_CLOCK_MS 120000 /* record S6.6: clients warn beyond */

int
play_profile(struct cmd_ctx *cx, struct profile **p)
{
	struct errinfo e = {.text = ""};
	int r;

	if ((r = profile_open(cx->profile, p, &e)) != 0)
		return (cmd_fail(r, &e));
	return (0);
}

/* Finds a game by its digits among the own copies; counts the hits. */
static int
play_find_copy(const struct profile *p, const char *word, uint8_t id[HASH_LEN],
    size_t *hits)
{
	uint8_t(*ids)[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	struct errinfo e = {.text = ""};
	size_t i, n;
	int r;

	*hits = 0;
	if ((r = profile_games(p, &ids, &n, &e)) != 0)
		return (cmd_fail(r, &e));
	for (i = 0; i < n; i++) {
		hex_encode(hex, ids[i], HASH_LEN);
		if (strncmp(hex, word, strlen(word)) == 0) {
			memcpy(id, ids[i], HASH_LEN);
			++*hits;
		}
	}
	free(ids);
	return (0);
}

/* Asks the server for games that begin with these digits. */
static int
play_find_server(struct link *l, const char *word, uint8_t id[HASH_LEN])
{
	struct js_at at = {.name = "game.list"};
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	const json_t *games;
	json_t *params, *result;
	int status = 0;

	params = xalloc_json(json_object());
	xalloc_set(params, "prefix", xalloc_json_str(word));
	xalloc_set(params, "limit", json_integer(2));
	if (link_call(l, "game.list", params, &result, &ce) != 0) {
		status = link_fail(&ce);
		conn_error_clear(&ce);
		return (status);
	}
	if (js_get_array(result, "games", &at, &games, &e) != 0) {
		status = cmd_fail(ERR_REQUEST, &e);
	} else if (json_array_size(games) == 0) {
		out_error("there is no game '%s', neither here nor on the "
			  "server",
		    word);
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
		status = cmd_fail(ERR_REQUEST, &e);
	}
	json_decref(result);
	return (status);
}

int
play_find(struct cmd_ctx *cx, struct profile *p, struct link **link,
    const char *word, uint8_t id[HASH_LEN])
{
	size_t hits, len = strlen(word);
	int status;

	if (profile_find_nick(p, word, id))
		return (0);
	if (strspn(word, "0123456789abcdef") != len) {
		out_error("you have no game called '%s'", word);
		out_note("`umpire games` lists your games; others go by their "
			 "digits.");
		return (EX_NOINPUT);
	}
	if (len < PLAY_PREFIX_MIN || len > 2 * HASH_LEN)
		return (cmd_usage(cx,
		    "'%s' is no game: type a nickname, or at least four "
		    "digits",
		    word));
	if (hex_decode(id, HASH_LEN, word, len) == 0)
		return (0);
	if ((status = play_find_copy(p, word, id, &hits)) != 0)
		return (status);
	if (hits == 1)
		return (0);
	if (hits > 1)
		return (cmd_usage(cx,
		    "more than one of your games begins with '%s': type more "
		    "digits",
		    word));
	if (*link == NULL && (status = link_open(cx, p, link)) != 0)
		return (status);
	return (play_find_server(*link, word, id));
}

/* Finds the seat that our key sits in; -1: none. */
static int
play_find_seat(const struct play *pl)
{
	const struct game *g = copy_game(pl->copy);
	int seat;

	if (g == NULL || !pl->p->has_keys)
		return (-1);
	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (game_is_joined(g, seat) &&
		    game_has_key(g, seat, pl->p->keys.sign.public_key))
			return (seat);
	}
	return (-1);
}

/* Forgets a secret choice that is open by now. */
static void
play_tidy(struct play *pl)
{
	struct errinfo e = {.text = ""};

	/* A file too many does no harm. */
	if (secret_tidy(pl->copy, &e) != 0)
		out_note("%s", e.text);
}

int
play_sync(struct play *pl)
{
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	int r, status = 0;

	out_progress("fetching and checking the game");
	r = sync_copy(pl->link, pl->copy, &ce);
	out_progress_end();
	if (r == ERR_FORK && !ce.is_answer)
		status = send_forked(pl->copy);
	else if (r != 0)
		status = link_fail(&ce);
	conn_error_clear(&ce);
	if (status != 0)
		return (status);
	pl->seat = play_find_seat(pl);
	/* A game that one sits in is kept from the first line on. */
	if (pl->seat >= 0 && !pl->copy->is_kept &&
	    (r = copy_keep(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	play_tidy(pl);
	if (copy_game(pl->copy) != NULL &&
	    game_at_ms(play_game(pl)) > clock_wall_ms() + PLAY_CLOCK_MS)
		out_note("Warning: the last line is dated in the future; is "
			 "this machine's clock right?");
	return (0);
}

/* Sends an order that an earlier run left unanswered. */
static int
play_resend(struct play *pl)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	int r, status;

	if ((r = copy_lock(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	r = send_load(pl->copy, &sp, &e);
	if (r == ERR_NOTFOUND) {
		copy_unlock(pl->copy);
		return (0);
	}
	if (r != 0) {
		copy_unlock(pl->copy);
		return (cmd_fail(r, &e));
	}
	out_note("Sending your earlier, unanswered order again ...");
	status = link_login(pl->link);
	if (status == 0)
		status = send_deliver(pl->link, pl->copy, &pl->sent_seq);
	if (status == 0) {
		pl->sent = xalloc_copy(sp.root);
		out_note(
		    "It is recorded as line %lld.", (long long)pl->sent_seq);
	}
	send_clear(&sp);
	copy_unlock(pl->copy);
	return (status);
}

/* How the commands name the game: nickname, else its first digits. */
static char *
play_name(const struct profile *p, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	char *nick;

	if ((nick = profile_nick(p, id)) != NULL)
		return (nick);
	hex_encode(hex, id, HASH_LEN);
	return (xalloc_strn(hex, PLAY_SHORT));
}

/* Says that the copy is shown because the server is away. */
static void
play_note_offline(const struct play *pl)
{
	char when[32];

	if (pl->cx->is_offline_told)
		return;
	pl->cx->is_offline_told = true;
	out_note("Showing your own copy; its last line is of %s.",
	    out_time(when, game_at_ms(play_game(pl))));
}

/*
 * Sends what is pending and fetches what is new; without a connection, which
 * failed with `status`, the own copy may do.
 */
static int
play_update(struct play *pl, enum play_need need, int status)
{
	if (pl->link == NULL) {
		if (pl->cx->is_offline && pl->copy->n == 0) {
			out_error("you have no copy of this game");
			return (EX_NOINPUT);
		}
		if (need != PLAY_READ || pl->copy->n == 0 ||
		    (status != EX_UNAVAILABLE && status != EX_NOHOST &&
			status != EX_CONFIG))
			return (status);
		play_note_offline(pl);
		pl->seat = play_find_seat(pl);
		return (0);
	}
	if ((status = play_resend(pl)) != 0) {
		/* Whoever only looks may look; but not at a second history. */
		if (need == PLAY_READ && status != EX_PROTOCOL)
			return (play_sync(pl));
		if (status != EX_PROTOCOL)
			out_note("That was the earlier order; this command "
				 "was not carried out.");
		return (status);
	}
	return (play_sync(pl));
}

/* Checks that we sit in the game, for orders. */
static int
play_need_seat(struct play *pl)
{
	if (pl->seat >= 0)
		return (link_login(pl->link));
	out_error("you have no seat in this game");
	if (game_phase(play_game(pl)) == GAME_MUSTER)
		out_note("`umpire join %s` takes the free one.", pl->name);
	else
		out_note("`umpire show`, `log`, `watch` and `export` work for "
			 "everybody.");
	return (EX_NOPERM);
}

int
play_open_id(struct cmd_ctx *cx, struct profile *p, struct link *link,
    const uint8_t id[HASH_LEN], enum play_need need, struct play **out)
{
	struct errinfo e = {.text = ""};
	struct play *pl;
	int r, status = 0;

	pl = xalloc(sizeof(*pl));
	pl->cx = cx;
	pl->p = p;
	pl->link = link;
	if (link != NULL)
		link->p = p;
	pl->seat = -1;
	pl->name = play_name(p, id);
	r = profile_load_keys(p, &e);
	/* Whoever only looks needs no keys. */
	if (r != 0 && (need == PLAY_ORDER || profile_exists(p))) {
		status = cmd_fail(r, &e);
		goto out;
	}
	/* The pinned key must have marked every line: it is needed first. */
	if (cx->is_offline && need == PLAY_READ)
		status = EX_UNAVAILABLE;
	else if (pl->link == NULL)
		status = link_open(cx, p, &pl->link);
	if ((r = copy_open(p, id, &pl->copy, &e)) != 0) {
		status = cmd_fail(r, &e);
		goto out;
	}
	if ((status = play_update(pl, need, status)) != 0)
		goto out;
	if (copy_game(pl->copy) == NULL) {
		out_error("there is nothing in the record of this game yet");
		status = EX_NOINPUT;
		goto out;
	}
	if (need == PLAY_ORDER)
		status = play_need_seat(pl);
out:
	if (status != 0)
		play_close(pl);
	else
		*out = pl;
	return (status);
}

int
play_open(struct cmd_ctx *cx, const char *word, enum play_need need,
    struct play **out)
{
	struct link *link = NULL;
	struct profile *p;
	uint8_t id[HASH_LEN];
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((status = play_find(cx, p, &link, word, id)) != 0) {
		link_close(link);
		profile_free(p);
		return (status);
	}
	return (play_open_id(cx, p, link, id, need, out));
}

struct link *
play_take_link(struct play *pl)
{
	struct link *l = pl->link;

	pl->link = NULL;
	return (l);
}

void
play_close(struct play *pl)
{
	if (pl == NULL)
		return;
	copy_close(pl->copy);
	link_close(pl->link);
	profile_free(pl->p);
	json_decref(pl->sent);
	free(pl->name);
	free(pl);
}

const struct game *
play_game(const struct play *pl)
{
	return (copy_game(pl->copy));
}

/* A text beside an order: {"salt","value"}, new, and its ref. */
static json_t *
play_text(const char *text, uint8_t ref[HASH_LEN])
{
	uint8_t salt[RECORD_SALT_LEN];
	json_t *o;

	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_text_ref(ref, salt, text, strlen(text)) != 0)
		return (xalloc_json(NULL));
	o = xalloc_json(json_object());
	xalloc_set(o, "salt", js_hex(salt, sizeof(salt)));
	xalloc_set(o, "value", xalloc_json_str(text));
	return (o);
}

/*
 * Puts an order's bytes into params for a method, and what goes beside it
 * (each may be NULL); new.
 */
static json_t *
play_params(const struct play *pl, struct buf *text, const uint8_t *sig,
    const json_t *texts, const json_t *open)
{
	json_t *params;

	params = xalloc_json(json_object());
	xalloc_set(params, "order", xalloc_json_str(buf_str(text)));
	xalloc_set(params, "sig", js_hex(sig, SIGN_LEN));
	xalloc_set(
	    params, "key", js_hex(pl->p->keys.sign.public_key, SIGN_KEY_LEN));
	if (texts != NULL)
		xalloc_set(params, "texts", xalloc_copy(texts));
	if (open != NULL)
		xalloc_set(params, "open", xalloc_copy(open));
	return (params);
}

bool
play_is_sent(const struct play *pl, enum order_kind kind, const json_t *args,
    const char *text)
{
	const json_t *params = json_object_get(pl->sent, "params");
	const json_t *value;
	struct errinfo e;
	const char *s;
	struct order o;
	bool is_same;

	if (pl->sent == NULL)
		return (false);
	s = json_string_value(json_object_get(params, "order"));
	if (s == NULL || order_parse(s, strlen(s), &o, &e) != 0)
		return (false);
	is_same = o.kind == kind;
	if (is_same && text != NULL) {
		value = json_object_get(
		    json_array_get(json_object_get(params, "texts"), 0),
		    "value");
		s = json_string_value(value);
		is_same = s != NULL && strcmp(s, text) == 0;
	} else if (is_same && args != NULL) {
		/* The question's number may have been another one. */
		is_same = kind == ORDER_DECIDE
		    ? json_equal(json_object_get(o.args, "decision"),
			  json_object_get(args, "decision"))
		    : json_equal(o.args, args);
	}
	order_clear(&o);
	return (is_same);
}

/* Sends an order that is signed; params is stolen.  0, or an exit status. */
static int
play_send(struct play *pl, const char *method, json_t *params, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	int r, status;

	if ((r = send_store(pl->copy, method, params, &e)) != 0) {
		(void)cmd_fail(r, &e);
		return (r == ERR_EXISTS ? EX_TEMPFAIL : EX_IOERR);
	}
	if ((status = send_deliver(pl->link, pl->copy, seq)) == 0)
		play_tidy(pl);
	return (status);
}

/* Makes, signs and sends an order; args is stolen. */
static int
play_sign(struct play *pl, enum order_kind kind, json_t *args,
    const json_t *texts, const json_t *open, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	json_t *params;
	struct buf b;
	int r, status;

	buf_init(&b, 0);
	/* From here to the answer no other process signs for this game. */
	if ((r = copy_keep(pl->copy, &e)) != 0 ||
	    (r = copy_lock(pl->copy, &e)) != 0 ||
	    (r = game_make_order(play_game(pl), pl->seat, &pl->p->keys, kind,
		 args, &b, sig, &e)) != 0) {
		status = cmd_fail(r, &e);
	} else {
		params = play_params(pl, &b, sig, texts, open);
		status = play_send(pl,
		    kind == ORDER_JOIN ? "game.join" : "game.order", params,
		    seq);
	}
	copy_unlock(pl->copy);
	buf_clear(&b);
	json_decref(args);
	return (status);
}

int
play_order(struct play *pl, enum order_kind kind, json_t *args,
    const char *text, int64_t *seq)
{
	json_t *texts = NULL;
	uint8_t ref[HASH_LEN];
	int status;

	if (play_is_sent(pl, kind, args, text)) {
		*seq = pl->sent_seq;
		json_decref(args);
		return (0);
	}
	if (text != NULL) {
		texts = xalloc_json(json_array());
		xalloc_append(texts, play_text(text, ref));
		xalloc_set(args, "ref", js_hex(ref, HASH_LEN));
	}
	status = play_sign(pl, kind, args, texts, NULL, seq);
	json_decref(texts);
	return (status);
}

int
play_order_open(struct play *pl, enum order_kind kind, json_t *args,
    const json_t *open, int64_t *seq)
{
	return (play_sign(pl, kind, args, NULL, open, seq));
}

char *
play_command(const struct play *pl, const char *verb, const char *words)
{
	char *profile, *s;

	profile = cmd_profile_words(pl->cx);
	s = xalloc_printf("umpire%s %s %s%s%s", profile, verb, pl->name,
	    *words == '\0' ? "" : " ", words);
	free(profile);
	return (s);
}
