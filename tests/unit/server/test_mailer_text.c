/* SPDX-License-Identifier: ISC */
/* What messages to players say, word by word. */
#include "server/mail/mailer_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"

/* A notice for bert, whose opponent is anna. */
static struct store_notice
sample(const char *what)
{
	struct store_notice t = {
	    .game = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x55},
	    .account = "bert",
	    .system = "lasalle2",
	    .since = 17,
	    .until_ms = -1,
	    .account_1 = "anna",
	    .account_2 = "bert"};

	t.what = owed_of(what);
	assert_int_equal(
	    clock_parse("2026-11-22T16:04:59.999Z", CLOCK_AT_LEN, &t.at_ms), 0);
	return (t);
}

/* Fails unless a mail is short lines of plain ASCII that end. */
static void
is_plain(const char *text)
{
	size_t column = 0;

	for (; *text != '\0'; text++) {
		column = *text == '\n' ? 0 : column + 1;
		assert_true(*text == '\n' || (*text >= ' ' && *text <= '~'));
		assert_true(column <= 78);
	}
	assert_int_equal(column, 0);
}

static void
a_mail_says_who_waits_where_and_since_when(void **state)
{
	struct store_notice t = sample("turn");
	struct buf out;

	(void)state;
	buf_init(&out, 0);
	mailer_text_mail(&out, &t, 1, 1);
	assert_string_equal(buf_str(&out),
	    "Hello bert,\n"
	    "\n"
	    "a game waits for you.\n"
	    "\n"
	    "Game 0123456789abcdef, lasalle2\n"
	    "  with anna\n"
	    "  It is your turn\n"
	    "  since 2026-11-22 16:04 (UTC)\n"
	    "  To see it: umpire show 0123456789abcdef\n"
	    "\n"
	    "You are told of each of these once. To get no more such mails:\n"
	    "  umpire notify --drop mail\n");
	buf_clear(&out);
}

static void
a_mail_says_of_which_tournament_a_game_is(void **state)
{
	struct store_notice t = sample("turn");
	struct buf out;
	json_t *v, *game;

	(void)state;
	(void)snprintf(t.event, sizeof(t.event), "Autumn cup");
	memcpy(t.tournament, t.game + 2, HASH_LEN - 2);
	t.round = 2;
	t.table = 13;
	buf_init(&out, 0);
	mailer_text_mail(&out, &t, 1, 1);
	assert_non_null(strstr(buf_str(&out),
	    "Game 0123456789abcdef, lasalle2\n"
	    "  Tournament Autumn cup, round 2, table 13\n"
	    "  with anna\n"
	    "  It is your turn\n"));
	assert_non_null(strstr(buf_str(&out),
	    "  To see it: umpire show 0123456789abcdef\n"
	    "  To go on: umpire tournament play 456789abcdef5500\n"));
	buf_reset(&out);
	mailer_text_json(&out, &t, 1, 1);
	v = json_loads(buf_str(&out), 0, NULL);
	game = json_array_get(json_object_get(v, "games"), 0);
	assert_string_equal(
	    json_string_value(json_object_get(game, "event")), "Autumn cup");
	assert_int_equal(
	    json_integer_value(json_object_get(game, "table")), 13);
	assert_non_null(strstr(json_string_value(json_object_get(v, "text")),
	    "with anna, Autumn cup, round 2, table 13"));
	json_decref(v);
	memset(t.event, 'w', sizeof(t.event) - 1);
	buf_reset(&out);
	mailer_text_mail(&out, &t, 1, 1);
	is_plain(buf_str(&out));
	buf_clear(&out);
}

static void
an_answer_is_not_only_one_to_dice(void **state)
{
	struct store_notice t = sample("answer");
	struct buf out;

	(void)state;
	buf_init(&out, 0);
	mailer_text_mail(&out, &t, 1, 1);
	assert_non_null(strstr(buf_str(&out),
	    "\n  A game waits for your answer to what was done or said\n"));
	is_plain(buf_str(&out));
	buf_clear(&out);
}

