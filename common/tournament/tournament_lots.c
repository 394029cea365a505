/* SPDX-License-Identifier: ISC */
/*
 * Lots (record S17): the pool that `shut` fixes, the contributions of all who
 * check in, and the draw.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/expand.h"
#include "common/game/game_dice.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/pairing/berger.h"
#include "common/pairing/bracket.h"
#include "common/tournament/tournament_int.h"

#define TOURNAMENT_LOTS_PLACE "l/1"

void
tournament_checkin_place(const struct tournament *t, char place[16])
{
	(void)snprintf(place, 16, "c/%d", t->restored);
}

int
tournament_lots_input(const struct tournament *t, const char *tag,
    const char *place, struct buf *out)
{
	uint8_t base[HASH_LEN];
	int r;

	r = game_base(t->create.tournament, t->pool, place, base);
	if (r != 0)
		return (r);
	buf_add(out, tag, strlen(tag) + 1);
	buf_add(out, base, HASH_LEN);
	return (buf_error(out));
}

/* Checks a contribution over the pool as it now is. */
static int
tournament_lots_check(const struct tournament *t,
    const struct tournament_line *l, const uint8_t key[VRF_KEY_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	r = tournament_lots_input(t, "umpire/own/1", l->o->place, &b);
	if (r == 0)
		r = vrf_check(key, b.data, b.len, l->o->own, beta);
	buf_clear(&b);
	if (r == ERR_PROOF)
		r = tournament_illegal(l, "order.own",
		    "the proof does not hold for this place and dice key");
	return (r);
}

/* The pool of all who are admitted when entries end. */
static int
tournament_lots_pool0(struct tournament *t, const struct tournament_line *l)
{
	const struct tournament_entrant *x;
	uint32_t n = 0;
	struct buf b;
	size_t i;
	int r;

	for (i = 0; i < t->n_entrants; i++)
		n += tournament_is_admitted(t, &t->entrants[i]);
	buf_init(&b, 0);
	buf_add(&b, t->create.tournament, HASH_LEN);
	buf_add(&b, t->terms.set.server_dice, VRF_KEY_LEN);
	buf_u32(&b, n);
	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		if (!tournament_is_admitted(t, x))
			continue;
		buf_u32(&b, (uint32_t)(i + 1));
		buf_add(&b, x->dice_key, VRF_KEY_LEN);
	}
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(t->pool, "umpire/tstart/1", b.data, b.len);
	buf_clear(&b);
	if (r != 0)
		return (r);
	l->fx->has_pool = true;
	memcpy(l->fx->pool, t->pool, HASH_LEN);
	return (0);
}

int
tournament_shut(struct tournament *t, const struct tournament_line *l)
{
	const struct tournament_account *a = tournament_author(t, l->o);
	json_t *list = json_array();
	size_t i;
	int bad = 0, r = 0;

	if (!a->is_director &&
	    (t->at_ms < t->terms.until_ms || t->now_ms < t->terms.until_ms)) {
		json_decref(list);
		return (tournament_early(l, "order.by",
		    "only a director ends the entries", t->terms.until_ms));
	}
	for (i = 0; i < t->n_entrants; i++) {
		if (tournament_is_admitted(t, &t->entrants[i]))
			bad |= json_array_append_new(
			    list, json_integer((json_int_t)i + 1));
	}
	if (bad != 0 || (r = tournament_lots_pool0(t, l)) != 0) {
		json_decref(list);
		return (bad != 0 ? ERR_NOMEM : r);
	}
	t->phase = TOURNAMENT_CHECKIN;
	t->shut_ms = t->at_ms;
	t->shut_seq = t->seq + 1;
	tournament_lots_complete(t);
	return (tournament_event(
	    l, json_pack("{s:s, s:o}", "e", "shut", "entrants", list)));
}

/* True for an entrant who may check in. */
static bool
tournament_may_check_in(
    const struct tournament *t, const struct tournament_entrant *x)
{
	return (!x->is_late && tournament_is_admitted(t, x));
}

