/* SPDX-License-Identifier: ISC */
/*
 * libedit with a reader of our own, which polls the terminal and whatever
 * else is waited for together.  Signals are let in only while it polls, so
 * none is lost between two looks; outside of term_line() they do what they
 * always do.
 */
#include "client/ui/term.h"

#include <sys/ioctl.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <histedit.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/ui/cmd.h"
#include "client/ui/linehist.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/utf8.h"

struct term {
	EditLine *el; /* owned */
	struct recall *recall; /* owned */
	struct out *o; /* borrowed */
	const struct term_wait *wait; /* borrowed; NULL: nothing */
	char *prompt; /* owned; of the line that is read */
	char *next; /* owned; the one that takes its place; NULL: none */
	const json_t *words; /* borrowed; of the line that is read */
	sigset_t mask; /* signals that were blocked before */
	bool is_dropped; /* Ctrl-C */
	bool is_left; /* term_drop() */
	bool is_closed; /* the terminal is gone */
	bool is_own; /* of one subcommand, which Ctrl-C ends */
};

/*
 * The signals that came.  A handler has no other way to tell; nothing but
 * term_look() reads it.
 */
static volatile sig_atomic_t term_signals;

static const int term_caught[] = {SIGINT, SIGWINCH, SIGTSTP, SIGTERM, SIGHUP};

#define TERM_CAUGHT (sizeof(term_caught) / sizeof(term_caught[0]))

/* Notes a signal: bit i for the i-th of the list. */
static void
term_signal_cb(int sig)
{
	size_t i;

	for (i = 0; i < TERM_CAUGHT; i++) {
		if (term_caught[i] == sig)
			term_signals |= 1 << i;
	}
}

/* The prompt, for libedit. */
static char *
term_prompt_cb(EditLine *el)
{
	struct term *t = NULL;

	(void)el_get(el, EL_CLIENTDATA, &t);
	return (t == NULL || t->prompt == NULL ? (char *)(uintptr_t) ""
					       : t->prompt);
}

/* Columns of the window. */
static int
term_columns(void)
{
	struct winsize ws;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == -1 || ws.ws_col == 0)
		return (OUT_WIDTH);
	return (ws.ws_col);
}

/* Columns that n wide characters take, where control ones show as ^X. */
static int
term_width(const wchar_t *s, size_t n)
{
	int w, sum = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		w = wcwidth(s[i]);
		sum += w < 0 ? 2 : w;
	}
	return (sum);
}

/*
 * Rows that the prompt and what was typed take up to the cursor, but the
 * last.
 */
static int
term_rows(const struct term *t)
{
	const LineInfoW *li = el_wline(t->el);
	int columns = term_columns(), rows = 0, w = 0;
	wchar_t *wide, *p, *end;
	size_t n;

	n = strlen(t->prompt);
	wide = xalloc((n + 1) * sizeof(*wide));
	n = mbstowcs(wide, t->prompt, n + 1);
	wide[n == (size_t)-1 ? 0 : n] = L'\0';
	for (p = wide; (end = wcschr(p, L'\n')) != NULL; p = end + 1) {
		w = term_width(p, (size_t)(end - p));
		rows += 1 + (w > 0 ? (w - 1) / columns : 0);
	}
	w = term_width(p, wcslen(p)) +
	    term_width(li->buffer, (size_t)(li->cursor - li->buffer));
	free(wide);
	return (rows + w / columns);
}

/* A capability of the terminal; NULL if it has none. */
static char *
term_capability(struct term *t, const char *name)
{
	char *s = NULL;

	/* libedit's interface takes the name as one that it may change. */
	if (el_get(t->el, EL_GETTC, (char *)(uintptr_t)name, &s) != 0)
		return (NULL);
	return (s);
}

/* True if the terminal can take back what is on its screen. */
static bool
term_can_erase(struct term *t)
{
	return (term_capability(t, "up") != NULL &&
	    term_capability(t, "cd") != NULL);
}

/*
 * Takes the prompt and what was typed off the screen, or goes below them
 * where that cannot be.
 */
static void
term_hide(struct term *t)
{
	int rows = term_rows(t);

	if (term_can_erase(t)) {
		(void)putc('\r', stdout);
		for (; rows > 0; rows--)
			(void)fputs(term_capability(t, "up"), stdout);
		(void)fputs(term_capability(t, "cd"), stdout);
	} else {
		(void)putc('\n', stdout);
	}
	(void)fflush(stdout); /* the reader will see that it is gone */
}

/* Shows them again, below what was printed since. */
static void
term_show(struct term *t)
{
	(void)fflush(stderr); /* as above */
	(void)fflush(stdout);
	(void)el_set(t->el, EL_REFRESH);
}

