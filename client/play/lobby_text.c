/* SPDX-License-Identifier: ISC */
/* What happened in the lobby, as a sentence or an object. */
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/lobby_int.h"
#include "client/profile/profile.h"
#include "client/replica/people.h"
#include "common/base/buf.h"
#include "common/base/hex.h"

#define LOBBY_TEXT_SHORT 8 /* digits of a game without a nickname */
#define LOBBY_TEXT_INDENT 18 /* columns before what an event says */

/* Appends what people are called, with commas. */
static void
lobby_text_join(struct buf *b, const json_t *list, struct people *people)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v) buf_printf(b, "%s%s", i == 0 ? "" : ", ",
	    people_tell(people, json_string_value(v)));
}

/* Appends what happened. */
static void
lobby_text_sentence(struct buf *b, const json_t *event, const char *called,
    struct people *names)
{
	const json_t *sides = json_object_get(event, "players");
	const char *what = lobby_str(event, "what");
	const char *account = lobby_str(event, "account");
	const char *title = lobby_str(event, "event");
	json_t *people;

	if (strcmp(what, "opened") == 0 && *account == '\0') {
		people = lobby_people(event);
		buf_puts(b, "there is a new game of ");
		lobby_text_join(b, people, names);
		json_decref(people);
	} else if (strcmp(what, "opened") == 0) {
		buf_printf(b, "%s opened a game", people_tell(names, account));
	} else if (strcmp(what, "joined") == 0 || strcmp(what, "left") == 0) {
		buf_printf(b, "%s %s", people_tell(names, account), what);
	} else if (strcmp(what, "begun") == 0) {
		buf_puts(b, "play begins, ");
		lobby_text_join(b, json_array_get(sides, 0), names);
		buf_puts(b, " against ");
		lobby_text_join(b, json_array_get(sides, 1), names);
	} else if (strcmp(what, "over") == 0) {
		buf_puts(b, "the game is over");
	} else if (strcmp(what, "closed") == 0) {
		buf_puts(b, "the game is closed");
	} else if (strcmp(what, "cancelled") == 0) {
		buf_puts(b, "the game was called off");
	} else if (strcmp(what, "halted") == 0) {
		buf_puts(b, "the game is halted: its rules failed");
	} else if (strcmp(what, "invited") == 0) {
		buf_printf(b, "you are invited: umpire join %s", called);
	} else if (strcmp(what, "uninvited") == 0) {
		buf_puts(b, "you are not invited any more");
	} else {
		buf_puts(b, "the game is not shown to you any more");
	}
	if (strcmp(what, "opened") == 0 || strcmp(what, "invited") == 0)
		buf_printf(b, " (%s%s%s)", lobby_str(event, "system"),
		    *title == '\0' ? "" : ", ", title);
}

void
lobby_text(struct out *o, const struct profile *p, const json_t *event)
{
	const char *hex = lobby_str(event, "game");
	char *called, *nick = NULL, when[32];
	uint8_t id[HASH_LEN];
	struct people *names;
	struct buf b;
	json_t *v;

	if (hex_parse(id, HASH_LEN, hex, strlen(hex)) == 0)
		nick = profile_nick(p, id);
	if (o->is_json) {
		v = xalloc_copy(event);
		xalloc_set(v, "name",
		    nick == NULL ? json_null() : xalloc_json_str(nick));
		out_json(o, v);
		free(nick);
		return;
	}
	called = nick != NULL
	    ? xalloc_str(nick)
	    : xalloc_strn(hex,
		  strlen(hex) < LOBBY_TEXT_SHORT ? strlen(hex)
						 : LOBBY_TEXT_SHORT);
	buf_init(&b, 0);
	buf_printf(&b, "%s: ", called);
	names = people_new();
	people_add_list(names, json_object_get(event, "players"),
	    json_object_get(event, "names"));
	people_add_list(names, json_object_get(event, "director"),
	    json_object_get(event, "names"));
	people_add_list(names, json_object_get(event, "account"),
	    json_object_get(event, "names"));
	lobby_text_sentence(&b, event, called, names);
	people_free(names);
	out_print(o, "%-16s  ",
	    lobby_at(event) < 0 ? "" : out_time(when, lobby_at(event)));
	out_text(o, LOBBY_TEXT_INDENT, LOBBY_TEXT_INDENT, buf_str(&b));
	buf_clear(&b);
	free(called);
	free(nick);
}
