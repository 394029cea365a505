/* SPDX-License-Identifier: ISC */
/*
 * From what a game waits for to what a player can do.  Only actions_suggest()
 * asks the rules.
 */
#include "client/play/actions.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/wordlist.h"
#include "client/base/xalloc.h"
#include "client/play/decision.h"
#include "client/play/duration.h"
#include "client/play/form_may.h"
#include "client/play/offers.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/report_end.h"
#include "client/report/stated.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/game_facts.h"
#include "common/game/game_make.h"
#include "common/game/game_offer.h"
#include "common/rules/question.h"

#define ACTIONS_TRIES 16 /* answers that are looked at for a suggestion */
#define ACTIONS_SUGGESTED 4 /* that are shown */
#define ACTIONS_EXTEND_S 86400 /* "1d" */
#define ACTIONS_DIGITS 16 /* of a game's number, where it is cut */

/* What the parts of this file pass around. */
struct actions_ctx {
	struct actions *a;
	const struct game *g;
	const struct battle *b;
	int seat;
	int side;
	struct game_waits waits;
	bool has_join; /* the free seats were told */
};

bool
actions_is_ours(const struct game_wait *w, int seat)
{
	if (seat < 0)
		return (false);
	return (w->seat >= 0 ? w->seat == seat : w->side == game_side_of(seat));
}

void
actions_add(struct actions *a, enum action_kind kind, int64_t seq, char *answer,
    json_t *args)
{
	struct action one = {kind, seq, answer, args, NULL};
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (action_is_same(&a->list[i], &one)) {
			free(answer);
			json_decref(args);
			return;
		}
	}
	a->list = xalloc_more(a->list, a->n, sizeof(*a->list));
	a->list[a->n++] = one;
}

/* Adds one that its kind alone says. */
static void
actions_plain(struct actions_ctx *x, enum action_kind kind)
{
	actions_add(x->a, kind, -1, NULL, NULL);
}

/* Adds a sentence. */
static void
actions_sentence(struct actions_ctx *x, bool is_mine, char *text)
{
	struct actions *a = x->a;

	a->says = xalloc_more(a->says, a->n_says, sizeof(*a->says));
	a->says[a->n_says].text = text;
	a->says[a->n_says++].is_mine = is_mine;
}

/* The same out of its parts: one on others. */
static void __attribute__((format(printf, 2, 3)))
actions_say(struct actions_ctx *x, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	actions_sentence(x, false, xalloc_vprintf(fmt, ap));
	va_end(ap);
}

/* The same after "It is your move: ", for what is ours to do. */
static void __attribute__((format(printf, 3, 4)))
actions_mine(struct actions_ctx *x, enum owed what, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	actions_sentence(x, true, xalloc_printf("It is your move: %s", s));
	free(s);
	/* The first text stays. */
	if (!x->a->is_mine) {
		free(x->a->what);
		x->a->what = xalloc_str(owed_words(what)->brief);
	}
	x->a->is_mine = true;
}

/*
 * Who sits in a seat (-1: on a side): "anna (French)", "anna, carl
 * (French)"; free().
 */
static char *
actions_who(const struct actions_ctx *x, int seat, int side)
{
	const char *account;
	char *name, *who;
	struct buf b;
	int i;

	if (seat == GAME_WITNESS)
		return (xalloc_str("the witness"));
	buf_init(&b, 0);
	for (i = 0; i < GAME_SEATS; i++) {
		account = game_account(x->g, i);
		if (*account != '\0' &&
		    (seat >= 0 ? i == seat : game_side_of(i) == side))
			buf_printf(&b, "%s%s", b.len == 0 ? "" : ", ",
			    x->b == NULL ? account
					 : x->b->called(x->b->arg, account));
	}
	name = side == 0 ? xalloc_str("the director") : battle_side(x->g, side);
	if (b.len == 0)
		who = xalloc_str(name);
	else
		who = xalloc_printf("%s (%s)", buf_str(&b), name);
	buf_clear(&b);
	free(name);
	return (who);
}

