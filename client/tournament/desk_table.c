/* SPDX-License-Identifier: ISC */
/*
 * A table's game.  An order that opens one is written down first, as all are;
 * its game is not yet known to anybody then, so an earlier run's is looked for
 * among our files before another is signed.
 */
#include "client/tournament/desk_table.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/profile/dice_keys.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "client/report/battle.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/tournament/tournament_game.h"

#define DESK_TABLE_DIGITS 8 /* of a game without a nickname */
#define DESK_TABLE_MAX 1000

bool
desk_table_next(const struct desk *d, struct tournament_place *place)
{
	struct tournament_leg_state s;

	while (tournament_next_leg(d->t, place)) {
		tournament_leg_state(d->t, place, &s);
		if (!s.has_result && desk_table_seat(d, place) > 0)
			return (true);
	}
	return (false);
}

int
desk_table_seat(const struct desk *d, const struct tournament_place *place)
{
	struct tournament_leg_state s;

	tournament_leg_state(d->t, place, &s);
	if (d->number == 0)
		return (0);
	return (s.sides[1] == d->number ? 1 : s.sides[2] == d->number ? 2 : 0);
}

bool
desk_table_is_there(const struct desk *d, const struct tournament_place *place)
{
	struct tournament_place at = {0};

	while (tournament_next_leg(d->t, &at)) {
		if (at.round == place->round && at.table == place->table &&
		    at.leg == place->leg)
			return (true);
	}
	return (false);
}

struct tournament_place
desk_table_of(const json_t *row)
{
	return ((struct tournament_place){(int)js_int(row, "round"),
	    (int)js_int(row, "table"), (int)js_int(row, "leg")});
}

/* Reads up to three numbers between points; how many there are, or 0. */
static int
desk_table_numbers(const char *word, int64_t numbers[3])
{
	const char *end;
	int n = 0;

	for (;;) {
		end = word + strcspn(word, ".");
		if (n == 3 ||
		    !opt_number_in(word, (size_t)(end - word), 1,
			DESK_TABLE_MAX, &numbers[n++]))
			return (0);
		if (*end == '\0')
			return (n);
		word = end + 1;
	}
}

int
desk_table_read(
    const struct desk *d, const char *word, struct tournament_place *place)
{
	struct tournament_place first;
	int64_t numbers[3] = {0};

	if (desk_table_numbers(word, numbers) < 2)
		return (cmd_usage(d->cx,
		    "'%s' is no table: ROUND.TABLE, such as 2.1, or "
		    "ROUND.TABLE.GAME",
		    word));
	*place = (struct tournament_place){
	    (int)numbers[0], (int)numbers[1], (int)numbers[2]};
	first = *place;
	if (first.leg == 0)
		first.leg = 1;
	if (desk_table_is_there(d, &first))
		return (0);
	out_error("no table %s was paired", word);
	if (tournament_paired(d->t) > 0)
		out_note(
		    "`umpire tournament tables %s` shows which were.", d->name);
	desk_next(d);
	return (EX_DATAERR);
}

char *
desk_table_words(const struct desk *d, const struct tournament_place *place)
{
	struct tournament_place at = *place;
	bool has_legs = place->leg > 1;

	if (tournament_next_leg(d->t, &at))
		has_legs |=
		    at.round == place->round && at.table == place->table;
	if (has_legs)
		return (xalloc_printf("Round %d, table %d, game %d",
		    place->round, place->table, place->leg));
	return (
	    xalloc_printf("Round %d, table %d", place->round, place->table));
}

/* What we call the game: the tournament, the round, and more where needed. */
static void
desk_table_name(struct desk *d, const struct tournament_place *place,
    const uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	char *has, *nick, *more;

	if ((has = profile_nick(d->p, id)) != NULL) {
		free(has);
		return;
	}
	more = d->number == 0 ? xalloc_printf("-t%d", place->table)
			      : xalloc_str("");
	nick = place->leg > 1
	    ? xalloc_printf(
		  "%s-r%d%s-%d", d->name, place->round, more, place->leg)
	    : xalloc_printf("%s-r%d%s", d->name, place->round, more);
	if ((!profile_is_nick(nick) || replica_is_named(d->p, nick, id) ||
		replica_set_name(d->p, nick, id, &e) != 0) &&
	    replica_set_name(d->p, NULL, id, &e) != 0)
		out_note("%s", e.text);
	free(nick);
	free(more);
}

