/* SPDX-License-Identifier: ISC */
/*
 * Reading games: the lobby's list, the state, the record, and watching.
 * All of it comes from what is committed; nothing here waits for the ledger.
 */
#include "server/rpc_game.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/clock.h"
#include "common/game/game.h"
#include "common/hex.h"
#include "common/js.h"
#include "server/io.h"
#include "server/lines.h"
#include "server/rpc_schema.h"
#include "server/session.h"
#include "server/store.h"

#define RPC_GAME_PREFIX_MIN 4
#define RPC_GAME_LIST 50
#define RPC_GAME_LIST_MAX 200

/* What a prefix of a game's id found. */
struct rpc_game_found {
	struct store_game_row row;
	int n;
};

/* True for lower-case hex digits, at least one and at most 64. */
static bool
rpc_game_is_prefix(const char *s)
{
	const size_t len = strlen(s);

	return (len > 0 && len <= 2 * (size_t)HASH_LEN &&
	    strspn(s, "0123456789abcdef") == len);
}

/* Notes one game that a prefix fits. */
static int
rpc_game_found_cb(void *arg, const struct store_game_row *row)
{
	struct rpc_game_found *found = arg;

	if (found->n++ == 0)
		found->row = *row;
	return (0);
}

/* Finds the game that the params name; snapshot may be NULL. */
static int
rpc_game_find(const struct dispatch_request *rq, struct store_game_row *row,
    struct buf *snapshot, struct errinfo *e)
{
	struct store *reader = rq->s->io->reader;
	struct rpc_game_found found = {.n = 0};
	uint8_t id[HASH_LEN];
	const char *game;
	int r;

	if ((r = js_get_str(rq->params, "game", dispatch_at(), &game, e)) != 0)
		return (r);
	if (!rpc_game_is_prefix(game))
		return (js_fail_member(dispatch_at(), "game", e,
		    "a game is named by its id or a prefix of it, lower-case "
		    "hex digits"));
	if (strlen(game) < RPC_GAME_PREFIX_MIN)
		return (js_fail_member(dispatch_at(), "game", e,
		    "a prefix of a game's id has at least %d digits",
		    RPC_GAME_PREFIX_MIN));
	if (strlen(game) < 2 * (size_t)HASH_LEN) {
		r = store_game_each(reader, NULL, NULL, game, 2, INT64_MAX,
		    INT64_MAX, rpc_game_found_cb, &found);
		if (r != 0)
			return (r);
		if (found.n > 1)
			return (js_fail_member(dispatch_at(), "game", e,
			    "more than one game begins with \"%s\"; give more "
			    "digits",
			    game));
		memcpy(id, found.row.id, sizeof(id));
		r = found.n == 0 ? ERR_NOTFOUND : 0;
	} else {
		r = hex_decode(id, sizeof(id), game, strlen(game));
	}
	if (r == 0)
		r = store_game_find(reader, id, row, snapshot);
	if (r == ERR_NOTFOUND)
		(void)err_set(e, r, "params.game", "no game \"%s\"", game);
	return (r);
}

/* A list being made of rows. */
struct rpc_game_list {
	json_t *games; /* owned */
	int64_t limit;
	int64_t at_ms; /* of the last row in games; likewise gid */
	int64_t gid;
	bool has_more;
};

/* Adds one row to the list. */
static int
rpc_game_list_cb(void *arg, const struct store_game_row *row)
{
	struct rpc_game_list *list = arg;
	char at[CLOCK_AT_LEN + 1];
	json_t *v;

	if ((int64_t)json_array_size(list->games) == list->limit) {
		list->has_more = true;
		return (0);
	}
	clock_format(at, row->at_ms);
	v = json_pack("{s:o, s:s, s:s, s:[s, s], s:i, s:s, s:I, s:s}", "game",
	    js_hex(row->id, HASH_LEN), "system", row->system, "phase",
	    row->phase, "seats", row->accounts[0], row->accounts[1], "turn",
	    row->turn, "event", row->event, "seq", (json_int_t)row->seq, "at",
	    at);
	if (json_array_append_new(list->games, v) == -1)
		return (ERR_NOMEM);
	list->at_ms = row->at_ms;
	list->gid = row->gid;
	return (0);
}

