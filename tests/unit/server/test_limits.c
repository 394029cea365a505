/* SPDX-License-Identifier: ISC */
/* Counts of connections, and buckets that fill with tries and leak. */
#include "server/net/limits.h"

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

#include "common/base/err.h"

#define MINUTE 60000

static const struct limits_settings limits = {
    .connections = 5,
    .per_address = 3,
    .failure_burst = 4,
    .failure_decay = 2,
    .register_burst = 2,
    .register_decay = 60,
};

/* The counts of the test that runs, by whose settings addresses are read. */
static struct limits *peers;

static int
make_peers(void **state)
{
	struct limits *p;

	if (limits_new(&limits, &p) != 0)
		return (-1);
	*state = peers = p;
	return (0);
}

static int
free_peers(void **state)
{
	limits_free(*state);
	return (0);
}

/* The counted bytes of an address in text. */
static void
address(const char *text, uint8_t out[LIMITS_ADDRESS])
{
	struct sockaddr_in in4 = {.sin_family = AF_INET};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &in4.sin_addr) == 1) {
		limits_address(peers, (const struct sockaddr *)&in4, out);
		return;
	}
	assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
	limits_address(peers, (const struct sockaddr *)&in6, out);
}

/* True if two addresses count as one. */
static bool
is_one(const char *left, const char *right)
{
	uint8_t a[LIMITS_ADDRESS], b[LIMITS_ADDRESS];

	address(left, a);
	address(right, b);
	return (memcmp(a, b, LIMITS_ADDRESS) == 0);
}

/* Connects from an address in text. */
static int
connect_from(struct limits *p, const char *text)
{
	uint8_t a[LIMITS_ADDRESS];

	address(text, a);
	return (limits_connect(p, a));
}

static void
disconnect_from(struct limits *p, const char *text)
{
	uint8_t a[LIMITS_ADDRESS];

	address(text, a);
	limits_disconnect(p, a);
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
	struct limits *p = *state;
	int i;

	for (i = 0; i < 3; i++)
		assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_LIMIT);
	assert_int_equal(connect_from(p, "192.0.2.2"), 0);
	assert_int_equal(connect_from(p, "2001:db8::1"), 0);
	assert_int_equal(limits_connections(p), 5);
	assert_int_equal(connect_from(p, "192.0.2.3"), ERR_BUSY);
	assert_int_equal(limits_connections(p), 5);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_BUSY);
	disconnect_from(p, "2001:db8:0:0:ff::");
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_LIMIT);
}

static void
lower_limits_turn_away_but_throw_nobody_out(void **state)
{
	struct limits_settings less = limits;
	struct limits *p = *state;
	int i;

	for (i = 0; i < 3; i++)
		assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	less.per_address = 1;
	limits_set(p, &less);
	assert_int_equal(limits_connections(p), 3);
	disconnect_from(p, "192.0.2.1");
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(connect_from(p, "192.0.2.1"), ERR_LIMIT);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
}

/* Tries until the bucket is full; how many went through. */
static int
fill(struct limits *p, enum limits_kind kind, const char *key, int64_t now_ms)
{
	int n;

	for (n = 0; n < 1000; n++) {
		if (limits_allowed(p, kind, key, strlen(key), now_ms) != 0)
			break;
		limits_count(p, kind, key, strlen(key), now_ms);
	}
	return (n);
}

static void
a_bucket_takes_its_burst_and_leaks(void **state)
{
	struct limits *p = *state;
	const int64_t t = 1000000;

	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", t), 4);
	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", t), 0);
	/* Two a minute: one after half of it. */
	assert_int_equal(
	    fill(p, LIMITS_FAILURE_ACCOUNT, "anna", t + MINUTE / 2 - 100), 0);
	assert_int_equal(
	    fill(p, LIMITS_FAILURE_ACCOUNT, "anna", t + MINUTE / 2), 1);
	assert_int_equal(
	    fill(p, LIMITS_FAILURE_ACCOUNT, "anna", t + 100 * MINUTE), 4);
	assert_int_equal(fill(p, LIMITS_REGISTER, "anna", t), 2);
	assert_int_equal(fill(p, LIMITS_REGISTER, "anna", t + 1000), 1);
}

