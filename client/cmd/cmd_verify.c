/* SPDX-License-Identifier: ISC */
/*
 * umpire verify: whether a record holds, without any server.  Exit 0 good, 1
 * bad, 2 not checkable here.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/play.h"
#include "client/play/status.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/recordfile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/stated.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define CMD_VERIFY_MAX ((size_t)1 << 30) /* bytes of the --known file */

/* What the command line asks for. */
struct cmd_verify {
	struct verify_options opt;
	uint8_t server[SIGN_KEY_LEN];
	uint8_t head[HASH_LEN];
	struct buf known; /* lines "account key" */
	struct buf bytes; /* the record */
	const char *name; /* of the record, for people */
	json_t *opened; /* owned: array of {"seq","salt","text"}; NULL */
	struct verify_opened *texts; /* owned: the same, read */
};

/* verify_options: looks an account's key up in the --known file. */
static bool
cmd_verify_known_cb(
    void *arg, const char *account, const uint8_t key[SIGN_KEY_LEN])
{
	struct cmd_verify *cv = arg;
	char *line, hex[2 * SIGN_KEY_LEN + 1];
	const char *p = buf_str(&cv->known), *hit;
	bool is_known = false;

	hex_format(hex, key, SIGN_KEY_LEN);
	line = xalloc_printf("%s %s", account, hex);
	for (; !is_known && (hit = strstr(p, line)) != NULL; p = hit + 1)
		is_known = (hit == cv->known.data || hit[-1] == '\n') &&
		    (hit[strlen(line)] == '\n' || hit[strlen(line)] == '\0');
	free(line);
	return (is_known);
}

/* Reads and checks the --known file: lines "account key", # comments. */
static int
cmd_verify_read_known(struct cmd_verify *cv, const char *path)
{
	struct errinfo e = {.text = ""};
	uint8_t key[SIGN_KEY_LEN];
	const char *p;
	size_t len, n;
	char *account;
	bool is_good;
	int line, r;

	if ((r = file_read(path, CMD_VERIFY_MAX, &cv->known, &e)) != 0)
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	p = buf_str(&cv->known);
	for (line = 1; *p != '\0'; line++) {
		len = strcspn(p, "\n");
		n = strcspn(p, " \n");
		account = xalloc_strn(p, n);
		is_good = len == 0 || *p == '#' ||
		    (len == n + 1 + 2 * SIGN_KEY_LEN &&
			order_is_account(account) &&
			hex_parse(key, SIGN_KEY_LEN, p + n + 1,
			    2 * SIGN_KEY_LEN) == 0);
		free(account);
		if (!is_good) {
			out_error(
			    "'%s' line %d is not \"ACCOUNT KEY\"", path, line);
			return (EX_DATAERR);
		}
		p += len + (p[len] == '\n' ? 1 : 0);
	}
	cv->opt.is_known = cmd_verify_known_cb;
	cv->opt.arg = cv;
	return (0);
}

/* Takes over a line of the --opened file; false if it is none. */
static bool
cmd_verify_add_opened(struct cmd_verify *cv, const char *line, size_t len)
{
	static const char *const known[] = {"seq", "salt", "text", NULL};
	struct verify_opened *o = &cv->texts[cv->opt.n_opened];
	json_t *v = NULL;

	if (js_load(line, len, JS_DEPTH_RECORD, &v, NULL) != 0)
		return (false);
	xalloc_append(cv->opened, v);
	if (js_members(v, NULL, known, NULL) != 0 ||
	    js_get_int(v, "seq", NULL, 0, JS_INT_MAX, &o->seq, NULL) != 0 ||
	    js_get_hex(v, "salt", NULL, o->salt, sizeof(o->salt), NULL) != 0 ||
	    js_get_str(v, "text", NULL, &o->text, NULL) != 0)
		return (false);
	cv->opt.n_opened++;
	return (true);
}

