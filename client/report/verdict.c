/* SPDX-License-Identifier: ISC */
/* One record: judged, and told on one screen. */
#include "client/report/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/recorded.h"
#include "client/report/report_end.h"
#include "client/report/stated.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"

bool
verdict_is_known(
    const char *known, const char *account, const uint8_t key[SIGN_KEY_LEN])
{
	char *line, hex[2 * SIGN_KEY_LEN + 1];
	const char *hit, *p;
	bool is_known = false;

	hex_format(hex, key, SIGN_KEY_LEN);
	line = xalloc_printf("%s %s", account, hex);
	for (p = known; !is_known && (hit = strstr(p, line)) != NULL;
	     p = hit + 1)
		is_known = (hit == known || hit[-1] == '\n') &&
		    (hit[strlen(line)] == '\n' || hit[strlen(line)] == '\0');
	free(line);
	return (is_known);
}

/* True if one of the keys that sign for a seat is listed for its account. */
static bool
verdict_knows(const struct verdict *vd, int seat)
{
	const uint8_t *key;
	int i;

	for (i = 0; (key = game_key(vd->g, seat, i)) != NULL; i++) {
		if (verdict_is_known(
			vd->asked->known, game_account(vd->g, seat), key))
			return (true);
	}
	return (false);
}

/* Adds what the lines alone do not show: who people are. */
static void
verdict_look(struct verdict *vd)
{
	const char *account, *who;
	const struct battle *b = vd->b;
	int seat, slot;

	for (slot = 0; slot < GAME_SLOTS; slot++) {
		seat = game_slot_seat(slot);
		if (game_key(vd->g, seat, 0) == NULL)
			continue;
		account = game_account(vd->g, seat);
		who = b->called(b->arg, account);
		if (vd->asked->known != NULL && !verdict_knows(vd, seat))
			overview_look(&vd->overview, "unknown", -1,
			    "no key of %s is on the list of --known", who);
		if (vd->asked->host == NULL ||
		    strcmp(vd->asked->host, account) != 0)
			continue;
		if (seat == GAME_WITNESS)
			overview_look(&vd->overview, "operator", -1,
			    "%s runs the server and is the witness, whose hand "
			    "then counts for nothing: dice are worth what "
			    "those "
			    "from two hands are",
			    who);
		else if (seat > 0 && !game_settings(vd->g)->is_live)
			overview_look(&vd->overview, "operator", -1,
			    "%s runs the server and plays, and could foresee "
			    "their own dice, which come from two hands",
			    who);
	}
}

/* How many combats were taken back. */
static int64_t
verdict_undone(const struct battle *b)
{
	const struct game_entry *en;
	int64_t i, n = 0;

	for (i = 0; i < battle_lines(b); i++) {
		en = battle_entry(b, i);
		n += en->kind == ORDER_DECLARE && en->taken_back >= 0;
	}
	return (n);
}

int
verdict_make(struct verdict *vd, const char *name, struct buf *bytes,
    const struct verdict_asked *asked, struct errinfo *e)
{
	struct verify *held = NULL;
	int r;

	memset(vd, 0, sizeof(*vd));
	vd->name = name;
	vd->asked = asked;
	r = verify_held(
	    buf_str(bytes), bytes->len, &asked->opt, &vd->rep, &held, &vd->why);
	if (r != 0 && r != ERR_BAD) {
		*e = vd->why;
		return (r);
	}
	vd->recorded =
	    recorded_new(buf_str(bytes), bytes->len, vd->rep.lines, held);
	vd->b = recorded_battle(vd->recorded);
	vd->g = battle_game(vd->b);
	vd->is_bad = r == ERR_BAD;
	if (vd->is_bad)
		return (0);
	vd->undone = verdict_undone(vd->b);
	if (vd->g != NULL) {
		overview_init(&vd->overview, vd->b);
		vd->has_overview = true;
		verdict_look(vd);
	}
	return (0);
}

void
verdict_clear(struct verdict *vd)
{
	overview_clear(&vd->overview);
	recorded_free(vd->recorded);
	memset(vd, 0, sizeof(*vd));
}

int
verdict_status(const struct verdict *vd)
{
	if (vd->is_bad)
		return (VERDICT_BAD);
	return (vd->rep.is_unchecked ? VERDICT_UNCHECKED : VERDICT_GOOD);
}

