/* SPDX-License-Identifier: ISC */
/*
 * What tests need inside a real daemon: umpired-test is umpired's objects
 * and this file, linked so that calls of a few functions come here first
 * (ld's --wrap, which wants the names that begin with __wrap_ and __real_).
 * It prints nothing and does nothing but what tests/hooks.h says.
 */
#include "tests/hooks.h"

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <pthread.h>
/* It has a struct entry of its own. */
#define entry search_entry
#include <search.h>
#undef entry
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

#include "common/base/clock.h"
#include "server/ledger/ledger_int.h"
#include "server/rpc/dispatch.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/rpc/show_cache.h"
#include "server/store/store.h"
#include "server/store/store_int.h"
#include "tests/calls.h"
#include "tests/faults.h"
#include "tests/sockets.h"
#include "tests/syscalls.h"

int __real_store_record_insert(struct store *st, const struct store_line *line);
int __wrap_store_record_insert(struct store *st, const struct store_line *line);
int __real_store_begin(struct store *st);
int __wrap_store_begin(struct store *st);
int __real_store_commit(struct store *st);
int __wrap_store_commit(struct store *st);
int __real_tournament_work_pairing(const struct tournament *t, json_t **event);
int __wrap_tournament_work_pairing(const struct tournament *t, json_t **event);
int __real_kept_tournament(struct store *st,
    const struct store_tournament_row *row, bool trusts, struct tournament **t,
    struct errinfo *e);
int __wrap_kept_tournament(struct store *st,
    const struct store_tournament_row *row, bool trusts, struct tournament **t,
    struct errinfo *e);
int __real_worker_new(const struct io_shared *shared, const struct conf *conf,
    struct tls_config *tls, int64_t number, struct io **out, struct errinfo *e);
int __wrap_worker_new(const struct io_shared *shared, const struct conf *conf,
    struct tls_config *tls, int64_t number, struct io **out, struct errinfo *e);
int64_t __wrap_clock_boot_ms(void);
int64_t __real_clock_wall_ms(void);
int64_t __wrap_clock_wall_ms(void);
int __real_pthread_cond_timedwait(
    pthread_cond_t *wake, pthread_mutex_t *lock, const struct timespec *until);
int __wrap_pthread_cond_timedwait(
    pthread_cond_t *wake, pthread_mutex_t *lock, const struct timespec *until);
int __real_fstatvfs(int fd, struct statvfs *sv);
int __wrap_fstatvfs(int fd, struct statvfs *sv);
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);
void __explicit_bzero_chk(void *p, size_t n, size_t size);
char *__real_strndup(const char *s, size_t n);
char *__wrap_strndup(const char *s, size_t n);
void *__real_tsearch(
    const void *key, void **tree, int (*compare)(const void *, const void *));
void *__wrap_tsearch(
    const void *key, void **tree, int (*compare)(const void *, const void *));
int __real_event_add(struct event *ev, const struct timeval *tv);
int __wrap_event_add(struct event *ev, const struct timeval *tv);
void __real_dispatch_line(struct session *s, const char *line, size_t len);
void __wrap_dispatch_line(struct session *s, const char *line, size_t len);
long __real_SSL_CTX_ctrl(SSL_CTX *ctx, int what, long n, void *p);
long __wrap_SSL_CTX_ctrl(SSL_CTX *ctx, int what, long n, void *p);
struct game;
struct game_standing;
int __real_game_standing_find(const struct game *g, int side, const char *kind,
    struct game_standing **found, int *word);
int __wrap_game_standing_find(const struct game *g, int side, const char *kind,
    struct game_standing **found, int *word);
bool __real_show_cache_find(struct show_cache *sh, int64_t gid, int64_t seq,
    const char **text, size_t *len);
bool __wrap_show_cache_find(struct show_cache *sh, int64_t gid, int64_t seq,
    const char **text, size_t *len);

struct ledger_game *__real_ledger_game_find(
    struct ledger *l, const uint8_t id[HASH_LEN]);
struct ledger_game *__wrap_ledger_game_find(
    struct ledger *l, const uint8_t id[HASH_LEN]);

#define HOOKS_UNWIPED_MAX 512 /* bytes that stay of a piece of memory */

