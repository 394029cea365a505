/* SPDX-License-Identifier: ISC */
/*
 * An action, and how it is typed.
 */
#include "client/play/action.h"

#include <stdlib.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"

/* How each is typed, in the order of enum action_kind. */
static const struct {
	const char *verb;
	const char *rest; /* after the game's name; NULL: line or answer */
} action_typed[] = {
    {"declare", "FILE"},
    {"end-turn", ""},
    {"decide", NULL},
    {"open", ""},
    {"answer", "agree"},
    {"answer", "object"},
    {"accept", NULL},
    {"decline", NULL},
    {"withdraw", NULL},
    {"ready", ""},
    {"close", ""},
    {"claim", ""},
    {"join", ""},
    {"join", "--seat 0"},
    {"ruling", "forfeit --why TEXT"},
    {"ruling", "extend 1d --why TEXT"},
    {"send", ""},
    {"more", ""},
    {"say", ""},
    {"roll", NULL},
    {"upkeep", NULL},
    {"adjust", ""},
    {"offer", ""},
    {"ruling", ""},
    {"roster", ""},
    {"holiday", ""},
    {"resign", ""},
    {"cancel", ""},
};

void
action_clear(struct action *a)
{
	free(a->answer);
	free(a->text);
	json_decref(a->args);
	*a = (struct action){.seq = -1};
}

bool
action_is_same(const struct action *a, const struct action *b)
{
	return (a->kind == b->kind && a->seq == b->seq &&
	    (a->args == b->args || json_equal(a->args, b->args)));
}

/* Dice, a draw or an upkeep order as they are typed; free(). */
static char *
action_args(const struct action *a)
{
	static const char *const upkeep[] = {"unit", "do", "battalion"};
	const char *cup = json_string_value(json_object_get(a->args, "cup"));
	const char *word;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	for (i = 0; a->kind == ACTION_UPKEEP && i < 3; i++) {
		word = json_string_value(json_object_get(a->args, upkeep[i]));
		if (word != NULL)
			buf_printf(&b, "%s%s", i == 0 ? "" : " ", word);
	}
	if (cup != NULL)
		buf_printf(&b, "--cup %s %" JSON_INTEGER_FORMAT, cup,
		    json_integer_value(json_object_get(a->args, "draw")));
	else if (a->kind == ACTION_ROLL)
		buf_printf(&b, "%" JSON_INTEGER_FORMAT "d%" JSON_INTEGER_FORMAT,
		    json_integer_value(json_object_get(a->args, "dice")),
		    json_integer_value(json_object_get(a->args, "sides")));
	if (a->text != NULL)
		buf_printf(&b, " --for %s", a->text);
	return (xalloc_take(&b));
}

/* What stands after the game's name; free(). */
static char *
action_rest(const struct action *a)
{
	char *s, *text;

	if (action_typed[a->kind].rest != NULL)
		return (xalloc_str(action_typed[a->kind].rest));
	if (a->kind == ACTION_ROLL || a->kind == ACTION_UPKEEP)
		return (action_args(a));
	if (a->kind != ACTION_DECIDE)
		return (xalloc_printf("%lld", (long long)a->seq));
	if (a->answer != NULL || a->args == NULL)
		return (xalloc_str(a->answer == NULL ? "" : a->answer));
	/* Ids and kinds have no quote of the shell's. */
	text = xalloc_dump(a->args);
	s = xalloc_printf("--decision '%s'", text);
	free(text);
	return (s);
}

char *
action_command(const struct action *a, const char *profile, const char *name)
{
	char *rest = action_rest(a), *s;

	s = xalloc_printf("umpire%s %s %s%s%s", profile,
	    action_typed[a->kind].verb, name, *rest == '\0' ? "" : " ", rest);
	free(rest);
	return (s);
}

char *
action_words(const struct action *a)
{
	char *rest = action_rest(a), *s;

	/* Without a file the facts are asked for. */
	if (a->kind == ACTION_DECLARE)
		*rest = '\0';
	s = xalloc_printf("%s%s%s", action_typed[a->kind].verb,
	    *rest == '\0' ? "" : " ", rest);
	free(rest);
	return (s);
}
