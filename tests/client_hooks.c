/* SPDX-License-Identifier: ISC */
/*
 * What tests need inside the client: umpire-test is umpire's objects and this
 * file, linked so that calls of some functions come here first (ld's --wrap,
 * which wants the names that begin with __wrap_ and __real_).  With the first
 * two set the same keys make the same orders, and so the same dice:
 *   UMPIRE_TEST_SEED   bytes that are random elsewhere come of this word; no
 *                      two runs of one game may have the same
 *   UMPIRE_TEST_NOW    what the wall clock says, in milliseconds; or the path
 *                      of a file that says so each time
 *   UMPIRE_TEST_COUNTS a file that gets a line at each prompt: how many
 *                      connections were made, how many lines were verified,
 *                      and how many were read, until then
 *   UMPIRE_TEST_DIE    where a witness ends as if killed: before a commit
 *                      ("commit"), after one ("committed"), before its first
 *                      word leaves ("send"), after that ("sent"), before
 *                      lines are given back ("heal"), after some ("healed")
 *   UMPIRE_TEST_LACKS  a rule system that it does not have
 *   UMPIRE_TEST_SYNCS  a file that gets a byte at each fsync
 * Without them nothing is changed.  It is never installed.
 */
#include <sys/syscall.h>

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/net/conn.h"
#include "client/ui/term.h"
#include "client/witness/witness_store.h"
#include "client/witness/witness_wire.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/game/verify.h"
#include "common/record/record.h"
#include "common/rules/systems/systems.h"

int __real_hash_random(void *p, size_t n);
int __wrap_hash_random(void *p, size_t n);
int64_t __real_clock_wall_ms(void);
int64_t __wrap_clock_wall_ms(void);
int __real_conn_open(const char *host, const char *port, int64_t wait_ms,
    struct conn **out, struct errinfo *e);
int __wrap_conn_open(const char *host, const char *port, int64_t wait_ms,
    struct conn **out, struct errinfo *e);
int __real_record_parse(
    const char *bytes, size_t len, struct record_line *ln, struct errinfo *e);
int __wrap_record_parse(
    const char *bytes, size_t len, struct record_line *ln, struct errinfo *e);
const struct rules_system *__real_systems_find(const char *id);
const struct rules_system *__wrap_systems_find(const char *id);
int __real_term_line(
    struct term *t, const char *prompt, const json_t *words, char **line);
int __wrap_term_line(
    struct term *t, const char *prompt, const json_t *words, char **line);
int __real_verify_line(
    struct verify *v, const char *bytes, size_t len, struct errinfo *e);
int __wrap_verify_line(
    struct verify *v, const char *bytes, size_t len, struct errinfo *e);

int __real_witness_store_commit(struct witness_store *st);
int __wrap_witness_store_commit(struct witness_store *st);
int __real_witness_wire_ask(struct witness_wire *w, const char *method,
    json_t *params, const struct witness_asked *a, struct errinfo *e);
int __wrap_witness_wire_ask(struct witness_wire *w, const char *method,
    json_t *params, const struct witness_asked *a, struct errinfo *e);

static uint64_t client_hooks_n; /* blocks that were given out */
static _Atomic int client_hooks_opened; /* connections */
static _Atomic int client_hooks_verified; /* lines */
static _Atomic int client_hooks_read; /* lines, by whoever verifies them, too */

/* The next 32 bytes of the seed. */
static int
client_hooks_block(const char *seed, uint8_t out[HASH_LEN])
{
	char text[256];
	int n;

	n = snprintf(text, sizeof(text), "%s %llu", seed,
	    (unsigned long long)client_hooks_n++);
	if (n < 0 || (size_t)n >= sizeof(text))
		return (ERR_INTERNAL);
	return (hash_sha256(out, text, (size_t)n));
}

int
__wrap_hash_random(void *p, size_t n)
{
	const char *seed = getenv("UMPIRE_TEST_SEED");
	uint8_t block[HASH_LEN], *to = p;
	size_t part;
	int r;

	if (seed == NULL)
		return (__real_hash_random(p, n));
	for (; n > 0; n -= part, to += part) {
		if ((r = client_hooks_block(seed, block)) != 0)
			return (r);
		part = n < sizeof(block) ? n : sizeof(block);
		memcpy(to, block, part);
	}
	return (0);
}

