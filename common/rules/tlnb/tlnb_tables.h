/* SPDX-License-Identifier: ISC */
/*
 * The four tables of tlnb as plain data, and their reader: what each says by
 * row and column, which may be a game's own (umpire-rules.7, 14.7).
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_TABLES_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_TABLES_H

#include <jansson.h>

#include "common/base/err.h"

struct js_at;

#define TLNB_TABLES_CODE_MAX 3 /* bytes of a code */
#define TLNB_TABLES_CRT_ROWS 6
#define TLNB_TABLES_CRT_COLUMNS 12
#define TLNB_TABLES_FIRE_ROWS 9
#define TLNB_TABLES_FIRE_LEAST (-1) /* what the first row stands for */
#define TLNB_TABLES_FIRE_COLUMNS 5
#define TLNB_TABLES_CHARGE_ROWS 6
#define TLNB_TABLES_CHARGE_COLUMNS 4
#define TLNB_TABLES_SHOCK_ROWS 7
#define TLNB_TABLES_SHOCK_LEAST (-3)

enum tlnb_effect {
	TLNB_NOTHING, /* - */
	TLNB_SUPPRESSED, /* S */
	TLNB_ATTACKER_BACK, /* Arn */
	TLNB_DEFENDER_BACK, /* Drn */
	TLNB_ATTACKER_STAR, /* Ar* */
	TLNB_DEFENDER_STAR, /* Dr* */
	TLNB_SHOCK, /* Sk */
	TLNB_REDUCE, /* 1R, 2R */
	TLNB_LOSE_ONE, /* 1E */
	TLNB_EXCHANGE, /* Ex */
	TLNB_ATTACKER_GONE, /* Ae */
	TLNB_DEFENDER_GONE, /* De */
	TLNB_OVERRUN, /* OR */
	TLNB_REPULSED, /* Prn */
};

/* A result code. */
struct tlnb_code {
	enum tlnb_effect effect;
	/*
	 * Hexes of Ar and Dr, units of 1R, 2R and Pr, movement points left
	 * by Ae (-1: all).
	 */
	int n;
	char text[TLNB_TABLES_CODE_MAX + 1];
};

/* All tables, row by row as the dice and differences go up. */
struct tlnb_tables {
	struct tlnb_code crt[TLNB_TABLES_CRT_ROWS][TLNB_TABLES_CRT_COLUMNS];
	struct tlnb_code fire[TLNB_TABLES_FIRE_ROWS][TLNB_TABLES_FIRE_COLUMNS];
	struct tlnb_code charge[TLNB_TABLES_CHARGE_ROWS]
			       [TLNB_TABLES_CHARGE_COLUMNS];
	struct tlnb_code shock[TLNB_TABLES_SHOCK_ROWS];
};

/* rules_system's data: a struct tlnb_tables. */
int tlnb_tables_read(const json_t *value, const struct js_at *at, void *data,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
