/* SPDX-License-Identifier: ISC */
/* umpire witness: answers rolls as the third hand, unattended. */
#include <string.h>

#include "client/cmd/cmds.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/witness/witness.h"
#include "common/base/buf.h"
#include "common/tournament/tournament.h"

/* Draws the lots of a tournament, on a connection of its own. */
static int
cmd_witness_draw(struct cmd_ctx *cx, const uint8_t id[HASH_LEN])
{
	struct profile *p;
	struct desk *d;
	int64_t seq;
	int status;

	if ((status = play_profile(cx, &p)) != 0 ||
	    (status = desk_open_id(cx, p, NULL, id, DESK_ORDER, &d)) != 0)
		return (status);
	/* One that waited may have been just that. */
	if (tournament_phase(d->t) == TOURNAMENT_CHECKIN)
		status =
		    desk_order(d, ENTRY_START, json_object(), NULL, 0, &seq);
	desk_close(d);
	return (status);
}

/* Writes the proof that a line cannot stand beside those that are held. */
static int
cmd_witness_prove(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *held, int64_t seq, const struct buf *line, char **path,
    struct errinfo *e)
{
	struct desk_copy *c;
	int r;

	if ((r = desk_copy_of(p, id, held, &c, e)) != 0)
		return (r);
	r = desk_copy_add(c, seq, line->data, line->len, e);
	if (r == ERR_FORK && c->fork.line != NULL)
		r = desk_copy_prove(c, path, e);
	else if (r == 0 || r == ERR_FORK)
		r = err_set(e, ERR_BAD, NULL, "it contradicts nothing");
	desk_copy_close(c);
	return (r);
}

/* Does what the words say with the profile. */
static int
cmd_witness_do(struct cmd_ctx *cx, struct profile *p)
{
	static const struct witness_desk desk = {
	    cmd_witness_draw, cmd_witness_prove};
	const char *word = cmd_arg(cx, 0), *game = cmd_arg(cx, 1);

	if (word == NULL)
		return (witness_run(cx, p, &desk));
	if (strcmp(word, "status") == 0 && game == NULL)
		return (witness_status(cx, p));
	if (strcmp(word, "follow") == 0 && game != NULL && *game != '\0')
		return (witness_follow(cx, p, game));
	return (cmd_usage(cx,
	    "after witness stands nothing, `status`, or "
	    "`follow` and a game"));
}

/* Opens the profile with its keys. */
static int
cmd_witness_run(struct cmd_ctx *cx)
{
	struct errinfo e = {.text = ""};
	struct profile *p;
	int r, status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((r = profile_load_keys(p, &e)) != 0)
		status = cmd_fail(r, &e);
	else
		status = cmd_witness_do(cx, p);
	profile_free(p);
	return (status);
}

const struct cmd cmd_witness = {
    .min_args = 0,
    .max_args = 2,
    .run = cmd_witness_run,
};
