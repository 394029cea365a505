/* SPDX-License-Identifier: ISC */
/* What may be offered, in words; whether it may be now is game.h's. */
#include "client/play/offer_parse.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/ui/opt.h"
#include "common/json/js.h"

#define OFFER_EXTEND_MIN_S 60 /* record S5, ruling */

/* An offer that has one number. */
struct offer_number {
	const char *what;
	const char *member;
	int64_t lo;
	int64_t hi;
	bool is_optional;
	const char *help;
};

static const struct offer_number offer_numbers[] = {
    {"takeback", "from", 0, JS_INT_MAX, true,
	"takeback takes the number of a line"},
    {"pause", "days", 1, 366, false, "pause takes 1 to 366 days"},
    {"truce", "turns", 1, 99, false, "truce takes 1 to 99 turns"},
    {NULL, NULL, 0, 0, false, NULL},
};

/* Reads an offer that has a number. */
static int
offer_number(const struct offer_number *d, int n, const char *const *words,
    json_t *args, struct errinfo *e)
{
	int64_t value;

	if (n == 1 && d->is_optional)
		return (0);
	if (n != 2 || !opt_number(words[1], d->lo, d->hi, &value))
		return (err_set(e, ERR_INVALID, NULL, "%s", d->help));
	xalloc_set(args, d->member, json_integer(value));
	return (0);
}

/* Reads the rest of an offer into args. */
static int
offer_read(int n, const char *const *words, json_t *args, struct errinfo *e)
{
	const struct offer_number *d;
	const char *whose;

	for (d = offer_numbers; d->what != NULL; d++) {
		if (strcmp(words[0], d->what) == 0)
			return (offer_number(d, n, words, args, e));
	}
	if (strcmp(words[0], "draw") == 0 && n == 1)
		return (0);
	if (strcmp(words[0], "draw") == 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "'%s' is one word too many", words[1]));
	if (strcmp(words[0], "witness-out") == 0 && n == 1)
		return (0);
	if (strcmp(words[0], "adjust") == 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "changes to units are proposed by: umpire adjust GAME UNIT "
		    "FIELD=VALUE"));
	if (strcmp(words[0], "victory") != 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "'%s' cannot be offered: draw, victory, takeback, pause, "
		    "truce or witness-out",
		    words[0]));
	whose = n > 1 ? words[1] : "mine";
	if (n > 2 ||
	    (strcmp(whose, "mine") != 0 && strcmp(whose, "theirs") != 0))
		return (err_set(
		    e, ERR_INVALID, NULL, "victory is 'mine' or 'theirs'"));
	xalloc_set(args, "winner", json_string(whose));
	return (0);
}

int
offer_parse(int n, const char *const *words, json_t **args, struct errinfo *e)
{
	json_t *v;
	int r;

	if (n < 1)
		return (err_set(e, ERR_INVALID, NULL, "what do you offer?"));
	v = xalloc_json(json_object());
	xalloc_set(v, "what", xalloc_json_str(words[0]));
	if ((r = offer_read(n, words, v, e)) != 0)
		json_decref(v);
	else
		*args = v;
	return (r);
}

/* Reads "result 1|2|draw". */
static int
offer_result(int n, const char *const *words, json_t *args, struct errinfo *e)
{
	int64_t winner;

	if (n == 2 && strcmp(words[1], "draw") == 0)
		winner = 0;
	else if (n != 2 || !opt_number(words[1], 1, 2, &winner))
		return (err_set(e, ERR_INVALID, NULL,
		    "result takes the side that has won, 1 or 2, or draw"));
	xalloc_set(args, "result", json_integer(winner));
	return (0);
}

/* Reads "extend TIME" and "forfeit", which answer a claim. */
static int
offer_claim(int n, const char *const *words, json_t *args, struct errinfo *e)
{
	int64_t s;
	int r;

	xalloc_set(args, "do", json_string(words[0]));
	if (strcmp(words[0], "forfeit") == 0)
		return (n == 1 ? 0
			       : err_set(e, ERR_INVALID, NULL,
				     "'%s' is one word too many", words[1]));
	if (n != 2)
		return (err_set(e, ERR_INVALID, NULL,
		    "extend takes a time, such as 2d or 12h"));
	if ((r = duration_span(words[1], "the time", OFFER_EXTEND_MIN_S,
		 DURATION_YEAR_S, &s, e)) != 0)
		return (r);
	xalloc_set(args, "extend_s", json_integer(s));
	return (0);
}

/* Reads a ruling into args. */
static int
offer_ruling(int n, const char *const *words, json_t *args, struct errinfo *e)
{
	int64_t line;

	if (strcmp(words[0], "void") == 0) {
		if (n != 2 || !opt_number(words[1], 0, JS_INT_MAX, &line))
			return (err_set(e, ERR_INVALID, NULL,
			    "void takes the number of a line"));
		xalloc_set(args, "void", json_true());
		xalloc_set(args, "from", json_integer(line));
		return (0);
	}
	if (strcmp(words[0], "result") == 0)
		return (offer_result(n, words, args, e));
	if (strcmp(words[0], "extend") == 0 || strcmp(words[0], "forfeit") == 0)
		return (offer_claim(n, words, args, e));
	if (strcmp(words[0], "words") == 0 && n == 1)
		return (0);
	return (err_set(e, ERR_INVALID, NULL,
	    "a ruling is void LINE, adjust ..., result 1|2|draw, words, "
	    "extend TIME or forfeit"));
}

int
offer_parse_ruling(
    int n, const char *const *words, json_t **args, struct errinfo *e)
{
	json_t *v;
	int r;

	if (n < 1)
		return (err_set(e, ERR_INVALID, NULL, "what do you rule?"));
	v = xalloc_json(json_object());
	if ((r = offer_ruling(n, words, v, e)) != 0)
		json_decref(v);
	else
		*args = v;
	return (r);
}
