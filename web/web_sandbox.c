/* SPDX-License-Identifier: ISC */
/*
 * Files: Landlock leaves the cache's folder, and what the resolver reads.
 * System calls: the list is what strace(1) sees in the tests, and what glibc,
 * OpenSSL and libevent may do instead.  Sockets are made while it runs, since
 * the umpire may go away and come back; processes and threads are not.
 */
#include "web/web_sandbox.h"

#include <sys/prctl.h>

#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "server/base/filter.h"
#include "server/base/log.h"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#ifdef HAVE_LIBSECCOMP
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <seccomp.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define WEB_SANDBOX_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEB_SANDBOX_SANITIZER
#endif
#endif

#if defined(LANDLOCK_CREATE_RULESET_VERSION) && \
    defined(SYS_landlock_restrict_self)

#define WEB_SANDBOX_READ \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WEB_SANDBOX_WRITE                                                 \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
	    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR)

/* Allows what is beneath a path; false: errno says why not. */
static bool
web_sandbox_allow(int rules, const char *path, __u64 access)
{
	struct landlock_path_beneath_attr at = {.allowed_access = access};
	bool done;

	at.parent_fd = open(path, O_PATH | O_CLOEXEC);
	/* What is not there needs no leave. */
	if (at.parent_fd == -1)
		return (errno == ENOENT);
	done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
		   &at, 0) == 0;
	(void)close(at.parent_fd); /* it was only a name */
	return (done);
}

/* What is left of the files. */
struct web_sandbox_path {
	const char *path;
	__u64 access;
};

/* Gives up all files but those. */
static int
web_sandbox_restrict(
    const struct web_sandbox_path *paths, size_t n, struct errinfo *e)
{
	const struct landlock_ruleset_attr attr = {
	    .handled_access_fs = WEB_SANDBOX_READ | WEB_SANDBOX_WRITE |
		LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
		LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
		LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		LANDLOCK_ACCESS_FS_MAKE_SYM};
	int rules, saved;
	bool done;
	size_t i;

	rules =
	    (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	done = rules != -1;
	for (i = 0; done && i < n; i++)
		done = web_sandbox_allow(rules, paths[i].path, paths[i].access);
	done = done && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	saved = errno;
	if (rules != -1)
		(void)close(rules); /* it was only a list */
	if (done)
		return (0);
	return (err_set(e,
	    filter_is_absent(saved) ? ERR_NOTFOUND : ERR_INTERNAL, "",
	    "files cannot be given up by Landlock: %s", strerror(saved)));
}

/* Gives up all files but the folder's, and the resolver's. */
static int
web_sandbox_files(const char *folder, struct errinfo *e)
{
	const struct web_sandbox_path paths[] = {
	    {folder, WEB_SANDBOX_READ | WEB_SANDBOX_WRITE},
	    {"/etc/resolv.conf", LANDLOCK_ACCESS_FS_READ_FILE},
	    {"/etc/hosts", LANDLOCK_ACCESS_FS_READ_FILE},
#ifdef WEB_SANDBOX_SANITIZER
	    /* LeakSanitizer looks for threads. */
	    {"/proc", WEB_SANDBOX_READ},
#endif
	};

	return (
	    web_sandbox_restrict(paths, sizeof(paths) / sizeof(paths[0]), e));
}

/* Gives up all files but a program, its libraries and its fonts. */
static int
web_sandbox_files_painter(const char *program, struct errinfo *e)
{
	const __u64 run = WEB_SANDBOX_READ | LANDLOCK_ACCESS_FS_EXECUTE;
	const struct web_sandbox_path paths[] = {
	    {program,
		LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE},
	    {"/usr", run},
	    {"/bin", run},
	    {"/lib", run},
	    {"/lib64", run},
	    {"/etc/ld.so.cache", LANDLOCK_ACCESS_FS_READ_FILE},
	    {"/etc/fonts", WEB_SANDBOX_READ},
	    {"/var/cache/fontconfig", WEB_SANDBOX_READ},
	    {"/dev/null",
		LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE},
	};

	return (
	    web_sandbox_restrict(paths, sizeof(paths) / sizeof(paths[0]), e));
}

/* Gives up all files but those of a folder, which can only be read. */
static int
web_sandbox_files_checker(const char *folder, struct errinfo *e)
{
	const struct web_sandbox_path paths[] = {
	    {folder, WEB_SANDBOX_READ},
	};

	return (
	    web_sandbox_restrict(paths, sizeof(paths) / sizeof(paths[0]), e));
}

#else

/* There is no Landlock. */
static int
web_sandbox_files(const char *folder, struct errinfo *e)
{
	(void)folder;
	return (err_set(e, ERR_NOTFOUND, "",
	    "files cannot be given up: umpire-web was built without "
	    "Landlock"));
}

/* Nor for the painter. */
static int
web_sandbox_files_painter(const char *program, struct errinfo *e)
{
	return (web_sandbox_files(program, e));
}

/* Nor for the checker. */
static int
web_sandbox_files_checker(const char *folder, struct errinfo *e)
{
	return (web_sandbox_files(folder, e));
}

#endif

#ifdef HAVE_LIBSECCOMP

/* What may be called with any arguments. */
static const int web_sandbox_calls[] = {
    /* sockets */
    SCMP_SYS(accept4),
    SCMP_SYS(connect),
    SCMP_SYS(getpeername),
    SCMP_SYS(getsockname),
    SCMP_SYS(getsockopt),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(setsockopt),
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
    SCMP_SYS(timerfd_settime),
    /* files: those of the cache */
    SCMP_SYS(_llseek),
    SCMP_SYS(access),
    SCMP_SYS(close),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fchmod),
    SCMP_SYS(fdatasync),
    SCMP_SYS(flock),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(fstatat64),
    SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(getdents64),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(read),
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
    /* the process */
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(getcpu),
    SCMP_SYS(getegid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(gettid),
    SCMP_SYS(getuid),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    /* the clock, where it needs a call */
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
#ifdef WEB_SANDBOX_SANITIZER
    /* LeakSanitizer looks at the process from a thread of its own. */
    SCMP_SYS(arch_prctl),
    SCMP_SYS(clone),
    SCMP_SYS(clone3),
    SCMP_SYS(dup2),
    SCMP_SYS(getdents),
    SCMP_SYS(getppid),
    SCMP_SYS(kill),
    SCMP_SYS(personality),
    SCMP_SYS(pipe2),
    SCMP_SYS(prctl),
    SCMP_SYS(prlimit64),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(ptrace),
    SCMP_SYS(readlink),
    SCMP_SYS(rseq),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(setrlimit),
    SCMP_SYS(wait4),
#endif
};

/* What may be called with some arguments; one of a call's rows must fit. */
static const struct filter_rule web_sandbox_rules[] = {
    {SCMP_SYS(socket), 0, FILTER_ALL, AF_INET},
    {SCMP_SYS(socket), 0, FILTER_ALL, AF_INET6},
    /* getaddrinfo() looks which addresses there are. */
    {SCMP_SYS(bind), 2, FILTER_ALL, 12},
    {SCMP_SYS(socket), 0, FILTER_ALL, AF_NETLINK},
    /* No memory that can be run. */
    {SCMP_SYS(mmap), 2, PROT_EXEC, 0},
    {SCMP_SYS(mmap2), 2, PROT_EXEC, 0},
    {SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_GETFD},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETFD},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_GETFL},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETFL},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETLK},
    {SCMP_SYS(fcntl), 1, FILTER_ALL, F_SETLKW},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_GETFL},
    {SCMP_SYS(fcntl64), 1, FILTER_ALL, F_SETFL},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, TCGETS},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, FIONREAD},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, FIONBIO},
};

