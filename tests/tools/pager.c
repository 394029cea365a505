/* SPDX-License-Identifier: ISC */
/*
 * pager DIR [LINES] [HOW] < RECORD: verifies a record (of which
 * only so many lines are taken) and writes all that spectators are sent of it
 * into DIR, as files under the paths of the gateway's addresses; an address
 * that ends in / is index.html there, and one without a suffix has .html.
 * HOW is away: the umpire does not answer; forked: it has shown two histories;
 * short: half of the lines are still to be checked; damaged, recovering: it
 * takes no orders.
 *
 * pager DIR cup [HOW] < RECORD: of a tournament, whose games are not at hand,
 * and before which those may stand that it continues.  HOW is away, forked or
 * short, as above; lost: the umpire has lost lines, and tells others now;
 * checked, partly, bad: it was held against the records of its games.
 *
 * pager DIR lists < ROWS: the same of rows as game.list and tournament.list
 * give them, {"games":[...],"tournaments":[...],"more":...}; with "event" and
 * "player" the pages of these, too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/recorded.h"
#include "client/report/report_sheet.h"
#include "client/report/tournament_verdict.h"
#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_former.h"
#include "web/page/page.h"
#include "web/page/page_static.h"

#define PAGER_DIGITS 12
#define PAGER_AWAY_MS 720000
#define PAGER_ODDS 200000 /* what a combat's chances may cost */

static struct page_site pager_site = {
    .css = "/s/0/umpire.css",
    .icon = "/s/0/icon.svg",
    .live_js = "/s/0/live.js",
    .cup_js = "/s/0/cup_live.js",
    .verify_js = "/s/0/verify.js",
    .worker_js = "/s/0/worker.js",
    .wasm = "/s/0/umpire.wasm",
    .wasm_hash = "00",
    .reader = "/umpire-reader.html",
    .has_png = true,
    .base = "https://games.example.org",
    .title = "Games of <the> club",
    .key = "3f93075c07c647c4",
};

static const char *pager_dir;
static int64_t pager_longest_us; /* of a step of a body */

