/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament export: the tournament and its games in a folder that
 * `umpire verify` takes.  Every line of each is checked on the way.  A folder
 * that has them from before holds together at any time: games are written under
 * other names until all are there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/replica.h"
#include "client/replica/sync.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/terms.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_game.h"
#include "common/tournament/verify_former.h"

#define DESK_EXPORT_TRIES 5 /* while lines come in the meantime */

/* An export in the making. */
struct desk_export {
	struct desk *d; /* borrowed */
	const char *dir; /* borrowed */
	json_t *needs; /* owned: the last line that is named of a game; NULL */
	json_t *new; /* owned: by game whether it is there, as .part, or goes */
};

/* The file of a record in the folder; free(). */
static char *
desk_export_path(const char *dir, const char *name, const char *more)
{
	return (xalloc_printf("%s/%s.jsonl%s", dir, name, more));
}

/* What could not be done in the folder. */
static int
desk_export_fail(int r, const struct errinfo *e)
{
	(void)cmd_fail(r, e);
	return (EX_CANTCREAT);
}

/* Writes a record into the folder. */
static int
desk_export_write(
    const char *dir, const char *name, const char *more, const struct buf *b)
{
	struct errinfo e = {.text = ""};
	char *path = desk_export_path(dir, name, more);
	int r = file_write(path, b->data, b->len, 0644, &e);

	free(path);
	return (r == 0 ? 0 : desk_export_fail(r, &e));
}

/* Removes one; it need not be there. */
static int
desk_export_remove(const char *dir, const char *name, const char *more)
{
	char *path = desk_export_path(dir, name, more);
	struct errinfo e = {.text = ""};
	int r = file_exists(path) ? file_remove(path, &e) : 0;

	free(path);
	return (r == 0 ? 0 : desk_export_fail(r, &e));
}

/* Notes the line of a game that an object names, if it does. */
static void
desk_export_need(json_t *needs, const json_t *v)
{
	const json_t *seq = json_object_get(v, "seq");
	const char *hex = js_str(v, "game");

	if (hex != NULL && json_is_integer(seq) &&
	    (json_object_get(needs, hex) == NULL ||
		js_int(needs, hex) < json_integer_value(seq)))
		xalloc_set(needs, hex, json_integer(json_integer_value(seq)));
}

/* The last line of each game that the tournament names one of; new. */
static json_t *
desk_export_needs(const struct desk_copy *c)
{
	json_t *needs = xalloc_json(json_object());
	struct record_line ln;
	const json_t *event;
	const char *line;
	size_t k, len;
	int64_t i;

	for (i = 0; i < c->n; i++) {
		line = desk_copy_get(c, i, &len);
		if (record_parse_tournament(line, len, &ln, NULL) != 0)
			continue;
		if (ln.kind == RECORD_SERVER)
			desk_export_need(needs, ln.data);
		json_array_foreach(ln.events, k, event)
		    desk_export_need(needs, event);
		record_clear(&ln);
	}
	return (needs);
}

/* Leaves out a game of which there is nothing here. */
static int
desk_export_none(const char *hex)
{
	out_note("Game %.8s is not written: you have no copy of it, and no "
		 "server was asked.  Without it umpire verify exits 2.",
	    hex);
	return (0);
}

/*
 * Leaves out a game that ends before the line that is needed, or is over while
 * the copy of the tournament does not know: with it an honest tournament would
 * be bad, and without it cannot be judged whole.  An older file of it may be
 * wrong, too.
 */
static int
desk_export_short(struct desk_export *x, const char *hex, bool is_ahead)
{
	xalloc_set(x->new, hex, json_false());
	if (is_ahead)
		out_note("Game %.8s is not in the folder: it is over, and your "
			 "copy of the tournament ends before its result.  "
			 "Without it umpire verify exits 2.",
		    hex);
	else
		out_note("Game %.8s is not in the folder: it does not reach "
			 "here as far as the tournament names its lines, as "
			 "when it is shown later than it is played.  Without "
			 "it umpire verify exits 2.",
		    hex);
	return (0);
}

/* True if a game has a result that the copy of the tournament does not tell. */
static bool
desk_export_is_ahead(
    const struct desk *d, const uint8_t id[HASH_LEN], const struct game *g)
{
	struct tournament_look look;
	json_t *data = NULL;
	bool is_ahead;
	int r;

	if (d->link != NULL || g == NULL || d->t == NULL)
		return (false); /* the next lines tell */
	r = tournament_look_at(g, tournament_terms(d->t)->resign, &look);
	if ((r != 0 && r != ERR_MISSING) || !look.is_over ||
	    tournament_result_data(d->t, id, &look, &data) != 0)
		return (false);
	is_ahead = data != NULL;
	json_decref(data);
	return (is_ahead);
}

/*
 * Brings a game's copy up to date and writes it, if it has the line that is
 * needed; *is_there tells that.
 */
