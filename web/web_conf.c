/* SPDX-License-Identifier: ISC */
#include "web/web_conf.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/sign.h"
#include "server/base/log.h"

#define WEB_CONF_MAX 65536 /* bytes of a file */
#define WEB_CONF_COLUMNS 78
#define WEB_CONF_AT 40 /* bytes of a time */

enum web_conf_type {
	WEB_CONF_TEXT,
	WEB_CONF_PATH, /* relative ones start from the file's folder */
	WEB_CONF_NUMBER,
	WEB_CONF_WORD, /* one of words; the value is its index */
};

/* One setting. */
struct web_conf_key {
	const char *name;
	enum web_conf_type type;
	size_t offset;
	const char *fallback;
	int64_t lo;
	int64_t hi;
	const char *const *words;
	const char *what;
};

static const char *const web_conf_levels[] = {
    "error", "warn", "info", "debug", NULL};
static const char *const web_conf_answers[] = {"no", "yes", NULL};
static const char *const web_conf_sandboxes[] = {"no", "yes", "kill", NULL};

#define AT(member) offsetof(struct web_conf, member)
static const struct web_conf_key web_conf_table[] = {
    {"server", WEB_CONF_TEXT, AT(server), "localhost:1815", 0, 0, NULL,
	"host:port of umpired."},
    {"server_key", WEB_CONF_TEXT, AT(server_key), "", 0, 0, NULL,
	"Its identity key, 64 hex digits: umpired --init prints it. Empty: the "
	"key that answers first is logged and kept, in the cache, and no other "
	"is accepted from then on."},
    {"server_connections", WEB_CONF_NUMBER, AT(server_connections), "16", 1,
	WEB_CONF_CONNECTIONS, NULL,
	"Connections to it at most: another one is made when as many games "
	"are watched on each as umpired lets a connection watch."},
    {"listen", WEB_CONF_TEXT, AT(listen), "127.0.0.1:1816", 0, 0, NULL,
	"host:port at which HTTP is spoken, with a proxy in front that "
	"encrypts; port 0 is any that is free. unix:PATH is a local socket."},
    {"share_port", WEB_CONF_WORD, AT(share_port), "no", 0, 0, web_conf_answers,
	"yes: other processes of the same user may listen there, too, and the "
	"kernel gives each its part of the connections; each wants a cache of "
	"its own."},
    {"port_file", WEB_CONF_PATH, AT(port_file), "", 0, 0, NULL,
	"A file to which the port is written once all is ready. Empty: none."},
    {"cache", WEB_CONF_PATH, AT(cache), "/var/cache/umpire-web", 0, 0, NULL,
	"The folder of the lines that were read and verified, and of evidence "
	"against the server; made if it is not there."},
    {"admin_socket", WEB_CONF_PATH, AT(admin_socket), "", 0, 0, NULL,
	"A local socket at which /healthz and /metrics are answered. Empty: "
	"none."},
    {"base", WEB_CONF_TEXT, AT(base), "", 0, 0, NULL,
	"How the site is called from outside, https://games.example.org "
	"without "
	"a slash at its end: feeds and previews of links need it."},
    {"title", WEB_CONF_TEXT, AT(title), "Umpire", 0, 0, NULL,
	"What the site is called, for people."},
    {"security_contact", WEB_CONF_TEXT, AT(security_contact), "", 0, 0, NULL,
	"Where to write to about faults of the site that endanger somebody, "
	"for "
	"/.well-known/security.txt (RFC 9116): addresses that begin with "
	"mailto:, https: or tel:, the one that you like best first. Empty: "
	"there is no such file."},
    {"security_expires", WEB_CONF_TEXT, AT(security_expires), "", 0, 0, NULL,
	"The date until which that holds, such as 2027-06-30, at most a year "
	"ahead; from then on the file is not there."},
    {"robots_refused", WEB_CONF_TEXT, AT(robots_refused), "", 0, 0, NULL,
	"Programs that robots.txt asks to read nothing, by their names and "
	"separated by blanks. Some gather texts to train others: GPTBot "
	"ClaudeBot CCBot Google-Extended Bytespider."},
    {"wasm", WEB_CONF_PATH, AT(wasm), "", 0, 0, NULL,
	"The program by which readers check records in their browser, "
	"umpire.wasm as make wasm builds it. Empty: they cannot, there."},
    {"reader", WEB_CONF_PATH, AT(reader), "", 0, 0, NULL,
	"The same with all that it needs in one file, umpire-reader.html, to "
	"be "
	"kept and used without this site. Empty: it is not given away."},
    {"rsvg_convert", WEB_CONF_PATH, AT(rsvg_convert), "", 0, 0, NULL,
	"The program that makes the pictures for previews of links, "
	"/usr/bin/rsvg-convert of librsvg. Empty: there are no pictures."},
    {"proxies", WEB_CONF_TEXT, AT(proxies), "127.0.0.0/8 ::1", 0, 0, NULL,
	"Addresses and networks of the proxies in front, separated by blanks: "
	"what address_header says is believed of them and of a local socket's "
	"peer alone."},
    {"address_header", WEB_CONF_TEXT, AT(address_header), "", 0, 0, NULL,
	"The header in which the proxy says where a request comes from, "
	"X-Real-IP or X-Forwarded-For; it must set that itself, or add to it. "
	"Empty: nobody knows whose requests those by a proxy are, and what "
	"bounds one address does not bound them."},
    {"cache_disk", WEB_CONF_NUMBER, AT(cache_disk), "1024", 1, 1000000000, NULL,
	"MiB that games may take on the disk; tournaments, a quarter more."},
    {"cache_memory", WEB_CONF_NUMBER, AT(cache_memory), "256", 1, 1000000, NULL,
	"MiB of pages that are kept in memory."},
    {"games_memory", WEB_CONF_NUMBER, AT(games_memory), "256", 1, 1000000, NULL,
	"MiB of verified games in memory; tournaments, a quarter more."},
    {"game_memory", WEB_CONF_NUMBER, AT(game_memory), "256", 1, 1000000, NULL,
	"MiB that one game may take: of a longer record the lines up to there "
	"are shown, and it is not given away."},
    {"watch_s", WEB_CONF_NUMBER, AT(watch_s), "600", 0, 86400, NULL,
	"Seconds for which a game is still watched after its last reader."},
    {"max_connections", WEB_CONF_NUMBER, AT(max_connections), "12000", 1,
	1000000, NULL, "Connections at a time."},
    {"max_streams", WEB_CONF_NUMBER, AT(max_streams), "10000", 0, 1000000, NULL,
	"Pages that are told of new lines at once as they come; others ask."},
    {"max_streams_address", WEB_CONF_NUMBER, AT(max_streams_address), "32", 1,
	1000000, NULL,
	"The same of one address (of a /64 network, with IPv6)."},
    {"max_waiting", WEB_CONF_NUMBER, AT(max_waiting), "1000", 1, 1000000, NULL,
	"Requests that may wait for a game at a time; more are answered 503."},
    {"address_rate", WEB_CONF_NUMBER, AT(address_rate), "50", 0, 1000000, NULL,
	"Requests a second that one address (a /64 network, with IPv6) may "
	"make; more are answered 429. 0: any number."},
    {"address_burst", WEB_CONF_NUMBER, AT(address_burst), "500", 1, 1000000,
	NULL, "The same at once, after a pause."},
    {"header_ms", WEB_CONF_NUMBER, AT(header_ms), "10000", 10, 3600000, NULL,
	"Milliseconds within which a request must be complete."},
    {"reply_s", WEB_CONF_NUMBER, AT(reply_s), "120", 1, 86400, NULL,
	"Seconds within which a reply must be read, and what a stream was "
	"sent."},
    {"idle_s", WEB_CONF_NUMBER, AT(idle_s), "75", 1, 86400, NULL,
	"Seconds after which a connection without a request is closed."},
    {"comment_ms", WEB_CONF_NUMBER, AT(comment_ms), "25000", 10, 3600000, NULL,
	"Milliseconds after which a stream without news gets a comment, so "
	"that "
	"no proxy cuts it."},
    {"slice_us", WEB_CONF_NUMBER, AT(slice_us), "5000", 100, 1000000, NULL,
	"Microseconds for which one game is verified, or told, before others "
	"have their turn."},
    {"picture_ms", WEB_CONF_NUMBER, AT(picture_ms), "3000", 10, 60000, NULL,
	"Milliseconds within which a picture must be made."},
    {"log_level", WEB_CONF_WORD, AT(log_level), "info", 0, 0, web_conf_levels,
	"error, warn, info or debug."},
    {"sandbox", WEB_CONF_WORD, AT(sandbox), "yes", 0, 0, web_conf_sandboxes,
	"Whether the process gives up all system calls and files that it does "
	"not need: no, yes, or kill, where a forbidden call ends it."},
};
#undef AT
#define WEB_CONF_ROWS (sizeof(web_conf_table) / sizeof(web_conf_table[0]))

