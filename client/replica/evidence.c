/* SPDX-License-Identifier: ISC */
/*
 * A server is accused only by what it has signed, and only once that is safe
 * on the disk.  The file alone is enough to check it: no copy, no server.
 */
#include "client/replica/evidence.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define EVIDENCE_BEGIN "{\"evidence\":1,"
#define EVIDENCE_MAX ((size_t)1 << 30) /* bytes of a file */
#define EVIDENCE_FILES 1000 /* of one game, at most */

/* The path of the n-th file of a game, from 1 on; free(). */
static char *
evidence_path(const struct profile *p, const uint8_t id[HASH_LEN], int n)
{
	char *path, *suffix;

	suffix =
	    n == 1 ? xalloc_str(".evidence") : xalloc_printf(".evidence-%d", n);
	path = profile_game_path(p, id, suffix);
	free(suffix);
	return (path);
}

/* A time as the files have it, new; null if it is unknown. */
static json_t *
evidence_time(int64_t at_ms)
{
	char at[CLOCK_AT_LEN + 1];

	if (at_ms == 0)
		return (json_null());
	clock_format(at, at_ms);
	return (xalloc_json_str(at));
}

/* The text that a verifier found passed over; null if there is none; new. */
static json_t *
evidence_opened(const struct verify *v)
{
	struct verify_opened t;

	if (!verify_passed(v, &t))
		return (json_null());
	return (xalloc_json(
	    json_pack("{s:I, s:o, s:o}", "seq", (json_int_t)t.seq, "salt",
		js_hex(t.salt, HASH_LEN), "text", xalloc_json_str(t.text))));
}

/* The object at the head of a file; new. */
static json_t *
evidence_head(const struct replica *c)
{
	const struct replica_fork *f = &c->fork;
	const bool is_two = f->what == REPLICA_TWO_LINES;
	json_t *held = json_null();

	if (is_two)
		held = json_pack("{s:o, s:o}", "hash",
		    js_hex(f->here, HASH_LEN), "arrived",
		    evidence_time(replica_arrived_ms(c, f->seq)));
	return (xalloc_json(json_pack(
	    "{s:i, s:o, s:o, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
	    "evidence", 1, "server", js_hex(c->p->pin, SIGN_KEY_LEN), "game",
	    js_hex(c->id, HASH_LEN), "seq", (json_int_t)f->seq, "what",
	    f->is_restored ? "lost"
		: is_two   ? "two-lines"
			   : "unlawful",
	    "why", xalloc_json_str(f->why.text), "hash",
	    js_hex(f->there, HASH_LEN), "arrived", evidence_time(f->at_ms),
	    "held", held, "opened",
	    f->what == REPLICA_UNLAWFUL ? evidence_opened(c->v) : json_null(),
	    /* It came in a JSON string, so it is UTF-8. */
	    "line", json_stringn(f->line, f->len))));
}

/* Finds the file that has the line already, or the first free name; new. */
static char *
evidence_place(const struct replica *c, bool *has)
{
	uint8_t hash[HASH_LEN];
	struct errinfo e;
	json_t *o = NULL;
	struct buf b;
	char *path;
	int n;

	for (n = 1;; n++) {
		path = evidence_path(c->p, c->id, n);
		buf_init(&b, 0);
		*has = file_read(path, EVIDENCE_MAX, &b, &e) == 0 &&
		    js_load(buf_str(&b), strcspn(buf_str(&b), "\n"),
			JS_DEPTH_RPC, &o, NULL) == 0 &&
		    js_get_hex(o, "hash", NULL, hash, HASH_LEN, NULL) == 0 &&
		    memcmp(hash, c->fork.there, HASH_LEN) == 0;
		json_decref(o);
		o = NULL;
		buf_clear(&b);
		/* An error that all names have is reported for this one. */
		if (*has || !file_exists(path))
			return (path);
		free(path);
	}
}

