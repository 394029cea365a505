/* SPDX-License-Identifier: ISC */
/*
 * Who may join: invitations, blocks, joiners who are refused; and the lobby's
 * lists of what is there and of what waits for an account.
 */
#include "server/rpc/rpc_admit.h"

#include <sqlite3.h>

#include "tests/lib/match.h"

/* Anna opens more games than anybody may have. */
static const char *const roomy[] = {"listen=127.0.0.1:0", "max_muster=0"};

#define FOUR "{'options':{'seats':4}}"

/* The params of game.invite. */
static json_t *
invite(const struct match *m, const char *account, bool is_on)
{
	return (json_pack("{s:s, s:s, s:b}", "game", m->id, "account", account,
	    "invite", (int)is_on));
}

static json_t *
block(const char *account, bool is_on)
{
	return (
	    json_pack("{s:s, s:b}", "account", account, "block", (int)is_on));
}

/* The last line on disk. */
static int64_t
last_line(struct match *m)
{
	struct store_game_row row;

	assert_int_equal(store_game_find(m->rd, m->game, &row), 0);
	return (row.seq);
}

static void
a_game_by_invitation_is_joined_by_who_is_invited(void **state)
{
	struct match *m = *state;
	json_t *params, *same, *v;

	params = match_create_of(m, "{}");
	same = json_deep_copy(params);
	json_object_set_new(params, "invite", json_pack("[s]", "bert"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	/* A repetition is answered, and invites nobody. */
	json_object_set_new(same, "invite", json_pack("[s]", "eve"));
	v = match_gets(m, ANNA, "game.create", same);
	assert_true(json_is_true(json_object_get(v, "repeat")));
	json_decref(v);
	/* It may be seen, but not joined. */
	json_decref(match_gets(m, EVE, "game.show", match_this_game(m)));
	match_fails(m, DORA, "game.join", match_join_of(m, DORA), ERR_DENIED,
	    "by invitation");
	assert_int_equal(last_line(m), 0);
	/* Only who sits there invites; whom he likes. */
	match_fails(
	    m, EVE, "game.invite", invite(m, "eve", true), ERR_INVALID, "");
	match_fails(m, EVE, "game.invite", invite(m, "dora", true), ERR_DENIED,
	    "sit in");
	match_fails(
	    m, NOBODY, "game.invite", invite(m, "dora", true), ERR_LOGIN, "");
	match_fails(m, ANNA, "game.invite", invite(m, "dorothy", true),
	    ERR_NOTFOUND, "no account");
	match_fails(m, ANNA, "game.invite", invite(m, "No Name", true),
	    ERR_INVALID, "");
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", false)));
	/* By invitation it stays when the last one is taken back. */
	match_fails(m, BERT, "game.join", match_join_of(m, BERT), ERR_DENIED,
	    "by invitation");
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	json_decref(match_gets(m, BERT, "game.join", match_join_of(m, BERT)));
	json_decref(
	    match_gets(m, BERT, "game.invite", invite(m, "dora", true)));
	(void)match_give(m, ANNA, ORDER_READY, "{}");
	(void)match_give(m, BERT, ORDER_READY, "{}");
	match_fails(m, BERT, "game.invite", invite(m, "cara", true), ERR_DENIED,
	    "begun");
	json_decref(
	    match_gets(m, BERT, "game.invite", invite(m, "dora", false)));
}

static void
an_open_game_becomes_one_by_invitation(void **state)
{
	struct match *m = *state;

	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, FOUR)));
	json_decref(match_gets(m, CARA, "game.join", match_join_of(m, CARA)));
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	match_fails(m, DORA, "game.join", match_join_of(m, DORA), ERR_DENIED,
	    "by invitation");
	json_decref(match_gets(m, BERT, "game.join", match_join_of(m, BERT)));
	json_decref(
	    match_gets(m, CARA, "game.invite", invite(m, "dora", true)));
	json_decref(match_gets(m, DORA, "game.join", match_join_of(m, DORA)));
}

/* To how many games somebody is invited. */
static size_t
invitations(struct match *m, enum person who)
{
	json_t *v;
	size_t n;

	v = match_gets(m, who, "game.list", json_pack("{s:b}", "invited", 1));
	n = json_array_size(json_object_get(v, "games"));
	json_decref(v);
	return (n);
}

