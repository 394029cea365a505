/* SPDX-License-Identifier: ISC */
/*
 * Where and when accounts want to be told.  The ledger judges codes and counts
 * wrong ones.
 */
#include <string.h>

#include "server/store/store_int.h"
#include "server/store/store_notice.h"

#define STORE_ADDRESS_COLUMNS                                               \
	"d.id, name, kind, value, d.at_ms, confirmed, code, wrong, tries, " \
	"next_ms, sent_ms, failed_ms, error, failures"

/* Reads the columns of STORE_ADDRESS_COLUMNS. */
static int
store_address_read(struct store_query *q, struct store_address *a)
{
	int r;

	memset(a, 0, sizeof(*a));
	a->id = sqlite3_column_int64(q->s, 0);
	a->at_ms = sqlite3_column_int64(q->s, 4);
	a->is_confirmed = sqlite3_column_int(q->s, 5) != 0;
	a->wrong = sqlite3_column_int(q->s, 7);
	a->tries = sqlite3_column_int(q->s, 8);
	a->next_ms = store_query_opt_int(q, 9);
	a->sent_ms = store_query_opt_int(q, 10);
	a->failed_ms = store_query_opt_int(q, 11);
	a->failures = sqlite3_column_int(q->s, 13);
	if ((r = store_query_copy(q, 1, a->account, sizeof(a->account))) != 0 ||
	    (r = store_query_channel(q, 2, &a->kind)) != 0 ||
	    (r = store_query_copy(q, 3, a->value, sizeof(a->value))) != 0 ||
	    (r = store_query_copy(q, 6, a->code, sizeof(a->code))) != 0 ||
	    (r = store_query_copy(q, 12, a->error, sizeof(a->error))) != 0)
		return (r);
	return (0);
}

/* Gives the addresses of a query whose parameters are bound. */
static int
store_address_rows(struct store_query *q,
    int (*each)(void *arg, const struct store_address *a), void *arg)
{
	struct store_address a;
	int r = 0;

	while (store_query_next(q, &r)) {
		r = store_address_read(q, &a);
		if (r == 0)
			r = each(arg, &a);
	}
	return (r);
}

/* Reads the one address of a query whose parameters are bound. */
static int
store_address_one(struct store_query *q, struct store_address *out)
{
	struct store_address a;
	int r;

	if ((r = store_query_step(q)) != 0)
		return (r);
	r = store_address_read(q, &a);
	if (r == 0)
		*out = a;
	store_query_end(q);
	return (r);
}

int
store_address_get(struct store *st, const char *account,
    enum store_channel kind, struct store_address *out)
{
	struct store_query q;

	store_query(&q, st, STORE_ADDRESS_GET,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM account AS a"
	    " CROSS JOIN address AS d ON d.account = a.id"
	    " WHERE name = ? AND kind = ?",
	    STORE_VALUES(
		store_text(account), store_text(store_channel_names[kind])));
	return (store_address_one(&q, out));
}

int
store_address_find(struct store *st, int64_t id, struct store_address *out)
{
	struct store_query q;

	store_query(&q, st, STORE_ADDRESS_FIND,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM address AS d"
	    " CROSS JOIN account AS a ON a.id = d.account WHERE d.id = ?",
	    STORE_VALUES(store_int(id)));
	return (store_address_one(&q, out));
}

int
store_address_each(struct store *st, const char *account,
    int (*each)(void *arg, const struct store_address *a), void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_ADDRESS_EACH,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM account AS a"
	    " CROSS JOIN address AS d ON d.account = a.id"
	    " WHERE name = ? ORDER BY kind",
	    STORE_VALUES(store_text(account)));
	return (store_address_rows(&q, each, arg));
}

int
store_address_each_due(struct store *st, int64_t now_ms, unsigned channels,
    int (*cb)(void *arg, const struct store_address *a), void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_ADDRESS_DUE,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM address AS d"
	    " CROSS JOIN account AS a ON a.id = d.account"
	    " WHERE kind IN (?, ?) AND next_ms <= ? ORDER BY next_ms, d.id",
	    STORE_VALUES(store_channel_if(channels, STORE_CHANNEL_MAIL),
		store_channel_if(channels, STORE_CHANNEL_WEBHOOK),
		store_int(now_ms)));
	return (store_address_rows(&q, cb, arg));
}

