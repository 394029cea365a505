/* SPDX-License-Identifier: ISC */
#include "server/mail/mailer_told.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/half.h"
#include "common/base/hex.h"
#include "common/json/js.h"

#define MAILER_TOLD_DIGITS 16 /* of a name, for people */
#define MAILER_TOLD_COLUMNS 76

/* What a mail says after the first sentence. */
static const struct mailer_told_words {
	const char *until; /* before the time that it ends; NULL: not said */
	const char *after; /* and after that */
	const char *label; /* before what is to be typed */
	const char *command; /* `umpire tournament` and this */
} mailer_told_table[] = {
    [TOLD_ADMIT] = {NULL, "", "To admit them", "admit"},
    [TOLD_SHUT] = {NULL, "", "To end them", "shut"},
    [TOLD_CHECKIN] = {"Check in by ", ", or you do not play", "To check in",
	"checkin"},
    [TOLD_CHECKIN_ENDS] = {"Check in by ", ", or you do not play",
	"To check in", "checkin"},
    [TOLD_START] = {NULL, "", "To draw them", "start"},
    [TOLD_PAIR] = {NULL, "", "To pair it", "pair"},
    [TOLD_TABLE] = {"Be there by ", ", or you can lose the game", "To play",
	"play"},
    [TOLD_BYE] = {NULL, "", "To see it", "show"},
    [TOLD_OPPONENT] = {"Be there by ", ", or you can lose the game", "To play",
	"play"},
    [TOLD_START_ENDS] = {"Be there by ", ", or you can lose the game",
	"To play", "play"},
    [TOLD_ROUND_ENDS] = {"The round ends ", "; then the terms decide the game",
	"To play", "play"},
    [TOLD_CLAIM] = {"It can count from ", " on", "To see it", "show"},
    [TOLD_RULE] = {"Rule by ", ", then the terms decide", "To rule", "rule"},
    [TOLD_ANSWER] = {NULL, "", "To answer", "rule"},
    [TOLD_PROTEST] = {NULL, "", "To read it", "show"},
    [TOLD_RULING] = {"Now the round ends ", "", "To read why", "show"},
    [TOLD_RESULT] = {NULL, "", "To see it", "show"},
    [TOLD_OUT] = {NULL, "", "If that is wrong", "protest"},
    [TOLD_FINISH] = {NULL, "", "To finish it", "finish"},
    [TOLD_OVER] = {NULL, "", "To see all", "standings"},
    [TOLD_OTHER] = {NULL, "", "To see it", "show"},
};

/* Of an opponent's claim, whom one can still come to. */
static const struct mailer_told_words mailer_told_against = {
    "It can count from ", " on; until then you can still play", "To play",
    "play"};

/* Of a game that is lost without having been played to its end. */
static const struct mailer_told_words mailer_told_lost = {
    NULL, "", "If that is wrong", "protest"};

void
mailer_told_time(struct buf *out, const struct store_notice *t, int64_t ms)
{
	const int offset = t->quiet.has_quiet ? t->quiet.offset_min : 0;
	char at[CLOCK_AT_LEN + 1];

	clock_format(at, ms + 60000 * (int64_t)offset);
	buf_printf(out, "%.10s %.5s (UTC", at, at + 11);
	if (offset != 0)
		buf_printf(out, "%c%02d:%02d", offset < 0 ? '-' : '+',
		    abs(offset) / 60, abs(offset) % 60);
	buf_putc(out, ')');
}

/* Appends the first digits of an id. */
static void
mailer_told_digits(struct buf *out, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, id, HASH_LEN);
	buf_add(out, hex, MAILER_TOLD_DIGITS);
}

void
mailer_told_name(struct buf *out, const struct store_notice *t)
{
	mailer_told_digits(out, t->game);
}

void
mailer_told_cup(struct buf *out, const struct store_notice *t)
{
	mailer_told_digits(out, t->tournament);
}

/* What a notice is about; new, NULL without memory. */
static json_t *
mailer_told_data(const struct store_notice *t)
{
	struct errinfo why;
	json_t *v;

	/* The ledger wrote it. */
	if (js_load(t->data, strlen(t->data), 2, &v, &why) != 0)
		return (json_object());
	return (v);
}

/* A member that is a text; "" if it is not there. */
static const char *
mailer_told_str(const json_t *v, const char *name)
{
	const char *s = js_str(v, name);

	return (s == NULL ? "" : s);
}

