/* SPDX-License-Identifier: ISC */
/*
 * A walk over all outcomes where they are few enough, else a sample, and a
 * bar of progress for whoever waits.
 */
#include "client/cmd/odds_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/cmd/odds_text.h"
#include "client/report/odds_view.h"
#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"
#include "common/rules/show/odds.h"

#define ODDS_RUN_EXACT 100000000 /* outcomes that is_exact walks */
#define ODDS_RUN_BAR 40 /* columns of the progress bar */
#define ODDS_RUN_BAR_MS 1000 /* nothing is shown for so long */
#define ODDS_RUN_BAR_STEP_MS 100

/* Set by the handler of Ctrl-C, which has no other way to tell. */
static volatile sig_atomic_t odds_run_is_stopped;

/* The progress bar on standard error. */
struct odds_run_bar {
	bool may_show; /* standard error is a terminal */
	bool is_shown;
	int64_t begin_ms, last_ms;
};

/* Ctrl-C: says so to the progress callback. */
static void
odds_run_stop_cb(int sig)
{
	(void)sig;
	odds_run_is_stopped = 1;
}

/* odds_progress: draws the bar, and ends the work after Ctrl-C. */
static int
odds_run_tell_cb(void *arg, double done)
{
	struct odds_run_bar *bar = arg;
	char text[ODDS_RUN_BAR + 1];
	int64_t now;
	size_t n;

	if (odds_run_is_stopped != 0)
		return (ERR_CLOSED);
	if (!bar->may_show)
		return (0);
	now = clock_mono_ms();
	if (now - bar->begin_ms < ODDS_RUN_BAR_MS ||
	    now - bar->last_ms < ODDS_RUN_BAR_STEP_MS)
		return (0);
	bar->last_ms = now;
	bar->is_shown = true;
	n = (size_t)(done * ODDS_RUN_BAR);
	memset(text, '-', ODDS_RUN_BAR);
	memset(text, '#', n < ODDS_RUN_BAR ? n : ODDS_RUN_BAR);
	text[ODDS_RUN_BAR] = '\0';
	(void)fprintf(
	    stderr, "\rrolling dice [%s] %3d %%", text, (int)(done * 100));
	(void)fflush(stderr); /* nothing can be done if that fails */
	return (0);
}

/* Works the odds out by a walk, or by a sample. */
static int
odds_run_work(const struct odds_run *od, struct combat *c,
    const struct odds_policy *policy, const struct odds_progress *progress,
    struct odds *odds, struct errinfo *e)
{
	int64_t n = od->samples == 0 ? ODDS_SAMPLES : od->samples;
	enum combat_side side;
	int r = ERR_TOOBIG;

	if (od->is_exact) {
		r = odds_exact(c, policy, ODDS_RUN_EXACT, progress, odds, e);
		if (r == ERR_TOOBIG)
			(void)err_set(e, r, NULL,
			    "the dice have more than %d outcomes: leave "
			    "--exact out, and a sample is taken",
			    ODDS_RUN_EXACT);
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

int
odds_run_watch(const struct odds_run *od, struct combat *c,
    const struct odds_policy *policy, struct odds *odds, struct errinfo *e)
{
	struct odds_run_bar bar = {.begin_ms = clock_mono_ms()};
	const struct odds_progress progress = {odds_run_tell_cb, &bar};
	struct sigaction sa, was;
	int r;

	bar.may_show = isatty(STDERR_FILENO) == 1;
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = odds_run_stop_cb;
	(void)sigemptyset(&sa.sa_mask);
	/* Neither call fails: the signal is one that may be caught. */
	(void)sigaction(SIGINT, NULL, &was);
	if (was.sa_handler != SIG_IGN)
		(void)sigaction(SIGINT, &sa, NULL);
	r = odds_run_work(od, c, policy, &progress, odds, e);
	if (bar.is_shown)
		(void)fputs("\r\033[K", stderr);
	bar.is_shown = false;
	(void)sigaction(SIGINT, &was, NULL);
	if (odds_run_is_stopped != 0)
		(void)raise(SIGINT);
	return (r);
}

int
odds_run_tell(struct out *o, const struct rules_system *sys,
    const json_t *facts, struct combat *c, struct errinfo *e)
{
	struct odds_run run = {.samples = 0};
	struct odds_policy policy;
	struct odds_view view;
	struct odds *odds;
	uint32_t chance;
	int r;

	if ((r = odds_policy_parse(sys, NULL, &policy, e)) != 0)
		return (r);
	if (hash_random(&chance, sizeof(chance)) != 0)
		return (err_set(
		    e, ERR_INTERNAL, NULL, "there is no source of randomness"));
	run.seed = chance;
	odds = xalloc(sizeof(*odds));
	if ((r = odds_run_watch(&run, c, &policy, odds, e)) == 0) {
		view = (struct odds_view){sys, &policy, odds, facts};
		odds_text_print(o, &view);
	}
	free(odds);
	return (r);
}