void
tournament_lots_complete(struct tournament *t)
{
	size_t i;

	if (t->phase != TOURNAMENT_CHECKIN || t->complete_ms >= 0)
		return;
	for (i = 0; i < t->n_entrants; i++) {
		if (tournament_may_check_in(t, &t->entrants[i]) &&
		    !t->entrants[i].has_checked_in)
			return;
	}
	t->complete_ms = t->at_ms;
}

int
tournament_checkin(struct tournament *t, const struct tournament_line *l)
{
	const struct tournament_account *a = tournament_author(t, l->o);
	struct tournament_entrant *x = tournament_entrant(t, a->number);
	uint8_t beta[VRF_BETA_LEN];
	char place[16];
	int r;

	if (x == NULL || !tournament_may_check_in(t, x))
		return (tournament_illegal(l, "order.by",
		    x == NULL ? "only an entrant checks in"
			      : "only who is admitted and has not withdrawn "
				"checks in"));
	tournament_checkin_place(t, place);
	if (strcmp(l->o->place, place) != 0)
		return (tournament_illegal(l, "order.place",
		    "the record now calls for the place \"%s\"", place));
	if (x->has_checked_in)
		return (tournament_illegal(l, "order.kind",
		    "they have checked in: lots are drawn once all have"));
	if ((r = tournament_lots_check(t, l, x->dice_key, beta)) != 0)
		return (r);
	x->has_checked_in = true;
	memcpy(x->beta, beta, VRF_BETA_LEN);
	tournament_lots_complete(t);
	return (0);
}

int
tournament_lots_restore(struct tournament *t, int64_t seq)
{
	struct buf b;
	size_t i;
	int r;

	buf_init(&b, 0);
	buf_add(&b, t->pool, HASH_LEN);
	buf_u64(&b, (uint64_t)seq);
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(t->pool, "umpire/tpool/1", b.data, b.len);
	buf_clear(&b);
	if (r != 0)
		return (r);
	for (i = 0; i < t->n_entrants; i++)
		t->entrants[i].has_checked_in = false;
	t->restored++;
	t->shut_ms = t->at_ms;
	t->shut_seq = t->seq + 1;
	t->complete_ms = -1;
	tournament_lots_complete(t);
	return (0);
}

/* The pool of all who checked in, also those who withdrew afterwards. */
static int
tournament_lots_pool1(const struct tournament *t, uint8_t pool[HASH_LEN])
{
	uint32_t n = 0;
	struct buf b;
	size_t i;
	int r;

	for (i = 0; i < t->n_entrants; i++)
		n += t->entrants[i].has_checked_in;
	buf_init(&b, 0);
	buf_add(&b, t->pool, HASH_LEN);
	buf_u32(&b, n);
	for (i = 0; i < t->n_entrants; i++) {
		if (t->entrants[i].has_checked_in)
			buf_add(&b, t->entrants[i].beta, VRF_BETA_LEN);
	}
	if ((r = buf_error(&b)) == 0)
		r = hash_tagged(pool, "umpire/tpool/1", b.data, b.len);
	buf_clear(&b);
	return (r);
}

int
tournament_lots_own(const struct tournament *t, char place[16], struct buf *out)
{
	struct tournament then = *t;
	int r;

	if ((r = tournament_lots_pool1(t, then.pool)) != 0)
		return (r);
	(void)snprintf(place, 16, "%s", TOURNAMENT_LOTS_PLACE);
	return (tournament_lots_input(&then, "umpire/own/1", place, out));
}

/* How many rounds there are for n who start (S18.5). */
static void
tournament_plan(struct tournament *t, int n)
{
	const struct terms *terms = &t->terms;
	int most = n % 2 == 0 ? n - 1 : n;

	t->rounds_swiss = 0;
	t->rounds_all = 0;
	if (terms_has_swiss(terms)) {
		t->rounds_swiss = terms->rounds < most ? terms->rounds : most;
		t->rounds_all = t->rounds_swiss;
	} else if (terms->format == TERMS_ROUNDROBIN) {
		t->rounds_swiss = berger_rounds(n, terms->rounds);
		t->rounds_all = t->rounds_swiss;
	}
	if (terms->format == TERMS_SWISS_KNOCKOUT) {
		while (t->cut > n)
			t->cut /= 2;
		t->rounds_all += bracket_rounds(t->cut);
	} else if (terms->format == TERMS_KNOCKOUT) {
		t->rounds_all = bracket_rounds(n);
	}
}

