/* SPDX-License-Identifier: ISC */
/* What a game's view says of play by turns: game_view(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/clock.h"

#include "tests/lib/agree.h"

/* The view must hold this value, a text, under this name. */
static void
view_has(const struct table *t, const char *name, const char *value)
{
	json_t *view = game_view(t->game), *want;
	struct buf b;

	assert_non_null(view);
	/* Values alone are no documents. */
	buf_init(&b, 0);
	buf_puts(&b, "[");
	buf_puts(&b, value);
	buf_puts(&b, "]");
	want = table_json(buf_str(&b));
	buf_reset(&b);
	assert_non_null(json_object_get(view, name));
	if (!json_equal(json_object_get(view, name), json_array_get(want, 0))) {
		js_dump(view, &b);
		fail_msg("%s is not %s in %s", name, value, buf_str(&b));
	}
	buf_clear(&b);
	json_decref(want);
	json_decref(view);
}

/* As view_has(), the value formatted. */
static void view_is(const struct table *t, const char *name, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
static void
view_is(const struct table *t, const char *name, const char *fmt, ...)
{
	char value[AGREE_ARGS_MAX];
	va_list ap;

	va_start(ap, fmt);
	assert_true(vsnprintf(value, sizeof(value), fmt, ap) < AGREE_ARGS_MAX);
	va_end(ap);
	view_has(t, name, value);
}

/* The time of line n, a text in a buffer that is used again. */
static const char *
at_of(const struct table *t, int64_t n)
{
	static char at[4][CLOCK_AT_LEN + 1];
	static int next;
	json_t *line = table_line(t, (size_t)n);

	next = (next + 1) % 4;
	(void)snprintf(at[next], sizeof(at[next]), "%s",
	    json_string_value(json_object_get(line, "at")));
	json_decref(line);
	return (at[next]);
}

/* A time as the view has it, likewise. */
static const char *
at_ms(int64_t ms)
{
	static char at[4][CLOCK_AT_LEN + 1];
	static int next;

	next = (next + 1) % 4;
	clock_format(at[next], ms);
	return (at[next]);
}

/* Element i of what is owed; a member of it as a text or number. */
static json_t *
owed_at(const struct table *t, size_t i)
{
	json_t *view = game_view(t->game), *one;

	assert_non_null(view);
	one = json_incref(json_array_get(json_object_get(view, "owed"), i));
	json_decref(view);
	return (one);
}

/* What is owed first: by whom, what, since which line, and no more. */
static void
owed_is(const struct table *t, size_t i, const char *who, int n,
    const char *what, int64_t since, int64_t until)
{
	json_t *one = owed_at(t, i);
	struct buf b;

	assert_non_null(one);
	buf_init(&b, 0);
	js_dump(one, &b);
	if (json_integer_value(json_object_get(one, who)) != n ||
	    json_object_get(one, who) == NULL ||
	    strcmp(json_string_value(json_object_get(one, "what")), what) !=
		0 ||
	    json_integer_value(json_object_get(one, "since")) != since ||
	    strcmp(json_string_value(json_object_get(one, "since_at")),
		at_of(t, since)) != 0)
		fail_msg("not %s %d %s since %lld (%s): %s", who, n, what,
		    (long long)since, at_of(t, since), buf_str(&b));
	if (until < 0)
		assert_null(json_object_get(one, "until"));
	else
		assert_string_equal(
		    json_string_value(json_object_get(one, "until")),
		    at_ms(until));
	buf_clear(&b);
	json_decref(one);
}

/* How many debts there are. */
static size_t
owed_n(const struct table *t)
{
	json_t *view = game_view(t->game);
	size_t n = json_array_size(json_object_get(view, "owed"));

	json_decref(view);
	return (n);
}

static void
a_plain_game_shows_its_settings(void **state)
{
	struct table t;
	json_t *line, *order, *roster;
	int64_t seq;

	(void)state;
	table_seated(&t);
	view_has(&t, "confirm", "false");
	view_has(&t, "private", "false");
	view_has(&t, "secret", "\"held\"");
	view_has(&t, "silence", "\"forfeit\"");
	view_has(&t, "clock", "null");
	view_has(&t, "clocks", "null");
	view_has(&t, "options", "{'seats':2,'director':false,'takeback':true}");
	view_has(&t, "offers", "[]");
	view_has(&t, "cups", "[]");
	view_has(&t, "standing", "[]");
	view_has(&t, "truce", "null");
	view_has(&t, "adjudication", "null");
	view_is(&t, "state_at", "\"%s\"", at_of(&t, 0));
	line = table_line(&t, 0);
	order = table_json(json_string_value(json_object_get(line, "order")));
	roster = json_object_get(json_object_get(order, "args"), "roster");
	view_is(&t, "roster_blob", "\"%s\"", json_string_value(roster));
	json_decref(order);
	json_decref(line);
	assert_int_equal(owed_n(&t), 2);
	owed_is(&t, 0, "seat", 1, "ready", 0, -1);
	owed_is(&t, 1, "seat", 2, "ready", 0, -1);
	agree_start(&t);
	owed_is(&t, 0, "side", 1, "turn", 3, -1);
	seq = agree_play(&t, 1, ORDER_TURN_END, "{}");
	agree_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	owed_is(&t, 0, "side", 2, "turn", seq, -1);
	view_is(&t, "state_at", "\"%s\"", at_of(&t, seq));
	table_clear(&t);
}

static void
settings_are_shown_as_they_were_made(void **state)
{
	static const char settings[] =
	    "{'scheme':'live-1','confirm':true,'private':true,"
	    "'secret':'sealed','silence':'director','options':{'seats':3,"
	    "'director':true,'takeback':false,'owner_fields':['strength'],"
	    "'delay_minutes':90},'clock':{'per':'order','first_s':60,"
	    "'then':'forfeit','skip':['sat','sun']}}";
	struct table t;

	(void)state;
	agree_seated(&t, table_roster, settings);
	view_has(&t, "confirm", "true");
	view_has(&t, "private", "true");
	view_has(&t, "secret", "\"sealed\"");
	view_has(&t, "silence", "\"director\"");
	view_has(&t, "options",
	    "{'seats':3,'director':true,'takeback':false,"
	    "'owner_fields':['strength'],'delay_minutes':90}");
	view_has(&t, "clock",
	    "{'per':'order','first_s':60,'then':'forfeit','skip':['sat',"
	    "'sun']}");
	view_has(&t, "clocks", "null");
	assert_int_equal(owed_n(&t), 4);
	owed_is(&t, 0, "seat", 0, "ready", 0, -1);
	table_clear(&t);

	agree_seated(&t, table_roster, "{'options':{'delay':2}}");
	view_has(&t, "options",
	    "{'seats':2,'director':false,'takeback':true,'delay':2}");
	table_clear(&t);
}

static void
a_question_keeps_its_time(void **state)
{
	struct table t;
	int64_t ask, to;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	ask = agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	owed_is(&t, 0, "side", 2, "decide", ask, -1);
	agree_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	to = agree_play(&t, 1, ORDER_OFFER, "{'what':'truce','turns':3}");
	/* A state line that leaves the question as it is. */
	agree_accept(&t, 2, to);
	owed_is(&t, 0, "side", 2, "decide", ask, -1);
	agree_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	owed_is(&t, 0, "side", 2, "decide", ask, -1);
	view_has(&t, "truce", "4");
	table_settle(&t);
	for (to = 1; to < 4; to++) {
		view_has(&t, "truce", "4");
		agree_play(&t, to == 2 ? 2 : 1, ORDER_TURN_END, "{}");
	}
	view_has(&t, "truce", "null");
	table_clear(&t);
}

static void
an_answer_is_owed_by_a_seat(void **state)
{
	struct table t;
	int64_t to, ask;

	(void)state;
	agree_begun(&t, table_roster,
	    "{'scheme':'live-1','clock':{'per':'order','first_s':600,"
	    "'grace_s':30,'then':'forfeit'}}");
	to = agree_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	assert_int_equal(owed_n(&t), 1);
	owed_is(&t, 0, "seat", 2, "answer", to, t.game->at_ms + 630000);
	agree_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	owed_is(&t, 0, "seat", 2, "answer", to, t.game->at_ms - 1000 + 630000);
	agree_play(
	    &t, 2, ORDER_ANSWER, "{'to':%lld,'say':'object'}", (long long)to);
	/* A decision that is objected to is open as of old. */
	ask = agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	owed_is(&t, 0, "seat", 2, "answer", ask, t.game->at_ms + 630000);
	ask = agree_play(
	    &t, 2, ORDER_ANSWER, "{'to':%lld,'say':'agree'}", (long long)ask);
	owed_is(&t, 0, "side", 2, "decide", ask, t.game->at_ms + 630000);
	assert_int_equal(
	    table_try(&t, 2, ORDER_DECIDE, table_answer_args(&t)), 0);
	table_reload(&t);
	to = game_seq(t.game);
	owed_is(&t, 0, "seat", 1, "answer", to, t.game->at_ms + 630000);
	agree_play(
	    &t, 1, ORDER_ANSWER, "{'to':%lld,'say':'object'}", (long long)to);
	owed_is(&t, 0, "side", 2, "decide", ask, t.game->at_ms + 630000);
	assert_string_equal(t.game->combat.ask_kind, "retire");
	table_verify(&t);
	table_clear(&t);
}

static void
clocks_are_shown_as_of_the_last_line(void **state)
{
	struct table t;
	int64_t begun, to, ms;

	(void)state;
	agree_begun(&t, table_roster,
	    "{'options':{'director':true},'clock':{'per':'side',"
	    "'first_s':7200,'add_s':10,'grace_s':100,'holidays':5,"
	    "'then':'director'}}");
	begun = t.game->at_ms;
	view_is(&t, "clocks",
	    "{'1':{'left_s':7200,'holidays':5,'running':true,"
	    "'deadline':'%s'},'2':{'left_s':7200,'holidays':5,"
	    "'running':false}}",
	    at_ms(begun + 7300000));
	owed_is(&t, 0, "side", 1, "turn", 5, begun + 7300000);
	t.at_ms = begun + 600500;
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	ms = begun + 600500;
	view_is(&t, "clocks",
	    "{'1':{'left_s':6609,'holidays':5,'running':false},'2':"
	    "{'left_s':7200,'holidays':5,'running':true,'deadline':'%s'}}",
	    at_ms(ms + 7300000));
	agree_play(&t, 2, ORDER_PAUSE, "{'do':'holiday','days':2}");
	ms = t.game->at_ms + 2 * 86400000;
	view_is(&t, "clocks",
	    "{'1':{'left_s':6609,'holidays':5,'running':false},'2':"
	    "{'left_s':7199,'holidays':3,'running':true,'deadline':'%s',"
	    "'away_until':'%s'}}",
	    at_ms(ms + 7299000), at_ms(ms));
	to = agree_play(&t, 1, ORDER_OFFER, "{'what':'pause','days':3}");
	agree_accept(&t, 2, to);
	ms = t.game->at_ms + 3 * 86400000;
	view_is(&t, "clocks",
	    "{'1':{'left_s':6609,'holidays':5,'running':false},'2':"
	    "{'left_s':7199,'holidays':3,'running':true,'deadline':'%s',"
	    "'away_until':'%s'},'paused_until':'%s'}",
	    at_ms(ms + 7299000), at_ms(ms - 86400000 - 2000), at_ms(ms));
	/* When they are over, they are not there. */
	t.at_ms = ms + 10000;
	agree_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	view_is(&t, "clocks",
	    "{'1':{'left_s':6609,'holidays':5,'running':false},'2':"
	    "{'left_s':7189,'holidays':3,'running':true,'deadline':'%s'}}",
	    at_ms(ms + 7299000));
	/* A claim waits for the director. */
	t.at_ms = ms + 7299000;
	to = agree_play(&t, 1, ORDER_CLAIM, "{}");
	view_is(&t, "adjudication", "%lld", (long long)to);
	assert_int_equal(owed_n(&t), 2);
	owed_is(&t, 0, "side", 2, "turn", to, -1);
	owed_is(&t, 1, "seat", 0, "ruling", to, -1);
	agree_play(&t, 0, ORDER_RULING,
	    "{'claim':%lld,'do':'forfeit','why':" TABLE_REF "}", (long long)to);
	view_has(&t, "adjudication", "null");
	view_has(&t, "result", "{'winner':1,'how':'forfeit'}");
	table_clear(&t);
}

static void
offers_are_shown_while_they_are_open(void **state)
{
	struct table t;
	int64_t a, b, c;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'director':true}}");
	a = agree_play(&t, 1, ORDER_OFFER,
	    "{'what':'victory','winner':2,'why':" TABLE_REF "}");
	b = agree_play(&t, 2, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'fr-1','strength':3}]}");
	c = agree_play(&t, 0, ORDER_RULING, "{'result':0,'why':" TABLE_REF "}");
	view_is(&t, "offers",
	    "[{'seq':%lld,'seat':1,'side':1,'what':'victory','winner':2,"
	    "'why':" TABLE_REF
	    "},{'seq':%lld,'seat':2,'side':2,'what':'adjust','units':["
	    "{'id':'fr-1','strength':3}]},{'seq':%lld,'seat':0,'side':0,"
	    "'what':'ruling','result':0,'why':" TABLE_REF ",'accepted':[]}]",
	    (long long)a, (long long)b, (long long)c);
	agree_play(
	    &t, 2, ORDER_NOTE, "{'to':%lld,'say':'decline'}", (long long)a);
	agree_play(
	    &t, 2, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)b);
	agree_accept(&t, 2, c);
	view_is(&t, "offers",
	    "[{'seq':%lld,'seat':0,'side':0,'what':'ruling','result':0,'why'"
	    ":" TABLE_REF ",'accepted':[2]}]",
	    (long long)c);
	agree_accept(&t, 1, c);
	view_has(&t, "offers", "[]");
	view_has(&t, "result", "{'winner':null,'how':'ruling'}");
	table_clear(&t);
}

