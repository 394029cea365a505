/* SPDX-License-Identifier: ISC */
/*
 * Makes the folder of a daemon.  Nothing that is there already is touched,
 * and a failure leaves nothing behind, so that the command can simply be
 * given again.
 */
#include "server/init.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/base32.h"
#include "common/crypt/hash.h"
#include "common/crypt/keyfile.h"
#include "common/crypt/vrf.h"
#include "server/base/conf.h"
#include "server/base/user.h"
#include "server/net/tls.h"
#include "server/store/store.h"

#define INIT_CERTIFICATE_DAYS 3650
#define INIT_CONF "umpired.conf"

/* What may be in the folder after a failure, and is removed. */
static const char *const init_files[] = {INIT_CONF, "identity.key", "dice.key",
    "invite.key", "tls.crt", "tls.key", "umpired.db", "umpired.db-wal",
    "umpired.db-shm", "umpired.db.lock", NULL};

/* Joins folder and name; ERR_TOOBIG if that is too long for a path. */
static int
init_path(
    char out[PATH_MAX], const char *dir, const char *name, struct errinfo *e)
{
	if (snprintf(out, PATH_MAX, "%s/%s", dir, name) >= PATH_MAX)
		return (err_set(e, ERR_TOOBIG, "", "the path is too long"));
	return (0);
}

