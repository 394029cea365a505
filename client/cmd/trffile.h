/* SPDX-License-Identifier: ISC */
/* A TRF file of a tournament, for what is done without a server. */
#ifndef UMPIRE_CLIENT_CMD_TRFFILE_H
#define UMPIRE_CLIENT_CMD_TRFFILE_H

struct trf;

/*
 * Reads a file ("-": standard input); prints what is wrong with it, and where.
 * 0, or an exit status; *out is new.
 */
int trffile_read(const char *path, struct trf **out);

#endif
