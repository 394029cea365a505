/* SPDX-License-Identifier: ISC */
/*
 * The proof of each die: what was fixed before it fell, who proved what over
 * that, and how numbers came of it (umpire-record.7, S6 and S7), so that
 * anybody can go the same way.  No words of people stand here.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc_dice.h"
#include "client/report/markup.h"
#include "common/base/err.h"
#include "common/base/hex.h"
#include "common/crypt/vrf.h"
#include "common/crypt/vrf_memo.h"
#include "common/game/game_dice.h"
#include "common/json/js.h"
#include "web/page/page_int.h"

/* What a line's dice follow from. */
struct page_proof {
	const struct page_game *g;
	struct battle_line line; /* with the dice */
	struct battle_line asked; /* whose order has own; if it is another */
	bool has_asked;
	uint8_t pool[HASH_LEN];
	int64_t pool_seq; /* the line that moved it so; -1 */
	const char *place;
	/* What the two players have proved; what the server has. */
	uint8_t own[VRF_PROOF_LEN], other[VRF_PROOF_LEN], proof[VRF_PROOF_LEN];
	int own_seat, other_seat;
	bool has_own, has_other, has_proof;
};

bool
page_dice_fell(const struct battle *b, int64_t seq)
{
	struct battle_line bl;
	bool fell;

	if (!battle_read(b, seq, &bl))
		return (false);
	fell = json_array_size(json_object_get(bl.ln.dice, "rolls")) > 0;
	battle_clear(&bl);
	return (fell);
}

/* Takes a proof out of a member in hex. */
static bool
page_proof_read(const json_t *obj, const char *name, uint8_t *proof)
{
	const char *hex = js_str(obj, name);

	return (hex != NULL &&
	    hex_parse(proof, VRF_PROOF_LEN, hex, strlen(hex)) == 0);
}

/* Finds the pool under which the line drew. */
static void
page_proof_pool(struct page_proof *p, int64_t seq)
{
	const char *line;
	struct record_line ln;
	struct errinfo e;
	size_t len;

	p->pool_seq = -1;
	for (seq--; seq >= 0 && p->pool_seq < 0; seq--) {
		line = p->g->b->line(p->g->b->arg, seq, &len);
		if (line == NULL || record_parse(line, len, &ln, &e) != 0)
			continue;
		if (ln.has_pool) {
			memcpy(p->pool, ln.pool, HASH_LEN);
			p->pool_seq = seq;
		}
		record_clear(&ln);
	}
}

/* Reads what there is; false if no dice fell. */
static bool
page_proof_make(struct page_proof *p, const struct page_game *g, int64_t seq)
{
	const struct battle *b = g->b;
	const struct battle_line *from;
	int64_t to;

	memset(p, 0, sizeof(*p));
	p->g = g;
	if (!battle_read(b, seq, &p->line))
		return (false);
	p->place = js_str(p->line.ln.dice, "place");
	if (p->place == NULL) {
		battle_clear(&p->line);
		return (false);
	}
	page_proof_pool(p, seq);
	/* An answer lets go on what another line has asked for. */
	to = battle_entry(b, seq)->to;
	from = &p->line;
	if (!p->line.o.has_own && to >= 0 && battle_read(b, to, &p->asked)) {
		p->has_asked = true;
		from = &p->asked;
	}
	p->has_own = from->o.has_own;
	if (p->has_own)
		memcpy(p->own, from->o.own, VRF_PROOF_LEN);
	p->own_seat = from->ln.seat;
	p->has_other = page_proof_read(p->line.o.args, "other", p->other);
	p->other_seat = p->line.ln.seat;
	p->has_proof = page_proof_read(p->line.ln.dice, "proof", p->proof);
	return (true);
}

/* Frees what it holds. */
static void
page_proof_clear(struct page_proof *p)
{
	battle_clear(&p->line);
	if (p->has_asked)
		battle_clear(&p->asked);
}

/* A row of bytes. */
static void
page_proof_bytes(
    struct buf *b, const char *name, const uint8_t *bytes, size_t n)
{
	markup_add(b, "<div><dt>%s</dt><dd>", name);
	buf_hex(b, bytes, n);
	buf_puts(b, "</dd></div>\n");
}

