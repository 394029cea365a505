/* SPDX-License-Identifier: ISC */
/*
 * The loop: what has come is taken for some milliseconds; if that has led to
 * words, they and the lines before them are committed, which is one fsync for
 * all of them, and then sent.  Lines alone are committed within a second: what
 * a crash loses of them the server gives again.
 */
#include "client/witness/witness.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/ui/cmd.h"
#include "client/witness/witness_int.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/checker.h"
#include "common/game/game_make.h"
#include "common/json/js.h"

#define WITNESS_WORK_US 8000 /* of taking what has come, before a commit */
#define WITNESS_DIRTY_MS 1000 /* for which lines may wait for one */
#define WITNESS_FIRST_MS 250 /* before the first new connection */
#define WITNESS_LAST_MS 60000 /* each pause is twice as long, up to this */
#define WITNESS_ASKING 64 /* requests that leave room for words */

static volatile sig_atomic_t witness_is_over;

/* Ends the loop. */
static void
witness_stop_cb(int number)
{
	(void)number;
	witness_is_over = 1;
}

/* The signals that end it, which are blocked but where it waits. */
static void
witness_signals_set(sigset_t *set)
{
	(void)sigemptyset(set);
	(void)sigaddset(set, SIGINT);
	(void)sigaddset(set, SIGTERM);
}

/*
 * Takes a signal that waits: as long as something always comes no wait lets
 * it through.
 */
static void
witness_look_over(void)
{
	const struct timespec at_once = {.tv_sec = 0};
	sigset_t set;

	witness_signals_set(&set);
	if (sigtimedwait(&set, NULL, &at_once) != -1)
		witness_is_over = 1;
}

int
witness_broken(struct witness *w)
{
	w->is_broken = true;
	return (
	    err_set(&w->e, ERR_IO, NULL, "%s", witness_store_why(w->store)));
}

void
witness_clock(struct witness *w)
{
	const int64_t passed_ms = clock_mono_ms() - w->begun_mono_ms;

	w->speaker.now_ms = clock_wall_ms();
	w->speaker.passed_ms = w->begun_wall_ms + passed_ms;
	if (w->speaker.now_ms < w->speaker.passed_ms)
		w->speaker.passed_ms = w->speaker.now_ms;
}

const struct witness_kind *
witness_kind(bool is_cup)
{
	static const struct witness_kind kinds[] = {
	    {"game", "game", "games", "game.watch", "game.unwatch",
		"game.record", "game.heads", "game.heal"},
	    {"tournament", "tournament", "tournaments", "tournament.watch",
		"tournament.unwatch", "tournament.record", "tournament.heads",
		"tournament.heal"},
	};

	return (&kinds[is_cup ? 1 : 0]);
}

int
witness_watch(struct witness *w, const struct witness_row *row)
{
	const struct witness_kind *k = witness_kind(row->is_cup);
	const struct witness_asked a = {
	    .what = WITNESS_ASK_WATCH, .gid = row->gid};

	if (witness_wire_waits(&w->wire, WITNESS_ASK_WATCH, row->gid) ||
	    witness_heal_is_behind(w, row->gid))
		return (0); /* it is asked for when it has its lines back */
	if (!witness_wire_has_room(&w->wire, 1)) {
		if (witness_store_set_due(w->store, row->gid,
			w->speaker.now_ms + WITNESS_RETRY_MS) != 0)
			return (witness_broken(w));
		return (0);
	}
	return (witness_wire_ask(&w->wire, k->watch,
	    xalloc_json(json_pack("{s:o, s:I}", k->member,
		js_hex(row->id, HASH_LEN), "after", (json_int_t)row->n - 1)),
	    &a, &w->e));
}

