/* SPDX-License-Identifier: ISC */
/*
 * The negative control of "make fuzz-long", which shows that it tells what it
 * finds.  With UMPIRE_FUZZ_CONTROL in the environment every target, whose entry
 * goes through here (ld's --wrap, which wants these names), aborts at an input
 * that begins as no text does, nor anything in the corpora: with a byte from
 * the middle of a character of UTF-8.  It runs few inputs any further then,
 * since some targets take so long that chance would not get there in a minute.
 */
#include "tests/fuzz/fuzz.h"

#define CONTROL_ENV "UMPIRE_FUZZ_CONTROL"
#define CONTROL_RUN 32 /* of so many inputs one is run */

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
__wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned n;

	if (getenv(CONTROL_ENV) != NULL) {
		FUZZ_MUST(size == 0 || (data[0] & 0xc0) != 0x80);
		if (n++ % CONTROL_RUN != 0)
			return (0);
	}
	return (__real_LLVMFuzzerTestOneInput(data, size));
}
