/* SPDX-License-Identifier: ISC */
/*
 * The program: its command line, its place in the system (user, limits,
 * signals), and the exit status.  What it runs is in server.c.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <event2/event.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/clock.h"
#include "common/err.h"
#include "common/keyfile.h"
#include "common/log.h"
#include "common/sign.h"
#include "server/conf.h"
#include "server/init.h"
#include "server/invite.h"
#include "server/ledger.h"
#include "server/server.h"

#define MAIN_CONF SYSCONFDIR "/umpired.conf"
#define MAIN_FILES 64 /* descriptors beside those of connections */

enum main_mode {
	MAIN_RUN,
	MAIN_INIT,
	MAIN_INVITE,
	MAIN_CHECK,
	MAIN_PRINT_CONFIG,
};

struct main_options {
	enum main_mode mode;
	const char *path; /* of the configuration; NULL: not given */
	const char *dir; /* --init */
	const char **overrides; /* owned; the texts are argv's */
	size_t n_overrides;
};

/* What signals act upon. */
struct main_daemon {
	const struct main_options *opt;
	struct server *sv;
};

static const char main_usage[] =
    "usage: umpired [-c file] [-o key=value]...\n"
    "       umpired [-c file] [-o key=value]... --check | --invite\n"
    "       umpired [-c file] [-o key=value]... --print-config\n"
    "       umpired --init dir [-o key=value]...\n"
    "       umpired --help | --version\n";

/* The exit status that says what kind of failure r is. */
static int
main_status(int r)
{
	switch (r) {
	case 0:
		return (EX_OK);
	case ERR_CONFIG:
	case ERR_MALFORMED:
		return (EX_CONFIG);
	case ERR_NOTFOUND:
		return (EX_NOINPUT);
	case ERR_EXISTS:
		return (EX_CANTCREAT);
	case ERR_DENIED:
		return (EX_NOPERM);
	case ERR_BUSY:
		return (EX_TEMPFAIL);
	case ERR_IO:
	case ERR_STORAGE:
		return (EX_IOERR);
	case ERR_NOMEM:
		return (EX_OSERR);
	default:
		return (EX_SOFTWARE);
	}
}

/* Says on stderr why the program ends; returns its status. */
static int
main_fail(int r, const struct errinfo *e)
{
	fprintf(stderr, "umpired: %s%s%s\n", e->where,
	    e->where[0] == '\0' ? "" : ": ",
	    e->text[0] == '\0' ? err_text(r) : e->text);
	return (main_status(r));
}

/* Reads the settings that the options name. */
static int
main_load(const struct main_options *opt, struct conf **out, struct errinfo *e)
{
	const char *path = opt->path;

	if (path == NULL && opt->mode != MAIN_PRINT_CONFIG)
		path = MAIN_CONF;
	return (conf_load(path, opt->overrides, opt->n_overrides, out, e));
}

/* Keeps secrets out of core files, and takes all descriptors there are. */
static void
main_limit(const struct conf *conf)
{
	const struct rlimit none = {0, 0};
	struct rlimit files;

	if (!conf->core_dumps &&
	    (setrlimit(RLIMIT_CORE, &none) == -1 ||
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == -1))
		log_warn("core files cannot be switched off");
	if (getrlimit(RLIMIT_NOFILE, &files) == -1)
		return;
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files) == -1)
		log_warn("no more descriptors can be had");
	if (files.rlim_max < (rlim_t)conf->max_connections + MAIN_FILES)
		log_warnx("max_connections is %lld, but only %llu descriptors "
			  "can be had",
		    (long long)conf->max_connections,
		    (unsigned long long)files.rlim_max);
}