/* Reads the --opened file: texts of standing orders, one a line. */
static int
cmd_verify_read_opened(struct cmd_verify *cv, const char *path)
{
	struct errinfo e = {.text = ""};
	const char *p;
	struct buf b;
	int line, r, status = 0;
	size_t len;

	buf_init(&b, 0);
	if ((r = file_read(path, CMD_VERIFY_MAX, &b, &e)) != 0) {
		buf_clear(&b);
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	}
	cv->opened = xalloc_json(json_array());
	/* Each line has the digits of a salt. */
	cv->texts = xalloc((b.len / (2 * HASH_LEN) + 1) * sizeof(*cv->texts));
	cv->opt.opened = cv->texts;
	p = buf_str(&b);
	for (line = 1; status == 0 && *p != '\0'; line++) {
		len = strcspn(p, "\n");
		if (len > 0 && !cmd_verify_add_opened(cv, p, len)) {
			out_error("'%s' line %d is not "
				  "{\"seq\":...,\"salt\":...,\"text\":...}",
			    path, line);
			out_note("`umpire standing GAME --texts` writes such "
				 "a file.");
			status = EX_DATAERR;
		}
		p += len + (p[len] == '\n' ? 1 : 0);
	}
	buf_clear(&b);
	return (status);
}

/* Reads the options. */
static int
cmd_verify_options(struct cmd_ctx *cx, struct cmd_verify *cv)
{
	const char *s;
	char *seq;
	bool is_good;
	int status;

	cv->opt.head_seq = -1;
	cv->opt.is_parallel = true;
	cv->opt.no_rules = opt_has(&cx->opts, "no-rules");
	if ((s = opt_get(&cx->opts, "server")) != NULL) {
		if (hex_parse(cv->server, SIGN_KEY_LEN, s, strlen(s)) != 0)
			return (cmd_usage(
			    cx, "--server takes a key: 64 hex digits"));
		cv->opt.server = cv->server;
	}
	if ((s = opt_get(&cx->opts, "head")) != NULL) {
		seq = xalloc_strn(s, strcspn(s, ":"));
		is_good = opt_number(seq, 0, JS_INT_MAX, &cv->opt.head_seq) &&
		    s[strlen(seq)] == ':' &&
		    hex_parse(cv->head, HASH_LEN, s + strlen(seq) + 1,
			strlen(s + strlen(seq) + 1)) == 0;
		free(seq);
		if (!is_good)
			return (cmd_usage(cx,
			    "--head takes SEQ:HASH, a number and 64 hex "
			    "digits"));
		cv->opt.head = cv->head;
	}
	if ((s = opt_get(&cx->opts, "opened")) != NULL &&
	    (status = cmd_verify_read_opened(cv, s)) != 0)
		return (status);
	if ((s = opt_get(&cx->opts, "known")) != NULL)
		return (cmd_verify_read_known(cv, s));
	return (0);
}

/* Reads the record: a file, or our own copy of a game. */
static int
cmd_verify_read(struct cmd_ctx *cx, const char *word, struct buf *bytes)
{
	struct errinfo e = {.text = ""};
	uint8_t id[HASH_LEN];
	struct profile *p;
	size_t hits = 0;
	int r, status;

	if (recordfile_is_file(word))
		return (recordfile_read(word, bytes));
	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if (profile_find_nick(p, word, id)) {
		hits = 1;
	} else if (strlen(word) >= 4 &&
	    profile_find_digits(p, word, id, &hits, &e) != 0) {
		hits = 0; /* where none can be listed there is none */
	}
	if (hits == 1) {
		r = replica_read_raw(p, id, bytes, &e);
		status = r == 0 ? 0 : cmd_fail(r, &e);
	} else {
		out_error(hits == 0 ? "'%s' is neither a file nor a game that "
				      "you have a copy of"
				    : "more than one of your games begins "
				      "with '%s': type more digits",
		    word);
		if (hits == 0)
			out_note("`umpire export GAME -o FILE` gets a record "
				 "from the server.");
		status = EX_NOINPUT;
	}
	profile_free(p);
	return (status);
}

/* How many combats of a copy were taken back; without one, none. */
static int64_t
cmd_verify_undone(const struct replica *c)
{
	const struct game_entry *en;
	int64_t i, n = 0;

	for (i = 0; c != NULL && i < c->n; i++) {
		en = battle_entry(replica_battle(c), i);
		n += en->kind == ORDER_DECLARE && en->taken_back >= 0;
	}
	return (n);
}

