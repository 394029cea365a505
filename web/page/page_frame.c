/* SPDX-License-Identifier: ISC */
/* What stands around the body of each page, and what is everywhere alike. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/doc_dice.h"
#include "client/report/markup.h"
#include "common/base/clock.h"
#include "web/page/page_int.h"

#define PAGE_MINUTE 60000
#define PAGE_DAY_LEN 10 /* "2026-11-20" */

char *
page_duration(int64_t ms)
{
	static const struct {
		int64_t ms;
		const char *word;
	} units[] = {
	    {24 * 60 * (int64_t)PAGE_MINUTE, "day"},
	    {60 * (int64_t)PAGE_MINUTE, "hour"},
	    {PAGE_MINUTE, "minute"},
	};
	int64_t n;
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		/* Two hours and more are told in hours, not in minutes. */
		if (ms < 2 * units[i].ms && i < 2)
			continue;
		n = ms / units[i].ms;
		if (n == 0)
			break;
		return (xalloc_printf("%lld %s%s", (long long)n, units[i].word,
		    n == 1 ? "" : "s"));
	}
	return (xalloc_str("less than a minute"));
}

void
page_time(struct buf *b, int64_t ms, bool has_day)
{
	char at[CLOCK_AT_LEN + 1];

	clock_format(at, ms);
	buf_printf(b, "<time datetime=\"%s\">", at);
	if (has_day)
		buf_printf(b, "%.*s ", PAGE_DAY_LEN, at);
	buf_printf(b, "%.5s</time>", at + PAGE_DAY_LEN + 1);
}

void
page_path_text(struct buf *b, const char *s)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";

	for (; *s != '\0'; s++) {
		if (strchr(plain, *s) != NULL)
			buf_putc(b, *s);
		else
			buf_printf(b, "%%%02X", (unsigned)(unsigned char)*s);
	}
}

void
page_player(struct buf *b, const char *account, const char *called)
{
	buf_puts(b, "<a href=\"/u/");
	page_path_text(b, account);
	markup_add(b, "\"><bdi>%s</bdi></a>", called);
}

void
page_event(struct buf *b, const char *event)
{
	buf_puts(b, "<a href=\"/e/");
	page_path_text(b, event);
	markup_add(b, "\"><bdi>%s</bdi></a>", event);
}

/* What previews of links in other programs show. */
static void
page_preview(
    struct buf *b, const struct page_site *s, const struct page_head *h)
{
	markup_add(b,
	    "<meta property=\"og:title\" content=\"%s\">\n"
	    "<meta property=\"og:type\" content=\"article\">\n",
	    h->preview == NULL ? h->title : h->preview);
	if (h->about != NULL)
		markup_add(b,
		    "<meta name=\"description\" content=\"%s\">\n"
		    "<meta property=\"og:description\" content=\"%s\">\n",
		    h->about, h->about);
	if (*s->title != '\0')
		markup_add(b,
		    "<meta property=\"og:site_name\" content=\"%s\">\n",
		    s->title);
	if (*s->base == '\0' || h->path == NULL)
		return;
	markup_add(b,
	    "<link rel=\"canonical\" href=\"%s%s\">\n"
	    "<meta property=\"og:url\" content=\"%s%s\">\n",
	    s->base, h->path, s->base, h->path);
	if (h->picture != NULL)
		markup_add(b,
		    "<meta property=\"og:image\" content=\"%s%s\">\n"
		    "<meta property=\"og:image:width\" content=\"1200\">\n"
		    "<meta property=\"og:image:height\" content=\"630\">\n"
		    "<meta property=\"og:image:alt\" content=\"%s\">\n",
		    s->base, h->picture, h->picture_says);
}

/* A script of the site, if it is there. */
static void
page_script(struct buf *b, const char *path)
{
	if (*path != '\0')
		markup_add(b, "<script src=\"%s\" defer></script>\n", path);
}

