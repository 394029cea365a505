/* SPDX-License-Identifier: ISC */
/*
 * What opening an own copy costs, against reading and hashing its file.
 * bench_open FILE [control] makes a profile in a folder that goes away, puts
 * the export FILE into it, opens it once, which verifies it, and then does
 * both in turn; one JSON object says the least CPU time of each.  With
 * "control" each opening finds no checkpoint.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/record/record.h"
#include "tests/tools/player.h"

#define OPEN_TURNS 30
#define OPEN_MAX ((size_t)1 << 30)

/* The game, and the server's key, that the first line names. */
static void
open_first(const struct buf *b, uint8_t id[HASH_LEN], struct profile *p)
{
	const char *lf = memchr(b->data, '\n', b->len);
	struct errinfo e = {.text = ""};
	struct record_line ln;
	struct order o;

	if (lf == NULL ||
	    record_parse(b->data, (size_t)(lf - b->data), &ln, &e) != 0 ||
	    order_parse(ln.text, ln.text_len, &o, &e) != 0)
		player_die("the first line", e.text);
	memcpy(id, ln.game, HASH_LEN);
	memcpy(p->pin, o.server, SIGN_KEY_LEN);
	p->has_pin = true;
	order_clear(&o);
	record_clear(&ln);
}

/* Puts an export into the profile, as its lines and its side lines. */
static void
open_put(
    const struct profile *p, const uint8_t id[HASH_LEN], const struct buf *b)
{
	const char *end = b->data + b->len, *side = b->data;
	struct errinfo e = {.text = ""};
	char *path;

	while (side < end && !record_is_side(side, (size_t)(end - side)))
		side =
		    (const char *)memchr(side, '\n', (size_t)(end - side)) + 1;
	path = profile_game_path(p, id, ".jsonl");
	if (file_write(path, b->data, (size_t)(side - b->data), 0600, &e) != 0)
		player_die(path, e.text);
	free(path);
	path = profile_game_path(p, id, ".side");
	if (file_write(path, side, (size_t)(end - side), 0600, &e) != 0)
		player_die(path, e.text);
	free(path);
}

/* Microseconds of CPU to open the copy. */
static int64_t
open_copy(const struct profile *p, const uint8_t id[HASH_LEN], int64_t *lines)
{
	const int64_t began_us = clock_thread_us();
	struct errinfo e = {.text = ""};
	struct replica *c;
	int64_t us;

	if (replica_open(p, id, &c, &e) != 0 || replica_game(c) == NULL)
		player_die("open", e.text);
	us = clock_thread_us() - began_us;
	*lines = c->n;
	replica_close(c);
	return (us);
}

/* Microseconds of CPU to read and hash the file of lines. */
static int64_t
open_read(const char *path, char *bytes)
{
	const int64_t began_us = clock_thread_us();
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t hash[HASH_LEN];
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, bytes + len, OPEN_MAX - len)) > 0)
		len += (size_t)n;
	if (n == -1 || close(fd) == -1 || hash_sha256(hash, bytes, len) != 0)
		player_die("read", path);
	return (clock_thread_us() - began_us);
}

int
main(int argc, char **argv)
{
	char dir[] = "/tmp/umpire-open.XXXXXX", *bytes, *lines, *kept;
	bool is_control = argc == 3 && strcmp(argv[2], "control") == 0;
	int64_t first_us, n, open_us = INT64_MAX, read_us = INT64_MAX, us;
	struct errinfo e = {.text = ""};
	uint8_t id[HASH_LEN];
	struct profile *p;
	struct buf b;
	bool is_new;
	int i;

	buf_init(&b, 0);
	if (argc < 2 || argc != 2 + is_control)
		player_die("usage", "bench_open FILE [control]");
	if (mkdtemp(dir) == NULL || setenv("XDG_DATA_HOME", dir, 1) != 0 ||
	    setenv("XDG_CONFIG_HOME", dir, 1) != 0)
		player_die(dir, "no folder");
	if (profile_open("bench", &p, &e) != 0 ||
	    profile_make(p, &is_new, NULL, NULL, &e) != 0 ||
	    file_read(argv[1], OPEN_MAX, &b, &e) != 0)
		player_die(argv[1], e.text);
	open_first(&b, id, p);
	open_put(p, id, &b);
	lines = profile_game_path(p, id, ".jsonl");
	kept = profile_game_path(p, id, ".checkpoint");
	if ((bytes = malloc(b.len + 1)) == NULL)
		player_die("malloc", "no memory");
	first_us = open_copy(p, id, &n);
	for (i = 0; i < (is_control ? 1 : OPEN_TURNS); i++) {
		if ((us = open_read(lines, bytes)) < read_us)
			read_us = us;
		if (is_control && unlink(kept) == -1)
			player_die(kept, "it is not there");
		if ((us = open_copy(p, id, &n)) < open_us)
			open_us = us;
	}
	(void)printf("{\"lines\":%lld,\"bytes\":%zu,\"first_us\":%lld,"
		     "\"read_us\":%lld,\"open_us\":%lld}\n",
	    (long long)n, b.len, (long long)first_us, (long long)read_us,
	    (long long)open_us);
	free(bytes);
	free(lines);
	free(kept);
	profile_free(p);
	buf_clear(&b);
	if (fork() == 0) {
		(void)execlp("rm", "rm", "-rf", dir, (char *)NULL);
		_exit(127);
	}
	return (0);
}
