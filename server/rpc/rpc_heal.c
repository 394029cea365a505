/* SPDX-License-Identifier: ISC */
/*
 * Lines that were lost.  Here it is checked that what is brought are lines of
 * this server, which costs the ledger's thread nothing; whether they are those
 * that are missing, and what they do, is ledger_heal.c's.
 */
#include "server/rpc/rpc_heal.h"

#include <string.h>

#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/schema.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define RPC_HEAL_GAMES 100 /* of one game.heads */

/* Compares a last line with ours; *is of the row. */
static int
rpc_heal_compare(struct session *s, const struct store_game_row *row,
    const struct access *v, int64_t seq, const uint8_t head[HASH_LEN],
    const char **is)
{
	uint8_t hash[HASH_LEN];
	int r;

	/* To a spectator who sees it later there is no more than that. */
	if (seq > v->last) {
		*is = v->is_delayed ? "unknown" : "ahead";
		return (0);
	}
	if ((r = store_record_hash(s->io->reader, row->gid, seq, hash)) != 0)
		return (r);
	if (memcmp(hash, head, HASH_LEN) != 0)
		*is = "other";
	else
		*is = seq == v->last ? "same" : "behind";
	return (0);
}

/* True if a game waits for lines that it had. */
static int
rpc_heal_is_recovering(
    struct session *s, const struct store_game_row *row, bool *is_recovering)
{
	char why[STORE_WHY_MAX];
	int r;