/* A file on its way through libinih. */
struct web_conf_reader {
	struct web_conf *c;
	const char *path;
	bool given[WEB_CONF_ROWS];
	struct errinfo *e;
	int r;
};

const char *
web_conf_name(size_t i)
{
	return (i < WEB_CONF_ROWS ? web_conf_table[i].name : NULL);
}

/* The row of a name; NULL. */
static const struct web_conf_key *
web_conf_find(const char *name)
{
	size_t i;

	for (i = 0; i < WEB_CONF_ROWS; i++) {
		if (strcmp(web_conf_table[i].name, name) == 0)
			return (&web_conf_table[i]);
	}
	return (NULL);
}

/* Sets a text; a path starts from the folder of the file. */
static void
web_conf_text(struct web_conf *c, const struct web_conf_key *key,
    const char *path, const char *value)
{
	char **at = (char **)(void *)((char *)c + key->offset);
	const char *slash = path == NULL ? NULL : strrchr(path, '/');

	free(*at);
	if (key->type == WEB_CONF_PATH && slash != NULL && value[0] != '\0' &&
	    value[0] != '/')
		*at = xalloc_printf(
		    "%.*s%s", (int)(slash + 1 - path), path, value);
	else
		*at = xalloc_str(value);
}

/* Sets a row.  ERR_CONFIG. */
static int
web_conf_set(struct web_conf *c, const struct web_conf_key *key,
    const char *path, const char *value, struct errinfo *e)
{
	int64_t *number = (int64_t *)(void *)((char *)c + key->offset);
	long long n;
	char *end;
	size_t i;

	switch (key->type) {
	case WEB_CONF_TEXT:
	case WEB_CONF_PATH:
		web_conf_text(c, key, path, value);
		return (0);
	case WEB_CONF_NUMBER:
		errno = 0;
		n = strtoll(value, &end, 10);
		if (end == value || *end != '\0' || errno != 0 ||
		    strchr(" \t+", value[0]) != NULL || n < key->lo ||
		    n > key->hi)
			return (err_set(e, ERR_CONFIG, "",
			    "%s: \"%s\" is not a number from %lld to %lld",
			    key->name, value, (long long)key->lo,
			    (long long)key->hi));
		*number = n;
		return (0);
	case WEB_CONF_WORD:
		for (i = 0; key->words[i] != NULL; i++) {
			if (strcmp(key->words[i], value) == 0) {
				*number = (int64_t)i;
				return (0);
			}
		}
		break;
	}
	return (err_set(e, ERR_CONFIG, "", "%s: \"%s\" is none of its words",
	    key->name, value));
}

