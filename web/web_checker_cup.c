/* SPDX-License-Identifier: ISC */
/*
 * The files of the cache have side lines among the others, and of tournaments
 * the lines of those that they go back to: here they are put in the order that
 * verifiers read.  What is remembered is what was verified here, and counts for
 * the same bytes alone.
 */
#include "web/web_checker_cup.h"

#include <sys/resource.h>

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/record/record.h"
#include "common/tournament/verify_former.h"
#include "common/tournament/verify_kept.h"
#include "common/tournament/verify_tournament.h"
#include "web/web_checker.h"
#include "web/web_cup_named.h"

#define WEB_CHECKER_CUP_S 900 /* of processor time, from game to game */
#define WEB_CHECKER_CUP_FILE ((size_t)1 << 28) /* bytes of a file */
#define WEB_CHECKER_CUP_KEPT ((size_t)64 << 20) /* bytes that it remembers */

struct web_checker_cup {
	const char *cache; /* borrowed */
	struct verify_kept *kept; /* owned: its games */
	/* Its lines, and those of what it goes back to, that were good: */
	int64_t good;
	size_t good_len; /* bytes of its own */
	uint8_t good_seal[HASH_LEN];
};

/* A tournament, as it is verified. */
struct web_checking {
	const char *cache; /* borrowed */
	struct buf lines; /* its own, the first of them */
	struct buf before; /* of those that it goes back to */
	struct web_cup_named named;
};

struct web_checker_cup *
web_checker_cup_new(const char *cache)
{
	struct web_checker_cup *m = xalloc(sizeof(*m));

	m->cache = cache;
	if (verify_kept_new(WEB_CHECKER_CUP_KEPT, &m->kept) != 0)
		xalloc_die();
	return (m);
}

void
web_checker_cup_free(struct web_checker_cup *m)
{
	verify_kept_free(m->kept);
	free(m);
}

/* From here on it has so much processor time again. */
static void
web_checker_cup_renew(void)
{
	struct rlimit most;
	struct rusage now;

	if (getrlimit(RLIMIT_CPU, &most) != 0 ||
	    getrusage(RUSAGE_SELF, &now) != 0)
		return;
	most.rlim_cur = (rlim_t)now.ru_utime.tv_sec +
	    (rlim_t)now.ru_stime.tv_sec + WEB_CHECKER_CUP_S;
	/* What this bounds it may do without. */
	(void)setrlimit(RLIMIT_CPU, &most);
}

/* ---- files ---- */

/* Reads a file of the cache.  ERR_NOTFOUND. */
static int
web_checker_cup_read(
    const char *cache, const char *folder, const char *hex, struct buf *out)
{
	char *path = xalloc_printf("%s/%s/%s", cache, folder, hex);
	struct errinfo e;
	int r;

	r = file_read_regular(path, WEB_CHECKER_CUP_FILE, out, &e);
	free(path);
	return (r == 0 ? 0 : ERR_NOTFOUND);
}

