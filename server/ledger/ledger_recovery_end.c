/* SPDX-License-Identifier: ISC */
/*
 * How a recovery ends (ledger_recovery.c): well, when all is there again, or by
 * a line `restored`.  What is peculiar to tournaments is in ledger_comeback.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

#define LEDGER_RECOVERY_MOST 100 /* games and tournaments that one job ends */

/* Puts it right that from now on the game goes on from its last line. */
static int
ledger_recovery_end(struct ledger *l, struct ledger_slot *slot,
    struct ledger_missing *m, struct ledger_game *lg, int64_t now_ms)
{
	const struct game *g = lg->game;
	int r;

	lg->is_lost = game_lack(g, 0, &(struct game_lack){.seq = 0});
	if ((r = store_standstill_end(l->store, lg->gid, now_ms)) != 0)
		return (r);
	/* What was stated meanwhile does not stand in it yet. */
	m->is_over = true;
	l->recovery.is_changed = true;
	if ((r = ledger_key_catch_up_all(l, slot, lg, now_ms)) != 0)
		return (r);
	m->end_seq = game_seq(g);
	memcpy(m->end_hash, game_head(g), HASH_LEN);
	if ((r = ledger_comeback_game(l, slot, lg)) != 0)
		return (r);
	return (ledger_notice_game(l, lg, -1));
}

void
ledger_recovery_told(struct ledger *l, const struct ledger_missing *m,
    bool is_well, bool is_written)
{
	const char *what = m->is_tournament ? "tournament" : "game";
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, m->game, HASH_LEN);
	if (is_well) {
		log_info("%s %.16s has all of its lines again", what, hex);
		return;
	}
	log_warnx("%s %.16s goes on from line %" PRId64 "%s", what, hex,
	    m->end_seq,
	    is_written ? ", which says that lines were lost"
		       : ", though lines may be lost");
	/* It must not begin anew if we die before the file has its line. */
	ledger_heads_add(l, true, m->game, m->end_seq, m->end_hash);
	ledger_heads_flush(l);
	(void)fdatasync(l->heads.fd);
}

/*
 * Ends the recovery of a game, well or by a line `restored`, if it stands where
 * there is one.
 */
static int
ledger_recovery_finish(struct ledger *l, struct ledger_slot *slot,
    struct ledger_missing *m, bool is_well)
{
	struct ledger_server sl = {.what = "restored"};
	struct ledger_job *job = slot->job;
	struct ledger_game *lg;
	bool is_written = false;
	int r;

