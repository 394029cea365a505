/* SPDX-License-Identifier: ISC */
/*
 * Games of a tournament (record S16): what their create and joins must be, and
 * what they tell of themselves.
 */
#include <stdio.h>
#include <string.h>

#include "common/game/game.h"
#include "common/game/game_worth.h"
#include "common/json/js.h"
#include "common/tournament/tournament_game.h"
#include "common/tournament/tournament_int.h"

static const struct js_at *const args_at = &order_at_args;

int
tournament_find_game(const struct tournament *t, const uint8_t game[HASH_LEN],
    struct tournament_place *place)
{
	const struct tournament_game *g = tournament_game(t, game);

	if (g == NULL)
		return (ERR_NOTFOUND);
	*place = g->place;
	return (0);
}

/* The rules version of the games of a round. */
static const char *
tournament_rules_of(const struct tournament *t, int round)
{
	const char *version = t->terms.rules;
	size_t i;

	for (i = 0; i < t->n_rules; i++) {
		if (t->rules[i].from <= round)
			version = t->rules[i].version;
	}
	return (version);
}

/* Checks that a member is the one that it must be; both may be absent. */
static int
tournament_same(
    const json_t *args, const char *name, const json_t *want, struct errinfo *e)
{
	const json_t *has = json_object_get(args, name);

	if (has == want ||
	    (has != NULL && want != NULL && json_equal(has, want)))
		return (0);
	return (js_fail_member(
	    args_at, name, e, "not what the tournament has for this game"));
}

/* The options of the terms, with the witness that holds now; new. */
static json_t *
tournament_options(const struct tournament *t)
{
	json_t *options =
	    json_deep_copy(json_object_get(t->terms.args, "options"));

	if (options != NULL && t->terms.has_witness &&
	    json_object_set_new(options, "witness",
		js_hex(t->witness.key, SIGN_KEY_LEN)) != 0) {
		json_decref(options);
		return (NULL);
	}
	return (options);
}

/* What all games have as the terms have it. */
static const char *const tournament_game_terms[] = {"event", "system", "scheme",
    "server_dice", "secret", "silence", "confirm", "clock", "private", NULL};

/* What a round is fought with. */
static const struct terms_scenario *
tournament_scenario_of(const struct tournament *t, int round)
{
	return (
	    &t->terms.scenarios[(size_t)(round - 1) % t->terms.n_scenarios]);
}

/* Checks what the terms say of all games, and of those of a round. */
static int
tournament_check_terms(const struct tournament *t, const json_t *args,
    int round, struct errinfo *e)
{
	const struct terms_scenario *s = tournament_scenario_of(t, round);
	const char *const *names = tournament_game_terms;
	const bool has_options =
	    json_object_get(t->terms.args, "options") != NULL;
	json_t *options, *rules;
	int i, r = 0;

	for (i = 0; r == 0 && names[i] != NULL; i++)
		r = tournament_same(args, names[i],
		    json_object_get(t->terms.args, names[i]), e);
	if (r != 0 ||
	    (r = tournament_same(args, "roster", s->roster, e)) != 0 ||
	    (r = tournament_same(args, "rulings", s->rulings, e)) != 0 ||
	    (r = tournament_same(args, "tables", s->tables, e)) != 0)
		return (r);
	options = tournament_options(t);
	rules = json_string(tournament_rules_of(t, round));
	if (rules == NULL || (has_options && options == NULL))
		r = ERR_NOMEM;
	if (r == 0)
		r = tournament_same(args, "options", options, e);
	if (r == 0)
		r = tournament_same(args, "rules", rules, e);
	json_decref(options);
	json_decref(rules);
	return (r);
}

bool
tournament_next_leg(const struct tournament *t, struct tournament_place *place)
{
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);

	if (table != NULL && place->leg < table->n_legs) {
		place->leg++;
		return (true);
	}
	place->leg = 1;
	place->table++;
	while (place->round < (int)t->n_rounds &&
	    tournament_table(t, place->round, place->table) == NULL) {
		place->round++;
		place->table = 1;
	}
	return (tournament_table(t, place->round, place->table) != NULL);
}

