/* SPDX-License-Identifier: ISC */
/*
 * Tournaments in memory, made of their lines, and what games have to do with
 * them: a game that is opened and one that is over have a line there, written
 * in the savepoint of the order that does it.  So one is there if and only if
 * the other is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hex.h"
#include "common/game/game_worth.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "common/tournament/tournament_game.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept_tournament.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* Finds one in memory; NULL if it is not. */
static struct ledger_tournament *
ledger_tournament_find(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_tournament *lt;

	TAILQ_FOREACH(lt, &l->tournaments, used)
	{
		if (memcmp(tournament_id(lt->t), id, HASH_LEN) != 0)
			continue;
		lt->batch = l->batch;
		TAILQ_REMOVE(&l->tournaments, lt, used);
		TAILQ_INSERT_HEAD(&l->tournaments, lt, used);
		return (lt);
	}
	return (NULL);
}

int
ledger_tournament_get(struct ledger *l, const uint8_t id[HASH_LEN],
    struct ledger_tournament **out, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	struct store_tournament_row row;
	struct tournament *t = NULL;
	char hex[2 * HASH_LEN + 1];
	int r;

	*out = ledger_tournament_find(l, id);
	if (*out != NULL)
		return (0);
	if ((r = store_tournament_find(l->store, id, &row)) != 0)
		return (r);
	r = kept_tournament(l->store, &row, &t, &why);
	if (r == ERR_BAD) {
		hex_format(hex, id, HASH_LEN);
		log_errorx("tournament %.16s is damaged: %s", hex, why.text);
		return (
		    err_set(e, ERR_DAMAGED, "", "%s", err_text(ERR_DAMAGED)));
	}
	return (r == 0 ? ledger_tournament_put(l, row.tid, t, out) : r);
}

int
ledger_tournament_of(struct ledger *l, const struct ledger_game *lg,
    struct ledger_tournament **out, struct errinfo *e)
{
	uint8_t id[HASH_LEN];
	int r;

	*out = NULL;
	if (!game_is_of_tournament(lg->game))
		return (0);
	r = store_tournament_of_game(l->store, lg->gid, id);
	if (r == 0)
		r = ledger_tournament_get(l, id, out, e);
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
ledger_tournament_put(struct ledger *l, int64_t tid, struct tournament *t,
    struct ledger_tournament **out)
{
	struct ledger_tournament *lt;

