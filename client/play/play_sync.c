/* SPDX-License-Identifier: ISC */
/* What a game on the table is, brought up to date. */
#include "client/play/play.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/pending.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/heal.h"
#include "client/replica/lost.h"
#include "client/replica/replica.h"
#include "client/replica/secret.h"
#include "client/replica/send.h"
#include "client/replica/sync.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/json/js.h"

#define PLAY_CLOCK_MS 120000 /* record S6.6: clients warn beyond */

int
play_find_seat(const struct play *pl)
{
	const struct game *g = replica_game(pl->copy);
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

/*
 * Ends the wait of an order whose line has come: another process may have sent
 * it, or its answer was lost.
 */
static int
play_settle(struct play *pl)
{
	const bool had_lock = pl->copy->lock != -1;
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	int64_t seq;
	int r;

	/* The holder of the lock is sending it just now. */
	if (had_lock || !pending_is_there(pl->copy))
		return (0);
	if ((r = replica_lock(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	if (send_load(pl->copy, &sp, &e) == 0) {
		seq = pending_line(pl->copy, sp.root);
		if (seq >= 0 && (r = send_done(pl->copy, &e)) == 0) {
			json_decref(pl->sent);
			pl->sent = xalloc_copy(sp.root);
			pl->sent_seq = seq;
			out_note("The order that waited is recorded as line "
				 "%lld.",
			    (long long)seq);
		}
		send_clear(&sp);
	}
	replica_unlock(pl->copy);
	return (r == 0 ? 0 : cmd_fail(r, &e));
}

void
play_tidy(struct play *pl)
{
	struct errinfo e = {.text = ""};

	/* One file too many does no harm. */
	if (secret_tidy(pl->copy, &e) != 0)
		out_note("%s", e.text);
}

/*
 * True if the server may keep the game, or its last lines, from whoever asks:
 * it is private or shown late, and we do not come as one of its players.
 */
static bool
play_is_hidden(const struct play *pl, const struct conn_error *ce)
{
	const struct game *g = replica_game(pl->copy);

	if (ce->r != ERR_FORK || ce->is_answer || g == NULL ||
	    (pl->link->is_logged_in && play_find_seat(pl) >= 0))
		return (false);
	if (pl->copy->fork.what == REPLICA_GONE)
		return (game_is_private(g));
	return (pl->copy->fork.what == REPLICA_BEHIND &&
	    (game_delay_turns(g) > 0 || game_delay_minutes(g) > 0));
}

/* Says so; returns the exit status. */
static int
play_tell_hidden(const struct play *pl)
{
	const bool is_gone = pl->copy->fork.what == REPLICA_GONE;

	if (play_find_seat(pl) >= 0) {
		out_error("'%s' is shown %s, and the server did not let you "
			  "log in",
		    pl->name,
		    is_gone ? "only to its players" : "to others late");
		out_note("`umpire todo` says why.");
		return (EX_NOPERM);
	}
	if (is_gone)
		out_error("'%s' is a private game, and %s", pl->name,
		    pl->p->has_keys ? "your key has no seat in it"
				    : "your keys are missing");
	else
		out_error("'%s' is shown late to all but its players, and %s",
		    pl->name,
		    pl->p->has_keys ? "your key has no seat in it"
				    : "your keys are missing");
	out_note("If you played it with other keys, restore your backup of "
		 "them into\n%s",
	    pl->p->data_dir);
	return (EX_NOPERM);
}

/* True if a private game that had not begun is no longer there for us. */
static bool
play_is_away(const struct play *pl)
{
	return (pl->copy->fork.what == REPLICA_GONE &&
	    replica_game(pl->copy) != NULL && game_is_private(play_game(pl)) &&
	    game_phase(play_game(pl)) == GAME_MUSTER);
}

/*
 * Says that a private game that had not begun is no longer there for us, which
 * is no wonder: we may have been refused.  Returns the exit status.
 */
static int
play_tell_away(const struct play *pl)
{
	char *path;

	path = profile_game_path(pl->p, pl->copy->id, ".jsonl");
	out_error("you can no longer see the private game '%s': whoever opened "
		  "it may have\nrefused you",
	    pl->name);
	out_note("To forget it, remove your copy:\n%s", path);
	free(path);
	return (EX_NOPERM);
}

/* True if the server has lost what our copy has, rather than keeps it to
 * itself.
 */
static bool
play_may_heal(const struct play *pl, const struct conn_error *ce)
{
	const struct replica *c = pl->copy;

	if (ce->r != ERR_FORK || ce->is_answer || play_is_hidden(pl, ce) ||
	    play_is_away(pl))
		return (false);
	return (c->fork.what == REPLICA_BEHIND || c->fork.what == REPLICA_GONE);
}

int
play_try_sync(struct play *pl, struct conn_error *ce)
{
	struct errinfo e = {.text = ""};
	int r, status = 0;

	out_progress("fetching and checking the game");
	r = sync_copy(pl->link, pl->copy, ce);
	if (r == ERR_NOTFOUND && ce->is_answer && !pl->link->is_logged_in &&
	    play_log_in(pl->link, pl->p)) {
		conn_error_clear(ce);
		r = sync_copy(pl->link, pl->copy, ce);
	}
	/* The account may have a key that our copy does not know yet. */
	if (play_is_hidden(pl, ce) && !pl->link->is_logged_in &&
	    play_log_in(pl->link, pl->p)) {
		conn_error_clear(ce);
		r = sync_copy(pl->link, pl->copy, ce);
	}
	if (play_may_heal(pl, ce))
		r = heal_lost(pl->link, pl->copy, ce);
	if (r == ERR_FORK && !ce->is_answer && pl->copy->fork.is_restored)
		r = lost_set_aside(pl->link, pl->copy, ce);
	out_progress_end();
	if (play_is_hidden(pl, ce))
		status = play_tell_hidden(pl);
	else if (r == ERR_FORK && !ce->is_answer)
		status = play_is_away(pl) ? play_tell_away(pl)
					  : evidence_tell(pl->copy);
	else if (r != 0)
		status = link_is_fault(ce) ? PLAY_PASSING : link_fail(ce);
	if (status != 0)
		return (status);
	pl->seat = play_find_seat(pl);
	/* A game that one sits in is kept from the first line on. */
	if (pl->seat >= 0 && !pl->copy->is_kept &&
	    (r = replica_keep(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((status = play_settle(pl)) != 0)
		return (status);
	play_tidy(pl);
	if (replica_game(pl->copy) != NULL &&
	    game_settings(play_game(pl))->has_clock &&
	    game_phase(play_game(pl)) == GAME_PLAY)
		link_warn_clock(pl->link);
	if (replica_game(pl->copy) != NULL && !pl->link->is_clock_told &&
	    game_at_ms(play_game(pl)) > clock_wall_ms() + PLAY_CLOCK_MS)
		out_note("Warning: the last line is dated in the future; is "
			 "this machine's clock right?");
	return (0);
}

int
play_sync(struct play *pl)
{
	struct conn_error ce;
	struct errinfo e;
	int status;

	status = play_try_sync(pl, &ce);
	/* One that has been open for long may just have been lost. */
	if (status == PLAY_PASSING && pl->owner != NULL && !ce.is_answer &&
	    link_again(pl->link, &e) == 0) {
		conn_error_clear(&ce);
		status = play_try_sync(pl, &ce);
	}
	if (status == PLAY_PASSING)
		status = link_fail(&ce);
	conn_error_clear(&ce);
	return (status);
}

const struct game *
play_game(const struct play *pl)
{
	return (replica_game(pl->copy));
}

json_t *
play_blob(const struct play *pl, const char *hex)
{
	const char *value = hex == NULL ? NULL : replica_text(pl->copy, hex);
	json_t *blob = NULL;

	if (value == NULL ||
	    js_load(value, strlen(value), JS_DEPTH_RECORD, &blob, NULL) != 0)
		return (NULL);
	return (blob);
}

bool
play_is_opener(const struct play *pl)
{
	json_t *args = replica_create_args(pl->copy);
	bool is_opener;

	is_opener = args != NULL &&
	    json_integer_value(json_object_get(args, "seat")) == pl->seat;
	json_decref(args);
	return (is_opener);
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
