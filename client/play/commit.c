/* SPDX-License-Identifier: ISC */
/*
 * The two orders of a secret choice.  Everything from looking at the state
 * to the answer happens under the copy's lock, so that two commands typed at
 * once cannot commit to different things.
 */
#include "client/play/commit.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/play/decision_text.h"
#include "client/play/form_tell.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/replica/secret.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/rules/show/render.h"

char *
commit_question(const struct play *pl, const json_t *decision)
{
	char *path, *question, *s;
	struct render *rd;

	if (!pl->cx->is_sure && out_can_ask()) {
		out_note("This choice is secret: until both sides have chosen, "
			 "the record gets only a\nhash of it (a commitment).  "
			 "What you commit to cannot be changed.");
		path = profile_game_path(pl->copy->p, pl->copy->id, ".secret");
		if (game_is_sealed(play_game(pl)))
			out_note("Secrets are sealed in this game: nobody but "
				 "you has the choice until it is\nopened, "
				 "from this file, which must not get lost:\n%s",
			    path);
		else
			out_note("Secrets are held in this game: the server "
				 "keeps the choice and opens both at\nonce.");
		free(path);
	}
	rd = decision_text_names(play_game(pl));
	s = form_tell_decision(rd, decision);
	render_free(rd);
	question = xalloc_printf("Commit to %s?  It cannot be changed.", s);
	free(s);
	return (question);
}

/* The choice as it goes beside a commit, or into an `open` order; new. */
static json_t *
commit_opening(const struct secret *s)
{
	return (xalloc_json(json_pack("{s:o, s:s}", "salt",
	    js_hex(s->salt, RECORD_SALT_LEN), "text", s->text)));
}

/* Stores the choice and sends the commit; the copy is locked. */
static int
commit_send_locked(
    struct play *pl, int64_t ask, const json_t *decision, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	json_t *args, *open = NULL;
	struct secret s;
	int64_t now;
	int r, status;

	if (secret_state(play_game(pl), pl->seat, &now) != SECRET_OWED) {
		out_error("the game has moved on; nothing was sent");
		return (EX_DATAERR);
	}
	if (now != ask)
		return (show_asked_anew(pl));
	r = secret_make(pl->copy, pl->seat, ask, decision, &s, &e);
	if (r != 0) {
		status = cmd_fail(r, &e);
		return (r == ERR_EXISTS ? EX_TEMPFAIL : status);
	}
	args = xalloc_json(json_pack("{s:I, s:o}", "ask", (json_int_t)ask,
	    "commit", js_hex(s.commit, HASH_LEN)));
	if (!game_is_sealed(play_game(pl)))
		open = commit_opening(&s);
	status = play_order_with(pl, ORDER_COMMIT, args, NULL, 0, open, seq);
	json_decref(open);
	secret_clear(&s);
	return (status);
}

int
commit_send(struct play *pl, int64_t ask, const json_t *decision, int64_t *seq)
{
	int status;

	if ((status = play_lock(pl)) != 0)
		return (status);
	status = commit_send_locked(pl, ask, decision, seq);
	replica_unlock(pl->copy);
	return (status);
}

/* Finds what our seat has committed to the open question. */
static enum secret_state
commit_find(const struct play *pl, int64_t *ask, uint8_t commit[HASH_LEN])
{
	enum secret_state state;
	int by;

	state = secret_state(play_game(pl), pl->seat, ask);
	if (state == SECRET_NONE ||
	    secret_find(pl->copy, pl->seat, *ask, &by, commit) != 0 ||
	    by != pl->seat)
		return (SECRET_NONE);
	return (state);
}

bool
commit_is_due(const struct play *pl)
{
	uint8_t commit[HASH_LEN];
	int64_t ask;

	return (commit_find(pl, &ask, commit) == SECRET_DUE);
}

void
commit_note_missing(const struct play *pl)
{
	uint8_t commit[HASH_LEN];
	enum secret_state state;
	struct errinfo e;
	struct secret s;
	int64_t ask;
	bool is_here;

	state = commit_find(pl, &ask, commit);
	if (!game_is_sealed(play_game(pl)) ||
	    (state != SECRET_WAITS && state != SECRET_DUE))
		return;
	if (secret_load(pl->copy, &s, &e) == 0) {
		is_here = memcmp(s.commit, commit, HASH_LEN) == 0;
		secret_clear(&s);
		if (is_here)
			return;
	}
	out_note("Your secret choice is not on this machine: only the machine "
		 "on which you\ncommitted, or a backup of its profile's "
		 "folder, can open it.");
}

/* Says that the choice is not on this machine. */
static int
commit_lost(const struct play *pl, const char *why)
{
	char *path;

	path = profile_game_path(pl->copy->p, pl->copy->id, ".secret");
	out_error("your secret choice waits to be opened, but %s", why);
	out_note("It should be in\n%s\nOnly the file that was written when "
		 "you committed can open it.  If that was\non another "
		 "machine, open it there.  If the file is lost, look for it "
		 "in a\nbackup of your profile's folder; without it the game "
		 "cannot go on from here.",
	    path);
	free(path);
	return (EX_NOINPUT);
}

/* Opens the choice; the copy is locked. */
static int
commit_open_locked(struct play *pl, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	uint8_t commit[HASH_LEN];
	struct secret s;
	json_t *args;
	int64_t ask;
	int r, status;

	/* Another process may have opened it since. */
	if (commit_find(pl, &ask, commit) != SECRET_DUE) {
		*seq = -1;
		return (0);
	}
	r = secret_load(pl->copy, &s, &e);
	if (r == ERR_NOTFOUND)
		return (commit_lost(pl, "it is not on this machine"));
	if (r == ERR_BAD)
		return (commit_lost(pl, "its file is damaged"));
	if (r != 0)
		return (cmd_fail(r, &e));
	if (memcmp(s.commit, commit, HASH_LEN) != 0) {
		secret_clear(&s);
		return (commit_lost(pl, "its file holds a different one"));
	}
	args = commit_opening(&s);
	xalloc_set(args, "ask", json_integer(ask));
	secret_clear(&s);
	status = play_order(pl, ORDER_OPEN, args, NULL, seq);
	if (status == 0)
		out_note("Your secret choice was opened (line %lld).",
		    (long long)*seq);
	return (status);
}

int
commit_open(struct play *pl, int64_t *seq)
{
	int status;

	*seq = -1;
	if (!commit_is_due(pl))
		return (0);
	if ((status = play_lock(pl)) != 0)
		return (status);
	status = commit_open_locked(pl, seq);
	replica_unlock(pl->copy);
	return (status);
}
