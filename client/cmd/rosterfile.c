/* SPDX-License-Identifier: ISC */
/*
 * Files of rosters.  What is wrong with one is the rules' to say; where in the
 * text that is, is found here.
 */
#include "client/cmd/rosterfile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
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

int
rosterfile_open(const char *path, const char *id, struct rosterfile *rf)
{
	struct schema_faults faults = {.tell = rosterfile_tell_cb, .arg = rf};
	struct errinfo e = {.text = ""};
	int r;

	memset(rf, 0, sizeof(*rf));
	rf->path = path;
	buf_init(&rf->text, 0);
	if (id != NULL && (rf->sys = systems_find(id)) == NULL) {
		out_error("there is no rule system '%s'", id);
		out_note("`umpire rules` lists them; --system ID chooses one.");
		return (EX_DATAERR);
	}
	if ((r = file_read(path, RECORD_BLOB_MAX, &rf->text, &e)) != 0)
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	r = js_load(
	    buf_str(&rf->text), rf->text.len, JS_DEPTH_RECORD, &rf->blob, &e);
	if (r == ERR_NOMEM)
		xalloc_die();
	if (r != 0) {
		rosterfile_tell_cb(rf, &e, false);
		e.where[0] = '\0'; /* a byte tells people nothing */
		rf->faults[0].e = e;
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
	json_decref(rf->blob);
	free(rf->faults);
	memset(rf, 0, sizeof(*rf));
}

bool
rosterfile_is_other(const struct rosterfile *rf)
{
	if (rf->n == 0 || rf->blob == NULL)
		return (false);
	if (cmd_is_combat(rf->path, rf->blob))
		return (true);
	if (rf->sys != NULL || json_object_get(rf->blob, "system") != NULL)
		return (false);
	out_error("'%s' is not a roster: it names no rule system",
	    rosterfile_name(rf->path));
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
	if (strcmp(rf->path, "-") == 0)
		out_note("`umpire roster check FILE` lists all faults.");
	else if (rf->all > 1)
		out_note("This is the first of %zu faults; umpire roster check "
			 "%s lists them all.",
		    rf->all, rf->path);
	else
		out_note("After fixing it: umpire roster check %s", rf->path);
	return (EX_DATAERR);
}
