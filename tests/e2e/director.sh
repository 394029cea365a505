#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# The work of a director: a tournament of sixteen by what the program prints,
# the other formats, and what is exported.  director_wrong.sh brings other cases.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_clocks

dir=$work/umpired
init_umpired "$dir" -o admin_socket=admin.sock || exit 99
start_umpired "$dir" -o witnesses=wilma,wolf || exit 99
export UMPIRE UMPIRE_DATADIR=$top_srcdir/etc
enrol dina dora anna wilma wolf || exit 99
mkdir "$work/out"

# direct CASE: what director.py finds, each a case; what was typed is kept.
direct() {
	local before=$tap_n
	PORT=$port TOOLS=$tools PLAYERS=$work/keys \
		HOOKS=$work/hooks OUT=$work/out HOMES=$work/players \
		DIRECTOR=$work/players/dina SOCK=$dir/admin.sock ROSTER=lasalle2-evening \
		told python3 "$top_srcdir/tests/e2e/director.py" "$1" \
		2>"$work/typed-$1"
	[ "$tap_n" -gt "$before" ] ||
		fail "$1 is tried" "$(tail -n 5 "$work/typed-$1")"
}

for case in ${cases:-sixteen formats witness}; do
	direct "$case"
done
stop_umpired || fail "umpired ends well"
finish
