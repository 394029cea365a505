/* SPDX-License-Identifier: ISC */
/*
 * Tournaments: orders, whose form and signature are checked here as those to
 * games are, and reading, which waits for nobody.
 */
#include "server/rpc/rpc_tournament.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/rpc.h"
#include "common/record/schema.h"
#include "common/tournament/tournament_game.h"
#include "server/net/limits.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_former.h"
#include "server/rpc/rpc_game.h"
#include "server/rpc/rpc_list.h"
#include "server/rpc/rpc_order.h"
#include "server/rpc/rpc_text.h"
#include "server/rpc/session.h"
#include "server/rpc/tournament_cache.h"
#include "server/store/access.h"
#include "server/store/kept_former.h"
#include "server/store/record_page.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define RPC_TOURNAMENT_PREFIX_MIN 4
#define RPC_TOURNAMENT_LIST 50
#define RPC_TOURNAMENT_ERASED 200 /* told of by one tournament.record */
#define RPC_TOURNAMENT_TODO_US 50000 /* beyond which none is begun */
#define RPC_TOURNAMENT_LIST_MAX 200

/* ---- orders ---- */

/* Checks which method an order is sent with, and who may open a tournament. */
static int
rpc_tournament_check_kind(
    const struct call_request *rq, const struct entry *o, struct errinfo *e)
{
	const struct conf_live *live = &rq->s->io->live;
	const bool is_create = o->kind == ENTRY_CREATE;

	if (is_create != (rq->method == &rpc_tournament_create))
		return (err_set(e, ERR_INVALID, "params.order.kind",
		    "an order of this kind is sent with %s",
		    is_create ? "tournament.create" : "tournament.order"));
	if (is_create && !live->anybody_creates &&
	    !names_has(&live->creators, rq->s->account))
		return (err_set(e, ERR_DENIED, "",
		    "this server does not let the account \"%s\" open "
		    "tournaments; ask its operator",
		    rq->s->account));
	return (0);
}

/* Finds the key that must have signed, and checks server key and signature. */
static int
rpc_tournament_check_sig(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct js_at order = {.up = call_at(), .name = "order"};
	const struct js_at args = {.up = &order, .name = "args"};
	const struct js_at director = {.up = &args, .name = "director"};
	const struct entry *o = &job->entry;
	bool has;
	int r;

	r = js_opt_hex(
	    rq->params, "key", call_at(), job->key, sizeof(job->key), &has, e);
	if (r != 0)
		return (r);
	if (!has && o->kind == ENTRY_CREATE) {
		r = js_get_hex(json_object_get(o->args, "director"), "key",
		    &director, job->key, sizeof(job->key), e);
		if (r != 0)
			return (r);
	} else if (!has) {
		memcpy(job->key, rq->s->key, sizeof(job->key));
	}
	if (memcmp(o->server, rq->s->io->shared->identity.public_key,
		SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_SERVER, "params.order.server",
		    "the order is for another server"));
	if ((r = sign_key_check(job->key)) != 0)
		return (err_set(
		    e, r, "params.key", "not an Ed25519 key that may be used"));
	r = sign_check(job->key, ENTRY_TAG, o->text, o->len, job->sig);
	if (r == ERR_SIGNATURE)
		(void)err_set(e, r, "params.sig",
		    "the signature is not of this order by this key");
	return (r);
}

/* Fills in the job of an order, for both methods. */
static int
rpc_tournament_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct session *s = rq->s;
	const char *text;
	int r;

	if ((r = js_get_str(rq->params, "order", call_at(), &text, e)) != 0 ||
	    (r = js_get_hex(rq->params, "sig", call_at(), job->sig,
		 sizeof(job->sig), e)) != 0)
		return (r);
	if ((job->text = strdup(text)) == NULL)
		return (ERR_NOMEM);
	if ((r = entry_parse(job->text, strlen(text), &job->entry, e)) != 0) {
		js_within(call_at(), e);
		return (r);
	}
	if (!s->sock.is_exempt)
		job->quota_wait_ms = limits_write_wait_ms(
		    s->io->shared->limits, s->account, clock_mono_ms());
	if ((r = rpc_tournament_check_kind(rq, &job->entry, e)) != 0 ||
	    (r = rpc_tournament_check_sig(rq, job, e)) != 0)
		return (r);
	return (rpc_order_read_texts(rq->params, job, e));
}