/* Becomes the user of the settings, for good. */
static int
main_become(const struct conf *conf, struct errinfo *e)
{
	const struct passwd *pw;

	if (geteuid() != 0)
		return (0);
	if (conf->user[0] == '\0')
		return (0);
	errno = 0;
	if ((pw = getpwnam(conf->user)) == NULL)
		return (err_set(e, ERR_CONFIG, "",
		    "user: there is no user \"%s\"", conf->user));
	if (initgroups(pw->pw_name, pw->pw_gid) == -1 ||
	    setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) == -1 ||
	    setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) == -1)
		return (err_set(e, ERR_DENIED, "", "cannot become \"%s\": %s",
		    conf->user, strerror(errno)));
	return (0);
}

/* SIGTERM, SIGINT. */
static void
main_stop_cb(int sig, short what, void *arg)
{
	const struct main_daemon *d = arg;

	(void)sig;
	(void)what;
	server_stop(d->sv);
}

/* SIGHUP. */
static void
main_reload_cb(int sig, short what, void *arg)
{
	const struct main_daemon *d = arg;
	struct errinfo e = {0};
	struct conf *conf;
	int r;

	(void)sig;
	(void)what;
	if ((r = main_load(d->opt, &conf, &e)) != 0) {
		log_errorx("the settings stay as they were: %s%s%s", e.where,
		    e.where[0] == '\0' ? "" : ": ",
		    e.text[0] == '\0' ? err_text(r) : e.text);
		return;
	}
	server_reload(d->sv, conf);
	conf_free(conf);
}

/* Runs a server with its signals until it ends. */
static int
main_serve(struct main_daemon *d, struct errinfo *e)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
	struct event *events[3] = {NULL, NULL, NULL};
	struct event_base *base = server_base(d->sv);
	size_t i;
	int r = 0;

	for (i = 0; i < 3 && r == 0; i++) {
		events[i] = evsignal_new(base, signals[i],
		    signals[i] == SIGHUP ? main_reload_cb : main_stop_cb, d);
		if (events[i] == NULL || event_add(events[i], NULL) == -1)
			r = err_set(e, ERR_NOMEM, "", "out of memory");
	}
	if (r == 0)
		r = server_run(d->sv, e);
	for (i = 0; i < 3; i++) {
		if (events[i] != NULL)
			event_free(events[i]);
	}
	return (r);
}

/* The daemon itself. */
static int
main_run(const struct main_options *opt, const struct conf *conf)
{
	struct main_daemon d = {.opt = opt};
	struct errinfo e = {0};
	int r;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	log_set_level((enum log_level)conf->log_level);
	log_info("umpired " PACKAGE_VERSION);
	main_limit(conf);
	if (geteuid() == 0 && conf->user[0] == '\0')
		log_warnx("running as root; set \"user\" to become another");
	if ((r = main_become(conf, &e)) == 0 &&
	    (r = server_new(conf, &d.sv, &e)) == 0)
		r = main_serve(&d, &e);
	server_free(d.sv);
	return (r == 0 ? EX_OK : main_fail(r, &e));
}

/* --init */
static int
main_init(const struct main_options *opt)
{
	uint8_t identity[SIGN_KEY_LEN];
	struct errinfo e = {0};
	int r;

	r = init_make(opt->dir, opt->overrides, opt->n_overrides, identity, &e);
	if (r != 0)
		return (main_fail(r, &e));
	init_explain(opt->dir, identity);
	return (EX_OK);
}

/* --invite */
static int
main_invite(const struct conf *conf)
{
	uint8_t key[KEYFILE_LEN];
	char at[32], code[INVITE_TEXT];
	struct errinfo e = {0};
	int64_t expiry_s;
	int r;

	expiry_s = clock_wall_ms() / 1000 + 86400 * conf->invite_days;
	if ((r = main_become(conf, &e)) == 0 &&
	    (r = keyfile_read(conf->invite_key, key, &e)) == 0)
		r = invite_make(key, (uint32_t)expiry_s, code);
	explicit_bzero(key, sizeof(key));
	if (r != 0)
		return (main_fail(r, &e));
	clock_local(at, 1000 * expiry_s);
	printf("%s\n", code);
	fprintf(stderr, "umpired: good for one account, until %s\n", at);
	if (conf->live.policy != CONF_POLICY_INVITE)
		fprintf(stderr,
		    "umpired: note that \"policy\" is not \"invite\"\n");
	return (EX_OK);
}