	if ((r = ledger_clock_read(&l->clock, &sl.at_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	if ((r = ledger_game_get(l, m->game, &lg, &job->e)) != 0)
		return (ledger_fault(l, r, "read a game"));
	if (!is_well) {
		sl.data = json_pack(
		    "{s:I}", "seq", (json_int_t)(game_seq(lg->game) + 1));
		if (sl.data == NULL)
			return (ERR_NOMEM);
		r = ledger_server_write(l, slot, lg, &sl);
		json_decref(sl.data);
		is_written = r == 0;
		/* Before the first ready, and when it is over, there is none.
		 */
		if (r != 0 && r != ERR_ILLEGAL)
			return (r);
		memset(&job->e, 0, sizeof(job->e));
	}
	if ((r = ledger_recovery_end(l, slot, m, lg, sl.at_ms)) != 0) {
		ledger_game_drop(l, lg);
		return (ledger_fault(l, r, "end a recovery"));
	}
	ledger_recovery_told(l, m, is_well, is_written);
	return (0);
}

/* Ends that of a game or a tournament. */
static int
ledger_recovery_finish_any(struct ledger *l, struct ledger_slot *slot,
    struct ledger_missing *m, bool is_well)
{
	return (m->is_tournament ? ledger_comeback_finish(l, slot, m, is_well)
				 : ledger_recovery_finish(l, slot, m, is_well));
}

/* The same, or later if there is no time to be trusted. */
static int
ledger_recovery_try(struct ledger *l, struct ledger_slot *slot,
    struct ledger_missing *m, bool is_well)
{
	const int r = ledger_recovery_finish_any(l, slot, m, is_well);

	if (r != ERR_CLOCK)
		return (r);
	memset(&slot->job->e, 0, sizeof(slot->job->e));
	return (0);
}

/*
 * The hash of the line that is the last there was.  ERR_NOTFOUND if it, or a
 * text that is held, is not there.
 */
static int
ledger_recovery_hash(struct ledger *l, struct ledger_job *job,
    const struct ledger_missing *m, uint8_t hash[HASH_LEN])
{
	struct ledger_tournament *lt;
	struct ledger_game *lg;
	struct game_lack lack;
	int r;

	if (m->is_tournament) {
		r = ledger_tournament_get(l, m->game, &lt, &job->e);
		return (r != 0 ? ledger_fault(l, r, "read a tournament")
			       : store_tournament_hash(
				     l->store, lt->tid, m->seq, hash));
	}
	if ((r = ledger_game_get(l, m->game, &lg, &job->e)) != 0)
		return (ledger_fault(l, r, "read a game"));
	r = store_record_hash(l->store, lg->gid, m->seq, hash);
	return (r == 0 && game_lack(lg->game, 0, &lack) ? ERR_NOTFOUND : r);
}

int
ledger_recovery_settle_one(
    struct ledger *l, struct ledger_slot *slot, const uint8_t id[HASH_LEN])
{
	struct ledger_missing *m = ledger_recovery_find(l, id);
	uint8_t hash[HASH_LEN];
	int r;

	if (m == NULL || !m->has_target || m->is_gone)
		return (0);
	r = ledger_recovery_hash(l, slot->job, m, hash);
	if (r == ERR_NOTFOUND)
		return (0);
	if (r != 0)
		return (ledger_fault(l, r, "read a line's hash"));
	if (memcmp(hash, m->hash, HASH_LEN) != 0)
		return (0);
	return (ledger_recovery_try(l, slot, m, true));
}

/* Notes that an account has no more lines than there are here. */
static void
ledger_recovery_tell(
    struct ledger_missing *m, const struct game *g, const char *account)
{
	struct game_lack lack;
	size_t i;
	int n;

	/* Nor a text. */
	for (i = 0; game_lack(g, i, &lack); i++) {
		if (strcmp(game_account(g, lack.seat), account) == 0)
			return;
	}
	for (n = 0; n < GAME_SLOTS; n++) {
		if (game_is_joined(g, game_slot_seat(n)) &&
		    strcmp(game_account(g, game_slot_seat(n)), account) == 0)
			m->told |= UINT32_C(1) << n;
	}
}

/* True if all who sit in the game have said so. */
static bool
ledger_recovery_is_told(const struct ledger_missing *m, const struct game *g)
{
	int n;

	for (n = 0; n < GAME_SLOTS; n++) {
		if (game_is_joined(g, game_slot_seat(n)) &&
		    (m->told & UINT32_C(1) << n) == 0)
			return (false);
	}
	return (true);
}

/* Adds to a row which texts of the account are missing. */
static int
ledger_recovery_missing(const struct game *g, const char *account, json_t *row)
{
	json_t *missing = json_array();
	struct game_lack lack;
	size_t i;
	int r = missing == NULL ? ERR_NOMEM : 0;

	for (i = 0; r == 0 && game_lack(g, i, &lack); i++) {
		if (strcmp(game_account(g, lack.seat), account) == 0 &&
		    json_array_append_new(missing, json_integer(lack.seq)) != 0)
			r = ERR_NOMEM;
	}
	if (r == 0 && json_array_size(missing) > 0 &&
	    json_object_set(row, "missing", missing) != 0)
		r = ERR_NOMEM;
	json_decref(missing);
	return (r);
}

/*
 * Notes that an account has no more of a game, or a tournament, than there is;
 * *is_told if all have said so whose word is waited for.
 */
static int
ledger_recovery_hear(struct ledger *l, struct ledger_job *job,
    struct ledger_missing *m, json_t *row, bool *is_told)
{
	struct ledger_tournament *lt;
	struct ledger_game *lg;
	int r;

	if (m->is_tournament) {
		r = ledger_tournament_get(l, m->game, &lt, &job->e);
		if (r != 0)
			return (ledger_fault(l, r, "read a tournament"));
		return (ledger_comeback_tell(m, lt->t, job->account, is_told));
	}
	if ((r = ledger_game_get(l, m->game, &lg, &job->e)) != 0)
		return (ledger_fault(l, r, "read a game"));
	r = ledger_recovery_missing(lg->game, job->account, row);
	if (r != 0)
		return (r);
	ledger_recovery_tell(m, lg->game, job->account);
	*is_told = ledger_recovery_is_told(m, lg->game);
	return (0);
}

/* Completes one row of a game, or a tournament, that is recovering. */
static int
ledger_recovery_row(struct ledger *l, struct ledger_slot *slot, json_t *row)
{
	const char *is = js_str(row, "is");
	struct ledger_missing *m;
	uint8_t id[HASH_LEN];
	bool is_told = false;
	int r;

	if ((js_get_hex(row, "game", NULL, id, HASH_LEN, NULL) != 0 &&
		js_get_hex(row, "tournament", NULL, id, HASH_LEN, NULL) != 0) ||
	    (m = ledger_recovery_find(l, id)) == NULL)
		return (json_object_set_new(row, "recovering", json_false()));
	if (strcmp(is, "same") != 0 && strcmp(is, "behind") != 0)
		return (0);
	r = ledger_recovery_hear(l, slot->job, m, row, &is_told);
	if (r == 0 && m->has_target)
		r = ledger_recovery_settle_one(l, slot, id);
	else if (r == 0 && is_told)
		r = ledger_recovery_try(l, slot, m, false);
	if (r != 0)
		return (r);
	return (json_object_set_new(row, "recovering",
		    json_boolean(ledger_recovery_find(l, id) != NULL)) == 0
		? 0
		: ERR_NOMEM);
}

int
ledger_recovery_heads(struct ledger *l, struct ledger_slot *slot)
{
	json_t *row;
	size_t i;
	int r = 0;

	ledger_key_clear(slot);
	json_array_foreach(slot->job->rows, i, row)
	{
		if (json_is_true(json_object_get(row, "recovering")))
			r = ledger_recovery_row(l, slot, row);
		if (r != 0)
			break;
	}
	return (r);
}

/* True if a game's time is over. */
static bool
ledger_recovery_is_due(const struct ledger *l, int64_t from_ms)
{
	return (l->recovery.is_ended ||
	    clock_wall_ms() >= from_ms + l->conf.limits.recovery_ms);
}

/* Ends the recovery of one by the operator's word. */
static int
ledger_recovery_one(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct ledger_missing *m;
	int r;

	if ((r = ledger_server_resolve(l, job)) != 0)
		return (r);
	m = ledger_recovery_find(l, job->game);
	if (m == NULL || m->is_gone)
		return (err_set(&job->e, ERR_STALE, "game",
		    "no lines of the %s are missing",
		    job->is_tournament ? "tournament" : "game"));
	job->ended = 1;
	return (ledger_recovery_finish_any(l, slot, m, false));
}

int
ledger_recovery_restored(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_recovery *rec = &l->recovery;
	struct ledger_job *job = slot->job;
	struct ledger_missing *m;
	size_t i;
	int r = 0;

	ledger_key_clear(slot);
	if (!job->is_all)
		return (ledger_recovery_one(l, slot));
	for (i = 0; r == 0 && i < rec->n; i++) {
		m = &rec->all[i];
		if (m->is_over || m->is_gone ||
		    (!job->is_operator &&
			!ledger_recovery_is_due(l, m->from_ms)))
			continue;
		if (job->ended == LEDGER_RECOVERY_MOST)
			break;
		r = ledger_recovery_settle_one(l, slot, m->game);
		if (r == 0 && !m->is_over)
			r = ledger_recovery_finish_any(l, slot, m, false);
		job->ended++;
	}
	if (r == 0 && job->is_operator)
		rec->is_ended = true;
	return (r);
}
