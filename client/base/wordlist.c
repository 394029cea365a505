/* SPDX-License-Identifier: ISC */
/* Lines into words. */
#include "client/base/wordlist.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/utf8.h"

#define WORDLIST_BLANK " \t"

int
wordlist_split(const char *line, json_t **words, struct errinfo *e)
{
	json_t *list;
	size_t len;
	char mark[2] = "";

	if (!utf8_is_valid(line, strlen(line)))
		return (err_set(e, ERR_INVALID, NULL, "this is not UTF-8"));
	list = xalloc_json(json_array());
	for (line += strspn(line, WORDLIST_BLANK); *line != '\0';
	     line += strspn(line, WORDLIST_BLANK)) {
		if (*line != '\'' && *line != '"') {
			len = strcspn(line, WORDLIST_BLANK);
			xalloc_append(list, json_stringn(line, len));
			line += len;
			continue;
		}
		mark[0] = *line++;
		len = strcspn(line, mark);
		if (line[len] == '\0') {
			json_decref(list);
			return (err_set(e, ERR_INVALID, NULL,
			    "a word begins with %s: where does it end?", mark));
		}
		xalloc_append(list, json_stringn(line, len));
		line += len + 1;
	}
	*words = list;
	return (0);
}

void
wordlist_add(json_t *words, const char *word)
{
	xalloc_append(words, xalloc_json_str(word));
}

const char *
wordlist_get(const json_t *words, size_t i)
{
	const char *s = json_string_value(json_array_get(words, i));

	return (s == NULL ? "" : s);
}
