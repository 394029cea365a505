/* SPDX-License-Identifier: ISC */
/*
 * Requests as a connection brings them, from the line to the answer, with
 * the ledger behind: a game that two players have begun is there.  Each line
 * of the input begins with who says it: "n" somebody who is not logged in,
 * "a" ann or "b" bob, and a request; "1" ann or "2" bob, the kind of an order,
 * a blank and its args, which is made as a client would and sent by game.order;
 * "3" ann or "4" bob and the text of an order, which is signed.  @G@ stands for
 * the game, @H@ and @N@ for hash and number of its last line, @S@ for the
 * server's key, @K@ for ann's and @R@ for the roster.  Each request that has an
 * id gets one answer, which is JSON-RPC.
 */
#include "common/game/game_make.h"
#include "tests/lib/duel.h"

#include <event2/event.h>

#include "common/record/rpc.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/net/presence.h"
#include "server/rpc/dispatch.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/io.h"
#include "server/rpc/lobby_feed.h"
#include "server/rpc/session.h"
#include "server/rpc/show_cache.h"
#include "server/rpc/worker.h"

#include "common/base/clock.h"
#include "tests/fuzz/fuzz.h"

#define FUZZ_DISPATCH_LINES 24 /* of one input */
#define FUZZ_DISPATCH_CASES 300 /* inputs to one database */
#define FUZZ_DISPATCH_ADDRESSES 1000000
#define FUZZ_DISPATCH_SHOWN 65536 /* bytes of kept answers */

/* An io thread without the thread, and three sessions without a socket. */
struct fuzz_dispatch {
	struct duel *t;
	struct io io;
	struct io_shared shared;
	struct session *sessions[3]; /* nobody's, ann's, bob's */
	size_t published; /* lines that watchers were told of */
	int cases;
};

/* Nothing runs by itself here. */
static void
fuzz_dispatch_quiet_cb(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
}

/* A session that is open; account NULL: nobody is logged in. */
static struct session *
fuzz_dispatch_session(struct fuzz_dispatch *f, int seat)
{
	struct session *s = calloc(1, sizeof(*s));
	struct event *events[4];
	size_t i;

	FUZZ_MUST(s != NULL);
	s->io = &f->io;
	s->sock.fd = -1;
	s->state = SESSION_OPEN;
	s->has_exporter = true; /* of zeros */
	TAILQ_INIT(&s->watched.current);
	TAILQ_INIT(&s->watched.behind);
	frame_init(&s->in, RPC_REQUEST_MAX);
	buf_init(&s->out, 0);
	events[0] = &s->read_ev;
	events[1] = &s->write_ev;
	events[2] = &s->work_ev;
	events[3] = &s->timer_ev;
	for (i = 0; i < 4; i++)
		FUZZ_MUST(event_assign(events[i], f->io.base, -1, 0,
			      fuzz_dispatch_quiet_cb, s) == 0);
	TAILQ_INSERT_TAIL(&f->io.sessions, s, link);
	FUZZ_MUST(limits_connect(f->shared.limits, s->sock.address) == 0);
	if (seat == 0)
		return (s);
	s->is_logged_in = true;
	(void)snprintf(s->account, sizeof(s->account), "%s", duel_names[seat]);
	memcpy(s->key, f->t->keys[seat].sign.public_key, SIGN_KEY_LEN);
	FUZZ_MUST(presence_enter(f->shared.presence, s->account) == 0);
	return (s);
}

/* Frees the sessions that are closed, and opens others in their place. */
static void
fuzz_dispatch_renew(struct fuzz_dispatch *f)
{
	struct session *s;
	int i;

	while ((s = TAILQ_FIRST(&f->io.dead)) != NULL) {
		TAILQ_REMOVE(&f->io.dead, s, link);
		for (i = 0; i < 3; i++) {
			if (f->sessions[i] == s)
				f->sessions[i] = fuzz_dispatch_session(f, i);
		}
		session_free(s);
	}
}

