/* SPDX-License-Identifier: ISC */
/* Tables of spreadsheets: nothing here knows what they mean. */
#include "client/base/csv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"

#define CSV_BOM "\xef\xbb\xbf"
#define CSV_BLANKS " \t"
#define CSV_SEPARATORS ",;\t"
#define CSV_DANGEROUS "=+-@"
#define CSV_WIDE 3 /* bytes of a wide character */

/* A text that is read. */
struct csv_scan {
	const char *text;
	size_t len;
	size_t pos;
	size_t sound; /* bytes that are UTF-8 without zeros */
	char separator;
	size_t number; /* of the row */
	size_t used; /* of room */
	size_t cells_room, rows_room;
	struct csv *out;
	struct errinfo *e;
};

/* Says what is wrong in the row that is read. */
static int
csv_fail(const struct csv_scan *s, const char *what)
{
	char where[32];

	(void)snprintf(where, sizeof(where), "row %zu", s->number);
	return (err_set(s->e, ERR_MALFORMED, where, "%s", what));
}

/* The character that comes, '\n' at the end. */
static char
csv_peek(const struct csv_scan *s)
{
	return (s->pos < s->len ? s->text[s->pos] : '\n');
}

/* True where a cell ends. */
static bool
csv_is_end(const struct csv_scan *s)
{
	char c = csv_peek(s);

	return (c == s->separator || c == '\n' || c == '\r');
}

/* The separator that the first line has most of, outside of quotes. */
static char
csv_separator(const char *text, size_t len)
{
	size_t counts[sizeof(CSV_SEPARATORS)] = {0}, i, best = 0;
	bool is_quoted = false;
	const char *p;

	for (i = 0; i < len; i++) {
		if (text[i] == '"')
			is_quoted = !is_quoted;
		if (is_quoted || text[i] == '\0')
			continue;
		if (text[i] == '\n' || text[i] == '\r')
			break;
		if ((p = strchr(CSV_SEPARATORS, text[i])) != NULL)
			counts[p - CSV_SEPARATORS]++;
	}
	for (i = 1; CSV_SEPARATORS[i] != '\0'; i++) {
		if (counts[i] > counts[best])
			best = i;
	}
	return (CSV_SEPARATORS[best]);
}

/*
 * Reads a first line "sep=;", by which spreadsheets are told the separator
 * and which they do not count as a row, else finds it in the first line.
 */
static int
csv_read_separator(struct csv_scan *s)
{
	const char *text = s->text;
	bool is_quoted = s->len > 0 && text[0] == '"';
	size_t from = is_quoted ? 1 : 0, end;

	if (s->len < from + 4 || strncasecmp(text + from, "sep=", 4) != 0) {
		s->separator = csv_separator(text, s->len);
		return (0);
	}
	for (end = from; end < s->len && text[end] != '\n'; end++) {
		if (text[end] == '\r')
			break;
	}
	from += 4;
	s->number = 1;
	if (end - from != (is_quoted ? 2 : 1) || text[from] == '\0' ||
	    strchr(CSV_SEPARATORS, text[from]) == NULL ||
	    (is_quoted && text[from + 1] != '"'))
		return (csv_fail(
		    s, "\"sep=\" must name a comma, a semicolon or a tab"));
	s->number = 0;
	s->separator = text[from];
	if (end < s->len && text[end] == '\r' && end + 1 < s->len &&
	    text[end + 1] == '\n')
		end++;
	s->pos = end < s->len ? end + 1 : end;
	return (0);
}

/* Reads a cell into the room. */
static int
csv_read_cell(struct csv_scan *s)
{
	struct csv *c = s->out;
	char *out = c->room + s->used;
	size_t n = 0;

	if (csv_peek(s) == '"' && s->pos < s->len) {
		for (s->pos++;; s->pos++) {
			if (s->pos >= s->len)
				return (csv_fail(
				    s, "a quote is opened and never closed"));
			if (s->text[s->pos] == '"' &&
			    (++s->pos >= s->len || s->text[s->pos] != '"'))
				break;
			out[n++] = s->text[s->pos];
		}
		if (!csv_is_end(s))
			return (csv_fail(s,
			    "text follows a closing quote; write a quote "
			    "inside a cell twice"));
	}
	while (!csv_is_end(s))
		out[n++] = s->text[s->pos++];
	out[n] = '\0';
	if (c->n_cells == s->cells_room) {
		s->cells_room = s->cells_room == 0 ? 64 : 2 * s->cells_room;
		c->cells = realloc(c->cells, s->cells_room * sizeof(*c->cells));
		if (c->cells == NULL)
			xalloc_die();
	}
	c->cells[c->n_cells++] = out;
	s->used += n + 1;
	return (0);
}