static void
codes_are_five_an_hour_and_three_a_day(void **state)
{
	const int64_t hour = 60 * MINUTE;
	struct limits *p = *state;

	assert_int_equal(fill(p, LIMITS_ADDRESS_SET, "anna", 5), 5);
	assert_int_equal(fill(p, LIMITS_ADDRESS_SET, "anna", 4 + hour / 5), 0);
	assert_int_equal(fill(p, LIMITS_ADDRESS_SET, "anna", 5 + hour / 5), 1);
	assert_int_equal(fill(p, LIMITS_ADDRESS_SET, "anna", 5 + 2 * hour), 5);
	assert_int_equal(fill(p, LIMITS_ADDRESS_VALUE, "anna", 5), 3);
	assert_int_equal(
	    fill(p, LIMITS_ADDRESS_VALUE, "anna", 4 + 8 * hour), 0);
	assert_int_equal(
	    fill(p, LIMITS_ADDRESS_VALUE, "anna", 5 + 8 * hour), 1);
	assert_int_equal(
	    fill(p, LIMITS_ADDRESS_VALUE, "anna", 5 + 400 * hour), 3);
}

static void
messages_are_thirty_at_once_and_thirty_an_hour(void **state)
{
	const int64_t hour = 60 * MINUTE;
	struct limits *p = *state;

	assert_int_equal(fill(p, LIMITS_NOTICE, "anna", 5), 30);
	assert_int_equal(fill(p, LIMITS_NOTICE, "anna", 4 + hour / 30), 0);
	assert_int_equal(fill(p, LIMITS_NOTICE, "anna", 5 + hour / 30), 1);
	assert_int_equal(fill(p, LIMITS_NOTICE, "bert", 5 + hour / 30), 30);
	assert_int_equal(fill(p, LIMITS_NOTICE, "anna", 5 + 2 * hour), 30);
}

static void
kinds_and_keys_have_buckets_of_their_own(void **state)
{
	struct limits *p = *state;

	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 5), 4);
	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "ann", 5), 4);
	assert_int_equal(fill(p, LIMITS_FAILURE_ADDRESS, "anna", 5), 4);
	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 5), 0);
}

static void
looking_often_does_not_keep_a_bucket_full(void **state)
{
	struct limits *p = *state;
	int64_t t;

	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 0), 4);
	for (t = 1; t < MINUTE / 2; t++)
		assert_int_equal(
		    limits_allowed(p, LIMITS_FAILURE_ACCOUNT, "anna", 4, t),
		    ERR_LIMIT);
	assert_int_equal(
	    limits_allowed(p, LIMITS_FAILURE_ACCOUNT, "anna", 4, t), 0);
}

static void
a_clock_that_stands_still_lets_nothing_leak(void **state)
{
	struct limits *p = *state;

	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 500), 4);
	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 500), 0);
	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 400), 0);
}

static void
a_flood_of_addresses_forgets_no_connection(void **state)
{
	struct limits *p = *state;
	uint8_t a[LIMITS_ADDRESS] = {0};
	uint32_t i;

	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	for (i = 0; i < 200000; i++) {
		memcpy(a, &i, sizeof(i));
		limits_count(p, LIMITS_FAILURE_ADDRESS, a, sizeof(a), 0);
	}
	assert_int_equal(limits_connections(p), 1);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(limits_connections(p), 0);
}

