/* SPDX-License-Identifier: ISC */
/* Profiles: directories, settings, keys, nicknames, the list of games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/base/hex.h"

#define KEY "4d405b5e4cfd76effb2a712ab4e78849368f590a47e9f859f4fda89fa7848945"

static char dir[] = "/tmp/umpire-profile.XXXXXX";

/* A fresh home for every test. */
static int
setup(void **state)
{
	char *data, *config;

	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/umpire-profile.XXXXXX");
	assert_non_null(mkdtemp(dir));
	data = xalloc_printf("%s/data", dir);
	config = xalloc_printf("%s/config", dir);
	assert_int_equal(setenv("HOME", dir, 1), 0);
	assert_int_equal(setenv("XDG_DATA_HOME", data, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", config, 1), 0);
	assert_int_equal(unsetenv("UMPIRE_PROFILE"), 0);
	free(data);
	free(config);
	return (0);
}

/* Removes a profile's files and the folders that hold them. */
static int
teardown(void **state)
{
	char *command[] = {
	    (char *)(uintptr_t) "rm", (char *)(uintptr_t) "-rf", dir, NULL};
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0) {
		(void)execvp(command[0], command);
		_exit(127);
	}
	return (waitpid(pid, NULL, 0) == pid ? 0 : -1);
}

/* Opens a profile that must open. */
static struct profile *
open_profile(const char *name)
{
	struct errinfo e = {.text = ""};
	struct profile *p = NULL;

	if (profile_open(name, &p, &e) != 0)
		fail_msg("%s", e.text);
	return (p);
}

/* Opens a profile with fresh keys. */
static struct profile *
make_profile(const char *name)
{
	struct profile *p = open_profile(name);
	struct errinfo e = {.text = ""};
	bool is_new = false;

	if (profile_make(p, &is_new, NULL, NULL, &e) != 0)
		fail_msg("%s", e.text);
	assert_true(is_new);
	return (p);
}

/* Writes the settings file of the profile "default". */
static void
write_settings(const char *text)
{
	struct errinfo e = {.text = ""};
	char *folder = xalloc_printf("%s/config/umpire/default", dir);
	char *path = xalloc_printf("%s/config", folder);

	assert_int_equal(file_make_dirs(folder, &e), 0);
	assert_int_equal(file_write(path, text, strlen(text), 0600, &e), 0);
	free(path);
	free(folder);
}

static void
a_profile_that_was_never_made_is_empty(void **state)
{
	struct profile *p = open_profile(NULL);
	struct errinfo e = {.text = ""};

	(void)state;
	assert_string_equal(p->name, "default");
	assert_null(p->server);
	assert_null(p->account);
	assert_false(p->has_pin);
	assert_false(profile_exists(p));
	assert_int_equal(profile_load_keys(p, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "umpire init"));
	profile_free(p);
}

static void
the_name_comes_from_option_then_environment(void **state)
{
	struct profile *p;

	(void)state;
	assert_int_equal(setenv("UMPIRE_PROFILE", "bert", 1), 0);
	p = open_profile(NULL);
	assert_string_equal(p->name, "bert");
	profile_free(p);
	p = open_profile("anna");
	assert_string_equal(p->name, "anna");
	profile_free(p);
}

static void
names_that_are_paths_are_refused(void **state)
{
	static const char *const bad[] = {
	    "../x", "a/b", ".", "..", "-x", "A", "a b", "\xc3\xa4", NULL};
	struct profile *p = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; bad[i] != NULL; i++) {
		assert_int_equal(profile_open(bad[i], &p, &e), ERR_CONFIG);
		assert_null(p);
	}
}

static void
relative_xdg_folders_are_ignored(void **state)
{
	struct profile *p;
	char *want = xalloc_printf("%s/.local/share/umpire/default", dir);

	(void)state;
	assert_int_equal(setenv("XDG_DATA_HOME", "data", 1), 0);
	p = open_profile(NULL);
	assert_string_equal(p->data_dir, want);
	profile_free(p);
	free(want);
}

static void
settings_come_back_as_they_were_saved(void **state)
{
	struct profile *p = make_profile(NULL), *q;
	struct errinfo e = {.text = ""};

	(void)state;
	p->server = xalloc_str("[::1]:1815");
	p->account = xalloc_str("anna");
	assert_int_equal(hex_parse(p->pin, SIGN_KEY_LEN, KEY, 64), 0);
	p->has_pin = true;
	assert_int_equal(profile_save(p, &e), 0);
	q = open_profile(NULL);
	assert_string_equal(q->server, "[::1]:1815");
	assert_string_equal(q->account, "anna");
	assert_true(q->has_pin);
	assert_memory_equal(q->pin, p->pin, SIGN_KEY_LEN);
	profile_free(p);
	profile_free(q);
}

