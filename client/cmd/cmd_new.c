/* SPDX-License-Identifier: ISC */
/* umpire new: opens a game and tells what the opponent has to type. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/new_data.h"
#include "client/cmd/new_witness.h"
#include "client/cmd/rosterfile.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/play/rematch.h"
#include "client/play/settings.h"
#include "client/play/show.h"
#include "client/profile/file.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "client/report/describe.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#define CMD_NEW_EVENT 64 /* bytes of an event's name */
#define CMD_NEW_NUMBER 1000000

/* A game to be opened, as the command line describes it. */
struct cmd_new {
	const struct rules_system *sys;
	int64_t seat;
	json_t *roster; /* owned */
	const char *library; /* where its name comes from; NULL: a file */
	json_t *rulings; /* owned: object */
	json_t *tables; /* owned: array of blobs */
	char *installed; /* owned: data file taken from here; NULL: none */
	json_t *terms; /* owned: members of the create order's args */
	json_t *invited; /* owned: array of accounts */
	json_t *texts; /* owned: beside the order; NULL: none */
	bool is_rematch; /* what it holds came from a former game */
	const char *nick; /* NULL: the first free one */
	const char *event;
	int64_t round; /* -1: none */
	int64_t table;
};

/* Reads a number option; leaves *out alone if it is not given. */
static int
cmd_new_number(
    struct cmd_ctx *cx, const char *name, int64_t lo, int64_t hi, int64_t *out)
{
	const char *s = opt_get(&cx->opts, name);

	if (s == NULL || opt_number(s, lo, hi, out))
		return (0);
	return (cmd_usage(cx, "--%s takes a number from %lld to %lld", name,
	    (long long)lo, (long long)hi));
}

/* Reads the roster's file, which must be right. */
static int
cmd_new_roster_file(
    struct cmd_ctx *cx, const char *path, const char *id, struct cmd_new *n)
{
	struct rosterfile rf;
	int status;

	if ((status = rosterfile_open(cx, path, id, &rf)) == 0)
		status = rosterfile_refuse(&rf);
	if (status == 0) {
		json_decref(n->roster);
		n->roster = json_incref(rf.blob);
		if (rf.is_library)
			n->library = rf.is_own ? "of your library" : "a sample";
	}
	rosterfile_clear(&rf);
	return (status);
}

/* Reads the roster and finds the system. */
static int
cmd_new_roster(struct cmd_ctx *cx, struct cmd_new *n)
{
	const char *path = opt_get(&cx->opts, "roster");
	const char *id = opt_get(&cx->opts, "system");
	const char *word = cmd_arg(cx, 0);
	struct errinfo e = {.text = ""};
	struct roster *rs;
	int r, status;

	if (word != NULL)
		return (cmd_usage(cx, "'%s' is one word too many%s%s", word,
		    path == NULL ? "; a roster is given by --roster " : "",
		    path == NULL ? word : ""));
	/* A rematch has brought a roster. */
	if (path == NULL && n->roster == NULL)
		return (cmd_usage(cx,
		    "which roster?  --roster FILE, or a name that `umpire "
		    "roster list` lists"));
	if (path == NULL)
		path = opt_get(&cx->opts, "rematch");
	else if ((status = cmd_new_roster_file(cx, path, id, n)) != 0)
		return (status);
	if (id == NULL)
		id = js_str(n->roster, "system");
	if (n->sys != NULL && id != NULL && strcmp(n->sys->id, id) != 0)
		return (cmd_usage(cx,
		    "a rematch uses the same system, %s: leave out --rematch",
		    n->sys->id));
	/* A former game's system may not be known, or not be the one asked. */
	if (id == NULL || (n->sys = systems_find(id)) == NULL) {
		out_error("there is no rule system '%s'", id == NULL ? "" : id);
		out_note("`umpire rules` lists them; --system ID chooses one.");
		return (EX_DATAERR);
	}
	if ((r = roster_parse(n->sys, n->roster, &rs, &e)) != 0) {
		(void)cmd_fail_in(path, r, &e);
		return (EX_DATAERR);
	}
	roster_free(rs);
	return (0);
}