static void
times_are_on_the_players_clock(void **state)
{
	static const struct {
		int offset;
		const char *since;
	} rows[] = {
	    {0, "since 2026-11-22 16:04 (UTC)\n"},
	    {120, "since 2026-11-22 18:04 (UTC+02:00)\n"},
	    {-300, "since 2026-11-22 11:04 (UTC-05:00)\n"},
	    {345, "since 2026-11-22 21:49 (UTC+05:45)\n"},
	    {840, "since 2026-11-23 06:04 (UTC+14:00)\n"},
	    {-30, "since 2026-11-22 15:34 (UTC-00:30)\n"},
	};
	struct store_notice t = sample("decide");
	struct buf out;
	size_t i;

	(void)state;
	t.until_ms = t.at_ms + 86400000;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		t.quiet.has_quiet = true;
		t.quiet.offset_min = rows[i].offset;
		buf_init(&out, 0);
		mailer_text_mail(&out, &t, 1, 1);
		assert_non_null(strstr(buf_str(&out), rows[i].since));
		assert_non_null(strstr(buf_str(&out), "  until 2026-11-2"));
		buf_clear(&out);
	}
	/* Without quiet hours nobody has said what the offset is. */
	t.quiet.has_quiet = false;
	buf_init(&out, 0);
	mailer_text_mail(&out, &t, 1, 1);
	assert_non_null(strstr(buf_str(&out), rows[0].since));
	assert_non_null(strstr(buf_str(&out), "until 2026-11-23 16:04 (UTC)"));
	buf_clear(&out);
}

static void
each_thing_that_waits_has_its_sentence(void **state)
{
	static const char *const all[] = {"turn", "decide", "commit", "open",
	    "answer", "ready", "ruling", "close", "offer", "invitation"};
	char texts[11][1024];
	struct store_notice t;
	struct buf out;
	size_t i, k;

	(void)state;
	for (i = 0; i < 11; i++) {
		t = sample(i < 10 ? all[i] : "another");
		buf_init(&out, 0);
		mailer_text_mail(&out, &t, 1, 1);
		(void)snprintf(texts[i], sizeof(texts[i]), "%s", buf_str(&out));
		buf_clear(&out);
		for (k = 0; k < i; k++)
			assert_string_not_equal(texts[i], texts[k]);
	}
	assert_non_null(strstr(texts[10], "\n  Something waits for you\n"));
}

static void
the_longest_names_and_many_games_stay_short_lines(void **state)
{
	struct store_notice list[MAILER_TEXT_MAX];
	struct buf out;
	size_t i;

	(void)state;
	for (i = 0; i < MAILER_TEXT_MAX; i++) {
		list[i] = sample("invitation");
		memset(list[i].account, 'a', ORDER_ACCOUNT_MAX);
		memset(list[i].account_1, 'b', ORDER_ACCOUNT_MAX);
		memset(list[i].account_2, 'c', ORDER_ACCOUNT_MAX);
		memset(list[i].system, 'd', sizeof(list[i].system) - 1);
		list[i].until_ms = 1;
		list[i].quiet.has_quiet = true;
		list[i].quiet.offset_min = -840;
	}
	buf_init(&out, 0);
	mailer_text_mail(&out, list, MAILER_TEXT_MAX, 4096);
	is_plain(buf_str(&out));
	assert_non_null(
	    strstr(buf_str(&out), "\nAnd 4064 more. To see all: umpire games"));
	assert_true(out.len < 16384);
	buf_reset(&out);
	mailer_text_json(&out, list, MAILER_TEXT_MAX, 4096);
	assert_true(out.len < 32768);
	buf_clear(&out);
}

/* Parses what was written; new. */
static json_t *
parse(struct buf *out)
{
	struct errinfo e;
	json_t *v;

	assert_int_equal(buf_error(out), 0);
	assert_null(memchr(out->data, '\n', out->len));
	assert_int_equal(js_load(out->data, out->len, 4, &v, &e), 0);
	return (v);
}

static void
programs_get_the_same_as_json(void **state)
{
	struct store_notice list[2] = {sample("turn"), sample("offer")};
	struct buf out;
	json_t *v, *want;

	(void)state;
	list[1].game[0] = 0xff;
	list[1].account_2[0] = '\0';
	list[1].until_ms = list[1].at_ms + 60000;
	buf_init(&out, 0);
	mailer_text_json(&out, list, 2, 2);
	v = parse(&out);
	want = json_pack(
	    "{s:s, s:s, s:s, s:s, s:[{s:s, s:s, s:s, s:i, s:s, s:[s]},"
	    " {s:s, s:s, s:s, s:i, s:s, s:s, s:[s]}]}",
	    "event", "waiting", "account", "bert", "text",
	    "umpire for bert:\n"
	    "It is your turn: game 0123456789abcdef, lasalle2, with anna\n"
	    "An offer waits for your answer: game ff23456789abcdef, lasalle2, "
	    "with anna",
	    "content",
	    "umpire for bert:\n"
	    "It is your turn: game 0123456789abcdef, lasalle2, with anna\n"
	    "An offer waits for your answer: game ff23456789abcdef, lasalle2, "
	    "with anna",
	    "games", "game",
	    "0123456789abcdef550000000000000000000000000000000000000000000000",
	    "system", "lasalle2", "what", "turn", "since", 17, "since_at",
	    "2026-11-22T16:04:59.999Z", "opponents", "anna", "game",
	    "ff23456789abcdef550000000000000000000000000000000000000000000000",
	    "system", "lasalle2", "what", "offer", "since", 17, "since_at",
	    "2026-11-22T16:04:59.999Z", "until", "2026-11-22T16:05:59.999Z",
	    "opponents", "anna");
	assert_non_null(want);
	assert_true(json_equal(v, want));
	json_decref(v);
	json_decref(want);
	buf_clear(&out);
}

