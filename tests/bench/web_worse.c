/* SPDX-License-Identifier: ISC */
/*
 * umpire-web made worse, for the controls of its measures: each write to a
 * socket burns processor time, and each connection takes memory that is never
 * given back.  libevent finds these calls before those of the C library.
 */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WEB_WORSE_US 100 /* of a write */
#define WEB_WORSE_BYTES 16384 /* of a connection */

/* Microseconds of the processor. */
static long long
web_worse_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ((long long)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* Instead of the library's. */
ssize_t
writev(int fd, const struct iovec *iov, int n)
{
	const long long until_us = web_worse_us() + WEB_WORSE_US;

	while (web_worse_us() < until_us)
		continue;
	return (syscall(SYS_writev, fd, iov, n));
}

/* Likewise. */
int
accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags)
{
	char *p = malloc(WEB_WORSE_BYTES);

	if (p != NULL)
		memset(p, 1, WEB_WORSE_BYTES);
	return ((int)syscall(SYS_accept4, fd, addr, len, flags));
}
