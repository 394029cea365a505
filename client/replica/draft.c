/* SPDX-License-Identifier: ISC */
#include "client/replica/draft.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_load.h"

#define DRAFT_MAX 1000000 /* bytes */

/* The path of a game's draft; free(). */
static char *
draft_path(const struct replica *c)
{
	return (profile_game_path(c->p, c->id, ".draft"));
}

json_t *
draft_load(const struct replica *c)
{
	char *path = draft_path(c);
	json_t *draft = NULL;
	struct errinfo e;
	struct buf b;

	buf_init(&b, 0);
	if (file_read(path, DRAFT_MAX, &b, &e) == 0 &&
	    js_load(b.data, b.len, JS_DEPTH_RPC, &draft, &e) != 0)
		draft = NULL;
	buf_clear(&b);
	free(path);
	return (draft);
}

void
draft_save(const struct replica *c, const json_t *draft)
{
	char *path = draft_path(c), *text;
	struct errinfo e;

	if (draft == NULL) {
		/* One that stays is asked about again. */
		if (file_remove(path, &e) != 0)
			file_cache(path, "{}", 2);
	} else {
		text = xalloc_dump(draft);
		file_cache(path, text, strlen(text));
		free(text);
	}
	free(path);
}
