/* SPDX-License-Identifier: ISC */
/*
 * The files of the cache have side lines among the others, and of tournaments
 * the lines of those that they go back to: here they are put in the order that
 * verifiers read.
 */
#include "web/web_checker.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_former.h"
#include "common/tournament/verify_tournament.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_cup_named.h"
#include "web/web_sandbox.h"

#define WEB_CHECKER_NAME "umpire-web-chk"
#ifdef __SANITIZE_ADDRESS__
#define WEB_CHECKER_MEMORY RLIM_INFINITY /* its shadow takes all there are */
#else
#define WEB_CHECKER_MEMORY ((rlim_t)1 << 30) /* bytes of addresses */
#endif
#define WEB_CHECKER_S 900 /* of processor time */
#define WEB_CHECKER_FILE ((size_t)1 << 28) /* bytes of a file */
#define WEB_CHECKER_NICE 19

/* The fork. */
struct web_checker {
	const struct web_conf *conf;
	int control;
	char *reply; /* room for the largest */
	size_t n_reply;
};

/* A tournament, as it is verified. */
struct web_checking {
	const char *cache; /* borrowed */
	struct buf lines; /* its own, the first of them */
	struct buf before; /* of those that it goes back to */
	struct web_cup_named named;
};

/* ---- files ---- */

/* Reads a file of the cache.  ERR_NOTFOUND. */
static int
web_checker_read(
    const char *cache, const char *folder, const char *hex, struct buf *out)
{
	char *path = xalloc_printf("%s/%s/%s", cache, folder, hex);
	struct errinfo e;
	int r;

	r = file_read_regular(path, WEB_CHECKER_FILE, out, &e);
	free(path);
	return (r == 0 ? 0 : ERR_NOTFOUND);
}

/* Reads the tournament.  ERR_NOTFOUND. */
static int
web_checker_load(struct web_checking *c, const struct web_checker_job *job)
{
	char hex[2 * HASH_LEN + 1];
	const char *at, *end;
	struct record_span s;
	struct buf file;
	int64_t left = job->lines;
	int r;

	hex_format(hex, job->id, HASH_LEN);
	buf_init(&file, 0);
	if ((r = web_checker_read(c->cache, "cups", hex, &file)) != 0)
		return (r);
	at = file.data;
	end = at + file.len;
	while (left > 0 && record_next(&at, end, &s) && at[-1] == '\n') {
		if (record_is_side(s.bytes, s.len))
			continue;
		if (web_cup_named_is_other(s.bytes, s.len, hex)) {
			buf_add(&c->before, s.bytes, s.len + 1);
			continue;
		}
		buf_add(&c->lines, s.bytes, s.len + 1);
		web_cup_named_line(&c->named, s.bytes, s.len);
		left--;
	}
	buf_clear(&file);
	if (buf_error(&c->lines) != 0 || buf_error(&c->before) != 0)
		xalloc_die();
	return (left == 0 ? 0 : ERR_NOTFOUND);
}

/* verify_tournament_games: a game that reaches as far as it is named. */
static int
web_checker_game_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	char hex[2 * HASH_LEN + 1];
	struct web_checking *c = arg;
	struct web_cup_game *g;
	const char *at, *end;
	struct buf file, sides, out;
	struct record_span s;
	int64_t n = 0;
	int r;

	hex_format(hex, game, HASH_LEN);
	buf_init(&file, 0);
	if ((r = web_checker_read(c->cache, "lines", hex, &file)) != 0)
		return (r);
	buf_init(&sides, 0);
	buf_init(&out, 0);
	at = file.data;
	end = at + file.len;
	while (record_next(&at, end, &s) && at[-1] == '\n') {
		buf_add(record_is_side(s.bytes, s.len) ? &sides : &out, s.bytes,
		    s.len + 1);
		n += !record_is_side(s.bytes, s.len);
	}
	buf_add(&out, sides.data, sides.len);
	buf_clear(&sides);
	buf_clear(&file);
	if (buf_error(&out) != 0)
		return (ERR_NOMEM);
	if ((g = web_cup_named_game(&c->named, hex)) == NULL || n <= g->need) {
		buf_clear(&out);
		return (ERR_NOTFOUND);
	}
	g->told = PAGE_CUP_GAME_GOOD;
	*len = out.len;
	*bytes = xalloc_strn(out.data, out.len);
	buf_clear(&out);
	return (0);
}

