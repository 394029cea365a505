/* SPDX-License-Identifier: ISC */
/*
 * storm [OPTION ...] HOST PORT ROSTER JOURNALS: many matches at once against a
 * daemon that may be killed, stopped and started again at any moment.  Each
 * order is sent with the same bytes until it has a final answer, and what
 * was sent, what was answered and what was read goes into journals, files
 * NAME.jsonl in the folder JOURNALS, from which tests/torture/history.py tells
 * whether anything was lost, doubled or out of order.  ROSTER is a file with
 * the blob.
 *
 *   -m N   matches; 20
 *   -n N   orders a match, counted from its first one in play; without end
 *   -t N   talkers a match, 2 at most: connections of its players that chat
 *          beside their orders; 1
 *   -r N   readers, who read any game now and then; 4
 *   -x N   of a hundred orders, so many are cut off when they were sent; 0
 *   -w MS  longest wait for an answer; 60000; twice as long after each that
 *          did not come
 *   -s N   seed
 *   -p S   tells how it goes every S seconds, on standard error
 *   -q     a connection that fails is the end of its match
 *
 * It prints "ready" when all matches are in play, and waits for a line on
 * standard input, which may come before, until their orders go on.  Another
 * line, or the end of standard input, ends it when every order that was begun
 * has its answer.  It prints a line of JSON with what it counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "tests/tools/player.h"

#define STORM_MATCHES_MAX 500
#define STORM_PAUSE_US 2000 /* before a new connection, at first */
#define STORM_PAUSE_MAX_US 20000
#define STORM_READ_US 20000 /* between two reads of a reader, at most */
#define STORM_AGAIN 16 /* one of so many orders is sent once more */
#define STORM_TAIL 4 /* lines at the end that a reader asks for, at most */
#define STORM_GRACE_S 60 /* for the last answers */

/* What is counted, over all threads. */
enum storm_count {
	STORM_RECORDED, /* orders that were answered with their line */
	STORM_FAILED, /* orders that will not be */
	STORM_RETRIED, /* sendings after the first one */
	STORM_AGAINS, /* orders sent once more after their answer */
	STORM_SAME, /* of them: the same line came */
	STORM_READS,
	STORM_COUNTS,
};

static const char *const storm_names[] = {
    "recorded",
    "failed",
    "retried",
    "again",
    "same",
    "reads",
};

struct storm;

/* One match, and what those beside it know of it. */
struct storm_match {
	struct storm *st;
	int n;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	bool has_game;
	bool is_play;
	uint8_t game[HASH_LEN];
	uint8_t first[HASH_LEN]; /* hash of line 0 */
};

/* One who talks or reads beside the matches. */
struct storm_guest {
	struct storm *st;
	struct storm_match *m; /* NULL: a reader */
	int n;
	pthread_t thread;
};

/* What all threads share. */
struct storm {
	const char *host;
	const char *port;
	const char *dir; /* the journals */
	char *roster; /* owned: the blob */
	int n_matches;
	int n_talkers; /* of a match */
	int n_readers;
	int64_t orders; /* of a match; -1: without end */
	int cuts; /* of a hundred */
	int64_t wait_ms;
	uint64_t seed;
	int progress_s; /* 0: never */
	bool is_meek; /* -q */
	struct storm_match *matches; /* owned */
	struct storm_guest *guests; /* owned */
	atomic_int begun; /* matches that are in play, or have failed */
	atomic_bool go;
	atomic_bool stop;
	atomic_int running; /* threads of matches */
	_Atomic int64_t stop_us; /* when all must be over */
	_Atomic int64_t counts[STORM_COUNTS];
};

/* What a thread has for itself. */
struct storm_self {
	struct storm *st;
	int match;
	int fd; /* of its journal */
	uint64_t chance;
	/*
	 * Whose connection goes when there is none for who gives an order, so
	 * that a server that stops need not wait for it; NULL: nobody's.
	 */
	struct player *beside;
};

/* Ends the program. */
static void __attribute__((noreturn))
storm_die(const char *what, const char *why)
{
	(void)fprintf(stderr, "storm: %s: %s\n", what, why);
	exit(70);
}

