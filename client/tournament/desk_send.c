/* SPDX-License-Identifier: ISC */
/*
 * Sending an order to a tournament.  Only three things end it: its line in the
 * copy, a refusal that the server signed, and, for a create order, which rests
 * on no state, any clear refusal.  Everything else means "unknown".
 */
#include "client/tournament/desk_send.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/dice_keys.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/tournament.h"

/* Where a tournament's order is kept. */
static struct outbox
desk_outbox(const struct desk_copy *c)
{
	return ((struct outbox){.p = c->p,
	    .id = c->id,
	    .suffix = ".tournament-pending",
	    .refusals = ".tournament-refusals",
	    .member = "tournament"});
}

int
desk_send_load(
    const struct desk_copy *c, struct send_pending *sp, struct errinfo *e)
{
	const struct outbox ob = desk_outbox(c);

	return (outbox_load(&ob, sp, e));
}

bool
desk_send_waits(const struct desk_copy *c)
{
	const struct outbox ob = desk_outbox(c);

	return (profile_game_has(c->p, c->id, ob.suffix));
}

int
desk_send_drop(const struct desk_copy *c, int64_t seq, struct errinfo *e)
{
	const struct outbox ob = desk_outbox(c);

	return (outbox_drop(&ob, seq, e));
}

/* Writes an order that was signed to its file. */
static int
desk_send_store(const struct desk_copy *c, const char *method,
    const struct buf *text, const uint8_t sig[SIGN_LEN], const json_t *texts)
{
	const struct outbox ob = desk_outbox(c);
	struct errinfo e = {.text = ""};
	json_t *params;
	int r;

	params = xalloc_json(json_pack("{s:s%, s:o, s:o}", "order", text->data,
	    text->len, "sig", js_hex(sig, SIGN_LEN), "key",
	    js_hex(c->p->keys.sign.public_key, SIGN_KEY_LEN)));
	if (texts != NULL)
		xalloc_set(params, "texts", xalloc_copy(texts));
	if ((r = outbox_store(&ob, method, params, &e)) == 0)
		return (0);
	(void)cmd_fail(r, &e);
	return (r == ERR_EXISTS ? EX_TEMPFAIL : EX_IOERR);
}

int
desk_send_make(struct link *l, const struct desk_copy *c, enum entry_kind kind,
    const json_t *args, const json_t *texts)
{
	const struct tournament *t = desk_copy_state(c);
	const char *by = l->p->account;
	const uint8_t *dice_key = tournament_lots_key(t, by);
	struct game_keys keys = {.sign = c->p->keys.sign};
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	struct buf b;
	int r = 0, status;

	buf_init(&b, 0);
	if (dice_key != NULL)
		r = dice_keys_find(c->p, dice_key, &keys.dice, &e);
	/* Without it orders on which no lots hang are made as well. */
	if (r == 0 || r == ERR_NOTFOUND)
		r = tournament_make_order(
		    t, by, &keys, kind, args, clock_wall_ms(), &b, sig, &e);
	explicit_bzero(&keys, sizeof(keys));
	if (r == ERR_MISSING)
		(void)err_set(&e, r, NULL,
		    "you entered with a dice key that profile '%s' does not "
		    "have: copy the dice.key files of the device that has it",
		    c->p->name);
	status = r == 0 ? desk_send_store(c, "tournament.order", &b, sig, texts)
			: cmd_fail(r == ERR_MISSING ? ERR_CONFIG : r, &e);
	buf_clear(&b);
	return (status);
}

int
desk_send_create(struct link *l, const struct profile *p, const json_t *terms,
    struct desk_copy **out)
{
	const struct entry_parts parts = {.server = l->server,
	    .now_ms = clock_wall_ms(),
	    .kind = ENTRY_CREATE,
	    .args = terms};
	struct desk_copy *c = NULL;
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	struct entry o;
	struct buf b;
	int r, status;

	buf_init(&b, 0);
	if ((r = entry_write(&parts, &b)) != 0) {
		buf_clear(&b);
		return (cmd_fail(r,
		    (err_set(&e, r, NULL,
			 r == ERR_TOOBIG
			     ? "the terms are too long for an order: fewer "
			       "scenarios, or shorter rulings"
			     : "%s",
			 err_text(r)),
			&e)));
	}
	if ((r = entry_parse(buf_str(&b), b.len, &o, &e)) != 0) {
		buf_clear(&b);
		return (cmd_fail(r, &e));
	}
	if ((r = sign_make(&p->keys.sign, ENTRY_TAG, b.data, b.len, sig)) == 0)
		r = desk_copy_open(p, o.tournament, &c, &e);
	entry_clear(&o);
	if (r != 0)
		status = cmd_fail(r, &e);
	else
		status = desk_send_store(c, "tournament.create", &b, sig, NULL);
	buf_clear(&b);
	if (status != 0)
		desk_copy_close(c);
	else
		*out = c;
	return (status);
}

/* Says that the order is final: refused, and signed so. */
static int
desk_send_refused(const struct outbox *ob, const struct send_pending *sp,
    const struct conn_error *ce)
{
	struct errinfo e = {.text = ""};
	char *s;
	int r;

	r = outbox_refused(ob, sp, json_object_get(ce->data, "refusal"), &e);
	if (r != 0)
		return (cmd_fail(r, &e));
	s = place_error(ce->r, &ce->e, NULL);
	out_error("the umpire refuses: %s", s);
	free(s);
	return (EX_DATAERR);
}