/* Reads the cursor that an earlier list gave: "<at_ms>.<gid>". */
static int
rpc_game_read_cursor(
    const char *s, int64_t *at_ms, int64_t *gid, struct errinfo *e)
{
	char again[48], *end;
	long long at, id = 0;

	errno = 0;
	at = strtoll(s, &end, 10);
	if (*end == '.')
		id = strtoll(end + 1, NULL, 10);
	(void)snprintf(again, sizeof(again), "%lld.%lld", at, id);
	if (errno != 0 || at < 0 || id < 0 || strcmp(again, s) != 0)
		return (js_fail_member(dispatch_at(), "before", e,
		    "must be what an earlier list gave as more"));
	*at_ms = at;
	*gid = id;
	return (0);
}

/* What game.list may be asked for. */
struct rpc_game_filter {
	const char *account;
	const char *phase;
	const char *prefix;
	int64_t limit;
	int64_t before_ms;
	int64_t before_gid;
};

/* Reads the params of game.list. */
static int
rpc_game_read_filter(
    const json_t *params, struct rpc_game_filter *f, struct errinfo *e)
{
	static const char *const phases[] = {
	    "muster", "play", "over", "finished", "halted", NULL};
	const struct js_at *at = dispatch_at();
	const char *before = NULL;
	int phase = -1, r;

	f->limit = RPC_GAME_LIST;
	f->before_ms = f->before_gid = INT64_MAX;
	if ((r = js_opt_str(params, "account", at, &f->account, e)) != 0 ||
	    (r = js_opt_enum(params, "phase", at, phases, &phase, e)) != 0 ||
	    (r = js_opt_str(params, "prefix", at, &f->prefix, e)) != 0 ||
	    (r = js_opt_int(params, "limit", at, 1, RPC_GAME_LIST_MAX,
		 &f->limit, e)) != 0 ||
	    (r = js_opt_str(params, "before", at, &before, e)) != 0)
		return (r);
	if (phase >= 0)
		f->phase = phases[phase];
	if (f->account != NULL && !order_is_account(f->account))
		return (
		    js_fail_member(at, "account", e, "not an account's name"));
	if (f->prefix != NULL && !rpc_game_is_prefix(f->prefix))
		return (js_fail_member(
		    at, "prefix", e, "must be 1 to 64 lower-case hex digits"));
	if (before == NULL)
		return (0);
	return (rpc_game_read_cursor(before, &f->before_ms, &f->before_gid, e));
}

/* Answers game.list. */
static int
rpc_game_handle_list(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	struct rpc_game_filter f = {.account = NULL};
	struct rpc_game_list list = {.has_more = false};
	char more[48];
	int r;

	if ((r = rpc_game_read_filter(rq->params, &f, e)) != 0)
		return (r);
	list.limit = f.limit;
	if ((list.games = json_array()) == NULL)
		return (ERR_NOMEM);
	/* One more than asked for tells whether there are more. */
	r = store_game_each(rq->s->io->reader, f.account, f.phase, f.prefix,
	    (int)f.limit + 1, f.before_ms, f.before_gid, rpc_game_list_cb,
	    &list);
	if (r != 0) {
		json_decref(list.games);
		return (r);
	}
	(void)snprintf(more, sizeof(more), "%lld.%lld", (long long)list.at_ms,
	    (long long)list.gid);
	if (list.has_more)
		*result =
		    json_pack("{s:o, s:s}", "games", list.games, "more", more);
	else
		*result = json_pack("{s:o}", "games", list.games);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Blobs out of the database, for game_load(). */
struct rpc_game_blobs {
	struct store *reader;
	struct buf bytes; /* of the last one */
};

/* Gives a blob's bytes. */
static int
rpc_game_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	struct rpc_game_blobs *blobs = arg;
	int r;

	buf_reset(&blobs->bytes);
	if ((r = store_blob_get(blobs->reader, hash, &blobs->bytes)) != 0 ||
	    (r = buf_error(&blobs->bytes)) != 0)
		return (r);
	*bytes = buf_str(&blobs->bytes);
	*len = blobs->bytes.len;
	return (buf_error(&blobs->bytes));
}

