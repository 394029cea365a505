/* SPDX-License-Identifier: ISC */
/*
 * umpire verify: whether records hold, without any server.  Exit 0 good, 1
 * bad, 2 not checkable here; of a file of evidence 0: it proves something.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/against.h"
#include "client/cmd/cmds.h"
#include "client/cmd/proof.h"
#include "client/cmd/tournament_folder.h"
#include "client/cmd/verdicts.h"
#include "client/play/play.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/recordfile.h"
#include "client/replica/replica.h"
#include "client/report/tournament_verdict.h"
#include "client/report/verdict.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define CMD_VERIFY_MAX ((size_t)1 << 30) /* bytes of the --known file */

/* What the command line asks for. */
struct cmd_verify {
	struct verdict_asked asked;
	uint8_t server[SIGN_KEY_LEN];
	uint8_t head[HASH_LEN];
	struct buf known; /* lines "account key" */
	json_t *opened; /* owned: array of {"seq","salt","text"}; NULL */
	struct verify_opened *texts; /* owned: the same, read */
};

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
	cv->asked.known = buf_str(&cv->known);
	return (0);
}

/* Takes over a line of the --opened file; false if it is none. */
static bool
cmd_verify_add_opened(struct cmd_verify *cv, const char *line, size_t len)
{
	static const char *const known[] = {"seq", "salt", "text", NULL};
	struct verify_opened *o = &cv->texts[cv->asked.opt.n_opened];
	json_t *v = NULL;

	if (js_load(line, len, JS_DEPTH_RECORD, &v, NULL) != 0)
		return (false);
	xalloc_append(cv->opened, v);
	if (js_members(v, NULL, known, NULL) != 0 ||
	    js_get_int(v, "seq", NULL, 0, JS_INT_MAX, &o->seq, NULL) != 0 ||
	    js_get_hex(v, "salt", NULL, o->salt, sizeof(o->salt), NULL) != 0 ||
	    js_get_str(v, "text", NULL, &o->text, NULL) != 0)
		return (false);
	cv->asked.opt.n_opened++;
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
	cv->asked.opt.opened = cv->texts;
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

	cv->asked.opt.head_seq = -1;
	cv->asked.opt.is_parallel = true;
	cv->asked.opt.no_rules = opt_has(&cx->opts, "no-rules");
	if ((s = opt_get(&cx->opts, "server")) != NULL) {
		if (hex_parse(cv->server, SIGN_KEY_LEN, s, strlen(s)) != 0)
			return (cmd_usage(
			    cx, "--server takes a key: 64 hex digits"));
		cv->asked.opt.server = cv->server;
	}
	if ((s = opt_get(&cx->opts, "head")) != NULL) {
		seq = xalloc_strn(s, strcspn(s, ":"));
		is_good =
		    opt_number(seq, 0, JS_INT_MAX, &cv->asked.opt.head_seq) &&
		    s[strlen(seq)] == ':' &&
		    hex_parse(cv->head, HASH_LEN, s + strlen(seq) + 1,
			strlen(s + strlen(seq) + 1)) == 0;
		free(seq);
		if (!is_good)
			return (cmd_usage(cx,
			    "--head takes SEQ:HASH, a number and 64 hex "
			    "digits"));
		cv->asked.opt.head = cv->head;
	}
	if ((s = opt_get(&cx->opts, "operator")) != NULL &&
	    !order_is_account(s))
		return (cmd_usage(cx, "--operator takes an account"));
	cv->asked.host = s;
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
	const bool is_folder = file_is_folder(word);
	size_t hits = 0;
	int r, status;
	char *shell;

	if (recordfile_is_file(word) && !is_folder)
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
	} else if (hits == 0 && is_folder) {
		shell = text_shell(word);
		out_error("there is no " TOURNAMENT_FOLDER_FILE
			  " in the folder '%s'",
		    word);
		out_note("`umpire tournament export CUP %s` writes it, and its "
			 "games.",
		    shell);
		free(shell);
		status = EX_NOINPUT;
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

/*
 * Judges a record, and says what is wrong with one that is bad.  *vd is to be
 * cleared after it, whatever it returns.
 */
static int
cmd_verify_judge(const struct cmd_verify *cv, const char *name,
    struct buf *bytes, struct verdict *vd)
{
	struct errinfo e = {.text = ""};
	char *s;
	int r;

	out_progress("verifying");
	r = verdict_make(vd, name, bytes, &cv->asked, &e);
	out_progress_end();
	if (r != 0)
		return (cmd_fail(r, &e));
	if (!vd->is_bad && vd->rep.stray_opened > 0) {
		out_error("line %lld is not a standing order that says what "
			  "the --opened file has for it",
		    (long long)cv->texts[vd->rep.stray_opened - 1].seq);
		return (EX_DATAERR);
	}
	if (vd->is_bad) {
		s = verdict_doubt(&vd->rep, &vd->why);
		out_error("%s: %s", name, s);
		free(s);
	}
	return (0);
}

/* Tells of a record, and how it differs from another. */
static int
cmd_verify_tell(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *name, struct buf *bytes)
{
	struct against a = {.name = name, .bytes = bytes};
	struct buf others;
	struct verdict vd = {.name = name};
	json_t *v = NULL;
	int status;

	a.other = opt_get(&cx->opts, "against");
	a.others = &others;
	buf_init(&others, 0);
	if (a.other != NULL &&
	    (status = cmd_verify_read(cx, a.other, &others)) != 0)
		goto out;
	status = cmd_verify_judge(cv, name, bytes, &vd);
	if (status != 0)
		goto out;
	status = verdict_status(&vd);
	if (cx->out.is_json)
		v = verdict_json(&vd);
	else if (!vd.is_bad)
		verdict_print(&cx->out, &vd);
	a.b = vd.has_overview ? vd.b : NULL;
	if (a.other != NULL && against_compare(&cx->out, &a, v) != EX_OK)
		status = RECORDFILE_BAD;
	if (v != NULL)
		out_json(&cx->out, v);
out:
	verdict_clear(&vd);
	buf_clear(&others);
	return (status);
}

/* Tells what a file of evidence proves. */
static int
cmd_verify_proof(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *name, struct buf *bytes)
{
	json_t *v = NULL;
	int status;

	if (opt_has(&cx->opts, "against") || opt_has(&cx->opts, "head") ||
	    opt_has(&cx->opts, "known") || opt_has(&cx->opts, "opened") ||
	    opt_has(&cx->opts, "operator") || cv->asked.opt.no_rules)
		return (cmd_usage(cx,
		    "evidence takes no other option but --server and --json"));
	status = proof_tell(&cx->out, name, bytes, cv->asked.opt.server, &v);
	if (cx->out.is_json && v != NULL)
		out_json(&cx->out, v);
	else
		json_decref(v);
	return (status);
}

/* A tournament and its games. */
static int
cmd_verify_tournament(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *path, struct buf *bytes)
{
	static const char *const others[] = {"against", "known", "opened",
	    "operator", "evidence", "no-rules", "event"};
	struct verify_tournament_options opt = {.server = cv->asked.opt.server,
	    .head_seq = cv->asked.opt.head_seq,
	    .head = cv->asked.opt.head,
	    .may_be_cut = tournament_folder_may_go_on(path, bytes),
	    .no_games = opt_has(&cx->opts, "no-games")};
	struct tournament_before before;
	const char *word;
	size_t i, next = 0;
	int status = 0;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (opt_has(&cx->opts, others[i]))
			return (cmd_usage(cx,
			    "a tournament takes no other options but --server, "
			    "--head, --before, --no-games and --json"));
	}
	tournament_folder_before_init(&before);
	while (status == 0 &&
	    (word = opt_next(&cx->opts, "before", &next)) != NULL)
		status = tournament_folder_before_add(&before, word);
	if (status == 0)
		status = tournament_folder_verify(
		    &cx->out, path, bytes, &before, &opt);
	tournament_folder_before_clear(&before);
	return (status);
}

