/* SPDX-License-Identifier: ISC */
/*
 * The settings: every row of the table with its default and its bounds, what
 * is refused and where, and that sample and manual page say what the table
 * says.
 */
#include "server/base/conf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/buf.h"

/* A folder with a file in it. */
struct place {
	char dir[64];
	char path[96];
};

static int
make_place(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (-1);
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/umpire-conf.XXXXXX");
	if (mkdtemp(p->dir) == NULL)
		return (-1);
	(void)snprintf(p->path, sizeof(p->path), "%s/umpired.conf", p->dir);
	*state = p;
	return (0);
}

static int
remove_place(void **state)
{
	struct place *p = *state;

	(void)unlink(p->path);
	(void)rmdir(p->dir);
	free(p);
	return (0);
}

/* Writes n bytes to the file. */
static void
put_bytes(const struct place *p, const char *bytes, size_t n)
{
	FILE *f = fopen(p->path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* Writes text to the file and loads it. */
static struct conf *
load(const struct place *p, const char *text)
{
	struct errinfo e = {.text = ""};
	struct conf *c = NULL;
	int r;

	put_bytes(p, text, strlen(text));
	r = conf_load(p->path, NULL, 0, &c, &e);
	assert_string_equal(e.text, "");
	assert_int_equal(r, 0);
	return (c);
}

/* Fails unless the bytes are refused in that line, in those words. */
static void
refuses_bytes(const struct place *p, const char *bytes, size_t n, int line,
    const char *words)
{
	struct errinfo e = {.text = ""};
	struct conf *c = NULL;
	char where[160];

	put_bytes(p, bytes, n);
	assert_int_equal(conf_load(p->path, NULL, 0, &c, &e), ERR_CONFIG);
	assert_null(c);
	(void)snprintf(where, sizeof(where), "%s:%d", p->path, line);
	assert_string_equal(e.where, where);
	if (strstr(e.text, words) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", words, e.text);
}

static void
refuses(const struct place *p, const char *text, int line, const char *words)
{
	refuses_bytes(p, text, strlen(text), line, words);
}

/* Sets one key by an override. */
static int
set(const char *key, const char *value, struct conf **out, struct errinfo *e)
{
	const char *overrides[1];
	char text[400];

	assert_true(snprintf(text, sizeof(text), "%s=%s", key, value) <
	    (int)sizeof(text));
	overrides[0] = text;
	return (conf_load(NULL, overrides, 1, out, e));
}

/* Where a row's number is. */
static int64_t
number_of(const struct conf *c, const struct conf_key *key)
{
	int64_t n;

	memcpy(&n, (const char *)c + key->offset, sizeof(n));
	return (n);
}

/* Reads one of the tree's files. */
static char *
read_tree(const char *name)
{
	char path[400];
	FILE *f;
	struct buf b;
	int c;

	(void)snprintf(path, sizeof(path), "%s/%s", TOP_SRCDIR, name);
	f = fopen(path, "r");
	assert_non_null(f);
	buf_init(&b, 0);
	while ((c = getc(f)) != EOF)
		buf_putc(&b, c);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(buf_error(&b), 0);
	return (buf_take(&b, NULL));
}

static void
the_defaults_are_those_of_the_table(void **state)
{
	const struct conf_key *keys;
	struct conf *c;
	struct errinfo e;
	size_t i, n;

	(void)state;
	keys = conf_keys(&n);
	assert_int_equal(conf_load(NULL, NULL, 0, &c, &e), 0);
	for (i = 0; i < n; i++) {
		assert_string_equal(c->raw[i], keys[i].fallback);
		if (keys[i].type == CONF_NUMBER)
			assert_int_equal(number_of(c, &keys[i]),
			    strtoll(keys[i].fallback, NULL, 10));
	}
	assert_string_equal(c->listen, "127.0.0.1:1815 [::1]:1815");
	assert_string_equal(c->port_file, "");
	assert_string_equal(c->database, "umpired.db");
	assert_int_equal(c->live.policy, CONF_POLICY_OPEN);
	assert_int_equal(c->log_level, LOG_INFO);
	assert_int_equal(c->core_dumps, 0);
	assert_int_equal(c->io_threads, 2);
	conf_free(c);
	conf_free(NULL);
}

static void
no_two_rows_have_a_name_or_a_member_in_common(void **state)
{
	const struct conf_key *keys;
	size_t i, j, n;

	(void)state;
	keys = conf_keys(&n);
	assert_true(n > 0 && n <= CONF_KEYS_MAX);
	for (i = 0; i < n; i++) {
		assert_true(strlen(keys[i].what) > 10);
		assert_int_equal(
		    strspn(keys[i].name, "abcdefghijklmnopqrstuvwxyz_"),
		    strlen(keys[i].name));
		for (j = 0; j < i; j++) {
			assert_string_not_equal(keys[i].name, keys[j].name);
			assert_int_not_equal(keys[i].offset, keys[j].offset);
		}
	}
}

static void
numbers_are_taken_up_to_their_bounds_and_no_further(void **state)
{
	const struct conf_key *keys;
	struct errinfo e;
	struct conf *c;
	char value[32];
	size_t i, n;
	int64_t v;
	int step;

	(void)state;
	keys = conf_keys(&n);
	for (i = 0; i < n; i++) {
		if (keys[i].type != CONF_NUMBER)
			continue;
		for (step = 0; step < 4; step++) {
			v = step < 2 ? keys[i].lo - step
				     : keys[i].hi + step - 2;
			(void)snprintf(
			    value, sizeof(value), "%lld", (long long)v);
			if (step == 0 || step == 2) {
				assert_int_equal(
				    set(keys[i].name, value, &c, &e), 0);
				assert_int_equal(number_of(c, &keys[i]), v);
				conf_free(c);
				continue;
			}
			c = NULL;
			assert_int_equal(
			    set(keys[i].name, value, &c, &e), ERR_CONFIG);
			assert_null(c);
			assert_non_null(strstr(e.text, keys[i].name));
			assert_non_null(strstr(e.text, "is not between"));
		}
	}
}

static void
what_is_no_number_is_refused(void **state)
{
	static const char *const bad[] = {"", " 5", "5 ", "+5", "0x10", "5k",
	    "1.0", "five", "5,", "99999999999999999999",
	    "-99999999999999999999", "--5"};
	struct errinfo e;
	struct conf *c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(
		    set("max_requests", bad[i], &c, &e), ERR_CONFIG);
}

static void
every_word_of_a_choice_is_taken_and_no_other(void **state)
{
	const struct conf_key *keys;
	struct errinfo e;
	struct conf *c;
	size_t i, j, n;

	(void)state;
	keys = conf_keys(&n);
	for (i = 0; i < n; i++) {
		if (keys[i].type != CONF_WORD)
			continue;
		for (j = 0; keys[i].words[j] != NULL; j++) {
			assert_int_equal(
			    set(keys[i].name, keys[i].words[j], &c, &e), 0);
			assert_int_equal(number_of(c, &keys[i]), j);
			conf_free(c);
		}
		assert_int_equal(
		    set(keys[i].name, "perhaps", &c, &e), ERR_CONFIG);
		/* The words that would do are named. */
		for (j = 0; keys[i].words[j] != NULL; j++)
			assert_non_null(strstr(e.text, keys[i].words[j]));
		assert_int_equal(set(keys[i].name, "", &c, &e), ERR_CONFIG);
	}
}

static void
addresses_are_read_in_all_their_forms(void **state)
{
	static const struct {
		const char *text;
		const char *host;
		int port;
	} good[] = {
	    {"127.0.0.1:1815", "127.0.0.1", 1815},
	    {"[::1]:0", "::1", 0},
	    {"[fe80::1%lo]:65535", "fe80::1%lo", 65535},
	    {"*:1", "", 1},
	    {"localhost:80", "localhost", 80},
	};
	static const char *const bad[] = {"", ":", ":1815", "127.0.0.1",
	    "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:1x",
	    "::1:1815", "[::1]", "[]:1", "[::1:1", "::1]:1", "a:b:1",
	    "[[::1]]:1", "127.0.0.1:99999999999999999999"};
	char host[CONF_HOST_MAX + 1];
	struct errinfo e;
	struct conf *c;
	uint16_t port;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(
		    conf_split_address(good[i].text, host, &port), 0);
		assert_string_equal(host, good[i].host);
		assert_int_equal(port, good[i].port);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		    conf_split_address(bad[i], host, &port), ERR_INVALID);
		assert_int_equal(set("listen", bad[i], &c, &e), ERR_CONFIG);
	}
	assert_int_equal(set("listen", " *:1,\t[::1]:2 ,, a:3", &c, &e), 0);
	assert_string_equal(c->listen, "*:1 [::1]:2 a:3");
	conf_free(c);
	assert_int_equal(set("listen", ", ,", &c, &e), ERR_CONFIG);
}

static void
a_host_of_any_length_is_taken_or_refused(void **state)
{
	char text[400], host[CONF_HOST_MAX + 1];
	uint16_t port;
	size_t n;

	(void)state;
	for (n = CONF_HOST_MAX - 2; n < CONF_HOST_MAX + 40; n++) {
		memset(text, 'a', n);
		memcpy(text + n, ":1", 3);
		assert_int_equal(conf_split_address(text, host, &port),
		    n <= CONF_HOST_MAX ? 0 : ERR_INVALID);
	}
}

static void
networks_and_addresses_of_notices_are_checked(void **state)
{
	static const char *const good[][2] = {
	    {"webhook_networks", ""},
	    {"webhook_ports", "443, 8443"},
	    {"webhook_ports", "65535"},
	    {"webhook_connect", "20"},
	    {"webhook_networks", "10.0.0.0/8, fd00::/8"},
	    {"smtp_from", ""},
	    {"smtp_from", "umpire@example.org"},
	    {"smtp_url", ""},
	    {"webhooks", "yes"},
	};
	static const char *const bad[][2] = {
	    {"webhook_networks", "everything"},
	    {"webhook_ports", ""},
	    {"webhook_ports", "https"},
	    {"webhook_ports", "443 0"},
	    {"webhook_connect", "0"},
	    {"webhook_connect", "21"},
	    {"webhook_networks", "10.0.0.1/8"},
	    {"smtp_from", "umpire"},
	    {"smtp_from", "Umpire <umpire@example.org>"},
	    {"smtp_url", "mail.example.org"},
	    {"smtp_url", "http://mail.example.org"},
	    {"smtp_url", "smtp://"},
	    {"smtp_url", "smtps:///x"},
	    {"smtp_url", "smtp://user:password@mail.example.org"},
	    {"smtp_url", "smtp://mail.example.org x"},
	    {"smtp_url", "smtp://mail.example.org:99999"},
	    {"smtp_url", "smtp://mail.example.org/x"},
	    {"smtp_user", "caf\xe9"},
	    {"notify_command", "/\xff"},
	    {"smtp_password_file", "\xc3"},
	    {"smtp_ca", "\x80"},
	    {"webhook_ca", "\xed\xa0\x80"},
	    {"webhooks", "maybe"},
	};
	struct errinfo e;
	struct conf *c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(set(good[i][0], good[i][1], &c, &e), 0);
		conf_free(c);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(set(bad[i][0], bad[i][1], &c, &e), ERR_CONFIG);
		assert_non_null(strstr(e.text, bad[i][0]));
	}
}

