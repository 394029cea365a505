#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The work of a director: a tournament of sixteen by what the program prints,
# the wrong things at each step, and what is exported.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_clocks

dir=$work/umpired
start_umpired "$dir" || exit 99
export UMPIRE_DATADIR=$top_srcdir/etc
enrol dina || exit 99
dina() { umpire_as dina "$@"; }
mkdir "$work/out"

while read -r verdict what; do
	case $verdict in
	pass) pass "$what" ;;
	'#') diag "$what" ;;
	*) fail "${what%%: *}" "$verdict $what" ;;
	esac
done < <(PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work/out DIRECTOR=$work/players/dina ROSTER=lasalle2-evening \
	python3 "$top_srcdir/tests/e2e/director.py" sixteen 2>"$work/typed")
stop_umpired || fail "umpired ends well"
finish
