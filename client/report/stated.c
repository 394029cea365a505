/* SPDX-License-Identifier: ISC */
/* The sentences are the renderer's, which learns names from the combat. */
#include "client/report/stated.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/clocks.h"
#include "common/base/buf.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/json/js.h"
#include "common/rules/show/render.h"
#include "common/rules/systems/systems.h"

/* Makes lines one line: a space for each break and what indents it. */
static void
stated_unfold(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++) {
		if (*s != '\n' && *s != ' ')
			*to++ = *s;
		else if (s[1] != '\n' && s[1] != ' ' && s[1] != '\0')
			*to++ = ' ';
	}
	*to = '\0';
}

char *
stated_unaccepted(const struct game *g, const struct battle *b)
{
	const char *who;
	struct buf list;
	int i;

	buf_init(&list, 0);
	for (i = 0; i < GAME_SEATS; i++) {
		if (!game_asks_accept(g, i))
			continue;
		who = game_account(g, i);
		buf_printf(&list, "%s%s", list.len == 0 ? "" : ", ",
		    b == NULL ? who : b->called(b->arg, who));
	}
	if (list.len > 0)
		return (xalloc_take(&list));
	buf_clear(&list);
	return (NULL);
}

char *
stated_undecided(const struct game *g, const struct battle *b, int64_t seq)
{
	const struct game_offer *list;
	struct buf names;
	size_t i, n;
	int seat;

	buf_init(&names, 0);
	list = game_offers(g, &n);
	for (i = 0; i < n && list[i].seq != seq; i++)
		continue;
	for (seat = 0; i < n && seat < GAME_SEATS; seat++) {
		if (game_is_joined(g, seat) && game_offer_asks(&list[i], seat))
			buf_printf(&names, "%s%s", names.len == 0 ? "" : ", ",
			    b->called(b->arg, game_account(g, seat)));
	}
	if (names.len > 0)
		return (xalloc_take(&names));
	buf_clear(&names);
	return (NULL);
}

char *
stated_words(const struct game *g)
{
	const struct rules_system *sys = systems_find(game_system(g));
	struct render *rd = NULL;
	json_t *events = NULL, *v;
	struct buf b;
	size_t i;
	char *s;

	if (game_fact_owed(g) == NULL)
		return (NULL);
	buf_init(&b, 0);
	if (sys != NULL && (rd = render_new(sys)) == NULL)
		xalloc_die();
	if (rd != NULL && game_combat_events(g, &events) == 0) {
		render_hide_ids(rd);
		render_know(rd, game_roster(g));
		/* The decision is the last. */
		json_array_foreach(events, i, v)
		{
			buf_clear(&b);
			render_event(rd, v, &b);
		}
		json_decref(events);
	}
	render_free(rd);
	s = xalloc_take(&b);
	stated_unfold(s);
	return (s);
}

/* Adds what a seat objected to: the kinds of order, and how often. */
static void
stated_objected(const struct battle *b, int seat, json_t *list)
{
	int counts[ORDER_UNKNOWN + 1] = {0};
	const struct game_entry *en;
	int64_t i;
	int kind;

	for (i = 0; i < battle_lines(b); i++) {
		en = battle_entry(b, i);
		if (en->seat == seat && en->to_fate == GAME_FATE_OBJECTED)
			counts[battle_entry(b, en->to)->kind]++;
	}
	for (kind = 0; kind <= ORDER_UNKNOWN; kind++) {
		if (counts[kind] > 0)
			xalloc_append(list,
			    xalloc_json(json_pack("{s:i, s:s, s:i}", "seat",
				seat, "kind",
				order_kind_name((enum order_kind)kind), "n",
				counts[kind])));
	}
}

json_t *
stated_objections_json(const struct battle *b)
{
	const struct game *g = battle_game(b);
	json_t *list;
	int seat;

	/* Where facts are agreed to, they are counted by what they say. */
	if (game_settings(g)->confirms_facts)
		return (xalloc_json(game_objections(g)));
	list = xalloc_json(json_array());
	for (seat = 0; seat < GAME_SEATS; seat++)
		stated_objected(b, seat, list);
	return (list);
}

