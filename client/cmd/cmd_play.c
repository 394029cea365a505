/* SPDX-License-Identifier: ISC */
/*
 * umpire play: a game at the terminal.  What is done is done by the other
 * subcommands, run here with the words that were picked or typed; each opens
 * the game for itself, so that what they hold is not changed under them.
 * This one follows the game beside them, tells each line once, and says what
 * may be done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/words.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/agree.h"
#include "client/play/finish.h"
#include "client/play/follow.h"
#include "client/play/menu_more.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/replica/copy.h"
#include "client/report/report.h"
#include "client/report/rosters.h"
#include "client/ui/ask_list.h"
#include "client/ui/choice.h"
#include "client/ui/term.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

#define CMD_PLAY_HISTORY "history" /* in the profile's data */
#define CMD_PLAY_WAIT_MS 10000 /* for the server, while one may be typing */
#define CMD_PLAY_LINES 6 /* lines that are told at the start at most */

/* A game at the terminal. */
struct cmd_play {
	struct cmd_ctx *cx; /* borrowed */
	struct play *pl; /* owned */
	struct follow *follow; /* owned */
	struct report *rp; /* owned */
	struct term *term; /* owned */
	struct ask_io io;
	struct term_wait wait;
	struct choices choices; /* as they were shown */
	int64_t told; /* lines that were told */
	bool is_asking; /* for the next command: choices may be shown */
	bool is_stale; /* they changed while something was being typed */
	bool is_new; /* choices are to be shown */
	bool is_among; /* lines were printed last: the next follow them */
	bool is_closing; /* an agreed result waits to be signed */
	bool is_over; /* the game can not be followed any more */
	int status; /* the exit status then */
};

/* Verbs that act at once, and what is asked before. */
static const struct {
	const char *verb;
	const char *question;
} cmd_play_asked[] = {
    {"answer", "Answer"},
    {"claim", "Claim that their time is over"},
    {"decide", "Give this answer"},
    {"end-turn", "End your turn"},
    {"ready", "Say that you are ready"},
    {"roll", "Roll"},
    {"upkeep", "Give this order"},
};

/* Verbs whose words are not kept in the history: choices, addresses. */
static const char *const cmd_play_secret[] = {
    "decide", "notify", "standing", NULL};

/* Verbs that have no sense inside. */
static const char *const cmd_play_outside[] = {"play", "watch", NULL};

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

	if (p->choices.is_mine)
		state = "your move";
	else if (p->choices.is_over)
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
	choice_tell(&p->choices, p->pl);
	out_print(o, "%sype: %srosters, log, help, quit\n",
	    p->choices.n > 0 ? "Or t" : "T",
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
	struct choices now;
	bool is_same;

	choice_find(&now, p->pl);
	is_same = choice_is_same(&p->choices, &now) &&
	    json_equal(p->choices.says, now.says);
	choice_clear(&p->choices);
	p->choices = now;
	return (!is_same);
}

