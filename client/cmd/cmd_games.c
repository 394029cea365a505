/* SPDX-License-Identifier: ISC */
/* umpire games: our own games and whose move it is; or the server's. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/actions.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/report/people.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define CMD_GAMES_SHORT 8 /* digits of a game's number */
#define CMD_GAMES_NEWEST 200 /* that are looked through for those not here */

/*
 * The players on other sides than ours (all of them, if we have no seat), by
 * account, or by the names that people see; new.
 */
static json_t *
cmd_games_opponents(const struct game *g, int seat, struct people *called)
{
	int side = seat < 0 ? 0 : game_side_of(seat), i;
	const char *account;
	struct buf b;
	json_t *v;

	buf_init(&b, 0);
	for (i = 1; i < GAME_SEATS; i++) {
		account = game_account(g, i);
		if (*account != '\0' && game_side_of(i) != side)
			buf_printf(&b, "%s%s", b.len == 0 ? "" : ", ",
			    called == NULL ? account
					   : people_tell(called, account));
	}
	v = xalloc_json_str(buf_str(&b));
	buf_clear(&b);
	return (v);
}

/* One of our own games as a row; new. */
static json_t *
cmd_games_row(const struct play *pl)
{
	static const char *const where[] = {
	    "tournament", "event", "round", "table"};
	const bool is_lapsed = play_is_lapsed(pl);
	const struct game *g = play_game(pl);
	char at[CLOCK_AT_LEN + 1], until[CLOCK_AT_LEN + 1], *nick;
	struct people *people;
	struct actions a;
	json_t *args, *v;
	size_t i;

	people = people_of(replica_battle(pl->copy));
	actions_find(&a, g, replica_battle(pl->copy), pl->seat);
	nick = profile_nick(pl->p, game_id(g));
	clock_format(at, game_at_ms(g));
	clock_format(until, a.until_ms < 0 ? 0 : a.until_ms);
	v = xalloc_json(json_pack("{s:o, s:s?, s:s, s:s, s:i, s:o, s:o, s:o}",
	    "game", js_hex(game_id(g), HASH_LEN), "name", nick, "system",
	    game_system(g), "phase",
	    is_lapsed ? "lapsed" : game_phase_name(game_phase(g)), "turn",
	    game_turn(g), "seat",
	    pl->seat < 0 ? json_null() : json_integer(pl->seat), "opponent",
	    cmd_games_opponents(g, pl->seat, NULL), "opponent_display",
	    cmd_games_opponents(g, pl->seat, people)));
	xalloc_set(v, "seq", json_integer(game_seq(g)));
	xalloc_set(v, "at", json_string(at));
	xalloc_set(v, "my_move",
	    json_boolean(!is_lapsed && (a.is_mine || a.has_offer)));
	xalloc_set(v, "waits_for",
	    xalloc_json_str(
		is_lapsed ? "nobody: it has lapsed; cancel it" : a.what));
	xalloc_set(
	    v, "until", a.until_ms < 0 ? json_null() : json_string(until));
	args = replica_create_args(pl->copy);
	for (i = 0; i < sizeof(where) / sizeof(*where); i++)
		xalloc_set(v, where[i],
		    json_object_get(args, where[i]) == NULL
			? json_null()
			: xalloc_copy(json_object_get(args, where[i])));
	json_decref(args);
	free(nick);
	actions_clear(&a);
	people_free(people);
	return (v);
}

/* When the last line of a row was written, for people, in when. */
static const char *
cmd_games_when(const json_t *v, char when[32])
{
	const char *at = text_member(v, "at");
	int64_t ms;

	return (
	    clock_parse(at, strlen(at), &ms) == 0 ? out_time(when, ms) : "");
}

/* Prints rows as a table. */
static void
cmd_games_table(struct out *o, const json_t *rows)
{
	const char *cells[7], *what;
	char when[32], *turn, *id, *mine;
	struct out_table *t;
	const json_t *v;
	size_t i;

	t = out_table_new((const char *const[]){"NAME", "GAME", ">TURN",
	    "OPPONENT", "LAST LINE", "~WAITS FOR", NULL});
	json_array_foreach(rows, i, v)
	{
		id = xalloc_strn(text_member(v, "game"), CMD_GAMES_SHORT);
		turn = xalloc_printf("%lld", (long long)js_int(v, "turn"));
		what = text_member(v, "waits_for");
		mine = json_is_true(json_object_get(v, "my_move"))
		    ? xalloc_printf("YOU: %s", what)
		    : json_is_null(json_object_get(v, "seat"))
		    ? xalloc_str("(your key has no seat in it)")
		    : xalloc_str(what);
		cells[0] = text_member(v, "name");
		cells[1] = id;
		cells[2] = turn;
		cells[3] = text_member(v, "opponent_display");
		cells[4] = cmd_games_when(v, when);
		cells[5] = mine;
		out_table_line(t, cells);
		free(id);
		free(turn);
		free(mine);
	}
	out_table_end(o, t);
}