/* Microseconds of the monotonic clock, which all journals share. */
static int64_t
storm_now_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) == -1)
		storm_die("clock", "it does not run");
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* Waits; 50 ms at most. */
static void
storm_pause(int64_t us)
{
	struct timespec ts = {.tv_nsec = (us > 50000 ? 50000 : us) * 1000};

	(void)nanosleep(&ts, NULL);
}

/* A number below n, by chance (splitmix64). */
static int64_t
storm_below(struct storm_self *s, int64_t n)
{
	uint64_t x = s->chance += 0x9e3779b97f4a7c15U;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return ((int64_t)((x ^ (x >> 31)) % (uint64_t)n));
}

/* Counts one more. */
static void
storm_add(struct storm *st, enum storm_count what)
{
	atomic_fetch_add(&st->counts[what], 1);
}

/* Sets up what a thread has, and its journal. */
static void
storm_self_init(
    struct storm_self *s, struct storm *st, int match, const char *name)
{
	char *path = xalloc_printf("%s/%s.jsonl", st->dir, name);
	uint8_t hash[HASH_LEN];

	s->st = st;
	s->match = match;
	s->beside = NULL;
	s->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (s->fd == -1)
		storm_die(path, strerror(errno));
	if (hash_sha256(hash, name, strlen(name)) != 0)
		storm_die(name, "no hash");
	memcpy(&s->chance, hash, sizeof(s->chance));
	s->chance ^= st->seed;
	free(path);
}

/* Writes a line of the journal: the time, the match, and what fmt makes. */
static void __attribute__((format(printf, 2, 3)))
storm_log(const struct storm_self *s, const char *fmt, ...)
{
	struct buf b;
	va_list ap;
	char *rest;

	va_start(ap, fmt);
	rest = xalloc_vprintf(fmt, ap);
	va_end(ap);
	buf_init(&b, 0);
	buf_printf(&b, "{\"t_us\":%lld,\"match\":%d,%s}\n",
	    (long long)storm_now_us(), s->match, rest);
	/* One call, so that a line is whole or not there. */
	if (buf_error(&b) != 0 || write(s->fd, b.data, b.len) != (ssize_t)b.len)
		storm_die("journal", "it cannot be written");
	buf_clear(&b);
	free(rest);
}

/* Writes what became of an order. */
static void
storm_log_order(const struct storm_self *s, const struct player_order *o,
    const char *event, const char *more)
{
	char oid[2 * HASH_LEN + 1];

	hex_format(oid, o->oid, HASH_LEN);
	storm_log(s,
	    "\"event\":\"%s\",\"seat\":%d,\"kind\":\"%s\",\"oid\":\"%s\"%s",
	    event, o->seat, order_kind_name(o->kind), oid, more);
}

/* Likewise of one that failed, or whose answer is not known. */
static void
storm_log_error(const struct storm_self *s, const struct player_order *o,
    const char *event, int r)
{
	char *more = xalloc_printf(",\"error\":\"%s\"", err_name(r));

	storm_log_order(s, o, event, more);
	free(more);
}

/* True when the time for the last answers is over. */
static bool
storm_is_late(const struct storm *st)
{
	return (atomic_load(&st->stop) &&
	    storm_now_us() > atomic_load(&st->stop_us));
}

/* True for answers that say nothing of whether an order was recorded. */
static bool
storm_is_unknown(const struct conn_error *ce)
{
	return (!ce->is_answer || ce->r == ERR_STORAGE || ce->r == ERR_BUSY ||
	    ce->r == ERR_NOMEM || ce->r == ERR_LIMIT || ce->r == ERR_INTERNAL);
}

/* Sends an order and closes the connection before its answer can come. */
static void
storm_cut(struct storm_self *s, struct player *p, const struct player_order *o)
{
	struct errinfo e;
	struct buf b;
	int r;

	buf_init(&b, 0);
	rpc_write_request(&b, 1, o->method, o->params);
	if (buf_error(&b) != 0)
		storm_die("request", "cannot be made");
	r = conn_send(p->conn, b.data, b.len, &e);
	buf_clear(&b);
	player_disconnect(p);
	storm_log_order(s, o, "lost",
	    r == 0 ? ",\"error\":\"cut\"" : ",\"error\":\"closed\"");
}