static void
cups_and_standing_orders_are_shown(void **state)
{
	static const char text[] = "{\"kind\":\"retire\",\"do\":\"none\"}";
	struct table t;
	int64_t a, b;
	json_t *view;
	struct buf out;

	(void)state;
	buf_init(&out, 0);
	agree_begun(&t, table_roster, "{}");
	agree_play(
	    &t, 2, ORDER_CUP, "{'do':'make','cup':'luck','items':['b','a']}");
	view_has(&t, "cups", "[{'cup':'luck','in':['b','a'],'out':[]}]");
	agree_play(&t, 1, ORDER_FREE, "{'cup':'luck','draw':2}");
	agree_play(
	    &t, 1, ORDER_CUP, "{'do':'return','cup':'luck','items':['b']}");
	view_has(&t, "cups", "[{'cup':'luck','in':['b'],'out':['a']}]");
	assert_int_equal(table_stand(&t, 2, text), 0);
	table_reload(&t);
	a = game_seq(t.game);
	assert_int_equal(
	    table_stand(&t, 1, "{'kind':'stagger','do':'path'}"), 0);
	table_reload(&t);
	b = game_seq(t.game);
	agree_play(
	    &t, 1, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)b);
	view_is(&t, "standing",
	    "[{'seq':%lld,'seat':2,'side':2,'withdrawn':false,'acted':false},"
	    "{'seq':%lld,'seat':1,'side':1,'withdrawn':true,'acted':false}]",
	    (long long)a, (long long)b);
	view = game_view(t.game);
	js_dump(view, &out);
	json_decref(view);
	assert_null(strstr(buf_str(&out), "retire"));
	assert_null(strstr(buf_str(&out), "stagger"));
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_reload(&t);
	view_is(&t, "standing",
	    "[{'seq':%lld,'seat':2,'side':2,'withdrawn':false,'acted':true,"
	    "'kind':'retire','do':'none'},{'seq':%lld,'seat':1,'side':1,"
	    "'withdrawn':true,'acted':false}]",
	    (long long)a, (long long)b);
	buf_clear(&out);
	table_clear(&t);
}

