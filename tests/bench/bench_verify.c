/* SPDX-License-Identifier: ISC */
/*
 * What verifying a record takes beside its signatures and proofs.
 * bench_verify FILE verifies the export FILE once and keeps what
 * sign_check() and vrf_check() were asked; then it checks all that again,
 * bare, and verifies the whole file again, in turn, on one thread.  One JSON
 * object says what the record holds and the least CPU time of each.  With
 * "bare" or "whole" behind FILE it does but one of both, once, so that the
 * instructions of a run less those of the other can be counted.  With "control"
 * it verifies the file twice for once.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/game/verify.h"
#include "tests/tools/player.h"

#define BENCH_TURNS 3
#define BENCH_MAX ((size_t)1 << 30)

int __real_sign_check(const uint8_t key[SIGN_KEY_LEN], const char *tag,
    const void *p, size_t n, const uint8_t sig[SIGN_LEN]);
int __wrap_sign_check(const uint8_t key[SIGN_KEY_LEN], const char *tag,
    const void *p, size_t n, const uint8_t sig[SIGN_LEN]);
int __real_vrf_check(const uint8_t key[VRF_KEY_LEN], const void *alpha,
    size_t n, const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN]);
int __wrap_vrf_check(const uint8_t key[VRF_KEY_LEN], const void *alpha,
    size_t n, const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN]);

/* What was asked once. */
struct bench_check {
	const char *tag; /* static; NULL: a proof */
	uint8_t key[VRF_KEY_LEN];
	uint8_t given[VRF_PROOF_LEN]; /* signature or proof */
	char *message; /* owned */
	size_t n;
};

/* All that was asked, in its order. */
static struct bench_checks {
	struct bench_check *list; /* owned */
	size_t n, room;
	size_t proofs;
	bool is_keeping;
} bench_checks;

/* Keeps what was asked. */
static void
bench_keep(const char *tag, const uint8_t *key, size_t key_len, const void *p,
    size_t n, const uint8_t *given, size_t given_len)
{
	struct bench_checks *all = &bench_checks;
	struct bench_check *c;

	if (!all->is_keeping)
		return;
	if (all->n == all->room) {
		all->room = all->room == 0 ? 1024 : 2 * all->room;
		all->list = realloc(all->list, all->room * sizeof(*all->list));
		if (all->list == NULL)
			player_die("checks", "out of memory");
	}
	c = &all->list[all->n++];
	c->tag = tag;
	memcpy(c->key, key, key_len);
	memcpy(c->given, given, given_len);
	c->message = xalloc(n + 1);
	memcpy(c->message, p, n);
	c->n = n;
	if (tag == NULL)
		all->proofs++;
}

int
__wrap_sign_check(const uint8_t key[SIGN_KEY_LEN], const char *tag,
    const void *p, size_t n, const uint8_t sig[SIGN_LEN])
{
	bench_keep(tag, key, SIGN_KEY_LEN, p, n, sig, SIGN_LEN);
	return (__real_sign_check(key, tag, p, n, sig));
}

int
__wrap_vrf_check(const uint8_t key[VRF_KEY_LEN], const void *alpha, size_t n,
    const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	bench_keep(NULL, key, VRF_KEY_LEN, alpha, n, proof, VRF_PROOF_LEN);
	return (__real_vrf_check(key, alpha, n, proof, beta));
}

/* Checks all that was asked again; microseconds of CPU. */
static int64_t
bench_bare(void)
{
	const int64_t began_us = clock_thread_us();
	const struct bench_check *c;
	uint8_t beta[VRF_BETA_LEN];
	size_t i;
	int r;

	for (i = 0; i < bench_checks.n; i++) {
		c = &bench_checks.list[i];
		r = c->tag == NULL
		    ? __real_vrf_check(c->key, c->message, c->n, c->given, beta)
		    : __real_sign_check(
			  c->key, c->tag, c->message, c->n, c->given);
		if (r != 0)
			player_die("a check", "it held before");
	}
	return (clock_thread_us() - began_us);
}

/* Verifies the file; microseconds of CPU. */
static int64_t
bench_whole(const struct buf *b, struct verify_report *rep)
{
	const struct verify_options opt = {.head_seq = -1};
	const int64_t began_us = clock_thread_us();
	struct errinfo e = {.text = ""};

	if (verify_bytes(b->data, b->len, &opt, rep, NULL, &e) != 0)
		player_die("the record is bad", e.text);
	if (rep->is_unchecked)
		player_die("the record", rep->unchecked.text);
	return (clock_thread_us() - began_us);
}

/* The lesser of both. */
static int64_t
bench_least(int64_t a, int64_t b)
{
	return (a < b ? a : b);
}

/* Prints what came out. */
static void
bench_print(const struct buf *b, const struct verify_report *rep,
    int64_t bare_us, int64_t whole_us)
{
	const struct bench_checks *all = &bench_checks;

	(void)printf("{\"lines\":%lld,\"dice\":%lld,\"bytes\":%zu,"
		     "\"signatures\":%zu,\"proofs\":%zu,\"bare_us\":%lld,"
		     "\"whole_us\":%lld}\n",
	    (long long)rep->lines, (long long)rep->rolls, b->len,
	    all->n - all->proofs, all->proofs, (long long)bare_us,
	    (long long)whole_us);
}

int
main(int argc, char **argv)
{
	int64_t bare_us = INT64_MAX, whole_us = INT64_MAX, us;
	const char *what = argc == 3 ? argv[2] : "";
	const bool is_bare = strcmp(what, "bare") == 0;
	const bool is_whole = strcmp(what, "whole") == 0;
	const bool is_control = strcmp(what, "control") == 0;
	struct bench_checks *all = &bench_checks;
	struct errinfo e = {.text = ""};
	struct verify_report rep;
	struct buf b;
	size_t i;

	if (argc != 2 && !is_bare && !is_whole && !is_control)
		player_die("usage", "bench_verify FILE [bare|whole|control]");
	buf_init(&b, 0);
	if (file_read(argv[1], BENCH_MAX, &b, &e) != 0)
		player_die(argv[1], e.text);
	all->is_keeping = true;
	(void)bench_whole(&b, &rep);
	all->is_keeping = false;
	for (i = 0; i < (is_bare || is_whole ? 1 : BENCH_TURNS); i++) {
		us = is_whole ? 0 : bench_bare();
		bare_us = bench_least(bare_us, us);
		us = is_bare ? 0 : bench_whole(&b, &rep);
		us += is_control ? bench_whole(&b, &rep) : 0;
		whole_us = bench_least(whole_us, us);
	}
	bench_print(&b, &rep, bare_us, whole_us);
	for (i = 0; i < all->n; i++)
		free(all->list[i].message);
	free(all->list);
	buf_clear(&b);
	return (0);
}