/* Appends where it is: "round 2 of 5, table 3". */
static void
mailer_told_place(struct buf *out, const json_t *v)
{
	buf_printf(out, "round %lld of %lld", (long long)js_int(v, "round"),
	    (long long)js_int(v, "rounds"));
	if (json_object_get(v, "table") != NULL)
		buf_printf(out, ", table %lld", (long long)js_int(v, "table"));
	if (json_object_get(v, "legs") != NULL && js_int(v, "legs") > 1)
		buf_printf(out, ", game %lld of %lld",
		    (long long)js_int(v, "leg"), (long long)js_int(v, "legs"));
}

/* Appends half points as people count them. */
static void
mailer_told_points(struct buf *out, int64_t half)
{
	char text[HALF_TEXT];
	const int n = abs((int)half);

	buf_printf(out, "%s point%s", half_text(text, n), n == 2 ? "" : "s");
}

/* Appends who sits at a table. */
static void
mailer_told_players(struct buf *out, const json_t *v)
{
	const json_t *both = json_object_get(v, "players");

	if (json_array_size(both) == 2)
		buf_printf(out, ", %s against %s",
		    json_string_value(json_array_get(both, 0)),
		    json_string_value(json_array_get(both, 1)));
}

/* How a game counts for them: "won", "drawn", "lost". */
static const char *
mailer_told_outcome(const json_t *v)
{
	const char *outcome = mailer_told_str(v, "outcome");

	return (strcmp(outcome, "win") == 0    ? "won"
		: strcmp(outcome, "draw") == 0 ? "drawn"
					       : "lost");
}

/* Appends what a claim, or somebody who is out, has done to their table. */
static void
mailer_told_result(struct buf *out, const json_t *v)
{
	const char *how = mailer_told_str(v, "how");
	const char *by = mailer_told_str(v, "by");
	const char *opponent = mailer_told_str(v, "opponent");
	const char *outcome = mailer_told_str(v, "outcome");

	mailer_told_place(out, v);
	if (strcmp(how, "out") == 0)
		buf_printf(out, ": %s is out", opponent);
	else
		buf_printf(out, ": the claim of %s, that ",
		    by[0] == '\0' ? "somebody" : by);
	if (strcmp(how, "absent") == 0)
		buf_printf(out, "%s did not come, has taken effect",
		    strcmp(outcome, "loss") == 0      ? "you"
			: strcmp(outcome, "win") == 0 ? opponent
						      : "somebody");
	else if (strcmp(how, "out") != 0)
		buf_printf(out, "%s, has taken effect",
		    strcmp(how, "late") == 0 ? "the round is over time"
					     : "no director has ruled");
	if (outcome[0] == '\0')
		buf_printf(out, "; a director rules on your game against %s",
		    opponent);
	else
		buf_printf(out, "; your game against %s counts as %s", opponent,
		    mailer_told_outcome(v));
}

/* Appends what a director has ruled. */
static void
mailer_told_ruling(struct buf *out, const json_t *v)
{
	const char *form = mailer_told_str(v, "form");

	buf_printf(out, "%s has ruled", mailer_told_str(v, "by"));
	if (json_object_get(v, "round") != NULL) {
		buf_puts(out, " on ");
		mailer_told_place(out, v);
	}
	buf_puts(out, ": ");
	if (strcmp(form, "result") == 0) {
		buf_printf(
		    out, "your game counts as %s", mailer_told_outcome(v));
	} else if (strcmp(form, "points") == 0) {
		buf_printf(
		    out, "you %s ", js_int(v, "half") < 0 ? "lose" : "get");
		mailer_told_points(out, js_int(v, "half"));
	} else {
		buf_puts(out,
		    strcmp(form, "replay") == 0
			? "your game is to be played again"
			: strcmp(form, "extend") == 0 ? "there is more time"
			: strcmp(form, "expel") == 0
			? "you are out of the tournament"
			: strcmp(form, "back") == 0 ? "you are in again"
			: strcmp(form, "apart") == 0
			? "you and others are not paired with each other"
			: strcmp(form, "answer") == 0
			? "your protest is answered"
			: "something that concerns you");
	}
}

/* Appends how it has ended. */
static void
mailer_told_over(struct buf *out, const json_t *v)
{
	const json_t *winners = json_object_get(v, "winners"), *name;
	size_t i;

	if (winners == NULL) {
		buf_puts(out, "it is over, since fewer than two checked in");
		return;
	}
	buf_puts(out, "it is over");
	if (json_object_get(v, "rank") != NULL) {
		buf_printf(out, ": you have place %lld of %lld, with ",
		    (long long)js_int(v, "rank"), (long long)js_int(v, "of"));
		mailer_told_points(out, js_int(v, "half"));
	}
	json_array_foreach(winners, i, name) buf_printf(
	    out, "%s%s", i == 0 ? "; first: " : ", ", json_string_value(name));
}

