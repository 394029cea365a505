/* SPDX-License-Identifier: ISC */
/*
 * hookctl FILE get NAME, hookctl FILE set NAME NUMBER ...: reads and sets
 * the numbers by which a test rules umpired-test (tests/hooks.h).  The file
 * is made if it is not there.  hookctl FILE does what the lines of its standard
 * input say, "NAME" or "NAME NUMBER ...", and answers each with a line: a
 * number, or "ok".
 */
#include "tests/hooks.h"

#include <sys/mman.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* Finds a slot by its name; HOOKS_SLOTS if there is none. */
static int
hookctl_find(const char *name)
{
	int i;

	for (i = 0; i < HOOKS_SLOTS; i++) {
		if (strcmp(hooks_names[i], name) == 0)
			break;
	}
	if (i == HOOKS_SLOTS)
		fprintf(stderr, "hookctl: no slot \"%s\"\n", name);
	return (i);
}

/* Sets the slots that the pairs of name and number say. */
static int
hookctl_set(struct hooks *h, char **pair)
{
	char *end;
	intmax_t v;
	int slot;

	for (; pair[0] != NULL; pair += 2) {
		slot = hookctl_find(pair[0]);
		if (slot == HOOKS_SLOTS || pair[1] == NULL)
			return (EX_USAGE);
		v = strtoimax(pair[1], &end, 10);
		if (*pair[1] == '\0' || *end != '\0')
			return (EX_USAGE);
		atomic_store(&h->slots[slot], v);
	}
	return (EX_OK);
}

/* Reads a slot onto standard output. */
static int
hookctl_get(struct hooks *h, const char *name)
{
	int slot = hookctl_find(name);

	if (slot == HOOKS_SLOTS)
		return (EX_USAGE);
	printf("%" PRId64 "\n", atomic_load(&h->slots[slot]));
	return (EX_OK);
}

/* Does what the lines of standard input say. */
static int
hookctl_serve(struct hooks *h)
{
	char *line = NULL, *save, *words[2 * HOOKS_SLOTS + 1];
	size_t cap = 0, n;
	int r = EX_OK;

	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	while (r == EX_OK && getline(&line, &cap, stdin) > 0) {
		words[0] = strtok_r(line, " \n", &save);
		for (n = 0; n < 2 * HOOKS_SLOTS && words[n] != NULL; n++)
			words[n + 1] = strtok_r(NULL, " \n", &save);
		words[n] = NULL;
		if (n == 1)
			r = hookctl_get(h, words[0]);
		else if ((r = hookctl_set(h, words)) == EX_OK)
			printf("ok\n");
	}
	free(line);
	return (r);
}

int
main(int argc, char **argv)
{
	struct hooks *h;
	int fd;

	if (argc < 2 || argc == 3) {
		fprintf(stderr,
		    "usage: hookctl FILE get NAME\n"
		    "       hookctl FILE set NAME NUMBER ...\n"
		    "       hookctl FILE\n");
		return (EX_USAGE);
	}
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	if (fd == -1 || ftruncate(fd, sizeof(*h)) == -1) {
		perror(argv[1]);
		return (EX_IOERR);
	}
	h = mmap(NULL, sizeof(*h), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (h == MAP_FAILED) {
		perror("mmap");
		return (EX_OSERR);
	}
	if (argc == 2)
		return (hookctl_serve(h));
	if (strcmp(argv[2], "set") == 0)
		return (hookctl_set(h, argv + 3));
	if (strcmp(argv[2], "get") != 0 || argc != 4)
		return (EX_USAGE);
	return (hookctl_get(h, argv[3]));
}
