/* SPDX-License-Identifier: ISC */
/*
 * Copying a whole database while others use it.  VACUUM INTO reads one state
 * of it, as any reader does, and neither writes to it nor checkpoints.
 */
#include "server/store/store.h"

#include <sys/stat.h>

#include <string.h>

#include "server/store/store_int.h"

#define STORE_COPY_STEPS 100 /* of SQLite's machine between questions */

/* What the copy asks, and of whom. */
struct store_copy {
	const char *to;
	int64_t total; /* pages of the source */
	int64_t page; /* bytes */
	bool (*goes_on)(void *arg, int64_t pages, int64_t total);
	void *arg;
};

/* Asks whether to go on (sqlite3_progress_handler); not 0 ends it. */
static int
store_copy_cb(void *arg)
{
	const struct store_copy *c = arg;
	struct stat sb;
	int64_t pages = 0;

	if (stat(c->to, &sb) == 0)
		pages = sb.st_size / c->page;
	return (c->goes_on(c->arg, pages, c->total) ? 0 : 1);
}

int
store_copy(struct store *st, const char *to,
    bool (*goes_on)(void *arg, int64_t pages, int64_t total), void *arg,
    struct errinfo *e)
{
	sqlite3_stmt *s;
	int os, rc;
	/* For the copy; the source was opened for reading, and stays so. */
	static const char sql[] = "PRAGMA query_only = OFF";
	struct store_copy c = {.to = to, .goes_on = goes_on, .arg = arg};
	int r;

	if ((r = store_once(st, "PRAGMA page_count", &c.total)) != 0 ||
	    (r = store_once(st, "PRAGMA page_size", &c.page)) != 0 ||
	    (r = store_once(st, sql, NULL)) != 0)
		return (err_set(e, r, NULL, "%s", st->reason));
	sqlite3_progress_handler(st->db, STORE_COPY_STEPS, store_copy_cb, &c);
	rc = sqlite3_prepare_v2(st->db, "VACUUM main INTO ?1", -1, &s, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(s, 1, to, -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	r = 0;
	if (rc == SQLITE_INTERRUPT) {
		r = err_set(e, ERR_CLOSED, NULL, "interrupted");
	} else if (rc != SQLITE_DONE) {
		os = sqlite3_system_errno(st->db);
		r = store_fail(st, rc);
		(void)err_set(e, r, NULL, "%s%s%s", st->reason,
		    os == 0 ? "" : ": ", os == 0 ? "" : strerror(os));
	}
	sqlite3_finalize(s);
	sqlite3_progress_handler(st->db, 0, NULL, NULL);
	return (r);
}

int
store_count(struct store *st, int64_t *games, int64_t *lines)
{
	int64_t n;
	int r;

	if ((r = store_once(st, "SELECT count(*) FROM game", &n)) != 0 ||
	    (r = store_once(st, "SELECT count(*) FROM record", lines)) != 0)
		return (r);
	*games = n;
	return (0);
}
