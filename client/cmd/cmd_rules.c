/* SPDX-License-Identifier: ISC */
/* umpire rules: the rule systems, their rulings, data and a template. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/datafile.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/show/upkeep.h"
#include "common/rules/systems/systems.h"

/* The values that a ruling may have; new. */
static json_t *
cmd_rules_values(const struct rules_ruling *ru)
{
	json_t *list;
	size_t i;

	list = xalloc_json(json_array());
	if (ru->is_bool) {
		xalloc_append(list, json_true());
		xalloc_append(list, json_false());
	}
	for (i = 0; ru->words != NULL && ru->words[i] != NULL; i++)
		xalloc_append(list, json_string(ru->words[i]));
	for (i = 0; i < ru->n_numbers; i++)
		xalloc_append(list, json_integer(ru->numbers[i]));
	return (list);
}

/* The data in force here: what they are and where they come from. */
struct cmd_rules_data {
	json_t *value; /* owned; NULL: the system has none */
	char *path; /* owned: where a file is looked for */
	bool is_installed; /* the file is there and says something else */
};

/* Finds them.  0, or an exit status. */
static int
cmd_rules_find(const struct rules_system *sys, struct cmd_rules_data *d)
{
	struct errinfo e = {.text = ""};
	json_t *file = NULL;
	int r;

	memset(d, 0, sizeof(*d));
	if (sys->data_name == NULL)
		return (0);
	if ((r = datafile_find(sys, &d->value, &e)) != 0)
		return (cmd_fail(r, &e));
	d->path = datafile_path(sys);
	d->is_installed = d->value != NULL;
	if (!d->is_installed && sys->data_text != NULL &&
	    js_load(sys->data_text, strlen(sys->data_text), JS_DEPTH_RECORD,
		&file, &e) == 0)
		d->value = xalloc_copy(json_object_get(file, sys->data_name));
	json_decref(file);
	return (0);
}

/* Frees them. */
static void
cmd_rules_clear(struct cmd_rules_data *d)
{
	json_decref(d->value);
	free(d->path);
}

/* The members of a roster's unit; new. */
static json_t *
cmd_rules_fields(const struct rules_system *sys)
{
	const struct schema_row *row;
	json_t *list;
	size_t i;

	list = xalloc_json(json_array());
	for (i = 0; (row = schema_field(sys->unit, i)) != NULL; i++)
		xalloc_append(list,
		    json_pack("{s:s, s:b, s:s}", "name", row->name, "required",
			row->is_required, "what", row->what));
	return (list);
}

/* The rulings; new. */
static json_t *
cmd_rules_rulings(const struct rules_system *sys)
{
	const struct rules_ruling *ru;
	json_t *list;
	size_t i;

	list = xalloc_json(json_array());
	for (i = 0; i < sys->n_rulings; i++) {
		ru = &sys->rulings[i];
		xalloc_append(list,
		    json_pack("{s:s, s:o, s:o, s:s}", "name", ru->name,
			"values", cmd_rules_values(ru), "default",
			xalloc_json(rules_ruling_value(ru, ru->fallback)),
			"question", ru->question));
	}
	return (list);
}

/* The upkeep orders; new. */
static json_t *
cmd_rules_upkeep(const struct rules_system *sys)
{
	const struct upkeep_order *u;
	json_t *list;

	list = xalloc_json(json_array());
	for (u = upkeep_orders(sys); u->name != NULL; u++)
		xalloc_append(list,
		    json_pack("{s:s, s:b, s:s}", "do", u->name, "battalion",
			u->has_battalion, "what", u->what));
	return (list);
}

/* The policies of the odds calculator, the default word first; new. */
static json_t *
cmd_rules_policies(const struct rules_system *sys)
{
	const struct rules_policy *p;
	json_t *list, *words;
	size_t i;

	list = xalloc_json(json_array());
	for (p = sys->policies; p != NULL && p->kind != NULL; p++) {
		words = xalloc_json(json_array());
		for (i = 0; p->words[i] != NULL; i++)
			xalloc_append(words, json_string(p->words[i]));
		xalloc_append(list,
		    json_pack("{s:s, s:o, s:s, s:b}", "kind", p->kind, "words",
			words, "what", p->what, "is_fact",
			p->is_fact == RULES_FACT_YES));
	}
	return (list);
}

