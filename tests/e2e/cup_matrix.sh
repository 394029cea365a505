#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Each kind of order to a tournament, by a director, a deputy, an entrant, one
# who was not admitted and a stranger, in each state: what is not the time, or
# not theirs, is refused in words that say what may be done, and leaves no line.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3
with_hooks

start_umpired "$work/umpired" -o witnesses=club || exit 99
PORT=$port TOOLS=$tools PLAYERS=$work/keys HOOKS=$work/hooks \
	OUT=$work told python3 "$top_srcdir/tests/e2e/cup_matrix.py"
stop_umpired || fail "umpired ends well"
finish