static void
start_ups_are_three_numbers_or_none(void **state)
{
	static const char *const bad[] = {"10", "10:", "10:30",
	    "10:30:", ":30:100", "10::100", "10:30:100:", "10:30:100:1",
	    "10:0:100", "10:101:100", "101:30:100", "0:1:0", "10:30:1000001",
	    "-1:30:100", "10:30:99999999", " 10:30:100", "10:30:100 ", "a:b:c",
	    ":", "::", "18446744073709551617:30:100"};
	struct errinfo e;
	struct conf *c;
	int64_t n[3];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(conf_split_startups(bad[i], n), ERR_INVALID);
		assert_int_equal(
		    set("max_startups", bad[i], &c, &e), ERR_CONFIG);
		assert_non_null(strstr(e.text, "start:rate:full"));
	}
	assert_int_equal(conf_split_startups("", n), 0);
	assert_int_equal(n[0] + n[1] + n[2], 0);
	assert_int_equal(conf_split_startups("0:1:1", n), 0);
	assert_int_equal(conf_split_startups("10:30:1000000", n), 0);
	assert_int_equal(n[0], 10);
	assert_int_equal(n[1], 30);
	assert_int_equal(n[2], 1000000);
	assert_int_equal(set("max_startups", "", &c, &e), 0);
	conf_free(c);
	assert_int_equal(
	    set("penalty_exempt", "10.0.0.1/8", &c, &e), ERR_CONFIG);
	assert_int_equal(set("gateways", "web.example", &c, &e), ERR_CONFIG);
}

