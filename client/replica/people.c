/* SPDX-License-Identifier: ISC */
/*
 * Names are compared by their skeletons: letters and digits alone, folded to
 * lower case and without marks, those that look alike made the same.  Letters
 * that are not Latin have no skeleton; many look like Latin ones, so whoever
 * uses them always stands with the account.
 */
#include "client/replica/people.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "client/base/xalloc.h"
#include "client/replica/copy.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

#define PEOPLE_COLUMNS 40 /* of a name */

struct people {
	json_t *names; /* owned: account -> name, null: none */
	json_t *told; /* owned: account -> what it is called; what was asked */
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
	free(p);
}

/* What a character is in a name. */
enum people_char { PEOPLE_NONE, PEOPLE_BLANK, PEOPLE_SIGN, PEOPLE_LETTER };

static enum people_char
people_char(uint32_t cp)
{
	if (cp == ' ')
		return (PEOPLE_BLANK);
	if (cp == '.' || cp == '-' || cp == '\'' || cp == '_' || cp == 0x2019)
		return (PEOPLE_SIGN);
	if (!utf8_is_plain(cp))
		return (PEOPLE_NONE);
	switch (utf8proc_category((utf8proc_int32_t)cp)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LO:
		return (PEOPLE_LETTER);
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ND:
		return (PEOPLE_SIGN);
	default:
		return (PEOPLE_NONE);
	}
}

bool
people_is_name(const char *name)
{
	size_t len = strlen(name), n;
	bool has_letter = false, was_blank = true;
	enum people_char what;
	int columns = 0;
	uint32_t cp;

	if (len > PEOPLE_NAME)
		return (false);
	for (; len > 0; name += n, len -= n) {
		if ((n = utf8_get(name, len, &cp)) == 0 ||
		    (what = people_char(cp)) == PEOPLE_NONE ||
		    (what == PEOPLE_BLANK && was_blank))
			return (false);
		was_blank = what == PEOPLE_BLANK;
		has_letter = has_letter || what == PEOPLE_LETTER;
		columns += utf8proc_charwidth((utf8proc_int32_t)cp);
	}
	return (has_letter && !was_blank && columns <= PEOPLE_COLUMNS);
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

/* True if the skeleton of a text is this one. */
static bool
people_is_like(const char *text, const char *skeleton)
{
	bool is_whole, is_like;
	char *s;

	s = people_skeleton(text, &is_whole);
	is_like = strcmp(s, skeleton) == 0;
	free(s);
	return (is_like);
}

/* True if an account's name could be somebody else's. */
static bool
people_is_doubtful(
    const struct people *p, const char *account, const char *name)
{
	bool is_doubtful, is_whole;
	const char *other;
	const json_t *v;
	char *skeleton;

	skeleton = people_skeleton(name, &is_whole);
	/* One word could be the account of somebody who is not here. */
	is_doubtful = !is_whole ||
	    (strchr(name, ' ') == NULL && !people_is_like(account, skeleton));
	json_object_foreach(p->names, other, v)
	{
		if (is_doubtful)
			break;
		if (strcmp(other, account) == 0)
			continue;
		is_doubtful = people_is_like(other, skeleton) ||
		    (json_is_string(v) &&
			people_is_like(json_string_value(v), skeleton));
	}
	free(skeleton);
	return (is_doubtful);
}

void
people_add(struct people *p, const char *account, const char *name)
{
	if (!order_is_account(account))
		return;
	if (name != NULL && people_is_name(name) && strcmp(name, account) != 0)
		xalloc_set(p->names, account, xalloc_json_str(name));
	else
		xalloc_set(p->names, account, json_null());
	(void)json_object_clear(p->told);
}

/* Adds one account, and its name if there is one. */
static void
people_add_one(struct people *p, const json_t *account, const json_t *names)
{
	const char *s = json_string_value(account);

	if (s != NULL)
		people_add(p, s, json_string_value(json_object_get(names, s)));
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

/* Adds whom an order brings. */
static void
people_add_order(
    struct people *p, const struct copy *c, const struct record_line *ln)
{
	const char *account, *ref;
	struct errinfo e;
	struct order o;

	if (ln->kind != RECORD_ORDER ||
	    order_parse(ln->text, ln->text_len, &o, &e) != 0)
		return;
	if (o.kind == ORDER_CREATE || o.kind == ORDER_JOIN) {
		account = json_string_value(json_object_get(o.args, "account"));
		ref = json_string_value(json_object_get(o.args, "name"));
		if (account != NULL)
			people_add(
			    p, account, ref == NULL ? NULL : copy_text(c, ref));
	}
	order_clear(&o);
}

struct people *
people_of(const struct copy *c)
{
	bool has_begun = false;
	struct people *p = people_new();
	struct record_line ln;
	struct errinfo e;
	const char *line;
	size_t len;
	int64_t i;

	/* Nobody joins a game that has begun. */
	for (i = 0; i < c->n && !has_begun; i++) {
		line = copy_get(c, i, &len);
		if (record_parse(line, len, &ln, &e) != 0)
			continue;
		people_add_order(p, c, &ln);
		has_begun = i > 0 && ln.has_pool;
		record_clear(&ln);
	}
	return (p);
}

json_t *
people_view(const struct copy *c)
{
	json_t *view = xalloc_json(game_view(copy_game(c)));
	struct people *p = people_of(c);

	people_annotate(p, json_object_get(view, "seats"));
	people_free(p);
	return (view);
}

struct people *
people_of_view(const json_t *view)
{
	struct people *p = people_new();
	const char *account;
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(view, "seats"), i, v)
	{
		account = json_string_value(json_object_get(v, "account"));
		if (account != NULL)
			people_add(p, account,
			    json_string_value(json_object_get(v, "display")));
	}
	return (p);
}

const char *
people_name(const struct people *p, const char *account)
{
	return (json_string_value(json_object_get(p->names, account)));
}

const char *
people_tell(struct people *p, const char *account)
{
	const char *name = people_name(p, account), *told;
	char *s;

	if (name == NULL)
		return (account);
	told = json_string_value(json_object_get(p->told, account));
	if (told != NULL)
		return (told);
	s = people_is_doubtful(p, account, name)
	    ? xalloc_printf("%s (%s)", name, account)
	    : xalloc_str(name);
	xalloc_set(p->told, account, xalloc_json_str(s));
	free(s);
	return (json_string_value(json_object_get(p->told, account)));
}

void
people_annotate(const struct people *p, json_t *list)
{
	const char *account, *name;
	json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		account = json_string_value(json_object_get(v, "account"));
		name = account == NULL ? NULL : people_name(p, account);
		if (name == NULL)
			continue;
		xalloc_set(v, "display", xalloc_json_str(name));
	}
}
