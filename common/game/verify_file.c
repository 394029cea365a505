/* SPDX-License-Identifier: ISC */
/* Verifying an export: its lines, then the side lines after them (S2, S9). */
#include <string.h>

#include "common/crypt/checker.h"
#include "common/game/verify_int.h"
#include "common/record/record.h"

int
verify_add_blobs(struct verify *v, const char *bytes, size_t len)
{
	const char *end = bytes + len;
	struct record_span s;
	struct record_side side;
	int r = 0;

	while (r == 0 && record_next(&bytes, end, &s)) {
		if (!record_is_side(s.bytes, s.len) ||
		    record_side_parse(s.bytes, s.len, &side, NULL) != 0)
			continue;
		if (side.is_blob)
			r = verify_add_blob(v, side.value, side.len);
		record_side_clear(&side);
	}
	return (r);
}

/* Checks one side line; *last is the one before it and becomes this one. */
static int
verify_file_side(struct verify *v, const struct record_span *span,
    struct record_side *last, struct errinfo *e)
{
	struct record_side s;
	int r;

	if (!record_is_side(span->bytes, span->len))
		return (err_set(e, ERR_BAD, "",
		    "neither a text nor a blob, and the record has ended"));
	if ((r = record_side_parse(span->bytes, span->len, &s, e)) != 0)
		return (r == ERR_NOMEM ? r : ERR_BAD);
	/* Texts, then blobs, each sorted by hash, each once. */
	if (!record_side_follows(last, &s))
		r = err_set(e, ERR_BAD, "",
		    "side lines stand sorted by their hashes, each once");
	else if (!verify_is_named(v, s.hash))
		r = err_set(e, ERR_BAD, "",
		    "no line of the record names this %s",
		    s.is_blob ? "blob" : "text");
	record_side_clear(last);
	*last = s;
	return (r);
}

int
verify_sides(struct verify *v, const char *bytes, size_t len, int64_t *n,
    struct errinfo *e)
{
	const char *at = bytes, *end = bytes + len;
	struct record_side last = {0};
	struct record_span s;
	int r = 0;

	*n = 0;
	while (r == 0 && record_next(&at, end, &s)) {
		r = verify_file_side(v, &s, &last, e);
		if (r == 0 && s.bytes + s.len == end)
			r = err_set(
			    e, ERR_BAD, "", "the last line is not ended");
		*n += r == 0;
	}
	record_side_clear(&last);
	return (r);
}

/* Goes through the whole file; *line counts its lines. */
static int
verify_file_run(struct verify *v, const char *bytes, const char *end,
    int64_t *line, struct errinfo *e)
{
	struct record_side last = {0};
	struct record_span s, next;
	const char *at = bytes;
	bool in_side = false;
	int r = 0;

	while (r == 0 && record_next(&at, end, &s)) {
		++*line;
		if (v->opt.progress != NULL)
			v->opt.progress(v->opt.progress_arg, *line);
		if (s.bytes + s.len == end) {
			r = err_set(
			    e, ERR_BAD, "", "the last line is not ended");
			break;
		}
		in_side =
		    in_side || (*line > 1 && record_is_side(s.bytes, s.len));
		if (in_side) {
			r = verify_file_side(v, &s, &last, e);
			continue;
		}
		bytes = at;
		if (record_next(&bytes, end, &next))
			verify_peek(v, next.bytes, next.len);
		r = verify_line(v, s.bytes, s.len, e);
	}
	record_side_clear(&last);
	return (r);
}

/* A verifier that has taken the first n lines of a file, all of them good. */
static int
verify_file_again(const char *bytes, const char *end, int64_t n,
    const struct verify_options *opt, struct verify **out)
{
	struct record_span s, next;
	const char *at = bytes;
	struct errinfo e;
	struct verify *v;
	int r;

	if ((r = verify_new(opt, &v)) != 0)
		return (r);
	r = verify_add_blobs(v, bytes, (size_t)(end - bytes));
	while (r == 0 && n-- > 0 && record_next(&at, end, &s)) {
		bytes = at;
		if (record_next(&bytes, end, &next))
			verify_peek(v, next.bytes, next.len);
		r = verify_line(v, s.bytes, s.len, &e);
	}
	if (r == 0)
		*out = v;
	else
		verify_free(v);
	return (r);
}

/* Goes through a file; *v is new, also after ERR_BAD. */
static int
verify_file_once(const char *bytes, const char *end,
    const struct verify_options *opt, struct checker *c,
    struct verify_report *rep, struct verify **v, struct errinfo *e)
{
	int64_t line = 0;
	size_t i;
	int r;

	if ((r = verify_new(opt, v)) != 0)
		return (r);
	verify_set_checker(*v, c);
	for (i = 0; r == 0 && i < opt->n_opened; i++)
		r = verify_add_opened(*v, &opt->opened[i]);
	if (r == 0)
		r = verify_add_blobs(*v, bytes, (size_t)(end - bytes));
	if (r == 0)
		r = verify_file_run(*v, bytes, end, &line, e);
	if (r == 0)
		r = verify_end(*v, e);
	verify_set_checker(*v, NULL);
	if (r == 0 || r == ERR_BAD) {
		*rep = *verify_report(*v);
		rep->file_line = r == 0 ? 0 : line;
	} else {
		verify_free(*v);
	}
	return (r);
}

/* The same, on all CPUs if that is asked for. */
static int
verify_file_whole(const char *bytes, const char *end,
    const struct verify_options *opt, struct verify_report *rep,
    struct verify **v, struct errinfo *e)
{
	struct checker *c = NULL;
	int r;

	if (opt->is_parallel && (r = checker_new(&c)) != 0)
		return (r);
	if (c != NULL) {
		r = verify_file_once(bytes, end, opt, c, rep, v, NULL);
		if (checker_end(c) == 0 && r == 0)
			return (0);
		/* What is wrong first, one after the other finds out. */
		if (r == 0 || r == ERR_BAD)
			verify_free(*v);
	}
	return (verify_file_once(bytes, end, opt, NULL, rep, v, e));
}

int
verify_bytes(const char *bytes, size_t len, const struct verify_options *opt,
    struct verify_report *rep, struct game **state, struct errinfo *e)
{
	struct verify *v;
	int r;

	r = verify_file_whole(bytes, bytes + len, opt, rep, &v, e);
	if (r != 0 && r != ERR_BAD)
		return (r);
	if (state != NULL)
		*state = verify_take_game(v);
	verify_free(v);
	return (r);
}

int
verify_held(const char *bytes, size_t len, const struct verify_options *opt,
    struct verify_report *rep, struct verify **held, struct errinfo *e)
{
	struct verify *v;
	int r, r_again;

	r = verify_file_whole(bytes, bytes + len, opt, rep, &v, e);
	if (r != 0 && r != ERR_BAD)
		return (r);
	if (r == ERR_BAD) {
		/* A line that was refused late leaves the game half changed. */
		verify_free(v);
		r_again =
		    verify_file_again(bytes, bytes + len, rep->lines, opt, &v);
		if (r_again != 0)
			return (r_again == ERR_BAD ? ERR_INTERNAL : r_again);
	}
	*held = v;
	return (r);
}
