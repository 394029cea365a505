/* SPDX-License-Identifier: ISC */
/*
 * Where a player's things are.  Keys are written once and never replaced;
 * settings and nicknames are replaced atomically.  replica.c knows what a
 * copy of a game holds.
 */
#include "client/profile/profile.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ini.h>

#include "client/base/display.h"
#include "client/base/xalloc.h"
#include "client/profile/dice_keys.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/keyfile.h"
#include "common/record/order.h"

#define PROFILE_FILE_MAX 1048576 /* bytes of settings or nicknames */
#define PROFILE_GAME_MAX ((size_t)1 << 30) /* bytes of a game's file */
#define PROFILE_NICK_MAX 32

/* The argument of the settings reader. */
struct profile_ini {
	struct profile *p;
	struct errinfo *e;
};

/* The base directory of an XDG variable, new; NULL if there is no home. */
static char *
profile_base(const char *variable, const char *below_home)
{
	const char *s;
	const struct passwd *pw;

	/* A relative path there is to be ignored (XDG base directories). */
	if ((s = getenv(variable)) != NULL && *s == '/')
		return (xalloc_str(s));
	if ((s = getenv("HOME")) == NULL || *s != '/') {
		if ((pw = getpwuid(getuid())) == NULL || *pw->pw_dir != '/')
			return (NULL);
		s = pw->pw_dir;
	}
	return (xalloc_printf("%s/%s", s, below_home));
}

/* One setting of the file; 0 stops with an error, as libinih wants it. */
static int
profile_setting_cb(
    void *arg, const char *section, const char *name, const char *value)
{
	struct profile_ini *in = arg;
	struct profile *p = in->p;

	if (*section == '\0' && strcmp(name, "server") == 0) {
		free(p->server);
		p->server = xalloc_str(value);
		return (1);
	}
	if (*section == '\0' && strcmp(name, "account") == 0) {
		free(p->account);
		p->account = xalloc_str(value);
		if (order_is_account(value))
			return (1);
	}
	if (*section == '\0' && strcmp(name, "display") == 0) {
		free(p->display);
		p->display = xalloc_str(value);
		if (display_is_name(value))
			return (1);
	}
	if (*section == '\0' && strcmp(name, "server_key") == 0 &&
	    hex_parse(p->pin, SIGN_KEY_LEN, value, strlen(value)) == 0) {
		p->has_pin = true;
		return (1);
	}
	(void)err_set(in->e, ERR_CONFIG, NULL, "'%.20s = %.80s'", name, value);
	return (0);
}

/* Reads the settings file, if there is one. */
static int
profile_read_settings(struct profile *p, struct errinfo *e)
{
	struct errinfo bad = {.text = ""};
	struct profile_ini in = {.p = p, .e = &bad};
	struct buf b;
	char *path;
	int line, r;

	path = xalloc_printf("%s/config", p->config_dir);
	buf_init(&b, 0);
	r = file_read(path, PROFILE_FILE_MAX, &b, e);
	if (r == ERR_NOTFOUND) {
		r = 0;
	} else if (r == 0) {
		line = ini_parse_string(buf_str(&b), profile_setting_cb, &in);
		if (line != 0)
			r = err_set(e, ERR_CONFIG, NULL,
			    "'%s' line %d is wrong: %s; see FILES in "
			    "umpire(1)",
			    path, line,
			    bad.text[0] == '\0' ? "not name = value"
						: bad.text);
	}
	buf_clear(&b);
	free(path);
	return (r);
}

