/* SPDX-License-Identifier: ISC */
#include "web/web_link.h"

#include <sys/queue.h>

#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/frame.h"
#include "common/json/js.h"
#include "common/record/rpc.h"

#define WEB_LINK_GROUPS "X25519:P-256" /* umpire-protocol(7), Transport */
#define WEB_LINK_LABEL "EXPORTER-Channel-Binding" /* RFC 9266 */
#define WEB_LINK_EXPORTER 32
#define WEB_LINK_WAIT_S 30 /* for a connection, an answer, a sign of life */
#define WEB_LINK_FIRST_MS 100 /* first pause; each later one twice as long */
#define WEB_LINK_LAST_MS 10000
#define WEB_LINK_OUT (8 * 1024 * 1024) /* bytes that may wait to be sent */

/* A request that waits for its answer. */
struct web_ask {
	TAILQ_ENTRY(web_ask) next;
	int64_t id;
	int64_t until_ms; /* monotonic */
	web_link_answer *answer;
	void *arg;
};
TAILQ_HEAD(web_asks, web_ask);

struct web_link {
	struct event_base *base; /* borrowed */
	/* Owned, unless it is_another; NULL: names are not resolved. */
	struct evdns_base *dns;
	SSL_CTX *tls; /* owned: a reference */
	struct bufferevent *bev; /* owned; NULL between two connections */
	struct event *again; /* owned: the next attempt */
	struct event *tick; /* owned: what has waited for too long */
	struct event *soon; /* owned: answers without a connection */
	struct web_link_calls calls;
	char *host; /* owned */
	char *port; /* owned */
	struct frame in;
	struct web_asks asks; /* owned: the oldest first */
	struct web_asks lost; /* owned: to be answered ERR_CLOSED */
	int64_t next_id;
	int64_t pause_ms;
	int64_t down_ms;
	int64_t heard_ms; /* monotonic: when bytes came last */
	bool is_up;
	bool has_pin;
	bool is_another; /* beside one that outlives it */
	uint8_t pin[SIGN_KEY_LEN];
	uint8_t exporter[WEB_LINK_EXPORTER];
};

static void web_link_fail(struct web_link *l, const struct errinfo *why);

bool
web_link_is_up(const struct web_link *l)
{
	return (l->is_up);
}

int64_t
web_link_down_ms(const struct web_link *l)
{
	return (l->is_up ? 0 : l->down_ms);
}

const uint8_t *
web_link_key(const struct web_link *l)
{
	return (l->has_pin ? l->pin : NULL);
}

/* Answers those whose connection has gone. */
static void
web_link_soon_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_link *l = arg;
	struct web_asks lost = TAILQ_HEAD_INITIALIZER(lost);
	struct web_ask *a;

	(void)fd;
	(void)what;
	TAILQ_CONCAT(&lost, &l->lost, next);
	while ((a = TAILQ_FIRST(&lost)) != NULL) {
		TAILQ_REMOVE(&lost, a, next);
		a->answer(a->arg, ERR_CLOSED, NULL);
		free(a);
	}
}

/* Gives up all requests; they are answered from the loop. */
static void
web_link_lose(struct web_link *l)
{
	TAILQ_CONCAT(&l->lost, &l->asks, next);
	if (!TAILQ_EMPTY(&l->lost))
		event_active(l->soon, EV_TIMEOUT, 0);
}

/* Takes the request that an answer names out of those that wait; NULL. */
static struct web_ask *
web_link_take(struct web_link *l, int64_t id)
{
	struct web_ask *a;

	/* Most answers come in the order of the requests. */
	TAILQ_FOREACH(a, &l->asks, next)
	{
		if (a->id == id) {
			TAILQ_REMOVE(&l->asks, a, next);
			break;
		}
	}
	return (a);
}

/* Reads one line; false if it is no message, which ends the connection. */
static bool
web_link_line(struct web_link *l, const char *line, size_t len)
{
	struct errinfo e = {.text = ""};
	struct rpc_reply rp;
	struct web_ask *a;

	if (rpc_reply_parse(line, len, &rp, &e) != 0)
		return (false);
	if (rp.method != NULL) {
		l->calls.notice(l->calls.arg, rp.method, rp.params);
	} else if ((a = web_link_take(l, rp.id)) != NULL) {
		a->answer(a->arg, rp.r, rp.result);
		free(a);
	}
	rpc_reply_clear(&rp);
	return (true);
}