#define WEB_SANDBOX_N(list) (sizeof(list) / sizeof((list)[0]))

static const struct filter web_sandbox_filter = {web_sandbox_calls,
    WEB_SANDBOX_N(web_sandbox_calls), web_sandbox_rules,
    WEB_SANDBOX_N(web_sandbox_rules)};

/* What neither the painter nor its program may do. */
static const int web_sandbox_refused[] = {SCMP_SYS(socket),
    SCMP_SYS(io_uring_setup), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd)};

/* Gives those up. */
static int
web_sandbox_refuse(struct errinfo *e)
{
	return (filter_refuse(
	    web_sandbox_refused, WEB_SANDBOX_N(web_sandbox_refused), e));
}

#else

static const struct filter web_sandbox_filter;

/* There are none to give up. */
static int
web_sandbox_refuse(struct errinfo *e)
{
	return (filter_refuse(NULL, 0, e));
}

#endif

int
web_sandbox_enter(
    enum web_conf_sandbox how, const char *folder, struct errinfo *e)
{
	int r;

	if (how == WEB_CONF_SANDBOX_NO)
		return (0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1)
		return (
		    err_set(e, ERR_INTERNAL, "", "prctl: %s", strerror(errno)));
	/* One without the other is better than neither. */
	if ((r = web_sandbox_files(folder, e)) == ERR_NOTFOUND) {
		log_warnx("%s", e->text);
		r = 0;
	}
	if (r == 0 &&
	    (r = filter_allow(&web_sandbox_filter, how == WEB_CONF_SANDBOX_KILL,
		 e)) == ERR_NOTFOUND) {
		log_warnx("%s", e->text);
		r = 0;
	}
	return (r);
}

/* Gives up files by `files`, and the calls that helpers do without. */
static int
web_sandbox_enter_helper(enum web_conf_sandbox how,
    int (*files)(const char *, struct errinfo *), const char *path,
    struct errinfo *e)
{
	int r;

	if (how == WEB_CONF_SANDBOX_NO)
		return (0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1)
		return (
		    err_set(e, ERR_INTERNAL, "", "prctl: %s", strerror(errno)));
	/* What is absent the process itself warns of. */
	if ((r = files(path, e)) == ERR_NOTFOUND)
		r = 0;
	if (r == 0 && (r = web_sandbox_refuse(e)) == ERR_NOTFOUND)
		r = 0;
	return (r);
}

int
web_sandbox_enter_painter(
    enum web_conf_sandbox how, const char *program, struct errinfo *e)
{
	return (web_sandbox_enter_helper(
	    how, web_sandbox_files_painter, program, e));
}

int
web_sandbox_enter_checker(
    enum web_conf_sandbox how, const char *folder, struct errinfo *e)
{
	return (web_sandbox_enter_helper(
	    how, web_sandbox_files_checker, folder, e));
}
