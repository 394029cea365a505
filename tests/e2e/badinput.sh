#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Bad input: each kind gets its own clear error, and nothing is changed: a
# dump of every table before and after is equal.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need timeout

db=$work/umpired/umpired.db
start_umpired "$work/umpired" || exit 99
enter anna bert || exit 99
forge_game anna bert || exit 99

# keep: what the tables hold from here on.
keep() {
	tables "$db" >"$work/before"
}

# same WHAT: a case; the tables hold what they held.
same() {
	tables "$db" >"$work/after"
	if cmp -s "$work/before" "$work/after"; then
		pass "$1: nothing changed"
	else
		fail "$1: nothing changed" \
			"$(diff "$work/before" "$work/after" | cut -c1-200 | head)"
		keep
	fi
}

# bad WHAT CODE NAME [WHERE]: two cases, about $reply and about the tables.
bad() {
	refused "$@"
	same "$1"
}

# ---- what is no request ----

keep
is "the tables are not empty" "$(grep -c '^INSERT INTO record ' \
	"$work/before")" 4

ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list"'
bad "JSON that stops" -32700 malformed "byte 45"
ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list",}'
bad "JSON with a comma too many" -32700 malformed "byte 46"
ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list"} {}'
bad "two values in a line" -32700 malformed "byte 47"
ask anna send '{"jsonrpc":"2.0","id":1.5,"method":"game.list"}'
bad "a number with a fraction" -32700 malformed "byte 23"
ask anna send '{"jsonrpc":"2.0","id":1,"id":2,"method":"game.list"}'
bad "a key twice" -32700 malformed "byte 25"
ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list","params":{"limit":1,"limit":2}}'
bad "a key twice, deeper" -32700 malformed "byte 66"
ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list","params":{"limit":1,"\u006cimit":2}}'
bad "a key twice, once in escapes" -32700 malformed "byte 66"
printf '{"jsonrpc":"2.0","id":1,"method":"game.\xff"}\n' >"$work/bytes"
ask anna file "$work/bytes"
bad "a byte that is no UTF-8" -32700 malformed "byte 40"
printf '{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}\n' >"$work/bytes"
ask anna file "$work/bytes"
bad "a surrogate in UTF-8" -32700 malformed "byte 35"
printf '{"jsonrpc":"2.0","id":1,"method":"\xc0\xaf"}\n' >"$work/bytes"
ask anna file "$work/bytes"
bad "UTF-8 longer than it need be" -32700 malformed "byte 35"
ask anna send '{"jsonrpc":"2.0","id":1,"method":"\ud800"}'
bad "a surrogate alone" -32700 malformed "byte 35"
ask anna send '{"jsonrpc":"2.0","id":1,"method":"a\u0000"}'
bad "U+0000" -32700 malformed "byte 36"
ask anna send '[{"jsonrpc":"2.0","id":1,"method":"game.list"}]'
bad "a batch" -32600 request
ask anna send '{"id":1,"method":"game.list"}'
bad "no version of JSON-RPC" -32600 request jsonrpc
ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list","params":[]}'
bad "params in an array" -32600 request params
ask anna send '{"jsonrpc":"2.0","id":1,"method":"game.list","extra":1}'
bad "an unknown member" -32600 request extra

# nested DEPTH: a request as deep as that.
nested() {
	printf '{"jsonrpc":"2.0","id":1,"method":"game.list","params":{"x":%s%s}}' \
		"$(printf '[%.0s' $(seq $(($1 - 2))))" \
		"$(printf ']%.0s' $(seq $(($1 - 2))))"
}

ask anna send "$(nested 32)"
bad "as deep as it may be" -32602 invalid params.x
ask anna send "$(nested 33)"
bad "too deep" -32700 malformed "byte 90"
ask anna send "$(nested 4000)"
bad "much too deep" -32700 malformed "byte 90"
ask anna send "$(nested 20000)"
bad "so deep that it is too much" 4 too-big

# long BYTES: a request of that length, without its LF.
long() {
	local head='{"jsonrpc":"2.0","id":1,"method":"'
	printf '%s%s"}' "$head" \
		"$(head -c $(($1 - ${#head} - 2)) /dev/zero | tr '\0' m)"
}