static void
what_an_account_writes_is_bounded_by_the_day(void **state)
{
	struct limits_settings l = limits;
	struct limits *p = *state;

	l.write_quota = 86400 * 1024;
	limits_set(p, &l);
	assert_int_equal(limits_write_wait_ms(p, "anna", 0), 0);
	limits_wrote(p, "anna", 86400 * 1024 - 1, 0);
	assert_int_equal(limits_write_wait_ms(p, "anna", 0), 0);
	/* One more may be too much; it is then waited for. */
	limits_wrote(p, "anna", 10 * 1024, 0);
	assert_in_range(limits_write_wait_ms(p, "anna", 0), 9000, 11000);
	assert_int_equal(limits_write_wait_ms(p, "anna", 12000), 0);
	assert_int_equal(limits_write_wait_ms(p, "bert", 0), 0);
	/* The largest quota and what fills it are no numbers too large. */
	l.write_quota = 1000000000000;
	limits_set(p, &l);
	limits_wrote(p, "carl", 1000000000000, 20000);
	limits_wrote(p, "carl", 1000000000000, 20000);
	assert_in_range(
	    limits_write_wait_ms(p, "carl", 20000), 86399000, 86401000);
	l.write_quota = 0;
	limits_set(p, &l);
	assert_int_equal(limits_write_wait_ms(p, "carl", 20000), 0);
}

static void
witnesses_have_limits_of_their_own(void **state)
{
	struct limits_settings l = limits;
	uint8_t a[LIMITS_ADDRESS] = {1};
	struct limits *p = *state;
	int64_t ms;
	int i;

	assert_int_equal(names_read("club", &l.witnesses, NULL), 0);
	l.request_rate = l.address_rate = 10;
	l.request_burst = l.address_burst = 10;
	l.write_quota = 1024;
	l.witness_rate = 100;
	l.witness_burst = 50;
	l.witness_quota = 10 * 1024;
	limits_set(p, &l);
	for (i = 0; i < 50; i++)
		assert_int_equal(limits_request(p, a, "club", 0, &ms), 0);
	assert_int_equal(limits_request(p, a, "club", 0, &ms), ERR_LIMIT);
	assert_int_equal(limits_request(p, a, "club", 10, &ms), 0);
	assert_true(limits_is_heavy(p, a, "club", 10));
	/* None of it was its address's, nor anybody else's. */
	assert_false(limits_is_heavy(p, a, "anna", 10));
	for (i = 0; i < 10; i++)
		assert_int_equal(limits_request(p, a, "anna", 10, &ms), 0);
	assert_int_equal(limits_request(p, a, "anna", 10, &ms), ERR_LIMIT);
	limits_wrote(p, "club", 9 * 1024, 10);
	assert_int_equal(limits_write_wait_ms(p, "club", 10), 0);
	limits_wrote(p, "club", 2 * 1024, 10);
	assert_true(limits_write_wait_ms(p, "club", 10) > 0);
	/* A rate that is 0 limits nothing, the address's neither. */
	l.witness_rate = 0;
	limits_set(p, &l);
	for (i = 0; i < 100; i++)
		assert_int_equal(limits_request(p, a, "club", 10, &ms), 0);
}

static void
many_connections_leave_what_is_known_of_others(void **state)
{
	struct limits_settings more = limits;
	struct limits *p = *state;
	uint8_t a[LIMITS_ADDRESS] = {0}, b[LIMITS_ADDRESS] = {0xff};
	uint32_t i;

	more.connections = 1000000;
	limits_set(p, &more);
	assert_int_equal(
	    fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 0), more.failure_burst);
	for (i = 0; i < 70000; i++) {
		memcpy(a, &i, sizeof(i));
		assert_int_equal(limits_connect(p, a), 0);
	}
	/* Each of these looks for what can be dropped. */
	for (i = 0; i < 20000; i++) {
		memcpy(b + 1, &i, sizeof(i));
		limits_count(p, LIMITS_FAILURE_ADDRESS, b, sizeof(b), 0);
	}
	assert_int_equal(fill(p, LIMITS_FAILURE_ACCOUNT, "anna", 0), 0);
	assert_int_equal(limits_connections(p), 70000);
	limits_disconnect(p, a);
	assert_int_equal(limits_connections(p), 69999);
}

