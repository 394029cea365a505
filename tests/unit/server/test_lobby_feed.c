/* SPDX-License-Identifier: ISC */
/*
 * Who is told what of the lobby: sessions without sockets on a store of the
 * test's own, so that every event comes exactly when the test says.
 */
#include "server/rpc/lobby_feed.h"

#include <event2/event.h>

#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/base/log.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/net/presence.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/rpc/worker.h"
#include "tests/lib/db.h"

#define OUT_MAX 8192 /* characters that shown() gives */

/* An io thread without the thread. */
struct hall {
	struct io io;
	struct io_shared shared;
	char shown[OUT_MAX];
};

/* Nothing runs by itself here: the test pumps. */
static void
quiet_cb(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
}

/* Sets up the hall on the place's store, where three accounts are. */
static void
open_hall(struct hall *h, struct db *p)
{
	const struct limits_settings limits = {
	    .connections = 100, .per_address = 100};

	memset(h, 0, sizeof(*h));
	assert_int_equal(limits_new(&limits, &h->shared.limits), 0);
	assert_int_equal(presence_new(NULL, NULL, &h->shared.presence), 0);
	h->io.shared = &h->shared;
	h->io.live.max_output = 8388608;
	h->io.live.send_timeout = 30;
	h->io.reader = p->st;
	h->io.base = event_base_new();
	assert_non_null(h->io.base);
	assert_int_equal(mailbox_new(h->io.base, &h->io.mailbox), 0);
	assert_int_equal(
	    event_assign(&h->io.reap, h->io.base, -1, 0, quiet_cb, NULL), 0);
	TAILQ_INIT(&h->io.sessions);
	TAILQ_INIT(&h->io.dead);
	buf_init(&h->io.reply, RPC_REPLY_MAX + 1);
	worker_bind(&h->io);
	assert_int_equal(lobby_feed_init(&h->io), 0);
	assert_int_equal(db_add_account(p->st, "anna", 1), 0);
	assert_int_equal(db_add_account(p->st, "bert", 2), 0);
	assert_int_equal(db_add_account(p->st, "carl", 3), 0);
}

/* Frees sessions that were closed; how many there were. */
static int
bury(struct hall *h)
{
	struct session *s;
	int n = 0;

	while ((s = TAILQ_FIRST(&h->io.dead)) != NULL) {
		TAILQ_REMOVE(&h->io.dead, s, link);
		session_free(s);
		n++;
	}
	return (n);
}

static void
close_hall(struct hall *h)
{
	struct session *s;

	while ((s = TAILQ_FIRST(&h->io.sessions)) != NULL)
		session_close(s);
	(void)bury(h);
	assert_int_equal(atomic_load(&h->io.lobby_feed->watches), 0);
	assert_true(LIST_EMPTY(&h->io.lobby_feed->sessions));
	mailbox_free(h->io.mailbox);
	lobby_feed_clear(&h->io);
	buf_clear(&h->io.reply);
	event_base_free(h->io.base);
	presence_free(h->shared.presence);
	limits_free(h->shared.limits);
}

/* A session that is open; account NULL: nobody is logged in. */
static struct session *
visitor(struct hall *h, const char *account)
{
	struct session *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->io = &h->io;
	s->sock.fd = -1;
	s->state = SESSION_OPEN;
	TAILQ_INIT(&s->watched.current);
	TAILQ_INIT(&s->watched.behind);
	frame_init(&s->in, RPC_REQUEST_MAX);
	buf_init(&s->out, 0);
	(void)event_assign(&s->read_ev, h->io.base, -1, 0, quiet_cb, s);
	(void)event_assign(&s->write_ev, h->io.base, -1, 0, quiet_cb, s);
	(void)event_assign(&s->work_ev, h->io.base, -1, 0, quiet_cb, s);
	(void)event_assign(&s->timer_ev, h->io.base, -1, 0, quiet_cb, s);
	TAILQ_INSERT_TAIL(&h->io.sessions, s, link);
	assert_int_equal(limits_connect(h->shared.limits, s->sock.address), 0);
	if (account != NULL) {
		s->is_logged_in = true;
		snprintf(s->account, sizeof(s->account), "%s", account);
		assert_int_equal(
		    presence_enter(h->shared.presence, account), 0);
	}
	return (s);
}

