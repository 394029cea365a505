/* SPDX-License-Identifier: ISC */
/*
 * A whole game out of lines.  The first may be "=" and an object, which
 * create's args have as well, or "-" and one: then nobody has joined yet.
 * Then each line is one of:
 *
 *   +N        so many seconds pass
 *   @N        the next order is made upon the head of N lines ago
 *   Sk ARGS   an order of seat S (0 to 9) of the kind that the letter k
 *             counts from a, with these args
 *   SX ARGS   likewise what depends on the state: X is a letter of
 *             fuzz_game_also[]
 *
 * What is refused changes nothing, what is taken can be saved and read back
 * as it was, and what was taken is a record that verifies, and leaves its
 * verifier in the state that the game is in.
 */
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/rules/question.h"

#include "tests/fuzz/fuzz.h"
#include "tests/lib/chance.h"
#include "tests/lib/table.h"

#define FUZZ_GAME_LINES 40 /* of a record */
#define FUZZ_GAME_AHEAD_S 100000000 /* seconds from one line to the next */

/* Units of the other kind of secrets and upkeep. */
static const char fuzz_game_regiments[] =
    "{\"blob\":\"roster\",\"system\":\"imagi-nations\",\"sides\":{"
    "\"1\":{\"units\":[{\"id\":\"a\",\"arm\":\"infantry\",\"lead\":\"a-1\","
    "\"battalions\":[{\"id\":\"a-1\",\"quality\":\"veteran\",\"sp\":6,"
    "\"hits\":2},{\"id\":\"a-2\",\"quality\":\"trained\",\"sp\":6}],"
    "\"fatigue\":3,\"disordered\":true}]},"
    "\"2\":{\"units\":[{\"id\":\"b\",\"arm\":\"infantry\",\"lead\":\"b-1\","
    "\"battalions\":[{\"id\":\"b-1\",\"quality\":\"raw\",\"sp\":6},"
    "{\"id\":\"b-2\",\"quality\":\"elite\",\"sp\":6}],\"fatigue\":1}]}}}";

/* A game and what its players keep beside it. */
struct fuzz_game {
	struct table t;
	size_t back; /* lines before the head that the next order names */
	char fresh[2 * HASH_LEN + 1]; /* blob that came with the order, or "" */
	json_t *cards[GAME_SEATS]; /* owned; what each seat committed last */
};

/* The end of the game's life in this target. */
static void
fuzz_game_clear(struct fuzz_game *f)
{
	int i;

	for (i = 0; i < GAME_SEATS; i++)
		json_decref(f->cards[i]);
	table_clear(&f->t);
}

/* Makes the order in t->text one that was made upon an older head. */
static void
fuzz_game_age(struct fuzz_game *f, int seat)
{
	struct table *t = &f->t;
	json_t *order = table_order(t);
	uint8_t h[HASH_LEN];
	size_t n;

	n = t->n_lines - 1 - (f->back < t->n_lines ? f->back : 0);
	FUZZ_MUST(hash_sha256(h, t->record.data + t->starts[n],
		      t->starts[n + 1] - t->starts[n] - 1) == 0);
	json_object_set_new(order, "after", json_integer((json_int_t)n));
	json_object_set_new(order, "head", js_hex(h, HASH_LEN));
	table_reword(t, seat, order);
	json_decref(order);
}

/* Gives an order to the game, and checks that it holds together. */
static void
fuzz_game_order(
    struct fuzz_game *f, int seat, enum order_kind kind, json_t *args)
{
	struct table *t = &f->t;
	struct buf a, b;
	int r;

	if (args == NULL || table_make(t, seat, kind, args) != 0) {
		(void)json_object_del(t->blobs, f->fresh);
		f->fresh[0] = '\0';
		return;
	}
	if (f->back > 0)
		fuzz_game_age(f, seat);
	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(t, &a);
	if ((r = table_take(t, seat)) == 0) {
		FUZZ_MUST(!t->fx.is_fault);
		table_reload(t);
	} else {
		FUZZ_MUST(r == ERR_STALE || r == ERR_ILLEGAL ||
		    r == ERR_NEWER || r == ERR_MISSING || r == ERR_INVALID ||
		    r == ERR_TOOBIG);
		FUZZ_MUST(t->e.text[0] != '\0');
		table_save(t, &b);
		FUZZ_MUST(strcmp(buf_str(&a), buf_str(&b)) == 0);
		(void)json_object_del(t->blobs, f->fresh);
	}
	buf_clear(&a);
	buf_clear(&b);
	f->fresh[0] = '\0';
	f->back = 0;
}

