/* SPDX-License-Identifier: ISC */
/*
 * The copy of a game.  Lines are verified when they are added to the file and
 * again when they are read from it, so a copy that has changed on disk is
 * noticed.  sync.c and send.c talk to the server.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/checkpoint.h"
#include "client/replica/replica_int.h"
#include "client/replica/standing.h"
#include "client/report/people.h"
#include "client/ui/opt.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

/* Adds the line at `off` of c->lines, which was verified, to the index. */
static void
replica_index(struct replica *c, size_t off, size_t len)
{
	const size_t n = (size_t)c->n;

	c->index = xalloc_more(c->index, n, sizeof(*c->index));
	c->index[n].off = off;
	c->index[n].len = len;
	c->n++;
}

void
replica_put_line(struct buf *b, const char *line, size_t len)
{
	buf_add(b, line, len);
	buf_putc(b, '\n');
}

int
replica_forked(struct replica *c, enum replica_what what, int64_t seq,
    const uint8_t *there, const char *why, struct errinfo *e)
{
	struct replica_fork *f = &c->fork;
	char text[sizeof(f->why.text)];

	/* why may point into f or e. */
	memset(text, 0, sizeof(text));
	strncpy(text, why, sizeof(text) - 1);
	free(f->line);
	memset(f, 0, sizeof(*f));
	f->what = what;
	f->seq = seq;
	f->at_ms = clock_wall_ms();
	if (seq >= 0 && seq < c->n) {
		f->has_here = true;
		memcpy(f->here, replica_hash(c, seq), HASH_LEN);
	}
	if (there != NULL) {
		f->has_there = true;
		memcpy(f->there, there, HASH_LEN);
	}
	(void)err_set(&f->why, ERR_FORK, NULL, "%s", text);
	return (err_set(e, ERR_FORK, NULL, "%s", text));
}

bool
replica_is_proof(const struct replica_fork *f)
{
	return (f->line != NULL);
}

bool
replica_line_place(
    const char *line, size_t len, uint8_t game[HASH_LEN], int64_t *seq)
{
	bool is_good;
	json_t *root;

	if (js_load(line, len, JS_DEPTH_RECORD, &root, NULL) != 0)
		return (false);
	is_good = js_get_hex(root, "game", NULL, game, HASH_LEN, NULL) == 0 &&
	    js_get_int(root, "seq", NULL, 0, JS_INT_MAX, seq, NULL) == 0;
	json_decref(root);
	return (is_good);
}

/*
 * True if the server signed this line, for this place of this game.  One that
 * is signed but is no line at all has no better place.
 */
static bool
replica_is_signed(
    const struct replica *c, int64_t seq, const char *line, size_t len)
{
	uint8_t game[HASH_LEN];
	int64_t at;

	if (c->p == NULL || !c->p->has_pin ||
	    record_check_mark(line, len, c->p->pin) != 0)
		return (false);
	return (!replica_line_place(line, len, game, &at) ||
	    (at == seq && memcmp(game, c->id, HASH_LEN) == 0));
}

/* True if a line says that those from its own number on were lost. */
static bool
replica_says_lost(const char *line, size_t len, int64_t seq)
{
	struct record_line ln;
	bool says;

	if (record_parse(line, len, &ln, NULL) != 0)
		return (false);
	says = ln.kind == RECORD_SERVER && ln.what != NULL &&
	    strcmp(ln.what, "restored") == 0 && ln.seq == seq;
	record_clear(&ln);
	return (says);
}

/*
 * True if the line that the server has signed instead of our line seq says
 * that ours was lost, and follows what we have before that.
 */
static bool
replica_is_lost(
    const struct replica *c, int64_t seq, const char *line, size_t len)
{
	struct record_line ln;
	const char *own;
	bool follows;
	size_t own_len;

	if (seq < 1 || seq >= c->n || !replica_says_lost(line, len, seq))
		return (false);
	own = replica_get(c, seq, &own_len);
	if (replica_says_lost(own, own_len, seq) ||
	    record_parse(line, len, &ln, NULL) != 0)
		return (false);
	follows = memcmp(ln.prev, replica_hash(c, seq - 1), HASH_LEN) == 0;
	record_clear(&ln);
	return (follows);
}

/*
 * Notes that line seq, as the server gave it, is not what it must be: `what`
 * if the server signed it, and nonsense otherwise.
 */
