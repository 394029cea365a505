/* SPDX-License-Identifier: ISC */
/*
 * Data files of the systems: where they are looked for, which ones count,
 * and that a malformed one is never passed over; and the tables of upkeep
 * orders, held against the systems.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/cmd/datafile.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/show/scenario.h"
#include "common/rules/show/upkeep.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/quoted.h"

#define CHIT                                                      \
	"{'id':'x1','takes':'front','front':{'when':{'ratio':2}," \
	"'effects':['A1']},'back':null}"

/* Seven more chits, so that any two cards can be served. */
#define BLANK(id) ",{'id':'" id "','front':null,'back':null,'takes':'both'}"
#define BLANK_3 BLANK("y1") BLANK("y2") BLANK("y3")
#define BLANKS BLANK_3 BLANK("y4") BLANK("y5") BLANK("y6") BLANK("y7")

static char dir[] = "/tmp/umpire-data.XXXXXX";

/* Makes the folders. */
static int
setup(void **state)
{
	char path[64];

	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/umpire-data.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(setenv("UMPIRE_DATADIR", dir, 1), 0);
	(void)snprintf(path, sizeof(path), "%s/bags", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/tables", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	return (0);
}

/* Removes everything. */
static int
teardown(void **state)
{
	pid_t pid;

	(void)state;
	(void)unsetenv("UMPIRE_DATADIR");
	if ((pid = fork()) == 0) {
		(void)execlp("rm", "rm", "-rf", dir, (char *)NULL);
		_exit(127);
	}
	return (waitpid(pid, NULL, 0) == pid ? 0 : -1);
}

/* A system, which must be there. */
static const struct rules_system *
sys_of(const char *id)
{
	const struct rules_system *sys = systems_find(id);

	assert_non_null(sys);
	return (sys);
}

/* Writes the installed file of a system, a quoted_text(). */
static void
install(const char *id, const char *text)
{
	struct errinfo e = {.text = ""};
	char *path = datafile_path(sys_of(id)), *bytes = quoted_text(text);

	assert_non_null(path);
	assert_int_equal(file_write(path, bytes, strlen(bytes), 0600, &e), 0);
	free(bytes);
	free(path);
}

/* Looks for a system's data; NULL if the built-in ones count.  New. */
static json_t *
find(const char *id)
{
	struct errinfo e = {.text = ""};
	json_t *value = json_true();

	if (datafile_find(sys_of(id), &value, &e) != 0)
		fail_msg("%s", e.text);
	return (value);
}

/* The installed file must be refused, with this in the text. */
static void
refuses(const char *id, const char *text, const char *why)
{
	struct errinfo e = {.text = ""};
	json_t *value = NULL;
	char *path;

	install(id, text);
	assert_int_equal(datafile_find(sys_of(id), &value, &e), ERR_CONFIG);
	assert_null(value);
	path = datafile_path(sys_of(id));
	if (strstr(e.text, path) == NULL || strstr(e.text, why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", e.text, why);
	free(path);
	/* For a scenario it is the same. */
	assert_int_equal(datafile_default()->find(
			     datafile_default()->arg, sys_of(id), &value, &e),
	    ERR_CONFIG);
}

static void
a_folder_is_named_for_the_kind_of_data(void **state)
{
	char *path, wanted[128];

	(void)state;
	path = datafile_path(sys_of("imagi-nations"));
	(void)snprintf(
	    wanted, sizeof(wanted), "%s/bags/imagi-nations.json", dir);
	assert_string_equal(path, wanted);
	free(path);
	path = datafile_path(sys_of("tlnb"));
	(void)snprintf(wanted, sizeof(wanted), "%s/tables/tlnb.json", dir);
	assert_string_equal(path, wanted);
	free(path);
	assert_null(datafile_path(sys_of("lasalle2")));
	/* An empty name is no folder. */
	assert_int_equal(setenv("UMPIRE_DATADIR", "", 1), 0);
	path = datafile_path(sys_of("tlnb"));
	assert_string_equal(path, PKGDATADIR "/tables/tlnb.json");
	free(path);
}

static void
what_is_not_there_or_says_the_same_does_not_count(void **state)
{
	json_t *file;
	struct buf b;

	(void)state;
	assert_null(find("lasalle2"));
	assert_null(find("imagi-nations"));
	assert_null(find("tlnb"));
	install("imagi-nations", sys_of("imagi-nations")->data_text);
	assert_null(find("imagi-nations"));
	install("tlnb", sys_of("tlnb")->data_text);
	assert_null(find("tlnb"));
	/* Another note or other spacing is no other value. */
	file = json_loads(sys_of("tlnb")->data_text, 0, NULL);
	assert_non_null(file);
	xalloc_set(file, "note", json_string("ours"));
	buf_init(&b, 0);
	js_dump(file, &b);
	install("tlnb", buf_str(&b));
	assert_null(find("tlnb"));
	buf_clear(&b);
	json_decref(file);
}

static void
what_says_something_else_counts(void **state)
{
	json_t *value, *again = NULL;
	struct errinfo e = {.text = ""};

	(void)state;
	install("imagi-nations",
	    "{'note':'one chit that counts','bag':[" CHIT BLANKS "]}");
	value = find("imagi-nations");
	assert_int_equal(json_array_size(value), 8);
	assert_int_equal(datafile_default()->find(datafile_default()->arg,
			     sys_of("imagi-nations"), &again, &e),
	    0);
	assert_true(json_equal(value, again));
	json_decref(value);
	json_decref(again);
	/* A blob of a record will do, too. */
	install("imagi-nations", "{'blob':'bag','bag':[" CHIT BLANKS "]}");
	value = find("imagi-nations");
	assert_int_equal(json_array_size(value), 8);
	json_decref(value);
	install("tlnb", "{'tables':{}}");
	value = find("tlnb");
	assert_true(json_is_object(value));
	json_decref(value);
}

static void
a_malformed_file_is_never_passed_over(void **state)
{
	struct errinfo e = {.text = ""};
	json_t *value = NULL;
	char *path;

	(void)state;
	refuses("imagi-nations", "", "");
	refuses("imagi-nations", "{'bag':[", "too early");
	refuses("imagi-nations", "[]", "");
	refuses("imagi-nations", "{'note':'n'}", "has no \"bag\"");
	refuses("imagi-nations", "{'bag':[],'bag':[]}", "");
	refuses("imagi-nations", "{'bag':[{'id':'x1'}]}", "bag[0]");
	refuses("imagi-nations", "{'bag':{}}", "bag");
	refuses("imagi-nations", "{'bag':[" CHIT "," CHIT "]}", "x1");
	refuses("imagi-nations", "{'tables':{}}", "tables");
	refuses("imagi-nations", "{'note':1,'bag':[" CHIT "]}", "note");
	refuses("imagi-nations", "{'blob':'tables','bag':[" CHIT "]}",
	    "must be \"bag\"");
	refuses("tlnb", "{'tables':{'none':1}}", "none");
	refuses("tlnb", "{'tables':[]}", "tables");
	/* A folder of that name cannot be read. */
	path = datafile_path(sys_of("tlnb"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(datafile_find(sys_of("tlnb"), &value, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, path));
	free(path);
}

static void
a_file_of_the_player_is_read_over_what_there_is(void **state)
{
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	json_t *value = NULL;
	char *path;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(sys_of("lasalle2"), NULL, NULL, &set, &e), 0);
	assert_int_equal(
	    datafile_load("/dev/null", &set, &value, &e), ERR_INVALID);
	assert_non_null(strstr(e.text, "neither tables nor a bag"));
	rules_settings_clear(&set);
	assert_int_equal(
	    rules_settings_parse(sys_of("imagi-nations"), NULL, NULL, &set, &e),
	    0);
	assert_int_equal(
	    datafile_load("/nonexistent/bag", &set, &value, &e), ERR_NOTFOUND);
	install("imagi-nations", "{'bag':[" CHIT BLANKS "]}");
	path = datafile_path(sys_of("imagi-nations"));
	assert_int_equal(datafile_load(path, &set, &value, &e), 0);
	assert_int_equal(json_array_size(value), 8);
	json_decref(value);
	free(path);
	rules_settings_clear(&set);
}

/*
 * Whether a system knows an upkeep order; if not, *n is how many it says that
 * it has.
 */
static bool
knows(const struct rules_system *sys, const struct roster *r, const char *name,
    size_t *n)
{
	const char *p;

	struct rules_upkeep_roll roll;
	struct errinfo e = {.where = ""};
	json_t *args;
	int err;

	args = json_pack("{s:s, s:s}", "unit", "nobody", "do", name);
	assert_non_null(args);
	err = sys->game->upkeep_check(r, NULL, 1, args, &roll, &e);
	json_decref(args);
	assert_int_equal(err, ERR_INVALID);
	*n = 0;
	for (p = e.text; *p != '\0'; p++)
		*n += *p == '"';
	*n /= 2;
	return (strcmp(e.where, "args.do") != 0);
}

static void
upkeep_orders_are_those_of_the_systems(void **state)
{
	const struct rules_system *const *all;
	const struct upkeep_order *o;
	struct errinfo e = {.text = ""};
	size_t n, listed, other;
	struct roster *r;
	json_t *blob;

	(void)state;
	for (all = systems_all(); *all != NULL; all++) {
		o = upkeep_orders(*all);
		assert_true(
		    (o->name != NULL) == ((*all)->game->upkeep_check != NULL));
		if (o->name == NULL)
			continue;
		blob = json_pack("{s:s, s:s, s:{s:{s:[{s:s, s:s, s:[{s:s, "
				 "s:s, s:i}]}]}, s:{s:[{s:s, s:s, s:[{s:s, "
				 "s:s, s:i}]}]}}}",
		    "blob", "roster", "system", (*all)->id, "sides", "1",
		    "units", "id", "a", "lead", "a-1", "battalions", "id",
		    "a-1", "quality", "raw", "sp", 1, "2", "units", "id", "b",
		    "lead", "b-1", "battalions", "id", "b-1", "quality", "raw",
		    "sp", 1);
		assert_non_null(blob);
		if (roster_parse(*all, blob, &r, &e) != 0)
			fail_msg("%s: %s", e.where, e.text);
		assert_false(knows(*all, r, "dance", &n));
		for (listed = 0; o->name != NULL; o++, listed++)
			assert_true(knows(*all, r, o->name, &other));
		assert_int_equal(listed, n);
		roster_free(r);
		json_decref(blob);
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_folder_is_named_for_the_kind_of_data),
	    CASE(what_is_not_there_or_says_the_same_does_not_count),
	    CASE(what_says_something_else_counts),
	    CASE(a_malformed_file_is_never_passed_over),
	    CASE(a_file_of_the_player_is_read_over_what_there_is),
	    CASE(upkeep_orders_are_those_of_the_systems),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