static void
the_last_eighth_is_scarce(void **state)
{
	struct limits_settings more = limits;
	struct limits *p = *state;
	int i;

	more.connections = 16;
	more.per_address = 16;
	limits_set(p, &more);
	for (i = 0; i < 14; i++)
		assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	assert_false(limits_is_scarce(p));
	assert_int_equal(connect_from(p, "192.0.2.1"), 0);
	assert_true(limits_is_scarce(p));
	more.connections = 18; /* of which 3 are kept */
	limits_set(p, &more);
	assert_false(limits_is_scarce(p));
	more.connections = 15;
	limits_set(p, &more);
	assert_true(limits_is_scarce(p));
	more.connections = 1;
	limits_set(p, &more);
	for (i = 0; i < 14; i++)
		disconnect_from(p, "192.0.2.1");
	assert_true(limits_is_scarce(p));
}

static const struct limits_settings strict = {
    .connections = 100,
    .per_address = 100,
    .startups_begin = 2,
    .startups_rate = 50,
    .startups_full = 6,
    .request_rate = 2,
    .request_burst = 4,
    .address_rate = 10,
    .address_burst = 40,
    .penalty_s = {[LIMITS_FAULT_HANDSHAKE] = 5,
	[LIMITS_FAULT_TIMEOUT] = 10,
	[LIMITS_FAULT_FLOOD] = 1},
    .penalty_min_s = 15,
    .penalty_max_s = 30,
};

/* A stranger from an address in text, whose lot was drawn. */
static struct limits_caller
caller(const char *text, unsigned chance, int64_t now_ms)
{
	struct limits_caller c = {.chance = chance, .now_ms = now_ms};

	address(text, c.address);
	return (c);
}

/* What limits_admit() says to him. */
static int
admit(struct limits *p, const char *text, unsigned chance, int64_t now_ms)
{
	const struct limits_caller c = caller(text, chance, now_ms);
	const char *why = "";
	int r;

	r = limits_admit(p, &c, &why);
	assert_true((r == 0) == (why[0] == '\0'));
	return (r);
}

/* How many requests go through at once, and what the next is told. */
static int
flood(struct limits *p, const char *text, const char *account, int64_t now_ms,
    int64_t *wait_ms)
{
	uint8_t a[LIMITS_ADDRESS];
	int n = 0;

	address(text, a);
	while (n < 1000 && limits_request(p, a, account, now_ms, wait_ms) == 0)
		n++;
	return (n);
}

static void
more_and_more_start_ups_are_turned_away_by_lot(void **state)
{
	struct limits *p = *state;

	assert_int_equal(limits_patience(p), 100);
	limits_set(p, &strict);
	assert_int_equal(admit(p, "192.0.2.1", 0, 0), 0);
	assert_int_equal(admit(p, "192.0.2.2", 0, 0), 0);
	assert_int_equal(limits_patience(p), 100);
	/* Two of six: 50 per cent. */
	assert_int_equal(admit(p, "192.0.2.3", 49, 0), ERR_BUSY);
	assert_int_equal(admit(p, "192.0.2.3", 50, 0), 0);
	assert_int_equal(limits_patience(p), 80);
	/* 62 and 75. */
	assert_int_equal(admit(p, "192.0.2.4", 61, 0), ERR_BUSY);
	assert_int_equal(admit(p, "192.0.2.4", 62, 0), 0);
	assert_int_equal(admit(p, "192.0.2.5", 74, 0), ERR_BUSY);
	assert_int_equal(admit(p, "192.0.2.5", 75, 0), 0);
	assert_int_equal(admit(p, "192.0.2.6", 99, 0), 0);
	assert_int_equal(limits_connections(p), 6);
	assert_int_equal(limits_patience(p), 20);
	assert_int_equal(admit(p, "192.0.2.7", 99, 0), ERR_BUSY);
	assert_int_equal(limits_connections(p), 6);
	/* Who has asked for something counts no longer, though connected. */
	limits_settle(p);
	assert_int_equal(admit(p, "192.0.2.7", 99, 0), 0);
	assert_int_equal(limits_connections(p), 7);
	limits_settle(p);
	disconnect_from(p, "192.0.2.1");
	assert_int_equal(limits_connections(p), 6);
}

