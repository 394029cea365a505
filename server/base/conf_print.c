/* SPDX-License-Identifier: ISC */
/* Prints settings as a configuration file that documents itself. */
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "server/base/conf.h"

#define CONF_WIDTH 78 /* columns of printed documentation */

/* Appends text as comment lines of at most CONF_WIDTH columns. */
static void
conf_print_comment(const char *text, struct buf *out)
{
	size_t column = 0, n;

	while (*text != '\0') {
		n = strcspn(text, " ");
		if (column > 0 && column + 1 + n > CONF_WIDTH) {
			buf_putc(out, '\n');
			column = 0;
		}
		buf_puts(out, column == 0 ? "# " : " ");
		column += (column == 0 ? 2 : 1) + n;
		buf_add(out, text, n);
		text += n;
		text += strspn(text, " ");
	}
	buf_putc(out, '\n');
}

/* Appends what values a row takes, and when a change takes effect. */
static void
conf_print_values(const struct conf_key *key, struct buf *out)
{
	char line[160];
	size_t i, used = 0;

	line[0] = '\0';
	if (key->type == CONF_NUMBER)
		used = (size_t)snprintf(line, sizeof(line), "%lld to %lld. ",
		    (long long)key->lo, (long long)key->hi);
	for (i = 0; key->type == CONF_WORD && key->words[i] != NULL; i++)
		used +=
		    (size_t)snprintf(line + used, sizeof(line) - used, "%s%s",
			key->words[i], key->words[i + 1] == NULL ? ". " : ", ");
	(void)snprintf(line + used, sizeof(line) - used, "%s",
	    key->is_reloadable ? "Reread at SIGHUP." : "Needs a restart.");
	conf_print_comment(line, out);
}

/* Appends one line that sets a row. */
static void
conf_print_line(const char *sign, const char *name, const char *value, size_t n,
    struct buf *out)
{
	/* A line that was read may have had no room for blanks. */
	const char *blank = strlen(name) + 3 + n > CONF_LINE_MAX ? "" : " ";

	buf_printf(out, "%s%s%s=%s%.*s\n", sign, name, blank,
	    n == 0 ? "" : blank, (int)n, value);
}

/* Appends what sets a row: a list on as many lines as its pieces take. */
static void
conf_print_row(const struct conf_key *key, const char *value, struct buf *out)
{
	const char *sign = strcmp(value, key->fallback) == 0 ? "#" : "";
	const size_t width = CONF_WIDTH - strlen(key->name) - 3;
	size_t n, next;

	while (conf_is_list(key) && strlen(value) > width) {
		n = strcspn(value, " ");
		while (value[n] != '\0' &&
		    (next = n + 1 + strcspn(value + n + 1, " ")) <= width)
			n = next;
		if (value[n] == '\0')
			break;
		conf_print_line(sign, key->name, value, n, out);
		value += n + 1;
	}
	conf_print_line(sign, key->name, value, strlen(value), out);
}

void
conf_print(const struct conf *c, struct buf *out)
{
	const struct conf_key *keys;
	size_t i, n;

	keys = conf_keys(&n);
	conf_print_comment("Settings of umpired(8); umpired.conf(5) says more. "
			   "The values in comments are the defaults.",
	    out);
	for (i = 0; i < n; i++) {
		buf_putc(out, '\n');
		conf_print_comment(keys[i].what, out);
		conf_print_values(&keys[i], out);
		conf_print_row(&keys[i], c->raw[i], out);
	}
}
