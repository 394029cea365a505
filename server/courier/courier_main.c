/* SPDX-License-Identifier: ISC */
/*
 * umpired-courier: what carries messages out, apart from the daemon, without
 * its database, its keys and its descriptors.  It takes jobs from a socket on
 * its standard input and answers each there; what both ends say is in
 * courier_wire.h.  When the daemon says no more it finishes what it has; when
 * the daemon is gone it ends at once.
 */
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/frame.h"
#include "server/base/log.h"
#include "server/courier/courier_curl.h"
#include "server/courier/courier_hook.h"
#include "server/courier/courier_mail.h"
#include "server/courier/courier_message.h"
#include "server/courier/courier_run.h"

#define COURIER_MAIN_WAIT_MS 60000 /* without anything to do */
#define COURIER_MAIN_SPARE_MS 1000 /* for libcurl to see that time is up */
#define COURIER_MAIN_RUN_MS 1000 /* between looks at commands' deadlines */
#define COURIER_MAIN_SOCKET STDIN_FILENO

/* A job in hand. */
struct courier_main_task {
	TAILQ_ENTRY(courier_main_task) link;
	int64_t id;
	enum courier_wire_channel channel;
	int64_t due_ms; /* a webhook: when a concealed end may be told */
	bool is_held; /* it is over, and `held` waits for that */
	struct courier_wire_verdict held;
	struct courier_run run; /* a command */
	struct courier_curl curl; /* the others */
};

TAILQ_HEAD(courier_main_tasks, courier_main_task);

struct courier_main {
	CURLM *multi;
	int signals; /* SIGCHLD, SIGTERM, SIGINT, SIGUSR1 */
	struct frame in;
	struct buf out; /* answers on their way */
	struct courier_main_tasks tasks;
	size_t n_tasks;
	size_t n_runs; /* of them, commands */
	bool has_settings;
	struct courier_wire_settings set;
	char password[COURIER_MAIL_PASSWORD + 1];
	bool is_ending; /* no more jobs are taken */
	bool is_lost; /* the daemon is gone, or talks nonsense */
	int status; /* to exit with */
};

/* Ends all at once, since the daemon cannot be talked to. */
static void
courier_main_lose(struct courier_main *m, int status)
{
	m->is_ending = true;
	m->is_lost = true;
	if (m->status == EX_OK)
		m->status = status;
}

/* Answers a job. */
static void
courier_main_answer(
    struct courier_main *m, int64_t id, const struct courier_wire_verdict *v)
{
	courier_wire_answer(&m->out, id, v);
	if (buf_error(&m->out) != 0)
		courier_main_lose(m, EX_OSERR);
}

/* Forgets a task that is over, or never began. */
static void
courier_main_free(struct courier_main *m, struct courier_main_task *t)
{
	TAILQ_REMOVE(&m->tasks, t, link);
	m->n_tasks--;
	if (t->channel == COURIER_WIRE_COMMAND)
		m->n_runs--;
	free(t);
}

/* Gives a transfer to libcurl. */
static int
courier_main_add(struct courier_main *m, struct courier_main_task *t,
    struct courier_wire_verdict *v)
{
	if (curl_easy_setopt(t->curl.easy, CURLOPT_PRIVATE, t) == CURLE_OK &&
	    curl_multi_add_handle(m->multi, t->curl.easy) == CURLM_OK)
		return (0);
	courier_curl_clear(&t->curl);
	courier_wire_fail_own(v, "%s", err_text(ERR_NOMEM));
	return (ERR_NOMEM);
}

/* Begins a job. */
static int
courier_main_try(struct courier_main *m, struct courier_main_task *t,
    const struct courier_wire_job *job, struct courier_wire_verdict *v)
{
	int r = ERR_INVALID;

	switch (job->channel) {
	case COURIER_WIRE_COMMAND:
		if (m->set.notify_command[0] == '\0') {
			courier_wire_fail_own(v, "there is no notify_command");
			return (ERR_CONFIG);
		}
		return (courier_run_begin(&t->run, m->set.notify_command, job,
		    clock_mono_ms() + COURIER_RUN_MS, v));
	case COURIER_WIRE_MAIL:
		r = courier_mail_begin(&t->curl, &m->set, m->password, job, v);
		break;
	case COURIER_WIRE_WEBHOOK:
		t->due_ms = clock_mono_ms() + COURIER_MAIN_SPARE_MS +
		    1000 * m->set.webhook_connect;
		r = courier_hook_begin(&t->curl, &m->set, job, v);
		break;
	}
	return (r == 0 ? courier_main_add(m, t, v) : r);
}