/* One setting of a file. */
static int
web_conf_line_cb(
    void *arg, const char *section, const char *name, const char *value)
{
	struct web_conf_reader *rd = arg;
	const struct web_conf_key *key = web_conf_find(name);

	if (rd->r != 0)
		return (0);
	if (section[0] != '\0')
		rd->r = err_set(rd->e, ERR_CONFIG, rd->path,
		    "there are no sections here: \"[%s]\"", section);
	else if (key == NULL)
		rd->r = err_set(rd->e, ERR_CONFIG, rd->path,
		    "there is no setting \"%s\"", name);
	else if (rd->given[key - web_conf_table])
		rd->r = err_set(
		    rd->e, ERR_CONFIG, rd->path, "%s is set twice", name);
	else
		rd->r = web_conf_set(rd->c, key, rd->path, value, rd->e);
	if (rd->r == 0)
		rd->given[key - web_conf_table] = true;
	return (rd->r == 0);
}

/* Reads a file. */
static int
web_conf_read(struct web_conf *c, const char *path, struct errinfo *e)
{
	struct web_conf_reader rd = {.c = c, .path = path, .e = e};
	struct buf b;
	int at, r;

	buf_init(&b, WEB_CONF_MAX);
	if ((r = file_read(path, WEB_CONF_MAX, &b, e)) == 0 &&
	    (r = buf_error(&b)) == 0) {
		at = ini_parse_string(buf_str(&b), web_conf_line_cb, &rd);
		r = rd.r;
		if (r == 0 && at != 0)
			r = err_set(e, ERR_CONFIG, path,
			    "line %d is not of the form key = value", at);
	}
	buf_clear(&b);
	return (r);
}

