/* SPDX-License-Identifier: ISC */
/*
 * Whom a game waits for, kept as rows beside it.  The transaction of each line
 * deletes what waits no longer and adds what is new; other rows are not
 * touched, so that nobody is told of them again.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

/*
 * A clock is set back if it is so much behind; nothing is due so much later
 * than now: notify_delay is a day at most, a pause six hours.
 */
#define LEDGER_NOTICE_BACK_MS 3600000
#define LEDGER_NOTICE_AHEAD_MS 172800000

#define LEDGER_NOTICE_WHO (GAME_SEATS + LEDGER_INVITES)
#define LEDGER_NOTICE_GAMES 200 /* looked at for one account, newest first */

/* Somebody who may be told of the game. */
struct ledger_notice_who {
	char account[ORDER_ACCOUNT_MAX + 1];
	unsigned channels; /* by which */
	int64_t invited_ms; /* when they were invited; -1: they sit in it */
};

/* A game whose notices are put right. */
struct ledger_notices {
	struct ledger *l;
	int64_t gid;
	const struct game *g;
	int side; /* whose order the last line is; -1: nobody's, 0: director's
		   */
	int64_t now_ms;
	struct game_waits waits;
	struct ledger_notice_who who[LEDGER_NOTICE_WHO];
	size_t n_who;
	struct store_notice *rows; /* owned: those that are stored */
	size_t n_rows;
};

/* Adds a row that is stored. */
static int
ledger_notice_row_cb(void *arg, const struct store_notice *n)
{
	struct ledger_notices *ns = arg;
	struct store_notice *rows;

	rows = realloc(ns->rows, (ns->n_rows + 1) * sizeof(*rows));
	if (rows == NULL)
		return (ERR_NOMEM);
	ns->rows = rows;
	rows[ns->n_rows++] = *n;
	return (0);
}

/* Finds somebody; NULL if they are not to be told. */
static struct ledger_notice_who *
ledger_notice_find(struct ledger_notices *ns, const char *account)
{
	size_t i;

	for (i = 0; i < ns->n_who; i++) {
		if (strcmp(ns->who[i].account, account) == 0)
			return (&ns->who[i]);
	}
	return (NULL);
}

/* Adds somebody, unless they are there. */
static int
ledger_notice_add(
    struct ledger_notices *ns, const char *account, int64_t invited_ms)
{
	const struct ledger *l = ns->l;
	struct ledger_notice_who *who;
	unsigned channels = 0;
	int r;

	if (ns->n_who == LEDGER_NOTICE_WHO ||
	    strlen(account) >= sizeof(who->account) ||
	    ledger_notice_find(ns, account) != NULL)
		return (0);
	if ((l->conf.channels & ~(1u << STORE_CHANNEL_COMMAND)) != 0 &&
	    (r = store_address_channels(l->store, account, &channels)) != 0)
		return (r);
	channels |= 1u << STORE_CHANNEL_COMMAND;
	who = &ns->who[ns->n_who++];
	memcpy(who->account, account, strlen(account) + 1);
	who->channels = channels & l->conf.channels;
	who->invited_ms = invited_ms;
	return (0);
}

/* Adds somebody who is invited. */
static int
ledger_notice_invited_cb(void *arg, const char *account, int64_t at_ms)
{
	return (ledger_notice_add(arg, account, at_ms));
}

/* Finds whom to tell: those who sit and, while seats are free, guests. */
static int
ledger_notice_find_all(struct ledger_notices *ns)
{
	size_t i;
	int r = 0, seat;

	for (seat = 0; r == 0 && seat < GAME_SEATS; seat++) {
		if (game_is_joined(ns->g, seat))
			r = ledger_notice_add(
			    ns, game_account(ns->g, seat), -1);
	}
	for (i = 0; r == 0 && i < ns->waits.n; i++) {
		if (ns->waits.list[i].what == OWED_JOIN)
			return (store_invite_each(ns->l->store, ns->gid,
			    ledger_notice_invited_cb, ns));
	}
	return (r);
}

/* Finds what somebody is told of that kind; since -1: any.  NULL. */
static const struct game_wait *
ledger_notice_wait(const struct ledger_notices *ns,
    const struct ledger_notice_who *who, enum owed what, int64_t since)
{
	const struct game_wait *w;
	size_t i;

	for (i = 0; i < ns->waits.n; i++) {
		w = &ns->waits.list[i];
		if ((since == -1 || w->since == since) && w->what == what &&
		    who->invited_ms < 0 && w->since >= 0 &&
		    game_wait_is_for(ns->g, w, who->account))
			return (w);
	}
	return (NULL);
}

