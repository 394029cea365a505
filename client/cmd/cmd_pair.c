/* SPDX-License-Identifier: ISC */
/*
 * umpire pair: a round of the tournament of a TRF file by FIDE's Dutch system,
 * and why it is so.  It needs neither a profile nor a server.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmd_pair.h"
#include "client/cmd/cmds.h"
#include "client/cmd/trffile.h"
#include "client/report/standings_view.h"
#include "common/pairing/berger.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/dutch.h"
#include "common/pairing/trf.h"

#define CMD_PAIR_DIFFERS 1 /* --check: a round is not what it should be */

/* What the command line asks of the file. */
struct cmd_pair {
	const char *path;
	const struct trf *trf;
	const struct crosstable *table;
	int paired; /* rounds that the file has paired */
	int round;
	int player; /* --explain: their index */
};

/* The number of a player; 0 of nobody. */
static int
cmd_pair_number(const struct cmd_pair *p, int player)
{
	return (player < 0 ? 0 : p->table->players[player].number);
}

/* Prints what is wrong with the file. */
static int
cmd_pair_fail(const struct cmd_pair *p, int r, const char *why)
{
	struct errinfo e = {.text = ""};

	if (why != NULL)
		(void)err_set(&e, r, NULL, "%s", why);
	return (cmd_fail_in(p->path, r, &e));
}

/* What the file asks for and is not done here; 0 or an exit status. */
static int
cmd_pair_able(const struct cmd_pair *p)
{
	struct errinfo e = {.text = ""};
	char where[32];

	if (p->trf->unpairable_line == 0)
		return (0);
	(void)snprintf(
	    where, sizeof(where), "line %d", p->trf->unpairable_line);
	return (cmd_fail_in(p->path, ERR_INVALID,
	    (err_set(&e, ERR_INVALID, where,
		 "%s: rounds are not paired so here", p->trf->unpairable),
		&e)));
}

/* Makes the field before a round; 0 or an exit status. */
static int
cmd_pair_load(const struct cmd_pair *p, int round, struct entrant_field *f)
{
	int r;

	if ((r = entrant_field_load(f, p->table, round)) != 0)
		return (cmd_pair_fail(p, r,
		    r == ERR_TOOBIG ? "more players or rounds than can be "
				      "paired: 2,000 and 99"
				    : NULL));
	if (f->first_side == 0) {
		entrant_field_clear(f);
		return (cmd_pair_fail(p, ERR_INVALID,
		    "no line says who gets which side at first (152, or XXC "
		    "with white1 or black1)"));
	}
	return (0);
}

/* Pairs the round; 0 or an exit status. */
static int
cmd_pair_make(
    const struct cmd_pair *p, struct entrant_field *f, struct dutch_round *d)
{
	struct errinfo e = {.text = ""};
	int r, status;

	if ((status = cmd_pair_load(p, p->round, f)) != 0)
		return (status);
	if ((r = dutch_pair(f, NULL, d)) == 0)
		return (0);
	entrant_field_clear(f);
	if (r != ERR_NOTFOUND)
		return (cmd_pair_fail(p, r, NULL));
	(void)err_set(&e, ERR_INVALID, NULL,
	    "round %d cannot be paired: there is no complete pairing",
	    p->round);
	return (cmd_fail_in(p->path, ERR_INVALID, &e));
}

/* A round's pairs for programs, the bye aside. */
static json_t *
cmd_pair_json(const struct cmd_pair *p, const struct dutch_round *d)
{
	json_t *pairs = json_array();
	size_t i;

	for (i = 0; i < d->n_tables; i++)
		(void)json_array_append_new(pairs,
		    json_pack("[i, i]", cmd_pair_number(p, d->tables[i].a),
			cmd_pair_number(p, d->tables[i].b)));
	return (pairs);
}

