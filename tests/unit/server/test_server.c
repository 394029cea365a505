/* SPDX-License-Identifier: ISC */
/*
 * Whole daemons, two in one process: who they are, accounts and codes, what
 * a login is bound to, games that are watched, and an orderly end.
 */
#include "server/server.h"

#include <poll.h>
#include <signal.h>

#include "common/base/clock.h"
#include "common/crypt/keyfile.h"
#include "server/base/log.h"
#include "server/net/presence.h"
#include "server/rpc/invite.h"
#include "tests/lib/peer.h"

#define PEER_TEXTS 30 /* chats of the game that is watched */

static void
two_daemons_live_in_one_process(void **state)
{
	struct daemon *a = *state, b;
	struct rpc_reply rp;
	struct sign_key key;
	struct peer pa, pb;
	uint8_t server[SIGN_KEY_LEN], sig[SIGN_LEN];
	struct errinfo e;

	daemon_start(&b, daemon_plain, 1);
	peer_meet(&pa, a);
	peer_meet(&pb, &b);
	peer_key_of(&key, 1);
	peer_call(&pb, "server.hello", NULL, &rp);
	assert_int_equal(
	    js_get_hex(rp.result, "server", NULL, server, sizeof(server), &e),
	    0);
	assert_memory_equal(server, b.identity, sizeof(server));
	assert_memory_not_equal(server, a->identity, sizeof(server));
	assert_int_equal(
	    js_get_hex(rp.result, "sig", NULL, sig, sizeof(sig), &e), 0);
	assert_int_equal(
	    sign_check(b.identity, SIGN_TAG_HELLO, pb.exporter, 32, sig), 0);
	rpc_reply_clear(&rp);
	peer_gives(&pa, "account.register",
	    peer_proof(a, pa.exporter, &key, "anna"), 0);
	/* What the one knows the other does not. */
	peer_gives(&pb, "account.login",
	    peer_proof(&b, pb.exporter, &key, "anna"), ERR_DENIED);
	peer_part(&pb);
	daemon_end(&b);
	peer_gives(&pa, "server.hello", NULL, 0);
	peer_part(&pa);
}

static void
a_login_is_bound_to_its_connection_key_account_and_server(void **state)
{
	struct daemon *d = *state, other = *d;
	struct sign_key key, stranger;
	struct peer p, q;
	json_t *params;

	peer_meet(&p, d);
	peer_meet(&q, d);
	peer_key_of(&key, 1);
	peer_key_of(&stranger, 2);
	peer_gives(
	    &p, "account.register", peer_proof(d, p.exporter, &key, "anna"), 0);
	peer_gives(&q, "account.login", peer_proof(d, p.exporter, &key, "anna"),
	    ERR_SIGNATURE);
	other.identity[0] ^= 1;
	peer_gives(&q, "account.login",
	    peer_proof(&other, q.exporter, &key, "anna"), ERR_SIGNATURE);
	peer_gives(&q, "account.login",
	    peer_proof(d, q.exporter, &stranger, "anna"), ERR_DENIED);
	params = peer_proof(d, q.exporter, &key, "annb");
	assert_int_equal(
	    json_object_set_new(params, "account", json_string("anna")), 0);
	peer_gives(&q, "account.login", params, ERR_SIGNATURE);
	peer_gives(&q, "blob.put", json_pack("{s:s}", "value", peer_roster),
	    ERR_LOGIN);
	peer_gives(
	    &q, "account.login", peer_proof(d, q.exporter, &key, "anna"), 0);
	peer_gives(&q, "blob.put", json_pack("{s:s}", "value", peer_roster), 0);
	peer_part(&p);
	peer_part(&q);
}

/* True if the account is here. */
static bool
is_here(const struct daemon *d, const char *account)
{
	return (presence_is_here(server_presence(d->sv), account));
}

/* Waits until the daemon has seen that an account's last connection ended. */
static void
wait_until_gone(const struct daemon *d, const char *account)
{
	const int64_t until_ms = clock_mono_ms() + PEER_WAIT_MS;

	while (is_here(d, account)) {
		assert_true(clock_mono_ms() < until_ms);
		(void)poll(NULL, 0, 1);
	}
}

