/* SPDX-License-Identifier: ISC */
/*
 * What an operator says in a tournament (record S15.6), and what they or an
 * author have erased there.
 */
#include <string.h>

#include "common/json/js.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* The tournament of a job, if it takes lines now. */
static int
ledger_operator_find(
    struct ledger *l, struct ledger_job *job, struct ledger_tournament **lt)
{
	int r;

	r = ledger_tournament_get(l, job->game, lt, &job->e);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "game", "no such tournament"));
	if (r != 0)
		return (ledger_fault(l, r, "read a tournament"));
	return (ledger_recovery_check(l, job->game, &job->e));
}

/* Writes a line into it that names the job's text. */
static int
ledger_operator_write(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const char *what, json_t *data)
{
	struct ledger_job *job = slot->job;
	struct ledger_server sl = {
	    .what = what, .data = data, .text = &job->texts[0]};
	struct ledger_look look = {.l = l, .lt = lt};
	int r;

	if (data == NULL)
		return (ERR_NOMEM);
	if ((r = ledger_clock_read(&l->clock, &sl.at_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	r = ledger_tournament_server(l, slot, lt, &sl, &look, &job->e);
	if (r == 0) {
		job->seq = tournament_seq(lt->t);
		return (0);
	}
	ledger_key_clear(slot);
	if (r == ERR_ILLEGAL)
		return (r);
	/* Nothing may be built on what was left half done. */
	ledger_tournament_drop(l, lt);
	return (ledger_fault(l, r, "write a line of the server"));
}

int
ledger_operator_close(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct ledger_tournament *lt;
	json_t *data;
	int r;

	if ((r = ledger_operator_find(l, job, &lt)) != 0)
		return (r);
	if (tournament_is_closed(lt->t))
		return (err_set(&job->e, ERR_ILLEGAL, "game",
		    "the tournament is closed already, in line %lld",
		    (long long)tournament_seq(lt->t)));
	data = json_pack("{s:o}", "why", js_hex(job->texts[0].ref, HASH_LEN));
	r = ledger_operator_write(l, slot, lt, "closed", data);
	json_decref(data);
	return (r);
}

/* Adds to the answer which directors may accept it. */
static int
ledger_operator_tell(
    const struct ledger_tournament *lt, const char *account, json_t *given)
{
	json_t *waits = json_array();
	const char *name;
	int bad = 0;
	size_t i;

	for (i = 0; i < tournament_accounts(lt->t); i++) {
		name = tournament_nth_account(lt->t, i);
		if (tournament_is_director(lt->t, name) &&
		    strcmp(name, account) != 0)
			bad |= json_array_append_new(waits, json_string(name));
	}
	bad |= json_array_append_new(given,
	    json_pack("{s:o, s:I, s:o}", "tournament",
		js_hex(tournament_id(lt->t), HASH_LEN), "seq",
		(json_int_t)tournament_seq(lt->t), "waits_for", waits));
	return (bad == 0 ? 0 : ERR_NOMEM);
}

int
ledger_operator_key(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	char other[ORDER_ACCOUNT_MAX + 1];
	struct ledger_tournament *lt;
	json_t *data;
	int r;

	if (job->other[0] != '\0')
		return (err_set(&job->e, ERR_INVALID, "to",
		    "in a tournament an account stays, and gets another key: "
		    "give that"));
	if ((r = ledger_operator_find(l, job, &lt)) != 0)
		return (r);
	r = store_account_of_key(l->store, job->new_key, other);
	if (r == 0)
		return (err_set(&job->e, ERR_EXISTS, "key",
		    "this key belongs to an account, or did once; \"%s\" makes "
		    "a new one",
		    job->former));
	if (r != ERR_NOTFOUND)
		return (ledger_fault(l, r, "find a key"));
	data = json_pack("{s:s, s:o, s:o}", "account", job->former, "key",
	    js_hex(job->new_key, SIGN_KEY_LEN), "why",
	    js_hex(job->texts[0].ref, HASH_LEN));
	r = ledger_operator_write(l, slot, lt, "operator-key", data);
	json_decref(data);
	return (r == 0 ? ledger_operator_tell(lt, job->former, job->given) : r);
}

int
ledger_operator_erase(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_erased *ev = &slot->erased;
	char author[ORDER_ACCOUNT_MAX + 1] = "";
	struct ledger_job *job = slot->job;
	struct store_tournament_row row;
	int r;

	r = store_tournament_find(l->store, job->game, &row);
	if (r == ERR_NOTFOUND)
		return (
		    err_set(&job->e, r, "tournament", "no such tournament"));
	if (r != 0)
		return (ledger_fault(l, r, "find a tournament"));
	memset(ev, 0, sizeof(*ev));
	r = store_tournament_author(
	    l->store, row.tid, job->ref, &ev->seq, author);
	if (r == 0 &&
	    (r = store_tournament_find_text(l->store, row.tid, job->ref)) ==
		ERR_NOTFOUND) {
		r = store_tournament_is_erased(l->store, row.tid, job->ref);
		job->is_repeat = r == 0;
		/* One that was lost may come back. */
		r = r == ERR_NOTFOUND ? 0 : r;
	}
	if (r == 0)
		r = ledger_erase_allow(job, author);
	if (r == 0 && !job->is_repeat)
		r = store_tournament_erase(l->store, row.tid, job->ref, author);
	if (r == 0 && !job->is_repeat)
		r = store_tournament_erased_last(l->store, row.tid, &ev->n);
	if (r == ERR_DENIED)
		return (r);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "ref",
		    "the tournament has no such text; its record shows those "
		    "that there are"));
	return (r == 0 ? 0 : ledger_fault(l, r, "erase a text"));
}