session long
ask long send "$(long 65536)"
bad "a line as long as it may be" -32601 method method
printf '%s\n' "$(long 65537)" >"$work/bytes"
ask long file "$work/bytes"
bad "a line over the limit" 4 too-big
ask long line 5000
is "a line over the limit ends the connection" "$(of .failed)" closed
close_session long
session long
head -c 300000 /dev/zero | tr '\0' '{' >"$work/bytes"
ask long file "$work/bytes"
bad "a line without end" 4 too-big
ask long line 5000
is "a line without end ends the connection" "$(of .failed)" closed
close_session long

# ---- requests that make no sense ----

ask anna call game.destroy '{}'
bad "an unknown method" -32601 method method
ask anna call game.show '{}'
bad "a missing param" -32602 invalid params.game
ask anna call game.show '{"game":7}'
bad "a param of the wrong type" -32602 invalid params.game
ask anna call game.show "{\"game\":\"$game\",\"gane\":1}"
bad "an unknown param" -32602 invalid params.gane
ask anna call game.show '{"game":"abc"}'
bad "a prefix too short" -32602 invalid params.game
ask anna call game.list '{"limit":0}'
bad "a number out of range" -32602 invalid params.limit
ask anna call game.watch "{\"game\":\"$game\",\"after\":4}"
bad "watching from beyond the end" -32602 invalid params.after
other=$(printf 'f%.0s' $(seq 64))
ask anna call game.show "{\"game\":\"$other\"}"
bad "an unknown game" 7 not-found params.game
ask anna call blob.get "{\"hash\":\"$other\"}"
bad "an unknown blob" 7 not-found params.hash
ask anna call blob.put '{"value":"{\"blob\":"}'
bad "a blob that is no JSON" -32602 invalid params.value
ask anna call blob.put '{"value":"{\"a\":1,\"blob\":\"bag\"}"}'
bad "a blob that is none" -32602 invalid params.value
ask anna call blob.put "$(head -c 40001 /dev/zero | tr '\0' ' ' |
	jq -Rc '{value: ("{\"blob\":\"bag\"}" + .)}')"
bad "a blob too big" 4 too-big params.value

session nobody
ask nobody call blob.put '{"value":"{\"blob\":\"bag\",\"bag\":[]}"}'
bad "storing without a login" 5 login
look nobody
ask nobody call game.order "$(ask anna sign "$(order_text 1 resign '{}')" &&
	echo "$reply")"
bad "an order without a login" 5 login
close_session nobody

# ---- accounts ----

