/* SPDX-License-Identifier: ISC */
/*
 * The events of a combat as plain structs on their maker's stack, and as JSON
 * (umpire-record.7, S2).  Making one allocates nothing; event_json() does.
 */
#ifndef UMPIRE_COMMON_RULES_EVENT_H
#define UMPIRE_COMMON_RULES_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct combat;
struct question;
struct question_answer;
struct rules_system;

enum event_type {
	EVENT_INT,
	EVENT_TEXT, /* NULL: JSON's null */
	EVENT_BOOL,
	EVENT_OBJECT, /* members of their own, one level */
	EVENT_DICE,
	EVENT_TEXTS,
};

/* One member of an event; everything is borrowed. */
struct event_field {
	const char *name;
	enum event_type type;
	int64_t number; /* INT, BOOL */
	size_t n; /* OBJECT, DICE, TEXTS */
	union {
		const char *text;
		const struct event_field *fields;
		const uint16_t *dice;
		const char *const *texts;
	} u;
};

enum event_kind {
	EVENT_COMBAT, /* the facts; no fields */
	EVENT_RESULT, /* the result; no fields */
	EVENT_ASK, /* a question; no fields */
	EVENT_DECISION, /* an answer; no fields */
	EVENT_OTHER, /* fields, under the name e */
};

struct event {
	enum event_kind kind;
	const char *e; /* OTHER: "roll", "score", "change" ... */
	const struct event_field *fields;
	size_t n_fields;
	const struct question *question; /* ASK, DECISION */
	const struct question_answer *answer; /* DECISION */
};

/* Make one member. */
struct event_field event_int(const char *name, int64_t value);
struct event_field event_text(const char *name, const char *value);
struct event_field event_bool(const char *name, bool value);
struct event_field event_object(
    const char *name, const struct event_field *fields, size_t n);
struct event_field event_dice(const char *name, const uint16_t *dice, size_t n);
struct event_field event_texts(
    const char *name, const char *const *texts, size_t n);

/* Fields where they are needed at once, and how many they are. */
#define EVENT_FIELDS(...)                                       \
	(const struct event_field[]){__VA_ARGS__},              \
	    sizeof((const struct event_field[]){__VA_ARGS__}) / \
	    sizeof(struct event_field)

/* The event as a JSON object, "e" first; new, NULL without memory. */
json_t *event_json(const struct rules_system *sys, const struct combat *c,
    const struct event *ev);

#endif