/* Waits twice as long after an answer that did not come in time. */
static void
storm_be_patient(struct player *p, int r)
{
	if (r == ERR_TIMEOUT)
		p->wait_ms = p->wait_ms < PLAYER_WAIT_MS / 2 ? 2 * p->wait_ms
							     : PLAYER_WAIT_MS;
}

/* Connects; ERR_CLOSED when that is over, or what the server answered. */
static int
storm_connect(struct storm_self *s, struct player *p)
{
	struct errinfo e = {.text = ""};
	int64_t pause_us = STORM_PAUSE_US;
	int r;

	while ((r = player_connect(p, &e)) != 0) {
		if (s->beside != NULL)
			player_disconnect(s->beside);
		if (s->st->is_meek || storm_is_late(s->st))
			return (ERR_CLOSED);
		/* An account that was acknowledged is there for good. */
		if (r == ERR_DENIED || r == ERR_SIGNATURE) {
			storm_log(s,
			    "\"event\":\"account\",\"account\":\"%s\","
			    "\"error\":\"%s\"",
			    p->account, err_name(r));
			return (r);
		}
		storm_be_patient(p, r);
		storm_pause(pause_us);
		pause_us = pause_us < STORM_PAUSE_MAX_US / 2
		    ? 2 * pause_us
		    : STORM_PAUSE_MAX_US;
	}
	return (0);
}

/* Takes an answer to an order: the line, new, and its hash in hex. */
static char *
storm_answer(struct storm_self *s, const struct player_order *o,
    const char *event, json_t *result, char hash[2 * HASH_LEN + 1])
{
	struct errinfo e = {.text = ""};
	uint8_t bytes[HASH_LEN];
	const char *line;
	int64_t seq;
	char *more;
	bool is_repeat;

	is_repeat = json_is_true(json_object_get(result, "repeat"));
	if (js_get_str(result, "line", NULL, &line, &e) != 0 ||
	    js_get_int(result, "seq", NULL, 0, INT64_MAX, &seq, &e) != 0 ||
	    hash_sha256(bytes, line, strlen(line)) != 0)
		storm_die("answer", e.text);
	hex_format(hash, bytes, HASH_LEN);
	more = xalloc_printf(",\"seq\":%lld,\"line_hash\":\"%s\",\"repeat\":%s",
	    (long long)seq, hash, is_repeat ? "true" : "false");
	storm_log_order(s, o, event, more);
	free(more);
	return (xalloc_str(line));
}

/* Sends an order that has its line once more: the same line must come. */
static void
storm_again(struct storm_self *s, struct player *p,
    const struct player_order *o, const char *before)
{
	char hash[2 * HASH_LEN + 1];
	struct conn_error ce;
	json_t *result;

	storm_add(s->st, STORM_AGAINS);
	if (player_call(p, o->method, o->params, &result, &ce) != 0) {
		if (!storm_is_unknown(&ce))
			storm_log_error(s, o, "again-fail", ce.r);
		conn_error_clear(&ce);
		return;
	}
	free(storm_answer(s, o, "again", result, hash));
	if (strcmp(hash, before) == 0)
		storm_add(s->st, STORM_SAME);
	json_decref(result);
}

/*
 * Sends an order until it has a final answer.  *line is new: its line.  Not 0:
 * it has none, and it was written down why.
 */
static int
storm_order(struct storm_self *s, struct player *p,
    const struct player_order *o, char **line)
{
	char hash[2 * HASH_LEN + 1];
	struct conn_error ce;
	json_t *result;
	int r, tries = 0;

	for (;;) {
		if ((r = storm_connect(s, p)) != 0)
			break;
		if (tries++ > 0)
			storm_add(s->st, STORM_RETRIED);
		storm_log_order(s, o, "send", "");
		if (storm_below(s, 100) < s->st->cuts) {
			storm_cut(s, p, o);
			continue;
		}
		if ((r = player_call(p, o->method, o->params, &result, &ce)) ==
		    0)
			break;
		r = ce.r;
		if (!storm_is_unknown(&ce)) {
			storm_log_error(s, o, "fail", r);
			conn_error_clear(&ce);
			break;
		}
		conn_error_clear(&ce);
		storm_log_error(s, o, "lost", r);
		storm_be_patient(p, r);
		if ((s->st->is_meek && p->conn == NULL) || storm_is_late(s->st))
			break;
		storm_pause(STORM_PAUSE_US);
	}
	if (r != 0) {
		storm_add(s->st, STORM_FAILED);
		return (r);
	}
	p->wait_ms = s->st->wait_ms;
	*line = storm_answer(s, o, "ack", result, hash);
	json_decref(result);
	if (atomic_load(&s->st->go))
		storm_add(s->st, STORM_RECORDED);
	if (!s->st->is_meek && storm_below(s, STORM_AGAIN) == 0)
		storm_again(s, p, o, hash);
	return (0);
}

