/* SPDX-License-Identifier: ISC */
/* What a person asks of a witness's store, and decides. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "client/witness/witness.h"
#include "client/witness/witness_store.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/game/game_make.h"
#include "common/json/js.h"

/* Opens the store of a profile; prints what fails, an exit status. */
static int
witness_status_open(const struct profile *p, struct witness_store **st)
{
	struct errinfo e = {.text = ""};
	char *path;
	int r;

	path = profile_path(p, "witness.db");
	if (!p->has_pin || !file_exists(path))
		r = err_set(&e, ERR_NOTFOUND, NULL,
		    "no witness has run with profile '%s'", p->name);
	else
		r = witness_store_open(
		    path, p->pin, p->keys.sign.public_key, st, &e);
	free(path);
	return (r == 0 ? 0 : cmd_fail(r, &e));
}

/* Says what the store said. */
static int
witness_status_fail(const struct witness_store *st)
{
	out_error("%s", witness_store_why(st));
	return (EX_IOERR);
}

/* One that was stopped, for programs; new. */
static json_t *
witness_status_json(const struct witness_row *row, const char *why)
{
	return (xalloc_json(json_pack("{s:o, s:I, s:o, s:s, s:s}",
	    row->is_cup ? "tournament" : "game", js_hex(row->id, HASH_LEN),
	    "lines", (json_int_t)row->n, "head", js_hex(row->head, HASH_LEN),
	    "state", "stopped", "why", why)));
}

/* Lists the games, or the tournaments, that were stopped. */
static int
witness_status_stopped(
    struct out *o, struct witness_store *st, bool is_cup, json_t *list)
{
	char hex[2 * HASH_LEN + 1], mark[FINGERPRINT_LEN + 1];
	char why[WITNESS_STORE_WHY];
	struct witness_row row = {.gid = 0};
	int r;

	while ((r = witness_store_next(
		    st, is_cup, row.gid, WITNESS_STOPPED, &row)) == 0) {
		if ((r = witness_store_reason(st, row.gid, why)) != 0)
			return (r);
		hex_format(hex, row.id, HASH_LEN);
		base32_fingerprint(mark, row.head);
		out_print(o,
		    "\n  stopped  %s%.12s, %lld lines held, the last %s\n",
		    is_cup ? "tournament " : "", hex, (long long)row.n, mark);
		out_row(o, "because", why);
		xalloc_append(list, witness_status_json(&row, why));
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
witness_status(struct cmd_ctx *cx, struct profile *p)
{
	char key[2 * SIGN_KEY_LEN + 1];
	struct witness_store *st;
	struct out *o = &cx->out;
	int64_t n[WITNESS_STOPPED + 1], cups[WITNESS_STOPPED + 1];
	json_t *list;
	int i, r = 0, status;

	if ((status = witness_status_open(p, &st)) != 0)
		return (status);
	hex_format(key, p->keys.sign.public_key, SIGN_KEY_LEN);
	list = xalloc_json(json_array());
	for (i = 0; i <= WITNESS_STOPPED && r == 0; i++) {
		r = witness_store_count(
		    st, false, (enum witness_state)i, &n[i]);
		if (r == 0)
			r = witness_store_count(
			    st, true, (enum witness_state)i, &cups[i]);
	}
	if (r == 0) {
		out_title(o, "Witness %s", p->account);
		out_print(o,
		    "  key      %s\n  games    %lld followed, %lld finished, "
		    "%lld left, %lld stopped\n",
		    key, (long long)n[WITNESS_FOLLOWED],
		    (long long)n[WITNESS_FINISHED], (long long)n[WITNESS_LEFT],
		    (long long)n[WITNESS_STOPPED]);
		if (cups[WITNESS_FOLLOWED] + cups[WITNESS_FINISHED] > 0)
			out_print(o,
			    "  and      %lld tournament%s followed, %lld "
			    "over\n",
			    (long long)cups[WITNESS_FOLLOWED],
			    cups[WITNESS_FOLLOWED] == 1 ? "" : "s",
			    (long long)cups[WITNESS_FINISHED]);
		r = witness_status_stopped(o, st, true, list);
		if (r == 0)
			r = witness_status_stopped(o, st, false, list);
	}
	if (r != 0)
		status = witness_status_fail(st);
	else if (o->is_json)
		out_json(o,
		    xalloc_json(json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:O}",
			"account", p->account, "key", key, "followed",
			(json_int_t)n[WITNESS_FOLLOWED], "finished",
			(json_int_t)n[WITNESS_FINISHED], "left",
			(json_int_t)n[WITNESS_LEFT], "tournaments",
			(json_int_t)cups[WITNESS_FOLLOWED], "stopped", list)));
	json_decref(list);
	witness_store_close(st);
	return (status);
}

