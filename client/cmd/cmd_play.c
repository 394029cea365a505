/* SPDX-License-Identifier: ISC */
/*
 * umpire play: a game at the terminal.  The other subcommands do the work:
 * they run here with the words that were picked or typed, on the one copy and
 * the one connection that are open.  This one follows the game beside them,
 * tells each line once, and says what may be done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/wordlist.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/texts.h"
#include "client/net/link.h"
#include "client/play/action.h"
#include "client/play/actions.h"
#include "client/play/decision.h"
#include "client/play/decision_text.h"
#include "client/play/form_tape.h"
#include "client/play/menu.h"
#include "client/play/menu_more.h"
#include "client/play/play.h"
#include "client/play/reply.h"
#include "client/play/rosters_print.h"
#include "client/play/subscription.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/report.h"
#include "client/report/rosters.h"
#include "client/ui/linehist.h"
#include "client/ui/term.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#define CMD_PLAY_WAIT_MS 10000 /* for the server, while one may be typing */
#define CMD_PLAY_LINES 6 /* lines that are told at the start at most */

/* A game at the terminal. */
struct cmd_play {
	struct cmd_ctx *cx; /* borrowed */
	struct play *pl; /* owned */
	struct subscription *follow; /* owned */
	struct report *rp; /* owned */
	struct term *term; /* owned */
	struct ask_io io;
	struct term_wait wait;
	struct menu menu; /* as it was shown */
	int64_t told; /* lines that were told */
	bool is_asking; /* for the next command: choices may be shown */
	/* Of the subcommand that runs, and has the connection; NULL. */
	struct cmd_ctx *inside;
	bool is_stale; /* they changed while something was being typed */
	bool is_new; /* choices are to be shown */
	bool is_among; /* lines were printed last: the next follow them */
	bool is_closing; /* an agreed result waits to be signed */
	bool is_over; /* the game can no longer be followed */
	int status; /* the exit status then */
};

/* The subcommand of each action, and the question before it if any. */
static const struct {
	const struct cmd *cmd;
	const char *question;
} cmd_play_actions[] = {
    [ACTION_DECLARE] = {&cmd_declare, NULL},
    [ACTION_END_TURN] = {&cmd_end_turn, NULL},
    [ACTION_DECIDE] = {&cmd_decide, "Give this answer"},
    [ACTION_OPEN] = {&cmd_open, NULL},
    [ACTION_AGREE] = {&cmd_answer, "Agree"},
    [ACTION_OBJECT] = {&cmd_answer, "Object"},
    [ACTION_ACCEPT] = {&cmd_accept, NULL},
    [ACTION_DECLINE] = {&cmd_decline, NULL},
    [ACTION_WITHDRAW] = {&cmd_withdraw, NULL},
    [ACTION_READY] = {&cmd_ready, "Say that you are ready"},
    [ACTION_CLOSE] = {&cmd_close, NULL},
    [ACTION_CLAIM] = {&cmd_claim, ""},
    [ACTION_JOIN] = {&cmd_join, NULL},
    [ACTION_JOIN_DIRECTOR] = {&cmd_join, NULL},
    [ACTION_FORFEIT] = {&cmd_ruling, NULL},
    [ACTION_EXTEND] = {&cmd_ruling, NULL},
    [ACTION_SEND] = {&cmd_send, NULL},
    [ACTION_SAY] = {&cmd_say, NULL},
    [ACTION_ROLL] = {&cmd_roll, NULL},
    [ACTION_UPKEEP] = {&cmd_upkeep, NULL},
    [ACTION_ADJUST] = {&cmd_adjust, NULL},
    [ACTION_OFFER] = {&cmd_offer, NULL},
    [ACTION_RULING] = {&cmd_ruling, NULL},
    [ACTION_ROSTER] = {&cmd_roster, NULL},
    [ACTION_HOLIDAY] = {&cmd_holiday, NULL},
    [ACTION_RESIGN] = {&cmd_resign, NULL},
    [ACTION_CANCEL] = {&cmd_cancel, NULL},
};

/* Verbs whose words are not kept in the history: choices, addresses. */
static const char *const cmd_play_secret[] = {
    "decide", "notify", "standing", NULL};

