/* SPDX-License-Identifier: ISC */
/*
 * What is kept beside a record may rot, and what a game is made of decides
 * what lines are written next: so nothing is believed but what has its hash
 * and belongs to the last line.
 */
#include "server/store/kept.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_now.h"
#include "common/game/game_take.h"
#include "common/record/record.h"
#include "server/store/store.h"

int
kept_blob(struct store *st, const uint8_t hash[HASH_LEN], struct buf *out)
{
	const size_t before = out->len;
	uint8_t got[HASH_LEN];
	int r;

	if ((r = store_blob_get(st, hash, out)) != 0)
		return (r);
	r = record_blob_hash(got, out->data + before, out->len - before);
	if (r != 0)
		return (r);
	return (memcmp(got, hash, HASH_LEN) == 0 ? 0 : ERR_BAD);
}

bool
kept_is_row(const struct store_game_row *row, const struct game *g)
{
	const char *how = game_how_name(game_how(g));

	return (row->seq == game_seq(g) && row->at_ms == game_at_ms(g) &&
	    row->turn == game_turn(g) &&
	    strcmp(row->system, game_system(g)) == 0 &&
	    strcmp(row->phase, game_phase_name(game_phase(g))) == 0 &&
	    row->is_private == game_is_private(g) &&
	    row->delay_turns == game_delay_turns(g) &&
	    row->delay_minutes == game_delay_minutes(g) &&
	    row->winner == game_winner(g) &&
	    strcmp(row->how, how == NULL ? "" : how) == 0);
}

int
kept_words(const struct game *g, struct store_game_row *row)
{
	struct buf words;
	int r;

	buf_init(&words, 0);
	game_title_write(g, &words);
	(void)snprintf(row->title, sizeof(row->title), "%s", buf_str(&words));
	if ((r = buf_error(&words)) == 0) {
		buf_reset(&words);
		game_now_write(g, &words);
		(void)snprintf(
		    row->now, sizeof(row->now), "%s", buf_str(&words));
		r = buf_error(&words);
	}
	buf_clear(&words);
	return (r);
}

int
kept_make(const struct store_game_row *row, const struct buf *snapshot,
    bool fits, const struct game_blobs *blobs, struct game **out,
    struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	struct game *g;
	int r;

	if (!fits)
		return (err_set(e, ERR_BAD, "",
		    "the state that is kept is not that of its last line"));
	r = game_load(snapshot->data, snapshot->len, blobs, &g, &why);
	if (r == ERR_NOMEM || r == ERR_STORAGE || r == ERR_IO)
		return (r);
	if (r != 0)
		return (err_set(e, ERR_BAD, "", "the state cannot be read: %s",
		    why.text[0] == '\0' ? err_text(r) : why.text));
	if (!kept_is_row(row, g)) {
		game_free(g);
		return (err_set(e, ERR_BAD, "",
		    "the list of games does not agree with the state"));
	}
	*out = g;
	return (0);
}
