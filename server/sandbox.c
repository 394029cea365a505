/* SPDX-License-Identifier: ISC */
/*
 * The list is what strace(1) sees a running daemon do in all tests, and what
 * glibc, OpenSSL, SQLite and libevent may do instead on another system or a
 * bad day: other spellings of the same call, more memory, a system call that
 * a signal broke off, an abort.  Sockets, threads and processes are not in it:
 * all of them are made before.
 *
 * What is not in it fails and does not kill, unless that is wished: a call that
 * a library tries on the side has its way to go on without, and a game is not
 * to end because of it.  Who has taken over the process can do no more with an
 * error than with a death.
 *
 * A filter cannot tell one file from another, and what /proc shows of another
 * process of the same user is a file: its memory can be written there, and
 * the spawner and all that it starts are under no filter.  Against that there
 * is Landlock, of which any domain, even one that allows all files, bounds
 * what can be traced.
 */
#include "server/sandbox.h"

#include <sys/prctl.h>

#include <sys/syscall.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "server/base/filter.h"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#ifdef HAVE_LIBSECCOMP
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <fcntl.h>
#include <seccomp.h>
#endif

int
sandbox_give_up(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1)
		return (ERR_INTERNAL);
	return (0);
}

#if defined(LANDLOCK_CREATE_RULESET_VERSION) && \
    defined(SYS_landlock_restrict_self)

int
sandbox_part(struct errinfo *e)
{
	/* What its first version has, and we never do. */
	const struct landlock_ruleset_attr attr = {
	    .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE |
		LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR |
		LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
		LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		LANDLOCK_ACCESS_FS_MAKE_SYM};
	long fd, rc = -1;
	int saved;

	fd = syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (fd != -1)
		rc = syscall(SYS_landlock_restrict_self, (int)fd, 0);
	saved = errno;
	if (fd != -1)
		(void)close((int)fd);
	if (rc == 0)
		return (0);
	return (
	    err_set(e, filter_is_absent(saved) ? ERR_NOTFOUND : ERR_INTERNAL,
		"", "cannot be kept from other processes by Landlock: %s",
		strerror(saved)));
}

#else

int
sandbox_part(struct errinfo *e)
{
	return (err_set(e, ERR_NOTFOUND, "",
	    "cannot be kept from other processes: umpired was built without "
	    "Landlock"));
}

#endif

#ifdef HAVE_LIBSECCOMP

/*
 * AddressSanitizer brings LeakSanitizer, which looks at the process from
 * outside when it ends.  ThreadSanitizer needs nothing that is not in the list.
 */
#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANDBOX_SANITIZER
#endif
#endif

/* What may be called with any arguments. */
static const int sandbox_calls[] = {
    /* sockets that are there; no others are made */
    SCMP_SYS(accept4),
    SCMP_SYS(getpeername),
    SCMP_SYS(getsockname),
    SCMP_SYS(getsockopt),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(shutdown),
    /* waiting */
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_pwait2),
    SCMP_SYS(epoll_wait),
    SCMP_SYS(nanosleep),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(restart_syscall),
    /* files: the database, the settings and what they name */
    SCMP_SYS(_llseek),
    SCMP_SYS(access),
    SCMP_SYS(close),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fallocate),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchown),
    SCMP_SYS(fdatasync),
    SCMP_SYS(flock),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(fstatat64),
    SCMP_SYS(fstatfs),
    SCMP_SYS(fstatfs64),
    SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(ftruncate64),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(lstat64),
    SCMP_SYS(newfstatat),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(read),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(stat),
    SCMP_SYS(stat64),
    SCMP_SYS(statx),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    /* memory; what makes some is below */
    SCMP_SYS(brk),
    SCMP_SYS(madvise),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    /* threads that are there, and the process */
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(getcpu),
    SCMP_SYS(getegid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(gettid),
    SCMP_SYS(getuid),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(sigreturn),
    SCMP_SYS(sysinfo),
    SCMP_SYS(ugetrlimit),
    SCMP_SYS(uname),
    SCMP_SYS(wait4),
    SCMP_SYS(waitid),
    /* the clock, where it needs a call */
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
#ifdef SANDBOX_SANITIZER
    /* LeakSanitizer stops the threads by ptrace, from one of its own. */
    SCMP_SYS(arch_prctl),
    SCMP_SYS(clone),
    SCMP_SYS(clone3),
    SCMP_SYS(dup2),
    SCMP_SYS(getdents),
    SCMP_SYS(kill),
    SCMP_SYS(personality),
    SCMP_SYS(pipe2),
    SCMP_SYS(prctl),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(ptrace),
    SCMP_SYS(setrlimit),
    SCMP_SYS(prlimit64),
    SCMP_SYS(tgkill),
#endif
};

/*
 * What may be called with some arguments; a call that is here more than once
 * may be made if one of its rows fits.
 */
static const struct filter_rule sandbox_rules[] = {
    /* No connection is opened, which a listener that was shut down could. */
    {SCMP_SYS(sendmsg), 2, MSG_FASTOPEN, 0},
    {SCMP_SYS(sendto), 3, MSG_FASTOPEN, 0},
    /* No memory that can be run. */
    {SCMP_SYS(mmap), 2, PROT_EXEC, 0},
    {SCMP_SYS(mmap2), 2, PROT_EXEC, 0},
    {SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
    /* Locks, and what libevent and stdio ask of a descriptor. */
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_GETFD},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETFD},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_GETFL},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETFL},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_GETLK},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETLK},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETLKW},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_DUPFD_CLOEXEC},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_GETFD},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_SETFD},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_GETFL},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_SETFL},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_GETLK},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_SETLK},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_SETLKW},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_DUPFD_CLOEXEC},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, TCGETS},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, FIONREAD},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, FIONBIO},
};

static const struct filter sandbox_filter = {sandbox_calls,
    sizeof(sandbox_calls) / sizeof(sandbox_calls[0]), sandbox_rules,
    sizeof(sandbox_rules) / sizeof(sandbox_rules[0])};

#else

static const struct filter sandbox_filter;

#endif

int
sandbox_enter(bool is_deadly, struct errinfo *e)
{
	return (filter_allow(&sandbox_filter, is_deadly, e));
}
