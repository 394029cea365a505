/* SPDX-License-Identifier: ISC */
/*
 * The settings of umpire-web.  One table is the schema, the defaults and the
 * documentation at once, as umpired's (server/base/conf.h).
 */
#ifndef UMPIRE_WEB_WEB_CONF_H
#define UMPIRE_WEB_WEB_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/net.h"

struct buf;

enum web_conf_sandbox {
	WEB_CONF_SANDBOX_NO,
	WEB_CONF_SANDBOX_YES, /* forbidden calls fail */
	WEB_CONF_SANDBOX_KILL, /* they end the process */
};

#define WEB_CONF_CONNECTIONS 256 /* to umpired, at most */

/* All settings; web_conf_free() frees them.  Strings are owned. */
struct web_conf {
	char *server; /* host:port of umpired */
	char *server_key; /* "": that which answers first is kept */
	char *listen; /* host:port, or unix: and a path */
	char *port_file; /* "": none */
	char *cache; /* the folder */
	char *admin_socket; /* "": none */
	char *base; /* "https://games.example.org"; "": not known */
	char *title;
	char *security_contact; /* URIs, separated by blanks; "": none */
	char *security_expires; /* a date */
	char *robots_refused; /* names of programs, separated by blanks */
	char *wasm; /* "": none */
	char *reader; /* "": none */
	char *rsvg_convert; /* "": there are no pictures */
	char *proxies; /* networks, separated by blanks */
	char *address_header; /* "": proxies do not say whose requests are */
	int64_t server_connections; /* to umpired */
	int64_t cache_disk; /* MiB */
	int64_t cache_memory; /* MiB */
	int64_t games_memory; /* MiB */
	int64_t game_memory; /* MiB */
	int64_t watch_s;
	int64_t max_connections;
	int64_t max_streams;
	int64_t max_streams_address;
	int64_t max_waiting;
	int64_t address_rate; /* requests a second; 0: any number */
	int64_t address_burst;
	int64_t header_ms;
	int64_t reply_s;
	int64_t idle_s;
	int64_t comment_ms;
	int64_t slice_us;
	int64_t picture_ms;
	int64_t share_port; /* yes: 1 */
	int64_t log_level;
	int64_t sandbox;
	/* What follows is read from them. */
	struct net_list proxy_nets;
};

/* The settings of a file and of n texts "key=value".  New. */
int web_conf_load(const char *path, const char *const overrides[], size_t n,
    struct web_conf **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees them; NULL is allowed. */
void web_conf_free(struct web_conf *c);

/* Appends a file of the defaults, with what each means: etc/umpire-web.conf. */
void web_conf_print(struct buf *out);

/* Names of all settings in turn; NULL after the last. */
const char *web_conf_name(size_t i);

#endif