static void
whoever_is_blocked_stays_out(void **state)
{
	struct match *m = *state;
	json_t *params, *v;

	match_fails(
	    m, NOBODY, "account.block", block("anna", true), ERR_LOGIN, "");
	match_fails(
	    m, BERT, "account.block", block("bert", true), ERR_INVALID, "");
	match_fails(m, BERT, "account.block", block("nemo", true), ERR_NOTFOUND,
	    "no account");
	json_decref(match_gets(m, BERT, "account.block", block("eve", true)));
	json_decref(match_gets(m, BERT, "account.block", block("anna", true)));
	json_decref(match_gets(m, BERT, "account.block", block("anna", true)));
	v = match_gets(m, BERT, "account.blocks", NULL);
	params = json_pack("{s:[s, s]}", "accounts", "anna", "eve");
	assert_true(json_equal(v, params));
	json_decref(params);
	json_decref(v);
	v = match_gets(m, ANNA, "account.blocks", NULL);
	assert_int_equal(json_array_size(json_object_get(v, "accounts")), 0);
	json_decref(v);
	/*
	 * Invitations of those whom he has blocked, with create or later, are
	 * taken as any other and reach nobody, also when the block ends.
	 */
	params = match_create_of(m, FOUR);
	json_object_set_new(params, "invite", json_pack("[s]", "bert"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", false)));
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	json_decref(match_gets(m, BERT, "account.block", block("anna", false)));
	assert_int_equal(invitations(m, BERT), 0);
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	assert_int_equal(invitations(m, BERT), 1);
	json_decref(match_gets(m, BERT, "account.block", block("anna", true)));
	assert_int_equal(invitations(m, BERT), 0);
	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, FOUR)));
	/* He himself may join, and keeps others out by that. */
	json_decref(match_gets(m, BERT, "game.join", match_join_of(m, BERT)));
	json_decref(match_gets(m, DORA, "account.block", block("cara", true)));
	json_decref(match_gets(m, DORA, "game.join", match_join_of(m, DORA)));
	match_fails(m, CARA, "game.join", match_join_of(m, CARA), ERR_DENIED,
	    "do not admit");
	assert_int_equal(last_line(m), 2);
	json_decref(match_gets(m, DORA, "account.block", block("cara", false)));
	json_decref(match_gets(m, DORA, "account.block", block("nemo", false)));
	json_decref(match_gets(m, CARA, "game.join", match_join_of(m, CARA)));
}

static void
a_refused_joiner_is_out_for_good(void **state)
{
	struct match *m = *state;
	json_t *params, *v;
	struct buf text;

	params = match_create_of(m, "{'private':true}");
	json_object_set_new(params, "invite", json_pack("[s]", "bert"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	json_decref(match_gets(m, BERT, "game.join", match_join_of(m, BERT)));
	v = match_gets(m, ANNA, "game.list", NULL);
	params = json_pack("[[s], [s]]", "anna", "bert");
	assert_true(
	    json_equal(params, json_object_get(match_row_of(m, v), "players")));
	json_decref(params);
	json_decref(v);
	(void)match_give(m, ANNA, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	v = match_gets(m, ANNA, "game.list", NULL);
	params = json_pack("[[s], []]", "anna");
	assert_true(
	    json_equal(params, json_object_get(match_row_of(m, v), "players")));
	json_decref(params);
	params = json_pack("[s, s]", "anna", "");
	assert_true(
	    json_equal(params, json_object_get(match_row_of(m, v), "seats")));
	json_decref(params);
	json_decref(v);
	/* He is a stranger again; not even an invitation helps. */
	match_fails(
	    m, BERT, "game.show", match_this_game(m), ERR_NOTFOUND, "no game");
	match_fails(m, BERT, "game.join", match_join_of(m, BERT), ERR_NOTFOUND,
	    "no such");
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "bert", true)));
	match_fails(m, BERT, "game.join", match_join_of(m, BERT), ERR_DENIED,
	    "do not admit");
	/* His seat is free. */
	json_decref(
	    match_gets(m, ANNA, "game.invite", invite(m, "dora", true)));
	m->keys[BERT] = m->keys[DORA];
	params = match_seat_of(m, BERT);
	json_object_set_new(params, "account", json_string("dora"));
	buf_init(&text, 0);
	js_dump(params, &text);
	json_decref(params);
	json_decref(match_gets(m, DORA, "game.join",
	    match_order_of(m, BERT, ORDER_JOIN, buf_str(&text))));
	buf_clear(&text);
	(void)match_give(m, ANNA, ORDER_READY, "{}");
}

