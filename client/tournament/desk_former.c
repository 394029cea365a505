/* SPDX-License-Identifier: ISC */
#include "client/tournament/desk_former.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/heal_call.h"
#include "client/replica/recordfile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "common/tournament/tournament.h"

#define DESK_FORMER_TRIES 5 /* after as many timeouts */

void
desk_former_init(struct desk_former *f)
{
	memset(f, 0, sizeof(*f));
	buf_init(&f->bytes, 0);
	f->blobs = xalloc_json(json_object());
}

void
desk_former_clear(struct desk_former *f)
{
	buf_clear(&f->bytes);
	json_decref(f->blobs);
	tournament_free(f->t);
}

/* Takes the lines of a record, and the blobs beside them. */
static void
desk_former_take(struct desk_former *f, const struct buf *file)
{
	const char *at = file->data, *end = file->data + file->len;
	char hex[2 * HASH_LEN + 1];
	struct record_span s;
	struct record_side side;

	while (file->len > 0 && record_next(&at, end, &s) &&
	    s.bytes + s.len < end) {
		if (!record_is_side(s.bytes, s.len)) {
			buf_add(&f->bytes, s.bytes, s.len + 1);
			continue;
		}
		if (record_side_parse(s.bytes, s.len, &side, NULL) != 0)
			continue;
		hex_format(hex, side.hash, HASH_LEN);
		if (side.is_blob)
			xalloc_set(
			    f->blobs, hex, json_stringn(side.value, side.len));
		record_side_clear(&side);
	}
	if (buf_error(&f->bytes) != 0)
		xalloc_die();
}

/* ---- finding it ---- */

/* Reads a file, and what it goes back to out of the same folder. */
static int
desk_former_file(const char *word, struct desk_former *f)
{
	char hex[2 * HASH_LEN + 1], *folder, *path;
	const char *slash;
	struct terms_continues c;
	struct buf b;
	size_t at;
	int status;

	path = file_is_folder(word) ? xalloc_printf("%s/tournament.jsonl", word)
				    : xalloc_str(word);
	slash = strrchr(path, '/');
	folder = slash == NULL ? xalloc_str(".")
			       : xalloc_strn(path, (size_t)(slash - path));
	buf_init(&b, 0);
	if ((status = recordfile_read(path, &b)) == 0)
		desk_former_take(f, &b);
	at = 0;
	while (status == 0 &&
	    verify_former_named(f->bytes.data + at, f->bytes.len - at, &c) ==
		0) {
		at = f->bytes.len;
		hex_format(hex, c.tournament, HASH_LEN);
		free(path);
		path = xalloc_printf("%s/%s.jsonl", folder, hex);
		buf_reset(&b);
		if (!file_exists(path))
			break; /* it is missed below */
		if ((status = recordfile_read(path, &b)) == 0)
			desk_former_take(f, &b);
	}
	buf_clear(&b);
	free(folder);
	free(path);
	return (status);
}

/* What a word found among copies. */
struct desk_former_found {
	char *slug; /* owned */
	const char *word;
	struct profile *p; /* owned: whose copy it is; NULL */
	uint8_t id[HASH_LEN];
	int n;
};

/* Looks among the copies of a profile, which it may take over. */
static void
desk_former_look(struct desk_former_found *found, struct profile *p)
{
	char hex[2 * HASH_LEN + 1], *event, *slug;
	uint8_t(*ids)[HASH_LEN];
	bool is_it;
	size_t i, n;

	if (desk_copy_list(p, &ids, &n, NULL) != 0) {
		profile_free(p);
		return;
	}
	for (i = 0; i < n; i++) {
		hex_format(hex, ids[i], HASH_LEN);
		event = desk_find_event(p, ids[i]);
		slug = desk_slug(event == NULL ? "" : event);
		is_it = strcmp(slug, found->slug) == 0 ||
		    (strlen(found->word) >= 4 &&
			strncmp(hex, found->word, strlen(found->word)) == 0);
		free(event);
		free(slug);
		/* Several profiles may have the same. */
		if (!is_it ||
		    (found->n > 0 && memcmp(found->id, ids[i], HASH_LEN) == 0))
			continue;
		memcpy(found->id, ids[i], HASH_LEN);
		if (found->n++ == 0) {
			found->p = p;
			p = NULL;
			break;
		}
	}
	free(ids);
	profile_free(p);
}