/* Prints a round as JaVaFo does. */
static int
cmd_pair_round(struct cmd_ctx *cx, const struct cmd_pair *p)
{
	struct entrant_field f;
	struct dutch_round d;
	size_t i;
	int status;

	if ((status = cmd_pair_make(p, &f, &d)) != 0)
		return (status);
	if (cx->out.is_json)
		out_json(&cx->out,
		    json_pack("{s:i, s:o, s:o}", "round", p->round, "pairs",
			cmd_pair_json(p, &d), "bye",
			d.bye < 0 ? json_null()
				  : json_integer(cmd_pair_number(p, d.bye))));
	out_print(&cx->out, "%zu\n", d.n_tables + (d.bye >= 0));
	for (i = 0; i < d.n_tables; i++)
		out_print(&cx->out, "%d %d\n",
		    cmd_pair_number(p, d.tables[i].a),
		    cmd_pair_number(p, d.tables[i].b));
	if (d.bye >= 0)
		out_print(&cx->out, "%d 0\n", cmd_pair_number(p, d.bye));
	dutch_clear(&d);
	entrant_field_clear(&f);
	return (0);
}

/* Whom a round gives a player: on which side; an opponent of -1: the bye. */
static struct cross_game
cmd_pair_given(const struct dutch_round *d, int player)
{
	struct cross_game g = {.opponent = -1};
	size_t i;

	for (i = 0; i < d->n_tables; i++) {
		if (d->tables[i].a == player) {
			g.opponent = (int16_t)d->tables[i].b;
			g.side = 1;
		}
		if (d->tables[i].b == player) {
			g.opponent = (int16_t)d->tables[i].a;
			g.side = 2;
		}
	}
	return (g);
}

/* Prints a pair of a round that differs: side 1, side 2. */
static void
cmd_pair_print(struct cmd_ctx *cx, const struct cmd_pair *p, int player,
    const struct cross_game *g)
{
	int number = cmd_pair_number(p, player);
	int other = cmd_pair_number(p, g->opponent);

	if (g->opponent < 0 && g->result != CROSS_BYE)
		out_print(&cx->out, "%d not paired", number);
	else if (g->side == 2)
		out_print(&cx->out, "%d %d", other, number);
	else
		out_print(&cx->out, "%d %d", number, other);
}

/* Compares a paired round with the file; returns how many players differ. */
static int
cmd_pair_compare(struct cmd_ctx *cx, const struct cmd_pair *p, int round,
    const struct entrant_field *f, const struct dutch_round *d, json_t *differ)
{
	const struct cross_game *has;
	struct cross_game given;
	int n = 0;
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (!f->entrants[i].is_here)
			continue;
		has = crosstable_game(p->table, i, round);
		given = cmd_pair_given(d, (int)i);
		if (given.opponent < 0)
			given.result = CROSS_BYE;
		/* Of forfeits the side may not be known. */
		if (has->opponent == given.opponent &&
		    (has->side == given.side || has->side == 0))
			continue;
		if (n++ == 0)
			out_print(&cx->out, "round %d differs\n", round);
		out_print(&cx->out, "  in the file: ");
		cmd_pair_print(cx, p, (int)i, has);
		out_print(&cx->out, "; computed: ");
		cmd_pair_print(cx, p, (int)i, &given);
		out_print(&cx->out, "\n");
		(void)json_array_append_new(
		    differ, json_integer(cmd_pair_number(p, (int)i)));
	}
	return (n);
}

/* Tells how many rounds differ; rounds is stolen. */
static int
cmd_pair_checked(
    struct cmd_ctx *cx, const struct cmd_pair *p, int bad, json_t *rounds)
{
	if (cx->out.is_json)
		out_json(&cx->out, json_pack("{s:o}", "rounds", rounds));
	else
		json_decref(rounds);
	out_print(&cx->out, "%d %s, %d %s\n", p->paired,
	    p->paired == 1 ? "round" : "rounds", bad,
	    bad == 1 ? "differs" : "differ");
	return (bad == 0 ? 0 : CMD_PAIR_DIFFERS);
}

