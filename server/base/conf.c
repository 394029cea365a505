/* SPDX-License-Identifier: ISC */
/*
 * The table of settings and what reads it.  libinih cuts a file into names
 * and values; everything else, from unknown names to bounds, follows from
 * the table, so that a setting is added by adding a row and a member.  The
 * values as written are kept beside the values as read, so that printing and
 * comparing need no second table.
 */
#include "server/base/conf.h"

#include <assert.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "server/base/address.h"
#include "server/base/net.h"

#define CONF_FILE_MAX 65536 /* bytes of a configuration file */
#define CONF_BLANKS " \t," /* between the pieces of a list */
#define CONF_SPACES " \t\n\v\f\r" /* what libinih takes for blanks */

static const char *const conf_bools[] = {"no", "yes", NULL};
static const char *const conf_levels[] = {
    "error", "warn", "info", "debug", NULL};
static const char *const conf_sandboxes[] = {"no", "yes", "kill", NULL};
static const char *const conf_policies[] = {"open", "invite", "closed", NULL};

#define AT(member) offsetof(struct conf, member)

/* name, type, member, default, least, most, words, reloadable, what it is */
static const struct conf_key conf_table[] = {
    {"listen", CONF_ADDRESSES, AT(listen), "127.0.0.1:1815 [::1]:1815", 0, 0,
	NULL, false,
	"Addresses to listen on, host:port each, separated by blanks. IPv6 "
	"addresses go in brackets; *:1815 is every address of the machine. "
	"Port 0 picks a free port. By default only this machine can connect."},
    {"port_file", CONF_PATH, AT(port_file), "", 0, 0, NULL, false,
	"A file that is written once the daemon is listening: the ports, one "
	"per line, in the order of listen. Empty: none."},
    {"database", CONF_PATH, AT(database), "umpired.db", 0, 0, NULL, false,
	"The SQLite database, made with umpired --init. Relative paths start "
	"from the folder of this file."},
    {"identity_key", CONF_PATH, AT(identity_key), "identity.key", 0, 0, NULL,
	false,
	"The server's identity key, which marks every line and which clients "
	"pin. Losing it ends all games."},
    {"dice_key", CONF_PATH, AT(dice_key), "dice.key", 0, 0, NULL, false,
	"The server's dice key. Losing it ends all games."},
    {"invite_key", CONF_PATH, AT(invite_key), "invite.key", 0, 0, NULL, false,
	"The key of the one-time codes that umpired --invite prints."},
    {"tls_cert", CONF_PATH, AT(tls_cert), "tls.crt", 0, 0, NULL, true,
	"The TLS certificate with its chain, PEM. Clients pin the identity "
	"key, so it may be self-signed and may be replaced at will."},
    {"tls_key", CONF_PATH, AT(tls_key), "tls.key", 0, 0, NULL, true,
	"The private key of the TLS certificate, PEM."},
    {"user", CONF_TEXT, AT(user), "", 0, 0, NULL, false,
	"When started as root: the user to become, who must own the database "
	"and the keys. Without it umpired does not run as root; to run as root "
	"anyway, name root."},
    {"admin_socket", CONF_PATH, AT(admin_socket), "", 0, 0, NULL, false,
	"A local socket at which an operator of this machine may close games, "
	"erase words and help players who have lost their keys (umpire admin). "
	"Empty: none."},
    {"admin_users", CONF_TEXT, AT(admin_users), "", 0, 0, NULL, false,
	"Users of this machine who may use admin_socket, by name or number, "
	"separated by blanks, besides root and the user that umpired runs as."},
    {"sandbox", CONF_WORD, AT(sandbox), "yes", 0, 0, conf_sandboxes, false,
	"Whether the running daemon is confined to the system calls that it "
	"needs. With yes other calls fail, with kill they end it."},
    {"core_dumps", CONF_WORD, AT(core_dumps), "no", 0, 0, conf_bools, false,
	"Whether a crash may leave a core file, which would hold keys."},
    {"log_level", CONF_WORD, AT(log_level), "info", 0, 0, conf_levels, true,
	"How much is logged to stderr."},
    {"policy", CONF_WORD, AT(live.policy), "open", 0, 0, conf_policies, true,
	"Who may make an account: everybody who can connect, holders of a "
	"one-time code from umpired --invite, or nobody."},
    {"invite_days", CONF_NUMBER, AT(invite_days), "14", 1, 3650, NULL, true,
	"Days for which a new one-time code is valid."},
    {"io_threads", CONF_NUMBER, AT(io_threads), "2", 1, 64, NULL, false,
	"Threads that serve connections."},
    {"queue_max", CONF_NUMBER, AT(queue_max), "1024", 1, 1000000, NULL, false,
	"Orders that may wait for the one thread that writes; any more, and "
	"any of one account beyond an eighth of the room, are answered busy."},
    {"blob_quota", CONF_NUMBER, AT(blob_quota), "10000000", 40000,
	1000000000000, NULL, false,
	"Bytes of rosters, tables and bags that one account may store."},
    {"max_muster", CONF_NUMBER, AT(max_muster), "20", 0, 1000000, NULL, true,
	"Games that one account may have open that have not begun; lapsed ones "
	"do not count. 0: no limit."},
    {"muster_days", CONF_NUMBER, AT(live.muster_days), "30", 0, 3650, NULL,
	true,
	"Days without a new line after which a game that has not begun lapses: "
	"it is no longer open, and can only be cancelled. 0: never."},
    {"min_free_disk", CONF_NUMBER, AT(min_free_disk), "256", 0, 1000000000,
	NULL, true,
	"MiB that must be free on the disk of the database: with less, no new "
	"accounts, games, tournaments, rosters, tables or bags are taken, so "
	"that running games can go on. 0: no limit."},
    {"recovery_s", CONF_NUMBER, AT(recovery_s), "86400", 0, 31536000, NULL,
	true,
	"Seconds for which games and tournaments wait for lines that they "
	"have lost when an old backup is put back; then they go on without "
	"them."},
    {"write_quota", CONF_NUMBER, AT(write_quota), "67108864", 0, 1000000000000,
	NULL, true,
	"Bytes that one account may add to records per day. 0: no limit."},
    {"max_connections", CONF_NUMBER, AT(max_connections), "1024", 1, 1000000,
	NULL, true, "Connections at a time."},
    {"max_per_address", CONF_NUMBER, AT(max_per_address), "64", 1, 1000000,
	NULL, true,
	"Connections at a time from one address (IPv6: from one /64 "
	"network)."},
    {"max_startups", CONF_STARTUPS, AT(max_startups), "128:30:512", 0, 0, NULL,
	true,
	"start:rate:full of the connections that have asked for nothing yet: "
	"from start on, rate percent of new ones are turned away at random, "
	"more and more until at full all are. Empty: none are."},
    {"request_rate", CONF_NUMBER, AT(request_rate), "50", 0, 1000000, NULL,
	true,
	"Requests per second of one account; any more are answered limit. A "
	"request counts one more for each fifth of a millisecond of work. 0: "
	"no limit."},
    {"request_burst", CONF_NUMBER, AT(request_burst), "500", 1, 1000000, NULL,
	true, "Requests that an account may send at once."},
    {"address_rate", CONF_NUMBER, AT(address_rate), "200", 0, 1000000, NULL,
	true,
	"The same for all connections of one address together, where a new "
	"connection counts as ten requests. 0: no limit."},
    {"address_burst", CONF_NUMBER, AT(address_burst), "2000", 10, 1000000, NULL,
	true, "Requests that may come from an address at once."},
    {"gateways", CONF_NETWORKS, AT(gateways), "", 0, 0, NULL, true,
	"Networks of programs that show games to others, such as a gateway to "
	"the web, separated by blanks: for connections from there the limits "
	"that follow take the place of address_rate, max_per_address and "
	"max_watches, and there are no penalties. Empty: none."},
    {"gateway_rate", CONF_NUMBER, AT(gateway_rate), "2000", 0, 1000000, NULL,
	true,
	"Requests per second of a gateway's address, counted as those of "
	"address_rate. 0: no limit."},
    {"gateway_burst", CONF_NUMBER, AT(gateway_burst), "20000", 10, 1000000,
	NULL, true, "Requests that may come from a gateway's address at once."},
    {"gateway_connections", CONF_NUMBER, AT(gateway_connections), "64", 1,
	1000000, NULL, true,
	"Connections at a time from one address of a gateway."},
    {"gateway_watches", CONF_NUMBER, AT(live.gateway_watches), "4096", 1, 65536,
	NULL, true, "Games that one connection of a gateway may watch."},
    {"witnesses", CONF_ACCOUNTS, AT(witnesses), "", 0, 0, NULL, true,
	"Accounts of programs (umpire witness) that answer rolls as the third "
	"hand, separated by blanks: players who open a game are offered them, "
	"and the limits that follow take the place of request_rate, "
	"address_rate, write_quota and max_watches for them. Empty: none."},
    {"witness_rate", CONF_NUMBER, AT(witness_rate), "1000", 0, 1000000, NULL,
	true,
	"Requests per second of a witness; any more are answered limit. 0: no "
	"limit."},
    {"witness_burst", CONF_NUMBER, AT(witness_burst), "20000", 1, 1000000, NULL,
	true, "Requests that a witness may send at once."},
    {"witness_quota", CONF_NUMBER, AT(witness_quota), "4294967296", 0,
	1000000000000, NULL, true,
	"Bytes that one witness may add to records per day. 0: no limit."},
    {"tournament_create", CONF_CREATORS, AT(tournament_create), "any", 0, 0,
	NULL, true,
	"Who may open tournaments: any, or accounts separated by blanks. "
	"Empty: nobody; those that are there go on."},
    {"penalty_handshake", CONF_NUMBER, AT(penalty_handshake), "5", 0, 3600,
	NULL, true,
	"Seconds of penalty for the address of a failed TLS handshake. Only "
	"connections without a login bring penalties."},
    {"penalty_timeout", CONF_NUMBER, AT(penalty_timeout), "10", 0, 3600, NULL,
	true, "Seconds, likewise, for a missed deadline."},
    {"penalty_malformed", CONF_NUMBER, AT(penalty_malformed), "5", 0, 3600,
	NULL, true, "Seconds, likewise, for a line that is not a request."},
    {"penalty_flood", CONF_NUMBER, AT(penalty_flood), "1", 0, 3600, NULL, true,
	"Seconds, likewise, for a request or connection over address_rate."},
    {"penalty_min", CONF_NUMBER, AT(penalty_min), "60", 1, 86400, NULL, true,
	"Seconds of penalty, which expire one by one, from which on new "
	"connections from there are closed at once, until all have expired."},
    {"penalty_max", CONF_NUMBER, AT(penalty_max), "600", 1, 86400, NULL, true,
	"Seconds to which the penalties of an address can add up."},
    {"penalty_exempt", CONF_NETWORKS, AT(penalty_exempt), "127.0.0.0/8 ::1", 0,
	0, NULL, true,
	"Networks to whose connections neither penalties nor request_rate, "
	"address_rate and write_quota apply. By default only this machine."},
    {"max_requests", CONF_NUMBER, AT(live.max_requests), "32", 1, 1024, NULL,
	true,
	"Unanswered requests on one connection; beyond that it is not read "
	"from until some are answered."},
    {"max_watches", CONF_NUMBER, AT(live.max_watches), "64", 1, 65536, NULL,
	true, "Games that one connection may watch."},
    {"max_output", CONF_NUMBER, AT(live.max_output), "8388608", 4194304,
	1073741824, NULL, true,
	"Bytes that may wait for a client that does not read; beyond that it "
	"is disconnected."},
    {"handshake_timeout", CONF_NUMBER, AT(live.handshake_timeout), "10", 1,
	3600, NULL, true, "Seconds that a TLS handshake may take."},
    {"login_timeout", CONF_NUMBER, AT(live.login_timeout), "30", 1, 3600, NULL,
	true,
	"Seconds after the handshake within which the first request must "
	"come."},
    {"request_timeout", CONF_NUMBER, AT(live.request_timeout), "30", 1, 3600,
	NULL, true,
	"Seconds within which a request that has begun must be complete."},
    {"send_timeout", CONF_NUMBER, AT(live.send_timeout), "60", 1, 3600, NULL,
	true,
	"Seconds within which a client must read all, or at least 64 KiB, of "
	"what is waiting for it."},
    {"idle_timeout", CONF_NUMBER, AT(live.idle_timeout), "3600", 1, 1000000,
	NULL, true,
	"Seconds without a request after which a connection that watches no "
	"game is closed."},
    {"stop_timeout", CONF_NUMBER, AT(live.stop_timeout), "10", 1, 3600, NULL,
	true,
	"Seconds that the daemon, when it stops, waits for its clients to read "
	"their answers."},
    {"failure_burst", CONF_NUMBER, AT(failure_burst), "20", 1, 1000000, NULL,
	true,
	"Failed logins from one address, and to one account, before more of "
	"them are answered limit."},
    {"failure_decay", CONF_NUMBER, AT(failure_decay), "6", 1, 1000000, NULL,
	true, "Failed logins that are forgiven each minute."},
    {"register_burst", CONF_NUMBER, AT(register_burst), "60", 1, 1000000, NULL,
	true,
	"Attempts to register from one address before more of them are "
	"answered "
	"limit."},
    {"register_decay", CONF_NUMBER, AT(register_decay), "10", 1, 1000000, NULL,
	true, "Attempts to register that are forgiven each minute."},
    {"courier", CONF_PATH, AT(courier), "", 0, 0, NULL, true,
	"The program umpired-courier, which carries notices to players who are "
	"not connected. Empty: the one in umpired's own folder."},
    {"notify_command", CONF_PATH, AT(notify_command), "", 0, 0, NULL, true,
	"A program that is run for each notice, with the notice as JSON on its "
	"standard input and without arguments. No shell is used. Empty: none."},
    {"notify_delay", CONF_NUMBER, AT(notify_delay), "60", 0, 86400, NULL, true,
	"Seconds that something must wait for a player before a notice is "
	"sent."},
    {"notify_tries", CONF_NUMBER, AT(notify_tries), "13", 1, 100, NULL, true,
	"Attempts to deliver a notice before it is given up. The default makes "
	"them last for a day, for a mail server that is down that long."},
    {"notify_retry", CONF_NUMBER, AT(notify_retry), "60", 1, 21600, NULL, true,
	"Seconds between the first attempt and the second; each further pause "
	"is "
	"twice as long, but at most six hours."},
    {"smtp_url", CONF_SMTP, AT(smtp_url), "", 0, 0, NULL, true,
	"The mail server that takes notices: smtp://host:port, where STARTTLS "
	"must work, or smtps://host:port. Empty: no mail."},
    {"smtp_from", CONF_MAIL, AT(smtp_from), "", 0, 0, NULL, true,
	"The mail address that notices come from."},
    {"smtp_user", CONF_TEXT, AT(smtp_user), "", 0, 0, NULL, true,
	"The name to log in to the mail server with. Empty: no login."},
    {"smtp_password_file", CONF_PATH, AT(smtp_password_file), "", 0, 0, NULL,
	true,
	"A file of mode 0600 whose one line is the password of smtp_user."},
    {"smtp_ca", CONF_PATH, AT(smtp_ca), "", 0, 0, NULL, true,
	"The certificates that must vouch for the mail server's, PEM. Empty: "
	"those of the system."},
    {"webhooks", CONF_WORD, AT(webhooks), "no", 0, 0, conf_bools, true,
	"Whether players may be told by webhooks: requests to https addresses "
	"that they name."},
    {"webhook_networks", CONF_NETWORKS, AT(webhook_networks), "", 0, 0, NULL,
	true,
	"Networks that webhooks may go to besides the public internet, such as "
	"192.168.1.0/24 or fd00::/8, separated by blanks. Empty: none."},
    {"webhook_ports", CONF_PORTS, AT(webhook_ports), "443 8443", 0, 0, NULL,
	true, "Ports that webhooks may go to, separated by blanks."},
    {"webhook_connect", CONF_NUMBER, AT(webhook_connect), "10", 1, 20, NULL,
	true,
	"Seconds within which a webhook's receiver must be reached. Whether "
	"its name, address, port or TLS is to blame, the player is told the "
	"same thing, after that long."},
    {"webhook_ca", CONF_PATH, AT(webhook_ca), "", 0, 0, NULL, true,
	"The certificates that must vouch for those of webhooks, PEM. Empty: "
	"those of the system."},
};

