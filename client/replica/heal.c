/* SPDX-License-Identifier: ISC */
/*
 * game.heads tells where the server stands, game.heal takes what it lacks.
 * What is told of a copy is its last line, as its file has it: a copy is only
 * opened, and so verified, where the server has something else.
 */
#include "client/replica/heal.h"

#include <sys/stat.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/heal_call.h"
#include "client/replica/lost.h"
#include "client/replica/replica.h"
#include "client/replica/secret.h"
#include "client/replica/standing.h"
#include "client/replica/sync.h"
#include "client/report/battle.h"
#include "client/ui/opt.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_worth.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define HEAL_ROWS 100 /* of one request */
#define HEAL_BEFORE 33 /* "The server takes no orders yet in " */
#define HEAL_AGAIN_MS 3600000 /* between two looks at all games */
#define HEAL_CLOSE "\\\"kind\\\":\\\"close\\\"" /* in a line of that kind */
#define HEAL_OLD_S                                                \
	(30 * 86400) /* a game that was closed then is left alone \
		      */

/* What goes to the server in one call, and what has gone. */
struct heal {
	struct link *l; /* borrowed, as the next */
	const struct replica *c;
	json_t *held; /* owned: our own secret texts, {"seq","salt","text"} */
	struct heal_call call;
	struct conn_error *ce; /* borrowed: what a blob failed with */
};

/* What comes before the games; NULL: nothing. */
static heal_before *heal_first;

void
heal_set_before(heal_before *before)
{
	heal_first = before;
}

/* Adds the secret choice that only our own file has, if its line stands. */
static void
heal_choice(struct heal *h)
{
	const struct battle *b = replica_battle(h->c);
	uint8_t commit[HASH_LEN];
	struct battle_line bl;
	struct secret s;
	bool is_it = false;
	int64_t seq;

	if (secret_load(h->c, &s, NULL) != 0)
		return;
	for (seq = s.ask + 1; !is_it && seq < h->c->n; seq++) {
		if (battle_entry(b, seq)->kind != ORDER_COMMIT ||
		    !battle_read(b, seq, &bl))
			continue;
		is_it = js_get_hex(bl.o.args, "commit", NULL, commit, HASH_LEN,
			    NULL) == 0 &&
		    memcmp(commit, s.commit, HASH_LEN) == 0;
		battle_clear(&bl);
		if (is_it)
			xalloc_append(h->held,
			    xalloc_json(json_pack("{s:I, s:o, s:s}", "seq",
				(json_int_t)seq, "salt",
				js_hex(s.salt, RECORD_SALT_LEN), "text",
				s.text)));
	}
	secret_clear(&s);
}

/* Gathers our own secret texts: choices and standing orders. */
static void
heal_gather(struct heal *h)
{
	json_t *list;

	if (standing_load(h->c->p, h->c->id, &list, NULL) == 0) {
		h->held = standing_opened(replica_battle(h->c), list);
		json_decref(list);
	} else {
		h->held = xalloc_json(json_array());
	}
	heal_choice(h);
}

/* Adds those of one line. */
static void
heal_put_secrets(struct heal *h, int64_t seq)
{
	json_t *v;
	size_t i;

	json_array_foreach(h->held, i, v)
	{
		if (js_int(v, "seq") == seq)
			heal_call_put(
			    &h->call, h->call.secrets, json_incref(v));
	}
}

/* Adds the side line of a hash, if the copy has it. */
static int
heal_put_side(void *arg, const char *hex)
{
	struct heal *h = arg;
	size_t len;
	const char *line = replica_side(h->c, hex, &len), *value;

	if (line == NULL)
		return (0);
	/* Of {"text": and {"blob": the latter have a method of their own. */
	if (line[2] == 'b') {
		value = replica_text(h->c, hex);
		return (value == NULL ? 0 : heal_call_blob(h->l, value, h->ce));
	}
	heal_call_put(&h->call, h->call.texts, json_stringn(line, len));
	return (0);
}

/* Gives the server what was put together.  Fills *ce if it does not take it. */
static int
heal_give(struct heal *h, struct conn_error *ce)
{
	return (heal_call_give(&h->call, h->l, "game.heal", "game",
	    js_hex(h->c->id, HASH_LEN), ce));
}