static void
settings_that_are_wrong_are_refused_with_their_line(void **state)
{
	static const char *const bad[] = {
	    "server_key = 12\n",
	    "server = a\nserver_key = " KEY "0\n",
	    "server = a\n\naccount = Anna\n",
	    "server = a\nsevrer_key = " KEY "\n",
	    "[other]\nserver = a\n",
	    "server\n",
	    NULL,
	};
	struct profile *p = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; bad[i] != NULL; i++) {
		write_settings(bad[i]);
		memset(&e, 0, sizeof(e));
		assert_int_equal(profile_open(NULL, &p, &e), ERR_CONFIG);
		assert_non_null(strstr(e.text, " line "));
		assert_null(p);
	}
	write_settings("; nothing but a comment\n");
	profile_free(open_profile(NULL));
}

static void
keys_are_made_once_and_only_their_owner_may_read_them(void **state)
{
	struct profile *p = make_profile(NULL), *q = open_profile(NULL);
	struct errinfo e = {.text = ""};
	char *path = profile_path(p, "sign.key");
	bool is_new = true;
	struct stat st;

	(void)state;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(p->data_dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(profile_make(q, &is_new, NULL, NULL, &e), 0);
	assert_false(is_new);
	assert_memory_equal(q->keys.sign.seed, p->keys.sign.seed, 32);
	assert_memory_equal(q->keys.dice.secret, p->keys.dice.secret, 32);
	profile_free(q);

	assert_int_equal(chmod(path, 0640), 0);
	q = open_profile(NULL);
	assert_int_equal(profile_load_keys(q, &e), ERR_DENIED);
	profile_free(q);
	free(path);
	profile_free(p);
}

static void
half_a_pair_of_keys_is_not_completed(void **state)
{
	struct profile *p = make_profile(NULL);
	struct errinfo e = {.text = ""};
	char *dice = profile_path(p, "dice.key");
	char *sign = profile_path(p, "sign.key");
	struct profile *q;
	bool is_new = true;

	(void)state;
	assert_int_equal(unlink(dice), 0);
	q = open_profile(NULL);
	assert_int_equal(profile_make(q, &is_new, NULL, NULL, &e), ERR_EXISTS);
	assert_non_null(strstr(e.text, "backup"));
	assert_false(file_exists(dice));
	assert_true(file_exists(sign));
	profile_free(q);
	profile_free(p);
	free(dice);
	free(sign);
}

/* Checks how a server is split. */
static void
splits(const char *server, const char *host, const char *port)
{
	struct errinfo e = {.text = ""};
	char *h = NULL, *p = NULL;

	if (profile_split(server, &h, &p, &e) != 0)
		fail_msg("'%s': %s", server, e.text);
	assert_string_equal(h, host);
	assert_string_equal(p, port);
	free(h);
	free(p);
}

static void
servers_are_hosts_with_or_without_port(void **state)
{
	static const char *const bad[] = {"", ":1815", "a:", "a:0", "a:65536",
	    "a:x", "a:1x", "a:-1", "[::1", "[::1]x", "[]:1", "a b", "a;b",
	    "a:123456", "a\n", NULL};
	struct errinfo e;
	char *h = NULL, *p = NULL;
	size_t i;

	(void)state;
	splits("umpire.example.org", "umpire.example.org", "1815");
	splits("localhost:9", "localhost", "9");
	splits("[::1]", "::1", "1815");
	splits("[fe80::1]:65535", "fe80::1", "65535");
	splits("::1", "::1", "1815");
	for (i = 0; bad[i] != NULL; i++) {
		if (profile_split(bad[i], &h, &p, &e) != ERR_INVALID)
			fail_msg("'%s' was taken", bad[i]);
		assert_null(h);
		assert_null(p);
	}
}

static void
nicknames_cannot_pass_for_numbers_or_paths(void **state)
{
	(void)state;
	assert_true(profile_is_nick("evening"));
	assert_true(profile_is_nick("g1"));
	assert_true(profile_is_nick("1809-aspern"));
	assert_false(profile_is_nick("abcd"));
	assert_false(profile_is_nick("0123"));
	assert_false(profile_is_nick(""));
	assert_false(profile_is_nick("a/b"));
	assert_false(profile_is_nick("Evening"));
	assert_false(profile_is_nick("a b"));
	assert_false(profile_is_nick("012345678901234567890123456789xyz"));
}

static void
nicknames_are_given_found_changed_and_dropped(void **state)
{
	uint8_t a[HASH_LEN] = {1}, b[HASH_LEN] = {2}, id[HASH_LEN];
	struct profile *p = make_profile(NULL);
	struct errinfo e = {.text = ""};
	char *nick;

	(void)state;
	assert_null(profile_nick(p, a));
	assert_false(profile_find_nick(p, "evening", id));
	assert_int_equal(profile_set_nick(p, "evening", a, &e), 0);
	assert_true(profile_find_nick(p, "evening", id));
	assert_memory_equal(id, a, HASH_LEN);
	assert_int_equal(profile_set_nick(p, "evening", b, &e), ERR_EXISTS);
	assert_int_equal(profile_set_nick(p, "evening", a, &e), 0);
	assert_int_equal(profile_set_nick(p, NULL, b, &e), 0);
	nick = profile_nick(p, b);
	assert_string_equal(nick, "g1");
	free(nick);
	assert_int_equal(profile_set_nick(p, "duel", a, &e), 0);
	assert_false(profile_find_nick(p, "evening", id));
	assert_true(profile_find_nick(p, "duel", id));
	assert_int_equal(profile_drop_nick(p, a, &e), 0);
	assert_false(profile_find_nick(p, "duel", id));
	assert_true(profile_find_nick(p, "g1", id));
	assert_memory_equal(id, b, HASH_LEN);
	profile_free(p);
}

static void
lines_of_the_nicknames_file_that_are_wrong_do_no_harm(void **state)
{
	static const char text[] =
	    "short " KEY "0\nevening " KEY "\n\nno\n toolong " KEY "\n"
	    "0123456789012345678901234567890123 " KEY;
	struct profile *p = make_profile(NULL);
	char *path = profile_path(p, "names");
	struct errinfo e = {.text = ""};
	uint8_t id[HASH_LEN];

	(void)state;
	assert_int_equal(file_write(path, text, sizeof(text) - 1, 0600, &e), 0);
	assert_true(profile_find_nick(p, "evening", id));
	assert_false(profile_find_nick(p, "short", id));
	assert_false(profile_find_nick(p, "toolong", id));
	free(path);
	profile_free(p);
}

static void
the_games_are_those_with_lines_or_pending_orders(void **state)
{
	uint8_t a[HASH_LEN] = {1}, b[HASH_LEN] = {2}, c[HASH_LEN] = {3};
	uint8_t(*ids)[HASH_LEN];
	struct profile *p = open_profile(NULL);
	struct errinfo e = {.text = ""};
	char *path;
	bool is_new;
	size_t n;

	(void)state;
	assert_int_equal(profile_games(p, &ids, &n, &e), 0);
	assert_int_equal(n, 0);
	free(ids);
	assert_int_equal(profile_make(p, &is_new, NULL, NULL, &e), 0);
	path = profile_game_path(p, b, ".jsonl");
	assert_int_equal(file_append(path, "x\n", 2, &e), 0);
	free(path);
	path = profile_game_path(p, b, ".pending");
	assert_int_equal(file_append(path, "x\n", 2, &e), 0);
	free(path);
	path = profile_game_path(p, a, ".pending");
	assert_int_equal(file_append(path, "x\n", 2, &e), 0);
	free(path);
	path = profile_game_path(p, c, ".side");
	assert_int_equal(file_append(path, "x\n", 2, &e), 0);
	free(path);
	assert_int_equal(profile_games(p, &ids, &n, &e), 0);
	assert_int_equal(n, 2);
	assert_memory_equal(ids[0], a, HASH_LEN);
	assert_memory_equal(ids[1], b, HASH_LEN);
	free(ids);
	profile_free(p);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    TEST(a_profile_that_was_never_made_is_empty),
	    TEST(the_name_comes_from_option_then_environment),
	    TEST(names_that_are_paths_are_refused),
	    TEST(relative_xdg_folders_are_ignored),
	    TEST(settings_come_back_as_they_were_saved),
	    TEST(settings_that_are_wrong_are_refused_with_their_line),
	    TEST(keys_are_made_once_and_only_their_owner_may_read_them),
	    TEST(half_a_pair_of_keys_is_not_completed),
	    TEST(servers_are_hosts_with_or_without_port),
	    TEST(nicknames_cannot_pass_for_numbers_or_paths),
	    TEST(nicknames_are_given_found_changed_and_dropped),
	    TEST(lines_of_the_nicknames_file_that_are_wrong_do_no_harm),
	    TEST(the_games_are_those_with_lines_or_pending_orders),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
