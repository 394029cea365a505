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
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/recorded.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"

/* Reads and verifies; what does not hold is said, and ends the program. */
static struct recorded *
teller_read(struct buf *bytes)
{
	struct verify_options opt = {.head_seq = -1};
	struct errinfo e = {.text = ""};
	struct verify_report rep;
	struct verify *v;
	int c;

	while ((c = getchar()) != EOF)
		buf_putc(bytes, (char)c);
	if (verify_held(buf_str(bytes), bytes->len, &opt, &rep, &v, &e) != 0 ||
	    rep.is_unchecked) {
		(void)fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return (recorded_new(buf_str(bytes), bytes->len, rep.lines, v));
}

int
main(int argc, char **argv)
{
	struct out o = {.f = stdout, .width = OUT_WIDTH};
	char hex[2 * HASH_LEN + 1];
	const struct battle *b;
	struct recorded *rc;
	struct report *rp;
	struct buf bytes;
	struct doc *d;

	if (argc != 2)
		return (64);
	buf_init(&bytes, 0);
	rc = teller_read(&bytes);
	b = recorded_battle(rc);
	hex_format(hex, game_id(battle_game(b)), HASH_LEN);
	hex[8] = '\0';
	d = strcmp(argv[1], "html") == 0       ? doc_html_new(&o)
	    : strcmp(argv[1], "markdown") == 0 ? doc_markdown_new(&o)
					       : doc_text_new(&o);
	rp = report_new_doc(d, b);
	report_want_turns(rp);
	report_heading(rp, hex);
	report_lines(rp, 0, battle_lines(b) - 1, 0, NULL);
	if (d->is_whole)
		report_end(d, b, NULL);
	else
		report_counted(d, b);
	d->finish(d);
	report_free(rp);
	d->free(d);
	recorded_free(rc);
	buf_clear(&bytes);
	return (fflush(stdout) == 0 ? 0 : 1);
}
