/* SPDX-License-Identifier: ISC */
/*
 * The lobby: games as somebody may see them (access.h), that with the newest
 * line first.  Others are skipped, not counted, and no place or cursor tells of
 * a line before it may be seen.
 */
#include "server/rpc/rpc_list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/schema.h"
#include "common/rules/systems/systems.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/store.h"

#define RPC_LIST_GAMES 50
#define RPC_LIST_GAMES_MAX 200

/* A list being made of rows. */
struct rpc_list {
	struct session *s;
	json_t *games; /* owned */
	int64_t limit;
	bool is_invited; /* only games that the account may join by that */
	bool is_newest; /* of those in muster the newest of each account */
	struct rpc_list_cursor last; /* the last row in games */
	bool has_more;
};

/* Who sits in a game, by side; 0: the director, then the witness. */
struct rpc_list_players {
	json_t *sides[4]; /* borrowed arrays */
	json_t *names; /* borrowed: account -> its name for people */
};

/* Adds who sits in one seat. */
static int
rpc_list_seat_cb(void *arg, int seat, const char *account, const char *name)
{
	const struct rpc_list_players *p = arg;

	if (json_array_append_new(
		p->sides[seat == GAME_WITNESS ? 3 : game_side_of(seat)],
		json_string(account)) == -1 ||
	    (*name != '\0' &&
		json_object_set_new(p->names, account, json_string(name)) ==
		    -1))
		return (ERR_NOMEM);
	return (0);
}

/* Adds "players", "director", "witness", "names" to a game of the list. */
static int
rpc_list_add_players(struct store *reader, int64_t gid, json_t *v)
{
	struct rpc_list_players p = {
	    {json_array(), json_array(), json_array(), json_array()},
	    json_object()};
	const char *director, *witness;
	int i, r = ERR_NOMEM;

	if (p.sides[0] != NULL && p.sides[1] != NULL && p.sides[2] != NULL &&
	    p.sides[3] != NULL && p.names != NULL)
		r = store_account_people(reader, gid, rpc_list_seat_cb, &p);
	director = json_string_value(json_array_get(p.sides[0], 0));
	witness = json_string_value(json_array_get(p.sides[3], 0));
	if (r == 0 &&
	    (json_object_set_new(v, "players",
		 json_pack("[O, O]", p.sides[1], p.sides[2])) == -1 ||
		json_object_set_new(v, "director",
		    json_string(director == NULL ? "" : director)) == -1 ||
		json_object_set_new(v, "witness",
		    json_string(witness == NULL ? "" : witness)) == -1 ||
		json_object_set(v, "names", p.names) == -1))
		r = ERR_NOMEM;
	json_decref(p.names);
	for (i = 0; i < 4; i++)
		json_decref(p.sides[i]);
	return (r);
}

bool
rpc_list_is_prefix(const char *s)
{
	const size_t len = strlen(s);

	return (len > 0 && len <= 2 * (size_t)HASH_LEN &&
	    strspn(s, "0123456789abcdef") == len);
}

int64_t
rpc_list_lapsed_ms(const struct session *s)
{
	const int64_t days = s->io->live.muster_days;

	return (days == 0 ? INT64_MIN : clock_wall_ms() - days * 86400000);
}

const char *
rpc_list_phase(const struct session *s, const struct store_game_row *row)
{
	return (strcmp(row->phase, "muster") == 0 &&
		    row->at_ms < rpc_list_lapsed_ms(s)
		? "lapsed"
		: row->phase);
}

/* Room for what rpc_list_now() may write itself. */
#define RPC_LIST_NOW 80

/*
 * How a game stands, as far as it may be seen: of one that is shown with a
 * delay the turn alone, since what is kept is of its last line.  `still` is why
 * it takes no orders, "" if it does.
 */
static const char *
rpc_list_now(const struct session *s, const struct store_game_row *row,
    const struct access *see, const char *still, char room[RPC_LIST_NOW])
{
	const bool is_turns = row->delay_turns > 0;
	const int n = is_turns ? row->delay_turns : row->delay_minutes;

	if (strcmp(still, STORE_WHY_DAMAGED) == 0)
		return ("damaged: no orders are taken until the server's "
			"record is repaired");
	if (*still != '\0')
		return ("recovering: lines may be lost, and no orders are "
			"taken until they are back");
	if (strcmp(rpc_list_phase(s, row), "lapsed") == 0)
		return ("lapsed: it was not begun in time");
	if (!see->is_delayed)
		return (row->now);
	(void)snprintf(room, RPC_LIST_NOW, "turn %d, shown %d %s%s later",
	    see->turn, n, is_turns ? "turn" : "minute", n == 1 ? "" : "s");
	return (room);
}

/* How a game ended; null while it is undecided.  New. */
static json_t *
rpc_list_result(const struct store_game_row *row)
{
	return (row->how[0] == '\0'
		? json_null()
		: json_pack("{s:o, s:s}", "winner",
		      row->winner == 0 ? json_null()
				       : json_integer(row->winner),
		      "how", row->how));
}