/* ---- one tournament ---- */

/* Which of the games were at hand, a character each; free(). */
static char *
web_checker_at_hand(const struct web_checking *c)
{
	char *s = xalloc(c->named.n + 1);
	size_t i;

	for (i = 0; i < c->named.n; i++)
		s[i] = c->named.games[i].told == PAGE_CUP_GAME_GOOD ? '1' : '0';
	return (s);
}

/* True if what is bad is so without its games. */
static bool
web_checker_is_alone(struct web_checking *c, const struct web_checker_job *job,
    const struct verify_former_set *set, int64_t line)
{
	const struct verify_tournament_options opt = {
	    .no_games = true, .server = job->server, .head_seq = -1};
	struct verify_tournament_report rep;
	struct errinfo e;

	return (verify_former_bytes(c->lines.data, c->lines.len, set, &opt,
		    &rep, NULL, &e) == ERR_BAD &&
	    rep.file_line == line);
}

/* Verifies it; the verdict is new, NULL if there is none. */
static json_t *
web_checker_verify(struct web_checking *c, const struct web_checker_job *job)
{
	const struct verify_tournament_options opt = {.server = job->server,
	    .head_seq = -1,
	    .games = {web_checker_game_cb, c}};
	struct verify_tournament_report rep;
	struct errinfo why = {.text = ""};
	struct verify_former_set set;
	char *at_hand;
	json_t *v;
	int r;

	if (web_checker_load(c, job) != 0 ||
	    verify_former_split(c->before.data, c->before.len, &set) != 0)
		return (NULL);
	r = verify_former_bytes(
	    c->lines.data, c->lines.len, &set, &opt, &rep, NULL, &why);
	if (r != 0 && r != ERR_BAD)
		return (NULL);
	at_hand = web_checker_at_hand(c);
	if (r == 0)
		why = rep.unchecked;
	v = xalloc_json(json_pack(
	    "{s:s, s:I, s:I, s:o, s:o, s:b, s:i, s:I, s:s}", "verdict",
	    r == ERR_BAD           ? "bad"
		: rep.is_unchecked ? "unchecked"
				   : "good",
	    "lines", (json_int_t)job->lines, "line",
	    (json_int_t)(r == ERR_BAD ? rep.file_line : rep.unchecked_line) - 1,
	    "where",
	    xalloc_json_str(r == ERR_BAD || rep.is_unchecked ? why.where : ""),
	    "why",
	    xalloc_json_str(r == ERR_BAD || rep.is_unchecked ? why.text : ""),
	    "alone",
	    r == ERR_BAD && web_checker_is_alone(c, job, &set, rep.file_line),
	    "games", rep.games, "dice", (json_int_t)rep.rolls, "at_hand",
	    at_hand));
	free(at_hand);
	return (v);
}

/* The process of one tournament: writes the verdict to a pipe. */
static void
web_checker_run(
    const struct web_checker *k, const struct web_checker_job *job, int to)
{
	const struct rlimit time = {.rlim_cur = WEB_CHECKER_S,
				.rlim_max = WEB_CHECKER_S},
			    memory = {.rlim_cur = WEB_CHECKER_MEMORY,
				.rlim_max = WEB_CHECKER_MEMORY};
	struct web_checking c = {.cache = k->conf->cache};
	const char *at;
	char *text;
	ssize_t done;
	json_t *v;
	size_t n;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* What this bounds it may do without. */
	(void)setrlimit(RLIMIT_CPU, &time);
	(void)setrlimit(RLIMIT_AS, &memory);
	buf_init(&c.lines, 0);
	buf_init(&c.before, 0);
	web_cup_named_init(&c.named);
	if ((v = web_checker_verify(&c, job)) == NULL)
		_exit(1);
	text = xalloc_dump(v);
	for (at = text, n = strlen(text); n > 0;
	     at += done, n -= (size_t)done) {
		if ((done = write(to, at, n)) <= 0)
			_exit(1);
	}
	_exit(0);
}

/* ---- the fork ---- */

/* Reads n bytes of the control socket; false: the other end is closed. */
static bool
web_checker_get(const struct web_checker *k, void *at, size_t n)
{
	return (recv(k->control, at, n, MSG_WAITALL) == (ssize_t)n);
}

