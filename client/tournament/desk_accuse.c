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
#include "client/replica/evidence.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/verify_former.h"

int
desk_copy_prove(const struct desk_copy *c, char **path, struct errinfo *e)
{
	struct buf held;
	int r;

	buf_init(&held, 0);
	desk_copy_export(c, &held);
	buf_add(&held, c->before.data, c->before.len);
	if (buf_error(&held) != 0)
		xalloc_die();
	r = desk_prove(c->p, c->id, &c->fork, &held, path, e);
	buf_clear(&held);
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
	if (desk_copy_prove(c, &path, &e) != 0) {
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
		out_note("Anybody can check it:\n  umpire verify --evidence "
			 "FILE\nShow it to the others before you write to the "
			 "operator.");
	free(path);
	return (status);
}

/* Reads the head of a file; its line must be signed for the place it names. */
static int
desk_accuse_head(
    const char *bytes, size_t len, struct evidence *ev, struct errinfo *e)
{
	struct record_line ln;
	json_t *o = NULL;
	int r = ERR_NOTFOUND;

	if (js_load(bytes, len, JS_DEPTH_RPC, &o, NULL) == 0 &&
	    js_get_hex(o, "tournament", NULL, ev->game, HASH_LEN, NULL) == 0)
		r = evidence_get(o, "tournament", ev, e);
	json_decref(o);
	if (r != 0)
		return (r);
	/* One that is signed and no line at all has no better place. */
	if (record_parse_tournament(ev->line, strlen(ev->line), &ln, NULL) != 0)
		return (0);
	if (ln.seq != ev->seq || memcmp(ln.game, ev->game, HASH_LEN) != 0)
		r = err_set(
		    e, ERR_BAD, NULL, "the line is signed for another place");
	record_clear(&ln);
	return (r);
}

/* Verifies the record below the head, and judges the line beside it. */
static int
desk_accuse_record(struct verify_tournament *v, const char *at, const char *end,
    struct evidence *ev, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	struct record_span span;
	int64_t n = 0;
	int r = 0;

	while (r == 0 && record_next(&at, end, &span) &&
	    !record_is_side(span.bytes, span.len)) {
		r = verify_tournament_add(v, span.bytes, span.len, &why);
		if (r == 0 && n++ == ev->seq)
			ev->held = xalloc_strn(span.bytes, span.len);
	}
	if (r != 0)
		return (err_set(e, r, NULL,
		    "the record in it is bad at line %lld: %s", (long long)n,
		    why.text));
	if ((r = evidence_is_two(ev, n, e)) != 0 || ev->is_two)
		return (r);
	r = verify_tournament_add(v, ev->line, strlen(ev->line), &ev->why);
	if (r == 0)
		r = err_set(e, ERR_BAD, NULL, "the line is lawful");
	else if (r == ERR_BAD)
		r = 0;
	return (r);
}

/*
 * Verifies what the tournament goes back to, which lies behind its record: that
 * ends at *end.  A line 0 that continues what does not hold is unlawful by
 * that: *is_judged.
 */
static int
desk_accuse_before(struct verify_tournament *v,
    const struct verify_former_set *set, struct evidence *ev, bool *is_judged,
    const char **end, struct errinfo *e)
{
	const struct verify_tournament_options opt = {.no_games = true};
	struct verify_tournament_report rep;
	struct verify_former_record first = {0}, rec;
	struct errinfo why = {.text = ""};
	struct tournament *old;
	struct terms_continues c;
	struct buf line;
	int r = 0;

	buf_init(&line, 0);
	buf_printf(&line, "%s\n", ev->line);
	if (ev->seq == 0) {
		first.bytes = buf_str(&line);
		first.len = line.len;
	} else if (set->n > 0) {
		first = set->records[0];
	}
	if (verify_former_named(first.bytes, first.len, &c) != 0)
		goto out; /* it continues nothing */
	/* Nothing is held where the first line is what is wrong. */
	*end = set->n == 0 ? *end
	    : ev->seq == 0 ? set->records[0].bytes
	    : set->n > 1   ? set->records[1].bytes
			   : *end;
	if (verify_former_find(set, &c, &rec) != 0 ||
	    !verify_former_is(&rec, &c)) {
		r = err_set(e, ERR_BAD, NULL,
		    "the tournament that it continues is not in it");
		goto out;
	}
	r = verify_former(first.bytes, first.len, set, &opt, &old, &rep, &why);
	if (r == 0)
		verify_tournament_continue(v, old);
	*is_judged = r == ERR_BAD && ev->seq == 0;
	if (*is_judged) {
		ev->why = why;
		r = 0;
	} else if (r != 0) {
		(void)err_set(e, r, NULL, "%s", why.text);
	}
out:
	buf_clear(&line);
	return (r);
}

int
desk_accuse_judge(
    const char *bytes, size_t len, struct evidence *ev, struct errinfo *e)
{
	const char *rest = memchr(bytes, '\n', len), *end = bytes + len;
	struct verify_former_set set;
	struct verify_tournament *v;
	bool is_judged = false;
	int r;

	memset(ev, 0, sizeof(*ev));
	if (rest == NULL)
		return (ERR_NOTFOUND);
	if ((r = desk_accuse_head(bytes, (size_t)(rest - bytes), ev, e)) != 0 ||
	    (r = verify_tournament_new(ev->server, &v)) != 0)
		return (r);
	if (verify_former_split(rest + 1, (size_t)(end - rest) - 1, &set) != 0)
		r = err_set(e, ERR_BAD, NULL, "it goes back too far");
	else
		r = desk_accuse_before(v, &set, ev, &is_judged, &end, e);
	if (r == 0 && !is_judged)
		r = desk_accuse_record(v, rest + 1, end, ev, e);
	verify_tournament_free(v);
	return (r);
}
