/* SPDX-License-Identifier: ISC */
/*
 * What subcommands about one game share.  The order of things is fixed: find
 * the game, read our own copy, send what is unanswered, fetch what is new, and
 * only then sign anything.
 */
#include "client/play/play.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/pending.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "client/replica/heal.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "common/base/hex.h"
#include "common/game/game.h"

#define PLAY_SHORT 8 /* digits by which a game without nick is called */

int
play_profile(struct cmd_ctx *cx, struct profile **p)
{
	struct errinfo e = {.text = ""};
	int r;

	if ((r = profile_open(cx->profile, p, &e)) != 0)
		return (cmd_fail(r, &e));
	return (0);
}

/* Asks whether the order that waits is to be sent, and sends it. */
static int
play_ask_kept(
    struct play *pl, enum play_need need, const json_t *root, const char *words)
{
	int status;

	out_note("An order of yours waits for its answer, %s.\n"
		 "The server may have recorded it or not, so it cannot be "
		 "withdrawn.\nSent again, it counts once, and no other is "
		 "signed before that.",
	    words);
	if (cmd_can_ask(pl->cx) &&
	    (status = cmd_confirm(pl->cx, "Send it again now?")) != 0) {
		out_note("The order is kept.");
		return (status);
	}
	if ((status = play_resend(pl, root)) != 0 && need == PLAY_ORDER)
		out_note("That was the earlier order; this command was not "
			 "carried out.");
	pl->has_news = status == 0 && cmd_can_ask(pl->cx) && !pl->cx->is_sure &&
	    pl->sent != NULL && !pending_is_talk(pl->sent);
	return (status);
}

/*
 * Deals with an order that waits for its answer.  A command that gives orders
 * where nobody can be asked, and without --yes, may be about to give the very
 * same one: play_meet() sees to that.
 */
static int
play_look_kept(struct play *pl, enum play_need need)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	char *again, *words;
	int r, status = 0;

	if ((r = send_load(pl->copy, &sp, &e)) == ERR_NOTFOUND)
		return (0);
	words = pending_words(pl->copy, sp.root);
	if (need == PLAY_READ || need == PLAY_ONLINE) {
		again = play_command(pl, "send", "");
		out_note("An order of yours waits for its answer, %s.\n"
			 "This command does not send it; `%s` does.",
		    words, again);
		free(again);
	} else if (r != 0)
		status = cmd_fail(r, &e);
	else if (need == PLAY_SEND || pl->cx->is_sure || cmd_can_ask(pl->cx))
		status = play_ask_kept(pl, need, sp.root, words);
	send_clear(&sp);
	free(words);
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
	hex_format(hex, id, HASH_LEN);
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
 * True if the order that opens this game still waits to be sent: the server
 * does not know the game, and that is no wonder.
 */
static bool
play_is_unopened(const struct play *pl)
{
	struct errinfo e;
	struct send_pending sp;
	bool is_create;

	if (pl->copy->n > 0 || send_load(pl->copy, &sp, &e) != 0)
		return (false);
	is_create = strcmp(sp.method, "game.create") == 0;
	send_clear(&sp);
	return (is_create);
}

/* Says so. */
static void
play_note_unopened(const struct play *pl)
{
	char *again;

	again = play_command(pl, "send", "");
	out_note("The game '%s' is not open yet: the order for it waits.\n"
		 "Next: %s",
	    pl->name, again);
	free(again);
}

/* The same as play_update() for a game that the server does not have yet. */
static int
play_update_unopened(struct play *pl, enum play_need need)
{
	int status;

	if (need != PLAY_SEND &&
	    (need != PLAY_ORDER ||
		(!pl->cx->is_sure && !cmd_can_ask(pl->cx)))) {
		play_note_unopened(pl);
		return (EX_TEMPFAIL);
	}
	if ((status = play_look_kept(pl, need)) != 0) {
		/* A final refusal has been told, and taken the game away. */
		if (play_is_unopened(pl))
			play_note_unopened(pl);
		return (status);
	}
	return (play_sync(pl));
}

/* Says that an order was not even signed, because the server is away. */
static int
play_unsent(enum play_need need, int status)
{
	if (need == PLAY_ORDER &&
	    (status == EX_UNAVAILABLE || status == EX_NOHOST ||
		status == EX_TEMPFAIL))
		out_note("This command was neither sent nor kept: type it "
			 "again once the server\nanswers.");
	return (status);
}

