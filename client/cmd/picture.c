/* SPDX-License-Identifier: ISC */
#include "client/cmd/picture.h"

#include <string.h>
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/profile/file.h"
#include "client/report/sketch.h"
#include "common/base/buf.h"
#include "common/rules/show/scene.h"

bool
picture_is_wanted(const struct cmd_ctx *cx)
{
	return (opt_has(&cx->opts, "svg"));
}

bool
picture_is_all(const struct cmd_ctx *cx)
{
	const char *path = opt_get(&cx->opts, "svg");

	return (path != NULL && strcmp(path, "-") == 0);
}

int
picture_check(struct cmd_ctx *cx)
{
	const char *path = opt_get(&cx->opts, "svg");

	if (path == NULL)
		return (0);
	if (*path == '\0')
		return (cmd_usage(cx, "--svg needs the name of a file"));
	if (!picture_is_all(cx))
		return (0);
	if (cx->out.is_json)
		return (cmd_usage(cx,
		    "--json and a picture do not both go to standard output: "
		    "name a file for --svg"));
	if (cx->out.is_tty)
		return (cmd_usage(cx,
		    "a terminal cannot show an SVG picture: name a file for "
		    "--svg"));
	return (0);
}

int
picture_write(
    struct cmd_ctx *cx, const struct rules_system *sys, const json_t *events)
{
	const char *path = opt_get(&cx->opts, "svg");
	struct errinfo e = {.text = ""};
	struct scene *s;
	struct buf b;
	int r;

	if ((r = scene_make(sys, NULL, events, &s)) != 0)
		return (cmd_fail(r, &e));
	if (s == NULL)
		return (EX_DATAERR);
	buf_init(&b, 0);
	sketch_svg_write(s, &b);
	scene_free(s);
	r = buf_error(&b);
	if (r == 0 && picture_is_all(cx))
		out_bytes(&cx->out, b.data, b.len);
	else if (r == 0)
		r = file_write(path, b.data, b.len, 0644, &e);
	buf_clear(&b);
	if (r == 0)
		return (EX_OK);
	(void)cmd_fail(r, &e); /* the status is the one for output files */
	return (EX_CANTCREAT);
}