/* Takes a job; what cannot be begun is answered at once. */
static void
courier_main_take_job(
    struct courier_main *m, const struct courier_wire_job *job)
{
	struct courier_wire_verdict v = {.ok = false};
	struct courier_main_task *t;

	if ((t = calloc(1, sizeof(*t))) == NULL) {
		courier_wire_fail_own(&v, "%s", err_text(ERR_NOMEM));
		courier_main_answer(m, job->id, &v);
		return;
	}
	t->id = job->id;
	t->channel = job->channel;
	TAILQ_INSERT_TAIL(&m->tasks, t, link);
	m->n_tasks++;
	if (t->channel == COURIER_WIRE_COMMAND)
		m->n_runs++;
	if (courier_main_try(m, t, job, &v) == 0)
		return;
	courier_main_free(m, t);
	courier_main_answer(m, job->id, &v);
}

/* Puts the settings into force. */
static void
courier_main_take_settings(struct courier_main *m)
{
	const struct courier_wire_settings *set = &m->set;
	const struct rlimit none = {0, 0};
	struct errinfo e = {.text = ""};

	m->has_settings = true;
	if (!set->core_dumps &&
	    (setrlimit(RLIMIT_CORE, &none) == -1 ||
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == -1))
		log_warn("courier: core files cannot be switched off");
	if (set->smtp_url[0] == '\0' || set->smtp_user[0] == '\0')
		return;
	if (courier_mail_read_password(
		set->smtp_password_file, m->password, &e) != 0)
		log_errorx("courier: no mail can be sent: smtp_password_file: "
			   "%s",
		    e.text);
}

/* Takes a line of the daemon's. */
static void
courier_main_take_line(struct courier_main *m, const char *line, size_t len)
{
	struct courier_wire_job job;
	struct errinfo e = {.text = ""};
	int r;

	if (!m->has_settings)
		r = courier_wire_read_settings(line, len, &m->set, &e);
	else
		r = courier_wire_read_job(line, len, &job, &e);
	if (r != 0) {
		log_errorx("courier: the daemon's line cannot be read: %s%s%s",
		    e.where, e.where[0] == '\0' ? "" : ": ",
		    e.text[0] == '\0' ? err_text(r) : e.text);
		courier_main_lose(m, EX_DATAERR);
	} else if (!m->has_settings) {
		courier_main_take_settings(m);
	} else {
		courier_main_take_job(m, &job);
		courier_wire_clear_job(&job);
	}
}

/* True if another job may be taken. */
static bool
courier_main_has_room(const struct courier_main *m)
{
	return (!m->is_ending && m->n_tasks < COURIER_WIRE_JOBS);
}

/* Takes the lines that came, while there is room. */
static void
courier_main_take_lines(struct courier_main *m)
{
	const char *line;
	size_t len;
	int r = 0;

	while (courier_main_has_room(m) &&
	    (r = frame_next(&m->in, &line, &len)) == 0)
		courier_main_take_line(m, line, len);
	if (r == ERR_TOOBIG) {
		log_errorx("courier: the daemon's line is too long");
		courier_main_lose(m, EX_DATAERR);
	}
}

/* Reads what the daemon says. */
static void
courier_main_read(struct courier_main *m)
{
	char piece[16384];
	ssize_t n;
	int r;

	n = recv(COURIER_MAIN_SOCKET, piece, sizeof(piece), MSG_DONTWAIT);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == -1) {
		courier_main_lose(m, EX_IOERR);
	} else if (n == 0) {
		m->is_ending = true;
	} else {
		r = frame_feed(&m->in, piece, (size_t)n);
		explicit_bzero(piece, (size_t)n);
		if (r == ERR_NOMEM)
			courier_main_lose(m, EX_OSERR);
	}
}

