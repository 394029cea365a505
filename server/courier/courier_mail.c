/* SPDX-License-Identifier: ISC */
/*
 * No header has a value that a stranger wrote except the address, whose form
 * allows nothing that a header or an SMTP command could misread
 * (server/base/address.h); it was checked when the job was read.
 */
#include "server/courier/courier_mail.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "server/base/conf.h"

#define COURIER_MAIL_WHO "the mail server"

/* Reads what an open file holds; it is closed. */
static int
courier_mail_load(int fd, const char *path, char out[COURIER_MAIL_PASSWORD + 1],
    struct errinfo *e)
{
	struct stat st;
	ssize_t n;
	size_t len;

	if (fstat(fd, &st) == -1 || !S_ISREG(st.st_mode))
		return (err_set(
		    e, ERR_MALFORMED, "", "\"%s\" is not a plain file", path));
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return (err_set(e, ERR_DENIED, "",
		    "\"%s\" is open to others; run chmod 600 on it", path));
	if ((n = read(fd, out, COURIER_MAIL_PASSWORD + 1)) == -1)
		return (err_set(e, ERR_IO, "", "cannot read \"%s\": %s", path,
		    strerror(errno)));
	for (len = 0; len < (size_t)n && out[len] != '\n'; len++) {
		if ((unsigned char)out[len] < ' ' || out[len] == 0x7f)
			return (err_set(e, ERR_MALFORMED, "",
			    "\"%s\" holds control characters", path));
	}
	if (len == 0 || len > COURIER_MAIL_PASSWORD || len + 1 < (size_t)n)
		return (err_set(e, ERR_MALFORMED, "",
		    "\"%s\" must hold one line of 1 to %d bytes", path,
		    COURIER_MAIL_PASSWORD));
	out[len] = '\0';
	return (0);
}

int
courier_mail_read_password(
    const char *path, char out[COURIER_MAIL_PASSWORD + 1], struct errinfo *e)
{
	char text[COURIER_MAIL_PASSWORD + 1];
	int fd, r;

	/* Not blocking, since opening a FIFO would wait for a writer. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd == -1)
		return (err_set(e, errno == ENOENT ? ERR_NOTFOUND : ERR_IO, "",
		    "cannot open \"%s\": %s", path, strerror(errno)));
	if ((r = courier_mail_load(fd, path, text, e)) == 0)
		memcpy(out, text, sizeof(text));
	explicit_bzero(text, sizeof(text));
	(void)close(fd);
	return (r);
}

void
courier_mail_write(struct buf *out, const char *from,
    const struct courier_message *job, int64_t at_ms,
    const uint8_t id[COURIER_MAIL_ID])
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t at;
	struct tm tm = {.tm_mday = 1};
	const char *s;

	buf_puts(out, "Date: ");
	at = (time_t)(at_ms / 1000);
	(void)gmtime_r(&at, &tm);
	buf_printf(out, "%.3s, %02d %.3s %04d %02d:%02d:%02d +0000",
	    days + 3 * tm.tm_wday, tm.tm_mday, months + 3 * tm.tm_mon,
	    1900 + tm.tm_year, tm.tm_hour, tm.tm_min, tm.tm_sec);
	buf_printf(out, "\r\nFrom: umpire <%s>\r\nTo: <%s>\r\n", from, job->to);
	buf_printf(out, "Subject: %s\r\nMessage-ID: <", job->subject);
	buf_hex(out, id, COURIER_MAIL_ID);
	buf_printf(out, "%s>\r\n", strchr(from, '@'));
	buf_puts(out,
	    "Auto-Submitted: auto-generated\r\n"
	    "MIME-Version: 1.0\r\n"
	    "Content-Type: text/plain; charset=UTF-8\r\n"
	    "Content-Transfer-Encoding: 7bit\r\n"
	    "\r\n");
	for (s = job->body; *s != '\0'; s++) {
		if (*s == '\n')
			buf_putc(out, '\r');
		buf_putc(out, *s);
	}
}

/* Notes that the mail server was told whom the mail is for. */
static int
courier_mail_debug_cb(
    CURL *easy, curl_infotype type, char *data, size_t n, void *arg)
{
	static const char word[] = "RCPT TO:";
	struct courier_curl *c = arg;

	(void)easy;
	if (type == CURLINFO_HEADER_OUT && n > strlen(word) &&
	    memcmp(data, word, strlen(word)) == 0)
		c->was_named = true;
	return (0);
}

/* Sets what is asked of the mail server. */
static int
courier_mail_set(struct courier_curl *c, const struct courier_settings *set,
    const struct courier_message *job)
{
	CURL *easy = c->easy;
	int bad = 0;

	if (courier_curl_list(c, job->to) != 0)
		return (ERR_NOMEM);
	bad |= curl_easy_setopt(easy, CURLOPT_URL, set->conf->smtp_url);
	/* Of smtps this says nothing; of smtp that STARTTLS must come. */
	bad |= curl_easy_setopt(easy, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	bad |= curl_easy_setopt(easy, CURLOPT_MAIL_FROM, set->conf->smtp_from);
	bad |= curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, c->list);
	bad |= curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_DEBUGFUNCTION, courier_mail_debug_cb);
	bad |= curl_easy_setopt(easy, CURLOPT_DEBUGDATA, c);
	bad |= curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
	bad |= curl_easy_setopt(
	    easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)c->text.len);
	if (set->conf->smtp_user[0] != '\0') {
		bad |= curl_easy_setopt(
		    easy, CURLOPT_USERNAME, set->conf->smtp_user);
		bad |= curl_easy_setopt(easy, CURLOPT_PASSWORD, set->password);
	}
	return (bad == 0 ? 0 : ERR_INTERNAL);
}