static void
who_is_logged_in_is_here_until_his_last_connection_ends(void **state)
{
	struct daemon *d = *state;
	struct sign_key anna, bert;
	struct peer p, q;

	peer_meet(&p, d);
	peer_meet(&q, d);
	peer_key_of(&anna, 1);
	peer_key_of(&bert, 2);
	peer_gives(&p, "account.login",
	    peer_proof(d, p.exporter, &anna, "anna"), ERR_DENIED);
	assert_false(is_here(d, "anna"));
	peer_gives(&p, "account.register",
	    peer_proof(d, p.exporter, &anna, "anna"), 0);
	assert_true(is_here(d, "anna"));
	peer_gives(&q, "account.register",
	    peer_proof(d, q.exporter, &bert, "anna"), ERR_EXISTS);
	peer_gives(&q, "account.register",
	    peer_proof(d, q.exporter, &bert, "bert"), 0);
	assert_true(is_here(d, "bert"));
	/* What fails changes nothing; a second login is for another one. */
	peer_gives(&q, "account.login",
	    peer_proof(d, q.exporter, &bert, "anna"), ERR_DENIED);
	assert_true(is_here(d, "bert"));
	peer_gives(
	    &q, "account.login", peer_proof(d, q.exporter, &bert, "bert"), 0);
	peer_gives(
	    &q, "account.login", peer_proof(d, q.exporter, &anna, "anna"), 0);
	assert_false(is_here(d, "bert"));
	peer_gives(
	    &q, "account.login", peer_proof(d, q.exporter, &anna, "anna"), 0);
	peer_gives(
	    &p, "account.login", peer_proof(d, p.exporter, &bert, "bert"), 0);
	assert_true(is_here(d, "anna") && is_here(d, "bert"));
	peer_gives(
	    &p, "account.login", peer_proof(d, p.exporter, &anna, "anna"), 0);
	peer_part(&p);
	peer_meet(&p, d);
	peer_gives(
	    &p, "account.login", peer_proof(d, p.exporter, &bert, "bert"), 0);
	assert_true(is_here(d, "anna"));
	peer_part(&p);
	wait_until_gone(d, "bert");
	assert_true(is_here(d, "anna"));
	peer_part(&q);
	wait_until_gone(d, "anna");
}

static void
who_goes_while_he_is_registered_is_not_here(void **state)
{
	struct daemon *d = *state;
	struct sign_key key;
	struct peer p;
	char name[16];
	uint8_t i;

	for (i = 1; i <= 10; i++) {
		peer_meet(&p, d);
		peer_key_of(&key, i);
		(void)snprintf(name, sizeof(name), "a%d", i);
		(void)peer_ask(&p, "account.register",
		    peer_proof(d, p.exporter, &key, name));
		peer_part(&p);
		wait_until_gone(d, name);
	}
	assert_int_equal(daemon_stop(d), 0);
	for (i = 1; i <= 10; i++) {
		(void)snprintf(name, sizeof(name), "a%d", i);
		assert_false(is_here(d, name));
	}
}

static void
names_and_keys_are_taken_once(void **state)
{
	struct daemon *d = *state;
	struct sign_key a, b;
	struct peer p;

	peer_meet(&p, d);
	peer_key_of(&a, 1);
	peer_key_of(&b, 2);
	peer_gives(
	    &p, "account.register", peer_proof(d, p.exporter, &a, "anna"), 0);
	peer_gives(&p, "account.register",
	    peer_proof(d, p.exporter, &b, "anna"), ERR_EXISTS);
	peer_gives(&p, "account.register",
	    peer_proof(d, p.exporter, &a, "bert"), ERR_EXISTS);
	peer_gives(&p, "account.register",
	    peer_proof(d, p.exporter, &a, "anna"), ERR_EXISTS);
	peer_gives(
	    &p, "account.register", peer_proof(d, p.exporter, &b, "bert"), 0);
	peer_part(&p);
}

static void
what_is_no_name_and_no_key_is_refused(void **state)
{
	static const char *const names[] = {"", "Anna", "an na", "-anna",
	    "anna\xc3\xa4", "a123456789012345678901234567890123"};
	struct daemon *d = *state;
	struct sign_key key;
	struct peer p;
	json_t *params;
	size_t i;

	peer_meet(&p, d);
	peer_key_of(&key, 1);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		peer_gives(&p, "account.register",
		    peer_proof(d, p.exporter, &key, names[i]), ERR_INVALID);
	params = peer_proof(d, p.exporter, &key, "anna");
	(void)json_object_set_new(params, "name", json_string("a\nb"));
	peer_gives(&p, "account.register", params, ERR_INVALID);
	params = peer_proof(d, p.exporter, &key, "anna");
	(void)json_object_set_new(params, "name",
	    json_string("1234567890123456789012345678901234567890123456789"
			"0123456789012345"));
	peer_gives(&p, "account.register", params, ERR_INVALID);
	/* The neutral element: y = 1. */
	memset(key.public_key, 0, sizeof(key.public_key));
	key.public_key[0] = 1;
	peer_gives(&p, "account.register",
	    peer_proof(d, p.exporter, &key, "anna"), ERR_SIGNATURE);
	peer_part(&p);
}