int
profile_open(const char *name, struct profile **out, struct errinfo *e)
{
	struct profile *p;
	char *config, *data;
	int r;

	if (name == NULL)
		name = getenv("UMPIRE_PROFILE");
	if (name == NULL || *name == '\0')
		name = PROFILE_DEFAULT;
	if (!order_is_account(name))
		return (err_set(e, ERR_CONFIG, NULL,
		    "'%s' cannot be a profile's name: small letters, digits, "
		    "'.', '_' and '-', at most 32",
		    name));
	config = profile_base("XDG_CONFIG_HOME", ".config");
	data = profile_base("XDG_DATA_HOME", ".local/share");
	if (config == NULL || data == NULL) {
		free(config);
		free(data);
		return (err_set(e, ERR_CONFIG, NULL,
		    "there is no home directory: set HOME"));
	}
	p = xalloc(sizeof(*p));
	p->name = xalloc_str(name);
	p->config_dir = xalloc_printf("%s/umpire/%s", config, name);
	p->data_dir = xalloc_printf("%s/umpire/%s", data, name);
	free(config);
	free(data);
	if ((r = profile_read_settings(p, e)) != 0) {
		profile_free(p);
		return (r);
	}
	*out = p;
	return (0);
}

void
profile_free(struct profile *p)
{
	if (p == NULL)
		return;
	sign_key_clear(&p->keys.sign);
	vrf_key_clear(&p->keys.dice);
	free(p->name);
	free(p->config_dir);
	free(p->data_dir);
	free(p->server);
	free(p->account);
	free(p->display);
	free(p);
}

char *
profile_path(const struct profile *p, const char *file)
{
	return (xalloc_printf("%s/%s", p->data_dir, file));
}

char *
profile_game_path(
    const struct profile *p, const uint8_t id[HASH_LEN], const char *suffix)
{
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, id, HASH_LEN);
	return (xalloc_printf("%s/games/%s%s", p->data_dir, hex, suffix));
}

bool
profile_game_has(
    const struct profile *p, const uint8_t id[HASH_LEN], const char *suffix)
{
	char *path = profile_game_path(p, id, suffix);
	bool has = file_exists(path);

	free(path);
	return (has);
}

int
profile_game_read(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, size_t from, struct buf *out, struct errinfo *e)
{
	char *path = profile_game_path(p, id, suffix);
	int r = file_read_from(path, from, PROFILE_GAME_MAX, out, e);

	free(path);
	return (r);
}

int
profile_game_write(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, const char *bytes, size_t n, struct errinfo *e)
{
	char *path = profile_game_path(p, id, suffix);
	int r = file_write(path, bytes, n, 0600, e);

	free(path);
	return (r);
}

int
profile_game_patch(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, size_t at, const char *bytes, size_t n,
    struct errinfo *e)
{
	char *path = profile_game_path(p, id, suffix);
	int r = file_patch(path, at, bytes, n, e);

	free(path);
	return (r);
}

int
profile_game_append(const struct profile *p, const uint8_t id[HASH_LEN],
    const char *suffix, const char *bytes, size_t n, struct errinfo *e)
{
	char *path = profile_game_path(p, id, suffix);
	int r = file_append(path, bytes, n, e);

	free(path);
	return (r);
}

int
profile_game_lock(const struct profile *p, const uint8_t id[HASH_LEN], int *fd,
    struct errinfo *e)
{
	char *path = profile_game_path(p, id, ".lock");
	int r = file_lock(path, fd, e);

	free(path);
	return (r);
}

/* How many of its two key files are there. */
static int
profile_count_keys(const struct profile *p)
{
	char *sign = profile_path(p, "sign.key");
	char *dice = profile_path(p, "dice.key");
	int n = (file_exists(sign) ? 1 : 0) + (file_exists(dice) ? 1 : 0);

	free(sign);
	free(dice);
	return (n);
}

bool
profile_exists(const struct profile *p)
{
	return (profile_count_keys(p) > 0);
}

/*
 * Makes what a new profile's keys come from, and the dice key and the public
 * recovery key out of it.
 */
static int
profile_make_words(
    struct profile *p, char words[WORDS_LEN + 1], struct vrf_key *dice)
{
	uint8_t seed[WORDS_SEED_LEN];
	struct sign_key recovery;
	int r;