static void
a_short_text_ends_after_some_lines(void **state)
{
	struct store_notice list[9];
	const char *text, *s;
	struct buf out;
	json_t *v;
	size_t lines = 0;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		list[i] = sample("turn");
	buf_init(&out, 0);
	mailer_text_json(&out, list, 9, 12);
	v = parse(&out);
	text = json_string_value(json_object_get(v, "text"));
	for (s = text; (s = strchr(s, '\n')) != NULL; s++)
		lines++;
	assert_int_equal(lines, 9);
	assert_string_equal(strrchr(text, '\n'), "\nand 4 more");
	assert_int_equal(json_array_size(json_object_get(v, "games")), 9);
	json_decref(v);
	buf_reset(&out);
	mailer_text_json(&out, list, 1, 1);
	v = parse(&out);
	assert_string_equal(json_string_value(json_object_get(v, "content")),
	    "umpire for bert: It is your turn: game 0123456789abcdef, "
	    "lasalle2, with anna");
	json_decref(v);
	buf_clear(&out);
}

static void
opponents_are_the_others_each_once(void **state)
{
	static const char *const rows[][4] = {
	    /* account_1, account_2, then the names expected */
	    {"anna", "bert", "anna", NULL},
	    {"bert", "anna", "anna", NULL},
	    {"bert", "", NULL, NULL},
	    {"", "", NULL, NULL},
	    {"bert", "bert", NULL, NULL},
	    {"anna", "carl", "anna", "carl"},
	    {"anna", "anna", "anna", NULL},
	    {"", "carl", "carl", NULL},
	};
	struct store_notice t = sample("turn");
	struct buf out;
	json_t *v, *names;
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)snprintf(
		    t.account_1, sizeof(t.account_1), "%s", rows[i][0]);
		(void)snprintf(
		    t.account_2, sizeof(t.account_2), "%s", rows[i][1]);
		buf_init(&out, 0);
		mailer_text_json(&out, &t, 1, 1);
		v = parse(&out);
		names = json_object_get(
		    json_array_get(json_object_get(v, "games"), 0),
		    "opponents");
		n = (size_t)(rows[i][2] != NULL) + (rows[i][3] != NULL);
		assert_int_equal(json_array_size(names), n);
		while (n-- > 0)
			assert_string_equal(
			    json_string_value(json_array_get(names, n)),
			    rows[i][2 + n]);
		json_decref(v);
		buf_clear(&out);
	}
}

static void
a_code_comes_with_the_command_that_says_it(void **state)
{
	struct store_address a = {.account = "anna", .code = "abcd2345"};
	struct buf out;
	json_t *v;

	(void)state;
	buf_init(&out, 0);
	mailer_text_code_mail(&out, &a);
	assert_non_null(
	    strstr(buf_str(&out), "\n  umpire notify --confirm abcd2345\n"));
	is_plain(buf_str(&out));
	buf_reset(&out);
	mailer_text_code_json(&out, &a);
	v = parse(&out);
	assert_int_equal(json_object_size(v), 5);
	assert_string_equal(
	    json_string_value(json_object_get(v, "event")), "confirm");
	assert_string_equal(
	    json_string_value(json_object_get(v, "code")), "abcd2345");
	assert_string_equal(json_string_value(json_object_get(v, "text")),
	    "umpire for anna: to be told here, run: umpire notify --confirm "
	    "abcd2345");
	assert_true(json_equal(
	    json_object_get(v, "text"), json_object_get(v, "content")));
	json_decref(v);
	/* The longest names. */
	memset(a.account, 'a', ORDER_ACCOUNT_MAX);
	buf_reset(&out);
	mailer_text_code_mail(&out, &a);
	is_plain(buf_str(&out));
	buf_clear(&out);
}

