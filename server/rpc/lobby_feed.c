/* SPDX-License-Identifier: ISC */
/*
 * Events stand in a ring, and each session knows how far it has come: a
 * session that is slow costs nothing but its own turn, and one that is too
 * far behind is closed, since it would otherwise miss something without
 * knowing.  It comes back and asks game.list.
 *
 * Most games look the same to everybody; the notice about one of those is
 * made once.
 */
#include "server/rpc/lobby_feed.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/base/log.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_list.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define LOBBY_FEED_TURN 16 /* events that a session looks at in one turn */

/* An event on its way to an io thread. */
struct lobby_feed_mail {
	struct mailbox_mail mail;
	struct lobby_feed_event ev;
};

/* What one session is to be told of an event. */
enum lobby_feed_tell {
	LOBBY_FEED_NOTHING,
	LOBBY_FEED_ROW,
	LOBBY_FEED_INVITED, /* the row, and that its account is invited */
	LOBBY_FEED_GONE, /* that the game is no longer there for it */
};

void
lobby_feed_watch(struct session *s, bool is_mine, bool wants_erased)
{
	struct lobby_feed *lb = s->io->lobby_feed;

	s->lobby.is_mine = is_mine;
	s->lobby.wants_erased = wants_erased;
	if (s->lobby.is_on)
		return;
	s->lobby.is_on = true;
	s->lobby.next = lb->count;
	LIST_INSERT_HEAD(&lb->sessions, s, lobby.link);
	(void)atomic_fetch_add(&lb->watches, 1);
}

void
lobby_feed_unwatch(struct session *s)
{
	if (!s->lobby.is_on)
		return;
	s->lobby.is_on = false;
	LIST_REMOVE(s, lobby.link);
	(void)atomic_fetch_sub(&s->io->lobby_feed->watches, 1);
}

/* True if events wait to be looked at. */
static bool
lobby_feed_is_behind(const struct session *s)
{
	return (s->lobby.is_on && s->lobby.next < s->io->lobby_feed->count);
}

/* One account and whom it has blocked. */
struct lobby_feed_blocks {
	struct store *reader;
	const char *account;
};

/* 1 if the account has blocked whoever sits in a seat. */
static int
lobby_feed_block_cb(void *arg, int seat, const char *account)
{
	const struct lobby_feed_blocks *b = arg;
	int r;

	(void)seat;
	r = store_block_find(b->reader, b->account, account);
	return (r == 0 ? 1 : r == ERR_NOTFOUND ? 0 : r);
}

/*
 * Whether an account's invitation is worth a word, as game.list has it: the
 * game may be joined, and nobody sits there whom the account has blocked.
 */
static int
lobby_feed_is_invited(struct session *s, const struct store_game_row *row,
    const struct access *v, bool *is_invited)
{
	struct lobby_feed_blocks b = {s->io->reader, s->account};
	int r;

	*is_invited = false;
	if (!v->is_invited || v->is_seated || strcmp(row->phase, "muster") != 0)
		return (0);
	r = store_game_seats(b.reader, row->gid, lobby_feed_block_cb, &b);
	*is_invited = r == 0;
	return (r < 0 ? r : 0);
}

/* True if an event is about the account that is logged in. */
static bool
lobby_feed_is_named(const struct session *s, const struct ledger_listed *ev)
{
	return (ev->account[0] != '\0' && strcmp(ev->account, s->account) == 0);
}

/* Finds what the session is to be told of an event about a game. */
static int
lobby_feed_judge(struct session *s, const struct ledger_listed *ev,
    const struct store_game_row *row, const struct access *v,
    enum lobby_feed_tell *tell)
{
	const bool is_named = lobby_feed_is_named(s, ev);
	/* Play ends all invitations, though the store keeps them. */
	const bool was_invited = v->is_invited && ev->has_begun;
	bool is_invited;
	int r;

