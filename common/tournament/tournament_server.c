/* SPDX-License-Identifier: ISC */
/*
 * Lines of the server (record S15.6): the games of legs and what they came to,
 * which carry no choice, and what an operator says.
 */
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

static const struct js_at data_at = {NULL, "data", 0};

json_t *
tournament_game_data(
    const struct tournament_place *place, const uint8_t game[HASH_LEN])
{
	return (json_pack("{s:i, s:i, s:i, s:o}", "round", place->round,
	    "table", place->table, "leg", place->leg, "game",
	    js_hex(game, HASH_LEN)));
}

/* The game of a leg was opened. */
static int
tournament_take_game(
    struct tournament *t, const json_t *data, const struct tournament_line *l)
{
	static const char *const known[] = {
	    "round", "table", "leg", "game", NULL};
	struct tournament_place place;
	uint8_t game[HASH_LEN];
	struct tournament_game *grown;
	struct tournament_leg *leg;
	int r;

	if ((r = js_members_ordered(data, &data_at, known, l->e)) != 0 ||
	    (r = tournament_get_place(t, data, &data_at, &place, l->e)) != 0 ||
	    (r = js_get_hex(data, "game", &data_at, game, HASH_LEN, l->e)) != 0)
		return (tournament_final(r));
	leg = tournament_leg(t, &place);
	if (tournament_is_result(leg->result) || leg->has_game)
		return (tournament_illegal(
		    l, "data.leg", "the leg has a game, or a result, already"));
	if (tournament_game(t, game) != NULL)
		return (tournament_illegal(
		    l, "data.game", "the game belongs to a leg already"));
	grown = tournament_grow(t->games, &t->n_games, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->games = grown;
	grown += t->n_games - 1;
	memcpy(grown->game, game, HASH_LEN);
	grown->place = place;
	grown->seq = t->seq + 1;
	leg->has_game = true;
	memcpy(leg->game, game, HASH_LEN);
	leg->game_seq = t->seq + 1;
	return (0);
}

int
tournament_result_data(const struct tournament *t, const uint8_t game[HASH_LEN],
    const struct tournament_look *look, json_t **data)
{
	const struct tournament_game *g = tournament_game(t, game);
	enum tournament_result result;
	const struct tournament_leg *leg;

	*data = NULL;
	if (g == NULL || g->is_void || !look->is_over)
		return (0);
	leg = tournament_leg(t, &g->place);
	result = tournament_result_of(look);
	/* What halted, and is then resigned, has a second line. */
	if (leg == NULL || tournament_is_result(leg->result) ||
	    (g->results > 0 && result == TOURNAMENT_AWAITED))
		return (0);
	*data = json_pack("{s:i, s:i, s:i, s:o, s:I, s:o, s:s, s:i, s:s}",
	    "round", g->place.round, "table", g->place.table, "leg",
	    g->place.leg, "game", js_hex(game, HASH_LEN), "seq",
	    (json_int_t)look->seq, "line", js_hex(look->line, HASH_LEN),
	    "result", tournament_result_word(result), "bp",
	    tournament_is_played(result) ? look->bp : 0, "how",
	    look->is_halted && result == TOURNAMENT_AWAITED ? "halted"
							    : look->how);
	return (*data == NULL ? ERR_NOMEM : 0);
}

bool
tournament_awaits_result(
    const struct tournament *t, const uint8_t game[HASH_LEN])
{
	const struct tournament_game *g = tournament_game(t, game);
	const struct tournament_leg *leg =
	    g == NULL ? NULL : tournament_leg(t, &g->place);

	return (leg != NULL && !g->is_void && t->phase == TOURNAMENT_PLAY &&
	    !t->is_halted && !t->is_closed &&
	    !tournament_is_result(leg->result));
}

/* A result as its line has it, where its game cannot be looked at. */
static int
tournament_check_told(const struct tournament_line *l,
    enum tournament_result result, const char *how, int64_t bp)
{
	static const struct {
		const char *how;
		const char *results;
	} may[] = {{"resign", "12+-"}, {"forfeit", "12+-"}, {"cancel", "+-"},
	    {"agreed", "12"}, {"ruling", "12="}, {"draw", "="},
	    {"stopped", "?"}, {"closed", "?"}, {"halted", "?"}};
	const char *word = tournament_result_word(result);
	size_t i;