static int
replica_accuse(struct replica *c, enum replica_what what, int64_t seq,
    const char *line, size_t len, const uint8_t hash[HASH_LEN],
    const struct errinfo *why, struct errinfo *e)
{
	struct replica_fork *f = &c->fork;
	struct errinfo place = *why;

	if (!replica_is_signed(c, seq, line, len))
		return (replica_forked(c, REPLICA_NONSENSE, seq, hash,
		    "the server's key has not signed it for this place", e));
	(void)replica_forked(c, what, seq, hash, place.text, e);
	memcpy(f->why.where, place.where, sizeof(f->why.where));
	f->line = xalloc_strn(line, len);
	f->len = len;
	f->is_restored =
	    what == REPLICA_TWO_LINES && replica_is_lost(c, seq, line, len);
	return (ERR_FORK);
}

/* Appends what a file of the copy holds beyond what has been read. */
static int
replica_read_tail(const struct replica *c, const char *suffix, struct buf *b,
    struct errinfo *e)
{
	int r = profile_game_read(c->p, c->id, suffix, b->len, b, e);

	return (r == ERR_NOTFOUND && b->len == 0 ? 0 : r);
}

int
replica_end_file(const struct replica *c, const char *suffix, struct buf *b,
    size_t end, int r, struct errinfo *e)
{
	bool is_half = r == 0 && end < b->len;

	b->len = end;
	return (!is_half
		? r
		: profile_game_write(c->p, c->id, suffix, b->data, b->len, e));
}

/*
 * Says why line number c->n of our own file does not hold: the first one may
 * only be of another server.
 */
static int
replica_damaged(const struct replica *c, const char *path, const char *line,
    size_t len, int r, const struct errinfo *why, struct errinfo *e)
{
	char game[2 * HASH_LEN + 1], key[2 * SIGN_KEY_LEN + 1];
	struct record_line ln;
	struct order o;

	if (c->n == 0 && strcmp(why->where, "order.server") == 0 &&
	    record_parse(line, len, &ln, NULL) == 0) {
		if (ln.text != NULL &&
		    order_parse(ln.text, ln.text_len, &o, NULL) == 0) {
			hex_format(key, o.server, SIGN_KEY_LEN);
			hex_format(game, c->id, HASH_LEN);
			r = err_set(e, ERR_SERVER, NULL,
			    "your copy of game %.8s is from another server "
			    "than this profile's, with the identity key %s",
			    game, key);
			order_clear(&o);
		}
		record_clear(&ln);
		if (r == ERR_SERVER)
			return (r);
	}
	return (err_set(e, r == ERR_NOMEM ? r : ERR_BAD, NULL,
	    "your copy '%s' is damaged at line %lld: %s", path,
	    (long long)c->n + 1, why->text));
}

/* Likewise takes in the lines that were read. */
static int
replica_take_lines(struct replica *c, size_t at, int r, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const char *end, *p;
	size_t len;
	char *path;

	path = profile_game_path(c->p, c->id, ".jsonl");
	(void)buf_str(&c->lines); /* terminates it */
	while (r == 0 && at < c->lines.len) {
		p = c->lines.data + at;
		if ((end = memchr(p, '\n', c->lines.len - at)) == NULL)
			break;
		len = (size_t)(end - p);
		verify_peek(c->v, end + 1, strcspn(end + 1, "\n"));
		if ((r = verify_line(c->v, p, len, &why)) != 0) {
			r = replica_damaged(c, path, p, len, r, &why, e);
		} else {
			replica_index(c, at, len);
			at += len + 1;
		}
	}
	free(path);
	return (replica_end_file(c, ".jsonl", &c->lines, at, r, e));
}