char *
stated_objections(const struct battle *b)
{
	const struct game *g = battle_game(b);
	json_t *list = stated_objections_json(b), *v;
	int64_t seat, last = -1, total;
	struct buf out, kinds;
	size_t i, n = json_array_size(list);

	buf_init(&out, 0);
	buf_init(&kinds, 0);
	for (i = 0, total = 0; i < n; i++) {
		v = json_array_get(list, i);
		seat = js_int(v, "seat");
		if (seat != last) {
			total = 0;
			buf_clear(&kinds);
		}
		last = seat;
		total += js_int(v, "n");
		buf_printf(&kinds, "%s%s %lld", kinds.len == 0 ? "" : ", ",
		    js_str(v, "kind"), (long long)js_int(v, "n"));
		if (i + 1 < n &&
		    js_int(json_array_get(list, i + 1), "seat") == seat)
			continue;
		buf_printf(&out, "%s%s %lld (%s)", out.len == 0 ? "" : "; ",
		    game_account(g, (int)seat), (long long)total,
		    buf_str(&kinds));
	}
	buf_clear(&kinds);
	json_decref(list);
	if (out.len == 0) {
		buf_clear(&out);
		return (NULL);
	}
	return (xalloc_take(&out));
}

/* Looks at all orders of a seat. */
static void
stated_clock_of(const struct battle *b, int seat, struct clocks *c)
{
	const struct game_entry *en;
	int64_t i;

	clocks_init(c);
	for (i = 0; i < battle_lines(b); i++) {
		en = battle_entry(b, i);
		if (en->has_now && en->seat == seat)
			clocks_note(c, i, en->at_ms, en->now_ms);
	}
}

char *
stated_clocks(const struct battle *b)
{
	struct clocks c;
	struct buf out;
	char *who;
	int seat, slot;

	buf_init(&out, 0);
	for (slot = 0; slot < GAME_SLOTS; slot++) {
		seat = game_slot_seat(slot);
		stated_clock_of(b, seat, &c);
		if (c.is_told) {
			who = battle_who(b, seat);
			buf_puts(&out,
			    out.len == 0 ? "by the players' own clocks "
					 : "; ");
			clocks_write(&out, who, &c);
			free(who);
		}
		clocks_clear(&c);
	}
	if (out.len == 0) {
		buf_clear(&out);
		return (NULL);
	}
	return (xalloc_take(&out));
}

json_t *
stated_clocks_json(const struct battle *b)
{
	json_t *list = xalloc_json(json_array()), *v;
	struct clocks c;
	int seat, slot;

	for (slot = 0; slot < GAME_SLOTS; slot++) {
		seat = game_slot_seat(slot);
		stated_clock_of(b, seat, &c);
		if (c.is_told) {
			v = xalloc_json(json_pack("{s:i}", "seat", seat));
			clocks_put(v, &c);
			xalloc_append(list, v);
		}
		clocks_clear(&c);
	}
	return (list);
}

json_t *
stated_keys_json(const struct game *g)
{
	json_t *list = xalloc_json(json_array()), *marks;
	char mark[FINGERPRINT_LEN + 1];
	const uint8_t *key;
	int i, seat, slot;

	for (slot = 0; slot < GAME_SLOTS; slot++) {
		seat = game_slot_seat(slot);
		if (game_key(g, seat, 0) == NULL)
			continue;
		marks = xalloc_json(json_array());
		for (i = 0; (key = game_key(g, seat, i)) != NULL; i++) {
			base32_fingerprint(mark, key);
			xalloc_append(marks, xalloc_json_str(mark));
		}
		xalloc_append(list,
		    xalloc_json(
			json_pack("{s:i, s:s, s:o}", "seat", seat, "account",
			    game_account(g, seat), "fingerprints", marks)));
	}
	return (list);
}