static struct hooks hooks_none; /* without a control file */
static struct hooks *hooks = &hooks_none;
static int hooks_lines = -1; /* file of HOOKS_LINES_ENV */
static _Atomic int64_t hooks_noted; /* commits since a real one (early) */
static uint64_t hooks_raced; /* records read off sockets (race); no lock */
static _Atomic int64_t hooks_fat; /* bytes of the last connection (fat) */

/* The number in a slot. */
static int64_t
hooks_get(enum hooks_slot slot)
{
	return (atomic_load(&hooks->slots[slot]));
}

/* Takes one off a slot that counts what shall fail; true if this one must. */
static bool
hooks_strike(enum hooks_slot slot)
{
	int64_t n;

	n = hooks_get(slot);
	while (n > 0) {
		if (atomic_compare_exchange_weak(
			&hooks->slots[slot], &n, n - 1))
			return (true);
	}
	return (n < 0);
}

/*
 * Counts down to the n-th of something, and stays there if that sticks; true
 * if this is the one, or a later one.
 */
static bool
hooks_nth(enum hooks_slot slot, enum hooks_slot sticky)
{
	int64_t n, left;

	n = hooks_get(slot);
	while (n > 0) {
		left = n - 1;
		if (left == 0 && hooks_get(sticky) != 0)
			left = -1;
		if (atomic_compare_exchange_weak(&hooks->slots[slot], &n, left))
			return (left <= 0);
	}
	return (n < 0);
}

/* Counts an allocation; true if it must fail. */
static bool
hooks_alloc_fails(void)
{
	atomic_fetch_add(&hooks->slots[HOOKS_ALLOC_COUNT], 1);
	return (hooks_nth(HOOKS_ALLOC_N, HOOKS_ALLOC_STICKY));
}

/* Counts a system call, and says what becomes of it. */
static enum syscalls_end
hooks_sys_ask(enum syscalls_kind kind)
{
	if ((hooks_get(HOOKS_SYS_MASK) & (int64_t)kind) == 0)
		return (SYSCALLS_WORKS);
	atomic_fetch_add(&hooks->slots[HOOKS_SYS_COUNT], 1);
	if (!hooks_nth(HOOKS_SYS_N, HOOKS_SYS_STICKY))
		return (SYSCALLS_WORKS);
	return ((enum syscalls_end)hooks_get(HOOKS_SYS_DO));
}

/* True while what is not synced shall be lost when the process ends. */
static bool
hooks_sys_may_lose(void)
{
	return (hooks_get(HOOKS_SYS_LOSE) != 0);
}

/* Ends the process as a crash or, with sys_lose, a power cut does. */
static void
hooks_sys_die(void)
{
	int64_t lose = hooks_get(HOOKS_SYS_LOSE);

	if (lose != 0) {
		(void)pthread_mutex_lock(&unsynced.lock);
		unsynced_lose(lose == 1 ? 0 : (uint64_t)lose);
	}
	(void)kill(getpid(), SIGKILL);
	for (;;)
		(void)pause();
}

/* Keeps a connection from saying how it is synced. */
static int
hooks_authorize_cb(void *arg, int what, const char *name, const char *value,
    const char *db, const char *by)
{
	(void)arg;
	(void)db;
	(void)by;
	return (what == SQLITE_PRAGMA && value != NULL &&
		    strcmp(name, "synchronous") == 0
		? SQLITE_IGNORE
		: SQLITE_OK);
}

