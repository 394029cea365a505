/* SPDX-License-Identifier: ISC */
/*
 * Who is connected from where, and who has failed how often: the counts
 * behind the limits on connections, failed logins, registrations, codes and
 * notices.  Any thread may call it.
 */
#ifndef UMPIRE_SERVER_PEERS_H
#define UMPIRE_SERVER_PEERS_H

#include <stddef.h>
#include <stdint.h>

struct sockaddr;
struct peers;

#define PEERS_ADDRESS 16 /* bytes of an address as it is counted */

/* What is limited by a bucket that fills with tries and leaks with time. */
enum peers_kind {
	PEERS_FAILURE_ADDRESS,
	PEERS_FAILURE_ACCOUNT,
	PEERS_REGISTER,
	PEERS_ADDRESS_SET, /* by account: codes asked for */
	PEERS_ADDRESS_VALUE, /* by hash: codes sent to one address */
	PEERS_NOTICE, /* by account: messages sent to its addresses */
};

struct peers_limits {
	int64_t connections; /* in all */
	int64_t per_address;
	int64_t failure_burst;
	int64_t failure_decay; /* a minute */
	int64_t register_burst;
	int64_t register_decay; /* a minute */
};

/* Makes an empty table; *out is new.  ERR_NOMEM. */
int peers_new(const struct peers_limits *limits, struct peers **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void peers_free(struct peers *p);

/* Sets other limits. */
void peers_set(struct peers *p, const struct peers_limits *limits);

/*
 * The bytes by which an address is counted: IPv4 whole, IPv6 by its /64.
 */
void peers_address(const struct sockaddr *sa, uint8_t out[PEERS_ADDRESS]);

/*
 * Counts a connection.  ERR_BUSY if there are too many in all, ERR_LIMIT if
 * there are too many from the address, ERR_NOMEM; it is then not counted.
 */
int peers_connect(struct peers *p, const uint8_t address[PEERS_ADDRESS])
    __attribute__((warn_unused_result));

/* Takes a connection that was counted off again. */
void peers_disconnect(struct peers *p, const uint8_t address[PEERS_ADDRESS]);

/* Connections that are counted now. */
int64_t peers_connections(struct peers *p);

/*
 * ERR_LIMIT if the bucket of kind for these n bytes (an address, an account's
 * name or a hash: 32 at most) is full at now_ms; it is not changed.
 */
int peers_allowed(struct peers *p, enum peers_kind kind, const void *key,
    size_t n, int64_t now_ms) __attribute__((warn_unused_result));

/* Puts one try or failure into a bucket. */
void peers_count(struct peers *p, enum peers_kind kind, const void *key,
    size_t n, int64_t now_ms);

#endif
