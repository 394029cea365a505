/* SPDX-License-Identifier: ISC */
/*
 * hostile good HOST PORT ROSTER: the client that must not suffer.  It plays a
 * match and reads its game.  For a line "NAME N" it looks at the game and
 * gives an order N times, HOSTILE_PACE_MS apart, and answers "done", or
 * "failed" if it was not answered each time.  For "NAME N new" another
 * connection is made each time, too, and asked who the server is.  At the end
 * of its input it prints, by NAME, how many turns there were and were lost, and
 * the medians and the 90 per cent in microseconds; a turn that is lost counts
 * as HOSTILE_WAIT_MS.
 */
#include "tests/tools/hostile.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/xalloc.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "tests/tools/player.h"

#define HOSTILE_PACE_MS 100
#define HOSTILE_WAIT_MS 30000 /* for an answer */
#define HOSTILE_LINE_MS 120000 /* for all turns of a line */
#define HOSTILE_SAMPLES 100000
#define HOSTILE_NAMES 8

/* What the good client has measured under one name. */
struct hostile_samples {
	char name[32];
	int64_t *show_us; /* owned */
	int64_t *order_us; /* owned */
	int64_t *new_us; /* owned; 0 where none was asked for */
	size_t n;
	size_t lost; /* of them */
};

/* Orders numbers. */
static int
hostile_compare_cb(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a < b ? -1 : a > b);
}

