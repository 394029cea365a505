/* SPDX-License-Identifier: ISC */
/*
 * Output for people and for programs.  Nothing reaches the terminal but
 * through here: control characters and those that hide text or change its
 * direction are replaced, in JSON escaped, whoever wrote them and whoever
 * calls.  The escape sequences of colours are added behind that.
 */
#include "client/base/out.h"

#include <sys/ioctl.h>
#include <sys/time.h>

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libsmartcols/libsmartcols.h>
#include <utf8proc.h>

#include "client/base/xalloc.h"
#include "client/ui/pager.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/base/utf8.h"

#define OUT_HANG 2 /* indent of what is left of a line that was too long */
#define OUT_LEAST 20 /* columns of a terminal that are reckoned with */
#define OUT_BOLD "\033[1m"
#define OUT_NORMAL "\033[0m"
#define OUT_ERASE "\r\033[K"

struct out_table {
	struct libscols_table *tb; /* owned */
	size_t n; /* columns */
};

/* What a pager will show: notes go there, too.  NULL: nothing. */
static struct out *out_paged;

/*
 * What the alarm's handler prints.  A handler has no other way to be told;
 * nothing else reads or writes these.
 */
static char out_progress_line[OUT_WIDTH];
static volatile sig_atomic_t out_progress_len;
static volatile sig_atomic_t out_progress_shown;

/* The columns of the terminal at fd; OUT_WIDTH if it does not say. */
static int
out_terminal(int fd)
{
	struct winsize ws;

	if (ioctl(fd, TIOCGWINSZ, &ws) == -1 || ws.ws_col == 0)
		return (OUT_WIDTH);
	return (ws.ws_col < OUT_LEAST ? OUT_LEAST : ws.ws_col);
}

void
out_init(struct out *o, bool is_json, bool may_color)
{
	const char *term;

	(void)setlocale(LC_ALL, "");
	/* UTF-8 is what the record holds; Debian always has this locale. */
	if (MB_CUR_MAX == 1)
		(void)setlocale(LC_CTYPE, "C.UTF-8");
	o->f = stdout;
	o->is_json = is_json;
	o->is_tty = isatty(STDOUT_FILENO) == 1;
	o->width = OUT_WIDTH;
	if (o->is_tty && out_terminal(STDOUT_FILENO) < o->width)
		o->width = out_terminal(STDOUT_FILENO);
	o->column = o->hang = 0;
	term = getenv("NO_COLOR");
	o->has_color =
	    may_color && o->is_tty && (term == NULL || *term == '\0');
	term = getenv("TERM");
	if (term == NULL || *term == '\0' || strcmp(term, "dumb") == 0)
		o->has_color = false;
}

int
out_flush(struct out *o, bool *is_pipe)
{
	*is_pipe = false;
	errno = 0;
	if (fflush(o->f) == 0 && ferror(o->f) == 0)
		return (0);
	*is_pipe = errno == EPIPE;
	return (ERR_IO);
}

/* Appends s with what is not plain replaced; line ends stay if may_break. */
static void
out_clean(struct buf *b, const char *s, bool may_break)
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
out_safe(const char *s)
{
	struct buf b;

	buf_init(&b, 0);
	out_clean(&b, s, false);
	return (xalloc_take(&b));
}

/* Columns that n bytes of clean text take on a terminal. */
static int
out_columns(const char *s, size_t n)
{
	uint32_t cp;
	size_t len;
	int w = 0;

	for (; n > 0; s += len, n -= len) {
		if ((len = utf8_get(s, n, &cp)) == 0)
			return (w);
		w += utf8proc_charwidth((utf8proc_int32_t)cp);
	}
	return (w);
}

/* The first of s that ends a word or, at the start, is blanks: its bytes. */
static size_t
out_piece(const char *s)
{
	size_t n = strspn(s, " ");

	return (n > 0 ? n : strcspn(s, " \n"));
}

/*
 * Prints clean text as it is, from o->column on, but breaks lines that are
 * too long for the terminal between words.
 */
