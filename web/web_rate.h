/* SPDX-License-Identifier: ISC */
/*
 * How much one reader may ask for: a bucket for each, which fills with requests
 * and leaks with time.  There are only so many; the one that is nearest to
 * empty makes room, so that who asks from many networks gains nothing but that.
 */
#ifndef UMPIRE_WEB_WEB_RATE_H
#define UMPIRE_WEB_WEB_RATE_H

#include <stdint.h>

#include "web/web_from.h"

struct web_rate;

/* Makes them: rate requests a second, and burst at once; rate 0: any number. */
struct web_rate *web_rate_new(int64_t rate, int64_t burst);
void web_rate_free(struct web_rate *r);

/*
 * Counts a request at a time (monotonic, microseconds): 0, or for how many
 * microseconds there is no room for it; then it does not count.
 */
int64_t web_rate_take(
    struct web_rate *r, const struct web_from *from, int64_t now_us);

#endif
