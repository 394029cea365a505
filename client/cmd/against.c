/* SPDX-License-Identifier: ISC */
/*
 * Where two copies of a game part, and what that says of the server: that it
 * told two stories, or that it lost lines and said so.
 */
#include "client/cmd/against.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/replica/recordfile.h"
#include "client/report/battle.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

/* A line of one copy. */
struct against_line {
	const char *p; /* borrowed, not terminated; NULL: the copy has ended */
	size_t len;
	bool is_marked; /* by the server */
	bool is_restored; /* the server line of that kind */
	bool is_read; /* it is a line of a known form, */
	struct record_line ln; /* which this is; owned */
};

/* What the two first lines that differ are. */
struct against_pair {
	struct against_line yours;
	struct against_line theirs;
	size_t i; /* their number */
	bool is_fork; /* the server signed both, of one game and number */
	bool is_lost; /* likewise, and one owns up to a loss */
};

/*
 * The record line at offset *off: its bytes without LF, NULL after the last
 * one.  *off goes on to the next.
 */
static const char *
against_next(const struct buf *b, size_t *off, size_t *len)
{
	const char *p, *lf;

	if (*off >= b->len)
		return (NULL);
	p = b->data + *off;
	lf = memchr(p, '\n', b->len - *off);
	*len = lf == NULL ? b->len - *off : (size_t)(lf - p);
	*off += *len + 1;
	return (record_is_side(p, *len) ? NULL : p);
}

/* The server's key that a record's first line names. */
static bool
against_server(const struct buf *b, uint8_t server[SIGN_KEY_LEN])
{
	struct record_line ln;
	struct errinfo e;
	struct order o;
	const char *line;
	bool is_found = false;
	size_t len, off = 0;

	line = against_next(b, &off, &len);
	if (line == NULL || record_parse(line, len, &ln, &e) != 0)
		return (false);
	if (ln.text != NULL && order_parse(ln.text, ln.text_len, &o, &e) == 0) {
		memcpy(server, o.server, SIGN_KEY_LEN);
		is_found = true;
		order_clear(&o);
	}
	record_clear(&ln);
	return (is_found);
}

/* Reads a line, and whether the server has signed it. */
static void
against_read(struct against_line *l, const uint8_t *server)
{
	struct errinfo e;

	l->is_marked =
	    server != NULL && record_check_mark(l->p, l->len, server) == 0;
	l->is_read = record_parse(l->p, l->len, &l->ln, &e) == 0;
	l->is_restored = l->is_read && l->ln.kind == RECORD_SERVER &&
	    strcmp(l->ln.what, "restored") == 0;
}

/* Finds out whether the server signed both lines. */
static void
against_judge(const struct against *a, struct against_pair *p)
{
	struct against_line *x = &p->yours, *y = &p->theirs;
	uint8_t server[SIGN_KEY_LEN];
	bool has_key = against_server(a->bytes, server);

	against_read(x, has_key ? server : NULL);
	against_read(y, has_key ? server : NULL);
	p->is_fork = x->is_marked && y->is_marked && x->is_read && y->is_read &&
	    x->ln.seq == y->ln.seq &&
	    memcmp(x->ln.game, y->ln.game, HASH_LEN) == 0;
	p->is_lost = p->is_fork && x->is_restored != y->is_restored;
}

/* Appends the dice of a line: ": 2d6 = 2 6, chits a b". */
static void
against_dice(struct buf *b, const json_t *dice)
{
	const json_t *roll, *v, *values;
	const char *gap = ": ";
	size_t i, j;

	json_array_foreach(json_object_get(dice, "rolls"), i, roll)
	{
		values = json_object_get(roll, "dice");
		if (values != NULL)
			buf_printf(b, "%s%zud%lld =", gap,
			    json_array_size(values),
			    (long long)js_int(roll, "sides"));
		else
			buf_printf(b, "%schits", gap);
		if (values == NULL)
			values = json_object_get(roll, "chits");
		json_array_foreach(values, j, v)
		{
			if (json_is_integer(v))
				buf_printf(b, " %lld",
				    (long long)json_integer_value(v));
			else if (json_is_string(v))
				buf_printf(b, " %s", json_string_value(v));
		}
		gap = ", ";
	}
}

/* Whose a line is, as the record before it says; "seat 3". free(). */
static char *
against_who(const struct against *a, const struct record_line *ln, size_t i)
{
	const char *account = "";

	if (a->b != NULL && ln->seat >= 0 && ln->seat < GAME_SEATS)
		account = battle_account(a->b, ln->seat, (int64_t)i);
	if (*account != '\0')
		return (xalloc_str(a->b->called(a->b->arg, account)));
	return (xalloc_printf("seat %d", ln->seat));
}

