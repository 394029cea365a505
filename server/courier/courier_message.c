/* SPDX-License-Identifier: ISC */
/*
 * The daemon is believed in nothing that a header, an SMTP command or a
 * request is made of: what comes in a line is checked again here, so that a
 * fault on the other end is found before anything is sent.
 */
#include "server/courier/courier_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "server/base/address.h"

#define COURIER_WIRE_DEPTH 2 /* nesting of a line */

static const char *const courier_wire_channels[] = {
    "command", "mail", "webhook", NULL};

/* Reads the texts of the settings. */
static int
courier_wire_read_texts(struct courier_wire_settings *s, struct errinfo *e)
{
	const struct {
		const char *name;
		const char **out;
	} members[] = {
	    {"notify_command", &s->notify_command},
	    {"smtp_url", &s->smtp_url},
	    {"smtp_from", &s->smtp_from},
	    {"smtp_user", &s->smtp_user},
	    {"smtp_password_file", &s->smtp_password_file},
	    {"smtp_ca", &s->smtp_ca},
	    {"webhook_ca", &s->webhook_ca},
	};
	size_t i;
	int r;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		r = js_get_str(
		    s->doc, members[i].name, NULL, members[i].out, e);
		if (r != 0)
			return (r);
	}
	if (s->smtp_url[0] != '\0' && !address_is_mail(s->smtp_from))
		return (
		    js_fail_member(NULL, "smtp_from", e, "not a mail address"));
	return (0);
}

/* Reads the ports that webhooks may go to. */
static int
courier_wire_read_ports(
    const char *ports, struct courier_wire_settings *s, struct errinfo *e)
{
	if (address_read_ports(ports, &s->webhook_ports) != 0)
		return (js_fail_member(NULL, "webhook_ports", e, "not ports"));
	return (0);
}

int
courier_wire_read_settings(const char *line, size_t len,
    struct courier_wire_settings *out, struct errinfo *e)
{
	static const char *const known[] = {"core_dumps", "notify_command",
	    "smtp_url", "smtp_from", "smtp_user", "smtp_password_file",
	    "smtp_ca", "webhook_networks", "webhook_ports", "webhook_connect",
	    "webhook_ca", NULL};
	struct courier_wire_settings s = {.doc = NULL};
	const char *networks, *ports;
	int r;

	if ((r = js_load(line, len, COURIER_WIRE_DEPTH, &s.doc, e)) != 0)
		return (r);
	if ((r = js_members(s.doc, NULL, known, e)) != 0 ||
	    (r = js_get_bool(s.doc, "core_dumps", NULL, &s.core_dumps, e)) !=
		0 ||
	    (r = courier_wire_read_texts(&s, e)) != 0 ||
	    (r = js_get_str(s.doc, "webhook_networks", NULL, &networks, e)) !=
		0 ||
	    (r = net_list_read(networks, &s.webhook_networks, e)) != 0 ||
	    (r = js_get_str(s.doc, "webhook_ports", NULL, &ports, e)) != 0 ||
	    (r = js_get_int(s.doc, "webhook_connect", NULL, 1,
		 COURIER_WIRE_CONNECT, &s.webhook_connect, e)) != 0 ||
	    (r = courier_wire_read_ports(ports, &s, e)) != 0) {
		courier_wire_clear_settings(&s);
		return (r);
	}
	*out = s;
	return (0);
}

/* True if s is printable ASCII of at most max bytes. */
static bool
courier_wire_is_line(const char *s, size_t max)
{
	size_t i;

	for (i = 0; s[i] != '\0'; i++) {
		if (s[i] < ' ' || s[i] > '~')
			return (false);
	}
	return (i <= max);
}

/* True if a body can stand in a mail as it is: short lines of ASCII. */
static bool
courier_wire_is_text(const char *s)
{
	size_t i, column = 0;

	for (i = 0; s[i] != '\0'; i++) {
		column = s[i] == '\n' ? 0 : column + 1;
		if (column > 78 || ((s[i] < ' ' || s[i] > '~') && s[i] != '\n'))
			return (false);
	}
	return (i > 0 && column == 0);
}

