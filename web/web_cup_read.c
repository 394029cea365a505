/* SPDX-License-Identifier: ISC */
/*
 * A tournament is read from its file, then from the umpire.  Each line is
 * verified before it is shown, but for who is paired with whom; what it goes
 * back to is verified before its first line.  A line that the server has signed
 * and that contradicts these is kept as evidence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/tournament/desk_prove.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/verify_tournament.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_cup_int.h"
#include "web/web_link.h"
#include "web/web_site.h"
#include "web/web_store.h"

static void web_cup_read_back_ask(struct web_cup *c);
static void web_cup_read_probe(struct web_cup *c, int64_t from);

/* Notes what does not hold. */
static void
web_cup_read_trouble(struct web_cup *c, const char *why)
{
	if (c->trouble == NULL || strcmp(c->trouble, why) != 0)
		log_warnx("tournament %s: %s", c->hex, why);
	free(c->trouble);
	c->trouble = xalloc_str(why);
}

/* Frees what verifies those that it goes back to. */
static void
web_cup_read_old_free(struct web_cup *c)
{
	if (c->old != NULL)
		verify_tournament_free(c->old->v);
	free(c->old);
	c->old = NULL;
}

void
web_cup_read_clear(struct web_cup *c)
{
	web_cup_read_old_free(c);
	verify_tournament_free(c->v);
	c->v = NULL;
	buf_clear(&c->lines);
	buf_clear(&c->before);
	buf_clear(&c->queue);
	buf_clear(&c->unsaved);
}

/* Makes it one without a line. */
static void
web_cup_read_empty(struct web_cup *c)
{
	web_cup_read_old_free(c);
	verify_tournament_free(c->v);
	if (verify_tournament_new(c->cs->profile.pin, &c->v) != 0)
		xalloc_die();
	verify_tournament_trust(c->v, true);
	buf_reset(&c->lines);
	buf_reset(&c->before);
	buf_reset(&c->queue);
	buf_reset(&c->unsaved);
	c->taken = 0;
	c->n = 0;
	c->next = -1;
	c->erasures = 0;
	c->back = 0;
	c->went_back = c->from_disk = c->starts_over = false;
	(void)json_object_clear(c->sides);
	(void)json_object_clear(c->values);
	c->side_bytes = 0;
	web_cup_view_drop(c);
	web_cup_check_reset(c);
}

/* Starts over, without what the disk has. */
static void
web_cup_read_anew(struct web_cup *c)
{
	web_cup_read_empty(c);
	c->synced_ms = 0;
	web_store_drop(c->cs->store, c->hex);
	web_cup_stale(c);
}

/* Drops what is still to be verified. */
static void
web_cup_read_stop(struct web_cup *c)
{
	buf_reset(&c->queue);
	c->taken = 0;
	c->next = -1;
	c->back = 0;
	web_cup_read_old_free(c);
	if (c->n > 0)
		return;
	/* What line 0 goes back to is asked for again. */
	buf_reset(&c->before);
	buf_reset(&c->unsaved);
	c->went_back = false;
	web_store_drop(c->cs->store, c->hex);
}

void
web_cup_read_prove(struct web_cup *c, const struct desk_fork *f, size_t len)
{
	struct errinfo e = {.text = ""};
	struct buf held;

	/* Without texts: those that are erased later would stay in it. */
	buf_init(&held, 0);
	buf_add(&held, c->lines.data, len);
	buf_add(&held, c->before.data, c->before.len);
	if (buf_error(&held) != 0)
		xalloc_die();
	free(c->evidence);
	if (desk_prove(&c->cs->profile, c->id, f, &held, &c->evidence, &e) != 0)
		log_errorx(
		    "tournament %s: no evidence was kept: %s", c->hex, e.text);
	buf_clear(&held);
	c->cs->counts.forks++;
}

/*
 * The server has given a line that does not fit: proof of that is kept, if it
 * signed it.
 */