/* A line in a few words: "anna's declare: 2d6 = 2 6"; free(). */
static char *
against_words(const struct against *a, const struct against_line *l, size_t i)
{
	struct errinfo e;
	struct order o;
	struct buf b;
	char *who;

	if (!l->is_read)
		return (xalloc_str("a line that this umpire cannot read"));
	if (l->is_restored)
		return (xalloc_str("goes back, in the open"));
	if (l->ln.kind == RECORD_SERVER)
		return (xalloc_printf("the server's \"%s\"", l->ln.what));
	who = against_who(a, &l->ln, i);
	buf_init(&b, 0);
	if (l->ln.kind == RECORD_KEY) {
		buf_printf(&b, "a change of %s's keys", who);
	} else if (order_parse(l->ln.text, l->ln.text_len, &o, &e) != 0) {
		buf_printf(&b, "an order of %s that cannot be read", who);
	} else {
		if (o.kind == ORDER_CHAT)
			buf_printf(&b, "a chat of %s", who);
		else
			buf_printf(&b, "%s's %s", who, o.kind_name);
		against_dice(&b, l->ln.dice);
		order_clear(&o);
	}
	free(who);
	return (xalloc_take(&b));
}

/* The members in which two lines differ: "at, mark"; free(). */
static char *
against_members(const struct against_pair *p)
{
	json_t *x = NULL, *y = NULL, *v;
	const char *name;
	struct buf b;

	buf_init(&b, 0);
	if (js_load(p->yours.p, p->yours.len, JS_DEPTH_RPC, &x, NULL) == 0 &&
	    js_load(p->theirs.p, p->theirs.len, JS_DEPTH_RPC, &y, NULL) == 0) {
		json_object_foreach(x, name, v)
		{
			if (!json_equal(v, json_object_get(y, name)))
				buf_printf(
				    &b, "%s%s", b.len == 0 ? "" : ", ", name);
		}
		json_object_foreach(y, name, v)
		{
			if (json_object_get(x, name) == NULL)
				buf_printf(
				    &b, "%s%s", b.len == 0 ? "" : ", ", name);
		}
	}
	json_decref(x);
	json_decref(y);
	if (b.len == 0)
		buf_puts(&b, "the way in which they are written");
	return (xalloc_take(&b));
}

/* What follows from it for the server. */
static void
against_tell(const struct against *a, const struct against_pair *p)
{
	if (p->is_lost)
		out_error("line %zu: %s went back, in the open: the server "
			  "says that it lost the lines\nfrom %zu on, and %s "
			  "has them",
		    p->i, p->theirs.is_restored ? "theirs" : "yours", p->i,
		    p->theirs.is_restored ? "yours" : "theirs");
	else if (p->is_fork)
		out_error("equivocation: the server signed two different "
			  "lines %zu of this game",
		    p->i);
	else if (p->yours.is_marked && p->theirs.is_marked)
		out_error("line %zu differs, and both are signed: '%s' is from "
			  "another game",
		    p->i, a->other);
	else
		out_error("the records differ from line %zu on, but the "
			  "server did not sign that of '%s'",
		    p->i, p->yours.is_marked ? a->other : a->name);
}

/* Tells how two lines differ. */
static void
against_differ(struct out *o, const struct against *a,
    const struct against_pair *p, json_t *v)
{
	char *members, *theirs, *yours;

	yours = against_words(a, &p->yours, p->i);
	theirs = against_words(a, &p->theirs, p->i);
	if (o->is_json) {
		xalloc_set(v, "differs", json_integer((json_int_t)p->i + 1));
		xalloc_set(
		    v, "equivocation", json_boolean(p->is_fork && !p->is_lost));
		xalloc_set(v, "lost", json_boolean(p->is_lost));
		xalloc_set(v, "yours", xalloc_json_str(yours));
		xalloc_set(v, "theirs", xalloc_json_str(theirs));
		xalloc_set(v, "this", json_stringn(p->yours.p, p->yours.len));
		xalloc_set(
		    v, "against", json_stringn(p->theirs.p, p->theirs.len));
	}
	against_tell(a, p);
	out_print(o, "line %zu: yours %s, theirs %s\n", p->i, yours, theirs);
	if (strcmp(yours, theirs) == 0) {
		members = against_members(p);
		out_print(o, "They differ in %s.\n", members);
		free(members);
	}
	out_print(o, "%.*s\n%.*s\n", (int)p->yours.len, p->yours.p,
	    (int)p->theirs.len, p->theirs.p);
	free(yours);
	free(theirs);
}

int
against_compare(struct out *o, const struct against *a, json_t *v)
{
	struct against_pair p = {.i = 0};
	struct against_line *x = &p.yours, *y = &p.theirs;
	size_t xoff = 0, yoff = 0;

	for (;; p.i++) {
		x->p = against_next(a->bytes, &xoff, &x->len);
		y->p = against_next(a->others, &yoff, &y->len);
		if (x->p == NULL || y->p == NULL)
			break;
		if (x->len == y->len && memcmp(x->p, y->p, x->len) == 0)
			continue;
		against_judge(a, &p);
		against_differ(o, a, &p, v);
		if (x->is_read)
			record_clear(&x->ln);
		if (y->is_read)
			record_clear(&y->ln);
		return (RECORDFILE_BAD);
	}
	if (o->is_json)
		xalloc_set(v, "differs", json_null());
	out_print(o, "  against  '%s': the same%s\n", a->other,
	    x->p == NULL && y->p == NULL ? " lines"
					 : ", as far as the shorter one goes");
	return (EX_OK);
}
