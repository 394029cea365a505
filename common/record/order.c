/* SPDX-License-Identifier: ISC */
/*
 * Order texts: the members that S3 allows, kind by kind, and the args of
 * create and join.  Nothing here knows the state of a game.
 */
#include "common/record/order.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/record/record.h"

#define ORDER_YEAR_S 31536000 /* the longest time of a clock */
#define ORDER_NOTICE_S 604800 /* the longest notice: a week */
#define ORDER_FIELDS_MAX 32 /* names in owner_fields */
/* How long a witness may be silent: at least, at most, if nothing is said. */
#define ORDER_WITNESS_MIN_S 60
#define ORDER_WITNESS_MAX_S 86400
#define ORDER_WITNESS_S 600

const char *const order_offers[] = {
    "draw", "victory", "takeback", "pause", "truce", "witness-out", NULL};
const char *const order_proposals[] = {"adjust", "roster", NULL};

static const uint8_t order_zeros[HASH_LEN];
const struct js_at order_at = {NULL, "order", 0};
const struct js_at order_at_args = {&order_at, "args", 0};

/* True for the args of a game that belongs to a tournament. */
static bool
order_has_tournament(const json_t *args)
{
	return (json_object_get(args, "tournament") != NULL);
}

/* Checks that a member is there or not there as its kind asks. */
static int
order_check_need(enum order_need need, bool has, const char *name,
    const char *kind, struct errinfo *e)
{
	if (need == ORDER_MUST && !has)
		return (js_fail_member(&order_at, name, e,
		    "missing; an order of the kind \"%.32s\" has one", kind));
	if (need == ORDER_NO && has)
		return (js_fail_member(&order_at, name, e,
		    "an order of the kind \"%.32s\" has none", kind));
	return (0);
}

int
order_check_kind(const struct order *o, struct errinfo *e)
{
	const struct order_row *row = order_kind_row(o->kind);
	int64_t seat;
	int r;

	if (o->place != NULL && strlen(o->place) > ORDER_PLACE_MAX)
		return (js_fail_member(&order_at, "place", e,
		    "longer than %d bytes", ORDER_PLACE_MAX));
	if ((r = order_check_need(row->place, o->place != NULL, "place",
		 o->kind_name, e)) != 0 ||
	    (r = order_check_need(
		 row->own, o->has_own, "own", o->kind_name, e)) != 0 ||
	    (r = order_check_need(
		 row->other, o->has_other, "other", o->kind_name, e)) != 0)
		return (r);
	if (o->kind != ORDER_CREATE)
		return (0);
	/* In a tournament each side may come first (S16). */
	return (js_get_int(o->args, "seat", &order_at_args,
	    order_has_tournament(o->args) ? 1 : 0,
	    order_has_tournament(o->args) ? 2 : 1, &seat, e));
}

/* Checks that there are no members but these; others are from newer umpires. */
static int
order_check_members(const json_t *v, const struct js_at *at,
    const char *const *names, struct errinfo *e)
{
	struct errinfo why;

	if (js_members(v, at, names, &why) == 0)
		return (0);
	return (err_set(e, ERR_NEWER, why.where, "%s is not in this version",
	    why.where + strlen("order.")));
}

/* Likewise those args that begin so, in an object that may be missing. */
static int
order_check_names(const json_t *v, const struct js_at *at,
    const struct order_arg *args, const char *prefix, struct errinfo *e)
{
	const char *names[ORDER_ARGS_MAX + 1];
	size_t len = strlen(prefix), n = 0;

	for (; args->name != NULL; args++) {
		if (strncmp(args->name, prefix, len) == 0 &&
		    strchr(args->name + len, '.') == NULL)
			names[n++] = args->name + len;
	}
	names[n] = NULL;
	return (json_is_object(v) ? order_check_members(v, at, names, e) : 0);
}

/* Checks that args.what, if it is a word, is one of these. */
static int
order_check_what(
    const struct order *o, const char *const *words, struct errinfo *e)
{
	int i;

	if (!json_is_string(json_object_get(o->args, "what")) ||
	    js_get_enum(o->args, "what", &order_at_args, words, &i, e) == 0)
		return (0);
	return (ERR_NEWER);
}

int
order_check_args(
    const json_t *args, const struct order_arg *known, struct errinfo *e)
{
	return (order_check_names(args, &order_at_args, known, "", e));
}