static void
web_cup_read_fork(struct web_cup *c, enum desk_wrong what, int64_t seq,
    const char *line, size_t len, const struct errinfo *why)
{
	struct desk_fork f = {
	    .what = what, .seq = seq, .at_ms = clock_wall_ms(), .why = *why};
	char text[sizeof(why->where) + sizeof(why->text) + 64];
	bool is_lost;

	if (!desk_is_signed(c->cs->profile.pin, c->id, seq, line, len)) {
		web_cup_read_stop(c);
		web_cup_read_trouble(c,
		    "the server's answer makes no sense: its key has not "
		    "signed a line for this place");
		return;
	}
	f.line = xalloc_strn(line, len);
	is_lost = what == DESK_TWO_LINES && seq > 0 &&
	    desk_is_lost(line, len, verify_tournament_hash(c->v, seq - 1));
	web_cup_read_prove(c, &f, c->lines.len);
	free(f.line);
	web_cup_read_stop(c);
	(void)snprintf(text, sizeof(text),
	    "line %lld contradicts the record: %s%s%s", (long long)seq,
	    why->where, why->where[0] == '\0' ? "" : ": ", why->text);
	web_cup_read_trouble(c, text);
	/* It says so itself: its history is shown, and the proof. */
	c->starts_over = is_lost;
	c->is_forked = !is_lost;
	web_cup_stale(c);
}

/* A line that was verified before does not hold here: the disk's is bad. */
static void
web_cup_read_damaged(struct web_cup *c, const char *why)
{
	log_warnx(
	    "tournament %s: what the cache has does not hold: %s", c->hex, why);
	c->starts_over = true;
	web_cup_read_stop(c);
}

/* The next line, of len bytes at p, is not lawful. */
static void
web_cup_read_unlawful(
    struct web_cup *c, const char *p, size_t len, const struct errinfo *why)
{
	if (c->from_disk)
		web_cup_read_damaged(c, why->text);
	else
		web_cup_read_fork(c, DESK_UNLAWFUL, c->n, p, len, why);
}

/* ---- what it goes back to ---- */

/* Begins to verify them: the chain from the first line on, whose end it is. */
static void
web_cup_read_old_begin(struct web_cup *c, const char *line, size_t len)
{
	struct verify_former_set set;
	struct terms_continues to;
	struct web_cup_old *old;

	if (verify_former_split(c->before.data, c->before.len, &set) != 0)
		return;
	old = c->old = xalloc(sizeof(*old));
	while (old->n < VERIFY_FORMER_MAX &&
	    verify_former_named(line, len, &to) == 0 &&
	    verify_former_find(&set, &to, &old->chain[old->n]) == 0) {
		line = old->chain[old->n].bytes;
		len = old->chain[old->n].len;
		old->n++;
	}
}

/* Takes a line of them; what is wrong is the fault of line 0, at p. */
static void
web_cup_read_old_step(struct web_cup *c, const char *p, size_t len)
{
	struct errinfo e = {.text = ""}, why;
	struct web_cup_old *old = c->old;
	struct tournament *t = NULL;
	struct record_span s;
	int r;

	if (old->v != NULL && record_next(&old->at, old->end, &s)) {
		old->line++;
		r = verify_tournament_add(old->v, s.bytes, s.len, &e);
		if (r == ERR_NOMEM)
			xalloc_die();
		if (r == 0)
			return;
		(void)err_set(&why, ERR_BAD, "",
		    "the tournament that it continues is bad at line %lld: "
		    "%.80s",
		    (long long)old->line, e.text);
		web_cup_read_unlawful(c, p, len, &why);
		return;
	}
	if (old->v != NULL && verify_tournament_state(old->v) != NULL)
		t = verify_tournament_take_state(old->v);
	verify_tournament_free(old->v);
	old->v = NULL;
	if (old->n == 0) {
		if (t != NULL)
			verify_tournament_continue(c->v, t);
		web_cup_read_old_free(c);
		return;
	}
	old->n--;
	old->at = old->chain[old->n].bytes;
	old->end = old->at + old->chain[old->n].len;
	old->line = 0;
	if (verify_tournament_new(NULL, &old->v) != 0)
		xalloc_die();
	verify_tournament_trust(old->v, true);
	if (t != NULL)
		verify_tournament_continue(old->v, t);
}

/* All of the present one is here: goes on to the one before it, if any. */
static void
web_cup_read_back_next(struct web_cup *c)
{
	const struct verify_former_record rec = {
	    .bytes = c->before.data + c->back_at,
	    .len = c->before.len - c->back_at};

	if (!verify_former_is(&rec, &c->back_to)) {
		web_cup_read_stop(c);
		web_cup_read_trouble(c,
		    "the server gives other lines of the tournament that this "
		    "one continues than those that its first line names");
		return;
	}
	c->back_at = c->before.len;
	c->back_from = 0;
	if (c->back < VERIFY_FORMER_MAX &&
	    verify_former_named(rec.bytes, rec.len, &c->back_to) == 0) {
		c->back++;
		web_cup_read_back_ask(c);
		return;
	}
	c->back = 0;
	buf_add(&c->unsaved, c->before.data, c->before.len);
	web_cup_read_old_begin(
	    c, c->queue.data + c->taken, c->queue.len - c->taken);
}

