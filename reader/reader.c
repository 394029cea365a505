/* SPDX-License-Identifier: ISC */
/*
 * What a page asks: to judge a record, or a tournament with its games, as
 * `umpire verify` does, to tell a game's battle as `umpire log` does, the odds
 * of its combats and how its dice fell; to judge lines that come after it; and
 * the odds of a scenario.  All of it is umpire's own code; this only holds the
 * bytes, and gives texts back.  A page uses each instance for one verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/luck.h"
#include "client/report/odds_json.h"
#include "client/report/odds_svg.h"
#include "client/report/odds_view.h"
#include "client/report/refight.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "client/report/tournament_verdict.h"
#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/game/game_now.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"
#include "common/rules/show/odds.h"
#include "common/rules/show/scenario.h"

/* Digits by which a game is called, as in umpire log. */
#define READER_SHORT 8

/*
 * Runs of a combat that a walk over its dice may take: some seconds in a
 * browser; what takes more is sampled.
 */
#define READER_ODDS 400000
#define READER_SEED 1815 /* of a sample */

/* A file that the page has given. */
struct reader_file {
	char *name; /* owned; without folders */
	struct buf bytes;
};

/* What the page has given; there is one of it in each instance. */
static struct reader {
	struct reader_file *files; /* owned, n of them */
	size_t n;
	struct verdict game; /* of the first file, */
	struct tournament_verdict tournament; /* or if it is a tournament's */
	bool is_tournament;
	struct errinfo why; /* of a line that came after it and is bad */
	bool is_more_bad;
	struct buf picture; /* of the last odds */
	char *text; /* owned: what the page reads next */
	size_t len;
} reader;

/* The page's: so many lines of the first file hold, so many games were read. */
__attribute__((import_module("page"), import_name("progress"))) void
reader_progress(int64_t lines, size_t read, size_t games);

/* verify_options.progress. */
static void
reader_progress_cb(void *arg, int64_t line)
{
	(void)arg;
	reader_progress(line, 0, 0);
}

/* verify_tournament_options.progress. */
static void
reader_games_cb(void *arg, int64_t lines, size_t read, size_t games)
{
	(void)arg;
	reader_progress(lines, read, games);
}

/* ---- what the page calls ---- */

void *reader_room(size_t n);
void reader_add(char *name, char *bytes, size_t len);
int reader_judge(void);
const char *reader_text(void);
size_t reader_verdict(void);
size_t reader_told(void);
size_t reader_luck(void);
size_t reader_proof(void);
size_t reader_head(int seq);
int reader_more(char *bytes, size_t len);
size_t reader_combats(void);
size_t reader_odds(int n);
size_t reader_scenario(char *bytes, size_t len);
size_t reader_picture(void);

/* Room for n bytes of the page's, and a NUL. */
void *
reader_room(size_t n)
{
	return (xalloc(n + 1));
}

/* Where the last text is, whose length its maker returned. */
const char *
reader_text(void)
{
	return (reader.text);
}

/* Takes over a file: its name, which ends with a NUL, and its bytes. */
void
reader_add(char *name, char *bytes, size_t len)
{
	struct reader_file *f;

	reader.files =
	    xalloc_more(reader.files, reader.n, sizeof(*reader.files));
	f = &reader.files[reader.n++];
	f->name = name;
	buf_init(&f->bytes, 0);
	buf_add(&f->bytes, bytes, len);
	free(bytes);
	if (buf_error(&f->bytes) != 0)
		xalloc_die();
}

/* verify_tournament_games: a game that the page gave. */
static int
reader_game_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	char name[2 * HASH_LEN + sizeof(".jsonl")];
	const struct reader_file *f;
	size_t i;

	(void)arg;
	hex_format(name, game, HASH_LEN);
	memcpy(name + 2 * HASH_LEN, ".jsonl", sizeof(".jsonl"));
	for (i = 1; i < reader.n; i++) {
		f = &reader.files[i];
		if (strcmp(f->name, name) != 0)
			continue;
		*len = f->bytes.len;
		*bytes = xalloc_strn(f->bytes.data, f->bytes.len);
		return (0);
	}
	return (ERR_NOTFOUND);
}

/* The other files that are tournaments, which the first may go back to. */
static void
reader_before(struct verify_former_set *set)
{
	const struct reader_file *f;
	size_t i;

	for (i = 1; i < reader.n && set->n < VERIFY_FORMER_MAX; i++) {
		f = &reader.files[i];
		if (!record_is_tournament(f->bytes.data, f->bytes.len))
			continue;
		set->records[set->n].bytes = f->bytes.data;
		set->records[set->n++].len = f->bytes.len;
	}
}