static void
an_account_has_a_rate_and_so_has_its_address(void **state)
{
	struct limits *p = *state;
	int64_t wait_ms = 0;

	limits_set(p, &strict);
	assert_int_equal(flood(p, "192.0.2.1", "anna", 0, &wait_ms), 4);
	assert_int_equal(wait_ms, 501);
	assert_int_equal(flood(p, "192.0.2.1", "anna", 499, &wait_ms), 0);
	assert_int_equal(wait_ms, 200); /* at least */
	assert_int_equal(flood(p, "192.0.2.1", "anna", 501, &wait_ms), 1);
	/* Another account, and the same one from elsewhere. */
	assert_int_equal(flood(p, "192.0.2.1", "bert", 501, &wait_ms), 4);
	assert_int_equal(flood(p, "192.0.2.9", "anna", 501, &wait_ms), 0);
	/* Five of forty are gone; the first four have leaked. */
	assert_int_equal(flood(p, "192.0.2.1", "", 501, &wait_ms), 35);
	assert_int_equal(flood(p, "192.0.2.1", "carl", 501, &wait_ms), 0);
	assert_int_equal(flood(p, "192.0.2.2", "carl", 501, &wait_ms), 4);
}

static void
work_is_charged_and_makes_heavy(void **state)
{
	struct limits *p = *state;
	int64_t wait_ms = 0;
	uint8_t a[LIMITS_ADDRESS];

	address("192.0.2.1", a);
	limits_set(p, &strict);
	assert_false(limits_is_heavy(p, a, "", 0));
	assert_int_equal(limits_request(p, a, "", 0, &wait_ms), 0);
	assert_false(limits_is_heavy(p, a, "", 0));
	/* 8 ms are forty requests, the whole burst and one more. */
	limits_charge(p, a, "", 8000, 0);
	assert_true(limits_is_heavy(p, a, "", 0));
	assert_int_equal(limits_request(p, a, "", 0, &wait_ms), ERR_LIMIT);
	assert_int_equal(wait_ms, 201);
	/* An account is judged by itself. */
	assert_false(limits_is_heavy(p, a, "anna", 0));
	assert_false(limits_is_heavy(p, a, "", 60000));
	assert_int_equal(flood(p, "192.0.2.1", "", 60000, &wait_ms), 40);
}

static void
no_more_is_owed_than_two_bursts(void **state)
{
	struct limits *p = *state;
	int64_t wait_ms = 0;
	uint8_t a[LIMITS_ADDRESS];
	int i;

	address("192.0.2.1", a);
	limits_set(p, &strict);
	/* An hour of work. */
	for (i = 0; i < 3600; i++)
		limits_charge(p, a, "anna", 1000000, 0);
	/* 40 too many, and one, at 10 a second; 4 and one at 2 a second. */
	assert_int_equal(limits_request(p, a, "", 0, &wait_ms), ERR_LIMIT);
	assert_int_equal(wait_ms, 4101);
	assert_int_equal(
	    limits_request(p, NULL, "anna", 0, &wait_ms), ERR_LIMIT);
	assert_int_equal(wait_ms, 2501);
	assert_int_equal(flood(p, "192.0.2.1", "", 4101, &wait_ms), 1);
}

