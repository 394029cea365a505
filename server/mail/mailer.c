/* SPDX-License-Identifier: ISC */
/*
 * Reads from the database each time what is due, and keeps only the jobs that
 * the courier has in hand or the ledger has not noted yet.  Meanwhile nothing
 * else is sent that way to that account, so that nothing goes out twice.
 */
#include "server/mail/mailer.h"

#include <sys/queue.h>

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/ledger/ledger.h"
#include "server/mail/courier.h"
#include "server/mail/mailer_text.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/net/presence.h"
#include "server/store/store.h"

#define MAILER_TICK_MS 1000 /* between looks at the clock */
#define MAILER_PAUSE_MS 50 /* between looks into the database */
#define MAILER_RETRY_MAX_S 21600
#define MAILER_SILENT_MS 180000 /* no job takes the courier so long */
#define MAILER_IDS_MAX 4096 /* notices that one message stands for */

/*
 * Jobs in hand of each channel, so that no way can block another; and of them
 * those to doubtful addresses, so that receivers who answer slowly or not at
 * all leave places to others.
 */
static const size_t mailer_at_once[STORE_CHANNELS] = {4, 6, 6};
static const size_t mailer_at_once_doubtful[STORE_CHANNELS] = {4, 3, 3};

_Static_assert((int)STORE_CHANNEL_COMMAND == (int)COURIER_CHANNEL_COMMAND &&
	(int)STORE_CHANNEL_MAIL == (int)COURIER_CHANNEL_MAIL &&
	(int)STORE_CHANNEL_WEBHOOK == (int)COURIER_CHANNEL_WEBHOOK &&
	STORE_ERROR_MAX == COURIER_ERROR,
    "the courier has the store's channels and texts");

enum mailer_stage {
	MAILER_SENT, /* the courier has it */
	MAILER_TOLD, /* what became of it is with the ledger */
	MAILER_KEPT, /* the ledger did not take it; it is asked again */
};

/* A message that was sent, and what it told. */
struct mailer_job {
	TAILQ_ENTRY(mailer_job) link;
	struct mailbox_mail mail; /* the ledger's answer */
	struct mailer *mailer;
	enum mailer_stage stage;
	int64_t id;
	enum store_channel channel;
	char account[ORDER_ACCOUNT_MAX + 1];
	char host[256];
	bool is_doubtful; /* a code, or what went there last has failed */
	int64_t tries; /* before this one, the most of all */
	struct ledger_job *note; /* owned; next_ms holds tries until the end */
};

TAILQ_HEAD(mailer_jobs, mailer_job);

/* Notices of one account and channel that are being gathered. */
struct mailer_group {
	bool is_doubtful;
	struct mailer_job *job; /* owned; NULL until there is one */
	size_t room; /* of job->note->told */
	struct store_notice list[MAILER_TEXT_MAX]; /* the first of them */
};

struct mailer {
	struct event_base *base;
	struct mailbox *mailbox;
	struct mailbox_mail poke;
	atomic_bool is_poked; /* poke is on its way */
	struct event timer;
	struct store *reader;
	struct ledger *ledger;
	struct presence *presence;
	struct limits *limits;
	struct courier *courier;
	unsigned channels;
	int64_t tries_max;
	int64_t retry_s;
	struct mailer_jobs jobs;
	size_t in_hand[STORE_CHANNELS]; /* jobs that the courier has */
	size_t doubtful[STORE_CHANNELS]; /* of them, those that are */
	/*
	 * A courier has died, and the next one answered nothing yet: it gets
	 * one job at a time, so that one that kills it does not hold up others.
	 */
	bool is_careful;
	int64_t last_id;
	int64_t next_ms; /* wall clock: when to look; -1: nothing waits */
	int64_t looked_ms; /* clock_mono_ms() of the last look */
	bool is_wanted; /* a look is wanted whatever the clock says */
	bool is_failing; /* the last look failed, which was logged */
	bool is_stopping;
	bool has_ended; /* the courier, while stopping */
	void (*drained)(void *arg);
	void *drained_arg;
	struct mailer_group group;
};

