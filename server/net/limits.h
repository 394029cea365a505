/* SPDX-License-Identifier: ISC */
/*
 * Who is connected from where, who has failed how often, who asks how much
 * and who misbehaves: the counts behind the limits on connections, start-ups,
 * requests, failed logins, registrations, codes, notices and what is written,
 * and the penalties.  Any thread may call it.
 */
#ifndef UMPIRE_SERVER_NET_LIMITS_H
#define UMPIRE_SERVER_NET_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/names.h"
#include "server/base/net.h"

struct sockaddr;
struct limits;

/*
 * Bytes of an address as it is counted, the last of which is 1 for a gateway's:
 * other limits are its own.
 */
#define LIMITS_ADDRESS 17
/*
 * A client on the worst of links, none of whose handshakes ends, tries nine
 * times in its first minute and then once a minute
 * (client/play/subscription.c): this is what seven of them behind one address
 * may do at first, and sixty later. Who repeats a hello to have the server work
 * is through with it in three seconds.
 */
#define LIMITS_BROKEN_BURST 60
#define LIMITS_BROKEN_DECAY 60

/* What is limited by a bucket that fills with tries and leaks with time. */
enum limits_kind {
	LIMITS_FAILURE_ADDRESS,
	LIMITS_FAILURE_ACCOUNT,
	LIMITS_REGISTER,
	LIMITS_ADDRESS_SET, /* by account: codes asked for */
	LIMITS_ADDRESS_VALUE, /* by hash: codes sent to one address */
	LIMITS_NOTICE, /* by account: messages sent to its addresses */
	LIMITS_WRITTEN, /* by account: KiB in records; limits_wrote() counts */
	LIMITS_BROKEN, /* by address: handshakes; limits_break_off() counts */
	/* Used by the functions that name them, not by limits_count(). */
	LIMITS_REQUEST_ADDRESS,
	LIMITS_REQUEST_GATEWAY, /* an address that is one of gateways */
	LIMITS_REQUEST_ACCOUNT,
	LIMITS_REQUEST_WITNESS, /* an account that is one of witnesses */
	LIMITS_WITNESS_WRITTEN, /* likewise */
	LIMITS_PENALTY, /* by address: what is left of it */
};

/* What an address is given a penalty for. */
enum limits_fault {
	/* No TLS, a handshake that failed, or too many that were broken off. */
	LIMITS_FAULT_HANDSHAKE,
	LIMITS_FAULT_TIMEOUT, /* a deadline passed */
	LIMITS_FAULT_MALFORMED, /* what it sent was not a request */
	LIMITS_FAULT_FLOOD, /* a request or connection beyond the rate */
	LIMITS_FAULTS,
};

/* A rate or burst, a time or an end of start-ups that is 0 does not limit. */
struct limits_settings {
	int64_t connections; /* in all */
	int64_t per_address;
	int64_t startups_begin; /* connections that may not be turned away */
	int64_t startups_rate; /* per cent that are, from there on */
	int64_t startups_full; /* where all are; 0: none ever is */
	int64_t request_rate; /* a second, of an account */
	int64_t request_burst;
	int64_t address_rate; /* likewise of an address */
	int64_t address_burst;
	int64_t penalty_s[LIMITS_FAULTS];
	int64_t penalty_min_s; /* below it a penalty shuts nobody out */
	int64_t penalty_max_s;
	struct net_list exempt; /* from penalties and rates */
	/*
	 * Of programs that show games to others: no penalties, and in place of
	 * address_rate, address_burst and per_address what follows.
	 */
	struct net_list gateways;
	int64_t gateway_rate;
	int64_t gateway_burst;
	int64_t gateway_connections; /* of one of their addresses */
	int64_t write_quota; /* bytes that an account may write in a day */
	/* In their place, and in that of the address's, for these accounts. */
	struct names witnesses;
	int64_t witness_rate;
	int64_t witness_burst;
	int64_t witness_quota;
	int64_t failure_burst;
	int64_t failure_decay; /* a minute */
	int64_t register_burst;
	int64_t register_decay; /* a minute */
};

