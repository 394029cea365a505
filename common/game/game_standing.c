/* SPDX-License-Identifier: ISC */
/*
 * Standing orders (record S8.1): answers that a side gives beforehand and
 * under seal to questions of one kind.  A daemon holds their texts until
 * they act; a verifier learns them from the lines that open them, and keeps
 * for each that is not open what it did not answer, so that one that is
 * opened too late is found.  Texts that are not open enter no effect, view
 * or error.
 */
#include <stdlib.h>
#include <string.h>

#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/record.h"

/*
 * Reads a text into kind and word, both borrowed from *root (new).
 * ERR_INVALID if it is not an object with these two strings; ERR_NOMEM.
 */
static int
game_standing_split(
    const char *text, json_t **root, const char **kind, const char **word)
{
	json_t *v;
	int r;

	r = js_load(text, strlen(text), JS_DEPTH_RECORD, &v, NULL);
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_INVALID);
	*kind = js_str(v, "kind");
	*word = js_str(v, "do");
	if (*kind == NULL || *word == NULL) {
		json_decref(v);
		return (ERR_INVALID);
	}
	*root = v;
	return (0);
}

/*
 * 1 if a text is a standing order for this kind (NULL: for one of those in
 * the set), with the number of its word; 0 if not; ERR_NOMEM.  Where the
 * rules are not known all words may be.
 */
static int
game_standing_is(const struct game *g, const char *text, const char *kind,
    const json_t *among, int *word)
{
	const char *said_kind, *said_word;
	const struct rules_policy *p;
	json_t *root;
	int r;

	r = game_standing_split(text, &root, &said_kind, &said_word);
	if (r != 0)
		return (r == ERR_NOMEM ? r : 0);
	if (json_object_size(root) != 2)
		r = 0;
	else if (kind != NULL)
		r = strcmp(kind, said_kind) == 0;
	else
		r = json_object_get(among, said_kind) != NULL;
	*word = -1;
	if (r == 1 && g->has_settings) {
		p = rules_policy_find(g->sys, said_kind);
		if (p != NULL && !rules_is_secret(g->sys, said_kind))
			*word = rules_policy_word(p, said_word);
		r = *word >= 0;
	}
	json_decref(root);
	return (r);
}

/* Lists the kinds, or the words of one, in text for a refusal. */
static void
game_standing_list(
    const struct game *g, const struct rules_policy *p, char *text, size_t size)
{
	const struct rules_system *sys = g->sys;
	const char *word;
	size_t i, len, used = 0;

	text[0] = '\0';
	for (i = 0;; i++) {
		word = p != NULL ? p->words[i] : sys->policies[i].kind;
		if (word == NULL)
			return;
		len = strlen(word);
		if ((p == NULL &&
			(rules_is_secret(sys, word) ||
			    game_fact_is(g, word))) ||
		    used + len + 3 > size)
			continue;
		if (used > 0) {
			memcpy(text + used, ", ", 2);
			used += 2;
		}
		memcpy(text + used, word, len + 1);
		used += len;
	}
}

const struct game_standing *
game_standings(const struct game *g, size_t *n)
{
	*n = g->n_standings;
	return (g->standings);
}

int
game_standing_read(const struct game_standing *s, json_t **root,
    const char **kind, const char **word)
{
	return (s->is_open ? game_standing_split(s->text, root, kind, word)
			   : ERR_NOTFOUND);
}

int
game_check_standing(const struct game *g, const char *text, struct errinfo *e)
{
	const struct rules_policy *p;
	const char *kind, *word;
	char list[150];
	json_t *root;
	int r;

	if (!g->has_settings)
		return (err_set(
		    e, ERR_INVALID, "", "the game's rules are not at hand"));
	r = strlen(text) > GAME_STANDING_TEXT_MAX
	    ? ERR_INVALID
	    : game_standing_split(text, &root, &kind, &word);
	if (r == 0 && json_object_size(root) != 2) {
		json_decref(root);
		r = ERR_INVALID;
	}
	if (r == ERR_NOMEM)
		return (r);
	if (r != 0)
		return (err_set(e, ERR_INVALID, "text",
		    "must be {\"kind\":...,\"do\":...}, of at most %d bytes",
		    GAME_STANDING_TEXT_MAX));
	p = rules_policy_find(g->sys, kind);
	if (p == NULL || rules_is_secret(g->sys, kind)) {
		game_standing_list(g, NULL, list, sizeof(list));
		r = err_set(
		    e, ERR_INVALID, "text.kind", "must be one of %s", list);
	} else if (game_fact_is(g, kind)) {
		r = err_set(e, ERR_INVALID, "text.kind",
		    "the other side agrees to \"%s\" each time in this game; "
		    "no standing order acts on it",
		    kind);
	} else if (rules_policy_word(p, word) < 0) {
		game_standing_list(g, p, list, sizeof(list));
		r = err_set(
		    e, ERR_INVALID, "text.do", "must be one of %s", list);
	}
	json_decref(root);
	return (r);
}