#undef AT
#define CONF_ROWS (sizeof(conf_table) / sizeof(conf_table[0]))
_Static_assert(CONF_ROWS <= CONF_KEYS_MAX, "CONF_KEYS_MAX is too small");

/* A file in memory on its way through libinih. */
struct conf_reader {
	struct conf *c;
	const char *text;
	size_t len;
	size_t pos;
	int line; /* the one that was read last */
	int given[CONF_KEYS_MAX]; /* line that set each row; 0: none */
	int r; /* the first failure */
	struct errinfo *e;
};

const struct conf_key *
conf_keys(size_t *n)
{
	*n = CONF_ROWS;
	return (conf_table);
}

/* Finds the row of a name; CONF_ROWS if there is none. */
static size_t
conf_row(const char *name)
{
	size_t i;

	for (i = 0; i < CONF_ROWS; i++) {
		if (strcmp(conf_table[i].name, name) == 0)
			break;
	}
	return (i);
}

/* The member of a row that holds text. */
static char **
conf_text(struct conf *c, const struct conf_key *key)
{
	return ((char **)(void *)((char *)c + key->offset));
}

/* Checks a list of addresses. */
static int
conf_check_addresses(const char *value, struct errinfo *e)
{
	char host[CONF_HOST_MAX + 1], one[CONF_HOST_MAX + 16];
	const char *s;
	uint16_t port;
	size_t n;

	for (s = value; *s != '\0'; s += strspn(s, " ")) {
		n = strcspn(s, " ");
		if (n >= sizeof(one))
			return (err_set(e, ERR_CONFIG, "",
			    "an address is longer than %zu bytes",
			    sizeof(one) - 1));
		memcpy(one, s, n);
		one[n] = '\0';
		if (conf_split_address(one, host, &port) != 0)
			return (err_set(e, ERR_CONFIG, "",
			    "\"%s\" is not host:port (IPv6: [address]:port)",
			    one));
		s += n;
	}
	if (value[0] == '\0')
		return (err_set(e, ERR_CONFIG, "", "an address is wanted"));
	return (0);
}

