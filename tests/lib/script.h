/* SPDX-License-Identifier: ISC */
/* Programs that a test writes for others to run; come after cmocka.h. */
#ifndef UMPIRE_TESTS_LIB_SCRIPT_H
#define UMPIRE_TESTS_LIB_SCRIPT_H

#include <sys/stat.h>

#include <stdio.h>

/* Writes the program at path: a script of sh. */
static void
script_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fprintf(f, "#!/bin/sh\n%s\n", text) > 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, S_IRWXU), 0);
}

#endif
