/* SPDX-License-Identifier: ISC */
/* The files that pages name: how they look, and what runs in them. */
#ifndef UMPIRE_WEB_PAGE_PAGE_STATIC_H
#define UMPIRE_WEB_PAGE_PAGE_STATIC_H

extern const char page_look[]; /* the style sheet, look.css */
extern const char page_live[]; /* live.js: a page that is open goes on */
extern const char page_verify[]; /* verify.js: checking in the browser */
extern const char page_worker[]; /* reader/worker.js: runs umpire.wasm */

#endif