/* What bert is told of a tournament. */
static struct store_notice
told(const char *what, const char *data)
{
	struct store_notice t = sample("");

	t.is_tournament = true;
	t.told = told_of(what);
	(void)snprintf(t.event, sizeof(t.event), "Autumn cup");
	(void)snprintf(t.data, sizeof(t.data), "%s", data);
	t.account_1[0] = t.account_2[0] = '\0';
	return (t);
}

static void
a_mail_says_when_to_be_where(void **state)
{
	struct store_notice t = told("table",
	    "{\"round\":2,\"rounds\":5,\"table\":3,\"leg\":1,\"legs\":2,"
	    "\"side\":1,\"opponent\":\"anna\",\"scenario\":\"Bridge\","
	    "\"ends\":\"2026-11-29T16:04:59.999Z\"}");
	struct buf out;

	(void)state;
	t.until_ms = t.at_ms + 3600000;
	t.quiet.has_quiet = true;
	t.quiet.offset_min = 60;
	buf_init(&out, 0);
	mailer_text_mail(&out, &t, 1, 1);
	assert_string_equal(buf_str(&out),
	    "Hello bert,\n"
	    "\n"
	    "there is news of a tournament.\n"
	    "\n"
	    "Tournament Autumn cup, lasalle2\n"
	    "  round 2 of 5, table 3, game 1 of 2: you have side 1 against "
	    "anna\n"
	    "  Scenario: Bridge\n"
	    "  Be there by 2026-11-22 18:04 (UTC+01:00), or you can lose the "
	    "game\n"
	    "  The round ends 2026-11-29 17:04 (UTC+01:00)\n"
	    "  To play: umpire tournament play 0123456789abcdef\n"
	    "\n"
	    "You are told of each of these once. To get no more such mails:\n"
	    "  umpire notify --drop mail\n");
	assert_string_equal(
	    mailer_text_subject(&t, 1), "umpire: your tournament");
	buf_clear(&out);
}

