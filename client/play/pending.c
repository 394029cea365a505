/* SPDX-License-Identifier: ISC */
/* The file is send.c's; here it is only read, for those who decide on it. */
#include "client/play/pending.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/decision_text.h"
#include "client/play/form_tell.h"
#include "client/profile/file.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/record/record.h"
#include "common/rules/show/render.h"

#define PENDING_UNITS 8 /* of a combat that are named */
#define PENDING_DEPTH 4 /* at which they stand below the args */
#define PENDING_TEXT 60 /* bytes of a chat that are shown */

/* What orders of each kind do. */
static const struct {
	enum order_kind kind;
	const char *words;
} pending_kinds[] = {
    {ORDER_CREATE, "to open the game"},
    {ORDER_JOIN, "to join the game"},
    {ORDER_READY, "to say that you are ready"},
    {ORDER_DECLARE, "to declare a combat"},
    {ORDER_DECIDE, "to answer"},
    {ORDER_COMMIT, "to commit to your secret choice"},
    {ORDER_OPEN, "to open your secret choice"},
    {ORDER_ANSWER, "to"},
    {ORDER_UPKEEP, "to give an order between combats"},
    {ORDER_FREE, "to roll free dice, or draw"},
    {ORDER_TURN_END, "to end your turn"},
    {ORDER_RULING, "to rule"},
    {ORDER_ACCEPT, "to accept"},
    {ORDER_RESIGN, "to resign"},
    {ORDER_CLAIM, "to claim that the other side's time has run out"},
    {ORDER_PAUSE, "to stop or start your clock"},
    {ORDER_CLOSE, "to close the game"},
    {ORDER_CHAT, "to say"},
    {ORDER_PROPOSE, "to propose a change"},
    {ORDER_OFFER, "to offer"},
    {ORDER_STANDING, "to leave a standing order"},
    {ORDER_CUP, "to fill or empty a cup"},
    {ORDER_NOTE, "to"},
    {ORDER_DICE_KEY, "to give a new dice key"},
    {ORDER_UNKNOWN, "of a kind that this umpire does not know"},
};

bool
pending_is_there(const struct replica *c)
{
	char *path;
	bool is_there;

	if (c->p == NULL)
		return (false);
	path = profile_game_path(c->p, c->id, ".pending");
	is_there = file_exists(path);
	free(path);
	return (is_there);
}

bool
pending_read(const json_t *root, struct order *o)
{
	const char *s = json_string_value(
	    json_object_get(json_object_get(root, "params"), "order"));

	return (s != NULL && order_parse(s, strlen(s), o, NULL) == 0);
}

bool
pending_is_talk(const json_t *root)
{
	struct order o;
	bool is_talk;

	if (!pending_read(root, &o))
		return (false);
	is_talk = order_class_of(o.kind) == ORDER_CLASS_TALK;
	order_clear(&o);
	return (is_talk);
}

/* Appends what stands in v as units, with commas; *n is how many there were. */
static void
pending_put_units(
    const struct render *rd, struct buf *b, json_t *v, int depth, int *n)
{
	const char *id, *name;
	json_t *member;
	size_t i;

	if (depth == 0)
		return;
	id = json_string_value(json_object_get(v, "id"));
	if (id != NULL) {
		if (*n < PENDING_UNITS)
			buf_printf(b, "%s%s", *n == 0 ? ": " : ", ",
			    rd == NULL ? id : render_name(rd, id));
		else if (*n == PENDING_UNITS)
			buf_puts(b, " ...");
		++*n;
		return;
	}
	if (json_is_array(v)) {
		json_array_foreach(v, i, member)
		    pending_put_units(rd, b, member, depth - 1, n);
		return;
	}
	json_object_foreach(v, name, member)
	    pending_put_units(rd, b, member, depth - 1, n);
}

/* Appends a text member of the args, if it is there. */
static void
pending_put(struct buf *b, const json_t *args, const char *name)
{
	const json_t *v = json_object_get(args, name);

	if (json_is_string(v))
		buf_printf(b, " %s", json_string_value(v));
}

