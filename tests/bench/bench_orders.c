/* SPDX-License-Identifier: ISC */
/*
 * bench_orders HOST PORT MATCHES SECONDS SEED PID [KEY]: so many matches at
 * once, each with a thread of its own, play for so long, with the witness of
 * that KEY if it is given, whose answers are waited for; each sends its next
 * order when the last is answered.  What comes before play is not counted.
 * Prints one JSON object: orders and their rate; what an answer took in
 * microseconds, in all and by what the order costs (plain; proof: its proof was
 * checked; dice: the server made one, too); and the CPU seconds that the
 * players took meanwhile, the server (PID), and others on the processors that
 * this process may use.  Of others only what they do in programs of theirs
 * counts
 * ("others_s"), and what other guests of the machine take: what the kernel
 * does, interrupts and its threads included, may be work for the server.  With
 * that it is "rest_s".
 */
#include <sys/resource.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/player.h"

#define BENCH_MATCHES_MAX 200
#define BENCH_TRIES 100 /* to connect */

/* What an order costs the server. */
enum bench_kind {
	BENCH_PLAIN,
	BENCH_PROOF,
	BENCH_DICE,
	BENCH_KINDS,
};

static const char *const bench_names[] = {"plain", "proof", "dice"};

/* What all share; until passed `go`, it does not change. */
struct bench {
	const char *host;
	const char *port;
	uint64_t seed;
	const char *witness; /* its key; NULL: none */
	int64_t until_us; /* set by the main thread at the gate */
	pthread_barrier_t gate; /* passed twice: ready, go */
};

/* How long answers took. */
struct bench_times {
	int64_t *us; /* owned */
	size_t n, max;
};

/* CPU seconds, and those of them that were not in the kernel. */
struct bench_used {
	double all, user;
};

/* What was used by us, by the server, by everybody. */
struct bench_cpu {
	struct bench_used players, server, busy;
};

struct bench_one {
	struct bench *b;
	int number;
	pthread_t thread;
	struct bench_times times[BENCH_KINDS];
};

static const char bench_roster[] =
    "{\"blob\":\"roster\",\"system\":\"lasalle2\",\"sides\":{"
    "\"1\":{\"name\":\"French\",\"units\":["
    "{\"id\":\"fr-a\",\"arm\":\"infantry\",\"strength\":5},"
    "{\"id\":\"fr-b\",\"arm\":\"infantry\",\"strength\":4}]},"
    "\"2\":{\"name\":\"Russians\",\"units\":["
    "{\"id\":\"ru-a\",\"arm\":\"infantry\",\"strength\":5},"
    "{\"id\":\"ru-b\",\"arm\":\"infantry\",\"strength\":4}]}}}";

/* Microseconds of a clock. */
static int64_t
bench_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) == -1)
		player_die("clock", strerror(errno));
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* What this process has used. */
static struct bench_used
bench_cpu(void)
{
	struct rusage u;
	double user;

	if (getrusage(RUSAGE_SELF, &u) == -1)
		player_die("getrusage", strerror(errno));
	user = (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6;
	return ((struct bench_used){
	    user + (double)u.ru_stime.tv_sec + (double)u.ru_stime.tv_usec / 1e6,
	    user});
}

/* What another process has used, its threads that have ended too. */
static struct bench_used
bench_cpu_of(long pid)
{
	const double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	unsigned long user, sys;
	char path[64];
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	if ((f = fopen(path, "re")) == NULL)
		player_die(path, strerror(errno));
	if (fscanf(f,
		"%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u"
		" %lu %lu",
		&user, &sys) != 2)
		player_die(path, "not as expected");
	(void)fclose(f);
	return ((struct bench_used){
	    tick_s * (double)(user + sys), tick_s * (double)user});
}

/* What everybody has used on our processors, other guests too. */
static struct bench_used
bench_cpu_busy(void)
{
	const double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	unsigned long long v[8], all = 0, user = 0;
	char line[512];
	cpu_set_t ours;
	unsigned cpu;
	FILE *f;

	if (sched_getaffinity(0, sizeof(ours), &ours) == -1 ||
	    (f = fopen("/proc/stat", "re")) == NULL)
		player_die("/proc/stat", strerror(errno));
	/* user nice system idle iowait irq softirq steal: proc(5) */
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line,
			"cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu,
			&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
			&v[7]) != 9 ||
		    !CPU_ISSET(cpu, &ours))
			continue;
		user += v[0] + v[1] + v[7];
		all += v[0] + v[1] + v[2] + v[5] + v[6] + v[7];
	}
	(void)fclose(f);
	return (
	    (struct bench_used){tick_s * (double)all, tick_s * (double)user});
}

