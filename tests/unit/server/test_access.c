/* SPDX-License-Identifier: ISC */
/*
 * Who sees what: private words and games, delays, by every method and notice
 * there is.  What must not be seen is looked for in every byte that somebody
 * received, not where it is expected.
 */
#include "server/store/access.h"

#include "tests/lib/match.h"
#include "tests/lib/quoted.h"

#define WORDS "we-attack-at-the-mill"
#define WORDS_SALT "5b5b5b5b5b5b5b5b"
#define FOUR "{'options':{'seats':4}}"

/* Reads the whole record with side lines, and all else there is to read. */
static json_t *
read_all(struct match *m, enum person who)
{
	json_t *v;

	json_decref(match_gets(m, who, "game.show", match_this_game(m)));
	json_decref(match_gets(m, who, "game.list", NULL));
	v = match_this_game(m);
	json_object_set_new(v, "side", json_true());
	return (match_gets(m, who, "game.record", v));
}

/* Side lines of a record or notice. */
static size_t
sides_of(const json_t *v)
{
	return (json_array_size(json_object_get(v, "side")));
}

static void
words_to_a_side_reach_nobody_else(void **state)
{
	static const enum person all[] = {ANNA, BERT, CARA, DORA, EVE, NOBODY};
	struct match *m = *state;
	json_t *v, *params;
	size_t i;

	match_play(m, FOUR, 4);
	for (i = 0; i < 6; i++) {
		params = match_this_game(m);
		json_object_set_new(params, "after", json_integer(6));
		json_decref(match_gets(m, all[i], "game.watch", params));
	}
	/* Lines 0 .. 6 are create, three joins, ...: 7 is the last ready. */
	params = match_chat_of(m, ANNA, WORDS, "side", 0x5b);
	(void)peer_ask(&m->peers[ANNA], "game.order", params);
	for (i = 1; i < 6; i++) {
		json_decref(match_hears(m, all[i], 7));
		v = match_hears(m, all[i], 8);
		assert_int_equal(sides_of(v), all[i] == CARA);
		assert_null(json_object_get(v, "omitted"));
		json_decref(v);
	}
	for (i = 1; i < 6; i++) {
		v = read_all(m, all[i]);
		/* The roster, and the words for those of the side. */
		assert_int_equal(sides_of(v), all[i] == CARA ? 2 : 1);
		assert_int_equal(match_int_of(v, "seq"), 8);
		assert_int_equal(
		    json_array_size(json_object_get(v, "lines")), 9);
		json_decref(v);
		assert_int_equal(
		    match_has_heard(m, all[i], WORDS), all[i] == CARA);
		assert_int_equal(
		    match_has_heard(m, all[i], WORDS_SALT), all[i] == CARA);
	}
	/* Two answers of anna's: the notices may come before the reply. */
	while (!match_has_heard(m, ANNA, WORDS)) {
		struct rpc_reply rp;

		assert_true(peer_hear(&m->peers[ANNA], &rp));
		rpc_reply_clear(&rp);
	}
}

static void
the_ref_of_words_is_no_way_to_them(void **state)
{
	struct match *m = *state;
	json_t *mine, *v;

	match_play(m, FOUR, 4);
	json_decref(match_gets(m, ANNA, "game.order",
	    match_chat_of(m, ANNA, WORDS, "side", 0x5b)));
	/* The other side names it, to itself and to all. */
	mine = match_chat_of(m, BERT, WORDS, "side", 0x5b);
	json_object_del(mine, "texts");
	match_fails(m, BERT, "game.order", mine, ERR_MISSING, "was not sent");
	mine = match_chat_of(m, DORA, WORDS, NULL, 0x5b);
	json_object_del(mine, "texts");
	match_fails(m, DORA, "game.order", mine, ERR_MISSING, "was not sent");
	v = read_all(m, BERT);
	json_decref(v);
	assert_false(match_has_heard(m, BERT, WORDS_SALT));
	/* One's own side may name it again, and may tell everybody. */
	mine = match_chat_of(m, CARA, WORDS, "side", 0x5b);
	json_object_del(mine, "texts");
	json_decref(match_gets(m, CARA, "game.order", mine));
	json_decref(read_all(m, BERT));
	assert_false(match_has_heard(m, BERT, WORDS_SALT));
	mine = match_chat_of(m, CARA, WORDS, NULL, 0x5b);
	json_object_del(mine, "texts");
	json_decref(match_gets(m, CARA, "game.order", mine));
	json_decref(read_all(m, BERT));
	assert_true(match_has_heard(m, BERT, WORDS_SALT));
}