/* Writes what was read of a game: number and hash of the head, and lines. */
static void
storm_log_read(const struct storm_self *s, int match, const char *what,
    int64_t begin_us, const json_t *result)
{
	const json_t *lines = json_object_get(result, "lines"), *line;
	const json_t *head = json_object_get(result, "head");
	const json_t *seq = json_object_get(result, "seq");
	uint8_t hash[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	buf_printf(&b,
	    "\"event\":\"read\",\"what\":\"%s\",\"of\":%d,\"begin_us\":%lld,"
	    "\"seq\":%lld,\"head\":\"%s\",\"lines\":[",
	    what, match, (long long)begin_us,
	    (long long)(seq == NULL ? -1 : json_integer_value(seq)),
	    head == NULL ? "" : json_string_value(head));
	json_array_foreach(lines, i, line)
	{
		if (hash_sha256(hash, json_string_value(line),
			json_string_length(line)) != 0)
			storm_die("read", "no hash");
		hex_format(hex, hash, HASH_LEN);
		buf_printf(&b, "%s\"%s\"", i > 0 ? "," : "", hex);
	}
	buf_puts(&b, "]");
	if (buf_error(&b) != 0)
		storm_die("read", "it is too long");
	storm_log(s, "%s", buf_str(&b));
	buf_clear(&b);
	storm_add(s->st, STORM_READS);
}

/*
 * Reads a game, by game.record from a line on or, from -1, by game.show; both
 * are written down.  *result is new.  ERR_*: nothing was learnt.
 */
static int
storm_read(struct storm_self *s, struct player *p, int match,
    const uint8_t game[HASH_LEN], int64_t from, json_t **result)
{
	const char *what = from < 0 ? "show" : "record";
	json_t *params = xalloc_json(json_object());
	struct conn_error ce;
	int64_t begin_us;
	int r;

	xalloc_set(params, "game", js_hex(game, HASH_LEN));
	if (from >= 0)
		xalloc_set(params, "from", json_integer(from));
	begin_us = storm_now_us();
	r = player_call(
	    p, from < 0 ? "game.show" : "game.record", params, result, &ce);
	json_decref(params);
	if (r == 0) {
		storm_log_read(s, match, what, begin_us, *result);
		return (0);
	}
	if (!storm_is_unknown(&ce))
		storm_log(s,
		    "\"event\":\"read\",\"what\":\"%s\",\"of\":%d,"
		    "\"begin_us\":%lld,\"error\":\"%s\"",
		    what, match, (long long)begin_us, err_name(ce.r));
	conn_error_clear(&ce);
	return (r);
}

/* Reads the lines that the match has not taken yet, and takes them. */
static int
storm_catch_up(struct storm_self *s, struct match *m, int seat)
{
	struct player *p = match_player(m, seat);
	const json_t *line;
	json_t *result;
	size_t i;
	int r;

	for (;;) {
		if ((r = storm_connect(s, p)) != 0)
			return (r);
		r = storm_read(s, p, s->match, game_id(match_game(m)),
		    match_seq(m) + 1, &result);
		if (r == 0)
			break;
		if (p->conn != NULL) {
			storm_pause(STORM_PAUSE_US);
			if (r == ERR_NOTFOUND)
				return (r);
		}
		if (storm_is_late(s->st))
			return (ERR_CLOSED);
	}
	json_array_foreach(json_object_get(result, "lines"), i, line)
	{
		if (match_took(m, json_string_value(line)) != 0)
			storm_die("game.record", "the lines do not follow");
	}
	json_decref(result);
	return (0);
}

/* Tells those beside the match what they need of it. */
static void
storm_show(struct storm_match *sm, const struct match *m, const char *line)
{
	(void)pthread_mutex_lock(&sm->lock);
	if (match_seq(m) == 0) {
		if (hash_sha256(sm->first, line, strlen(line)) != 0)
			storm_die("create", "no hash");
		memcpy(sm->game, game_id(match_game(m)), HASH_LEN);
		sm->has_game = true;
	}
	if (match_is_play(m) && !sm->is_play) {
		sm->is_play = true;
		atomic_fetch_add(&sm->st->begun, 1);
	}
	(void)pthread_mutex_unlock(&sm->lock);
}

/* Gives the match's next order; not 0: the match cannot go on. */
static int
storm_step(struct storm_self *s, struct storm_match *sm, struct match *m)
{
	const struct player_order *o = match_next(m);
	char *line = NULL;
	int r, seat = o->seat;

	s->beside = match_player(m, 3 - seat);
	if ((r = storm_order(s, match_player(m, seat), o, &line)) != 0)
		return (r);
	r = match_took(m, line);
	if (r == ERR_PENDING)
		r = storm_catch_up(s, m, seat);
	/* It may be among the lines that were read before its answer. */
	if (r == ERR_EXISTS)
		r = 0;
	if (r == 0)
		storm_show(sm, m, line);
	free(line);
	return (r);
}

/* Connects both players of a match for the first time. */
static int
storm_enter(struct storm_self *s, struct match *m)
{
	struct errinfo e = {.text = ""};
	int r;

	while ((r = match_connect(m, &e)) != 0) {
		if (s->st->is_meek || storm_is_late(s->st) || r == ERR_DENIED ||
		    r == ERR_SIGNATURE) {
			storm_log(s, "\"event\":\"account\",\"error\":\"%s\"",
			    err_name(r));
			break;
		}
		storm_be_patient(match_player(m, 1), r);
		storm_be_patient(match_player(m, 2), r);
		storm_pause(STORM_PAUSE_US);
	}
	return (r);
}

/* A match, from its accounts to its end. */
static void *
storm_match_cb(void *arg)
{
	struct storm_match *sm = arg;
	struct storm *st = sm->st;
	struct storm_self s;
	struct match *m;
	int64_t left;
	char name[32];
	int r;

	(void)snprintf(name, sizeof(name), "match-%d", sm->n);
	storm_self_init(&s, st, sm->n, name);
	m = match_new(st->host, st->port, sm->n, st->seed, st->roster);
	match_player(m, 1)->wait_ms = match_player(m, 2)->wait_ms = st->wait_ms;
	r = storm_enter(&s, m);
	while (r == 0 && !match_is_play(m) && !atomic_load(&st->stop))
		r = storm_step(&s, sm, m);
	if (!match_is_play(m))
		atomic_fetch_add(&st->begun, 1);
	while (!atomic_load(&st->go) && !atomic_load(&st->stop))
		storm_pause(STORM_PAUSE_US);
	left = st->orders;
	while (r == 0 && left != 0 && !atomic_load(&st->stop)) {
		r = storm_step(&s, sm, m);
		left -= left > 0;
	}
	match_free(m);
	close(s.fd);
	atomic_fetch_sub(&st->running, 1);
	return (NULL);
}

/* One who chats as a player of a match, beside the match's own orders. */
static void *
storm_talker_cb(void *arg)
{
	const struct storm_guest *guest = arg;
	struct storm_match *sm = guest->m;
	struct storm *st = guest->st;
	struct match *names =
	    match_new(st->host, st->port, sm->n, st->seed, st->roster);
	struct player *p = match_player(names, 2 - guest->n);
	struct player_order o;
	struct storm_self s;
	char *line, name[32];
	bool is_play = false;
	int r = 0;

	(void)snprintf(name, sizeof(name), "talker-%d-%d", sm->n, guest->n);
	storm_self_init(&s, st, sm->n, name);
	p->wait_ms = st->wait_ms;
	p->is_registered = true;
	while (!atomic_load(&st->stop) && (!is_play || !atomic_load(&st->go))) {
		storm_pause(STORM_PAUSE_US);
		(void)pthread_mutex_lock(&sm->lock);
		is_play = sm->is_play;
		(void)pthread_mutex_unlock(&sm->lock);
	}
	while (r == 0 && !atomic_load(&st->stop) &&
	    (r = storm_connect(&s, p)) == 0) {
		player_chat(p, sm->game, 2 - guest->n, 0, sm->first,
		    "meanwhile, on the other bank", &o);
		if ((r = storm_order(&s, p, &o, &line)) == 0)
			free(line);
		player_order_clear(&o);
		storm_pause(storm_below(&s, STORM_READ_US));
	}
	match_free(names);
	close(s.fd);
	return (NULL);
}

/* The game of a match that a reader chose; false if it has none yet. */
static bool
storm_choose(struct storm_self *s, int *match, uint8_t game[HASH_LEN])
{
	struct storm_match *sm;
	bool has_game;

	*match = (int)storm_below(s, s->st->n_matches);
	sm = &s->st->matches[*match];
	(void)pthread_mutex_lock(&sm->lock);
	has_game = sm->has_game;
	memcpy(game, sm->game, HASH_LEN);
	(void)pthread_mutex_unlock(&sm->lock);
	return (has_game);
}

/* One who reads games, as anybody may. */
static void *
storm_reader_cb(void *arg)
{
	const struct storm_guest *guest = arg;
	struct storm *st = guest->st;
	uint8_t game[HASH_LEN];
	int64_t *seen = xalloc((size_t)st->n_matches * sizeof(*seen));
	struct storm_self s;
	struct errinfo e;
	struct player p;
	json_t *result;
	char name[32];
	int match;

	(void)snprintf(name, sizeof(name), "reader-%d", guest->n);
	storm_self_init(&s, st, -1, name);
	player_init(&p, st->host, st->port, name, st->seed);
	p.wait_ms = st->wait_ms;
	while (!atomic_load(&st->stop)) {
		storm_pause(storm_below(&s, STORM_READ_US));
		if (!storm_choose(&s, &match, game) ||
		    (p.conn == NULL &&
			conn_open(p.host, p.port, p.wait_ms, &p.conn, &e) != 0))
			continue;
		/* Now the state, now the last lines. */
		if (storm_read(&s, &p, match, game,
			storm_below(&s, 2) == 0 ? -1 : seen[match],
			&result) != 0)
			continue;
		seen[match] =
		    json_integer_value(json_object_get(result, "seq")) -
		    storm_below(&s, STORM_TAIL);
		if (seen[match] < 0)
			seen[match] = 0;
		json_decref(result);
	}
	player_clear(&p);
	close(s.fd);
	free(seen);
	return (NULL);
}

/* Writes the counts as one line of JSON. */
static void
storm_tell(const struct storm *st, FILE *f)
{
	int i;

	for (i = 0; i < STORM_COUNTS; i++)
		(void)fprintf(f, "%s\"%s\":%lld", i == 0 ? "{" : ",",
		    storm_names[i], (long long)atomic_load(&st->counts[i]));
	(void)fprintf(f, "}\n");
	(void)fflush(f);
}

/* Waits up to 50 ms for standard input; true if a line, or its end, came. */
static bool
storm_is_told(void)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
	char c;

	while (poll(&fd, 1, 50) == 1) {
		if (read(STDIN_FILENO, &c, 1) != 1 || c == '\n')
			return (true);
	}
	return (false);
}

