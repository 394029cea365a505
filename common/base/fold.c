/* SPDX-License-Identifier: ISC */
/* Greedy, word by word. */
#include "common/base/fold.h"

#include <sys/ioctl.h>

#include <string.h>

int
fold_width(int fd)
{
	struct winsize ws;

	if (ioctl(fd, TIOCGWINSZ, &ws) == -1 || ws.ws_col == 0)
		return (0);
	return (ws.ws_col < FOLD_LEAST ? FOLD_LEAST : ws.ws_col);
}

/* Characters among n bytes of UTF-8. */
static int
fold_columns(const char *s, size_t n)
{
	size_t i;
	int w = 0;

	for (i = 0; i < n; i++)
		w += ((unsigned char)s[i] & 0xc0) != 0x80;
	return (w);
}

size_t
fold_text(char *out, size_t max, const char *s, int column, int hang, int width)
{
	size_t blanks, n, used = 0;
	int w;

	while (*s != '\0') {
		blanks = strspn(s, " ");
		n = strcspn(s + blanks, " ");
		w = fold_columns(s + blanks, n);
		if (column > hang && column + (int)blanks + w > width) {
			if (used + 1 + (size_t)hang + n > max)
				break;
			out[used++] = '\n';
			memset(out + used, ' ', (size_t)hang);
			used += (size_t)hang;
			column = hang;
		} else {
			if (used + blanks + n > max)
				break;
			memset(out + used, ' ', blanks);
			used += blanks;
			column += (int)blanks;
		}
		memcpy(out + used, s + blanks, n);
		used += n;
		column += w;
		s += blanks + n;
	}
	return (used);
}
