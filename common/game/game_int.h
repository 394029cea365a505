/* SPDX-License-Identifier: ISC */
/*
 * Inside of game.h: the state itself, shared by the files of this folder
 * and by nobody else.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_INT_H
#define UMPIRE_COMMON_GAME_GAME_INT_H

#include "common/game/game.h"
#include "common/rules/rules.h"

struct combat;
struct combat_dice;
struct roster;

/* One seat and who sits in it. */
struct game_seat {
	bool is_joined;
	uint8_t key[SIGN_KEY_LEN];
	uint8_t dice_key[VRF_KEY_LEN];
	char account[ORDER_ACCOUNT_MAX + 1];
	bool is_ready; /* gave a ready that has not moved the pool yet */
	uint8_t ready_beta[VRF_BETA_LEN];
	int64_t close_seq; /* line of its close in force; -1: none */
};

/*
 * Combats of this turn that drew dice, by the id that names their place, or
 * upkeep orders of this turn that did, by their unit (S6.1).
 */
struct game_count {
	char id[33];
	bool is_upkeep;
	int n;
};

/* A secret choice of one side (S8). */
struct game_secret {
	bool is_committed;
	int64_t seq; /* line of the commit */
	int seat;
	uint8_t commit[HASH_LEN];
	uint8_t own_beta[VRF_BETA_LEN]; /* attacker's */
	bool is_open; /* salt and text are known */
	uint8_t salt[32];
	char text[GAME_HELD_MAX + 1];
};

/* The combat that is open, if is_open. */
struct game_combat {
	bool is_open;
	/* Rules are off and its lines do not say whether it is over. */
	bool is_loose;
	int64_t declare_seq;
	int side; /* attacker's: 1 or 2 */
	char id[33]; /* least id of the defending units (S6.1) */
	int k;
	int step; /* 1 + number of its lines that drew dice */
	int64_t ask_seq; /* line whose last event is the open question; -1 */
	int ask_side; /* who owes it: 1 or 2; 0: both, or rules are off */
	bool is_secret; /* both sides answer it by commits */
	struct game_secret secrets[3]; /* by side */
	size_t n_events; /* in its lines so far */
	size_t n_rolls;
	json_t *facts; /* owned; complete, roster merged in */
	json_t *decisions; /* owned; array of what was decided */
	struct combat *run; /* owned; NULL when rules are off */
};

/* A line of live-1 or confirm whose dice or run wait for an answer. */
struct game_owed {
	bool is_owed;
	int64_t seq; /* the owing line */
	int seat; /* who answers */
	char place[ORDER_PLACE_MAX + 1];
	uint8_t own_beta[VRF_BETA_LEN];
	bool is_declare;
};

struct game {
	char *create_text; /* owned; `create` and `set` borrow from it */
	struct order create;
	struct order_create set;
	const struct rules_system *sys; /* NULL: not known here */
	struct rules_settings settings;
	bool has_settings;
	bool is_rules_off;
	bool is_halted; /* a `fault` line stands: rules stay off for good */
	int unchecked; /* 0, ERR_NEWER or ERR_MISSING: why */
	struct errinfo unchecked_why;

	int64_t seq; /* of the last line; -1 before the first */
	int64_t at_ms;
	uint8_t head[HASH_LEN];
	int64_t state_seq; /* of the last state line; 0 at first */
	enum game_phase phase;
	struct game_seat seats[GAME_SEATS];
	bool has_ready; /* a ready stands: no join any more */
	uint8_t pool[HASH_LEN];
	int epoch; /* times the pool moved */
	int turn; /* 0 before play */
	struct roster *roster; /* NULL when its blob is missing */
	struct game_count *counts;
	size_t n_counts;
	/* Owned: "seat/commitment" -> true, of all commits (S8). */
	json_t *commits;
	struct game_combat combat;
	struct game_owed owed;
	int winner; /* side, 0: none */
	const char *how; /* "resign", "cancel", "closed"; NULL: undecided */
};

/* ---- game.c ---- */

/* Marks the line that is being taken as a state line (S5). */
void game_state_line(struct game *g);

/* True when every seat that the settings name is joined. */
bool game_is_full(const struct game *g);

/* True for a seat that the settings name. */
bool game_is_seat(const struct game *g, int seat);

/* Forgets the open combat. */
void game_end_combat(struct game *g);

/* Turns the rules off and keeps the first reason; why may be NULL. */
void game_uncheckable(struct game *g, int r, const struct errinfo *why);

/* ---- game_create.c ---- */

/* Takes a join; checks and effect. */
int game_join(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], bool is_new, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Opens settings and roster of a game whose `set` is read. */
int game_open_rules(struct game *g, const struct game_blobs *blobs,
    bool with_roster, struct errinfo *e) __attribute__((warn_unused_result));