/* What people type who have a subcommand and its word in mind. */
static const struct {
	const char *said;
	const char *verb;
	const char *word; /* NULL: the verb alone */
} cmd_play_short[] = {
    {"end", "end-turn", NULL},
    {"agree", "answer", "agree"},
    {"object", "answer", "object"},
    {"undo", "offer", "takeback"},
    {"takeback", "offer", "takeback"},
    {NULL, NULL, NULL},
};

/* Verbs that make no sense inside. */
static const char *const cmd_play_outside[] = {"play", "watch", NULL};

/* Words that alone answer the question of a combat that is open. */
static const char *const cmd_play_answers[] = {
    "none", "all", "yes", "no", NULL};

/* True if the list, ended by NULL, has this word. */
static bool
cmd_play_has(const char *const *list, const char *word)
{
	for (; *list != NULL; list++) {
		if (strcmp(*list, word) == 0)
			return (true);
	}
	return (false);
}

/* The prompt as the game stands; free(). */
static char *
cmd_play_prompt(const struct cmd_play *p)
{
	const char *state = "waiting";

	if (p->menu.actions.is_mine || p->menu.actions.has_offer)
		state = "your move";
	else if (p->menu.is_over)
		state = "over";
	else if (p->pl->seat < 0)
		state = "watching";
	return (xalloc_printf("%s, %s> ", p->pl->name, state));
}

/* Shows what may be done. */
static void
cmd_play_tell(struct cmd_play *p)
{
	struct out *o = &p->cx->out;

	out_print(o, "\n");
	menu_show(&p->menu, p->pl);
	out_print(o, "%sype: %srosters, log, help, quit\n",
	    p->menu.actions.n > 0 ? "Or t" : "T",
	    p->pl->seat < 0 || game_is_finished(play_game(p->pl))
		? ""
		: "say TEXT, ");
	p->is_new = false;
	p->is_among = false;
}

/* Finds what may be done now; true if that is not what was shown. */
static bool
cmd_play_find(struct cmd_play *p)
{
	struct menu now;
	bool is_same;

	menu_find(&now, p->pl, &p->menu);
	is_same = menu_is_same(&p->menu, &now);
	menu_clear(&p->menu);
	p->menu = now;
	return (!is_same);
}

/*
 * Tells the new lines, after one empty line, whatever the report
 * begins with.
 */
static void
cmd_play_lines(struct cmd_play *p)
{
	FILE *f = p->cx->out.f;
	char *text = NULL;
	size_t len;

	if (p->pl->copy->n <= p->told)
		return;
	if ((p->cx->out.f = open_memstream(&text, &len)) == NULL)
		xalloc_die();
	report_lines(p->rp, p->told, p->pl->copy->n - 1, 0, NULL);
	if (fclose(p->cx->out.f) != 0)
		xalloc_die();
	p->cx->out.f = f;
	if (!p->is_among)
		out_print(&p->cx->out, "\n");
	out_again(&p->cx->out, text + strspn(text, "\n"));
	free(text);
	p->is_among = true;
	p->told = p->pl->copy->n;
	p->is_closing = play_finish_is_due(p->pl);
	if (cmd_play_find(p))
		p->is_new = true;
}

/* Lines that were told are lost: others stand in their place. */
static void
cmd_play_rewind(struct cmd_play *p, int64_t from)
{
	report_free(p->rp);
	p->rp = report_new(&p->cx->out, replica_battle(p->pl->copy));
	p->told = from;
}

/* Takes the news and tells it. */
static void
cmd_play_news(struct cmd_play *p)
{
	struct subscription_news news;
	enum subscription_what what;

	while (!p->is_over &&
	    (what = subscription_next(p->follow, &news)) !=
		SUBSCRIPTION_NOTHING) {
		switch (what) {
		case SUBSCRIPTION_LINES:
			if (news.from < p->told)
				cmd_play_rewind(p, news.from);
			cmd_play_lines(p);
			break;
		case SUBSCRIPTION_ROW:
			json_decref(news.row);
			break;
		case SUBSCRIPTION_LOST:
			out_print(&p->cx->out, "\n  %s; connecting again ...\n",
			    news.e.text);
			break;
		case SUBSCRIPTION_BACK:
			out_print(&p->cx->out, "  The connection is back.\n");
			break;
		case SUBSCRIPTION_REFUSED:
			p->status = cmd_fail(news.r, &news.e);
			p->is_over = true;
			break;
		default:
			p->status = news.status;
			p->is_over = true;
			break;
		}
	}
}