/* Takes what has come, line by line. */
static void
web_link_read_cb(struct bufferevent *bev, void *arg)
{
	struct web_link *l = arg;
	struct errinfo why = {.text = "the server sent what is no message"};
	char chunk[16384];
	const char *line;
	size_t len;
	int n;

	l->heard_ms = clock_mono_ms();
	while ((n = bufferevent_get_input(bev) == NULL
		       ? 0
		       : evbuffer_remove(bufferevent_get_input(bev), chunk,
			     sizeof(chunk))) > 0) {
		if (frame_feed(&l->in, chunk, (size_t)n) != 0) {
			web_link_fail(l, &why);
			return;
		}
		while (frame_next(&l->in, &line, &len) == 0) {
			if (!web_link_line(l, line, len)) {
				web_link_fail(l, &why);
				return;
			}
			/* What was told may have ended it. */
			if (l->bev != bev)
				return;
		}
	}
}

/* Checks who has answered server.hello. */
static int
web_link_check(struct web_link *l, const json_t *hello, struct errinfo *e)
{
	struct js_at at = {.name = "server.hello"};
	uint8_t key[SIGN_KEY_LEN], sig[SIGN_LEN];
	int64_t protocol;

	if (js_get_int(hello, "protocol", &at, 0, JS_INT_MAX, &protocol, e) !=
		0 ||
	    js_get_hex(hello, "server", &at, key, SIGN_KEY_LEN, e) != 0 ||
	    js_get_hex(hello, "sig", &at, sig, SIGN_LEN, e) != 0)
		return (ERR_SERVER);
	if (protocol != 1)
		return (err_set(e, ERR_SERVER, NULL,
		    "the server speaks another version of the protocol"));
	if (sign_check(key, SIGN_TAG_HELLO, l->exporter, sizeof(l->exporter),
		sig) != 0)
		return (err_set(e, ERR_SERVER, NULL,
		    "the server does not prove that its key is its own"));
	if (l->has_pin && memcmp(key, l->pin, sizeof(key)) != 0)
		return (err_set(e, ERR_SERVER, NULL,
		    "another server answers: its key is not server_key"));
	memcpy(l->pin, key, sizeof(key));
	l->has_pin = true;
	return (0);
}

/* The answer of server.hello: the connection stands, or is no good. */
static void
web_link_hello_cb(void *arg, int r, const json_t *result)
{
	struct errinfo e = {.text = "the server did not say who it is"};
	struct web_link *l = arg;

	if (l->bev == NULL || r == ERR_CLOSED)
		return;
	if (r != 0 || web_link_check(l, result, &e) != 0) {
		web_link_fail(l, &e);
		return;
	}
	l->is_up = true;
	l->pause_ms = WEB_LINK_FIRST_MS;
	l->calls.up(l->calls.arg);
}

/* Sends a request on the connection that is there. */
static void
web_link_send(struct web_link *l, const char *method, const json_t *params,
    web_link_answer *answer, void *arg)
{
	struct web_ask *a = xalloc(sizeof(*a));
	struct buf b;

	a->id = l->next_id++;
	a->until_ms = clock_mono_ms() + WEB_LINK_WAIT_S * 1000;
	a->answer = answer;
	a->arg = arg;
	TAILQ_INSERT_TAIL(&l->asks, a, next);
	buf_init(&b, RPC_REQUEST_MAX);
	rpc_write_request(&b, a->id, method, params);
	if (buf_error(&b) != 0 || bufferevent_write(l->bev, b.data, b.len) != 0)
		xalloc_die();
	buf_clear(&b);
}

/* The handshake is over, or the connection has ended. */
static void
web_link_event_cb(struct bufferevent *bev, short what, void *arg)
{
	struct errinfo e = {.text = ""};
	struct web_link *l = arg;
	unsigned long code;
	const char *why;

	if ((what & BEV_EVENT_CONNECTED) != 0) {
		l->heard_ms = clock_mono_ms();
		if (SSL_export_keying_material(bufferevent_openssl_get_ssl(bev),
			l->exporter, sizeof(l->exporter), WEB_LINK_LABEL,
			strlen(WEB_LINK_LABEL), NULL, 0, 0) == 1) {
			web_link_send(
			    l, "server.hello", NULL, web_link_hello_cb, l);
			return;
		}
	}
	code = bufferevent_get_openssl_error(bev);
	why = code != 0 ? ERR_reason_error_string(code)
	    : (what & BEV_EVENT_TIMEOUT) != 0
	    ? "it did not answer in time"
	    : evutil_socket_error_to_string(EVUTIL_SOCKET_ERROR());
	if ((what & BEV_EVENT_EOF) != 0)
		why = "the server closed the connection";
	ERR_clear_error();
	(void)err_set(
	    &e, ERR_CLOSED, NULL, "%s", why == NULL ? "no reason given" : why);
	web_link_fail(l, &e);
}

