/* SPDX-License-Identifier: ISC */
/*
 * The operator's socket.  A connection has one request in hand at a time and is
 * not read from meanwhile; one whose other end went away lives on until the
 * ledger has given its job back.  Who may use it is looked up once, at the
 * start: the sandbox leaves no way to ask for users.
 */
#include "server/rpc/admin.h"

#include <sys/queue.h>
#include <sys/socket.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "common/base/frame.h"
#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/ledger/ledger.h"
#include "server/net/local.h"
#include "server/net/mailbox.h"
#include "server/rpc/admin_methods.h"
#include "server/rpc/call.h"

#define ADMIN_CONNECTIONS 8
#define ADMIN_STRANGERS 2 /* of them, of users who may not be here */
#define ADMIN_USERS 32
#define ADMIN_NAME 33 /* bytes of a user's name, with its NUL */
#define ADMIN_WAIT_S 30 /* for a request, and for an answer to be read */
#define ADMIN_WHY 400 /* bytes of a reason in the log */

struct admin_conn {
	TAILQ_ENTRY(admin_conn) link;
	struct admin *a;
	int fd; /* -1: closed; a job is still out */
	struct local_peer peer;
	const char *user; /* NULL: may not be here */
	struct frame in;
	struct buf out;
	size_t sent; /* bytes of out that are gone */
	bool is_last; /* nothing more is taken: to be closed once out is gone */
	struct event read_ev;
	struct event write_ev;
	/* The request in hand. */
	struct ledger_job *job; /* owned; NULL: none */
	const struct admin_method *method;
	json_t *id; /* owned; NULL: a notification */
	struct mailbox_mail mail;
};

TAILQ_HEAD(admin_conns, admin_conn);

struct admin {
	struct local socket;
	struct event accept_ev;
	struct event_base *base; /* borrowed; NULL: not started */
	struct mailbox *mailbox;
	struct ledger *ledger; /* NULL: no more requests */
	struct admin_conns conns;
	size_t n_conns, n_strangers;
	struct {
		uid_t uid;
		char name[ADMIN_NAME];
	} users[ADMIN_USERS];
	size_t n_users;
};

static void admin_go_on(struct admin_conn *c);

const char *
admin_user(const struct admin *a, uid_t uid)
{
	size_t i;

	for (i = 0; i < a->n_users; i++) {
		if (a->users[i].uid == uid)
			return (a->users[i].name);
	}
	return (NULL);
}

/* Logs something about a connection, and about the job in hand if there is. */
static void __attribute__((format(printf, 3, 4)))
admin_log(const struct admin_conn *c, bool is_warning, const char *fmt, ...)
{
	struct buf text, what;
	va_list ap;

	buf_init(&text, 2048);
	buf_init(&what, 1024);
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	if (c->job != NULL) {
		buf_puts(&what, ": ");
		admin_method_tell(c->method, c->job, &what);
	}
	(is_warning ? log_warnx : log_info)("admin: %s (uid %lu, pid %ld)%s%s",
	    c->user == NULL ? "nobody who may" : c->user,
	    (unsigned long)c->peer.uid, (long)c->peer.pid, buf_str(&what),
	    buf_str(&text));
	buf_clear(&text);
	buf_clear(&what);
}

/* Frees a connection that is closed and has no job out. */
static void
admin_forget(struct admin_conn *c)
{
	TAILQ_REMOVE(&c->a->conns, c, link);
	c->a->n_conns--;
	c->a->n_strangers -= c->user == NULL;
	frame_clear(&c->in);
	buf_clear(&c->out);
	json_decref(c->id);
	ledger_job_free(c->job);
	free(c);
}

/* Closes a connection; it is gone unless a job is out. */
static void
admin_close(struct admin_conn *c)
{
	(void)event_del(&c->read_ev);
	(void)event_del(&c->write_ev);
	(void)close(c->fd);
	c->fd = -1;
	if (c->job == NULL)
		admin_forget(c);
}