/* Answers when the ledger has. */
static int
rpc_tournament_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	char hex[2 * HASH_LEN + 1];

	(void)result;
	if (job->r != 0)
		return (rpc_order_failed(rq, job, e));
	hex_format(hex, job->entry.tournament, HASH_LEN);
	if (job->entry.kind == ENTRY_CREATE && !job->is_repeat)
		session_log(rq->s, LOG_INFO, "opened tournament %.16s", hex);
	rpc_order_write(job, &rq->s->io->raw);
	return (CALL_RAW);
}

/* ---- reading ---- */

/* What a prefix of an id found, among the tournaments that are known. */
struct rpc_tournament_found {
	struct store_tournament_row row;
	int n;
};

/* Notes one; 1 ends the search. */
static int
rpc_tournament_found_cb(void *arg, const struct store_tournament_row *row)
{
	struct rpc_tournament_found *found = arg;

	if (found->n++ == 0)
		found->row = *row;
	return (found->n > 1 ? 1 : 0);
}

/* Finds the tournament that a prefix of its id names. */
static int
rpc_tournament_find_prefix(const struct call_request *rq, const char *prefix,
    struct store_tournament_row *row, struct errinfo *e)
{
	const struct store_tournament_list list = {.viewer = rq->s->account,
	    .prefix = prefix,
	    .before_ms = INT64_MAX,
	    .before_tid = INT64_MAX};
	struct rpc_tournament_found found = {.n = 0};
	int r;

	if (strlen(prefix) < RPC_TOURNAMENT_PREFIX_MIN)
		return (js_fail_member(call_at(), "tournament", e,
		    "a prefix of a tournament's id has at least %d digits",
		    RPC_TOURNAMENT_PREFIX_MIN));
	r = store_tournament_list(
	    rq->s->io->reader, &list, rpc_tournament_found_cb, &found);
	if (r < 0)
		return (r);
	if (found.n > 1)
		return (js_fail_member(call_at(), "tournament", e,
		    "more than one tournament begins with \"%s\"; give more "
		    "digits",
		    prefix));
	*row = found.row;
	return (found.n == 0 ? ERR_NOTFOUND : 0);
}

int
rpc_tournament_find(const struct call_request *rq,
    struct store_tournament_row *row, struct errinfo *e)
{
	struct store *reader = rq->s->io->reader;
	uint8_t id[HASH_LEN];
	const char *name;
	int r;

	r = js_get_str(rq->params, "tournament", call_at(), &name, e);
	if (r != 0)
		return (r);
	if (!rpc_list_is_prefix(name))
		return (js_fail_member(call_at(), "tournament", e,
		    "a tournament is named by its id or a prefix of it, "
		    "lower-case hex digits"));
	if (strlen(name) < 2 * (size_t)HASH_LEN) {
		r = rpc_tournament_find_prefix(rq, name, row, e);
	} else {
		if ((r = hex_parse(id, sizeof(id), name, strlen(name))) == 0 &&
		    (r = store_tournament_find(reader, id, row)) == 0)
			r = access_tournament(
			    reader, row, rq->s->account, true);
	}
	if (r == ERR_NOTFOUND)
		(void)err_set(
		    e, r, "params.tournament", "no tournament \"%s\"", name);
	return (r);
}