/* Takes over what a former game had. */
static int
cmd_new_rematch(struct cmd_ctx *cx, struct cmd_new *n)
{
	const char *word = opt_get(&cx->opts, "rematch");
	struct rematch rm;
	const char *id;
	int status;

	if (word == NULL)
		return (0);
	if ((status = rematch_read(cx, word, &rm)) != 0)
		return (status);
	id = json_string_value(rm.system);
	if (id == NULL || (n->sys = systems_find(id)) == NULL) {
		out_error("this umpire does not know the system '%s'",
		    id == NULL ? "?" : id);
		rematch_clear(&rm);
		return (EX_DATAERR);
	}
	n->is_rematch = true;
	n->roster = rematch_roster(&rm, n->seat);
	json_decref(n->rulings);
	n->rulings = json_incref(rm.rulings);
	json_decref(n->tables);
	n->tables = json_incref(rm.tables);
	json_decref(n->terms);
	n->terms = json_incref(rm.terms);
	json_decref(n->invited);
	n->invited = json_incref(rm.others);
	rematch_clear(&rm);
	return (0);
}

/* Reads --invite. */
static int
cmd_new_invited(struct cmd_ctx *cx, const struct profile *p, struct cmd_new *n)
{
	const char *s;
	const json_t *v;
	size_t i = 0, k;

	while ((s = opt_next(&cx->opts, "invite", &i)) != NULL) {
		if (!order_is_account(s))
			return (cmd_usage(
			    cx, "--invite: '%s' cannot be an account", s));
		if (p->account != NULL && strcmp(s, p->account) == 0)
			return (cmd_usage(
			    cx, "--invite: '%s' is your own account", s));
		json_array_foreach(n->invited, k, v)
		{
			if (strcmp(json_string_value(v), s) == 0)
				break;
		}
		if (k == json_array_size(n->invited))
			xalloc_append(n->invited, json_string(s));
	}
	return (0);
}

/* Reads the nickname and the event. */
static int
cmd_new_names(struct cmd_ctx *cx, const struct profile *p, struct cmd_new *n)
{
	const char *s;
	size_t i;

	n->nick = opt_get(&cx->opts, "name");
	n->event = opt_get(&cx->opts, "event");
	if (n->nick != NULL && !profile_is_nick(n->nick))
		return (cmd_usage(cx,
		    "'%s' cannot be a nickname: small letters, digits, '.', "
		    "'_' and '-', at most 32, and not hex digits alone",
		    n->nick));
	if (n->nick != NULL && replica_is_named(p, n->nick, NULL))
		return (cmd_usage(
		    cx, "one of your games is already called '%s'", n->nick));
	if ((s = n->event) != NULL) {
		for (i = 0; s[i] >= 0x20 && s[i] < 0x7f; i++)
			;
		if (i == 0 || i > CMD_NEW_EVENT || s[i] != '\0')
			return (cmd_usage(cx,
			    "--event takes 1 to %d plain ASCII characters",
			    CMD_NEW_EVENT));
	}
	return (0);
}

/*
 * Asks whether the players see one table, where nobody has said so and the
 * system's questions make a difference; if not, proposes --facts.
 */
static void
cmd_new_ask_table(struct cmd_ctx *cx, struct cmd_new *n)
{
	const struct rules_policy *p = n->sys->policies;

	if (cx->is_sure || !cmd_can_ask(cx) || n->is_rematch ||
	    opt_has(&cx->opts, "confirm") || opt_has(&cx->opts, "facts"))
		return;
	while (p != NULL && p->kind != NULL && p->is_fact != RULES_FACT_YES)
		p++;
	if (p == NULL || p->kind == NULL)
		return;
	if (cmd_ask(cx, "Do both players see the same table?"))
		return;
	out_text(&cx->out, 0, 0,
	    "Then neither sees whether a beaten unit of the other's has a way "
	    "to retreat.  In a game with --facts a player agrees to what the "
	    "other says of that, and to each combat that is declared, or "
	    "objects.");
	if (cmd_ask(cx, "Open the game with --facts?"))
		xalloc_set(n->terms, "confirm", json_string("facts"));
}

