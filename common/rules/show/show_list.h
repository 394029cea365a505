/* SPDX-License-Identifier: ISC */
/* How each system is shown. */
#ifndef UMPIRE_COMMON_RULES_SHOW_SHOW_LIST_H
#define UMPIRE_COMMON_RULES_SHOW_SHOW_LIST_H

#include "common/rules/show/rules_show.h"

/* Each system: NAME_words.c. */
extern const struct rules_show imaginations_show, invasion1812_show,
    lasalle2_show, leniston2009_show, tlnb_show;

/* A declaration of each to fill in: NAME_template.json. */
extern const char imaginations_template[], invasion1812_template[],
    lasalle2_template[], leniston2009_template[], tlnb_template[];

/* The scene of a combat of each: NAME_scene.c. */
void imaginations_scene(struct scene *s, const json_t *facts);
void invasion1812_scene(struct scene *s, const json_t *facts);
void lasalle2_scene(struct scene *s, const json_t *facts);
void leniston2009_scene(struct scene *s, const json_t *facts);
void tlnb_scene(struct scene *s, const json_t *facts);

/* Finds how a system is shown; NULL if it is none of systems_all(). */
const struct rules_show *show_list_find(const struct rules_system *sys);

#endif
