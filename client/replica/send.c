/* SPDX-License-Identifier: ISC */
/*
 * Sending the pending order.  Only three things end it: its line in the copy,
 * a refusal that the server signed, and, for a create order, which rests on no
 * state, any clear refusal.  Everything else means "unknown".
 */
#include "client/replica/send.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/replica/evidence.h"
#include "client/replica/lost.h"
#include "client/replica/replica.h"
#include "client/replica/sync.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define SEND_DIGITS 8 /* of a game without a nickname */

int
send_store(const struct replica *c, const char *method, json_t *params,
    struct errinfo *e)
{
	const struct outbox ob = outbox_game(c->p, c->id);

	return (outbox_store(&ob, method, params, e));
}

int
send_load(const struct replica *c, struct send_pending *sp, struct errinfo *e)
{
	const struct outbox ob = outbox_game(c->p, c->id);

	return (outbox_load(&ob, sp, e));
}

void
send_clear(struct send_pending *sp)
{
	outbox_clear(sp);
}

int
send_done(const struct replica *c, struct errinfo *e)
{
	const struct outbox ob = outbox_game(c->p, c->id);

	return (outbox_done(&ob, e));
}

void
send_undo(struct replica *c)
{
	static const char *const suffixes[] = {".pending", ".jsonl", ".side",
	    ".times", ".checkpoint", ".lock", NULL};
	struct errinfo e;
	char *path;
	size_t i;

	for (i = 0; suffixes[i] != NULL; i++) {
		path = profile_game_path(c->p, c->id, suffixes[i]);
		/* An empty file that stays is only in the way. */
		if (file_remove(path, &e) != 0)
			out_note("%s", e.text);
		free(path);
	}
	c->is_kept = false;
	if (profile_drop_nick(c->p, c->id, &e) != 0)
		out_note("%s", e.text);
}

void
send_check_clock(const struct replica *c, int64_t seq)
{
	struct record_line ln;
	struct errinfo e;
	const char *line;
	size_t len;

	line = replica_get(c, seq, &len);
	if (record_parse(line, len, &ln, &e) != 0)
		return;
	outbox_check_clock(ln.at_ms);
	record_clear(&ln);
}

/* Keeps a refusal, and says that the order is final: refused, signed so. */
static int
send_refused(const struct replica *c, const struct send_pending *sp,
    const struct conn_error *ce)
{
	const struct outbox ob = outbox_game(c->p, c->id);
	struct errinfo e = {.text = ""};
	char *s;
	int r;

	r = outbox_refused(&ob, sp, json_object_get(ce->data, "refusal"), &e);
	if (r != 0)
		return (cmd_fail(r, &e));
	s = place_error(ce->r, &ce->e, NULL);
	out_error("the umpire refuses: %s", s);
	free(s);
	if (ce->r == ERR_STALE)
		out_note("`umpire show` says how the game stands.");
	return (EX_DATAERR);
}

/* Says what will become of an order that has no answer. */
static void
send_note_kept(const struct replica *c)
{
	char hex[2 * HASH_LEN + 1], *nick;

	nick = profile_nick(c->p, c->id);
	hex_format(hex, c->id, HASH_LEN);
	out_note(
	    "The order is kept, and no other is signed for this game until it "
	    "has an answer.\n`umpire send %.*s` sends the same bytes again.",
	    nick == NULL ? SEND_DIGITS : (int)strlen(nick),
	    nick == NULL ? hex : nick);
	free(nick);
}

/* Says that the server gave no final answer; the order stays pending. */
static int
send_unsure(const struct replica *c, const struct conn_error *ce)
{
	char *path;
	int status;

	status = link_fail_briefly(ce);
	path = profile_game_path(c->p, c->id, ".pending");
	if (ce->is_answer && ce->r == ERR_DAMAGED)
		out_note("Tell its operator.  Nobody's time runs until it is "
			 "repaired; your other games\ngo on.");
	if (ce->is_answer && status != EX_TEMPFAIL && status != EX_SOFTWARE)
		out_note(
		    "The server signed no refusal, so the order may yet count, "
		    "and is kept: no other\nis signed until it has an answer.  "
		    "If you are sure that it never can count,\nremove\n%s",
		    path);
	else
		send_note_kept(c);
	free(path);
	if (status == EX_SOFTWARE || !ce->is_answer)
		status = EX_TEMPFAIL;
	return (status);
}

/* Checks that line seq of the copy holds the order that was sent. */
static int
send_check_line(struct replica *c, const struct send_pending *sp, int64_t seq)
{
	const char *text, *line;
	struct record_line ln;
	struct errinfo e = {.text = ""};
	bool is_it = false;
	size_t len;

	if (seq < 0 || seq >= c->n ||
	    js_get_str(sp->params, "order", NULL, &text, NULL) != 0) {
		out_error("the server says that the order is line %lld, but "
			  "does not give that line",
		    (long long)seq);
		return (EX_UNAVAILABLE);
	}
	line = replica_get(c, seq, &len);
	if (record_parse(line, len, &ln, &e) == 0) {
		is_it = ln.text != NULL && strcmp(ln.text, text) == 0;
		record_clear(&ln);
	}
	if (is_it)
		return (0);
	out_error("the server says that the order is line %lld, but that line "
		  "holds another one",
	    (long long)seq);
	return (EX_UNAVAILABLE);
}

