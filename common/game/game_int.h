/* SPDX-License-Identifier: ISC */
/*
 * Inside of game.h: the state itself, shared by the files of this folder
 * and by nobody else.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_INT_H
#define UMPIRE_COMMON_GAME_GAME_INT_H

#include "common/game/game.h"
#include "common/game/game_clock.h"
#include "common/game/game_cup.h"
#include "common/game/game_line.h"
#include "common/game/game_offer.h"
#include "common/game/game_standing.h"
#include "common/game/game_take.h"
#include "common/game/game_witness.h"
#include "common/game/game_worth.h"
#include "common/record/statement.h"
#include "common/rules/rules.h"

struct combat;
struct roster;

#define GAME_KIND_MAX 40 /* bytes of a question's kind, far above any real */

/* One seat and who sits in it. */
struct game_seat {
	bool is_joined;
	struct statement_keys keys; /* that sign its orders */
	uint8_t dice_key[VRF_KEY_LEN];
	char account[ORDER_ACCOUNT_MAX + 1];
	bool is_ready; /* in the round that is due, or was the last */
	uint8_t ready_beta[VRF_BETA_LEN];
	bool has_next; /* a new dice key waits for the end of the turn */
	uint8_t next_dice[VRF_KEY_LEN];
	int n_dice_keys; /* that it gave in this turn (S6.1) */
	int64_t close_seq; /* line of its close in force; -1: none */
	int64_t join_seq; /* line of its join; 0: it made the game */
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
	int64_t state_before; /* last state line before it */
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
	char ask_kind[GAME_KIND_MAX + 1]; /* "" if it is not known */
	int64_t ask_at_ms; /* when it was asked; 0: not known */
	bool is_secret; /* both sides answer it by commits */
	int n_objections; /* of the other side to answers of this question */
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
	int64_t at_ms; /* its time; 0: not known */
	int seat; /* who answers */
	char place[ORDER_PLACE_MAX + 1];
	uint8_t own_beta[VRF_BETA_LEN];
	enum order_kind kind; /* of the owing order */
	int by; /* its seat */
	json_t *args; /* owned: of upkeep and free; else NULL */
	bool is_final; /* nothing is left to object to */
	bool is_facts; /* agreed to without a proof: dice wait again */
	bool is_judged; /* by the director: the sides differ */
	bool is_dated; /* the owing order has `now` (S3) */
	bool is_witness; /* its dice wait for the witness, or in its stead */
	/* What an objection goes back to, in a combat. */
	int64_t ask_seq;
	int ask_side;
	size_t n_decisions;
	size_t n_events;
};

/* How far the round is, where turns are activations (rules.h); else zeros. */
struct game_rounds {
	int ended; /* rounds */
	int passes; /* 1: the turn before this one passed */
	bool has_acted; /* the side in turn has given a turn order */
};

/* A line that a takeback may name, and how to undo it (S5, takeback). */
struct game_undo {
	int64_t seq;
	int turn; /* before the line */
	int truce; /* before the line */
	struct game_rounds rounds; /* before the line */
	/* Owned: id -> entry before the line, null of what joined; NULL. */
	json_t *units;
	char cup[33]; /* "" if nothing was drawn */
	json_t *chits; /* owned: that were drawn; NULL */
};

/*
 * A later round (S6.5), and the line `restored` that every seat accepts before
 * it (S4.3).
 */
