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

void
ledger_tournament_made(struct ledger *l, struct tournament *t)
{
	struct tournament *old;

	pthread_mutex_lock(&l->lock);
	old = l->made[l->made_next];
	l->made[l->made_next] = t;
	l->made_next = (l->made_next + 1) % LEDGER_MADE;
	pthread_mutex_unlock(&l->lock);
	tournament_free(old);
}

/* Whether the maker has made one; if so takes it out, unless out is NULL. */
static bool
ledger_tournament_fetch(
    struct ledger *l, const uint8_t id[HASH_LEN], struct tournament **out)
{
	bool is_there = false;
	size_t i;

	pthread_mutex_lock(&l->lock);
	for (i = 0; i < LEDGER_MADE && !is_there; i++) {
		if (l->made[i] == NULL ||
		    memcmp(tournament_id(l->made[i]), id, HASH_LEN) != 0)
			continue;
		is_there = true;
		if (out == NULL)
			continue;
		*out = l->made[i];
		l->made[i] = NULL;
	}
	pthread_mutex_unlock(&l->lock);
	return (is_there);
}

bool
ledger_tournament_await(
    struct ledger *l, struct ledger_slot *slot, const uint8_t id[HASH_LEN])
{
	struct ledger_job *job = slot->job;
	struct store_tournament_row row;

	if (job->has_waited || ledger_tournament_find(l, id) != NULL ||
	    store_tournament_find(l->store, id, &row) != 0 ||
	    row.seq < LEDGER_LONG || ledger_tournament_fetch(l, id, NULL))
		return (false);
	job->is_waiting = slot->is_parked = true;
	memcpy(job->wanted, id, HASH_LEN);
	(void)err_set(&job->e, ERR_BUSY, "",
	    "the tournament is being read; send it again");
	return (true);
}

bool
ledger_tournament_await_of(
    struct ledger *l, struct ledger_slot *slot, const struct ledger_game *lg)
{
	uint8_t id[HASH_LEN];

	return (game_is_of_tournament(lg->game) &&
	    store_tournament_of_game(l->store, lg->gid, id) == 0 &&
	    ledger_tournament_await(l, slot, id));
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
	/* From where it was made on, if it was. */
	(void)ledger_tournament_fetch(l, id, &t);
	r = kept_tournament(l->store, &row, true, &t, &why);
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

void
ledger_tournament_date(const struct ledger_game *lg,
    const struct ledger_tournament *lt, int64_t *at_ms)
{
	if (*at_ms < game_at_ms(lg->game))
		*at_ms = game_at_ms(lg->game);
	if (lt != NULL && *at_ms < tournament_at_ms(lt->t))
		*at_ms = tournament_at_ms(lt->t);
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

	if (lk->one != NULL && memcmp(game, lk->game, HASH_LEN) == 0 &&
	    (seq < 0 || seq == lk->one->seq)) {
		*look = *lk->one;
		return (0);
	}

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

int
ledger_tournament_server(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct ledger_server *sl,
    struct ledger_look *look, struct errinfo *e)
{
	const int64_t last_ms = tournament_at_ms(lt->t);
	struct record_parts p = {
	    .at_ms = sl->at_ms > last_ms ? sl->at_ms : last_ms,
	    .kind = RECORD_SERVER,
	    .what = sl->what,
	    .data = sl->data};
	const struct ledger_text *t = sl->text;
	const struct tournament_games games = {ledger_tournament_look_cb, look};
	struct tournament_effects fx = {0};
	struct tournament_line tl = {
	    .games = &games, .at_ms = p.at_ms, .fx = &fx, .e = e};
	int r;

	r = tournament_take_server(lt->t, sl->what, sl->data, &tl);
	if (r == 0)
		r = ledger_tournament_line(l, slot, lt, &p, NULL, &fx);
	tournament_effects_clear(&fx);
	if (r != 0 || t == NULL)
		return (r);
	r = store_tournament_text(
	    l->store, lt->tid, t->ref, t->salt, t->value, t->len);
	return (r == 0 ? store_tournament_name(l->store, lt->tid,
			     tournament_seq(lt->t), false, t->ref)
		       : r);
}

/* Writes a line that carries no choice, which must be taken. */
static int
ledger_tournament_derive(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct ledger_server *sl,
    struct ledger_look *look)
{
	struct errinfo why = {.text = ""};
	int r;

	r = ledger_tournament_server(l, slot, lt, sl, look, &why);
	if (r != ERR_ILLEGAL)
		return (r);
	log_errorx("a tournament does not take its line \"%s\": %s: %s",
	    sl->what, why.where, why.text);
	return (ERR_INTERNAL);
}

int
ledger_tournament_check_create(
    struct ledger_order *lo, const struct order_create *c)
{
	struct ledger_job *job = lo->job;
	const struct order *o = &job->order;
	int r;

	if (ledger_tournament_await(lo->l, lo->slot, c->tournament))
		return (ERR_BUSY);
	r = ledger_tournament_get(lo->l, c->tournament, &lo->cup, &job->e);
	if (r == ERR_NOTFOUND &&
	    ledger_recovery_check(lo->l, c->tournament, &job->e) != 0)
		return (ERR_RECOVERING);
	/* Who is not in a private one learns nothing of it. */
	if (r == 0 && tournament_terms(lo->cup->t)->set.is_private)
		r = store_tournament_is_here(
		    lo->l->store, lo->cup->tid, job->account);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "order.args.tournament",
		    "there is no such tournament here"));
	if (r != 0)
		return (r);
	if ((r = ledger_recovery_check(lo->l, c->tournament, &job->e)) != 0)
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
    struct ledger_tournament *lt, const struct game *g, int64_t at_ms)
{
	struct ledger_server sl = {.what = "result", .at_ms = at_ms};
	struct tournament_look one;
	struct ledger_look look = {l, lt, &one, game_id(g)};
	int r;

