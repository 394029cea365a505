/* SPDX-License-Identifier: ISC */
/*
 * A folder's unit tests in one program, which each file's tests call by a link
 * of their name: test_js runs test_js_main(), in a process of its own.  One
 * program is linked in place of thirty, and again after each change.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

int
main(int argc, char **argv)
{
	const char *slash, *name;
	char symbol[64];
	int (*run)(void);
	void *found;

	(void)argc;
	slash = strrchr(argv[0], '/');
	name = slash != NULL ? slash + 1 : argv[0];
	(void)snprintf(symbol, sizeof(symbol), "%s_main", name);
	if ((found = dlsym(RTLD_DEFAULT, symbol)) == NULL) {
		fprintf(
		    stderr, "%s: run by the name of a file of tests\n", name);
		return (EX_USAGE);
	}
	memcpy(&run, &found, sizeof(run));
	return (run());
}
