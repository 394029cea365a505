/* SPDX-License-Identifier: ISC */
/*
 * What a session does in one turn, and what that costs it: an io thread
 * without the thread, whose loop runs when the test says so, and connections
 * over TLS whose other ends the test has.
 */
#include "server/rpc/session.h"

#include <sys/socket.h>

#include <event2/event.h>
#include <openssl/ssl.h>
#include <signal.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/record/rpc.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/net/presence.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/io.h"
#include "server/rpc/lobby_feed.h"
#include "server/rpc/session.h"
#include "server/rpc/worker.h"
#include "tests/lib/db.h"

#define LINES 1000 /* of the game that is watched */
#define BURST 1920 /* requests; who has spent 60 of them asks for much */
#define REPLAYS 8 /* of it; the fastest machine needs no more */
#define ROUNDS 200000 /* of the loop, far more than anything here takes */

/* An io thread without the thread. */
struct stage {
	struct conf conf;
	struct io *io;
	struct io_shared shared;
	struct limits_settings limits;
	struct tls_config *tls;
	SSL_CTX *ctx;
	char cert[160];
	char key[160];
};

/* A session and the other end of its connection. */
struct guest {
	struct session *s;
	int fd;
	SSL *ssl;
};

/* Sets the stage on the place's store, for a rate that is none to speak of. */
static void
open_stage(struct stage *g, struct db *p)
{
	struct errinfo e;

	memset(g, 0, sizeof(*g));
	(void)snprintf(g->cert, sizeof(g->cert), "%s/tls.crt", p->dir);
	(void)snprintf(g->key, sizeof(g->key), "%s/tls.key", p->dir);
	assert_int_equal(
	    tls_make_certificate(g->cert, g->key, "host.example", 10, &e), 0);
	assert_int_equal(tls_config_new(g->cert, g->key, &g->tls, &e), 0);
	g->limits = (struct limits_settings){.connections = 100,
	    .per_address = 100,
	    .address_rate = 1,
	    .address_burst = BURST};
	assert_int_equal(limits_new(&g->limits, &g->shared.limits), 0);
	assert_int_equal(presence_new(NULL, NULL, &g->shared.presence), 0);
	g->conf.database = p->path;
	g->conf.io_threads = 1;
	g->conf.live.max_requests = 32;
	g->conf.live.max_watches = 8;
	g->conf.live.max_output = 8388608;
	g->conf.live.handshake_timeout = 1000;
	g->conf.live.login_timeout = 1000;
	g->conf.live.request_timeout = 1000;
	g->conf.live.send_timeout = 1000;
	g->conf.live.idle_timeout = 1000;
	assert_int_equal(
	    worker_new(&g->shared, &g->conf, g->tls, 0, &g->io, &e), 0);
	g->ctx = SSL_CTX_new(TLS_client_method());
	assert_non_null(g->ctx);
	assert_int_equal(SSL_CTX_set1_groups_list(g->ctx, "X25519:P-256"), 1);
}

/* One round of the loop, which waits for nothing. */
static void
run(struct stage *g)
{
	(void)event_base_loop(g->io->base, EVLOOP_NONBLOCK);
}

static void
close_stage(struct stage *g)
{
	struct session *s;

	while ((s = TAILQ_FIRST(&g->io->sessions)) != NULL)
		session_close(s);
	run(g);
	assert_true(TAILQ_EMPTY(&g->io->dead));
	worker_free(g->io);
	presence_free(g->shared.presence);
	limits_free(g->shared.limits);
	tls_config_unref(g->tls);
	SSL_CTX_free(g->ctx);
	(void)unlink(g->cert);
	(void)unlink(g->key);
}

/* Connects, and says nothing yet. */
static void
enter(struct stage *g, struct guest *v)
{
	const struct limits_caller c = {.now_ms = clock_mono_ms()};
	struct session_socket sock = {.peer = "guest"};
	const char *why;
	int fds[2];

	assert_int_equal(
	    socketpair(
		AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds),
	    0);
	sock.fd = fds[0];
	v->fd = fds[1];
	assert_int_equal(limits_admit(g->shared.limits, &c, &why), 0);
	session_open(g->io, &sock);
	v->s = TAILQ_LAST(&g->io->sessions, io_sessions);
	assert_non_null(v->s);
	v->ssl = SSL_new(g->ctx);
	assert_non_null(v->ssl);
	assert_int_equal(SSL_set_fd(v->ssl, v->fd), 1);
}