/* term_wait: what is polled beside the terminal. */
static int
cmd_play_fd_cb(void *arg, int64_t *wait_ms)
{
	struct cmd_play *p = arg;

	*wait_ms = subscription_wait_ms(p->follow);
	return (subscription_fd(p->follow));
}

/* Shows what may be done now, if that has changed, to somebody who types. */
static void
cmd_play_renew(struct cmd_play *p)
{
	char *prompt;

	if (!p->is_asking || !p->is_new)
		return;
	p->is_stale = p->is_stale || term_has_text(p->term);
	cmd_play_tell(p);
	prompt = cmd_play_prompt(p);
	term_set_prompt(p->term, prompt);
	free(prompt);
}

/*
 * term_wait: something came while a line is being typed.  The choices are
 * shown again only where a command is asked for, not in a form.
 */
static char *
cmd_play_ready_cb(void *arg)
{
	struct cmd_play *p = arg;
	FILE *f = p->cx->out.f;
	char *text = NULL;
	size_t len = 0;

	if ((p->cx->out.f = open_memstream(&text, &len)) == NULL)
		xalloc_die();
	/* Reading the game again frees the one that a form is about. */
	if (p->is_asking || !p->pl->copy->is_ahead)
		cmd_play_news(p);
	if (p->inside != NULL)
		(void)subscription_lend(p->follow, p->pl);
	if (p->is_closing && p->is_asking && !term_has_text(p->term))
		term_drop(p->term);
	else
		cmd_play_renew(p);
	if (fclose(p->cx->out.f) != 0)
		xalloc_die();
	p->cx->out.f = f;
	if (p->is_over)
		term_end(p->term);
	if (len > 0)
		return (text);
	free(text);
	return (NULL);
}

/* An answer as the list describes it, else its words; free(). */
static char *
cmd_play_meant(const struct cmd_play *p, const struct action *a)
{
	const struct menu *menu = &p->menu;
	char *listed, *text;
	size_t i;

	if (a->args != NULL) {
		listed = action_words(a);
		text = xalloc_str(listed + strcspn(listed, " ") + 1);
		free(listed);
	} else {
		text = cmd_words(p->inside, 1);
	}
	for (i = 0; i < menu->actions.n; i++) {
		if (menu->actions.list[i].answer != NULL &&
		    (action_is_same(&menu->actions.list[i], a) ||
			strcmp(menu->actions.list[i].answer, text) == 0)) {
			free(text);
			return (xalloc_str(menu->labels[i]));
		}
	}
	return (text);
}

/*
 * Whom an answer eliminates, as decision_text_losses() has it; free().  NULL
 * if it is no answer to what is asked.
 */
static char *
cmd_play_losses(const struct cmd_play *p, const struct action *a)
{
	const struct opt_set *set = &p->inside->opts;
	const json_t *ask = p->menu.actions.ask;
	json_t *decision = NULL;
	struct errinfo e;
	char *text;

	if (a->args != NULL)
		decision = xalloc_copy(a->args);
	else if (decision_parse(js_str(ask, "kind"),
		     json_object_get(ask, "options"), set->n_operands - 1,
		     (const char *const *)set->operands + 1, &decision,
		     &e) != 0)
		return (NULL);
	text = decision_text_losses(play_game(p->pl), p->pl->seat, decision);
	json_decref(decision);
	return (text);
}

/*
 * The question before an action, which from then on is about the line that
 * was asked about; free(), or NULL.
 */
