/* SPDX-License-Identifier: ISC */
/*
 * What umpired and umpired-courier say to each other.  What is taken holds
 * nothing that a header, an SMTP command or a log could misread.
 */
#include <string.h>

#include "server/base/address.h"
#include "server/courier/courier_message.h"

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct courier_message m;
	struct errinfo e;

	if (courier_message_read((const char *)data, size, &m, &e) != 0)
		return (0);
	FUZZ_MUST(m.id >= 0);
	if (m.is_answer) {
		FUZZ_MUST(m.verdict.ok || m.verdict.error[0] != '\0');
		FUZZ_MUST(strpbrk(m.verdict.error, "\r\n\033") == NULL);
		FUZZ_MUST(strpbrk(m.verdict.cause, "\r\n\033") == NULL);
	} else {
		FUZZ_MUST(m.body[0] != '\0' && strlen(m.body) <= COURIER_BODY);
		if (m.channel == COURIER_CHANNEL_MAIL) {
			FUZZ_MUST(address_is_mail(m.to));
			FUZZ_MUST(strpbrk(m.subject, "\r\n") == NULL);
			FUZZ_MUST(strchr(m.body, '\r') == NULL);
		} else if (m.channel == COURIER_CHANNEL_WEBHOOK) {
			FUZZ_MUST(address_is_url(m.to));
		}
	}
	courier_message_clear(&m);
	return (0);
}