make_keys carl
session carl carl
ask carl login carl
bad "an account that is not there" 6 denied params.key
ask carl login anna
bad "an account with another key" 6 denied params.key
ask carl register anna
bad "a name that is taken" 8 exists params.account
ask anna register anna-2
bad "a key that has an account" 8 exists params.key
ask carl register Carl
bad "a name with a capital" -32602 invalid params.account
ask carl keys
key=$(of .sign)
sig=$(printf '%0128d' 0)
ask carl call account.register "{\"account\":\"carl\",\"key\":\"$key\",\"sig\":\"$sig\"}"
bad "a wrong login signature" 14 signature params.sig
for key in "$zeros" "01${zeros:2}" "00${zeros:4}80" \
	c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa \
	"ec$(printf 'f%.0s' $(seq 60))7f" "ee$(printf 'f%.0s' $(seq 60))ff"; do
	[ ${#key} = 64 ] || fail "the key has 64 digits: $key"
	ask carl call account.register "{\"account\":\"carl\",\"key\":\"$key\",\"sig\":\"$sig\"}"
	bad "a key of small order, ${key:0:4}, in register" 14 signature params.key
done
small=$key

# ---- orders ----

# final WHAT: a case; $reply holds a refusal of the last order, signed by the
# server, with the reason WHY, as a stranger's tool sees it.
final() {
	local text sig
	text=$(of .error.data.refusal.text)
	sig=$(of .error.data.refusal.sig)
	is "$1: the refusal says why" "$("$tools/pick" .v .game .why .seq .head \
		<<<"$text")" "1 $game $2 $seq $head"
	{
		printf '\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00'
		unhex "$server_key"
	} >"$work/key.der"
	printf 'umpire/refusal/1\0%s' "$text" >"$work/refusal"
	unhex "$sig" >"$work/sig"
	exits 0 "$1: the refusal is signed" openssl pkeyutl -verify -pubin \
		-keyform DER -inkey "$work/key.der" -rawin -in "$work/refusal" \
		-sigfile "$work/sig"
}

# none WHAT: a case; the error brings no refusal.
none() {
	is "$1: no refusal is signed" "$(of .error.data.refusal)" null
}

combat=$(jq -c . "$work/combat.json")
declare_args() {
	jq -c --argjson c "$combat" -n "{combat: (\$c | $1)}"
}
place=c/1/austrian-1/1/1

look bert
good=$(order_text 2 turn.end '{}' p/1)
ask bert pool "$pool"
ask bert order "$(order_text 1 declare "$(declare_args .)" "$place")"
bad "another's seat" 12 illegal params.order.seat
final "another's seat" illegal
ask bert order "$good"
bad "the other side's turn" 11 stale params.order.seat
final "the other side's turn" stale

ask anna pool "$pool"
ask anna sign "$(order_text 1 turn.end '{}' p/1)"
signed=$reply
for i in 0 63 64 127; do
	changed=$(jq -c --argjson i "$i" '.sig |= (.[:$i] +
		(if .[$i:$i+1] == "0" then "1" else "0" end) + .[$i+1:])' \
		<<<"$signed")
	ask anna call game.order "$changed"
	bad "a wrong signature, digit $i" 14 signature params.sig
	none "a wrong signature, digit $i"
done
ask anna call game.order "$(jq -c '.order += " "' <<<"$signed")"
bad "a signature of other bytes" 14 signature params.sig
ask bert call game.order "$(jq -c 'del(.key)' <<<"$signed")"
bad "a signature by another key" 14 signature params.sig
ask anna call game.order "$(jq -c --arg k "$small" '.key = $k' <<<"$signed")"
bad "an order by a key of small order" 14 signature params.key

ask anna call game.order "$(jq -c '.order = 7' <<<"$signed")"
bad "an order that is no text" -32602 invalid params.order
ask anna call game.order "$(jq -c 'del(.sig)' <<<"$signed")"
bad "an order without a signature" -32602 invalid params.sig
ask anna order '{"v":1,"v":1}'
bad "an order with a key twice" -32602 invalid "params.order byte 8"
ask anna order '{"v":1,'
bad "an order that stops" -32602 invalid "params.order byte 8"
ask anna order '{"v":1}'
bad "an order with little in it" -32602 invalid params.order.server
ask anna order "$(order_text 1 resign '{}' | sed 's/}$/,"extra":1}/')"
bad "an order with an unknown member" -32602 invalid params.order.extra
ask anna order "$(order_text 1 resign '{}' | sed 's/"seat":1/"seat":-0/')"
bad "an order with -0" -32602 invalid "params.order byte 267"
ask anna order "$(order_text 1 resign '{}' p/1)"
bad "a place where none belongs" -32602 invalid params.order.place
ask anna order "$(order_text 1 turn.end '{}')"
bad "no place where one belongs" -32602 invalid params.order.place
ask anna order "$(order_text 1 resign '{}')$(printf '%16400s' '')"
bad "an order too long" 4 too-big params.order
deep=$(printf '[%.0s' $(seq 15))$(printf ']%.0s' $(seq 15))
ask anna order "$(order_text 1 resign "{\"x\":$deep}")"
bad "an order too deep" -32602 invalid "params.order byte 202"
ask anna order "$(order_text 1 dance '{}')"
bad "an order of an unknown kind" 12 illegal params.order.kind
ask anna order "$(create_text '{}')"
bad "create without settings" -32602 invalid params.order.args.seat
ask anna call game.order "$(jq -c . <<<"$(ask anna sign "$(create_text \
	"$(create_args 1 anna)")" && echo "$reply")")"
bad "a create order to game.order" -32602 invalid params.order.kind

ask anna order "$(order_text 1 resign '{}' |
	sed "s/$server_key/${server_key:1}${server_key:0:1}/")"
bad "an order of another server" 9 other-server params.order.server
none "an order of another server"
ask anna order "$(order_text 1 resign '{}' | sed "s/\"$game\"/\"$other\"/")"
bad "an order to an unknown game" 7 not-found params.order.game
none "an order to an unknown game"
ask anna order "$(order_text 1 resign '{}' | sed "s/\"$head\"/\"$other\"/")"
bad "a head of another history" 10 fork params.order.head
none "a head of another history"
is "a head of another history: the head is told" \
	"$(of '.error.data.head | "\(.seq) \(.hash)"')" "$seq $head"