/*
 * Opens a game on the desk's connection, sending what waits there.  0 and *out,
 * which desk_table_leave() closes, or an exit status; the desk may have lost
 * its connection then.
 */
static int
desk_table_open(struct desk *d, const uint8_t id[HASH_LEN], struct play **out)
{
	struct link *l = d->link;
	struct profile *p;
	int status;

	if ((status = play_profile(d->cx, &p)) != 0)
		return (status);
	d->link = NULL;
	return (play_open_id(d->cx, p, l, id, PLAY_SEND, out));
}

/* Gives the connection back. */
static void
desk_table_leave(struct desk *d, struct play *pl)
{
	d->link = play_take_link(pl);
	if (d->link != NULL)
		d->link->p = d->p;
	play_close(pl);
}

/* Makes a new connection where the last one went with a game. */
static int
desk_table_need_link(struct desk *d)
{
	int status;

	if (d->link == NULL && (status = link_open(d->cx, d->p, &d->link)) != 0)
		return (status);
	return (link_login(d->link));
}

/* The args of the order that opens a leg's game; NULL, and *status. */
static json_t *
desk_table_args(struct desk *d, const struct tournament_place *place, int seat,
    json_t **texts, int *status)
{
	struct outbox_text name = {"name", d->p->display};
	json_t *args, *more;

	if (tournament_game_args(d->t, place, &args) != 0)
		xalloc_die();
	more = json_pack("{s:i, s:o, s:o, s:s}", "seat", seat, "key",
	    js_hex(d->p->keys.sign.public_key, SIGN_KEY_LEN), "dice_key",
	    js_hex(tournament_dice_key_of(d->t, d->number), VRF_KEY_LEN),
	    "account", d->p->account);
	if (json_object_update_new(args, xalloc_json(more)) != 0)
		xalloc_die();
	if ((*status = account_args(d->link, args)) != 0) {
		json_decref(args);
		return (NULL);
	}
	*texts = outbox_texts(args, &name, 1);
	return (args);
}

/*
 * Delivers an order that opens a game.  *is_taken: it was refused, as where the
 * other side was first, and *why says what the server said; the tournament is
 * up to date then.
 */
static int
desk_table_deliver(
    struct desk *d, struct replica *c, bool *is_taken, struct errinfo *why)
{
	int64_t seq;
	int status;

	c->is_contested = true;
	status = send_deliver(d->link, c, &seq);
	*is_taken = status == EX_DATAERR && c->was_late;
	if (*is_taken)
		*why = c->why_late;
	return (status == 0 || *is_taken ? desk_sync(d) : status);
}

/* Writes an order that opens a leg's game, and sends it. */
static int
desk_table_create(struct desk *d, const struct tournament_place *place,
    int seat, struct errinfo *why)
{
	struct errinfo e = {.text = ""};
	bool is_taken;
	json_t *args, *params, *texts = NULL;
	struct replica *c = NULL;
	uint8_t sig[SIGN_LEN];
	struct order o;
	struct buf text;
	int r, status;

	if ((args = desk_table_args(d, place, seat, &texts, &status)) == NULL)
		return (status);
	buf_init(&text, 0);
	r = game_make_create(
	    d->p->pin, &d->p->keys, args, clock_wall_ms(), &text, sig);
	json_decref(args);
	if (r == 0)
		r = order_parse(buf_str(&text), text.len, &o, &e);
	if (r != 0) {
		json_decref(texts);
		buf_clear(&text);
		return (cmd_fail(r, &e));
	}
	params = xalloc_json(json_pack("{s:s, s:o, s:o}", "order",
	    buf_str(&text), "sig", js_hex(sig, SIGN_LEN), "key",
	    js_hex(d->p->keys.sign.public_key, SIGN_KEY_LEN)));
	if (texts != NULL)
		xalloc_set(params, "texts", texts);
	if ((r = replica_open(d->p, o.game, &c, &e)) == 0)
		r = replica_keep(c, &e);
	if (r == 0)
		r = send_store(c, "game.create", params, &e);
	else
		json_decref(params);
	if (r != 0)
		status = cmd_fail(r, &e);
	else
		status = desk_table_deliver(d, c, &is_taken, why);
	replica_close(c);
	order_clear(&o);
	buf_clear(&text);
	return (status);
}

