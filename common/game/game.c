/* SPDX-License-Identifier: ISC */
/* The state of a game, and the plain questions about it. */
#include "common/game/game.h"

#include <string.h>

#include "common/base/hex.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

const char *const game_how_names[] = {"cancel", "resign", "stopped", "closed",
    "draw", "agreed", "forfeit", "ruling", NULL};

void
game_end_combat(struct game *g)
{
	combat_free(g->combat.run);
	json_decref(g->combat.facts);
	json_decref(g->combat.decisions);
	memset(&g->combat, 0, sizeof(g->combat));
	g->combat.ask_seq = -1;
}

/* game_blobs: has none. */
static int
game_no_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	(void)arg;
	(void)hash;
	(void)bytes;
	(void)len;
	return (ERR_NOTFOUND);
}

void
game_forget_blobs(struct game *g)
{
	g->blobs.get = game_no_blob_cb;
	g->blobs.arg = NULL;
}

void
game_owed_clear(struct game *g)
{
	json_decref(g->owed.args);
	memset(&g->owed, 0, sizeof(g->owed));
}

void
game_state_line(struct game *g)
{
	int i;

	g->state_seq = g->seq + 1;
	for (i = 0; i < GAME_SLOTS; i++)
		g->seats[i].close_seq = -1;
}

int
game_slot(int seat)
{
	if (seat == GAME_WITNESS)
		return (GAME_SEATS);
	return (seat >= 0 && seat < GAME_SEATS ? seat : -1);
}

int
game_slot_seat(int slot)
{
	return (slot == GAME_SEATS ? GAME_WITNESS : slot);
}

bool
game_is_seat(const struct game *g, int seat)
{
	if (seat == 0)
		return (g->set.has_director);
	if (seat == GAME_WITNESS)
		return (g->set.has_witness);
	return (seat >= 1 && seat <= g->set.seats);
}

bool
game_is_full(const struct game *g)
{
	int i;

	for (i = 0; i < GAME_SLOTS; i++) {
		if (game_is_seat(g, game_slot_seat(i)) &&
		    !g->seats[i].is_joined)
			return (false);
	}
	return (true);
}

void
game_uncheckable(struct game *g, int r, const struct errinfo *why)
{
	g->is_rules_off = true;
	combat_free(g->combat.run);
	g->combat.run = NULL;
	if (g->unchecked == 0) {
		g->unchecked = r;
		if (why != NULL)
			g->unchecked_why = *why;
	}
}

void
game_set_rules_off(struct game *g)
{
	g->is_rules_off = true;
}

int
game_is_checkable(const struct game *g, struct errinfo *e)
{
	if (g->unchecked != 0 && e != NULL)
		*e = g->unchecked_why;
	return (g->unchecked);
}

void
game_advance(struct game *g, int64_t at_ms, const uint8_t hash[HASH_LEN])
{
	g->seq++;
	g->at_ms = at_ms;
	if (g->state_seq == g->seq)
		g->state_at_ms = at_ms;
	if (g->combat.is_open && g->combat.ask_seq == g->seq)
		g->combat.ask_at_ms = at_ms;
	if (g->owed.is_owed && g->owed.seq == g->seq)
		g->owed.at_ms = at_ms;
	memcpy(g->head, hash, HASH_LEN);
}

bool
game_is_halted(const struct game *g)
{
	return (g->is_halted);
}

const uint8_t *
game_id(const struct game *g)
{
	return (g->create.game);
}

const uint8_t *
game_server(const struct game *g)
{
	return (g->create.server);
}

const uint8_t *
game_head(const struct game *g)
{
	return (g->head);
}

const uint8_t *
game_pool(const struct game *g)
{
	return (g->pool);
}

const char *
game_system(const struct game *g)
{
	return (g->set.system);
}

const char *
game_rules(const struct game *g)
{
	return (g->set.rules);
}

int64_t
game_seq(const struct game *g)
{
	return (g->seq);
}

int64_t
game_at_ms(const struct game *g)
{
	return (g->at_ms);
}

enum game_phase
game_phase(const struct game *g)
{
	return (g->phase);
}

const char *
game_phase_name(enum game_phase phase)
{
	static const char *const names[] = {
	    "muster", "play", "over", "finished", "halted"};

	return (names[phase]);
}

bool
game_is_finished(const struct game *g)
{
	return (g->phase == GAME_FINISHED);
}

int
game_turn(const struct game *g)
{
	return (g->turn);
}

int
game_round(const struct game *g)
{
	if (game_has_activations(g))
		return (g->turn == 0 ? 0 : g->rounds.ended + 1);
	return ((g->turn + 1) / 2);
}

