/* SPDX-License-Identifier: ISC */
/*
 * Where accounts are told: the methods of addresses through a daemon whose
 * courier is not there, and that what is to be told is what game.todo lists.
 */
#include "server/rpc/rpc_address.h"

#include <sqlite3.h>

#include "server/store/store_int.h"
#include "tests/lib/match.h"

/* No courier is found, so nothing is sent and each row stays as it is. */
static const char *const telling[] = {"listen=127.0.0.1:0", "courier=/none",
    "smtp_url=smtp://127.0.0.1:1", "smtp_from=umpire@host.example",
    "webhooks=yes", "notify_delay=3600"};

#define URL "https://hooks.host.example/a?b=c"

/* The text that SQL gives; free() it. */
static char *
text_of(struct match *m, const char *sql, const char *with)
{
	sqlite3_stmt *s;
	char *text;

	assert_int_equal(
	    sqlite3_prepare_v2(m->rd->db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(
	    sqlite3_bind_text(s, 1, with, -1, SQLITE_STATIC), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	text = sqlite3_column_type(s, 0) == SQLITE_NULL
	    ? strdup("")
	    : strdup((const char *)sqlite3_column_text(s, 0));
	assert_non_null(text);
	sqlite3_finalize(s);
	return (text);
}

/* The code that was made for somebody's address of a kind; free() it. */
static char *
code_of(struct match *m, enum person who, const char *kind)
{
	char sql[200];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT code FROM address JOIN account ON account.id = account"
	    " WHERE kind = '%s' AND name = ?",
	    kind);
	return (text_of(m, sql, match_people[who]));
}

static json_t *
set_of(const char *kind, const char *value)
{
	return (json_pack("{s:s, s:s}", "kind", kind, "value", value));
}

static json_t *
confirm_of(const char *kind, const char *code)
{
	return (json_pack("{s:s, s:s}", "kind", kind, "code", code));
}

/* Sets an address and confirms it by the code that would be sent. */
static void
confirm(struct match *m, enum person who, const char *kind, const char *value)
{
	char *code;

	json_decref(match_gets(m, who, "address.set", set_of(kind, value)));
	code = code_of(m, who, kind);
	json_decref(
	    match_gets(m, who, "address.confirm", confirm_of(kind, code)));
	free(code);
}

/* What address.list says of somebody; the caller frees it. */
static json_t *
list_of(struct match *m, enum person who)
{
	return (match_gets(m, who, "address.list", NULL));
}

/* Member i of a list's addresses. */
static const json_t *
address_at(const json_t *list, size_t i)
{
	return (json_array_get(json_object_get(list, "addresses"), i));
}

/* True if a member of an object is this text. */
static bool
is_text(const json_t *v, const char *name, const char *want)
{
	const char *got = json_string_value(json_object_get(v, name));

	return (got != NULL && strcmp(got, want) == 0);
}

static void
an_address_is_set_and_confirmed(void **state)
{
	struct match *m = *state;
	json_t *offered, *v;
	char *code, typed[40];
	size_t i;

	match_fails(m, NOBODY, "address.list", NULL, ERR_LOGIN, "");
	match_fails(m, NOBODY, "address.set", set_of("mail", "a@b.example"),
	    ERR_LOGIN, "");
	offered = json_pack("[s, s]", "mail", "webhook");
	v = list_of(m, ANNA);
	assert_true(json_equal(json_object_get(v, "offered"), offered));
	assert_int_equal(json_array_size(json_object_get(v, "addresses")), 0);
	assert_true(json_is_null(json_object_get(v, "quiet")));
	json_decref(v);
	json_decref(offered);
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", "23456789"),
	    ERR_NOTFOUND, "");
	v = match_gets(
	    m, ANNA, "address.set", set_of("mail", "Anna@Host.example"));
	assert_true(is_text(v, "kind", "mail"));
	assert_true(json_is_false(json_object_get(v, "confirmed")));
	json_decref(v);
	v = list_of(m, ANNA);
	assert_true(is_text(address_at(v, 0), "value", "Anna@Host.example"));
	assert_true(
	    json_is_false(json_object_get(address_at(v, 0), "confirmed")));
	assert_non_null(json_object_get(address_at(v, 0), "at"));
	assert_non_null(json_object_get(address_at(v, 0), "code_until"));
	assert_null(json_object_get(address_at(v, 0), "sent_at"));
	assert_null(json_object_get(address_at(v, 0), "failed_at"));
	assert_null(json_object_get(address_at(v, 0), "error"));
	json_decref(v);
	code = code_of(m, ANNA, "mail");
	assert_int_equal(strlen(code), STORE_CODE_LEN);
	assert_int_equal(
	    strspn(code, "23456789abcdefghjkmnpqrstuvwxyz"), STORE_CODE_LEN);
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", ""),
	    ERR_INVALID, "");
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", "2345678"),
	    ERR_INVALID, "");
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", "234567892"),
	    ERR_INVALID, "");
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", "2345678o"),
	    ERR_INVALID, "without 0");
	match_fails(m, ANNA, "address.confirm",
	    confirm_of("mail", "2345678\xc3\xa9"), ERR_INVALID, "");
	match_fails(m, ANNA, "address.confirm",
	    confirm_of("mail",
		strcmp(code, "22222222") == 0 ? "33333333" : "22222222"),
	    ERR_DENIED, "4 more tries");
	/* As people type it. */
	for (i = 0; i < STORE_CODE_LEN; i++) {
		typed[2 * i] = code[i] >= 'a' ? (char)(code[i] - 32) : code[i];
		typed[2 * i + 1] = i % 2 == 0 ? ' ' : '-';
	}
	typed[2 * i] = '\0';
	v = match_gets(m, ANNA, "address.confirm", confirm_of("mail", typed));
	assert_true(json_is_true(json_object_get(v, "confirmed")));
	json_decref(v);
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", code),
	    ERR_EXISTS, "");
	free(code);
	v = list_of(m, ANNA);
	assert_true(
	    json_is_true(json_object_get(address_at(v, 0), "confirmed")));
	assert_null(json_object_get(address_at(v, 0), "code_until"));
	json_decref(v);
	/* Nobody else has it, or sees it. */
	v = list_of(m, BERT);
	assert_int_equal(json_array_size(json_object_get(v, "addresses")), 0);
	json_decref(v);
	assert_false(match_has_heard(m, BERT, "Host.example"));
}