/* Answers tournament.show. */
static int
rpc_tournament_handle_show(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct io *io = rq->s->io;
	struct store_tournament_row row;
	struct tournament *t;
	const struct buf *view;
	struct buf part;
	int64_t round = 0;
	int r;

	(void)result;
	buf_init(&part, RPC_REPLY_MAX);
	if ((r = js_opt_int(rq->params, "round", call_at(), 1,
		 TERMS_ENTRANTS_MAX, &round, e)) != 0 ||
	    (r = rpc_tournament_find(rq, &row, e)) != 0 ||
	    (r = tournament_cache_get(
		 io->tournament_cache, io->reader, &row, &t, e)) != 0)
		return (r);
	if (round > tournament_paired(t))
		return (js_fail_member(call_at(), "round", e,
		    "%d rounds are paired", tournament_paired(t)));
	r = round > 0 ? tournament_view_part(t, (int)round, &part)
		      : tournament_cache_view(
			    io->tournament_cache, io->reader, &row, &view, e);
	if (r == 0) {
		if (round > 0)
			view = &part;
		/* Without its brace. */
		buf_add(&io->raw, view->data, view->len - 1);
	}
	buf_clear(&part);
	if (r != 0)
		return (r);
	buf_puts(&io->raw, ",\"terms\":");
	js_dump(tournament_terms(t)->args, &io->raw);
	buf_putc(&io->raw, '}');
	return (CALL_RAW);
}

/* The reply of tournament.todo being made. */
struct rpc_tournament_todo {
	struct session *s;
	int64_t now_ms;
	int64_t begun_us;
	int n;
	bool has_more;
};

/* A game that is looked at for tournament.todo. */
struct rpc_tournament_looked {
	const struct rpc_tournament_todo *todo;
	int resign;
};

/* tournament_games: a game as it is on disk, as far as the account sees it. */
static int
rpc_tournament_look_cb(void *arg, const uint8_t id[HASH_LEN], int64_t seq,
    struct tournament_look *look, struct errinfo *e)
{
	const struct rpc_tournament_looked *k = arg;
	struct game *g;
	int r;

	(void)seq; /* the last line is asked for */
	if (clock_thread_us() - k->todo->begun_us > RPC_TOURNAMENT_TODO_US)
		return (ERR_MISSING);
	r = rpc_game_load(k->todo->s, id, &g, e);
	if (r == ERR_NOTFOUND || r == ERR_DENIED || r == ERR_BAD ||
	    r == ERR_DAMAGED)
		return (ERR_MISSING);
	if (r != 0)
		return (r);
	r = tournament_look_at(g, k->resign, look);
	game_free(g);
	/* Of battle points nothing is told. */
	return (r == ERR_MISSING ? 0 : r);
}

/* Adds what one tournament waits for; 1 ends it, since there are more. */
static int
rpc_tournament_todo_cb(void *arg, const struct store_tournament_row *row)
{
	struct rpc_tournament_todo *todo = arg;
	struct rpc_tournament_looked looked = {.todo = todo};
	const struct tournament_games games = {rpc_tournament_look_cb, &looked};
	struct io *io = todo->s->io;
	struct errinfo why = {.text = ""};
	struct tournament *t;
	struct buf waits;
	int r;

	if (strcmp(row->phase, "over") == 0)
		return (0);
	if (clock_thread_us() - todo->begun_us > RPC_TOURNAMENT_TODO_US) {
		todo->has_more = true;
		return (1);
	}
	r = tournament_cache_get(
	    io->tournament_cache, io->reader, row, &t, &why);
	if (r == ERR_DAMAGED)
		return (0);
	if (r != 0)
		return (r);
	buf_puts(&io->raw, todo->n++ > 0 ? "," : "");
	buf_puts(&io->raw, "{\"tournament\":\"");
	buf_hex(&io->raw, row->id, HASH_LEN);
	buf_puts(&io->raw, "\",\"event\":");
	js_dump_string(row->event, strlen(row->event), &io->raw);
	buf_printf(&io->raw, ",\"phase\":\"%s\",\"waits\":", row->phase);
	buf_init(&waits, RPC_REPLY_MAX);
	looked.resign = tournament_terms(t)->resign;
	r = tournament_owed_write(
	    t, todo->s->account, todo->now_ms, &games, &waits);
	buf_add(&io->raw, waits.data, waits.len);
	buf_putc(&io->raw, '}');
	buf_clear(&waits);
	return (r);
}

