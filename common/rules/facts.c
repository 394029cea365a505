/* SPDX-License-Identifier: ISC */
/* Reads and writes what the facts of all systems have. */
#include "common/rules/facts.h"

#include <string.h>

#include "common/json/js.h"

int
facts_id(const json_t *obj, const char *name, const struct js_at *at,
    char out[FACTS_ID_MAX + 1], struct errinfo *e)
{
	const char *id;
	int r;

	if ((r = js_get_str(obj, name, at, &id, e)) != 0)
		return (r);
	if (!js_is_id(id))
		return (js_fail_member(at, name, e,
		    "must have 1 to 32 characters a-z 0-9 . _ - and begin "
		    "with a letter or digit"));
	memcpy(out, id, strlen(id) + 1);
	return (0);
}

size_t
facts_find(const void *first, size_t n, size_t size, const char *id)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (strcmp((const char *)first + i * size, id) == 0)
			break;
	}
	return (i);
}

int
facts_opt_text(const json_t *obj, const char *name, const struct js_at *at,
    const char **out, struct errinfo *e)
{
	const char *text = NULL;
	int r;

	if ((r = js_opt_str(obj, name, at, &text, e)) != 0)
		return (r);
	if (text == NULL)
		return (0);
	if (!rules_is_name(text))
		return (js_fail_member(at, name, e,
		    "must have at most %d bytes and no control characters",
		    RULES_NAME_MAX));
	*out = text;
	return (0);
}

int
facts_set(const json_t *obj, const char *name, const struct js_at *at,
    const char *const words[], unsigned *set, struct errinfo *e)
{
	const struct js_at at_list = {.up = at, .name = name};
	struct js_at at_i = {.up = &at_list};
	const json_t *list = NULL;
	const char *text;
	unsigned made = 0;
	size_t w;
	int r;

	if ((r = js_opt_array(obj, name, at, &list, e)) != 0)
		return (r);
	if (list == NULL)
		return (0);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		text = json_string_value(json_array_get(list, at_i.index));
		if (text == NULL)
			return (js_fail(&at_i, e, "must be a string"));
		for (w = 0; words[w] != NULL; w++) {
			if (strcmp(words[w], text) == 0)
				break;
		}
		if (words[w] == NULL)
			return (js_fail(
			    &at_i, e, "\"%s\" is not known here", text));
		made |= 1U << w;
	}
	*set = made;
	return (0);
}

json_t *
facts_set_json(const char *const words[], unsigned set)
{
	json_t *list;
	size_t w;
	int bad = 0;

	list = json_array();
	for (w = 0; words[w] != NULL; w++) {
		if ((set & 1U << w) != 0)
			bad |=
			    json_array_append_new(list, json_string(words[w]));
	}
	return (js_made(list, bad));
}

const char *
facts_least_id(const json_t *list, const char *least)
{
	const char *id;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		id = json_string_value(
		    json_object_get(json_array_get(list, i), "id"));
		if (id != NULL && (least == NULL || strcmp(id, least) < 0))
			least = id;
	}
	return (least);
}