/* The way around the site, which begins each page. */
static void
page_site_header(struct buf *b, const struct page_site *s)
{
	markup_add(b,
	    "<header class=\"site\"><p class=\"home\"><a href=\"/\">%s</a></p>"
	    "\n<nav aria-label=\"Site\"><a href=\"/\">Games</a> "
	    "<a href=\"/live\">Live</a> <a href=\"/odds\">Odds</a> "
	    "<a href=\"/verify\">Check a record</a></nav></header>\n",
	    *s->title == '\0' ? "umpire" : s->title);
}

void
page_begin(struct buf *b, const struct page_site *s, const struct page_head *h)
{
	buf_puts(b,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n");
	if (h->is_hidden)
		buf_puts(b, "<meta name=\"robots\" content=\"noindex\">\n");
	if (h->is_embed)
		buf_puts(b, "<base target=\"_blank\">\n");
	markup_add(b, "<title>%s</title>\n", h->title);
	page_preview(b, s, h);
	if (h->feed != NULL)
		markup_add(b,
		    "<link rel=\"alternate\" type=\"application/atom+xml\" "
		    "href=\"%s\" title=\"Feed\">\n",
		    h->feed);
	if (h->record != NULL)
		markup_add(b,
		    "<link rel=\"alternate\" type=\"application/jsonl\" "
		    "href=\"%s\" title=\"The signed record\">\n",
		    h->record);
	markup_add(b, "<link rel=\"stylesheet\" href=\"%s\">\n", s->css);
	if (s->icon != NULL && *s->icon != '\0')
		markup_add(b,
		    "<link rel=\"icon\" type=\"image/svg+xml\" "
		    "href=\"%s\">\n",
		    s->icon);
	if (h->game != NULL)
		page_script(b, s->live_js);
	if (h->cup != NULL)
		page_script(b, s->cup_js);
	if (h->has_verify && *s->wasm != '\0')
		page_script(b, s->verify_js);
	buf_puts(b, "</head>\n<body");
	if (h->is_embed)
		buf_puts(b, " class=\"embed\"");
	if (h->game != NULL)
		markup_add(b,
		    " data-game=\"%s\" data-seq=\"%lld\" data-epoch=\"%lld\"",
		    h->game, (long long)h->seq, (long long)h->epoch);
	if (h->cup != NULL)
		markup_add(
		    b, " data-cup=\"%s\" data-mark=\"%s\"", h->cup, h->mark);
	buf_puts(b, ">\n");
	if (!h->is_embed)
		markup_add(b, "<a class=\"skip\" href=\"#main\">%s</a>\n",
		    h->skip == NULL ? "Skip to the page" : h->skip);
	doc_dice_shapes(b);
	if (!h->is_embed)
		page_site_header(b, s);
	buf_puts(b, "<main id=\"main\" tabindex=\"-1\">\n");
	page_away(b, s);
}

void
page_end(struct buf *b, const struct page_site *s, const struct page_head *h)
{
	buf_puts(b, "</main>\n");
	if (!h->is_embed) {
		buf_puts(b, "<footer class=\"site\"><p>Times are in UTC. ");
		if (*s->key != '\0')
			markup_add(
			    b, "The umpire's key: <code>%s</code>. ", s->key);
		buf_puts(b,
		    "This site sets no cookies, and asks no other site for "
		    "anything.</p></footer>\n");
	}
	buf_puts(b, "</body>\n</html>\n");
}

void
page_away(struct buf *b, const struct page_site *s)
{
	char *how;

	if (s->away_ms <= 0)
		return;
	how = page_duration(s->away_ms);
	markup_add(b,
	    "<p class=\"warning\"><strong>The umpire does not "
	    "answer.</strong> What stands here is as it was %s ago.</p>\n",
	    how);
	free(how);
}

void
page_warn(struct buf *b, const char *text)
{
	markup_add(
	    b, "<p class=\"warning\"><strong>Warning:</strong> %s</p>\n", text);
}
