/* SPDX-License-Identifier: ISC */
/*
 * What a copy holds beside its lines.  The file has the side lines of the
 * record, {"text": and {"blob":, and two of its own:
 *   {"gone":"<hash>"...}  the text was erased: it is not taken again
 *   {"lost":"<hash>"}     the server has lost the text, and it is not here
 * A text that is erased becomes {"gone": in place: whatever another process
 * has read of the file stays where it was, and the bytes are overwritten.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/replica/replica_int.h"
#include "client/report/people.h"
#include "client/ui/linehist.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define REPLICA_SIDE_HASH 9 /* where the hash begins: {"text":" */
#define REPLICA_SIDE_LEAST (REPLICA_SIDE_HASH + 2 * HASH_LEN + 2)
#define REPLICA_SIDE_FILE (64 * 1024 * 1024) /* of a record set aside */

/* True if a side line is of one of our own kinds, for a text without value. */
static bool
replica_side_is_mark(const char *line, size_t len)
{
	uint8_t hash[HASH_LEN];

	return (len >= REPLICA_SIDE_LEAST &&
	    (memcmp(line, "{\"gone\":\"", REPLICA_SIDE_HASH) == 0 ||
		memcmp(line, "{\"lost\":\"", REPLICA_SIDE_HASH) == 0) &&
	    hex_parse(hash, HASH_LEN, line + REPLICA_SIDE_HASH, 2 * HASH_LEN) ==
		0);
}

/*
 * c->side_at has where a text or blob begins; true for a text that is lost,
 * false for one that was erased, which stays so.
 */
bool
replica_note_side(struct replica *c, size_t at)
{
	const char *line = c->side.data + at;
	char hex[2 * HASH_LEN + 1] = "";
	const json_t *was;

	memcpy(hex, line + REPLICA_SIDE_HASH, 2 * HASH_LEN);
	was = json_object_get(c->side_at, hex);
	switch (line[2]) {
	case 'g':
		if (json_is_false(was))
			return (false);
		xalloc_set(c->side_at, hex, json_false());
		break;
	case 'l':
		if (was != NULL)
			return (false);
		xalloc_set(c->side_at, hex, json_true());
		break;
	default:
		if (json_is_integer(was) ||
		    (json_is_false(was) && line[2] == 't'))
			return (false);
		xalloc_set(c->side_at, hex, json_integer((json_int_t)at));
	}
	return (true);
}

int
replica_check_side(
    struct replica *c, const char *line, size_t len, struct errinfo *e)
{
	struct record_side s;
	int r;

	if (replica_side_is_mark(line, len))
		return (0);
	if ((r = record_side_parse(line, len, &s, e)) != 0)
		return (r);
	if (s.is_blob && (r = verify_add_blob(c->v, s.value, s.len)) != 0)
		r = err_set(e, r, NULL, "side line: %s", err_text(r));
	record_side_clear(&s);
	return (r);
}

/*
 * Makes the text line that begins at `start` one that is gone, in memory and
 * in the file: first what it is, so that after a crash no value is read.
 */
static int
replica_side_wipe(
    struct replica *c, size_t start, size_t len, struct errinfo *e)
{
	char *line = c->side.data + start;
	int r = 0;

	memcpy(line, "{\"gone", 6);
	if (c->is_kept)
		r = profile_game_patch(
		    c->p, c->id, ".side", start, line, REPLICA_SIDE_HASH, e);
	memset(line + REPLICA_SIDE_LEAST - 1, ' ', len - REPLICA_SIDE_LEAST);
	line[len - 1] = '}';
	if (r == 0 && c->is_kept)
		r = profile_game_patch(
		    c->p, c->id, ".side", start, line, len, e);
	return (r);
}

/* True if a mark still has bytes of the text that it stands for. */
static bool
replica_side_is_torn(const char *line, size_t len)
{
	size_t i = REPLICA_SIDE_LEAST - 1;

	if (!replica_side_is_mark(line, len))
		return (false);
	while (i + 1 < len && line[i] == ' ')
		i++;
	return (i + 1 < len || line[len - 1] != '}');
}

