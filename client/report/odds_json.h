/* SPDX-License-Identifier: ISC */
/* Odds for programs. */
#ifndef UMPIRE_CLIENT_REPORT_ODDS_JSON_H
#define UMPIRE_CLIENT_REPORT_ODDS_JSON_H

#include <jansson.h>

struct odds_view;

/*
 * As `umpire odds --json` prints them (umpire(1)); new.  The word of a policy
 * is "as given" where answers that were given go before it.
 */
json_t *odds_json(const struct odds_view *v);

#endif
