/* SPDX-License-Identifier: ISC */
/* Which tournament a word of the command line means. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_list.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/entry.h"

#define DESK_PREFIX_MIN 4
#define DESK_DIGITS 8 /* of a tournament without a word of its own */

char *
desk_slug(const char *event)
{
	struct buf b;
	const char *p;

	buf_init(&b, 0);
	for (p = event; *p != '\0'; p++) {
		if (isalnum((unsigned char)*p))
			buf_putc(&b, (char)tolower((unsigned char)*p));
		else if (b.len > 0 && b.data[b.len - 1] != '-')
			buf_putc(&b, '-');
	}
	while (b.len > 0 && b.data[b.len - 1] == '-')
		b.len--;
	return (xalloc_take(&b));
}

char *
desk_find_event(const struct profile *p, const uint8_t id[HASH_LEN])
{
	struct record_line ln;
	char *event = NULL;
	const char *s;
	struct entry o;
	struct buf b;

	buf_init(&b, 0);
	if (profile_game_read(p, id, ".tournament", 0, &b, NULL) == 0 &&
	    record_parse_tournament(
		buf_str(&b), strcspn(buf_str(&b), "\n"), &ln, NULL) == 0) {
		if (ln.text != NULL &&
		    entry_parse(ln.text, ln.text_len, &o, NULL) == 0) {
			if ((s = js_str(o.args, "event")) != NULL)
				event = xalloc_str(s);
			entry_clear(&o);
		}
		record_clear(&ln);
	}
	buf_clear(&b);
	return (event);
}

/* What a word found. */
struct desk_found {
	uint8_t id[HASH_LEN];
	int exact, n; /* whole names; names that begin so, and digits */
};

/* Notes a tournament, if the word names it. */
static void
desk_found_note(struct desk_found *f, const char *word, const char *slug,
    const uint8_t id[HASH_LEN], const char *event)
{
	char hex[2 * HASH_LEN + 1], *own;
	bool begins, is_whole;

	hex_format(hex, id, HASH_LEN);
	own = desk_slug(event);
	is_whole = *slug != '\0' && strcmp(own, slug) == 0;
	begins = (*slug != '\0' && strncmp(own, slug, strlen(slug)) == 0) ||
	    (strlen(word) >= DESK_PREFIX_MIN &&
		strncmp(hex, word, strlen(word)) == 0);
	free(own);
	if (is_whole && f->exact++ == 0)
		memcpy(f->id, id, HASH_LEN);
	if (begins && f->n++ == 0 && f->exact == 0)
		memcpy(f->id, id, HASH_LEN);
}

/* True if one tournament alone is meant. */
static bool
desk_found_one(const struct desk_found *f)
{
	return (f->exact == 1 || (f->exact == 0 && f->n == 1));
}

/* Looks among our own copies. */
static int
desk_find_own(const struct profile *p, const char *word, const char *slug,
    struct desk_found *f)
{
	struct errinfo e = {.text = ""};
	uint8_t(*ids)[HASH_LEN];
	char *event;
	size_t i, n;
	int r;

	if ((r = desk_copy_list(p, &ids, &n, &e)) != 0)
		return (cmd_fail(r, &e));
	for (i = 0; i < n; i++) {
		event = desk_find_event(p, ids[i]);
		desk_found_note(
		    f, word, slug, ids[i], event == NULL ? "" : event);
		free(event);
	}
	free(ids);
	return (0);
}

/* Looks among the server's tournaments. */
static int
desk_find_server(
    struct link *l, const char *word, const char *slug, struct desk_found *f)
{
	uint8_t id[HASH_LEN];
	const json_t *v;
	json_t *rows;
	size_t i;
	int status;

	if ((status = desk_list_fetch(l, NULL, NULL, &rows)) != 0)
		return (status);
	json_array_foreach(rows, i, v)
	{
		if (js_get_hex(v, "tournament", NULL, id, HASH_LEN, NULL) == 0)
			desk_found_note(f, word, slug, id,
			    js_str(v, "event") == NULL ? ""
						       : js_str(v, "event"));
	}
	json_decref(rows);
	return (0);
}

/* Looks here, then on the server; *f says what was found. */
static int
desk_find_all(struct cmd_ctx *cx, struct profile *p, struct link **link,
    const char *word, struct desk_found *f)
{
	char *slug = desk_slug(word);
	int status;

	status = desk_find_own(p, word, slug, f);
	if (status == 0 && f->n == 0) {
		if (*link == NULL)
			status = link_open(cx, p, link);
		if (status == 0) {
			(void)play_log_in(*link, p);
			status = desk_find_server(*link, word, slug, f);
		}
	}
	free(slug);
	return (status);
}

int
desk_find(struct cmd_ctx *cx, struct profile *p, struct link **link,
    const char *word, uint8_t id[HASH_LEN])
{
	struct desk_found f = {.n = 0};
	int status;

	if (invitation_is(word))
		return (play_find_invited(cx, p, word, id));
	if (strlen(word) == 2 * (size_t)HASH_LEN &&
	    hex_parse(id, HASH_LEN, word, strlen(word)) == 0)
		return (0);
	if ((status = desk_find_all(cx, p, link, word, &f)) != 0)
		return (status);
	if (!desk_found_one(&f)) {
		out_error(f.n == 0 ? "there is no tournament '%s', here or on "
				     "the server"
				   : "more than one tournament is meant by "
				     "'%s': type more of its name, or digits",
		    word);
		out_note("`umpire tournament list` lists yours, `umpire "
			 "tournament list --all` all of the\nserver's.  One "
			 "that is private is reached by the address that its "
			 "director gives.");
		return (f.n == 0 ? EX_NOINPUT : EX_USAGE);
	}
	memcpy(id, f.id, HASH_LEN);
	return (0);
}

char *
desk_name(
    const struct profile *p, const uint8_t id[HASH_LEN], const char *event)
{
	struct desk_found f = {.n = 0};
	char hex[2 * HASH_LEN + 1];
	char *slug = desk_slug(event);

	/* A word of digits alone might be another's number. */
	if (strspn(slug, "0123456789abcdef") != strlen(slug)) {
		if (desk_find_own(p, slug, slug, &f) == 0 &&
		    (f.exact == 0 ||
			(f.exact == 1 && memcmp(f.id, id, HASH_LEN) == 0)))
			return (slug);
	}
	free(slug);
	hex_format(hex, id, HASH_LEN);
	return (xalloc_strn(hex, DESK_DIGITS));
}