/* Reads what only a mail has, or a webhook. */
static int
courier_wire_read_to(struct courier_wire_job *job, struct errinfo *e)
{
	int r;

	if ((r = js_get_str(job->doc, "to", NULL, &job->to, e)) != 0)
		return (r);
	if (job->channel == COURIER_WIRE_WEBHOOK) {
		if (!address_is_url(job->to))
			return (js_fail_member(NULL, "to", e, "not a URL"));
		return (0);
	}
	r = js_get_str(job->doc, "subject", NULL, &job->subject, e);
	if (r != 0)
		return (r);
	if (!address_is_mail(job->to))
		return (js_fail_member(NULL, "to", e, "not a mail address"));
	if (job->subject[0] == '\0' ||
	    !courier_wire_is_line(job->subject, COURIER_WIRE_SUBJECT))
		return (js_fail_member(NULL, "subject", e, "not a subject"));
	if (!courier_wire_is_text(job->body))
		return (js_fail_member(
		    NULL, "body", e, "not a text of short lines"));
	return (0);
}

int
courier_wire_read_job(const char *line, size_t len,
    struct courier_wire_job *out, struct errinfo *e)
{
	static const char *const known[3][6] = {
	    {"id", "channel", "body", NULL},
	    {"id", "channel", "to", "subject", "body", NULL},
	    {"id", "channel", "to", "body", NULL},
	};
	struct courier_wire_job job = {.doc = NULL};
	int channel, r;

	if ((r = js_load(line, len, COURIER_WIRE_DEPTH, &job.doc, e)) != 0)
		return (r);
	if ((r = js_get_enum(job.doc, "channel", NULL, courier_wire_channels,
		 &channel, e)) != 0 ||
	    (r = js_members(job.doc, NULL, known[channel], e)) != 0 ||
	    (r = js_get_int(job.doc, "id", NULL, 0, JS_INT_MAX, &job.id, e)) !=
		0 ||
	    (r = js_get_str(job.doc, "body", NULL, &job.body, e)) != 0)
		goto fail;
	job.channel = (enum courier_wire_channel)channel;
	job.body_len = strlen(job.body);
	if (job.body_len == 0 || job.body_len > COURIER_WIRE_BODY) {
		r = js_fail_member(NULL, "body", e, "empty or too long");
		goto fail;
	}
	if (job.channel != COURIER_WIRE_COMMAND &&
	    (r = courier_wire_read_to(&job, e)) != 0)
		goto fail;
	*out = job;
	return (0);
fail:
	courier_wire_clear_job(&job);
	return (r);
}

void
courier_wire_clear_settings(struct courier_wire_settings *s)
{
	json_decref(s->doc);
	s->doc = NULL;
}

void
courier_wire_clear_job(struct courier_wire_job *job)
{
	json_decref(job->doc);
	job->doc = NULL;
}

void
courier_wire_answer(
    struct buf *out, int64_t id, const struct courier_wire_verdict *v)
{
	buf_printf(out, "{\"id\":%lld,\"ok\":%s", (long long)id,
	    v->ok ? "true" : "false");
	if (!v->ok) {
		buf_printf(out, ",\"retry\":%s,\"own\":%s,\"error\":",
		    v->may_retry ? "true" : "false",
		    v->is_own ? "true" : "false");
		js_dump_string(v->error, strlen(v->error), out);
		buf_puts(out, ",\"cause\":");
		js_dump_string(v->cause, strlen(v->cause), out);
	}
	buf_puts(out, "}\n");
}

void
courier_wire_succeed(struct courier_wire_verdict *v)
{
	*v = (struct courier_wire_verdict){.ok = true};
}

/* Fills in a verdict on what was not done. */
static void
courier_wire_set(struct courier_wire_verdict *v, bool may_retry, bool is_own,
    const char *fmt, va_list ap)
{
	struct errinfo e;

	(void)err_vset(&e, ERR_IO, "", fmt, ap);
	*v = (struct courier_wire_verdict){
	    .may_retry = may_retry, .is_own = is_own};
	(void)snprintf(
	    v->error, sizeof(v->error), "%.*s", COURIER_WIRE_ERROR, e.text);
}

void
courier_wire_fail(
    struct courier_wire_verdict *v, bool may_retry, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	courier_wire_set(v, may_retry, false, fmt, ap);
	va_end(ap);
}

void
courier_wire_conceal(struct courier_wire_verdict *v, const char *error)
{
	memcpy(v->cause, v->error, sizeof(v->cause));
	(void)snprintf(v->error, sizeof(v->error), "%s", error);
	v->is_concealed = true;
	v->may_retry = true;
}

void
courier_wire_fail_own(struct courier_wire_verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	courier_wire_set(v, true, true, fmt, ap);
	va_end(ap);
}