/* Starts a thread. */
static void
storm_start(pthread_t *thread, void *(*cb)(void *), void *arg)
{
	if (pthread_create(thread, NULL, cb, arg) != 0)
		storm_die("thread", "cannot be had");
}

/* Starts all threads. */
static void
storm_begin(struct storm *st)
{
	int i, n_guests = st->n_matches * st->n_talkers + st->n_readers;
	struct storm_guest *g;

	st->matches = xalloc((size_t)st->n_matches * sizeof(*st->matches));
	st->guests = xalloc((size_t)(n_guests + 1) * sizeof(*st->guests));
	atomic_store(&st->running, st->n_matches);
	for (i = 0; i < st->n_matches; i++) {
		st->matches[i].st = st;
		st->matches[i].n = i;
		(void)pthread_mutex_init(&st->matches[i].lock, NULL);
		storm_start(
		    &st->matches[i].thread, storm_match_cb, &st->matches[i]);
	}
	for (i = 0; i < n_guests; i++) {
		g = &st->guests[i];
		g->st = st;
		if (i < st->n_readers) {
			g->n = i;
			storm_start(&g->thread, storm_reader_cb, g);
		} else {
			g->m =
			    &st->matches[(i - st->n_readers) % st->n_matches];
			g->n = (i - st->n_readers) / st->n_matches;
			storm_start(&g->thread, storm_talker_cb, g);
		}
	}
}

