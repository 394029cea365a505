/* SPDX-License-Identifier: ISC */
/* Conditions of the tables of inputs: they are constants of the systems. */
#include "common/rules/show/declare.h"

#include <stdio.h>
#include <string.h>

#include "common/rules/question.h"
#include "common/rules/rules.h"

#define INPUT_SIDE "side=" /* only ever said so, not with "!=" */

/*
 * The value of the member with this name, of len bytes, as a word; "" where
 * there is none.
 */
static const char *
declare_value(const char *name, size_t len, const json_t *const scopes[],
    size_t n, char number[32])
{
	char key[RULES_NAME_MAX + 1];
	const json_t *v = NULL;
	size_t i;

	if (len > RULES_NAME_MAX)
		return ("");
	memcpy(key, name, len);
	key[len] = '\0';
	for (i = 0; i < n && v == NULL; i++)
		v = json_object_get(scopes[i], key);
	if (json_is_string(v))
		return (json_string_value(v));
	if (json_is_integer(v)) {
		(void)snprintf(
		    number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
		return (number);
	}
	return (json_is_true(v) ? "true" : "");
}

/* True if a word is among those of a term, which end at a blank or NUL. */
static bool
declare_is_among(const char *word, const char *list)
{
	size_t len, n = strlen(word);

	for (;; list += len + 1) {
		len = strcspn(list, ", ");
		if (len == n && memcmp(list, word, n) == 0)
			return (true);
		if (list[len] != ',')
			return (false);
	}
}

bool
declare_is_for(const char *when, enum combat_side side)
{
	const char *term = when == NULL ? NULL : strstr(when, INPUT_SIDE);

	return (term == NULL ||
	    declare_is_among(
		question_side(side), term + sizeof(INPUT_SIDE) - 1));
}

bool
declare_holds(const char *when, enum combat_side side,
    const json_t *const scopes[], size_t n)
{
	const char *value;
	char number[32];
	bool is_not;
	size_t len;

	while (when != NULL && *when != '\0') {
		len = strcspn(when, "!=");
		is_not = when[len] == '!';
		value = strncmp(when, INPUT_SIDE, sizeof(INPUT_SIDE) - 1) == 0
		    ? question_side(side)
		    : declare_value(when, len, scopes, n, number);
		when += len + (is_not ? 2 : 1);
		if (declare_is_among(value, when) == is_not)
			return (false);
		when += strcspn(when, " ");
		when += strspn(when, " ");
	}
	return (true);
}