/* Those who are in and draw lots; new, the first *n. */
static int *
tournament_lots_who(const struct tournament *t, size_t *n)
{
	int *who = calloc(t->n_entrants + 1, sizeof(*who));
	size_t i;

	*n = 0;
	for (i = 0; who != NULL && i < t->n_entrants; i++) {
		if (t->entrants[i].has_checked_in &&
		    tournament_is_admitted(t, &t->entrants[i]))
			who[(*n)++] = (int)i + 1;
	}
	return (who);
}

/* Draws the order of n numbers, and the initial side. */
static int
tournament_lots_draw(const uint8_t beta[VRF_BETA_LEN], const int *who, size_t n,
    int *order, uint16_t *side)
{
	char(*ids)[12] = calloc(n, sizeof(*ids));
	const char **names = calloc(n, sizeof(*names));
	uint16_t *picks = calloc(n, sizeof(*picks));
	size_t i;
	int r = ERR_NOMEM;

	if (ids == NULL || names == NULL || picks == NULL)
		goto out;
	for (i = 0; i < n; i++) {
		(void)snprintf(ids[i], sizeof(ids[i]), "%d", who[i]);
		names[i] = ids[i];
	}
	r = expand_draw(beta, "order", names, (unsigned)n, (unsigned)n, picks);
	if (r == 0)
		r = expand_roll(beta, "side", 2, 1, side);
	for (i = 0; r == 0 && i < n; i++)
		order[i] = who[picks[i]];
out:
	free(ids);
	free(names);
	free(picks);
	return (r);
}

/* The line's dice, as S6.4 has them; new, NULL without memory. */
static json_t *
tournament_lots_dice(
    const uint8_t proof[VRF_PROOF_LEN], const int *order, size_t n, int side)
{
	json_t *chits = json_array();
	char id[12];
	size_t i;
	int bad = 0;

	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "%d", order[i]);
		bad |= json_array_append_new(chits, json_string(id));
	}
	return (js_made(
	    json_pack("{s:s, s:o, s:[{s:s, s:i, s:o}, {s:s, s:i, s:[i]}]}",
		"place", TOURNAMENT_LOTS_PLACE, "proof",
		js_hex(proof, VRF_PROOF_LEN), "rolls", "label", "order", "bag",
		(int)n, "chits", chits, "label", "side", "sides", 2, "dice",
		side),
	    bad));
}

/* The lots event. */
static int
tournament_lots_tell(
    const struct tournament *t, const struct tournament_line *l)
{
	json_t *order = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < t->n_lots; i++)
		bad |= json_array_append_new(order, json_integer(t->lots[i]));
	return (tournament_event(l,
	    js_made(json_pack("{s:s, s:o, s:i, s:i}", "e", "lots", "order",
			order, "side", t->initial, "rounds", t->rounds_all),
		bad)));
}

int64_t
tournament_start_ms(const struct tournament *t)
{
	const int64_t since = t->shut_ms + 1000 * t->terms.checkin_s;

	return (t->complete_ms >= 0 && t->complete_ms < since ? t->complete_ms
							      : since);
}

/* Checks who may start, and when; with a witness see S17. */
static int
tournament_check_start(const struct tournament *t,
    const struct tournament_line *l, bool *is_witness)
{
	const int64_t since = tournament_start_ms(t);
	const bool holds = tournament_is_witness(t, l->o->by);
	bool is_alone;

	if (!tournament_passed(t, since, 0))
		return (tournament_early(l, "order.kind",
		    "lots wait for those who have not checked in", since));
	is_alone = t->terms.has_witness &&
	    !tournament_passed(t, since, TOURNAMENT_ALONE_S);
	*is_witness = holds && is_alone;
	if (is_alone && !holds)
		return (tournament_early(l, "order.by",
		    "the witness alone draws the lots",
		    since + INT64_C(1000) * TOURNAMENT_ALONE_S));
	if (l->o->has_own != *is_witness)
		return (tournament_illegal(l, "order.own",
		    *is_witness ? "the witness adds a proof of theirs"
				: "nobody adds to these lots"));
	if (*is_witness && strcmp(l->o->place, TOURNAMENT_LOTS_PLACE) != 0)
		return (tournament_illegal(l, "order.place",
		    "the record now calls for the place "
		    "\"" TOURNAMENT_LOTS_PLACE "\""));
	return (0);
}