	*tell = LOBBY_FEED_NOTHING;
	if (!v->is_known) {
		/* They have known of it until now. */
		if (is_named || was_invited)
			*tell = LOBBY_FEED_GONE;
		return (0);
	}
	if (!s->lobby.is_mine || v->is_seated) {
		*tell = LOBBY_FEED_ROW;
		return (0);
	}
	if ((r = lobby_feed_is_invited(s, row, v, &is_invited)) != 0)
		return (r);
	if (is_invited)
		*tell = LOBBY_FEED_INVITED;
	else if (was_invited || is_named ||
	    (v->is_invited && strcmp(row->phase, "muster") == 0))
		*tell = LOBBY_FEED_ROW; /* invited no longer, or not for now */
	return (0);
}

/* Puts one notice into a buffer. */
static int
lobby_feed_write(struct session *s, const struct store_game_row *row,
    const struct access *v, enum lobby_feed_tell tell, struct buf *out)
{
	json_t *params = NULL;
	int r = 0;

	if (tell == LOBBY_FEED_GONE)
		params = json_pack(
		    "{s:o, s:b}", "game", js_hex(row->id, HASH_LEN), "gone", 1);
	else
		r = rpc_list_row(s, row, v, &params);
	if (r == 0 && params == NULL)
		r = ERR_NOMEM;
	if (r == 0 && tell == LOBBY_FEED_INVITED &&
	    json_object_set_new(params, "invited", json_true()) == -1)
		r = ERR_NOMEM;
	if (r == 0) {
		buf_reset(out);
		rpc_write_notice(out, "lobby.game", params);
		r = buf_error(out);
	}
	json_decref(params);
	return (r);
}

/* True if a game looks the same to everybody now. */
static bool
lobby_feed_is_plain(const struct store_game_row *row)
{
	return (!row->is_private &&
	    ((row->delay_turns == 0 && row->delay_minutes == 0) ||
		strcmp(row->phase, "play") != 0));
}

/*
 * Tells of a text that was erased, if the session could read it; a game that it
 * watches tells by itself.
 */