static void
a_standing_order_is_shown_to_nobody_before_it_acts(void **state)
{
	static const char text[] = "{\"kind\":\"stagger\",\"do\":\"path\"}";
	static const char salt_hex[] = "6c6c6c6c6c6c6c6c";
	static const enum person all[] = {ANNA, BERT, CARA, DORA, EVE, NOBODY};
	struct match *m = *state;
	char args[200], hex[2 * HASH_LEN + 1];
	uint8_t commit[HASH_LEN], salt[RECORD_SALT_LEN];
	json_t *params, *wrong;
	struct game *g;
	size_t i;

	match_play(m, FOUR, 4);
	for (i = 0; i < 6; i++)
		json_decref(
		    match_gets(m, all[i], "game.watch", match_this_game(m)));
	memset(salt, 0x6c, sizeof(salt));
	g = match_game(m);
	assert_int_equal(record_secret(commit, m->game, ANNA, game_seq(g), salt,
			     text, strlen(text)),
	    0);
	game_free(g);
	hex_format(hex, commit, HASH_LEN);
	(void)snprintf(args, sizeof(args), "{'commit':'%s'}", hex);
	params = match_order_of(m, ANNA, ORDER_STANDING, args);
	wrong = json_deep_copy(params);
	match_fails(
	    m, ANNA, "game.order", json_deep_copy(params), ERR_MISSING, "");
	json_object_set_new(wrong, "open",
	    json_pack("{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text",
		"{\"kind\":\"stagger\",\"do\":\"none\"}"));
	match_fails(m, ANNA, "game.order", wrong, ERR_MISSING, "");
	json_object_set_new(params, "open",
	    json_pack("{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)), "text",
		text));
	(void)peer_ask(&m->peers[ANNA], "game.order", params);
	for (i = 1; i < 6; i++) {
		json_decref(match_hears(m, all[i], 8));
		json_decref(read_all(m, all[i]));
		assert_false(match_has_heard(m, all[i], salt_hex));
		assert_false(match_has_heard(m, all[i], "path"));
	}
	/* Only the end of the game opens it. */
	json_decref(match_gets(m, BERT, "game.unwatch", match_this_game(m)));
	json_decref(match_gets(m, CARA, "game.unwatch", match_this_game(m)));
	(void)match_give(m, BERT, ORDER_RESIGN, "{}");
	(void)match_give(m, BERT, ORDER_CLOSE, "{}");
	json_decref(match_hears(m, EVE, 9));
	json_decref(match_hears(m, EVE, 10));
	for (i = 1; i < 6; i++) {
		json_decref(match_gets(m, all[i] == EVE ? EVE : BERT,
		    "game.show", match_this_game(m)));
		assert_false(match_has_heard(m, all[i], salt_hex));
	}
	(void)match_give(m, CARA, ORDER_CLOSE, "{}");
	json_decref(match_hears(m, EVE, 11));
	assert_true(match_has_heard(m, EVE, salt_hex));
}

static void
a_login_changes_what_a_watch_shows(void **state)
{
	struct match *m = *state;
	json_t *v;

	match_play(m, FOUR, 4);
	json_decref(match_gets(m, EVE, "game.watch", match_this_game(m)));
	json_decref(match_gets(
	    m, ANNA, "game.order", match_chat_of(m, ANNA, "one", "side", 1)));
	v = match_hears(m, EVE, 8);
	assert_int_equal(sides_of(v), 0);
	json_decref(v);
	peer_gives(&m->peers[EVE], "account.login",
	    peer_proof(
		&m->d, m->peers[EVE].exporter, &m->keys[CARA].sign, "cara"),
	    0);
	json_decref(match_gets(
	    m, ANNA, "game.order", match_chat_of(m, ANNA, "two", "side", 2)));
	v = match_hears(m, EVE, 9);
	assert_int_equal(sides_of(v), 1);
	json_decref(v);
	peer_gives(&m->peers[EVE], "account.login",
	    peer_proof(
		&m->d, m->peers[EVE].exporter, &m->keys[DORA].sign, "dora"),
	    0);
	json_decref(match_gets(
	    m, ANNA, "game.order", match_chat_of(m, ANNA, "three", "side", 3)));
	v = match_hears(m, EVE, 10);
	assert_int_equal(sides_of(v), 0);
	json_decref(v);
}

