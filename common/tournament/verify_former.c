/* SPDX-License-Identifier: ISC */
#include "common/tournament/verify_former.h"

#include <string.h>

#include "common/base/hex.h"
#include "common/record/record.h"
#include "common/tournament/entry.h"
#include "common/tournament/tournament.h"

/* Line 0 of a record, without its LF; 0 if it is not ended. */
static size_t
verify_former_first(const char *bytes, size_t len)
{
	const char *lf = len == 0 ? NULL : memchr(bytes, '\n', len);

	return (lf == NULL ? 0 : (size_t)(lf - bytes));
}

int
verify_former_named(const char *bytes, size_t len, struct terms_continues *c)
{
	struct record_line ln;
	struct terms terms;
	struct entry o;
	int r = ERR_NOTFOUND;

	if (record_parse_tournament(
		bytes, verify_former_first(bytes, len), &ln, NULL) != 0)
		return (ERR_NOTFOUND);
	if (ln.kind == RECORD_ORDER &&
	    entry_parse(ln.text, ln.text_len, &o, NULL) == 0) {
		if (o.kind == ENTRY_CREATE &&
		    terms_parse(&o, &terms, NULL) == 0 && terms.has_continues) {
			*c = terms.continues;
			r = 0;
		}
		entry_clear(&o);
	}
	record_clear(&ln);
	return (r);
}

int
verify_former_find(const struct verify_former_set *set,
    const struct terms_continues *c, struct verify_former_record *out)
{
	const struct verify_former_record *f;
	struct record_line ln;
	struct record_span s;
	const char *at;
	int64_t left;
	bool is_it;
	size_t i;

	for (i = 0; i < set->n; i++) {
		f = &set->records[i];
		if (record_parse_tournament(f->bytes,
			verify_former_first(f->bytes, f->len), &ln, NULL) != 0)
			continue;
		is_it = memcmp(ln.game, c->tournament, HASH_LEN) == 0;
		record_clear(&ln);
		if (!is_it)
			continue;
		at = f->bytes;
		for (left = c->seq; left >= 0; left--) {
			if (!record_next(&at, f->bytes + f->len, &s))
				break;
		}
		out->bytes = f->bytes;
		out->len = (size_t)(at - f->bytes);
		return (0);
	}
	return (ERR_NOTFOUND);
}

bool
verify_former_is(
    const struct verify_former_record *rec, const struct terms_continues *c)
{
	const char *at = rec->bytes, *end = rec->bytes + rec->len;
	uint8_t hash[HASH_LEN] = {0};
	struct record_line ln;
	struct record_span s;
	bool is_next = true;
	int64_t seq;

	for (seq = 0; is_next && seq <= c->seq; seq++) {
		if (!record_next(&at, end, &s) ||
		    record_parse_tournament(s.bytes, s.len, &ln, NULL) != 0)
			return (false);
		is_next = ln.seq == seq &&
		    memcmp(ln.game, c->tournament, HASH_LEN) == 0 &&
		    memcmp(ln.prev, hash, HASH_LEN) == 0;
		memcpy(hash, ln.hash, HASH_LEN);
		record_clear(&ln);
	}
	return (is_next && memcmp(hash, c->line, HASH_LEN) == 0);
}

/* True if a line is one with which a record begins. */
static bool
verify_former_begins(const char *line, size_t len)
{
	static const char first[] = ",\"seq\":0,";
	const char *p = memchr(line, ',', len);

	if (p == NULL || !record_is_tournament(line, len))
		return (false);
	p = memchr(p + 1, ',', len - (size_t)(p + 1 - line));
	return (p != NULL && len - (size_t)(p - line) >= sizeof(first) - 1 &&
	    memcmp(p, first, sizeof(first) - 1) == 0);
}

int
verify_former_split(
    const char *bytes, size_t len, struct verify_former_set *set)
{
	const char *at = bytes;
	struct record_span s;

	set->n = 0;
	while (record_next(&at, bytes + len, &s)) {
		if (set->n == 0 || verify_former_begins(s.bytes, s.len)) {
			if (set->n == VERIFY_FORMER_MAX)
				return (ERR_TOOBIG);
			set->records[set->n++].bytes = s.bytes;
		}
		set->records[set->n - 1].len =
		    (size_t)(at - set->records[set->n - 1].bytes);
	}
	return (0);
}

/* Says of a tournament that is gone back to what is wrong with it. */
static int
verify_former_bad(const uint8_t id[HASH_LEN],
    const struct verify_tournament_report *rep, const struct errinfo *why,
    struct errinfo *e)
{
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, id, HASH_LEN);
	return (err_set(e, ERR_BAD, "",
	    "the tournament %.8s that it continues is bad at line %lld: "
	    "%.30s%s%.70s",
	    hex, (long long)rep->file_line, why->where,
	    why->where[0] == '\0' ? "" : ": ", why->text));
}

int
verify_former(const char *bytes, size_t len,
    const struct verify_former_set *set,
    const struct verify_tournament_options *opt, struct tournament **old,
    struct verify_tournament_report *rep, struct errinfo *e)
{
	struct verify_former_record chain[VERIFY_FORMER_MAX];
	struct terms_continues names[VERIFY_FORMER_MAX];
	struct verify_tournament_options each = {.head_seq = -1,
	    .no_games = opt->no_games,
	    .is_parallel = opt->is_parallel,
	    .is_whole = opt->is_whole,
	    .games = opt->games,
	    .kept = opt->kept,
	    .trusts = opt->trusts_old ? INT64_MAX : 0,
	    .is_cut = true};
	struct errinfo why = {.where = ""};
	struct tournament *t = NULL;
	size_t n = 0;
	int r = 0;

	memset(rep, 0, sizeof(*rep));
	*old = NULL;
	/* Nothing that is there twice is gone back to for ever. */
	while (n < VERIFY_FORMER_MAX &&
	    verify_former_named(bytes, len, &names[n]) == 0 &&
	    verify_former_find(set, &names[n], &chain[n]) == 0) {
		bytes = chain[n].bytes;
		len = chain[n].len;
		n++;
	}
	/* From the oldest on; what is not at hand line 0 finds out. */
	while (r == 0 && n > 0) {
		n--;
		each.old = t;
		t = NULL;
		r = verify_tournament_bytes(
		    chain[n].bytes, chain[n].len, &each, rep, &t, &why);
	}
	if (r == ERR_BAD) {
		tournament_free(t);
		return (verify_former_bad(names[n].tournament, rep, &why, e));
	}
	if (r == 0)
		*old = t;
	else
		tournament_free(t);
	return (r);
}

int
verify_former_bytes(const char *bytes, size_t len,
    const struct verify_former_set *set,
    const struct verify_tournament_options *opt,
    struct verify_tournament_report *rep, struct tournament **state,
    struct errinfo *e)
{
	struct verify_tournament_options with = *opt;
	struct verify_tournament_report before;
	int r;

	r = verify_former(bytes, len, set, opt, &with.old, &before, e);
	if (r != 0) {
		memset(rep, 0, sizeof(*rep));
		rep->file_line = 1;
		return (r);
	}
	r = verify_tournament_bytes(bytes, len, &with, rep, state, e);
	if (r == 0 && before.is_unchecked) {
		rep->is_unchecked = true;
		rep->unchecked = before.unchecked;
		rep->unchecked_line = 1;
	}
	return (r);
}