static void
mail_needs_a_sender_and_a_user_a_password(void **state)
{
	struct errinfo e;
	struct conf *c;

	assert_int_equal(set("smtp_url", "smtp://h", &c, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "smtp_from"));
	assert_int_equal(set("smtp_user", "me", &c, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "smtp_password_file"));
	c = load(*state,
	    "smtp_url = smtps://h:465\n"
	    "smtp_from = a@b.c\n"
	    "smtp_user = me\n"
	    "smtp_password_file = pw\n"
	    "webhook_networks = 10.0.0.0/8\n"
	    "webhook_networks = ::1\n");
	assert_string_equal(c->webhook_networks, "10.0.0.0/8 ::1");
	assert_true(c->smtp_password_file[0] == '/');
	assert_int_equal(c->live.offers_mail, 1);
	assert_int_equal(c->live.offers_webhooks, 0);
	conf_free(c);
}

static void
a_file_sets_what_it_names(void **state)
{
	struct conf *c;

	c = load(*state,
	    "# a comment\r\n"
	    "; another\n"
	    "\n"
	    "   \n"
	    "policy = invite ; said aside\n"
	    "max_requests=7\n"
	    "listen = *:1\n"
	    "user: nobody\n"
	    "listen = [::1]:2\n"
	    "log_level = debug");
	assert_int_equal(c->live.policy, CONF_POLICY_INVITE);
	assert_int_equal(c->live.max_requests, 7);
	assert_string_equal(c->listen, "*:1 [::1]:2");
	assert_string_equal(c->user, "nobody");
	assert_int_equal(c->log_level, LOG_DEBUG);
	assert_int_equal(c->live.max_watches, 64);
	conf_free(c);
}