/* All that there is to ask about a game says that it is not there. */
static void
is_hidden(struct match *m, enum person who, const char *blob)
{
	static const char *const methods[] = {
	    "game.show", "game.record", "game.watch", "game.unwatch"};
	char prefix[9];
	json_t *v;
	size_t i;

	(void)snprintf(prefix, sizeof(prefix), "%.8s", m->id);
	for (i = 0; i < 4; i++) {
		match_fails(m, who, methods[i], match_this_game(m),
		    ERR_NOTFOUND, "no game");
		match_fails(m, who, methods[i],
		    json_pack("{s:s}", "game", prefix), ERR_NOTFOUND,
		    "no game");
	}
	v = match_gets(m, who, "game.list", NULL);
	assert_null(match_row_of(m, v));
	json_decref(v);
	v = match_gets(
	    m, who, "game.list", json_pack("{s:s}", "account", "anna"));
	assert_null(match_row_of(m, v));
	json_decref(v);
	v = match_gets(
	    m, who, "game.list", json_pack("{s:s}", "prefix", prefix));
	assert_null(match_row_of(m, v));
	json_decref(v);
	match_fails(m, who, "blob.get", json_pack("{s:s}", "hash", blob),
	    ERR_NOTFOUND, "no such blob");
}

static void
a_private_game_is_not_there_for_others(void **state)
{
	struct match *m = *state;
	char blob[2 * HASH_LEN + 1];
	uint8_t hash[HASH_LEN];
	json_t *v, *params;

	assert_int_equal(
	    record_blob_hash(hash, peer_roster, strlen(peer_roster)), 0);
	hex_format(blob, hash, HASH_LEN);
	params = match_create_of(m, "{'private':true}");
	/* Before a game names it, whoever has the hash may have the blob. */
	json_decref(
	    match_gets(m, EVE, "blob.get", json_pack("{s:s}", "hash", blob)));
	json_object_set_new(
	    params, "invite", json_pack("[s, s]", "bert", "dora"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	is_hidden(m, EVE, blob);
	is_hidden(m, NOBODY, blob);
	match_fails(m, EVE, "game.join", match_join_of(m, EVE), ERR_NOTFOUND,
	    "no such");
	match_fails(m, EVE, "game.order",
	    match_order_of(m, EVE, ORDER_RESIGN, "{}"), ERR_NOTFOUND,
	    "no such");
	match_fails(m, EVE, "game.invite",
	    json_pack("{s:s, s:s, s:b}", "game", m->id, "account", "cara",
		"invite", 1),
	    ERR_NOTFOUND, "no game");
	/* Those who are invited see it, and find it. */
	json_decref(read_all(m, DORA));
	json_decref(
	    match_gets(m, DORA, "blob.get", json_pack("{s:s}", "hash", blob)));
	json_decref(match_gets(m, DORA, "game.watch", match_this_game(m)));
	v = match_gets(m, DORA, "game.list", json_pack("{s:b}", "invited", 1));
	assert_non_null(match_row_of(m, v));
	json_decref(v);
	v = match_gets(m, ANNA, "game.list", json_pack("{s:b}", "invited", 1));
	assert_null(match_row_of(m, v));
	json_decref(v);
	match_fails(m, NOBODY, "game.list", json_pack("{s:b}", "invited", 1),
	    ERR_LOGIN, "");
	match_fails(m, DORA, "game.list",
	    json_pack("{s:b, s:s}", "invited", 1, "phase", "play"), ERR_INVALID,
	    "");
	json_decref(match_gets(m, BERT, "game.join", match_join_of(m, BERT)));
	json_decref(match_hears(m, DORA, 1));
	(void)match_give(m, ANNA, ORDER_READY, "{}");
	(void)match_give(m, BERT, ORDER_READY, "{}");
	/* The start is the end of it; what came before may still arrive. */
	json_decref(match_hears(m, DORA, 2));
	is_hidden(m, DORA, blob);
	(void)match_give(m, ANNA, ORDER_TURN_END, "{}");
	json_decref(read_all(m, BERT));
	is_hidden(m, DORA, blob);
	/* Who has put the blob himself may have it; only he. */
	json_decref(match_gets(
	    m, CARA, "blob.put", json_pack("{s:s}", "value", peer_roster)));
	json_decref(
	    match_gets(m, CARA, "blob.get", json_pack("{s:s}", "hash", blob)));
	is_hidden(m, EVE, blob);
}

static void
a_blob_of_an_open_game_is_everybodys(void **state)
{
	struct match *m = *state;
	char blob[2 * HASH_LEN + 1];
	uint8_t hash[HASH_LEN];

	assert_int_equal(
	    record_blob_hash(hash, peer_roster, strlen(peer_roster)), 0);
	hex_format(blob, hash, HASH_LEN);
	json_decref(match_gets(
	    m, ANNA, "game.create", match_create_of(m, "{'private':true}")));
	match_fails(m, NOBODY, "blob.get", json_pack("{s:s}", "hash", blob),
	    ERR_NOTFOUND, "");
	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, "{}")));
	json_decref(match_gets(
	    m, NOBODY, "blob.get", json_pack("{s:s}", "hash", blob)));
}

