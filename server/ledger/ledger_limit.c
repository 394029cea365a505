/* SPDX-License-Identifier: ISC */
/*
 * What an account may have open, how long it stays open, and how much of the
 * disk new things may take.  Nothing of this is in the record: what is refused
 * here is refused without a signature, and a game lapses without a line.
 */
#include <sys/statvfs.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

#define LEDGER_LIMIT_LOOK_MS 1000 /* between two looks at the disk */
#define LEDGER_LIMIT_DIGITS 4 /* bytes of a game's id in a text */
#define LEDGER_LIMIT_MIB 1048576

int
ledger_limit_open(struct ledger *l, const char *database, struct errinfo *e)
{
	const char *slash = strrchr(database, '/');
	char *folder;

	folder = slash == NULL
	    ? strdup(".")
	    : strndup(database, (size_t)(slash - database) + 1);
	if (folder == NULL)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	l->disk_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (l->disk_fd == -1)
		return (err_set(e, ERR_IO, NULL,
		    "cannot open the folder of \"%s\": %s", database,
		    strerror(errno)));
	/* The first one looks. */
	l->disk_looked_ms = clock_mono_ms() - LEDGER_LIMIT_LOOK_MS;
	return (0);
}

void
ledger_limit_close(struct ledger *l)
{
	if (l->disk_fd != -1)
		(void)close(l->disk_fd);
}

/* Looks how much is free, and logs it if that is too little, or no longer. */
static void
ledger_limit_look(struct ledger *l)
{
	const int64_t least = l->conf.limits.min_free_mib;
	struct statvfs sv;
	int64_t mib;

	l->disk_looked_ms = clock_mono_ms();
	if (fstatvfs(l->disk_fd, &sv) == -1) {
		/* Storing says by itself if it fails. */
		log_warn("cannot find out how much disk space is free");
		l->is_full = false;
		return;
	}
	mib = (int64_t)((double)sv.f_bavail * (double)sv.f_frsize /
	    LEDGER_LIMIT_MIB);
	if (mib < least && !l->is_full)
		log_errorx("only %lld MiB of disk space are free, and "
			   "min_free_disk is %lld: no new accounts, games "
			   "and tournaments",
		    (long long)mib, (long long)least);
	if (mib >= least && l->is_full)
		log_info("%lld MiB of disk space are free: new accounts, "
			 "games and tournaments are taken again",
		    (long long)mib);
	l->is_full = mib < least;
}

int
ledger_limit_disk(struct ledger *l, struct errinfo *e)
{
	if (l->conf.limits.min_free_mib == 0) {
		l->is_full = false;
		return (0);
	}
	if (clock_mono_ms() - l->disk_looked_ms >= LEDGER_LIMIT_LOOK_MS)
		ledger_limit_look(l);
	if (!l->is_full)
		return (0);
	return (err_set(e, ERR_LIMIT, NULL,
	    "the server's disk is nearly full; until its operator makes room "
	    "only existing games go on"));
}

/* The time by which games lapse: the last that was right. */
static int64_t
ledger_limit_now(const struct ledger *l)
{
	return (l->clock.is_off ? l->clock.wall_ms : clock_wall_ms());
}

bool
ledger_limit_is_lapsed(
    const struct ledger *l, enum game_phase phase, int64_t at_ms)
{
	return (phase == GAME_MUSTER && l->conf.limits.muster_ms > 0 &&
	    at_ms < ledger_limit_now(l) - l->conf.limits.muster_ms);
}

int
ledger_limit_muster(struct ledger *l, struct ledger_job *job)
{
	const struct ledger_limits *limits = &l->conf.limits;
	char hex[2 * LEDGER_LIMIT_DIGITS + 1];
	uint8_t oldest[HASH_LEN];
	int64_t n;
	int r;

	if (limits->max_muster == 0)
		return (0);
	r = store_list_musters(l->store, job->account,
	    limits->muster_ms == 0 ? INT64_MIN
				   : ledger_limit_now(l) - limits->muster_ms,
	    &n, oldest);
	if (r != 0)
		return (ledger_fault(l, r, "count the games of an account"));
	if (n < limits->max_muster)
		return (0);
	job->open_games = n;
	hex_format(hex, oldest, LEDGER_LIMIT_DIGITS);
	return (err_set(&job->e, ERR_LIMIT, NULL,
	    "%lld games that you opened have not begun, the most that an "
	    "account may have here; cancel one first, the oldest is %s",
	    (long long)n, hex));
}

int
ledger_limit_order(struct ledger_order *lo)
{
	const struct game *g = lo->lg->game;
	const enum order_kind kind = lo->job->order.kind;

	if (kind == ORDER_RESIGN || kind == ORDER_CLOSE ||
	    !ledger_limit_is_lapsed(lo->l, game_phase(g), game_at_ms(g)))
		return (0);
	return (err_set(&lo->job->e, ERR_DENIED, "order.game",
	    "the game has lapsed: it did not begin, and for %lld days nothing "
	    "happened in it; it can only be cancelled",
	    (long long)(lo->l->conf.limits.muster_ms / 86400000)));
}