int
courier_mail_begin(struct courier_curl *c, const struct courier_settings *set,
    const struct courier_message *job, struct courier_verdict *v)
{
	const struct conf *conf = set->conf;
	uint8_t id[COURIER_MAIL_ID];
	int r;

	if (conf->smtp_url[0] == '\0' ||
	    (conf->smtp_user[0] != '\0' && set->password[0] == '\0')) {
		courier_verdict_fail_own(
		    v, "this server's mail is not set up correctly");
		return (ERR_CONFIG);
	}
	if ((r = courier_curl_init(c, "smtp,smtps", conf->smtp_ca, NULL)) != 0)
		goto fail;
	if (getrandom(id, sizeof(id), 0) != (ssize_t)sizeof(id)) {
		r = ERR_IO;
	} else {
		courier_mail_write(
		    &c->text, conf->smtp_from, job, clock_wall_ms(), id);
		r = buf_error(&c->text);
	}
	if (r == 0)
		r = courier_mail_set(c, set, job);
	if (r == 0)
		return (0);
	courier_curl_clear(c);
fail:
	courier_verdict_fail_own(v, "%s", err_text(r));
	return (r);
}

void
courier_mail_judge(
    const struct courier_curl *c, CURLcode code, struct courier_verdict *v)
{
	const long status = courier_curl_status(c);
	const bool is_reply = code == CURLE_SEND_ERROR ||
	    code == CURLE_RECV_ERROR || code == CURLE_WEIRD_SERVER_REPLY;

	if (code == CURLE_OK)
		*v = (struct courier_verdict){.ok = true};
	else if (code == CURLE_LOGIN_DENIED)
		courier_verdict_fail_own(
		    v, COURIER_MAIL_WHO " refuses this server's login");
	else if (is_reply && status >= 400)
		courier_verdict_fail(v, status < 500 || !c->was_named,
		    COURIER_MAIL_WHO " answers %ld", status);
	else
		courier_curl_fail(c, code, COURIER_MAIL_WHO, v);
	/*
	 * The mail server is the operator's: only when it refuses for good
	 * what it was told of this mail is the address to blame.
	 */
	if (!v->ok && (!is_reply || status < 500 || !c->was_named))
		v->may_retry = v->is_own = true;
}