/* The answer of tournament.record about one of them. */
static void
web_cup_read_back_cb(void *arg, int r, const json_t *result)
{
	const json_t *lines = json_object_get(result, "lines"), *v;
	struct web_cup *c = arg;
	size_t i;

	c->is_asking = false;
	if (r == 0 && c->back > 0) {
		json_array_foreach(lines, i, v)
		{
			if (!json_is_string(v))
				continue;
			buf_add(&c->before, json_string_value(v),
			    json_string_length(v));
			buf_putc(&c->before, '\n');
		}
		c->back_from += (int64_t)json_array_size(lines);
	}
	if (c->back > 0 && (r == ERR_CLOSED || r == ERR_TIMEOUT)) {
		/* The connection has ended, which withholds nothing. */
		web_cup_read_stop(c);
	} else if (c->back > 0 &&
	    (r != 0 || json_array_size(lines) == 0 ||
		c->before.len > WEB_CUP_BYTES)) {
		web_cup_read_stop(c);
		web_cup_read_trouble(c,
		    c->before.len > WEB_CUP_BYTES
			? "what it goes back to is too long to be read here"
			: "the server withholds lines of the tournament that "
			  "this one continues");
	} else if (c->back > 0 && c->back_from <= c->back_to.seq) {
		web_cup_read_back_ask(c);
		return;
	} else if (c->back > 0) {
		web_cup_read_back_next(c);
	}
	if (!c->is_asking)
		web_cup_queue(c);
}

/* Asks for more lines of the present one. */
static void
web_cup_read_back_ask(struct web_cup *c)
{
	c->is_asking = true;
	web_link_call(c->cs->s->link, "tournament.record",
	    xalloc_json(json_pack("{s:s, s:i, s:I, s:I}", "tournament", c->hex,
		"former", c->back, "from", (json_int_t)c->back_from, "to",
		(json_int_t)c->back_to.seq)),
	    web_cup_read_back_cb, c);
}

/* Line 0, of len bytes with LF at p: what it goes back to comes before it. */
static void
web_cup_read_go_back(struct web_cup *c, const char *p, size_t len)
{
	c->went_back = true;
	if (verify_former_named(p, len, &c->back_to) != 0)
		return;
	if (c->before.len > 0) {
		web_cup_read_old_begin(c, p, len);
	} else if (c->from_disk) {
		web_cup_read_damaged(c, "what it goes back to is not there");
	} else {
		c->back = 1;
		c->back_at = 0;
		c->back_from = 0;
		web_cup_read_back_ask(c);
	}
}

/* ---- lines ---- */

/* Takes a side line in. */
static void
web_cup_read_side(struct web_cup *c, const char *line, size_t len)
{
	char hex[2 * HASH_LEN + 1];
	struct record_side sd;

	if (record_side_parse(line, len, &sd, NULL) != 0)
		return;
	hex_format(hex, sd.hash, HASH_LEN);
	if (json_object_get(c->sides, hex) == NULL &&
	    c->side_bytes + len <= WEB_CUP_BYTES) {
		c->side_bytes += len;
		xalloc_set(c->sides, hex, json_stringn(line, len));
		xalloc_set(c->values, hex, json_stringn(sd.value, sd.len));
		buf_add(&c->unsaved, line, len + 1);
	}
	record_side_clear(&sd);
}

