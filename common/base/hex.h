/* SPDX-License-Identifier: ISC */
/* Lower-case hex of full length, the record's form for binary (record S1). */
#ifndef UMPIRE_COMMON_BASE_HEX_H
#define UMPIRE_COMMON_BASE_HEX_H

#include <stddef.h>
#include <stdint.h>

/* Writes 2n lower-case digits and a terminator: out has 2n + 1 bytes. */
void hex_format(char *out, const void *p, size_t n);

/*
 * Reads exactly 2n lower-case digits from s, which has len bytes, into out.
 * ERR_MALFORMED for another length, a capital or anything else; out is then
 * unchanged.
 */
int hex_parse(uint8_t *out, size_t n, const char *s, size_t len)
    __attribute__((warn_unused_result));

#endif