/* Takes salt and text of a standing order in if they are its own. */
static int
game_standing_hold(const struct game *g, struct game_standing *s,
    const uint8_t salt[RECORD_SALT_LEN], const char *text)
{
	uint8_t commit[HASH_LEN];
	size_t len = strlen(text);
	int r;

	if (len > GAME_STANDING_TEXT_MAX)
		return (ERR_MISSING);
	r = record_secret(
	    commit, g->create.game, s->seat, s->ask, salt, text, len);
	if (r != 0)
		return (r);
	if (memcmp(commit, s->commit, HASH_LEN) != 0)
		return (ERR_MISSING);
	s->is_held = true;
	memcpy(s->salt, salt, RECORD_SALT_LEN);
	memcpy(s->text, text, len + 1);
	return (0);
}

/* Reads what came with the order; nothing in it makes a final refusal. */
static int
game_standing_read_open(const struct game *g, const json_t *open,
    struct game_standing *s, struct errinfo *e)
{
	static const char *const known[] = {"salt", "text", NULL};
	const struct js_at at = {NULL, "open", 0};
	uint8_t salt[RECORD_SALT_LEN];
	const char *text;
	int r;

	if (open == NULL)
		return (err_set(e, ERR_MISSING, "open",
		    "the text of a standing order comes beside it"));
	if (js_members(open, &at, known, e) != 0 ||
	    js_get_hex(open, "salt", &at, salt, sizeof(salt), e) != 0 ||
	    js_get_str(open, "text", &at, &text, e) != 0)
		return (ERR_MISSING);
	if ((r = game_check_standing(g, text, e)) == ERR_INVALID) {
		js_within(&at, e);
		return (ERR_MISSING);
	}
	if (r != 0)
		return (r);
	r = game_standing_hold(g, s, salt, text);
	if (r == ERR_MISSING)
		(void)err_set(
		    e, r, "open", "this is not the text that was committed");
	return (r);
}

/* Whether this seat may give a standing order now. */
static int
game_standing_may(const struct game *g, int seat, struct errinfo *e)
{
	const struct game_standing *s;
	int n_seat = 0, n_side = 0;
	size_t i;

	if (seat == 0)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the director gives no standing orders"));
	if (g->phase != GAME_MUSTER && g->phase != GAME_PLAY)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is over; only talk and close are taken"));
	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		n_seat += s->seat == seat && !s->is_withdrawn;
		n_side += game_side_of(s->seat) == game_side_of(seat);
	}
	if (n_side >= GAME_STANDING_SIDE_MAX)
		return (err_set(e, ERR_ILLEGAL, "",
		    "side %d has given %d standing orders in this game, the "
		    "most that it may give",
		    game_side_of(seat), GAME_STANDING_SIDE_MAX));
	if (n_seat >= GAME_STANDING_MAX)
		return (err_set(e, ERR_ILLEGAL, "",
		    "seat %d has %d standing orders; withdraw one first", seat,
		    GAME_STANDING_MAX));
	return (0);
}

int
game_take_standing(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_effects *fx = l->fx;
	struct game_standing s = {
	    .seq = g->seq + 1, .ask = o->after, .seat = o->seat};
	struct game_standing *list;
	int r;

	r = js_get_hex(
	    o->args, "commit", &order_at_args, s.commit, HASH_LEN, l->e);
	if (r != 0)
		return (game_illegal(r));
	if ((r = game_standing_may(g, o->seat, l->e)) != 0)
		return (r);
	if (l->given == NULL &&
	    (r = game_standing_read_open(g, o->open, &s, l->e)) != 0)
		return (r);
	if ((r = game_commit_note(g, o->seat, s.commit, l->e)) != 0)
		return (r);
	list = realloc(g->standings, (g->n_standings + 1) * sizeof(*list));
	if (list == NULL)
		return (ERR_NOMEM);
	g->standings = list;
	list[g->n_standings++] = s;
	if (s.is_held) {
		fx->has_standing = true;
		fx->standing.seat = s.seat;
		fx->standing.seq = s.seq;
		memcpy(fx->standing.salt, s.salt, RECORD_SALT_LEN);
		memcpy(fx->standing.text, s.text, sizeof(s.text));
	}
	return (0);
}