/* Takes the next entry of the queue; false: there is none to be taken. */
static bool
web_cup_read_take(struct web_cup *c)
{
	const char *p = c->queue.data + c->taken, *end;
	struct errinfo e = {.text = ""};
	size_t len;
	int r;

	if (c->back > 0 || c->taken >= c->queue.len ||
	    (end = memchr(p, '\n', c->queue.len - c->taken)) == NULL)
		return (false);
	len = (size_t)(end - p);
	if (c->old != NULL) {
		web_cup_read_old_step(c, p, len);
		return (true);
	}
	if (record_is_side(p, len)) {
		c->taken += len + 1;
		web_cup_read_side(c, p, len);
		return (true);
	}
	/* The disk has those that it goes back to, too. */
	if (c->from_disk && c->n == 0 &&
	    web_cup_named_is_other(p, len, c->hex)) {
		c->taken += len + 1;
		buf_add(&c->before, p, len + 1);
		return (true);
	}
	if (!c->went_back) {
		web_cup_read_go_back(c, p, len + 1);
		return (c->back == 0);
	}
	if ((r = verify_tournament_add(c->v, p, len, &e)) == ERR_NOMEM)
		xalloc_die();
	if (r != 0) {
		web_cup_read_unlawful(c, p, len, &e);
		return (false);
	}
	c->taken += len + 1;
	buf_add(&c->lines, p, len + 1);
	if (!c->from_disk)
		buf_add(&c->unsaved, p, len + 1);
	c->n++;
	c->cs->counts.verified++;
	web_cup_view_drop(c);
	web_cup_named_line(&c->check.named, p, len);
	return (true);
}

/* Writes to the disk what was verified. */
static void
web_cup_read_save(struct web_cup *c)
{
	if (buf_error(&c->lines) != 0 || buf_error(&c->unsaved) != 0 ||
	    buf_error(&c->before) != 0)
		xalloc_die();
	/* Side lines of the disk's are there already. */
	if (c->unsaved.len > 0 && !c->from_disk)
		(void)web_store_add(
		    c->cs->store, c->hex, c->unsaved.data, c->unsaved.len);
	buf_reset(&c->unsaved);
}

/* Writes its file anew. */
static void
web_cup_read_rewrite(struct web_cup *c)
{
	const json_t *line;
	const char *hex;
	struct buf b;

	buf_init(&b, 0);
	json_object_foreach(c->sides, hex, line)
	{
		buf_add(&b, json_string_value(line), json_string_length(line));
		buf_putc(&b, '\n');
	}
	buf_add(&b, c->before.data, c->before.len);
	buf_add(&b, c->lines.data, c->lines.len);
	if (buf_error(&b) != 0)
		xalloc_die();
	(void)web_store_put(c->cs->store, c->hex, b.data, b.len);
	buf_clear(&b);
	buf_reset(&c->unsaved);
}

void
web_cup_read_erase(struct web_cup *c, const char *hex)
{
	const json_t *line;

	if (hex == NULL || (line = json_object_get(c->sides, hex)) == NULL)
		return;
	c->side_bytes -= json_string_length(line);
	(void)json_object_del(c->sides, hex);
	(void)json_object_del(c->values, hex);
	web_cup_make_anew(c);
	/* What is still in the queue of the disk's is written with it. */
	if (c->from_disk)
		c->starts_over = true;
	else
		web_cup_read_rewrite(c);
	web_cup_stale(c);
}

bool
web_cup_read_is_short(const struct web_cup *c)
{
	return (c->from_disk || c->taken < c->queue.len || c->next >= 0 ||
	    c->old != NULL || c->back > 0 || c->omitted > 0 || c->starts_over ||
	    (!c->is_forked && !c->is_gone && web_link_is_up(c->cs->s->link) &&
		(c->synced_ms == 0 || c->n < c->total)));
}

/* All that came was taken: goes on, or all is well. */
static void
web_cup_read_caught_up(struct web_cup *c)
{
	const bool asks = c->from_disk || c->starts_over || c->next >= 0;

	if (c->starts_over)
		web_cup_read_anew(c);
	c->from_disk = false;
	buf_reset(&c->queue);
	c->taken = 0;
	if (c->is_forked)
		return;
	if (asks && web_link_is_up(c->cs->s->link)) {
		web_cup_read_ask(c);
		return;
	}
	if (c->n > 0 && c->n >= c->total)
		c->synced_ms = clock_mono_ms();
	web_store_trim(c->cs->store);
}

void
web_cup_read_slice(struct web_cup *c)
{
	struct web_cups *cs = c->cs;
	const int64_t began_us = clock_thread_us(), n = c->n;
	bool is_more = true;
	int64_t us;

	while (is_more && clock_thread_us() - began_us < cs->s->conf->slice_us)
		is_more = web_cup_read_take(c);
	if ((us = clock_thread_us() - began_us) > cs->counts.slowest_us)
		cs->counts.slowest_us = us;
	if (c->n > n && !c->from_disk)
		c->at_ms = clock_wall_ms();
	web_cup_read_save(c);
	web_cup_weigh(c);
	if (is_more) {
		web_cup_queue(c);
	} else if (c->back == 0 && c->omitted == 0) {
		web_cup_read_caught_up(c);
		if (c->is_asking)
			return;
		web_cup_check_synced(c);
		web_cup_wake(c, true);
	}
}