static void
a_code_is_good_for_one_account(void **state)
{
	static const char *const settings[] = {
	    "listen=127.0.0.1:0", "policy=invite"};
	uint8_t secret[KEYFILE_LEN];
	char code[INVITE_TEXT], late[INVITE_TEXT];
	struct sign_key a, b;
	struct errinfo e;
	struct daemon d;
	struct peer p;

	(void)state;
	daemon_start(&d, settings, 2);
	peer_meet(&p, &d);
	peer_key_of(&a, 1);
	peer_key_of(&b, 2);
	assert_int_equal(keyfile_read(d.conf->invite_key, secret, &e), 0);
	assert_int_equal(
	    invite_make(secret, (uint32_t)(clock_wall_ms() / 1000 + 60), code),
	    0);
	assert_int_equal(
	    invite_make(secret, (uint32_t)(clock_wall_ms() / 1000 - 2), late),
	    0);
	peer_gives(&p, "account.register",
	    peer_proof(&d, p.exporter, &a, "anna"), ERR_DENIED);
	peer_gives(&p, "account.register",
	    peer_invited(&d, &p, &a, "anna", late), ERR_DENIED);
	peer_gives(&p, "account.register",
	    peer_invited(&d, &p, &a, "anna", "abcde"), ERR_DENIED);
	peer_gives(
	    &p, "account.register", peer_invited(&d, &p, &a, "anna", code), 0);
	peer_gives(&p, "account.register",
	    peer_invited(&d, &p, &b, "bert", code), ERR_DENIED);
	peer_gives(&p, "account.login", peer_proof(&d, p.exporter, &b, "bert"),
	    ERR_DENIED);
	peer_part(&p);
	daemon_end(&d);
}

static void
a_closed_server_takes_nobody(void **state)
{
	static const char *const settings[] = {
	    "listen=127.0.0.1:0", "policy=closed"};
	struct sign_key key;
	struct daemon d;
	struct peer p;

	(void)state;
	daemon_start(&d, settings, 2);
	peer_meet(&p, &d);
	peer_key_of(&key, 1);
	peer_gives(&p, "account.register",
	    peer_proof(&d, p.exporter, &key, "anna"), ERR_DENIED);
	peer_part(&p);
	daemon_end(&d);
}

static void
guessing_is_bounded_but_locks_nobody_out_by_name(void **state)
{
	static const char *const settings[] = {"listen=127.0.0.1:0",
	    "failure_burst=3", "failure_decay=1", "register_burst=2",
	    "register_decay=1"};
	struct sign_key a, b;
	struct daemon d;
	struct peer p;
	int i;

	(void)state;
	daemon_start(&d, settings, 5);
	peer_meet(&p, &d);
	peer_key_of(&a, 1);
	peer_key_of(&b, 2);
	peer_gives(
	    &p, "account.register", peer_proof(&d, p.exporter, &a, "anna"), 0);
	peer_gives(&p, "account.register",
	    peer_proof(&d, p.exporter, &a, "anna"), ERR_EXISTS);
	peer_gives(&p, "account.register",
	    peer_proof(&d, p.exporter, &b, "bert"), ERR_LIMIT);
	for (i = 0; i < 2; i++)
		peer_gives(&p, "account.login",
		    peer_proof(&d, p.exporter, &b, "anna"), ERR_DENIED);
	peer_gives(
	    &p, "account.login", peer_proof(&d, p.exporter, &a, "anna"), 0);
	peer_gives(&p, "account.login", peer_proof(&d, p.exporter, &b, "anna"),
	    ERR_DENIED);
	peer_gives(&p, "account.login", peer_proof(&d, p.exporter, &b, "carl"),
	    ERR_LIMIT);
	peer_part(&p);
	daemon_end(&d);
}

static void
a_request_waits_for_the_register_before_it(void **state)
{
	struct daemon *d = *state;
	struct sign_key key;
	struct rpc_reply rp;
	struct peer p;
	int64_t first, second;

	peer_meet(&p, d);
	peer_key_of(&key, 1);
	first = peer_ask(
	    &p, "account.register", peer_proof(d, p.exporter, &key, "anna"));
	second =
	    peer_ask(&p, "blob.put", json_pack("{s:s}", "value", peer_roster));
	assert_true(peer_hear(&p, &rp));
	assert_int_equal(rp.id, first);
	rpc_reply_clear(&rp);
	assert_true(peer_hear(&p, &rp));
	assert_int_equal(rp.id, second);
	assert_int_equal(rp.r, 0);
	rpc_reply_clear(&rp);
	peer_part(&p);
}

