/* SPDX-License-Identifier: ISC */
/* umpire: the command-line client. */
#include "client/cmd/cmds.h"

int
main(int argc, char **argv)
{
	return (cmds_main(cmds_table, argc, argv));
}
