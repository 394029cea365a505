/* SPDX-License-Identifier: ISC */
/*
 * Transfers to where they should not go, and to names that nobody answers
 * for: names and the machine's networks are the test's own.
 */
#include "server/courier/courier_curl.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/base/clock.h"
#include "server/base/conf.h"
#include "server/courier/courier_hook.h"

#define SLOW_S 3 /* at most, until a name that nobody answers for is none */

static sem_t go; /* lets getaddrinfo() end */
static sem_t gone; /* it has ended */
static atomic_bool is_over; /* it ends */

/* In place of the C library's, for libcurl: takes its time. */
int
getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
    struct addrinfo **res)
{
	struct timespec until;

	(void)node;
	(void)service;
	(void)hints;
	(void)res;
	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += SLOW_S;
	(void)sem_timedwait(&go, &until);
	atomic_store(&is_over, true);
	(void)sem_post(&gone);
	return (EAI_AGAIN);
}

/* The same, for us: a machine at 8.8.8.1/24 and 2600:1:2:3::1/64. */
int
getifaddrs(struct ifaddrs **out)
{
	static struct sockaddr_in v4[2];
	static struct sockaddr_in6 v6[2];
	static struct ifaddrs list[3];

	v4[0].sin_family = v4[1].sin_family = AF_INET;
	v6[0].sin6_family = v6[1].sin6_family = AF_INET6;
	(void)inet_pton(AF_INET, "8.8.8.1", &v4[0].sin_addr);
	(void)inet_pton(AF_INET, "255.255.255.0", &v4[1].sin_addr);
	(void)inet_pton(AF_INET6, "2600:1:2:3::1", &v6[0].sin6_addr);
	(void)inet_pton(AF_INET6, "ffff:ffff:ffff:ffff::", &v6[1].sin6_addr);
	/* One without an address comes first. */
	list[0].ifa_next = &list[1];
	list[1] = (struct ifaddrs){.ifa_next = &list[2],
	    .ifa_addr = (struct sockaddr *)&v4[0],
	    .ifa_netmask = (struct sockaddr *)&v4[1]};
	list[2] = (struct ifaddrs){.ifa_addr = (struct sockaddr *)&v6[0],
	    .ifa_netmask = (struct sockaddr *)&v6[1]};
	*out = list;
	return (0);
}

void
freeifaddrs(struct ifaddrs *list)
{
	(void)list;
}

/* Makes a transfer to a URL. */
static void
begin(struct courier_curl *c, const char *url, const char *networks)
{
	static char ca[] = "";
	static const struct conf conf = {.webhook_ca = ca,
	    .webhook_connect = 10,
	    .live = {.webhook_ports = {.n = 2, .list = {1, 443}}}};
	static struct courier_settings set = {.conf = &conf};
	const struct courier_message job = {
	    .channel = COURIER_CHANNEL_WEBHOOK, .to = url, .body = "{}"};
	struct courier_verdict v;
	struct errinfo e;

	assert_int_equal(net_list_read(networks, &set.networks, &e), 0);
	assert_int_equal(courier_hook_begin(c, &set, &job, &v), 0);
}

static void
a_silent_name_server_holds_up_no_other_transfer(void **state)
{
	CURLM *multi = curl_multi_init();
	struct courier_curl c;
	struct courier_verdict v;
	struct CURLMsg *msg = NULL;
	int left, running;

	(void)state;
	assert_int_equal(sem_init(&go, 0, 0), 0);
	assert_int_equal(sem_init(&gone, 0, 0), 0);
	begin(&c, "https://silent.example/", "");
	assert_int_equal(
	    curl_easy_setopt(c.easy, CURLOPT_TIMEOUT_MS, 100L), CURLE_OK);
	assert_int_equal(curl_multi_add_handle(multi, c.easy), CURLM_OK);
	while (msg == NULL) {
		assert_int_equal(curl_multi_perform(multi, &running), CURLM_OK);
		if ((msg = curl_multi_info_read(multi, &left)) == NULL)
			assert_int_equal(
			    curl_multi_poll(multi, NULL, 0, 1000, NULL),
			    CURLM_OK);
	}
	courier_hook_judge(&c, msg->data.result, &v);
	assert_true(v.may_retry);
	assert_int_equal(curl_multi_remove_handle(multi, c.easy), CURLM_OK);
	courier_curl_clear(&c);
	/* Nobody has waited for the name. */
	assert_false(atomic_load(&is_over));
	assert_int_equal(sem_post(&go), 0);
	assert_int_equal(sem_wait(&gone), 0);
	assert_int_equal(curl_multi_cleanup(multi), CURLM_OK);
}

/* What becomes of a transfer to a URL whose host is an address. */
static void
is_refused(const char *url, const char *networks, bool is)
{
	struct courier_verdict v;
	struct courier_curl c;
	CURLcode code;

	begin(&c, url, networks);
	code = curl_easy_perform(c.easy);
	courier_hook_judge(&c, code, &v);
	if (c.was_refused != is || c.was_tried == is)
		fail_msg("%s: %s", url, v.cause);
	/* Whose address it is learns of neither. */
	assert_true(v.may_retry && v.is_concealed);
	assert_string_equal(v.error, "the receiver cannot be reached by https");
	courier_curl_clear(&c);
}

static void
what_is_near_is_refused_unless_it_is_allowed(void **state)
{
	(void)state;
	is_refused("https://8.8.8.1/", "", true);
	is_refused("https://8.8.8.255:1/", "", true);
	is_refused("https://[2600:1:2:3:ffff::1]/", "", true);
	is_refused("https://[::ffff:8.8.8.9]/", "", true);
	is_refused("https://[64:ff9b::808:809]/", "", true);
	is_refused("https://134744073/", "", true);
	is_refused("https://0x7f.1/", "", true);
	is_refused("https://017700000001/", "", true);
	is_refused("https://[::]:1/", "", true);
	is_refused("https://127.0.0.1:1/", "10.0.0.0/8 127.0.0.2", true);
	is_refused("https://127.0.0.1:1/", "127.0.0.1", false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_near_is_refused_unless_it_is_allowed),
	    cmocka_unit_test(a_silent_name_server_holds_up_no_other_transfer),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