void
tournament_leg_state(const struct tournament *t,
    const struct tournament_place *place, struct tournament_leg_state *s)
{
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);
	const struct tournament_leg *leg = tournament_leg(t, place);
	int i;

	memset(s, 0, sizeof(*s));
	s->sides[1] = tournament_side(table, place->leg, 1);
	s->sides[2] = tournament_side(table, place->leg, 2);
	s->result = leg->result;
	s->has_result = tournament_is_result(leg->result);
	s->has_game = leg->has_game;
	if (leg->has_game)
		memcpy(s->game, leg->game, HASH_LEN);
	s->notice_seq = leg->notice.seq;
	s->notice_until_ms = tournament_notice_ms(t, leg);
	for (i = 0; i < TOURNAMENT_GROUNDS; i++)
		s->due_ms[i] = s->has_result ||
			(i == TOURNAMENT_UNRULED) !=
			    (leg->result == TOURNAMENT_AWAITED)
		    ? -1
		    : tournament_due_ms(t, leg, i);
	s->paired_seq = tournament_round(t, place->round)->seq;
}

int
tournament_game_args(const struct tournament *t,
    const struct tournament_place *place, json_t **out)
{
	const struct tournament_round *rd = tournament_round(t, place->round);
	const struct terms_scenario *s =
	    tournament_scenario_of(t, place->round);
	json_t *args, *options = tournament_options(t), *v;
	const char *const *name;
	int bad = 0;

	args = json_pack("{s:s, s:i, s:i, s:o, s:I, s:o, s:i, s:O, s:O, s:O}",
	    "rules", tournament_rules_of(t, place->round), "round",
	    place->round, "table", place->table, "tournament",
	    js_hex(t->create.tournament, HASH_LEN), "paired",
	    (json_int_t)rd->seq, "line", js_hex(rd->line, HASH_LEN), "leg",
	    place->leg, "roster", s->roster, "rulings", s->rulings, "tables",
	    s->tables);
	for (name = tournament_game_terms; args != NULL && *name != NULL;
	     name++) {
		v = json_object_get(t->terms.args, *name);
		if (v != NULL)
			bad |= json_object_set(args, *name, v);
	}
	if (options != NULL)
		bad |= args == NULL ||
		    json_object_set(args, "options", options) != 0;
	else
		bad |= json_object_get(t->terms.args, "options") != NULL;
	json_decref(options);
	if (args == NULL || bad != 0) {
		json_decref(args);
		return (ERR_NOMEM);
	}
	*out = args;
	return (0);
}

/* Checks the side of who opens the game, and their keys. */
static int
tournament_check_opener(const struct tournament *t, const json_t *args,
    int seat, const uint8_t key[SIGN_KEY_LEN],
    const struct tournament_place *place, struct errinfo *e)
{
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);
	const struct tournament_entrant *x;
	const struct tournament_account *a;
	uint8_t dice_key[VRF_KEY_LEN];
	const char *account;
	int r;

	if (seat != 1 && seat != 2)
		return (js_fail_member(args_at, "seat", e, "1 or 2"));
	if ((r = js_get_str(args, "account", args_at, &account, e)) != 0 ||
	    (r = js_get_hex(
		 args, "dice_key", args_at, dice_key, VRF_KEY_LEN, e)) != 0)
		return (r);
	x = tournament_entrant(t, tournament_side(table, place->leg, seat));
	a = &t->accounts[x->account];
	if (strcmp(a->name, account) != 0)
		return (js_fail_member(args_at, "seat", e,
		    "that side is the account's \"%s\"", a->name));
	if (!statement_has_key(&a->keys, key))
		return (js_fail_member(args_at, "key", e,
		    "not a key of the account in the tournament"));
	if (memcmp(x->dice_key, dice_key, VRF_KEY_LEN) != 0)
		return (js_fail_member(args_at, "dice_key", e,
		    "not the dice key of the entrant in the tournament"));
	return (0);
}

