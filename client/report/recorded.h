/* SPDX-License-Identifier: ISC */
/*
 * A record that lies in memory, told as a battle: for those who have neither a
 * profile nor a server.
 */
#ifndef UMPIRE_CLIENT_REPORT_RECORDED_H
#define UMPIRE_CLIENT_REPORT_RECORDED_H

#include <stddef.h>
#include <stdint.h>

struct battle;
struct recorded;
struct verify;

/*
 * Makes a battle of the first n lines of a record, which v has taken and found
 * good, and of those side lines that hold and that the lines name.  The bytes
 * are borrowed for as long as it lives, v is stolen.  New.
 */
struct recorded *recorded_new(
    const char *bytes, size_t len, int64_t n, struct verify *v);

/* Frees it; NULL is allowed. */
void recorded_free(struct recorded *rc);

/* Borrowed. */
const struct battle *recorded_battle(const struct recorded *rc);

#endif
