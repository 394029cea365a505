/* SPDX-License-Identifier: ISC */
/* The only file that reads a clock, and the record's form of a time. */
#ifndef UMPIRE_COMMON_BASE_CLOCK_H
#define UMPIRE_COMMON_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define CLOCK_AT_LEN 24 /* YYYY-MM-DDThh:mm:ss.mmmZ */

/* Milliseconds since 1970-01-01T00:00:00Z; may step back with the system. */
int64_t clock_wall_ms(void);

/* Milliseconds of a clock that never steps back; only differences count. */
int64_t clock_mono_ms(void);

/*
 * The same, but it goes on while the machine is suspended: so the wall clock
 * keeps its distance from it unless somebody sets it.
 */
int64_t clock_boot_ms(void);

/* clock_mono_ms() in microseconds. */
int64_t clock_mono_us(void);

/* Microseconds of the processor that the calling thread has used. */
int64_t clock_thread_us(void);

/*
 * Writes ms as YYYY-MM-DDThh:mm:ss.mmmZ and a terminator.  Times before 1970
 * or after 9999 are held to that range.
 */
void clock_format(char out[CLOCK_AT_LEN + 1], int64_t ms);

/*
 * Reads a time of exactly that form (record S2): a real date, 1970 to 9999,
 * no leap second.  ERR_MALFORMED otherwise.
 */
int clock_parse(const char *s, size_t len, int64_t *ms)
    __attribute__((warn_unused_result));

/*
 * Writes ms in local time for people, "2026-11-20 18:04" (to the minute),
 * at most 31 characters and a terminator.
 */
void clock_local(char out[32], int64_t ms);

/* Minutes by which local time is ahead of UTC at ms; behind: below 0. */
int clock_ahead(int64_t ms);

/* Writes such minutes for people: "UTC", "UTC+05:30". */
#define CLOCK_ZONE_LEN 31
void clock_zone(char out[CLOCK_ZONE_LEN + 1], int minutes);

#endif