/* Ends a connection, and tries again later. */
static void
web_link_fail(struct web_link *l, const struct errinfo *why)
{
	struct timeval tv;

	if (l->bev != NULL)
		bufferevent_free(l->bev);
	l->bev = NULL;
	frame_clear(&l->in);
	frame_init(&l->in, RPC_REPLY_MAX);
	if (l->is_up || l->down_ms == 0)
		l->down_ms = clock_mono_ms();
	l->is_up = false;
	web_link_lose(l);
	tv.tv_sec = l->pause_ms / 1000;
	tv.tv_usec = l->pause_ms % 1000 * 1000;
	if (l->pause_ms < WEB_LINK_LAST_MS)
		l->pause_ms *= 2;
	(void)evtimer_add(l->again, &tv); /* only memory could lack */
	l->calls.down(l->calls.arg, why);
}

/* Tries to connect. */
static void
web_link_again_cb(evutil_socket_t fd, short what, void *arg)
{
	const struct timeval tv = {.tv_sec = WEB_LINK_WAIT_S};
	struct errinfo e = {.text = "cannot set up TLS"};
	struct web_link *l = arg;
	SSL *ssl;

	(void)fd;
	(void)what;
	if ((ssl = SSL_new(l->tls)) == NULL ||
	    (l->bev = bufferevent_openssl_socket_new(l->base, -1, ssl,
		 BUFFEREVENT_SSL_CONNECTING,
		 BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS)) == NULL) {
		SSL_free(ssl);
		web_link_fail(l, &e);
		return;
	}
	/* Its last words matter little, and there may be no close_notify. */
	bufferevent_openssl_set_allow_dirty_shutdown(l->bev, 1);
	bufferevent_setcb(l->bev, web_link_read_cb, NULL, web_link_event_cb, l);
	(void)bufferevent_set_timeouts(l->bev, NULL, &tv);
	l->heard_ms = clock_mono_ms();
	if (bufferevent_enable(l->bev, EV_READ | EV_WRITE) != 0 ||
	    bufferevent_socket_connect_hostname(l->bev, l->dns, AF_UNSPEC,
		l->host, (int)strtol(l->port, NULL, 10)) != 0) {
		(void)err_set(
		    &e, ERR_CLOSED, NULL, "cannot connect to '%s'", l->host);
		web_link_fail(l, &e);
	}
}

void
web_link_none(void *arg, int r, const json_t *result)
{
	(void)arg;
	(void)r;
	(void)result;
}

/* Looks each second for what has waited for too long. */
static void
web_link_tick_cb(evutil_socket_t fd, short what, void *arg)
{
	struct errinfo e = {.text = "the server does not answer"};
	const int64_t now_ms = clock_mono_ms();
	struct web_link *l = arg;
	const struct web_ask *a;

	(void)fd;
	(void)what;
	if (l->bev == NULL)
		return;
	/* The first has waited for longest. */
	if ((a = TAILQ_FIRST(&l->asks)) != NULL && a->until_ms <= now_ms) {
		web_link_fail(l, &e);
		return;
	}
	if (!l->is_up && now_ms - l->heard_ms > WEB_LINK_WAIT_S * 1000)
		web_link_fail(l, &e);
	else if (l->is_up && a == NULL &&
	    now_ms - l->heard_ms > WEB_LINK_WAIT_S * 1000)
		web_link_call(l, "server.hello", NULL, web_link_none, l);
}

/* What both kinds of connection have; it begins from the loop.  ERR_TLS. */
static int
web_link_begin(struct web_link *l, struct event_base *base, const char *host,
    const char *port, const uint8_t *pin, const struct web_link_calls *calls,
    struct errinfo *e)
{
	const struct timeval second = {.tv_sec = 1};

