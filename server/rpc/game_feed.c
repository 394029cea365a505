/* SPDX-License-Identifier: ISC */
/*
 * A watch knows the next line to send and the last one that is known to be
 * there and to be seen.  What may be seen is asked again whenever a line
 * comes, another logs in, or time alone lets a line out; a watch of a game
 * that its session may not know of any more ends without a word.
 *
 * The ledger's thread tells of a line only where somebody watches:
 * since a watch counts itself before it asks the database for the last line,
 * a line that was not told of is one that it found there.
 */
#include "server/rpc/game_feed.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/record/rpc.h"
#include "server/ledger/ledger.h"
#include "server/net/mailbox.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/record_page.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define GAME_FEED_DELAY_S 1 /* how late a line may be that time lets out */
#define GAME_FEED_TURN 16 /* lines that a session is sent in one turn */
#define GAME_FEED_TURN_HEAVY 4 /* likewise one that asks for much */

#define GAME_FEED_BUCKETS 4096

/* One session's watch of one game, or tournament. */
struct game_feed_watch {
	LIST_ENTRY(game_feed_watch) of_game;
	TAILQ_ENTRY(game_feed_watch) of_session;
	struct session *s;
	bool is_tournament; /* game and gid are then its own */
	uint8_t game[HASH_LEN];
	int64_t gid;
	int64_t next; /* the line to send next */
	int64_t asked; /* the last line that was there when it was asked for */
	int64_t known; /* the last line that is there, as far as is known */
	bool is_fresh; /* the following say what may be seen of it now */
	unsigned sides;
	int64_t last; /* to be seen */
	int64_t next_ms; /* wall clock, when the next line is; 0: not by time */
	bool is_behind; /* in the session's list of those */
};

LIST_HEAD(game_feed_bucket, game_feed_watch);

/* The watchers of one io thread. */
struct game_feed {
	struct game_feed_bucket buckets[GAME_FEED_BUCKETS]; /* by game */
	atomic_size_t watches; /* read by the ledger's thread */
	atomic_bool is_missed; /* missed is on its way; likewise unsaid */
	atomic_bool is_unsaid;
	struct mailbox_mail missed; /* says that no memory was left to tell */
	struct mailbox_mail unsaid; /* the same of a text that was erased */
	struct event delay; /* looks for lines that become visible by time */
	size_t delayed; /* watches that wait for such lines */
};

/* A text that was erased on its way to an io thread. */
struct game_feed_gone {
	struct mailbox_mail mail;
	struct ledger_erased ev;
};

/* A line's number on its way to an io thread. */
struct game_feed_mail {
	struct mailbox_mail mail;
	uint8_t game[HASH_LEN];
	int64_t seq;
};

/* The bucket of a game, whose id is a hash already. */
static struct game_feed_bucket *
game_feed_bucket_of(struct game_feed *n, const uint8_t game[HASH_LEN])
{
	return (&n->buckets[(game[0] << 8 | game[1]) % GAME_FEED_BUCKETS]);
}

/* Finds a session's watch of a game; NULL if there is none. */
static struct game_feed_watch *
game_feed_find(struct session *s, const uint8_t game[HASH_LEN])
{
	struct game_feed_watch *w;

	LIST_FOREACH(w, game_feed_bucket_of(s->io->game_feed, game), of_game)
	{
		if (w->s == s && memcmp(w->game, game, HASH_LEN) == 0)
			return (w);
	}
	return (NULL);
}

/* Moves a watch to the list where it belongs now. */
static void
game_feed_sort(struct game_feed_watch *w)
{
	struct session_games *ns = &w->s->watched;
	const bool is_behind =
	    w->next <= w->known && (!w->is_fresh || w->next <= w->last);

	if (is_behind == w->is_behind)
		return;
	TAILQ_REMOVE(w->is_behind ? &ns->behind : &ns->current, w, of_session);
	TAILQ_INSERT_TAIL(
	    is_behind ? &ns->behind : &ns->current, w, of_session);
	w->is_behind = is_behind;
}