/* Checks the URL of a mail server. */
static int
conf_check_smtp(const char *value, struct errinfo *e)
{
	const char *s = strstr(value, "://");

	if (value[0] == '\0')
		return (0);
	if ((strncmp(value, "smtp://", 7) != 0 &&
		strncmp(value, "smtps://", 8) != 0) ||
	    !address_is_host(s + 3, strlen(s + 3)))
		return (err_set(e, ERR_CONFIG, "",
		    "\"%s\" is not smtp://host:port or smtps://host:port%s",
		    value,
		    strchr(value, '@') == NULL
			? ""
			: "; users are set by smtp_user"));
	return (0);
}

/* Resolves a path against the folder of the file into *out (new). */
static int
conf_read_path(const struct conf *c, const char *value, char **out)
{
	const char *slash = c->path == NULL ? NULL : strrchr(c->path, '/');
	int n = 0;

	if (value[0] != '/' && value[0] != '\0' && slash != NULL)
		n = (int)(slash + 1 - c->path);
	if (asprintf(out, "%.*s%s", n, n > 0 ? c->path : "", value) == -1)
		return (ERR_NOMEM);
	return (0);
}

/* The unit of a number, by the first word of the row's text; "" for none. */
static const char *
conf_unit(const struct conf_key *key)
{
	static const struct {
		const char *word, *unit;
	} units[] = {{"Seconds ", "seconds"}, {"Seconds,", "seconds"},
	    {"Days ", "days"}, {"Bytes ", "bytes"}, {"MiB ", "MiB"}};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strncmp(key->what, units[i].word, strlen(units[i].word)) ==
		    0)
			return (units[i].unit);
	}
	return ("");
}