int
evidence_keep(const struct replica *c, char **path, struct errinfo *e)
{
	char *games, *text;
	struct buf b;
	json_t *head;
	int fd = -1, r;
	bool has;

	*path = evidence_path(c->p, c->id, 1);
	games = profile_path(c->p, "games");
	r = file_make_dirs(games, e);
	free(games);
	if (r == 0 && c->lock == -1)
		r = profile_game_lock(c->p, c->id, &fd, e);
	if (r != 0)
		return (r);
	free(*path);
	*path = evidence_place(c, &has);
	if (!has) {
		head = evidence_head(c);
		text = xalloc_dump(head);
		json_decref(head);
		buf_init(&b, 0);
		buf_printf(&b, "%s\n", text);
		free(text);
		if ((r = replica_export(c, &b, e)) == 0)
			r = file_write(*path, buf_str(&b), b.len, 0600, e);
		buf_clear(&b);
	}
	if (fd != -1)
		(void)close(fd); /* it holds no bytes */
	return (r);
}

json_t *
evidence_list(const struct profile *p, const uint8_t id[HASH_LEN])
{
	json_t *list;
	char *path;
	int n;

	list = xalloc_json(json_array());
	for (n = 1; n <= EVIDENCE_FILES; n++) {
		path = evidence_path(p, id, n);
		if (file_exists(path))
			xalloc_append(list, xalloc_json_str(path));
		else
			n = EVIDENCE_FILES;
		free(path);
	}
	return (list);
}

/* One of the two lines, for people. */
static void
evidence_tell_line(
    const char *whose, int64_t seq, const uint8_t hash[HASH_LEN], int64_t at_ms)
{
	char hex[2 * HASH_LEN + 1], when[32];

	hex_format(hex, hash, HASH_LEN);
	out_note("line %lld, %s %s", (long long)seq, whose, hex);
	out_note("  arrived %s",
	    at_ms == 0 ? "at a time that was not kept" : out_time(when, at_ms));
}

/* Reports what the server has signed; the proof is on the disk as `path`. */
static void
evidence_tell_proof(const struct replica *c, const char *path)
{
	const struct replica_fork *f = &c->fork;
	struct verify_opened t;
	bool is_passed;

	is_passed = f->what == REPLICA_UNLAWFUL && verify_passed(c->v, &t);
	if (is_passed)
		out_error("the server passed over your standing order of line "
			  "%lld in line %lld; this file proves it:\n%s",
		    (long long)t.seq, (long long)f->seq, path);
	else if (f->what == REPLICA_TWO_LINES)
		out_error("the server signed two different lines %lld; this "
			  "file proves it:\n%s",
		    (long long)f->seq, path);
	else
		out_error("the server signed a line %lld that is not lawful; "
			  "this file proves it:\n%s",
		    (long long)f->seq, path);
	if (is_passed)
		out_note("The file says what that order is, which nobody else "
			 "knows yet.");
	else if (f->what == REPLICA_UNLAWFUL)
		out_note("%s%s%s", f->why.where,
		    f->why.where[0] == '\0' ? "" : ": ", f->why.text);
	if (f->has_here)
		evidence_tell_line(
		    "yours: ", f->seq, f->here, replica_arrived_ms(c, f->seq));
	evidence_tell_line("theirs:", f->seq, f->there, f->at_ms);
	out_note("Nothing was sent or taken over: your copy is as it was, and "
		 "--offline reads it.");
	out_note(
	    "Anybody can check the file:\n  umpire verify --evidence FILE\n"
	    "Show it to your opponents before you write to the operator.");
}

/* Reports a server that is of no use for this game, without accusing it. */
static void
evidence_tell_doubt(const struct replica *c)
{
	const struct replica_fork *f = &c->fork;
	char *path;

	if (f->what == REPLICA_BEHIND)
		out_error("the server has fewer lines than your copy: its last "
			  "is line %lld,\nyours line %lld",
		    (long long)f->seq, (long long)c->n - 1);
	else if (f->what == REPLICA_GONE)
		out_error("the server does not know this game, of which your "
			  "copy has %lld lines",
		    (long long)c->n);
	else
		out_error("the server's answer about line %lld makes no sense: "
			  "%s",
		    (long long)f->seq, f->why.text);
	if (f->what == REPLICA_BEHIND || f->what == REPLICA_GONE)
		out_note("It may have been restored from a backup.  That "
			 "contradicts nothing that it\nsigned, so nobody is "
			 "accused.  Tell the operator, and keep your copy: it "
			 "has\nthe lines that are missing.");
	else
		out_note("That is not signed, so it proves nothing: something "
			 "is wrong with the server,\nor on the way to it.  "
			 "Tell the operator.");
	out_note("Nothing was sent or taken over.");
	if (!c->is_kept)
		return;
	path = profile_game_path(c->p, c->id, ".jsonl");
	out_note("Your copy is as it was; read it with --offline:\n%s", path);
	free(path);
}