/* Begins to heal a copy's game. */
static void
heal_init(struct heal *h, struct link *l, const struct replica *c,
    struct conn_error *ce)
{
	memset(h, 0, sizeof(*h));
	h->l = l;
	h->c = c;
	h->ce = ce;
	heal_gather(h);
	heal_call_begin(&h->call);
}

/* Frees what it holds. */
static void
heal_clear(struct heal *h)
{
	json_decref(h->held);
	heal_call_clear(&h->call);
}

/* Gives all lines from number `from` on, in as many calls as it takes. */
static int
heal_lines(struct link *l, const struct replica *c, int64_t from,
    struct conn_error *ce)
{
	const char *line;
	struct heal h;
	int64_t seq;
	size_t len;
	int r = 0;

	heal_init(&h, l, c, ce);
	for (seq = from; r == 0 && seq < c->n; seq++) {
		line = replica_get(c, seq, &len);
		if (heal_call_is_full(&h.call, line, len))
			r = heal_give(&h, ce);
		heal_call_line(&h.call, line, len);
		if (r == 0)
			r = heal_call_refs(
			    &h.call, line, len, heal_put_side, &h);
		heal_put_secrets(&h, seq);
	}
	if (r == 0)
		r = heal_give(&h, ce);
	heal_clear(&h);
	return (r);
}

/* How a game is called: by its nickname, else by its first digits; free(). */
static char *
heal_name(const struct profile *p, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1], *nick;

	if ((nick = profile_nick(p, id)) != NULL)
		return (nick);
	hex_format(hex, id, HASH_LEN);
	return (xalloc_strn(hex, 8));
}

/* Says that games take no orders yet, and why; names are in quotes. */
static void
heal_tell_waits(const char *names)
{
	out_note("The server takes no orders yet in %s:\nan old backup of it "
		 "was put back, and other players may hold lines that it\n"
		 "lacks.  They come back when those players do; you need do "
		 "nothing.",
	    names);
}

/*
 * Tells the server where a copy ends, which it asks of every seat while it
 * recovers; true if it still does.
 */
static bool
heal_again(struct link *l, const struct replica *c)
{
	struct conn_error ce;
	bool is_waiting;
	json_t *result;
	json_t *row;

	row = json_pack("{s:[{s:o, s:I, s:o}]}", "games", "game",
	    js_hex(c->id, HASH_LEN), "seq", (json_int_t)c->n - 1, "head",
	    js_hex(replica_hash(c, c->n - 1), HASH_LEN));
	if (link_call(l, "game.heads", xalloc_json(row), &result, &ce) != 0) {
		conn_error_clear(&ce);
		return (false);
	}
	row = json_array_get(json_object_get(result, "games"), 0);
	is_waiting = json_is_true(json_object_get(row, "recovering"));
	json_decref(result);
	return (is_waiting);
}

/* Says what was given back. */
static void
heal_tell(const struct replica *c, int64_t from, bool is_waiting)
{
	const int64_t last = c->n - 1;
	char *name = heal_name(c->p, c->id), *names;

	if (from == 0)
		out_note("The server had lost the game '%s',\nas it does when "
			 "an old backup is put back.  Your copy has given it "
			 "back;\nyou need do nothing.",
		    name);
	else if (from == last)
		out_note("The server had lost line %lld of '%s',\nas it does "
			 "when an old backup is put back.  Your copy has given "
			 "it back;\nyou need do nothing.",
		    (long long)from, name);
	else
		out_note("The server had lost lines %lld to %lld of '%s',\nas "
			 "it does when an old backup is put back.  Your copy "
			 "has given them back;\nyou need do nothing.",
		    (long long)from, (long long)last, name);
	if (is_waiting) {
		names = xalloc_printf("'%s'", name);
		heal_tell_waits(names);
		free(names);
	}
	free(name);
}