/*
 * Judges the first file: a record, or a tournament's, whose games, and what it
 * goes back to, are the other files.  The exit status of `umpire verify`.
 */
int
reader_judge(void)
{
	static const struct verdict_asked asked = {
	    .opt = {.head_seq = -1, .progress = reader_progress_cb}};
	static const struct verify_tournament_options opt = {.head_seq = -1,
	    .games = {.read = reader_game_cb},
	    .progress = reader_games_cb};
	struct reader_file *f = &reader.files[0];
	struct verify_former_set before = {.n = 0};
	struct errinfo e = {.text = ""};
	int r;

	reader.is_tournament =
	    record_is_tournament(buf_str(&f->bytes), f->bytes.len);
	reader_before(&before);
	if (reader.is_tournament)
		r = tournament_verdict_make(&reader.tournament, f->name,
		    buf_str(&f->bytes), f->bytes.len, &before, &opt, &e);
	else
		r = verdict_make(&reader.game, f->name, &f->bytes, &asked, &e);
	if (r != 0)
		xalloc_die();
	return (reader.is_tournament
		? tournament_verdict_status(&reader.tournament)
		: verdict_status(&reader.game));
}

/* A stream whose text the page then reads; reader_end() closes it. */
static void
reader_begin(struct out *o)
{
	free(reader.text);
	reader.text = NULL;
	memset(o, 0, sizeof(*o));
	o->width = OUT_WIDTH;
	o->f = open_memstream(&reader.text, &reader.len);
	if (o->f == NULL)
		xalloc_die();
}

static size_t
reader_end(struct out *o)
{
	if (fclose(o->f) != 0)
		xalloc_die();
	return (reader.len);
}

/* What `umpire verify` says, as it says it. */
size_t
reader_verdict(void)
{
	const struct verdict *vd = &reader.game;
	struct out o;
	char *doubt;

	reader_begin(&o);
	if (reader.is_tournament)
		doubt = tournament_verdict_doubt(&reader.tournament);
	else
		doubt = vd->is_bad ? verdict_doubt(&vd->rep, &vd->why) : NULL;
	if (doubt != NULL)
		out_print(&o, "%s: %s\n", reader.files[0].name, doubt);
	else if (reader.is_tournament)
		tournament_verdict_print(&o, &reader.tournament);
	else
		verdict_print(&o, vd);
	free(doubt);
	return (reader_end(&o));
}

/* The battle as a page of its own; 0: nothing of it can be told. */
size_t
reader_told(void)
{
	const struct verdict *vd = &reader.game;
	char name[2 * HASH_LEN + 1], *doubt;
	struct report *rp;
	struct out o;
	struct doc *d;

	if (vd->g == NULL)
		return (0);
	reader_begin(&o);
	hex_format(name, game_id(vd->g), HASH_LEN);
	name[READER_SHORT] = '\0';
	doubt = verdict_doubt(&vd->rep, vd->is_bad ? &vd->why : NULL);
	d = doc_html_new(&o);
	rp = report_new_doc(d, vd->b);
	report_want_turns(rp);
	report_heading(rp, name);
	if (doubt != NULL)
		d->warn(d, doubt);
	report_lines(rp, 0, battle_lines(vd->b) - 1, 0, NULL);
	report_end(d, vd->b, doubt);
	d->finish(d);
	report_free(rp);
	d->free(d);
	free(doubt);
	return (reader_end(&o));
}

/* How the dice fell, for programs, as `umpire luck --json` counts them. */
size_t
reader_luck(void)
{
	struct luck *l;
	struct out o;

	if (reader.game.g == NULL || reader.game.is_bad)
		return (0);
	reader_begin(&o);
	o.is_json = true;
	l = luck_new(reader.game.b);
	out_json(&o, luck_json(l));
	luck_free(l);
	return (reader_end(&o));
}

/* ---- lines that come after the record ---- */

/*
 * Judges the line that follows, without its LF; takes its bytes over.  The exit
 * status of `umpire verify`; once a line is bad, so is each after it.
 */