/* Orders rows: our move first, then the newest line, for qsort(). */
static int
cmd_games_compare_cb(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;
	int mine_x = json_is_true(json_object_get(*x, "my_move"));
	int mine_y = json_is_true(json_object_get(*y, "my_move"));

	if (mine_x != mine_y)
		return (mine_y - mine_x);
	return (strcmp(text_member(*y, "at"), text_member(*x, "at")));
}

/* The same rows in their order for people; new. */
static json_t *
cmd_games_sort(const json_t *rows)
{
	size_t i, n = json_array_size(rows);
	json_t **list, *sorted;

	list = xalloc((n + 1) * sizeof(json_t *));
	for (i = 0; i < n; i++)
		list[i] = json_array_get(rows, i);
	qsort(list, n, sizeof(json_t *), cmd_games_compare_cb);
	sorted = xalloc_json(json_array());
	for (i = 0; i < n; i++)
		xalloc_append(sorted, json_incref(list[i]));
	free(list);
	return (sorted);
}

/*
 * Adds a row for each of these games, brought up to date over one connection,
 * which comes back; *l may be NULL.  If one fails that is told, and the others
 * follow.
 */
static int
cmd_games_gather(struct cmd_ctx *cx, struct link **l, uint8_t (*ids)[HASH_LEN],
    size_t n, json_t *rows)
{
	struct profile *p;
	struct play *pl;
	int status, worst = EX_OK;
	size_t i;

	for (i = 0; i < n; i++) {
		if ((status = play_profile(cx, &p)) != 0)
			return (status);
		status = play_open_id(cx, p, *l, ids[i], PLAY_READ, &pl);
		*l = NULL;
		if (status != 0) {
			show_failed(cx, ids[i], "listed");
			/* A proved fault outweighs all others. */
			if (worst != EX_PROTOCOL)
				worst = status;
			continue;
		}
		xalloc_append(rows, cmd_games_row(pl));
		*l = play_take_link(pl);
		play_close(pl);
	}
	return (worst);
}

/* Prints the server's rows as a table. */
static void
cmd_games_all_table(struct out *o, const json_t *rows)
{
	const char *cells[6], *one, *two;
	char when[32], *id;
	const json_t *v, *seats;
	struct people *people;
	struct out_table *t;
	size_t i;

	t = out_table_new((const char *const[]){
	    "GAME", "SYSTEM", "SIDE 1", "SIDE 2", "LAST LINE", "~NOW", NULL});
	people = people_new();
	json_array_foreach(rows, i, v)
	{
		people_add_list(people, json_object_get(v, "players"),
		    json_object_get(v, "names"));
		people_add_list(people, json_object_get(v, "seats"),
		    json_object_get(v, "names"));
	}
	json_array_foreach(rows, i, v)
	{
		seats = json_object_get(v, "seats");
		one = json_string_value(json_array_get(seats, 0));
		two = json_string_value(json_array_get(seats, 1));
		id = xalloc_strn(text_member(v, "game"),
		    strlen(text_member(v, "game")) < CMD_GAMES_SHORT
			? 0
			: CMD_GAMES_SHORT);
		cells[0] = id;
		cells[1] = text_member(v, "system");
		cells[2] = one == NULL || *one == '\0'
		    ? "(free)"
		    : people_tell(people, one);
		cells[3] = two == NULL || *two == '\0'
		    ? "(free)"
		    : people_tell(people, two);
		cells[4] = cmd_games_when(v, when);
		cells[5] = text_member(v, "now");
		/* A server before these words. */
		if (*cells[5] == '\0')
			cells[5] = text_member(v, "phase");
		out_table_line(t, cells);
		free(id);
	}
	people_free(people);
	out_table_end(o, t);
	json_array_foreach(rows, i, v)
	{
		one = text_member(v, "opener");
		/* It becomes part of a command, whatever a server says. */
		if (js_int(v, "others") > 0 && order_is_account(one))
			out_hint(o,
			    "%s has %lld more: umpire games --account %s\n",
			    one, (long long)js_int(v, "others"), one);
	}
}

/* Options that are members of the same name of what game.list is asked. */
static const char *const cmd_games_filters[] = {
    "account", "phase", "system", "event", NULL};