/* The open question is ours: it, and the answers that words can give. */
static void
actions_question(struct actions_ctx *x, enum owed what)
{
	json_t *ask = game_question(x->g, x->side), *list, *words, *decision;
	const char *kind = json_string_value(json_object_get(ask, "kind"));
	const char **split;
	struct errinfo e;
	const json_t *v;
	size_t i, j, n;

	if (ask == NULL)
		ask = xalloc_json(json_object());
	xalloc_set(ask, "ask", json_integer(game_question_seq(x->g)));
	if (kind != NULL)
		xalloc_set(
		    ask, "as", xalloc_copy(json_object_get(ask, "side")));
	x->a->ask = ask;
	actions_mine(x, what, "%s is owed (%s).", owed_words(what)->brief,
	    kind == NULL ? "" : kind);
	if (kind == NULL)
		return;
	list = decision_typical(kind, json_object_get(ask, "options"));
	json_array_foreach(list, i, v)
	{
		if (wordlist_split(json_string_value(v), &words, &e) != 0)
			continue;
		n = json_array_size(words);
		split = xalloc((n + 1) * sizeof(*split));
		for (j = 0; j < n; j++)
			split[j] = wordlist_get(words, j);
		if (decision_parse(kind, json_object_get(ask, "options"),
			(int)n, split, &decision, &e) == 0)
			actions_add(x->a, ACTION_DECIDE,
			    game_question_seq(x->g),
			    xalloc_str(json_string_value(v)), decision);
		free(split);
		json_decref(words);
	}
	x->a->has_answers = json_array_size(list) > 0;
	json_decref(list);
}

/* A secret question that one side has not committed to. */
static void
actions_commit(struct actions_ctx *x, bool is_mine, const char *who)
{
	bool is_owed[3] = {false}, has_ours, has_theirs;
	size_t i;

	for (i = 0; i < x->waits.n; i++) {
		if (x->waits.list[i].what == OWED_COMMIT)
			is_owed[x->waits.list[i].side] = true;
	}
	/* Neither has while both are to. */
	has_ours = x->side != 0 && !is_owed[x->side];
	has_theirs = x->side != 0 && !is_owed[3 - x->side];
	if (is_mine) {
		x->a->is_secret = true;
		actions_question(x, OWED_COMMIT);
	} else if (has_ours) {
		actions_say(x, "You have committed; %s has not yet.", who);
	} else {
		actions_say(x, "%s has not committed%s.", who,
		    x->side == 0 ? "" : " either");
	}
	if (is_mine)
		actions_say(x, "%s",
		    has_theirs ? "Your opponent has committed; both choices "
				 "are shown once you have, too."
			       : "Neither side sees the other's until both "
				 "have committed.");
}

/* The side in turn may declare or end its turn. */
static void
actions_turn(struct actions_ctx *x, bool is_mine, const char *who)
{
	const int truce = game_truce(x->g);
	const char *nobody;

	if (!is_mine) {
		actions_say(x, "Waiting for %s, whose turn it is.", who);
	} else {
		nobody = truce > 0 ? NULL
				   : form_may_not(game_system(x->g),
					 game_roster(x->g), x->side);
		if (nobody != NULL)
			actions_mine(x, OWED_TURN,
			    "end your turn.  No combat can be declared: %s.",
			    nobody);
		else
			actions_mine(x, OWED_TURN, "%s",
			    truce > 0 ? "end your turn."
				      : "declare a combat, or end your turn.");
		if (truce == 0 && nobody == NULL)
			actions_plain(x, ACTION_DECLARE);
		actions_plain(x, ACTION_END_TURN);
	}
	if (truce > 0)
		actions_say(x,
		    "There is a truce: no combat is declared before turn %d.",
		    truce);
}

/* What is said to be so on the table, and by whom; NULL; free(). */
static char *
actions_said(const struct actions_ctx *x, int64_t line)
{
	char *said = stated_words(x->g), *who, *s = NULL;
	int seat;

	if (said != NULL && *said != '\0') {
		seat = battle_entry(x->b, line)->seat;
		who = actions_who(x, seat, game_side_of(seat));
		s = xalloc_printf("%s says: %s", who, said);
		free(who);
	}
	free(said);
	return (s);
}