/* Stops as Ctrl-Z asks, and later comes back to the line. */
static void
term_stop(struct term *t)
{
	struct sigaction sa, old;
	sigset_t set;

	(void)el_set(t->el, EL_PREP_TERM, 0);
	(void)fputs("\r\n", stdout);
	(void)fflush(stdout); /* nobody looks for long */
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = SIG_DFL;
	(void)sigemptyset(&sa.sa_mask);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTSTP);
	if (sigaction(SIGTSTP, &sa, &old) == 0) {
		(void)raise(SIGTSTP);
		(void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* it stops here */
		(void)sigprocmask(SIG_BLOCK, &set, NULL);
		(void)sigaction(SIGTSTP, &old, NULL);
	}
	(void)el_set(t->el, EL_PREP_TERM, 1);
	el_resize(t->el);
	term_show(t);
}

/* Does what signals ask for; true if that ends the line. */
static bool
term_look(struct term *t)
{
	int got = term_signals;
	size_t i;

	term_signals = 0;
	for (i = 0; i < TERM_CAUGHT; i++) {
		if ((got & (1 << i)) == 0)
			continue;
		switch (term_caught[i]) {
		case SIGINT:
			t->is_dropped = true;
			break;
		case SIGWINCH:
			term_hide(t);
			el_resize(t->el);
			term_show(t);
			break;
		case SIGTSTP:
			term_stop(t);
			break;
		default:
			t->is_closed = true;
			break;
		}
	}
	return (t->is_dropped || t->is_closed);
}

/*
 * Lets the other thing do its work, and prints what that brought above the
 * line.  Meanwhile the line is away, where that is possible, because slow
 * work says on the terminal that it is under way.
 */
static void
term_other(struct term *t)
{
	bool can_erase = term_can_erase(t);
	char *text;

	if (can_erase)
		term_hide(t);
	text = t->wait->ready(t->wait->arg);
	if (!can_erase && text != NULL)
		term_hide(t);
	if (text != NULL)
		(void)fputs(text, stdout);
	if (t->next != NULL) {
		free(t->prompt);
		t->prompt = t->next;
		t->next = NULL;
	}
	if (t->is_left && !can_erase && text == NULL)
		term_hide(t);
	if (!t->is_left && (can_erase || text != NULL))
		term_show(t);
	free(text);
}

/*
 * Waits until something can be read from the terminal.  0, or ERR_CLOSED
 * when the line ends without it.
 */
static int
term_poll(struct term *t)
{
	struct pollfd fds[2];
	struct timespec ts;
	int64_t until = -1, wait_ms, left;
	int n, fd;

	for (;;) {
		wait_ms = -1;
		fd = -1;
		if (t->wait != NULL)
			fd = t->wait->fd(t->wait->arg, &wait_ms);
		until = wait_ms < 0 ? -1 : clock_mono_ms() + wait_ms;
		memset(fds, 0, sizeof(fds));
		fds[0].fd = STDIN_FILENO;
		fds[0].events = POLLIN;
		fds[1].fd = fd; /* poll() leaves -1 out */
		fds[1].events = POLLIN;
		left = wait_ms < 0 ? 0 : wait_ms;
		ts.tv_sec = (time_t)(left / 1000);
		ts.tv_nsec = (long)(left % 1000) * 1000000;
		n = ppoll(fds, 2, wait_ms < 0 ? NULL : &ts, &t->mask);
		if (term_look(t))
			return (ERR_CLOSED);
		if (n == -1 && errno != EINTR)
			return (ERR_CLOSED);
		if (n > 0 && fds[1].revents != 0)
			term_other(t);
		else if (until >= 0 && clock_mono_ms() >= until)
			term_other(t);
		if (t->is_closed || t->is_left)
			return (ERR_CLOSED);
		if (n > 0 && fds[0].revents != 0)
			return (0);
	}
}

/* Reads a character; libedit's EL_GETCFN: 1, 0 at the end, -1. */
static int
term_getc_cb(EditLine *el, wchar_t *wc)
{
	char bytes[UTF8_LEN];
	struct term *t = NULL;
	mbstate_t state;
	size_t n = 0, used;
	ssize_t got;

	(void)el_get(el, EL_CLIENTDATA, &t);
	for (;;) {
		if (term_poll(t) != 0) {
			errno = EINTR;
			return (-1);
		}
		got = read(STDIN_FILENO, bytes + n, 1);
		if (got == -1 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0) {
			t->is_closed = true;
			return (0);
		}
		n++;
		memset(&state, 0, sizeof(state));
		used = mbrtowc(wc, bytes, n, &state);
		/* Keys are all of ASCII; a stranger's text may be pasted. */
		if (used <= sizeof(bytes) && used > 1 &&
		    !utf8_is_plain((uint32_t)*wc)) {
			n = 0;
			continue;
		}
		if (used != (size_t)-1 && used != (size_t)-2) {
			if (used == 0)
				*wc = L'\0';
			return (1);
		}
		/* What is not a character is dropped. */
		if (used == (size_t)-1 || n == sizeof(bytes))
			n = 0;
	}
}