/* Says that the pairing of a game did not come back. */
static void
heal_tell_void(const struct replica *c)
{
	char *name = heal_name(c->p, c->id);

	out_note("The server has lost the pairing that the game '%s' belongs "
		 "to, as it does when\nan old backup is put back: the game "
		 "counts for nothing, unless somebody who holds\nthe "
		 "tournament brings that back.  You need do nothing.",
	    name);
	free(name);
}

int
heal_lost(struct link *l, struct replica *c, struct conn_error *ce)
{
	const int64_t from = c->fork.what == REPLICA_GONE ? 0 : c->fork.seq + 1;
	struct conn_error why;
	int r;

	/* The pairing that it belongs to comes first. */
	if (heal_first != NULL && game_is_of_tournament(replica_game(c)))
		(void)heal_first(l, c->p);
	if ((r = heal_lines(l, c, from, &why)) == 0) {
		heal_tell(c, from, heal_again(l, c));
		conn_error_clear(ce);
		return (sync_copy(l, c, ce));
	}
	/* Its lines say what it has now; nobody signs an answer. */
	if (why.is_answer && r == ERR_FORK) {
		conn_error_clear(ce);
		r = sync_copy(l, c, ce);
	} else if (link_is_fault(&why)) {
		conn_error_clear(ce);
		*ce = why;
		return (r);
	} else {
		if (r == ERR_MISSING && game_is_of_tournament(replica_game(c)))
			heal_tell_void(c);
		else if (r != ERR_METHOD)
			out_note("The server does not take them back: %s.",
			    why.e.text);
		r = ERR_FORK;
	}
	conn_error_clear(&why);
	return (r);
}

/* True if one of the keys that the game has is ours. */
static bool
heal_is_seated(const struct replica *c)
{
	const struct game *g = replica_game(c);
	int seat;

	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (game_is_joined(g, seat) &&
		    game_has_key(g, seat, c->p->keys.sign.public_key))
			return (true);
	}
	return (false);
}

/*
 * True if the server may have reason to keep the game, or its last lines, from
 * us: then what it says is no sign that anything was lost.
 */
static bool
heal_is_hidden(const struct replica *c)
{
	const struct game *g = replica_game(c);

	if (g == NULL)
		return (true);
	if (!heal_is_seated(c))
		return (game_is_private(g) || game_delay_turns(g) > 0 ||
		    game_delay_minutes(g) > 0);
	/* Whoever opened a private game may have refused us. */
	return (game_is_private(g) && game_phase(g) == GAME_MUSTER &&
	    c->fork.what == REPLICA_GONE);
}

/* Opens a copy that the server's record does not fit, and mends that. */
static int
heal_game(struct link *l, const struct profile *p, const uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	struct replica *c;
	struct conn_error ce;
	char *name;
	int r, status = 0;

	if (replica_open(p, id, &c, &e) != 0)
		return (0); /* whoever opens the game is told */
	r = sync_copy(l, c, &ce);
	if (r == ERR_FORK && !ce.is_answer && !heal_is_hidden(c) &&
	    (c->fork.what == REPLICA_BEHIND || c->fork.what == REPLICA_GONE))
		r = heal_lost(l, c, &ce);
	if (r == ERR_FORK && !ce.is_answer && c->fork.is_restored)
		r = lost_set_aside(l, c, &ce);
	if (r == ERR_FORK && !ce.is_answer && replica_is_proof(&c->fork)) {
		status = evidence_tell(c);
		name = heal_name(c->p, c->id);
		out_note("(That was about %s.)", name);
		free(name);
	}
	conn_error_clear(&ce);
	replica_close(c);
	return (status == EX_PROTOCOL ? status : 0);
}

/* Gives what was put together, and counts texts; true if it was taken. */
static bool
heal_give_texts(struct heal *h, int64_t *n)
{
	const size_t here = json_array_size(h->call.texts);
	struct conn_error ce;

	if (here == 0)
		return (true);
	if (heal_give(h, &ce) != 0) {
		conn_error_clear(&ce);
		return (false);
	}
	*n += (int64_t)here;
	return (true);
}

