/* SPDX-License-Identifier: ISC */
/* umpire rules: the rule systems, their rulings and a template. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/cmds.h"
#include "client/xalloc.h"
#include "common/rules/rules.h"

/* The value number v of a ruling as JSON; new. */
static json_t *
cmd_rules_value(const struct rules_ruling *ru, int v)
{
	if (ru->is_bool)
		return (json_boolean(v != 0));
	if (ru->words != NULL)
		return (json_string(ru->words[v]));
	return (json_integer(v));
}

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

/* A system as one object; new. */
static json_t *
cmd_rules_json(const struct rules_system *sys)
{
	json_t *v, *list, *o;
	size_t i;

	v = xalloc_json(json_object());
	xalloc_set(v, "id", json_string(sys->id));
	xalloc_set(v, "rules", json_string(sys->version));
	xalloc_set(v, "name", json_string(sys->name));
	list = xalloc_json(json_array());
	for (i = 0; i < sys->n_fields; i++) {
		o = xalloc_json(json_object());
		xalloc_set(o, "name", json_string(sys->fields[i].name));
		xalloc_set(
		    o, "required", json_boolean(sys->fields[i].is_required));
		xalloc_set(o, "what", json_string(sys->fields[i].what));
		xalloc_append(list, o);
	}
	xalloc_set(v, "roster", list);
	list = xalloc_json(json_array());
	for (i = 0; i < sys->n_rulings; i++) {
		o = xalloc_json(json_object());
		xalloc_set(o, "name", json_string(sys->rulings[i].name));
		xalloc_set(o, "values", cmd_rules_values(&sys->rulings[i]));
		xalloc_set(o, "default",
		    cmd_rules_value(
			&sys->rulings[i], sys->rulings[i].fallback));
		xalloc_set(
		    o, "question", json_string(sys->rulings[i].question));
		xalloc_append(list, o);
	}
	xalloc_set(v, "rulings", list);
	xalloc_set(v, "template", json_string(sys->template_text));
	return (v);
}

/* Lists the systems. */
static int
cmd_rules_list(struct cmd_ctx *cx)
{
	const struct rules_system *const *all = rules_all();
	const char *cells[3];
	struct out_table *t;
	json_t *list;

	if (cx->out.is_json) {
		list = xalloc_json(json_array());
		for (; *all != NULL; all++)
			xalloc_append(list, cmd_rules_json(*all));
		out_json(&cx->out, list);
		return (EX_OK);
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
	out_print(&cx->out, "\n`umpire rules SYSTEM` tells more of one.\n");
	return (EX_OK);
}

/* Prints one system for people. */
static void
cmd_rules_text(struct out *o, const struct rules_system *sys)
{
	const struct rules_ruling *ru;
	json_t *v;
	size_t i;
	char *s;

	out_title(o, "%s: %s", sys->id, sys->name);
	out_print(o, "Rules version %s.\n\n", sys->version);
	out_title(o, "A roster's units have");
	for (i = 0; i < sys->n_fields; i++) {
		out_print(o, "  %-12s ", sys->fields[i].name);
		out_text(o, 15, 15, sys->fields[i].what);
	}
	if (sys->n_rulings > 0) {
		out_print(o, "\n");
		out_title(o, "Rulings (`umpire new --ruling NAME=VALUE`)");
	}
	for (i = 0; i < sys->n_rulings; i++) {
		ru = &sys->rulings[i];
		v = xalloc_json(cmd_rules_value(ru, ru->fallback));
		s = xalloc_dump(v);
		out_print(o, "  %s (default: %s)\n      ", ru->name, s);
		out_text(o, 6, 6, ru->question);
		free(s);
		json_decref(v);
	}
	out_print(o, "\n");
	out_title(o, "A combat to fill in");
	out_print(o, "%s\n", sys->template_text);
	out_print(o,
	    "In a game `umpire declare` fills in what the roster holds; name "
	    "the units by\ntheir ids and say only formation, terrain and "
	    "contacts.\nThe rules themselves are in umpire-rules(7).\n");
}

/* Prints the list, one system, or its template. */
static int
cmd_rules_run(struct cmd_ctx *cx)
{
	const char *id = cmd_arg(cx, 0);
	const struct rules_system *sys;

	if (id == NULL && opt_has(&cx->opts, "template"))
		return (cmd_usage(cx, "a template of which system?"));
	if (id == NULL)
		return (cmd_rules_list(cx));
	if ((sys = rules_find(id)) == NULL) {
		out_error("there is no rule system '%s'", id);
		out_note("`umpire rules` lists them.");
		return (EX_DATAERR);
	}
	if (opt_has(&cx->opts, "template"))
		(void)fputs(sys->template_text, cx->out.f);
	else if (cx->out.is_json)
		out_json(&cx->out, cmd_rules_json(sys));
	else
		cmd_rules_text(&cx->out, sys);
	return (EX_OK);
}

static const struct opt_def cmd_rules_opts[] = {
    {"template", 0, NULL, false, "print only the combat to fill in"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_rules = {
    .name = "rules",
    .args = "[SYSTEM]",
    .what = "show the rule systems: facts, rulings, a template",
    .opts = cmd_rules_opts,
    .min_args = 0,
    .max_args = 1,
    .more = "Without SYSTEM it lists the rule systems.\n",
    .examples = "  umpire rules\n"
		"  umpire rules lasalle2\n"
		"  umpire rules lasalle2 --template > combat.json\n",
    .run = cmd_rules_run,
};
