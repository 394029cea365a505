/* SPDX-License-Identifier: ISC */
/* The state of a tournament, for the files of this folder alone. */
#ifndef UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_INT_H
#define UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_INT_H

#include "common/pairing/crosstable.h"
#include "common/record/statement.h"
#include "common/tournament/tournament.h"

/* Somebody who is here: director, deputy, entrant, witness. */
struct tournament_account {
	char name[ORDER_ACCOUNT_MAX + 1];
	struct statement_keys keys;
	bool is_director; /* has come as one */
	bool is_witness;
	int number; /* of the entrant; 0 */
	/* What the operator proposes (S15.6): the line; -1: nothing. */
	int64_t proposed_seq;
	uint8_t proposed[SIGN_KEY_LEN];
	bool is_former; /* of another server: a name, and nobody */
};

/* A key that is or was an account's, or a dice key. */
struct tournament_key {
	uint8_t key[VRF_KEY_LEN];
	int account; /* index; -1: the server's dice key */
	int64_t dropped_seq; /* the line that took it away; INT64_MAX */
};

/* From a round on somebody is in, or is not. */
struct tournament_turn {
	int from;
	bool is_in;
};

/*
 * More than anybody has, each from a later round: only in a Swiss, of 30 rounds
 * at most, does somebody come back.
 */
#define TOURNAMENT_TURNS_MAX 40

/* For so long the witness alone starts (S17). */
#define TOURNAMENT_ALONE_S 86400

/* Lines from before 2026-11-28T14:00:00Z may be those of S19.7. */
#define TOURNAMENT_OLD_MS 1795874400000

/* No daemon took orders by clocks that were further ahead. */
#define TOURNAMENT_AHEAD_MS 600000

/* A byte for each round of a Swiss. */
#define TOURNAMENT_ROUNDS_SWISS 31

struct tournament_entrant {
	int account; /* index */
	uint8_t dice_key[VRF_KEY_LEN];
	char club[ORDER_ACCOUNT_MAX + 1]; /* "" */
	bool has_name;
	uint8_t name[HASH_LEN];
	int rating; /* 0 */
	int64_t entered_seq; /* the line */
	bool is_said; /* a director has said whether they may play */
	bool is_admitted; /* as it was said */
	bool is_late; /* entered after `shut` */
	bool is_withdrawn; /* before `start` */
	bool has_checked_in; /* under the newest place */
	uint8_t beta[VRF_BETA_LEN]; /* of that */
	int lot; /* place in the lots order, from 1; 0 */
	int since; /* first round that they were in; 0: never */
	bool is_late_half; /* the last round before it counts a draw */
	struct tournament_turn turns[TOURNAMENT_TURNS_MAX]; /* ascending */
	size_t n_turns;
	bool takes_bye[TOURNAMENT_ROUNDS_SWISS]; /* by round */
	int64_t named_seq; /* the last ruling about them, or their withdrawal */
	int64_t out_seq; /* the line that put them out as a no-show; 0 */
	bool is_former; /* of a tournament that is continued: not here (yet) */
	int seed; /* of the knockout, from 1; 0 */
};

/* A notice of a claim that stands (S19.3). */
struct tournament_notice {
	int64_t seq; /* -1: none stands */
	int64_t at_ms, now_ms;
};

struct tournament_leg {
	enum tournament_result result;
	int64_t result_seq; /* the line that gave it; -1 */
	int bp; /* of side 1 */
	int game_bp; /* by the last `result` of a game */
	bool is_of_game; /* the result is that of such a line, or a claim's
			  * upon a game that was played */
	bool is_absent[3]; /* by side: forfeited as not come */
	/* "out", or a claim's ground; static, NULL: something else gave it */
	const char *given_by;
	bool has_game;
	uint8_t game[HASH_LEN];
	int64_t game_seq; /* the line `game` */
	int64_t since_ms; /* from when on start_s and round_s count */
	int64_t more_s; /* by rulings, onto both */
	int64_t awaited_ms; /* since when a ruling is awaited; -1 */
	struct tournament_notice notice;
};

struct tournament_table {
	int a, b; /* numbers of entrants: sides 1 and 2 of leg 1 */
	struct tournament_leg legs[TOURNAMENT_LEGS_MAX];
	int n_legs; /* now: one more where it is played off */
	int n_base; /* those that make its result */
};