/* Keeps a row or deletes it. */
static int
ledger_notice_sift(struct ledger_notices *ns, struct store_notice *row)
{
	const struct ledger_notice_who *who;
	const struct game_wait *w = NULL;

	who = ledger_notice_find(ns, row->account);
	if (who != NULL && (who->channels & 1u << row->channel) == 0)
		who = NULL;
	if (who != NULL && who->invited_ms >= 0 && row->what == OWED_INVITATION)
		return (0);
	if (who != NULL)
		w = ledger_notice_wait(ns, who, row->what, row->since);
	/*
	 * A turn of which its own side has used a part is the same turn: who
	 * was told of it once is not told again at each upkeep.
	 */
	if (who != NULL && w == NULL && row->what == OWED_TURN) {
		w = ledger_notice_wait(ns, who, row->what, -1);
		if (w != NULL && w->side != ns->side)
			w = NULL;
	}
	if (w == NULL) {
		row->what = OWED_OTHER;
		return (store_notice_delete(ns->l->store, row->id));
	}
	if (w->since == row->since && w->until_ms == row->until_ms)
		return (0);
	row->since = w->since;
	row->until_ms = w->until_ms;
	return (store_notice_update(
	    ns->l->store, row->id, row->since, row->until_ms));
}

/* True if there is a row of this already. */
static bool
ledger_notice_is_stored(
    const struct ledger_notices *ns, const struct store_notice *n)
{
	const struct store_notice *row;
	size_t i;

	for (i = 0; i < ns->n_rows; i++) {
		row = &ns->rows[i];
		if (row->since == n->since && row->channel == n->channel &&
		    row->what == n->what &&
		    strcmp(row->account, n->account) == 0)
			return (true);
	}
	return (false);
}

/* Finds when a line was written; its game's last one if that is lost. */
static int
ledger_notice_at(const struct ledger_notices *ns, int64_t since, int64_t *at_ms)
{
	int r = 0;

	*at_ms = game_at_ms(ns->g);
	if (since < game_seq(ns->g))
		r = store_record_at(ns->l->store, ns->gid, since, at_ms);
	return (r == ERR_NOTFOUND ? 0 : r);
}

/*
 * Stores one thing for each way to tell somebody, where it is not yet; at_ms
 * is found if it is -1.
 */
static int
ledger_notice_insert(struct ledger_notices *ns,
    const struct ledger_notice_who *who, struct store_notice *n)
{
	int i, r;

	memcpy(n->account, who->account, sizeof(n->account));
	n->next_ms = ns->now_ms + ns->l->conf.notify_delay_ms;
	for (i = 0; i < STORE_CHANNELS; i++) {
		n->channel = (enum store_channel)i;
		if ((who->channels & 1u << i) == 0 ||
		    ledger_notice_is_stored(ns, n))
			continue;
		if (n->at_ms < 0 &&
		    (r = ledger_notice_at(ns, n->since, &n->at_ms)) != 0)
			return (r);
		r = store_notice_insert(ns->l->store, ns->gid, n);
		if (r != 0)
			return (r);
		ns->l->has_waiting = true;
	}
	return (0);
}

/* Stores what is new for somebody. */
static int
ledger_notice_tell(
    struct ledger_notices *ns, const struct ledger_notice_who *who)
{
	struct store_notice n = {.since = 0, .until_ms = -1};
	const struct game_wait *w;
	size_t i;
	int r;

	if (who->channels == 0)
		return (0);
	if (who->invited_ms >= 0) {
		n.what = OWED_INVITATION;
		n.at_ms = who->invited_ms;
		return (ledger_notice_insert(ns, who, &n));
	}
	for (i = 0; i < ns->waits.n; i++) {
		w = &ns->waits.list[i];
		/* If it waits for two of their seats, the first is told. */
		if (ledger_notice_wait(ns, who, w->what, w->since) != w)
			continue;
		n.what = w->what;
		n.since = w->since;
		n.until_ms = w->until_ms;
		n.at_ms = -1;
		r = ledger_notice_insert(ns, who, &n);
		if (r != 0)
			return (r);
	}
	return (0);
}

int
ledger_notice_game(struct ledger *l, const struct ledger_game *lg, int side)
{
	struct ledger_notices ns = {.l = l,
	    .gid = lg->gid,
	    .g = lg->game,
	    .side = side,
	    .now_ms = clock_wall_ms()};
	size_t i;
	int r;

	/*
	 * A game that halted is the operator's; game.todo has none either.  In
	 * one that has lapsed nothing can be done but to cancel it.
	 */
	if (game_phase(ns.g) != GAME_HALTED &&
	    !ledger_limit_is_lapsed(l, game_phase(ns.g), game_at_ms(ns.g)))
		game_waiting(ns.g, &ns.waits);
	r = store_notice_each_game(l->store, ns.gid, ledger_notice_row_cb, &ns);
	if (r == 0 && (ns.n_rows > 0 || l->conf.channels != 0))
		r = ledger_notice_find_all(&ns);
	for (i = 0; r == 0 && i < ns.n_rows; i++)
		r = ledger_notice_sift(&ns, &ns.rows[i]);
	for (i = 0; r == 0 && i < ns.n_who; i++)
		r = ledger_notice_tell(&ns, &ns.who[i]);
	free(ns.rows);
	return (r);
}

/* The open games of an account. */
struct ledger_notice_games {
	uint8_t ids[LEDGER_NOTICE_GAMES][HASH_LEN];
	size_t n;
};

