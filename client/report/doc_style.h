/* SPDX-License-Identifier: ISC */
/* The look of HTML pages. */
#ifndef UMPIRE_CLIENT_REPORT_DOC_STYLE_H
#define UMPIRE_CLIENT_REPORT_DOC_STYLE_H

struct out;

/* Prints the style sheet. */
void doc_style_print(struct out *o);

#endif