/* Has a new connection sync less than it wants (sync_normal). */
static int
hooks_normal_cb(sqlite3 *db, char **why, const sqlite3_api_routines *api)
{
	int rc;

	(void)why;
	(void)api;
	if (hooks_get(HOOKS_SYNC_NORMAL) == 0)
		return (SQLITE_OK);
	rc = sqlite3_exec(db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_set_authorizer(db, hooks_authorize_cb, NULL);
	return (rc);
}

/*
 * An fsync, unless it is left out (skip_sync); what is said of it is the truth,
 * unless the test wants none (deaf_sync).
 */
static int
hooks_sync(long number, int fd)
{
	const int64_t skip = hooks_get(HOOKS_SKIP_SYNC);
	struct stat sb;
	int r;

	if (skip != 0 && fstat(fd, &sb) == 0 &&
	    (skip & (S_ISDIR(sb.st_mode) ? 2 : 1)) != 0)
		return (0);
	r = syscalls_sync(number, fd);
	return (hooks_get(HOOKS_DEAF_SYNC) == 0 ? r : 0);
}

/*
 * Wipes memory; or what was in it stays as long as the process (unwiped),
 * whoever has that memory next.
 */
static void
hooks_wipe(void *p, size_t n)
{
	const size_t n_kept = n < HOOKS_UNWIPED_MAX ? n : HOOKS_UNWIPED_MAX;
	void *kept;

	if (hooks_get(HOOKS_UNWIPED) != 0 && n > 0) {
		if ((kept = __real_malloc(n_kept)) == NULL)
			abort();
		memcpy(kept, p, n_kept);
		__asm__ __volatile__("" : : "r"(kept) : "memory");
	}
	memset(p, 0, n);
	__asm__ __volatile__("" : : "r"(p) : "memory");
}

/* Those of the libraries, for all that this program is linked with. */
void
OPENSSL_cleanse(void *p, size_t n)
{
	hooks_wipe(p, n);
}

void
explicit_bzero(void *p, size_t n)
{
	hooks_wipe(p, n);
}

/* What the C library makes of it with _FORTIFY_SOURCE. */
void
__explicit_bzero_chk(void *p, size_t n, size_t size)
{
	(void)size;
	hooks_wipe(p, n);
}

int
fsync(int fd)
{
	return (hooks_sync(SYS_fsync, fd));
}

int
fdatasync(int fd)
{
	return (hooks_sync(SYS_fdatasync, fd));
}

int
rename(const char *from, const char *to)
{
	return (syscalls_rename(from, to, 0));
}

int
renameat2(
    int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	if (from_fd != AT_FDCWD || to_fd != AT_FDCWD)
		abort();
	return (syscalls_rename(from, to, flags));
}

/* Where flock() is emulated, its locks and those of fcntl() are the same. */
int
flock(int fd, int what)
{
	struct flock all = {.l_whence = SEEK_SET};

	if (hooks_get(HOOKS_FLOCK) == 0)
		return ((int)syscall(SYS_flock, fd, what));
	switch (what & ~LOCK_NB) {
	case LOCK_SH:
		all.l_type = F_RDLCK;
		break;
	case LOCK_EX:
		all.l_type = F_WRLCK;
		break;
	default:
		all.l_type = F_UNLCK;
		break;
	}
	return (fcntl(
	    fd, (what & LOCK_NB) != 0 ? F_OFD_SETLK : F_OFD_SETLKW, &all));
}

/* Takes memory that is never given back, more each time (fat). */
static void
hooks_fatten(void)
{
	const int64_t more = hooks_get(HOOKS_FAT);
	size_t n;
	void *p;

	if (more == 0)
		return;
	n = (size_t)(atomic_fetch_add(&hooks_fat, more) + more);
	/* Written to, since else the kernel gives none. */
	if ((p = __real_malloc(n)) != NULL)
		memset(p, 1, n);
}

int
accept4(int fd, struct sockaddr *sa, socklen_t *len, int flags)
{
	const int got = sockets_accept(fd, sa, len, flags);

	if (got != -1)
		hooks_fatten();
	return (got);
}

/* The thread's CPU time, in microseconds. */
static int64_t
hooks_cpu_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts) == -1)
		abort();
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* Burns what waste_us says. */
static void
hooks_burn(void)
{
	const int64_t us = hooks_get(HOOKS_WASTE_US);
	int64_t until_us;

	if (us == 0)
		return;
	until_us = hooks_cpu_us() + us;
	while (hooks_cpu_us() < until_us)
		continue;
}

ssize_t
read(int fd, void *p, size_t n)
{
	const ssize_t got = sockets_read(fd, p, n, -1);

	if (hooks_get(HOOKS_RACE) != 0)
		hooks_raced++;
	if (got > 0)
		hooks_burn();
	return (got);
}

ssize_t
recv(int fd, void *p, size_t n, int flags)
{
	return (sockets_read(fd, p, n, flags));
}

ssize_t
write(int fd, const void *p, size_t n)
{
	return (sockets_write(fd, p, n));
}

/* Fails a write as a full disk does. */
static int
hooks_write_fails(bool is_wal)
{
	(void)is_wal;
	return (hooks_strike(HOOKS_FAIL_WRITE) ? SQLITE_FULL : 0);
}

