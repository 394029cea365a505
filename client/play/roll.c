/* SPDX-License-Identifier: ISC */
/* What free dice and cups are called; whether they may be used is game.h's. */
#include "client/play/roll.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "client/ui/opt.h"
#include "common/json/js.h"

bool
roll_dice(const char *word, int64_t *dice, int64_t *sides)
{
	const char *d = strchr(word, 'd');
	int64_t n = 1, m;

	if (d == NULL ||
	    (d != word &&
		!opt_number_in(word, (size_t)(d - word), 1, ROLL_MAX, &n)) ||
	    !opt_number(d + 1, 2, ROLL_MAX, &m))
		return (false);
	*dice = n;
	*sides = m;
	return (true);
}

int
roll_check_items(const json_t *items, struct errinfo *e)
{
	json_t *seen;
	const json_t *v;
	const char *s;
	size_t i;
	int r = 0;

	if (!json_is_array(items) || json_array_size(items) < 1 ||
	    json_array_size(items) > ROLL_MAX)
		return (err_set(e, ERR_INVALID, NULL,
		    "this must be a list of 1 to %d chits", ROLL_MAX));
	seen = xalloc_json(json_object());
	json_array_foreach(items, i, v)
	{
		s = json_string_value(v);
		if (s == NULL || !js_is_id(s)) {
			r = err_set(e, ERR_INVALID, NULL,
			    "'%.40s' cannot be a chit: small letters, digits, "
			    "'.', '_' and '-', at most 32",
			    s == NULL ? "?" : s);
			break;
		}
		if (json_object_get(seen, s) != NULL) {
			r = err_set(e, ERR_INVALID, NULL,
			    "the chit '%s' is named twice", s);
			break;
		}
		xalloc_set(seen, s, json_true());
	}
	json_decref(seen);
	return (r);
}

int
roll_items(int n, const char *const *words, json_t **items, struct errinfo *e)
{
	json_t *list;
	int i, r;

	list = xalloc_json(json_array());
	for (i = 0; i < n; i++)
		xalloc_append(list, xalloc_json_str(words[i]));
	if ((r = roll_check_items(list, e)) != 0)
		json_decref(list);
	else
		*items = list;
	return (r);
}