/* Sets when the next line of a watch becomes visible by time; 0: never. */
static void
game_feed_set_due(struct game_feed_watch *w, int64_t next_ms)
{
	static const struct timeval often = {.tv_sec = GAME_FEED_DELAY_S};
	struct game_feed *n = w->s->io->game_feed;

	n->delayed += (size_t)(next_ms != 0);
	n->delayed -= (size_t)(w->next_ms != 0);
	w->next_ms = next_ms;
	/* Without it no line is lost, only late: the next one tells of it. */
	if (n->delayed > 0 && !event_pending(&n->delay, EV_TIMEOUT, NULL))
		(void)event_add(&n->delay, &often);
}

/* Makes a watch ask again what may be seen. */
static void
game_feed_forget(struct game_feed_watch *w)
{
	w->is_fresh = false;
	game_feed_sort(w);
}

/* Asks whether the session may see the tournament, as game_feed_look(). */
static int
game_feed_look_tournament(struct game_feed_watch *w)
{
	struct store *reader = w->s->io->reader;
	struct store_tournament_row row;
	int r;

	if ((r = store_tournament_find(reader, w->game, &row)) != 0 ||
	    (r = access_tournament(reader, &row, w->s->account, true)) != 0)
		return (r);
	if (w->known > row.seq)
		w->known = row.seq;
	w->is_fresh = true;
	w->sides = STORE_SIDE_NONE;
	w->last = row.seq;
	return (0);
}

/*
 * Asks what the session may see of the game.  ERR_NOTFOUND if it may not
 * know of it.
 */
static int
game_feed_look(struct game_feed_watch *w)
{
	struct store_game_row row;
	struct access v;
	int r;

	if (w->is_tournament)
		return (game_feed_look_tournament(w));
	if ((r = session_find(w->s, w->game, &row, &v)) != 0)
		return (r);
	if (w->known > row.seq)
		w->known = row.seq;
	w->is_fresh = true;
	w->sides = v.sides;
	w->last = v.last;
	game_feed_set_due(w, v.next_ms);
	return (0);
}

int64_t
game_feed_most(const struct session *s)
{
	return (limits_is_gateway(s->sock.address) ? s->io->live.gateway_watches
						   : s->io->live.max_watches);
}

bool
game_feed_is_watched(struct session *s, const uint8_t game[HASH_LEN])
{
	return (game_feed_find(s, game) != NULL);
}

int
game_feed_watch(struct session *s, const uint8_t game[HASH_LEN], int64_t gid,
    bool is_tournament, bool *is_new)
{
	struct game_feed *n = s->io->game_feed;
	struct game_feed_watch *w;

	if (game_feed_find(s, game) != NULL) {
		*is_new = false;
		return (0);
	}
	if ((int64_t)s->watched.count >= game_feed_most(s) &&
	    !names_has(&s->io->live.witnesses, s->account))
		return (ERR_LIMIT);
	if ((w = calloc(1, sizeof(*w))) == NULL)
		return (ERR_NOMEM);
	w->s = s;
	memcpy(w->game, game, HASH_LEN);
	w->gid = gid;
	w->is_tournament = is_tournament;
	w->asked = -1;
	w->known = -1;
	LIST_INSERT_HEAD(game_feed_bucket_of(n, game), w, of_game);
	TAILQ_INSERT_TAIL(&s->watched.current, w, of_session);
	s->watched.count++;
	(void)atomic_fetch_add(&n->watches, 1);
	*is_new = true;
	return (0);
}

void
game_feed_begin(
    struct session *s, const uint8_t game[HASH_LEN], int64_t next, int64_t last)
{
	struct game_feed_watch *w = game_feed_find(s, game);