int
order_check_settings(const json_t *args, struct errinfo *e)
{
	static const struct js_at options_at = {&order_at_args, "options", 0};
	static const struct js_at clock_at = {&order_at_args, "clock", 0};
	const struct order_arg *known = order_kind_row(ORDER_CREATE)->args;
	int r;

	r = order_check_names(json_object_get(args, "options"), &options_at,
	    known, "options.", e);
	if (r == 0)
		r = order_check_names(json_object_get(args, "clock"), &clock_at,
		    known, "clock.", e);
	return (r);
}

int
order_check_known(
    const struct order *o, const char *const *upkeep, struct errinfo *e)
{
	const struct order_arg *args = order_kind_row(o->kind)->args;
	int r;

	if (o->kind == ORDER_UNKNOWN)
		return (err_set(e, ERR_NEWER, "order.kind",
		    "an order of the kind \"%.32s\" is not in this version",
		    o->kind_name));
	if (o->kind == ORDER_UPKEEP)
		return (upkeep == NULL ? 0
				       : order_check_members(o->args,
					     &order_at_args, upkeep, e));
	if ((r = order_check_args(o->args, args, e)) != 0)
		return (r);
	switch (o->kind) {
	case ORDER_CREATE:
		return (order_check_settings(o->args, e));
	case ORDER_OFFER:
		return (order_check_what(o, order_offers, e));
	case ORDER_PROPOSE:
		return (order_check_what(o, order_proposals, e));
	default:
		return (0);
	}
}

/* Reads the number of a seat. */
static int
order_read_number(
    const json_t *v, const struct js_at *at, int64_t *seat, struct errinfo *e)
{
	int r;

	r = js_get_int(v, "seat", at, 0, RECORD_WITNESS, seat, e);
	if (r == 0 && !record_is_seat(*seat))
		r = js_fail_member(at, "seat", e, "must be 0 to 16, or 254");
	return (r);
}

/* Reads what ties an order to a game that there is. */
static int
order_read_head(struct order *o, struct errinfo *e)
{
	int64_t seat;
	int r;

	if ((r = js_get_hex(
		 o->root, "game", &order_at, o->game, HASH_LEN, e)) != 0 ||
	    (r = order_read_number(o->root, &order_at, &seat, e)) != 0 ||
	    (r = js_get_int(o->root, "after", &order_at, 0, JS_INT_MAX,
		 &o->after, e)) != 0 ||
	    (r = js_get_hex(
		 o->root, "head", &order_at, o->head, HASH_LEN, e)) != 0)
		return (r);
	o->seat = (int)seat;
	return (0);
}

/* Reads what ties an order to a game, or for create what makes its id. */
static int
order_read_game(struct order *o, struct errinfo *e)
{
	int64_t seat = -1;

	if (o->kind != ORDER_CREATE)
		return (order_read_head(o, e));
	if (json_object_get(o->root, "game") != NULL ||
	    json_object_get(o->root, "seat") != NULL ||
	    json_object_get(o->root, "after") != NULL ||
	    json_object_get(o->root, "head") != NULL)
		return (js_fail(&order_at, e,
		    "a create order has no game, seat, after or head"));
	/* Where it cannot be read order_check_kind() says why. */
	if (js_get_int(o->args, "seat", NULL, 0, 2, &seat, NULL) != 0)
		seat = -1;
	o->seat = (int)seat;
	o->after = -1;
	return (hash_tagged(o->game, "umpire/game/1", o->text, o->len));
}

/* Reads when the author signed, by their own clock, if they say so. */
static int
order_read_now(struct order *o, struct errinfo *e)
{
	const char *now = NULL;
	int r;

	if ((r = js_opt_str(o->root, "now", &order_at, &now, e)) != 0 ||
	    now == NULL)
		return (r);
	if (clock_parse(now, strlen(now), &o->now_ms) != 0)
		return (js_fail_member(&order_at, "now", e,
		    "not a time as \"2026-11-20T18:04:00.000Z\""));
	o->has_now = true;
	return (0);
}

