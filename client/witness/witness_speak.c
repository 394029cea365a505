/* SPDX-License-Identifier: ISC */
#include "client/witness/witness_speak.h"

#include <stdio.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/dice_keys.h"
#include "client/profile/profile.h"
#include "client/witness/witness_game.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/order.h"

#define WITNESS_SPEAK_ANEW "anew"
#define WITNESS_SPEAK_ANSWER "answer"
#define WITNESS_SPEAK_ANSWERED "answered"
#define WITNESS_SPEAK_PASSED "passed"

/* The side whose notice line seq is, and which still stands; 0. */
static int
witness_speak_notice(const struct game *g, int64_t seq)
{
	int side;

	for (side = 1; side <= 2; side++) {
		if (game_notice_seq(g, side) == seq &&
		    game_notice_is_unwitnessed(g, side))
			return (side);
	}
	return (0);
}

/* Owes the accusation if the line whose silence was claimed was answered. */
static int
witness_speak_silence(
    struct witness_speaker *s, int64_t gid, const struct game_entry *en)
{
	struct witness_word w;
	bool was_sent;
	int r;

	r = witness_store_word(s->store, gid, WITNESS_SPEAK_ANSWER, en->to, &w);
	/* What may never have left accuses nobody. */
	was_sent = r == 0 && w.sent_ms > 0 && w.sent_ms < en->at_ms;
	witness_word_clear(&w);
	if (r != 0 || !was_sent)
		return (r == ERR_NOTFOUND ? 0 : r);
	return (witness_store_owe(
	    s->store, gid, WITNESS_SPEAK_ANSWERED, en->to, 0));
}

int
witness_speak_heard(struct witness_speaker *s, const struct witness_row *row,
    const struct witness_game *g)
{
	const struct game *state = witness_game_state(g);
	const struct game_entry *en = witness_game_entry(g);

	if (en->claimed == GAME_CLAIMED_SILENCE)
		return (witness_speak_silence(s, row->gid, en));
	if (en->claimed == GAME_CLAIMED_NOTICE &&
	    witness_speak_notice(state, en->seq) != 0)
		return (witness_store_owe(s->store, row->gid,
		    WITNESS_SPEAK_PASSED, en->seq,
		    s->passed_ms +
			game_settings(state)->clock.notice_s * 1000));
	return (0);
}

/* Finds the keys that a word is made with. */
static int
witness_speak_keys(const struct witness_speaker *s, struct witness_speak_job *j)
{
	const struct game *g = j->state;
	int r;

	j->keys.sign = s->p->keys.sign;
	/* No dice hang on joins and notes. */
	j->keys.dice = s->p->keys.dice;
	j->keys.memo = &j->own.memo;
	if (!game_is_joined(g, GAME_WITNESS) ||
	    memcmp(game_dice_key(g, GAME_WITNESS), j->keys.dice.public_key,
		VRF_KEY_LEN) == 0)
		return (0);
	r = dice_keys_find(
	    s->p, game_dice_key(g, GAME_WITNESS), &j->keys.dice, &j->e);
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
witness_speak_make(void *job)
{
	struct witness_speak_job *j = job;
	struct order o;

	if (j->r == 0)
		j->r = game_make_order(j->state, GAME_WITNESS, &j->keys,
		    j->kind, j->args, j->now_ms, &j->w.text, j->w.sig, &j->e);
	if (j->r == 0)
		j->r =
		    order_parse(buf_str(&j->w.text), j->w.text.len, &o, &j->e);
	if (j->r != 0)
		return (0);
	memcpy(j->w.oid, o.oid, HASH_LEN);
	order_clear(&o);
	memcpy(j->own.oid, j->w.oid, HASH_LEN);
	memcpy(j->own.sig, j->w.sig, SIGN_LEN);
	memcpy(j->own.key, j->keys.sign.public_key, SIGN_KEY_LEN);
	return (0);
}

int
witness_speak_keep(struct witness_speaker *s, struct witness_speak_job *job,
    struct witness_word *w)
{
	int r;

	if (job->r != 0)
		return (job->r == ERR_NOMEM ? ERR_NOMEM : ERR_CONFIG);
	r = witness_store_add_word(s->store, job->row.gid, &job->w);
	/* A word of this kind about this line was refused: that is final. */
	if (r != 0)
		return (r == ERR_EXISTS ? ERR_NOTFOUND : r);
	*w = job->w;
	buf_init(&job->w.text, 0);
	return (0);
}

void
witness_speak_clear(struct witness_speak_job *job)
{
	witness_word_clear(&job->w);
	json_decref(job->args);
	explicit_bzero(job, sizeof(*job));
}

/* The args of a join; new. */
static json_t *
witness_speak_join(const struct witness_speaker *s)
{
	json_t *args = xalloc_copy(s->join);

	xalloc_set(args, "seat", json_integer(GAME_WITNESS));
	xalloc_set(
	    args, "key", js_hex(s->p->keys.sign.public_key, SIGN_KEY_LEN));
	xalloc_set(
	    args, "dice_key", js_hex(s->p->keys.dice.public_key, VRF_KEY_LEN));
	xalloc_set(args, "account", json_string(s->p->account));
	return (args);
}

/* Whether this is a game for this witness; ERR_DENIED, e says why not. */
static int
witness_speak_fits(
    const struct witness_speaker *s, const struct game *g, struct errinfo *e)
{
	const struct order_create *c = game_settings(g);
	struct errinfo why = {.text = ""};

	if (!c->has_witness ||
	    memcmp(c->witness, s->p->keys.sign.public_key, SIGN_KEY_LEN) != 0)
		return (err_set(
		    e, ERR_DENIED, NULL, "it names another witness, or none"));
	if (game_is_joined(g, GAME_WITNESS))
		return (0);
	if (game_is_checkable(g, &why) != 0)
		return (err_set(e, ERR_DENIED, NULL,
		    "its rules are not known here: %s", why.text));
	if (game_is_refused(g, s->p->account))
		return (err_set(
		    e, ERR_DENIED, NULL, "whoever opened it has refused it"));
	if (game_phase(g) != GAME_MUSTER)
		return (err_set(
		    e, ERR_DENIED, NULL, "it has begun, or ended, without"));
	return (0);
}

/* True if all seats but the witness's have nothing to do with beginning. */
static bool
witness_speak_is_last(const struct game_waits *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->list[i].seat != GAME_WITNESS)
			return (false);
	}
	return (true);
}