/* A spectator sees up to a line, in turn n; the players see all. */
static void
sees(struct match *m, enum person who, int64_t last, int64_t turn)
{
	const json_t *row, *lines;
	uint8_t hash[HASH_LEN];
	struct store_game_row own;
	json_t *v, *head;

	assert_int_equal(store_game_find(m->rd, m->game, &own), 0);
	v = match_gets(m, who, "game.list", NULL);
	row = match_row_of(m, v);
	assert_non_null(row);
	assert_int_equal(match_int_of(row, "seq"), last);
	assert_int_equal(match_int_of(row, "turn"), turn);
	json_decref(v);
	v = match_gets(m, who, "game.record", match_this_game(m));
	assert_int_equal(match_int_of(v, "seq"), last);
	lines = json_object_get(v, "lines");
	assert_int_equal(json_array_size(lines), last + 1);
	assert_int_equal(store_record_hash(m->rd, own.gid, last, hash), 0);
	head = js_hex(hash, HASH_LEN);
	assert_true(json_equal(head, json_object_get(v, "head")));
	json_decref(head);
	json_decref(v);
	/* Asking for what is beyond gives nothing of it. */
	v = match_gets(m, who, "game.record",
	    json_pack("{s:s, s:I, s:I}", "game", m->id, "from",
		(json_int_t)last + 1, "to", (json_int_t)last + 100));
	assert_int_equal(json_array_size(json_object_get(v, "lines")), 0);
	assert_null(json_object_get(v, "next"));
	json_decref(v);
	if (last == own.seq)
		return;
	match_fails(
	    m, who, "game.show", match_this_game(m), ERR_DENIED, "delay");
	match_fails(m, who, "game.watch",
	    json_pack(
		"{s:s, s:I}", "game", m->id, "after", (json_int_t)last + 1),
	    ERR_INVALID, "record ends");
}

static void
a_delay_of_turns_holds_lines_back(void **state)
{
	struct match *m = *state;
	json_t *v;

	match_play(m, "{'options':{'delay':2}}", 2);
	v = match_gets(m, EVE, "game.watch", match_this_game(m));
	assert_int_equal(match_int_of(v, "seq"), 3);
	json_decref(v);
	(void)match_give(m, ANNA, ORDER_TURN_END, "{}");
	sees(m, EVE, 3, 1);
	json_decref(match_gets(m, BERT, "game.order",
	    match_chat_of(m, BERT, "between-turns", NULL, 4)));
	(void)match_give(m, BERT, ORDER_TURN_END, "{}");
	/* Lines 4 and 6 ended turns 1 and 2; turn 3 is being played. */
	json_decref(match_hears(m, EVE, 4));
	sees(m, EVE, 4, 2);
	sees(m, NOBODY, 4, 2);
	sees(m, ANNA, 6, 3);
	assert_false(match_has_heard(m, EVE, "between-turns"));
	/* Every answer to an order would tell him the present line. */
	match_fails(m, EVE, "game.order",
	    match_order_of(m, EVE, ORDER_RESIGN, "{}"), ERR_DENIED, "delay");
	(void)match_give(m, ANNA, ORDER_TURN_END, "{}");
	json_decref(match_hears(m, EVE, 5));
	json_decref(match_hears(m, EVE, 6));
	sees(m, EVE, 6, 3);
	/* The end lets all out. */
	(void)match_give(m, BERT, ORDER_RESIGN, "{}");
	json_decref(match_hears(m, EVE, 7));
	json_decref(match_hears(m, EVE, 8));
	sees(m, EVE, 8, 4);
	json_decref(match_gets(m, EVE, "game.show", match_this_game(m)));
}