int
evidence_tell(const struct replica *c)
{
	struct errinfo e = {.text = ""};
	char *path;

	if (!replica_is_proof(&c->fork)) {
		evidence_tell_doubt(c);
		return (EX_UNAVAILABLE);
	}
	if (evidence_keep(c, &path, &e) != 0) {
		out_error("the server's line %lld does not fit your copy; what "
			  "that means is told only\nonce it is kept in a file, "
			  "and this one cannot be written:\n%s\n%s",
		    (long long)c->fork.seq, path, e.text);
		out_note(
		    "Nothing was sent or taken over.  Make room for the file, "
		    "or allow it to be\nwritten, and type the same again.");
		free(path);
		return (EX_IOERR);
	}
	evidence_tell_proof(c, path);
	free(path);
	return (EX_PROTOCOL);
}

bool
evidence_is(const char *bytes, size_t len)
{
	const size_t n = sizeof(EVIDENCE_BEGIN) - 1;

	return (len >= n && memcmp(bytes, EVIDENCE_BEGIN, n) == 0);
}

/* A time of the head, new; NULL if it is not known. */
static char *
evidence_get_time(const json_t *o)
{
	const char *s = js_str(o, "arrived");
	int64_t ms;

	if (s == NULL || clock_parse(s, strlen(s), &ms) != 0)
		return (NULL);
	return (xalloc_str(s));
}

/* Gives the verifier the text of the head, if there is one. */
static int
evidence_add_opened(struct verify *v, const json_t *opened, struct errinfo *e)
{
	struct js_at at = {.name = "opened"};
	struct verify_opened t;

	if (js_get_int(opened, "seq", &at, 0, JS_INT_MAX, &t.seq, e) != 0 ||
	    js_get_hex(opened, "salt", &at, t.salt, HASH_LEN, e) != 0 ||
	    js_get_str(opened, "text", &at, &t.text, e) != 0)
		return (ERR_BAD);
	return (verify_add_opened(v, &t));
}

int
evidence_get(
    const json_t *o, const char *of, struct evidence *ev, struct errinfo *e)
{
	struct js_at at = {.name = "evidence"};
	const char *line;

	if (js_get_hex(o, "server", &at, ev->server, SIGN_KEY_LEN, e) != 0 ||
	    js_get_hex(o, of, &at, ev->game, HASH_LEN, e) != 0 ||
	    js_get_int(o, "seq", &at, 0, JS_INT_MAX, &ev->seq, e) != 0 ||
	    js_get_str(o, "line", &at, &line, e) != 0)
		return (ERR_BAD);
	ev->line = xalloc_str(line);
	ev->arrived = evidence_get_time(o);
	ev->held_arrived = evidence_get_time(json_object_get(o, "held"));
	if (record_check_mark(ev->line, strlen(ev->line), ev->server) != 0)
		return (err_set(e, ERR_BAD, NULL,
		    "the line is not signed by the server's identity key"));
	return (0);
}

/*
 * Reads the head of a file; its line must be signed by the server, for the
 * place that the head names.
 */