/* Sets one row from "key=value". */
static int
web_conf_override(struct web_conf *c, const char *text, struct errinfo *e)
{
	const struct web_conf_key *key;
	const char *sign = strchr(text, '=');
	char *name;
	int r;

	if (sign == NULL)
		return (err_set(
		    e, ERR_CONFIG, text, "this is not of the form key=value"));
	name = xalloc_strn(text, (size_t)(sign - text));
	if ((key = web_conf_find(name)) == NULL)
		r = err_set(
		    e, ERR_CONFIG, text, "there is no setting \"%s\"", name);
	else
		r = web_conf_set(c, key, NULL, sign + 1, e);
	free(name);
	return (r);
}

/* True for bytes that are printed, and no blank. */
static bool
web_conf_is_ascii(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (s[i] <= ' ' || s[i] > '~')
			return (false);
	}
	return (true);
}

/* The next word of a list from *s on, *n bytes; NULL: there are no more. */
static const char *
web_conf_word(const char **s, size_t *n)
{
	const char *word = *s + strspn(*s, " \t");

	*n = strcspn(word, " \t");
	*s = word + *n;
	return (*n == 0 ? NULL : word);
}

/* Checks where umpired is, and its key.  ERR_CONFIG. */
static int
web_conf_server(const struct web_conf *c, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	uint8_t key[SIGN_KEY_LEN];
	char *host, *port;

	if (profile_split(c->server, &host, &port, &why) != 0)
		return (err_set(e, ERR_CONFIG, "", "server: %s", why.text));
	free(host);
	free(port);
	if (c->server_key[0] != '\0' &&
	    hex_parse(
		key, SIGN_KEY_LEN, c->server_key, strlen(c->server_key)) != 0)
		return (err_set(e, ERR_CONFIG, "",
		    "server_key: \"%s\" is not a key of 64 hex digits",
		    c->server_key));
	return (0);
}

/* Checks where umpire-web listens.  ERR_CONFIG. */
static int
web_conf_listen(const struct web_conf *c, struct errinfo *e)
{
	const char *port = strrchr(c->listen, ':');
	bool is_good;

	if (strncmp(c->listen, "unix:", 5) == 0)
		is_good = c->listen[5] != '\0';
	else
		is_good = port != NULL && port != c->listen &&
		    port[1] != '\0' && strlen(port + 1) <= 5 &&
		    strspn(port + 1, "0123456789") == strlen(port + 1) &&
		    strtol(port + 1, NULL, 10) <= 65535;
	if (!is_good)
		return (err_set(e, ERR_CONFIG, "",
		    "listen: \"%s\" is not host:port or unix:PATH", c->listen));
	return (0);
}

/* Checks how the site is called from outside.  ERR_CONFIG. */
static int
web_conf_base(const struct web_conf *c, struct errinfo *e)
{
	const char *s = c->base;
	const size_t n = strlen(s);
	size_t at = 0;

	if (strncmp(s, "https://", 8) == 0)
		at = 8;
	else if (strncmp(s, "http://", 7) == 0)
		at = 7;
	if (n > 0 &&
	    (at == 0 || s[at] == '\0' || s[n - 1] == '/' ||
		!web_conf_is_ascii(s, n) || strpbrk(s, "\"'<>?#") != NULL))
		return (err_set(e, ERR_CONFIG, "",
		    "base: \"%s\" is no address such as "
		    "https://games.example.org, without a slash at its end",
		    s));
	return (0);
}

/* Checks what security.txt is made of.  ERR_CONFIG. */
static int
web_conf_security(const struct web_conf *c, struct errinfo *e)
{
	static const char *const schemes[] = {"mailto:", "https:", "tel:"};
	const char *s = c->security_contact, *word;
	char at[WEB_CONF_AT];
	size_t i, n;
	int64_t ms;

	while ((word = web_conf_word(&s, &n)) != NULL) {
		for (i = 0; i < 3; i++) {
			if (n > strlen(schemes[i]) &&
			    strncmp(word, schemes[i], strlen(schemes[i])) == 0)
				break;
		}
		if (i == 3 || !web_conf_is_ascii(word, n))
			return (err_set(e, ERR_CONFIG, "",
			    "security_contact: \"%.*s\" does not begin with "
			    "mailto:, https: or tel:, or has bytes that no "
			    "address has",
			    (int)n, word));
	}
	if ((c->security_contact[0] == '\0') !=
	    (c->security_expires[0] == '\0'))
		return (err_set(e, ERR_CONFIG, "",
		    "security_contact and security_expires go together"));
	(void)snprintf(at, sizeof(at), "%sT00:00:00.000Z", c->security_expires);
	if (c->security_expires[0] != '\0' &&
	    (strlen(c->security_expires) != strlen("2027-06-30") ||
		clock_parse(at, strlen(at), &ms) != 0))
		return (err_set(e, ERR_CONFIG, "",
		    "security_expires: \"%s\" is no date such as 2027-06-30",
		    c->security_expires));
	return (0);
}