/* Tells the hall, and lets it take that. */
static void
publish(struct hall *h, const struct ledger_listed *ev)
{
	lobby_feed_publish(&h->io, ev);
	(void)mailbox_take(h->io.mailbox);
}

/* Game n of db_add_game() has changed; account: whose affair it is, "": all's.
 */
static void
changed(struct hall *h, int n, const char *account, bool is_invite)
{
	struct ledger_listed ev = {.is_invite = is_invite};

	db_hash_of(ev.game, n);
	snprintf(ev.account, sizeof(ev.account), "%s", account);
	publish(h, &ev);
}

/* Game n cannot be joined any more. */
static void
begun(struct hall *h, int n)
{
	struct ledger_listed ev = {.has_begun = true};

	db_hash_of(ev.game, n);
	publish(h, &ev);
}

/* Pumps once. */
static int
pump(struct session *s)
{
	int64_t asked_us = 0;

	return (lobby_feed.pump(s, &asked_us));
}

/* Pumps until nothing waits, which must have room. */
static void
drain(struct session *s)
{
	while (lobby_feed.is_behind(s)) {
		assert_true(session_has_room(s));
		assert_int_equal(pump(s), 0);
	}
}

/* How many notices there are in the output, which is emptied. */
static int
told(struct session *s)
{
	size_t i;
	int n = 0;

	for (i = 0; i < s->out.len; i++)
		n += s->out.data[i] == '\n';
	buf_reset(&s->out);
	return (n);
}

/* What the session was told: "1 muster, 2 invited, 3 gone". */
static const char *
shown(struct hall *h, struct session *s)
{
	const char *end, *p, *what;
	const json_t *params;
	uint8_t id[HASH_LEN];
	struct errinfo e;
	size_t len, n = 0;
	json_t *v;

	drain(s);
	h->shown[0] = '\0';
	for (p = s->out.data; s->out.len > 0 && p < s->out.data + s->out.len;
	     p = end + 1) {
		end = memchr(p, '\n', s->out.len - (size_t)(p - s->out.data));
		assert_non_null(end);
		len = (size_t)(end - p);
		v = json_loadb(p, len, 0, NULL);
		assert_non_null(v);
		assert_string_equal(
		    json_string_value(json_object_get(v, "method")),
		    "lobby.game");
		params = json_object_get(v, "params");
		what = json_is_true(json_object_get(params, "gone")) ? "gone"
		    : json_is_true(json_object_get(params, "invited"))
		    ? "invited"
		    : json_string_value(json_object_get(params, "phase"));
		if (strcmp(what, "gone") == 0)
			assert_int_equal(json_object_size(params), 2);
		assert_int_equal(
		    js_get_hex(params, "game", NULL, id, HASH_LEN, &e), 0);
		n += (size_t)snprintf(h->shown + n, OUT_MAX - n, "%s%d %s",
		    n == 0 ? "" : ", ", id[1], what); /* see db_hash_of() */
		assert_true(n < OUT_MAX);
		json_decref(v);
	}
	buf_reset(&s->out);
	return (h->shown);
}

/* Makes a game private. */
static void
hide(struct store *st, int64_t gid)
{
	const struct store_game_row row = {
	    .gid = gid, .is_private = true, .is_invited = true};

	assert_int_equal(store_game_set_view(st, &row), 0);
}

/* Moves a game to another phase. */
static void
move(struct store *st, int64_t gid, const char *phase)
{
	struct store_game_row row = {.gid = gid, .at_ms = 3000, .turn = 1};

	snprintf(row.phase, sizeof(row.phase), "%s", phase);
	assert_int_equal(store_game_update(st, &row, row.id, "{}", 2), 0);
}