static void
an_empty_file_changes_nothing(void **state)
{
	struct conf *c = load(*state, "");

	assert_int_equal(c->live.max_requests, 32);
	conf_free(c);
}

static void
paths_start_from_the_files_folder(void **state)
{
	const struct place *p = *state;
	const char *const overrides[] = {"dice_key=elsewhere/dice.key"};
	char want[200];
	struct errinfo e;
	struct conf *c;

	put_bytes(p, "tls_key = /etc/tls.key\n", 23);
	assert_int_equal(conf_load(p->path, overrides, 1, &c, &e), 0);
	(void)snprintf(want, sizeof(want), "%s/umpired.db", p->dir);
	assert_string_equal(c->database, want);
	(void)snprintf(want, sizeof(want), "%s/elsewhere/dice.key", p->dir);
	assert_string_equal(c->dice_key, want);
	assert_string_equal(c->tls_key, "/etc/tls.key");
	/* None at all stays none. */
	assert_string_equal(c->port_file, "");
	conf_free(c);
}

static void
faults_name_file_line_and_key(void **state)
{
	const struct place *p = *state;

	refuses(p, "\n\nno_such = 1\n", 3, "no_such: unknown setting");
	refuses(p, "policy = open\npolicy = open\n", 2,
	    "policy: already set in line 1");
	refuses(
	    p, "policy = maybe\n", 1, "policy: \"maybe\" is not one of: open");
	refuses(p, "# x\nmax_requests = 0\n", 2,
	    "max_requests: 0 is not between 1 and 1024");
	refuses(
	    p, "max_requests = \n", 1, "max_requests: \"\" is not a number");
	refuses(p, "just words\n", 1, "not of the form");
	refuses(p, "policy = open\n[section\n", 2, "not of the form");
	refuses(p, "[a]\npolicy = open\n", 2, "no sections");
	refuses(p, "policy = open\n  max_requests = 3\n", 2, "blank");
	refuses(p, "listen = *:1\nlisten = nonsense\n", 2, "listen: ");
	refuses(p, "= 3\n", 1, "unknown setting");
	refuses_bytes(p, "policy = op\0en\n", 15, 1, "NUL");
}

