/* SPDX-License-Identifier: ISC */
#include "tests/lib/peer.h"
#include "common/base/clock.h"

const char peer_roster[] =
    "{\"blob\":\"roster\",\"system\":\"lasalle2\",\"sides\":{\"1\":{"
    "\"units\":[{\"id\":\"fr-a\",\"arm\":\"infantry\",\"strength\":5}]},"
    "\"2\":{\"units\":[{\"id\":\"ru-a\",\"arm\":\"infantry\",\"strength\":5}]"
    "}}}";

int
peer_dial(const struct daemon *d)
{
	const struct timeval tv = {.tv_sec = PEER_WAIT_MS / 1000};
	struct sockaddr_in sin = {.sin_family = AF_INET,
	    .sin_port = htons(server_port(d->sv)),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	assert_int_not_equal(fd, -1);
	/* Else what follows a handshake waits 40 ms for the kernel's ACK. */
	assert_int_equal(
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), 0);
	assert_int_equal(
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&sin, sizeof(sin)), 0);
	return (fd);
}

void
peer_part(struct peer *p)
{
	SSL_free(p->ssl);
	SSL_CTX_free(p->ctx);
	(void)close(p->fd);
	frame_clear(&p->in);
}

bool
peer_try_to_meet(struct peer *p, const struct daemon *d)
{
	memset(p, 0, sizeof(*p));
	p->fd = peer_dial(d);
	frame_init(&p->in, RPC_REPLY_MAX);
	p->ctx = SSL_CTX_new(TLS_client_method());
	assert_non_null(p->ctx);
	assert_int_equal(SSL_CTX_set1_groups_list(p->ctx, "X25519:P-256"), 1);
	p->ssl = SSL_new(p->ctx);
	assert_non_null(p->ssl);
	assert_int_equal(SSL_set_fd(p->ssl, p->fd), 1);
	if (SSL_connect(p->ssl) != 1) {
		peer_part(p);
		return (false);
	}
	assert_int_equal(SSL_export_keying_material(p->ssl, p->exporter, 32,
			     "EXPORTER-Channel-Binding", 24, NULL, 0, 0),
	    1);
	return (true);
}

void
peer_meet(struct peer *p, const struct daemon *d)
{
	assert_true(peer_try_to_meet(p, d));
}

void
peer_say(struct peer *p, const void *bytes, size_t n)
{
	assert_int_equal(SSL_write(p->ssl, bytes, (int)n), n);
}

bool
peer_hear(struct peer *p, struct rpc_reply *rp)
{
	char piece[16384];
	const char *line;
	struct errinfo e;
	size_t len;
	int n;

	while (frame_next(&p->in, &line, &len) == ERR_NOTFOUND) {
		if ((n = SSL_read(p->ssl, piece, sizeof(piece))) <= 0)
			return (false);
		assert_int_equal(frame_feed(&p->in, piece, (size_t)n), 0);
		if (p->heard != NULL)
			buf_add(p->heard, piece, (size_t)n);
	}
	if (rpc_reply_parse(line, len, rp, &e) != 0)
		fail_msg("%s: %.*s", e.text, (int)len, line);
	return (true);
}

int64_t
peer_ask(struct peer *p, const char *method, json_t *params)
{
	struct buf b;

	buf_init(&b, 0);
	rpc_write_request(&b, ++p->id, method, params);
	json_decref(params);
	assert_int_equal(buf_error(&b), 0);
	peer_say(p, b.data, b.len);
	buf_clear(&b);
	return (p->id);
}

void
peer_call(
    struct peer *p, const char *method, json_t *params, struct rpc_reply *rp)
{
	const int64_t id = peer_ask(p, method, params);

	assert_true(peer_hear(p, rp));
	assert_int_equal(rp->id, id);
}

void
peer_gives(struct peer *p, const char *method, json_t *params, int r)
{
	struct rpc_reply rp;

	peer_call(p, method, params, &rp);
	if (rp.r != r)
		fail_msg("%s: %s, not %s: %s", method, err_name(rp.r),
		    err_name(r), rp.message == NULL ? "" : rp.message);
	rpc_reply_clear(&rp);
}

json_t *
peer_proof(const struct daemon *d, const uint8_t exporter[32],
    const struct sign_key *key, const char *account)
{
	uint8_t sig[SIGN_LEN];
	struct buf b;

	buf_init(&b, 0);
	buf_add(&b, exporter, 32);
	buf_add(&b, d->identity, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)strlen(account));
	buf_puts(&b, account);
	assert_int_equal(sign_make(key, SIGN_TAG_LOGIN, b.data, b.len, sig), 0);
	buf_clear(&b);
	return (json_pack("{s:s, s:o, s:o}", "account", account, "key",
	    js_hex(key->public_key, SIGN_KEY_LEN), "sig",
	    js_hex(sig, SIGN_LEN)));
}

json_t *
peer_invited(const struct daemon *d, const struct peer *p,
    const struct sign_key *key, const char *account, const char *code)
{
	json_t *params = peer_proof(d, p->exporter, key, account);

	assert_int_equal(
	    json_object_set_new(params, "invite", json_string(code)), 0);
	return (params);
}

