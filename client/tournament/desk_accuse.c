/* SPDX-License-Identifier: ISC */
/*
 * A server that tells another history of a tournament is accused only by what
 * it has signed, and only once that is safe on the disk.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"

#define DESK_ACCUSE_FILE ".tournament-evidence"

/* Writes the proof, unless it is there; *path is new. */
static int
desk_accuse_keep(const struct desk_copy *c, char **path, struct errinfo *e)
{
	const struct desk_fork *f = &c->fork;
	const bool is_two = f->what == DESK_TWO_LINES;
	char at[CLOCK_AT_LEN + 1], *games, *suffix, *text;
	uint8_t hash[HASH_LEN];
	struct buf b;
	json_t *head;
	int r;

	if ((r = hash_sha256(hash, f->line, strlen(f->line))) != 0)
		return (r);
	/* By its hash, so that the same line is kept once. */
	suffix = xalloc_printf("%s-%02x%02x%02x%02x", DESK_ACCUSE_FILE, hash[0],
	    hash[1], hash[2], hash[3]);
	*path = profile_game_path(c->p, c->id, suffix);
	free(suffix);
	games = profile_path(c->p, "games");
	r = file_make_dirs(games, e);
	free(games);
	if (r != 0 || file_exists(*path))
		return (r);
	clock_format(at, f->at_ms);
	head = xalloc_json(json_pack(
	    "{s:i, s:o, s:o, s:I, s:s, s:o, s:o, s:s, s:o}", "evidence", 1,
	    "server", js_hex(c->p->pin, SIGN_KEY_LEN), "tournament",
	    js_hex(c->id, HASH_LEN), "seq", (json_int_t)f->seq, "what",
	    is_two ? "two-lines" : "unlawful", "why",
	    xalloc_json_str(f->why.text), "hash", js_hex(hash, HASH_LEN),
	    "arrived", at, "line", xalloc_json_str(f->line)));
	text = xalloc_dump(head);
	json_decref(head);
	buf_init(&b, 0);
	buf_printf(&b, "%s\n", text);
	free(text);
	desk_copy_export(c, &b);
	r = file_write(*path, buf_str(&b), b.len, 0600, e);
	buf_clear(&b);
	return (r);
}

/* A server that is of no use for this tournament, and is not accused. */
static int
desk_accuse_doubt(const struct desk_copy *c)
{
	const struct desk_fork *f = &c->fork;

	if (f->what == DESK_BEHIND)
		out_error("the server has fewer lines of this tournament than "
			  "your copy: its last is\nline %lld, yours line %lld",
		    (long long)f->seq, (long long)c->n - 1);
	else if (f->what == DESK_GONE)
		out_error("the server does not know this tournament, of which "
			  "your copy has %lld lines",
		    (long long)c->n);
	else
		out_error("the server's answer about line %lld of the "
			  "tournament makes no sense: %s",
		    (long long)f->seq, f->why.text);
	if (f->what == DESK_BEHIND || f->what == DESK_GONE)
		out_note("It may have been restored from a backup.  Nobody is "
			 "accused.  Tell the\noperator, and keep your copy: "
			 "it has the lines that are missing.");
	else
		out_note("That is not signed, so it proves nothing.  Tell the "
			 "operator.");
	out_note("Nothing was sent or taken over.");
	return (EX_UNAVAILABLE);
}

int
desk_copy_accuse(const struct desk_copy *c)
{
	const struct desk_fork *f = &c->fork;
	struct errinfo e = {.text = ""};
	char *path = NULL;
	int status = EX_PROTOCOL;

	if (f->line == NULL)
		return (desk_accuse_doubt(c));
	if (desk_accuse_keep(c, &path, &e) != 0) {
		out_error("the server's line %lld does not fit your copy of "
			  "the tournament; what that\nmeans is told only once "
			  "it is kept in a file, and this one cannot be "
			  "written:\n%s\n%s",
		    (long long)f->seq, path == NULL ? "" : path, e.text);
		status = EX_IOERR;
	} else if (f->what == DESK_TWO_LINES) {
		out_error("the server signed two different lines %lld of this "
			  "tournament; this file\nproves it:\n%s",
		    (long long)f->seq, path);
	} else {
		out_error("the server signed a line %lld of this tournament "
			  "that is not lawful; this\nfile proves it:\n%s",
		    (long long)f->seq, path);
		out_note("%s%s%s", f->why.where,
		    f->why.where[0] == '\0' ? "" : ": ", f->why.text);
	}
	out_note("Nothing was sent or taken over: your copy is as it was, and "
		 "--offline reads it.");
	if (status == EX_PROTOCOL)
		out_note("Show the file to the others before you write to the "
			 "operator.");
	free(path);
	return (status);
}