/* Says that there is no final answer; the order stays pending. */
static int
desk_send_unsure(const struct conn_error *ce)
{
	int status;

	status = link_fail_briefly(ce);
	out_note("The order is kept, and no other is signed for this "
		 "tournament until it has an\nanswer: your next order to it "
		 "sends the same bytes again, and so does\n`umpire tournament "
		 "send`.");
	return (status == EX_SOFTWARE || !ce->is_answer ? EX_TEMPFAIL : status);
}

/* Handles an answer without a line. */
static int
desk_send_failed(struct link *l, struct desk_copy *c,
    const struct send_pending *sp, const struct entry *o,
    const struct conn_error *ce)
{
	const struct outbox ob = desk_outbox(c);
	const json_t *refusal = json_object_get(ce->data, "refusal");
	struct errinfo e = {.text = ""};
	struct conn_error more;
	int r, status;

	if (ce->is_answer && ce->r == ERR_FORK) {
		r = desk_copy_sync(l, c, &more);
		if (r == ERR_FORK && !more.is_answer) {
			status = desk_copy_accuse(c);
		} else {
			out_error("the server says that your order rests on a "
				  "record other than its own, but does not "
				  "show one");
			status = EX_UNAVAILABLE;
		}
		conn_error_clear(&more);
		return (status);
	}
	if (ce->is_answer && refusal != NULL &&
	    (ce->r == ERR_STALE || ce->r == ERR_ILLEGAL ||
		ce->r == ERR_NONCE) &&
	    outbox_is_refusal(&ob, refusal, o->oid)) {
		status = desk_send_refused(&ob, sp, ce);
		/* What may be done now hangs on what came meanwhile. */
		if (c->n > 0 && desk_copy_sync(l, c, &more) != 0)
			conn_error_clear(&more);
		return (status);
	}
	/*
	 * A create order rests on no state, and who is not here yet has
	 * nothing at stake: another order does no harm.
	 */
	if (ce->is_answer && !link_is_passing(ce) &&
	    (o->kind == ENTRY_CREATE || o->kind == ENTRY_ENTER ||
		ce->r == ERR_DENIED)) {
		if ((r = outbox_done(&ob, &e)) != 0)
			return (cmd_fail(r, &e));
		return (cmd_fail(ce->r, &ce->e));
	}
	return (desk_send_unsure(ce));
}

/* After an answer with a line: brings the copy up to it, and looks. */
static int
desk_send_recorded(struct link *l, struct desk_copy *c, const char *text,
    const json_t *result, int64_t *seq)
{
	struct js_at at = {.name = "tournament.order"};
	const struct outbox ob = desk_outbox(c);
	struct errinfo e = {.text = ""};
	struct record_line ln;
	struct conn_error ce;
	const char *line;
	bool is_it = false;
	int64_t n, at_ms = 0;
	size_t len;
	int r, status;

	if (js_get_int(result, "seq", &at, 0, JS_INT_MAX, &n, &e) != 0)
		return (cmd_fail_answer(&e));
	if ((r = desk_copy_sync(l, c, &ce)) != 0) {
		status = r == ERR_FORK && !ce.is_answer ? desk_copy_accuse(c)
							: desk_send_unsure(&ce);
		conn_error_clear(&ce);
		return (status);
	}
	if (n < c->n) {
		line = desk_copy_get(c, n, &len);
		if (record_parse_tournament(line, len, &ln, &e) == 0) {
			is_it = ln.text != NULL && strcmp(ln.text, text) == 0;
			at_ms = ln.at_ms;
			record_clear(&ln);
		}
	}
	if (!is_it) {
		out_error("the server says that the order is line %lld, but "
			  "does not show it there",
		    (long long)n);
		return (EX_UNAVAILABLE);
	}
	if ((r = outbox_done(&ob, &e)) != 0)
		return (cmd_fail(r, &e));
	if (!json_is_true(json_object_get(result, "repeat")) &&
	    !l->is_clock_told)
		outbox_check_clock(at_ms);
	*seq = n;
	return (0);
}

int
desk_send(struct link *l, struct desk_copy *c, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	json_t *result = NULL;
	struct send_pending sp;
	struct conn_error ce;
	const char *text;
	struct entry o;
	int r, status;

	if ((r = desk_send_load(c, &sp, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((r = js_get_str(sp.params, "order", NULL, &text, &e)) != 0 ||
	    (r = entry_parse(text, strlen(text), &o, &e)) != 0) {
		outbox_clear(&sp);
		return (cmd_fail(r, &e));
	}
	out_progress("waiting for the server");
	r = link_insist(l, sp.method, sp.params, &result, &ce);
	if (r == 0)
		status = desk_send_recorded(l, c, text, result, seq);
	else
		status = desk_send_failed(l, c, &sp, &o, &ce);
	out_progress_end();
	json_decref(result);
	conn_error_clear(&ce);
	entry_clear(&o);
	outbox_clear(&sp);
	return (status);
}
