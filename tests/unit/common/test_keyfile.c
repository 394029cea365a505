/* SPDX-License-Identifier: ISC */
/*
 * Secrets in files: written once, whole and for their owner only; read from
 * nothing else.  Each test has a fresh folder as its working directory.
 */
#include "common/crypt/keyfile.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DIGITS \
	"00a1b2c3d4e5f60718293a4b5c6d7e8f90ffeeddccbbaa998877665544332211"

static const uint8_t secret[KEYFILE_LEN] = {0x00, 0xa1, 0xb2, 0xc3, 0xd4, 0xe5,
    0xf6, 0x07, 0x18, 0x29, 0x3a, 0x4b, 0x5c, 0x6d, 0x7e, 0x8f, 0x90, 0xff,
    0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33,
    0x22, 0x11};

struct folder {
	char path[64];
};

/* Makes the folder of a test and goes there. */
static int
setup(void **state)
{
	struct folder *f = malloc(sizeof(*f));

	if (f == NULL)
		return (-1);
	(void)snprintf(
	    f->path, sizeof(f->path), "/tmp/umpire-test-keyfile-XXXXXX");
	*state = f;
	return (mkdtemp(f->path) == NULL ? -1 : chdir(f->path));
}

/* Removes the folder, whose entries are files and empty folders. */
static int
teardown(void **state)
{
	struct folder *f = *state;
	DIR *dir = opendir(".");
	struct dirent *d;
	int r;

	if (dir == NULL)
		return (-1);
	while ((d = readdir(dir)) != NULL) {
		if (unlink(d->d_name) == -1)
			(void)rmdir(d->d_name);
	}
	(void)closedir(dir);
	r = chdir("/") == -1 || rmdir(f->path) == -1 ? -1 : 0;
	free(f);
	return (r);
}

/* Makes a file with these bytes and this mode. */
static void
put(const char *path, const char *bytes, size_t n, mode_t mode)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* Fails unless path is refused with r, with a reason without the secret. */
static void
is_not_read(const char *path, int r)
{
	uint8_t before[KEYFILE_LEN], out[KEYFILE_LEN];
	struct errinfo e = {"", ""};

	memset(before, 0xee, sizeof(before));
	memcpy(out, before, sizeof(out));
	assert_int_equal(keyfile_read(path, out, &e), r);
	assert_memory_equal(out, before, sizeof(out));
	assert_non_null(strstr(e.text, path));
	assert_null(strstr(e.text, "00a1b2"));
	assert_int_equal(keyfile_read(path, out, NULL), r);
}

/* Fails unless path holds just the secret's text, with mode 0600. */
static void
is_whole(const char *path)
{
	char text[100];
	struct stat st;
	FILE *f;

	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_mode & 07777, 0600);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fread(text, 1, sizeof(text), f), 65);
	assert_int_equal(fclose(f), 0);
	assert_memory_equal(text, DIGITS "\n", 65);
}

static void
a_written_secret_is_read_back(void **state)
{
	uint8_t out[KEYFILE_LEN];
	struct folder *f = *state;
	struct errinfo e;
	char path[128];

	assert_int_equal(keyfile_write("key", secret, &e), 0);
	is_whole("key");
	assert_int_equal(keyfile_read("key", out, &e), 0);
	assert_memory_equal(out, secret, sizeof(out));
	/* By other kinds of path too. */
	(void)snprintf(path, sizeof(path), "%s/absolute", f->path);
	assert_int_equal(keyfile_write(path, secret, &e), 0);
	is_whole("absolute");
	assert_int_equal(mkdir("sub", 0700), 0);
	assert_int_equal(keyfile_write("sub/../dots", secret, &e), 0);
	is_whole("dots");
}

static void
the_mode_is_0600_whatever_the_umask(void **state)
{
	static const mode_t masks[] = {0, 022, 0177, 0777};
	struct errinfo e;
	char path[16];
	mode_t saved;
	size_t i;
	int r;

	(void)state;
	for (i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		(void)snprintf(path, sizeof(path), "key%zu", i);
		saved = umask(masks[i]);
		r = keyfile_write(path, secret, &e);
		(void)umask(saved);
		assert_int_equal(r, 0);
		is_whole(path);
	}
}

