/* SPDX-License-Identifier: ISC */
/*
 * What each target gives to libFuzzer, or to replay.c where the compiler has
 * none: one call a case, which aborts when something is wrong.
 */
#ifndef UMPIRE_TESTS_FUZZ_FUZZ_H
#define UMPIRE_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, loudly, unless what must hold does. */
#define FUZZ_MUST(x)                                                        \
	do {                                                                \
		if (!(x)) {                                                 \
			(void)fprintf(                                      \
			    stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
			abort();                                            \
		}                                                           \
	} while (0)

#endif
