/* SPDX-License-Identifier: ISC */
/*
 * What was erased while there was no connection, which nobody has told: once
 * there is one the umpire is asked how many texts of each game and tournament
 * went that is kept, a hundred at a time, and those of which more did than is
 * known are read anew, or go from the disk.
 */
#ifndef UMPIRE_WEB_WEB_FORGET_H
#define UMPIRE_WEB_WEB_FORGET_H

struct web_forget;
struct web_site;

struct web_forget *web_forget_new(struct web_site *s);

/* Frees it, once no answer can come any more; NULL is allowed. */
void web_forget_free(struct web_forget *f);

/* The connection stands, and notices come from now on. */
void web_forget_up(struct web_forget *f);

#endif
