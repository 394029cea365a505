/* SPDX-License-Identifier: ISC */
/*
 * umpire standing: answers that are given in advance, to every question of a
 * kind, so that the game does not wait for an absent player.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/replica/standing.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/game/game_make.h"
#include "common/game/game_standing.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

/* Says which kinds and words there are. */
static void
cmd_standing_help(const struct play *pl)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	const struct rules_policy *p;
	struct buf b;
	size_t i;
	char *s;

	if (sys == NULL || sys->policies == NULL)
		return;
	for (p = sys->policies; p->kind != NULL; p++) {
		if (rules_is_secret(sys, p->kind) ||
		    game_fact_is(play_game(pl), p->kind))
			continue;
		buf_init(&b, 0);
		for (i = 0; p->words[i] != NULL; i++)
			buf_printf(&b, "%s%s", i == 0 ? "" : "|", p->words[i]);
		s = xalloc_take(&b);
		out_note("umpire standing %s %s %s\n    (%s)", pl->name,
		    p->kind, s, p->what);
		free(s);
	}
}

/* The text of a standing order in words, for people; free(). */
static char *
cmd_standing_words(const char *text)
{
	const char *kind, *word;
	json_t *v = NULL;
	char *s;

	if (text == NULL ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &v, NULL) != 0)
		return (xalloc_str("(not on this machine)"));
	kind = js_str(v, "kind");
	word = js_str(v, "do");
	s = xalloc_printf(
	    "%s %s", kind == NULL ? "?" : kind, word == NULL ? "?" : word);
	json_decref(v);
	return (s);
}

/* How one stands: it waits, has acted, was withdrawn, ended with the game. */
static const char *
cmd_standing_state(const struct game_standing *s, bool is_over)
{
	if (s->is_withdrawn)
		return ("withdrawn");
	if (is_over)
		return (s->is_open ? "ended, has acted (public)" : "ended");
	return (s->is_open ? "stands, has acted (public)" : "stands");
}

/* True if the game is over, and with it all of them. */
static bool
cmd_standing_is_over(const struct play *pl)
{
	enum game_phase phase = game_phase(play_game(pl));

	return (phase != GAME_MUSTER && phase != GAME_PLAY);
}

/* What one of ours says, for people; free(). */
static char *
cmd_standing_says(
    const struct play *pl, const json_t *texts, const struct game_standing *s)
{
	const char *kind, *word;
	json_t *said;
	char *words;

	if (game_standing_read(s, &said, &kind, &word) != 0)
		return (cmd_standing_words(
		    standing_find(replica_battle(pl->copy), texts, s->seq)));
	words = xalloc_printf("%s %s", kind, word);
	json_decref(said);
	return (words);
}

/* One for programs, as game.show has it, with what it says. */
static json_t *
cmd_standing_json(const struct game_standing *s, const char *words)
{
	const char *kind, *word;
	json_t *one, *said;

	one = xalloc_json(json_pack("{s:I, s:i, s:i, s:b, s:b}", "seq",
	    (json_int_t)s->seq, "seat", s->seat, "side", game_side_of(s->seat),
	    "withdrawn", s->is_withdrawn, "acted", s->is_open));
	if (game_standing_read(s, &said, &kind, &word) == 0) {
		xalloc_set(one, "kind", json_string(kind));
		xalloc_set(one, "do", json_string(word));
		json_decref(said);
	}
	xalloc_set(one, "words", json_string(words));
	return (one);
}