	if ((lt = calloc(1, sizeof(*lt))) == NULL) {
		tournament_free(t);
		return (ERR_NOMEM);
	}
	if (l->n_tournaments >= LEDGER_TOURNAMENTS)
		ledger_tournament_drop(
		    l, TAILQ_LAST(&l->tournaments, ledger_tournaments));
	lt->tid = tid;
	lt->t = t;
	lt->batch = l->batch;
	TAILQ_INSERT_HEAD(&l->tournaments, lt, used);
	l->n_tournaments++;
	*out = lt;
	return (0);
}

void
ledger_tournament_drop(struct ledger *l, struct ledger_tournament *lt)
{
	TAILQ_REMOVE(&l->tournaments, lt, used);
	l->n_tournaments--;
	tournament_free(lt->t);
	free(lt->tells);
	free(lt);
}

void
ledger_tournament_drop_batch(struct ledger *l)
{
	struct ledger_tournament *lt;

	/* Those that the batch used are in front. */
	while ((lt = TAILQ_FIRST(&l->tournaments)) != NULL &&
	    lt->batch == l->batch)
		ledger_tournament_drop(l, lt);
}

void
ledger_tournament_drop_all(struct ledger *l)
{
	struct ledger_tournament *lt;

	while ((lt = TAILQ_FIRST(&l->tournaments)) != NULL)
		ledger_tournament_drop(l, lt);
}

void
ledger_tournament_row(
    const struct tournament *t, struct store_tournament_row *row)
{
	const struct terms *terms = tournament_terms(t);

	memset(row, 0, sizeof(*row));
	memcpy(row->id, tournament_id(t), HASH_LEN);
	(void)snprintf(row->event, sizeof(row->event), "%s", terms->event);
	(void)snprintf(row->system, sizeof(row->system), "%s", terms->system);
	(void)snprintf(row->format, sizeof(row->format), "%s",
	    terms_formats[terms->format]);
	(void)snprintf(row->director, sizeof(row->director), "%s",
	    terms->director.account);
	(void)snprintf(row->phase, sizeof(row->phase), "%s",
	    tournament_phases[tournament_phase(t)]);
	row->is_private = terms->set.is_private;
	row->round = tournament_paired(t);
	row->rounds = tournament_rounds(t);
	row->entrants = tournament_entrants(t);
	row->seq = tournament_seq(t);
	row->at_ms = tournament_at_ms(t);
}

int
ledger_tournament_line(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, struct record_parts *p, const struct entry *o,
    const struct tournament_effects *fx)
{
	struct store_tournament_line line = {.tid = lt->tid};
	struct store_tournament_row row;
	struct ledger_more *more;
	int r;

	p->of = RECORD_OF_TOURNAMENT;
	p->game = tournament_id(lt->t);
	p->seq = tournament_seq(lt->t) + 1;
	p->prev = tournament_head(lt->t);
	p->dice = fx->dice;
	p->pool = fx->has_pool ? fx->pool : NULL;
	p->events = fx->events;
	if ((more = ledger_server_more(slot)) == NULL)
		return (ERR_NOMEM);
	more->is_tournament = true;
	memcpy(more->game, p->game, HASH_LEN);
	more->seq = p->seq;
	r = record_write(p, l->conf.identity, &more->line, line.hash);
	if (r != 0)
		return (r);
	line.seq = p->seq;
	line.bytes = more->line.data;
	line.len = more->line.len;
	if (o != NULL) {
		line.oid = o->oid;
		line.account = o->by;
		line.nonce = o->nonce;
	}
	if ((r = store_tournament_line(l->store, &line)) != 0)
		return (r);
	slot->job->written += (int64_t)line.len;
	tournament_advance(lt->t, p->at_ms, line.hash);
	ledger_tournament_row(lt->t, &row);
	row.tid = lt->tid;
	if ((r = store_tournament_update(l->store, &row)) != 0)
		return (r);
	return (ledger_tell(l, lt, slot->job->account));
}

int
ledger_tournament_look_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    struct tournament_look *look, struct errinfo *e)
{
	const struct ledger_look *lk = arg;
	struct ledger_game *lg;
	int r;

	r = ledger_game_get(lk->l, game, &lg, e);
	if (r == ERR_NOTFOUND)
		return (err_set(e, ERR_MISSING, "", "a game is not here"));
	if (r != 0)
		return (r);
	if (seq >= 0 && seq != game_seq(lg->game))
		return (err_set(e, ERR_MISSING, "",
		    "the game has gone on since that line"));
	r = tournament_look_at(
	    lg->game, tournament_terms(lk->lt->t)->resign, look);
	/* Of a game that halted no battle points are asked. */
	return (r == ERR_MISSING && look->is_halted ? 0 : r);
}

/* Writes a line of the server into a tournament. */
static int
ledger_tournament_server(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const char *what, const json_t *data,
    int64_t at_ms)
{
	struct record_parts p = {
	    .kind = RECORD_SERVER, .what = what, .data = data};
	struct ledger_look look = {l, lt};
	const struct tournament_games games = {
	    ledger_tournament_look_cb, &look};
	struct tournament_effects fx = {0};
	struct errinfo why = {.text = ""};
	struct tournament_line tl = {.games = &games, .fx = &fx, .e = &why};
	int r;

	p.at_ms =
	    at_ms > tournament_at_ms(lt->t) ? at_ms : tournament_at_ms(lt->t);
	tl.at_ms = p.at_ms;
	r = tournament_take_server(lt->t, what, data, &tl);
	if (r == 0)
		r = ledger_tournament_line(l, slot, lt, &p, NULL, &fx);
	else if (r == ERR_ILLEGAL)
		log_errorx("a tournament does not take its line \"%s\": %s: %s",
		    what, why.where, why.text);
	tournament_effects_clear(&fx);
	return (r == ERR_ILLEGAL ? ERR_INTERNAL : r);
}

int
ledger_tournament_check_create(
    struct ledger_order *lo, const struct order_create *c)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	int r;

	r = ledger_tournament_get(lo->l, c->tournament, &lo->cup, &job->e);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "order.args.tournament",
		    "there is no such tournament here"));
	if (r != 0)
		return (r);
	r = tournament_check_create(
	    lo->cup->t, o->args, o->seat, job->key, &lo->place, &job->e);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "order.args.paired",
		    "the line of that pairing is not here"));
	return (r);
}