static void
a_delay_of_minutes_lets_lines_out_in_time(void **state)
{
	struct match *m = *state;
	struct store_game_row row;
	int64_t at_ms;
	struct access v;

	match_play(m, "{'options':{'delay_minutes':10}}", 2);
	json_decref(match_gets(m, EVE, "game.watch", match_this_game(m)));
	atomic_fetch_add(&match_clock_ahead_ms, 60000);
	(void)match_give(m, ANNA, ORDER_TURN_END, "{}");
	sees(m, EVE, 3, 1);
	sees(m, BERT, 4, 2);
	atomic_fetch_add(&match_clock_ahead_ms, 60000);
	(void)match_give(m, BERT, ORDER_TURN_END, "{}");
	sees(m, EVE, 3, 1);
	/* To the millisecond. */
	assert_int_equal(store_game_find(m->rd, m->game, &row), 0);
	assert_int_equal(store_record_at(m->rd, row.gid, 4, &at_ms), 0);
	assert_int_equal(access_get(m->rd, &row, "eve", at_ms + 599999, &v), 0);
	assert_true(v.is_delayed);
	assert_int_equal(v.last, 3);
	assert_int_equal(v.next_ms, at_ms + 600000);
	assert_int_equal(access_get(m->rd, &row, "eve", at_ms + 600000, &v), 0);
	assert_int_equal(v.last, 4);
	assert_int_equal(v.turn, 2);
	assert_int_equal(v.at_ms, at_ms);
	assert_int_equal(access_get(m->rd, &row, "bert", 0, &v), 0);
	assert_false(v.is_delayed);
	assert_int_equal(v.last, 5);
	/* Nothing but the time goes on, and the line comes by itself. */
	atomic_fetch_add(&match_clock_ahead_ms, 570000);
	json_decref(match_hears(m, EVE, 4));
	sees(m, EVE, 4, 2);
	atomic_fetch_add(&match_clock_ahead_ms, 60000);
	json_decref(match_hears(m, EVE, 5));
	sees(m, EVE, 5, 3);
}

static void
a_list_does_not_tell_when_a_delayed_game_moved(void **state)
{
	static const char *const filters[] = {
	    "{'limit':1}", "{'limit':1,'account':'anna'}"};
	struct match *m = *state;
	char delayed[2 * HASH_LEN + 1], more[2][2][128];
	uint8_t game[HASH_LEN];
	json_t *v, *params;
	const json_t *s;
	size_t i;
	int round;

	/* The oldest is there so that the list goes on after the others. */
	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, "{}")));
	atomic_fetch_add(&match_clock_ahead_ms, 1000);
	match_play(m, "{'options':{'delay_minutes':10}}", 2);
	memcpy(delayed, m->id, sizeof(delayed));
	memcpy(game, m->game, sizeof(game));
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 2; i++) {
			params = quoted_json(filters[i]);
			v = match_gets(m, EVE, "game.list", params);
			assert_non_null(match_row_of(m, v));
			s = json_object_get(v, "more");
			(void)snprintf(more[round][i], sizeof(more[round][i]),
			    "%s", json_string_value(s));
			json_decref(v);
		}
		atomic_fetch_add(&match_clock_ahead_ms, 60000);
		if (round == 0)
			(void)match_give(m, ANNA, ORDER_TURN_END, "{}");
	}
	assert_string_equal(more[0][0], more[1][0]);
	assert_string_equal(more[0][1], more[1][1]);
	/* Among others it stands where it stood when play began. */
	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, "{}")));
	memcpy(m->game, game, sizeof(game));
	memcpy(m->id, delayed, sizeof(delayed));
	atomic_fetch_add(&match_clock_ahead_ms, 60000);
	(void)match_give(m, BERT, ORDER_TURN_END, "{}");
	v = match_gets(m, EVE, "game.list", json_pack("{s:i}", "limit", 1));
	assert_null(match_row_of(m, v));
	json_decref(v);
	/* When it is over it comes first. */
	(void)match_give(m, BERT, ORDER_RESIGN, "{}");
	v = match_gets(m, EVE, "game.list", json_pack("{s:i}", "limit", 1));
	assert_non_null(match_row_of(m, v));
	json_decref(v);
}

