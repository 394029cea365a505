/* SPDX-License-Identifier: ISC */
/*
 * Binding comes before the daemon has threads and before its sandbox, which
 * lets it make no socket and no file that is one.
 */
#include "server/net/local.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOCAL_BACKLOG 8

/* A socket that does not block; -1 with errno. */
static int
local_socket(void)
{
	return (socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

/* Removes a socket that nobody answers at. */
static int
local_clear(const struct sockaddr_un *sun, struct errinfo *e)
{
	struct stat sb;
	int fd, r = 0;

	if (lstat(sun->sun_path, &sb) == -1)
		return (0); /* bind(2) says what is wrong, if anything is */
	if (!S_ISSOCK(sb.st_mode))
		return (err_set(e, ERR_EXISTS, "",
		    "admin_socket \"%s\" is there and is no socket; name "
		    "another path, or remove it",
		    sun->sun_path));
	if ((fd = local_socket()) == -1)
		return (err_set(e, ERR_IO, "", "cannot make a socket: %s",
		    strerror(errno)));
	if (connect(fd, (const struct sockaddr *)sun, sizeof(*sun)) == 0 ||
	    errno == EAGAIN)
		r = err_set(e, ERR_BUSY, "",
		    "another umpired answers at admin_socket \"%s\"",
		    sun->sun_path);
	else if (errno != ECONNREFUSED)
		r = err_set(e, ERR_IO, "",
		    "cannot find out whether somebody answers at admin_socket "
		    "\"%s\": %s",
		    sun->sun_path, strerror(errno));
	else if (unlink(sun->sun_path) == -1)
		r = err_set(e, ERR_IO, "",
		    "cannot remove the old admin_socket \"%s\": %s",
		    sun->sun_path, strerror(errno));
	(void)close(fd);
	return (r);
}

int
local_bind(struct local *l, const char *path, bool is_open, struct errinfo *e)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	struct stat sb;
	mode_t mask;
	int r;

	l->fd = -1;
	l->path = NULL;
	if (strlen(path) >= sizeof(sun.sun_path))
		return (err_set(e, ERR_TOOBIG, "",
		    "the path of a socket has at most %zu bytes, and "
		    "admin_socket has %zu: \"%s\"",
		    sizeof(sun.sun_path) - 1, strlen(path), path));
	memcpy(sun.sun_path, path, strlen(path) + 1);
	if ((r = local_clear(&sun, e)) != 0)
		return (r);
	if ((l->path = strdup(path)) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	/* Nobody may connect between the two calls who may not later. */
	mask = umask(0177);
	if ((l->fd = local_socket()) != -1 &&
	    bind(l->fd, (const struct sockaddr *)&sun, sizeof(sun)) == 0)
		r = lstat(path, &sb);
	else
		r = -1;
	(void)umask(mask);
	if (r == 0 && is_open)
		r = chmod(path, 0666);
	if (r == 0)
		r = listen(l->fd, LOCAL_BACKLOG);
	if (r == 0) {
		l->dev = sb.st_dev;
		l->ino = sb.st_ino;
		return (0);
	}
	r = err_set(e, ERR_IO, "", "cannot bind admin_socket \"%s\": %s%s",
	    path, strerror(errno),
	    errno == ENOENT ? "; its folder must exist" : "");
	if (l->fd != -1)
		(void)close(l->fd);
	free(l->path);
	l->fd = -1;
	l->path = NULL;
	return (r);
}

void
local_close(struct local *l)
{
	struct stat sb;

	if (l->fd == -1)
		return;
	if (lstat(l->path, &sb) == 0 && S_ISSOCK(sb.st_mode) &&
	    sb.st_dev == l->dev && sb.st_ino == l->ino)
		(void)unlink(l->path);
	(void)close(l->fd);
	free(l->path);
	l->fd = -1;
	l->path = NULL;
}

int
local_peer(int fd, struct local_peer *out)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == -1 ||
	    len != sizeof(cred))
		return (ERR_IO);
	out->uid = cred.uid;
	out->pid = cred.pid;
	return (0);
}
