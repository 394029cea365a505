/* SPDX-License-Identifier: ISC */
/*
 * guest HOST PORT ROSTER: the players inside the machine whose power power.py
 * cuts.  Standard input is the line to the world outside, which is written
 * to, too.  One line comes in, which says what to do:
 *
 *   {"seed":number,"play":bool,
 *    "matches":[{"game":hash,"again":[{"seat","method","params"}]}]}
 *
 * and all that happens goes out, one JSON object a line.  Each match tells the
 * record of its game as the server has it ("record"), sends again what was not
 * answered, or what shall be answered as before, and then plays on: an order
 * goes out before it is sent ("send") and its answer when it has come ("ack",
 * "fail").  "ready" says that a match has done the first two.  Nothing but the
 * power ends it.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "tests/tools/player.h"

#define GUEST_TASK_MAX 67108864 /* bytes of what shall be done */
#define GUEST_MATCHES_MAX 64
#define GUEST_PAUSE_US 20000 /* when there is too much to do just now */

/* What all threads share. */
struct guest {
	const char *host;
	const char *port;
	char *roster; /* owned: the blob */
	json_t *task; /* owned */
	int64_t seed;
	bool is_play;
	pthread_mutex_t lock; /* of the line to the outside */
};

/* One match and its thread. */
struct guest_match {
	struct guest *g;
	struct match *m; /* owned */
	int n;
	const json_t *task; /* borrowed */
	pthread_t thread;
};

