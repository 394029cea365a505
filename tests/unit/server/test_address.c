/* SPDX-License-Identifier: ISC */
/* Mail addresses and URLs: what is taken, and that nothing odd is. */
#include "server/base/address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

#define LABEL "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void
plain_mail_addresses_are_taken(void **state)
{
	static const char *const good[] = {"a@b.c", "a.b+c_d%e-f@x-y.example",
	    "A.Z@LOCALHOST.example", "0@1.2", "root@localhost", "+@a.b",
	    ".a.@b.c", LABEL "a@" LABEL ".b"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!address_is_mail(good[i]))
			fail_msg("refused: %s", good[i]);
	}
}

static void
all_other_mail_addresses_are_refused(void **state)
{
	static const char *const bad[] = {"", "@", "a", "a@", "@b.c", "a@b",
	    "a@b.", "a@.b", "a@b..c", "a@-b.c", "a@b-.c", "-a@b.c", "a@b.c\n",
	    "a@b.c\r\nRCPT TO:<d@e.f>", "a\n@b.c", "a b@c.d", "a@b c.d",
	    "<a@b.c>", "a@b.c>", "\"a\"@b.c", "a@b.c,d@e.f", "a@[127.0.0.1]",
	    "a@b.c:25", "a@b@c.d", "a;b@c.d", "a(b)@c.d", "\xc3\xa9@b.c",
	    "a@\xc3\xa9.c", "a@b_c.d", "a@localhost.", "a@Localhost",
	    LABEL "aa@b.c", "a@" LABEL "a.b"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (address_is_mail(bad[i]))
			fail_msg("taken: %s", bad[i]);
	}
}

static void
every_byte_alone_is_judged(void **state)
{
	char mail[] = "x@b.c", url[] = "https://a/x";
	int i;

	(void)state;
	for (i = 1; i < 256; i++) {
		mail[0] = (char)i;
		assert_int_equal(address_is_mail(mail),
		    strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
			   "xyz0123456789._%+",
			i) != NULL);
		url[10] = (char)i;
		assert_int_equal(address_is_url(url),
		    i > ' ' && i <= '~' && strchr("\"#<>\\^`{|}", i) == NULL);
	}
}

static void
a_mail_address_ends_at_254_bytes(void **state)
{
	char text[300];
	size_t n;

	(void)state;
	for (n = 230; n < 260; n++) {
		/* x@ and labels of 49 bytes, the last one shorter. */
		memset(text, 'a', sizeof(text));
		memcpy(text, "x@", 2);
		text[52] = text[102] = text[152] = text[202] = '.';
		text[n] = '\0';
		assert_int_equal(address_is_mail(text), n <= ADDRESS_MAIL_MAX);
	}
}

static void
urls_of_https_are_taken(void **state)
{
	static const char *const good[] = {"https://a", "https://a.b/",
	    "https://a.b:8443/c?d=e&f=%20@x", "https://[::1]:443/x",
	    "https://127.0.0.1/", "https://a?b", "https://a.b.:65535?x",
	    "https://xn--a_b-c", "https://a:1/@:"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!address_is_url(good[i]))
			fail_msg("refused: %s", good[i]);
	}
}

static void
all_other_urls_are_refused(void **state)
{
	static const char *const bad[] = {"", "https://", "https:///x",
	    "https://?x", "http://a", "HTTPS://a", "https:/a", "//a",
	    "file:///etc/passwd", "https://u@a", "https://u:p@a/",
	    "https://:443/", "https://a/#f", "https://a/ b", "https://a\n",
	    "https://a\r\nX: y", " https://a", "https://a\\b",
	    "https://\xc3\xa9/", "https://a@", "https://a:0/",
	    "https://a:65536", "https://a:100000/",
	    "https://a:", "https://a:+1", "https://a:1:2", "https://.a",
	    "https://-a", "https://%31", "https://a%2eb/", "https://a;b",
	    "https://[", "https://[]", "https://[::1", "https://[::1]x",
	    "https://[::1%25lo]/", "https://[fe80::1%lo]", "https://[::1/]",
	    "https://a,b", "https://a&b", "https://a[::1]", "https://a!b"};
	char text[600] = "https://a/";
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (address_is_url(bad[i]))
			fail_msg("taken: %s", bad[i]);
	}
	memset(text + 10, 'x', sizeof(text) - 11);
	text[ADDRESS_URL_MAX] = '\0';
	assert_true(address_is_url(text));
	text[ADDRESS_URL_MAX] = 'x';
	assert_false(address_is_url(text));
}

static void
ports_of_urls_are_those_of_a_list(void **state)
{
	static const char *const bad[] = {"", " , ", "0", "65536", "123456",
	    "443 x", "443:", "-1", "+443", "443;8443",
	    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"};
	static const char *const in[] = {"https://a", "https://a/:22",
	    "https://a?x=b:22", "https://a:443/", "https://a:0443",
	    "https://a:8443/x", "https://[::22]/", "https://[::22]:8443"};
	static const char *const out[] = {"https://a:22", "https://a:22/:443",
	    "https://a:44", "https://a:4430?:443", "https://[::443]:22/"};
	struct address_ports ports = {.n = 77};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(
		    address_read_ports(bad[i], &ports), ERR_INVALID);
	assert_int_equal(ports.n, 77);
	assert_int_equal(address_read_ports(" 443,8443 ", &ports), 0);
	assert_int_equal(ports.n, 2);
	for (i = 0; i < sizeof(in) / sizeof(in[0]); i++) {
		assert_true(address_is_url(in[i]));
		assert_true(address_has_port(&ports, in[i]));
	}
	for (i = 0; i < sizeof(out) / sizeof(out[0]); i++) {
		assert_true(address_is_url(out[i]));
		assert_false(address_has_port(&ports, out[i]));
	}
	assert_int_equal(address_read_ports("8443", &ports), 0);
	assert_false(address_has_port(&ports, "https://a"));
	assert_int_equal(address_read_ports(
			     "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", &ports),
	    0);
	assert_int_equal(ports.n, ADDRESS_PORTS_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_mail_addresses_are_taken),
	    cmocka_unit_test(all_other_mail_addresses_are_refused),
	    cmocka_unit_test(every_byte_alone_is_judged),
	    cmocka_unit_test(a_mail_address_ends_at_254_bytes),
	    cmocka_unit_test(urls_of_https_are_taken),
	    cmocka_unit_test(all_other_urls_are_refused),
	    cmocka_unit_test(ports_of_urls_are_those_of_a_list),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
