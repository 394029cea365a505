/* SPDX-License-Identifier: ISC */
/*
 * Combats are looked at as they were declared: the rules took them, so that
 * they are no deeper than the tables of inputs are.
 */
#include "client/play/form_past.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/rules/show/declare.h"

/*
 * What became of a combat.  One that waited for an answer is fought only if
 * the answer agreed: when the game ends without one, it waits no more.
 */
static enum form_past_what
form_past_became(const struct game_entry *en)
{
	if (en->taken_back >= 0)
		return (FORM_PAST_VOID);
	if (en->fate == GAME_FATE_OBJECTED)
		return (FORM_PAST_OBJECTED);
	return (game_entry_is_agreed(en) ? FORM_PAST_STANDS : FORM_PAST_VOID);
}

/* Why a line was objected to; free(), or NULL. */
static char *
form_past_why(const struct battle *b, const struct game_entry *en)
{
	struct battle_line bl;
	const char *why;
	char *s = NULL;

	if (en->fate != GAME_FATE_OBJECTED || !battle_read(b, en->fate_by, &bl))
		return (NULL);
	if ((why = battle_why(b, &bl.o)) != NULL)
		s = xalloc_str(why);
	battle_clear(&bl);
	return (s);
}

void
form_past_read(struct form_past *past, const struct battle *b)
{
	struct form_past_combat *to;
	const struct game_entry *en;
	const json_t *combat;
	struct battle_line bl;
	int64_t seq;

	memset(past, 0, sizeof(*past));
	for (seq = battle_lines(b) - 1; seq >= 0 && past->n < FORM_PAST_MAX;
	     seq--) {
		en = battle_entry(b, seq);
		if (en->kind != ORDER_DECLARE || !battle_read(b, seq, &bl))
			continue;
		combat = json_object_get(bl.o.args, "combat");
		if (json_is_object(combat)) {
			to = &past->list[past->n++];
			to->seq = seq;
			to->side = game_side_of(bl.o.seat);
			to->what = form_past_became(en);
			to->why = form_past_why(b, en);
			to->combat = xalloc_copy(combat);
		}
		battle_clear(&bl);
	}
}

void
form_past_clear(struct form_past *past)
{
	size_t i;

	for (i = 0; i < past->n; i++) {
		free(past->list[i].why);
		json_decref(past->list[i].combat);
	}
	memset(past, 0, sizeof(*past));
}

const struct form_past_combat *
form_past_last(const struct form_past *past, int side)
{
	size_t i;

	for (i = 0; i < past->n; i++) {
		if (past->list[i].side == side &&
		    past->list[i].what != FORM_PAST_VOID)
			return (&past->list[i]);
	}
	return (NULL);
}

const struct form_past_combat *
form_past_same(
    const struct form_past *past, int side, int64_t from, const json_t *combat)
{
	size_t i;

	for (i = 0; i < past->n && past->list[i].seq >= from; i++) {
		if (past->list[i].side == side &&
		    json_equal(past->list[i].combat, combat))
			return (&past->list[i]);
	}
	return (NULL);
}

/* True if two objects have the same texts as these members. */
static bool
form_past_is_like(
    const json_t *a, const json_t *b, const char *const members[], size_t n)
{
	const char *s, *t;
	size_t i;

	for (i = 0; i < n; i++) {
		s = json_string_value(json_object_get(a, members[i]));
		t = json_string_value(json_object_get(b, members[i]));
		if (s == NULL || t == NULL || strcmp(s, t) != 0)
			return (false);
	}
	return (true);
}

/* The object somewhere in v that is like one; NULL: there is none. */
static const json_t *
form_past_find(
    const json_t *v, const json_t *like, const char *const members[], size_t n)
{
	const json_t *found, *item;
	const char *name;
	json_t *member;
	size_t i;

	if (form_past_is_like(v, like, members, n))
		return (v);
	json_array_foreach(v, i, item)
	{
		if ((found = form_past_find(item, like, members, n)) != NULL)
			return (found);
	}
	json_object_foreach((json_t *)(uintptr_t)v, name, member)
	{
		if ((found = form_past_find(member, like, members, n)) != NULL)
			return (found);
	}
	return (NULL);
}

const json_t *
form_past_of(const struct form_past *past, const struct declare_field *of,
    const json_t *element, const char *name)
{
	static const char *const unit[] = {"id"};
	bool is_pair = of->type == DECLARE_PAIRS;
	const json_t *found;
	size_t i;

	for (i = 0; i < past->n; i++) {
		if (past->list[i].what != FORM_PAST_STANDS)
			continue;
		found = form_past_find(past->list[i].combat, element,
		    is_pair ? of->ends->members : unit, is_pair ? 2 : 1);
		if (found != NULL)
			return (json_object_get(found, name));
	}
	return (NULL);
}

bool
form_past_has_id(const json_t *v, const char *id)
{
	static const char *const unit[] = {"id"};
	json_t *like;
	bool has;

	if (id == NULL)
		return (false);
	like = xalloc_json(json_pack("{s:o}", "id", xalloc_json_str(id)));
	has = form_past_find(v, like, unit, 1) != NULL;
	json_decref(like);
	return (has);
}

/* True if all ids are somewhere in a combat. */
static bool
form_past_has(const json_t *combat, const json_t *ids)
{
	const json_t *v;
	size_t i;

	json_array_foreach(ids, i, v)
	{
		if (!form_past_has_id(combat, json_string_value(v)))
			return (false);
	}
	return (true);
}

const json_t *
form_past_at(
    const struct form_past *past, int side, const json_t *ids, const char *path)
{
	const json_t *v = NULL;
	const char *dot;
	size_t i;

	for (i = 0; i < past->n; i++) {
		if (past->list[i].side == side &&
		    past->list[i].what == FORM_PAST_STANDS &&
		    form_past_has(past->list[i].combat, ids)) {
			v = past->list[i].combat;
			break;
		}
	}
	for (; v != NULL && (dot = strchr(path, '.')) != NULL; path = dot + 1)
		v = json_object_getn(v, path, (size_t)(dot - path));
	return (v == NULL ? NULL : json_object_get(v, path));
}
