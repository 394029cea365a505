/* SPDX-License-Identifier: ISC */
/* Pages that are about no game: errors, and the two that run the program. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/doc_look.h"
#include "client/report/markup.h"
#include "client/report/sketch.h"
#include "common/crypt/hash.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "web/page/page_int.h"
#include "web/page/page_static.h"

/* What is said of a status, and where one can go on. */
static const struct page_wrong {
	int status;
	const char *title, *why;
	const char *href, *way;
} page_wrongs[] = {
    {300, "Which game?", "Several games answer to that.", "/", "All games"},
    {400, "That was no address of this site",
	"What was asked for is not written as any address here.", "/",
	"All games"},
    {404, "There is nothing here",
	"No game, line or page that anybody may see has this address.", "/",
	"All games"},
    {405, "That cannot be done here",
	"This site only shows: games are played with umpire.", "/",
	"All games"},
    {409, "That line has not come yet", "The game has no such line so far.",
	"/live", "What is live"},
    {410, "These words were erased",
	"Who wrote them, or the operator, has had them erased.", "/",
	"All games"},
    {414, "That address is too long", "No address here is that long.", "/",
	"All games"},
    {429, "Too much at once",
	"Your address has asked for more than its share. Wait for a minute, "
	"then go on.",
	"/", "All games"},
    {500, "Something went wrong here",
	"This page could not be made. The game and its record are not touched "
	"by that.",
	"/", "All games"},
    {503, "The umpire does not answer",
	"The games are kept elsewhere, and that does not answer now. Try it "
	"again in a minute.",
	"/", "All games"},
};

int
page_error(
    const struct page_site *s, int status, const char *why, struct buf *out)
{
	const size_t n = sizeof(page_wrongs) / sizeof(page_wrongs[0]);
	const struct page_wrong *w = NULL;
	struct page_head h = {.is_hidden = true};
	size_t i;

	for (i = 0; i < n; i++) {
		/* A status without words of its own is told as our fault. */
		if (page_wrongs[i].status == status ||
		    (w == NULL && page_wrongs[i].status == 500))
			w = &page_wrongs[i];
	}
	h.title = w->title;
	page_begin(out, s, &h);
	markup_add(out,
	    "<h1>%s</h1>\n<p>%s</p>\n<p class=\"links\"><a href=\"%s\">%s</a> "
	    "<a href=\"/verify\">Check a record</a></p>\n",
	    w->title, why == NULL || *why == '\0' ? w->why : why, w->href,
	    w->way);
	page_end(out, s, &h);
	return (buf_error(out));
}

/* Where the program is, for the script, as attributes. */
static void
page_fixed_program(struct buf *b, const struct page_site *s)
{
	markup_add(b,
	    " data-worker=\"%s\" data-program=\"%s\" data-hash=\"%s\"",
	    s->worker_js, s->wasm, s->wasm_hash);
}

/* Said where the program is not there, and where no script runs. */
static void
page_fixed_without(
    struct buf *b, const struct page_site *s, const char *command)
{
	if (*s->wasm == '\0')
		markup_add(b,
		    "<p class=\"warning\">This site does without the program "
		    "that would do it here. On your machine <code>%s</code> "
		    "does.</p>\n",
		    command);
	else
		markup_add(b,
		    "<noscript><p class=\"warning\">This needs JavaScript, "
		    "which runs the program. On your machine <code>%s</code> "
		    "does without.</p></noscript>\n",
		    command);
}

/* The three ways to check, and what each can show. */
static void
page_fixed_rungs(struct buf *b, const struct page_site *s)
{
	buf_puts(b,
	    "<section aria-labelledby=\"rungs\"><h2 id=\"rungs\">What this "
	    "shows</h2>\n<ol>\n<li>This page finds accidents, faults and "
	    "other people's changes. A server that lies could give you a page "
	    "that lies, too.</li>\n<li>");
	if (*s->reader != '\0')
		markup_add(b,
		    "<a href=\"%s\" download>The same as a file of your own"
		    "</a>, whose SHA-256 you have compared with the one that "
		    "its release names, ",
		    s->reader);
	else
		buf_puts(b,
		    "The same as a file of your own, "
		    "<code>umpire-reader.html</code>, whose SHA-256 you have "
		    "compared with the one that its release names, ");
	buf_puts(b,
	    "cannot be changed behind your back.</li>\n<li>"
	    "<code>umpire verify</code>, built from sources that anybody can "
	    "read, is the same program without a browser.</li>\n</ol>\n"
	    "<p>None of the three can show what never got into the record: who "
	    "was told what beside the table, or a game of which all players "
	    "and "
	    "the server keep silent.</p></section>\n");
}

