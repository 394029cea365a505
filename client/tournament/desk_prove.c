/* SPDX-License-Identifier: ISC */
#include "client/tournament/desk_prove.h"

#include <sys/stat.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define DESK_PROVE_FILE ".tournament-evidence"

bool
desk_is_signed(const uint8_t server[SIGN_KEY_LEN], const uint8_t id[HASH_LEN],
    int64_t seq, const char *line, size_t len)
{
	struct record_line ln;
	bool is_there;

	if (record_check_mark(line, len, server) != 0 ||
	    record_parse_tournament(line, len, &ln, NULL) != 0)
		return (false);
	is_there = ln.seq == seq && memcmp(ln.game, id, HASH_LEN) == 0;
	record_clear(&ln);
	return (is_there);
}

bool
desk_is_lost(const char *line, size_t len, const uint8_t prev[HASH_LEN])
{
	struct record_line ln;
	bool is_lost;

	if (record_parse_tournament(line, len, &ln, NULL) != 0)
		return (false);
	is_lost = ln.kind == RECORD_SERVER &&
	    strcmp(ln.what, "restored") == 0 &&
	    memcmp(ln.prev, prev, HASH_LEN) == 0;
	record_clear(&ln);
	return (is_lost);
}

/* The object at the head of a file; new. */
static json_t *
desk_prove_head(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct desk_fork *f, const uint8_t hash[HASH_LEN])
{
	char at[CLOCK_AT_LEN + 1];

	clock_format(at, f->at_ms);
	return (xalloc_json(json_pack(
	    "{s:i, s:o, s:o, s:I, s:s, s:o, s:o, s:s, s:o}", "evidence", 1,
	    "server", js_hex(p->pin, SIGN_KEY_LEN), "tournament",
	    js_hex(id, HASH_LEN), "seq", (json_int_t)f->seq, "what",
	    f->what == DESK_TWO_LINES ? "two-lines" : "unlawful", "why",
	    xalloc_json_str(f->why.text), "hash", js_hex(hash, HASH_LEN),
	    "arrived", at, "line", xalloc_json_str(f->line))));
}

int
desk_prove(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct desk_fork *f, const struct buf *held, char **path,
    struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	char *games, *suffix, *text;
	struct buf b;
	json_t *head;
	int r;

	*path = NULL;
	if ((r = hash_sha256(hash, f->line, strlen(f->line))) != 0)
		return (r);
	/* By its hash, so that the same line is kept once. */
	suffix = xalloc_printf("%s-%02x%02x%02x%02x", DESK_PROVE_FILE, hash[0],
	    hash[1], hash[2], hash[3]);
	*path = profile_game_path(p, id, suffix);
	free(suffix);
	games = profile_path(p, "games");
	r = file_make_dirs(games, e);
	free(games);
	if (r != 0 || file_exists(*path))
		return (r);
	head = desk_prove_head(p, id, f, hash);
	text = xalloc_dump(head);
	json_decref(head);
	buf_init(&b, 0);
	buf_printf(&b, "%s\n", text);
	free(text);
	buf_add(&b, held->data, held->len);
	if ((r = buf_error(&b)) == 0)
		r = file_write(*path, b.data, b.len, 0600, e);
	buf_clear(&b);
	return (r);
}

char *
desk_proof_kept(const struct profile *p, const uint8_t id[HASH_LEN])
{
	char *games = profile_path(p, "games"), *begin, *path, *found = NULL;
	char hex[2 * HASH_LEN + 1];
	const struct dirent *d;
	struct timespec at = {0};
	struct stat st;
	DIR *dir;

	hex_format(hex, id, HASH_LEN);
	begin = xalloc_printf("%s%s-", hex, DESK_PROVE_FILE);
	dir = opendir(games);
	while (dir != NULL && (d = readdir(dir)) != NULL) {
		/* What is being written ends otherwise. */
		if (strncmp(d->d_name, begin, strlen(begin)) != 0 ||
		    strlen(d->d_name) != strlen(begin) + 8)
			continue;
		path = xalloc_printf("%s/%s", games, d->d_name);
		if (stat(path, &st) != 0 ||
		    (found != NULL &&
			(st.st_mtim.tv_sec < at.tv_sec ||
			    (st.st_mtim.tv_sec == at.tv_sec &&
				st.st_mtim.tv_nsec < at.tv_nsec)))) {
			free(path);
			continue;
		}
		at = st.st_mtim;
		free(found);
		found = path;
	}
	if (dir != NULL)
		(void)closedir(dir); /* it was read only */
	free(begin);
	free(games);
	return (found);
}
