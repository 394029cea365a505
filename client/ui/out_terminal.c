/* SPDX-License-Identifier: ISC */
/*
 * The terminal: its size and colours, standard error, questions, a reader's
 * pager, a note of what takes long, tables.
 */
#include "client/ui/out_terminal.h"

#include <sys/ioctl.h>
#include <sys/time.h>

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libsmartcols/libsmartcols.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/ui/pager.h"
#include "client/ui/text_columns.h"
#include "common/base/buf.h"
#include "common/base/err.h"

#define OUT_LEAST 20 /* columns of a terminal that are allowed for */
#define OUT_ERASE "\r\033[K"

struct out_table {
	struct libscols_table *tb; /* owned */
	size_t n; /* columns */
};

/* With which profile commands are shown: out_set_profile(). */
static struct out_commands {
	const char *profile; /* NULL: none */
	bool (*is_command)(const void *arg, const char *word, size_t n);
	const void *arg;
} out_commands;

/* What a pager will show: notes go there, too.  NULL: nothing. */
static struct out *out_paged;

/* Set where Ctrl-C left a question. */
static volatile sig_atomic_t out_dropped;

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

/* True if TERM names no terminal that can do more than print lines. */
static bool
out_is_dumb(void)
{
	const char *term = getenv("TERM");

	return (term == NULL || *term == '\0' || strcmp(term, "dumb") == 0);
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
	o->columns = text_columns;
	o->is_json = is_json;
	o->is_tty = isatty(STDOUT_FILENO) == 1;
	o->width = OUT_WIDTH;
	if (o->is_tty && out_terminal(STDOUT_FILENO) < o->width)
		o->width = out_terminal(STDOUT_FILENO);
	o->column = o->hang = 0;
	term = getenv("NO_COLOR");
	o->has_color =
	    may_color && o->is_tty && (term == NULL || *term == '\0');
	if (out_is_dumb())
		o->has_color = false;
}