int
rpc_list_row(struct session *s, const struct store_game_row *row,
    const struct access *see, json_t **out)
{
	char at[CLOCK_AT_LEN + 1], now[RPC_LIST_NOW];
	char still[STORE_WHY_MAX] = "";
	json_t *v;
	int r;

	r = store_standstill_why(s->io->reader, row->gid, still);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	clock_format(at, see->at_ms);
	v = json_pack("{s:o, s:s, s:s, s:[s, s], s:i, s:s, s:s, s:s, s:o, s:I,"
		      " s:s}",
	    "game", js_hex(row->id, HASH_LEN), "system", row->system, "phase",
	    rpc_list_phase(s, row), "seats", row->accounts[0], row->accounts[1],
	    "turn", see->turn, "event", row->event, "title", row->title, "now",
	    rpc_list_now(s, row, see, still, now), "result",
	    rpc_list_result(row), "seq", (json_int_t)see->last, "at", at);
	if (v == NULL)
		return (ERR_NOMEM);
	if ((r = rpc_list_add_players(s->io->reader, row->gid, v)) != 0)
		json_decref(v);
	else
		*out = v;
	return (r);
}

/* Adds who has opened a game, and how many others, if there are any. */
static int
rpc_list_add_others(
    const struct rpc_list *list, const struct store_game_row *row, json_t *v)
{
	char opener[STORE_ACCOUNT_MAX + 1];
	int64_t n;
	int r;

	if (!list->is_newest || row->is_private ||
	    strcmp(rpc_list_phase(list->s, row), "muster") != 0)
		return (0);
	r = store_list_others(list->s->io->reader, row->gid,
	    rpc_list_lapsed_ms(list->s), &n, opener);
	if (r == ERR_NOTFOUND || (r == 0 && n < 1))
		return (0);
	if (r == 0 &&
	    (json_object_set_new(v, "opener", json_string(opener)) == -1 ||
		json_object_set_new(v, "others", json_integer(n)) == -1))
		r = ERR_NOMEM;
	return (r);
}

/* Takes one row; 1 ends the list, since there are more. */
static int
rpc_list_cb(void *arg, const struct store_game_row *row)
{
	struct rpc_list *list = arg;
	struct access see;
	json_t *v;
	int r;

	if ((r = session_access(list->s, row, &see)) != 0)
		return (r);
	if (!see.is_known ||
	    (list->is_invited &&
		(see.is_seated ||
		    strcmp(rpc_list_phase(list->s, row), "muster") != 0)))
		return (0);
	if ((int64_t)json_array_size(list->games) == list->limit) {
		list->has_more = true;
		return (1);
	}
	list->last.listed_ms = row->listed_ms;
	memcpy(list->last.id, row->id, HASH_LEN);
	if ((r = rpc_list_row(list->s, row, &see, &v)) != 0)
		return (r);
	if ((r = rpc_list_add_others(list, row, v)) != 0) {
		json_decref(v);
		return (r);
	}
	return (json_array_append_new(list->games, v) == -1 ? ERR_NOMEM : 0);
}

void
rpc_list_write_cursor(
    char out[RPC_LIST_CURSOR], const struct rpc_list_cursor *c)
{
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, c->id, HASH_LEN);
	(void)snprintf(
	    out, RPC_LIST_CURSOR, "%lld.%s", (long long)c->listed_ms, hex);
}

int
rpc_list_read_cursor(struct store *st, const char *s, int64_t *listed_ms,
    int64_t *gid, struct errinfo *e)
{
	struct rpc_list_cursor c = {.listed_ms = -1};
	char again[RPC_LIST_CURSOR], *end;
	struct store_game_row row;
	int r = ERR_INVALID;

	errno = 0;
	c.listed_ms = strtoll(s, &end, 10);
	if (*end == '.')
		r = hex_parse(c.id, HASH_LEN, end + 1, strlen(end + 1));
	rpc_list_write_cursor(again, &c);
	if (r != 0 || errno != 0 || c.listed_ms < 0 || strcmp(again, s) != 0)
		return (js_fail_member(call_at(), "before", e,
		    "must be what an earlier list gave as more"));
	r = store_game_find(st, c.id, &row);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	*listed_ms = c.listed_ms;
	*gid = r == 0 ? row.gid : 0;
	return (0);
}

/* What game.list may be asked for. */
struct rpc_list_filter {
	struct store_list list;
	bool is_invited;
	int64_t limit;
};

/* Reads the params of game.list. */
static int
rpc_list_read_filter(struct store *st, const json_t *params,
    struct rpc_list_filter *f, struct errinfo *e)
{
	static const char *const phases[] = {
	    "muster", "lapsed", "play", "over", "finished", "halted", NULL};
	const struct js_at *at = call_at();
	const char *before = NULL;
	bool is_all = false;
	int phase = -1, r;

