#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A copy of a tournament is verified by each command, but for pairings that a
# checkpoint covers: they are worked out once, and again as soon as a byte of
# the copy or of the checkpoint is another.  A Swiss whose third round is paired
# otherwise, signed by its server, shows which is the case.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
need python3

copies() {
	python3 "$top_srcdir/tests/e2e/cupcopy.py" "$@"
}

read -r id bad < <(copies make "$work")
data=$(player_data anna)
copy=$data/games/$id.tournament
kept=$copy-checkpoint
(umask 077 && mkdir -p "$data/games" &&
	printf '%064d\n' 1815 >"$data/sign.key") || exit 99

# shown WHAT [ROUNDS]: a case: the copy holds.
shown() {
	exits 0 "$1" umpire_as anna tournament show "$id" --offline --json
	is "... with all its rounds" \
		"$(jq '[.. | .round? | numbers] | max' "$out")" "${2:-4}"
}

# found WHAT [LINE]: a case: what is wrong in the copy is found.
found() {
	exits 65 "$1" umpire_as anna tournament show "$id" --offline
	like "... and where" "$err" "damaged at line ${2:-$bad}:"
}

# other_byte FILE OFFSET: a byte becomes another.
other_byte() {
	local was
	was=$(od -An -tu1 -j "$2" -N 1 "$1")
	# shellcheck disable=SC2059 # the byte
	printf "\\x$(printf %x $((was ^ 1)))" |
		dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# The copy is verified whole, which leaves a checkpoint.
cp "$work/true" "$copy"
shown "a copy without a checkpoint holds"
is "a checkpoint is made, which nobody else can read" \
	"$(stat -c %a "$kept")" 600
cp "$kept" "$work/kept"
shown "a copy with one holds"
cmp -s "$kept" "$work/kept"
is "which stays as it is" "$?" 0

# Of a copy that is another it says nothing.
cp "$work/other" "$copy"
found "a pairing that does not hold is found"
cp "$work/kept" "$kept"
found "also beside a checkpoint of another copy"
cp "$work/kept" "$kept"
copies checkpoint "$data/sign.key" "$kept" "$copy" \
	"$(head -n "$((bad - 1))" "$copy" | wc -c)"
found "and in a line after those that a checkpoint covers"
copies checkpoint "$data/sign.key" "$kept" "$copy" "$(($(wc -c <"$copy") - 1))"
found "of which a part is not the line"
copies checkpoint "$data/sign.key" "$kept" "$copy"
shown "only what a checkpoint covers is not worked out again" 3
exits 1 "umpire verify works it out all the same" \
	"$UMPIRE" verify --no-games "$copy"
like "... and says where" "$err" "line $bad:"
cp "$kept" "$work/fits"

# Any byte of the checkpoint: each of its members, and the MAC.
for at in 0 63 64 95 96 127 128 135 136 167 168 199; do
	cp "$work/fits" "$kept"
	other_byte "$kept" "$at"
	found "byte $at of the checkpoint is another"
done
head -c 199 "$work/fits" >"$kept"
found "the checkpoint is cut off"
(cat "$work/fits" && echo) >"$kept"
found "the checkpoint is longer"
: >"$kept"
found "the checkpoint is empty"
cp "$work/fits" "$kept"
copies checkpoint "$data/sign.key" "$kept" "$copy" '' "$(printf '%064d' 7)"
found "an umpire of other sources wrote it"
cp "$work/fits" "$kept"
printf '%064d\n' 1805 >"$work/sign.key"
copies checkpoint "$work/sign.key" "$kept" "$copy"
found "another profile's key made it"

# All but pairings is checked whatever a checkpoint says.
n=$(wc -c <"$copy")
for at in 40 $((n / 3)) $((n / 2)) $((n - 20)); do
	cp "$work/other" "$copy"
	other_byte "$copy" "$at"
	cp "$work/fits" "$kept"
	line=$(($(head -c "$at" "$copy" | wc -l) + 1))
	copies checkpoint "$data/sign.key" "$kept" "$copy"
	found "byte $at of the copy is another" "$line"
done
head -n "$((bad - 2))" "$work/other" >"$copy"
cp "$work/fits" "$kept"
shown "a copy that is shorter than its checkpoint is verified" 2
cat "$work/other" >"$copy"
found "and what is added to it"

# Who has no key of their own has no checkpoint, either.
rm "$data/sign.key"
cp "$work/true" "$copy"
rm "$kept"
shown "without a key a copy can be read"
holds "... and no checkpoint is made" [ ! -e "$kept" ]

finish