/*
 * Tells the lines that are new: behind one empty line, whatever the report
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
		(void)xalloc_json(NULL);
	report_lines(p->rp, p->told, p->pl->copy->n - 1, 0, NULL);
	if (fclose(p->cx->out.f) != 0)
		(void)xalloc_json(NULL);
	p->cx->out.f = f;
	if (!p->is_among)
		out_print(&p->cx->out, "\n");
	out_again(&p->cx->out, text + strspn(text, "\n"));
	free(text);
	p->is_among = true;
	p->told = p->pl->copy->n;
	p->is_closing = finish_is_due(p->pl);
	if (cmd_play_find(p))
		p->is_new = true;
}

/* Takes and tells what is new. */
static void
cmd_play_news(struct cmd_play *p)
{
	struct follow_news news;
	enum follow_what what;

	while (!p->is_over &&
	    (what = follow_next(p->follow, &news)) != FOLLOW_NOTHING) {
		switch (what) {
		case FOLLOW_LINES:
			cmd_play_lines(p);
			break;
		case FOLLOW_ROW:
			json_decref(news.row);
			break;
		case FOLLOW_LOST:
			out_print(&p->cx->out, "\n  %s; connecting again ...\n",
			    news.e.text);
			break;
		case FOLLOW_BACK:
			out_print(
			    &p->cx->out, "  The connection is there again.\n");
			break;
		case FOLLOW_REFUSED:
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

	*wait_ms = follow_wait_ms(p->follow);
	return (follow_fd(p->follow));
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
 * shown anew only where a command is asked for, not in a form.
 */
static char *
cmd_play_ready_cb(void *arg)
{
	struct cmd_play *p = arg;
	FILE *f = p->cx->out.f;
	char *text = NULL;
	size_t len = 0;

	if ((p->cx->out.f = open_memstream(&text, &len)) == NULL)
		(void)xalloc_json(NULL);
	cmd_play_news(p);
	if (p->is_closing && p->is_asking && !term_has_text(p->term))
		term_drop(p->term);
	else
		cmd_play_renew(p);
	if (fclose(p->cx->out.f) != 0)
		(void)xalloc_json(NULL);
	p->cx->out.f = f;
	if (p->is_over)
		term_end(p->term);
	if (len > 0)
		return (text);
	free(text);
	return (NULL);
}

/* True for a verb whose first operand is the game. */
static bool
cmd_play_wants_game(const struct cmd *cmd)
{
	return (strncmp(cmd->args, "GAME", 4) == 0 &&
	    (cmd->args[4] == '\0' || cmd->args[4] == ' '));
}

/* True for a verb that has a meaning of its own without its operand. */
static bool
cmd_play_may_want_game(const struct cmd *cmd, const json_t *words)
{
	return (
	    strstr(cmd->args, "GAME") != NULL && json_array_size(words) == 1);
}

/* True if the word is this game's name or number already. */
static bool
cmd_play_is_here(const struct cmd_play *p, const char *word)
{
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, p->pl->copy->id, HASH_LEN);
	return (strcmp(word, p->pl->name) == 0 || strcmp(word, hex) == 0);
}

/* Runs a subcommand with the words, and the game's number where it goes. */
static void
cmd_play_run_words(struct cmd_play *p, json_t *words)
{
	const struct cmd *cmd = cmd_find(words_get(words, 0));
	char hex[2 * HASH_LEN + 1], **argv;
	size_t i, n;

	hex_format(hex, p->pl->copy->id, HASH_LEN);
	if (cmd != NULL && !cmd_play_is_here(p, words_get(words, 1)) &&
	    (cmd_play_wants_game(cmd) || cmd_play_may_want_game(cmd, words))) {
		if (json_array_insert_new(words, 1, xalloc_json_str(hex)) != 0)
			(void)xalloc_json(NULL);
	}
	n = json_array_size(words);
	argv = xalloc((n + 1) * sizeof(*argv));
	for (i = 0; i < n; i++)
		argv[i] = xalloc_str(words_get(words, i));
	/* What failed was printed. */
	(void)cmd_inside(p->cx, &p->io, (int)n, argv);
	for (i = 0; i < n; i++)
		free(argv[i]);
	free(argv);
}

/* True if the words hold an option that makes the question idle. */
static bool
cmd_play_is_sure(const struct cmd_play *p, const json_t *words)
{
	const char *s;
	size_t i;

	for (i = 1; i < json_array_size(words); i++) {
		s = words_get(words, i);
		if (strcmp(s, "--yes") == 0 || strcmp(s, "-y") == 0 ||
		    strcmp(s, "--help") == 0 || strcmp(s, "-h") == 0)
			return (true);
	}
	return (p->cx->is_sure);
}

/* What a command line says behind its verb, as a question has it; free(). */
static char *
cmd_play_meant(const struct cmd_play *p, const json_t *words)
{
	json_t *rest;
	char *text;
	size_t i;

	/* An answer is told as the list has it. */
	for (i = 0;
	     strcmp(words_get(words, 0), "decide") == 0 && i < p->choices.n;
	     i++) {
		if (json_equal(p->choices.list[i].words, words))
			return (xalloc_str(p->choices.list[i].label));
	}
	rest = xalloc_copy(words);
	(void)json_array_remove(rest, 0); /* it is there */
	text = words_join(rest);
	json_decref(rest);
	return (text);
}

/* The question before an answer to what waits for one; free(), or NULL. */
static char *
cmd_play_answer(const struct cmd_play *p, const json_t *words)
{
	const char *say = words_get(words, 1);
	enum order_kind kind;
	int64_t seq;

	if (strcmp(words_get(words, 0), "answer") != 0 ||
	    !agree_is_owed(p->pl, &seq, &kind))
		return (NULL);
	if (strcmp(say, "object") == 0)
		return (xalloc_printf(
		    "Object to line %lld?  It is void then.", (long long)seq));
	if (strcmp(say, "agree") != 0)
		return (NULL);
	return (xalloc_printf("Agree to line %lld?%s", (long long)seq,
	    agree_is_open(kind) ? "  Dice may fall at once." : ""));
}

/*
 * Asks before what cannot be undone, where the subcommand does not ask
 * itself: it does before a form's answer and a secret one.
 */
static bool
cmd_play_may(struct cmd_play *p, const json_t *words)
{
	const char *verb = words_get(words, 0);
	size_t i, n = sizeof(cmd_play_asked) / sizeof(cmd_play_asked[0]);
	char *question, *text;
	bool is_sure = false;

	for (i = 0; i < n && strcmp(verb, cmd_play_asked[i].verb) != 0;)
		i++;
	if (i == n || cmd_play_is_sure(p, words) ||
	    (strcmp(verb, "decide") == 0 &&
		(p->choices.is_secret || json_array_size(words) == 1)))
		return (true);
	if ((question = cmd_play_answer(p, words)) == NULL) {
		text = cmd_play_meant(p, words);
		question = xalloc_printf("%s%s%s?", cmd_play_asked[i].question,
		    *text == '\0' ? "" : ": ", text);
		free(text);
	}
	/* Whoever goes back, or away, is not sure. */
	if (ask_yes(&p->io, question, 0, &is_sure) != 0)
		is_sure = false;
	free(question);
	if (!is_sure)
		out_print(&p->cx->out, "Nothing was sent.\n");
	return (is_sure);
}

/* Whoever objects says why, if they like: it goes beside the answer. */
static int
cmd_play_why(struct cmd_play *p, json_t *words)
{
	char *s;
	int r;

	if (json_array_size(words) != 2 ||
	    strcmp(words_get(words, 0), "answer") != 0 ||
	    strcmp(words_get(words, 1), "object") != 0)
		return (0);
	r = ask_text(&p->io, "Why do you object?", RECORD_TEXT_MAX, true, &s);
	if (r != 0)
		return (r);
	if (*s != '\0') {
		words_add(words, "--why");
		words_add(words, s);
	}
	free(s);
	return (0);
}

/* Carries out a command line; words is stolen. */
static void
cmd_play_do(struct cmd_play *p, json_t *words)
{
	const char *verb = words_get(words, 0);

	if (strcmp(verb, CHOICE_MORE) == 0) {
		json_decref(words);
		if (menu_more_ask(&p->io, p->pl, &words) != 0)
			return;
		verb = words_get(words, 0);
	}
	if (cmd_play_has(cmd_play_outside, verb)) {
		out_error("'%s' is of no use here: what comes is told as it "
			  "comes",
		    verb);
	} else if (more_fill(&p->io, words) == 0 &&
	    cmd_play_why(p, words) == 0 && cmd_play_may(p, words)) {
		cmd_play_run_words(p, words);
		follow_look(p->follow);
	}
	json_decref(words);
}

/* Prints what may be typed. */
static void
cmd_play_help(struct cmd_play *p)
{
	struct out *o = &p->cx->out;

	out_print(o,
	    "\n"
	    "Type the number of what you want to do, or words:\n"
	    "\n"
	    "  rosters, show, log  units and losses; the game; what "
	    "happened\n"
	    "  say TEXT            say something to the others\n"
	    "  roll 2d6            roll free dice\n"
	    "  offer draw          or a takeback, truce, pause, victory\n"
	    "  more                everything else, step by step\n"
	    "  help NAME           explain a subcommand: all of them can be "
	    "typed here, with\n"
	    "                      neither `umpire` nor the game's name\n"
	    "  quit, Ctrl-D        leave; the game goes on\n"
	    "\n"
	    "At every question b goes back one step, q leaves the questions, "
	    "? says what\nmay be typed.  Where several may be picked, guard* "
	    "is all that begin so.  Ctrl-C\ndrops a line; the tabulator "
	    "completes, the arrows bring earlier lines back.\n");
}

/* Prints both sides' units. */
static void
cmd_play_rosters(struct cmd_play *p)
{
	struct rosters *rs;

	if ((rs = rosters_new(p->pl->copy)) == NULL)
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
		cmd_play_help(p);
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
	words_add(*words, "say");
	words_add(*words, text);
	return (true);
}

/* True for the name of a subcommand, and what stands beside them. */
static bool
cmd_play_is_word(const char *word)
{
	return (cmd_find(word) != NULL || strcmp(word, "help") == 0 ||
	    strcmp(word, CHOICE_MORE) == 0);
}

/* Finds the words of a line: a number's, or its own. */
static int
cmd_play_words(struct cmd_play *p, const char *line, json_t **words)
{
	struct errinfo e = {.text = ""};
	int64_t n;

	if (strspn(line, "0123456789") == strlen(line)) {
		if (!opt_number(line, 1, (int64_t)p->choices.n, &n)) {
			out_error("there is no choice %s", line);
			return (ERR_INVALID);
		}
		if (p->is_stale) {
			out_error("what may be done has changed while you "
				  "typed: look again");
			p->is_new = true;
			return (ERR_STALE);
		}
		*words = xalloc_copy(p->choices.list[n - 1].words);
		return (0);
	}
	if (cmd_play_say(line, words))
		return (0);
	if (words_split(line, words, &e) != 0) {
		out_error("%s", e.text);
		return (ERR_INVALID);
	}
	if (cmd_play_is_word(words_get(*words, 0)))
		return (0);
	out_error("'%s' is nothing that can be typed here; type help",
	    words_get(*words, 0));
	json_decref(*words);
	return (ERR_NOTFOUND);
}

/* Does what a line says; true to go on. */
static bool
cmd_play_line(struct cmd_play *p, const char *line)
{
	json_t *words;
	bool is_end, is_number;

	if (cmd_play_own(p, line, &is_end))
		return (!is_end);
	if (cmd_play_words(p, line, &words) != 0)
		return (true);
	is_number = strspn(line, "0123456789") == strlen(line);
	if (!is_number && !cmd_play_has(cmd_play_secret, words_get(words, 0)))
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
	const struct cmd *const *all = cmd_all();
	json_t *list;
	size_t i;
	char *s;

	list = xalloc_json(json_array());
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		words_add(list, own[i]);
	for (i = 0; all[i] != NULL; i++) {
		if (cmd_play_has(cmd_play_outside, all[i]->name))
			continue;
		words_add(list, all[i]->name);
		s = xalloc_printf("help %s", all[i]->name);
		words_add(list, s);
		free(s);
	}
	for (i = 0; i < p->choices.n; i++) {
		if (json_array_size(p->choices.list[i].words) < 2)
			continue;
		s = words_join(p->choices.list[i].words);
		words_add(list, s);
		free(s);
	}
	return (list);
}

/* Signs the result that the last lines agreed upon, once for these. */
static void
cmd_play_finish(struct cmd_play *p)
{
	json_t *words = xalloc_json(json_array());

	p->is_closing = false;
	words_add(words, "close");
	cmd_play_run_words(p, words);
	follow_look(p->follow);
	p->is_new = true;
	json_decref(words);
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
			cmd_play_finish(p);
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
		may_go_on = cmd_play_line(p, line);
		free(line);
	}
}

/* The first line that is told at the start: an open combat, or a few lines. */
static int64_t
cmd_play_first(const struct cmd_play *p)
{
	json_t *view = xalloc_json(game_view(play_game(p->pl)));
	const json_t *combat = json_object_get(view, "combat");
	int64_t from = p->pl->copy->n - CMD_PLAY_LINES;

	if (json_is_object(combat))
		from = json_integer_value(json_object_get(combat, "declare"));
	json_decref(view);
	return (from < 0 ? 0 : from);
}

/* Shows the game and plays it; the connection is taken over. */
static void
cmd_play_begin(struct cmd_play *p, struct link *link)
{
	char *path;

	if (link->wait_ms > CMD_PLAY_WAIT_MS)
		link->wait_ms = CMD_PLAY_WAIT_MS;
	p->follow = follow_new(link);
	follow_add(p->follow, p->pl);
	p->wait.fd = cmd_play_fd_cb;
	p->wait.ready = cmd_play_ready_cb;
	p->wait.arg = p;
	term_ask(p->term, &p->io);
	term_set_wait(p->term, &p->wait);
	path = profile_path(p->pl->p, CMD_PLAY_HISTORY);
	term_set_history(p->term, path);
	free(path);
	p->rp = report_new(&p->cx->out, p->pl->copy);
	report_heading(p->rp, p->pl->name);
	p->told = cmd_play_first(p);
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
	choice_clear(&p.choices);
	report_free(p.rp);
	term_close(p.term);
	follow_free(p.follow);
	play_close(p.pl);
	return (p.status);
}

const struct cmd cmd_play = {
    .name = "play",
    .args = "GAME",
    .what = "play a game at the terminal, by numbers and words",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "It says how the game stands and lists by number what you may do; "
	    "what your\nopponent does is told as it comes.  Any subcommand "
	    "may be typed without `umpire`\nand without GAME: `say hello`, "
	    "`roll 2d6`, `help offer`.  Ctrl-D leaves.\n",
    .examples = "  umpire play evening\n",
    .run = cmd_play_run,
};