	for (i = 0; i < sizeof(may) / sizeof(may[0]); i++) {
		if (strcmp(may[i].how, how) == 0)
			break;
	}
	if (i == sizeof(may) / sizeof(may[0]) || word[1] != '\0' ||
	    strchr(may[i].results, word[0]) == NULL)
		return (tournament_illegal(
		    l, "data.result", "not what a game comes to so"));
	if (!tournament_is_played(result) && bp != 0)
		return (tournament_illegal(
		    l, "data.bp", "must be 0 where nothing was played"));
	return (0);
}

/* Compares a result line with what the game says at its line. */
static int
tournament_check_result(struct tournament *t, const json_t *data,
    const uint8_t *game, int64_t seq, const struct tournament_line *l)
{
	struct tournament_look look;
	json_t *want;
	int r;

	r = l->games->look(l->games->arg, game, seq, &look, l->e);
	if (r == ERR_MISSING || r == ERR_NEWER)
		return (l->given != NULL ? 0 : r);
	if (r == 0 && look.end_seq != seq)
		return (tournament_illegal(
		    l, "data.seq", "not the line that ended the game"));
	if (r == 0 && look.at_ms > l->at_ms)
		return (tournament_illegal(
		    l, "at", "earlier than the line of the game"));
	if (r != 0 || (r = tournament_result_data(t, game, &look, &want)) != 0)
		return (r);
	if (want == NULL || !json_equal(want, data))
		r = tournament_illegal(l, "data", "not what the game came to");
	json_decref(want);
	return (r);
}

/* A game is over. */
static int
tournament_take_result(
    struct tournament *t, const json_t *data, const struct tournament_line *l)
{
	static const char *const known[] = {"round", "table", "leg", "game",
	    "seq", "line", "result", "bp", "how", NULL};
	struct tournament_given g = {.is_quiet = true, .is_of_game = true};
	uint8_t game[HASH_LEN], line[HASH_LEN];
	const char *word, *how;
	struct tournament_game *known_game;
	struct tournament_leg *leg;
	int64_t bp, seq;
	int r;

	if ((r = js_members_ordered(data, &data_at, known, l->e)) != 0 ||
	    (r = tournament_get_place(t, data, &data_at, &g.place, l->e)) !=
		0 ||
	    (r = js_get_hex(data, "game", &data_at, game, HASH_LEN, l->e)) !=
		0 ||
	    (r = js_get_int(
		 data, "seq", &data_at, 0, JS_INT_MAX, &seq, l->e)) != 0 ||
	    (r = js_get_hex(data, "line", &data_at, line, HASH_LEN, l->e)) !=
		0 ||
	    (r = js_get_str(data, "result", &data_at, &word, l->e)) != 0 ||
	    (r = js_get_int(data, "bp", &data_at, -1000, 1000, &bp, l->e)) !=
		0 ||
	    (r = js_get_str(data, "how", &data_at, &how, l->e)) != 0)
		return (tournament_final(r));
	leg = tournament_leg(t, &g.place);
	known_game = tournament_game(t, game);
	if (known_game == NULL || !leg->has_game ||
	    memcmp(leg->game, game, HASH_LEN) != 0)
		return (tournament_illegal(
		    l, "data.game", "not the game of the leg"));
	if (tournament_is_result(leg->result))
		return (tournament_illegal(l, "data.leg", "it has a result"));
	if (tournament_result_parse(word, &g.result) != 0)
		return (tournament_illegal(l, "data.result", "not a result"));
	if (known_game->results > 0 && g.result == TOURNAMENT_AWAITED)
		return (tournament_illegal(
		    l, "data.game", "its result has been told"));
	if ((r = tournament_check_told(l, g.result, how, bp)) != 0 ||
	    (r = tournament_check_result(t, data, game, seq, l)) != 0)
		return (r);
	g.bp = (int)bp;
	g.how = how;
	leg->game_bp = g.bp;
	known_game->results++;
	return (tournament_result_give(t, l, &g));
}

/* Lines may have been lost (S21.3). */
static int
tournament_take_restored(
    struct tournament *t, const json_t *data, const struct tournament_line *l)
{
	static const char *const known[] = {"seq", NULL};
	int64_t seq;
	size_t i, k;
	int leg, r;

	if ((r = js_members_ordered(data, &data_at, known, l->e)) != 0 ||
	    (r = js_get_int(
		 data, "seq", &data_at, 0, JS_INT_MAX, &seq, l->e)) != 0)
		return (tournament_final(r));
	if (seq != t->seq + 1)
		return (
		    tournament_illegal(l, "data.seq", "not its own number"));
	for (i = 0; i < t->n_rounds; i++) {
		for (k = 0; k < t->rounds[i].n_tables; k++) {
			for (leg = 0; leg < TOURNAMENT_LEGS_MAX; leg++)
				t->rounds[i].tables[k].legs[leg].notice.seq =
				    -1;
		}
	}
	if (t->phase != TOURNAMENT_CHECKIN)
		return (0);
	if ((r = tournament_lots_restore(t, seq)) != 0)
		return (r);
	l->fx->has_pool = true;
	memcpy(l->fx->pool, t->pool, HASH_LEN);
	return (0);
}

/* The code failed in the line before. */
static int
tournament_take_fault(
    struct tournament *t, const json_t *data, const struct tournament_line *l)
{
	static const char *const known[] = {"seq", "text", NULL};
	const char *text;
	int64_t seq;
	int r;

