/* SPDX-License-Identifier: ISC */
/*
 * The data files of etc/ as they are built in, so that the programs work
 * without them: rules_system's data_text.
 */
#ifndef UMPIRE_COMMON_RULES_DATA_H
#define UMPIRE_COMMON_RULES_DATA_H

extern const char data_imagi_nations[]; /* etc/bags/imagi-nations.json */
extern const char data_tlnb[]; /* etc/tables/tlnb.json */

#endif
