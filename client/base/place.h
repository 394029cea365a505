/* SPDX-License-Identifier: ISC */
/*
 * Where an error is, as people name it.  Errors have a path into what one
 * program said to another ("params.order.args.units[0].strength"); whoever
 * typed a command has not seen that, while whoever wrote a file finds the
 * place by it.
 */
#ifndef UMPIRE_CLIENT_BASE_PLACE_H
#define UMPIRE_CLIENT_BASE_PLACE_H

#include <jansson.h>

#include "common/base/err.h"

/*
 * What an error says, with its place in words, "the strength of fr-1 must be
 * ...", and without it where the text is whole by itself.  of, which may be
 * NULL, is what the path leads through, for the ids of units; free().
 */
char *place_error(int r, const struct errinfo *e, const json_t *of);

/* What a file is called in a sentence: "'r.json'", "standard input"; free(). */
char *place_file(const char *path);

/*
 * What is wrong with a file ("-": standard input), with the path in it: "in
 * r.json at sides.1.units[0].strength: must be ..."; free().
 */
char *place_in_file(const char *path, int r, const struct errinfo *e);

#endif
