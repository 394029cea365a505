/* SPDX-License-Identifier: ISC */
/*
 * Terms out of options, and terms for people.  Whether they hold together is
 * the create order's form to say (common/record/order.h); here is only what can
 * be said in the words of the command line.
 */
#include "client/play/settings.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/record/order.h"

#define SETTINGS_SEATS 16

/* Members of a create order's args that are terms. */
static const char *const settings_names[] = {"scheme", "secret", "silence",
    "confirm", "clock", "private", "options", NULL};

/* Those that are one of two words. */
static const struct {
	const char *name, *usual, *other;
} settings_words[] = {
    {"scheme", "dual-1", "live-1"},
    {"secret", "held", "sealed"},
    {"silence", "forfeit", "director"},
};

#define SETTINGS_WORDS (sizeof(settings_words) / sizeof(settings_words[0]))

json_t *
settings_of(const json_t *args)
{
	const json_t *v;
	json_t *terms;
	size_t i;

	terms = xalloc_json(json_object());
	for (i = 0; settings_names[i] != NULL; i++) {
		if ((v = json_object_get(args, settings_names[i])) != NULL)
			xalloc_set(terms, settings_names[i], xalloc_copy(v));
	}
	return (terms);
}

void
settings_complete(json_t *terms)
{
	size_t i;

	for (i = 0; i < SETTINGS_WORDS; i++) {
		if (json_object_get(terms, settings_words[i].name) == NULL)
			xalloc_set(terms, settings_words[i].name,
			    json_string(settings_words[i].usual));
	}
}

/* Reads the options that are one of two words. */
static int
settings_read_words(struct cmd_ctx *cx, json_t *terms)
{
	const char *name, *s, *usual, *other;
	size_t i;

	for (i = 0; i < SETTINGS_WORDS; i++) {
		name = settings_words[i].name;
		usual = settings_words[i].usual;
		other = settings_words[i].other;
		if ((s = opt_get(&cx->opts, name)) == NULL)
			continue;
		if (strcmp(s, usual) != 0 && strcmp(s, other) != 0)
			return (cmd_usage(cx, "--%s takes %s or %s, not '%s'",
			    name, usual, other, s));
		xalloc_set(terms, name, json_string(s));
	}
	return (0);
}

/* Reads what goes into the args' member `options`. */
static int
settings_options(struct cmd_ctx *cx, json_t *terms)
{
	struct errinfo e = {.text = ""};
	json_t *options, *fields;
	const char *member, *s;
	int64_t n;
	size_t i = 0;

	options = json_object_get(terms, "options");
	options = options == NULL ? json_object() : xalloc_copy(options);
	options = xalloc_json(options);
	xalloc_set(terms, "options", options); /* borrowed from here on */
	if ((s = opt_get(&cx->opts, "seats")) != NULL) {
		if (!opt_number(s, 2, SETTINGS_SEATS, &n))
			return (cmd_usage(cx,
			    "--seats takes a number of players, 2 to %d",
			    SETTINGS_SEATS));
		xalloc_set(options, "seats", json_integer(n));
	}
	if (opt_has(&cx->opts, "director"))
		xalloc_set(options, "director", json_true());
	if (opt_has(&cx->opts, "no-takeback"))
		xalloc_set(options, "takeback", json_false());
	if (opt_has(&cx->opts, "owner-field")) {
		fields = xalloc_json(json_array());
		while ((s = opt_next(&cx->opts, "owner-field", &i)) != NULL)
			xalloc_append(fields, xalloc_json_str(s));
		xalloc_set(options, "owner_fields", fields);
	}
	if ((s = opt_get(&cx->opts, "delay")) != NULL) {
		if (duration_delay(s, &member, &n, &e) != 0)
			return (cmd_usage(cx, "--delay: %s", e.text));
		/* A rematch may have had the other one. */
		(void)json_object_del(options, "delay");
		(void)json_object_del(options, "delay_minutes");
		xalloc_set(options, member, json_integer(n));
	}
	return (0);
}

