/* SPDX-License-Identifier: ISC */
/* Lines into words. */
#include "client/base/wordlist.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/utf8.h"

#define WORDLIST_BLANK " \t"

/* How much of a word stands before a mark that may begin its text: name="x". */
static size_t
wordlist_head(const char *line)
{
	const size_t n = strcspn(line, WORDLIST_BLANK "=");

	if (line[n] == '=' && (line[n + 1] == '\'' || line[n + 1] == '"'))
		return (n + 1);
	return (0);
}

int
wordlist_split(const char *line, json_t **words, struct errinfo *e)
{
	json_t *list;
	size_t head, len;
	char mark[2] = "";
	char *text, *word;

	if (!utf8_is_valid(line, strlen(line)))
		return (err_set(e, ERR_INVALID, NULL, "this is not UTF-8"));
	list = xalloc_json(json_array());
	for (line += strspn(line, WORDLIST_BLANK); *line != '\0';
	     line += strspn(line, WORDLIST_BLANK)) {
		head = wordlist_head(line);
		if (line[head] != '\'' && line[head] != '"') {
			len = head + strcspn(line + head, WORDLIST_BLANK);
			xalloc_append(list, json_stringn(line, len));
			line += len;
			continue;
		}
		mark[0] = line[head];
		word = xalloc_printf("%.*s", (int)head, line);
		line += head + 1;
		len = strcspn(line, mark);
		if (line[len] == '\0') {
			json_decref(list);
			free(word);
			return (err_set(e, ERR_INVALID, NULL,
			    "a word begins with %s: where does it end?", mark));
		}
		text = xalloc_printf("%s%.*s", word, (int)len, line);
		xalloc_append(list, xalloc_json_str(text));
		free(text);
		free(word);
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