static void
a_watcher_gets_every_line_once_and_in_order(void **state)
{
	struct daemon *d = *state;
	struct peer all, late, player, some;
	struct player pl;
	int64_t i;

	peer_meet(&player, d);
	peer_meet(&all, d);
	peer_meet(&some, d);
	peer_meet(&late, d);
	peer_create(&player, d, &pl);
	peer_gives(&all, "game.watch",
	    json_pack("{s:s, s:i}", "game", pl.id, "after", -1), 0);
	peer_gives(&some, "game.watch", json_pack("{s:s}", "game", pl.id), 0);
	peer_hear_entry(&all, &pl, 0);
	for (i = 1; i <= PEER_TEXTS; i++) {
		(void)peer_ask(
		    &player, "game.order", peer_chat(d, &pl, "words"));
		if (i == PEER_TEXTS / 2)
			peer_gives(&late, "game.watch",
			    json_pack("{s:s, s:i}", "game", pl.id, "after", -1),
			    0);
	}
	for (i = 1; i <= PEER_TEXTS; i++) {
		peer_hear_entry(&all, &pl, i);
		peer_hear_entry(&some, &pl, i);
	}
	for (i = 0; i <= PEER_TEXTS; i++)
		peer_hear_entry(&late, &pl, i);
	/* Unwatched: the next thing that comes is the reply. */
	peer_gives(&some, "game.unwatch", json_pack("{s:s}", "game", pl.id), 0);
	for (i = 0; i < PEER_TEXTS; i++) {
		struct rpc_reply rp;

		assert_true(peer_hear(&player, &rp));
		assert_int_equal(rp.r, 0);
		rpc_reply_clear(&rp);
	}
	peer_gives(&player, "game.order", peer_chat(d, &pl, "words"), 0);
	peer_hear_entry(&all, &pl, PEER_TEXTS + 1);
	peer_gives(&some, "server.hello", NULL, 0);
	/* Watched anew, it starts where it is told. */
	peer_gives(&some, "game.watch",
	    json_pack("{s:s, s:i}", "game", pl.id, "after", PEER_TEXTS), 0);
	peer_hear_entry(&some, &pl, PEER_TEXTS + 1);
	peer_gives(&some, "game.watch",
	    json_pack("{s:s, s:i}", "game", pl.id, "after", PEER_TEXTS), 0);
	peer_hear_entry(&some, &pl, PEER_TEXTS + 1);
	peer_gives(&some, "game.watch",
	    json_pack("{s:s, s:i}", "game", pl.id, "after", PEER_TEXTS + 2),
	    ERR_INVALID);
	peer_part(&all);
	peer_part(&some);
	peer_part(&late);
	peer_part(&player);
	sign_key_clear(&pl.keys.sign);
	vrf_key_clear(&pl.keys.dice);
}

static void
orders_go_by_the_method_that_is_theirs(void **state)
{
	struct daemon *d = *state;
	struct player pl;
	struct rpc_reply rp;
	struct peer p;
	json_t *params;

	peer_meet(&p, d);
	peer_create(&p, d, &pl);
	peer_gives(&p, "game.join", peer_chat(d, &pl, "x"), ERR_INVALID);
	peer_gives(&p, "game.create", peer_chat(d, &pl, "x"), ERR_INVALID);
	params = peer_chat(d, &pl, "x");
	(void)json_object_set_new(
	    params, "key", js_hex(d->identity, SIGN_KEY_LEN));
	peer_gives(&p, "game.order", params, ERR_SIGNATURE);
	d->identity[3] ^= 1;
	peer_gives(&p, "game.order", peer_chat(d, &pl, "x"), ERR_SERVER);
	d->identity[3] ^= 1;
	pl.head[0] ^= 1;
	peer_call(&p, "game.order", peer_chat(d, &pl, "x"), &rp);
	assert_int_equal(rp.r, ERR_FORK);
	assert_string_equal(rp.where, "params.order.head");
	assert_int_equal(json_integer_value(json_object_get(
			     json_object_get(rp.data, "head"), "seq")),
	    0);
	assert_null(json_object_get(rp.data, "refusal"));
	rpc_reply_clear(&rp);
	pl.head[0] ^= 1;
	params = peer_chat(d, &pl, "x");
	peer_gives(&p, "game.order", json_deep_copy(params), 0);
	/* Known bytes are answered with their line. */
	peer_call(&p, "game.order", params, &rp);
	assert_true(json_is_true(json_object_get(rp.result, "repeat")));
	assert_int_equal(
	    json_integer_value(json_object_get(rp.result, "seq")), 1);
	rpc_reply_clear(&rp);
	peer_part(&p);
	sign_key_clear(&pl.keys.sign);
	vrf_key_clear(&pl.keys.dice);
}