int
game_hold_standing(struct game *g, const struct game_standing_text *t)
{
	struct game_standing *s;
	size_t i;

	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		if (s->seq == t->seq && s->seat == t->seat && !s->is_open &&
		    !s->is_lost)
			return (game_standing_hold(g, s, t->salt, t->text));
	}
	return (ERR_NOTFOUND);
}

bool
game_lack(const struct game *g, size_t i, struct game_lack *out)
{
	const struct game_secret *c;
	const struct game_standing *s;
	size_t n;
	int side;

	for (side = 1; side <= 2 && game_has_held(g); side++) {
		c = &g->combat.secrets[side];
		if (!c->is_committed || c->is_open || i-- > 0)
			continue;
		*out = (struct game_lack){
		    .seq = c->seq, .seat = c->seat, .ask = g->combat.ask_seq};
		return (true);
	}
	for (n = 0; n < g->n_standings && !game_is_finished(g); n++) {
		s = &g->standings[n];
		if (s->is_open || s->is_held || s->is_lost || i-- > 0)
			continue;
		*out = (struct game_lack){
		    .seq = s->seq, .seat = s->seat, .is_standing = true};
		return (true);
	}
	return (false);
}

int
game_check_held(const struct game *g, struct errinfo *e)
{
	struct game_lack lack;

	if (!game_lack(g, 0, &lack))
		return (0);
	if (lack.is_standing)
		return (err_set(e, ERR_BAD, "",
		    "the standing order of line %lld is not kept as it was "
		    "committed",
		    (long long)lack.seq));
	return (err_set(e, ERR_BAD, "",
	    "the secret choice of seat %d is not kept as it was committed",
	    lack.seat));
}

int
game_standing_give(struct game *g, const struct record_line *given)
{
	uint8_t salt[RECORD_SALT_LEN];
	struct game_standing *s;
	const json_t *one;
	const char *text;
	int64_t seat;
	size_t i, k;
	int r;

	json_array_foreach(given->opened, i, one)
	{
		/* Two secret choices, and each order once. */
		if (i >= g->n_standings + 2)
			break;
		if (js_get_int(one, "seat", NULL, 1, GAME_SEATS - 1, &seat,
			NULL) != 0 ||
		    js_get_hex(one, "salt", NULL, salt, sizeof(salt), NULL) !=
			0 ||
		    js_get_str(one, "text", NULL, &text, NULL) != 0)
			continue;
		for (k = 0; k < g->n_standings; k++) {
			s = &g->standings[k];
			if (s->seat != (int)seat || s->is_open || s->is_held)
				continue;
			r = game_standing_hold(g, s, salt, text);
			if (r != 0 && r != ERR_MISSING)
				return (r);
			if (r == 0)
				break;
		}
	}
	return (0);
}

int
game_standing_find(const struct game *g, int side, const char *kind,
    struct game_standing **found, int *word)
{
	struct game_standing *s;
	size_t i;
	int r;

	for (i = g->n_standings; i > 0; i--) {
		s = &g->standings[i - 1];
		if (game_side_of(s->seat) != side || s->is_withdrawn ||
		    (!s->is_open && !s->is_held))
			continue;
		r = game_standing_is(g, s->text, kind, NULL, word);
		if (r == 1)
			*found = s;
		if (r != 0)
			return (r);
	}
	return (0);
}

bool
game_standing_is_lost(const struct game *g, int side)
{
	const struct game_standing *s;
	size_t i;

	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		if (game_side_of(s->seat) == side && !s->is_withdrawn &&
		    !s->is_open && !s->is_held)
			return (true);
	}
	return (false);
}

/* Checks that a standing order did not pass over what it answers. */
static int
game_standing_check(
    const struct game *g, const struct game_standing *s, struct errinfo *e)
{
	int r, word;

	if (s->passed == NULL)
		return (0);
	r = game_standing_is(g, s->text, NULL, s->passed, &word);
	if (r != 1)
		return (r);
	return (err_set(e, ERR_ILLEGAL, "opened",
	    "a standing order was passed over: that of line %lld",
	    (long long)s->seq));
}

int
game_check_passed(const struct game *g, int64_t seq,
    const uint8_t salt[RECORD_SALT_LEN], const char *text, struct errinfo *e)
{
	struct game_standing s;
	size_t i;
	int r;

	for (i = 0; i < g->n_standings; i++) {
		if (g->standings[i].seq == seq)
			break;
	}
	if (i == g->n_standings)
		return (ERR_NOTFOUND);
	s = g->standings[i];
	if ((r = game_standing_hold(g, &s, salt, text)) != 0)
		return (r);
	/* What was opened was checked then. */
	return (s.is_open ? 0 : game_standing_check(g, &s, e));
}