static void
addresses_of_other_forms_are_refused(void **state)
{
	static const char *const mails[] = {"", "a", "@b.example", "a@", "a@b",
	    "-a@b.example", "a b@c.example", "a@b.example\n", "<a@b.example>",
	    "a@b.example,c@d.example", "\xc3\xa9@b.example", "a@b..example"};
	static const char *const urls[] = {"", "http://b.example/", "https://",
	    "https://a:b@c.example/", "https://b.example/#c",
	    "https://b.example/ c", "https://b.example/\n", "file:///etc/x"};
	struct match *m = *state;
	json_t *v;
	size_t i;

	for (i = 0; i < sizeof(mails) / sizeof(*mails); i++)
		match_fails(m, ANNA, "address.set", set_of("mail", mails[i]),
		    ERR_INVALID, "");
	for (i = 0; i < sizeof(urls) / sizeof(*urls); i++)
		match_fails(m, ANNA, "address.set", set_of("webhook", urls[i]),
		    ERR_INVALID, "");
	match_fails(
	    m, ANNA, "address.set", set_of("mail", URL), ERR_INVALID, "");
	match_fails(m, ANNA, "address.set", set_of("command", "a@b.example"),
	    ERR_INVALID, "");
	match_fails(m, ANNA, "address.set", json_pack("{s:s}", "kind", "mail"),
	    ERR_INVALID, "");
	v = list_of(m, ANNA);
	assert_int_equal(json_array_size(json_object_get(v, "addresses")), 0);
	json_decref(v);
	/* None of it was counted. */
	json_decref(match_gets(m, ANNA, "address.set", set_of("webhook", URL)));
	v = list_of(m, ANNA);
	assert_true(is_text(address_at(v, 0), "kind", "webhook"));
	assert_true(is_text(address_at(v, 0), "value", URL));
	json_decref(v);
}

static void
codes_are_limited_by_account_and_by_address(void **state)
{
	static const char *const same[] = {
	    "me@host.example", "Me@HOST.example", "m.e.+x@host.example"};
	struct match *m = *state;
	char value[40], *code, *last = NULL;
	int i;

	for (i = 0; i < 5; i++) {
		(void)snprintf(value, sizeof(value), "a%d@host.example", i);
		json_decref(
		    match_gets(m, ANNA, "address.set", set_of("mail", value)));
		code = code_of(m, ANNA, "mail");
		assert_true(last == NULL || strcmp(code, last) != 0);
		free(last);
		last = code;
	}
	free(last);
	match_fails(m, ANNA, "address.set", set_of("mail", "a9@host.example"),
	    ERR_LIMIT, "account");
	match_fails(m, ANNA, "address.set", set_of("webhook", URL), ERR_LIMIT,
	    "account");
	/* Another account's limit is its own, the address' is all the same. */
	for (i = 0; i < 3; i++)
		json_decref(match_gets(
		    m, BERT, "address.set", set_of("mail", same[i])));
	match_fails(m, BERT, "address.set", set_of("mail", "me+y@host.example"),
	    ERR_LIMIT, "this address");
	match_fails(m, CARA, "address.set", set_of("mail", "ME@host.example"),
	    ERR_LIMIT, "this address");
	match_fails(m, CARA, "address.set", set_of("mail", "m.e@host.example"),
	    ERR_LIMIT, "this address");
	json_decref(match_gets(
	    m, CARA, "address.set", set_of("mail", "me@ho.st.example")));
	json_decref(match_gets(m, CARA, "address.set", set_of("webhook", URL)));
}

