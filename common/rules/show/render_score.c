/* SPDX-License-Identifier: ISC */
/*
 * What a score is made of.  The steps are added up beside their rows, exactly,
 * so that a bound that changes nothing goes without saying; the numbers of an
 * event that cannot be trusted may not add up, and then all bounds are shown.
 */
#include "common/rules/show/render_score.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/rules/show/render_row.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/rules_show.h"

#define RENDER_SCORE_NUMBER 24 /* bytes of a number with its sign */
#define RENDER_SCORE_MARK 80 /* bytes of a bound in words */
#define RENDER_SCORE_MOST 1000000 /* what stands is no further from 0 */
#define RENDER_SCORE_PARTS 1000 /* and in no smaller parts */

/* What stands so far: a fraction in no particular terms. */
struct render_score_sum {
	int64_t n;
	int64_t parts; /* 1 or more */
	bool is_known; /* false: something could not be added */
};

/* Keeps what stands within its limits, or gives it up. */
static void
render_score_keep(struct render_score_sum *sum)
{
	if (sum->n % sum->parts == 0) {
		sum->n /= sum->parts;
		sum->parts = 1;
	}
	if (sum->parts > RENDER_SCORE_PARTS ||
	    llabs(sum->n) > RENDER_SCORE_MOST * sum->parts)
		sum->is_known = false;
}

/* Adds n parts out of `parts`, each within the limits. */
static void
render_score_add(struct render_score_sum *sum, json_int_t n, int64_t parts)
{
	if (!sum->is_known || n > RENDER_SCORE_MOST || n < -RENDER_SCORE_MOST) {
		sum->is_known = false;
		return;
	}
	sum->n = sum->n * parts + n * sum->parts;
	sum->parts *= parts;
	render_score_keep(sum);
}

/* Takes "+a/b", "-a/b" or "xa/b". */
static void
render_score_take(struct render_score_sum *sum, const char *text)
{
	int n = 0, parts = 0, used = 0;

	if (text[0] == '\0' || strchr("+-x", text[0]) == NULL ||
	    sscanf(text + 1, "%4d/%3d%n", &n, &parts, &used) != 2 ||
	    text[1 + used] != '\0' || n < 0 || parts < 1) {
		sum->is_known = false;
	} else if (text[0] != 'x') {
		render_score_add(sum, text[0] == '-' ? -n : n, parts);
	} else if (sum->is_known) {
		sum->n *= n;
		sum->parts *= parts;
		render_score_keep(sum);
	}
}

/* What stands, rounded down; only if it is known. */
static int64_t
render_score_floor(const struct render_score_sum *sum)
{
	int64_t n = sum->n / sum->parts;

	return (sum->n % sum->parts < 0 ? n - 1 : n);
}

/*
 * The reason of one term of a score: where the event says what caused it
 * (umpire-record.7, events of lasalle2), in those words.
 */
static void
render_score_reason(const struct render *rd, const json_t *event,
    const char *list, const char *reason, struct buf *out)
{
	const json_t *cause =
	    json_object_get(json_object_get(event, "causes"), reason);
	const char *name = json_string_value(json_object_get(cause, "cause"));
	const char *mark = NULL, *text = NULL, *end = NULL, *p;

	if (strcmp(list, "modifiers") == 0)
		mark = rd->show->reason_mark;
	if (name != NULL)
		text = render_value_cause(
		    rd, event, "modifier", reason, name, NULL);
	if (text != NULL) {
		render_value_template(rd, text, cause, "", out);
		return;
	}
	text = render_value_cause(rd, event, "modifier", reason, NULL, reason);
	if (text != NULL) {
		buf_puts(out, text);
		return;
	}
	/* What the rules put behind a reason says nothing to a reader. */
	text = render_value_name(rd, reason);
	for (p = text; mark != NULL && (p = strstr(p, mark)) != NULL; p++)
		end = p;
	if (end == NULL)
		buf_puts(out, text);
	else if (strspn(text, "+-0123456789") == (size_t)(end - text))
		buf_puts(out, "declared without a reason");
	else
		buf_add(out, text, (size_t)(end - text));
}

/*
 * What is said behind the reasons of a list; other words where a term is not
 * what the facts of its unit hold, since something has limited it.
 */
static const char *
render_score_what(const struct render *rd, const char *name, const char *id,
    const json_t *value)
{
	const char *member = render_value_word(rd, "fact", name, NULL);
	const char *text = NULL;

	if (member != NULL &&
	    !json_equal(
		json_object_get(json_object_get(rd->facts, id), member), value))
		text = render_value_word(rd, "limited", name, NULL);
	return (
	    text != NULL ? text : render_value_word(rd, "terms", name, NULL));
}