/* The text of this order need not be kept any longer. */
static int
game_standing_forget(const struct game_standing *s, struct game_effects *fx)
{
	if (fx->opened_standing == NULL &&
	    (fx->opened_standing = json_array()) == NULL)
		return (ERR_NOMEM);
	return (json_array_append_new(
		    fx->opened_standing, json_integer(s->seq)) == 0
		? 0
		: ERR_NOMEM);
}

/* Makes the text of a standing order public. */
static int
game_standing_open(struct game_standing *s, struct game_effects *fx)
{
	json_t *one;
	int r;

	if (fx->opened == NULL && (fx->opened = json_array()) == NULL)
		return (ERR_NOMEM);
	one = json_pack("{s:i, s:o, s:s}", "seat", s->seat, "salt",
	    js_hex(s->salt, RECORD_SALT_LEN), "text", s->text);
	if (json_array_append_new(fx->opened, one) != 0)
		return (ERR_NOMEM);
	if ((r = game_standing_forget(s, fx)) != 0)
		return (r);
	s->is_open = true;
	json_decref(s->passed);
	s->passed = NULL;
	return (0);
}

/* Notes for one order that a question of this kind passed it. */
static int
game_standing_note(struct game_standing *s, const char *kind)
{
	if (s->is_open || s->is_withdrawn)
		return (0);
	if (s->passed == NULL && (s->passed = json_object()) == NULL)
		return (ERR_NOMEM);
	return (json_object_set_new(s->passed, kind, json_true()) == 0
		? 0
		: ERR_NOMEM);
}

int
game_standing_act(struct game *g, const struct game_line *l,
    struct game_standing *s, const char *kind)
{
	struct game_standing *newer;
	int r;

	if (!s->is_open) {
		if ((r = game_standing_check(g, s, l->e)) != 0 ||
		    (r = game_standing_open(s, l->fx)) != 0)
			return (r);
	}
	for (newer = s + 1; newer < g->standings + g->n_standings; newer++) {
		if (game_side_of(newer->seat) == game_side_of(s->seat) &&
		    (r = game_standing_note(newer, kind)) != 0)
			return (r);
	}
	return (0);
}

int
game_standing_pass(struct game *g, int side, const char *kind)
{
	size_t i;
	int r;

	for (i = 0; i < g->n_standings; i++) {
		if (game_side_of(g->standings[i].seat) == side &&
		    (r = game_standing_note(&g->standings[i], kind)) != 0)
			return (r);
	}
	return (0);
}

int
game_standing_open_all(struct game *g, const struct game_line *l)
{
	struct game_standing *s;
	size_t i;
	int r;

	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		if (s->is_open || s->is_lost)
			continue;
		if (!s->is_held && l->given != NULL)
			return (err_set(l->e, ERR_ILLEGAL, "opened",
			    "the standing order of line %lld stays closed",
			    (long long)s->seq));
		if (!s->is_held)
			return (err_set(l->e, ERR_STORAGE, "",
			    "the text of the standing order of line %lld is "
			    "not at hand",
			    (long long)s->seq));
		if ((r = game_standing_check(g, s, l->e)) != 0)
			return (r);
	}
	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		if (!s->is_open && !s->is_lost &&
		    (r = game_standing_open(s, l->fx)) != 0)
			return (r);
	}
	return (0);
}

int
game_standing_lose(struct game *g, struct game_effects *fx)
{
	struct game_standing *s;
	size_t i;
	int r;

	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		if (s->is_open || s->is_lost)
			continue;
		if ((r = game_standing_forget(s, fx)) != 0)
			return (r);
		s->is_withdrawn = s->is_lost = true;
		s->is_held = false;
		json_decref(s->passed);
		s->passed = NULL;
	}
	return (0);
}

int
game_standing_leave(struct game *g, int seat, struct game_effects *fx)
{
	const struct game_standing *s;
	size_t i, n = 0;
	int r;

	for (i = 0; i < g->n_standings; i++) {
		s = &g->standings[i];
		if (s->seat == seat) {
			if ((r = game_standing_forget(s, fx)) != 0)
				return (r);
			json_decref(s->passed);
		} else {
			g->standings[n++] = *s;
		}
	}
	g->n_standings = n;
	return (0);
}

void
game_standing_clear(struct game *g)
{
	size_t i;

	for (i = 0; i < g->n_standings; i++)
		json_decref(g->standings[i].passed);
	free(g->standings);
	g->standings = NULL;
	g->n_standings = 0;
}