/* Reads the members of a text that is JSON of the profile. */
static int
order_read(struct order *o, struct errinfo *e)
{
	static const char *const known[] = {"v", "server", "game", "seat",
	    "after", "head", "nonce", "now", "kind", "place", "own", "other",
	    "args", NULL};
	int64_t v;
	int r;

	if ((r = js_members(o->root, &order_at, known, e)) != 0 ||
	    (r = js_get_int(o->root, "v", &order_at, 1, 1, &v, e)) != 0 ||
	    (r = js_get_hex(o->root, "server", &order_at, o->server,
		 SIGN_KEY_LEN, e)) != 0 ||
	    (r = js_get_hex(o->root, "nonce", &order_at, o->nonce,
		 ORDER_NONCE_LEN, e)) != 0 ||
	    (r = order_read_now(o, e)) != 0 ||
	    (r = js_get_str(o->root, "kind", &order_at, &o->kind_name, e)) !=
		0 ||
	    (r = js_get_object(o->root, "args", &order_at, &o->args, e)) != 0 ||
	    (r = js_opt_str(o->root, "place", &order_at, &o->place, e)) != 0 ||
	    (r = js_opt_hex(o->root, "own", &order_at, o->own, VRF_PROOF_LEN,
		 &o->has_own, e)) != 0 ||
	    (r = js_opt_hex(o->root, "other", &order_at, o->other,
		 VRF_PROOF_LEN, &o->has_other, e)) != 0)
		return (r);
	o->kind = order_kind_of(o->kind_name);
	return (order_read_game(o, e));
}

int
order_load_text(const char *text, size_t len, json_t **root, struct errinfo *e)
{
	struct errinfo why = {.where = ""};
	char where[sizeof(why.where)];
	int r;

	if (len < ORDER_TEXT_MIN || len > ORDER_TEXT_MAX)
		return (err_set(e, ERR_TOOBIG, "order",
		    "an order has %d to %d bytes", ORDER_TEXT_MIN,
		    ORDER_TEXT_MAX));
	r = js_load(text, len, JS_DEPTH_RECORD, root, &why);
	if (r == ERR_MALFORMED) {
		(void)snprintf(where, sizeof(where), "order %.80s", why.where);
		return (err_set(e, r, where, "%s", why.text));
	}
	return (r != 0 ? err_set(e, r, "order", "%s", why.text) : 0);
}

/* Reads a text of the profile: size and JSON, then what `read` reads. */
static int
order_load(const char *text, size_t len,
    int (*read)(struct order *o, struct errinfo *e), struct order *o,
    struct errinfo *e)
{
	struct order order = {.text = text, .len = len};
	int r;

	if ((r = order_load_text(text, len, &order.root, e)) != 0)
		return (r);
	if ((r = read(&order, e)) == 0)
		r = hash_tagged(order.oid, SIGN_TAG_ORDER, text, len);
	if (r != 0) {
		json_decref(order.root);
		return (r);
	}
	*o = order;
	return (0);
}

/* Reads nothing but what ties the text to server and game. */
static int
order_read_only_head(struct order *o, struct errinfo *e)
{
	int r;

	o->kind = ORDER_UNKNOWN;
	o->kind_name = "";
	r = js_get_hex(
	    o->root, "server", &order_at, o->server, SIGN_KEY_LEN, e);
	return (r != 0 ? r : order_read_head(o, e));
}

int
order_parse_members(
    const char *text, size_t len, struct order *o, struct errinfo *e)
{
	return (order_load(text, len, order_read, o, e));
}

int
order_parse_head(
    const char *text, size_t len, struct order *o, struct errinfo *e)
{
	return (order_load(text, len, order_read_only_head, o, e));
}

int
order_parse(const char *text, size_t len, struct order *o, struct errinfo *e)
{
	struct order order;
	int r;

	if ((r = order_load(text, len, order_read, &order, e)) != 0)
		return (r);
	if ((r = order_check_kind(&order, e)) != 0) {
		order_clear(&order);
		return (r);
	}
	*o = order;
	return (0);
}

void
order_clear(struct order *o)
{
	json_decref(o->root);
	memset(o, 0, sizeof(*o));
}

bool
order_is_account(const char *s)
{
	size_t i;

	for (i = 0; s[i] != '\0'; i++) {
		if (i >= ORDER_ACCOUNT_MAX)
			return (false);
		if ((s[i] >= 'a' && s[i] <= 'z') ||
		    (s[i] >= '0' && s[i] <= '9'))
			continue;
		if (i > 0 && strchr("._-", s[i]) != NULL)
			continue;
		return (false);
	}
	return (i > 0);
}