	/* Its number may be that of a line that was lost. */
	if (ledger_recovery_find(l, tournament_id(lt->t)) != NULL)
		return (0);
	r = tournament_look_at(g, tournament_terms(lt->t)->resign, &one);
	if (!one.is_over)
		return (0);
	if (r != 0 && (r != ERR_MISSING || !one.is_halted))
		return (r);
	r = tournament_result_data(lt->t, game_id(g), &one, &sl.data);
	if (r != 0 || sl.data == NULL)
		return (r);
	r = ledger_tournament_derive(l, slot, lt, &sl, &look);
	json_decref(sl.data);
	return (r);
}

int
ledger_tournament_game(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct tournament_place *place,
    const uint8_t game[HASH_LEN], int64_t at_ms)
{
	struct ledger_server sl = {.what = "game", .at_ms = at_ms};
	struct ledger_look look = {.l = l, .lt = lt};
	int r;

	if ((sl.data = tournament_game_data(place, game)) == NULL)
		return (ERR_NOMEM);
	r = ledger_tournament_derive(l, slot, lt, &sl, &look);
	json_decref(sl.data);
	return (r);
}

int
ledger_tournament_follow(struct ledger_order *lo)
{
	const struct tournament_place *place = &lo->place;
	const struct order *o = &lo->job->order;
	int r;

	if (lo->cup == NULL)
		return (0);
	if (o->kind != ORDER_CREATE && lo->phase == GAME_MUSTER) {
		r = ledger_tell_come(lo->l, lo->cup, lo->lg);
		if (r != 0)
			return (r);
	}
	if (o->kind != ORDER_CREATE)
		return (ledger_tournament_result(lo->l, lo->slot, lo->cup,
		    lo->lg->game, game_at_ms(lo->lg->game)));
	r = ledger_tournament_game(
	    lo->l, lo->slot, lo->cup, place, o->game, o->at_ms);
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
    struct ledger_tournament *lt, const struct statement *s,
    const struct store_statement *as, int64_t now_ms)
{
	struct record_parts p = {.kind = RECORD_KEY,
	    .by = s->account,
	    .key = as->key,
	    .text = as->text,
	    .text_len = strlen(as->text),
	    .sig = as->sig};
	struct tournament_effects fx = {0};
	struct tournament_line tl = {.fx = &fx, .e = &slot->job->e};
	int r;

	p.at_ms =
	    now_ms > tournament_at_ms(lt->t) ? now_ms : tournament_at_ms(lt->t);
	tl.at_ms = p.at_ms;
	r = tournament_take_key(lt->t, s->account, s, as->key, &tl);
	if (r == 0)
		r = ledger_tournament_line(l, slot, lt, &p, NULL, &fx);
	tournament_effects_clear(&fx);
	return (r);
}

int
ledger_tournament_catch_up(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const char *account, int64_t now_ms)
{
	uint8_t key[SIGN_KEY_LEN], sig[SIGN_LEN];
	struct store_statement as = {.key = key, .sig = sig};
	struct ledger_job *job = slot->job;
	struct statement s;
	struct buf text;
	int64_t n;
	int r = 0;

	buf_init(&text, 0);
	for (n = tournament_stated(lt->t, account) + 1; r == 0; n++) {
		buf_reset(&text);
		r = store_account_statement(
		    l->store, account, n, &text, key, sig);
		if (r != 0)
			break;
		as.text = buf_str(&text);
		r = statement_parse(as.text, text.len, &s, &job->e);
		if (r != 0)
			break;
		r = ledger_tournament_state_one(l, slot, lt, &s, &as, now_ms);
		statement_clear(&s);
	}
	buf_clear(&text);
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
ledger_tournament_state(
    struct ledger *l, struct ledger_slot *slot, int64_t now_ms)
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
		} else if (r == 0 && tournament_takes_keys(lt->t, account) &&
		    ledger_recovery_find(l, tournament_id(lt->t)) == NULL) {
			r = ledger_tournament_catch_up(
			    l, slot, lt, account, now_ms);
		}
	}
	buf_clear(&ids);
	return (r);
}