/* Makes an empty table; *out is new.  ERR_NOMEM. */
int limits_new(const struct limits_settings *settings, struct limits **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void limits_free(struct limits *p);

/* Sets other limits. */
void limits_set(struct limits *p, const struct limits_settings *settings);

/*
 * The bytes by which an address is counted: IPv4 whole, IPv6 by its /64, but a
 * gateway's whole.
 */
void limits_address(
    struct limits *p, const struct sockaddr *sa, uint8_t out[LIMITS_ADDRESS]);

/* True if these bytes are a gateway's. */
bool limits_is_gateway(const uint8_t address[LIMITS_ADDRESS]);

/*
 * Counts a connection.  ERR_BUSY if there are too many in all, ERR_LIMIT if
 * there are too many from the address, ERR_NOMEM; it is then not counted.
 */
int limits_connect(struct limits *p, const uint8_t address[LIMITS_ADDRESS])
    __attribute__((warn_unused_result));

/* Somebody who connects. */
struct limits_caller {
	uint8_t address[LIMITS_ADDRESS];
	bool is_exempt;
	unsigned chance; /* drawn by lot, 0 to 99 */
	int64_t now_ms; /* monotonic */
};

/* True if an address lies in a network that is exempt. */
bool limits_is_exempt(struct limits *p, const struct sockaddr *sa);

/*
 * limits_connect() for a stranger: looks for a penalty, takes what a
 * connection costs from the address's rate, and counts it as one that starts
 * up until limits_settle().  ERR_DENIED (a penalty), ERR_LIMIT, ERR_BUSY,
 * ERR_NOMEM, with the reason for people in *why (static): it is then not
 * counted.
 */
int limits_admit(struct limits *p, const struct limits_caller *c,
    const char **why) __attribute__((warn_unused_result));

/*
 * Per cent of its time that a connection gets to start up: 100, and less the
 * more of them there are beyond startups_begin.
 */
int64_t limits_patience(struct limits *p);

/* Notes that a connection from limits_admit() starts up no longer. */
void limits_settle(struct limits *p);

/*
 * Takes a request from the rates of an address (NULL: none) and an account
 * ("": none).  ERR_LIMIT if one of them has none left: nothing is taken, an
 * address without an account gets the penalty for floods, and *wait_ms is how
 * long to wait.
 */
int limits_request(struct limits *p, const uint8_t *address,
    const char *account, int64_t now_ms, int64_t *wait_ms)
    __attribute__((warn_unused_result));

/* How long to wait before limits_request() can be 0, in ms; it takes nothing.
 */
int64_t limits_wait_ms(struct limits *p, const uint8_t *address,
    const char *account, int64_t now_ms);

/*
 * Takes from the same rates what a request cost: one more for each
 * fifth of a millisecond of the processor.  No more is owed than two bursts.
 */
void limits_charge(struct limits *p, const uint8_t *address,
    const char *account, int64_t spent_us, int64_t now_ms);

/*
 * True if the account, or without one the address, has used up a good part of
 * its burst: others who want something go first.
 */
bool limits_is_heavy(struct limits *p, const uint8_t *address,
    const char *account, int64_t now_ms);

/* Counts bytes that an account has added to records. */
void limits_wrote(
    struct limits *p, const char *account, int64_t bytes, int64_t now_ms);

/* How long to wait before the account may add more, in ms; 0: not at all. */
int64_t limits_write_wait_ms(
    struct limits *p, const char *account, int64_t now_ms);

/* Gives an address the penalty for a fault. */
void limits_penalize(struct limits *p, const uint8_t address[LIMITS_ADDRESS],
    enum limits_fault fault, int64_t now_ms);

/*
 * Counts a handshake that the peer broke off after its hello.  Bad links do
 * that; beyond LIMITS_BROKEN_BURST of them, of which LIMITS_BROKEN_DECAY are
 * forgiven each minute, it is a fault (LIMITS_FAULT_HANDSHAKE).
 */
void limits_break_off(
    struct limits *p, const uint8_t address[LIMITS_ADDRESS], int64_t now_ms);

/* Takes a connection that was counted off again. */
void limits_disconnect(struct limits *p, const uint8_t address[LIMITS_ADDRESS]);

/* Connections that are counted now. */
int64_t limits_connections(struct limits *p);

/*
 * True if the last eighth of the connections that there may be is taken, too,
 * in part: that is for those who log in.
 */
bool limits_is_scarce(struct limits *p);

/*
 * ERR_LIMIT if the bucket of kind for these n bytes (an address, an account's
 * name or a hash: 32 at most) is full at now_ms; it is not changed.
 */
int limits_allowed(struct limits *p, enum limits_kind kind, const void *key,
    size_t n, int64_t now_ms) __attribute__((warn_unused_result));

/* Puts one try or failure into a bucket. */
void limits_count(struct limits *p, enum limits_kind kind, const void *key,
    size_t n, int64_t now_ms);

#endif
