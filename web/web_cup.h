/* SPDX-License-Identifier: ISC */
/*
 * The tournaments that are shown: their records, each line verified as it
 * comes, in memory alone.  How a round was paired is taken as it stands, since
 * to work that out may take half a minute: umpire verify does.
 */
#ifndef UMPIRE_WEB_WEB_CUP_H
#define UMPIRE_WEB_WEB_CUP_H

#include <jansson.h>

#include "web/web_http.h"

struct web_cups;
struct web_site;

struct web_cups *web_cup_open_all(struct web_site *s);
void web_cup_close_all(struct web_cups *cs);

/* Replies to a request about the tournament of this id, at once or later. */
void web_cup_reply(
    struct web_cups *cs, struct web_request *rq, const char *hex, int digits);

/* A text of it was erased, or all of it may have changed. */
void web_cup_notice(
    struct web_cups *cs, const char *method, const json_t *params);

#endif