/* A system as one object; 0 or an exit status.  *out is new. */
static int
cmd_rules_json(const struct rules_system *sys, json_t **out)
{
	struct cmd_rules_data d;
	json_t *data = NULL;
	int status;

	if ((status = cmd_rules_find(sys, &d)) != 0)
		return (status);
	if (sys->data_name != NULL)
		data = xalloc_json(json_pack("{s:s, s:b, s:o}", "name",
		    sys->data_name, "installed", d.is_installed, "file",
		    xalloc_json_str(d.path)));
	*out = xalloc_json(
	    json_pack("{s:s, s:s, s:s, s:o, s:o, s:o?, s:o, s:o, s:s}", "id",
		sys->id, "rules", sys->version, "name", sys->name, "roster",
		cmd_rules_fields(sys), "rulings", cmd_rules_rulings(sys),
		"data", data, "upkeep", cmd_rules_upkeep(sys), "policies",
		cmd_rules_policies(sys), "template",
		show_list_find(sys)->template_text));
	cmd_rules_clear(&d);
	return (0);
}

/* Lists the systems. */
static int
cmd_rules_list(struct cmd_ctx *cx)
{
	const struct rules_system *const *all = systems_all();
	const char *cells[3];
	struct out_table *t;
	json_t *list, *v;
	int status = 0;

	if (cx->out.is_json) {
		list = xalloc_json(json_array());
		for (; status == 0 && *all != NULL; all++) {
			if ((status = cmd_rules_json(*all, &v)) == 0)
				xalloc_append(list, v);
		}
		if (status == 0)
			out_json(&cx->out, list);
		else
			json_decref(list);
		return (status);
	}
	t = out_table_new(
	    (const char *const[]){"SYSTEM", "RULES", "~NAME", NULL});
	for (; *all != NULL; all++) {
		cells[0] = (*all)->id;
		cells[1] = (*all)->version;
		cells[2] = (*all)->name;
		out_table_line(t, cells);
	}
	out_table_end(&cx->out, t);
	out_print(&cx->out, "\n`umpire rules SYSTEM` tells more about one.\n");
	return (EX_OK);
}

/* Prints the rulings for people. */
static void
cmd_rules_text_rulings(struct out *o, const struct rules_system *sys)
{
	const struct rules_ruling *ru;
	json_t *v, *values;
	size_t i, k;
	char *s;

	if (sys->n_rulings == 0)
		return;
	out_print(o, "\n");
	out_title(o, "Rulings (`umpire new --ruling NAME=VALUE`)");
	for (i = 0; i < sys->n_rulings; i++) {
		ru = &sys->rulings[i];
		v = xalloc_json(rules_ruling_value(ru, ru->fallback));
		s = xalloc_dump(v);
		out_print(o, "  %s (default: %s)\n      ", ru->name, s);
		free(s);
		json_decref(v);
		out_text(o, 6, 6, ru->question);
		out_print(o, "      one of:");
		values = cmd_rules_values(ru);
		for (k = 0; k < json_array_size(values); k++) {
			s = xalloc_dump(json_array_get(values, k));
			out_print(o, "%s %s", k > 0 ? "," : "", s);
			free(s);
		}
		out_print(o, "\n");
		json_decref(values);
	}
}

/* Prints where the tables or the bag come from. */
static void
cmd_rules_text_data(struct out *o, const struct rules_system *sys,
    const struct cmd_rules_data *d)
{
	if (sys->data_name == NULL)
		return;
	out_print(o, "\n");
	out_title(o, "Data: %s (`umpire new --%s FILE`)", sys->data_name,
	    sys->data_name);
	if (d->is_installed)
		out_print(o,
		    "  installed on this machine, in place of the "
		    "built-in:\n");
	else
		out_print(o,
		    "  built in; this file takes its place if it says "
		    "something else:\n");
	out_print(o, "  %s\n  --data prints what is in force.\n", d->path);
}

/* Prints the upkeep orders. */
static void
cmd_rules_text_upkeep(struct out *o, const struct rules_system *sys)
{
	const struct upkeep_order *u = upkeep_orders(sys);
	char *s;

	if (u->name == NULL)
		return;
	out_print(o, "\n");
	out_title(o, "Upkeep orders (`umpire upkeep GAME UNIT ORDER`)");
	for (; u->name != NULL; u++) {
		s = xalloc_printf(
		    "%s%s", u->name, u->has_battalion ? " BATTALION" : "");
		out_print(o, "  %-16s ", s);
		out_text(o, 19, 19, u->what);
		free(s);
	}
}