/* Appends the line that the args speak of. */
static void
pending_put_line(struct buf *b, const json_t *args)
{
	const json_t *v = json_object_get(args, "to");

	if (json_is_integer(v))
		buf_printf(b, ": line %lld", (long long)json_integer_value(v));
}

/* Appends the beginning of what is said. */
static void
pending_put_text(struct buf *b, const json_t *root)
{
	const json_t *texts =
	    json_object_get(json_object_get(root, "params"), "texts");
	const char *s = json_string_value(
	    json_object_get(json_array_get(texts, 0), "value"));
	size_t n;

	if (s == NULL)
		return;
	/* Not within a letter. */
	for (n = strlen(s) < PENDING_TEXT ? strlen(s) : PENDING_TEXT;
	     n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80; n--)
		continue;
	buf_printf(b, " \"%.*s%s\"", (int)n, s, s[n] == '\0' ? "" : " ...");
}

/* Appends what an order's args say, for the kinds whose args are short. */
static void
pending_put_args(const struct render *rd, struct buf *b, const json_t *root,
    const struct order *o)
{
	const char *unit = json_string_value(json_object_get(o->args, "unit"));
	char *s;
	int n = 0;

	switch (o->kind) {
	case ORDER_DECLARE:
		pending_put_units(rd, b, json_object_get(o->args, "combat"),
		    PENDING_DEPTH, &n);
		break;
	case ORDER_DECIDE:
		s = form_tell_decision(
		    rd, json_object_get(o->args, "decision"));
		buf_printf(b, ": %s", s);
		free(s);
		break;
	case ORDER_ANSWER:
	case ORDER_NOTE:
	case ORDER_RULING:
		pending_put(b, o->args, "say");
		pending_put_line(b, o->args);
		break;
	case ORDER_ACCEPT:
		pending_put_line(b, o->args);
		break;
	case ORDER_OFFER:
		pending_put(b, o->args, "what");
		break;
	case ORDER_UPKEEP:
		if (unit != NULL)
			buf_printf(b, ": %s",
			    rd == NULL ? unit : render_name(rd, unit));
		pending_put(b, o->args, "do");
		break;
	case ORDER_CHAT:
		pending_put_text(b, root);
		break;
	default:
		break;
	}
}

char *
pending_words(const struct replica *c, const json_t *root)
{
	struct render *rd;
	struct order o;
	struct buf b;
	size_t i = 0;

	if (!pending_read(root, &o))
		return (xalloc_str("that cannot be read"));
	while (pending_kinds[i].kind != o.kind &&
	    pending_kinds[i].kind != ORDER_UNKNOWN)
		i++;
	buf_init(&b, 0);
	buf_puts(&b, pending_kinds[i].words);
	rd = decision_text_names(battle_game(replica_battle(c)));
	pending_put_args(rd, &b, root, &o);
	render_free(rd);
	order_clear(&o);
	return (xalloc_take(&b));
}

char *
pending_find(const struct replica *c)
{
	struct send_pending sp;
	struct errinfo e;
	char *words;

	if (!pending_is_there(c))
		return (NULL);
	if (send_load(c, &sp, &e) != 0)
		return (xalloc_str("that cannot be read"));
	words = pending_words(c, sp.root);
	send_clear(&sp);
	return (words);
}

int64_t
pending_line(const struct replica *c, const json_t *root)
{
	struct record_line ln;
	int64_t found = -1, seq;
	const char *line;
	struct order o;
	size_t len;

	if (!pending_read(root, &o))
		return (-1);
	for (seq = o.after + 1; found < 0 && seq < c->n; seq++) {
		line = replica_get(c, seq, &len);
		if (record_parse(line, len, &ln, NULL) != 0)
			continue;
		if (ln.text != NULL && ln.text_len == o.len &&
		    memcmp(ln.text, o.text, o.len) == 0)
			found = seq;
		record_clear(&ln);
	}
	order_clear(&o);
	return (found);
}
