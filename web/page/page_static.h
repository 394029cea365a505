/* SPDX-License-Identifier: ISC */
/* The files that pages name: how they look, and what runs in them. */
#ifndef UMPIRE_WEB_PAGE_PAGE_STATIC_H
#define UMPIRE_WEB_PAGE_PAGE_STATIC_H

extern const char page_icon[]; /* the site's, icon.svg */
extern const char page_look[]; /* the style sheet, look.css */
extern const char page_cup_live[]; /* cup_live.js: the same of a tournament */
extern const char page_live[]; /* live.js: a page that is open goes on */
extern const char page_verify[]; /* verify.js: checking in the browser */
extern const char page_worker[]; /* reader/worker.js: runs umpire.wasm */

/* A combat of each system, for the page of odds. */
extern const char page_imagi_nations_scenario[];
extern const char page_invasion_1812_scenario[];
extern const char page_lasalle2_scenario[];
extern const char page_leniston_2009_scenario[];
extern const char page_tlnb_scenario[];

#endif
