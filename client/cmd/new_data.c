/* SPDX-License-Identifier: ISC */
#include "client/cmd/new_data.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/datafile.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/record/record.h"
#include "common/rules/rules.h"

int
new_data_ruling(json_t *rulings, const char *s, struct errinfo *e)
{
	const char *value = strchr(s, '=');
	json_t *v;
	int64_t number;
	char *name;

	if (value == NULL || value == s || value[1] == '\0')
		return (err_set(e, ERR_INVALID, NULL,
		    "a ruling is NAME=VALUE, not '%s'", s));
	name = xalloc_strn(s, (size_t)(value - s));
	value++;
	if (strcmp(value, "true") == 0 || strcmp(value, "yes") == 0)
		v = json_true();
	else if (strcmp(value, "false") == 0 || strcmp(value, "no") == 0)
		v = json_false();
	else if (opt_number(value, 0, INT32_MAX, &number))
		v = json_integer(number);
	else
		v = xalloc_json_str(value);
	xalloc_set(rulings, name, v);
	free(name);
	return (0);
}

/* Adds the blob of tables or of a bag; value is stolen. */
static int
new_data_add(const struct rules_system *sys, json_t *tables, const char *path,
    json_t *value)
{
	json_t *blob;
	char *text;
	size_t len;

	blob = xalloc_json(json_pack(
	    "{s:s, s:o}", "blob", sys->data_name, sys->data_name, value));
	text = xalloc_dump(blob);
	len = strlen(text);
	free(text);
	xalloc_append(tables, blob);
	if (len <= RECORD_BLOB_MAX)
		return (0);
	out_error("'%s' has %zu bytes of data; a game takes at most %d", path,
	    len, RECORD_BLOB_MAX);
	return (EX_DATAERR);
}

/* Reads the files of one option, --tables or --bag. */
static int
new_data_files(struct cmd_ctx *cx, const struct rules_system *sys,
    json_t *tables, const char *option, struct rules_settings *set)
{
	struct errinfo e = {.text = ""};
	const char *path;
	json_t *value;
	size_t i = 0;
	int r, status = 0;

	while (
	    status == 0 && (path = opt_next(&cx->opts, option, &i)) != NULL) {
		if (sys->data_name == NULL ||
		    strcmp(sys->data_name, option) != 0) {
			out_error("the system %s has no %s", sys->id, option);
			status = EX_DATAERR;
		} else if ((r = datafile_load(path, set, &value, &e)) != 0) {
			status = cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e);
		} else {
			status = new_data_add(sys, tables, path, value);
		}
	}
	return (status);
}

/* Without files of the player's own: the installed ones, if they differ. */
static int
new_data_default(
    const struct rules_system *sys, json_t *tables, char **installed)
{
	struct errinfo e = {.text = ""};
	json_t *value;
	int r;

	if (json_array_size(tables) > 0 || installed == NULL)
		return (0);
	if ((r = datafile_find(sys, &value, &e)) != 0)
		return (cmd_fail(r, &e));
	if (value == NULL)
		return (0);
	*installed = datafile_path(sys);
	return (
	    new_data_add(sys, tables, *installed, value) == 0 ? 0 : EX_CONFIG);
}

int
new_data_read(struct cmd_ctx *cx, const struct rules_system *sys,
    const char *option, json_t *rulings, json_t *tables, char **installed)
{
	struct rules_settings set;
	struct errinfo e = {.text = ""};
	const char *s;
	size_t i = 0;
	int r, status;

	/* Given files replace those of a former game. */
	if (opt_has(&cx->opts, "tables") || opt_has(&cx->opts, "bag"))
		(void)json_array_clear(tables);
	while ((s = opt_next(&cx->opts, option, &i)) != NULL) {
		if (new_data_ruling(rulings, s, &e) != 0)
			return (cmd_usage(cx, "--%s: %s", option, e.text));
	}
	r = rules_settings_parse(sys, rulings, NULL, &set, &e);
	if (r != 0) {
		status = cmd_fail(r, &e);
		out_note("`umpire rules %s` lists the rulings.", sys->id);
		return (status);
	}
	if ((status = new_data_files(cx, sys, tables, "tables", &set)) == 0 &&
	    (status = new_data_files(cx, sys, tables, "bag", &set)) == 0)
		status = new_data_default(sys, tables, installed);
	rules_settings_clear(&set);
	return (status);
}
