/* SPDX-License-Identifier: ISC */
/*
 * What a connection may do and for how long: deadlines, bounds, ends that
 * lose nothing, and that one that misbehaves does not hold up another.
 */
#include "server/rpc/session.h"

#include <poll.h>
#include <signal.h>

#include "common/base/clock.h"
#include "common/record/statement.h"
#include "server/base/log.h"
#include "tests/lib/peer.h"

static void
a_client_that_shuts_its_end_still_gets_its_answers(void **state)
{
	struct daemon *d = *state;
	struct rpc_reply rp;
	struct peer p;
	int i;

	peer_meet(&p, d);
	for (i = 0; i < 50; i++)
		(void)peer_ask(&p, "rpc.discover", NULL);
	assert_int_equal(SSL_shutdown(p.ssl), 0);
	for (i = 1; i <= 50; i++) {
		assert_true(peer_hear(&p, &rp));
		assert_int_equal(rp.id, i);
		rpc_reply_clear(&rp);
	}
	assert_false(peer_hear(&p, &rp));
	peer_part(&p);
}

static void
too_many_connections_from_one_address_are_turned_away(void **state)
{
	static const char *const settings[] = {
	    "listen=127.0.0.1:0", "max_per_address=3"};
	struct daemon d;
	struct peer p[3];
	char byte;
	int fd, i;

	(void)state;
	daemon_start(&d, settings, 2);
	for (i = 0; i < 3; i++)
		peer_meet(&p[i], &d);
	fd = peer_dial(&d);
	assert_int_equal(recv(fd, &byte, 1, 0), 0);
	(void)close(fd);
	for (i = 0; i < 3; i++)
		peer_gives(&p[i], "server.hello", NULL, 0);
	peer_part(&p[0]);
	/* The place is free once the server has seen the end. */
	for (i = 0; i < 1000; i++) {
		struct pollfd pfd = {.fd = peer_dial(&d), .events = POLLIN};

		if (poll(&pfd, 1, 20) == 0) {
			(void)close(pfd.fd);
			break;
		}
		(void)close(pfd.fd);
	}
	assert_true(i < 1000);
	peer_part(&p[1]);
	peer_part(&p[2]);
	daemon_end(&d);
}

static void
plain_text_gets_an_end_and_not_a_hang(void **state)
{
	static const char *const words[] = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	    "x",
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server.hello\"}\n"};
	struct daemon *d = *state;
	char byte;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		fd = peer_dial(d);
		assert_int_equal(
		    send(fd, words[i], strlen(words[i]), 0), strlen(words[i]));
		assert_int_equal(recv(fd, &byte, 1, 0), 0);
		(void)close(fd);
	}
}

static void
one_who_does_not_go_is_not_waited_for(void **state)
{
	struct daemon *d = *state;
	struct pollfd pfd = {.events = 0};
	const int64_t begin_ms = clock_mono_ms();
	char byte;

	pfd.fd = peer_dial(d);
	assert_int_equal(send(pfd.fd, "x", 1, 0), 1);
	assert_int_equal(recv(pfd.fd, &byte, 1, 0), 0);
	/* Nobody takes what is sent once the other end is closed, too. */
	while (
	    send(pfd.fd, "x", 1, MSG_NOSIGNAL) == 1 && poll(&pfd, 1, 50) == 0)
		assert_true(clock_mono_ms() - begin_ms < PEER_WAIT_MS);
	(void)close(pfd.fd);
}

/* Fails unless the connection is told that the time is up, and ends. */
static void
times_out(struct peer *p, const char *words)
{
	struct rpc_reply rp;

	assert_true(peer_hear(p, &rp));
	assert_int_equal(rp.r, ERR_TIMEOUT);
	assert_int_equal(rp.id, -1);
	if (strstr(rp.message, words) == NULL)
		fail_msg("%s", rp.message);
	rpc_reply_clear(&rp);
	assert_false(peer_hear(p, &rp));
	peer_part(p);
}