ask anna order "$(order_text 1 resign '{}' | sed 's/"after":3/"after":4/')"
bad "a line that is not there" 10 fork params.order.after
none "a line that is not there"
old=$(of '.error.data.head.seq')
is "a line that is not there: the head is told" "$old" "$seq"

# An order upon line 1, before the last ready.
ask anna call game.record "{\"game\":\"$game\",\"from\":1,\"to\":2}"
prev=$(of '.result.lines[1] | fromjson | .prev')
ask anna order "$(order_text 1 resign '{}' |
	sed "s/\"after\":3/\"after\":1/;s/\"$head\"/\"$prev\"/")"
bad "a stale order" 11 stale params.order.after
final "a stale order" stale
ask anna order "$(order_text 1 turn.end '{}' p/0)"
bad "the place of an earlier turn" 11 stale params.order.place
final "the place of an earlier turn" stale
ask anna order "$(order_text 1 turn.end '{}' p/1 |
	sed 's/@own/@own/;s/"own":"@own"/"own":"'"$(printf '%0162d' 0)"'"/')"
bad "a proof that does not hold" 12 illegal params.order.own
final "a proof that does not hold" illegal
ask anna order "$(order_text 1 decide \
	'{"ask":3,"decision":{"kind":"retire","units":[]}}' "$place")"
bad "a decision when none is owed" 11 stale
final "a decision when none is owed" stale
ask anna order "$(order_text 1 ready '{}' p/1)"
bad "ready in the middle of the game" 11 stale
final "ready in the middle of the game" stale
ask anna order "$(order_text 1 dance '{"dice":1,"sides":6}' f/1/1)"
bad "a kind of a later version" 12 illegal params.order.kind
like "a kind of a later version is named" <(echo "$reply") \
	'"dance\\" is not in this version'

# illegal WHAT FILTER WHERE [PLACE]: a declaration that is refused.
illegal() {
	ask anna order "$(order_text 1 declare "$(declare_args "$2")" \
		"${4:-$place}")"
	bad "$1" 12 illegal "params.order.args.combat$3"
	final "$1" illegal
}

illegal "a unit that is not in the roster" '.attackers[0].id = "french-x" |
	.contacts[0].attacker = "french-x"' '.attackers[0].id'
illegal "the enemy's unit among one's own" '.attackers[1].id = "austrian-2" |
	.contacts[1].attacker = "austrian-2"' '.attackers[1].id'
illegal "a strength that is not the roster's" '.attackers[0].strength = 9' \
	'.attackers[0].strength'
illegal "another arm's formation" '.attackers[0].formation = "limbered"' \
	'.attackers[0].formation'
illegal "a contact with nobody" '.contacts[1].defender = "austrian-9"' \
	'.contacts[1].defender'
illegal "an edge that is none" '.contacts[2].edge = "top"' '.contacts[2].edge'
illegal "a fact that there is not" '.attackers[0].strenght = 6' \
	'.attackers[0].strenght'
illegal "no defender" '.defenders = []' ''

# A place that the facts do not give.
ask anna order "$(order_text 1 declare "$(declare_args .)" c/1/austrian-2/1/1)"
bad "dice for another place" 11 stale params.order.place
final "dice for another place" stale

# ---- decisions ----

ask anna order "$(order_text 1 declare "$(declare_args .)" "$place")"
is "the declaration itself is taken" "$(of .result.seq)" 4
first=$(of .result.line)
nonce=$(jq -r '.order | fromjson | .nonce' <<<"$first")
keep
ask anna again
is "a repeated order is answered with its line" "$(of .result.line)" "$first"
is "a repeated order is called so" "$(of '"\(.result.repeat) \(.result.seq)"')" \
	'true 4'
same "a repeated order"

look bert
ask bert pool "$pool"
ask anna pool "$pool"
ask anna order "$(order_text 1 resign '{}' | sed "s/@nonce/$nonce/")"
bad "a nonce that was used" 13 nonce-used params.order.nonce
final "a nonce that was used" nonce-used