int
witness_meet(struct witness *w, bool is_cup, const uint8_t id[HASH_LEN])
{
	struct witness_row row;
	int r;

	r = witness_store_find(w->store, id, &row);
	if (r == 0)
		return (0); /* it is followed, or was left for good */
	if (r != ERR_NOTFOUND ||
	    witness_store_add(w->store, is_cup, id, &row) != 0)
		return (witness_broken(w));
	witness_log(w, "met", &row, -1, "a %s names this witness",
	    witness_kind(is_cup)->noun);
	if (is_cup || witness_wire_has_room(&w->wire, WITNESS_ASKING))
		return (witness_watch(w, &row));
	/* It comes in its turn, among those that are not watched yet. */
	if (!w->is_asking) {
		w->asked_cup = false;
		w->asked_gid = row.gid - 1;
	}
	w->is_asking = true;
	return (0);
}

int
witness_leave(struct witness *w, struct witness_row *row,
    enum witness_state state, const char *why)
{
	static const char *const events[] = {
	    "followed", "finished", "left", "stopped"};
	const struct witness_kind *k = witness_kind(row->is_cup);
	const struct witness_asked a = {.what = WITNESS_ASK_NOTHING};

	witness_log(w, events[state], row, row->n - 1, "%s", why);
	if (witness_store_set_state(w->store, row, state, why) != 0)
		return (witness_broken(w));
	/* Last, since the reason may be its verifier's. */
	witness_games_drop(&w->games, row->gid);
	witness_cups_drop(&w->cups, row->gid);
	if (state == WITNESS_STOPPED)
		w->has_stopped = true;
	if (!witness_wire_has_room(&w->wire, 1))
		return (0); /* its lines are passed over */
	return (witness_wire_ask(&w->wire, k->unwatch,
	    xalloc_json(
		json_pack("{s:o}", k->member, js_hex(row->id, HASH_LEN))),
	    &a, &w->e));
}

/* Writes the proof of what the server has signed, and says where it is. */
static int
witness_accuse_proof(struct witness *w, const struct witness_row *row,
    int64_t seq, const char *line, size_t len)
{
	struct errinfo e = {.text = ""};
	char *path = NULL;
	int r;

	r = witness_proof(w, row, seq, line, len, &path, &e);
	if (r == 0)
		out_note("The server signed both: `umpire verify` of this "
			 "file proves it, to anybody:\n  %s",
		    path);
	else if (!w->is_broken && r != ERR_NOMEM)
		out_error("no proof of that could be written: %s", e.text);
	free(path);
	return (w->is_broken || r == ERR_NOMEM ? r : 0);
}

int
witness_accuse(struct witness *w, struct witness_row *row, int64_t seq,
    const char *line, size_t len, const char *why)
{
	char hex[2 * HASH_LEN + 1];
	int r;

	if (witness_store_add_other(
		w->store, row->gid, seq, line, len, clock_wall_ms(), why) != 0)
		return (witness_broken(w));
	hex_format(hex, row->id, HASH_LEN);
	out_error("the server shows another line %lld of %s %.12s than is "
		  "held: %s",
	    (long long)seq, witness_kind(row->is_cup)->noun, hex, why);
	out_note("Both are kept, and nothing is %s there until a person "
		 "decides.\n`umpire witness status` tells of it; `umpire "
		 "witness follow %.12s`\ngoes on with the server's lines.",
	    row->is_cup ? "done" : "answered", hex);
	if ((r = witness_accuse_proof(w, row, seq, line, len)) != 0)
		return (r);
	return (witness_leave(w, row, WITNESS_STOPPED, why));
}