static void
limits_that_are_off_limit_nothing(void **state)
{
	struct limits *p = *state; /* those of the other tests */
	int64_t wait_ms = 0;
	uint8_t a[LIMITS_ADDRESS];
	int i;

	address("192.0.2.1", a);
	assert_int_equal(flood(p, "192.0.2.1", "anna", 0, &wait_ms), 1000);
	limits_charge(p, a, "anna", 100000000, 0);
	assert_false(limits_is_heavy(p, a, "anna", 0));
	for (i = 0; i < 1000; i++)
		limits_penalize(p, a, LIMITS_FAULT_TIMEOUT, 0);
	assert_int_equal(admit(p, "192.0.2.1", 0, 0), 0);
	/* What was counted before they were switched off is forgotten. */
	limits_set(p, &strict);
	assert_int_equal(flood(p, "192.0.2.1", "", 0, &wait_ms), 40);
	limits_set(p, &limits);
	assert_int_equal(flood(p, "192.0.2.1", "", 1, &wait_ms), 1000);
}

static void
penalties_add_up_shut_out_and_pass(void **state)
{
	struct limits *p = *state;
	uint8_t a[LIMITS_ADDRESS];
	int i;

	address("2001:db8::1", a);
	limits_set(p, &strict);
	limits_penalize(p, a, LIMITS_FAULT_TIMEOUT, 0);
	assert_int_equal(admit(p, "2001:db8::1", 99, 0), 0);
	limits_penalize(p, a, LIMITS_FAULT_MALFORMED, 0); /* 0 s */
	assert_int_equal(admit(p, "2001:db8::1", 99, 0), 0);
	limits_penalize(p, a, LIMITS_FAULT_HANDSHAKE, 1);
	/* 14.999 s: not yet; but then. */
	assert_int_equal(admit(p, "2001:db8::1", 99, 1), 0);
	limits_penalize(p, a, LIMITS_FAULT_HANDSHAKE, 1);
	assert_int_equal(admit(p, "2001:db8::1", 99, 1), ERR_DENIED);
	assert_int_equal(admit(p, "2001:db8::2:3", 99, 1), ERR_DENIED);
	assert_int_equal(admit(p, "2001:db8:0:1::1", 99, 1), 0);
	/* Below the least it holds until all has passed. */
	assert_int_equal(admit(p, "2001:db8::1", 99, 19999), ERR_DENIED);
	assert_int_equal(admit(p, "2001:db8::1", 99, 20000), 0);
	/* It does not grow without end. */
	for (i = 0; i < 100; i++)
		limits_penalize(p, a, LIMITS_FAULT_TIMEOUT, 50000);
	assert_int_equal(admit(p, "2001:db8::1", 99, 79999), ERR_DENIED);
	assert_int_equal(admit(p, "2001:db8::1", 99, 80000), 0);
}

static void
connections_cost_and_floods_are_penalties(void **state)
{
	struct limits *p = *state;
	struct limits_settings more = strict;
	int64_t wait_ms = 0;
	int i;

	more.startups_full = 0;
	limits_set(p, &more);
	for (i = 0; i < 4; i++)
		assert_int_equal(admit(p, "192.0.2.1", 0, 0), 0);
	assert_int_equal(admit(p, "192.0.2.1", 0, 0), ERR_LIMIT);
	assert_int_equal(flood(p, "192.0.2.1", "", 0, &wait_ms), 0);
	for (i = 0; i < 12; i++)
		assert_int_equal(admit(p, "192.0.2.1", 0, 0), ERR_LIMIT);
	/* Who is logged in brings none. */
	assert_int_equal(flood(p, "192.0.2.1", "anna", 0, &wait_ms), 0);
	assert_int_equal(flood(p, "192.0.2.1", "anna", 0, &wait_ms), 0);
	assert_int_equal(admit(p, "192.0.2.1", 0, 999), ERR_LIMIT);
	assert_int_equal(admit(p, "192.0.2.1", 0, 999), ERR_LIMIT);
	assert_int_equal(admit(p, "192.0.2.1", 0, 999), ERR_DENIED);
	assert_int_equal(admit(p, "192.0.2.2", 0, 999), 0);
}

