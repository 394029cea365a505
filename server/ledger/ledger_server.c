/* SPDX-License-Identifier: ISC */
/*
 * Lines that the server writes of its own accord (record S4), by the
 * operator's word: no order is behind them, so nobody but the operator can
 * have one refused.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

struct ledger_more *
ledger_server_more(struct ledger_slot *slot)
{
	struct ledger_more *more;

	more = realloc(slot->more, (slot->n_more + 1) * sizeof(*more));
	if (more == NULL)
		return (NULL);
	slot->more = more;
	more += slot->n_more++;
	memset(more, 0, sizeof(*more));
	buf_init(&more->line, RECORD_LINE_MAX);
	return (more);
}

/* Stores the line, and the text that it names. */
static int
ledger_server_put(struct ledger *l, const struct ledger_game *lg,
    const struct ledger_more *more, const struct game_effects *fx,
    const uint8_t hash[HASH_LEN], const struct ledger_text *text)
{
	struct store_line line = {.gid = lg->gid,
	    .seq = more->seq,
	    .bytes = more->line.data,
	    .len = more->line.len,
	    .pool = fx->place_pool,
	    .place = fx->place[0] != '\0' ? fx->place : NULL};
	int r;

	memcpy(line.hash, hash, HASH_LEN);
	if ((r = store_record_insert(l->store, &line)) != 0 || text == NULL)
		return (r);
	if ((r = store_text_insert(l->store, lg->gid, text->ref, text->salt,
		 text->value, text->len, 0)) != 0 ||
	    (r = store_text_share(l->store, lg->gid, text->ref, 0)) != 0)
		return (r);
	return (
	    store_side_name(l->store, lg->gid, more->seq, false, text->ref));
}

/* Forgets what is no longer waiting for anything. */
static int
ledger_server_forget(struct ledger *l, const struct ledger_game *lg,
    const struct game_effects *fx)
{
	const json_t *v;
	size_t i;
	int r;

	if (!game_has_held(lg->game) &&
	    (r = store_secret_delete(l->store, lg->gid)) != 0)
		return (r);
	if (game_is_finished(lg->game))
		return (store_standing_clear(l->store, lg->gid));
	json_array_foreach(fx->opened_standing, i, v)
	{
		r = store_standing_delete(
		    l->store, lg->gid, json_integer_value(v));
		if (r != 0)
			return (r);
	}
	return (0);
}

int
ledger_server_write(struct ledger *l, struct ledger_slot *slot,
    struct ledger_game *lg, const struct ledger_server *sl)
{
	const enum game_phase phase = game_phase(lg->game);
	struct ledger_job *job = slot->job;
	struct game *g = lg->game;
	struct record_parts p = {.game = game_id(g),
	    .seq = game_seq(g) + 1,
	    .prev = game_head(g),
	    .at_ms = sl->at_ms,
	    .kind = RECORD_SERVER,
	    .what = sl->what,
	    .data = sl->data};
	struct ledger_tournament *cup;
	struct game_effects fx;
	struct ledger_more *more;
	uint8_t hash[HASH_LEN];
	size_t at;
	int r;

	if (strcmp(sl->what, "restored") != 0 &&
	    (r = ledger_recovery_check(l, p.game, &job->e)) != 0)
		return (r);
	r = ledger_tournament_of(l, lg, &cup, &job->e);
	if (r != 0)
		return (ledger_fault(l, r, "read a tournament"));
	ledger_tournament_date(lg, cup, &p.at_ms);
	r = game_take_server(g, p.what, p.data, p.at_ms, &fx, &job->e);
	if (r == ERR_ILLEGAL)
		return (r);
	if (r != 0)
		goto fail;
	p.events = fx.events;
	p.pool = fx.has_pool ? fx.pool : NULL;
	r = ERR_NOMEM;
	if ((more = ledger_server_more(slot)) == NULL)
		goto out;
	at = slot->n_more - 1;
	memcpy(more->game, p.game, HASH_LEN);
	more->seq = p.seq;
	r = record_write(&p, l->conf.identity, &more->line, hash);
	if (r == 0 &&
	    (r = ledger_server_put(l, lg, more, &fx, hash, sl->text)) == 0 &&
	    (r = ledger_server_forget(l, lg, &fx)) == 0) {
		game_advance(g, p.at_ms, hash);
		r = ledger_game_store(l, lg->gid, g);
	}
	if (r == 0 && phase == GAME_MUSTER && game_phase(g) != GAME_MUSTER)
		r = store_invite_end(l->store, lg->gid);
	if (r == 0 && cup != NULL)
		r = ledger_tournament_result(l, slot, cup, g, game_at_ms(g));
	if (r == 0)
		r = ledger_notice_game(l, lg, -1);
out:
	game_effects_clear(&fx);
	if (r == 0) {
		job->seq = p.seq;
		job->written += (int64_t)slot->more[at].line.len;
		memcpy(slot->listed.game, p.game, HASH_LEN);
		slot->listed.has_begun =
		    phase == GAME_MUSTER && game_phase(g) != GAME_MUSTER;
		slot->is_listed = game_phase(g) != phase;
		return (0);
	}
fail:
	/* Nothing may be built on what was left half done. */
	ledger_key_clear(slot);
	ledger_game_drop(l, lg);
	if (cup != NULL)
		ledger_tournament_drop(l, cup);
	return (ledger_fault(l, r, "write a line of the server"));
}

