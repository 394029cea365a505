/* SPDX-License-Identifier: ISC */
/*
 * Reading one game: the state, the record, and watching.  All of it comes
 * from what is committed; nothing here waits for the ledger.
 */
#include "server/rpc/rpc_game.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/schema.h"
#include "server/ledger/ledger.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_list.h"
#include "server/rpc/rpc_text.h"
#include "server/rpc/session.h"
#include "server/rpc/show_cache.h"
#include "server/store/access.h"
#include "server/store/kept.h"
#include "server/store/record_page.h"
#include "server/store/store.h"

#define RPC_GAME_PREFIX_MIN 4
#define RPC_GAME_ERASED 256 /* texts that one answer tells of */

/* What a prefix of a game's id found, among the games that are known. */
struct rpc_game_found {
	struct session *s;
	struct store_game_row row;
	int n;
};

/* Notes one game that a prefix fits; 1 ends the search. */
static int
rpc_game_found_cb(void *arg, const struct store_game_row *row)
{
	struct rpc_game_found *found = arg;
	struct access v;
	int r;

	if ((r = session_access(found->s, row, &v)) != 0)
		return (r);
	if (v.is_known && found->n++ == 0)
		found->row = *row;
	return (found->n > 1 ? 1 : 0);
}

/* Finds the id of the game that a prefix of it names. */
static int
rpc_game_find_prefix(const struct call_request *rq, const char *prefix,
    uint8_t id[HASH_LEN], struct errinfo *e)
{
	const struct store_list list = {.viewer = rq->s->account,
	    .prefix = prefix,
	    .before_ms = INT64_MAX,
	    .before_gid = INT64_MAX};
	struct rpc_game_found found = {.s = rq->s};
	int r;

	if (strlen(prefix) < RPC_GAME_PREFIX_MIN)
		return (js_fail_member(call_at(), "game", e,
		    "a prefix of a game's id has at least %d digits",
		    RPC_GAME_PREFIX_MIN));
	r = store_list_each(
	    rq->s->io->reader, &list, rpc_game_found_cb, &found);
	if (r < 0)
		return (r);
	if (found.n > 1)
		return (js_fail_member(call_at(), "game", e,
		    "more than one game begins with \"%s\"; give more digits",
		    prefix));
	memcpy(id, found.row.id, HASH_LEN);
	return (found.n == 0 ? ERR_NOTFOUND : 0);
}

int
rpc_game_find(const struct call_request *rq, struct store_game_row *row,
    struct access *v, struct errinfo *e)
{
	uint8_t id[HASH_LEN];
	const char *game;
	int r;

	if ((r = js_get_str(rq->params, "game", call_at(), &game, e)) != 0)
		return (r);
	if (!rpc_list_is_prefix(game))
		return (js_fail_member(call_at(), "game", e,
		    "a game is named by its id or a prefix of it, lower-case "
		    "hex digits"));
	if (strlen(game) < 2 * (size_t)HASH_LEN)
		r = rpc_game_find_prefix(rq, game, id, e);
	else
		r = hex_parse(id, sizeof(id), game, strlen(game));
	if (r == 0)
		r = session_find(rq->s, id, row, v);
	if (r == ERR_NOTFOUND)
		(void)err_set(e, r, "params.game", "no game \"%s\"", game);
	return (r);
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
	if ((r = kept_blob(blobs->reader, hash, &blobs->bytes)) != 0 ||
	    (r = buf_error(&blobs->bytes)) != 0)
		return (r);
	*bytes = buf_str(&blobs->bytes);
	*len = blobs->bytes.len;
	return (buf_error(&blobs->bytes));
}

/* Refuses the state of a game that is shown with a delay. */
static int
rpc_game_refuse(const struct access *v, struct errinfo *e)
{
	return (err_set(e, ERR_DENIED, "params.game",
	    "the game is shown with a delay; until it is over its record can "
	    "be read, up to line %lld now",
	    (long long)v->last));
}