/* Reads round, table and leg of a create, and the line of the pairing. */
static int
tournament_read_leg(const struct tournament *t, const json_t *args,
    struct tournament_place *place, struct errinfo *e)
{
	const struct tournament_round *rd;
	uint8_t id[HASH_LEN], line[HASH_LEN];
	int64_t paired;
	int r;

	if ((r = js_get_hex(args, "tournament", args_at, id, HASH_LEN, e)) !=
		0 ||
	    (r = js_get_int(
		 args, "paired", args_at, 0, JS_INT_MAX, &paired, e)) != 0 ||
	    (r = js_get_hex(args, "line", args_at, line, HASH_LEN, e)) != 0)
		return (r);
	if (memcmp(id, t->create.tournament, HASH_LEN) != 0)
		return (js_fail_member(
		    args_at, "tournament", e, "not this tournament"));
	if (paired > t->seq)
		return (err_set(e, ERR_NOTFOUND, "order.args.paired",
		    "the tournament has no line %lld here", (long long)paired));
	if ((r = tournament_get_place(t, args, args_at, place, e)) != 0)
		return (r);
	rd = tournament_round(t, place->round);
	if (rd->seq != paired || memcmp(rd->line, line, HASH_LEN) != 0)
		return (js_fail_member(args_at, "paired", e,
		    "not the line of the pairing that holds for the round"));
	return (0);
}

int
tournament_check_create(const struct tournament *t, const json_t *args,
    int seat, const uint8_t key[SIGN_KEY_LEN], struct tournament_place *place,
    struct errinfo *e)
{
	const struct tournament_leg *leg;
	int r;

	if ((r = tournament_final(tournament_read_leg(t, args, place, e))) != 0)
		return (r);
	leg = tournament_leg(t, place);
	if (t->phase != TOURNAMENT_PLAY || t->is_halted || t->is_closed)
		return (err_set(e, ERR_ILLEGAL, "order.args.tournament",
		    "the tournament is over"));
	if (tournament_is_result(leg->result))
		return (err_set(
		    e, ERR_ILLEGAL, "order.args.leg", "this leg has a result"));
	if (leg->has_game)
		return (err_set(e, ERR_ILLEGAL, "order.args.leg",
		    "this leg has a game: join it"));
	if ((r = tournament_final(
		 tournament_check_terms(t, args, place->round, e))) != 0)
		return (r);
	return (tournament_final(
	    tournament_check_opener(t, args, seat, key, place, e)));
}

/* Checks somebody who joins on a side. */
static int
tournament_check_side(const struct tournament *t,
    const struct tournament_place *place, const struct order_join *j,
    struct errinfo *e)
{
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);
	const struct tournament_entrant *x =
	    tournament_entrant(t, tournament_side(table, place->leg, j->seat));
	const struct tournament_account *a = &t->accounts[x->account];

	if (strcmp(a->name, j->account) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.args.seat",
		    "that side is the account's \"%s\"", a->name));
	if (!statement_has_key(&a->keys, j->key))
		return (err_set(e, ERR_ILLEGAL, "order.args.key",
		    "not a key of the account in the tournament"));
	if (memcmp(x->dice_key, j->dice_key, VRF_KEY_LEN) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.args.dice_key",
		    "not the dice key of the entrant in the tournament"));
	return (0);
}

int
tournament_check_join(const struct tournament *t,
    const struct tournament_place *place, const struct order_join *j,
    struct errinfo *e)
{
	const struct tournament_account *a =
	    tournament_account_find(t, j->account);
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);

	if (table == NULL)
		return (err_set(e, ERR_ILLEGAL, "order.args.seat",
		    "the tournament has no such table now"));
	if (j->seat == 1 || j->seat == 2)
		return (tournament_check_side(t, place, j, e));
	if (j->seat == GAME_WITNESS)
		return (0); /* the game knows its key */
	if (j->seat == 0 && a != NULL && a->is_director && a->number == 0 &&
	    statement_has_key(&a->keys, j->key))
		return (0);
	return (err_set(e, ERR_ILLEGAL, "order.args.seat",
	    "only the two of the table, a director and the witness join"));
}