/* Reads the copy that one of our profiles has. */
static int
desk_former_copy(
    const struct profile *own, const char *word, struct desk_former *f)
{
	struct desk_former_found found = {
	    .slug = desk_slug(word), .word = word};
	struct errinfo e = {.text = ""};
	struct profile *p;
	json_t *names, *v;
	struct buf b;
	size_t i;
	int r, status = 0;

	if ((r = profile_names(own, &names, &e)) != 0) {
		free(found.slug);
		return (cmd_fail(r, &e));
	}
	json_array_foreach(names, i, v)
	{
		if (profile_open(json_string_value(v), &p, NULL) == 0)
			desk_former_look(&found, p);
	}
	json_decref(names);
	buf_init(&b, 0);
	if (found.n != 1) {
		out_error(found.n == 0
			? "'%s' is neither a file nor a tournament of which "
			  "one of your profiles has a copy"
			: "more than one tournament is meant by '%s': type "
			  "its digits",
		    word);
		status = found.n == 0 ? EX_NOINPUT : EX_USAGE;
	} else if ((r = desk_copy_raw(found.p, found.id, &b, &e)) != 0) {
		status = cmd_fail(r, &e);
	} else {
		desk_former_take(f, &b);
	}
	buf_clear(&b);
	profile_free(found.p);
	free(found.slug);
	return (status);
}

/* ---- checking it ---- */

/* Verifies it, and that it can be continued. */
static int
desk_former_check(const char *word, struct desk_former *f)
{
	const struct verify_tournament_options opt = {
	    .head_seq = -1, .no_games = true, .is_cut = true};
	static const char *const why[] = {
	    [TOURNAMENT_ENTRIES] = "has not been started: open it anew",
	    [TOURNAMENT_CHECKIN] = "has not been started: open it anew",
	    [TOURNAMENT_OVER] = "is over"};
	struct errinfo e = {.text = ""};
	struct verify_tournament_report rep;
	struct verify_former_set set;
	int r;

	if (!record_is_tournament(buf_str(&f->bytes), f->bytes.len)) {
		out_error("'%s' is not the record of a tournament", word);
		return (EX_DATAERR);
	}
	out_progress("checking the tournament that is continued");
	r = verify_former_split(f->bytes.data, f->bytes.len, &set);
	if (r == 0)
		r = verify_former_bytes(set.records[0].bytes,
		    set.records[0].len, &set, &opt, &rep, &f->t, &e);
	out_progress_end();
	if (r == ERR_BAD) {
		out_error("'%s' is bad at line %lld: %s%s%s", word,
		    (long long)rep.file_line, e.where,
		    e.where[0] == '\0' ? "" : ": ", e.text);
		return (EX_DATAERR);
	}
	if (r != 0)
		return (cmd_fail(r, &e));
	if (f->t == NULL) {
		out_error(
		    "'%s' cannot be judged here: %s", word, rep.unchecked.text);
		return (EX_DATAERR);
	}
	if (tournament_phase(f->t) != TOURNAMENT_PLAY) {
		out_error("'%s' cannot be continued: it %s", word,
		    why[tournament_phase(f->t)]);
		return (EX_DATAERR);
	}
	return (0);
}

int
desk_former_open(struct cmd_ctx *cx, const struct profile *p, const char *word,
    struct desk_former *f)
{
	int status;

	(void)cx;
	if (recordfile_is_file(word) || file_is_folder(word))
		status = desk_former_file(word, f);
	else
		status = desk_former_copy(p, word, f);
	return (status == 0 ? desk_former_check(word, f) : status);
}

