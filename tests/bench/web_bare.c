/* SPDX-License-Identifier: ISC */
/*
 * The reference of measures of umpire-web: evhttp and nothing else.  usage:
 * web_bare PORTFILE.  It listens on a free port of the loopback, which it
 * writes to PORTFILE.  "/" is a small reply; "/events" a stream that says
 * nothing until "/go" has an event of WEB_BARE_EVENT bytes sent to all of them
 * in one go.  SIGTERM ends it.
 */
#include <sys/queue.h>

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>

#define WEB_BARE_BACKLOG 4096
#define WEB_BARE_EVENT 200

/* A stream. */
struct web_bare_stream {
	TAILQ_ENTRY(web_bare_stream) link;
	struct evhttp_request *req;
};

TAILQ_HEAD(web_bare_streams, web_bare_stream);

/* Says what cannot be had, and ends. */
static void __attribute__((noreturn)) web_bare_die(const char *what)
{
	perror(what);
	exit(1);
}

/* Replies to "/". */
static void
web_bare_hello_cb(struct evhttp_request *req, void *arg)
{
	struct evbuffer *b = evbuffer_new();

	(void)arg;
	if (b == NULL)
		web_bare_die("memory");
	(void)evbuffer_add_printf(b, "hello, world\n");
	evhttp_send_reply(req, 200, "OK", b);
	evbuffer_free(b);
}

/* A stream's connection has ended. */
static void
web_bare_gone_cb(struct evhttp_connection *evcon, void *arg)
{
	(void)evcon;
	free(arg); /* nothing is sent to any after the first one goes */
}

/* Begins a stream. */
static void
web_bare_events_cb(struct evhttp_request *req, void *arg)
{
	struct web_bare_streams *all = arg;
	struct web_bare_stream *s = calloc(1, sizeof(*s));
	struct evbuffer *b = evbuffer_new();

	if (s == NULL || b == NULL)
		web_bare_die("memory");
	s->req = req;
	TAILQ_INSERT_TAIL(all, s, link);
	evhttp_connection_set_closecb(
	    evhttp_request_get_connection(req), web_bare_gone_cb, s);
	(void)evhttp_add_header(evhttp_request_get_output_headers(req),
	    "Content-Type", "text/event-stream");
	evhttp_send_reply_start(req, 200, "OK");
	(void)evbuffer_add_printf(b, "retry: 3000\n\n");
	evhttp_send_reply_chunk(req, b);
	evbuffer_free(b);
}

/* Sends an event to all streams. */
static void
web_bare_go_cb(struct evhttp_request *req, void *arg)
{
	struct web_bare_streams *all = arg;
	struct web_bare_stream *s;
	struct evbuffer *b = evbuffer_new();

	if (b == NULL)
		web_bare_die("memory");
	TAILQ_FOREACH(s, all, link)
	{
		(void)evbuffer_add_printf(b,
		    "id: 1\nevent: line\ndata: %0*d\n\n", WEB_BARE_EVENT - 27,
		    1);
		evhttp_send_reply_chunk(s->req, b);
		(void)evbuffer_drain(b, evbuffer_get_length(b));
	}
	evhttp_send_reply(req, 200, "OK", b);
	evbuffer_free(b);
}

/* SIGTERM. */
static void
web_bare_stop_cb(evutil_socket_t sig, short what, void *arg)
{
	(void)sig;
	(void)what;
	(void)event_base_loopbreak(arg);
}

int
main(int argc, char *argv[])
{
	struct sockaddr_in in4 = {
	    .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(in4);
	struct web_bare_streams all = TAILQ_HEAD_INITIALIZER(all);
	struct event_base *base = event_base_new();
	struct evhttp *http = base == NULL ? NULL : evhttp_new(base);
	struct evconnlistener *l;
	struct event *stop;
	FILE *f;

	if (argc != 2 || http == NULL)
		web_bare_die("usage: web_bare PORTFILE");
	l = evconnlistener_new_bind(base, NULL, NULL,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, WEB_BARE_BACKLOG,
	    (const struct sockaddr *)&in4, sizeof(in4));
	stop = evsignal_new(base, SIGTERM, web_bare_stop_cb, base);
	if (l == NULL || stop == NULL || event_add(stop, NULL) != 0 ||
	    evhttp_bind_listener(http, l) == NULL ||
	    getsockname(
		evconnlistener_get_fd(l), (struct sockaddr *)&in4, &len) != 0)
		web_bare_die("listen");
	if (evhttp_set_cb(http, "/", web_bare_hello_cb, NULL) != 0 ||
	    evhttp_set_cb(http, "/events", web_bare_events_cb, &all) != 0 ||
	    evhttp_set_cb(http, "/go", web_bare_go_cb, &all) != 0)
		web_bare_die("memory");
	if ((f = fopen(argv[1], "w")) == NULL ||
	    fprintf(f, "%u\n", ntohs(in4.sin_port)) < 0 || fclose(f) != 0)
		web_bare_die(argv[1]);
	(void)event_base_dispatch(base);
	return (0);
}