static void
the_first_of_several_faults_is_told(void **state)
{
	refuses(*state, "a = 1\nb = 2\npolicy = x\n", 1, "a: unknown");
	refuses(*state, "max_watches = 0\njust words\n", 1, "max_watches");
}

static void
a_line_that_is_too_long_is_refused_and_not_cut(void **state)
{
	const struct place *p = *state;
	char text[600];
	struct conf *c;
	size_t n;

	for (n = 150; n < 500; n++) {
		memset(text, 'x', sizeof(text));
		memcpy(text, "user = ", 7);
		text[n] = '\n';
		text[n + 1] = '\0';
		if (n > 198) {
			refuses(p, text, 1, "the line is longer than");
			continue;
		}
		c = load(p, text);
		assert_int_equal(strlen(c->user), n - 7);
		conf_free(c);
	}
	/* A comment must not end as a setting either. */
	memset(text, ' ', sizeof(text));
	text[0] = '#';
	memcpy(text + 400, "\n", 2);
	refuses(p, text, 1, "the line is longer than");
}

static void
a_file_that_cannot_be_read_is_told(void **state)
{
	struct errinfo e;
	struct conf *c = NULL;
	const struct place *p = *state;

	assert_int_equal(
	    conf_load("/nonexistent/x", NULL, 0, &c, &e), ERR_NOTFOUND);
	assert_non_null(strstr(e.text, "/nonexistent/x"));
	assert_int_equal(conf_load(p->dir, NULL, 0, &c, &e), ERR_IO);
	assert_null(c);
}

static void
a_file_that_is_too_big_is_refused(void **state)
{
	const struct place *p = *state;
	char *text = malloc(70000);
	struct errinfo e;
	struct conf *c;

	assert_non_null(text);
	memset(text, '\n', 70000);
	put_bytes(p, text, 70000);
	assert_int_equal(conf_load(p->path, NULL, 0, &c, &e), ERR_CONFIG);
	free(text);
}

static void
overrides_go_over_the_file_and_the_last_one_wins(void **state)
{
	const struct place *p = *state;
	const char *const overrides[] = {
	    "max_requests=5", "max_requests=6", "user=a=b", "listen=*:7"};
	struct errinfo e;
	struct conf *c;

	put_bytes(p, "max_requests = 4\nlisten = *:1\n", 30);
	assert_int_equal(conf_load(p->path, overrides, 4, &c, &e), 0);
	assert_int_equal(c->live.max_requests, 6);
	assert_string_equal(c->user, "a=b");
	assert_string_equal(c->listen, "*:7");
	conf_free(c);
}

static void
a_bad_override_is_refused(void **state)
{
	static const char *const bad[] = {"", "=", "=1", "max_requests",
	    "max_requests =5", "no_such=1",
	    "a_name_that_is_longer_than_any_setting=1"};
	const char *overrides[1];
	char text[64];
	struct errinfo e;
	struct conf *c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memcpy(text, bad[i], strlen(bad[i]) + 1);
		overrides[0] = text;
		assert_int_equal(
		    conf_load(NULL, overrides, 1, &c, &e), ERR_CONFIG);
		assert_string_equal(e.where, "-o");
	}
}