	memset(&recovery, 0, sizeof(recovery));
	if ((r = hash_random(seed, sizeof(seed))) == 0 &&
	    (r = words_recovery(seed, &recovery)) == 0 &&
	    (r = words_dice(seed, 1, dice)) == 0) {
		words_format(words, seed);
		memcpy(p->recovery, recovery.public_key, SIGN_KEY_LEN);
		p->has_recovery = true;
	}
	explicit_bzero(seed, sizeof(seed));
	sign_key_clear(&recovery);
	return (r);
}

int
profile_write_recovery(const struct profile *p, struct errinfo *e)
{
	char *path = profile_path(p, "recovery.pub");
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_hex(&b, p->recovery, SIGN_KEY_LEN);
	buf_putc(&b, '\n');
	if ((r = buf_error(&b)) == 0)
		r = file_write(path, buf_str(&b), b.len, 0600, e);
	buf_clear(&b);
	free(path);
	return (r);
}

/* Reads it; profiles of former versions have none. */
static int
profile_read_recovery(struct profile *p, struct errinfo *e)
{
	char *path = profile_path(p, "recovery.pub");
	struct buf b;
	int r;

	buf_init(&b, 0);
	r = file_read(path, PROFILE_FILE_MAX, &b, e);
	if (r == ERR_NOTFOUND) {
		r = 0;
	} else if (r == 0) {
		p->has_recovery = b.len == 2 * SIGN_KEY_LEN + 1 &&
		    hex_parse(
			p->recovery, SIGN_KEY_LEN, buf_str(&b), b.len - 1) == 0;
		if (!p->has_recovery)
			r = err_set(e, ERR_CONFIG, NULL,
			    "'%s' is not a key: restore it from your backup",
			    path);
	}
	buf_clear(&b);
	free(path);
	return (r);
}

int
profile_make(struct profile *p, bool *is_new, profile_show_words *show,
    void *arg, struct errinfo *e)
{
	char *games, *sign_path, *dice_path, words[WORDS_LEN + 1] = "";
	bool has_sign, has_dice;
	struct sign_key sign;
	struct vrf_key dice;
	int r;

	memset(&sign, 0, sizeof(sign));
	memset(&dice, 0, sizeof(dice));
	games = profile_path(p, "games");
	sign_path = profile_path(p, "sign.key");
	dice_path = profile_path(p, "dice.key");
	if ((r = file_make_dirs(p->config_dir, e)) != 0 ||
	    (r = file_make_dirs(games, e)) != 0)
		goto out;
	has_sign = file_exists(sign_path);
	has_dice = file_exists(dice_path);
	if (has_sign != has_dice) {
		r = err_set(e, ERR_EXISTS, NULL,
		    "only '%s' is there: restore %s from your backup",
		    has_sign ? sign_path : dice_path,
		    has_sign ? "dice.key" : "sign.key");
		goto out;
	}
	if (!has_sign) {
		if ((r = sign_key_make(&sign)) != 0 ||
		    (r = profile_make_words(p, words, &dice)) != 0) {
			r = err_set(
			    e, r, NULL, "cannot make keys: %s", err_text(r));
			goto out;
		}
		if (show != NULL && (r = show(arg, words)) != 0)
			goto out;
		if ((r = profile_write_recovery(p, e)) != 0 ||
		    (r = keyfile_write(sign_path, sign.seed, e)) != 0 ||
		    (r = keyfile_write(dice_path, dice.secret, e)) != 0)
			goto out;
	}
	if ((r = profile_load_keys(p, e)) == 0)
		*is_new = !has_sign;
out:
	explicit_bzero(words, sizeof(words));
	sign_key_clear(&sign);
	vrf_key_clear(&dice);
	free(games);
	free(sign_path);
	free(dice_path);
	return (r);
}

int
profile_make_recovery(
    struct profile *p, profile_show_words *show, void *arg, struct errinfo *e)
{
	char words[WORDS_LEN + 1] = "";
	struct vrf_key dice;
	int r;