const char *
verdict_word(const struct verdict *vd)
{
	if (vd->is_bad)
		return ("bad");
	return (vd->rep.is_unchecked ? "unchecked" : "good");
}

char *
verdict_bad(int64_t line, const struct errinfo *why)
{
	const char *colon = why->where[0] == '\0' ? "" : ": ";

	if (line == 0)
		return (
		    xalloc_printf("bad: %s%s%s", why->where, colon, why->text));
	return (xalloc_printf("bad at line %lld: %s%s%s", (long long)line,
	    why->where, colon, why->text));
}

char *
verdict_doubt(const struct verify_report *rep, const struct errinfo *why)
{
	if (why != NULL)
		return (verdict_bad(rep->file_line, why));
	if (rep->is_unchecked)
		return (xalloc_printf("not checkable here, line %lld: %s",
		    (long long)rep->unchecked_line, rep->unchecked.text));
	return (NULL);
}

char *
verdict_result(const struct verdict *vd)
{
	const int side = game_winner(vd->g);
	char *s, *winner;

	winner = side == 0 ? NULL : battle_side(vd->g, side);
	s = report_end_result(game_phase(vd->g), game_how(vd->g), winner);
	free(winner);
	return (s);
}

/* The lines that say that others were lost, as JSON; new. */
static json_t *
verdict_restored(const struct verify_report *rep, const struct game *g)
{
	json_t *waits = xalloc_json(json_array());
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (game_asks_accept(g, i))
			xalloc_append(
			    waits, xalloc_json_str(game_account(g, i)));
	}
	return (xalloc_json(json_pack("{s:i, s:I, s:b, s:o}", "times",
	    rep->restored, "line", (json_int_t)rep->restored_seq, "accepted",
	    rep->is_restored_accepted, "waits_for", waits)));
}

/* The keys of all seats, each known or not if that is asked for; new. */
static json_t *
verdict_keys(const struct verdict *vd)
{
	json_t *list = stated_keys_json(vd->g), *v;
	size_t i;

	if (vd->asked->known != NULL)
		json_array_foreach(list, i, v) xalloc_set(v, "known",
		    json_boolean(verdict_knows(vd, (int)js_int(v, "seat"))));
	return (list);
}

/* What is known of the game; members of v. */
static void
verdict_json_game(const struct verdict *vd, json_t *v)
{
	const struct overview *ov = &vd->overview;

	xalloc_set(v, "game", js_hex(game_id(vd->g), HASH_LEN));
	xalloc_set(v, "server", js_hex(game_server(vd->g), SIGN_KEY_LEN));
	xalloc_set(v, "keys", verdict_keys(vd));
	xalloc_set(v, "scheme",
	    json_string(game_settings(vd->g)->is_live ? "live-1" : "dual-1"));
	if (vd->rep.restored > 0)
		xalloc_set(v, "restored", verdict_restored(&vd->rep, vd->g));
	if (!vd->has_overview)
		return;
	xalloc_set(v, "result", overview_result_json(ov));
	xalloc_set(v, "sides", overview_sides_json(ov));
	xalloc_set(v, "rulings", json_integer(ov->sides[0].rulings));
	xalloc_set(
	    v, "rulings_not_in_force", json_integer(ov->sides[0].idle_rulings));
	xalloc_set(v, "judged", json_integer(ov->judged));
	xalloc_set(v, "unjudged", json_integer(ov->unjudged));
	xalloc_set(v, "objections", stated_objections_json(ov->b));
	xalloc_set(
	    v, "fault", ov->fault < 0 ? json_null() : json_integer(ov->fault));
	xalloc_set(v, "texts_missing", json_integer(ov->missing));
	xalloc_set(v, "newcomers", json_incref(ov->newcomers));
	xalloc_set(v, "clocks", stated_clocks_json(ov->b));
	xalloc_set(v, "looks", json_incref(ov->looks));
}

