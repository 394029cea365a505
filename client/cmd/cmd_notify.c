/* SPDX-License-Identifier: ISC */
/*
 * umpire notify: where and when the server notifies us while we are not
 * connected.  All of these settings are kept by the server.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "common/base/clock.h"
#include "common/json/js.h"

#define CMD_NOTIFY_DAY 1440 /* minutes */
#define CMD_NOTIFY_OFFSET 840 /* minutes that a clock may be off UTC */
#define CMD_NOTIFY_INDENT 9 /* columns before what is said of an address */

/* Reads "22:00" at *s, which moves past it. */
static bool
cmd_notify_time(const char **s, int *minutes)
{
	const char *p = *s;
	int h = 0, m = 0, n;

	for (n = 0; n < 2 && *p >= '0' && *p <= '9'; n++)
		h = 10 * h + (*p++ - '0');
	if (n == 0 || *p++ != ':')
		return (false);
	for (n = 0; n < 2 && *p >= '0' && *p <= '9'; n++)
		m = 10 * m + (*p++ - '0');
	if (n != 2 || h > 23 || m > 59)
		return (false);
	*minutes = 60 * h + m;
	*s = p;
	return (true);
}

/* Reads "+02:00". */
static bool
cmd_notify_ahead(const char *s, int *offset)
{
	const bool is_behind = *s == '-';

	if ((*s != '+' && *s != '-') || (s++, !cmd_notify_time(&s, offset)) ||
	    *s != '\0' || *offset > CMD_NOTIFY_OFFSET)
		return (false);
	if (is_behind)
		*offset = -*offset;
	return (true);
}

/* Prints "last sent  2026-11-20 18:04" of an address, if it is there. */
static void
cmd_notify_when(
    struct out *o, const json_t *v, const char *name, const char *words)
{
	const char *s = text_member(v, name);
	char when[32];
	int64_t ms;

	if (clock_parse(s, strlen(s), &ms) == 0)
		out_print(o, "%*s%s %s\n", CMD_NOTIFY_INDENT, "", words,
		    out_time(when, ms));
}

/* Tells one address. */
static void
cmd_notify_address(struct cmd_ctx *cx, const json_t *v)
{
	const char *kind = text_member(v, "kind");
	const char *error = text_member(v, "error");
	struct out *o = &cx->out;
	char *profile, *safe;
	bool is_sent;

	safe = text_safe(kind);
	out_print(o, "%-*s", CMD_NOTIFY_INDENT, safe);
	out_text(
	    o, CMD_NOTIFY_INDENT, CMD_NOTIFY_INDENT, text_member(v, "value"));
	profile = cmd_profile_words(cx);
	if (json_is_true(json_object_get(v, "confirmed"))) {
		cmd_notify_when(o, v, "at", "in use; set on");
	} else if (json_object_get(v, "code_until") != NULL) {
		/* Tries before the address was set again do not count. */
		is_sent = json_object_get(v, "failed_at") == NULL ||
		    json_object_get(v, "sent_at") != NULL;
		out_print(o,
		    "%*snot used yet; %s\n%*sumpire%s notify --confirm CODE\n",
		    CMD_NOTIFY_INDENT, "",
		    is_sent ? "give the code that was sent there:"
			    : "its code could not be sent.  When it comes:",
		    CMD_NOTIFY_INDENT, "", profile);
		cmd_notify_when(o, v, "code_until", "the code is good until");
	} else {
		out_print(o,
		    "%*snot used: its code is void; set it again for another\n",
		    CMD_NOTIFY_INDENT, "");
	}
	cmd_notify_when(o, v, "sent_at", "last sent  ");
	cmd_notify_when(o, v, "failed_at", "last failed");
	if (*error != '\0') {
		out_print(o, "%*s", CMD_NOTIFY_INDENT, "");
		out_text(o, CMD_NOTIFY_INDENT, CMD_NOTIFY_INDENT, error);
	}
	free(profile);
	free(safe);
}

/* A minute of the day, moved. */
static int
cmd_notify_move(int64_t minute, int by)
{
	return ((int)(((minute + by) % CMD_NOTIFY_DAY + CMD_NOTIFY_DAY) %
	    CMD_NOTIFY_DAY));
}

