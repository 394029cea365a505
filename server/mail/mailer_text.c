/* SPDX-License-Identifier: ISC */
#include "server/mail/mailer_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/owed.h"
#include "server/mail/mailer_told.h"

#define MAILER_TEXT_LINES 8 /* notices that a short text tells */

/* Who else a notice names: at most two accounts. */
struct mailer_text_others {
	const char *names[2];
	size_t n;
};

/* The accounts of the game that are not the notice's own. */
static void
mailer_text_find(
    const struct store_notice *t, struct mailer_text_others *others)
{
	others->n = 0;
	if (t->account_1[0] != '\0' && strcmp(t->account_1, t->account) != 0)
		others->names[others->n++] = t->account_1;
	if (t->account_2[0] != '\0' && strcmp(t->account_2, t->account) != 0 &&
	    strcmp(t->account_2, t->account_1) != 0)
		others->names[others->n++] = t->account_2;
}

/* Appends one notice as a paragraph of a mail. */
static void
mailer_text_paragraph(struct buf *out, const struct store_notice *t)
{
	struct mailer_text_others others;
	size_t i;

	if (t->is_tournament) {
		mailer_told_paragraph(out, t);
		return;
	}
	buf_puts(out, "\nGame ");
	mailer_told_name(out, t);
	buf_printf(out, ", %s\n", t->system);
	if (t->round > 0)
		mailer_told_game(out, t);
	mailer_text_find(t, &others);
	for (i = 0; i < others.n; i++)
		buf_printf(out, "  %s %s\n", i == 0 ? "with" : "and ",
		    others.names[i]);
	buf_printf(out, "  %s\n  since ", owed_words(t->what)->mail);
	mailer_told_time(out, t, t->at_ms);
	if (t->until_ms >= 0) {
		buf_puts(out, "\n  until ");
		mailer_told_time(out, t, t->until_ms);
	}
	buf_puts(out, "\n  To see it: umpire show ");
	mailer_told_name(out, t);
	buf_putc(out, '\n');
	if (t->round > 0) {
		buf_puts(out, "  To go on: umpire tournament play ");
		mailer_told_cup(out, t);
		buf_putc(out, '\n');
	}
}

const char *
mailer_text_subject(const struct store_notice *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!list[i].is_tournament)
			return ("umpire: your move");
	}
	return ("umpire: your tournament");
}

void
mailer_text_mail(
    struct buf *out, const struct store_notice *list, size_t n, size_t all)
{
	bool has_tournament = false;
	size_t i;

	for (i = 0; i < n; i++)
		has_tournament = has_tournament || list[i].is_tournament;
	buf_printf(out, "Hello %s,\n\n", list[0].account);
	if (all == 1 && list[0].is_tournament)
		buf_puts(out, "there is news of a tournament.\n");
	else if (all == 1)
		buf_puts(out, "a game waits for you.\n");
	else
		buf_printf(out, "%zu things wait for you.\n", all);
	for (i = 0; i < n; i++)
		mailer_text_paragraph(out, &list[i]);
	if (all > n)
		buf_printf(out, "\nAnd %zu more. To see all: umpire %s\n",
		    all - n, has_tournament ? "todo" : "games");
	buf_puts(out,
	    "\nYou are told of each of these once. To get no more such mails:\n"
	    "  umpire notify --drop mail\n");
}

/* Appends a short text for people who read a chat. */
static void
mailer_text_short(
    struct buf *out, const struct store_notice *list, size_t n, size_t all)
{
	const size_t lines = n < MAILER_TEXT_LINES ? n : MAILER_TEXT_LINES;
	struct mailer_text_others others;
	size_t i, k;

	buf_printf(out, "umpire for %s:", list[0].account);
	for (i = 0; i < lines; i++) {
		buf_puts(out, lines == 1 ? " " : "\n");
		if (list[i].is_tournament) {
			mailer_told_short(out, &list[i]);
			continue;
		}
		buf_printf(out, "%s: game ", owed_words(list[i].what)->mail);
		mailer_told_name(out, &list[i]);
		buf_printf(out, ", %s", list[i].system);
		mailer_text_find(&list[i], &others);
		for (k = 0; k < others.n; k++)
			buf_printf(out, "%s%s", k == 0 ? ", with " : " and ",
			    others.names[k]);
		if (list[i].round > 0)
			buf_printf(out, ", %s, round %d, table %d",
			    list[i].event, list[i].round, list[i].table);
	}
	if (all > lines)
		buf_printf(out, "\nand %zu more", all - lines);
}