int
ledger_tournament_check_join(
    struct ledger_order *lo, const struct order_join *j)
{
	struct tournament_place place;
	int r;

	r = tournament_find_game(lo->cup->t, lo->job->order.game, &place);
	if (r != 0)
		return (ledger_fault(lo->l, r, "find the leg of a game"));
	return (tournament_check_join(lo->cup->t, &place, j, &lo->job->e));
}

int
ledger_tournament_result(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct ledger_game *lg)
{
	struct tournament_look look;
	json_t *data;
	int r;

	r = tournament_look_at(
	    lg->game, tournament_terms(lt->t)->resign, &look);
	if (!look.is_over)
		return (0);
	if (r != 0 && (r != ERR_MISSING || !look.is_halted))
		return (r);
	r = tournament_result_data(lt->t, game_id(lg->game), &look, &data);
	if (r != 0 || data == NULL)
		return (r);
	r = ledger_tournament_server(
	    l, slot, lt, "result", data, game_at_ms(lg->game));
	json_decref(data);
	return (r);
}

int
ledger_tournament_follow(struct ledger_order *lo)
{
	const struct tournament_place *place = &lo->place;
	const struct order *o = &lo->job->order;
	json_t *data;
	int r;

	if (lo->cup == NULL)
		return (0);
	if (o->kind != ORDER_CREATE && lo->phase == GAME_MUSTER) {
		r = ledger_tell_come(lo->l, lo->cup, lo->lg);
		if (r != 0)
			return (r);
	}
	if (o->kind != ORDER_CREATE)
		return (
		    ledger_tournament_result(lo->l, lo->slot, lo->cup, lo->lg));
	if ((data = tournament_game_data(place, o->game)) == NULL)
		return (ERR_NOMEM);
	r = ledger_tournament_server(
	    lo->l, lo->slot, lo->cup, "game", data, o->at_ms);
	json_decref(data);
	if (r == 0)
		r = store_tournament_game(lo->l->store, lo->cup->tid, lo->gid,
		    place->round, place->table, place->leg);
	return (r != 0 ? r : ledger_tell_come(lo->l, lo->cup, lo->lg));
}

/* Ids of tournaments, one after the other. */
static int
ledger_tournament_id_cb(void *arg, const uint8_t id[HASH_LEN])
{
	struct buf *ids = arg;

	buf_add(ids, id, HASH_LEN);
	return (buf_error(ids));
}

/* Writes a statement into one tournament. */
static int
ledger_tournament_state_one(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct statement *s, int64_t now_ms)
{
	const struct ledger_job *job = slot->job;
	struct record_parts p = {.kind = RECORD_KEY,
	    .by = job->account,
	    .key = job->key,
	    .text = job->text,
	    .text_len = strlen(job->text),
	    .sig = job->sig};
	struct tournament_effects fx = {0};
	struct tournament_line tl = {.fx = &fx, .e = &slot->job->e};
	int r;

	p.at_ms =
	    now_ms > tournament_at_ms(lt->t) ? now_ms : tournament_at_ms(lt->t);
	tl.at_ms = p.at_ms;
	r = tournament_take_key(lt->t, job->account, s, job->key, &tl);
	if (r == 0)
		r = ledger_tournament_line(l, slot, lt, &p, NULL, &fx);
	tournament_effects_clear(&fx);
	return (r);
}

int
ledger_tournament_state(struct ledger *l, struct ledger_slot *slot,
    const struct statement *s, int64_t now_ms)
{
	const char *account = slot->job->account;
	struct ledger_tournament *lt;
	struct buf ids;
	size_t i;
	int r;

	buf_init(&ids, 0);
	r = store_tournament_of_account(
	    l->store, account, ledger_tournament_id_cb, &ids);
	for (i = 0; r == 0 && i < ids.len; i += HASH_LEN) {
		r = ledger_tournament_get(
		    l, (const uint8_t *)ids.data + i, &lt, &slot->job->e);
		if (r == ERR_DAMAGED) {
			memset(&slot->job->e, 0, sizeof(slot->job->e));
			r = 0;
		} else if (r == 0 && tournament_takes_keys(lt->t, account)) {
			r = ledger_tournament_state_one(l, slot, lt, s, now_ms);
		}
	}
	buf_clear(&ids);
	return (r);
}