/* Refuses a folder in which there is something. */
static int
init_empty(DIR *d, const char *dir, struct errinfo *e)
{
	const struct dirent *entry;

	rewinddir(d);
	while ((entry = readdir(d)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			return (err_set(e, ERR_EXISTS, "",
			    "\"%s\" is not empty; name a folder that does not "
			    "exist yet",
			    dir));
	}
	return (0);
}

/*
 * Closes a folder to others.  That of another user cannot be closed to that
 * user, who could put links where root is about to write.
 */
static int
init_close(DIR *d, const char *dir, struct errinfo *e)
{
	struct stat sb;

	if (fstat(dirfd(d), &sb) == 0) {
		if (sb.st_uid != geteuid())
			return (err_set(e, ERR_DENIED, "",
			    "\"%s\" belongs to another user; name a folder "
			    "that does not exist yet",
			    dir));
		if (fchmod(dirfd(d), 0700) == 0)
			return (0);
	}
	return (err_set(e, ERR_IO, "", "cannot make \"%s\" private: %s", dir,
	    strerror(errno)));
}

/* Makes the folder, or sees that it is empty; *is_new says which. */
static int
init_folder(const char *dir, bool *is_new, struct errinfo *e)
{
	DIR *d;
	int r;

	*is_new = mkdir(dir, 0700) == 0;
	if (*is_new)
		return (0);
	if (errno != EEXIST || (d = opendir(dir)) == NULL)
		return (err_set(e, ERR_IO, "", "cannot create \"%s\": %s", dir,
		    strerror(errno)));
	/* Until it is closed others may put something in. */
	if ((r = init_empty(d, dir, e)) == 0 &&
	    (r = init_close(d, dir, e)) == 0)
		r = init_empty(d, dir, e);
	(void)closedir(d);
	return (r);
}

/* Writes the configuration file, which has these settings, to disk. */
static int
init_write(const char *path, const struct conf *conf, struct errinfo *e)
{
	struct buf text;
	ssize_t done;
	int fd, r;

	buf_init(&text, 0);
	conf_print(conf, &text);
	if ((r = buf_error(&text)) != 0) {
		(void)err_set(e, r, "", "%s", err_text(r));
		goto out;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	done = fd == -1 ? -1 : write(fd, text.data, text.len);
	if (done != (ssize_t)text.len || fsync(fd) == -1)
		r = err_set(e, ERR_IO, "", "cannot write \"%s\": %s", path,
		    done == -1 || done == (ssize_t)text.len ? strerror(errno)
							    : "no space");
	if (fd != -1)
		(void)close(fd);
out:
	buf_clear(&text);
	return (r);
}

/* Writes the settings and reads them back. */
static int
init_conf(const char *dir, const struct conf *first, struct conf **out,
    struct errinfo *e)
{
	char path[PATH_MAX];
	int r;

	if ((r = init_path(path, dir, INIT_CONF, e)) != 0 ||
	    (r = init_write(path, first, e)) != 0)
		return (r);
	/* Its own folder is where relative paths start from. */
	return (conf_load(path, NULL, 0, out, e));
}

/*
 * Refuses settings that would have something made elsewhere: it could be there
 * already, and a failure would leave it behind.
 */
static int
init_apart(const char *dir, const struct conf *conf, struct errinfo *e)
{
	const struct {
		const char *key;
		const char *name;
		const char *path;
	} files[] = {
	    {"database", "umpired.db", conf->database},
	    {"identity_key", "identity.key", conf->identity_key},
	    {"dice_key", "dice.key", conf->dice_key},
	    {"invite_key", "invite.key", conf->invite_key},
	    {"tls_cert", "tls.crt", conf->tls_cert},
	    {"tls_key", "tls.key", conf->tls_key},
	};
	char path[PATH_MAX];
	size_t i;
	int r;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if ((r = init_path(path, dir, files[i].name, e)) != 0)
			return (r);
		if (strcmp(path, files[i].path) != 0)
			return (err_set(e, ERR_CONFIG, "",
			    "%s: --init makes this in its own folder; move it "
			    "afterwards and set it in " INIT_CONF,
			    files[i].key));
	}
	return (0);
}

/* Makes the three keys. */
static int
init_keys(
    const struct conf *conf, uint8_t identity[SIGN_KEY_LEN], struct errinfo *e)
{
	uint8_t invite[KEYFILE_LEN];
	struct sign_key sign = {.seed = {0}};
	struct vrf_key dice = {.secret = {0}};
	int r;

	if ((r = sign_key_make(&sign)) != 0 || (r = vrf_key_make(&dice)) != 0 ||
	    (r = hash_random(invite, sizeof(invite))) != 0) {
		(void)err_set(e, r, "", "cannot make keys: %s", err_text(r));
		goto out;
	}
	if ((r = keyfile_write(conf->identity_key, sign.seed, e)) != 0 ||
	    (r = keyfile_write(conf->dice_key, dice.secret, e)) != 0 ||
	    (r = keyfile_write(conf->invite_key, invite, e)) != 0)
		goto out;
	memcpy(identity, sign.public_key, SIGN_KEY_LEN);
out:
	sign_key_clear(&sign);
	vrf_key_clear(&dice);
	explicit_bzero(invite, sizeof(invite));
	return (r);
}

/* Gives all to the user whom the daemon is to become; NULL: it stays ours. */
static int
init_give(const char *dir, const struct conf *conf, const struct user_ids *u,
    struct errinfo *e)
{
	char path[PATH_MAX];
	size_t i;
	int r;

	if (u == NULL)
		return (0);
	for (i = 0; init_files[i] != NULL; i++) {
		if ((r = init_path(path, dir, init_files[i], e)) != 0)
			return (r);
		if (lchown(path, u->uid, u->gid) == -1 && errno != ENOENT)
			return (err_set(e, ERR_IO, "",
			    "cannot change the owner of \"%s\" to \"%s\": %s",
			    path, conf->user, strerror(errno)));
	}
	if (lchown(dir, u->uid, u->gid) == -1)
		return (err_set(e, ERR_IO, "",
		    "cannot change the owner of \"%s\" to \"%s\": %s", dir,
		    conf->user, strerror(errno)));
	return (0);
}

/* Has the names in the folder written, and that of a new one. */
static int
init_sync(const char *dir, bool is_new, struct errinfo *e)
{
	static const char *const names[] = {".", ".."};
	char path[PATH_MAX];
	size_t i;
	int fd, r;

	for (i = 0; i < (is_new ? 2 : 1); i++) {
		if ((r = init_path(path, dir, names[i], e)) != 0)
			return (r);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		/* The one above may be somebody's that we only pass through. */
		if (fd == -1 && i == 1 && errno == EACCES)
			continue;
		/* Some file systems cannot sync a folder; that is not a fault.
		 */
		if (fd == -1 || (fsync(fd) == -1 && errno != EINVAL))
			r = err_set(e, ERR_IO, "",
			    "cannot write to the folder \"%s\": %s", path,
			    strerror(errno));
		if (fd != -1)
			(void)close(fd);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Removes what a failed attempt has made. */
static void
init_remove(const char *dir, bool is_new)
{
	char path[PATH_MAX];
	struct errinfo e;
	size_t i;

	for (i = 0; init_files[i] != NULL; i++) {
		if (init_path(path, dir, init_files[i], &e) == 0)
			(void)unlink(path);
	}
	if (is_new)
		(void)rmdir(dir);
}

/* Makes all, in a folder that is there and is empty. */
static int
init_fill(const char *dir, const struct conf *first, const struct user_ids *u,
    uint8_t identity[SIGN_KEY_LEN], struct errinfo *e)
{
	char host[HOST_NAME_MAX + 1];
	struct conf *conf = NULL;
	struct store *st = NULL;
	int r;

	/* The certificate is in the name of this machine. */
	if (gethostname(host, sizeof(host)) == -1)
		host[0] = '\0';
	host[sizeof(host) - 1] = '\0';
	if ((r = init_conf(dir, first, &conf, e)) == 0 &&
	    (r = init_apart(dir, conf, e)) == 0 &&
	    (r = init_keys(conf, identity, e)) == 0 &&
	    (r = tls_make_certificate(conf->tls_cert, conf->tls_key, host,
		 INIT_CERTIFICATE_DAYS, e)) == 0)
		r = store_open_writer(conf->database, true, &st, e);
	store_close(st);
	if (r == 0)
		r = init_give(dir, conf, u, e);
	conf_free(conf);
	return (r);
}

int
init_make(const char *dir, const char *const overrides[], size_t n,
    uint8_t identity[SIGN_KEY_LEN], struct errinfo *e)
{
	struct conf *first;
	struct user_ids u;
	bool has_user, is_new;
	int r;

	/* Errors of the settings alone are found before anything is made. */
	if ((r = conf_load(NULL, overrides, n, &first, e)) != 0)
		return (r);
	r = user_find(first, &u, e);
	has_user = r == 0;
	if (r == ERR_NOTFOUND)
		r = 0;
	if (r == 0 && (r = init_folder(dir, &is_new, e)) == 0) {
		if ((r = init_fill(
			 dir, first, has_user ? &u : NULL, identity, e)) != 0 ||
		    (r = init_sync(dir, is_new, e)) != 0)
			init_remove(dir, is_new);
	}
	conf_free(first);
	return (r);
}

void
init_explain(
    const char *dir, const uint8_t identity[SIGN_KEY_LEN], bool is_roots)
{
	char hex[2 * SIGN_KEY_LEN + 1], mark[FINGERPRINT_LEN + 1];

	hex_format(hex, identity, SIGN_KEY_LEN);
	base32_fingerprint(mark, identity);
	printf(
	    "%s holds everything that umpired needs:\n"
	    "settings, keys, certificate and an empty database.\n"
	    "\n"
	    "The identity key, which players give to their clients so that no\n"
	    "other server can pass for this one:\n"
	    "\n"
	    "    %s\n"
	    "    %s (its fingerprint)\n"
	    "\n"
	    "What to do next:\n"
	    " 1. Copy identity.key and dice.key to a safe place, off this\n"
	    "    machine. Without them no game can go on; whoever has them\n"
	    "    can forge results and foresee dice.\n"
	    " 2. Edit %s/" INIT_CONF ": \"listen\" says who can\n"
	    "    connect, at first only this machine; \"policy\" who may make\n"
	    "    an account.\n"
	    " 3. Start it:  umpired -c %s/" INIT_CONF "\n",
	    dir, hex, mark, dir, dir);
	if (is_roots)
		printf(
		    "\n"
		    "umpired does not run as root unless told to. To try it\n"
		    "out as root, add this to step 3:\n"
		    "\n"
		    "    -o user=root\n"
		    "\n"
		    "A server for others has a user of its own. Say\n"
		    "\n"
		    "    chown -R NAME %s\n"
		    "\n"
		    "and \"user = NAME\" in %s/" INIT_CONF ". With\n"
		    "-o user=NAME the command that made this does both.\n",
		    dir, dir);
}
