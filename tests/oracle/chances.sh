#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The chances in the score sheets of all played games, held against the second
# readings of the rules, which fight each combat again with other dice.
. "${top_srcdir:?}/tests/lib.sh"
need python3

dice=(--most 600 --sample 300)
[ -z "${UMPIRE_LONG:-}" ] || dice=(--most 3000 --sample 3000)
chances="$top_srcdir/tests/oracle/chances.py"

# Eight units of lasalle2 alone, whose dice all matter to the end, have none.
exits 0 "all chances are those of the second readings" \
	python3 "$chances" --umpire "$UMPIRE" "${dice[@]}" \
	"$top_srcdir"/tests/rules/*/played*.jsonl
like "in all systems" "$out" \
	'^8[0-9] combats, 2.. chances exact, .. sampled, 0 differ; 1 without$'

# Other chances are found out.
cat >"$work/other" <<END
#!/bin/sh
"$UMPIRE" "\$@" | sed 's/80\\.56 %/80.57 %/; s/93\\.52 %/33.52 %/'
END
chmod +x "$work/other"
exits 1 "others are seen" python3 "$chances" --umpire "$work/other" \
	"${dice[@]}" "$top_srcdir/tests/rules/invasion-1812/played-facts.jsonl"
like "a hundredth of a percent" "$out" ': 80\.57 %, not 80\.5556$'
like "and a sample that is far away" "$out" ': 33\.52 %, not [0-9]+ of [0-9]+$'

finish