unsigned
mailer_channels(const struct conf *conf)
{
	unsigned mask = 0;

	if (conf->notify_command[0] != '\0')
		mask |= 1U << STORE_CHANNEL_COMMAND;
	if (conf->smtp_url[0] != '\0')
		mask |= 1U << STORE_CHANNEL_MAIL;
	if (conf->webhooks != 0)
		mask |= 1U << STORE_CHANNEL_WEBHOOK;
	return (mask);
}

bool
mailer_is_quiet(const struct store_quiet *quiet, int64_t at_ms)
{
	int64_t minute;

	if (!quiet->has_quiet)
		return (false);
	/* Times before 1970 do not come. */
	minute = (at_ms / 60000 + quiet->offset_min + 1440) % 1440;
	if (quiet->from_min <= quiet->to_min)
		return (minute >= quiet->from_min && minute < quiet->to_min);
	return (minute >= quiet->from_min || minute < quiet->to_min);
}

int64_t
mailer_next_ms(
    int64_t now_ms, int64_t tries, int64_t tries_max, int64_t retry_s)
{
	int64_t i, pause_s = retry_s;

	if (tries >= tries_max)
		return (-1);
	for (i = 1; i < tries && pause_s < MAILER_RETRY_MAX_S; i++)
		pause_s *= 2;
	if (pause_s > MAILER_RETRY_MAX_S)
		pause_s = MAILER_RETRY_MAX_S;
	return (now_ms + 1000 * pause_s);
}

void
mailer_host(const char *address, char out[256])
{
	const char *at = strchr(address, '@'), *s = strstr(address, "://");

	if (s != NULL)
		s += 3;
	else
		s = at == NULL ? address : at + 1;
	(void)snprintf(out, 256, "%.*s", (int)strcspn(s, "/?#"), s);
}

/* Makes the timer go off after a while, if it is not set already. */
static void
mailer_set_timer(struct mailer *n, int64_t ms)
{
	const struct timeval tv = {
	    .tv_sec = ms / 1000, .tv_usec = 1000 * (ms % 1000)};

	if (event_add(&n->timer, &tv) == -1)
		log_errorx("notices: no memory for a timer");
}

/* Frees a job. */
static void
mailer_job_free(struct mailer_job *job)
{
	if (job == NULL)
		return;
	ledger_job_free(job->note);
	free(job);
}

/* Forgets a job in hand. */
static void
mailer_forget(struct mailer *n, struct mailer_job *job)
{
	TAILQ_REMOVE(&n->jobs, job, link);
	mailer_job_free(job);
}

/* Tells who waits for the end that it has come, once. */
static void
mailer_check_drained(struct mailer *n)
{
	void (*drained)(void *arg) = n->drained;

	if (!n->is_stopping || !n->has_ended || !TAILQ_EMPTY(&n->jobs) ||
	    drained == NULL)
		return;
	n->drained = NULL;
	drained(n->drained_arg);
}

/* Takes the ledger's answer. */
static void
mailer_take_noted(struct mailbox_mail *mail, void *arg)
{
	struct mailer_job *job = arg;
	struct mailer *n = job->mailer;

	(void)mail;
	if (job->note->r == 0 || n->is_stopping) {
		mailer_forget(n, job);
		mailer_check_drained(n);
		mailer_poke(n);
		return;
	}
	job->stage = MAILER_KEPT;
}

/* Passes the ledger's answer on; on its thread. */
static void
mailer_noted_cb(struct ledger_job *ledger_job, void *arg)
{
	struct mailer_job *job = arg;

	(void)ledger_job;
	mailbox_post(job->mailer->mailbox, &job->mail);
}

/* Has the ledger note what became of a job. */
static void
mailer_submit(struct mailer *n, struct mailer_job *job)
{
	job->stage = MAILER_TOLD;
	if (ledger_submit(n->ledger, job->note) == 0)
		return;
	if (n->is_stopping) {
		mailer_forget(n, job);
		return;
	}
	job->stage = MAILER_KEPT;
}

/* Says in the log that a try failed. */
static void
mailer_log(const struct mailer *n, const struct mailer_job *job,
    const char *error, bool is_last)
{
	const char *what = job->note->is_code ? "code" : "notice";

	log_warnx("%s for %s by %s%s%s failed: %s", what, job->account,
	    store_channel_names[job->channel],
	    job->host[0] == '\0' ? "" : " to ", job->host, error);
	if (is_last)
		log_warnx("%s for %s by %s is given up after %lld of %lld "
			  "tries",
		    what, job->account, store_channel_names[job->channel],
		    (long long)job->tries + 1, (long long)n->tries_max);
}