	memset(&dice, 0, sizeof(dice));
	if ((r = profile_make_words(p, words, &dice)) != 0)
		r = err_set(e, r, NULL, "cannot make keys: %s", err_text(r));
	if (r == 0 && (r = show(arg, words)) == 0 &&
	    (r = dice_keys_use(p, &dice, e)) == 0)
		r = profile_write_recovery(p, e);
	p->has_recovery = r == 0;
	explicit_bzero(words, sizeof(words));
	vrf_key_clear(&dice);
	return (r);
}

bool
profile_is_bereft(const struct profile *p)
{
	uint8_t(*ids)[HASH_LEN];
	bool is_used = p->account != NULL;
	struct errinfo e;
	size_t n;

	if (profile_count_keys(p) == 2)
		return (false);
	if (!is_used && profile_games(p, &ids, &n, &e) == 0) {
		is_used = n > 0;
		free(ids);
	}
	return (is_used);
}

/* Says why a key's file could not be loaded. */
static int
profile_no_key(
    const struct profile *p, const char *file, int r, struct errinfo *e)
{
	const bool is_default = strcmp(p->name, PROFILE_DEFAULT) == 0;

	if (r != ERR_NOTFOUND)
		return (r == ERR_MALFORMED ? ERR_CONFIG : r);
	if (profile_exists(p))
		return (err_set(e, ERR_CONFIG, NULL,
		    "%s of profile '%s' is missing: restore it from your "
		    "backup into '%s'",
		    file, p->name, p->data_dir));
	if (profile_is_bereft(p))
		return (err_set(e, ERR_CONFIG, NULL,
		    "the keys of profile '%s' are missing: restore sign.key "
		    "and dice.key from your backup into '%s'",
		    p->name, p->data_dir));
	return (err_set(e, ERR_CONFIG, NULL,
	    "profile '%s' has no keys yet: `umpire init%s%s` makes them",
	    p->name, is_default ? "" : " --profile ",
	    is_default ? "" : p->name));
}

int
profile_load_keys(struct profile *p, struct errinfo *e)
{
	uint8_t secret[KEYFILE_LEN];
	char *sign_path, *dice_path;
	int r;

	if (p->has_keys)
		return (0);
	sign_path = profile_path(p, "sign.key");
	dice_path = profile_path(p, "dice.key");
	if ((r = keyfile_read(sign_path, secret, e)) != 0) {
		r = profile_no_key(p, "sign.key", r, e);
		goto out;
	}
	if ((r = sign_key_from_seed(&p->keys.sign, secret)) != 0) {
		r = err_set(e, r, NULL, "'%s' does not hold a key", sign_path);
		goto out;
	}
	if ((r = keyfile_read(dice_path, secret, e)) != 0) {
		r = profile_no_key(p, "dice.key", r, e);
		goto out;
	}
	if ((r = vrf_key_from_secret(&p->keys.dice, secret)) != 0) {
		r = err_set(
		    e, ERR_CONFIG, NULL, "'%s' does not hold a key", dice_path);
		goto out;
	}
	if ((r = profile_read_recovery(p, e)) != 0)
		goto out;
	p->has_keys = true;
out:
	explicit_bzero(secret, sizeof(secret));
	free(sign_path);
	free(dice_path);
	return (r);
}

int
profile_save(const struct profile *p, struct errinfo *e)
{
	struct buf b;
	char *path;
	int r;

	if ((r = file_make_dirs(p->config_dir, e)) != 0)
		return (r);
	path = xalloc_printf("%s/config", p->config_dir);
	buf_init(&b, 0);
	buf_puts(&b,
	    "; settings of umpire(1); written by `umpire init` and "
	    "`umpire register`\n");
	if (p->server != NULL)
		buf_printf(&b, "server = %s\n", p->server);
	if (p->has_pin) {
		buf_puts(&b,
		    "; the server's identity key: another one is "
		    "refused\nserver_key = ");
		buf_hex(&b, p->pin, SIGN_KEY_LEN);
		buf_putc(&b, '\n');
	}
	if (p->account != NULL)
		buf_printf(&b, "account = %s\n", p->account);
	if (p->display != NULL)
		buf_printf(&b, "display = %s\n", p->display);
	if ((r = buf_error(&b)) == 0)
		r = file_write(path, buf_str(&b), b.len, 0600, e);
	buf_clear(&b);
	free(path);
	return (r);
}