/* Microseconds of a clock that does not step. */
static int64_t
hostile_now_us(void)
{
	struct timespec ts = {0};

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* Looks at the game, timed; false without an answer. */
static bool
hostile_good_show(struct match *m, int64_t *us)
{
	json_t *params = xalloc_json(json_object()), *result;
	const int64_t begun_us = hostile_now_us();
	struct conn_error ce;
	int r;

	xalloc_set(params, "game", js_hex(game_id(match_game(m)), HASH_LEN));
	r = player_call(match_player(m, 1), "game.show", params, &result, &ce);
	json_decref(params);
	if (r != 0) {
		(void)fprintf(stderr, "show: %s\n", ce.e.text);
		conn_error_clear(&ce);
		return (false);
	}
	*us = hostile_now_us() - begun_us;
	json_decref(result);
	return (true);
}

/* Comes anew, timed: connects and asks who the server is; false if not. */
static bool
hostile_good_come(struct match *m, struct hostile_samples *s, struct errinfo *e)
{
	const struct player *p = match_player(m, 1);
	const int64_t begun_us = hostile_now_us();
	struct conn_error ce;
	struct conn *c;
	json_t *result;

	if (conn_open(p->host, p->port, p->wait_ms, &c, e) != 0)
		return (false);
	if (conn_call(c, "server.hello", NULL, &result, &ce) != 0) {
		*e = ce.e;
		conn_error_clear(&ce);
		conn_close(c);
		return (false);
	}
	s->new_us[s->n] = hostile_now_us() - begun_us;
	json_decref(result);
	conn_close(c);
	return (true);
}

/*
 * Looks at the game and gives an order, both timed, or notes that this is not
 * to be had; false then.
 */
static bool
hostile_good_turn(
    struct match *m, struct hostile_samples *s, bool is_new, bool is_lost)
{
	struct errinfo e = {.text = ""};
	int64_t us;

	if (s->n == HOSTILE_SAMPLES)
		player_die("good", "too many samples");
	s->show_us[s->n] = s->order_us[s->n] = (int64_t)HOSTILE_WAIT_MS * 1000;
	s->new_us[s->n] = is_new ? (int64_t)HOSTILE_WAIT_MS * 1000 : 0;
	if (!is_lost && is_new && !hostile_good_come(m, s, &e)) {
		(void)fprintf(stderr, "come anew: %s\n", e.text);
		is_lost = true;
	}
	if (!is_lost && match_connect(m, &e) != 0) {
		(void)fprintf(stderr, "connect: %s\n", e.text);
		is_lost = true;
	}
	if (!is_lost)
		is_lost = !hostile_good_show(m, &s->show_us[s->n]);
	if (!is_lost && match_play(m, &us, &e) != 0) {
		(void)fprintf(stderr, "order: %s\n", e.text);
		is_lost = true;
	} else if (!is_lost) {
		s->order_us[s->n] = us;
	}
	s->n++;
	s->lost += is_lost;
	return (!is_lost);
}

/* So many turns, but none after one that is lost; false if one was. */
static bool
hostile_good_turns(
    struct match *m, struct hostile_samples *s, int times, bool is_new)
{
	const int64_t end_ms = clock_mono_ms() + HOSTILE_LINE_MS;
	bool is_lost = false;

	for (; times > 0; times--) {
		is_lost = is_lost || clock_mono_ms() > end_ms;
		is_lost = !hostile_good_turn(m, s, is_new, is_lost);
		if (!is_lost)
			(void)poll(NULL, 0, HOSTILE_PACE_MS);
	}
	return (!is_lost);
}

/* Prints what was measured. */
static void
hostile_good_print(struct hostile_samples *s, size_t n)
{
	const size_t size = sizeof(int64_t);
	size_t i, k;

	(void)printf("{");
	for (i = 0; i < n; i++) {
		k = s[i].n;
		qsort(s[i].show_us, k, size, hostile_compare_cb);
		qsort(s[i].order_us, k, size, hostile_compare_cb);
		qsort(s[i].new_us, k, size, hostile_compare_cb);
		(void)printf("%s\"%s\":{\"n\":%zu,\"lost\":%zu,"
			     "\"show\":%lld,\"order\":%lld,\"new\":%lld,"
			     "\"show_p90\":%lld,\"order_p90\":%lld,"
			     "\"new_p90\":%lld}",
		    i == 0 ? "" : ",", s[i].name, k, s[i].lost,
		    (long long)s[i].show_us[k / 2],
		    (long long)s[i].order_us[k / 2],
		    (long long)s[i].new_us[k / 2],
		    (long long)s[i].show_us[k * 9 / 10],
		    (long long)s[i].order_us[k * 9 / 10],
		    (long long)s[i].new_us[k * 9 / 10]);
		free(s[i].show_us);
		free(s[i].order_us);
		free(s[i].new_us);
	}
	(void)printf("}\n");
}

/* Finds or makes the samples of a name. */
static struct hostile_samples *
hostile_good_find(struct hostile_samples *s, size_t *n, const char *name)
{
	size_t i;

	for (i = 0; i < *n; i++) {
		if (strcmp(s[i].name, name) == 0)
			return (&s[i]);
	}
	if (*n == HOSTILE_NAMES)
		player_die("good", "too many names");
	(void)snprintf(s[i].name, sizeof(s[i].name), "%s", name);
	s[i].show_us = xalloc(HOSTILE_SAMPLES * sizeof(int64_t));
	s[i].order_us = xalloc(HOSTILE_SAMPLES * sizeof(int64_t));
	s[i].new_us = xalloc(HOSTILE_SAMPLES * sizeof(int64_t));
	s[i].n = 0;
	s[i].lost = 0;
	(*n)++;
	return (&s[i]);
}

void
hostile_good(const char *host, const char *port, const char *path)
{
	struct hostile_samples all[HOSTILE_NAMES], *s;
	struct errinfo e = {.text = ""};
	char *roster = hostile_file(path);
	char line[64], name[32], word[8];
	struct match *m;
	size_t n = 0;
	int n_words, times;

	m = match_new(host, port, 0, hostile_seed(), roster);
	match_player(m, 1)->wait_ms = HOSTILE_WAIT_MS;
	match_player(m, 2)->wait_ms = HOSTILE_WAIT_MS;
	if (match_connect(m, &e) != 0)
		player_die("good: connect", e.text);
	while (!match_is_play(m)) {
		if (match_play(m, NULL, &e) != 0)
			player_die("good: order", e.text);
	}
	(void)printf("ready\n");
	(void)fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		n_words = sscanf(line, "%31s %d %7s", name, &times, word);
		if (n_words < 2)
			break;
		s = hostile_good_find(all, &n, name);
		(void)printf("%s\n",
		    hostile_good_turns(m, s, times, n_words == 3) ? "done"
								  : "failed");
		(void)fflush(stdout);
	}
	hostile_good_print(all, n);
	match_free(m);
	free(roster);
}
