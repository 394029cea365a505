/* SPDX-License-Identifier: ISC */
/*
 * Data files: found, read, checked by the system that they are for.  What
 * they mean is the system's; whether a game brings one is cmd_new.c's.
 */
#include "client/cmd/datafile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/scenario.h"

/* The folder of data. */
static const char *
datafile_dir(void)
{
	const char *dir = getenv("UMPIRE_DATADIR");

	return (dir == NULL || *dir == '\0' ? PKGDATADIR : dir);
}

char *
datafile_samples(void)
{
	return (xalloc_printf("%s/samples", datafile_dir()));
}

char *
datafile_path(const struct rules_system *sys)
{
	const char *dir = datafile_dir();
	size_t len;

	if (sys->data_name == NULL)
		return (NULL);
	/* The folder of "bag" is bags, that of "tables" is tables. */
	len = strlen(sys->data_name);
	return (xalloc_printf("%s/%s%s/%s.json", dir, sys->data_name,
	    sys->data_name[len - 1] == 's' ? "" : "s", sys->id));
}

/* Takes the value of sys->data_name out of a file's object, borrowed. */
static int
datafile_value(const struct rules_system *sys, const json_t *file,
    const json_t **value, struct errinfo *e)
{
	const char *const known[] = {"blob", "note", sys->data_name, NULL};
	const char *blob = sys->data_name, *note = NULL;
	int r;

	if ((r = js_members(file, NULL, known, e)) != 0 ||
	    (r = js_opt_str(file, "note", NULL, &note, e)) != 0 ||
	    (r = js_opt_str(file, "blob", NULL, &blob, e)) != 0)
		return (r);
	if (strcmp(blob, sys->data_name) != 0)
		return (js_fail_member(
		    NULL, "blob", e, "must be \"%s\"", sys->data_name));
	if ((*value = json_object_get(file, sys->data_name)) == NULL)
		return (js_fail(NULL, e, "has no \"%s\"", sys->data_name));
	return (0);
}

int
datafile_load(const char *path, struct rules_settings *set, json_t **value,
    struct errinfo *e)
{
	const struct rules_system *sys = set->sys;
	const struct js_at at = {.name = sys->data_name};
	struct errinfo why = {.text = ""};
	const json_t *found = NULL;
	json_t *file = NULL;
	struct buf b;
	char *s;
	int r;

	if (sys->data_name == NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "the system \"%s\" has neither tables nor a bag", sys->id));
	buf_init(&b, 0);
	if ((r = file_read(path, DATA_FILE_MAX, &b, e)) != 0) {
		buf_clear(&b);
		return (r);
	}
	r = js_load(buf_str(&b), b.len, JS_DEPTH_RECORD, &file, &why);
	buf_clear(&b);
	if (r == 0 && (r = datafile_value(sys, file, &found, &why)) == 0)
		r = rules_settings_data(set, sys->data_name, found, &at, &why);
	if (r == 0) {
		*value = xalloc_copy(found);
	} else if (r != ERR_NOMEM) {
		s = place_in_file(path, r, &why);
		r = err_set(e, ERR_INVALID, NULL, "%s", s);
		free(s);
	}
	json_decref(file);
	return (r);
}

/* True if the value is the built-in one. */
static bool
datafile_is_built_in(const struct rules_system *sys, const json_t *value)
{
	json_t *file = NULL;
	bool is_it;

	if (sys->data_text == NULL ||
	    js_load(sys->data_text, strlen(sys->data_text), JS_DEPTH_RECORD,
		&file, NULL) != 0)
		return (false);
	is_it = json_equal(json_object_get(file, sys->data_name), value) != 0;
	json_decref(file);
	return (is_it);
}

int
datafile_find(const struct rules_system *sys, json_t **value, struct errinfo *e)
{
	struct rules_settings set;
	json_t *v = NULL;
	char *path;
	int r;

	if ((path = datafile_path(sys)) == NULL || !file_exists(path)) {
		free(path);
		*value = NULL;
		return (0);
	}
	if ((r = rules_settings_parse(sys, NULL, NULL, &set, e)) == 0) {
		r = datafile_load(path, &set, &v, e);
		rules_settings_clear(&set);
	}
	free(path);
	if (r == 0 && datafile_is_built_in(sys, v)) {
		json_decref(v);
		v = NULL;
	}
	if (r == 0)
		*value = v;
	return (r == 0 || r == ERR_NOMEM ? r : ERR_CONFIG);
}

/* scenario_data: the installed file's value. */
static int
datafile_find_cb(void *arg, const struct rules_system *sys, json_t **value,
    struct errinfo *e)
{
	(void)arg;
	return (datafile_find(sys, value, e));
}

const struct scenario_data *
datafile_default(void)
{
	static const struct scenario_data data = {datafile_find_cb, NULL};

	return (&data);
}