/* Tells the quiet hours, on this machine's clock. */
static void
cmd_notify_quiet(struct out *o, const json_t *quiet)
{
	struct js_at at = {.name = "quiet"};
	int64_t from, offset, to;
	struct errinfo e;
	char zone[CLOCK_ZONE_LEN + 1];
	int by;

	if (!json_is_object(quiet)) {
		out_print(o, "quiet    at no time\n");
		return;
	}
	if (js_get_int(quiet, "offset", &at, -CMD_NOTIFY_OFFSET,
		CMD_NOTIFY_OFFSET, &offset, &e) != 0 ||
	    js_get_int(quiet, "from", &at, 0, CMD_NOTIFY_DAY - 1, &from, &e) !=
		0 ||
	    js_get_int(quiet, "to", &at, 0, CMD_NOTIFY_DAY - 1, &to, &e) != 0)
		return;
	by = clock_ahead(clock_wall_ms()) - (int)offset;
	clock_zone(zone, (int)offset);
	out_print(o,
	    "quiet    from %02d:%02d to %02d:%02d by this machine's clock "
	    "now\n",
	    cmd_notify_move(from, by) / 60, cmd_notify_move(from, by) % 60,
	    cmd_notify_move(to, by) / 60, cmd_notify_move(to, by) % 60);
	out_print(o,
	    "         (%02d:%02d to %02d:%02d at %s, also when summer time "
	    "begins or ends)\n",
	    (int)from / 60, (int)from % 60, (int)to / 60, (int)to % 60, zone);
}

/* Prints the result of address.list. */
static void
cmd_notify_tell(struct cmd_ctx *cx, const json_t *result)
{
	const json_t *offered = json_object_get(result, "offered"), *v;
	const json_t *addresses = json_object_get(result, "addresses");
	struct out *o = &cx->out;
	size_t i;
	char *safe;

	if (o->is_json) {
		out_json(o, xalloc_copy(result));
		return;
	}
	json_array_foreach(addresses, i, v) cmd_notify_address(cx, v);
	if (json_array_size(addresses) == 0)
		out_print(
		    o, "Nothing is sent to you about what waits for you.\n");
	if (json_array_size(addresses) > 0 ||
	    json_is_object(json_object_get(result, "quiet")))
		cmd_notify_quiet(o, json_object_get(result, "quiet"));
	if (json_array_size(offered) == 0) {
		out_print(o, "This server sends neither mail nor webhooks.\n");
		return;
	}
	out_print(o, "This server offers");
	json_array_foreach(offered, i, v)
	{
		safe = text_safe(json_is_string(v) ? json_string_value(v) : "");
		out_print(o, "%s %s", i == 0 ? "" : " and", safe);
		free(safe);
	}
	out_print(o, ".\n");
}

/*
 * Asks the server for a change and prints the result: the object of the answer,
 * or a sentence (NULL: the quiet hours).
 */
static int
cmd_notify_change(struct cmd_ctx *cx, struct link *l, const char *method,
    json_t *params, const char *words)
{
	json_t *result;
	int status;

	if ((status = link_ask(l, method, params, &result)) != 0)
		return (status);
	if (cx->out.is_json)
		out_json(&cx->out, json_incref(result));
	else if (words == NULL)
		cmd_notify_quiet(&cx->out, json_object_get(result, "quiet"));
	else
		out_print(&cx->out, "%s\n", words);
	json_decref(result);
	return (0);
}

/* Sets an address. */
static int
cmd_notify_set(struct cmd_ctx *cx, struct link *l, const char *kind)
{
	char *profile = cmd_profile_words(cx), *words;
	int status;

	words =
	    xalloc_printf("A code is on its way there.  Nothing else is sent "
			  "until you give it:\numpire%s notify --confirm CODE",
		profile);
	status = cmd_notify_change(cx, l, "address.set",
	    xalloc_json(json_pack("{s:s, s:o}", "kind", kind, "value",
		xalloc_json_str(opt_get(&cx->opts, kind)))),
	    words);
	free(words);
	free(profile);
	return (status);
}

