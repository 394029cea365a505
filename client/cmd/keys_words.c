/* SPDX-License-Identifier: ISC */
/*
 * The words go from the terminal into a buffer that is wiped, and nowhere
 * else: no argument, no file, no log has them.
 */
#include "client/cmd/keys_words.h"

#include <signal.h>
#include <string.h>
#include <sysexits.h>
#include <termios.h>
#include <unistd.h>

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