/* One file, or the folder of a tournament. */
static int
cmd_verify_one(struct cmd_ctx *cx, const struct cmd_verify *cv)
{
	char *path = tournament_folder_path(cmd_arg(cx, 0));
	const char *word = path != NULL ? path : cmd_arg(cx, 0);
	const char *name = recordfile_name(word);
	struct buf bytes;
	int status;

	buf_init(&bytes, 0);
	if ((status = cmd_verify_read(cx, word, &bytes)) == 0) {
		if (record_is_tournament(buf_str(&bytes), bytes.len))
			status = cmd_verify_tournament(cx, cv, word, &bytes);
		else if (opt_has(&cx->opts, "no-games") ||
		    opt_has(&cx->opts, "before"))
			status = cmd_usage(cx,
			    "--no-games and --before are about a tournament");
		else if (opt_has(&cx->opts, "evidence") ||
		    evidence_is(buf_str(&bytes), bytes.len))
			status = cmd_verify_proof(cx, cv, name, &bytes);
		else
			status = cmd_verify_tell(cx, cv, name, &bytes);
	}
	buf_clear(&bytes);
	free(path);
	return (status);
}

/*
 * One of several is a tournament.  What is asked about people is asked of
 * games; without their rules its games are left out.
 */
static int
cmd_verify_row_tournament(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *path, struct buf *bytes, struct verdicts *t)
{
	struct verify_tournament_options opt = {.server = cv->asked.opt.server,
	    .head_seq = -1,
	    .may_be_cut = tournament_folder_may_go_on(path, bytes),
	    .no_games =
		cv->asked.opt.no_rules || opt_has(&cx->opts, "no-games")};
	struct tournament_before before;
	struct tournament_verdict tv;
	int status;

	tournament_folder_before_init(&before);
	status = tournament_folder_judge(path, bytes, &before, &opt, &tv);
	if (status == 0)
		verdicts_add_tournament(t, recordfile_name(path), &tv);
	tournament_verdict_clear(&tv);
	tournament_folder_before_clear(&before);
	return (status);
}

