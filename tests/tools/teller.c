/* SPDX-License-Identifier: ISC */
/*
 * teller FORMAT < RECORD: verifies a record and tells the battle on standard
 * output as "umpire log" does, as text, markdown or html.  It is linked with
 * nothing that a player's client is made of but what tells
 * (tests/lint/report.sh).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"

/* A record that was read. */
struct teller {
	struct buf bytes;
	struct verify *v; /* owned */
	json_t *lines; /* owned: where each begins */
	json_t *texts; /* owned: hash -> text or blob */
};

/* The verifier that has read the record. */
static struct verify *
teller_verify_cb(void *arg)
{
	struct teller *t = arg;

	return (t->v);
}

/* A line of the record, without its LF; NULL: there is none. */
static const char *
teller_line_cb(void *arg, int64_t seq, size_t *len)
{
	struct teller *t = arg;
	const char *line;

	if (seq < 0 || seq >= (int64_t)json_array_size(t->lines))
		return (NULL);
	line = t->bytes.data +
	    json_integer_value(json_array_get(t->lines, (size_t)seq));
	*len = strcspn(line, "\n");
	return (line);
}

/* The text with this hash; NULL: it is not there. */
static const char *
teller_text_cb(void *arg, const char *hex)
{
	struct teller *t = arg;

	return (json_string_value(json_object_get(t->texts, hex)));
}

/* Everybody is called by their account. */
static const char *
teller_called_cb(void *arg, const char *account)
{
	(void)arg;
	return (account);
}

/* No account has another name here. */
static const char *
teller_name_cb(void *arg, const char *account)
{
	(void)arg;
	(void)account;
	return (NULL);
}

/* Reads and verifies; what does not hold is said, and ends the program. */
static void
teller_read(struct teller *t)
{
	struct verify_options opt = {.head_seq = -1};
	struct errinfo e = {.text = ""};
	struct verify_report rep;
	char hex[2 * HASH_LEN + 1];
	struct record_side s;
	char *line;
	int c;

	while ((c = getchar()) != EOF)
		buf_putc(&t->bytes, (char)c);
	if (verify_held(
		buf_str(&t->bytes), t->bytes.len, &opt, &rep, &t->v, &e) != 0 ||
	    rep.is_unchecked) {
		(void)fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	for (line = t->bytes.data; *line != '\0';
	     line += strcspn(line, "\n") + 1) {
		if (!record_is_side(line, strcspn(line, "\n"))) {
			xalloc_append(
			    t->lines, json_integer(line - t->bytes.data));
		} else if (record_side_parse(
			       line, strcspn(line, "\n"), &s, &e) == 0) {
			hex_format(hex, s.hash, HASH_LEN);
			xalloc_set(t->texts, hex, json_stringn(s.value, s.len));
			record_side_clear(&s);
		}
	}
}

int
main(int argc, char **argv)
{
	struct teller t = {.lines = json_array(), .texts = json_object()};
	const struct battle b = {&t, teller_verify_cb, teller_line_cb,
	    teller_text_cb, teller_called_cb, teller_name_cb};
	struct out o = {.f = stdout, .width = OUT_WIDTH};
	char hex[2 * HASH_LEN + 1];
	struct report *rp;
	struct doc *d;

	if (argc != 2)
		return (64);
	buf_init(&t.bytes, 0);
	teller_read(&t);
	hex_format(hex, game_id(battle_game(&b)), HASH_LEN);
	hex[8] = '\0';
	d = strcmp(argv[1], "html") == 0       ? doc_html_new(&o)
	    : strcmp(argv[1], "markdown") == 0 ? doc_markdown_new(&o)
					       : doc_text_new(&o);
	rp = report_new_doc(d, &b);
	report_want_turns(rp);
	report_heading(rp, hex);
	report_lines(rp, 0, battle_lines(&b) - 1, 0, NULL);
	if (d->is_whole)
		report_end(d, &b, NULL);
	else
		report_counted(d, &b);
	d->finish(d);
	report_free(rp);
	d->free(d);
	verify_free(t.v);
	json_decref(t.lines);
	json_decref(t.texts);
	buf_clear(&t.bytes);
	return (fflush(stdout) == 0 ? 0 : 1);
}