# What an order says of its author's clock (record S3).
# dated WHAT NOW: an order with that in the place of @now, whose outcome is
# unknown: it may be sent again.
dated() {
	ask anna order "$(order_text 1 resign '{}' | sed "s/$2/")"
	bad "$1" 22 clock params.order.now
	none "$1"
}

dated "an order without its time" '"now":"@now",/'
dated "an order that is dated ahead" \
	"@now/$(date -ud '15 minutes' +%FT%T.000Z)"
is "the times are told" "$(of '.error.message | test("but it is 20")')" true
ask anna order "$(order_text 1 resign '{}' | sed 's/@now/2026-02-30T00:00:00.000Z/')"
bad "an order of a day that there is not" -32602 invalid params.order.now

# decide WHAT DECISION WHERE: a decision that is refused.
decide() {
	ask bert order "$(order_text 2 decide "{\"ask\":4,\"decision\":$2}" \
		"$place")"
	bad "$1" 12 illegal "params.order.args$3"
	final "$1" illegal
}

decide "a decision about the enemy's unit" \
	'{"kind":"retire","units":["french-a"]}' '.decision.units[0]'
decide "a decision about a unit that may not" \
	'{"kind":"retire","units":["austrian-1"]}' '.decision.units[0]'
decide "a unit twice in a decision" \
	'{"kind":"retire","units":["austrian-3","austrian-3"]}' \
	'.decision.units[1]'
decide "a decision of another kind" '{"kind":"stagger","order":[]}' \
	'.decision.kind'
decide "a decision without its members" '{"kind":"retire"}' \
	'.decision.units'
decide "a decision with a member too many" \
	'{"kind":"retire","units":[],"x":1}' '.decision.x'
ask bert order "$(order_text 2 decide \
	'{"ask":3,"decision":{"kind":"retire","units":[]}}' "$place")"
bad "an answer to another question" 11 stale params.order.args.ask
ask anna order "$(order_text 1 decide \
	'{"ask":4,"decision":{"kind":"retire","units":[]}}' "$place")"
bad "the other side's decision" 11 stale params.order.seat
ask anna order "$(order_text 1 turn.end '{}' p/1)"
bad "ending the turn while a combat is open" 12 illegal
ask anna order "$(order_text 1 declare "$(declare_args .)" "$place")"
bad "a second combat while one is open" 12 illegal

# ---- an answer to a declaration ----

battle=$game
ask anna order "$(create_text "$(create_args 1 anna '. + {confirm: true}')")"
game=$(of '.result.line | fromjson | .game')
look bert
ask bert order "$(order_text 2 join "$(join_args 2 bert)")"
give bert 2 ready '{}' p/0
give anna 1 ready '{}' p/0
give anna 1 declare "$(declare_args .)" "$place"
is "a declaration waits to be confirmed" \
	"$(of '.result.line | fromjson | .owes.seat')" 2
keep
why=$({
	printf 'umpire/text/1\0'
	unhex "$zeros"
	printf 'it is right'
} | sha256sum | cut -c1-64)
ask bert texts '[{"salt":"'"$zeros"'","value":"it is right"}]'
look bert
ask bert order "$(order_text 2 answer \
	"{\"to\":4,\"say\":\"agree\",\"why\":\"$why\"}")"
bad "agreeing for a reason" 12 illegal params.order.args.why
final "agreeing for a reason" illegal
ask bert texts '[]'
ask bert order "$(order_text 2 answer '{"to":4,"say":"agree"}')"
is "agreeing without one is taken" "$(of .result.seq)" 5
game=$battle
look anna
ask anna pool "$pool"
ask bert pool "$pool"
keep

# ---- talk ----

ask anna order "$(order_text 1 chat "{\"ref\":\"$other\"}")"
bad "a chat whose words were not sent" 16 missing params.texts
ask anna texts '[{"salt":"'"$zeros"'","value":"not what was named"}]'
ask anna order "$(order_text 1 chat "{\"ref\":\"$other\"}")"
bad "a chat with other words" -32602 invalid params.texts
ask anna texts "$(head -c 4001 /dev/zero | tr '\0' x |
	jq -Rc --arg s "$zeros" '[{salt: $s, value: .}]')"