/* ---- orders that depend on the state ---- */

/* D: answers the open question, by a chance that args begins. */
static json_t *
fuzz_game_decide(struct fuzz_game *f, int seat, const json_t *args)
{
	uint64_t chance = (uint64_t)json_integer_value(args);
	const struct question_pick pick = {chance_pick_cb, &chance};
	json_t *decision;

	if (game_sample_decision(f->t.game, seat, &pick, &decision) != 0)
		return (NULL);
	return (json_pack("{s:I, s:o}", "ask",
	    (json_int_t)f->t.game->combat.ask_seq, "decision", decision));
}

/* S and C: commits to args as a text, which goes beside the order. */
static json_t *
fuzz_game_secret(struct fuzz_game *f, int seat, const json_t *args, int64_t ask)
{
	uint8_t salt[RECORD_SALT_LEN] = {0}, h[HASH_LEN];
	struct buf text;
	json_t *v;

	buf_init(&text, 0);
	js_dump(args, &text);
	salt[0] = (uint8_t)f->t.n_lines;
	FUZZ_MUST(record_secret(h, game_id(f->t.game), seat, ask, salt,
		      text.data, text.len) == 0);
	json_decref(f->cards[seat]);
	f->cards[seat] =
	    json_pack("{s:o, s:o}", "salt", js_hex(salt, sizeof(salt)), "text",
		json_stringn(text.data, text.len));
	FUZZ_MUST(f->cards[seat] != NULL);
	buf_clear(&text);
	FUZZ_MUST(
	    (v = json_pack("{s:o}", "commit", js_hex(h, HASH_LEN))) != NULL);
	return (v);
}

/* S: a standing order. */
static json_t *
fuzz_game_stand(struct fuzz_game *f, int seat, const json_t *args)
{
	json_t *v = fuzz_game_secret(f, seat, args, game_seq(f->t.game));

	f->t.open = f->cards[seat];
	return (v);
}

/* C: a secret choice. */
static json_t *
fuzz_game_commit(struct fuzz_game *f, int seat, const json_t *args)
{
	int64_t ask = f->t.game->combat.ask_seq;
	json_t *v;

	if (!f->t.game->combat.is_open)
		return (NULL);
	v = fuzz_game_secret(f, seat, args, ask);
	json_object_set_new(v, "ask", json_integer(ask));
	if (!game_is_sealed(f->t.game))
		f->t.open = f->cards[seat];
	return (v);
}

/* O: opens what was committed. */
static json_t *
fuzz_game_reveal(struct fuzz_game *f, int seat, const json_t *args)
{
	json_t *v;

	(void)args;
	if (f->cards[seat] == NULL)
		return (NULL);
	v = json_deep_copy(f->cards[seat]);
	json_object_set_new(v, "ask", json_integer(f->t.game->combat.ask_seq));
	return (v);
}

/* J: takes the seat. */
static json_t *
fuzz_game_join(struct fuzz_game *f, int seat, const json_t *args)
{
	json_t *v = table_seat_args(&f->t, seat);

	if (json_is_object(args))
		FUZZ_MUST(
		    json_object_update(v, (json_t *)(uintptr_t)args) == 0);
	return (v);
}

/* R: proposes args as rosters; the blob goes if the order is refused. */
static json_t *
fuzz_game_roster(struct fuzz_game *f, int seat, const json_t *args)
{
	uint8_t hash[HASH_LEN];
	struct buf b;
	size_t n = json_object_size(f->t.blobs);

	(void)seat;
	buf_init(&b, 0);
	js_dump(args, &b);
	table_put(&f->t, buf_str(&b), hash);
	buf_clear(&b);
	if (json_object_size(f->t.blobs) > n)
		hex_format(f->fresh, hash, HASH_LEN);
	return (json_pack(
	    "{s:s, s:o}", "what", "roster", "roster", js_hex(hash, HASH_LEN)));
}

/* Y: agrees or objects to the line that waits. */
static json_t *
fuzz_game_agree(struct fuzz_game *f, int seat, const json_t *args)
{
	(void)seat;
	return (json_pack("{s:I, s:s}", "to", (json_int_t)f->t.game->owed.seq,
	    "say", json_is_true(args) ? "agree" : "object"));
}

