/* SPDX-License-Identifier: ISC */
/*
 * The kinds of orders, a row each, as umpire-record.7 (S3, S5, S6, S8) has
 * them. The inside of combats, decisions and units is the rules'
 * (umpire-rules.7) and not told here.
 */
#include "common/record/order_kind.h"

#include <string.h>

#include "common/base/err.h"
#include "common/record/schema.h"

#define ORDER_ARG_WHY                                            \
	{                                                        \
		"why", SCHEMA_HASH, true, "text ref: the reason" \
	}
#define ORDER_ARG_FOR                                             \
	{                                                         \
		"for", SCHEMA_HASH, true, "text ref: the purpose" \
	}
#define ORDER_ARG_END        \
	{                    \
		.name = NULL \
	}

static const struct order_arg order_args_none[] = {ORDER_ARG_END};
static const struct order_arg order_args_claim[] = {
    {"to", SCHEMA_INT, true,
	"a line that director or witness have not answered, or a notice"},
    ORDER_ARG_END,
};

static const struct order_arg order_args_create[] = {
    {"seat", SCHEMA_RANGE("0", "2"), false,
	"1, or 0: the director's; of a tournament 1 or 2"},
    {"key", SCHEMA_KEY, false, "signs the author's orders"},
    {"dice_key", SCHEMA_DICE_KEY, false, "makes the author's part of dice"},
    {"keys", SCHEMA_ARRAY(SCHEMA_KEY), true, "the account's other keys"},
    {"recovery", SCHEMA_KEY, true, "the account's: signs resets alone"},
    {"name", SCHEMA_HASH, true, "text ref: the author's name"},
    {"system", SCHEMA_TEXT, false, "the rule system"},
    {"rules", SCHEMA_TEXT, false, "the version of its rules"},
    {"account", SCHEMA_ACCOUNT, false, "the author's"},
    {"kn", SCHEMA_INT, false, "number of the account's last key statement"},
    {"kprev", SCHEMA_HASH, false, "its hash; zeros if there is none"},
    {"rulings", SCHEMA_OBJECT, false, "rulings of the system, by name"},
    {"tables", SCHEMA_ARRAY(SCHEMA_HASH), false, "blobs of tables or bags"},
    {"roster", SCHEMA_HASH, false, "the blob of both sides' rosters"},
    {"scheme", SCHEMA_ONE("\"dual-1\",\"live-1\""), false, "how dice are made"},
    {"server_dice", SCHEMA_DICE_KEY, false, "the server's dice key"},
    {"secret", SCHEMA_ONE("\"held\",\"sealed\""), false,
	"who keeps secret choices"},
    {"silence", SCHEMA_ONE("\"forfeit\",\"director\""), false,
	"what a claim does while an answer is owed"},
    {"confirm", SCHEMA_ONE("false,true,\"facts\""), true,
	"declarations wait for an answer; facts: so do some decisions"},
    {"clock", SCHEMA_OBJECT, true, "none: time does not run"},
    {"clock.per", SCHEMA_ONE("\"order\",\"side\""), false,
	"so long for each order, or a bank for each side"},
    {"clock.first_s", SCHEMA_SECONDS("60"), false,
	"time for an order, or of the bank at first"},
    {"clock.add_s", SCHEMA_SECONDS("0"), true, "what a bank gets"},
    {"clock.cap_s", SCHEMA_SECONDS("60"), true, "what a bank holds at most"},
    {"clock.grace_s", SCHEMA_SECONDS("0"), true,
	"from the end of the time to the deadline"},
    {"clock.notice_s", SCHEMA_RANGE("0", "604800"), true,
	"how long a notice stands before a claim counts; 0: no notice"},
    {"clock.skip",
	SCHEMA_ARRAY(SCHEMA_ONE("\"mon\",\"tue\",\"wed\",\"thu\",\"fri\","
				"\"sat\",\"sun\"")),
	true, "days of UTC that do not count, not all seven"},
    {"clock.holidays", SCHEMA_RANGE("0", "366"), true, "days for each side"},
    {"clock.then", SCHEMA_ONE("\"forfeit\",\"default\",\"director\""), false,
	"what a claim does"},
    {"private", SCHEMA_BOOL, true, "seen by those who sit there alone"},
    {"event", SCHEMA_TEXT, true, "what the game belongs to"},
    {"round", SCHEMA_INT, true, "of the event"},
    {"table", SCHEMA_INT, true, "of the round"},
    {"tournament", SCHEMA_HASH, true, "whose leg the game is; so the next"},
    {"paired", SCHEMA_INT, true, "its line that has the pairing"},
    {"line", SCHEMA_HASH, true, "the hash of that"},
    {"leg", SCHEMA_RANGE("1", "3"), true, "of the table"},
    {"options", SCHEMA_OBJECT, true, "more settings"},
    {"options.seats", SCHEMA_RANGE("2", "16"), true, "players' seats, else 2"},
    {"options.director", SCHEMA_BOOL, true, "seat 0 joins too, else not"},
    {"options.takeback", SCHEMA_BOOL, true,
	"takebacks may be offered, else yes"},
    {"options.owner_fields", SCHEMA_ARRAY(SCHEMA_TEXT), true,
	"members of a unit that its side changes alone"},
    {"options.delay", SCHEMA_RANGE("0", "9999"), true,
	"turns by which spectators are behind"},
    {"options.delay_minutes", SCHEMA_RANGE("1", "10080"), true,
	"minutes by which they are"},
    {"options.witness", SCHEMA_KEY, true, "the key of seat 254, in live-1"},
    {"options.witness_s", SCHEMA_RANGE("60", "86400"), true,
	"how long it may be silent, else 600"},
    ORDER_ARG_END};