/* Makes all of it. */
static void
fuzz_dispatch_open(struct fuzz_dispatch *f)
{
	const struct limits_settings limits = {
	    .connections = FUZZ_DISPATCH_ADDRESSES,
	    .per_address = FUZZ_DISPATCH_ADDRESSES,
	    .failure_burst = FUZZ_DISPATCH_ADDRESSES,
	    .failure_decay = FUZZ_DISPATCH_ADDRESSES,
	    .register_burst = FUZZ_DISPATCH_ADDRESSES,
	    .register_decay = FUZZ_DISPATCH_ADDRESSES};
	void *state;
	int i;

	memset(f, 0, sizeof(*f));
	FUZZ_MUST(duel_setup(&state) == 0);
	f->t = state;
	duel_play(f->t);
	f->published = f->t->n_published;
	FUZZ_MUST(limits_new(&limits, &f->shared.limits) == 0);
	FUZZ_MUST(presence_new(NULL, NULL, &f->shared.presence) == 0);
	f->shared.identity = f->t->identity;
	f->shared.dice = f->t->dice;
	f->shared.ledger = f->t->l;
	f->io.shared = &f->shared;
	f->io.live.max_output = 8388608;
	f->io.live.max_requests = 32;
	f->io.live.max_watches = 8;
	f->io.live.send_timeout = 30;
	f->io.reader = f->t->rd;
	FUZZ_MUST((f->io.base = event_base_new()) != NULL);
	FUZZ_MUST(mailbox_new(f->io.base, &f->io.mailbox) == 0);
	FUZZ_MUST(event_assign(&f->io.reap, f->io.base, -1, 0,
		      fuzz_dispatch_quiet_cb, NULL) == 0);
	TAILQ_INIT(&f->io.sessions);
	TAILQ_INIT(&f->io.dead);
	buf_init(&f->io.reply, RPC_REPLY_MAX + 1);
	buf_init(&f->io.raw, RPC_REPLY_MAX);
	buf_init(&f->io.discover, RPC_REPLY_MAX);
	FUZZ_MUST(show_cache_new(FUZZ_DISPATCH_SHOWN, &f->io.show_cache) == 0);
	worker_bind(&f->io);
	FUZZ_MUST(lobby_feed_init(&f->io) == 0 && game_feed_init(&f->io) == 0);
	for (i = 0; i < 3; i++)
		f->sessions[i] = fuzz_dispatch_session(f, i);
}

/* Frees all of it. */
static void
fuzz_dispatch_close(struct fuzz_dispatch *f)
{
	void *state = f->t;
	int i;

	for (i = 0; i < 3; i++) {
		session_close(f->sessions[i]);
		f->sessions[i] = NULL;
	}
	fuzz_dispatch_renew(f);
	mailbox_free(f->io.mailbox);
	lobby_feed_clear(&f->io);
	game_feed_free(&f->io);
	buf_clear(&f->io.reply);
	buf_clear(&f->io.raw);
	buf_clear(&f->io.discover);
	show_cache_free(f->io.show_cache);
	event_base_free(f->io.base);
	presence_free(f->shared.presence);
	limits_free(f->shared.limits);
	FUZZ_MUST(duel_teardown(&state) == 0);
}

/* Writes what a token stands for; false if it is none. */
static bool
fuzz_dispatch_token(struct fuzz_dispatch *f, char token, struct buf *out)
{
	struct store_game_row row;
	uint8_t head[HASH_LEN];

	FUZZ_MUST(store_game_find(f->t->rd, f->t->game, &row) == 0);
	FUZZ_MUST(store_record_hash(f->t->rd, row.gid, row.seq, head) == 0);
	if (token == 'G')
		buf_hex(out, f->t->game, HASH_LEN);
	else if (token == 'H')
		buf_hex(out, head, HASH_LEN);
	else if (token == 'N')
		buf_printf(out, "%lld", (long long)row.seq);
	else if (token == 'S')
		buf_hex(out, f->t->identity.public_key, SIGN_KEY_LEN);
	else if (token == 'K')
		buf_hex(out, f->t->keys[1].sign.public_key, SIGN_KEY_LEN);
	else if (token == 'R')
		buf_hex(out, f->t->roster, HASH_LEN);
	else
		return (false);
	return (true);
}

/* A line with what its tokens stand for. */
static void
fuzz_dispatch_fill(
    struct fuzz_dispatch *f, const char *line, size_t len, struct buf *out)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (len - i >= 3 && line[i] == '@' && line[i + 2] == '@' &&
		    fuzz_dispatch_token(f, line[i + 1], out))
			i += 2;
		else
			buf_putc(out, line[i]);
	}
}

/* Makes an order's text a request, signed by a seat. */
static void
fuzz_dispatch_sign(
    struct fuzz_dispatch *f, int seat, const struct buf *order, struct buf *out)
{
	uint8_t sig[SIGN_LEN];

	FUZZ_MUST(sign_make(&f->t->keys[seat].sign, SIGN_TAG_ORDER, order->data,
		      order->len, sig) == 0);
	buf_puts(out,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"game.order\","
	    "\"params\":{\"order\":");
	js_dump_string(order->data, order->len, out);
	buf_puts(out, ",\"sig\":\"");
	buf_hex(out, sig, SIGN_LEN);
	buf_puts(out, "\"}}");
}

/* Makes an order out of "KIND ARGS" as a client does; nothing if it cannot. */
static void
fuzz_dispatch_make(
    struct fuzz_dispatch *f, int seat, struct buf *words, struct buf *out)
{
	const char *blank = memchr(words->data, ' ', words->len);
	enum order_kind kind = ORDER_CREATE;
	uint8_t sig[SIGN_LEN];
	struct errinfo e;
	struct buf text;
	struct game *g;
	json_t *args;
	size_t n;