int
reader_more(char *bytes, size_t len)
{
	struct verdict *vd = &reader.game;
	int r;

	if (vd->g == NULL || vd->is_bad || reader.is_more_bad) {
		free(bytes);
		return (VERDICT_BAD);
	}
	r = verify_line(vd->b->verify(vd->b->arg), bytes, len, &reader.why);
	free(bytes);
	if (r == ERR_NOMEM)
		xalloc_die();
	reader.is_more_bad = r != 0;
	if (r != 0)
		return (VERDICT_BAD);
	return (battle_proof(vd->b)->is_unchecked ? VERDICT_UNCHECKED
						  : VERDICT_GOOD);
}

/*
 * What was checked of a game, all lines that came after it among it:
 * {"game","lines","head","dice","combats","finished","now"}, and "wrong" if the
 * last of them is bad.  "now" is how the game stands, in words.
 */
size_t
reader_proof(void)
{
	const struct verify_report *rep;
	const struct verdict *vd = &reader.game;
	char game[2 * HASH_LEN + 1], head[2 * HASH_LEN + 1];
	struct buf now;
	struct out o;
	json_t *v;

	if (vd->g == NULL)
		return (0);
	rep = battle_proof(vd->b);
	hex_format(game, game_id(vd->g), HASH_LEN);
	hex_format(head, rep->head, HASH_LEN);
	buf_init(&now, 0);
	game_now_write(vd->g, &now);
	if (buf_error(&now) != 0)
		xalloc_die();
	v = xalloc_json(json_pack("{s:s, s:I, s:s, s:I, s:I, s:b}", "game",
	    game, "lines", (json_int_t)rep->lines, "head", head, "dice",
	    (json_int_t)rep->rolls, "combats", (json_int_t)rep->combats,
	    "finished", rep->is_finished));
	xalloc_set(v, "now", xalloc_json_str(buf_str(&now)));
	buf_clear(&now);
	if (reader.is_more_bad)
		xalloc_set(v, "wrong", xalloc_json_str(reader.why.text));
	reader_begin(&o);
	o.is_json = true;
	out_json(&o, v);
	return (reader_end(&o));
}

/*
 * The hash of line seq of the game, as digits: that of which a page was made is
 * the one that the record has there.  0: it has no such line.
 */
size_t
reader_head(int seq)
{
	const struct verdict *vd = &reader.game;
	char hex[2 * HASH_LEN + 1];
	uint8_t hash[HASH_LEN];
	const char *line;
	struct out o;
	size_t len;

	if (vd->g == NULL || seq < 0 ||
	    (line = vd->b->line(vd->b->arg, seq, &len)) == NULL)
		return (0);
	if (hash_sha256(hash, line, len) != 0)
		xalloc_die();
	hex_format(hex, hash, HASH_LEN);
	reader_begin(&o);
	out_print(&o, "%s", hex);
	return (reader_end(&o));
}

/* ---- odds ---- */

/* The line that declares combat n of the game, from 1; -1 if there is none. */
static int64_t
reader_combat(const struct battle *b, int n)
{
	const struct game_entry *en;
	int64_t seq;

	for (seq = 0; seq < battle_lines(b); seq++) {
		en = battle_entry(b, seq);
		if (en->kind == ORDER_DECLARE && en->combat == seq && --n == 0)
			return (seq);
	}
	return (-1);
}

/* Who fought: [{"n","seq","turn","side"}], those that have ended. */
size_t
reader_combats(void)
{
	const struct battle *b = reader.game.b;
	json_t *list = xalloc_json(json_array());
	struct battle_line bl;
	struct refight *rf;
	struct out o;
	int64_t seq;
	char *side;
	int n;

	for (n = 1; reader.game.g != NULL && (seq = reader_combat(b, n)) >= 0;
	     n++) {
		if ((rf = refight_new(b, seq)) == NULL)
			continue;
		refight_free(rf);
		if (!battle_read(b, seq, &bl))
			continue;
		side = battle_side(reader.game.g, game_side_of(bl.ln.seat));
		xalloc_append(list,
		    json_pack("{s:i, s:I, s:i, s:s}", "n", n, "seq",
			(json_int_t)seq, "turn", battle_entry(b, seq)->turn,
			"side", side));
		free(side);
		battle_clear(&bl);
	}
	reader_begin(&o);
	o.is_json = true;
	out_json(&o, list);
	return (reader_end(&o));
}