	f->limit = RPC_LIST_GAMES;
	f->list.before_ms = f->list.before_gid = INT64_MAX;
	if ((r = js_opt_str(params, "account", at, &f->list.account, e)) != 0 ||
	    (r = js_opt_enum(params, "phase", at, phases, &phase, e)) != 0 ||
	    (r = js_opt_str(params, "prefix", at, &f->list.prefix, e)) != 0 ||
	    (r = js_opt_str(params, "system", at, &f->list.system, e)) != 0 ||
	    (r = js_opt_str(params, "event", at, &f->list.event, e)) != 0 ||
	    (r = js_opt_int(params, "limit", at, 1, RPC_LIST_GAMES_MAX,
		 &f->limit, e)) != 0 ||
	    (r = js_opt_bool(params, "invited", at, &f->is_invited, e)) != 0 ||
	    (r = js_opt_bool(params, "all", at, &is_all, e)) != 0 ||
	    (r = js_opt_str(params, "before", at, &before, e)) != 0)
		return (r);
	if (phase >= 0)
		f->list.phase = phases[phase];
	if (f->list.account != NULL && !order_is_account(f->list.account))
		return (
		    js_fail_member(at, "account", e, "not an account's name"));
	if (f->list.prefix != NULL && !rpc_list_is_prefix(f->list.prefix))
		return (js_fail_member(
		    at, "prefix", e, "must be 1 to 64 lower-case hex digits"));
	if (f->list.system != NULL && systems_find(f->list.system) == NULL)
		return (js_fail_member(at, "system", e,
		    "no such system; server.hello names those that there are"));
	if (f->list.event != NULL && !order_is_event(f->list.event))
		return (js_fail_member(at, "event", e,
		    "must be 1 to 64 printable ASCII characters"));
	if (f->is_invited &&
	    (f->list.account != NULL || f->list.phase != NULL ||
		f->list.prefix != NULL || f->list.system != NULL ||
		f->list.event != NULL))
		return (js_fail_member(at, "invited", e,
		    "allows no other member than limit and before"));
	/* Somebody who opens many games does not push others off the page. */
	f->list.is_newest = !is_all && !f->is_invited &&
	    f->list.account == NULL && f->list.prefix == NULL &&
	    f->list.event == NULL &&
	    (f->list.phase == NULL || strcmp(f->list.phase, "muster") == 0);
	if (before == NULL)
		return (0);
	return (rpc_list_read_cursor(
	    st, before, &f->list.before_ms, &f->list.before_gid, e));
}

/* Answers game.list. */
static int
rpc_list_handle_games(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct store *reader = rq->s->io->reader;
	struct rpc_list_filter f = {.list = {.viewer = rq->s->account}};
	struct rpc_list list = {.s = rq->s};
	char more[RPC_LIST_CURSOR];
	int r;

	if ((r = rpc_list_read_filter(reader, rq->params, &f, e)) != 0)
		return (r);
	if (f.is_invited && !rq->s->is_logged_in)
		return (err_set(e, ERR_LOGIN, "params.invited",
		    "log in first; invitations belong to an account"));
	f.list.lapsed_ms = rpc_list_lapsed_ms(rq->s);
	list.limit = f.limit;
	list.is_newest = f.list.is_newest;
	list.is_invited = f.is_invited;
	if ((list.games = json_array()) == NULL)
		return (ERR_NOMEM);
	if (f.is_invited)
		r = store_list_invited(reader, rq->s->account, f.list.before_ms,
		    f.list.before_gid, rpc_list_cb, &list);
	else
		r = store_list_each(reader, &f.list, rpc_list_cb, &list);
	if (r < 0) {
		json_decref(list.games);
		return (r);
	}
	rpc_list_write_cursor(more, &list.last);
	*result = json_pack("{s:o, s:s*}", "games", list.games, "more",
	    list.has_more ? more : NULL);
	return (*result == NULL ? ERR_NOMEM : 0);
}

static const struct call_field rpc_list_games_params[] = {
    {"account", SCHEMA_ACCOUNT, true, "only games in which this account sits"},
    {"phase",
	"{\"enum\":[\"muster\",\"lapsed\",\"play\",\"over\",\"finished\","
	"\"halted\"]}",
	true, "only games in this phase"},
    {"prefix", SCHEMA_HEX("1,64"), true,
	"only games whose id begins with this"},
    {"system", SCHEMA_TEXT, true, "only games of this system"},
    {"event", "{\"type\":\"string\",\"minLength\":1,\"maxLength\":64}", true,
	"only games that belong to this event"},
    {"limit", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":200}", true,
	"games at most"},
    {"invited", SCHEMA_BOOL, true,
	"true: only games to which the account logged in is invited"},
    {"all", SCHEMA_BOOL, true,
	"true: not only the newest of an account's games in muster"},
    {"before", SCHEMA_TEXT, true, "an earlier list's more"},
    {.name = NULL},
};

const struct call_method rpc_list_games = {
    .name = "game.list",
    .what = "Lists games, the one with the newest line first.",
    .params = rpc_list_games_params,
    .result = CALL_FIELDS(
	{"games", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	    "game, system, phase, seats, players, director, witness, names, "
	    "turn, event, title, now, result, seq, at, opener, others of each"},
	{"more", SCHEMA_TEXT, true, "if there are more: the value for before"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_STORAGE),
    .handle = rpc_list_handle_games,
};