	l->base = base;
	l->calls = *calls;
	l->host = xalloc_str(host);
	l->port = xalloc_str(port);
	l->next_id = 1;
	l->pause_ms = WEB_LINK_FIRST_MS;
	l->down_ms = clock_mono_ms();
	TAILQ_INIT(&l->asks);
	TAILQ_INIT(&l->lost);
	frame_init(&l->in, RPC_REPLY_MAX);
	if (pin != NULL) {
		memcpy(l->pin, pin, sizeof(l->pin));
		l->has_pin = true;
	}
	l->again = evtimer_new(base, web_link_again_cb, l);
	l->soon = event_new(base, -1, 0, web_link_soon_cb, l);
	l->tick = event_new(base, -1, EV_PERSIST, web_link_tick_cb, l);
	if (l->again == NULL || l->soon == NULL || l->tick == NULL ||
	    event_add(l->tick, &second) != 0)
		return (err_set(e, ERR_NOMEM, NULL, "no memory"));
	event_active(l->again, EV_TIMEOUT, 0);
	return (0);
}

int
web_link_new(struct event_base *base, const char *host, const char *port,
    const uint8_t *pin, const struct web_link_calls *calls,
    struct web_link **out, struct errinfo *e)
{
	struct web_link *l = xalloc(sizeof(*l));
	int r;

	r = web_link_begin(l, base, host, port, pin, calls, e);
	/* Without name servers the names in /etc/hosts are found, still. */
	l->dns = evdns_base_new(base,
	    EVDNS_BASE_INITIALIZE_NAMESERVERS |
		EVDNS_BASE_DISABLE_WHEN_INACTIVE);
	l->tls = SSL_CTX_new(TLS_client_method());
	if (r == 0 &&
	    (l->tls == NULL ||
		SSL_CTX_set_min_proto_version(l->tls, TLS1_3_VERSION) != 1 ||
		SSL_CTX_set1_groups_list(l->tls, WEB_LINK_GROUPS) != 1))
		r = err_set(e, ERR_TLS, NULL, "cannot set up TLS");
	if (r != 0) {
		web_link_free(l);
		return (r);
	}
	/* The certificate proves nothing; server.hello does. */
	SSL_CTX_set_verify(l->tls, SSL_VERIFY_NONE, NULL);
	*out = l;
	return (0);
}

int
web_link_another(struct web_link *l, const struct web_link_calls *calls,
    struct web_link **out, struct errinfo *e)
{
	struct web_link *n = xalloc(sizeof(*n));
	int r;

	/* No files are to be opened for it any more. */
	n->is_another = true;
	n->dns = l->dns;
	if (SSL_CTX_up_ref(l->tls) != 1)
		xalloc_die();
	n->tls = l->tls;
	r = web_link_begin(n, l->base, l->host, l->port, l->pin, calls, e);
	if (r != 0)
		web_link_free(n);
	else
		*out = n;
	return (r);
}

void
web_link_stop(struct web_link *l)
{
	(void)event_del(l->again);
}

void
web_link_free(struct web_link *l)
{
	if (l == NULL)
		return;
	if (l->bev != NULL)
		bufferevent_free(l->bev);
	l->bev = NULL;
	l->is_up = false;
	web_link_lose(l);
	while (!TAILQ_EMPTY(&l->lost))
		web_link_soon_cb(-1, 0, l);
	if (l->dns != NULL && !l->is_another)
		evdns_base_free(l->dns, 0);
	if (l->again != NULL)
		event_free(l->again);
	if (l->soon != NULL)
		event_free(l->soon);
	if (l->tick != NULL)
		event_free(l->tick);
	SSL_CTX_free(l->tls);
	frame_clear(&l->in);
	free(l->host);
	free(l->port);
	free(l);
}

void
web_link_call(struct web_link *l, const char *method, json_t *params,
    web_link_answer *answer, void *arg)
{
	struct web_ask *a;

	/* One that is not read from is as good as none. */
	if (l->is_up &&
	    evbuffer_get_length(bufferevent_get_output(l->bev)) <
		WEB_LINK_OUT) {
		web_link_send(l, method, params, answer, arg);
	} else {
		a = xalloc(sizeof(*a));
		a->answer = answer;
		a->arg = arg;
		TAILQ_INSERT_TAIL(&l->lost, a, next);
		event_active(l->soon, EV_TIMEOUT, 0);
	}
	json_decref(params);
}