static void
limits_hold(void **state)
{
	struct match *m = *state;
	json_t *list = json_array(), *params;
	char name[24];
	int i;

	for (i = 0; i < LEDGER_INVITES + 1; i++) {
		(void)snprintf(name, sizeof(name), "guest%d", i);
		json_array_append_new(list, json_string(name));
	}
	params = match_create_of(m, "{}");
	json_object_set(params, "invite", list);
	match_fails(
	    m, ANNA, "game.create", params, ERR_INVALID, "more than 64");
	params = match_create_of(m, "{}");
	json_object_set_new(params, "invite", json_pack("[i]", 7));
	match_fails(
	    m, ANNA, "game.create", params, ERR_INVALID, "account's name");
	params = match_create_of(m, "{}");
	json_object_set_new(params, "invite", json_pack("[s]", "guest0"));
	match_fails(m, ANNA, "game.create", params, ERR_NOTFOUND, "no account");
	json_decref(list);
	params = match_create_of(m, "{}");
	json_object_set_new(params, "invite", json_array());
	json_decref(match_gets(m, ANNA, "game.create", params));
}

/* What waits for somebody, as "seat what, ..." in the order given. */
static void
waits(struct match *m, enum person who, const char *want)
{
	json_t *v = match_todo_of(m, who);
	const json_t *one;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(json_object_get(v, "todo"), i, one)
	{
		assert_string_equal(
		    json_string_value(json_object_get(one, "system")),
		    "lasalle2");
		assert_int_equal(
		    json_string_length(json_object_get(one, "since_at")), 24);
		buf_printf(&b, "%s%lld %s", i == 0 ? "" : ", ",
		    (long long)match_int_of(one, "seat"),
		    json_string_value(json_object_get(one, "what")));
		if (json_object_get(one, "until") != NULL)
			buf_puts(&b, "!");
		if (json_object_get(one, "invitation") != NULL)
			buf_puts(&b, "*");
	}
	if (strcmp(buf_str(&b), want) != 0)
		fail_msg("%s: %s", match_people[who], buf_str(&b));
	buf_clear(&b);
	json_decref(v);
}

