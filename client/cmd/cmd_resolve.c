/* SPDX-License-Identifier: ISC */
/*
 * umpire resolve: a combat from a scenario file, without a server.  Dice that
 * the file does not script come from this machine's random source.
 */
#include <stdint.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/datafile.h"
#include "client/cmd/picture.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/rolls.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_question.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

#define CMD_RESOLVE_MAX 16777216 /* bytes of a scenario file */

/* A uniform number 0 .. m - 1 (1 <= m <= 65,535), by rejection. */
static int
cmd_resolve_uniform(unsigned m, unsigned *out, struct errinfo *e)
{
	unsigned limit = 65536 - 65536 % m, v;
	uint8_t b[2];
	int r;

	do {
		if ((r = hash_random(b, sizeof(b))) != 0)
			return (err_set(
			    e, r, NULL, "there is no source of randomness"));
		v = (unsigned)b[0] << 8 | b[1];
	} while (v >= limit);
	*out = v % m;
	return (0);
}

/* combat_dice: rolls. */
static int
cmd_resolve_roll_cb(void *arg, const char *label, unsigned sides,
    unsigned count, uint16_t *dice, struct errinfo *e)
{
	unsigned i, v;
	int r;

	(void)arg;
	(void)label;
	for (i = 0; i < count; i++) {
		if ((r = cmd_resolve_uniform(sides, &v, e)) != 0)
			return (r);
		dice[i] = (uint16_t)(v + 1);
	}
	return (0);
}

/* combat_dice: draws one chit that was not drawn yet. */
static int
cmd_resolve_draw_cb(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e)
{
	unsigned left;
	int r;

	(void)arg;
	(void)label;
	(void)ids;
	if ((r = cmd_resolve_uniform(n - nhad, &left, e)) != 0)
		return (r);
	*pick = rolls_chit_left(n, had, nhad, left);
	return (0);
}

/* Prints the outcome for people. */
static int
cmd_resolve_text(struct out *o, const json_t *output)
{
	const json_t *pending = json_object_get(output, "pending"), *v;
	const struct rules_system *sys;
	struct render *rd;
	struct buf b;
	size_t i;

	sys = systems_find(js_str(output, "system"));
	if (sys == NULL || (rd = render_new(sys)) == NULL)
		return (EX_SOFTWARE);
	buf_init(&b, 0);
	json_array_foreach(json_object_get(output, "events"), i, v)
	    render_event(rd, v, &b);
	if (pending != NULL)
		render_question(rd, pending, &b);
	out_print(o, "%s", buf_str(&b));
	buf_clear(&b);
	render_free(rd);
	return (EX_OK);
}

/* Shows what came of it, in all ways that are asked for. */
static int
cmd_resolve_show(struct cmd_ctx *cx, json_t *output)
{
	int status = EX_OK, drawn = EX_OK;

	if (picture_is_wanted(cx))
		drawn =
		    picture_write(cx, systems_find(js_str(output, "system")),
			json_object_get(output, "events"));
	if (!picture_is_all(cx)) {
		if (opt_has(&cx->opts, "text") && !cx->out.is_json)
			status = cmd_resolve_text(&cx->out, output);
		else
			out_json(&cx->out, json_incref(output));
	}
	return (status != EX_OK ? status : drawn);
}

/* Reads the file and runs it. */
static int
cmd_resolve_run(struct cmd_ctx *cx)
{
	const struct combat_dice dice = {
	    .roll = cmd_resolve_roll_cb, .draw = cmd_resolve_draw_cb};
	json_t *file = NULL, *output = NULL;
	struct errinfo e = {.text = ""};
	struct buf b;
	int r, status;

	if ((status = picture_check(cx)) != 0)
		return (status);
	buf_init(&b, 0);
	if ((r = file_read(cmd_arg(cx, 0), CMD_RESOLVE_MAX, &b, &e)) != 0) {
		buf_clear(&b);
		status = cmd_fail(r, &e);
		return (r == ERR_IO ? EX_NOINPUT : status);
	}
	r = js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &file, &e);
	buf_clear(&b);
	if (r == 0 && cmd_is_roster(cmd_arg(cx, 0), file)) {
		json_decref(file);
		return (EX_DATAERR);
	}
	if (r == 0)
		r = scenario_run(file, datafile_default(), &dice, &output, &e);
	json_decref(file);
	if (r != 0)
		return (cmd_fail_in(cmd_arg(cx, 0), r, &e));
	status = cmd_resolve_show(cx, output);
	json_decref(output);
	return (status);
}

static const struct opt_def cmd_resolve_opts[] = {
    {"text", 0, NULL, false, "print the log for people instead of JSON"},
    PICTURE_OPTION,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_resolve = {
    .opts = cmd_resolve_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_resolve_run,
};
