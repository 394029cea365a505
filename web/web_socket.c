/* SPDX-License-Identifier: ISC */
#include "web/web_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"

int
web_socket_unix(const char *path, mode_t mode, int *out, struct errinfo *e)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	int fd;

	if (strlen(path) >= sizeof(sun.sun_path))
		return (err_set(e, ERR_CONFIG, path, "the path is too long"));
	memcpy(sun.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd == -1)
		return (
		    err_set(e, ERR_IO, path, "socket: %s", strerror(errno)));
	if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0) {
		(void)close(fd); /* it was only a question */
		return (err_set(
		    e, ERR_BUSY, path, "somebody listens there already"));
	}
	if (errno == ECONNREFUSED)
		(void)unlink(path); /* bind() says if it is still there */
	if (bind(fd, (struct sockaddr *)&sun, sizeof(sun)) == -1 ||
	    chmod(path, mode) == -1) {
		(void)close(fd); /* nothing was in it */
		return (err_set(e, ERR_IO, path, "%s", strerror(errno)));
	}
	*out = fd;
	return (0);
}

int
web_socket_tcp(const char *listen, bool is_shared, int *out, uint16_t *port,
    struct errinfo *e)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
	    .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	const char *colon = strrchr(listen, ':');
	struct addrinfo *ai = NULL;
	int fd, one = 1, r, s;
	char *host;

	if (colon == NULL)
		return (err_set(e, ERR_CONFIG, "listen",
		    "\"%s\" is not host:port or unix:PATH", listen));
	host = listen[0] == '[' && colon > listen + 1 && colon[-1] == ']'
	    ? xalloc_strn(listen + 1, (size_t)(colon - listen) - 2)
	    : xalloc_strn(listen, (size_t)(colon - listen));
	s = getaddrinfo(
	    strcmp(host, "*") == 0 ? NULL : host, colon + 1, &hints, &ai);
	free(host);
	if (s != 0)
		return (err_set(e, ERR_CONFIG, "listen", "\"%s\": %s", listen,
		    gai_strerror(s)));
	fd = socket(
	    ai->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd != -1)
		(void)setsockopt(
		    fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (fd != -1 && is_shared &&
	    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) == -1) {
		r = err_set(
		    e, ERR_IO, "listen", "SO_REUSEPORT: %s", strerror(errno));
		(void)close(fd); /* nothing was in it */
		freeaddrinfo(ai);
		return (r);
	}
	if (fd == -1 || bind(fd, ai->ai_addr, ai->ai_addrlen) == -1 ||
	    getsockname(fd, (struct sockaddr *)&ss, &len) == -1) {
		r = err_set(e, errno == EADDRINUSE ? ERR_BUSY : ERR_IO,
		    "listen", "\"%s\": %s", listen, strerror(errno));
		if (fd != -1)
			(void)close(fd); /* nothing was in it */
		freeaddrinfo(ai);
		return (r);
	}
	freeaddrinfo(ai);
	*port = ss.ss_family == AF_INET6
	    ? ntohs(((struct sockaddr_in6 *)(void *)&ss)->sin6_port)
	    : ntohs(((struct sockaddr_in *)(void *)&ss)->sin_port);
	*out = fd;
	return (0);
}