static void
what_is_there_is_never_overwritten(void **state)
{
	static const uint8_t other[KEYFILE_LEN];
	struct errinfo e;
	struct stat st;

	(void)state;
	assert_int_equal(keyfile_write("key", secret, &e), 0);
	assert_int_equal(keyfile_write("key", other, &e), ERR_EXISTS);
	assert_non_null(strstr(e.text, "\"key\""));
	is_whole("key");
	put("empty", "", 0, 0600);
	assert_int_equal(keyfile_write("empty", other, &e), ERR_EXISTS);
	assert_int_equal(stat("empty", &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(keyfile_write("folder", other, &e), ERR_EXISTS);
}

static void
a_link_is_not_written_through(void **state)
{
	struct errinfo e;
	struct stat st;

	(void)state;
	assert_int_equal(symlink("elsewhere", "key"), 0);
	assert_int_equal(keyfile_write("key", secret, &e), ERR_EXISTS);
	assert_int_equal(stat("elsewhere", &st), -1);
	assert_int_equal(lstat("key", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void
a_folder_that_is_not_there_is_an_io_error(void **state)
{
	char path[PATH_MAX + 10];
	struct errinfo e;

	(void)state;
	assert_int_equal(keyfile_write("no/key", secret, &e), ERR_IO);
	assert_non_null(strstr(e.text, "no/key"));
	assert_int_equal(keyfile_write("", secret, &e), ERR_IO);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(keyfile_write(path, secret, &e), ERR_IO);
	memset(path, '/', sizeof(path) - 4);
	assert_int_equal(keyfile_write(path, secret, &e), ERR_IO);
}

static void
a_full_disk_leaves_no_half_a_key(void **state)
{
	struct rlimit little, saved;
	struct errinfo e;
	struct stat st;
	int r;

	(void)state;
	/* The limit on a file's size stands for the disk's. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &saved), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	little = saved;
	little.rlim_cur = 40;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	r = keyfile_write("key", secret, &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &saved), 0);
	assert_int_equal(r, ERR_IO);
	assert_int_equal(lstat("key", &st), -1);
	assert_int_equal(keyfile_write("key", secret, &e), 0);
	is_whole("key");
}

static void
a_file_that_is_not_there_is_not_found(void **state)
{
	(void)state;
	is_not_read("key", ERR_NOTFOUND);
	is_not_read("no/key", ERR_NOTFOUND);
	put("file", "x", 1, 0600);
	is_not_read("file/key", ERR_IO);
	assert_int_equal(symlink("loop", "loop"), 0);
	is_not_read("loop", ERR_IO);
}

static void
a_file_that_others_may_use_is_refused(void **state)
{
	uint8_t out[KEYFILE_LEN];
	struct errinfo e;
	mode_t bit;

	(void)state;
	put("key", DIGITS "\n", 65, 0600);
	for (bit = 1; bit <= 040; bit <<= 1) {
		assert_int_equal(chmod("key", 0600 | bit), 0);
		is_not_read("key", ERR_DENIED);
	}
	assert_int_equal(chmod("key", 0644), 0);
	is_not_read("key", ERR_DENIED);
	assert_int_equal(keyfile_read("key", out, &e), ERR_DENIED);
	assert_non_null(strstr(e.text, "chmod 600"));
	assert_int_equal(chmod("key", 0400), 0);
	assert_int_equal(keyfile_read("key", out, &e), 0);
	assert_int_equal(chmod("key", 0700), 0);
	assert_int_equal(keyfile_read("key", out, &e), 0);
}

static void
anything_but_64_digits_and_a_line_end_is_malformed(void **state)
{
	static const char *const texts[] = {"", "\n", DIGITS, DIGITS "\r\n",
	    DIGITS "\n\n", DIGITS "\nx", DIGITS " \n", " " DIGITS "\n",
	    DIGITS "0\n", DIGITS DIGITS "\n", "0x" DIGITS "\n",
	    "00A1b2c3d4e5f60718293a4b5c6d7e8f90ffeeddccbbaa998877665544332211"
	    "\n",
	    "00a1b2c3d4e5f60718293a4b5c6d7e8f90ffeeddccbbaa99887766554433221"
	    "\n",
	    "00a1b2c3d4e5f60718293a4b5c6d7e8f90ffeeddccbbaa99887766554433221g"
	    "\n"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put("key", texts[i], strlen(texts[i]), 0600);
		is_not_read("key", ERR_MALFORMED);
	}
	put("raw", (const char *)secret, sizeof(secret), 0600);
	is_not_read("raw", ERR_MALFORMED);
	put("nul", "\0" DIGITS, 65, 0600);
	is_not_read("nul", ERR_MALFORMED);
}

static void
what_is_no_plain_file_is_malformed_and_does_not_block(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	is_not_read("fifo", ERR_MALFORMED);
	assert_int_equal(mkdir("folder", 0700), 0);
	is_not_read("folder", ERR_MALFORMED);
	is_not_read("/dev/null", ERR_MALFORMED);
}

static void
a_link_is_followed_for_reading(void **state)
{
	uint8_t out[KEYFILE_LEN];
	struct errinfo e;

	(void)state;
	put("key", DIGITS "\n", 65, 0600);
	assert_int_equal(symlink("key", "link"), 0);
	assert_int_equal(keyfile_read("link", out, &e), 0);
	assert_memory_equal(out, secret, sizeof(out));
}

static void
no_descriptor_is_left_open(void **state)
{
	uint8_t out[KEYFILE_LEN];
	struct errinfo e;
	int after, before;

	(void)state;
	before = dup(0);
	assert_true(before >= 0);
	assert_int_equal(close(before), 0);
	assert_int_equal(keyfile_write("key", secret, &e), 0);
	assert_int_equal(keyfile_write("key", secret, &e), ERR_EXISTS);
	assert_int_equal(keyfile_read("key", out, &e), 0);
	assert_int_equal(chmod("key", 0644), 0);
	assert_int_equal(keyfile_read("key", out, &e), ERR_DENIED);
	assert_int_equal(keyfile_read(".", out, &e), ERR_MALFORMED);
	after = dup(0);
	assert_int_equal(after, before);
	assert_int_equal(close(after), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    TEST(a_written_secret_is_read_back),
	    TEST(the_mode_is_0600_whatever_the_umask),
	    TEST(what_is_there_is_never_overwritten),
	    TEST(a_link_is_not_written_through),
	    TEST(a_folder_that_is_not_there_is_an_io_error),
	    TEST(a_full_disk_leaves_no_half_a_key),
	    TEST(a_file_that_is_not_there_is_not_found),
	    TEST(a_file_that_others_may_use_is_refused),
	    TEST(anything_but_64_digits_and_a_line_end_is_malformed),
	    TEST(what_is_no_plain_file_is_malformed_and_does_not_block),
	    TEST(a_link_is_followed_for_reading),
	    TEST(no_descriptor_is_left_open),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
