/* SPDX-License-Identifier: ISC */
/*
 * umpire odds: what a combat that has not begun may come to, exactly where
 * the outcomes of its dice can be walked, from a sample where they cannot.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/cmds.h"
#include "client/data.h"
#include "client/file.h"
#include "client/odds_svg.h"
#include "client/odds_text.h"
#include "client/odds_view.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/clock.h"
#include "common/hash.h"
#include "common/js.h"
#include "common/rules/combat.h"
#include "common/rules/odds.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/scenario.h"

#define CMD_ODDS_MAX 16777216 /* bytes of a scenario file */
#define CMD_ODDS_EXACT 100000000 /* outcomes that --exact walks */
#define CMD_ODDS_SAMPLES_MIN 100
#define CMD_ODDS_SAMPLES_MAX 1000000000
#define CMD_ODDS_SEED_MAX 9007199254740991 /* 2^53 - 1, as JSON has it */
#define CMD_ODDS_BAR 40 /* columns of the progress bar */
#define CMD_ODDS_BAR_MS 1000 /* nothing is shown for so long */
#define CMD_ODDS_BAR_STEP_MS 100

/* Set by the handler of Ctrl-C, which has no other way to tell. */
static volatile sig_atomic_t cmd_odds_is_stopped;

/* What the command line asks for. */
struct cmd_odds {
	bool is_exact; /* --exact */
	int64_t samples; /* --samples, or 0 */
	int64_t seed; /* --seed, or by chance */
	const char *svg; /* --svg, or NULL */
};

/* The progress bar on standard error. */
struct cmd_odds_bar {
	bool may_show; /* standard error is a terminal */
	bool is_shown;
	int64_t begin_ms, last_ms;
};

/* Ctrl-C: says so to the progress callback. */
static void
cmd_odds_stop_cb(int sig)
{
	(void)sig;
	cmd_odds_is_stopped = 1;
}

/* odds_progress: draws the bar, and ends the work after Ctrl-C. */
static int
cmd_odds_tell_cb(void *arg, double done)
{
	struct cmd_odds_bar *bar = arg;
	char text[CMD_ODDS_BAR + 1];
	int64_t now;
	size_t n;

	if (cmd_odds_is_stopped != 0)
		return (ERR_CLOSED);
	if (!bar->may_show)
		return (0);
	now = clock_mono_ms();
	if (now - bar->begin_ms < CMD_ODDS_BAR_MS ||
	    now - bar->last_ms < CMD_ODDS_BAR_STEP_MS)
		return (0);
	bar->last_ms = now;
	bar->is_shown = true;
	n = (size_t)(done * CMD_ODDS_BAR);
	memset(text, '-', CMD_ODDS_BAR);
	memset(text, '#', n < CMD_ODDS_BAR ? n : CMD_ODDS_BAR);
	text[CMD_ODDS_BAR] = '\0';
	(void)fprintf(
	    stderr, "\rrolling dice [%s] %3d %%", text, (int)(done * 100));
	(void)fflush(stderr); /* nothing can be done if that fails */
	return (0);
}

/* Takes the bar off the terminal. */
static void
cmd_odds_bar_end(struct cmd_odds_bar *bar)
{
	if (bar->is_shown)
		(void)fputs("\r\033[K", stderr);
	bar->is_shown = false;
}