/*
 * True if a key was an account's at a line, or later; of a list of those that
 * ever were.
 */
static bool
tournament_was_key(const struct tournament_key *list, size_t n, int account,
    const uint8_t *key, size_t len, int64_t seq)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (list[i].account == account &&
		    memcmp(list[i].key, key, len) == 0)
			return (list[i].dropped_seq >= seq);
	}
	return (false);
}

bool
tournament_was_join(const struct tournament *t, const uint8_t game[HASH_LEN],
    const struct tournament_joined *j)
{
	const struct tournament_game *g = tournament_game(t, game);
	const struct tournament_account *a =
	    tournament_account_find(t, j->account);
	const struct tournament_table *table;
	int index;

	if (g == NULL || g->is_void || j->seat == GAME_WITNESS)
		return (true);
	table = tournament_table(t, g->place.round, g->place.table);
	if (a == NULL || table == NULL)
		return (false);
	index = tournament_account_index(t, a);
	if (!tournament_was_key(
		t->keys, t->n_keys, index, j->key, SIGN_KEY_LEN, g->seq))
		return (false);
	if (j->seat == 0)
		return (a->is_director && a->number != table->a &&
		    a->number != table->b);
	return (a->number == tournament_side(table, g->place.leg, j->seat) &&
	    tournament_was_key(t->dice_keys, t->n_dice_keys, index, j->dice_key,
		VRF_KEY_LEN, g->seq));
}

/* Whom the game waits for: sides, by what it owes. */
static void
tournament_look_waits(const struct game *g, struct tournament_look *look)
{
	struct game_waits w;
	size_t i;

	if (!look->is_begun) {
		look->waits[1] = !look->has_come[1];
		look->waits[2] = !look->has_come[2];
		return;
	}
	game_waits_owed(g, &w);
	for (i = 0; i < w.n; i++) {
		if (w.list[i].side == 1 || w.list[i].side == 2)
			look->waits[w.list[i].side] = true;
	}
}

int
tournament_look_at(
    const struct game *g, int resign, struct tournament_look *look)
{
	const enum game_phase phase = game_phase(g);
	const char *how;
	bool is_full = true;
	int seat;

	memset(look, 0, sizeof(*look));
	look->seq = game_seq(g);
	look->at_ms = game_at_ms(g);
	memcpy(look->line, game_head(g), HASH_LEN);
	look->is_begun = game_turn(g) > 0;
	for (seat = 0; seat <= GAME_WITNESS; seat++) {
		if (game_is_seat(g, seat) && !game_is_joined(g, seat))
			is_full = false;
	}
	for (seat = 1; seat <= 2; seat++)
		look->has_come[seat] = game_is_joined(g, seat) &&
		    (!is_full || look->is_begun || game_is_ready(g, seat));
	look->lacks_director = game_is_seat(g, 0) &&
	    (!game_is_joined(g, 0) ||
		(is_full && !look->is_begun && !game_is_ready(g, 0)));
	(void)snprintf(
	    look->director, sizeof(look->director), "%s", game_account(g, 0));
	look->is_halted = game_is_halted(g);
	look->is_over =
	    look->is_halted || phase == GAME_OVER || phase == GAME_FINISHED;
	/* Whoever has seen the lines before knows better. */
	look->end_seq = look->is_over ? look->seq : -1;
	look->winner = game_winner(g);
	/* Who calls a game off has forfeited it. */
	if (game_gave_up(g) > 0)
		look->winner = 3 - game_gave_up(g);
	how = game_how_name(game_how(g));
	look->how = how != NULL ? how : "";
	look->is_played = game_is_played(g);
	tournament_look_waits(g, look);
	return (game_battle_points(g, resign, &look->bp));
}
