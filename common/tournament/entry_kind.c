/* SPDX-License-Identifier: ISC */
/*
 * The kinds of a tournament's orders, a row each, as umpire-tournament-record.7
 * (S15.4, S15.5, S19.4) has them.
 */
#include "common/tournament/entry_kind.h"

#include <string.h>

#include "common/record/schema.h"

#define ENTRY_ARG_END        \
	{                    \
		.name = NULL \
	}
#define ENTRY_ROUND SCHEMA_RANGE("1", "1000")
#define ENTRY_TABLE SCHEMA_RANGE("1", "1000")
#define ENTRY_LEG SCHEMA_RANGE("1", "3")
#define ENTRY_NUMBER SCHEMA_RANGE("1", "100000")

static const struct order_arg entry_args_none[] = {ENTRY_ARG_END};

static const struct order_arg entry_args_create[] = {
    {"event", SCHEMA_TEXT, false, "the event of all games"},
    {"director", SCHEMA_OBJECT, false, "account, key, keys, kn, kprev, ..."},
    {"deputies", SCHEMA_ARRAY(SCHEMA_ACCOUNT), true, "who may direct, too"},
    {"witness", SCHEMA_OBJECT, true, "with options.witness: account, keys"},
    {"format",
	SCHEMA_ONE("\"swiss\",\"roundrobin\",\"knockout\","
		   "\"swiss+knockout\""),
	false, "who meets whom"},
    {"rounds", SCHEMA_RANGE("1", "30"), true, "of the Swiss; cycles"},
    {"cut", SCHEMA_ONE("2,4,8,16,32"), true, "how many go on to the knockout"},
    {"third", SCHEMA_BOOL, true, "the third place is played for"},
    {"concurrent", SCHEMA_BOOL, true, "all rounds of a round robin at once"},
    {"system", SCHEMA_TEXT, false, "the rule system of all games"},
    {"rules", SCHEMA_TEXT, false, "the version of its rules"},
    {"scheme", SCHEMA_ONE("\"dual-1\",\"live-1\""), false, "how dice are made"},
    {"server_dice", SCHEMA_DICE_KEY, false, "the server's dice key"},
    {"secret", SCHEMA_ONE("\"held\",\"sealed\""), false,
	"who keeps secret choices"},
    {"silence", SCHEMA_ONE("\"forfeit\",\"director\""), false,
	"what a claim does while an answer is owed"},
    {"confirm", SCHEMA_ONE("false,true,\"facts\""), true,
	"what waits for an answer"},
    {"clock", SCHEMA_OBJECT, true, "of every game"},
    {"options", SCHEMA_OBJECT, true, "of every game, without seats"},
    {"private", SCHEMA_BOOL, true, "seen by those who are here alone"},
    {"scenarios", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"name, roster, rulings, tables; round by round"},
    {"mirror", SCHEMA_BOOL, true, "two games a table, sides swapped"},
    {"points", SCHEMA_OBJECT, true, "win, draw, loss, in half points"},
    {"bye", SCHEMA_ONE("\"win\",\"draw\""), false, "what a bye scores"},
    {"resign", SCHEMA_RANGE("0", "1000"), true,
	"least loss of who gives a game up, in permille"},
    {"ties", SCHEMA_ARRAY(SCHEMA_TEXT), true, "codes of tie-breaks"},
    {"lots", SCHEMA_BOOL, true, "ties that are left go by lot"},
    {"entry", SCHEMA_OBJECT, false, "until, max, admit, late, late_points"},
    {"seed", SCHEMA_ONE("\"lots\",\"rating\""), false, "who is ranked first"},
    {"checkin_s", SCHEMA_SECONDS("3600"), false, "from shut to start"},
    {"start_s", SCHEMA_SECONDS("3600"), false, "until both must be there"},
    {"gap_s", SCHEMA_RANGE("0", "2592000"), true, "between two rounds"},
    {"dates", SCHEMA_ARRAY(SCHEMA_TIME), true, "before which none is paired"},
    {"round_s", SCHEMA_SECONDS("86400"), false, "how long a round may take"},
    {"late", SCHEMA_ONE("\"director\",\"draw\",\"lose\",\"points\""), false,
	"what becomes of a table after that"},
    {"margin", SCHEMA_RANGE("1", "1000"), true,
	"battle points that win a game that was stopped"},
    {"notice_s", SCHEMA_RANGE("0", "604800"), true,
	"between the two lines of a claim"},
    {"byes", SCHEMA_RANGE("0", "9"), true, "rounds one may be left out of"},
    {"bye_points", SCHEMA_ONE("\"zero\",\"half\""), true, "for these"},
    {"out_after", SCHEMA_RANGE("1", "9"), true, "no-shows that take one out"},
    {"apart", SCHEMA_RANGE("0", "30"), true,
	"rounds in which clubs are kept apart"},
    {"pair", SCHEMA_ONE("\"anybody\",\"director\""), true, "who pairs"},
    {"review_s", SCHEMA_RANGE("0", "2592000"), true, "before the end"},
    {"protest_s", SCHEMA_RANGE("0", "2592000"), true,
	"how long a protest holds things up"},
    {"ruling_s", SCHEMA_SECONDS("86400"), true,
	"how long a director is waited for"},
    {"continues", SCHEMA_OBJECT, true, "a tournament of another server"},
    ENTRY_ARG_END};

