/* SPDX-License-Identifier: ISC */
/* The library of rosters: listed, added to, taken from. */
#include "client/cmd/roster_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/library.h"
#include "client/cmd/rosterfile.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/json/js.h"

#define ROSTER_LIBRARY_SUFFIX ".json"

/* What the sides of a roster are called, "French - Allies"; free(). */
static char *
roster_library_sides(const json_t *blob)
{
	const json_t *sides = json_object_get(blob, "sides");
	const char *one = js_str(json_object_get(sides, "1"), "name");
	const char *two = js_str(json_object_get(sides, "2"), "name");

	return (xalloc_printf("%s - %s", one == NULL ? "side 1" : one,
	    two == NULL ? "side 2" : two));
}

/* How many units a side of a roster has. */
static size_t
roster_library_units(const json_t *blob, const char *side)
{
	const json_t *sides = json_object_get(blob, "sides");

	return (json_array_size(
	    json_object_get(json_object_get(sides, side), "units")));
}

int
roster_library_list(struct cmd_ctx *cx)
{
	const struct library_entry *entry;
	struct out_table *t;
	struct library l;
	json_t *list;
	char *sides, *units;
	size_t i;

	library_read(cx, &l);
	list = xalloc_json(json_array());
	t = out_table_new((const char *const[]){
	    "NAME", "SYSTEM", "~SIDES", ">UNITS", "OWN", NULL});
	for (i = 0; i < l.n; i++) {
		entry = &l.list[i];
		sides = roster_library_sides(entry->blob);
		units = xalloc_printf("%zu/%zu",
		    roster_library_units(entry->blob, "1"),
		    roster_library_units(entry->blob, "2"));
		out_table_line(t,
		    (const char *const[]){entry->name,
			text_member(entry->blob, "system"), sides, units,
			entry->is_own ? "yes" : "no"});
		xalloc_append(list,
		    json_pack("{s:s, s:s?, s:o, s:b, s:o}", "name", entry->name,
			"system", js_str(entry->blob, "system"), "sides",
			xalloc_json_str(sides), "own", entry->is_own, "file",
			xalloc_json_str(entry->path)));
		free(units);
		free(sides);
	}
	if (cx->out.is_json)
		out_json(&cx->out, json_incref(list));
	json_decref(list);
	out_table_end(&cx->out, t);
	if (l.n == 0)
		out_hint(&cx->out,
		    "Your library is empty: umpire roster save FILE puts one "
		    "there.\n");
	library_clear(&l);
	return (EX_OK);
}

/* The name that a file would have: without folders and ".json"; free(). */
static char *
roster_library_name_of(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t n, suffix = strlen(ROSTER_LIBRARY_SUFFIX);

	base = base == NULL ? path : base + 1;
	n = strlen(base);
	if (n > suffix && strcmp(base + n - suffix, ROSTER_LIBRARY_SUFFIX) == 0)
		n -= suffix;
	return (xalloc_strn(base, n));
}

/* Writes what was saved into the library. */
static int
roster_library_put(struct cmd_ctx *cx, const char *name, struct rosterfile *rf)
{
	char *dir, *path, *word;
	struct errinfo e = {.text = ""};
	struct profile *p;
	int r, status = 0;

	if ((r = profile_open(cx->profile, &p, &e)) != 0)
		return (cmd_fail(r, &e));
	dir = profile_path(p, "rosters");
	profile_free(p);
	path = xalloc_printf("%s/%s" ROSTER_LIBRARY_SUFFIX, dir, name);
	if ((r = file_make_dirs(dir, &e)) != 0)
		status = cmd_fail(r, &e);
	else if ((status = cmd_may_replace(cx, path)) == 0 &&
	    (r = file_write(
		 path, buf_str(&rf->text), rf->text.len, 0644, &e)) != 0)
		status = cmd_fail(r, &e);
	if (status == 0 && cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:o}", "name", name, "file",
			xalloc_json_str(path))));
	if (status == 0)
		out_hint(&cx->out,
		    "Saved as %s: umpire new --roster %s opens a game with "
		    "it.\n",
		    name, name);
	if (status == 0 && library_is_sample(name)) {
		word = text_shell(path);
		out_note("It stands before the sample '%s' that came with "
			 "umpire; to have that back:\nrm %s",
		    name, word);
		free(word);
	}
	free(path);
	free(dir);
	return (status);
}

int
roster_library_save(struct cmd_ctx *cx)
{
	const char *word = cmd_arg(cx, 1), *given = cmd_arg(cx, 2);
	char *name =
	    given != NULL ? xalloc_str(given) : roster_library_name_of(word);
	struct rosterfile rf;
	int status;

	if (!library_is_name(name)) {
		status = cmd_usage(cx,
		    "'%s' cannot be a name in a library: letters, digits, '.', "
		    "'_' and '-', at most %d, a letter or digit first, and no "
		    ".json at the end%s",
		    name, LIBRARY_NAME_MAX,
		    given == NULL ? "; give it another: umpire roster save "
				    "FILE NAME"
				  : "");
		free(name);
		return (status);
	}
	status = rosterfile_open(cx, word, opt_get(&cx->opts, "system"), &rf);
	if (status == 0)
		status = rosterfile_refuse(&rf);
	if (status == 0)
		status = roster_library_put(cx, name, &rf);
	rosterfile_clear(&rf);
	free(name);
	return (status);
}

/* Writes rosters of the library to a file. */
static int
roster_library_take(struct cmd_ctx *cx, const char *to, struct rosterfile *rf)
{
	struct errinfo e = {.text = ""};
	int r, status;

	if (strcmp(to, "-") == 0) {
		out_bytes(&cx->out, buf_str(&rf->text), rf->text.len);
		return (EX_OK);
	}
	if ((status = cmd_may_replace(cx, to)) != 0)
		return (status);
	if ((r = file_write(to, buf_str(&rf->text), rf->text.len, 0644, &e)) !=
	    0) {
		(void)cmd_fail(r, &e);
		return (EX_CANTCREAT);
	}
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(
			json_pack("{s:o}", "file", xalloc_json_str(to))));
	out_print(&cx->out, "%s written.\n", to);
	return (EX_OK);
}

int
roster_library_load(struct cmd_ctx *cx)
{
	const char *name = cmd_arg(cx, 1), *out = cmd_arg(cx, 2);
	struct rosterfile rf;
	struct library_place place;
	char *to;
	int status;

	if (!library_is_name(name))
		return (cmd_usage(cx,
		    "'%s' cannot be a name in a library; `umpire roster list` "
		    "lists those",
		    name));
	if (out != NULL && strcmp(out, "-") == 0 && cx->out.is_tty)
		return (cmd_usage(cx,
		    "the names in a roster could drive a terminal: name a "
		    "file to write to"));
	if ((status = library_find_name(cx, name, &place)) != 0)
		return (status);
	to = out != NULL ? xalloc_str(out)
			 : xalloc_printf("%s" ROSTER_LIBRARY_SUFFIX, name);
	status =
	    rosterfile_open(cx, place.path, opt_get(&cx->opts, "system"), &rf);
	if (status == 0)
		status = rosterfile_refuse(&rf);
	if (status == 0)
		status = roster_library_take(cx, to, &rf);
	rosterfile_clear(&rf);
	free(place.path);
	free(to);
	return (status);
}