/* Reads all options. */
static int
cmd_new_options(struct cmd_ctx *cx, const struct profile *p, struct cmd_new *n)
{
	const char *name, *seat = opt_get(&cx->opts, "seat");
	const struct schema_row *row;
	const json_t *options, *v;
	bool is_known;
	size_t i;
	int status;

	n->round = n->table = -1;
	n->rulings = xalloc_json(json_object());
	n->tables = xalloc_json(json_array());
	n->terms = xalloc_json(json_object());
	n->invited = xalloc_json(json_array());
	if ((status = cmd_new_names(cx, p, n)) != 0)
		return (status);
	/* Whoever opens a game sits in seat 1, or directs it (record S5). */
	n->seat = 1;
	if (seat != NULL && !opt_number(seat, 0, 1, &n->seat))
		return (cmd_usage(cx,
		    "--seat takes 1, or 0 to direct: whoever opens a game "
		    "moves first"));
	if ((status = cmd_new_number(
		 cx, "round", 0, CMD_NEW_NUMBER, &n->round)) != 0 ||
	    (status = cmd_new_number(
		 cx, "table-number", 0, CMD_NEW_NUMBER, &n->table)) != 0 ||
	    (status = cmd_new_rematch(cx, n)) != 0 ||
	    (status = settings_read(cx, n->terms)) != 0 ||
	    (status = new_witness_read(cx, n->terms)) != 0)
		return (status);
	/* Seat 0 is there where the terms, perhaps a former game's, have it. */
	if (n->seat == 0 && !settings_has_director(n->terms))
		return (cmd_usage(
		    cx, "--seat 0 is the director's: add --director"));
	if ((status = cmd_new_invited(cx, p, n)) != 0 ||
	    (status = cmd_new_roster(cx, n)) != 0)
		return (status);
	/* A field that no unit of the system has is of no effect. */
	options = json_object_get(n->terms, "options");
	json_array_foreach(json_object_get(options, "owner_fields"), i, v)
	{
		name = json_string_value(v);
		is_known = name == NULL || strcmp(name, "out") == 0;
		if (!is_known &&
		    ((row = schema_find(n->sys->unit, name)) != NULL ||
			(row = schema_find(n->sys->commander, name)) != NULL))
			is_known = (row->in & SCHEMA_FACTS) != 0;
		if (!is_known)
			out_note("Warning: units of %s have no '%s' "
				 "(--owner-field); see `umpire rules %s`.",
			    n->sys->id, name, n->sys->id);
	}
	/* A rematch is played with what the former game had. */
	if ((status = new_data_read(cx, n->sys, "ruling", n->rulings, n->tables,
		 n->is_rematch ? NULL : &n->installed)) == 0)
		cmd_new_ask_table(cx, n);
	return (status);
}

/* Sets where in a tournament the game belongs. */
static void
cmd_new_event(const struct cmd_new *n, json_t *args)
{
	if (n->event != NULL)
		xalloc_set(args, "event", json_string(n->event));
	if (n->round >= 0)
		xalloc_set(args, "round", json_integer(n->round));
	if (n->table >= 0)
		xalloc_set(args, "table", json_integer(n->table));
}

/* Tells who is invited, if anybody is. */
static void
cmd_new_tell_invited(struct out *o, const struct cmd_new *n)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	if (json_array_size(n->invited) == 0)
		return;
	buf_init(&b, 0);
	json_array_foreach(n->invited, i, v)
	    buf_printf(&b, "%s%s", i == 0 ? "" : ", ", json_string_value(v));
	s = xalloc_take(&b);
	out_print(o, "  invited  ");
	out_text(o, 11, 11, s);
	free(s);
}

/* Tells who may join, and by what command. */
static void
cmd_new_tell_join(struct cmd_ctx *cx, const struct cmd_new *n,
    const struct profile *p, const char *join, const char *invite)
{
	const bool is_more =
	    json_object_get(json_object_get(n->terms, "options"), "seats") !=
	    NULL;
	struct out *o = &cx->out;

	if (json_array_size(n->invited) == 0) {
		out_print(o, "\n%s, with an account on %s, type%s:\n  %s\n",
		    is_more ? "The others" : "Your opponent", p->server,
		    is_more ? "" : "s", join);
		if (json_is_true(json_object_get(n->terms, "private")))
			out_print(o,
			    "\nThe game is private: nobody finds it until you "
			    "invite them:\n  %s\n",
			    invite);
		return;
	}
	cmd_new_tell_invited(o, n);
	out_print(o,
	    "\nOnly invited players can join.  With an account on %s type:\n"
	    "  %s\n",
	    p->server, join);
}