static int
desk_export_game(
    struct desk_export *x, const uint8_t id[HASH_LEN], bool *is_there)
{
	char hex[2 * HASH_LEN + 1];
	struct errinfo e = {.text = ""};
	struct replica *c;
	struct conn_error ce;
	struct buf b;
	int r, status = 0;
	bool is_ahead;

	*is_there = false;
	hex_format(hex, id, HASH_LEN);
	if ((r = replica_open(x->d->p, id, &c, &e)) != 0)
		return (cmd_fail(r, &e));
	if (x->d->link != NULL) {
		r = sync_copy(x->d->link, c, &ce);
		if (r == ERR_FORK && !ce.is_answer)
			status = evidence_tell(c);
		else if (r != 0)
			status = link_fail(&ce);
		conn_error_clear(&ce);
	}
	buf_init(&b, 0);
	is_ahead = desk_export_is_ahead(x->d, id, replica_game(c));
	*is_there = c->n > 0 && !is_ahead &&
	    (json_object_get(x->needs, hex) == NULL ||
		c->n > js_int(x->needs, hex));
	if (status == 0 && c->n == 0) {
		status = desk_export_none(hex);
	} else if (status == 0 && !*is_there) {
		status = desk_export_short(x, hex, is_ahead);
	} else if (status == 0 && (r = replica_export(c, &b, &e)) != 0) {
		status = cmd_fail(r, &e);
	} else if (status == 0) {
		status = desk_export_write(x->dir, hex, ".part", &b);
		xalloc_set(x->new, hex, json_true());
	}
	buf_clear(&b);
	replica_close(c);
	if (status != 0)
		out_note("Game %.8s could not be brought.", hex);
	return (status);
}

/* The game that a line names; false if it names none. */
static bool
desk_export_names(const char *line, size_t len, uint8_t id[HASH_LEN])
{
	struct record_line ln;
	bool is_game;

	if (record_parse_tournament(line, len, &ln, NULL) != 0)
		return (false);
	is_game = ln.kind == RECORD_SERVER && strcmp(ln.what, "game") == 0 &&
	    js_get_hex(ln.data, "game", NULL, id, HASH_LEN, NULL) == 0;
	record_clear(&ln);
	return (is_game);
}

/* Writes all games that lines of the copy name; *n counts those written. */
static int
desk_export_games(struct desk_export *x, int *n)
{
	struct desk *d = x->d;
	uint8_t id[HASH_LEN];
	int64_t i;
	const char *line;
	int status, worst = 0;
	bool is_there;
	size_t len;

	*n = 0;
	json_decref(x->needs);
	x->needs = desk_export_needs(d->copy);
	for (i = 0; i < d->copy->n; i++) {
		line = desk_copy_get(d->copy, i, &len);
		if (!desk_export_names(line, len, id))
			continue;
		out_progress("fetching and checking games");
		status = desk_export_game(x, id, &is_there);
		out_progress_end();
		*n += is_there;
		if (status == EX_PROTOCOL || worst == 0)
			worst = status;
	}
	return (worst);
}

/*
 * Writes a game of another server as one of our profiles has it; false if none
 * has.
 */
static bool
desk_export_other(
    const struct desk *d, const char *dir, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	struct profile *p;
	json_t *names, *v;
	bool has = false;
	struct buf b;
	size_t i;

	if (profile_names(d->p, &names, NULL) != 0)
		return (false);
	hex_format(hex, id, HASH_LEN);
	buf_init(&b, 0);
	json_array_foreach(names, i, v)
	{
		if (has || profile_open(json_string_value(v), &p, NULL) != 0)
			continue;
		buf_reset(&b);
		has = replica_read_raw(p, id, &b, NULL) == 0 && b.len > 0 &&
		    desk_export_write(dir, hex, "", &b) == 0;
		profile_free(p);
	}
	buf_clear(&b);
	json_decref(names);
	return (has);
}

/*
 * Writes what the tournament goes back to, under its number, and the games of
 * that as far as they are on this machine; *missing counts others.
 */
static int
desk_export_before(const struct desk *d, const char *dir, int *missing)
{
	char hex[2 * HASH_LEN + 1];
	struct verify_former_set set;
	uint8_t game[HASH_LEN];
	struct record_line ln;
	struct record_span s;
	const char *at, *end;
	struct buf b;
	size_t i;
	int status = 0;

	*missing = 0;
	if (verify_former_split(
		d->copy->before.data, d->copy->before.len, &set) != 0)
		return (EX_DATAERR);
	for (i = 0; status == 0 && i < set.n; i++) {
		at = set.records[i].bytes;
		end = at + set.records[i].len;
		hex[0] = '\0';
		while (record_next(&at, end, &s)) {
			if (hex[0] == '\0' &&
			    record_parse_tournament(
				s.bytes, s.len, &ln, NULL) == 0) {
				hex_format(hex, ln.game, HASH_LEN);
				record_clear(&ln);
			}
			if (desk_export_names(s.bytes, s.len, game))
				*missing += !desk_export_other(d, dir, game);
		}
		buf_init(&b, 0);
		buf_add(&b, set.records[i].bytes, set.records[i].len);
		status = desk_export_write(dir, hex, "", &b);
		buf_clear(&b);
	}
	return (status);
}