int
order_check_dice_key(const uint8_t key[VRF_KEY_LEN], const char *name,
    const struct js_at *at, struct errinfo *e)
{
	int r = vrf_key_check(key);

	if (r == ERR_PROOF)
		return (js_fail_member(at, name, e, "not a point on P-256"));
	if (r != 0)
		return (err_set(e, r, NULL, "%s", err_text(r)));
	return (0);
}

/*
 * Reads the keys that sign for a seat: that of the order, then the account's
 * others, ascending.  The recovery key is none of them.
 */
static int
order_read_keys(const json_t *args, const struct js_at *at,
    struct order_join *s, struct errinfo *e)
{
	struct statement_keys *k = &s->keys;
	const json_t *more = NULL;
	uint8_t *key;
	size_t i;
	int r;

	memcpy(k->keys[0], s->key, SIGN_KEY_LEN);
	k->n_keys = 1;
	if ((r = js_opt_array(args, "keys", at, &more, e)) != 0)
		return (r);
	if (more != NULL &&
	    (json_array_size(more) < 1 ||
		json_array_size(more) >= STATEMENT_KEYS_MAX))
		return (js_fail_member(at, "keys", e, "a list of 1 to %d keys",
		    STATEMENT_KEYS_MAX - 1));
	for (i = 0; i < json_array_size(more); i++) {
		key = k->keys[k->n_keys];
		if (js_element_hex(more, i, key, SIGN_KEY_LEN) != 0 ||
		    sign_key_check(key) != 0)
			return (js_fail_member(at, "keys", e,
			    "not a list of Ed25519 keys that may be used"));
		if (statement_has_key(k, key) ||
		    (i > 0 &&
			memcmp(key - SIGN_KEY_LEN, key, SIGN_KEY_LEN) > 0))
			return (js_fail_member(at, "keys", e,
			    "must be the account's other keys, ascending, each "
			    "once"));
		k->n_keys++;
	}
	if (k->has_recovery && statement_has_key(k, k->recovery))
		return (js_fail_member(at, "recovery", e,
		    "the recovery key signs key statements and nothing else"));
	return (0);
}

int
order_account_parse(const json_t *args, const struct js_at *at,
    struct order_join *s, struct errinfo *e)
{
	struct statement_keys *k = &s->keys;
	int r;

	if ((r = js_get_hex(args, "key", at, s->key, SIGN_KEY_LEN, e)) != 0 ||
	    (r = js_opt_hex(args, "recovery", at, k->recovery, SIGN_KEY_LEN,
		 &k->has_recovery, e)) != 0 ||
	    (r = js_get_str(args, "account", at, &s->account, e)) != 0 ||
	    (r = js_get_int(args, "kn", at, 0, JS_INT_MAX, &k->n, e)) != 0 ||
	    (r = js_get_hex(args, "kprev", at, k->prev, HASH_LEN, e)) != 0)
		return (r);
	if (k->n == 0 && memcmp(k->prev, order_zeros, HASH_LEN) != 0)
		return (js_fail_member(at, "kprev", e,
		    "64 zeros, where the account has no key statement"));
	if (sign_key_check(s->key) != 0)
		return (js_fail_member(
		    at, "key", e, "not an Ed25519 key that may be used"));
	if (k->has_recovery && sign_key_check(k->recovery) != 0)
		return (js_fail_member(
		    at, "recovery", e, "not an Ed25519 key that may be used"));
	if ((r = order_read_keys(args, at, s, e)) != 0)
		return (r);
	if (!order_is_account(s->account))
		return (js_fail_member(at, "account", e,
		    "not an account name ([a-z0-9][a-z0-9._-]{0,31})"));
	return (0);
}

int
order_player_parse(const json_t *args, const struct js_at *at,
    struct order_join *s, struct errinfo *e)
{
	int r;

	if ((r = js_get_hex(
		 args, "dice_key", at, s->dice_key, VRF_KEY_LEN, e)) != 0 ||
	    (r = js_opt_hex(
		 args, "name", at, s->name, HASH_LEN, &s->has_name, e)) != 0 ||
	    (r = order_account_parse(args, at, s, e)) != 0)
		return (r);
	return (order_check_dice_key(s->dice_key, "dice_key", at, e));
}

