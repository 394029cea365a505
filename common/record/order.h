/* SPDX-License-Identifier: ISC */
/*
 * Order texts (record S3, S5): the exact bytes that a player signs.  This
 * checks their form; whether an order is lawful is game.h's.
 */
#ifndef UMPIRE_COMMON_RECORD_ORDER_H
#define UMPIRE_COMMON_RECORD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/record/order_kind.h"
#include "common/record/statement.h"

struct buf;
struct checker;
struct js_at;
struct vrf_memo;

/* The places of an order and of its args, for errors. */
extern const struct js_at order_at;
extern const struct js_at order_at_args;

#define ORDER_TEXT_MIN 2
#define ORDER_TEXT_MAX 16384
#define ORDER_NONCE_LEN 16
#define ORDER_PLACE_MAX 128 /* bytes of a place, far above any real one */
#define ORDER_ACCOUNT_MAX 32

/* An order as read; order_clear() frees it.  text is borrowed. */
struct order {
	json_t *root; /* owned */
	const char *text;
	size_t len;
	uint8_t oid[HASH_LEN];
	uint8_t server[SIGN_KEY_LEN];
	uint8_t nonce[ORDER_NONCE_LEN];
	bool has_now;
	int64_t now_ms; /* by the author's clock; 0 if absent */
	enum order_kind kind;
	const char *kind_name; /* as written; borrowed from root */
	const json_t *args; /* borrowed from root */
	uint8_t game[HASH_LEN]; /* of create: the id that it makes */
	int seat; /* of create: args.seat */
	int64_t after; /* of create: -1 */
	uint8_t head[HASH_LEN]; /* of create: zeros */
	const char *place; /* NULL if absent; borrowed */
	bool has_own;
	uint8_t own[VRF_PROOF_LEN];
	bool has_other;
	uint8_t other[VRF_PROOF_LEN];
	/*
	 * What came with the order: {"salt","text"} of a standing order,
	 * or of a commit in a game whose secrets are held (S8).  Borrowed,
	 * set by the caller.
	 */
	const json_t *open;
	/*
	 * What checking own or other gave before, or NULL.  Borrowed, set by
	 * the caller.
	 */
	const struct vrf_memo *memo;
	/* What checks own and other, later; NULL: at once.  Likewise. */
	struct checker *checker;
	/* The time of the line that it will be; set by the caller. */
	int64_t at_ms;
};

/*
 * Reads a text as JSON of the profile (S3), of a size that an order may have;
 * *root is new.  ERR_TOOBIG, ERR_MALFORMED, ERR_NOMEM.
 */