/* The lines that say that others were lost, as JSON; new. */
static json_t *
cmd_verify_restored(const struct verify_report *rep, const struct game *g)
{
	json_t *waits = xalloc_json(json_array());
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (game_asks_accept(g, i))
			xalloc_append(
			    waits, xalloc_json_str(game_account(g, i)));
	}
	return (xalloc_json(json_pack("{s:i, s:I, s:b, s:o}", "times",
	    rep->restored, "line", (json_int_t)rep->restored_seq, "accepted",
	    rep->is_restored_accepted, "waits_for", waits)));
}

/* The same for people. */
static void
cmd_verify_tell_restored(
    struct out *o, const struct verify_report *rep, const struct game *g)
{
	char *who = stated_unaccepted(g, NULL), *s;

	s = xalloc_printf("lines were lost from %lld on%s; %s%s",
	    (long long)rep->restored_seq,
	    rep->restored > 1 ? ", and before that, too" : "",
	    rep->is_restored_accepted ? "all players have accepted that"
		: who == NULL         ? "not all players accepted that"
				      : "not yet accepted by ",
	    rep->is_restored_accepted || who == NULL ? "" : who);
	out_row(o, "lost", s);
	free(who);
	free(s);
}

/* The report as JSON; new. */
static json_t *
cmd_verify_json(const struct verify_report *rep, const struct game *g,
    int64_t undone, int r, const struct errinfo *e)
{
	char mark[FINGERPRINT_LEN + 1];
	json_t *v;

	v = xalloc_json(
	    json_pack("{s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:o}", "verdict",
		r != 0                  ? "bad"
		    : rep->is_unchecked ? "unchecked"
					: "good",
		"finished", rep->is_finished, "lines", (json_int_t)rep->lines,
		"combats", (json_int_t)rep->combats, "combats_taken_back",
		(json_int_t)undone, "rolls", (json_int_t)rep->rolls,
		"director_answers", (json_int_t)rep->director_answers, "head",
		rep->lines == 0 ? json_null() : js_hex(rep->head, HASH_LEN)));
	if (rep->lines > 0) {
		base32_fingerprint(mark, rep->head);
		xalloc_set(v, "fingerprint", xalloc_json_str(mark));
	}
	if (g != NULL) {
		xalloc_set(v, "game", js_hex(game_id(g), HASH_LEN));
		xalloc_set(v, "server", js_hex(game_server(g), SIGN_KEY_LEN));
		xalloc_set(v, "keys", status_keys_json(g));
		xalloc_set(v, "scheme",
		    json_string(
			game_settings(g)->is_live ? "live-1" : "dual-1"));
		if (rep->restored > 0)
			xalloc_set(v, "restored", cmd_verify_restored(rep, g));
		if (game_settings(g)->confirms_facts)
			xalloc_set(
			    v, "objections", xalloc_json(game_objections(g)));
	}
	if (r != 0) {
		xalloc_set(v, "line", json_integer(rep->file_line));
		xalloc_set(v, "where", xalloc_json_str(e->where));
		xalloc_set(v, "why", xalloc_json_str(e->text));
	} else if (rep->is_unchecked) {
		xalloc_set(v, "line", json_integer(rep->unchecked_line));
		xalloc_set(v, "why", xalloc_json_str(rep->unchecked.text));
	}
	return (v);
}