/* Fetches all pages of the server's list that the options ask for. */
static int
cmd_games_fetch(
    struct cmd_ctx *cx, struct link *l, bool is_invited, json_t *rows)
{
	const char *more = NULL, *word;
	struct js_at at = {.name = "game.list"};
	struct errinfo e = {.text = ""};
	json_t *params, *result = NULL, *last;
	const json_t *games, *v;
	size_t i;
	int status;

	do {
		params = xalloc_json(json_object());
		for (i = 0; cmd_games_filters[i] != NULL; i++) {
			word = opt_get(&cx->opts, cmd_games_filters[i]);
			if (word != NULL)
				xalloc_set(params, cmd_games_filters[i],
				    xalloc_json_str(word));
		}
		if (is_invited)
			xalloc_set(params, "invited", json_true());
		if (more != NULL)
			xalloc_set(params, "before", json_string(more));
		last = result;
		result = NULL;
		status = link_ask(l, "game.list", params, &result);
		json_decref(last);
		if (status != 0)
			return (status);
		if (js_get_array(result, "games", &at, &games, &e) != 0) {
			status = cmd_fail_answer(&e);
			break;
		}
		json_array_foreach(games, i, v)
		    xalloc_append(rows, xalloc_copy(v));
		more = js_str(result, "more");
	} while (more != NULL && json_array_size(games) > 0);
	json_decref(result);
	return (status);
}

/* Lists the server's games, or the invitations. */
static int
cmd_games_all(struct cmd_ctx *cx, bool is_invited)
{
	struct link *l = NULL;
	struct profile *p;
	json_t *rows;
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	rows = xalloc_json(json_array());
	/* The server tells invitations only after a login. */
	if ((status = link_open(cx, p, &l)) == 0 &&
	    (!is_invited || (status = link_login(l)) == 0))
		status = cmd_games_fetch(cx, l, is_invited, rows);
	link_close(l);
	profile_free(p);
	if (status == 0 && cx->out.is_json)
		out_json(&cx->out, json_incref(rows));
	else if (status == 0 && json_array_size(rows) > 0)
		cmd_games_all_table(&cx->out, rows);
	else if (status == 0)
		out_print(&cx->out, "%s\n",
		    is_invited ? "You are not invited to any game."
			       : "There are no such games on the server.");
	json_decref(rows);
	return (status);
}

/* True if the game of one of the server's rows is among these. */
static bool
cmd_games_is_here(
    const json_t *row, uint8_t (*ids)[HASH_LEN], size_t n, uint8_t id[HASH_LEN])
{
	size_t i;

	if (js_get_hex(row, "game", NULL, id, HASH_LEN, NULL) != 0)
		return (true); /* it cannot be asked for */
	for (i = 0; i < n && memcmp(ids[i], id, HASH_LEN) != 0;)
		i++;
	return (i < n);
}

/*
 * Finds the games of our account that go on and of which there is no copy
 * here: it is new on this device, or was given a seat.  *out is new.
 */
static int
cmd_games_find(struct link *l, const struct profile *p,
    uint8_t (*ids)[HASH_LEN], size_t n, uint8_t (**out)[HASH_LEN],
    size_t *n_out)
{
	struct js_at at = {.name = "game.list"};
	struct errinfo e = {.text = ""};
	json_t *result = NULL;
	const json_t *games, *v;
	const char *phase;
	uint8_t id[HASH_LEN];
	int status;
	size_t i;

	status = link_ask(l, "game.list",
	    xalloc_json(json_pack("{s:s, s:i}", "account", p->account, "limit",
		CMD_GAMES_NEWEST)),
	    &result);
	if (status != 0)
		return (status);
	if (js_get_array(result, "games", &at, &games, &e) != 0) {
		json_decref(result);
		return (cmd_fail_answer(&e));
	}
	*out = xalloc((json_array_size(games) + 1) * sizeof(**out));
	*n_out = 0;
	json_array_foreach(games, i, v)
	{
		phase = text_member(v, "phase");
		if (strcmp(phase, "finished") != 0 &&
		    strcmp(phase, "lapsed") != 0 &&
		    !cmd_games_is_here(v, ids, n, id))
			memcpy((*out)[(*n_out)++], id, HASH_LEN);
	}
	json_decref(result);
	return (0);
}

/*
 * What the server knows of us: adds to rows our games of which there is no
 * copy here, and to invited where we are invited.  Nothing if it does not let
 * us log in, which `umpire todo` explains.
 */
