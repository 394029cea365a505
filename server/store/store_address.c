/* SPDX-License-Identifier: ISC */
/*
 * Where and when accounts want to be told.  Whether a code is right, and how
 * often it may be said wrongly, is the ledger's to know.
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
	int r;

	while ((r = store_query_step(q)) == 0) {
		r = store_address_read(q, &a);
		if (r == 0)
			r = each(arg, &a);
		if (r != 0) {
			store_query_end(q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
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

	store_query_init(&q, st, STORE_ADDRESS_GET,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM account AS a"
	    " CROSS JOIN address AS d ON d.account = a.id"
	    " WHERE name = ? AND kind = ?");
	store_query_text(&q, account);
	store_query_text(&q, store_channel_names[kind]);
	return (store_address_one(&q, out));
}

int
store_address_find(struct store *st, int64_t id, struct store_address *out)
{
	struct store_query q;

	store_query_init(&q, st, STORE_ADDRESS_FIND,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM address AS d"
	    " CROSS JOIN account AS a ON a.id = d.account WHERE d.id = ?");
	store_query_int(&q, id);
	return (store_address_one(&q, out));
}

int
store_address_each(struct store *st, const char *account,
    int (*each)(void *arg, const struct store_address *a), void *arg)
{
	struct store_query q;

	store_query_init(&q, st, STORE_ADDRESS_EACH,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM account AS a"
	    " CROSS JOIN address AS d ON d.account = a.id"
	    " WHERE name = ? ORDER BY kind");
	store_query_text(&q, account);
	return (store_address_rows(&q, each, arg));
}

int
store_address_each_due(struct store *st, int64_t now_ms, unsigned channels,
    int (*cb)(void *arg, const struct store_address *a), void *arg)
{
	struct store_query q;

	store_query_init(&q, st, STORE_ADDRESS_DUE,
	    "SELECT " STORE_ADDRESS_COLUMNS " FROM address AS d"
	    " CROSS JOIN account AS a ON a.id = d.account"
	    " WHERE kind IN (?, ?) AND next_ms <= ? ORDER BY next_ms, d.id");
	store_query_channel_if(&q, channels, STORE_CHANNEL_MAIL);
	store_query_channel_if(&q, channels, STORE_CHANNEL_WEBHOOK);
	store_query_int(&q, now_ms);
	return (store_address_rows(&q, cb, arg));
}

int
store_address_channels(
    struct store *st, const char *account, unsigned *channels)
{
	struct store_query q;
	enum store_channel kind;
	unsigned got = 0;
	int r;

	store_query_init(&q, st, STORE_ADDRESS_CHANNELS,
	    "SELECT kind FROM account AS a"
	    " CROSS JOIN address AS d ON d.account = a.id"
	    " WHERE name = ? AND confirmed = 1");
	store_query_text(&q, account);
	while ((r = store_query_step(&q)) == 0) {
		if ((r = store_query_channel(&q, 0, &kind)) != 0) {
			store_query_end(&q);
			return (r);
		}
		got |= 1u << kind;
	}
	if (r != ERR_NOTFOUND)
		return (r);
	*channels = got;
	return (0);
}

int
store_address_set(struct store *st, const char *account,
    enum store_channel kind, const char *value, const char *code, int64_t at_ms)
{
	struct store_query q;
	int r;

	if ((r = store_account_find(st, account)) != 0 ||
	    (r = store_address_drop(st, account, kind)) != 0)
		return (r);
	store_query_init(&q, st, STORE_ADDRESS_INSERT,
	    "INSERT INTO address (account, kind, value, code, at_ms, next_ms)"
	    " SELECT id, ?1, ?2, ?3, ?4, ?4 FROM account WHERE name = ?5");
	store_query_text(&q, store_channel_names[kind]);
	store_query_text(&q, value);
	store_query_text(&q, code);
	store_query_int(&q, at_ms);
	store_query_text(&q, account);
	return (store_query_run(&q));
}

int
store_address_drop(
    struct store *st, const char *account, enum store_channel kind)
{
	struct store_query q;
	int r;

	if ((r = store_notice_clear(st, account, kind)) != 0)
		return (r);
	store_query_init(&q, st, STORE_ADDRESS_DELETE,
	    "DELETE FROM address WHERE account ="
	    " (SELECT a.id FROM account AS a WHERE name = ?) AND kind = ?");
	store_query_text(&q, account);
	store_query_text(&q, store_channel_names[kind]);
	return (store_query_run(&q));
}

int
store_address_update(struct store *st, const struct store_address *a)
{
	struct store_query q;

	store_query_init(&q, st, STORE_ADDRESS_UPDATE,
	    "UPDATE address SET confirmed = ?, code = ?, wrong = ?, tries = ?,"
	    " next_ms = ?, sent_ms = ?, failed_ms = ?, error = ?, failures = ?"
	    " WHERE id = ?");
	store_query_int(&q, a->is_confirmed);
	store_query_text(&q, a->code[0] == '\0' ? NULL : a->code);
	store_query_int(&q, a->wrong);
	store_query_int(&q, a->tries);
	store_query_opt(&q, a->next_ms);
	store_query_opt(&q, a->sent_ms);
	store_query_opt(&q, a->failed_ms);
	store_query_text(&q, a->error[0] == '\0' ? NULL : a->error);
	store_query_int(&q, a->failures);
	store_query_int(&q, a->id);
	return (store_query_run(&q));
}

int
store_quiet_set(
    struct store *st, const char *account, const struct store_quiet *quiet)
{
	struct store_query q;

	if (!quiet->has_quiet) {
		store_query_init(&q, st, STORE_QUIET_DELETE,
		    "DELETE FROM quiet WHERE account ="
		    " (SELECT id FROM account WHERE name = ?)");
		store_query_text(&q, account);
		return (store_query_run(&q));
	}
	store_query_init(&q, st, STORE_QUIET_SET,
	    "INSERT INTO quiet (account, offset_min, from_min, to_min)"
	    " SELECT id, ?, ?, ? FROM account WHERE name = ?"
	    " ON CONFLICT (account) DO UPDATE SET"
	    " offset_min = excluded.offset_min, from_min = excluded.from_min,"
	    " to_min = excluded.to_min");
	store_query_int(&q, quiet->offset_min);
	store_query_int(&q, quiet->from_min);
	store_query_int(&q, quiet->to_min);
	store_query_text(&q, account);
	return (store_query_run(&q));
}

int
store_quiet_get(struct store *st, const char *account, struct store_quiet *out)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_QUIET_GET,
	    "SELECT offset_min, from_min, to_min FROM account AS a"
	    " CROSS JOIN quiet ON quiet.account = a.id WHERE name = ?");
	store_query_text(&q, account);
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