/* Gives those texts of a list that the copy has; false if that fails. */
static bool
heal_give_list(struct heal *h, const json_t *refs, int64_t *n)
{
	const json_t *v;
	size_t i;

	json_array_foreach(refs, i, v)
	{
		if (!json_is_string(v))
			continue;
		if (heal_put_side(h, json_string_value(v)) != 0) {
			conn_error_clear(h->ce);
			return (false);
		}
		if (h->call.bytes > HEAL_CALL_BYTES / 2 &&
		    !heal_give_texts(h, n))
			return (false);
	}
	return (heal_give_texts(h, n));
}

/*
 * Asks for a list of the texts that the server has lost, after the first
 * *after, and gives those that the copy has; *n counts them.  True if there
 * are more.
 */
static bool
heal_texts_page(struct heal *h, int64_t *after, int64_t *n)
{
	const int64_t last = h->c->n - 1, from = *after;
	const json_t *refs = NULL;
	struct conn_error ce;
	json_t *result;
	bool is_more;

	if (link_call(h->l, "game.record",
		xalloc_json(json_pack("{s:o, s:I, s:I, s:I}", "game",
		    js_hex(h->c->id, HASH_LEN), "from", (json_int_t)last, "to",
		    (json_int_t)last, "lost", (json_int_t)from)),
		&result, &ce) != 0) {
		conn_error_clear(&ce);
		return (false);
	}
	is_more = js_opt_array(result, "lost", NULL, &refs, NULL) == 0 &&
	    js_opt_int(result, "losses", NULL, 0, JS_INT_MAX, after, NULL) ==
		0 &&
	    json_array_size(refs) > 0 && *after > from;
	if (is_more && !heal_give_list(h, refs, n)) {
		*after = from;
		is_more = false;
	}
	json_decref(result);
	return (is_more);
}

/* The number of the last text that was lost when we last looked; -1. */
static int64_t
heal_looked(const struct profile *p, const uint8_t id[HASH_LEN])
{
	struct errinfo e;
	int64_t n = -1;
	struct buf b;

	buf_init(&b, 0);
	if (profile_game_read(p, id, ".losses", 0, &b, &e) == 0)
		(void)opt_number(buf_str(&b), 0, INT64_MAX, &n);
	buf_clear(&b);
	return (n);
}

/*
 * Gives texts that the server has lost, if that was not tried before: its
 * witness may have brought their lines, but has no texts.
 */
static void
heal_texts(struct link *l, const struct profile *p, const uint8_t id[HASH_LEN],
    int64_t last)
{
	struct errinfo e = {.text = ""};
	int64_t after = 0, n = 0;
	struct conn_error ce;
	struct replica *c;
	struct heal h;
	char *name, *path, *s;

	if (heal_looked(p, id) == last || replica_open(p, id, &c, &e) != 0)
		return;
	heal_init(&h, l, c, &ce);
	while (heal_texts_page(&h, &after, &n))
		continue;
	heal_clear(&h);
	replica_close(c);
	if (n > 0) {
		name = heal_name(p, id);
		out_note("The server had lost %lld text%s of '%s'.\nYour copy "
			 "has given %s back; you need do nothing.",
		    (long long)n, n == 1 ? "" : "s", name,
		    n == 1 ? "it" : "them");
		free(name);
	}
	if (after < last)
		return; /* something was in the way */
	path = profile_game_path(p, id, ".losses");
	s = xalloc_printf("%lld", (long long)last);
	file_cache(path, s, strlen(s));
	free(s);
	free(path);
}

/* Gives the secret texts of lines that the server names as missing. */
static void
heal_missing(struct link *l, const struct profile *p,
    const uint8_t id[HASH_LEN], const json_t *missing)
{
	struct errinfo e = {.text = ""};
	struct conn_error ce;
	struct replica *c;
	struct heal h;
	const json_t *v;
	char *name;
	size_t i;

	if (replica_open(p, id, &c, &e) != 0)
		return;
	heal_init(&h, l, c, &ce);
	json_array_foreach(missing, i, v)
	{
		if (json_is_integer(v))
			heal_put_secrets(&h, json_integer_value(v));
	}
	if (json_array_size(h.call.secrets) > 0) {
		if (heal_give(&h, &ce) == 0) {
			(void)heal_again(l, c);
			name = heal_name(c->p, c->id);
			out_note("The server had lost a secret of yours in "
				 "'%s'.\nIt was given back; you need do "
				 "nothing.",
			    name);
			free(name);
		} else {
			conn_error_clear(&ce);
		}
	}
	heal_clear(&h);
	replica_close(c);
}