void
peer_key_of(struct sign_key *key, uint8_t n)
{
	const uint8_t seed[SIGN_KEY_LEN] = {n, 7};

	assert_int_equal(sign_key_from_seed(key, seed), 0);
}

/* ---- games ---- */

/* Makes the args of the create order. */
static json_t *
peer_create_args(struct peer *p, const struct player *pl)
{
	static const char zeros[] = "00000000000000000000000000000000"
				    "00000000000000000000000000000000";
	struct rpc_reply blob, hello;
	json_t *args;

	peer_call(
	    p, "blob.put", json_pack("{s:s}", "value", peer_roster), &blob);
	peer_call(p, "server.hello", NULL, &hello);
	args = json_pack("{s:i, s:o, s:o, s:s, s:s, s:s, s:i, s:s, s:{}, s:[],"
			 " s:O, s:s, s:O, s:s, s:s}",
	    "seat", 1, "key", js_hex(pl->keys.sign.public_key, SIGN_KEY_LEN),
	    "dice_key", js_hex(pl->keys.dice.public_key, VRF_KEY_LEN), "system",
	    "lasalle2", "rules", "lasalle2/1", "account", "anna", "kn", 0,
	    "kprev", zeros, "rulings", "tables", "roster",
	    json_object_get(blob.result, "hash"), "scheme", "dual-1",
	    "server_dice", json_object_get(hello.result, "server_dice"),
	    "secret", "held", "silence", "forfeit");
	rpc_reply_clear(&blob);
	rpc_reply_clear(&hello);
	assert_non_null(args);
	return (args);
}

/* Reads an order's line out of its reply. */
static void
peer_read_line(const struct rpc_reply *rp, struct record_line *ln)
{
	const char *line;
	struct errinfo e;

	if (rp->r != 0)
		fail_msg("%s at %s", rp->message, rp->where);
	assert_int_equal(js_get_str(rp->result, "line", NULL, &line, &e), 0);
	assert_int_equal(record_parse(line, strlen(line), ln, &e), 0);
}

void
peer_create(struct peer *p, const struct daemon *d, struct player *pl)
{
	uint8_t sig[SIGN_LEN];
	struct record_line ln;
	struct rpc_reply rp;
	struct buf text;
	json_t *args;

	peer_key_of(&pl->keys.sign, 1);
	assert_int_equal(vrf_key_make(&pl->keys.dice), 0);
	peer_gives(p, "account.register",
	    peer_proof(d, p->exporter, &pl->keys.sign, "anna"), 0);
	args = peer_create_args(p, pl);
	buf_init(&text, 0);
	assert_int_equal(game_make_create(d->identity, &pl->keys, args,
			     clock_wall_ms(), &text, sig),
	    0);
	peer_call(p, "game.create",
	    json_pack("{s:s, s:o}", "order", buf_str(&text), "sig",
		js_hex(sig, SIGN_LEN)),
	    &rp);
	peer_read_line(&rp, &ln);
	memcpy(pl->game, ln.game, HASH_LEN);
	memcpy(pl->head, ln.hash, HASH_LEN);
	hex_format(pl->id, ln.game, HASH_LEN);
	record_clear(&ln);
	rpc_reply_clear(&rp);
	json_decref(args);
	buf_clear(&text);
}

json_t *
peer_chat(const struct daemon *d, const struct player *pl, const char *words)
{
	const uint8_t salt[RECORD_SALT_LEN] = {9};
	uint8_t ref[HASH_LEN], sig[SIGN_LEN];
	struct order_parts parts = {.server = d->identity,
	    .now_ms = clock_wall_ms(),
	    .game = pl->game,
	    .seat = 1,
	    .head = pl->head,
	    .kind = ORDER_CHAT};
	json_t *args, *params;
	struct buf b;

	assert_int_equal(record_text_ref(ref, salt, words, strlen(words)), 0);
	args = json_pack("{s:o}", "ref", js_hex(ref, HASH_LEN));
	parts.args = args;
	buf_init(&b, 0);
	assert_int_equal(order_write(&parts, &b), 0);
	assert_int_equal(
	    sign_make(&pl->keys.sign, SIGN_TAG_ORDER, b.data, b.len, sig), 0);
	params = json_pack("{s:s, s:o, s:[{s:o, s:s}]}", "order", buf_str(&b),
	    "sig", js_hex(sig, SIGN_LEN), "texts", "salt",
	    js_hex(salt, sizeof(salt)), "value", words);
	buf_clear(&b);
	json_decref(args);
	assert_non_null(params);
	return (params);
}

void
peer_hear_entry(struct peer *p, const struct player *pl, int64_t seq)
{
	struct rpc_reply rp;
	const char *game;
	struct errinfo e;
	int64_t n;

	assert_true(peer_hear(p, &rp));
	assert_non_null(rp.method);
	assert_string_equal(rp.method, "game.entry");
	assert_int_equal(js_get_str(rp.params, "game", NULL, &game, &e), 0);
	assert_string_equal(game, pl->id);
	assert_int_equal(
	    js_get_int(rp.params, "seq", NULL, 0, JS_INT_MAX, &n, &e), 0);
	assert_int_equal(n, seq);
	assert_int_equal(
	    json_array_size(json_object_get(rp.params, "side")), 1);
	rpc_reply_clear(&rp);
}