/* Waits for all threads. */
static void
storm_end(struct storm *st)
{
	int i, n_guests = st->n_matches * st->n_talkers + st->n_readers;

	for (i = 0; i < st->n_matches; i++)
		(void)pthread_join(st->matches[i].thread, NULL);
	for (i = 0; i < n_guests; i++)
		(void)pthread_join(st->guests[i].thread, NULL);
	for (i = 0; i < st->n_matches; i++)
		(void)pthread_mutex_destroy(&st->matches[i].lock);
	free(st->matches);
	free(st->guests);
}

/* Lets the matches begin, waits for the word, and lets them go. */
static void
storm_run(struct storm *st)
{
	int64_t next_us = storm_now_us();
	bool is_ready = false;

	storm_begin(st);
	while (atomic_load(&st->running) > 0 && !atomic_load(&st->stop)) {
		if (!is_ready && atomic_load(&st->begun) == st->n_matches) {
			is_ready = true;
			(void)printf("ready\n");
			(void)fflush(stdout);
		}
		if (storm_is_told()) {
			if (!atomic_load(&st->go))
				atomic_store(&st->go, true);
			else
				break;
		}
		if (st->progress_s > 0 && storm_now_us() >= next_us) {
			next_us += st->progress_s * INT64_C(1000000);
			storm_tell(st, stderr);
		}
	}
	atomic_store(
	    &st->stop_us, storm_now_us() + STORM_GRACE_S * INT64_C(1000000));
	atomic_store(&st->stop, true);
	storm_end(st);
	storm_tell(st, stdout);
}

