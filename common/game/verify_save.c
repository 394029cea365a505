/* SPDX-License-Identifier: ISC */
/*
 * What a verifier knows after a line, as bytes, so that another one can go on
 * from there: counts, the hashes of the lines, what may be used once, which
 * texts and blobs are named, what the lines did, and the game's snapshot.
 * Whoever keeps them makes sure that they come back as they were.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_take.h"
#include "common/game/verify_int.h"

/* The beginning; the hashes and four parts of these lengths follow. */
struct verify_saved {
	char sources[2 * HASH_LEN]; /* verify_sources */
	uint64_t entry; /* bytes of a struct game_entry */
	int64_t lines;
	int64_t rolls;
	int64_t combats;
	int64_t director_answers;
	int64_t at_ms;
	uint64_t used;
	uint64_t named;
	uint64_t history;
	uint64_t game;
};

/* Appends the members of a set, each with LF; how many bytes. */
static uint64_t
verify_save_set(json_t *set, struct buf *out)
{
	const size_t before = out->len;
	const char *key;
	json_t *v;

	json_object_foreach(set, key, v)
	{
		buf_puts(out, key);
		buf_putc(out, '\n');
	}
	return (out->len - before);
}

int
verify_save(struct verify *v, struct buf *out)
{
	struct verify_saved s = {.entry = sizeof(struct game_entry),
	    .lines = v->rep.lines,
	    .rolls = v->rep.rolls,
	    .combats = v->rep.combats,
	    .director_answers = v->rep.director_answers,
	    .at_ms = v->at_ms};
	const size_t at = out->len;
	size_t before;
	int r;

	if (v->game == NULL || v->is_dead || v->is_blind || v->wants_fault ||
	    v->rep.is_unchecked || game_is_halted(v->game))
		return (ERR_STALE);
	if ((r = verify_recall(v)) != 0)
		return (r);
	memcpy(s.sources, verify_sources, sizeof(s.sources));
	buf_add(out, &s, sizeof(s));
	buf_add(out, v->hashes, (size_t)s.lines * HASH_LEN);
	s.used = verify_save_set(v->used, out);
	s.named = verify_save_set(v->named, out);
	before = out->len;
	if ((r = game_history_save(&v->history, out)) != 0)
		return (r);
	s.history = out->len - before;
	before = out->len;
	if ((r = game_save(v->game, out)) != 0 || (r = buf_error(out)) != 0)
		return (r);
	s.game = out->len - before;
	memcpy(out->data + at, &s, sizeof(s));
	return (0);
}

int
verify_load(struct verify *v, const char *bytes, size_t len, struct errinfo *e)
{
	const struct game_blobs blobs = {verify_blob_cb, v};
	struct verify_saved s;
	size_t sets;
	int r;

	if (len < sizeof(s))
		return (err_set(e, ERR_BAD, "", "cut off"));
	memcpy(&s, bytes, sizeof(s));
	bytes += sizeof(s);
	len -= sizeof(s);
	if (memcmp(s.sources, verify_sources, sizeof(s.sources)) != 0 ||
	    s.entry != sizeof(struct game_entry))
		return (err_set(e, ERR_BAD, "", "of another umpire"));
	if (s.lines <= 0 || (uint64_t)s.lines > len / HASH_LEN ||
	    s.used > len || s.named > len || s.history > len || s.game > len ||
	    (uint64_t)s.lines * HASH_LEN + s.used + s.named + s.history +
		    s.game !=
		len)
		return (err_set(e, ERR_BAD, "", "not of this size"));
	sets = s.used + s.named;
	v->hash_room = (size_t)s.lines;
	if ((v->hashes = malloc(v->hash_room * HASH_LEN)) == NULL ||
	    (v->unread = malloc(sets + 1)) == NULL)
		return (ERR_NOMEM);
	memcpy(v->hashes, bytes, v->hash_room * HASH_LEN);
	bytes += v->hash_room * HASH_LEN;
	memcpy(v->unread, bytes, sets);
	v->unread_used = s.used;
	v->unread_named = s.named;
	bytes += sets;
	if ((r = game_history_load(&v->history, bytes, s.history)) != 0 ||
	    (r = game_load(bytes + s.history, s.game, &blobs, &v->game, e)) !=
		0)
		return (r);
	v->rep.lines = s.lines;
	v->rep.rolls = s.rolls;
	v->rep.combats = s.combats;
	v->rep.director_answers = s.director_answers;
	v->rep.is_finished = game_is_finished(v->game);
	memcpy(v->rep.head, v->hashes[s.lines - 1], HASH_LEN);
	v->at_ms = s.at_ms;
	memcpy(v->server, game_server(v->game), SIGN_KEY_LEN);
	memcpy(v->id, game_id(v->game), HASH_LEN);
	v->has_id = true;
	if (memcmp(v->rep.head, game_head(v->game), HASH_LEN) != 0 ||
	    game_seq(v->game) != s.lines - 1 ||
	    v->history.n != (size_t)s.lines ||
	    (v->opt.server != NULL &&
		memcmp(v->opt.server, v->server, SIGN_KEY_LEN) != 0))
		return (err_set(e, ERR_BAD, "", "of another record"));
	if ((r = game_is_checkable(v->game, e)) != 0)
		return (r);
	return (verify_find_texts(v, e));
}

/* Adds the lines of a text to a set. */
static int
verify_recall_set(json_t *set, const char *p, size_t n)
{
	const char *end = p + n, *lf;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL;
	     p = lf + 1) {
		if (json_object_setn_new_nocheck(
			set, p, (size_t)(lf - p), json_true()) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

int
verify_recall(struct verify *v)
{
	int r;

	if (v->unread == NULL)
		return (0);
	if ((r = verify_recall_set(v->used, v->unread, v->unread_used)) != 0 ||
	    (r = verify_recall_set(
		 v->named, v->unread + v->unread_used, v->unread_named)) != 0)
		return (r);
	free(v->unread);
	v->unread = NULL;
	return (0);
}
