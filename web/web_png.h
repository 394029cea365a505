/* SPDX-License-Identifier: ISC */
/*
 * Pictures as PNG, which the painter makes of SVG (web_painter): one at a time,
 * with a rest after each that is as long as it took, and a few that wait.  When
 * the painter ends another one is started, later each time unless a picture
 * came meanwhile.
 */
#ifndef UMPIRE_WEB_WEB_PNG_H
#define UMPIRE_WEB_WEB_PNG_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct buf;
struct event_base;
struct web_conf;
struct web_drawing;
struct web_png;

/*
 * Forks the painter, if the settings name a program; *out is NULL if not.  To
 * be called before there are descriptors that it must not have.
 */
int web_png_new(const struct web_conf *conf, struct web_png **out,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Has its replies come in a loop. */
void web_png_start(struct web_png *p, struct event_base *base);

/* Closes it; the painter ends.  NULL is allowed. */
void web_png_free(struct web_png *p);

/*
 * True while pictures can be made; p may be NULL.  While a painter is started
 * anew they can, unless several have ended without any picture.
 */
bool web_png_is_up(const struct web_png *p);

/* The end of a drawing: if r is 0 png has the picture, to be taken. */
typedef void web_png_done(void *arg, int r, struct buf *png);

/*
 * Has one made of an SVG, which is taken.  NULL: too many wait, or it is too
 * long.  Else done is called later, once, unless it is cancelled.
 */
struct web_drawing *web_png_draw(
    struct web_png *p, struct buf *svg, web_png_done *done, void *arg);
void web_png_cancel(struct web_drawing *d);

/* How many were made, and how many were not. */
void web_png_count(const struct web_png *p, int64_t *made, int64_t *failed);

#endif
