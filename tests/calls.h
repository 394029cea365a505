/* SPDX-License-Identifier: ISC */
/*
 * System calls that a confined daemon may not make, for umpired-test to try.
 * Each one harms nothing where it is allowed.
 */
#ifndef UMPIRE_TESTS_CALLS_H
#define UMPIRE_TESTS_CALLS_H

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define CALLS_NONE "/nonexistent/umpired"

/* Makes a child that ends at once. */
static long
calls_fork(void)
{
	const long pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		(void)waitpid((pid_t)pid, NULL, 0);
	return (pid);
}

/* Makes a descriptor, and closes it. */
static long
calls_fd(long fd)
{
	if (fd >= 0)
		(void)close((int)fd);
	return (fd);
}

/* Makes memory that can be run, at once or by and by. */
static long
calls_run(int before, int after)
{
	void *p = mmap(NULL, 4096, before, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long r = 0;
	int saved;

	if (p == MAP_FAILED)
		return (-1);
	if (after != before)
		r = mprotect(p, 4096, after);
	saved = errno;
	(void)munmap(p, 4096);
	errno = saved;
	return (r);
}

/*
 * Opens the memory of the program that has started us: refused in its own way.
 */
static long
calls_look(void)
{
	char path[32];
	long fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", (int)getppid());
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd == -1 && errno == EACCES)
		errno = EPERM;
	return (calls_fd(fd));
}

/* Makes the n-th call: what it returns; -2: there is none. */
static long
calls_make(int n)
{
	const int rw = PROT_READ | PROT_WRITE, me = (int)getpid();
	const struct msghdr msg = {.msg_name = NULL};
	char *none[] = {NULL};

	switch (n) {
	case 0:
		return (execve(CALLS_NONE, none, none));
	case 1:
		return (
		    syscall(SYS_execveat, AT_FDCWD, CALLS_NONE, none, none, 0));
	case 2:
		return (calls_fd(socket(AF_INET, SOCK_STREAM, 0)));
	case 3:
		return (calls_fd(socket(AF_UNIX, SOCK_STREAM, 0)));
	case 4:
		return (calls_fd(socket(AF_PACKET, SOCK_RAW, 0)));
	case 5:
		return (connect(-1, NULL, 0));
	case 6:
		return (bind(-1, NULL, 0));
	case 7:
		return (listen(-1, 1));
	case 8:
		return (calls_run(rw | PROT_EXEC, rw | PROT_EXEC));
	case 9:
		return (calls_run(rw, PROT_READ | PROT_EXEC));
	case 10:
		return (calls_fd(syscall(SYS_memfd_create, "", 0)));
	case 11:
		return (syscall(SYS_mount, NULL, CALLS_NONE, NULL, 0, NULL));
	case 12:
		return (syscall(SYS_umount2, CALLS_NONE, 0));
	case 13:
		return (syscall(SYS_unshare, 0));
	case 14:
		return (syscall(SYS_setns, -1, 0));
	case 15:
		return (syscall(SYS_chroot, CALLS_NONE));
	case 16:
		return (syscall(SYS_bpf, -1, NULL, 0));
	case 17:
		return (syscall(SYS_keyctl, -1, 0, 0, 0, 0));
	case 18:
		return (calls_fd(syscall(SYS_io_uring_setup, 0, NULL)));
	case 19:
		return (calls_fd(syscall(SYS_userfaultfd, -1)));
	case 20:
		return (
		    calls_fd(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0)));
	case 21:
		return (linkat(AT_FDCWD, CALLS_NONE, AT_FDCWD, CALLS_NONE, 0));
	case 22:
		return (symlinkat(CALLS_NONE, AT_FDCWD, CALLS_NONE));
	case 23:
		return (syscall(SYS_renameat2, AT_FDCWD, CALLS_NONE, AT_FDCWD,
		    CALLS_NONE, 0));
	case 24:
		return (fchmodat(AT_FDCWD, CALLS_NONE, 0700, 0));
	case 25:
		return (mkdirat(AT_FDCWD, CALLS_NONE, 0700));
	case 26:
		return (syscall(SYS_setuid, getuid()));
	case 27:
		return (syscall(SYS_capset, NULL, NULL));
	case 28:
		return (syscall(SYS_init_module, NULL, 0, NULL));
	case 29:
		return (syscall(SYS_clock_settime, -1, NULL));
	case 30:
		return (ioctl(-1, TIOCSTI, NULL));
	case 31:
		return (calls_fd(syscall(SYS_pidfd_open, me, 0)));
	case 32:
		return (sendto(-1, NULL, 0, MSG_FASTOPEN, NULL, 0));
	case 33:
		return (sendmsg(-1, &msg, MSG_FASTOPEN));
	case 34:
		return (setsockopt(-1, SOL_SOCKET, SO_REUSEADDR, NULL, 0));
	case 35:
		return (calls_look());
	/* From here on AddressSanitizer needs them itself. */
	case 36:
		return (calls_fork());
	case 37:
		return (ptrace(PTRACE_PEEKDATA, me, NULL, NULL));
	case 38:
		return (syscall(SYS_process_vm_readv, me, NULL, 0, NULL, 0, 0));
	case 39:
		return (kill(getppid(), 0));
	case 40:
		return (prctl(PR_SET_DUMPABLE, prctl(PR_GET_DUMPABLE)));
	case 41:
		return (syscall(SYS_prlimit64, 0, 0, NULL, NULL));
	default:
		return (-2);
	}
}

/*
 * Makes the first n calls: a bit for each that was not refused with EPERM; all
 * above the last are 0.
 */
static int64_t
calls_try(int64_t n)
{
	int64_t passed = 0;
	long r;
	int i;

	for (i = 0; i < n; i++) {
		errno = 0;
		if ((r = calls_make(i)) == -2)
			break;
		if (r != -1 || errno != EPERM)
			passed |= INT64_C(1) << i;
	}
	return (passed);
}

#endif