ask anna order "$(order_text 1 chat "{\"ref\":\"$other\"}")"
bad "a chat too long" 4 too-big 'params.texts[0].value'
ask anna texts '[]'

# ---- settings of later versions, and others that are wrong ----

# setting WHAT FILTER WHERE: a create order that this version refuses.
setting() {
	ask anna order "$(create_text "$(create_args 1 anna "$2")")"
	bad "create with $1" 12 illegal "params.order.args.$3"
	is "create with $1: the refusal is final" \
		"$(of '.error.data.refusal.text | fromjson | .why')" illegal
	like "create with $1 says so" <(of .error.message) \
		"$1.* is not in this version"
}

setting weather '.options = {"weather": true}' options.weather
setting chess '.system = "chess"' system
setting lasalle2/99 '.rules = "lasalle2/99"' rules

# unlawful WHAT FILTER CODE NAME WHERE: any other create that is refused.
unlawful() {
	ask anna order "$(create_text "$(create_args 1 anna "$2")")"
	bad "create with $1" "$3" "$4" "params.$5"
}

unlawful "an unknown setting" '.colour = 1' 12 illegal order.args.colour
unlawful "a clock of days" '.clock = {"days": 3}' 12 illegal \
	order.args.clock.days
unlawful "a clock that never runs" '.clock = {"per": "order", "first_s": 60,
	"skip": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
	"then": "forfeit"}' 12 illegal order.args.clock.skip
unlawful "silence to a director that there is not" \
	'.silence = "director"' 12 illegal order.args.silence
unlawful "two delays" '.options = {"delay": 2, "delay_minutes": 2}' 12 \
	illegal order.args.options.delay_minutes
unlawful "too many seats" '.options = {"seats": 17}' 12 illegal \
	order.args.options.seats
unlawful "an unknown ruling" '.rulings = {"x": true}' 12 illegal order.args.rulings.x
unlawful "a ruling outside its values" \
	'.rulings = {"garrison_has_flanks": 3}' 12 illegal \
	order.args.rulings.garrison_has_flanks
unlawful "a roster that was not sent" ".roster = \"$other\"" 16 missing order.args.roster
unlawful "the seat of nobody" '.seat = 3' -32602 invalid order.args.seat
unlawful "another's account" '.account = "bert"' 12 illegal order.args.account
ask bert keys
unlawful "another's key" ".key = \"$(of .sign)\"" -32602 invalid key
ask anna sign "$(create_text "$(create_args 1 anna ".key = \"$small\"")")"
ask anna call game.create "$(jq -c --arg k "$small" '.key = $k' <<<"$reply")"
bad "create with a key of small order" 14 signature params.key
unlawful "a dice key that is none" '.dice_key |= "05" + .[2:]' 12 illegal \
	order.args.dice_key
unlawful "another server's dice key" '.server_dice = .dice_key' 12 illegal \
	order.args.server_dice

# ---- those that speak another language ----

# ends WHAT BYTES: a case; the port ends the connection by itself.
ends() {
	if printf "$2" | timeout 20 bash -c \
		'exec 3<>/dev/tcp/127.0.0.1/$1 && cat >&3 && cat <&3' - "$port" \
		>"$out" 2>"$err"; then
		pass "$1 gets an end"
	else
		fail "$1 gets an end" "it hung, or: $(cat "$err")"
	fi
	same "$1"
}

ends "HTTP without TLS" 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
ends "plain text" 'hello\n'
ends "JSON without TLS" '{"jsonrpc":"2.0","id":1,"method":"game.list"}\n'
session http
ask http send 'GET / HTTP/1.1'
bad "HTTP in TLS" -32700 malformed
ask http line 5000
is "HTTP in TLS ends the connection" "$(of .failed)" closed
close_session http

# ---- and after all that it goes on as before ----

ask bert order "$(order_text 2 decide \
	'{"ask":4,"decision":{"kind":"retire","units":[]}}' "$place")"
is "the right decision is taken after all" "$(of .result.seq)" 5
stop_umpired
is "the daemon stops cleanly" $? 0
exits 0 "what it holds agrees with itself" "$UMPIRED" \
	-c "$work/umpired/umpired.conf" --check
unlike "the log blames nobody for a fault of the server" \
	"$work/umpired/log" 'error|internal'
finish
