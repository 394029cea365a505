/* SPDX-License-Identifier: ISC */
#include "client/report/ruling.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "common/json/js.h"

static void ruling_say(const struct ruling_told *to, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Tells a piece. */
static void
ruling_say(const struct ruling_told *to, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	to->text(to->arg, s);
	free(s);
}

void
ruling_tell_place(
    const struct ruling_told *to, int64_t round, int64_t table, int64_t leg)
{
	ruling_say(to, "round %lld", (long long)round);
	if (table > 0)
		ruling_say(to, ", table %lld", (long long)table);
	if (leg > 1 || (leg == 1 && to->has_legs))
		ruling_say(to, ", leg %lld", (long long)leg);
}

/* The place of an object that has these members. */
static void
ruling_place(const struct ruling_told *to, const json_t *v)
{
	ruling_tell_place(
	    to, js_int(v, "round"), js_int(v, "table"), js_int(v, "leg"));
}

/* ---- what each form says ---- */

static void
ruling_result(const struct ruling_told *to, const json_t *v)
{
	static const char *const words[][2] = {
	    {"1", "side 1 won"},
	    {"2", "side 2 won"},
	    {"=", "drawn"},
	    {"+", "side 1 won by forfeit"},
	    {"-", "side 2 won by forfeit"},
	    {"--", "forfeited by both"},
	};
	const char *value = text_member(v, "value");
	const long long bp = js_int(v, "bp");
	size_t i;

	ruling_place(to, v);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i][0], value) == 0)
			ruling_say(to, ": %s", words[i][1]);
	}
	/* Those of the game, where they are not ruled. */
	if (json_object_get(v, "bp") != NULL)
		ruling_say(to, ", with %s%lld battle point%s for side 1",
		    bp > 0 ? "+" : "", bp, bp == 1 || bp == -1 ? "" : "s");
}

static void
ruling_replay(const struct ruling_told *to, const json_t *v)
{
	ruling_place(to, v);
	ruling_say(to, ": to be played again");
}

static void
ruling_extend(const struct ruling_told *to, const json_t *v)
{
	static const struct {
		long long s;
		const char *word;
	} units[] = {
	    {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
	const long long s = js_int(v, "seconds");
	size_t i = 0;

	/* The largest that it is so many of. */
	while (s % units[i].s != 0)
		i++;
	ruling_place(to, v);
	ruling_say(to, ": %lld %s%s more", s / units[i].s, units[i].word,
	    s == units[i].s ? "" : "s");
}

static void
ruling_points(const struct ruling_told *to, const json_t *v)
{
	const int half = abs((int)js_int(v, "half"));

	to->entrant(to->arg, js_int(v, "entrant"));
	ruling_say(to, ": %c%d%s %s", js_int(v, "half") < 0 ? '-' : '+',
	    half / 2, half % 2 == 0 ? "" : ".5",
	    half == 2 ? "point" : "points");
}

static void
ruling_expel(const struct ruling_told *to, const json_t *v)
{
	to->entrant(to->arg, js_int(v, "entrant"));
	ruling_say(to, ": expelled from round %lld on%s",
	    (long long)js_int(v, "from"),
	    strcmp(text_member(v, "games"), "forfeit") == 0
		? ", and loses what is not ended"
		: "");
}

static void
ruling_back(const struct ruling_told *to, const json_t *v)
{
	to->entrant(to->arg, js_int(v, "entrant"));
	ruling_say(
	    to, ": comes back in round %lld", (long long)js_int(v, "from"));
}

static void
ruling_apart(const struct ruling_told *to, const json_t *v)
{
	const json_t *list = json_object_get(v, "entrants"), *number;
	const long long from = js_int(v, "from"), until = js_int(v, "to");
	size_t i;

	json_array_foreach(list, i, number)
	{
		ruling_say(to, "%s",
		    i == 0                              ? ""
			: i + 1 < json_array_size(list) ? ", "
							: " and ");
		to->entrant(to->arg, json_integer_value(number));
	}
	if (from == until)
		ruling_say(to, ": do not meet in round %lld", from);
	else
		ruling_say(
		    to, ": do not meet in rounds %lld to %lld", from, until);
}

static void
ruling_pairs(const struct ruling_told *to, const json_t *v)
{
	ruling_place(to, v);
	ruling_say(to, ": paired by hand");
}

static void
ruling_witness(const struct ruling_told *to, const json_t *v)
{
	ruling_say(to, "the witness is %s now", text_member(v, "account"));
}

static void
ruling_rules(const struct ruling_told *to, const json_t *v)
{
	ruling_say(to, "the rules are %s from round %lld on",
	    text_member(v, "version"), (long long)js_int(v, "from"));
}

static void
ruling_answer(const struct ruling_told *to, const json_t *v)
{
	ruling_say(to, "the protest in line %lld is answered",
	    (long long)json_integer_value(v));
}

static void
ruling_accept(const struct ruling_told *to, const json_t *v)
{
	ruling_say(to,
	    "the key is accepted that the operator proposed in line %lld",
	    (long long)json_integer_value(v));
}

static const struct ruling_form {
	const char *form;
	void (*tell)(const struct ruling_told *to, const json_t *v);
} ruling_forms[] = {
    {"result", ruling_result},
    {"replay", ruling_replay},
    {"extend", ruling_extend},
    {"points", ruling_points},
    {"expel", ruling_expel},
    {"back", ruling_back},
    {"apart", ruling_apart},
    {"pairs", ruling_pairs},
    {"witness", ruling_witness},
    {"rules", ruling_rules},
    {"answer", ruling_answer},
    {"accept", ruling_accept},
};

void
ruling_tell(const struct ruling_told *to, const char *form, const json_t *v)
{
	size_t i;

	for (i = 0; i < sizeof(ruling_forms) / sizeof(ruling_forms[0]); i++) {
		if (v != NULL && strcmp(ruling_forms[i].form, form) == 0) {
			ruling_forms[i].tell(to, v);
			return;
		}
	}
	ruling_say(to, "%s", form);
}