/* Pairs every round of the file and compares. */
static int
cmd_pair_check(struct cmd_ctx *cx, const struct cmd_pair *p)
{
	json_t *differ, *rounds = json_array();
	int bad, n, r, round, status = 0;
	struct entrant_field f;
	struct dutch_round d;

	for (round = 1, bad = 0; round <= p->paired; round++) {
		if ((status = cmd_pair_load(p, round, &f)) != 0)
			break;
		differ = json_array();
		if ((r = dutch_pair(&f, NULL, &d)) == 0) {
			n = cmd_pair_compare(cx, p, round, &f, &d, differ);
			dutch_clear(&d);
		} else if ((n = r == ERR_NOTFOUND))
			out_print(&cx->out,
			    "round %d has no complete pairing, but the file "
			    "has one\n",
			    round);
		entrant_field_clear(&f);
		(void)json_array_append_new(rounds,
		    json_pack("{s:i, s:b, s:o}", "round", round, "same", n == 0,
			"players", differ));
		if (r != 0 && r != ERR_NOTFOUND) {
			status = cmd_pair_fail(p, r, NULL);
			break;
		}
		bad += n != 0;
	}
	if (status != 0) {
		json_decref(rounds);
		return (status);
	}
	return (cmd_pair_checked(cx, p, bad, rounds));
}

/* How often all meet all, by the type of the file; 0: it is no round robin. */
static int
cmd_pair_cycles(const struct cmd_pair *p)
{
	const char *type = trf_text(p->trf, "192");

	if (type == NULL)
		return (0);
	if (strcmp(type, "FIDE_ROUNDROBIN") == 0)
		return (1);
	return (strcmp(type, "FIDE_DOUBLEROUNDROBIN") == 0 ? 2 : 0);
}

/* Orders players by their numbers: index of each place; new. */
static int *
cmd_pair_places(const struct cmd_pair *p)
{
	int *places = xalloc((p->table->n_players + 1) * sizeof(*places));
	size_t i, k;

	for (i = 0; i < p->table->n_players; i++) {
		for (k = i; k > 0 &&
		     cmd_pair_number(p, places[k - 1]) >
			 cmd_pair_number(p, (int)i);
		     k--)
			places[k] = places[k - 1];
		places[k] = (int)i;
	}
	return (places);
}

/* Compares a round of a round robin: how many differ; json is stolen. */
static int
cmd_pair_robin_round(struct cmd_ctx *cx, const struct cmd_pair *p, int round,
    const int *places, struct berger_pair *pairs, json_t *differ)
{
	const int n = (int)p->table->n_players;
	const struct cross_game *has;
	struct cross_game given;
	int bad = 0, rests, side, a, b;
	size_t i, tables;

	tables = berger_round(n, cmd_pair_cycles(p), round, pairs, &rests);
	/* Who rests meets nobody: as a table with one side. */
	if (rests != 0)
		pairs[tables++] = (struct berger_pair){{rests, 0}};
	for (i = 0; i < 2 * tables; i++) {
		side = 1 + (int)(i % 2);
		a = pairs[i / 2].side[side - 1];
		b = pairs[i / 2].side[2 - side];
		if (a == 0)
			continue;
		a = places[a - 1];
		given = (struct cross_game){
		    .opponent = (int16_t)(b == 0 ? -1 : places[b - 1]),
		    .side = (int8_t)(b == 0 ? 0 : side)};
		has = crosstable_game(p->table, (size_t)a, round);
		if (has->opponent == given.opponent &&
		    (has->side == given.side || has->side == 0))
			continue;
		if (bad++ == 0)
			out_print(&cx->out, "round %d differs\n", round);
		out_print(&cx->out, "  in the file: ");
		cmd_pair_print(cx, p, a, has);
		out_print(&cx->out, "; by the table: ");
		cmd_pair_print(cx, p, a, &given);
		out_print(&cx->out, "\n");
		(void)json_array_append_new(
		    differ, json_integer(cmd_pair_number(p, a)));
	}
	return (bad);
}

/* Compares every round of a round robin with the Berger tables. */
static int
cmd_pair_robin(struct cmd_ctx *cx, const struct cmd_pair *p)
{
	const int n = (int)p->table->n_players;
	json_t *differ, *rounds;
	struct berger_pair *pairs;
	int *places, bad = 0, wrong, round;

	if (n < 2 || p->paired > berger_rounds(n, cmd_pair_cycles(p)))
		return (cmd_pair_fail(p, ERR_INVALID,
		    "there are more rounds than so many players have in a "
		    "round robin"));
	places = cmd_pair_places(p);
	pairs = xalloc(((size_t)n / 2 + 1) * sizeof(*pairs));
	rounds = xalloc_json(json_array());
	for (round = 1; round <= p->paired; round++) {
		differ = xalloc_json(json_array());
		wrong =
		    cmd_pair_robin_round(cx, p, round, places, pairs, differ);
		xalloc_append(rounds,
		    json_pack("{s:i, s:b, s:o}", "round", round, "same",
			wrong == 0, "players", differ));
		bad += wrong != 0;
	}
	free(places);
	free(pairs);
	return (cmd_pair_checked(cx, p, bad, rounds));
}