/* What waits is so on the table, as a side says, and who judges that. */
static void
actions_stated(struct actions_ctx *x, int64_t line)
{
	const int64_t until = game_unjudged_ms(x->g);
	char *said = actions_said(x, line), when[32];

	if (said != NULL)
		actions_say(x, "%s", said);
	free(said);
	if (!game_is_judged(x->g))
		return;
	actions_say(
	    x, "The other side has objected twice, so the director judges it.");
	if (until < 0)
		return;
	clock_local(when, until);
	if (clock_wall_ms() < until) {
		actions_say(x,
		    "If there is no judgement by %s, either side may claim "
		    "that it stands.",
		    when);
	} else if (x->side != 0) {
		actions_say(x,
		    "There was no judgement by %s: you may claim that it "
		    "stands.",
		    when);
		actions_plain(x, ACTION_CLAIM);
	}
}

/*
 * Dice that wait for the witness, and what may be done where it stays silent.
 */
static void
actions_silent(struct actions_ctx *x, const struct game_wait *w)
{
	const int64_t now = clock_wall_ms(), from = game_silent_ms(x->g);
	char when[32], *words;

	words = duration_words(w->since_ms < 0 || now < w->since_ms
		? 0
		: (now - w->since_ms) / 1000);
	actions_say(x, "The witness has not answered line %lld yet (%s).",
	    (long long)w->since, words);
	free(words);
	if (from < 0)
		return;
	clock_local(when, from);
	if (now < from) {
		actions_say(x,
		    "If it has not by %s, a player may claim that it is "
		    "silent.",
		    when);
	} else if (x->side != 0) {
		actions_say(x,
		    "You may claim that it is silent: then the side that does "
		    "not roll answers instead.");
		actions_plain(x, ACTION_CLAIM);
	}
}

/* An order that waits for the other side to agree or object. */
static void
actions_answer(
    struct actions_ctx *x, int64_t line, bool is_mine, const char *who)
{
	bool is_first;

	actions_stated(x, line);
	if (!is_mine) {
		actions_say(x, "Waiting for %s to agree to line %lld%s.", who,
		    (long long)line,
		    game_is_stand_in(x->g)      ? ", as the witness is silent"
			: game_may_object(x->g) ? ", or object"
						: "");
		return;
	}
	is_first = !x->a->is_mine;
	actions_mine(x, OWED_ANSWER, "line %lld waits for you to agree%s%s.",
	    (long long)line, game_may_object(x->g) ? " or to object" : "",
	    game_is_stand_in(x->g) ? ", as the witness is silent" : "");
	if (is_first) {
		free(x->a->what);
		x->a->what = xalloc_str(
		    game_may_object(x->g) ? "agree or object" : "agree");
	}
	actions_add(x->a, ACTION_AGREE, line, NULL, NULL);
	if (game_may_object(x->g))
		actions_add(x->a, ACTION_OBJECT, line, NULL, NULL);
}

/* Seats that nobody has taken: the director's, or all players' at once. */
static void
actions_join(struct actions_ctx *x, int seat)
{
	/* Whom a tournament has here comes by it alone. */
	const struct order_create *set = game_settings(x->g);
	const bool is_cup = set->has_tournament;
	char hex[2 * HASH_LEN + 1], *name;
	struct buf b;
	size_t i, n = 0;

	if (seat == GAME_WITNESS) {
		actions_say(x, "Waiting for the witness to join.");
		return;
	}
	hex_format(hex, is_cup ? set->tournament : game_id(x->g), HASH_LEN);
	if (seat == 0) {
		actions_say(x, "Waiting for a director in seat 0%s",
		    x->seat < 0 ? "." : ", who types:");
		/* The whole number and --seat 0 are too long for one line. */
		if (x->seat >= 0)
			actions_say(x, "  umpire %s %.*s%s",
			    is_cup ? "tournament play" : "join", ACTIONS_DIGITS,
			    hex, is_cup ? "" : " --seat 0");
		else if (!is_cup)
			actions_add(x->a, ACTION_JOIN_DIRECTOR, 0, NULL, NULL);
		return;
	}
	if (x->has_join)
		return;
	x->has_join = true;
	buf_init(&b, 0);
	for (i = 0; i < x->waits.n; i++) {
		seat = x->waits.list[i].seat;
		if (x->waits.list[i].what != OWED_JOIN || seat < 1 ||
		    seat == GAME_WITNESS)
			continue;
		name = battle_side(x->g, game_side_of(seat));
		buf_printf(&b, "%s%d (%s)", n++ == 0 ? "" : ", ", seat, name);
		free(name);
	}
	actions_say(x, "Waiting for %s %s%s",
	    n == 1 ? "a player in seat" : "players in seats", buf_str(&b),
	    x->seat < 0  ? "."
		: n == 1 ? ", who types:"
			 : ", who type:");
	buf_clear(&b);
	if (x->seat < 0 && !is_cup)
		actions_plain(x, ACTION_JOIN);
	else if (x->seat >= 0)
		actions_say(x, "  umpire %s %.*s",
		    is_cup ? "tournament play" : "join",
		    is_cup ? ACTIONS_DIGITS : 2 * HASH_LEN, hex);
}

