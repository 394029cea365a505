/* SPDX-License-Identifier: ISC */
/*
 * Which addresses are public: of every range that is not, the first and the
 * last address and their neighbours; and lists of networks.
 */
#include "server/base/net.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include <cmocka.h>

#include "common/base/buf.h"

/* A range that is not public, and whether its neighbours are. */
struct range {
	const char *before; /* NULL: not public either, or there is none */
	const char *first;
	const char *last;
	const char *after;
};

/* Makes an address; its port says nothing. */
static void
make(struct sockaddr_storage *ss, const char *text)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = 443};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = 443};

	memset(ss, 0, sizeof(*ss));
	if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
		memcpy(ss, &in, sizeof(in));
	else if (inet_pton(AF_INET6, text, &in6.sin6_addr) == 1)
		memcpy(ss, &in6, sizeof(in6));
	else
		fail_msg("no address: %s", text);
}

/* Fails unless an address is public, or is not. */
static void
judge(const char *text, bool is_public)
{
	struct sockaddr_storage ss;

	if (text == NULL)
		return;
	make(&ss, text);
	if (net_is_public((const struct sockaddr *)&ss) != is_public)
		fail_msg("%s is %spublic", text, is_public ? "not " : "");
}

/* True if an address is in a list. */
static bool
has(const struct net_list *list, const char *text)
{
	struct sockaddr_storage ss;

	make(&ss, text);
	return (net_list_has(list, (const struct sockaddr *)&ss));
}