/* Tells what the game is: system, dice, seat, settings, data. */
static void
cmd_new_tell_settings(struct cmd_ctx *cx, const struct cmd_new *n,
    const struct order_create *form)
{
	const json_t *side =
	    json_object_get(json_object_get(n->roster, "sides"), "1");
	const char *name = js_str(side, "name");
	struct buf b;
	json_t *event;
	char *s;

	out_print(&cx->out, "  system   %s, dice %s\n", n->sys->version,
	    describe_hands(form));
	buf_init(&b, 0);
	if (n->seat == 0)
		buf_puts(&b, "0, as the director");
	else
		buf_printf(&b, "1, %s", name == NULL ? "side 1" : name);
	s = xalloc_take(&b);
	out_print(&cx->out, "  seat     ");
	out_text(&cx->out, 11, 11, s);
	free(s);
	if (strcmp(js_str(n->terms, "secret"), "sealed") == 0)
		out_print(&cx->out,
		    "  secrets  sealed: players keep and open their own "
		    "choices\n");
	if (n->library != NULL)
		out_print(&cx->out, "  roster   %s, %s\n",
		    opt_get(&cx->opts, "roster"), n->library);
	settings_print(&cx->out, form, false);
	event = xalloc_json(json_object());
	cmd_new_event(n, event);
	show_event(&cx->out, event);
	json_decref(event);
	if (n->installed != NULL)
		out_print(&cx->out,
		    "  %-8s not the built-in: the game takes what is "
		    "installed here,\n           %s\n",
		    n->sys->data_name, n->installed);
}

/* Puts event, round and table into what programs are told; null: not said. */
static void
cmd_new_json_event(const struct cmd_new *n, json_t *v)
{
	json_t *event = xalloc_json(
	    json_pack("{s:n, s:n, s:n}", "event", "round", "table"));

	cmd_new_event(n, event);
	if (json_object_update_new(v, event) != 0)
		xalloc_die();
}

/* A game that was opened, for programs; new. */
static json_t *
cmd_new_json(const struct cmd_new *n, const char *hex, const char *nick,
    const char *join, const char *invitation)
{
	json_t *v;

	v = xalloc_json(json_pack(
	    "{s:s, s:s?, s:I, s:i, s:s, s:s, s:O, s:O, s:o}", "game", hex,
	    "name", nick, "seat", (json_int_t)n->seat, "seq", 0, "join", join,
	    "invitation", invitation, "secret",
	    json_object_get(n->terms, "secret"), "invited", n->invited, "data",
	    n->installed == NULL ? json_null()
				 : xalloc_json_str(n->installed)));
	cmd_new_json_event(n, v);
	return (v);
}

/* Tells the player what the game is called and what to do next. */
static void
cmd_new_tell(struct cmd_ctx *cx, const struct cmd_new *n,
    const struct profile *p, const struct order_create *form,
    const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1], *nick;
	char *join, *invitation, *invite, *profile;

	hex_format(hex, id, HASH_LEN);
	nick = profile_nick(p, id);
	profile = cmd_profile_words(cx);
	invitation = invitation_text(p, id); /* there was a connection */
	join = xalloc_printf("umpire join %s", invitation);
	invite = xalloc_printf(
	    "umpire%s invite %s ACCOUNT", profile, nick == NULL ? hex : nick);
	if (cx->out.is_json)
		out_json(
		    &cx->out, cmd_new_json(n, hex, nick, join, invitation));
	out_title(&cx->out, "The game is open; you call it '%s'.",
	    nick == NULL ? hex : nick);
	out_print(&cx->out, "  game     %s\n", hex);
	cmd_new_tell_settings(cx, n, form);
	cmd_new_tell_join(cx, n, p, join, invite);
	if (n->seat != 0 && settings_has_director(n->terms))
		out_print(
		    &cx->out, "The director types:\n  %s --seat 0\n", join);
	out_print(&cx->out, "\nThen: umpire%s show %s\n", profile,
	    nick == NULL ? hex : nick);
	free(profile);
	free(invite);
	free(invitation);
	free(join);
	free(nick);
}