/* Prints a good or unchecked record for people. */
static void
cmd_verify_text(struct out *o, const char *name,
    const struct verify_report *rep, const struct game *g, int64_t undone)
{
	char hex[2 * HASH_LEN + 1], mark[FINGERPRINT_LEN + 1], *objected;

	if (rep->is_unchecked)
		out_title(o, "%s: not checkable here, %s", name,
		    rep->is_finished ? "finished" : "unfinished");
	else
		out_title(o, "%s: good, %s", name,
		    rep->is_finished ? "finished" : "unfinished");
	if (rep->is_unchecked) {
		out_print(o, "  why      ");
		if (rep->unchecked_line > 0)
			out_print(
			    o, "line %lld: ", (long long)rep->unchecked_line);
		out_print(o, "%s\n", rep->unchecked.text);
		out_print(o,
		    "           the chain, the marks and all that "
		    "could be checked hold\n");
		if (strstr(rep->unchecked.text, "not at hand") != NULL)
			out_print(o,
			    "           rosters, tables and bags lie beside "
			    "the "
			    "lines: of a copy of\n"
			    "           yours `umpire verify GAME` finds them, "
			    "and `umpire export`\n"
			    "           writes them into the file\n");
	}
	if (g != NULL) {
		hex_format(hex, game_id(g), HASH_LEN);
		out_print(o, "  game     %s\n", hex);
		hex_format(hex, game_server(g), SIGN_KEY_LEN);
		base32_fingerprint(mark, game_server(g));
		out_print(o, "  server   %s\n  in short %s\n", hex, mark);
	}
	hex_format(hex, rep->head, HASH_LEN);
	base32_fingerprint(mark, rep->head);
	out_print(o, "  head     %lld:%s\n  in short %lld:%s\n",
	    (long long)rep->lines - 1, hex, (long long)rep->lines - 1, mark);
	out_print(o, "  lines    %lld\n", (long long)rep->lines);
	out_print(o, "  combats  %lld %s", (long long)rep->combats,
	    rep->is_unchecked ? "in the record" : "run again");
	if (undone > 0)
		out_print(o, ", %lld taken back", (long long)undone);
	out_print(o, "\n");
	out_print(o, "  dice     %lld checked%s%s\n", (long long)rep->rolls,
	    g == NULL ? "" : ", ",
	    g == NULL ? "" : describe_hands(game_settings(g)->is_live));
	if (g != NULL && rep->restored > 0)
		cmd_verify_tell_restored(o, rep, g);
	if (g != NULL && (objected = stated_objections(g)) != NULL) {
		out_row(o, "objected", objected);
		free(objected);
	}
	if (rep->director_answers > 0)
		out_print(o,
		    "  director answered %lld %s in a silent player's place\n",
		    (long long)rep->director_answers,
		    rep->director_answers == 1 ? "time" : "times");
}

/*
 * The record line at offset *off: its bytes without LF, NULL after the last
 * one.  *off goes on to the next.
 */
static const char *
cmd_verify_line(const struct buf *b, size_t *off, size_t *len)
{
	const char *p, *lf;

	if (*off >= b->len)
		return (NULL);
	p = b->data + *off;
	lf = memchr(p, '\n', b->len - *off);
	*len = lf == NULL ? b->len - *off : (size_t)(lf - p);
	*off += *len + 1;
	return (record_is_side(p, *len) ? NULL : p);
}

/* The server's key that a record's first line names. */
static bool
cmd_verify_server(const struct buf *b, uint8_t server[SIGN_KEY_LEN])
{
	struct record_line ln;
	struct errinfo e;
	struct order o;
	const char *line;
	bool is_found = false;
	size_t len, off = 0;

	line = cmd_verify_line(b, &off, &len);
	if (line == NULL || record_parse(line, len, &ln, &e) != 0)
		return (false);
	if (ln.text != NULL && order_parse(ln.text, ln.text_len, &o, &e) == 0) {
		memcpy(server, o.server, SIGN_KEY_LEN);
		is_found = true;
		order_clear(&o);
	}
	record_clear(&ln);
	return (is_found);
}

/* Two lines of one number, and what the server's mark says of each. */
struct cmd_verify_pair {
	const char *a; /* borrowed, not terminated; likewise b */
	size_t alen;
	const char *b;
	size_t blen;
	size_t i; /* from 0 */
	bool has_a;
	bool has_b;
	bool is_fork; /* both marked, of one game and number */
};

