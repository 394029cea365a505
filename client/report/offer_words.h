/* SPDX-License-Identifier: ISC */
/* What an offer, or a ruling that waits, is about. */
#ifndef UMPIRE_CLIENT_REPORT_OFFER_WORDS_H
#define UMPIRE_CLIENT_REPORT_OFFER_WORDS_H

struct battle;
struct game;
struct game_offer;

/* What an offer is about, for "anna offers ...": "offers a draw"; free(). */
char *offer_words(
    const struct game *g, const struct battle *b, const struct game_offer *f);

#endif