/* Stores the signed order, sends it, and tells. */
static int
cmd_new_send(struct cmd_ctx *cx, const struct cmd_new *n, struct profile *p,
    struct link *l, struct buf *text, const uint8_t sig[SIGN_LEN],
    struct buf *sides, size_t n_sides)
{
	struct errinfo e = {.text = ""};
	struct order_create form;
	struct replica *c = NULL;
	json_t *params;
	struct order o;
	int64_t seq;
	size_t i;
	int r, status;

	if ((r = order_parse(buf_str(text), text->len, &o, &e)) != 0)
		return (cmd_fail(r, &e));
	if ((r = order_create_parse(&o, &form, &e)) != 0) {
		order_clear(&o);
		return (cmd_fail(r, &e));
	}
	r = replica_open(p, o.game, &c, &e);
	for (i = 0; r == 0 && i < n_sides; i++)
		r = replica_add_side(c, buf_str(&sides[i]), sides[i].len, &e);
	if (r == 0)
		r = replica_keep(c, &e);
	if (r == 0)
		r = replica_set_name(p, n->nick, o.game, &e);
	if (r == 0) {
		params = xalloc_json(json_pack("{s:s, s:o, s:o}", "order",
		    buf_str(text), "sig", js_hex(sig, SIGN_LEN), "key",
		    js_hex(p->keys.sign.public_key, SIGN_KEY_LEN)));
		if (json_array_size(n->invited) > 0)
			xalloc_set(params, "invite", xalloc_copy(n->invited));
		if (n->texts != NULL)
			xalloc_set(params, "texts", xalloc_copy(n->texts));
		r = send_store(c, "game.create", params, &e);
	}
	if (r != 0) {
		status = cmd_fail(r, &e);
		if (c != NULL)
			send_undo(c);
	} else if ((status = send_deliver(l, c, &seq)) == EX_OK) {
		cmd_new_tell(cx, n, p, &form, o.game);
	}
	replica_close(c);
	order_clear(&o);
	return (status);
}

/*
 * Names the player in the create order, as a text beside it; its side line
 * goes into side, which stays empty without a name.
 */
static int
cmd_new_name(
    struct cmd_new *n, const struct profile *p, json_t *args, struct buf *side)
{
	uint8_t ref[HASH_LEN], salt[RECORD_SALT_LEN];
	if (p->display == NULL)
		return (0);
	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_text_ref(ref, salt, p->display, strlen(p->display)) != 0)
		return (EX_SOFTWARE);
	record_write_text(side, ref, salt, p->display, strlen(p->display));
	xalloc_set(args, "name", js_hex(ref, HASH_LEN));
	n->texts = xalloc_json(json_pack("[{s:o, s:o}]", "salt",
	    js_hex(salt, sizeof(salt)), "value", xalloc_json_str(p->display)));
	return (0);
}

/*
 * The args of the create order, but for the player's name; tables are the
 * hashes of the game's own ones.  New.
 */
static json_t *
cmd_new_args(const struct cmd_new *n, const struct profile *p,
    const uint8_t roster[HASH_LEN], json_t *tables,
    const uint8_t server_dice[VRF_KEY_LEN])
{
	static const uint8_t zeros[HASH_LEN];
	json_t *args = xalloc_copy(n->terms), *more;

	more = json_pack("{s:I, s:o, s:o, s:s, s:i, s:o, s:s, s:s, s:O, "
			 "s:O, s:o, s:o}",
	    "seat", (json_int_t)n->seat, "key",
	    js_hex(p->keys.sign.public_key, SIGN_KEY_LEN), "dice_key",
	    js_hex(p->keys.dice.public_key, VRF_KEY_LEN), "account", p->account,
	    "kn", 0, "kprev", js_hex(zeros, HASH_LEN), "system", n->sys->id,
	    "rules", n->sys->version, "rulings", n->rulings, "tables", tables,
	    "roster", js_hex(roster, HASH_LEN), "server_dice",
	    js_hex(server_dice, VRF_KEY_LEN));
	if (json_object_update_new(args, xalloc_json(more)) != 0)
		xalloc_die();
	cmd_new_event(n, args);
	return (args);
}

