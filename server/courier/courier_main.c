/* SPDX-License-Identifier: ISC */
/*
 * umpired-courier: what carries messages out, apart from the daemon, without
 * its database, its keys and its descriptors.  It reads its settings by itself,
 * takes jobs from a socket on its standard input and answers each there; what
 * both ends say is in courier_message.h.  A job that is over keeps its place
 * until its answer is sent.  When the daemon has no more to say the courier
 * finishes what it has; when the daemon is gone it ends at once.
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
#include "server/base/conf.h"
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
	struct courier_message answer;
	enum courier_channel channel;
	bool is_over; /* the answer waits for its time, or to be sent */
	int64_t due_ms; /* when it may be sent */
	int64_t concealed_ms; /* the same if why it failed is concealed */
	struct courier_run run; /* a command */
	struct courier_curl curl; /* the others */
};

TAILQ_HEAD(courier_main_tasks, courier_main_task);

struct courier_main {
	CURLM *multi;
	int signals; /* SIGCHLD, SIGTERM, SIGINT, SIGUSR1 */
	struct courier_main_tasks tasks;
	size_t n_tasks;
	bool is_full; /* the socket takes no answer now */
	struct conf *conf;
	struct courier_settings set;
	char password[COURIER_MAIL_PASSWORD + 1];
	bool is_ending; /* no more jobs are taken */
	bool is_lost; /* the daemon is gone, or talks nonsense */
	int status; /* to exit with */
	char packet[COURIER_PACKET];
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

/* Begins a job; otherwise its verdict says why not. */
static int
courier_main_begin(struct courier_main *m, struct courier_main_task *t,
    const struct courier_message *job)
{
	struct courier_verdict *v = &t->answer.verdict;
	int r = ERR_INVALID;

	switch (job->channel) {
	case COURIER_CHANNEL_COMMAND:
		if (m->conf->notify_command[0] == '\0') {
			courier_verdict_fail_own(
			    v, "notify_command is not set");
			return (ERR_CONFIG);
		}
		return (courier_run_begin(&t->run, m->conf->notify_command, job,
		    clock_mono_ms() + COURIER_RUN_MS, v));
	case COURIER_CHANNEL_MAIL:
		r = courier_mail_begin(&t->curl, &m->set, job, v);
		break;
	case COURIER_CHANNEL_WEBHOOK:
		t->concealed_ms = clock_mono_ms() + COURIER_MAIN_SPARE_MS +
		    1000 * m->conf->webhook_connect;
		r = courier_hook_begin(&t->curl, &m->set, job, v);
		break;
	case COURIER_CHANNELS:
		break;
	}
	if (r != 0)
		return (r);
	if (curl_easy_setopt(t->curl.easy, CURLOPT_PRIVATE, t) == CURLE_OK &&
	    curl_multi_add_handle(m->multi, t->curl.easy) == CURLM_OK)
		return (0);
	courier_curl_clear(&t->curl);
	courier_verdict_fail_own(v, "%s", err_text(ERR_NOMEM));
	return (ERR_NOMEM);
}

/* Takes a packet of the daemon's. */
static void
courier_main_take(struct courier_main *m, size_t len)
{
	struct courier_message job = {.doc = NULL};
	struct errinfo e = {.text = ""};
	struct courier_main_task *t;
	int r;

	r = len > sizeof(m->packet)
	    ? err_set(&e, ERR_TOOBIG, "", "too long")
	    : courier_message_read(m->packet, len, &job, &e);
	if (r == 0 && job.is_answer)
		r = err_set(&e, ERR_INVALID, "", "not a job");
	if (r != 0) {
		log_errorx("courier: the daemon's job cannot be read: %s%s%s",
		    e.where, e.where[0] == '\0' ? "" : ": ",
		    e.text[0] == '\0' ? err_text(r) : e.text);
		courier_main_lose(m, r == ERR_NOMEM ? EX_OSERR : EX_DATAERR);
	} else if ((t = calloc(1, sizeof(*t))) == NULL) {
		courier_main_lose(m, EX_OSERR);
	} else {
		t->answer.id = job.id;
		t->answer.is_answer = true;
		t->channel = job.channel;
		t->is_over = courier_main_begin(m, t, &job) != 0;
		TAILQ_INSERT_TAIL(&m->tasks, t, link);
		m->n_tasks++;
	}
	courier_message_clear(&job);
}

/* True if another job may be taken. */
static bool
courier_main_has_room(const struct courier_main *m)
{
	return (!m->is_ending && m->n_tasks < COURIER_JOBS);
}

/* Takes the jobs that came, while there is room. */
static void
courier_main_read(struct courier_main *m)
{
	ssize_t n;

	while (courier_main_has_room(m)) {
		n = recv(COURIER_MAIN_SOCKET, m->packet, sizeof(m->packet),
		    MSG_DONTWAIT | MSG_TRUNC);
		if (n == -1 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n == -1)
			courier_main_lose(m, EX_IOERR);
		else if (n == 0)
			m->is_ending = true;
		else
			courier_main_take(m, (size_t)n);
	}
}

/* Forgets a task; what goes on is broken off. */
static void
courier_main_free(struct courier_main *m, struct courier_main_task *t)
{
	if (!t->is_over && t->channel == COURIER_CHANNEL_COMMAND) {
		courier_run_kill(&t->run);
	} else if (!t->is_over) {
		(void)curl_multi_remove_handle(m->multi, t->curl.easy);
		courier_curl_clear(&t->curl);
	}
	TAILQ_REMOVE(&m->tasks, t, link);
	m->n_tasks--;
	free(t);
}

/* Sends an answer; false if the socket takes none now. */
static bool
courier_main_send(struct courier_main *m, const struct courier_message *answer)
{
	struct buf out;
	ssize_t n = -1;

	buf_init(&out, COURIER_PACKET);
	courier_message_write(&out, answer);
	if (buf_error(&out) != 0)
		courier_main_lose(m, EX_OSERR);
	else
		n = send(COURIER_MAIN_SOCKET, out.data, out.len,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
	buf_clear(&out);
	m->is_full = n == -1 && errno == EAGAIN;
	if (n == -1 && !m->is_full)
		courier_main_lose(m, EX_OK);
	return (n != -1);
}

/*
 * Answers the jobs that are over, when it is time: each keeps its place until
 * then, since a place that is free again tells as much.  At the end those that
 * are early are dropped, which the daemon takes for lost.
 */
static void
courier_main_answer(struct courier_main *m)
{
	const int64_t now_ms = clock_mono_ms();
	struct courier_main_task *t, *next;

	for (t = TAILQ_FIRST(&m->tasks); t != NULL && !m->is_lost; t = next) {
		next = TAILQ_NEXT(t, link);
		if (!t->is_over && t->channel == COURIER_CHANNEL_COMMAND)
			t->is_over =
			    courier_run_is_over(&t->run, &t->answer.verdict);
		if (!t->is_over || (t->due_ms > now_ms && !m->is_ending))
			continue;
		if (t->due_ms <= now_ms && !courier_main_send(m, &t->answer))
			return;
		courier_main_free(m, t);
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
	const int64_t now_ms = clock_mono_ms();
	const struct courier_main_task *t;
	int64_t ms = COURIER_MAIN_WAIT_MS;

	TAILQ_FOREACH(t, &m->tasks, link)
	{
		if (!t->is_over && t->channel == COURIER_CHANNEL_COMMAND &&
		    ms > COURIER_MAIN_RUN_MS)
			ms = COURIER_MAIN_RUN_MS;
		if (!t->is_over || m->is_full)
			continue;
		if (m->is_ending || t->due_ms <= now_ms)
			ms = 0;
		else if (t->due_ms - now_ms < ms)
			ms = t->due_ms - now_ms;
	}
	if (courier_main_has_room(m))
		fds[1].events |= CURL_WAIT_POLLIN;
	if (m->is_full)
		fds[1].events |= CURL_WAIT_POLLOUT;
	if (curl_multi_poll(m->multi, fds, fds[1].events == 0 ? 1 : 2, (int)ms,
		NULL) != CURLM_OK)
		courier_main_lose(m, EX_SOFTWARE);
}

/* Does jobs until there are no more. */
static void
courier_main_run(struct courier_main *m)
{
	struct courier_main_task *t;
	struct courier_verdict *v;
	struct CURLMsg *msg;
	CURLcode code;
	char *private;
	int left;
	struct pollfd daemon = {.fd = COURIER_MAIN_SOCKET};
	struct signalfd_siginfo si;
	int running;

	while (!m->is_lost && (!m->is_ending || m->n_tasks > 0)) {
		courier_main_wait(m);
		while (read(m->signals, &si, sizeof(si)) == sizeof(si)) {
			if (si.ssi_signo == SIGUSR1)
				courier_main_lose(m, EX_OK);
			else if (si.ssi_signo != SIGCHLD)
				m->is_ending = true;
		}
		if (curl_multi_perform(m->multi, &running) != CURLM_OK)
			courier_main_lose(m, EX_SOFTWARE);
		while ((msg = curl_multi_info_read(m->multi, &left)) != NULL) {
			if (msg->msg != CURLMSG_DONE ||
			    curl_easy_getinfo(msg->easy_handle,
				CURLINFO_PRIVATE, &private) != CURLE_OK)
				continue;
			t = (struct courier_main_task *)(void *)private;
			v = &t->answer.verdict;
			code = msg->data.result;
			if (t->channel == COURIER_CHANNEL_MAIL)
				courier_mail_judge(&t->curl, code, v);
			else
				courier_hook_judge(&t->curl, code, v);
			(void)curl_multi_remove_handle(m->multi, t->curl.easy);
			courier_curl_clear(&t->curl);
			t->is_over = true;
			if (v->is_concealed)
				t->due_ms = t->concealed_ms;
		}
		courier_main_answer(m);
		courier_main_read(m);
		/* Once it has closed both directions. */
		if (m->is_ending && poll(&daemon, 1, 0) == 1 &&
		    (daemon.revents & (POLLHUP | POLLERR)) != 0)
			courier_main_lose(m, EX_OK);
	}
}

/* Puts the settings into force. */
static int
courier_main_set(struct courier_main *m, struct errinfo *e)
{
	const struct conf *conf = m->conf;
	const struct rlimit none = {0, 0};

	log_set_level((enum log_level)conf->log_level);
	if (!conf->core_dumps &&
	    (setrlimit(RLIMIT_CORE, &none) == -1 ||
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == -1))
		log_warn("courier: cannot switch core files off");
	m->set.conf = conf;
	m->set.password = m->password;
	if (conf->smtp_url[0] != '\0' && conf->smtp_user[0] != '\0' &&
	    courier_mail_read_password(
		conf->smtp_password_file, m->password, e) != 0)
		log_errorx("courier: no mail can be sent: smtp_password_file: "
			   "%s",
		    e->text);
	return (net_list_read(conf->webhook_networks, &m->set.networks, e));
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

/* Reads the settings and does jobs; the status to exit with. */
static int
courier_main_live(
    const char *path, const char *const overrides[], size_t n_overrides)
{
	static struct courier_main m = {.signals = -1};
	struct errinfo e = {.text = ""};
	struct courier_main_task *t;
	int r;

	TAILQ_INIT(&m.tasks);
	if ((r = conf_load(path, overrides, n_overrides, &m.conf, &e)) != 0 ||
	    (r = courier_main_set(&m, &e)) != 0) {
		log_errorx("courier: the settings cannot be used: %s%s%s",
		    e.where, e.where[0] == '\0' ? "" : ": ",
		    e.text[0] == '\0' ? err_text(r) : e.text);
		m.status = EX_CONFIG;
	} else if (courier_main_open(&m) != 0) {
		log_warn("courier: cannot start");
		m.status = EX_OSERR;
	} else {
		courier_main_run(&m);
	}
	while ((t = TAILQ_FIRST(&m.tasks)) != NULL)
		courier_main_free(&m, t);
	(void)curl_multi_cleanup(m.multi);
	curl_global_cleanup();
	conf_free(m.conf);
	explicit_bzero(m.password, sizeof(m.password));
	return (m.status);
}

int
main(int argc, char *argv[])
{
	const char **overrides = calloc((size_t)argc, sizeof(*overrides));
	const char *path = NULL;
	size_t n = 0;
	int c, status, type = 0;
	socklen_t len = sizeof(type);

	if (overrides == NULL)
		return (EX_OSERR);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("umpired-courier " PACKAGE_VERSION "\n");
		free(overrides);
		return (EX_OK);
	}
	opterr = 0;
	while ((c = getopt(argc, argv, "c:o:")) != -1) {
		if (c == 'c')
			path = optarg;
		else if (c == 'o')
			overrides[n++] = optarg;
		else
			break;
	}
	if (c != -1 || optind < argc ||
	    getsockopt(COURIER_MAIN_SOCKET, SOL_SOCKET, SO_TYPE, &type, &len) ==
		-1 ||
	    type != SOCK_SEQPACKET) {
		fprintf(stderr,
		    "umpired-courier: umpired starts this program; see "
		    "umpired-courier(8)\n");
		free(overrides);
		return (EX_USAGE);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	if (prctl(PR_SET_PDEATHSIG, SIGUSR1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) {
		log_warn("courier: cannot be confined");
		status = EX_OSERR;
	} else {
		status = courier_main_live(path, overrides, n);
	}
	free(overrides);
	return (status);
}
