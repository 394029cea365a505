/* SPDX-License-Identifier: ISC */
#include "server/courier/courier_hook.h"

#include <string.h>

#include "server/base/address.h"
#include "server/base/conf.h"

#define COURIER_HOOK_WHO "the receiver"
/*
 * Of all that can be wrong before the receiver has been asked: told apart, the
 * causes would show anyone with an account which names exist inside, and which
 * ports are open.
 */
#define COURIER_HOOK_UNREACHED COURIER_HOOK_WHO " cannot be reached by https"

/* True if libcurl reads the URL as we did when we accepted it. */
static bool
courier_hook_is_url(const char *url)
{
	char *scheme = NULL, *user = NULL, *password = NULL, *fragment = NULL;
	CURLU *u = curl_url();
	bool ok;

	ok = u != NULL && address_is_url(url) &&
	    curl_url_set(u, CURLUPART_URL, url, CURLU_DISALLOW_USER) ==
		CURLUE_OK &&
	    curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    strcmp(scheme, "https") == 0 &&
	    curl_url_get(u, CURLUPART_USER, &user, 0) == CURLUE_NO_USER &&
	    curl_url_get(u, CURLUPART_PASSWORD, &password, 0) ==
		CURLUE_NO_PASSWORD &&
	    curl_url_get(u, CURLUPART_FRAGMENT, &fragment, 0) ==
		CURLUE_NO_FRAGMENT;
	curl_free(scheme);
	curl_free(user);
	curl_free(password);
	curl_free(fragment);
	curl_url_cleanup(u);
	return (ok);
}

/* Sets what is asked of the receiver. */
static int
courier_hook_set(struct courier_curl *c, const struct courier_settings *set,
    const struct courier_message *job)
{
	CURL *easy = c->easy;
	int bad = 0;

	buf_add(&c->text, job->body, strlen(job->body));
	if (buf_error(&c->text) != 0)
		return (buf_error(&c->text));
	/* Without Expect the body goes at once. */
	if (courier_curl_list(c, "Content-Type: application/json") != 0 ||
	    courier_curl_list(c, "Expect:") != 0)
		return (ERR_NOMEM);
	bad |= curl_easy_setopt(easy, CURLOPT_URL, job->to);
	bad |= curl_easy_setopt(easy, CURLOPT_USERAGENT, "umpired");
	bad |= curl_easy_setopt(easy, CURLOPT_HTTPHEADER, c->list);
	bad |= curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
	    (long)(1000 * set->conf->webhook_connect));
	bad |= curl_easy_setopt(easy, CURLOPT_POST, 1L);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)c->text.len);
	bad |= curl_easy_setopt(easy, CURLOPT_POSTFIELDS, c->text.data);
	return (bad == 0 ? 0 : ERR_INTERNAL);
}

int
courier_hook_begin(struct courier_curl *c, const struct courier_settings *set,
    const struct courier_message *job, struct courier_verdict *v)
{
	int r;

	if (!courier_hook_is_url(job->to)) {
		courier_verdict_fail(v, false,
		    COURIER_HOOK_WHO " has an address that cannot be used");
		return (ERR_INVALID);
	}
	if (!address_has_port(&set->conf->live.webhook_ports, job->to)) {
		courier_verdict_fail(v, false,
		    COURIER_HOOK_WHO " has a port that is not allowed here");
		return (ERR_DENIED);
	}
	r = courier_curl_init(
	    c, "https", set->conf->webhook_ca, &set->networks);
	if (r == 0 && (r = courier_hook_set(c, set, job)) != 0)
		courier_curl_clear(c);
	if (r != 0)
		courier_verdict_fail_own(v, "%s", err_text(r));
	return (r);
}

/* True if TLS was set up, so that the request could be sent. */
static bool
courier_hook_was_asked(const struct courier_curl *c)
{
	curl_off_t us = 0;

	return (curl_easy_getinfo(c->easy, CURLINFO_APPCONNECT_TIME_T, &us) ==
		CURLE_OK &&
	    us > 0);
}

void
courier_hook_judge(
    const struct courier_curl *c, CURLcode code, struct courier_verdict *v)
{
	const long status = courier_curl_status(c);
	bool may_retry;

	/* What comes after the status is dropped, and may be too long. */
	if ((code != CURLE_OK && code != CURLE_WRITE_ERROR) || status < 200) {
		courier_curl_fail(c, code, COURIER_HOOK_WHO, v);
		if (!v->is_own && !courier_hook_was_asked(c))
			courier_verdict_conceal(v, COURIER_HOOK_UNREACHED);
		return;
	}
	if (status < 300) {
		*v = (struct courier_verdict){.ok = true};
		return;
	}
	may_retry = status == 408 || status == 429 || status >= 500;
	courier_verdict_fail(
	    v, may_retry, COURIER_HOOK_WHO " answers %ld", status);
}