/* The answer about a state that does not fit its record. */
static int
rpc_game_misfit(
    struct store *reader, const struct store_game_row *row, struct errinfo *e)
{
	char why[STORE_WHY_MAX];
	int r;

	r = store_standstill_why(reader, row->gid, why);
	if (r == ERR_NOTFOUND ||
	    (r == 0 && strcmp(why, STORE_WHY_DAMAGED) != 0))
		return (ERR_BAD);
	return (r != 0 ? r
		       : err_set(e, ERR_DAMAGED, "params.game", "%s",
			     err_text(ERR_DAMAGED)));
}

int
rpc_game_load(struct session *s, const uint8_t id[HASH_LEN], struct game **out,
    struct errinfo *e)
{
	struct rpc_game_blobs blobs = {.reader = s->io->reader};
	const struct game_blobs source = {rpc_game_blob_cb, &blobs};
	struct store_game_row row;
	struct errinfo why;
	struct buf snapshot;
	struct access v;
	bool fits;
	int r;

	buf_init(&blobs.bytes, 0);
	buf_init(&snapshot, 0);
	/* The row goes with the snapshot: a game may begin at any time. */
	if ((r = store_game_load(s->io->reader, id, &row, &snapshot, &fits)) !=
		0 ||
	    (r = session_access(s, &row, &v)) != 0 ||
	    (r = v.is_known ? 0 : ERR_NOTFOUND) != 0)
		goto out;
	if (v.is_delayed) {
		r = rpc_game_refuse(&v, e);
		goto out;
	}
	r = kept_make(&row, &snapshot, fits, &source, out, &why);
	if (r == ERR_BAD)
		r = rpc_game_misfit(s->io->reader, &row, e);
	if (r == 0)
		game_forget_blobs(*out);
out:
	buf_clear(&snapshot);
	buf_clear(&blobs.bytes);
	return (r);
}

/*
 * Writes the state of a game that takes no orders, since it is damaged or lines
 * of it are lost: in it nobody's time runs, whatever the record says.
 */
static int
rpc_game_write_still(struct session *s, const struct store_game_row *row,
    const char *why, struct errinfo *e)
{
	const bool is_damaged = strcmp(why, STORE_WHY_DAMAGED) == 0;
	json_t *view;
	struct game *g;
	int r;

	if ((r = rpc_game_load(s, row->id, &g, e)) != 0)
		return (r);
	view = game_view(g);
	game_free(g);
	/* A view that could not be had takes nothing. */
	if (json_object_set_new(view, "clocks", json_null()) != 0 ||
	    json_object_set_new(
		view, is_damaged ? "damaged" : "recovering", json_true()) != 0)
		r = ERR_NOMEM;
	else
		js_dump(view, &s->io->raw);
	json_decref(view);
	return (r);
}

/*
 * Writes the state of a game that the session may see to the io's raw buffer,
 * from what is kept or from disk.  A transaction is open, in which the row was
 * read.
 */
static int
rpc_game_write_state(
    struct session *s, const struct store_game_row *row, struct errinfo *e)
{
	struct buf *raw = &s->io->raw;
	struct game *g;
	const char *text;
	size_t len;
	char why[STORE_WHY_MAX];
	int r;

	if ((r = store_standstill_why(s->io->reader, row->gid, why)) !=
	    ERR_NOTFOUND)
		return (r != 0 ? r : rpc_game_write_still(s, row, why, e));
	show_cache_want(s->io->show_cache, row->gid);
	if (show_cache_find(
		s->io->show_cache, row->gid, row->seq, &text, &len)) {
		buf_add(raw, text, len);
		return (0);
	}
	if ((r = rpc_game_load(s, row->id, &g, e)) != 0)
		return (r);
	game_view_write(g, raw);
	game_free(g);
	/* A failure of the buffer is answered where the reply is made. */
	if (buf_error(raw) == 0)
		show_cache_put(
		    s->io->show_cache, row->gid, row->seq, raw->data, raw->len);
	return (0);
}