static void
handshakes_broken_off_are_a_fault_beyond_a_number(void **state)
{
	struct limits_settings more = strict;
	struct limits *p = *state;
	uint8_t a[LIMITS_ADDRESS], b[LIMITS_ADDRESS];
	int64_t now_ms = 0;
	int i;

	more.penalty_min_s = 5;
	more.startups_full = 0;
	more.address_rate = 0;
	more.per_address = 1000;
	limits_set(p, &more);
	address("192.0.2.1", a);
	address("192.0.2.2", b);
	for (i = 0; i < LIMITS_BROKEN_BURST; i++)
		limits_break_off(p, a, now_ms);
	assert_int_equal(admit(p, "192.0.2.1", 99, now_ms), 0);
	/* Who goes on at the pace at which they are forgiven may for ever. */
	for (i = 0; i < 1000; i++) {
		now_ms += MINUTE / LIMITS_BROKEN_DECAY;
		limits_break_off(p, a, now_ms);
	}
	assert_int_equal(admit(p, "192.0.2.1", 99, now_ms), 0);
	limits_break_off(p, a, now_ms);
	assert_int_equal(admit(p, "192.0.2.1", 99, now_ms), ERR_DENIED);
	assert_int_equal(admit(p, "192.0.2.2", 99, now_ms), 0);
	/* The penalty passes, and then there is room for as long as it took. */
	now_ms += 5000;
	assert_int_equal(admit(p, "192.0.2.1", 99, now_ms), 0);
	for (i = 0; i < 5; i++)
		limits_break_off(p, a, now_ms);
	assert_int_equal(admit(p, "192.0.2.1", 99, now_ms), 0);
	limits_break_off(p, a, now_ms);
	assert_int_equal(admit(p, "192.0.2.1", 99, now_ms), ERR_DENIED);
}

static void
networks_are_exempt_whole(void **state)
{
	struct limits *p = *state;
	struct limits_settings more = strict;
	struct sockaddr_in in4 = {.sin_family = AF_INET};
	struct limits_caller c = caller("192.0.2.1", 0, 0);
	const char *why;
	int i;

	in4.sin_addr.s_addr = htonl(0xc0000201);
	more.startups_full = 0;
	limits_set(p, &more);
	assert_false(limits_is_exempt(p, (const struct sockaddr *)&in4));
	assert_int_equal(net_list_read("192.0.2.0/24", &more.exempt, NULL), 0);
	limits_set(p, &more);
	assert_true(limits_is_exempt(p, (const struct sockaddr *)&in4));
	in4.sin_addr.s_addr = htonl(0xc0000301);
	assert_false(limits_is_exempt(p, (const struct sockaddr *)&in4));
	c.is_exempt = true;
	for (i = 0; i < 10; i++) {
		limits_penalize(p, c.address, LIMITS_FAULT_TIMEOUT, 0);
		assert_int_equal(limits_admit(p, &c, &why), 0);
	}
}