/* Puts the blobs, makes the order. */
static int
cmd_new_create(
    struct cmd_ctx *cx, struct cmd_new *n, struct profile *p, struct link *l)
{
	uint8_t hash[HASH_LEN], roster[HASH_LEN], sig[SIGN_LEN];
	size_t i, count = 1 + json_array_size(n->tables);
	struct buf *sides, text;
	json_t *args, *keys, *tables;
	int r, status;

	/* The blobs, and the player's name after them. */
	sides = xalloc((count + 1) * sizeof(*sides));
	buf_init(&text, 0);
	tables = xalloc_json(json_array());
	keys = xalloc_json(json_object());
	if ((status = account_args(l, keys)) == 0)
		status = link_put_blob(l, n->roster, roster, &sides[0]);
	for (i = 1; status == 0 && i < count; i++) {
		status = link_put_blob(
		    l, json_array_get(n->tables, i - 1), hash, &sides[i]);
		xalloc_append(tables, js_hex(hash, HASH_LEN));
	}
	if (status == 0) {
		args = cmd_new_args(n, p, roster, tables, l->server_dice);
		if (json_object_update(args, keys) != 0)
			xalloc_die();
		status = cmd_new_name(n, p, args, &sides[count]);
		r = game_make_create(
		    p->pin, &p->keys, args, clock_wall_ms(), &text, sig);
		json_decref(args);
		if (status == 0 && p->display != NULL)
			count++;
		if (status != 0 || r != 0) {
			out_error("cannot sign the order: %s", err_text(r));
			status = EX_SOFTWARE;
		} else {
			status =
			    cmd_new_send(cx, n, p, l, &text, sig, sides, count);
		}
	}
	for (i = 0; i < count; i++)
		buf_clear(&sides[i]);
	free(sides);
	buf_clear(&text);
	json_decref(keys);
	json_decref(tables);
	return (status);
}

/* The hash of a blob that is not put anywhere. */
static void
cmd_new_hash(const json_t *blob, uint8_t hash[HASH_LEN])
{
	struct buf b;

	buf_init(&b, 0);
	js_dump(blob, &b);
	if (record_blob_hash(hash, buf_str(&b), b.len) != 0)
		xalloc_die();
	buf_clear(&b);
}

/* What would be opened, for programs; new. */
static json_t *
cmd_new_check_json(const struct cmd_new *n)
{
	json_t *v;

	v = xalloc_json(json_pack("{s:s?, s:s, s:I, s:O, s:O, s:O, s:o}",
	    "name", n->nick, "rules", n->sys->version, "seat",
	    (json_int_t)n->seat, "rulings", n->rulings, "settings", n->terms,
	    "invited", n->invited, "data",
	    n->installed == NULL ? json_null()
				 : xalloc_json_str(n->installed)));
	cmd_new_json_event(n, v);
	return (v);
}

/* Tells what would be opened, and by which order; nothing is sent. */
static int
cmd_new_check(
    struct cmd_ctx *cx, const struct cmd_new *n, const struct profile *p)
{
	uint8_t hash[HASH_LEN], sig[SIGN_LEN];
	struct errinfo e = {.text = ""};
	struct order_create form;
	json_t *args, *tables, *v;
	struct order o;
	struct buf text;
	size_t i;
	int r, status;