bool
settings_has_director(const json_t *terms)
{
	return (json_is_true(
	    json_object_get(json_object_get(terms, "options"), "director")));
}

int
settings_read(struct cmd_ctx *cx, json_t *terms)
{
	const char *s = opt_get(&cx->opts, "clock");
	struct errinfo e = {.text = ""};
	json_t *clock;
	int status;

	if ((status = settings_read_words(cx, terms)) != 0)
		return (status);
	if (s != NULL && strcmp(s, "none") == 0) {
		(void)json_object_del(terms, "clock"); /* a rematch's */
	} else if (s != NULL) {
		if (duration_clock(s, &clock, &e) != 0)
			return (cmd_usage(cx, "--clock: %s", e.text));
		xalloc_set(terms, "clock", clock);
	}
	if ((status = settings_options(cx, terms)) != 0)
		return (status);
	if (json_object_size(json_object_get(terms, "options")) == 0)
		(void)json_object_del(terms, "options"); /* it is there */
	if (opt_has(&cx->opts, "facts"))
		xalloc_set(terms, "confirm", json_string("facts"));
	else if (opt_has(&cx->opts, "confirm"))
		xalloc_set(terms, "confirm", json_true());
	if (opt_has(&cx->opts, "private"))
		xalloc_set(terms, "private", json_true());
	settings_complete(terms);
	/* What is left to a director needs a director. */
	if (settings_has_director(terms))
		return (0);
	if (strcmp(text_member(terms, "silence"), "director") == 0)
		return (cmd_usage(
		    cx, "--silence director needs a director: add --director"));
	clock = json_object_get(terms, "clock");
	if (strcmp(text_member(clock, "then"), "director") == 0)
		return (cmd_usage(cx,
		    "--clock with then=director needs a director: add "
		    "--director"));
	return (0);
}

void
settings_print(struct out *o, const struct order_create *c, bool is_out)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s, *words;

	if (c->confirms_facts)
		out_row(o, "confirm",
		    "each combat that is declared, and what decides a unit's "
		    "fate on the table, waits for the other side to agree");
	else if (c->is_confirm)
		out_row(o, "confirm",
		    "each combat that is declared waits for the other side "
		    "to agree");
	if (c->has_clock) {
		s = duration_clock_words(&c->clock);
		out_row(o, "clock", s);
		free(s);
	}
	if (is_out) {
		out_row(
		    o, "witness", "out: the sides answer each other's rolls");
	} else if (c->has_witness) {
		words = duration_words(c->witness_s);
		s = xalloc_printf(
		    "answers each roll at once; if it has not for %s, a player "
		    "may claim that",
		    words);
		out_row(o, "witness", s);
		free(s);
		free(words);
	}
	if (c->is_director)
		out_row(o, "silence",
		    "the director gives an answer that is owed too long");
	if (c->is_private)
		out_row(o, "private",
		    "only those who sit here or are invited can see it");
	if (!c->may_take_back)
		out_row(o, "takeback", "none: what is done is done");
	if (json_array_size(c->owner_fields) > 0) {
		buf_init(&b, 0);
		buf_puts(
		    &b, "a side may itself agree to changes to its units' ");
		json_array_foreach(c->owner_fields, i, v) buf_printf(
		    &b, "%s%s", i == 0 ? "" : ", ", json_string_value(v));
		out_row(o, "own", buf_str(&b));
		buf_clear(&b);
	}
	if (c->delay > 0)
		s = xalloc_printf("others see it %lld turn%s later",
		    (long long)c->delay, c->delay == 1 ? "" : "s");
	else if (c->delay_minutes > 0)
		s = xalloc_printf("others see it %lld minute%s later",
		    (long long)c->delay_minutes,
		    c->delay_minutes == 1 ? "" : "s");
	else
		return;
	out_row(o, "delay", s);
	free(s);
}