/* Reads a whole number within the row's bounds. */
static int
conf_read_number(const struct conf_key *key, const char *value, int64_t *out,
    struct errinfo *e)
{
	const char *unit = conf_unit(key);
	long long n;
	char *end;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (end == value || *end != '\0' || strchr(" \t+", value[0]) != NULL)
		return (err_set(e, ERR_CONFIG, "", "\"%s\" is not a number%s%s",
		    value, *unit == '\0' ? "" : " of ", unit));
	if (errno == ERANGE || n < key->lo || n > key->hi)
		return (err_set(e, ERR_CONFIG, "",
		    "%s is not between %lld and %lld%s%s", value,
		    (long long)key->lo, (long long)key->hi,
		    *unit == '\0' ? "" : " ", unit));
	*out = n;
	return (0);
}

/* Reads one of the row's words. */
static int
conf_read_word(const struct conf_key *key, const char *value, int64_t *out,
    struct errinfo *e)
{
	char list[80] = "";
	size_t i, used = 0;

	for (i = 0; key->words[i] != NULL; i++) {
		if (strcmp(key->words[i], value) == 0) {
			*out = (int64_t)i;
			return (0);
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used,
		    "%s%s", i == 0 ? "" : ", ", key->words[i]);
		assert(used < sizeof(list));
	}
	return (err_set(
	    e, ERR_CONFIG, "", "\"%s\" is not one of: %s", value, list));
}