/* Prints the policies. */
static void
cmd_rules_text_policies(struct out *o, const struct rules_system *sys)
{
	const struct rules_policy *p = sys->policies;
	const char *about;
	struct render *rd;
	struct buf b;
	size_t i;
	char *s;

	if (p == NULL || p->kind == NULL)
		return;
	if ((rd = render_new(sys)) == NULL)
		xalloc_die();
	out_print(o, "\n");
	out_title(o, "Policies of `umpire odds` (the first is the default)");
	for (; p->kind != NULL; p++) {
		buf_init(&b, 0);
		for (i = 0; p->words[i] != NULL; i++) {
			about = render_value_word(
			    rd, "choice", p->kind, p->words[i]);
			buf_printf(&b, "%s%s%s%s%s", i == 0 ? "" : ", ",
			    p->words[i], about == NULL ? "" : " (",
			    about == NULL ? "" : about,
			    about == NULL ? "" : ")");
		}
		s = xalloc_take(&b);
		out_print(o, "  %s: ", p->kind);
		out_text(o, 4 + (int)strlen(p->kind), 6, s);
		out_print(o, "      ");
		out_text(o, 6, 6, p->what);
		if (p->is_fact == RULES_FACT_YES)
			out_print(o,
			    "      (an answer states what is so on the "
			    "table)\n");
		free(s);
	}
	render_free(rd);
}

/* Prints one system for people. */
static void
cmd_rules_text(struct out *o, const struct rules_system *sys,
    const struct cmd_rules_data *d)
{
	const struct schema_row *row;
	size_t i;

	out_title(o, "%s: %s", sys->id, sys->name);
	out_print(o, "Rules version %s.\n\n", sys->version);
	out_title(o, "A roster's units have");
	for (i = 0; (row = schema_field(sys->unit, i)) != NULL; i++) {
		out_print(o, "  %-12s ", row->name);
		out_text(o, 15, 15, row->what);
	}
	cmd_rules_text_rulings(o, sys);
	cmd_rules_text_data(o, sys, d);
	cmd_rules_text_upkeep(o, sys);
	cmd_rules_text_policies(o, sys);
	out_print(o, "\n");
	out_title(o, "A combat to fill in");
	out_print(o, "%s\n", show_list_find(sys)->template_text);
	out_print(o,
	    "In a game `umpire declare` fills in what the roster holds; name "
	    "the units by\ntheir ids and add the situation.\nThe rules "
	    "themselves are in umpire-rules(7).\n");
}

/* Prints one system: for people, for programs, or only its data. */
static int
cmd_rules_one(struct cmd_ctx *cx, const struct rules_system *sys)
{
	struct cmd_rules_data d;
	json_t *v;
	int status;

	if (cx->out.is_json && !opt_has(&cx->opts, "data")) {
		if ((status = cmd_rules_json(sys, &v)) == 0)
			out_json(&cx->out, v);
		return (status);
	}
	if ((status = cmd_rules_find(sys, &d)) != 0)
		return (status);
	if (!opt_has(&cx->opts, "data")) {
		cmd_rules_text(&cx->out, sys, &d);
	} else if (sys->data_name == NULL) {
		out_error("the system %s has no data", sys->id);
		status = EX_DATAERR;
	} else {
		v = xalloc_json(json_object());
		xalloc_set(v, sys->data_name, xalloc_copy(d.value));
		out_json(&cx->out, v);
	}
	cmd_rules_clear(&d);
	return (status);
}

/* Prints the list, one system, or its template. */
static int
cmd_rules_run(struct cmd_ctx *cx)
{
	const char *id = cmd_arg(cx, 0), *text;
	const struct rules_system *sys;

	if (id == NULL &&
	    (opt_has(&cx->opts, "template") || opt_has(&cx->opts, "data")))
		return (cmd_usage(cx, "which system?"));
	if (id == NULL)
		return (cmd_rules_list(cx));
	if ((sys = systems_find(id)) == NULL) {
		out_error("there is no rule system '%s'", id);
		out_note("`umpire rules` lists them.");
		return (EX_DATAERR);
	}
	if (!opt_has(&cx->opts, "template"))
		return (cmd_rules_one(cx, sys));
	text = show_list_find(sys)->template_text;
	out_bytes(&cx->out, text, strlen(text));
	return (EX_OK);
}

static const struct opt_def cmd_rules_opts[] = {
    {"template", 0, NULL, false, "print only the combat to fill in"},
    {"data", 0, NULL, false, "print only the tables or the bag in force"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_rules = {
    .opts = cmd_rules_opts,
    .min_args = 0,
    .max_args = 1,
    .run = cmd_rules_run,
};