static void
gateways_have_limits_of_their_own(void **state)
{
	struct limits *p = *state;
	struct limits_settings more = strict;
	int64_t wait_ms = 0;
	uint8_t a[LIMITS_ADDRESS];
	int i;

	more.startups_full = 0;
	more.connections = 100;
	more.per_address = 2;
	more.gateway_rate = 10;
	more.gateway_burst = 200;
	more.gateway_connections = 5;
	assert_int_equal(
	    net_list_read("192.0.2.7 2001:db8::/64", &more.gateways, NULL), 0);
	limits_set(p, &more);
	address("192.0.2.7", a);
	assert_true(limits_is_gateway(a));
	address("192.0.2.8", a);
	assert_false(limits_is_gateway(a));
	/* Each address of a network counts by itself. */
	assert_false(is_one("2001:db8::1", "2001:db8::2"));
	assert_true(is_one("2001:db8:1::1", "2001:db8:1::2"));
	for (i = 0; i < 5; i++)
		assert_int_equal(admit(p, "2001:db8::1", 0, 0), 0);
	assert_int_equal(admit(p, "2001:db8::1", 0, 0), ERR_LIMIT);
	assert_int_equal(admit(p, "2001:db8::2", 0, 0), 0);
	assert_int_equal(admit(p, "192.0.2.8", 0, 0), 0);
	assert_int_equal(admit(p, "192.0.2.8", 0, 0), 0);
	assert_int_equal(admit(p, "192.0.2.8", 0, 0), ERR_LIMIT);
	/* Requests, of which nobody else's are taken. */
	assert_int_equal(flood(p, "192.0.2.7", "", 0, &wait_ms), 200);
	assert_int_equal(wait_ms, 200); /* at least; 101 would do */
	assert_int_equal(flood(p, "192.0.2.7", "", 1000, &wait_ms), 10);
	/* Two connections took twenty of forty, of which ten have leaked. */
	assert_int_equal(flood(p, "192.0.2.8", "", 1000, &wait_ms), 30);
	/* Whoever logs in there has an account's rate besides. */
	assert_int_equal(flood(p, "2001:db8::2", "anna", 1000, &wait_ms), 4);
	/* No penalties shut all readers out. */
	address("192.0.2.7", a);
	for (i = 0; i < 100; i++)
		limits_penalize(p, a, LIMITS_FAULT_TIMEOUT, 1000);
	assert_int_equal(admit(p, "192.0.2.7", 0, 100000), 0);
	/* Who is taken off the list is counted as what they came as. */
	more.gateways.n = 0;
	limits_set(p, &more);
	limits_disconnect(p, a);
	address("192.0.2.7", a);
	assert_false(limits_is_gateway(a));
}

int
main(void)
{
#define WITH_PEERS(test) \
	cmocka_unit_test_setup_teardown(test, make_peers, free_peers)
	const struct CMUnitTest tests[] = {
	    WITH_PEERS(ipv6_counts_by_its_network_and_ipv4_by_itself),
	    WITH_PEERS(connections_are_bounded_by_address_and_in_all),
	    WITH_PEERS(lower_limits_turn_away_but_throw_nobody_out),
	    WITH_PEERS(a_bucket_takes_its_burst_and_leaks),
	    WITH_PEERS(codes_are_five_an_hour_and_three_a_day),
	    WITH_PEERS(messages_are_thirty_at_once_and_thirty_an_hour),
	    WITH_PEERS(kinds_and_keys_have_buckets_of_their_own),
	    WITH_PEERS(looking_often_does_not_keep_a_bucket_full),
	    WITH_PEERS(a_clock_that_stands_still_lets_nothing_leak),
	    WITH_PEERS(a_flood_of_addresses_forgets_no_connection),
	    WITH_PEERS(what_an_account_writes_is_bounded_by_the_day),
	    WITH_PEERS(witnesses_have_limits_of_their_own),
	    WITH_PEERS(many_connections_leave_what_is_known_of_others),
	    WITH_PEERS(the_last_eighth_is_scarce),
	    WITH_PEERS(more_and_more_start_ups_are_turned_away_by_lot),
	    WITH_PEERS(an_account_has_a_rate_and_so_has_its_address),
	    WITH_PEERS(work_is_charged_and_makes_heavy),
	    WITH_PEERS(no_more_is_owed_than_two_bursts),
	    WITH_PEERS(limits_that_are_off_limit_nothing),
	    WITH_PEERS(penalties_add_up_shut_out_and_pass),
	    WITH_PEERS(connections_cost_and_floods_are_penalties),
	    WITH_PEERS(handshakes_broken_off_are_a_fault_beyond_a_number),
	    WITH_PEERS(networks_are_exempt_whole),
	    WITH_PEERS(gateways_have_limits_of_their_own),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
