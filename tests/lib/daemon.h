/* SPDX-License-Identifier: ISC */
/* Whole daemons in threads of the test. */
#ifndef UMPIRE_TESTS_LIB_DAEMON_H
#define UMPIRE_TESTS_LIB_DAEMON_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/crypt/sign.h"
#include "server/base/conf.h"
#include "server/init.h"
#include "server/server.h"

/* A daemon that runs in a thread. */
struct daemon {
	char base[64];
	char dir[96];
	char conf_path[128];
	struct conf *conf;
	struct server *sv;
	uint8_t identity[SIGN_KEY_LEN];
	pthread_t thread;
	int r; /* what server_run() returned */
	bool is_running;
};

/* Makes a daemon with settings of its own and starts it. */
void daemon_start(struct daemon *d, const char *const overrides[], size_t n);

/* Ends the loop of a daemon; what it returned. */
int daemon_stop(struct daemon *d);

/* Stops a daemon and removes all of it. */
void daemon_end(struct daemon *d);

/* The usual settings. */
extern const char *const daemon_plain[1];

/* A fixture of cmocka: a daemon with them. */
int daemon_start_plain(void **state);

/* Its end. */
int daemon_end_plain(void **state);

#endif