/* Writes what it can; false if the connection is gone by that. */
static bool
admin_flush(struct admin_conn *c)
{
	const struct timeval tv = {.tv_sec = ADMIN_WAIT_S};
	ssize_t n;

	while (c->sent < c->out.len) {
		n = send(c->fd, c->out.data + c->sent, c->out.len - c->sent,
		    MSG_NOSIGNAL);
		if (n > 0) {
			c->sent += (size_t)n;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			if (c->a->base != NULL &&
			    event_add(&c->write_ev, &tv) == 0)
				return (true);
			break;
		} else if (errno != EINTR) {
			break;
		}
	}
	if (c->sent < c->out.len || c->is_last) {
		admin_close(c);
		return (false);
	}
	buf_reset(&c->out);
	c->sent = 0;
	return (true);
}

/* Answers the request with this id; r and e, or a result (taken). */
static void
admin_answer(struct admin_conn *c, const json_t *id, int r, json_t *result,
    const struct errinfo *e)
{
	if (r == 0 && result == NULL)
		r = ERR_NOMEM;
	if (id != NULL && r == 0)
		rpc_write_result(&c->out, id, result);
	else if (id != NULL)
		rpc_write_error(&c->out, id, r, e, NULL);
	json_decref(result);
	if (buf_error(&c->out) != 0)
		c->is_last = true;
}

/* The ledger has done what was asked, or has refused it. */
static void
admin_take(struct mailbox_mail *mail, void *arg)
{
	struct admin_conn *c = arg;
	struct ledger_job *job = c->job;
	const bool is_open = c->fd != -1;
	json_t *result = NULL;

	(void)mail;
	if (job->r == 0) {
		admin_log(c, false, ": done");
		result = c->method->finish(job);
	} else {
		js_within(call_at(), &job->e);
		admin_log(c, true, ": refused: %s",
		    job->e.text[0] == '\0' ? err_text(job->r) : job->e.text);
	}
	if (is_open)
		admin_answer(c, c->id, job->r, result, &job->e);
	else
		json_decref(result);
	json_decref(c->id);
	ledger_job_free(job);
	c->id = NULL;
	c->job = NULL;
	if (!is_open)
		admin_forget(c);
	else if (admin_flush(c))
		admin_go_on(c);
}

/* Passes a job on to the main thread; on the ledger's. */
static void
admin_done_cb(struct ledger_job *job, void *arg)
{
	struct admin_conn *c = arg;

	(void)job;
	mailbox_post(c->a->mailbox, &c->mail);
}

/* Gives the ledger what a request asks for. */
static int
admin_submit(
    struct admin_conn *c, const struct rpc_request *rq, struct errinfo *e)
{
	const char *why;
	int r;

	if (c->a->ledger == NULL)
		return (err_set(e, ERR_BUSY, "", "the daemon is stopping"));
	if ((c->job = ledger_job_new(c->method->op)) == NULL)
		return (ERR_NOMEM);
	r = c->method->fill(rq->params, c->job, e);
	if (r == 0) {
		why = admin_method_why(rq->params);
		admin_log(c, false, " is asked for, because \"%.*s\"",
		    ADMIN_WHY, why == NULL ? "" : why);
		c->job->done = admin_done_cb;
		c->job->arg = c;
		c->mail.take = admin_take;
		c->mail.arg = c;
		if (rq->id != NULL)
			c->id = json_incref((json_t *)(uintptr_t)rq->id);
		if ((r = ledger_submit(c->a->ledger, c->job)) == 0)
			return (CALL_LATER);
	}
	json_decref(c->id);
	ledger_job_free(c->job);
	c->id = NULL;
	c->job = NULL;
	return (r);
}