int order_load_text(const char *text, size_t len, json_t **root,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads an order text: size, profile, the members of S3 with their types,
 * which of place, own and other its kind must and may have.  The inside of
 * args is not looked at but for create's and join's seat.  ERR_TOOBIG,
 * ERR_MALFORMED, ERR_INVALID (with the place, "order.head"), ERR_NOMEM.
 */
int order_parse(const char *text, size_t len, struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same in parts, for a verifier, which must know whether a newer umpire
 * made an order before it says that what is in it is wrong (record S10).
 * order_parse_members() leaves out what depends on the kind:
 * order_check_kind() checks that, which of place, own and other are there,
 * and create's seat (until then it may be -1).  Errors as above.
 */
int order_parse_members(const char *text, size_t len, struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));
int order_check_kind(const struct order *o, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Reads of an order text only what ties it to a game: server, game, seat,
 * after and head.  Whatever else it holds may be of a newer umpire: the kind
 * is ORDER_UNKNOWN, and there are no args.  Errors as above.
 */
int order_parse_head(const char *text, size_t len, struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * ERR_NEWER, with the place, if the kind, an arg, an option, a member of
 * `clock`, or what is offered or proposed is not of this version.  upkeep
 * are the args of upkeep orders in the game's system, NULL-ended; NULL if it
 * is not known which there are.
 */
int order_check_known(const struct order *o, const char *const *upkeep,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The parts of that which orders of tournaments ask, too: that args has no
 * members but those of the list, and that its `options` and `clock` have none
 * but those of create.  ERR_NEWER with the place.
 */
int order_check_args(const json_t *args, const struct order_arg *known,
    struct errinfo *e) __attribute__((warn_unused_result));
int order_check_settings(const json_t *args, struct errinfo *e)
    __attribute__((warn_unused_result));

/* What is offered, and what is proposed (record S5.2); NULL-ended. */
extern const char *const order_offers[];
extern const char *const order_proposals[];

/* Frees what order_parse() gave. */
void order_clear(struct order *o);

/* What a claim of a deadline that has passed does (record S6.7). */
enum order_clock_then {
	ORDER_CLOCK_FORFEIT,
	ORDER_CLOCK_DEFAULT,
	ORDER_CLOCK_DIRECTOR,
};

/* The days of the week as a clock names them, "mon" first; NULL ends them. */
extern const char *const order_days[];

/* The clock of a game; times in seconds. */
struct order_clock {
	bool is_side; /* a bank for each side; else so long for each order */
	int64_t first_s;
	int64_t add_s;
	int64_t cap_s; /* 0: none */
	int64_t grace_s;
	int64_t notice_s; /* before a claim has its effect; 0: at once */
	unsigned skip; /* bits of days that do not count, 1 << 0 is Monday */
	int64_t holidays; /* days for each side */
	enum order_clock_then then;
};

/* A player who takes a seat: a join's args, checked. */
struct order_join {
	int seat;
	uint8_t key[SIGN_KEY_LEN];
	/* That key, the account's others, its recovery key, statements. */
	struct statement_keys keys;
	uint8_t dice_key[VRF_KEY_LEN];
	bool has_name;
	uint8_t name[HASH_LEN];
	const char *account; /* borrowed from the order */
};

/* The settings of a game: create's args, checked (record S3). */
struct order_create {
	struct order_join who; /* takes the first seat */
	const char *system; /* borrowed from the order, as the rest */
	const char *rules;
	const json_t *rulings;
	const json_t *tables; /* array of hashes in hex */
	uint8_t roster[HASH_LEN];
	bool is_live; /* scheme live-1; else dual-1 */
	uint8_t server_dice[VRF_KEY_LEN];
	bool is_sealed; /* secret */
	bool is_director; /* silence: director; else forfeit */
	bool is_confirm; /* declarations wait for an answer */
	bool confirms_facts; /* and decisions that state facts */
	bool has_clock;
	struct order_clock clock;
	const json_t *clock_json; /* as given; NULL if absent */
	bool is_private;
	const char *event; /* NULL if absent */
	int64_t round; /* -1 if absent */
	int64_t table; /* -1 if absent */
	int seats; /* players' seats, 2 .. 16 */
	bool has_director; /* options.director */
	bool may_take_back;
	const json_t *owner_fields; /* NULL if absent */
	int64_t delay; /* turns; -1 if absent */
	int64_t delay_minutes; /* -1 if absent */
	bool has_witness; /* options.witness: only in live-1 */
	uint8_t witness[SIGN_KEY_LEN]; /* its key */
	int64_t witness_s; /* from when on its silence may be claimed */
	bool has_options;
	/* The leg of a tournament that the game is (record S16). */
	bool has_tournament;
	uint8_t tournament[HASH_LEN];
	int64_t paired; /* line */
	uint8_t line[HASH_LEN];
	int64_t leg;
};

/*
 * Reads the args of a create order.  ERR_INVALID with the place
 * ("order.args.scheme"); ERR_NEWER as order_check_known(); ERR_NOMEM.  Keys are
 * checked to be keys.
 */
int order_create_parse(const struct order *o, struct order_create *c,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads of create's args what the games of a tournament have in common: from
 * scheme to options; ERR_INVALID likewise.  c was zero before.
 */
int order_settings_parse(const json_t *args, struct order_create *c,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads an account and its keys out of an object at `at`: key, keys, kn,
 * kprev, recovery; and with the dice key and the name of who plays.
 * ERR_INVALID with the place; ERR_NOMEM.
 */
int order_account_parse(const json_t *v, const struct js_at *at,
    struct order_join *j, struct errinfo *e)
    __attribute__((warn_unused_result));
int order_player_parse(const json_t *v, const struct js_at *at,
    struct order_join *j, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Checks a dice key that stands as a member at `at`: ERR_INVALID if it is no
 * point on the curve; running out of memory says nothing about it.
 */
int order_check_dice_key(const uint8_t key[VRF_KEY_LEN], const char *name,
    const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Reads the args of a join order; as order_create_parse(). */
int order_join_parse(const struct order *o, struct order_join *j,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads who takes a seat by a server line operator-key (record S4.2), whose
 * data stands at `at`; unknown members are the caller's affair.
 */
int order_newcomer_parse(const json_t *data, const struct js_at *at,
    struct order_join *j, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Reads the args of a dice-key order; as order_create_parse(). */
int order_dice_key_parse(const struct order *o, uint8_t key[VRF_KEY_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

/* True for 1 to 64 printable ASCII characters: an event (record S3). */
bool order_is_event(const char *s);

/* True for [a-z0-9][a-z0-9._-]{0,31} (record S12). */
bool order_is_account(const char *s);

/*
 * What a new order is made of; pointers are borrowed.  The nonce is drawn
 * by order_write().
 */
struct order_parts {
	const uint8_t *server;
	int64_t now_ms; /* the author's clock; below 0: not told */
	const uint8_t *game; /* NULL for create; then seat, after, head too */
	int seat;
	int64_t after;
	const uint8_t *head;
	enum order_kind kind;
	const char *place; /* NULL: none */
	const uint8_t *own; /* NULL: none */
	const uint8_t *other; /* NULL: none */
	const json_t *args;
};

/* Appends an order text with a fresh nonce.  ERR_TOOBIG, ERR_NOMEM. */
int order_write(const struct order_parts *p, struct buf *out)
    __attribute__((warn_unused_result));

#endif
