/* SPDX-License-Identifier: ISC */
/*
 * Questions: each loop asks until the answer is one of what was offered.
 * Labels and questions may hold names out of a roster, so they are made safe
 * here before they become part of a prompt.
 */
#include "client/ui/ask.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/ui/opt.h"
#include "client/ui/text_columns.h"
#include "common/base/err.h"
#include "common/base/utf8.h"

#define ASK_TYPED 4 /* columns that a prompt leaves for an answer */
#define ASK_RANGE_MAX 1000 /* numbers of a range that a prompt tells */
#define ASK_ANYWHERE "b: back, q: quit, ?: help"
#define ASK_HELP "b goes back one step, q leaves these questions."

/* Says a formatted line. */
static void __attribute__((format(printf, 2, 3)))
ask_say(const struct ask_io *io, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	io->say(io->arg, 0, s);
	free(s);
}

/* What the words mean that are the same at every question; 0: none of them. */
static int
ask_anywhere(const char *line)
{
	static const struct {
		const char *word;
		int r;
	} all[] = {
	    {"b", ASK_BACK},
	    {"back", ASK_BACK},
	    {"q", ERR_CLOSED},
	    {"quit", ERR_CLOSED},
	    {"exit", ERR_CLOSED},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(line, all[i].word) == 0)
			return (all[i].r);
	}
	return (0);
}

/* True for what asks for help, which every question gives in its own way. */
static bool
ask_is_help(const char *line)
{
	return (strcmp(line, "?") == 0 || strcmp(line, "help") == 0);
}

/*
 * Reads a line: 0, ASK_BACK or ERR_CLOSED.  A question that leaves no room
 * after it is said before the prompt; hint follows it there.
 */
static int
ask_line(const struct ask_io *io, const char *question, const char *hint,
    const json_t *words, char **line)
{
	int columns = OUT_WIDTH, r, rows;
	char *prompt, *s, *safe;

	if (io->size != NULL)
		io->size(io->arg, &rows, &columns);
	safe = text_safe(question);
	if (*safe != '\0' &&
	    text_width(safe) + (int)strlen(" > ") + (int)strlen(hint) +
		    ASK_TYPED >
		columns) {
		io->say(io->arg, 0, question);
		free(safe);
		safe = xalloc_str("");
	}
	prompt =
	    xalloc_printf("%s%s%s> ", safe, *safe == '\0' ? "" : " ", hint);
	free(safe);
	r = io->line(io->arg, prompt, words, &s);
	free(prompt);
	if (r != 0)
		return (r);
	if ((r = ask_anywhere(s)) != 0)
		free(s);
	else
		*line = s;
	return (r);
}

/* The labels as texts that complete a line; new. */
static json_t *
ask_words(const char *const labels[], size_t n)
{
	json_t *words;
	size_t i;

	words = xalloc_json(json_array());
	for (i = 0; i < n; i++)
		xalloc_append(words, xalloc_json_str(labels[i]));
	return (words);
}

/* How well a word of len bytes names a label: 0 not at all, 3 exactly. */
static int
ask_match(const char *label, const char *word, size_t len)
{
	if (strncasecmp(label, word, len) != 0)
		return (0);
	if (label[len] == '\0')
		return (3);
	/* The id before a name is as good as a whole word. */
	return (label[len] == ' ' ? 2 : 1);
}

/*
 * Finds the choice that a word of len bytes means: a number, or a label.
 * False if none, or several as well.
 */
static bool
ask_find(const char *const labels[], size_t n, const char *word, size_t len,
    size_t *pick)
{
	size_t i, hits = 0, found = 0;
	int best = 1, m;
	int64_t number;

	if (opt_number_in(word, len, 1, (int64_t)n, &number)) {
		*pick = (size_t)number - 1;
		return (true);
	}
	for (i = 0; len > 0 && i < n; i++) {
		if ((m = ask_match(labels[i], word, len)) < best)
			continue;
		hits = m > best ? 1 : hits + 1;
		best = m;
		found = i;
	}
	if (hits != 1)
		return (false);
	*pick = found;
	return (true);
}

/*
 * Reads an answer to a list: as ask_line(), but an empty line shows the next
 * page while there is one, and "?" the list again, with nothing cut, and what
 * may be typed (help).  may: the same for the prompt; enter: what an empty
 * line means on the last page, or "".
 */
static int
ask_listed(struct ask_list *l, const char *may, const char *help,
    const char *enter, const json_t *words, char **line)
{
	bool has_more;
	char *hint;
	int r;

	for (;;) {
		has_more = ask_list_has_more(l);
		hint = xalloc_printf("%s%s, %s%s",
		    has_more ? ASK_MORE ", " : "", may,
		    l->is_cut ? "b: back, q: quit, ?: in full" : ASK_ANYWHERE,
		    has_more ? "" : enter);
		r = ask_line(l->io, "", hint, words, line);
		free(hint);
		if (r != 0)
			return (r);
		if (**line == '\0' && has_more) {
			ask_list_more(l);
		} else if (ask_is_help(*line)) {
			ask_list_whole(l);
			ask_say(l->io, "%s; " ASK_HELP, help);
		} else {
			return (0);
		}
		free(*line);
	}
}