static void
what_waits_is_told_to_whom_it_waits_for(void **state)
{
	struct match *m = *state;
	json_t *params, *v;
	int seat;

	match_fails(m, NOBODY, "game.todo", NULL, ERR_LOGIN, "");
	match_fails(m, ANNA, "game.todo", json_pack("{s:s}", "before", "x"),
	    ERR_INVALID, "");
	waits(m, ANNA, "");
	params = match_create_of(m,
	    "{'options':{'seats':4,'director':true},"
	    "'event':'Cup','clock':{'per':'order','first_s':3600,"
	    "'then':'forfeit'}}");
	json_object_set_new(params, "invite",
	    json_pack("[s, s, s, s]", "bert", "cara", "dora", "dirk"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	waits(m, ANNA, "");
	waits(m, EVE, "");
	waits(m, BERT, "2 invitation*");
	v = match_gets(m, BERT, "game.todo", NULL);
	params = json_pack("[s]", "anna");
	assert_true(json_equal(params,
	    json_object_get(
		json_array_get(json_object_get(v, "todo"), 0), "opponents")));
	json_decref(params);
	json_decref(v);
	for (seat = 2; seat <= 4; seat++)
		json_decref(match_gets(
		    m, (enum person)seat, "game.join", match_join_of(m, seat)));
	waits(m, BERT, "");
	waits(m, DIRK, "0 invitation*");
	json_decref(match_gets(m, DIRK, "game.join", match_join_of(m, DIRK)));
	v = match_gets(m, EVE, "game.list", NULL);
	params = json_pack("[[s, s], [s, s]]", "anna", "cara", "bert", "dora");
	assert_true(
	    json_equal(params, json_object_get(match_row_of(m, v), "players")));
	json_decref(params);
	assert_string_equal(
	    json_string_value(json_object_get(match_row_of(m, v), "director")),
	    "dirk");
	json_decref(v);
	waits(m, BERT, "2 ready");
	waits(m, DIRK, "0 ready");
	for (seat = 0; seat <= 4; seat++)
		(void)match_give(m, seat, ORDER_READY, "{}");
	/* A turn waits for all of its side, and its clock runs. */
	waits(m, ANNA, "1 turn!");
	waits(m, CARA, "3 turn!");
	waits(m, BERT, "");
	waits(m, DIRK, "");
	(void)match_give(m, CARA, ORDER_OFFER, "{'what':'draw'}");
	waits(m, BERT, "2 offer");
	waits(m, DORA, "4 offer");
	waits(m, ANNA, "1 turn!");
	v = match_gets(m, DORA, "game.todo", NULL);
	params = json_pack("[s, s]", "anna", "cara");
	assert_true(json_equal(params,
	    json_object_get(
		json_array_get(json_object_get(v, "todo"), 0), "opponents")));
	json_decref(params);
	json_decref(v);
	waits(m, EVE, "");
}

static void
lists_go_on_past_what_is_hidden(void **state)
{
	struct match *m = *state;
	char first[2 * HASH_LEN + 1], last[2 * HASH_LEN + 1], more[128];
	json_t *v, *params;

	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, "{}")));
	memcpy(first, m->id, sizeof(first));
	json_decref(match_gets(
	    m, ANNA, "game.create", match_create_of(m, "{'private':true}")));
	json_decref(match_gets(
	    m, ANNA, "game.create", match_create_of(m, "{'private':true}")));
	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, "{}")));
	v = match_gets(
	    m, EVE, "game.list", json_pack("{s:i, s:b}", "limit", 1, "all", 1));
	assert_int_equal(json_array_size(json_object_get(v, "games")), 1);
	assert_non_null(match_row_of(m, v));
	(void)snprintf(more, sizeof(more), "%s",
	    json_string_value(json_object_get(v, "more")));
	json_decref(v);
	/* It says nothing but where the list goes on: no count of games. */
	memcpy(last, m->id, sizeof(last));
	assert_non_null(strchr(more, '.'));
	assert_string_equal(strchr(more, '.') + 1, last);
	params =
	    json_pack("{s:i, s:b, s:s}", "limit", 1, "all", 1, "before", more);
	v = match_gets(m, EVE, "game.list", params);
	memcpy(m->id, first, sizeof(first));
	assert_non_null(match_row_of(m, v));
	assert_null(json_object_get(v, "more"));
	json_decref(v);
	v = match_gets(m, ANNA, "game.list", json_pack("{s:b}", "all", 1));
	assert_int_equal(json_array_size(json_object_get(v, "games")), 4);
	json_decref(v);
	/* One of those that are hers stands for all that everybody may see. */
	v = match_gets(m, ANNA, "game.list", NULL);
	assert_int_equal(json_array_size(json_object_get(v, "games")), 3);
	json_decref(v);
	v = match_gets(m, EVE, "game.list", NULL);
	assert_int_equal(json_array_size(json_object_get(v, "games")), 1);
	json_decref(v);
}

/* Reads all that waits, n rows of so many games; the replies it takes. */
static int
pages_of(struct match *m, enum person who, size_t n)
{
	json_t *ids = json_object(), *v, *params = NULL;
	const json_t *one, *more;
	size_t i, rows = 0;
	int pages = 0;

	do {
		v = match_gets(m, who, "game.todo", params);
		pages++;
		json_array_foreach(json_object_get(v, "todo"), i, one)
		{
			rows++;
			json_object_set_new(ids,
			    json_string_value(json_object_get(one, "game")),
			    json_true());
		}
		more = json_object_get(v, "more");
		params = more == NULL
		    ? NULL
		    : json_pack("{s:s}", "before", json_string_value(more));
		json_decref(v);
	} while (params != NULL);
	assert_int_equal(rows, n);
	assert_int_equal(json_object_size(ids), n);
	json_decref(ids);
	return (pages);
}