/* Adds to a state, which knows no clock, that the game has lapsed. */
static void
rpc_game_write_lapsed(struct session *s, const struct store_game_row *row)
{
	struct buf *raw = &s->io->raw;

	if (strcmp(rpc_list_phase(s, row), "lapsed") != 0 ||
	    buf_error(raw) != 0 || raw->len == 0)
		return;
	raw->len--; /* its brace */
	buf_puts(raw, ",\"lapsed\":true}");
}

int
rpc_game_mend(struct call_request *rq, const uint8_t (*ids)[HASH_LEN], size_t n,
    const int64_t before[2], call_finish *finish)
{
	struct ledger_job *job;

	if ((job = ledger_job_new(LEDGER_MEND)) == NULL)
		return (ERR_NOMEM);
	memcpy(job->account, rq->s->account, sizeof(job->account));
	job->n_games = n;
	memcpy(job->games, ids, n * sizeof(*ids));
	memcpy(job->before, before, sizeof(job->before));
	return (call_submit(rq, job, false, finish));
}

/* Answers game.show once what is kept of the game was made again. */
static int
rpc_game_finish_show(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	struct store *reader = rq->s->io->reader;
	struct store_game_row row;
	struct access v;
	int r;

	(void)result;
	if (job->r != 0) {
		*e = job->e;
		(void)snprintf(e->where, sizeof(e->where), "params.game");
		return (job->r);
	}
	if ((r = store_begin(reader)) != 0)
		return (r);
	if ((r = session_find(rq->s, job->games[0], &row, &v)) == 0)
		r = v.is_delayed ? rpc_game_refuse(&v, e)
				 : rpc_game_write_state(rq->s, &row, e);
	store_rollback(reader);
	if (r == 0)
		rpc_game_write_lapsed(rq->s, &row);
	/* It has rotted again meanwhile. */
	return (r == 0 ? CALL_RAW : r == ERR_BAD ? ERR_STORAGE : r);
}

/* Answers game.show. */
static int
rpc_game_handle_show(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct store *reader = rq->s->io->reader;
	struct store_game_row row;
	struct access v;
	int r;

	(void)result;
	/* The number of the last line and who may see it are from the same
	 * moment. */
	if ((r = store_begin(reader)) != 0)
		return (r);
	if ((r = rpc_game_find(rq, &row, &v, e)) == 0)
		r = v.is_delayed ? rpc_game_refuse(&v, e)
				 : rpc_game_write_state(rq->s, &row, e);
	store_rollback(reader);
	if (r == ERR_BAD)
		return (rpc_game_mend(
		    rq, &row.id, 1, (int64_t[2]){0, 0}, rpc_game_finish_show));
	if (r == 0)
		rpc_game_write_lapsed(rq->s, &row);
	return (r == 0 ? CALL_RAW : r);
}

/* store_text_erased(), or store_text_lost(). */
typedef int rpc_game_gone(struct store *st, int64_t gid, int64_t last,
    unsigned sides, int64_t from, int most,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg);

/*
 * Adds to a result of game.record, which has no brace yet, texts that are not
 * there: `refs`, and as `number` that of the last.
 */
static int
rpc_game_write_gone(struct session *s, const struct store_game_row *row,
    const struct access *v, rpc_game_gone *find, int64_t from, const char *refs,
    const char *number)
{
	struct rpc_text_list list = {.n = from};
	int r;

	if (from < 0)
		return (0);
	if ((list.refs = json_array()) == NULL)
		return (ERR_NOMEM);
	r = find(s->io->reader, row->gid, v->last, v->sides, from,
	    RPC_GAME_ERASED, rpc_text_list_cb, &list);
	if (r == 0)
		rpc_text_list_write(&list, refs, number, &s->io->raw);
	json_decref(list.refs);
	return (r);
}

