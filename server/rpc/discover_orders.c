/* SPDX-License-Identifier: ISC */
/*
 * What orders look like, in tables, as umpire-record.7 (S3, S5, S6, S8) has
 * it and common/game checks it.  The inside of combats, decisions and units
 * is the rules' (umpire-rules.7) and not told here.
 */
#include "server/rpc/discover_orders.h"

#include "common/base/err.h"
#include "server/rpc/dispatch.h"
#include "server/rpc/rpc_schema.h"

#define SCHEMA_ONE(words) "{\"enum\":[" words "]}"
#define SCHEMA_RANGE(lo, hi) \
	"{\"type\":\"integer\",\"minimum\":" lo ",\"maximum\":" hi "}"
#define SCHEMA_SECONDS(lo) SCHEMA_RANGE(lo, "31536000")
#define SCHEMA_ID \
	"{\"type\":\"string\",\"pattern\":\"^[a-z0-9][a-z0-9._-]{0,31}$\"}"

#define ORDERS_WHY                                               \
	{                                                        \
		"why", SCHEMA_HASH, true, "text ref: the reason" \
	}
#define ORDERS_FOR                                                \
	{                                                         \
		"for", SCHEMA_HASH, true, "text ref: the purpose" \
	}
#define ORDERS_END           \
	{                    \
		.name = NULL \
	}

static const struct dispatch_field orders_none[] = {ORDERS_END};

static const struct dispatch_field orders_create[] = {
    {"seat", SCHEMA_RANGE("0", "1"), false, "1, or 0: the director's"},
    {"key", SCHEMA_KEY, false, "signs the author's orders"},
    {"dice_key", SCHEMA_DICE_KEY, false, "makes the author's part of dice"},
    {"recovery", SCHEMA_KEY, true, "signs key statements alone"},
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
    {"confirm", SCHEMA_BOOL, true, "declarations wait for an answer"},
    {"clock", SCHEMA_OBJECT, true, "none: time does not run"},
    {"clock.per", SCHEMA_ONE("\"order\",\"side\""), false,
	"so long for each order, or a bank for each side"},
    {"clock.first_s", SCHEMA_SECONDS("60"), false,
	"time for an order, or of the bank at first"},
    {"clock.add_s", SCHEMA_SECONDS("0"), true, "what a bank gets"},
    {"clock.cap_s", SCHEMA_SECONDS("60"), true, "what a bank holds at most"},
    {"clock.grace_s", SCHEMA_SECONDS("0"), true,
	"from the end of the time to the deadline"},
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
    ORDERS_END};

static const struct dispatch_field orders_join[] = {
    {"seat", SCHEMA_RANGE("0", "16"), false, "a free one"},
    {"key", SCHEMA_KEY, false, "as in create, likewise the others"},
    {"dice_key", SCHEMA_DICE_KEY, false, "none that sits there already"},
    {"recovery", SCHEMA_KEY, true, "signs key statements alone"},
    {"name", SCHEMA_HASH, true, "text ref"},
    {"account", SCHEMA_ACCOUNT, false, "the author's"},
    {"kn", SCHEMA_INT, false, "number of its last key statement"},
    {"kprev", SCHEMA_HASH, false, "its hash"}, ORDERS_END};

static const struct dispatch_field orders_declare[] = {
    {"combat", SCHEMA_OBJECT, false, "facts (umpire-rules.7)"}, ORDERS_END};

static const struct dispatch_field orders_decide[] = {
    {"ask", SCHEMA_INT, false, "the line that asked"},
    {"decision", SCHEMA_OBJECT, false, "the answer (umpire-rules.7)"},
    ORDERS_END};

static const struct dispatch_field orders_commit[] = {
    {"ask", SCHEMA_INT, false, "the line that asked"},
    {"commit", SCHEMA_HASH, false, "commits to salt and answer"}, ORDERS_END};

static const struct dispatch_field orders_open[] = {
    {"ask", SCHEMA_INT, false, "the line that asked"},
    {"salt", SCHEMA_HASH, false, "of the commit"},
    {"text", SCHEMA_TEXT, false, "the answer, as it was committed to"},
    ORDERS_END};

static const struct dispatch_field orders_answer[] = {
    {"to", SCHEMA_INT, false, "the line that waits"},
    {"say", SCHEMA_ONE("\"agree\",\"object\""), false, "the answer"},
    ORDERS_WHY, ORDERS_END};

static const struct dispatch_field orders_upkeep[] = {
    {"unit", SCHEMA_ID, false, "whose order it is"},
    {"do", SCHEMA_TEXT, false, "one that the system has"},
    {"battalion", SCHEMA_ID, true, "where the system's order wants one"},
    ORDERS_END};

static const struct dispatch_field orders_free[] = {
    {"dice", SCHEMA_RANGE("1", "1000"), true, "how many, with sides"},
    {"sides", SCHEMA_RANGE("2", "1000"), true, "of each die"},
    {"cup", SCHEMA_ID, true, "to draw from, with draw"},
    {"draw", SCHEMA_RANGE("1", "1000"), true, "chits"}, ORDERS_FOR, ORDERS_END};

static const struct dispatch_field orders_ruling[] = {
    {"void", SCHEMA_BOOL, true, "true, with from: as a takeback"},
    {"from", SCHEMA_INT, true, "the first line that is void"},
    {"units", SCHEMA_ARRAY(SCHEMA_OBJECT), true, "as in propose"},
    {"result", SCHEMA_RANGE("0", "2"), true, "the winner, 0: a draw"},
    {"claim", SCHEMA_INT, true, "a claim that waits, with do"},
    {"do", SCHEMA_ONE("\"forfeit\",\"extend\""), true, "what becomes of it"},
    {"extend_s", SCHEMA_SECONDS("60"), true, "for extend"},
    {"why", SCHEMA_HASH, false, "text ref: the reason"}, ORDERS_END};

