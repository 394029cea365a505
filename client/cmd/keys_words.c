/* SPDX-License-Identifier: ISC */
/*
 * The words go from the terminal into a buffer that is wiped, or to it, and
 * nowhere else: no argument, no file, no log has them.
 */
#include "client/cmd/keys_words.h"

#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sysexits.h>
#include <termios.h>
#include <unistd.h>

#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"

#define KEYS_WORDS_LINE 256 /* far more than the words have */

static volatile sig_atomic_t
    keys_words_caught; /* a signal while words are typed */

static void
keys_words_catch_cb(int sig)
{
	keys_words_caught = sig;
}

int
keys_words_read(uint8_t seed[WORDS_SEED_LEN])
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction sa, old[3];
	char line[KEYS_WORDS_LINE];
	struct termios was, now;
	bool is_hidden = false;
	size_t i, n = 0;
	char c;
	int r;

	/* They end the reading, and the program once the terminal shows again.
	 */
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = keys_words_catch_cb;
	(void)sigemptyset(&sa.sa_mask);
	keys_words_caught = 0;
	for (i = 0; i < 3; i++)
		(void)sigaction(ends[i], &sa, &old[i]);
	if (out_can_ask()) {
		out_note(
		    "Type the words that `umpire init` showed; they do not "
		    "appear as you type.");
		if (tcgetattr(STDIN_FILENO, &was) == 0) {
			now = was;
			now.c_lflag &= ~(tcflag_t)ECHO;
			is_hidden =
			    tcsetattr(STDIN_FILENO, TCSAFLUSH, &now) == 0;
		}
	}
	/* Byte by byte: a buffer of stdio's would keep them. */
	while (keys_words_caught == 0 && n < sizeof(line) - 1 &&
	    read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
		line[n++] = c;
	line[n] = '\0';
	if (is_hidden)
		(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
	for (i = 0; i < 3; i++)
		(void)sigaction(ends[i], &old[i], NULL);
	if (keys_words_caught != 0) {
		explicit_bzero(line, sizeof(line));
		(void)raise(keys_words_caught);
	}
	r = words_parse(line, seed);
	explicit_bzero(line, sizeof(line));
	if (r == 0)
		return (EX_OK);
	out_error("these are not the words: 32 letters and digits, in eight "
		  "groups of four");
	return (EX_DATAERR);
}

int
keys_words_show(void *arg, const char *words)
{
	static const char question[] =
	    "When they are on paper, press Enter, or type the last group as a "
	    "check:";
	const char *last = strrchr(words, '-') + 1;
	struct cmd_ctx *cx = arg;
	char line[64];
	bool is_pipe, is_told;

	out_title(&cx->out,
	    "Write these words down, on paper.  They are shown once.");
	out_print(&cx->out,
	    "  %s\n"
	    "Keep them apart from the computer.  Should its keys be lost or "
	    "stolen, whoever\nhas these words has the account.\n\n",
	    words);
	if (out_flush(&cx->out, &is_pipe) != 0)
		return (ERR_IO);
	if (!out_can_ask())
		return (0);
	while ((is_told = out_ask_line(line, sizeof(line), question)) &&
	    *line != '\0' && strcasecmp(line, last) != 0)
		out_note("That is not it; look again.");
	explicit_bzero(line, sizeof(line));
	return (is_told ? 0 : ERR_CLOSED);
}