/*
 * Fetches what is new, and deals with an order that waits; without a
 * connection, which failed with `status`, our own copy may do.
 */
static int
play_update(struct play *pl, enum play_need need, int status)
{
	const bool is_unopened = play_is_unopened(pl);

	if (pl->link == NULL) {
		if (is_unopened) {
			play_note_unopened(pl);
			return (pl->cx->is_offline ? EX_NOINPUT : status);
		}
		if (pl->cx->is_offline && pl->copy->n == 0) {
			out_error("you have no copy of this game");
			return (EX_NOINPUT);
		}
		if (need != PLAY_READ || pl->copy->n == 0 ||
		    (status != EX_UNAVAILABLE && status != EX_NOHOST &&
			status != EX_TEMPFAIL && status != EX_CONFIG))
			return (play_unsent(need, status));
		play_note_offline(pl);
		pl->seat = play_find_seat(pl);
		return (0);
	}
	if (is_unopened)
		return (play_update_unopened(pl, need));
	if (play_find_seat(pl) >= 0)
		(void)play_log_in(pl->link, pl->p); /* else as a spectator */
	if (heal_when_due(pl->link, pl->p, pl->copy->id) == EX_PROTOCOL)
		pl->cx->has_proof = true;
	status = play_sync(pl);
	if (status == EX_NOPERM && need == PLAY_READ && pl->copy->n > 0) {
		play_note_offline(pl);
		pl->seat = play_find_seat(pl);
		return (0);
	}
	return (
	    status != 0 ? play_unsent(need, status) : play_look_kept(pl, need));
}

/* True if the profile's account has a seat in the game. */
static bool
play_has_account(const struct play *pl)
{
	int slot;

	for (slot = 0; pl->p->account != NULL && slot < GAME_SLOTS; slot++) {
		if (strcmp(game_account(play_game(pl), game_slot_seat(slot)),
			pl->p->account) == 0)
			return (true);
	}
	return (false);
}

/* For orders: checks that we sit in the game. */
static int
play_need_seat(struct play *pl)
{
	if (pl->seat >= 0)
		return (link_login(pl->link));
	out_error("you have no seat in this game");
	if (game_phase(play_game(pl)) == GAME_MUSTER)
		out_note("`umpire join %s` takes the free one.", pl->name);
	else if (play_has_account(pl))
		out_note("'%s' sits in it, by another key: this one was "
			 "dropped, or is not there yet.\nTo have the account "
			 "back by its words: umpire keys recover\nTo play with "
			 "both devices: umpire keys add",
		    pl->p->account);
	else if (pl->copy->is_kept)
		out_note("The copy here is from when another key played it: if "
			 "that was yours, restore\nyour backup of it into\n%s",
		    pl->p->data_dir);
	else
		out_note("`umpire show`, `log`, `watch` and `export` work for "
			 "everybody.");
	return (EX_NOPERM);
}

/* A game on the table, without keys and a copy yet; new. */
static struct play *
play_new(struct cmd_ctx *cx, struct profile *p, struct link *link,
    const uint8_t id[HASH_LEN])
{
	struct play *pl;

	pl = xalloc(sizeof(*pl));
	pl->cx = cx;
	pl->p = p;
	pl->link = link;
	if (link != NULL)
		link->p = p;
	pl->seat = -1;
	pl->name = play_name(p, id);
	return (pl);
}

bool
play_is_lapsed(const struct play *pl)
{
	const struct game *g = play_game(pl);

	return (pl->link != NULL && game_phase(g) == GAME_MUSTER &&
	    game_at_ms(g) < link_lapsed_ms(pl->link));
}

/* Says why our copy cannot be read, and what to do; returns the exit status. */
static int
play_copy_fail(const struct play *pl, int r, const struct errinfo *e)
{
	int status;

	status = cmd_fail(r, e);
	if (r == ERR_SERVER)
		out_note("The copy itself may be sound.  `umpire init "
			 "--server-key KEY` pins that key\nagain, "
			 "`umpire verify` checks the copy without any "
			 "server.");
	if (r == ERR_BAD)
		out_note("Put ID.jsonl and ID.side back from a backup.  "
			 "Without one, move both\nelsewhere, and `umpire show "
			 "%s` fetches the whole game again.",
		    pl->name);
	return (status);
}