/* Says by what a rival pairing of the player loses. */
static int
cmd_pair_rival(struct cmd_ctx *cx, const struct cmd_pair *p,
    const struct entrant_field *f, const struct dutch_round *d, int rival,
    json_t *rivals)
{
	struct entrant_apart pair = {p->player, rival};
	char score[STANDINGS_CELL];
	struct dutch_reason why;
	json_t *row;
	int r;

	r = dutch_explain(f, d, &pair, &why);
	if (r == ERR_EXISTS || r == ERR_INVALID)
		return (0);
	if (r != 0)
		return (cmd_pair_fail(p, r, NULL));
	row =
	    json_pack("{s:i, s:s, s:s}", "opponent", cmd_pair_number(p, rival),
		"criterion", why.criterion, "text", why.text);
	out_print(&cx->out, "  %s%4d  %s: %s", rival < 0 ? "bye " : "with",
	    cmd_pair_number(p, rival), why.criterion, why.text);
	if (why.better != why.worse)
		out_print(&cx->out, " (%lu, not %lu)", why.better, why.worse);
	if (why.score >= 0) {
		(void)json_object_set_new(
		    row, "score", json_real(why.score / 2.0));
		out_print(&cx->out, ", among those with %s",
		    standings_view_points(score, why.score));
	}
	out_print(&cx->out, "\n");
	(void)json_array_append_new(rivals, row);
	return (0);
}

/* Tells a bracket: its members, those from above first, and who goes down. */
static void
cmd_pair_bracket(struct cmd_ctx *cx, const struct cmd_pair *p,
    const struct dutch_bracket *b, json_t *brackets)
{
	json_t *down = json_array(), *members = json_array();
	char score[STANDINGS_CELL];
	size_t i;
	int number;

	out_print(&cx->out, "  %s:", standings_view_points(score, b->score));
	for (i = 0; i < b->n; i++) {
		number = cmd_pair_number(p, b->members[i]);
		out_print(&cx->out, " %s%d", i < b->n_down ? "+" : "", number);
		(void)json_array_append_new(members, json_integer(number));
		if (b->mates[i] < 0)
			(void)json_array_append_new(down, json_integer(number));
	}
	if (json_array_size(down) > 0)
		out_print(&cx->out, "; down:");
	for (i = 0; i < json_array_size(down); i++)
		out_print(&cx->out, " %d",
		    (int)json_integer_value(json_array_get(down, i)));
	out_print(&cx->out, "\n");
	(void)json_array_append_new(brackets,
	    json_pack("{s:f, s:o, s:i, s:o}", "score", b->score / 2.0,
		"members", members, "from_above", (int)b->n_down, "down",
		down));
}

/* Says why the player has this opponent and no other. */
static int
cmd_pair_explain(struct cmd_ctx *cx, const struct cmd_pair *p)
{
	json_t *brackets = json_array(), *rivals = json_array();
	struct entrant_field f;
	struct cross_game given;
	struct dutch_round d;
	int i, status;
	size_t k;

	if ((status = cmd_pair_make(p, &f, &d)) != 0)
		goto out;
	if (!f.entrants[p->player].is_here) {
		status = cmd_usage(cx, "player %d is not paired in round %d",
		    cmd_pair_number(p, p->player), p->round);
		goto out_round;
	}
	given = cmd_pair_given(&d, p->player);
	if (given.opponent < 0)
		out_print(&cx->out, "round %d: %d gets the bye\n", p->round,
		    cmd_pair_number(p, p->player));
	else
		out_print(&cx->out, "round %d: %d plays %d, on side %d\n",
		    p->round, cmd_pair_number(p, p->player),
		    cmd_pair_number(p, given.opponent), given.side);
	out_print(&cx->out, "brackets, with + before who comes from above:\n");
	for (k = 0; k < d.n_brackets; k++)
		cmd_pair_bracket(cx, p, &d.brackets[k], brackets);
	out_print(&cx->out, "another pairing loses by:\n");
	for (i = -1; i < (int)f.n && status == 0; i++) {
		if (i != p->player && i != given.opponent)
			status = cmd_pair_rival(cx, p, &f, &d, i, rivals);
	}
	if (status == 0 && cx->out.is_json)
		out_json(&cx->out,
		    json_pack("{s:i, s:i, s:i, s:O, s:O}", "round", p->round,
			"player", cmd_pair_number(p, p->player), "opponent",
			cmd_pair_number(p, given.opponent), "brackets",
			brackets, "rivals", rivals));
out_round:
	dutch_clear(&d);
	entrant_field_clear(&f);
out:
	json_decref(brackets);
	json_decref(rivals);
	return (status);
}