static void
a_watch_ends_with_the_seat_it_was_for(void **state)
{
	struct match *m = *state;
	json_t *params, *v;

	/* A private game: all of it.  An open one: the words to the side. */
	params = match_create_of(m, "{'private':true,'options':{'seats':4}}");
	json_object_set_new(
	    params, "invite", json_pack("[s, s]", "bert", "cara"));
	json_decref(match_gets(m, ANNA, "game.create", params));
	json_decref(match_gets(m, CARA, "game.join", match_join_of(m, CARA)));
	json_decref(match_gets(m, CARA, "game.watch", match_this_game(m)));
	json_decref(match_gets(m, BERT, "game.watch", match_this_game(m)));
	(void)match_give(m, ANNA, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	json_decref(match_gets(
	    m, ANNA, "game.order", match_chat_of(m, ANNA, WORDS, NULL, 0x5b)));
	json_decref(match_hears(m, BERT, 2));
	json_decref(match_hears(m, BERT, 3));
	assert_true(match_has_heard(m, BERT, WORDS));
	json_decref(match_gets(m, CARA, "server.hello", NULL));
	assert_false(match_has_heard(m, CARA, "game.entry"));
	/* An invitation that is taken back ends with the next line. */
	json_decref(match_gets(m, ANNA, "game.invite",
	    json_pack("{s:s, s:s, s:b}", "game", m->id, "account", "bert",
		"invite", 0)));
	json_decref(match_gets(m, ANNA, "game.order",
	    match_chat_of(m, ANNA, "without-bert", NULL, 0x5c)));
	json_decref(match_gets(m, BERT, "server.hello", NULL));
	assert_false(match_has_heard(m, BERT, "\"seq\":4"));
	match_fails(
	    m, BERT, "game.show", match_this_game(m), ERR_NOTFOUND, "no game");

	buf_reset(&m->heard[CARA]);
	json_decref(
	    match_gets(m, ANNA, "game.create", match_create_of(m, FOUR)));
	json_decref(match_gets(m, CARA, "game.join", match_join_of(m, CARA)));
	json_decref(match_gets(m, CARA, "game.watch", match_this_game(m)));
	json_decref(match_gets(m, ANNA, "game.order",
	    match_chat_of(m, ANNA, "so-far", "side", 0x5d)));
	v = match_hears(m, CARA, 2);
	assert_int_equal(sides_of(v), 1);
	json_decref(v);
	(void)match_give(m, ANNA, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	json_decref(match_gets(m, ANNA, "game.order",
	    match_chat_of(m, ANNA, WORDS, "side", 0x5b)));
	json_decref(match_hears(m, CARA, 3));
	v = match_hears(m, CARA, 4);
	assert_int_equal(sides_of(v), 0);
	json_decref(v);
	assert_int_equal(sides_of(v = read_all(m, CARA)), 1);
	json_decref(v);
	assert_false(match_has_heard(m, CARA, WORDS));
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, match_setup, match_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(words_to_a_side_reach_nobody_else),
	    CASE(the_ref_of_words_is_no_way_to_them),
	    CASE(a_standing_order_is_shown_to_nobody_before_it_acts),
	    CASE(a_login_changes_what_a_watch_shows),
	    CASE(a_private_game_is_not_there_for_others),
	    CASE(a_blob_of_an_open_game_is_everybodys),
	    CASE(a_delay_of_turns_holds_lines_back),
	    CASE(a_delay_of_minutes_lets_lines_out_in_time),
	    CASE(a_watch_ends_with_the_seat_it_was_for),
	    CASE(a_list_does_not_tell_when_a_delayed_game_moved),
	};
#undef CASE

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
