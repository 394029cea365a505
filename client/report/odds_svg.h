/* SPDX-License-Identifier: ISC */
/* Odds as a picture. */
#ifndef UMPIRE_CLIENT_REPORT_ODDS_SVG_H
#define UMPIRE_CLIENT_REPORT_ODDS_SVG_H

struct buf;
struct odds_view;

/*
 * Appends an SVG document that needs nothing beside it, runs nothing, and
 * reads in light and in dark.
 */
void odds_svg_write(const struct odds_view *v, struct buf *out);

#endif
