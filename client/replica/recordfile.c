/* SPDX-License-Identifier: ISC */
/* Exported records, read and verified without a profile or a server. */
#include "client/replica/recordfile.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/invitation.h"
#include "client/report/battle.h"
#include "client/report/recorded.h"
#include "client/report/verdict.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/record/record.h"

#define RECORDFILE_MAX ((size_t)1 << 30) /* bytes of a record */

bool
recordfile_is_file(const char *word)
{
	return (strcmp(word, "-") == 0 ||
	    (strchr(word, '/') != NULL && !invitation_is(word)) ||
	    (file_exists(word) && !file_is_folder(word)));
}

const char *
recordfile_name(const char *word)
{
	return (strcmp(word, "-") == 0 ? "standard input" : word);
}

int
recordfile_read(const char *word, struct buf *bytes)
{
	struct errinfo e = {.text = ""};
	int r;

	r = file_read(word, RECORDFILE_MAX, bytes, &e);
	if (r != 0)
		return (cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e));
	return (0);
}

int
recordfile_open(const char *word, struct recordfile **out)
{
	const struct verify_options opt = {.head_seq = -1, .is_parallel = true};
	struct recordfile *rf;
	struct verify *v;
	int r, status;

	rf = xalloc(sizeof(*rf));
	rf->name = text_safe(recordfile_name(word));
	buf_init(&rf->bytes, 0);
	if ((status = recordfile_read(word, &rf->bytes)) != 0)
		goto out;
	if (record_is_tournament(buf_str(&rf->bytes), rf->bytes.len)) {
		out_error("%s is the record of a tournament, not of a game",
		    rf->name);
		out_note("`umpire verify` judges it, with the games that lie "
			 "beside it.");
		status = EX_DATAERR;
		goto out;
	}
	out_progress("verifying");
	r = verify_held(buf_str(&rf->bytes), rf->bytes.len, &opt, &rf->report,
	    &v, &rf->why);
	out_progress_end();
	if (r != 0 && r != ERR_BAD) {
		status = cmd_fail(r, &rf->why);
		goto out;
	}
	rf->is_bad = r == ERR_BAD;
	rf->recorded = recorded_new(
	    buf_str(&rf->bytes), rf->bytes.len, rf->report.lines, v);
	rf->b = recorded_battle(rf->recorded);
	if (battle_game(rf->b) == NULL) {
		if ((status = recordfile_status(rf)) == EX_OK) {
			out_error("%s does not hold a game", rf->name);
			status = RECORDFILE_BAD;
		} else {
			recordfile_warn(rf);
		}
	}
out:
	if (status != 0)
		recordfile_close(rf);
	else
		*out = rf;
	return (status);
}

void
recordfile_close(struct recordfile *rf)
{
	if (rf == NULL)
		return;
	recorded_free(rf->recorded);
	buf_clear(&rf->bytes);
	free(rf->name);
	free(rf);
}

int
recordfile_status(const struct recordfile *rf)
{
	if (rf->is_bad)
		return (RECORDFILE_BAD);
	return (rf->report.is_unchecked ? CMD_UNCHECKED : EX_OK);
}

char *
recordfile_doubt(const struct recordfile *rf)
{
	return (verdict_doubt(&rf->report, rf->is_bad ? &rf->why : NULL));
}

void
recordfile_warn(const struct recordfile *rf)
{
	char *s;

	if ((s = recordfile_doubt(rf)) == NULL)
		return;
	out_error("%s: %s", rf->name, s);
	free(s);
}