/* Sends those words that are committed, as there is room. */
static int
witness_send(struct witness *w)
{
	struct witness_asked a = {.what = WITNESS_ASK_WORD};
	struct witness_sending *s;
	struct witness_row row;
	size_t i;
	int r = 0;

	if (!w->has_told || w->n_words == 0)
		return (0);
	for (i = 0;
	     i < w->n_words && r == 0 && witness_wire_has_room(&w->wire, 1);
	     i++) {
		s = &w->words[i];
		a.gid = row.gid = s->gid;
		memcpy(row.id, s->id, HASH_LEN);
		memcpy(a.hash, s->w.oid, HASH_LEN);
		if (!witness_wire_waits(&w->wire, WITNESS_ASK_WORD, s->gid)) {
			r = witness_wire_ask(&w->wire,
			    strcmp(s->w.what, "join") == 0 ? "game.join"
							   : "game.order",
			    xalloc_json(json_pack("{s:s, s:o, s:o}", "order",
				buf_str(&s->w.text), "sig",
				js_hex(s->w.sig, SIGN_LEN), "key",
				js_hex(
				    w->p->keys.sign.public_key, SIGN_KEY_LEN))),
			    &a, &w->e);
			if (r == 0)
				witness_log(w,
				    s->w.sent_ms == 0 ? s->w.what : "again",
				    &row, s->w.about, "%s", "");
			if (r == 0 && s->w.sent_ms == 0 &&
			    witness_store_sent(
				w->store, s->gid, &s->w, clock_wall_ms()) != 0)
				r = witness_broken(w);
		}
		witness_word_clear(&s->w);
	}
	w->n_words -= i;
	memmove(w->words, w->words + i, w->n_words * sizeof(*w->words));
	return (r);
}

/* Forgets what was to be sent on a connection that is lost. */
static void
witness_forget(struct witness *w)
{
	size_t i;

	for (i = 0; i < w->n_words; i++)
		witness_word_clear(&w->words[i].w);
	w->n_words = w->n_behind = w->n_due = 0;
	w->heal_next = -1;
	json_decref(w->heal_blobs);
	w->heal_blobs = NULL;
	buf_clear(&w->odd);
	w->odd_gid = 0;
}

/* Asks for games that are not watched yet, a few at a time. */
static int
witness_ask_games(struct witness *w)
{
	struct witness_row row;
	int r;

	while (w->is_asking && w->has_told && w->n_words == 0 &&
	    witness_wire_has_room(&w->wire, WITNESS_ASKING)) {
		r = witness_store_next(w->store, w->asked_cup, w->asked_gid,
		    WITNESS_FOLLOWED, &row);
		if (r == ERR_NOTFOUND) {
			w->is_asking = w->asked_cup;
			w->asked_cup = false;
			w->asked_gid = 0;
			continue;
		}
		if (r != 0)
			return (witness_broken(w));
		w->asked_gid = row.gid;
		if ((r = witness_watch(w, &row)) != 0)
			return (r);
	}
	return (0);
}

/* Looks at games whose time has come. */
static int
witness_look(struct witness *w)
{
	struct witness_row row;
	int64_t due_ms, gid;
	int r;

	while ((r = witness_store_due(w->store, &gid, &due_ms)) == 0 &&
	    due_ms <= w->speaker.now_ms && w->n_due < WITNESS_WIRE_MOST) {
		if (witness_store_set_due(w->store, gid, INT64_MAX) != 0 ||
		    witness_store_get(w->store, gid, &row) != 0)
			return (witness_broken(w));
		if (row.state != WITNESS_FOLLOWED)
			continue;
		if (row.told >= 0 && !row.is_cup)
			witness_act(w, &row);
		else if ((r = witness_watch(w, &row)) != 0)
			return (r);
	}
	return (r == 0 || r == ERR_NOTFOUND ? 0 : witness_broken(w));
}

/* Takes what has come, for a while; *is_more: there may be more. */
static int
witness_take(struct witness *w, bool *is_more)
{
	const int64_t end_us = clock_thread_us() + WITNESS_WORK_US;
	struct witness_asked a;
	struct rpc_reply rp;
	int r;

	witness_clock(w);
	do {
		r = witness_wire_next(&w->wire, &rp, &a, &w->e);
		if (r == ERR_TIMEOUT) {
			*is_more = false;
			return (0);
		}
		if (r != 0)
			return (r);
		r = witness_hear(w, &rp, &a);
		rpc_reply_clear(&rp);
	} while (r == 0 && clock_thread_us() < end_us);
	*is_more = true;
	return (r);
}