/* Writes the result of game.record, but for its brace. */
static void
rpc_game_write_record(struct buf *out, const struct store_game_row *row,
    int64_t last, const uint8_t head[HASH_LEN], const struct record_page *ln,
    bool with_side, int64_t to)
{
	buf_puts(out, "{\"game\":\"");
	buf_hex(out, row->id, HASH_LEN);
	buf_puts(out, "\",\"lines\":[");
	buf_add(out, ln->lines.data, ln->lines.len);
	buf_putc(out, ']');
	record_page_write_side(ln, with_side, out);
	buf_printf(out, ",\"seq\":%lld,\"head\":\"", (long long)last);
	buf_hex(out, head, HASH_LEN);
	buf_putc(out, '"');
	if (ln->next <= to)
		buf_printf(out, ",\"next\":%lld", (long long)ln->next);
}

/* Adds why the game takes no orders, if it takes none. */
static int
rpc_game_write_why(
    struct store *reader, const struct store_game_row *row, struct buf *out)
{
	char why[STORE_WHY_MAX];
	int r;

	r = store_standstill_why(reader, row->gid, why);
	if (r != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	buf_printf(out, ",\"%s\":true",
	    strcmp(why, STORE_WHY_DAMAGED) == 0 ? "damaged" : "recovering");
	return (0);
}

/* Answers game.record. */
static int
rpc_game_handle_record(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	const struct js_at *at = call_at();
	struct store *reader = rq->s->io->reader;
	struct store_game_row row;
	uint8_t head[HASH_LEN];
	int64_t erased = -1, from = 0, lost = -1, to = JS_INT_MAX;
	bool with_side = false;
	struct record_page ln;
	struct access v;
	int r;

	(void)result;
	if ((r = js_opt_int(rq->params, "from", at, 0, JS_INT_MAX, &from, e)) !=
		0 ||
	    (r = js_opt_int(rq->params, "to", at, 0, JS_INT_MAX, &to, e)) !=
		0 ||
	    (r = js_opt_bool(rq->params, "side", at, &with_side, e)) != 0 ||
	    (r = js_opt_int(
		 rq->params, "erased", at, 0, JS_INT_MAX, &erased, e)) != 0 ||
	    (r = js_opt_int(rq->params, "lost", at, 0, JS_INT_MAX, &lost, e)) !=
		0 ||
	    (r = rpc_game_find(rq, &row, &v, e)) != 0 ||
	    (r = store_record_hash(reader, row.gid, v.last, head)) != 0)
		return (r);
	/* Lines that came since the row was read wait for the next request. */
	if (to > v.last)
		to = v.last;
	record_page_init(&ln);
	ln.next = from;
	if (from <= to)
		r = record_page_read(
		    reader, row.gid, from, to, with_side ? v.sides : 0, &ln);
	if (r == 0)
		rpc_game_write_record(
		    &rq->s->io->raw, &row, v.last, head, &ln, with_side, to);
	if (r == 0)
		r = rpc_game_write_why(reader, &row, &rq->s->io->raw);
	if (r == 0)
		r = rpc_game_write_gone(rq->s, &row, &v, store_text_erased,
		    erased, "erased", "erasures");
	if (r == 0)
		r = rpc_game_write_gone(
		    rq->s, &row, &v, store_text_lost, lost, "lost", "losses");
	buf_putc(&rq->s->io->raw, '}');
	record_page_clear(&ln);
	return (r == 0 ? CALL_RAW : r);
}

/* Answers game.watch. */
static int
rpc_game_handle_watch(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct session *s = rq->s;
	struct store_game_row row;
	uint8_t head[HASH_LEN];
	int64_t after = -2, erasures;
	struct access v;
	bool is_new;
	int r;

	if ((r = js_opt_int(rq->params, "after", call_at(), -1, JS_INT_MAX,
		 &after, e)) != 0 ||
	    (r = rpc_game_find(rq, &row, &v, e)) != 0)
		return (r);
	if ((r = game_feed_watch(s, row.id, row.gid, false, &is_new)) != 0) {
		if (r == ERR_LIMIT)
			(void)err_set(e, r, "",
			    "this connection already watches %lld games",
			    (long long)game_feed_most(s));
		return (r);
	}
	/* Asked again, since only now no line can be missed. */
	if ((r = session_find(s, row.id, &row, &v)) != 0 ||
	    (r = store_record_hash(s->io->reader, row.gid, v.last, head)) !=
		0 ||
	    (r = store_text_erased_last(
		 s->io->reader, row.gid, v.last, v.sides, &erasures)) != 0)
		goto fail;
	if (after == -2)
		after = v.last;
	if (after > v.last) {
		r = js_fail_member(call_at(), "after", e,
		    "the record ends with line %lld", (long long)v.last);
		goto fail;
	}
	*result = json_pack("{s:o, s:I, s:o, s:I}", "game",
	    js_hex(row.id, HASH_LEN), "seq", (json_int_t)v.last, "head",
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

/* Answers game.unwatch. */
static int
rpc_game_handle_unwatch(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct store_game_row row;
	struct access v;
	int r;

	if ((r = rpc_game_find(rq, &row, &v, e)) != 0)
		return (r);
	*result = json_pack("{s:o}", "game", js_hex(row.id, HASH_LEN));
	if (*result == NULL)
		return (ERR_NOMEM);
	game_feed_unwatch(rq->s, row.id);
	return (0);
}

static const struct call_field rpc_game_show_result[] = {
    {"game", SCHEMA_HASH, false, "the game's id"},
    {"server", SCHEMA_KEY, false, "the server's identity key"},
    {"system", SCHEMA_TEXT, false, "the rule system"},
    {"rules", SCHEMA_TEXT, false, "the version of its rules"},
    {"rulings", SCHEMA_OBJECT, false, "the rulings in force"},
    {"scheme", SCHEMA_TEXT, false, "how dice are made"},
    {"phase", SCHEMA_TEXT, false, "as in game.list, but never lapsed"},
    {"lapsed", SCHEMA_BOOL, true, "true: the game has lapsed"},
    {"damaged", SCHEMA_BOOL, true, "true: no time runs until it is repaired"},
    {"recovering", SCHEMA_BOOL, true,
	"true: lines are missing, and no time runs until they are back"},
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
    {"confirm", SCHEMA_ONE("false,true,\"facts\""), false,
	"declarations wait for a word; facts: so do some decisions"},
    {"private", SCHEMA_BOOL, false, "only its players know of it"},
    {"secret", SCHEMA_TEXT, false, "who keeps secret choices"},
    {"silence", SCHEMA_TEXT, false, "what follows if no answer comes"},
    {"clock", SCHEMA_OR_NULL("object"), false, "the clock's settings"},
    {"options", SCHEMA_OBJECT, false, "the options in force"},
    {"roster_blob", SCHEMA_HASH, false, "the roster in force"},
    {"roster", SCHEMA_OR_NULL("object"), false, "both sides as they stand"},
    {"combat", SCHEMA_OR_NULL("object"), false, "the open combat"},
    {"owed", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "what the game waits for"},
    {"result", SCHEMA_OR_NULL("object"), false, "how the game ended"},
    {"offers", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "offers that are open"},
    {"clocks", SCHEMA_OR_NULL("object"), false, "the time that is left"},
    {"cups", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "what is in the cups"},
    {"standing", SCHEMA_ARRAY(SCHEMA_OBJECT), false, "standing orders"},
    {"truce", SCHEMA_OR_NULL("integer"), false, "the turn when it ends"},
    {"adjudication", SCHEMA_OR_NULL("integer"), false,
	"the claim that waits for the director"},
    {"objections", SCHEMA_ARRAY(SCHEMA_OBJECT), true,
	"with confirm facts: how often each seat objected to each kind"},
    {"witness_out", SCHEMA_BOOL, true,
	"with a witness: both sides have agreed to play on without"},
    {"state_at", SCHEMA_TIME, false, "time of the last state line"},
    {.name = NULL},
};

const struct call_method rpc_game_show = {
    .name = "game.show",
    .what = "Gives a game's state as it stands on disk.",
    .params = CALL_FIELDS({RPC_GAME_PARAM}),
    .result = rpc_game_show_result,
    .errors = CALL_ERRORS(
	ERR_NOTFOUND, ERR_DENIED, ERR_TOOBIG, ERR_DAMAGED, ERR_STORAGE),
    .handle = rpc_game_handle_show,
};

static const struct call_field rpc_game_record_result[] = {
    {"game", SCHEMA_HASH, false, "the game's whole id"},
    {"lines", SCHEMA_ARRAY(SCHEMA_TEXT), false, "the lines, without LF"},
    {"side", SCHEMA_ARRAY(SCHEMA_TEXT), true, "the side lines they name"},
    {"omitted", SCHEMA_ARRAY(SCHEMA_HASH), true, "blobs that did not fit"},
    {"seq", SCHEMA_INT, false, "number of the last line to be seen"},
    {"head", SCHEMA_HASH, false, "that line's hash"},
    {"next", SCHEMA_INT, true, "if the reply was full: where to go on"},
    {"damaged", SCHEMA_BOOL, true, "as in game.show"},
    {"recovering", SCHEMA_BOOL, true, "as in game.show"},
    {"erased", SCHEMA_ARRAY(SCHEMA_HASH), true, "texts that were erased"},
    {"erasures", SCHEMA_INT, true, "the number of the last of these"},
    {"lost", SCHEMA_ARRAY(SCHEMA_HASH), true, "texts that were lost"},
    {"losses", SCHEMA_INT, true, "the number of the last of these"},
    {.name = NULL},
};

const struct call_method rpc_game_record = {
    .name = "game.record",
    .what = "Gives lines of a game's record.",
    .params = CALL_FIELDS({RPC_GAME_PARAM},
	{"from", SCHEMA_INT, true, "the first line's number"},
	{"to", SCHEMA_INT, true, "the last line's number"},
	{"side", SCHEMA_BOOL, true, "true: the side lines too"},
	{"erased", SCHEMA_INT, true,
	    "tell of texts that were erased after that many"},
	{"lost", SCHEMA_INT, true,
	    "tell of texts that were lost after that many"}),
    .result = rpc_game_record_result,
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_STORAGE),
    .handle = rpc_game_handle_record,
};

const struct call_method rpc_game_watch = {
    .name = "game.watch",
    .what = "Sends a notice for each line of a game from now on.",
    .params = CALL_FIELDS({RPC_GAME_PARAM},
	{"after", SCHEMA_INT, true, "begin with the line after this one"}),
    .result = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's whole id"},
	{"seq", SCHEMA_INT, false, "number of the present last line"},
	{"head", SCHEMA_HASH, false, "that line's hash"},
	{"erasures", SCHEMA_INT, false, "as in game.record"}),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_LIMIT, ERR_STORAGE),
    .handle = rpc_game_handle_watch,
};

const struct call_method rpc_game_unwatch = {
    .name = "game.unwatch",
    .what = "Ends watching a game.",
    .params = CALL_FIELDS({RPC_GAME_PARAM}),
    .result = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's whole id"}),
    .errors = CALL_ERRORS(ERR_NOTFOUND, ERR_STORAGE),
    .handle = rpc_game_handle_unwatch,
};

const struct call_method rpc_game_entry = {
    .name = "game.entry",
    .what = "A line of a watched game.",
    .params = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's id"},
	{"seq", SCHEMA_INT, false, "the line's number"},
	{"line", SCHEMA_TEXT, false, "the line, without its LF"},
	{"side", SCHEMA_ARRAY(SCHEMA_TEXT), false,
	    "the side lines that it names"},
	{"omitted", SCHEMA_ARRAY(SCHEMA_HASH), true, "blobs that did not fit"}),
};