/*
 * All games are there: they take the places of those from before, and the
 * tournament that belongs to them.  In between the folder has none.
 */
static int
desk_export_place(struct desk_export *x)
{
	char *from, *to;
	struct errinfo e = {.text = ""};
	const char *hex;
	struct buf b;
	json_t *v;
	int r, status;

	status = desk_export_remove(x->dir, "tournament", "");
	json_object_foreach(x->new, hex, v)
	{
		if (!json_is_true(v)) {
			if (status == 0)
				status = desk_export_remove(x->dir, hex, "");
			continue;
		}
		from = desk_export_path(x->dir, hex, ".part");
		to = desk_export_path(x->dir, hex, "");
		if (status == 0 && rename(from, to) != 0) {
			r = err_set(&e, ERR_IO, NULL, "cannot write '%s': %s",
			    to, strerror(errno));
			status = desk_export_fail(r, &e);
		}
		free(from);
		free(to);
	}
	if (status != 0)
		return (status);
	buf_init(&b, 0);
	desk_copy_export(x->d->copy, &b);
	status = desk_export_write(x->dir, "tournament", "", &b);
	buf_clear(&b);
	return (status);
}

/* Others who write to a folder wait; where that cannot be, they do not. */
static int
desk_export_lock(const char *dir)
{
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return (fd);
	if (errno == EWOULDBLOCK) {
		out_note("Another export is writing to '%s'; this one waits "
			 "until it is done.",
		    dir);
		(void)flock(fd, LOCK_EX);
	}
	return (fd);
}

/*
 * Writes the games and then the tournament, again while lines of it have come
 * in the meantime, so that no game is ahead of it or behind.
 */
static int
desk_export_all(struct desk *d, const char *dir, int *n)
{
	struct desk_export x = {
	    .d = d, .dir = dir, .new = xalloc_json(json_object())};
	const int lock = desk_export_lock(dir);
	const char *hex;
	int64_t had;
	json_t *v;
	int i, status = 0;

	for (i = 0; status == 0 && i < DESK_EXPORT_TRIES; i++) {
		had = d->copy->n;
		status = desk_export_games(&x, n);
		if (status == 0 && d->link != NULL)
			status = desk_sync(d);
		if (d->copy->n == had)
			break;
	}
	if (status == 0)
		status = desk_export_place(&x);
	else
		out_note("No file of the folder was changed.");
	json_object_foreach(x.new, hex, v)
	{
		if (status != 0 || !json_is_true(v))
			(void)desk_export_remove(dir, hex, ".part");
	}
	json_decref(x.new);
	json_decref(x.needs);
	if (lock >= 0)
		(void)close(lock);
	return (status);
}

/* Exports it. */
static int
desk_export_run(struct cmd_ctx *cx)
{
	const char *dir = cmd_arg(cx, 1);
	struct errinfo e = {.text = ""};
	char *shell;
	struct desk *d;
	int missing = 0, n, r, status;

	if (file_exists(dir) && !file_is_folder(dir))
		return (cmd_usage(cx, "'%s' is a file: name a folder", dir));
	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_READ, &d)) != 0)
		return (status);
	if ((r = file_make_dirs(dir, &e)) != 0) {
		status = cmd_fail(r, &e);
	} else if ((status = desk_export_all(d, dir, &n)) == 0 &&
	    (status = desk_export_before(d, dir, &missing)) == 0) {
		shell = text_shell(dir);
		if (cx->out.is_json)
			out_json(&cx->out,
			    json_pack("{s:o, s:s, s:I, s:i}", "tournament",
				js_hex(d->copy->id, HASH_LEN), "folder", dir,
				"lines", (json_int_t)d->copy->n, "games", n));
		out_print(&cx->out,
		    "Wrote the tournament, %lld lines, and %d %s to %s.\n"
		    "Next: umpire verify %s\n",
		    (long long)d->copy->n, n, n == 1 ? "game" : "games", dir,
		    shell);
		if (missing > 0)
			out_note("%d %s of the tournament that it continues "
				 "%s not on this machine; until they lie in "
				 "the folder, too, results there are taken as "
				 "they stand, and umpire verify exits 2.",
			    missing, missing == 1 ? "game" : "games",
			    missing == 1 ? "is" : "are");
		free(shell);
	}
	desk_close(d);
	return (status);
}

const struct cmd desk_cmd_export = {
    .min_args = 2,
    .max_args = 2,
    .run = desk_export_run,
};
