/* SPDX-License-Identifier: ISC */
/* Invitations as addresses. */
#include "client/profile/invitation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "common/base/hex.h"

#define INVITATION_SCHEME "umpire://"
#define INVITATION_HOST_MAX 253

bool
invitation_is(const char *word)
{
	return (strstr(word, "://") != NULL ||
	    strncasecmp(word, "umpire:", strlen("umpire:")) == 0);
}

/* Reads 32 bytes of hex digits, in either case, of which there are n. */
static bool
invitation_hex(const char *s, size_t n, uint8_t out[HASH_LEN])
{
	char small[2 * HASH_LEN];
	size_t i;

	if (n != sizeof(small))
		return (false);
	for (i = 0; i < n; i++)
		small[i] = (char)tolower((unsigned char)s[i]);
	return (hex_parse(out, HASH_LEN, small, n) == 0);
}

bool
invitation_key(const char *s, uint8_t key[SIGN_KEY_LEN])
{
	uint8_t one[SIGN_KEY_LEN];

	if (!invitation_hex(s, strlen(s), one) || sign_key_check(one) != 0)
		return (false);
	memcpy(key, one, sizeof(one));
	return (true);
}

/* Checks HOST[:PORT], which must be a name or an address and nothing else. */
static int
invitation_server(const char *server, struct errinfo *e)
{
	/* Of an IPv6 address also colons, and the sign before its zone. */
	static const char letters[] = ":%abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
	const bool is_bare =
	    *server != '[' && strchr(server, ':') != strrchr(server, ':');
	const char *colon = strrchr(server, ':');
	char *host, *port;
	size_t len;

	if (is_bare)
		return (err_set(e, ERR_INVALID, NULL,
		    "an IPv6 address must be in brackets: "
		    "umpire://[ADDRESS]:PORT/GAME#KEY"));
	if (*server == '\0' || *server == ':')
		return (err_set(e, ERR_INVALID, NULL,
		    "it names no server: " INVITATION_FORM));
	if (profile_split(server, &host, &port, e) != 0) {
		if (colon != NULL &&
		    (*server != '[' || (colon > server && colon[-1] == ']')))
			return (err_set(e, ERR_INVALID, NULL,
			    "its port must be a number from 1 to 65535"));
		return (err_set(e, ERR_INVALID, NULL,
		    "what names its server is not HOST[:PORT]"));
	}
	len = strlen(host);
	if (len <= INVITATION_HOST_MAX)
		len -= *server == '[' ? strspn(host, letters)
				      : strspn(host, letters + 2);
	free(host);
	free(port);
	return (len == 0 ? 0
			 : err_set(e, ERR_INVALID, NULL,
			       "what names its server is neither a host's name "
			       "nor an address"));
}

int
invitation_read(const char *word, struct invitation *inv, struct errinfo *e)
{
	const char *s = word + strlen(INVITATION_SCHEME), *game, *key;
	struct invitation one;
	int r;

	if (strncasecmp(word, INVITATION_SCHEME, strlen(INVITATION_SCHEME)) !=
	    0)
		return (err_set(e, ERR_INVALID, NULL,
		    "an invitation begins with umpire://: " INVITATION_FORM));
	if ((key = strchr(s, '#')) == NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "the server's key, behind a '#', is missing; it may have "
		    "been cut off: " INVITATION_FORM));
	if ((game = memchr(s, '/', (size_t)(key - s))) == NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "it names no game: " INVITATION_FORM));
	if (!invitation_hex(game + 1, (size_t)(key - game - 1), one.game))
		return (err_set(e, ERR_INVALID, NULL,
		    "its game must be the whole number, 64 hex digits"));
	if (!invitation_key(key + 1, one.key))
		return (err_set(e, ERR_INVALID, NULL,
		    "its key must be an identity key, 64 hex digits"));
	one.server = xalloc_strn(s, (size_t)(game - s));
	if ((r = invitation_server(one.server, e)) != 0)
		free(one.server);
	else
		*inv = one;
	return (r);
}

void
invitation_clear(struct invitation *inv)
{
	free(inv->server);
	inv->server = NULL;
}

bool
invitation_is_of(const char *word, const uint8_t game[HASH_LEN],
    const uint8_t key[SIGN_KEY_LEN])
{
	struct invitation inv;
	struct errinfo e;
	bool is_of;

	if (!invitation_is(word) || invitation_read(word, &inv, &e) != 0)
		return (false);
	is_of = memcmp(inv.game, game, HASH_LEN) == 0 &&
	    memcmp(inv.key, key, SIGN_KEY_LEN) == 0;
	invitation_clear(&inv);
	return (is_of);
}

/* True if both name the same host and port. */
static bool
invitation_is_same(const char *a, const char *b)
{
	char *hosts[2], *ports[2];
	struct errinfo e;
	bool is_same;

	if (profile_split(a, &hosts[0], &ports[0], &e) != 0)
		return (false);
	if (profile_split(b, &hosts[1], &ports[1], &e) != 0) {
		free(hosts[0]);
		free(ports[0]);
		return (false);
	}
	is_same = strcasecmp(hosts[0], hosts[1]) == 0 &&
	    strcmp(ports[0], ports[1]) == 0;
	free(hosts[0]);
	free(ports[0]);
	free(hosts[1]);
	free(ports[1]);
	return (is_same);
}

int
invitation_take(
    const struct invitation *inv, struct profile *p, struct errinfo *e)
{
	if (p->has_pin ? memcmp(p->pin, inv->key, SIGN_KEY_LEN) != 0
		       : p->server != NULL &&
		    !invitation_is_same(p->server, inv->server))
		return (err_set(e, ERR_DENIED, NULL,
		    "the invitation is to another server than that of profile "
		    "'%s', '%s'",
		    p->name, p->server == NULL ? "?" : p->server));
	if (p->has_pin && p->server != NULL)
		return (0);
	free(p->server);
	p->server = xalloc_str(inv->server);
	memcpy(p->pin, inv->key, SIGN_KEY_LEN);
	p->has_pin = true;
	p->is_invited = true;
	return (0);
}

char *
invitation_text(const struct profile *p, const uint8_t game[HASH_LEN])
{
	char id[2 * HASH_LEN + 1], key[2 * SIGN_KEY_LEN + 1], *host, *port, *s;
	struct errinfo e;
	bool is_ipv6, is_usual;

	if (p->server == NULL || !p->has_pin ||
	    profile_split(p->server, &host, &port, &e) != 0)
		return (NULL);
	hex_format(id, game, HASH_LEN);
	hex_format(key, p->pin, SIGN_KEY_LEN);
	is_ipv6 = strchr(host, ':') != NULL;
	is_usual = strcmp(port, PROFILE_PORT) == 0;
	s = xalloc_printf(INVITATION_SCHEME "%s%s%s%s%s/%s#%s",
	    is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", is_usual ? "" : ":",
	    is_usual ? "" : port, id, key);
	free(host);
	free(port);
	return (s);
}