struct game_later {
	bool is_due; /* from the line that calls for it to the last ready */
	bool was_due; /* before the line that is being taken */
	int64_t asked_seq; /* the server line that waits for accepts; -1 */
	bool is_accepted[GAME_SEATS]; /* of that line */
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
	struct game_seat seats[GAME_SLOTS]; /* by game_slot() */
	bool has_ready; /* a ready has been said: no more joins */
	uint8_t pool[HASH_LEN];
	int epoch; /* times the pool moved */
	int turn; /* 0 before play */
	int turns_ended; /* turn.end lines, taken back or not */
	int64_t state_at_ms; /* of the last state line; -1: not known */
	int64_t now_ms; /* of the line that is being taken */
	struct game_blobs blobs; /* as given when it was opened */
	uint8_t roster_blob[HASH_LEN]; /* in force */
	int frees[GAME_SLOTS]; /* free rolls, by game_slot() */
	int truce; /* no combat is declared before this turn; 0: none */
	struct game_rounds rounds;
	struct game_later later;
	struct game_witness witness;
	struct game_worth worth;
	struct game_offer *offers; /* owned */
	size_t n_offers;
	struct game_undo *undos; /* owned; ascending by line */
	size_t n_undos;
	struct game_cup *cups; /* owned; by name */
	size_t n_cups;
	struct game_standing *standings; /* owned; ascending by line */
	size_t n_standings;
	struct game_clock clock;
	json_t *refused; /* owned set of accounts; NULL: none */
	json_t *past_keys; /* owned set: keys that were dropped, in hex; NULL */
	json_t *past_dice; /* likewise: dice keys that count no longer */
	struct roster *roster; /* NULL when its blob is missing */
	int64_t joined; /* bytes of all that ever joined (S5.2) */
	json_t *spent; /* owned set: ids whose joining was taken back; NULL */
	struct game_count *counts;
	size_t n_counts;
	/* Owned: "seat/commitment" -> true, of all commits (S8). */
	json_t *commits;
	/*
	 * Owned, counted only with `confirm` "facts", NULL while there is
	 * nothing: objections of a side to declarations under this pool by
	 * place, and all objections by seat, then by kind.
	 */
	json_t *objected;
	json_t *objections;
	struct game_combat combat;
	struct game_owed owed;
	int winner; /* side, 0: none */
	enum game_how how;
};

/* ---- game.c ---- */

/* True if the turns of the game's system are activations (rules.h). */
bool game_has_activations(const struct game *g);

/* The names of enum game_how from the second on, NULL-ended. */
extern const char *const game_how_names[];

/* Marks the line that is being taken as a state line (S5). */
void game_state_line(struct game *g);