static const struct order_arg order_args_join[] = {
    {"seat", SCHEMA_RANGE("0", "254"), false, "a free one; 254: the witness"},
    {"key", SCHEMA_KEY, false, "as in create, likewise the others"},
    {"dice_key", SCHEMA_DICE_KEY, false, "none that sits there already"},
    {"keys", SCHEMA_ARRAY(SCHEMA_KEY), true, "the account's other keys"},
    {"recovery", SCHEMA_KEY, true, "the account's: signs resets alone"},
    {"name", SCHEMA_HASH, true, "text ref"},
    {"account", SCHEMA_ACCOUNT, false, "the author's"},
    {"kn", SCHEMA_INT, false, "number of its last key statement"},
    {"kprev", SCHEMA_HASH, false, "its hash"}, ORDER_ARG_END};

static const struct order_arg order_args_declare[] = {
    {"combat", SCHEMA_OBJECT, false, "facts (umpire-rules.7)"}, ORDER_ARG_END};

static const struct order_arg order_args_decide[] = {
    {"ask", SCHEMA_INT, false, "the line that asked"},
    {"decision", SCHEMA_OBJECT, false, "the answer (umpire-rules.7)"},
    ORDER_ARG_END};

static const struct order_arg order_args_commit[] = {
    {"ask", SCHEMA_INT, false, "the line that asked"},
    {"commit", SCHEMA_HASH, false, "commits to salt and answer"},
    ORDER_ARG_END};

static const struct order_arg order_args_open[] = {
    {"ask", SCHEMA_INT, false, "the line that asked"},
    {"salt", SCHEMA_HASH, false, "of the commit"},
    {"text", SCHEMA_TEXT, false, "the answer, as it was committed to"},
    ORDER_ARG_END};

static const struct order_arg order_args_answer[] = {
    {"to", SCHEMA_INT, false, "the line that waits"},
    {"say", SCHEMA_ONE("\"agree\",\"object\""), false, "the answer"},
    ORDER_ARG_WHY, ORDER_ARG_END};

static const struct order_arg order_args_upkeep[] = {
    {"unit", SCHEMA_ID, false, "whose order it is"},
    {"do", SCHEMA_TEXT, false, "one that the system has"},
    {"battalion", SCHEMA_ID, true, "where the system's order wants one"},
    ORDER_ARG_END};

static const struct order_arg order_args_free[] = {
    {"dice", SCHEMA_RANGE("1", "1000"), true, "how many, with sides"},
    {"sides", SCHEMA_RANGE("2", "1000"), true, "of each die"},
    {"cup", SCHEMA_ID, true, "to draw from, with draw"},
    {"draw", SCHEMA_RANGE("1", "1000"), true, "chits"}, ORDER_ARG_FOR,
    ORDER_ARG_END};

static const struct order_arg order_args_ruling[] = {
    {"void", SCHEMA_BOOL, true, "true, with from: as a takeback"},
    {"from", SCHEMA_INT, true, "the first line that is void"},
    {"units", SCHEMA_ARRAY(SCHEMA_OBJECT), true, "as in propose"},
    {"result", SCHEMA_RANGE("0", "2"), true, "the winner, 0: a draw"},
    {"claim", SCHEMA_INT, true, "a claim that waits, with do"},
    {"do", SCHEMA_ONE("\"forfeit\",\"extend\""), true, "what becomes of it"},
    {"extend_s", SCHEMA_SECONDS("60"), true, "for extend"},
    {"why", SCHEMA_HASH, false, "text ref: the reason"}, ORDER_ARG_END};

static const struct order_arg order_args_accept[] = {
    {"to", SCHEMA_INT, false,
	"the line of an offer, proposal or ruling, or of the server"},
    ORDER_ARG_END};

