/* SPDX-License-Identifier: ISC */
/*
 * Each game is read by whoever of the crew is free.  A thread holds one game at
 * a time, so memory does not grow with how many there are but by what is kept
 * of each.
 */
#include "common/tournament/verify_shelf.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/crew.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"
#include "common/tournament/entry.h"
#include "common/tournament/verify_kept.h"

struct verify_shelf_slot {
	struct verify_shelf_game g;
	int failed; /* what reading it gave that ends all */
};

struct verify_shelf {
	const struct verify_tournament_options *opt;
	uint8_t server[SIGN_KEY_LEN];
	int resign;
	json_t *index; /* owned; number by id, in hex */
	struct verify_shelf_slot **slots; /* owned, each */
	size_t n_slots, room;

	struct crew *crew; /* owned; NULL before verify_shelf_begin() */
};

int
verify_shelf_new(const struct verify_tournament_options *opt,
    const uint8_t server[SIGN_KEY_LEN], int resign, struct verify_shelf **out)
{
	struct verify_shelf *sh;

	if ((sh = calloc(1, sizeof(*sh))) == NULL)
		return (ERR_NOMEM);
	if ((sh->index = json_object()) == NULL) {
		free(sh);
		return (ERR_NOMEM);
	}
	sh->opt = opt;
	memcpy(sh->server, server, SIGN_KEY_LEN);
	sh->resign = resign;
	*out = sh;
	return (0);
}

void
verify_shelf_checked(struct verify_shelf_game *g)
{
	json_decref(g->create);
	g->create = NULL;
}

void
verify_shelf_free(struct verify_shelf *sh)
{
	struct verify_shelf_game *g;
	size_t i;

	if (sh == NULL)
		return;
	crew_free(sh->crew);
	for (i = 0; i < sh->n_slots; i++) {
		g = &sh->slots[i]->g;
		verify_shelf_checked(g);
		free(g->joins);
		free(g->lines);
		free(g->ends);
		json_decref(g->texts);
		free(sh->slots[i]);
	}
	free(sh->slots);
	json_decref(sh->index);
	free(sh);
}

/* ---- what will be asked ---- */

/* The number of a game's slot; n_slots if it has none. */
static size_t
verify_shelf_find(const struct verify_shelf *sh, const uint8_t game[HASH_LEN])
{
	char id[2 * HASH_LEN + 1];
	const json_t *known;

	hex_format(id, game, HASH_LEN);
	known = json_object_get(sh->index, id);
	return (
	    known == NULL ? sh->n_slots : (size_t)json_integer_value(known));
}

/* The slot of a game, which is made if there is none. */
static int
verify_shelf_slot(struct verify_shelf *sh, const uint8_t game[HASH_LEN],
    struct verify_shelf_slot **out)
{
	char id[2 * HASH_LEN + 1];
	struct verify_shelf_slot *s;
	const size_t i = verify_shelf_find(sh, game);
	size_t room;
	void *p;

	if (i < sh->n_slots) {
		*out = sh->slots[i];
		return (0);
	}
	if (sh->n_slots == sh->room) {
		room = sh->room == 0 ? 64 : 2 * sh->room;
		p = realloc(
		    sh->slots, room * sizeof(struct verify_shelf_slot *));
		if (p == NULL)
			return (ERR_NOMEM);
		sh->slots = p;
		sh->room = room;
	}
	if ((s = calloc(1, sizeof(*s))) == NULL)
		return (ERR_NOMEM);
	hex_format(id, game, HASH_LEN);
	if (json_object_set_new_nocheck(
		sh->index, id, json_integer((json_int_t)sh->n_slots)) != 0) {
		free(s);
		return (ERR_NOMEM);
	}
	memcpy(s->g.game, game, HASH_LEN);
	s->g.seq = -1;
	sh->slots[sh->n_slots++] = s;
	*out = s;
	return (0);
}

