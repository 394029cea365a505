/* SPDX-License-Identifier: ISC */
/* Splits settings that have parts. */
#include <string.h>

#include "common/base/err.h"
#include "server/base/conf.h"

int
conf_split_address(const char *s, char host[CONF_HOST_MAX + 1], uint16_t *port)
{
	const char *colon = strrchr(s, ':'), *digit;
	size_t len;
	long n = 0;

	if (colon == NULL || colon == s || colon[1] == '\0')
		return (ERR_INVALID);
	for (digit = colon + 1; *digit != '\0'; digit++) {
		if (*digit < '0' || *digit > '9' ||
		    (n = 10 * n + (*digit - '0')) > UINT16_MAX)
			return (ERR_INVALID);
	}
	len = (size_t)(colon - s);
	if (s[0] == '[') {
		if (len < 3 || s[len - 1] != ']')
			return (ERR_INVALID);
		s++;
		len -= 2;
	} else if (memchr(s, ':', len) != NULL) {
		return (ERR_INVALID);
	}
	if (len > CONF_HOST_MAX || memchr(s, '[', len) != NULL ||
	    memchr(s, ']', len) != NULL)
		return (ERR_INVALID);
	if (len == 1 && s[0] == '*')
		len = 0;
	memcpy(host, s, len);
	host[len] = '\0';
	*port = (uint16_t)n;
	return (0);
}

int
conf_split_startups(const char *s, int64_t out[3])
{
	int64_t n[3] = {0, 0, 0};
	size_t digits = 0, i = 0;

	for (; s[0] != '\0'; s++) {
		if (s[0] == ':' && digits > 0 && i < 2) {
			i++;
			digits = 0;
		} else if (s[0] >= '0' && s[0] <= '9' && digits < 7) {
			n[i] = 10 * n[i] + (s[0] - '0');
			digits++;
		} else {
			return (ERR_INVALID);
		}
	}
	if ((i > 0 || digits > 0) &&
	    (i != 2 || digits == 0 || n[1] < 1 || n[1] > 100 || n[2] < 1 ||
		n[0] > n[2] || n[2] > 1000000))
		return (ERR_INVALID);
	memcpy(out, n, sizeof(n));
	return (0);
}
