/* SPDX-License-Identifier: ISC */
#include "client/cmd/trffile.h"

#include "client/profile/file.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"

#define TRFFILE_MAX                                              \
	16777216 /* bytes; 9,999 players of 99 rounds have 11 MB \
		  */

int
trffile_read(const char *path, struct trf **out)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	int r, status = 0;

	buf_init(&b, 0);
	if ((r = file_read(path, TRFFILE_MAX, &b, &e)) != 0)
		status = cmd_fail(r, &e);
	else if ((r = trf_read(b.data, b.len, out, &e)) != 0)
		status = cmd_fail_in(path, r, &e);
	else if ((*out)->table->n_players == 0) {
		r = err_set(
		    &e, ERR_INVALID, NULL, "no line has a player (001)");
		status = cmd_fail_in(path, r, &e);
		trf_free(*out);
	}
	buf_clear(&b);
	return (status);
}