static void
everybody_is_told_of_an_open_game(void **state)
{
	struct db *p = *state;
	struct session *one, *two;
	struct hall h;
	int64_t gid;

	open_hall(&h, p);
	gid = db_add_game(p->st, 1, "muster", 1000);
	/* Nobody watches: nothing is kept. */
	changed(&h, 1, "", false);
	assert_int_equal(h.io.lobby_feed->count, 0);
	one = visitor(&h, NULL);
	lobby_feed_watch(one, false, false);
	assert_false(lobby_feed.is_behind(one));
	changed(&h, 1, "", false);
	/* Who comes later begins with what comes later. */
	two = visitor(&h, "carl");
	lobby_feed_watch(two, false, false);
	move(p->st, gid, "play");
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, one), "1 play, 1 play");
	assert_string_equal(shown(&h, two), "1 play");
	/* A game that is not there is nobody's. */
	changed(&h, 9, "", false);
	assert_string_equal(shown(&h, one), "");
	lobby_feed_unwatch(one);
	lobby_feed_unwatch(one);
	assert_false(one->lobby.is_on);
	changed(&h, 1, "", false);
	assert_false(lobby_feed.is_behind(one));
	assert_string_equal(shown(&h, two), "1 play");
	close_hall(&h);
}

static void
a_private_game_is_told_to_its_own_alone(void **state)
{
	struct session *anna, *bert, *nobody;
	struct db *p = *state;
	struct hall h;
	int64_t gid;

	open_hall(&h, p);
	gid = db_add_game(p->st, 1, "muster", 1000);
	hide(p->st, gid);
	assert_int_equal(store_game_seat(p->st, gid, 1, "anna"), 0);
	anna = visitor(&h, "anna");
	bert = visitor(&h, "bert");
	nobody = visitor(&h, NULL);
	lobby_feed_watch(anna, true, false);
	lobby_feed_watch(bert, false, false);
	lobby_feed_watch(nobody, false, false);
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, anna), "1 muster");
	assert_string_equal(shown(&h, bert), "");
	assert_string_equal(shown(&h, nobody), "");
	assert_int_equal(store_invite(p->st, gid, "bert", 2000), 0);
	changed(&h, 1, "bert", true);
	assert_string_equal(shown(&h, anna), "");
	assert_string_equal(shown(&h, bert), "1 muster");
	lobby_feed_watch(bert, true, false);
	changed(&h, 1, "bert", true);
	assert_string_equal(shown(&h, bert), "1 invited");
	/* It begins without him. */
	move(p->st, gid, "play");
	begun(&h, 1);
	assert_string_equal(shown(&h, anna), "1 play");
	assert_string_equal(shown(&h, bert), "1 gone");
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, bert), "");
	assert_string_equal(shown(&h, nobody), "");
	close_hall(&h);
}

static void
own_games_are_those_of_seats_and_invitations(void **state)
{
	struct db *p = *state;
	struct session *bert;
	struct hall h;
	int64_t gid;

	open_hall(&h, p);
	gid = db_add_game(p->st, 1, "muster", 1000);
	assert_int_equal(store_game_seat(p->st, gid, 1, "anna"), 0);
	bert = visitor(&h, "bert");
	lobby_feed_watch(bert, true, false);
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, bert), "");
	assert_int_equal(store_invite(p->st, gid, "bert", 2000), 0);
	changed(&h, 1, "bert", true);
	assert_string_equal(shown(&h, bert), "1 invited");
	/* Somebody whom he has blocked sits down: no list has it now. */
	assert_int_equal(store_block(p->st, "bert", "carl"), 0);
	assert_int_equal(store_game_seat(p->st, gid, 2, "carl"), 0);
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, bert), "1 muster");
	assert_int_equal(store_game_unseat(p->st, gid, 2), 0);
	changed(&h, 1, "carl", false);
	assert_string_equal(shown(&h, bert), "1 invited");
	assert_int_equal(store_uninvite(p->st, gid, "bert"), 0);
	changed(&h, 1, "bert", true);
	assert_string_equal(shown(&h, bert), "1 muster");
	/* He sits down, and is refused. */
	assert_int_equal(store_game_seat(p->st, gid, 2, "bert"), 0);
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, bert), "1 muster");
	assert_int_equal(store_game_unseat(p->st, gid, 2), 0);
	changed(&h, 1, "bert", false);
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, bert), "1 muster");
	close_hall(&h);
}

