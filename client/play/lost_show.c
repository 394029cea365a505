/* SPDX-License-Identifier: ISC */
/* The lines that were set aside are a record of their own, which is verified.
 */
#include "client/play/lost_show.h"

#include <stdlib.h>

#include "client/base/xalloc.h"
#include "client/play/play.h"
#include "client/replica/lost.h"
#include "client/replica/recordfile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/report.h"
#include "common/game/game.h"

/* Opens them; NULL if there are none.  *path is where, new. */
static struct recordfile *
lost_show_open(const struct play *pl, char **path)
{
	const int64_t seq = game_restored_seq(play_game(pl));
	struct recordfile *rf;

	*path = NULL;
	if (seq < 0 || pl->copy->p == NULL ||
	    (*path = lost_find(pl->p, pl->copy->id, seq)) == NULL)
		return (NULL);
	if (recordfile_open(*path, &rf) == 0 && battle_lines(rf->b) > seq)
		return (rf);
	free(*path);
	*path = NULL;
	return (NULL);
}

int64_t
lost_show_count(const struct play *pl)
{
	struct recordfile *rf;
	int64_t n = 0;
	char *path;

	if ((rf = lost_show_open(pl, &path)) != NULL)
		n = battle_lines(rf->b) - game_restored_seq(play_game(pl));
	recordfile_close(rf);
	free(path);
	return (n);
}

void
lost_show(struct play *pl)
{
	const int64_t seq = game_restored_seq(play_game(pl));
	struct out *o = &pl->cx->out;
	struct recordfile *rf;
	struct report *rp;
	char *path;

	if ((rf = lost_show_open(pl, &path)) == NULL)
		return;
	out_print(o, "\n");
	out_title(o, "What stood there, as your copy has it:");
	rp = report_new(o, rf->b);
	report_lines(rp, seq, battle_lines(rf->b) - 1, 0, NULL);
	report_free(rp);
	out_print(o, "\n");
	out_title(o, "What the server has instead:");
	rp = report_new(o, replica_battle(pl->copy));
	report_lines(rp, seq, pl->copy->n - 1, 0, NULL);
	report_free(rp);
	out_print(o, "\nYour copy of it: %s\n", path);
	recordfile_close(rf);
	free(path);
}

json_t *
lost_show_json(const struct play *pl)
{
	const int64_t seq = game_restored_seq(play_game(pl));
	json_t *v = json_null();
	struct recordfile *rf;
	char *path;

	if ((rf = lost_show_open(pl, &path)) != NULL)
		v = xalloc_json(
		    json_pack("{s:I, s:I, s:o}", "from", (json_int_t)seq,
			"lines", (json_int_t)(battle_lines(rf->b) - seq),
			"file", xalloc_json_str(path)));
	recordfile_close(rf);
	free(path);
	return (v);
}
