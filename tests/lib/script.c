/* SPDX-License-Identifier: ISC */
#include "tests/lib/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void
script_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fprintf(f, "#!/bin/sh\n%s\n", text) > 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, S_IRWXU), 0);
}