/* Reads all three. */
static struct bench_cpu
bench_cpu_now(long pid)
{
	return ((struct bench_cpu){
	    bench_cpu(), bench_cpu_of(pid), bench_cpu_busy()});
}

/* Adds a time. */
static void
bench_add(struct bench_times *t, int64_t us)
{
	int64_t *more;

	if (t->n == t->max) {
		t->max = t->max == 0 ? 1024 : 2 * t->max;
		more = realloc(t->us, t->max * sizeof(*t->us));
		if (more == NULL)
			player_die("times", "out of memory");
		t->us = more;
	}
	t->us[t->n++] = us;
}

/* Connects a match; other matches do so at the same time. */
static void
bench_connect(struct match *m)
{
	const struct timespec rest = {.tv_nsec = 20000000};
	struct errinfo e = {.text = ""};
	int i;

	for (i = 0; i < BENCH_TRIES; i++) {
		if (match_connect(m, &e) == 0)
			return;
		(void)nanosleep(&rest, NULL);
	}
	player_die("connect", e.text);
}

/* Sends the next order. */
static enum bench_kind
bench_play(struct match *m, int64_t *us)
{
	const struct player_order *o = match_next(m);
	struct errinfo e = {.text = ""};
	enum bench_kind kind = BENCH_PLAIN;
	const char *text;

	text = json_string_value(json_object_get(o->params, "order"));
	if (o->has_dice)
		kind = BENCH_DICE;
	else if (text != NULL && strstr(text, "\"own\":\"") != NULL)
		kind = BENCH_PROOF;
	if (match_play(m, us, &e) != 0)
		player_die("an order failed", e.text);
	return (kind);
}

/* The body of a thread. */
static void *
bench_one_cb(void *arg)
{
	struct bench_one *one = arg;
	struct bench *b = one->b;
	enum bench_kind kind;
	struct match *m;
	int64_t us;

	m = match_new(b->host, b->port, one->number, b->seed, bench_roster);
	if (b->witness != NULL)
		match_set_witness(m, b->witness);
	bench_connect(m);
	while (!match_is_play(m))
		(void)bench_play(m, &us);
	(void)pthread_barrier_wait(&b->gate);
	(void)pthread_barrier_wait(&b->gate);
	while (bench_us() < b->until_us) {
		kind = bench_play(m, &us);
		bench_add(&one->times[kind], us);
	}
	match_free(m);
	return (NULL);
}

/* Orders times for qsort(). */
static int
bench_compare_cb(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a < *b ? -1 : *a > *b);
}

/* Prints a list of times, and empties it. */
static void
bench_print(const char *name, struct bench_times *t)
{
	double sum = 0;
	size_t i;

	if (t->n > 0)
		qsort(t->us, t->n, sizeof(*t->us), bench_compare_cb);
	for (i = 0; i < t->n; i++)
		sum += (double)t->us[i];
	printf(",\"%s\":{\"n\":%zu", name, t->n);
	if (t->n > 0)
		printf(",\"mean\":%.1f,\"p50\":%lld,\"p99\":%lld,\"max\":%lld",
		    sum / (double)t->n, (long long)t->us[t->n / 2],
		    (long long)t->us[t->n * 99 / 100],
		    (long long)t->us[t->n - 1]);
	printf("}");
	free(t->us);
	memset(t, 0, sizeof(*t));
}