/* Writes n bytes to it; false likewise. */
static bool
web_checker_put(const struct web_checker *k, const void *at, size_t n)
{
	const char *s = at;
	ssize_t done;

	for (; n > 0; s += done, n -= (size_t)done) {
		done = send(k->control, s, n, MSG_NOSIGNAL);
		if (done <= 0)
			return (false);
	}
	return (true);
}

/* Takes what the process of a tournament writes; false: that is too much. */
static bool
web_checker_listen(struct web_checker *k, pid_t pid, int from)
{
	struct pollfd at[2];
	ssize_t n;

	k->n_reply = 0;
	for (;;) {
		at[0] = (struct pollfd){.fd = k->control};
		at[1] = (struct pollfd){.fd = from, .events = POLLIN};
		if (poll(at, 2, -1) == -1)
			continue;
		if (at[0].revents != 0) {
			(void)kill(pid, SIGKILL);
			_exit(0);
		}
		n = read(from, k->reply + k->n_reply,
		    WEB_CHECKER_REPLY - k->n_reply);
		if (n <= 0)
			return (n == 0 && k->n_reply < WEB_CHECKER_REPLY);
		k->n_reply += (size_t)n;
	}
}

/* Has one tournament verified; false: it could not be. */
static bool
web_checker_check(struct web_checker *k, const struct web_checker_job *job)
{
	int both[2], status = 1;
	bool is_good;
	pid_t pid;

	if (pipe2(both, O_CLOEXEC) == -1)
		return (false);
	if ((pid = fork()) == 0) {
		(void)close(both[0]);
		web_checker_run(k, job, both[1]);
	}
	(void)close(both[1]);
	if (pid == -1) {
		(void)close(both[0]);
		return (false);
	}
	is_good = web_checker_listen(k, pid, both[0]);
	(void)close(both[0]);
	if (!is_good)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) == -1 && errno == EINTR)
		continue;
	return (is_good && status == 0);
}

/* Keeps only the log and the control socket, and gives up what it can. */
static bool
web_checker_confine(struct web_checker *k)
{
	const unsigned fd = (unsigned)k->control;
	struct errinfo e = {.text = ""};

	(void)prctl(PR_SET_NAME, WEB_CHECKER_NAME, 0, 0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)setpriority(PRIO_PROCESS, 0, WEB_CHECKER_NICE);
	if (fd > STDERR_FILENO + 1)
		(void)close_range(STDERR_FILENO + 1, fd - 1, 0);
	(void)close_range(fd + 1, UINT_MAX, 0);
	k->reply = malloc(WEB_CHECKER_REPLY);
	if (k->reply != NULL &&
	    web_sandbox_enter_checker((enum web_conf_sandbox)k->conf->sandbox,
		k->conf->cache, &e) == 0)
		return (true);
	log_errorx(
	    "tournaments cannot be verified with their games: %s", e.text);
	return (false);
}

/* Runs the fork. */
static void
web_checker_main(struct web_checker *k)
{
	struct web_checker_head head = {.is_done = 1};
	struct web_checker_job job;

	if (!web_checker_confine(k))
		_exit(1);
	/* The first reply is to nothing: it says that it is ready. */
	while (web_checker_put(k, &head, sizeof(head)) &&
	    web_checker_put(k, k->reply, head.len) &&
	    web_checker_get(k, &job, sizeof(job))) {
		head.is_done = web_checker_check(k, &job);
		head.len = head.is_done ? (uint32_t)k->n_reply : 0;
	}
	_exit(0);
}

int
web_checker_new(const struct web_conf *conf, int *fd, struct errinfo *e)
{
	struct web_checker k = {.conf = conf};
	struct web_checker_head head;
	sigset_t all, before;
	int both[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) == -1)
		return (err_set(e, ERR_IO, "",
		    "tournaments cannot be verified: %s", strerror(errno)));
	k.control = both[1];
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if ((pid = fork()) == 0)
		web_checker_main(&k);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(both[1]);
	if (pid != -1 &&
	    recv(both[0], &head, sizeof(head), MSG_WAITALL) ==
		(ssize_t)sizeof(head)) {
		*fd = both[0];
		return (0);
	}
	(void)close(both[0]);
	return (err_set(e, ERR_INTERNAL, "",
	    "the process that verifies tournaments cannot be started"));
}
