/* SPDX-License-Identifier: ISC */
/*
 * Running kept statements, and what SQLite's results mean to us.  No SQL is
 * put together from data: values are only ever bound.
 */
#include "server/store/store_int.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "server/store/store_notice.h"

const char *const store_channel_names[STORE_CHANNELS] = {
    [STORE_CHANNEL_COMMAND] = "command",
    [STORE_CHANNEL_MAIL] = "mail",
    [STORE_CHANNEL_WEBHOOK] = "webhook",
};

int
store_fail(struct store *st, int rc)
{
	const char *why;

	why = sqlite3_errmsg(st->db);
	if (sqlite3_extended_errcode(st->db) != rc)
		why = sqlite3_errstr(rc);
	snprintf(st->reason, sizeof(st->reason), "%s (%d)", why, rc);
	switch (rc) {
	case SQLITE_NOMEM:
	case SQLITE_IOERR_NOMEM:
		return (ERR_NOMEM);
	case SQLITE_TOOBIG:
		return (ERR_TOOBIG);
	case SQLITE_CONSTRAINT_PRIMARYKEY:
	case SQLITE_CONSTRAINT_UNIQUE:
	case SQLITE_CONSTRAINT_ROWID:
		return (ERR_EXISTS);
	case SQLITE_IOERR_FSYNC:
	case SQLITE_IOERR_DIR_FSYNC:
		/*
		 * The kernel may drop pages that it could not write and call
		 * the next fsync good: what is on disk is not known any more.
		 */
		st->is_broken = true;
		return (ERR_IO);
	default:
		break;
	}
	if ((rc & 0xff) == SQLITE_BUSY && !st->is_writer)
		return (ERR_BUSY);
	st->is_unfit =
	    (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB;
	return (ERR_STORAGE);
}

int
store_unfit(struct store *st)
{
	st->is_unfit = true;
	return (ERR_STORAGE);
}

bool
store_is_unfit(const struct store *st)
{
	return (st->is_unfit);
}

void
store_query_init(
    struct store_query *q, struct store *st, enum store_sql id, const char *sql)
{
	*q = (struct store_query){.st = st, .rc = SQLITE_OK};
	if (st->stmts[id] == NULL)
		q->rc = sqlite3_prepare_v3(st->db, sql, -1,
		    SQLITE_PREPARE_PERSISTENT, &st->stmts[id], NULL);
	else if (sqlite3_stmt_busy(st->stmts[id]))
		q->rc = SQLITE_MISUSE;
	if (q->rc == SQLITE_OK)
		q->s = st->stmts[id];
}

struct store_value
store_int(int64_t v)
{
	return ((struct store_value){.kind = STORE_VALUE_INT, .number = v});
}

struct store_value
store_opt(int64_t v)
{
	return (v < 0 ? (struct store_value){.kind = STORE_VALUE_NULL}
		      : store_int(v));
}

struct store_value
store_text(const char *s)
{
	return ((struct store_value){.kind = STORE_VALUE_TEXT, .bytes = s});
}

struct store_value
store_blob(const void *p, size_t n)
{
	return ((struct store_value){
	    .kind = STORE_VALUE_BLOB, .bytes = p, .len = n});
}

struct store_value
store_channel_if(unsigned channels, enum store_channel channel)
{
	return (store_text((channels & 1u << channel) != 0
		? store_channel_names[channel]
		: NULL));
}

void
store_query_bind(struct store_query *q, struct store_value v)
{
	if (q->rc != SQLITE_OK)
		return;
	q->n++;
	switch (v.kind) {
	case STORE_VALUE_END:
	case STORE_VALUE_NULL:
		q->rc = sqlite3_bind_null(q->s, q->n);
		break;
	case STORE_VALUE_INT:
		q->rc = sqlite3_bind_int64(q->s, q->n, v.number);
		break;
	case STORE_VALUE_TEXT:
		q->rc =
		    sqlite3_bind_text(q->s, q->n, v.bytes, -1, SQLITE_STATIC);
		break;
	case STORE_VALUE_BLOB:
		q->rc = sqlite3_bind_blob64(
		    q->s, q->n, v.bytes, v.len, SQLITE_STATIC);
		break;
	}
}

void
store_query(struct store_query *q, struct store *st, enum store_sql id,
    const char *sql, const struct store_value *values)
{
	store_query_init(q, st, id, sql);
	for (; values != NULL && values->kind != STORE_VALUE_END; values++)
		store_query_bind(q, *values);
}

int
store_query_step(struct store_query *q)
{
	int r;

	if (q->rc == SQLITE_OK)
		q->rc = sqlite3_step(q->s);
	if (q->rc == SQLITE_ROW) {
		q->rc = SQLITE_OK;
		return (0);
	}
	r = q->rc == SQLITE_DONE ? ERR_NOTFOUND : store_fail(q->st, q->rc);
	store_query_end(q);
	return (r);
}

bool
store_query_next(struct store_query *q, int *r)
{
	if (*r != 0) {
		store_query_end(q);
		return (false);
	}
	if ((*r = store_query_step(q)) == 0)
		return (true);
	if (*r == ERR_NOTFOUND)
		*r = 0;
	return (false);
}

void
store_query_end(struct store_query *q)
{
	if (q->s == NULL)
		return;
	/* reset repeats the failure of the last step, which is known. */
	(void)sqlite3_reset(q->s);
	sqlite3_clear_bindings(q->s);
	q->s = NULL;
	q->rc = SQLITE_MISUSE;
}

int
store_run(struct store *st, enum store_sql id, const char *sql,
    const struct store_value *values)
{
	int r;

	r = store_has(st, id, sql, values);
	return (r == ERR_NOTFOUND ? 0 : r == 0 ? ERR_INTERNAL : r);
}

int
store_has(struct store *st, enum store_sql id, const char *sql,
    const struct store_value *values)
{
	int64_t number;

	return (store_number(st, id, sql, values, &number));
}

int
store_digits(struct store *st, enum store_sql id, const char *sql,
    const char *digits, uint8_t out[HASH_LEN])
{
	uint8_t found[HASH_LEN];
	struct store_query q;
	int n = 0, r = 0;

	store_query(&q, st, id, sql, STORE_VALUES(store_text(digits)));
	while (store_query_next(&q, &r)) {
		r = store_query_bytes(&q, 0, found, HASH_LEN);
		n++;
	}
	if (r != 0)
		return (r);
	if (n != 1)
		return (n == 0 ? ERR_NOTFOUND : ERR_EXISTS);
	memcpy(out, found, HASH_LEN);
	return (0);
}

int
store_number(struct store *st, enum store_sql id, const char *sql,
    const struct store_value *values, int64_t *number)
{
	struct store_query q;
	int r;

	store_query(&q, st, id, sql, values);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*number = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_query_bytes(struct store_query *q, int col, uint8_t *out, size_t n)
{
	const void *p;

	p = sqlite3_column_blob(q->s, col);
	if (p == NULL || (size_t)sqlite3_column_bytes(q->s, col) != n) {
		snprintf(q->st->reason, sizeof(q->st->reason),
		    "column \"%s\" has not %zu bytes",
		    sqlite3_column_name(q->s, col), n);
		return (store_unfit(q->st));
	}
	memcpy(out, p, n);
	return (0);
}

int
store_query_copy(struct store_query *q, int col, char *out, size_t n)
{
	const void *p;
	size_t len;

	p = sqlite3_column_blob(q->s, col);
	len = (size_t)sqlite3_column_bytes(q->s, col);
	if (len >= n) {
		snprintf(q->st->reason, sizeof(q->st->reason),
		    "column \"%s\" has %zu bytes, more than %zu",
		    sqlite3_column_name(q->s, col), len, n - 1);
		return (store_unfit(q->st));
	}
	if (p != NULL)
		memcpy(out, p, len);
	out[len] = '\0';
	return (0);
}

int64_t
store_query_opt_int(struct store_query *q, int col)
{
	if (sqlite3_column_type(q->s, col) == SQLITE_NULL)
		return (-1);
	return (sqlite3_column_int64(q->s, col));
}

int
store_query_channel(struct store_query *q, int col, enum store_channel *channel)
{
	char name[16];
	int i, r;

	if ((r = store_query_copy(q, col, name, sizeof(name))) != 0)
		return (r);
	for (i = 0; i < STORE_CHANNELS; i++) {
		if (strcmp(store_channel_names[i], name) == 0) {
			*channel = (enum store_channel)i;
			return (0);
		}
	}
	snprintf(q->st->reason, sizeof(q->st->reason),
	    "column \"%s\" names no channel", sqlite3_column_name(q->s, col));
	return (store_unfit(q->st));
}

int
store_append_all(
    struct store *st, enum store_sql id, const char *sql, struct buf *out)
{
	struct store_query q;
	int r = 0;

	store_query(&q, st, id, sql, NULL);
	while (store_query_next(&q, &r))
		r = store_query_append(&q, 0, out);
	return (r);
}

int
store_query_append(struct store_query *q, int col, struct buf *out)
{
	const void *p;

	p = sqlite3_column_blob(q->s, col);
	if (p != NULL)
		buf_add(out, p, (size_t)sqlite3_column_bytes(q->s, col));
	return (buf_error(out));
}

int
store_query_refs(struct store_query *q,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
{
	uint8_t ref[HASH_LEN];
	int r = 0;

	while (store_query_next(q, &r)) {
		r = store_query_bytes(q, 1, ref, sizeof(ref));
		if (r == 0)
			r = each(arg, sqlite3_column_int64(q->s, 0), ref);
	}
	return (r);
}
