/* SPDX-License-Identifier: ISC */
/*
 * Names are compared by their skeletons: letters and digits alone, folded to
 * lower case and without marks, those that look alike made the same.  Letters
 * that are not Latin have no skeleton; many look like Latin ones, so whoever
 * uses them always stands with the account.
 */
#include "client/report/people.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "client/base/display.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"

struct people {
	json_t *names; /* owned: account -> name, null: none */
	json_t *told; /* owned: account -> what it is called; what was asked */
	json_t *like; /* owned: skeleton -> how many have it; NULL: not yet */
};

struct people *
people_new(void)
{
	struct people *p;

	p = xalloc(sizeof(*p));
	p->names = xalloc_json(json_object());
	p->told = xalloc_json(json_object());
	return (p);
}

void
people_free(struct people *p)
{
	if (p == NULL)
		return;
	json_decref(p->names);
	json_decref(p->told);
	json_decref(p->like);
	free(p);
}

/*
 * A name's skeleton; free().  *is_whole: all of its letters are in it, since
 * they are Latin.
 */
static char *
people_skeleton(const char *name, bool *is_whole)
{
	/* 0 as o; 1, i, j and l; 5 as s: what takes a second look. */
	static const char from[] = "01ij5", to[] = "ollls";
	utf8proc_uint8_t *folded = NULL;
	const char *hit, *s;
	struct buf b;

	*is_whole = true;
	buf_init(&b, 0);
	if (utf8proc_map((const utf8proc_uint8_t *)name, 0, &folded,
		UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPAT |
		    UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE |
		    UTF8PROC_STRIPMARK) < 0) {
		*is_whole = false;
		return (xalloc_take(&b));
	}
	for (s = (const char *)folded; *s != '\0'; s++) {
		if ((hit = strchr(from, *s)) != NULL)
			buf_putc(&b, to[hit - from]);
		else if ((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9'))
			buf_putc(&b, *s);
		else if ((*s & 0x80) != 0)
			*is_whole = false;
	}
	free(folded);
	return (xalloc_take(&b));
}

/* Counts one more who has a skeleton. */
static void
people_count(struct people *p, const char *skeleton)
{
	xalloc_set(
	    p->like, skeleton, json_integer(js_int(p->like, skeleton) + 1));
}

/*
 * Counts how many have each skeleton, by their account or their name: once for
 * all, since each name is held against everybody's.
 */
static void
people_count_all(struct people *p)
{
	char *of_account, *of_name;
	const char *account;
	const json_t *v;
	bool is_whole;

	if (p->like != NULL)
		return;
	p->like = xalloc_json(json_object());
	json_object_foreach(p->names, account, v)
	{
		of_account = people_skeleton(account, &is_whole);
		people_count(p, of_account);
		if (json_is_string(v)) {
			of_name =
			    people_skeleton(json_string_value(v), &is_whole);
			if (strcmp(of_name, of_account) != 0)
				people_count(p, of_name);
			free(of_name);
		}
		free(of_account);
	}
}

/* True if an account's name could be somebody else's. */
static bool
people_is_doubtful(struct people *p, const char *account, const char *name)
{
	bool is_doubtful, is_of_account, is_whole;
	char *skeleton, *own;

	people_count_all(p);
	own = people_skeleton(account, &is_whole);
	skeleton = people_skeleton(name, &is_whole);
	is_of_account = strcmp(skeleton, own) == 0;
	/* One word could be the account of somebody who is not here. */
	is_doubtful = !is_whole ||
	    (strchr(name, ' ') == NULL && !is_of_account) ||
	    js_int(p->like, skeleton) > 1;
	free(skeleton);
	free(own);
	return (is_doubtful);
}

void
people_add(struct people *p, const char *account, const char *name)
{
	if (!order_is_account(account))
		return;
	if (name != NULL && display_is_name(name) && strcmp(name, account) != 0)
		xalloc_set(p->names, account, xalloc_json_str(name));
	else
		xalloc_set(p->names, account, json_null());
	(void)json_object_clear(p->told);
	json_decref(p->like);
	p->like = NULL;
}

/* Adds one account, and its name if there is one. */
static void
people_add_one(struct people *p, const json_t *account, const json_t *names)
{
	const char *s = json_string_value(account);

	if (s != NULL)
		people_add(p, s, js_str(names, s));
}

void
people_add_list(struct people *p, const json_t *accounts, const json_t *names)
{
	const json_t *list, *v;
	size_t i, j;

	people_add_one(p, accounts, names);
	json_array_foreach(accounts, i, list)
	{
		people_add_one(p, list, names);
		json_array_foreach(list, j, v) people_add_one(p, v, names);
	}
}

struct people *
people_of(const struct battle *b)
{
	const int64_t n = battle_lines(b);
	struct people *p = people_new();
	const struct game_entry *en;
	struct battle_line bl;
	const char *ref;
	int64_t i;

	for (i = 0; i < n; i++) {
		en = battle_entry(b, i);
		if (*en->account != '\0' && battle_read(b, i, &bl)) {
			ref = js_str(bl.o.args, "name");
			people_add(p, en->account,
			    ref == NULL ? NULL : b->text(b->arg, ref));
			battle_clear(&bl);
		}
		/* Nobody can join a game that has begun. */
		if (en->turn > 0)
			break;
	}
	return (p);
}

const char *
people_name(const struct people *p, const char *account)
{
	return (js_str(p->names, account));
}

const char *
people_tell(struct people *p, const char *account)
{
	const char *name = people_name(p, account), *told;
	char *s;

	if (name == NULL)
		return (account);
	told = js_str(p->told, account);
	if (told != NULL)
		return (told);
	s = people_is_doubtful(p, account, name)
	    ? xalloc_printf("%s (%s)", name, account)
	    : xalloc_str(name);
	xalloc_set(p->told, account, xalloc_json_str(s));
	free(s);
	return (js_str(p->told, account));
}

json_t *
people_view(const struct battle *b)
{
	json_t *view = xalloc_json(game_view(battle_game(b))), *v;
	struct people *p = people_of(b);
	const char *account, *name;
	size_t i;

	json_array_foreach(json_object_get(view, "seats"), i, v)
	{
		account = js_str(v, "account");
		name = account == NULL ? NULL : people_name(p, account);
		if (name != NULL)
			xalloc_set(v, "display", xalloc_json_str(name));
	}
	people_free(p);
	return (view);
}
