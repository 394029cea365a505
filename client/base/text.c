/* SPDX-License-Identifier: ISC */
/* Texts of strangers, made safe for a terminal. */
#include "client/base/text.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"

void
text_clean(struct buf *b, const char *s, bool may_break)
{
	uint32_t cp;
	size_t len, n;

	for (len = strlen(s); len > 0; s += n, len -= n) {
		if ((n = utf8_get(s, len, &cp)) == 0) {
			n = 1;
			buf_putc(b, '?');
		} else if (cp == '\n' || cp == '\t') {
			buf_putc(b, cp == '\n' && may_break ? '\n' : ' ');
		} else if (utf8_is_plain(cp)) {
			buf_add(b, s, n);
		} else {
			buf_putc(b, '?');
		}
	}
}

char *
text_safe(const char *s)
{
	struct buf b;

	buf_init(&b, 0);
	text_clean(&b, s, false);
	return (xalloc_take(&b));
}

const char *
text_member(const json_t *object, const char *name)
{
	const char *s = json_string_value(json_object_get(object, name));

	return (s == NULL ? "" : s);
}

char *
text_shell(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._/+-@%:,";
	struct buf b;

	buf_init(&b, 0);
	/* It would be taken for an option. */
	if (path[0] == '-' && path[1] != '\0')
		buf_puts(&b, "./");
	if (*path != '\0' && path[strspn(path, plain)] == '\0') {
		buf_puts(&b, path);
		return (xalloc_take(&b));
	}
	buf_putc(&b, '\'');
	for (; *path != '\0'; path++) {
		if (*path == '\'')
			buf_puts(&b, "'\\'");
		buf_putc(&b, *path);
	}
	buf_putc(&b, '\'');
	return (xalloc_take(&b));
}