static void
one_seat_a_side_owes_the_close(void **state)
{
	struct table t;
	int64_t end;

	(void)state;
	agree_begun(
	    &t, table_roster, "{'options':{'seats':4,'director':true}}");
	end = agree_play(&t, 4, ORDER_RESIGN, "{}");
	assert_int_equal(owed_n(&t), 4);
	owed_is(&t, 0, "seat", 1, "close", end, -1);
	owed_is(&t, 3, "seat", 4, "close", end, -1);
	agree_play(&t, 0, ORDER_CLOSE, "{}");
	assert_int_equal(owed_n(&t), 4);
	agree_play(&t, 3, ORDER_CLOSE, "{}");
	assert_int_equal(owed_n(&t), 2);
	owed_is(&t, 0, "seat", 2, "close", end, -1);
	owed_is(&t, 1, "seat", 4, "close", end, -1);
	agree_play(&t, 2, ORDER_CLOSE, "{}");
	assert_int_equal(owed_n(&t), 0);
	view_has(&t, "state_at", "null");
	view_has(&t, "phase", "\"finished\"");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_plain_game_shows_its_settings),
	    cmocka_unit_test(settings_are_shown_as_they_were_made),
	    cmocka_unit_test(a_question_keeps_its_time),
	    cmocka_unit_test(an_answer_is_owed_by_a_seat),
	    cmocka_unit_test(clocks_are_shown_as_of_the_last_line),
	    cmocka_unit_test(offers_are_shown_while_they_are_open),
	    cmocka_unit_test(cups_and_standing_orders_are_shown),
	    cmocka_unit_test(one_seat_a_side_owes_the_close),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
