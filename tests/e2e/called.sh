#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What units are called: wherever a person reads of one that has a name it is
# called by it, in the played game of each system and in one that goes on.  An
# id stands where it has to be typed, in brackets behind the name.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
with_fixed
need python3
samples=$top_srcdir/etc/samples

# all_named WHAT UNITS FILE...: no id stands alone in the files.
all_named() {
	local what=$1
	shift
	if python3 "$top_srcdir/tests/e2e/called.py" "$@" >"$work/alone"; then
		pass "$what"
	else
		sed 's/^/# /' "$work/alone"
		fail "$what"
	fi
}

# tell FILE ARGUMENT...: what anna is told, errors too.
tell() {
	local file=$work/$1
	shift
	as anna "$@" >"$file" 2>&1
	told+=("$file")
}

# ---- the played game of each system ----

for system in imagi-nations invasion-1812 lasalle2 leniston-2009 tlnb; do
	played=$top_srcdir/tests/rules/$system/played.jsonl
	told=()
	for format in text markdown bbcode html; do
		told+=("$work/told.$format")
		player nobody "$UMPIRE" log "$played" --format $format \
			>"$work/told.$format"
	done
	player nobody "$UMPIRE" luck "$played" >"$work/luck"
	all_named "$system: a played game" "$played" "${told[@]}" "$work/luck"
	all_named "$system: what is asked and answered" \
		"$samples/$system-evening.json" \
		"$top_srcdir/tests/e2e/play/$system.screens"
done

# ---- a game that goes on ----

begin_fixed "$work/umpired"
for system in imagi-nations invasion-1812 lasalle2 leniston-2009 tlnb; do
	roster=$samples/$system-evening.json
	combat=$samples/$system-evening-declare.json
	as anna new --roster "$roster" --name "$system" >"$out"
	game=$(sed -n 's/^  game  *//p' "$out")
	told=()
	as bert join --yes "$game" --name "$system" >/dev/null 2>&1
	as anna ready "$system" >/dev/null 2>&1
	as bert ready "$system" >/dev/null 2>&1
	tell check declare "$system" "$combat" --check
	tell odds odds "$combat" --game "$system"
	tell begun show "$system"
	tell declared declare "$system" "$combat" --yes
	tell words decide "$system" hits nobody
	as bert decide "$system" hits nobody >>"$work/words" 2>&1
	[ "$system" != invasion-1812 ] || {
		like "what has no words is asked for" "$work/words" \
			'asks for it at a terminal; programs give JSON:$'
		like "and its examples are told in words" "$work/words" \
			'^  The (attacker|defender) gives its hits to: [A-Z].*:$'
	}
	for i in 1 2 3 4 5 6 7 8; do
		tell show.$i show "$system"
		for who in anna bert; do
			command=$(as $who show "$system" --json |
				filter '.commands[0] // ""')
			[[ $command = *'umpire decide '* ]] || continue
			told+=("$work/$who.$i")
			UMPIRE_TEST_NOW=$fixed_now UMPIRE_TEST_SEED="$who $i" \
				player $who "$UMPIRE" decide "$system" \
				>"$work/$who.$i" 2>&1
			read -ra words <<<"${command#* decide }"
			as $who decide "${words[@]}" --yes \
				>>"$work/$who.$i" 2>&1
		done
	done
	unit=$(jq -r '.sides["1"].units[2].id' "$roster")
	tell adjusted adjust "$system" "$unit" out=left --why "for the test" \
		--yes
	tell open show "$system"
	tell todo todo
	as bert accept "$system" --yes >"$work/accepted" 2>&1
	told+=("$work/accepted")
	tell adjustments adjust "$system"
	tell log log "$system"
	tell luck luck "$system"
	tell shown show "$system"
	tell rosters show "$system" --rosters
	all_named "$system: a live game" "$roster" "${told[@]}"
	tell roster roster show "$roster"
	all_named "$system: its roster" "$roster" "$work/roster"
done

finish