static const struct order_arg order_args_pause[] = {
    {"do", SCHEMA_ONE("\"holiday\",\"resume\""), false, "what"},
    {"days", SCHEMA_RANGE("1", "366"), true, "for a holiday"}, ORDER_ARG_END};

static const struct order_arg order_args_chat[] = {
    {"ref", SCHEMA_HASH, false, "text ref: what is said"},
    {"to", SCHEMA_ONE("\"side\""), true, "else to all"}, ORDER_ARG_END};

static const struct order_arg order_args_propose[] = {
    {"what", SCHEMA_ONE("\"adjust\",\"roster\""), false, "what"},
    {"units", SCHEMA_ARRAY(SCHEMA_OBJECT), true,
	"adjust: what changes, joins or goes"},
    {"roster", SCHEMA_HASH, true, "roster: the blob of other rosters"},
    ORDER_ARG_WHY, ORDER_ARG_END};

static const struct order_arg order_args_offer[] = {
    {"what",
	SCHEMA_ONE("\"draw\",\"victory\",\"takeback\",\"pause\",\"truce\","
		   "\"witness-out\""),
	false, "what"},
    {"winner", SCHEMA_RANGE("1", "2"), true, "victory: the side"},
    {"from", SCHEMA_INT, true, "takeback: the first line"},
    {"days", SCHEMA_RANGE("1", "366"), true, "pause: how long"},
    {"turns", SCHEMA_RANGE("1", "99"), true, "truce: how long"}, ORDER_ARG_WHY,
    ORDER_ARG_END};

static const struct order_arg order_args_standing[] = {
    {"commit", SCHEMA_HASH, false, "commits to salt and text"}, ORDER_ARG_END};

static const struct order_arg order_args_cup[] = {
    {"do", SCHEMA_ONE("\"make\",\"return\",\"shuffle\""), false, "what"},
    {"cup", SCHEMA_ID, false, "its name"},
    {"items", SCHEMA_ARRAY(SCHEMA_ID), true, "for make and return"},
    ORDER_ARG_FOR, ORDER_ARG_END};

static const struct order_arg order_args_note[] = {
    {"to", SCHEMA_INT, false, "the line that it is about"},
    {"say",
	SCHEMA_ONE("\"decline\",\"withdraw\",\"refuse\",\"passed\","
		   "\"answered\",\"anew\""),
	false, "what; the last three are the witness's"},
    ORDER_ARG_WHY, ORDER_ARG_END};

static const struct order_arg order_args_dice_key[] = {
    {"dice_key", SCHEMA_DICE_KEY, false, "none that is or was in the game"},
    ORDER_ARG_END};

static const int order_errors_first[] = {ERR_MISSING, 0};
static const int order_errors_seat[] = {
    ERR_FORK, ERR_NONCE, ERR_MISSING, ERR_DENIED, 0};
static const int order_errors_timed[] = {ERR_FORK, ERR_NONCE, ERR_STALE, 0};
static const int order_errors_beside[] = {
    ERR_FORK, ERR_NONCE, ERR_STALE, ERR_MISSING, 0};
static const int order_errors_talk_plain[] = {ERR_FORK, ERR_NONCE, 0};
static const int order_errors_talk[] = {ERR_FORK, ERR_NONCE, ERR_MISSING, 0};

/*
 * The kinds.  What is a reason to refuse any order is not among their errors.
 */
