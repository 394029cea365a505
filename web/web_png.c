/* SPDX-License-Identifier: ISC */
#include "web/web_png.h"

#include <sys/queue.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_painter.h"

#define WEB_PNG_WAITING 16 /* drawings at a time */

/* What every such picture begins with: its signature, its width and height. */
static const unsigned char web_png_begin[24] = {0x89, 'P', 'N', 'G', '\r', '\n',
    0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 1200 >> 8, 1200 & 0xff,
    0, 0, 630 >> 8, 630 & 0xff};

/* A picture to be made; the first one is being made, or the next. */
struct web_drawing {
	TAILQ_ENTRY(web_drawing) next;
	struct buf svg;
	web_png_done *done; /* NULL: it was cancelled */
	void *arg;
};
TAILQ_HEAD(web_drawings, web_drawing);

struct web_png {
	int fd; /* -1: it is the bufferevent's, or closed */
	struct bufferevent *bev; /* owned; NULL: there is no painter any more */
	struct event *rest; /* owned */
	struct web_drawings all;
	size_t n;
	bool is_busy; /* with the first one */
	int64_t began_ms; /* monotonic */
	int64_t made;
	int64_t failed;
};

int
web_png_new(
    const struct web_conf *conf, struct web_png **out, struct errinfo *e)
{
	struct web_png *p;
	int fd, r;

	*out = NULL;
	if (conf->rsvg_convert[0] == '\0')
		return (0);
	if ((r = web_painter_new(conf, &fd, e)) != 0)
		return (r);
	p = xalloc(sizeof(*p));
	p->fd = fd;
	TAILQ_INIT(&p->all);
	*out = p;
	return (0);
}

/* Takes the first one out, and says what became of it. */
static void
web_png_end(struct web_png *p, int r, struct buf *png)
{
	struct web_drawing *d = TAILQ_FIRST(&p->all);

	TAILQ_REMOVE(&p->all, d, next);
	p->n--;
	if (d->done != NULL)
		d->done(d->arg, r, png);
	buf_clear(&d->svg);
	free(d);
}

/* Sends the first one to the painter, if that is free. */
static void
web_png_next(struct web_png *p)
{
	const struct web_drawing *d = TAILQ_FIRST(&p->all);
	uint32_t len;

	if (d == NULL || p->is_busy || evtimer_pending(p->rest, NULL))
		return;
	p->is_busy = true;
	p->began_ms = clock_mono_ms();
	len = (uint32_t)d->svg.len;
	if (bufferevent_write(p->bev, &len, sizeof(len)) != 0 ||
	    bufferevent_write(p->bev, d->svg.data, len) != 0)
		xalloc_die();
}

/* The painter has rested. */
static void
web_png_rest_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	if (web_png_is_up(arg))
		web_png_next(arg);
}

/* Goes on without a painter. */
static void
web_png_lose(struct web_png *p)
{
	log_errorx("the process that makes pictures has ended: there are none "
		   "until umpire-web is started again");
	bufferevent_free(p->bev);
	p->bev = NULL;
	while (!TAILQ_EMPTY(&p->all))
		web_png_end(p, ERR_IO, NULL);
}

/* Why there is no picture; NULL: there is one. */
static const char *
web_png_why(const struct web_painter_head *head, const struct buf *png)
{
	switch ((enum web_painter_status)head->status) {
	case WEB_PAINTER_DONE:
		if (png->len >= sizeof(web_png_begin) &&
		    memcmp(png->data, web_png_begin, sizeof(web_png_begin)) ==
			0)
			return (NULL);
		return ("what it wrote is no PNG of 1200 x 630");
	case WEB_PAINTER_UNSTARTED:
		return ("it cannot be started");
	case WEB_PAINTER_LATE:
		return ("it took longer than picture_ms");
	case WEB_PAINTER_LARGE:
		return ("it wrote more than a picture has");
	case WEB_PAINTER_FAILED:
		break;
	}
	return ("it failed");
}