/* Writes answers. */
static void
courier_main_write(struct courier_main *m)
{
	ssize_t n;

	while (m->out.len > 0 && !m->is_lost) {
		n = send(COURIER_MAIN_SOCKET, m->out.data, m->out.len,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n == -1 && errno == EAGAIN)
			return;
		if (n == -1 && errno != EINTR)
			courier_main_lose(m, EX_OK);
		if (n > 0)
			buf_drain(&m->out, (size_t)n);
	}
}

/* Answers the transfers that are over. */
static void
courier_main_end_transfers(struct courier_main *m)
{
	struct courier_wire_verdict v;
	struct courier_main_task *t;
	struct CURLMsg *msg;
	CURLcode code;
	char *private;
	int left;

	while ((msg = curl_multi_info_read(m->multi, &left)) != NULL) {
		if (msg->msg != CURLMSG_DONE ||
		    curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE,
			&private) != CURLE_OK)
			continue;
		t = (struct courier_main_task *)(void *)private;
		code = msg->data.result;
		if (t->channel == COURIER_WIRE_MAIL)
			courier_mail_judge(&t->curl, code, &v);
		else
			courier_hook_judge(&t->curl, code, &v);
		(void)curl_multi_remove_handle(m->multi, t->curl.easy);
		courier_curl_clear(&t->curl);
		if (t->channel == COURIER_WIRE_WEBHOOK && v.is_concealed) {
			t->held = v;
			t->is_held = true;
			continue;
		}
		courier_main_answer(m, t->id, &v);
		courier_main_free(m, t);
	}
}

/*
 * Answers those that were held, when it is time: each keeps its place until
 * then, since a place that is free again tells as much.  At the end they are
 * dropped, which the daemon takes for lost.
 */
static void
courier_main_end_held(struct courier_main *m)
{
	const int64_t now_ms = clock_mono_ms();
	struct courier_main_task *t, *next;

	for (t = TAILQ_FIRST(&m->tasks); t != NULL; t = next) {
		next = TAILQ_NEXT(t, link);
		if (!t->is_held || (t->due_ms > now_ms && !m->is_ending))
			continue;
		if (t->due_ms <= now_ms)
			courier_main_answer(m, t->id, &t->held);
		courier_main_free(m, t);
	}
}

/* How long to wait for something to happen. */
static int
courier_main_patience(const struct courier_main *m)
{
	const int64_t now_ms = clock_mono_ms();
	const struct courier_main_task *t;
	int64_t ms = m->n_runs > 0 ? COURIER_MAIN_RUN_MS : COURIER_MAIN_WAIT_MS;

	TAILQ_FOREACH(t, &m->tasks, link)
	{
		if (!t->is_held)
			continue;
		if (m->is_ending || t->due_ms <= now_ms)
			return (0);
		if (t->due_ms - now_ms < ms)
			ms = t->due_ms - now_ms;
	}
	return ((int)ms);
}

/* Answers the commands that are over. */
static void
courier_main_end_runs(struct courier_main *m)
{
	struct courier_main_task *t, *next;
	struct courier_wire_verdict v;

	for (t = TAILQ_FIRST(&m->tasks); t != NULL; t = next) {
		next = TAILQ_NEXT(t, link);
		if (t->channel != COURIER_WIRE_COMMAND ||
		    !courier_run_is_over(&t->run, &v))
			continue;
		courier_main_answer(m, t->id, &v);
		courier_main_free(m, t);
	}
}

/* Takes the signals that came. */
static void
courier_main_take_signals(struct courier_main *m)
{
	struct signalfd_siginfo si;

	while (read(m->signals, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGUSR1)
			courier_main_lose(m, EX_OK);
		else if (si.ssi_signo != SIGCHLD)
			m->is_ending = true;
	}
}