/* Counts an fsync, holds it, fails it. */
static int
hooks_sync_fails(bool is_wal)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	if (is_wal)
		atomic_fetch_add(&hooks->slots[HOOKS_SYNCS], 1);
	if (hooks_get(HOOKS_HOLD_SYNC) != 0) {
		atomic_fetch_add(&hooks->slots[HOOKS_HELD], 1);
		while (hooks_get(HOOKS_HOLD_SYNC) != 0)
			(void)nanosleep(&ms, NULL);
		atomic_fetch_sub(&hooks->slots[HOOKS_HELD], 1);
	}
	return (hooks_strike(HOOKS_FAIL_SYNC) ? SQLITE_IOERR_FSYNC : 0);
}

int
__wrap_store_record_insert(struct store *st, const struct store_line *line)
{
	if (hooks_lines != -1 &&
	    dprintf(hooks_lines, "%.*s\n", (int)line->len, line->bytes) == -1)
		abort();
	return (__real_store_record_insert(st, line));
}

/* What is said of a commit: the truth, unless the test wants a lie. */
static int
hooks_commit_says(struct store *st, int r)
{
	if (r == 0 || hooks_get(HOOKS_LIE) == 0)
		return (r);
	store_rollback(st);
	return (0);
}

/* What was committed and only noted goes on in its transaction. */
int
__wrap_store_begin(struct store *st)
{
	if (hooks_noted > 0 && store_is_open_transaction(st))
		return (0);
	if (hooks_get(HOOKS_FORGET) != 0)
		(void)sqlite3_db_release_memory(st->db);
	return (__real_store_begin(st));
}

/* Pages are read again, and the text of rpc.discover is made anew. */
void
__wrap_dispatch_line(struct session *s, const char *line, size_t len)
{
	if (hooks_get(HOOKS_FORGET) != 0) {
		(void)sqlite3_db_release_memory(s->io->reader->db);
		buf_clear(&s->io->discover);
	}
	__real_dispatch_line(s, line, len);
}

bool
__wrap_show_cache_find(struct show_cache *sh, int64_t gid, int64_t seq,
    const char **text, size_t *len)
{
	return (hooks_get(HOOKS_FORGET) == 0 &&
	    __real_show_cache_find(sh, gid, seq, text, len));
}

/* A server that cheats: standing orders are passed over (pass_over). */
int
__wrap_game_standing_find(const struct game *g, int side, const char *kind,
    struct game_standing **found, int *word)
{
	if (hooks_get(HOOKS_PASS_OVER) != 0)
		return (0);
	return (__real_game_standing_find(g, side, kind, found, word));
}

/* The groups that a context is told stay OpenSSL's own (groups). */
long
__wrap_SSL_CTX_ctrl(SSL_CTX *ctx, int what, long n, void *p)
{
	if (what == SSL_CTRL_SET_GROUPS_LIST && hooks_get(HOOKS_GROUPS) != 0)
		return (1);
	return (__real_SSL_CTX_ctrl(ctx, what, n, p));
}

/* Whoever asks for a game that is in memory finds it gone. */
struct ledger_game *
__wrap_ledger_game_find(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_game *lg = __real_ledger_game_find(l, id);

	if (lg == NULL || hooks_get(HOOKS_COLD) == 0)
		return (lg);
	ledger_game_drop(l, lg);
	return (NULL);
}

/* The pause of the listener is the one timer of 200 ms there is. */
int
__wrap_event_add(struct event *ev, const struct timeval *tv)
{
	if (tv != NULL && tv->tv_sec == 0 && tv->tv_usec == 200000 &&
	    hooks_get(HOOKS_RESTLESS) != 0)
		return (-1);
	return (__real_event_add(ev, tv));
}

/* Tries what a confined daemon may not do, once. */
static void
hooks_try_calls(void)
{
	const int64_t n = hooks_get(HOOKS_TRY_CALLS);

	if (n == 0)
		return;
	atomic_store(&hooks->slots[HOOKS_CALLS_MADE], calls_try(n));
	atomic_store(&hooks->slots[HOOKS_TRY_CALLS], 0);
}

