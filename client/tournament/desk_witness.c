/* SPDX-License-Identifier: ISC */
#include "client/tournament/desk_witness.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/hex.h"
#include "common/json/js.h"

/* The key by which the server names a witness; NULL. */
static const char *
desk_witness_key(const struct link *l, const char *account)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(l->hello, "witnesses"), i, v)
	{
		if (strcmp(text_member(v, "account"), account) == 0)
			return (js_str(v, "key"));
	}
	return (NULL);
}

int
desk_witness(struct cmd_ctx *cx, struct link *l, const char *card, json_t **out)
{
	const char *colon = strchr(card, ':'), *key;
	uint8_t dice[VRF_KEY_LEN];
	json_t *result;
	char *account;
	int status;

	if (colon == NULL ||
	    hex_parse(dice, sizeof(dice), colon + 1, strlen(colon + 1)) != 0)
		return (cmd_usage(cx,
		    "'%s' is no card: what `keys card` prints for the "
		    "witness, ACCOUNT:DICEKEY",
		    card));
	account = xalloc_strn(card, (size_t)(colon - card));
	if ((key = desk_witness_key(l, account)) == NULL) {
		out_error("this server names no witness '%s'", account);
		free(account);
		return (EX_DATAERR);
	}
	status = link_ask(l, "account.keys",
	    xalloc_json(json_pack("{s:s}", "account", account)), &result);
	if (status == 0) {
		*out = xalloc_json(json_pack("{s:s, s:s, s:s, s:O, s:O}",
		    "account", account, "key", key, "dice_key", colon + 1, "kn",
		    json_object_get(result, "kn"), "kprev",
		    json_object_get(result, "kprev")));
		json_decref(result);
	}
	free(account);
	return (status);
}
