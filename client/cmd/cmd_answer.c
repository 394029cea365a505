/* SPDX-License-Identifier: ISC */
/* umpire answer: agrees or objects to what waits for our answer. */
#include <string.h>
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/agree.h"
#include "client/play/commit.h"
#include "client/play/deal.h"
#include "client/play/tell.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Answers. */
static int
cmd_answer_play(struct play *pl, const char *word, const char *why)
{
	bool is_agreed = strcmp(word, "agree") == 0;
	enum order_kind kind;
	int64_t seq, to;
	int status;

	if (deal_is_sent(pl, ORDER_ANSWER, -1, word)) {
		tell_order(pl, pl->sent_seq);
		return (0);
	}
	if (!agree_is_owed(pl, &to, &kind))
		return (tell_not_now(pl, "no answer of yours is waited for"));
	if (!is_agreed && agree_is_final(kind))
		return (tell_not_now(pl, "nothing is left to object to"));
	if ((status = agree_send(pl, to, is_agreed, why, &seq)) != 0)
		return (status);
	/* What follows may be a choice that was sealed. */
	status = commit_open(pl, &to);
	tell_order(pl, seq);
	return (status);
}

/* Reads the word, opens the game, answers. */
static int
cmd_answer_run(struct cmd_ctx *cx)
{
	const char *word = cmd_arg(cx, 1), *why;
	struct play *pl;
	int status;

	if (strcmp(word, "agree") != 0 && strcmp(word, "object") != 0)
		return (
		    cmd_usage(cx, "'%s' is neither agree nor object", word));
	if ((status = deal_text(cx, "why", &why)) != 0)
		return (status);
	if (why != NULL && strcmp(word, "agree") == 0)
		return (cmd_usage(cx, "only who objects says why"));
	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = cmd_answer_play(pl, word, why);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_answer_opts[] = {
    {"why", 0, "TEXT", false, "what is wrong, if you object"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_answer = {
    .name = "answer",
    .args = "GAME agree|object",
    .what = "agree or object to what your opponent does",
    .opts = cmd_answer_opts,
    .min_args = 2,
    .max_args = 2,
    .more = "Where a game confirms, each declaration waits for the other side. "
	    " With live-1\n"
	    "dice everything that rolls does: your answer brings your part of "
	    "the dice,\n"
	    "which nobody can foresee before.  Who objects voids the line, and "
	    "nothing is\n"
	    "drawn; the same dice fall when it is declared again.  `umpire "
	    "watch --answer`\n"
	    "agrees to what leaves nothing to agree.\n",
    .examples = "  umpire answer evening agree\n"
		"  umpire answer evening object --why \"fr-1 is not in "
		"reach\"\n",
    .run = cmd_answer_run,
};
