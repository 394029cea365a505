/* SPDX-License-Identifier: ISC */
/*
 * What subcommands about one tournament share: find it, read our own copy,
 * fetch what is new, send what is unanswered, and only then sign anything.
 */
#include "client/tournament/desk.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/offers.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/report/people.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_heal.h"
#include "client/tournament/desk_send.h"
#include "client/ui/out_terminal.h"
#include "common/tournament/tournament.h"

/* Reads what everybody is called. */
static void
desk_look_people(struct desk *d)
{
	const uint8_t *ref;
	char *name;
	int i;

	if (d->people != NULL && d->people_n == d->copy->n)
		return;
	people_free(d->people);
	d->people = people_new();
	d->people_n = d->copy->n;
	people_add(d->people, tournament_terms(d->t)->director.account, NULL);
	for (i = 1; i <= tournament_entrants(d->t); i++) {
		ref = tournament_display(d->t, i);
		name = ref == NULL ? NULL : desk_copy_text(d->copy, ref);
		people_add(d->people, tournament_account(d->t, i), name);
		free(name);
	}
}

const char *
desk_called(const struct desk *d, int number)
{
	return (people_tell(d->people, tournament_account(d->t, number)));
}

/* Takes from the copy what the desk tells of it. */
static void
desk_look(struct desk *d)
{
	const struct terms *terms;

	d->t = desk_copy_state(d->copy);
	if (d->t == NULL)
		return;
	d->account = d->p->account == NULL ? "" : d->p->account;
	d->number = tournament_number(d->t, d->account);
	d->is_director = tournament_is_director(d->t, d->account);
	desk_look_people(d);
	if (d->name == NULL) {
		terms = tournament_terms(d->t);
		d->name = desk_name(d->p, d->copy->id, terms->event);
	}
}

int
desk_sync(struct desk *d)
{
	struct conn_error ce;
	int r, status = 0;

	r = desk_copy_sync(d->link, d->copy, &ce);
	if (r == ERR_FORK && !ce.is_answer)
		r = desk_heal_copy(d->link, d->copy, &ce);
	if (r == ERR_FORK && !ce.is_answer)
		status = desk_copy_accuse(d->copy);
	else if (r != 0)
		status = link_fail(&ce);
	conn_error_clear(&ce);
	desk_look(d);
	return (status);
}

/* Keeps the copy of a tournament in which we are named. */
static int
desk_keep(struct desk *d)
{
	struct errinfo e = {.text = ""};
	int r;

	if (d->t == NULL || !tournament_is_here(d->t, d->account) ||
	    (r = desk_copy_keep(d->copy, &e)) == 0)
		return (0);
	return (cmd_fail(r, &e));
}

/* Sends an order that waits for its answer. */
static int
desk_resend(struct desk *d)
{
	struct errinfo e = {.text = ""};
	struct send_pending sp;
	int r, status;

	if ((r = desk_send_load(d->copy, &sp, &e)) == ERR_NOTFOUND)
		return (0);
	if (r != 0)
		return (cmd_fail(r, &e));
	out_note("Sending your earlier, unanswered order again ...");
	d->sent = xalloc_copy(sp.root);
	outbox_clear(&sp);
	if ((r = desk_copy_lock(d->copy, &e)) != 0)
		return (cmd_fail(r, &e));
	status = desk_send(d->link, d->copy, &d->sent_seq);
	desk_copy_unlock(d->copy);
	if (status == 0)
		out_note(
		    "It is recorded as line %lld.", (long long)d->sent_seq);
	else
		out_note("That was the earlier order; this command was not "
			 "carried out.");
	desk_look(d);
	return (status);
}

/* Brings the copy up to date, with a connection or without (`status`). */
static int
desk_begin(struct desk *d, enum desk_need need, int status)
{
	char *again;

	if (d->link == NULL) {
		if (need != DESK_READ || d->copy->n == 0) {
			if (d->cx->is_offline && need == DESK_READ) {
				out_error("you have no copy of this "
					  "tournament");
				return (EX_NOINPUT);
			}
			return (status);
		}
		if (!d->cx->is_offline_told)
			out_note("Showing your own copy of the tournament.");
		d->cx->is_offline_told = true;
		desk_look(d);
		return (0);
	}
	if (need == DESK_ORDER && (status = link_login(d->link)) != 0)
		return (status);
	if (need != DESK_ORDER)
		(void)play_log_in(d->link, d->p); /* a private one shows */
	if (need == DESK_ORDER && d->copy->n == 0 &&
	    (status = desk_resend(d)) != 0)
		return (status);
	if ((status = desk_sync(d)) != 0 || (status = desk_keep(d)) != 0)
		return (status);
	if (need == DESK_ORDER && d->sent == NULL)
		return (desk_resend(d));
	if (desk_send_waits(d->copy) && d->name != NULL) {
		again = desk_command(d, "send", "");
		out_note("An order of yours waits for its answer.  `%s` sends "
			 "it again.",
		    again);
		free(again);
	}
	return (0);
}

