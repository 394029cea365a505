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
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/base/fold.h"
#include "common/crypt/keyfile.h"
#include "common/crypt/sign.h"
#include "server/backup.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/base/user.h"
#include "server/init.h"
#include "server/ledger/ledger.h"
#include "server/mail/mailer.h"
#include "server/mail/spawner.h"
#include "server/net/tls.h"
#include "server/rpc/admin.h"
#include "server/rpc/invite.h"
#include "server/sandbox.h"
#include "server/server.h"

#define MAIN_SAY 2048 /* bytes of a message that is said, line ends too */
#define MAIN_CONF SYSCONFDIR "/umpired.conf"
#define MAIN_MODES 256 /* options from here on say a mode */
#define MAIN_FILES 64 /* descriptors besides those of connections */
#define MAIN_FILES_IO 8 /* and of each io thread */

enum main_mode {
	MAIN_RUN,
	MAIN_INIT,
	MAIN_INVITE,
	MAIN_CHECK,
	MAIN_BACKUP,
	MAIN_CLOCK,
	MAIN_RESTORED,
	MAIN_PRINT_CONFIG,
};

struct main_options {
	enum main_mode mode;
	const char *path; /* of the configuration; NULL: not given */
	char whole[PATH_MAX]; /* the same from "/" on, if it was not */
	const char *target; /* of --init a folder, of --backup a file */
	const char **overrides; /* owned; the texts are argv's */
	size_t n_overrides;
};

/* What signals act on. */
struct main_daemon {
	const struct main_options *opt;
	struct server *sv;
};

static const char main_usage[] =
    "usage: umpired [-c file] [-o key=value]...\n"
    "       umpired [-c file] [-o key=value]... --check | --invite\n"
    "       umpired [-c file] [-o key=value]... --clock-is-right | --restored\n"
    "       umpired [-c file] [-o key=value]... --backup file\n"
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
	case ERR_BAD:
		return (EXIT_FAILURE);
	case ERR_INVALID:
	case ERR_TOOBIG:
		return (EX_USAGE);
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

/* Says something on stderr; on a terminal it breaks between words. */
static void __attribute__((format(printf, 1, 2))) main_say(const char *fmt, ...)
{
	char folded[MAIN_SAY], text[MAIN_SAY / 2];
	int n, width = fold_width(STDERR_FILENO);
	va_list ap;

	n = snprintf(text, sizeof(text), "umpired: ");
	va_start(ap, fmt);
	(void)vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, ap);
	va_end(ap);
	if (width == 0) {
		fprintf(stderr, "%s\n", text);
		return;
	}
	fprintf(stderr, "%.*s\n",
	    (int)fold_text(folded, sizeof(folded), text, 0, 2, width), folded);
}

/* Says on stderr why the program ends; returns its status. */
static int
main_fail(int r, const struct errinfo *e)
{
	const struct passwd *pw;

	main_say("%s%s%s", e->where, e->where[0] == '\0' ? "" : ": ",
	    e->text[0] == '\0' ? err_text(r) : e->text);
	/* Whoever started this as root does not expect to be denied. */
	if (strstr(e->text, strerror(EACCES)) != NULL &&
	    (pw = getpwuid(geteuid())) != NULL)
		main_say("this was tried as the user \"%s\"", pw->pw_name);
	return (main_status(r));
}

/*
 * Makes the configuration's path one from "/" on.  Paths in it start from its
 * folder, and the courier runs notify_command in another one than ours.  Links
 * are left as they are: they say which folder that is.
 */
static int
main_settle_path(struct main_options *opt, struct errinfo *e)
{
	char folder[PATH_MAX];
	int n;

	if (opt->path == NULL || opt->path[0] == '/')
		return (0);
	if (getcwd(folder, sizeof(folder)) == NULL)
		return (err_set(e, ERR_IO, "-c",
		    "cannot find out the current folder: %s", strerror(errno)));
	n = snprintf(opt->whole, sizeof(opt->whole), "%s/%s",
	    folder[1] == '\0' ? "" : folder, opt->path);
	if (n >= (int)sizeof(opt->whole))
		return (err_set(e, ERR_TOOBIG, "-c", "the path is too long"));
	opt->path = opt->whole;
	return (0);
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

/*
 * Takes the descriptors of standard input and output where whoever started us
 * has closed them: what is opened first would get their numbers, and be
 * written to by all that prints and logs.
 */
static void
main_hold_standard(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd != -1 && fd < STDERR_FILENO);
	if (fd > STDERR_FILENO)
		(void)close(fd);
}

