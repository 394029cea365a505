/* SPDX-License-Identifier: ISC */
#include "server/base/names.h"

#include <string.h>

#define NAMES_FIRST "abcdefghijklmnopqrstuvwxyz0123456789"

/* True if n bytes could be an account's name (umpire-protocol.7, Login). */
static bool
names_is_account(const char *s, size_t n)
{
	return (n > 0 && n <= NAMES_LEN && strchr(NAMES_FIRST, s[0]) != NULL &&
	    strspn(s, NAMES_FIRST "._-") >= n);
}

int
names_read(const char *text, struct names *out, struct errinfo *e)
{
	struct names got = {.n = 0};
	size_t n;

	for (; *text != '\0'; text += n + strspn(text + n, " ")) {
		n = strcspn(text, " ");
		if (!names_is_account(text, n))
			return (err_set(e, ERR_INVALID, "",
			    "\"%.*s\" cannot be an account", (int)n, text));
		if (got.n == NAMES_MAX)
			return (err_set(e, ERR_INVALID, "",
			    "more than %d accounts", NAMES_MAX));
		memcpy(got.list[got.n], text, n);
		got.list[got.n][n] = '\0';
		if (names_has(&got, got.list[got.n]))
			return (err_set(e, ERR_INVALID, "",
			    "\"%.*s\" stands there twice", (int)n, text));
		got.n++;
	}
	*out = got;
	return (0);
}

bool
names_has(const struct names *names, const char *account)
{
	size_t i;

	for (i = 0; i < names->n; i++) {
		if (strcmp(names->list[i], account) == 0)
			return (true);
	}
	return (false);
}