static void
a_long_path_leaves_the_line_number_readable(void **state)
{
	struct errinfo e;
	struct conf *c;
	const struct place *p = *state;
	char path[400];
	size_t n;

	/* The same file by a longer and longer name. */
	put_bytes(p, "x = 1\n", 6);
	for (n = 0; n < 60; n++) {
		(void)snprintf(path, sizeof(path), "%s", p->dir);
		memset(path + strlen(path), '/', n);
		(void)snprintf(path + strlen(p->dir) + n, 100, "/umpired.conf");
		assert_int_equal(conf_load(path, NULL, 0, &c, &e), ERR_CONFIG);
		assert_string_equal(
		    e.where + strlen(e.where) - 15, "/umpired.conf:1");
	}
}

/* Takes away the # before each setting of a printed file. */
static void
uncomment(char *text)
{
	char *from, *to = text;

	for (from = text; *from != '\0'; from++) {
		if (*from == '#' && from[1] != ' ' &&
		    (from == text || from[-1] == '\n'))
			continue;
		*to++ = *from;
	}
	*to = '\0';
}

static void
what_is_printed_reads_back_as_it_was(void **state)
{
	const char *const overrides[] = {"policy=closed", "max_watches=9",
	    "database=/x/y.db", "listen=*:5, [::1]:6"};
	const struct conf_key *keys;
	struct conf *again, *c;
	struct errinfo e;
	struct buf b;
	size_t i, n;
	char *text;
	int round;

	keys = conf_keys(&n);
	for (round = 0; round < 2; round++) {
		buf_init(&b, 0);
		assert_int_equal(
		    conf_load(NULL, overrides, 4 * (size_t)round, &c, &e), 0);
		conf_print(c, &b);
		text = buf_take(&b, NULL);
		assert_non_null(text);
		/* As it is, and with all defaults spelled out. */
		again = load(*state, text);
		for (i = 0; i < n; i++)
			assert_string_equal(again->raw[i], c->raw[i]);
		conf_free(again);
		uncomment(text);
		again = load(*state, text);
		for (i = 0; i < n; i++) {
			assert_string_equal(again->raw[i], c->raw[i]);
			if (keys[i].type == CONF_NUMBER)
				assert_int_equal(number_of(again, &keys[i]),
				    number_of(c, &keys[i]));
		}
		conf_free(again);
		conf_free(c);
		free(text);
	}
}

/* Prints settings, reads that, and fails unless they are the same. */
static void
reads_back(const struct place *p, const struct conf *c)
{
	struct conf *again;
	struct buf b;
	size_t i, n;
	char *text;

	(void)conf_keys(&n);
	buf_init(&b, 0);
	conf_print(c, &b);
	text = buf_take(&b, NULL);
	assert_non_null(text);
	again = load(p, text);
	for (i = 0; i < n; i++)
		assert_string_equal(again->raw[i], c->raw[i]);
	assert_string_equal(again->listen, c->listen);
	conf_free(again);
	free(text);
}

/* A list may be longer than a line: of several lines, or of an override. */
static void
a_long_list_reads_back_as_it_was(void **state)
{
	const char *overrides[2];
	char text[4000] = "", list[2000] = "", one[32];
	char listen[2100], networks[2100];
	struct errinfo e;
	struct conf *c;
	int i;

	for (i = 0; i < 60; i++) {
		(void)snprintf(one, sizeof(one), "10.%d.0.%d:1815", i, 4 * i);
		(void)snprintf(text + strlen(text), 64, "listen = %s,\n", one);
		(void)snprintf(list + strlen(list), 64, ", %s", one);
	}
	c = load(*state, text);
	reads_back(*state, c);
	(void)snprintf(listen, sizeof(listen), "listen=%s", list);
	(void)snprintf(networks, sizeof(networks), "webhook_networks=");
	for (i = 0; i < 20; i++)
		(void)snprintf(networks + strlen(networks), 64,
		    "10.%d.0.0/16 ,,fd%02x::/16\t", i, i);
	overrides[0] = listen;
	overrides[1] = networks;
	conf_free(c);
	assert_int_equal(conf_load(NULL, overrides, 2, &c, &e), 0);
	reads_back(*state, c);
	conf_free(c);
}