/* True if a name has no room on the last of some lines of names. */
static bool
heal_is_wide(const struct buf *names, const char *name)
{
	const char *lf = memrchr(names->data, '\n', names->len);
	const size_t len = lf == NULL ? names->len + HEAL_BEFORE
				      : names->len - (size_t)(lf - names->data);

	return (len + strlen(name) + 5 > OUT_WIDTH - 2);
}

/* Notes that a game of which all that we hold is there takes no orders yet. */
static void
heal_note_waiting(
    const struct profile *p, const uint8_t id[HASH_LEN], struct buf *names)
{
	char *name = heal_name(p, id);

	buf_printf(names, "%s'%s'",
	    names->len == 0                 ? ""
		: heal_is_wide(names, name) ? ",\n"
					    : ", ",
	    name);
	free(name);
}

/* What games are compared with. */
struct heal_games {
	struct link *l;
	const struct profile *p;
	const uint8_t *but; /* left to whoever brings it up to date; NULL */
	struct buf *waiting; /* names of those that take no orders yet */
};

/* Takes one answer of game.heads. */
static int
heal_take(void *arg, const json_t *row)
{
	const struct heal_games *hg = arg;
	const struct profile *p = hg->p;
	struct link *l = hg->l;
	static const char *const states[] = {
	    "same", "behind", "ahead", "other", "unknown", NULL};
	const json_t *missing = NULL;
	uint8_t id[HASH_LEN];
	int64_t lost = -1;
	int is;

	if (js_get_hex(row, "game", NULL, id, HASH_LEN, NULL) != 0 ||
	    js_get_enum(row, "is", NULL, states, &is, NULL) != 0)
		return (0);
	if (is <= 1 &&
	    js_opt_array(row, "missing", NULL, &missing, NULL) == 0 &&
	    json_array_size(missing) > 0)
		heal_missing(l, p, id, missing);
	else if (is == 0 && json_is_true(json_object_get(row, "recovering")))
		heal_note_waiting(p, id, hg->waiting);
	if (is <= 1 &&
	    js_opt_int(row, "lost", NULL, 0, JS_INT_MAX, &lost, NULL) == 0 &&
	    lost >= 0)
		heal_texts(l, p, id, lost);
	if (is <= 1 || (hg->but != NULL && memcmp(id, hg->but, HASH_LEN) == 0))
		return (0);
	return (heal_game(l, p, id));
}

/* Reads the end of a copy's file, and when that was written to last. */
static int
heal_tail(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, struct buf *b, time_t *written)
{
	const off_t most = 2 * RECORD_LINE_MAX;
	char *path = profile_game_path(p, id, suffix);
	struct errinfo e;
	struct stat st;
	int r = ERR_NOTFOUND;

	if (stat(path, &st) == 0) {
		*written = st.st_mtime;
		r = profile_game_read(p, id, suffix,
		    st.st_size > most ? (size_t)(st.st_size - most) : 0, b, &e);
	}
	free(path);
	return (r);
}

/*
 * The last line of a copy as its file has it: a row of what is compared, new.
 * NULL if there is none, or the game was closed long ago.
 */