	if (w == NULL)
		return;
	w->next = next;
	w->asked = last;
	if (w->known < last)
		w->known = last;
	game_feed_forget(w);
}

void
game_feed_refresh(struct session *s)
{
	struct game_feed_watch *w, *next;

	TAILQ_FOREACH(w, &s->watched.behind, of_session)
	game_feed_forget(w);
	/* Those that come to be behind are moved to the other list. */
	for (w = TAILQ_FIRST(&s->watched.current); w != NULL; w = next) {
		next = TAILQ_NEXT(w, of_session);
		game_feed_forget(w);
	}
}

/* Ends one watch. */
static void
game_feed_end(struct game_feed_watch *w)
{
	struct session_games *ns = &w->s->watched;

	game_feed_set_due(w, 0);
	LIST_REMOVE(w, of_game);
	TAILQ_REMOVE(w->is_behind ? &ns->behind : &ns->current, w, of_session);
	ns->count--;
	(void)atomic_fetch_sub(&w->s->io->game_feed->watches, 1);
	free(w);
}

void
game_feed_unwatch(struct session *s, const uint8_t game[HASH_LEN])
{
	struct game_feed_watch *w = game_feed_find(s, game);

	if (w != NULL)
		game_feed_end(w);
}

/* Ends all that a session watches. */
static void
game_feed_clear(struct session *s)
{
	struct game_feed_watch *w;

	while ((w = TAILQ_FIRST(&s->watched.current)) != NULL)
		game_feed_end(w);
	while ((w = TAILQ_FIRST(&s->watched.behind)) != NULL)
		game_feed_end(w);
}

/* True if lines of a watched game wait to be written. */
static bool
game_feed_is_behind(const struct session *s)
{
	return (!TAILQ_EMPTY(&s->watched.behind));
}

/* Writes one notice into the session's output. */
static int
game_feed_send(struct game_feed_watch *w, const struct record_page *ln)
{
	struct buf *out = &w->s->io->reply;

	buf_reset(out);
	buf_printf(out,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"%s.entry\",\"params\":"
	    "{\"%s\":\"",
	    w->is_tournament ? "tournament" : "game",
	    w->is_tournament ? "tournament" : "game");
	buf_hex(out, w->game, HASH_LEN);
	buf_printf(out, "\",\"seq\":%lld,\"line\":", (long long)w->next);
	buf_add(out, ln->lines.data, ln->lines.len);
	record_page_write_side(ln, true, out);
	buf_puts(out, "}}\n");
	if (buf_error(out) != 0)
		return (buf_error(out));
	return (session_send(w->s, out->data, out->len));
}

/* Sends the next line of a watch that is behind, or finds it is not. */
static int
game_feed_next(struct game_feed_watch *w, struct record_page *ln)
{
	int r;

	if (!w->is_fresh) {
		if ((r = game_feed_look(w)) == ERR_NOTFOUND)
			game_feed_end(w);
		else if (r == 0)
			game_feed_sort(w);
		return (r == ERR_NOTFOUND ? 0 : r);
	}
	r = w->is_tournament ? record_page_read_tournament(w->s->io->reader,
				   w->gid, w->next, w->next, true, ln)
			     : record_page_read(w->s->io->reader, w->gid,
				   w->next, w->next, w->sides, ln);
	if (r != 0)
		return (r);
	if (ln->next == w->next) {
		w->known = w->next - 1;
	} else {
		if ((r = game_feed_send(w, ln)) != 0)
			return (r);
		w->next++;
	}
	game_feed_sort(w);
	return (0);
}