/* After an answer with a line: brings the copy up to it. */
static int
send_recorded(struct link *l, struct replica *c, const struct send_pending *sp,
    const json_t *result, int64_t *seq)
{
	struct js_at at = {.name = "game.order"};
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	bool repeat = false;
	int64_t n;
	int r, status;

	if (js_get_int(result, "seq", &at, 0, JS_INT_MAX, &n, &e) != 0 ||
	    js_opt_bool(result, "repeat", &at, &repeat, &e) != 0) {
		status = cmd_fail_answer(&e);
		send_note_kept(c);
		return (status);
	}
	if (sync_copy(l, c, &ce) != 0) {
		if (ce.r == ERR_FORK && !ce.is_answer)
			status = evidence_tell(c);
		else
			status = send_unsure(c, &ce);
		conn_error_clear(&ce);
		return (status);
	}
	if ((status = send_check_line(c, sp, n)) != 0) {
		send_note_kept(c);
		return (status);
	}
	if ((r = send_done(c, &e)) != 0)
		return (cmd_fail(r, &e));
	if (!repeat && !l->is_clock_told)
		send_check_clock(c, n);
	*seq = n;
	return (0);
}

/*
 * The server says that our order rests on another history.  Nobody signs
 * that: what its lines say is looked at.
 */
static int
send_fork(struct link *l, struct replica *c, const struct order *o,
    const struct conn_error *ce)
{
	const json_t *head = json_object_get(ce->data, "head");
	char hex[2 * HASH_LEN + 1];
	struct conn_error more;
	const char *s;
	int r, status;

	r = sync_copy(l, c, &more);
	if (r == ERR_FORK && !more.is_answer && c->fork.is_restored &&
	    lost_set_aside(l, c, &more) == 0)
		return (EX_DATAERR); /* the order is dropped, as was told */
	if (r == ERR_FORK && !more.is_answer) {
		status = evidence_tell(c);
	} else {
		out_error("the server says that your order rests on a record "
			  "other than its own,\nbut does not show one");
		hex_format(hex, o->head, HASH_LEN);
		out_note("your order rests on line %lld:\n%s",
		    (long long)o->after, hex);
		s = js_str(head, "hash");
		if (s != NULL)
			out_note("the server's record ends with line "
				 "%lld:\n%s",
			    (long long)js_int(head, "seq"), s);
		status = EX_UNAVAILABLE;
	}
	conn_error_clear(&more);
	send_note_kept(c);
	return (status);
}

/* Handles an answer without a line. */
static int
send_failed(struct link *l, struct replica *c, const struct send_pending *sp,
    const struct order *o, const struct conn_error *ce)
{
	const struct outbox ob = outbox_game(c->p, c->id);
	struct errinfo e = {.text = ""};
	bool is_outside;
	int r, status;

	if (ce->is_answer && ce->r == ERR_FORK)
		return (send_fork(l, c, o, ce));
	if (ce->is_answer && ce->r == ERR_ILLEGAL && c->is_contested &&
	    o->kind == ORDER_CREATE) {
		send_undo(c);
		c->was_late = true;
		c->why_late = ce->e;
		return (EX_DATAERR);
	}
	if (ce->is_answer &&
	    (ce->r == ERR_STALE || ce->r == ERR_ILLEGAL ||
		ce->r == ERR_NONCE)) {
		if (outbox_is_refusal(
			&ob, json_object_get(ce->data, "refusal"), o->oid))
			return (send_refused(c, sp, ce));
		if (o->kind != ORDER_CREATE) {
			out_error("the server refuses the order but did not "
				  "sign the refusal: %s",
			    ce->e.text);
			send_note_kept(c);
			return (EX_UNAVAILABLE);
		}
	}
	/*
	 * A create order rests on no state: another does no harm.  One to join
	 * that is denied leaves us outside, and before play there are no dice:
	 * nothing of ours is at stake, and the game can still be cancelled.
	 */
	is_outside = (o->kind == ORDER_CREATE && !link_is_passing(ce)) ||
	    (o->kind == ORDER_JOIN &&
		(ce->r == ERR_DENIED || ce->r == ERR_NOTFOUND));
	if (ce->is_answer &&
	    (is_outside ||
		(ce->r == ERR_DENIED && c->n > 0 &&
		    game_phase(replica_game(c)) == GAME_MUSTER))) {
		if (is_outside)
			send_undo(c);
		else if ((r = send_done(c, &e)) != 0)
			return (cmd_fail(r, &e));
		status = cmd_fail(ce->r, &ce->e);
		if (json_object_get(ce->data, "open_games") != NULL)
			out_note("`umpire games --account %s` lists them; "
				 "`umpire cancel GAME` calls one off before it "
				 "begins.",
			    c->p->account);
		return (status);
	}
	return (send_unsure(c, ce));
}

int
send_deliver(struct link *l, struct replica *c, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	struct conn_error ce;
	json_t *result = NULL;
	const char *text;
	struct order o;
	int r, status;

	if ((r = send_load(c, &sp, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((r = js_get_str(sp.params, "order", NULL, &text, &e)) != 0 ||
	    (r = order_parse(text, strlen(text), &o, &e)) != 0) {
		send_clear(&sp);
		return (cmd_fail(r, &e));
	}
	out_progress("waiting for the server");
	r = link_insist(l, sp.method, sp.params, &result, &ce);
	if (r == 0)
		status = send_recorded(l, c, &sp, result, seq);
	else
		status = send_failed(l, c, &sp, &o, &ce);
	out_progress_end();
	json_decref(result);
	conn_error_clear(&ce);
	order_clear(&o);
	send_clear(&sp);
	return (status);
}