static void
quiet_hours_are_set_and_ended(void **state)
{
	static const struct {
		int offset, from, to;
	} bad[] = {{841, 0, 1}, {-841, 0, 1}, {0, -1, 1}, {0, 1440, 1},
	    {0, 0, 1440}, {0, 60, 60}};
	struct match *m = *state;
	json_t *v, *want;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		match_fails(m, ANNA, "address.quiet",
		    json_pack("{s:i, s:i, s:i}", "offset", bad[i].offset,
			"from", bad[i].from, "to", bad[i].to),
		    ERR_INVALID, "");
	match_fails(m, ANNA, "address.quiet",
	    json_pack("{s:i, s:i}", "from", 1, "to", 2), ERR_INVALID, "");
	want =
	    json_pack("{s:i, s:i, s:i}", "offset", -840, "from", 1439, "to", 0);
	v = match_gets(m, ANNA, "address.quiet", json_deep_copy(want));
	assert_true(json_equal(json_object_get(v, "quiet"), want));
	json_decref(v);
	v = list_of(m, ANNA);
	assert_true(json_equal(json_object_get(v, "quiet"), want));
	json_decref(v);
	json_object_set_new(want, "offset", json_integer(840));
	json_decref(match_gets(m, ANNA, "address.quiet", json_deep_copy(want)));
	v = list_of(m, ANNA);
	assert_true(json_equal(json_object_get(v, "quiet"), want));
	json_decref(v);
	json_decref(want);
	v = match_gets(m, ANNA, "address.quiet", json_object());
	assert_true(json_is_null(json_object_get(v, "quiet")));
	json_decref(v);
	v = list_of(m, ANNA);
	assert_true(json_is_null(json_object_get(v, "quiet")));
	json_decref(v);
}

static void
an_address_is_dropped(void **state)
{
	struct match *m = *state;
	json_t *v;

	confirm(m, ANNA, "mail", "anna@host.example");
	confirm(m, ANNA, "webhook", URL);
	v = match_gets(
	    m, ANNA, "address.drop", json_pack("{s:s}", "kind", "mail"));
	assert_true(is_text(v, "kind", "mail"));
	json_decref(v);
	/* Twice is harmless. */
	json_decref(match_gets(
	    m, ANNA, "address.drop", json_pack("{s:s}", "kind", "mail")));
	v = list_of(m, ANNA);
	assert_int_equal(json_array_size(json_object_get(v, "addresses")), 1);
	assert_true(is_text(address_at(v, 0), "kind", "webhook"));
	json_decref(v);
	match_fails(m, ANNA, "address.drop", json_object(), ERR_INVALID, "");
}

/* What is to be told somebody must be what game.todo lists for him. */
static void
agrees(struct match *m, enum person who)
{
	static const char sql[] =
	    "SELECT group_concat(s, ', ') FROM (SELECT hex(g.id) || ' ' ||"
	    " what || ' ' || since || ' ' || ifnull(until_ms, '') AS s"
	    " FROM notice AS n JOIN game AS g ON gid = game JOIN account AS a"
	    " ON a.id = n.account WHERE a.name = ? AND channel = 'mail'"
	    " ORDER BY s)";
	static const char todo_sql[] =
	    "SELECT group_concat(s, ', ') FROM (SELECT DISTINCT"
	    " upper(value ->> 'game') || ' ' || (value ->> 'what') || ' ' ||"
	    " (value ->> 'since') || ' ' || ifnull(1000 *"
	    " strftime('%s', value ->> 'until') +"
	    " substr(value ->> 'until', 21, 3), '') AS s"
	    " FROM json_each(?, '$.todo') ORDER BY s)";
	json_t *v = match_todo_of(m, who);
	char *all = json_dumps(v, 0), *stored, *todo;

	assert_non_null(all);
	stored = text_of(m, sql, match_people[who]);
	todo = text_of(m, todo_sql, all);
	if (strcmp(stored, todo) != 0)
		fail_msg(
		    "%s: \"%s\", not \"%s\"", match_people[who], stored, todo);
	free(stored);
	free(todo);
	free(all);
	json_decref(v);
}

/* The same for everybody. */
static void
all_agree(struct match *m)
{
	int who;

	for (who = DIRK; who <= EVE; who++)
		agrees(m, (enum person)who);
}