int
replica_take_sides(struct replica *c, size_t at, int r, struct errinfo *e)
{
	const char *end, *p;
	char *path;

	while (r == 0 && at < c->side.len) {
		struct errinfo why = {.text = ""};

		p = c->side.data + at;
		if ((end = memchr(p, '\n', c->side.len - at)) == NULL)
			break;
		if (replica_side_is_torn(p, (size_t)(end - p)))
			r = replica_side_wipe(c, at, (size_t)(end - p), e);
		if (r != 0)
			break;
		if ((r = replica_check_side(c, p, (size_t)(end - p), &why)) ==
		    0) {
			(void)replica_note_side(c, at);
			at += (size_t)(end - p) + 1;
		} else {
			path = profile_game_path(c->p, c->id, ".side");
			r = err_set(e, ERR_BAD, NULL,
			    "your copy '%s' is damaged at byte %zu: %s", path,
			    at, why.text);
			free(path);
		}
	}
	return (replica_end_file(c, ".side", &c->side, at, r, e));
}

bool
replica_put_side(struct replica *c, const char *line, size_t len)
{
	const size_t at = c->side.len;

	replica_put_line(&c->side, line, len);
	if (replica_note_side(c, at))
		return (true);
	c->side.len = at;
	return (false);
}

/* Adds a side line that was checked, to the file, too; the copy is locked. */
static int
replica_side_append(
    struct replica *c, const char *line, size_t len, struct errinfo *e)
{
	const size_t at = c->side.len;
	int r;

	if (!replica_put_side(c, line, len) || !c->is_kept)
		return (0);
	r = profile_game_append(
	    c->p, c->id, ".side", c->side.data + at, len + 1, e);
	c->is_ahead = r != 0;
	return (r);
}

int
replica_add_side(
    struct replica *c, const char *line, size_t len, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	bool had_lock = c->lock != -1;
	int r;

	if ((r = replica_lock(c, e)) != 0)
		return (r);
	/* The marks are our own. */
	if (replica_side_is_mark(line, len))
		r = replica_forked(c, REPLICA_NONSENSE, c->n, NULL,
		    "a side line is neither a text nor a blob", e);
	else if (replica_check_side(c, line, len, &why) != 0)
		r = replica_forked(
		    c, REPLICA_NONSENSE, c->n, NULL, why.text, e);
	else
		r = replica_side_append(c, line, len, e);
	if (!had_lock)
		replica_unlock(c);
	return (r);
}

const char *
replica_side(const struct replica *c, const char *hex, size_t *len)
{
	const json_t *at = json_object_get(c->side_at, hex);
	const char *end, *line;
	size_t start;

	if (!json_is_integer(at))
		return (NULL);
	start = (size_t)json_integer_value(at);
	line = c->side.data + start;
	if ((end = memchr(line, '\n', c->side.len - start)) == NULL)
		return (NULL);
	*len = (size_t)(end - line);
	return (line);
}

const char *
replica_text(const struct replica *c, const char *hex)
{
	struct record_side s;
	const char *line;
	size_t len;

	if ((line = replica_side(c, hex, &len)) == NULL)
		return (NULL);
	if (json_object_get(c->values, hex) != NULL)
		return (js_str(c->values, hex));
	/* It was checked when it was taken in. */
	if (record_side_parse(line, len, &s, NULL) != 0)
		return (NULL);
	xalloc_set(c->values, hex, json_stringn(s.value, s.len));
	record_side_clear(&s);
	return (js_str(c->values, hex));
}

enum battle_lack
replica_lack(const struct replica *c, const char *hex)
{
	const json_t *at = json_object_get(c->side_at, hex);

	return (json_is_false(at)  ? BATTLE_LACK_ERASED
		: json_is_true(at) ? BATTLE_LACK_LOST
				   : BATTLE_LACK_UNKNOWN);
}

/* ---- texts that were erased ---- */

/* Takes a text out of a file in which a record was set aside (lost.h). */
static int
replica_side_strip(const char *path, const char *hex, struct errinfo *e)
{
	char *start, *end, *head;
	struct buf b;
	int r;

	head = xalloc_printf("\n{\"text\":\"%s\"", hex);
	buf_init(&b, 0);
	if ((r = file_read(path, REPLICA_SIDE_FILE, &b, e)) == 0 &&
	    (start = strstr(buf_str(&b), head)) != NULL &&
	    (end = strchr(start + 1, '\n')) != NULL) {
		memmove(start, end, (size_t)(b.data + b.len - end));
		b.len -= (size_t)(end - start);
		r = file_write(path, b.data, b.len, 0600, e);
	}
	buf_clear(&b);
	free(head);
	return (r);
}

