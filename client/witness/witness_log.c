/* SPDX-License-Identifier: ISC */
/* One line an event, for people or, with --json, for programs. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/ui/cmd.h"
#include "client/witness/witness_int.h"
#include "common/base/clock.h"
#include "common/base/hex.h"

#define WITNESS_LOG_DIGITS 12 /* of a game's id, for people */

void
witness_log(struct witness *w, const char *event, const struct witness_row *row,
    int64_t seq, const char *fmt, ...)
{
	char at[CLOCK_AT_LEN + 1], hex[2 * HASH_LEN + 1] = "";
	struct out *o = &w->cx->out;
	char *text;
	va_list ap;
	json_t *v;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) == -1)
		xalloc_die();
	va_end(ap);
	clock_format(at, clock_wall_ms());
	if (row != NULL)
		hex_format(hex, row->id, HASH_LEN);
	if (o->is_json) {
		v = xalloc_json(
		    json_pack("{s:s, s:s}", "at", at, "event", event));
		if (row != NULL)
			xalloc_set(v, witness_kind(row->is_cup)->member,
			    json_string(hex));
		if (seq >= 0)
			xalloc_set(v, "line", json_integer(seq));
		xalloc_set(v, "text", xalloc_json_str(text));
		out_json(o, v);
	} else {
		out_print(o, "%s %s", at, event);
		if (row != NULL)
			out_print(o, "%s %.*s",
			    row->is_cup ? " tournament" : "",
			    WITNESS_LOG_DIGITS, hex);
		if (seq >= 0)
			out_print(o, " line %lld", (long long)seq);
		out_print(o, "%s%s\n", *text == '\0' ? "" : ": ", text);
	}
	(void)fflush(o->f); /* cmds_main() looks at the stream's state */
	free(text);
}