/* Writes waiting lines; ERR_STORAGE, ERR_NOMEM. */
static int
game_feed_pump(struct session *s, int64_t *asked_us)
{
	const int most = s->has_yielded ? GAME_FEED_TURN_HEAVY : GAME_FEED_TURN;
	struct game_feed_watch *w;
	int64_t begun_us;
	struct record_page ln;
	bool is_asked;
	int n, r = 0;

	record_page_init(&ln);
	for (n = 0; r == 0 && n < most && session_has_room(s) &&
	     (w = TAILQ_FIRST(&s->watched.behind)) != NULL;
	     n++) {
		is_asked = w->next <= w->asked;
		begun_us = is_asked ? clock_thread_us() : 0;
		r = game_feed_next(w, &ln);
		if (is_asked)
			*asked_us += clock_thread_us() - begun_us;
	}
	record_page_clear(&ln);
	return (r);
}

/* Lets those lines out whose time has come. */
static void
game_feed_delay_cb(int fd, short what, void *arg)
{
	static const struct timeval often = {.tv_sec = GAME_FEED_DELAY_S};
	const int64_t now_ms = clock_wall_ms();
	struct game_feed_watch *w;
	struct io *io = arg;
	size_t i;

	(void)fd;
	(void)what;
	if (io->game_feed->delayed == 0)
		return;
	for (i = 0; i < GAME_FEED_BUCKETS; i++) {
		LIST_FOREACH(w, &io->game_feed->buckets[i], of_game)
		{
			if (w->next_ms == 0 || w->next_ms > now_ms)
				continue;
			game_feed_forget(w);
			session_kick(w->s);
		}
	}
	(void)event_add(&io->game_feed->delay, &often);
}

/* Makes every watch of the thread look for lines that it was not told of. */
static void
game_feed_take_missed(struct mailbox_mail *mail, void *arg)
{
	struct game_feed_watch *w;
	struct io *io = arg;
	size_t i;

	(void)mail;
	/* Before looking, so that what is missed from now on is announced
	 * again. */
	atomic_store(&io->game_feed->is_missed, false);
	for (i = 0; i < GAME_FEED_BUCKETS; i++) {
		LIST_FOREACH(w, &io->game_feed->buckets[i], of_game)
		{
			w->known = INT64_MAX;
			game_feed_forget(w);
			session_kick(w->s);
		}
	}
}

/*
 * Closes all that watch: they were not told of a text that was erased, and
 * learn of it when they come again.
 */
static void
game_feed_take_unsaid(struct mailbox_mail *mail, void *arg)
{
	struct session *next, *s;
	struct io *io = arg;

	(void)mail;
	atomic_store(&io->game_feed->is_unsaid, false);
	for (s = TAILQ_FIRST(&io->sessions); s != NULL; s = next) {
		next = TAILQ_NEXT(s, link);
		if (s->watched.count == 0)
			continue;
		session_log(s, LOG_WARN, "closed: out of memory");
		session_close(s);
	}
}

int
game_feed_say_erased(struct session *s, const struct ledger_erased *ev)
{
	const char *what = ev->is_tournament ? "tournament" : "game";
	struct buf *out = &s->io->reply;

	buf_reset(out);
	buf_printf(out,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"%s.erased\",\"params\":"
	    "{\"%s\":\"",
	    what, what);
	buf_hex(out, ev->game, HASH_LEN);
	buf_puts(out, "\",\"ref\":\"");
	buf_hex(out, ev->ref, HASH_LEN);
	buf_printf(out, "\",\"erasures\":%lld}}\n", (long long)ev->n);
	if (buf_error(out) != 0)
		return (buf_error(out));
	return (session_send(s, out->data, out->len));
}

/* Tells one watcher of a text that was erased, if they could read it. */
static int
game_feed_send_erased(struct game_feed_watch *w, const struct ledger_erased *ev)
{
	int r;

	if (!w->is_fresh) {
		if ((r = game_feed_look(w)) != 0)
			return (r == ERR_NOTFOUND ? 0 : r);
		game_feed_sort(w);
	}
	if (ev->seq > w->last || (w->sides & (1u << ev->side)) == 0)
		return (0);
	return (game_feed_say_erased(w->s, ev));
}