bool
out_can_draw(const struct out *o)
{
	return (o->is_tty && o->width >= OUT_WIDTH && !out_is_dumb());
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

char *
out_fold(const char *s, int width)
{
	struct out o = {
	    .columns = text_columns, .is_tty = true, .width = width};
	char *clean, *text = NULL;
	size_t len;

	if ((o.f = open_memstream(&text, &len)) == NULL)
		xalloc_die();
	clean = text_safe(s);
	out_print(&o, "%s", clean);
	free(clean);
	if (fclose(o.f) != 0)
		xalloc_die();
	return (text);
}

void
out_page_begin(struct out *o)
{
	if (!o->is_tty || o->is_json || !pager_is_wanted())
		return;
	if ((o->f = open_memstream(&o->page, &o->page_len)) == NULL)
		xalloc_die();
	out_paged = o;
}

void
out_page_end(struct out *o)
{
	bool is_missing;

	if (out_paged != o)
		return;
	if (fclose(o->f) != 0)
		xalloc_die();
	out_paged = NULL;
	o->f = stdout;
	(void)fflush(o->f); /* cmds_main() looks at the stream's state */
	if (!pager_show(o->page, o->page_len, &is_missing))
		out_bytes(o, o->page, o->page_len);
	if (is_missing)
		out_note("the pager '%s' cannot be started", getenv("PAGER"));
	free(o->page);
}

void
out_ring(struct out *o)
{
	if (o->is_tty && !o->is_json)
		(void)putc('\a', o->f);
}

void
out_set_profile(const char *profile,
    bool (*is_command)(const void *arg, const char *word, size_t n),
    const void *arg)
{
	out_commands = (struct out_commands){profile, is_command, arg};
}

/* True if a command that wants the profile stands at p, in s. */
static bool
out_is_command(const char *s, const char *p)
{
	static const char program[] = "umpire ", option[] = "--profile";
	static const char usage[] = "usage: ";
	const char *word = p + sizeof(program) - 1, *named;
	size_t n;

	if (strncmp(p, program, sizeof(program) - 1) != 0 ||
	    (p > s && strchr(" `\n(", p[-1]) == NULL) ||
	    (p - s >= (ptrdiff_t)sizeof(usage) - 1 &&
		strncmp(p - (sizeof(usage) - 1), usage, sizeof(usage) - 1) ==
		    0))
		return (false);
	n = strspn(word, "abcdefghijklmnopqrstuvwxyz-");
	named = strstr(word, option);
	return (out_commands.is_command(out_commands.arg, word, n) &&
	    (named == NULL || (size_t)(named - word) >= strcspn(word, "`\n")));
}

/* A text whose commands have the profile (s is stolen); free(). */
static char *
out_with_profile(char *s)
{
	const char *p;
	struct buf b;

	if (out_commands.profile == NULL)
		return (s);
	buf_init(&b, 0);
	for (p = s; *p != '\0'; p++) {
		buf_putc(&b, *p);
		/* Behind the program's name. */
		if (p - s >= 5 && out_is_command(s, p - 5))
			buf_printf(&b, " --profile %s", out_commands.profile);
	}
	free(s);
	return (xalloc_take(&b));
}

void
out_hint(struct out *o, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = out_with_profile(xalloc_vprintf(fmt, ap));
	va_end(ap);
	out_print(o, "%s", s);
	free(s);
}

/*
 * Prints to standard error, cleaned, with what goes before the first line.
 * On a terminal long lines are broken between words; what programs read
 * stays one line.
 */
static void
out_stderr(const char *before, const char *fmt, va_list ap)
{
	struct out o = {.f = stderr, .columns = text_columns, .width = INT_MAX};
	struct buf b;
	char *s;

	buf_init(&b, 0);
	buf_puts(&b, before);
	buf_vprintf(&b, fmt, ap);
	s = out_with_profile(xalloc_take(&b));
	out_progress_end();
	(void)fflush(stdout); /* cmds_main() looks at the stream's state */
	if (isatty(STDERR_FILENO) == 1) {
		o.width = out_terminal(STDERR_FILENO);
		if (out_paged != NULL)
			o.f = out_paged->f;
	}
	out_own(&o, OUT_HANG, s);
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

void
out_drop(void)
{
	out_dropped = 1;
}

bool
out_is_dropped(void)
{
	return (out_dropped != 0);
}

/* Ctrl-C at a question. */
static void
out_drop_cb(int sig)
{
	(void)sig;
	out_dropped = 1;
}

/* Reads a line that Ctrl-C leaves; false if there is none. */
static bool
out_answer(char *line, size_t size)
{
	struct sigaction sa, old;
	bool is_read;

	out_dropped = 0;
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = out_drop_cb; /* without SA_RESTART it ends the read */
	(void)sigemptyset(&sa.sa_mask);
	(void)sigaction(SIGINT, &sa, &old);
	is_read = fgets(line, (int)size, stdin) != NULL;
	(void)sigaction(SIGINT, &old, NULL);
	return (is_read && !out_is_dropped());
}

/* True for either form of a word, in any case. */
static bool
out_is_word(const char *s, const char *brief, const char *word)
{
	return (strcasecmp(s, brief) == 0 || strcasecmp(s, word) == 0);
}

bool
out_ask_line(char *line, size_t size, const char *question)
{
	struct out o = {.f = stderr,
	    .columns = text_columns,
	    .is_tty = true,
	    .width = out_terminal(STDERR_FILENO)};
	size_t len;
	int c;

	out_progress_end();
	(void)fflush(stdout); /* cmds_main() looks at the stream's state */
	out_print(&o, "%s ", question);
	(void)fflush(stderr); /* nothing can be done if that fails */
	if (!out_answer(line, size)) {
		(void)putc('\n', stderr);
		return (false);
	}
	len = strcspn(line, "\n");
	/* The rest of a long line is no answer of its own. */
	for (c = line[len]; c != '\n' && c != EOF; c = getchar())
		;
	line[len] = '\0';
	return (true);
}

bool
out_ask(const char *fmt, ...)
{
	char line[64], *question, *s;
	bool is_yes = false, is_no = false;
	va_list ap;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	question = xalloc_printf("%s [y/N]", s);
	free(s);
	while (
	    !is_yes && !is_no && out_ask_line(line, sizeof(line), question)) {
		is_yes = out_is_word(line, "y", "yes");
		is_no = *line == '\0' || out_is_word(line, "n", "no");
		if (!is_yes && !is_no)
			out_note("Type y or n; Enter alone means no.");
	}
	free(question);
	return (is_yes);
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
out_progress_now(const char *what)
{
	sigset_t alarm, before;

	if (out_progress_len == 0)
		return;
	(void)sigemptyset(&alarm);
	(void)sigaddset(&alarm, SIGALRM);
	(void)sigprocmask(SIG_BLOCK, &alarm, &before);
	out_progress_len = snprintf(
	    out_progress_line, sizeof(out_progress_line), "%.70s ...", what);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	if (out_progress_shown != 0)
		(void)fprintf(stderr, OUT_ERASE "%s", out_progress_line);
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
		xalloc_die();
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
		s = text_safe(cells[i] == NULL ? "" : cells[i]);
		if (scols_line_set_data(ln, i, s) != 0)
			xalloc_die();
		free(s);
	}
}

/* True if a line of a table as text is longer than the terminal. */
static bool
out_table_is_wide(const struct out *o, const char *s)
{
	size_t n, m;

	for (; o->is_tty && s != NULL && *s != '\0'; s += n + (s[n] != '\0')) {
		n = strcspn(s, "\n");
		for (m = n; m > 0 && s[m - 1] == ' ';)
			m--;
		if (text_columns(s, m) > o->width - 2)
			return (true);
	}
	return (false);
}

/* Prints a table that is too wide: each cell of a line has its own line. */
static void
out_table_narrow(struct out *o, const struct out_table *t)
{
	struct libscols_line *ln;
	struct libscols_column *cl;
	const char *head, *cell;
	size_t i, k;

	for (i = 0; i < scols_table_get_nlines(t->tb); i++) {
		ln = scols_table_get_line(t->tb, i);
		for (k = 0; k < t->n; k++) {
			cl = scols_table_get_column(t->tb, k);
			head = scols_cell_get_data(scols_column_get_header(cl));
			cell = scols_cell_get_data(scols_line_get_cell(ln, k));
			if (cell == NULL || *cell == '\0')
				continue;
			if (k == 0)
				out_print(o, "  %s\n", cell);
			else
				out_print(o, "    %s: %s\n", head, cell);
		}
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
		xalloc_die();
	p = s;
	if (!o->is_json && out_table_is_wide(o, s)) {
		out_table_narrow(o, t);
		p = NULL;
	}
	for (; !o->is_json && p != NULL && *p != '\0'; p += n) {
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