/* True if a game's order that waits opens a table of this tournament. */
static bool
desk_table_is_ours(const struct desk *d, const struct replica *c)
{
	struct errinfo e;
	struct send_pending sp;
	uint8_t id[HASH_LEN];
	const char *text;
	struct order o;
	bool is_ours = false;

	if (c->n > 0 || send_load(c, &sp, &e) != 0)
		return (false);
	if (strcmp(sp.method, "game.create") == 0 &&
	    js_get_str(sp.params, "order", NULL, &text, NULL) == 0 &&
	    order_parse(text, strlen(text), &o, NULL) == 0) {
		is_ours = js_get_hex(o.args, "tournament", NULL, id, HASH_LEN,
			      NULL) == 0 &&
		    memcmp(id, tournament_id(d->t), HASH_LEN) == 0;
		order_clear(&o);
	}
	send_clear(&sp);
	return (is_ours);
}

int
desk_table_settle(struct desk *d)
{
	struct errinfo e = {.text = ""};
	struct replica *c = NULL;
	uint8_t(*ids)[HASH_LEN];
	struct errinfo why;
	int r, status = 0;
	bool is_taken;
	size_t i, n;

	if ((r = profile_games(d->p, &ids, &n, &e)) != 0)
		return (cmd_fail(r, &e));
	for (i = 0; status == 0 && i < n; i++) {
		if (!profile_game_has(d->p, ids[i], ".pending"))
			continue;
		if (replica_open(d->p, ids[i], &c, &e) != 0)
			continue;
		if (desk_table_is_ours(d, c)) {
			out_note("Opening the table again, as was begun ...");
			status = desk_table_deliver(d, c, &is_taken, &why);
		}
		replica_close(c);
	}
	free(ids);
	return (status);
}

/* Takes our seat, if we do not have it, and says that we are ready. */
static int
desk_table_come(struct desk *d, struct play *pl, int seat, struct desk_sat *sat)
{
	const uint8_t *dice_key = seat == 0
	    ? d->p->keys.dice.public_key
	    : tournament_dice_key_of(d->t, d->number);
	const bool is_muster = game_phase(play_game(pl)) == GAME_MUSTER;
	const bool is_in = pl->seat >= 0;
	int64_t seq;
	int status = 0;

	sat->is_left =
	    !is_in && (!is_muster || game_is_joined(play_game(pl), seat));
	if (sat->is_left)
		return (0);
	sat->was_here = is_in && !show_is_owed(pl, OWED_READY);
	if (!is_in && (status = link_login(pl->link)) == 0)
		status = play_join(pl, seat, dice_key);
	if (status == 0 && show_is_owed(pl, OWED_READY))
		status = play_order(pl, ORDER_READY, json_object(), NULL, &seq);
	return (status);
}

/* Notes how the game stands. */
static void
desk_table_look(struct play *pl, int seat, struct desk_sat *sat)
{
	const struct game *g = play_game(pl);
	struct tournament_look look;
	char hex[2 * HASH_LEN + 1];

	/* Battle points are not asked for. */
	if (tournament_look_at(g, 0, &look) != 0 && look.is_halted)
		sat->is_left = true;
	sat->is_left |= look.is_over;
	sat->has_begun = look.is_begun;
	sat->has_other = seat > 0 && game_is_joined(g, 3 - seat);
	if (seat > 0)
		sat->side = battle_side(g, seat);
	memcpy(sat->game, game_id(g), HASH_LEN);
	sat->nick = profile_nick(pl->p, game_id(g));
	if (sat->nick == NULL) {
		hex_format(hex, game_id(g), HASH_LEN);
		sat->nick = xalloc_strn(hex, DESK_TABLE_DIGITS);
	}
}

