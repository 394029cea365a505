/* SPDX-License-Identifier: ISC */
/*
 * Files of rosters.  What is wrong with one is the rules' to say; where in the
 * text that is, is found here.
 */
#include "client/cmd/rosterfile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/library.h"
#include "client/profile/file.h"
#include "client/ui/cmd.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

const char *
rosterfile_name(const char *path)
{
	return (strcmp(path, "-") == 0 ? "standard input" : path);
}

/* Keeps a fault; schema_faults. */
static void
rosterfile_tell_cb(void *arg, const struct errinfo *e, bool is_name)
{
	struct rosterfile *rf = arg;
	struct rosterfile_fault *fault;

	if (rf->all++ >= ROSTERFILE_FAULTS_MAX)
		return;
	rf->faults = xalloc_more(rf->faults, rf->n, sizeof(*rf->faults));
	fault = &rf->faults[rf->n++];
	fault->e = *e;
	js_place_find(
	    buf_str(&rf->text), rf->text.len, e, is_name, &fault->place);
}

/* Orders faults as they stand in the text, for qsort(). */
static int
rosterfile_compare_cb(const void *a, const void *b)
{
	const struct rosterfile_fault *x = a, *y = b;

	if (x->place.line != y->place.line)
		return (x->place.line < y->place.line ? -1 : 1);
	if (x->place.column != y->place.column)
		return (x->place.column < y->place.column ? -1 : 1);
	return (strcmp(x->e.where, y->e.where));
}

/* Finds the system that the file is for, or keeps why there is none. */
static void
rosterfile_system(struct rosterfile *rf)
{
	struct errinfo e = {.text = ""};
	const char *id = NULL;

	if (js_get_str(rf->blob, "system", NULL, &id, &e) == 0 &&
	    (rf->sys = systems_find(id)) == NULL)
		(void)err_set(&e, ERR_INVALID, "system",
		    "\"%s\" is not a rule system: `umpire rules` lists them",
		    id);
	if (rf->sys == NULL)
		rosterfile_tell_cb(rf, &e, false);
}

/*
 * True for a text that is no JSON but may be a table: the file is called one,
 * or its first line has what separates columns, and a heading of those that
 * every table has.
 */
static bool
rosterfile_is_table(const char *path, struct buf *b)
{
	const char *s = buf_str(b);
	size_t len = strlen(path);
	char *line;
	bool is_it;

	if (strncmp(s, "\xef\xbb\xbf", 3) == 0)
		s += 3;
	if (strncasecmp(s, "sep=", 4) == 0)
		return (true);
	line = xalloc_strn(s, strcspn(s, "\r\n"));
	is_it = line[strspn(line, " \t")] != '{' &&
	    ((len > 4 && strcasecmp(path + len - 4, ".csv") == 0) ||
		(strpbrk(line, ",;\t") != NULL &&
		    strcasestr(line, "side") != NULL));
	free(line);
	return (is_it);
}

int
rosterfile_open(
    struct cmd_ctx *cx, const char *word, const char *id, struct rosterfile *rf)
{
	struct schema_faults faults = {.tell = rosterfile_tell_cb, .arg = rf};
	struct library_place place;
	struct errinfo e = {.text = ""};
	int r, status;

	memset(rf, 0, sizeof(*rf));
	rf->id = id;
	buf_init(&rf->text, 0);
	if (id != NULL && (rf->sys = systems_find(id)) == NULL) {
		out_error("there is no rule system '%s'", id);
		out_note("`umpire rules` lists them; --system ID chooses one.");
		return (EX_DATAERR);
	}
	if ((status = library_find(cx, word, &place)) != 0)
		return (status);
	rf->path = place.path;
	rf->is_library = place.is_library;
	rf->is_own = place.is_own;
	if ((r = file_read(rf->path, RECORD_BLOB_MAX, &rf->text, &e)) != 0)
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	r = js_load(
	    buf_str(&rf->text), rf->text.len, JS_DEPTH_RECORD, &rf->blob, &e);
	if (r == ERR_NOMEM)
		xalloc_die();
	if (r != 0) {
		rosterfile_tell_cb(rf, &e, false);
		e.where[0] = '\0'; /* a byte tells people nothing */
		rf->faults[0].e = e;
		rf->is_table = rosterfile_is_table(rf->path, &rf->text);
		return (0);
	}
	if (rf->sys == NULL)
		rosterfile_system(rf);
	if (rf->sys != NULL && roster_check(rf->sys, rf->blob, &faults) != 0)
		xalloc_die();
	if (rf->n > 1)
		qsort(rf->faults, rf->n, sizeof(*rf->faults),
		    rosterfile_compare_cb);
	return (0);
}

void
rosterfile_clear(struct rosterfile *rf)
{
	buf_clear(&rf->text);
	free(rf->path);
	json_decref(rf->blob);
	free(rf->faults);
	memset(rf, 0, sizeof(*rf));
}

/* Says of a table what makes a roster of it. */
static void
rosterfile_tell_table(const struct rosterfile *rf)
{
	char *word = text_shell(rf->path);

	out_error("'%s' is not JSON: it looks like a table of a spreadsheet",
	    rosterfile_name(rf->path));
	out_note(
	    "umpire roster import %s roster.json makes a roster of it.", word);
	free(word);
}

/* How to see all that is wrong with a file: a command; free(). */
static char *
rosterfile_check_words(const struct rosterfile *rf)
{
	char *word = text_shell(rf->path), *s;

	s = xalloc_printf("umpire roster check %s%s%s%s",
	    rf->id == NULL ? "" : "--system ", rf->id == NULL ? "" : rf->id,
	    rf->id == NULL ? "" : " ",
	    strcmp(rf->path, "-") == 0 ? "FILE" : word);
	free(word);
	return (s);
}

bool
rosterfile_is_other(const struct rosterfile *rf)
{
	char *name;

	if (rf->is_table) {
		rosterfile_tell_table(rf);
		return (true);
	}
	if (rf->n == 0 || rf->blob == NULL)
		return (false);
	if (cmd_is_combat(rf->path, rf->blob))
		return (true);
	if (rf->sys != NULL || json_object_get(rf->blob, "system") != NULL)
		return (false);
	name = place_file(rf->path);
	out_error("%s is not a roster: it names no rule system", name);
	free(name);
	out_note("A roster says \"system\":ID; `umpire rules` lists them, "
		 "and samples are in " PKGDATADIR "/samples.");
	return (true);
}

int
rosterfile_refuse(const struct rosterfile *rf)
{
	const struct rosterfile_fault *fault = rf->faults;
	char *s;

	if (rf->n == 0)
		return (0);
	if (rosterfile_is_other(rf))
		return (EX_DATAERR);
	if (rf->blob == NULL)
		s = xalloc_printf("'%s' is not the JSON that is needed: %s",
		    rosterfile_name(rf->path), fault->e.text);
	else
		s = place_in_file(rf->path, ERR_INVALID, &fault->e);
	out_error("%s (line %zu, column %zu)", s, fault->place.line,
	    fault->place.column);
	free(s);
	s = rosterfile_check_words(rf);
	if (strcmp(rf->path, "-") == 0)
		out_note("`%s` lists all faults.", s);
	else if (rf->all > 1)
		out_note("This is the first of %zu faults; %s lists them all.",
		    rf->all, s);
	else
		out_note("After fixing it: %s", s);
	free(s);
	return (EX_DATAERR);
}
