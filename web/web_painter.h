/* SPDX-License-Identifier: ISC */
/*
 * A process that is forked before the sandbox is entered, and the only one that
 * starts a program: rsvg-convert, once for each picture and one at a time, with
 * bounds on its time, memory and output.  The program has no network, writes no
 * files and reads none but those of the system.
 *
 * It is given a number of bytes and so many bytes of SVG, and replies with a
 * struct web_painter_head and so many bytes of PNG; it ends when the other end
 * of its socket is closed.  Its first reply, without bytes, is to nothing: it
 * is ready.
 *
 * What is forked is a process that keeps it: when the painter has ended, a byte
 * comes at a second socket, the keeper's.  Whoever has it clears its end of the
 * painter's socket, of what was read and what was to be written, and sends a
 * byte back; then another painter is started.  So nobody takes a part of one
 * picture for another, and a painter that always ends is started as often as it
 * is asked for.
 */
#ifndef UMPIRE_WEB_WEB_PAINTER_H
#define UMPIRE_WEB_WEB_PAINTER_H

#include <stdint.h>

#include "common/base/err.h"

struct web_conf;

#define WEB_PAINTER_SVG (256U << 10) /* bytes at most */
#define WEB_PAINTER_PNG (1U << 20) /* likewise */

/* What became of a picture. */
enum web_painter_status {
	WEB_PAINTER_DONE,
	WEB_PAINTER_UNSTARTED,
	WEB_PAINTER_FAILED, /* its exit status was not 0, or it was killed */
	WEB_PAINTER_LATE,
	WEB_PAINTER_LARGE,
};

/* What a reply begins with, in the order of bytes of this machine. */
struct web_painter_head {
	uint32_t status;
	uint32_t len; /* bytes that follow; 0 unless it is done */
};

/* ERR_CONFIG unless the settings' program, if there is one, can be run. */
int web_painter_check(const struct web_conf *conf, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Forks both; *fd is this end of the painter's socket, which is ready, *keeper
 * of the other's.  ERR_IO, ERR_INTERNAL.
 */
int web_painter_new(const struct web_conf *conf, int *fd, int *keeper,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