json_t *
verdict_json(const struct verdict *vd)
{
	const struct verify_report *rep = &vd->rep;
	char mark[FINGERPRINT_LEN + 1];
	json_t *v;

	v = xalloc_json(json_pack("{s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, "
				  "s:o}",
	    "name", vd->name, "verdict", verdict_word(vd), "finished",
	    rep->is_finished, "lines", (json_int_t)rep->lines, "combats",
	    (json_int_t)rep->combats, "combats_taken_back",
	    (json_int_t)vd->undone, "rolls", (json_int_t)rep->rolls,
	    "director_answers", (json_int_t)rep->director_answers, "head",
	    rep->lines == 0 ? json_null() : js_hex(rep->head, HASH_LEN)));
	if (rep->lines > 0) {
		base32_fingerprint(mark, rep->head);
		xalloc_set(v, "fingerprint", xalloc_json_str(mark));
	}
	if (vd->g != NULL)
		verdict_json_game(vd, v);
	if (vd->is_bad) {
		xalloc_set(v, "line", json_integer(rep->file_line));
		xalloc_set(v, "where", xalloc_json_str(vd->why.where));
		xalloc_set(v, "why", xalloc_json_str(vd->why.text));
	} else if (rep->is_unchecked) {
		xalloc_set(v, "line", json_integer(rep->unchecked_line));
		xalloc_set(v, "why", xalloc_json_str(rep->unchecked.text));
	}
	return (v);
}

/* Prints a row, and frees its text; NULL is none. */
static void
verdict_row(struct out *o, const char *label, char *s)
{
	if (s != NULL)
		out_row(o, label, s);
	free(s);
}

/* Why a record cannot be judged here, and what to do. */
static void
verdict_print_unchecked(struct out *o, const struct verdict *vd)
{
	const struct verify_report *rep = &vd->rep;

	if (rep->unchecked_line > 0)
		verdict_row(o, "why",
		    xalloc_printf("line %lld: %s",
			(long long)rep->unchecked_line, rep->unchecked.text));
	else
		out_row(o, "why", rep->unchecked.text);
	out_row(
	    o, "", "the chain, the marks and all that could be checked hold");
	if (strstr(rep->unchecked.text, "not at hand") != NULL)
		out_row(o, "",
		    "A record is more than its lines: rosters, tables and bags "
		    "lie beside them, and a combat cannot be run again without "
		    "them.  `umpire export GAME -o FILE` writes a file that "
		    "has them all; of your own copy `umpire verify GAME` finds "
		    "them by itself.");
}

/* What wants looking at, marked. */
static void
verdict_print_looks(struct out *o, const struct verdict *vd)
{
	const json_t *v;
	size_t i;

	json_array_foreach(vd->overview.looks, i, v)
	    out_mark(o, i == 0 ? "look at" : "", js_str(v, "text"));
	if (json_array_size(vd->overview.looks) == 0 && !vd->rep.is_unchecked)
		out_row(o, "look at", "nothing: no more than the game itself");
}

/* Whose the record is, and where it ends. */
static void
verdict_print_head(struct out *o, const struct verdict *vd)
{
	const long long last = (long long)vd->rep.lines - 1;
	char hex[2 * HASH_LEN + 1], mark[FINGERPRINT_LEN + 1];

	if (vd->g != NULL) {
		hex_format(hex, game_id(vd->g), HASH_LEN);
		out_print(o, "  game     %s\n", hex);
		hex_format(hex, game_server(vd->g), SIGN_KEY_LEN);
		base32_fingerprint(mark, game_server(vd->g));
		out_print(o, "  server   %s\n  in short %s\n", hex, mark);
	}
	hex_format(hex, vd->rep.head, HASH_LEN);
	base32_fingerprint(mark, vd->rep.head);
	out_print(o, "  head     %lld:%s\n  in short %lld:%s\n", last, hex,
	    last, mark);
}

/* Who plays, and by which keys. */
static void
verdict_print_players(struct out *o, const struct verdict *vd)
{
	const struct battle *b = vd->b;
	const char *label = "players";
	char mark[FINGERPRINT_LEN + 1];
	const uint8_t *key;
	struct buf s;
	int i, seat, slot;

	for (slot = 0; slot < GAME_SLOTS; slot++) {
		seat = game_slot_seat(slot);
		if (game_key(vd->g, seat, 0) == NULL)
			continue;
		buf_init(&s, 0);
		if (seat == 0)
			buf_printf(&s, "the director, ");
		else if (seat == GAME_WITNESS)
			buf_printf(&s, "the witness, ");
		else
			buf_printf(&s, "seat %d, ", seat);
		buf_printf(
		    &s, "%s:", b->called(b->arg, game_account(vd->g, seat)));
		for (i = 0; (key = game_key(vd->g, seat, i)) != NULL; i++) {
			base32_fingerprint(mark, key);
			buf_printf(&s, "%s %s", i == 0 ? "" : ",", mark);
		}
		if (vd->asked->known != NULL)
			buf_puts(&s,
			    verdict_knows(vd, seat) ? ", known"
						    : ", not known");
		verdict_row(o, label, xalloc_take(&s));
		label = "";
	}
}