	if (blank == NULL)
		return;
	n = (size_t)(blank - words->data);
	while (kind < ORDER_UNKNOWN &&
	    (strlen(order_kind_name(kind)) != n ||
		memcmp(order_kind_name(kind), words->data, n) != 0))
		kind++;
	if (js_load(blank + 1, words->len - n - 1, JS_DEPTH_RPC, &args, &e) !=
	    0)
		return;
	g = duel_game(f->t);
	buf_init(&text, RPC_REQUEST_MAX);
	if (json_is_object(args) && kind > ORDER_JOIN && kind < ORDER_UNKNOWN &&
	    game_make_order(g, seat, &f->t->keys[seat], kind, args,
		clock_wall_ms(), &text, sig, &e) == 0)
		fuzz_dispatch_sign(f, seat, &text, out);
	game_free(g);
	json_decref(args);
	buf_clear(&text);
}

/* Holds each line of a session's output to be JSON-RPC, and drops it. */
static void
fuzz_dispatch_read(struct session *s)
{
	const char *p, *end;
	size_t left = s->out.len - s->sent;
	struct errinfo e;
	json_t *v;

	for (p = left == 0 ? "" : s->out.data + s->sent; left > 0;
	     p = end + 1) {
		FUZZ_MUST((end = memchr(p, '\n', left)) != NULL);
		FUZZ_MUST(
		    js_load(p, (size_t)(end - p), JS_DEPTH_RPC, &v, &e) == 0);
		FUZZ_MUST(
		    strcmp(json_string_value(json_object_get(v, "jsonrpc")),
			"2.0") == 0);
		json_decref(v);
		left -= (size_t)(end + 1 - p);
	}
	buf_clear(&s->out);
	s->sent = 0;
}

/* Lets the ledger answer, tells watchers, and looks at what came of it. */
static void
fuzz_dispatch_settle(struct fuzz_dispatch *f, struct session *s)
{
	struct session *each;
	int64_t us = 0;
	size_t n;
	int i;

	while (s->pending > 0)
		(void)event_base_loop(f->io.base, EVLOOP_ONCE);
	pthread_mutex_lock(&f->t->lock);
	n = f->t->n_published;
	pthread_mutex_unlock(&f->t->lock);
	for (; f->published < n; f->published++)
		game_feed_publish(
		    &f->io, f->t->game, f->t->published[f->published]);
	(void)mailbox_take(f->io.mailbox);
	for (i = 0; i < 3; i++) {
		each = f->sessions[i];
		if (each->state == SESSION_OPEN) {
			do
				FUZZ_MUST(game_feed.pump(each, &us) == 0);
			while (game_feed.is_behind(each) &&
			    session_has_room(each));
			FUZZ_MUST(lobby_feed.pump(each, &us) == 0);
		}
		fuzz_dispatch_read(each);
		if (each->state != SESSION_OPEN)
			session_close(each);
	}
	fuzz_dispatch_renew(f);
}

/* One line of the input. */
static void
fuzz_dispatch_say(struct fuzz_dispatch *f, const char *line, size_t len)
{
	static const char who[] = "nab1234";
	const char *at;
	struct buf plain, request;
	struct session *s;
	int n, seat;

	if (len < 2 || (at = memchr(who, line[0], strlen(who))) == NULL)
		return;
	n = (int)(at - who);
	seat = n <= 2 ? n : 1 + (n - 3) % 2;
	s = f->sessions[seat];
	buf_init(&plain, RPC_REQUEST_MAX);
	buf_init(&request, RPC_REQUEST_MAX);
	fuzz_dispatch_fill(f, line + 1, len - 1, &plain);
	if (buf_error(&plain) == 0 && plain.len > 0) {
		if (n <= 2)
			buf_add(&request, plain.data, plain.len);
		else if (n <= 4)
			fuzz_dispatch_make(f, seat, &plain, &request);
		else
			fuzz_dispatch_sign(f, seat, &plain, &request);
	}
	if (buf_error(&request) == 0 && request.len > 0) {
		dispatch_line(s, request.data, request.len);
		fuzz_dispatch_settle(f, s);
	}
	buf_clear(&plain);
	buf_clear(&request);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_dispatch *f;
	const char *p = (const char *)data, *end;
	size_t n;
	int i;

	if (f == NULL) {
		faulty_install();
		log_set_level(LOG_ERROR);
		FUZZ_MUST((f = malloc(sizeof(*f))) != NULL);
		fuzz_dispatch_open(f);
	} else if (++f->cases == FUZZ_DISPATCH_CASES) {
		fuzz_dispatch_close(f);
		fuzz_dispatch_open(f);
	}
	for (i = 0; size > 0 && i < FUZZ_DISPATCH_LINES; i++) {
		end = memchr(p, '\n', size);
		n = end == NULL ? size : (size_t)(end - p);
		fuzz_dispatch_say(f, p, n);
		size -= n + (end != NULL);
		p += n + (end != NULL);
	}
	return (0);
}