static int
cmd_games_ask(struct cmd_ctx *cx, struct link **l, uint8_t (*ids)[HASH_LEN],
    size_t n, json_t *rows, json_t *invited)
{
	uint8_t(*more)[HASH_LEN] = NULL;
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	struct profile *p;
	size_t n_more = 0;
	int status;

	if (cx->offline != 0)
		return (EX_OK);
	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if (*l != NULL)
		(*l)->p = p;
	else
		status = link_open(cx, p, l);
	if (status == 0 && profile_load_keys(p, &e) == 0) {
		if (link_try_login(*l, &ce) != 0) {
			conn_error_clear(&ce);
		} else {
			if (!cx->out.is_json)
				status = cmd_games_fetch(cx, *l, true, invited);
			if (status == 0)
				status = cmd_games_find(
				    *l, p, ids, n, &more, &n_more);
		}
	}
	if (status == 0)
		status = cmd_games_gather(cx, l, more, n_more, rows);
	link_close(*l);
	*l = NULL;
	free(more);
	profile_free(p);
	return (status);
}

/* Prints our own games, n of which are on this machine, and invitations. */
static void
cmd_games_tell(
    struct cmd_ctx *cx, const json_t *rows, size_t n, const json_t *invited)
{
	json_t *sorted = cmd_games_sort(rows);

	if (cx->out.is_json)
		out_json(&cx->out, json_incref(sorted));
	else if (json_array_size(sorted) > 0)
		cmd_games_table(&cx->out, sorted);
	else if (n == 0) {
		out_hint(&cx->out,
		    "You have no games yet; `umpire games --all` lists those "
		    "on the server.\n");
		cmd_register_next(cx);
	}
	json_decref(sorted);
	if (cx->out.is_json || json_array_size(invited) == 0)
		return;
	out_print(&cx->out, "\nYou are invited to:\n");
	cmd_games_all_table(&cx->out, invited);
	out_hint(&cx->out, "Next: umpire join GAME\n");
}

/* Lists our own games. */
static int
cmd_games_own(struct cmd_ctx *cx)
{
	uint8_t(*ids)[HASH_LEN];
	struct errinfo e = {.text = ""};
	struct link *l = NULL;
	json_t *invited, *rows;
	struct profile *p;
	bool wants_more;
	size_t n;
	int r, status, other = EX_OK;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	r = profile_games(p, &ids, &n, &e);
	wants_more = !cx->is_offline && p->account != NULL &&
	    p->server != NULL && p->has_pin;
	profile_free(p);
	if (r != 0)
		return (cmd_fail(r, &e));
	rows = xalloc_json(json_array());
	invited = xalloc_json(json_array());
	status = cmd_games_gather(cx, &l, ids, n, rows);
	if (wants_more)
		other = cmd_games_ask(cx, &l, ids, n, rows, invited);
	link_close(l);
	free(ids);
	cmd_games_tell(cx, rows, n, invited);
	json_decref(invited);
	json_decref(rows);
	return (status != EX_OK ? status : other);
}

/* Lists our own games, or the server's. */
static int
cmd_games_run(struct cmd_ctx *cx)
{
	static const char *const phases[] = {
	    "muster", "lapsed", "play", "over", "finished", "halted", NULL};
	const char *phase = opt_get(&cx->opts, "phase");
	bool is_all;
	size_t i;

	for (i = 0; phase != NULL && phases[i] != NULL; i++) {
		if (strcmp(phase, phases[i]) == 0)
			break;
	}
	if (phase != NULL && phases[i] == NULL)
		return (cmd_usage(cx,
		    "--phase is one of muster, lapsed, play, over, finished, "
		    "halted"));
	is_all = opt_has(&cx->opts, "all") || opt_has(&cx->opts, "invited");
	for (i = 0; cmd_games_filters[i] != NULL; i++)
		is_all = is_all || opt_has(&cx->opts, cmd_games_filters[i]);
	if (is_all)
		return (cmd_games_all(cx, opt_has(&cx->opts, "invited")));
	return (cmd_games_own(cx));
}

static const struct opt_def cmd_games_opts[] = {
    {"all", 0, NULL, false, "the server's games instead of yours"},
    {"account", 0, "NAME", false, "the server's games of this account"},
    {"phase", 0, "PHASE", false, "the server's games in this phase"},
    {"system", 0, "SYSTEM", false, "the server's games of this system"},
    {"event", 0, "EVENT", false, "the server's games of this event"},
    {"invited", 0, NULL, false, "games that you are invited to"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_games = {
    .opts = cmd_games_opts,
    .min_args = 0,
    .max_args = 0,
    .run = cmd_games_run,
};
