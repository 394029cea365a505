/* SPDX-License-Identifier: ISC */
/* Counts of connections, and buckets that fill with tries and leak. */
#include "server/peers.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/err.h"

#define MINUTE 60000

static const struct peers_limits limits = {
    .connections = 5,
    .per_address = 3,
    .failure_burst = 4,
    .failure_decay = 2,
    .register_burst = 2,
    .register_decay = 60,
};

static int
make_peers(void **state)
{
	struct peers *p;

	if (peers_new(&limits, &p) != 0)
		return (-1);
	*state = p;
	return (0);
}

static int
free_peers(void **state)
{
	peers_free(*state);
	return (0);
}

/* The counted bytes of an address in text. */
static void
address(const char *text, uint8_t out[PEERS_ADDRESS])
{
	struct sockaddr_in in4 = {.sin_family = AF_INET};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &in4.sin_addr) == 1) {
		peers_address((const struct sockaddr *)&in4, out);
		return;
	}
	assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
	peers_address((const struct sockaddr *)&in6, out);
}

/* True if two addresses count as one. */
static bool
is_one(const char *left, const char *right)
{
	uint8_t a[PEERS_ADDRESS], b[PEERS_ADDRESS];

	address(left, a);
	address(right, b);
	return (memcmp(a, b, PEERS_ADDRESS) == 0);
}

/* Connects from an address in text. */
static int
connect_from(struct peers *p, const char *text)
{
	uint8_t a[PEERS_ADDRESS];

	address(text, a);
	return (peers_connect(p, a));
}

static void
disconnect_from(struct peers *p, const char *text)
{
	uint8_t a[PEERS_ADDRESS];

	address(text, a);
	peers_disconnect(p, a);
}

static void
ipv6_counts_by_its_network_and_ipv4_by_itself(void **state)
{
	(void)state;
	assert_true(is_one("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"));
	assert_false(is_one("2001:db8:1:2::1", "2001:db8:1:3::1"));
	assert_false(is_one("192.0.2.1", "192.0.2.2"));
	assert_true(is_one("::ffff:192.0.2.1", "192.0.2.1"));
	assert_false(is_one("::ffff:192.0.2.1", "::ffff:192.0.2.2"));
	assert_false(is_one("::1", "192.0.2.1"));
}

static void
connections_are_bounded_by_address_and_in_all(void **state)
{
	struct peers *p = *state;
	int i;

	for (i = 0; i < 3; i++)
		assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_LIMIT);
	assert_int_equal(connect_from(p, "192.0.2.2"), 0);
	assert_int_equal(connect_from(p, "2001:db8::1"), 0);
	assert_int_equal(peers_connections(p), 5);
	assert_int_equal(connect_from(p, "192.0.2.3"), ERR_BUSY);
	assert_int_equal(peers_connections(p), 5);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_BUSY);
	disconnect_from(p, "2001:db8:0:0:ff::");
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_LIMIT);
}

static void
lower_limits_turn_away_but_throw_nobody_out(void **state)
{
	struct peers_limits less = limits;
	struct peers *p = *state;
	int i;

	for (i = 0; i < 3; i++)
		assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	less.per_address = 1;
	peers_set(p, &less);
	assert_int_equal(peers_connections(p), 3);
	disconnect_from(p, "192.0.2.1");
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_LIMIT);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
}

/* Tries until the bucket is full; how many went through. */
static int
fill(struct peers *p, enum peers_kind kind, const char *key, int64_t now_ms)
{
	int n;

	for (n = 0; n < 1000; n++) {
		if (peers_allowed(p, kind, key, strlen(key), now_ms) != 0)
			break;
		peers_count(p, kind, key, strlen(key), now_ms);
	}
	return (n);
}

static void
a_bucket_takes_its_burst_and_leaks(void **state)
{
	struct peers *p = *state;
	const int64_t t = 1000000;

	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", t), 4);
	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", t), 0);
	/* Two a minute: one after half of it. */
	assert_int_equal(
	    fill(p, PEERS_FAILURE_ACCOUNT, "anna", t + MINUTE / 2 - 100), 0);
	assert_int_equal(
	    fill(p, PEERS_FAILURE_ACCOUNT, "anna", t + MINUTE / 2), 1);
	assert_int_equal(
	    fill(p, PEERS_FAILURE_ACCOUNT, "anna", t + 100 * MINUTE), 4);
	assert_int_equal(fill(p, PEERS_REGISTER, "anna", t), 2);
	assert_int_equal(fill(p, PEERS_REGISTER, "anna", t + 1000), 1);
}

