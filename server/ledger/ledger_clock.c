/* SPDX-License-Identifier: ISC */
/*
 * The wall clock gives every line its time, and a line that is dated wrong
 * cannot be taken back: those after it are dated no earlier, and deadlines
 * depend on them.  So it is compared with the clock since boot, which nobody
 * sets and which goes on while the machine is suspended.  If they differ by
 * more than ten seconds, or if at the start the line that was stored last is
 * dated that far ahead, no orders are taken until they agree again or the
 * operator says that the time is right (umpired --clock-is-right).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

#define LEDGER_CLOCK_STEP_MS 10000
/* Clocks that are slowly brought together drift by this part of the time. */
#define LEDGER_CLOCK_SLEW 2000

/* The name of the file by which the operator's word comes; malloc()ed. */
static char *
ledger_clock_path(const char *database)
{
	char *path;

	return (asprintf(&path, "%s.clock", database) == -1 ? NULL : path);
}

int
ledger_clock_confirm(const char *database, struct errinfo *e)
{
	const int64_t wall_ms = clock_wall_ms(), boot_ms = clock_boot_ms();
	char *new = NULL, *path = ledger_clock_path(database);
	FILE *f = NULL;
	bool ok;
	int r = 0;

	if (path == NULL || asprintf(&new, "%s.new", path) == -1) {
		free(path);
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	}
	ok = (f = fopen(new, "we")) != NULL &&
	    fprintf(f, "%" PRId64 " %" PRId64 "\n", wall_ms, boot_ms) > 0;
	if (f != NULL && fclose(f) != 0)
		ok = false;
	if (!ok || rename(new, path) != 0)
		r = err_set(e, ERR_IO, "", "cannot write \"%s\": %s", path,
		    strerror(errno));
	free(new);
	free(path);
	return (r);
}

/* Takes the operator's word, if there is one and it is about this time. */
static bool
ledger_clock_is_confirmed(
    const struct ledger_clock *c, int64_t wall_ms, int64_t boot_ms)
{
	int64_t said_ms, since_ms, off;
	FILE *f;
	bool is_said;

	if ((f = fopen(c->path, "re")) == NULL)
		return (false);
	is_said = fscanf(f, "%" SCNd64 " %" SCNd64, &said_ms, &since_ms) == 2;
	(void)fclose(f);
	(void)unlink(c->path);
	if (!is_said)
		return (false);
	off = (wall_ms - boot_ms) - (said_ms - since_ms);
	return (boot_ms >= since_ms && llabs(off) <= LEDGER_CLOCK_STEP_MS);
}

/* Says that orders are held, and why, and what to do. */
static void
ledger_clock_hold(
    struct ledger_clock *c, int64_t from_ms, const char *what, int64_t by_ms)
{
	c->is_off = true;
	if (!c->is_missed)
		c->from_ms = from_ms;
	log_errorx("%s by %lld s: no orders are taken until this "
		   "machine's clock is right; if it is right now, say so by "
		   "umpired --clock-is-right",
	    what, llabs((long long)by_ms) / 1000);
}

/* Says that orders are taken again. */
static void
ledger_clock_free(struct ledger_clock *c, int64_t wall_ms, const char *why)
{
	c->is_off = false;
	c->is_missed |= !c->is_noted;
	c->newest_ms = 0;
	c->to_ms = wall_ms;
	log_warnx("orders are taken again: %s", why);
}

int
ledger_clock_begin(struct ledger_clock *c, const char *database, bool is_noted,
    int64_t newest_ms)
{
	const int64_t wall_ms = clock_wall_ms();

	if ((c->path = ledger_clock_path(database)) == NULL)
		return (ERR_NOMEM);
	/* What was noted before ends, or goes on, with this start. */
	c->is_noted = is_noted;
	c->seen_ms = clock_boot_ms();
	c->apart_ms = wall_ms - c->seen_ms;
	c->wall_ms = c->to_ms = wall_ms;
	if (newest_ms <= wall_ms + LEDGER_CLOCK_STEP_MS)
		return (0);
	c->newest_ms = newest_ms;
	ledger_clock_hold(c, wall_ms,
	    "the line that was stored last is dated ahead of the clock",
	    newest_ms - wall_ms);
	return (0);
}

void
ledger_clock_clear(struct ledger_clock *c)
{
	free(c->path);
	c->path = NULL;
}

int
ledger_clock_read(struct ledger_clock *c, int64_t *now_ms)
{
	const int64_t boot_ms = clock_boot_ms(), wall_ms = clock_wall_ms();
	const int64_t slew_ms = (boot_ms - c->seen_ms) / LEDGER_CLOCK_SLEW;
	int64_t by_ms = wall_ms - boot_ms - c->apart_ms;
	bool is_off;

	/* What is left of a slew is not taken for a step months later. */
	if (slew_ms > 0) {
		c->seen_ms = boot_ms;
		c->apart_ms += by_ms > slew_ms ? slew_ms
		    : by_ms < -slew_ms         ? -slew_ms
					       : by_ms;
		by_ms = wall_ms - boot_ms - c->apart_ms;
	}
	if (c->newest_ms != 0)
		is_off = wall_ms + LEDGER_CLOCK_STEP_MS < c->newest_ms;
	else
		is_off = llabs(by_ms) > LEDGER_CLOCK_STEP_MS;
	if (is_off && !c->is_off)
		ledger_clock_hold(c, c->wall_ms,
		    by_ms > 0 ? "the clock has been set forward"
			      : "the clock has been set back",
		    by_ms);
	if (c->is_off && !is_off) {
		/* A clock that was late is right now, however far it has
		 * jumped. */
		c->apart_ms = wall_ms - boot_ms;
		ledger_clock_free(c, wall_ms, "the clock is right again");
	} else if (c->is_off &&
	    ledger_clock_is_confirmed(c, wall_ms, boot_ms)) {
		c->apart_ms = wall_ms - boot_ms;
		ledger_clock_free(c, wall_ms,
		    "the operator says that the "
		    "clock is right");
	}
	if (c->is_off)
		return (ERR_CLOCK);
	c->wall_ms = wall_ms;
	*now_ms = wall_ms;
	return (0);
}

void
ledger_clock_look(struct ledger_clock *c)
{
	int64_t now_ms;

	if (ledger_clock_read(c, &now_ms) != 0)
		return; /* which is logged */
}

bool
ledger_clock_is_due(const struct ledger_clock *c)
{
	return (c->is_off != c->is_noted || c->is_missed);
}

int
ledger_clock_note(struct ledger *l)
{
	struct ledger_clock *c = &l->clock;
	int r = 0;

	if (!ledger_clock_is_due(c))
		return (0);
	if (!c->is_noted)
		r = store_standstill_begin(l->store, -1, c->from_ms, "clock");
	if (r == 0 && !c->is_off)
		r = store_standstill_end(l->store, -1, c->to_ms);
	if (r != 0)
		return (ledger_fault(l, r, "note the clock"));
	c->is_noted = c->is_off;
	c->was_missed = c->is_missed;
	c->is_missed = false;
	return (0);
}

void
ledger_clock_settle(struct ledger *l, bool is_stored)
{
	struct ledger_clock *c = &l->clock;
	int r;

	if (!is_stored) {
		c->is_missed |= c->was_missed;
		r = store_standstill_find(l->store, -1);
		if (r == 0 || r == ERR_NOTFOUND)
			c->is_noted = r == 0;
	}
	c->was_missed = false;
}