static int
evidence_read_head(
    const char *bytes, size_t len, struct evidence *ev, struct errinfo *e)
{
	uint8_t game[HASH_LEN];
	int64_t seq;
	json_t *o;
	int r;

	if ((r = js_load(bytes, len, JS_DEPTH_RPC, &o, e)) != 0)
		return (r == ERR_NOMEM ? r : ERR_BAD);
	r = evidence_get(o, "game", ev, e);
	if (r == 0 && json_is_object(json_object_get(o, "opened")))
		ev->opened = xalloc_copy(json_object_get(o, "opened"));
	json_decref(o);
	if (r != 0)
		return (r);
	if (replica_line_place(ev->line, strlen(ev->line), game, &seq) &&
	    (seq != ev->seq || memcmp(game, ev->game, HASH_LEN) != 0))
		return (err_set(
		    e, ERR_BAD, NULL, "the line is signed for another place"));
	return (0);
}

/*
 * Verifies the record below the head, and keeps its line number ev->seq;
 * *lines is how many there are.
 */
static int
evidence_check_record(struct verify *v, const char *p, struct evidence *ev,
    int64_t *lines, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const char *next;
	int64_t n = 0;
	size_t len;
	int r;

	for (; *p != '\0'; p = next, n++) {
		len = strcspn(p, "\n");
		next = p + len + (p[len] == '\n' ? 1 : 0);
		if (record_is_side(p, len))
			break;
		verify_peek(v, next, strcspn(next, "\n"));
		r = verify_line(v, p, len, &why);
		if (r == ERR_BAD)
			return (err_set(e, r, NULL,
			    "the record in it is bad at line %lld: %s",
			    (long long)n, why.text));
		if (r != 0)
			return (r);
		if (n == ev->seq)
			ev->held = xalloc_strn(p, len);
	}
	*lines = n;
	return (0);
}

int
evidence_is_two(struct evidence *ev, int64_t lines, struct errinfo *e)
{
	if (ev->seq > lines)
		return (err_set(
		    e, ERR_BAD, NULL, "the record in it ends before the line"));
	ev->is_two = ev->seq < lines;
	if (ev->is_two && strcmp(ev->line, ev->held) == 0)
		return (err_set(e, ERR_BAD, NULL,
		    "the record in it has the very same line"));
	return (0);
}

/* Judges the line beside the record that was verified. */
static int
evidence_compare(
    struct verify *v, struct evidence *ev, int64_t lines, struct errinfo *e)
{
	int r;

	/* A text that proves nothing may be made up, so it is not repeated. */
	json_decref(ev->opened);
	ev->opened = NULL;
	if ((r = evidence_is_two(ev, lines, e)) != 0 || ev->is_two)
		return (r);
	r = verify_line(v, ev->line, strlen(ev->line), &ev->why);
	if (r == ERR_BAD) {
		ev->opened = evidence_opened(v);
		return (0);
	}
	if (r != 0)
		return (r);
	if (!verify_report(v)->is_unchecked)
		return (err_set(e, ERR_BAD, NULL, "the line is lawful"));
	ev->is_unchecked = true;
	ev->why = verify_report(v)->unchecked;
	return (0);
}

int
evidence_judge(
    const char *bytes, size_t len, struct evidence *ev, struct errinfo *e)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify *v = NULL;
	const char *rest;
	int64_t lines = 0;
	char *copy;
	int r;

	memset(ev, 0, sizeof(*ev));
	copy = xalloc_strn(bytes, len);
	rest = copy + strcspn(copy, "\n");
	if (strlen(copy) != len || *rest == '\0') {
		free(copy);
		return (err_set(e, ERR_BAD, NULL, "it is cut short"));
	}
	rest++;
	opt.server = ev->server;
	if ((r = evidence_read_head(copy, (size_t)(rest - copy) - 1, ev, e)) ==
		0 &&
	    (r = verify_new(&opt, &v)) == 0 &&
	    (ev->opened == NULL ||
		(r = evidence_add_opened(v, ev->opened, e)) == 0) &&
	    (r = verify_add_blobs(v, rest, strlen(rest))) == 0 &&
	    (r = evidence_check_record(v, rest, ev, &lines, e)) == 0)
		r = evidence_compare(v, ev, lines, e);
	verify_free(v);
	free(copy);
	return (r);
}

void
evidence_clear(struct evidence *ev)
{
	json_decref(ev->opened);
	free(ev->line);
	free(ev->held);
	free(ev->arrived);
	free(ev->held_arrived);
	memset(ev, 0, sizeof(*ev));
}