const char *
actions_claim(const struct game *g, int side)
{
	if (game_is_judged(g))
		return ("Claim that it stands");
	if (game_silent_seq(g) >= 0)
		return ("Claim that the witness is silent");
	if (game_settings(g)->clock.notice_s > 0 &&
	    game_notice_seq(g, side) < 0)
		return ("Give notice that you will claim their time");
	return ("Claim that their time has run out");
}

/* Our notice that we will claim the other side's time. */
static void
actions_our_notice(struct actions_ctx *x)
{
	const int64_t now = clock_wall_ms();
	const int64_t until = game_notice_until_ms(x->g, x->side);
	char when[32], *due;

	clock_local(when, until);
	due = duration_due(now, until);
	if (until > now) {
		actions_say(x,
		    "You gave notice in line %lld: if they have not moved by "
		    "%s, %s, you may claim.",
		    (long long)game_notice_seq(x->g, x->side), when, due);
	} else {
		actions_say(x,
		    "You gave notice in line %lld, and they have not moved: "
		    "you may claim.",
		    (long long)game_notice_seq(x->g, x->side));
		actions_plain(x, ACTION_CLAIM);
	}
	free(due);
}

/* The other side's notice that it will claim our time. */
static void
actions_their_notice(struct actions_ctx *x)
{
	const int64_t now = clock_wall_ms();
	const int64_t until = game_notice_until_ms(x->g, 3 - x->side);
	char when[32], *due, *who;

	who = actions_who(x,
	    battle_entry(x->b, game_notice_seq(x->g, 3 - x->side))->seat,
	    3 - x->side);
	clock_local(when, until);
	due = duration_due(now, until);
	if (until > now)
		actions_say(x,
		    "%s has given notice: move by %s, %s, or they may claim.",
		    who, when, due);
	else
		actions_say(x,
		    "%s gave notice and may claim now; a move still stops "
		    "that.",
		    who);
	free(due);
	free(who);
}

/* What the other side may do about our time, which is over. */
static const char *
actions_may_claim(const struct actions_ctx *x)
{
	return (game_settings(x->g)->clock.notice_s > 0
		? ": the other side may give notice that it will claim"
		: ": the other side may claim it");
}

/* Until when it is to be done, where a clock runs. */
static void
actions_until(struct actions_ctx *x, const struct game_wait *w, bool is_mine)
{
	const bool is_noticed = game_notice_seq(x->g, 3 - x->side) >= 0;
	const int64_t now = clock_wall_ms(), until = w->until_ms;
	char when[32], *due;

	if (until < 0)
		return;
	clock_local(when, until);
	due = duration_due(now, until);
	if (is_mine) {
		x->a->until_ms = until;
		if (until > now)
			actions_say(
			    x, "Your time runs until %s, %s.", when, due);
		else
			actions_say(x, "Your time ran out at %s, %s%s.", when,
			    due, is_noticed ? "" : actions_may_claim(x));
		if (is_noticed)
			actions_their_notice(x);
	} else if (until > now) {
		actions_say(
		    x, "That side's time runs until %s, %s.", when, due);
	} else if (x->side != 0 && w->side == 3 - x->side) {
		if (game_notice_seq(x->g, x->side) >= 0) {
			actions_say(x, "That side's time ran out at %s, %s.",
			    when, due);
			actions_our_notice(x);
		} else {
			actions_say(x,
			    "That side's time ran out at %s, %s: you may %s.",
			    when, due,
			    game_settings(x->g)->clock.notice_s > 0
				? "give notice that you will claim"
				: "claim");
			actions_plain(x, ACTION_CLAIM);
		}
	} else {
		actions_say(
		    x, "That side's time ran out at %s, %s.", when, due);
	}
	free(due);
}