	if ((r = js_members_ordered(data, &data_at, known, l->e)) != 0 ||
	    (r = js_get_int(
		 data, "seq", &data_at, 0, JS_INT_MAX, &seq, l->e)) != 0 ||
	    (r = js_get_str(data, "text", &data_at, &text, l->e)) != 0)
		return (tournament_final(r));
	if (seq != t->seq)
		return (
		    tournament_illegal(l, "data.seq", "not the line before"));
	t->is_halted = true;
	return (0);
}

/* The operator ends the record. */
static int
tournament_take_closed(
    struct tournament *t, const json_t *data, const struct tournament_line *l)
{
	static const char *const known[] = {"why", NULL};
	uint8_t why[HASH_LEN];
	int r;

	if ((r = js_members_ordered(data, &data_at, known, l->e)) != 0 ||
	    (r = js_get_hex(data, "why", &data_at, why, HASH_LEN, l->e)) != 0)
		return (tournament_final(r));
	t->is_closed = true;
	return (0);
}

/* The operator proposes a key for somebody who has lost theirs. */
static int
tournament_take_operator_key(
    struct tournament *t, const json_t *data, const struct tournament_line *l)
{
	static const char *const known[] = {"account", "key", "why", NULL};
	uint8_t key[SIGN_KEY_LEN], why[HASH_LEN];
	const char *account;
	struct tournament_account *a;
	int r;

	if ((r = js_members_ordered(data, &data_at, known, l->e)) != 0 ||
	    (r = js_get_str(data, "account", &data_at, &account, l->e)) != 0 ||
	    (r = js_get_hex(data, "key", &data_at, key, SIGN_KEY_LEN, l->e)) !=
		0 ||
	    (r = js_get_hex(data, "why", &data_at, why, HASH_LEN, l->e)) != 0)
		return (tournament_final(r));
	a = tournament_account_find(t, account);
	if (a == NULL || a->is_witness)
		return (tournament_illegal(
		    l, "data.account", "no account whose keys can change"));
	if (sign_key_check(key) != 0)
		return (tournament_illegal(
		    l, "data.key", "not an Ed25519 key that may be used"));
	if ((r = tournament_final(
		 tournament_key_check_new(t, key, &data_at, l->e))) != 0)
		return (r);
	a->proposed_seq = t->seq + 1;
	memcpy(a->proposed, key, SIGN_KEY_LEN);
	return (0);
}

/* The lines of the server, by their `what`. */
static const struct tournament_server_row {
	const char *what;
	bool is_late; /* stands after the end, too */
	int (*take)(struct tournament *t, const json_t *data,
	    const struct tournament_line *l);
} tournament_server_rows[] = {
    {"game", false, tournament_take_game},
    {"result", false, tournament_take_result},
    {"restored", true, tournament_take_restored},
    {"fault", false, tournament_take_fault},
    {"closed", true, tournament_take_closed},
    {"operator-key", false, tournament_take_operator_key},
};

int
tournament_take_server(struct tournament *t, const char *what,
    const json_t *data, const struct tournament_line *l)
{
	const struct tournament_server_row *row = tournament_server_rows;
	const size_t n =
	    sizeof(tournament_server_rows) / sizeof(tournament_server_rows[0]);
	size_t i;
	int r;

	memset(l->fx, 0, sizeof(*l->fx));
	if (t->is_closed)
		return (tournament_illegal(l, "", "the record has ended"));
	for (i = 0; i < n && strcmp(row[i].what, what) != 0; i++)
		continue;
	if (i == n)
		return (err_set(l->e, ERR_NEWER, "what",
		    "lines \"%.32s\" of the server are not in this version",
		    what));
	if ((t->phase == TOURNAMENT_OVER || t->is_halted) && !row[i].is_late)
		return (
		    tournament_illegal(l, "what", "the tournament is over"));
	if ((l->fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	t->at_ms = l->at_ms;
	t->now_ms = l->at_ms;
	r = row[i].take(t, data, l);
	if (r == 0 && row[i].take != tournament_take_game)
		t->rests_seq = t->seq + 1;
	return (r);
}