/* The rows of one object of a score: a sign, a number and a reason each. */
static void
render_score_terms(const struct render *rd, const json_t *event,
    const char *name, json_t *terms, struct render_score_sum *sum,
    struct render_sink *out)
{
	char number[RENDER_SCORE_NUMBER];
	const bool is_base = render_value_word(rd, "base", name, NULL) != NULL;
	const char *reason, *what;
	struct buf b;
	json_t *v;

	json_object_foreach(terms, reason, v)
	{
		/* The number is shown in the points that it came from. */
		if (render_value_word(rd, "doubled", reason, NULL) != NULL)
			continue;
		if (json_is_integer(v))
			render_score_add(sum, json_integer_value(v), 1);
		else
			render_score_take(
			    sum, json_is_string(v) ? json_string_value(v) : "");
		(void)snprintf(number, sizeof(number), "%+" JSON_INTEGER_FORMAT,
		    json_integer_value(v));
		buf_init(&b, 0);
		render_score_reason(rd, event, name, reason, &b);
		what = render_score_what(rd, name, reason, v);
		if (what != NULL)
			buf_printf(&b, " %s", what);
		render_row_term(out,
		    is_base ? RENDER_PART_BASE : RENDER_PART_MODIFIER,
		    json_is_string(v) ? json_string_value(v) : number, &b);
	}
}

/*
 * Gives a step that is no addend: in a sentence, where what it is for stands
 * in brackets, and as a mark.
 */
static void
render_score_mark(const char *text, json_int_t n, const char *rest,
    const char *sign, const char *why, struct render_sink *out)
{
	struct buf mark, reason, whole;

	buf_init(&mark, 0);
	buf_init(&reason, 0);
	buf_init(&whole, 0);
	buf_printf(&mark, "%s %" JSON_INTEGER_FORMAT, sign, n);
	buf_printf(&reason, "%s%s%s%s", text, rest, why == NULL ? "" : ": ",
	    why == NULL ? "" : why);
	buf_printf(&whole, "%s %" JSON_INTEGER_FORMAT "%s%s%s%s", text, n, rest,
	    why == NULL ? "" : " (", why == NULL ? "" : why,
	    why == NULL ? "" : ")");
	if (out->error == 0)
		out->error = buf_error(&mark);
	if (out->error == 0)
		out->error = buf_error(&reason);
	if (out->error == 0)
		out->error = buf_error(&whole);
	render_row_mark(out, buf_str(&whole), buf_str(&mark), buf_str(&reason));
	buf_clear(&whole);
	buf_clear(&reason);
	buf_clear(&mark);
}

/* Divides what stands; what is left over goes, and that is said. */
static void
render_score_divide(const struct render *rd, const json_t *event,
    const char *what, json_int_t by, struct render_score_sum *sum,
    struct render_sink *out)
{
	bool is_even;

	if (by < 1 || by > RENDER_SCORE_PARTS)
		sum->is_known = false;
	else if (sum->is_known)
		sum->parts *= by;
	is_even = sum->is_known && sum->n % sum->parts == 0;
	if (sum->is_known) {
		sum->n = render_score_floor(sum);
		sum->parts = 1;
	}
	render_score_mark("divided by", by, is_even ? "" : ", rounded down",
	    "÷", render_value_cause(rd, event, "divide", what, NULL, "divide"),
	    out);
}

/* A bound, told if it changes what stands. */
static void
render_score_bound(const struct render *rd, const char *what, bool is_least,
    json_int_t n, struct render_score_sum *sum, struct render_sink *out)
{
	if (n > RENDER_SCORE_MOST || n < -RENDER_SCORE_MOST) {
		sum->is_known = false;
	} else {
		if (sum->is_known &&
		    (is_least ? sum->n >= n * sum->parts
			      : sum->n <= n * sum->parts))
			return;
		sum->n = n;
		sum->parts = 1;
	}
	render_score_mark(is_least ? "at least" : "at most", n, "",
	    is_least ? "≥" : "≤",
	    render_value_word(rd, is_least ? "least" : "most", what, NULL),
	    out);
}

/* One step of a score that is a number, under its member's name. */
static void
render_score_number(const struct render *rd, const json_t *event,
    const char *what, const char *name, json_int_t n,
    struct render_score_sum *sum, struct render_sink *out)
{
	char number[RENDER_SCORE_NUMBER];
	const char *text;
	struct buf b;

