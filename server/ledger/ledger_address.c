/* SPDX-License-Identifier: ISC */
/*
 * Where and when an account wants to be told.  The form of an address was
 * checked by whoever submitted the job; its value is never logged.
 */
#include <string.h>

#include "common/base/clock.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

/* What a failed address job is to its account. */
static int
ledger_address_fault(struct ledger *l, struct ledger_job *job, int r)
{
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_LOGIN, NULL,
		    "there is no account \"%s\"", job->account));
	return (r == 0 ? 0 : ledger_fault(l, r, "store an address"));
}

/* Looks whether two codes are the same, in the same time for all. */
static bool
ledger_address_is_code(const char *a, const char *b)
{
	uint8_t differ = 0;
	size_t i;

	for (i = 0; i < STORE_CODE_LEN; i++)
		differ |= (uint8_t)(a[i] ^ b[i]);
	return (differ == 0);
}

/* True if a code may be given for an address. */
static bool
ledger_address_is_open(const struct store_address *a)
{
	return (
	    a->code[0] != '\0' && clock_wall_ms() - a->at_ms <= LEDGER_CODE_MS);
}

/* Why no code may be given now. */
static int
ledger_address_closed(struct ledger_job *job, const struct store_address *a)
{
	if (a->is_confirmed)
		return (err_set(&job->e, ERR_EXISTS, "kind",
		    "the address is already confirmed"));
	return (err_set(&job->e, ERR_DENIED, "code",
	    "the code has expired; set the address again for a new one"));
}

/* Counts a wrong code, which is stored: the job succeeds with is_wrong. */
static int
ledger_address_wrong(
    struct ledger *l, struct ledger_job *job, struct store_address *a)
{
	const int left = LEDGER_CODE_WRONG - ++a->wrong;

	job->is_wrong = true;
	if (left <= 0) {
		a->code[0] = '\0';
		a->next_ms = -1;
		(void)err_set(&job->e, ERR_DENIED, "code",
		    "the code is wrong, and is no longer valid; set the "
		    "address again for a new one");
	} else {
		(void)err_set(&job->e, ERR_DENIED, "code",
		    "the code is wrong; %d more %s", left,
		    left == 1 ? "try" : "tries");
	}
	return (
	    ledger_address_fault(l, job, store_address_update(l->store, a)));
}

/* Takes a code; what waits now is announced there, too. */
static int
ledger_address_confirm(struct ledger *l, struct ledger_job *job)
{
	struct store_address a;
	int r;

	r = store_address_get(l->store, job->account, job->kind, &a);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "kind",
		    "there is no address of this kind; set one first"));
	if (r != 0)
		return (ledger_fault(l, r, "find an address"));
	if (!ledger_address_is_open(&a))
		return (ledger_address_closed(job, &a));
	if (!ledger_address_is_code(a.code, job->code))
		return (ledger_address_wrong(l, job, &a));
	a.is_confirmed = true;
	a.code[0] = '\0';
	a.next_ms = -1;
	r = store_address_update(l->store, &a);
	if (r == 0)
		r = ledger_notice_account(l, job->account);
	if (r == 0)
		r = ledger_tell_account(l, job->account);
	return (r == 0 ? 0 : ledger_fault(l, r, "confirm an address"));
}

/*
 * Takes a code of whichever kind.  A wrong one counts against all that wait
 * for one, so that guessing is no easier than with a kind.
 */
static int
ledger_address_confirm_any(struct ledger *l, struct ledger_job *job)
{
	struct store_address all[STORE_CHANNELS];
	size_t i, n = 0;
	int kind, r;

	for (kind = STORE_CHANNEL_MAIL; kind < STORE_CHANNELS; kind++) {
		job->kind = (enum store_channel)kind;
		r = store_address_get(
		    l->store, job->account, job->kind, &all[n]);
		if (r == ERR_NOTFOUND ||
		    (r == 0 && !ledger_address_is_open(&all[n])))
			continue;
		if (r != 0)
			return (ledger_fault(l, r, "find an address"));
		if (ledger_address_is_code(all[n].code, job->code))
			return (ledger_address_confirm(l, job));
		n++;
	}
	if (n == 0)
		return (err_set(&job->e, ERR_NOTFOUND, "code",
		    "no address is waiting for a code; set one first"));
	for (i = 0, r = 0; r == 0 && i < n; i++)
		r = ledger_address_wrong(l, job, &all[i]);
	return (r);
}

int
ledger_address_run(struct ledger *l, struct ledger_job *job)
{
	int r = ERR_INTERNAL;

	switch (job->address_op) {
	case LEDGER_ADDRESS_CONFIRM:
		return (job->is_any ? ledger_address_confirm_any(l, job)
				    : ledger_address_confirm(l, job));
	case LEDGER_ADDRESS_SET:
		l->has_waiting = true;
		r = store_address_set(l->store, job->account, job->kind,
		    job->value, job->code, clock_wall_ms());
		break;
	case LEDGER_ADDRESS_DROP:
		r = store_address_drop(l->store, job->account, job->kind);
		break;
	case LEDGER_ADDRESS_QUIET:
		l->has_waiting = true;
		r = store_quiet_set(l->store, job->account, &job->quiet);
		break;
	}
	return (ledger_address_fault(l, job, r));
}
