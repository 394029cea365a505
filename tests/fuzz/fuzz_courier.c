/* SPDX-License-Identifier: ISC */
/*
 * What umpired and umpired-courier say to each other: the first byte says
 * which of the three kinds of line it is.  What is taken holds nothing that a
 * header, an SMTP command or a log could misread.
 */
#include <string.h>

#include "server/base/address.h"
#include "server/courier/courier_message.h"
#include "server/mail/courier.h"

#include "tests/fuzz/fuzz.h"

/* A job of the daemon's. */
static void
fuzz_courier_job(const char *line, size_t len)
{
	struct courier_wire_job job;
	struct errinfo e;

	if (courier_wire_read_job(line, len, &job, &e) != 0)
		return;
	FUZZ_MUST(job.id >= 0 && job.body_len == strlen(job.body));
	FUZZ_MUST(job.body_len > 0 && job.body_len <= COURIER_WIRE_BODY);
	if (job.channel == COURIER_WIRE_MAIL) {
		FUZZ_MUST(address_is_mail(job.to));
		FUZZ_MUST(strpbrk(job.subject, "\r\n") == NULL);
		FUZZ_MUST(strchr(job.body, '\r') == NULL);
	} else if (job.channel == COURIER_WIRE_WEBHOOK) {
		FUZZ_MUST(address_is_url(job.to));
	}
	courier_wire_clear_job(&job);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct courier_wire_settings set;
	struct courier_answer a;
	struct errinfo e;
	const char *line = (const char *)data + 1;

	if (size == 0)
		return (0);
	if (data[0] == 's') {
		if (courier_wire_read_settings(line, size - 1, &set, &e) == 0)
			courier_wire_clear_settings(&set);
	} else if (data[0] == 'j') {
		fuzz_courier_job(line, size - 1);
	} else if (courier_read_answer(line, size - 1, &a) == 0) {
		FUZZ_MUST(a.id >= 0 && (a.ok || a.error[0] != '\0'));
		FUZZ_MUST(strpbrk(a.error, "\r\n\033") == NULL);
	}
	return (0);
}