int
desk_open_id(struct cmd_ctx *cx, struct profile *p, struct link *link,
    const uint8_t id[HASH_LEN], enum desk_need need, struct desk **out)
{
	struct errinfo e = {.text = ""};
	struct desk *d = xalloc(sizeof(*d));
	int r, status = 0;

	d->cx = cx;
	d->p = p;
	d->link = link;
	d->account = "";
	r = profile_load_keys(p, &e);
	/* Looking needs no keys. */
	if (r != 0 && need == DESK_ORDER) {
		status = cmd_fail(r, &e);
		goto out;
	}
	if (cx->is_offline && need == DESK_READ)
		status = EX_UNAVAILABLE;
	else if (d->link == NULL)
		status = link_open(cx, p, &d->link);
	/* If this is not the pinned server, the copy stays closed. */
	if (status == EX_NOPERM)
		goto out;
	if ((r = desk_copy_open(p, id, &d->copy, &e)) != 0) {
		status = cmd_fail(r, &e);
		if (r == ERR_BAD)
			out_note("Move the file elsewhere, and the whole "
				 "tournament is fetched again.");
		goto out;
	}
	status = desk_begin(d, need, status);
	if (status == 0 && d->t == NULL) {
		out_error("this umpire is too old to read this tournament");
		status = EX_DATAERR;
	}
out:
	if (status != 0)
		desk_close(d);
	else
		*out = d;
	return (status);
}

int
desk_open(struct cmd_ctx *cx, const char *word, enum desk_need need,
    struct desk **out)
{
	struct link *link = NULL;
	struct profile *p;
	uint8_t id[HASH_LEN];
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((status = desk_find(cx, p, &link, word, id)) != 0) {
		link_close(link);
		profile_free(p);
		return (status);
	}
	return (desk_open_id(cx, p, link, id, need, out));
}

void
desk_close(struct desk *d)
{
	if (d == NULL)
		return;
	desk_copy_close(d->copy);
	link_close(d->link);
	profile_free(d->p);
	people_free(d->people);
	json_decref(d->sent);
	free(d->name);
	free(d);
}

char *
desk_command(const struct desk *d, const char *verb, const char *words)
{
	char *profile, *s;

	profile = cmd_profile_words(d->cx);
	s = xalloc_printf("umpire%s tournament %s %s%s%s", profile, verb,
	    d->name, *words == '\0' ? "" : " ", words);
	free(profile);
	return (s);
}

/* True if the order that waited says the same as this one would. */
static bool
desk_is_sent(const struct desk *d, enum entry_kind kind, const json_t *args,
    const struct outbox_text *texts, size_t n)
{
	const json_t *params = json_object_get(d->sent, "params");
	const char *text;
	struct entry o;
	bool is_same;

	if (d->sent == NULL ||
	    (text = json_string_value(json_object_get(params, "order"))) ==
		NULL ||
	    entry_parse(text, strlen(text), &o, NULL) != 0)
		return (false);
	is_same = o.kind == kind && outbox_is_same(o.args, args, texts, n) &&
	    outbox_has_texts(json_object_get(params, "texts"), texts, n);
	entry_clear(&o);
	return (is_same);
}

/*
 * Refuses texts that no server takes: an order with one, once signed, would
 * wait for its answer for ever.
 */
static int
desk_check_texts(const struct outbox_text *texts, size_t n)
{
	int status = 0;
	size_t i;

	for (i = 0; status == 0 && i < n; i++) {
		if (texts[i].value == NULL)
			continue;
		status = offers_check_text(texts[i].value);
		if (status == 0 && texts[i].value[0] == '\0') {
			out_error("the text is empty");
			status = EX_DATAERR;
		}
	}
	return (status);
}

int
desk_order(struct desk *d, enum entry_kind kind, json_t *args,
    const struct outbox_text *texts, size_t n, int64_t *seq)
{
	struct errinfo e = {.text = ""};
	json_t *list;
	int r, status;

	if (desk_is_sent(d, kind, args, texts, n)) {
		*seq = d->sent_seq;
		json_decref(args);
		return (0);
	}
	if ((status = desk_check_texts(texts, n)) != 0) {
		json_decref(args);
		return (status);
	}
	list = outbox_texts(args, texts, n);
	if ((status = link_check_clock(d->link)) == 0) {
		/* From here to the answer no other process signs for it. */
		if ((r = desk_copy_keep(d->copy, &e)) != 0 ||
		    (r = desk_copy_lock(d->copy, &e)) != 0)
			status = cmd_fail(r, &e);
		else
			status =
			    desk_send_make(d->link, d->copy, kind, args, list);
		if (status == 0)
			status = desk_send(d->link, d->copy, seq);
		desk_copy_unlock(d->copy);
		desk_look(d);
	}
	json_decref(args);
	json_decref(list);
	if (status == EX_DATAERR)
		desk_next(d);
	return (status);
}

int
desk_create(struct cmd_ctx *cx, struct profile *p, struct link *link,
    json_t *terms, struct desk **out)
{
	struct desk *d = xalloc(sizeof(*d));
	int64_t seq;
	int status;

	d->cx = cx;
	d->p = p;
	d->link = link;
	d->account = "";
	status = desk_send_create(link, p, terms, &d->copy);
	json_decref(terms);
	if (status == 0)
		status = desk_send(link, d->copy, &seq);
	desk_look(d);
	if (status == 0)
		status = desk_keep(d);
	if (status != 0 || d->t == NULL)
		desk_close(d);
	else
		*out = d;
	return (status == 0 && d->t == NULL ? EX_DATAERR : status);
}