/* Answers game.show. */
static int
rpc_game_handle_show(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	struct rpc_game_blobs blobs = {.reader = rq->s->io->reader};
	const struct game_blobs source = {rpc_game_blob_cb, &blobs};
	struct store_game_row row;
	struct buf snapshot;
	struct game *g = NULL;
	int r;

	buf_init(&blobs.bytes, 0);
	buf_init(&snapshot, 0);
	if ((r = rpc_game_find(rq, &row, &snapshot, e)) != 0 ||
	    (r = buf_error(&snapshot)) != 0)
		goto out;
	r = game_load(snapshot.data, snapshot.len, &source, &g, e);
	if (r != 0) {
		/* A snapshot that cannot be read is no fault of the client. */
		if (r != ERR_NOMEM && r != ERR_STORAGE)
			r = ERR_INTERNAL;
		goto out;
	}
	if ((*result = game_view(g)) == NULL)
		r = ERR_NOMEM;
out:
	game_free(g);
	buf_clear(&snapshot);
	buf_clear(&blobs.bytes);
	return (r);
}

/* Writes the result of game.record. */
static void
rpc_game_write_record(struct buf *out, const struct store_game_row *row,
    const uint8_t head[HASH_LEN], const struct lines *ln, bool with_side,
    int64_t to)
{
	buf_puts(out, "{\"game\":\"");
	buf_hex(out, row->id, HASH_LEN);
	buf_puts(out, "\",\"lines\":[");
	buf_add(out, ln->lines.data, ln->lines.len);
	buf_putc(out, ']');
	if (with_side) {
		buf_puts(out, ",\"side\":[");
		buf_add(out, ln->side.data, ln->side.len);
		buf_putc(out, ']');
	}
	if (ln->omitted.len > 0) {
		buf_puts(out, ",\"omitted\":[");
		buf_add(out, ln->omitted.data, ln->omitted.len);
		buf_putc(out, ']');
	}
	buf_printf(out, ",\"seq\":%lld,\"head\":\"", (long long)row->seq);
	buf_hex(out, head, HASH_LEN);
	buf_putc(out, '"');
	if (ln->next <= to)
		buf_printf(out, ",\"next\":%lld", (long long)ln->next);
	buf_putc(out, '}');
}

/* Answers game.record. */
static int
rpc_game_handle_record(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	const struct js_at *at = dispatch_at();
	struct store *reader = rq->s->io->reader;
	struct store_game_row row;
	uint8_t head[HASH_LEN];
	int64_t from = 0, to = JS_INT_MAX;
	bool with_side = false;
	struct lines ln;
	int r;

	(void)result;
	if ((r = js_opt_int(rq->params, "from", at, 0, JS_INT_MAX, &from, e)) !=
		0 ||
	    (r = js_opt_int(rq->params, "to", at, 0, JS_INT_MAX, &to, e)) !=
		0 ||
	    (r = js_opt_bool(rq->params, "side", at, &with_side, e)) != 0 ||
	    (r = rpc_game_find(rq, &row, NULL, e)) != 0 ||
	    (r = store_record_hash(reader, row.gid, row.seq, head)) != 0)
		return (r);
	/* Lines that came since the row was read wait for the next request. */
	if (to > row.seq)
		to = row.seq;
	lines_init(&ln);
	ln.next = from;
	if (from <= to)
		r = lines_read(reader, row.gid, from, to, with_side, &ln);
	if (r == 0)
		rpc_game_write_record(
		    &rq->s->io->raw, &row, head, &ln, with_side, to);
	lines_clear(&ln);
	return (r == 0 ? DISPATCH_RAW : r);
}

/* Answers game.watch. */
static int
rpc_game_handle_watch(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	struct session *s = rq->s;
	struct store_game_row row;
	uint8_t head[HASH_LEN];
	int64_t after = -2;
	bool is_new;
	int r;

	if ((r = js_opt_int(rq->params, "after", dispatch_at(), -1, JS_INT_MAX,
		 &after, e)) != 0 ||
	    (r = rpc_game_find(rq, &row, NULL, e)) != 0)
		return (r);
	if ((r = notify_watch(s, row.id, row.gid, &is_new)) != 0) {
		if (r == ERR_LIMIT)
			(void)err_set(e, r, "",
			    "this connection watches %lld games already",
			    (long long)s->io->live.max_watches);
		return (r);
	}
	/* Asked again, since only now no line can be missed. */
	if ((r = store_game_find(s->io->reader, row.id, &row, NULL)) != 0 ||
	    (r = store_record_hash(s->io->reader, row.gid, row.seq, head)) != 0)
		goto fail;
	if (after == -2)
		after = row.seq;
	if (after > row.seq) {
		r = js_fail_member(dispatch_at(), "after", e,
		    "the record ends with line %lld", (long long)row.seq);
		goto fail;
	}
	*result = json_pack("{s:o, s:I, s:o}", "game", js_hex(row.id, HASH_LEN),
	    "seq", (json_int_t)row.seq, "head", js_hex(head, HASH_LEN));
	if (*result == NULL) {
		r = ERR_NOMEM;
		goto fail;
	}
	notify_begin(s, row.id, after + 1, row.seq);
	return (0);
fail:
	if (is_new)
		notify_unwatch(s, row.id);
	return (r);
}

