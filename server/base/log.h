/* SPDX-License-Identifier: ISC */
/*
 * One line a message to stderr, with the time and the level: the daemon's
 * log.  Only the layer that decides what to do about something logs it.
 * Messages are lower case, without a full stop, and hold no secrets.
 * Bytes that are not printable ASCII or valid UTF-8 letters are escaped, so
 * that nothing from outside can forge a line.  Any thread may call it.
 */
#ifndef UMPIRE_SERVER_BASE_LOG_H
#define UMPIRE_SERVER_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>

enum log_level {
	LOG_ERROR,
	LOG_WARN,
	LOG_INFO,
	LOG_DEBUG,
};

/* Sets the most verbose level that is printed (default LOG_INFO). */
void log_set_level(enum log_level level);

/*
 * Looks whether stderr is a terminal: on one, lines that are too long for it
 * break between words.  Without this call they never do.
 */
void log_look(void);

/* True if messages of a level are printed, so that others need no text. */
bool log_is_on(enum log_level level);

void log_errorx(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warnx(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same with a va_list and a level. */
void log_vprint(enum log_level level, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

#endif
