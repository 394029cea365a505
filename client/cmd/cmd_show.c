/* SPDX-License-Identifier: ISC */
/*
 * umpire show: how a game stands, whose move it is, and the exact commands
 * to type.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/picture.h"
#include "client/play/actions.h"
#include "client/play/commit.h"
#include "client/play/lost_show.h"
#include "client/play/play.h"
#include "client/play/settings.h"
#include "client/play/show.h"
#include "client/play/status.h"
#include "client/profile/invitation.h"
#include "client/replica/recordfile.h"
#include "client/replica/replica.h"
#include "client/replica/standing.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/people.h"
#include "client/report/report.h"
#include "client/report/rosters.h"
#include "client/report/stated.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/game/game_standing.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/rules/systems/systems.h"

/* Standing orders of ours, and whose they are. */
struct cmd_show_own {
	const struct battle *b;
	json_t *list; /* owned: the file of them */
};

/* What a standing order of ours says, for status_standing(). */
static char *
cmd_show_own_cb(void *arg, int64_t seq)
{
	const struct cmd_show_own *own = arg;
	const char *kind, *text, *word;
	char *s = NULL;
	json_t *o;

	text = standing_find(own->b, own->list, seq);
	if (text == NULL ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &o, NULL) != 0)
		return (NULL);
	if (js_get_str(o, "kind", NULL, &kind, NULL) == 0 &&
	    js_get_str(o, "do", NULL, &word, NULL) == 0)
		s = xalloc_printf("%s %s (not open yet)", kind, word);
	json_decref(o);
	return (s);
}

/* Prints the standing orders, ours with what they say. */
static void
cmd_show_standing(struct play *pl)
{
	struct cmd_show_own own = {.b = replica_battle(pl->copy)};
	struct errinfo e = {.text = ""};
	size_t n;

	(void)game_standings(play_game(pl), &n);
	if (n == 0)
		return;
	if (standing_load(pl->p, pl->copy->id, &own.list, &e) != 0) {
		out_note("%s", e.text);
		own.list = xalloc_json(json_array());
	}
	status_standing(&pl->cx->out, play_game(pl), cmd_show_own_cb, &own);
	json_decref(own.list);
}

/* Prints what the game is and where it stands. */
static void
cmd_show_head(struct play *pl)
{
	struct out *o = &pl->cx->out;
	const struct game *g = play_game(pl);
	char hex[2 * HASH_LEN + 1], mark[FINGERPRINT_LEN + 1], when[32];
	char *invitation, *name, *objected;

	hex_format(hex, game_id(g), HASH_LEN);
	out_print(o, "  game     %s\n", hex);
	invitation = game_phase(g) == GAME_MUSTER
	    ? invitation_text(pl->p, game_id(g))
	    : NULL;
	if (invitation != NULL)
		out_print(o, "  invite   %s\n", invitation);
	free(invitation);
	out_print(o, "  system   %s, dice %s\n", game_rules(g),
	    describe_hands_now(g));
	show_rulings(o, g);
	settings_print(o, game_settings(g),
	    game_had_witness(g) && game_witness(g) == NULL);
	show_settings(pl);
	if (status_has_more(g))
		status_players(o, replica_battle(pl->copy));
	if (game_phase(g) == GAME_PLAY) {
		name = battle_side(g, game_side(g));
		out_print(o, "  turn     %d (round %d): %s\n", game_turn(g),
		    game_round(g), name);
		free(name);
	} else {
		out_print(o, "  phase    %s\n", game_phase_name(game_phase(g)));
	}
	out_print(o, "  last     line %lld, %s\n", (long long)game_seq(g),
	    out_time(when, game_at_ms(g)));
	status_keys(o, replica_battle(pl->copy));
	base32_fingerprint(mark, game_head(g));
	out_print(o, "  head     %lld:%s\n", (long long)game_seq(g), mark);
	if ((objected = stated_objections(replica_battle(pl->copy))) != NULL)
		out_row(o, "objected", objected);
	free(objected);
	status_clocks(o, g);
	status_cups(o, g);
	cmd_show_standing(pl);
	if (replica_report(pl->copy)->is_unchecked)
		out_note("Warning: this umpire cannot check the whole record: "
			 "%s",
		    replica_report(pl->copy)->unchecked.text);
}

/*
 * The state for programs: game_view() with "me", "name", "commands" and
 * "losses".
 */