static void
what_does_not_go_on_ends_at_its_deadline(void **state)
{
	static const char *const settings[] = {"listen=127.0.0.1:0",
	    "handshake_timeout=1", "login_timeout=1", "request_timeout=1",
	    "idle_timeout=2"};
	const char half[] = "{\"jsonrpc\":";
	/* The beginning of a hello, which is longer. */
	const char hello[] = "\x16\x03\x01\x01\xfc\x01\x00\x01\xf8\x03\x03";
	struct peer idle, partial, silent, trickle;
	struct daemon d;
	struct pollfd pfd = {.events = POLLIN};
	char byte;
	int64_t begin_ms;
	int drip, i;

	(void)state;
	daemon_start(&d, settings, 5);
	begin_ms = clock_mono_ms();
	pfd.fd = peer_dial(&d);
	drip = peer_dial(&d);
	peer_meet(&silent, &d);
	peer_meet(&partial, &d);
	peer_meet(&trickle, &d);
	peer_meet(&idle, &d);
	peer_gives(&idle, "server.hello", NULL, 0);
	peer_gives(&partial, "server.hello", NULL, 0);
	peer_say(&partial, half, strlen(half));
	/* A byte now and then wins no time. */
	for (i = 0; i < 100 && poll(&pfd, 1, 20) == 0; i++) {
		peer_say(&trickle, i == 0 ? "{" : " ", 1);
		peer_say(&partial, " ", 1);
		(void)send(drip, i < 11 ? &hello[i] : "x", 1, MSG_NOSIGNAL);
	}
	assert_int_equal(recv(pfd.fd, &byte, 1, 0), 0);
	(void)close(pfd.fd);
	assert_true(recv(drip, &byte, 1, 0) <= 0);
	(void)close(drip);
	times_out(&silent, "no request came");
	times_out(&trickle, "no request came");
	times_out(&partial, "the rest of the request");
	assert_in_range(clock_mono_ms() - begin_ms, 900, 1900);
	times_out(&idle, "for too long");
	assert_in_range(clock_mono_ms() - begin_ms, 1900, 9000);
	daemon_end(&d);
}

static void
a_watcher_is_never_idle(void **state)
{
	static const char *const settings[] = {
	    "listen=127.0.0.1:0", "idle_timeout=1"};
	struct peer player, watcher;
	struct player pl;
	struct daemon d;
	struct rpc_reply rp;

	(void)state;
	daemon_start(&d, settings, 2);
	peer_meet(&player, &d);
	peer_create(&player, &d, &pl);
	peer_meet(&watcher, &d);
	peer_gives(
	    &watcher, "game.watch", json_pack("{s:s}", "game", pl.id), 0);
	times_out(&player, "for too long");
	/* Its second is long over; the line still comes. */
	peer_meet(&player, &d);
	peer_gives(&player, "account.login",
	    peer_proof(&d, player.exporter, &pl.keys.sign, "anna"), 0);
	peer_gives(&player, "game.order", peer_chat(&d, &pl, "words"), 0);
	peer_hear_entry(&watcher, &pl, 1);
	peer_gives(
	    &watcher, "game.unwatch", json_pack("{s:s}", "game", pl.id), 0);
	assert_true(peer_hear(&watcher, &rp));
	assert_int_equal(rp.r, ERR_TIMEOUT);
	rpc_reply_clear(&rp);
	peer_part(&watcher);
	peer_part(&player);
	sign_key_clear(&pl.keys.sign);
	vrf_key_clear(&pl.keys.dice);
	daemon_end(&d);
}

static void
strangers_leave_room_for_one_who_logs_in(void **state)
{
	static const char *const settings[] = {
	    "listen=127.0.0.1:0", "max_connections=8", "login_timeout=1"};
	const int64_t begin_ms = clock_mono_ms();
	struct peer anna, strangers[8];
	struct pollfd pfds[8];
	struct sign_key key;
	struct daemon d;
	int i;

	(void)state;
	daemon_start(&d, settings, 3);
	for (i = 0; i < 8; i++) {
		peer_meet(&strangers[i], &d);
		peer_gives(&strangers[i],
		    i == 0 ? "lobby.watch" : "server.hello", NULL, 0);
		pfds[i] =
		    (struct pollfd){.fd = strangers[i].fd, .events = POLLIN};
	}
	while (!peer_try_to_meet(&anna, &d)) {
		assert_true(clock_mono_ms() - begin_ms < PEER_WAIT_MS);
		(void)poll(NULL, 0, 20); /* tries no more often than a person */
	}
	peer_key_of(&key, 1);
	peer_gives(&anna, "account.register",
	    peer_proof(&d, anna.exporter, &key, "anna"), 0);
	/* One of them had to go. */
	assert_true(poll(pfds, 8, PEER_WAIT_MS) > 0);
	for (i = 0; pfds[i].revents == 0; i++)
		peer_part(&strangers[i]);
	times_out(&strangers[i], "only clients that log in may stay connected");
	peer_gives(&anna, "server.hello", NULL, 0);
	while (++i < 8)
		peer_part(&strangers[i]);
	peer_part(&anna);
	sign_key_clear(&key);
	daemon_end(&d);
}

