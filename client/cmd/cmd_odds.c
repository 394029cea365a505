/* SPDX-License-Identifier: ISC */
/*
 * umpire odds: what a combat that has not begun may come to, exactly where
 * the outcomes of its dice can be walked, from a sample where they cannot.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/datafile.h"
#include "client/cmd/odds_run.h"
#include "client/cmd/odds_text.h"
#include "client/play/play.h"
#include "client/profile/file.h"
#include "client/report/odds_json.h"
#include "client/report/odds_svg.h"
#include "client/report/odds_view.h"
#include "common/base/buf.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"
#include "common/rules/show/odds.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

#define CMD_ODDS_MAX 16777216 /* bytes of a scenario file */
#define CMD_ODDS_SAMPLES_MIN 100
#define CMD_ODDS_SAMPLES_MAX 1000000000
#define CMD_ODDS_SEED_MAX 9007199254740991 /* 2^53 - 1, as JSON has it */

/* What the command line asks for. */
struct cmd_odds {
	struct odds_run run; /* --exact, --samples, --seed or by chance */
	const char *svg; /* --svg, or NULL */
};

/* Reads the options; 0 or an exit status. */
static int
cmd_odds_options(const struct cmd_ctx *cx, struct cmd_odds *od)
{
	const char *samples = opt_get(&cx->opts, "samples");
	const char *seed = opt_get(&cx->opts, "seed");
	uint32_t chance;
	struct errinfo e = {.text = ""};

	od->run.is_exact = opt_has(&cx->opts, "exact");
	od->svg = opt_get(&cx->opts, "svg");
	if (od->run.is_exact && samples != NULL)
		return (cmd_usage(cx,
		    "--exact and --samples exclude each "
		    "other"));
	if (od->run.is_exact && seed != NULL)
		return (cmd_usage(cx,
		    "--exact rolls no dice: --seed is for "
		    "a sample"));
	if (samples != NULL &&
	    !opt_number(samples, CMD_ODDS_SAMPLES_MIN, CMD_ODDS_SAMPLES_MAX,
		&od->run.samples))
		return (cmd_usage(cx,
		    "--samples takes a number of combats, "
		    "%d to %d",
		    CMD_ODDS_SAMPLES_MIN, CMD_ODDS_SAMPLES_MAX));
	if (seed != NULL &&
	    !opt_number(seed, 0, CMD_ODDS_SEED_MAX, &od->run.seed))
		return (cmd_usage(cx, "--seed takes a number, 0 to %lld",
		    (long long)CMD_ODDS_SEED_MAX));
	if (od->svg != NULL && (*od->svg == '\0' || strcmp(od->svg, "-") == 0))
		return (cmd_usage(cx, "--svg needs the name of a file"));
	if (seed == NULL) {
		if (hash_random(&chance, sizeof(chance)) != 0) {
			(void)err_set(&e, ERR_INTERNAL, NULL,
			    "there is no source of randomness");
			return (cmd_fail(ERR_INTERNAL, &e));
		}
		od->run.seed = chance;
	}
	return (0);
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
		out_json(o, odds_json(v));
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

/* A combat that is to be judged; cmd_odds_clear() frees what it holds. */
struct cmd_odds_combat {
	const struct rules_system *sys;
	struct odds_policy policy;
	struct combat *c; /* owned */
	json_t *facts; /* owned */
	struct rules_settings set; /* of a scenario */
	bool has_set;
	struct play *pl; /* owned: a game's; NULL: a scenario's */
};

/* Frees it. */
static void
cmd_odds_clear(struct cmd_odds_combat *oc)
{
	combat_free(oc->c);
	json_decref(oc->facts);
	if (oc->has_set)
		rules_settings_clear(&oc->set);
	play_close(oc->pl);
}

/* Opens the combat of a scenario. */
static int
cmd_odds_scenario(
    const json_t *file, struct cmd_odds_combat *oc, struct errinfo *e)
{
	const json_t *words = NULL;
	int r;

	if (json_object_get(file, "script") != NULL)
		return (js_fail_member(NULL, "script", e,
		    "odds are for a combat that has not begun: leave it out"));
	r = scenario_open(file, datafile_default(), &oc->set, &oc->c, e);
	if (r != 0)
		return (r);
	oc->has_set = true;
	oc->sys = oc->set.sys;
	oc->facts = xalloc_json(oc->sys->facts(oc->c));
	if ((r = js_opt_object(file, "policy", NULL, &words, e)) != 0)
		return (r);
	return (odds_policy_parse(oc->sys, words, &oc->policy, e));
}

/*
 * Opens the combat of a declaration: the game's rosters and rulings fill it
 * in, as they do when it is declared.  For a spectator the side in turn
 * attacks.
 */
static int
cmd_odds_declared(
    const json_t *file, struct cmd_odds_combat *oc, struct errinfo *e)
{
	static const char *const known[] = {"combat", "policy", NULL};
	const json_t *combat = json_object_get(file, "combat");
	const struct game *g = play_game(oc->pl);
	int r, side;

	if (combat != NULL && (r = js_members(file, NULL, known, e)) != 0)
		return (r);
	side = oc->pl->seat > 0 ? game_side_of(oc->pl->seat) : game_side(g);
	oc->sys = systems_find(game_system(g));
	if (oc->sys == NULL || (side != 1 && side != 2))
		return (err_set(e, ERR_INVALID, NULL,
		    "the game is not being played, or its rules are not known "
		    "here"));
	r = game_make_combat(
	    g, side, combat != NULL ? combat : file, &oc->facts, &oc->c, e);
	if (r != 0)
		return (r);
	return (odds_policy_parse(oc->sys,
	    combat == NULL ? NULL : json_object_get(file, "policy"),
	    &oc->policy, e));
}

/* Opens the combat that is to be judged; an exit status. */
static int
cmd_odds_open(
    struct cmd_ctx *cx, const json_t *file, struct cmd_odds_combat *oc)
{
	const char *game = opt_get(&cx->opts, "game");
	struct errinfo e = {.text = ""};
	int r, status;
	char *name;

	if (cmd_is_roster(cmd_arg(cx, 0), file))
		return (EX_DATAERR);
	if (game == NULL && json_is_object(file) &&
	    json_object_get(file, "system") == NULL) {
		name = place_file(cmd_arg(cx, 0));
		out_error("%s names no system, so it is not a scenario", name);
		free(name);
		out_note("If it is a declaration, say for which game: its "
			 "rosters fill it in.\numpire odds %s --game GAME",
		    cmd_arg(cx, 0));
		return (EX_DATAERR);
	}
	if (game == NULL) {
		r = cmd_odds_scenario(file, oc, &e);
	} else {
		status = play_open(cx, game, PLAY_READ, &oc->pl);
		if (status != 0)
			return (status);
		r = cmd_odds_declared(file, oc, &e);
	}
	return (r == 0 ? 0 : cmd_fail_in(cmd_arg(cx, 0), r, &e));
}

/* Reads the file, works out the odds and shows them. */
static int
cmd_odds_run(struct cmd_ctx *cx)
{
	struct cmd_odds_combat oc = {.sys = NULL};
	struct cmd_odds od = {.svg = NULL};
	struct errinfo e = {.text = ""};
	struct odds_view view;
	struct odds *odds;
	json_t *file;
	int r, status;

	if ((status = cmd_odds_options(cx, &od)) != 0)
		return (status);
	status = cmd_read_json(cmd_arg(cx, 0), CMD_ODDS_MAX, &file);
	if (status != 0)
		return (status);
	status = cmd_odds_open(cx, file, &oc);
	json_decref(file);
	if (status != 0) {
		cmd_odds_clear(&oc);
		return (status);
	}
	odds = xalloc(sizeof(*odds));
	if ((r = odds_run_watch(&od.run, oc.c, &oc.policy, odds, &e)) != 0) {
		status = cmd_fail_in(cmd_arg(cx, 0), r, &e);
	} else {
		view = (struct odds_view){oc.sys, &oc.policy, odds, oc.facts};
		status = cmd_odds_show(&cx->out, &od, &view);
	}
	free(odds);
	cmd_odds_clear(&oc);
	return (status);
}

static const struct opt_def cmd_odds_opts[] = {
    {"game", 0, "GAME", false, "FILE is a declaration in this game"},
    {"exact", 0, NULL, false, "walk all dice, or fail"},
    {"samples", 0, "N", false, "fight N combats instead of walking all dice"},
    {"seed", 0, "S", false, "roll the sample's dice from this number"},
    {"svg", 0, "FILE", false, "draw a picture, too"},
    {"text", 0, NULL, false, "print text for people (the default)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_odds = {
    .opts = cmd_odds_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_odds_run,
};
