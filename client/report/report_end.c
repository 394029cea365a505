/* SPDX-License-Identifier: ISC */
/* The end of a told game. */
#include "client/report/report_end.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/copy.h"
#include "client/report/doc.h"
#include "client/report/report.h"
#include "client/report/rosters.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"

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
	if (u->out == NULL)
		what = xalloc_str(words);
	else
		what = xalloc_printf("out of play: %s%s%s", u->out,
		    *words == '\0' ? "" : "; ", words);
	cells[0] = name;
	cells[1] = what;
	cells[2] = report_end_number(began, u->began);
	cells[3] = report_end_number(left, u->left);
	doc_cells(d, cells);
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
	doc_table(d, caption, 4, headings);
	for (i = 0; i < side->n_units; i++)
		report_end_unit(d, rs, &side->units[i]);
	cells[2] = report_end_number(began, side->began);
	cells[3] = report_end_number(left, side->in_play + side->away);
	doc_cells(d, cells);
	doc_table_end(d);
	free(caption);
}

/* What a game's phase says of one that has not ended. */
static const char *
report_end_open(const char *phase)
{
	if (strcmp(phase, "muster") == 0)
		return ("The game has not begun where its record ends.");
	if (strcmp(phase, "halted") == 0)
		return ("The game is halted: the rules code failed on the "
			"server, and the record says so.");
	return ("The game goes on where its record ends.");
}

char *
report_end_result(const json_t *view, const char *who)
{
	/* With a winner, who stands before it; without. */
	static const struct {
		const char *how, *won, *drawn;
	} words[] = {
	    {"resign", ": the other side resigned",
		"The game ended without a winner."},
	    {"agreed", ", as both sides agreed",
		"The game ended without a winner, as both sides agreed."},
	    {"draw", ", as both sides agreed",
		"The game ended in a draw, as both sides agreed."},
	    {"forfeit", ": the other side forfeited it",
		"The game was forfeited without a winner."},
	    {"ruling", ", as the director ruled",
		"The game ended without a winner, as the director ruled."},
	    {"cancel", ", which was called off",
		"The game was called off before it began."},
	    {"stopped", ", which was closed",
		"Both sides closed the game without a winner."},
	    {"closed", ", which the server closed",
		"The server closed the game without a winner."},
	};
	const json_t *result = json_object_get(view, "result"), *winner;
	const char *how, *phase;
	char *name, *s;
	size_t i;

	phase = json_string_value(json_object_get(view, "phase"));
	if (!json_is_object(result))
		return (
		    xalloc_str(report_end_open(phase == NULL ? "" : phase)));
	how = json_string_value(json_object_get(result, "how"));
	winner = json_object_get(result, "winner");
	for (i = 0; how != NULL && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].how, how) == 0)
			break;
	}
	if (how == NULL || i == sizeof(words) / sizeof(words[0]))
		return (xalloc_str("The game is over."));
	if (!json_is_integer(winner))
		return (xalloc_str(words[i].drawn));
	name = who != NULL ? xalloc_str(who)
			   : report_side(view, (int)json_integer_value(winner));
	s = xalloc_printf("%s won the game%s.", name, words[i].won);
	free(name);
	return (s);
}

/* How the game stands, and the rosters. */
static void
report_end_rosters(struct doc *d, const struct copy *c)
{
	struct rosters *rs;
	json_t *view;
	char *s;
	int i;

	view = xalloc_json(game_view(copy_game(c)));
	doc_section(d,
	    json_is_object(json_object_get(view, "result")) ? "How it ended"
							    : "How it stands");
	s = report_end_result(view, NULL);
	doc_paragraph(d, s);
	free(s);
	json_decref(view);
	if ((rs = rosters_new(c)) == NULL)
		return;
	for (i = 0; i < 2; i++)
		report_end_side(d, rs, &rs->sides[i]);
	rosters_free(rs);
}

/* What was checked, in a paragraph. */
static void
report_end_verdict(struct doc *d, const char *doubt)
{
	char *s;

	if (doubt == NULL) {
		doc_paragraph(d,
		    "Every line of the record was checked when this was "
		    "written: the chain of hashes, the server's marks, the "
		    "players' signatures and the proofs of the dice; and each "
		    "combat was run again by its rules. No roll was bent: "
		    "each follows from what was fixed before it.");
	} else {
		s = xalloc_printf(
		    "Not all of the record was found good: %s. The lines "
		    "before that were checked; of what stands here beyond "
		    "them nothing is proved.",
		    doubt);
		doc_paragraph(d, s);
		free(s);
	}
}

/* What the record proves. */
static void
report_end_proof(struct doc *d, const struct copy *c, const char *doubt)
{
	const struct verify_report *rep = copy_report(c);
	const struct game *g = copy_game(c);
	char buf[REPORT_END_NUMBER], hex[2 * HASH_LEN + 1], *head;

	doc_section(d, "What the record proves");
	report_end_verdict(d, doubt);
	hex_format(hex, game_id(g), HASH_LEN);
	doc_field(d, "Game", hex);
	hex_format(hex, game_server(g), SIGN_KEY_LEN);
	doc_field(d, "Server", hex);
	hex_format(hex, rep->head, HASH_LEN);
	head = xalloc_printf("%lld:%s", (long long)rep->lines - 1, hex);
	doc_field(d, "Head", head);
	free(head);
	doc_field(d, "Lines", report_end_number(buf, rep->lines));
	doc_field(d, "Combats", report_end_number(buf, rep->combats));
	doc_field(d, "Dice and chits", report_end_number(buf, rep->rolls));
	doc_field(d, "Rules", game_rules(g));
	doc_paragraph(d,
	    "Whoever has the record can check all this without the server: "
	    "umpire verify FILE with --head and the head above. It does not "
	    "show that the keys are those of the people, which only they can "
	    "say.");
}

void
report_end(struct doc *d, const struct copy *c, const char *doubt)
{
	doc_combat_end(d);
	report_end_rosters(d, c);
	report_end_proof(d, c, doubt);
}