/* Takes news of a text that was erased, in the io thread. */
static void
game_feed_take_erased(struct mailbox_mail *mail, void *arg)
{
	struct game_feed_gone *gone = (struct game_feed_gone *)(void *)mail;
	struct io *io = arg;
	struct game_feed_bucket *all =
	    game_feed_bucket_of(io->game_feed, gone->ev.game);
	struct game_feed_watch *next, *w;
	int r;

	for (w = LIST_FIRST(all); w != NULL; w = next) {
		next = LIST_NEXT(w, of_game);
		if (memcmp(w->game, gone->ev.game, HASH_LEN) != 0)
			continue;
		if ((r = game_feed_send_erased(w, &gone->ev)) == 0) {
			session_kick(w->s);
			continue;
		}
		session_log(w->s, LOG_WARN, "closed: %s", err_text(r));
		/* All its watches go: some are told once more. */
		session_close(w->s);
		next = LIST_FIRST(all);
	}
	free(gone);
}

void
game_feed_erase(struct io *io, const struct ledger_erased *ev)
{
	struct game_feed_gone *gone;

	if (atomic_load(&io->game_feed->watches) == 0)
		return;
	if ((gone = malloc(sizeof(*gone))) == NULL) {
		if (!atomic_exchange(&io->game_feed->is_unsaid, true))
			mailbox_post(io->mailbox, &io->game_feed->unsaid);
		return;
	}
	gone->mail.take = game_feed_take_erased;
	gone->mail.arg = io;
	gone->ev = *ev;
	mailbox_post(io->mailbox, &gone->mail);
}

const struct session_feed game_feed = {
    "a watched game", game_feed_pump, game_feed_is_behind, game_feed_clear};

int
game_feed_init(struct io *io)
{
	struct game_feed *n;
	size_t i;

	if ((n = io->game_feed = calloc(1, sizeof(*n))) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < GAME_FEED_BUCKETS; i++)
		LIST_INIT(&n->buckets[i]);
	atomic_init(&n->watches, 0);
	atomic_init(&n->is_missed, false);
	atomic_init(&n->is_unsaid, false);
	n->unsaid.take = game_feed_take_unsaid;
	n->unsaid.arg = io;
	n->missed.take = game_feed_take_missed;
	n->missed.arg = io;
	if (event_assign(&n->delay, io->base, -1, 0, game_feed_delay_cb, io) ==
	    -1)
		return (ERR_NOMEM);
	return (0);
}

void
game_feed_free(struct io *io)
{
	if (io->game_feed != NULL && event_initialized(&io->game_feed->delay))
		(void)event_del(&io->game_feed->delay);
	free(io->game_feed);
}

/* Takes news of a line, in the io thread. */
static void
game_feed_take_line(struct mailbox_mail *mail, void *arg)
{
	struct game_feed_mail *nm = (struct game_feed_mail *)(void *)mail;
	struct game_feed_watch *w;
	struct io *io = arg;

	LIST_FOREACH(w, game_feed_bucket_of(io->game_feed, nm->game), of_game)
	{
		if (memcmp(w->game, nm->game, HASH_LEN) != 0 ||
		    w->known >= nm->seq)
			continue;
		w->known = nm->seq;
		game_feed_forget(w);
		session_kick(w->s);
	}
	free(nm);
}

void
game_feed_publish(struct io *io, const uint8_t game[HASH_LEN], int64_t seq)
{
	struct game_feed_mail *nm;

	if (atomic_load(&io->game_feed->watches) == 0)
		return;
	if ((nm = malloc(sizeof(*nm))) == NULL) {
		if (!atomic_exchange(&io->game_feed->is_missed, true))
			mailbox_post(io->mailbox, &io->game_feed->missed);
		return;
	}
	nm->mail.take = game_feed_take_line;
	nm->mail.arg = io;
	memcpy(nm->game, game, HASH_LEN);
	nm->seq = seq;
	mailbox_post(io->mailbox, &nm->mail);
}
