/* SPDX-License-Identifier: ISC */
/* Programs that a test writes for others to run. */
#ifndef UMPIRE_TESTS_LIB_SCRIPT_H
#define UMPIRE_TESTS_LIB_SCRIPT_H

#include <sys/stat.h>

#include <stdio.h>

/* Writes the program at path: a script of sh. */
void script_write(const char *path, const char *text);

#endif