int
store_address_channels(
    struct store *st, const char *account, unsigned *channels)
{
	struct store_query q;
	enum store_channel kind;
	unsigned got = 0;
	int r = 0;

	store_query(&q, st, STORE_ADDRESS_CHANNELS,
	    "SELECT kind FROM account AS a"
	    " CROSS JOIN address AS d ON d.account = a.id"
	    " WHERE name = ? AND confirmed = 1",
	    STORE_VALUES(store_text(account)));
	while (store_query_next(&q, &r)) {
		if ((r = store_query_channel(&q, 0, &kind)) == 0)
			got |= 1u << kind;
	}
	if (r == 0)
		*channels = got;
	return (r);
}

int
store_address_set(struct store *st, const char *account,
    enum store_channel kind, const char *value, const char *code, int64_t at_ms)
{
	int r;

	if ((r = store_account_find(st, account)) != 0 ||
	    (r = store_address_drop(st, account, kind)) != 0)
		return (r);
	return (store_run(st, STORE_ADDRESS_INSERT,
	    "INSERT INTO address (account, kind, value, code, at_ms, next_ms)"
	    " SELECT id, ?1, ?2, ?3, ?4, ?4 FROM account WHERE name = ?5",
	    STORE_VALUES(store_text(store_channel_names[kind]),
		store_text(value), store_text(code), store_int(at_ms),
		store_text(account))));
}

int
store_address_drop(
    struct store *st, const char *account, enum store_channel kind)
{
	int r;

	if ((r = store_notice_clear(st, account, kind)) != 0)
		return (r);
	return (store_run(st, STORE_ADDRESS_DELETE,
	    "DELETE FROM address WHERE account ="
	    " (SELECT a.id FROM account AS a WHERE name = ?) AND kind = ?",
	    STORE_VALUES(
		store_text(account), store_text(store_channel_names[kind]))));
}

int
store_address_update(struct store *st, const struct store_address *a)
{
	return (store_run(st, STORE_ADDRESS_UPDATE,
	    "UPDATE address SET confirmed = ?, code = ?, wrong = ?, tries = ?,"
	    " next_ms = ?, sent_ms = ?, failed_ms = ?, error = ?, failures = ?"
	    " WHERE id = ?",
	    STORE_VALUES(store_int(a->is_confirmed),
		store_text(a->code[0] == '\0' ? NULL : a->code),
		store_int(a->wrong), store_int(a->tries), store_opt(a->next_ms),
		store_opt(a->sent_ms), store_opt(a->failed_ms),
		store_text(a->error[0] == '\0' ? NULL : a->error),
		store_int(a->failures), store_int(a->id))));
}

int
store_quiet_set(
    struct store *st, const char *account, const struct store_quiet *quiet)
{
	if (!quiet->has_quiet)
		return (store_run(st, STORE_QUIET_DELETE,
		    "DELETE FROM quiet WHERE account ="
		    " (SELECT id FROM account WHERE name = ?)",
		    STORE_VALUES(store_text(account))));
	return (store_run(st, STORE_QUIET_SET,
	    "INSERT INTO quiet (account, offset_min, from_min, to_min)"
	    " SELECT id, ?, ?, ? FROM account WHERE name = ?"
	    " ON CONFLICT (account) DO UPDATE SET"
	    " offset_min = excluded.offset_min, from_min = excluded.from_min,"
	    " to_min = excluded.to_min",
	    STORE_VALUES(store_int(quiet->offset_min),
		store_int(quiet->from_min), store_int(quiet->to_min),
		store_text(account))));
}

int
store_quiet_get(struct store *st, const char *account, struct store_quiet *out)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_QUIET_GET,
	    "SELECT offset_min, from_min, to_min FROM account AS a"
	    " CROSS JOIN quiet ON quiet.account = a.id WHERE name = ?",
	    STORE_VALUES(store_text(account)));
	r = store_query_step(&q);
	if (r == ERR_NOTFOUND) {
		*out = (struct store_quiet){.has_quiet = false};
		return (0);
	}
	if (r != 0)
		return (r);
	out->has_quiet = true;
	out->offset_min = sqlite3_column_int(q.s, 0);
	out->from_min = sqlite3_column_int(q.s, 1);
	out->to_min = sqlite3_column_int(q.s, 2);
	store_query_end(&q);
	return (0);
}