/* Reads owner_fields: names of roster fields, none twice. */
static int
order_read_fields(const json_t *options, const struct js_at *at,
    const json_t **out, struct errinfo *e)
{
	const json_t *list = NULL, *v;
	size_t i, k;
	int r;

	r = js_opt_array(options, "owner_fields", at, &list, e);
	if (r != 0 || list == NULL)
		return (r);
	if (json_array_size(list) < 1 ||
	    json_array_size(list) > ORDER_FIELDS_MAX)
		return (js_fail_member(at, "owner_fields", e,
		    "a list of 1 to %d names", ORDER_FIELDS_MAX));
	json_array_foreach(list, i, v)
	{
		if (!json_is_string(v) || !js_is_id(json_string_value(v)))
			return (js_fail_member(
			    at, "owner_fields", e, "not a list of names"));
		for (k = 0; k < i; k++) {
			if (json_equal(json_array_get(list, k), v))
				return (js_fail_member(at, "owner_fields", e,
				    "\"%s\" is listed twice",
				    json_string_value(v)));
		}
	}
	*out = list;
	return (0);
}

/* Reads who the witness is and how long it may be silent (S6.9). */
static int
order_read_witness(const json_t *options, const struct js_at *at,
    struct order_create *c, struct errinfo *e)
{
	int r;

	c->witness_s = ORDER_WITNESS_S;
	if ((r = js_opt_hex(options, "witness", at, c->witness, SIGN_KEY_LEN,
		 &c->has_witness, e)) != 0 ||
	    (r = js_opt_int(options, "witness_s", at, ORDER_WITNESS_MIN_S,
		 ORDER_WITNESS_MAX_S, &c->witness_s, e)) != 0)
		return (r);
	if (!c->has_witness && json_object_get(options, "witness_s") != NULL)
		return (js_fail_member(
		    at, "witness_s", e, "the game has no witness"));
	if (!c->has_witness)
		return (0);
	if (!c->is_live)
		return (js_fail_member(at, "witness", e,
		    "only \"live-1\" has one: dice from three hands"));
	if (sign_key_check(c->witness) != 0)
		return (js_fail_member(
		    at, "witness", e, "not an Ed25519 key that may be used"));
	if (statement_has_key(&c->who.keys, c->witness) ||
	    (c->who.keys.has_recovery &&
		memcmp(c->who.keys.recovery, c->witness, SIGN_KEY_LEN) == 0))
		return (js_fail_member(at, "witness", e,
		    "must be the key of somebody who does not play"));
	return (0);
}

/* Reads options: known keys and their values. */
static int
order_read_options(
    const json_t *args, struct order_create *c, struct errinfo *e)
{
	const struct js_at at = {&order_at_args, "options", 0};
	const json_t *options = NULL;
	int64_t seats = 2;
	int r;

	c->may_take_back = true;
	c->seats = 2;
	c->delay = -1;
	c->delay_minutes = -1;
	if ((r = js_opt_object(args, "options", &order_at_args, &options, e)) !=
		0 ||
	    options == NULL)
		return (r);
	c->has_options = true;
	if ((r = js_opt_int(options, "seats", &at, 2, 16, &seats, e)) != 0 ||
	    (r = js_opt_bool(options, "director", &at, &c->has_director, e)) !=
		0 ||
	    (r = js_opt_bool(options, "takeback", &at, &c->may_take_back, e)) !=
		0 ||
	    (r = order_read_fields(options, &at, &c->owner_fields, e)) != 0 ||
	    (r = js_opt_int(options, "delay", &at, 0, 9999, &c->delay, e)) !=
		0 ||
	    (r = js_opt_int(options, "delay_minutes", &at, 1, 10080,
		 &c->delay_minutes, e)) != 0 ||
	    (r = order_read_witness(options, &at, c, e)) != 0)
		return (r);
	if (c->delay >= 0 && c->delay_minutes >= 0)
		return (js_fail_member(&at, "delay_minutes", e,
		    "a game is delayed by turns or by minutes, not by both"));
	c->seats = (int)seats;
	return (0);
}

