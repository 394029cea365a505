#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The manual pages and the programs say the same: subcommands and options,
# settings, methods with their params, results and errors.
. "${top_srcdir:?}/tests/lint/lint.sh"
need jq openssl

# missing FILE REGEX: true if no line of the page matches.
missing() {
	! grep -Eq -- "$2" "$1"
}

# ---- umpire.1 ----

page=client/umpire.1
"$UMPIRE" help | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p' \
	>"$work/subcommands"
# Subcommands of subcommands: "tournament enter".
while read -r name; do
	"$UMPIRE" help "$name" >"$work/one"
	! grep -q 'SUBCOMMAND` explains one' "$work/one" ||
		sed -n '/^Options/,$d
		s/^  \([a-z][a-z-]*\)  *[a-z].*/'"$name"' \1/p' "$work/one"
done <"$work/subcommands" >"$work/inner"
cat "$work/inner" >>"$work/subcommands"
holds "umpire help lists subcommands" \
	test "$(wc -l <"$work/subcommands")" -ge 20
while read -r name; do
	missing "$page" "^\.It (Ic|Cm) $name( |\$)" && echo "$name"
done <"$work/subcommands" | none "$page has every subcommand"
while read -r name; do
	# shellcheck disable=SC2086
	"$UMPIRE" help $name |
		sed -nE 's/^  (-., )?--([a-z-]+).*/\2/p' |
		while read -r option; do
			missing "$page" "Fl -$option( |\$)" &&
				echo "$name --$option"
		done
done <"$work/subcommands" | none "$page has every option"
while read -r name; do
	# shellcheck disable=SC2086
	"$UMPIRE" help $name | awk -v name="$name" 'length > 80 {
		print name ": " $0
	}'
done <"$work/subcommands" | none "no line of umpire help is too long"

# ---- umpired.conf.5 and the sample ----

"$UMPIRED" --print-config | sed -n 's/^#\{0,1\}\([a-z_]*\) = \{0,1\}.*/\1/p' |
	LC_ALL=C sort >"$work/keys"
holds "umpired prints its settings" test "$(wc -l <"$work/keys")" -ge 20
sed -nE 's/^\.It (Ic|Va|Cm|Li|Sy) ([a-z_]+).*/\2/p' server/umpired.conf.5 |
	LC_ALL=C sort -u | diff "$work/keys" - | grep '^[<>]' |
	none "server/umpired.conf.5 has every setting and no other"
"$UMPIRED" --print-config | diff - etc/umpired.conf |
	none "etc/umpired.conf is what umpired --print-config prints"

# ---- umpire-web.8 and its sample ----

"$top_builddir/umpire-web" --print-config |
	sed -n 's/^#\([a-z_]*\) =.*/\1/p' | LC_ALL=C sort >"$work/keys"
holds "umpire-web prints its settings" test "$(wc -l <"$work/keys")" -ge 20
sed -nE 's/^\.It Ic ([a-z_]+)$/\1/p' web/umpire-web.8 | LC_ALL=C sort -u |
	diff "$work/keys" - | grep '^[<>]' |
	none "web/umpire-web.8 has every setting and no other"
"$top_builddir/umpire-web" --print-config | diff - etc/umpire-web.conf |
	none "etc/umpire-web.conf is what umpire-web --print-config prints"

# ---- umpire-protocol.7 ----

page=common/umpire-protocol.7
start_umpired "$work/server" || {
	fail "umpired starts"
	finish
}
# The connection ends when its input does, which waits for the whole answer.
answered() {
	[ "$(wc -l <"$work/discover")" -gt 0 ]
}
{
	echo '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'
	wait_for 10 answered
} | timeout 20 openssl s_client -quiet -no_ign_eof \
	-connect "$server" >"$work/discover" 2>/dev/null
stop_umpired || fail "umpired ends well"

# Both as lines: a method, what of it, a name, and for params whether it may
# be left out.
jq -r '.result | (.methods + ."x-notices")[] | .name as $m |
	"\($m) method\(if ."x-login" then " login" else "" end)",
	(.params[] | "\($m) param \(.name) " +
		(if .required then "" else "optional" end)),
	(.result.schema.properties // {} | keys[] | "\($m) result \(.)"),
	(.errors // [] | .[] | .data.name | "\($m) error \(.)")' \
	"$work/discover" >"$work/of-program" 2>/dev/null
jq -r '.result."x-orders"[] | "order.\(.kind)" as $m |
	"\($m) order \(.class)",
	(.args[] | "\($m) arg \(.name) " +
		(if .required then "" else "optional" end)),
	(.errors[] | .data.name | "\($m) refusal \(.)")' \
	"$work/discover" >>"$work/of-program" 2>/dev/null
awk '
/^\.Sh / { on = $2 == "METHODS" || $2 == "NOTICES" }
!on { next }
/^\.Ss / { method = $2; part = ""; order[++n] = method; next }
/^Needs a login/ { login[method] = 1 }
/^(Params|Result|Errors)/ { part = tolower(substr($1, 1, 5)) }
/^\.Bl / { depth++ }
/^\.El/ { depth-- }
/^\.It Va / && depth == 1 && part == "param" {
	print method, "param", $3, (/, optional/ ? "optional" : "")
}
/^\.It Va / && depth == 1 && part == "resul" { print method, "result", $3 }
/^\.(Sq|Ql) / && part == "error" && !(depth) { print method, "error", $2 }
END {
	for (i = 1; i <= n; i++)
		print order[i], "method" (login[order[i]] ? " login" : "")
}' "$page" >"$work/of-page"
# The section ORDERS: a kind, its class, args and what may refuse it; what may
# refuse any order is told once.
awk '
/^\.Sh / { on = $2 == "ORDERS" }
!on { next }
/^\.Ss / { kind = $2; next }
kind == "" && /^\.(Sq|Ql) / { every[++k] = $2; next }
kind == "" { next }
/^Class/ { sub(/:$/, "", $2); print "order." kind, "order", $2; all[++n] = kind; part = ""; next }
/^(Args|Errors)/ { part = substr($1, 1, 4) }
/^\.It Va / && part == "Args" {
	print "order." kind, "arg", $3, (/, optional/ ? "optional" : "")
}
/^\.(Sq|Ql) / && part == "Erro" { print "order." kind, "refusal", $2 }
END {
	for (i = 1; i <= n; i++)
		for (j = 1; j <= k; j++)
			print "order." all[i], "refusal", every[j]
}' "$page" >>"$work/of-page"

# same WHAT REGEX: a case; the two agree in the lines that match.
same() {
	diff <(grep -E "$2" "$work/of-program" | LC_ALL=C sort -u) \
		<(grep -E "$2" "$work/of-page" | LC_ALL=C sort -u) |
		sed -n 's/^</only the program:/p; s/^>/only the page:/p' | none "$1"
}

holds "rpc.discover lists the methods" \
	test "$(grep -c ' method' "$work/of-program")" -ge 10
same "$page has every method, and says which want a login" ' method'
same "$page has every param" ' param '
same "$page has the members of every result" ' result '
holds "rpc.discover lists the kinds of orders" \
	test "$(grep -c ' order ' "$work/of-program")" -ge 23
same "$page has every kind of order, and its class" ' order '
same "$page has the args of every kind" ' arg '
same "$page has what refuses an order" ' refusal '
jq -r '.result.methods[].errors[] | "\(.code) \(.data.name)"' "$work/discover" |
	sort -u | while read -r code name; do
	missing "$page" "^\.It \\\\?$code Ta $name Ta " && echo "$code $name"
done | none "$page has every error code"

finish
