/* SPDX-License-Identifier: ISC */
/*
 * Games in which one side agrees to what the other says is so on the table
 * (umpire-record.7, S6.3): what is said, and who has objected, in words.
 */
#ifndef UMPIRE_CLIENT_REPORT_STATED_H
#define UMPIRE_CLIENT_REPORT_STATED_H

#include <jansson.h>

struct battle;
struct game;

/*
 * What a decision says that waits to be agreed to, as sentences on one line,
 * or "" where they cannot be made; NULL if none waits.  free().
 */
char *stated_words(const struct game *g);

/*
 * How often who has objected to what: "bert 3 (stagger 2, declare 1)", others
 * behind a semicolon; NULL if nobody has.  free().  For programs: an array of
 * {"seat","kind","n"}; new.
 */
char *stated_objections(const struct battle *b);
json_t *stated_objections_json(const struct battle *b);

/*
 * Who has not accepted that lines were lost (S4.3), "anna, bert", as b calls
 * them (NULL: their accounts); NULL if the game does not wait for that. free().
 */
char *stated_unaccepted(const struct game *g, const struct battle *b);

/*
 * Who has not accepted yet that somebody else has a seat, of a server line
 * operator-key (record S4.2): "anna, ben"; NULL if it waits for nobody.
 * free().
 */
char *stated_undecided(
    const struct game *g, const struct battle *b, int64_t seq);

/*
 * How far apart the server's clock and those of the players were, by what their
 * orders say (S3): whose orders were recorded how long after and before they
 * were signed, and in which lines by more than two minutes.  As a sentence
 * without its end, or NULL if no order says when it was signed; free().  For
 * programs: an array of {"seat","at_less_now_ms","now_less_at_ms","lines"};
 * new.
 */
char *stated_clocks(const struct battle *b);
json_t *stated_clocks_json(const struct battle *b);

/*
 * The fingerprints of the keys that sign for each seat, for programs:
 * [{"seat","account","fingerprints"}]; new.
 */
json_t *stated_keys_json(const struct game *g);

#endif