/* Prints the words that begin with what was typed, in one paragraph. */
static void
term_list(struct term *t, const char *typed, size_t len)
{
	const json_t *v;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(t->words, i, v)
	{
		if (strncmp(json_string_value(v), typed, len) == 0)
			buf_printf(&b, "%s%s", b.len == 0 ? "" : "  ",
			    json_string_value(v));
	}
	term_hide(t);
	out_text(t->o, 0, 0, buf_str(&b));
	term_show(t);
	buf_clear(&b);
}

/*
 * Finds what all words that begin with the typed bytes begin with: its
 * length, and one of them; *hits is how many there are.
 */
static size_t
term_common(const struct term *t, const char *typed, size_t len,
    const char **one, size_t *hits)
{
	const json_t *v;
	const char *s;
	size_t i, n, same = 0;

	*hits = 0;
	json_array_foreach(t->words, i, v)
	{
		s = json_string_value(v);
		if (s == NULL || strncmp(s, typed, len) != 0)
			continue;
		if (++*hits == 1) {
			*one = s;
			same = strlen(s);
			continue;
		}
		for (n = len; n < same && s[n] == (*one)[n];)
			n++;
		same = n;
	}
	return (same);
}

/* Completes the line; bound to the tabulator. */
static unsigned char
term_complete_cb(EditLine *el, int ch)
{
	struct term *t = NULL;
	const LineInfo *li;
	const char *one = "";
	size_t len, same, hits;
	char *typed, *rest;
	unsigned char rc = CC_REFRESH;

	(void)ch;
	(void)el_get(el, EL_CLIENTDATA, &t);
	li = el_line(el);
	len = (size_t)(li->cursor - li->buffer);
	typed = xalloc_strn(li->buffer, len);
	same = term_common(t, typed, len, &one, &hits);
	if (hits == 0) {
		rc = CC_REFRESH_BEEP;
	} else if (hits == 1 || same > len) {
		rest = xalloc_printf("%.*s%s", (int)(same - len), one + len,
		    hits == 1 && one[same] == '\0' ? " " : "");
		if (el_insertstr(el, rest) != 0)
			rc = CC_REFRESH_BEEP;
		free(rest);
	} else {
		term_list(t, typed, len);
	}
	free(typed);
	return (rc);
}

/* A space where there is more to be shown: shows it, as Enter does. */
static unsigned char
term_space_cb(EditLine *el, int ch)
{
	struct term *t = NULL;

	(void)ch;
	(void)el_get(el, EL_CLIENTDATA, &t);
	if (!term_has_text(t)) {
		el_push(el, "\n");
		return (CC_NORM);
	}
	return (el_insertstr(el, " ") != 0 ? CC_ERROR : CC_REFRESH);
}

int
term_open(struct out *o, struct term **out, struct errinfo *e)
{
	struct term *t;

	t = xalloc(sizeof(*t));
	t->o = o;
	t->recall = linehist_new();
	t->el = el_init("umpire", stdin, stdout, stderr);
	if (t->el == NULL) {
		term_close(t);
		return (
		    err_set(e, ERR_IO, NULL, "the terminal cannot be used"));
	}
	(void)el_set(t->el, EL_CLIENTDATA, t);
	(void)el_set(t->el, EL_PROMPT, term_prompt_cb);
	(void)el_set(t->el, EL_EDITOR, "emacs");
	(void)el_set(t->el, EL_HIST, history, linehist_history(t->recall));
	(void)el_set(t->el, EL_GETCFN, term_getc_cb);
	/* The narrow call would not free its copies. */
	(void)el_wset(t->el, EL_ADDFN, L"umpire-complete",
	    L"complete what is being typed", term_complete_cb);
	(void)el_set(t->el, EL_BIND, "\t", "umpire-complete", NULL);
	(void)el_wset(t->el, EL_ADDFN, L"umpire-space", L"a space, or more",
	    term_space_cb);
	/* Users of vi say so in that file, which may not exist. */
	(void)el_source(t->el, NULL);
	*out = t;
	return (0);
}

void
term_close(struct term *t)
{
	if (t == NULL)
		return;
	if (t->el != NULL)
		el_end(t->el);
	linehist_free(t->recall);
	free(t);
}

void
term_set_wait(struct term *t, const struct term_wait *wait)
{
	t->wait = wait;
}

void
term_set_history(struct term *t, const char *path)
{
	linehist_open(t->recall, path);
}

void
term_remember(struct term *t, const char *line)
{
	linehist_add(t->recall, line);
}