static void
what_waits_comes_in_pages_of_games(void **state)
{
	struct match *m = *state;
	json_t *params;
	int i;

	/* The oldest is the only one that waits for anybody. */
	params = match_create_of(m, "{}");
	json_object_set_new(params, "invite", json_pack("[s]", "bert"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	for (i = 0; i < 200; i++) {
		/* The clock of the lobby is that of the lines. */
		atomic_fetch_add(&match_clock_ahead_ms, 1);
		params = match_create_of(m, "{}");
		json_object_set_new(params, "invite", json_pack("[s]", "eve"));
		json_decref(match_gets(m, ANNA, "game.create", params));
	}
	assert_in_range(pages_of(m, ANNA, 0), 2, 200);
	assert_in_range(pages_of(m, EVE, 200), 1, 200);
	waits(m, BERT, "2 invitation*");
}

/* Runs SQL upon the daemon's database, beside it. */
static void
tamper(const struct match *m, const char *sql)
{
	char path[160], *why = NULL;
	sqlite3 *db;

	(void)snprintf(path, sizeof(path), "%s/umpired.db", m->d.dir);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	(void)sqlite3_busy_timeout(db, 5000);
	(void)sqlite3_wal_autocheckpoint(db, 0);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	sqlite3_close(db);
}

static void
a_game_that_cannot_be_read_hides_no_other(void **state)
{
	struct match *m = *state;
	json_t *params;
	int i;

	for (i = 0; i < 3; i++) {
		params = match_create_of(m, "{}");
		json_object_set_new(params, "invite", json_pack("[s]", "bert"));
		json_decref(match_gets(m, ANNA, "game.create", params));
	}
	waits(m, BERT, "2 invitation*, 2 invitation*, 2 invitation*");
	tamper(m,
	    "UPDATE snapshot SET bytes = CAST('x' || CAST(bytes AS TEXT)"
	    " AS BLOB) WHERE game = 2");
	/* Its lines hold. */
	waits(m, BERT, "2 invitation*, 2 invitation*, 2 invitation*");
	tamper(m,
	    "UPDATE snapshot SET bytes = substr(bytes, 2) WHERE game = 2;"
	    "UPDATE record SET line = substr(line, 2) WHERE game = 2");
	waits(m, BERT, "2 invitation*, 2 invitation*");
	waits(m, BERT, "2 invitation*, 2 invitation*");
	tamper(m,
	    "UPDATE snapshot SET bytes = CAST('{' || CAST(bytes AS TEXT)"
	    " AS BLOB) WHERE game = 2;"
	    "UPDATE record SET line = CAST('{' || CAST(line AS TEXT) AS BLOB)"
	    " WHERE game = 2");
	/* It was found to be damaged, which holds until the next start. */
	waits(m, BERT, "2 invitation*, 2 invitation*");
}

static void
who_is_blocked_cannot_fill_lists_with_invitations(void **state)
{
	struct match *m = *state;
	json_t *v, *params;

	params = match_create_of(m, "{}");
	json_object_set_new(params, "invite", json_pack("[s]", "bert"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	waits(m, BERT, "2 invitation*");
	json_decref(match_gets(m, BERT, "account.block",
	    json_pack("{s:s, s:b}", "account", "anna", "block", 1)));
	waits(m, BERT, "");
	v = match_gets(m, BERT, "game.list", json_pack("{s:b}", "invited", 1));
	assert_null(match_row_of(m, v));
	json_decref(v);
	/* What he sits in himself is his all the same. */
	json_decref(match_gets(m, BERT, "game.join", match_join_of(m, BERT)));
	waits(m, BERT, "2 ready");
	json_decref(match_gets(m, BERT, "account.block",
	    json_pack("{s:s, s:b}", "account", "anna", "block", 0)));
	waits(m, BERT, "2 ready");
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, match_setup, match_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_game_by_invitation_is_joined_by_who_is_invited),
	    CASE(an_open_game_becomes_one_by_invitation),
	    CASE(whoever_is_blocked_stays_out),
	    CASE(a_refused_joiner_is_out_for_good),
	    CASE(limits_hold),
	    CASE(what_waits_is_told_to_whom_it_waits_for),
	    CASE(lists_go_on_past_what_is_hidden),
	    CASE(what_waits_comes_in_pages_of_games),
	    CASE(a_game_that_cannot_be_read_hides_no_other),
	    CASE(who_is_blocked_cannot_fill_lists_with_invitations),
	};
#undef CASE

	match_set(roomy, 2);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
