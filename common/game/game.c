/* SPDX-License-Identifier: ISC */
/* The state of a game: its life, and the plain questions about it. */
#include "common/game/game.h"

#include <stdlib.h>
#include <string.h>

#include "common/game/game_int.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

void
game_effects_clear(struct game_effects *fx)
{
	json_decref(fx->dice);
	json_decref(fx->owes);
	json_decref(fx->opened);
	json_decref(fx->events);
	json_decref(fx->opened_standing);
	memset(fx, 0, sizeof(*fx));
}

void
game_end_combat(struct game *g)
{
	combat_free(g->combat.run);
	json_decref(g->combat.facts);
	json_decref(g->combat.decisions);
	memset(&g->combat, 0, sizeof(g->combat));
	g->combat.ask_seq = -1;
}

void
game_free(struct game *g)
{
	if (g == NULL)
		return;
	game_end_combat(g);
	roster_free(g->roster);
	if (g->has_settings)
		rules_settings_clear(&g->settings);
	order_clear(&g->create);
	free(g->create_text);
	free(g->counts);
	json_decref(g->commits);
	json_decref(g->refused);
	game_owed_clear(g);
	game_offer_clear(g);
	game_undo_clear(g);
	game_cup_clear(g);
	game_standing_clear(g);
	free(g);
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
	for (i = 0; i < GAME_SEATS; i++)
		g->seats[i].close_seq = -1;
}

bool
game_is_seat(const struct game *g, int seat)
{
	if (seat == 0)
		return (g->set.has_director);
	return (seat >= 1 && seat <= g->set.seats);
}

bool
game_is_full(const struct game *g)
{
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (game_is_seat(g, i) && !g->seats[i].is_joined)
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

int64_t
game_state_at_ms(const struct game *g)
{
	return (g->state_at_ms);
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
game_side(const struct game *g)
{
	return (g->turn % 2 == 0 ? 2 : 1);
}

int
game_seats(const struct game *g)
{
	return (g->set.seats);
}

bool
game_is_joined(const struct game *g, int seat)
{
	return (seat >= 0 && seat < GAME_SEATS && g->seats[seat].is_joined);
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
	return (game_is_joined(g, seat) ? g->seats[seat].account : "");
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
	return (g->seats[seat].dice_key);
}

const uint8_t *
game_server_dice(const struct game *g)
{
	return (g->set.server_dice);
}

bool
game_has_key(const struct game *g, int seat, const uint8_t *key)
{
	return (game_is_joined(g, seat) &&
	    memcmp(g->seats[seat].key, key, SIGN_KEY_LEN) == 0);
}

int
game_side_of(int seat)
{
	if (seat == 0)
		return (0);
	return (seat % 2 == 0 ? 2 : 1);
}