/* Counts a job in or, by -1, out of those in hand. */
static void
mailer_count(struct mailer *n, const struct mailer_job *job, int by)
{
	n->in_hand[job->channel] += (size_t)by;
	if (job->is_doubtful)
		n->doubtful[job->channel] += (size_t)by;
}

/* Ends a job that the courier has answered or, v NULL, lost. */
static void
mailer_end(
    struct mailer *n, struct mailer_job *job, const struct courier_verdict *v)
{
	const int64_t now_ms = clock_wall_ms();
	struct ledger_job *note = job->note;
	struct ledger_told *told = note->told;
	bool is_last = false;
	size_t i;

	mailer_count(n, job, -1);
	note->is_lost = v == NULL;
	note->is_sent = v != NULL && v->ok;
	note->is_own = v == NULL || v->is_own;
	if (v != NULL)
		memcpy(note->error, v->error, sizeof(note->error));
	for (i = 0; i < note->n_told; i++) {
		/* A lost message is not an attempt, but there is a pause. */
		if (v == NULL)
			told[i].next_ms = now_ms + 1000 * n->retry_s;
		else if (v->ok || !v->may_retry)
			told[i].next_ms = -1;
		else
			told[i].next_ms = mailer_next_ms(now_ms,
			    told[i].next_ms + 1, n->tries_max, n->retry_s);
		is_last = is_last || told[i].next_ms == -1;
	}
	if (v != NULL && !v->ok)
		mailer_log(
		    n, job, v->cause[0] != '\0' ? v->cause : v->error, is_last);
	mailer_submit(n, job);
}

/* Takes the courier's answer. */
static void
mailer_answered_cb(void *arg, const struct courier_message *a)
{
	struct mailer *n = arg;
	struct mailer_job *job;

	TAILQ_FOREACH(job, &n->jobs, link)
	{
		if (job->id == a->id && job->stage == MAILER_SENT) {
			n->is_careful = false;
			mailer_end(n, job, &a->verdict);
			return;
		}
	}
	log_debug("the courier answered job %lld, which it does not have",
	    (long long)a->id);
}

/* The courier is gone: what it had in hand is to be tried again. */
static void
mailer_ended_cb(void *arg)
{
	struct mailer *n = arg;
	struct mailer_job *job, *next;
	size_t lost = 0;

	for (job = TAILQ_FIRST(&n->jobs); job != NULL; job = next) {
		next = TAILQ_NEXT(job, link);
		if (job->stage != MAILER_SENT)
			continue;
		if (!n->is_stopping) {
			mailer_end(n, job, NULL);
			lost++;
			continue;
		}
		/* It is due as it was, at the next start. */
		mailer_count(n, job, -1);
		mailer_forget(n, job);
	}
	if (lost > 0)
		log_warnx("messages that the courier had in hand when it "
			  "ended: %zu; they will be sent again in %lld s",
		    lost, (long long)n->retry_s);
	n->is_careful = n->is_careful || lost > 0;
	n->has_ended = n->is_stopping;
	mailer_check_drained(n);
}

/* The courier takes jobs. */
static void
mailer_ready_cb(void *arg)
{
	mailer_poke(arg);
}

/* True if something of an account by a channel is on its way or unnoted. */
static bool
mailer_is_in_hand(
    struct mailer *n, const char *account, enum store_channel channel)
{
	const struct mailer_job *job;

	TAILQ_FOREACH(job, &n->jobs, link)
	{
		if (job->channel == channel &&
		    strcmp(job->account, account) == 0)
			return (true);
	}
	return (false);
}

/* True if the courier may be given one more job of a channel. */
static bool
mailer_has_room(
    const struct mailer *n, enum store_channel channel, bool is_doubtful)
{
	size_t all = 0;
	int i;

	for (i = 0; i < STORE_CHANNELS; i++)
		all += n->in_hand[i];
	return (courier_is_ready(n->courier) && !(n->is_careful && all > 0) &&
	    (n->channels & 1U << channel) != 0 &&
	    n->in_hand[channel] < mailer_at_once[channel] &&
	    (!is_doubtful ||
		n->doubtful[channel] < mailer_at_once_doubtful[channel]));
}