/* Finds out whether the server signed both lines. */
static void
cmd_verify_judge_pair(const struct cmd_verify *cv, struct cmd_verify_pair *p)
{
	uint8_t server[SIGN_KEY_LEN];
	struct record_line x, y;
	struct errinfo e;

	if (!cmd_verify_server(&cv->bytes, server))
		return;
	p->has_a = record_check_mark(p->a, p->alen, server) == 0;
	p->has_b = record_check_mark(p->b, p->blen, server) == 0;
	if (!p->has_a || !p->has_b || record_parse(p->a, p->alen, &x, &e) != 0)
		return;
	if (record_parse(p->b, p->blen, &y, &e) == 0) {
		p->is_fork =
		    x.seq == y.seq && memcmp(x.game, y.game, HASH_LEN) == 0;
		record_clear(&y);
	}
	record_clear(&x);
}

/* Tells how two lines differ; in JSON as members of v. */
static void
cmd_verify_differ(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *other, const struct cmd_verify_pair *p, json_t *v)
{
	if (cx->out.is_json) {
		xalloc_set(v, "differs", json_integer((json_int_t)p->i + 1));
		xalloc_set(v, "equivocation", json_boolean(p->is_fork));
		xalloc_set(v, "this", json_stringn(p->a, p->alen));
		xalloc_set(v, "against", json_stringn(p->b, p->blen));
	}
	if (p->is_fork)
		out_error("equivocation: the server signed two different "
			  "lines %zu of this game",
		    p->i);
	else if (p->has_a && p->has_b)
		out_error("line %zu differs, and both are signed: '%s' is from "
			  "another game",
		    p->i + 1, other);
	else
		out_error("the records differ from line %zu on, but the "
			  "server did not sign that of '%s'",
		    p->i + 1, p->has_a ? other : cv->name);
	out_print(
	    &cx->out, "%.*s\n%.*s\n", (int)p->alen, p->a, (int)p->blen, p->b);
}

/* Compares with another record: 0 if one continues the other. */
static int
cmd_verify_against(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *other, const struct buf *against, json_t *v)
{
	struct cmd_verify_pair p = {.i = 0};
	size_t aoff = 0, boff = 0;

	for (;; p.i++) {
		p.a = cmd_verify_line(&cv->bytes, &aoff, &p.alen);
		p.b = cmd_verify_line(against, &boff, &p.blen);
		if (p.a == NULL || p.b == NULL)
			break;
		if (p.alen != p.blen || memcmp(p.a, p.b, p.alen) != 0) {
			cmd_verify_judge_pair(cv, &p);
			cmd_verify_differ(cx, cv, other, &p, v);
			return (RECORDFILE_BAD);
		}
	}
	if (cx->out.is_json)
		xalloc_set(v, "differs", json_null());
	out_print(&cx->out, "  against  '%s': the same%s\n", other,
	    p.a == NULL && p.b == NULL ? " lines"
				       : ", as far as the shorter one goes");
	return (EX_OK);
}

/* Verifies what was read and says what came out; in JSON as *v, new. */
static int
cmd_verify_judge(struct cmd_ctx *cx, struct cmd_verify *cv, json_t **v)
{
	struct verify_report rep;
	struct errinfo e = {.text = ""};
	const struct game *g = NULL;
	struct verify *held = NULL;
	struct replica *c = NULL;
	int64_t undone;
	char *clocks;
	int r, made = 0;

	memset(&rep, 0, sizeof(rep));
	out_progress("verifying");
	r = verify_held(
	    buf_str(&cv->bytes), cv->bytes.len, &cv->opt, &rep, &held, &e);
	if (r == 0)
		made = replica_of(buf_str(&cv->bytes), cv->bytes.len, rep.lines,
		    held, &c, &e);
	out_progress_end();
	if (made != 0 || (r != 0 && r != ERR_BAD))
		return (cmd_fail(made != 0 ? made : r, &e));
	if (r == 0)
		held = NULL; /* the copy's */
	g = c != NULL ? replica_game(c) : verify_game(held);
	undone = cmd_verify_undone(c);
	if (r == 0 && rep.stray_opened > 0) {
		out_error("line %lld is not a standing order that says what "
			  "the --opened file has for it",
		    (long long)cv->texts[rep.stray_opened - 1].seq);
		replica_close(c);
		return (EX_DATAERR);
	}
	*v = cmd_verify_json(&rep, g, undone, r, &e);
	if (c != NULL)
		xalloc_set(*v, "clocks", stated_clocks_json(replica_battle(c)));
	if (r == 0 && !cx->out.is_json)
		cmd_verify_text(&cx->out, cv->name, &rep, g, undone);
	/* A game of a newer umpire is not known. */
	if (c != NULL && g != NULL && r == 0 && !cx->out.is_json)
		status_keys(&cx->out, replica_battle(c));
	if (c != NULL && (clocks = stated_clocks(replica_battle(c))) != NULL) {
		out_row(&cx->out, "clocks", clocks);
		free(clocks);
	}
	if (r != 0)
		out_error("%s: bad at line %lld: %s%s%s", cv->name,
		    (long long)rep.file_line, e.where,
		    e.where[0] == '\0' ? "" : ": ", e.text);
	verify_free(held);
	replica_close(c);
	if (r != 0)
		return (RECORDFILE_BAD);
	return (rep.is_unchecked ? CMD_UNCHECKED : EX_OK);
}