/* Ends the program with a fault. */
static void
pager_fail(const char *what)
{
	(void)fprintf(stderr, "pager: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Writes a file, and the folders above it. */
static void
pager_write(const char *path, const char *bytes, size_t len)
{
	char *name = xalloc_printf("%s%s", pager_dir, path), *p;
	FILE *f;

	for (p = name + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		if (mkdir(name, 0777) != 0 && errno != EEXIST)
			pager_fail(name);
		*p = '/';
	}
	if ((f = fopen(name, "w")) == NULL || fwrite(bytes, 1, len, f) != len ||
	    fclose(f) != 0)
		pager_fail(name);
	free(name);
}

/* Writes a body, and clears it. */
static void
pager_put(const char *path, struct buf *b, int r)
{
	if (r != 0 || buf_error(b) != 0) {
		(void)fprintf(stderr, "pager: %s: error %d\n", path, r);
		exit(1);
	}
	pager_write(path, buf_str(b), b->len);
	buf_clear(b);
}

/* Makes a body of a game; false: there is none. */
static bool
pager_work(
    const struct page_game *g, enum page_kind kind, int64_t n, const char *path)
{
	struct page_work *w;
	int64_t at_us;
	bool is_done = false;
	struct buf b;
	int r;

	buf_init(&b, 0);
	if (page_work_new(kind, &pager_site, g, n, g->seq, &w) != 0)
		return (false);
	for (r = 0; !is_done && r == 0;) {
		at_us = clock_thread_us();
		r = page_work_step(w, &b, &is_done);
		at_us = clock_thread_us() - at_us;
		if (at_us > pager_longest_us)
			pager_longest_us = at_us;
	}
	page_work_free(w);
	pager_put(path, &b, r);
	return (true);
}

/* The same under a path of the game's with a number in it. */
static bool
pager_numbered(const struct page_game *g, enum page_kind kind, int64_t n,
    const char *before, const char *behind)
{
	char *path = xalloc_printf(
	    "/g/%s/%s%lld%s", g->id, before, (long long)n, behind);
	bool r = pager_work(g, kind, n, path);

	free(path);
	return (r);
}

/* Writes all bodies of a game. */
static void
pager_game(const struct page_game *g)
{
	static const struct {
		enum page_kind kind;
		const char *name;
	} whole[] = {
	    {PAGE_GAME, "index.html"},
	    {PAGE_NOW, "p/now.html"},
	    {PAGE_EMBED, "embed.html"},
	    {PAGE_FEED, "feed.atom"},
	    {PAGE_CSV, "dice.csv"},
	};
	struct buf b;
	struct page_place at;
	int64_t n;
	size_t i;
	char *path;

	for (i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		path = xalloc_printf("/g/%s/%s", g->id, whole[i].name);
		if (!pager_work(g, whole[i].kind, 0, path))
			pager_fail(path);
		free(path);
	}
	for (n = 0; pager_numbered(g, PAGE_TURN, n, "t/", ".html"); n++)
		(void)pager_numbered(g, PAGE_LINES, n, "p/t", ".html");
	for (n = 1; pager_numbered(g, PAGE_COMBAT, n, "c/", ".html"); n++)
		(void)pager_numbered(g, PAGE_PART, n, "p/c", ".html");
	buf_init(&b, 0);
	for (n = 0; n <= g->seq; n++) {
		(void)pager_numbered(g, PAGE_DICE, n, "", "/dice.html");
		if (page_say(g, n, &b, &at) != 0)
			pager_fail("say");
		buf_printf(&b, " (%d)\n", at.combat);
	}
	if (page_now(g, &b) != 0)
		pager_fail("now");
	buf_putc(&b, '\n');
	path = xalloc_printf("/g/%s/said.txt", g->id);
	pager_put(path, &b, 0);
	free(path);
}

/* Files that pages name, and pages that are about no game. */
static void
pager_fixed(void)
{
	static const int statuses[] = {400, 404, 410, 429, 500, 503};
	struct buf b;
	char *path;
	size_t i;

	pager_write("/s/0/icon.svg", page_icon, strlen(page_icon));
	pager_write("/s/0/cup_live.js", page_cup_live, strlen(page_cup_live));
	pager_write("/s/0/live.js", page_live, strlen(page_live));
	pager_write("/s/0/verify.js", page_verify, strlen(page_verify));
	pager_write("/s/0/worker.js", page_worker, strlen(page_worker));
	pager_write("/s/0/umpire.css", page_look, strlen(page_look));
	buf_init(&b, 0);
	pager_put(
	    "/verify.html", &b, page_fixed(&pager_site, PAGE_FIXED_VERIFY, &b));
	pager_put(
	    "/odds.html", &b, page_fixed(&pager_site, PAGE_FIXED_ODDS, &b));
	pager_put("/styles.txt", &b, page_verify_styles(&b));
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		path = xalloc_printf("/error/%d.html", statuses[i]);
		pager_put(
		    path, &b, page_error(&pager_site, statuses[i], NULL, &b));
		free(path);
	}
}

/* Writes the lists. */
static void
pager_lists(const char *bytes, size_t len)
{
	json_t *rows = json_loadb(bytes, len, 0, NULL);
	struct page_rows r = {.digits = PAGER_DIGITS,
	    .games = json_object_get(rows, "games"),
	    .tournaments = json_object_get(rows, "tournaments"),
	    .more = js_str(rows, "more")};
	const json_t *l = json_object_get(rows, "luck");
	const struct page_luck luck = {
	    .games = (int)js_int(l, "games"),
	    .dice = js_int(l, "dice"),
	    .pips = json_number_value(json_object_get(l, "pips")),
	    .variance = json_number_value(json_object_get(l, "variance")),
	};
	struct buf b;

	if (rows == NULL)
		pager_fail("rows");
	r.luck = &luck;
	buf_init(&b, 0);
	pager_put("/index.html", &b, page_lobby(&pager_site, &r, &b));
	r.what = PAGE_ROWS_LIVE;
	pager_put("/live.html", &b, page_lobby(&pager_site, &r, &b));
	r.what = PAGE_ROWS_EVENT;
	if ((r.name = js_str(rows, "event")) != NULL)
		pager_put("/e/event.html", &b, page_lobby(&pager_site, &r, &b));
	r.what = PAGE_ROWS_PLAYER;
	r.called = js_str(rows, "called");
	if ((r.name = js_str(rows, "player")) != NULL)
		pager_put(
		    "/u/player.html", &b, page_lobby(&pager_site, &r, &b));
	pager_put("/choice.html", &b,
	    page_choice(&pager_site, r.games, PAGER_DIGITS, &b));
	json_decref(rows);
}

/* struct page_cup_in's text, from the side lines. */
static const char *
pager_text_cb(void *arg, const char *hex)
{
	return (js_str(arg, hex));
}

/* The texts of the side lines, by their hashes; new. */
static json_t *
pager_texts(const char *p, size_t len)
{
	json_t *texts = xalloc_json(json_object());
	const char *end = p + len, *lf;
	char hex[2 * HASH_LEN + 1];
	struct record_side s;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL;
	     p = lf + 1) {
		if (!record_is_side(p, (size_t)(lf - p)) ||
		    record_side_parse(p, (size_t)(lf - p), &s, NULL) != 0)
			continue;
		hex_format(hex, s.hash, HASH_LEN);
		xalloc_set(texts, hex, json_stringn(s.value, s.len));
		record_side_clear(&s);
	}
	return (texts);
}