static void
cmd_show_json(struct play *pl, const struct actions *a)
{
	json_t *view = people_view(replica_battle(pl->copy));
	char mark[FINGERPRINT_LEN + 1], *invitation;
	struct rosters *rs;

	xalloc_set(view, "keys", stated_keys_json(play_game(pl)));
	invitation = invitation_text(pl->p, pl->copy->id);
	xalloc_set(view, "invitation",
	    invitation == NULL ? json_null() : xalloc_json_str(invitation));
	free(invitation);
	base32_fingerprint(mark, game_head(play_game(pl)));
	xalloc_set(view, "fingerprint", xalloc_json_str(mark));
	xalloc_set(
	    view, "me", pl->seat < 0 ? json_null() : json_integer(pl->seat));
	xalloc_set(view, "name", xalloc_json_str(pl->name));
	xalloc_set(view, "my_move", json_boolean(a->is_mine));
	xalloc_set(view, "commands", show_commands(pl, a));
	xalloc_set(view, "lost", lost_show_json(pl));
	xalloc_set(view, "offline", json_boolean(pl->link == NULL));
	if (play_is_lapsed(pl))
		xalloc_set(view, "lapsed", json_true());
	rs = rosters_new(replica_battle(pl->copy));
	xalloc_set(view, "losses", rs == NULL ? json_null() : rosters_json(rs));
	rosters_free(rs);
	out_json(&pl->cx->out, view);
}

/* Draws the combat that is open; an exit status. */
static int
cmd_show_picture(struct play *pl)
{
	const struct game *g = play_game(pl);
	const struct rules_system *sys = systems_find(game_system(g));
	int status = EX_DATAERR, r;
	json_t *events = NULL;

	if (game_combat_seq(g) < 0) {
		out_error("no combat is open in %s: there is nothing to draw",
		    pl->name);
		out_note("`umpire log %s --format html` draws those that are "
			 "over.",
		    pl->name);
		return (EX_DATAERR);
	}
	if ((r = game_combat_events(g, &events)) != 0)
		return (cmd_fail(r, &(struct errinfo){.text = ""}));
	if (sys != NULL && json_array_size(events) > 0)
		status = picture_write(pl->cx, sys, events);
	else
		out_error("the combat cannot be drawn: this umpire does not "
			  "know its rules, a newer one may");
	json_decref(events);
	return (status);
}

/* Shows a game. */
static int
cmd_show_run(struct cmd_ctx *cx)
{
	struct report *rp;
	struct play *pl;
	struct actions a;
	int64_t combat;
	int status;

	if ((status = picture_check(cx)) != 0)
		return (status);
	status = play_open(cx, cmd_arg(cx, 0), PLAY_READ, &pl);
	if (status == EX_NOINPUT && recordfile_is_file(cmd_arg(cx, 0)))
		out_note("'%s' is a file: `umpire log FILE` tells a record.",
		    cmd_arg(cx, 0));
	if (status == 0 && picture_is_wanted(cx)) {
		status = cmd_show_picture(pl);
		if (status != 0 || picture_is_all(cx)) {
			play_close(pl);
			return (status);
		}
	}
	if (status != 0)
		return (status);
	actions_find(&a, play_game(pl), replica_battle(pl->copy), pl->seat);
	actions_suggest(&a, play_game(pl), pl->seat);
	if (cx->io == NULL)
		out_page_begin(&cx->out);
	if (cx->out.is_json) {
		cmd_show_json(pl, &a);
	} else if (opt_has(&cx->opts, "rosters")) {
		show_rosters(pl, true);
	} else {
		rp = report_new(&cx->out, replica_battle(pl->copy));
		report_heading(rp, pl->name);
		cmd_show_head(pl);
		show_rosters(pl, false);
		/* The combat that is open, from its declaration on. */
		combat = game_combat_seq(play_game(pl));
		if (combat >= 0)
			report_lines(rp, combat, pl->copy->n - 1, 0, NULL);
		lost_show(pl);
		out_print(&cx->out, "\n");
		if (!play_is_lapsed(pl))
			show_actions(pl, &a);
		else
			out_print(&cx->out,
			    "This game has lapsed: it did not begin, and "
			    "nothing has happened in it for long.\nNobody can "
			    "join it or be ready any more.\n");
		if (play_is_lapsed(pl) && pl->seat > 0)
			out_hint(&cx->out,
			    "Next: umpire cancel %s; `umpire new` opens "
			    "another.\n",
			    pl->name);
		commit_note_missing(pl);
		report_free(rp);
	}
	out_page_end(&cx->out);
	actions_clear(&a);
	play_close(pl);
	return (EX_OK);
}

static const struct opt_def cmd_show_opts[] = {
    {"rosters", 0, NULL, false, "only the rosters, with all names and ratings"},
    PICTURE_OPTION,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_show = {
    .opts = cmd_show_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_show_run,
};
