/* SPDX-License-Identifier: ISC */
/*
 * Writes the dispatch table as an OpenRPC document, so that a program learns
 * from a running daemon just what that daemon does.  It adds nothing of its
 * own but the errors that every method may give.
 */
#include "server/rpc/discover.h"

#include <string.h>

#include "common/base/err.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"
#include "common/record/rpc.h"
#include "server/rpc/call.h"

#define DISCOVER_OPENRPC "1.3.2"

/* Errors that any method may give. */
static const int discover_errors[] = {
    ERR_REQUEST, ERR_INVALID, ERR_BUSY, ERR_LIMIT, ERR_INTERNAL, 0};

/* Errors that may refuse an order of any kind. */
static const int discover_order_errors[] = {
    ERR_SERVER, ERR_SIGNATURE, ERR_TOOBIG, ERR_ILLEGAL, ERR_STORAGE, 0};

/*
 * A schema; new, NULL without memory.  jansson's own parser may end the program
 * then.
 */
static json_t *
discover_schema(const char *text)
{
	json_t *v;

	return (js_load(text, strlen(text), JS_DEPTH_RPC, &v, NULL) == 0
		? v
		: NULL);
}

/* A param as a content descriptor; new. */
static json_t *
discover_field(const struct call_field *field)
{
	return (json_pack("{s:s, s:s, s:b, s:o}", "name", field->name,
	    "description", field->what, "required", !field->is_optional,
	    "schema", discover_schema(field->schema)));
}

/* Appends the errors of a list that ends with 0. */
static int
discover_add_errors(json_t *list, const int *errors)
{
	size_t i;

	for (i = 0; errors != NULL && errors[i] != 0; i++) {
		/* A method's own limits have the code that all have. */
		if (errors != discover_errors && errors[i] == ERR_LIMIT)
			continue;
		if (json_array_append_new(list,
			json_pack("{s:i, s:s, s:{s:s}}", "code",
			    rpc_code(errors[i]), "message", err_text(errors[i]),
			    "data", "name", err_name(errors[i]))) == -1)
			return (ERR_NOMEM);
	}
	return (0);
}

/* The params of a method, or the args of an order, as a list; new. */
static json_t *
discover_params(const struct call_field *fields)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; fields != NULL && fields[i].name != NULL; i++)
		call_append(&list, discover_field(&fields[i]));
	return (list);
}

/* The schema of a result with these members (NULL: any object); new. */
static json_t *
discover_result(const struct call_field *fields)
{
	json_t *members = json_object(), *required = json_array();
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && fields != NULL && fields[i].name != NULL; i++) {
		r = json_object_set_new(
		    members, fields[i].name, discover_schema(fields[i].schema));
		if (r == 0)
			r = json_object_set_new(
			    json_object_get(members, fields[i].name),
			    "description", json_string(fields[i].what));
		if (r == 0 && !fields[i].is_optional)
			r = json_array_append_new(
			    required, json_string(fields[i].name));
	}
	if (r != 0) {
		json_decref(members);
		json_decref(required);
		return (NULL);
	}
	return (json_pack("{s:s, s:o, s:o}", "type", "object", "properties",
	    members, "required", required));
}

/* One method or notice; new. */
static json_t *
discover_method(const struct call_method *method)
{
	json_t *m, *errors = json_array();

	m = json_pack("{s:s, s:s, s:s, s:o}", "name", method->name, "summary",
	    method->what, "paramStructure", "by-name", "params",
	    discover_params(method->params));
	if (method->handle == NULL && method->fill == NULL) {
		json_decref(errors);
		return (m);
	}
	if (discover_add_errors(errors, method->errors) != 0 ||
	    discover_add_errors(errors, discover_errors) != 0 ||
	    json_object_set_new(m, "result",
		json_pack("{s:s, s:o}", "name", "result", "schema",
		    discover_result(method->result))) == -1 ||
	    json_object_set(m, "errors", errors) == -1 ||
	    json_object_set_new(
		m, "x-login", json_boolean(method->needs_login)) == -1) {
		json_decref(m);
		m = NULL;
	}
	json_decref(errors);
	return (m);
}

/* A list of n methods or notices; new. */
static json_t *
discover_list(const struct call_method *const *all, size_t n)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < n; i++)
		call_append(&list, discover_method(all[i]));
	return (list);
}

/* The args of an order as a list; new. */
static json_t *
discover_args(const struct order_arg *args)
{
	json_t *list = json_array();

	for (; args->name != NULL; args++) {
		const struct call_field field = {
		    args->name, args->schema, args->is_optional, args->what};

		call_append(&list, discover_field(&field));
	}
	return (list);
}

/* The kinds of orders as a list; new. */
static json_t *
discover_order_list(void)
{
	static const char *const classes[] = {
	    "start", "turn", "reply", "end", "talk"};
	json_t *list = json_array(), *errors;
	const struct order_row *row;
	int i, r = 0;

	for (i = 0; r == 0 && i < ORDER_UNKNOWN; i++) {
		row = order_kind_row((enum order_kind)i);
		errors = json_array();
		r = discover_add_errors(errors, row->errors);
		if (r == 0)
			r = discover_add_errors(errors, discover_order_errors);
		if (json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:o, s:o}", "kind",
			    row->name, "class", classes[row->class], "summary",
			    row->what, "args", discover_args(row->args),
			    "errors", errors)) == -1)
			r = ERR_NOMEM;
	}
	if (r != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

json_t *
discover_document(const struct call_table *table)
{
	return (json_pack("{s:s, s:{s:s, s:s}, s:o, s:o, s:o}", "openrpc",
	    DISCOVER_OPENRPC, "info", "title", "umpired", "version",
	    PACKAGE_VERSION, "methods",
	    discover_list(table->methods, table->n_methods), "x-notices",
	    discover_list(table->notices, table->n_notices), "x-orders",
	    discover_order_list()));
}
