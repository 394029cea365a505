/* SPDX-License-Identifier: ISC */
/*
 * Runs a pager behind a pipe.  It is started without a shell unless PAGER
 * says more than a name, with no descriptor of ours but the terminal's and
 * the pipe.  The keys that interrupt are the pager's while it runs.
 */
#include "client/ui/pager.h"

#include <sys/ioctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/ui/barchart.h"
#include "client/ui/text_columns.h"

#define PAGER_LESS "FRX" /* ends by itself, keeps bold, leaves the text */
#define PAGER_NONE 127 /* status of a shell, and of ours: not started */
#define PAGER_WORDS " \t\n|&;<>()$`\\\"'*?[#~=%" /* what only a shell reads */

bool
pager_is_wanted(void)
{
	const char *s = getenv("PAGER");

	return (s == NULL || (*s != '\0' && strcmp(s, "cat") != 0));
}

/* True if the text and the next prompt fit on the screen. */
static bool
pager_fits(const char *text, size_t len)
{
	struct winsize ws;
	const char *end;
	size_t rows = 0;
	char *line;
	int w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == -1 || ws.ws_row == 0 ||
	    ws.ws_col == 0)
		return (true);
	while (len > 0 && rows < ws.ws_row) {
		end = memchr(text, '\n', len);
		line =
		    xalloc_strn(text, end == NULL ? len : (size_t)(end - text));
		w = text_width(line);
		rows += 1 + (w > 0 ? (size_t)(w - 1) / ws.ws_col : 0);
		len -= strlen(line) + (end == NULL ? 0 : 1);
		text += strlen(line) + (end == NULL ? 0 : 1);
		free(line);
	}
	return (rows < ws.ws_row);
}

/*
 * Tells less and lv to show bold type, without changing what else they are
 * told.
 */
static void
pager_environment(void)
{
	const char *own = getenv("LESS");
	char *less;

	less =
	    own == NULL ? xalloc_str(PAGER_LESS) : xalloc_printf("-R %s", own);
	(void)setenv("LESS", less, 1); /* the pager runs without it, too */
	(void)setenv("LV", "-c", 0);
	free(less);
}

/* Becomes the pager, which reads from fd. */
static void __attribute__((noreturn)) pager_become(int fd)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGPIPE};
	const char *own = getenv("PAGER");
	sigset_t none;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)signal(signals[i], SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(fd, STDIN_FILENO) == -1 ||
	    close_range(STDERR_FILENO + 1, ~0U, 0) == -1)
		_exit(PAGER_NONE);
	pager_environment();
	if (own == NULL) {
		(void)execlp("less", "less", (char *)NULL);
		(void)execlp("more", "more", (char *)NULL);
	} else if (own[strcspn(own, PAGER_WORDS)] == '\0') {
		(void)execlp(own, own, (char *)NULL);
	} else {
		(void)execl("/bin/sh", "sh", "-c", own, (char *)NULL);
	}
	_exit(PAGER_NONE);
}

/* Gives it the text; a reader who leaves early has read enough. */
static void
pager_feed(int fd, const char *text, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = write(fd, text, len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			break;
		text += n;
		len -= (size_t)n;
	}
}

bool
pager_show(const char *text, size_t len, bool *is_missing)
{
	void (*on_int)(int), (*on_quit)(int);
	int fds[2], status = 0;
	bool is_shown;
	pid_t pid;

	*is_missing = false;
	if (!pager_is_wanted() || pager_fits(text, len) || pipe(fds) == -1)
		return (false);
	on_int = signal(SIGINT, SIG_IGN);
	on_quit = signal(SIGQUIT, SIG_IGN);
	if ((pid = fork()) == 0) {
		(void)close(fds[1]);
		pager_become(fds[0]);
	}
	(void)close(fds[0]);
	if (pid != -1)
		pager_feed(fds[1], text, len);
	(void)close(fds[1]);
	while (pid != -1 && waitpid(pid, &status, 0) == -1 && errno == EINTR)
		continue;
	(void)signal(SIGINT, on_int);
	(void)signal(SIGQUIT, on_quit);
	is_shown = pid != -1 &&
	    !(WIFEXITED(status) && WEXITSTATUS(status) == PAGER_NONE);
	*is_missing = !is_shown && getenv("PAGER") != NULL;
	return (is_shown);
}
