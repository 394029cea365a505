/* SPDX-License-Identifier: ISC */
#include "client/report/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/people.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"

/* Where a line is; its LF does not count. */
struct recorded_line {
	const char *p; /* borrowed */
	size_t len;
};

struct recorded {
	struct verify *v; /* owned */
	struct recorded_line *lines; /* owned, n of them */
	size_t n;
	json_t *texts; /* owned: hash in hex -> text or blob */
	struct people *people; /* owned; NULL until one is asked for */
	struct battle battle;
};

/* The calls of a struct battle: the verifier, lines, texts and names. */
static struct verify *
recorded_verify_cb(void *arg)
{
	const struct recorded *rc = arg;

	return (rc->v);
}

static const char *
recorded_line_cb(void *arg, int64_t seq, size_t *len)
{
	const struct recorded *rc = arg;

	if (seq < 0 || seq >= (int64_t)rc->n)
		return (NULL);
	*len = rc->lines[seq].len;
	return (rc->lines[seq].p);
}

static const char *
recorded_text_cb(void *arg, const char *hex)
{
	const struct recorded *rc = arg;

	return (js_str(rc->texts, hex));
}

/* Why it is not there, which a record does not tell. */
static enum battle_lack
recorded_lack_cb(void *arg, const char *hex)
{
	(void)arg;
	(void)hex;
	return (BATTLE_LACK_UNKNOWN);
}

/* Those who sit or have sat in the game. */
static struct people *
recorded_people(struct recorded *rc)
{
	if (rc->people == NULL)
		rc->people = people_of(&rc->battle);
	return (rc->people);
}

static const char *
recorded_called_cb(void *arg, const char *account)
{
	return (people_tell(recorded_people(arg), account));
}

static const char *
recorded_name_cb(void *arg, const char *account)
{
	return (people_name(recorded_people(arg), account));
}

/* Notes a line of the record. */
static void
recorded_add_line(struct recorded *rc, const char *p, size_t len)
{
	rc->lines = xalloc_more(rc->lines, rc->n, sizeof(*rc->lines));
	rc->lines[rc->n].p = p;
	rc->lines[rc->n].len = len;
	rc->n++;
}

/* Notes a side line, if it holds and is the first that a line names so. */
static void
recorded_add_side(struct recorded *rc, const char *p, size_t len)
{
	char hex[2 * HASH_LEN + 1];
	struct record_side s;

	if (record_side_parse(p, len, &s, NULL) != 0)
		return;
	hex_format(hex, s.hash, HASH_LEN);
	if (verify_is_named(rc->v, s.hash) &&
	    json_object_get(rc->texts, hex) == NULL)
		xalloc_set(rc->texts, hex, json_stringn(s.value, s.len));
	record_side_clear(&s);
}

struct recorded *
recorded_new(const char *bytes, size_t len, int64_t n, struct verify *v)
{
	const char *end = bytes + len, *lf, *p;
	struct recorded *rc = xalloc(sizeof(*rc));

	rc->v = v;
	rc->texts = xalloc_json(json_object());
	rc->battle.arg = rc;
	rc->battle.verify = recorded_verify_cb;
	rc->battle.line = recorded_line_cb;
	rc->battle.text = recorded_text_cb;
	rc->battle.lack = recorded_lack_cb;
	rc->battle.called = recorded_called_cb;
	rc->battle.name = recorded_name_cb;
	for (p = bytes; p < end; p = lf + 1) {
		if ((lf = memchr(p, '\n', (size_t)(end - p))) == NULL)
			break;
		if ((int64_t)rc->n < n)
			recorded_add_line(rc, p, (size_t)(lf - p));
		else if (record_is_side(p, (size_t)(lf - p)))
			recorded_add_side(rc, p, (size_t)(lf - p));
	}
	return (rc);
}

void
recorded_free(struct recorded *rc)
{
	if (rc == NULL)
		return;
	verify_free(rc->v);
	people_free(rc->people);
	json_decref(rc->texts);
	free(rc->lines);
	free(rc);
}

const struct battle *
recorded_battle(const struct recorded *rc)
{
	return (&rc->battle);
}
