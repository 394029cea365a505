/* SPDX-License-Identifier: ISC */
#include "server/store/store_tell.h"

#include <string.h>

#include "server/store/store_int.h"

/* A row is found by the tournament, the account and what it tells. */
#define STORE_TELL_WHERE                                          \
	" WHERE tournament = ?1 AND account ="                    \
	" (SELECT id FROM account WHERE name = ?2) AND what = ?3" \
	" AND since = ?4 AND round = ?5 AND table_no = ?6 AND leg = ?7"

int
store_tell_insert(struct store *st, int64_t tid, const struct store_tell *s)
{
	const struct tournament_tell *tell = &s->tell;

	return (store_run(st, STORE_TELL_INSERT,
	    "INSERT INTO notice (tournament, what, since, round, table_no, leg,"
	    " channel, at_ms, until_ms, due_ms, next_ms, data, account)"
	    " SELECT ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, id"
	    " FROM account WHERE name = ?2 ON CONFLICT DO NOTHING",
	    STORE_VALUES(store_int(tid), store_text(s->account),
		store_text(told_name(tell->what)), store_int(tell->since),
		store_int(tell->place.round), store_int(tell->place.table),
		store_int(tell->place.leg),
		store_text(store_channel_names[s->channel]),
		store_int(s->at_ms), store_opt(tell->until_ms),
		store_opt(tell->due_ms), store_opt(s->next_ms),
		store_text(s->data))));
}

int
store_tell_update(struct store *st, int64_t tid, const struct store_tell *s)
{
	const struct tournament_tell *tell = &s->tell;

	return (store_run(st, STORE_TELL_UPDATE,
	    "UPDATE notice SET until_ms = ?8, data = ?11,"
	    " next_ms = CASE WHEN ?9 IS NOT due_ms THEN ?10 ELSE next_ms END,"
	    " tries = CASE WHEN ?9 IS NOT due_ms THEN 0 ELSE tries END,"
	    " due_ms = ?9" STORE_TELL_WHERE,
	    STORE_VALUES(store_int(tid), store_text(s->account),
		store_text(told_name(tell->what)), store_int(tell->since),
		store_int(tell->place.round), store_int(tell->place.table),
		store_int(tell->place.leg), store_opt(tell->until_ms),
		store_opt(tell->due_ms), store_opt(s->next_ms),
		store_text(s->data))));
}

int
store_tell_delete(struct store *st, int64_t tid, const char *account,
    const struct tournament_tell *tell)
{
	return (store_run(st, STORE_TELL_DELETE,
	    "DELETE FROM notice" STORE_TELL_WHERE,
	    STORE_VALUES(store_int(tid), store_text(account),
		store_text(told_name(tell->what)), store_int(tell->since),
		store_int(tell->place.round), store_int(tell->place.table),
		store_int(tell->place.leg))));
}

int
store_tell_delete_row(struct store *st, int64_t id)
{
	return (store_run(st, STORE_TELL_DELETE_ID,
	    "DELETE FROM notice WHERE id = ?", STORE_VALUES(store_int(id))));
}

/* Reads a row of store_tell_each(). */
static int
store_tell_read(struct store_query *q, struct store_tell *s)
{
	char name[17];
	int r;

	memset(s, 0, sizeof(*s));
	s->id = sqlite3_column_int64(q->s, 0);
	if ((r = store_query_copy(q, 1, s->account, sizeof(s->account))) != 0 ||
	    (r = store_query_copy(q, 2, name, sizeof(name))) != 0 ||
	    (r = store_query_channel(q, 7, &s->channel)) != 0)
		return (r);
	s->tell.what = told_of(name);
	s->tell.since = sqlite3_column_int64(q->s, 3);
	s->tell.place.round = sqlite3_column_int(q->s, 4);
	s->tell.place.table = sqlite3_column_int(q->s, 5);
	s->tell.place.leg = sqlite3_column_int(q->s, 6);
	s->tell.until_ms = store_query_opt_int(q, 8);
	s->tell.due_ms = store_query_opt_int(q, 9);
	s->next_ms = store_query_opt_int(q, 10);
	return (0);
}

int
store_tell_each(struct store *st, int64_t tid,
    int (*each)(void *arg, const struct store_tell *s), void *arg)
{
	struct store_query q;
	struct store_tell s;
	int r = 0;

	store_query(&q, st, STORE_TELL_EACH,
	    "SELECT n.id, a.name, what, since, round, table_no, leg, channel,"
	    " until_ms, due_ms, next_ms"
	    " FROM notice AS n CROSS JOIN account AS a ON a.id = n.account"
	    " WHERE n.tournament = ?",
	    STORE_VALUES(store_int(tid)));
	while (store_query_next(&q, &r)) {
		r = store_tell_read(&q, &s);
		if (r == 0)
			r = each(arg, &s);
	}
	return (r);
}

int
store_tell_come(struct store *st, int64_t tid, const char *account,
    const struct tournament_place *place, bool has_come)
{
	const struct store_value *leg = STORE_VALUES(store_int(tid),
	    store_text(account), store_int(place->round),
	    store_int(place->table), store_int(place->leg));

	/* What was tried may still be told. */
	if (!has_come)
		return (store_run(st, STORE_TELL_AWAY,
		    "UPDATE notice SET next_ms = due_ms WHERE tournament = ?1"
		    " AND account = (SELECT id FROM account WHERE name = ?2)"
		    " AND round = ?3 AND table_no = ?4 AND leg = ?5"
		    " AND what = 'start-ends' AND tries = 0"
		    " AND next_ms IS NULL",
		    leg));
	return (store_run(st, STORE_TELL_COME,
	    "UPDATE notice SET next_ms = NULL WHERE tournament = ?1"
	    " AND account = (SELECT id FROM account WHERE name = ?2)"
	    " AND round = ?3 AND table_no = ?4 AND leg = ?5"
	    " AND what IN ('table', 'opponent', 'start-ends')",
	    leg));
}