/* Why everybody gives another ready: the line that called for it says it. */
static const char *
actions_round(const struct actions_ctx *x)
{
	const enum order_kind kind = x->b == NULL
	    ? ORDER_UNKNOWN
	    : battle_entry(x->b, game_state_seq(x->g))->kind;

	return (kind == ORDER_TURN_END || kind == ORDER_DICE_KEY
		? "a new dice key: everybody gives `ready` once."
		: "everybody gives `ready` once more.");
}

/* One thing that the game waits for. */
static void
actions_owed(struct actions_ctx *x, const struct game_wait *w)
{
	const bool is_mine = actions_is_ours(w, x->seat);
	static const char *const others[OWED_OTHER] = {
	    [OWED_OPEN] = "open the secret choice",
	    [OWED_READY] = "say that they are ready",
	    [OWED_ACCEPT] = "accept that lines were lost",
	    [OWED_CLOSE] = "close the game",
	};
	char *who = actions_who(x, w->seat, w->side);

	if (!is_mine && others[w->what] != NULL) {
		actions_say(x, "Waiting for %s to %s.", who, others[w->what]);
		goto out;
	}
	switch (w->what) {
	case OWED_DECIDE:
		if (is_mine) {
			actions_question(x, OWED_DECIDE);
		} else {
			json_t *ask = game_question(x->g, w->side);
			const char *kind =
			    json_string_value(json_object_get(ask, "kind"));

			actions_say(x, "Waiting for %s to decide: %s.", who,
			    kind == NULL ? "" : kind);
			json_decref(ask);
		}
		break;
	case OWED_COMMIT:
		actions_commit(x, is_mine, who);
		break;
	case OWED_OPEN:
		actions_mine(x, OWED_OPEN,
		    "both sides have committed, and your choice waits to be "
		    "opened.");
		actions_plain(x, ACTION_OPEN);
		break;
	case OWED_TURN:
		actions_turn(x, is_mine, who);
		break;
	case OWED_ANSWER:
		if (w->seat == GAME_WITNESS)
			actions_silent(x, w);
		else
			actions_answer(x, w->since, is_mine, who);
		break;
	case OWED_RULING:
		if (!is_mine) {
			actions_say(x,
			    "Waiting for %s to rule on the claim of line %lld.",
			    who, (long long)game_claim_seq(x->g));
			break;
		}
		actions_mine(x, OWED_RULING, "rule on the claim of line %lld.",
		    (long long)game_claim_seq(x->g));
		actions_add(x->a, ACTION_FORFEIT, -1, NULL,
		    xalloc_json(json_pack("{s:s}", "do", "forfeit")));
		actions_add(x->a, ACTION_EXTEND, -1, NULL,
		    xalloc_json(json_pack("{s:s, s:i}", "do", "extend",
			"extend_s", ACTIONS_EXTEND_S)));
		break;
	case OWED_JOIN:
		actions_join(x, w->seat);
		break;
	case OWED_READY:
		actions_mine(x, OWED_READY, "%s",
		    game_is_round(x->g)
			? actions_round(x)
			: "say that you are ready, and so accept who plays.");
		actions_plain(x, ACTION_READY);
		break;
	case OWED_ACCEPT:
		actions_mine(x, OWED_ACCEPT,
		    "the server has lost lines that stood from line %lld on.  "
		    "The game goes on once all players have accepted that.",
		    (long long)w->since);
		actions_add(x->a, ACTION_ACCEPT, w->since, NULL, NULL);
		break;
	default:
		actions_mine(x, OWED_CLOSE,
		    "the game is over; close it to sign the result.");
		actions_plain(x, ACTION_CLOSE);
		break;
	}
out:
	if (!x->a->is_mine && *x->a->what == '\0') {
		free(x->a->what);
		x->a->what =
		    xalloc_printf("%s: %s", who, owed_words(w->what)->name);
	}
	actions_until(x, w, is_mine);
	free(who);
}

