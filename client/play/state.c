/* SPDX-License-Identifier: ISC */
/* The parts of `umpire show` that know no rule system. */
#include "client/play/state.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/replica/people.h"
#include "client/report/report.h"
#include "common/base/buf.h"
#include "common/base/clock.h"

/* A number of an object, 0 if it is not there. */
static int64_t
state_int(const json_t *o, const char *name)
{
	return (json_integer_value(json_object_get(o, name)));
}

/* A text of an object, "" if it is not there. */
static const char *
state_str(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return (s == NULL ? "" : s);
}

/* A time of an object in milliseconds; -1 if it is not there. */
static int64_t
state_time(const json_t *o, const char *name)
{
	const char *s = state_str(o, name);
	int64_t ms;

	return (clock_parse(s, strlen(s), &ms) == 0 ? ms : -1);
}

/* Prints a label of up to eight letters and a text, which it frees. */
static void
state_line(struct out *o, const char *label, char *text)
{
	out_print(o, "  %-8s ", label);
	out_text(o, 11, 11, text);
	free(text);
}

void
state_players(struct out *o, const json_t *view)
{
	const char *account, *label = "players";
	struct people *people = people_of_view(view);
	const json_t *v;
	char *name;
	int side;
	size_t i;

	json_array_foreach(json_object_get(view, "seats"), i, v)
	{
		account = state_str(v, "account");
		side = (int)state_int(v, "side");
		name = side == 0 ? xalloc_str("the director")
				 : report_side(view, side);
		state_line(o, label,
		    xalloc_printf("seat %lld, %s: %s",
			(long long)state_int(v, "seat"), name,
			*account == '\0' ? "(free)"
					 : people_tell(people, account)));
		label = "";
		free(name);
	}
	people_free(people);
}

bool
state_has_more(const json_t *view)
{
	return (json_array_size(json_object_get(view, "seats")) > 2);
}

/* Prints one side's clock. */
static void
state_clock(struct out *o, const json_t *view, int side, const char *label)
{
	const json_t *clock = json_object_get(
	    json_object_get(view, "clocks"), side == 1 ? "1" : "2");
	int64_t now = clock_wall_ms(), until, days;
	char when[32], *name, *words;
	struct buf b;

	name = report_side(view, side);
	buf_init(&b, 0);
	buf_printf(&b, "%s: ", name);
	free(name);
	until = state_time(clock, "deadline");
	if (until >= 0) {
		words = duration_due(now, until);
		buf_printf(&b, "%s until %s, %s",
		    until > now ? "runs" : "ran out: it had",
		    out_time(when, until), words);
	} else {
		words = duration_words(state_int(clock, "left_s"));
		buf_printf(&b, "stands still, %s left", words);
	}
	free(words);
	if ((days = state_int(clock, "holidays")) > 0)
		buf_printf(&b, "; %lld day%s of holiday left", (long long)days,
		    days == 1 ? "" : "s");
	until = state_time(clock, "away_until");
	if (until > now)
		buf_printf(&b, "; away until %s", out_time(when, until));
	state_line(o, label, xalloc_take(&b));
}

void
state_clocks(struct out *o, const json_t *view)
{
	const json_t *clocks = json_object_get(view, "clocks");
	int64_t until;
	char when[32];

	if (!json_is_object(clocks))
		return;
	state_clock(o, view, 1, "time");
	state_clock(o, view, 2, "");
	until = state_time(clocks, "paused_until");
	if (until > clock_wall_ms())
		out_print(
		    o, "  %-8s until %s\n", "paused", out_time(when, until));
}

/* Appends "N in (a, b)" or "N out". */
static void
state_chits(struct buf *b, const json_t *list, const char *where)
{
	const json_t *v;
	size_t i;

	buf_printf(b, "%zu %s", json_array_size(list), where);
	json_array_foreach(list, i, v)
	    buf_printf(b, "%s%s%s", i == 0 ? " (" : ", ",
		json_is_string(v) ? json_string_value(v) : "?",
		i + 1 == json_array_size(list) ? ")" : "");
}

void
state_cups(struct out *o, const json_t *view)
{
	const char *label = "cups";
	const json_t *v;
	struct buf b;
	size_t i;

	json_array_foreach(json_object_get(view, "cups"), i, v)
	{
		buf_init(&b, 0);
		buf_printf(&b, "%s: ", state_str(v, "cup"));
		state_chits(&b, json_object_get(v, "in"), "in");
		buf_puts(&b, ", ");
		state_chits(&b, json_object_get(v, "out"), "out");
		state_line(o, label, xalloc_take(&b));
		label = "";
	}
}

/* What a standing order says: its words, ours if it is not open; free(). */
static char *
state_standing_says(const json_t *v, const json_t *own)
{
	const char *text;
	char *seq;

	if (*state_str(v, "kind") != '\0')
		return (xalloc_printf("%s %s%s", state_str(v, "kind"),
		    state_str(v, "do"),
		    json_is_true(json_object_get(v, "acted"))
			? ""
			: " (never acted)"));
	seq = xalloc_printf("%lld", (long long)state_int(v, "seq"));
	text = json_string_value(json_object_get(own, seq));
	free(seq);
	return (text == NULL ? xalloc_str("not open yet")
			     : xalloc_printf("%s (not open yet)", text));
}

void
state_standing(struct out *o, const json_t *view, const json_t *own)
{
	const char *label = "standing";
	const json_t *v;
	char *name, *says;
	size_t i;

	json_array_foreach(json_object_get(view, "standing"), i, v)
	{
		if (json_is_true(json_object_get(v, "withdrawn")))
			continue;
		name = report_side(view, (int)state_int(v, "side"));
		says = state_standing_says(v, own);
		state_line(o, label,
		    xalloc_printf("line %lld, %s: %s",
			(long long)state_int(v, "seq"), name, says));
		label = "";
		free(name);
		free(says);
	}
}