/* Appends which side they have at a table, and against whom. */
static void
mailer_told_side(struct buf *out, const json_t *v)
{
	const char *army = mailer_told_str(v, "army");

	buf_printf(out, ": %syou have side %lld",
	    json_is_true(json_object_get(v, "play_off"))
		? "the table is drawn, so one more game decides: "
		: "",
	    (long long)js_int(v, "side"));
	if (army[0] != '\0')
		buf_printf(out, " (%s)", army);
	buf_printf(out, " against %s", mailer_told_str(v, "opponent"));
}

/* Appends what happened, a clause without its end. */
static void
mailer_told_clause(
    struct buf *out, const struct store_notice *t, const json_t *v)
{
	const char *opponent = mailer_told_str(v, "opponent");
	const char *by = mailer_told_str(v, "by");

	switch (t->told) {
	case TOLD_ADMIT:
		buf_printf(out, "%s has entered, and waits for your word",
		    mailer_told_str(v, "account"));
		break;
	case TOLD_SHUT:
		buf_puts(out, "entries can be ended");
		break;
	case TOLD_CHECKIN:
		buf_puts(out, "check-in is open");
		break;
	case TOLD_CHECKIN_ENDS:
		buf_puts(out, "you have not checked in yet");
		break;
	case TOLD_START:
		buf_puts(out,
		    json_is_true(json_object_get(v, "witness"))
			? "it waits for you, its witness, to draw the lots"
			: "the lots can be drawn");
		break;
	case TOLD_PAIR:
		mailer_told_place(out, v);
		buf_puts(out, " can be paired");
		break;
	case TOLD_TABLE:
		mailer_told_place(out, v);
		mailer_told_side(out, v);
		break;
	case TOLD_BYE:
		mailer_told_place(out, v);
		buf_puts(out, ": you have no opponent, and get ");
		mailer_told_points(out, js_int(v, "half"));
		break;
	case TOLD_OPPONENT:
		mailer_told_place(out, v);
		buf_printf(
		    out, ": %s has opened your game and waits", opponent);
		break;
	case TOLD_START_ENDS:
		mailer_told_place(out, v);
		buf_printf(out, ": you have not come to your game against %s",
		    opponent);
		break;
	case TOLD_ROUND_ENDS:
		mailer_told_place(out, v);
		buf_printf(
		    out, ": your game against %s has no result yet", opponent);
		break;
	case TOLD_CLAIM:
		mailer_told_place(out, v);
		buf_printf(out,
		    strcmp(by, opponent) == 0
			? ": %s claims that your time is over"
			: ": %s claims that the time of your game is over",
		    by[0] == '\0' ? "somebody" : by);
		break;
	case TOLD_RULE:
		mailer_told_place(out, v);
		mailer_told_players(out, v);
		buf_puts(out, ": it waits for your ruling");
		break;
	case TOLD_ANSWER:
	case TOLD_PROTEST:
		mailer_told_place(out, v);
		mailer_told_players(out, v);
		buf_printf(out, ": %s protests%s", by,
		    t->told == TOLD_ANSWER ? ", and waits for your answer"
					   : "");
		break;
	case TOLD_RULING:
		mailer_told_ruling(out, v);
		break;
	case TOLD_RESULT:
		mailer_told_result(out, v);
		break;
	case TOLD_OUT:
		buf_printf(out,
		    "you did not come when you were due, and are out from "
		    "round %lld of %lld on",
		    (long long)js_int(v, "round"),
		    (long long)js_int(v, "rounds"));
		break;
	case TOLD_FINISH:
		buf_puts(out, "all is played: it can be finished");
		break;
	case TOLD_OVER:
		mailer_told_over(out, v);
		break;
	case TOLD_OTHER:
		buf_puts(out, "there is something for you");
		break;
	}
}

/* Appends what it is called; nobody asks a witness, who is told no name. */
static void
mailer_told_event(
    struct buf *out, const struct store_notice *t, const json_t *v)
{
	if (t->event[0] != '\0' && json_object_get(v, "witness") == NULL)
		buf_puts(out, t->event);
	else
		mailer_told_name(out, t);
}

/* Appends a line that is broken where it would be too long. */
static void
mailer_told_line(struct buf *out, struct buf *line)
{
	const char *s = buf_str(line);
	size_t column = 0, n;

	while (*s != '\0') {
		n = strcspn(s + 1, " ") + 1;
		if (column > 0 && column + n > MAILER_TOLD_COLUMNS) {
			buf_puts(out, "\n   ");
			column = 3;
		}
		buf_add(out, s, n);
		column += n;
		s += n;
	}
	buf_putc(out, '\n');
	if (line->error != 0)
		out->error = line->error;
	buf_reset(line);
}