static void
each_thing_of_a_tournament_has_its_sentence(void **state)
{
	static const char place[] =
	    "\"round\":1,\"rounds\":3,\"table\":2,\"leg\":1,\"legs\":1,";
	static const struct {
		const char *what, *data, *says;
	} rows[] = {
	    {"admit", "\"account\":\"anna\"",
		"anna has entered, and waits for your word"},
	    {"shut", "\"x\":1", "entries can be ended"},
	    {"checkin", "\"x\":1", "check-in is open"},
	    {"checkin-ends", "\"x\":1", "you have not checked in yet"},
	    {"start", "\"x\":1", "the lots can be drawn"},
	    {"start", "\"witness\":true",
		"it waits for you, its witness, to draw the lots"},
	    {"pair", "\"x\":1", "round 1 of 3, table 2 can be paired"},
	    {"table", "\"side\":2,\"opponent\":\"anna\",\"play_off\":true",
		"round 1 of 3, table 2: the table is drawn, so one more game "
		"decides: you\n    have side 2 against anna\n"},
	    {"table",
		"\"side\":2,\"army\":\"The Russians\","
		"\"opponent\":\"anna\"",
		"you have side 2 (The Russians) against anna\n"},
	    {"bye", "\"half\":2",
		"round 1 of 3, table 2: you have no opponent, and get 1 point"},
	    {"bye", "\"half\":0", "no opponent, and get 0 points"},
	    {"bye", "\"half\":1", "no opponent, and get 0.5 points"},
	    {"opponent", "\"opponent\":\"anna\"",
		"round 1 of 3, table 2: anna has opened your game and waits"},
	    {"start-ends", "\"opponent\":\"anna\"",
		"you have not come to your game against anna"},
	    {"round-ends", "\"opponent\":\"anna\"",
		"your game against anna has no result yet"},
	    {"claim", "\"opponent\":\"anna\",\"by\":\"anna\"",
		"anna claims that your time is over"},
	    {"claim", "\"opponent\":\"anna\",\"by\":\"carl\"",
		"carl claims that the time of your game is over"},
	    {"rule", "\"players\":[\"anna\",\"carl\"]",
		"table 2, anna against carl: it waits for your ruling"},
	    {"answer", "\"by\":\"anna\"",
		"anna protests, and waits for your answer"},
	    {"protest", "\"by\":\"anna\"", "table 2: anna protests"},
	    {"ruling",
		"\"by\":\"dina\",\"form\":\"result\",\"outcome\":\"draw\"",
		"dina has ruled on round 1 of 3, table 2: your game counts "
		"as drawn"},
	    {"ruling", "\"by\":\"dina\",\"form\":\"points\",\"half\":-3",
		"you lose 1.5 points"},
	    {"ruling", "\"by\":\"dina\",\"form\":\"replay\"",
		"your game is to be played again"},
	    {"ruling", "\"by\":\"dina\",\"form\":\"expel\"",
		"you are out of the tournament"},
	    {"result",
		"\"by\":\"anna\",\"how\":\"absent\","
		"\"opponent\":\"anna\",\"outcome\":\"loss\"",
		"table 2: the claim of anna, that you did not come, has taken\n"
		"    effect; your game against anna counts as lost\n"
		"  If that is wrong: umpire tournament protest --table 1.2 "
		"0123456789abcdef WHY\n"},
	    {"result",
		"\"by\":\"carl\",\"how\":\"absent\","
		"\"opponent\":\"anna\",\"outcome\":\"win\"",
		"the claim of carl, that anna did not come, has\n"
		"    taken effect; your game against anna counts as won\n"
		"  To see it: umpire tournament show 0123456789abcdef\n"},
	    {"result", "\"by\":\"carl\",\"how\":\"late\",\"opponent\":\"anna\"",
		"that the round is over time, has\n"
		"    taken effect; a director rules on your game against "
		"anna\n  To see it: umpire tournament show "},
	    {"result",
		"\"by\":\"anna\",\"how\":\"unruled\","
		"\"opponent\":\"anna\",\"outcome\":\"draw\"",
		"that no director has ruled, has\n"
		"    taken effect; your game against anna counts as drawn\n"
		"  To see it: "},
	    {"result",
		"\"how\":\"out\",\"opponent\":\"anna\","
		"\"outcome\":\"win\"",
		"anna is out; your game against anna counts as won\n"},
	    {"out", "\"x\":1",
		"you did not come when you were due, and are out from round 1 "
		"of 3 on\n  If that is wrong: umpire tournament protest "},
	    {"finish", "\"x\":1", "all is played: it can be finished"},
	    {"over", "\"rank\":3,\"of\":16,\"half\":7,\"winners\":[\"anna\"]",
		"it is over: you have place 3 of 16, with 3.5 points; first: "
		"anna"},
	    {"over", "\"x\":1", "it is over, since fewer than two checked in"},
	    {"of another version", "\"x\":1", "there is something for you"},
	};
	struct store_notice t;
	char data[512];
	struct buf out;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		(void)snprintf(
		    data, sizeof(data), "{%s%s}", place, rows[i].data);
		t = told(rows[i].what, data);
		buf_init(&out, 0);
		mailer_text_mail(&out, &t, 1, 1);
		is_plain(buf_str(&out));
		if (strstr(buf_str(&out), rows[i].says) == NULL)
			fail_msg("%s: %s", rows[i].what, buf_str(&out));
		buf_clear(&out);
	}
}

static void
a_witness_is_told_no_name_that_they_did_not_see(void **state)
{
	struct store_notice t = told("start", "{\"witness\":true}");
	struct buf out;

	(void)state;
	buf_init(&out, 0);
	mailer_text_mail(&out, &t, 1, 1);
	assert_null(strstr(buf_str(&out), "Autumn"));
	assert_non_null(
	    strstr(buf_str(&out), "Tournament 0123456789abcdef, lasalle2\n"));
	buf_clear(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_mail_says_who_waits_where_and_since_when),
	    cmocka_unit_test(a_mail_says_of_which_tournament_a_game_is),
	    cmocka_unit_test(an_answer_is_not_only_one_to_dice),
	    cmocka_unit_test(times_are_on_the_players_clock),
	    cmocka_unit_test(each_thing_that_waits_has_its_sentence),
	    cmocka_unit_test(the_longest_names_and_many_games_stay_short_lines),
	    cmocka_unit_test(programs_get_the_same_as_json),
	    cmocka_unit_test(a_short_text_ends_after_some_lines),
	    cmocka_unit_test(opponents_are_the_others_each_once),
	    cmocka_unit_test(a_mail_says_when_to_be_where),
	    cmocka_unit_test(each_thing_of_a_tournament_has_its_sentence),
	    cmocka_unit_test(a_witness_is_told_no_name_that_they_did_not_see),
	    cmocka_unit_test(a_code_comes_with_the_command_that_says_it),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