/* Commits what must be on the disk before words leave, or has waited. */
static int
witness_commit(struct witness *w, bool is_idle)
{
	const int64_t now_ms = clock_mono_ms();

	if (!witness_store_is_dirty(w->store))
		w->dirty_ms = now_ms;
	if (w->n_words == 0 && now_ms - w->dirty_ms < WITNESS_DIRTY_MS)
		return (0);
	w->dirty_ms = now_ms;
	if (witness_store_commit(w->store) != 0 ||
	    (is_idle && w->n_words == 0 && witness_store_tidy(w->store) != 0))
		return (witness_broken(w));
	return (0);
}

/* Waits for the server, for time, or for a signal. */
static void
witness_wait(struct witness *w, int64_t until_ms)
{
	struct pollfd pfd = {.fd = -1, .events = POLLIN};
	int64_t due_ms, gid, left = until_ms - clock_mono_ms();
	struct timespec ts;
	sigset_t none;

	if (w->wire.conn != NULL) {
		pfd.fd = conn_fd(w->wire.conn);
		if (conn_has_line(w->wire.conn))
			return;
		if (witness_store_due(w->store, &gid, &due_ms) == 0 &&
		    due_ms - clock_wall_ms() < left)
			left = due_ms - clock_wall_ms();
	}
	if (witness_store_is_dirty(w->store) && left > WITNESS_DIRTY_MS)
		left = WITNESS_DIRTY_MS;
	if (left < 0)
		left = 0;
	ts.tv_sec = (time_t)(left / 1000);
	ts.tv_nsec = (long)(left % 1000) * 1000000;
	(void)sigemptyset(&none);
	(void)ppoll(&pfd, 1, &ts, &none); /* whatever comes is looked for */
}

/* One round on a connection. */
static int
witness_round(struct witness *w)
{
	bool is_more;
	int r;

	witness_look_over();
	if ((r = witness_take(w, &is_more)) != 0 ||
	    (r = witness_look(w)) != 0 || (r = witness_act_all(w)) != 0 ||
	    (r = witness_commit(w, !is_more)) != 0 ||
	    (r = witness_heads(w)) != 0 || (r = witness_send(w)) != 0 ||
	    (r = witness_heal(w)) != 0 || (r = witness_ask_games(w)) != 0 ||
	    (r = witness_cup(w)) != 0 ||
	    (r = witness_wire_check(&w->wire, &w->e)) != 0)
		return (r);
	if (!is_more && !w->is_asking)
		witness_wait(w, witness_wire_check_ms(&w->wire));
	else if (!is_more)
		witness_wait(w, clock_mono_ms() + 1000);
	return (0);
}

/* Says what the server's settings lack. */
static void
witness_check_settings(struct witness *w)
{
	const json_t *list = json_object_get(w->l->hello, "witnesses"), *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (js_str(v, "account") != NULL &&
		    strcmp(js_str(v, "account"), w->p->account) == 0)
			return;
	}
	witness_log(w, "warning", NULL, -1,
	    "the server does not name this witness, so that it is offered to "
	    "nobody and held to everybody's limits: its operator sets "
	    "witnesses = %s",
	    w->p->account);
}

/* Asks on a new connection for all that there is. */
static int
witness_begin(struct witness *w)
{
	const struct witness_asked a = {.what = WITNESS_ASK_LOBBY};
	int r;

	witness_clock(w);
	witness_wire_begin(&w->wire, w->l->conn, w->l->wait_ms);
	w->is_asking = w->asked_cup = true;
	w->asked_gid = 0;
	w->has_told = false;
	/* After what did not hold all is checked at once, to find it. */
	w->games.checker = w->is_careful ? NULL : w->checker;
	w->is_careful = false;
	witness_heads_begin(w);
	witness_cup_begin(w);
	r = witness_wire_ask(&w->wire, "lobby.watch",
	    xalloc_json(json_pack("{s:b}", "mine", true)), &a, &w->e);
	if (r == 0)
		r = witness_list(w, 0, NULL);
	return (r);
}

