/* SPDX-License-Identifier: ISC */
/* cmocka's checks as FUZZ_MUST(), for the helpers of unit tests in a target. */
#ifndef UMPIRE_TESTS_FUZZ_ASSERTS_H
#define UMPIRE_TESTS_FUZZ_ASSERTS_H

#include <string.h>

#include "tests/fuzz/fuzz.h"

#define assert_true(x) FUZZ_MUST(x)
#define assert_null(x) FUZZ_MUST((x) == NULL)
#define assert_non_null(x) FUZZ_MUST((x) != NULL)
#define assert_int_equal(a, b) FUZZ_MUST((a) == (b))
#define assert_string_equal(a, b) FUZZ_MUST(strcmp(a, b) == 0)
#define fail_msg(...) FUZZ_MUST(fprintf(stderr, __VA_ARGS__) < 0)

#endif
