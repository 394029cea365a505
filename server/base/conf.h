/* SPDX-License-Identifier: ISC */
/*
 * The settings of the daemon.  One table is the schema, the defaults and the
 * documentation at once: what umpired reads, prints and explains comes from
 * it.
 */
#ifndef UMPIRE_SERVER_BASE_CONF_H
#define UMPIRE_SERVER_BASE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/address.h"
#include "server/base/log.h"
#include "server/base/names.h"

struct buf;

#define CONF_KEYS_MAX 96 /* rows of the table at most */
#define CONF_HOST_MAX 255
#define CONF_LINE_MAX 198 /* bytes of a line of a file; libinih's bound */

enum conf_policy {
	CONF_POLICY_OPEN,
	CONF_POLICY_INVITE,
	CONF_POLICY_CLOSED,
};

enum conf_sandbox {
	CONF_SANDBOX_NO,
	CONF_SANDBOX_YES, /* forbidden calls fail */
	CONF_SANDBOX_KILL, /* they end the daemon */
};

/*
 * What io threads need of the settings: plain data, so that each thread has
 * a copy of its own and a reload hands out new ones.  Times are in seconds.
 */
struct conf_live {
	int64_t policy; /* enum conf_policy */
	int64_t max_requests;
	int64_t max_watches;
	int64_t gateway_watches; /* in its place for those of gateways */
	int64_t max_output;
	int64_t handshake_timeout;
	int64_t login_timeout;
	int64_t request_timeout;
	int64_t send_timeout;
	int64_t idle_timeout;
	int64_t stop_timeout;
	int64_t muster_days; /* 0: games in muster do not lapse */
	/* What address.set takes; follows from other settings. */
	int64_t offers_mail; /* 0 or 1 */
	int64_t offers_webhooks; /* likewise */
	struct address_ports webhook_ports;
	struct names witnesses;
	bool anybody_creates; /* a tournament; else who these are */
	struct names creators;
};

/* All settings; conf_free() frees them.  Strings are owned. */
struct conf {
	char *path; /* of the file; NULL if there is none */
	/* Each value as it was written, but lists separated by single blanks.
	 */
	char *raw[CONF_KEYS_MAX];
	char *listen; /* addresses, separated by blanks */
	char *port_file; /* "": none; paths are resolved */
	char *database;
	char *identity_key;
	char *dice_key;
	char *invite_key;
	char *tls_cert;
	char *tls_key;
	char *user; /* "": stay who we are, but not root */
	char *admin_socket; /* "": none */
	char *admin_users; /* separated by blanks */
	int64_t sandbox; /* enum conf_sandbox */
	int64_t core_dumps;
	int64_t log_level; /* enum log_level */
	int64_t invite_days;
	int64_t io_threads;
	int64_t queue_max;
	int64_t blob_quota;
	int64_t write_quota; /* 0: none */
	int64_t max_muster; /* games; 0: no bound */
	int64_t min_free_disk; /* MiB; 0: no bound */
	int64_t recovery_s;
	int64_t max_connections;
	int64_t max_per_address;
	char *max_startups; /* "": no bound; else conf_split_startups() */
	int64_t request_rate; /* 0: none; the same for address_rate */
	int64_t request_burst;
	int64_t address_rate;
	int64_t address_burst;
	char *gateways; /* net_list_read() */
	int64_t gateway_rate; /* 0: none */
	int64_t gateway_burst;
	int64_t gateway_connections;
	char *witnesses; /* names_read() */
	char *tournament_create; /* "any" or names_read() */
	int64_t witness_rate; /* 0: none */
	int64_t witness_burst;
	int64_t witness_quota; /* 0: none */
	int64_t penalty_handshake; /* seconds, here and below */
	int64_t penalty_timeout;
	int64_t penalty_malformed;
	int64_t penalty_flood;
	int64_t penalty_min;
	int64_t penalty_max;
	char *penalty_exempt; /* separated by blanks */
	int64_t failure_burst;
	int64_t failure_decay;
	int64_t register_burst;
	int64_t register_decay;
	char *courier; /* "": beside umpired */
	char *notify_command; /* "": none; the same for the others */
	int64_t notify_delay;
	int64_t notify_tries;
	int64_t notify_retry;
	char *smtp_url;
	char *smtp_from;
	char *smtp_user;
	char *smtp_password_file;
	char *smtp_ca;
	int64_t webhooks; /* 0 or 1 */
	char *webhook_networks; /* separated by blanks */
	char *webhook_ports; /* address_read_ports() */
	int64_t webhook_connect; /* seconds */
	char *webhook_ca;
	struct conf_live live;
};

enum conf_type {
	CONF_TEXT,
	CONF_PATH, /* relative ones start from the file's folder */
	CONF_ADDRESSES, /* host:port, separated by blanks or commas */
	CONF_NETWORKS, /* likewise address/bits; may be empty */
	CONF_PORTS, /* likewise ports */
	CONF_ACCOUNTS, /* likewise accounts; may be empty */
	CONF_CREATORS, /* likewise, or "any" */
	CONF_MAIL, /* a mail address; may be empty */
	CONF_SMTP, /* a URL of a mail server; may be empty */
	CONF_STARTUPS, /* start:rate:full; may be empty */
	CONF_NUMBER, /* from here on no text */
	CONF_WORD, /* one of words; the value is its index */
};

/* One setting: a row of the table. */
struct conf_key {
	const char *name;
	enum conf_type type;
	size_t offset; /* of its member in struct conf */
	const char *fallback;
	int64_t lo; /* CONF_NUMBER: least and greatest value */
	int64_t hi;
	const char *const *words; /* CONF_WORD: ended by NULL */
	bool is_reloadable;
	const char *what; /* for people: plain text */
};

/* The table; *n is the number of its rows. */
const struct conf_key *conf_keys(size_t *n);

/* True if a setting is a list, which may be given in several lines. */
bool conf_is_list(const struct conf_key *key);

/*
 * Makes the settings: the defaults, over them the file at path (NULL: none),
 * over them n overrides of the form "key=value", which are refused if no file
 * could say the same.  ERR_CONFIG, with
 * "FILE:LINE" or the override in e->where and the key in e->text;
 * ERR_NOTFOUND or ERR_IO for a file that cannot be read; ERR_NOMEM.
 * *out is new.
 */
int conf_load(const char *path, const char *const overrides[], size_t n,
    struct conf **out, struct errinfo *e) __attribute__((warn_unused_result));

/* Frees settings; NULL is allowed. */
void conf_free(struct conf *c);

/*
 * Appends a configuration file that holds these settings, each with its
 * documentation; those that have their default are comments.  conf_load() reads
 * the same settings in it.
 */
void conf_print(const struct conf *c, struct buf *out);

/* True if every setting has the same value in both. */
bool conf_is_same(const struct conf *a, const struct conf *b);

/*
 * After a reload: true if the setting of that row may not change in a
 * running daemon and differs between the two.
 */
bool conf_needs_restart(
    const struct conf *old, const struct conf *new, size_t row);

/*
 * Splits "host:port", "[v6]:port" or "*:port" (any address: host is "").
 * ERR_INVALID.
 */
int conf_split_address(const char *s, char host[CONF_HOST_MAX + 1],
    uint16_t *port) __attribute__((warn_unused_result));

/*
 * Splits "start:rate:full": connections, per cent, connections; an empty text
 * gives three times 0.  ERR_INVALID.
 */
int conf_split_startups(const char *s, int64_t out[3])
    __attribute__((warn_unused_result));

#endif