static void
a_stop_ends_idle_and_busy_clients_alike(void **state)
{
	struct daemon *d = *state;
	struct rpc_reply rp;
	struct player pl;
	struct peer busy, idle;
	int i, n = 0;

	peer_meet(&idle, d);
	peer_meet(&busy, d);
	peer_gives(&idle, "server.hello", NULL, 0);
	peer_create(&busy, d, &pl);
	for (i = 0; i < 20; i++)
		(void)peer_ask(&busy, "game.order", peer_chat(d, &pl, "words"));
	assert_int_equal(daemon_stop(d), 0);
	assert_false(peer_hear(&idle, &rp));
	/* What was taken was answered; the rest is the client's to repeat. */
	while (peer_hear(&busy, &rp)) {
		assert_int_equal(rp.r, 0);
		rpc_reply_clear(&rp);
		n++;
	}
	assert_in_range(n, 0, 20);
	peer_part(&idle);
	peer_part(&busy);
	sign_key_clear(&pl.keys.sign);
	vrf_key_clear(&pl.keys.dice);
}

static void
a_second_daemon_may_not_use_the_database(void **state)
{
	struct daemon *d = *state;
	struct server *sv = NULL;
	struct errinfo e = {.text = ""};

	assert_int_not_equal(server_new(d->conf, NULL, &sv, &e), 0);
	assert_null(sv);
	assert_string_not_equal(e.text, "");
}

static void
a_daemon_that_never_ran_can_be_freed(void **state)
{
	struct daemon *d = *state;
	struct errinfo e;
	struct server *sv;
	int i;

	assert_int_equal(daemon_stop(d), 0);
	server_free(d->sv);
	d->sv = NULL;
	for (i = 0; i < 3; i++) {
		assert_int_equal(server_new(d->conf, NULL, &sv, &e), 0);
		if (i == 1) {
			server_stop(sv);
			assert_int_equal(server_run(sv, NULL, NULL, &e), 0);
		}
		server_free(sv);
	}
	server_free(NULL);
}

static void
init_makes_all_or_nothing(void **state)
{
	static const char *const bad[] = {"policy=never"};
	struct daemon *d = *state;
	uint8_t identity[SIGN_KEY_LEN];
	char dir[160];
	struct errinfo e;

	/* What is there is not touched. */
	assert_int_equal(init_make(d->dir, NULL, 0, identity, &e), ERR_EXISTS);
	(void)snprintf(dir, sizeof(dir), "%s/new", d->base);
	assert_int_equal(init_make(dir, bad, 1, identity, &e), ERR_CONFIG);
	assert_int_equal(access(dir, F_OK), -1);
	assert_int_equal(
	    init_make("/nonexistent/x", NULL, 0, identity, &e), ERR_IO);
}

int
main(void)
{
#define WITH_DAEMON(test)                \
	cmocka_unit_test_setup_teardown( \
	    test, daemon_start_plain, daemon_end_plain)
	const struct CMUnitTest tests[] = {
	    WITH_DAEMON(two_daemons_live_in_one_process),
	    WITH_DAEMON(
		a_login_is_bound_to_its_connection_key_account_and_server),
	    WITH_DAEMON(
		who_is_logged_in_is_here_until_his_last_connection_ends),
	    WITH_DAEMON(who_goes_while_he_is_registered_is_not_here),
	    WITH_DAEMON(names_and_keys_are_taken_once),
	    WITH_DAEMON(what_is_no_name_and_no_key_is_refused),
	    cmocka_unit_test(a_code_is_good_for_one_account),
	    cmocka_unit_test(a_closed_server_takes_nobody),
	    cmocka_unit_test(guessing_is_bounded_but_locks_nobody_out_by_name),
	    WITH_DAEMON(a_request_waits_for_the_register_before_it),
	    WITH_DAEMON(a_watcher_gets_every_line_once_and_in_order),
	    WITH_DAEMON(orders_go_by_the_method_that_is_theirs),
	    WITH_DAEMON(a_stop_ends_idle_and_busy_clients_alike),
	    WITH_DAEMON(a_second_daemon_may_not_use_the_database),
	    WITH_DAEMON(a_daemon_that_never_ran_can_be_freed),
	    WITH_DAEMON(init_makes_all_or_nothing),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	log_set_level(LOG_ERROR);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