/* As enter(), and goes on until both may speak. */
static void
meet(struct stage *g, struct guest *v)
{
	int i;

	enter(g, v);
	for (i = 0; i < ROUNDS && SSL_connect(v->ssl) != 1; i++)
		run(g);
	while (i++ < ROUNDS && v->s->state == SESSION_HANDSHAKE)
		run(g);
	assert_int_equal(v->s->state, SESSION_OPEN);
}

static void
part(struct guest *v)
{
	SSL_free(v->ssl);
	(void)close(v->fd);
}

static void
say(struct guest *v, const char *words)
{
	assert_int_equal(
	    SSL_write(v->ssl, words, (int)strlen(words)), strlen(words));
}

/* Reads what there is; how many lines end in it. */
static int
hear(struct guest *v)
{
	char piece[16384];
	int i, n, lines = 0;

	while ((n = SSL_read(v->ssl, piece, sizeof(piece))) > 0) {
		for (i = 0; i < n; i++)
			lines += piece[i] == '\n';
	}
	return (lines);
}

/* Runs until so many lines have come; more may have. */
static int
hear_lines(struct stage *g, struct guest *v, int want)
{
	int i, n = 0;

	for (i = 0; i < ROUNDS && n < want; i++) {
		run(g);
		n += hear(v);
	}
	return (n);
}

/* Has the address of all guests ask for too much. */
static void
burden(struct stage *g)
{
	const uint8_t address[LIMITS_ADDRESS] = {0};

	limits_charge(g->shared.limits, address, "", 200 * 70, clock_mono_ms());
}

/* Uses the address's rate up. */
static void
exhaust(struct stage *g)
{
	const uint8_t address[LIMITS_ADDRESS] = {0};

	limits_charge(
	    g->shared.limits, address, "", 200 * 2 * BURST, clock_mono_ms());
}

/* Makes a game of so many lines, and tells its id in hex. */
static void
make_game(struct db *p, int lines, char id[2 * HASH_LEN + 1])
{
	struct store_game_row row = {
	    .at_ms = 1000, .turn = 2, .seq = lines - 1, .phase = "muster"};
	uint8_t game[HASH_LEN];
	int i;

	assert_int_equal(store_begin(p->st), 0);
	row.gid = db_add_game(p->st, 1, "muster", 1000);
	for (i = 0; i < lines; i++)
		assert_int_equal(db_add_line(p->st, row.gid, i, i, NULL), 0);
	assert_int_equal(store_game_update(p->st, &row, row.id, "{}", 2), 0);
	assert_int_equal(store_commit(p->st), 0);
	hex_format(id, db_hash_of(game, 1), HASH_LEN);
}

/* Watches a game from its first line on. */
static void
watch(struct guest *v, const char *id)
{
	char request[256];

	(void)snprintf(request, sizeof(request),
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"game.watch\","
	    "\"params\":{\"game\":\"%s\",\"after\":-1}}\n",
	    id);
	say(v, request);
}

