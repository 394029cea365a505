/* SPDX-License-Identifier: ISC */
#include "server/courier/courier_run.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/err.h"
#include "server/base/child.h"

#define COURIER_RUN_PATH \
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Writes all of it; false with errno set. */
static bool
courier_run_put(int fd, const char *p, size_t n)
{
	ssize_t done;

	while (n > 0) {
		if ((done = write(fd, p, n)) == -1 && errno != EINTR)
			return (false);
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return (true);
}

/*
 * Opens what the program reads: a file in memory, since writing into it never
 * waits for the reader.
 */
static int
courier_run_open_input(const struct courier_message *job, int *out)
{
	int fd, saved;

	if ((fd = memfd_create("notice", MFD_CLOEXEC)) == -1)
		return (ERR_IO);
	if (!courier_run_put(fd, job->body, strlen(job->body)) ||
	    !courier_run_put(fd, "\n", 1) || lseek(fd, 0, SEEK_SET) == -1) {
		saved = errno;
		(void)close(fd);
		errno = saved;
		return (ERR_IO);
	}
	*out = fd;
	return (0);
}

/* Starts the program; an errno or 0. */
static int
courier_run_spawn(const char *path, int input, pid_t *pid)
{
	static const char *const env[] = {
	    COURIER_RUN_PATH, "LANG=C.UTF-8", NULL};
	const char *const argv[] = {path, NULL};
	const struct child c = {.path = path,
	    .argv = argv,
	    .env = env,
	    .folder = "/",
	    .input = input};

	return (child_start(&c, pid));
}

int
courier_run_begin(struct courier_run *run, const char *path,
    const struct courier_message *job, int64_t deadline_ms,
    struct courier_verdict *v)
{
	int error, input;
	pid_t pid;

	if (courier_run_open_input(job, &input) != 0) {
		courier_verdict_fail(v, true,
		    "cannot write to notify_command: %s", strerror(errno));
		return (ERR_IO);
	}
	error = courier_run_spawn(path, input, &pid);
	(void)close(input);
	if (error != 0) {
		courier_verdict_fail(v, true,
		    "notify_command cannot be run: %s", strerror(error));
		return (ERR_IO);
	}
	run->pid = pid;
	run->deadline_ms = deadline_ms;
	return (0);
}

bool
courier_run_is_over(struct courier_run *run, struct courier_verdict *v)
{
	int status;
	pid_t pid;

	if ((pid = waitpid(run->pid, &status, WNOHANG)) == 0) {
		if (clock_mono_ms() < run->deadline_ms)
			return (false);
		courier_run_kill(run);
		courier_verdict_fail(v, true, "notify_command took too long");
		return (true);
	}
	if (pid == -1)
		courier_verdict_fail(
		    v, true, "notify_command was lost: %s", strerror(errno));
	else if (WIFSIGNALED(status))
		courier_verdict_fail(v, true,
		    "notify_command was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		courier_verdict_fail(v, true,
		    "notify_command exited with status %d",
		    WEXITSTATUS(status));
	else
		*v = (struct courier_verdict){.ok = true};
	return (true);
}

void
courier_run_kill(struct courier_run *run)
{
	(void)kill(-run->pid, SIGKILL);
	while (waitpid(run->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
}
