#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The best perfect matchings of random graphs, held against networkx.
. "${top_srcdir:?}/tests/lib.sh"
need python3
python3 -c 'import site; site.main(); import networkx' 2>/dev/null ||
	skip_all "no networkx for python3"

matching="$top_srcdir/tests/oracle/matching.py"
matcher="$top_builddir/tests/tools/matcher"
count=400
[ -z "${UMPIRE_LONG:-}" ] || count=10000

exits 0 "all matchings weigh what networkx says" \
	python3 "$matching" "$matcher" "$count" 1815
like "with and without a perfect one" "$out" \
	"^$count graphs, [1-9][0-9]+ without a perfect matching, 0 differ$"

# A program that is wrong now and then is found out.
cat >"$work/other" <<END
#!/bin/sh
"$matcher" | sed '7s/.*/none/; 8s/.*/1/'
END
chmod +x "$work/other"
exits 1 "others are seen" python3 "$matching" "$work/other" 20 1815
like "with their graphs" "$out" "^graph [67]: "

finish