/* A row of text. */
static void
page_proof_text(struct buf *b, const char *name, const char *value)
{
	markup_add(b, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

/* A proof of a player with its output. */
static void
page_proof_seat(struct buf *b, const struct page_proof *p, const char *tag,
    int seat, const uint8_t *proof)
{
	const struct game *g = battle_game(p->g->b);
	const uint8_t *key = seat == 0 || game_is_joined(g, seat)
	    ? game_dice_key(g, seat)
	    : NULL;
	uint8_t beta[VRF_BETA_LEN], input[VRF_MEMO_MAX];
	size_t n;

	if (game_dice_input(game_id(g), p->pool, tag, p->place, input, &n) == 0)
		page_proof_bytes(b, "Proved over", input, n);
	page_proof_bytes(b, "Proof", proof, VRF_PROOF_LEN);
	if (key != NULL)
		page_proof_bytes(
		    b, "Dice key of the seat now", key, VRF_KEY_LEN);
	if (vrf_output(proof, beta) == 0)
		page_proof_bytes(b, "Output", beta, VRF_BETA_LEN);
}

/* What the server proved, and its output. */
static void
page_proof_server(struct buf *b, const struct page_proof *p)
{
	const struct game *g = battle_game(p->g->b);
	uint8_t alpha[VRF_MEMO_MAX], beta[VRF_BETA_LEN];
	uint8_t own[VRF_BETA_LEN], other[VRF_BETA_LEN];
	size_t n;

	buf_puts(b,
	    "<section aria-labelledby=\"server\"><h2 id=\"server\">The "
	    "server's proof</h2>\n<p>The server proves over alpha: the place "
	    "and what the players' proofs gave. It has no choice: there is one "
	    "output for each alpha and key.</p>\n<dl class=\"ids\">\n");
	if (p->has_own && vrf_output(p->own, own) == 0 &&
	    (!p->has_other || vrf_output(p->other, other) == 0) &&
	    game_dice_alpha(game_id(g), p->pool, p->place, own,
		p->has_other ? other : NULL, alpha, &n) == 0)
		page_proof_bytes(b, "Alpha", alpha, n);
	page_proof_bytes(
	    b, "Server's dice key", game_server_dice(g), VRF_KEY_LEN);
	if (p->has_proof) {
		page_proof_bytes(b, "Proof", p->proof, VRF_PROOF_LEN);
		if (vrf_output(p->proof, beta) == 0)
			page_proof_bytes(
			    b, "Beta, its output", beta, VRF_BETA_LEN);
	}
	buf_puts(b, "</dl></section>\n");
}

/* The rolls of the line. */
static void
page_proof_rolls(struct buf *b, const struct page_proof *p)
{
	const json_t *roll, *dice;
	const char *label;
	size_t i;

	buf_puts(b,
	    "<section aria-labelledby=\"rolls\"><h2 id=\"rolls\">What fell"
	    "</h2>\n<p>HMAC-SHA256 under beta over the label, the number of "
	    "sides and a counter gives numbers of 16 bits. One that would "
	    "favour a side is passed over; the rest of its division by the "
	    "number of sides, and 1, is a die.</p>\n"
	    "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	    "aria-label=\"Rolls\"><table class=\"units\"><caption>Rolls and "
	    "draws of this line, in their order</caption><thead><tr>"
	    "<th scope=\"col\">Label</th>"
	    "<th scope=\"col\">Out of</th><th scope=\"col\">Fell</th></tr>"
	    "</thead>\n<tbody>\n");
	json_array_foreach(json_object_get(p->line.ln.dice, "rolls"), i, roll)
	{
		label = js_str(roll, "label");
		dice = json_object_get(roll, "dice");
		markup_add(b, "<tr><th scope=\"row\"><code>%s</code></th><td>",
		    label == NULL ? "?" : label);
		if (dice != NULL) {
			markup_add(b, "d%lld</td><td>",
			    (long long)js_int(roll, "sides"));
			doc_dice_html(b, js_int(roll, "sides"), dice);
		} else {
			markup_add(b, "a bag of %lld</td><td>",
			    (long long)js_int(roll, "bag"));
			doc_dice_chits(
			    b, json_object_get(roll, "chits"), markup_text);
		}
		buf_puts(b, "</td></tr>\n");
	}
	buf_puts(b, "</tbody></table></div></section>\n");
}

/* How to do all that again. */
static void
page_proof_again(struct buf *b, const struct page_proof *p)
{
	markup_add(b,
	    "<section aria-labelledby=\"again\"><h2 id=\"again\">Do it "
	    "again</h2>\n<p>All of it, for each die of the game: take "
	    "<a href=\"/g/%s/record.jsonl\">the record</a> and type</p>\n"
	    "<pre tabindex=\"0\">umpire verify record.jsonl</pre>\n"
	    "<p>or <a href=\"/verify\">check it in a browser</a>. By hand: the "
	    "proofs are ECVRF-P256-SHA256-TAI (RFC 9381); the bytes of each "
	    "step are in umpire-record(7), S6 and S7. "
	    "<a href=\"/g/%s/l/%lld\">This line as it was signed</a>.</p>"
	    "</section>\n",
	    p->g->id, p->g->id, (long long)p->line.ln.seq);
}

/* What was fixed before the dice fell. */
static void
page_proof_fixed(struct buf *b, const struct page_proof *p)
{
	char *s;

	buf_puts(b,
	    "<section aria-labelledby=\"fixed\"><h2 id=\"fixed\">What was "
	    "fixed before</h2>\n<p>The place says what the dice are for, the "
	    "pool what everybody had put in before. The same place under the "
	    "same pool gives the same dice, however often an order is "
	    "sent.</p>\n<dl class=\"ids\">\n");
	page_proof_text(b, "Place", p->place);
	if (p->pool_seq >= 0) {
		page_proof_bytes(b, "Pool", p->pool, HASH_LEN);
		s = xalloc_printf("line %lld", (long long)p->pool_seq);
		page_proof_text(b, "Pool since", s);
		free(s);
	}
	buf_puts(b, "</dl></section>\n");
	if (p->has_own) {
		buf_printf(b,
		    "<section aria-labelledby=\"own\"><h2 id=\"own\">The proof "
		    "of seat %d, which acts</h2>\n<dl class=\"ids\">\n",
		    p->own_seat);
		page_proof_seat(b, p, GAME_DICE_OWN, p->own_seat, p->own);
		buf_puts(b, "</dl></section>\n");
	}
	if (p->has_other) {
		buf_printf(b,
		    "<section aria-labelledby=\"other\"><h2 id=\"other\">The "
		    "proof of %s%.0d, which answers</h2>\n"
		    "<dl class=\"ids\">\n",
		    p->other_seat == GAME_WITNESS ? "the witness" : "seat ",
		    p->other_seat == GAME_WITNESS ? 0 : p->other_seat);
		page_proof_seat(b, p, GAME_DICE_OTHER, p->other_seat, p->other);
		buf_puts(b, "</dl></section>\n");
	}
}

int
page_dice(struct buf *b, const struct page_site *s, const struct page_game *g,
    const struct page_plan *plan, int64_t seq)
{
	char *path = xalloc_printf("/g/%s/%lld/dice", g->id, (long long)seq);
	char *title = xalloc_printf(
	    "The dice of line %lld and their proof", (long long)seq);
	const struct page_head h = {.title = title,
	    .about = "What was fixed before these dice fell, who proved what "
		     "over it, and how to work them out again.",
	    .path = path,
	    .is_hidden = true};
	struct page_proof p;
	int r = ERR_NOTFOUND;

	if (page_proof_make(&p, g, seq)) {
		page_begin(b, s, &h);
		markup_add(b,
		    "<h1>%s</h1>\n<p><a href=\"/g/%s/t/%d#l%lld\">Line %lld in "
		    "its "
		    "turn</a></p>\n",
		    title, g->id, page_plan_find(plan, seq)->turn,
		    (long long)seq, (long long)seq);
		page_proof_rolls(b, &p);
		page_proof_fixed(b, &p);
		page_proof_server(b, &p);
		page_proof_again(b, &p);
		page_end(b, s, &h);
		page_proof_clear(&p);
		r = 0;
	}
	free(title);
	free(path);
	return (r);
}