/* Answers game.unwatch. */
static int
rpc_game_handle_unwatch(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	struct store_game_row row;
	int r;

	if ((r = rpc_game_find(rq, &row, NULL, e)) != 0)
		return (r);
	*result = json_pack("{s:o}", "game", js_hex(row.id, HASH_LEN));
	if (*result == NULL)
		return (ERR_NOMEM);
	notify_unwatch(rq->s, row.id);
	return (0);
}

/* How a game is named, in all the methods. */
#define RPC_GAME_PARAM              \
	"game", SCHEMA_GAME, false, \
	    "the game's id, or a prefix of it that no other has"

static const struct dispatch_field rpc_game_list_params[] = {
    {"account", SCHEMA_ACCOUNT, true, "only games in which this account sits"},
    {"phase",
	"{\"enum\":[\"muster\",\"play\",\"over\",\"finished\","
	"\"halted\"]}",
	true, "only games in this phase"},
    {"prefix", SCHEMA_HEX("1,64"), true, "only games whose id begins so"},
    {"limit", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":200}", true,
	"games at most"},
    {"before", SCHEMA_TEXT, true, "an earlier list's more"},
    {.name = NULL},
};

static const int rpc_game_list_errors[] = {ERR_STORAGE, 0};

static const struct dispatch_field rpc_game_list_result[] = {
    {"games", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"game, system, phase, seats, turn, event, seq, at of each"},
    {"more", SCHEMA_TEXT, true, "if there are more: the value for before"},
    {.name = NULL},
};

const struct dispatch_method rpc_game_list = {
    .name = "game.list",
    .what = "Lists games, that with the newest line first.",
    .params = rpc_game_list_params,
    .result = rpc_game_list_result,
    .errors = rpc_game_list_errors,
    .handle = rpc_game_handle_list,
};

static const struct dispatch_field rpc_game_show_params[] = {
    {RPC_GAME_PARAM},
    {.name = NULL},
};

static const int rpc_game_show_errors[] = {
    ERR_NOTFOUND, ERR_TOOBIG, ERR_STORAGE, 0};

static const struct dispatch_field rpc_game_show_result[] = {
    {"game", SCHEMA_HASH, false, "the game's id"},
    {"server", SCHEMA_KEY, false, "the server's identity key"},
    {"system", SCHEMA_TEXT, false, "the rule system"},
    {"rules", SCHEMA_TEXT, false, "the version of its rules"},
    {"rulings", SCHEMA_OBJECT, false, "the rulings in force"},
    {"scheme", SCHEMA_TEXT, false, "how dice are made"},
    {"phase", SCHEMA_TEXT, false, "as in game.list"},
    {"seats", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "who sits where"},
    {"turn", SCHEMA_INT, false, "the turn; 0 before play"},
    {"round", SCHEMA_INT, false, "the round; 0 before play"},
    {"side", SCHEMA_INT, false, "the side in turn; 0 before play"},
    {"seq", SCHEMA_INT, false, "number of the last line"},
    {"head", SCHEMA_HASH, false, "that line's hash"},
    {"at", SCHEMA_TIME, false, "that line's time"},
    {"pool", SCHEMA_HASH, false, "what the next dice hang on"},
    {"epoch", SCHEMA_INT, false, "how often the pool moved"},
    {"event", SCHEMA_OR_NULL("string"), false, "the event it belongs to"},
    {"roster", SCHEMA_OR_NULL("object"), false, "both sides as they stand"},
    {"combat", SCHEMA_OR_NULL("object"), false, "the open combat"},
    {"owed", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "what the game waits for"},
    {"result", SCHEMA_OR_NULL("object"), false, "how the game ended"},
    {.name = NULL},
};