bool
game_has_activations(const struct game *g)
{
	return (g->sys != NULL && g->sys->game->has_activations);
}

bool
game_would_pass(const struct game *g)
{
	return (game_has_activations(g) && !g->rounds.has_acted);
}

bool
game_ends_round(const struct game *g)
{
	if (game_has_activations(g))
		return (game_would_pass(g) && g->rounds.passes > 0);
	return (game_side(g) == 2);
}

int
game_side(const struct game *g)
{
	return (g->turn % 2 == 0 ? 2 : 1);
}

int
game_winner(const struct game *g)
{
	return (g->winner);
}

enum game_how
game_how(const struct game *g)
{
	return (g->how);
}

const char *
game_how_name(enum game_how how)
{
	return (how == GAME_UNDECIDED ? NULL : game_how_names[how - 1]);
}

int64_t
game_state_seq(const struct game *g)
{
	return (g->state_seq);
}

int
game_truce(const struct game *g)
{
	return (g->phase == GAME_PLAY && g->turn < g->truce ? g->truce : 0);
}

int
game_seats(const struct game *g)
{
	return (g->set.seats);
}

bool
game_is_joined(const struct game *g, int seat)
{
	return (game_slot(seat) >= 0 && g->seats[game_slot(seat)].is_joined);
}

bool
game_is_ready(const struct game *g, int seat)
{
	return (game_is_joined(g, seat) && g->seats[game_slot(seat)].is_ready);
}

bool
game_is_closed(const struct game *g, int seat)
{
	return (game_is_joined(g, seat) &&
	    g->seats[game_slot(seat)].close_seq >= 0);
}

const struct order_create *
game_settings(const struct game *g)
{
	return (&g->set);
}

const struct rules_settings *
game_rules_settings(const struct game *g, const struct rules_system **sys)
{
	*sys = g->sys;
	return (g->has_settings && !g->is_rules_off ? &g->settings : NULL);
}

json_t *
game_rulings(const struct game *g)
{
	return (g->has_settings ? rules_settings_rulings(&g->settings)
				: json_deep_copy(g->set.rulings));
}

const json_t *
game_roster(const struct game *g)
{
	return (g->roster == NULL ? NULL : roster_value(g->roster));
}

const uint8_t *
game_roster_blob(const struct game *g)
{
	return (g->roster_blob);
}

const char *
game_side_name(const struct game *g, int side)
{
	return (js_str(
	    json_object_get(game_roster(g), side == 1 ? "1" : "2"), "name"));
}

const json_t *
game_unit(const struct game *g, const char *id, int *side)
{
	return (g->roster == NULL ? NULL : roster_find(g->roster, id, side));
}

int64_t
game_combat_seq(const struct game *g)
{
	return (g->combat.is_open ? g->combat.declare_seq : -1);
}

int
game_combat_events(const struct game *g, json_t **events)
{
	const struct game_combat *c = &g->combat;
	json_t *list;
	int r;

	if (c->run != NULL) {
		if ((r = combat_events(c->run, 0, &list)) != 0)
			return (r);
	} else if ((list = json_array()) == NULL) {
		return (ERR_NOMEM);
	}
	/* Of what waits for an answer no more than the lines tell. */
	while (g->owed.is_owed && json_array_size(list) > c->n_events)
		(void)json_array_remove(list, c->n_events);
	*events = list;
	return (0);
}

json_t *
game_question(const struct game *g, int side)
{
	const struct game_combat *c = &g->combat;

	if (c->run == NULL || g->owed.is_owed ||
	    (!c->is_secret && c->ask_side != side))
		return (NULL);
	return (combat_asked_of(
	    c->run, side == c->side ? COMBAT_ATTACKER : COMBAT_DEFENDER));
}

int64_t
game_question_seq(const struct game *g)
{
	return (g->combat.ask_seq);
}

bool
game_may_object(const struct game *g)
{
	return (g->owed.is_owed && !g->owed.is_final);
}

bool
game_has_closed(const struct game *g, int side)
{
	int i;

	for (i = 1; i < GAME_SEATS; i++) {
		if (game_side_of(i) == side && g->seats[i].close_seq >= 0)
			return (true);
	}
	return (false);
}

bool
game_is_sealed(const struct game *g)
{
	return (g->set.is_sealed);
}

bool
game_is_private(const struct game *g)
{
	return (g->set.is_private);
}

const char *
game_account(const struct game *g, int seat)
{
	return (
	    game_is_joined(g, seat) ? g->seats[game_slot(seat)].account : "");
}

bool
game_is_refused(const struct game *g, const char *account)
{
	return (json_object_get(g->refused, account) != NULL);
}