int64_t
__wrap_clock_wall_ms(void)
{
	const char *now = getenv("UMPIRE_TEST_NOW");
	char text[32];
	FILE *f;

	if (now == NULL)
		return (__real_clock_wall_ms());
	if (*now != '/')
		return (strtoll(now, NULL, 10));
	if ((f = fopen(now, "r")) == NULL ||
	    fgets(text, sizeof(text), f) == NULL)
		abort();
	(void)fclose(f);
	return (strtoll(text, NULL, 10));
}

int
__wrap_conn_open(const char *host, const char *port, int64_t wait_ms,
    struct conn **out, struct errinfo *e)
{
	client_hooks_opened++;
	return (__real_conn_open(host, port, wait_ms, out, e));
}

int
__wrap_record_parse(
    const char *bytes, size_t len, struct record_line *ln, struct errinfo *e)
{
	client_hooks_read++;
	return (__real_record_parse(bytes, len, ln, e));
}

int
__wrap_verify_line(
    struct verify *v, const char *bytes, size_t len, struct errinfo *e)
{
	client_hooks_verified++;
	return (__real_verify_line(v, bytes, len, e));
}

int
__wrap_term_line(
    struct term *t, const char *prompt, const json_t *words, char **line)
{
	const char *path = getenv("UMPIRE_TEST_COUNTS");
	FILE *f = path == NULL ? NULL : fopen(path, "a");

	if (f != NULL) {
		(void)fprintf(f, "%d %d %d\n", client_hooks_opened,
		    client_hooks_verified, client_hooks_read);
		(void)fclose(f);
	}
	return (__real_term_line(t, prompt, words, line));
}

/* Ends the process at that point, if it is to. */
static void
client_hooks_die(const char *point)
{
	const char *where = getenv("UMPIRE_TEST_DIE");

	if (where == NULL || strcmp(where, point) != 0)
		return;
	(void)kill(getpid(), SIGKILL);
	for (;;)
		(void)pause();
}

const struct rules_system *
__wrap_systems_find(const char *id)
{
	const char *lacks = getenv("UMPIRE_TEST_LACKS");

	return (lacks != NULL && strcmp(lacks, id) == 0
		? NULL
		: __real_systems_find(id));
}

int
__wrap_witness_store_commit(struct witness_store *st)
{
	const bool is_dirty = witness_store_is_dirty(st);
	int r;

	if (is_dirty)
		client_hooks_die("commit");
	r = __real_witness_store_commit(st);
	if (is_dirty)
		client_hooks_die("committed");
	return (r);
}

int
__wrap_witness_wire_ask(struct witness_wire *w, const char *method,
    json_t *params, const struct witness_asked *a, struct errinfo *e)
{
	int r;

	if (a->what == WITNESS_ASK_WORD)
		client_hooks_die("send");
	if (a->what == WITNESS_ASK_HEAL && a->gid != 0)
		client_hooks_die("heal");
	r = __real_witness_wire_ask(w, method, params, a, e);
	if (a->what == WITNESS_ASK_WORD)
		client_hooks_die("sent");
	if (a->what == WITNESS_ASK_HEAL && a->gid != 0)
		client_hooks_die("healed");
	return (r);
}

/* Counts an fsync. */
static void
client_hooks_sync(void)
{
	const char *path = getenv("UMPIRE_TEST_SYNCS");
	int fd;

	if (path == NULL)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd == -1 || write(fd, ".", 1) != 1)
		abort();
	(void)close(fd); /* the byte is in it */
}

/* Those of the C library, for all that this program is linked with. */
int
fsync(int fd)
{
	client_hooks_sync();
	return ((int)syscall(SYS_fsync, fd));
}

int
fdatasync(int fd)
{
	client_hooks_sync();
	return ((int)syscall(SYS_fdatasync, fd));
}