/* What was used between two readings. */
static struct bench_used
bench_between(const struct bench_used *from, const struct bench_used *to)
{
	return (
	    (struct bench_used){to->all - from->all, to->user - from->user});
}

/* Prints what all matches saw. */
static void
bench_report(struct bench_one *ones, int n, double took_s,
    const struct bench_cpu *from, const struct bench_cpu *to)
{
	const struct bench_used players =
	    bench_between(&from->players, &to->players);
	const struct bench_used server =
	    bench_between(&from->server, &to->server);
	const struct bench_used busy = bench_between(&from->busy, &to->busy);
	const double others = busy.user - players.user - server.user;
	const double rest = busy.all - players.all - server.all;
	struct bench_times all = {.us = NULL}, kinds[BENCH_KINDS] = {{NULL}};
	size_t j;
	int i, k;

	for (k = 0; k < BENCH_KINDS; k++) {
		for (i = 0; i < n; i++) {
			for (j = 0; j < ones[i].times[k].n; j++) {
				bench_add(&all, ones[i].times[k].us[j]);
				bench_add(&kinds[k], ones[i].times[k].us[j]);
			}
			free(ones[i].times[k].us);
		}
	}
	printf("{\"orders\":%zu,\"seconds\":%.3f,\"per_second\":%.1f,"
	       "\"players_s\":%.3f,\"server_s\":%.3f,\"others_s\":%.3f,"
	       "\"rest_s\":%.3f",
	    all.n, took_s, (double)all.n / took_s, players.all, server.all,
	    others > 0 ? others : 0, rest > 0 ? rest : 0);
	bench_print("all", &all);
	for (k = 0; k < BENCH_KINDS; k++)
		bench_print(bench_names[k], &kinds[k]);
	printf("}\n");
}

/* Reads a number of the command line. */
static long
bench_number(const char *text, long max)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno != 0 || *text == '\0' || *end != '\0' || n < 1 || n > max)
		player_die(text, "a number is out of range");
	return (n);
}

int
main(int argc, char **argv)
{
	static struct bench_one ones[BENCH_MATCHES_MAX];
	static struct bench b;
	struct bench_cpu from, to;
	int64_t start;
	long seconds, pid;
	int i, n;

	if (argc != 7 && (argc != 8 || strlen(argv[7]) != 2 * SIGN_KEY_LEN)) {
		(void)fprintf(stderr,
		    "usage: bench_orders HOST PORT MATCHES SECONDS SEED PID "
		    "[KEY]\n");
		return (64);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	b.host = argv[1];
	b.port = argv[2];
	b.witness = argv[7]; /* NULL ends the list */
	n = (int)bench_number(argv[3], BENCH_MATCHES_MAX);
	seconds = bench_number(argv[4], 86400);
	b.seed = (uint64_t)bench_number(argv[5], 1000000000);
	pid = bench_number(argv[6], INT_MAX);
	if (pthread_barrier_init(&b.gate, NULL, (unsigned)n + 1) != 0)
		player_die("threads", "no barrier");
	for (i = 0; i < n; i++) {
		ones[i].b = &b;
		ones[i].number = i;
		if (pthread_create(
			&ones[i].thread, NULL, bench_one_cb, &ones[i]) != 0)
			player_die("threads", "too many");
	}
	(void)pthread_barrier_wait(&b.gate);
	start = bench_us();
	from = bench_cpu_now(pid);
	b.until_us = start + seconds * 1000000;
	(void)pthread_barrier_wait(&b.gate);
	/* Somebody may wait to do something else meanwhile. */
	fputs("go\n", stderr);
	for (i = 0; i < n; i++)
		(void)pthread_join(ones[i].thread, NULL);
	to = bench_cpu_now(pid);
	bench_report(ones, n, (double)(bench_us() - start) / 1e6, &from, &to);
	(void)pthread_barrier_destroy(&b.gate);
	return (0);
}
