/* SPDX-License-Identifier: ISC */
/*
 * Data files of the rule systems that are installed on this machine: tables
 * and bags that take the place of the built-in ones where a game or a
 * scenario brings none of its own.  They lie in the folder of data, which is
 * $UMPIRE_DATADIR, else the installed one:
 *   tables/tlnb.json, bags/imagi-nations.json, samples/
 * A file is {"note"?,"tables":{...}} or {"note"?,"bag":[...]}.
 */
#ifndef UMPIRE_CLIENT_CMD_DATAFILE_H
#define UMPIRE_CLIENT_CMD_DATAFILE_H

#include <jansson.h>

#include "common/base/err.h"

struct rules_settings;
struct rules_system;
struct scenario_data;

#define DATA_FILE_MAX 1048576 /* bytes of a data file */

/* The folder of the samples; free(). */
char *datafile_samples(void);

/* The path of a system's data file; free().  NULL: it has no data. */
char *datafile_path(const struct rules_system *sys);

/*
 * Reads the value of sys->data_name from the installed file: *value is new,
 * or NULL if there is no file, or if it says what is built in.  ERR_CONFIG
 * with the path for a file that cannot be read or that the system refuses.
 */
int datafile_find(const struct rules_system *sys, json_t **value,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same for scenario_open() and scenario_run(): what they use where the
 * scenario brings no data of its own.
 */
const struct scenario_data *datafile_default(void);

/*
 * Reads a file that the player names: {"note"?,NAME:VALUE}, or a blob
 * {"blob":NAME,NAME:VALUE}, NAME being the system's data_name.  The value is
 * checked against what *set holds, and is in it afterwards.  *value is new.
 * ERR_NOTFOUND, ERR_IO, ERR_TOOBIG; ERR_INVALID with path and place.
 */
int datafile_load(const char *path, struct rules_settings *set, json_t **value,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
