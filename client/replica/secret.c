/* SPDX-License-Identifier: ISC */
/*
 * The file of a secret choice.  Sending and opening are commit.c's.  The
 * file is never replaced while an order is pending: the pending one may be
 * the commit to what it holds.
 */
#include "client/replica/secret.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"

enum secret_state
secret_state(const struct game *g, int seat, int64_t *ask)
{
	enum order_kind ours, theirs;

	if (seat < 1)
		return (SECRET_NONE);
	ours = game_secret_owed(g, seat, ask);
	if (ours == ORDER_COMMIT)
		return (SECRET_OWED);
	if (ours == ORDER_OPEN)
		return (SECRET_DUE);
	/* Seats 1 and 2 stand for the two sides. */
	theirs = game_secret_owed(g, 3 - game_side_of(seat), ask);
	if (theirs == ORDER_COMMIT)
		return (SECRET_WAITS);
	return (theirs == ORDER_OPEN ? SECRET_OPEN : SECRET_NONE);
}

/* Reads the members of a file's object into *s, which then owns it. */
static int
secret_read(const struct replica *c, json_t *root, struct secret *s)
{
	uint8_t commit[HASH_LEN];

	memset(s, 0, sizeof(*s));
	if (js_get_int(root, "seat", NULL, 1, GAME_SEATS - 1, &s->seat, NULL) !=
		0 ||
	    js_get_int(root, "ask", NULL, 0, JS_INT_MAX, &s->ask, NULL) != 0 ||
	    js_get_hex(root, "commit", NULL, s->commit, HASH_LEN, NULL) != 0 ||
	    js_get_hex(root, "salt", NULL, s->salt, RECORD_SALT_LEN, NULL) !=
		0 ||
	    js_get_str(root, "text", NULL, &s->text, NULL) != 0 ||
	    record_secret(commit, c->id, (int)s->seat, s->ask, s->salt, s->text,
		strlen(s->text)) != 0 ||
	    memcmp(commit, s->commit, HASH_LEN) != 0)
		return (ERR_BAD);
	s->root = root;
	return (0);
}

int
secret_load(const struct replica *c, struct secret *s, struct errinfo *e)
{
	json_t *root = NULL;
	struct buf b;
	char *path;
	int r;

	buf_init(&b, 0);
	if ((r = profile_game_read(c->p, c->id, ".secret", 0, &b, e)) == 0 &&
	    (js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &root, NULL) != 0 ||
		secret_read(c, root, s) != 0)) {
		json_decref(root);
		path = profile_game_path(c->p, c->id, ".secret");
		r = err_set(e, ERR_BAD, NULL,
		    "the file of your secret choice is damaged: '%s'", path);
		free(path);
	}
	buf_clear(&b);
	return (r);
}

void
secret_clear(struct secret *s)
{
	json_decref(s->root);
	memset(s, 0, sizeof(*s));
}

int
secret_make(const struct replica *c, int seat, int64_t ask,
    const json_t *decision, struct secret *s, struct errinfo *e)
{
	uint8_t salt[RECORD_SALT_LEN], commit[HASH_LEN];
	json_t *root = NULL;
	char *bytes, *text;
	int r;

	if (profile_game_has(c->p, c->id, ".pending"))
		return (err_set(e, ERR_EXISTS, NULL,
		    "an earlier order is not answered yet"));
	text = xalloc_dump(decision);
	if (strlen(text) > GAME_HELD_MAX) {
		r = err_set(e, ERR_TOOBIG, NULL,
		    "a secret choice has at most %d bytes", GAME_HELD_MAX);
		goto out;
	}
	if (secret_load(c, s, NULL) == 0) {
		if (s->seat == seat && s->ask == ask &&
		    strcmp(s->text, text) == 0) {
			r = 0;
			goto out;
		}
		secret_clear(s);
	}
	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_secret(commit, c->id, seat, ask, salt, text, strlen(text)) !=
		0) {
		r = err_set(
		    e, ERR_INTERNAL, NULL, "there is no source of randomness");
		goto out;
	}
	root = xalloc_json(json_pack("{s:i, s:I, s:o, s:o, s:o}", "seat", seat,
	    "ask", (json_int_t)ask, "commit", js_hex(commit, HASH_LEN), "salt",
	    js_hex(salt, RECORD_SALT_LEN), "text", xalloc_json_str(text)));
	bytes = xalloc_dump(root);
	r = profile_game_write(c->p, c->id, ".secret", bytes, strlen(bytes), e);
	free(bytes);
	if (r == 0)
		r = secret_read(c, root, s);
	if (r != 0)
		json_decref(root);
out:
	free(text);
	return (r);
}

int
secret_find(const struct replica *c, int seat, int64_t ask, int *by,
    uint8_t commit[HASH_LEN])
{
	const struct battle *b = replica_battle(c);
	struct battle_line bl;
	bool is_it = false;
	int64_t seq, to;

	for (seq = ask + 1; !is_it && seq < c->n; seq++) {
		*by = battle_entry(b, seq)->seat;
		if (battle_entry(b, seq)->kind != ORDER_COMMIT ||
		    game_side_of(*by) != game_side_of(seat) ||
		    !battle_read(b, seq, &bl))
			continue;
		is_it = js_get_int(bl.o.args, "ask", NULL, 0, JS_INT_MAX, &to,
			    NULL) == 0 &&
		    to == ask &&
		    js_get_hex(
			bl.o.args, "commit", NULL, commit, HASH_LEN, NULL) == 0;
		battle_clear(&bl);
	}
	return (is_it ? 0 : ERR_NOTFOUND);
}

/* True if the record has no further use for the choice. */
static bool
secret_is_done(const struct replica *c, const struct secret *s)
{
	const struct game *g = replica_game(c);
	enum secret_state state;
	int64_t ask;

	/* Where the rules are not run, nothing here knows what is open. */
	if (g == NULL || replica_report(c)->is_unchecked || s->ask >= c->n)
		return (false);
	state = secret_state(g, (int)s->seat, &ask);
	return (state == SECRET_NONE || state == SECRET_OPEN || ask != s->ask);
}

int
secret_tidy(struct replica *c, struct errinfo *e)
{
	bool had_lock = c->lock != -1;
	struct secret s;
	char *path;
	int r;

	if (!profile_game_has(c->p, c->id, ".secret"))
		return (0);
	/* The lock brings the lines that others have seen. */
	if ((r = replica_lock(c, e)) != 0)
		return (r);
	if (!profile_game_has(c->p, c->id, ".pending") &&
	    secret_load(c, &s, NULL) == 0) {
		if (secret_is_done(c, &s)) {
			path = profile_game_path(c->p, c->id, ".secret");
			r = file_remove(path, e);
			free(path);
		}
		secret_clear(&s);
	}
	if (!had_lock)
		replica_unlock(c);
	return (r);
}
