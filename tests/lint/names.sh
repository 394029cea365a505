#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What the objects say: a function that others see begins with its file's
# name, no name is one of a library's, and each library rests only on those
# below it.
. "${top_srcdir:?}/tests/lint/lint.sh"
need "${NM:?}" ldd
cd "$top_builddir" || exit 99

libs=$(find common server client web -name 'lib*.a' | LC_ALL=C sort)
rules_libs=$(find common/rules -name 'lib*.a' ! -name libshow.a)

# Without cmocka there is no library for tests.
test_lib=$(find tests/lib -name libtest.a)

# The modules of common, server, client and tests: FOLDER/HEADER without ".h".
declare -A modules
while read -r header; do
	module=${header##*/}
	modules[${header%%/*}/${module%.h}]=1
done < <(cd "$top_srcdir" && sources '*.h')

for lib in $libs $test_lib; do
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
			[ -n "${modules[${lib%%/*}/$module]:-}" ] &&
			[ "${name#"${module}"_}" != "$name" ] && continue
		echo "$file.c: $name"
	done <"$work/functions" |
		none "$lib: functions begin with their file's or module's name"
	is "$lib: it can be read" "$(cat "$err")" ""
done

# undefined FILE...: what they want from outside themselves.
undefined() {
	"$NM" "$@" 2>/dev/null | awk '
	NF < 2 { next }
	$(NF - 1) == "U" { want[$NF] }
	$(NF - 1) ~ /^[TDRBV]$/ { have[$NF] }
	END { for (s in want) if (!(s in have)) print s }' | LC_ALL=C sort
}

for file in common/game/libgame.a client/play/libplay.a umpired; do
	holds "$file: names are read" grep -q '^json_' <(undefined "$file")
done
undefined $rules_libs | grep -E \
	'^(SSL|EVP|RAND|BN|EC|HMAC|sqlite3|event|bufferevent|evbuffer)_' |
	none "rules needs no library but jansson"
io='(f|fd)?open(at|64)?|f?read|f?write|printf|f?puts|send|recv|socket'
io="$io|std(out|err|in)|log_.*|getenv"
chance='time|clock_.*|gettimeofday|getrandom|getentropy|s?rand(om)?'
undefined $rules_libs | grep -xE "$io|$chance" |
	none "rules does no input or output, and knows no clock or chance"
undefined $rules_libs |
	grep -E '^(hash|sign|vrf|expand|record|order|game|verify|store)_' |
	none "rules rests on common's plain parts"
undefined common/*/lib{base,crypt,json,record}.a | grep -E \
	'^(sqlite3|event|bufferevent|evbuffer|SSL|rules|combat|roster|game|verify)_' |
	none "common rests on nothing of ours"
undefined common/game/libgame.a |
	grep -E '^(sqlite3|event|bufferevent|evbuffer|SSL|store|ledger|session)_' |
	none "games know neither network nor database"
# shellcheck disable=SC2046
undefined $(ls client/*/lib*.a | grep -v '^client/witness/') |
	grep -E '^(sqlite3|event|bufferevent)_' |
	none "the client needs neither SQLite, but for a witness, nor libevent"
undefined umpired-courier | grep -E '^(sqlite3|event|bufferevent)_' |
	none "the courier needs neither SQLite nor libevent"
"$NM" umpired-courier | grep -E ' (store|ledger|session|game|sign)_' |
	none "it knows no games, and signs nothing"
"$NM" umpired | grep -E ' (rules_show|render|odds|input|scenario)_' |
	none "the daemon holds nothing that only tells people of rules"
undefined umpired | grep -E '^curl_' | none "the daemon needs no libcurl"
for program in umpired umpired-courier umpire umpire-web; do
	"$NM" "$program" | grep -E ' (hook|hooks|client_hooks)_| __wrap_' |
		none "$program, which is installed, holds no hook"
done

# theirs FILE...: the names that the libraries of those programs hold, and
# those that they load, as they do when linked statically, if that is there.
theirs() {
	local lib name shared=() static=()
	while read -r lib; do
		name=${lib##*/}
		case $name in
		lib*san.so*) continue ;; # has no names for us
		esac
		shared+=("$lib")
		# /lib may be a link to /usr/lib, and the two the same.
		for name in "${lib%/*}/${name%%.so*}.a" \
			"/usr${lib%/*}/${name%%.so*}.a"; do
			[ -e "$name" ] || continue
			static+=("$name")
			break
		done
	done < <(ldd "$@" |
		awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | LC_ALL=C sort -u)
	{
		"$NM" -D --defined-only "${shared[@]}"
		[ ${#static[@]} = 0 ] ||
			"$NM" --extern-only --defined-only "${static[@]}"
	} 2>/dev/null | awk 'NF == 3 && $2 ~ /^[TDRBVCi]$/ {
		sub(/@.*/, "", $3)
		print $3
	}' | LC_ALL=C sort -u
}
# shellcheck disable=SC2086
"$NM" --defined-only $libs | awk 'NF == 3 && $2 ~ /^[TDRBVC]$/ { print $3 }' |
	LC_ALL=C sort -u >"$work/ours"
theirs umpired umpired-courier umpire umpire-web >"$work/theirs"
for name in json_object SSL_new event_add curl_easy_init sqlite3_step; do
	echo "$name"
done | LC_ALL=C sort | LC_ALL=C comm -23 - "$work/theirs" |
	none "the libraries' names are read"
# shared FILE: those of the names in it that are one of a library's, too.
shared() {
	LC_ALL=C sort "$1" | LC_ALL=C comm -12 - "$work/theirs"
}
shared "$work/ours" |
	none "no name of ours is one of a library's"
{ cat "$work/ours" && echo json_object; } >"$work/planted"
shared "$work/planted" >"$out"
is "one that is planted is found" "$(cat "$out")" json_object

# What both hold, a test would get from the tests' library, unasked.
for lib in $test_lib; do
	"$NM" --defined-only "$lib" |
		awk 'NF == 3 && $2 ~ /^[TDRBVC]$/ { print $3 }' |
		LC_ALL=C sort | LC_ALL=C comm -12 - "$work/ours" |
		none "no name of $lib is one of the programs'"
done

finish
