/* SPDX-License-Identifier: ISC */
/*
 * Comes before each file of unit tests that is linked into a folder's
 * program: there "main" is a macro, NAME_main for NAME.c.
 */
#ifndef UMPIRE_TESTS_UNIT_UNITS_H
#define UMPIRE_TESTS_UNIT_UNITS_H

/* Runs the tests of this file; returns the program's status. */
int main(void);

#endif