/* The first connection; an exit status. */
static int
witness_connect(struct witness *w)
{
	json_t *join;
	int status;

	w->cx->offline = 0;
	if (w->l == NULL && (status = link_open(w->cx, w->p, &w->l)) != 0)
		return (status);
	if ((status = link_login(w->l)) != 0)
		return (status);
	join = xalloc_json(json_object());
	if ((status = account_args(w->l, join)) != 0) {
		json_decref(join);
		return (status);
	}
	if (json_object_get(join, "keys") != NULL) {
		out_error("account '%s' has several keys; a witness has one, "
			  "which never changes",
		    w->p->account);
		json_decref(join);
		return (EX_CONFIG);
	}
	json_decref(w->join);
	w->join = join;
	w->speaker.join = join;
	return (0);
}

/* True if a connection that failed so may work later. */
static bool
witness_may_try(int status)
{
	return (status == EX_UNAVAILABLE || status == EX_TEMPFAIL ||
	    status == EX_NOHOST);
}

/* Comes back, or for the first time; an exit status if there is no use. */
static int
witness_reach(struct witness *w)
{
	int64_t pause_ms = WITNESS_FIRST_MS;
	struct errinfo e = {.text = ""};
	int r, status;

	while (witness_is_over == 0) {
		if (w->join == NULL) {
			status = witness_connect(w);
			if (status == 0)
				return (0);
			if (!witness_may_try(status))
				return (status);
			link_close(w->l);
			w->l = NULL;
		} else {
			r = link_again(w->l, &e);
			if (r == 0)
				return (0);
			if (r == ERR_SERVER || r == ERR_DENIED) {
				out_error("%s", e.text);
				return (EX_NOPERM);
			}
			witness_log(w, "waits", NULL, -1, "%s", e.text);
		}
		witness_wait(w, clock_mono_ms() + pause_ms);
		if ((pause_ms *= 2) > WITNESS_LAST_MS)
			pause_ms = WITNESS_LAST_MS;
	}
	return (0);
}

/* Runs until it is told to end; an exit status. */
static int
witness_loop(struct witness *w)
{
	int64_t at_ms, heard, pause_ms = WITNESS_FIRST_MS;
	int r, status;

	for (;;) {
		if ((status = witness_reach(w)) != 0 || witness_is_over != 0)
			return (status);
		witness_log(w, "connected", NULL, -1, "%s", w->p->server);
		witness_check_settings(w);
		at_ms = clock_mono_ms();
		heard = w->heard;
		r = witness_begin(w);
		while (r == 0 && witness_is_over == 0)
			r = witness_round(w);
		w->wire.conn = NULL;
		witness_forget(w);
		if (w->is_broken) {
			out_error(
			    "what is kept cannot be kept on: %s", w->e.text);
			return (EX_IOERR);
		}
		if (witness_is_over != 0)
			return (0);
		conn_close(w->l->conn);
		w->l->conn = NULL;
		witness_log(w, "lost", NULL, -1, "%s", w->e.text);
		/* A connection that was of use lets the pauses begin again. */
		if (w->heard > heard ||
		    clock_mono_ms() - at_ms > WITNESS_LAST_MS)
			pause_ms = WITNESS_FIRST_MS;
		witness_wait(w, clock_mono_ms() + pause_ms);
		if ((pause_ms *= 2) > WITNESS_LAST_MS)
			pause_ms = WITNESS_LAST_MS;
	}
}

/* Opens the store, as the only one; prints what fails, an exit status. */
static int
witness_open(
    struct witness *w, struct cmd_ctx *cx, struct profile *p, int *lock)
{
	char *path, *locked;
	int r;

