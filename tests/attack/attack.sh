# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034
#
# What the scripts of attacks share.  An attack is a function attack_NAME, "_"
# for "-": it does what an attacker would do, and leaves in $came what came of
# it: "it succeeds", or words for what stopped it.
#
#   attack reword 'the same dice'
#
# runs it, and is a case: it must come to that.  SECURITY has a row for each,
# and off/NAME.patch takes away what stops it, which tests/attack/attacks.sh
# holds together.  With ATTACK=NAME in the environment only that attack is run,
# and must succeed: $UMPIRE and $UMPIRED are then programs without that
# protection (controls.sh).

. "${top_srcdir:?}/tests/e2e/e2e.sh"

# attack NAME WORDS: WORDS are an extended regular expression for all of $came.
attack() {
	local name=$1 words=$2
	if [ -n "${ATTACK:-}" ]; then
		[ "$name" = "$ATTACK" ] || return 0
		words='it succeeds'
	fi
	came='it was not tried'
	"attack_${name//-/_}"
	if [[ $came =~ ^($words)$ ]]; then
		pass "$name: $came"
	else
		fail "$name" "came to: $came
wanted:  $words"
	fi
}

# tried NAME: whether that attack is to be run.
tried() {
	[ -z "${ATTACK:-}" ] || [ "$1" = "$ATTACK" ]
}

# reached COMMAND...: whether what an attack needs first is there; says what is
# missing if not.
reached() {
	run "$@"
	[ "$status" = 0 ] && return
	came="it did not come so far: $*: status $status: $(head -c 300 "$err")"
	return 1
}
