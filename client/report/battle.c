/* SPDX-License-Identifier: ISC */
#include "client/report/battle.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"

const struct game *
battle_game(const struct battle *b)
{
	return (verify_game(b->verify(b->arg)));
}

const struct verify_report *
battle_proof(const struct battle *b)
{
	return (verify_report(b->verify(b->arg)));
}

int64_t
battle_lines(const struct battle *b)
{
	return (battle_proof(b)->lines);
}

const struct game_entry *
battle_entry(const struct battle *b, int64_t seq)
{
	static const struct game_entry none = {
	    .seq = -1,
	    .kind = ORDER_UNKNOWN,
	    .seat = -1,
	    .combat = -1,
	    .waits_for = -1,
	    .to = -1,
	    .from = -1,
	    .fate_by = -1,
	    .taken_back = -1,
	};
	const struct game_entry *en;

	en = game_history_get(verify_history(b->verify(b->arg)), seq);
	return (en == NULL ? &none : en);
}

bool
battle_is_undoable(const struct battle *b, int64_t seq)
{
	return (
	    game_history_is_undoable(verify_history(b->verify(b->arg)), seq));
}

bool
battle_read(const struct battle *b, int64_t seq, struct battle_line *bl)
{
	const char *line;
	struct errinfo e;
	size_t len;

	memset(bl, 0, sizeof(*bl));
	if ((line = b->line(b->arg, seq, &len)) == NULL)
		return (false);
	if (record_parse(line, len, &bl->ln, &e) == 0 &&
	    bl->ln.kind == RECORD_ORDER &&
	    order_parse(bl->ln.text, bl->ln.text_len, &bl->o, &e) == 0)
		return (true);
	record_clear(&bl->ln);
	memset(bl, 0, sizeof(*bl));
	return (false);
}

void
battle_clear(struct battle_line *bl)
{
	order_clear(&bl->o);
	record_clear(&bl->ln);
	memset(bl, 0, sizeof(*bl));
}

const char *
battle_lack_words(const struct battle *b, const char *hex)
{
	switch (b->lack(b->arg, hex)) {
	case BATTLE_LACK_ERASED:
		return ("(erased)");
	case BATTLE_LACK_LOST:
		return ("(lost by the server)");
	case BATTLE_LACK_UNKNOWN:
		break;
	}
	return ("(not held here)");
}

const char *
battle_why_ref(const struct order *o)
{
	const char *ref = js_str(o->args, "why");

	return (ref == NULL ? js_str(o->args, "for") : ref);
}

const char *
battle_why(const struct battle *b, const struct order *o)
{
	const char *ref = battle_why_ref(o), *text;

	if (ref == NULL)
		return (NULL);
	text = b->text(b->arg, ref);
	return (text == NULL ? battle_lack_words(b, ref) : text);
}

const char *
battle_account(const struct battle *b, int seat, int64_t seq)
{
	const char *former =
	    game_history_former(verify_history(b->verify(b->arg)), seat, seq);
	const struct game_entry *en;
	int64_t i;

	if (former != NULL)
		return (former);
	/* Nobody can join, or be refused, in a game that has begun. */
	for (i = 0; i <= seq; i++) {
		en = battle_entry(b, i);
		if (en->turn > 0)
			break;
		if (en->kind == ORDER_JOIN && en->seat == seat &&
		    en->fate == GAME_FATE_REFUSED && en->fate_by > seq)
			return (en->account);
	}
	return (game_account(battle_game(b), seat));
}

char *
battle_side(const struct game *g, int side)
{
	return (battle_side_named(game_side_name(g, side), side));
}

char *
battle_side_named(const char *name, int side)
{
	if (name == NULL || *name == '\0')
		return (xalloc_printf("side %d", side));
	return (text_safe(name));
}

char *
battle_players(const struct battle *b, int side)
{
	const struct game *g = battle_game(b);
	const char *account;
	struct buf list;
	int seat;

	buf_init(&list, 0);
	for (seat = 1; seat <= game_seats(g); seat++) {
		account = game_account(g, seat);
		if (game_side_of(seat) == side && *account != '\0')
			buf_printf(&list, "%s%s", list.len == 0 ? "" : ", ",
			    b->called(b->arg, account));
	}
	return (xalloc_take(&list));
}

/* What the account in a seat is called there, "" that of nobody; free(). */
static char *
battle_called(const struct battle *b, int seat, const char *account)
{
	if (seat == GAME_WITNESS)
		return (xalloc_str("the witness"));
	if (*account != '\0')
		return (xalloc_str(b->called(b->arg, account)));
	return (seat == 0 ? xalloc_str("the director")
			  : xalloc_printf("seat %d", seat));
}

char *
battle_who(const struct battle *b, int seat)
{
	return (battle_called(b, seat,
	    seat >= 0 && seat < GAME_SEATS ? game_account(battle_game(b), seat)
					   : ""));
}

char *
battle_who_then(const struct battle *b, int seat, int64_t seq)
{
	return (battle_called(b, seat,
	    seat >= 0 && seat < GAME_SEATS ? battle_account(b, seat, seq)
					   : ""));
}