/* ---- asking the umpire ---- */

/* Puts texts of an array into the queue, from the i-th on. */
static void
web_cup_read_put(struct web_cup *c, const json_t *list, size_t from)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (i < from || !json_is_string(v) ||
		    memchr(json_string_value(v), '\n', json_string_length(v)) !=
			NULL)
			continue;
		buf_add(&c->queue, json_string_value(v), json_string_length(v));
		buf_putc(&c->queue, '\n');
	}
	if (buf_error(&c->queue) != 0)
		xalloc_die();
}

/* A blob that was too long for the reply. */
static void
web_cup_read_blob_cb(void *arg, int r, const json_t *result)
{
	const char *value = js_str(result, "value");
	struct web_cup *c = arg;
	uint8_t hash[HASH_LEN];
	struct buf b;

	c->omitted--;
	if (r == 0 && value != NULL &&
	    record_blob_hash(hash, value, strlen(value)) == 0) {
		buf_init(&b, 0);
		record_write_blob(&b, hash, value, strlen(value));
		buf_putc(&b, '\n');
		if (buf_error(&b) != 0)
			xalloc_die();
		web_cup_read_side(c, b.data, b.len - 1);
		buf_clear(&b);
	}
	web_cup_weigh(c);
	if (c->omitted == 0)
		web_cup_queue(c);
}

/* Asks for the blobs that a reply left out. */
static void
web_cup_read_blobs(struct web_cup *c, const json_t *omitted)
{
	const json_t *v;
	size_t i;

	json_array_foreach(omitted, i, v)
	{
		if (!json_is_string(v) ||
		    json_object_get(c->sides, json_string_value(v)) != NULL)
			continue;
		c->omitted++;
		web_link_call(c->cs->s->link, "blob.get",
		    xalloc_json(json_pack("{s:O}", "hash", v)),
		    web_cup_read_blob_cb, c);
	}
}

/* True if a line of the server's is the one that is held with this number. */
static bool
web_cup_read_is_held(const struct web_cup *c, int64_t seq, const json_t *line)
{
	uint8_t hash[HASH_LEN];

	return (json_is_string(line) &&
	    hash_sha256(
		hash, json_string_value(line), json_string_length(line)) == 0 &&
	    memcmp(hash, verify_tournament_hash(c->v, seq), HASH_LEN) == 0);
}

/*
 * The server's last lines and ours: false if they are not of one history, or
 * it has fewer.
 */
static bool
web_cup_read_is_same(struct web_cup *c, int64_t seq,
    const uint8_t head[HASH_LEN], const json_t *lines)
{
	if (c->asked < c->n && json_array_size(lines) > 0 &&
	    !web_cup_read_is_held(c, c->asked, json_array_get(lines, 0))) {
		web_cup_read_probe(c, 0);
		return (false);
	}
	if (seq >= c->n - 1)
		return (true);
	if (seq >= 0 &&
	    memcmp(head, verify_tournament_hash(c->v, seq), HASH_LEN) != 0)
		web_cup_read_probe(c, 0);
	else
		web_cup_read_trouble(
		    c, "the server has fewer lines than before");
	c->total = c->n;
	return (false);
}

/* Takes what tournament.record says. */
static void
web_cup_read_record(struct web_cup *c, const json_t *result)
{
	const json_t *lines = json_object_get(result, "lines"), *v;
	struct js_at at = {.name = "tournament.record"};
	struct errinfo e = {.text = ""};
	uint8_t head[HASH_LEN];
	size_t skip, had, i;
	int64_t seq;

	if (js_get_int(result, "seq", &at, 0, JS_INT_MAX, &seq, &e) != 0 ||
	    js_get_hex(result, "head", &at, head, HASH_LEN, &e) != 0 ||
	    !json_is_array(lines)) {
		web_cup_read_trouble(c, "the server's answer makes no sense");
		return;
	}
	c->total = seq + 1;
	if (!web_cup_read_is_same(c, seq, head, lines))
		return;
	free(c->trouble);
	c->trouble = NULL;
	skip = c->asked < c->n && json_array_size(lines) > 0 ? 1 : 0;
	c->next = c->asked + (int64_t)json_array_size(lines) <= seq
	    ? c->asked + (int64_t)json_array_size(lines)
	    : -1;
	if (json_array_size(lines) == skip && seq >= c->n) {
		web_cup_read_trouble(
		    c, "the server withholds lines that it says it has");
		c->total = c->n;
		c->next = -1;
		return;
	}
	if (c->lines.len > WEB_CUP_BYTES) {
		web_cup_read_trouble(
		    c, "the record is too long to be shown here");
		c->total = c->n;
		c->next = -1;
		return;
	}
	json_array_foreach(json_object_get(result, "erased"), i, v)
	    web_cup_read_erase(c, json_string_value(v));
	if (json_is_integer(json_object_get(result, "erasures")))
		c->erasures = js_int(result, "erasures");
	web_cup_read_put(c, json_object_get(result, "side"), 0);
	had = c->queue.len;
	web_cup_read_put(c, lines, skip);
	/* Else it would be asked for the same again and again. */
	if (c->queue.len == had && json_array_size(lines) > skip) {
		web_cup_read_trouble(c, "the server's answer makes no sense");
		c->total = c->n;
		c->next = -1;
	}
	web_cup_read_blobs(c, json_object_get(result, "omitted"));
}

