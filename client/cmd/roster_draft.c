/* SPDX-License-Identifier: ISC */
/* A draft is {"draft":"roster","system":ID,"answers":{...}}. */
#include "client/cmd/roster_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/roster_form.h"
#include "client/play/rosters_print.h"
#include "client/profile/file.h"
#include "client/report/rosters.h"
#include "client/ui/cmd.h"
#include "client/ui/term.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"

#define ROSTER_DRAFT_MAX 4000000 /* bytes */

/* What the questions are asked with. */
struct roster_draft {
	struct cmd_ctx *cx;
	const struct rules_system *sys;
	const char *path; /* of the file that is to be */
	int only; /* the side; 0: both */
	char *draft; /* owned: path of the draft */
	json_t *answers; /* owned */
	struct errinfo e; /* why it could not be saved */
	bool is_left; /* before the last answer */
};

/* The path of a file's draft; free(). */
static char *
roster_draft_path(const char *path)
{
	return (xalloc_printf("%s.draft", path));
}

/* roster_form: saves the answers. */
static int
roster_draft_save_cb(void *arg, const json_t *answers)
{
	struct roster_draft *d = arg;
	json_t *v;
	char *text;
	int r;

	v = xalloc_json(json_pack("{s:s, s:s, s:O}", "draft", "roster",
	    "system", d->sys->id, "answers", answers));
	text = xalloc_dump(v);
	json_decref(v);
	r = file_write(d->draft, text, strlen(text), 0644, &d->e);
	free(text);
	return (r);
}

/* roster_form: shows the rosters. */
static void
roster_draft_show_cb(void *arg, const json_t *blob)
{
	struct roster_draft *d = arg;

	out_print(&d->cx->out, "\n");
	/* What cannot be shown can be written still. */
	(void)roster_draft_show(d->cx, d->sys, blob);
}

int
roster_draft_show(
    struct cmd_ctx *cx, const struct rules_system *sys, const json_t *blob)
{
	struct errinfo e = {.text = ""};
	struct roster *roster;
	struct rosters *rs;
	int r;

	if ((r = roster_parse(sys, blob, &roster, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((rs = rosters_given(sys, roster_value(roster))) == NULL) {
		out_error("this umpire cannot show rosters of %s", sys->id);
		roster_free(roster);
		return (EX_UNAVAILABLE);
	}
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:O, s:o}", "system", sys->id,
			"sides", roster_value(roster), "strength",
			rosters_json(rs))));
	out_title(&cx->out, "Rosters of %s: %s", sys->id, sys->name);
	rosters_print(&cx->out, rs, -1, true);
	rosters_free(rs);
	roster_free(roster);
	return (EX_OK);
}

/* Takes the answers out of a draft. */
static int
roster_draft_take(struct roster_draft *d, const json_t *v)
{
	const char *what = js_str(v, "draft"), *id = js_str(v, "system");
	json_t *answers = json_object_get(v, "answers");
	char *word = text_shell(d->draft);
	int status = EX_DATAERR;
	size_t n;

	if (what == NULL || strcmp(what, "roster") != 0 || id == NULL ||
	    !json_is_object(answers)) {
		out_error("'%s' is not what `umpire roster new` leaves when it "
			  "is broken off",
		    d->draft);
		out_note("To begin anew: rm %s", word);
	} else if (strcmp(id, d->sys->id) != 0) {
		out_error("'%s' holds answers for the system %s", d->draft, id);
		out_note("Name another file, or, to begin anew: rm %s", word);
	} else {
		json_decref(d->answers);
		d->answers = json_incref(answers);
		n = json_object_size(answers);
		if (n > 0)
			out_print(&d->cx->out,
			    "Going on after the %zu answer%s in %s.\n", n,
			    n == 1 ? "" : "s", d->draft);
		status = 0;
	}
	free(word);
	return (status);
}

/* Reads the draft, if there is one. */
static int
roster_draft_read(struct roster_draft *d)
{
	struct errinfo e = {.text = ""};
	json_t *v = NULL;
	struct buf b;
	int r, status;

	if (!file_exists(d->draft))
		return (0);
	buf_init(&b, 0);
	if ((r = file_read_regular(d->draft, ROSTER_DRAFT_MAX, &b, &e)) != 0) {
		buf_clear(&b);
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	}
	r = js_load(buf_str(&b), b.len, JS_DEPTH_RECORD, &v, &e);
	buf_clear(&b);
	if (r == ERR_NOMEM)
		xalloc_die();
	status = roster_draft_take(d, v);
	json_decref(v);
	return (status);
}

/* Says that nothing was written, and how to go on. */
static void
roster_draft_tell(const struct roster_draft *d)
{
	char *word = text_shell(d->path);
	char *profile = cmd_profile_words(d->cx);

	out_error("nothing was written");
	if (json_object_size(d->answers) > 0)
		out_note("What you answered is kept in %s; to go on:\n"
			 "umpire%s roster new %s %s%s",
		    d->draft, profile, d->sys->id, word,
		    d->only == 0       ? ""
			: d->only == 1 ? " --side 1"
				       : " --side 2");
	free(profile);
	free(word);
}

/* Keeps others from answering for the same file; 0 or an exit status. */
static int
roster_draft_lock(const struct roster_draft *d, const char *path, int *fd)
{
	struct errinfo e = {.text = ""};
	int r = file_lock_now(path, fd, &e);

	if (r != ERR_BUSY)
		return (r == 0 ? 0 : cmd_fail(r, &e));
	out_error("'%s' is being made at another terminal", d->path);
	out_note("Go on with the questions there, or name another file.");
	return (EX_TEMPFAIL);
}

/* Asks for the rosters of d, going on after its draft. */
static int
roster_draft_run(struct roster_draft *d, const struct ask_io *io, json_t **blob)
{
	struct roster_form form = {.sys = d->sys,
	    .only = d->only,
	    .io = io,
	    .save = roster_draft_save_cb,
	    .show = roster_draft_show_cb,
	    .arg = d};
	int r, status;

	if ((status = roster_draft_read(d)) != 0)
		return (status);
	form.answers = d->answers;
	if ((r = roster_form_ask(&form, blob)) == 0)
		return (0);
	if (r != ASK_BACK && r != ERR_CLOSED)
		return (cmd_fail(r, &d->e));
	d->is_left = true;
	return (EX_USAGE);
}

int
roster_draft_ask(struct cmd_ctx *cx, const struct rules_system *sys,
    const char *path, int only, json_t **blob)
{
	struct roster_draft d = {
	    .cx = cx, .sys = sys, .path = path, .only = only};
	char *lock = xalloc_printf("%s.draft.lock", path);
	struct term *t = NULL;
	struct ask_io io;
	int fd, status;

	d.draft = roster_draft_path(path);
	d.answers = xalloc_json(json_object());
	status = term_begin(cx,
	    "rosters are asked for at a terminal; a file can be made of a "
	    "table by `umpire roster import`",
	    &t, &io);
	if (status == 0 && (status = roster_draft_lock(&d, lock, &fd)) == 0) {
		status = roster_draft_run(&d, &io, blob);
		(void)unlink(lock); /* it would only take room */
		(void)close(fd); /* gives up the lock */
	}
	term_close(t);
	if (d.is_left)
		roster_draft_tell(&d);
	json_decref(d.answers);
	free(d.draft);
	free(lock);
	return (status);
}

int
roster_draft_remove(const char *path)
{
	char *draft = roster_draft_path(path);
	struct errinfo e = {.text = ""};
	int r = file_remove(draft, &e);

	free(draft);
	return (r == 0 ? 0 : cmd_fail(r, &e));
}
