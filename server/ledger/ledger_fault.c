/* SPDX-License-Identifier: ISC */
/* What a failure of the store is to a job of the ledger. */
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

int
ledger_fault(const struct ledger *l, int r, const char *what)
{
	if (r == ERR_NOMEM || r == ERR_IO || r == ERR_DAMAGED ||
	    l->misfit.is_set)
		return (r);
	/* Without its transaction the whole batch fails, and says so. */
	if (store_is_open_transaction(l->store))
		log_errorx("cannot %s: %s (%s)", what, err_name(r),
		    store_reason(l->store));
	return (ERR_STORAGE);
}
