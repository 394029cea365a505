/* SPDX-License-Identifier: ISC */
/* What a file of evidence against a server proves, for `umpire verify`. */
#ifndef UMPIRE_CLIENT_CMD_PROOF_H
#define UMPIRE_CLIENT_CMD_PROOF_H

#include <stdint.h>

#include <jansson.h>

struct buf;
struct out;

/*
 * Judges the bytes of a file of evidence, which is called so for people, and
 * tells what it proves; with --json as *v, new.  server is the key that must
 * have signed; NULL: any.  An exit status: EX_OK: it proves what it says;
 * RECORDFILE_BAD: it proves nothing; CMD_UNCHECKED: that cannot be judged here;
 * else what failed is printed, and *v is not written.
 */
int proof_tell(struct out *o, const char *name, struct buf *bytes,
    const uint8_t *server, json_t **v);

#endif