/* Notes a game; 1 ends the list when it is full. */
static int
ledger_notice_games_cb(void *arg, const struct store_game_row *row)
{
	struct ledger_notice_games *games = arg;

	memcpy(games->ids[games->n++], row->id, HASH_LEN);
	return (games->n == LEDGER_NOTICE_GAMES ? 1 : 0);
}

int
ledger_notice_account(struct ledger *l, const char *account)
{
	char hex[2 * HASH_LEN + 1];
	struct ledger_notice_games games = {.n = 0};
	struct ledger_game *lg;
	struct errinfo e;
	size_t i;
	int r;

	r = store_list_open(l->store, account, INT64_MAX, INT64_MAX,
	    ledger_notice_games_cb, &games);
	if (r < 0)
		return (r);
	for (i = 0; i < games.n; i++) {
		e.text[0] = '\0';
		r = ledger_game_get(l, games.ids[i], &lg, &e);
		if (r == ERR_NOMEM || r == ERR_IO || r == ERR_STORAGE ||
		    l->misfit.is_set)
			return (r);
		/* That was logged when it was found. */
		if (r == ERR_DAMAGED)
			continue;
		if (r != 0) {
			hex_format(hex, games.ids[i], HASH_LEN);
			log_errorx("what game %.16s waits for is not told: %s; "
				   "run umpired --check",
			    hex, e.text[0] == '\0' ? err_text(r) : e.text);
			continue;
		}
		if ((r = ledger_notice_game(l, lg, -1)) != 0)
			return (r);
	}
	return (0);
}

/* Notes what became of sending a code. */
static int
ledger_notice_code(struct ledger *l, const struct ledger_job *job,
    const struct ledger_told *told, int64_t now_ms)
{
	struct store_address a;
	int r;

	r = store_address_find(l->store, told->id, &a);
	if (r != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	a.tries += job->is_lost ? 0 : 1;
	a.next_ms = -1;
	if (job->is_sent) {
		a.sent_ms = now_ms;
	} else {
		if (!job->is_lost) {
			a.failed_ms = now_ms;
			memcpy(a.error, job->error, sizeof(a.error));
		}
		/* A code that was said, or is void, need not arrive. */
		if (a.code[0] != '\0' &&
		    told->next_ms < a.at_ms + LEDGER_CODE_MS)
			a.next_ms = told->next_ms;
	}
	return (store_address_update(l->store, &a));
}

/*
 * Notes what became of telling a notice.  What one message gives up at an
 * address counts as one failure there: *given_up is the last such address.
 */
static int
ledger_notice_tried(struct ledger *l, const struct ledger_job *job,
    const struct ledger_told *told, int64_t *given_up, int64_t now_ms)
{
	char account[ORDER_ACCOUNT_MAX + 1];
	enum store_channel channel;
	struct store_address a;
	int r;

	r = store_notice_tried(l->store, told->id,
	    job->is_sent ? -1 : told->next_ms, !job->is_lost, account,
	    &channel);
	if (r != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	if (channel == STORE_CHANNEL_COMMAND || job->is_lost)
		return (0);
	r = store_address_get(l->store, account, channel, &a);
	if (r != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	if (job->is_sent) {
		a.sent_ms = now_ms;
		a.failures = 0;
		return (store_address_update(l->store, &a));
	}
	a.failed_ms = now_ms;
	memcpy(a.error, job->error, sizeof(a.error));
	if (told->next_ms < 0 && !job->is_own && *given_up != a.id) {
		a.failures++;
		*given_up = a.id;
	}
	if (a.failures >= LEDGER_FAILURES && a.is_confirmed) {
		a.is_confirmed = false;
		log_warnx("the %s address of account \"%s\" is no longer used: "
			  "%d messages in a row were not delivered",
		    store_channel_names[a.kind], a.account, a.failures);
		r = store_notice_clear(l->store, a.account, a.kind);
		if (r != 0)
			return (r);
	}
	return (store_address_update(l->store, &a));
}

int
ledger_notice_run(struct ledger *l, struct ledger_job *job)
{
	const int64_t now_ms = clock_wall_ms();
	int64_t given_up = -1;
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < job->n_told; i++)
		r = job->is_code
		    ? ledger_notice_code(l, job, &job->told[i], now_ms)
		    : ledger_notice_tried(
			  l, job, &job->told[i], &given_up, now_ms);
	return (r == 0 ? 0 : ledger_fault(l, r, "note what was told"));
}

int
ledger_notice_clock(struct ledger *l, int64_t now_ms)
{
	bool any;
	int r;

	if (now_ms >= l->clock_ms - LEDGER_NOTICE_BACK_MS)
		return (0);
	r = store_notice_bring(
	    l->store, now_ms + LEDGER_NOTICE_AHEAD_MS, now_ms, &any);
	if (r != 0)
		return (ledger_fault(l, r, "bring notices"));
	l->has_waiting = l->has_waiting || any;
	return (0);
}