static void
out_fill(struct out *o, const char *s)
{
	const char *p;
	int gap = 0, w;
	size_t n;

	if (!o->is_tty) {
		(void)fputs(s, o->f);
		return;
	}
	for (p = s; *p != '\0'; p += n) {
		if (*p == '\n') {
			n = 1;
			(void)fprintf(o->f, "%*s\n", gap, "");
			o->column = o->hang = gap = 0;
			continue;
		}
		n = out_piece(p);
		w = out_columns(p, n);
		if (*p == ' ') {
			if (o->column == 0)
				o->hang = w + OUT_HANG;
			gap = w;
			/* More of the line may come, or an answer be typed. */
			if (p[n] == '\0') {
				(void)fprintf(o->f, "%*s", gap, "");
				o->column += gap;
			}
			continue;
		}
		if (o->column == 0 && gap == 0)
			o->hang = OUT_HANG;
		if (o->column > o->hang && o->column + gap + w > o->width) {
			(void)fprintf(o->f, "\n%*s", o->hang, "");
			o->column = o->hang;
			gap = 0;
		}
		(void)fprintf(o->f, "%*s%.*s", gap, "", (int)n, p);
		o->column += gap + w;
		gap = 0;
	}
}

char *
out_fold(const char *s, int width)
{
	struct out o = {.is_tty = true, .width = width};
	char *clean, *text = NULL;
	size_t len;

	if ((o.f = open_memstream(&text, &len)) == NULL)
		(void)xalloc_json(NULL);
	clean = out_safe(s);
	out_fill(&o, clean);
	free(clean);
	if (fclose(o.f) != 0)
		(void)xalloc_json(NULL);
	return (text);
}

/* Prints what a format makes of its arguments, clean. */
static void
out_vprint(struct out *o, const char *fmt, va_list ap)
{
	struct buf b;
	char *raw, *clean;

	raw = xalloc_vprintf(fmt, ap);
	buf_init(&b, 0);
	out_clean(&b, raw, true);
	clean = xalloc_take(&b);
	out_fill(o, clean);
	free(clean);
	free(raw);
}

void
out_page_begin(struct out *o)
{
	if (!o->is_tty || o->is_json || !pager_is_wanted())
		return;
	if ((o->f = open_memstream(&o->page, &o->page_len)) == NULL)
		(void)xalloc_json(NULL);
	out_paged = o;
}

void
out_page_end(struct out *o)
{
	if (out_paged != o)
		return;
	if (fclose(o->f) != 0)
		(void)xalloc_json(NULL);
	out_paged = NULL;
	o->f = stdout;
	(void)fflush(o->f); /* cmd_main() looks at the stream's state */
	if (!pager_show(o->page, o->page_len))
		out_bytes(o, o->page, o->page_len);
	free(o->page);
}

void
out_print(struct out *o, const char *fmt, ...)
{
	va_list ap;

	if (o->is_json)
		return;
	va_start(ap, fmt);
	out_vprint(o, fmt, ap);
	va_end(ap);
}

void
out_title(struct out *o, const char *fmt, ...)
{
	va_list ap;

	if (o->is_json)
		return;
	if (o->has_color)
		(void)fputs(OUT_BOLD, o->f);
	va_start(ap, fmt);
	out_vprint(o, fmt, ap);
	va_end(ap);
	if (o->has_color)
		(void)fputs(OUT_NORMAL, o->f);
	(void)putc('\n', o->f);
	o->column = o->hang = 0;
}

void
out_again(struct out *o, const char *s)
{
	(void)fputs(s, o->f);
	o->column = o->hang = 0;
}

void
out_bytes(struct out *o, const void *p, size_t n)
{
	(void)fwrite(p, 1, n, o->f);
}

void
out_ring(struct out *o)
{
	if (o->is_tty && !o->is_json)
		(void)putc('\a', o->f);
}