/* True if an account may be sent one more message; the command gets all. */
static bool
mailer_is_allowed(struct mailer *n, const struct store_group *g)
{
	return (g->channel == STORE_CHANNEL_COMMAND ||
	    limits_allowed(n->limits, LIMITS_NOTICE, g->account,
		strlen(g->account), clock_mono_ms()) == 0);
}

/* Makes a job that tells nothing yet; NULL without memory. */
static struct mailer_job *
mailer_job_new(struct mailer *n, enum store_channel channel,
    const char *account, const char *address)
{
	struct mailer_job *job;

	if ((job = calloc(1, sizeof(*job))) == NULL)
		return (NULL);
	if ((job->note = ledger_job_new(LEDGER_NOTICE)) == NULL) {
		free(job);
		return (NULL);
	}
	job->note->done = mailer_noted_cb;
	job->note->arg = job;
	job->mail.take = mailer_take_noted;
	job->mail.arg = job;
	job->mailer = n;
	job->stage = MAILER_SENT;
	job->id = ++n->last_id;
	job->channel = channel;
	(void)snprintf(job->account, sizeof(job->account), "%s", account);
	mailer_host(address, job->host);
	return (job);
}

/* Adds what a job tells. */
static int
mailer_add_told(struct mailer_job *job, size_t *room, int64_t id, int64_t tries)
{
	struct ledger_job *note = job->note;
	const size_t more = *room == 0 ? 4 : 2 * *room;
	struct ledger_told *told;

	if (note->n_told == *room) {
		told = realloc(note->told, more * sizeof(*told));
		if (told == NULL)
			return (ERR_NOMEM);
		note->told = told;
		*room = more;
	}
	note->told[note->n_told++] =
	    (struct ledger_told){.id = id, .next_ms = tries};
	if (job->tries < tries)
		job->tries = tries;
	return (0);
}

/* Gives the courier a job, which is put to those in hand; or frees it. */
static int
mailer_send(struct mailer *n, struct mailer_job *job, const char *to,
    const char *subject, struct buf *body)
{
	const struct courier_message message = {
	    .id = job->id,
	    .channel = (enum courier_channel)job->channel,
	    .to = to,
	    .subject = subject,
	    .body = buf_str(body),
	};
	int r = buf_error(body);

	if (r == 0)
		r = courier_send(n->courier, &message);
	if (r != 0) {
		mailer_job_free(job);
		return (r);
	}
	TAILQ_INSERT_TAIL(&n->jobs, job, link);
	mailer_count(n, job, 1);
	if (job->channel != STORE_CHANNEL_COMMAND && !job->note->is_code)
		limits_count(n->limits, LIMITS_NOTICE, job->account,
		    strlen(job->account), clock_mono_ms());
	return (0);
}

/* Sends what was gathered of an account. */
static int
mailer_flush(struct mailer *n)
{
	struct mailer_group *g = &n->group;
	struct mailer_job *job = g->job;
	struct buf body;
	size_t count;
	int r;

	g->job = NULL;
	if (job == NULL)
		return (0);
	count = job->note->n_told < MAILER_TEXT_MAX ? job->note->n_told
						    : MAILER_TEXT_MAX;
	buf_init(&body, COURIER_BODY);
	if (job->channel == STORE_CHANNEL_MAIL)
		mailer_text_mail(&body, g->list, count, job->note->n_told);
	else
		mailer_text_json(&body, g->list, count, job->note->n_told);
	r = mailer_send(n, job, g->list[0].address,
	    mailer_text_subject(g->list, count), &body);
	buf_clear(&body);
	/* That a courier has just gone does not make the look a failure. */
	return (r == ERR_BUSY ? 0 : r);
}

