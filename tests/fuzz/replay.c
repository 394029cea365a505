/* SPDX-License-Identifier: ISC */
/*
 * Runs a fuzz target without libFuzzer: over every file of its corpus, and
 * over changed copies of each: the same ones in every run, as many as there
 * is time for, which all files share.  The corpus of fuzz_x is corpus/x; files
 * named as arguments are taken instead. A case that goes wrong ends the
 * program, so that the plan is not met.
 */
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "tests/fuzz/fuzz.h"

#define REPLAY_MAX (4U << 20) /* bytes of a corpus file */
#define REPLAY_WORK 2000000 /* bytes of changed copies for one file */
#define REPLAY_TRIES_MIN 10
#define REPLAY_TRIES_MAX 5000
#define REPLAY_CPU_MS 500 /* for the changed copies of one file */
#define REPLAY_ALL_MS 1200 /* for those of all files of a corpus */

static const char replay_bytes[] = "{}[]\",:\\0-9e.\n\r\0\x7f\x80\xff\xc3u";

/* The next number of a fixed sequence (xorshift64). */
static uint64_t
replay_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state);
}

/* Hands the target a copy of its own, so that reading past the end shows. */
static void
replay_call(const uint8_t *p, size_t n)
{
	uint8_t *copy;

	copy = malloc(n == 0 ? 1 : n);
	FUZZ_MUST(copy != NULL);
	memcpy(copy, p, n);
	(void)LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

/* Changes a few places of p, which has n bytes; returns its new length. */
static size_t
replay_change(uint8_t *p, size_t n, uint64_t *rnd)
{
	size_t at, len;
	uint64_t what, times;

	for (times = 1 + replay_next(rnd) % 3; times > 0 && n > 0; times--) {
		what = replay_next(rnd) % 6;
		at = replay_next(rnd) % n;
		len = 1 + replay_next(rnd) % 16;
		len = len > n - at ? n - at : len;
		if (what == 0)
			p[at] ^= (uint8_t)(1U << (replay_next(rnd) % 8));
		else if (what == 1 || what == 2)
			p[at] = (uint8_t)replay_bytes[replay_next(rnd) %
			    (sizeof(replay_bytes) - 1)];
		else if (what == 3)
			n = at;
		else if (what == 4) {
			memmove(p + at, p + at + len, n - at - len);
			n -= len;
		} else
			memmove(
			    p + at, p + replay_next(rnd) % (n - len + 1), len);
	}
	return (n);
}

/* Runs one of n files and its changed copies; false if it cannot be read. */
static bool
replay_file(const char *path, int n_files)
{
	uint64_t rnd = 0x9e3779b97f4a7c15;
	size_t i, n, tries;
	uint8_t *p, *copy;
	clock_t start, most;
	FILE *f;

	if ((f = fopen(path, "rb")) == NULL)
		return (false);
	p = malloc(REPLAY_MAX);
	copy = malloc(REPLAY_MAX);
	FUZZ_MUST(p != NULL && copy != NULL);
	n = fread(p, 1, REPLAY_MAX, f);
	(void)fclose(f);
	replay_call(p, n);
	tries = n == 0 ? 0 : REPLAY_WORK / n;
	tries = tries > REPLAY_TRIES_MAX ? REPLAY_TRIES_MAX : tries;
	tries = tries < REPLAY_TRIES_MIN ? REPLAY_TRIES_MIN : tries;
	most = n_files * REPLAY_CPU_MS > REPLAY_ALL_MS ? REPLAY_ALL_MS / n_files
						       : REPLAY_CPU_MS;
	most *= CLOCKS_PER_SEC / 1000;
	start = clock();
	for (i = 0; i < tries; i++) {
		if (clock() - start > most)
			break;
		memcpy(copy, p, n);
		replay_call(copy, replay_change(copy, n, &rnd));
	}
	free(copy);
	free(p);
	return (true);
}

/* Runs the files of a folder in the order of their names; their number. */
static int
replay_folder(const char *folder)
{
	struct dirent **names;
	char path[PATH_MAX + NAME_MAX + 2];
	int i, n, done;

	if ((n = scandir(folder, &names, NULL, alphasort)) == -1)
		return (0);
	for (i = done = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			(void)snprintf(path, sizeof(path), "%s/%s", folder,
			    names[i]->d_name);
			printf("%s %d - %s\n",
			    replay_file(path, n) ? "ok" : "not ok", ++done,
			    names[i]->d_name);
			(void)fflush(stdout);
		}
		free(names[i]);
	}
	free(names);
	return (done);
}

int
main(int argc, char *argv[])
{
	char folder[PATH_MAX];
	const char *name;
	int i;

	if (argc > 1) {
		for (i = 1; i < argc; i++)
			printf("%s %d - %s\n",
			    replay_file(argv[i], argc - 1) ? "ok" : "not ok", i,
			    argv[i]);
		printf("1..%d\n", argc - 1);
		return (0);
	}
	name = strrchr(argv[0], '/');
	name = name == NULL ? argv[0] : name + 1;
	FUZZ_MUST(strncmp(name, "fuzz_", 5) == 0);
	(void)snprintf(folder, sizeof(folder),
	    TOP_SRCDIR "/tests/fuzz/corpus/%s", name + 5);
	i = replay_folder(folder);
	printf("1..%d\n", i);
	return (i == 0);
}