const char *const order_days[] = {
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", NULL};

/* Reads clock.skip: days of the week that do not count. */
static int
order_read_skip(const json_t *clock, const struct js_at *at, unsigned *out,
    struct errinfo *e)
{
	const json_t *list = NULL, *v;
	unsigned skip = 0;
	size_t i;
	int d, r;

	if ((r = js_opt_array(clock, "skip", at, &list, e)) != 0)
		return (r);
	json_array_foreach(list, i, v)
	{
		for (d = 0; json_is_string(v) && order_days[d] != NULL; d++) {
			if (strcmp(json_string_value(v), order_days[d]) == 0)
				break;
		}
		if (!json_is_string(v) || order_days[d] == NULL ||
		    (skip & 1U << d) != 0)
			return (js_fail_member(at, "skip", e,
			    "a list of \"mon\" to \"sun\", each at most once"));
		skip |= 1U << d;
	}
	if (skip == 0x7f)
		return (js_fail_member(
		    at, "skip", e, "one day of the week must count"));
	*out = skip;
	return (0);
}

/* Reads clock (record S6.7). */
static int
order_read_clock(const json_t *args, struct order_create *c, struct errinfo *e)
{
	static const char *const pers[] = {"order", "side", NULL};
	static const char *const thens[] = {
	    "forfeit", "default", "director", NULL};
	const struct js_at at = {&order_at_args, "clock", 0};
	struct order_clock k = {.is_side = false};
	const json_t *clock = NULL;
	int per, r, then;

	r = js_opt_object(args, "clock", &order_at_args, &clock, e);
	if (r != 0 || clock == NULL)
		return (r);
	if ((r = js_get_enum(clock, "per", &at, pers, &per, e)) != 0 ||
	    (r = js_get_int(clock, "first_s", &at, 60, ORDER_YEAR_S, &k.first_s,
		 e)) != 0 ||
	    (r = js_opt_int(
		 clock, "add_s", &at, 0, ORDER_YEAR_S, &k.add_s, e)) != 0 ||
	    (r = js_opt_int(clock, "cap_s", &at, k.first_s, ORDER_YEAR_S,
		 &k.cap_s, e)) != 0 ||
	    (r = js_opt_int(
		 clock, "grace_s", &at, 0, ORDER_YEAR_S, &k.grace_s, e)) != 0 ||
	    (r = js_opt_int(clock, "notice_s", &at, 0, ORDER_NOTICE_S,
		 &k.notice_s, e)) != 0 ||
	    (r = order_read_skip(clock, &at, &k.skip, e)) != 0 ||
	    (r = js_opt_int(clock, "holidays", &at, 0, 366, &k.holidays, e)) !=
		0 ||
	    (r = js_get_enum(clock, "then", &at, thens, &then, e)) != 0)
		return (r);
	k.is_side = per == 1;
	if (!k.is_side && json_object_get(clock, "add_s") != NULL)
		return (js_fail_member(
		    &at, "add_s", e, "a clock per order has none"));
	if (!k.is_side && json_object_get(clock, "cap_s") != NULL)
		return (js_fail_member(
		    &at, "cap_s", e, "a clock per order has none"));
	k.then = (enum order_clock_then)then;
	c->has_clock = true;
	c->clock = k;
	c->clock_json = clock;
	return (0);
}

/* What leaves something to a director needs one. */
static int
order_check_director(const struct order_create *c, struct errinfo *e)
{
	const struct js_at at = {&order_at_args, "clock", 0};

	if (c->has_director)
		return (0);
	if (c->who.seat == 0)
		return (js_fail_member(&order_at_args, "seat", e,
		    "0 is the director's, and the game has none"));
	if (c->is_director)
		return (js_fail_member(&order_at_args, "silence", e,
		    "\"director\" needs options.director"));
	if (c->has_clock && c->clock.then == ORDER_CLOCK_DIRECTOR)
		return (js_fail_member(
		    &at, "then", e, "\"director\" needs options.director"));
	return (0);
}

bool
order_is_event(const char *s)
{
	size_t i;

	for (i = 0; s[i] != '\0'; i++) {
		if (i >= 64 || s[i] < 0x20 || s[i] > 0x7e)
			return (false);
	}
	return (i > 0);
}

/* Reads what waits for an answer: a boolean or "facts". */
static int
order_read_confirm(
    const json_t *args, struct order_create *c, struct errinfo *e)
{
	const json_t *v = json_object_get(args, "confirm");

	if (v != NULL && !json_is_boolean(v) &&
	    (!json_is_string(v) || strcmp(json_string_value(v), "facts") != 0))
		return (js_fail_member(&order_at_args, "confirm", e,
		    "must be true, false or \"facts\""));
	c->confirms_facts = json_is_string(v);
	c->is_confirm = c->confirms_facts || json_is_true(v);
	return (0);
}

/* Reads how the dice are made and secrets kept. */
static int
order_read_scheme(const json_t *args, struct order_create *c, struct errinfo *e)
{
	static const char *const schemes[] = {"dual-1", "live-1", NULL};
	static const char *const secrets[] = {"held", "sealed", NULL};
	static const char *const silences[] = {"forfeit", "director", NULL};
	const struct js_at *at = &order_at_args;
	int scheme, secret, silence, r;

	if ((r = js_get_enum(args, "scheme", at, schemes, &scheme, e)) != 0 ||
	    (r = js_get_hex(args, "server_dice", at, c->server_dice,
		 VRF_KEY_LEN, e)) != 0 ||
	    (r = js_get_enum(args, "secret", at, secrets, &secret, e)) != 0 ||
	    (r = js_get_enum(args, "silence", at, silences, &silence, e)) !=
		0 ||
	    (r = order_read_confirm(args, c, e)) != 0 ||
	    (r = order_read_clock(args, c, e)) != 0 ||
	    (r = js_opt_bool(args, "private", at, &c->is_private, e)) != 0)
		return (r);
	if ((r = order_check_dice_key(c->server_dice, "server_dice", at, e)) !=
	    0)
		return (r);
	c->is_live = scheme == 1;
	c->is_sealed = secret == 1;
	c->is_director = silence == 1;
	return (0);
}

/* Reads which leg of which tournament the game is (S16). */
static int
order_read_leg(const json_t *args, struct order_create *c, struct errinfo *e)
{
	const struct js_at *at = &order_at_args;
	bool has_line;
	int64_t paired = -1, leg = -1;
	int r;

	if ((r = js_opt_hex(args, "tournament", at, c->tournament, HASH_LEN,
		 &c->has_tournament, e)) != 0 ||
	    (r = js_opt_int(args, "paired", at, 0, JS_INT_MAX, &paired, e)) !=
		0 ||
	    (r = js_opt_hex(
		 args, "line", at, c->line, HASH_LEN, &has_line, e)) != 0 ||
	    (r = js_opt_int(args, "leg", at, 1, 3, &leg, e)) != 0)
		return (r);
	if (c->has_tournament != (paired >= 0) ||
	    c->has_tournament != has_line || c->has_tournament != (leg > 0))
		return (js_fail_member(at, "tournament", e,
		    "tournament, paired, line and leg stand together"));
	if (c->has_tournament &&
	    (c->event == NULL || c->round < 1 || c->table < 1))
		return (js_fail_member(at, "event", e,
		    "a game of a tournament has event, round and table"));
	c->paired = paired;
	c->leg = leg;
	return (0);
}

/* Reads what is played: system, rulings, tables, roster, labels. */
static int
order_read_play(const json_t *args, struct order_create *c, struct errinfo *e)
{
	const struct js_at *at = &order_at_args;
	uint8_t h[HASH_LEN];
	const json_t *v;
	size_t i;
	int r;

	c->round = -1;
	c->table = -1;
	if ((r = js_get_str(args, "system", at, &c->system, e)) != 0 ||
	    (r = js_get_str(args, "rules", at, &c->rules, e)) != 0 ||
	    (r = js_get_object(args, "rulings", at, &c->rulings, e)) != 0 ||
	    (r = js_get_array(args, "tables", at, &c->tables, e)) != 0 ||
	    (r = js_get_hex(args, "roster", at, c->roster, HASH_LEN, e)) != 0 ||
	    (r = js_opt_str(args, "event", at, &c->event, e)) != 0 ||
	    (r = js_opt_int(args, "round", at, 0, JS_INT_MAX, &c->round, e)) !=
		0 ||
	    (r = js_opt_int(args, "table", at, 0, JS_INT_MAX, &c->table, e)) !=
		0)
		return (r);
	json_array_foreach(c->tables, i, v)
	{
		if (!json_is_string(v) ||
		    hex_parse(h, HASH_LEN, json_string_value(v),
			json_string_length(v)) != 0)
			return (js_fail_member(
			    at, "tables", e, "not a list of blob hashes"));
	}
	if (c->event != NULL && !order_is_event(c->event))
		return (js_fail_member(
		    at, "event", e, "not 1 to 64 printable ASCII characters"));
	return (0);
}

int
order_settings_parse(
    const json_t *args, struct order_create *c, struct errinfo *e)
{
	int r;

	if ((r = order_read_scheme(args, c, e)) != 0 ||
	    (r = order_read_options(args, c, e)) != 0)
		return (r);
	return (order_check_director(c, e));
}

int
order_create_parse(
    const struct order *o, struct order_create *c, struct errinfo *e)
{
	struct order_create create = {.who.seat = o->seat};
	int r;

	if ((r = order_check_known(o, NULL, e)) != 0 ||
	    (r = order_player_parse(o->args, &order_at_args, &create.who, e)) !=
		0 ||
	    (r = order_read_play(o->args, &create, e)) != 0 ||
	    (r = order_read_leg(o->args, &create, e)) != 0 ||
	    (r = order_settings_parse(o->args, &create, e)) != 0)
		return (r);
	*c = create;
	return (0);
}

int
order_join_parse(const struct order *o, struct order_join *j, struct errinfo *e)
{
	struct order_join join = {0};
	int64_t n;
	int r;

	if ((r = order_check_known(o, NULL, e)) != 0)
		return (r);
	r = order_read_number(o->args, &order_at_args, &n, e);
	if (r != 0 ||
	    (r = order_player_parse(o->args, &order_at_args, &join, e)) != 0)
		return (r);
	if (n != o->seat)
		return (js_fail_member(&order_at_args, "seat", e,
		    "not the seat that the order names"));
	join.seat = (int)n;
	*j = join;
	return (0);
}

int
order_newcomer_parse(const json_t *data, const struct js_at *at,
    struct order_join *j, struct errinfo *e)
{
	struct order_join join = {0};
	int64_t n;
	int r;

	if ((r = order_read_number(data, at, &n, e)) != 0 ||
	    (r = order_player_parse(data, at, &join, e)) != 0)
		return (r);
	join.seat = (int)n;
	*j = join;
	return (0);
}

int
order_dice_key_parse(
    const struct order *o, uint8_t key[VRF_KEY_LEN], struct errinfo *e)
{
	int r;

	if ((r = order_check_known(o, NULL, e)) != 0)
		return (r);
	r = js_get_hex(
	    o->args, "dice_key", &order_at_args, key, VRF_KEY_LEN, e);
	if (r != 0)
		return (r);
	return (order_check_dice_key(key, "dice_key", &order_at_args, e));
}

int
order_write(const struct order_parts *p, struct buf *out)
{
	uint8_t nonce[ORDER_NONCE_LEN];
	char now[CLOCK_AT_LEN + 1];
	struct buf b;
	int r;

	if ((r = hash_random(nonce, sizeof(nonce))) != 0)
		return (r);
	buf_init(&b, ORDER_TEXT_MAX);
	buf_puts(&b, "{\"v\":1");
	js_put_hex(&b, "server", p->server, SIGN_KEY_LEN);
	if (p->kind != ORDER_CREATE) {
		js_put_hex(&b, "game", p->game, HASH_LEN);
		js_put_int(&b, "seat", p->seat);
		js_put_int(&b, "after", p->after);
		js_put_hex(&b, "head", p->head, HASH_LEN);
	}
	js_put_hex(&b, "nonce", nonce, sizeof(nonce));
	if (p->now_ms >= 0) {
		clock_format(now, p->now_ms);
		js_put_str(&b, "now", now);
	}
	js_put_str(&b, "kind", order_kind_name(p->kind));
	if (p->place != NULL)
		js_put_str(&b, "place", p->place);
	if (p->own != NULL)
		js_put_hex(&b, "own", p->own, VRF_PROOF_LEN);
	if (p->other != NULL)
		js_put_hex(&b, "other", p->other, VRF_PROOF_LEN);
	js_put_json(&b, "args", p->args);
	buf_putc(&b, '}');
	if ((r = buf_error(&b)) == 0)
		buf_add(out, b.data, b.len);
	buf_clear(&b);
	return (r != 0 ? r : buf_error(out));
}