/* A text as JSON, null where there is none; new. */
static json_t *
cmd_verify_str(const char *s)
{
	return (s == NULL ? json_null() : xalloc_json_str(s));
}

/* What a file of evidence proves, for programs; new. */
static json_t *
cmd_verify_evidence_json(
    const struct evidence *ev, int r, const struct errinfo *e)
{
	const bool is_opened = r == 0 && json_is_object(ev->opened);

	return (xalloc_json(json_pack(
	    "{s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:O?, s:o}", "verdict",
	    r != 0                 ? "nothing"
		: ev->is_unchecked ? "unchecked"
		: ev->is_two       ? "two-lines"
				   : "unlawful",
	    "server", js_hex(ev->server, SIGN_KEY_LEN), "game",
	    js_hex(ev->game, HASH_LEN), "seq", (json_int_t)ev->seq, "why",
	    xalloc_json_str(r != 0 ? e->text : ev->why.text), "line",
	    cmd_verify_str(ev->line), "arrived", cmd_verify_str(ev->arrived),
	    "held", cmd_verify_str(ev->is_two ? ev->held : NULL), "opened",
	    is_opened ? ev->opened : NULL, "held_arrived",
	    cmd_verify_str(ev->held_arrived))));
}

/* What it proves, for people. */
static void
cmd_verify_evidence_text(
    struct out *o, const struct cmd_verify *cv, const struct evidence *ev)
{
	const char *name = cv->name;
	char hex[2 * HASH_LEN + 1];

	if (ev->is_unchecked)
		out_title(o, "%s: not checkable here", name);
	else if (ev->is_two)
		out_title(o, "%s: the server signed two different lines %lld",
		    name, (long long)ev->seq);
	else
		out_title(o, "%s: the server signed an unlawful line %lld",
		    name, (long long)ev->seq);
	if (!ev->is_two)
		out_print(o, "  why      %s%s%s\n", ev->why.where,
		    ev->why.where[0] == '\0' ? "" : ": ", ev->why.text);
	if (json_is_object(ev->opened))
		out_print(o, "  order    %s\n", js_str(ev->opened, "text"));
	hex_format(hex, ev->server, SIGN_KEY_LEN);
	out_print(o, "  server   %s\n", hex);
	/* Anybody can make a key and sign what they like with it. */
	if (cv->opt.server == NULL)
		out_print(o,
		    "           whose key that is the file cannot prove: "
		    "compare "
		    "it with the one\n           that the operator published, "
		    "or add --server KEY\n");
	hex_format(hex, ev->game, HASH_LEN);
	out_print(o, "  game     %s\n", hex);
	out_print(o, "  arrived  %s%s%s\n",
	    ev->held_arrived == NULL ? "" : ev->held_arrived,
	    ev->held_arrived == NULL ? "" : " and ",
	    ev->arrived == NULL ? "at an unknown time" : ev->arrived);
	out_print(o,
	    "           the times are those of whoever wrote the file; all "
	    "else is signed\n");
	out_print(o, "%s%s%s\n", ev->is_two ? ev->held : "",
	    ev->is_two ? "\n" : "", ev->line);
}