bool
conf_is_list(const struct conf_key *key)
{
	return (key->type == CONF_ADDRESSES || key->type == CONF_NETWORKS ||
	    key->type == CONF_PORTS || key->type == CONF_ACCOUNTS ||
	    key->type == CONF_CREATORS);
}

/* Separates the pieces of a list by single blanks, in place. */
static void
conf_tidy(char *list)
{
	const char *s = list;
	char *to = list;
	size_t n;

	for (s += strspn(s, CONF_BLANKS); *s != '\0';
	     s += strspn(s, CONF_BLANKS)) {
		n = strcspn(s, CONF_BLANKS);
		if (to > list)
			*to++ = ' ';
		memmove(to, s, n);
		to += n;
		s += n;
	}
	*to = '\0';
}

/*
 * Checks that a value, or one piece of a list, would be the same if it stood in
 * a file: libinih takes blanks at the ends away, and ";" after one with all
 * that follows.
 */
static int
conf_check_written(
    const struct conf_key *key, const char *value, size_t n, struct errinfo *e)
{
	const size_t most = CONF_LINE_MAX - strlen(key->name) - 1;
	size_t i;

	if (n > most)
		return (err_set(e, ERR_CONFIG, "",
		    "longer than the %zu bytes that a line of the "
		    "configuration has for it",
		    most));
	for (i = 0; i < n; i++) {
		if (value[i] == '\n' ||
		    (strchr(CONF_SPACES, value[i]) != NULL &&
			(i == 0 || i == n - 1)) ||
		    (value[i] == ';' &&
			(i == 0 || strchr(CONF_SPACES, value[i - 1]) != NULL)))
			return (err_set(e, ERR_CONFIG, "",
			    "a line of the configuration cannot hold a line "
			    "end, a blank at an end, or \";\" after a blank: "
			    "\"%.*s\"",
			    (int)n, value));
	}
	return (0);
}