int
play_open_copy(struct cmd_ctx *cx, struct profile *p,
    const uint8_t id[HASH_LEN], struct play **out)
{
	struct errinfo e = {.text = ""};
	struct play *pl;
	int r, status;

	pl = play_new(cx, p, NULL, id);
	if ((r = profile_load_keys(p, &e)) != 0 ||
	    (r = replica_open(p, id, &pl->copy, &e)) != 0) {
		status = play_copy_fail(pl, r, &e);
		play_close(pl);
		return (status);
	}
	pl->seat = play_find_seat(pl);
	*out = pl;
	return (0);
}

/* What follows once copy and connection are there; 0, or an exit status. */
static int
play_begin(struct play *pl, enum play_need need, int status)
{
	if ((status = play_update(pl, need, status)) != 0)
		return (status);
	if (replica_game(pl->copy) == NULL) {
		out_error("there is nothing in the record of this game yet");
		return (EX_NOINPUT);
	}
	pl->rests_on = pl->copy->n - 1;
	if (need != PLAY_ORDER)
		play_finish_try(pl);
	else if ((status = play_need_seat(pl)) == 0)
		pl->is_closing = true;
	return (status);
}

int
play_open_id(struct cmd_ctx *cx, struct profile *p, struct link *link,
    const uint8_t id[HASH_LEN], enum play_need need, struct play **out)
{
	struct errinfo e = {.text = ""};
	struct play *pl;
	int r, status = 0;

	pl = play_new(cx, p, link, id);
	r = profile_load_keys(p, &e);
	/* Looking needs no keys. */
	if (r != 0 &&
	    (need == PLAY_ORDER ||
		(profile_exists(p) && !profile_is_bereft(p)))) {
		status = cmd_fail(r, &e);
		goto out;
	}
	if (r != 0 && !cx->is_lost_told && profile_is_bereft(p)) {
		cx->is_lost_told = true;
		out_note("Warning: %s.", e.text);
	}
	/* The pinned key must have marked every line: it is needed first. */
	if (cx->is_offline && need == PLAY_READ)
		status = EX_UNAVAILABLE;
	else if (pl->link == NULL)
		status = link_open(cx, p, &pl->link);
	/* If this is not the pinned server, the copy stays closed. */
	if (status == EX_NOPERM)
		goto out;
	if ((r = replica_open(p, id, &pl->copy, &e)) != 0) {
		status = play_copy_fail(pl, r, &e);
		goto out;
	}
	status = play_begin(pl, need, status);
out:
	if (status != 0)
		play_close(pl);
	else
		*out = pl;
	return (status);
}

/* Uses the game that `umpire play` has open for a subcommand. */
static int
play_open_table(struct cmd_ctx *cx, enum play_need need, struct play **out)
{
	struct play *pl = cx->table;
	int status;

	pl->owner = pl->cx;
	pl->cx = cx;
	json_decref(pl->sent);
	pl->sent = NULL;
	pl->has_news = false;
	if (cx->is_offline && need == PLAY_READ)
		status = EX_UNAVAILABLE;
	else
		status = link_need(pl->link);
	if (status != 0)
		pl->link = NULL; /* it stays with its owner */
	if ((status = play_begin(pl, need, status)) != 0) {
		play_close(pl);
		return (status);
	}
	*out = pl;
	return (0);
}

int
play_open(struct cmd_ctx *cx, const char *word, enum play_need need,
    struct play **out)
{
	struct link *link = NULL;
	char hex[2 * HASH_LEN + 1];
	struct profile *p;
	uint8_t id[HASH_LEN];
	int status;

	if (cx->table != NULL && !opt_has(&cx->opts, "profile")) {
		hex_format(hex, cx->table->copy->id, HASH_LEN);
		if (strcmp(word, hex) == 0 ||
		    strcmp(word, cx->table->name) == 0 ||
		    invitation_is_of(
			word, cx->table->copy->id, cx->table->p->pin))
			return (play_open_table(cx, need, out));
	}
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
	if (pl->is_closing)
		play_finish_try(pl);
	pl->is_closing = false;
	if (pl->owner != NULL) {
		pl->cx = pl->owner;
		pl->owner = NULL;
		return;
	}
	replica_close(pl->copy);
	link_close(pl->link);
	profile_free(pl->p);
	json_decref(pl->sent);
	free(pl->name);
	free(pl);
}