static char *
cmd_play_question(
    const struct cmd_play *p, const struct cmd *cmd, struct action *a)
{
	const char *question = cmd_play_actions[a->kind].question;
	enum order_kind kind;
	char *losses, *s, *text;

	/* A command may have no action of its own. */
	if (cmd_play_actions[a->kind].cmd != cmd || question == NULL)
		return (NULL);
	switch (a->kind) {
	case ACTION_AGREE:
	case ACTION_OBJECT:
		if (a->seq < 0 && !reply_is_owed(p->pl, &a->seq, &kind))
			break;
		kind = battle_entry(replica_battle(p->pl->copy), a->seq)->kind;
		return (a->kind == ACTION_OBJECT
			? xalloc_printf(
			      "Object to line %lld?  It is void then.",
			      (long long)a->seq)
			: xalloc_printf("Agree to line %lld?%s",
			      (long long)a->seq,
			      kind == ORDER_DECLARE ? "  Dice may fall at once."
						    : ""));
	case ACTION_CLAIM:
		question =
		    actions_claim(play_game(p->pl), game_side_of(p->pl->seat));
		break;
	case ACTION_DECIDE:
		if (a->seq < 0)
			a->seq = game_question_seq(play_game(p->pl));
		/* A form and a commit ask for themselves. */
		if (p->menu.actions.is_secret ||
		    (a->args == NULL && p->inside->opts.n_operands < 2))
			return (NULL);
		losses = p->menu.actions.ask == NULL ? xalloc_str("")
						     : cmd_play_losses(p, a);
		/* What cannot be sent is refused without a question. */
		if (losses == NULL)
			return (NULL);
		text = cmd_play_meant(p, a);
		s = xalloc_printf("%s: %s?%s", question, text, losses);
		free(losses);
		free(text);
		return (s);
	default:
		break;
	}
	return (xalloc_printf("%s?", question));
}

/*
 * cmd_ctx: asks for the reason that an action lacks, and before what cannot be
 * undone where the subcommand does not ask itself.
 */
static int
cmd_play_may_cb(void *arg, const struct cmd *cmd, struct action *a)
{
	const bool is_ruling =
	    a->kind == ACTION_FORFEIT || a->kind == ACTION_EXTEND;
	struct cmd_play *p = arg;
	bool is_asked, is_sure = false;
	char *question;
	int r = 0;

	/* As the completions have it, for a reason to come. */
	is_asked = a->text != NULL && strcmp(a->text, "TEXT") == 0;
	if (is_asked) {
		free(a->text);
		a->text = NULL;
	}
	if (is_asked || (a->text == NULL && is_ruling)) {
		r = ask_text(&p->io, "Why?", RECORD_TEXT_MAX, false, &a->text);
	} else if (a->text == NULL && a->kind == ACTION_OBJECT) {
		r = ask_text(&p->io, "Why do you object?", RECORD_TEXT_MAX,
		    true, &a->text);
		/* Whoever objects says why, if they like. */
		if (r == 0 && *a->text == '\0') {
			free(a->text);
			a->text = NULL;
		}
	}
	if (r != 0)
		return (EX_USAGE);
	if (p->inside->is_sure ||
	    (question = cmd_play_question(p, cmd, a)) == NULL)
		return (0);
	/* Whoever goes back, or away, is not sure. */
	if (ask_yes(&p->io, question, 0, &is_sure) != 0)
		is_sure = false;
	free(question);
	if (is_sure)
		return (0);
	out_print(&p->cx->out, "Nothing was sent.\n");
	return (EX_USAGE);
}

/*
 * Does an action (cleared), or else runs a command line; what fails is
 * printed.  went_back (NULL: nothing to go back to) as struct cmd_ctx has it.
 */
static void
cmd_play_run_inside(
    struct cmd_play *p, struct action *a, int n, char **argv, bool *went_back)
{
	struct cmd_ctx cx = {.io = &p->io,
	    .table = p->pl,
	    .may = cmd_play_may_cb,
	    .may_arg = p,
	    .went_back = went_back};

	(void)subscription_lend(p->follow, p->pl);
	p->inside = &cx;
	if (a != NULL)
		(void)cmds_act(&cx, cmd_play_actions[a->kind].cmd, a);
	else
		(void)cmds_inside(&cx, n, argv);
	p->inside = NULL;
	subscription_look(p->follow);
}