/* Keeps secrets out of core files, or not. */
static void
main_dump(bool may_dump)
{
	const struct rlimit none = {0, 0};

	/* Becoming another user has switched it to what the system prefers. */
	if (prctl(PR_SET_DUMPABLE, may_dump ? 1 : 0, 0, 0, 0) == -1 ||
	    (!may_dump && setrlimit(RLIMIT_CORE, &none) == -1))
		log_warn(
		    "cannot switch core files %s", may_dump ? "on" : "off");
}

/* Takes all descriptors there are. */
static void
main_limit(const struct conf *conf)
{
	const int64_t wanted = conf->max_connections + MAIN_FILES +
	    MAIN_FILES_IO * conf->io_threads;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == -1)
		return;
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files) == -1)
		log_warn("no more descriptors can be had");
	if (files.rlim_max < (rlim_t)wanted)
		log_warnx("max_connections is %lld, but only %llu descriptors "
			  "are available; raise their limit (ulimit -n, "
			  "LimitNOFILE=) or lower max_connections",
		    (long long)conf->max_connections,
		    (unsigned long long)files.rlim_max);
}

/* Becomes the user of the settings, for good. */
static int
main_change_user(const struct conf *conf, struct errinfo *e)
{
	struct user_ids u;
	int r;

	if ((r = user_find(conf, &u, e)) != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	if (u.uid == 0)
		return (0);
	if (initgroups(conf->user, u.gid) == -1 ||
	    setresgid(u.gid, u.gid, u.gid) == -1 ||
	    setresuid(u.uid, u.uid, u.uid) == -1)
		return (err_set(e, ERR_DENIED, "", "cannot become \"%s\": %s",
		    conf->user, strerror(errno)));
	return (0);
}

/* The same, and holds core files to the settings. */
static int
main_become(const struct conf *conf, struct errinfo *e)
{
	int r;

	if ((r = main_change_user(conf, e)) == 0)
		main_dump(conf->core_dumps);
	return (r);
}

/* The same, and does not stay root unless that is asked for. */
static int
main_leave_root(const struct conf *conf, struct errinfo *e)
{
	int r;

	if (geteuid() == 0 && conf->user[0] == '\0')
		return (err_set(e, ERR_CONFIG, "",
		    "does not run as root unless told to: add -o user=root to "
		    "this command to try it out, or set \"user\" in the "
		    "configuration to the user to run as"));
	if ((r = main_become(conf, e)) != 0)
		return (r);
	if (geteuid() == 0)
		log_warnx("running as root, as \"user\" says");
	if (sandbox_give_up() != 0)
		return (err_set(e, ERR_INTERNAL, "",
		    "cannot give up the means to gain privileges: %s",
		    strerror(errno)));
	return (0);
}

/*
 * Confines the server, which has all open that it needs.  Where there is no
 * filter available it runs without, unless more than that was asked for.
 */
static int
main_confine_cb(void *arg, struct errinfo *e)
{
	const struct conf *conf = arg;
	struct errinfo why;
	int r;

	if (conf->sandbox == CONF_SANDBOX_NO) {
		log_warnx("system calls are not filtered, as \"sandbox\" says");
		return (0);
	}
	r = sandbox_enter(conf->sandbox == CONF_SANDBOX_KILL, e);
	if (r == ERR_NOTFOUND && conf->sandbox != CONF_SANDBOX_KILL) {
		log_warnx("%s", e->text);
		return (0);
	}
	if (r == ERR_NOTFOUND) {
		why = *e;
		return (err_set(e, ERR_CONFIG, "",
		    "%s; \"sandbox = yes\" runs "
		    "without",
		    why.text));
	}
	return (r);
}

/*
 * Keeps what will be the server away from other processes, of which the spawner
 * is one, before it has threads.
 */
static int
main_part(const struct conf *conf, struct errinfo *e)
{
	int r;

	if (conf->sandbox == CONF_SANDBOX_NO)
		return (0);
	if ((r = sandbox_part(e)) == ERR_NOTFOUND) {
		log_warnx("%s", e->text);
		return (0);
	}
	return (r);
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
main_serve(struct main_daemon *d, const struct conf *conf, struct errinfo *e)
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
		r = server_run(
		    d->sv, main_confine_cb, (void *)(uintptr_t)conf, e);
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
	sigset_t none;
	struct main_daemon d = {.opt = opt};
	struct spawner *spawner = NULL;
	struct admin *admin = NULL;
	struct errinfo e = {0};
	int r;

	/*
	 * Sets what signals do before the loop has them.  Who started us may
	 * have left us without some: with SIGCHLD ignored nobody learns of a
	 * program's end, and a blocked SIGTERM does not stop us.
	 */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGCHLD, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	log_set_level((enum log_level)conf->log_level);
	log_look();
	log_info("umpired " PACKAGE_VERSION);
	if ((r = main_leave_root(conf, &e)) == 0)
		main_limit(conf);
	/* The courier reads the settings by itself, and not as root. */
	if (r == 0 && mailer_channels(conf) != 0 && conf->path != NULL &&
	    access(conf->path, R_OK) == -1)
		r = err_set(&e, ERR_DENIED, "",
		    "the user that umpired runs as cannot read \"%s\": %s; no "
		    "notices are sent without that, so let that user read it, "
		    "or set no way to send them",
		    conf->path, strerror(errno));
	if (r == 0 &&
	    (r = spawner_new(
		 conf->path, opt->overrides, opt->n_overrides, &spawner)) != 0)
		(void)err_set(
		    &e, r, "", "cannot start a process: %s", strerror(errno));
	/* What keeps the daemon from other processes forbids new sockets. */
	if (r == 0 && (r = admin_open(conf, &admin, &e)) == 0 &&
	    (r = main_part(conf, &e)) == 0 &&
	    (r = server_new(conf, spawner, &d.sv, &e)) == 0 &&
	    (admin == NULL || (r = server_admit(d.sv, admin, &e)) == 0))
		r = main_serve(&d, conf, &e);
	server_free(d.sv);
	admin_free(admin);
	spawner_free(spawner);
	return (r == 0 ? EX_OK : main_fail(r, &e));
}

/* True if an override names the user to become. */
static bool
main_names_user(const struct main_options *opt)
{
	size_t i;

	for (i = 0; i < opt->n_overrides; i++) {
		if (strncmp(opt->overrides[i], "user=", 5) == 0 &&
		    opt->overrides[i][5] != '\0')
			return (true);
	}
	return (false);
}

/* Says how to start the server that --init made in the folder before, if so. */
static void
main_init_again(const char *dir)
{
	struct errinfo e = {0};
	char path[PATH_MAX];
	struct conf *conf;

	if (snprintf(path, sizeof(path), "%s/umpired.conf", dir) >=
		(int)sizeof(path) ||
	    conf_load(path, NULL, 0, &conf, &e) != 0)
		return;
	main_say("there is already a server there; start it with:");
	fprintf(stderr, "  umpired -c %s%s\n", path,
	    geteuid() == 0 && conf->user[0] == '\0' ? " -o user=root" : "");
	conf_free(conf);
}

/* --init */
static int
main_init(const struct main_options *opt)
{
	uint8_t identity[SIGN_KEY_LEN];
	struct errinfo e = {0};
	int r, status;

	main_dump(false);
	r = init_make(
	    opt->target, opt->overrides, opt->n_overrides, identity, &e);
	if (r != 0) {
		status = main_fail(r, &e);
		if (r == ERR_EXISTS)
			main_init_again(opt->target);
		return (status);
	}
	init_explain(
	    opt->target, identity, geteuid() == 0 && !main_names_user(opt));
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
	main_say("good for one account, until %s", at);
	if (conf->live.policy != CONF_POLICY_INVITE)
		main_say("note that \"policy\" is not \"invite\"");
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

/* --backup */
static int
main_backup(const struct main_options *opt, const struct conf *conf)
{
	struct errinfo e = {0};
	int r;

	if ((r = main_become(conf, &e)) == 0)
		r = backup_make(conf->database, opt->target, &e);
	return (r == 0 ? EX_OK : main_fail(r, &e));
}

/* --clock-is-right */
static int
main_clock(const struct conf *conf)
{
	struct errinfo e = {0};
	char at[32];
	int r;

	if ((r = main_become(conf, &e)) == 0)
		r = ledger_clock_confirm(conf->database, &e);
	if (r != 0)
		return (main_fail(r, &e));
	clock_local(at, clock_wall_ms());
	fprintf(stderr,
	    "umpired: it is %s here; a daemon that holds orders back takes "
	    "them again within a minute\n",
	    at);
	return (EX_OK);
}

/* --restored */
static int
main_restored(const struct conf *conf)
{
	struct errinfo e = {0};
	int r;

	if ((r = main_become(conf, &e)) == 0)
		r = ledger_recovery_declare(conf->database, &e);
	if (r != 0)
		return (main_fail(r, &e));
	main_say("when the daemon starts, all games wait until their players "
		 "have told what they have");
	return (EX_OK);
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
main_do(struct main_options *opt)
{
	struct errinfo e = {0};
	struct conf *conf;
	int r, status = EX_SOFTWARE;

	if (opt->mode == MAIN_INIT)
		return (main_init(opt));
	if ((r = main_settle_path(opt, &e)) != 0 ||
	    (r = main_load(opt, &conf, &e)) != 0)
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
	case MAIN_BACKUP:
		status = main_backup(opt, conf);
		break;
	case MAIN_CLOCK:
		status = main_clock(conf);
		break;
	case MAIN_RESTORED:
		status = main_restored(conf);
		break;
	case MAIN_PRINT_CONFIG:
	case MAIN_INIT:
		status = main_print_config(conf);
		break;
	}
	conf_free(conf);
	return (status);
}

/* Takes what is to be done; a second thing is wrong usage. */
static int
main_choose(struct main_options *opt, enum main_mode mode)
{
	if (opt->mode == MAIN_RUN || opt->mode == mode) {
		opt->mode = mode;
		return (-1);
	}
	fprintf(stderr, "%s", main_usage);
	return (EX_USAGE);
}

/* What was to be printed must have arrived; returns the status to exit with. */
static int
main_end(int status)
{
	const bool has_failed = ferror(stdout) != 0;

	if ((fclose(stdout) == 0 && !has_failed) || status != EX_OK)
		return (status);
	fprintf(stderr, "umpired: cannot write to standard output\n");
	return (EX_IOERR);
}

int
main(int argc, char *argv[])
{
	static const struct option longs[] = {
	    {"init", required_argument, NULL, MAIN_MODES + MAIN_INIT},
	    {"invite", no_argument, NULL, MAIN_MODES + MAIN_INVITE},
	    {"check", no_argument, NULL, MAIN_MODES + MAIN_CHECK},
	    {"backup", required_argument, NULL, MAIN_MODES + MAIN_BACKUP},
	    {"clock-is-right", no_argument, NULL, MAIN_MODES + MAIN_CLOCK},
	    {"restored", no_argument, NULL, MAIN_MODES + MAIN_RESTORED},
	    {"print-config", no_argument, NULL, MAIN_MODES + MAIN_PRINT_CONFIG},
	    {"version", no_argument, NULL, 'V'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	struct main_options opt = {.mode = MAIN_RUN};
	int c, status = -1;

	main_hold_standard();
	(void)umask(077);
	tls_wipe_freed();
	/* Each override takes at least one of the arguments. */
	opt.overrides = calloc((size_t)argc, sizeof(*opt.overrides));
	if (opt.overrides == NULL) {
		fprintf(stderr, "umpired: out of memory\n");
		return (EX_OSERR);
	}
	while (status == -1 &&
	    (c = getopt_long(argc, argv, "c:o:h", longs, NULL)) != -1) {
		switch (c) {
		case 'c':
			opt.path = optarg;
			break;
		case 'o':
			opt.overrides[opt.n_overrides++] = optarg;
			break;
		case 'V':
			printf("umpired " PACKAGE_VERSION "\n");
			status = EX_OK;
			break;
		case 'h':
			printf("%s", main_usage);
			status = EX_OK;
			break;
		case '?':
			fprintf(stderr, "%s", main_usage);
			status = EX_USAGE;
			break;
		default:
			status =
			    main_choose(&opt, (enum main_mode)(c - MAIN_MODES));
			opt.target = optarg;
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
	return (main_end(status));
}
