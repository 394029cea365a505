/* SPDX-License-Identifier: ISC */
/* The look of HTML pages. */
#ifndef UMPIRE_CLIENT_REPORT_DOC_LOOK_H
#define UMPIRE_CLIENT_REPORT_DOC_LOOK_H

/*
 * The style sheet, doc_look.css: a printed sheet's typography from the fonts
 * that are there, for light and dark screens, telephones and paper.
 */
extern const char doc_look[];

#endif