/* Runs a subcommand with the words, and the game's number where it goes. */
static void
cmd_play_run_words(struct cmd_play *p, json_t *words)
{
	const struct cmd_entry *cmd =
	    cmds_find(p->cx->all, wordlist_get(words, 0));
	const char *second = wordlist_get(words, 1);
	const struct cmd_word *w;
	char hex[2 * HASH_LEN + 1], **argv;
	bool wants_game = false;
	size_t i, n;

	hex_format(hex, p->pl->copy->id, HASH_LEN);
	/* The game is the first operand, or stands in for a missing one. */
	if (cmd != NULL && strcmp(second, p->pl->name) != 0 &&
	    strcmp(second, hex) != 0)
		wants_game = strcmp(cmd->args, "GAME") == 0 ||
		    strncmp(cmd->args, "GAME ", 5) == 0 ||
		    (strstr(cmd->args, "GAME") != NULL &&
			json_array_size(words) == 1);
	/* "roster check FILE", but "roster FILE" of a file called check. */
	if (wants_game && second != NULL &&
	    (w = cmd_word_find(cmd->cmd, second)) != NULL &&
	    (json_array_size(words) > 2 || w->max_args == 1))
		wants_game = false;
	if (wants_game &&
	    json_array_insert_new(words, 1, xalloc_json_str(hex)) != 0)
		xalloc_die();
	n = json_array_size(words);
	argv = xalloc((n + 1) * sizeof(*argv));
	for (i = 0; i < n; i++)
		argv[i] = xalloc_str(wordlist_get(words, i));
	cmd_play_run_inside(p, NULL, (int)n, argv, NULL);
	for (i = 0; i < n; i++)
		free(argv[i]);
	free(argv);
}

/* Asks for something else, and does it; from its end one may go back. */
static void
cmd_play_more(struct cmd_play *p)
{
	struct form_tape tape;
	struct action a;
	bool went_back;

	form_tape_init(&tape, &p->io);
	do {
		went_back = false;
		if (menu_more_ask(&tape, p->pl, &a) == 0)
			cmd_play_run_inside(p, &a, 0, NULL, &went_back);
	} while (went_back && form_tape_back(&tape));
	form_tape_clear(&tape);
}

/* Does what a number of the list stands for, or what is asked for instead. */
static void
cmd_play_act(struct cmd_play *p, const struct action *listed)
{
	struct action a = {.kind = listed->kind, .seq = listed->seq};

	if (listed->kind == ACTION_MORE) {
		cmd_play_more(p);
		return;
	}
	if (listed->answer != NULL)
		a.answer = xalloc_str(listed->answer);
	if (listed->args != NULL)
		a.args = xalloc_copy(listed->args);
	cmd_play_run_inside(p, &a, 0, NULL, NULL);
}

/* Carries out a command line; words is stolen. */
static void
cmd_play_do(struct cmd_play *p, json_t *words)
{
	const char *verb = wordlist_get(words, 0);

	if (strcmp(verb, "more") == 0)
		cmd_play_act(p, &(struct action){.kind = ACTION_MORE});
	else if (cmd_play_has(cmd_play_outside, verb))
		out_error(
		    "'%s' is not needed here: news appears by itself", verb);
	else if (strcmp(verb, "odds") == 0 && json_array_size(words) == 1)
		out_print(&p->cx->out,
		    "Odds are told before dice fall: type declare, and o at "
		    "its last question.\n");
	else
		cmd_play_run_words(p, words);
	json_decref(words);
}

/* Prints both sides' units. */
static void
cmd_play_rosters(struct cmd_play *p)
{
	struct rosters *rs;

	if ((rs = rosters_new(replica_battle(p->pl->copy))) == NULL)
		out_print(
		    &p->cx->out, "The rosters cannot be read here yet.\n");
	else
		rosters_print(&p->cx->out, rs, p->pl->seat, true);
	rosters_free(rs);
}

/*
 * What stands for itself rather than for a subcommand: true if the line was
 * such a word.  *is_end: it says to leave.
 */
