/* SPDX-License-Identifier: ISC */
/* Evidence in words: what the server did, and what that is worth. */
#include "client/cmd/proof.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/replica/evidence.h"
#include "client/replica/recordfile.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/crypt/sign.h"
#include "common/json/js.h"

/* A text as JSON, null where there is none; new. */
static json_t *
proof_str(const char *s)
{
	return (s == NULL ? json_null() : xalloc_json_str(s));
}

/* For programs; new. */
static json_t *
proof_json(const char *name, const struct evidence *ev, bool is_game, int r,
    const struct errinfo *e)
{
	const bool is_opened = r == 0 && json_is_object(ev->opened);

	return (xalloc_json(json_pack(
	    "{s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:O?, s:o}", "name",
	    name, "verdict",
	    r != 0                 ? "nothing"
		: ev->is_unchecked ? "unchecked"
		: ev->is_two       ? "two-lines"
				   : "unlawful",
	    "server", js_hex(ev->server, SIGN_KEY_LEN),
	    is_game ? "game" : "tournament", js_hex(ev->game, HASH_LEN), "seq",
	    (json_int_t)ev->seq, "why",
	    xalloc_json_str(r != 0 ? e->text : ev->why.text), "line",
	    proof_str(ev->line), "arrived", proof_str(ev->arrived), "held",
	    proof_str(ev->is_two ? ev->held : NULL), "opened",
	    is_opened ? ev->opened : NULL, "held_arrived",
	    proof_str(ev->held_arrived))));
}

/* What it proves, in a sentence. */
static void
proof_words(struct out *o, const struct evidence *ev, bool is_game)
{
	const long long n = (long long)ev->seq;
	char *s;

	if (ev->is_unchecked)
		s = xalloc_printf("the server signed line %lld; whether it is "
				  "lawful a newer umpire must judge",
		    n);
	else if (ev->is_two)
		s = xalloc_printf("the server signed two different lines %lld "
				  "of one %s: it told two people two stories",
		    n, is_game ? "game" : "tournament");
	else if (json_is_object(ev->opened))
		s = xalloc_printf("the server signed a line %lld that passes "
				  "over a player's standing order",
		    n);
	else
		s = xalloc_printf("the server signed a line %lld that breaks "
				  "the rules of the record",
		    n);
	out_row(o, "proves", s);
	free(s);
}

/* For people. */
static void
proof_text(struct out *o, const char *name, const struct evidence *ev,
    bool is_game, const uint8_t *server)
{
	char hex[2 * HASH_LEN + 1], mark[FINGERPRINT_LEN + 1];

	if (ev->is_unchecked)
		out_title(o, "%s: not checkable here", name);
	else if (ev->is_two)
		out_title(o, "%s: the server signed two different lines %lld",
		    name, (long long)ev->seq);
	else
		out_title(o, "%s: the server signed an unlawful line %lld",
		    name, (long long)ev->seq);
	proof_words(o, ev, is_game);
	if (!ev->is_two)
		out_print(o, "  why      %s%s%s\n", ev->why.where,
		    ev->why.where[0] == '\0' ? "" : ": ", ev->why.text);
	if (json_is_object(ev->opened))
		out_print(o, "  order    %s\n", js_str(ev->opened, "text"));
	hex_format(hex, ev->server, SIGN_KEY_LEN);
	base32_fingerprint(mark, ev->server);
	out_print(o, "  server   %s\n  in short %s\n", hex, mark);
	/* Anybody can make a key and sign what they like with it. */
	if (server == NULL)
		out_row(o, "",
		    "whose key that is the file cannot prove: compare it with "
		    "the one that the operator published, or add --server "
		    "KEY");
	hex_format(hex, ev->game, HASH_LEN);
	out_print(o, is_game ? "  game     %s\n" : "  event    %s\n", hex);
	out_print(o, "  arrived  %s%s%s\n",
	    ev->held_arrived == NULL ? "" : ev->held_arrived,
	    ev->held_arrived == NULL ? "" : " and ",
	    ev->arrived == NULL ? "at an unknown time" : ev->arrived);
	out_row(o, "",
	    "the times are those of whoever wrote the file; all else is "
	    "signed");
	out_print(o, "%s%s%s\n", ev->is_two ? ev->held : "",
	    ev->is_two ? "\n" : "", ev->line);
}

int
proof_tell(struct out *o, const char *name, struct buf *bytes,
    const uint8_t *server, json_t **v)
{
	struct errinfo e = {.text = ""};
	struct evidence ev;
	bool is_game = false;
	int r, status;

	r = desk_accuse_judge(buf_str(bytes), bytes->len, &ev, &e);
	if (r == ERR_NOTFOUND) {
		evidence_clear(&ev);
		is_game = true;
		r = evidence_judge(buf_str(bytes), bytes->len, &ev, &e);
	}
	if (r == 0 && server != NULL &&
	    memcmp(ev.server, server, SIGN_KEY_LEN) != 0)
		r = err_set(
		    &e, ERR_BAD, NULL, "it is about another server's key");
	if (r != 0 && r != ERR_BAD) {
		status = cmd_fail(r, &e);
	} else {
		status = r != 0       ? RECORDFILE_BAD
		    : ev.is_unchecked ? CMD_UNCHECKED
				      : EX_OK;
		*v = proof_json(name, &ev, is_game, r, &e);
		if (r != 0)
			out_error("%s: proves nothing: %s", name, e.text);
		else if (!o->is_json)
			proof_text(o, name, &ev, is_game, server);
	}
	evidence_clear(&ev);
	return (status);
}
