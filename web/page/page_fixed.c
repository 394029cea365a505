/* SPDX-License-Identifier: ISC */
/* Pages that are about no game: errors, and the two that run the program. */
#include <stddef.h>

#include "client/report/markup.h"
#include "web/page/page_int.h"

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