/* verify_tournament_games: none is at hand. */
static int
pager_game_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	(void)arg;
	(void)game;
	(void)bytes;
	(void)len;
	return (ERR_NOTFOUND);
}

/* How a tournament is shown. */
static const char *pager_how = "";

/* struct page_cup_in's game. */
static enum page_cup_game
pager_found_cb(void *arg, const char *hex)
{
	(void)arg;
	if (strcmp(pager_how, "checked") == 0)
		return (PAGE_CUP_GAME_GOOD);
	if (strcmp(pager_how, "partly") == 0)
		return (*hex < '8' ? PAGE_CUP_GAME_GOOD : PAGE_CUP_GAME_AWAY);
	return (PAGE_CUP_GAME_UNKNOWN);
}

/* What is said beside the record. */
static void
pager_cup_how(
    struct page_cup_in *in, struct page_cup_check *check, char **doubt)
{
	in->lines = in->total = tournament_seq(in->t) + 1;
	*check = (struct page_cup_check){.is_there = true, .lines = in->lines};
	if (strcmp(pager_how, "forked") == 0) {
		free(*doubt);
		*doubt = xalloc_str("line 7 contradicts the record: the "
				    "server has signed another line 7");
	}
	if (strcmp(pager_how, "forked") == 0 || strcmp(pager_how, "lost") == 0)
		in->evidence = "/t/0/evidence.jsonl";
	if (strcmp(pager_how, "short") == 0)
		in->total *= 2;
	if (strcmp(pager_how, "away") == 0) {
		pager_site.now_ms = tournament_at_ms(in->t);
		pager_site.away_ms = PAGER_AWAY_MS;
	}
	if (strcmp(pager_how, "checked") == 0)
		check->is_done = true;
	if (strcmp(pager_how, "partly") == 0) {
		check->is_done = true;
		check->named = 3;
		check->has = 1;
		check->why = "a newer umpire is needed to judge line 12";
	}
	if (strcmp(pager_how, "bad") == 0) {
		check->is_bad = true;
		check->why = "bad at line 31: the result is another";
	}
	in->doubt = *doubt;
	in->check = check;
}

/* Makes a page of a tournament; false: there is none. */
static bool
pager_cup_page(
    enum page_cup what, const struct page_cup_in *in, int n, const char *name)
{
	char *path = n > 0 ? xalloc_printf("/t/%s/%s/%d.html", in->id, name, n)
			   : xalloc_printf("/t/%s/%s.html", in->id, name);
	struct page_cup_work *w = NULL;
	bool is_done = false;
	struct buf b;
	int r;

	buf_init(&b, 0);
	r = page_cup_new(what, &pager_site, in, n, &w);
	while (r == 0 && !is_done)
		r = page_cup_step(w, &b, &is_done);
	page_cup_free(w);
	if (r != ERR_NOTFOUND)
		pager_put(path, &b, r);
	buf_clear(&b);
	free(path);
	return (r == 0);
}

/* Writes all pages of a tournament. */
static void
pager_cup(const char *bytes, size_t len)
{
	const struct verify_tournament_options opt = {
	    .head_seq = -1, .games = {.read = pager_game_cb}};
	struct verify_former_set set;
	struct page_cup_check check;
	char id[2 * HASH_LEN + 1];
	struct page_cup_view *view;
	struct tournament_verdict tv;
	struct page_cup_in in = {.id = id,
	    .text = pager_text_cb,
	    .game = pager_found_cb,
	    .evidence = "",
	    .mark = "0"};
	struct errinfo e = {.text = ""};
	char *doubt;
	int n;

	if (verify_former_split(bytes, len, &set) != 0)
		pager_fail("too many records");
	/* The last of them goes back to the others. */
	if (set.n > 1) {
		bytes = set.records[set.n - 1].bytes;
		len = set.records[set.n - 1].len;
	}
	if (tournament_verdict_make(
		&tv, "record", bytes, len, &set, &opt, &e) != 0 ||
	    tv.t == NULL)
		pager_fail(e.text);
	hex_format(id, tournament_id(tv.t), HASH_LEN);
	id[PAGER_DIGITS] = '\0';
	in.t = tv.t;
	in.record = bytes;
	in.record_len = len;
	in.view = view = page_cup_view_new();
	while (!page_cup_view_step(view, tv.t))
		;
	in.arg = pager_texts(bytes, len);
	doubt = tournament_verdict_doubt(&tv);
	pager_cup_how(&in, &check, &doubt);
	if (!pager_cup_page(PAGE_CUP_SHOW, &in, 0, "index"))
		pager_fail("no page");
	(void)pager_cup_page(PAGE_CUP_STANDINGS, &in, 0, "standings");
	(void)pager_cup_page(PAGE_CUP_CROSSTABLE, &in, 0, "crosstable");
	for (n = 1; pager_cup_page(PAGE_CUP_ROUND, &in, n, "r"); n++)
		;
	for (n = 1; n <= tournament_entrants(tv.t); n++)
		(void)pager_cup_page(PAGE_CUP_WHY, &in, n, "why");
	(void)printf("/t/%s/\n", id);
	page_cup_view_free(view);
	json_decref(in.arg);
	free(doubt);
	tournament_verdict_clear(&tv);
}