	r = store_standstill_why(s->io->reader, row->gid, why);
	*is_recovering = r == 0 && strcmp(why, STORE_WHY_DAMAGED) != 0;
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* One row of a request, and its answer. */
struct rpc_heal_row {
	const char *what; /* "game" or "tournament" */
	uint8_t id[HASH_LEN];
	int64_t seq; /* of the last line there */
	uint8_t head[HASH_LEN];
	const char *is; /* "unknown": the rest is not told */
	int64_t last; /* that there is here */
	uint8_t ours[HASH_LEN];
	bool is_recovering;
	int64_t lost; /* the last of its texts that are; -1: none */
	int64_t erasures; /* texts that were erased of it */
};

/* Compares a game with what is here. */
static int
rpc_heal_look_game(struct session *s, struct rpc_heal_row *row)
{
	struct store_game_row game;
	struct access v;
	int r;

	if ((r = session_find(s, row->id, &game, &v)) != 0 ||
	    (r = rpc_heal_compare(
		 s, &game, &v, row->seq, row->head, &row->is)) != 0 ||
	    strcmp(row->is, "unknown") == 0)
		return (r);
	row->last = v.last;
	r = store_text_lost_last(
	    s->io->reader, game.gid, v.last, v.sides, &row->lost);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	if ((r = store_text_erased_last(s->io->reader, game.gid, v.last,
		 v.sides, &row->erasures)) != 0)
		return (r);
	r = store_record_hash(s->io->reader, game.gid, v.last, row->ours);
	return (
	    r == 0 ? rpc_heal_is_recovering(s, &game, &row->is_recovering) : r);
}

/* Compares a tournament with what is here. */
static int
rpc_heal_look_tournament(struct session *s, struct rpc_heal_row *row)
{
	struct store *reader = s->io->reader;
	struct store_tournament_row t;
	char why[STORE_WHY_MAX];
	uint8_t hash[HASH_LEN];
	int r;

	if ((r = store_tournament_find(reader, row->id, &t)) != 0 ||
	    (r = access_tournament(reader, &t, s->account, true)) != 0 ||
	    (r = store_tournament_hash(reader, t.tid, t.seq, row->ours)) != 0 ||
	    (r = store_tournament_erased_last(reader, t.tid, &row->erasures)) !=
		0)
		return (r);
	if (row->seq <= t.seq &&
	    (r = store_tournament_hash(reader, t.tid, row->seq, hash)) != 0)
		return (r);
	row->last = t.seq;
	row->is = row->seq > t.seq                   ? "ahead"
	    : memcmp(hash, row->head, HASH_LEN) != 0 ? "other"
	    : row->seq == t.seq                      ? "same"
						     : "behind";
	r = store_tournament_wait_why(reader, t.tid, why);
	row->is_recovering = r == 0;
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* Makes the row of one game, or tournament; *out is new. */
static int
rpc_heal_make_row(struct session *s, const json_t *v, const struct js_at *at,
    struct rpc_heal_row *row, json_t **out, struct errinfo *e)
{
	const char *const known[] = {row->what, "seq", "head", NULL};
	int r;

	if (!json_is_object(v))
		return (js_fail(at, e, "must be an object"));
	if ((r = js_members(v, at, known, e)) != 0 ||
	    (r = js_get_hex(v, row->what, at, row->id, HASH_LEN, e)) != 0 ||
	    (r = js_get_int(v, "seq", at, 0, JS_INT_MAX, &row->seq, e)) != 0 ||
	    (r = js_get_hex(v, "head", at, row->head, HASH_LEN, e)) != 0)
		return (r);
	row->is = "unknown";
	row->is_recovering = false;
	row->lost = -1;
	row->erasures = 0;
	r = strcmp(row->what, "game") == 0 ? rpc_heal_look_game(s, row)
					   : rpc_heal_look_tournament(s, row);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	*out = r != 0 || strcmp(row->is, "unknown") == 0
	    ? json_pack("{s:o, s:s}", row->what, js_hex(row->id, HASH_LEN),
		  "is", "unknown")
	    : json_pack("{s:o, s:s, s:I, s:o, s:b, s:o*, s:o*}", row->what,
		  js_hex(row->id, HASH_LEN), "is", row->is, "seq",
		  (json_int_t)row->last, "head", js_hex(row->ours, HASH_LEN),
		  "recovering", row->is_recovering, "lost",
		  row->lost < 0 ? NULL : json_integer(row->lost), "erasures",
		  row->erasures == 0 ? NULL : json_integer(row->erasures));
	return (*out == NULL ? ERR_NOMEM : 0);
}

/* Which lists of a request this is about: "games" or "tournaments". */
static const char *
rpc_heal_list(const struct call_request *rq)
{
	return (rq->method == &rpc_heal_heads ? "games" : "tournaments");
}

/* Answers once the ledger has completed the rows. */
static int
rpc_heal_finish_heads(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)e;
	*result = json_pack("{s:O}", rpc_heal_list(rq), job->rows);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Answers both methods; where something recovers the ledger wants to know. */
static int
rpc_heal_handle_heads(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	struct js_at list = {.name = rpc_heal_list(rq)}, at = {.up = &list};
	struct rpc_heal_row hr = {
	    .what = rq->method == &rpc_heal_heads ? "game" : "tournament"};
	const json_t *games, *v;
	struct ledger_job *job;
	json_t *rows, *row = NULL;
	bool is_any = false;
	int r;

	list.up = call_at();
	r = js_get_array(rq->params, list.name, call_at(), &games, e);
	if (r != 0)
		return (r);
	if (json_array_size(games) > RPC_HEAL_GAMES)
		return (js_fail(&list, e, "more than %d %s are asked for",
		    RPC_HEAL_GAMES, list.name));
	if ((rows = json_array()) == NULL)
		return (ERR_NOMEM);
	json_array_foreach(games, at.index, v)
	{
		r = rpc_heal_make_row(rq->s, v, &at, &hr, &row, e);
		if (r == 0 && json_array_append_new(rows, row) != 0)
			r = ERR_NOMEM;
		if (r != 0)
			goto out;
		is_any |= hr.is_recovering;
	}
	if (is_any && rq->s->is_logged_in) {
		r = ERR_NOMEM;
		if ((job = ledger_job_new(LEDGER_HEADS)) == NULL)
			goto out;
		memcpy(job->account, rq->s->account, sizeof(job->account));
		job->rows = rows;
		return (call_submit(rq, job, true, rpc_heal_finish_heads));
	}
	*result = json_pack("{s:O}", list.name, rows);
	r = *result == NULL ? ERR_NOMEM : 0;
out:
	json_decref(rows);
	return (r);
}

/* Checks that the lines are of this server and game, and one after another. */
static int
rpc_heal_check_lines(struct call_request *rq, const struct ledger_job *job,
    const json_t *lines, struct errinfo *e)
{
	struct js_at list = {.name = "lines"}, at = {.up = &list};
	const uint8_t *server = rq->s->io->shared->identity.public_key;
	uint8_t prev[HASH_LEN] = {0};
	struct errinfo why = {.text = ""};
	struct record_line ln;
	int64_t seq = -1;
	const json_t *v;
	const char *s;
	size_t len;
	int r;

	list.up = call_at();
	json_array_foreach(lines, at.index, v)
	{
		if ((s = json_string_value(v)) == NULL)
			return (js_fail(&at, e, "must be a text"));
		len = json_string_length(v);
		r = job->is_tournament
		    ? record_parse_tournament(s, len, &ln, &why)
		    : record_parse(s, len, &ln, &why);
		if (r == ERR_NOMEM)
			return (r);
		if (r != 0)
			return (js_fail(
			    &at, e, "%.60s: %.100s", why.where, why.text));
		if (memcmp(ln.game, job->game, HASH_LEN) != 0)
			r = js_fail(&at, e, "is a line of another %s",
			    job->is_tournament ? "tournament" : "game");
		else if (seq >= 0 &&
		    (ln.seq != seq + 1 || memcmp(ln.prev, prev, HASH_LEN) != 0))
			r = js_fail(&at, e, "does not follow the one before");
		else
			r = record_check_mark(s, len, server);
		if (r == ERR_SIGNATURE || r == ERR_MALFORMED)
			r = js_fail(&at, e, "is not marked by this server");
		seq = ln.seq;
		memcpy(prev, ln.hash, HASH_LEN);
		record_clear(&ln);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Checks the form of side lines, and that their texts have their hashes. */
static int
rpc_heal_check_side(const json_t *side, struct errinfo *e)
{
	struct js_at list = {.name = "side"}, at = {.up = &list};
	struct errinfo why = {.text = ""};
	struct record_side sd;
	const json_t *v;
	int r;

	list.up = call_at();
	json_array_foreach(side, at.index, v)
	{
		if (!json_is_string(v))
			return (js_fail(&at, e, "must be a text"));
		r = record_side_parse(
		    json_string_value(v), json_string_length(v), &sd, &why);
		if (r == ERR_NOMEM)
			return (r);
		if (r != 0)
			return (js_fail(
			    &at, e, "%.60s: %.100s", why.where, why.text));
		record_side_clear(&sd);
	}
	return (0);
}

/* Checks the form of texts that the server held. */
static int
rpc_heal_check_held(const json_t *held, struct errinfo *e)
{
	static const char *const known[] = {"seq", "salt", "text", NULL};
	struct js_at list = {.name = "held"}, at = {.up = &list};
	uint8_t salt[RECORD_SALT_LEN];
	const char *text;
	const json_t *v;
	int64_t seq;
	int r;

	list.up = call_at();
	json_array_foreach(held, at.index, v)
	{
		if (!json_is_object(v))
			return (js_fail(&at, e, "must be an object"));
		if ((r = js_members(v, &at, known, e)) != 0 ||
		    (r = js_get_int(v, "seq", &at, 0, JS_INT_MAX, &seq, e)) !=
			0 ||
		    (r = js_get_hex(v, "salt", &at, salt, sizeof(salt), e)) !=
			0 ||
		    (r = js_get_str(v, "text", &at, &text, e)) != 0)
			return (r);
	}
	return (0);
}

/* Fills in the job of game.heal and tournament.heal. */
static int
rpc_heal_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const json_t *lines, *side = NULL, *held = NULL;
	int r;

	job->is_tournament = rq->method == &rpc_heal_tournament;
	if ((r = js_get_hex(rq->params,
		 job->is_tournament ? "tournament" : "game", call_at(),
		 job->game, HASH_LEN, e)) != 0 ||
	    (r = js_get_array(rq->params, "lines", call_at(), &lines, e)) !=
		0 ||
	    (r = js_opt_array(rq->params, "side", call_at(), &side, e)) != 0 ||
	    (r = js_opt_array(rq->params, "held", call_at(), &held, e)) != 0 ||
	    (r = rpc_heal_check_lines(rq, job, lines, e)) != 0 ||
	    (r = rpc_heal_check_side(side, e)) != 0 ||
	    (r = rpc_heal_check_held(held, e)) != 0)
		return (r);
	memcpy(job->account, rq->s->account, sizeof(job->account));
	job->lines = json_deep_copy(lines);
	job->side = side == NULL ? NULL : json_deep_copy(side);
	job->held = held == NULL ? NULL : json_deep_copy(held);
	if (job->lines == NULL || (side != NULL && job->side == NULL) ||
	    (held != NULL && job->held == NULL))
		return (ERR_NOMEM);
	return (0);
}

/* Answers both. */
static int
rpc_heal_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)e;
	if (job->added > 0)
		session_log(rq->s, LOG_INFO,
		    "brought %lld lines back, up to line %lld",
		    (long long)job->added, (long long)job->seq);
	*result = json_pack("{s:o, s:I, s:o, s:I, s:b}",
	    job->is_tournament ? "tournament" : "game",
	    js_hex(job->game, HASH_LEN), "seq", (json_int_t)job->head_seq,
	    "head", js_hex(job->head, HASH_LEN), "added",
	    (json_int_t)job->added, "recovering", job->is_recovering);
	return (*result == NULL ? ERR_NOMEM : 0);
}

const struct call_method rpc_heal_heads = {
    .name = "game.heads",
    .what = "Compares last lines of games with the server's.",
    .params = CALL_FIELDS({"games", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"a hundred at most: game, seq and head each, of the last line held"}),
    .result = CALL_FIELDS({"games", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"the same games, in that order: game, is, seq, head, recovering, "
	"missing, lost"}),
    .errors = CALL_ERRORS(ERR_DAMAGED, ERR_STORAGE),
    .handle = rpc_heal_handle_heads,
};

const struct call_method rpc_heal_heal = {
    .name = "game.heal",
    .what = "Brings back lines that the server has lost.",
    .params = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's id"},
	{"lines", SCHEMA_ARRAY(SCHEMA_TEXT), false,
	    "whole lines without LF, one after the other"},
	{"side", SCHEMA_ARRAY(SCHEMA_TEXT), true,
	    "side lines of texts that they name"},
	{"held", SCHEMA_ARRAY(SCHEMA_OBJECT), true,
	    "texts that the server held: seq, salt and text each"}),
    .result = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's id"},
	{"seq", SCHEMA_INT, false, "the last line that there is now"},
	{"head", SCHEMA_HASH, false, "its hash"},
	{"added", SCHEMA_INT, false, "how many lines were taken"},
	{"recovering", SCHEMA_BOOL, false, "true if it takes no orders yet"}),
    .errors =
	CALL_ERRORS(ERR_NOTFOUND, ERR_FORK, ERR_STALE, ERR_ILLEGAL, ERR_MISSING,
	    ERR_EXISTS, ERR_NEWER, ERR_TOOBIG, ERR_DAMAGED, ERR_STORAGE),
    .fill = rpc_heal_fill,
    .finish = rpc_heal_finish,
    .op = LEDGER_HEAL,
    .is_held = true,
};