/* One of several files: its row. */
static void
cmd_verify_row(struct cmd_ctx *cx, const struct cmd_verify *cv,
    const char *word, struct verdicts *t)
{
	char *path = tournament_folder_path(word);
	const char *name = recordfile_name(path != NULL ? path : word);
	struct verdict vd = {.name = name};
	struct out quiet = {.is_json = true};
	struct buf bytes;
	json_t *v = NULL;
	int status;

	buf_init(&bytes, 0);
	if (path != NULL)
		word = path;
	if ((status = cmd_verify_read(cx, word, &bytes)) != 0) {
		verdicts_add_other(t, name, status, "not read", NULL);
	} else if (record_is_tournament(buf_str(&bytes), bytes.len)) {
		status = cmd_verify_row_tournament(cx, cv, word, &bytes, t);
		if (status != 0)
			verdicts_add_other(t, name, status, "not read", NULL);
	} else if (evidence_is(buf_str(&bytes), bytes.len)) {
		status =
		    proof_tell(&quiet, name, &bytes, cv->asked.opt.server, &v);
		verdicts_add_other(t, name, status,
		    v == NULL ? "not read" : js_str(v, "verdict"), v);
	} else if ((status = cmd_verify_judge(cv, name, &bytes, &vd)) != 0) {
		verdicts_add_other(t, name, status, "not read", NULL);
	} else {
		verdicts_add(t, &vd);
	}
	verdict_clear(&vd);
	buf_clear(&bytes);
	free(path);
}

/* Several files, or those of an event: a table. */
static int
cmd_verify_many(struct cmd_ctx *cx, const struct cmd_verify *cv)
{
	static const char *const single[] = {
	    "against", "head", "opened", "evidence", "before"};
	struct verdicts *t;
	int status, together = 0;
	size_t i;

	for (i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
		if (opt_has(&cx->opts, single[i]))
			return (cmd_usage(
			    cx, "--%s is about one record", single[i]));
	}
	t = verdicts_new();
	for (i = 0; cmd_arg(cx, (int)i) != NULL; i++)
		cmd_verify_row(cx, cv, cmd_arg(cx, (int)i), t);
	if (opt_has(&cx->opts, "event"))
		together = verdicts_event(t);
	verdicts_print(&cx->out, t);
	status = together != 0 ? together : verdicts_status(t);
	verdicts_free(t);
	return (status);
}

/* Reads the options, then judges what is named. */
static int
cmd_verify_run(struct cmd_ctx *cx)
{
	struct cmd_verify cv;
	int status;

	memset(&cv, 0, sizeof(cv));
	buf_init(&cv.known, 0);
	if ((status = cmd_verify_options(cx, &cv)) == 0)
		status = cmd_arg(cx, 1) == NULL && !opt_has(&cx->opts, "event")
		    ? cmd_verify_one(cx, &cv)
		    : cmd_verify_many(cx, &cv);
	json_decref(cv.opened);
	free(cv.texts);
	buf_clear(&cv.known);
	return (status);
}

static const struct opt_def cmd_verify_opts[] = {
    {"no-rules", 0, NULL, false, "do not run combats again; never exits 0"},
    {"no-games", 0, NULL, false, "of a tournament: leave its games out"},
    {"before", 0, "FILE", true, "of a tournament: the one that it continues"},
    {"known", 0, "FILE", false, "lines ACCOUNT KEY: tell who is on that list"},
    {"server", 0, "KEY", false, "the identity key that must have signed"},
    {"head", 0, "SEQ:HASH", false, "line SEQ must have this hash"},
    {"against", 0, "FILE2", false, "find the first line that differs"},
    {"opened", 0, "FILE", false, "what standing orders say, from their owner"},
    {"operator", 0, "ACCOUNT", false, "whose server it is: do they play?"},
    {"event", 0, NULL, false, "the records belong to one event"},
    {"evidence", 0, NULL, false, "FILE is evidence against a server"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_verify = {
    .opts = cmd_verify_opts,
    .min_args = 1,
    .max_args = -1,
    .run = cmd_verify_run,
};