void
out_text(struct out *o, int column, int indent, const char *s)
{
	struct buf b;
	char *clean;
	const char *p;
	int gap = 0, w;
	size_t n;

	if (o->is_json)
		return;
	buf_init(&b, 0);
	out_clean(&b, s, true);
	clean = xalloc_take(&b);
	for (p = clean; *p != '\0'; p += n) {
		if (*p == '\n' || *p == ' ') {
			n = 1;
			gap = *p == ' ' ? gap + 1 : 0;
			if (*p == ' ' || p[1] == '\0')
				continue;
			(void)fprintf(o->f, "\n%*s", indent, "");
			column = indent;
			continue;
		}
		n = strcspn(p, " \n");
		w = out_columns(p, n);
		/* A gap is printed only when a word follows on its line. */
		if (column + gap + w > o->width && column > indent) {
			(void)fprintf(o->f, "\n%*s", indent, "");
			column = indent;
			gap = 0;
		}
		(void)fprintf(o->f, "%*s", gap, "");
		column += gap + w;
		gap = 0;
		(void)fwrite(p, 1, n, o->f);
	}
	(void)putc('\n', o->f);
	o->column = o->hang = 0;
	free(clean);
}

/* A copy of JSON's text in which what is not plain is escaped; free(). */
static char *
out_escape(const char *s)
{
	uint32_t cp;
	size_t len, n;
	struct buf b;

	buf_init(&b, 0);
	for (len = strlen(s); len > 0; s += n, len -= n) {
		if ((n = utf8_get(s, len, &cp)) == 0) {
			n = 1;
			buf_putc(&b, '?');
		} else if (utf8_is_plain(cp)) {
			buf_add(&b, s, n);
		} else if (cp < 0x10000) {
			buf_printf(&b, "\\u%04X", (unsigned)cp);
		} else {
			/* JSON has only 16 bits: a pair of surrogates. */
			cp -= 0x10000;
			buf_printf(&b, "\\u%04X\\u%04X",
			    0xd800U + (unsigned)(cp >> 10),
			    0xdc00U + (unsigned)(cp & 0x3ff));
		}
	}
	return (xalloc_take(&b));
}

void
out_json(struct out *o, json_t *v)
{
	/* Only odds have real numbers; nine digits of them are told. */
	const size_t flags =
	    JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9);
	char *s, *safe;

	if ((s = json_dumps(xalloc_json(v), flags)) == NULL)
		s = xalloc_str("null");
	/*
	 * jansson leaves DEL, C1 and marks of direction as they are.  They are
	 * escaped in pipes, too: many of those end on a terminal, and a value
	 * is the same either way.
	 */
	safe = out_escape(s);
	(void)fprintf(o->f, "%s\n", safe);
	free(safe);
	free(s);
	json_decref(v);
}

/*
 * Prints to standard error, cleaned, with what goes before the first line.
 * On a terminal long lines are broken between words; what programs read
 * stays one line.
 */
static void
out_stderr(const char *before, const char *fmt, va_list ap)
{
	struct out o = {.f = stderr, .width = INT_MAX};
	struct buf b;
	char *s;

	buf_init(&b, 0);
	buf_puts(&b, before);
	buf_vprintf(&b, fmt, ap);
	s = xalloc_take(&b);
	out_progress_end();
	(void)fflush(stdout); /* cmd_main() looks at the stream's state */
	if (isatty(STDERR_FILENO) == 1) {
		o.width = out_terminal(STDERR_FILENO);
		if (out_paged != NULL)
			o.f = out_paged->f;
	}
	out_text(&o, 0, OUT_HANG, s);
	free(s);
}

void
out_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	out_stderr("umpire: ", fmt, ap);
	va_end(ap);
}

void
out_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	out_stderr("  ", fmt, ap);
	va_end(ap);
}

bool
out_can_ask(void)
{
	return (isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1);
}