static void
what_waits_is_judged_by_who_is_logged_in_then(void **state)
{
	struct db *p = *state;
	struct session *s;
	struct hall h;
	int64_t gid;

	open_hall(&h, p);
	gid = db_add_game(p->st, 1, "muster", 1000);
	hide(p->st, gid);
	assert_int_equal(store_game_seat(p->st, gid, 1, "anna"), 0);
	s = visitor(&h, "anna");
	lobby_feed_watch(s, true, false);
	changed(&h, 1, "", false);
	changed(&h, 1, "anna", true);
	/* Another logs in upon the connection before they are told. */
	presence_leave(h.shared.presence, "anna");
	assert_int_equal(presence_enter(h.shared.presence, "carl"), 0);
	snprintf(s->account, sizeof(s->account), "carl");
	assert_string_equal(shown(&h, s), "");
	close_hall(&h);
}

static void
a_row_that_was_made_for_one_is_not_another_games(void **state)
{
	struct session *anna, *nobody;
	struct db *p = *state;
	struct hall h;
	int64_t gid;

	open_hall(&h, p);
	(void)db_add_game(p->st, 1, "muster", 1000);
	gid = db_add_game(p->st, 2, "muster", 1000);
	hide(p->st, gid);
	assert_int_equal(store_game_seat(p->st, gid, 1, "anna"), 0);
	anna = visitor(&h, "anna");
	nobody = visitor(&h, NULL);
	lobby_feed_watch(anna, false, false);
	lobby_feed_watch(nobody, false, false);
	changed(&h, 1, "", false);
	changed(&h, 2, "", false);
	changed(&h, 1, "", false);
	assert_string_equal(shown(&h, anna), "1 muster, 2 muster, 1 muster");
	/* Hers is not kept for the others; the last of them is. */
	assert_string_equal(shown(&h, nobody), "1 muster, 1 muster");
	close_hall(&h);
}

static void
a_turn_is_bounded_and_goes_on_where_it_ended(void **state)
{
	struct db *p = *state;
	struct session *s;
	struct hall h;
	size_t len;
	int i, n = 0, turns = 0;

	open_hall(&h, p);
	(void)db_add_game(p->st, 1, "muster", 1000);
	s = visitor(&h, NULL);
	lobby_feed_watch(s, false, false);
	for (i = 0; i < 40; i++)
		changed(&h, 1, "", false);
	for (; lobby_feed.is_behind(s); turns++) {
		assert_int_equal(pump(s), 0);
		assert_true(s->out.len > 0);
		n += told(s);
	}
	assert_int_equal(n, 40);
	assert_true(turns > 1);
	/* Without room nothing is written, and nothing is passed over. */
	changed(&h, 1, "", false);
	for (i = 0; session_has_room(s); i++)
		buf_add(&s->out, h.shown, sizeof(h.shown));
	len = s->out.len;
	assert_int_equal(pump(s), 0);
	assert_int_equal(s->out.len, len);
	assert_true(lobby_feed.is_behind(s));
	buf_reset(&s->out);
	assert_string_equal(shown(&h, s), "1 muster");
	close_hall(&h);
}

