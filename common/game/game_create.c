/* SPDX-License-Identifier: ISC */
/*
 * The life of a game: create, its settings and blobs, join (record S3), and its
 * end in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/systems/systems.h"

#define GAME_TABLES_MAX 16 /* blobs of tables that a game may name */

/* Reads the data of one blob, tables or a bag, over the settings'. */
static int
game_add_data(struct game *g, const json_t *blob, struct errinfo *e)
{
	const struct js_at at = {&order_at_args, "tables", 0};
	const char *known[] = {"blob", NULL, NULL};
	struct js_at at_value = {.up = &order_at_args};
	const json_t *value;
	const char *kind;
	int r;

	if ((r = js_get_str(blob, "blob", &at, &kind, e)) != 0)
		return (r);
	if (strcmp(kind, "tables") != 0 && strcmp(kind, "bag") != 0)
		return (js_fail(&at, e,
		    "a blob of the kind \"tables\" or \"bag\" is needed here"));
	known[1] = kind;
	if ((r = js_members(blob, &at, known, e)) != 0)
		return (r);
	if ((value = json_object_get(blob, kind)) == NULL)
		return (js_fail_member(&at, kind, e, "is missing"));
	at_value.name = kind;
	return (rules_settings_data(&g->settings, kind, value, &at_value, e));
}

/* Reads rulings, tables and bags into g->settings. */
static int
game_open_settings(
    struct game *g, const struct game_blobs *blobs, struct errinfo *e)
{
	uint8_t h[HASH_LEN];
	json_t *blob;
	size_t i;
	int r;

	r = rules_settings_parse(g->sys, g->set.rulings, NULL, &g->settings, e);
	g->has_settings = r == 0;
	if (r == ERR_INVALID)
		js_within(&order_at_args, e);
	for (i = 0; r == 0 && i < json_array_size(g->set.tables); i++) {
		/* order_create_parse() checked that these are hashes. */
		if ((r = js_element_hex(g->set.tables, i, h, HASH_LEN)) != 0)
			break;
		r = game_load_blob(blobs, h, "order.args.tables", &blob, e);
		if (r != 0)
			break;
		r = game_add_data(g, blob, e);
		json_decref(blob);
	}
	if (r != 0 && g->has_settings) {
		rules_settings_clear(&g->settings);
		g->has_settings = false;
	}
	return (game_illegal(r));
}

int
game_open_rules(struct game *g, const struct game_blobs *blobs,
    bool with_roster, struct errinfo *e)
{
	static const struct js_at roster_at = {&order_at_args, "roster", 0};
	json_t *blob;
	int r;

	g->sys = systems_find(g->set.system);
	if (g->sys == NULL)
		return (err_set(e, ERR_NEWER, "order.args.system",
		    "the system \"%.32s\" is not in this version",
		    g->set.system));
	if (strcmp(g->sys->version, g->set.rules) != 0)
		return (err_set(e, ERR_NEWER, "order.args.rules",
		    "the rules version \"%.32s\" is not in this version, "
		    "which has \"%s\"",
		    g->set.rules, g->sys->version));
	if ((r = game_open_settings(g, blobs, e)) != 0 || !with_roster)
		return (r);
	r = game_load_blob(blobs, g->set.roster, "order.args.roster", &blob, e);
	if (r != 0)
		return (r);
	r = roster_parse(g->sys, blob, &g->roster, e);
	if (r == ERR_INVALID)
		js_within(&roster_at, e);
	json_decref(blob);
	return (game_illegal(r));
}

/*
 * Checks that the author of a create or join signed it with the key that it
 * names.
 */
static int
game_check_author(const struct order_join *j, const uint8_t key[SIGN_KEY_LEN],
    struct errinfo *e)
{
	if (memcmp(j->key, key, SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.args.key",
		    "the order is signed with another key"));
	return (0);
}

/* Seats the author of a create or join, who is the entry's account. */
static void
game_sit(struct game *g, const struct order_join *j, struct game_effects *fx)
{
	struct game_seat *s = &g->seats[game_slot(j->seat)];
	const size_t len = strlen(j->account) + 1;

	s->is_joined = true;
	s->keys = j->keys;
	memcpy(s->dice_key, j->dice_key, VRF_KEY_LEN);
	memcpy(s->account, j->account, len);
	memcpy(fx->entry.account, j->account, len);
}

int
game_create(const struct order *o, const uint8_t key[SIGN_KEY_LEN],
    const struct game_blobs *blobs, bool is_new, struct game **out,
    struct game_effects *fx, struct errinfo *e)
{
	struct game *g;
	int i, r;