/* Lets the server prove, and draws. */
static int
tournament_lots_throw(struct tournament *t, const struct tournament_line *l,
    bool is_witness, const int *who, size_t n)
{
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN], own[VRF_BETA_LEN];
	uint16_t side = 0;
	struct buf alpha;
	size_t i;
	int r = 0;

	buf_init(&alpha, 0);
	if (is_witness)
		r = tournament_lots_check(t, l, t->witness.dice_key, own);
	if (r == 0)
		r = tournament_lots_input(
		    t, "umpire/lots/1", TOURNAMENT_LOTS_PLACE, &alpha);
	if (r == 0 && is_witness)
		buf_add(&alpha, own, sizeof(own));
	if (r == 0 && (r = buf_error(&alpha)) == 0)
		r = l->dice == NULL
		    ? err_set(l->e, ERR_ILLEGAL, "dice", "missing")
		    : l->dice->prove(l->dice->arg, (const uint8_t *)alpha.data,
			  alpha.len, proof, beta);
	buf_clear(&alpha);
	if (r != 0)
		return (r);
	if ((t->lots = calloc(n, sizeof(*t->lots))) == NULL)
		return (ERR_NOMEM);
	if ((r = tournament_lots_draw(beta, who, n, t->lots, &side)) != 0)
		return (r);
	t->n_lots = n;
	t->initial = side;
	for (i = 0; i < n; i++)
		tournament_entrant(t, t->lots[i])->lot = (int)i + 1;
	l->fx->dice = tournament_lots_dice(proof, t->lots, n, side);
	return (l->fx->dice == NULL ? ERR_NOMEM : 0);
}

/* Draws nothing, where another tournament goes on: its lots stand. */
static int
tournament_lots_again(struct tournament *t, const struct tournament_line *l,
    bool is_witness, const int *who, size_t n)
{
	uint8_t own[VRF_BETA_LEN];
	int r = 0;

	if (is_witness)
		r = tournament_lots_check(t, l, t->witness.dice_key, own);
	return (r == 0 ? tournament_go_on(t, who, n) : r);
}

int
tournament_start(struct tournament *t, const struct tournament_line *l)
{
	uint8_t pool[HASH_LEN];
	bool is_witness = false;
	size_t i, n;
	int *who, r;

	if ((r = tournament_check_start(t, l, &is_witness)) != 0)
		return (r);
	if ((who = tournament_lots_who(t, &n)) == NULL)
		return (ERR_NOMEM);
	if (n < 2) {
		free(who);
		t->phase = TOURNAMENT_OVER;
		t->over_seq = t->seq + 1;
		return (0);
	}
	memcpy(pool, t->pool, HASH_LEN);
	if ((r = tournament_lots_pool1(t, t->pool)) == 0) {
		l->fx->has_pool = true;
		memcpy(l->fx->pool, t->pool, HASH_LEN);
		r = t->terms.has_continues
		    ? tournament_lots_again(t, l, is_witness, who, n)
		    : tournament_lots_throw(t, l, is_witness, who, n);
	}
	for (i = 0; r == 0 && i < n && !t->terms.has_continues; i++)
		tournament_turn(tournament_entrant(t, who[i]), 1, true);
	free(who);
	if (r != 0) {
		memcpy(t->pool, pool, HASH_LEN);
		return (r);
	}
	t->phase = TOURNAMENT_PLAY;
	t->start_ms = t->at_ms;
	t->is_alone = t->terms.has_witness && !is_witness;
	if (!t->terms.has_continues)
		tournament_plan(t, (int)n);
	return (tournament_lots_tell(t, l));
}