/* Answers tournament.todo. */
static int
rpc_tournament_handle_todo(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct session *s = rq->s;
	const struct store_tournament_list list = {.viewer = s->account,
	    .account = s->account,
	    .before_ms = INT64_MAX,
	    .before_tid = INT64_MAX};
	struct rpc_tournament_todo todo = {
	    .s = s, .now_ms = clock_wall_ms(), .begun_us = clock_thread_us()};
	int r;

	(void)result;
	(void)e;
	buf_puts(&s->io->raw, "{\"tournaments\":[");
	r = store_tournament_list(
	    s->io->reader, &list, rpc_tournament_todo_cb, &todo);
	if (r < 0)
		return (r);
	buf_printf(&s->io->raw, "],\"complete\":%s}",
	    todo.has_more ? "false" : "true");
	return (CALL_RAW);
}

/* Adds to a result of tournament.record what was erased. */
static int
rpc_tournament_write_erased(
    struct io *io, const struct store_tournament_row *row, int64_t from)
{
	struct rpc_text_list list = {.n = from};
	int r;

	if ((list.refs = json_array()) == NULL)
		return (ERR_NOMEM);
	r = store_tournament_erased(io->reader, row->tid, from,
	    RPC_TOURNAMENT_ERASED, rpc_text_list_cb, &list);
	if (r == 0)
		rpc_text_list_write(&list, "erased", "erasures", &io->raw);
	json_decref(list.refs);
	return (r);
}

/* Answers tournament.record. */
static int
rpc_tournament_handle_record(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	const struct js_at *at = call_at();
	struct store *reader = rq->s->io->reader;
	struct buf *raw = &rq->s->io->raw;
	int64_t erased = -1, from = 0, to = JS_INT_MAX, back = 0;
	struct store_tournament_row row;
	struct store_former_row former;
	uint8_t head[HASH_LEN];
	bool with_side = false;
	struct record_page ln;
	int r;

	(void)result;
	if ((r = js_opt_int(rq->params, "from", at, 0, JS_INT_MAX, &from, e)) !=
		0 ||
	    (r = js_opt_int(rq->params, "to", at, 0, JS_INT_MAX, &to, e)) !=
		0 ||
	    (r = js_opt_bool(rq->params, "side", at, &with_side, e)) != 0 ||
	    (r = js_opt_int(
		 rq->params, "erased", at, 0, JS_INT_MAX, &erased, e)) != 0 ||
	    (r = js_opt_int(rq->params, "former", at, 1, VERIFY_FORMER_MAX,
		 &back, e)) != 0 ||
	    (r = rpc_tournament_find(rq, &row, e)) != 0)
		return (r);
	if (back > 0 && (r = rpc_former_find(rq, &row, back, &former, e)) != 0)
		return (r);
	if (back > 0) {
		memcpy(row.id, former.id, HASH_LEN);
		memcpy(head, former.head, HASH_LEN);
		row.seq = former.seq;
	}
	if (back == 0 &&
	    (r = store_tournament_hash(reader, row.tid, row.seq, head)) != 0)
		return (r);
	/* Lines that came since the row was read wait for the next request. */
	if (to > row.seq)
		to = row.seq;
	record_page_init(&ln);
	ln.next = from;
	if (from <= to)
		r = back > 0
		    ? record_page_read_former(reader, former.fid, from, to, &ln)
		    : record_page_read_tournament(
			  reader, row.tid, from, to, with_side, &ln);
	if (r == 0) {
		buf_puts(raw, "{\"tournament\":\"");
		buf_hex(raw, row.id, HASH_LEN);
		buf_puts(raw, "\",\"lines\":[");
		buf_add(raw, ln.lines.data, ln.lines.len);
		buf_putc(raw, ']');
		record_page_write_side(&ln, with_side && back == 0, raw);
		buf_printf(
		    raw, ",\"seq\":%lld,\"head\":\"", (long long)row.seq);
		buf_hex(raw, head, HASH_LEN);
		buf_putc(raw, '"');
		if (erased >= 0 && back == 0)
			r = rpc_tournament_write_erased(
			    rq->s->io, &row, erased);
		if (ln.next <= to)
			buf_printf(raw, ",\"next\":%lld", (long long)ln.next);
		buf_putc(raw, '}');
	}
	record_page_clear(&ln);
	return (r == 0 ? CALL_RAW : r);
}