int
profile_split(const char *server, char **host, char **port, struct errinfo *e)
{
	const char *h = server, *p = PROFILE_PORT, *end;
	size_t n, len = strlen(server);

	if (*server == '[') {
		h = server + 1;
		if ((end = strchr(h, ']')) == NULL ||
		    (end[1] != '\0' && end[1] != ':'))
			return (err_set(e, ERR_INVALID, NULL,
			    "'%s' is not HOST[:PORT]", server));
		n = (size_t)(end - h);
		if (end[1] == ':')
			p = end + 2;
	} else {
		end = strchr(server, ':');
		/* More than one colon: a bare IPv6 address. */
		if (end != NULL && strchr(end + 1, ':') != NULL)
			end = NULL;
		n = end == NULL ? len : (size_t)(end - server);
		if (end != NULL)
			p = end + 1;
	}
	if (n == 0 || *p == '\0' || strlen(p) > 5 ||
	    strspn(p, "0123456789") != strlen(p) || strtoul(p, NULL, 10) == 0 ||
	    strtoul(p, NULL, 10) > 65535 || strcspn(server, " \t\r\n;") != len)
		return (err_set(
		    e, ERR_INVALID, NULL, "'%s' is not HOST[:PORT]", server));
	*host = xalloc_strn(h, n);
	*port = xalloc_str(p);
	return (0);
}

bool
profile_is_nick(const char *s)
{
	/* One of hex digits alone would pass for a game's number. */
	return (
	    order_is_account(s) && strspn(s, "0123456789abcdef") != strlen(s));
}

/* Reads the nicknames file into *b; an empty one if there is none. */
static void
profile_read_nicks(const struct profile *p, struct buf *b)
{
	struct errinfo e;
	char *path;

	path = profile_path(p, "names");
	buf_init(b, 0);
	/* Without the file there are numbers; nothing else hangs on it. */
	if (file_read(path, PROFILE_FILE_MAX, b, &e) != 0)
		buf_reset(b);
	free(path);
}

/*
 * Takes the next "nick id" line from *s.  False at the end; lines that are
 * something else are passed over.
 */
static bool
profile_next_nick(
    const char **s, char nick[PROFILE_NICK_MAX + 1], uint8_t id[HASH_LEN])
{
	size_t n, len;
	const char *p;

	while (*(p = *s) != '\0') {
		len = strcspn(p, "\n");
		*s = p + len + (p[len] == '\n' ? 1 : 0);
		n = strcspn(p, " \n");
		if (n == 0 || n > PROFILE_NICK_MAX || p[n] != ' ' ||
		    len != n + 1 + 2 * HASH_LEN ||
		    hex_parse(id, HASH_LEN, p + n + 1, 2 * HASH_LEN) != 0)
			continue;
		memcpy(nick, p, n);
		nick[n] = '\0';
		return (true);
	}
	return (false);
}

bool
profile_find_nick(
    const struct profile *p, const char *nick, uint8_t id[HASH_LEN])
{
	char name[PROFILE_NICK_MAX + 1];
	uint8_t one[HASH_LEN];
	bool is_found = false;
	struct buf b;
	const char *s;

	profile_read_nicks(p, &b);
	for (s = buf_str(&b); profile_next_nick(&s, name, one);) {
		if (strcmp(name, nick) == 0) {
			memcpy(id, one, HASH_LEN);
			is_found = true;
		}
	}
	buf_clear(&b);
	return (is_found);
}

