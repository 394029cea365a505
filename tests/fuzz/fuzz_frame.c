/* SPDX-License-Identifier: ISC */
/*
 * Lines out of a stream: however the bytes are cut, the lines are those that
 * a plain search for LF finds, up to the first that is too long.
 */
#include <string.h>

#include "common/base/frame.h"

#include "tests/fuzz/fuzz.h"

#define FUZZ_FRAME_MAX 48

/* The next line of the plain search; false: none, or it is too long. */
static int
fuzz_frame_expect(
    const uint8_t **p, const uint8_t *end, const char **line, size_t *len)
{
	const uint8_t *lf;

	lf = memchr(*p, '\n', (size_t)(end - *p));
	if (lf == NULL)
		return (0);
	*line = (const char *)*p;
	*len = (size_t)(lf - *p);
	*p = lf + 1;
	if (*len > 0 && (*line)[*len - 1] == '\r')
		(*len)--;
	return (1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *p, *fed, *end;
	const char *line, *want;
	size_t len, want_len, step;
	struct frame f;
	int r;

	if (size == 0)
		return (0);
	step = 1 + data[0] % 64;
	p = fed = data + 1;
	end = data + size;
	frame_init(&f, FUZZ_FRAME_MAX);
	for (r = 0; fed < end && r == 0; fed += step) {
		if (step > (size_t)(end - fed))
			step = (size_t)(end - fed);
		r = frame_feed(&f, fed, step);
		while (frame_next(&f, &line, &len) == 0) {
			FUZZ_MUST(fuzz_frame_expect(&p, end, &want, &want_len));
			FUZZ_MUST(len == want_len && len <= FUZZ_FRAME_MAX);
			FUZZ_MUST(memcmp(line, want, len) == 0);
		}
	}
	if (fuzz_frame_expect(&p, end, &want, &want_len))
		FUZZ_MUST(want_len >= FUZZ_FRAME_MAX);
	frame_clear(&f);
	return (0);
}
