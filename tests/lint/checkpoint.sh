#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A checkpoint is believed only by a program of the sources of which the one
# that wrote it was made: their hash takes in every source that a game rests
# on.
. "${top_srcdir:?}/tests/lint/lint.sh"
need sha256sum

# What is made anew if one of them changes; it is only told.
make -n -W common/rules/rolls.c common/game/verify_sources.c >"$out" 2>"$err"
is "make knows how the hash is made" "$?" 0
like "it is made anew after a change" "$out" sha256sum
tr -s ' ()' '\n' <"$out" | grep -E '^[^ ]+\.[ch]$' |
	sed 's,^.*common/,common/,' | grep -v /verify_sources.c |
	LC_ALL=C sort -u >"$work/hashed"
(echo common/rules/data.c && find common -name '*.[ch]') |
	grep -v -e ^common/rules/show/ -e ^common/tournament/ \
		-e /verify_sources.c |
	LC_ALL=C sort -u >"$work/there"
is "it is of all sources that a game rests on" \
	"$(cat "$work/hashed")" "$(cat "$work/there")"
make -n -W client/replica/replica.c common/game/verify_sources.c >"$out" 2>&1
unlike "and of no others" "$out" sha256sum

# The same for tournaments.
cup=common/tournament/verify_sources.c
make -n -W common/pairing/dutch.c "$cup" >"$out" 2>"$err"
is "make knows how that of a tournament is made" "$?" 0
sed -n '/sha256sum/,$p' "$out" | tr -s ' ()' '\n' |
	grep -E '^[^ ]+\.[ch]$' | sed 's,^.*common/,common/,' |
	grep -v /verify_sources.c | LC_ALL=C sort -u >"$work/hashed"
(cat "$work/there" && find common/tournament -name '*.[ch]') |
	grep -v /verify_sources.c | LC_ALL=C sort -u >"$work/cup"
is "it is of all sources that a tournament rests on" \
	"$(cat "$work/hashed")" "$(cat "$work/cup")"
make -n -W client/tournament/desk_copy.c "$cup" >"$out" 2>&1
unlike "and of no others here, either" "$out" sha256sum

finish
