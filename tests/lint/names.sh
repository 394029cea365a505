#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What the objects say: a function that others see begins with its file's
# name, and each library rests only on those below it.
. "${top_srcdir:?}/tests/lint/lint.sh"
need "${NM:?}"
cd "$top_builddir" || exit 99

for lib in common/libcommon.a common/rules/librules.a common/game/libgame.a \
	server/libumpired.a server/libcourier.a client/libclient.a; do
	"$NM" -A "$lib" 2>"$err" | awk '
	NF > 1 && $(NF - 1) == "T" {
		split($1, part, ":")
		file = part[2]; sub(/\.o$/, "", file)
		print file, $NF
	}' >"$work/functions"
	while read -r file name; do
		case $name in
		"$file" | "${file}"_*) continue ;;
		esac
		# game_turn.c is a part of the module whose header is game.h.
		module=${file%%_*}
		[ "$module" != "$file" ] &&
			[ -e "$top_srcdir/${lib%/*}/$module.h" ] &&
			[ "${name#"${module}"_}" != "$name" ] && continue
		echo "$file.c: $name"
	done <"$work/functions" |
		none "$lib: functions begin with their file's or module's name"
	is "$lib: it can be read" "$(cat "$err")" ""
done

# undefined FILE: what it wants from outside itself.
undefined() {
	"$NM" "$1" | awk '
	NF < 2 { next }
	$(NF - 1) == "U" { want[$NF] }
	$(NF - 1) ~ /^[TDRBV]$/ { have[$NF] }
	END { for (s in want) if (!(s in have)) print s }' | LC_ALL=C sort
}

for file in common/rules/librules.a client/libclient.a umpired; do
	holds "$file: names are read" grep -q '^json_' <(undefined "$file")
done
undefined common/rules/librules.a | grep -E \
	'^(SSL|EVP|RAND|BN|EC|HMAC|sqlite3|event|bufferevent|evbuffer)_' |
	none "librules.a needs no library but jansson"
io='(f|fd)?open(at|64)?|f?read|f?write|printf|f?puts|send|recv|socket'
io="$io|std(out|err|in)|log_.*|getenv"
chance='time|clock_.*|gettimeofday|getrandom|getentropy|s?rand(om)?'
undefined common/rules/librules.a | grep -xE "$io|$chance" |
	none "librules.a does no input or output, and knows no clock or chance"
undefined common/rules/librules.a |
	grep -E '^(hash|sign|vrf|expand|record|order|game|verify|store)_' |
	none "librules.a rests on libcommon.a's plain parts"
undefined common/libcommon.a | grep -E \
	'^(sqlite3|event|bufferevent|evbuffer|SSL|rules|combat|roster|game|verify)_' |
	none "libcommon.a rests on nothing of ours"
undefined common/game/libgame.a |
	grep -E '^(sqlite3|event|bufferevent|evbuffer|SSL|store|ledger|session)_' |
	none "libgame.a knows neither network nor database"
undefined client/libclient.a | grep -E '^(sqlite3|event|bufferevent)_' |
	none "the client needs neither SQLite nor libevent"
undefined umpired-courier | grep -E '^(sqlite3|event|bufferevent)_' |
	none "the courier needs neither SQLite nor libevent"
"$NM" umpired-courier | grep -E ' (store|ledger|session|game|sign)_' |
	none "it knows no games, and signs nothing"
undefined umpired | grep -E '^curl_' | none "the daemon needs no libcurl"
for program in umpired umpired-courier umpire; do
	"$NM" "$program" | grep -E ' (hook|hooks|client_hooks)_| __wrap_' |
		none "$program, which is installed, holds no hook"
done

finish