bool
out_ask(const char *fmt, ...)
{
	struct out o = {
	    .f = stderr, .is_tty = true, .width = out_terminal(STDERR_FILENO)};
	char line[64], *question;
	va_list ap;

	va_start(ap, fmt);
	question = xalloc_vprintf(fmt, ap);
	va_end(ap);
	out_progress_end();
	(void)fflush(stdout); /* cmd_main() looks at the stream's state */
	out_print(&o, "%s [y/N] ", question);
	(void)fflush(stderr); /* nothing can be done if that fails */
	free(question);
	if (fgets(line, sizeof(line), stdin) == NULL) {
		(void)putc('\n', stderr);
		return (false);
	}
	line[strcspn(line, "\n")] = '\0';
	return (strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0);
}

const char *
out_time(char buf[32], int64_t ms)
{
	clock_local(buf, ms);
	return (buf);
}

/* Shows the line; only calls that a handler may make. */
static void
out_progress_cb(int sig)
{
	int saved = errno;

	(void)sig;
	if (out_progress_len > 0 &&
	    write(STDERR_FILENO, out_progress_line, (size_t)out_progress_len) >
		0)
		out_progress_shown = 1;
	errno = saved;
}

void
out_progress(const char *what)
{
	struct itimerval in = {.it_value = {.tv_sec = 1}};
	struct sigaction sa;
	int n;

	if (isatty(STDERR_FILENO) != 1)
		return;
	n = snprintf(
	    out_progress_line, sizeof(out_progress_line), "%.70s ...", what);
	out_progress_len = n;
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = out_progress_cb;
	sa.sa_flags = SA_RESTART;
	(void)sigemptyset(&sa.sa_mask);
	if (sigaction(SIGALRM, &sa, NULL) == 0)
		(void)setitimer(ITIMER_REAL, &in, NULL);
}

void
out_progress_end(void)
{
	struct itimerval none;

	if (out_progress_len == 0)
		return;
	memset(&none, 0, sizeof(none));
	(void)setitimer(ITIMER_REAL, &none, NULL);
	out_progress_len = 0;
	if (out_progress_shown != 0)
		(void)fputs(OUT_ERASE, stderr);
	out_progress_shown = 0;
}

struct out_table *
out_table_new(const char *const headings[])
{
	struct libscols_column *cl;
	struct out_table *t;
	const char *name;
	int flags;

	t = xalloc(sizeof(*t));
	if ((t->tb = scols_new_table()) == NULL)
		(void)xalloc_json(NULL);
	for (; headings[t->n] != NULL; t->n++) {
		name = headings[t->n];
		flags = 0;
		if (*name == '>')
			flags = SCOLS_FL_RIGHT;
		if (*name == '~')
			flags = SCOLS_FL_TRUNC;
		if (flags != 0)
			name++;
		cl = scols_table_new_column(t->tb, name, 0, flags);
		(void)xalloc_json(cl == NULL ? NULL : json_null());
	}
	return (t);
}

void
out_table_line(struct out_table *t, const char *const cells[])
{
	struct libscols_line *ln;
	size_t i;
	char *s;

	ln = scols_table_new_line(t->tb, NULL);
	(void)xalloc_json(ln == NULL ? NULL : json_null());
	for (i = 0; i < t->n; i++) {
		s = out_safe(cells[i] == NULL ? "" : cells[i]);
		if (scols_line_set_data(ln, i, s) != 0)
			(void)xalloc_json(NULL);
		free(s);
	}
}

void
out_table_end(struct out *o, struct out_table *t)
{
	const char *p;
	size_t n, m;
	char *s = NULL;

	if (o->is_tty) {
		(void)scols_table_set_termforce(t->tb, SCOLS_TERMFORCE_ALWAYS);
		(void)scols_table_set_termwidth(t->tb, (size_t)o->width - 2);
	}
	if (scols_print_table_to_string(t->tb, &s) != 0)
		(void)xalloc_json(NULL);
	for (p = s; !o->is_json && p != NULL && *p != '\0'; p += n) {
		n = strcspn(p, "\n");
		for (m = n; m > 0 && p[m - 1] == ' ';)
			m--;
		(void)fprintf(o->f, "  %.*s\n", (int)m, p);
		if (p[n] == '\n')
			n++;
	}
	free(s);
	scols_unref_table(t->tb);
	free(t);
}