/* The same for all of a row's value. */
static int
conf_check_line(
    const struct conf_key *key, const char *value, struct errinfo *e)
{
	size_t n;
	int r;

	if (!conf_is_list(key))
		return (conf_check_written(key, value, strlen(value), e));
	for (; *value != '\0'; value += strspn(value, " ")) {
		n = strcspn(value, " ");
		if ((r = conf_check_written(key, value, n, e)) != 0)
			return (r);
		value += n;
	}
	return (0);
}

/* Reads a row's value; text or a number.  e gets no place and no key. */
static int
conf_read_value(const struct conf *c, const struct conf_key *key,
    const char *value, char **text, int64_t *number, struct errinfo *e)
{
	struct address_ports ports;
	struct net_list networks;
	int64_t startups[3];
	struct names names;
	int r = 0;

	switch (key->type) {
	case CONF_TEXT:
		break;
	case CONF_PATH:
		return (conf_read_path(c, value, text));
	case CONF_ADDRESSES:
		r = conf_check_addresses(value, e);
		break;
	case CONF_NETWORKS:
		if (net_list_read(value, &networks, e) != 0)
			r = ERR_CONFIG;
		break;
	case CONF_PORTS:
		if (address_read_ports(value, &ports) != 0)
			r = err_set(e, ERR_CONFIG, "",
			    "\"%s\" is not a list of ports such as 443 8443: "
			    "one to %d numbers from 1 to 65535",
			    value, ADDRESS_PORTS_MAX);
		break;
	case CONF_ACCOUNTS:
		if (names_read(value, &names, e) != 0)
			r = ERR_CONFIG;
		break;
	case CONF_CREATORS:
		if (strcmp(value, "any") != 0 &&
		    names_read(value, &names, e) != 0)
			r = ERR_CONFIG;
		break;
	case CONF_MAIL:
		if (value[0] != '\0' && !address_is_mail(value))
			r = err_set(e, ERR_CONFIG, "",
			    "\"%s\" is not a mail address", value);
		break;
	case CONF_SMTP:
		r = conf_check_smtp(value, e);
		break;
	case CONF_STARTUPS:
		if (conf_split_startups(value, startups) != 0)
			r = err_set(e, ERR_CONFIG, "",
			    "\"%s\" is not start:rate:full such as "
			    "128:30:512; rate is 1 to 100, and start no more "
			    "than full",
			    value);
		break;
	case CONF_NUMBER:
		return (conf_read_number(key, value, number, e));
	case CONF_WORD:
		return (conf_read_word(key, value, number, e));
	}
	if (r == 0 && (*text = strdup(value)) == NULL)
		r = ERR_NOMEM;
	return (r);
}