/* Odds as the page reads them, and their picture; v is NULL: {"wrong"}. */
static size_t
reader_odds_tell(const struct odds_view *v, const char *wrong)
{
	struct out o;
	char *method;
	json_t *told;

	buf_clear(&reader.picture);
	buf_init(&reader.picture, 0);
	if (v == NULL) {
		told = xalloc_json(
		    json_pack("{s:o}", "wrong", xalloc_json_str(wrong)));
	} else {
		odds_svg_write(v, &reader.picture);
		if (buf_error(&reader.picture) != 0)
			xalloc_die();
		told = odds_json(v);
		method = odds_view_method(v);
		xalloc_set(told, "how", json_string(method));
		xalloc_set(told, "name", json_string(v->sys->name));
		free(method);
	}
	reader_begin(&o);
	o.is_json = true;
	out_json(&o, told);
	return (reader_end(&o));
}

/*
 * What combat n might have come to, given the answers that were given, as
 * `umpire odds --json` has it.
 */
size_t
reader_odds(int n)
{
	const struct battle *b = reader.game.b;
	struct refight *rf = NULL;
	struct odds_view v;
	struct odds *odds;
	int64_t seq = -1;
	size_t len;

	if (reader.game.g != NULL)
		seq = reader_combat(b, n);
	if (seq >= 0)
		rf = refight_new(b, seq);
	if (rf == NULL)
		return (reader_odds_tell(NULL,
		    "this combat has not ended, or is not in the record"));
	odds = xalloc(sizeof(*odds));
	if (refight_view(rf, READER_ODDS, odds, &v) == 0)
		len = reader_odds_tell(&v, NULL);
	else
		len = reader_odds_tell(NULL,
		    "the odds cannot answer one of the questions of this "
		    "combat");
	free(odds);
	refight_free(rf);
	return (len);
}

/* Works out the odds of a combat that has not begun. */
static int
reader_chances(struct combat *c, const struct odds_policy *policy,
    struct odds *odds, struct errinfo *e)
{
	enum combat_side side;
	int r = ERR_TOOBIG;

	if (odds_policy_random(combat_system(c), policy, &side) == NULL)
		r = odds_exact(c, policy, READER_ODDS, NULL, odds, e);
	if (r == ERR_TOOBIG)
		r = odds_sample(
		    c, policy, ODDS_SAMPLES, READER_SEED, NULL, odds, e);
	return (r);
}

/* The odds of a scenario's combat. */
static size_t
reader_scenario_odds(const json_t *file)
{
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	struct odds_policy policy;
	const json_t *words = NULL;
	struct odds_view v;
	struct combat *c;
	struct odds *odds;
	json_t *facts;
	char *wrong;
	size_t len;
	int r;

	if (json_object_get(file, "script") != NULL)
		return (reader_odds_tell(NULL,
		    "script: odds are for a combat that has not begun: leave "
		    "it out"));
	odds = xalloc(sizeof(*odds));
	if ((r = scenario_open(file, NULL, &set, &c, &e)) == 0) {
		if ((r = js_opt_object(file, "policy", NULL, &words, &e)) == 0)
			r = odds_policy_parse(set.sys, words, &policy, &e);
		if (r == 0)
			r = reader_chances(c, &policy, odds, &e);
		if (r == 0) {
			facts = xalloc_json(set.sys->facts(c));
			v = (struct odds_view){set.sys, &policy, odds, facts};
			len = reader_odds_tell(&v, NULL);
			json_decref(facts);
		}
		combat_free(c);
		rules_settings_clear(&set);
	}
	free(odds);
	if (r == 0)
		return (len);
	wrong = xalloc_printf(
	    "%s%s%s", e.where, *e.where == '\0' ? "" : ": ", e.text);
	len = reader_odds_tell(NULL, wrong);
	free(wrong);
	return (len);
}

/* The same of its bytes, which are taken over. */
size_t
reader_scenario(char *bytes, size_t len)
{
	struct errinfo e = {.text = ""};
	json_t *file;
	int r;

	r = js_load(bytes, len, JS_DEPTH_RECORD, &file, &e);
	free(bytes);
	if (r != 0)
		return (reader_odds_tell(NULL, "this is no JSON"));
	len = reader_scenario_odds(file);
	json_decref(file);
	return (len);
}

/* The last odds as a picture (SVG); 0: there is none. */
size_t
reader_picture(void)
{
	struct out o;

	if (reader.picture.len == 0)
		return (0);
	reader_begin(&o);
	out_print(&o, "%s", buf_str(&reader.picture));
	return (reader_end(&o));
}