/* Sends an event of a match out; it is stolen. */
static void
guest_tell(struct guest_match *gm, const char *name, json_t *event)
{
	struct guest *g = gm->g;
	size_t at = 0, len;
	char *line, *text;
	ssize_t n;

	xalloc_set(event, "event", xalloc_json_str(name));
	xalloc_set(event, "match", xalloc_json(json_integer(gm->n)));
	text = xalloc_dump(event);
	line = xalloc_printf("%s\n", text);
	len = strlen(line);
	(void)pthread_mutex_lock(&g->lock);
	while (at < len) {
		n = write(STDIN_FILENO, line + at, len - at);
		if (n == -1 && errno != EINTR)
			player_die("line", strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
	(void)pthread_mutex_unlock(&g->lock);
	json_decref(event);
	free(line);
	free(text);
}

/* Tells why a match cannot go on, and ends. */
static void __attribute__((noreturn))
guest_die(struct guest_match *gm, const char *what, const char *why)
{
	json_t *event = xalloc_json(json_object());
	char *text = xalloc_printf("%s: %s", what, why);

	xalloc_set(event, "why", xalloc_json_str(text));
	guest_tell(gm, "broken", event);
	player_die(what, why);
}

/* Reads the line that says what to do. */
static void
guest_read_task(struct guest *g)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	char part[4096];
	ssize_t n;

	buf_init(&b, GUEST_TASK_MAX);
	do {
		n = read(STDIN_FILENO, part, sizeof(part));
		if (n > 0)
			buf_add(&b, part, (size_t)n);
		else if (n == 0)
			(void)usleep(1000); /* nobody is there yet */
		else if (errno != EINTR)
			player_die("line", strerror(errno));
	} while (b.len == 0 || b.data[b.len - 1] != '\n');
	g->task = json_loadb(b.data, b.len, 0, NULL);
	buf_clear(&b);
	if (js_get_int(g->task, "seed", NULL, 0, INT32_MAX, &g->seed, &e) !=
		0 ||
	    js_get_bool(g->task, "play", NULL, &g->is_play, &e) != 0)
		player_die("task", e.text);
}

/* The player of a seat, connected. */
static struct player *
guest_player(struct guest_match *gm, int64_t seat)
{
	struct errinfo e = {.text = ""};
	int r;

	/* Whether accounts were made is for the server to say. */
	while ((r = match_connect(gm->m, &e)) == ERR_EXISTS) {
		if (!match_player(gm->m, 1)->is_registered)
			match_player(gm->m, 1)->is_registered = true;
		else
			match_player(gm->m, 2)->is_registered = true;
	}
	if (r != 0)
		guest_die(gm, "connect", e.text);
	return (match_player(gm->m, (int)seat));
}

/* Gives a line to the match, which may know it. */
static void
guest_took(struct guest_match *gm, const char *line)
{
	int r = match_took(gm->m, line);

	if (r != 0 && r != ERR_EXISTS)
		guest_die(gm, "line", err_name(r));
}

/*
 * Sends an order by what it is told to be (params is borrowed), tells of the
 * answer and follows the line.
 */
static void
guest_order(struct guest_match *gm, struct player *p, const char *method,
    const json_t *params)
{
	json_t *event = xalloc_json(json_object()), *result;
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	const char *line;
	int r;

	xalloc_set(
	    event, "order", xalloc_copy(json_object_get(params, "order")));
	while ((r = player_call(p, method, params, &result, &ce)) != 0 &&
	    (ce.r == ERR_LIMIT || ce.r == ERR_BUSY)) {
		conn_error_clear(&ce);
		(void)usleep(GUEST_PAUSE_US);
	}
	if (r != 0) {
		if (!ce.is_answer)
			guest_die(gm, method, ce.e.text);
		xalloc_set(event, "error", xalloc_json_str(err_name(ce.r)));
		xalloc_set(event, "why", xalloc_json_str(ce.e.text));
		conn_error_clear(&ce);
		guest_tell(gm, "fail", event);
		return;
	}
	if (js_get_str(result, "line", NULL, &line, &e) != 0)
		guest_die(gm, method, e.text);
	xalloc_set(event, "line", xalloc_json_str(line));
	xalloc_set(
	    event, "repeat", xalloc_copy(json_object_get(result, "repeat")));
	guest_tell(gm, "ack", event);
	guest_took(gm, line);
	json_decref(result);
}

/* Adds the lines of a game's record to lines; the error of ce or 0. */
static int
guest_lines(
    struct player *p, const char *game, json_t *lines, struct conn_error *ce)
{
	json_t *params, *result;
	json_int_t from = 0;
	int r;

	do {
		params = xalloc_json(json_object());
		xalloc_set(params, "game", xalloc_json_str(game));
		xalloc_set(params, "from", xalloc_json(json_integer(from)));
		r = player_call(p, "game.record", params, &result, ce);
		json_decref(params);
		if (r != 0)
			return (r);
		r = json_array_extend(lines, json_object_get(result, "lines"));
		from = json_integer_value(json_object_get(result, "next"));
		json_decref(result);
	} while (r == 0 && from > 0);
	if (r != 0)
		player_die("game.record", "no lines");
	return (0);
}

/* Tells the record of the match's game, and takes it. */
static void
guest_record(struct guest_match *gm, const char *game)
{
	json_t *event = xalloc_json(json_object());
	json_t *line, *lines = xalloc_json(json_array());
	struct conn_error ce;
	size_t i;

	if (guest_lines(guest_player(gm, 1), game, lines, &ce) != 0) {
		if (!ce.is_answer)
			guest_die(gm, "game.record", ce.e.text);
		xalloc_set(event, "error", xalloc_json_str(err_name(ce.r)));
		conn_error_clear(&ce);
	}
	xalloc_set(event, "game", xalloc_json_str(game));
	xalloc_set(event, "lines", json_incref(lines));
	guest_tell(gm, "record", event);
	json_array_foreach(lines, i, line)
	    guest_took(gm, json_string_value(line));
	json_decref(lines);
}

/* What was before: the record, and the orders that are sent again. */
static void
guest_past(struct guest_match *gm)
{
	const char *game = NULL, *method;
	const json_t *again, *params;
	struct errinfo e = {.text = ""};
	int64_t seat;
	json_t *v;
	size_t i;

	if (js_opt_str(gm->task, "game", NULL, &game, &e) != 0 ||
	    js_get_array(gm->task, "again", NULL, &again, &e) != 0)
		guest_die(gm, "task", e.text);
	(void)guest_player(gm, 1);
	if (game != NULL)
		guest_record(gm, game);
	json_array_foreach(again, i, v)
	{
		if (js_get_int(v, "seat", NULL, 1, 2, &seat, &e) != 0 ||
		    js_get_str(v, "method", NULL, &method, &e) != 0 ||
		    js_get_object(v, "params", NULL, &params, &e) != 0)
			guest_die(gm, "again", e.text);
		guest_order(gm, guest_player(gm, seat), method, params);
	}
	guest_tell(gm, "ready", xalloc_json(json_object()));
}

/* Sends a new order. */
static void
guest_next(struct guest_match *gm)
{
	const struct player_order *o = match_next(gm->m);
	json_t *event = xalloc_json(json_object());
	json_t *params = xalloc_copy(o->params); /* *o goes with the answer */

	xalloc_set(event, "seat", xalloc_json(json_integer(o->seat)));
	xalloc_set(event, "method", xalloc_json_str(o->method));
	xalloc_set(event, "params", json_incref(params));
	guest_tell(gm, "send", event);
	guest_order(gm, match_player(gm->m, o->seat), o->method, params);
	json_decref(params);
}

/* Plays a match until the power goes. */
static void *
guest_match_cb(void *arg)
{
	struct guest_match *gm = arg;

	gm->m = match_new(gm->g->host, gm->g->port, gm->n,
	    (uint64_t)gm->g->seed, gm->g->roster);
	guest_past(gm);
	while (gm->g->is_play)
		guest_next(gm);
	return (NULL);
}

/* Starts the matches and waits for what cannot come. */
static void
guest_run(struct guest *g)
{
	struct guest_match *list;
	json_t *v, *tasks = json_object_get(g->task, "matches");
	size_t i;

	if (json_array_size(tasks) > GUEST_MATCHES_MAX)
		player_die("task", "too many matches");
	list = xalloc(GUEST_MATCHES_MAX * sizeof(*list));
	json_array_foreach(tasks, i, v)
	{
		list[i].g = g;
		list[i].n = (int)i;
		list[i].task = v;
		if (pthread_create(
			&list[i].thread, NULL, guest_match_cb, &list[i]) != 0)
			player_die("match", "no thread");
	}
	for (;;)
		(void)pause();
}

int
main(int argc, char **argv)
{
	struct guest g = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct errinfo e = {.text = ""};
	struct buf roster;

	if (argc != 4) {
		fprintf(stderr, "usage: guest HOST PORT ROSTER\n");
		return (EX_USAGE);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	g.host = argv[1];
	g.port = argv[2];
	buf_init(&roster, 0);
	if (file_read(argv[3], RECORD_BLOB_MAX, &roster, &e) != 0)
		player_die(argv[3], e.text);
	g.roster = xalloc_take(&roster);
	guest_read_task(&g);
	guest_run(&g);
	return (EX_OK);
}