static const struct dispatch_field orders_accept[] = {
    {"to", SCHEMA_INT, false, "the line of an offer, proposal or ruling"},
    ORDERS_END};

static const struct dispatch_field orders_pause[] = {
    {"do", SCHEMA_ONE("\"holiday\",\"resume\""), false, "what"},
    {"days", SCHEMA_RANGE("1", "366"), true, "for a holiday"}, ORDERS_END};

static const struct dispatch_field orders_chat[] = {
    {"ref", SCHEMA_HASH, false, "text ref: what is said"},
    {"to", SCHEMA_ONE("\"side\""), true, "else to all"}, ORDERS_END};

static const struct dispatch_field orders_propose[] = {
    {"what", SCHEMA_ONE("\"adjust\",\"roster\""), false, "what"},
    {"units", SCHEMA_ARRAY(SCHEMA_OBJECT), true,
	"adjust: id and new values of each"},
    {"roster", SCHEMA_HASH, true, "roster: the blob of other rosters"},
    ORDERS_WHY, ORDERS_END};

static const struct dispatch_field orders_offer[] = {
    {"what",
	SCHEMA_ONE("\"draw\",\"victory\",\"takeback\",\"pause\",\"truce\""),
	false, "what"},
    {"winner", SCHEMA_RANGE("1", "2"), true, "victory: the side"},
    {"from", SCHEMA_INT, true, "takeback: the first line"},
    {"days", SCHEMA_RANGE("1", "366"), true, "pause: how long"},
    {"turns", SCHEMA_RANGE("1", "99"), true, "truce: how long"}, ORDERS_WHY,
    ORDERS_END};

static const struct dispatch_field orders_standing[] = {
    {"commit", SCHEMA_HASH, false, "commits to salt and text"}, ORDERS_END};

static const struct dispatch_field orders_cup[] = {
    {"do", SCHEMA_ONE("\"make\",\"return\",\"shuffle\""), false, "what"},
    {"cup", SCHEMA_ID, false, "its name"},
    {"items", SCHEMA_ARRAY(SCHEMA_ID), true, "for make and return"}, ORDERS_FOR,
    ORDERS_END};

static const struct dispatch_field orders_note[] = {
    {"to", SCHEMA_INT, false, "the line that it is about"},
    {"say", SCHEMA_ONE("\"decline\",\"withdraw\",\"refuse\""), false, "what"},
    ORDERS_WHY, ORDERS_END};

const int discover_order_errors[] = {
    ERR_SERVER, ERR_SIGNATURE, ERR_TOOBIG, ERR_ILLEGAL, ERR_STORAGE, 0};

static const int orders_first[] = {ERR_MISSING, 0};
static const int orders_seat[] = {
    ERR_FORK, ERR_NONCE, ERR_MISSING, ERR_DENIED, 0};
static const int orders_timed[] = {ERR_FORK, ERR_NONCE, ERR_STALE, 0};
static const int orders_beside[] = {
    ERR_FORK, ERR_NONCE, ERR_STALE, ERR_MISSING, 0};
static const int orders_talk[] = {ERR_FORK, ERR_NONCE, ERR_MISSING, 0};

static const struct discover_order orders_all[] = {
    {ORDER_CREATE, "opens a game", orders_create, orders_first},
    {ORDER_JOIN, "takes a seat", orders_join, orders_seat},
    {ORDER_READY, "agrees to the others; the last one starts the game",
	orders_none, orders_timed},
    {ORDER_DECLARE, "declares a combat", orders_declare, orders_timed},
    {ORDER_DECIDE, "answers a combat's open question", orders_decide,
	orders_timed},
    {ORDER_COMMIT, "commits to a secret answer", orders_commit, orders_beside},
    {ORDER_OPEN, "opens a sealed answer", orders_open, orders_timed},
    {ORDER_ANSWER, "agrees or objects to a line that waits", orders_answer,
	orders_beside},
    {ORDER_UPKEEP, "gives a unit an order between combats", orders_upkeep,
	orders_timed},
    {ORDER_FREE, "rolls dice, or draws from a cup", orders_free, orders_beside},
    {ORDER_TURN_END, "ends the turn", orders_none, orders_timed},
    {ORDER_RULING, "rules, by the director", orders_ruling, orders_beside},
    {ORDER_ACCEPT, "accepts an offer, a proposal or a ruling", orders_accept,
	orders_timed},
    {ORDER_RESIGN, "resigns, or cancels a game not begun", orders_none,
	orders_timed},
    {ORDER_CLAIM, "claims that the other side's time is over", orders_none,
	orders_timed},
    {ORDER_PAUSE, "takes days off, or ends a pause", orders_pause,
	orders_timed},
    {ORDER_CLOSE, "signs the result, or offers to stop", orders_none,
	orders_timed},
    {ORDER_CHAT, "says something", orders_chat, orders_talk},
    {ORDER_PROPOSE, "proposes changes of units, or other rosters",
	orders_propose, orders_talk},
    {ORDER_OFFER, "offers a draw, victory, a takeback, a pause or a truce",
	orders_offer, orders_talk},
    {ORDER_STANDING, "answers questions to come", orders_standing, orders_talk},
    {ORDER_CUP, "makes a cup, puts chits back", orders_cup, orders_talk},
    {ORDER_NOTE, "declines, withdraws, or refuses a joiner", orders_note,
	orders_beside},
};

const struct discover_order *
discover_orders(size_t *n)
{
	*n = sizeof(orders_all) / sizeof(orders_all[0]);
	return (orders_all);
}