	memset(fx, 0, sizeof(*fx));
	if (o->kind != ORDER_CREATE)
		return (err_set(
		    e, ERR_ILLEGAL, "order.kind", "not a create order"));
	if ((g = calloc(1, sizeof(*g))) == NULL)
		return (ERR_NOMEM);
	g->seq = -1;
	g->combat.ask_seq = -1;
	g->clock.claim_seq = -1;
	g->later.asked_seq = -1;
	game_notice_end(g);
	g->clock.sides[1].since = g->clock.sides[2].since = -1;
	g->blobs = *blobs;
	g->now_ms = g->state_at_ms = o->at_ms;
	fx->freed_seat = fx->given_seat = -1;
	for (i = 0; i < GAME_SLOTS; i++)
		g->seats[i].close_seq = -1;
	if ((g->create_text = malloc(o->len + 1)) == NULL) {
		r = ERR_NOMEM;
		goto fail;
	}
	memcpy(g->create_text, o->text, o->len);
	g->create_text[o->len] = '\0';
	if ((r = order_parse(g->create_text, o->len, &g->create, e)) != 0)
		goto fail;
	r = game_illegal(order_create_parse(&g->create, &g->set, e));
	if (r != 0 || (r = game_check_author(&g->set.who, key, e)) != 0)
		goto fail;
	if (json_array_size(g->set.tables) > GAME_TABLES_MAX) {
		r = err_set(e, ERR_NEWER, "order.args.tables",
		    "more than %d tables are not in this version",
		    GAME_TABLES_MAX);
		if (is_new)
			goto fail;
		game_uncheckable(g, r, e);
	}
	if ((r = game_open_rules(g, blobs, true, e)) != 0) {
		if (is_new || (r != ERR_NEWER && r != ERR_MISSING))
			goto fail;
		game_uncheckable(g, r, e);
	}
	memcpy(g->roster_blob, g->set.roster, HASH_LEN);
	if ((fx->events = json_array()) == NULL) {
		r = ERR_NOMEM;
		goto fail;
	}
	game_entry_begin(&fx->entry, NULL, 0, o->at_ms, o->kind, o->seat);
	fx->entry.has_now = o->has_now;
	fx->entry.now_ms = o->now_ms;
	game_sit(g, &g->set.who, fx);
	*out = g;
	return (0);
fail:
	game_free(g);
	return (r);
}

int
game_join(struct game *g, const struct game_line *l)
{
	struct order_join j;
	int i, r;

	if ((r = game_illegal(order_join_parse(l->o, &j, l->e))) != 0 ||
	    (r = game_check_author(&j, l->key, l->e)) != 0)
		return (r);
	if (g->phase != GAME_MUSTER || g->has_ready)
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "nobody can join this game any more"));
	if (!game_is_seat(g, j.seat))
		return (err_set(l->e, ERR_ILLEGAL, "order.args.seat",
		    "the game has no seat %d", j.seat));
	if (game_is_joined(g, j.seat))
		return (err_set(l->e, ERR_ILLEGAL, "order.args.seat",
		    "seat %d is taken by \"%s\"", j.seat,
		    game_account(g, j.seat)));
	if (game_is_refused(g, j.account))
		return (err_set(l->e, ERR_ILLEGAL, "order.args.account",
		    "\"%s\" was refused in this game", j.account));
	if ((r = game_witness_check_join(g, &j, l->e)) != 0)
		return (r);
	for (i = 0; i < GAME_SLOTS; i++) {
		if (!g->seats[i].is_joined)
			continue;
		if (game_key_sits(g, game_slot_seat(i), &j.keys) ||
		    memcmp(g->seats[i].dice_key, j.dice_key, VRF_KEY_LEN) == 0)
			return (err_set(l->e, ERR_ILLEGAL, "order.args.key",
			    "the key or dice key already sits in seat %d",
			    game_slot_seat(i)));
	}
	game_sit(g, &j, l->fx);
	g->seats[game_slot(j.seat)].join_seq = g->seq + 1;
	/* pool_0 stands as soon as nobody is awaited any longer (S6.5). */
	return (game_is_full(g) ? game_dice_pool0(g, g->pool) : 0);
}

int
game_effects_events(struct game_effects *fx, json_t *events)
{
	json_decref(fx->events);
	fx->events = events;
	return (events == NULL ? ERR_NOMEM : 0);
}

void
game_effects_clear(struct game_effects *fx)
{
	json_decref(fx->dice);
	json_decref(fx->owes);
	json_decref(fx->opened);
	json_decref(fx->events);
	json_decref(fx->opened_standing);
	game_entry_clear(&fx->entry);
	memset(fx, 0, sizeof(*fx));
}

void
game_free(struct game *g)
{
	if (g == NULL)
		return;
	game_end_combat(g);
	game_notice_end(g);
	roster_free(g->roster);
	if (g->has_settings)
		rules_settings_clear(&g->settings);
	order_clear(&g->create);
	free(g->create_text);
	free(g->counts);
	json_decref(g->commits);
	json_decref(g->refused);
	json_decref(g->past_keys);
	json_decref(g->past_dice);
	json_decref(g->spent);
	game_owed_clear(g);
	game_fact_clear(g);
	game_offer_clear(g);
	game_undo_clear(g);
	game_cup_clear(g);
	game_standing_clear(g);
	game_witness_clear(g);
	game_worth_clear(g);
	free(g);
}