/* The line of the offer that args counts; -1 if there is none. */
static int64_t
fuzz_game_offer(const struct fuzz_game *f, const json_t *args)
{
	const struct game *g = f->t.game;
	size_t n = (size_t)json_integer_value(args);

	return (n < g->n_offers ? g->offers[n].seq : -1);
}

/* A: accepts an offer. */
static json_t *
fuzz_game_accept(struct fuzz_game *f, int seat, const json_t *args)
{
	int64_t to = fuzz_game_offer(f, args);

	(void)seat;
	return (to < 0 ? NULL : json_pack("{s:I}", "to", (json_int_t)to));
}

/* N: declines an offer of the other side or withdraws one of its own. */
static json_t *
fuzz_game_note(struct fuzz_game *f, int seat, const json_t *args)
{
	const struct game *g = f->t.game;
	int64_t to = fuzz_game_offer(f, args);
	bool is_own;

	if (to < 0)
		return (NULL);
	is_own = game_side_of(g->offers[json_integer_value(args)].seat) ==
	    game_side_of(seat);
	return (json_pack("{s:I, s:s}", "to", (json_int_t)to, "say",
	    is_own ? "withdraw" : "decline"));
}

/* T: asks to take back the last lines, as many as args says. */
static json_t *
fuzz_game_takeback(struct fuzz_game *f, int seat, const json_t *args)
{
	json_int_t from = game_seq(f->t.game) - json_integer_value(args) + 1;

	if (seat == 0)
		return (json_pack("{s:b, s:I, s:s}", "void", 1, "from", from,
		    "why",
		    "1111111111111111111111111111111111111111111111111111111111"
		    "111111"));
	return (json_pack("{s:s, s:I}", "what", "takeback", "from", from));
}

/* E: more time for a claim, or not, as args says further. */
static json_t *
fuzz_game_rule(struct fuzz_game *f, int seat, const json_t *args)
{
	json_t *v = json_pack("{s:I, s:s}", "claim",
	    (json_int_t)f->t.game->clock.claim_seq, "why",
	    "1111111111111111111111111111111111111111111111111111111111111111");

	(void)seat;
	if (json_is_object(args))
		FUZZ_MUST(
		    json_object_update(v, (json_t *)(uintptr_t)args) == 0);
	return (v);
}

static const struct {
	char letter;
	enum order_kind kind; /* of a player */
	json_t *(*make)(struct fuzz_game *f, int seat, const json_t *args);
} fuzz_game_also[] = {
    {'A', ORDER_ACCEPT, fuzz_game_accept},
    {'C', ORDER_COMMIT, fuzz_game_commit},
    {'D', ORDER_DECIDE, fuzz_game_decide},
    {'E', ORDER_RULING, fuzz_game_rule},
    {'J', ORDER_JOIN, fuzz_game_join},
    {'N', ORDER_NOTE, fuzz_game_note},
    {'O', ORDER_OPEN, fuzz_game_reveal},
    {'R', ORDER_PROPOSE, fuzz_game_roster},
    {'S', ORDER_STANDING, fuzz_game_stand},
    {'T', ORDER_OFFER, fuzz_game_takeback},
    {'Y', ORDER_ANSWER, fuzz_game_agree},
};

/* ---- lines ---- */

/* An order, of which the line says what it likes. */
static void
fuzz_game_say(struct fuzz_game *f, int seat, char what, json_t *args)
{
	size_t i, n = sizeof(fuzz_game_also) / sizeof(fuzz_game_also[0]);
	enum order_kind kind;

	if (what >= 'a' && what < 'a' + (int)ORDER_UNKNOWN)
		fuzz_game_order(
		    f, seat, (enum order_kind)(what - 'a'), json_incref(args));
	for (i = 0; i < n; i++) {
		if (fuzz_game_also[i].letter != what)
			continue;
		kind = fuzz_game_also[i].kind;
		if (kind == ORDER_OFFER && seat == 0)
			kind = ORDER_RULING;
		fuzz_game_order(
		    f, seat, kind, fuzz_game_also[i].make(f, seat, args));
		f->t.open = NULL;
	}
}

