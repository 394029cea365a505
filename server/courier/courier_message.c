/* SPDX-License-Identifier: ISC */
#include "server/courier/courier_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "server/base/address.h"

#define COURIER_MESSAGE_DEPTH 2 /* nesting */
#define COURIER_MESSAGE_WIDTH 78 /* bytes of a line of a mail */

static const char *const courier_message_channels[] = {
    "command", "mail", "webhook", NULL};

/* Appends a member that is a text. */
static void
courier_message_put(struct buf *out, const char *name, const char *s)
{
	buf_printf(out, ",\"%s\":", name);
	js_dump_string(s, strlen(s), out);
}

void
courier_message_write(struct buf *out, const struct courier_message *m)
{
	const struct courier_verdict *v = &m->verdict;

	buf_printf(out, "{\"id\":%lld", (long long)m->id);
	if (!m->is_answer) {
		courier_message_put(
		    out, "channel", courier_message_channels[m->channel]);
		if (m->channel != COURIER_CHANNEL_COMMAND)
			courier_message_put(out, "to", m->to);
		if (m->channel == COURIER_CHANNEL_MAIL)
			courier_message_put(out, "subject", m->subject);
		courier_message_put(out, "body", m->body);
	} else if (v->ok) {
		buf_puts(out, ",\"ok\":true");
	} else {
		buf_printf(out, ",\"ok\":false,\"retry\":%s,\"own\":%s",
		    v->may_retry ? "true" : "false",
		    v->is_own ? "true" : "false");
		courier_message_put(out, "error", v->error);
		courier_message_put(out, "cause", v->cause);
	}
	buf_putc(out, '}');
}

/* Reads what a verdict says: held to what may go into a log or a terminal. */
static int
courier_message_read_text(const struct courier_message *m, const char *name,
    char out[COURIER_ERROR + 1], struct errinfo *e)
{
	struct errinfo plain;
	const char *s;
	int r;

	if ((r = js_get_str(m->doc, name, NULL, &s, e)) != 0)
		return (r);
	(void)err_set(&plain, ERR_IO, "", "%s", s);
	if (strlen(plain.text) > COURIER_ERROR)
		return (js_fail_member(NULL, name, e, "too long"));
	memcpy(out, plain.text, strlen(plain.text) + 1);
	return (0);
}

/* Reads an answer. */
static int
courier_message_read_answer(struct courier_message *m, struct errinfo *e)
{
	static const char *const known[] = {
	    "id", "ok", "retry", "own", "error", "cause", NULL};
	struct courier_verdict *v = &m->verdict;
	int r;

	if ((r = js_members(m->doc, NULL, known, e)) != 0 ||
	    (r = js_get_bool(m->doc, "ok", NULL, &v->ok, e)) != 0 || v->ok)
		return (r);
	if ((r = js_get_bool(m->doc, "retry", NULL, &v->may_retry, e)) != 0 ||
	    (r = js_get_bool(m->doc, "own", NULL, &v->is_own, e)) != 0 ||
	    (r = courier_message_read_text(m, "error", v->error, e)) != 0 ||
	    (r = courier_message_read_text(m, "cause", v->cause, e)) != 0)
		return (r);
	if (v->error[0] == '\0')
		return (js_fail_member(NULL, "error", e, "empty"));
	return (0);
}

/* True if all lines are printable ASCII of at most COURIER_MESSAGE_WIDTH. */
static bool
courier_message_is_text(const char *s)
{
	size_t column = 0;

	for (; *s != '\0'; s++) {
		column = *s == '\n' ? 0 : column + 1;
		if (column > COURIER_MESSAGE_WIDTH ||
		    ((*s < ' ' || *s > '~') && *s != '\n'))
			return (false);
	}
	return (true);
}

/* Reads a job. */
static int
courier_message_read_job(struct courier_message *m, struct errinfo *e)
{
	static const char *const known[COURIER_CHANNELS][6] = {
	    {"id", "channel", "body", NULL},
	    {"id", "channel", "to", "subject", "body", NULL},
	    {"id", "channel", "to", "body", NULL},
	};
	size_t len;
	int channel, r;

	if ((r = js_get_enum(m->doc, "channel", NULL, courier_message_channels,
		 &channel, e)) != 0 ||
	    (r = js_members(m->doc, NULL, known[channel], e)) != 0 ||
	    (r = js_get_str(m->doc, "body", NULL, &m->body, e)) != 0)
		return (r);
	m->channel = (enum courier_channel)channel;
	len = strlen(m->body);
	if (len == 0 || len > COURIER_BODY)
		return (js_fail_member(NULL, "body", e, "empty or too long"));
	if (m->channel == COURIER_CHANNEL_COMMAND)
		return (0);
	if ((r = js_get_str(m->doc, "to", NULL, &m->to, e)) != 0)
		return (r);
	if (m->channel == COURIER_CHANNEL_WEBHOOK)
		return (address_is_url(m->to)
			? 0
			: js_fail_member(NULL, "to", e, "not a URL"));
	if ((r = js_get_str(m->doc, "subject", NULL, &m->subject, e)) != 0)
		return (r);
	if (!address_is_mail(m->to))
		return (js_fail_member(NULL, "to", e, "not a mail address"));
	if (m->subject[0] == '\0' || strchr(m->subject, '\n') != NULL ||
	    strlen(m->subject) > COURIER_SUBJECT ||
	    !courier_message_is_text(m->subject))
		return (js_fail_member(NULL, "subject", e, "not a subject"));
	if (!courier_message_is_text(m->body) || m->body[len - 1] != '\n')
		return (js_fail_member(
		    NULL, "body", e, "not a text of short lines"));
	return (0);
}

int
courier_message_read(const char *text, size_t len, struct courier_message *out,
    struct errinfo *e)
{
	struct courier_message m = {.id = 0};
	int r;

	if ((r = js_load(text, len, COURIER_MESSAGE_DEPTH, &m.doc, e)) != 0)
		return (r);
	r = js_get_int(m.doc, "id", NULL, 0, JS_INT_MAX, &m.id, e);
	m.is_answer = json_object_get(m.doc, "ok") != NULL;
	if (r == 0)
		r = m.is_answer ? courier_message_read_answer(&m, e)
				: courier_message_read_job(&m, e);
	if (r != 0) {
		courier_message_clear(&m);
		return (r);
	}
	*out = m;
	return (0);
}

void
courier_message_clear(struct courier_message *m)
{
	json_decref(m->doc);
	m->doc = NULL;
}

/* Fills in a verdict on what was not done. */
static void
courier_verdict_set(struct courier_verdict *v, bool may_retry, bool is_own,
    const char *fmt, va_list ap)
{
	struct errinfo e;

	(void)err_vset(&e, ERR_IO, "", fmt, ap);
	*v = (struct courier_verdict){.may_retry = may_retry, .is_own = is_own};
	(void)snprintf(
	    v->error, sizeof(v->error), "%.*s", COURIER_ERROR, e.text);
}

void
courier_verdict_fail(
    struct courier_verdict *v, bool may_retry, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	courier_verdict_set(v, may_retry, false, fmt, ap);
	va_end(ap);
}

void
courier_verdict_conceal(struct courier_verdict *v, const char *error)
{
	memcpy(v->cause, v->error, sizeof(v->cause));
	(void)snprintf(v->error, sizeof(v->error), "%s", error);
	v->is_concealed = true;
	v->may_retry = true;
}

void
courier_verdict_fail_own(struct courier_verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	courier_verdict_set(v, true, true, fmt, ap);
	va_end(ap);
}