static void
codes_are_five_an_hour_and_three_a_day(void **state)
{
	const int64_t hour = 60 * MINUTE;
	struct peers *p = *state;

	assert_int_equal(fill(p, PEERS_ADDRESS_SET, "anna", 5), 5);
	assert_int_equal(fill(p, PEERS_ADDRESS_SET, "anna", 4 + hour / 5), 0);
	assert_int_equal(fill(p, PEERS_ADDRESS_SET, "anna", 5 + hour / 5), 1);
	assert_int_equal(fill(p, PEERS_ADDRESS_SET, "anna", 5 + 2 * hour), 5);
	assert_int_equal(fill(p, PEERS_ADDRESS_VALUE, "anna", 5), 3);
	assert_int_equal(fill(p, PEERS_ADDRESS_VALUE, "anna", 4 + 8 * hour), 0);
	assert_int_equal(fill(p, PEERS_ADDRESS_VALUE, "anna", 5 + 8 * hour), 1);
	assert_int_equal(
	    fill(p, PEERS_ADDRESS_VALUE, "anna", 5 + 400 * hour), 3);
}

static void
messages_are_thirty_at_once_and_thirty_an_hour(void **state)
{
	const int64_t hour = 60 * MINUTE;
	struct peers *p = *state;

	assert_int_equal(fill(p, PEERS_NOTICE, "anna", 5), 30);
	assert_int_equal(fill(p, PEERS_NOTICE, "anna", 4 + hour / 30), 0);
	assert_int_equal(fill(p, PEERS_NOTICE, "anna", 5 + hour / 30), 1);
	assert_int_equal(fill(p, PEERS_NOTICE, "bert", 5 + hour / 30), 30);
	assert_int_equal(fill(p, PEERS_NOTICE, "anna", 5 + 2 * hour), 30);
}

static void
kinds_and_keys_have_buckets_of_their_own(void **state)
{
	struct peers *p = *state;

	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", 5), 4);
	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "ann", 5), 4);
	assert_int_equal(fill(p, PEERS_FAILURE_ADDRESS, "anna", 5), 4);
	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", 5), 0);
}

static void
looking_often_does_not_keep_a_bucket_full(void **state)
{
	struct peers *p = *state;
	int64_t t;

	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", 0), 4);
	for (t = 1; t < MINUTE / 2; t++)
		assert_int_equal(
		    peers_allowed(p, PEERS_FAILURE_ACCOUNT, "anna", 4, t),
		    ERR_LIMIT);
	assert_int_equal(
	    peers_allowed(p, PEERS_FAILURE_ACCOUNT, "anna", 4, t), 0);
}

static void
a_clock_that_stands_still_lets_nothing_leak(void **state)
{
	struct peers *p = *state;

	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", 500), 4);
	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", 500), 0);
	assert_int_equal(fill(p, PEERS_FAILURE_ACCOUNT, "anna", 400), 0);
}

static void
a_flood_of_addresses_forgets_no_connection(void **state)
{
	struct peers *p = *state;
	uint8_t a[PEERS_ADDRESS] = {0};
	uint32_t i;

	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	for (i = 0; i < 200000; i++) {
		memcpy(a, &i, sizeof(i));
		peers_count(p, PEERS_FAILURE_ADDRESS, a, sizeof(a), 0);
	}
	assert_int_equal(peers_connections(p), 1);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(peers_connections(p), 0);
}

int
main(void)
{
#define WITH_PEERS(test) \
	cmocka_unit_test_setup_teardown(test, make_peers, free_peers)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ipv6_counts_by_its_network_and_ipv4_by_itself),
	    WITH_PEERS(connections_are_bounded_by_address_and_in_all),
	    WITH_PEERS(lower_limits_turn_away_but_throw_nobody_out),
	    WITH_PEERS(a_bucket_takes_its_burst_and_leaks),
	    WITH_PEERS(codes_are_five_an_hour_and_three_a_day),
	    WITH_PEERS(messages_are_thirty_at_once_and_thirty_an_hour),
	    WITH_PEERS(kinds_and_keys_have_buckets_of_their_own),
	    WITH_PEERS(looking_often_does_not_keep_a_bucket_full),
	    WITH_PEERS(a_clock_that_stands_still_lets_nothing_leak),
	    WITH_PEERS(a_flood_of_addresses_forgets_no_connection),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
