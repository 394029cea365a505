/* SPDX-License-Identifier: ISC */
/*
 * The log.  A line is put together on the stack and leaves with one
 * write(2), so that lines of several threads never mix; it is short enough
 * to be whole in a pipe too.  The level is the only state.  Neither files
 * nor their rotation: stderr goes where the service manager sends it.
 */
#include "server/base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/fold.h"
#include "common/base/utf8.h"

#define LOG_TEXT 1024 /* bytes of a message; what is longer is cut */
#define LOG_HANG 4 /* columns by which the rest of a line is indented */
#define LOG_LINE 4096 /* bytes of a line: PIPE_BUF on Linux */

static const char *const log_names[] = {"error", "warn", "info", "debug"};

static atomic_int log_limit = LOG_INFO;
static atomic_int log_width; /* columns of the terminal; 0: not on one */

void
log_set_level(enum log_level level)
{
	atomic_store(&log_limit, (int)level);
}

void
log_look(void)
{
	atomic_store(&log_width, fold_width(STDERR_FILENO));
}

bool
log_is_on(enum log_level level)
{
	return ((int)level <= atomic_load(&log_limit));
}

/*
 * Appends s to the line of *len bytes, with what is not plain as \xhh.  A
 * byte takes four at most, so that LOG_TEXT bytes fit nearly always; the
 * rest is cut.
 */
static void
log_escape(char line[LOG_LINE], size_t *len, const char *s)
{
	size_t i, left = strlen(s), n, step, used = *len;
	uint32_t cp;

	for (; left > 0; s += step, left -= step) {
		n = utf8_get(s, left, &cp);
		step = n == 0 ? 1 : n;
		if (used + 4 * step + 1 > LOG_LINE)
			break;
		if (n > 0 && utf8_is_plain(cp)) {
			memcpy(line + used, s, n);
			used += n;
			continue;
		}
		for (i = 0; i < step; i++, used += 4)
			(void)snprintf(
			    line + used, 5, "\\x%02x", (unsigned char)s[i]);
	}
	*len = used;
}

/* Writes one line: the formatted text, and ": " and reason if not NULL. */
static void
log_print(enum log_level level, const char *reason, const char *fmt, va_list ap)
{
	char at[CLOCK_AT_LEN + 1], folded[LOG_LINE], line[LOG_LINE];
	char text[LOG_TEXT];
	const char *p = line;
	size_t len;
	int width = atomic_load(&log_width);

	if (!log_is_on(level))
		return;
	clock_format(at, clock_wall_ms());
	len = (size_t)snprintf(
	    line, sizeof(line), "%s %-5s ", at, log_names[level]);
	if (vsnprintf(text, sizeof(text), fmt, ap) < 0)
		text[0] = '\0';
	log_escape(line, &len, text);
	if (reason != NULL) {
		log_escape(line, &len, ": ");
		log_escape(line, &len, reason);
	}
	if (width > 0) {
		line[len] = '\0'; /* log_escape() leaves room for one more */
		len = fold_text(folded, sizeof(folded) - 1, line, 0,
		    width > 3 * LOG_HANG ? LOG_HANG : 2, width);
		folded[len++] = '\n';
		p = folded;
	} else {
		line[len++] = '\n';
	}
	/* There is nobody to tell that the log cannot be written. */
	while (write(STDERR_FILENO, p, len) == -1 && errno == EINTR)
		continue;
}

void
log_vprint(enum log_level level, const char *fmt, va_list ap)
{
	const int saved = errno;

	log_print(level, NULL, fmt, ap);
	errno = saved;
}

void
log_errorx(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_vprint(LOG_ERROR, fmt, ap);
	va_end(ap);
}

void
log_warn(const char *fmt, ...)
{
	const int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	log_print(LOG_WARN, strerror(saved), fmt, ap);
	va_end(ap);
	errno = saved;
}

void
log_warnx(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_vprint(LOG_WARN, fmt, ap);
	va_end(ap);
}

void
log_info(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_vprint(LOG_INFO, fmt, ap);
	va_end(ap);
}

void
log_debug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_vprint(LOG_DEBUG, fmt, ap);
	va_end(ap);
}
