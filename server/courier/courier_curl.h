/* SPDX-License-Identifier: ISC */
/* One transfer by libcurl, and the limits on all transfers. */
#ifndef UMPIRE_SERVER_COURIER_COURIER_CURL_H
#define UMPIRE_SERVER_COURIER_COURIER_CURL_H

#include <stdbool.h>
#include <stddef.h>

#include <curl/curl.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "server/base/net.h"
#include "server/courier/courier_message.h"

struct conf;

#define COURIER_CURL_GOT \
	4096 /* bytes of an answer's headers, and of its body */

/* What transfers are made by. */
struct courier_settings {
	const struct conf *conf; /* borrowed */
	struct net_list networks; /* webhook_networks */
	const char *password; /* borrowed: of smtp_user; "": none */
};

/* A transfer; it must not move while it is in a multi handle. */
struct courier_curl {
	CURL *easy; /* owned */
	struct curl_slist *list; /* owned: headers, or the mail's recipient */
	struct buf text; /* what is sent */
	size_t sent; /* bytes of it */
	size_t headers; /* bytes that came */
	size_t body;
	const struct net_list *networks; /* borrowed; NULL: any address */
	bool was_refused; /* an address was not allowed */
	bool was_tried; /* another one was */
	bool was_named; /* a mail server was told the address */
};

/*
 * Makes a transfer for the protocols: bounded in time and size, no redirect,
 * no proxy, no cookie, no user of the URL's, no connection of another's, TLS
 * 1.2 at least and verified, by the file ca ("": the system's).  If networks
 * is not NULL only those of the networks are connected to, and public ones
 * that are not in a network of this machine's own.  ERR_NOMEM, ERR_INTERNAL.
 */
int courier_curl_init(struct courier_curl *c, const char *protocols,
    const char *ca, const struct net_list *networks)
    __attribute__((warn_unused_result));

/* Frees what it holds. */
void courier_curl_clear(struct courier_curl *c);

/* Appends to the list.  ERR_NOMEM. */
int courier_curl_list(struct courier_curl *c, const char *s)
    __attribute__((warn_unused_result));

/* The last status that the other end sent; 0: none. */
long courier_curl_status(const struct courier_curl *c);

/* A verdict on a fault of the network; `who` begins its sentence. */
void courier_curl_fail(const struct courier_curl *c, CURLcode code,
    const char *who, struct courier_verdict *v);

#endif
