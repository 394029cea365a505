/* SPDX-License-Identifier: ISC */
#include "tests/lib/agree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void
agree_seated(struct table *t, const char *roster, const char *more)
{
	json_t *args, *v = table_json(more);
	int i, r;

	table_init(t);
	args = table_create_args(t, roster);
	assert_int_equal(json_object_update(args, v), 0);
	json_decref(v);
	table_make_create(t, args);
	if ((r = table_open(t)) != 0)
		fail_msg("%d %s: %s", r, t->e.where, t->e.text);
	for (i = 0; i < GAME_SEATS; i++) {
		if (!game_is_seat(t->game, i) || game_is_joined(t->game, i))
			continue;
		r = table_try(t, i, ORDER_JOIN, table_seat_args(t, i));
		if (r != 0)
			fail_msg("%d %s: %s", r, t->e.where, t->e.text);
	}
}

void
agree_start(struct table *t)
{
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (game_is_seat(t->game, i))
			table_play(t, i, ORDER_READY, "{}");
	}
	assert_int_equal(game_phase(t->game), GAME_PLAY);
	table_reload(t);
}

void
agree_begun(struct table *t, const char *roster, const char *more)
{
	agree_seated(t, roster, more);
	agree_start(t);
}

int64_t
agree_play(
    struct table *t, int seat, enum order_kind kind, const char *fmt, ...)
{
	char args[AGREE_ARGS_MAX];
	va_list ap;

	va_start(ap, fmt);
	assert_true(vsnprintf(args, sizeof(args), fmt, ap) < AGREE_ARGS_MAX);
	va_end(ap);
	table_play(t, seat, kind, args);
	table_reload(t);
	return (game_seq(t->game));
}

void
agree_no(struct table *t, int seat, enum order_kind kind, int r,
    const char *why, const char *fmt, ...)
{
	char args[AGREE_ARGS_MAX];
	va_list ap;

	va_start(ap, fmt);
	assert_true(vsnprintf(args, sizeof(args), fmt, ap) < AGREE_ARGS_MAX);
	va_end(ap);
	table_no(t, seat, kind, args, r, why);
}

int64_t
agree_accept(struct table *t, int seat, int64_t to)
{
	return (
	    agree_play(t, seat, ORDER_ACCEPT, "{'to':%lld}", (long long)to));
}

void
agree_accept_no(struct table *t, int seat, int64_t to, int r, const char *why)
{
	agree_no(t, seat, ORDER_ACCEPT, r, why, "{'to':%lld}", (long long)to);
}

bool
agree_is_offered(const struct table *t, int64_t seq)
{
	return (game_offer_find(t->game, seq) != NULL);
}

const char *
agree_roster(const struct table *t, struct buf *b)
{
	json_t *v = roster_json(t->game->roster);

	assert_non_null(v);
	buf_reset(b);
	js_dump(v, b);
	json_decref(v);
	return (buf_str(b));
}

const json_t *
agree_unit(const struct table *t, const char *id, const char *name)
{
	const json_t *unit = roster_find(t->game->roster, id, NULL);

	assert_non_null(unit);
	return (json_object_get(unit, name));
}

void
agree_verify(const struct table *t)
{
	struct verify_options opt = {.server = NULL};
	struct verify_report rep;
	struct game *game = NULL;
	struct errinfo e = {.text = ""};
	struct buf out, a, b;
	int i, r;

	buf_init(&out, 0);
	buf_init(&a, 0);
	buf_init(&b, 0);
	table_export(t, &out);
	for (i = 0; i < 2; i++) {
		opt.no_rules = i == 1;
		r = verify_bytes(
		    out.data, out.len, &opt, &rep, i == 0 ? &game : NULL, &e);
		if (r != 0)
			fail_msg("line %lld of the file, %s rules: %s: %s",
			    (long long)rep.file_line,
			    opt.no_rules ? "without" : "with", e.where, e.text);
		if (rep.is_unchecked != opt.no_rules)
			fail_msg(
			    "%s: %s", rep.unchecked.where, rep.unchecked.text);
	}
	assert_non_null(game);
	table_save(t, &a);
	assert_int_equal(game_save(game, &b), 0);
	assert_string_equal(buf_str(&a), buf_str(&b));
	game_free(game);
	buf_clear(&out);
	buf_clear(&a);
	buf_clear(&b);
}

void
agree_done(struct table *t)
{
	agree_verify(t);
	table_clear(t);
}