/* With no blanks a line holds more than it is printed with. */
static void
the_longest_lines_read_back_as_they_were(void **state)
{
	char text[300];
	struct conf *c;
	size_t n;

	for (n = 185; n <= 198; n++) {
		memset(text, 'x', sizeof(text));
		memcpy(text, "user=", 5);
		text[n] = '\0';
		c = load(*state, text);
		reads_back(*state, c);
		conf_free(c);
	}
	text[198] = 'x';
	text[199] = '\0';
	refuses(*state, text, 1, "the line is longer than 198 bytes");
}

static void
what_no_line_could_say_is_no_override(void **state)
{
	static const char *const bad[][2] = {
	    {"user", "a ;b"},
	    {"user", "a\t;b"},
	    {"user", ";a"},
	    {"user", "a\nb"},
	    {"user", "a\n"},
	    {"user", " a"},
	    {"user", "a "},
	    {"user", "a\r"},
	    {"user", " "},
	    {"database", "a ; b"},
	    {"smtp_user", "\va"},
	    {"listen", ";a:1"},
	    {"listen", "a:1 ;b:1"},
	};
	static const char *const good[][2] = {
	    {"user", "a;b"},
	    {"user", "a; b = c"},
	    {"user", "#a:"},
	    {"user", "=a"},
	    {"user", "a\rb"},
	    {"user", "\"a\""},
	    {"user", "[a]"},
	    {"listen", " a;b:1 ,\t"},
	};
	char value[300];
	struct errinfo e;
	struct conf *c;
	size_t i, n;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(set(bad[i][0], bad[i][1], &c, &e), ERR_CONFIG);
		assert_non_null(strstr(e.text, "line of the configuration"));
	}
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(set(good[i][0], good[i][1], &c, &e), 0);
		reads_back(*state, c);
		conf_free(c);
	}
	/* A file cannot bring a piece either that none could say alone. */
	refuses(*state, "listen = a:1,;b:1\n", 1, "line of the configuration");
	for (n = 180; n < 200; n++) {
		memset(value, 'a', n);
		memcpy(value + n, ":1", 3);
		if (n + 2 > 198 - strlen("listen=")) {
			assert_int_equal(
			    set("listen", value, &c, &e), ERR_CONFIG);
			assert_non_null(strstr(e.text, "longer than the 191"));
			continue;
		}
		assert_int_equal(set("listen", value, &c, &e), 0);
		reads_back(*state, c);
		conf_free(c);
	}
}

static void
only_what_differs_and_is_fixed_needs_a_restart(void **state)
{
	const struct conf_key *keys;
	struct conf *a, *b;
	struct errinfo e;
	char value[32];
	size_t i, n;

	(void)state;
	keys = conf_keys(&n);
	assert_int_equal(conf_load(NULL, NULL, 0, &a, &e), 0);
	for (i = 0; i < n; i++) {
		if (keys[i].type != CONF_NUMBER)
			continue;
		(void)snprintf(
		    value, sizeof(value), "%lld", (long long)keys[i].hi);
		assert_int_equal(set(keys[i].name, value, &b, &e), 0);
		assert_int_equal(
		    conf_needs_restart(a, b, i), !keys[i].is_reloadable);
		assert_false(conf_needs_restart(a, a, i));
		conf_free(b);
	}
	conf_free(a);
}

static void
the_sample_is_what_is_printed(void **state)
{
	char *sample = read_tree("etc/umpired.conf");
	struct errinfo e;
	struct conf *c;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	assert_int_equal(conf_load(NULL, NULL, 0, &c, &e), 0);
	conf_print(c, &b);
	assert_string_equal(buf_str(&b), sample);
	buf_clear(&b);
	conf_free(c);
	free(sample);
}

static void
no_printed_line_is_wider_than_a_terminal(void **state)
{
	char *sample = read_tree("etc/umpired.conf");
	const char *at;

	(void)state;
	for (at = sample; *at != '\0'; at += strcspn(at, "\n") + 1)
		assert_true(strcspn(at, "\n") <= 80);
	free(sample);
}