json_t *
desk_former_continues(const struct desk_former *f)
{
	return (xalloc_json(json_pack("{s:o, s:o, s:I, s:o}", "tournament",
	    js_hex(tournament_id(f->t), HASH_LEN), "server",
	    js_hex(tournament_server(f->t), SIGN_KEY_LEN), "seq",
	    (json_int_t)tournament_seq(f->t), "line",
	    js_hex(tournament_head(f->t), HASH_LEN))));
}

/* ---- bringing it ---- */

/* A record on its way. */
struct desk_former_sent {
	struct link *l;
	struct heal_call call;
	json_t *params; /* owned: what each call has */
	int64_t next; /* line that the server lacks */
	bool is_complete;
};

/* Makes one call with the lines that were put together. */
static int
desk_former_call(struct desk_former_sent *s, struct conn_error *ce)
{
	json_t *params = xalloc_copy(s->params), *result;
	int i, r;

	xalloc_set(params, "lines", xalloc_copy(s->call.lines));
	/* To verify a large one takes longer than answers mostly do. */
	for (i = 0;; i++) {
		r = link_insist(s->l, "tournament.former", params, &result, ce);
		if (r != ERR_TIMEOUT || i == DESK_FORMER_TRIES)
			break;
		conn_error_clear(ce);
	}
	json_decref(params);
	if (r != 0)
		return (r);
	s->next = js_int(result, "seq") + 1;
	s->is_complete = json_is_true(json_object_get(result, "complete"));
	json_decref(result);
	heal_call_begin(&s->call);
	return (0);
}

/* Gives the server one record. */
static int
desk_former_give(struct link *l, const struct verify_former_record *rec,
    struct conn_error *ce)
{
	struct desk_former_sent s = {.l = l};
	const char *at = rec->bytes, *end = rec->bytes + rec->len;
	struct record_line ln = {.seq = -1};
	struct record_span sp, last = {NULL, 0};
	int64_t seq;
	int r;

	while (record_next(&at, end, &sp))
		last = sp;
	if ((r = record_parse_tournament(last.bytes, last.len, &ln, &ce->e)) !=
	    0)
		return (ce->r = r);
	s.params = xalloc_json(json_pack("{s:o, s:I, s:o}", "tournament",
	    js_hex(ln.game, HASH_LEN), "seq", (json_int_t)ln.seq, "head",
	    js_hex(ln.hash, HASH_LEN)));
	record_clear(&ln);
	heal_call_begin(&s.call);
	/* How far is it? */
	r = desk_former_call(&s, ce);
	at = rec->bytes;
	for (seq = 0; r == 0 && !s.is_complete && record_next(&at, end, &sp);
	     seq++) {
		if (seq < s.next)
			continue;
		if (heal_call_is_full(&s.call, sp.bytes, sp.len) &&
		    (r = desk_former_call(&s, ce)) != 0)
			break;
		heal_call_line(&s.call, sp.bytes, sp.len);
	}
	/* Also without lines, where only verifying it was left. */
	if (r == 0 && !s.is_complete)
		r = desk_former_call(&s, ce);
	if (r == 0 && !s.is_complete)
		r = ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
		    "the server has all lines of the tournament that is "
		    "continued, and does not say that they hold");
	heal_call_clear(&s.call);
	json_decref(s.params);
	return (r);
}

int
desk_former_bring(
    struct link *l, const struct buf *records, struct conn_error *ce)
{
	struct verify_former_set set;
	int r;

	memset(ce, 0, sizeof(*ce));
	r = ce->r = verify_former_split(records->data, records->len, &set);
	/* Each needs the one after it. */
	while (r == 0 && set.n > 0)
		r = desk_former_give(l, &set.records[--set.n], ce);
	return (r);
}

/* ---- who we were ---- */

/* Whom a key was valid for there; 0: nobody, or not for that number. */
static int
desk_former_number(
    const struct tournament *old, const uint8_t key[SIGN_KEY_LEN], int number)
{
	int i;

	for (i = 1; i <= tournament_entrants(old); i++) {
		if ((number == 0 || number == i) &&
		    tournament_has_key(old, tournament_account(old, i), key))
			return (i);
	}
	return (0);
}