	if ((status = link_need_account(p)) != 0)
		return (status);
	tables = xalloc_json(json_array());
	json_array_foreach(n->tables, i, v)
	{
		cmd_new_hash(v, hash);
		xalloc_append(tables, js_hex(hash, HASH_LEN));
	}
	cmd_new_hash(n->roster, hash);
	/* The server is not asked: any key stands for its dice key. */
	args = cmd_new_args(n, p, hash, tables, p->keys.dice.public_key);
	buf_init(&text, 0);
	r = game_make_create(
	    p->pin, &p->keys, args, clock_wall_ms(), &text, sig);
	json_decref(args);
	json_decref(tables);
	if (r == 0)
		r = order_parse(buf_str(&text), text.len, &o, &e);
	buf_clear(&text);
	if (r != 0)
		return (cmd_fail(r, &e));
	if ((r = order_create_parse(&o, &form, &e)) != 0) {
		order_clear(&o);
		return (cmd_fail(r, &e));
	}
	if (cx->out.is_json)
		out_json(&cx->out, cmd_new_check_json(n));
	out_title(&cx->out, "This game would be opened:");
	cmd_new_tell_settings(cx, n, &form);
	cmd_new_tell_invited(&cx->out, n);
	if (n->nick != NULL)
		out_print(&cx->out, "  name     %s\n", n->nick);
	out_print(&cx->out,
	    "\nNothing was sent.  The same command without --check opens "
	    "it.\n");
	order_clear(&o);
	return (EX_OK);
}

/* Checks everything here first, then asks the server. */
static int
cmd_new_run(struct cmd_ctx *cx)
{
	struct cmd_new n = {.sys = NULL};
	struct errinfo e = {.text = ""};
	struct link *l = NULL;
	struct profile *p;
	int r, status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((status = cmd_new_options(cx, p, &n)) == 0) {
		if ((r = profile_load_keys(p, &e)) != 0)
			status = cmd_fail(r, &e);
		else if (opt_has(&cx->opts, "check"))
			status = cmd_new_check(cx, &n, p);
		else if ((status = link_open(cx, p, &l)) == 0 &&
		    (status = link_login(l)) == 0 &&
		    (status = link_check_clock(l)) == 0 &&
		    (status = new_witness_choose(
			 cx, l, n.terms, n.is_rematch)) == 0)
			status = cmd_new_create(cx, &n, p, l);
	}
	json_decref(n.roster);
	json_decref(n.rulings);
	json_decref(n.tables);
	json_decref(n.terms);
	json_decref(n.invited);
	json_decref(n.texts);
	free(n.installed);
	link_close(l);
	profile_free(p);
	return (status);
}

static const struct opt_def cmd_new_opts[] = {
    {"system", 0, "ID", false, "rule system; the roster's, if not given"},
    {"roster", 0, "FILE|NAME", false, "both sides' order of battle"},
    {"rematch", 0, "GAME", false,
	"like this game of yours, with sides changed"},
    {"seat", 0, "1|0", false, "1 moves first (default), 0 directs"},
    {"ruling", 0, "NAME=VALUE", true, "how an open question is settled"},
    {"tables", 0, "FILE", true, "tables in place of the usual ones"},
    {"bag", 0, "FILE", false, "a bag of chits in place of the usual one"},
    {"scheme", 0, "dual-1|live-1", false, "how dice are made (dual-1)"},
    {"witness", 0, "NAME|none", false, "a witness is the third hand for dice"},
    {"secret", 0, "held|sealed", false, "who keeps secret choices (held)"},
    {"confirm", 0, NULL, false, "declared combats wait to be agreed to"},
    {"facts", 0, NULL, false, "so does what decides units' fates on a table"},
    {"clock", 0, "CLOCK", false, "such as 3d/order,grace=12h; or none"},
    {"silence", 0, "WHO", false, "an answer owed too long: forfeit|director"},
    {"seats", 0, "N", false, "players, 2 to 16 (default 2)"},
    {"director", 0, NULL, false, "there is a director, in seat 0"},
    {"no-takeback", 0, NULL, false, "nothing can be taken back"},
    {"owner-field", 0, "NAME", true, "a side may change this in its units"},
    {"delay", 0, "2t|90m", false, "others see turns or minutes later"},
    {"private", 0, NULL, false, "only players and those invited see it"},
    {"invite", 0, "ACCOUNT", true, "only those invited can join"},
    {"event", 0, "TEXT", false, "the tournament it belongs to"},
    {"round", 0, "N", false, "round of the event"},
    {"table-number", 0, "N", false, "table of the event"},
    {"name", 0, "NICK", false, "what you call the game (default g1 ...)"},
    {"check", 0, NULL, false, "only check it all, and send nothing"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_new = {
    .opts = cmd_new_opts,
    .min_args = 0,
    .max_args = 1, /* refused, with what was meant */
    .run = cmd_new_run,
};