/* Judges a file of evidence against a server. */
static int
cmd_verify_evidence(struct cmd_ctx *cx, struct cmd_verify *cv)
{
	struct errinfo e = {.text = ""};
	struct evidence ev;
	int r, status;

	if (opt_has(&cx->opts, "against") || opt_has(&cx->opts, "head") ||
	    opt_has(&cx->opts, "known") || opt_has(&cx->opts, "opened") ||
	    cv->opt.no_rules)
		return (cmd_usage(cx,
		    "--evidence takes no other option but --server and "
		    "--json"));
	r = evidence_judge(buf_str(&cv->bytes), cv->bytes.len, &ev, &e);
	if (r == 0 && cv->opt.server != NULL &&
	    memcmp(ev.server, cv->opt.server, SIGN_KEY_LEN) != 0)
		r = err_set(
		    &e, ERR_BAD, NULL, "it is about another server's key");
	if (r != 0 && r != ERR_BAD) {
		status = cmd_fail(r, &e);
	} else {
		status = r != 0       ? RECORDFILE_BAD
		    : ev.is_unchecked ? CMD_UNCHECKED
				      : EX_OK;
		if (cx->out.is_json)
			out_json(
			    &cx->out, cmd_verify_evidence_json(&ev, r, &e));
		if (r != 0)
			out_error("%s: proves nothing: %s", cv->name, e.text);
		else if (!cx->out.is_json)
			cmd_verify_evidence_text(&cx->out, cv, &ev);
	}
	evidence_clear(&ev);
	return (status);
}

/* Reads all that is needed, verifies, compares. */
static int
cmd_verify_run(struct cmd_ctx *cx)
{
	const char *other = opt_get(&cx->opts, "against");
	struct cmd_verify cv;
	struct buf against;
	json_t *v = NULL;
	int status;

	memset(&cv, 0, sizeof(cv));
	buf_init(&cv.known, 0);
	buf_init(&cv.bytes, 0);
	buf_init(&against, 0);
	cv.name = recordfile_name(cmd_arg(cx, 0));
	if ((status = cmd_verify_options(cx, &cv)) != 0 ||
	    (status = cmd_verify_read(cx, cmd_arg(cx, 0), &cv.bytes)) != 0)
		goto out;
	if (opt_has(&cx->opts, "evidence")) {
		status = cmd_verify_evidence(cx, &cv);
		goto out;
	}
	if (evidence_is(buf_str(&cv.bytes), cv.bytes.len)) {
		out_error("'%s' is not a record but evidence against a server",
		    cv.name);
		out_note("umpire verify --evidence %s", cv.name);
		status = EX_DATAERR;
		goto out;
	}
	if (other != NULL &&
	    (status = cmd_verify_read(cx, other, &against)) != 0)
		goto out;
	status = cmd_verify_judge(cx, &cv, &v);
	if (v != NULL && other != NULL &&
	    cmd_verify_against(cx, &cv, other, &against, v) != EX_OK)
		status = RECORDFILE_BAD;
	if (v != NULL && cx->out.is_json)
		out_json(&cx->out, v);
	else
		json_decref(v);
out:
	json_decref(cv.opened);
	free(cv.texts);
	buf_clear(&cv.known);
	buf_clear(&cv.bytes);
	buf_clear(&against);
	return (status);
}

static const struct opt_def cmd_verify_opts[] = {
    {"no-rules", 0, NULL, false, "do not run combats again; never exits 0"},
    {"known", 0, "FILE", false, "lines ACCOUNT KEY that players must have"},
    {"server", 0, "KEY", false, "the identity key that must have signed"},
    {"head", 0, "SEQ:HASH", false, "line SEQ must have this hash"},
    {"against", 0, "FILE2", false, "find the first line that differs"},
    {"opened", 0, "FILE", false, "what standing orders say, from their owner"},
    {"evidence", 0, NULL, false, "FILE is evidence against a server"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_verify = {
    .opts = cmd_verify_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_verify_run,
};