/* /verify */
static void
page_fixed_verify(struct buf *b, const struct page_site *s)
{
	buf_puts(b,
	    "<h1>Check a record</h1>\n<p>Every signature, proof and die of a "
	    "game that an umpire kept is checked, every combat is fought "
	    "again, "
	    "and the battle is told. That happens in your browser: the record "
	    "does not leave this machine.</p>\n");
	page_fixed_without(b, s, "umpire verify RECORD.jsonl");
	if (*s->wasm != '\0') {
		buf_puts(b, "<div id=\"check\" hidden");
		page_fixed_program(b, s);
		buf_puts(b,
		    ">\n<p><label for=\"files\">A record is a file that ends "
		    "in .jsonl; the page of a game has a link to its own. Of a "
		    "tournament choose all files of its folder.</label></p>\n"
		    "<p><input type=\"file\" id=\"files\" accept=\".jsonl\" "
		    "multiple> <button type=\"button\" id=\"stop\" hidden>Stop"
		    "</button></p>\n"
		    "<p><output id=\"verdict\" for=\"files\"></output></p>\n"
		    "<pre id=\"said\" tabindex=\"0\" role=\"group\" "
		    "aria-label=\"What umpire verify says\" hidden></pre>\n"
		    "<p id=\"keep\" hidden><a id=\"save\">Save the battle as a "
		    "page of its own</a></p>\n"
		    "<iframe id=\"told\" title=\"The battle, told\" sandbox "
		    "hidden></iframe>\n</div>\n");
	}
	page_fixed_rungs(b, s);
}

/* A combat to begin with. */
static void
page_fixed_example(struct buf *b, const char *id, const char *text)
{
	const struct rules_system *sys = systems_find(id);
	const char *end;
	char *line;

	markup_add(b,
	    "<details class=\"example\"><summary>%s</summary>\n"
	    "<pre tabindex=\"0\" role=\"group\" aria-label=\"%s, an "
	    "example\" data-example=\"%s\">",
	    sys == NULL ? id : sys->name, sys == NULL ? id : sys->name, id);
	for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
		line = xalloc_strn(text, (size_t)(end - text));
		markup_text(b, line);
		buf_putc(b, '\n');
		free(line);
	}
	buf_puts(b, "</pre></details>\n");
}

/* /odds */
static void
page_fixed_odds(struct buf *b, const struct page_site *s)
{
	buf_puts(b,
	    "<h1>Odds</h1>\n<p>What a combat may come to, by the rules that "
	    "the umpire fights it by: all ways in which the dice can fall, or "
	    "a large sample of them. It is worked out in your browser.</p>\n");
	page_fixed_without(b, s, "umpire odds COMBAT.json");
	if (*s->wasm != '\0') {
		buf_puts(b, "<div id=\"weigh\" hidden");
		page_fixed_program(b, s);
		buf_puts(b,
		    ">\n<p><label for=\"scenario\">The combat, as <code>umpire "
		    "odds</code> reads it</label></p>\n<textarea "
		    "id=\"scenario\" rows=\"16\" spellcheck=\"false\">"
		    "</textarea>\n<p><button type=\"button\" id=\"go\">Work "
		    "out its odds</button></p>\n<p><output id=\"verdict\" "
		    "for=\"scenario\"></output></p>\n<div id=\"chances\"></div>"
		    "\n</div>\n");
	}
	buf_puts(b,
	    "<section aria-labelledby=\"examples\"><h2 id=\"examples\">"
	    "Examples</h2>\n");
	page_fixed_example(b, "lasalle2", page_lasalle2_scenario);
	page_fixed_example(b, "imagi-nations", page_imagi_nations_scenario);
	page_fixed_example(b, "invasion-1812", page_invasion_1812_scenario);
	page_fixed_example(b, "tlnb", page_tlnb_scenario);
	page_fixed_example(b, "leniston-2009", page_leniston_2009_scenario);
	buf_puts(b, "</section>\n");
}

int
page_fixed(const struct page_site *s, enum page_fixed what, struct buf *out)
{
	const bool is_verify = what == PAGE_FIXED_VERIFY;
	const struct page_head h = {
	    .title = is_verify ? "Check a record" : "Odds",
	    .about = is_verify
		? "Check every die of a game in your browser."
		: "What a combat may come to, by the rules of five games.",
	    .path = is_verify ? "/verify" : "/odds",
	    .has_verify = true,
	};

	page_begin(out, s, &h);
	if (is_verify)
		page_fixed_verify(out, s);
	else
		page_fixed_odds(out, s);
	page_end(out, s, &h);
	return (buf_error(out));
}

/* Appends the hash of a style as a policy names it. */
static void
page_fixed_hash(struct buf *out, const char *style, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t hash[HASH_LEN + 1] = {0};
	uint32_t three;
	size_t i;

	if (hash_sha256(hash, style, len) != 0) {
		buf_fail(out, ERR_NOMEM);
		return;
	}
	buf_puts(out, "'sha256-");
	/* 32 bytes are ten times three and two, which give 43 digits and "=".
	 */
	for (i = 0; i < HASH_LEN; i += 3) {
		three = (uint32_t)hash[i] << 16 | (uint32_t)hash[i + 1] << 8;
		if (i + 2 < HASH_LEN)
			three |= hash[i + 2];
		buf_putc(out, digits[three >> 18]);
		buf_putc(out, digits[three >> 12 & 63]);
		buf_putc(out, digits[three >> 6 & 63]);
		buf_putc(out, i + 2 < HASH_LEN ? digits[three & 63] : '=');
	}
	buf_putc(out, '\'');
}

int
page_verify_styles(struct buf *out)
{
	struct buf style;

	buf_init(&style, 0);
	/* As doc_html.c writes it, from the line end after its tag on. */
	buf_putc(&style, '\n');
	buf_puts(&style, doc_look);
	page_fixed_hash(out, buf_str(&style), style.len);
	sketch_svg_style(&style);
	buf_putc(out, ' ');
	page_fixed_hash(out, buf_str(&style), style.len);
	if (buf_error(&style) != 0)
		buf_fail(out, buf_error(&style));
	buf_clear(&style);
	return (buf_error(out));
}