/* Carries out one line. */
static void
admin_line(struct admin_conn *c, const char *line, size_t len)
{
	struct rpc_request rq;
	struct errinfo e = {0};
	json_t *id = NULL;
	int r;

	r = rpc_request_parse(line, len, &rq, &id, &e);
	if (r != 0) {
		admin_answer(c, id == NULL ? json_null() : id,
		    r == ERR_INVALID ? ERR_REQUEST : r, NULL, &e);
		json_decref(id);
		return;
	}
	c->method = admin_method_find(rq.method);
	if (c->user == NULL) {
		r = err_set(&e, ERR_DENIED, "",
		    "the user with the number %lu may not use this socket; "
		    "\"admin_users\" says who may",
		    (unsigned long)c->peer.uid);
		admin_log(c, true, ": refused");
		c->is_last = true;
	} else if (c->method == NULL) {
		r = err_set(
		    &e, ERR_METHOD, "method", "no method \"%s\"", rq.method);
	} else if ((r = js_members(
			rq.params, call_at(), c->method->params, &e)) == 0) {
		r = admin_submit(c, &rq, &e);
	}
	/* The line was well formed; something in it is not. */
	if (r == ERR_MALFORMED)
		r = ERR_INVALID;
	if (r != CALL_LATER)
		admin_answer(c, rq.id, r, NULL, &e);
	rpc_request_clear(&rq);
}

/* Takes the lines that have come, one after the other, then waits for more. */
static void
admin_go_on(struct admin_conn *c)
{
	const struct timeval tv = {.tv_sec = ADMIN_WAIT_S};
	const char *line;
	size_t len;
	int r = 0;

	while (c->job == NULL && !c->is_last &&
	    (r = frame_next(&c->in, &line, &len)) == 0) {
		admin_line(c, line, len);
		if (!admin_flush(c))
			return;
	}
	if (c->job != NULL) {
		(void)event_del(&c->read_ev);
		return;
	}
	if (r == ERR_TOOBIG || c->a->base == NULL ||
	    event_add(&c->read_ev, &tv) == -1)
		admin_close(c);
}

/* Reads. */
static void
admin_read_cb(int fd, short what, void *arg)
{
	struct admin_conn *c = arg;
	char piece[4096];
	ssize_t n;

	if ((what & EV_TIMEOUT) != 0) {
		admin_close(c);
		return;
	}
	n = recv(fd, piece, sizeof(piece), 0);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0 || frame_feed(&c->in, piece, (size_t)n) == ERR_NOMEM) {
		admin_close(c);
		return;
	}
	admin_go_on(c);
}

/* Writes on. */
static void
admin_write_cb(int fd, short what, void *arg)
{
	struct admin_conn *c = arg;

	(void)fd;
	if ((what & EV_TIMEOUT) != 0)
		admin_close(c);
	else
		(void)admin_flush(c);
}

/* Takes a connection. */
static void
admin_accept_cb(int fd, short what, void *arg)
{
	const struct timeval tv = {.tv_sec = ADMIN_WAIT_S};
	struct admin *a = arg;
	struct admin_conn *c;
	struct local_peer peer = {.uid = (uid_t)-1};
	const char *user;
	int s;

	(void)what;
	s = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (s == -1)
		return;
	user = local_peer(s, &peer) == 0 ? admin_user(a, peer.uid) : NULL;
	/* Strangers are told that they may not, but keep nobody out. */
	if (a->n_conns == ADMIN_CONNECTIONS ||
	    (user == NULL && a->n_strangers == ADMIN_STRANGERS) ||
	    (c = calloc(1, sizeof(*c))) == NULL) {
		log_warnx("admin: a connection was turned away");
		(void)close(s);
		return;
	}
	c->a = a;
	c->fd = s;
	c->peer = peer;
	c->user = user;
	frame_init(&c->in, RPC_REQUEST_MAX);
	buf_init(&c->out, RPC_REPLY_MAX + 1);
	TAILQ_INSERT_TAIL(&a->conns, c, link);
	a->n_conns++;
	a->n_strangers += user == NULL;
	/* Zeroed events may be deleted. */
	if (event_assign(&c->read_ev, a->base, s, EV_READ | EV_PERSIST,
		admin_read_cb, c) == -1 ||
	    event_assign(
		&c->write_ev, a->base, s, EV_WRITE, admin_write_cb, c) == -1 ||
	    event_add(&c->read_ev, &tv) == -1)
		admin_close(c);
}

