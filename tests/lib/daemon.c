/* SPDX-License-Identifier: ISC */
#include "tests/lib/daemon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The thread that the daemon runs in. */
static void *
daemon_run_cb(void *arg)
{
	struct daemon *d = arg;
	struct errinfo e = {.text = ""};

	d->r = server_run(d->sv, NULL, NULL, &e);
	return (NULL);
}

void
daemon_start(struct daemon *d, const char *const overrides[], size_t n)
{
	struct errinfo e = {.text = ""};

	memset(d, 0, sizeof(*d));
	(void)snprintf(d->base, sizeof(d->base), "/tmp/umpire-sv.XXXXXX");
	assert_non_null(mkdtemp(d->base));
	(void)snprintf(d->dir, sizeof(d->dir), "%s/d", d->base);
	if (init_make(d->dir, overrides, n, d->identity, &e) != 0)
		fail_msg("%s", e.text);
	(void)snprintf(
	    d->conf_path, sizeof(d->conf_path), "%s/umpired.conf", d->dir);
	assert_int_equal(conf_load(d->conf_path, NULL, 0, &d->conf, &e), 0);
	if (server_new(d->conf, NULL, &d->sv, &e) != 0)
		fail_msg("%s", e.text);
	assert_int_equal(pthread_create(&d->thread, NULL, daemon_run_cb, d), 0);
	d->is_running = true;
}

int
daemon_stop(struct daemon *d)
{
	if (d->is_running) {
		server_stop(d->sv);
		server_stop(d->sv);
		assert_int_equal(pthread_join(d->thread, NULL), 0);
		d->is_running = false;
	}
	return (d->r);
}

void
daemon_end(struct daemon *d)
{
	static const char *const names[] = {"umpired.conf", "identity.key",
	    "dice.key", "invite.key", "tls.crt", "tls.key", "umpired.db",
	    "umpired.db-wal", "umpired.db-shm", "umpired.db.lock",
	    "umpired.db.heads"};
	char path[160];
	size_t i;

	assert_int_equal(daemon_stop(d), 0);
	server_free(d->sv);
	conf_free(d->conf);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", d->dir, names[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(d->dir), 0);
	assert_int_equal(rmdir(d->base), 0);
}

const char *const daemon_plain[1] = {"listen=127.0.0.1:0"};

int
daemon_start_plain(void **state)
{
	struct daemon *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	daemon_start(d, daemon_plain, 1);
	*state = d;
	return (0);
}

int
daemon_end_plain(void **state)
{
	daemon_end(*state);
	free(*state);
	return (0);
}
