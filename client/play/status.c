/* SPDX-License-Identifier: ISC */
/* The parts of `umpire show` that know no rule system. */
#include "client/play/status.h"

#include <stdlib.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/game/game_clock.h"
#include "common/game/game_cup.h"
#include "common/game/game_standing.h"

/* Prints a label of up to eight letters and a text, which it frees. */
static void
status_line(struct out *o, const char *label, char *text)
{
	out_row(o, label, text);
	free(text);
}

void
status_players(struct out *o, const struct battle *b)
{
	const struct game *g = battle_game(b);
	const char *account, *label = "players";
	char *name;
	int seat;

	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (!game_is_seat(g, seat))
			continue;
		account = game_account(g, seat);
		name = seat == 0 ? xalloc_str("the director")
				 : battle_side(g, game_side_of(seat));
		status_line(o, label,
		    xalloc_printf("seat %d, %s: %s", seat, name,
			*account == '\0' ? "(free)"
					 : b->called(b->arg, account)));
		label = "";
		free(name);
	}
	if (!game_had_witness(g))
		return;
	account = game_account(g, GAME_WITNESS);
	status_line(o, label,
	    xalloc_printf("the witness: %s%s",
		*account == '\0' ? "(not there yet)"
				 : b->called(b->arg, account),
		game_witness(g) == NULL ? ", out: the players answer rolls"
					: ""));
}

void
status_keys(struct out *o, const struct battle *b)
{
	const struct game *g = battle_game(b);
	const char *label = "keys";
	char mark[FINGERPRINT_LEN + 1];
	const uint8_t *key;
	int i, seat, slot;

	for (slot = 0; slot < GAME_SLOTS; slot++) {
		seat = game_slot_seat(slot);
		for (i = 0; (key = game_key(g, seat, i)) != NULL; i++) {
			base32_fingerprint(mark, key);
			status_line(o, label,
			    xalloc_printf("%s: %s",
				b->called(b->arg, game_account(g, seat)),
				mark));
			label = "";
		}
	}
}

bool
status_has_more(const struct game *g)
{
	return (game_seats(g) > 2 || game_is_seat(g, 0) || game_had_witness(g));
}

/* Prints one side's clock. */
static void
status_clock(struct out *o, const struct game *g, int side, const char *label)
{
	const struct game_clock_side *clock = &game_clock(g)->sides[side];
	const int64_t now = clock_wall_ms(), until = game_deadline_ms(g, side);
	char when[32], *name, *words;
	struct buf b;

	name = battle_side(g, side);
	buf_init(&b, 0);
	buf_printf(&b, "%s: ", name);
	free(name);
	if (until >= 0) {
		words = duration_due(now, until);
		buf_printf(&b, "%s until %s, %s",
		    until > now ? "runs" : "ran out: it had",
		    out_time(when, until), words);
	} else {
		words = duration_words(clock->left / 1000);
		buf_printf(&b, "stands still, %s left", words);
	}
	free(words);
	if (clock->holidays > 0)
		buf_printf(&b, "; %lld day%s of holiday left",
		    (long long)clock->holidays,
		    clock->holidays == 1 ? "" : "s");
	if (clock->away_until > now && clock->away_until > game_at_ms(g))
		buf_printf(
		    &b, "; away until %s", out_time(when, clock->away_until));
	status_line(o, label, xalloc_take(&b));
}

void
status_clocks(struct out *o, const struct game *g)
{
	const struct game_clock *clock = game_clock(g);
	char when[32];

	if (clock == NULL)
		return;
	status_clock(o, g, 1, "time");
	status_clock(o, g, 2, "");
	if (clock->paused_until > clock_wall_ms() &&
	    clock->paused_until > game_at_ms(g))
		out_print(o, "  %-8s until %s\n", "paused",
		    out_time(when, clock->paused_until));
}

/* Appends "N in (a, b)" or "N out". */
static void
status_chits(struct buf *b, const json_t *list, const char *where)
{
	const json_t *v;
	size_t i;

	buf_printf(b, "%zu %s", json_array_size(list), where);
	json_array_foreach(list, i, v)
	    buf_printf(b, "%s%s%s", i == 0 ? " (" : ", ", json_string_value(v),
		i + 1 == json_array_size(list) ? ")" : "");
}

void
status_cups(struct out *o, const struct game *g)
{
	const struct game_cup *cups;
	struct buf b;
	size_t i, n;

	cups = game_cups(g, &n);
	for (i = 0; i < n; i++) {
		buf_init(&b, 0);
		buf_printf(&b, "%s: ", cups[i].name);
		status_chits(&b, cups[i].in, "in");
		buf_puts(&b, ", ");
		status_chits(&b, cups[i].out, "out");
		status_line(o, i == 0 ? "cups" : "", xalloc_take(&b));
	}
}

void
status_standing(struct out *o, const struct game *g,
    char *(*own)(void *arg, int64_t seq), void *arg)
{
	const struct game_standing *list;
	const char *kind, *label = "standing", *word;
	char *name, *says;
	json_t *said;
	size_t i, n;

	list = game_standings(g, &n);
	for (i = 0; i < n; i++) {
		if (list[i].is_withdrawn)
			continue;
		if (game_standing_read(&list[i], &said, &kind, &word) == 0) {
			says = xalloc_printf("%s %s%s", kind, word,
			    list[i].is_open ? "" : " (never acted)");
			json_decref(said);
		} else if ((says = own(arg, list[i].seq)) == NULL) {
			says = xalloc_str("not open yet");
		}
		name = battle_side(g, game_side_of(list[i].seat));
		status_line(o, label,
		    xalloc_printf("line %lld, %s: %s", (long long)list[i].seq,
			name, says));
		label = "";
		free(name);
		free(says);
	}
}