/* The answer of tournament.record; while it is out the tournament stays. */
static void
web_cup_read_record_cb(void *arg, int r, const json_t *result)
{
	struct web_cup *c = arg;

	c->is_asking = false;
	if (r == 0) {
		c->is_gone = false;
		web_cup_read_record(c, result);
	} else if (r == ERR_NOTFOUND) {
		c->is_gone = true;
		if (c->n > 0)
			web_cup_read_trouble(c,
			    "the server does not know this tournament any "
			    "more");
	}
	if (!c->is_asking && c->omitted == 0)
		web_cup_queue(c);
}

/* The answer of tournament.record, in which the first other line is sought. */
static void
web_cup_read_probe_cb(void *arg, int r, const json_t *result)
{
	const struct errinfo why = {
	    .text = "the server gives another line with this number"};
	const json_t *lines = json_object_get(result, "lines"), *v;
	struct web_cup *c = arg;
	size_t i;

	c->is_asking = false;
	json_array_foreach(r == 0 ? lines : NULL, i, v)
	{
		const int64_t seq = c->asked + (int64_t)i;

		if (seq >= c->n)
			break;
		if (web_cup_read_is_held(c, seq, v))
			continue;
		web_cup_read_fork(c, DESK_TWO_LINES, seq,
		    json_is_string(v) ? json_string_value(v) : "",
		    json_string_length(v), &why);
		web_cup_queue(c);
		return;
	}
	if (r == 0 && json_array_size(lines) > 0 &&
	    c->asked + (int64_t)json_array_size(lines) < c->n) {
		web_cup_read_probe(
		    c, c->asked + (int64_t)json_array_size(lines));
		return;
	}
	if (r == 0)
		web_cup_read_trouble(c, "the server's answer makes no sense");
	web_cup_queue(c);
}

/* Compares all lines from a number on with the server's. */
static void
web_cup_read_probe(struct web_cup *c, int64_t from)
{
	c->asked = from;
	c->is_asking = true;
	web_link_call(c->cs->s->link, "tournament.record",
	    xalloc_json(json_pack(
		"{s:s, s:I}", "tournament", c->hex, "from", (json_int_t)from)),
	    web_cup_read_probe_cb, c);
}

void
web_cup_read_ask(struct web_cup *c)
{
	if (c->is_asking || c->omitted > 0 || c->is_forked || c->is_due ||
	    !web_link_is_up(c->cs->s->link))
		return;
	c->asked = c->next >= 0 ? c->n : c->n > 0 ? c->n - 1 : 0;
	c->next = -1;
	c->is_asking = true;
	web_link_call(c->cs->s->link, "tournament.record",
	    xalloc_json(json_pack("{s:s, s:I, s:b, s:I}", "tournament", c->hex,
		"from", (json_int_t)c->asked, "side", 1, "erased",
		(json_int_t)c->erasures)),
	    web_cup_read_record_cb, c);
}

void
web_cup_read_begin(struct web_cup *c)
{
	web_cup_read_empty(c);
	c->evidence = desk_proof_kept(&c->cs->profile, c->id);
	(void)web_store_read(c->cs->store, c->hex, &c->queue);
	c->from_disk = c->queue.len > 0;
	c->at_ms = clock_wall_ms();
	if (c->from_disk)
		web_cup_queue(c);
	else
		web_cup_read_ask(c);
}
