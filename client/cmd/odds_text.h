/* SPDX-License-Identifier: ISC */
/* Odds as text for people, with bars. */
#ifndef UMPIRE_CLIENT_CMD_ODDS_TEXT_H
#define UMPIRE_CLIENT_CMD_ODDS_TEXT_H

struct odds_view;
struct out;

/* Prints the odds, at most OUT_WIDTH columns wide. */
void odds_text_print(struct out *o, const struct odds_view *v);

#endif