static bool
cmd_play_own(struct cmd_play *p, const char *line, bool *is_end)
{
	static const char *const leave[] = {"quit", "q", "exit", "bye", NULL};
	static const char *const help[] = {"help", "?", "h", NULL};
	static const char *const back[] = {"b", "back", NULL};

	*is_end = cmd_play_has(leave, line);
	if (cmd_play_has(help, line))
		out_print(&p->cx->out, "%s", texts_play);
	else if (cmd_play_has(back, line))
		out_print(&p->cx->out,
		    "There is no question to go back to; quit leaves.\n");
	else if (strcmp(line, "rosters") == 0)
		cmd_play_rosters(p);
	else if (!*is_end && *line != '\0')
		return (false);
	p->is_new = true;
	return (true);
}

/*
 * `say` takes the rest of its line as it stands, marks and all, unless it
 * begins with an option or a mark.
 */
static bool
cmd_play_say(const char *line, json_t **words)
{
	const char *text;

	if (strncmp(line, "say ", 4) != 0)
		return (false);
	text = line + 4 + strspn(line + 4, " \t");
	if (*text == '\0' || strchr("-'\"", *text) != NULL)
		return (false);
	*words = xalloc_json(json_array());
	wordlist_add(*words, "say");
	wordlist_add(*words, text);
	return (true);
}

/* True for what a combat may ask in this system. */
static bool
cmd_play_is_kind(const struct cmd_play *p, const char *word)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(p->pl)));
	const struct rules_policy *policy;

	for (policy = sys == NULL ? NULL : sys->policies;
	     policy != NULL && policy->kind != NULL; policy++) {
		if (strcmp(policy->kind, word) == 0)
			return (true);
	}
	return (false);
}

/* Puts a word before the others. */
static void
cmd_play_put(json_t *words, const char *word)
{
	if (json_array_insert_new(words, 0, xalloc_json_str(word)) != 0)
		xalloc_die();
}

/* True if there is an action of this kind to pick. */
static bool
cmd_play_offers(const struct cmd_play *p, enum action_kind kind)
{
	size_t i;

	for (i = 0; i < p->menu.actions.n; i++) {
		if (p->menu.actions.list[i].kind == kind)
			return (true);
	}
	return (false);
}

/*
 * Makes a subcommand of a word that is short for one: 0, ERR_NOTFOUND if it is
 * not, or ERR_INVALID, told, where the word that is meant must be another.
 */
static int
cmd_play_long(struct cmd_play *p, json_t *words)
{
	const char *first = wordlist_get(words, 0);
	const char *verb, *word;
	size_t i;

	for (i = 0; cmd_play_short[i].said != NULL; i++) {
		if (strcmp(cmd_play_short[i].said, first) == 0)
			break;
	}
	if ((verb = cmd_play_short[i].verb) == NULL)
		return (ERR_NOTFOUND);
	if (strcmp(verb, "answer") == 0 && !cmd_play_offers(p, ACTION_AGREE)) {
		out_error(cmd_play_offers(p, ACTION_ACCEPT)
			? "an offer is answered by accept or decline, not '%s'"
			: "'%s' answers what waits for you, and nothing does",
		    first);
		return (ERR_INVALID);
	}
	word = cmd_play_short[i].word;
	(void)json_array_remove(words, 0); /* it is there */
	if (word != NULL)
		cmd_play_put(words, word);
	cmd_play_put(words, verb);
	return (0);
}

/*
 * Makes a subcommand of words that are none as they stand: "end turn", a word
 * that is short for one, and an answer without "decide" or its kind.
 * ERR_NOTFOUND or ERR_INVALID, told, if that cannot be.
 */