int
game_delay_turns(const struct game *g)
{
	return (g->set.delay > 0 ? (int)g->set.delay : 0);
}

int
game_delay_minutes(const struct game *g)
{
	return (g->set.delay_minutes > 0 ? (int)g->set.delay_minutes : 0);
}

int
game_turns_ended(const struct game *g)
{
	return (g->turns_ended);
}

const uint8_t *
game_dice_key(const struct game *g, int seat)
{
	return (g->seats[game_slot(seat)].dice_key);
}

const uint8_t *
game_server_dice(const struct game *g)
{
	return (g->set.server_dice);
}

const uint8_t *
game_key(const struct game *g, int seat, int i)
{
	const struct statement_keys *k;

	if (!game_is_joined(g, seat))
		return (NULL);
	k = &g->seats[game_slot(seat)].keys;
	return (i < k->n_keys ? k->keys[i] : NULL);
}

bool
game_has_key(const struct game *g, int seat, const uint8_t *key)
{
	return (game_is_joined(g, seat) &&
	    statement_has_key(&g->seats[game_slot(seat)].keys, key));
}

int64_t
game_stated(const struct game *g, int seat)
{
	return (g->seats[game_slot(seat)].keys.n);
}

int
game_side_of(int seat)
{
	if (seat == 0 || seat == GAME_WITNESS)
		return (0);
	return (seat % 2 == 0 ? 2 : 1);
}

int
game_load_blob(const struct game_blobs *blobs, const uint8_t hash[HASH_LEN],
    const char *where, json_t **out, struct errinfo *e)
{
	const char *bytes, *first;
	json_t *blob;
	size_t len;
	int r;

	r = blobs->get(blobs->arg, hash, &bytes, &len);
	if (r == ERR_NOTFOUND)
		return (err_set(e, ERR_MISSING, where,
		    "the roster, table or bag is not at hand"));
	if (r != 0)
		return (r);
	if (len > RECORD_BLOB_MAX)
		return (err_set(e, ERR_ILLEGAL, where,
		    "a blob has at most %d bytes", RECORD_BLOB_MAX));
	r = js_load(bytes, len, JS_DEPTH_RECORD, &blob, e);
	if (r != 0)
		return (r == ERR_MALFORMED ? ERR_ILLEGAL : r);
	first = json_object_iter_key(json_object_iter(blob));
	if (first == NULL || strcmp(first, "blob") != 0) {
		json_decref(blob);
		return (err_set(e, ERR_ILLEGAL, where,
		    "a blob is an object whose first member is \"blob\""));
	}
	*out = blob;
	return (0);
}

int
game_illegal(int r)
{
	return (r == ERR_INVALID ? ERR_ILLEGAL : r);
}

int
game_check_phase(const struct game *g, struct errinfo *e)
{
	if (g->phase == GAME_MUSTER)
		return (
		    err_set(e, ERR_STALE, "", "the game has not started yet"));
	if (g->phase != GAME_PLAY)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is over; only talk and close are taken"));
	return (0);
}

int
game_check_after(const struct game *g, const struct order *o, struct errinfo *e)
{
	if (g->state_seq <= o->after)
		return (0);
	return (err_set(e, ERR_STALE, "order.after",
	    "the game has moved on since line %lld", (long long)o->after));
}

int
game_check_owed(const struct game *g, int r, struct errinfo *e)
{
	if (!g->owed.is_owed)
		return (0);
	return (err_set(e, r, "", "line %lld waits for an answer first",
	    (long long)g->owed.seq));
}

bool
game_has_held(const struct game *g)
{
	const struct game_combat *c = &g->combat;

	return (g->phase == GAME_PLAY && c->is_open && !g->set.is_sealed &&
	    (c->secrets[1].is_committed || c->secrets[2].is_committed));
}

int
game_commit_note(
    struct game *g, int seat, const uint8_t commit[HASH_LEN], struct errinfo *e)
{
	char name[2 * HASH_LEN + 2]; /* seat, hex, NUL */

	name[0] = (char)('a' + seat);
	hex_format(name + 1, commit, HASH_LEN);
	if (g->commits == NULL && (g->commits = json_object()) == NULL)
		return (ERR_NOMEM);
	if (json_object_get(g->commits, name) != NULL)
		return (err_set(e, ERR_ILLEGAL, "order.args.commit",
		    "seat %d has used this commitment before", seat));
	if (json_object_set_new(g->commits, name, json_true()) != 0)
		return (ERR_NOMEM);
	return (0);
}

bool
game_is_combat(enum order_kind kind)
{
	return (kind != ORDER_UPKEEP && kind != ORDER_FREE);
}