/* The painter has written. */
static void
web_png_read_cb(struct bufferevent *bev, void *arg)
{
	struct evbuffer *in = bufferevent_get_input(bev);
	struct web_png *p = arg;
	struct web_painter_head head;
	struct timeval rest;
	const char *why;
	struct buf png;
	int64_t ms;

	if (evbuffer_copyout(in, &head, sizeof(head)) != (ssize_t)sizeof(head))
		return;
	if (head.len > WEB_PAINTER_PNG || !p->is_busy) {
		web_png_lose(p);
		return;
	}
	if (evbuffer_get_length(in) < sizeof(head) + head.len)
		return;
	buf_init(&png, 0);
	(void)evbuffer_drain(in, sizeof(head));
	if (head.len > 0)
		buf_add(&png, evbuffer_pullup(in, head.len), head.len);
	(void)evbuffer_drain(in, head.len);
	if (buf_error(&png) != 0)
		xalloc_die();
	ms = clock_mono_ms() - p->began_ms;
	if ((why = web_png_why(&head, &png)) != NULL) {
		log_warnx("rsvg_convert: %s", why);
		p->failed++;
	} else {
		log_debug("a picture took %lld ms", (long long)ms);
		p->made++;
	}
	p->is_busy = false;
	rest.tv_sec = (time_t)(ms / 1000);
	rest.tv_usec = (suseconds_t)(ms % 1000 * 1000);
	(void)evtimer_add(p->rest, &rest);
	web_png_end(p, why == NULL ? 0 : ERR_BAD, &png);
	buf_clear(&png);
}

/* The painter's end of the socket was closed. */
static void
web_png_event_cb(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0)
		web_png_lose(arg);
}

void
web_png_start(struct web_png *p, struct event_base *base)
{
	if (p == NULL)
		return;
	p->rest = evtimer_new(base, web_png_rest_cb, p);
	if (p->rest == NULL || evutil_make_socket_nonblocking(p->fd) != 0 ||
	    (p->bev = bufferevent_socket_new(
		 base, p->fd, BEV_OPT_CLOSE_ON_FREE)) == NULL)
		xalloc_die();
	p->fd = -1;
	bufferevent_setcb(p->bev, web_png_read_cb, NULL, web_png_event_cb, p);
	if (bufferevent_enable(p->bev, EV_READ | EV_WRITE) != 0)
		xalloc_die();
}

void
web_png_free(struct web_png *p)
{
	if (p == NULL)
		return;
	while (!TAILQ_EMPTY(&p->all))
		web_png_end(p, ERR_IO, NULL);
	if (p->bev != NULL)
		bufferevent_free(p->bev);
	if (p->rest != NULL)
		event_free(p->rest);
	if (p->fd != -1)
		(void)close(p->fd);
	free(p);
}

bool
web_png_is_up(const struct web_png *p)
{
	return (p != NULL && p->bev != NULL);
}

struct web_drawing *
web_png_draw(struct web_png *p, struct buf *svg, web_png_done *done, void *arg)
{
	struct web_drawing *d;

	if (!web_png_is_up(p) || p->n >= WEB_PNG_WAITING ||
	    buf_error(svg) != 0 || svg->len > WEB_PAINTER_SVG)
		return (NULL);
	d = xalloc(sizeof(*d));
	d->svg = *svg;
	buf_init(svg, svg->max);
	d->done = done;
	d->arg = arg;
	TAILQ_INSERT_TAIL(&p->all, d, next);
	p->n++;
	web_png_next(p);
	return (d);
}

void
web_png_cancel(struct web_drawing *d)
{
	/* The painter may be at it. */
	if (d != NULL)
		d->done = NULL;
}

void
web_png_count(const struct web_png *p, int64_t *made, int64_t *failed)
{
	*made = p == NULL ? 0 : p->made;
	*failed = p == NULL ? 0 : p->failed;
}