#define ENTRY_ARGS_KEYS                                                    \
	{"account", SCHEMA_ACCOUNT, false, "the author's"},                \
	    {"key", SCHEMA_KEY, false, "signs the author's orders"},       \
	    {"keys", SCHEMA_ARRAY(SCHEMA_KEY), true,                       \
		"the account's other keys"},                               \
	    {"kn", SCHEMA_INT, false, "number of its last key statement"}, \
	    {"kprev", SCHEMA_HASH, false, "its hash"},                     \
	{                                                                  \
		"recovery", SCHEMA_KEY, true,                              \
		    "the account's: signs resets "                         \
		    "alone"                                                \
	}

static const struct order_arg entry_args_deputy[] = {
    ENTRY_ARGS_KEYS, ENTRY_ARG_END};

static const struct order_arg entry_args_enter[] = {ENTRY_ARGS_KEYS,
    {"dice_key", SCHEMA_DICE_KEY, false, "makes the author's part of dice"},
    {"name", SCHEMA_HASH, true, "text ref: the author's name"},
    {"club", SCHEMA_ACCOUNT, true, "of the form of an account"},
    {"was", ENTRY_NUMBER, true, "the number before, where one continues"},
    {"statements", SCHEMA_ARRAY(SCHEMA_OBJECT), true,
	"key statements since, where one continues"},
    ENTRY_ARG_END};

static const struct order_arg entry_args_admit[] = {
    {"entrant", ENTRY_NUMBER, false, "who"},
    {"say", SCHEMA_ONE("\"yes\",\"no\""), false, "whether they may play"},
    {"rating", SCHEMA_RANGE("0", "9999"), true, "where seed is rating"},
    {"why", SCHEMA_HASH, true, "text ref: the reason"}, ENTRY_ARG_END};

static const struct order_arg entry_args_withdraw[] = {
    {"from", ENTRY_ROUND, false, "the first round without the author"},
    ENTRY_ARG_END};

static const struct order_arg entry_args_bye[] = {
    {"round", ENTRY_ROUND, false, "of the Swiss, not yet paired"},
    {"take", SCHEMA_BOOL, false, "whether to be left out of it"},
    ENTRY_ARG_END};

static const struct order_arg entry_args_dice_key[] = {
    {"dice_key", SCHEMA_DICE_KEY, false, "none that is or was here"},
    ENTRY_ARG_END};

static const struct order_arg entry_args_pair[] = {
    {"round", ENTRY_ROUND, false, "the next"}, ENTRY_ARG_END};

static const struct order_arg entry_args_claim[] = {
    {"round", ENTRY_ROUND, true, "of a notice"},
    {"table", ENTRY_TABLE, true, "of a notice"},
    {"leg", ENTRY_LEG, true, "of a notice"},
    {"to", SCHEMA_INT, true, "the line of the notice, to give it effect"},
    ENTRY_ARG_END};

static const struct order_arg entry_args_protest[] = {
    {"round", ENTRY_ROUND, false, "that was paired last"},
    {"table", ENTRY_TABLE, true, "of it"},
    {"why", SCHEMA_HASH, false, "text ref: the reason"}, ENTRY_ARG_END};

