/* SPDX-License-Identifier: ISC */
/*
 * Orders of our seat: each is written to disk, signed and sent, and sent again
 * with the same bytes until it has a final answer.
 */
#include "client/play/play.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/play/pending.h"
#include "client/profile/dice_keys.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "client/replica/sync.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/record.h"

/* Pauses while a witness is to answer: two and a half seconds in all. */
#define PLAY_HEAR_FIRST_MS 20
#define PLAY_HEAR_LAST_MS 1280

int
play_resend(struct play *pl, const json_t *root)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	bool is_it = false;
	int r, status = 0;

	if ((r = replica_lock(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((r = send_load(pl->copy, &sp, &e)) == 0) {
		is_it = json_equal(sp.root, root);
		send_clear(&sp);
	} else if (r != ERR_NOTFOUND) {
		status = cmd_fail(r, &e);
	}
	if (is_it) {
		out_note("Sending your earlier, unanswered order again ...");
		if ((status = link_login(pl->link)) == 0)
			status =
			    send_deliver(pl->link, pl->copy, &pl->sent_seq);
		if (status == 0)
			out_note("It is recorded as line %lld.",
			    (long long)pl->sent_seq);
	} else if (status == 0 &&
	    (pl->sent_seq = pending_line(pl->copy, root)) < 0) {
		out_error("another umpire has sent that order in the meantime, "
			  "and it has no line");
		out_note("See how the game stands first.");
		status = EX_TEMPFAIL;
	} else if (status == 0) {
		out_note("Another umpire has sent it in the meantime; it is "
			 "recorded as line %lld.",
		    (long long)pl->sent_seq);
	}
	if (status == 0) {
		json_decref(pl->sent);
		pl->sent = xalloc_copy(root);
		/* Our own line moves nothing on, if it is the next. */
		if (pl->sent_seq == pl->rests_on + 1)
			pl->rests_on = pl->sent_seq;
	}
	replica_unlock(pl->copy);
	return (status);
}

/* True if args that were sent say the same as these would. */
static bool
play_is_same(enum order_kind kind, const json_t *sent, const json_t *args,
    const struct outbox_text *texts, size_t n)
{
	/* The question's number may have been another one. */
	if (kind == ORDER_DECIDE)
		return (json_equal(json_object_get(sent, "decision"),
		    json_object_get(args, "decision")));
	return (outbox_is_same(sent, args, texts, n));
}

/* True if a pending file's object says the same as this order would. */
static bool
play_says(const json_t *root, enum order_kind kind, const json_t *args,
    const struct outbox_text *texts, size_t n)
{
	const json_t *sent =
	    json_object_get(json_object_get(root, "params"), "texts");
	struct order o;
	bool is_same;

	if (!pending_read(root, &o))
		return (false);
	is_same = o.kind == kind;
	if (is_same && args != NULL)
		is_same = play_is_same(kind, o.args, args, texts, n) &&
		    outbox_has_texts(sent, texts, n);
	order_clear(&o);
	return (is_same);
}

bool
play_is_sent_with(const struct play *pl, enum order_kind kind,
    const json_t *args, const struct outbox_text *texts, size_t n)
{
	return (pl->sent != NULL && play_says(pl->sent, kind, args, texts, n));
}

bool
play_is_sent(const struct play *pl, enum order_kind kind, const json_t *args,
    const char *text)
{
	const struct outbox_text one = {"ref", text};

	return (play_is_sent_with(pl, kind, args, &one, text == NULL ? 0 : 1));
}

/*
 * Looks for an order that still waits: true if there is one, and *status says
 * what came of it.  It is sent if it says the same as this one would.
 */
static bool
play_meet(struct play *pl, enum order_kind kind, const json_t *args,
    const struct outbox_text *texts, size_t n, int64_t *seq, int *status)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	char *again, *words;
	bool is_same;
	int r;

	/* The player who agreed to send it has not seen yet what came of it. */
	if (pl->has_news) {
		out_error("this command was not carried out: first see what "
			  "came of the earlier order");
		out_note("Type it again if you still want it.");
		*status = EX_TEMPFAIL;
		return (true);
	}
	if (!pending_is_there(pl->copy))
		return (false);
	if ((r = send_load(pl->copy, &sp, &e)) != 0) {
		*status = cmd_fail(r, &e);
		return (r != ERR_NOTFOUND);
	}
	is_same = play_says(sp.root, kind, args, texts, n);
	words = pending_words(pl->copy, sp.root);
	if (is_same) {
		*status = play_resend(pl, sp.root);
		*seq = pl->sent_seq;
	} else {
		again = play_command(pl, "send", "");
		out_error("an order of yours waits for its answer, %s", words);
		out_note("No other is signed before it: this command was not "
			 "carried out.  `%s`\nsends it again; with --yes this "
			 "command does, before its own.",
		    again);
		free(again);
		*status = EX_TEMPFAIL;
	}
	send_clear(&sp);
	free(words);
	return (true);
}

/* True if an order of that kind is meant for the game as it stood. */
static bool
play_rests(enum order_kind kind)
{
	switch (kind) {
	case ORDER_COMMIT: /* stands beside what the other side commits */
		return (false);
	case ORDER_RESIGN:
	case ORDER_CLOSE:
	case ORDER_CLAIM:
	case ORDER_PAUSE:
		return (true);
	default:
		return (order_class_of(kind) == ORDER_CLASS_TURN);
	}
}

/*
 * Refuses what the server refuses of an order that rests on an older line: the
 * game may have moved on while a player was asked, and `umpire play` or
 * another process may have added the new lines to the copy.
 */
static int
play_check_moved(const struct play *pl, enum order_kind kind)
{
	char *show;

	if (!play_rests(kind) || game_state_seq(play_game(pl)) <= pl->rests_on)
		return (0);
	out_error("the game has moved on since line %lld; nothing was sent",
	    (long long)pl->rests_on);
	/* `umpire play` tells the lines itself. */
	if (pl->owner == NULL) {
		show = play_command(pl, "show", "");
		out_note("`%s` says how it stands now.  Type the command again "
			 "if you still\nwant it.",
		    show);
		free(show);
	}
	return (EX_DATAERR);
}

int
play_lock(struct play *pl)
{
	struct errinfo e = {.text = ""};
	int r;

	if ((r = replica_keep(pl->copy, &e)) != 0 ||
	    (r = replica_lock(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	return (0);
}

/* True if a dice key of ours waits for the end of the turn. */
static bool
play_has_next(const struct play *pl)
{
	const uint8_t *next = game_next_dice_key(play_game(pl), pl->seat);
	struct errinfo e = {.text = ""};
	struct vrf_key k;

	if (next == NULL || dice_keys_find(pl->p, next, &k, &e) != 0)
		return (false);
	vrf_key_clear(&k);
	return (true);
}

/* Says why dice cannot be thrown, and what to do; the exit status. */
static int
play_no_dice(const struct play *pl)
{
	out_error("your dice in this game fall by a dice key that profile '%s' "
		  "does not have; nothing was sent",
	    pl->p->name);
	if (play_has_next(pl))
		out_note("Yours counts when the turn has ended, and ending "
			 "yours takes that key.  Was it a\nthief's, a new "
			 "account of yours can get the seat by the operator's "
			 "word and the\nother players':  umpire keys card");
	else if (pl->p->has_recovery)
		out_note("By your words it comes here, or your seat gets "
			 "another:\n  umpire keys new-dice-key");
	else
		out_note("Copy the dice.key files of the device that has it "
			 "to\n%s",
		    pl->p->data_dir);
	return (EX_CONFIG);
}

/* Writes and signs an order by the dice key that counts for the seat now. */
static int
play_make(struct play *pl, enum order_kind kind, const json_t *args,
    struct buf *b, uint8_t sig[SIGN_LEN])
{
	const struct game *g = play_game(pl);
	struct errinfo e = {.text = ""};
	struct game_keys keys = {.sign = pl->p->keys.sign};
	int r;

	/* Without it orders on which no dice hang are made as well. */
	r = dice_keys_find(pl->p, game_dice_key(g, pl->seat), &keys.dice, &e);
	if (r == 0 || r == ERR_NOTFOUND)
		r = game_make_order(g, pl->seat, &keys, kind, args,
		    clock_wall_ms(), b, sig, &e);
	explicit_bzero(&keys, sizeof(keys));
	if (r == ERR_MISSING)
		return (play_no_dice(pl));
	return (r == 0 ? 0 : cmd_fail(r, &e));
}

/*
 * Takes in what a witness answers at once, so that dice are shown with the
 * order that they are for; show says so if it takes longer.
 */
static void
play_hear(struct play *pl)
{
	struct conn_error ce;
	int r = 0, wait_ms;

	for (wait_ms = PLAY_HEAR_FIRST_MS;
	     r == 0 && game_silent_seq(play_game(pl)) >= 0 &&
	     wait_ms <= PLAY_HEAR_LAST_MS;
	     wait_ms *= 2) {
		out_progress("waiting for the witness");
		(void)poll(NULL, 0, wait_ms);
		r = sync_copy(pl->link, pl->copy, &ce);
		/* Whoever needs the server next meets that, too. */
		conn_error_clear(&ce);
	}
	out_progress_end();
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

	if ((status = link_login(pl->link)) != 0 ||
	    (status = link_check_clock(pl->link)) != 0) {
		json_decref(args);
		return (status);
	}
	buf_init(&b, 0);
	/* From here to the answer no other process signs for this game. */
	if ((status = play_lock(pl)) != 0 ||
	    (status = play_check_moved(pl, kind)) != 0) {
		; /* it has said so */
	} else if ((status = play_make(pl, kind, args, &b, sig)) != 0) {
		; /* likewise */
	} else {
		params = xalloc_json(json_pack("{s:s, s:o, s:o}", "order",
		    buf_str(&b), "sig", js_hex(sig, SIGN_LEN), "key",
		    js_hex(pl->p->keys.sign.public_key, SIGN_KEY_LEN)));
		if (texts != NULL)
			xalloc_set(params, "texts", xalloc_copy(texts));
		if (open != NULL)
			xalloc_set(params, "open", xalloc_copy(open));
		r = send_store(pl->copy,
		    kind == ORDER_JOIN ? "game.join" : "game.order", params,
		    &e);
		if (r != 0) {
			(void)cmd_fail(r, &e);
			status = r == ERR_EXISTS ? EX_TEMPFAIL : EX_IOERR;
		} else {
			status = send_deliver(pl->link, pl->copy, seq);
		}
		if (status == 0) {
			play_tidy(pl);
			play_hear(pl);
			pl->rests_on = pl->copy->n - 1;
		}
	}
	replica_unlock(pl->copy);
	buf_clear(&b);
	json_decref(args);
	return (status);
}

int
play_order_with(struct play *pl, enum order_kind kind, json_t *args,
    const struct outbox_text *texts, size_t n, const json_t *open, int64_t *seq)
{
	json_t *list;
	int status;

	if (play_is_sent_with(pl, kind, args, texts, n)) {
		*seq = pl->sent_seq;
		json_decref(args);
		return (0);
	}
	if (play_meet(pl, kind, args, texts, n, seq, &status)) {
		json_decref(args);
		return (status);
	}
	list = outbox_texts(args, texts, n);
	status = play_sign(pl, kind, args, list, open, seq);
	json_decref(list);
	return (status);
}

int
play_order(struct play *pl, enum order_kind kind, json_t *args,
    const char *text, int64_t *seq)
{
	const struct outbox_text one = {"ref", text};

	return (play_order_with(
	    pl, kind, args, &one, text == NULL ? 0 : 1, NULL, seq));
}

int
play_join(struct play *pl, int seat, const uint8_t dice_key[VRF_KEY_LEN])
{
	const struct outbox_text name = {"name", pl->p->display};
	json_t *args;
	int64_t seq;
	int status;

	args =
	    xalloc_json(json_pack("{s:i, s:o, s:o, s:s}", "seat", seat, "key",
		js_hex(pl->p->keys.sign.public_key, SIGN_KEY_LEN), "dice_key",
		js_hex(dice_key, VRF_KEY_LEN), "account", pl->p->account));
	if ((status = account_args(pl->link, args)) != 0) {
		json_decref(args);
		return (status);
	}
	pl->seat = seat;
	status = play_order_with(pl, ORDER_JOIN, args, &name, 1, NULL, &seq);
	if (status != 0)
		pl->seat = -1;
	return (status);
}