int
ask_choice(const struct ask_io *io, const char *title,
    const char *const labels[], size_t n, int fallback, size_t *pick)
{
	json_t *words = ask_words(labels, n);
	char *enter, *help, *line, *range;
	struct ask_list l;
	int r;

	if (n == 1)
		fallback = 0;
	ask_list_begin(&l, io, title, labels, n);
	range = n == 1 ? xalloc_str("1") : xalloc_printf("1-%zu", n);
	help = n == 1 ? xalloc_str("Type 1, or enough of its words")
		      : xalloc_printf("Type a number from 1 to %zu, or enough "
				      "of a choice's words",
			    n);
	enter = fallback < 0 ? xalloc_str("")
			     : xalloc_printf(" [%d]", fallback + 1);
	while ((r = ask_listed(&l, range, help, enter, words, &line)) == 0) {
		bool is_found = true;

		if (*line == '\0' && fallback >= 0)
			*pick = (size_t)fallback;
		else
			is_found =
			    ask_find(labels, n, line, strlen(line), pick);
		free(line);
		if (is_found)
			break;
		ask_say(io, "%s; " ASK_HELP, help);
	}
	free(enter);
	free(help);
	free(range);
	json_decref(words);
	return (r);
}

/* What was picked so far; each at most once. */
struct ask_picks {
	size_t *picks; /* borrowed; room for n */
	size_t n_picks;
	bool *has; /* owned; which are in it */
};

/* Adds one, if it is not there yet. */
static void
ask_add(struct ask_picks *p, size_t i)
{
	if (p->has[i])
		return;
	p->has[i] = true;
	p->picks[p->n_picks++] = i;
}

/* Reads "3-5"; false if it is not two numbers of choices. */
static bool
ask_range(struct ask_picks *p, const char *word, size_t len, size_t n)
{
	const char *dash = memchr(word, '-', len);
	const size_t at = dash == NULL ? 0 : (size_t)(dash - word);
	int64_t lo, hi;

	if (dash == NULL || !opt_number_in(word, at, 1, (int64_t)n, &lo) ||
	    !opt_number_in(dash + 1, len - at - 1, 1, (int64_t)n, &hi))
		return (false);
	for (; lo < hi; lo++)
		ask_add(p, (size_t)lo - 1);
	for (; lo > hi; lo--)
		ask_add(p, (size_t)lo - 1);
	ask_add(p, (size_t)hi - 1);
	return (true);
}

/* Reads "davout*": all that begin so; false if none does. */
static bool
ask_star(struct ask_picks *p, const char *const labels[], size_t n,
    const char *word, size_t len)
{
	bool has_some = false;
	size_t i;

	if (len < 2 || word[len - 1] != '*')
		return (false);
	for (i = 0; i < n; i++) {
		if (strncasecmp(labels[i], word, len - 1) != 0)
			continue;
		ask_add(p, i);
		has_some = true;
	}
	return (has_some);
}

/* What may be typed where n are offered. */
static const char *
ask_such(size_t n)
{
	return (n == 1  ? "1"
		: n < 5 ? "numbers, such as 1 2"
			: "numbers, such as 1 3-5");
}

/* Says why a word of a line cannot be taken. */
static void
ask_bad(const struct ask_io *io, const char *const labels[], size_t n,
    const char *word, size_t len)
{
	char *bad = xalloc_strn(word, len);
	size_t i, hits = 0;

	for (i = 0; i < n; i++)
		hits += ask_match(labels[i], word, len) > 0;
	if (strspn(bad, "0123456789") == len)
		ask_say(io, "There is no %s: the last is %zu.", bad, n);
	else if (hits > 1)
		ask_say(io,
		    "Several begin with '%s': type more of one, or %s* for all "
		    "of them; " ASK_HELP,
		    bad, bad);
	else
		ask_say(io, "'%s' is not among them: type %s; " ASK_HELP, bad,
		    ask_such(n));
	free(bad);
}