/* Keeps the process for a while after its end, to be looked at. */
__attribute__((destructor)) static void
hooks_linger(void)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	if (hooks_get(HOOKS_LINGER) == 0)
		return;
	if (hooks_get(HOOKS_LINGER) == -1)
		hooks_sys_die();
	atomic_store(&hooks->slots[HOOKS_LINGER], 2);
	while (hooks_get(HOOKS_LINGER) != 0)
		(void)nanosleep(&ms, NULL);
}

int
__wrap_store_commit(struct store *st)
{
	int r;

	hooks_try_calls();
	/* Only the ledger's thread commits, so that nothing is shared here. */
	if (hooks_noted < hooks_get(HOOKS_EARLY)) {
		hooks_noted++;
		return (0);
	}
	hooks_noted = 0;
	if (hooks_strike(HOOKS_FAIL_COMMITS)) {
		store_rollback(st);
		return (hooks_commit_says(st, ERR_STORAGE));
	}
	r = hooks_commit_says(st, __real_store_commit(st));
	if (r == 0)
		atomic_fetch_add(&hooks->slots[HOOKS_COMMITS], 1);
	return (r);
}

/* Set alone, the wall clock goes on as if it had always been so. */
int64_t
__wrap_clock_boot_ms(void)
{
	if (hooks_get(HOOKS_BOOT_MS) != 0)
		return (hooks_get(HOOKS_BOOT_MS));
	if (hooks_get(HOOKS_NOW_MS) != 0)
		return (hooks_get(HOOKS_NOW_MS));
	return (__real_clock_wall_ms());
}

int64_t
__wrap_clock_wall_ms(void)
{
	if (hooks_get(HOOKS_NOW_MS) == 0)
		return (__real_clock_wall_ms());
	return (atomic_fetch_add(
	    &hooks->slots[HOOKS_NOW_MS], hooks_get(HOOKS_NOW_STEP_MS)));
}

/* Sets a time a bit ahead of now, by the clock that ledger_wait() takes. */
static void
hooks_soon(struct timespec *t)
{
	const int64_t ms = clock_mono_ms() + 20;

	t->tv_sec = (time_t)(ms / 1000);
	t->tv_nsec = (long)(ms % 1000) * 1000000;
}

/*
 * A wait, which lasts no longer while the test has minutes that are over; each
 * is taken when the thread waits again, so that it has done by then what it
 * does every minute.
 */
int
__wrap_pthread_cond_timedwait(
    pthread_cond_t *wake, pthread_mutex_t *lock, const struct timespec *until)
{
	static _Thread_local bool is_over;
	struct timespec soon;
	int r;

	if (is_over)
		(void)atomic_fetch_sub(&hooks->slots[HOOKS_MINUTES], 1);
	is_over = false;
	do {
		if (hooks_get(HOOKS_MINUTES) > 0) {
			is_over = true;
			return (ETIMEDOUT);
		}
		hooks_soon(&soon);
		if (soon.tv_sec > until->tv_sec ||
		    (soon.tv_sec == until->tv_sec &&
			soon.tv_nsec > until->tv_nsec))
			return (
			    __real_pthread_cond_timedwait(wake, lock, until));
		r = __real_pthread_cond_timedwait(wake, lock, &soon);
	} while (r == ETIMEDOUT);
	return (r);
}

/* What is free on a disk, as the test has it (free_mib). */
int
__wrap_fstatvfs(int fd, struct statvfs *sv)
{
	const int64_t mib = hooks_get(HOOKS_FREE_MIB);

	if (__real_fstatvfs(fd, sv) == -1)
		return (-1);
	if (mib != 0)
		sv->f_bavail = (fsblkcnt_t)mib * 1048576 / sv->f_frsize;
	return (0);
}

void *
__wrap_malloc(size_t n)
{
	return (hooks_alloc_fails() ? NULL : __real_malloc(n));
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return (hooks_alloc_fails() ? NULL : __real_calloc(n, size));
}

void *
__wrap_realloc(void *p, size_t n)
{
	return (hooks_alloc_fails() ? NULL : __real_realloc(p, n));
}

char *
__wrap_strdup(const char *s)
{
	return (hooks_alloc_fails() ? NULL : __real_strdup(s));
}

char *
__wrap_strndup(const char *s, size_t n)
{
	return (hooks_alloc_fails() ? NULL : __real_strndup(s, n));
}