/* Reads --quiet and --offset into params; new.  0, or a usage error. */
static int
cmd_notify_read_quiet(const struct cmd_ctx *cx, json_t **params)
{
	const char *ahead = opt_get(&cx->opts, "offset");
	const char *hours = opt_get(&cx->opts, "quiet"), *s = hours;
	int from = 0, offset = clock_ahead(clock_wall_ms()), to = 0;

	if (ahead != NULL && hours == NULL)
		return (cmd_usage(cx, "--offset goes with --quiet"));
	if (ahead != NULL && !cmd_notify_ahead(ahead, &offset))
		return (cmd_usage(cx,
		    "--offset takes how far the clock is ahead of UTC, as in "
		    "+02:00"));
	if (hours != NULL &&
	    (!cmd_notify_time(&s, &from) || *s++ != '-' ||
		!cmd_notify_time(&s, &to) || *s != '\0' || from == to))
		return (cmd_usage(
		    cx, "--quiet takes two times, as in 22:00-07:00"));
	*params =
	    xalloc_json(hours == NULL ? json_object()
				      : json_pack("{s:i, s:i, s:i}", "offset",
					    offset, "from", from, "to", to));
	return (0);
}

/* Does what the options say, over a connection that is logged in. */
static int
cmd_notify_act(struct cmd_ctx *cx, struct link *l, json_t *quiet)
{
	const struct opt_set *set = &cx->opts;
	json_t *result;
	int status;

	if (opt_has(set, "mail"))
		return (cmd_notify_set(cx, l, "mail"));
	if (opt_has(set, "webhook"))
		return (cmd_notify_set(cx, l, "webhook"));
	if (opt_has(set, "confirm"))
		return (cmd_notify_change(cx, l, "address.confirm",
		    xalloc_json(json_pack("{s:o}", "code",
			xalloc_json_str(opt_get(set, "confirm")))),
		    "From now on you are told there what waits for you while "
		    "you are not connected."));
	if (opt_has(set, "drop"))
		return (cmd_notify_change(cx, l, "address.drop",
		    xalloc_json(
			json_pack("{s:s}", "kind", opt_get(set, "drop"))),
		    "Nothing is sent there any longer."));
	if (opt_has(set, "quiet") || opt_has(set, "no-quiet"))
		return (cmd_notify_change(
		    cx, l, "address.quiet", json_incref(quiet), NULL));
	if ((status = link_ask(l, "address.list", NULL, &result)) != 0)
		return (status);
	cmd_notify_tell(cx, result);
	json_decref(result);
	return (0);
}

/* Shows or changes where and when we are notified. */
static int
cmd_notify_run(struct cmd_ctx *cx)
{
	static const char *const all[] = {
	    "mail", "webhook", "confirm", "drop", "quiet", "no-quiet"};
	const char *drop = opt_get(&cx->opts, "drop");
	struct link *l = NULL;
	struct profile *p;
	json_t *quiet = NULL;
	size_t i, n = 0;
	int status;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		n += (size_t)opt_has(&cx->opts, all[i]);
	if (n > 1)
		return (cmd_usage(cx, "only one of these options at a time"));
	if (drop != NULL && strcmp(drop, "mail") != 0 &&
	    strcmp(drop, "webhook") != 0)
		return (cmd_usage(cx, "--drop takes 'mail' or 'webhook'"));
	if ((status = cmd_notify_read_quiet(cx, &quiet)) != 0)
		return (status);
	if ((status = play_profile(cx, &p)) == 0) {
		if ((status = link_open(cx, p, &l)) == 0 &&
		    (status = link_login(l)) == 0)
			status = cmd_notify_act(cx, l, quiet);
		link_close(l);
		profile_free(p);
	}
	json_decref(quiet);
	return (status);
}

static const struct opt_def cmd_notify_opts[] = {
    {"mail", 0, "ADDRESS", false, "be told by mail; a code is sent there"},
    {"webhook", 0, "URL", false, "be told by a webhook; likewise"},
    {"confirm", 0, "CODE", false, "give the code that was sent"},
    {"drop", 0, "KIND", false, "mail or webhook: send nothing there"},
    {"quiet", 0, "HOURS", false, "send nothing then, as in 22:00-07:00"},
    {"offset", 0, "TIME", false, "clock of --quiet, as in +02:00"},
    {"no-quiet", 0, NULL, false, "send at any time"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_notify = {
    .opts = cmd_notify_opts,
    .min_args = 0,
    .max_args = 0,
    .run = cmd_notify_run,
};