/* Reads all words of a line; false at the first that means nothing. */
static bool
ask_parse(const struct ask_io *io, struct ask_picks *p,
    const char *const labels[], size_t n, const char *line)
{
	size_t i, len, pick;

	if (strcasecmp(line, "none") == 0)
		return (true);
	if (strcasecmp(line, "all") == 0) {
		for (i = 0; i < n; i++)
			ask_add(p, i);
		return (true);
	}
	/* One label may have blanks in it. */
	if (ask_find(labels, n, line, strlen(line), &pick)) {
		ask_add(p, pick);
		return (true);
	}
	for (;; line += len) {
		line += strspn(line, " ,\t");
		if ((len = strcspn(line, " ,\t")) == 0)
			return (true);
		if (ask_find(labels, n, line, len, &pick)) {
			ask_add(p, pick);
		} else if (!ask_range(p, line, len, n) &&
		    !ask_star(p, labels, n, line, len)) {
			ask_bad(io, labels, n, line, len);
			return (false);
		}
	}
}

/*
 * True if the number of picks is within its bounds; says so if not.  is_said:
 * that there are none was said, or need not be.
 */
static bool
ask_is_enough(const struct ask_io *io, size_t n, size_t n_picks, size_t least,
    size_t most, bool is_said)
{
	if (n_picks >= least && n_picks <= most && (n_picks > 0 || is_said))
		return (true);
	if (n_picks == 0)
		ask_say(io, "Type %s%s; " ASK_HELP, ask_such(n),
		    least == 0 ? ", or none" : "");
	else if (least == most)
		ask_say(io, "It must be %zu; these are %zu.", least, n_picks);
	else if (n_picks < least)
		ask_say(io, "At least %zu: these are %zu.", least, n_picks);
	else
		ask_say(io, "At most %zu: these are %zu.", most, n_picks);
	return (false);
}

int
ask_some(const struct ask_io *io, const char *title, const char *const labels[],
    size_t n, size_t least, size_t most, bool may_enter, size_t *picks,
    size_t *n_picks)
{
	const char *enter = least == 0 ? (may_enter ? "none" : NULL)
	    : least < n                ? NULL
	    : n == 1                   ? "1"
				       : "all";

	return (ask_some_or(
	    io, title, labels, n, least, most, enter, picks, n_picks));
}

int
ask_some_or(const struct ask_io *io, const char *title,
    const char *const labels[], size_t n, size_t least, size_t most,
    const char *enter, size_t *picks, size_t *n_picks)
{
	json_t *words = ask_words(labels, n);
	struct ask_picks p = {.picks = picks};
	bool is_done = false;
	char *help, *hint, *line, *may;
	struct ask_list l;
	int r = 0;

	ask_list_begin(&l, io, title, labels, n);
	p.has = xalloc(n == 0 ? 1 : n * sizeof(*p.has));
	may = xalloc_printf("%s%s%s",
	    n == 1      ? "1"
		: n < 5 ? "numbers (1 2)"
			: "numbers (1 3-5)",
	    most >= n && n > 1 ? ", all" : "", least == 0 ? ", none" : "");
	help = xalloc_printf(n == 1
		? "Type %s, or enough of its words"
		: "Type numbers or the beginnings of words, such as %s or "
		  "guard* for all that begin so",
	    n == 1      ? "1"
		: n < 5 ? "1 2"
			: "1 3-5");
	hint = enter == NULL ? xalloc_str("") : xalloc_printf(" [%s]", enter);
	while (!is_done &&
	    (r = ask_listed(&l, may, help, hint, words, &line)) == 0) {
		const bool is_meant = *line == '\0' && enter != NULL;

		p.n_picks = 0;
		memset(p.has, 0, n * sizeof(*p.has));
		is_done =
		    ask_parse(io, &p, labels, n, is_meant ? enter : line) &&
		    ask_is_enough(io, n, p.n_picks, least, most,
			is_meant || *line != '\0');
		free(line);
	}
	free(hint);
	if (r == 0)
		*n_picks = p.n_picks;
	free(p.has);
	free(help);
	free(may);
	json_decref(words);
	return (r);
}

int
ask_more(const struct ask_io *io)
{
	bool is_empty;
	char *line;
	int r;

	while ((r = ask_line(
		    io, "", ASK_MORE ", " ASK_ANYWHERE, NULL, &line)) == 0) {
		is_empty = *line == '\0';
		free(line);
		if (is_empty)
			break;
		ask_say(io, "Enter or space shows more; " ASK_HELP);
	}
	return (r);
}

int
ask_yes(const struct ask_io *io, const char *question, int fallback, bool *yes)
{
	return (ask_yes_or(io, question, fallback, NULL, yes));
}