static int
cmd_play_mend(struct cmd_play *p, json_t *words)
{
	const char *first = wordlist_get(words, 0);
	const bool is_answer = cmd_play_has(cmd_play_answers, first);
	const struct cmd_entry *cmd;
	char *s;
	int r;

	s = xalloc_printf("%s-%s", first, wordlist_get(words, 1));
	if (cmds_find(p->cx->all, s) != NULL) {
		(void)json_array_remove(words, 0); /* it is there */
		if (json_array_set_new(words, 0, xalloc_json_str(s)) != 0)
			xalloc_die();
		free(s);
		return (0);
	}
	free(s);
	if ((r = cmd_play_long(p, words)) != ERR_NOTFOUND)
		return (r);
	if (!is_answer && !cmd_play_is_kind(p, first)) {
		cmd = cmds_suggest(p->cx->all, first);
		out_error("'%s' is not a command here; %s%s%s", first,
		    cmd == NULL ? "type help" : "did you mean '",
		    cmd == NULL ? "" : cmd->name, cmd == NULL ? "" : "'?");
		return (ERR_NOTFOUND);
	}
	if (p->menu.actions.ask == NULL) {
		out_error("'%s' answers a question of a combat, but no "
			  "question is open for you",
		    first);
		return (ERR_NOTFOUND);
	}
	if (is_answer)
		cmd_play_put(words, js_str(p->menu.actions.ask, "kind"));
	cmd_play_put(words, "decide");
	return (0);
}

/* Finds the action of a number that was typed; NULL, told, if there is none. */
static const struct action *
cmd_play_number(struct cmd_play *p, const char *line)
{
	int64_t n;

	if (!opt_number(line, 1, (int64_t)p->menu.actions.n, &n)) {
		out_error("there is no choice %s", line);
		return (NULL);
	}
	if (p->is_stale) {
		out_error(
		    "what you may do changed while you typed: look again");
		p->is_new = true;
		return (NULL);
	}
	return (&p->menu.actions.list[n - 1]);
}

/*
 * Where a line begins that may have been copied from what umpire prints:
 * behind the name of the program.
 */
static const char *
cmd_play_behind_name(const char *line)
{
	static const char name[] = "umpire ";

	if (strncmp(line, name, sizeof(name) - 1) == 0)
		line += sizeof(name) - 1;
	return (line);
}

/* Does what a line says; true to go on. */
static bool
cmd_play_line(struct cmd_play *p, const char *line)
{
	struct errinfo e = {.text = ""};
	const struct action *a;
	const char *verb;
	json_t *words;
	bool is_end;

	if (cmd_play_own(p, line, &is_end))
		return (!is_end);
	if (strspn(line, "0123456789") == strlen(line)) {
		if ((a = cmd_play_number(p, line)) != NULL) {
			cmd_play_act(p, a);
			p->is_new = true;
		}
		return (true);
	}
	if (!cmd_play_say(line, &words)) {
		if (wordlist_split(cmd_play_behind_name(line), &words, &e) !=
		    0) {
			out_error("%s", e.text);
			return (true);
		}
		verb = wordlist_get(words, 0);
		if (cmds_find(p->cx->all, verb) == NULL &&
		    strcmp(verb, "help") != 0 && strcmp(verb, "more") != 0 &&
		    cmd_play_mend(p, words) != 0) {
			json_decref(words);
			return (true);
		}
	}
	if (!cmd_play_has(cmd_play_secret, wordlist_get(words, 0)))
		term_remember(p->term, line);
	cmd_play_do(p, words);
	p->is_new = true;
	return (true);
}

/* What completes a command line; new. */
static json_t *
cmd_play_completions(const struct cmd_play *p)
{
	static const char *const own[] = {"help", "more", "quit", "rosters"};
	const struct cmd_entry *all;
	json_t *list;
	size_t i;
	char *s;

	list = xalloc_json(json_array());
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		wordlist_add(list, own[i]);
	for (all = p->cx->all; all->cmd != NULL; all++) {
		if (cmd_play_has(cmd_play_outside, all->name))
			continue;
		wordlist_add(list, all->name);
		s = xalloc_printf("help %s", all->name);
		wordlist_add(list, s);
		free(s);
	}
	for (i = 0; i < p->menu.actions.n; i++) {
		s = action_words(&p->menu.actions.list[i]);
		if (strchr(s, ' ') != NULL)
			wordlist_add(list, s);
		free(s);
	}
	return (list);
}