static void
who_is_too_far_behind_is_to_be_closed(void **state)
{
	struct session *quick, *slow;
	struct db *p = *state;
	struct hall h;
	int i;

	open_hall(&h, p);
	(void)db_add_game(p->st, 1, "muster", 1000);
	quick = visitor(&h, NULL);
	slow = visitor(&h, NULL);
	lobby_feed_watch(quick, false, false);
	lobby_feed_watch(slow, false, false);
	for (i = 0; i < LOBBY_FEED_EVENTS; i++)
		changed(&h, 1, "", false);
	/* All that the ring holds is still told ... */
	for (i = 0; lobby_feed.is_behind(quick); i += told(quick))
		assert_int_equal(pump(quick), 0);
	assert_int_equal(i, LOBBY_FEED_EVENTS);
	/* ... but one more is one too many. */
	changed(&h, 1, "", false);
	assert_int_equal(pump(slow), ERR_LIMIT);
	assert_int_equal(slow->out.len, 0);
	assert_string_equal(shown(&h, quick), "1 muster");
	/* Closed while it is behind. */
	session_close(slow);
	session_close(slow);
	changed(&h, 1, "", false);
	assert_int_equal(atomic_load(&h.io.lobby_feed->watches), 1);
	assert_int_equal(bury(&h), 1);
	assert_string_equal(shown(&h, quick), "1 muster");
	close_hall(&h);
}

static void
an_event_that_cannot_be_told_closes_who_watches(void **state)
{
	struct db *p = *state;
	struct session *other, *s;
	struct hall h;

	open_hall(&h, p);
	other = visitor(&h, NULL);
	s = visitor(&h, "anna");
	lobby_feed_watch(s, true, false);
	lobby_feed_watch(visitor(&h, NULL), false, false);
	/* What lobby_feed_publish() does without memory. */
	atomic_store(&h.io.lobby_feed->is_missed, true);
	mailbox_post(h.io.mailbox, &h.io.lobby_feed->missed);
	(void)mailbox_take(h.io.mailbox);
	assert_false(atomic_load(&h.io.lobby_feed->is_missed));
	assert_int_equal(other->state, SESSION_OPEN);
	assert_int_equal(s->state, SESSION_CLOSED);
	assert_int_equal(bury(&h), 2);
	close_hall(&h);
}

static void
without_memory_nothing_is_told_by_halves(void **state)
{
	struct db *p = *state;
	struct session *one, *two;
	struct hall h;
	int64_t gid;
	long n;
	int r = ERR_NOMEM;

	open_hall(&h, p);
	gid = db_add_game(p->st, 1, "muster", 1000);
	assert_int_equal(store_game_seat(p->st, gid, 1, "anna"), 0);
	one = visitor(&h, "anna");
	two = visitor(&h, NULL);
	lobby_feed_watch(two, false, false);
	for (n = 0; r != 0; n++) {
		lobby_feed_unwatch(one);
		lobby_feed_watch(one, n % 2 == 0, n % 3 == 0);
		changed(&h, 1, "", false);
		atomic_store(&faulty.alloc_left, n);
		r = pump(one);
		atomic_store(&faulty.alloc_left, -1);
		if (r != 0) {
			assert_int_equal(r, ERR_NOMEM);
			assert_int_equal(one->out.len, 0);
		}
		/* The other is told whatever became of the first. */
		assert_string_equal(shown(&h, two), "1 muster");
		assert_true(n < 1000);
	}
	assert_true(n > 5);
	assert_string_equal(shown(&h, one), "1 muster");
	close_hall(&h);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(everybody_is_told_of_an_open_game),
	    CASE(a_private_game_is_told_to_its_own_alone),
	    CASE(own_games_are_those_of_seats_and_invitations),
	    CASE(what_waits_is_judged_by_who_is_logged_in_then),
	    CASE(a_row_that_was_made_for_one_is_not_another_games),
	    CASE(a_turn_is_bounded_and_goes_on_where_it_ended),
	    CASE(who_is_too_far_behind_is_to_be_closed),
	    CASE(an_event_that_cannot_be_told_closes_who_watches),
	    CASE(without_memory_nothing_is_told_by_halves),
	};
#undef CASE

	faulty_install();
	log_set_level(LOG_ERROR);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
