# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034,SC2154
#
# A tournament whose director is a program, for the tests that play in one.
# Sourced after tests/e2e/e2e.sh; $wall is the time in ms since 1970.
#
#   cup ARGUMENT...        a step of the director (tests/e2e/cup.py)
#   cup_new TERMS...       opens one; its number is in $id
#   cup_keys WHO...        for them it signs with the keys of their profiles

need python3
mkdir "$work/keys" "$work/records"

cup() {
	NOW_MS=$wall PORT=$port TOOLS=$tools PLAYERS=$work/keys \
		HOOKS=$work/hooks OUT=$work/records \
		python3 "$top_srcdir/tests/e2e/cup.py" "$@"
}

cup_new() {
	id=$(cup new "$@")
	[ "${#id}" = 64 ] || { diag "$id"; exit 99; }
}

cup_keys() {
	local who
	for who; do
		ln -s "$(player_data "$who")" "$work/keys/$who"
	done
}