/* Prints those of our own seat as a table, or for programs. */
static void
cmd_standing_print(struct play *pl, const json_t *texts)
{
	static const char *const headings[] = {">LINE", "WHAT", "STATE", NULL};
	const bool is_over = cmd_standing_is_over(pl);
	struct out *o = &pl->cx->out;
	const struct game_standing *all;
	struct out_table *t = NULL;
	json_t *list = xalloc_json(json_array());
	const char *cells[3];
	char line[32], *words;
	size_t i, n;

	all = game_standings(play_game(pl), &n);
	for (i = 0; i < n; i++) {
		if (all[i].seat != pl->seat)
			continue;
		words = cmd_standing_says(pl, texts, &all[i]);
		if (o->is_json) {
			xalloc_append(list, cmd_standing_json(&all[i], words));
		} else {
			(void)snprintf(
			    line, sizeof(line), "%lld", (long long)all[i].seq);
			cells[0] = line;
			cells[1] = words;
			cells[2] = cmd_standing_state(&all[i], is_over);
			t = t == NULL ? out_table_new(headings) : t;
			out_table_line(t, cells);
		}
		free(words);
	}
	if (o->is_json)
		out_json(o, json_incref(list));
	else if (t != NULL)
		out_table_end(o, t);
	else
		out_print(o, "You have no standing orders in this game.\n");
	json_decref(list);
}

/* Lists those of our own seat. */
static int
cmd_standing_list(struct play *pl)
{
	struct errinfo e = {.text = ""};
	json_t *texts;
	int r;

	if ((r = standing_load(pl->p, pl->copy->id, &texts, &e)) != 0)
		return (cmd_fail(r, &e));
	cmd_standing_print(pl, texts);
	json_decref(texts);
	return (0);
}

/* Prints their texts for `umpire verify --opened`, a line of JSON each. */
static int
cmd_standing_texts(struct play *pl)
{
	struct errinfo e = {.text = ""};
	json_t *all, *list, *v;
	size_t i;
	int r;

	if ((r = standing_load(pl->p, pl->copy->id, &all, &e)) != 0)
		return (cmd_fail(r, &e));
	list = standing_opened(replica_battle(pl->copy), all);
	json_decref(all);
	json_array_foreach(list, i, v) out_json(&pl->cx->out, xalloc_copy(v));
	json_decref(list);
	return (0);
}

/* Stores the text and sends the order; the copy is locked. */
static int
cmd_standing_send(struct play *pl, const char *text, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	struct standing s;
	json_t *args;
	int r, status;

	r = standing_make(
	    pl->p, replica_battle(pl->copy), pl->seat, text, &s, &e);
	if (r != 0) {
		status = cmd_fail(r, &e);
		return (r == ERR_EXISTS ? EX_TEMPFAIL : status);
	}
	args = xalloc_json(
	    json_pack("{s:o}", "commit", js_hex(s.commit, HASH_LEN)));
	status =
	    play_order_with(pl, ORDER_STANDING, args, NULL, 0, s.open, seq);
	standing_clear(&s);
	return (status);
}

/* True if play_open() has just sent this very standing order. */
static bool
cmd_standing_is_sent(const struct play *pl, const char *text)
{
	const char *s;

	if (!play_is_sent(pl, ORDER_STANDING, NULL, NULL))
		return (false);
	s = js_str(json_object_get(json_object_get(pl->sent, "params"), "open"),
	    "text");
	return (s != NULL && strcmp(s, text) == 0);
}

/* What is asked before one is given: what its words do, too; free(). */
static char *
cmd_standing_question(const struct game *g, const char *kind, const char *word)
{
	const struct rules_system *sys = systems_find(game_system(g));
	const struct rules_policy *p;

	p = sys == NULL ? NULL : rules_policy_find(sys, kind);
	return (xalloc_printf(
	    "Leave the standing order \"%s %s\"?  %s%s%sIt answers for you, "
	    "without asking, until you withdraw it.",
	    kind, word, p == NULL ? "" : "That is: ", p == NULL ? "" : p->what,
	    p == NULL ? "" : ".  "));
}

