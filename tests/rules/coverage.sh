#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# coverage.sh [SYSTEM...]: which lines and branches of a rule system its
# scenario files alone do not reach, each with its reason; run by "make
# coverage" in a build with --enable-coverage.  What reads rosters is left out:
# games reach it, no scenario.
#
# Reasons stand in tests/rules/SYSTEM/unreached, one a line: the name of the
# file, a tab, the text of the line of code without blanks at its ends or
# "function NAME" for one that is never called, a tab, the reason.  Status 1 if
# something that is not reached has none.

set -u
: "${top_srcdir:?run this by make coverage}" "${top_builddir:?}"
systems=${*:-imagi-nations invasion-1812 lasalle2 leniston-2009 tlnb}
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
cd "$top_builddir" || exit 70

# cover SYSTEM: runs its files and says what they missed; 1 if something has
# no reason.
cover() {
	local system=$1 cases=$top_srcdir/tests/rules/$1 file n=0 object prefix
	local reasons=$cases/unreached
	prefix=${system//-/}
	rm -f "$work"/*
	find . -name '*.gcda' -exec rm -f {} +
	for file in "$cases"/*.json; do
		./umpire resolve "$file" >/dev/null 2>&1
		case $? in
		0 | 65) n=$((n + 1)) ;;
		*) echo "umpire resolve $file: status $?" >&2 ;;
		esac
	done
	# gcov finds the sources from where they were compiled, and writes
	# there.
	for object in common/rules/"$prefix"/*.gcda; do
		case $object in
		*_roster.gcda) continue ;;
		esac
		"${GCOV:-gcov}" -b -c -o "${object%/*}" "$object" >"$work/log" \
			2>&1 || {
			cat "$work/log" >&2
			return 1
		}
		mv "$prefix"*.gcov "$work/" && rm -f ./*.gcov
	done
	[ -r "$reasons" ] || reasons=/dev/null
	missed "$system" "$n" "$reasons"
}

# missed SYSTEM NUMBER REASONS: reads what gcov wrote.
missed() {
	echo "$1"
	awk -v n="$2" "$missed_awk" "$3" "$work"/*.gcov
}

# shellcheck disable=SC2016 # the dollars are awk's
missed_awk='
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
# Says that a line or a branch of it was not reached.
function missing(what,	reason) {
	reason = why[file, code]
	if (reason == "") { reason = "NO REASON GIVEN"; bare++ }
	printf "%s:%d: %s\n\t%s\n\t%s\n", file, line, what, code, reason
	found++
}
FILENAME == ARGV[1] {
	split($0, f, "\t")
	if (f[3] != "" && $0 !~ /^#/) why[f[1], f[2]] = f[3]
	next
}
FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.gcov$/, "", file) }
# A function that is never called is said once, by its name.
/^function [^ ]+ called / {
	unused = $4 == 0
	code = "function " $2
	if (unused) missing("never called")
	next
}
/^ *[^:]*: *[0-9]+:/ {
	i = index($0, ":"); count = trim(substr($0, 1, i - 1))
	rest = substr($0, i + 1)
	i = index(rest, ":"); line = substr(rest, 1, i - 1) + 0
	code = trim(substr(rest, i + 1))
	lines += count != "-"
	if (count ~ /^[#=]+$/ && !unused) missing("line never run")
	next
}
/^branch +[0-9]+ (taken 0|never executed)/ {
	branches++
	if (count !~ /^[#=]+$/ && !unused)
		missing("branch " $2 " never taken")
	next
}
/^branch / { branches++ }
END {
	printf "%d scenario files, %d lines, %d branches: ", n, lines, branches
	printf "%d not reached, %d of them without a reason\n", found, bare
	exit lines == 0 || bare > 0
}'

status=0
for system in $systems; do
	cover "$system" || status=1
done
exit $status