static void
a_request_of_the_longest_length_is_taken_and_no_longer_one(void **state)
{
	static const char request[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"game.list\"";
	struct daemon *d = *state;
	char *line = malloc(RPC_REQUEST_MAX + 2);
	struct rpc_reply rp;
	struct peer p;

	assert_non_null(line);
	memset(line, ' ', RPC_REQUEST_MAX + 2);
	memcpy(line, request, sizeof(request) - 1);
	peer_meet(&p, d);
	line[RPC_REQUEST_MAX - 1] = '}';
	line[RPC_REQUEST_MAX] = '\n';
	peer_say(&p, line, RPC_REQUEST_MAX + 1);
	assert_true(peer_hear(&p, &rp));
	assert_int_equal(rp.r, 0);
	rpc_reply_clear(&rp);
	line[RPC_REQUEST_MAX - 1] = ' ';
	line[RPC_REQUEST_MAX] = '}';
	line[RPC_REQUEST_MAX + 1] = '\n';
	peer_say(&p, line, RPC_REQUEST_MAX + 2);
	assert_true(peer_hear(&p, &rp));
	assert_int_equal(rp.r, ERR_TOOBIG);
	rpc_reply_clear(&rp);
	assert_false(peer_hear(&p, &rp));
	peer_part(&p);
	free(line);
}

static void
pipelined_requests_are_all_answered(void **state)
{
	static const char request[] = "{\"jsonrpc\":\"2.0\",\"id\":%d,"
				      "\"method\":\"%s\"}\n";
	const int n = 3000;
	struct daemon *d = *state;
	struct rpc_reply rp;
	struct peer p;
	struct buf b;
	int i;

	buf_init(&b, 0);
	for (i = 0; i < n; i++)
		buf_printf(&b, request, i,
		    i % 100 == 0 ? "rpc.discover" : "game.list");
	peer_meet(&p, d);
	peer_say(&p, b.data, b.len);
	for (i = 0; i < n; i++) {
		assert_true(peer_hear(&p, &rp));
		assert_int_equal(rp.id, i);
		assert_int_equal(rp.r, 0);
		rpc_reply_clear(&rp);
	}
	peer_part(&p);
	buf_clear(&b);
}

static void
one_who_never_reads_holds_up_nobody_and_is_cut_off(void **state)
{
	static const char *const settings[] = {
	    "listen=127.0.0.1:0", "io_threads=1", "send_timeout=1"};
	static const char request[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}\n";
	struct peer deaf, good;
	struct daemon d;
	struct pollfd pfd;
	int64_t begin_ms;
	int n;

	(void)state;
	daemon_start(&d, settings, 3);
	peer_meet(&deaf, &d);
	peer_meet(&good, &d);
	pfd = (struct pollfd){.fd = deaf.fd, .events = POLLOUT};
	begin_ms = clock_mono_ms();
	/* As much as is taken; then the server must stop taking. */
	for (n = 0; n < 1000000 && poll(&pfd, 1, 200) == 1 &&
	     (pfd.revents & POLLHUP) == 0;
	     n++) {
		if (SSL_write(deaf.ssl, request, (int)strlen(request)) <= 0)
			break;
	}
	assert_true(n < 1000000);
	peer_gives(&good, "server.hello", NULL, 0);
	pfd.events = 0;
	while (
	    poll(&pfd, 1, 50) == 0 && clock_mono_ms() - begin_ms < PEER_WAIT_MS)
		peer_gives(&good, "game.list", NULL, 0);
	assert_true((pfd.revents & (POLLHUP | POLLERR)) != 0);
	peer_part(&deaf);
	peer_part(&good);
	daemon_end(&d);
}

static void
closing_twice_is_harmless_to_the_others(void **state)
{
	struct daemon *d = *state;
	struct peer good, p;
	int i;

	peer_meet(&good, d);
	/* Resets at every stage of a session's life. */
	for (i = 0; i < 60; i++) {
		const struct linger now = {.l_onoff = 1};

		if (i % 3 == 0) {
			p.fd = peer_dial(d);
		} else {
			peer_meet(&p, d);
			(void)peer_ask(&p, "rpc.discover", NULL);
		}
		if (i % 2 == 0)
			assert_int_equal(setsockopt(p.fd, SOL_SOCKET, SO_LINGER,
					     &now, sizeof(now)),
			    0);
		if (i % 3 == 0)
			(void)close(p.fd);
		else
			peer_part(&p);
	}
	peer_gives(&good, "server.hello", NULL, 0);
	peer_part(&good);
}

/* The params of a statement of anna's account, the first one. */
static json_t *
stated(const struct daemon *d, enum statement_do what,
    const struct sign_key *key, const struct sign_key *by, int64_t n,
    uint8_t prev[HASH_LEN])
{
	const struct statement_parts sp = {d->identity, "anna", n, prev, what,
	    key->public_key, clock_wall_ms()};
	uint8_t sig[SIGN_LEN];
	json_t *params;
	struct buf b;

	buf_init(&b, 0);
	assert_int_equal(statement_write(&sp, &b), 0);
	assert_int_equal(sign_make(by, SIGN_TAG_KEY, b.data, b.len, sig), 0);
	params = json_pack("{s:s, s:o, s:o}", "statement", buf_str(&b), "key",
	    js_hex(by->public_key, SIGN_KEY_LEN), "sig", js_hex(sig, SIGN_LEN));
	assert_non_null(params);
	assert_int_equal(hash_tagged(prev, SIGN_TAG_KEY, b.data, b.len), 0);
	buf_clear(&b);
	return (params);
}

static void
a_dropped_key_loses_its_connections(void **state)
{
	struct daemon *d = *state;
	uint8_t prev[HASH_LEN] = {0}, zeros[HASH_LEN] = {0};
	struct peer thief, guest, phone;
	struct sign_key new, other;
	struct rpc_reply rp;
	struct player pl;

	peer_key_of(&new, 77);
	peer_key_of(&other, 78);
	peer_meet(&thief, d);
	peer_create(&thief, d, &pl);
	/* Who is not logged in may state, if the key is right. */
	peer_meet(&guest, d);
	peer_gives(&guest, "account.key",
	    stated(d, STATEMENT_ADD, &other, &other, 1, zeros), ERR_DENIED);
	peer_gives(&guest, "account.key",
	    stated(d, STATEMENT_ADD, &new, &pl.keys.sign, 1, prev), 0);
	peer_meet(&phone, d);
	peer_gives(&phone, "account.login",
	    peer_proof(d, phone.exporter, &new, "anna"), 0);
	peer_gives(&phone, "account.key",
	    stated(d, STATEMENT_DROP, &pl.keys.sign, &new, 2, prev), 0);
	assert_false(peer_hear(&thief, &rp));
	peer_part(&thief);
	peer_meet(&thief, d);
	peer_gives(&thief, "account.login",
	    peer_proof(d, thief.exporter, &pl.keys.sign, "anna"), ERR_DENIED);
	peer_call(&phone, "account.keys", json_object(), &rp);
	assert_int_equal(
	    json_integer_value(json_object_get(rp.result, "kn")), 2);
	assert_int_equal(
	    json_array_size(json_object_get(rp.result, "keys")), 1);
	rpc_reply_clear(&rp);
	peer_part(&thief);
	peer_part(&guest);
	peer_part(&phone);
}

int
main(void)
{
#define WITH_DAEMON(test)                \
	cmocka_unit_test_setup_teardown( \
	    test, daemon_start_plain, daemon_end_plain)
	const struct CMUnitTest tests[] = {
	    WITH_DAEMON(a_client_that_shuts_its_end_still_gets_its_answers),
	    cmocka_unit_test(
		too_many_connections_from_one_address_are_turned_away),
	    WITH_DAEMON(a_dropped_key_loses_its_connections),
	    WITH_DAEMON(plain_text_gets_an_end_and_not_a_hang),
	    WITH_DAEMON(one_who_does_not_go_is_not_waited_for),
	    cmocka_unit_test(what_does_not_go_on_ends_at_its_deadline),
	    cmocka_unit_test(a_watcher_is_never_idle),
	    cmocka_unit_test(strangers_leave_room_for_one_who_logs_in),
	    WITH_DAEMON(
		a_request_of_the_longest_length_is_taken_and_no_longer_one),
	    WITH_DAEMON(pipelined_requests_are_all_answered),
	    cmocka_unit_test(
		one_who_never_reads_holds_up_nobody_and_is_cut_off),
	    WITH_DAEMON(closing_twice_is_harmless_to_the_others),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	log_set_level(LOG_ERROR);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