char *
profile_nick(const struct profile *p, const uint8_t id[HASH_LEN])
{
	char name[PROFILE_NICK_MAX + 1], *nick = NULL;
	uint8_t one[HASH_LEN];
	struct buf b;
	const char *s;

	profile_read_nicks(p, &b);
	for (s = buf_str(&b); profile_next_nick(&s, name, one);) {
		if (nick == NULL && memcmp(one, id, HASH_LEN) == 0)
			nick = xalloc_str(name);
	}
	buf_clear(&b);
	return (nick);
}

/* Rewrites the nicknames without id's, and with `nick` for it if not NULL. */
static int
profile_write_nicks(const struct profile *p, const char *nick,
    const uint8_t id[HASH_LEN], struct errinfo *e)
{
	char name[PROFILE_NICK_MAX + 1];
	uint8_t one[HASH_LEN];
	struct buf b, out;
	const char *s;
	char *path;
	int r;

	buf_init(&out, 0);
	profile_read_nicks(p, &b);
	for (s = buf_str(&b); profile_next_nick(&s, name, one);) {
		if (memcmp(one, id, HASH_LEN) == 0)
			continue;
		buf_printf(&out, "%s ", name);
		buf_hex(&out, one, HASH_LEN);
		buf_putc(&out, '\n');
	}
	if (nick != NULL) {
		buf_printf(&out, "%s ", nick);
		buf_hex(&out, id, HASH_LEN);
		buf_putc(&out, '\n');
	}
	path = profile_path(p, "names");
	if ((r = buf_error(&out)) == 0)
		r = file_write(path, buf_str(&out), out.len, 0600, e);
	free(path);
	buf_clear(&b);
	buf_clear(&out);
	return (r);
}

/* Chooses or checks the nickname and writes it; the caller holds the lock. */
static int
profile_put_nick(const struct profile *p, const char *nick,
    const uint8_t id[HASH_LEN], struct errinfo *e)
{
	uint8_t one[HASH_LEN];
	char free_nick[16];
	int i;

	if (nick != NULL && !profile_is_nick(nick))
		return (err_set(e, ERR_INVALID, NULL,
		    "'%s' cannot be a nickname: small letters, digits, '.', "
		    "'_' and '-', at most 32, and not hex digits alone",
		    nick));
	if (nick != NULL && profile_find_nick(p, nick, one) &&
	    memcmp(one, id, HASH_LEN) != 0)
		return (err_set(e, ERR_EXISTS, NULL,
		    "another of your games is already called '%s'", nick));
	for (i = 1; nick == NULL; i++) {
		(void)snprintf(free_nick, sizeof(free_nick), "g%d", i);
		if (!profile_find_nick(p, free_nick, one))
			nick = free_nick;
	}
	return (profile_write_nicks(p, nick, id, e));
}

/* Takes the lock of the nicknames. */
static int
profile_lock_nicks(const struct profile *p, int *fd, struct errinfo *e)
{
	char *path;
	int r;

	path = profile_path(p, "names.lock");
	r = file_lock(path, fd, e);
	free(path);
	return (r);
}

int
profile_set_nick(const struct profile *p, const char *nick,
    const uint8_t id[HASH_LEN], struct errinfo *e)
{
	int fd, r;

	if ((r = profile_lock_nicks(p, &fd, e)) != 0)
		return (r);
	r = profile_put_nick(p, nick, id, e);
	(void)close(fd); /* it holds no bytes */
	return (r);
}

int
profile_drop_nick(
    const struct profile *p, const uint8_t id[HASH_LEN], struct errinfo *e)
{
	int fd, r;

	if ((r = profile_lock_nicks(p, &fd, e)) != 0)
		return (r);
	r = profile_write_nicks(p, NULL, id, e);
	(void)close(fd); /* it holds no bytes */
	return (r);
}

/* Orders two ids, for qsort(). */
static int
profile_compare_cb(const void *a, const void *b)
{
	return (memcmp(a, b, HASH_LEN));
}