/* Why an offer cannot be accepted just now; NULL if it can (S5, S7). */
static const char *
actions_not_yet(const struct actions_ctx *x, const struct game_offer *f)
{
	size_t i;

	for (i = 0; i < x->waits.n; i++) {
		if (x->waits.list[i].what == OWED_ANSWER &&
		    (f->what != GAME_OFFER_SEAT ||
			x->waits.list[i].seat != f->seat))
			return ("once the answer is given");
		if (f->what == GAME_OFFER_SEAT)
			continue;
		if (x->waits.list[i].what == OWED_ACCEPT ||
		    x->waits.list[i].what == OWED_READY)
			return ("once all players are ready");
	}
	if (json_object_get(f->args, "units") != NULL &&
	    game_combat_seq(x->g) >= 0)
		return ("once the combat is over");
	return (NULL);
}

/* An offer that we may accept, decline or withdraw, or only see. */
static void
actions_offer(struct actions_ctx *x, const struct game_offer *f)
{
	const unsigned can = game_offer_may(x->g, f, x->seat);
	const bool is_asked = game_offer_asks(f, x->seat);
	const char *later = actions_not_yet(x, f), *may = ".";
	const bool is_seat = f->what == GAME_OFFER_SEAT;
	const bool is_own = f->seat == x->seat && !is_seat;
	char *about, *who;
	size_t verb;

	if (is_asked)
		may = ": accept or decline it.";
	else if (is_seat)
		may = (can & GAME_MAY_DECLINE) != 0
		    ? ": you have accepted it, and may still decline it."
		    : "; all others accept or decline it.";
	else if (f->what == GAME_OFFER_RULING && x->seat > 2)
		may = "; seats 1 and 2 accept or decline it.";
	else if ((can & GAME_MAY_WITHDRAW) != 0)
		may = (can & GAME_MAY_ACCEPT) != 0 ? ": accept or withdraw it."
						   : ": you may withdraw it.";
	about = offers_words(x->g, x->b, f);
	verb = strcspn(about, " ");
	who = is_own  ? xalloc_str("You")
	    : is_seat ? xalloc_str("The operator")
		      : actions_who(x, f->seat, game_side_of(f->seat));
	/* "You offer", but "anna offers". */
	actions_say(x, "%s %.*s%s (line %lld)%s", who, (int)verb - is_own,
	    about, about + verb, (long long)f->seq, may);
	free(about);
	free(who);
	x->a->has_offer = x->a->has_offer || is_asked;
	if ((can & GAME_MAY_ACCEPT) != 0 && later == NULL)
		actions_add(x->a, ACTION_ACCEPT, f->seq, NULL, NULL);
	else if ((can & GAME_MAY_ACCEPT) != 0)
		actions_say(x, "It can be accepted %s.", later);
	if (is_asked || (is_seat && (can & GAME_MAY_DECLINE) != 0))
		actions_add(x->a, ACTION_DECLINE, f->seq, NULL, NULL);
	else if ((can & GAME_MAY_WITHDRAW) != 0)
		actions_add(x->a, ACTION_WITHDRAW, f->seq, NULL, NULL);
}

/* Offers to stop without a result. */
static void
actions_stop(struct actions_ctx *x)
{
	char *who;
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (!game_is_closed(x->g, i))
			continue;
		if (i == x->seat) {
			actions_say(x,
			    "You have offered to stop without a result; any "
			    "move cancels the offer.");
			continue;
		}
		who = actions_who(x, i, game_side_of(i));
		actions_say(x,
		    "%s offers to stop without a result; any move cancels the "
		    "offer.",
		    who);
		free(who);
		if (x->side != 0 && game_side_of(i) != x->side)
			actions_plain(x, ACTION_CLOSE);
	}
}