/* Checks the names of programs (RFC 9309 2.2.1, and digits).  ERR_CONFIG. */
static int
web_conf_robots(const struct web_conf *c, struct errinfo *e)
{
	static const char may[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *s = c->robots_refused, *word;
	size_t n;

	while ((word = web_conf_word(&s, &n)) != NULL) {
		if (strspn(word, may) < n)
			return (err_set(e, ERR_CONFIG, "",
			    "robots_refused: \"%.*s\" is no name that a "
			    "program looks for",
			    (int)n, word));
	}
	return (0);
}

/* Reads what settings say.  ERR_CONFIG. */
static int
web_conf_finish(struct web_conf *c, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	int r;

	if (c->share_port && strncmp(c->listen, "unix:", 5) == 0)
		return (err_set(e, ERR_CONFIG, "",
		    "share_port: a local socket has one process"));
	if ((r = web_conf_server(c, e)) != 0 ||
	    (r = web_conf_listen(c, e)) != 0 ||
	    (r = web_conf_base(c, e)) != 0 ||
	    (r = web_conf_security(c, e)) != 0 ||
	    (r = web_conf_robots(c, e)) != 0)
		return (r);
	if (net_list_read(c->proxies, &c->proxy_nets, &why) != 0)
		return (err_set(e, ERR_CONFIG, "", "proxies: %s", why.text));
	return (0);
}

int
web_conf_load(const char *path, const char *const overrides[], size_t n,
    struct web_conf **out, struct errinfo *e)
{
	struct web_conf *c = xalloc(sizeof(*c));
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < WEB_CONF_ROWS; i++)
		r = web_conf_set(
		    c, &web_conf_table[i], NULL, web_conf_table[i].fallback, e);
	if (r == 0 && path != NULL)
		r = web_conf_read(c, path, e);
	for (i = 0; r == 0 && i < n; i++)
		r = web_conf_override(c, overrides[i], e);
	if (r == 0)
		r = web_conf_finish(c, e);
	if (r != 0)
		web_conf_free(c);
	else
		*out = c;
	return (r);
}

void
web_conf_free(struct web_conf *c)
{
	size_t i;

	if (c == NULL)
		return;
	for (i = 0; i < WEB_CONF_ROWS; i++) {
		if (web_conf_table[i].type <= WEB_CONF_PATH)
			free(*(char **)(void *)((char *)c +
			    web_conf_table[i].offset));
	}
	free(c);
}

/* Appends a sentence as comments of a width. */
static void
web_conf_print_text(struct buf *out, const char *s)
{
	size_t column = 0, n;

	for (; *s != '\0'; s += n + strspn(s + n, " ")) {
		n = strcspn(s, " ");
		if (column == 0 || column + 1 + n > WEB_CONF_COLUMNS) {
			buf_puts(out, column == 0 ? "#" : "\n#");
			column = 1;
		}
		buf_putc(out, ' ');
		buf_add(out, s, n);
		column += 1 + n;
	}
	buf_putc(out, '\n');
}

void
web_conf_print(struct buf *out)
{
	const struct web_conf_key *key;
	size_t i;

	buf_puts(out,
	    "# SPDX-License-Identifier: ISC\n"
	    "# The settings of umpire-web(8), each as it is without this file; "
	    "umpire-web\n# --print-config writes it.\n");
	for (i = 0; i < WEB_CONF_ROWS; i++) {
		key = &web_conf_table[i];
		buf_putc(out, '\n');
		web_conf_print_text(out, key->what);
		buf_printf(out, "#%s =%s%s\n", key->name,
		    key->fallback[0] == '\0' ? "" : " ", key->fallback);
	}
}