int
ledger_server_resolve(struct ledger *l, struct ledger_job *job)
{
	int game, tournament;
	uint8_t id[HASH_LEN];

	if (job->digits[0] == '\0')
		return (0);
	game = store_game_digits(l->store, job->digits, job->game);
	tournament = store_tournament_digits(l->store, job->digits, id);
	if (game == ERR_NOTFOUND && tournament == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_NOTFOUND, "game",
		    "no game or tournament here begins with \"%s\"",
		    job->digits));
	if (game != 0 && game != ERR_NOTFOUND && game != ERR_EXISTS)
		return (ledger_fault(l, game, "find a game"));
	if (tournament != 0 && tournament != ERR_NOTFOUND &&
	    tournament != ERR_EXISTS)
		return (ledger_fault(l, tournament, "find a tournament"));
	if (game != ERR_NOTFOUND && (game != 0 || tournament != ERR_NOTFOUND))
		tournament = ERR_EXISTS;
	if (tournament == ERR_EXISTS)
		return (err_set(&job->e, ERR_INVALID, "game",
		    "more than one game or tournament begins with \"%s\": give "
		    "more of its digits",
		    job->digits));
	job->is_tournament = tournament == 0;
	if (job->is_tournament)
		memcpy(job->game, id, HASH_LEN);
	return (0);
}

int
ledger_server_find(
    struct ledger *l, struct ledger_job *job, struct ledger_game **out)
{
	int r;

	r = ledger_game_get(l, job->game, out, &job->e);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "game", "no such game"));
	return (r == 0 ? 0 : ledger_fault(l, r, "read a game"));
}

int
ledger_server_why(struct ledger_job *job)
{
	struct ledger_text *t = &job->texts[0];
	int r;

	if (job->n_texts != 1 || t->len == 0)
		return (err_set(
		    &job->e, ERR_INVALID, "why", "must not be empty: say why"));
	if (t->len > RECORD_TEXT_MAX)
		return (err_set(&job->e, ERR_TOOBIG, "why",
		    "has %zu bytes; at most %d are allowed", t->len,
		    RECORD_TEXT_MAX));
	if (!utf8_is_valid(t->value, t->len) ||
	    memchr(t->value, '\0', t->len) != NULL)
		return (err_set(&job->e, ERR_INVALID, "why",
		    "must be UTF-8 without U+0000"));
	if ((r = hash_random(t->salt, sizeof(t->salt))) == 0)
		r = record_text_ref(t->ref, t->salt, t->value, t->len);
	return (r);
}

int
ledger_server_close(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct ledger_server sl = {.what = "closed", .text = &job->texts[0]};
	struct ledger_game *lg;
	int r;

	ledger_key_clear(slot);
	if ((r = ledger_clock_read(&l->clock, &sl.at_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	if ((r = ledger_server_why(job)) != 0 ||
	    (r = ledger_server_resolve(l, job)) != 0)
		return (r);
	if (job->is_tournament)
		return (ledger_operator_close(l, slot));
	if ((r = ledger_server_find(l, job, &lg)) != 0)
		return (r);
	if (game_is_finished(lg->game))
		return (err_set(&job->e, ERR_ILLEGAL, "game",
		    "the game is closed already, in line %lld",
		    (long long)game_seq(lg->game)));
	sl.data = json_pack("{s:o}", "why", js_hex(sl.text->ref, HASH_LEN));
	r = sl.data == NULL ? ERR_NOMEM : ledger_server_write(l, slot, lg, &sl);
	json_decref(sl.data);
	return (r);
}