static const struct range v4[] = {
    {NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0"},
    {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
    {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
    {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
    {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
    {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
    {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
    {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
    {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
    {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
    {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
    {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
    {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
    {"223.255.255.255", "224.0.0.0", "255.255.255.255", NULL},
};

static const struct range v6[] = {
    {NULL, "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"},
    {"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
	"2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
    {"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
	"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
	"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"},
    {"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
	"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
    {"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
	"4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL},
};

/* What is not public in 4000::/2 and up, and below 2000::. */
static const char *const others[] = {"::1", "::127.0.0.1", "64:ff9b:1::1",
    "64:ff9b:0:0:0:1:808:808", "100::1", "5f00::1", "fc00::1", "fd00::1",
    "fe80::1", "febf::1", "fec0::1", "ff02::1", "2001:0:102:304::1",
    "2001:10::1", "2001:20::1"};

static void
special_addresses_are_not_public_and_their_neighbours_are(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(v4) / sizeof(v4[0]); i++) {
		judge(v4[i].before, true);
		judge(v4[i].first, false);
		judge(v4[i].last, false);
		judge(v4[i].after, true);
	}
	for (i = 0; i < sizeof(v6) / sizeof(v6[0]); i++) {
		judge(v6[i].before, true);
		judge(v6[i].first, false);
		judge(v6[i].last, false);
		judge(v6[i].after, true);
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		judge(others[i], false);
	judge("8.8.8.8", true);
	judge("2a00:1450::1", true);
}

/* Judges an IPv4 address as it stands in IPv6. */
static void
judge_within(const char *prefix, const char *text, bool is_public)
{
	char whole[64];

	if (text == NULL)
		return;
	(void)snprintf(whole, sizeof(whole), "%s%s", prefix, text);
	judge(whole, is_public);
}

static void
ipv4_within_ipv6_is_judged_as_ipv4(void **state)
{
	static const char *const prefixes[] = {"::ffff:", "64:ff9b::"};
	size_t i, k;

	(void)state;
	for (k = 0; k < 2; k++) {
		for (i = 0; i < sizeof(v4) / sizeof(v4[0]); i++) {
			judge_within(prefixes[k], v4[i].before, true);
			judge_within(prefixes[k], v4[i].first, false);
			judge_within(prefixes[k], v4[i].last, false);
			judge_within(prefixes[k], v4[i].after, true);
		}
	}
	/* Near to the two prefixes. */
	judge("::fffe:8.8.8.8", false);
	judge("::1:ffff:8.8.8.8", false);
	judge("64:ff9a::8.8.8.8", false);
	judge("64:ff9b::1:8.8.8.8", false);
}

/* True if an address lies in the network of another and its mask. */
static bool
is_within(const char *text, const char *net, const char *mask)
{
	struct sockaddr_storage a, m, n;

	make(&a, text);
	make(&n, net);
	make(&m, mask);
	return (net_is_within((const struct sockaddr *)&a,
	    (const struct sockaddr *)&n, (const struct sockaddr *)&m));
}

static void
masks_are_those_of_interfaces(void **state)
{
	(void)state;
	assert_true(is_within("8.8.8.255", "8.8.8.1", "255.255.255.0"));
	assert_false(is_within("8.8.9.0", "8.8.8.1", "255.255.255.0"));
	assert_true(is_within("8.8.8.1", "8.8.8.1", "255.255.255.255"));
	assert_false(is_within("8.8.8.0", "8.8.8.1", "255.255.255.255"));
	assert_true(is_within("::ffff:8.8.8.2", "8.8.8.1", "255.255.255.0"));
	assert_false(is_within("2600::1", "8.8.8.1", "0.0.0.0"));
	assert_true(is_within("2600::1:0:0:1", "2600::", "ffff:ffff::"));
	assert_false(is_within("2601::", "2600::1", "ffff:ffff::"));
	assert_false(is_within("8.8.8.1", "2600::1", "ffff:ffff::"));
}

static void
other_families_are_nothing(void **state)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	struct net_list all;

	(void)state;
	assert_int_equal(net_list_read("0.0.0.0/0 ::/0", &all, NULL), 0);
	assert_false(net_is_public((const struct sockaddr *)&un));
	assert_false(net_list_has(&all, (const struct sockaddr *)&un));
}

static void
networks_hold_what_is_in_them(void **state)
{
	struct net_list list;

	(void)state;
	assert_int_equal(
	    net_list_read(
		" 192.168.4.0/22,\tfd00:1::/32 , 10.1.2.3 ::1 ", &list, NULL),
	    0);
	assert_int_equal(list.n, 4);
	assert_false(has(&list, "192.168.3.255"));
	assert_true(has(&list, "192.168.4.0"));
	assert_true(has(&list, "192.168.7.255"));
	assert_false(has(&list, "192.168.8.0"));
	assert_true(has(&list, "::ffff:192.168.4.1"));
	assert_true(has(&list, "64:ff9b::192.168.4.1"));
	assert_false(has(&list, "::192.168.4.1"));
	assert_false(has(&list, "fd00:0:ffff:ffff:ffff:ffff:ffff:ffff"));
	assert_true(has(&list, "fd00:1::"));
	assert_true(has(&list, "fd00:1:ffff:ffff:ffff:ffff:ffff:ffff"));
	assert_false(has(&list, "fd00:2::"));
	assert_false(has(&list, "10.1.2.2"));
	assert_true(has(&list, "10.1.2.3"));
	assert_false(has(&list, "10.1.2.4"));
	assert_true(has(&list, "::1"));
	assert_false(has(&list, "::2"));
	assert_false(has(&list, "::"));
}

static void
bits_are_counted_one_by_one(void **state)
{
	struct net_list list;
	char text[32];
	unsigned bits;

	(void)state;
	for (bits = 0; bits <= 32; bits++) {
		(void)snprintf(text, sizeof(text), "0.0.0.0/%u", bits);
		assert_int_equal(net_list_read(text, &list, NULL), 0);
		assert_true(has(&list, "0.0.0.0"));
		assert_int_equal(has(&list, "0.0.0.1"), bits < 32);
		assert_int_equal(has(&list, "128.0.0.0"), bits == 0);
		assert_false(has(&list, "::1"));
		assert_int_equal(has(&list, "64:ff9b::ffff:ffff"), bits == 0);
	}
	for (bits = 0; bits <= 128; bits++) {
		(void)snprintf(text, sizeof(text), "::/%u", bits);
		assert_int_equal(net_list_read(text, &list, NULL), 0);
		assert_true(has(&list, "::"));
		assert_int_equal(has(&list, "8000::"), bits == 0);
		assert_int_equal(has(&list, "::1"), bits < 128);
	}
	assert_int_equal(net_list_read("64:ff9b::/96", &list, NULL), 0);
	assert_true(has(&list, "1.2.3.4"));
	assert_true(has(&list, "64:ff9b::1.2.3.4"));
	assert_false(has(&list, "::1"));
}

static void
a_list_may_be_empty(void **state)
{
	struct net_list list = {.n = 9};

	(void)state;
	assert_int_equal(net_list_read("", &list, NULL), 0);
	assert_int_equal(list.n, 0);
	assert_int_equal(net_list_read(" ,\t, ", &list, NULL), 0);
	assert_int_equal(list.n, 0);
	assert_false(has(&list, "10.0.0.1"));
}

static void
what_is_no_network_is_refused_and_named(void **state)
{
	static const char *const bad[] = {"x", "10", "10.0.0.0/", "10.0.0.0/33",
	    "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.0/ 8", "10.0.0.0/0008",
	    "10.0.0.1/8", "10.0.0.0//8", "/8", "fe80::%lo/10", "::/129",
	    "::1/127", "[::1]", "localhost", "10.0.0.0/8;11.0.0.0/8",
	    "1:2:3:4:5:6:7:8:9", "256.0.0.0/8", "10.0.0.0/99999999999",
	    "1111111111111111111111111111111111111111111111111111111111111111"
	    "1"};
	struct net_list list = {.n = 9};
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		e.text[0] = '\0';
		if (net_list_read(bad[i], &list, &e) != ERR_INVALID)
			fail_msg("taken: \"%s\"", bad[i]);
		assert_int_equal(list.n, 9);
		assert_true(strlen(e.text) > 10);
	}
}

static void
a_list_ends_at_its_maximum(void **state)
{
	struct net_list list;
	struct errinfo e;
	struct buf text;
	int i;

	(void)state;
	buf_init(&text, 0);
	for (i = 0; i < NET_LIST_MAX; i++)
		buf_printf(&text, "10.0.0.%d,", i);
	assert_int_equal(net_list_read(buf_str(&text), &list, &e), 0);
	assert_int_equal(list.n, NET_LIST_MAX);
	assert_true(has(&list, "10.0.0.63"));
	buf_puts(&text, "::1");
	assert_int_equal(net_list_read(buf_str(&text), &list, &e), ERR_INVALID);
	buf_clear(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		special_addresses_are_not_public_and_their_neighbours_are),
	    cmocka_unit_test(ipv4_within_ipv6_is_judged_as_ipv4),
	    cmocka_unit_test(masks_are_those_of_interfaces),
	    cmocka_unit_test(other_families_are_nothing),
	    cmocka_unit_test(networks_hold_what_is_in_them),
	    cmocka_unit_test(bits_are_counted_one_by_one),
	    cmocka_unit_test(a_list_may_be_empty),
	    cmocka_unit_test(what_is_no_network_is_refused_and_named),
	    cmocka_unit_test(a_list_ends_at_its_maximum),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