struct tournament_round {
	int64_t seq; /* the line of the pairing that holds */
	uint8_t line[HASH_LEN]; /* its hash */
	int64_t at_ms;
	struct tournament_table *tables; /* owned */
	size_t n_tables;
	int *byes; /* numbers; owned */
	size_t n_byes;
	int *absent; /* likewise */
	size_t n_absent;
	bool is_apart;
	bool is_by_hand;
	bool is_former; /* seq and line are those of another record */
};

/* A game that a line `game` has named. */
struct tournament_game {
	uint8_t game[HASH_LEN];
	struct tournament_place place;
	int64_t seq;
	bool is_void; /* its leg was replayed, or its pairing replaced */
	int results; /* lines `result` of it */
};

struct tournament_protest {
	int64_t seq;
	int64_t at_ms;
	int number;
	int round;
	int table; /* 0: none */
	int64_t answered_seq; /* -1 */
	int64_t answered_ms; /* -1 */
};

/* Half points by a ruling, after so many rounds. */
struct tournament_half {
	int number;
	int round;
	int half;
};

/* Who is kept apart by a ruling. */
struct tournament_apart {
	int *numbers; /* owned */
	size_t n;
	int from, to;
};

/* The rules version of the games of a round and those after it. */
struct tournament_rules {
	int from;
	char version[64];
};

enum tournament_form {
	TOURNAMENT_RESULT,
	TOURNAMENT_REPLAY,
	TOURNAMENT_EXTEND,
	TOURNAMENT_POINTS,
	TOURNAMENT_EXPEL,
	TOURNAMENT_BACK,
	TOURNAMENT_KEEP_APART,
	TOURNAMENT_PAIRS,
	TOURNAMENT_WITNESS,
	TOURNAMENT_RULES,
	TOURNAMENT_ANSWER,
	TOURNAMENT_ACCEPT,
};

extern const char *const tournament_forms[]; /* their names, NULL-ended */

/* A ruling, for those who ask what a director has decided. */
struct tournament_ruling {
	int64_t seq;
	int account;
	enum tournament_form form;
	int number; /* the entrant that it names; 0 */
	int about; /* that, or who protested; 0 */
	int round, table, leg; /* that it names; 0 */
	int half; /* points that it gives */
	uint8_t why[HASH_LEN];
};

struct tournament {
	struct tournament *old; /* owned: that it continues; NULL */
	char *create_text; /* owned */
	struct entry create;
	struct terms terms;
	int64_t seq;
	uint8_t head[HASH_LEN];
	int64_t at_ms, now_ms; /* of the line that is taken */
	int64_t last_ms; /* of the last line */
	int64_t latest_ms; /* by any author's clock, up to the last line */
	int n_older; /* lines that are good as S19.7 has them alone, */
	int64_t older_seq; /* the first of them, */
	int64_t older_last; /* and the last */
	enum tournament_phase phase;
	bool is_halted, is_closed;
	int64_t over_seq; /* the line that ended it */
	int64_t rests_seq; /* tournament_rests_seq() */

	struct tournament_account *accounts;
	size_t n_accounts;
	struct tournament_key *keys, *dice_keys; /* all that ever were */
	size_t n_keys, n_dice_keys;
	struct terms_witness witness; /* that holds for games to come */
	char witness_account[ORDER_ACCOUNT_MAX + 1];

	struct tournament_entrant *entrants; /* by number less 1 */
	size_t n_entrants;

	uint8_t pool[HASH_LEN];
	int restored; /* since `shut`: the place of check-ins */
	int64_t shut_seq; /* the line of shut_ms */
	int64_t shut_ms; /* or of the last `restored` after it */
	int64_t complete_ms; /* since when all have checked in; -1 */
	int64_t start_ms;
	int *lots; /* numbers as drawn; owned */
	size_t n_lots;
	int initial; /* side; 0 */
	bool is_alone; /* started without the witness */

