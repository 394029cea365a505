/* SPDX-License-Identifier: ISC */
#include "client/cmd/tournament_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/report/tournament_verdict.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"

#define TOURNAMENT_FOLDER_MAX ((size_t)1 << 30) /* bytes of a game */
#define TOURNAMENT_FOLDER_STEP_MS 200 /* between words of how far it is */

char *
tournament_folder_path(const char *word)
{
	struct stat st;
	char *path;

	if (stat(word, &st) != 0 || !S_ISDIR(st.st_mode))
		return (NULL);
	path = xalloc_printf("%s/%s", word, TOURNAMENT_FOLDER_FILE);
	if (stat(path, &st) == 0)
		return (path);
	free(path);
	return (NULL);
}

/* verify_tournament_games: the file of a game in the folder. */
static int
tournament_folder_read_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	const char *folder = arg;
	char id[2 * HASH_LEN + 1], *path;
	struct buf b;
	int r;

	hex_format(id, game, HASH_LEN);
	path = xalloc_printf("%s/%s.jsonl", folder, id);
	buf_init(&b, 0);
	if (!file_exists(path))
		r = ERR_NOTFOUND;
	else
		r = file_read(path, TOURNAMENT_FOLDER_MAX, &b, NULL);
	free(path);
	if (r == 0) {
		*len = b.len;
		*bytes = xalloc_strn(buf_str(&b), b.len);
	}
	buf_clear(&b);
	return (r);
}

/* verify_tournament_options: tells how far it is; arg is when it last did. */
static void
tournament_folder_progress_cb(
    void *arg, int64_t lines, size_t read, size_t games)
{
	const int64_t now_ms = clock_mono_ms();
	int64_t *last_ms = arg;
	char *s;

	if (now_ms - *last_ms < TOURNAMENT_FOLDER_STEP_MS)
		return;
	*last_ms = now_ms;
	s = xalloc_printf("verifying: line %lld, %zu of %zu games",
	    (long long)lines, read, games);
	out_progress_now(s);
	free(s);
}

int
tournament_folder_verify(struct out *o, const char *path, struct buf *bytes,
    struct verify_tournament_options *opt)
{
	struct errinfo e = {.text = ""};
	const char *slash = strrchr(path, '/');
	int64_t last_ms = clock_mono_ms();
	struct tournament_verdict tv;
	char *doubt, *folder;
	int r, status;

	folder = slash == NULL ? xalloc_str(".")
			       : xalloc_strn(path, (size_t)(slash - path));
	opt->games.read = tournament_folder_read_cb;
	opt->games.arg = folder;
	opt->is_parallel = true;
	opt->progress = tournament_folder_progress_cb;
	opt->progress_arg = &last_ms;
	out_progress("verifying");
	r = tournament_verdict_make(
	    &tv, path, buf_str(bytes), bytes->len, opt, &e);
	free(folder);
	out_progress_end();
	if (r != 0) {
		tournament_verdict_clear(&tv);
		return (cmd_fail(r, &e));
	}
	if (o->is_json)
		out_json(o, tournament_verdict_json(&tv));
	else if (!tv.is_bad)
		tournament_verdict_print(o, &tv);
	if ((doubt = tournament_verdict_doubt(&tv)) != NULL)
		out_error("%s: %s", path, doubt);
	free(doubt);
	status = tournament_verdict_status(&tv);
	tournament_verdict_clear(&tv);
	return (status);
}