/* Makes a notice's object; new, NULL without memory. */
static json_t *
mailer_text_object(const struct store_notice *t)
{
	struct mailer_text_others others;
	char at[CLOCK_AT_LEN + 1], until[CLOCK_AT_LEN + 1];
	json_t *list = json_array(), *v;
	size_t i;
	int bad = 0;

	mailer_text_find(t, &others);
	for (i = 0; i < others.n; i++)
		bad |=
		    json_array_append_new(list, json_string(others.names[i]));
	clock_format(at, t->at_ms);
	if (t->until_ms >= 0)
		clock_format(until, t->until_ms);
	v = json_pack("{s:o, s:s, s:s, s:I, s:s, s:s*, s:o}", "game",
	    js_hex(t->game, HASH_LEN), "system", t->system, "what",
	    owed_words(t->what)->name, "since", (json_int_t)t->since,
	    "since_at", at, "until", t->until_ms < 0 ? NULL : until,
	    "opponents", list);
	if (t->round > 0) {
		bad |= json_object_set_new(
		    v, "tournament", js_hex(t->tournament, HASH_LEN));
		bad |= json_object_set_new(v, "event", json_string(t->event));
		bad |= json_object_set_new(v, "round", json_integer(t->round));
		bad |= json_object_set_new(v, "table", json_integer(t->table));
	}
	if (bad != 0) {
		json_decref(v);
		return (NULL);
	}
	return (v);
}

/* Appends an object, which is taken; NULL means out of memory. */
static void
mailer_text_dump(struct buf *out, json_t *v)
{
	if (v == NULL) {
		out->error = ERR_NOMEM;
		return;
	}
	js_dump(v, out);
	json_decref(v);
}

void
mailer_text_json(
    struct buf *out, const struct store_notice *list, size_t n, size_t all)
{
	json_t *games = json_array(), *cups = json_array(), *v = NULL;
	struct buf text;
	size_t i;
	int bad = games == NULL || cups == NULL ? -1 : 0;

	buf_init(&text, 0);
	mailer_text_short(&text, list, n, all);
	for (i = 0; i < n; i++)
		bad |= list[i].is_tournament
		    ? json_array_append_new(cups, mailer_told_object(&list[i]))
		    : json_array_append_new(
			  games, mailer_text_object(&list[i]));
	if (bad == 0 && buf_error(&text) == 0)
		v = json_pack("{s:s, s:s, s:s, s:s, s:O, s:O*}", "event",
		    "waiting", "account", list[0].account, "text",
		    buf_str(&text), "content", buf_str(&text), "games", games,
		    "tournaments", json_array_size(cups) > 0 ? cups : NULL);
	json_decref(games);
	json_decref(cups);
	buf_clear(&text);
	mailer_text_dump(out, v);
}

/* The command that confirms an address. */
static void
mailer_text_confirm(char out[64], const struct store_address *a)
{
	(void)snprintf(out, 64, "umpire notify --confirm %s", a->code);
}

void
mailer_text_code_mail(struct buf *out, const struct store_address *a)
{
	char command[64];

	mailer_text_confirm(command, a);
	buf_printf(out,
	    "Hello,\n\n"
	    "the account %s of an umpire server wants to be\n"
	    "told here when a game waits for it. If that is you, say so with\n"
	    "\n"
	    "  %s\n"
	    "\n"
	    "within a day. If it is not, do nothing: no more mails will "
	    "come.\n",
	    a->account, command);
}

void
mailer_text_code_json(struct buf *out, const struct store_address *a)
{
	char command[64], text[160];

	mailer_text_confirm(command, a);
	(void)snprintf(text, sizeof(text),
	    "umpire for %s: to be told here, run: %s", a->account, command);
	mailer_text_dump(out,
	    json_pack("{s:s, s:s, s:s, s:s, s:s}", "event", "confirm",
		"account", a->account, "code", a->code, "text", text, "content",
		text));
}
