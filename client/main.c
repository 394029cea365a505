/* SPDX-License-Identifier: ISC */
/* umpire: the command-line client. */
#include "client/ui/cmd.h"

int
main(int argc, char **argv)
{
	return (cmd_main(argc, argv));
}