/* ERR_STALE before play, ERR_ILLEGAL after it. */
int game_check_phase(const struct game *g, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True when every seat that the settings name is joined. */
bool game_is_full(const struct game *g);

/* ERR_STALE if the game has moved on since the line that an order names. */
int game_check_after(const struct game *g, const struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Refuses an order (with r) while a line waits for an answer. */
int game_check_owed(const struct game *g, int r, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Nothing waits for an answer any longer. */
void game_owed_clear(struct game *g);

/* Forgets the open combat. */
void game_end_combat(struct game *g);

/* Turns the rules off and keeps the first reason; why may be NULL. */
void game_uncheckable(struct game *g, int r, const struct errinfo *why);

/*
 * Gives a blob as JSON; *out is new.  ERR_MISSING if it is not at hand,
 * ERR_ILLEGAL if it is not a blob, both with the place `where`.
 */
int game_load_blob(const struct game_blobs *blobs, const uint8_t hash[HASH_LEN],
    const char *where, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* A seat never repeats a commitment (S8): keeps this one.  ERR_ILLEGAL. */
int game_commit_note(struct game *g, int seat, const uint8_t commit[HASH_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

/* True for an order of a combat; upkeep and free rolls stand outside. */
bool game_is_combat(enum order_kind kind);

/* The rules' refusals of an order are final. */
int game_illegal(int r);

/* ---- game_create.c ---- */

/* Opens settings and roster of a game whose `set` is read. */
int game_open_rules(struct game *g, const struct game_blobs *blobs,
    bool with_roster, struct errinfo *e) __attribute__((warn_unused_result));

/* ---- game_key.c ---- */

/*
 * True if one of the keys, the recovery key among them, is one of seat i: no
 * key sits in two (S3).
 */
bool game_key_sits(
    const struct game *g, int i, const struct statement_keys *keys);

/*
 * ERR_ILLEGAL, with that place, if a new key of the seat in that slot was in
 * the game before, or if one of its keys is another seat's.
 */
int game_key_check_new(const struct game *g, int slot,
    const struct statement_keys *keys, const uint8_t key[SIGN_KEY_LEN],
    const char *where, struct errinfo *e) __attribute__((warn_unused_result));

/* Remembers the keys of a slot that are none of these.  ERR_NOMEM. */
int game_key_forget(struct game *g, int slot, const struct statement_keys *keys)
    __attribute__((warn_unused_result));

/* ---- game_dice_key.c ---- */

/*
 * Somebody else has the seat, with this dice key: the pool moves by it, and a
 * later round begins (S4.2).  ERR_NOMEM.
 */
int game_rekey_newcomer(struct game *g, int seat,
    const uint8_t key[VRF_KEY_LEN], struct game_effects *fx)
    __attribute__((warn_unused_result));

/*
 * A turn ends: the seats whose new dice keys wait are rekeyed, and a later
 * round is due if there are any (S6.5).  ERR_NOMEM.
 */
int game_rekey_waiting(struct game *g, struct game_effects *fx)
    __attribute__((warn_unused_result));

/* A joiner leaves: their dice key was one of the game's.  ERR_NOMEM. */
int game_dice_key_leave(struct game *g, int seat)
    __attribute__((warn_unused_result));

/* ---- game_server.c ---- */

/*
 * ERR_STALE if a later round is due and the order is none that is taken
 * meanwhile (S5).
 */
int game_later_check(const struct game *g, const struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/* No later round is due any longer, and no server line waits for accepts. */
void game_later_end(struct game *g);

/* Takes an accept of the server line that waits for it. */
int game_later_accept(struct game *g, const struct game_line *l)
    __attribute__((warn_unused_result));

/* True if this seat gives the round that is due a ready, and has not yet. */
bool game_later_owes(const struct game *g, int seat);

/* True for a seat whose ready a round that is due now needs (S6.5, S6.9). */
bool game_round_has(const struct game *g, int seat);

/* ---- game_play.c ---- */

/*
 * True for what the other side sees before anything else is done (S6.3): a
 * decision that states a fact; a declaration with `confirm` always, and if a
 * decision comes first where the sides answer each other.
 */
struct game_go;
bool game_go_is_shown(const struct game *g, const struct game_go *go);

/* ---- game_answer.c ---- */

/*
 * What waits for an answer is agreed to by the line that is taken, with the
 * other side's contribution or NULL, and goes on.
 */
int game_answer_agreed(struct game *g, const struct game_line *l,
    const uint8_t *other_beta) __attribute__((warn_unused_result));

/* What waits for an answer is void, and the place of its dice unused. */
int game_answer_void(struct game *g) __attribute__((warn_unused_result));

/* ---- game_secret.c ---- */

/* S5: a commit does not make the other side's to the same ask stale. */
bool game_commit_is_fresh(const struct game *g, const struct order *o);

/* ---- game_place.c ---- */

/* The name of a pool-moving place, p/<epoch>. */
void game_place_pool(const struct game *g, char place[ORDER_PLACE_MAX + 1]);

/*
 * Moves the pool by these betas, which is the line's effect under the name
 * above.
 */
int game_place_move(struct game *g, const uint8_t *betas, size_t n,
    struct game_effects *fx) __attribute__((warn_unused_result));

/* The pool has moved, to the one in fx. */
void game_place_moved(struct game *g, struct game_effects *fx);

/* Moves the pool of a game of which lines were lost (S4.3). */
int game_place_restore(struct game *g, struct game_effects *fx)
    __attribute__((warn_unused_result));

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

/* ---- game_propose.c, game_accept.c ---- */

/*
 * Loads the rosters that the args of a proposal name; *out is new.
 * ERR_MISSING if the blob is not at hand, ERR_ILLEGAL if it does not hold.
 */
int game_propose_load(const struct game *g, const json_t *args,
    struct roster **out, struct errinfo *e) __attribute__((warn_unused_result));

/* True if accepting line `to` moves the pool: it then has place and own. */
bool game_accept_moves(const struct game *g, int seat, int64_t to);

/* ---- game_adjust.c ---- */

/* True where no roster can be asked: what changes in it is not known. */
bool game_adjust_is_blind(const struct game *g);

/*
 * Checks a list of changes against the roster, or its form alone where the
 * rules are not run; carries them out.  The check is ERR_INVALID with the
 * place (from "order.args.units" on); ERR_NOMEM.
 */
int game_adjust_check(const struct game *g, const json_t *units,
    struct errinfo *e) __attribute__((warn_unused_result));
int game_adjust_do(struct game *g, const json_t *units)
    __attribute__((warn_unused_result));

/* ---- game_claim.c ---- */

/*
 * A ruling that takes nothing back, and that seats 1 and 2 have accepted,
 * comes in force; that the accept is a state line is the caller's affair.
 * ERR_ILLEGAL: nothing is changed.  On success f may be gone.
 */
int game_ruling_do(struct game *g, const struct game_offer *f,
    struct errinfo *e) __attribute__((warn_unused_result));
/*
 * Ends the game: phase over, nothing owed, no offers, no combat; the line is
 * a state line.
 */
void game_decide_end(struct game *g, int winner, enum game_how how);

#endif
