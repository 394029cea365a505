/* SPDX-License-Identifier: ISC */
/*
 * Names are found by reading the two folders: what was put there by hand
 * counts as well.
 */
#include "client/cmd/library.h"

#include <sys/stat.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/datafile.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#define LIBRARY_MAX 1000 /* names of a folder that are looked at */
#define LIBRARY_NEAR 3 /* names that are told instead of one that is not */
#define LIBRARY_SUFFIX ".json"

bool
library_is_name(const char *s)
{
	static const char known[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	size_t n = strlen(s), suffix = strlen(LIBRARY_SUFFIX);

	return (n > 0 && n <= LIBRARY_NAME_MAX && s[strspn(s, known)] == '\0' &&
	    strchr("._-", s[0]) == NULL &&
	    (n < suffix || strcmp(s + n - suffix, LIBRARY_SUFFIX) != 0));
}

/* The folder of what the player has saved; NULL: there is no profile. */
static char *
library_own_dir(const struct cmd_ctx *cx)
{
	struct profile *p;
	char *path;

	if (profile_open(cx->profile, &p, NULL) != 0)
		return (NULL);
	path = profile_path(p, "rosters");
	profile_free(p);
	return (path);
}

/* Reads a file that should hold rosters; new, NULL if it does not. */
static json_t *
library_blob(const char *path)
{
	json_t *blob = NULL;
	struct stat st;
	struct buf b;

	if (stat(path, &st) == -1 || !S_ISREG(st.st_mode))
		return (NULL);
	buf_init(&b, 0);
	if (file_read(path, RECORD_BLOB_MAX, &b, NULL) != 0 ||
	    js_load(buf_str(&b), b.len, JS_DEPTH_RECORD, &blob, NULL) != 0 ||
	    !json_is_object(json_object_get(blob, "sides"))) {
		json_decref(blob);
		blob = NULL;
	}
	buf_clear(&b);
	return (blob);
}

/* True if a name is there already. */
static bool
library_has(const struct library *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (strcmp(l->list[i].name, name) == 0)
			return (true);
	}
	return (false);
}

/* Adds the rosters of a folder (NULL: none; freed here). */
static void
library_add(struct library *l, char *dir, bool is_own)
{
	struct library_entry entry = {.is_own = is_own};
	const struct dirent *d;
	size_t n, from = l->n;
	DIR *of = dir == NULL ? NULL : opendir(dir);

	while (of != NULL && (d = readdir(of)) != NULL &&
	    l->n - from < LIBRARY_MAX) {
		n = strlen(d->d_name);
		if (n <= strlen(LIBRARY_SUFFIX) ||
		    strcmp(d->d_name + n - strlen(LIBRARY_SUFFIX),
			LIBRARY_SUFFIX) != 0)
			continue;
		entry.name = xalloc_strn(d->d_name, n - strlen(LIBRARY_SUFFIX));
		entry.path = xalloc_printf("%s/%s", dir, d->d_name);
		entry.blob = NULL;
		if (library_is_name(entry.name) && !library_has(l, entry.name))
			entry.blob = library_blob(entry.path);
		if (entry.blob == NULL) {
			free(entry.name);
			free(entry.path);
			continue;
		}
		l->list = xalloc_more(l->list, l->n, sizeof(*l->list));
		l->list[l->n++] = entry;
	}
	if (of != NULL)
		(void)closedir(of); /* only read from */
	free(dir);
}

/* Orders them, the player's own first, for qsort(). */
static int
library_compare_cb(const void *a, const void *b)
{
	const struct library_entry *x = a, *y = b;

	if (x->is_own != y->is_own)
		return (x->is_own ? -1 : 1);
	return (strcmp(x->name, y->name));
}

void
library_read(const struct cmd_ctx *cx, struct library *l)
{
	memset(l, 0, sizeof(*l));
	library_add(l, library_own_dir(cx), true);
	library_add(l, datafile_samples(), false);
	if (l->n > 1)
		qsort(l->list, l->n, sizeof(*l->list), library_compare_cb);
}

void
library_clear(struct library *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		free(l->list[i].name);
		free(l->list[i].path);
		json_decref(l->list[i].blob);
	}
	free(l->list);
}

bool
library_is_sample(const char *name)
{
	char *dir = datafile_samples(), *path;
	bool is_there = false;

	if (dir != NULL) {
		path = xalloc_printf("%s/%s" LIBRARY_SUFFIX, dir, name);
		is_there = file_exists(path);
		free(path);
	}
	free(dir);
	return (is_there);
}

/* Finds a name; NULL if there is none. */
static const struct library_entry *
library_entry(const struct library *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (strcmp(l->list[i].name, name) == 0)
			return (&l->list[i]);
	}
	return (NULL);
}

/* Tells of names like one that is not there. */
static void
library_tell_near(const struct library *l, const char *name)
{
	size_t i, n = 0, len = strlen(name);
	struct buf b;

	buf_init(&b, 0);
	for (i = 0; i < l->n && n < LIBRARY_NEAR; i++) {
		if (opt_distance(name, l->list[i].name) > 2 &&
		    (len < 3 || strncmp(name, l->list[i].name, len) != 0))
			continue;
		buf_printf(&b, "%s'%s'", n == 0 ? "" : " or ", l->list[i].name);
		n++;
	}
	if (n > 0)
		out_note("Did you mean %s?", buf_str(&b));
	out_note("`umpire roster list` lists your library.");
	buf_clear(&b);
}

/* True for a word that can only be a path, or is one of a file. */
static bool
library_is_path(const char *word)
{
	return (!library_is_name(word) ||
	    (file_exists(word) && !file_is_folder(word)));
}

/* Finds a name of the library; or_here: a file would have done as well. */
static int
library_look(struct cmd_ctx *cx, const char *name, bool or_here,
    struct library_place *out)
{
	const struct library_entry *entry;
	struct library l;
	int status = 0;

	library_read(cx, &l);
	if ((entry = library_entry(&l, name)) != NULL) {
		*out = (struct library_place){.path = xalloc_str(entry->path),
		    .is_library = true,
		    .is_own = entry->is_own};
	} else {
		out_error(or_here ? "there is no file '%s', nor a roster of "
				    "that name in your library"
				  : "there is no roster '%s' in your library",
		    name);
		library_tell_near(&l, name);
		status = EX_NOINPUT;
	}
	library_clear(&l);
	return (status);
}

int
library_find(struct cmd_ctx *cx, const char *word, struct library_place *out)
{
	memset(out, 0, sizeof(*out));
	if (!library_is_path(word))
		return (library_look(cx, word, true, out));
	out->path = xalloc_str(word);
	return (0);
}

int
library_find_name(
    struct cmd_ctx *cx, const char *name, struct library_place *out)
{
	memset(out, 0, sizeof(*out));
	return (library_look(cx, name, false, out));
}