/* A verifier that knows the profile's server, and no line yet; *v is new. */
static int
replica_new_verify(
    const struct profile *p, struct verify **v, struct errinfo *e)
{
	const struct verify_options opt = {
	    .head_seq = -1, .server = p->has_pin ? p->pin : NULL};
	int r;

	if ((r = verify_new(&opt, v)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	return (r);
}

/*
 * Empties the memory, which is ahead of the files: a line that was verified
 * once would not be the next one, and the server would be blamed for it.
 */
static int
replica_forget(struct replica *c, struct errinfo *e)
{
	struct verify *v;
	int r;

	if ((r = replica_new_verify(c->p, &v, e)) != 0)
		return (r);
	verify_free(c->v);
	c->v = v;
	buf_reset(&c->lines);
	buf_reset(&c->side);
	(void)json_object_clear(c->side_at);
	(void)json_object_clear(c->values);
	c->n = c->checked = 0;
	return (0);
}

/*
 * Reads what the files hold beyond what was read before, of which *cp says
 * how much it was.
 */
static int
replica_read_files(struct replica *c, struct checkpoint *cp, struct errinfo *e)
{
	int r;

	cp->lines = c->lines.len;
	cp->side = c->side.len;
	/* Our standing orders first: no line may have passed one over. */
	if ((r = standing_give(c->p, c->id, c->v)) != 0)
		return (err_set(e, r, NULL, "%s", err_text(r)));
	if ((r = replica_read_tail(c, ".side", &c->side, e)) == 0)
		r = replica_read_tail(c, ".jsonl", &c->lines, e);
	c->is_kept = c->is_kept || c->lines.len > 0;
	return (r);
}

/*
 * Takes in, without verifying it again, what the checkpoint covers, if there
 * is one: *cp becomes that.
 */
static int
replica_resume(struct replica *c, struct checkpoint *cp, struct errinfo *e)
{
	const char *end, *p;
	struct buf saved;
	size_t at;
	int r = 0;

	buf_init(&saved, 0);
	if (!checkpoint_read(c->p, c->id, &c->lines, &c->side, cp, &saved))
		goto out;
	for (at = 0; r == 0 && at < cp->side; at = (size_t)(end - p) + 1) {
		p = c->side.data;
		end = memchr(p + at, '\n', cp->side - at);
		/* Of {"text": and {"blob": only the latter make the game. */
		if (p[at + 2] == 'b')
			r = replica_check_side(
			    c, p + at, (size_t)(end - p) - at, e);
		(void)replica_note_side(c, at);
	}
	if (r == 0)
		r = verify_load(c->v, saved.data, saved.len, e);
	for (at = 0; r == 0 && at < cp->lines; at = (size_t)(end - p) + 1) {
		p = c->lines.data;
		end = memchr(p + at, '\n', cp->lines - at);
		replica_index(c, at, (size_t)(end - p) - at);
	}
	c->checked = c->n;
	if (r != 0 && (r = replica_forget(c, e)) == 0)
		r = replica_read_files(c, cp, e);
out:
	buf_clear(&saved);
	return (r);
}

/* Takes the lock and what other processes have added. */
static int
replica_lock_files(struct replica *c, struct errinfo *e)
{
	struct checkpoint cp = {c->lines.len, c->side.len};
	int r;

	if ((r = profile_game_lock(c->p, c->id, &c->lock, e)) != 0)
		return (r);
	if (c->is_ahead)
		r = replica_forget(c, e);
	if (r == 0)
		r = replica_read_files(c, &cp, e);
	if (r == 0 && c->n == 0)
		r = replica_resume(c, &cp, e);
	r = replica_take_sides(c, cp.side, r, e);
	r = replica_take_lines(c, cp.lines, r, e);
	/* A failed reading leaves the copy as unreliable as it was. */
	c->is_ahead = c->is_ahead && r != 0;
	if (r != 0)
		replica_unlock(c);
	return (r);
}

/* The calls of a struct battle: the verifier, lines, texts and names. */
static struct verify *
replica_battle_verify_cb(void *arg)
{
	const struct replica *c = arg;

	return (c->v);
}

static const char *
replica_battle_line_cb(void *arg, int64_t seq, size_t *len)
{
	const struct replica *c = arg;

	return (seq < 0 || seq >= c->n ? NULL : replica_get(c, seq, len));
}

static const char *
replica_battle_text_cb(void *arg, const char *hex)
{
	return (replica_text(arg, hex));
}

static enum battle_lack
replica_battle_lack_cb(void *arg, const char *hex)
{
	return (replica_lack(arg, hex));
}

/* The people known so far; borrowed. */
static struct people *
replica_battle_people(struct replica *c)
{
	/* Nobody can join, or be refused, in a game that has begun. */
	if (c->people == NULL || (c->people_n >= 0 && c->people_n != c->n)) {
		people_free(c->people);
		c->people = people_of(&c->battle);
		c->people_n = game_turn(replica_game(c)) > 0 ? -1 : c->n;
	}
	return (c->people);
}

static const char *
replica_battle_called_cb(void *arg, const char *account)
{
	return (people_tell(replica_battle_people(arg), account));
}

static const char *
replica_battle_name_cb(void *arg, const char *account)
{
	return (people_name(replica_battle_people(arg), account));
}

/* An empty one, without a verifier. */
static struct replica *
replica_new(const struct profile *p)
{
	struct replica *c = xalloc(sizeof(*c));

	c->p = p;
	c->lock = -1;
	c->rewound = -1;
	buf_init(&c->lines, 0);
	buf_init(&c->side, 0);
	buf_init(&c->times, 0);
	c->side_at = xalloc_json(json_object());
	c->values = xalloc_json(json_object());
	c->battle.arg = c;
	c->battle.verify = replica_battle_verify_cb;
	c->battle.line = replica_battle_line_cb;
	c->battle.text = replica_battle_text_cb;
	c->battle.lack = replica_battle_lack_cb;
	c->battle.called = replica_battle_called_cb;
	c->battle.name = replica_battle_name_cb;
	return (c);
}

int
replica_open(const struct profile *p, const uint8_t id[HASH_LEN],
    struct replica **out, struct errinfo *e)
{
	struct replica *c = replica_new(p);
	int r;

	memcpy(c->id, id, HASH_LEN);
	if ((r = replica_new_verify(p, &c->v, e)) != 0)
		goto out;
	c->is_kept = profile_game_has(p, id, ".jsonl");
	if (c->is_kept) {
		out_progress("checking your copy of the game");
		r = replica_lock_files(c, e);
		out_progress_end();
		replica_unlock(c);
	}
out:
	if (r != 0)
		replica_close(c);
	else
		*out = c;
	return (r);
}

int
replica_of(const char *bytes, size_t len, int64_t n, struct verify *v,
    struct replica **out, struct errinfo *e)
{
	const char *end = bytes + len, *lf, *p;
	const struct game *g = verify_game(v);
	struct record_side s;
	struct replica *c = replica_new(NULL);
	int r;

	c->v = v;
	if (g != NULL)
		memcpy(c->id, game_id(g), HASH_LEN);
	for (p = bytes; p < end; p = lf + 1) {
		if ((lf = memchr(p, '\n', (size_t)(end - p))) == NULL)
			break;
		if (c->n < n) {
			replica_index(c, c->lines.len, (size_t)(lf - p));
			replica_put_line(&c->lines, p, (size_t)(lf - p));
		} else if (record_is_side(p, (size_t)(lf - p)) &&
		    record_side_parse(p, (size_t)(lf - p), &s, NULL) == 0) {
			if (verify_is_named(v, s.hash))
				(void)replica_put_side(c, p, (size_t)(lf - p));
			record_side_clear(&s);
		}
	}
	if ((r = buf_error(&c->lines)) == 0)
		r = buf_error(&c->side);
	if (r != 0) {
		replica_close(c);
		return (err_set(e, r, NULL, "%s", err_text(r)));
	}
	*out = c;
	return (0);
}

void
replica_close(struct replica *c)
{
	if (c == NULL)
		return;
	if (c->is_kept && !c->is_ahead && c->n > c->checked)
		checkpoint_write(c->p, c->id, &c->lines, &c->side, c->v);
	replica_unlock(c);
	verify_free(c->v);
	buf_clear(&c->lines);
	buf_clear(&c->side);
	buf_clear(&c->times);
	free(c->index);
	free(c->fork.line);
	json_decref(c->side_at);
	json_decref(c->values);
	people_free(c->people);
	free(c);
}

int
replica_lock(struct replica *c, struct errinfo *e)
{
	if (!c->is_kept)
		return (0);
	if (c->lock == -1)
		return (replica_lock_files(c, e));
	return (!c->is_ahead
		? 0
		: err_set(e, ERR_IO, NULL,
		      "your copy of the game could not be written"));
}

void
replica_unlock(struct replica *c)
{
	if (c->lock == -1)
		return;
	(void)close(c->lock); /* it holds no bytes */
	c->lock = -1;
}

/*
 * Keeps the times when lines arrived, without waiting for the disk; in memory
 * while there are no files.
 */
static void
replica_keep_times(struct replica *c, const char *times, size_t len)
{
	char *path;

	if (!c->is_kept) {
		buf_add(&c->times, times, len);
		return;
	}
	path = profile_game_path(c->p, c->id, ".times");
	file_jot(path, times, len);
	free(path);
}

int
replica_keep(struct replica *c, struct errinfo *e)
{
	char *games;
	int r;

	if (c->is_kept)
		return (0);
	games = profile_path(c->p, "games");
	r = file_make_dirs(games, e);
	free(games);
	if (r != 0)
		return (r);
	if ((r = profile_game_lock(c->p, c->id, &c->lock, e)) != 0)
		return (r);
	/* The side lines first: the lines cannot be checked without them. */
	r = profile_game_write(
	    c->p, c->id, ".side", c->side.data, c->side.len, e);
	if (r == 0)
		r = profile_game_write(
		    c->p, c->id, ".jsonl", c->lines.data, c->lines.len, e);
	if (r == 0) {
		c->is_kept = true;
		replica_keep_times(c, c->times.data, c->times.len);
		buf_reset(&c->times);
	}
	replica_unlock(c);
	return (r);
}

/* Verifies and adds the next line. */
static int
replica_add_next(struct replica *c, const char *line, size_t len,
    const uint8_t hash[HASH_LEN], struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	uint8_t game[HASH_LEN];
	char now[CLOCK_AT_LEN + 1];
	int64_t place;
	struct buf b;
	size_t at;
	int r;

	if (replica_line_place(line, len, game, &place) &&
	    memcmp(game, c->id, HASH_LEN) != 0)
		return (replica_forked(c, REPLICA_NONSENSE, c->n, hash,
		    "the server gave another game's line", e));
	if ((r = verify_line(c->v, line, len, &why)) != 0) {
		if (r == ERR_NOMEM)
			return (err_set(e, r, NULL, "%s", err_text(r)));
		/* The verifier may have taken half of a line that is signed. */
		r = replica_accuse(
		    c, REPLICA_UNLAWFUL, c->n, line, len, hash, &why, e);
		c->is_shut = replica_is_proof(&c->fork);
		return (r);
	}
	at = c->lines.len;
	replica_put_line(&c->lines, line, len);
	if ((r = buf_error(&c->lines)) == 0 && c->is_kept)
		r = profile_game_append(
		    c->p, c->id, ".jsonl", c->lines.data + at, len + 1, e);
	c->is_ahead = r != 0;
	if (r != 0) {
		c->lines.len = at;
		return (r);
	}
	clock_format(now, clock_wall_ms());
	buf_init(&b, 0);
	buf_printf(&b, "%lld %s\n", (long long)c->n, now);
	replica_keep_times(c, b.data, b.len);
	buf_clear(&b);
	replica_index(c, at, len);
	return (0);
}

int
replica_add(struct replica *c, int64_t seq, const char *line, size_t len,
    const char *next, struct errinfo *e)
{
	const struct errinfo two = {
	    .text = "the server gives another line with this number"};
	bool had_lock = c->lock != -1;
	uint8_t hash[HASH_LEN];
	int r;

	if (c->is_shut)
		return (err_set(e, ERR_FORK, NULL, "%s", c->fork.why.text));
	if ((r = replica_lock(c, e)) != 0)
		return (r);
	verify_peek(c->v, next, strlen(next));
	if ((r = hash_sha256(hash, line, len)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	else if (seq < 0 || seq > c->n)
		r = replica_forked(c, REPLICA_NONSENSE, seq, hash,
		    "the server left out lines", e);
	else if (seq == c->n)
		r = replica_add_next(c, line, len, hash, e);
	else if (memcmp(hash, replica_hash(c, seq), HASH_LEN) != 0)
		r = replica_accuse(
		    c, REPLICA_TWO_LINES, seq, line, len, hash, &two, e);
	if (!had_lock)
		replica_unlock(c);
	return (r);
}

int
replica_rewind(struct replica *c, int64_t n, struct errinfo *e)
{
	const bool had_lock = c->lock != -1;
	struct buf lines, side;
	char *path;
	int r;

	if ((r = replica_lock(c, e)) != 0)
		return (r);
	buf_init(&lines, 0);
	buf_init(&side, 0);
	if (n >= c->n)
		goto out;
	buf_add(&lines, c->lines.data, c->index[n].off);
	buf_add(&side, c->side.data, c->side.len);
	if (c->is_kept) {
		/* Without it all is verified again. */
		path = profile_game_path(c->p, c->id, ".checkpoint");
		r = file_remove(path, e);
		free(path);
		if (r == 0)
			r = profile_game_write(
			    c->p, c->id, ".jsonl", lines.data, lines.len, e);
	}
	if (r != 0 || (r = replica_forget(c, e)) != 0)
		goto out;
	if (c->rewound < 0 || n < c->rewound)
		c->rewound = n;
	people_free(c->people);
	c->people = NULL;
	buf_add(&c->lines, lines.data, lines.len);
	buf_add(&c->side, side.data, side.len);
	if (c->p != NULL && (r = standing_give(c->p, c->id, c->v)) != 0)
		r = err_set(e, r, NULL, "%s", err_text(r));
	r = replica_take_sides(c, 0, r, e);
	r = replica_take_lines(c, 0, r, e);
	c->is_ahead = r != 0;
out:
	buf_clear(&lines);
	buf_clear(&side);
	if (!had_lock)
		replica_unlock(c);
	return (r);
}

int
replica_check_head(struct replica *c, int64_t seq, const uint8_t head[HASH_LEN])
{
	struct errinfo e;

	if (c->is_shut)
		return (ERR_FORK);
	if (seq < c->n - 1)
		return (replica_forked(c, REPLICA_BEHIND, seq, NULL,
		    "the server has fewer lines than your copy", &e));
	if (seq == c->n - 1 &&
	    memcmp(head, replica_hash(c, seq), HASH_LEN) != 0)
		return (replica_forked(c, REPLICA_NONSENSE, seq, head,
		    "the server gives another hash for this line", &e));
	return (0);
}

int
replica_lost(struct replica *c, struct errinfo *e)
{
	return (replica_forked(c, REPLICA_GONE, c->n - 1, NULL,
	    "the server does not know this game", e));
}

const struct game *
replica_game(const struct replica *c)
{
	return (c->n == 0 ? NULL : verify_game(c->v));
}

const struct verify_report *
replica_report(const struct replica *c)
{
	return (verify_report(c->v));
}

const char *
replica_get(const struct replica *c, int64_t seq, size_t *len)
{
	*len = c->index[seq].len;
	return (c->lines.data + c->index[seq].off);
}

json_t *
replica_create_args(const struct replica *c)
{
	struct battle_line bl;
	json_t *args = NULL;

	if (battle_read(&c->battle, 0, &bl)) {
		args = xalloc_copy(bl.o.args);
		battle_clear(&bl);
	}
	return (args);
}

const struct battle *
replica_battle(const struct replica *c)
{
	return (&c->battle);
}

const uint8_t *
replica_hash(const struct replica *c, int64_t seq)
{
	return (verify_hash(c->v, seq));
}

int64_t
replica_arrived_ms(const struct replica *c, int64_t seq)
{
	int64_t at_ms = 0, found;
	char number[24];
	const char *end, *p, *sep;
	struct errinfo e;
	struct buf b;

	buf_init(&b, 0);
	/* Without the file they are unknown, as those of older copies. */
	if (!c->is_kept)
		buf_add(&b, c->times.data, c->times.len);
	else if (profile_game_read(c->p, c->id, ".times", 0, &b, &e) != 0)
		buf_reset(&b);
	for (p = buf_str(&b); (end = strchr(p, '\n')) != NULL; p = end + 1) {
		sep = memchr(p, ' ', (size_t)(end - p));
		if (sep == NULL || (size_t)(sep - p) >= sizeof(number))
			continue;
		memset(number, 0, sizeof(number));
		memcpy(number, p, (size_t)(sep - p));
		/* Half a line is what a crash left. */
		if (opt_number(number, seq, seq, &found) &&
		    clock_parse(sep + 1, (size_t)(end - sep - 1), &found) == 0)
			at_ms = found;
	}
	buf_clear(&b);
	return (at_ms);
}

/* True if our copy of a game says that it was called off before it began. */
static bool
replica_is_off(const struct profile *p, const uint8_t id[HASH_LEN])
{
	struct replica *c;
	struct errinfo e;
	bool is_off;

	if (replica_open(p, id, &c, &e) != 0)
		return (false);
	is_off = game_how(battle_game(replica_battle(c))) == GAME_CANCELLED;
	replica_close(c);
	return (is_off);
}

bool
replica_is_named(const struct profile *p, const char *nick, const uint8_t *id)
{
	uint8_t other[HASH_LEN];

	return (profile_find_nick(p, nick, other) &&
	    (id == NULL || memcmp(other, id, HASH_LEN) != 0) &&
	    !replica_is_off(p, other));
}

int
replica_set_name(const struct profile *p, const char *nick,
    const uint8_t id[HASH_LEN], struct errinfo *e)
{
	uint8_t other[HASH_LEN];
	int r;

	if (nick != NULL && profile_find_nick(p, nick, other) &&
	    !replica_is_named(p, nick, id) &&
	    memcmp(other, id, HASH_LEN) != 0 &&
	    (r = profile_drop_nick(p, other, e)) != 0)
		return (r);
	return (profile_set_nick(p, nick, id, e));
}
