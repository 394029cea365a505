#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# For each attack: with programs from which what stops it was taken
# (off/NAME.patch) it succeeds.  Else the attack is none, or something else
# stops it, too, and nobody would see if that went.  "make check-attacks" runs
# this, and so does UMPIRE_LONG=1; CONTROLS="NAME ..." tries only some.

. "${top_srcdir:?}/tests/lib.sh"
need patch python3

attacks=$top_srcdir/tests/attack
[ -n "${CONTROLS:-}${UMPIRE_LONG:-}" ] || skip_all "make check-attacks runs it"

# script NAME: the script that has that attack.
script() {
	if grep -q "^@attack(\"$1\"" "$attacks/record.py"; then
		echo "$attacks/record.sh"
	elif grep -q "^@attack(\"$1\"" "$attacks/tournament.py"; then
		echo "$attacks/tournament.sh"
	else
		grep -l "^attack $1 " "$attacks"/*.sh
	fi
}

# control NAME: a case.
control() {
	local name=$1 off=$top_builddir/tests/attack/off/$1
	if ! make -C "$top_builddir" -s attack-off NAME="$name" \
		>"$work/made" 2>&1; then
		fail "$name: what stops it can be taken away" \
			"$(tail -n 20 "$work/made")"
		return
	fi
	if ATTACK=$name UMPIRE=$off/umpire UMPIRED=$off/umpired \
		UMPIRE_TEST=$off/umpire UMPIRED_TEST=$off/umpired \
		bash "$(script "$name")" >"$work/came" 2>&1 &&
		grep -q "^ok .* - $name: it succeeds" "$work/came"; then
		pass "$name: it succeeds where nothing stops it"
	else
		fail "$name: it succeeds where nothing stops it" \
			"$(tail -n 20 "$work/came")"
	fi
	rm -rf "$off"
}

if [ "${CONTROLS:-all}" != all ]; then
	names=$CONTROLS
else
	names=$(cd "$attacks/off" && printf '%s\n' *.patch | sed 's/\.patch$//')
fi
for name in $names; do
	control "$name"
done

finish