/* A list being made of rows. */
struct rpc_tournament_rows {
	json_t *rows; /* owned */
	int64_t limit;
	int64_t at_ms, tid; /* of the last row in rows */
	uint8_t id[HASH_LEN];
	bool has_more;
};

/* Takes one row; 1 ends the list, since there are more. */
static int
rpc_tournament_row_cb(void *arg, const struct store_tournament_row *row)
{
	struct rpc_tournament_rows *list = arg;
	char at[CLOCK_AT_LEN + 1];

	if ((int64_t)json_array_size(list->rows) == list->limit) {
		list->has_more = true;
		return (1);
	}
	list->at_ms = row->at_ms;
	memcpy(list->id, row->id, HASH_LEN);
	clock_format(at, row->at_ms);
	return (
	    json_array_append_new(list->rows,
		json_pack("{s:o, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:i,"
			  " s:i, s:I, s:s}",
		    "tournament", js_hex(row->id, HASH_LEN), "event",
		    row->event, "system", row->system, "format", row->format,
		    "director", row->director, "phase", row->phase, "private",
		    row->is_private, "round", row->round, "rounds", row->rounds,
		    "entrants", row->entrants, "seq", (json_int_t)row->seq,
		    "at", at)) == -1
		? ERR_NOMEM
		: 0);
}

/* Reads where an earlier list ended. */
static int
rpc_tournament_read_before(struct store *st, const char *before,
    struct store_tournament_list *list, struct errinfo *e)
{
	char again[RPC_LIST_CURSOR], *end;
	struct store_tournament_row row;
	struct rpc_list_cursor c;
	int r = ERR_INVALID;

	c.listed_ms = strtoll(before, &end, 10);
	if (*end == '.')
		r = hex_parse(c.id, HASH_LEN, end + 1, strlen(end + 1));
	if (r == 0)
		rpc_list_write_cursor(again, &c);
	if (r != 0 || c.listed_ms < 0 || strcmp(again, before) != 0)
		return (js_fail_member(call_at(), "before", e,
		    "must be what an earlier list gave as more"));
	r = store_tournament_find(st, c.id, &row);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	list->before_ms = c.listed_ms;
	list->before_tid = r == 0 ? row.tid : 0;
	return (0);
}