/* Gives a standing order. */
static int
cmd_standing_give(struct play *pl, const char *kind, const char *word)
{
	struct errinfo e = {.text = ""};
	char *question, *text;
	int64_t seq;
	int r, status;

	text = standing_text(kind, word);
	if (cmd_standing_is_sent(pl, text)) {
		show_order(pl, pl->sent_seq);
		free(text);
		return (0);
	}
	r = game_check_standing(play_game(pl), text, &e);
	if (r == ERR_INVALID) {
		if (game_fact_is(play_game(pl), kind))
			out_error("in this game the other side agrees to '%s' "
				  "each time: no standing order answers it",
			    kind);
		else if (strcmp(e.where, "text.kind") == 0)
			out_error("'%s' is not a question that can be answered "
				  "in advance",
			    kind);
		else
			out_error("'%s' is not an answer to '%s'", word, kind);
		cmd_standing_help(pl);
		free(text);
		return (EX_DATAERR);
	}
	question = cmd_standing_question(play_game(pl), kind, word);
	status = pl->seat < 1
	    ? show_not_now(pl, "the director has no standing orders")
	    : cmd_confirm(pl->cx, question);
	free(question);
	if (status == 0 && (status = play_lock(pl)) == 0) {
		status = cmd_standing_send(pl, text, &seq);
		replica_unlock(pl->copy);
	}
	if (status == 0)
		show_order(pl, seq);
	free(text);
	return (status);
}

/* True if a line is a standing order of ours that may be withdrawn. */
static bool
cmd_standing_is_ours(const struct play *pl, int64_t seq)
{
	const struct game_standing *all;
	size_t i, n;

	all = game_standings(play_game(pl), &n);
	for (i = 0; i < n; i++) {
		if (all[i].seq == seq)
			return (
			    all[i].seat == pl->seat && !all[i].is_withdrawn);
	}
	return (false);
}

/* Withdraws one. */
static int
cmd_standing_withdraw(struct play *pl, int64_t seq)
{
	json_t *args;

	args = xalloc_json(
	    json_pack("{s:I, s:s}", "to", (json_int_t)seq, "say", "withdraw"));
	if (!play_is_sent(pl, ORDER_NOTE, args, NULL) &&
	    (!cmd_standing_is_ours(pl, seq) || cmd_standing_is_over(pl))) {
		out_error("line %lld is not a standing order of yours that is "
			  "in force",
		    (long long)seq);
		out_note("`umpire standing %s` lists them.", pl->name);
		json_decref(args);
		return (EX_DATAERR);
	}
	return (offers_give(pl, ORDER_NOTE, args, "why", NULL));
}

/* Reads what is to be done; to list is only to look. */
static int
cmd_standing_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *s = opt_get(&cx->opts, "withdraw");
	const char *kind = cmd_arg(cx, 1), *word = cmd_arg(cx, 2);

	if (s != NULL && !opt_number(s, 0, JS_INT_MAX, &a->seq))
		return (cmd_usage(cx, "--withdraw takes the number of a line"));
	if (opt_has(&cx->opts, "texts") && (s != NULL || kind != NULL))
		return (cmd_usage(cx, "--texts takes no other words"));
	if (kind != NULL && (s != NULL || word == NULL))
		return (cmd_usage(cx,
		    "a kind of question and a word for it, "
		    "such as: retire all"));
	if (s == NULL && kind == NULL)
		cx->need = PLAY_READ;
	return (0);
}

/* Lists, gives or withdraws. */
static int
cmd_standing_play(struct play *pl, const struct action *a)
{
	const char *kind = cmd_arg(pl->cx, 1);

	if (opt_has(&pl->cx->opts, "texts"))
		return (cmd_standing_texts(pl));
	if (kind != NULL)
		return (cmd_standing_give(pl, kind, cmd_arg(pl->cx, 2)));
	return (a->seq >= 0 ? cmd_standing_withdraw(pl, a->seq)
			    : cmd_standing_list(pl));
}

static const struct opt_def cmd_standing_opts[] = {
    {"withdraw", 0, "LINE", false, "withdraw the standing order of this line"},
    {"texts", 0, NULL, false,
	"print their texts, for `umpire verify --opened`"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_standing = {
    .opts = cmd_standing_opts,
    .min_args = 1,
    .max_args = 3,
    .need = PLAY_ORDER,
    .parse = cmd_standing_parse,
    .play = cmd_standing_play,
};