/* Asks for commands and carries them out, until the player leaves. */
static void
cmd_play_loop(struct cmd_play *p)
{
	char *prompt, *line;
	json_t *words;
	bool may_go_on = true;
	int r;

	while (may_go_on) {
		cmd_play_news(p);
		if (p->is_over)
			break;
		if (p->is_closing) {
			/* It is signed once for the lines that agreed. */
			p->is_closing = false;
			cmd_play_act(
			    p, &(struct action){.kind = ACTION_CLOSE, -1});
			p->is_new = true;
			continue;
		}
		if (cmd_play_find(p) || p->is_new)
			cmd_play_tell(p);
		prompt = cmd_play_prompt(p);
		words = cmd_play_completions(p);
		p->is_stale = false;
		p->is_asking = true;
		r = term_line(p->term, prompt, words, &line);
		p->is_asking = false;
		p->is_among = false;
		free(prompt);
		json_decref(words);
		if (r == ERR_BUSY)
			continue;
		if (r != 0)
			break;
		subscription_hurry(p->follow);
		may_go_on = cmd_play_line(p, line);
		free(line);
	}
}

/* Says which seat is ours. */
static void
cmd_play_who(const struct cmd_play *p)
{
	const struct game *g = play_game(p->pl);
	struct out *o = &p->cx->out;
	char *side;

	if (p->pl->seat < 0) {
		out_print(o,
		    "You %s%s%swatch: you have no seat in this game.\n",
		    p->pl->p->account == NULL ? "" : "are ",
		    p->pl->p->account == NULL ? "" : p->pl->p->account,
		    p->pl->p->account == NULL ? "" : ", and ");
		return;
	}
	side = p->pl->seat == 0 ? xalloc_str("director")
				: battle_side(g, game_side_of(p->pl->seat));
	out_print(o, "You are %s, in seat %d (%s).\n",
	    game_account(g, p->pl->seat), p->pl->seat, side);
	free(side);
}

/* Shows the game and plays it; the connection is taken over. */
static void
cmd_play_begin(struct cmd_play *p, struct link *link)
{
	char *path;

	if (link->wait_ms > CMD_PLAY_WAIT_MS)
		link->wait_ms = CMD_PLAY_WAIT_MS;
	p->follow = subscription_new(link);
	subscription_add(p->follow, p->pl);
	p->wait.fd = cmd_play_fd_cb;
	p->wait.ready = cmd_play_ready_cb;
	p->wait.arg = p;
	term_ask(p->term, &p->io);
	term_set_wait(p->term, &p->wait);
	path = profile_path(p->pl->p, LINEHIST_FILE);
	term_set_history(p->term, path);
	free(path);
	p->rp = report_new(&p->cx->out, replica_battle(p->pl->copy));
	report_heading(p->rp, p->pl->name);
	cmd_play_who(p);
	/* An open combat is told from its start, else a few lines are. */
	p->told = game_combat_seq(play_game(p->pl));
	if (p->told < 0 && p->pl->copy->n > CMD_PLAY_LINES)
		p->told = p->pl->copy->n - CMD_PLAY_LINES;
	else if (p->told < 0)
		p->told = 0;
	cmd_play_lines(p);
	p->is_new = true;
	cmd_play_loop(p);
}

/* Opens the game and the terminal. */
static int
cmd_play_run(struct cmd_ctx *cx)
{
	struct cmd_play p = {.cx = cx, .status = EX_OK};
	struct errinfo e = {.text = ""};
	int r, status;

	if (cx->io != NULL || cx->out.is_json || !out_can_ask() ||
	    !cx->out.is_tty)
		return (cmd_usage(cx,
		    "this is for a terminal; programs use `umpire show`, "
		    "`watch --json` and the rest"));
	status = play_open(cx, cmd_arg(cx, 0), PLAY_ONLINE, &p.pl);
	if (status != 0)
		return (status);
	if ((r = term_open(&cx->out, &p.term, &e)) != 0) {
		p.status = cmd_fail(r, &e);
	} else {
		cmd_play_begin(&p, play_take_link(p.pl));
	}
	menu_clear(&p.menu);
	report_free(p.rp);
	term_close(p.term);
	subscription_free(p.follow);
	play_close(p.pl);
	return (p.status);
}

const struct cmd cmd_play = {
    .min_args = 1,
    .max_args = 1,
    .run = cmd_play_run,
};