static const char hello[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server.hello\"}\n";

/* ---- places in the queue ---- */

/* Who had a turn, in order. */
struct turns {
	struct session *who[4];
	int n;
};

/* A session that only notes its turn. */
struct waiter {
	struct session s;
	struct turns *turns;
};

static void
waiter_cb(int fd, short what, void *arg)
{
	struct waiter *w = arg;

	(void)fd;
	(void)what;
	assert_true(w->turns->n < 4);
	w->turns->who[w->turns->n++] = &w->s;
}

static void
who_is_told_to_go_on_twice_keeps_his_place(void **state)
{
	struct event_base *base = event_base_new();
	struct turns turns = {.n = 0};
	struct waiter *w = calloc(2, sizeof(*w));
	int i;

	(void)state;
	assert_non_null(base);
	assert_non_null(w);
	for (i = 0; i < 2; i++) {
		w[i].turns = &turns;
		w[i].s.state = SESSION_OPEN;
		assert_int_equal(event_assign(&w[i].s.work_ev, base, -1, 0,
				     waiter_cb, &w[i]),
		    0);
		/* Its time has come: it waits in the queue. */
		event_active(&w[i].s.work_ev, EV_TIMEOUT, 0);
	}
	session_kick(&w[0].s);
	for (i = 0; i < ROUNDS && turns.n < 2; i++)
		(void)event_base_loop(base, EVLOOP_NONBLOCK);
	assert_int_equal(turns.n, 2);
	assert_ptr_equal(turns.who[0], &w[0].s);
	assert_ptr_equal(turns.who[1], &w[1].s);
	/* In his turn he may ask for another one. */
	session_kick(&w[1].s);
	for (i = 0; i < ROUNDS && turns.n < 3; i++)
		(void)event_base_loop(base, EVLOOP_NONBLOCK);
	assert_int_equal(turns.n, 3);
	event_base_free(base);
	free(w);
}

/* ---- what is asked for ---- */

static void
lines_are_read_few_at_a_time_and_those_asked_for_are_counted(void **state)
{
	struct db *p = *state;
	struct store_game_row row;
	char id[2 * HASH_LEN + 1];
	uint8_t game[HASH_LEN];
	struct guest v;
	struct stage g;
	int64_t us;
	bool is_new;
	int lines, turns;
	size_t i;

	make_game(p, 40, id);
	open_stage(&g, p);
	meet(&g, &v);
	db_hash_of(game, 1);
	assert_int_equal(store_game_find(g.io->reader, game, &row), 0);
	assert_int_equal(
	    game_feed_watch(v.s, game, row.gid, false, &is_new), 0);
	game_feed_begin(v.s, game, 0, 39);
	for (turns = 0; game_feed.is_behind(v.s); turns++) {
		us = 0;
		assert_int_equal(game_feed.pump(v.s, &us), 0);
		assert_true(us > 0);
		for (i = 0, lines = 0; i < v.s->out.len; i++)
			lines += v.s->out.data[i] == '\n';
		assert_true(lines <= 16);
		buf_reset(&v.s->out);
	}
	assert_in_range(turns, 3, 4);
	/* One that comes by itself is nothing that he asked for. */
	assert_int_equal(db_add_line(p->st, row.gid, 40, 40, NULL), 0);
	row.seq = 40;
	assert_int_equal(store_game_update(p->st, &row, row.id, "{}", 2), 0);
	game_feed_publish(g.io, game, 40);
	assert_true(mailbox_take(g.io->mailbox));
	us = 0;
	assert_int_equal(game_feed.pump(v.s, &us), 0);
	assert_true(v.s->out.len > 0);
	assert_int_equal(us, 0);
	part(&v);
	close_stage(&g);
}

static void
a_replay_is_charged_to_who_asks_for_it(void **state)
{
	struct db *p = *state;
	char id[2 * HASH_LEN + 1];
	struct guest v;
	struct stage g;
	int i;

	make_game(p, LINES, id);
	open_stage(&g, p);
	meet(&g, &v);
	say(&v, hello);
	assert_int_equal(hear_lines(&g, &v, 1), 1);
	run(&g);
	assert_false(v.s->has_yielded);
	/* The requests alone are far too few for it. */
	for (i = 0; i < REPLAYS && !v.s->has_yielded; i++) {
		watch(&v, id);
		assert_int_equal(hear_lines(&g, &v, LINES + 1), LINES + 1);
		say(&v, hello);
		assert_int_equal(hear_lines(&g, &v, 1), 1);
	}
	assert_true(v.s->has_yielded);
	part(&v);
	close_stage(&g);
}

static void
blank_lines_cost_as_much_as_requests(void **state)
{
	char blank[81] = {0};
	struct db *p = *state;
	struct guest v;
	struct stage g;
	int i;

	memset(blank, '\n', sizeof(blank) - 1);
	open_stage(&g, p);
	meet(&g, &v);
	for (i = 0; i < 2000 && v.s->clocks[SESSION_CLOCK_RATE] == 0; i++) {
		if (i < BURST / 60)
			say(&v, blank);
		run(&g);
	}
	assert_int_not_equal(v.s->clocks[SESSION_CLOCK_RATE], 0);
	assert_int_equal(v.s->state, SESSION_OPEN);
	/* That is no answer; nothing was asked. */
	assert_int_equal(hear(&v), 0);
	part(&v);
	close_stage(&g);
}

static void
who_sends_no_request_rests_as_others_do(void **state)
{
	struct db *p = *state;
	struct guest v;
	struct stage g;
	int i;

	open_stage(&g, p);
	meet(&g, &v);
	say(&v, hello);
	assert_int_equal(hear_lines(&g, &v, 1), 1);
	say(&v, "{");
	for (i = 0; i < ROUNDS && v.s->in.in.len == 0; i++)
		run(&g);
	assert_int_equal(v.s->clocks[SESSION_CLOCK_RATE], 0);
	exhaust(&g);
	say(&v, "{");
	for (i = 0; i < 2000 && v.s->clocks[SESSION_CLOCK_RATE] == 0; i++)
		run(&g);
	assert_int_not_equal(v.s->clocks[SESSION_CLOCK_RATE], 0);
	assert_int_equal(v.s->state, SESSION_OPEN);
	part(&v);
	close_stage(&g);
}

static void
who_asks_for_much_writes_less_in_a_turn(void **state)
{
	static char much[8 * 16384];
	struct db *p = *state;
	struct guest v;
	struct stage g;
	int i;

	memset(much, 'x', sizeof(much));
	open_stage(&g, p);
	meet(&g, &v);
	assert_int_equal(session_send(v.s, much, sizeof(much)), 0);
	session_kick(v.s);
	run(&g);
	assert_int_equal(v.s->out.len, 0);
	(void)hear(&v);
	burden(&g);
	session_kick(v.s);
	for (i = 0; i < ROUNDS && !v.s->has_yielded; i++)
		run(&g);
	run(&g);
	assert_int_equal(session_send(v.s, much, sizeof(much)), 0);
	session_kick(v.s);
	for (i = 0; i < ROUNDS && v.s->sent == 0; i++)
		run(&g);
	/* The kick and the socket were a turn each, at most. */
	assert_in_range(v.s->sent, 1, 4 * 16384);
	/* The rest comes, too. */
	for (i = 0; i < ROUNDS && v.s->out.len > 0; i++) {
		run(&g);
		(void)hear(&v);
	}
	assert_int_equal(v.s->out.len, 0);
	part(&v);
	close_stage(&g);
}

static void
who_asks_for_much_is_answered_to_the_last(void **state)
{
	struct db *p = *state;
	struct guest v;
	struct stage g;
	int i;

	open_stage(&g, p);
	meet(&g, &v);
	burden(&g);
	for (i = 0; i < 40; i++)
		say(&v, hello);
	assert_int_equal(hear_lines(&g, &v, 40), 40);
	assert_true(v.s->has_yielded);
	part(&v);
	close_stage(&g);
}

/* ---- deadlines ---- */

/* Lets a clock run out now, before anything else is looked at. */
static void
expire(struct stage *g, struct session *s, enum session_clock clock)
{
	s->clocks[clock] = clock_mono_ms();
	event_active(&s->timer_ev, EV_TIMEOUT, 0);
	/* A socket that is readable has its turn later, being behind. */
	(void)event_base_loop(g->io->base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
}

static void
who_is_kept_waiting_is_not_too_late(void **state)
{
	struct db *p = *state;
	struct session *s;
	struct guest v;
	struct stage g;
	int i;

	open_stage(&g, p);
	burden(&g);
	enter(&g, &v);
	s = v.s;
	for (i = 0; i < ROUNDS && !s->has_yielded; i++)
		run(&g);
	assert_int_equal(SSL_connect(v.ssl), -1);
	/* His hello lies there. */
	expire(&g, s, SESSION_CLOCK_HANDSHAKE);
	assert_int_equal(s->state, SESSION_HANDSHAKE);
	assert_true(s->clocks[SESSION_CLOCK_HANDSHAKE] > clock_mono_ms());
	for (i = 0; i < ROUNDS && SSL_connect(v.ssl) != 1; i++)
		run(&g);
	while (i++ < ROUNDS && s->state == SESSION_HANDSHAKE)
		run(&g);
	for (i = 0; i < 100; i++)
		run(&g);
	assert_int_equal(s->state, SESSION_OPEN);
	say(&v, hello);
	expire(&g, s, SESSION_CLOCK_FIRST);
	assert_int_equal(s->state, SESSION_OPEN);
	assert_int_equal(hear_lines(&g, &v, 1), 1);
	/* With nothing there he is; and so he is in the end. */
	say(&v, "{");
	for (i = 0; i < ROUNDS && s->clocks[SESSION_CLOCK_FRAME] == 0; i++)
		run(&g);
	for (i = 0; i < 100; i++)
		run(&g);
	say(&v, " ");
	s->latest[SESSION_CLOCK_FRAME] = clock_mono_ms();
	expire(&g, s, SESSION_CLOCK_FRAME);
	assert_int_not_equal(s->state, SESSION_OPEN);
	part(&v);
	close_stage(&g);
}

static void
who_is_silent_is_too_late(void **state)
{
	struct db *p = *state;
	struct guest v;
	struct stage g;
	int i;

	open_stage(&g, p);
	burden(&g);
	meet(&g, &v);
	for (i = 0; i < 100; i++)
		run(&g);
	assert_true(v.s->has_yielded);
	expire(&g, v.s, SESSION_CLOCK_FIRST);
	assert_int_not_equal(v.s->state, SESSION_OPEN);
	part(&v);
	close_stage(&g);
}

/* ---- guests ---- */

static void
guests_make_room_when_few_places_are_left(void **state)
{
	struct db *p = *state;
	struct guest v[9];
	struct stage g;
	int i;

	open_stage(&g, p);
	g.limits.connections = 16;
	limits_set(g.shared.limits, &g.limits);
	for (i = 0; i < 9; i++)
		meet(&g, &v[i]);
	/* Nine of sixteen: they may stay. */
	lobby_feed_watch(v[0].s, false, false);
	expire(&g, v[0].s, SESSION_CLOCK_GUEST);
	expire(&g, v[1].s, SESSION_CLOCK_GUEST);
	assert_int_equal(v[0].s->state, SESSION_OPEN);
	assert_int_equal(v[1].s->state, SESSION_OPEN);
	g.limits.connections = 10;
	limits_set(g.shared.limits, &g.limits);
	/* Nine of ten: who watches goes as well, who is logged in stays. */
	assert_int_equal(db_add_account(p->st, "anna", 1), 0);
	assert_int_equal(presence_enter(g.shared.presence, "anna"), 0);
	v[1].s->is_logged_in = true;
	(void)snprintf(v[1].s->account, sizeof(v[1].s->account), "anna");
	expire(&g, v[1].s, SESSION_CLOCK_GUEST);
	expire(&g, v[0].s, SESSION_CLOCK_GUEST);
	assert_int_equal(v[1].s->state, SESSION_OPEN);
	assert_int_not_equal(v[0].s->state, SESSION_OPEN);
	assert_int_equal(hear_lines(&g, &v[0], 1), 1);
	part(&v[0]);
	for (i = 0; i < ROUNDS && limits_connections(g.shared.limits) > 8; i++)
		run(&g);
	/* That was enough. */
	expire(&g, v[2].s, SESSION_CLOCK_GUEST);
	assert_int_equal(v[2].s->state, SESSION_OPEN);
	for (i = 1; i < 9; i++)
		part(&v[i]);
	close_stage(&g);
}

int
main(void)
{
#define WITH_STORE(test) \
	cmocka_unit_test_setup_teardown(test, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_is_told_to_go_on_twice_keeps_his_place),
	    WITH_STORE(
		lines_are_read_few_at_a_time_and_those_asked_for_are_counted),
	    WITH_STORE(a_replay_is_charged_to_who_asks_for_it),
	    WITH_STORE(blank_lines_cost_as_much_as_requests),
	    WITH_STORE(who_sends_no_request_rests_as_others_do),
	    WITH_STORE(who_asks_for_much_writes_less_in_a_turn),
	    WITH_STORE(who_asks_for_much_is_answered_to_the_last),
	    WITH_STORE(who_is_kept_waiting_is_not_too_late),
	    WITH_STORE(who_is_silent_is_too_late),
	    WITH_STORE(guests_make_room_when_few_places_are_left),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	faulty_install();
	log_set_level(LOG_ERROR);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