/* Notes that a game will be asked about, at a line if that is named. */
static int
verify_shelf_want(struct verify_shelf *sh, const json_t *v)
{
	uint8_t game[HASH_LEN], line[HASH_LEN];
	struct verify_shelf_line *grown;
	struct verify_shelf_slot *s;
	struct verify_shelf_game *g;
	int64_t seq;
	int r;

	if (js_get_hex(v, "game", NULL, game, HASH_LEN, NULL) != 0)
		return (0); /* whoever judges the line says so */
	if ((r = verify_shelf_slot(sh, game, &s)) != 0)
		return (r);
	if (js_get_int(v, "seq", NULL, 0, JS_INT_MAX, &seq, NULL) != 0 ||
	    js_get_hex(v, "line", NULL, line, HASH_LEN, NULL) != 0)
		return (0);
	g = &s->g;
	grown = realloc(g->lines, (g->n_lines + 1) * sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	g->lines = grown;
	memset(&grown[g->n_lines], 0, sizeof(*grown));
	grown[g->n_lines].seq = seq;
	memcpy(grown[g->n_lines++].line, line, HASH_LEN);
	return (0);
}

int
verify_shelf_expect(struct verify_shelf *sh, const char *bytes, size_t len)
{
	struct record_line ln;
	const json_t *event;
	size_t i;
	int r = 0;

	if (record_parse_tournament(bytes, len, &ln, NULL) != 0)
		return (0); /* whoever judges the line says so */
	if (ln.kind == RECORD_SERVER)
		r = verify_shelf_want(sh, ln.data);
	json_array_foreach(r != 0 ? NULL : ln.events, i, event)
	{
		if ((r = verify_shelf_want(sh, event)) != 0)
			break;
	}
	record_clear(&ln);
	return (r);
}

/* ---- reading a game ---- */

/* Keeps what a game's create and joins say. */
static int
verify_shelf_keep_order(
    struct verify_shelf_game *g, const struct record_line *ln)
{
	struct tournament_joined *grown;
	struct order_join j;
	struct order o;
	int r = 0;

	if (order_parse(ln->text, ln->text_len, &o, NULL) != 0)
		return (0);
	if (g->texts != NULL && order_kind_row(o.kind)->text != NULL)
		r = entry_name_hash(
		    json_object_get(o.args, order_kind_row(o.kind)->text),
		    g->texts);
	if (o.kind == ORDER_CREATE)
		g->create = json_incref((json_t *)(uintptr_t)o.args);
	else if (o.kind == ORDER_JOIN && order_join_parse(&o, &j, NULL) == 0) {
		grown = realloc(g->joins, (g->n_joins + 1) * sizeof(*grown));
		if (grown != NULL) {
			g->joins = grown;
			grown += g->n_joins++;
			memset(grown, 0, sizeof(*grown));
			grown->seat = j.seat;
			memcpy(grown->account, j.account, strlen(j.account));
			memcpy(grown->key, j.key, SIGN_KEY_LEN);
			memcpy(grown->dice_key, j.dice_key, VRF_KEY_LEN);
		} else {
			r = ERR_NOMEM;
		}
	}
	order_clear(&o);
	return (r);
}

/* Keeps what a line of the server says. */
static int
verify_shelf_keep_server(
    struct verify_shelf_game *g, const struct record_line *ln)
{
	g->is_restored |= strcmp(ln->what, "restored") == 0;
	g->is_faulty |= strcmp(ln->what, "fault") == 0;
	g->is_closed |= strcmp(ln->what, "closed") == 0;
	return (g->texts == NULL
		? 0
		: entry_name_hash(json_object_get(ln->data, "why"), g->texts));
}

/* Keeps what one of a game's lines says beyond its state. */
static int
verify_shelf_keep(struct verify_shelf_game *g, const char *bytes, size_t len)
{
	struct record_line ln;
	int r = 0;

	if (record_parse(bytes, len, &ln, NULL) != 0)
		return (0);
	if (ln.kind == RECORD_ORDER)
		r = verify_shelf_keep_order(g, &ln);
	else if (ln.kind == RECORD_SERVER)
		r = verify_shelf_keep_server(g, &ln);
	record_clear(&ln);
	return (r);
}

/* True if the game is over in another way than it was. */
static bool
verify_shelf_is_end(
    const struct verify_shelf_game *g, const struct tournament_look *look)
{
	const struct tournament_look *before;

	if (!look->is_over)
		return (false);
	if (g->n_ends == 0)
		return (true);
	before = &g->ends[g->n_ends - 1];
	return (before->is_halted != look->is_halted ||
	    before->winner != look->winner ||
	    strcmp(before->how, look->how) != 0);
}

/* Keeps a way in which a game was over, and tells since when it is. */
static int
verify_shelf_keep_end(struct verify_shelf_game *g, struct tournament_look *look)
{
	struct tournament_look *grown;

	if (verify_shelf_is_end(g, look)) {
		grown = realloc(g->ends, (g->n_ends + 1) * sizeof(*grown));
		if (grown == NULL)
			return (ERR_NOMEM);
		g->ends = grown;
		g->ends[g->n_ends++] = *look;
	}
	if (look->is_over)
		look->end_seq = g->ends[g->n_ends - 1].seq;
	return (0);
}

/* Looks at a game after one of its lines. */
static int
verify_shelf_look(const struct verify_shelf *sh, struct verify_shelf_game *g,
    const struct game *game)
{
	struct tournament_look look;
	bool is_weighed;
	size_t i;
	int r;

	for (i = 0; i < g->n_lines; i++) {
		if (g->lines[i].is_there &&
		    g->lines[i].seq + 1 == game_seq(game))
			g->lines[i].look.next_ms = game_at_ms(game);
	}
	if (game_seq(game) == 0)
		g->opened_ms = game_at_ms(game);
	if (g->begun_ms == 0 && game_turn(game) > 0)
		g->begun_ms = game_at_ms(game);
	r = tournament_look_at(game, sh->resign, &look);
	if (r != 0 && r != ERR_MISSING)
		return (r);
	is_weighed = r == 0;
	look.begun_ms = g->begun_ms;
	if ((r = verify_shelf_keep_end(g, &look)) != 0)
		return (r);
	for (i = 0; i < g->n_lines; i++) {
		if (g->lines[i].seq != look.seq)
			continue;
		g->lines[i].is_there = true;
		g->lines[i].is_weighed = is_weighed;
		g->lines[i].look = look;
	}
	g->last.is_there = true;
	g->last.is_weighed = is_weighed;
	g->last.seq = look.seq;
	g->last.look = look;
	return (0);
}

/* Counts, behind its lines, what was agreed upon, and texts that are here. */
static int
verify_shelf_count(struct verify_shelf_game *g, const struct verify *game,
    const char *at, const char *end)
{
	const struct game_history *h = verify_history(game);
	char hex[2 * HASH_LEN + 1];
	struct record_side side;
	struct record_span s;
	size_t i;
	int r;

	/* A ruling of the game's director may be one; a takeback undoes it. */
	for (i = 0; i < h->n; i++)
		g->changes += h->list[i].kind == ORDER_ACCEPT &&
		    h->list[i].is_adjust &&
		    h->list[i].to_fate == GAME_FATE_ACCEPTED &&
		    h->list[i].taken_back < 0;
	while (record_next(&at, end, &s)) {
		r = record_side_parse(s.bytes, s.len, &side, NULL);
		if (r == ERR_NOMEM)
			return (r);
		if (r != 0)
			continue;
		hex_format(hex, side.hash, HASH_LEN);
		(void)json_object_del(g->texts, hex);
		record_side_clear(&side);
	}
	return (0);
}

/* Verifies the lines of a game one by one, looking after each. */
static int
verify_shelf_walk(const struct verify_shelf *sh, struct verify_shelf_game *g,
    const char *bytes, size_t len)
{
	const struct verify_options opt = {
	    .server = sh->server, .head_seq = -1};
	const char *end = bytes + len, *at = bytes, *next;
	struct record_span span, follows;
	struct verify *game;
	int64_t n = 0, sides;
	int r;

	if (sh->opt->seen != NULL && (g->texts = json_object()) == NULL)
		return (ERR_NOMEM);
	if ((r = verify_new(&opt, &game)) != 0)
		return (r);
	r = verify_add_blobs(game, bytes, len);
	while (r == 0 && record_next(&at, end, &span) &&
	    !record_is_side(span.bytes, span.len)) {
		if (span.bytes + span.len == end) {
			r = err_set(&g->why, ERR_BAD, "", "it is not ended");
			break;
		}
		bytes = next = at;
		if (record_next(&next, end, &follows))
			verify_peek(game, follows.bytes, follows.len);
		r = verify_line(game, span.bytes, span.len, &g->why);
		if (r == 0 && n == 0 && verify_game(game) != NULL &&
		    memcmp(game_id(verify_game(game)), g->game, HASH_LEN) != 0)
			r = err_set(&g->why, ERR_BAD, "", "it is another game");
		if (r == 0 && verify_game(game) != NULL)
			r = verify_shelf_look(sh, g, verify_game(game));
		if (r == 0)
			r = verify_shelf_keep(g, span.bytes, span.len);
		n += r == 0;
	}
	if (r == 0 && sh->opt->is_whole) {
		r = verify_sides(
		    game, bytes, (size_t)(end - bytes), &sides, &g->why);
		n += sides;
	}
	if (r == 0)
		r = verify_end(game, &g->why);
	if (r == 0 && g->texts != NULL)
		r = verify_shelf_count(g, game, bytes, end);
	if (r == 0) {
		g->rolls = verify_report(game)->rolls;
		if (verify_report(game)->is_unchecked) {
			g->why = verify_report(game)->unchecked;
			r = ERR_NEWER;
		}
	}
	verify_free(game);
	if (r == ERR_BAD) {
		struct errinfo why = g->why;

		(void)err_set(&g->why, ERR_BAD, "",
		    "its line %lld is bad: %s%s%s", (long long)n + 1, why.where,
		    why.where[0] != '\0' ? ": " : "", why.text);
	}
	return (r);
}

/* The hash of all that verifying a game depends on. */
static int
verify_shelf_seal(const struct verify_shelf *sh, const char *bytes, size_t len,
    uint8_t seal[HASH_LEN])
{
	const struct verify_tournament_options *opt = sh->opt;
	const uint8_t asked[] = {opt->is_whole, opt->seen != NULL};
	const struct hash_part parts[] = {{asked, sizeof(asked)},
	    {sh->server, SIGN_KEY_LEN}, {&sh->resign, sizeof(sh->resign)},
	    {bytes, len}};

	return (hash_parts(seal, parts, sizeof(parts) / sizeof(parts[0])));
}

/* Verifies a game, unless it was before.  ERR_NOMEM, and what ends all. */
static int
verify_shelf_judge(const struct verify_shelf *sh, struct verify_shelf_game *g,
    const char *bytes, size_t len)
{
	struct verify_kept *kept = sh->opt->kept;
	uint8_t seal[HASH_LEN];
	int r;

	if (kept != NULL) {
		if ((r = verify_shelf_seal(sh, bytes, len, seal)) != 0)
			return (r);
		if ((r = verify_kept_find(kept, seal, g)) != ERR_NOTFOUND)
			return (r);
	}
	r = verify_shelf_walk(sh, g, bytes, len);
	if (r != 0 && r != ERR_BAD && r != ERR_NEWER)
		return (r);
	g->r = r;
	return (kept == NULL ? 0 : verify_kept_put(kept, seal, g));
}

/* Reads and verifies a game: ERR_NOMEM, and what ends all. */
static int
verify_shelf_fetch(const struct verify_shelf *sh, struct verify_shelf_game *g)
{
	const struct verify_tournament_games *from = &sh->opt->games;
	char *bytes, id[2 * HASH_LEN + 1];
	size_t len;
	int r;

	r = sh->opt->no_games ? ERR_NOTFOUND
			      : from->read(from->arg, g->game, &bytes, &len);
	if (r == ERR_NOTFOUND) {
		hex_format(id, g->game, HASH_LEN);
		g->r = sh->opt->no_games ? err_set(&g->why, ERR_MISSING, "",
					       "the games were left out")
					 : err_set(&g->why, ERR_MISSING, "",
					       "game %.12s is not at hand", id);
		return (0);
	}
	if (r != 0)
		return (r);
	r = verify_shelf_judge(sh, g, bytes, len);
	free(bytes);
	return (r);
}

/* ---- who reads which ---- */

/* crew_job: reads a game. */
static void
verify_shelf_job_cb(void *arg, size_t i)
{
	const struct verify_shelf *sh = arg;

	sh->slots[i]->failed = verify_shelf_fetch(sh, &sh->slots[i]->g);
}

int
verify_shelf_begin(struct verify_shelf *sh)
{
	return (crew_new(sh->n_slots, verify_shelf_job_cb, sh,
	    sh->opt->is_parallel && !sh->opt->no_games, &sh->crew));
}

int
verify_shelf_get(struct verify_shelf *sh, const uint8_t game[HASH_LEN],
    struct verify_shelf_game **out)
{
	const size_t i = verify_shelf_find(sh, game);
	struct verify_shelf_slot *s;
	int r;

	/* Line by line none is expected, and there is nothing to read. */
	if (sh->opt->no_games) {
		if ((r = verify_shelf_slot(sh, game, &s)) != 0 ||
		    (r = verify_shelf_fetch(sh, &s->g)) != 0)
			return (r);
		*out = &s->g;
		return (0);
	}
	if (i == sh->n_slots)
		return (ERR_INTERNAL); /* every line was expected */
	crew_need(sh->crew, i);
	*out = &sh->slots[i]->g;
	return (sh->slots[i]->failed);
}

const struct verify_shelf_game *
verify_shelf_at(const struct verify_shelf *sh, size_t i)
{
	return (i < sh->n_slots ? &sh->slots[i]->g : NULL);
}

size_t
verify_shelf_games(const struct verify_shelf *sh)
{
	return (sh->n_slots);
}

size_t
verify_shelf_read(struct verify_shelf *sh)
{
	return (crew_done(sh->crew));
}