/* The profile, of all on this machine, that has a key of theirs; or NULL. */
static int
desk_former_profile(const struct desk *d, const struct tournament *old,
    int *number, struct profile **out)
{
	struct errinfo e = {.text = ""};
	struct profile *p;
	json_t *names, *v;
	const int asked = *number;
	int found, r, status = 0;
	size_t i;

	*out = NULL;
	if ((r = profile_names(d->p, &names, &e)) != 0)
		return (cmd_fail(r, &e));
	json_array_foreach(names, i, v)
	{
		if (profile_open(json_string_value(v), &p, NULL) != 0)
			continue;
		found = profile_load_keys(p, NULL) != 0
		    ? 0
		    : desk_former_number(old, p->keys.sign.public_key, asked);
		if (found == 0 || (*out != NULL && found == *number)) {
			profile_free(p);
			continue;
		}
		if (*out != NULL) {
			out_error("more than one of your profiles played "
				  "there: say who you were, --was %d or "
				  "--was %d",
			    *number, found);
			profile_free(p);
			status = EX_USAGE;
			break;
		}
		*out = p;
		*number = found;
	}
	json_decref(names);
	if (status != 0) {
		profile_free(*out);
		*out = NULL;
	}
	return (status);
}

/* The statement by which a key from there hands over to ours; new. */
static json_t *
desk_former_statement(const struct desk *d, const struct tournament *old,
    int number, const struct profile *p)
{
	const char *account = tournament_account(old, number);
	const struct statement_keys *had = tournament_keys(old, account);
	const struct statement_parts parts = {.server = tournament_server(old),
	    .account = account,
	    .n = had->n + 1,
	    .prev = had->prev,
	    .what = STATEMENT_ADD,
	    .key = d->p->keys.sign.public_key,
	    .now_ms = clock_wall_ms()};
	uint8_t sig[SIGN_LEN];
	json_t *v;
	struct buf b;

	buf_init(&b, 0);
	if (statement_write(&parts, &b) != 0 ||
	    sign_make(&p->keys.sign, SIGN_TAG_KEY, b.data, b.len, sig) != 0)
		xalloc_die();
	v = xalloc_json(json_pack("[{s:s, s:o, s:o}]", "statement", buf_str(&b),
	    "key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN), "sig",
	    js_hex(sig, SIGN_LEN)));
	buf_clear(&b);
	return (v);
}

int
desk_former_was(const struct desk *d, int number, json_t *args)
{
	const struct tournament *old = tournament_former(d->t);
	struct profile *p = NULL;
	int own, status, was;

	if (number > tournament_entrants(old)) {
		out_error("nobody had the number %d there", number);
		return (EX_DATAERR);
	}
	own = was = desk_former_number(old, d->p->keys.sign.public_key, number);
	if (own == 0) {
		was = number;
		status = desk_former_profile(d, old, &was, &p);
		if (status != 0)
			return (status);
	}
	if (own == 0 && p == NULL) {
		out_error(number == 0
			? "this tournament goes on from another server, and "
			  "only those enter who played there: none of your "
			  "profiles has a key that was valid there"
			: "none of your profiles has a key that was valid "
			  "there for number %d",
		    number);
		out_note("Type it where the keys are that you played with "
			 "there.");
		return (EX_NOPERM);
	}
	if (!tournament_is_former(d->t, was)) {
		out_error("number %d has entered here already", was);
		profile_free(p);
		return (EX_DATAERR);
	}
	xalloc_set(args, "was", json_integer(was));
	if (p != NULL) {
		out_note("Your profile '%s' signs that your key here follows "
			 "upon the one with which you played there as '%s'.",
		    p->name, tournament_account(old, was));
		xalloc_set(
		    args, "statements", desk_former_statement(d, old, was, p));
	}
	profile_free(p);
	return (0);
}
