/* SPDX-License-Identifier: ISC */
/*
 * Where tests can make connections fail: each accept4(), read(), recv() and
 * write() of an internet socket asks the program first, OpenSSL's, too.  The
 * program that includes this (once) has functions of those names, which call
 * sockets_accept() and so on; it is asked as by tests/syscalls.h.
 */
#ifndef UMPIRE_TESTS_SOCKETS_H
#define UMPIRE_TESTS_SOCKETS_H

#include <sys/socket.h>
#include <sys/syscall.h>

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "tests/syscalls.h"

/* More bits of the mask of tests/syscalls.h. */
enum sockets_kind {
	SOCKETS_READ = 1024,
	SOCKETS_WRITE = 2048,
	SOCKETS_ACCEPT = 4096,
};

/* Asks what becomes of a call; none but those of internet sockets count. */
static enum syscalls_end
sockets_ask(int fd, enum sockets_kind kind)
{
	const int saved = errno;
	int domain = AF_UNSPEC;
	socklen_t len = sizeof(domain);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == -1)
		domain = AF_UNSPEC;
	errno = saved;
	if (domain != AF_INET && domain != AF_INET6)
		return (SYSCALLS_WORKS);
	return (syscalls_ask((enum syscalls_kind)kind));
}

/* accept4() */
static int
sockets_accept(int fd, struct sockaddr *sa, socklen_t *len, int flags)
{
	if (syscalls_fails(sockets_ask(fd, SOCKETS_ACCEPT)))
		return (-1);
	return ((int)syscall(SYS_accept4, fd, sa, len, flags));
}

/* read(), or recv() if flags is not -1; a short one is of one byte. */
static ssize_t
sockets_read(int fd, void *p, size_t n, int flags)
{
	enum syscalls_end end = sockets_ask(fd, SOCKETS_READ);
	ssize_t r;

	if (syscalls_fails(end))
		return (-1);
	if (end == SYSCALLS_SHORT && n > 1)
		n = 1;
	if (flags == -1)
		r = syscall(SYS_read, fd, p, n);
	else
		r = syscall(SYS_recvfrom, fd, p, n, flags, NULL, NULL);
	syscalls_after(end);
	return (r);
}

/* write() */
static ssize_t
sockets_write(int fd, const void *p, size_t n)
{
	enum syscalls_end end = sockets_ask(fd, SOCKETS_WRITE);
	ssize_t r;

	if (syscalls_fails(end))
		return (-1);
	r = syscall(SYS_write, fd, p, syscalls_part(end, n));
	syscalls_after(end);
	return (r);
}

#endif