/* Sets one row from a value; e gets no place and no key. */
static int
conf_set(struct conf *c, size_t row, const char *value, struct errinfo *e)
{
	const struct conf_key *key = &conf_table[row];
	char *raw, *text = NULL;
	int64_t number = 0;
	int r;

	if ((raw = strdup(value)) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	if (conf_is_list(key))
		conf_tidy(raw);
	if ((r = conf_read_value(c, key, raw, &text, &number, e)) == 0 &&
	    (r = conf_check_line(key, raw, e)) != 0)
		free(text);
	if (r != 0) {
		free(raw);
		if (r == ERR_NOMEM)
			(void)err_set(e, r, "", "out of memory");
		return (r);
	}
	free(c->raw[row]);
	c->raw[row] = raw;
	if (text != NULL) {
		free(*conf_text(c, key));
		*conf_text(c, key) = text;
	} else {
		*(int64_t *)(void *)((char *)c + key->offset) = number;
	}
	return (0);
}

/* Fills e with the place in the file and the reason; returns r. */
static int
conf_fail_line(struct conf_reader *rd, int r, const char *fmt, ...)
{
	char where[sizeof(rd->e->where)], text[sizeof(rd->e->text)];
	size_t len = strlen(rd->c->path), room = sizeof(where) - 16;
	va_list ap;

	if (rd->r != 0)
		return (rd->r);
	(void)snprintf(where, sizeof(where), "%s%s:%d", len > room ? "..." : "",
	    len > room ? rd->c->path + (len - room) : rd->c->path, rd->line);
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	rd->r = err_set(rd->e, r, where, "%s", text);
	return (rd->r);
}

/* Gives libinih its next line; one that it would cut is an error. */
static char *
conf_read_cb(char *out, int size, void *arg)
{
	struct conf_reader *rd = arg;
	const char *start = rd->text + rd->pos, *end;
	size_t n, left = rd->len - rd->pos;

	if (left == 0 || rd->r != 0)
		return (NULL);
	end = memchr(start, '\n', left);
	n = end == NULL ? left : (size_t)(end - start) + 1;
	rd->pos += n;
	rd->line++;
	if (n - (end == NULL ? 0 : 1) > CONF_LINE_MAX || n >= (size_t)size) {
		(void)conf_fail_line(rd, ERR_CONFIG,
		    "the line is longer than %d bytes", CONF_LINE_MAX);
		return (NULL);
	}
	if (memchr(start, '\0', n) != NULL) {
		(void)conf_fail_line(
		    rd, ERR_CONFIG, "the line holds a NUL byte");
		return (NULL);
	}
	/* libinih would add it to the line before. */
	if ((start[0] == ' ' || start[0] == '\t') &&
	    strspn(start, " \t\r\n") < n) {
		(void)conf_fail_line(
		    rd, ERR_CONFIG, "the line begins with a blank");
		return (NULL);
	}
	memcpy(out, start, n);
	out[n] = '\0';
	return (out);
}

/* Adds one more piece to a list. */
static int
conf_append(struct conf *c, size_t row, const char *value, struct errinfo *e)
{
	char *both;
	int r;

	if (asprintf(&both, "%s %s", c->raw[row], value) == -1)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	r = conf_set(c, row, both, e);
	free(both);
	return (r);
}

/* Takes one name and value from libinih; it wants 0 for a failure. */
static int
conf_value_cb(
    void *arg, const char *section, const char *name, const char *value)
{
	struct conf_reader *rd = arg;
	struct errinfo why = {0};
	size_t row = conf_row(name);
	int r;

	if (rd->r != 0)
		return (0);
	if (section[0] != '\0')
		return (conf_fail_line(rd, ERR_CONFIG,
			    "%s: there are no sections here; remove \"[%s]\"",
			    name, section) == 0);
	if (row == CONF_ROWS)
		return (conf_fail_line(rd, ERR_CONFIG,
			    "%s: unknown setting; umpired --print-config lists "
			    "them",
			    name) == 0);
	if (rd->given[row] != 0 && !conf_is_list(&conf_table[row]))
		return (
		    conf_fail_line(rd, ERR_CONFIG, "%s: already set in line %d",
			name, rd->given[row]) == 0);
	if (rd->given[row] != 0)
		r = conf_append(rd->c, row, value, &why);
	else
		r = conf_set(rd->c, row, value, &why);
	rd->given[row] = rd->line;
	if (r != 0)
		(void)conf_fail_line(rd, r, "%s: %s", name, why.text);
	return (r == 0);
}

/* Reads a whole file into memory. */
static int
conf_read_file(const char *path, struct buf *out, struct errinfo *e)
{
	char piece[4096];
	FILE *f;
	size_t n;
	int r;

	if ((f = fopen(path, "re")) == NULL)
		return (err_set(e, errno == ENOENT ? ERR_NOTFOUND : ERR_IO, "",
		    "cannot open \"%s\": %s", path, strerror(errno)));
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(out, piece, n);
	if (ferror(f))
		r = err_set(e, ERR_IO, "", "cannot read \"%s\": %s", path,
		    strerror(errno));
	else if ((r = buf_error(out)) != 0)
		r = err_set(e, r == ERR_TOOBIG ? ERR_CONFIG : r, "",
		    "cannot read \"%s\": %s", path, err_text(r));
	(void)fclose(f);
	return (r);
}

/* Reads the file at c->path over what is set. */
static int
conf_read(struct conf *c, struct errinfo *e)
{
	struct conf_reader rd = {.c = c, .e = e};
	struct buf text;
	int line, r;

	buf_init(&text, CONF_FILE_MAX);
	if ((r = conf_read_file(c->path, &text, e)) != 0)
		goto out;
	rd.text = buf_str(&text);
	rd.len = text.len;
	line = ini_parse_stream(conf_read_cb, &rd, conf_value_cb, &rd);
	if (rd.r == 0 && line != 0) {
		rd.line = line;
		(void)conf_fail_line(&rd, ERR_CONFIG,
		    "the line is not of the form name = value");
	}
	r = rd.r;
out:
	buf_clear(&text);
	return (r);
}

/* Sets one row from "key=value". */
static int
conf_override(struct conf *c, const char *text, struct errinfo *e)
{
	const char *equals = strchr(text, '=');
	struct errinfo why = {0};
	char name[32];
	size_t n, row = CONF_ROWS;
	int r;

	n = equals == NULL ? 0 : (size_t)(equals - text);
	if (n == 0 || n >= sizeof(name))
		return (err_set(e, ERR_CONFIG, "-o",
		    "\"%s\" is not of the form key=value", text));
	memcpy(name, text, n);
	name[n] = '\0';
	if ((row = conf_row(name)) == CONF_ROWS)
		return (err_set(e, ERR_CONFIG, "-o",
		    "%s: unknown setting; umpired --print-config lists them",
		    name));
	if ((r = conf_set(c, row, equals + 1, &why)) != 0)
		return (err_set(e, r, "-o", "%s: %s", name, why.text));
	return (0);
}

/* Checks settings against each other. */
static int
conf_check(const struct conf *c, struct errinfo *e)
{
	const char *where = c->path == NULL ? "" : c->path;
	const struct {
		const char *name;
		const char *value;
	} texts[] = {
	    {"notify_command", c->notify_command},
	    {"smtp_user", c->smtp_user},
	    {"smtp_password_file", c->smtp_password_file},
	    {"smtp_ca", c->smtp_ca},
	    {"webhook_ca", c->webhook_ca},
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!utf8_is_valid(texts[i].value, strlen(texts[i].value)))
			return (err_set(e, ERR_CONFIG, where,
			    "%s: is not UTF-8", texts[i].name));
	}
	if (c->smtp_url[0] != '\0' && c->smtp_from[0] == '\0')
		return (err_set(e, ERR_CONFIG, where,
		    "smtp_from: an address is needed with smtp_url"));
	if (c->smtp_user[0] != '\0' && c->smtp_password_file[0] == '\0')
		return (err_set(e, ERR_CONFIG, where,
		    "smtp_password_file: a file is needed with smtp_user"));
	return (0);
}