/* Reads the tournament.  ERR_NOTFOUND. */
static int
web_checker_cup_load(struct web_checking *c, const struct web_checker_job *job)
{
	char hex[2 * HASH_LEN + 1];
	const char *at, *end;
	struct record_span s;
	struct buf file;
	int64_t left = job->lines;
	int r;

	hex_format(hex, job->id, HASH_LEN);
	buf_init(&file, 0);
	if ((r = web_checker_cup_read(c->cache, "cups", hex, &file)) != 0)
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
web_checker_cup_game_cb(
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

	web_checker_cup_renew();
	hex_format(hex, game, HASH_LEN);
	buf_init(&file, 0);
	if ((r = web_checker_cup_read(c->cache, "lines", hex, &file)) != 0)
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

/* options.seen: a game that is at hand cannot be judged. */
static void
web_checker_cup_seen_cb(void *arg, const struct verify_tournament_seen *seen)
{
	char hex[2 * HASH_LEN + 1];
	struct web_checking *c = arg;
	struct web_cup_game *g;

	hex_format(hex, seen->game, HASH_LEN);
	if (seen->r == ERR_NEWER &&
	    (g = web_cup_named_game(&c->named, hex)) != NULL)
		g->told = PAGE_CUP_GAME_NEWER;
}

/* Which of the games were at hand, a character each; free(). */
static char *
web_checker_cup_at_hand(const struct web_checking *c)
{
	static const char signs[] = {[PAGE_CUP_GAME_UNKNOWN] = '0',
	    [PAGE_CUP_GAME_GOOD] = '1',
	    [PAGE_CUP_GAME_AWAY] = '0',
	    [PAGE_CUP_GAME_NEWER] = '2'};
	char *s = xalloc(c->named.n + 1);
	size_t i;

	for (i = 0; i < c->named.n; i++)
		s[i] = signs[c->named.games[i].told];
	return (s);
}

/* True if what is bad is so without its games. */
static bool
web_checker_cup_is_alone(struct web_checking *c,
    const struct verify_tournament_options *with,
    const struct verify_former_set *set, int64_t line)
{
	struct verify_tournament_options opt = *with;
	struct verify_tournament_report rep;
	struct errinfo e;

	opt.no_games = true;
	return (verify_former_bytes(c->lines.data, c->lines.len, set, &opt,
		    &rep, NULL, &e) == ERR_BAD &&
	    rep.file_line == line);
}

/* The hash of what it goes back to and of the first len bytes of its lines. */
static void
web_checker_cup_seal(
    const struct web_checking *c, size_t len, uint8_t seal[HASH_LEN])
{
	const struct hash_part parts[] = {
	    {&c->before.len, sizeof(c->before.len)},
	    {c->before.data, c->before.len}, {c->lines.data, len}};

	if (hash_parts(seal, parts, sizeof(parts) / sizeof(parts[0])) != 0)
		xalloc_die();
}

/* How many of its first lines are those that were good before. */
static int64_t
web_checker_cup_known(
    const struct web_checker_cup *m, const struct web_checking *c)
{
	uint8_t seal[HASH_LEN];

	if (m->good == 0 || c->lines.len < m->good_len)
		return (0);
	web_checker_cup_seal(c, m->good_len, seal);
	return (memcmp(seal, m->good_seal, HASH_LEN) == 0 ? m->good : 0);
}

/* Verifies what was read; the verdict is new, NULL if there is none. */
static json_t *
web_checker_cup_judge(struct web_checker_cup *m, struct web_checking *c,
    const struct web_checker_job *job)
{
	const struct verify_kept_counts had = verify_kept_count(m->kept);
	struct verify_tournament_options opt = {.server = job->server,
	    .head_seq = -1,
	    .kept = m->kept,
	    .seen = web_checker_cup_seen_cb,
	    .seen_arg = c,
	    .games = {web_checker_cup_game_cb, c}};
	struct verify_tournament_report rep;
	struct errinfo why = {.text = ""};
	struct verify_former_set set;
	struct verify_kept_counts now;
	char *at_hand;
	json_t *v;
	int r;

	if (verify_former_split(c->before.data, c->before.len, &set) != 0)
		return (NULL);
	opt.trusts = web_checker_cup_known(m, c);
	opt.trusts_old = opt.trusts > 0;
	r = verify_former_bytes(
	    c->lines.data, c->lines.len, &set, &opt, &rep, NULL, &why);
	if (r != 0 && r != ERR_BAD)
		return (NULL);
	now = verify_kept_count(m->kept);
	if (r == 0) {
		why = rep.unchecked;
		m->good = job->lines;
		m->good_len = c->lines.len;
		web_checker_cup_seal(c, m->good_len, m->good_seal);
	}
	at_hand = web_checker_cup_at_hand(c);
	v = xalloc_json(json_pack(
	    "{s:s, s:I, s:I, s:o, s:o, s:b, s:i, s:I, s:s, s:I, s:I}",
	    "verdict",
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
	    r == ERR_BAD &&
		web_checker_cup_is_alone(c, &opt, &set, rep.file_line),
	    "games", rep.games, "dice", (json_int_t)rep.rolls, "at_hand",
	    at_hand, "verified", (json_int_t)(now.verified - had.verified),
	    "found", (json_int_t)(now.found - had.found)));
	free(at_hand);
	return (v);
}

json_t *
web_checker_cup_verify(
    struct web_checker_cup *m, const struct web_checker_job *job)
{
	struct web_checking c = {.cache = m->cache};
	json_t *v = NULL;

	web_checker_cup_renew();
	buf_init(&c.lines, 0);
	buf_init(&c.before, 0);
	web_cup_named_init(&c.named);
	if (web_checker_cup_load(&c, job) == 0)
		v = web_checker_cup_judge(m, &c, job);
	web_cup_named_clear(&c.named);
	buf_clear(&c.lines);
	buf_clear(&c.before);
	return (v);
}