/* --check */
static int
main_check(const struct conf *conf)
{
	uint8_t secret[KEYFILE_LEN];
	struct sign_key identity = {.seed = {0}};
	struct errinfo e = {0};
	int r;

	if ((r = main_become(conf, &e)) == 0 &&
	    (r = keyfile_read(conf->identity_key, secret, &e)) == 0)
		r = sign_key_from_seed(&identity, secret);
	explicit_bzero(secret, sizeof(secret));
	if (r == 0)
		r = ledger_check(conf->database, identity.public_key, &e);
	sign_key_clear(&identity);
	if (r == 0 || r == ERR_BAD)
		return (r == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
	return (main_fail(r, &e));
}

/* --print-config */
static int
main_print_config(const struct conf *conf)
{
	struct errinfo e = {0};
	struct buf text;
	int r;

	buf_init(&text, 0);
	conf_print(conf, &text);
	if ((r = buf_error(&text)) == 0)
		printf("%s", buf_str(&text));
	buf_clear(&text);
	return (r == 0 ? EX_OK : main_fail(r, &e));
}

/* Does what the options ask for. */
static int
main_do(const struct main_options *opt)
{
	struct errinfo e = {0};
	struct conf *conf;
	int r, status = EX_SOFTWARE;

	if (opt->mode == MAIN_INIT)
		return (main_init(opt));
	if ((r = main_load(opt, &conf, &e)) != 0)
		return (main_fail(r, &e));
	switch (opt->mode) {
	case MAIN_RUN:
		status = main_run(opt, conf);
		break;
	case MAIN_INVITE:
		status = main_invite(conf);
		break;
	case MAIN_CHECK:
		status = main_check(conf);
		break;
	case MAIN_PRINT_CONFIG:
	case MAIN_INIT:
		status = main_print_config(conf);
		break;
	}
	conf_free(conf);
	return (status);
}

int
main(int argc, char *argv[])
{
	static const struct option longs[] = {
	    {"init", required_argument, NULL, 'i'},
	    {"invite", no_argument, NULL, 'I'},
	    {"check", no_argument, NULL, 'C'},
	    {"print-config", no_argument, NULL, 'P'},
	    {"version", no_argument, NULL, 'V'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	struct main_options opt = {.mode = MAIN_RUN};
	int c, status = -1;

	(void)umask(077);
	/* Each override takes at least one of the arguments. */
	opt.overrides = calloc((size_t)argc, sizeof(*opt.overrides));
	if (opt.overrides == NULL)
		return (EX_OSERR);
	while (status == -1 &&
	    (c = getopt_long(argc, argv, "c:o:h", longs, NULL)) != -1) {
		switch (c) {
		case 'c':
			opt.path = optarg;
			break;
		case 'o':
			opt.overrides[opt.n_overrides++] = optarg;
			break;
		case 'i':
			opt.mode = MAIN_INIT;
			opt.dir = optarg;
			break;
		case 'I':
			opt.mode = MAIN_INVITE;
			break;
		case 'C':
			opt.mode = MAIN_CHECK;
			break;
		case 'P':
			opt.mode = MAIN_PRINT_CONFIG;
			break;
		case 'V':
			printf("umpired " PACKAGE_VERSION "\n");
			status = EX_OK;
			break;
		case 'h':
			printf("%s", main_usage);
			status = EX_OK;
			break;
		default:
			fprintf(stderr, "%s", main_usage);
			status = EX_USAGE;
			break;
		}
	}
	if (status == -1 &&
	    (optind < argc || (opt.mode == MAIN_INIT && opt.path != NULL))) {
		fprintf(stderr, "%s", main_usage);
		status = EX_USAGE;
	}
	if (status == -1)
		status = main_do(&opt);
	free(opt.overrides);
	return (status);
}
