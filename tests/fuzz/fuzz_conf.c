/* SPDX-License-Identifier: ISC */
/*
 * Configuration files: one that is taken is what printing its settings and
 * reading them again gives; one that is refused says where and why.
 */
#include <sys/mman.h>

#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "server/conf.h"

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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf *first, *second;
	struct buf one, two;

	if (fuzz_conf_load(data, size, &first) != 0)
		return (0);
	buf_init(&one, 0);
	buf_init(&two, 0);
	conf_print(first, &one);
	FUZZ_MUST(buf_error(&one) == 0);
	FUZZ_MUST(fuzz_conf_load(one.data, one.len, &second) == 0);
	conf_print(second, &two);
	FUZZ_MUST(
	    one.len == two.len && memcmp(one.data, two.data, one.len) == 0);
	conf_free(second);
	conf_free(first);
	buf_clear(&one);
	buf_clear(&two);
	return (0);
}