/* Answers tournament.list. */
static int
rpc_tournament_handle_list(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct store_tournament_list list = {.viewer = rq->s->account,
	    .before_ms = INT64_MAX,
	    .before_tid = INT64_MAX};
	struct rpc_tournament_rows rows = {.limit = RPC_TOURNAMENT_LIST};
	struct store *reader = rq->s->io->reader;
	const struct js_at *at = call_at();
	struct rpc_list_cursor last;
	char more[RPC_LIST_CURSOR];
	const char *before = NULL;
	int phase = -1, r;

	if ((r = js_opt_str(rq->params, "account", at, &list.account, e)) !=
		0 ||
	    (r = js_opt_enum(
		 rq->params, "phase", at, tournament_phases, &phase, e)) != 0 ||
	    (r = js_opt_str(rq->params, "prefix", at, &list.prefix, e)) != 0 ||
	    (r = js_opt_int(rq->params, "limit", at, 1, RPC_TOURNAMENT_LIST_MAX,
		 &rows.limit, e)) != 0 ||
	    (r = js_opt_str(rq->params, "before", at, &before, e)) != 0)
		return (r);
	if (list.account != NULL && !order_is_account(list.account))
		return (
		    js_fail_member(at, "account", e, "not an account's name"));
	if (list.prefix != NULL && !rpc_list_is_prefix(list.prefix))
		return (js_fail_member(
		    at, "prefix", e, "must be 1 to 64 lower-case hex digits"));
	if (before != NULL &&
	    (r = rpc_tournament_read_before(reader, before, &list, e)) != 0)
		return (r);
	if (phase >= 0)
		list.phase = tournament_phases[phase];
	if ((rows.rows = json_array()) == NULL)
		return (ERR_NOMEM);
	r = store_tournament_list(reader, &list, rpc_tournament_row_cb, &rows);
	if (r < 0) {
		json_decref(rows.rows);
		return (r);
	}
	last.listed_ms = rows.at_ms;
	memcpy(last.id, rows.id, HASH_LEN);
	rpc_list_write_cursor(more, &last);
	*result = json_pack("{s:o, s:s*}", "tournaments", rows.rows, "more",
	    rows.has_more ? more : NULL);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* ---- watching ---- */

/* Answers tournament.watch. */
static int
rpc_tournament_handle_watch(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct session *s = rq->s;
	struct store *reader = s->io->reader;
	struct store_tournament_row row;
	uint8_t head[HASH_LEN];
	int64_t after = -2, erasures;
	bool is_new;
	int r;

	if ((r = js_opt_int(rq->params, "after", call_at(), -1, JS_INT_MAX,
		 &after, e)) != 0 ||
	    (r = rpc_tournament_find(rq, &row, e)) != 0)
		return (r);
	r = game_feed_watch(s, row.id, row.tid, true, &is_new);
	if (r == ERR_LIMIT)
		(void)err_set(e, r, "",
		    "this connection already watches %lld games and "
		    "tournaments",
		    (long long)game_feed_most(s));
	if (r != 0)
		return (r);
	/* Asked again, since only now no line can be missed. */
	if ((r = store_tournament_find(reader, row.id, &row)) != 0 ||
	    (r = store_tournament_hash(reader, row.tid, row.seq, head)) != 0 ||
	    (r = store_tournament_erased_last(reader, row.tid, &erasures)) != 0)
		goto fail;
	if (after == -2)
		after = row.seq;
	if (after > row.seq) {
		r = js_fail_member(call_at(), "after", e,
		    "the record ends with line %lld", (long long)row.seq);
		goto fail;
	}
	*result = json_pack("{s:o, s:I, s:o, s:I}", "tournament",
	    js_hex(row.id, HASH_LEN), "seq", (json_int_t)row.seq, "head",
	    js_hex(head, HASH_LEN), "erasures", (json_int_t)erasures);
	if (*result == NULL) {
		r = ERR_NOMEM;
		goto fail;
	}
	game_feed_begin(s, row.id, after + 1, row.seq);
	return (0);
fail:
	if (is_new)
		game_feed_unwatch(s, row.id);
	return (r);
}

/* Answers tournament.unwatch. */
static int
rpc_tournament_handle_unwatch(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct store_tournament_row row;
	int r;

	if ((r = rpc_tournament_find(rq, &row, e)) != 0)
		return (r);
	*result = json_pack("{s:o}", "tournament", js_hex(row.id, HASH_LEN));
	if (*result == NULL)
		return (ERR_NOMEM);
	game_feed_unwatch(rq->s, row.id);
	return (0);
}

/* ---- what they are ---- */

#define RPC_TOURNAMENT_PARAM              \
	"tournament", SCHEMA_GAME, false, \
	    "the tournament's id, or a prefix of it that no other has"

#define RPC_TOURNAMENT_PARAMS                                          \
	{"order", SCHEMA_TEXT, false, "the order, 2 to 16,384 bytes"}, \
	    {"sig", SCHEMA_SIG, false, "over the order"},              \
	{                                                              \
		"key", SCHEMA_KEY, true, "the key that signed"         \
	}

const struct call_method rpc_tournament_create = {
    .name = "tournament.create",
    .what = "Opens a tournament with a create order.",
    .params = CALL_FIELDS(RPC_TOURNAMENT_PARAMS),
    .result = rpc_order_result,
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_TOOBIG, ERR_SIGNATURE, ERR_SERVER,
	ERR_DENIED, ERR_ILLEGAL, ERR_MISSING, ERR_LIMIT, ERR_CLOCK,
	ERR_RECOVERING, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_tournament_fill,
    .finish = rpc_tournament_finish,
    .op = LEDGER_TOURNAMENT,
};

const struct call_method rpc_tournament_order = {
    .name = "tournament.order",
    .what = "Gives any other order to a tournament.",
    .params = CALL_FIELDS(RPC_TOURNAMENT_PARAMS,
	{"texts", SCHEMA_ARRAY(SCHEMA_OBJECT), true,
	    "texts that the order names: salt and value each"}),
    .result = rpc_order_result,
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_TOOBIG, ERR_SIGNATURE, ERR_SERVER,
	ERR_NOTFOUND, ERR_FORK, ERR_STALE, ERR_ILLEGAL, ERR_NONCE, ERR_MISSING,
	ERR_LIMIT, ERR_CLOCK, ERR_DAMAGED, ERR_RECOVERING, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_tournament_fill,
    .finish = rpc_tournament_finish,
    .op = LEDGER_TOURNAMENT,
};

const struct call_method rpc_tournament_list = {
    .name = "tournament.list",
    .what = "Lists tournaments, the one with the newest line first.",
    .params = CALL_FIELDS(
	{"account", SCHEMA_ACCOUNT, true, "only those that name this account"},
	{"phase", SCHEMA_ONE("\"entries\",\"checkin\",\"play\",\"over\""), true,
	    "only those in this phase"},
	{"prefix", SCHEMA_HEX("1,64"), true,
	    "only those whose id begins with this"},
	{"limit", SCHEMA_RANGE("1", "200"), true, "tournaments at most"},
	{"before", SCHEMA_TEXT, true, "an earlier list's more"}),
    .result = CALL_FIELDS(
	{"tournaments", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	    "tournament, event, system, format, director, phase, private, "
	    "round, rounds, entrants, seq, at of each"},
	{"more", SCHEMA_TEXT, true, "if there are more: the value for before"}),
    .errors = CALL_ERRORS(ERR_STORAGE),
    .handle = rpc_tournament_handle_list,
};

const struct call_method rpc_tournament_todo = {
    .name = "tournament.todo",
    .what = "Lists the account's tournaments that go on, and what waits there.",
    .result = CALL_FIELDS({"tournaments", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
			      "tournament, event, phase, waits of each"},
	{"complete", SCHEMA_BOOL, false, "false: there are more"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_STORAGE),
    .needs_login = true,
    .handle = rpc_tournament_handle_todo,
};

static const struct call_field rpc_tournament_show_result[] = {
    {"tournament", SCHEMA_HASH, false, "the tournament's id"},
    {"event", SCHEMA_TEXT, false, "what it is called"},
    {"system", SCHEMA_TEXT, false, "the rule system of its games"},
    {"format", SCHEMA_TEXT, false, "who meets whom"},
    {"director", SCHEMA_ACCOUNT, false, "who opened it"},
    {"phase", SCHEMA_TEXT, false, "entries, checkin, play or over"},
    {"seq", SCHEMA_INT, false, "number of the last line"},
    {"head", SCHEMA_HASH, false, "that line's hash"},
    {"round", SCHEMA_INT, false, "rounds that were paired"},
    {"rounds", SCHEMA_INT, false, "rounds that there are to be"},
    {"lots_without_witness", SCHEMA_BOOL, true,
	"with a witness: whether lots were drawn without"},
    {"entrants", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "who has entered"},
    {"pairings", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "round by round"},
    {"rulings_before", SCHEMA_INT, true, "rulings that are left out"},
    {"rulings", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "of directors"},
    {"protests", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "of entrants"},
    {"ties", SCHEMA_ARRAY(SCHEMA_TEXT), true, "codes of tie-breaks"},
    {"standings", SCHEMA_ARRAY(SCHEMA_ARRAY(SCHEMA_INT)), true,
	"rank, number, half points, tie-breaks of each"},
    {"terms", SCHEMA_OBJECT, false, "args of its create order"},
    {.name = NULL},
};

const struct call_method rpc_tournament_show = {
    .name = "tournament.show",
    .what = "Gives a tournament's state as it stands on disk.",
    .params = CALL_FIELDS({RPC_TOURNAMENT_PARAM},
	{"round", SCHEMA_RANGE("1", "1000"), true,
	    "only this round's pairing"}),
    .result = rpc_tournament_show_result,
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_TOOBIG, ERR_DAMAGED, ERR_STORAGE),
    .handle = rpc_tournament_handle_show,
};

const struct call_method rpc_tournament_record = {
    .name = "tournament.record",
    .what = "Gives lines of a tournament's record.",
    .params = CALL_FIELDS({RPC_TOURNAMENT_PARAM},
	{"from", SCHEMA_INT, true, "the first line's number"},
	{"to", SCHEMA_INT, true, "the last line's number"},
	{"side", SCHEMA_BOOL, true, "true: the side lines too"},
	{"erased", SCHEMA_INT, true,
	    "tell of texts that were erased after that many"},
	{"former", SCHEMA_RANGE("1", "16"), true,
	    "1: of the one that it continues, 2: of which that does, ..."}),
    .result = CALL_FIELDS(
	{"tournament", SCHEMA_HASH, false, "the tournament's whole id"},
	{"lines", SCHEMA_ARRAY(SCHEMA_TEXT), false, "the lines, without LF"},
	{"side", SCHEMA_ARRAY(SCHEMA_TEXT), true, "the side lines they name"},
	{"omitted", SCHEMA_ARRAY(SCHEMA_HASH), true, "blobs that did not fit"},
	{"seq", SCHEMA_INT, false, "number of the last line"},
	{"head", SCHEMA_HASH, false, "that line's hash"},
	{"erased", SCHEMA_ARRAY(SCHEMA_HASH), true, "texts that were erased"},
	{"erasures", SCHEMA_INT, true,
	    "how many there were, for the next time"},
	{"next", SCHEMA_INT, true, "if the reply was full: where to go on"}),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_STORAGE),
    .handle = rpc_tournament_handle_record,
};

