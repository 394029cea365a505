/* SPDX-License-Identifier: ISC */
/* One call after the other that brings lines back. */
#include "client/replica/heal_call.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "common/crypt/hash.h"

/* How many bytes a value takes in a request. */
static size_t
heal_call_size(const json_t *v)
{
	char *s = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
	size_t n;

	if (s == NULL)
		xalloc_die();
	n = strlen(s) + 1;
	free(s);
	return (n);
}

void
heal_call_begin(struct heal_call *h)
{
	json_decref(h->lines);
	json_decref(h->texts);
	json_decref(h->secrets);
	h->lines = xalloc_json(json_array());
	h->texts = xalloc_json(json_array());
	h->secrets = xalloc_json(json_array());
	if (h->given == NULL)
		h->given = xalloc_json(json_object());
	h->bytes = 0;
}

void
heal_call_clear(struct heal_call *h)
{
	json_decref(h->lines);
	json_decref(h->texts);
	json_decref(h->secrets);
	json_decref(h->given);
}

bool
heal_call_is_full(const struct heal_call *h, const char *line, size_t len)
{
	json_t *v = xalloc_json(json_stringn(line, len));
	const bool is_full = json_array_size(h->lines) > 0 &&
	    h->bytes + heal_call_size(v) > HEAL_CALL_BYTES;

	json_decref(v);
	return (is_full);
}

void
heal_call_put(struct heal_call *h, json_t *list, json_t *v)
{
	h->bytes += heal_call_size(xalloc_json(v));
	xalloc_append(list, v);
}

void
heal_call_line(struct heal_call *h, const char *line, size_t len)
{
	heal_call_put(h, h->lines, json_stringn(line, len));
}

int
heal_call_refs(struct heal_call *h, const char *line, size_t len,
    int (*each)(void *arg, const char *hex), void *arg)
{
	char hex[2 * HASH_LEN + 1] = "";
	size_t at, n;
	int r = 0;

	for (at = 0; r == 0 && at < len; at += n) {
		for (n = 0; at + n < len &&
		     strchr("0123456789abcdef", line[at + n]) != NULL;)
			n++;
		if (n == 2 * HASH_LEN) {
			memcpy(hex, line + at, n);
			if (json_object_get(h->given, hex) == NULL) {
				xalloc_set(h->given, hex, json_true());
				r = each(arg, hex);
			}
		}
		n += n == 0;
	}
	return (r);
}

int
heal_call_blob(struct link *l, const char *value, struct conn_error *ce)
{
	json_t *params, *result;
	int r;

	params = xalloc_json(json_pack("{s:s}", "value", value));
	if ((r = link_insist(l, "blob.put", params, &result, ce)) == 0)
		json_decref(result);
	json_decref(params);
	return (r);
}

int
heal_call_give(struct heal_call *h, struct link *l, const char *method,
    const char *member, json_t *id, struct conn_error *ce)
{
	json_t *params, *result;
	int r;

	params =
	    xalloc_json(json_pack("{s:o, s:O}", member, id, "lines", h->lines));
	if (json_array_size(h->texts) > 0)
		xalloc_set(params, "side", json_incref(h->texts));
	if (json_array_size(h->secrets) > 0)
		xalloc_set(params, "held", json_incref(h->secrets));
	if ((r = link_insist(l, method, params, &result, ce)) == 0)
		json_decref(result);
	json_decref(params);
	heal_call_begin(h);
	return (r);
}
