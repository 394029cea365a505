/* SPDX-License-Identifier: ISC */
/*
 * What subcommands about one game share.  The order of things is fixed: find
 * the game, read the own copy, send what is unanswered, fetch what is new,
 * and only then sign anything.
 */
#include "client/play/play.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/finish.h"
#include "client/play/kept.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/copy.h"
#include "client/replica/evidence.h"
#include "client/replica/secret.h"
#include "client/replica/send.h"
#include "client/replica/sync.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

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

/*
 * Ends the waiting of an order whose line has come: another process may have
 * sent it, or its answer was lost.
 */
static int
play_settle(struct play *pl)
{
	const bool had_lock = pl->copy->lock != -1;
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	int64_t seq;
	int r;

	/* Who holds the lock is sending it just now. */
	if (had_lock || !kept_is_there(pl->copy))
		return (0);
	if ((r = copy_lock(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	if (send_load(pl->copy, &sp, &e) == 0) {
		seq = kept_line(pl->copy, sp.root);
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
	copy_unlock(pl->copy);
	return (r == 0 ? 0 : cmd_fail(r, &e));
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

/*
 * True if the server may keep the game, or its last lines, from whoever asks:
 * it is private or shown late, and we do not come as one of its players.
 */
static bool
play_is_hidden(const struct play *pl, const struct conn_error *ce)
{
	const struct game *g = copy_game(pl->copy);

	if (ce->r != ERR_FORK || ce->is_answer || g == NULL ||
	    (pl->link->is_logged_in && play_find_seat(pl) >= 0))
		return (false);
	if (pl->copy->fork.what == COPY_GONE)
		return (game_is_private(g));
	return (pl->copy->fork.what == COPY_BEHIND &&
	    (game_delay_turns(g) > 0 || game_delay_minutes(g) > 0));
}

/* Says so; returns the exit status. */
static int
play_tell_hidden(const struct play *pl)
{
	const bool is_gone = pl->copy->fork.what == COPY_GONE;

	if (play_find_seat(pl) >= 0) {
		out_error("'%s' is shown %s, and the server did not let you "
			  "log in",
		    pl->name,
		    is_gone ? "to its players alone" : "to others late");
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

/*
 * True if the game is not there for us any more, and that is no wonder: a
 * private game that had not begun, where we may have been refused.
 */
static bool
play_is_away(const struct play *pl, const struct conn_error *ce)
{
	const struct game *g = copy_game(pl->copy);

	return (ce->r == ERR_FORK && !ce->is_answer && g != NULL &&
	    pl->copy->fork.what == COPY_GONE && game_is_private(g) &&
	    game_phase(g) == GAME_MUSTER);
}

/* Says so; returns the exit status. */
static int
play_tell_away(const struct play *pl)
{
	char *path;

	path = profile_game_path(pl->p, pl->copy->id, ".jsonl");
	out_error(
	    "the private game '%s' is not there for you any more: whoever "
	    "opened it may\nhave refused you",
	    pl->name);
	out_note("To forget it remove your copy:\n%s", path);
	free(path);
	return (EX_NOPERM);
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
	out_progress_end();
	if (play_is_hidden(pl, ce))
		status = play_tell_hidden(pl);
	else if (play_is_away(pl, ce))
		status = play_tell_away(pl);
	else if (r == ERR_FORK && !ce->is_answer)
		status = evidence_tell(pl->copy);
	else if (r != 0)
		status = link_is_fault(ce) ? PLAY_PASSING : link_fail(ce);
	if (status != 0)
		return (status);
	pl->seat = play_find_seat(pl);
	/* A game that one sits in is kept from the first line on. */
	if (pl->seat >= 0 && !pl->copy->is_kept &&
	    (r = copy_keep(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((status = play_settle(pl)) != 0)
		return (status);
	play_tidy(pl);
	if (copy_game(pl->copy) != NULL &&
	    game_at_ms(play_game(pl)) > clock_wall_ms() + PLAY_CLOCK_MS)
		out_note("Warning: the last line is dated in the future; is "
			 "this machine's clock right?");
	return (0);
}

int
play_sync(struct play *pl)
{
	struct conn_error ce;
	int status;

	status = play_try_sync(pl, &ce);
	if (status == PLAY_PASSING)
		status = link_fail(&ce);
	conn_error_clear(&ce);
	return (status);
}

/* Sends the order that waits. */
static int
play_resend(struct play *pl)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	int r, status;

	if ((r = copy_lock(pl->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	r = send_load(pl->copy, &sp, &e);
	if (r != 0) {
		copy_unlock(pl->copy);
		/* Another process may have been faster. */
		return (r == ERR_NOTFOUND ? 0 : cmd_fail(r, &e));
	}
	out_note("Sending your earlier, unanswered order again ...");
	status = link_login(pl->link);
	if (status == 0)
		status = send_deliver(pl->link, pl->copy, &pl->sent_seq);
	if (status == 0) {
		json_decref(pl->sent);
		pl->sent = xalloc_copy(sp.root);
		out_note(
		    "It is recorded as line %lld.", (long long)pl->sent_seq);
	}
	send_clear(&sp);
	copy_unlock(pl->copy);
	return (status);
}

/* Says that an order waits, which this command leaves alone. */
static void
play_note_kept(const struct play *pl, const char *words)
{
	char *again;

	again = play_command(pl, "send", "");
	out_note("An order of yours waits for its answer, %s.\n"
		 "This command does not send it; `%s` does.",
	    words, again);
	free(again);
}

/* Asks whether the order that waits is to be sent, and sends it. */
static int
play_ask_kept(struct play *pl, enum play_need need, const char *words)
{
	int status;

	out_note("An order of yours waits for its answer, %s.\n"
		 "The server may have recorded it or not, so it cannot be "
		 "withdrawn.\nSent again, it counts once, and no other is "
		 "signed before it.",
	    words);
	if (cmd_can_ask(pl->cx) &&
	    (status = cmd_confirm(pl->cx, "Send it again now?")) != 0) {
		out_note("It is kept.");
		return (status);
	}
	if ((status = play_resend(pl)) != 0 && need == PLAY_ORDER)
		out_note("That was the earlier order; this command was not "
			 "carried out.");
	pl->has_news = status == 0 && cmd_can_ask(pl->cx) && !pl->cx->is_sure &&
	    pl->sent != NULL && !kept_is_talk(pl->sent);
	return (status);
}

/*
 * Deals with an order that waits for its answer.  Whoever gives orders where
 * nobody can be asked, and without --yes, may be about to give the very same:
 * play_meet() sees to that.
 */
static int
play_look_kept(struct play *pl, enum play_need need)
{
	char *words;
	int status = 0;

	if ((words = kept_find(pl->copy)) == NULL)
		return (0);
	if (need == PLAY_READ || need == PLAY_ONLINE)
		play_note_kept(pl, words);
	else if (need == PLAY_SEND || pl->cx->is_sure || cmd_can_ask(pl->cx))
		status = play_ask_kept(pl, need, words);
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

/*
 * Fetches what is new, and deals with an order that waits; without a
 * connection, which failed with `status`, the own copy may do.
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
			return (status);
		play_note_offline(pl);
		pl->seat = play_find_seat(pl);
		return (0);
	}
	if (is_unopened)
		return (play_update_unopened(pl, need));
	if (play_find_seat(pl) >= 0)
		(void)play_log_in(pl->link, pl->p); /* else as a spectator */
	status = play_sync(pl);
	if (status == EX_NOPERM && need == PLAY_READ && pl->copy->n > 0) {
		play_note_offline(pl);
		pl->seat = play_find_seat(pl);
		return (0);
	}
	return (status != 0 ? status : play_look_kept(pl, need));
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
	else if (pl->copy->is_kept)
		out_note("Its copy here is of when another key played it: if "
			 "that was yours, restore\nyour backup of it into\n%s",
		    pl->p->data_dir);
	else
		out_note("`umpire show`, `log`, `watch` and `export` work for "
			 "everybody.");
	return (EX_NOPERM);
}

/* A game on the table, still without keys and copy; new. */
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

/* Says why the own copy cannot be read; returns the exit status. */
static int
play_copy_fail(int r, const struct errinfo *e)
{
	int status;

	status = cmd_fail(r, e);
	if (r == ERR_SERVER)
		out_note("The copy itself may be whole.  `umpire init "
			 "--server-key KEY` pins that key\nagain, "
			 "`umpire verify` checks the copy without any "
			 "server.");
	return (status);
}

int
play_open_copy(struct cmd_ctx *cx, struct profile *p,
    const uint8_t id[HASH_LEN], struct play **out)
{
	struct errinfo e = {.text = ""};
	struct play *pl;
	int r;

	pl = play_new(cx, p, NULL, id);
	if ((r = profile_load_keys(p, &e)) != 0 ||
	    (r = copy_open(p, id, &pl->copy, &e)) != 0) {
		play_close(pl);
		return (play_copy_fail(r, &e));
	}
	pl->seat = play_find_seat(pl);
	*out = pl;
	return (0);
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
	/* Whoever only looks needs no keys. */
	if (r != 0 && (need == PLAY_ORDER || profile_exists(p))) {
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
	/* Who is not the pinned server is no reason to look any further. */
	if (status == EX_NOPERM)
		goto out;
	if ((r = copy_open(p, id, &pl->copy, &e)) != 0) {
		status = play_copy_fail(r, &e);
		goto out;
	}
	if ((status = play_update(pl, need, status)) != 0)
		goto out;
	if (copy_game(pl->copy) == NULL) {
		out_error("there is nothing in the record of this game yet");
		status = EX_NOINPUT;
		goto out;
	}
	if (need != PLAY_ORDER)
		finish_try(pl);
	else if ((status = play_need_seat(pl)) == 0)
		pl->is_closing = true;
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
	if (pl->is_closing)
		finish_try(pl);
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

/*
 * True if args that were sent say the same as these would, the members of
 * texts left out, whose refs differ by their salts.
 */
static bool
play_is_same(enum order_kind kind, const json_t *sent, const json_t *args,
    const struct play_text *texts, size_t n)
{
	json_t *a, *b;
	bool is_same;
	size_t i;

	/* The question's number may have been another one. */
	if (kind == ORDER_DECIDE)
		return (json_equal(json_object_get(sent, "decision"),
		    json_object_get(args, "decision")));
	a = xalloc_copy(sent);
	b = xalloc_copy(args);
	for (i = 0; i < n; i++) {
		/* A member that is not there is as good. */
		(void)json_object_del(a, texts[i].member);
		(void)json_object_del(b, texts[i].member);
	}
	is_same = json_equal(a, b);
	json_decref(a);
	json_decref(b);
	return (is_same);
}

/* True if the texts that were sent are these. */
static bool
play_is_same_texts(const json_t *sent, const struct play_text *texts, size_t n)
{
	size_t i, used = 0;
	const char *s;

	for (i = 0; i < n; i++) {
		if (texts[i].value == NULL)
			continue;
		s = json_string_value(
		    json_object_get(json_array_get(sent, used), "value"));
		if (s == NULL || strcmp(s, texts[i].value) != 0)
			return (false);
		used++;
	}
	return (used == json_array_size(sent));
}

/* True if a pending file's object says the same as this order would. */
static bool
play_says(const json_t *root, enum order_kind kind, const json_t *args,
    const struct play_text *texts, size_t n)
{
	const json_t *params = json_object_get(root, "params");
	struct errinfo e;
	const char *s;
	struct order o;
	bool is_same;

	s = json_string_value(json_object_get(params, "order"));
	if (s == NULL || order_parse(s, strlen(s), &o, &e) != 0)
		return (false);
	is_same = o.kind == kind;
	if (is_same && args != NULL)
		is_same = play_is_same(kind, o.args, args, texts, n) &&
		    play_is_same_texts(
			json_object_get(params, "texts"), texts, n);
	order_clear(&o);
	return (is_same);
}

bool
play_is_sent_with(const struct play *pl, enum order_kind kind,
    const json_t *args, const struct play_text *texts, size_t n)
{
	return (pl->sent != NULL && play_says(pl->sent, kind, args, texts, n));
}

bool
play_is_sent(const struct play *pl, enum order_kind kind, const json_t *args,
    const char *text)
{
	const struct play_text one = {"ref", text};

	return (play_is_sent_with(pl, kind, args, &one, text == NULL ? 0 : 1));
}

/*
 * Looks for an order that still waits: true if there is one, and *status says
 * what came of it.  It is sent if it says the same as this one would.
 */
static bool
play_meet(struct play *pl, enum order_kind kind, const json_t *args,
    const struct play_text *texts, size_t n, int64_t *seq, int *status)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	char *again, *words;
	bool is_same;
	int r;

	/* Whoever agreed to send it has not yet seen what came of it. */
	if (pl->has_news) {
		out_error("this command was not carried out: see first what "
			  "came of the earlier order");
		out_note("Give it again if you still want it.");
		*status = EX_TEMPFAIL;
		return (true);
	}
	if (!kept_is_there(pl->copy))
		return (false);
	if ((r = send_load(pl->copy, &sp, &e)) != 0) {
		*status = cmd_fail(r, &e);
		return (r != ERR_NOTFOUND);
	}
	is_same = play_says(sp.root, kind, args, texts, n);
	words = kept_words(sp.root);
	send_clear(&sp);
	if (is_same) {
		*status = play_resend(pl);
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
	free(words);
	return (true);
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

	if ((status = link_login(pl->link)) != 0) {
		json_decref(args);
		return (status);
	}
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
play_order_with(struct play *pl, enum order_kind kind, json_t *args,
    const struct play_text *texts, size_t n, const json_t *open, int64_t *seq)
{
	json_t *list = NULL;
	uint8_t ref[HASH_LEN];
	size_t i;
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
	for (i = 0; i < n; i++) {
		if (texts[i].value == NULL)
			continue;
		if (list == NULL)
			list = xalloc_json(json_array());
		xalloc_append(list, play_text(texts[i].value, ref));
		xalloc_set(args, texts[i].member, js_hex(ref, HASH_LEN));
	}
	status = play_sign(pl, kind, args, list, open, seq);
	json_decref(list);
	return (status);
}

int
play_order(struct play *pl, enum order_kind kind, json_t *args,
    const char *text, int64_t *seq)
{
	const struct play_text one = {"ref", text};

	return (play_order_with(
	    pl, kind, args, &one, text == NULL ? 0 : 1, NULL, seq));
}

int
play_order_open(struct play *pl, enum order_kind kind, json_t *args,
    const json_t *open, int64_t *seq)
{
	int status;

	if (play_meet(pl, kind, args, NULL, 0, seq, &status)) {
		json_decref(args);
		return (status);
	}
	return (play_sign(pl, kind, args, NULL, open, seq));
}

bool
play_is_opener(const struct play *pl)
{
	json_t *args = copy_create_args(pl->copy);
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