/* What the sides did beside playing. */
static void
verdict_print_sides(struct out *o, const struct verdict *vd)
{
	const struct overview *ov = &vd->overview;
	char *name, *words;
	int side;

	for (side = 1; side <= 2; side++) {
		name = battle_side(vd->g, side);
		words = overview_side_words(ov, side);
		verdict_row(o, side == 1 ? "sides" : "",
		    xalloc_printf("%s: %s", name, words));
		free(words);
		free(name);
	}
	if (game_is_seat(vd->g, 0)) {
		words = overview_side_words(ov, 0);
		verdict_row(o, "", xalloc_printf("the director: %s", words));
		free(words);
	}
	verdict_row(o, "objected", stated_objections(ov->b));
	if ((words = overview_director_words(ov)) != NULL)
		out_print(o, "  %s\n", words);
	free(words);
}

/* Lines that were lost, for people. */
static void
verdict_print_restored(struct out *o, const struct verdict *vd)
{
	const struct verify_report *rep = &vd->rep;
	char *who = stated_unaccepted(vd->g, NULL);

	verdict_row(o, "lost",
	    xalloc_printf("lines were lost from %lld on%s; %s%s",
		(long long)rep->restored_seq,
		rep->restored > 1 ? ", and before that, too" : "",
		rep->is_restored_accepted ? "all players have accepted that"
		    : who == NULL         ? "not all players accepted that"
					  : "not yet accepted by ",
		rep->is_restored_accepted || who == NULL ? "" : who));
	free(who);
}

/* Seats that were given to somebody else, for people. */
static void
verdict_print_newcomers(struct out *o, const struct verdict *vd)
{
	const struct battle *b = vd->b;
	const json_t *v;
	char *left;
	size_t i;

	json_array_foreach(vd->overview.newcomers, i, v)
	{
		left = xalloc_str(b->called(b->arg, js_str(v, "left")));
		verdict_row(o, i == 0 ? "seats" : "",
		    xalloc_printf("seat %lld went from %s to %s in line %lld",
			(long long)js_int(v, "seat"), left,
			b->called(b->arg, js_str(v, "came")),
			(long long)js_int(v, "accepted")));
		free(left);
	}
}

void
verdict_print(struct out *o, const struct verdict *vd)
{
	const struct verify_report *rep = &vd->rep;

	out_title(o, "%s: %s, %s", vd->name,
	    rep->is_unchecked ? "not checkable here" : "good",
	    rep->is_finished ? "finished" : "unfinished");
	if (rep->is_unchecked)
		verdict_print_unchecked(o, vd);
	if (vd->has_overview)
		verdict_print_looks(o, vd);
	verdict_print_head(o, vd);
	out_print(o, "  lines    %lld\n  combats  %lld %s",
	    (long long)rep->lines, (long long)rep->combats,
	    rep->is_unchecked ? "in the record" : "run again");
	if (vd->undone > 0)
		out_print(o, ", %lld taken back", (long long)vd->undone);
	out_print(o, "\n  dice     %lld checked%s%s\n", (long long)rep->rolls,
	    vd->g == NULL ? "" : ", ",
	    vd->g == NULL ? "" : describe_hands_now(vd->g));
	if (!vd->has_overview)
		return;
	verdict_row(o, "result", verdict_result(vd));
	verdict_print_players(o, vd);
	verdict_print_sides(o, vd);
	if (rep->restored > 0)
		verdict_print_restored(o, vd);
	verdict_print_newcomers(o, vd);
	if (vd->overview.missing > 0)
		verdict_row(o, "missing",
		    xalloc_printf("%lld %s not here: erased, lost, or for one "
				  "side alone",
			(long long)vd->overview.missing,
			vd->overview.missing == 1 ? "text is" : "texts are"));
	verdict_row(o, "clocks", stated_clocks(vd->overview.b));
}