void
desk_sat_clear(struct desk_sat *sat)
{
	free(sat->nick);
	free(sat->side);
	memset(sat, 0, sizeof(*sat));
}

/* Whether this profile has the dice key by which our dice fall. */
static int
desk_table_check_dice(const struct desk *d)
{
	struct errinfo e = {.text = ""};
	struct vrf_key k;
	int r;

	r = dice_keys_find(
	    d->p, tournament_dice_key_of(d->t, d->number), &k, &e);
	explicit_bzero(&k, sizeof(k));
	if (r == 0)
		return (0);
	if (r != ERR_NOTFOUND)
		return (cmd_fail(r, &e));
	out_error("your dice in this tournament fall by a dice key that "
		  "profile '%s' does not have",
	    d->p->name);
	out_note("Copy the dice.key files of the device that has it into\n%s",
	    d->p->data_dir);
	return (EX_CONFIG);
}

/* Opens the leg's game, unless it has one; *s is how the leg stands then. */
static int
desk_table_begin(struct desk *d, const struct tournament_place *place, int seat,
    struct tournament_leg_state *s)
{
	struct errinfo why = {.text = ""};
	int status;

	tournament_leg_state(d->t, place, s);
	if (!s->has_game && seat > 0) {
		status = desk_table_create(d, place, seat, &why);
		if (status != 0)
			return (status);
		tournament_leg_state(d->t, place, s);
	}
	if (s->has_game)
		return (0);
	if (why.text[0] != '\0')
		return (cmd_fail(ERR_ILLEGAL, &why));
	out_error("this table has no game yet: one of its players opens it");
	return (EX_DATAERR);
}

int
desk_table_sit(struct desk *d, const struct tournament_place *place, int seat,
    struct desk_sat *sat)
{
	struct tournament_leg_state s;
	struct play *pl;
	int status;

	memset(sat, 0, sizeof(*sat));
	if ((seat > 0 && (status = desk_table_check_dice(d)) != 0) ||
	    (status = desk_table_need_link(d)) != 0 ||
	    (status = desk_table_begin(d, place, seat, &s)) != 0 ||
	    (status = desk_table_open(d, s.game, &pl)) != 0)
		return (status);
	status = desk_table_come(d, pl, seat, sat);
	if (status == 0) {
		desk_table_name(d, place, s.game);
		desk_table_look(pl, seat, sat);
	}
	desk_table_leave(d, pl);
	return (status);
}

void
desk_table_tell(const struct desk *d, const struct tournament_place *place,
    int seat, const struct desk_sat *sat)
{
	struct tournament_leg_state s;
	char *words, *line;
	const char *other;

	tournament_leg_state(d->t, place, &s);
	words = desk_table_words(d, place);
	if (seat == 0) {
		out_print(
		    &d->cx->out, "%s: you direct '%s'.\n", words, sat->nick);
		free(words);
		return;
	}
	other = desk_called(d, s.sides[3 - seat]);
	line = xalloc_printf("%s: you are side %d (%s), against %s.", words,
	    seat, sat->side, other);
	out_text(&d->cx->out, 0, 2, line);
	out_print(&d->cx->out, "  You call the game '%s'.  ", sat->nick);
	out_print(&d->cx->out, "%s\n",
	    sat->is_left         ? "It is over."
		: sat->has_begun ? "Play goes on."
		: sat->has_other ? "Your opponent is here, too."
				 : "Your opponent has not come yet.");
	free(line);
	free(words);
}

json_t *
desk_table_json(
    const struct tournament_place *place, int seat, const struct desk_sat *sat)
{
	return (xalloc_json(json_pack("{s:i, s:i, s:i, s:i, s:o, s:s, s:b}",
	    "round", place->round, "table", place->table, "leg", place->leg,
	    "seat", seat, "game", js_hex(sat->game, HASH_LEN), "name",
	    sat->nick, "begun", sat->has_begun)));
}
