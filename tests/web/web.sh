#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-web": the pages of "umpire log --format html" in a browser.
# They are made of the played game of each system and of a game through the
# programs; check.py then loads, looks at and prints them.  Pictures and
# printed pages are left in web/ of the build.  Fails where a program or
# axe-core is missing, and says which package brings it.

for program in jq openssl sqlite3; do
	command -v $program >/dev/null || {
		echo "check-web: $program (package $program) is missing" >&2
		exit 1
	}
done
. "${top_srcdir:?}/tests/e2e/e2e.sh"
. "$top_srcdir/tests/e2e/report_game.sh"
. "$top_srcdir/tests/web/axe.sh"

# missing PACKAGE: says what to install, and ends.
missing() {
	echo "check-web: $1 is missing" >&2
	tap_ended=yes
	exit 1
}

command -v python3 >/dev/null || missing "python3 (package python3)"
command -v chromium >/dev/null || missing "chromium (package chromium)"
command -v chromedriver >/dev/null ||
	missing "chromedriver (package chromium-driver)"
command -v pdftotext >/dev/null || missing "pdftotext (package poppler-utils)"

web=$top_builddir/web
mkdir -p "$web" || exit 99
axe=$(axe_core) || missing "axe-core"

# page NAME RECORD: makes $web/NAME.html.
page() {
	"$UMPIRE" log "$2" --format html --output "$web/$1.html" --yes
}

for played in "$top_srcdir"/tests/rules/*/played.jsonl; do
	system=${played%/played.jsonl}
	page "${system##*/}" "$played" || exit 99
done
# What strangers write, on both sides.
report_game "$work/evening.jsonl" || exit 99
page evening "$work/evening.jsonl" || exit 99

python3 "$top_srcdir/tests/web/check.py" browse "$web" "$axe" \
	"$web"/*.html
rc=$?
tap_ended=yes
exit "$rc"