/* Lets our handlers take the signals, or gives them back. */
static void
term_catch(struct term *t, struct sigaction old[TERM_CAUGHT], bool is_on)
{
	struct sigaction sa;
	sigset_t set;
	size_t i;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = term_signal_cb;
	(void)sigemptyset(&sa.sa_mask);
	(void)sigemptyset(&set);
	for (i = 0; i < TERM_CAUGHT; i++)
		(void)sigaddset(&set, term_caught[i]);
	if (is_on) {
		term_signals = 0;
		(void)sigprocmask(SIG_BLOCK, &set, &t->mask);
	}
	for (i = 0; i < TERM_CAUGHT; i++)
		(void)sigaction(term_caught[i], is_on ? &sa : &old[i],
		    is_on ? &old[i] : NULL);
	if (!is_on)
		(void)sigprocmask(SIG_SETMASK, &t->mask, NULL);
}

/* The line without its end and the blanks around; free(). */
static char *
term_trim(const char *s, size_t n)
{
	while (n > 0 && strchr(" \t\r\n", s[n - 1]) != NULL)
		n--;
	while (n > 0 && strchr(" \t", *s) != NULL) {
		s++;
		n--;
	}
	return (xalloc_strn(s, n));
}

int
term_line(struct term *t, const char *prompt, const json_t *words, char **line)
{
	struct sigaction old[TERM_CAUGHT];
	const char *s;
	int n = 0, r = 0;

	if (t->is_closed)
		return (ERR_CLOSED);
	t->prompt = out_fold(prompt, term_columns());
	t->words = words;
	t->is_dropped = false;
	t->is_left = false;
	(void)el_set(t->el, EL_BIND, " ",
	    strncmp(prompt, ASK_MORE, strlen(ASK_MORE)) == 0 ? "umpire-space"
							     : "ed-insert",
	    NULL);
	(void)fflush(t->o->f); /* cmds_main() looks at the stream's state */
	term_catch(t, old, true);
	s = el_gets(t->el, &n);
	term_catch(t, old, false);
	if (t->is_dropped) {
		(void)fputs("^C\n", stdout);
		r = ERR_BUSY;
	} else if (t->is_left) {
		r = ERR_BUSY;
	} else if (s == NULL || n <= 0) {
		(void)putc('\n', stdout);
		r = ERR_CLOSED;
	} else {
		*line = term_trim(s, (size_t)n);
	}
	(void)fflush(stdout);
	free(t->prompt);
	free(t->next);
	t->prompt = NULL;
	t->next = NULL;
	t->words = NULL;
	return (r);
}

void
term_set_prompt(struct term *t, const char *prompt)
{
	free(t->next);
	t->next = out_fold(prompt, term_columns());
}

bool
term_has_text(const struct term *t)
{
	const LineInfoW *li = el_wline(t->el);

	return (li->lastchar > li->buffer);
}

void
term_drop(struct term *t)
{
	t->is_left = true;
}

void
term_end(struct term *t)
{
	t->is_closed = true;
}

/* ask_io: reads an answer. */
static int
term_ask_line_cb(
    void *arg, const char *prompt, const json_t *words, char **line)
{
	int r;

	const struct term *t = arg;

	if ((r = term_line(arg, prompt, words, line)) != ERR_BUSY)
		return (r);
	if (t->is_own) {
		out_drop();
		return (ERR_CLOSED);
	}
	*line = xalloc_str("back");
	return (0);
}

/* ask_io: shows a paragraph. */
static void
term_ask_say_cb(void *arg, int indent, const char *text)
{
	struct term *t = arg;
	size_t n = strspn(text, " ");

	/* out_text() drops blanks at the start of a line. */
	out_print(t->o, "%*s", (int)n, "");
	out_text(t->o, (int)n, indent, text + n);
}

/* ask_io: how large the screen is; text is wrapped as the output is. */
static void
term_ask_size_cb(void *arg, int *rows, int *columns)
{
	const struct term *t = arg;
	struct winsize ws;

	*rows = 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0)
		*rows = ws.ws_row;
	*columns = t->o->width;
}

void
term_ask(struct term *t, struct ask_io *io)
{
	io->line = term_ask_line_cb;
	io->say = term_ask_say_cb;
	io->size = term_ask_size_cb;
	io->arg = t;
}

int
term_begin(
    struct cmd_ctx *cx, const char *what, struct term **out, struct ask_io *io)
{
	struct errinfo e = {.text = ""};
	int r;

	if (cx->out.is_json || !cx->out.is_tty || !out_can_ask())
		return (cmd_usage(cx, "%s", what));
	*out = NULL;
	if (cx->io != NULL) {
		*io = *cx->io;
		return (0);
	}
	if ((r = term_open(&cx->out, out, &e)) != 0)
		return (cmd_fail(r, &e));
	(*out)->is_own = true;
	term_ask(*out, io);
	return (0);
}
