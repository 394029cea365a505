/* SPDX-License-Identifier: ISC */
#include "web/web_png.h"

#include <sys/queue.h>
#include <sys/socket.h>

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
#define WEB_PNG_DEATHS 3 /* of painters in a row, until none is trusted */
/* Until the next painter is started: twice as long each time, up to a bound. */
#define WEB_PNG_AGAIN_MS 400
#define WEB_PNG_LATEST_MS 60000

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
	struct event_base *base; /* borrowed */
	int fd; /* to the painter; -1: there is none any more */
	int keeper_fd; /* likewise, to who starts it */
	struct bufferevent *bev; /* owned; NULL: no painter is at work */
	struct event *keeper; /* owned: a painter has ended */
	struct event *again; /* owned: when the next one is started */
	struct event *rest; /* owned */
	int deaths; /* of painters since the last picture */
	bool is_ready; /* a painter is there */
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
	int fd, keeper, r;

	*out = NULL;
	if (conf->rsvg_convert[0] == '\0')
		return (0);
	if ((r = web_painter_new(conf, &fd, &keeper, e)) != 0)
		return (r);
	p = xalloc(sizeof(*p));
	p->fd = fd;
	p->keeper_fd = keeper;
	p->is_ready = true;
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

	if (d == NULL || p->is_busy || !p->is_ready ||
	    evtimer_pending(p->rest, NULL))
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
	web_png_next(arg);
}

/* Forgets the painter, and fails what it was at. */
static void
web_png_forget(struct web_png *p)
{
	if (p->bev != NULL)
		bufferevent_free(p->bev);
	p->bev = NULL;
	p->is_ready = false;
	if (p->is_busy) {
		p->is_busy = false;
		p->failed++;
		web_png_end(p, ERR_IO, NULL);
	}
}

/* Fails all that wait. */
static void
web_png_fail(struct web_png *p)
{
	while (!TAILQ_EMPTY(&p->all))
		web_png_end(p, ERR_IO, NULL);
}

/* Goes on without painters. */
static void
web_png_lose(struct web_png *p)
{
	log_errorx("the process that keeps a painter has ended: there are no "
		   "pictures until umpire-web is started again");
	web_png_forget(p);
	(void)event_del(p->keeper);
	(void)evtimer_del(p->again);
	(void)close(p->fd);
	(void)close(p->keeper_fd);
	p->fd = p->keeper_fd = -1;
	web_png_fail(p);
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
	if (!p->is_ready && head.len == 0) {
		(void)evbuffer_drain(in, sizeof(head));
		p->is_ready = true;
		web_png_next(p);
		return;
	}
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
	p->deaths = 0;
	rest.tv_sec = (time_t)(ms / 1000);
	rest.tv_usec = (suseconds_t)(ms % 1000 * 1000);
	(void)evtimer_add(p->rest, &rest);
	web_png_end(p, why == NULL ? 0 : ERR_BAD, &png);
	buf_clear(&png);
}

/* The other end of the socket was closed, which the keeper has, too. */
static void
web_png_event_cb(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0)
		web_png_lose(arg);
}

/* Talks to a painter from now on. */
static void
web_png_meet(struct web_png *p)
{
	p->bev = bufferevent_socket_new(p->base, p->fd, 0);
	if (p->bev == NULL)
		xalloc_die();
	bufferevent_setcb(p->bev, web_png_read_cb, NULL, web_png_event_cb, p);
	if (bufferevent_enable(p->bev, EV_READ | EV_WRITE) != 0)
		xalloc_die();
}

/* The painter has ended: has another one started in a while. */
static void
web_png_keeper_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_png *p = arg;
	int64_t wait_ms = WEB_PNG_LATEST_MS;
	struct timeval tv;
	char rest[4096];

	(void)what;
	if (recv(fd, rest, 1, 0) != 1) {
		web_png_lose(p);
		return;
	}
	if (p->deaths < 16 && WEB_PNG_AGAIN_MS << p->deaths < wait_ms)
		wait_ms = (int64_t)WEB_PNG_AGAIN_MS << p->deaths;
	p->deaths++;
	log_warnx("the process that makes pictures has ended: another one is "
		  "started in %lld ms",
	    (long long)wait_ms);
	web_png_forget(p);
	/* Nothing that it has written is for the next one. */
	while (recv(p->fd, rest, sizeof(rest), MSG_DONTWAIT) > 0)
		continue;
	if (p->deaths >= WEB_PNG_DEATHS)
		web_png_fail(p);
	tv.tv_sec = (time_t)(wait_ms / 1000);
	tv.tv_usec = (suseconds_t)(wait_ms % 1000 * 1000);
	(void)evtimer_add(p->again, &tv);
}

/* Has the next painter started. */
static void
web_png_again_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_png *p = arg;
	const char byte = 0;

	(void)fd;
	(void)what;
	web_png_meet(p);
	if (send(p->keeper_fd, &byte, 1, MSG_NOSIGNAL) != 1)
		web_png_lose(p);
}

void
web_png_start(struct web_png *p, struct event_base *base)
{
	if (p == NULL)
		return;
	p->base = base;
	p->rest = evtimer_new(base, web_png_rest_cb, p);
	p->again = evtimer_new(base, web_png_again_cb, p);
	p->keeper = event_new(
	    base, p->keeper_fd, EV_READ | EV_PERSIST, web_png_keeper_cb, p);
	if (p->rest == NULL || p->again == NULL || p->keeper == NULL ||
	    event_add(p->keeper, NULL) != 0 ||
	    evutil_make_socket_nonblocking(p->fd) != 0 ||
	    evutil_make_socket_nonblocking(p->keeper_fd) != 0)
		xalloc_die();
	web_png_meet(p);
}

void
web_png_free(struct web_png *p)
{
	if (p == NULL)
		return;
	web_png_fail(p);
	if (p->bev != NULL)
		bufferevent_free(p->bev);
	if (p->rest != NULL)
		event_free(p->rest);
	if (p->again != NULL)
		event_free(p->again);
	if (p->keeper != NULL)
		event_free(p->keeper);
	if (p->fd != -1)
		(void)close(p->fd);
	if (p->keeper_fd != -1)
		(void)close(p->keeper_fd);
	free(p);
}

bool
web_png_is_up(const struct web_png *p)
{
	return (p != NULL && p->keeper_fd != -1 &&
	    (p->is_ready || p->deaths < WEB_PNG_DEATHS));
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