/* Adds a user to those who may use the socket. */
static int
admin_add(struct admin *a, uid_t uid, const char *name, struct errinfo *e)
{
	if (admin_user(a, uid) != NULL)
		return (0);
	if (a->n_users == ADMIN_USERS)
		return (err_set(e, ERR_CONFIG, "",
		    "admin_users names more than %d users", ADMIN_USERS - 2));
	a->users[a->n_users].uid = uid;
	(void)snprintf(a->users[a->n_users].name, ADMIN_NAME, "%s", name);
	a->n_users++;
	return (0);
}

/* Adds the user of a name or number, for which *end is the end of it. */
static int
admin_add_word(struct admin *a, const char *word, size_t len, struct errinfo *e)
{
	const struct passwd *pw;
	char name[ADMIN_NAME], *end;
	unsigned long uid;

	if (len >= sizeof(name))
		return (err_set(e, ERR_CONFIG, "",
		    "admin_users: no user has a name as long as \"%.*s\"",
		    (int)len, word));
	memcpy(name, word, len);
	name[len] = '\0';
	errno = 0;
	uid = strtoul(name, &end, 10);
	if (*end == '\0' && errno == 0 && uid < UINT32_MAX) {
		pw = getpwuid((uid_t)uid);
		return (admin_add(
		    a, (uid_t)uid, pw == NULL ? name : pw->pw_name, e));
	}
	if ((pw = getpwnam(name)) == NULL)
		return (err_set(e, ERR_CONFIG, "",
		    "admin_users: there is no user \"%s\"", name));
	return (admin_add(a, pw->pw_uid, name, e));
}

/* Looks up who may: root, who we are, and whom the settings name. */
static int
admin_look_up(struct admin *a, const char *users, struct errinfo *e)
{
	const struct passwd *pw;
	size_t n;
	int r;

	if ((r = admin_add(a, 0, "root", e)) != 0)
		return (r);
	pw = getpwuid(geteuid());
	r = admin_add(a, geteuid(), pw == NULL ? "umpired" : pw->pw_name, e);
	for (; r == 0 && *users != '\0'; users += n) {
		users += strspn(users, " \t,");
		n = strcspn(users, " \t,");
		if (n > 0)
			r = admin_add_word(a, users, n, e);
	}
	return (r);
}

int
admin_open(const struct conf *conf, struct admin **out, struct errinfo *e)
{
	struct admin *a;
	size_t own;
	int r;

	*out = NULL;
	if (conf->admin_socket[0] == '\0')
		return (0);
	if ((a = calloc(1, sizeof(*a))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	TAILQ_INIT(&a->conns);
	a->socket.fd = -1;
	own = geteuid() == 0 ? 1 : 2;
	if ((r = admin_look_up(a, conf->admin_users, e)) != 0 ||
	    (r = local_bind(
		 &a->socket, conf->admin_socket, a->n_users > own, e)) != 0) {
		admin_free(a);
		return (r);
	}
	*out = a;
	return (0);
}

int
admin_start(struct admin *a, struct event_base *base, struct mailbox *mailbox,
    struct ledger *ledger)
{
	a->base = base;
	a->mailbox = mailbox;
	a->ledger = ledger;
	if (event_assign(&a->accept_ev, base, a->socket.fd,
		EV_READ | EV_PERSIST, admin_accept_cb, a) == -1 ||
	    event_add(&a->accept_ev, NULL) == -1)
		return (ERR_NOMEM);
	log_info("the operator's socket is \"%s\"", a->socket.path);
	return (0);
}

void
admin_stop(struct admin *a)
{
	struct admin_conn *c, *next;

	if (a == NULL || a->base == NULL || a->ledger == NULL)
		return;
	a->ledger = NULL;
	(void)event_del(&a->accept_ev);
	local_close(&a->socket);
	for (c = TAILQ_FIRST(&a->conns); c != NULL; c = next) {
		next = TAILQ_NEXT(c, link);
		c->is_last = true;
		if (c->job == NULL && c->out.len == 0)
			admin_close(c);
	}
}

void
admin_free(struct admin *a)
{
	struct admin_conn *c;

	if (a == NULL)
		return;
	admin_stop(a);
	while ((c = TAILQ_FIRST(&a->conns)) != NULL) {
		if (c->fd != -1)
			(void)close(c->fd);
		admin_forget(c);
	}
	local_close(&a->socket);
	free(a);
}
