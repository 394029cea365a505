/* SPDX-License-Identifier: ISC */
/*
 * How long to pause before the next attempt to connect: each time twice as
 * long, up to a minute, and half of it is chance, so that those whose server
 * went away do not all come back in one moment.
 */
#ifndef UMPIRE_CLIENT_NET_BACKOFF_H
#define UMPIRE_CLIENT_NET_BACKOFF_H

#define BACKOFF_FIRST_MS 250
#define BACKOFF_LAST_MS 60000

struct backoff {
	unsigned next_ms; /* the pause, chance aside */
};

/* Begins anew: the last attempt was good. */
void backoff_begin(struct backoff *b);

/* The pause before the next attempt, in milliseconds. */
unsigned backoff_next(struct backoff *b);

#endif