/* One line. */
static void
fuzz_game_line(struct fuzz_game *f, const char *p, size_t n)
{
	size_t skip = p[0] == '+' || p[0] == '@' ? 1 : 2;
	json_t *v;
	int64_t i;

	if (n <= skip || js_load(p + skip, n - skip, 15, &v, NULL) != 0)
		return;
	i = json_integer_value(v);
	if (p[0] == '+' && i >= 0 && i <= FUZZ_GAME_AHEAD_S)
		f->t.at_ms += 1000 * i;
	else if (p[0] == '@' && i >= 0)
		f->back = (size_t)i;
	else if (p[0] >= '0' && p[0] <= '9')
		fuzz_game_say(f, p[0] - '0', p[1], v);
	json_decref(v);
}

/* Opens the game; false if its settings are not lawful. */
static bool
fuzz_game_begin(struct fuzz_game *f, const char *p, size_t n)
{
	const char *roster = table_roster, *system;
	struct table *t = &f->t;
	json_t *more = NULL, *args;
	int seat;

	memset(f, 0, sizeof(*f));
	table_init(t);
	if (n > 1 && (p[0] == '=' || p[0] == '-') &&
	    js_load(p + 1, n - 1, 15, &more, NULL) != 0)
		more = NULL;
	system = json_string_value(json_object_get(more, "system"));
	if (system != NULL && strcmp(system, "imagi-nations") == 0)
		roster = fuzz_game_regiments;
	args = table_create_args(t, roster);
	if (json_is_object(more))
		FUZZ_MUST(json_object_update(args, more) == 0);
	json_decref(more);
	table_make_create(t, args);
	if (table_open(t) != 0)
		return (false);
	for (seat = 0; p[0] != '-' && seat < GAME_SEATS; seat++) {
		if (game_is_seat(t->game, seat) && seat != 1)
			FUZZ_MUST(table_try(t, seat, ORDER_JOIN,
				      table_seat_args(t, seat)) == 0);
	}
	for (seat = 0; p[0] != '-' && seat < GAME_SEATS; seat++) {
		if (game_is_seat(t->game, seat))
			table_play(t, seat, ORDER_READY, "{}");
	}
	return (true);
}

/* The state without what a daemon, which knows more, need not keep; new. */
static json_t *
fuzz_game_state(const struct game *g)
{
	json_t *v, *s;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	FUZZ_MUST(game_save(g, &b) == 0);
	FUZZ_MUST(js_load(b.data, b.len, JS_DEPTH_RPC, &v, NULL) == 0);
	json_array_foreach(json_object_get(v, "standings"), i, s)(void)
	    json_object_del(s, "passed");
	buf_clear(&b);
	return (v);
}

/* What was taken verifies, and the verifier ends where the game is. */
static void
fuzz_game_verify(struct fuzz_game *f)
{
	struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {0};
	struct game *end;
	json_t *a, *z;
	struct buf b;
	int r;

	buf_init(&b, 0);
	table_export(&f->t, &b);
	r = verify_bytes(b.data, b.len, &opt, &rep, &end, &e);
	if (r != 0)
		(void)fprintf(stderr, "line %d: %s: %s\n", (int)rep.file_line,
		    e.where, e.text);
	FUZZ_MUST(r == 0 && rep.lines == (int64_t)f->t.n_lines);
	FUZZ_MUST(!rep.is_unchecked);
	a = fuzz_game_state(f->t.game);
	z = fuzz_game_state(end);
	FUZZ_MUST(json_equal(a, z));
	json_decref(a);
	json_decref(z);
	game_free(end);
	opt.no_rules = true;
	FUZZ_MUST(verify_bytes(b.data, b.len, &opt, &rep, NULL, &e) == 0);
	buf_clear(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size, *lf;
	struct fuzz_game f;

	if (size == 0)
		return (0);
	lf = memchr(p, '\n', size);
	if (fuzz_game_begin(&f, p, (size_t)((lf == NULL ? end : lf) - p))) {
		for (; p < end && f.t.n_lines < FUZZ_GAME_LINES;
		     p = lf == end ? end : lf + 1) {
			lf = memchr(p, '\n', (size_t)(end - p));
			lf = lf == NULL ? end : lf;
			fuzz_game_line(&f, p, (size_t)(lf - p));
		}
		fuzz_game_verify(&f);
	}
	fuzz_game_clear(&f);
	return (0);
}