/* Reads a row, and takes it in unless it is empty. */
static int
csv_read_row(struct csv_scan *s)
{
	struct csv *c = s->out;
	struct csv_row row = {.number = ++s->number, .first = c->n_cells};
	bool is_empty = true;
	size_t used = s->used;
	int r;

	for (;; s->pos++) {
		if (c->n_cells - row.first == CSV_COLUMNS_MAX)
			return (csv_fail(s, "has too many columns"));
		if ((r = csv_read_cell(s)) != 0)
			return (r);
		is_empty = is_empty && csv_is_blank(c->cells[c->n_cells - 1]);
		if (csv_peek(s) != s->separator || s->pos >= s->len)
			break;
	}
	if (csv_peek(s) == '\r' && s->pos + 1 < s->len &&
	    s->text[s->pos + 1] == '\n')
		s->pos++;
	s->pos++;
	row.n = c->n_cells - row.first;
	if (is_empty) {
		c->n_cells = row.first;
		s->used = used;
		return (0);
	}
	if (c->n_rows == CSV_ROWS_MAX)
		return (csv_fail(s, "is one row too many"));
	c->rows = xalloc_more(c->rows, c->n_rows, sizeof(*c->rows));
	c->rows[c->n_rows++] = row;
	return (0);
}

/* Finds how much of a text is UTF-8 without zeros. */
static void
csv_check(struct csv_scan *s)
{
	uint32_t cp;
	size_t n;

	for (s->sound = 0; s->sound < s->len; s->sound += n) {
		n = utf8_get(s->text + s->sound, s->len - s->sound, &cp);
		if (n == 0 || cp == 0)
			return;
	}
}

int
csv_read(const char *text, size_t len, struct csv *out, struct errinfo *e)
{
	struct csv_scan s = {.text = text, .len = len, .out = out, .e = e};
	int r;

	memset(out, 0, sizeof(*out));
	if (len >= strlen(CSV_BOM) &&
	    memcmp(text, CSV_BOM, strlen(CSV_BOM)) == 0) {
		s.text += strlen(CSV_BOM);
		s.len -= strlen(CSV_BOM);
	}
	csv_check(&s);
	if ((r = csv_read_separator(&s)) != 0)
		return (r);
	/* A cell needs no more than its text and what ends it. */
	out->room = xalloc(s.len + 1);
	while (r == 0 && s.pos < s.len) {
		r = csv_read_row(&s);
		if (s.sound < s.len && s.pos > s.sound)
			r = csv_fail(&s,
			    "is not UTF-8: have the spreadsheet save it as "
			    "\"CSV UTF-8\"");
	}
	if (r != 0)
		csv_clear(out);
	return (r);
}

void
csv_clear(struct csv *c)
{
	free(c->room);
	free(c->cells);
	free(c->rows);
	memset(c, 0, sizeof(*c));
}

const char *
csv_cell(const struct csv *c, const struct csv_row *row, size_t i)
{
	return (i < row->n ? c->cells[row->first + i] : "");
}

bool
csv_is_blank(const char *cell)
{
	return (cell[strspn(cell, CSV_BLANKS)] == '\0');
}

void
csv_begin(struct buf *b)
{
	buf_puts(b, CSV_BOM);
}

void
csv_put(struct buf *b, size_t column, const char *cell)
{
	size_t n = strlen(cell);

	if (column > 0)
		buf_putc(b, CSV_SEPARATORS[0]);
	if (cell[strcspn(cell, CSV_SEPARATORS "\"\r\n")] == '\0' &&
	    (n == 0 || (cell[0] != ' ' && cell[n - 1] != ' '))) {
		buf_puts(b, cell);
		return;
	}
	buf_putc(b, '"');
	for (; *cell != '\0'; cell++) {
		if (*cell == '"')
			buf_putc(b, '"');
		buf_putc(b, *cell);
	}
	buf_putc(b, '"');
}

/* True for a character at which some spreadsheet may begin another cell. */
static bool
csv_splits(char c)
{
	return (c != '\0' && strchr(CSV_SEPARATORS "\r\n", c) != NULL);
}

/*
 * True for the beginning of a cell that a spreadsheet would run; Japanese ones
 * take the wide forms of the characters for them.
 */
static bool
csv_is_run(const char *s)
{
	static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b",
	    "\xef\xbc\x8d", "\xef\xbc\xa0", NULL};
	size_t i;

	s += strspn(s, " \"");
	for (i = 0; wide[i] != NULL; i++) {
		if (strncmp(s, wide[i], CSV_WIDE) == 0)
			return (true);
	}
	return (*s != '\0' && strchr(CSV_DANGEROUS, *s) != NULL);
}

/* Words that a date, a time or a number may have beside digits. */
static const char *const csv_date_words[] = {"january", "february", "march",
    "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
    /* German, with Austria */
    "januar", "jänner", "feber", "februar", "märz", "mrz", "mai", "juni",
    "juli", "oktober", "dezember",
    /* French */
    "janvier", "février", "fevrier", "mars", "avril", "juin", "juillet", "août",
    "aout", "septembre", "octobre", "novembre", "décembre", "decembre",
    /* Spanish, Italian, Portuguese */
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
    "septiembre", "octubre", "noviembre", "diciembre", "gennaio", "febbraio",
    "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre",
    "janeiro", "fevereiro", "março", "maio", "junho", "julho", "setembro",
    "outubro", "novembro", "dezembro",
    /* Dutch */
    "januari", "februari", "maart", "mrt", "mei", "augustus",
    /* Polish, as it stands in dates */
    "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca",
    "sierpnia", "września", "pazdziernika", "października", "listopada",
    "grudnia", NULL};