const struct call_method rpc_heal_tournament_heads = {
    .name = "tournament.heads",
    .what = "Compares last lines of tournaments with the server's.",
    .params = CALL_FIELDS({"tournaments", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"a hundred at most: tournament, seq and head each, of the last line "
	"held"}),
    .result = CALL_FIELDS({"tournaments", SCHEMA_ARRAY(SCHEMA_OBJECT), false,
	"the same, in that order: tournament, is, seq, head, recovering"}),
    .errors = CALL_ERRORS(ERR_DAMAGED, ERR_STORAGE),
    .handle = rpc_heal_handle_heads,
};

const struct call_method rpc_heal_tournament = {
    .name = "tournament.heal",
    .what = "Brings back lines of a tournament that the server has lost.",
    .params =
	CALL_FIELDS({"tournament", SCHEMA_HASH, false, "the tournament's id"},
	    {"lines", SCHEMA_ARRAY(SCHEMA_TEXT), false,
		"whole lines without LF, one after the other"},
	    {"side", SCHEMA_ARRAY(SCHEMA_TEXT), true,
		"side lines of texts that they name"}),
    .result = CALL_FIELDS(
	{"tournament", SCHEMA_HASH, false, "the tournament's id"},
	{"seq", SCHEMA_INT, false, "the last line that there is now"},
	{"head", SCHEMA_HASH, false, "its hash"},
	{"added", SCHEMA_INT, false, "how many lines were taken"},
	{"recovering", SCHEMA_BOOL, false, "true if it takes no orders yet"}),
    .errors =
	CALL_ERRORS(ERR_NOTFOUND, ERR_FORK, ERR_STALE, ERR_ILLEGAL, ERR_MISSING,
	    ERR_EXISTS, ERR_NEWER, ERR_TOOBIG, ERR_DAMAGED, ERR_STORAGE),
    .fill = rpc_heal_fill,
    .finish = rpc_heal_finish,
    .op = LEDGER_HEAL,
    .is_held = true,
};