void
mailer_told_game(struct buf *out, const struct store_notice *t)
{
	struct buf line;

	buf_init(&line, 0);
	buf_printf(&line, "  Tournament %s, round %d, table %d", t->event,
	    t->round, t->table);
	mailer_told_line(out, &line);
	buf_clear(&line);
}

/* Appends what to type, a line; a protest needs the table and a reason. */
static void
mailer_told_command(struct buf *out, const struct store_notice *t,
    const struct mailer_told_words *words, const json_t *v)
{
	const bool is_protest = strcmp(words->command, "protest") == 0;

	buf_printf(
	    out, "  %s: umpire tournament %s ", words->label, words->command);
	if (is_protest && json_object_get(v, "table") != NULL)
		buf_printf(out, "--table %lld.%lld ",
		    (long long)js_int(v, "round"),
		    (long long)js_int(v, "table"));
	mailer_told_name(out, t);
	buf_puts(out, is_protest ? " WHY\n" : "\n");
}

void
mailer_told_paragraph(struct buf *out, const struct store_notice *t)
{
	const struct mailer_told_words *words = &mailer_told_table[t->told];
	const char *scenario, *ends;
	json_t *v = mailer_told_data(t);
	struct buf line;
	int64_t ends_ms;

	if (t->told == TOLD_CLAIM && *mailer_told_str(v, "opponent") != '\0' &&
	    strcmp(mailer_told_str(v, "by"), mailer_told_str(v, "opponent")) ==
		0)
		words = &mailer_told_against;
	if (t->told == TOLD_RESULT &&
	    strcmp(mailer_told_str(v, "outcome"), "loss") == 0)
		words = &mailer_told_lost;
	buf_init(&line, 0);
	buf_puts(&line, "Tournament ");
	mailer_told_event(&line, t, v);
	buf_printf(&line, ", %s", t->system);
	buf_putc(out, '\n');
	mailer_told_line(out, &line);
	buf_puts(&line, "  ");
	mailer_told_clause(&line, t, v);
	mailer_told_line(out, &line);
	buf_clear(&line);
	scenario = mailer_told_str(v, "scenario");
	if (scenario[0] != '\0' && t->told != TOLD_RESULT)
		buf_printf(out, "  Scenario: %s\n", scenario);
	if (t->until_ms > t->at_ms && words->until != NULL) {
		buf_printf(out, "  %s", words->until);
		mailer_told_time(out, t, t->until_ms);
		buf_printf(out, "%s\n", words->after);
	}
	ends = mailer_told_str(v, "ends");
	if (ends[0] != '\0' && t->told != TOLD_ROUND_ENDS &&
	    t->told != TOLD_RESULT &&
	    clock_parse(ends, strlen(ends), &ends_ms) == 0) {
		buf_puts(out, "  The round ends ");
		mailer_told_time(out, t, ends_ms);
		buf_putc(out, '\n');
	}
	mailer_told_command(out, t, words, v);
	json_decref(v);
}

void
mailer_told_short(struct buf *out, const struct store_notice *t)
{
	const struct mailer_told_words *words = &mailer_told_table[t->told];
	json_t *v = mailer_told_data(t);

	buf_puts(out, "tournament ");
	mailer_told_event(out, t, v);
	buf_puts(out, ": ");
	mailer_told_clause(out, t, v);
	if (t->until_ms > t->at_ms && words->until != NULL) {
		buf_printf(out, ". %s", words->until);
		mailer_told_time(out, t, t->until_ms);
	}
	json_decref(v);
}

json_t *
mailer_told_object(const struct store_notice *t)
{
	char at[CLOCK_AT_LEN + 1], until[CLOCK_AT_LEN + 1];
	json_t *v = mailer_told_data(t), *all;

	clock_format(at, t->at_ms);
	if (t->until_ms >= 0)
		clock_format(until, t->until_ms);
	all = json_pack("{s:o, s:s, s:s, s:s, s:I, s:s, s:s*}", "tournament",
	    js_hex(t->game, HASH_LEN), "event", t->event, "system", t->system,
	    "what", told_name(t->told), "since", (json_int_t)t->since,
	    "since_at", at, "until", t->until_ms < 0 ? NULL : until);
	if (all == NULL || v == NULL || json_object_update(all, v) != 0) {
		json_decref(all);
		all = NULL;
	}
	json_decref(v);
	return (all);
}