/* Takes one notice that is due. */
static int
mailer_take_due_cb(void *arg, const struct store_notice *t)
{
	struct mailer *n = arg;
	struct mailer_group *g = &n->group;

	if (g->job == NULL) {
		g->job = mailer_job_new(n, t->channel, t->account, t->address);
		if (g->job == NULL)
			return (ERR_NOMEM);
		g->job->is_doubtful = g->is_doubtful;
		g->room = 0;
	}
	if (g->job->note->n_told == MAILER_IDS_MAX)
		return (0);
	if (g->job->note->n_told < MAILER_TEXT_MAX)
		g->list[g->job->note->n_told] = *t;
	return (mailer_add_told(g->job, &g->room, t->id, t->tries));
}

/* Sends what is due to an account by a channel, unless it must wait. */
static int
mailer_take_group_cb(void *arg, const struct store_group *due)
{
	struct mailer *n = arg;
	struct mailer_group *g = &n->group;
	const int64_t now_ms = clock_wall_ms();
	int r;

	if (!mailer_has_room(n, due->channel, due->is_doubtful) ||
	    mailer_is_in_hand(n, due->account, due->channel) ||
	    mailer_is_quiet(&due->quiet, now_ms) ||
	    presence_is_here(n->presence, due->account) ||
	    !mailer_is_allowed(n, due))
		return (0);
	g->is_doubtful = due->is_doubtful;
	r = store_notice_each_due(n->reader, now_ms, due->account, due->channel,
	    mailer_take_due_cb, n);
	if (r == 0)
		r = mailer_flush(n);
	mailer_job_free(g->job);
	g->job = NULL;
	return (r);
}

/* Sends one code that is due. */
static int
mailer_take_code_cb(void *arg, const struct store_address *a)
{
	static const struct courier_verdict stale = {
	    .is_own = true, .error = "the code has expired"};
	struct mailer *n = arg;
	struct mailer_job *job;
	struct buf body;
	size_t room = 0;
	int r;

	if (!mailer_has_room(n, a->kind, true) ||
	    mailer_is_in_hand(n, a->account, a->kind))
		return (0);
	if ((job = mailer_job_new(n, a->kind, a->account, a->value)) == NULL)
		return (ERR_NOMEM);
	job->note->is_code = job->is_doubtful = true;
	if ((r = mailer_add_told(job, &room, a->id, a->tries)) != 0) {
		mailer_job_free(job);
		return (r);
	}
	/* The daemon did not run, or had no way, for a day. */
	if (clock_wall_ms() - a->at_ms > LEDGER_CODE_MS) {
		TAILQ_INSERT_TAIL(&n->jobs, job, link);
		mailer_count(n, job, 1);
		mailer_end(n, job, &stale);
		return (0);
	}
	buf_init(&body, COURIER_BODY);
	if (a->kind == STORE_CHANNEL_MAIL)
		mailer_text_code_mail(&body, a);
	else
		mailer_text_code_json(&body, a);
	r = mailer_send(n, job, a->value, MAILER_TEXT_CONFIRM, &body);
	buf_clear(&body);
	return (r == ERR_BUSY ? 0 : r);
}

/* Sends all that is due and may go now. */
static int
mailer_look(struct mailer *n)
{
	const int64_t now_ms = clock_wall_ms();
	int r;

	r = store_notice_next(n->reader, n->channels, &n->next_ms);
	if (r != 0 || n->next_ms == -1 || n->next_ms > now_ms)
		return (r);
	r = store_address_each_due(
	    n->reader, now_ms, n->channels, mailer_take_code_cb, n);
	if (r == 0)
		r = store_notice_each_group(
		    n->reader, now_ms, n->channels, mailer_take_group_cb, n);
	return (r);
}

/* Submits again what the ledger did not take. */
static void
mailer_submit_kept(struct mailer *n)
{
	struct mailer_job *job, *next;

	for (job = TAILQ_FIRST(&n->jobs); job != NULL; job = next) {
		next = TAILQ_NEXT(job, link);
		if (job->stage == MAILER_KEPT)
			mailer_submit(n, job);
	}
}