/* Reads the options; 0 or an exit status. */
static int
cmd_odds_options(const struct cmd_ctx *cx, struct cmd_odds *od)
{
	const char *samples = opt_get(&cx->opts, "samples");
	const char *seed = opt_get(&cx->opts, "seed");
	uint32_t chance;
	struct errinfo e = {.text = ""};

	od->is_exact = opt_has(&cx->opts, "exact");
	od->svg = opt_get(&cx->opts, "svg");
	if (od->is_exact && samples != NULL)
		return (cmd_usage(cx,
		    "--exact and --samples exclude each "
		    "other"));
	if (od->is_exact && seed != NULL)
		return (cmd_usage(cx,
		    "--exact rolls no dice: --seed is for "
		    "a sample"));
	if (samples != NULL &&
	    !opt_number(samples, CMD_ODDS_SAMPLES_MIN, CMD_ODDS_SAMPLES_MAX,
		&od->samples))
		return (cmd_usage(cx,
		    "--samples takes a number of combats, "
		    "%d to %d",
		    CMD_ODDS_SAMPLES_MIN, CMD_ODDS_SAMPLES_MAX));
	if (seed != NULL && !opt_number(seed, 0, CMD_ODDS_SEED_MAX, &od->seed))
		return (cmd_usage(cx, "--seed takes a number, 0 to %lld",
		    (long long)CMD_ODDS_SEED_MAX));
	if (od->svg != NULL && (*od->svg == '\0' || strcmp(od->svg, "-") == 0))
		return (cmd_usage(cx, "--svg needs the name of a file"));
	if (seed == NULL) {
		if (hash_random(&chance, sizeof(chance)) != 0) {
			(void)err_set(
			    &e, ERR_INTERNAL, NULL, "no random source");
			return (cmd_fail(ERR_INTERNAL, &e));
		}
		od->seed = chance;
	}
	return (0);
}

/* Works the odds out by a walk, or by a sample. */
static int
cmd_odds_work(const struct cmd_odds *od, struct combat *c,
    const struct odds_policy *policy, const struct odds_progress *progress,
    struct odds *odds, struct errinfo *e)
{
	int64_t n = od->samples == 0 ? ODDS_SAMPLES : od->samples;
	enum combat_side side;
	int r = ERR_TOOBIG;

	if (od->is_exact) {
		r = odds_exact(c, policy, CMD_ODDS_EXACT, progress, odds, e);
		if (r == ERR_TOOBIG)
			(void)err_set(e, r, NULL,
			    "the dice have more than %d outcomes: leave "
			    "--exact out, and a sample is taken",
			    CMD_ODDS_EXACT);
		return (r);
	}
	if (od->samples == 0 &&
	    odds_policy_random(combat_system(c), policy, &side) == NULL)
		r = odds_exact(c, policy, ODDS_BUDGET, progress, odds, e);
	if (r != ERR_TOOBIG)
		return (r);
	return (odds_sample(
	    c, policy, (uint64_t)n, (uint64_t)od->seed, progress, odds, e));
}

/*
 * The same with a progress bar.  Ctrl-C ends the program as it does any
 * other, but not before the terminal is as it was.
 */
static int
cmd_odds_watch(const struct cmd_odds *od, struct combat *c,
    const struct odds_policy *policy, struct odds *odds, struct errinfo *e)
{
	struct cmd_odds_bar bar = {.begin_ms = clock_mono_ms()};
	const struct odds_progress progress = {cmd_odds_tell_cb, &bar};
	struct sigaction sa, was;
	int r;

	bar.may_show = isatty(STDERR_FILENO) == 1;
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = cmd_odds_stop_cb;
	(void)sigemptyset(&sa.sa_mask);
	/* Neither call fails: the signal is one that may be caught. */
	(void)sigaction(SIGINT, NULL, &was);
	if (was.sa_handler != SIG_IGN)
		(void)sigaction(SIGINT, &sa, NULL);
	r = cmd_odds_work(od, c, policy, &progress, odds, e);
	cmd_odds_bar_end(&bar);
	(void)sigaction(SIGINT, &was, NULL);
	if (cmd_odds_is_stopped != 0)
		(void)raise(SIGINT);
	return (r);
}

/* A probability for programs. */
static json_t *
cmd_odds_share(const struct odds_share *s)
{
	return (json_pack(
	    "{s:f, s:f, s:f}", "p", s->p, "low", s->low, "high", s->high));
}

/* A mean for programs. */
static json_t *
cmd_odds_mean(const struct odds_mean *m)
{
	return (json_pack("{s:f, s:f, s:f, s:f}", "mean", m->mean, "low",
	    m->low, "high", m->high, "variance", m->variance));
}