/* Cuts the part of one setting out of the page; NULL if it is not there. */
static char *
page_part(const char *page, const struct conf_key *key)
{
	const char *end, *start;
	char item[200];

	(void)snprintf(item, sizeof(item),
	    key->fallback[0] == '\0' ? "\n.It Ic %s No = Pq empty%s\n"
				     : "\n.It Ic %s No = Ar %s\n",
	    key->name, key->fallback);
	if ((start = strstr(page, item)) == NULL)
		return (NULL);
	end = strstr(start + 1, "\n.It Ic ");
	return (end == NULL ? strdup(start)
			    : strndup(start, (size_t)(end - start)));
}

static void
the_manual_page_has_every_setting_with_its_default(void **state)
{
	const struct conf_key *keys;
	char *page = read_tree("server/umpired.conf.5"), *at, *part;
	char bounds[80];
	size_t count = 0, i, n;

	(void)state;
	keys = conf_keys(&n);
	for (i = 0; i < n; i++) {
		if ((part = page_part(page, &keys[i])) == NULL) {
			fail_msg("%s is not in the page", keys[i].name);
			break;
		}
		(void)snprintf(bounds, sizeof(bounds), "From %lld to %lld",
		    (long long)keys[i].lo, (long long)keys[i].hi);
		if (keys[i].type == CONF_NUMBER && strstr(part, bounds) == NULL)
			fail_msg("%s: %s", keys[i].name, bounds);
		assert_int_equal(
		    strstr(part, "eread.") != NULL, keys[i].is_reloadable);
		free(part);
	}
	for (at = page; (at = strstr(at, "\n.It Ic ")) != NULL; at++)
		count++;
	assert_int_equal(count, n);
	free(page);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_defaults_are_those_of_the_table),
	    cmocka_unit_test(no_two_rows_have_a_name_or_a_member_in_common),
	    cmocka_unit_test(
		numbers_are_taken_up_to_their_bounds_and_no_further),
	    cmocka_unit_test(what_is_no_number_is_refused),
	    cmocka_unit_test(every_word_of_a_choice_is_taken_and_no_other),
	    cmocka_unit_test(addresses_are_read_in_all_their_forms),
	    cmocka_unit_test(a_host_of_any_length_is_taken_or_refused),
	    cmocka_unit_test(networks_and_addresses_of_notices_are_checked),
	    cmocka_unit_test(start_ups_are_three_numbers_or_none),
	    cmocka_unit_test_setup_teardown(
		mail_needs_a_sender_and_a_user_a_password, make_place,
		remove_place),
	    cmocka_unit_test_setup_teardown(
		a_file_sets_what_it_names, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		an_empty_file_changes_nothing, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		paths_start_from_the_files_folder, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		faults_name_file_line_and_key, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		the_first_of_several_faults_is_told, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		a_line_that_is_too_long_is_refused_and_not_cut, make_place,
		remove_place),
	    cmocka_unit_test_setup_teardown(
		a_file_that_cannot_be_read_is_told, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		a_file_that_is_too_big_is_refused, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		overrides_go_over_the_file_and_the_last_one_wins, make_place,
		remove_place),
	    cmocka_unit_test(a_bad_override_is_refused),
	    cmocka_unit_test_setup_teardown(
		a_long_path_leaves_the_line_number_readable, make_place,
		remove_place),
	    cmocka_unit_test_setup_teardown(
		what_is_printed_reads_back_as_it_was, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		a_long_list_reads_back_as_it_was, make_place, remove_place),
	    cmocka_unit_test_setup_teardown(
		the_longest_lines_read_back_as_they_were, make_place,
		remove_place),
	    cmocka_unit_test_setup_teardown(
		what_no_line_could_say_is_no_override, make_place,
		remove_place),
	    cmocka_unit_test(only_what_differs_and_is_fixed_needs_a_restart),
	    cmocka_unit_test(the_sample_is_what_is_printed),
	    cmocka_unit_test(no_printed_line_is_wider_than_a_terminal),
	    cmocka_unit_test(
		the_manual_page_has_every_setting_with_its_default),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