int
profile_games(const struct profile *p, uint8_t (**ids)[HASH_LEN], size_t *n,
    struct errinfo *e)
{
	return (profile_list(p, ".jsonl", ".pending", ids, n, e));
}

int
profile_list(const struct profile *p, const char *one, const char *other,
    uint8_t (**ids)[HASH_LEN], size_t *n, struct errinfo *e)
{
	uint8_t(*found)[HASH_LEN] = NULL, id[HASH_LEN];
	const struct dirent *d;
	const char *suffix;
	size_t i, count = 0;
	struct buf b;
	char *path;
	DIR *dir;

	path = profile_path(p, "games");
	dir = opendir(path);
	if (dir == NULL && errno != ENOENT) {
		(void)err_set(e, ERR_IO, NULL, "cannot read '%s': %s", path,
		    strerror(errno));
		free(path);
		return (ERR_IO);
	}
	free(path);
	buf_init(&b, 0);
	while (dir != NULL && (d = readdir(dir)) != NULL) {
		if (strlen(d->d_name) <= 2 * HASH_LEN ||
		    hex_parse(id, HASH_LEN, d->d_name, 2 * HASH_LEN) != 0)
			continue;
		suffix = d->d_name + 2 * HASH_LEN;
		if (strcmp(suffix, one) == 0 ||
		    (other != NULL && strcmp(suffix, other) == 0))
			buf_add(&b, id, HASH_LEN);
	}
	if (dir != NULL)
		(void)closedir(dir); /* only read from */
	found = xalloc(b.len + 1);
	if (b.len > 0)
		memcpy(found, b.data, b.len);
	qsort(found, b.len / HASH_LEN, HASH_LEN, profile_compare_cb);
	for (i = 0; i < b.len / HASH_LEN; i++) {
		if (count > 0 &&
		    memcmp(found[count - 1], found[i], HASH_LEN) == 0)
			continue;
		memmove(found[count++], found[i], HASH_LEN);
	}
	buf_clear(&b);
	*ids = found;
	*n = count;
	return (0);
}

/* Orders names, for qsort(). */
static int
profile_name_cb(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return (strcmp(*x, *y));
}

int
profile_names(const struct profile *p, json_t **names, struct errinfo *e)
{
	const char *slash = strrchr(p->data_dir, '/');
	const struct dirent *d;
	const char **list = NULL;
	size_t i, n = 0;
	char *path;
	DIR *dir;

	path = xalloc_strn(p->data_dir, (size_t)(slash - p->data_dir));
	dir = opendir(path);
	if (dir == NULL && errno != ENOENT) {
		(void)err_set(e, ERR_IO, NULL, "cannot read '%s': %s", path,
		    strerror(errno));
		free(path);
		return (ERR_IO);
	}
	free(path);
	while (dir != NULL && (d = readdir(dir)) != NULL) {
		if (!order_is_account(d->d_name))
			continue;
		list = xalloc_more(list, n, sizeof(*list));
		list[n++] = xalloc_str(d->d_name);
	}
	if (dir != NULL)
		(void)closedir(dir); /* only read from */
	if (n > 0)
		qsort(list, n, sizeof(*list), profile_name_cb);
	*names = xalloc_json(json_array());
	for (i = 0; i < n; i++) {
		xalloc_append(*names, json_string(list[i]));
		free((char *)(uintptr_t)list[i]);
	}
	free(list);
	return (0);
}

int
profile_find_digits(const struct profile *p, const char *digits,
    uint8_t id[HASH_LEN], size_t *hits, struct errinfo *e)
{
	uint8_t(*ids)[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	size_t i, n;
	int r;

	*hits = 0;
	if ((r = profile_games(p, &ids, &n, e)) != 0)
		return (r);
	for (i = 0; i < n; i++) {
		hex_format(hex, ids[i], HASH_LEN);
		if (strncmp(hex, digits, strlen(digits)) == 0) {
			memcpy(id, ids[i], HASH_LEN);
			++*hits;
		}
	}
	free(ids);
	return (0);
}
