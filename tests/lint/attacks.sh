#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# SECURITY's table of attacks, the attacks in tests/attack and what stops each
# of them, as a patch that takes it away, are the same list; each patch fits the
# sources.
. "${top_srcdir:?}/tests/lint/lint.sh"
need patch

attacks=tests/attack
LC_ALL=C
export LC_ALL

sed -n '/^ATTACKS$/,/^[A-Z]/{/^ATTACKS$/d;p}' SECURITY |
	sed -nE 's/^    ([a-z]+(-[a-z]+)*)(  .*)?$/\1/p' | sort >"$work/rows"
{
	sed -nE 's/^@attack\("([a-z-]+)".*/\1/p' "$attacks/record.py" \
		"$attacks/tournament.py"
	sed -nE 's/^attack ([a-z-]+) .*/\1/p' "$attacks"/*.sh
} | sort >"$work/tests"
(cd "$attacks/off" && printf '%s\n' *.patch) | sed 's/\.patch$//' | sort \
	>"$work/patches"

holds "there are attacks" test "$(wc -l <"$work/tests")" -ge 30
uniq -d "$work/tests" | none "none has another's name"
comm -23 "$work/tests" "$work/rows" | none "SECURITY has a row for each"
comm -13 "$work/tests" "$work/rows" | none "and for each row there is one"
comm -23 "$work/tests" "$work/patches" | none "each has what stops it"
comm -13 "$work/tests" "$work/patches" | none "which is what stops an attack"

for patch in "$attacks"/off/*.patch; do
	patch -s -p1 --dry-run -F 2 <"$patch" >"$work/said" 2>&1 ||
		echo "$patch: $(head -n 1 "$work/said")"
done | none "and fits the sources"
grep -l '^--- a/tests' "$attacks"/off/*.patch |
	none "none changes a test"

finish
