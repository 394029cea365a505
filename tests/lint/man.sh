#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The manual pages are all there, mandoc finds nothing in them, and they can be
# read in 80 columns.
. "${top_srcdir:?}/tests/lint/lint.sh"
need mandoc

pages="client/umpire.1 client/umpire-tournament.7 client/umpire-witness.1
common/umpire-protocol.7 common/umpire-record.7 common/umpire-rules.7
common/umpire-tournament-record.7 server/umpired.8 server/umpired.conf.5
server/umpired-courier.8 web/umpire-web.8"

for page in $pages; do
	if [ ! -e "$page" ]; then
		fail "$page is there"
		continue
	fi
	# Our own pages are no part of the base system that it looks in.
	mandoc -Tlint -Wwarning "$page" 2>&1 |
		none "$page: mandoc is content"
	is "$page: its title is its name" \
		"$(awk '$1 == ".Dt" { print tolower($2) "." $3; exit }' "$page")" \
		"$(basename "$page")"
done

# plain: what a terminal shows, without the overstriking of bold type.
plain() {
	sed -e 's/.\x08//g' -e 's/\x1b\[[0-9;]*m//g'
}

for page in $pages; do
	mandoc -T utf8 -O width=80 "$page" 2>/dev/null | plain |
		grep -nE '^.{81,}' | none "$page: no line is wider than 80 columns"
	# Commas that are arguments of .Ql leave the quotes: one word a macro.
	mandoc -T utf8 -O width=80 "$page" 2>/dev/null | plain |
		grep -nE '‘[^’]*‘|’’' | none "$page: no quote begins in another"
	grep -nE '[. ]Ql ([^ "]+|"[^"]*")( [^ ,.]+)* , [^ ]' "$page" |
		none "$page: .Ql quotes one word"
	if ! command -v groff >/dev/null 2>&1; then
		skip "$page: groff sets it" "groff is missing"
		continue
	fi
	# A cell that is too narrow falls apart, a word a line.
	groff -mdoc -T utf8 -rLL=80n -P-cbou -ww "$page" 2>&1 >"$work/page" |
		grep 'break' | none "$page: groff can break its lines"
	plain <"$work/page" | grep -nE '^.{81,}' |
		none "$page: nor is one wider by groff"
done

# Pages that are named with .Xr and begin with "umpire" are ours.
for page in $pages; do
	awk '$1 == ".Xr" && $2 ~ /^umpire/ { print $2 "." $3 }' "$page"
done | sort -u | while read -r name; do
	ls ./*/"$name" >/dev/null 2>&1 || echo "$name"
done | none "every page of ours that a page names is there"

finish
