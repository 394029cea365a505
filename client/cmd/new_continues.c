/* SPDX-License-Identifier: ISC */
#include "client/cmd/new_continues.h"

#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/profile/profile.h"
#include "client/tournament/desk_former.h"
#include "client/ui/cmd.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/tournament/terms.h"
#include "common/tournament/tournament.h"

/* Refuses options that say what the terms say already. */
static int
new_continues_options(struct cmd_ctx *cx)
{
	static const char *const anew[] = {
	    "continues", "entries", "deputy", "witness", NULL};
	const struct opt_def *o;
	size_t i;

	for (o = cx->cmd->cmd->opts; o->name != NULL; o++) {
		for (i = 0; anew[i] != NULL && strcmp(anew[i], o->name) != 0;
		     i++)
			continue;
		if (anew[i] == NULL && opt_has(&cx->opts, o->name))
			return (cmd_usage(cx,
			    "--%s: the terms are those of the tournament that "
			    "is continued",
			    o->name));
	}
	return (0);
}

/* Adds the blob of a hash, which stood beside the record. */
static bool
new_continues_blob(
    const struct desk_former *f, const json_t *hash, json_t *blobs)
{
	const char *hex = json_string_value(hash);
	const json_t *side =
	    hex == NULL ? NULL : json_object_get(f->blobs, hex);
	json_t *v = NULL;

	if (side == NULL ||
	    js_load(json_string_value(side), json_string_length(side),
		JS_DEPTH_RECORD, &v, NULL) != 0)
		return (false);
	xalloc_append(blobs, v);
	return (true);
}

/* Adds the rosters and tables that the terms name. */
static int
new_continues_blobs(
    const struct desk_former *f, const json_t *terms, json_t *blobs)
{
	const json_t *list = json_object_get(terms, "scenarios"), *s, *v;
	bool has = true;
	size_t i, k;

	json_array_foreach(list, i, s)
	{
		has = has &&
		    new_continues_blob(f, json_object_get(s, "roster"), blobs);
		json_array_foreach(json_object_get(s, "tables"), k, v)
		{
			has = has && new_continues_blob(f, v, blobs);
		}
	}
	if (has)
		return (0);
	out_error("the file lacks rosters or tables that the terms name; a "
		  "whole export has them");
	return (EX_DATAERR);
}

/* How many rounds are complete. */
static int
new_continues_rounds(const struct tournament *t)
{
	struct tournament_place place = {0};
	struct tournament_leg_state s;
	int rounds = tournament_paired(t);

	while (tournament_next_leg(t, &place)) {
		tournament_leg_state(t, &place, &s);
		if (!s.has_result && place.round <= rounds)
			rounds = place.round - 1;
	}
	return (rounds);
}

/* Tells what is continued, and from where on. */
static void
new_continues_tell(const struct cmd_ctx *cx, const struct desk_former *f)
{
	const int rounds = new_continues_rounds(f->t);
	char hex[2 * HASH_LEN + 1];

	if (cx->out.is_json)
		return;
	hex_format(hex, tournament_id(f->t), HASH_LEN);
	out_note("This goes on with tournament %.8s of another server, after "
		 "its line %lld: %d of %d rounds are complete and stay%s.  "
		 "Its terms stay, too, but for who directs beside you, the "
		 "witness, and until when people may enter, which only its %d "
		 "entrants may, each once.",
	    hex, (long long)tournament_seq(f->t), rounds,
	    tournament_rounds(f->t),
	    rounds < tournament_paired(f->t)
		? "; the round that was open is paired anew"
		: "",
	    tournament_entrants(f->t));
}

/* Fills the terms. */
static void
new_continues_terms(
    struct cmd_ctx *cx, const struct desk_former *f, json_t *terms)
{
	static const char *const anew[] = {
	    "director", "server_dice", "deputies", "witness", "continues"};
	json_t *deputies, *entry, *options;
	json_t *args = xalloc_copy(tournament_terms(f->t)->args);
	const char *s;
	size_t i;

	if (json_object_update(terms, args) != 0)
		xalloc_die();
	json_decref(args);
	for (i = 0; i < sizeof(anew) / sizeof(anew[0]); i++)
		(void)json_object_del(terms, anew[i]);
	entry = xalloc_copy(json_object_get(terms, "entry"));
	(void)json_object_del(entry, "until");
	xalloc_set(terms, "entry", entry);
	if (json_object_get(terms, "options") != NULL) {
		options = xalloc_copy(json_object_get(terms, "options"));
		(void)json_object_del(options, "witness");
		(void)json_object_del(options, "witness_s");
		xalloc_set(terms, "options", options);
	}
	xalloc_set(terms, "continues", desk_former_continues(f));
	if (!opt_has(&cx->opts, "deputy"))
		return;
	deputies = xalloc_json(json_array());
	i = 0;
	while ((s = opt_next(&cx->opts, "deputy", &i)) != NULL)
		xalloc_append(deputies, xalloc_json_str(s));
	xalloc_set(terms, "deputies", deputies);
}

int
new_continues_read(struct cmd_ctx *cx, const struct profile *p,
    struct desk_former *f, json_t *terms, json_t *blobs)
{
	const char *word = opt_get(&cx->opts, "continues");
	const char *director;
	int status;

	if ((status = new_continues_options(cx)) != 0 ||
	    (status = desk_former_open(cx, p, word, f)) != 0)
		return (status);
	director = tournament_terms(f->t)->director.account;
	if (strcmp(director, p->account) != 0) {
		out_error("'%s' opened that tournament, and only an account of "
			  "that name goes on with it",
		    director);
		return (EX_NOPERM);
	}
	if (opt_has(&cx->opts, "witness") &&
	    !tournament_terms(f->t)->set.is_live)
		return (cmd_usage(cx,
		    "--witness: its dice come from two hands, which have no "
		    "witness"));
	status = new_continues_blobs(f, tournament_terms(f->t)->args, blobs);
	if (status != 0)
		return (status);
	new_continues_terms(cx, f, terms);
	new_continues_tell(cx, f);
	return (0);
}

void
new_continues_keep(const struct desk_former *f, json_t *terms)
{
	static const char *const names[] = {"scheme", "confirm"};
	const json_t *v;
	size_t i;

	for (i = 0; f->t != NULL && i < sizeof(names) / sizeof(names[0]); i++) {
		v = json_object_get(tournament_terms(f->t)->args, names[i]);
		if (v == NULL)
			(void)json_object_del(terms, names[i]);
		else
			xalloc_set(terms, names[i], xalloc_copy(v));
	}
}

int
new_continues_bring(struct link *l, const struct desk_former *f)
{
	struct conn_error ce;
	int status;

	if (f->t == NULL)
		return (0);
	out_progress("giving the server the tournament that is continued");
	status = desk_former_bring(l, &f->bytes, &ce) == 0 ? 0 : link_fail(&ce);
	out_progress_end();
	conn_error_clear(&ce);
	return (status);
}
