/* SPDX-License-Identifier: ISC */
/* Accounts and keys that lines prove which come back. */
#include <stdlib.h>
#include <string.h>

#include "common/record/record.h"
#include "common/record/statement.h"
#include "server/base/log.h"
#include "server/ledger/ledger_heal.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

int
ledger_heal_account(
    struct ledger_heal *h, const struct order_join *who, int64_t at_ms)
{
	struct store *st = h->l->store;
	char owner[ORDER_ACCOUNT_MAX + 1];
	struct statement_keys keys;
	bool is_theirs;
	int r;

	r = store_account_of_key(st, who->key, owner);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	is_theirs = r == 0 && strcmp(owner, who->account) == 0;
	r = store_account_keys(st, who->account, &keys);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	if (r == 0 && is_theirs && keys.n >= who->keys.n)
		return (0);
	if (r == 0 && !is_theirs && keys.n <= who->keys.n)
		log_warnx("the account \"%s\" has again the keys that a "
			  "record proves; who had its name since it "
			  "was lost can use it no longer",
		    who->account);
	else if (r == 0 && !is_theirs)
		return (err_set(&h->job->e, ERR_EXISTS, "lines",
		    "the account \"%s\" is another's here", who->account));
	r = store_account_prove(st, who->account, &who->keys, at_ms);
	if (r == ERR_EXISTS)
		r = err_set(&h->job->e, r, "lines",
		    "a key of the account \"%s\" is another's here",
		    who->account);
	return (r);
}

int
ledger_heal_statement(struct ledger_heal *h, const struct record_line *ln)
{
	struct store *st = h->l->store;
	struct store_statement as = {.key = ln->key, .sig = ln->sig};
	struct statement_keys keys;
	struct statement s;
	char *text = NULL;
	int r;

	if ((r = statement_parse(ln->text, ln->text_len, &s, NULL)) != 0)
		return (r);
	if ((r = store_account_keys(st, s.account, &keys)) != 0 ||
	    keys.n >= s.n)
		goto out;
	r = statement_apply(&keys, &s, ln->key, &h->job->e);
	if (r == ERR_STALE || r == ERR_ILLEGAL) {
		log_errorx("the account \"%s\" has other key statements than "
			   "a line that came back",
		    s.account);
		memset(&h->job->e, 0, sizeof(h->job->e));
		r = 0;
		goto out;
	}
	r = ERR_NOMEM;
	if ((text = strndup(ln->text, ln->text_len)) == NULL)
		goto out;
	as.text = text;
	r = store_account_state(st, &s, &as, ln->at_ms);
	h->slot->is_rekeyed |= r == 0;
out:
	statement_clear(&s);
	free(text);
	return (r == ERR_NOTFOUND ? 0 : r);
}