int
cmd_pair_tell(struct cmd_ctx *cx, const struct trf *t, int round, int player)
{
	const struct cmd_pair p = {.path = "the tournament",
	    .trf = t,
	    .table = t->table,
	    .paired = crosstable_paired(t->table),
	    .round = round,
	    .player = player};

	return (cmd_pair_explain(cx, &p));
}

/* Reads --round; 0 or an exit status. */
static int
cmd_pair_which(const struct cmd_ctx *cx, struct cmd_pair *p)
{
	const char *round = opt_get(&cx->opts, "round");
	int last = p->paired + 1;
	int64_t n = last;

	if (p->table->rounds != 0 && last > p->table->rounds)
		last = p->table->rounds;
	if (round != NULL && !opt_number(round, 1, last, &n))
		return (cmd_usage(cx,
		    "--round takes a round that is paired or the next, 1 to "
		    "%d",
		    last));
	p->round = (int)n;
	if (p->round > last)
		return (cmd_pair_fail(p, ERR_INVALID,
		    "all its rounds are paired: --round R "
		    "pairs one of them again"));
	if (p->round > p->paired && p->table->rounds == 0)
		return (cmd_pair_fail(p, ERR_INVALID,
		    "no line says how many rounds will be played (142, or "
		    "XXR): in the last one other criteria count"));
	return (0);
}

/* Does what was asked for. */
static int
cmd_pair_run(struct cmd_ctx *cx)
{
	const char *player = opt_get(&cx->opts, "explain");
	struct cmd_pair p = {.path = cmd_arg(cx, 0)};
	int64_t number = 0;
	struct trf *t;
	int status;

	if (opt_has(&cx->opts, "check") &&
	    (player != NULL || opt_has(&cx->opts, "round")))
		return (cmd_usage(cx,
		    "--check is about all rounds, and takes "
		    "neither --round nor --explain"));
	if (player != NULL &&
	    !opt_number(player, 1, CROSSTABLE_PLAYERS_MAX, &number))
		return (cmd_usage(cx, "--explain takes a player's number"));
	if ((status = trffile_read(p.path, &t)) != 0)
		return (status);
	p.trf = t;
	p.table = t->table;
	p.paired = crosstable_paired(t->table);
	p.player = player == NULL ? -1 : crosstable_find(t->table, (int)number);
	if (player != NULL && p.player < 0)
		status =
		    cmd_usage(cx, "there is no player %lld", (long long)number);
	else if (opt_has(&cx->opts, "check") && cmd_pair_cycles(&p) > 0)
		status = cmd_pair_robin(cx, &p);
	else if ((status = cmd_pair_able(&p)) != 0)
		;
	else if (opt_has(&cx->opts, "check"))
		status = cmd_pair_check(cx, &p);
	else if ((status = cmd_pair_which(cx, &p)) == 0)
		status = player != NULL ? cmd_pair_explain(cx, &p)
					: cmd_pair_round(cx, &p);
	trf_free(t);
	return (status);
}

static const struct opt_def cmd_pair_opts[] = {
    {"round", 0, "R", false, "that round; else the first that is not paired"},
    {"check", 0, NULL, false, "compare every round of the file"},
    {"explain", 0, "N", false, "why player N has no other opponent"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_pair = {
    .opts = cmd_pair_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_pair_run,
};
