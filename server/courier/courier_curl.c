/* SPDX-License-Identifier: ISC */
/*
 * The address that is checked is the one of the socket that libcurl is about
 * to connect, after names were resolved: a name that gives a different address
 * at each query gains nothing.  Connections are never used twice, so that no
 * job goes out on one that was opened for another.
 */
#include "server/courier/courier_curl.h"

#include <sys/socket.h>

#include <ifaddrs.h>
#include <string.h>

#define COURIER_CURL_CONNECT_MS 10000L
#define COURIER_CURL_ALL_MS 30000L
#define COURIER_CURL_IDLE_S 15L

/* True if an address is one of this machine's, or in a network beside it. */
static bool
courier_curl_is_near(const struct sockaddr *sa)
{
	struct ifaddrs *i, *list;
	bool is = false;

	/* If that cannot be found out it is not allowed. */
	if (getifaddrs(&list) == -1)
		return (true);
	for (i = list; i != NULL && !is; i = i->ifa_next)
		is = i->ifa_addr != NULL && i->ifa_netmask != NULL &&
		    net_is_within(sa, i->ifa_addr, i->ifa_netmask);
	freeifaddrs(list);
	return (is);
}

/* True if an address may be connected to. */
static bool
courier_curl_is_allowed(const struct courier_curl *c, const struct sockaddr *sa)
{
	return (c->networks == NULL || net_list_has(c->networks, sa) ||
	    (net_is_public(sa) && !courier_curl_is_near(sa)));
}

/* Opens a socket to an address, if that may be connected to. */
static curl_socket_t
courier_curl_open_cb(
    void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct courier_curl *c = arg;

	if (purpose != CURLSOCKTYPE_IPCXN ||
	    !courier_curl_is_allowed(c, &address->addr)) {
		c->was_refused = true;
		return (CURL_SOCKET_BAD);
	}
	c->was_tried = true;
	return (socket(address->family, address->socktype | SOCK_CLOEXEC,
	    address->protocol));
}

/* Gives libcurl the next bytes of what is sent. */
static size_t
courier_curl_read_cb(char *out, size_t size, size_t n, void *arg)
{
	struct courier_curl *c = arg;
	const size_t left = c->text.len - c->sent;

	n = size * n < left ? size * n : left;
	if (n > 0)
		memcpy(out, c->text.data + c->sent, n);
	c->sent += n;
	return (n);
}

/* Drops a body or headers, and counts; too much ends the transfer. */
static size_t
courier_curl_drop_cb(char *data, size_t size, size_t n, void *arg)
{
	size_t *count = arg;

	(void)data;
	*count += size * n;
	return (*count > COURIER_CURL_GOT ? 0 : size * n);
}

/* Sets what a transfer may do and how long. */
static int
courier_curl_limit(CURL *easy, const char *protocols)
{
	int bad = 0;

	bad |= curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, protocols);
	bad |= curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, protocols);
	bad |= curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	bad |= curl_easy_setopt(easy, CURLOPT_PROXY, "");
	bad |= curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
	bad |= curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
	bad |= curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	bad |= curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
	bad |= curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
	bad |= curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	/* Otherwise ending one waits for the name server, and all others with
	 * it. */
	bad |= curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_CONNECTTIMEOUT_MS, COURIER_CURL_CONNECT_MS);
	bad |= curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, COURIER_CURL_ALL_MS);
	bad |= curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
	bad |=
	    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, COURIER_CURL_IDLE_S);
	return (bad);
}

/* Sets how TLS is verified. */
static int
courier_curl_secure(CURL *easy, const char *ca)
{
	int bad = 0;

	bad |= curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	bad |= curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	bad |= curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
	if (ca[0] != '\0') {
		bad |= curl_easy_setopt(easy, CURLOPT_CAINFO, ca);
		/* Otherwise the system's authorities would do as well. */
		bad |= curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	return (bad);
}

/* Sets what libcurl calls. */
static int
courier_curl_call(struct courier_curl *c)
{
	CURL *easy = c->easy;
	int bad = 0;

	bad |= curl_easy_setopt(
	    easy, CURLOPT_OPENSOCKETFUNCTION, courier_curl_open_cb);
	bad |= curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, c);
	bad |=
	    curl_easy_setopt(easy, CURLOPT_READFUNCTION, courier_curl_read_cb);
	bad |= curl_easy_setopt(easy, CURLOPT_READDATA, c);
	bad |=
	    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, courier_curl_drop_cb);
	bad |= curl_easy_setopt(easy, CURLOPT_WRITEDATA, &c->body);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_HEADERFUNCTION, courier_curl_drop_cb);
	bad |= curl_easy_setopt(easy, CURLOPT_HEADERDATA, &c->headers);
	return (bad);
}

int
courier_curl_init(struct courier_curl *c, const char *protocols, const char *ca,
    const struct net_list *networks)
{
	*c = (struct courier_curl){.networks = networks};
	buf_init(&c->text, 0);
	if ((c->easy = curl_easy_init()) == NULL)
		return (ERR_NOMEM);
	if (courier_curl_limit(c->easy, protocols) != 0 ||
	    courier_curl_secure(c->easy, ca) != 0 ||
	    courier_curl_call(c) != 0) {
		courier_curl_clear(c);
		return (ERR_INTERNAL);
	}
	return (0);
}

void
courier_curl_clear(struct courier_curl *c)
{
	curl_easy_cleanup(c->easy);
	curl_slist_free_all(c->list);
	buf_clear(&c->text);
	c->easy = NULL;
	c->list = NULL;
}

int
courier_curl_list(struct courier_curl *c, const char *s)
{
	struct curl_slist *list = curl_slist_append(c->list, s);

	if (list == NULL)
		return (ERR_NOMEM);
	c->list = list;
	return (0);
}

long
courier_curl_status(const struct courier_curl *c)
{
	long status = 0;

	if (curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status) !=
	    CURLE_OK)
		return (0);
	return (status);
}

void
courier_curl_fail(const struct courier_curl *c, CURLcode code, const char *who,
    struct courier_verdict *v)
{
	if (c->was_refused && !c->was_tried) {
		courier_verdict_fail(
		    v, false, "this address is not allowed here");
		return;
	}
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		courier_verdict_fail(
		    v, true, "%s has a name that cannot be resolved", who);
		break;
	case CURLE_COULDNT_CONNECT:
		courier_verdict_fail(v, true, "%s cannot be connected to", who);
		break;
	case CURLE_OPERATION_TIMEDOUT:
		courier_verdict_fail(v, true, "%s did not answer in time", who);
		break;
	case CURLE_PEER_FAILED_VERIFICATION:
		courier_verdict_fail(
		    v, true, "%s has a certificate that is not valid", who);
		break;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_USE_SSL_FAILED:
		courier_verdict_fail(
		    v, true, "%s does not offer TLS that is good enough", who);
		break;
	case CURLE_OUT_OF_MEMORY:
	case CURLE_SSL_CACERT_BADFILE:
		courier_verdict_fail_own(
		    v, "this server is at fault: %s", curl_easy_strerror(code));
		break;
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL:
		courier_verdict_fail(
		    v, false, "%s has an address that cannot be used", who);
		break;
	default:
		courier_verdict_fail(
		    v, true, "%s broke off: %s", who, curl_easy_strerror(code));
		break;
	}
}