/* A number of the command line. */
static int64_t
storm_number(const char *s, int64_t min, int64_t max)
{
	char *end;
	int64_t n;

	errno = 0;
	n = strtoll(s, &end, 10);
	if (errno != 0 || *s == '\0' || *end != '\0' || n < min || n > max)
		storm_die(s, "no such number");
	return (n);
}

/* Takes an option. */
static void
storm_option(struct storm *st, int c)
{
	switch (c) {
	case 'm':
		st->n_matches = (int)storm_number(optarg, 1, STORM_MATCHES_MAX);
		break;
	case 'n':
		st->orders = storm_number(optarg, 1, INT64_MAX);
		break;
	case 't':
		st->n_talkers = (int)storm_number(optarg, 0, 2);
		break;
	case 'r':
		st->n_readers = (int)storm_number(optarg, 0, 100);
		break;
	case 'x':
		st->cuts = (int)storm_number(optarg, 0, 90);
		break;
	case 'w':
		st->wait_ms = storm_number(optarg, 1, 3600000);
		break;
	case 's':
		st->seed = (uint64_t)storm_number(optarg, 0, INT64_MAX);
		break;
	case 'p':
		st->progress_s = (int)storm_number(optarg, 0, 3600);
		break;
	case 'q':
		st->is_meek = true;
		break;
	default:
		storm_die(
		    "usage", "storm [OPTION ...] HOST PORT ROSTER JOURNALS");
	}
}

int
main(int argc, char **argv)
{
	struct storm st = {.n_matches = 20,
	    .n_talkers = 1,
	    .n_readers = 4,
	    .orders = -1,
	    .wait_ms = PLAYER_WAIT_MS,
	    .seed = 1};
	struct errinfo e = {.text = ""};
	struct buf roster;
	int c;

	while ((c = getopt(argc, argv, "m:n:t:r:x:w:s:p:q")) != -1)
		storm_option(&st, c);
	if (argc - optind != 4)
		storm_option(&st, '?');
	st.host = argv[optind];
	st.port = argv[optind + 1];
	st.dir = argv[optind + 3];
	(void)signal(SIGPIPE, SIG_IGN);
	buf_init(&roster, 0);
	if (file_read(argv[optind + 2], RECORD_BLOB_MAX, &roster, &e) != 0)
		storm_die(argv[optind + 2], e.text);
	st.roster = xalloc_take(&roster);
	storm_run(&st);
	free(st.roster);
	return (0);
}
