#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The manual pages are all there and mandoc finds nothing in them.
. "${top_srcdir:?}/tests/lint/lint.sh"
need mandoc

pages="client/umpire.1 common/umpire-protocol.7 common/umpire-record.7
common/umpire-rules.7 server/umpired.8 server/umpired.conf.5
server/umpired-courier.8"

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

# Pages that are named with .Xr and begin with "umpire" are ours.
for page in $pages; do
	awk '$1 == ".Xr" && $2 ~ /^umpire/ { print $2 "." $3 }' "$page"
done | sort -u | while read -r name; do
	ls ./*/"$name" >/dev/null 2>&1 || echo "$name"
done | none "every page of ours that a page names is there"

finish