/* Waits for something to happen; libcurl sees to its own deadlines. */
static void
courier_main_wait(struct courier_main *m)
{
	struct curl_waitfd fds[2] = {
	    {.fd = m->signals, .events = CURL_WAIT_POLLIN},
	    {.fd = COURIER_MAIN_SOCKET},
	};

	if (courier_main_has_room(m))
		fds[1].events |= CURL_WAIT_POLLIN;
	if (m->out.len > 0)
		fds[1].events |= CURL_WAIT_POLLOUT;
	if (curl_multi_poll(m->multi, fds, fds[1].events == 0 ? 1 : 2,
		courier_main_patience(m), NULL) != CURLM_OK)
		courier_main_lose(m, EX_SOFTWARE);
}

/* True once the daemon has closed both directions. */
static bool
courier_main_is_alone(void)
{
	struct pollfd pfd = {.fd = COURIER_MAIN_SOCKET};

	return (poll(&pfd, 1, 0) == 1 && (pfd.revents & (POLLHUP | POLLERR)));
}

/* Does jobs until there are no more. */
static void
courier_main_run(struct courier_main *m)
{
	int running;

	while (!m->is_lost &&
	    (!m->is_ending || m->n_tasks > 0 || m->out.len > 0)) {
		courier_main_wait(m);
		courier_main_take_signals(m);
		if (curl_multi_perform(m->multi, &running) != CURLM_OK)
			courier_main_lose(m, EX_SOFTWARE);
		courier_main_end_transfers(m);
		courier_main_end_held(m);
		if (m->n_runs > 0)
			courier_main_end_runs(m);
		if (courier_main_has_room(m))
			courier_main_read(m);
		courier_main_take_lines(m);
		courier_main_write(m);
		if (m->is_ending && courier_main_is_alone())
			courier_main_lose(m, EX_OK);
	}
}

/* Opens what the loop waits on. */
static int
courier_main_open(struct courier_main *m)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGUSR1);
	if (sigprocmask(SIG_BLOCK, &set, NULL) == -1 ||
	    (m->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) == -1)
		return (ERR_IO);
	/* Threads of libcurl's are born with the mask. */
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    (m->multi = curl_multi_init()) == NULL)
		return (ERR_NOMEM);
	return (0);
}

/* Ends what is still in hand and frees all. */
static void
courier_main_close(struct courier_main *m)
{
	struct courier_main_task *t;

	while ((t = TAILQ_FIRST(&m->tasks)) != NULL) {
		if (t->channel == COURIER_WIRE_COMMAND) {
			courier_run_kill(&t->run);
		} else if (!t->is_held) {
			(void)curl_multi_remove_handle(m->multi, t->curl.easy);
			courier_curl_clear(&t->curl);
		}
		courier_main_free(m, t);
	}
	(void)curl_multi_cleanup(m->multi);
	curl_global_cleanup();
	courier_wire_clear_settings(&m->set);
	explicit_bzero(m->password, sizeof(m->password));
	frame_clear(&m->in);
	buf_clear(&m->out);
}

/* True if the program was started as the daemon does. */
static bool
courier_main_is_child(void)
{
	int type;
	socklen_t len = sizeof(type);

	return (getsockopt(COURIER_MAIN_SOCKET, SOL_SOCKET, SO_TYPE, &type,
		    &len) == 0 &&
	    type == SOCK_STREAM);
}

int
main(int argc, char *argv[])
{
	struct courier_main m = {.signals = -1};

	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("umpired-courier " PACKAGE_VERSION "\n");
		return (EX_OK);
	}
	if (argc != 1 || !courier_main_is_child()) {
		fprintf(stderr,
		    "umpired-courier: umpired starts this program; see "
		    "umpired-courier(8)\n");
		return (EX_USAGE);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	if (prctl(PR_SET_PDEATHSIG, SIGUSR1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) {
		log_warn("courier: cannot be confined");
		return (EX_OSERR);
	}
	TAILQ_INIT(&m.tasks);
	frame_init(&m.in, COURIER_WIRE_LINE);
	buf_init(&m.out, 0);
	if (courier_main_open(&m) == 0) {
		courier_main_run(&m);
	} else {
		log_warn("courier: cannot begin");
		m.status = EX_OSERR;
	}
	courier_main_close(&m);
	return (m.status);
}