static const struct order_row order_kind_rows[] = {
    [ORDER_CREATE] = {"create", ORDER_CLASS_START, ORDER_NO, ORDER_NO, ORDER_NO,
	"name", "opens a game", order_args_create, order_errors_first},
    [ORDER_JOIN] = {"join", ORDER_CLASS_START, ORDER_NO, ORDER_NO, ORDER_NO,
	"name", "takes a seat", order_args_join, order_errors_seat},
    [ORDER_READY] = {"ready", ORDER_CLASS_REPLY, ORDER_MUST, ORDER_MUST,
	ORDER_NO, NULL, "agrees to the others; the last one starts the game",
	order_args_none, order_errors_timed},
    [ORDER_DECLARE] = {"declare", ORDER_CLASS_TURN, ORDER_MUST, ORDER_MUST,
	ORDER_NO, NULL, "declares a combat", order_args_declare,
	order_errors_timed},
    [ORDER_DECIDE] = {"decide", ORDER_CLASS_TURN, ORDER_MUST, ORDER_MUST,
	ORDER_NO, NULL, "answers a combat's open question", order_args_decide,
	order_errors_timed},
    [ORDER_COMMIT] = {"commit", ORDER_CLASS_TURN, ORDER_MUST, ORDER_MAY,
	ORDER_NO, NULL, "commits to a secret answer", order_args_commit,
	order_errors_beside},
    [ORDER_OPEN] = {"open", ORDER_CLASS_REPLY, ORDER_MUST, ORDER_MAY, ORDER_NO,
	NULL, "opens a sealed answer", order_args_open, order_errors_timed},
    [ORDER_ANSWER] = {"answer", ORDER_CLASS_REPLY, ORDER_MAY, ORDER_NO,
	ORDER_MAY, "why", "agrees or objects to a line that waits",
	order_args_answer, order_errors_beside},
    [ORDER_UPKEEP] = {"upkeep", ORDER_CLASS_TURN, ORDER_MUST, ORDER_MUST,
	ORDER_NO, NULL, "gives a unit an order between combats",
	order_args_upkeep, order_errors_timed},
    [ORDER_FREE] = {"free", ORDER_CLASS_TURN, ORDER_MUST, ORDER_MUST, ORDER_NO,
	"for", "rolls dice, or draws from a cup", order_args_free,
	order_errors_beside},
    [ORDER_TURN_END] = {"turn.end", ORDER_CLASS_TURN, ORDER_MUST, ORDER_MUST,
	ORDER_NO, NULL, "ends the turn", order_args_none, order_errors_timed},
    [ORDER_RULING] = {"ruling", ORDER_CLASS_TURN, ORDER_NO, ORDER_NO, ORDER_NO,
	"why", "rules, by the director", order_args_ruling,
	order_errors_beside},
    [ORDER_ACCEPT] = {"accept", ORDER_CLASS_REPLY, ORDER_MAY, ORDER_MAY,
	ORDER_NO, NULL, "accepts an offer, a proposal or a ruling",
	order_args_accept, order_errors_timed},
    [ORDER_RESIGN] = {"resign", ORDER_CLASS_END, ORDER_NO, ORDER_NO, ORDER_NO,
	NULL, "resigns, or cancels a game not begun", order_args_none,
	order_errors_timed},
    [ORDER_CLAIM] = {"claim", ORDER_CLASS_END, ORDER_MAY, ORDER_MAY, ORDER_NO,
	NULL, "claims that the other side's time is over", order_args_claim,
	order_errors_timed},
    [ORDER_PAUSE] = {"pause", ORDER_CLASS_END, ORDER_NO, ORDER_NO, ORDER_NO,
	NULL, "takes days off, or ends a pause", order_args_pause,
	order_errors_timed},
    [ORDER_CLOSE] = {"close", ORDER_CLASS_END, ORDER_NO, ORDER_NO, ORDER_NO,
	NULL, "signs the result, or offers to stop", order_args_none,
	order_errors_timed},
    [ORDER_CHAT] = {"chat", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO, ORDER_NO,
	"ref", "says something", order_args_chat, order_errors_talk},
    [ORDER_PROPOSE] = {"propose", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO,
	ORDER_NO, "why", "proposes changes of units, or other rosters",
	order_args_propose, order_errors_talk},
    [ORDER_OFFER] = {"offer", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO, ORDER_NO,
	"why",
	"offers a draw, victory, a takeback, a pause, a truce, no witness",
	order_args_offer, order_errors_talk},
    [ORDER_STANDING] = {"standing", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO,
	ORDER_NO, NULL, "answers questions to come", order_args_standing,
	order_errors_talk},
    [ORDER_CUP] = {"cup", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO, ORDER_NO, "for",
	"makes a cup, puts chits back", order_args_cup, order_errors_talk},
    [ORDER_NOTE] = {"note", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO, ORDER_NO,
	"why", "declines, withdraws, or refuses a joiner", order_args_note,
	order_errors_beside},
    [ORDER_DICE_KEY] = {"dice-key", ORDER_CLASS_TALK, ORDER_NO, ORDER_NO,
	ORDER_NO, NULL, "gives the seat a new dice key, from the next turn on",
	order_args_dice_key, order_errors_talk_plain},
    [ORDER_UNKNOWN] = {"", ORDER_CLASS_TALK, ORDER_MAY, ORDER_MAY, ORDER_MAY,
	NULL, "", NULL, NULL},
};

const struct order_row *
order_kind_row(enum order_kind kind)
{
	return (&order_kind_rows[kind]);
}

const char *
order_kind_name(enum order_kind kind)
{
	return (order_kind_rows[kind].name);
}

enum order_class
order_class_of(enum order_kind kind)
{
	return (order_kind_rows[kind].class);
}

enum order_kind
order_kind_of(const char *name)
{
	int i;

	for (i = 0; i < ORDER_UNKNOWN; i++) {
		if (strcmp(name, order_kind_rows[i].name) == 0)
			break;
	}
	return ((enum order_kind)i);
}