const struct call_method rpc_tournament_watch = {
    .name = "tournament.watch",
    .what = "Sends a notice for each line of a tournament from now on.",
    .params = CALL_FIELDS({RPC_TOURNAMENT_PARAM},
	{"after", SCHEMA_INT, true, "begin with the line after this one"}),
    .result = CALL_FIELDS(
	{"tournament", SCHEMA_HASH, false, "the tournament's whole id"},
	{"seq", SCHEMA_INT, false, "number of the present last line"},
	{"head", SCHEMA_HASH, false, "that line's hash"},
	{"erasures", SCHEMA_INT, false, "as in tournament.record"}),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_LIMIT, ERR_STORAGE),
    .handle = rpc_tournament_handle_watch,
};

const struct call_method rpc_tournament_unwatch = {
    .name = "tournament.unwatch",
    .what = "Ends watching a tournament.",
    .params = CALL_FIELDS({RPC_TOURNAMENT_PARAM}),
    .result = CALL_FIELDS(
	{"tournament", SCHEMA_HASH, false, "the tournament's whole id"}),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_STORAGE),
    .handle = rpc_tournament_handle_unwatch,
};

const struct call_method rpc_tournament_entry = {
    .name = "tournament.entry",
    .what = "A line of a watched tournament.",
    .params = CALL_FIELDS(
	{"tournament", SCHEMA_HASH, false, "the tournament's id"},
	{"seq", SCHEMA_INT, false, "the line's number"},
	{"line", SCHEMA_TEXT, false, "the line, without its LF"},
	{"side", SCHEMA_ARRAY(SCHEMA_TEXT), false,
	    "the side lines that it names"},
	{"omitted", SCHEMA_ARRAY(SCHEMA_HASH), true, "blobs that did not fit"}),
};