static int
lobby_feed_tell_erased(struct session *s, const struct ledger_erased *ev)
{
	struct store *reader = s->io->reader;
	struct store_tournament_row tournament;
	struct store_game_row row;
	struct access v = {.last = INT64_MAX, .sides = STORE_SIDE_ALL};
	int r;

	if (!s->lobby.wants_erased || game_feed_is_watched(s, ev->game))
		return (0);
	if (!ev->is_tournament)
		r = session_find(s, ev->game, &row, &v);
	else if ((r = store_tournament_find(reader, ev->game, &tournament)) ==
	    0)
		r = access_tournament(reader, &tournament, s->account, false);
	if (r != 0 || ev->seq > v.last || (v.sides & (1u << ev->side)) == 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	return (game_feed_say_erased(s, ev));
}

/* Looks at the next event for a session, and tells what is to be told. */
static int
lobby_feed_next(struct session *s)
{
	struct lobby_feed *lb = s->io->lobby_feed;
	const uint64_t number = s->lobby.next;
	const struct lobby_feed_event *next =
	    &lb->events[number % LOBBY_FEED_EVENTS];
	const struct ledger_listed *ev = &next->listed;
	struct buf *out = &s->io->reply;
	struct store_game_row row;
	enum lobby_feed_tell tell;
	struct access v;
	int r;

	s->lobby.next++;
	if (next->is_erased)
		return (lobby_feed_tell_erased(s, &next->erased));
	/* Nobody else hears of it; so many of them cost the others nothing. */
	if (ev->is_invite && !lobby_feed_is_named(s, ev))
		return (0);
	if (!s->lobby.is_mine && lb->row_of == number + 1)
		return (session_send(s, lb->row.data, lb->row.len));
	if ((r = store_game_find(s->io->reader, ev->game, &row)) == 0 &&
	    (r = session_access(s, &row, &v)) == 0)
		r = lobby_feed_judge(s, ev, &row, &v, &tell);
	if (r != 0 || tell == LOBBY_FEED_NOTHING)
		return (r == ERR_NOTFOUND ? 0 : r);
	if (tell == LOBBY_FEED_ROW && !ev->is_invite &&
	    lobby_feed_is_plain(&row))
		out = &lb->row;
	if (out == &lb->row)
		lb->row_of = 0;
	if ((r = lobby_feed_write(s, &row, &v, tell, out)) != 0)
		return (r);
	if (out == &lb->row)
		lb->row_of = number + 1;
	return (session_send(s, out->data, out->len));
}

/* Writes waiting notices; ERR_LIMIT: more has happened than is remembered. */
static int
lobby_feed_pump(struct session *s, int64_t *asked_us)
{
	int n, r = 0;

	(void)asked_us;
	for (n = 0; r == 0 && n < LOBBY_FEED_TURN && session_has_room(s) &&
	     lobby_feed_is_behind(s);
	     n++) {
		if (s->io->lobby_feed->count - s->lobby.next >
		    LOBBY_FEED_EVENTS)
			r = ERR_LIMIT;
		else
			r = lobby_feed_next(s);
	}
	return (r);
}

/* Closes every session that watches: something was not told. */
static void
lobby_feed_take_missed(struct mailbox_mail *mail, void *arg)
{
	struct session *s;
	struct io *io = arg;

	(void)mail;
	/* Before closing, so that what is missed from now on is counted afresh.
	 */
	atomic_store(&io->lobby_feed->is_missed, false);
	while ((s = LIST_FIRST(&io->lobby_feed->sessions)) != NULL) {
		session_log(s, LOG_WARN, "closed: the lobby: out of memory");
		session_close(s);
	}
}

const struct session_feed lobby_feed = {
    "the lobby", lobby_feed_pump, lobby_feed_is_behind, lobby_feed_unwatch};

int
lobby_feed_init(struct io *io)
{
	struct lobby_feed *lb;

	if ((lb = io->lobby_feed = calloc(1, sizeof(*lb))) == NULL)
		return (ERR_NOMEM);
	LIST_INIT(&lb->sessions);
	atomic_init(&lb->watches, 0);
	atomic_init(&lb->is_missed, false);
	lb->missed.take = lobby_feed_take_missed;
	lb->missed.arg = io;
	buf_init(&lb->row, RPC_REPLY_MAX + 1);
	return (0);
}

void
lobby_feed_clear(struct io *io)
{
	if (io->lobby_feed != NULL)
		buf_clear(&io->lobby_feed->row);
	free(io->lobby_feed);
}

/* Takes an event, in the io thread. */
static void
lobby_feed_take_event(struct mailbox_mail *mail, void *arg)
{
	struct lobby_feed_mail *lm = (struct lobby_feed_mail *)(void *)mail;
	struct io *io = arg;
	struct session *s;

	io->lobby_feed->events[io->lobby_feed->count % LOBBY_FEED_EVENTS] =
	    lm->ev;
	io->lobby_feed->count++;
	LIST_FOREACH(s, &io->lobby_feed->sessions, lobby.link)
	session_kick(s);
	free(lm);
}

/* Sends an event to the io thread, if anybody there watches. */
static void
lobby_feed_post(struct io *io, const struct lobby_feed_event *ev)
{
	struct lobby_feed_mail *lm;

	if (atomic_load(&io->lobby_feed->watches) == 0)
		return;
	if ((lm = malloc(sizeof(*lm))) == NULL) {
		if (!atomic_exchange(&io->lobby_feed->is_missed, true))
			mailbox_post(io->mailbox, &io->lobby_feed->missed);
		return;
	}
	lm->mail.take = lobby_feed_take_event;
	lm->mail.arg = io;
	lm->ev = *ev;
	mailbox_post(io->mailbox, &lm->mail);
}

void
lobby_feed_publish(struct io *io, const struct ledger_listed *ev)
{
	const struct lobby_feed_event event = {.listed = *ev};

	lobby_feed_post(io, &event);
}

void
lobby_feed_erase(struct io *io, const struct ledger_erased *ev)
{
	const struct lobby_feed_event event = {
	    .is_erased = true, .erased = *ev};

	lobby_feed_post(io, &event);
}
