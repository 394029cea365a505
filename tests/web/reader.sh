#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make check-web": umpire-reader.html, which "make wasm" has made.  Its program
# under node judges and tells what umpire does, byte for byte: played games,
# samples, tournaments, forged records, records with a byte changed; and has the
# same odds and luck.  Then the page in Chromium, Firefox and WebKit.  With
# UMPIRE_LONG every byte of a record is changed, 200 of each played game, and
# all forged records are made.  Pictures are left in web/ of the build.
. "${top_srcdir:?}/tests/lib.sh"
. "$top_srcdir/tests/web/axe.sh"
# What is missing is a failure here.
for program in node python3 chromedriver firefox-esr WebKitWebDriver xvfb-run; do
	holds "there is $program" command -v $program >/dev/null
done

web=$top_builddir/web
page=$top_builddir/umpire-reader.html
program=$top_builddir/reader/umpire.wasm
worker=$top_srcdir/reader/worker.js
mkdir -p "$web" || exit 99

is "the program is the one whose hash stands in the tree" \
	"$(sha256sum <"$program" | cut -c 1-64)" \
	"$(cat "$top_srcdir/reader/umpire.wasm.sha256")"
holds "the page is at most 4 MB" \
	test "$(stat -c %s "$page")" -le $((4 << 20))

# other NAME SED: what fetching jansson says where reader/sources differs.
other() {
	mkdir "$work/$1"
	cp "$top_srcdir/reader/fetch.sh" "$work/$1"
	sed -n '/^jansson /,/^utf8proc /p' "$top_srcdir/reader/sources" |
		sed -e '/^utf8proc /d' -e "$2" >"$work/$1/sources"
	"$work/$1/fetch.sh" "$work/source" >"$out" 2>&1
}

# lists: the system's own package lists and where they come from.
lists() {
	find /etc/apt /var/lib/apt/lists -type f -printf '%p %s %T@\n' | sort
}

lists >"$work/lists"
other version 's/^jansson .*/jansson 2.13-0/'
is "another version of a source is not taken" $? 1
like "and named" "$out" "names jansson 2.13-0; .* Debian has 2\.[0-9.-]* now"
cp "$top_builddir"/reader/deps/jansson_* "$work/source" 2>"$err"
other mixed 's/^jansson .*/jansson 2.13-0/'
is "nor taken for what lies there" $? 1
like "and both are named" "$out" "not of jansson 2.13-0, .* Version: 2\.14"
other file 's/^c/d/'
is "a file with another hash is not taken" $? 1
like "and its package is named" "$out" "jansson .*: its files are not those"
holds "the system's own lists of packages stay as they are" \
	cmp -s <(lists) "$work/lists"

exits 0 "an archive of the sources is made" \
	make -s -C "$top_builddir" distdir distdir="$work/umpire"
if files=$(git -C "$top_srcdir" ls-files 2>/dev/null); then
	is "which has all of them" "$(while read -r f; do
		[ -e "$work/umpire/$f" ] || [ "$f" = .gitignore ] || echo "$f"
	done <<<"$files")" ""
else
	skip "which has all of them" "nothing says which there are"
fi
holds "and the page" cmp -s "$work/umpire/umpire-reader.html" "$page"

# reader ARGUMENT...: the program against umpire.
reader() {
	python3 "$top_srcdir/tests/web/reader.py" --umpire "$UMPIRE" \
		--worker "$worker" --program "$program" "$@"
}

exits 0 "played games, samples and tournaments" reader \
	"$top_srcdir"/tests/rules/*/played?*.jsonl \
	"$top_srcdir"/tests/record/*.jsonl \
	"$top_srcdir"/tests/record/*/[0-9a-f]*.jsonl \
	"$top_srcdir"/tests/record/*/tournament.jsonl
exits 0 "odds and luck of played games" reader --odds \
	--more "$top_srcdir/tests/rules/lasalle2/played.jsonl" \
	"$top_srcdir"/tests/rules/*/played.jsonl

# In an engine that computes wrongly now and then a verdict is right all the same,
# or there is none.
good=$top_srcdir/tests/rules/lasalle2/played.jsonl
sed '3s/"at":"2/"at":"3/' "$good" >"$work/bent.jsonl"
for errs in trap bad; do
	exits 0 "an engine that errs once ($errs)" reader --errs "$errs" \
		"$good" "$work/bent.jsonl"
done
like "tells what is bad" "$out" '^ok 2'
exits 0 "and gives the same odds" reader --errs trap --odds "$good"
exits 1 "one that errs always, in the same way" reader --errs stuck "$good"
like "gives no verdict" "$out" 'the reader failed: err$'
exits 1 "nor does one that errs in another way each time" \
	reader --errs wild "$good"
like "which is named" "$out" 'the reader failed: This browser computes wrongly'

# Records that were forged with all keys: by faults of a server, and by those
# who gain by it.
part="--part 8 --games 1" every=61
[ -z "${UMPIRE_LONG:-}" ] || part='' every=1
mkdir "$work/forged" "$work/attacks" "$work/cups"
# shellcheck disable=SC2086
exits 0 "records are forged" python3 \
	"$top_srcdir/tests/oracle/forged_records.py" --umpire "$UMPIRE" \
	--keep "$work/forged" $part
exits 0 "records are attacked" python3 \
	"$top_srcdir/tests/attack/record.py" --umpire "$UMPIRE" "$work/attacks"
exits 0 "tournaments are attacked" python3 \
	"$top_srcdir/tests/attack/tournament.py" --umpire "$UMPIRE" "$work/cups"
exits 0 "forged records" reader "$work"/forged/*.jsonl
exits 0 "attacked records" reader "$work"/attacks/*.jsonl
exits 0 "attacked tournaments" reader "$work"/cups/*/tournament.jsonl
small=$top_srcdir/tests/record/sample-dual-1.jsonl
exits 0 "a byte changed: ${small##*/}" reader --flip "$small" --every $every
bytes=10
[ -z "${UMPIRE_LONG:-}" ] || bytes=200
for record in "$top_srcdir"/tests/rules/*/played.jsonl; do
	size=$(stat -c %s "$record")
	exits 0 "a byte changed: ${record#"$top_srcdir/tests/rules/"}" \
		reader --flip "$record" --every $((size / bytes + 1))
done

mkdir "$work/long"
exits 0 "a game of 10,000 lines is played" python3 \
	"$top_srcdir/tests/bench/measure_verify.py" "$top_builddir" "$work/long"

# first N FOLDER NAME: that many files of that name.
first() {
	find "$2" -name "$3" | sort | head -n "$1"
}

# shellcheck disable=SC2046
exits 0 "in browsers" python3 "$top_srcdir/tests/web/reader_browse.py" \
	--page "$page" --worker "$worker" --program "$program" \
	--pictures "$web" --axe "$(axe_core)" \
	--long "$work/long/record.jsonl" \
	"$top_srcdir"/tests/rules/*/played*.jsonl \
	"$top_srcdir"/tests/record/*.jsonl \
	"$top_srcdir"/tests/record/*/[0-9a-f]*.jsonl \
	"$top_srcdir"/tests/record/*/tournament.jsonl \
	$(first 20 "$work/forged" '*.jsonl') \
	$(first 20 "$work/attacks" '*.jsonl') \
	$(first 20 "$work/cups" tournament.jsonl)
grep -v '^ok' "$out" | sed 's/^/# /'

finish