static json_t *
heal_head(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, const char *member)
{
	uint8_t hash[HASH_LEN], of[HASH_LEN];
	json_t *root;
	const char *line, *lf;
	json_t *row = NULL;
	time_t written;
	struct buf b;
	int64_t seq;
	size_t len;

	buf_init(&b, 0);
	/* Half a line is one that another process is writing. */
	if (heal_tail(p, id, suffix, &b, &written) != 0 ||
	    (lf = memrchr(buf_str(&b), '\n', b.len)) == NULL)
		goto out;
	line = memrchr(b.data, '\n', (size_t)(lf - b.data));
	line = line == NULL ? b.data : line + 1;
	len = (size_t)(lf - line);
	if (clock_wall_ms() / 1000 - written > HEAL_OLD_S &&
	    memmem(line, len, HEAL_CLOSE, strlen(HEAL_CLOSE)) != NULL)
		goto out;
	if (js_load(line, len, JS_DEPTH_RECORD, &root, NULL) != 0)
		goto out;
	if (js_get_hex(root, member, NULL, of, HASH_LEN, NULL) == 0 &&
	    js_get_int(root, "seq", NULL, 0, JS_INT_MAX, &seq, NULL) == 0 &&
	    memcmp(of, id, HASH_LEN) == 0 && hash_sha256(hash, line, len) == 0)
		row = xalloc_json(json_pack("{s:o, s:I, s:o}", member,
		    js_hex(id, HASH_LEN), "seq", (json_int_t)seq, "head",
		    js_hex(hash, HASH_LEN)));
	json_decref(root);
out:
	buf_clear(&b);
	return (row);
}

/* Asks about some, and takes the answers; the list is stolen. */
static int
heal_ask(struct link *l, const struct heal_kind *k, json_t *list, bool *is_up,
    void *arg)
{
	const json_t *rows = NULL, *v;
	struct conn_error ce;
	json_t *result;
	int one, status = 0;
	size_t i;

	if (json_array_size(list) == 0) {
		json_decref(list);
		return (0);
	}
	list = xalloc_json(json_pack("{s:o}", k->list, list));
	if (link_call(l, k->method, list, &result, &ce) != 0) {
		*is_up = false;
		conn_error_clear(&ce);
		return (0);
	}
	if (js_get_array(result, k->list, NULL, &rows, NULL) == 0)
		json_array_foreach(rows, i, v)
		{
			one = k->take(arg, v);
			status = status == 0 ? one : status;
		}
	json_decref(result);
	return (status);
}

int
heal_compare(struct link *l, const struct profile *p, const struct heal_kind *k,
    uint8_t (*ids)[HASH_LEN], size_t n, void *arg)
{
	int one, status = 0;
	json_t *list, *row;
	bool is_up = true;
	size_t i;

	list = xalloc_json(json_array());
	for (i = 0; i <= n && is_up; i++) {
		row = i < n ? heal_head(p, ids[i], k->suffix, k->member) : NULL;
		if (row != NULL)
			xalloc_append(list, row);
		if (i < n && json_array_size(list) < HEAL_ROWS)
			continue;
		one = heal_ask(l, k, list, &is_up, arg);
		status = status == 0 ? one : status;
		list = xalloc_json(json_array());
	}
	json_decref(list);
	return (status);
}

int
heal_all(struct link *l, const struct profile *p, const uint8_t *but)
{
	static const struct heal_kind games = {
	    "game.heads", "games", "game", ".jsonl", heal_take};
	int one, status = heal_first == NULL ? 0 : heal_first(l, p);
	struct buf waiting;
	struct heal_games hg = {l, p, but, &waiting};
	uint8_t(*ids)[HASH_LEN];
	struct errinfo e;
	size_t n;

	if (profile_games(p, &ids, &n, &e) != 0)
		return (status);
	buf_init(&waiting, 0);
	one = heal_compare(l, p, &games, ids, n, &hg);
	if (waiting.len > 0)
		heal_tell_waits(buf_str(&waiting));
	buf_clear(&waiting);
	free(ids);
	return (status == 0 ? one : status);
}

int64_t
heal_due_ms(const struct link *l)
{
	int64_t left;

	if (!l->is_logged_in)
		return (INT64_MAX);
	if (l->healed_ms == 0 || l->healed_serial != l->serial)
		return (0);
	left = l->healed_ms + HEAL_AGAIN_MS - clock_mono_ms();
	return (left < 0 ? 0 : left);
}

int
heal_when_due(struct link *l, const struct profile *p, const uint8_t *but)
{
	if (heal_due_ms(l) > 0 || !p->has_keys || l->conn == NULL)
		return (0);
	l->healed_ms = clock_mono_ms();
	l->healed_serial = l->serial;
	return (heal_all(l, p, but));
}
