/* SPDX-License-Identifier: ISC */
/* The list of rule systems, which alone knows them all. */
#ifndef UMPIRE_COMMON_RULES_SYSTEMS_SYSTEMS_H
#define UMPIRE_COMMON_RULES_SYSTEMS_SYSTEMS_H

struct rules_system;

/* Finds a system by its id; NULL if there is none. */
const struct rules_system *systems_find(const char *id);

/* All systems, in the order of their ids, ended by NULL. */
const struct rules_system *const *systems_all(void);

#endif