/* Gives an order; afterwards all must agree. */
static int64_t
goes_on(struct match *m, int seat, enum order_kind kind, const char *args)
{
	const int64_t seq = match_give(m, seat, kind, args);

	all_agree(m);
	return (seq);
}

static void
what_is_told_is_what_is_to_do(void **state)
{
	struct match *m = *state;
	char args[60], value[40];
	json_t *params;
	int i, seat;

	for (i = DIRK; i <= EVE; i++) {
		(void)snprintf(
		    value, sizeof(value), "%s@host.example", match_people[i]);
		confirm(m, (enum person)i, "mail", value);
	}
	params = match_create_of(m,
	    "{'options':{'seats':4,'director':true},"
	    "'clock':{'per':'order','first_s':3600,'holidays':2,"
	    "'then':'director'}}");
	json_object_set_new(params, "invite",
	    json_pack(
		"[s, s, s, s, s]", "bert", "cara", "dora", "dirk", "eve"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	all_agree(m);
	json_decref(match_gets(m, EVE, "account.block",
	    json_pack("{s:s, s:b}", "account", "anna", "block", 1)));
	all_agree(m);
	for (seat = 2; seat <= 5; seat++) {
		json_decref(match_gets(m, (enum person)(seat % 5), "game.join",
		    match_join_of(m, seat % 5)));
		all_agree(m);
	}
	for (seat = 0; seat <= 4; seat++)
		(void)goes_on(m, seat, ORDER_READY, "{}");
	(void)goes_on(m, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	(void)goes_on(m, 2, ORDER_PAUSE, "{'do':'holiday','days':1}");
	(void)goes_on(m, 3, ORDER_OFFER, "{'what':'draw'}");
	(void)goes_on(m, 4, ORDER_OFFER, "{'what':'truce','turns':2}");
	(void)goes_on(m, 3, ORDER_TURN_END, "{}");
	(void)goes_on(m, 2, ORDER_TURN_END, "{}");
	i = (int)goes_on(m, 2, ORDER_OFFER, "{'what':'pause','days':2}");
	(void)snprintf(args, sizeof(args), "{'to':%d}", i);
	(void)goes_on(m, 1, ORDER_ACCEPT, args);
	(void)goes_on(m, 4, ORDER_RESIGN, "{}");
	(void)goes_on(m, 1, ORDER_CLOSE, "{}");
	(void)goes_on(m, 4, ORDER_CLOSE, "{}");
}

static void
a_code_without_a_kind_finds_its_address(void **state)
{
	struct match *m = *state;
	const char *wrong;
	char *mail, *hook;
	json_t *v;
	int i;

	match_fails(m, ANNA, "address.confirm",
	    json_pack("{s:s}", "code", "23456789"), ERR_NOTFOUND,
	    "no address is waiting");
	json_decref(
	    match_gets(m, ANNA, "address.set", set_of("mail", "a@b.example")));
	json_decref(match_gets(
	    m, ANNA, "address.set", set_of("webhook", "https://b.example/")));
	mail = code_of(m, ANNA, "mail");
	hook = code_of(m, ANNA, "webhook");
	wrong = strcmp(mail, "22222222") != 0 && strcmp(hook, "22222222") != 0
	    ? "22222222"
	    : "33333333";
	/* The code of one is no wrong one for the other. */
	v = match_gets(
	    m, ANNA, "address.confirm", json_pack("{s:s}", "code", hook));
	assert_true(is_text(v, "kind", "webhook"));
	json_decref(v);
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", wrong),
	    ERR_DENIED, "4 more tries");
	/* A wrong one counts for all that wait. */
	json_decref(match_gets(
	    m, ANNA, "address.set", set_of("webhook", "https://c.example/")));
	for (i = 0; i < 4; i++)
		match_fails(m, ANNA, "address.confirm",
		    json_pack("{s:s}", "code", wrong), ERR_DENIED, "wrong");
	match_fails(m, ANNA, "address.confirm", confirm_of("mail", mail),
	    ERR_DENIED, "expired");
	match_fails(m, ANNA, "address.confirm",
	    json_pack("{s:s}", "code", wrong), ERR_DENIED, "no longer");
	match_fails(m, ANNA, "address.confirm",
	    json_pack("{s:s}", "code", wrong), ERR_NOTFOUND, "");
	free(mail);
	free(hook);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, match_setup, match_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(an_address_is_set_and_confirmed),
	    CASE(a_code_without_a_kind_finds_its_address),
	    CASE(addresses_of_other_forms_are_refused),
	    CASE(codes_are_limited_by_account_and_by_address),
	    CASE(quiet_hours_are_set_and_ended),
	    CASE(an_address_is_dropped),
	    CASE(what_is_told_is_what_is_to_do),
	};
#undef CASE

	match_set(telling, sizeof(telling) / sizeof(telling[0]));
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