	int rounds_all; /* that there are to be, by start or stop */
	int rounds_swiss; /* of them, of the Swiss or round robin */
	int stopped; /* 0: not */
	struct tournament_round *rounds; /* by round less 1; owned */
	size_t n_rounds;
	size_t n_seeds; /* of the knockout; 0: not yet */
	int cut;
	struct tournament_game *games;
	size_t n_games;
	int64_t result_ms, ruling_ms; /* of the last of each; -1 */
	struct tournament_protest *protests;
	size_t n_protests;
	struct tournament_apart *aparts;
	size_t n_aparts;
	struct tournament_half *halves;
	size_t n_halves;
	struct tournament_rules *rules;
	size_t n_rules;
	struct tournament_ruling *rulings;
	size_t n_rulings;
};

/* Makes room for one more element, which is zero; NULL without memory. */
void *tournament_grow(void *list, size_t *n, size_t size);

/* ERR_ILLEGAL, with a place in the order, and ERR_INVALID made that. */
int tournament_illegal(const struct tournament_line *l, const char *where,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int tournament_final(int r);

/* ERR_ILLEGAL: not before a time; what holds till then is said. */
int tournament_early(const struct tournament_line *l, const char *where,
    const char *what, int64_t ms);

/* True if so many seconds have passed since, by both clocks. */
bool tournament_passed(const struct tournament *t, int64_t since_ms, int64_t s);

/*
 * True if the line stands in a record, and is from before TOURNAMENT_OLD_MS, by
 * the clocks of all who have signed, too.
 */
bool tournament_is_old(
    const struct tournament *t, const struct tournament_line *l);

/* Notes that the line that is taken would be none without S19.7. */
void tournament_note_older(struct tournament *t);

/*
 * True if it is, and lacks an event (NULL: without memory, false), which is
 * noted.
 */
bool tournament_lacks(
    struct tournament *t, const struct tournament_line *l, const json_t *event);

/* Appends an event (stolen; NULL: without memory).  ERR_NOMEM. */
int tournament_event(const struct tournament_line *l, json_t *event)
    __attribute__((warn_unused_result));

/* ---- tournament_account.c ---- */

struct tournament_account *tournament_account_find(
    const struct tournament *t, const char *name);

/* The account's own, for the order's author; NULL: they are not here. */
struct tournament_account *tournament_author(
    const struct tournament *t, const struct entry *o);

/*
 * Names an account by the keys of an order, for the first time or as its lines
 * have them by now (S15.3); *a is borrowed until another is named.
 */
int tournament_account_name(struct tournament *t, const struct order_join *j,
    const struct js_at *at, struct tournament_account **a, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Checks the same without naming it. */
int tournament_account_check(const struct tournament *t,
    const struct order_join *j, const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Names the witness of the terms, or of a ruling. */
int tournament_witness_name(struct tournament *t, const struct terms_witness *w,
    const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Whether a dice key is free for an account (-1: the server); takes it. */
int tournament_dice_check(const struct tournament *t,
    const uint8_t key[VRF_KEY_LEN], int account, const struct js_at *at,
    struct errinfo *e) __attribute__((warn_unused_result));
int tournament_dice_take(struct tournament *t, const uint8_t key[VRF_KEY_LEN],
    int account) __attribute__((warn_unused_result));

/* Checks that a key was nobody's here. */
int tournament_key_check_new(const struct tournament *t,
    const uint8_t key[SIGN_KEY_LEN], const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Replaces all keys of an account by the one that the operator proposed. */
int tournament_account_replace(struct tournament *t,
    struct tournament_account *a) __attribute__((warn_unused_result));

/* Index of an account in t->accounts. */
int tournament_account_index(
    const struct tournament *t, const struct tournament_account *a);

/* ---- tournament_enter.c ---- */

int tournament_deputy(struct tournament *t, const struct tournament_line *l);
int tournament_enter(struct tournament *t, const struct tournament_line *l);
int tournament_admit(struct tournament *t, const struct tournament_line *l);
int tournament_withdraw(struct tournament *t, const struct tournament_line *l);
int tournament_bye(struct tournament *t, const struct tournament_line *l);
int tournament_dice_key(struct tournament *t, const struct tournament_line *l);
int tournament_say(struct tournament *t, const struct tournament_line *l);
int tournament_stop(struct tournament *t, const struct tournament_line *l);

/* The entrant of a number; NULL: there is none. */
struct tournament_entrant *tournament_entrant(
    const struct tournament *t, int64_t number);

/* Reads the number of an entrant who is there. */
int tournament_get_entrant(const struct tournament *t, const json_t *v,
    const char *name, const struct js_at *at, struct tournament_entrant **out,
    struct errinfo *e) __attribute__((warn_unused_result));
int tournament_number_of(
    const struct tournament *t, const struct tournament_entrant *x);

/* Whether they are in for a round; whether they may play at all. */
bool tournament_is_in(const struct tournament_entrant *x, int round);
bool tournament_is_admitted(
    const struct tournament *t, const struct tournament_entrant *x);

/* Whether a director still has to say whether they may play. */
bool tournament_waits_admit(
    const struct tournament *t, const struct tournament_entrant *x);

/* From a round on they are in, or not, whatever was said of it before. */
void tournament_turn(struct tournament_entrant *x, int from, bool is_in);

/* The next round to be paired; 1 before the first. */
int tournament_next(const struct tournament *t);

/* True if rounds may still be entered. */
bool tournament_takes_late(const struct tournament *t);

/*
 * Checks that a round may still lose somebody: it is not paired yet, unless
 * all rounds may be paired at once; and that there is such a round.
 */
int tournament_check_from(const struct tournament *t,
    const struct tournament_line *l, const char *where, int64_t from)
    __attribute__((warn_unused_result));

/* ---- tournament_continue.c ---- */

/* Takes l->before as what the terms continue, if they continue anything. */
int tournament_continue(struct tournament *t, const struct tournament_line *l)
    __attribute__((warn_unused_result));

/* Whose place the author of an `enter` has had there. */
int tournament_was(const struct tournament *t, const struct tournament_line *l,
    struct tournament_entrant **x) __attribute__((warn_unused_result));

/* Goes on from there with the n who have checked in. */
int tournament_go_on(struct tournament *t, const int *who, size_t n)
    __attribute__((warn_unused_result));

/* ---- tournament_lots.c ---- */

int tournament_shut(struct tournament *t, const struct tournament_line *l);
int tournament_checkin(struct tournament *t, const struct tournament_line *l);
int tournament_start(struct tournament *t, const struct tournament_line *l);

/* The place of check-ins now; the input of a proof: tag and base (S6.2). */
void tournament_checkin_place(const struct tournament *t, char place[16]);
int tournament_lots_input(const struct tournament *t, const char *tag,
    const char *place, struct buf *out) __attribute__((warn_unused_result));

/* The place of the witness's part in the lots, and the input of its proof. */
int tournament_lots_own(const struct tournament *t, char place[16],
    struct buf *out) __attribute__((warn_unused_result));

/* After lost lines between shut and start all check in again (S17). */
int tournament_lots_restore(struct tournament *t, int64_t seq)
    __attribute__((warn_unused_result));

/* Sets since when all who may have checked in, if they now have. */
void tournament_lots_complete(struct tournament *t);

/* ---- tournament_round.c ---- */

int tournament_pair(struct tournament *t, const struct tournament_line *l);
int tournament_finish(struct tournament *t, const struct tournament_line *l);

/* A pairing as it is worked out; numbers of entrants. */
struct tournament_pairing {
	struct tournament_table *tables; /* owned; legs not yet filled */
	size_t n_tables;
	int *byes; /* owned, ascending; a knockout can have several */
	size_t n_byes;
	int *absent; /* likewise */
	size_t n_absent;
	bool is_apart;
};

void tournament_pairing_clear(struct tournament_pairing *p);

/* Makes room for up to n tables and as many who are absent.  ERR_NOMEM. */
int tournament_pairing_make(struct tournament_pairing *p, size_t n)
    __attribute__((warn_unused_result));

/*
 * Whether the next round could be paired by a director at this line, but for
 * its pairing; *since_ms is from when on it could (S18.1).  ERR_ILLEGAL.
 */
int tournament_may_pair(const struct tournament *t,
    const struct tournament_line *l, int64_t *since_ms)
    __attribute__((warn_unused_result));

/* Makes a round, or replaces one, of a pairing (emptied), and its event. */
int tournament_round_make(struct tournament *t, const struct tournament_line *l,
    int round, struct tournament_pairing *p, bool is_by_hand)
    __attribute__((warn_unused_result));

/* True if the round is of the knockout. */
bool tournament_is_knockout(const struct tournament *t, int round);

/* The round, or NULL; a table, a leg of it, likewise, all from 1. */
struct tournament_round *tournament_round(
    const struct tournament *t, int64_t round);
struct tournament_table *tournament_table(
    const struct tournament *t, int64_t round, int64_t table);

/* True if every leg of a round has a result. */
bool tournament_is_complete(const struct tournament *t, int round);

/* True while a protest holds things up at this line. */
bool tournament_protest_holds(const struct tournament *t);

/* ---- tournament_swiss.c, tournament_bracket.c, tournament_berger.c ---- */

/* ERR_NOTFOUND: no pairing is complete. */
int tournament_swiss_pair(const struct tournament *t, int round,
    struct tournament_pairing *p, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The same as an event has it, which was worked out elsewhere.  ERR_BAD if that
 * can be none of this tournament; ERR_NOMEM.
 */
int tournament_swiss_told(const struct tournament *t, int round,
    const json_t *event, struct tournament_pairing *p)
    __attribute__((warn_unused_result));

/* The event of a pairing; new, NULL without memory. */
json_t *tournament_pairing_event(
    const struct tournament *t, int round, const struct tournament_pairing *p);
int tournament_berger_pair(const struct tournament *t, int round,
    struct tournament_pairing *p, struct errinfo *e)
    __attribute__((warn_unused_result));
int tournament_bracket_pair(struct tournament *t, int round,
    struct tournament_pairing *p, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Numbers who counts for a round of the Swiss (S18.2): order becomes the
 * entrants by pairing number, and has room for all.  Returns how many.
 */
size_t tournament_swiss_numbers(
    const struct tournament *t, int round, int *order);

/* Below 0 if a has the smaller pairing number. */
int tournament_rank(const struct tournament *t, int a, int b);

/* How many are still in the draw. */
int tournament_bracket_left(const struct tournament *t);

/* True if a table is drawn, so that a leg more has to be played. */
bool tournament_bracket_plays_off(
    const struct tournament *t, const struct tournament_table *table);

/* The round in which somebody went out of the draw, for the standings. */
struct tournament_bracket_end {
	int number;
	int rank; /* 1 the winner, ...; equals share one */
};

/* How far each seed came (S20.3), best first; n is t->n_seeds. */
void tournament_bracket_ends(
    const struct tournament *t, struct tournament_bracket_end *ends);

/* ---- tournament_result.c ---- */

/* True for a result that a leg can have for good; for one that was played. */
bool tournament_is_result(enum tournament_result result);
bool tournament_is_played(enum tournament_result result);

/* The result as the other side sees it. */
enum tournament_result tournament_result_swapped(enum tournament_result result);

/* True if every leg of a table has a result. */
bool tournament_is_complete_table(const struct tournament_table *table);

/* Sorts numbers, ascending. */
void tournament_sort(int *numbers, size_t n);
int tournament_result_parse(const char *word, enum tournament_result *result)
    __attribute__((warn_unused_result));

/* The numbers on the sides of a leg. */
int tournament_side(const struct tournament_table *table, int leg, int side);

/* The result of a table for its a (S19.1); TOURNAMENT_NONE while it has none.
 */
enum tournament_result tournament_table_result(
    const struct tournament *t, const struct tournament_table *table);

/* What is known of a result that a line gives. */
struct tournament_given {
	struct tournament_place place;
	enum tournament_result result;
	int bp;
	const char *how;
	/* What was looked at of the leg's game; line NULL: nothing. */
	int64_t seq;
	const uint8_t *line;
	bool is_absent[3];
	bool is_quiet; /* the line says it, not an event */
	bool is_of_game;
};

/*
 * Gives a leg its result, says so in an event, and does what follows: one more
 * leg of a table of a knockout, no-shows that take somebody out.
 */
int tournament_result_give(struct tournament *t,
    const struct tournament_line *l, const struct tournament_given *given)
    __attribute__((warn_unused_result));

/*
 * Results without a game for the legs of who is out (S18.3, S18.4): all of a
 * round that have neither a result nor a game; or those of one entrant that
 * have no result.
 */
int tournament_result_out(struct tournament *t, const struct tournament_line *l,
    int round) __attribute__((warn_unused_result));
int tournament_result_expel(struct tournament *t,
    const struct tournament_line *l, int round, int number)
    __attribute__((warn_unused_result));

/*
 * Somebody is out from a round on: what of the rounds that are paired is lost
 * by that, and tables both of whose entrants are out now (S19.6).
 */
int tournament_go_out(struct tournament *t, const struct tournament_line *l,
    int number, int from) __attribute__((warn_unused_result));

/*
 * Before an order that needs complete rounds: in a record that goes on without
 * the play-offs that only claims have begun, there are none (S19.7).
 */
void tournament_play_off_none(
    struct tournament *t, const struct tournament_line *l);

/* Ends the play-off of tables that need none any more, or begins one. */
int tournament_play_off(struct tournament *t, int round)
    __attribute__((warn_unused_result));

/* A leg that begins with this line: nothing is known of it. */
void tournament_leg_begin(
    const struct tournament *t, struct tournament_leg *leg);

/* The game of a leg counts no more. */
void tournament_leg_void(struct tournament *t, struct tournament_leg *leg);

/* What the leg's game tells at its last line; ERR_NOTFOUND: it has none. */
int tournament_look(const struct tournament_leg *leg,
    const struct tournament_line *l, int64_t seq, struct tournament_look *look)
    __attribute__((warn_unused_result));

/* The game of an id that a line has named; NULL. */
struct tournament_game *tournament_game(
    const struct tournament *t, const uint8_t game[HASH_LEN]);

/* The result of a game that ended so (S19.1). */
enum tournament_result tournament_result_of(const struct tournament_look *look);

/* ---- tournament_claim.c, tournament_ruling.c, tournament_server.c ---- */

int tournament_claim(struct tournament *t, const struct tournament_line *l);

/*
 * By what ground an account's claim would have effect at t->at_ms, or, while
 * nobody has given notice, could have later: look is what the leg's game tells,
 * zero but for waits where there is none.  TOURNAMENT_GROUNDS: by none, or not
 * yet.
 */
enum tournament_ground tournament_may_claim(const struct tournament *t,
    const struct tournament_account *a, const struct tournament_place *place,
    const struct tournament_look *look);

/* From when on a leg may be claimed on a ground, which is its own. */
int64_t tournament_due_ms(const struct tournament *t,
    const struct tournament_leg *leg, enum tournament_ground ground);

/* From when on the notice about a leg may have its effect; -1: there is none.
 */
int64_t tournament_notice_ms(
    const struct tournament *t, const struct tournament_leg *leg);

int tournament_protest(struct tournament *t, const struct tournament_line *l);
int tournament_ruling(struct tournament *t, const struct tournament_line *l);

/* The leg that a place names; NULL: there is none. */
struct tournament_leg *tournament_leg(
    const struct tournament *t, const struct tournament_place *place);

/* Checks that a round is paired, and has that table; 0: any. */
int tournament_check_table(const struct tournament *t, const struct js_at *at,
    int64_t round, int64_t table, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Reads round, table and leg that are there. */
int tournament_get_place(const struct tournament *t, const json_t *v,
    const struct js_at *at, struct tournament_place *place, struct errinfo *e)
    __attribute__((warn_unused_result));

/* ---- tournament_points.c ---- */

/*
 * Points of an entrant over the rounds of the Swiss or the round robin before
 * `round` (S20.1), and in one of them.
 */
int tournament_points(const struct tournament *t, int number, int round);

/* The rounds that points and tie-breaks are of. */
int tournament_ranked(const struct tournament *t);

/* What a round was for somebody, and whom they met; what results are worth. */
struct cross_game tournament_cross(
    const struct tournament *t, int number, int round, int *opponent);
void tournament_cross_points(
    const struct tournament *t, struct cross_points *p);
int tournament_round_points(const struct tournament *t, int number, int round);

/* Everybody who was ever in, in the order of the standings; new. */
struct tournament_standing {
	int number;
	int rank;
	int points;
	int64_t values[TIEBREAK_N]; /* in the order of the terms' ties */
};

int tournament_standings(const struct tournament *t,
    struct tournament_standing **rows, size_t *n, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Those of the Swiss alone, for the seeds of a knockout after it. */
int tournament_standings_swiss(const struct tournament *t,
    struct tournament_standing **rows, size_t *n, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The table of somebody in a round; NULL, and whether they had the bye. */
const struct tournament_table *tournament_table_of(
    const struct tournament_round *rd, int number, bool *has_bye);

#endif
