/* SPDX-License-Identifier: ISC */
/*
 * The terms of a tournament (record S15.4): what its create order says, and
 * what never changes afterwards.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_TERMS_H
#define UMPIRE_COMMON_TOURNAMENT_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/pairing/tiebreak.h"
#include "common/record/order.h"

struct entry;

#define TERMS_DEPUTIES_MAX 8
#define TERMS_SCENARIOS_MAX 64
#define TERMS_DATES_MAX 64
#define TERMS_ENTRANTS_MAX 1000

enum terms_format {
	TERMS_SWISS,
	TERMS_ROUNDROBIN,
	TERMS_KNOCKOUT,
	TERMS_SWISS_KNOCKOUT,
};

extern const char *const terms_formats[]; /* their names, NULL-ended */

/* What becomes of a table whose round is over time. */
enum terms_late {
	TERMS_LATE_DIRECTOR,
	TERMS_LATE_DRAW,
	TERMS_LATE_LOSE,
	TERMS_LATE_POINTS,
};

extern const char *const terms_lates[];

/* Half points. */
struct terms_points {
	int win, draw, loss;
	int bye; /* of the pairing: that of a win or a draw */
	int asked; /* of a bye that was asked for: 0 or a draw's */
};

struct terms_scenario {
	const char *name; /* borrowed from the order, as the rest */
	const json_t *roster; /* a hash in hex */
	const json_t *rulings;
	const json_t *tables;
};

/* Another tournament that this one continues (record S21.4). */
struct terms_continues {
	uint8_t tournament[HASH_LEN];
	uint8_t server[SIGN_KEY_LEN];
	int64_t seq;
	uint8_t line[HASH_LEN];
};

/* Who answers every roll (record S6.9, S17). */
struct terms_witness {
	const char *account; /* borrowed */
	uint8_t key[SIGN_KEY_LEN];
	uint8_t dice_key[VRF_KEY_LEN];
};

/* Everything borrowed is the order's. */
struct terms {
	const json_t *args;
	const char *event;
	struct order_join director; /* seat 0; no dice key */
	const char *deputies[TERMS_DEPUTIES_MAX];
	size_t n_deputies;
	bool has_witness;
	struct terms_witness witness;
	enum terms_format format;
	int rounds; /* of the Swiss; cycles of a round robin; 0 */
	int cut; /* 0 without one */
	bool has_third;
	bool is_concurrent;
	const char *system;
	const char *rules;
	struct order_create set; /* of every game: from scheme to options */
	struct terms_scenario scenarios[TERMS_SCENARIOS_MAX];
	size_t n_scenarios;
	bool is_mirror;
	struct terms_points points;
	int resign; /* permille */
	enum tiebreak ties[TIEBREAK_N];
	size_t n_ties;
	bool parts_by_lot;
	int64_t until_ms; /* entry.until */
	int max;
	bool admits; /* entry.admit is director */
	int late; /* last round for which somebody may still enter */
	bool late_half;
	bool is_rated; /* seed is rating */
	int64_t checkin_s, start_s, gap_s, round_s, notice_s;
	int64_t review_s, protest_s, ruling_s;
	int64_t dates[TERMS_DATES_MAX]; /* ms */
	size_t n_dates;
	enum terms_late late_rule;
	int margin;
	int byes;
	int out_after;
	int apart;
	bool pairs_director; /* pair is director */
	bool has_continues;
	struct terms_continues continues;
};

/*
 * Reads the args of a create order.  ERR_NEWER for what is not of this version;
 * ERR_INVALID with the place ("order.args.entry.until"); ERR_NOMEM.
 */
int terms_parse(const struct entry *o, struct terms *t, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Reads a witness as `witness` of the terms, or a ruling, has it. */
int terms_witness_parse(const json_t *v, const struct js_at *at,
    struct terms_witness *w, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True if a tie-break says something in this format (record S20.2). */
bool terms_may_tie(enum terms_format format, enum tiebreak tie);

/* True if some rounds, or all, are a Swiss; a knockout. */
bool terms_has_swiss(const struct terms *t);
bool terms_has_knockout(const struct terms *t);

#endif
