/* SPDX-License-Identifier: ISC */
/*
 * Configuration files and overrides: what is taken is what printing the
 * settings and reading them again gives; a file that is refused says where and
 * why.
 */
#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "server/base/conf.h"

#include "tests/fuzz/fuzz.h"

/* A file in memory of these bytes, and the path that leads to it. */
static int
fuzz_conf_file(const void *p, size_t n, char path[32])
{
	int fd = memfd_create("conf", MFD_CLOEXEC);

	FUZZ_MUST(fd != -1);
	FUZZ_MUST(n == 0 || write(fd, p, n) == (ssize_t)n);
	(void)snprintf(path, 32, "/proc/self/fd/%d", fd);
	return (fd);
}

/* Reads a file of these bytes; *out is new. */
static int
fuzz_conf_load(const void *p, size_t n, struct conf **out)
{
	struct errinfo e = {.text = ""};
	char path[32];
	int fd = fuzz_conf_file(p, n, path), r;

	r = conf_load(path, NULL, 0, out, &e);
	(void)close(fd);
	FUZZ_MUST(r == 0 ||
	    ((r == ERR_CONFIG || r == ERR_MALFORMED) && e.text[0] != '\0'));
	return (r);
}

/* What is printed of settings must be read as the same ones. */
static void
fuzz_conf_print(const struct conf *first)
{
	struct conf *second;
	struct buf one, two;
	size_t i, n;

	(void)conf_keys(&n);
	buf_init(&one, 0);
	buf_init(&two, 0);
	conf_print(first, &one);
	FUZZ_MUST(buf_error(&one) == 0);
	FUZZ_MUST(fuzz_conf_load(one.data, one.len, &second) == 0);
	for (i = 0; i < n; i++)
		FUZZ_MUST(strcmp(first->raw[i], second->raw[i]) == 0);
	conf_print(second, &two);
	FUZZ_MUST(
	    one.len == two.len && memcmp(one.data, two.data, one.len) == 0);
	conf_free(second);
	buf_clear(&one);
	buf_clear(&two);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *overrides[1];
	struct errinfo e;
	struct conf *c;
	char *text;

	if (fuzz_conf_load(data, size, &c) == 0) {
		fuzz_conf_print(c);
		conf_free(c);
	}
	/* The same bytes as what -o says. */
	FUZZ_MUST((text = malloc(size + 1)) != NULL);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	overrides[0] = text;
	if (conf_load(NULL, overrides, 1, &c, &e) == 0) {
		fuzz_conf_print(c);
		conf_free(c);
	}
	free(text);
	return (0);
}