/* The bytes of the first n lines of a record, with its side lines. */
static void
pager_cut(struct buf *bytes, long lines)
{
	const char *p = buf_str(bytes), *end = p + bytes->len, *lf;
	struct buf cut;
	long n = 0;

	buf_init(&cut, 0);
	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL;
	     p = lf + 1) {
		if (record_is_side(p, (size_t)(lf - p)) || n++ < lines)
			buf_add(&cut, p, (size_t)(lf - p) + 1);
	}
	buf_clear(bytes);
	*bytes = cut;
}

int
main(int argc, char **argv)
{
	static const struct verdict_asked asked = {.opt = {.head_seq = -1}};
	struct errinfo e = {.text = ""};
	struct page_game g = {.evidence = ""};
	char hex[2 * HASH_LEN + 1], id[PAGER_DIGITS + 1];
	struct verdict vd;
	struct buf bytes;
	const char *how;
	char *doubt;
	long n;
	int c;

	if (argc < 2 || argc > 4 || argv[1][0] == '-')
		return (64);
	pager_dir = argv[1];
	buf_init(&bytes, 0);
	while ((c = getchar()) != EOF)
		buf_putc(&bytes, (char)c);
	pager_fixed();
	if (argc > 2 &&
	    (strcmp(argv[2], "lists") == 0 || strcmp(argv[2], "cup") == 0)) {
		pager_how = argc > 3 ? argv[3] : "";
		if (*argv[2] == 'l')
			pager_lists(buf_str(&bytes), bytes.len);
		else
			pager_cup(buf_str(&bytes), bytes.len);
		buf_clear(&bytes);
		return (0);
	}
	if (argc > 2 && (n = strtol(argv[2], NULL, 10)) > 0)
		pager_cut(&bytes, n);
	how = argc > 2 ? argv[argc - 1] : "";
	if (verdict_make(&vd, "record", &bytes, &asked, &e) != 0)
		pager_fail(e.text);
	if (vd.b == NULL || vd.g == NULL)
		pager_fail("nothing of it holds");
	hex_format(hex, game_id(vd.g), HASH_LEN);
	(void)snprintf(id, sizeof(id), "%.*s", PAGER_DIGITS, hex);
	doubt = verdict_doubt(&vd.rep, vd.is_bad ? &vd.why : NULL);
	if (strcmp(how, "forked") == 0) {
		free(doubt);
		doubt = xalloc_str("line 7 contradicts the record: it has "
				   "another hash");
		g.evidence = "/g/0/evidence.jsonl";
	}
	g.b = vd.b;
	g.id = id;
	g.gid = hex;
	g.title = "";
	g.sheets = report_sheets_new(PAGER_ODDS);
	g.doubt = doubt;
	g.seq = battle_lines(vd.b) - 1;
	g.total = g.seq + 1;
	if (strcmp(how, "short") == 0)
		g.total *= 2;
	g.is_damaged = strcmp(how, "damaged") == 0;
	g.is_recovering = strcmp(how, "recovering") == 0;
	if (strcmp(how, "away") == 0) {
		pager_site.now_ms = battle_entry(vd.b, g.seq)->at_ms;
		pager_site.away_ms = PAGER_AWAY_MS;
	}
	pager_game(&g);
	(void)printf("/g/%s/ %lld us\n", id, (long long)pager_longest_us);
	report_sheets_free(g.sheets);
	free(doubt);
	verdict_clear(&vd);
	buf_clear(&bytes);
	return (0);
}