	if (strcmp(name, "divide") == 0) {
		render_score_divide(rd, event, what, n, sum, out);
		return;
	}
	if (strcmp(name, "least") == 0 || strcmp(name, "most") == 0) {
		render_score_bound(
		    rd, what, strcmp(name, "least") == 0, n, sum, out);
		return;
	}
	render_score_add(sum, n, 1);
	/* A number that says what it is for has its sign, as modifiers do. */
	(void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, n);
	text = render_value_word(rd, "part", name, number);
	if (text == NULL)
		text = render_value_word(rd, "signed", name, NULL);
	if (text != NULL) {
		buf_init(&b, 0);
		buf_puts(&b, text);
		(void)snprintf(
		    number, sizeof(number), "%+" JSON_INTEGER_FORMAT, n);
		render_row_term(out, RENDER_PART_MODIFIER, number, &b);
		return;
	}
	text = render_value_word(rd, "part", name, NULL);
	render_row_number(out,
	    strncmp(name, "die", 3) == 0 ? RENDER_PART_DIE : RENDER_PART_BASE,
	    text != NULL ? text : name, n);
}

/* A fraction that is dropped, told if there is one. */
static void
render_score_round(struct render_score_sum *sum, struct render_sink *out)
{
	if (sum->is_known && sum->n % sum->parts == 0)
		return;
	sum->n = render_score_floor(sum);
	sum->parts = 1;
	render_row_mark(out, "rounded down", "↓", "rounded down");
}

/* The steps, in the order of the event's members. */
static void
render_score_steps(const struct render *rd, const json_t *event,
    const char *what, struct render_sink *out)
{
	struct render_score_sum sum = {.parts = 1, .is_known = true};
	json_t *o = (json_t *)(uintptr_t)event, *v; /* only read */
	char whole[RENDER_SCORE_MARK];
	const char *name;

	json_object_foreach(o, name, v)
	{
		if (strcmp(name, "score") == 0 || strcmp(name, "causes") == 0)
			continue;
		if (json_is_object(v))
			render_score_terms(rd, event, name, v, &sum, out);
		else if (json_is_integer(v))
			render_score_number(rd, event, what, name,
			    json_integer_value(v), &sum, out);
		else if (strcmp(name, "round") == 0)
			render_score_round(&sum, out);
	}
	if (sum.is_known && sum.n < sum.parts &&
	    render_value_word(rd, "halves", what, NULL) == NULL &&
	    json_integer_value(json_object_get(event, "score")) == 1) {
		(void)snprintf(whole, sizeof(whole),
		    "%" JSON_INTEGER_FORMAT " in all, and no score is below 1",
		    (json_int_t)render_score_floor(&sum));
		render_row_mark(out, whole, "≥ 1", whole);
	}
}

/* Appends the score, in points where it was counted in halves of them. */
static void
render_score_total(const struct render *rd, const json_t *event,
    const char *what, struct buf *b)
{
	const json_t *v = json_object_get(event, "score");
	json_int_t n = json_integer_value(v);

	if (json_is_integer(v) && n >= 0 &&
	    render_value_word(rd, "halves", what, NULL) != NULL)
		buf_printf(b, "%" JSON_INTEGER_FORMAT "%s", n / 2,
		    n % 2 == 0 ? "" : ".5");
	else
		render_value_scalar(rd, "score", v, b);
}

void
render_score(
    const struct render *rd, const json_t *event, struct render_sink *out)
{
	const char *what = json_string_value(json_object_get(event, "what"));
	const json_t *unit = json_object_get(event, "unit"), *who = unit;
	const char *name = what == NULL ? "score" : what, *text;
	struct buf lead, line, total, whose;

	buf_init(&lead, 0);
	buf_init(&line, 0);
	buf_init(&total, 0);
	buf_init(&whose, 0);
	if (unit == NULL) {
		who = json_object_get(event, "side");
		buf_puts(&whose, "the ");
	}
	render_value_scalar(rd, "unit", who, &whose);
	text = render_value_word(rd, "score", name, NULL);
	render_value_template(rd, text != NULL ? text : "Score of {}", event,
	    buf_str(&whose), &line);
	if (text == NULL && what != NULL)
		buf_printf(&line, " for %s", what);
	/* Where there is but one kind, who has it says enough. */
	buf_puts(&lead, buf_str(what == NULL ? &whose : &line));
	render_score_total(rd, event, name, &total);
	buf_printf(&line, ": %s", buf_str(&total));
	if (out->error == 0)
		out->error = buf_error(&whose);
	if (out->error == 0)
		out->error = buf_error(&total);
	render_row_score(out, &line, &lead,
	    json_is_string(unit) &&
		    render_value_word(rd, "group", name, NULL) == NULL
		? json_string_value(unit)
		: "",
	    render_value_word(rd, "against", name, NULL));
	render_score_steps(rd, event, name, out);
	if (json_is_integer(json_object_get(event, "score")))
		render_row_total(out, buf_str(&total));
	buf_clear(&total);
	buf_clear(&whose);
}
