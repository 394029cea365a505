/* SPDX-License-Identifier: ISC */
/* No TLS and no login: the kernel tells the daemon who we are. */
#include "client/net/local_call.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "common/record/rpc.h"

#define LOCAL_CALL_WAIT_S 60 /* for an answer: the ledger may be busy */

/* Connects; *fd is new. */
static int
local_call_open(const char *path, int *fd, struct errinfo *e)
{
	const struct timeval tv = {.tv_sec = LOCAL_CALL_WAIT_S};
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	int s, saved;

	if (strlen(path) >= sizeof(sun.sun_path))
		return (err_set(e, ERR_TOOBIG, NULL,
		    "the path of a socket has at most %zu bytes, and this has "
		    "%zu: '%s'",
		    sizeof(sun.sun_path) - 1, strlen(path), path));
	memcpy(sun.sun_path, path, strlen(path) + 1);
	if ((s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) == -1)
		return (err_set(e, ERR_IO, NULL, "cannot make a socket: %s",
		    strerror(errno)));
	if (setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) == 0 &&
	    setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)) == 0 &&
	    connect(s, (struct sockaddr *)&sun, sizeof(sun)) == 0) {
		*fd = s;
		return (0);
	}
	saved = errno;
	(void)close(s);
	switch (saved) {
	case EACCES:
	case EPERM:
		return (err_set(e, ERR_DENIED, NULL,
		    "you may not use '%s'; root may, the user that umpired "
		    "runs as, and whom its setting admin_users names",
		    path));
	case ENOENT:
	case ENOTDIR:
	case ECONNREFUSED:
		return (err_set(e, ERR_NOTFOUND, NULL,
		    "no umpired answers at '%s': it must be running, with that "
		    "path as its setting admin_socket (here: --socket PATH)",
		    path));
	default:
		return (err_set(e, ERR_IO, NULL, "cannot connect to '%s': %s",
		    path, strerror(saved)));
	}
}

/* Sends all. */
static int
local_call_send(int fd, const struct buf *b, struct errinfo *e)
{
	size_t done = 0;
	ssize_t n;

	while (done < b->len) {
		n = send(fd, b->data + done, b->len - done, MSG_NOSIGNAL);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return (err_set(e, ERR_CLOSED, NULL,
			    "umpired has closed the connection"));
		done += (size_t)n;
	}
	return (0);
}

/* Reads a line, without its LF. */
static int
local_call_read(int fd, struct buf *b, struct errinfo *e)
{
	char piece[4096];
	ssize_t n;

	while (memchr(b->data, '\n', b->len) == NULL) {
		n = recv(fd, piece, sizeof(piece), 0);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return (err_set(e, ERR_TIMEOUT, NULL,
			    "umpired does not answer; whether it has done what "
			    "was asked is not known, its log says so"));
		if (n <= 0)
			return (err_set(e, ERR_CLOSED, NULL,
			    "umpired has closed the connection without an "
			    "answer; its log says whether it did what was "
			    "asked"));
		buf_add(b, piece, (size_t)n);
		if (buf_error(b) != 0)
			return (err_set(e, ERR_MALFORMED, NULL,
			    "umpired's answer is too long"));
	}
	b->len = (size_t)((char *)memchr(b->data, '\n', b->len) - b->data);
	return (0);
}

/* Takes the answer apart. */
static int
local_call_parse(
    const struct buf *b, json_t **result, bool *is_answer, struct errinfo *e)
{
	struct rpc_reply rp;
	int r;

	if ((r = rpc_reply_parse(b->data, b->len, &rp, e)) != 0)
		return (r == ERR_NOMEM
			? r
			: err_set(e, ERR_MALFORMED, NULL,
			      "umpired's answer makes no sense"));
	if (rp.code != 0) {
		*is_answer = true;
		r = err_set(e, rp.r, rp.where, "%s", rp.message);
	} else if (rp.result == NULL) {
		r = err_set(
		    e, ERR_MALFORMED, NULL, "umpired's answer makes no sense");
	} else {
		*result = json_incref(rp.result);
	}
	rpc_reply_clear(&rp);
	return (r);
}

int
local_call(const char *path, const char *method, json_t *params,
    json_t **result, bool *is_answer, struct errinfo *e)
{
	struct buf b;
	int fd = -1, r;

	*is_answer = false;
	buf_init(&b, RPC_REPLY_MAX + 1);
	rpc_write_request(&b, 1, method, params);
	json_decref(params);
	if ((r = buf_error(&b)) != 0)
		goto out;
	if ((r = local_call_open(path, &fd, e)) != 0 ||
	    (r = local_call_send(fd, &b, e)) != 0)
		goto out;
	buf_reset(&b);
	if ((r = local_call_read(fd, &b, e)) == 0)
		r = local_call_parse(&b, result, is_answer, e);
out:
	if (fd != -1)
		(void)close(fd);
	buf_clear(&b);
	return (r);
}