/* How a side's questions are answered, by kind. */
static json_t *
cmd_odds_json_policy(const struct odds_view *v, enum combat_side side)
{
	const struct rules_policy *p = v->sys->policies;
	json_t *o = xalloc_json(json_object());
	size_t i;

	for (i = 0; p[i].kind != NULL; i++)
		xalloc_set(o, p[i].kind,
		    json_pack("{s:s, s:b, s:o}", "word",
			odds_policy_word(v->sys, i, v->policy->word[side][i]),
			"default", !v->policy->is_given[side][i], "asked",
			cmd_odds_share(&v->odds->asked[side][i])));
	return (o);
}

/* One unit for programs. */
static json_t *
cmd_odds_json_unit(const struct odds_view *v, const struct odds_unit *u)
{
	const char *name = odds_view_name(v, u->id);
	json_t *ends, *losses, *o;
	size_t i;

	ends = xalloc_json(json_object());
	losses = xalloc_json(json_array());
	for (i = 0; v->sys->ends[i] != NULL; i++)
		xalloc_set(ends, v->sys->ends[i], cmd_odds_share(&u->ends[i]));
	for (i = 0; i < ODDS_LOSS_MAX + 2; i++)
		xalloc_append(losses, cmd_odds_share(&u->losses[i]));
	o = xalloc_json(json_pack("{s:s}", "id", u->id));
	if (name != NULL)
		xalloc_set(o, "name", json_string(name));
	xalloc_set(o, "side", json_string(question_side(u->side)));
	xalloc_set(o, "ends", ends);
	xalloc_set(o, "loss", cmd_odds_mean(&u->loss));
	xalloc_set(o, "losses", losses);
	return (o);
}

/* What a side loses and suffers, for programs. */
static json_t *
cmd_odds_json_side(const struct odds *odds, enum combat_side side)
{
	return (json_pack("{s:o, s:o}", "loss",
	    cmd_odds_mean(&odds->sides[side].loss), "hits",
	    cmd_odds_mean(&odds->sides[side].hits)));
}

/* The combat as a whole for programs. */
static json_t *
cmd_odds_json_whole(const struct odds_view *v)
{
	const struct odds *odds = v->odds;
	size_t i, order[ODDS_WHOLE_MAX];
	json_t *list, *o;

	odds_view_order(v, order);
	list = xalloc_json(json_array());
	for (i = 0; i < odds->n_whole; i++) {
		o = cmd_odds_share(&odds->whole[order[i]].share);
		xalloc_set(
		    o, "outcome", xalloc_json_str(odds->whole[order[i]].word));
		xalloc_append(list, o);
	}
	return (list);
}

/* Everything for programs; new. */
static json_t *
cmd_odds_json(const struct odds_view *v)
{
	const struct odds *odds = v->odds;
	json_t *o, *units;
	size_t i;

	o = xalloc_json(json_pack("{s:s, s:s, s:I}", "system", v->sys->id,
	    "method", odds->is_exact ? "exact" : "sampled",
	    odds->is_exact ? "outcomes" : "samples", (json_int_t)odds->runs));
	if (!odds->is_exact)
		xalloc_set(o, "seed", json_integer((json_int_t)odds->seed));
	xalloc_set(o, "policy",
	    json_pack("{s:o, s:o}", "attacker",
		cmd_odds_json_policy(v, COMBAT_ATTACKER), "defender",
		cmd_odds_json_policy(v, COMBAT_DEFENDER)));
	units = xalloc_json(json_array());
	for (i = 0; i < odds->n_units; i++)
		xalloc_append(units, cmd_odds_json_unit(v, &odds->units[i]));
	xalloc_set(o, "units", units);
	xalloc_set(o, "lost", json_string(v->sys->loss));
	xalloc_set(o, "sides",
	    json_pack("{s:o, s:o}", "attacker",
		cmd_odds_json_side(odds, COMBAT_ATTACKER), "defender",
		cmd_odds_json_side(odds, COMBAT_DEFENDER)));
	xalloc_set(o, "combat", cmd_odds_json_whole(v));
	xalloc_set(o, "other", cmd_odds_share(&odds->other));
	return (o);
}