int
ask_yes_or(const struct ask_io *io, const char *question, int fallback,
    const struct ask_extra *extra, bool *yes)
{
	static const char *const labels[] = {"no", "yes"};
	static const char *const enter[] = {"", " [n]", " [y]"};
	json_t *words = ask_words(labels, 2);
	size_t pick = 0, i, len;
	bool is_found = false;
	char *hint, *line;
	int r = 0;

	hint = extra == NULL
	    ? xalloc_printf("y/n, " ASK_ANYWHERE "%s", enter[fallback + 1])
	    : xalloc_printf("y/n, %c: %s, " ASK_ANYWHERE "%s", extra->letter,
		  extra->word, enter[fallback + 1]);
	while (!is_found &&
	    (r = ask_line(io, question, hint, words, &line)) == 0) {
		len = strlen(line);
		if (len == 0 && fallback >= 0) {
			pick = (size_t)fallback;
			is_found = true;
		}
		for (i = 0; len > 0 && i < 2; i++) {
			if (strncasecmp(labels[i], line, len) == 0) {
				pick = i;
				is_found = true;
			}
		}
		if (!is_found && extra != NULL &&
		    ((line[0] == extra->letter && len == 1) ||
			strcasecmp(line, extra->word) == 0))
			extra->tell(extra->arg);
		else if (!is_found && extra != NULL)
			ask_say(io,
			    "Type y or n, or %c to see the %s; " ASK_HELP,
			    extra->letter, extra->word);
		else if (!is_found)
			ask_say(io, "Type y or n; " ASK_HELP);
		free(line);
	}
	if (r == 0)
		*yes = pick == 1;
	free(hint);
	json_decref(words);
	return (r);
}

/* Reads a whole number, which may be negative. */
static bool
ask_is_number(const char *s, int64_t lo, int64_t hi, int64_t *out)
{
	if (*s != '-')
		return (hi >= 0 && opt_number(s, lo < 0 ? 0 : lo, hi, out));
	if (lo >= 0 || !opt_number(s + 1, hi < 0 ? -hi : 0, -lo, out))
		return (false);
	*out = -*out;
	return (true);
}

int
ask_number(const struct ask_io *io, const char *question, int64_t lo,
    int64_t hi, bool has_fallback, int64_t *out)
{
	bool is_found = false;
	char *hint, *line;
	int64_t n = has_fallback ? *out : 0;
	int r = 0;

	/*
	 * Bounds that nobody comes near are told only once they are exceeded.
	 */
	if (hi - lo > ASK_RANGE_MAX)
		hint = xalloc_str("a number, " ASK_ANYWHERE);
	else
		hint = xalloc_printf("%lld%s%lld, " ASK_ANYWHERE, (long long)lo,
		    lo < 0 ? " to " : "-", (long long)hi);
	if (has_fallback) {
		line = xalloc_printf("%s [%lld]", hint, (long long)n);
		free(hint);
		hint = line;
	}
	while (
	    !is_found && (r = ask_line(io, question, hint, NULL, &line)) == 0) {
		is_found = (*line == '\0' && has_fallback) ||
		    ask_is_number(line, lo, hi, &n);
		free(line);
		if (!is_found)
			ask_say(io,
			    "Type a number from %lld to %lld; " ASK_HELP,
			    (long long)lo, (long long)hi);
	}
	if (r == 0)
		*out = n;
	free(hint);
	return (r);
}

/* Why a text cannot be taken; NULL if it can. */
static const char *
ask_fault(const char *s, size_t max, bool may_be_empty)
{
	size_t left = strlen(s), n;
	uint32_t cp;

	if (left == 0 && !may_be_empty)
		return ("Type something; " ASK_HELP);
	if (ask_is_help(s))
		return (may_be_empty ? "Type some words, or nothing; " ASK_HELP
				     : "Type some words; " ASK_HELP);
	if (left > max)
		return ("That is too long.");
	for (; left > 0; s += n, left -= n) {
		if ((n = utf8_get(s, left, &cp)) == 0)
			return ("That is not UTF-8.");
		if (!utf8_is_plain(cp))
			return ("That has characters that cannot be shown.");
	}
	return (NULL);
}

int
ask_text(const struct ask_io *io, const char *question, size_t max,
    bool may_be_empty, char **out)
{
	return (ask_text_or(io, question, max, may_be_empty ? "" : NULL, out));
}

int
ask_text_or(const struct ask_io *io, const char *question, size_t max,
    const char *enter, char **out)
{
	const char *fault;
	char *hint, *line, *safe;
	int r;

	safe = text_safe(enter == NULL ? "" : *enter == '\0' ? "none" : enter);
	hint = xalloc_printf("(" ASK_ANYWHERE ")%s%s%s",
	    enter == NULL ? "" : " [", safe, enter == NULL ? "" : "]");
	free(safe);
	while ((r = ask_line(io, question, hint, NULL, &line)) == 0) {
		fault = ask_fault(line, max, enter != NULL);
		if (fault == NULL) {
			*out = line;
			break;
		}
		free(line);
		ask_say(io, "%s", fault);
	}
	free(hint);
	if (r == 0 && **out == '\0' && enter != NULL) {
		free(*out);
		*out = xalloc_str(enter);
	}
	return (r);
}
