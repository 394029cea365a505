/* SPDX-License-Identifier: ISC */
/* The end of a told game. */
#include "client/report/report_end.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/doc.h"
#include "client/report/overview.h"
#include "client/report/rosters.h"
#include "client/report/stated.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/game/game_now.h"
#include "common/game/verify.h"
#include "common/json/js.h"

#define REPORT_END_DIGITS 16 /* of a tournament's number */
#define REPORT_END_NUMBER 24 /* bytes of a number */

/* Writes a number, "?" if it is not known. */
static const char *
report_end_number(char buf[REPORT_END_NUMBER], int64_t n)
{
	if (n < 0)
		return ("?");
	(void)snprintf(buf, REPORT_END_NUMBER, "%lld", (long long)n);
	return (buf);
}

/* True if another unit has the same name. */
static bool
report_end_is_named_twice(
    const struct rosters *rs, const struct rosters_unit *u)
{
	const struct rosters_unit *other;
	size_t i, j;

	for (i = 0; i < 2; i++) {
		for (j = 0; j < rs->sides[i].n_units; j++) {
			other = &rs->sides[i].units[j];
			if (other != u && strcmp(other->name, u->name) == 0)
				return (true);
		}
	}
	return (false);
}

/* One unit's row: id, name, what it is, began, left. */
static void
report_end_unit(
    struct doc *d, const struct rosters *rs, const struct rosters_unit *u)
{
	char began[REPORT_END_NUMBER], left[REPORT_END_NUMBER];
	const char *cells[4];
	char *name, *words, *what;

	name = *u->name == '\0' ? xalloc_str(u->id)
	    : report_end_is_named_twice(rs, u)
	    ? xalloc_printf("%s (%s)", u->name, u->id)
	    : xalloc_str(u->name);
	words = rosters_words(rs, u);
	what = xalloc_printf("%s%s%s%s%s%s", u->has_joined ? "joined; " : "",
	    u->out == NULL ? "" : "out of play",
	    u->is_gone           ? " for good: "
		: u->out == NULL ? ""
				 : ": ",
	    u->out == NULL ? "" : u->out,
	    u->out == NULL || *words == '\0' ? "" : "; ", words);
	cells[0] = name;
	cells[1] = what;
	cells[2] = report_end_number(began, u->began);
	cells[3] = report_end_number(left, u->left);
	d->cells(d, cells);
	free(what);
	free(words);
	free(name);
}

/* One side's table. */
static void
report_end_side(
    struct doc *d, const struct rosters *rs, const struct rosters_side *side)
{
	static const char *const headings[] = {
	    "Unit", "State", ">Began", ">Left", NULL};
	char began[REPORT_END_NUMBER], left[REPORT_END_NUMBER];
	const char *cells[4] = {"Together", "", NULL, NULL};
	char *caption, *who;
	size_t i;

	who = *side->players == '\0'
	    ? xalloc_str(side->name)
	    : xalloc_printf("%s (%s)", side->name, side->players);
	if (side->lost > 0 && side->began >= 0)
		caption = xalloc_printf("%s: %lld of %lld lost, in %s", who,
		    (long long)side->lost, (long long)side->began, rs->what);
	else if (side->lost == 0 && side->began >= 0)
		caption = xalloc_printf("%s: none of %lld lost, in %s", who,
		    (long long)side->began, rs->what);
	else
		caption = xalloc_printf("%s, in %s", who, rs->what);
	free(who);
	d->table(d, caption, 4, headings);
	for (i = 0; i < side->n_units; i++)
		report_end_unit(d, rs, &side->units[i]);
	cells[2] = report_end_number(began, side->began);
	cells[3] = report_end_number(left, side->in_play + side->away);
	d->cells(d, cells);
	d->table_end(d);
	free(caption);
}

char *
report_end_result(enum game_phase phase, enum game_how how, const char *winner)
{
	const char *words;

	if (how == GAME_UNDECIDED && phase == GAME_MUSTER)
		return (xalloc_str(
		    "The game has not begun where its record ends."));
	if (how == GAME_UNDECIDED && phase == GAME_HALTED)
		return (xalloc_str("The game is halted: the rules code failed "
				   "on the server, and the record says so."));
	if (how == GAME_UNDECIDED)
		return (xalloc_str("The game goes on where its record ends."));
	words = game_now_outcome(how, winner != NULL);
	if (winner == NULL)
		return (
		    xalloc_printf("%c%s.", words[0] - 'a' + 'A', words + 1));
	return (xalloc_printf("%s won the game%s.", winner, words));
}

/* What wants looking at, but that the game goes on, which is told already. */
static void
report_end_looks(struct doc *d, const struct overview *ov)
{
	const json_t *v;
	size_t i;

	json_array_foreach(ov->looks, i, v)
	{
		if (strcmp(js_str(v, "what"), "unfinished") != 0)
			d->field(d, "Look at", js_str(v, "text"));
	}
}