/* Shows the odds in all ways that are asked for; an exit status. */
static int
cmd_odds_show(
    struct out *o, const struct cmd_odds *od, const struct odds_view *v)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	int r = 0;

	if (o->is_json)
		out_json(o, cmd_odds_json(v));
	else
		odds_text_print(o, v);
	if (od->svg == NULL)
		return (EX_OK);
	buf_init(&b, 0);
	odds_svg_write(v, &b);
	if ((r = buf_error(&b)) == 0)
		r = file_write(od->svg, b.data, b.len, 0644, &e);
	buf_clear(&b);
	if (r == 0)
		return (EX_OK);
	(void)cmd_fail(r, &e); /* the status is the one for output files */
	return (EX_CANTCREAT);
}

/* Opens the combat that is to be judged. */
static int
cmd_odds_open(const json_t *file, struct rules_settings *set, struct combat **c,
    struct odds_policy *policy, struct errinfo *e)
{
	const json_t *words = NULL;
	int r;

	if (json_object_get(file, "script") != NULL)
		return (js_fail_member(NULL, "script", e,
		    "odds are of a combat that has not begun: leave it out"));
	if ((r = scenario_open(file, data_default(), set, c, e)) != 0)
		return (r);
	r = js_opt_object(file, "policy", NULL, &words, e);
	if (r == 0)
		r = odds_policy_parse(set->sys, words, policy, e);
	if (r != 0) {
		combat_free(*c);
		rules_settings_clear(set);
	}
	return (r);
}

/* Reads the file, works out the odds and shows them. */
static int
cmd_odds_run(struct cmd_ctx *cx)
{
	struct cmd_odds od = {.svg = NULL};
	struct errinfo e = {.text = ""};
	struct odds_policy policy;
	struct rules_settings set;
	struct odds_view view;
	json_t *facts, *file;
	struct odds *odds;
	struct combat *c;
	int r, status;

	if ((status = cmd_odds_options(cx, &od)) != 0)
		return (status);
	status = cmd_read_json(cmd_arg(cx, 0), CMD_ODDS_MAX, &file);
	if (status != 0)
		return (status);
	r = cmd_odds_open(file, &set, &c, &policy, &e);
	json_decref(file);
	if (r != 0)
		return (cmd_fail(r, &e));
	odds = xalloc(sizeof(*odds));
	if ((r = cmd_odds_watch(&od, c, &policy, odds, &e)) != 0) {
		status = cmd_fail(r, &e);
	} else {
		facts = xalloc_json(set.sys->facts(c));
		view.sys = set.sys;
		view.policy = &policy;
		view.odds = odds;
		view.facts = facts;
		status = cmd_odds_show(&cx->out, &od, &view);
		json_decref(facts);
	}
	free(odds);
	combat_free(c);
	rules_settings_clear(&set);
	return (status);
}

static const struct opt_def cmd_odds_opts[] = {
    {"exact", 0, NULL, false, "walk all dice, or fail"},
    {"samples", 0, "N", false, "fight N combats instead of walking all dice"},
    {"seed", 0, "S", false, "roll the sample's dice from this number"},
    {"svg", 0, "FILE", false, "draw a picture, too"},
    {"text", 0, NULL, false, "print text for people (the default)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_odds = {
    .name = "odds",
    .args = "FILE",
    .what = "tell how probable each outcome of a combat is",
    .opts = cmd_odds_opts,
    .min_args = 1,
    .max_args = 1,
    .more = "FILE (\"-\": standard input) is a scenario without a script.  "
	    "Its member\n\"policy\" says how decisions are answered.  All "
	    "dice are walked if they have at\nmost 2,000,000 outcomes; "
	    "otherwise 100,000 combats are fought with the dice of\na seed, "
	    "which is printed.  See umpire-rules(7).\n",
    .examples = "  umpire odds combat.json\n"
		"  umpire odds --samples 1000000 --seed 7 combat.json\n"
		"  umpire odds --json --svg odds.svg combat.json\n",
    .run = cmd_odds_run,
};