const struct dispatch_method rpc_game_show = {
    .name = "game.show",
    .what = "Gives a game's state as it stands on disk.",
    .params = rpc_game_show_params,
    .result = rpc_game_show_result,
    .errors = rpc_game_show_errors,
    .handle = rpc_game_handle_show,
};

static const struct dispatch_field rpc_game_record_params[] = {
    {RPC_GAME_PARAM},
    {"from", SCHEMA_INT, true, "the first line's number"},
    {"to", SCHEMA_INT, true, "the last line's number"},
    {"side", SCHEMA_BOOL, true, "true: the side lines too"},
    {.name = NULL},
};

static const int rpc_game_record_errors[] = {ERR_NOTFOUND, ERR_STORAGE, 0};

static const struct dispatch_field rpc_game_record_result[] = {
    {"game", SCHEMA_HASH, false, "the game's whole id"},
    {"lines", SCHEMA_ARRAY(SCHEMA_TEXT), false, "the lines, without LF"},
    {"side", SCHEMA_ARRAY(SCHEMA_TEXT), true, "the side lines they name"},
    {"omitted", SCHEMA_ARRAY(SCHEMA_HASH), true, "blobs that did not fit"},
    {"seq", SCHEMA_INT, false, "number of the record's last line"},
    {"head", SCHEMA_HASH, false, "that line's hash"},
    {"next", SCHEMA_INT, true, "if the reply was full: where to go on"},
    {.name = NULL},
};

const struct dispatch_method rpc_game_record = {
    .name = "game.record",
    .what = "Gives lines of a game's record.",
    .params = rpc_game_record_params,
    .result = rpc_game_record_result,
    .errors = rpc_game_record_errors,
    .handle = rpc_game_handle_record,
};

static const struct dispatch_field rpc_game_watch_params[] = {
    {RPC_GAME_PARAM},
    {"after", SCHEMA_INT, true, "begin with the line after this one"},
    {.name = NULL},
};

static const int rpc_game_watch_errors[] = {
    ERR_NOTFOUND, ERR_LIMIT, ERR_STORAGE, 0};

static const struct dispatch_field rpc_game_watch_result[] = {
    {"game", SCHEMA_HASH, false, "the game's whole id"},
    {"seq", SCHEMA_INT, false, "number of the present last line"},
    {"head", SCHEMA_HASH, false, "that line's hash"},
    {.name = NULL},
};

const struct dispatch_method rpc_game_watch = {
    .name = "game.watch",
    .what = "Sends a notice for each line of a game from now on.",
    .params = rpc_game_watch_params,
    .result = rpc_game_watch_result,
    .errors = rpc_game_watch_errors,
    .handle = rpc_game_handle_watch,
};

static const struct dispatch_field rpc_game_unwatch_params[] = {
    {RPC_GAME_PARAM},
    {.name = NULL},
};

static const int rpc_game_unwatch_errors[] = {ERR_NOTFOUND, ERR_STORAGE, 0};

static const struct dispatch_field rpc_game_unwatch_result[] = {
    {"game", SCHEMA_HASH, false, "the game's whole id"},
    {.name = NULL},
};

const struct dispatch_method rpc_game_unwatch = {
    .name = "game.unwatch",
    .what = "Ends watching a game.",
    .params = rpc_game_unwatch_params,
    .result = rpc_game_unwatch_result,
    .errors = rpc_game_unwatch_errors,
    .handle = rpc_game_handle_unwatch,
};

static const struct dispatch_field rpc_game_entry_params[] = {
    {"game", SCHEMA_HASH, false, "the game's id"},
    {"seq", SCHEMA_INT, false, "the line's number"},
    {"line", SCHEMA_TEXT, false, "the line, without its LF"},
    {"side", SCHEMA_ARRAY(SCHEMA_TEXT), false, "the side lines that it names"},
    {"omitted", SCHEMA_ARRAY(SCHEMA_HASH), true, "blobs that did not fit"},
    {.name = NULL},
};

const struct dispatch_method rpc_game_entry = {
    .name = "game.entry",
    .what = "A line of a watched game.",
    .params = rpc_game_entry_params,
};