/* Fills in what a word is to be; args is stolen. */
static void
witness_speak_set(struct witness_speak_job *j, const char *what, int64_t about,
    enum order_kind kind, json_t *args)
{
	(void)snprintf(j->w.what, sizeof(j->w.what), "%s", what);
	j->w.about = about;
	j->kind = kind;
	j->args = args;
}

/*
 * The note that is due; ERR_NOTFOUND, and *due_ms is when one will be.  One
 * about a notice that no longer stands is dropped.
 */
static int
witness_speak_note(struct witness_speaker *s, const struct witness_row *row,
    struct witness_speak_job *j, int64_t *due_ms)
{
	char what[WITNESS_STORE_WHAT];
	int64_t about;
	int r;

	for (;;) {
		r = witness_store_owed(
		    s->store, row->gid, s->passed_ms, what, &about, due_ms);
		if (r != 0)
			return (r);
		/* It is given now, or never: in either case no longer due. */
		r = witness_store_drop(s->store, row->gid, what, about);
		if (r != 0)
			return (r);
		if (strcmp(what, WITNESS_SPEAK_PASSED) != 0 ||
		    witness_speak_notice(j->state, about) != 0)
			break;
	}
	witness_speak_set(j, what, about, ORDER_NOTE,
	    xalloc_json(
		json_pack("{s:I, s:s}", "to", (json_int_t)about, "say", what)));
	return (0);
}

/* The join, ready or answer that is due; ERR_NOTFOUND. */
static int
witness_speak_owed(
    struct witness_speaker *s, struct witness_speak_job *j, int64_t *due_ms)
{
	const struct game *g = j->state;
	const struct game_wait *one = NULL;
	struct game_waits w;
	size_t i;

	game_waits_owed(g, &w);
	for (i = 0; i < w.n && one == NULL; i++) {
		if (w.list[i].seat == GAME_WITNESS)
			one = &w.list[i];
	}
	if (one == NULL)
		return (ERR_NOTFOUND);
	switch (one->what) {
	case OWED_JOIN:
		witness_speak_set(
		    j, "join", game_seq(g), ORDER_JOIN, witness_speak_join(s));
		return (0);
	case OWED_READY:
		/* Until the first one joiners can be refused: by people. */
		if (!witness_speak_is_last(&w))
			return (ERR_NOTFOUND);
		witness_speak_set(j, "ready", game_seq(g), ORDER_READY,
		    xalloc_json(json_object()));
		return (0);
	case OWED_ANSWER:
		if (one->since_ms > s->now_ms + WITNESS_SPEAK_AHEAD_MS) {
			*due_ms = one->since_ms - WITNESS_SPEAK_AHEAD_MS;
			return (ERR_NOTFOUND);
		}
		witness_speak_set(j, WITNESS_SPEAK_ANSWER, one->since,
		    ORDER_ANSWER,
		    xalloc_json(json_pack("{s:I, s:s}", "to",
			(json_int_t)one->since, "say", "agree")));
		return (0);
	default:
		return (ERR_NOTFOUND);
	}
}

int
witness_speak(struct witness_speaker *s, const struct witness_row *row,
    const struct witness_game *g, struct witness_speak_job *job,
    int64_t *due_ms, struct errinfo *e)
{
	const struct game *state = witness_game_state(g);
	int64_t note_ms = INT64_MAX;
	int r;

	*due_ms = INT64_MAX;
	memset(job, 0, sizeof(*job));
	buf_init(&job->w.text, 0);
	job->w.seq = -1;
	job->row = *row;
	job->state = state;
	job->now_ms = s->now_ms;
	if ((r = witness_speak_fits(s, state, e)) != 0)
		return (r);
	if (game_is_finished(state))
		return (ERR_NOTFOUND);
	r = ERR_NOTFOUND;
	if (game_is_joined(state, GAME_WITNESS))
		r = witness_speak_note(s, row, job, &note_ms);
	if (r == ERR_NOTFOUND)
		r = witness_speak_owed(s, job, due_ms);
	if (note_ms < *due_ms)
		*due_ms = note_ms;
	job->due_ms = *due_ms;
	if (r == 0)
		job->r = witness_speak_keys(s, job);
	return (r);
}