/* Whether the server's line of a number is the one that is held. */
static int
witness_follow_same(struct link *l, struct witness_store *st,
    const struct witness_row *row, int64_t seq, bool *is_same)
{
	json_t *result;
	const json_t *v;
	struct buf b;
	int status;

	status = link_ask(l, row->is_cup ? "tournament.record" : "game.record",
	    xalloc_json(json_pack("{s:o, s:I, s:I}",
		row->is_cup ? "tournament" : "game", js_hex(row->id, HASH_LEN),
		"from", (json_int_t)seq, "to", (json_int_t)seq)),
	    &result);
	if (status != 0)
		return (status);
	v = json_array_get(json_object_get(result, "lines"), 0);
	buf_init(&b, 0);
	if (witness_store_line(st, row->gid, seq, &b) != 0)
		status = witness_status_fail(st);
	else
		*is_same = json_is_string(v) &&
		    json_string_length(v) == b.len &&
		    memcmp(json_string_value(v), b.data, b.len) == 0;
	buf_clear(&b);
	json_decref(result);
	return (status);
}

/* Finds the first line that differs; they are the same before it. */
static int
witness_follow_find(struct link *l, struct witness_store *st,
    const struct witness_row *row, int64_t *first)
{
	int64_t lo = 0, hi = row->n, mid;
	bool is_same = false;
	int status;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		status = witness_follow_same(l, st, row, mid, &is_same);
		if (status != 0)
			return (status);
		if (is_same)
			lo = mid + 1;
		else
			hi = mid;
	}
	*first = lo;
	return (0);
}

/* Counts those of a kind, stopped, that the digits begin: the last is *row. */
static int
witness_follow_count(struct witness_store *st, bool is_cup, const char *digits,
    struct witness_row *row, int *n)
{
	char hex[2 * HASH_LEN + 1];
	struct witness_row one = {.gid = 0};
	int r;

	while ((r = witness_store_next(
		    st, is_cup, one.gid, WITNESS_STOPPED, &one)) == 0) {
		hex_format(hex, one.id, HASH_LEN);
		if (strncmp(hex, digits, strlen(digits)) != 0)
			continue;
		*row = one;
		++*n;
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

/*
 * The stopped game or tournament that these digits begin; prints what is wrong.
 */
static int
witness_follow_which(
    struct witness_store *st, const char *digits, struct witness_row *row)
{
	int n = 0;

	if (witness_follow_count(st, false, digits, row, &n) != 0 ||
	    witness_follow_count(st, true, digits, row, &n) != 0)
		return (witness_status_fail(st));
	if (n == 1)
		return (0);
	out_error(n == 0 ? "no game that was stopped begins with '%s'"
			 : "several that were stopped begin with '%s'",
	    digits);
	out_note("`umpire witness status` lists them.");
	return (EX_DATAERR);
}

int
witness_follow(struct cmd_ctx *cx, struct profile *p, const char *digits)
{
	struct errinfo e = {.text = ""};
	struct witness_store *st = NULL;
	struct link *l = NULL;
	struct witness_row row;
	int64_t first;
	int fd = -1, r, status;
	char *path;

	path = profile_path(p, "witness.lock");
	r = file_lock_now(path, &fd, &e);
	free(path);
	if (r == ERR_BUSY) {
		out_error("the witness runs; end it first, and start it again "
			  "afterwards");
		return (EX_TEMPFAIL);
	}
	if (r != 0)
		return (cmd_fail(r, &e));
	if ((status = witness_status_open(p, &st)) != 0 ||
	    (status = witness_follow_which(st, digits, &row)) != 0 ||
	    (status = link_open(cx, p, &l)) != 0 ||
	    (status = link_login(l)) != 0 ||
	    (status = witness_follow_find(l, st, &row, &first)) != 0)
		goto out;
	status = cmd_confirm(cx,
	    row.is_cup ? "The server told another history.  Shall the witness "
			 "hold to it?"
		       : "The server told another history.  Shall the witness "
			 "answer rolls in it?");
	if (status != 0)
		goto out;
	if (witness_store_rewind(st, &row, first) != 0 ||
	    witness_store_commit(st) != 0) {
		status = witness_status_fail(st);
		goto out;
	}
	out_note("The witness goes on from line %lld; the lines that it held "
		 "from there on\nare set aside in its file.",
	    (long long)first);
out:
	link_close(l);
	witness_store_close(st);
	(void)close(fd); /* it holds no bytes */
	return (status);
}