/* It allocates for what is not there alone. */
void *
__wrap_tsearch(
    const void *key, void **tree, int (*compare)(const void *, const void *))
{
	if (tfind(key, tree, compare) == NULL && hooks_alloc_fails())
		return (NULL);
	return (__real_tsearch(key, tree, compare));
}

/* OpenSSL's functions do the same with nothing and for nothing. */
static void *
hooks_ssl_malloc_cb(size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return (n == 0 ? NULL : malloc(n));
}

/* realloc() for OpenSSL; of 0 bytes it is a free. */
static void *
hooks_ssl_realloc_cb(void *p, size_t n, const char *file, int line)
{
	if (n > 0)
		return (realloc(p, n));
	CRYPTO_free(p, file, line);
	return (NULL);
}

/* Maps the control file, which is made if it is not there. */
static struct hooks *
hooks_map(const char *path)
{
	struct stat sb;
	void *p;
	int fd;

	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd == -1 || fstat(fd, &sb) == -1)
		abort();
	if ((size_t)sb.st_size < sizeof(struct hooks) &&
	    ftruncate(fd, sizeof(struct hooks)) == -1)
		abort();
	p = mmap(NULL, sizeof(struct hooks), PROT_READ | PROT_WRITE, MAP_SHARED,
	    fd, 0);
	if (p == MAP_FAILED)
		abort();
	close(fd);
	return (p);
}

/* Puts the hooks in before main() can use what they are in. */
__attribute__((constructor)) static void
hooks_install(void)
{
	static const struct faults_ops ops = {
	    hooks_alloc_fails, hooks_write_fails, hooks_sync_fails};
	static const struct syscalls_ops sys_ops = {
	    hooks_sys_ask, hooks_sys_die, hooks_sys_may_lose};
	const char *path;

	faults_install(&ops);
	syscalls_install(&sys_ops);
	(void)sqlite3_auto_extension((void (*)(void))hooks_normal_cb);
	/* In this program malloc() asks by itself. */
	json_set_alloc_funcs(malloc, free);
	event_set_mem_functions(malloc, realloc, free);
	/* What frees is put in by main(): server/net/tls.h. */
	if (CRYPTO_set_mem_functions(
		hooks_ssl_malloc_cb, hooks_ssl_realloc_cb, NULL) != 1)
		abort();
	/*
	 * OpenSSL 3.0 crashes when there is no memory for its own beginning,
	 * which is left out here: nothing fails yet.
	 */
	EVP_MD_free(EVP_MD_fetch(NULL, "SHA256", NULL));
	EVP_KEYMGMT_free(EVP_KEYMGMT_fetch(NULL, "ED25519", NULL));
	path = getenv(HOOKS_ENV);
	if (path != NULL)
		hooks = hooks_map(path);
	path = getenv(HOOKS_LINES_ENV);
	if (path != NULL &&
	    (hooks_lines = open(
		 path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) == -1)
		abort();
}

int
__wrap_kept_tournament(struct store *st, const struct store_tournament_row *row,
    bool trusts, struct tournament **t, struct errinfo *e)
{
	const struct timespec nap = {.tv_nsec = 1000000};

	while (*t == NULL && hooks_get(HOOKS_HOLD_MAKING) != 0)
		(void)nanosleep(&nap, NULL);
	return (__real_kept_tournament(st, row, trusts, t, e));
}

int
__wrap_worker_new(const struct io_shared *shared, const struct conf *conf,
    struct tls_config *tls, int64_t number, struct io **out, struct errinfo *e)
{
	const struct timespec nap = {.tv_nsec = 1000000};

	while (hooks_get(HOOKS_HOLD_THREADS) != 0)
		(void)nanosleep(&nap, NULL);
	return (__real_worker_new(shared, conf, tls, number, out, e));
}

int
__wrap_tournament_work_pairing(const struct tournament *t, json_t **event)
{
	const struct timespec nap = {.tv_nsec = 1000000};

	if (hooks != NULL)
		(void)atomic_fetch_add(&hooks->slots[HOOKS_PAIRINGS], 1);
	while (hooks_get(HOOKS_HOLD_PAIRING) != 0)
		(void)nanosleep(&nap, NULL);
	return (__real_tournament_work_pairing(t, event));
}