/* What stands alone for true or false in one language or another. */
static const struct {
	const char *word;
	bool value;
} csv_truths[] = {
    {"true", true},
    {"false", false},
    {"wahr", true},
    {"falsch", false},
    {"vrai", true},
    {"faux", false},
    {"vero", true},
    {"verdadero", true},
    {"verdadeiro", true},
    {"falso", false},
    {"waar", true},
    {"onwaar", false},
    {"prawda", true},
    {"fałsz", false},
    {"FAŁSZ", false},
};

bool
csv_is_truth(const char *cell, bool *value)
{
	size_t i;

	for (i = 0; i < sizeof(csv_truths) / sizeof(csv_truths[0]); i++) {
		if (strcasecmp(cell, csv_truths[i].word) == 0) {
			*value = csv_truths[i].value;
			return (true);
		}
	}
	return (false);
}

/* True for a byte of a word: a letter, or part of one that is not ASCII. */
static bool
csv_is_letter(char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (unsigned char)c >= 0x80);
}

/* True for a word that may follow a number: 7 pm, 1e5. */
static bool
csv_is_behind(const char *text, const char *s, size_t n)
{
	static const char *const words[] = {
	    " a", " p", " am", " pm", "am", "pm", "e", "t", "z", NULL};
	const char *word;
	size_t i;

	for (i = 0; words[i] != NULL; i++) {
		word = words[i] + (*words[i] == ' ' ? 1 : 0);
		if (strlen(word) == n && strncasecmp(s, word, n) == 0 &&
		    s - text > word - words[i] &&
		    (word == words[i] ? s[-1] >= '0' && s[-1] <= '9'
				      : s[-1] == ' '))
			return (true);
	}
	return (false);
}

/* True for a word that a date, a time or a number may have. */
static bool
csv_is_date_word(const char *text, const char *s, size_t n)
{
	size_t i;

	if (csv_is_behind(text, s, n))
		return (true);
	/* Months are shortened to three letters or more. */
	for (i = 0; n >= 3 && csv_date_words[i] != NULL; i++) {
		if (strncasecmp(s, csv_date_words[i], n) == 0)
			return (true);
	}
	return (false);
}

/*
 * True for what some spreadsheet takes for a number, a date or a time: there
 * is a digit, and each word is a month's or the like, or has no ASCII letter.
 */
static bool
csv_is_number(const char *s)
{
	bool has_digit = false, is_ascii;
	const char *text = s;
	size_t n;

	for (; *s != '\0'; s += n) {
		is_ascii = false;
		for (n = 0; csv_is_letter(s[n]); n++)
			is_ascii = is_ascii || (unsigned char)s[n] < 0x80;
		if (is_ascii && !csv_is_date_word(text, s, n))
			return (false);
		if (n == 0) {
			has_digit = has_digit || (*s >= '0' && *s <= '9');
			n = 1;
		}
	}
	return (has_digit);
}

/* True for a text that has to be guarded. */
static bool
csv_is_risky(const char *s)
{
	bool value;

	/* A number, a date or nothing would come back as something else. */
	if (csv_is_number(s) || csv_is_blank(s) || csv_is_truth(s, &value) ||
	    s[strspn(s, ".,:/eE+- ")] == '\0')
		return (true);
	if (*s == '\'' || csv_splits(*s) || csv_is_run(s))
		return (true);
	for (; *s != '\0'; s++) {
		if (csv_splits(*s) && csv_is_run(s + 1))
			return (true);
	}
	return (false);
}

void
csv_put_text(struct buf *b, size_t column, const char *text)
{
	struct buf guarded;

	if (!csv_is_risky(text)) {
		csv_put(b, column, text);
		return;
	}
	buf_init(&guarded, 0);
	buf_putc(&guarded, '\'');
	for (; *text != '\0'; text++) {
		buf_putc(&guarded, *text);
		if (csv_splits(*text))
			buf_putc(&guarded, '\'');
	}
	if (buf_error(&guarded) != 0)
		xalloc_die();
	csv_put(b, column, buf_str(&guarded));
	buf_clear(&guarded);
}

void
csv_unguard(char *cell)
{
	const char *from = cell + 1;

	if (*cell != '\'')
		return;
	for (; *from != '\0'; from++) {
		*cell++ = *from;
		if (csv_splits(*from) && from[1] == '\'')
			from++;
	}
	*cell = '\0';
}

void
csv_end_row(struct buf *b)
{
	buf_puts(b, "\r\n");
}