	memset(w, 0, sizeof(*w));
	w->cx = cx;
	w->p = p;
	w->heal_next = -1;
	buf_init(&w->odd, 0);
	*lock = -1;
	if (!p->has_pin || p->account == NULL) {
		out_error(
		    "profile '%s' has no account at a server yet", p->name);
		out_note("`umpire init --server HOST` and `umpire register "
			 "NAME` make one.");
		return (EX_CONFIG);
	}
	path = profile_path(p, "witness.db");
	locked = profile_path(p, "witness.lock");
	if ((r = file_lock_now(locked, lock, &w->e)) != 0) {
		if (r == ERR_BUSY)
			(void)err_set(&w->e, r, NULL,
			    "another witness runs with profile '%s'", p->name);
	} else {
		r = witness_store_open(
		    path, p->pin, p->keys.sign.public_key, &w->store, &w->e);
	}
	free(locked);
	free(path);
	if (r != 0)
		return (cmd_fail(r, &w->e));
	w->games.store = w->cups.store = w->store;
	w->games.server = w->cups.server = p->pin;
	w->speaker.store = w->store;
	w->speaker.p = p;
	w->begun_wall_ms = clock_wall_ms();
	w->begun_mono_ms = clock_mono_ms();
	w->dirty_ms = w->begun_mono_ms;
	witness_clock(w);
	return (0);
}

/* Frees all. */
static void
witness_close(struct witness *w, int lock)
{
	if (checker_end(w->checker) != 0)
		out_error("what was not kept does not hold");
	witness_forget(w);
	free(w->words);
	free(w->due);
	witness_doubt_clear(w);
	free(w->behind);
	free(w->healed);
	witness_games_clear(&w->games);
	witness_cups_clear(&w->cups);
	witness_store_close(w->store);
	json_decref(w->join);
	link_close(w->l);
	if (lock != -1)
		(void)close(lock); /* it holds no bytes */
}

/* Takes the signals that end it, while it waits alone. */
static void
witness_signals(void)
{
	struct sigaction act;
	sigset_t set;

	memset(&act, 0, sizeof(act));
	act.sa_handler = witness_stop_cb;
	(void)sigemptyset(&act.sa_mask);
	(void)sigaction(SIGINT, &act, NULL);
	(void)sigaction(SIGTERM, &act, NULL);
	witness_signals_set(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	conn_heed(&witness_is_over);
}

int
witness_run(
    struct cmd_ctx *cx, struct profile *p, const struct witness_desk *desk)
{
	char key[2 * SIGN_KEY_LEN + 1];
	struct witness w;
	int64_t n;
	int lock, status;

	if ((status = witness_open(&w, cx, p, &lock)) == 0) {
		witness_signals();
		/* Its threads inherit that signals are blocked. */
		if (checker_new(&w.checker) != 0)
			w.checker = NULL; /* it does without */
		w.desk = desk;
		hex_format(key, p->keys.sign.public_key, SIGN_KEY_LEN);
		if (witness_store_count(w.store, false, WITNESS_FOLLOWED, &n) !=
		    0)
			n = 0; /* the loop finds out what is wrong */
		witness_log(&w, "started", NULL, -1,
		    "account %s, key %s, %lld game%s", p->account, key,
		    (long long)n, n == 1 ? "" : "s");
		status = witness_loop(&w);
		if (!w.is_broken &&
		    (witness_games_save(&w.games) != 0 ||
			witness_store_commit(w.store) != 0)) {
			out_error("%s", witness_store_why(w.store));
			status = EX_IOERR;
		}
		witness_log(&w, "ended", NULL, -1,
		    "%lld lines heard, %lld read again", (long long)w.heard,
		    (long long)w.games.read);
		if (status == 0 && w.has_stopped)
			status = EX_PROTOCOL;
	}
	witness_close(&w, lock);
	return (status);
}