/* Looks what is due if it is time, and sets the timer. */
static void
mailer_tick(struct mailer *n)
{
	const int64_t since_ms = clock_mono_ms() - n->looked_ms;
	int r;

	if (n->reader == NULL || n->is_stopping)
		return;
	mailer_submit_kept(n);
	if (n->channels == 0) {
		n->is_wanted = false;
		n->next_ms = -1;
	}
	if (n->next_ms != -1 && clock_wall_ms() >= n->next_ms)
		n->is_wanted = true;
	if (n->is_wanted && since_ms < MAILER_PAUSE_MS) {
		mailer_set_timer(n, MAILER_PAUSE_MS - since_ms);
		return;
	}
	if (n->is_wanted && courier_is_ready(n->courier)) {
		n->is_wanted = false;
		n->looked_ms = clock_mono_ms();
		r = mailer_look(n);
		if (r != 0 && !n->is_failing)
			log_errorx("notices cannot be sent: %s", err_text(r));
		n->is_failing = r != 0;
		n->is_wanted = r != 0;
		log_debug("looked for notices");
	}
	if (n->is_wanted || n->next_ms != -1 || !TAILQ_EMPTY(&n->jobs))
		mailer_set_timer(n, MAILER_TICK_MS);
}

/* The timer. */
static void
mailer_timer_cb(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	mailer_tick(arg);
}

/* Takes a poke. */
static void
mailer_take_poke(struct mailbox_mail *mail, void *arg)
{
	struct mailer *n = arg;

	(void)mail;
	atomic_store(&n->is_poked, false);
	n->is_wanted = true;
	mailer_tick(n);
}

void
mailer_poke(struct mailer *n)
{
	if (!atomic_exchange(&n->is_poked, true))
		mailbox_post(n->mailbox, &n->poke);
}

int
mailer_new(struct event_base *base, struct mailbox *mailbox,
    struct spawner *spawner, struct mailer **out)
{
	struct courier_events events = {
	    .answered = mailer_answered_cb,
	    .ready = mailer_ready_cb,
	    .ended = mailer_ended_cb,
	};
	struct mailer *n;

	if ((n = calloc(1, sizeof(*n))) == NULL)
		return (ERR_NOMEM);
	events.arg = n;
	n->base = base;
	n->mailbox = mailbox;
	n->poke.take = mailer_take_poke;
	n->poke.arg = n;
	n->next_ms = -1;
	atomic_init(&n->is_poked, false);
	TAILQ_INIT(&n->jobs);
	if (event_assign(&n->timer, base, -1, 0, mailer_timer_cb, n) == -1 ||
	    courier_new(
		base, spawner, &events, MAILER_SILENT_MS, &n->courier) != 0) {
		free(n);
		return (ERR_NOMEM);
	}
	*out = n;
	return (0);
}

void
mailer_free(struct mailer *n)
{
	struct mailer_job *job;

	if (n == NULL)
		return;
	/* Answers of the ledger, and a poke. */
	n->is_stopping = true;
	while (mailbox_take(n->mailbox))
		continue;
	courier_free(n->courier);
	while ((job = TAILQ_FIRST(&n->jobs)) != NULL)
		mailer_forget(n, job);
	(void)event_del(&n->timer);
	store_close(n->reader);
	free(n);
}

/* Takes what the settings say. */
static void
mailer_set(struct mailer *n, const struct conf *conf)
{
	n->channels = mailer_channels(conf);
	n->tries_max = conf->notify_tries;
	n->retry_s = conf->notify_retry;
}

int
mailer_start(struct mailer *n, const struct conf *conf, struct ledger *ledger,
    struct presence *presence, struct limits *limits, struct errinfo *e)
{
	int r;

	n->ledger = ledger;
	n->presence = presence;
	n->limits = limits;
	if ((r = store_open_reader(conf->database, &n->reader, e)) != 0)
		return (r);
	mailer_set(n, conf);
	return (0);
}

void
mailer_reload(struct mailer *n, const struct conf *conf)
{
	if (n->is_stopping)
		return;
	courier_renew(n->courier, conf->live.stop_timeout);
	mailer_set(n, conf);
	ledger_set_notify(n->ledger, n->channels, 1000 * conf->notify_delay);
	mailer_poke(n);
}

void
mailer_stop(
    struct mailer *n, int64_t timeout_s, void (*drained)(void *arg), void *arg)
{
	n->is_stopping = true;
	n->drained = drained;
	n->drained_arg = arg;
	(void)event_del(&n->timer);
	mailer_submit_kept(n);
	courier_finish(n->courier, timeout_s);
}