/* Takes it out of all of those of the game. */
static int
replica_side_strip_lost(
    const struct replica *c, const char *hex, struct errinfo *e)
{
	char *path, *name = profile_game_path(c->p, c->id, ".lost-");
	char *games = profile_path(c->p, "games");
	const size_t n = strlen(games) + 1; /* of name, with the slash */
	const struct dirent *d;
	DIR *dir;
	int r = 0;

	if ((dir = opendir(games)) != NULL) {
		while (r == 0 && (d = readdir(dir)) != NULL) {
			if (strncmp(d->d_name, name + n, strlen(name + n)) != 0)
				continue;
			path = xalloc_printf("%s/%s", games, d->d_name);
			r = replica_side_strip(path, hex, e);
			free(path);
		}
		(void)closedir(dir); /* it was read only */
	}
	free(games);
	free(name);
	return (r);
}

/* Takes it out of all other files of the profile. */
static int
replica_side_strip_all(
    const struct replica *c, const char *hex, struct errinfo *e)
{
	const char *value = replica_text(c, hex);
	char *path;
	int r;

	if (!c->is_kept)
		return (0);
	if ((r = replica_side_strip_lost(c, hex, e)) != 0)
		return (r);
	path = profile_path(c->p, LINEHIST_FILE);
	r = value == NULL ? 0 : linehist_forget(path, value, e);
	free(path);
	return (r);
}

/* Forgets what was said, or shown, with a text. */
static void
replica_side_forget(struct replica *c, const char *hex)
{
	(void)json_object_del(c->values, hex);
	people_free(c->people);
	c->people = NULL;
}

/* Adds a mark of ours for a text that the lines name and that is not here. */
static int
replica_side_mark(
    struct replica *c, const char *what, const char *hex, struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	char *line;
	int r;

	if (hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0 ||
	    !verify_is_named(c->v, hash))
		return (0);
	line = xalloc_printf("{\"%s\":\"%s\"}", what, hex);
	r = replica_side_append(c, line, strlen(line), e);
	free(line);
	return (r);
}

int
replica_erase(
    struct replica *c, const char *hex, bool *was_here, struct errinfo *e)
{
	const bool had_lock = c->lock != -1;
	const char *line;
	size_t len;
	int r;

	*was_here = false;
	if (replica_lack(c, hex) == BATTLE_LACK_ERASED)
		return (0);
	if ((r = replica_lock(c, e)) != 0)
		return (r);
	if ((line = replica_side(c, hex, &len)) == NULL) {
		r = replica_side_mark(c, "gone", hex, e);
	} else if (line[2] == 't') {
		if ((r = replica_side_strip_all(c, hex, e)) == 0)
			r = replica_side_wipe(
			    c, (size_t)(line - c->side.data), len, e);
		if (r == 0)
			(void)replica_note_side(
			    c, (size_t)(line - c->side.data));
		*was_here = r == 0;
		c->is_ahead = c->is_ahead || r != 0;
		c->checked = 0; /* the checkpoint was of other bytes */
		replica_side_forget(c, hex);
	}
	if (!had_lock)
		replica_unlock(c);
	return (r);
}

json_t *
replica_lost_texts(const struct replica *c)
{
	json_t *list = xalloc_json(json_array());
	const json_t *at;
	const char *hex;

	json_object_foreach((json_t *)(uintptr_t)c->side_at, hex, at)
	{
		if (json_is_true(at))
			xalloc_append(list, json_string(hex));
	}
	return (list);
}

int
replica_lose(struct replica *c, const char *hex, struct errinfo *e)
{
	const bool had_lock = c->lock != -1;
	int r;

	if (json_object_get(c->side_at, hex) != NULL)
		return (0);
	if ((r = replica_lock(c, e)) == 0)
		r = replica_side_mark(c, "lost", hex, e);
	if (!had_lock)
		replica_unlock(c);
	return (r);
}
