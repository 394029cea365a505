# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034,SC2154
#
# A valid request for each method of the protocol, for faults.sh.  The method
# a.b has a function rq_a_b, which makes a request that was not made before:
# the session in $who, the params in $params.  If it changes something there is
# done_a_b, too: it looks on disk whether what the request in $params wants
# has been done, going by $reply, the answer that said so.  A method without it
# only reads: its answer must be the same each time.  $final has names of
# errors that say, when a request is sent again, that it is done already.

# Methods that do not look into the database.
diskless="server.hello rpc.discover lobby.watch lobby.unwatch"

n_made=0 # of what has to be new each time
n_free=() # free rolls of each seat

# fresh ACCOUNT: the session fresh, with new keys and an account.
fresh() {
	ask fresh newkeys
	ask fresh register "$1"
	name_answer
	[ "$answer" = ok ] || diag "register $1: $reply"
}

# on_disk SQL: true if that is so in the database.
on_disk() {
	[ "$(sqlite3 -readonly "$db" "SELECT EXISTS ($1)")" = 1 ]
}

# line_on_disk: the line of $reply is that of the record.
line_on_disk() {
	local line rest=${reply#*\"line\":} seq id
	line=${rest%%\",\"*}\"
	id=$game
	if [[ $line == *'"seq\":0,'* ]]; then
		seq=0
		id=$(line_game "$line")
	else
		[[ $reply =~ \"seq\":([0-9]+) ]] || return 1
		seq=${BASH_REMATCH[1]}
	fi
	ask reader call game.record \
		"{\"game\":\"$id\",\"from\":$seq,\"to\":$seq}"
	[[ $reply == *"\"lines\":[$line]"* ]]
}

# line_game LINE: the game that a line, as it stands in JSON, names.
line_game() {
	local rest=${1#*\\\"game\\\":\\\"}
	echo "${rest:0:64}"
}

# make_account: a new account's name goes into $account.
make_account() {
	n_made=$((n_made + 1))
	account=f$n_made
}

# made_game: a new game of anna's goes into $game.
made_game() {
	ask anna order "$(create_text "$args_anna")"
	game=$(line_game "$reply")
	seq=0
	head=$(of .result.line | tr -d '\n' | sha256sum | cut -c 1-64)
}

# set_address: the session fresh is logged in as $account, with a mail address.
set_address() {
	make_account
	fresh "$account"
	ask fresh call address.set \
		"{\"kind\":\"mail\",\"value\":\"$account@example.org\"}"
	name_answer
	[ "$answer" = ok ] || diag "address.set: $reply"
}

address_of="FROM address JOIN account ON account.id = address.account WHERE name"

# cup_terms: the terms of a tournament of anna's.
cup_terms() {
	ask anna keys
	jq -c --arg roster "$roster" --arg dice "$server_dice" \
		--arg zeros "$zeros" '{event: "Autumn cup", director: {
		account: "anna", key: .sign, kn: 0, kprev: $zeros},
		format: "swiss", rounds: 3, system: "lasalle2",
		rules: "lasalle2/1", scheme: "dual-1", server_dice: $dice,
		secret: "held", silence: "forfeit", scenarios: [{
		name: "Bridge", roster: $roster, rulings: {}, tables: []}],
		bye: "win", entry: {until: "2099-01-01T00:00:00.000Z",
		max: 16, admit: "open"}, seed: "lots", checkin_s: 3600,
		start_s: 3600, round_s: 86400, late: "points"}' <<<"$reply"
}

# entry_text KIND ARGS: an order of anna's to the tournament $cup.
entry_text() {
	local now after head
	ask reader call tournament.show "{\"tournament\":\"$cup\"}"
	read -r after head < <("$tools/pick" .result.seq .result.head \
		<<<"$reply")
	order_now
	printf '{"v":1,"server":"%s","tournament":"%s","by":"anna"' \
		"$server_key" "$cup"
	printf ',"after":%s,"head":"%s","nonce":"@nonce","now":"%s"' \
		"$after" "$head" "$now"
	printf ',"kind":"%s","args":%s}' "$1" "$2"
}

# entry_on_disk: the line of $reply is one of a tournament.
entry_on_disk() {
	local hash
	hash=$(of .result.line | tr -d '\n' | sha256sum | cut -c 1-64)
	on_disk "SELECT * FROM tournament_record WHERE hash = x'$hash'"
}

# begin_methods: what the requests take for granted.
begin_methods() {
	enter anna bert carl dora || return 1
	session reader
	session watcher bert
	ask watcher login bert
	session logger bert
	ask logger credentials bert
	login_params=$reply
	session fresh
	# One that is played on, and one that stays as long as it is.
	forge_game anna bert || return 1
	game_watched=$game
	forge_game anna bert || return 1
	game_played=$game
	args_anna=$(create_args 1 anna)
	args_bert=$(join_args 2 bert)
	ask carl order "$(create_text "$(create_args 1 carl)")"
	game=$(line_game "$reply")
	look dora
	ask dora order "$(order_text 2 join "$(join_args 2 dora)")"
	made_game
	game_mustered=$game
	ask anna call account.block '{"account":"dora","block":true}'
	ask anna call game.invite \
		"{\"game\":\"$game\",\"account\":\"bert\",\"invite\":true}"
	ask anna call address.quiet '{"offset":60,"from":1,"to":7}'
	ask anna call address.set '{"kind":"mail","value":"anna@example.org"}'
	terms=$(cup_terms)
	ask anna order "$(create_text "$terms")"
	cup_still=$(of '.result.line | fromjson | .tournament')
	ask anna order "$(create_text "$terms")"
	cup=$(of '.result.line | fromjson | .tournament')
	blob=$roster
	roster_text=$(<"$work/roster.json")
}

rq_server_hello() {
	who=reader params='{}'
}

rq_rpc_discover() {
	who=reader params='{}'
}

rq_account_register() {
	make_account
	ask fresh newkeys
	ask fresh credentials "$account"
	who=fresh params=$reply final=exists
}

done_account_register() {
	on_disk "SELECT * FROM account WHERE name = '$account'"
}

rq_account_login() {
	who=logger params=$login_params
}

rq_account_block() {
	block=$([ "${block:-false}" = false ] && echo true || echo false)
	who=anna params="{\"account\":\"carl\",\"block\":$block}"
}

done_account_block() {
	ask anna call account.blocks '{}'
	[ "$([[ $reply == *'"carl"'* ]] && echo true || echo false)" = "$block" ]
}

rq_account_key() {
	make_account
	fresh "$account"
	ask fresh statement "$account"
	who=fresh params=$reply
}

done_account_key() {
	on_disk "SELECT * FROM statement JOIN account ON id = account
		WHERE name = '$account'"
}

rq_account_keys() {
	who=anna params='{}'
}

rq_account_blocks() {
	who=anna params='{}'
}

rq_address_list() {
	who=anna params='{}'
}

rq_address_set() {
	make_account
	fresh "$account"
	who=fresh
	params="{\"kind\":\"mail\",\"value\":\"$account@example.org\"}"
}

done_address_set() {
	on_disk "SELECT * $address_of = '$account'"
}

rq_address_confirm() {
	set_address
	code=$(sqlite3 -readonly "$db" "SELECT code $address_of = '$account'")
	who=fresh params="{\"kind\":\"mail\",\"code\":\"$code\"}" final=exists
}

done_address_confirm() {
	on_disk "SELECT * $address_of = '$account' AND confirmed = 1"
}

rq_address_drop() {
	set_address
	who=fresh params='{"kind":"mail"}'
}

done_address_drop() {
	! on_disk "SELECT * $address_of = '$account'"
}

rq_address_quiet() {
	n_made=$((n_made + 1))
	from=$((n_made % 1400))
	who=carl params="{\"offset\":60,\"from\":$from,\"to\":1439}"
}

done_address_quiet() {
	ask carl call address.list '{}'
	[[ $reply == *"\"from\":$from,"* ]]
}

rq_blob_put() {
	n_made=$((n_made + 1))
	local text=${roster_text/French/French $n_made}
	text=${text//\"/\\\"}
	who=anna params="{\"value\":\"$text\"}"
}

done_blob_put() {
	[[ $reply =~ \"hash\":\"([0-9a-f]+)\" ]] || return 1
	ask anna call blob.get "{\"hash\":\"${BASH_REMATCH[1]}\"}"
	[[ $reply == *"French $n_made"* ]]
}

rq_blob_get() {
	who=anna params="{\"hash\":\"$blob\"}"
}

rq_game_create() {
	ask anna sign "$(create_text "$args_anna")"
	who=anna params=$reply
}

done_game_create() {
	line_on_disk
}

rq_game_join() {
	made_game
	ask bert sign "$(order_text 2 join "$args_bert")"
	who=bert params=$reply
}

done_game_join() {
	line_on_disk
}

# An order that draws dice or ends the turn, by turns.
rq_game_order() {
	local epoch
	local -a kind
	n_made=$((n_made + 1))
	game=$game_played
	ask reader call game.show "{\"game\":\"$game\"}"
	read -r seat seq head pool epoch < <("$tools/pick" .result.side \
		.result.seq .result.head .result.pool .result.epoch <<<"$reply")
	who=$([ "$seat" = 1 ] && echo anna || echo bert)
	kind=(turn.end '{}' "p/$epoch")
	free=
	if [ $((n_made % 2)) = 1 ]; then
		free=$((${n_free[seat]:-0} + 1))
		kind=(free '{"dice":3,"sides":6}' "f/$seat/$free")
	fi
	ask "$who" pool "$pool"
	ask "$who" sign "$(order_text "$seat" "${kind[@]}")"
	params=$reply
}

done_game_order() {
	[ -z "$free" ] || n_free[seat]=$free
	line_on_disk
}

rq_game_invite() {
	invite=$([ "${invite:-false}" = false ] && echo true || echo false)
	who=anna
	params="{\"game\":\"$game_mustered\",\"account\":\"carl\",\"invite\":$invite}"
}

done_game_invite() {
	ask carl call game.list '{"invited":true}'
	[ "$([[ $reply == *"$game_mustered"* ]] && echo true || echo false)" = \
		"$invite" ]
}

rq_game_list() {
	who=reader params='{}'
}

# dora has one game; anna's become too many for one answer.
rq_game_todo() {
	who=dora params='{}'
}

rq_game_show() {
	who=reader params="{\"game\":\"$game_watched\"}"
}

rq_game_record() {
	who=reader
	params="{\"game\":\"$game_watched\",\"side\":true,\"erased\":0,\"lost\":0}"
}

rq_game_watch() {
	who=watcher params="{\"game\":\"$game_watched\"}"
}

rq_game_unwatch() {
	who=watcher params="{\"game\":\"$game_watched\"}"
}

rq_game_heads() {
	who=reader
	params="{\"games\":[{\"game\":\"$game_watched\",\"seq\":0,\"head\":\"$zeros\"}]}"
}

# What is there already is looked at like what is not, but for the last step.
rq_game_heal() {
	local line
	ask reader call game.record "{\"game\":\"$game_watched\",\"to\":0}"
	line=$(of '.result.lines[0]' | jq -R .)
	who=anna params="{\"game\":\"$game_watched\",\"lines\":[$line]}"
}

rq_tournament_heads() {
	who=reader
	params="{\"tournaments\":[{\"tournament\":\"$cup_still\",\"seq\":0,\"head\":\"$zeros\"}]}"
}

# As with a game: what is there already.
rq_tournament_heal() {
	local line
	ask reader call tournament.record "{\"tournament\":\"$cup_still\",\"to\":0}"
	line=$(of '.result.lines[0]' | jq -R .)
	who=anna params="{\"tournament\":\"$cup_still\",\"lines\":[$line]}"
}

# The first line of a tournament of another server; each time of another one,
# whose last line is to have another hash.
rq_tournament_former() {
	local cup=$top_srcdir/tests/record/sample-tournament-swiss/tournament.jsonl
	n_made=$((n_made + 1))
	who=anna
	params=$(head -n 1 "$cup" | jq -c --raw-input \
		--arg head "$(printf '%064d' "$n_made")" '{tournament: (fromjson |
		.tournament), seq: 9, head: $head, lines: [.]}')
}

done_tournament_former() {
	on_disk "SELECT 1 FROM former JOIN former_line ON former = fid
		WHERE hex(head) = '$(printf '%064d' "$n_made")'"
}

# A chat of anna's that was just said.
rq_text_erase() {
	local ref salt
	n_made=$((n_made + 1))
	game=$game_played
	salt=$(printf '%064d' "$n_made")
	ref=$({
		printf 'umpire/text/1\0'
		unhex "$salt"
		printf 'word %d' "$n_made"
	} | sha256sum | cut -d ' ' -f 1)
	look anna
	ask anna texts "[{\"salt\":\"$salt\",\"value\":\"word $n_made\"}]"
	ask anna order "$(order_text 1 chat "{\"ref\":\"$ref\"}")"
	who=anna params="{\"game\":\"$game\",\"ref\":\"$ref\"}"
}

done_text_erase() {
	on_disk "SELECT 1 FROM text WHERE value = x'' AND erased > 0
		AND hex(ref) = upper('${params: -66:64}')"
}

rq_lobby_watch() {
	who=watcher params='{"mine":true}'
}

rq_lobby_unwatch() {
	who=watcher params='{}'
}

rq_tournament_create() {
	ask anna texts '[]'
	ask anna sign "$(create_text "$terms")"
	who=anna params=$reply
}

done_tournament_create() {
	entry_on_disk
}

# The same text each time: only the first brings it.
rq_tournament_order() {
	local salt=$zeros ref
	ref=$({
		printf 'umpire/text/1\0'
		head -c 32 /dev/zero
		printf 'well met'
	} | sha256sum | cut -c 1-64)
	ask anna texts "[{\"salt\":\"$salt\",\"value\":\"well met\"}]"
	ask anna sign "$(entry_text say "{\"ref\":\"$ref\"}")"
	who=anna params=$reply
	ask anna texts '[]'
}

done_tournament_order() {
	entry_on_disk
}

rq_tournament_list() {
	who=reader params='{"account":"bert"}'
}

# bert is in none of them.
rq_tournament_todo() {
	who=bert params='{}'
}

# One that does not change meanwhile.
rq_tournament_show() {
	who=reader params="{\"tournament\":\"$cup_still\"}"
}

rq_tournament_record() {
	who=reader params="{\"tournament\":\"$cup_still\",\"side\":true}"
}

rq_tournament_watch() {
	who=watcher params="{\"tournament\":\"$cup_still\"}"
}

rq_tournament_unwatch() {
	who=watcher params="{\"tournament\":\"$cup_still\"}"
}