static const struct order_arg entry_args_ruling[] = {
    {"why", SCHEMA_HASH, false, "text ref: the reason"},
    {"result", SCHEMA_OBJECT, true, "round, table, leg, value, bp"},
    {"replay", SCHEMA_OBJECT, true, "round, table, leg: played again"},
    {"extend", SCHEMA_OBJECT, true, "round, table, seconds: more time"},
    {"points", SCHEMA_OBJECT, true, "entrant, half: half points"},
    {"expel", SCHEMA_OBJECT, true, "entrant, from, games"},
    {"back", SCHEMA_OBJECT, true, "entrant, from"},
    {"apart", SCHEMA_OBJECT, true, "entrants, from, to: not paired"},
    {"pairs", SCHEMA_OBJECT, true, "round, tables, bye: by hand"},
    {"witness", SCHEMA_OBJECT, true, "account, key, ...: another one"},
    {"rules", SCHEMA_OBJECT, true, "version, from: of the rules"},
    {"answer", SCHEMA_INT, true, "the line of a protest"},
    {"accept", SCHEMA_INT, true, "the line of an operator-key"}, ENTRY_ARG_END};

static const struct order_arg entry_args_stop[] = {
    {"round", ENTRY_ROUND, false, "the last one"},
    {"why", SCHEMA_HASH, false, "text ref: the reason"}, ENTRY_ARG_END};

static const struct order_arg entry_args_say[] = {
    {"ref", SCHEMA_HASH, false, "text ref: what is said"}, ENTRY_ARG_END};

static const struct entry_row entry_kind_rows[] = {
    [ENTRY_CREATE] = {"create", ORDER_NO, NULL, "opens a tournament",
	entry_args_create},
    [ENTRY_DEPUTY] = {"deputy", ORDER_NO, NULL, "directs, too, from here on",
	entry_args_deputy},
    [ENTRY_ENTER] = {"enter", ORDER_NO, "name", "enters", entry_args_enter},
    [ENTRY_ADMIT] = {"admit", ORDER_NO, "why", "admits an entrant, or not",
	entry_args_admit},
    [ENTRY_WITHDRAW] = {"withdraw", ORDER_NO, NULL, "plays no further rounds",
	entry_args_withdraw},
    [ENTRY_BYE] = {"bye", ORDER_NO, NULL, "asks to be left out of a round",
	entry_args_bye},
    [ENTRY_DICE_KEY] = {"dice-key", ORDER_NO, NULL, "gives a new dice key",
	entry_args_dice_key},
    [ENTRY_SHUT] = {"shut", ORDER_NO, NULL, "ends entries", entry_args_none},
    [ENTRY_CHECKIN] = {"checkin", ORDER_MUST, NULL,
	"is there, and gives a part of the lots", entry_args_none},
    [ENTRY_START] = {"start", ORDER_MAY, NULL, "draws lots", entry_args_none},
    [ENTRY_PAIR] = {"pair", ORDER_NO, NULL, "pairs a round", entry_args_pair},
    [ENTRY_CLAIM] = {"claim", ORDER_NO, NULL,
	"claims that a table's time is over", entry_args_claim},
    [ENTRY_PROTEST] = {"protest", ORDER_NO, "why", "protests",
	entry_args_protest},
    [ENTRY_RULING] = {"ruling", ORDER_NO, "why", "rules, by a director",
	entry_args_ruling},
    [ENTRY_STOP] = {"stop", ORDER_NO, "why", "makes a round the last",
	entry_args_stop},
    [ENTRY_FINISH] = {"finish", ORDER_NO, NULL, "ends the tournament",
	entry_args_none},
    [ENTRY_SAY] = {"say", ORDER_NO, "ref", "says something", entry_args_say},
    [ENTRY_UNKNOWN] = {"", ORDER_MAY, NULL, "", NULL},
};

const struct entry_row *
entry_kind_row(enum entry_kind kind)
{
	return (&entry_kind_rows[kind]);
}

const char *
entry_kind_name(enum entry_kind kind)
{
	return (entry_kind_rows[kind].name);
}

enum entry_kind
entry_kind_of(const char *name)
{
	int i;

	for (i = 0; i < ENTRY_UNKNOWN; i++) {
		if (strcmp(name, entry_kind_rows[i].name) == 0)
			break;
	}
	return ((enum entry_kind)i);
}