/* Whose the dice are, and the fingerprint of the head: people compare it. */
static void
report_end_head(struct doc *d, const struct battle *b)
{
	const struct verify_report *rep = battle_proof(b);
	char mark[FINGERPRINT_LEN + 1], *s;

	d->field(d, "Dice", describe_hands_now(battle_game(b)));
	base32_fingerprint(mark, rep->head);
	s = xalloc_printf("%lld:%s", (long long)rep->lines - 1, mark);
	d->field(d, "Fingerprint", s);
	free(s);
}

void
report_counted(struct doc *d, const struct battle *b)
{
	const struct game *g = battle_game(b);
	char *clocks = g == NULL ? NULL : stated_clocks(b);
	char *s = g == NULL ? NULL : stated_objections(b);

	if (g != NULL)
		d->gap(d);
	if (s != NULL)
		d->field(d, "Objected", s);
	if (clocks != NULL)
		d->field(d, "Clocks", clocks);
	if (g != NULL)
		report_end_head(d, b);
	free(clocks);
	free(s);
}

/* report_stand() of a battle that was gone through. */
static void
report_end_stand(struct doc *d, const struct overview *ov)
{
	const struct battle *b = ov->b;
	struct rosters *rs;
	char *s;
	int i;

	if ((rs = rosters_new(b)) != NULL) {
		for (i = 0; i < 2; i++)
			report_end_side(d, rs, &rs->sides[i]);
		rosters_free(rs);
	}
	if ((s = stated_objections(b)) != NULL)
		d->field(d, "Objected", s);
	free(s);
	if ((s = stated_clocks(b)) != NULL)
		d->field(d, "Clocks", s);
	free(s);
	report_end_looks(d, ov);
}

void
report_stand(struct doc *d, const struct battle *b)
{
	struct overview ov;

	overview_init(&ov, b);
	report_end_stand(d, &ov);
	overview_clear(&ov);
}

void
report_end(struct doc *d, const struct battle *b, const char *doubt)
{
	struct overview ov;

	overview_init(&ov, b);
	report_end_known(d, &ov, doubt);
	overview_clear(&ov);
}

void
report_end_known(struct doc *d, const struct overview *ov, const char *doubt)
{
	const struct battle *b = ov->b;
	const struct verify_report *rep = battle_proof(b);
	const struct game *g = battle_game(b);
	const int side = game_winner(g);
	char buf[REPORT_END_NUMBER], hex[2 * HASH_LEN + 1], *head, *s, *winner;

	d->combat_end(d);
	d->section(d,
	    game_how(g) == GAME_UNDECIDED ? "How it stands" : "How it ended");
	winner = side == 0 ? NULL : battle_side(g, side);
	s = report_end_result(game_phase(g), game_how(g), winner);
	d->paragraph(d, s);
	free(s);
	free(winner);
	report_end_stand(d, ov);
	d->section(d, "What the record proves");
	if (doubt == NULL) {
		d->paragraph(d,
		    "Every line of the record was checked when this was "
		    "written: the chain of hashes, the server's marks, the "
		    "players' signatures and the proofs of the dice; and each "
		    "combat was run again by its rules. No roll was bent: "
		    "each follows from what was fixed before it.");
	} else {
		s = xalloc_printf("Not all of the record was found good: %s. "
				  "The lines before that were checked; nothing "
				  "told here beyond them is proved.",
		    doubt);
		d->paragraph(d, s);
		free(s);
	}
	hex_format(hex, game_id(g), HASH_LEN);
	d->field(d, "Game", hex);
	hex_format(hex, game_server(g), SIGN_KEY_LEN);
	d->field(d, "Server", hex);
	hex_format(hex, rep->head, HASH_LEN);
	head = xalloc_printf("%lld:%s", (long long)rep->lines - 1, hex);
	d->field(d, "Head", head);
	free(head);
	report_end_head(d, b);
	d->field(d, "Lines", report_end_number(buf, rep->lines));
	d->field(d, "Combats", report_end_number(buf, rep->combats));
	d->field(d, "Dice and chits", report_end_number(buf, rep->rolls));
	d->field(d, "Rules", game_rules(g));
	d->paragraph(d,
	    "Whoever has the record can check all this without the server: "
	    "umpire verify FILE with --head and the head above. It does not "
	    "show that the keys belong to these people; only they can say "
	    "that.");
}

char *
report_end_cup(const struct game *g)
{
	const struct order_create *set = game_settings(g);
	char hex[2 * HASH_LEN + 1];

	if (!set->has_tournament)
		return (NULL);
	hex_format(hex, set->tournament, HASH_LEN);
	return (xalloc_printf("Next in its tournament: umpire "
			      "tournament show %.*s",
	    REPORT_END_DIGITS, hex));
}