int
conf_load(const char *path, const char *const overrides[], size_t n,
    struct conf **out, struct errinfo *e)
{
	struct conf *c;
	size_t i;
	int r = 0;

	if ((c = calloc(1, sizeof(*c))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	if (path != NULL && (c->path = strdup(path)) == NULL) {
		r = err_set(e, ERR_NOMEM, "", "out of memory");
		goto fail;
	}
	for (i = 0; i < CONF_ROWS; i++) {
		if ((r = conf_set(c, i, conf_table[i].fallback, e)) != 0)
			goto fail;
	}
	if (path != NULL && (r = conf_read(c, e)) != 0)
		goto fail;
	for (i = 0; i < n; i++) {
		if ((r = conf_override(c, overrides[i], e)) != 0)
			goto fail;
	}
	if ((r = conf_check(c, e)) != 0)
		goto fail;
	c->live.offers_mail = c->smtp_url[0] != '\0';
	c->live.offers_webhooks = c->webhooks;
	if ((r = address_read_ports(
		 c->webhook_ports, &c->live.webhook_ports)) != 0 ||
	    (r = names_read(c->witnesses, &c->live.witnesses, e)) != 0)
		goto fail;
	c->live.anybody_creates = strcmp(c->tournament_create, "any") == 0;
	if (!c->live.anybody_creates &&
	    (r = names_read(c->tournament_create, &c->live.creators, e)) != 0)
		goto fail;
	*out = c;
	return (0);
fail:
	conf_free(c);
	return (r);
}

void
conf_free(struct conf *c)
{
	size_t i;

	if (c == NULL)
		return;
	for (i = 0; i < CONF_ROWS; i++) {
		free(c->raw[i]);
		if (conf_table[i].type < CONF_NUMBER)
			free(*conf_text(c, &conf_table[i]));
	}
	free(c->path);
	free(c);
}

bool
conf_is_same(const struct conf *a, const struct conf *b)
{
	size_t i;

	for (i = 0; i < CONF_ROWS; i++) {
		if (strcmp(a->raw[i], b->raw[i]) != 0)
			return (false);
	}
	return (true);
}

bool
conf_needs_restart(const struct conf *old, const struct conf *new, size_t row)
{
	return (!conf_table[row].is_reloadable &&
	    strcmp(old->raw[row], new->raw[row]) != 0);
}
