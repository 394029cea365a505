/* SPDX-License-Identifier: ISC */
/*
 * umpire decide: answers the open question of a combat; a secret one by a
 * commit.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/actions.h"
#include "client/play/commit.h"
#include "client/play/decision.h"
#include "client/play/decision_text.h"
#include "client/play/form.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/ui/term.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/rules/systems/systems.h"

/* What an answer that is JSON says, before it; free(), NULL: not known. */
static char *
cmd_decide_words(
    const struct play *pl, const struct actions *a, const struct action *one)
{
	const struct game *g = play_game(pl);

	if (one->kind != ACTION_DECIDE || one->args == NULL)
		return (NULL);
	return (decision_text(
	    systems_find(game_system(g)), game_roster(g), a->ask, one->args));
}

/* Lists the possible answers after words that were not understood. */
static int
cmd_decide_help(
    struct play *pl, const struct actions *a, const struct errinfo *e)
{
	char *form, *profile, *s, *words;
	bool is_json;
	size_t i;

	out_error("%s", e->text);
	form = decision_form(
	    js_str(a->ask, "kind"), json_object_get(a->ask, "options"));
	is_json = strncmp(form, "--", 2) == 0;
	s = play_command(pl, "decide", is_json ? "" : form);
	out_note("%s%s", s,
	    is_json ? "\nasks for it at a terminal; programs give JSON:" : "");
	free(s);
	free(form);
	profile = cmd_profile_words(pl->cx);
	for (i = 0; i < a->n; i++) {
		words = cmd_decide_words(pl, a, &a->list[i]);
		s = action_command(&a->list[i], profile, pl->name);
		out_note("%s%s%s%s",
		    i == 0 && !is_json ? "for instance:\n" : "",
		    words == NULL ? "" : words, words == NULL ? "" : ":\n", s);
		free(s);
		free(words);
	}
	free(profile);
	return (EX_DATAERR);
}

/*
 * Asks before a decision that eliminates somebody; "umpire play" has asked
 * before the words of one.
 */
static int
cmd_decide_confirm(struct play *pl, const json_t *decision)
{
	char *losses, *s;
	int status = 0;

	losses = decision_text_losses(play_game(pl), pl->seat, decision);
	if (*losses != '\0' && pl->cx->may == NULL) {
		s = xalloc_printf("Give this answer?%s", losses);
		status = cmd_confirm(pl->cx, s);
		free(s);
	}
	free(losses);
	return (status);
}

/* A decision that is made by questions. */
struct cmd_decide_form {
	struct play *pl;
	const struct actions *a;
};

/* form_last: asks before a decision that was made by questions. */
static int
cmd_decide_last_cb(void *arg, const struct ask_io *io, const json_t *decision)
{
	const struct cmd_decide_form *f = arg;
	bool is_sure = f->pl->cx->is_sure;
	char *losses, *s;
	int r = 0;

	if (is_sure)
		return (0);
	if (f->a->is_secret) {
		s = commit_question(f->pl, decision);
	} else {
		losses = decision_text_losses(
		    play_game(f->pl), f->pl->seat, decision);
		s = xalloc_printf("Give this answer?%s", losses);
		free(losses);
	}
	r = ask_yes(io, s, 0, &is_sure);
	free(s);
	return (r == 0 && !is_sure ? FORM_CHANGE : r);
}

/* Asks for the decision at the terminal, and for confirmation. */
static int
cmd_decide_ask(struct play *pl, const struct actions *a, json_t **decision)
{
	struct cmd_decide_form f = {pl, a};
	const struct form_last last = {cmd_decide_last_cb, &f};
	struct term *t;
	struct ask_io io;
	int r, status;

	status = term_begin(pl->cx, "which answer?", &t, &io);
	if (status != 0)
		return (status);
	r = form_decide(&io, play_game(pl), pl->seat, a->ask, &last, decision);
	term_close(t);
	if (r == 0)
		return (0);
	if (r != ASK_BACK && r != ERR_CLOSED)
		return (cmd_fail(r, &(struct errinfo){.text = ""}));
	out_error("nothing was sent");
	return (EX_USAGE);
}

/* Makes the decision of the command line's words, or asks for it. */
static int
cmd_decide_read(struct play *pl, const struct actions *a, json_t **decision)
{
	const struct opt_set *set = &pl->cx->opts;
	struct errinfo e = {.text = ""};
	int status;

	if (set->n_operands < 2)
		return (cmd_decide_ask(pl, a, decision));
	if (decision_parse(js_str(a->ask, "kind"),
		json_object_get(a->ask, "options"), set->n_operands - 1,
		(const char *const *)set->operands + 1, decision, &e) != 0)
		return (cmd_decide_help(pl, a, &e));
	if ((status = cmd_decide_confirm(pl, *decision)) != 0)
		json_decref(*decision);
	return (status);
}

/* Refuses what the rules would refuse, before anything is signed. */
static int
cmd_decide_check(
    struct play *pl, const struct actions *a, const json_t *decision)
{
	struct errinfo e = {.text = ""}, why = {.text = ""};
	char *s;
	int r;

