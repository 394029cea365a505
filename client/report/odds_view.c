/* SPDX-License-Identifier: ISC */
/*
 * Names, figures and words of odds.  How they are laid out is the business of
 * the files that show them.
 */
#include "client/report/odds_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/rosters.h"
#include "common/json/js.h"

#define ODDS_VIEW_OBJECTS 256 /* that are looked through for units */

const char *
odds_view_name(const struct odds_view *v, const char *id)
{
	json_t *stack[ODDS_VIEW_OBJECTS], *item, *object, *value;
	const char *key, *name;
	size_t i, n = 0;

	/* Units stand at any depth, most in lists; what has an id holds none.
	 */
	stack[n++] = (json_t *)(uintptr_t)v->facts;
	while (n > 0) {
		object = stack[--n];
		json_object_foreach(object, key, value)
		{
			name = js_str(value, "id");
			name = name != NULL && strcmp(name, id) == 0
			    ? js_str(value, "name")
			    : js_str(rosters_find(value, id), "name");
			if (name != NULL)
				return (name);
			if (json_is_object(value) && n < ODDS_VIEW_OBJECTS)
				stack[n++] = value;
			json_array_foreach(value, i, item)
			{
				if (json_is_object(item) &&
				    json_object_get(item, "id") == NULL &&
				    n < ODDS_VIEW_OBJECTS)
					stack[n++] = item;
			}
		}
	}
	return (NULL);
}

size_t
odds_view_ends(const struct odds_view *v)
{
	size_t n = 0;

	while (v->sys->ends[n] != NULL)
		n++;
	return (n);
}

const char *
odds_view_end(char buf[ODDS_VIEW_WORD], const char *end)
{
	char *p;

	(void)snprintf(buf, ODDS_VIEW_WORD, "%s", end);
	for (p = buf; *p != '\0'; p++) {
		if (*p == '-')
			*p = ' ';
	}
	return (buf);
}

/* A whole number with commas: "46,656"; returns buf. */
static const char *
odds_view_count(char buf[ODDS_VIEW_WORD], uint64_t n)
{
	char digits[ODDS_VIEW_WORD];
	size_t i, len, used = 0;

	len = (size_t)snprintf(
	    digits, sizeof(digits), "%llu", (unsigned long long)n);
	for (i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
	return (buf);
}

const char *
odds_view_percent(char buf[ODDS_VIEW_WORD], double p)
{
	/* Below 1e-9 of 0 or 1 it is the rounding of a sum. */
	if (p > 1e-9 && p < 0.00005)
		(void)snprintf(buf, ODDS_VIEW_WORD, "<0.01");
	else if (p > 0.99995 && p < 1 - 1e-9)
		(void)snprintf(buf, ODDS_VIEW_WORD, ">99.99");
	else
		(void)snprintf(buf, ODDS_VIEW_WORD, "%.2f", 100 * p);
	return (buf);
}

char *
odds_view_method(const struct odds_view *v)
{
	const struct odds *odds = v->odds;
	char n[ODDS_VIEW_WORD];

	(void)odds_view_count(n, odds->runs);
	if (odds->is_exact && odds->runs == 1)
		return (xalloc_str("exact: the only outcome of the dice"));
	if (odds->is_exact && odds->runs == ODDS_MOST)
		return (xalloc_str("exact: all outcomes of the dice"));
	if (odds->is_exact)
		return (xalloc_printf("exact: all %s outcomes of the dice", n));
	return (xalloc_printf("sampled: %s combats, seed %llu, 95 %% intervals",
	    n, (unsigned long long)odds->seed));
}

void
odds_view_order(const struct odds_view *v, size_t order[ODDS_WHOLE_MAX])
{
	const struct odds *odds = v->odds;
	size_t i, k;

	for (i = 0; i < odds->n_whole; i++) {
		for (k = i; k > 0 &&
		     odds->whole[order[k - 1]].share.p < odds->whole[i].share.p;
		     k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}