/* ---- game_turn.c: the turn orders ---- */

int game_declare(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));
int game_decide(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));
int game_end_turn(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));
int game_answer(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/* A combat on its way through one order. */
struct game_fight {
	struct combat *run;
	size_t n_events; /* in earlier lines */
	size_t n_rolls;
	const char *place;
	uint8_t own_beta[VRF_BETA_LEN];
	bool has_drawn;
};

/* The rules' refusals of an order are final. */
int game_illegal(int r);

/* Verifies `own` of an order for its place. */
int game_check_own(const struct game *g, const struct order *o,
    uint8_t beta[VRF_BETA_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Lets a combat that has been run up to its first new roll go on with dice,
 * if it needs any, and collects what its line holds.
 */
int game_fight_on(struct game *g, struct game_fight *f,
    const struct game_dice *dice, struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Takes over what a line did to the open combat. */
int game_settle(struct game *g, const struct game_fight *f,
    const struct game_effects *fx) __attribute__((warn_unused_result));

/*
 * A line of a combat whose rules are not run here: its dice are rolled again
 * from what it says was asked, its events are taken as they stand; or it
 * waits for an answer from the other side than `side`, whose own_beta it is
 * (S6.3).
 */
int game_trust_order(struct game *g, const struct order *o, int side,
    const uint8_t own_beta[VRF_BETA_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/* ---- game_secret.c ---- */

int game_commit(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));
int game_open(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/* S5: a commit does not make the other side's to the same ask stale. */
bool game_commit_is_fresh(const struct game *g, const struct order *o);

/* ---- game_upkeep.c ---- */

int game_upkeep(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/* ---- game_dice.c ---- */

/* pool_0 (S6.5), as of the last join. */
int game_dice_pool0(const struct game *g, uint8_t pool[HASH_LEN])
    __attribute__((warn_unused_result));

/* pool' = H(T("umpire/pool/1") || pool || n betas of 32 bytes). */
int game_dice_move(const uint8_t pool[HASH_LEN], const uint8_t *betas, size_t n,
    uint8_t moved[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * Verifies a contribution of a seat for a place under the present pool (tag
 * umpire/own/1 or umpire/other/1).  ERR_PROOF.
 */
int game_dice_check(const struct game *g, int seat, const char *tag,
    const char *place, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN]) __attribute__((warn_unused_result));

/* Makes a contribution with the seat's key. */
int game_dice_make(const struct game *g, const struct vrf_key *k,
    const char *tag, const char *place, uint8_t proof[VRF_PROOF_LEN])
    __attribute__((warn_unused_result));

/* The dice of one line: the server's proof and where rolls come from. */
struct game_throw {
	char place[ORDER_PLACE_MAX + 1];
	uint8_t proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
};

/*
 * Asks the server for its proof over alpha (S6.4); other_beta is NULL in
 * dual-1.
 */
int game_dice_throw(const struct game *g, const char *place,
    const uint8_t own_beta[VRF_BETA_LEN], const uint8_t *other_beta,
    const struct game_dice *dice, struct game_throw *t)
    __attribute__((warn_unused_result));

/* The source of rolls that a throw is; arg borrows t. */
void game_dice_source(const struct game_throw *t, struct combat_dice *src);

/* {"place","proof","rolls"}; steals rolls; new, NULL without memory. */
json_t *game_dice_object(const struct game_throw *t, json_t *rolls);

/*
 * Rolls again what a line's dice say was asked, where the rules do not run:
 * *rolls is new.  A draw, whose bag is not known, is checked by ranks alone.
 * ERR_BAD.
 */
int game_dice_again(const struct game_throw *t, const json_t *dice,
    json_t **rolls, struct errinfo *e) __attribute__((warn_unused_result));

/* ---- game_place.c ---- */

/* The name of a pool-moving place, p/<epoch>. */
void game_place_pool(const struct game *g, char place[ORDER_PLACE_MAX + 1]);

/*
 * 1 + number of earlier combats of this turn with that id that drew, or of
 * upkeep orders of that unit.
 */
int game_place_k(const struct game *g, const char *id, bool is_upkeep);

/* Counts one more.  ERR_NOMEM. */
int game_place_count(struct game *g, const char *id, bool is_upkeep)
    __attribute__((warn_unused_result));

/* The id of a declared combat's place, borrowed; NULL if it has none. */
const char *game_place_id(const struct game *g, const json_t *args);

/*
 * The id in the place that a declare names, for where its facts cannot be
 * read here.  ERR_ILLEGAL if that is not the place of a combat.
 */
int game_place_given_id(const struct order *o, char id[33], struct errinfo *e)
    __attribute__((warn_unused_result));

/* Writes the place of the first step of a combat declared now. */
void game_place_first(
    const struct game *g, const char *id, char place[ORDER_PLACE_MAX + 1]);

#endif