char *
actions_fact(const struct game *g, const struct battle *b)
{
	struct actions_ctx x = {.g = g, .b = b, .seat = -1};
	size_t i;

	game_waiting(g, &x.waits);
	for (i = 0; i < x.waits.n; i++) {
		if (x.waits.list[i].what == OWED_ANSWER)
			return (actions_said(&x, x.waits.list[i].since));
	}
	return (NULL);
}

void
actions_find(
    struct actions *a, const struct game *g, const struct battle *b, int seat)
{
	struct actions_ctx x = {.a = a,
	    .g = g,
	    .b = b,
	    .seat = seat,
	    .side = seat < 1 ? 0 : game_side_of(seat)};
	const enum game_phase phase = game_phase(g);
	const int winner = game_winner(g);
	const struct game_offer *offers;
	char *who = NULL;
	size_t i, n;

	memset(a, 0, sizeof(*a));
	a->what = xalloc_str("");
	a->since = a->until_ms = -1;
	game_waits_owed(g, &x.waits);
	if (game_how(g) != GAME_UNDECIDED || phase == GAME_HALTED) {
		if (winner != 0)
			who = actions_who(&x, -1, winner);
		actions_sentence(
		    &x, false, report_end_result(phase, game_how(g), who));
		free(who);
	}
	who = game_how(g) == GAME_UNDECIDED || seat < 0 ? NULL
							: report_end_cup(g);
	if (who != NULL)
		actions_sentence(&x, false, who);
	if (phase == GAME_FINISHED)
		actions_say(
		    &x, "The game is finished; its record is complete.");
	if (x.waits.n > 0)
		a->since = x.waits.list[0].since;
	/* What is ours is said first; the others are mentioned beside it. */
	for (i = 0; i < 2 * x.waits.n; i++) {
		const struct game_wait *w = &x.waits.list[i % x.waits.n];

		if (actions_is_ours(w, seat) == (i < x.waits.n))
			actions_owed(&x, w);
	}
	offers = game_offers(g, &n);
	for (i = 0; i < n; i++)
		actions_offer(&x, &offers[i]);
	if (a->has_offer && !a->is_mine) {
		free(a->what);
		a->what = xalloc_str(owed_words(OWED_OFFER)->brief);
	}
	if (phase == GAME_PLAY)
		actions_stop(&x);
	if (*a->what == '\0') {
		free(a->what);
		a->what = xalloc_str(game_phase_name(phase));
	}
}

/* How an answer is picked among all. */
struct actions_pick {
	int how; /* 0: always the first, 1: always the last, else by steps */
	uint32_t n; /* picks so far */
};

/* question_pick: the same picks in every run. */
static uint32_t
actions_pick_cb(void *arg, uint32_t n)
{
	struct actions_pick *p = arg;

	p->n++;
	if (p->how == 0)
		return (0);
	if (p->how == 1)
		return (n - 1);
	return ((p->n * 7 + (uint32_t)p->how * 5) % n);
}

void
actions_suggest(struct actions *a, const struct game *g, int seat)
{
	struct actions_pick picks = {.how = 0};
	const struct question_pick p = {actions_pick_cb, &picks};
	const size_t had = a->n;
	json_t *decision;

	if (a->ask == NULL || a->is_secret || a->has_answers)
		return;
	for (; picks.how < ACTIONS_TRIES && a->n < had + ACTIONS_SUGGESTED;
	     picks.how++) {
		picks.n = 0;
		if (game_sample_decision(g, seat, &p, &decision) != 0)
			return;
		actions_add(
		    a, ACTION_DECIDE, game_question_seq(g), NULL, decision);
	}
	a->has_answers = a->n > had;
}

void
actions_clear(struct actions *a)
{
	size_t i;

	for (i = 0; i < a->n_says; i++)
		free(a->says[i].text);
	for (i = 0; i < a->n; i++)
		action_clear(&a->list[i]);
	free(a->what);
	free(a->says);
	free(a->list);
	json_decref(a->ask);
	memset(a, 0, sizeof(*a));
}