	r = game_check_decision(play_game(pl), pl->seat, decision, &e);
	/* If the rules cannot be run here, the server decides. */
	if (r == 0 || r == ERR_MISSING)
		return (0);
	s = place_error(r, &e, decision);
	(void)err_set(&why, r, NULL, "%s", s);
	free(s);
	(void)cmd_decide_help(pl, a, &why);
	out_note("Nothing was sent.");
	return (EX_DATAERR);
}

/* Asks before a commit. */
static int
cmd_decide_confirm_secret(struct play *pl, const json_t *decision)
{
	char *question = commit_question(pl, decision);
	int status = cmd_confirm(pl->cx, question);

	free(question);
	return (status);
}

/*
 * Gives the decision, openly or by a commit, before which the form has asked
 * if there was one; it is stolen.
 */
static int
cmd_decide_give(
    struct play *pl, const struct actions *a, json_t *decision, bool is_form)
{
	const json_t *ask = json_object_get(a->ask, "ask");
	json_t *args;
	int64_t seq, opened;
	int status;

	if ((status = cmd_decide_check(pl, a, decision)) != 0) {
		json_decref(decision);
		return (status);
	}
	if (a->is_secret) {
		if (is_form ||
		    (status = cmd_decide_confirm_secret(pl, decision)) == 0)
			status = commit_send(
			    pl, json_integer_value(ask), decision, &seq);
		json_decref(decision);
	} else {
		args = xalloc_json(
		    json_pack("{s:O, s:o}", "ask", ask, "decision", decision));
		status = play_order(pl, ORDER_DECIDE, args, NULL, &seq);
	}
	if (status != 0)
		return (status);
	/* The second of two sealed choices can be opened at once. */
	status = commit_open(pl, &opened);
	show_order(pl, seq);
	return (status);
}

/* True if the answer of an earlier run has just got through. */
static bool
cmd_decide_is_done(
    const struct play *pl, const struct actions *a, const json_t *decision)
{
	const char *asked, *kind;

	kind = decision == NULL ? cmd_arg(pl->cx, 1) : js_str(decision, "kind");
	asked = js_str(a->ask, "kind");
	/* This one answers the question that is open now. */
	if (kind != NULL && asked != NULL && strcmp(kind, asked) == 0)
		return (false);
	return (play_is_sent(pl, ORDER_DECIDE, NULL, NULL) ||
	    play_is_sent(pl, ORDER_COMMIT, NULL, NULL) ||
	    play_is_sent(pl, ORDER_OPEN, NULL, NULL));
}

/* Answers the question that is ours, with the args of the action if any. */
static int
cmd_decide_play(struct play *pl, const struct action *given)
{
	struct actions a;
	json_t *decision;
	int64_t seq;
	int status;

	if ((status = commit_open(pl, &seq)) != 0)
		return (status);
	actions_find(&a, play_game(pl), replica_battle(pl->copy), pl->seat);
	actions_suggest(&a, play_game(pl), pl->seat);
	if (cmd_decide_is_done(pl, &a, given->args)) {
		show_order(pl, pl->sent_seq);
	} else if (a.ask != NULL && given->seq >= 0 &&
	    given->seq != game_question_seq(play_game(pl))) {
		status = show_asked_anew(pl);
	} else if (a.ask != NULL) {
		if (given->args == NULL)
			status = cmd_decide_read(pl, &a, &decision);
		else if ((status = cmd_decide_confirm(pl, given->args)) == 0)
			decision = xalloc_copy(given->args);
		if (status == 0)
			status = cmd_decide_give(pl, &a, decision,
			    given->args == NULL && pl->cx->opts.n_operands < 2);
	} else {
		status = show_not_now(
		    pl, "there is no decision for you to make now");
		commit_note_missing(pl);
	}
	actions_clear(&a);
	return (status);
}

/* Reads --decision; words make sense only beside the question. */
static int
cmd_decide_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *text = opt_get(&cx->opts, "decision");
	struct errinfo e = {.text = ""};

	a->kind = ACTION_DECIDE;
	if (text != NULL && cx->opts.n_operands > 1)
		return (cmd_usage(
		    cx, "give the answer in words or as --decision, not both"));
	if (text == NULL && cx->opts.n_operands == 1 &&
	    (cx->out.is_json || !cx->out.is_tty || !out_can_ask()))
		return (cmd_usage(cx,
		    "which answer?  `umpire show %s` says what to type",
		    cmd_arg(cx, 0)));
	if (text != NULL &&
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &a->args, &e) != 0) {
		out_error("--decision is not JSON: %s", e.text);
		return (EX_DATAERR);
	}
	return (0);
}

static const struct opt_def cmd_decide_opts[] = {
    {"decision", 0, "JSON", false, "the decision as an object"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_decide = {
    .opts = cmd_decide_opts,
    .min_args = 1,
    .max_args = -1,
    .need = PLAY_ORDER,
    .parse = cmd_decide_parse,
    .play = cmd_decide_play,
};
